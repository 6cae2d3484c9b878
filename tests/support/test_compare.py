#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""compare.py accepts an answer that equals the oracle's and finds every planted difference."""
import copy
import os
import sys
import tempfile
import unittest

import compare
import trapfleet


def as_cli(oracle):
    """The oracle's figures in the format of the command line."""
    idle = copy.deepcopy(oracle['idle'])
    del idle['young']
    return {'summary': copy.deepcopy(oracle['summary']['shared']), 'heatmap': copy.deepcopy(oracle['heatmap']['shared']), 'idle': idle}


class CompareTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            cls.oracle = trapfleet.write_expected(trapfleet.Fleet(), os.path.join(folder, 'x'))

    def differences(self, change=None):
        cli = as_cli(self.oracle)
        if change:
            change(cli)
        c = compare.Comparison()
        c.summary(cli['summary'], self.oracle['summary']['shared'])
        c.heatmap(cli['heatmap'], self.oracle['heatmap']['shared'])
        c.idle(cli['idle'], self.oracle['idle'])
        return c.differences

    def test_accepts_the_same_figures(self):
        self.assertEqual(self.differences(), [])

    def test_accepts_rounding(self):
        def change(cli):
            for row in cli['summary']['rows']:
                row['utilization'] = row['utilization'] and row['utilization'] * 1.0015
        self.assertEqual(self.differences(change), [])

    def test_finds_each_difference(self):
        def item(cli):
            return cli['idle']['items'][0]

        def swap(cli):
            a, b = cli['summary']['rows'][:2]
            a['key'], b['key'] = b['key'], a['key']

        def moved_hours(cli):
            h = cli['summary']['rows'][0]['gpu_hours']
            h['active'] -= 1
            h['idle'] += 1
        changes = [
            swap, moved_hours,
            lambda cli: cli['summary']['rows'].pop(),
            lambda cli: cli['summary']['total']['gpu_hours'].update(unobserved=0),
            lambda cli: cli['summary']['rows'][0].update(utilization=None),
            lambda cli: cli['summary']['rows'][0]['cost'].update(total='1.0'),
            lambda cli: cli['heatmap']['rows'][0]['cells'][150].update(value=0.01),
            lambda cli: cli['heatmap']['rows'][0]['cells'][0].update(value=0.0),
            lambda cli: cli['heatmap']['rows'][0]['cells'][150].update(held_hours=0),
            lambda cli: cli['heatmap'].update(tz='Asia/Kathmandu'),
            lambda cli: cli['idle']['items'].pop(),
            lambda cli: cli['idle']['items'].append(copy.deepcopy(item(cli))),
            lambda cli: cli['idle']['items'].append(dict(item(cli), devices=['GPU-other'])),
            lambda cli: cli['idle']['unknown'].clear(),
            lambda cli: cli['idle']['unknown'].append({'id': 'whole-train', 'reason': 'x'}),
            lambda cli: item(cli).update(since='2025-03-29T02:00:00Z'),
            lambda cli: item(cli).update(wasted={'amount': '1.000000000', 'currency': 'USD'}),
            lambda cli: item(cli).update(gpus=2),
        ]
        for number, change in enumerate(changes):
            with self.subTest(number=number):
                self.assertNotEqual(self.differences(change), [])


if __name__ == '__main__':
    sys.exit(unittest.main())
