#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bill from Cost Explorer, against a fake that computes its answers from charges: the ledger has its totals to the cent, and no day is
paid for twice."""
import datetime
import decimal
import json
import os
import shutil
import signal
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

from costexplorer import DROPPED, SAGEMAKER, CostExplorer, charge, fault  # noqa: E402
from product import ProductTest, Program, configuration  # noqa: E402
from run_awsexport import bill  # noqa: E402

NOW, NEXT_DAY, NEXT_WEEK = "2026-11-20T10:00:00Z", "2026-11-21T11:00:00Z", "2026-11-27T10:00:00Z"
FAILED = 4
QUESTIONS = 5  # of a month: the total and the four parts
CENT = decimal.Decimal("0.01")


def days(begin, count):
    first = datetime.date.fromisoformat(begin)
    return [str(first + datetime.timedelta(number)) for number in range(count)]


def month_of_charges():
    """October, which is final, and November until the 19th: each kind of charge."""
    out = []
    for number, day in enumerate(days("2026-10-01", 31) + days("2026-11-01", 19)):
        odd = decimal.Decimal(number) / 7
        out += [
            charge(day, f"{786.5 + number:.6f}", hours=24, tags={"team": "vision"}),
            charge(day, f"{100 + odd:.10f}", account="222222222222", usage_type="EUC1-SpotUsage:g5.xlarge", hours=30),
            charge(day, "0", "500.25", usage_type="USE2-BoxUsage:p5.48xlarge", record="SavingsPlanCoveredUsage", hours=24, tags={"team": "nlp"}),
            charge(day, f"{odd:.10f}", service=SAGEMAKER, usage_type="USE1-Train:ml.p4d.24xlarge", hours=2),
            charge(day, "12.3456789012", service="Amazon Simple Storage Service", usage_type="TimedStorage-ByteHrs"),
            charge(day, "600", "0", service="Savings Plans for AWS Compute usage", usage_type="ComputeSP:1yrNoUpfront", record="SavingsPlanRecurringFee"),
            charge(day, "-3.3333333333", service="Amazon Simple Storage Service", usage_type="Requests", record="Credit"),
        ]
    out += [charge(day, "77.77", service="Tax", usage_type="", record="Tax") for day in ("2026-10-01", "2026-11-01")]
    out.append(charge("2026-11-03", "-1.5", record="Some Discount That Is New"))
    return out


class AwsCosts(ProductTest):
    def setUp(self):
        super().setUp()
        self.server = CostExplorer(*month_of_charges())
        self.server.final_until = datetime.date(2026, 11, 1)
        self.addCleanup(self.server.close)

    def costs(self, more="", first="45d", commitments="none"):
        program = Program(self.folder, configuration(
            f"  - {{ name: bill, kind: aws-costs, url: \"{self.server.url()}\", first_sync: {first}, commitments: {commitments},"
            f" auth: {{ type: sigv4, region: us-east-1 }}{more} }}\n"))
        program.environment.update(AWS_ACCESS_KEY_ID="AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY="canary-secret-key", AWS_EC2_METADATA_DISABLED="true")
        return program

    def sync(self, program, now=NOW, status=0):
        done = program.run("sync", "--json", now=now)
        self.assertEqual(done.returncode, status, done.text)
        self.assertNotIn("canary", done.text + done.stdout.decode())
        one, = json.loads(done.stdout)["sources"]
        return one, done.text

    def ledger(self, program, by="account", first="2026-10-01", last="2026-12-01", now=NOW):
        return json.loads(program.healthy("ledger", "--by", by, "--from", first, "--to", last, "--json", now=now).stdout)

    def rows(self, program, by, **more):
        keys = [key.replace("-", "_") for key in by.split(",")]
        return {tuple(row[key] for key in keys): decimal.Decimal(row["billed"]["amount"]) for row in self.ledger(program, by, **more)["rows"]}

    def assertHoldsTheBill(self, program, now=NOW):
        """Each month of the ledger is the sum that the service gives, billed and effective."""
        for first, last in (("2026-10-01", "2026-11-01"), ("2026-11-01", "2026-12-01")):
            rows = self.ledger(program, "category", first, last, now=now)["rows"]
            for key, metric in (("billed", "UnblendedCost"), ("effective", "AmortizedCost")):
                want = self.server.total(first, last, metric)
                self.assertLess(abs(sum(decimal.Decimal(row[key]["amount"]) for row in rows) - want), CENT / 100, (first, key))
        program.verify(now=now)

    def test_the_ledger_has_the_totals_and_no_day_is_paid_for_twice(self):
        program = self.costs()
        one, text = self.sync(program)
        self.assertEqual((one["paid_requests"], one["paid"]), (2 * QUESTIONS, {"amount": "0.100000000", "currency": "USD"}))
        self.assertEqual(self.server.paid, 2 * QUESTIONS)
        self.assertIn("bill: 10 paid requests, 0.10 USD", text)
        self.assertHoldsTheBill(program)
        # Again, and once more after an hour: nothing is asked, not even who we are.
        asked = len(self.server.asked)
        for now in (NOW, "2026-11-20T23:59:00Z"):
            one, _ = self.sync(program, now)
            self.assertEqual((one["paid_requests"], one["known_deliveries"], one["accepted"]), (0, 2, 0))
        self.assertEqual(len(self.server.asked), asked)
        # A day later November is asked again, whose days are estimates, and October never.
        self.server.charges += [charge("2026-11-20", "5.25", hours=1), charge("2026-11-02", "-7.5", record="Refund")]
        one, _ = self.sync(program, NEXT_DAY)
        self.assertEqual((one["paid_requests"], one["known_deliveries"]), (QUESTIONS, 1))
        self.assertEqual({body["TimePeriod"]["Start"] for body in self.server.asked[asked:] if body != "GetCallerIdentity"}, {"2026-11-01"})
        self.assertHoldsTheBill(program, NEXT_DAY)
        source, = json.loads(program.healthy("sources", "list", "--json", now=NEXT_DAY).stdout)["sources"]
        self.assertEqual(source["paid"], {"month": "2026-11", "requests": 3 * QUESTIONS, "amount": {"amount": "0.150000000", "currency": "USD"}})

    def test_the_same_month_from_an_export_is_warned_of(self):
        folder = os.path.join(self.folder, "export")
        os.makedirs(folder)
        path = os.path.join(folder, "october.csv.gz")
        with open(path, "wb") as file:
            file.write(bill("2026-10", ["10"]))
        os.utime(path, (1, 1))
        program = Program(self.folder, configuration(
            f"  - {{ name: costs, kind: aws-costs, url: \"{self.server.url()}\", first_sync: 45d, account: \"123456789012\","
            f" auth: {{ type: sigv4, region: us-east-1 }} }}\n  - {{ name: export, kind: focus, path: {folder} }}\n"))
        program.environment.update(AWS_ACCESS_KEY_ID="AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY="canary-secret-key", AWS_EC2_METADATA_DISABLED="true")
        sources = json.loads(program.healthy("sync", "--json", now=NOW).stdout)["sources"]
        (name, warning), = [(source["name"], warning) for source in sources for one in source["deliveries"] for warning in one["warnings"]
                            if "counted twice" in warning]
        for words in ("123456789012", "2026-10", "is also in source " + ("export" if name == "costs" else "costs")):
            self.assertIn(words, warning)

    def test_every_charge_is_what_it_was_called(self):
        self.server.names = {"111111111111": "research", "222222222222": "<b>edge</b>\x1b[31m"}
        program = self.costs()
        self.sync(program)
        first, last = "2026-10-01", "2026-11-01"
        categories = {key: amount for (key,), amount in self.rows(program, "category", first=first, last=last).items()}
        self.assertEqual(categories["tax"], decimal.Decimal("77.77"))
        self.assertEqual(round(categories["credit"], 2), decimal.Decimal("-103.33"))
        self.assertEqual(categories["purchase"], 600 * 31)
        self.assertEqual(round(categories["storage"], 2), decimal.Decimal("382.72"))
        services = self.rows(program, "category,service", first=first, last=last)
        self.assertEqual(round(services["gpu", SAGEMAKER], 6), round(self.server.total(first, last) - sum(
            amount for (category, service), amount in services.items() if service != SAGEMAKER), 6))
        regions = set(self.rows(program, "instance-type,region", first=first, last=last))
        self.assertLessEqual({("p4d.24xlarge", "us-east-1"), ("g5.xlarge", "eu-central-1"), ("p5.48xlarge", "us-east-2")}, regions)
        accounts = json.dumps(self.ledger(program, "account"))
        self.assertIn("222222222222", accounts)
        self.assertNotIn("\\u001b", accounts)
        adjusted = self.rows(program, "category", first="2026-11-01", last="2026-12-01")[("adjustment",)]
        self.assertEqual(adjusted, decimal.Decimal("-1.5"))

    def account_names(self, program):
        return {account: name for account, name in self.rows(program, "account,account-name")}

    def test_accounts_have_the_names_of_their_organization(self):
        self.server.names = {"111111111111": "research", "222222222222": "edge"}
        # Forty accounts: those of the bill are on the last of the pages.
        self.server.organization = {f"{900000000000 + i}": f"other {i}" for i in range(38)} | {"111111111111": "Research and labs", "333333333333": "x"}
        program = self.costs()
        one, _ = self.sync(program)
        self.assertEqual((one["error"], one["paid_requests"], self.server.listed), (None, 2 * QUESTIONS, 3))
        names = self.account_names(program)
        # The second one is not in the organization, and is called what Cost Explorer calls it.
        self.assertEqual((names["111111111111"], names["222222222222"]), ("Research and labs", "edge"))
        self.assertHoldsTheBill(program)
        done = program.healthy("sources", "test", "bill", now=NOW)
        self.assertIn("organizations:ListAccounts", done.stdout.decode())

    def test_new_names_reach_months_that_are_final(self):
        """October is never paid for again, and has the names of the day."""
        self.server.names = {"111111111111": "research"}
        program = self.costs()
        self.sync(program)
        for number, (organization, name) in enumerate((({"111111111111": "labs"}, "labs"), (fault(503, ""), "labs"), (None, "research"),
                                                       ({"111111111111": "labs"}, "labs"))):
            with self.subTest(name=name, organization=organization):
                self.server.organization = organization
                now = f"2026-11-{21 + number}T11:00:00Z"
                one, _ = self.sync(program, now)
                self.assertEqual((one["error"], one["paid_requests"]), (None, QUESTIONS))
                october = self.rows(program, "account,account-name", first="2026-10-01", last="2026-11-01", now=now)
                self.assertEqual([told for account, told in october if account == "111111111111"], [name])
                self.assertHoldsTheBill(program, now)

    def test_an_organization_that_is_silent_holds_nothing_up(self):
        self.server.names = {"111111111111": "research"}
        for organization in (None, fault(400, "InvalidInputException", "no"), fault(503, "")):
            with self.subTest(organization):
                self.server.organization = organization
                program = self.costs()
                one, _ = self.sync(program)
                self.assertIsNone(one["error"])
                self.assertEqual(self.account_names(program)["111111111111"], "research")
                self.assertNotIn("organizations:ListAccounts", program.healthy("sources", "test", "bill", now=NOW).stdout.decode())
                shutil.rmtree(program.data)

    def test_a_tag_splits_machines_with_gpus(self):
        program = self.costs(", tag: team")
        with open(program.config, "a", encoding="utf-8") as file:
            file.write("owners: [ { cloud_tag: team } ]\n")
        one, _ = self.sync(program)
        # Two accounts have such machines at market prices, one has some that a commitment covers.
        self.assertEqual(one["paid_requests"], 2 * (QUESTIONS + 3))
        self.assertHoldsTheBill(program)
        teams = {key: amount for (key,), amount in self.rows(program, "team", first="2026-10-01", last="2026-11-01").items()}
        self.assertEqual(round(teams["vision"], 2), round(sum(decimal.Decimal("786.5") + n for n in range(31)), 2))
        self.assertIn("nlp", teams)

    def test_pages_end_anywhere_and_keys_expire_between_them(self):
        self.server.page_groups = 12
        self.server.faults = [None, None, fault(400, "ExpiredTokenException", "the security token is expired"), None,
                              fault(400, "ThrottlingException", "Rate exceeded"), fault(400, "LimitExceededException", "Rate exceeded"), fault(503, "")]
        program = self.costs()
        one, _ = self.sync(program)
        self.assertIsNone(one["error"])
        self.assertEqual(one["paid_requests"], self.server.paid)
        self.assertGreater(self.server.paid, 2 * QUESTIONS)
        self.assertHoldsTheBill(program)

    def test_a_restated_bill_makes_an_old_token_useless(self):
        self.server.page_groups = 12
        self.server.faults = [None] * 7 + [fault(400, "InvalidNextTokenException", "restated")]
        program = self.costs()
        self.assertIsNone(self.sync(program)[0]["error"])
        self.assertHoldsTheBill(program)

    def test_a_missing_permission_is_named_and_costs_nothing(self):
        program = self.costs()
        denied = fault(400, "AccessDeniedException", "User: arn:aws:iam::1:user/x is not authorized to perform: ce:GetCostAndUsage on resource: *")
        self.server.faults = [denied] * 2
        one, text = self.sync(program, status=FAILED)
        self.assertEqual((one["error"]["code"], one["paid_requests"]), ("forbidden", 0))
        for part in ("ce:GetCostAndUsage", "nothing of this bill is shown", "management account"):
            self.assertIn(part, text)
        self.server.faults = [denied]
        done = program.run("sources", "test", "bill", now=NOW)
        self.assertEqual(done.returncode, 1, done.text)
        self.assertIn("may not ce:GetCostAndUsage: nothing of the bill is shown", done.stdout.decode())
        # Allowed: at once, because nothing was paid for.
        one, _ = self.sync(program)
        self.assertEqual((one["error"], one["paid_requests"]), (None, 2 * QUESTIONS))
        done = program.healthy("sources", "test", "bill", now=NOW)
        self.assertIn("USD 0.01 for this test, at least USD 0.10 for the first sync, USD 0.05 for each later one", done.stdout.decode())

    def test_a_test_says_what_commitments_cost_and_asks_for_none(self):
        done = self.costs(commitments="all").healthy("sources", "test", "bill", now=NOW)
        self.assertIn("USD 0.01 for this test, at least USD 0.14 for the first sync, USD 0.09 for each later one", done.stdout.decode())
        self.assertEqual(self.server.paid, 1)

    def test_a_test_counts_the_budgets_and_works_without_their_right(self):
        spend = {"Amount": "100", "Unit": "USD"}
        self.server.budgets = [{"BudgetName": f"b{i}", "BudgetType": "COST", "TimeUnit": "MONTHLY", "BudgetLimit": spend} for i in range(101)]
        program = self.costs()
        self.assertIn("budgets at the provider: 101", program.healthy("sources", "test", "bill", now=NOW).stdout.decode())
        self.server.budgets = None
        done = program.healthy("sources", "test", "bill", now=NOW)
        self.assertIn("the provider's budgets can't be read: budgets:ViewBudget", done.stdout.decode())

    def test_what_the_service_says_has_a_remedy(self):
        for code, text in (("DataUnavailableException", "open Cost Explorer once in the AWS console"), ("BillExpirationException", "shorten first_sync"),
                           ("InvalidSignatureException", "log in again or check the profile")):
            with self.subTest(code):
                self.server.faults = [fault(400, code)] * 8
                program = self.costs(first="1d")
                one, said = self.sync(program, status=FAILED)
                self.assertIn(text, said)
                self.assertEqual(one["paid_requests"], 0)
        self.server.faults = [fault(400, "InvalidSignatureException", "Signature expired: 20261120T100000Z is now earlier than 20261120T101000Z")] * 8
        self.assertIn("correct this computer's clock", self.sync(self.costs(first="1d"), status=FAILED)[1])

    def test_a_failure_that_was_paid_for_waits_an_hour(self):
        program = self.costs(first="1d")
        self.server.faults = [None, None, (200, b"{\"ResultsByTime\": [", {})]
        one, _ = self.sync(program, status=FAILED)
        self.assertEqual((one["error"]["code"], one["paid_requests"]), ("parse", 3))
        asked = len(self.server.asked)
        one, text = self.sync(program, "2026-11-20T10:59:00Z", FAILED)
        self.assertEqual((len(self.server.asked), one["paid_requests"]), (asked, 0))
        self.assertIn("sync in an hour", text)
        one, _ = self.sync(program, "2026-11-20T11:00:00Z")
        self.assertEqual((one["error"], one["paid_requests"]), (None, QUESTIONS))

    def test_no_more_is_paid_than_allowed(self):
        self.server.page_groups = 7
        program = self.costs(", requests: 8")
        one, text = self.sync(program, status=FAILED)
        self.assertEqual((one["error"]["code"], one["paid_requests"], self.server.paid), ("too-much", 8, 8))
        self.assertIn("raise requests of this source", text)

    def test_a_part_that_is_hidden_is_booked(self):
        """The parts lack what the total has: the ledger has the total, and the import says so."""
        answer = self.server.answer

        def less(body):
            if "\"Record\"" not in json.dumps(body) and "GroupBy" in body and body["GroupBy"][1]["Key"] == "RECORD_TYPE":
                body = {**body, "Filter": {"And": [body["Filter"], {"Not": {"Dimensions": {"Key": "RECORD_TYPE", "Values": ["Tax"]}}}]}}
            return answer(body)

        self.server.answer = less
        program = self.costs()
        _, text = self.sync(program)
        self.assertIn("the parts do not add up to the total, and the difference was booked as an adjustment: 1 day", text)
        self.assertHoldsTheBill(program)

    def test_hostile_answers_change_nothing(self):
        program = self.costs()
        self.sync(program)
        before = self.ledger(program)
        answers = (b"{}", b"[]", b"null", b"{\"ResultsByTime\": null}", b"[" * 100000, json.dumps({"ResultsByTime": [
            {"TimePeriod": {"Start": "1970-01-01", "End": "1970-01-02"}, "Total": {}, "Estimated": True}]}).encode(), json.dumps({"ResultsByTime": [
                {"TimePeriod": {"Start": "2026-11-01", "End": "2026-11-02"}, "Total": {"UnblendedCost": {"Amount": "1e999", "Unit": "USD"}}}]}).encode())
        for number, body in enumerate(answers):
            with self.subTest(body[:40]):
                self.server.faults = [(200, body, {})]
                now = f"2026-11-{22 + number}T12:00:00Z"
                one, _ = self.sync(program, now, FAILED)
                self.assertIn(one["error"]["code"], ("parse", "overflow"))
                self.assertEqual(self.ledger(program), before)
        self.sync(program, "2026-12-01T12:00:00Z")
        self.assertHoldsTheBill(program, "2026-12-01T12:00:00Z")

    def test_a_network_that_fails_changes_nothing(self):
        program = self.costs()
        self.sync(program)
        before, spent = self.ledger(program), self.server.paid
        faults = (((DROPPED, b"", {}), {"network"}), (fault(500, ""), {"server"}), (fault(429, ""), {"rate-limited"}), (fault(401, ""), {"unauthorized"}),
                  (fault(403, ""), {"forbidden"}), (fault(302, "", headers={"Location": "http://127.0.0.1:9/"}), {"server", "invalid-config", "network"}),
                  ((200, b"{}", {"Content-Length": "100"}), {"network"}))
        for one, codes in faults:
            with self.subTest(one):
                self.server.faults = [one] * 20
                told, said = self.sync(program, NEXT_DAY, FAILED)
                self.assertIn(told["error"]["code"], codes, said)
                self.assertTrue(told["error"]["hint"], said)
                self.assertEqual((told["paid_requests"], self.server.paid), (0, spent))
                self.assertEqual(self.ledger(program), before)
        self.server.faults = []
        self.sync(program, NEXT_DAY)
        self.assertHoldsTheBill(program, NEXT_DAY)

    def test_what_is_kept_survives_a_kill(self):
        """A sync that is killed while it asks: what was answered is not asked again, and the rest an hour later."""
        program = self.costs()
        gate = self.server.answer
        process = []

        def killing(body):
            if body["TimePeriod"]["Start"] == "2026-11-01":
                process[0].kill()
            return gate(body)

        self.server.answer = killing
        process.append(program.start("sync", now=NOW))
        self.assertEqual(process[0].wait(120), -signal.SIGKILL)
        for stream in (process[0].stdout, process[0].stderr):
            stream.close()
        self.server.answer = gate
        with self.server.lock:
            paid = self.server.paid
        one, _ = self.sync(program, "2026-11-20T12:00:00Z")
        self.assertEqual((one["error"], self.server.paid - paid), (None, QUESTIONS))
        self.assertHoldsTheBill(program)


if __name__ == "__main__":
    unittest.main()
