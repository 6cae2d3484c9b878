# SPDX-License-Identifier: GPL-3.0-or-later
"""How certain a team's total is: on the demo company and its bills, ranges hold only what could be that team's."""
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
DEMO = "  - {{ name: {name}, kind: {kind}, gpus: 256, days: 40, first_sync: 40d }}\n"
FLEET = DEMO.format(name="demo", kind="demo") + DEMO.format(name="bill", kind="demo-bill")
OWNERS = "owners:\n  - { label: team }\n  - { namespace_label: team }\n  - { cloud_tag: team }\n  - { default: unowned }\n"
NOW = "2025-04-08T00:00:00Z"
CENTRAL = ("commitment", "purchase", "support", "tax", "credit")
NOBODY = ("unowned", "shared")


def amount(money):
    return Decimal(money["amount"])


def width(team):
    return amount(team["total_range"]["high"]) - amount(team["total_range"]["low"])


def unowned_in(team):
    """What has no owner and may be this team's; its range has shared GPUs as well."""
    return sum(abs(amount(doubt["amount"])) for doubt in team["total_range"]["doubts"] if doubt["reason"] == "unowned")


def cost(line):
    return amount(line["cost"]) + amount(line["estimated"])


class Certainty(ProductTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.mkdtemp(prefix="gpuledgercertainty")
        cls.addClassCleanup(shutil.rmtree, folder, True)
        cls.company = Program(folder, configuration(FLEET) + OWNERS)
        cls.company.healthy("sync", "--quiet", now=NOW)

    def statement(self, view):
        done = self.company.run("showback", "--month", "2025-03", "--cost", view, "--json", "--quiet", now=NOW)
        self.assertIn(done.returncode, (0, 1), done.text)  # 1: there is something to look at
        (currency,) = json.loads(done.stdout)["currencies"]
        return currency, {team["team"]: team for team in currency["teams"]}

    def test_mean_width_is_below_a_tenth(self):
        for view in ("billed", "effective"):
            currency, all_teams = self.statement(view)
            total = amount(currency["cost"]) + amount(currency["estimated"])
            teams = [team for name, team in all_teams.items() if name not in NOBODY]
            self.assertGreaterEqual(len(teams), 7)
            mean = sum(width(team) for team in teams) / len(teams)
            own = sum(width(team) / amount(team["total"]) for team in teams) / len(teams)
            print(f"\n{view}: mean width {mean:.2f} of {total:.2f} USD, {100 * mean / total:.1f} %; of the team's own total {100 * own:.1f} %",
                  file=sys.stderr)
            self.assertGreater(mean, 0)  # the demo has workloads without a label
            self.assertLess(mean, total / 10)

    def test_a_range_is_never_all_that_has_no_owner(self):
        """Commitments, support, tax and credits are the organisation's; time in another cluster is the neighbours' there."""
        currency, teams = self.statement("billed")
        unowned = teams["unowned"]
        self.assertEqual(cost({"cost": currency["unowned"], "estimated": {"amount": "0"}}), sum(cost(line) for line in unowned["lines"]))
        central = {line["category"]: cost(line) for line in unowned["lines"] if line["category"] in CENTRAL}
        self.assertTrue({"purchase", "support", "tax", "credit"} <= set(central), central)
        possible = sum(abs(cost(line)) for line in unowned["lines"] if line["category"] not in CENTRAL)
        for name, team in teams.items():
            if name not in NOBODY:
                self.assertLessEqual(unowned_in(team), possible, name)
        self.assertTrue(any(unowned_in(team) < possible for name, team in teams.items() if name not in NOBODY))
        self.assertLessEqual(width(unowned), possible)

    def test_the_closed_month_keeps_its_ranges(self):
        """Runs last: it closes the month."""
        before = {name: team["total_range"] for name, team in self.statement("billed")[1].items()}
        closed = self.company.run("showback", "--month", "2025-03", "--close", "--yes", "--reason", "a test", "--json", "--quiet", now=NOW)
        self.assertEqual(json.loads(closed.stdout)["status"]["state"], "closed", closed.text)
        self.assertEqual({name: team["total_range"] for name, team in self.statement("billed")[1].items()}, before)


if __name__ == "__main__":
    unittest.main()
