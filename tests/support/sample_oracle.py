#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Team hours from nothing but the raw samples of a live server: what the samples allow to be known, so that an oracle that claims to know
more is found out.

  sample_oracle.py URL ORACLE.json [--step S] [--variant shared|node_pool] [--tz ZONE]

Reads every raw sample (range selectors, two hours at a time; no function of the server is used), applies the rules for devices, holders and
gaps, and compares summary and heatmap with ORACLE.json (trace_oracle.py --json or trapfleet.py). Exits with 1 if they differ. It shares the
sums and the printing with the oracles, but not the attribution of time.
"""
import argparse
import json
import re
import statistics
import sys
import urllib.parse
from collections import defaultdict

import compare
from promserver import NO_PROXY
from trace_oracle import CELL, Sums, by_owner, heatmap, summary

PAGE = 7200
SIGNALS = {  # metric: (rank, factor to 0..1); the lowest rank that a device offers at that time counts
    'DCGM_FI_PROF_SM_ACTIVE': (0, 1), 'DCGM_FI_PROF_SM_UTIL_RATIO': (0, 1), 'DCGM_FI_PROF_GR_ENGINE_ACTIVE': (1, 1),
    'DCGM_FI_PROF_GR_ENGINE_UTIL_RATIO': (1, 1), 'DCGM_FI_DEV_GPU_UTIL': (2, .01), 'DCGM_FI_DEV_GPU_UTIL_RATIO': (2, 1),
    'amd_gpu_gfx_activity': (2, .01), 'nvidia_smi_utilization_gpu_ratio': (2, 1)}
GPU_RESOURCE = re.compile('nvidia_com_.*|amd_com_gpu')


def ask(url, path, **parameters):
    with NO_PROXY.open(url + '/api/v1/' + path + '?' + urllib.parse.urlencode(parameters), timeout=120) as answer:
        return json.load(answer)['data']


def samples(url, selector, begin, end):
    """(labels, {second: value}) for each series; both ends of a page are inclusive, which does no harm in a dict."""
    out = {}
    for first in range(begin, end, PAGE):
        last = min(end, first + PAGE) - 1  # one second more on the left: some servers exclude the left end, some do not
        for series in ask(url, 'query', query='%s[%ds]' % (selector, last - first + 1), time=last)['result']:
            values = out.setdefault(tuple(sorted(series['metric'].items())), {})
            values.update((int(t), float(v)) for t, v in series['values'] if t >= first)
    return [(dict(k), v) for k, v in out.items()]


def first_of(label, *names):
    return next((label[n] for n in names if label.get(n)), '')


class Pod:
    def __init__(self):
        self.times, self.running, self.count, self.name, self.node, self.labels = set(), set(), 0, None, None, {}


class Cluster:
    """kube-state-metrics: pods that ran and requested a GPU, by the second."""

    def __init__(self, url, begin, end):
        self.pods = defaultdict(Pod)
        for label, values in samples(url, 'kube_pod_container_resource_requests', begin, end):
            if GPU_RESOURCE.fullmatch(label['resource']):
                pod = self.pods[label['uid']]
                pod.name, pod.node, pod.count = (label['namespace'], label['pod']), label['node'], int(max(values.values()))
                pod.times.update(values)
        for label, values in samples(url, 'kube_pod_status_phase{phase="Running"}', begin, end):
            if label['uid'] in self.pods:
                self.pods[label['uid']].running.update(t for t, v in values.items() if v == 1)
        for label in ask(url, 'series', **{'match[]': 'kube_pod_labels', 'start': begin, 'end': end}):
            if label['uid'] in self.pods:
                self.pods[label['uid']].labels.update(label)
        self.namespaces, self.shared, self.pool = {}, set(), {}
        for label in ask(url, 'series', **{'match[]': 'kube_namespace_labels', 'start': begin, 'end': end}):
            self.namespaces[label['namespace']] = label.get('label_team', '')
        for label in ask(url, 'series', **{'match[]': 'kube_node_labels', 'start': begin, 'end': end}):
            self.pool[label['node']] = label.get('label_node_pool', 'shared')
            if int(label.get('label_nvidia_com_gpu_replicas', 1)) > 1:
                self.shared.add(label['node'])
        self.on_node = defaultdict(lambda: defaultdict(list))
        for uid, pod in self.pods.items():
            for t in pod.times & pod.running:
                self.on_node[pod.node][t].append(uid)

    def team(self, uid):
        pod = self.pods[uid]
        return pod.labels.get('label_team') or self.namespaces.get(pod.name[0]) or 'unowned'


class Devices:
    def __init__(self, url, begin, end):
        self.value = defaultdict(dict)  # (uuid, instance) -> second -> (rank, activity)
        self.named = defaultdict(lambda: defaultdict(set))  # -> second -> {(namespace, pod)}
        self.node = defaultdict(dict)
        self.profile, self.labelled = {}, set()
        for metric, (rank, factor) in SIGNALS.items():
            for label, values in samples(url, metric, begin, end):
                key = compare.device(first_of(label, 'UUID', 'gpu_uuid', 'uuid')), label.get('GPU_I_ID', '')
                node = first_of(label, 'Hostname', 'hostname', 'node') or label['instance'].split(':')[0]
                who = {(label.get(p + 'namespace'), label.get(p + 'pod')) for p in ('exported_', '') if label.get(p + 'pod')}
                if key[1]:
                    self.profile[key] = int(label['GPU_I_PROFILE'][0]) / 7
                if not metric.startswith('nvidia_smi'):
                    self.labelled.add(key)
                for t, v in values.items():
                    self.node[key][t] = node
                    self.named[key][t] |= who
                    if v == v and abs(v) < 1e15:
                        known = self.value[key].get(t)
                        if known is None or rank <= known[0]:
                            self.value[key][t] = rank, min(1.0, v * factor)
        for uuid in {k[0] for k in self.profile}:
            for mapping in (self.value, self.named, self.node):
                mapping.pop((uuid, ''), None)


def series_of(devices, key, begin, end, step):
    """second -> activity or None, second -> the second of the sample that stands for it, and the nodes."""
    times = sorted(devices.node[key])
    interval = int(statistics.median(b - a for a, b in zip(times, times[1:])))
    activity, source, node = {}, {}, {}
    for t in times:
        v = devices.value[key].get(t)
        for covered in range(t, min(t + interval, end), step):
            activity[covered], source[covered] = v[1] if v else None, t
    at = devices.node[key][times[0]]
    for t in range(begin, end, step):
        at = devices.node[key].get(t, at)
        node[t] = at
    return activity, source, node


def direct_holders(devices, cluster, key, activity, source, node, begin, end, step):
    """second -> holders if telemetry reports them; otherwise None."""
    out = {}
    for t in range(begin, end, step):
        present = cluster.on_node[node[t]].get(t, [])
        if node[t] in cluster.shared:
            out[t] = present
        elif t not in source:
            out[t] = None
        elif key in devices.labelled:
            names = devices.named[key][source[t]]
            out[t] = [u for u in present if cluster.pods[u].name in names]
        else:
            out[t] = present if len(present) == 1 else []
    return out


def fill_gaps(cluster, holders, nodes, begin, end, step):
    """Without telemetry, a pod that KSM still lists keeps the devices that it had before or has afterwards; others take any free device
    without telemetry."""
    times = range(begin, end, step)
    for key, mine in holders.items():
        for order in (times, reversed(times)):
            last = []
            for t in order:
                if mine[t] is None:
                    alive = [u for u in last if u in cluster.on_node[nodes[key][t]].get(t, [])]
                    if alive:
                        mine[t] = alive
                elif mine[t] is not None:
                    last = mine[t]
    unplaced = 0
    for t in times:
        count = defaultdict(int)
        dark = [k for k in holders if holders[k][t] is None]
        if not dark:
            continue
        for key in holders:
            for u in holders[key][t] or []:
                count[u] += 1
        for key in dark:
            here = cluster.on_node[nodes[key][t]].get(t, [])
            short = [u for u in here if count[u] < cluster.pods[u].count]
            holders[key][t] = short[:1]
            for u in short[:1]:
                count[u] += 1
                unplaced += step
    return unplaced


def account(url, begin, end, step):
    cluster, devices = Cluster(url, begin, end), Devices(url, begin, end)
    holders, nodes, activities = {}, {}, {}
    for key in devices.node:
        activity, source, node = series_of(devices, key, begin, end, step)
        activities[key], nodes[key] = activity, node
        holders[key] = direct_holders(devices, cluster, key, activity, source, node, begin, end, step)
    unplaced = fill_gaps(cluster, holders, nodes, begin, end, step)
    out = defaultdict(lambda: defaultdict(Sums))
    rest = {k[0]: 1 - sum(f for other, f in devices.profile.items() if other[0] == k[0]) for k in devices.profile}
    for key in holders:
        fraction = devices.profile.get(key, 1)
        for first in range(begin, end, 300):
            times = range(first, min(end, first + 300), step)
            work = defaultdict(list)
            for t in times:
                if activities[key].get(t) is not None:
                    for u in holders[key][t]:
                        work[u].append(activities[key][t])
            for t in times:
                add(out, cluster, fraction, t, step, holders[key][t], activities[key].get(t), work, nodes[key][t])
                if rest.get(key[0]) and key == min(k for k in holders if k[0] == key[0]):
                    add(out, cluster, rest[key[0]], t, step, [], activities[key].get(t), {}, nodes[key][t])
    return out, unplaced


def add(out, cluster, fraction, t, step, holders, activity, work, node):
    cell = t // CELL * CELL
    if not holders:
        s = out[True, cluster.pool.get(node, 'shared')][cell]
        if activity is None:
            s.unobserved += step * fraction
        else:
            s.unallocated += step * fraction
    for u in holders:
        s, seconds = out[False, cluster.team(u)][cell], step * fraction / len(holders)
        s.held += seconds
        if activity is None:
            s.unobserved += seconds
            continue
        s.held_observed += seconds
        s.work += seconds * activity * 100
        if sum(work[u]) / len(work[u]) >= 0.05 - 1e-12:
            s.active += seconds
        else:
            s.idle += seconds


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('url')
    ap.add_argument('oracle')
    ap.add_argument('--step', type=int, default=60)
    ap.add_argument('--variant', choices=['shared', 'node_pool'], default='shared')
    args = ap.parse_args()
    oracle = json.load(open(args.oracle))
    begin, end = (int(compare.instant(oracle[k])) for k in ('from', 'to'))
    sums, unplaced = account(args.url, begin, end, args.step)
    rules = oracle.get('pool_team', {})
    owners = by_owner({(n, rules.get(name, name) if n else name): c for (n, name), c in sums.items()},
                      args.variant == 'node_pool', rules[max(rules)] if len(rules) == 1 else None)
    c = compare.Comparison(1e-6)
    c.summary(dict(oracle['summary'][args.variant], **summary(owners, 2.48)), oracle['summary'][args.variant])
    c.heatmap(heatmap(owners, oracle['heatmap'][args.variant]['tz'], 0), oracle['heatmap'][args.variant])
    for line in c.differences:
        print(line)
    print('samples: %d comparisons, %d differences; %.3f GPU-hours held without telemetry, known from requests only' % (
        c.checked, len(c.differences), unplaced / 3600))
    return 1 if c.differences else 0


if __name__ == '__main__':
    sys.exit(main())
