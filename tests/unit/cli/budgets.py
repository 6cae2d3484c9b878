# SPDX-License-Identifier: GPL-3.0-or-later
"""`budgets`: the budgets of the demo company beside its bills, as text, JSON and CSV."""
import csv
import decimal
import io
import json
import os
import shutil
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "faults"), HERE]

from product import ProductTest, Program, configuration  # noqa: E402

NOW = "2026-11-21T12:00:00Z"
USAGE = 2
BILL = "  - { name: bill, kind: demo-bill, gpus: 56, days: 60, first_sync: 60d }\n"
# It has no bills in the cache.
OTHER = "  - { name: another, kind: demo-bill, gpus: 56, days: 60, first_sync: 60d }\n"
NAMES = ["EC2", "Bedrock", "All clouds", "ml-serving"]
KEYS = ["source", "cloud", "account", "name", "scope", "period", "from", "to", "limit", "spent", "forecast", "billed", "billed_through", "not_compared"]


def amount(money):
    return decimal.Decimal(money["amount"])


class Budgets(ProductTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home = tempfile.mkdtemp(prefix="gpuledgerbudgets")
        cls.addClassCleanup(shutil.rmtree, cls.home, True)
        cls.synced = Program(cls.home, configuration(BILL))
        cls.synced.healthy("sync", "--quiet", now=NOW, timeout=900)

    def configured(self, *sources):
        self.synced.configure(configuration(*sources))
        return self.synced

    def json(self, *options):
        return json.loads(self.synced.healthy("budgets", "--json", *options, now=NOW).stdout)

    def billed(self, cost):
        """What the ledger has of the month."""
        told = json.loads(self.synced.healthy("ledger", "--by", "source", "--cost", cost, "--from", "2026-11-01", "--to", "2026-12-01", "--json", now=NOW).stdout)
        (total,) = told["currencies"]
        return amount(total["bill"])

    def test_beside_the_bill(self):
        self.configured(BILL)
        for cost in ("effective", "billed"):
            told = self.json("--cost", cost)
            self.assertEqual((list(told), told["unread"], told["left_out"]), (["budgets", "unread", "left_out"], [], {"without_money": 0, "rejected": 0}))
            rows = {row["name"]: row for row in told["budgets"]}
            self.assertEqual(sorted(rows), sorted(NAMES))
            self.assertTrue(all(list(row) == KEYS and row["source"] == "bill" and amount(row["limit"]) > 0 for row in told["budgets"]))
            whole = rows["All clouds"]
            self.assertEqual((whole["period"], whole["from"], whole["to"], whole["scope"]), ("month", "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z", None))
            self.assertEqual((whole["billed_through"], whole["not_compared"], amount(whole["billed"])), ("2026-11-19", None, self.billed(cost)))
            self.assertTrue(0 < amount(whole["spent"]) < amount(whole["billed"]) < amount(whole["forecast"]))  # the cloud is a day behind
            for name in ("EC2", "Bedrock", "ml-serving"):
                self.assertEqual([rows[name][key] for key in ("billed", "billed_through", "not_compared")], [None, None, "only-part"])
            self.assertEqual([rows["ml-serving"][key] for key in ("spent", "forecast")], [None, None])
            self.assertEqual(rows["EC2"]["scope"], "Service: Amazon Elastic Compute Cloud")
        listed = {row["name"]: row["not_compared"] for row in self.json("--cost", "list")["budgets"]}
        self.assertEqual((listed["All clouds"], listed["EC2"]), ("list-prices", "only-part"))

    def test_as_a_table(self):
        self.configured(BILL)
        rows = self.json()["budgets"]
        sheet = list(csv.DictReader(io.StringIO(self.synced.healthy("budgets", "--csv", now=NOW).stdout.decode(), newline="")))
        for line, row in zip(sheet, rows, strict=True):
            for key in ("limit", "spent", "forecast", "billed"):
                self.assertEqual(line[key], row[key]["amount"] if row[key] else "")
            for key in ("source", "cloud", "account", "name", "scope", "period", "billed_through", "not_compared"):
                self.assertEqual(line[key], row[key] or "")
            self.assertEqual((line["currency"], line["from"]), ("USD", row["from"][:10]))
        self.assertEqual({line["to"] for line in sheet if line["period"] == "month"}, {"2026-11-30"})
        done = self.synced.healthy("budgets", now=NOW)
        lines = done.stdout.decode().splitlines()
        self.assertEqual(lines[0].split(), "budget limited to account period limit spent (cloud) forecast (cloud) bill so far bill through currency".split())
        (whole,) = [line for line in lines if line.startswith("All clouds")]
        (row,) = [row for row in rows if row["name"] == "All clouds"]
        for part in ("demo-company", "2026-11-01 to 2026-11-30", "2026-11-19", "USD", *(f"{amount(row[key]):.2f}" for key in ("limit", "billed"))):
            self.assertIn(part, whole)
        self.assertIn("3 budgets are not compared: only for a part of the source's bill, or counted in another way", done.text)
        self.assertEqual(self.synced.healthy("budgets", "--quiet", now=NOW).text, "")

    def test_a_source_without_bills(self):
        self.configured(OTHER, BILL)
        told = self.json()["budgets"]
        self.assertEqual([row["source"] for row in told], ["another"] * 4 + ["bill"] * 4)
        self.assertEqual([row["not_compared"] for row in told if row["name"] == "All clouds"], ["not-billed", None])
        done = self.synced.healthy("budgets", "--csv", now=NOW)
        self.assertEqual(len(done.stdout.splitlines()), 9)
        self.assertIn("1 budget is not compared: the bill lacks days of the period", done.text)

    def test_nothing_to_read(self):
        self.configured("  - { name: claims, kind: demo-claims }\n")
        done = self.synced.run("budgets", now=NOW)
        self.assertEqual((done.returncode, done.stdout), (USAGE, b""), done.text)
        self.assertSentence(done, "no source tells budgets", "sources add NAME with --kind aws-costs")
        self.assertEqual(self.synced.run("budgets", "--cost", "free", now=NOW).returncode, USAGE)


if __name__ == "__main__":
    unittest.main()
