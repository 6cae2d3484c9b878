# SPDX-License-Identifier: GPL-3.0-or-later
"""What `savings` must say about other machines for the workloads of a trace: smaller ones and spot machines. Computed from the trace's files,
the lists in resources/prices and docs/savings.md alone, with nothing of the program but its documented assumptions.

Spot machines are a Monte Carlo of its own. A band of the program is right if it lies between the values of this one that are three standard
errors of the rank of its quantile below and above, so no distribution is supposed.
"""
import csv
import math
import os
import random
from collections import Counter
from fractions import Fraction
from functools import cached_property

import savings_oracle as oracle

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PRICES = os.path.join(ROOT, 'resources', 'prices')

HEADROOM = Fraction(12, 10)
USABLE = Fraction(93, 100)  # of a card's nominal memory
IN_USE = 1024  # MiB held, or active
STEP = Fraction(1, 100)  # in which memory is counted, upwards
MOST_SHARED = Fraction(5, 100)  # of the held time, on machines that others used in the same hour
TOO_SMALL = {'inference': Fraction(1, 100)}  # of the time in use; of all other kinds of the trace 5 %
ARM = ('T4G', 'GH200', 'GB200', 'GB300')
BANDS = {'<5%': Fraction(25, 1000), '5-10%': Fraction(75, 1000), '10-15%': Fraction(125, 1000), '15-20%': Fraction(175, 1000), '>20%': Fraction(1, 4)}
SAMPLES = 3000  # of this Monte Carlo
CENT = Fraction(1, 200)  # half of one


def read(name):
    with open(os.path.join(PRICES, name), newline='') as f:
        return list(csv.DictReader(f))


def number(text):
    try:
        return Fraction(text)
    except ValueError:
        return None


class Machine:
    def __init__(self, row, gpu):
        self.name, self.gpu, self.gpus, self.price = row['instance_type'], gpu, Fraction(row['gpu_count']), Fraction(row['on_demand_usd_h'])


class Market:
    """A machine type in a region of a cloud: what else is offered there, and what its spot machines cost."""

    def __init__(self, cloud, region, machine):
        gpus = {g['gpu_model']: g for g in read('gpus.csv')}
        offers = {}
        for row in read('instances.csv'):
            if row['cloud'] == cloud and row['region'] == region and row['on_demand_usd_h']:
                known = offers.get(row['instance_type'])
                if known is None or row['as_of'] > known['as_of']:
                    offers[row['instance_type']] = row
        self.machines = [Machine(row, gpus[row['gpu_model']]) for row in offers.values()]
        (self.own,) = [m for m in self.machines if m.name == machine]
        (spot,) = [s for s in read('spot_interruptions.csv') if (s['cloud'], s['region'], s['instance_type']) == (cloud, region, machine)]
        self.spot_price = self.own.price * (1 - Fraction(int(spot['saving_percent']), 100))
        self.rate = -math.log(1 - float(BANDS[spot['interrupted_band']])) / 730  # interruptions an hour


class Workload(oracle.Workload):
    def __init__(self, past, pods, market):
        super().__init__(past, pods)
        self.market = market
        shared = sum((n, past.hour(t)) not in self.alone for n, _, t in self.gpu_slots)
        self.shared = Fraction(shared, len(self.gpu_slots))
        self.own_hours = len(self.alone)
        self.cost = self.own_hours * market.own.price
        seen = [(v, int(past.memory[k])) for v, k in self.activities() if v is not None]
        self.used = [(v, m) for v, m in seen if v >= oracle.THRESHOLD or m >= IN_USE]
        self.p95, self.p99 = self.activity_p95(), self.memory_p99()

    @cached_property
    def gpus_at_once(self):
        """The most on one machine."""
        return max(Counter((n, t) for n, _, t in self.gpu_slots).values())

    def linked(self):
        """One of its jobs uses several GPUs."""
        return any(len(p['devices']) > 1 for p in self.pods)

    def month(self, amount):
        return amount * oracle.MONTH / self.past.hours

    # Right-size

    def holds(self, machine, memory):
        """Whether its GPUs replace the present ones, if a GPU needs so many MiB."""
        gpu, mine = machine.gpu, self.market.own.gpu
        speed = number(gpu['fp16_dense_tflops'])
        needed = Fraction(self.p95, 100) * HEADROOM
        if gpu['vendor'] != mine['vendor'] or gpu['gpu_model'] in ARM or machine.gpus < self.gpus_at_once:
            return False
        if gpu['gpu_model'] == mine['gpu_model']:
            return machine.gpus < self.market.own.gpus
        if number(gpu['compute_capability']) is None or number(gpu['compute_capability']) < number(mine['compute_capability']):
            return False
        if self.linked() and (number(gpu['nvlink_gbs']) or 0) < number(mine['nvlink_gbs']):
            return False
        if self.kind == 'inference' and (number(gpu['mem_bw_gbs']) or 0) < number(mine['mem_bw_gbs']) * needed:
            return False
        if speed is None or speed < number(mine['fp16_dense_tflops']) * needed or Fraction(gpu['memory_gib']) * 1024 * USABLE < memory:
            return False
        most = math.floor(Fraction(gpu['memory_gib']) * 1024 * USABLE), math.floor(speed / number(mine['fp16_dense_tflops']) * 100)
        slow = sum(m > most[0] or v > most[1] for v, m in self.used)
        return slow <= TOO_SMALL.get(self.kind, Fraction(5, 100)) * len(self.used)

    @cached_property
    def smaller(self):
        """The cheapest machines that hold it: with the memory that it used, and with what that is when it is counted in steps."""
        found = []
        for memory in (self.p99 * HEADROOM, self.p99 * HEADROOM * (1 + STEP)):
            good = [m for m in self.market.machines if self.holds(m, memory) and m.price < self.market.own.price]
            found.append(min(good, key=lambda m: (m.price, m.gpus), default=None))
        return found

    def smaller_band(self, machine):
        weeks = [Fraction(0)] * (self.past.hours // oracle.WEEK)
        for _, hour in self.alone:
            weeks[hour // oracle.WEEK] += self.market.own.price - machine.price
        return [min(self.month(amount), self.month(self.cost)) for amount in oracle.band(weeks)]

    @cached_property
    def size_refused(self):
        """Every reason that holds; none: it must be offered."""
        out = set()
        if self.p99 > oracle.MOST_MEMORY * oracle.CARD:
            out.add('its memory use is above 85.0 % of the card (p99), so nothing smaller is safe')
        if not self.alone or self.shared > MOST_SHARED:
            out.add('others use its machines too, which stay')
        if self.days < oracle.LEAST_DAYS:
            out.add('fewer than 14 days of data')
        if self.nodes_at_once > 1:
            out.add('its job spans several machines, and what it needs between them is not reported')
        if None in self.smaller:
            out.add('no cheaper machine with a known price holds it')
        return out

    # Spot

    @cached_property
    def past_runs(self):
        """(seconds, machines) of each run; one that goes on is at least as long as the longest that ended."""
        spans = sorted((p['slots'][0], p['slots'][-1] + oracle.SLOT) for p in self.pods)
        joined = []
        for begin, end in spans:
            if joined and begin - joined[-1][1] <= oracle.GAP:
                joined[-1][1] = max(joined[-1][1], end)
            else:
                joined.append([begin, end])
        nodes = {}
        for n, _, t in self.gpu_slots:
            nodes.setdefault(t, set()).add(n)
        runs, open_runs = [], []
        for begin, end in joined:
            machines = max(len(names) for t, names in nodes.items() if begin - oracle.SLOT < t < end)
            (open_runs if end >= self.past.trace.end - oracle.GAP else runs).append((end - begin, machines))
        if not runs:
            return []
        longest = max(seconds for seconds, _ in runs)
        return runs + [(max(seconds, longest), machines) for seconds, machines in open_runs]

    @cached_property
    def spot_refused(self):
        if self.kind in oracle.SCHEDULED:
            return {'people work in it, and an interruption loses what they have open'}
        if self.kind == 'inference':
            return {'it may serve requests, which wait or fail while its machine is taken away'}
        out = set()
        if self.runs == 1 and self.days < oracle.LEAST_DAYS:
            out.add('it ran once, and fewer than 14 days are known')
        if not self.alone or self.shared > MOST_SHARED:
            out.add('others keep running on its machines')
        if not self.past_runs:
            out.add('its only runs still go on, so it is not known how long one takes')
        return out

    def spot_futures(self, every, cost, restart):
        """Of each future what its machines would have cost, ascending. Times in seconds."""
        runs = self.past_runs
        whole = sum(seconds * machines for seconds, machines in runs)
        chance = random.Random(self.pods[0]['job_id'])
        out = []
        for _ in range(SAMPLES):
            paid = sum(machines * run_on_spot(seconds, self.market.rate * machines / 3600, every, cost, restart, chance) for seconds, machines in runs)
            out.append(Fraction(paid / whole) * self.own_hours * self.market.spot_price)
        return sorted(out)

    def spot_band(self, futures, paths):
        """For p10, p50 and p90 of the saving per month the least and the most that it may be."""
        return [tuple(min(self.month(self.cost - amount), self.month(self.cost)) for amount in (high, low))
                for low, high in ranks(futures, (0.9, 0.5, 0.1), paths)]


def ranks(futures, shares, paths):
    """For each quantile the least and the most that another sample of so many paths may have for it."""
    out = []
    for share in shares:
        error = 3 * math.sqrt(share * (1 - share) * (1 / paths + 1 / len(futures)))
        out.append(tuple(futures[min(len(futures) - 1, max(0, math.floor(len(futures) * (share + e))))] for e in (-error, error)))
    return out


def run_on_spot(work, rate, every, cost, restart, chance):
    """Paid seconds of so much work at so many interruptions a second: a checkpoint after each `every`, none at the end."""
    paid, left, begin = 0, work, 0
    while True:
        until = chance.expovariate(rate)
        needed = begin + left + (math.ceil(left / every) - 1) * cost
        if until >= needed:
            return paid + needed
        paid += until
        left -= every * max(0, math.floor((until - begin) / (every + cost)))
        begin = restart


def expected_hours(work, rate, every, cost, restart):
    """Daly's closed form (docs/spot.md), all in hours: of each stretch between two checkpoints."""
    stretches = [every + cost] * (math.ceil(work / every) - 1)
    stretches.append(work - len(stretches) * every)
    return sum(math.exp(rate * restart) * math.expm1(rate * s) / rate for s in stretches)


def counted(items):
    """id -> None if it counts, else the ids of what it may be counted in: usage by falling p50, then spot, no device twice (docs/savings.md)."""
    order = {'capacity': 0, 'schedule': 1, 'right-size': 2, 'spot': 3}

    def key(item):
        return (item['kind'] == 'spot', -Fraction(item['per_month']['p50']['amount']), order[item['kind']], item['id'])

    out, taken = {}, {}
    for item in sorted(items, key=key):
        rivals = {taken[r] for r in item['resources'] if r in taken}
        out[item['id']] = rivals or None
        if not rivals:
            taken.update(dict.fromkeys(item['resources'], item['id']))
    return out


def between(amount, low, high):
    return low - CENT <= amount <= high + CENT

