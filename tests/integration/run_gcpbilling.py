#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bill from Google Cloud's export to BigQuery, against a fake that follows the service's contract: the ledger has its totals to the nano-unit,
no query runs above its limit, and no final month is scanned twice."""
import datetime
import decimal
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

from billingexport import CUT, DATASET, DETAILED, DROPPED, PROJECT, STANDARD, BillingExport, fault, numeric, usage  # noqa: E402
from product import ProductTest, Program, configuration  # noqa: E402

NOW, LATER, NEXT_DAY = "2026-11-20T10:00:00Z", "2026-11-20T23:00:00Z", "2026-11-21T11:00:00Z"
ALL = ("202609", "202610", "202611", "202612")
FAILED, GB = 4, 10**9
SUSTAINED, COMMITTED = "SUSTAINED_USAGE_DISCOUNT", "COMMITTED_USAGE_DISCOUNT"


def days(begin, count):
    first = datetime.date.fromisoformat(begin)
    return [str(first + datetime.timedelta(number)) for number in range(count)]


def rows():
    """September, which is final, October, and November until the 19th: each kind of row."""
    out = []
    for at, day in enumerate(days("2026-09-01", 30) + days("2026-10-01", 31) + days("2026-11-01", 19)):
        gpu = {"name": "gpu-1", "machine": "a2-highgpu-1g", "labels": {"team": "vision"}}
        out += [usage(f"{day}T{hour:02}:00:00", 44.07 + at / 7, "Nvidia Tesla A100 GPU running in Iowa", quantity=12.0,
                      credits=[(SUSTAINED, "Sustained Usage Discount", -1.123456789123), (COMMITTED, "Committed Usage Discount: GPU", -0.1)], **gpu)
                for hour in (5, 17)]
        out += [
            usage(f"{day}T05:00:00", 7.0000000005, "A2 Instance Core running in Iowa", quantity=288.0, **gpu),
            usage(f"{day}T05:00:00", 3.1, "A2 Instance Ram running in Iowa", unit="gibibyte hour", quantity=2040.0, **gpu),
            usage(f"{day}T05:00:00", 5.5, "Nvidia L4 GPU attached to Spot Preemptible VMs running in Iowa", name="gpu-2", machine="g2-standard-4",
                  project_labels={"team": "nlp"}),
            usage(f"{day}T05:00:00", 2.25, "Nvidia L4 GPU running in Iowa", reserved=True),
            usage(f"{day}T05:00:00", 1.2e-05, "Standard Storage Iowa", service="Cloud Storage", unit="gibibyte month", quantity=0.5),
            usage(f"{day}T05:00:00", 4.25, "Vertex AI: Online Prediction", service="Vertex AI"),
            usage(f"{day}T05:00:00", 0.0, "Free things", service="Cloud Storage"),
        ]
    for day in ("2026-09-01", "2026-10-01", "2026-11-01"):
        out.append(usage(f"{day}T07:00:00", 1200.5, "Commitment v1: A100 GPU in Iowa for 1 Year", unit="", quantity=0))
        out.append(usage(f"{day}T07:00:00", 77.77, "Tax", service="Invoice", unit="", quantity=0, project=None, zone=None, cost_type="tax"))
    # The month of an invoice begins in another time zone, a correction reaches back, and a credit may be larger than a cost.
    out += [usage("2026-11-01T06:00:00", 9.99, "Nvidia Tesla A100 GPU running in Iowa", month="202610", name="gpu-1"),
            usage("2026-09-12T06:00:00", -500.5, "Correction", month="202610", service="Compute Engine", unit="", quantity=0, cost_type="adjustment"),
            usage("2026-10-12T06:00:00", 0.0, "Promotion", month="202610", unit="", quantity=0, credits=[("PROMOTION", "Trial", -30.25)])]
    return out


class ExportTest(ProductTest):
    """A program that reads a bill of the fake."""

    def setUp(self):
        super().setUp()
        self.server = BillingExport(*rows())
        self.addCleanup(self.server.close)

    def bill(self, more="", first="60d", table=DETAILED, key=None, others=(), projects="none", data="data"):
        path = os.path.join(self.folder, "key.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(key or self.server.robot_key())
        os.chmod(path, 0o600)
        return Program(self.folder, configuration(
            f"  - {{ name: bill, kind: gcp-billing, url: \"{self.server.url()}\", project: {PROJECT}, dataset: {DATASET}, table: {table}, first_sync: {first}, commitment_projects: {projects}, "
            f"auth: {{ type: bearer, token: \"file:{path}\" }}{more} }}\n", *others), data)

    def sync(self, program, now=NOW, status=0):
        done = program.run("sync", "--json", now=now)
        self.assertEqual(done.returncode, status, done.text)
        for secret in ("canary", "PRIVATE KEY", "eyJ"):
            self.assertNotIn(secret, done.text + done.stdout.decode())
        one, = (source for source in json.loads(done.stdout)["sources"] if source["name"] == "bill")
        return one, done.text

    def ledger(self, program, by, now=NOW):
        return json.loads(program.healthy("ledger", "--by", by, "--from", "2026-08-01", "--to", "2027-01-01", "--json", now=now).stdout)["rows"]

    def sums(self, program, by, now=NOW):
        keys = [key.replace("-", "_") for key in by.split(",")]
        return {tuple(row[key] for key in keys): decimal.Decimal(row["billed"]["amount"]) for row in self.ledger(program, by, now)}

    def assertHoldsTheBill(self, program, now=NOW, currency="USD"):
        """The ledger is, exactly, what the invoices of the export add up to: both views are the same."""
        want = sum(self.server.total(month, currency) for month in ALL)
        got = self.ledger(program, "category", now)
        for view in ("billed", "effective"):
            self.assertEqual(sum(decimal.Decimal(row[view]["amount"]) for row in got if row[view]["currency"] == currency), want, view)
        program.verify(now=now)


class BillingExportTest(ExportTest):
    def test_the_ledger_has_the_totals_and_no_final_month_is_scanned_again(self):
        program = self.bill()
        one, text = self.sync(program)
        self.assertIsNone(one["error"])
        self.assertEqual((one["scanned_bytes"], self.server.ran, self.server.dry_runs, self.server.logins), (3 * self.server.bytes, list(ALL[:3]), 3, 1), text)
        self.assertIn("bill: queries scanned", text)
        self.assertHoldsTheBill(program)
        # Within a day nothing is asked, not even a token.
        for now in (NOW, LATER):
            one, _ = self.sync(program, now)
            self.assertEqual((one["known_deliveries"], one["accepted"], one["scanned_bytes"]), (3, 0, 0))
        self.assertEqual((self.server.ran, self.server.logins), (list(ALL[:3]), 1))
        # A day later October and November are asked again, which may still change, and September is not. October has not changed, though its rows
        # come in another order.
        self.server.rows += [usage("2026-11-20T05:00:00", 5.25, "Nvidia Tesla A100 GPU running in Iowa", name="gpu-1")]
        one, _ = self.sync(program, NEXT_DAY)
        self.assertEqual((self.server.ran[3:], one["known_deliveries"]), (["202610", "202611"], 2))
        self.assertHoldsTheBill(program, NEXT_DAY)
        # Days after the end of November October becomes final, and is asked no more.
        self.sync(program, "2026-12-07T10:00:00Z")
        self.server.ran.clear()
        self.sync(program, "2026-12-09T10:00:00Z")
        self.assertEqual(self.server.ran, ["202611", "202612"])

    def test_a_restated_month_replaces_what_was_stored(self):
        program = self.bill()
        self.sync(program)
        kept, self.server.rows = self.server.rows, [row for row in self.server.rows if row["month"] != "202610" or row["sku"].startswith("A2")]
        self.sync(program, NEXT_DAY)
        self.assertHoldsTheBill(program, NEXT_DAY)
        self.server.rows = kept  # and back
        self.sync(program, "2026-11-22T12:00:00Z")
        self.assertHoldsTheBill(program, "2026-11-22T12:00:00Z")
        self.server.rows = [row for row in kept if row["month"] != "202610"]  # nothing is left of it
        self.sync(program, "2026-11-23T13:00:00Z")
        self.assertHoldsTheBill(program, "2026-11-23T13:00:00Z")

    def test_every_row_is_what_it_was_called(self):
        program = self.bill()
        self.sync(program)
        categories = {key: amount for (key,), amount in self.sums(program, "category").items()}
        days_of_bill = 80
        self.assertEqual(categories["credit"], (decimal.Decimal("-1.123456789") - decimal.Decimal("0.1")) * 2 * days_of_bill - decimal.Decimal("30.25"))
        self.assertEqual(categories["tax"], decimal.Decimal("77.77") * 3)
        self.assertEqual(categories["purchase"], decimal.Decimal("1200.5") * 3)
        self.assertEqual(categories["adjustment"], decimal.Decimal("-500.5"))
        self.assertEqual(categories["unused-commitment"], decimal.Decimal("2.25") * days_of_bill)
        self.assertEqual(categories["ai"], decimal.Decimal("4.25") * days_of_bill)
        self.assertEqual(categories["storage"], decimal.Decimal("0.000012") * days_of_bill)
        # No telemetry saw the machine: its processors and memory are compute, beside its GPUs.
        self.assertEqual(categories["compute"], (numeric(7.0000000005) + numeric(3.1)) * days_of_bill)
        self.assertEqual(categories["gpu"], sum(numeric(row["cost"]) for row in self.server.rows if " GPU " in row["sku"] and row["unit"] == "hour"
                                                and not row["system"]["compute.googleapis.com/is_unused_reservation"]))
        self.assertIn(("ml-serving",), self.sums(program, "account"))

    def test_a_machine_that_telemetry_saw_has_all_its_parts(self):
        """A node of the demo fleet, gce://ml-serving/us-central1-a/l4-0001: eight GPUs, whose hours are those of the day."""
        machine = {"name": "l4-0001", "machine": "g2-standard-96"}
        parts = [usage("2026-11-18T05:00:00", 100.5, "Nvidia L4 GPU running in Iowa", quantity=192.0, **machine),
                 usage("2026-11-18T05:00:00", 30.25, "G2 Instance Core running in Iowa", quantity=2304.0, **machine),
                 usage("2026-11-18T05:00:00", 20.125, "G2 Instance Ram running in Iowa", unit="gibibyte hour", quantity=9216.0, **machine)]
        self.server.rows = parts + [usage("2026-11-18T05:00:00", 1.5, "N2 Instance Core running in Iowa", name="another", machine="n2-standard-8")]
        program = self.bill(first="5d", others=("  - { name: demo, kind: demo, gpus: 400, days: 4, first_sync: 4d }\n",))
        self.assertIsNone(self.sync(program)[0]["error"])
        day = json.loads(program.healthy("ledger", "--by", "category,state", "--from", "2026-11-18", "--to", "2026-11-19", "--json", now=NOW).stdout)["rows"]
        billed = {}
        for row in day:
            billed[row["category"]] = billed.get(row["category"], 0) + decimal.Decimal(row["billed"]["amount"])
        self.assertEqual({key: amount for key, amount in billed.items() if amount}, {"gpu": sum(numeric(row["cost"]) for row in parts), "compute": decimal.Decimal("1.5")})
        # It is time that was seen, but for some seconds: the hours are those of the GPUs, not of eight machines.
        self.assertLess(sum(decimal.Decimal(row["billed"]["amount"]) for row in day if (row["category"], row["state"]) == ("gpu", "unobserved")), 1)
        program.verify(now=NOW)

    def test_labels_name_the_team(self):
        self.server.rows.append(usage("2026-11-10T05:00:00", 13.5, "Nvidia T4 GPU running in Iowa", labels={"team": "\x1b[31m' OR 1=1 --`\u202e", "x" * 900: ""}))
        program = self.bill()
        with open(program.config, "a", encoding="utf-8") as file:
            file.write("owners: [ { cloud_tag: team } ]\n")
        self.sync(program)
        self.assertHoldsTheBill(program)
        teams = {key: amount for (key,), amount in self.sums(program, "team").items()}
        self.assertEqual(teams["nlp"], decimal.Decimal("5.5") * 80)  # a label of the project
        self.assertIn("vision", teams)
        self.assertNotIn("\x1b", program.healthy("ledger", "--by", "team", "--from", "2026-08-01", "--to", "2027-01-01", now=NOW).stdout.decode())

    def test_the_standard_export_and_a_user_s_login(self):
        program = self.bill(table=STANDARD, key=self.server.user_key())
        self.assertIsNone(self.sync(program)[0]["error"])
        self.assertHoldsTheBill(program)

    def test_pages_polls_and_a_token_that_ends_between_them(self):
        self.server.page_rows, self.server.token_lasts, self.server.polls = 101, 4, 2
        program = self.bill()
        self.assertIsNone(self.sync(program)[0]["error"])
        self.assertGreater(self.server.logins, 2)
        self.assertHoldsTheBill(program)

    def test_a_query_above_the_limit_does_not_run(self):
        program = self.bill()
        self.server.bytes = 31 * GB + 1
        one, text = self.sync(program, status=FAILED)
        self.assertEqual((one["error"]["code"], one["scanned_bytes"], self.server.ran), ("too-much", 0, []))
        for part in ("would scan 31.1 GB", "most_scanned allows 20.0 GB", "raise most_scanned"):
            self.assertIn(part, text)
        program = self.bill(", most_scanned: 32")
        self.assertIsNone(self.sync(program)[0]["error"])
        self.assertEqual(self.server.queries[0]["maximumBytesBilled"], str(32 * GB))
        self.assertHoldsTheBill(program)

    def test_a_query_that_is_sent_again_runs_once(self):
        self.server.faults = [None, (DROPPED, b"", {}), fault(503, "backendError"), fault(403, "rateLimitExceeded"), (CUT, b"", {})]
        program = self.bill(first="1d")
        self.assertIsNone(self.sync(program)[0]["error"])
        self.assertEqual(self.server.ran, ["202611"])
        # What BigQuery has in its cache is free.
        self.server.cached = True
        self.assertEqual(self.sync(program, NEXT_DAY)[0]["scanned_bytes"], 0)

    def test_several_currencies_stay_apart(self):
        self.server.rows = [usage("2026-11-03T05:00:00", 10.0, "a"), usage("2026-11-03T05:00:00", 7.125, "a", currency="EUR")]
        program = self.bill(first="1d")
        self.assertEqual(self.sync(program)[0]["accepted"], 2)

    def test_an_empty_export_is_no_error(self):
        self.server.rows = []
        program = self.bill()
        one, text = self.sync(program)
        self.assertEqual((one["error"], one["accepted"], one["known_deliveries"]), (None, 0, 3), text)
        self.sync(program, LATER)
        self.assertEqual(len(self.server.ran), 3)

    def test_missing_permissions_are_named(self):
        program = self.bill(first="1d")
        for right, words in (("bigquery.jobs.create", "BigQuery Job User"), ("bigquery.tables.getData", "BigQuery Data Viewer")):
            with self.subTest(right):
                self.server.missing_rights = (right,)
                one, text = self.sync(program, status=FAILED)
                self.assertEqual(one["error"]["code"], "forbidden")
                for part in (words, "nothing of this bill is shown"):
                    self.assertIn(part, text)
                done = program.run("sources", "test", "bill", now=NOW)
                self.assertEqual(done.returncode, 1, done.text)
                self.assertIn(right, done.stdout.decode())
        program = self.bill(first="1d", projects=PROJECT)
        for rights, words in (((), "budgets at the provider: 1"), (("billing.budgets.list",), "the provider's budgets can't be read: billing.budgets.list"),
                              ((), "commitments at the provider: 1"),
                              (("compute.commitments.list",), "the provider's commitments can't be read: compute.commitments.list")):
            self.server.missing_rights = rights
            said = program.healthy("sources", "test", "bill", now=NOW).stdout.decode()
            self.assertIn("usable", said)
            self.assertIn(words, said)
        self.assertEqual(self.server.ran, [])  # a test is free

    def test_refusals_say_what_to_do(self):
        program = self.bill(first="1d")
        for status, reason, code, words in (
                (404, "notFound", "not-found", "check project, dataset and table"), (403, "quotaExceeded", "too-much", "quota"),
                (400, "bytesBilledLimitExceeded", "too-much", "raise most_scanned"), (400, "invalidQuery", "unsupported", "not to a view"),
                (403, "accessNotConfigured", "forbidden", "enable the BigQuery API")):
            with self.subTest(reason):
                self.server.faults = [fault(status, reason, "no \x1b[31m\r\nway")]
                one, text = self.sync(program, status=FAILED)
                self.assertEqual(one["error"]["code"], code)
                self.assertIn(words, text)
                self.assertNotIn("\x1b", text)

    def test_refused_keys_say_what_to_do(self):
        other = BillingExport()
        self.addCleanup(other.close)
        for key, code, words in (
                (json.dumps({**json.loads(other.robot_key()), "token_uri": self.server.url() + "/token"}), "unauthorized", "create a new key"),
                (self.server.user_key(refresh_token="canary-old"), "unauthorized", "gcloud auth application-default login"),
                (self.server.robot_key(token_uri="https://oauth2.googleapis.com.evil.example/token"), "invalid-config", "which is not Google"),
                (self.server.robot_key(token_uri="http://oauth2.googleapis.com/token"), "invalid-config", "which is not Google"),
                (other.robot_key(), "invalid-config", "which is not Google"),
                (self.server.robot_key(private_key="canary"), "invalid-config", "can't be read"),
                (json.dumps({"type": "gdch_service_account"}), "unsupported", "gdch_service_account"), (json.dumps({"type": "external_account"}), "invalid-config", "token_url"),
                ("{ \"type\": ", "invalid-config", "JSON")):
            with self.subTest(words):
                one, text = self.sync(self.bill(first="1d", key=key), status=FAILED)
                self.assertEqual(one["error"]["code"], code, text)
                self.assertIn(words, text)
        self.assertEqual(other.logins, 0)

    def test_hostile_answers_and_a_failing_network_change_nothing(self):
        program = self.bill()
        self.sync(program)
        before = self.ledger(program, "category,account")
        whole = {"jobComplete": True, "jobReference": {"jobId": "job", "location": "EU"}, "totalRows": "1", "totalBytesProcessed": "1"}
        bodies = (b"{}", b"null", b"[" * 100000, b"<html>log in</html>", json.dumps(whole).encode(), json.dumps({**whole, "jobComplete": False, "jobReference": {
            "jobId": "../../../x"}}).encode(), json.dumps({**whole, "totalBytesProcessed": "-1"}).encode())
        faults = [((200, body, {}), ("parse",)) for body in bodies]
        faults += [(fault(401), ("unauthorized",)), (fault(302, headers={"Location": "http://127.0.0.1:9/"}), ("invalid-config",))]
        for one, codes in faults:
            with self.subTest(one[:2]):
                self.server.faults = [one] * 20
                told, said = self.sync(program, NEXT_DAY, FAILED)
                self.assertIn(told["error"]["code"], codes, said)
                self.assertEqual(self.ledger(program, "category,account"), before)
        # In the middle of the pages, too.
        self.server.page_rows = 101
        for one in ((200, b"{\"jobComplete\": true}", {}), fault(404, "notFound")):
            self.server.faults = [None, None, None, one] * 5
            self.sync(program, NEXT_DAY, FAILED)
            self.assertEqual(self.ledger(program, "category,account"), before)
        self.server.faults = []
        self.sync(program, NEXT_DAY)
        self.assertHoldsTheBill(program, NEXT_DAY)


if __name__ == "__main__":
    unittest.main()
