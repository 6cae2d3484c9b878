#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bill of RunPod, against a fake that follows the published specification: the ledger has the account's totals, differences are named, pods
keep their names, and no final month is asked for again."""
import datetime
import decimal
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

from keyedbill import FAILED, HOSTILE, LATER, MONTHS, NEXT_DAY, NOW, KeyedBillTest  # noqa: E402
from runpod import DROPPED, KEY, Runpod, charge, fault, pod  # noqa: E402

QUESTIONS = 7


def days(begin, count):
    first = datetime.date.fromisoformat(begin)
    return [str(first + datetime.timedelta(number)) for number in range(count)]


def charges():
    """September, which is final, October, and November until the 19th: each kind of record."""
    out = []
    for at, day in enumerate(days("2026-09-01", 30) + days("2026-10-01", 31) + days("2026-11-01", 19)):
        odd = round(decimal.Decimal(at + 1) / 7, 12)
        out += [
            charge("pods", day, "pod_h100", gpuAmount=f"{64.56 + at:.6f}", cpuAmount="0", diskAmount="1.2E-05"),
            charge("pods", day, "pod_gone", gpuAmount=odd, cpuAmount="0", diskAmount="0.333333333333"),
            charge("pods", day, "pod_cpu", gpuAmount="0", cpuAmount="2.5", diskAmount="0.1"),
            charge("serverless", day, "ep_1", gpuAmount="7.25", cpuAmount="0.5", diskAmount="0.0000000005", feeAmount="0.75"),
            charge("network-volumes", day, "vol_1", standardAmount="0.7", highPerformanceAmount="0.14"),
            charge("clusters", day, "cluster_1", gpuAmount="500.123456789012", diskAmount="1", networkingAmount="2"),
            charge("endpoints", day, total="3.21"),
        ]
    return out


class RunpodTest(KeyedBillTest):
    kind, key = "runpod", KEY

    def setUp(self):
        super().setUp()
        self.server = Runpod(*charges())
        self.server.pods = [pod("pod_h100", "training-7"), pod("pod_new", HOSTILE)]
        self.addCleanup(self.server.close)

    def assertNear(self, got, want, message=None):
        """Each line is rounded to 1e-9."""
        self.assertLess(abs(got - want), decimal.Decimal("0.00001"), message)

    def assertHoldsTheBill(self, program, now=NOW, more=0):
        for first, last in MONTHS:
            want = self.server.total(first, last) + (more if self.server.total(first, last) else 0)
            for got in self.views(program, first, last, now):
                self.assertNear(got, want, first)
        program.verify(now=now)

    def test_the_ledger_has_the_totals_and_no_final_month_is_asked_again(self):
        program = self.bill()
        one, text = self.sync(program)
        self.assertIsNone(one["error"])
        self.assertEqual(len(self.server.asked), 3 * QUESTIONS, text)
        self.assertHoldsTheBill(program)
        for now in (NOW, LATER):  # before `refresh` is over nothing is asked
            one, _ = self.sync(program, now)
            self.assertEqual((one["known_deliveries"], one["accepted"]), (3, 0))
        self.assertEqual(len(self.server.asked), 3 * QUESTIONS)
        # A day later October is restated and November goes on; September is final.
        self.server.charges += [charge("pods", "2026-11-20", "pod_new", gpuAmount="5.25"), charge("pods", "2026-10-02", "pod_gone", gpuAmount="-7.5")]
        asked = len(self.server.asked)
        self.sync(program, NEXT_DAY)
        self.assertEqual({month for path, month in self.server.asked[asked:] if month}, {"2026-10", "2026-11"})
        self.assertHoldsTheBill(program, NEXT_DAY)
        # What no longer costs anything goes.
        self.server.charges = [one for one in self.server.charges if one["day"].month != 10]
        self.sync(program, "2026-11-22T10:00:00Z")
        self.assertHoldsTheBill(program, "2026-11-22T10:00:00Z")

    def test_every_record_is_what_it_was_called(self):
        program = self.bill(others="owners: [ { cloud_tag: pod_name } ]\n")
        self.sync(program)
        october = {"first": "2026-10-01", "last": "2026-11-01"}
        services = self.sums(program, "service", **october)
        for service, family in (("Pods", "pods"), ("Serverless", "serverless"), ("Network volumes", "network-volumes"), ("Instant Clusters", "clusters"),
                                ("Public endpoints", "endpoints")):
            want = sum(one["total"] for one in self.server.charges if one["family"] == family and one["day"].month == 10)
            self.assertNear(services[service,], want, service)
        categories = self.sums(program, "category", **october)

        def part(name, *families):
            return sum(one["parts"].get(name, 0) for one in self.server.charges if one["family"] in families and one["day"].month == 10)
        self.assertNear(categories["gpu",], part("gpuAmount", "pods", "clusters"))
        self.assertNear(categories["compute",], part("cpuAmount", "pods"))
        self.assertNear(categories["network",], part("networkingAmount", "clusters"))
        self.assertNear(categories["storage",], part("diskAmount", "pods", "clusters", "serverless") + part("standardAmount", "network-volumes")
                        + part("highPerformanceAmount", "network-volumes"))
        self.assertNotIn(("adjustment",), categories)
        # The hours of a pod are in no bill: they are unknown, and never 0.
        for row in self.rows(program, "category", **october):
            if row["category"] == "gpu":
                self.assertIsNone(row["gpu_hours"])
        # The name is that of the pod, and stays when the pod is terminated and its month is restated.
        names = self.sums(program, "team", **october)
        training = names["training-7",]
        self.server.pods = []
        self.server.charges.append(charge("pods", "2026-10-05", "pod_h100", gpuAmount="1"))
        self.sync(program, NEXT_DAY)
        self.assertEqual(self.sums(program, "team", now=NEXT_DAY, **october)["training-7",], training + 1)

    def test_differences_are_named_and_never_lost(self):
        program = self.bill()
        # A record whose parts lack something, and days that have more or less than their records.
        self.server.charges += [charge("pods", "2026-10-03", "pod_odd", total="10", gpuAmount="7", diskAmount="1")]
        self.server.unlisted = {datetime.date(2026, 10, 4): decimal.Decimal("4.5"), datetime.date(2026, 10, 5): decimal.Decimal("-0.25")}
        _, text = self.sync(program)
        self.assertIn("the difference was booked as an adjustment", text)
        self.assertHoldsTheBill(program)
        adjustments = self.sums(program, "category,day", first="2026-10-01", last="2026-11-01")
        self.assertEqual([adjustments["adjustment", f"2026-10-0{day}"] for day in (3, 4, 5)], [decimal.Decimal(2), decimal.Decimal("4.5"), decimal.Decimal("-0.25")])

    def test_a_total_above_its_days_is_kept(self):
        program = self.bill()
        self.server.loose = decimal.Decimal("0.125")
        self.sync(program)
        self.assertHoldsTheBill(program, more=self.server.loose)

    def test_a_key_that_may_not_list_pods_has_a_bill_without_names(self):
        program = self.bill()
        self.server.denied = ("/v2/pods",)
        self.sync(program)
        self.assertHoldsTheBill(program)
        done = program.run("sources", "test", "bill", now=NOW)
        self.assertIn("GET /v2/pods", done.text + done.stdout.decode())
        self.server.denied = ("/v2/billing",)
        one, text = self.sync(program, NEXT_DAY, FAILED)
        self.assertEqual(one["error"]["code"], "forbidden")
        self.assertIn("Read Only", text)
        self.assertHoldsTheBill(program, NEXT_DAY)

    def test_a_wrong_key_is_named_and_never_shown(self):
        for key in ("canary-other", "canary other"):
            one, text = self.sync(self.bill(key=key), status=FAILED)
            self.assertEqual(one["error"]["code"], "unauthorized", text)
            self.assertIn("RunPod console", text)

    def test_waits_when_it_is_asked_to(self):
        self.server.faults = [fault(429, "Too Many Requests", headers={"Retry-After": "1"}), None, fault(503, headers={"Retry-After": "1"}), fault(500), (DROPPED, b"{\"rec", {})]
        program = self.bill()
        self.sync(program)
        self.assertEqual(self.server.faults, [])
        self.assertHoldsTheBill(program)

    def test_hostile_answers_change_nothing(self):
        program = self.bill()
        self.sync(program)
        before = self.rows(program, "category")
        query = {"startTime": "2026-10-01T00:00:00Z", "endTime": "2026-11-01T00:00:00Z", "bucketSize": "day"}
        def records(*records, count=None, totals="0", window=query):
            return json.dumps({"records": records, "metadata": {"query": window, "recordCount": len(records) if count is None else count, "totals": {"totalAmount": totals}}}).encode()
        record = {"startTime": "2026-10-01T00:00:00Z", "endTime": "2026-10-02T00:00:00Z", "podId": "p", "totalAmount": 1, "gpuAmount": 1, "cpuAmount": 0, "diskAmount": 0}
        bodies = (b"", b"{}", b"null", b"[" * 100000, records(count=1), records(window={**query, "endTime": "2026-10-30T00:00:00Z"}), records({**record, "podId": ""}),
                  records({**record, "gpuAmount": None}), records({**record, "totalAmount": "1e400"}), records({**record, "endTime": "2026-10-03T00:00:00Z"}),
                  records({**record, "startTime": "2026-09-30T00:00:00Z", "endTime": "2026-10-01T00:00:00Z"}), records(record))  # the last: a day that the total lacks
        self.server.charges = [one for one in self.server.charges if str(one["day"]) != "2026-10-01"]
        for body in bodies:
            with self.subTest(body[:200]):
                self.server.faults = [(200, body, {})]
                told, said = self.sync(program, NEXT_DAY, FAILED)
                self.assertIn(told["error"]["code"], ("parse", "overflow"), said)
                self.assertEqual(self.rows(program, "category"), before)
        for one, code in (((200, b"<html>log in</html>", {"Content-Type": "text/html"}), "unauthorized"), (fault(302, headers={"Location": "http://127.0.0.1:9/"}), "invalid-config"),
                          (fault(404), "not-found"), (fault(400, "Bad", "no \x1b[31m" + "y" * 5000), "server")):
            self.server.faults = [one] * 5
            told, said = self.sync(program, NEXT_DAY, FAILED)
            self.assertEqual(told["error"]["code"], code, said)
            self.assertNotIn("\x1b", said)
            self.assertLess(len(said), 4000)

    def test_a_kill_at_any_question_loses_and_doubles_nothing(self):
        program = self.bill()
        self.kill_at(program, 1, 6, 7, 8, 10)  # months that were stored are not asked again
        self.sync(program)
        self.assertHoldsTheBill(program)

    def test_a_clock_that_was_ahead_makes_nothing_final(self):
        program = self.bill(first="20d")
        self.sync(program, "2027-01-05T10:00:00Z")
        self.server.charges.append(charge("pods", "2026-11-03", "pod_gone", gpuAmount="17"))
        self.sync(program)
        got = sum(self.sums(program, "category", first="2026-11-01", last="2026-12-01").values())
        self.assertNear(got, self.server.total("2026-11-01", "2026-12-01"))

    def test_an_account_without_costs_is_no_error(self):
        self.server.charges.clear()
        program = self.bill()
        one, _ = self.sync(program)
        self.assertEqual((one["error"], one["accepted"]), (None, 0))
        program.verify(now=NOW)

    def test_twenty_thousand_records(self):
        self.server.charges = [charge("pods", day, f"pod_{number}", gpuAmount="0.123456789", diskAmount="0.01") for day in days("2026-11-01", 19) for number in range(1053)]
        program = self.bill(first="1d")
        one, _ = self.sync(program)
        self.assertEqual(one["accepted"], 2 * 19 * 1053)
        self.assertHoldsTheBill(program)


if __name__ == "__main__":
    unittest.main()
