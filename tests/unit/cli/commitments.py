# SPDX-License-Identifier: GPL-3.0-or-later
"""`commitments`: what the clouds of the demo company say of its commitments beside its bills, as text, JSON and CSV."""
import csv
import decimal
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "faults"), HERE]

from product import ProductTest, Program, configuration  # noqa: E402

NOW = "2026-11-21T12:00:00Z"
LOOK, USAGE, REFUSED = 1, 2, 5
BILL = "  - { name: bill, kind: demo-bill, gpus: 56, days: 60, first_sync: 60d }\n"
# Never synced.
OTHER = "  - { name: another, kind: demo-bill, gpus: 56, days: 60, first_sync: 60d }\n"
KEYS = ["source", "cloud", "account", "id", "name", "kind", "terms", "machine", "region", "count", "per_hour", "start", "end", "utilization", "from", "to", "unused",
        "billed_utilization", "billed_from", "billed_to"]
COVERAGE_KEYS = ["source", "cloud", "account", "by", "machine", "region", "covered", "on_demand", "from", "to"]
TITLES = "commitment for terms account region per hour ends used (cloud) used (bill) unused currency"
COVERAGE_TITLES = "machine account region by covered not covered (cost) currency days"
TENTH = 0.001  # the demo's clouds round shares down to a tenth of a percent
UNREAD = "gpuledger-cli: the commitments of another have not been read yet (see: gpuledger-cli sync)"


def amount(money):
    return decimal.Decimal(money["amount"])


class Commitments(ProductTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home = tempfile.mkdtemp(prefix="gpuledgercommitments")
        cls.addClassCleanup(shutil.rmtree, cls.home, True)
        cls.synced = Program(cls.home, configuration(BILL))
        cls.synced.healthy("sync", "--quiet", now=NOW, timeout=900)

    def setUp(self):
        super().setUp()
        self.synced.configure(configuration(BILL))

    def json(self):
        return json.loads(self.synced.healthy("commitments", "--json", now=NOW).stdout)

    def test_beside_the_bill(self):
        told = self.json()
        self.assertEqual(list(told), ["commitments", "coverage", "sources", "left_out"])
        self.assertEqual(told["left_out"], {"without_gpus": 0, "rejected": 0})
        self.assertEqual(told["sources"], [{"source": "bill", "read_at": NOW, "withheld": [], "failed_at": None, "failure": None}])
        (plan,) = told["commitments"]
        self.assertEqual(list(plan), KEYS)
        self.assertEqual([plan[key] for key in ("source", "cloud", "name", "kind", "machine", "region", "count")],
                         ["bill", "AWS", "gpu-plan-1y", "savings-plan", None, None, None])
        self.assertTrue(plan["id"].startswith(f"arn:aws:savingsplans::{plan['account']}:savingsplan/"), plan["id"])
        self.assertTrue(plan["terms"].startswith("Compute Savings Plan"), plan["terms"])
        self.assertEqual((plan["start"], plan["end"]), ("2026-04-01T00:00:00Z", "2027-03-31T23:59:59Z"))
        # The last 30 days that are billed on that day.
        self.assertEqual((plan["from"], plan["to"]), ("2026-10-21T00:00:00Z", "2026-11-20T00:00:00Z"))
        self.assertTrue(plan["from"] <= plan["billed_from"] < plan["billed_to"] <= plan["to"], plan)
        self.assertTrue(0.9 < plan["utilization"] < 1)
        self.assertTrue(-1e-9 <= plan["billed_utilization"] - plan["utilization"] < TENTH, plan)
        unused = amount(plan["unused"]) / (amount(plan["per_hour"]) * 24 * 30)
        self.assertTrue(-1e-6 < 1 - float(unused) - plan["utilization"] < TENTH + 1e-6, plan)
        self.assertEqual({plan["unused"]["currency"], plan["per_hour"]["currency"]}, {"USD"})

    def test_what_is_covered(self):
        rows = self.json()["coverage"]
        self.assertIn("p4d.24xlarge", [row["machine"] for row in rows])
        for row in rows:
            self.assertEqual(list(row), COVERAGE_KEYS)
            self.assertEqual((row["source"], row["cloud"], row["by"], row["region"]), ("bill", "AWS", "savings-plan", "us-east-1"))
            self.assertTrue(0 < row["covered"] <= 1 and amount(row["on_demand"]) >= 0, row)
            self.assertEqual((row["from"], row["to"]), ("2026-10-21T00:00:00Z", "2026-11-20T00:00:00Z"))

    def test_as_a_sheet(self):
        told = self.json()
        sheet = list(csv.DictReader(io.StringIO(self.synced.healthy("commitments", "--csv", now=NOW).stdout.decode(), newline="")))
        self.assertEqual([line["record"] for line in sheet], ["commitment"] * len(told["commitments"]) + ["coverage"] * len(told["coverage"]))
        for line, row in zip(sheet, told["commitments"] + told["coverage"], strict=True):
            for key in ("source", "cloud", "account", "id", "name", "terms", "machine", "region", "start", "end"):
                self.assertEqual(line[key], row.get(key) or "", key)
            self.assertEqual(line["kind"], row.get("kind") or row.get("by"))
            for key in ("per_hour", "unused", "on_demand"):
                self.assertEqual(line[key], row[key]["amount"] if row.get(key) else "", key)
            for key in ("utilization", "covered", "billed_utilization"):
                self.assertEqual(line[key], f"{row[key]:.6f}" if row.get(key) is not None else "", key)
            # The last day is included here.
            self.assertEqual((line["currency"], line["from"], line["to"]), ("USD", "2026-10-21", "2026-11-19"))

    def test_as_tables(self):
        told = self.json()
        done = self.synced.healthy("commitments", now=NOW)
        first, second = done.stdout.decode().split("\n\n")
        lines, covered = first.splitlines(), second.splitlines()
        self.assertEqual((lines[0].split(), covered[0].split()), (TITLES.split(), COVERAGE_TITLES.split()))
        self.assertEqual((len(lines), len(covered)), (1 + len(told["commitments"]), 1 + len(told["coverage"])))
        (plan,) = told["commitments"]
        for part in ("gpu-plan-1y", "any machine", f"AWS {plan['account']}", "2027-03-31", f"{amount(plan['per_hour']):.4f}", f"{plan['utilization'] * 100:.1f} %",
                     f"{plan['billed_utilization'] * 100:.1f} %", f"{amount(plan['unused']):.2f}", "USD"):
            self.assertIn(part, lines[1])
        for line, row in zip(covered[1:], told["coverage"], strict=True):
            for part in (row["machine"], "us-east-1", "savings plans", f"{row['covered'] * 100:.1f} %", f"{amount(row['on_demand']):.2f}", "2026-10-21 to 2026-11-19"):
                self.assertIn(part, line)
        self.assertIn("bill: read at 2026-11-21 12:00\n", done.text)
        self.assertEqual(self.synced.healthy("commitments", "--quiet", now=NOW).text, "")

    def test_a_source_that_was_never_read(self):
        self.synced.configure(configuration(OTHER, BILL))
        for form in ((), ("--csv",), ("--json",), ("--quiet",)):
            done = self.synced.run("commitments", *form, now=NOW)
            self.assertEqual(done.returncode, LOOK, done.text)
            self.assertIn(UNREAD, done.text)
            self.assertIn(b"gpu-plan-1y", done.stdout)  # what was read of the other is shown
        told = json.loads(self.synced.run("commitments", "--json", now=NOW).stdout)
        self.assertEqual([(one["source"], one["read_at"]) for one in told["sources"]], [("another", None), ("bill", NOW)])
        self.assertEqual({row["source"] for row in told["commitments"] + told["coverage"]}, {"bill"})

    def test_before_any_sync(self):
        program = self.program(OTHER, name="new")
        done = program.run("commitments", now=NOW)
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (LOOK, 1), done.text)
        self.assertIn(UNREAD, done.text)
        self.assertNotIn("was found", done.text)
        told = json.loads(program.run("commitments", "--json", now=NOW).stdout)
        self.assertEqual((told["commitments"], told["coverage"]), ([], []))

    def test_nothing_to_read(self):
        self.synced.configure(configuration("  - { name: claims, kind: demo-claims }\n"))
        done = self.synced.run("commitments", now=NOW)
        self.assertEqual((done.returncode, done.stdout), (USAGE, b""), done.text)
        self.assertSentence(done, "no source tells commitments")
        self.assertEqual(self.synced.run("commitments", "--cost", "billed", now=NOW).returncode, USAGE)

    def test_not_with_a_report(self):
        done = subprocess.run([self.synced.command()[0], "--data", self.synced.data, "--report", os.path.join(self.folder, "october.gpureport"), "commitments"],
                              env=self.synced.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)
        self.assertEqual((done.returncode, done.stdout), (REFUSED, b""), done.stderr)
        self.assertIn(b"a report is read-only and offline", done.stderr)


if __name__ == "__main__":
    unittest.main()
