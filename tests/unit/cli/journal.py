# SPDX-License-Identifier: GPL-3.0-or-later
"""The journal of a month: every entry balances to the cent, equals the statement, and leaves no team out."""
import collections
import csv
import decimal
import io
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "faults"))
sys.path.insert(0, HERE)

from bills import amount  # noqa: E402
from close import LATER, RULES, MonthTest, charge  # noqa: E402
from product import configuration  # noqa: E402

Decimal = decimal.Decimal
COLUMNS = ["date", "reference", "account", "cost_center", "debit", "credit", "currency", "description"]
ACCOUNTS = """chargeback:
  clearing_account: "1590"
  accounts: { vision: { account: "6200", cost_center: CC-17 }, speech: { account: "6200", cost_center: CC-18 } }
  by_category: { tax: "6300" }
"""
DEFAULT = '  default_account: "6999"\n'
ROWS = [charge(1, "10.006"), charge(1, "20.006", "speech"), charge(1, "0.003", "odd"), charge(1, "3", BillingCurrency="JPY"),
        charge(1, "-1.5", ChargeCategory="Credit"), charge(1, "2.004", "speech", ChargeCategory="Tax")]


class Journal(MonthTest):
    def made(self, accounts=ACCOUNTS + DEFAULT):
        program = self.billed()
        program.configure(configuration(*self.sources) + RULES + accounts)
        self.bring(program, ROWS)
        return program

    def journal(self, program, month="2025-01", *arguments, status=0, now=LATER):
        done = program.run("showback", "--month", month, "--format", "journal", *arguments, now=now)
        self.assertEqual(done.returncode, status, done.text)
        self.told = done.text
        reader = csv.DictReader(io.StringIO(done.stdout.decode()))
        rows = list(reader)
        self.assertEqual(reader.fieldnames, COLUMNS)
        return rows

    def number(self, text):
        return Decimal(text or 0)

    def balance(self, rows):
        sums = collections.defaultdict(Decimal)
        for row in rows:
            self.assertTrue(bool(row["debit"]) != bool(row["credit"]), row)
            self.assertGreater(self.number(row["debit"]) + self.number(row["credit"]), 0)
            sums[row["reference"], row["currency"]] += self.number(row["debit"]) - self.number(row["credit"])
        self.assertEqual(set(sums.values()), {Decimal(0)})

    def test_lines_balance_and_come_to_the_statement(self):
        program = self.made()
        rows = self.journal(program)
        self.balance(rows)
        self.assertEqual({r["date"] for r in rows}, {"2025-01-31"})
        self.assertEqual({r["reference"] for r in rows}, {"gpu-2025-01-billed-draft"})
        statement = self.ask(program, "2025-01")
        for currency, digits in (("USD", Decimal("0.01")), ("JPY", Decimal(1))):
            cost = next(amount(c["cost"]) for c in statement["currencies"] if c["currency"] == currency)
            clearing = sum(self.number(r["credit"]) - self.number(r["debit"]) for r in rows if r["account"] == "1590" and r["currency"] == currency)
            self.assertEqual(clearing, cost.quantize(digits, decimal.ROUND_HALF_UP))
        got = {(r["account"], r["cost_center"], r["currency"]) for r in rows}
        self.assertTrue({("6200", "CC-17", "USD"), ("6200", "CC-18", "USD"), ("6300", "CC-18", "USD"), ("6200", "CC-17", "JPY")} <= got, got)
        self.assertIn("rounded; the statement says 30.519000000", self.told)
        effective = self.journal(program, "2025-01", "--cost", "effective")
        self.assertEqual({r["reference"] for r in effective}, {"gpu-2025-01-effective-draft"})

    def test_one_team_has_its_lines_of_the_whole(self):
        program = self.made()
        own = [r for r in self.journal(program) if "speech" in r["description"]]
        alone = self.journal(program, "2025-01", "--team", "speech")
        self.balance(alone)
        self.assertEqual([r for r in alone if r["account"] != "1590"], own)
        self.assertEqual(program.run("showback", "--month", "2025-01", "--format", "journal", "--team", "nobody", now=LATER).returncode, 2)

    def test_teams_without_account_are_named(self):
        program = self.made(ACCOUNTS)
        self.bring(program, [*ROWS, charge(1, "5", "audio"), charge(1, "5", "")], name="b.csv")
        out = os.path.join(self.folder, "journal.csv")
        done = program.run("showback", "--month", "2025-01", "--format", "journal", "--out", out, now=LATER)
        self.assertEqual(done.returncode, 5, done.text)
        self.assertIn("no account is configured for audio", done.text)
        self.assertFalse(os.path.exists(out))
        program.configure(configuration(*self.sources) + RULES)
        done = program.run("showback", "--month", "2025-01", "--format", "journal", now=LATER)
        self.assertEqual(done.returncode, 3, done.text)
        self.assertIn("chargeback.clearing_account", done.text)

    def test_closed_month_and_its_adjustments(self):
        program = self.made()
        hash_of = self.closed(program, "2025-01", "--reason", "test")["status"]["hash"]
        first = self.journal(program)
        self.assertEqual({r["reference"] for r in first}, {"gpu-2025-01-billed-" + hash_of[:12]})
        self.bring(program, [*ROWS, charge(1, "7.77")])  # restated
        self.bring(program, [charge(2, "100")], name="feb.csv")
        self.assertEqual(self.journal(program), first)
        printed = {program.run("showback", "--month", "2025-01", "--format", "journal", now=LATER).stdout for _ in range(3)}
        self.assertEqual(len(printed), 1, "the same bytes in every process")
        february = self.journal(program, "2025-02")
        self.balance(february)
        told = [r for r in february if r["reference"] == "gpu-2025-02-billed-draft-adjusts-2025-01"]
        self.assertEqual([(r["debit"], r["credit"]) for r in told], [("7.77", ""), ("", "7.77")])
        self.assertIn("adjustment of 2025-01, closed 2025-06-10", told[0]["description"])

    def test_estimates_are_left_out_and_said(self):
        program = self.billed("  - { name: demo, kind: demo, gpus: 8, days: 1, first_sync: 6h }\n")
        now = "2025-03-31T00:00:00Z"
        for include in (False, True):
            program.configure(configuration(*self.sources) + RULES + ACCOUNTS + DEFAULT + f"  include_estimate: {str(include).lower()}\n")
            program.healthy("sync", now=now)
            rows = self.journal(program, "2025-03", now=now)
            self.assertEqual(bool(rows), include)
            self.assertEqual("chargeback.include_estimate" in self.told, not include)
            self.balance(rows) if rows else None
        estimated = sum(amount(c["estimated"]) for c in self.ask(program, "2025-03", now=now)["currencies"])
        charged = sum(self.number(r["credit"]) for r in rows if r["account"] == "1590")
        self.assertEqual(charged, estimated.quantize(Decimal("0.01"), decimal.ROUND_HALF_UP))

    def test_file_and_formulas(self):
        program = self.made(ACCOUNTS + DEFAULT.replace("6999", "=6999"))
        out = os.path.join(self.folder, "journal.csv")
        program.healthy("showback", "--month", "2025-01", "--format", "journal", "--out", out, now=LATER)
        with open(out, encoding="utf-8", newline="") as file:
            text = file.read()
        self.assertEqual(text.encode(), program.healthy("showback", "--month", "2025-01", "--format", "journal", now=LATER).stdout)
        for row in csv.DictReader(io.StringIO(text)):
            self.assertFalse([v for v in row.values() if v[:1] in ("=", "+", "@", "\t")], row)


if __name__ == "__main__":
    unittest.main()
