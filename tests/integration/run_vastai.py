#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bill of Vast.ai, against a fake that follows the published specification: the ledger has the sum of the month's charges exactly, each on
its days and once, GPU hours where they are certain, and no final month is asked for again."""
import datetime
import decimal
import itertools
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

from keyedbill import FAILED, HOSTILE, LATER, MONTHS, NEXT_DAY, NOW, KeyedBillTest  # noqa: E402
from keyedserver import DROPPED  # noqa: E402
from vastai import KEY, Vastai, charge, epoch, fault, instance, too_frequent  # noqa: E402

OCTOBER = {"first": "2026-10-01", "last": "2026-11-01"}
Decimal = decimal.Decimal


def days(begin, count):
    first = datetime.date.fromisoformat(begin)
    return [str(first + datetime.timedelta(number)) for number in range(count)]


def charges():
    """September, which is final, October, and November until the 19th: contracts that run all the time, one of a few days, and one destroyed."""
    out = []
    for at, day in enumerate(days("2026-09-01", 30) + days("2026-10-01", 31) + days("2026-11-01", 19)):
        out += [
            charge("instance-101", day, label="training-7", rate="17.216", disk=Decimal(at) / 7, bwd="0.0004", bwu="0"),
            charge("instance-104", day, rate="0.389", disk="0.0123"),  # destroyed: nobody knows how many GPUs
            charge("volume-9", day, disk="0.7"),
            charge("instance-105", day, label="worker", endpoint=19392, hours=3, rate="2.5"),
        ]
    out += [charge("instance-102", day, label=HOSTILE, hours="12.5", rate="1.1", mystery="0.25") for day in days("2026-10-29", 6)]
    return out


class VastaiTest(KeyedBillTest):
    kind, key = "vastai", KEY

    def setUp(self):
        super().setUp()
        self.server = Vastai(*charges())
        self.server.instances = [instance(101, "renamed"), instance(102, HOSTILE, count=1), instance(105, None, gpu="RTX 4090", count=2)]
        self.addCleanup(self.server.close)

    def assertHoldsTheBill(self, program, now=NOW):
        for first, last in MONTHS:
            self.assertEqual(self.views(program, first, last, now), [self.server.total(first, min(last, now[:10]))] * 2, first)
        program.verify(now=now)

    def test_the_ledger_has_the_charges_and_no_final_month_is_asked_again(self):
        self.server.charges.append(charge("instance-101", "2026-11-20", rate="17.216"))  # today
        program = self.bill()
        one, text = self.sync(program)
        self.assertIsNone(one["error"], text)
        self.assertHoldsTheBill(program)
        asked = [length for _, length, _ in self.server.asked]
        self.assertEqual(asked, [30] + 30 * [1] + [None] + [31] + 31 * [1] + [None] + [19] + 19 * [1] + [None])
        for now in (NOW, LATER):  # before `refresh` is over nothing is asked
            one, _ = self.sync(program, now)
            self.assertEqual((one["known_deliveries"], one["accepted"]), (3, 0))
        self.assertEqual(len(self.server.asked), len(asked))
        # A day later October is restated and November goes on; September is final.
        self.server.charges.append(charge("instance-104", "2026-10-02", total="-7.5"))
        self.sync(program, NEXT_DAY)
        self.assertEqual([length for _, length, _ in self.server.asked[len(asked):] if length != 1], [31, None, 20, None])
        self.assertHoldsTheBill(program, NEXT_DAY)
        # What no longer costs anything goes; days without charges are not asked.
        self.server.charges = [one for one in self.server.charges if one["day"].month != 10]
        self.server.asked.clear()
        self.sync(program, "2026-11-22T10:00:00Z")
        self.assertEqual([length for _, length, _ in self.server.asked][:3], [31, None, 21])
        self.assertHoldsTheBill(program, "2026-11-22T10:00:00Z")

    def test_every_charge_is_what_it_was_called(self):
        program = self.bill(others="owners: [ { cloud_tag: instance_label } ]\n")
        self.sync(program)
        services, categories = self.sums(program, "service", **OCTOBER), self.sums(program, "category", **OCTOBER)
        month = {row["source"]: row for row in self.server.rows(datetime.date(2026, 10, 1), datetime.date(2026, 11, 1))}
        self.assertEqual(services["Volumes",], month["volume-9"]["amount"])
        self.assertEqual(services["Serverless",], month["instance-105"]["amount"])
        self.assertEqual(services["Instances",], sum(month[f"instance-{number}"]["amount"] for number in (101, 102, 104)))
        self.assertEqual(categories["gpu",], sum(amount for row in month.values() for name, _, amount in row["items"] if name == "gpu"))
        self.assertEqual(categories["other",], Decimal("0.75"))  # a type that nobody knows
        # What one charge of a month is more than its rounded days.
        self.assertLess(abs(categories.get(("adjustment",), Decimal(0))), Decimal("0.05"))
        hours = {row["team"]: row["gpu_hours"] for row in self.rows(program, "team,category", **OCTOBER) if row["category"] == "gpu"}
        self.assertEqual({team: value and round(value, 3) for team, value in hours.items() if team in ("training-7", "worker")}, {"training-7": 31 * 24 * 8, "worker": 31 * 3 * 2})
        # Labels are those of the charges, or else of the list; GPUs stay known when the instance is destroyed and its month is restated.
        self.server.instances = []
        self.server.charges.append(charge("instance-101", "2026-10-05", label="training-7", hours=0, bwu="1"))
        self.sync(program, NEXT_DAY)
        rows = {(row["team"], row["category"]): row for row in self.rows(program, "team,category", now=NEXT_DAY, **OCTOBER)}
        self.assertEqual(round(rows["training-7", "gpu"]["gpu_hours"], 3), 31 * 24 * 8)
        self.assertIn("1", rows["training-7", "network"]["billed"]["amount"])

    def test_gpu_hours_are_stated_only_where_they_are_certain(self):
        self.server.charges = [charge("instance-101", "2026-11-01", label="good", rate="2"),
                               charge("instance-102", "2026-11-01", label="price", rate="2"),
                               charge("instance-104", "2026-11-01", label="unlisted", rate="2"),
                               charge("instance-105", "2026-11-01", label="hours", hours="25.5", rate="2")]
        self.server.charges[1]["items"]["gpu"] += Decimal("0.02")
        self.server.charges[1]["total"] += Decimal("0.02")
        program = self.bill(first="10d", others="owners: [ { cloud_tag: instance_label } ]\n")
        self.sync(program)
        hours = {row["team"]: row["gpu_hours"] for row in self.rows(program, "team,category", first="2026-11-01") if row["category"] == "gpu"}
        self.assertEqual(hours, {"good": 192, "price": None, "unlisted": None, "hours": None})
        self.assertHoldsTheBill(program)

    def test_what_items_lack_is_named_and_never_lost(self):
        self.server.charges += [charge("instance-106", "2026-10-03", total="10", disk="7.5"), charge("instance-106", "2026-10-04", total="-0.25")]
        program = self.bill()
        _, text = self.sync(program)
        self.assertIn("the difference was booked as an adjustment", text)
        self.assertHoldsTheBill(program)
        sums = self.sums(program, "category,day", **OCTOBER)
        for day, want in ((3, "2.5"), (4, "-0.25")):
            self.assertLess(abs(sums["adjustment", f"2026-10-0{day}"] - Decimal(want)), Decimal("0.01"))

    def test_unrounded_amounts_are_exact(self):
        self.server.digits = 15
        self.server.charges = [charge("instance-101", day, rate="0.000012345", disk="0.333333333333", bwd="0.0000000005") for day in days("2026-11-01", 19)]
        program = self.bill(first="10d")
        self.sync(program)
        # Each line is rounded to 1e-9.
        self.assertLess(abs(self.views(program, "2026-11-01", "2026-12-01")[0] - self.server.total("2026-11-01", "2026-11-20")), Decimal("0.0000001"))

    def test_a_charge_is_counted_once_whatever_its_start_and_end_are(self):
        # As the contract has them, while the question cuts the amount.
        self.server.contracts = {"instance-101": (datetime.date(2026, 8, 3), datetime.date(2026, 12, 24)), "volume-9": (datetime.date(2026, 9, 1), datetime.date(2027, 1, 1))}
        # Not cut: each of its days answers the whole charge.
        self.server.charges += [charge("instance-107", day, disk="3.5") for day in days("2026-10-10", 4)]
        self.server.whole = ("instance-107",)
        program = self.bill()
        self.sync(program)
        self.assertHoldsTheBill(program)
        daily = self.sums(program, "day", **OCTOBER)
        alone = sum((Decimal(one) for one in ("17.216", "0.389")), Decimal(0)) * 24
        for number in range(10, 14):  # 14.00 on four days
            self.assertLess(abs(daily[f"2026-10-{number}",] - alone - Decimal("3.5") - Decimal("0.7") - Decimal("7.5") - Decimal(30 + number - 1) / 7), Decimal("0.1"))
        # Should it leave the month, nobody knows its share.
        self.server.charges += [charge("instance-108", day, disk="3.5") for day in days("2026-10-30", 4)]
        self.server.whole = ("instance-108",)
        one, text = self.sync(program, NEXT_DAY, FAILED)
        self.assertEqual(one["error"]["code"], "parse", text)
        self.assertIn("instance-108 is for more days than were asked", text)

    def test_pages_are_turned_to_the_end(self):
        self.server.page = 2
        self.server.instances = [instance(number, f"team-{number}") for number in range(101, 140)]
        program = self.bill()
        self.sync(program)
        self.assertHoldsTheBill(program)
        for tokens in (itertools.repeat("again"), itertools.cycle(("a", "b"))):
            self.server.tokens = tokens
            one, text = self.sync(program, NEXT_DAY, FAILED)
            self.assertEqual(one["error"]["code"], "too-much", text)
            self.assertIn("has no end", text)
        self.assertHoldsTheBill(program)

    def test_a_key_that_may_not_list_instances_has_a_bill_without_them(self):
        program = self.bill()
        self.server.denied = ("/api/v1/instances",)
        self.sync(program)
        self.assertHoldsTheBill(program)
        self.assertEqual({row["gpu_hours"] for row in self.rows(program, "category") if row["category"] == "gpu"}, {None})
        done = program.run("sources", "test", "bill", now=NOW)
        self.assertIn("GET /api/v1/instances", done.text + done.stdout.decode())
        self.server.denied = ("/api/v0/charges",)
        one, text = self.sync(program, NEXT_DAY, FAILED)
        self.assertEqual(one["error"]["code"], "forbidden")
        self.assertIn("billing_read", text)
        self.assertHoldsTheBill(program, NOW)

    def test_a_wrong_key_is_named_and_never_shown(self):
        program = self.bill(key="canary-other")
        one, text = self.sync(program, status=FAILED)
        self.assertEqual(one["error"]["code"], "unauthorized", text)
        self.assertIn("Vast.ai console", text)
        # A key that no user has.
        program = self.bill()
        self.server.faults = [fault(404, "auth_error", "Invalid user key")] * 3
        one, text = self.sync(program, status=FAILED)
        self.assertEqual(one["error"]["code"], "unauthorized", text)
        self.assertIn("Invalid user key", text)

    def test_waits_when_it_is_asked_to(self):
        self.server.charges = [charge("instance-101", day, rate="2") for day in days("2026-11-01", 3)]
        self.server.faults = [too_frequent(), None, fault(502), None, fault(503, headers={"Retry-After": "1"}), fault(504), (429, b"", {"Retry-After": "1"}), (DROPPED, b"{\"res", {})]
        program = self.bill(first="1d")
        self.sync(program)
        self.assertEqual(self.server.faults, [])
        self.assertHoldsTheBill(program)

    def test_hostile_answers_change_nothing(self):
        program = self.bill()
        self.sync(program)
        before = self.rows(program, "category")
        row = {"start": epoch(datetime.date(2026, 10, 2)), "end": epoch(datetime.date(2026, 10, 2)), "type": "instance", "source": "instance-1", "description": "", "amount": 1, "metadata": {}, "items": []}

        def page(*rows, **more):
            return json.dumps({"success": True, "count": len(rows), "total": len(rows), "next_token": None, "results": rows, **more}).encode()
        bodies = [b"", b"{}", b"null", b"[" * 100000, page(count=1), page(total=1), page(total=None), page(row, row), page(success=False), page(7), page(results={}, count=0), page([])]
        bodies += [page({**row, name: value}) for name, value in (
            ("source", None), ("source", ""), ("amount", None), ("amount", "x"), ("amount", "NaN"), ("amount", "1e400"), ("end", "never"), ("start", -1), ("end", 1e300),
            ("start", row["end"] + 1), ("end", epoch(datetime.date(2026, 9, 1))), ("items", 7), ("items", [7]), ("items", [{"type": "gpu"}]), ("items", [{"type": "gpu", "amount": None}]))]
        for body in bodies:
            with self.subTest(body[:300]):
                self.server.faults = [(200, body, {})]
                told, said = self.sync(program, NEXT_DAY, FAILED)
                self.assertIn(told["error"]["code"], ("parse", "overflow"), said)
                self.assertEqual(self.rows(program, "category"), before)
        # A day has a charge that the month lacks.
        self.server.faults = [None, (200, page({**row, "start": epoch(datetime.date(2026, 10, 1)), "end": epoch(datetime.date(2026, 10, 1))}), {})]
        told, said = self.sync(program, NEXT_DAY, FAILED)
        self.assertIn("that the month lacks", said)
        for one, code in (((200, b"<html>log in</html>", {"Content-Type": "text/html"}), "unauthorized"), ((302, b"", {"Location": "http://127.0.0.1:9/"}), "invalid-config"),
                          (fault(404), "not-found"), (fault(400, "", "no \x1b[31m" + "y" * 5000), "server")):
            self.server.faults = [one] * 5
            told, said = self.sync(program, NEXT_DAY, FAILED)
            self.assertEqual(told["error"]["code"], code, said)
            self.assertNotIn("\x1b", said)
            self.assertLess(len(said), 4000)

    def test_hostile_texts_are_harmless(self):
        long = "\u202e\x1b[31m\x00\n" + "x" * 10240
        for one in self.server.charges:
            one["label"] = long
        self.server.charges += [charge("instance-\x1b[2J" + "z" * 10240, "2026-10-03", **{"\x07" + "w" * 10240: "1.5"})]
        self.server.instances = [instance(101, long, gpu=long, place=long, count=10 ** 30), instance(102, long, count=-1), instance(105, long, count=None)]
        program = self.bill(others="owners: [ { cloud_tag: instance_label } ]\n")
        self.sync(program)
        self.assertHoldsTheBill(program)
        done = program.healthy("ledger", "--by", "team,service", "--from", "2026-09-01", "--to", "2026-12-01", now=NOW)
        self.assertNotIn("\x1b", done.stdout.decode())
        self.assertEqual({row["gpu_hours"] for row in self.rows(program, "category") if row["category"] == "gpu"}, {None})

    def test_a_kill_at_any_question_loses_and_doubles_nothing(self):
        program = self.bill()
        self.kill_at(program, 1, 2, 31, 32, 33, 40)  # months that were stored are not asked again
        self.sync(program)
        self.assertHoldsTheBill(program)

    def test_a_clock_that_was_ahead_makes_nothing_final(self):
        program = self.bill(first="20d")
        self.sync(program, "2027-01-05T10:00:00Z")
        self.server.charges.append(charge("instance-104", "2026-11-03", disk="17"))
        self.sync(program)
        self.assertEqual(self.views(program, "2026-11-01", "2026-12-01")[0], self.server.total("2026-11-01", "2026-11-20"))

    def test_the_first_day_of_a_month_and_an_account_without_costs(self):
        program = self.bill(first="1d")
        self.sync(program, "2026-11-02T10:00:00Z")
        self.assertEqual(self.server.asked[-2:], [("/api/v0/charges/", 1, None), ("/api/v1/instances/", None, None)])
        self.assertEqual(self.views(program, "2026-11-01", "2026-12-01", "2026-11-02T10:00:00Z")[0], self.server.total("2026-11-01", "2026-11-02"))
        self.server.charges.clear()
        one, _ = self.sync(program)
        self.assertIsNone(one["error"])
        program.verify(now=NOW)
        self.assertEqual(self.views(program, "2026-11-01", "2026-12-01")[0], 0)

    def test_a_thousand_contracts(self):
        self.server.charges = [charge(f"instance-{number}", day, rate="0.389", disk="0.011") for day in days("2026-11-01", 3) for number in range(1000)]
        program = self.bill(first="1d")
        one, _ = self.sync(program)
        self.assertGreaterEqual(one["accepted"], 2 * 3 * 1000)
        self.assertHoldsTheBill(program)


if __name__ == "__main__":
    unittest.main()
