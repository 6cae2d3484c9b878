# SPDX-License-Identifier: GPL-3.0-or-later
"""One price for one GPU-hour: for whole UTC days, each page's money of a team is the same, on the demo company and its bills."""
import decimal
import json
import os
import shutil
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "faults"), HERE]

from product import ProductTest, Program, configuration  # noqa: E402

Decimal = decimal.Decimal
DEMO = "  - {{ name: {name}, kind: {kind}, gpus: 56, days: 46, first_sync: 46d }}\n"
FLEET = DEMO.format(name="demo", kind="demo") + DEMO.format(name="bill", kind="demo-bill")
OWNERS = "owners:\n  - { label: team }\n"
BILLED = ("--from", "2025-03-10", "--to", "2025-03-20")
WITH_EXPECTED = ("--from", "2025-03-30", "--to", "2025-04-07")
NOW = "2025-04-07T00:00:00Z"
CENT = Decimal("0.005")  # to the cent: parts are rounded to a billionth, each by itself


def amount(money):
    return Decimal(money["amount"]) if money else Decimal(0)


class Valuation(ProductTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.mkdtemp(prefix="gpuledgervaluation")
        cls.addClassCleanup(shutil.rmtree, folder, True)
        cls.company = Program(folder, configuration(FLEET) + OWNERS)
        cls.company.healthy("sync", "--quiet", now=NOW)

    def ask(self, *arguments):
        return json.loads(self.company.healthy(*arguments, "--json", "--quiet", now=NOW).stdout)

    def ledger(self, *range_):
        """By team: effective cost of the GPU machines that telemetry saw, and the estimates of what is on no bill."""
        teams = {}
        for row in self.ask("ledger", "--by", "team,category,match,origin", "--cost", "effective", *range_)["rows"]:
            if row["category"] not in ("gpu", "not-billed"):
                continue
            seen = row["match"] not in ("", "none", None)
            teams[row["team"]] = teams.get(row["team"], 0) + (amount(row["effective"]) if seen else amount(row["priced"]))
        return {team: cost for team, cost in teams.items() if cost}

    def same(self, left, right):
        self.assertTrue(left)
        self.assertEqual(set(left), set(right))
        for team, cost in left.items():
            self.assertLess(abs(cost - right[team]), CENT, team)

    def test_summary_and_ledger_agree(self):
        for days in (BILLED, WITH_EXPECTED):
            rows = self.ask("summary", "--by", "team", *days)["rows"]
            self.same({row["key"]: amount(row["cost"]["total"]) for row in rows}, self.ledger(*days))

    def test_heat_map_and_ledger_agree(self):
        rows = self.ask("heatmap", "--by", "team", "--bins", "day", "--metric", "cost", *BILLED)["rows"]
        self.same({row["key"]: sum(amount(cell["value"]) for cell in row["cells"]) for row in rows}, self.ledger(*BILLED))

    def test_most_of_it_is_billed_and_the_rest_is_expected(self):
        """The test would say nothing about bills if none applied."""
        billed = self.ask("ledger", "--by", "category", "--cost", "effective", *BILLED)["rows"]
        gpu = next(row for row in billed if row["category"] == "gpu")
        self.assertGreater(amount(gpu["effective"]), 0)
        figure = self.ask("summary", *WITH_EXPECTED)["total"]["figures"]["cost.total"]
        proof = self.company.healthy("explain", figure, "--quiet", now=NOW).stdout.decode()
        self.assertIn("bill, effective cost", proof)
        self.assertIn("expected: as ", proof)


if __name__ == "__main__":
    unittest.main()
