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
MARCH = ("--from", "2025-03-01", "--to", "2025-04-01")
WITH_EXPECTED = ("--from", "2025-03-30", "--to", "2025-04-07")
NOW = "2025-04-07T00:00:00Z"
CENT = Decimal("0.005")  # to the cent: parts are rounded to a billionth, each by itself


def amount(money):
    return Decimal(money["amount"]) if money else Decimal(0)


def worth(row):
    """What a line of the ledger costs: by its bill, else by its estimate; a machine that its cloud's bill lacks, by the price book."""
    if row["category"] == "not-billed":
        return amount(row["price_book"])
    return amount(row["effective"]) if row["origin"] == "billed" else amount(row["allocated"] or row["priced"])


def is_seen(row):
    """Telemetry saw the machine."""
    return row["origin"] != "billed" or row["category"] == "not-billed" or row["match"] not in ("", "none", None)


def by_team(rows, value):
    teams = {}
    for row in rows:
        teams[row["team"]] = teams.get(row["team"], 0) + value(row)
    return {team: cost for team, cost in teams.items() if cost}


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

    def gpu_lines(self, *range_):
        rows = self.ask("ledger", "--by", "team,category,match,origin", "--cost", "effective", *range_)["rows"]
        return [row for row in rows if row["category"] in ("gpu", "not-billed")]

    def costs(self, view, *range_):
        answer = self.ask("summary", "--by", "team", "--cost", view, *range_)
        self.assertEqual(answer["cost"], view)
        return {row["key"]: amount(row["cost"]["total"]) for row in answer["rows"] if amount(row["cost"]["total"])}

    def test_the_statement_of_a_closed_month_agrees(self):
        """Its GPU lines are those of the ledger to the nano-unit, and what telemetry saw of them is the summary."""
        done = self.company.healthy("showback", "--month", "2025-03", "--cost", "effective", "--close", "--yes", "--reason", "a test",
                                    "--json", "--quiet", now=NOW)
        statement = json.loads(done.stdout)
        self.assertEqual(statement["status"]["state"], "closed")
        (currency,) = statement["currencies"]
        lines = [{"team": team["team"], **line} for team in currency["teams"] for line in team["lines"] if line["category"] == "gpu"]
        rows = self.gpu_lines(*MARCH)
        self.assertEqual(by_team(lines, lambda line: amount(line["cost"]) + amount(line["estimated"])),
                         by_team([row for row in rows if row["category"] == "gpu"], worth))
        self.same(self.costs("effective", *MARCH), by_team([row for row in rows if is_seen(row)], worth))

    def test_billed_is_what_the_invoice_says(self):
        billed = self.costs("billed", *BILLED)
        rows = [row for row in self.gpu_lines(*BILLED) if row["origin"] == "billed" and is_seen(row)]
        self.same(billed, by_team(rows, lambda row: amount(row["billed"])))
        self.assertNotEqual(sum(billed.values()), sum(self.costs("effective", *BILLED).values()), "commitments make a difference")

    def test_what_is_on_no_bill_is_unknown(self):
        total = self.ask("summary", "--cost", "billed", *WITH_EXPECTED)["total"]
        self.assertGreater(total["gpu_hours"]["unpriced"], 0)
        self.assertLess(total["gpu_hours"]["unpriced"], total["gpu_hours"]["paid"])
        self.assertNotIn("figures", total)
        text = self.company.healthy("summary", "--cost", "billed", *WITH_EXPECTED, now=NOW).stdout.decode()
        self.assertIn("cost as billed", text)
        self.assertIn("GPU-hours are not on any bill yet", text)
        later = self.ask("summary", "--cost", "billed", "--from", "2025-04-06", "--to", "2025-04-07")["total"]
        self.assertEqual((later["gpu_hours"]["unpriced"], later["cost"]["total"]), (later["gpu_hours"]["paid"], None))

    def test_list_prices_do_not_ask_bills(self):
        """The same for a billed day and one that no bill covers yet: the price book, GPU by GPU."""
        listed = self.ask("summary", "--by", "node", "--cost", "list", *MARCH)
        later = {row["key"]: row for row in self.ask("summary", "--by", "node", "--cost", "list", *WITH_EXPECTED)["rows"]}
        self.assertTrue(listed["rows"])
        for row in listed["rows"]:
            other = later.get(row["key"])
            if not other or not row["cost"]["total"] or not other["cost"]["total"]:
                continue
            rates = [amount(one["cost"]["total"]) / Decimal(str(one["gpu_hours"]["paid"])) for one in (row, other)]
            self.assertLess(abs(rates[0] - rates[1]), Decimal("0.000001"), row["key"])
        self.assertNotIn("figures", listed["rows"][0])
        self.assertEqual(sum(amount(row["cost"]["total"]) for row in listed["rows"]), sum(self.costs("list", *MARCH).values()))
        self.assertNotEqual(sum(self.costs("list", *MARCH).values()), sum(self.costs("effective", *MARCH).values()))

    def test_every_page_takes_the_same_view(self):
        for view in ("effective", "billed", "list"):
            rows = self.ask("heatmap", "--by", "team", "--bins", "day", "--metric", "cost", "--cost", view, *BILLED)["rows"]
            told = {row["key"]: sum(amount(cell["value"]) for cell in row["cells"]) for row in rows}
            self.same({team: cost for team, cost in told.items() if cost}, self.costs(view, *BILLED))
            self.assertEqual("figures" in rows[0]["overall"], view == "effective")
        at = ("idle", "--at", "2025-03-20T12:00:00Z")
        lists = {view: self.ask(*at, "--cost", view) for view in ("effective", "billed", "list")}
        self.assertEqual({view: one["cost"] for view, one in lists.items()}, {view: view for view in lists})
        ids = [sorted(item["id"] for item in one["items"]) for one in lists.values()]
        self.assertTrue(ids[0])
        self.assertEqual((ids[0], ids[0]), (ids[1], ids[2]), "what is idle does not depend on the view")
        self.assertEqual(lists["effective"]["items"], self.ask(*at)["items"])
        rates = {view: sum(amount(item["rate_per_hour"]) for item in one["items"]) for view, one in lists.items()}
        self.assertNotEqual(rates["list"], rates["effective"])

    def test_a_plan_shows_the_money_of_the_idle_list(self):
        """It is of the effective cost, whatever the bills and the list prices are."""
        lists = {view: {item["id"]: item for item in self.ask("idle", "--cost", view)["items"]} for view in ("effective", "billed", "list")}
        for one in lists.values():
            for item in one.values():
                if item["rate_per_hour"]:
                    self.assertEqual(amount(item["per_month"]), 730 * amount(item["rate_per_hour"]))
                if item["avoidable_per_month"]:
                    self.assertEqual(amount(item["avoidable_per_month"]) + amount(item["sunk_per_month"]), amount(item["per_month"]))
        done = self.company.run("act", "plan", *list(lists["effective"])[:12], "--json", "--quiet", now=NOW)
        self.assertIn(done.returncode, (0, 5), done.text)
        planned = json.loads(done.stdout)["actions"]
        self.assertTrue(planned)
        for one in planned:
            parts = [lists["effective"][holder] for holder in one["holders"]]
            self.assertTrue(parts)
            if all(part["per_month"] for part in parts):
                self.assertEqual(amount(one["per_month"]), sum(amount(part["per_month"]) for part in parts))
        cost = [sum(amount(one[holder]["per_month"]) for action in planned for holder in action["holders"]) for one in (lists["effective"], lists["list"])]
        self.assertNotEqual(*cost, "the test says nothing if both views agree")

    def test_an_unknown_view_is_refused_by_name(self):
        for words in (("summary",), ("heatmap",), ("idle",), ("idle", "--waiting"), ("replay", "idle")):
            done = self.company.run(*words, "--cost", "cheap", now=NOW)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn("cheap", done.text)

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
