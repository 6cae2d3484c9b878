#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the product must report about the development trace, computed from nothing but the trace's files.

  trace_oracle.py TRACE_DIR [--days N] [--gpus N] [--step S] [--drop-labels P] [--seed N] [--shift SECONDS]
                  [--tz ZONE] [--grace H] [--price USD] [--json] [--check-readme]

The selection (last N days, about N devices as whole nodes) and the synthetic names (device UUIDs, pod uids, dropped labels) follow the
documented options of data/tools/trace_to_openmetrics.py, so that an answer can be compared device by device. --days 0 and --gpus 0 (the
defaults) mean everything. --shift adds a constant to every time, as --shift-to-now does there. --check-readme compares the whole trace with
the figures of its README and exits with 1 if one differs.

Definitions
  window       [t1 - days, t1), half-open; base bucket 300 s, the trace's slot, aligned to the epoch.
  paid         every selected device, every second of the window, even without telemetry.
  held         a pod of pods.csv names the device and its [start, end) contains the second. With --step S, S > 0, a sample at t
               (a multiple of S) stands for [t, t + S) and is held when start <= t < end. The trace's times are whole minutes,
               so S = 60 and the exact times (--step 0) agree; S = 300 does not.
  unobserved   the slot reads `x`, or its hour has no row. State and owner are independent: a held, unobserved second
               belongs to the holder's team, one without a holder to the node.
  activity     the slot's util_pct / 100; the trace has one value per slot, so the mean over the holder's observed seconds
               of the bucket is that value. Active when >= 0.05.
  unallocated  observed and without a holder; it belongs to the node.
  node's time  summary["shared"]: no node rule configured, it goes to `shared`; summary["node_pool"]: a rule
               {node_pool: X, team: X} for each pool, it goes to the node's owner_team (label_node_pool).
  team         the pod's label_team. With --drop-labels the hidden ones have none; `--namespace-label` (default) then reads the
               namespace's label_team, which equals the team; `--no-namespace-label` makes them `unowned`.
  utilization  sum(activity x held observed seconds) / sum(held observed seconds): activity of an unobserved second is unknown, so it
               is in neither sum. null when the second sum is 0.
  allocation   held / paid, held with its unobserved seconds (README: 385,659.63 of 575,232).
  coverage     observed / paid.
  heatmap      a cell is (team, weekday and hour of the local time of the second, in --tz); `value` the team's utilization there;
               `held_hours` with unobserved seconds; `observed` = observed held / held, `observed_of_paid` beside it.
  idle         at the end instant E, window [E - grace, E) by workload_kind. A pod that runs at E (start < E, end >= E) is
                 active   when a device has an observed active bucket in the window, else
                 young    when it started inside the window (not listed; the README counts it separately from the unknown ones), else
                 unknown  when a device has less than 90 % of the window observed, else
                 idle.
  since        the end of the last active bucket over the pod's devices while it held them, else its start; not before the
               window's start (`since_clipped` says so), because nothing earlier was read.
  idle_hours   E - since. `idle_hours_observed` leaves unobserved seconds out; wasted = price x gpus x idle_hours, and
               `wasted_observed` the same with the observed ones. They differ only across a gap.
"""
import argparse
import csv
import gzip
import hashlib
import json
import os
import sys
import uuid
from collections import defaultdict
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

SLOT = 300
CELL = 900  # divides every zone's offset within the hour
THRESHOLD = 5  # percent
OBSERVED = 0.9
GRACE_HOURS = {'notebook': 1, 'development': 2, 'training': 1, 'batch': 1, 'inference': 24}
DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
README = {'paid': 575232, 'active': 328503.233333, 'idle': 55710.15, 'unallocated': 188871.283333, 'unobserved': 2147.333333,
          'held': 385659.633333, 'utilization': .82679287, 'coverage': .996267, 'idle_devices': 61, 'idle_pods': 15,
          'unknown': 1}  # its `young` is not defined there: two pods started in the last hour and did nothing


def table(folder, name):
    path = os.path.join(folder, name)
    if os.path.exists(path):
        with open(path, newline='') as f:
            yield from csv.DictReader(f)
        return
    with gzip.open(path + '.gz', 'rt', newline='') as f:
        yield from csv.DictReader(f)


def digest(seed, *key):
    return hashlib.sha256('|'.join([str(seed)] + [str(k) for k in key]).encode()).digest()


def made_up_uuid(seed, *key):
    return str(uuid.UUID(bytes=digest(seed, *key)[:16], version=4))


def rfc3339(t):
    return datetime.fromtimestamp(t, timezone.utc).strftime('%Y-%m-%dT%H:%M:%SZ')


def choose_nodes(nodes, gpus):
    """Whole nodes, one of each team in turn in file order, until about `gpus` devices are selected."""
    if not gpus:
        return {n['node'] for n in nodes}
    queues = defaultdict(list)
    for n in nodes:
        queues[n['owner_team']].append(n)
    chosen, total = set(), 0
    while total < gpus and any(queues.values()):
        for queue in queues.values():
            if queue and total < gpus:
                n = queue.pop(0)
                chosen.add(n['node'])
                total += int(n['gpus'])
    return chosen


class Trace:
    def __init__(self, folder, days=0, gpus=0):
        self.meta = json.load(open(os.path.join(folder, 'meta.json')))
        self.end = self.meta['t1']
        self.begin = max(self.meta['t0'], self.end - int(days * 86400)) if days else self.meta['t0']
        nodes = list(table(folder, 'nodes.csv'))
        chosen = choose_nodes(nodes, gpus)
        self.nodes = {n['node']: n for n in nodes if n['node'] in chosen}
        self.jobs = {j['job_id']: j for j in table(folder, 'jobs.csv')}
        self.pods = []
        self.held = defaultdict(list)
        for p in table(folder, 'pods.csv'):
            if p['node'] not in chosen:
                continue
            p['s'], p['e'] = int(p['start']), int(p['end'] or self.end)
            if p['s'] < self.end and p['e'] > self.begin and p['e'] > p['s']:
                p['devices'] = [(p['node'], int(g)) for g in p['gpu_index'].split()]
                self.pods.append(p)
                for d in p['devices']:
                    self.held[d].append(p)
        for pods in self.held.values():
            pods.sort(key=lambda p: p['s'])
        self.devices = [(n, g) for n in self.nodes for g in range(int(self.nodes[n]['gpus']))]
        self.util = defaultdict(dict)
        for r in table(folder, 'util.csv'):
            h = int(r['hour'])
            if r['node'] in chosen and self.begin - 3600 < h < self.end:
                self.util[r['node'], int(r['gpu'])][h] = [None if v == 'x' else int(v) for v in r['util_pct'].split()]

    def activity(self, device, t):
        """The percent of the slot that contains t, or None without telemetry."""
        row = self.util[device].get(t // 3600 * 3600)
        return None if row is None else row[t % 3600 // SLOT]

    def slots(self, device, step):
        """(slot start, activity or None, [(pod, seconds)]) of the whole window, in order."""
        pods, k = self.held.get(device, []), 0
        for t in range(self.begin, self.end, SLOT):
            while k < len(pods) and pods[k]['e'] <= t:
                k += 1
            holders, i = [], k
            while i < len(pods) and pods[i]['s'] < t + SLOT:
                p = pods[i]
                lo, hi = max(t, p['s']), min(t + SLOT, p['e'])
                if step:
                    lo, hi = -(-lo // step) * step, -(-hi // step) * step
                if hi > lo:
                    holders.append((p, hi - lo))
                i += 1
            yield t, self.activity(device, t), holders


class Sums:
    __slots__ = ('active', 'idle', 'unallocated', 'unobserved', 'held', 'held_observed', 'work')

    def __init__(self):
        self.active = self.idle = self.unallocated = self.unobserved = self.held = self.held_observed = self.work = 0

    def add(self, other):
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def row(self, key, price):
        paid = self.active + self.idle + self.unallocated + self.unobserved
        hours = {n: getattr(self, n) / 3600 for n in ('active', 'idle', 'unallocated', 'unobserved')}
        return {'key': key, 'gpu_hours': dict(hours, paid=paid / 3600), 'held_hours': self.held / 3600,
                'utilization': self.work / 100 / self.held_observed if self.held_observed else None,
                'allocation': self.held / paid if paid else None,
                'coverage': (paid - self.unobserved) / paid if paid else None,
                'cost': dict({n: h * price for n, h in hours.items()}, total=paid / 3600 * price)}


def account(trace, step, team_of):
    """{(is node, name): {cell: Sums}}."""
    out = defaultdict(lambda: defaultdict(Sums))
    for device in trace.devices:
        node_key = (True, trace.nodes[device[0]]['owner_team'] or 'shared')
        for t, u, holders in trace.slots(device, step):
            cell, free = t // CELL * CELL, SLOT
            for pod, seconds in holders:
                free -= seconds
                s = out[False, team_of(pod)][cell]
                s.held += seconds
                if u is None:
                    s.unobserved += seconds
                else:
                    s.held_observed += seconds
                    s.work += u * seconds
                    if u >= THRESHOLD:
                        s.active += seconds
                    else:
                        s.idle += seconds
            assert free >= 0, ('more than one holder', device, t)
            if free:
                s = out[node_key][cell]
                if u is None:
                    s.unobserved += free
                else:
                    s.unallocated += free
    return out


def by_owner(sums, node_rule, only_pool_team=None):
    """Rules in order, the first match wins: the rule of the node pool also claims the time of holders without any other owner.
    `only_pool_team` is the team of the only pool, if all nodes are in one."""
    out = defaultdict(lambda: defaultdict(Sums))
    for (is_node, name), cells in sums.items():
        owner = name if node_rule or not is_node else 'shared'
        if node_rule and only_pool_team and owner == 'unowned':
            owner = only_pool_team
        for cell, s in cells.items():
            out[owner][cell].add(s)
    return out


def summary(owners, price):
    total, rows = Sums(), []
    for team in sorted(owners):
        s = Sums()
        for cell in owners[team].values():
            s.add(cell)
        total.add(s)
        rows.append(s.row(team, price))
    return {'total': total.row('', price), 'rows': rows}


def heatmap(owners, tz, shift):
    zone = ZoneInfo(tz)
    bins = ['%s %02d' % (d, h) for d in DAYS for h in range(24)]
    rows = []
    for team in sorted(owners):
        grid = [Sums() for _ in bins]
        for cell, s in owners[team].items():
            local = datetime.fromtimestamp(cell + shift, zone)
            grid[local.weekday() * 24 + local.hour].add(s)
        cells = []
        for s in grid:
            paid = s.active + s.idle + s.unallocated + s.unobserved
            cells.append({'value': s.work / 100 / s.held_observed if s.held_observed else None, 'held_hours': s.held / 3600,
                          'observed': s.held_observed / s.held if s.held else None,
                          'observed_of_paid': (paid - s.unobserved) / paid if paid else None})
        rows.append({'key': team, 'cells': cells})
    return {'metric': 'utilization', 'unit': 'ratio', 'tz': tz, 'bins': bins, 'rows': rows}


def idle(trace, args, team_of):
    end, shift = trace.end, args.shift
    out = {'at': rfc3339(end + shift), 'threshold': THRESHOLD / 100, 'items': [], 'unknown': [], 'young': [], 'partly': []}
    idle_devices = unjudged = 0  # the latter are those of unknown holders
    for p in trace.pods:
        if p['e'] < end:
            continue
        kind = trace.jobs[p['job_id']]['workload_kind']
        grace = int((args.grace or GRACE_HOURS[kind]) * 3600)
        last, least, active, gap = max(p['s'], trace.begin), grace, False, 0
        quiet, quiet_last = [], max(p['s'], trace.begin)  # devices without activity in the window that were observed enough
        clipped = p['s'] < trace.begin
        for d in p['devices']:
            seen, dev_active, dev_last = 0, False, None
            for t in range(max(trace.begin, p['s'] // SLOT * SLOT), end, SLOT):
                u = trace.activity(d, t)
                if u is None:
                    continue
                inside = min(end, t + SLOT) - max(t, p['s'], end - grace)
                seen += max(0, inside)
                if u >= THRESHOLD:
                    dev_last = t + SLOT
                    dev_active |= inside > 0
            least = min(least, seen)
            active |= dev_active
            if dev_last and dev_last >= last:
                last, clipped = dev_last, False
            if not dev_active:
                quiet_last = max(quiet_last, dev_last or 0)
            if not dev_active and p['s'] <= end - grace and seen >= OBSERVED * grace:
                idle_devices += 1
                quiet.append(d)
        for d in p['devices']:
            gap += sum(min(end, t + SLOT) - max(t, last) for t in range(last // SLOT * SLOT, end, SLOT)
                       if trace.activity(d, t) is None)
        if active:
            if quiet:
                out['partly'].append({'name': p['pod'], 'id': made_up_uuid(args.seed, 'pod', p['pod']), 'owner': team_of(p),
                                      'devices': sorted('GPU-' + made_up_uuid(args.seed, 'uuid', *d) for d in quiet), 'gpus': len(quiet),
                                      'held_devices': len(p['devices']), 'since': rfc3339(quiet_last + shift),
                                      'rate_per_hour': args.price * len(quiet)})
            continue
        devices = ['GPU-' + made_up_uuid(args.seed, 'uuid', *d) for d in p['devices']]
        item = {'id': made_up_uuid(args.seed, 'pod', p['pod']), 'name': p['pod'], 'workload': p['job_id'], 'owner': team_of(p),
                'namespace': p['namespace'], 'node': p['node'], 'devices': sorted(devices), 'gpus': len(devices),
                'workload_type': kind, 'grace_hours': grace / 3600, 'observed': least / grace, 'since': rfc3339(last + shift),
                'since_clipped': clipped}
        if p['s'] > end - grace:
            out['young'].append(item)
        elif least < OBSERVED * grace:
            item['reason'] = 'only %d of %d minutes of its window were observed' % (least // 60, grace // 60)
            out['unknown'].append(item)
            unjudged += len(quiet)
        else:
            hours = (end - last) / 3600
            item['idle_hours'] = hours
            item['idle_hours_observed'] = hours - gap / 3600 / len(devices)
            item['rate_per_hour'] = args.price * len(devices)
            item['wasted'] = item['rate_per_hour'] * hours
            item['wasted_observed'] = item['rate_per_hour'] * item['idle_hours_observed']
            item['per_month'] = item['rate_per_hour'] * 730
            out['items'].append(item)
    for name in ('items', 'unknown', 'young', 'partly'):
        out[name].sort(key=lambda i: i['name'])
    out['idle_devices'], out['unjudged_devices'] = idle_devices, unjudged
    return out


def compute(args):
    trace = Trace(args.trace, args.days, args.gpus)

    def team_of(pod):
        dropped = digest(args.seed, 'drop', pod['job_id'])[3] / 256 < args.drop_labels
        return 'unowned' if dropped and not args.namespace_label else pod['team']

    sums = account(trace, args.step, team_of)
    out = {'from': rfc3339(trace.begin + args.shift), 'to': rfc3339(trace.end + args.shift), 'step': args.step,
           'devices': len(trace.devices), 'nodes': sorted(trace.nodes), 'pools': sorted({n['owner_team'] for n in trace.nodes.values()}),
           'gpu_models': sorted({n['gpu_model'] for n in trace.nodes.values()}), 'summary': {}, 'heatmap': {}}
    for variant in ('shared', 'node_pool'):
        owners = by_owner(sums, variant == 'node_pool')
        out['summary'][variant] = dict({'from': out['from'], 'to': out['to']}, **summary(owners, args.price))
        out['heatmap'][variant] = heatmap(owners, args.tz, args.shift)
    out['idle'] = idle(trace, args, team_of)
    return out


def check_readme(args):
    args.days = args.gpus = args.drop_labels = 0
    out = compute(args)
    args.grace = 1  # the README's idle list uses one hour for every kind
    lists = idle(Trace(args.trace), args, lambda p: p['team'])
    total = out['summary']['shared']['total']
    got = dict(total['gpu_hours'], held=total['held_hours'], utilization=total['utilization'], coverage=total['coverage'],
               idle_devices=lists['idle_devices'], idle_pods=len(lists['items']), unknown=len(lists['unknown']))
    wrong = 0
    for name, want in README.items():
        same = abs(got[name] - want) < 1e-6
        wrong += not same
        print('%-13s %18.6f %18.6f %s' % (name, got[name], want, 'ok' if same else 'DIFFERS'))
    return 1 if wrong else 0


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('trace')
    ap.add_argument('--days', type=float, default=0)
    ap.add_argument('--gpus', type=int, default=0)
    ap.add_argument('--step', type=int, default=60)
    ap.add_argument('--seed', type=int, default=1)
    ap.add_argument('--drop-labels', type=float, default=0)
    ap.add_argument('--namespace-label', action=argparse.BooleanOptionalAction, default=True)
    ap.add_argument('--shift', type=int, default=0)
    ap.add_argument('--tz', default='UTC')
    ap.add_argument('--grace', type=float, default=0, help='hours, for every kind (default: the definitions)')
    ap.add_argument('--price', type=float, default=2.48)
    ap.add_argument('--json', action='store_true')
    ap.add_argument('--check-readme', action='store_true')
    args = ap.parse_args()
    if args.step and SLOT % args.step:
        ap.error('--step must divide %d' % SLOT)
    if args.check_readme:
        return check_readme(args)
    out = compute(args)
    if args.json:
        json.dump(out, sys.stdout, indent=1)
        print()
        return 0
    for row in out['summary']['shared']['rows'] + [dict(out['summary']['shared']['total'], key='TOTAL')]:
        h = row['gpu_hours']
        print('%-12s paid %11.3f active %11.3f idle %11.3f unallocated %11.3f unobserved %9.3f utilization %s' % (
            row['key'], h['paid'], h['active'], h['idle'], h['unallocated'], h['unobserved'], row['utilization']))
    print('idle', len(out['idle']['items']), 'unknown', len(out['idle']['unknown']), 'young', len(out['idle']['young']))
    return 0


if __name__ == '__main__':
    sys.exit(main())
