#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`savings right-size` and `savings spot` on a part of the development trace, compared with tests/support/machine_oracle.py, which doesn't use
the product's code.

  run_savings_machines.py CLI_BINARY WORKDIR [--backend victoriametrics|prometheus] [--trace DIR] [--keep]

Takes three weeks of 7 nodes and moves them to machines of AWS for which the price book has smaller ones and a published rate of
interruptions, and to a time of which it has prices. The trace has a new name for each job; here the jobs of a user and a kind are one
workload, those on one node apart, so that workloads have machines to themselves for more than 14 days. Of each proposal the other
machine, the price, what a month saves and what was counted in the past are compared, or the reason why it doesn't count; for spot also
with such checkpoints and restarts that an interruption costs a day, and `estimate` with such a rate that there are many.
Exits with 77 if the server is not installed or there is no trace ("skipped: no trace").
"""
import argparse
import os
import sys
import tempfile
from fractions import Fraction

from run_acceptance import ROOT, SKIPPED, Program, configuration
from run_savings import DAYS, LISTED, QUANTILES, STEP, Check, chunks, money, run, small_trace

import machine_oracle as machines  # noqa: E402
import promserver  # noqa: E402
import savings_oracle as oracle  # noqa: E402
import trace_oracle  # noqa: E402

TEAMS = ('harbor', 'prism')
CLOUD, REGION, ZONE, MACHINE = 'aws', 'us-east-1', 'us-east-1a', 'p3dn.24xlarge'
LATER = 332 * 7 * 86400  # the trace's Monday, June 1, 2020 becomes Monday, October 12, 2026
PLANS = {'default': (1800, 60, 300), 'slow': (2 * 86400, 3600, 86400)}  # s of work between checkpoints, to write one, to restart
SLOW = ('checkpoint-every=2d', 'checkpoint-cost=1h', 'restart=1d', 'spot-deadline-slack=1000%')
PATHS = 1000
# estimate: hours, interruptions an hour, prices, s as in PLANS, and futures
WORK, RATE, ON_DEMAND, SPOT, ESTIMATED, FUTURES = 24, 0.2, '3.06', '0.92', (1800, 60, 300), 10000


def workload_of(job):
    name = '%s-%s' % (job['user'], job['workload_kind'])
    return name if ' ' in job['nodes'] else '%s-%s' % (name, job['nodes'])


def on_aws(texts):
    for text in texts:
        for old, new in (('v100-sxm2-8x', MACHINE), ('"region-1"', '"%s"' % REGION), ('"zone-a"', '"%s"' % ZONE), ('fleet:///', 'aws:///%s/i-' % ZONE)):
            text = text.replace(old, new)
        yield text


class MachineCheck(Check):
    def __init__(self, past, market):
        self.past, self.market, self.checked, self.differences = past, market, 0, []
        pods = {}
        for pod in past.trace.pods:
            if pod['slots']:
                pods.setdefault(pod['job_id'], []).append(pod)
        self.workloads = {name: machines.Workload(past, own, market) for name, own in pods.items()}

    def of(self, item):
        return self.workloads[item['target'].rsplit('/', 1)[-1]]

    def reason(self, item, possible):
        """Whether it is an offer. A saving that only others' better one keeps out of the sum is one."""
        why = item['excluded_by']
        isOffer = why is None or why.startswith('counted already in ')
        if isOffer == bool(possible) or not isOffer and why not in possible:
            self.differences.append('%s: %s instead of %s' % (item['id'], why, ' or '.join(sorted(possible)) or 'an offer'))
        self.checked += 1
        return isOffer and not possible

    def spent(self, item, work):
        self.near(item['id'] + ', avoidable', money(item['avoidable']), work.month(work.cost), machines.CENT)
        self.same(item['id'] + ', owner', item['owner'], work.pods[0]['team'])

    def all_listed(self, items, offered):
        """Offers are all listed, and of the others the costliest."""
        listed = {self.of(i) for i in items}
        for name, work in self.workloads.items():
            if work.listed and offered(work):
                self.same(name + ', listed', work in listed, True)
        others = [i for i in items if not offered(self.of(i))]
        self.same('refused', len(others) <= LISTED, True)

    def right_sizes(self, answer):
        items = [i for i in answer['items'] if i['kind'] == 'right-size']
        offers = 0
        for item in items:
            work = self.of(item)
            if not self.reason(item, work.size_refused):
                self.same(item['id'] + ', per month', item['per_month'], None)
                continue
            offers += 1
            self.spent(item, work)
            proposed = {m.name: m for m in work.smaller}
            name = item['evidence']['proposed machine'].split(' (')[0]
            self.same(item['id'] + ', another machine', name in proposed, True)
            for name, want in zip(QUANTILES, work.smaller_band(proposed.get(name, work.smaller[0]))):
                self.near('%s, %s' % (item['id'], name), money(item['per_month'][name]), want, machines.CENT)
            self.evidence(item, 'activity (p95)', work.p95, 1)
        self.all_listed(items, lambda work: not work.size_refused)
        self.same('several are offered', offers >= 3, True)

    def spots(self, answer, plan):
        items = [i for i in answer['items'] if i['kind'] == 'spot']
        offers = 0
        for item in items:
            work = self.of(item)
            if not self.reason(item, work.spot_refused):
                self.same(item['id'] + ', per month', item['per_month'], None)
                continue
            offers += 1
            self.spent(item, work)
            self.evidence(item, 'runs', len(work.past_runs), 0)
            self.evidence(item, 'machine-hours on demand that it had to itself', work.own_hours, 1)
            self.evidence(item, 'hours of the longest run', Fraction(max(s for s, _ in work.past_runs), 3600), 1)
            self.evidence(item, 'price of a spot machine-hour (mean)', self.market.spot_price, 2)
            band = work.spot_band(work.spot_futures(*PLANS[plan]), PATHS)
            for name, (least, most) in zip(QUANTILES, band):
                got = money(item['per_month'][name])
                self.same('%s, %s: %s is from %.2f to %.2f (%s)' % (item['id'], name, got, least, most, plan), machines.between(got, least, most), True)
        self.all_listed(items, lambda work: not work.spot_refused)
        self.same('several are offered', offers >= 3, True)

    def sum(self, answer):
        """No device counts twice, and the total is the sum of what counts."""
        items = [i for i in answer['items'] if i['per_month'] and (i['excluded_by'] is None or i['excluded_by'].startswith('counted already in'))]
        total = dict.fromkeys(QUANTILES, Fraction(0))
        for name, rivals in machines.counted(items).items():
            (item,) = [i for i in items if i['id'] == name]
            if rivals is None:
                self.same(name + ', excluded by', item['excluded_by'], None)
                total = {q: total[q] + money(item['per_month'][q]) for q in QUANTILES}
            else:
                self.same(name + ', excluded by', item['excluded_by'] in {'counted already in ' + r for r in rivals}, True)
        self.same('currencies', [t['currency'] for t in answer['total']], ['USD'])
        for q in QUANTILES:
            self.near('total, ' + q, money(answer['total'][0]['per_month'][q]), total[q])

    def estimate(self, answer):
        every, cost, restart = ESTIMATED
        hours = machines.expected_hours(WORK, RATE, every / 3600, cost / 3600, restart / 3600)
        self.near('estimate, expected hours', Fraction(answer['expected_running_hours']), Fraction(hours), Fraction(1, 1000))
        chance = machines.random.Random(1)
        futures = sorted(Fraction(machines.run_on_spot(WORK * 3600, RATE / 3600, every, cost, restart, chance)) * Fraction(SPOT) / 3600
                         for _ in range(FUTURES))
        for name, (least, most) in zip(QUANTILES, machines.ranks(futures, (0.1, 0.5, 0.9), FUTURES)):
            got = money(answer['cost'][name])
            self.same('estimate, %s: %s is from %.3f to %.3f' % (name, got, least, most), machines.between(got, least, most), True)


def compare(args, folder):
    small = os.path.join(folder, 'trace')
    small_trace(args.trace, small, TEAMS, workload_of)
    past = oracle.Past(small, DAYS)
    market = machines.Market(CLOUD, REGION, MACHINE)
    window = {'from': trace_oracle.rfc3339(past.trace.begin + LATER), 'to': trace_oracle.rfc3339(past.trace.end + LATER)}
    with tempfile.TemporaryDirectory(dir=folder) as keep:
        texts = on_aws(chunks(args.trace, small, keep, past.trace.end + LATER))
        with promserver.Server(os.path.join(folder, 'server'), args.backend, texts, STEP) as url:
            config = configuration(url, DAYS, [], {}).replace('prices:\n  overrides:\n', '')
            program = Program(args.binary, os.path.join(folder, 'program'), window, config)
            program.sync('sync')
            answer = program.run('savings', 'savings')[0]
            slow = program.run('slow', 'savings', 'spot', *(a for value in SLOW for a in ('--assume', value)))[0]
    every, cost, restart = ('%ds' % seconds for seconds in ESTIMATED)
    estimate = program.run('estimate', 'estimate', '--gpu-model', 'V100', '--hours', str(WORK), '--checkpoint-every', every, '--checkpoint-cost', cost,
                           '--restart', restart, '--on-demand', ON_DEMAND, '--spot', SPOT, '--rate', str(RATE), window=False)[0]
    check = MachineCheck(past, market)
    check.right_sizes(answer)
    check.spots(answer, 'default')
    check.spots(slow, 'slow')
    check.sum(answer)
    check.estimate(estimate)
    for line in check.differences[:200]:
        print('  ' + line)
    print('other machines on %s: %d comparisons, %d differences' % (args.backend, check.checked, len(check.differences)))
    return not check.differences


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('binary')
    ap.add_argument('workdir')
    ap.add_argument('--backend', choices=promserver.BACKENDS, default='victoriametrics')
    ap.add_argument('--trace', default=os.path.join(os.path.dirname(ROOT), 'shared', 'data', 'fleet'))
    ap.add_argument('--keep', action='store_true')
    sys.exit(run(ap.parse_args(), compare))


if __name__ == '__main__':
    main()
