#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""From the notice of an alert to the end of the alert (inside run_gui.sh):

  run_gui.sh -o OUT /usr/bin/python3 test_alerts.py BIN_FOLDER WORK_FOLDER

`watch` tells a webhook that a team's GPU is idle. The link of that message opens the real window with the workload selected, it is stopped
there by keyboard alone, counted and timed, and after the next sync `watch` tells the webhook that the alert is over. The fleet and its
platform are those of the demo; the rule is in a configuration of its own over the same data, whose source can't be reached.
"""
import json
import os
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'support')]

from atspi_helper import App, wait_until  # noqa: E402
from receivers import Receiver  # noqa: E402
from test_stop import NOW, PATIENCE, Demo, button, to_a_verified_release, within_limits  # noqa: E402
from test_users import Keys, told  # noqa: E402

LATER = '2026-11-21T14:15:00Z'  # the last hour is after the stop
DAYS_OF_A_MONTH = 730 / 24
BOUND = 200  # USD a day
RULE = """version: 1
currency: USD
sources: [ { name: demo, kind: prometheus, url: "http://127.0.0.1:9" } ]
owners: [ { label: team }, { namespace_label: team }, { default: true, team: unowned } ]
targets: [ { name: hook, kind: webhook, url: "%s" } ]
alerts: [ { name: idle, when: { metric: idle-cost, per: team, above: %d USD/day }, send: [hook] } ]
"""


def at(demo, now):
    """The options of a program at this time."""
    return [now if one == NOW else one for one in demo.common]


class Watch:
    """`watch --once` with the rule, and what the webhook was told."""

    def __init__(self, demo, folder):
        self.demo, self.receiver = demo, Receiver()
        self.config = os.path.join(folder, 'config.yaml')
        with open(self.config, 'w', encoding='utf-8') as file:
            file.write(RULE % (self.receiver.url('hook'), BOUND))
        os.chmod(self.config, 0o600)

    def round(self, now):
        """The messages of this round."""
        before = len(self.receiver.bodies('hook'))
        subprocess.run([self.demo.cli, '--config', self.config, *at(self.demo, now), 'watch', '--once'], check=True, timeout=PATIENCE,
                       capture_output=True)
        return self.receiver.bodies('hook')[before:]


def one_to_stop(demo, messages):
    """(message, plan, whether the number has to be typed) where stopping the most expensive workload ends the alert."""
    for message in messages:
        if not message['items'] or not message['value']:
            continue
        item = message['items'][0]
        left = float(message['value'].split()[0]) - float(item['cost_per_month']['amount']) / DAYS_OF_A_MONTH
        plan, needs_count = demo.plan(item)
        if left < BOUND and plan['state'] == 'checked' and plan['verb'] != 'delete':
            return message, plan, needs_count
    raise AssertionError('no stop of one workload would end an alert')


def main():
    binaries, work = sys.argv[1], sys.argv[2]
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    demo = Demo(binaries, os.path.join(work, 'data'))
    watch = Watch(demo, work)
    messages = watch.round(NOW)
    assert messages and all(one['state'] == 'firing' for one in messages), messages
    message, plan, needs_count = one_to_stop(demo, messages)
    item, link = message['items'][0], message['links']['open']
    assert link.startswith('gpuledger://idle?'), link
    with App(demo.window(link), timeout=PATIENCE) as app:
        with app.step('the link opens the page with the row selected'):
            tree = app.find('tree', 'Idle workloads', timeout=PATIENCE)
            wait_until(lambda: tree.shape()[0] > 0, PATIENCE, 'rows of the idle list')
            told(app.find(None, 'Evidence', timeout=PATIENCE), item['name'])
            button(app, 'Stop this one')
        app.screenshot('from-the-notice.png')
        keys, began = Keys(app), time.monotonic()
        with app.step('from the notice to a verified release'):
            to_a_verified_release(app, demo, keys, plan['target']['uid'], needs_count)
        within_limits('from the notice', keys, began)
        assert app.close() == 0
    subprocess.run([demo.cli, '--demo', *at(demo, LATER), 'sync'], check=True, timeout=PATIENCE, capture_output=True)
    over = [one for one in watch.round(LATER) if one['dedup_key'] == message['dedup_key']]
    assert [one['state'] for one in over] == ['resolved'], over
    watch.receiver.close()
    print('%d passed, 0 failed' % len(app.steps))
    return 0


if __name__ == '__main__':
    sys.exit(main())
