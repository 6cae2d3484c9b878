#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bill from Azure Cost Management, against a fake that follows the service's contract: the ledger has its totals in both views, to the cent,
and no final month is asked for twice."""
import datetime
import decimal
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

from azurecosts import APPLICATION, DROPPED, SCOPE, SECRET, SUBSCRIPTION, TENANT, AzureCosts, budget, charge, fault, reservation, savings_plan  # noqa: E402
from product import ProductTest, Program, configuration  # noqa: E402

NOW, LATER, NEXT_DAY = "2026-11-20T10:00:00Z", "2026-11-20T23:00:00Z", "2026-11-21T11:00:00Z"
MONTHS = (("2026-09-01", "2026-10-01"), ("2026-10-01", "2026-11-01"), ("2026-11-01", "2026-12-01"))
FAILED = 4
QUESTIONS = 6  # of a month: the total, the services and the machines, in two views
LOGINS = 2  # of a sync: for the bill and for the commitments
CENT = decimal.Decimal("0.01")


def days(begin, count):
    first = datetime.date.fromisoformat(begin)
    return [str(first + datetime.timedelta(number)) for number in range(count)]


def charges():
    """September, which is final, October, and November until the 19th: each kind of charge."""
    out = []
    for at, day in enumerate(days("2026-09-01", 30) + days("2026-10-01", 31) + days("2026-11-01", 19)):
        odd = round(decimal.Decimal(at + 1) / 7, 12)
        out += [
            charge(day, f"{88.15 + at:.6f}", tags={"team": "vision"}),
            charge(day, odd, meter="NC24ads A100 v4 Spot", resource="gpu-2", tags={"team": "nlp"}),
            charge(day, "0", "333.123456789012", meter="ND96isr H100 v5", resource="gpu-3"),
            charge(day, "1.2E-05", service="Storage", meter="LRS Data Stored", resource="disk-1"),
            charge(day, "4.25", service="Azure Machine Learning", meter="x", resource=""),
            charge(day, "0", "20.5", kind="UnusedReservation", resource=""),
        ]
    out += [charge(day, "12000", "0", kind="Purchase", resource="") for day in ("2026-09-01", "2026-10-01", "2026-11-01")]
    out += [charge("2026-10-03", "-500.5", "0", kind="Refund", resource=""), charge("2026-10-31", "0.01", kind="RoundingAdjustment", resource="")]
    return out


class AzureCostsTest(ProductTest):
    def setUp(self):
        super().setUp()
        self.server = AzureCosts(*charges())
        self.addCleanup(self.server.close)

    def costs(self, more="", first="60d"):
        program = Program(self.folder, configuration(
            f"  - {{ name: bill, kind: azure-costs, url: \"{self.server.url()}\", login: \"{self.server.url()}\", scope: {SUBSCRIPTION}, tenant: {TENANT}, "
            f"first_sync: {first}, auth: {{ type: basic, user: {APPLICATION}, password: env:AZURE_SECRET }}{more} }}\n"))
        program.environment.update(AZURE_SECRET=SECRET)
        return program

    def sync(self, program, now=NOW, status=0):
        done = program.run("sync", "--json", now=now)
        self.assertEqual(done.returncode, status, done.text)
        self.assertNotIn("canary", done.text + done.stdout.decode())
        one, = json.loads(done.stdout)["sources"]
        return one, done.text

    def ledger(self, program, by="account", first="2026-09-01", last="2026-12-01", now=NOW):
        return json.loads(program.healthy("ledger", "--by", by, "--from", first, "--to", last, "--json", now=now).stdout)

    def rows(self, program, by, **more):
        keys = [key.replace("-", "_") for key in by.split(",")]
        return {tuple(row[key] for key in keys): tuple(decimal.Decimal(row[view]["amount"]) for view in ("billed", "effective"))
                for row in self.ledger(program, by, **more)["rows"]}

    def assertHoldsTheBill(self, program, now=NOW):
        for first, last in MONTHS:
            rows = self.ledger(program, "category", first, last, now=now)["rows"]
            for key, view in (("billed", "ActualCost"), ("effective", "AmortizedCost")):
                want = self.server.total(first, last, view)
                self.assertLess(abs(sum(decimal.Decimal(row[key]["amount"]) for row in rows) - want), CENT / 10000, (first, key))
        program.verify(now=now)

    def test_the_ledger_has_the_totals_and_no_final_month_is_asked_again(self):
        program = self.costs()
        one, text = self.sync(program)
        self.assertIsNone(one["error"])
        self.assertEqual(self.server.pages, 3 * QUESTIONS, text)
        self.assertLessEqual(self.server.logins, LOGINS)
        self.assertHoldsTheBill(program)
        # Within a day nothing is asked, not even a token.
        for now in (NOW, LATER):
            one, _ = self.sync(program, now)
            self.assertEqual((one["known_deliveries"], one["accepted"]), (3, 0))
        self.assertEqual(self.server.pages, 3 * QUESTIONS)
        self.assertLessEqual(self.server.logins, LOGINS)
        # A day later October and November are asked again, which may still change, and September is not.
        self.server.charges += [charge("2026-11-20", "5.25"), charge("2026-10-02", "-7.5", kind="Refund", resource="")]
        asked = len(self.server.asked)
        one, _ = self.sync(program, NEXT_DAY)
        self.assertEqual({body["timePeriod"]["from"][:7] for body in self.server.asked[asked:]}, {"2026-10", "2026-11"})
        self.assertEqual(self.server.pages, 5 * QUESTIONS)
        self.assertHoldsTheBill(program, NEXT_DAY)
        # In December October becomes final; in January it is asked no more.
        self.sync(program, "2026-12-02T10:00:00Z")
        asked = len(self.server.asked)
        self.sync(program, "2026-12-04T10:00:00Z")
        self.assertEqual({body["timePeriod"]["from"][:7] for body in self.server.asked[asked:]}, {"2026-11", "2026-12"})

    def test_every_charge_is_what_it_was_called(self):
        program = self.costs()
        self.sync(program)
        of_october = {"first": "2026-10-01", "last": "2026-11-01"}
        categories = {key: amounts for (key,), amounts in self.rows(program, "category", **of_october).items()}
        self.assertEqual(categories["purchase"], (decimal.Decimal("11499.5"), 0))
        self.assertEqual(categories["unused-commitment"], (0, decimal.Decimal("20.5") * 31))
        self.assertEqual(categories["adjustment"], (decimal.Decimal("0.01"), decimal.Decimal("0.01")))
        self.assertEqual(categories["ai"][0], decimal.Decimal("4.25") * 31)
        machines = self.rows(program, "category,service", **of_october)
        self.assertEqual(round(machines["gpu", "Virtual Machines"][1], 6), round(self.server.total("2026-10-01", "2026-11-01", "AmortizedCost") - sum(
            amounts[1] for key, amounts in machines.items() if key != ("gpu", "Virtual Machines")), 6))
        self.assertIn(f"/subscriptions/{SUBSCRIPTION}", json.dumps(self.ledger(program, "account")))

    def test_a_tag_names_the_team_of_a_machine(self):
        program = self.costs(", tag: team")
        with open(program.config, "a", encoding="utf-8") as file:
            file.write("owners: [ { cloud_tag: team } ]\n")
        self.sync(program)
        self.assertHoldsTheBill(program)
        teams = self.rows(program, "team", first="2026-11-01", last="2026-12-01")
        self.assertEqual(round(teams["vision",][0], 6), round(sum(decimal.Decimal(f"{88.15 + at:.6f}") for at in range(61, 80)), 6))
        self.assertIn(("nlp",), teams)

    def test_pages_are_asked_with_the_same_body_and_a_token_ends_between_them(self):
        self.server.page_rows, self.server.token_lasts = 13, 7
        program = self.costs(first="30d")
        self.assertIsNone(self.sync(program)[0]["error"])
        self.assertGreater(self.server.logins, 2)
        self.assertTrue(any(link.endswith("-gap") for link in self.server.links))
        self.server.charges = [one for one in self.server.charges if one["day"] >= datetime.date(2026, 10, 1)]
        self.assertHoldsTheBill(program)

    def test_the_largest_wait_counts(self):
        self.server.faults = [None, fault(429, "429", "Too many requests", {
            "Retry-After": "0", "x-ms-ratelimit-microsoft.costmanagement-entity-retry-after": "2",
            "x-ms-ratelimit-microsoft.costmanagement-qpu-retry-after": "1", "x-ms-ratelimit-microsoft.costmanagement-qpu-consumed": "900"}), fault(503)]
        program = self.costs(first="1d")
        begin = datetime.datetime.now()
        self.assertIsNone(self.sync(program)[0]["error"])
        self.assertGreater((datetime.datetime.now() - begin).total_seconds(), 2)

    def test_several_currencies_stay_apart(self):
        self.server.charges = [charge("2026-11-03", "10"), charge("2026-11-03", "7.125", currency="EUR"), charge("2026-11-04", "1", service="Storage", currency="EUR")]
        program = self.costs(first="1d")
        one, text = self.sync(program)
        self.assertIsNone(one["error"], text)
        self.assertEqual(one["accepted"], 3)

    def test_days_that_a_long_answer_leaves_out_are_asked_again(self):
        self.server.last_day_only = True
        program = self.costs()
        _, text = self.sync(program)
        self.assertNotIn("do not add up", text)
        self.assertHoldsTheBill(program)

    def test_what_groups_lack_is_booked(self):
        self.server.hidden = ("Azure Machine Learning",)
        program = self.costs()
        _, text = self.sync(program)
        self.assertIn("the parts do not add up to the total, and the difference was booked as an adjustment: 30 days", text)
        self.assertHoldsTheBill(program)

    def test_a_refused_login_says_what_to_do(self):
        for number, text in ((7000215, "store the secret's value"), (7000222, "create a new secret"), (700016, "application (client) id"), (90002, "check tenant")):
            with self.subTest(number):
                self.server.login_fault = (401, json.dumps({"error": "invalid_client", "error_description": f"AADSTS{number}: no \x1b[31m\r\nTrace ID: 1",
                                                            "error_codes": [number]}).encode(), {})
                one, said = self.sync(self.costs(first="1d"), status=FAILED)
                self.assertEqual(one["error"]["code"], "unauthorized")
                self.assertIn(text, said)
                self.assertNotIn("\x1b", said)

    def test_a_missing_role_is_named(self):
        program = self.costs(first="1d")
        denied = fault(403, "AuthorizationFailed", "The client does not have authorization to perform action 'Microsoft.CostManagement/query/action'")
        self.server.faults = [denied] * 2
        one, text = self.sync(program, status=FAILED)
        self.assertEqual(one["error"]["code"], "forbidden")
        for part in ("Cost Management Reader", "nothing of this bill is shown", SCOPE):
            self.assertIn(part, text)
        self.server.faults = [denied]
        done = program.run("sources", "test", "bill", now=NOW)
        self.assertEqual(done.returncode, 1, done.text)
        self.assertIn("not usable: no bill was found", done.stdout.decode())
        done = program.healthy("sources", "test", "bill", now=NOW)
        self.assertIn("usable", done.stdout.decode())

    def test_a_test_says_how_many_budgets_there_are(self):
        program = self.costs(first="1d")
        self.server.budgets = [budget("all", "900.10", "12.5"), budget("new", "1", None), budget("hours", "1", "1", category="Usage"),
                               budget("lab", "5E+2", "-0.000001", forecast="7")]
        said = program.healthy("sources", "test", "bill", now=NOW).stdout.decode()
        self.assertIn("budgets at the provider: 2", said)
        self.server.list_faults["budgets"] = fault(403, "AuthorizationFailed")
        said = program.healthy("sources", "test", "bill", now=NOW).stdout.decode()
        self.assertIn("the provider's budgets can't be read: it needs the right Microsoft.Consumption/budgets/read", said)
        self.assertNotIn("canary", said)

    def test_a_test_says_how_many_commitments_there_are(self):
        program = self.costs(first="1d")
        self.server.reservations = [reservation("R-1"), reservation("R-2", kind="SqlDatabases"), reservation("R-3", state="Cancelled"), reservation("R-4")]
        self.server.plans = [savings_plan("P-1"), savings_plan("P-2", end="2026-11-19"), savings_plan("P-3", amount="0.001")]
        said = program.healthy("sources", "test", "bill", now=NOW).stdout.decode()
        self.assertIn("commitments at the provider: 4", said)
        self.server.list_faults["plans"] = fault(403, "AuthorizationFailed")
        said = program.healthy("sources", "test", "bill", now=NOW).stdout.decode()
        self.assertIn("commitments at the provider: 2", said)
        self.assertIn("the provider's commitments can't be read: savings plans need the role Savings plan Reader", said)
        self.server.list_faults["reservations"] = fault(403, "AuthorizationFailed")
        said = program.healthy("sources", "test", "bill", now=NOW).stdout.decode()
        self.assertIn("can't be read: they need the roles Reservations Reader and Savings plan Reader", said)
        self.assertNotIn("canary", said)

    def test_hostile_answers_and_a_failing_network_change_nothing(self):
        program = self.costs()
        self.sync(program)
        before = self.ledger(program)
        elsewhere = json.dumps({"properties": {"nextLink": "http://127.0.0.2:1/x", "columns": [], "rows": []}}).encode()
        page = b'{"properties":{"columns":[{"name":"Cost"},{"name":"UsageDate"},{"name":"Currency"}],"rows":[%s]}}'
        bodies = (b"{}", b"null", b"[" * 100000, elsewhere, page % b"[1,19700101,\"USD\"]", page % b"[1e999,20261101,\"USD\"]", page % b"[1,20261101]",
                  page % b"[1,20261101,\"\\u001b\"]", b"<html>log in</html>")
        faults = [((200, body, {}), ("parse", "overflow")) for body in bodies]
        faults += [((DROPPED, b"", {}), ("network",)), (fault(500), ("server",)), (fault(401), ("unauthorized",)), (fault(400, "BadRequest"), ("server",)),
                   (fault(302, headers={"Location": "http://127.0.0.1:9/"}), ("invalid-config",))]
        for one, codes in faults:
            with self.subTest(one[:2]):
                self.server.faults = [one] * 20
                told, said = self.sync(program, NEXT_DAY, FAILED)
                self.assertIn(told["error"]["code"], codes, said)
                self.assertEqual(self.ledger(program), before)
        self.server.faults = []
        self.sync(program, NEXT_DAY)
        self.assertHoldsTheBill(program, NEXT_DAY)


if __name__ == "__main__":
    unittest.main()
