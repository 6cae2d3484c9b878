#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares output of gpuledger-cli with the figures of an oracle.

  compare.py summary|heatmap|idle CLI.json ORACLE.json [--variant shared|node_pool] [--tolerance 0.002] [--berlin]

CLI.json has the JSON format of the command line; ORACLE.json comes from trace_oracle.py --json or trapfleet.py. Every difference is one
line; exits with 1 if there is any, otherwise with 0.

Numbers (hours, utilization, allocation, coverage, money) agree within the tolerance, relative to the larger one; null agrees with null
only. An hour below 0.002 is compared with an absolute tolerance of 0.002 h, so that 0 is meaningful. A row or heat map cell without any
time may be absent on either side. Rows are matched by key, idle items by their devices and name, never by position.

Idle items: the product may list a workload as one item where the oracle lists its pods: the item must then have all devices of these pods,
and its `since` is the latest of theirs. Apart from that the lists must be the same, item by item. If part of the time since the last
activity was unobserved, `idle_hours` and `wasted` may include or exclude it, but both alike. A pod too young for its window may be listed
as unknown or not at all, but never as idle.
A device is its UUID in lower case without `GPU-` and without whatever follows `/` or `:` (slice).
"""
import argparse
import json
import re
import sys
from datetime import datetime

TINY_HOURS = 0.002


def number(value):
    if isinstance(value, dict):  # money
        return float(value['amount'])
    return None if value is None else float(value)


def instant(text):
    return datetime.fromisoformat(text.replace('Z', '+00:00')).timestamp()


class Comparison:
    def __init__(self, tolerance=0.002):
        self.tolerance, self.differences, self.checked = tolerance, [], 0

    def say(self, text):
        self.differences.append(text)

    def near(self, where, got, want, floor=0.0):
        self.checked += 1
        got, want = number(got), number(want)
        if got is None or want is None:
            if got is not want:
                self.say('%s: %s instead of %s' % (where, got, want))
            return
        if abs(got - want) > max(self.tolerance * max(abs(got), abs(want)), floor):
            part = ' (%+.3f %%)' % (100 * (got / want - 1)) if want else ''
            self.say('%s: %.6f instead of %.6f%s' % (where, got, want, part))

    def same(self, where, got, want):
        self.checked += 1
        if got != want:
            self.say('%s: %r instead of %r' % (where, got, want))

    # ----- summary
    def summary(self, got, want, costs=True):
        for end in ('from', 'to'):
            if end in got and got[end]:
                self.same('summary ' + end, instant(got[end]), instant(want[end]))
        self.row('total', got['total'], want['total'], costs)
        rows, wanted = ({r['key']: r for r in side['rows']} for side in (got, want))
        self.same('summary rows: keys given twice', len(got['rows']), len(rows))
        for key in sorted(set(rows) | set(wanted)):
            if key not in wanted:
                if rows[key]['gpu_hours']['paid'] > TINY_HOURS:
                    self.say('team %s: not expected (%.3f GPU-hours)' % (key, rows[key]['gpu_hours']['paid']))
            elif key not in rows:
                if wanted[key]['gpu_hours']['paid'] > TINY_HOURS:
                    self.say('team %s: missing (%.3f GPU-hours)' % (key, wanted[key]['gpu_hours']['paid']))
            else:
                self.row('team ' + key, rows[key], wanted[key], costs)

    def row(self, where, got, want, costs):
        hours = got['gpu_hours']
        for name in ('paid', 'active', 'idle', 'unallocated', 'unobserved'):
            self.near('%s %s hours' % (where, name), hours.get(name), want['gpu_hours'][name], TINY_HOURS)
        parts = sum(hours[n] for n in ('active', 'idle', 'unallocated', 'unobserved'))
        self.checked += 1
        if abs(parts - hours['paid']) > 1e-6 * max(1, hours['paid']):
            self.say('%s: the states add up to %.9f, paid is %.9f' % (where, parts, hours['paid']))
        for name in ('utilization', 'allocation', 'coverage'):
            self.near('%s %s' % (where, name), got.get(name), want[name], 1e-6)
        if costs:
            for name in ('total', 'active', 'idle', 'unallocated', 'unobserved'):
                self.near('%s cost %s' % (where, name), (got.get('cost') or {}).get(name), want['cost'][name], 0.01)

    # ----- heatmap
    def heatmap(self, got, want):
        self.same('heatmap metric', got['metric'], want['metric'])
        self.same('heatmap time zone', got['tz'], want['tz'])
        self.same('heatmap bins', got['bins'], want['bins'])
        rows, wanted = ({r['key']: r for r in side['rows']} for side in (got, want))
        for key in sorted(set(rows) | set(wanted)):
            ours, theirs = rows.get(key), wanted.get(key)
            if ours is None or theirs is None:
                held = sum(c['held_hours'] or 0 for c in (ours or theirs)['cells'])
                if held > TINY_HOURS:
                    self.say('heatmap %s: %s (%.3f held hours)' % (key, 'not expected' if ours else 'missing', held))
                continue
            self.same('heatmap %s: number of cells' % key, len(ours['cells']), len(theirs['cells']))
            for label, cell, other in zip(want['bins'], ours['cells'], theirs['cells']):
                self.cell('heatmap %s %s' % (key, label), cell, other)

    def cell(self, where, got, want):
        self.near(where + ' value', got['value'], want['value'], 1e-6)
        self.near(where + ' held hours', got['held_hours'] or 0, want['held_hours'], TINY_HOURS)
        self.checked += 1
        seen = number(got.get('observed'))
        fits = [w for w in (want['observed'], want['observed_of_paid']) if w is not None]
        if seen is None:
            if want['held_hours'] and want['value'] is not None:
                self.say(where + ' observed: null where something was observed')
        elif fits and not any(abs(seen - w) <= max(self.tolerance, 1e-6) for w in fits):
            self.say('%s observed: %.6f instead of %s' % (where, seen, ' or '.join('%.6f' % w for w in fits)))

    # ----- idle
    def idle(self, got, want):
        self.same('idle at', instant(got['at']), instant(want['at']))
        self.near('idle threshold', got['threshold'], want['threshold'])
        self.items(got['items'], want['items'])
        if 'partly' in want:
            self.partly(got, want)
        known = want['unknown'] + want['young']
        rest = list(want['unknown'])
        for item in got['unknown']:
            match = [w for w in known if names(w) & words(item)]
            if not match:
                self.say('unknown: %s (%s) is not expected' % (item['id'], item['reason']))
            rest = [w for w in rest if w not in match]
            self.checked += 1
            if not item.get('reason'):
                self.say('unknown: %s has no reason' % item['id'])
        for w in rest:
            self.say('unknown: %s (%s) is missing' % (w['name'], w['reason']))

    def items(self, got, want):
        left = list(want)
        for item in got:
            where = 'idle %s' % item['name']
            devices = {device(d) for d in item['devices']}
            pods = [w for w in left if {device(d) for d in w['devices']} <= devices and
                    (w['namespace'] == item['namespace'] or not item['namespace'])]
            named = [w for w in pods if names(w) & words(item)]
            if named:
                pods = [w for w in pods if any(w['workload'] == n['workload'] for n in named)] \
                    if len({d for w in named for d in w['devices']}) < len(devices) else named
            if not pods or {device(d) for w in pods for d in w['devices']} != devices:
                self.say('%s (devices %s): not expected' % (where, ', '.join(sorted(devices))))
                continue
            if not named and len(pods) > 1:
                self.say('%s: cannot tell which of %s it is' % (where, ', '.join(w['name'] for w in pods)))
                continue
            left = [w for w in left if w not in pods]
            self.item(where, item, pods)
        for w in left:
            self.say('idle %s (%s, since %s): missing' % (w['name'], ', '.join(w['devices']), w['since']))

    def partly(self, got, want):
        """Idle devices of holders that use others. Both lists together have all idle devices, except for those of unknown holders."""
        rows, wanted = ({frozenset(map(device, i['devices'])): i for i in side['partly']} for side in (got, want))
        self.same('partly idle: number', len(got['partly']), len(want['partly']))
        for devices in set(rows) | set(wanted):
            ours, theirs = rows.get(devices), wanted.get(devices)
            where = 'partly idle %s' % (ours or theirs)['name']
            if not ours or not theirs:
                self.say('%s: %s' % (where, 'missing' if theirs else 'not expected'))
                continue
            self.same(where + ' since', instant(ours['since']), instant(theirs['since']))
            self.same(where + ' owner', ours['owner'], theirs['owner'])
            self.same(where + ' devices held', ours['held_devices'], theirs['held_devices'])
            self.near(where + ' rate', ours['rate_per_hour'], theirs['rate_per_hour'], 1e-6)
        listed = sum(len(set(map(device, i['devices']))) for i in got['items'] + got['partly'])
        self.same('idle devices', listed, want['idle_devices'] - want['unjudged_devices'])

    def item(self, where, got, pods):
        last = max(pods, key=lambda w: instant(w['since']))
        gpus = sum(w['gpus'] for w in pods)
        rate = sum(w['rate_per_hour'] for w in pods)
        self.same(where + ' since', instant(got['since']), instant(last['since']))
        self.same(where + ' owner', got['owner'], last['owner'])
        self.same(where + ' workload type', got['workload_type'], last['workload_type'])
        if got.get('node') and len({w['node'] for w in pods}) == 1:
            self.same(where + ' node', got['node'], last['node'])
        self.near(where + ' gpus', got['gpus'], gpus)
        self.near(where + ' rate', got['rate_per_hour'], rate, 1e-6)
        self.near(where + ' per month', got['per_month'], rate * 730, 0.01)
        way = 'idle_hours'
        if abs(number(got['idle_hours']) - last['idle_hours_observed']) < abs(number(got['idle_hours']) - last['idle_hours']):
            way = 'idle_hours_observed'
        self.near(where + ' idle hours', got['idle_hours'], last[way], TINY_HOURS)
        self.near(where + ' wasted', got['wasted'], rate * last[way], 0.01)
        self.near(where + ' observed', got['observed'], min(w['observed'] for w in pods), 0.001)


def device(text):
    return re.split('[/:]', re.sub('^gpu-', '', text.lower()))[0]


def names(oracle_item):
    return {oracle_item['name'], oracle_item['id'], oracle_item['workload']}


def words(item):
    """Every word in id and name that may be the name or uid of a pod or workload."""
    texts = [item['id'], item.get('name') or '', item.get('workload') or '']
    return set(texts) | {w for t in texts for w in re.split('[/:|#@ ]', t)}


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('what', choices=['summary', 'heatmap', 'idle'])
    ap.add_argument('cli')
    ap.add_argument('oracle')
    ap.add_argument('--variant', choices=['shared', 'node_pool'], default='shared')
    ap.add_argument('--tolerance', type=float, default=0.002)
    ap.add_argument('--berlin', action='store_true', help="the oracle's second heatmap")
    ap.add_argument('--no-costs', action='store_true')
    args = ap.parse_args()
    got, oracle = json.load(open(args.cli)), json.load(open(args.oracle))
    c = Comparison(args.tolerance)
    if args.what == 'summary':
        c.summary(got, oracle['summary'][args.variant], not args.no_costs)
    elif args.what == 'heatmap':
        c.heatmap(got, oracle['heatmap_berlin' if args.berlin else 'heatmap'][args.variant])
    else:
        c.idle(got, oracle['idle'])
    for line in c.differences:
        print(line)
    print('%s: %d comparisons, %d differences' % (args.what, c.checked, len(c.differences)))
    return 1 if c.differences else 0


if __name__ == '__main__':
    sys.exit(main())
