#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What nodes at CoreWeave cost, against a real Prometheus behind a fake of Grafana's proxy: estimates are exactly the prices of the rate card times the
nodes that were counted, by UTC day, and nothing else; each day is asked for until it is two days old, and what was counted is never lost. Without
prometheus and promtool it is skipped (77)."""
import collections
import decimal
import json
import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

import promserver  # noqa: E402
from coreweave import BIG, CPU, DAY, EVERY, GPU, KEY, METRIC, PROXY, QUERY, STEP, TYPE, Grafana, Metric, Rate, card, days, lines, matrix, moment, refused, seconds  # noqa: E402
from keyedbill import FAILED, HOSTILE, LATER, NOW, KeyedBillTest  # noqa: E402
from keyedserver import DROPPED  # noqa: E402
from product import Program, configuration  # noqa: E402

Decimal = decimal.Decimal
SKIPPED = 77
SEPTEMBER, NOVEMBER = "2026-09-01", "2026-11-01"  # the first days that are asked for at NOW with a first sync of 60 days or of an hour
RATES = (Rate(GPU, 8, "49.24"), Rate(BIG, 8, "68.7999"), Rate(CPU, 0, "7.78"))
OWNERS = "owners: [ { cloud_tag: cluster } ]\n"
DAY_BEFORE = "2026-11-18"  # which may still be restated at NOW, as may the 19th
HTML = {"Content-Type": "text/html; charset=UTF-8"}


def busy():
    """Nodes come and go at odd minutes, in two clusters, before and after a midnight and the end of a month."""
    return (Metric().run("2026-10-30T23:00:00", "2026-11-02T09:13:20", 3).run("2026-10-31T10:02:30", "2026-10-31T15:41:00", 5)
            .run("2026-11-01T04:01:00", "2026-11-01T04:04:00", 50)  # between two points
            .run("2026-10-31T17:00:00", "2026-11-01T03:33:33", 2, kind=BIG, zone="a").run("2026-10-31T22:10:05", "2026-11-01T01:00:00", 1, kind=BIG, zone="b")
            .run("2026-11-16T12:34:00", "2026-11-18T21:43:00", 1, kind=BIG).run("2026-11-17T06:59:00", "2026-11-17T07:02:00", 11, kind=BIG)
            .run("2026-11-15T23:58:00", "2026-11-20T10:00:00", 3, "east", CPU, "other").run("2026-11-19T07:07:07", "2026-11-20T09:00:00", 4, "east", GPU, "other"))


def steady(nodes=2, since="2026-11-15T23:58:00", until="2026-11-20T12:00:00", **more):
    return Metric().run(since, until, nodes, **more)


def gap(metric, first, last):
    """How long nothing was recorded, as a finding says it."""
    minutes = sum(metric.missing(day) for day in days(first, last)) // 60
    return f"{minutes // 60} h" + (f" {minutes % 60} min" if minutes % 60 else "")


class CoreweaveTest(KeyedBillTest):
    kind, key = "coreweave", KEY
    machines = ""  # it lists none

    def serve(self, metric):
        """Puts Grafana in front of a Prometheus with these samples, in place of the one before."""
        folder = os.path.join(self.folder, f"prometheus{len(os.listdir(self.folder))}")
        url = self.enterContext(promserver.Server(folder, "prometheus", metric.chunks(), EVERY))
        if hasattr(self, "server"):
            self.server.upstream = url
        else:
            self.server = Grafana(url)
            self.addCleanup(self.server.close)
        return metric

    def write(self, text):
        with open(os.path.join(self.folder, "rates.csv"), "w", encoding="utf-8", newline="") as file:
            file.write(text)

    def source(self, rates=RATES, first="1h", **more):
        self.write(card(rates))
        return self.bill(", path: rates.csv", first, **more)

    def expected(self, metric, rates=RATES, first=NOVEMBER, now=NOW, restated=None):
        """The lines of the days from `first` to yesterday; `restated` are days that are those of other metrics."""
        return [line for day in days(first, now[:10]) for line in lines((restated or {}).get(day, metric), rates, day)]

    def assertHoldsTheEstimate(self, program, metric, rates=RATES, first=NOVEMBER, now=NOW, restated=None):
        want = collections.Counter()
        for line in self.expected(metric, rates, first, now, restated):
            if line.nanos:
                want[line.day, line.cluster] += line.nanos
        got = self.sums(program, "day,account", now=now, last=now[:10])
        self.assertEqual({key: amount for key, amount in got.items() if amount}, {key: Decimal(nanos).scaleb(-9) for key, nanos in want.items()})
        billed, effective = self.views(program, SEPTEMBER, now[:10], now)
        self.assertEqual((billed, effective), (sum(got.values()),) * 2)
        program.verify(now=now)

    def findings(self, one, level):
        return [finding["text"] for delivery in one["deliveries"] for finding in delivery["findings"] if finding["level"] == level]

    def rejections(self, one):
        return [rejection["reason"] for delivery in one["deliveries"] for rejection in delivery["rejections"]]

    def assertNothingAsked(self, program, now=NOW):
        self.server.asked.clear()
        one, text = self.sync(program, now)
        self.assertIsNone(one["error"], text)
        self.assertEqual(self.server.asked, [])
        return one

    def test_days_are_the_price_times_the_nodes_that_were_counted(self):
        metric = self.serve(busy())
        question = {"query": QUERY, "start": "2026-10-31T00:00:00Z", "end": "2026-10-31T23:55:00Z", "step": "300"}
        told = {}
        for one in json.loads(self.server.answer(PROXY + "/api/v1/query_range", question)[1])["data"]["result"]:
            told[tuple(one["metric"].get(name, "") for name in ("cluster", TYPE))] = {time: float(value) for time, value in one["values"]}
        self.assertEqual(told, metric.points("2026-10-31"))
        program = self.source(first="60d")
        one, text = self.sync(program)
        self.assertIsNone(one["error"], text)
        self.assertEqual((one["accepted"], one["rejected"], len(one["deliveries"])), (len(self.expected(metric, first=SEPTEMBER)), 0, 3), text)  # September says that nothing was counted
        self.assertHoldsTheEstimate(program, metric, first=SEPTEMBER)
        # By hand: three machines for all of a day.
        self.assertEqual(self.sums(program, "day,account")["2026-11-17", "east"], Decimal("7.78") * 3 * 24)
        self.assertEqual(self.sums(program, "currency"), {("USD",): sum(self.sums(program, "day").values())})
        # Each day that is over was asked for once, and in these words.
        self.assertEqual(sorted(self.server.days()), days(SEPTEMBER, NOW[:10]))
        for path, query in self.server.asked:
            self.assertEqual((path, query["query"], float(query["step"])), (PROXY + "/api/v1/query_range", QUERY, STEP))
            self.assertEqual((moment(query["start"]) % DAY, moment(query["end"]) - moment(query["start"])), (0, DAY - STEP))
        # Nothing is imported twice.
        one = self.assertNothingAsked(program)
        self.assertEqual((one["accepted"], one["rejected"]), (0, 0))
        self.assertHoldsTheEstimate(program, metric, first=SEPTEMBER)

    def test_lines_say_what_they_are(self):
        metric = self.serve(busy())
        program = self.source(others=OWNERS)
        one, text = self.sync(program)
        part, = one["deliveries"][-1]["providers"]
        self.assertEqual((part["provider"], part["accepted"]["lines"]), ("CoreWeave", one["accepted"]), text)
        self.assertEqual({service for service, in self.sums(program, "service")}, {"Instances (estimate)"})
        want = self.expected(metric)
        costs, hours = collections.Counter(), collections.Counter()
        for line in want:
            category = "gpu" if line.rate.gpus else "compute"
            costs[line.cluster, category] += line.nanos
            hours[line.cluster, category] += line.hours * line.rate.gpus
        self.assertEqual(self.sums(program, "team,category"), {key: Decimal(nanos).scaleb(-9) for key, nanos in costs.items()})
        for row in self.rows(program, "team,category"):
            if row["category"] == "gpu":
                self.assertAlmostEqual(row["gpu_hours"], float(hours[row["team"], "gpu"]), 6)
        self.assertEqual(set(costs), {("west", "gpu"), ("east", "gpu"), ("east", "compute")})
        kinds = self.sums(program, "instance-type")
        for kind in (GPU, BIG):
            self.assertEqual(kinds[kind,], Decimal(sum(line.nanos for line in want if line.kind == kind)).scaleb(-9))

    def test_no_month_is_ever_final(self):
        metric = self.serve(steady(since="2026-11-01T00:00:00").run("2027-01-01T00:00:00", "2027-01-03T00:00:00", 1))
        program = self.source(first="60d")
        for now in (NOW, "2027-01-20T10:00:00Z"):
            one, text = self.sync(program, now)
            told = [[finding["text"] for finding in delivery["findings"]] for delivery in one["deliveries"]]
            self.assertEqual({sum("estimated" in words and "never final" in words for words in texts) for texts in told}, {1}, (one["deliveries"], text))
            self.assertEqual({finding["provider"] for delivery in one["deliveries"] for finding in delivery["findings"]}, {"CoreWeave"})
        # A month that ended long ago still follows the rate card.
        rates = (Rate(GPU, 8, "1"),)
        self.write(card(rates))
        self.assertNothingAsked(program, now)
        self.assertHoldsTheEstimate(program, metric, rates, first=NOVEMBER, now=now)

    def test_time_that_nobody_counted_is_told_although_no_line_is_new(self):
        metric = self.serve(steady(until="2026-11-19T00:00:00"))
        program = self.source(first="30d")
        for now, months in ((NOW, (("2026-10-01", NOVEMBER), (NOVEMBER, NOW[:10]))), ("2026-11-23T10:00:00Z", ((NOVEMBER, "2026-11-23"),))):
            one, text = self.sync(program, now)
            for first, last in months:
                self.assertIn(gap(metric, first, last), " ".join(self.findings(one, "missing")), (one["deliveries"], text))
        self.assertHoldsTheEstimate(program, metric, now=now)

    def test_a_price_holds_from_its_first_day_and_rows_of_others_are_left_out(self):
        metric = self.serve(steady().run("2026-11-15T23:58:00", "2026-11-20T12:00:00", 1, "east", CPU))
        rates = (Rate(GPU, 8, "40", "2026-11-18"), Rate(CPU, 0, "7.78"), Rate(GPU, 8, "50", "2026-11-17"), Rate(CPU, 0, "5", "2026-11-20"),
                 Rate(GPU, 8, "30.5", "2026-11-19"), Rate(CPU, 0, "6", "2026-11-18"))
        program = self.source(rates)
        one, text = self.sync(program)
        self.assertHoldsTheEstimate(program, metric, rates)
        self.assertEqual({day: amount for (day,), amount in self.sums(program, "day").items() if amount},
                         {"2026-11-16": Decimal("186.72"), "2026-11-17": 2400 + Decimal("186.72"), "2026-11-18": 1920 + 144, "2026-11-19": Decimal(1464 + 144)})
        # The 16th is before all prices of the type: it is counted, and so is the type, once.
        self.assertEqual((one["rejected"], len(self.rejections(one))), (1, 1), text)
        self.assertIn(GPU, self.rejections(one)[0])
        # A file of own offers serves: other providers, columns and empty cells.
        offers = ["provider,region,gpu_model,gpus,currency,per_hour,from,machine,note", f"aws,us-east-1,H100,many,dollars,-1,never,{GPU},\"not, ours\"", f"aws,,,8,USD,1,,{GPU},",
                  f"aws,,,8,USD,1,,{GPU},twice",
                  f"coreweave,,\"H100 \"\"SXM\"\"\",8,USD,50,2026-11-17,{GPU},", f"CoreWeave,US-EAST-04,,8,USD,40.00,2026-11-18,{GPU},", f",,H100,8,USD,30.5,2026-11-19,{GPU},",
                  f"COREWEAVE,,,0,USD,7.78,,{CPU},", f"CoreWeave,,,0,USD,6,2026-11-18,{CPU},\"two\nlines\""]
        before = self.rows(program, "day,account")
        for end in ("\n", "\r\n"):
            self.write(end.join(offers) + end)
            self.assertNothingAsked(program)
            self.assertEqual(self.rows(program, "day,account"), before)

    def test_amounts_are_rounded_once_and_half_up(self):
        # One point of the first costs half of what can be told, three points of the second as much, and the others a bit less and a bit more.
        metric = Metric()
        for name, points in (("half", 1), ("thirds", 3), ("less", 1), ("more", 1), ("odd", 7)):
            metric.run("2026-11-18T09:59:00", f"2026-11-18T10:{5 * points - 1:02}:00", 1, cluster=name, kind=name)
        self.serve(metric)
        rates = (Rate("half", 1, "0.000000006"), Rate("thirds", 1, "0.000000002"), Rate("less", 1, "0.000000005"), Rate("more", 1, "0.000000007"), Rate("odd", 1, "1.234567891"))
        program = self.source(rates)
        self.sync(program)
        nano = Decimal("1e-9")
        self.assertEqual({name: amount for (name,), amount in self.sums(program, "account").items() if amount},
                         {"half": nano, "thirds": nano, "more": nano, "odd": Decimal("0.720164603")})
        self.assertHoldsTheEstimate(program, metric, rates)

    def test_time_without_samples_costs_nothing_and_is_named(self):
        # A cluster that says nothing is no gap, and neither is one that has no nodes.
        metric = (Metric().run("2026-10-31T23:58:00", "2026-11-04T12:00:00", 2).run("2026-10-31T23:58:00", "2026-11-02T08:00:00", 1, "east", CPU)
                  .run("2026-11-03T02:00:00", "2026-11-03T03:00:00", 0)
                  .without("2026-11-02T20:00:00", "2026-11-02T21:05:00").without("2026-11-02T23:59:00", "2026-11-03T00:01:00"))
        self.serve(metric)
        program = self.source()
        now = "2026-11-02T10:00:00Z"
        one, text = self.sync(program, now)
        self.assertEqual(self.findings(one, "missing"), [], text)
        self.assertHoldsTheEstimate(program, metric, now=now)
        now = "2026-11-04T10:00:00Z"
        one, text = self.sync(program, now)
        self.assertEqual([metric.missing(day) for day in days(NOVEMBER, now[:10])], [0, 3900, 300])
        finding, = self.findings(one, "missing")
        self.assertIn("1 h 10 min", finding, text)
        self.assertEqual(gap(metric, NOVEMBER, now[:10]), "1 h 10 min")
        self.assertHoldsTheEstimate(program, metric, now=now)
        # A day of which nothing was recorded is known, and no failure.
        now = "2026-11-06T10:00:00Z"
        one, text = self.sync(program, now)
        self.assertIsNone(one["error"], text)
        self.assertIn(gap(metric, NOVEMBER, now[:10]), self.findings(one, "missing")[0])
        self.assertHoldsTheEstimate(program, metric, now=now)

    def test_types_without_a_price_are_counted_by_each_sync(self):
        metric = self.serve(steady(since="2026-10-30T00:00:00", kind="new-type-1")
                            .run("2026-11-16T00:00:00", "2026-11-18T00:00:00", 1, "east", "new-type-2").run("2026-11-16", "2026-11-20", 1, "east"))
        program = self.source(first="30d")
        for now in (NOW, NOW, LATER):
            one, text = self.sync(program, now)
            self.assertIsNone(one["error"], text)
            self.assertEqual((one["rejected"], len(self.rejections(one))), (3, 3), text)  # one in October, two in November
            self.assertEqual([sum(kind in reason for reason in self.rejections(one)) for kind in ("new-type-1", "new-type-2", GPU)], [2, 1, 0])
            self.assertIn("rejected: a value that an amount requires is empty", text)
            self.assertEqual(sum(amounts["unknown_billed"] for delivery in one["deliveries"] for amounts in delivery["rejected"]["sums"]), 3)
            self.assertHoldsTheEstimate(program, metric, first="2026-10-01", now=now)
        rates = (*RATES, Rate("new-type-1", 4, "12.345678901"), Rate("new-type-2", 0, "3"))
        self.write(card(rates))
        one = self.assertNothingAsked(program, LATER)
        self.assertEqual(one["rejected"], 0)
        self.assertHoldsTheEstimate(program, metric, rates, first="2026-10-01", now=LATER)

    def test_a_rate_card_that_is_wrong_fails_the_source(self):
        metric = self.serve(steady())
        program = self.source()
        self.sync(program)
        before = self.rows(program, "day,account,instance-type")
        head, good = "machine,gpus,currency,per_hour,from\n", f"{GPU},8,USD,49.24,\n"
        bad = [("", "rate card"), ("\n", ""), ("<html>log in</html>\n", "machine"), (head + good + f"{GPU},8,USD,49.25,\n", "line 3"),
               (head + f"{GPU},8,EUR,1,2026-11-01\n" + good + f"{GPU},4,USD,2,2026-11-01\n", "line 4"),
               (head + good + ",8,USD,1,\n", "line 3"), (head + good + f"{BIG},8\n", "line 3"), (head + good + f"{BIG},8,USD,1,\"\n", "line 3")]
        columns = ("machine", "gpus", "currency", "per_hour")
        bad += [(",".join(name for name in columns if name != gone) + "\na,b,c\n", gone) for gone in columns]
        bad += [(head + good + f"{BIG},{gpus},USD,1,\n", "line 3") for gpus in ("", "-1", "0.5", "eight", "1e1", "9" * 30)]
        bad += [(head + good + f"{BIG},8,{currency},1,\n", "line 3") for currency in ("", "usd", "US", "USDX", "$")]
        bad += [(head + good + f"{BIG},8,USD,{price},\n", "line 3") for price in ("", "0", "0.0", "-1", "free", "NaN", "inf", "1e30", "1.5.2", "$5")]
        wrong = ("2026-13-01", "2026-02-30", "01.11.2026", "2026-11", "yesterday", "2026-11-01T00:00:00Z", "\x1b[31m")
        bad += [(head + good + f"{BIG},8,USD,1,{day}\n", "line 3") for day in wrong]
        for text, words in bad:
            with self.subTest(text):
                self.write(text)
                one, said = self.sync(program, LATER, FAILED)
                self.assertIsNotNone(one["error"], said)
                self.assertIn(words, said)
                self.assertNotIn("\x1b", said)
                self.assertEqual(self.rows(program, "day,account,instance-type"), before)
        path = os.path.join(self.folder, "rates.csv")
        os.unlink(path)
        for prepare in (lambda: None, lambda: os.mkdir(path)):
            prepare()
            one, said = self.sync(program, LATER, FAILED)
            self.assertIn("rates.csv", said)
            self.assertEqual(self.rows(program, "day,account,instance-type"), before)
        os.rmdir(path)
        self.write(head + good)
        self.sync(program, LATER)
        self.assertHoldsTheEstimate(program, metric, now=LATER)

    def test_a_changed_card_changes_the_stored_months_and_asks_nothing(self):
        metric = self.serve(busy())
        program = self.source(first="30d")
        self.sync(program)
        cards = [tuple(rate._replace(per_hour=str(Decimal(rate.per_hour) * factor)) for rate in RATES) for factor in (2, Decimal("0.3333"))]
        cards += [(Rate(GPU, 8, "49.24"), Rate(BIG, 8, "68.7999", "2026-11-17"), Rate(CPU, 0, "9")), (Rate("other", 8, "1"),), (), RATES]
        for rates in cards:
            self.write(card(rates))
            one = self.assertNothingAsked(program)
            self.assertEqual(one["rejected"], sum(len({line.kind for line in self.expected(metric, rates, first, last) if not line.rate})
                                                  for first, last in (("2026-10-01", NOVEMBER), (NOVEMBER, NOW))))
            self.assertHoldsTheEstimate(program, metric, rates, first="2026-10-01")
            self.assertEqual(bool(self.sums(program, "day")), any(line.nanos for line in self.expected(metric, rates, "2026-10-01")))
        # A number of GPUs that was wrong.
        self.write(card((*RATES[1:], Rate(GPU, 4, "49.24"))))
        self.assertNothingAsked(program)
        hours = sum(line.hours * (8 if line.kind == BIG else 4) for line in self.expected(metric, first="2026-10-01") if line.kind != CPU)
        row, = [row for row in self.rows(program, "category") if row["category"] == "gpu"]
        self.assertAlmostEqual(row["gpu_hours"], float(hours), 6)
        self.assertHoldsTheEstimate(program, metric, first="2026-10-01")

    def test_each_day_is_asked_for_until_it_is_two_days_old(self):
        metric = self.serve(steady())
        program = self.source(first="30d")
        for now, first, last in (("2026-11-20T10:00:00Z", "2026-10-01", "2026-11-20"), ("2026-11-20T10:00:00Z", None, None), ("2026-11-20T10:55:00Z", None, None),
                                 ("2026-11-20T11:05:00Z", "2026-11-18", "2026-11-20"), ("2026-11-20T11:55:00Z", None, None), ("2026-11-21T00:30:00Z", "2026-11-18", "2026-11-21"),
                                 ("2026-11-21T02:00:00Z", "2026-11-19", "2026-11-21"), ("2026-11-24T10:00:00Z", "2026-11-19", "2026-11-24"), ("2026-11-24T12:00:00Z", "2026-11-22", "2026-11-24"),
                                 ("2026-12-03T10:00:00Z", "2026-11-22", "2026-12-03"), ("2026-12-03T12:00:00Z", "2026-12-01", "2026-12-03"), ("2026-12-09T12:00:00Z", "2026-12-01", "2026-12-09")):
            want = days(first, last) if first else []
            with self.subTest(now):
                self.server.asked.clear()
                one, text = self.sync(program, now)
                self.assertIsNone(one["error"], text)
                self.assertEqual(sorted(self.server.days()), want)
                self.assertEqual({path for path, _ in self.server.asked}, {PROXY + "/api/v1/query_range"} if want else set())
                self.assertHoldsTheEstimate(program, metric, first="2026-10-01", now=now)

    def test_samples_that_come_late_restate_a_recent_day_only(self):
        first = self.serve(steady().without("2026-11-19T12:00:00", "2026-11-20T00:00:00"))
        program = self.source()
        self.sync(program)
        self.assertHoldsTheEstimate(program, first)
        second = self.serve(steady(3).run("2026-11-17T00:00:00", "2026-11-17T12:00:00", 9, "east", CPU))
        self.sync(program, "2026-11-20T10:30:00Z")
        self.assertHoldsTheEstimate(program, first)
        self.sync(program, LATER)
        self.assertHoldsTheEstimate(program, first, now=LATER, restated={day: second for day in (DAY_BEFORE, "2026-11-19")})

    def test_what_prometheus_forgot_stays(self):
        metric = self.serve(steady())
        program = self.source(first="30d")
        self.sync(program)
        before = self.rows(program, "day,account")
        # Less of the day before, none of the others, and more nodes.
        self.serve(steady(7).without("2026-11-01T00:00:00", "2026-11-18T00:10:00"))
        one, text = self.sync(program, "2026-11-20T12:00:00Z")
        other = steady(7)
        self.assertHoldsTheEstimate(program, metric, now=LATER, restated={"2026-11-19": other})
        self.serve(Metric())
        for now in ("2026-11-20T15:00:00Z", "2026-11-20T20:00:00Z"):
            one, text = self.sync(program, now)
            self.assertIsNone(one["error"], text)
            self.assertHoldsTheEstimate(program, metric, now=now, restated={"2026-11-19": other})
        # An answer that lacks nothing is taken, also if it has fewer nodes.
        self.serve(steady(1))
        self.sync(program, "2026-11-20T22:00:00Z")
        self.assertHoldsTheEstimate(program, metric, now="2026-11-20T22:00:00Z", restated={day: steady(1) for day in (DAY_BEFORE, "2026-11-19")})
        self.assertNotEqual(self.rows(program, "day,account"), before)
        # Months later nothing is left but what was kept, and a new price still holds for it.
        self.serve(Metric())
        now, rates = "2026-12-10T10:00:00Z", (Rate(GPU, 8, "10"),)
        self.write(card(rates))
        self.sync(program, now)
        restated = {day: Metric() if day > "2026-11-19" else steady(1) for day in days(DAY_BEFORE, now[:10])}
        self.assertHoldsTheEstimate(program, metric, rates, now=now, restated=restated)

    def test_partial_results_are_no_answers(self):
        metric = self.serve(steady())
        program = self.source()
        self.server.warnings = [f"store \x1b[31mlost: {KEY}"]
        one, text = self.sync(program, status=FAILED)
        self.assertIsNotNone(one["error"], text)
        self.assertEqual(self.rows(program, "day"), [])
        self.server.warnings = []
        self.sync(program)
        self.assertHoldsTheEstimate(program, metric)
        more = self.serve(steady(3))
        self.server.warnings = ["2 of 3 stores answered"]
        one, text = self.sync(program, LATER, FAILED)
        self.assertHoldsTheEstimate(program, metric, now=LATER)
        self.server.warnings = []
        self.sync(program, LATER)
        self.assertHoldsTheEstimate(program, metric, now=LATER, restated={day: more for day in (DAY_BEFORE, "2026-11-19")})

    def test_unusable_answers_change_nothing(self):
        metric = self.serve(steady())
        program = self.source()
        self.sync(program)
        before = self.rows(program, "day,account")
        more = self.serve(steady(3))
        whole = ["5"] * 288
        values = [(matrix(DAY_BEFORE, whole[:100] + [value] + whole[:187]), None) for value in ("NaN", "+Inf", "-Inf", "-1", "-0.5", "1000001", "1e300", "x", "", 5, None)]
        values += [(matrix(DAY_BEFORE, whole, begin=begin), None) for begin in (-DAY, DAY, -STEP, STEP)]
        bodies = (b"", b"{}", b"null", b"[]", b"[" * 100000, b'{"status":"success"}', b'{"status":"success","data":{"resultType":"matrix"}}', matrix(DAY_BEFORE, whole)[1][:-3],
                  b'{"status":"error","errorType":"execution","error":"too many samples"}', b'{"status":"success","data":{"resultType":"matrix","result":[7]}}')
        values += [((200, body, {}), None) for body in bodies]
        values += [(refused(500), "server"), (refused(502), "server"), (refused(504), "timeout"), (refused(403), "forbidden"), (refused(401), "unauthorized"),
                   (refused(404), "not-found"), ((DROPPED, b'{"sta', {}), "network"),
                   ((200, b"<!DOCTYPE html><title>Grafana</title>", HTML), "unauthorized"), ((200, b" <html>log in</html>", {}), "unauthorized"),
                   ((302, b"", {"Location": "http://127.0.0.1:9/login"}), "invalid-config"), (refused(422, "no \x1b[31m" + "y" * 5000), "server")]
        for answer, code in values:
            with self.subTest(answer[1][-200:], status=answer[0]):
                self.server.faults = [answer] * 4
                one, text = self.sync(program, LATER, FAILED)
                self.assertIsNotNone(one["error"], text)
                if code:
                    self.assertEqual(one["error"]["code"], code, text)
                self.assertNotIn("\x1b", text)
                self.assertLess(len(text), 4000)
                self.assertEqual(self.rows(program, "day,account", now=LATER), before)
        self.assertHoldsTheEstimate(program, metric, now=LATER)
        # The second of two days alone.
        self.server.faults = [None, matrix("2026-11-19", ["-1"])]
        self.sync(program, LATER, FAILED)
        self.assertHoldsTheEstimate(program, metric, now=LATER)
        # A million is a number of nodes.
        self.server.faults = [None, matrix("2026-11-19", ["1000000"] * 288)]
        now = "2026-11-20T18:00:00Z"
        self.sync(program, now)
        self.assertEqual(self.sums(program, "day", now=now)["2026-11-19",], 24 * 1_000_000 * Decimal("49.24"))
        self.server.faults = []
        now = "2026-11-20T20:00:00Z"
        self.sync(program, now)
        self.assertHoldsTheEstimate(program, metric, now=now, restated={day: more for day in (DAY_BEFORE, "2026-11-19")})

    def test_waits_when_it_is_asked_to(self):
        metric = self.serve(steady())
        program = self.source()
        for answer in (refused(429, headers={"Retry-After": "1"}), refused(502), refused(503, headers={"Retry-After": "1"}), refused(504), (DROPPED, b'{"sta', {})):
            self.server.faults.append(answer)
            self.server.faults.append(None)
        one, text = self.sync(program)
        self.assertIsNone(one["error"], text)
        self.assertEqual(self.server.faults, [])
        self.assertEqual((len(self.server.days()), len(set(self.server.days()))), (19 + 5, 19))
        self.assertHoldsTheEstimate(program, metric)

    def test_a_wrong_key_is_named_and_no_secret_is_shown_or_kept(self):
        metric = self.serve(steady())
        program = self.source(key="canary-other")
        one, text = self.sync(program, status=FAILED)
        self.assertEqual(one["error"]["code"], "unauthorized", text)
        program = self.source()
        self.sync(program)
        self.assertHoldsTheEstimate(program, metric)
        for name in os.listdir(program.data):
            with open(os.path.join(program.data, name), "rb") as file:
                self.assertNotIn(b"canary", file.read(), name)

    def test_kills_and_syncs_at_once_lose_and_double_nothing(self):
        metric = self.serve(busy())
        program = self.source(first="60d")
        self.kill_at(program, 1, 5, 40)
        running = [program.start("sync", now=NOW) for _ in range(3)]
        ended = [process.communicate() for process in running]
        self.assertEqual([process.returncode for process in running], [0, 0, 0], ended)
        self.assertHoldsTheEstimate(program, metric, first=SEPTEMBER)
        self.assertNothingAsked(program)
        self.assertHoldsTheEstimate(program, metric, first=SEPTEMBER)

    def test_hostile_names_are_harmless(self):
        odd = 'gd "8x", \\ i128; \'--'
        metric = Metric()
        labels = [{"cluster": HOSTILE, "org": HOSTILE}, {"cluster": HOSTILE + "other"}, {"cluster": None, "org": None}, {"cluster": "\x1b[2J\x7f"},
                  {"org": "'; DROP TABLE x; --"}, {"kind": odd}, {"kind": HOSTILE}, {"kind": "\x1b[2J" + "z" * 10000}, {"kind": None}, {"cluster": "%1 %2 {} <b>", "zone": HOSTILE}]
        for one in labels:
            metric.run("2026-11-18T00:00:00", "2026-11-20T00:00:00", 1, **one)
        self.serve(metric)
        rates = (Rate(GPU, 8, "36"), Rate(odd, 1, "12"))  # whole cents at each point: names that look alike may share a line
        program = self.source(rates, others=OWNERS)
        one, text = self.sync(program)
        self.assertIsNone(one["error"], text)
        self.assertEqual((one["rejected"], len(self.rejections(one))), (3, 3), text)
        want = Decimal(sum(line.nanos or 0 for line in self.expected(metric, rates))).scaleb(-9)
        self.assertEqual(self.views(program, SEPTEMBER, NOW[:10]), [want, want])
        self.assertGreater(want, 0)
        program.verify(now=NOW)
        shown = [text, *self.rejections(one)]
        ledger = ("ledger", "--by", "team,account,service,instance-type", "--from", NOVEMBER, "--to", NOW[:10])
        shown += [program.healthy(*what, now=NOW).stdout.decode() for what in (ledger, ("sources", "test", "bill"))]
        for words in shown:
            for mark in ("\x1b", "\x7f", "\u202e", "x" * 1000, "z" * 1000):
                self.assertNotIn(mark, words)

    def test_a_test_of_the_source_says_what_is_counted_now(self):
        self.serve(steady(4).run("2026-11-20T09:00:00", "2026-11-20T12:00:00", 3, "east").run("2026-11-20T09:00:00", "2026-11-20T12:00:00", 2, "east", "new-type")
                   .run("2026-11-20T09:00:00", "2026-11-20T10:30:00", 1, "east", CPU))
        program = self.source((*RATES, Rate("new-type", 8, "1", "2026-11-21")))

        def test(now=NOW):
            done = program.run("sources", "test", "bill", "--json", now=now)
            self.assertNotIn("canary", done.text + done.stdout.decode())
            return done, json.loads(done.stdout) if done.stdout.strip() else None

        def numbers(told):
            return [set(re.findall(r"\d+", finding["text"])) for finding in told["findings"] if finding["level"] == "good"]
        done, told = test()
        self.assertEqual((done.returncode, told["usable"]), (0, True), done.text)
        self.assertIn({"10", "3"}, numbers(told))  # machines and types
        missing, = [finding["text"] for finding in told["findings"] if finding["level"] == "missing"]
        self.assertIn("new-type", missing)
        self.assertNotIn(CPU, missing)
        (path, query), = self.server.asked
        self.assertEqual((path, query["query"], moment(query["time"])), (PROXY + "/api/v1/query", QUERY, seconds(NOW)))
        done, told = test("2026-11-20T11:00:00Z")
        self.assertIn({"9", "2"}, numbers(told))
        done, told = test("2026-11-21T00:05:00Z")
        self.assertTrue([finding for finding in told["findings"] if finding["level"] != "good" and METRIC in finding["text"]], told)
        self.assertNotIn({"0"}, numbers(told))
        self.assertEqual(self.rows(program, "day"), [])  # a test stores nothing
        self.server.denied = (PROXY,)
        done, told = test()
        self.assertNotEqual(done.returncode, 0)
        self.assertFalse(told["usable"])
        self.assertTrue([finding for finding in told["findings"] if finding["level"] == "problem"], told)
        self.server.denied = ()
        self.server.faults = [(200, b"<html>log in</html>", HTML)]
        done, told = test()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("web page", done.text)
        self.write("machine,gpus,currency,per_hour\na,x,USD,1\n")
        done, told = test()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("line 2", done.text)

    def test_addresses_and_what_is_required(self):
        metric = self.serve(steady())
        for tail in ("/", "/api/v1", "/api/v1/"):
            with self.subTest(tail):
                self.server.tail = tail
                self.server.asked.clear()
                program = self.source()
                program.data += tail.replace("/", "-")
                one, text = self.sync(program)
                self.assertIsNone(one["error"], text)
                self.assertEqual({path for path, _ in self.server.asked}, {PROXY + "/api/v1/query_range"})
                self.assertHoldsTheEstimate(program, metric)
        self.server.asked.clear()
        parts = {"url": f"url: \"{self.server.url()}\"", "path": "path: rates.csv", "auth": "auth: { type: bearer, token: env:BILL_KEY }"}
        for gone in parts:
            with self.subTest(gone):
                left = ", ".join(text for name, text in parts.items() if name != gone)
                program = Program(self.folder, configuration(f"  - {{ name: bill, kind: coreweave, {left} }}\n"), "empty")
                done = program.run("sync", "--json", now=NOW)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(gone, done.text)
        self.assertEqual(self.server.asked, [])


if __name__ == "__main__":
    if not promserver.available("prometheus"):
        print("skipped: no prometheus")
        sys.exit(SKIPPED)
    unittest.main()
