#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cost and Usage Reports of AWS: a real one has its sum, and a made month has the same ledger as a report (CSV, Parquet with maps), as FOCUS as
AWS maps it, and through Cost Explorer; where these differ, each difference is named. Parquet is left out without pyarrow or the module for it."""
import csv
import datetime
import decimal
import gzip
import io
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

import parquetbills  # noqa: E402
import run_awsexport as aws  # noqa: E402
from costexplorer import CostExplorer, charge  # noqa: E402
from parquetbills import pa  # noqa: E402
from product import CLI, ProductTest, Program, configuration  # noqa: E402

D = decimal.Decimal
NOW, FAILED = "2026-11-20T10:00:00Z", 4
SPAN = ("--from", "2026-09-01", "--to", "2026-12-01")
SAMPLE = os.path.join(HERE, "..", "..", "..", "shared", "data", "focus", "aws_cur_native_sample.csv")
SAMPLE_SPAN, SAMPLE_SUM = ("--from", "2023-11-01", "--to", "2023-12-01"), D("1.68230869740")
MODULE = os.path.join(os.path.dirname(CLI), "..", "lib", "gpuledger", "libgpuledger-parquet.so")
PAYER, LAB, EDGE = "999999999999", "111111111111", "222222222222"
PLAN, RESERVED = f"arn:aws:savingsplans::{PAYER}:savingsplan/one", f"arn:aws:ec2:us-east-1:{PAYER}:reserved-instances/two"
MAPS = ("product", "resource_tags", "cost_category")
NUMBERS = ("line_item_unblended_cost", "line_item_usage_amount", "line_item_unblended_rate", "pricing_public_on_demand_cost", "reservation_effective_cost",
           "reservation_unused_amortized_upfront_fee_for_billing_period", "reservation_unused_recurring_fee", "savings_plan_savings_plan_effective_cost",
           "savings_plan_total_commitment_to_date", "savings_plan_used_commitment")
TIMES = ("bill_billing_period_start_date", "bill_billing_period_end_date", "line_item_usage_start_date", "line_item_usage_end_date")
TEXTS = ("identity_line_item_id", "bill_payer_account_id", "bill_invoicing_entity", "line_item_legal_entity", "line_item_usage_account_id", "line_item_line_item_type",
         "line_item_product_code", "line_item_usage_type", "line_item_operation", "line_item_resource_id", "line_item_currency_code", "line_item_line_item_description",
         "pricing_unit", "product_region_code", "reservation_reservation_a_r_n", "savings_plan_savings_plan_a_r_n", "split_line_item_parent_resource_id")
COLUMNS = sorted((*MAPS, *NUMBERS, *TIMES, *TEXTS))
EC2 = "Amazon Elastic Compute Cloud"
SERVICES = {"AmazonEC2": EC2, "AmazonSageMaker": "Amazon SageMaker", "AmazonS3": "Amazon Simple Storage Service", "AmazonVPC": "Amazon Virtual Private Cloud",
            "AmazonEKS": "Amazon Elastic Container Service for Kubernetes", "ComputeSavingsPlans": "Savings Plans for AWS Compute usage"}
CATEGORIES = {"AmazonEC2": "Compute", "AmazonSageMaker": "AI and Machine Learning", "AmazonS3": "Storage", "AmazonVPC": "Networking", "AmazonEKS": "Compute"}
PURCHASES = ("SavingsPlanRecurringFee", "SavingsPlanUpfrontFee", "RIFee", "Fee")


def row(day, kind, cost, account=LAB, code="AmazonEC2", usage="BoxUsage:p4d.24xlarge", hours=None, unit=None, resource=None, tags=None, **more):
    start = datetime.datetime.fromisoformat(day).replace(tzinfo=datetime.timezone.utc)
    first = start.replace(day=1)
    out = dict.fromkeys(COLUMNS)
    out.update(identity_line_item_id=f"{day}{kind}{usage}", bill_payer_account_id=PAYER, bill_invoicing_entity="Amazon Web Services, Inc.",
               line_item_legal_entity="Amazon Web Services, Inc.", bill_billing_period_start_date=first, bill_billing_period_end_date=(first + datetime.timedelta(32)).replace(day=1),
               line_item_usage_start_date=start, line_item_usage_end_date=start + datetime.timedelta(1), line_item_usage_account_id=account, line_item_line_item_type=kind,
               line_item_product_code=code, line_item_usage_type=usage, line_item_operation="RunInstances", line_item_resource_id=resource, line_item_currency_code="USD",
               line_item_unblended_cost=D(cost), line_item_usage_amount=hours and D(hours), line_item_line_item_description=f"{kind} of {usage}",
               pricing_unit=unit or ("Hrs" if hours else None), product={"product_name": SERVICES.get(code, code)}, resource_tags=tags or {}, cost_category={})
    out.update({name: D(value) if name in NUMBERS else value for name, value in more.items()})
    return out


def month(first="2026-10-01", days=31, rate="786.5"):
    """Each kind of charge on each day, and some once."""
    out, team = [], {"user_team": "vision", "aws_created_by": "x"}
    for number in range(days):
        day = str(datetime.date.fromisoformat(first) + datetime.timedelta(number))
        odd = D(number + 1) / 8
        out += [
            row(day, "Usage", D(rate) + odd, hours=24, resource="i-00000000000000001", tags=team, pricing_public_on_demand_cost="800"),
            row(day, "EdpDiscount", -odd, resource="i-00000000000000001", tags=team),
            row(day, "Usage", 10 + odd, EDGE, usage="EUC1-SpotUsage:g5.xlarge", hours=24, resource="i-00000000000000002"),
            row(day, "SavingsPlanCoveredUsage", "2359.296", usage="USE2-BoxUsage:p5.48xlarge", hours=24, resource="i-00000000000000003",
                savings_plan_savings_plan_effective_cost=1400 + odd, savings_plan_savings_plan_a_r_n=PLAN),
            row(day, "SavingsPlanNegation", "-2359.296", usage="USE2-BoxUsage:p5.48xlarge", resource="i-00000000000000003", savings_plan_savings_plan_a_r_n=PLAN),
            row(day, "DiscountedUsage", "0", EDGE, hours=24, resource="i-00000000000000004", reservation_effective_cost="500.125", reservation_reservation_a_r_n=RESERVED),
            row(day, "Usage", odd, code="AmazonSageMaker", usage="USE1-Train:ml.p4d.24xlarge", hours=2),
            row(day, "Usage", "12.3456789", code="AmazonS3", usage="TimedStorage-ByteHrs", unit="GB-Mo", resource="bucket"),
            row(day, "Usage", "3.5", usage="EBS:VolumeUsage.gp3", unit="GB-Mo", resource="vol-1"),
            row(day, "Usage", "2.4", code="AmazonEKS", usage="USE1-AmazonEKS-Hours:perCluster", hours=24),
            row(day, "Usage", "1.08", code="AmazonVPC", usage="NatGateway-Hours", hours=24),
            row(day, "Usage", "0", usage="USE1-EKS-EC2-vCPU-Hours", hours=24, resource="pod/team/one", split_line_item_parent_resource_id="i-00000000000000001"),
            row(day, "SavingsPlanRecurringFee", "1500", PAYER, "ComputeSavingsPlans", "ComputeSP:1yrNoUpfront", savings_plan_savings_plan_a_r_n=PLAN,
                savings_plan_total_commitment_to_date="1500", savings_plan_used_commitment=1400 + odd),
            row(day, "Credit", "-3.25", code="AmazonS3", usage="Requests"),
        ]
    out += [
        row(first, "Tax", "77.77", code="AmazonEC2", usage=None), row(first, "Refund", "-1.5", EDGE, "AmazonS3", "Requests"), row(first, "FlatRateSubscription", "9.99", usage="Flat"),
        row(first, "Fee", "4000", PAYER, usage="HeavyUsage:p4d.24xlarge", reservation_reservation_a_r_n=RESERVED),
        row(first, "RIFee", "9000", PAYER, usage="HeavyUsage:p4d.24xlarge", reservation_reservation_a_r_n=RESERVED, reservation_unused_recurring_fee="60",
            reservation_unused_amortized_upfront_fee_for_billing_period="4.5"),
    ]
    return out


def unused(one):
    if one["line_item_line_item_type"] == "RIFee":
        return one["reservation_unused_recurring_fee"] + one["reservation_unused_amortized_upfront_fee_for_billing_period"]
    return one["savings_plan_total_commitment_to_date"] - one["savings_plan_used_commitment"]


def effective(one):
    """Amortized, as Cost Explorer has it."""
    kind = one["line_item_line_item_type"]
    return {"DiscountedUsage": lambda: one["reservation_effective_cost"], "SavingsPlanCoveredUsage": lambda: one["savings_plan_savings_plan_effective_cost"],
            "SavingsPlanNegation": lambda: D(0), "Fee": lambda: D(0), "RIFee": lambda: unused(one), "SavingsPlanRecurringFee": lambda: unused(one)}.get(
                kind, lambda: one["line_item_unblended_cost"])()


def report(rows, columns=None):
    """As CSV with gzip: maps are JSON."""
    columns = columns or COLUMNS
    text = io.StringIO(newline="")
    out = csv.writer(text, lineterminator="\n")
    out.writerow(columns)
    for one in rows:
        out.writerow(["" if one[name] is None else parquetbills.plain(one[name]) for name in columns])
    return gzip.compress(text.getvalue().encode(), mtime=0)


def typed(rows):
    """In the types that AWS writes."""
    kinds = {**dict.fromkeys(NUMBERS, pa.float64()), **dict.fromkeys(TIMES, pa.timestamp("ms")), **dict.fromkeys(TEXTS, pa.string()),
             **dict.fromkeys(MAPS, pa.map_(pa.string(), pa.string()))} if pa else {}
    def made(name, value):
        if value is None:
            return None
        return list(value.items()) if name in MAPS else float(value) if name in NUMBERS else value.replace(tzinfo=None) if name in TIMES else value
    arrays = [pa.array([made(name, one[name]) for one in rows], kinds[name]) for name in COLUMNS]
    return pa.Table.from_arrays(arrays, COLUMNS)


def parquet(rows):
    return parquetbills.parquet(typed(rows), compression="snappy")


def focus(rows):
    """As AWS's FOCUS maps the same charges, in which discounts are already taken off what they are for."""
    out, discounts = [], {}
    for one in rows:
        if one["line_item_line_item_type"] == "EdpDiscount":
            discounts[one["line_item_resource_id"], one["line_item_usage_start_date"]] = one["line_item_unblended_cost"]
    for one in rows:
        kind, code = one["line_item_line_item_type"], one["line_item_product_code"]
        if kind in ("SavingsPlanNegation", "EdpDiscount") or one["split_line_item_parent_resource_id"]:
            continue
        plan, reserved = one["savings_plan_savings_plan_a_r_n"], one["reservation_reservation_a_r_n"]
        covered = kind in ("SavingsPlanCoveredUsage", "DiscountedUsage")
        usage = covered or kind == "Usage"
        billed = D(0) if covered else one["line_item_unblended_cost"]
        if kind == "Usage":
            billed += discounts.pop((one["line_item_resource_id"], one["line_item_usage_start_date"]), 0)
        machine = (one["line_item_usage_type"] or "").rpartition(":")[2] if one["line_item_usage_amount"] else ""
        line = {"BilledCost": billed, "EffectiveCost": effective(one) if covered else D(0) if kind in PURCHASES else billed, "ListCost": one["pricing_public_on_demand_cost"],
                "ContractedCost": billed, "BillingAccountId": PAYER, "SubAccountId": one["line_item_usage_account_id"], "BillingCurrency": "USD",
                "BillingPeriodStart": one["bill_billing_period_start_date"], "BillingPeriodEnd": one["bill_billing_period_end_date"],
                "ChargePeriodStart": one["line_item_usage_start_date"], "ChargePeriodEnd": one["line_item_usage_end_date"],
                "ChargeCategory": "Usage" if usage else "Purchase" if kind in PURCHASES else kind if kind in ("Tax", "Credit") else "Adjustment",
                "ProviderName": "AWS", "PublisherName": "AWS", "InvoiceIssuerName": "AWS", "ServiceName": SERVICES[code],
                "ServiceCategory": "Storage" if "EBS" in (one["line_item_usage_type"] or "") else CATEGORIES.get(code, "Other"), "ResourceId": one["line_item_resource_id"],
                "CommitmentDiscountId": plan or reserved, "CommitmentDiscountStatus": "Used" if covered else None, "x_UsageType": one["line_item_usage_type"],
                "SkuPriceDetails": {"InstanceType": machine} if machine.endswith("large") else None, "Tags": {key.removeprefix("user_"): value for key, value in one["resource_tags"].items()},
                **{name: one["line_item_usage_amount"] if usage else None for name in ("ConsumedQuantity", "PricingQuantity")},
                **{name: one["pricing_unit"] if usage else None for name in ("ConsumedUnit", "PricingUnit")}}
        out.append(line)
        if kind in ("SavingsPlanRecurringFee", "RIFee") and unused(one):
            out.append({**line, "BilledCost": D(0), "EffectiveCost": unused(one), "ChargeCategory": "Usage", "CommitmentDiscountStatus": "Unused", "ResourceId": plan or reserved})
    return parquetbills.csv(out)


def explorer(rows):
    """The charges of a Cost Explorer that has the same month: it gives covered usage and its negation as one sum."""
    names = {**SERVICES, "AmazonEC2": f"{EC2} - Compute"}
    out = []
    for one in rows:
        usage, kind = one["line_item_usage_type"] or "", one["line_item_line_item_type"]
        if kind == "SavingsPlanNegation":
            continue
        service = "EC2 - Other" if "EBS" in usage or "EKS-EC2" in usage else names[one["line_item_product_code"]]
        out.append(charge(str(one["line_item_usage_start_date"].date()), D(0) if kind == "SavingsPlanCoveredUsage" else one["line_item_unblended_cost"], effective(one),
                          one["line_item_usage_account_id"], service, usage, kind, one["line_item_usage_amount"] if one["pricing_unit"] == "Hrs" else None))
    return out


class Reports(ProductTest):
    maxDiff = 4000

    def files(self, home, span=SPAN, **contents):
        """A program that reads these files of one folder, whose ending is behind the last "_" of the name."""
        folder = os.path.join(self.folder, home)
        os.makedirs(os.path.join(folder, "bills"))
        for name, content in contents.items():
            path = os.path.join(folder, "bills", name.replace("_", "."))
            with open(path, "wb") as file:
                file.write(content)
            os.utime(path, (1, 1))
        return Program(folder, configuration(f"  - {{ name: bill, kind: focus, path: {os.path.join(folder, 'bills')} }}\n"))

    def export(self):
        """An empty bucket, and what writes exports to it."""
        store = aws.FakeStore()
        self.addCleanup(store.close)
        export = aws.ExportTest()
        export.folder, export.put, export.url = self.folder, store.put, f"http://127.0.0.1:{store.server.server_address[1]}"
        return export

    def sync(self, program, status=0):
        done = program.run("sync", "--json", now=NOW)
        self.assertEqual(done.returncode, status, done.text[-4000:])
        one, = json.loads(done.stdout)["sources"]
        return one, done.text

    def delivery(self, program):
        one, text = self.sync(program)
        self.assertEqual((one["error"], one["rejected"]), (None, 0), text)
        delivery, = one["deliveries"]
        return delivery

    def ledger(self, program, by, key="billed", span=SPAN):
        rows = json.loads(program.healthy("ledger", "--by", by, *span, "--cost", "effective" if key == "effective" else "billed", "--json", now=NOW).stdout)["rows"]
        return {tuple(one[name.replace("-", "_")] for name in by.split(",")): D(one[key]["amount"]) for one in rows if D(one[key]["amount"])}

    def total(self, program, key="billed", span=SPAN):
        return sum(self.ledger(program, "category", key, span).values())


class Real(Reports):
    def setUp(self):
        super().setUp()
        if not os.path.exists(SAMPLE):
            self.skipTest("no real Cost and Usage Report (shared/data/focus)")
        with open(SAMPLE, "rb") as file:
            self.content = file.read()

    def assertSum(self, program):
        delivery = self.delivery(program)
        total, = delivery["accepted"]["sums"]
        self.assertEqual((total["lines"], D(total["billed"]), D(total["effective"]), delivery["version"]), (1281, SAMPLE_SUM, SAMPLE_SUM, "aws-cur"))
        self.assertEqual(self.total(program, span=SAMPLE_SPAN), D(total["billed_kept"]))
        self.assertEqual(set(self.ledger(program, "category", span=SAMPLE_SPAN)), {("storage",), ("other",), ("tax",)})
        program.verify(now=NOW)

    def test_by_focus(self):
        program = self.files("home", sample_csv=self.content)
        self.assertSum(program)
        said = program.healthy("sources", "test", "bill", now=NOW)
        self.assertIn("an AWS Cost and Usage Report", said.stdout.decode() + said.text)

    def test_by_aws_export(self):
        export = self.export()
        export.write("2023-11", gzip.compress(self.content))
        self.assertSum(export.source())


class Ways(Reports):
    """The same month by each way that its bill can come."""

    def setUp(self):
        super().setUp()
        self.rows = month()
        self.report = self.files("report", report_csv_gz=report(self.rows))
        self.found = self.delivery(self.report)

    def assertHolds(self, program):
        self.assertEqual(self.total(program), sum(one["line_item_unblended_cost"] for one in self.rows))
        self.assertEqual(self.total(program, "effective"), sum(effective(one) for one in self.rows))
        program.verify(now=NOW)

    def gpus(self, program, key="billed"):
        return {names: amount for names, amount in self.ledger(program, "category,account,instance-type,day", key).items() if names[0] == "gpu"}

    def assertHours(self, program):
        rows = json.loads(program.healthy("ledger", "--by", "account,instance-type", *SPAN, "--json", now=NOW).stdout)["rows"]
        found = {(one["account"], one["instance_type"]): one["gpu_hours"] for one in rows if one["gpu_hours"]}
        self.assertEqual(found, {(LAB, "p4d.24xlarge"): 31 * 26 * 8, (LAB, "p5.48xlarge"): 31 * 24 * 8, (EDGE, "p4d.24xlarge"): 31 * 24 * 8, (EDGE, "g5.xlarge"): 31 * 24})

    def test_the_report_itself(self):
        self.assertHolds(self.report)
        self.assertHours(self.report)
        total, = self.found["accepted"]["sums"]
        self.assertEqual(D(total["billed"]), sum(one["line_item_unblended_cost"] for one in self.rows))
        notes = " ".join(one["text"] for one in self.found["findings"])
        self.assertIn("the line type FlatRateSubscription is new", notes)
        self.assertIn("shares of pods", notes)
        categories = self.ledger(self.report, "category", "effective")
        self.assertEqual(categories["unused-commitment",], sum(unused(one) for one in self.rows if one["line_item_line_item_type"] in ("RIFee", "SavingsPlanRecurringFee")))
        self.assertNotIn(("purchase",), categories)
        self.assertEqual({names[2] for names in self.gpus(self.report, "effective")}, {"p4d.24xlarge", "g5.xlarge", "p5.48xlarge"})
        text = self.report.healthy("ledger", "--by", "category", *SPAN, now=NOW).stdout.decode()
        self.assertIn("unexplained: 0.00 USD", text)
        for one in json.loads(self.report.healthy("ledger", "--by", "category", *SPAN, "--json", now=NOW).stdout)["rows"]:
            for figure in (one["figures"]["billed"], one["figures"]["effective"]):
                self.report.healthy("explain", figure, "--json", now=NOW)  # fails if the proof has another value

    def test_as_parquet(self):
        if pa is None or not os.path.exists(MODULE):
            self.skipTest("no pyarrow, or no module for Parquet in this build")
        program = self.files("parquet", report_parquet=parquet(self.rows))
        delivery = self.delivery(program)
        for key in ("version", "accepted", "findings"):
            self.assertEqual(delivery[key], self.found[key], key)
        for by in ("category,account,service,region,instance-type,day", "team,category"):
            for key in ("billed", "effective"):
                self.assertEqual(self.ledger(program, by, key), self.ledger(self.report, by, key))
        self.assertHolds(program)

    def test_by_aws_export_in_two_files(self):
        """Each negation is in another file than what it negates."""
        parts = [[one for one in self.rows if (one["line_item_line_item_type"] == "SavingsPlanNegation") == isLast] for isLast in (False, True)]
        export = self.export()
        export.write("2026-10", *(report(part) for part in parts))
        program = export.source()
        self.sync(program)
        for key in ("billed", "effective"):
            self.assertEqual(self.ledger(program, "category,account,service,region,instance-type,day", key),
                             self.ledger(self.report, "category,account,service,region,instance-type,day", key))
        self.assertHolds(program)

    def test_as_focus(self):
        program = self.files("focus", focus_csv=focus(self.rows))
        self.delivery(program)
        self.assertHolds(program)
        self.assertHours(program)
        discount = sum(one["line_item_unblended_cost"] for one in self.rows if one["line_item_line_item_type"] == "EdpDiscount")
        for key in ("billed", "effective"):
            mine, theirs = (self.ledger(one, "category", key) for one in (self.report, program))
            # The only difference: discounts are rows of the report, and in FOCUS already taken off.
            mine["adjustment",] -= discount
            mine["gpu",] += discount
            self.assertEqual(mine, theirs)
            self.assertEqual(self.ledger(self.report, "account", key), self.ledger(program, "account", key))
            days = {one["line_item_usage_start_date"].strftime("%Y-%m-%d"): one["line_item_unblended_cost"] for one in self.rows
                    if one["line_item_line_item_type"] == "EdpDiscount"}
            mine = {names: amount + (days[names[3][:10]] if names[1:3] == (LAB, "p4d.24xlarge") else 0) for names, amount in self.gpus(self.report, key).items()}
            self.assertEqual(mine, self.gpus(program, key))

    def test_by_cost_explorer(self):
        server = CostExplorer(*explorer(self.rows))
        self.addCleanup(server.close)
        server.account, server.final_until = PAYER, datetime.date(2026, 11, 18)
        folder = os.path.join(self.folder, "explorer")
        os.makedirs(folder)
        program = Program(folder, configuration(
            f"  - {{ name: bill, kind: aws-costs, url: \"{server.url()}\", first_sync: 45d, commitments: none,"
            f" auth: {{ type: sigv4, region: us-east-1 }} }}\n"))
        program.environment.update(AWS_ACCESS_KEY_ID="AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY="canary-secret-key", AWS_EC2_METADATA_DISABLED="true")
        self.sync(program)
        self.assertHolds(program)
        self.assertHours(program)
        disks = sum(one["line_item_unblended_cost"] for one in self.rows if "EBS" in (one["line_item_usage_type"] or ""))
        lost = sum(unused(one) for one in self.rows if one["line_item_line_item_type"] in ("RIFee", "SavingsPlanRecurringFee"))
        for key in ("billed", "effective"):
            mine, theirs = (self.ledger(one, "category", key) for one in (self.report, program))
            # Cost Explorer gives disks as "EC2 - Other", and of a commitment that is not used up only the fee.
            mine["storage",] -= disks
            mine["other",] = mine.get(("other",), 0) + disks
            if key == "effective":
                del mine["unused-commitment",]
                mine["purchase",] = mine.get(("purchase",), 0) + lost
            self.assertEqual(mine, theirs)
            self.assertEqual(self.ledger(self.report, "account", key), self.ledger(program, "account", key))
            self.assertEqual(self.gpus(self.report, key), self.gpus(program, key))


class Faults(Reports):
    def test_a_restated_month_replaces(self):
        export = self.export()
        export.write("2026-10", report(month()), execution="20261101T000000-a/")
        program = export.source()
        self.sync(program)
        later = month(rate="700")
        export.write("2026-10", report(later), execution="20261102T000000-b/")
        self.sync(program)
        self.assertEqual(self.total(program), sum(one["line_item_unblended_cost"] for one in later))
        one, _ = self.sync(program)
        self.assertEqual((one["accepted"], one["known_deliveries"]), (0, 1))
        program.verify(now=NOW)

    def test_a_column_that_the_query_leaves_out(self):
        export, program = self.export(), None
        export.write("2026-10", report(month()))
        program = export.source()
        self.sync(program)
        before = self.total(program)
        for column in ("line_item_usage_type", "savings_plan_savings_plan_effective_cost", "reservation_unused_recurring_fee"):
            export.write("2026-10", report(month(), [name for name in COLUMNS if name != column]))
            one, text = self.sync(program, FAILED)
            self.assertEqual(one["error"]["code"], "unsupported", text)
            self.assertIn(f"has no column {column}", text)
            self.assertIn(f"add to the SELECT of the export's query: {column}", text)
            self.assertEqual(self.total(program), before)
        program.verify(now=NOW)

    def test_a_report_that_is_cut_off_is_not_counted(self):
        content = report(month())
        for name, part in (("packed", {"report_csv_gz": content[:len(content) // 2]}), ("plain", {"report_csv": gzip.decompress(content)[:-60]})):
            program = self.files(name, **part)
            one, text = self.sync(program)
            self.assertEqual((one["accepted"], self.total(program)), (0, 0), text)

    def test_negations_that_do_not_cancel_out(self):
        rows = month()
        for one in rows:
            if one["line_item_line_item_type"] == "SavingsPlanNegation":
                one["line_item_unblended_cost"] += D("0.0000000001")
        program = self.files("home", report_csv=gzip.decompress(report(rows)))
        total, = self.delivery(program)["accepted"]["sums"]
        self.assertEqual(D(total["billed"]), sum(one["line_item_unblended_cost"] for one in rows))
        services = self.ledger(program, "category,service")
        self.assertEqual(services["adjustment", "Savings Plans"], D("0.000000003"))
        program.verify(now=NOW)

    def test_hostile_rows_are_refused_by_name(self):
        good = gzip.decompress(report(month())).decode()
        header, first = good.split("\n")[:2]
        names = header.split(",")
        cells = next(csv.reader([first]))
        bad = []
        for column, value in (("line_item_unblended_cost", "1e999"), ("line_item_unblended_cost", "=1+1"), ("line_item_currency_code", "\x1b[31m"), ("line_item_usage_start_date", "never"),
                              ("line_item_line_item_type", ""), ("bill_payer_account_id", ""), ("bill_billing_period_end_date", "2026-09-01T00:00:00Z")):
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerow([value if name == column else cell for name, cell in zip(names, cells)])
            bad.append(text.getvalue())
        odd = {"product": "[" * 500, "resource_tags": '{"user_team": {"a": [1]}, "user_": 7}', "cost_category": "no map", "line_item_usage_type": ":" * 300}
        program = self.files("home", report_csv=(good + "".join(bad) + "a,b\n" + ",".join(["x"] * (len(names) + 1)) + "\n").encode())
        one, _ = self.sync(program)
        self.assertEqual(one["rejected"], len(bad) + 2)
        self.assertEqual(self.total(program), sum(one["line_item_unblended_cost"] for one in month()))
        program.verify(now=NOW)
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow([odd.get(name, cell) for name, cell in zip(names, cells)])
        other = self.files("odd", report_csv=(header + "\n" + text.getvalue()).encode())
        one, _ = self.sync(other)
        self.assertEqual((one["accepted"], one["rejected"]), (1, 0))
        other.verify(now=NOW)


if __name__ == "__main__":
    parquetbills.with_arrow()
    unittest.main()
