#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the idle rule would have stopped on the development trace, computed slowly from nothing but the trace's files.

  replay_oracle.py TRACE_DIR [--days N] [--gpus N] [--resume-within S] [--facts FILE]

Prints the stops as JSON, with each word as defined in app/insight/idle/idlereplay.h. --facts writes the facts of the selection as lines,
for a program to be compared with it:
  N node | D node gpu | P pod node team kind start end | S pod node gpu slot seconds percent memory
A slot without telemetry has no S line.
"""
import argparse
import bisect
import json
import sys

from trace_oracle import GRACE_HOURS, OBSERVED, SLOT, THRESHOLD, Trace, table


def memory_of(folder, nodes):
    out = {}
    for r in table(folder, 'util.csv'):
        if r['node'] in nodes:
            for i, value in enumerate(r['mem_used_mib'].split()):
                out[r['node'], int(r['gpu']), int(r['hour']) + i * SLOT] = value
    return out


def slots_of(trace, pod):
    """(slot, held seconds, [(observed seconds, percent or None) for each device]) within the window."""
    begin, end = max(pod['s'], trace.begin), min(pod['e'], trace.end)
    for t in range(begin // SLOT * SLOT, end, SLOT):
        held = min(end, t + SLOT) - max(begin, t)
        values = [trace.activity(d, t) for d in pod['devices']]
        yield t, held, [(held if v is not None else 0, v) for v in values]


def stops_of(trace, pod, within):
    kind = trace.jobs[pod['job_id']]['workload_kind']
    grace = GRACE_HOURS[kind] * 3600
    slots = list(slots_of(trace, pod))
    active = [t for t, _, values in slots if any(v is not None and v >= THRESHOLD for _, v in values)]
    out, after = [], 0
    while True:
        stop = None
        for t, _, _ in slots:
            at = t + SLOT
            if at < after or at >= trace.end or pod['s'] > at - grace:
                continue
            last = bisect.bisect_left(active, at)
            if last > 0 and active[last - 1] + SLOT > at - grace:
                continue
            window = [s for s in slots if at - grace < s[0] + SLOT <= at]
            seen = [sum(s[2][i][0] for s in window) for i in range(len(pod['devices']))]
            if min(seen) >= OBSERVED * grace:
                stop = at
                break
        if out and out[-1]['false_stop']:
            until = stop if stop else trace.end
            out[-1]['lost'] = sum(seconds for t, _, values in slots if out[-1]['resumed'] <= t < until
                                  for seconds, v in values if v is not None and v >= THRESHOLD)
        if stop is None:
            return out
        resumed = next((a for a in active if a >= stop), None)
        until = resumed if resumed is not None else slots[-1][0] + SLOT
        back = sum(seconds for t, _, values in slots if stop <= t < until for seconds, _ in values)
        out.append({'name': pod['pod'], 'team': pod['team'], 'kind': kind, 'at': stop, 'until': until, 'resumed': resumed,
                    'false_stop': resumed is not None and resumed - stop < within, 'back': back, 'lost': 0})
        if resumed is None:
            return out
        after = resumed + SLOT


def write_facts(trace, folder, path):
    memory = memory_of(folder, trace.nodes)
    with open(path, 'w') as f:
        for node in trace.nodes:
            print('N', node, file=f)
        for node, gpu in trace.devices:
            print('D', node, gpu, file=f)
        for pod in trace.pods:
            kind = trace.jobs[pod['job_id']]['workload_kind']
            print('P', pod['pod'], pod['node'], pod['team'], kind, pod['s'], min(pod['e'], trace.end), file=f)
            for t, held, values in slots_of(trace, pod):
                for (node, gpu), (seconds, v) in zip(pod['devices'], values):
                    if v is not None:
                        print('S', pod['pod'], node, gpu, t, seconds, v, memory[node, gpu, t], file=f)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('trace')
    ap.add_argument('--days', type=int, default=0)
    ap.add_argument('--gpus', type=int, default=0)
    ap.add_argument('--resume-within', type=int, default=3600)
    ap.add_argument('--facts')
    args = ap.parse_args()
    trace = Trace(args.trace, args.days, args.gpus)
    if args.facts:
        write_facts(trace, args.trace, args.facts)
    stops = [s for pod in trace.pods for s in stops_of(trace, pod, args.resume_within)]
    json.dump({'begin': trace.begin, 'end': trace.end, 'stops': stops}, sys.stdout)


if __name__ == '__main__':
    main()
