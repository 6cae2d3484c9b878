#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`forecast` on the demo fleet: what was spent is what `summary` says, budgets are judged by it, and wrong ones are refused."""
import csv
import io
import json
import os
import sqlite3
import sys
import unittest
import zipfile
from decimal import Decimal

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "faults"))

from product import ProductTest, Program, configuration  # noqa: E402

FLEET = "  - { name: demo, kind: demo, gpus: 8, days: 60, first_sync: 26d }\n"
NOW, EARLY = "2025-03-26T12:00:00Z", "2025-03-10T06:00:00Z"
WRONG_USAGE, WRONG_FILE = 2, 3


BILL_COLUMNS = ("BilledCost", "EffectiveCost", "BillingAccountId", "BillingCurrency", "BillingPeriodStart", "BillingPeriodEnd", "ChargePeriodStart",
                "ChargePeriodEnd", "ChargeCategory", "ProviderName", "ServiceCategory", "ServiceName", "ResourceId", "ConsumedQuantity", "ConsumedUnit")
GROWTH = {1: Decimal("0.5"), 2: Decimal("0.8")}  # the part of its final amount that a day has at an age; 1 from then on


def amount(money):
    return Decimal(money["amount"])


class ForecastTest(ProductTest):
    def program(self, budgets="[]"):
        return Program(self.folder, configuration(FLEET) + f"budgets: {budgets}\n")

    def answer(self, program, *options, now=NOW):
        return json.loads(program.healthy("forecast", *options, "--json", now=now).stdout)

    def test_spent_is_what_the_summary_says(self):
        program = self.program()
        program.healthy("sync", now=NOW)
        for by in ("team", "cluster", "gpu-model"):
            answer = self.answer(program, "--by", by)
            summary = json.loads(program.healthy("summary", "--by", by, "--from", "2025-03-01", "--to", NOW, "--json", now=NOW).stdout)
            costs = {row["key"]: amount(row["cost"]["total"]) for row in summary["rows"] if row["cost"]["total"]}
            self.assertTrue(costs, by)
            self.assertEqual({row["key"]: amount(row["spent"]) for row in answer["rows"] if row["key"] in costs}, costs, by)
            self.assertEqual(amount(answer["total"]["spent"]), sum(costs.values()), by)
            for row in answer["rows"]:
                if row["key"] not in costs:  # it has no price
                    self.assertEqual((row["spent"], row["expected"], row["method"]), (None, None, "none"), row)
                    continue
                self.assertEqual((row["period"], row["unknown_days"], row["days_left"]), ("2025-03", 0, 6), row)
                self.assertEqual(row["method"], "weekly", row)
                self.assertLessEqual(amount(row["low"]), amount(row["expected"]), row)
                self.assertLessEqual(amount(row["expected"]), amount(row["high"]), row)
                self.assertGreaterEqual(amount(row["low"]), amount(row["spent"]), row)

    def test_fewer_than_two_weeks_are_a_run_rate(self):
        program = Program(self.folder, configuration(FLEET.replace("26d", "9d")))
        program.healthy("sync", now=EARLY)
        total = self.answer(program, now=EARLY)["total"]
        self.assertEqual((total["method"], total["low"], total["high"], total["error_last_3_months"]), ("run-rate", None, None, None))
        self.assertIn("run rate", program.healthy("forecast", now=EARLY).stdout.decode())

    def test_budgets(self):
        first = self.program()
        first.healthy("sync", now=NOW)
        row = self.answer(first)["rows"][0]
        half = amount(row["spent"]) * 2
        first.configure(configuration(FLEET) + "budgets:\n"
                        f"  - {{ team: {row['key']}, period: month, amount: \"{half}\", warn: [0.4, 0.5, 0.9], forecast: true }}\n"
                        "  - { team: nobody-yet, period: quarter, amount: \"100\", warn: [0.5] }\n")
        rows = {one["key"]: one for one in self.answer(first)["rows"]}
        budget = rows[row["key"]]["budgets"][0]
        self.assertEqual(amount(budget["available"]), half)
        self.assertEqual((budget["share"], budget["crossed"], budget["carried"]), (0.5, 0.5, None))
        self.assertAlmostEqual(budget["forecast_share"], float(amount(budget["expected"]) / half), 6)
        nobody = rows["nobody-yet"]["budgets"][0]
        self.assertEqual((nobody["period"], nobody["share"], nobody["crossed"]), ("2025-Q1", 0, None))
        self.assertIn("50.0 %", first.healthy("forecast", now=NOW).stdout.decode())
        table = list(csv.DictReader(io.StringIO(first.healthy("forecast", "--csv", now=NOW).stdout.decode())))
        self.assertEqual(Decimal(next(one for one in table if one["team"] == row["key"])["available"]), half)
        self.assertFalse(any(one["budgets"] for one in self.answer(first, "--by", "cluster")["rows"]))

    def statement(self, program, *options):
        done = program.run("showback", *options, now=NOW)
        self.assertIn(done.returncode, (0, 1), done.text)  # 1: there is no bill
        return done.stdout.decode()

    def test_statements_show_monthly_budgets(self):
        fleet = configuration(FLEET.replace("26d", "60d"))
        program = Program(self.folder, fleet)
        program.healthy("sync", now=NOW)
        march = json.loads(self.statement(program, "--month", "2025-03", "--json"))
        self.assertNotIn("budgets", march)
        team = next(one for one in march["currencies"][0]["teams"] if one["team"] not in (None, "unowned", "shared"))
        spent = amount(team["total"])
        self.assertGreater(spent, 0)
        budgets = ("budgets:\n"
                   f"  - {{ team: {team['team']}, period: month, amount: \"{spent * 4}\", carry_over: true }}\n"
                   f"  - {{ team: {team['team']}, period: quarter, amount: \"100\" }}\n"
                   "  - { team: nobody-yet, period: month, amount: \"100\" }\n")
        program.configure(fleet + budgets)
        february = json.loads(self.statement(program, "--month", "2025-02", "--json"))
        before = next((amount(one["total"]) for one in february["currencies"][0]["teams"] if one["team"] == team["team"]), Decimal(0))
        own, nobody = json.loads(self.statement(program, "--month", "2025-03", "--json"))["budgets"]
        self.assertEqual((own["team"], amount(own["spent"])), (team["team"], spent))
        self.assertEqual(amount(own["carried"]), spent * 4 - before)  # January was not fetched from its begin
        self.assertEqual(amount(own["available"]), spent * 8 - before)
        self.assertEqual(amount(own["left"]), amount(own["available"]) - spent)
        self.assertAlmostEqual(own["share"], float(spent / amount(own["available"])), 6)
        self.assertEqual((amount(nobody["spent"]), nobody["carried"], nobody["share"]), (0, None, 0))
        row = next(one for one in self.answer(program)["rows"] if one["key"] == team["team"])
        for key in ("expected", "low", "high"):  # what is left of the month is expected beside what the statement has
            self.assertEqual(amount(own[key]) - spent, amount(row[key]) - amount(row["spent"]), key)
        table = list(csv.DictReader(io.StringIO(self.statement(program, "--month", "2025-03", "--csv"))))
        line = next(one for one in table if one["category"] == "budget" and one["team"] == team["team"])
        self.assertEqual([Decimal(line[key]) for key in ("budget_available", "forecast", "cost", "estimated")],
                         [amount(own["available"]), amount(own["expected"]), 0, 0])
        self.assertEqual(sum(Decimal(one["cost"]) + Decimal(one["estimated"]) for one in table if one["team"] == team["team"]), spent)
        page = os.path.join(self.folder, "march.html")
        self.statement(program, "--month", "2025-03", "--out", page)
        with open(page, encoding="utf-8") as html:
            self.assertIn("Budgets of the month", html.read())
        before = json.loads(self.statement(program, "--month", "2025-02", "--json"))["budgets"]
        self.assertEqual({one["expected"] for one in before}, {None})  # the month is over
        program.run("showback", "--month", "2025-02", "--close", "--yes", "--reason", "no bill", now=NOW)
        closed = json.loads(self.statement(program, "--month", "2025-02", "--json"))
        self.assertEqual((closed["status"]["state"], closed.get("budgets")), ("closed", None))
        self.assertEqual(json.loads(self.statement(program, "--month", "2025-03", "--json"))["budgets"][0]["carried"], own["carried"])
        program.configure(fleet + budgets + "fiscal_year_starts: 3\n")  # nothing of February is carried over
        fiscal = json.loads(self.statement(program, "--month", "2025-03", "--json"))["budgets"][0]
        self.assertEqual((fiscal["carried"], amount(fiscal["available"])), (None, spent * 4))
        self.assertEqual(self.answer(program, "--period", "year")["total"]["period"], "2025/26")
        program.configure(fleet + budgets)
        only = json.loads(self.statement(program, "--month", "2025-03", "--team", team["team"], "--json"))["budgets"]
        self.assertEqual(only, [own])
        self.assertIn("Budgets of the month", self.statement(program, "--month", "2025-03"))
        file = os.path.join(self.folder, "march.xlsx")
        self.statement(program, "--month", "2025-03", "--out", file)
        with zipfile.ZipFile(file) as book:
            self.assertIn(b'name="Budgets"', book.read("xl/workbook.xml"))
            self.assertTrue(any(f"<v>{float(own['share']):.6f}"[:9] in book.read(name).decode() for name in book.namelist() if "/sheet" in name))

    def write_bill(self, path, program, today, final):
        """March until the day before, each day of each machine at 240, as far as the bill knew it on that day, or final."""
        with sqlite3.connect(f"file:{program.cache}?mode=ro", uri=True) as db:
            machines = [row[0].rsplit("/", 1)[1] for row in db.execute("SELECT provider_id FROM node WHERE cloud = 'aws' ORDER BY name")]
        self.assertTrue(machines)
        with open(path, "w", encoding="utf-8", newline="") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow(BILL_COLUMNS)
            for day in range(2, today):
                cost = 240 * (Decimal(1) if final else GROWTH.get(today - day, Decimal(1)))
                for machine in machines:
                    out.writerow((cost, cost, "acc", "USD", "2025-03-01T00:00:00Z", "2025-04-01T00:00:00Z", f"2025-03-{day:02}T00:00:00Z",
                                  f"2025-03-{day + 1:02}T00:00:00Z", "Usage", "AWS", "Compute", "Amazon Elastic Compute Cloud",
                                  f"arn:aws:ec2:us-east-1:1:instance/{machine}", cost / 10, "Hours"))
        os.utime(path, (1, 1))  # no longer being written

    def billed(self, name, days, final=False):
        """A program that synced at noon of these days, with the bill of each."""
        folder = os.path.join(self.folder, name)
        bills = os.path.join(folder, "bills")
        os.makedirs(bills)
        program = Program(folder, configuration(FLEET.replace("26d", "1d"), f"  - {{ name: bill, kind: focus, path: {bills} }}\n"))
        program.healthy("sync", "--source", "demo", now="2025-03-02T12:00:00Z")
        for day in days:
            now = f"2025-03-{day:02}T12:00:00Z"
            program.healthy("sync", "--source", "demo", now=now)
            self.write_bill(os.path.join(bills, "march.csv"), program, day, final)
            program.healthy("sync", "--source", "bill", now=now)
        return program

    def test_unfinished_bill_days_are_completed_by_how_days_grew(self):
        program, late = self.billed("daily", range(3, 27)), self.billed("once", [26])
        truth = amount(self.answer(self.billed("final", [26], final=True))["total"]["expected"])
        total, without = self.answer(program)["total"], self.answer(late)["total"]
        self.assertEqual((total["completed_days"], total["open_days"]), (2, 0), total)
        # Without history it is unknown of which days the bill is final.
        self.assertEqual((without["completed_days"], without["open_days"]), (0, 9), without)
        self.assertEqual(amount(total["spent"]), amount(without["spent"]))
        self.assertLess(amount(without["expected"]), amount(total["expected"]))
        self.assertLess(abs(amount(total["expected"]) - truth), abs(amount(without["expected"]) - truth) / 2)
        self.assertGreater(amount(total["high"]) - amount(total["expected"]), 0)
        self.assertIn("2 days with unfinished bills", program.healthy("forecast", now=NOW).stdout.decode())
        self.assertIn("9 days with bills that may still grow", late.healthy("forecast", now=NOW).stdout.decode())
        by_price_book = json.loads(program.healthy("forecast", "--cost", "list", "--json", now=NOW).stdout)["total"]
        self.assertEqual((by_price_book["completed_days"], by_price_book["open_days"]), (0, 0))
        with sqlite3.connect(f"file:{program.cache}?mode=ro", uri=True) as db:
            grown = db.execute("SELECT at_day - day, count(*) FROM bill_growth WHERE day = (SELECT min(day) + 5 FROM bill_growth) GROUP BY 1").fetchall()
        self.assertEqual(grown, [(1, 1), (2, 1), (3, 1)])  # a row only where an import changed the day
        program.verify(now=NOW)

    ACCOUNTS = {"111": ("ml-platform", 120), "222": ("research", 60)}  # by id: name, and cost of half a day of each machine

    def accounts_bill(self, program, folder):
        """From 2 to 24 March, half of each day of each machine in one account, half in the other."""
        with sqlite3.connect(f"file:{program.cache}?mode=ro", uri=True) as db:
            machines = [row[0].rsplit("/", 1)[1] for row in db.execute("SELECT provider_id FROM node WHERE cloud = 'aws' ORDER BY name")]
        path = os.path.join(folder, "march.csv")
        with open(path, "w", encoding="utf-8", newline="") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow((*BILL_COLUMNS, "SubAccountId", "SubAccountName"))
            for day in range(2, 25):
                for half, (account, (name, cost)) in enumerate(self.ACCOUNTS.items()):
                    begin, end = f"2025-03-{day:02}T{12 * half:02}:00:00Z", f"2025-03-{day + half:02}T{12 - 12 * half:02}:00:00Z"
                    for machine in machines:
                        out.writerow((cost, cost, "payer", "USD", "2025-03-01T00:00:00Z", "2025-04-01T00:00:00Z", begin, end, "Usage", "AWS", "Compute",
                                      "Amazon Elastic Compute Cloud", f"arn:aws:ec2:us-east-1:1:instance/{machine}", 12, "Hours", account, name))
        os.utime(path, (1, 1))  # no longer being written

    def test_projects_cost_what_the_ledger_says(self):
        bills = os.path.join(self.folder, "bills")
        os.makedirs(bills)
        sources = configuration(FLEET, f"  - {{ name: bill, kind: focus, path: {bills} }}\n")
        program = Program(self.folder, sources)
        program.healthy("sync", "--source", "demo", now=NOW)
        budgets = "budgets: [ { project: ml-platform, period: month, amount: \"100\" } ]\n"
        program.configure(sources + budgets)
        unbilled = {row["key"]: row for row in self.answer(program, "--by", "project")["rows"]}
        self.assertIsNone(unbilled["ml-platform"]["spent"])  # unknown, and not 0
        self.accounts_bill(program, bills)
        program.healthy("sync", "--source", "bill", now=NOW)
        program.configure(sources)
        answer = self.answer(program, "--by", "project")
        rows = {row["key"]: row for row in answer["rows"]}
        self.assertLessEqual(set(self.ACCOUNTS), set(rows))
        ledger = json.loads(program.healthy("ledger", "--by", "account,category", "--from", "2025-03-01", "--to", "2025-03-26", "--json", now=NOW).stdout)
        costs = {}
        for row in ledger["rows"]:
            if row["category"] == "gpu":
                costs[row["account"] or ""] = amount(row["effective"]) + (amount(row["priced"]) if row["priced"] else 0)
        self.assertEqual({key: amount(row["spent"]) for key, row in rows.items()}, costs)
        self.assertEqual(amount(answer["total"]["spent"]), sum(costs.values()))
        for key, (name, _) in self.ACCOUNTS.items():
            self.assertEqual((rows[key]["name"], rows[key]["unknown_days"]), (name, 2))  # the 1st and the 25th are on no bill
            self.assertGreater(amount(rows[key]["expected"]), amount(rows[key]["spent"]))
        self.assertIn("111 (ml-platform)", program.healthy("forecast", "--by", "project", now=NOW).stdout.decode())
        spent = amount(rows["111"]["spent"])
        budgets = (f"budgets: [ {{ project: ml-platform, period: month, amount: \"{spent * 2}\" }}, {{ project: \"222\", period: month, amount: \"1000000000\" }},"
                   " { project: nobody-yet, period: month, amount: \"5\" } ]\n")
        rules = "".join(f"  - {{ name: {metric}, when: {{ metric: {metric}, per: project, above: {bound} % }} }}\n" for metric, bound in (("budget", 40), ("forecast", 55)))
        program.configure(sources + budgets + "alerts:\n" + rules)
        judged = {row["key"]: row["budgets"] for row in self.answer(program, "--by", "project")["rows"]}
        self.assertEqual(judged["111"][0]["share"], 0.5)
        self.assertEqual((len(judged["222"]), judged["nobody-yet"][0]["share"]), (1, 0))
        evaluated = program.run("alerts", "evaluate", "--json", now=NOW)
        self.assertEqual(evaluated.returncode, 1, evaluated.text)
        firing = json.loads(evaluated.stdout)["firing"]
        self.assertEqual([(one["rule"], one["scope"]) for one in firing], [("budget", "ml-platform"), ("forecast", "ml-platform")])
        self.assertEqual(program.run("forecast", "--by", "project", "--cost", "list", now=NOW).returncode, WRONG_USAGE)
        self.assertEqual(program.run("forecast", "--by", "project", "--cloud", "aws", now=NOW).returncode, WRONG_USAGE)

    def test_suggested_budgets_can_be_pasted(self):
        late, end = "2025-05-06T12:00:00Z", "2025-05-01"
        fleet = configuration(FLEET.replace("26d", "70d").replace("days: 60", "days: 80"))
        program = Program(self.folder, fleet)
        program.healthy("sync", now=late)
        suggested = json.loads(program.healthy("forecast", "--suggest", "--json", now=late).stdout)["budgets"]
        self.assertTrue(suggested)
        months = {}
        for begin, month_end in (("2025-04-01", end), ("2025-03-01", "2025-04-01")):
            summary = json.loads(program.healthy("summary", "--by", "team", "--from", begin, "--to", month_end, "--json", now=late).stdout)
            for row in summary["rows"]:
                months.setdefault(row["key"], []).append(row["cost"]["total"])
        for one in suggested:
            whole = [amount(months[one["key"]][{"2025-04": 0, "2025-03": 1}[name]]) for name in one["from"]]
            self.assertGreaterEqual(len(whole), 2, one)
            self.assertGreaterEqual(amount(one["amount"]), max(whole), one)
            self.assertLessEqual(amount(one["amount"]), max(whole) * Decimal("1.1"), one)
        yaml = program.healthy("forecast", "--suggest", now=late).stdout.decode()
        program.configure(fleet + yaml)
        rows = {row["key"]: row for row in self.answer(program, now=late)["rows"]}
        for one in suggested:
            self.assertEqual([amount(budget["available"]) for budget in rows[one["key"]]["budgets"]], [amount(one["amount"])])
        self.assertEqual(program.run("forecast", "--suggest", "--by", "region", now=late).returncode, WRONG_USAGE)

    def test_wrong_budgets_and_options(self):
        for budgets in ("[ { team: a, period: month, amount: \"0\" } ]", "[ { period: month, amount: \"5\" } ]",
                        "[ { team: a, cluster: b, period: month, amount: \"5\" } ]"):
            done = self.program(budgets).run("forecast", now=NOW)
            self.assertEqual(done.returncode, WRONG_FILE, budgets)
            self.assertIn("budgets[0]", done.text)
        self.assertEqual(self.program().run("forecast", "--by", "moon", now=NOW).returncode, WRONG_USAGE)


if __name__ == "__main__":
    unittest.main()
