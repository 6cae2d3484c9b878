#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`savings` on a part of the development trace, compared with tests/support/savings_oracle.py, which doesn't use the product's code.

  run_savings.py CLI_BINARY WORKDIR [--backend victoriametrics|prometheus] [--trace DIR] [--keep]

Takes three weeks of 13 nodes, a server with a sample every 5 minutes, and the trace's price. The trace has a new name for each job; in two
teams the jobs of a user and a kind become one workload, so that there are workloads of more than 14 days. Every proposal is compared: those
that count by their amounts, the others by the reason, and all by what was counted in the past. Amounts must be equal to a billionth of a
dollar for each of the roundings behind them; the trace leaves nothing to chance, because no spot price is known for its machine. Then it
gets a bill, as if its machines had been rented by the hour, and offers to commit: the proposal is compared with an exhaustive search.
Exits with 77 if the server is not installed or there is no trace ("skipped: no trace").
"""
import argparse
import csv
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction

from run_acceptance import ROOT, SKIPPED, Program, configuration

import promserver  # noqa: E402
import savings_oracle as oracle  # noqa: E402
import trace_oracle  # noqa: E402

DAYS, STEP = 21, 300
TEAMS = ('juniper', 'lumen', 'mosaic', 'nimbus', 'onyx')
JOINED = ('juniper', 'mosaic')
MACHINE = 'v100-sxm2-8x/V100 32GB/8'
QUANTILES = ('p10', 'p50', 'p90')
NANOS = Fraction(10, 10 ** 9)  # what rounding may add up to
LISTED = 20  # of what is refused
MEMORY_STEP = Fraction(1, 100)  # memory is counted in steps, and rounded up
PRINTED = Fraction(51, 1000)  # half of the last digit
# A bill as if each machine had been rented in the hours in which something was held on it, and two offers to commit.
RENTED, RENTED_RATE, REGION = 'p3dn.24xlarge', Fraction(312, 10), 'us-east-1'
UNFINISHED = 2  # the newest days of a bill, which may not be complete yet
OFFERS = {'one year': (12, Fraction(204, 10)), 'three years': (36, Fraction(131, 10))}


def write(folder, name, rows, fields):
    with open(os.path.join(folder, name), 'w', newline='') as f:
        writer = csv.DictWriter(f, fields, lineterminator='\n')
        writer.writeheader()
        writer.writerows(rows)


def workload_of(job):
    """The jobs of a user and kind are one where they are joined."""
    return '%s-%s' % (job['user'], job['workload_kind']) if job['team'] in JOINED else job['job_id']


def small_trace(trace, folder, teams=TEAMS, workload_of=workload_of):
    """The files of the nodes of some teams, with the jobs of a workload as one."""
    os.makedirs(folder)
    shutil.copyfile(os.path.join(trace, 'meta.json'), os.path.join(folder, 'meta.json'))
    nodes = [n for n in trace_oracle.table(trace, 'nodes.csv') if n['owner_team'] in teams]
    chosen = {n['node'] for n in nodes}
    write(folder, 'nodes.csv', nodes, list(nodes[0]))
    jobs, names = {}, {}
    for j in trace_oracle.table(trace, 'jobs.csv'):
        if j['team'] in teams:
            name = workload_of(j)
            names[j['job_id']] = name
            jobs.setdefault(name, dict(j, job_id=name))
    write(folder, 'jobs.csv', jobs.values(), list(next(iter(jobs.values()))))
    pods = [dict(p, job_id=names[p['job_id']]) for p in trace_oracle.table(trace, 'pods.csv') if p['node'] in chosen]
    write(folder, 'pods.csv', pods, list(pods[0]))
    with gzip.open(os.path.join(trace, 'util.csv.gz'), 'rt') as f, open(os.path.join(folder, 'util.csv'), 'w') as out:
        out.write(next(f))
        out.writelines(line for line in f if line.split(',', 2)[1] in chosen)


def chunks(trace, small, keep, end=None):
    """The texts that the trace's own tool makes, moved in time to end at `end`; `true` replaces promtool."""
    tool = os.path.join(os.path.dirname(trace), 'tools', 'trace_to_openmetrics.py')
    subprocess.run([sys.executable, tool, small, '--tsdb', os.path.join(keep, 'unused'), '--keep-text', keep, '--promtool', 'true', '--days',
                    str(DAYS), '--gpus', '0', '--step', str(STEP), '--power', 'none'] + (['--shift-to-now', '--now', str(end)] if end else []),
                   check=True, stdout=subprocess.DEVNULL)
    for name in sorted(os.listdir(keep)):
        if name.endswith('.om'):
            with open(os.path.join(keep, name)) as f:
                yield f.read()
            os.unlink(os.path.join(keep, name))


def write_bill(folder, past):
    """A FOCUS file with a line for each machine and day, and the offers."""
    os.makedirs(folder)
    rows = []
    for node, days in oracle.rented_hours(past).items():
        for day, hours in enumerate(days):
            begin = past.trace.begin + day * 86400
            month = datetime.fromtimestamp(begin, timezone.utc).replace(day=1)
            cost = str(float(hours * RENTED_RATE))
            if hours:
                rows.append({'BilledCost': cost, 'EffectiveCost': cost, 'BillingAccountId': 'acc', 'BillingCurrency': 'USD',
                             'BillingPeriodStart': month.strftime('%Y-%m-%dT00:00:00Z'),
                             'BillingPeriodEnd': (month + timedelta(days=32)).replace(day=1).strftime('%Y-%m-%dT00:00:00Z'),
                             'ChargePeriodStart': trace_oracle.rfc3339(begin), 'ChargePeriodEnd': trace_oracle.rfc3339(begin + 86400),
                             'ChargeCategory': 'Usage', 'PricingCategory': 'Standard', 'ProviderName': 'AWS', 'ServiceCategory': 'Compute',
                             'ServiceName': 'Amazon Elastic Compute Cloud', 'RegionId': REGION,
                             'ResourceId': 'arn:aws:ec2:%s:1:instance/i-%s' % (REGION, node), 'ConsumedQuantity': str(hours),
                             'ConsumedUnit': 'Hours', 'SkuPriceDetails': '{"InstanceType": "%s"}' % RENTED, 'Tags': '{}'})
    write(folder, 'bill.csv', rows, list(rows[0]))
    os.utime(os.path.join(folder, 'bill.csv'), (1, 1))  # no longer being written
    return folder


def write_offers(folder):
    path = os.path.join(folder, 'offers.csv')
    with open(path, 'w') as f:
        f.write('provider,region,machine,gpu_model,gpus,currency,purchase,term_months,per_hour\n')
        f.writelines('aws,%s,%s,V100,8,USD,,%d,%s\n' % (REGION, RENTED, months, float(price)) for months, price in OFFERS.values())
    return path


def money(amount):
    return None if amount is None else Fraction(Decimal(amount['amount']))


class Check:
    def __init__(self, answer, past):
        self.past, self.checked, self.differences = past, 0, []
        self.items = {i['id']: i for i in answer['items']}
        self.total = answer['total']
        self.pools, self.workloads = oracle.pools(past), oracle.workloads(past)

    def same(self, what, got, want):
        self.checked += 1
        if got != want:
            self.differences.append('%s: %s instead of %s' % (what, got, want))

    def near(self, what, got, want, most=NANOS):
        self.checked += 1
        if got is None or abs(got - want) > most:
            self.differences.append('%s: %s instead of %s' % (what, got, float(want)))

    def evidence(self, item, word, want, digits):
        """A number as people read it, rounded to so many digits."""
        text = item['evidence'].get(word, 'nothing').replace(' USD', '').replace(' GiB', '').replace(' %', '')
        try:
            got = Fraction(Decimal(text))
        except ArithmeticError:
            return self.same('%s, %s' % (item['id'], word), text, float(want))
        return self.near('%s, %s' % (item['id'], word), got, want, Fraction(51, 100 * 10 ** digits))

    def month(self, hours_or_money):
        return hours_or_money * oracle.MONTH / self.past.hours

    def band(self, item, want):
        for name, one in zip(QUANTILES, want):
            self.near('%s, %s' % (item['id'], name), money(item['per_month'] and item['per_month'][name]), one)

    def capacity(self):
        total = [Fraction(0)] * 3
        for team, pool in self.pools.items():
            item = self.items.pop('capacity:fixture/%s/%s' % (team, MACHINE))
            want = pool.per_month(self.past)
            total = [a + b for a, b in zip(total, want)]
            self.same(item['id'], item['excluded_by'], None)
            self.band(item, want)
            self.near(item['id'] + ', avoidable', money(item['avoidable']), self.month(pool.present * oracle.PER_NODE * oracle.PRICE))
            self.same(item['id'] + ', headroom', item['assumptions']['headroom-gpus'], str(pool.headroom))
            for word, value in (('node-hours off', pool.hours_off), ('node-hours present', pool.present), ('node-hours empty', pool.empty)):
                self.evidence(item, word, value, 0)
            waiting = Fraction(item['evidence']['GPU-hours of waiting for nodes to start'])
            least, most = pool.waiting
            self.near(item['id'] + ', waiting', waiting, min(max(waiting, least), most), Fraction(51, 1000))
            packed = self.items.pop(item['id'] + '/packed', None)
            if packed:
                self.same(packed['id'], packed['excluded_by'], 'work would have to move between nodes')
        self.same('currencies', [t['currency'] for t in self.total], ['USD'])
        for name, want in zip(QUANTILES, total):
            self.near('total, ' + name, money(self.total[0]['per_month'][name]), want, NANOS * len(self.pools))

    def schedule(self, item, work):
        policy = item['assumptions']['policy']
        want = work.schedule(policy)
        refused = work.schedule_refused(policy)
        for word, value, digits in (('hours held', want['held'], 1), ('hours off', want['off'], 1), ('hours with real work cut', want['cut'], 1),
                                    ('GPU-hours of real work cut', want['work'], 1), ('cost of the hours off', want['cost'], 2),
                                    ('cost of the hours with real work cut', want['cost_cut'], 2)):
            self.evidence(item, word, value, digits)
        if work.days < oracle.LEAST_DAYS:
            self.same(item['id'] + ', per month', item['per_month'], None)
        else:
            avoidable = self.month(want['avoidable'])
            self.near(item['id'] + ', avoidable', money(item['avoidable']), avoidable)
            self.band(item, [min(self.month(w), avoidable) for w in oracle.band(want['weeks'])])
            self.evidence(item, 'saved in the past replayed', sum(want['weeks']), 2)
            best = work.best()
            if best and not refused:
                self.near(item['id'] + ', the best policy', sum(want['weeks']), best[0])
            elif best:
                self.near(item['id'] + ', refused though a policy saves', best[0], Fraction(0))
        if refused is None:  # the pool's saving is larger, and a device counts once
            rival = 'capacity:fixture/%s/%s' % (work.pods[0]['team'], MACHINE)
            refused = 'counted already in ' + rival if sum(want['weeks']) else item['excluded_by']
        self.same(item['id'], item['excluded_by'], refused)

    def own_machines(self, item, work):
        avoidable = self.month(len(work.alone) * oracle.PER_NODE * oracle.PRICE)
        got = money(item['avoidable'])
        self.near(item['id'] + ', avoidable', got if got is not None else Fraction(0), avoidable)
        self.same(item['id'] + ', per month', item['per_month'], None)
        self.evidence(item, 'GPU-hours held', work.held, 1)

    def refused(self, item, possible):
        self.checked += 1
        if item['excluded_by'] not in possible:
            self.differences.append('%s: %s instead of %s' % (item['id'], item['excluded_by'], ' or '.join(sorted(possible))))

    def right_size(self, item, work):
        self.own_machines(item, work)
        for word, part in (('memory in use (p99)', 1), ('memory needed', Fraction(12, 10))):
            exact = Fraction(work.memory_p99(), 1024) * part
            got = Fraction(item['evidence'][word].split()[0])
            self.same('%s, %s %s is %s or at most %s more' % (item['id'], word, got, float(exact), float(MEMORY_STEP)),
                      exact - PRINTED <= got <= exact * (1 + MEMORY_STEP) + PRINTED, True)
        self.evidence(item, 'activity (p95)', work.activity_p95(), 1)
        self.refused(item, work.right_size_refused())

    def spot(self, item, work):
        self.own_machines(item, work)
        self.evidence(item, 'machine-hours on demand that it had to itself', len(work.alone), 1)
        if 'runs' in item['evidence']:
            self.evidence(item, 'runs', work.runs, 0)
        self.refused(item, work.spot_refused())

    def commitments(self, item):
        self.same(item['id'], item['excluded_by'], 'its on-demand price is unknown')
        self.same(item['id'] + ', per month', item['per_month'], None)
        self.evidence(item, 'machine-hours on demand', sum(p.present for p in self.pools.values()), 1)

    def offers(self, answer):
        """The commitment of the bill: the best of the offers, at the level that an exhaustive search finds."""
        (item,) = [i for i in answer['items'] if i['kind'] == 'commitments' and RENTED in i['id']]
        days = [sum(hours) for hours in zip(*oracle.rented_hours(self.past).values())][:-UNFINISHED]
        demand = [Fraction(hours, 24) for hours in days for _ in range(24)]  # a bill has no hours
        found = [oracle.Commitment(demand, RENTED_RATE, committed) for _, committed in OFFERS.values()]
        want = max(found, key=lambda one: one.per_month[1])
        self.band(item, want.per_month)
        self.near(item['id'] + ', avoidable', money(item['avoidable']), want.avoidable)
        self.evidence(item, 'machine-hours on demand', sum(days), 1)
        self.evidence(item, 'break-even: loss of demand', want.loss * 100, 1)
        self.evidence(item, 'level in machines', want.level, 0)
        self.same(item['id'], item['excluded_by'], None)

    def all(self):
        self.capacity()
        seen = dict.fromkeys(('schedule', 'right-size', 'spot', 'commitments'), 0)
        for item in self.items.values():
            seen[item['kind']] += 1
            if item['kind'] == 'commitments':
                self.commitments(item)
                continue
            work = self.workloads[item['target'].rsplit('/', 1)[-1]]
            self.same(item['id'] + ', owner', item['owner'], work.pods[0]['team'])
            self.same(item['id'] + ', held something in the last week', work.listed, True)
            {'schedule': self.schedule, 'right-size': self.right_size, 'spot': self.spot}[item['kind']](item, work)
        self.same('scheduled', seen['schedule'], sum(w.kind in oracle.SCHEDULED and w.listed for w in self.workloads.values()))
        self.same('kinds', [seen['right-size'], seen['spot'], seen['commitments']], [LISTED, LISTED, 1])
        reasons = {i['excluded_by'] for i in self.items.values() if i['kind'] == 'spot'}
        self.same('a spot price is missing', 'no spot price of v100-sxm2-8x in region-1 is known' in reasons, True)


def compare(args, folder):
    small = os.path.join(folder, 'trace')
    small_trace(args.trace, small)
    past = oracle.Past(small, DAYS)
    window = {'from': trace_oracle.rfc3339(past.trace.begin), 'to': trace_oracle.rfc3339(past.trace.end)}
    with tempfile.TemporaryDirectory(dir=folder) as keep:
        with promserver.Server(os.path.join(folder, 'server'), args.backend, chunks(args.trace, small, keep), STEP) as url:
            program = Program(args.binary, os.path.join(folder, 'program'), window,
                              configuration(url, DAYS, ['Tesla V100-SXM2-32GB'], {}, str(float(oracle.PRICE))))
            program.sync('sync')
            answer = program.run('savings', 'savings')[0]
            bills = write_bill(os.path.join(folder, 'bills'), past)
            with open(program.config) as f:
                config = f.read().replace('owners:\n', '  - { name: bill, kind: focus, path: %s }\nowners:\n' % bills)
            with open(program.config, 'w') as f:
                f.write(config)
            program.sync('sync')
            billed = program.run('commitments', 'savings', 'commitments', '--own', write_offers(folder))[0]
    check = Check(answer, past)
    check.all()
    check.offers(billed)
    for line in check.differences[:200]:
        print('  ' + line)
    print('savings on %s: %d comparisons, %d differences' % (args.backend, check.checked, len(check.differences)))
    return not check.differences


def run(args, compare):
    """The exit status of a comparison in an empty folder."""
    args.binary, args.trace = os.path.abspath(args.binary), os.path.abspath(args.trace)
    if not promserver.available(args.backend):
        print('skipped: %s is not installed' % args.backend)
        return SKIPPED
    if not os.path.isdir(args.trace):
        print('skipped: no trace')
        return SKIPPED
    folder = os.path.abspath(args.workdir)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    try:
        good = compare(args, folder)
    except (RuntimeError, KeyError, TypeError, subprocess.SubprocessError) as e:
        print('savings: %s: %s' % (type(e).__name__, e))
        good = False
    if good and not args.keep:
        shutil.rmtree(folder)
    return 0 if good else 1


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('binary')
    ap.add_argument('workdir')
    ap.add_argument('--backend', choices=promserver.BACKENDS, default='victoriametrics')
    ap.add_argument('--trace', default=os.path.join(os.path.dirname(ROOT), 'shared', 'data', 'fleet'))
    ap.add_argument('--keep', action='store_true')
    return run(ap.parse_args(), compare)


if __name__ == '__main__':
    sys.exit(main())
