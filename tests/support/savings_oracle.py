# SPDX-License-Identifier: GPL-3.0-or-later
"""What `savings` must say about a folder with the development trace's files: computed from these files and docs/savings.md alone.

Times are as a server with a sample every 300 s sees them: a pod holds a GPU in the slot [t, t + 300) if start <= t < end. Hours and weeks
count from the start of the window, which is a Monday 00:00 UTC. Amounts are Fractions in USD.
"""
import itertools
import math
from collections import defaultdict
from fractions import Fraction

from trace_oracle import THRESHOLD, Trace, table

SLOT, HOUR, WEEK = 300, 3600, 168
PER_NODE = 8
PRICE = Fraction('2.48')  # of a GPU-hour
OBSERVED = Fraction(9, 10)  # of an hour's slots
HEADROOM = Fraction(99, 100)
START_UP = Fraction(1, 6)  # h
STOP = Fraction(1, 6)  # h from a stop of a workload to the end of its machine's cost
MONTH = 730
POLICIES = {'nights': (True, False), 'weekends': (False, True), 'nights and weekends': (True, True)}
SCHEDULED = ('notebook', 'development')
LEAST_DAYS = 14
MOST_REAL_WORK = Fraction(5, 100)
MOST_MEMORY = Fraction(85, 100)
CARD = 32510  # MiB
GAP = 900  # s without any pod, which end a run


def rank(values, share):
    """The nearest-rank quantile."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def band(weeks):
    """p10, p50 and p90 of the sum when as many weeks are drawn again, over every draw there is."""
    sums = [sum(draw) for draw in itertools.product(weeks, repeat=len(weeks))]
    return tuple(rank(sums, Fraction(q, 100)) for q in (10, 50, 90))


def off(policy, hour):
    nights, weekends = POLICIES[policy]
    weekend = hour // 24 % 7 >= 5
    return weekends and weekend or nights and (not weekend or not weekends) and not 7 <= hour % 24 < 20


class Past:
    def __init__(self, folder, days):
        self.trace = Trace(folder, days)
        self.hours = (self.trace.end - self.trace.begin) // HOUR
        self.holders = defaultdict(dict)  # (node, slot) -> {gpu: pod}
        self.memory = {}
        for p in self.trace.pods:
            p['job'] = self.trace.jobs[p['job_id']]
            first = -(-max(p['s'], self.trace.begin) // SLOT) * SLOT
            p['slots'] = range(first, min(p['e'], self.trace.end), SLOT)
            for t in p['slots']:
                for node, gpu in p['devices']:
                    self.holders[node, t][gpu] = p
        for r in table(folder, 'util.csv'):
            for i, value in enumerate(r['mem_used_mib'].split()):
                self.memory[r['node'], int(r['gpu']), int(r['hour']) + i * SLOT] = value

    def hour(self, t):
        return (t - self.trace.begin) // HOUR

    def slots(self, hour):
        begin = self.trace.begin + hour * HOUR
        return range(begin, begin + HOUR, SLOT)


class Pool:
    """Equal nodes of a team, replayed by the hour: what stays on is decided from the hour before."""

    def __init__(self, past, names):
        held = {(n, h): set().union(*(past.holders.get((n, t), ()) for t in past.slots(h))) for n in names for h in range(past.hours)}
        seen = {(n, h): sum(past.trace.activity((n, g), t) is not None for g in range(PER_NODE) for t in past.slots(h))
                for n in names for h in range(past.hours)}
        least = OBSERVED * PER_NODE * HOUR // SLOT
        empty = {k: not held[k] and seen[k] >= least for k in held}
        new = [sum(len(held[n, h] - held[n, h - 1]) for n in names) for h in range(1, past.hours)]
        self.present = len(names) * past.hours
        self.headroom = rank(new, HEADROOM)
        self.empty = sum(empty.values())
        self.weeks = [0] * (past.hours // WEEK)
        self.waiting = [Fraction(0), Fraction(0)]  # at least, at most
        for h in range(1, past.hours):
            leave = [n for n in names if empty[n, h - 1]]
            leave = leave[:max(0, len(leave) - math.ceil(Fraction(self.headroom, PER_NODE)))]
            still = sum(empty[n, h] for n in names if empty[n, h - 1])
            gone = min(len(leave), still)
            self.weeks[h // WEEK] += gone
            came = sorted(len(held[n, h]) for n in names if empty[n, h - 1] and held[n, h])
            start = len(came) - (sum(empty[n, h - 1] for n in names) - len(leave))
            if start > 0:  # it isn't said whose work takes the nodes that stayed on
                self.waiting[0] += START_UP * sum(came[:start])
                self.waiting[1] += START_UP * sum(came[-start:])
        self.hours_off = sum(self.weeks)

    def per_month(self, past):
        return tuple(hours * PER_NODE * PRICE * MONTH / past.hours for hours in band(self.weeks))


class Workload:
    """All pods of a job."""

    def __init__(self, past, pods):
        self.past, self.pods = past, pods
        self.kind = pods[0]['job']['workload_kind']
        self.gpu_slots = [(n, g, t) for p in pods for t in p['slots'] for n, g in p['devices']]
        self.held = Fraction(len(self.gpu_slots), HOUR // SLOT)
        mine = {p['pod'] for p in pods}
        self.node_hours = {(n, past.hour(t)) for n, _, t in self.gpu_slots}
        self.alone = {k for k in self.node_hours if self._alone(k, mine)}
        times = sorted({t for p in pods for t in p['slots']})
        self.days = Fraction(past.trace.end - times[0], 86400)
        self.listed = past.trace.end - times[-1] - SLOT < WEEK * HOUR  # it held something in the last week
        self.runs = 1 + sum(b - a - SLOT > GAP for a, b in zip(times, times[1:]))
        nodes = defaultdict(set)
        for n, _, t in self.gpu_slots:
            nodes[t].add(n)
        self.nodes_at_once = max(map(len, nodes.values()))

    def _alone(self, key, mine):
        """Nobody else held a GPU of the machine in that hour, and none was neither held nor observed."""
        node, hour = key
        for t in self.past.slots(hour):
            holders = self.past.holders.get((node, t), {})
            if any(p['pod'] not in mine for p in holders.values()):
                return False
            if any(g not in holders and self.past.trace.activity((node, g), t) is None for g in range(PER_NODE)):
                return False
        return True

    def activities(self):
        return [(self.past.trace.activity((n, g), t), (n, g, t)) for n, g, t in self.gpu_slots]

    def memory_p99(self):
        return rank([int(self.past.memory[k]) for v, k in self.activities() if v is not None], Fraction(99, 100))

    def activity_p95(self):
        return rank([v for v, _ in self.activities() if v is not None], Fraction(95, 100))

    def schedule(self, policy):
        """Held hours, off hours, those with real work, their cost, and what each week would have saved."""
        cost, work, alone = (defaultdict(Fraction) for _ in range(3))
        part = Fraction(SLOT, HOUR)
        for v, (node, _, t) in self.activities():
            h = self.past.hour(t)
            cost[h] += part * PRICE
            if v is not None and v >= THRESHOLD:
                work[h] += part
            if (node, h) in self.alone:
                alone[node, h] += part * PRICE
        out = [h for h in cost if off(policy, h)]
        cut = [h for h in out if work[h]]
        weeks = [Fraction(0)] * (self.past.hours // WEEK)
        saved = {k for k in alone if off(policy, k[1]) and not work[k[1]]}
        for node, h in saved:  # a machine ends some time after it was left
            weeks[h // WEEK] += alone[node, h] * (1 if (node, h - 1) in saved else 1 - STOP)
        return {'held': len(cost), 'off': len(out), 'cut': len(cut), 'work': sum((work[h] for h in cut), Fraction(0)),
                'cost': sum((cost[h] for h in out), Fraction(0)), 'cost_cut': sum((cost[h] for h in cut), Fraction(0)),
                'weeks': weeks, 'avoidable': sum(alone.values(), Fraction(0))}

    def best(self):
        """The policy that would have saved most among those that cut little, or none."""
        good = [(sum(s['weeks']), p) for p, s in ((p, self.schedule(p)) for p in POLICIES) if s['off'] and s['cut'] <= MOST_REAL_WORK * s['off']]
        return max(good) if good else None

    def schedule_refused(self, policy):
        if self.days < LEAST_DAYS:
            return 'fewer than 14 days of data'
        one = self.schedule(policy)
        if not one['off']:
            return 'it held nothing in the off hours'
        if one['cut'] > MOST_REAL_WORK * one['off']:
            return 'real work ran in %d of %d off hours' % (one['cut'], one['off'])
        return None

    def right_size_refused(self):
        """The reasons that are possible. Memory comes first: nothing smaller is safe. No price of a smaller machine is known."""
        if self.memory_p99() > MOST_MEMORY * CARD:
            return {'its memory use is above 85.0 % of the card (p99), so nothing smaller is safe'}
        if not self.alone:
            return {'others use its machines too, which stay'}
        if self.days < LEAST_DAYS:
            return {'fewer than 14 days of data'}
        if self.nodes_at_once == 1:
            return {'no cheaper machine with a known price holds it'}
        shared = {'others use its machines too, which stay'} if self.alone != self.node_hours else set()
        return shared | {'its job spans several machines, and what it needs between them is not reported'}

    def spot_refused(self):
        """The reasons that are possible: docs/savings.md doesn't say how much others may use of its machines."""
        if self.kind in SCHEDULED:
            return {'people work in it, and an interruption loses what they have open'}
        if self.kind == 'inference':
            return {'it may serve requests, which wait or fail while its machine is taken away'}
        if self.runs == 1 and self.days < LEAST_DAYS:
            return {'it ran once, and fewer than 14 days are known'}
        shared = {'others keep running on its machines'} if self.alone != self.node_hours else set()
        return shared | ({'no spot price of v100-sxm2-8x in region-1 is known'} if self.alone else set())


def pools(past):
    out = defaultdict(list)
    for name, node in past.trace.nodes.items():
        out[node['owner_team']].append(name)
    return {team: Pool(past, names) for team, names in out.items()}


def workloads(past):
    out = defaultdict(list)
    for p in past.trace.pods:
        if p['slots']:
            out[p['job_id']].append(p)
    return {name: Workload(past, pods) for name, pods in out.items()}


def rented_hours(past):
    """node -> hours of each day in which a GPU of it was held: what a machine that ended whenever it was empty would have been billed for."""
    held = {(node, past.hour(t)) for node, t in past.holders}
    return {node: [sum((node, h) in held for h in range(d * 24, d * 24 + 24)) for d in range(past.hours // 24)] for node in past.trace.nodes}


class Commitment:
    """For a demand by the hour (Fractions of machines), the number of machines that costs least, by trying each; per hour of a machine
    `rate` on demand and `committed`. definitions.md: saved in an hour is rate x min(demand, level) - committed x level."""

    def __init__(self, demand, rate, committed):
        self.demand, self.rate, self.committed = demand, rate, committed
        self.avoidable = rate * sum(demand) * MONTH / len(demand)
        gains = [(self.gain(demand, level), -level) for level in range(math.ceil(max(demand)) + 1)]  # of several that are as good, the smallest
        self.level = -max(gains)[1]
        weeks = [demand[at:at + WEEK] for at in range(0, len(demand), WEEK)]  # the last one may be shorter
        gains = [(self.gain(week, self.level), len(week)) for week in weeks]
        months = [min(sum(g for g, _ in draw) * MONTH / sum(n for _, n in draw), self.avoidable)
                  for draw in itertools.product(gains, repeat=len(gains))]
        self.per_month = tuple(rank(months, Fraction(q, 100)) for q in (10, 50, 90))
        self.loss = 1 - self.least_factor()

    def gain(self, demand, level):
        return sum(self.rate * min(d, level) for d in demand) - self.committed * level * len(demand)

    def least_factor(self):
        """The factor to all of the demand at which the commitment saves nothing any more, by halving."""
        low, high = Fraction(0), Fraction(1)
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (low, middle) if self.gain([d * middle for d in self.demand], self.level) >= 0 else (middle, high)
        return high
