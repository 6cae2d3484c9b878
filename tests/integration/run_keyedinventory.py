#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Machines that RunPod, Vast.ai and Lambda list beside their bills, against the fakes: what is rented is unknown and never idle, has the time since it
started or was first seen and its own price until the bill has the day, and is one device with telemetry. Hours and money are held against what the
fakes listed at each sync (keyedlists.py)."""
import contextlib
import decimal
import json
import os
import sqlite3
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

import kubefleet  # noqa: E402
import promserver  # noqa: E402
import runpod  # noqa: E402
import vastai  # noqa: E402
from keyedbill import FAILED, LATER, NEXT_DAY, NOW, KeyedBillTest  # noqa: E402
from keyedlists import OfLambda, OfRunpod, OfVastai, days, length, readings, seconds  # noqa: E402
from keyedserver import DROPPED  # noqa: E402
from product import Program, ProductTest, configuration  # noqa: E402

Decimal = decimal.Decimal
FIRST, TODAY = "2026-09-01T00:00:00Z", "2026-11-20T00:00:00Z"
OWNERS = "owners: [ { cloud_tag: instance_label }, { cloud_tag: instance_name }, { cloud_tag: pod_name } ]\n"
PAGE = (200, b"<html>log in</html>", {"Content-Type": "text/html"})
ENDLESS = b"[" * 100000


class AccountTest(KeyedBillTest):
    """A program with one source, `bill`, of an account that has no charges at first."""
    machines = ""  # as it is without the setting: all

    def setUp(self):
        super().setUp()
        self.server = self.fake()
        self.addCleanup(self.server.close)
        self.seen = []

    def spoil(self, *answers):
        """The list is answered so while no bill is due, and the one that is made of the list works."""
        self.server.faults_at[self.path] = [None] * self.is_estimate + list(answers)

    def look(self, program, now, *machines):
        """A sync that has this list."""
        self.put(*machines)
        self.seen.append((seconds(now), machines))
        told, text = self.sync(program, now)
        self.assertEqual((told["error"], told["warnings"]), (None, []), text)
        program.verify(now=now)
        return told

    def told(self, program, *command, now):
        return json.loads(program.healthy(*command, "--json", now=now).stdout)

    def summary(self, program, by, now, first=TODAY, last=None):
        return self.told(program, "summary", "--by", by, "--from", first, "--to", last or now, now=now)["rows"]

    def nodes(self, program, now, first=FIRST, last=None):
        """{node: (paid GPU hours, unobserved GPU hours, cost)}"""
        return {row["key"]: (row["gpu_hours"]["paid"], row["gpu_hours"]["unobserved"], row["cost"]["total"] and float(row["cost"]["total"]["amount"]))
                for row in self.summary(program, "node", now, first, last)}

    def assertHolds(self, program, now, first=FIRST, money=True):
        """All time is unobserved, and its length and cost are those of the lists."""
        got, want = self.nodes(program, now, first), self.expected(first, now)
        self.assertEqual(sorted(got), sorted(want))
        for name, (hours, cost) in want.items():
            for one in got[name][:2]:
                self.assertAlmostEqual(one, hours, 6, name)
            if money:
                self.assertIsNotNone(got[name][2], name)
                self.assertAlmostEqual(got[name][2], cost, 5, name)

    def assertDaysHoldTheBill(self, program, first, last, want, now):
        """The ledger's total of each day is that of the bill, in both views; and what is stored is sound."""
        for begin, end in days(first, last):
            self.assertEqual(self.views(program, begin, end, now), [want(begin, end)] * 2, begin)
        program.verify(now=now)

    @staticmethod
    def rows_of(program, query):
        with contextlib.closing(sqlite3.connect(f"file:{program.cache}?mode=ro", uri=True)) as cache:
            return cache.execute(query).fetchall()

    def stored(self, program):
        """{node: (provider id, type, region, labels)}"""
        rows = self.rows_of(program, "SELECT name, provider_id, instance_type, region, labels FROM node")
        return {name: (*facts, json.loads(labels)) for name, *facts, labels in rows}

    def devices(self, program):
        """(model, MiB) of each."""
        return self.rows_of(program, "SELECT model, memory_mib FROM device ORDER BY uuid")

    def unknown(self, program, now):
        out = self.told(program, "idle", now=now)
        self.assertEqual(out["items"], [])
        return sorted(one["name"] for one in out["unknown"])

    def counts(self, program, now=NOW):
        """Of the source in the list of sources."""
        return next(one for one in self.told(program, "sources", "list", now=now)["sources"] if one["name"] == "bill").get("machines")


class EveryAccount:
    """The tests that all of the services pass."""

    def test_machines_are_unknown_and_cost_what_the_list_says(self):
        """Two that are alike but for their prices, and one of another size."""
        rented = self.machine(1, 2, "5.40"), self.machine(2, 2, "7.78"), self.machine(3, 1, "0.34")
        program = self.bill()
        self.look(program, "2026-11-20T08:00:00Z", *rented, *self.others())
        told = self.look(program, NOW, *rented, *self.others())
        counts = {"running": 3, "gpus": 5, "without_telemetry": 3}
        self.assertEqual((told["machines"], told["rejected"], told["reasons"]), (counts, 0, []))
        self.assertEqual(self.counts(program), counts)
        self.assertHolds(program, NOW)
        self.assertEqual(self.unknown(program, NOW), self.names(*rented))
        self.assertEqual({name: facts[0] for name, facts in self.stored(program).items()}, {self.facts(one)[0]: self.provider_id(one) for one in rented})
        cost = sum(cost for _, cost in self.expected(FIRST, NOW).values())
        asked = ("--from", "2026-11-20", "--to", "2026-11-21")
        ledger = self.told(program, "ledger", "--by", "cluster,state", *asked, now=NOW)["rows"]
        self.assertEqual([(row["cluster"], row["state"]) for row in ledger], [("bill", "unobserved")])
        self.assertAlmostEqual(float(ledger[0]["priced"]["amount"]), cost, 5)
        heatmap = self.told(program, "heatmap", "--by", "cluster", "--bins", "day", "--metric", "cost", *asked, now=NOW)["rows"]
        self.assertEqual([row["key"] for row in heatmap], ["bill"])
        self.assertAlmostEqual(sum(float(cell["value"]["amount"]) for cell in heatmap[0]["cells"] if cell["value"]), cost, 5)

    def test_the_price_is_proven_by_the_list(self):
        """Not by a price of such a GPU that is listed elsewhere."""
        program = self.bill()
        some = self.machine(1, 2, "5.40"), self.machine(2, 2, "7.78")
        self.look(program, NOW, *some)
        rates = dict(zip((self.facts(one)[0] for one in some), ("2.700000000", "3.890000000")))
        rows = self.summary(program, "node", NOW)
        for row in rows:
            proof = self.told(program, "explain", row["figures"]["cost.total"], now=NOW)
            self.assertTrue(proof["agrees"], proof)
            self.assertEqual({(part["per_gpu_hour"]["amount"], part["state"]) for part in proof["rows"]}, {(rates.pop(row["key"]), "unobserved")})
            source, = {part["price_source"] for part in proof["rows"]}
            self.assertRegex(source, r"\blist\b")
        self.assertEqual(rates, {})

    def test_time_counts_from_the_last_bucket_before_a_machine_is_first_seen(self):
        """Without a gap for as long as each list has it and the one before is no older than a day; else anew."""
        program = self.bill()
        a, b = self.machine(1, 1, "1.20"), self.machine(2, 4, "2.40")
        for now, listed, minutes in (
                ("2026-11-20T10:00:00Z", (a,), (5, 0)), ("2026-11-20T10:00:00Z", (a,), (5, 0)), ("2026-11-20T11:00:00Z", (a, b), (65, 5)),
                ("2026-11-21T11:00:00Z", (b, a), (1505, 1445)), ("2026-11-22T11:15:00Z", (a, b), (1510, 1450)),
                ("2026-11-22T12:15:00Z", (a,), (1570, 1450)), ("2026-11-22T13:15:00Z", (a, b), (1630, 1455)), ("2026-11-22T14:15:00Z", (b,), (1630, 1515))):
            told = self.look(program, now, *listed)
            self.assertEqual(told["machines"], {"running": len(listed), "gpus": sum(self.facts(one)[1] for one in listed), "without_telemetry": len(listed)})
            self.assertHolds(program, now, money=not self.is_estimate)
            by_hand = {self.facts(one)[0]: time * self.facts(one)[1] / 60 for one, time in zip((a, b), minutes) if time}
            self.assertEqual({name: hours for name, (hours, _) in self.expected(FIRST, now).items()}, by_hand)

    def test_two_syncs_an_hour_apart(self):
        program = self.bill()
        one = self.machine(1, 3, "6.00")
        for now in ("2026-11-20T10:02:37Z", "2026-11-20T11:02:37Z"):
            self.look(program, now, one)
        (name, (paid, unobserved, cost)), = self.nodes(program, now).items()
        self.assertEqual((name, paid), (self.facts(one)[0], unobserved))
        self.assertAlmostEqual(paid, 3, delta=0.3)
        self.assertAlmostEqual(cost, 2 * paid, 5)

    def test_only_the_bill_is_asked_for_without_machines(self):
        self.put(self.machine(1, 2, "5.40"))
        program = self.bill(", machines: none")
        told, text = self.sync(program)
        self.assertEqual((len(self.server.asked), "machines" in told, told["warnings"]), (self.questions, False, []), text)
        self.sync(program, LATER)
        asked = len(self.server.asked)
        self.assertEqual((asked, self.nodes(program, LATER), self.counts(program, LATER)), (self.questions + self.is_estimate, {}, None))
        program.verify(now=LATER)
        told, text = self.sync(self.bill(), LATER)  # the list, while no bill is due
        self.assertEqual((told["machines"]["running"], told["accepted"]), (1, 0), text)
        self.assertGreater(len(self.server.asked), asked)
        self.assertEqual({path for path, *_ in self.server.asked[asked:]}, {self.path})
        asked = len(self.server.asked)
        self.sync(self.bill(", machines: none"), LATER)
        self.assertEqual(len(self.server.asked), asked + self.is_estimate)
        self.assertIn("has no machines named \"some\"", self.bill(", machines: some").run("sync", now=LATER).text)

    def test_lists_that_can_not_be_read_keep_what_is_stored(self):
        program = self.bill()
        one, two = self.machine(1, 2, "5.40"), self.machine(2, 1, "0.34")
        self.look(program, NOW, one, two)
        before = self.nodes(program, LATER)
        nameless, good = {name: value for name, value in two.items() if name != "id"}, self.page(one, two)[1]
        twice = [self.page(one, two, one), self.page(one, nameless), *(self.page(one, {**two, "id": value}) for value in (None, "", {}))]
        cut = [(200, body, {}) for body in (good[:-9], b"", b"{}", b"[]", b"null", b"7", ENDLESS)]
        for answer, codes in ((self.fault(500), ("server",)), (self.fault(404), ("not-found",)), ((DROPPED, good[:40], {}), ("network", "parse")),
                              *((bad, ("parse", "overflow")) for bad in [*twice, *cut, self.page(one, 7)])):
            with self.subTest(answer[1][:200]):
                self.spoil(*[answer] * 20)
                told, text = self.sync(program, LATER, FAILED)
                self.assertIn(told["error"]["code"], codes, text)
                self.assertEqual(self.nodes(program, LATER), before)
        self.server.faults_at.clear()
        program.verify(now=LATER)
        self.look(program, LATER, two, one)  # a list that failed is no gap
        self.assertHolds(program, LATER)

    def test_a_list_that_is_refused_is_no_failure(self):
        program = self.bill()
        one = self.machine(1, 2, "5.40")
        self.look(program, NOW, one)
        before = self.nodes(program, LATER)
        self.assertEqual(sorted(before), self.names(one))
        for answer in (self.fault(403), self.fault(401), PAGE):
            with self.subTest(answer):
                self.spoil(*[answer] * 20)
                told, text = self.sync(program, LATER)
                self.assertIsNone(told["error"], text)
                self.assertEqual([words.startswith("its machines are left out: ") for words in told["warnings"]], [True], text)
                self.assertIn("its machines are left out: ", text)
                self.assertEqual(self.nodes(program, LATER), before)
        self.server.faults_at.clear()
        self.look(program, LATER, one)
        self.assertHolds(program, LATER)

    def test_a_wait_is_respected(self):
        program = self.bill()
        one = self.machine(1, 2, "5.40")
        self.look(program, NOW, one)
        self.spoil(self.fault(429, {"Retry-After": "1"}), self.fault(503, {"Retry-After": "1"}))
        self.look(program, LATER, one)
        self.assertEqual(self.server.faults_at[self.path], [])
        self.assertHolds(program, LATER)

    def test_a_kill_at_any_question_leaves_the_ledger_sound(self):
        self.put(self.machine(1, 2, "5.40"))
        program = self.bill(first="1d")
        for kept in range(99):
            self.server.asked.clear()
            process = program.start("sync", now=NOW)
            self.server.on_question = lambda process=process, kept=kept: process.kill() if len(self.server.asked) > kept else None
            process.communicate(timeout=120)
            self.server.on_question = None
            program.verify(now=NOW)
            if process.returncode == 0:
                break
            self.assertLess(process.returncode, 0)
        self.assertGreater(kept, 0)
        self.assertEqual(self.server.asked[-1][0], self.path)  # the list comes last
        self.look(program, NOW, self.machine(1, 2, "5.40"))
        self.assertHolds(program, NOW)

    def test_hostile_texts_are_harmless(self):
        program = self.bill(others=OWNERS)
        hostile = self.hostile(1), self.hostile(2)
        for now in (NOW, LATER):
            told = self.look(program, now, *hostile, self.machine(3, 1, "0.34"))
        self.assertEqual(told["machines"], {"running": 3, "gpus": 5, "without_telemetry": 3})
        self.assertHolds(program, LATER)
        day = ("--from", TODAY, "--to", LATER)
        for command in (("sync", "--verbose"), ("sources", "list"), ("idle",), ("ledger", "--by", "team,region,instance-type", *day),
                        ("heatmap", "--by", "team", "--bins", "day", "--metric", "cost", *day),
                        *(("summary", "--by", by, *day) for by in ("node", "team", "gpu-model", "region"))):
            done = program.healthy(*command, now=LATER)
            for mark in ("\x1b", "\u202e", "\x07"):
                self.assertNotIn(mark, done.text + done.stdout.decode(), command)
        teams = [row["key"] for row in self.summary(program, "team", LATER) if "DROP TABLE" in row["key"]]
        self.assertEqual(len(teams), 1, teams)

    def test_numbers_of_gpus_that_nobody_rents(self):
        """They are left out, or rejected by name; the good machine beside them is stored."""
        program = self.bill()
        good = self.machine(1, 2, "5.40")
        for gpus in (0, -1, 10_000, 10 ** 30, None, "x", 2.5):
            with self.subTest(gpus):
                self.put(good, self.machine(2, gpus, "5.40"))
                told, text = self.sync(program)
                self.assertEqual((told["error"], told["machines"], told["rejected"]), (None, {"running": 1, "gpus": 2, "without_telemetry": 1}, 0), text)
                self.assertEqual(sorted(self.stored(program)), self.names(good))
                self.assertEqual(len(self.devices(program)), 2)
                if gpus == 10_000:
                    self.assertEqual([one["count"] for one in told["reasons"]], [1], text)
        self.seen.append((seconds(NOW), (good,)))
        self.assertHolds(program, NOW)
        program.verify(now=NOW)


class BesideABill:
    """The tests of the services whose bill is asked for at another path than the list."""

    def test_a_key_that_may_not_list(self):
        """Its bill comes all the same, and it is said what is missing."""
        self.put(self.machine(1, 2, "5.40"))
        self.server.charges = self.billed("2026-11-18", "2026-11-19")
        self.server.denied = (self.path,)
        program = self.bill()
        told, text = self.sync(program)
        self.assertIsNone(told["error"], text)
        self.assertTrue(told["warnings"][-1].startswith("its machines are left out: "), text)
        self.assertGreater(told["accepted"], 0)
        self.assertEqual((self.nodes(program, NOW), self.stored(program)), ({}, {}))
        self.assertDaysHoldTheBill(program, "2026-11-17", "2026-11-20", self.server.total, NOW)
        withheld = "machines without telemetry are not seen"
        done = program.run("sources", "test", "bill", now=NOW)
        self.assertIn(f"may not {self.right}: {withheld}", done.text + done.stdout.decode())
        self.assertEqual(done.returncode, 0, done.text)
        done = self.bill(", machines: none").run("sources", "test", "bill", now=NOW)
        self.assertNotIn(withheld, done.text + done.stdout.decode())
        self.server.denied = ()
        done = self.bill().run("sources", "test", "bill", now=NOW)
        self.assertIn(f"may {self.right}", done.stdout.decode())
        self.assertNotIn(withheld, done.text + done.stdout.decode())
        self.look(program, LATER, self.machine(1, 2, "5.40"))
        self.assertHolds(program, LATER, money=False)

    def test_a_bill_that_fails_leaves_the_list(self):
        program = self.bill()
        one = self.machine(1, 2, "5.40")
        self.put(one)
        for now, denied, answers, code in ((NOW, (self.bill_path,), [], "forbidden"), ("2026-11-20T11:00:00Z", (), [(200, b"{", {})], "parse")):
            self.server.denied, self.server.faults_at = denied, {self.charges_path: answers}
            told, text = self.sync(program, now, FAILED)
            self.assertEqual((told["error"]["code"], told["machines"]), (code, {"running": 1, "gpus": 2, "without_telemetry": 1}), text)
            self.seen.append((seconds(now), (one,)))
            self.assertHolds(program, now)
            program.verify(now=now)

    def test_bill_lines_are_counted_and_machines_are_not(self):
        self.put(self.machine(1, 2, "5.40"))
        self.server.charges = self.billed("2026-11-18", "2026-11-19")
        counts = []
        for more in ("", ", machines: none"):
            self.folder = tempfile.mkdtemp(dir=self.folder)
            told, _ = self.sync(self.bill(more))
            counts.append((told["accepted"], told["rejected"], len(told["deliveries"])))
        self.assertEqual(*counts)
        self.assertGreater(counts[0][0], 0)

    def test_until_the_bill_has_the_day_the_list_decides(self):
        """Never what another one like it was billed; but what it was billed itself, if that has hours, comes first (docs/prices.md)."""
        self.server.charges = self.billed("2026-11-11", "2026-11-19")
        program = self.bill()
        for now in (NOW, LATER):
            self.look(program, now, self.machine(1, 2, "5.40"), self.machine(2, 2, "7.78"))
        (billed, (hours, cost)), (new, (_, cost_of_new)) = sorted(self.expected(TODAY, LATER).items())
        got = self.nodes(program, LATER)
        self.assertAlmostEqual(got[billed][2], cost if self.expected_rate is None else hours * self.expected_rate, 5)
        self.assertAlmostEqual(got[new][2], cost_of_new, 5)

    def test_the_bill_decides_once_it_has_the_day(self):
        """Each day's ledger is the bill, with the machine's lines at the machine."""
        one = self.machine(1, 2, "5.40")
        self.server.charges = self.billed("2026-11-11", "2026-11-19")
        program = self.bill()
        for now in ("2026-11-20T09:00:00Z", NOW, LATER):
            self.look(program, now, one)
            self.assertDaysHoldTheBill(program, "2026-11-10", "2026-11-20", self.server.total, now)
        self.assertHolds(program, LATER, TODAY, money=False)
        self.server.charges += self.billed("2026-11-20", "2026-11-20")
        self.look(program, NEXT_DAY, one)
        self.assertDaysHoldTheBill(program, "2026-11-10", "2026-11-21", self.server.total, NEXT_DAY)
        midnight = "2026-11-21T00:00:00Z"
        (name, (hours, by_list)), = self.expected(TODAY, midnight).items()
        paid, unobserved, cost = self.nodes(program, NEXT_DAY, TODAY, midnight)[name]
        self.assertAlmostEqual(paid, hours, 6)
        self.assertAlmostEqual(unobserved, hours, 6)
        self.assertAlmostEqual(cost, self.cost_by_bill(hours), 5)
        self.assertNotAlmostEqual(cost, by_list, 2)
        rows = self.sums(program, "match,category", first="2026-11-20", last="2026-11-21", now=NEXT_DAY)
        self.assertAlmostEqual(float(rows["resource-id", "gpu"]), self.cost_by_bill(hours), 5)
        self.assertHolds(program, NEXT_DAY, midnight, money=False)


class Pods(EveryAccount, BesideABill, OfRunpod, AccountTest):
    def test_time_counts_since_the_pod_started(self):
        """Also before the first sync, but for no longer than `first_sync`, and for each run."""
        program = self.bill(first="1d")
        run, old = self.machine(1, 2, "5.40", startedAt="2026-11-20T08:00:00Z"), self.machine(2, 4, "4.80", startedAt="2026-09-15T00:00:00Z")
        self.look(program, NOW, run)
        self.assertHolds(program, NOW)
        self.look(program, LATER, {**run, "startedAt": "2026-11-20T14:05:00Z"}, self.machine(3, 1, "1", startedAt="2026-11-20T12:34:56Z"))
        self.assertHolds(program, LATER)
        self.look(program, "2026-11-20T16:00:00Z", old)
        self.assertAlmostEqual(self.nodes(program, "2026-11-20T16:00:00Z")[old["id"]][0], 24 * 4, 6)
        self.put(self.machine(4, 1, "1", startedAt="2027-01-01T00:00:00Z"))
        told, text = self.sync(program, "2026-11-20T16:00:00Z")
        self.assertEqual((told["rejected"], [one["count"] for one in told["reasons"]]), (0, [1]), text)
        self.assertNotIn(self.machine(4, 1, "1")["id"], self.stored(program))

    def test_a_pod_has_the_gpus_that_it_really_got(self):
        program = self.bill()
        seen, started = {"util": 0, "memoryUtil": 5}, {"startedAt": "2026-11-20T08:00:00Z"}
        some = [self.machine(number, rented, "8.00", runtime={"uptime": 9, "gpus": gpus}, **started)
                for number, rented, gpus in ((1, 4, [seen] * 3), (2, 2, [seen] * 8), (3, 2, None), (4, 8, []))]
        told = self.look(program, NOW, *some)
        self.assertEqual(told["machines"], {"running": 3, "gpus": 7, "without_telemetry": 3})
        self.assertEqual([self.nodes(program, NOW)[one["id"]][0] for one in some[:3]], [6, 4, 4])
        self.assertHolds(program, NOW)  # at the price of the whole pod


class Instances(EveryAccount, BesideABill, OfVastai, AccountTest):
    def test_what_is_paid_for_is_listed(self):
        """Frozen and exited instances pay for their GPUs, too."""
        program = self.bill()
        some = [self.machine(at, 1, "1.50", actual_status=status) for at, status in enumerate(("running", "exited", "frozen"))]
        told = self.look(program, NOW, *some, *self.others())
        self.assertEqual((told["machines"], told["reasons"]), ({"running": 3, "gpus": 3, "without_telemetry": 3}, []))
        self.assertHolds(program, NOW)

    def test_pages_are_turned_to_the_end(self):
        self.server.page = 2
        program = self.bill()
        rented = [self.machine(number, 1, "1.50") for number in range(1, 8)]
        self.assertEqual(self.look(program, NOW, *rented)["machines"]["running"], 7)
        self.assertHolds(program, NOW)
        before = self.nodes(program, LATER)
        self.put(*rented, rented[3])  # the same one on two pages
        told, text = self.sync(program, LATER, FAILED)
        self.assertEqual(told["error"]["code"], "parse", text)
        self.put(*rented)
        self.server.tokens = iter(["again"] * 50)
        told, text = self.sync(program, LATER, FAILED)
        self.assertIn(told["error"]["code"], ("parse", "too-much"), text)
        self.assertEqual(self.nodes(program, LATER), before)
        self.server.tokens = None
        self.look(program, LATER, *rented)
        self.assertHolds(program, LATER)

    def test_what_is_known_of_an_instance(self):
        program = self.bill(others=OWNERS)
        some = (self.machine(1, 2, "5.40", label="vision"), self.machine(2, 2, "5.40", label=None, is_bid=True, geolocation=None),
                self.machine(3, 1, "0", label="nlp", dph_base=None, dph_total=0.75, gpu_name="RTX 4090", gpu_ram=24564, geolocation="Sweden, SE"))
        for now in (NOW, LATER):
            self.look(program, now, *some)
        self.assertHolds(program, LATER)
        stored = self.stored(program)
        self.assertEqual([stored[name][2] for name in self.names(*some)], ["Iowa, US", "", "Sweden, SE"])
        self.assertEqual([stored[name][3].get("gpuledger_purchase") for name in self.names(*some)], [None, "spot", None])
        self.assertEqual(self.devices(program), [("H100 SXM", 81559)] * 4 + [("RTX 4090", 24564)])
        self.assertEqual({row["key"] for row in self.summary(program, "gpu-model", LATER)}, {"H100 SXM", "RTX 4090"})
        self.assertEqual({row["key"] for row in self.summary(program, "team", LATER)}, {"vision", "nlp", "unowned"})


class LambdaInstances(EveryAccount, OfLambda, AccountTest):
    def test_what_is_known_of_an_instance(self):
        program = self.bill(others="owners: [ { cloud_tag: team }, { cloud_tag: instance_name } ]\n")
        some = (self.machine(1, 8, "23.92", name="training-7", status="unhealthy"),
                self.machine(2, 1, "3.29", name="own", region="us-west-2", tags=[{"key": "team", "value": "nlp"}]))
        for now in (NOW, LATER):
            told = self.look(program, now, *some)
        self.assertEqual(told["machines"], {"running": 2, "gpus": 9, "without_telemetry": 2})
        self.assertHolds(program, LATER)
        stored = self.stored(program)
        self.assertEqual([stored[one["id"]][1:3] for one in some], [("gpu_8x_h100_sxm5", "us-east-1"), ("gpu_1x_h100_sxm5", "us-west-2")])
        self.assertEqual([stored[one["id"]][3].get("instance_name") for one in some], ["training-7", "own"])
        for by, want in (("team", {"training-7", "nlp"}), ("region", {"us-east-1", "us-west-2"})):
            self.assertEqual({row["key"] for row in self.summary(program, by, LATER)}, want)

    def test_the_estimate_decides_once_it_has_the_day(self):
        """It is the price for the time between syncs, by day; each day's ledger is that, at the machine."""
        program = self.bill()
        times = ["2026-11-17T06:00:00Z", "2026-11-18T06:00:00Z", "2026-11-19T06:00:00Z", "2026-11-20T06:00:00Z", NOW]
        for now in times:
            self.look(program, now, self.machine(1, 8, "23.92"))

        def want(begin, end):
            spent = length([(seconds(times[0]), seconds(TODAY))], seconds(begin + "T00:00:00Z"), seconds(end + "T00:00:00Z"))
            return Decimal("23.92") * spent / 3600
        self.assertDaysHoldTheBill(program, "2026-11-16", "2026-11-20", want, NOW)
        self.assertHolds(program, NOW, money=False)
        (name, (_, today)), = self.expected(TODAY, NOW).items()
        self.assertAlmostEqual(self.nodes(program, NOW)[name][2], float(want("2026-11-17", "2026-11-20")) + today, 5)
        rows = self.sums(program, "match,category", first="2026-11-18", last="2026-11-20", now=NOW)
        self.assertEqual(rows, {("resource-id", "gpu"): want("2026-11-18", "2026-11-20")})

    def test_until_the_estimate_has_the_day_the_list_decides(self):
        """Never what another one of its type costs; but its own estimates of the days before come first (docs/prices.md)."""
        program = self.bill()
        old, new = self.machine(1, 8, "23.92"), self.machine(2, 8, "29.92")
        for now in ("2026-11-17T00:00:00Z", "2026-11-18T00:00:00Z", "2026-11-19T00:00:00Z", TODAY):
            self.look(program, now, self.machine(1, 8, "20.00"))
        for now in (NOW, LATER):
            self.look(program, now, old, new)
        got, (hours, _) = self.nodes(program, LATER, TODAY), self.expected(TODAY, LATER)[old["id"]]
        self.assertAlmostEqual(got[old["id"]][2], hours * 20 / 8, 5)
        self.assertAlmostEqual(got[new["id"]][2], self.expected(TODAY, LATER)[new["id"]][1], 5)

    def test_a_key_that_may_not_list(self):
        """There is neither an estimate nor a list; what is stored stays."""
        program = self.bill()
        self.look(program, NOW, self.machine(1, 8, "23.92"))
        before = self.nodes(program, LATER)
        for answer, code in ((self.fault(403), "forbidden"), (self.fault(401), "unauthorized")):
            self.server.faults_at[self.path] = [answer] * 20
            told, text = self.sync(program, LATER, FAILED)
            self.assertEqual((told["error"]["code"], self.nodes(program, LATER)), (code, before), text)
        program.verify(now=LATER)
        self.server.faults_at.clear()
        self.server.denied = (self.path,)
        done = program.run("sources", "test", "bill", now=LATER)
        self.assertIn(f"may not {self.right}: machines without telemetry are not seen", done.text + done.stdout.decode())


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class WithTelemetry(ProductTest):
    """Each service has a machine that telemetry calls by its host, one that it names as what holds the GPUs, and a third one. `known`: (host, that name
    or "") of the first two."""

    def setUp(self):
        super().setUp()
        self.servers = {service.kind: service.fake() for service in (OfRunpod, OfVastai, OfLambda)}
        for server in self.servers.values():
            self.addCleanup(server.close)
        self.pods = [OfRunpod.machine(number, 2, "5.40", startedAt="2026-11-20T06:00:00Z") for number in (1, 2, 3)]
        self.boxes = [OfLambda.machine(number, 2, "5.40") for number in (1, 2, 3)]
        self.servers["runpod"].pods, self.servers["lambda"].instances = self.pods, self.boxes
        self.servers["vastai"].instances = [OfVastai.machine(number, 2, "5.40") for number in (1, 2, 3)]
        self.known = ((self.pods[0]["id"], ""), ("of-pod", self.pods[1]["id"]), ("C.20011001", ""), ("of-instance", "instance-20011002"),
                      (self.boxes[0]["hostname"], ""), ("of-box", self.boxes[1]["id"]))

    def watched(self, begin, hours):
        """A program over a Prometheus with readings of these hours, and all three accounts."""
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="gpuledgerkeyedlist"))
        url = self.enterContext(promserver.Server(folder, "prometheus", [readings(seconds(begin), hours, *self.known)], 60))
        program = Program(self.folder, configuration(
            f"  - {{ name: prom, kind: prometheus, url: \"{url}\", first_sync: 2d }}\n",
            *(f"  - {{ name: of-{name}, kind: {name}, url: \"{server.url()}\", first_sync: 2d, auth: {{ type: bearer, token: env:KEY_{name.upper()} }} }}\n"
              for name, server in self.servers.items())) + kubefleet.MACHINES)
        program.environment.update({f"KEY_{name.upper()}": server.key for name, server in self.servers.items()})
        return program

    def sync(self, program, now):
        """{name of the source: machines}"""
        done = program.run("sync", "--json", now=now)
        self.assertEqual(done.returncode, 0, done.text)
        program.verify(now=now)
        return {one["name"]: one.get("machines") for one in json.loads(done.stdout)["sources"]}

    @staticmethod
    def nodes(program, first, last, now):
        out = program.healthy("summary", "--by", "node", "--from", first, "--to", last, "--json", now=now).stdout
        return {row["key"]: row for row in json.loads(out)["rows"]}

    def test_one_device_whoever_tells_it(self):
        now, pods = "2026-11-20T12:00:00Z", self.pods
        unseen = {pods[2]["id"]: 12, "instance-20011003": 2 * 5 / 60, self.boxes[2]["id"]: 2 * 5 / 60}
        program = self.watched("2026-11-20T08:00:00Z", 4)
        for _ in range(2):  # lists are read after telemetry, so that the first sync has both
            told = self.sync(program, now)
            self.assertEqual([told[f"of-{name}"] for name in self.servers], [{"running": 3, "gpus": 6, "without_telemetry": 1}] * 3)
            rows = {name: row["gpu_hours"] for name, row in self.nodes(program, TODAY, now, now).items()}
            self.assertEqual(sorted(rows), sorted([host for host, _ in self.known] + list(unseen)))
            for host, _ in self.known:
                before = 4 if host in ("of-pod", pods[0]["id"]) else 0  # GPU hours between its start and the first reading
                self.assertAlmostEqual(rows[host]["paid"], 8 + before, delta=0.3)
                self.assertAlmostEqual(rows[host]["unobserved"], before, delta=0.3)
                self.assertGreater(rows[host]["idle"] + rows[host]["unallocated"], 7.5)
            for name, hours in unseen.items():
                self.assertAlmostEqual(rows[name]["paid"], hours, 6)
                self.assertEqual(rows[name]["paid"], rows[name]["unobserved"])
        out = json.loads(program.healthy("idle", "--json", now=now).stdout)
        self.assertEqual([one["name"] for one in out["unknown"]], [pods[2]["id"]])  # the others are seen for less than an hour

    def test_telemetry_does_not_change_the_price(self):
        """It is that of the list for the time that telemetry saw, too, and no estimate by the model."""
        now = "2026-11-20T12:00:00Z"
        program = self.watched("2026-11-20T08:00:00Z", 4)
        self.sync(program, now)
        for name, row in self.nodes(program, TODAY, now, now).items():
            with self.subTest(name):
                self.assertAlmostEqual(float(row["cost"]["total"]["amount"]), 2.7 * row["gpu_hours"]["paid"], 5)

    def test_the_bill_is_that_of_the_machine_that_telemetry_knows(self):
        """Whatever telemetry calls it: its lines are at its node, and nothing is counted beside them."""
        begin, now = "2026-11-19T00:00:00Z", "2026-11-20T12:00:00Z"
        self.servers["runpod"].charges = [runpod.charge("pods", begin[:10], self.pods[at]["id"], gpuAmount=amount) for at, amount in enumerate(("48", "72"))]
        self.servers["vastai"].charges = [vastai.charge(f"instance-2001100{number}", begin[:10], rate=rate) for number, rate in ((1, "2"), (2, "3"))]
        for machines in (self.servers["runpod"].pods, self.servers["lambda"].instances, self.servers["vastai"].instances):
            del machines[2]
        program = self.watched(begin, 36)
        for at in (begin, "2026-11-19T12:00:00Z", TODAY, now):
            self.sync(program, at)
        want = dict(zip((host for host, _ in self.known), (48, 72, 48, 72, 24 * 5.4, 24 * 5.4)))
        got = self.nodes(program, begin, TODAY, now)
        self.assertEqual(sorted(got), sorted(want))
        for host, cost in want.items():
            with self.subTest(host):
                self.assertAlmostEqual(float(got[host]["cost"]["total"]["amount"]), cost, 4)
        out = json.loads(program.healthy("ledger", "--by", "match", "--from", begin[:10], "--to", TODAY[:10], "--json", now=now).stdout)["rows"]
        self.assertAlmostEqual(sum(float(row["billed"]["amount"]) for row in out), sum(want.values()), 6)
        self.assertNotIn("none", {row["match"] for row in out})


if __name__ == "__main__":
    unittest.main()
