#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`planned`: machines in the output of Infracost beside a bill, held against sums over the rows of the bill that use nothing of the product."""
import csv
import datetime
import decimal
import fractions
import io
import json
import math
import os
import pathlib
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "unit", "cli")]

import bills  # noqa: E402
from product import DEMO, Program, ProductTest, configuration  # noqa: E402

Decimal, Fraction = decimal.Decimal, fractions.Fraction
NOW, TODAY = "2026-11-20T12:00:00Z", datetime.date(2026, 11, 20)
LOOK, USAGE, FAILED = 1, 2, 4
PAST_DAYS, OPEN_DAYS = 28, 2
NANO = 10**9
P4D = "Instance usage (Linux/UNIX, on-demand, p4d.24xlarge)"
ROW = {"project", "resource", "cloud", "machine", "gpu", "gpus", "purchase", "planned", "before", "paid_per_hour", "at_paid_price", "running"}


def component(name, hours="730", price="1"):
    """One of Infracost's components; without hours it depends on use."""
    cost = None if hours is None else str(Decimal(hours) * Decimal(price))
    hourly = None if hours is None else str(Decimal(hours) / 730)
    return {"name": name, "unit": "hours", "hourlyQuantity": hourly, "monthlyQuantity": hours, "price": price,
            "hourlyCost": None if cost is None else str(Decimal(cost) / 730), "monthlyCost": cost}


def resource(name, *components, inside=()):
    kind = next((word for word in name.split(".") if word.startswith(("aws_", "google_", "azurerm_"))), None)
    return {"name": name, **({"resourceType": kind} if kind else {}), "metadata": {}, "hourlyCost": None, "monthlyCost": None, "costComponents": list(components),
            "subresources": list(inside)}


def project(*after, before=(), name="ml"):
    def part(resources):
        return {"resources": list(resources), "totalHourlyCost": "0", "totalMonthlyCost": "0"}
    return {"name": name, "metadata": {"path": ".", "type": "terraform_dir"}, "pastBreakdown": part(before), "breakdown": part(after), "diff": part(())}


def breakdown(*projects, **more):
    return {"version": "0.2", "metadata": {"infracostCommand": "breakdown"}, "currency": "USD", "projects": list(projects), "totalHourlyCost": "0",
            "timeGenerated": "2026-11-19T10:11:12.123456789Z", **more}


def machines(*components, name="aws_instance.gpu"):
    return breakdown(project(resource(name, *components)))


def amount(money):
    return money and Decimal(money["amount"])


def usd(text):
    return {"amount": text, "currency": "USD"}


def usage(day, account, machine, hours, cost, effective=None, **more):
    """A line of a bill for a machine on a day of November."""
    first = datetime.date(2026, 11, 1) + datetime.timedelta(day - 1)
    month = first.replace(day=1)
    return bills.line(**{
        "BillingAccountId": account, "BillingPeriodStart": f"{month}T00:00:00Z", "BillingPeriodEnd": f"{(month + datetime.timedelta(31)).replace(day=1)}T00:00:00Z",
        "ChargePeriodStart": f"{first}T00:00:00Z", "ChargePeriodEnd": f"{first + datetime.timedelta(1)}T00:00:00Z", "RegionId": "us-east-1",
        "ResourceId": f"i-{account}-{machine}", "BilledCost": cost, "EffectiveCost": effective or cost, "ConsumedQuantity": hours, "ConsumedUnit": "Hours",
        "PricingCategory": "Standard", "SkuPriceDetails": json.dumps({"InstanceType": machine}), **more})


SPOT = {"PricingCategory": "Dynamic", "ResourceId": "i-spot"}
COVERED = {"PricingCategory": "Committed", "CommitmentDiscountId": "plan-1", "CommitmentDiscountCategory": "Spend", "CommitmentDiscountStatus": "Used", "ResourceId": "i-covered"}


def month_of_bills():
    """Four accounts whose days end at different times; what is not to be counted would change each price."""
    rows = [usage(-20, "first", "p4d.24xlarge", "24", "90000")]  # 28 days ago and more
    for day in range(1, 18):
        is_open = day > 15
        rows += [usage(day, "first", "p4d.24xlarge", "24" if day % 2 else "7.125", "9999" if is_open else "786.5424", "700.123456789"),
                 usage(day, "first", "p4d.24xlarge", "12.5", "451.000000007", RegionId="eu-west-1", ResourceId="i-west"),
                 usage(day, "first", "p4d.24xlarge", "24", "0", "7777" if is_open else "301.000000013", **COVERED),
                 usage(day, "first", "p4d.24xlarge", "10.5", "8888" if is_open else "99.111111111", **SPOT),
                 usage(day, "first", "m5.large", "24", "2.304")]
    for day in range(3, 13):
        rows += [usage(day, "second", "p4d.24xlarge", "48", "5555" if day > 10 else "1310.9040004", PricingCategory="", RegionId="us-west-2"),
                 usage(day, "second", "p4d.24xlarge", "3", "31.5", PricingCategory="", ChargeDescription="Linux Spot Instance Hour", ResourceId="i-word")]
    rows += [usage(5, "second", "p4d.24xlarge", "1", "-400", ChargeClass="Correction", ResourceId="i-corrected"),
             usage(5, "second", "p9.48xlarge", "7", "700.0000001", "600.0000001"),
             usage(6, "second", "p4d.24xlarge", "1", "4000", ChargeCategory="Purchase", ResourceId="fee")]
    for day in range(8, 14):
        rows.append(usage(day, "euro", "p4d.24xlarge", "24", "600.5", BillingCurrency="EUR"))
    for day in range(5, 15):
        rows.append(usage(day, "azure", "Standard_NC24ads_A100_v4", "13", "44.777777777", ProviderName="Microsoft", ServiceName="Virtual Machines", RegionId="eastus"))
    return rows


class Billed:
    """What an hour of each type cost, and how many ran: by cloud, type in lower case, and whether it is spot."""
    CLOUDS = {"AWS": "aws", "Microsoft": "azure"}

    def __init__(self, rows, view):
        account = lambda row: (self.CLOUDS[row["ProviderName"]], row["BillingAccountId"])  # noqa: E731
        days = {}
        for row in rows:
            if row["ChargeCategory"] == "Usage" and TODAY - datetime.timedelta(PAST_DAYS) <= self.day(row) < TODAY:
                days.setdefault(account(row), set()).add(self.day(row))
        days = {key: set(sorted(all_days)[:-OPEN_DAYS]) for key, all_days in days.items()}
        self.days = {cloud: set().union(*(some for key, some in days.items() if key[0] == cloud)) for cloud, _ in days}
        self.sums, self.hours = {}, {}
        for row in rows:
            if row["ChargeCategory"] != "Usage" or row["ChargeClass"] == "Correction" or self.day(row) not in days[account(row)]:
                continue
            is_spot = row["PricingCategory"] == "Dynamic" or (not row["PricingCategory"] and "spot" in row["ChargeDescription"].lower())
            key = (account(row)[0], json.loads(row["SkuPriceDetails"])["InstanceType"].lower(), is_spot)
            self.hours[key] = self.hours.get(key, 0) + Fraction(row["ConsumedQuantity"])
            if row.get("CommitmentDiscountId") and view == "billed":
                continue  # its fee is elsewhere
            cost, hours = self.sums.get((key, row["BillingCurrency"]), (0, 0))
            self.sums[(key, row["BillingCurrency"])] = (cost + Fraction(row["BilledCost" if view == "billed" else "EffectiveCost"]), hours + Fraction(row["ConsumedQuantity"]))

    @staticmethod
    def day(row):
        return datetime.date.fromisoformat(row["ChargePeriodStart"][:10])

    def paid(self, cloud, machine, is_spot, currency="USD"):
        """In nano-units per hour, truncated; None: nothing."""
        cost, hours = self.sums.get(((cloud, machine.lower(), is_spot), currency), (0, 0))
        return math.floor(cost * NANO / hours) if hours else None

    def running(self, cloud, machine, is_spot):
        return float(self.hours.get((cloud, machine.lower(), is_spot), 0) / (24 * len(self.days[cloud]))) if cloud in self.days else None


def at_price(nanos, hours):
    """Nano-units, a half rounded up."""
    return math.floor(nanos * Fraction(hours) + Fraction(1, 2))


class PlannedTest(ProductTest):
    def setUp(self):
        super().setUp()
        self.plans = pathlib.Path(self.folder, "plans")
        self.plans.mkdir()

    def program(self, bill=None, plans="", more=""):
        """With the bill synced, if there is one."""
        sources = f"  - {{ name: plans, kind: infracost, path: \"{plans or self.plans}\" }}\n" + more
        if bill is not None:
            folder = pathlib.Path(self.folder, "bills")
            folder.mkdir()
            bills.write_bill(folder / "november.csv", bill)
            sources = f"  - {{ name: bill, kind: focus, path: {folder} }}\n" + sources
        program = Program(self.folder, configuration(sources))
        if bill is not None:
            program.healthy("sync", now=NOW)
        return program

    def write(self, name, plan):
        path = self.plans / name
        path.write_bytes(plan if isinstance(plan, bytes) else json.dumps(plan).encode())
        return path

    def ask(self, program, *options):
        return json.loads(program.healthy("planned", "--json", *options, now=NOW).stdout)

    def rows(self, program, *options):
        """Of the only plan: {resource: row}, each of one row."""
        plan, = self.ask(program, *options)["plans"]
        rows = {row["resource"]: row for row in plan["machines"]}
        self.assertEqual(len(rows), len(plan["machines"]))
        return plan, rows

    def fails(self, program, *parts, code="parse", status=FAILED, source="plans"):
        done = program.run("planned", "--json", now=NOW)
        self.assertEqual((done.returncode, done.stdout), (status, b""), done.text)
        error = json.loads(done.text[done.text.index("\n{"):])["error"]
        self.assertEqual((error["code"], error["source"]), (code, source), done.text)
        for part in parts:
            self.assertIn(part, error["message"] + " " + (error["hint"] or ""))
        self.assertSentence(done, *parts)


class Machines(PlannedTest):
    def test_machines_of_a_breakdown(self):
        """All shapes that Infracost gives machines, without a bill."""
        storage = component("Storage (general purpose SSD, gp2)", "50", "0.1")
        self.write("plan.json", breakdown(project(
            resource("aws_instance.gpu", component(P4D, price="32.7726"), component("EBS-optimized usage"), inside=[resource("root_block_device", storage)]),
            resource("aws_eks_node_group.gpu", inside=[resource("aws_launch_template.gpu", component(P4D, "2190", "32.7726"), inside=[resource("block_device_mapping[0]", storage)])]),
            resource("aws_autoscaling_group.mixed", component("Instance usage (Linux/UNIX, spot, p4d.24xlarge)", "1460", "9.5")),
            resource("aws_instance.kept", component("Instance usage (Linux/UNIX, reserved, p4d.24xlarge)", price="12.0")),
            resource("aws_instance.web", component("Instance usage (Linux/UNIX, on-demand, m5.large)", price="0.096")),
            resource("aws_instance.new", component("Instance usage (Linux/UNIX, on-demand, p9.48xlarge)", "0.5", "100")),
            resource("aws_lambda_function.none", component("Requests", None)),
            resource("aws_instance.later", component("Instance usage (Linux/UNIX, on-demand, g5.12xlarge)", None)),
            resource("module.x.google_compute_instance.gpu[0]", component("Instance usage (Linux/UNIX, on-demand, n1-standard-16)", price="0.76"),
                     component("Standard provisioned storage (pd-standard)", "10", "0.04"), component("NVIDIA Tesla K80 (on-demand)", "2920", "0.315")),
            resource("google_compute_instance.a2", component("Instance usage (Linux/UNIX, preemptible, a2-highgpu-1g)", price="1.1")),
            resource("google_compute_instance.custom", component("Custom instance CPU (Linux/UNIX, on-demand, N1 6 vCPUs)", price="0.2"),
                     component("Custom Instance RAM (Linux/UNIX, on-demand, N1 20 GB)", price="0.09"), component("NVIDIA Tesla T4 (on-demand)", "1460", "0.35")),
            resource("azurerm_linux_virtual_machine.a", component("Instance usage (pay as you go, Standard_NC24ads_A100_v4)", price="3.673"),
                     component("Ultra disk reservation (if unattached)", None)),
            resource("azurerm_linux_virtual_machine.b", component("Instance usage (pay as you go, standard_nc24ads_a100_v4)", price="3.673")))))
        program = self.program()
        told = self.ask(program)
        self.assertIsNone(told["billed"])
        plan, rows = self.rows(program)
        self.assertEqual((plan["source"], plan["file"], plan["made"], plan["currency"], plan["without_gpus"]), ("plans", "plan.json", "2026-11-19T10:11:12Z", "USD", 1))
        self.assertEqual([row["resource"] for row in plan["machines"]], sorted(rows))
        found = {name: (row["cloud"], row["machine"], row["gpu"], row["gpus"], row["purchase"], row["planned"]["hours"], amount(row["planned"]["cost"])) for name, row in rows.items()}
        self.assertEqual(found, {
            "aws_instance.gpu": ("aws", "p4d.24xlarge", "A100 40GB", 8, "on-demand", 730, Decimal("23923.998")),
            "aws_eks_node_group.gpu": ("aws", "p4d.24xlarge", "A100 40GB", 8, "on-demand", 2190, Decimal("71771.994")),
            "aws_autoscaling_group.mixed": ("aws", "p4d.24xlarge", "A100 40GB", 8, "spot", 1460, 13870),
            "aws_instance.kept": ("aws", "p4d.24xlarge", "A100 40GB", 8, "commitment", 730, 8760),
            "aws_instance.new": ("aws", "p9.48xlarge", None, None, "on-demand", 0.5, 50),
            "aws_instance.later": ("aws", "g5.12xlarge", "A10G", 4, "on-demand", None, None),
            "module.x.google_compute_instance.gpu[0]": ("gcp", "n1-standard-16", "NVIDIA Tesla K80", 4, "on-demand", 730, Decimal("1474.6")),
            "google_compute_instance.a2": ("gcp", "a2-highgpu-1g", "A100 40GB", 1, "spot", 730, 803),
            "google_compute_instance.custom": ("gcp", "custom", "NVIDIA Tesla T4", 2, "on-demand", 730, Decimal("722.7")),
            "azurerm_linux_virtual_machine.a": ("azure", "Standard_NC24ads_A100_v4", "A100 80GB", 1, "on-demand", 730, Decimal("2681.29")),
            "azurerm_linux_virtual_machine.b": ("azure", "standard_nc24ads_a100_v4", "A100 80GB", 1, "on-demand", 730, Decimal("2681.29"))})
        for row in plan["machines"]:
            self.assertEqual(set(row), ROW)
            self.assertEqual((row["project"], row["before"], row["paid_per_hour"], row["at_paid_price"], row["running"]), ("ml", None, None, None, None))
        self.assertEqual((plan["planned"], plan["before"], plan["at_paid_price"]), (None, None, None))
        done = program.healthy("planned", now=NOW)
        self.assertIn("there are no final bill days to compare with", done.text)
        self.assertIn("plan.json: machines without GPUs are left out: 1", done.text)

    def test_one_resource_with_machines_of_several_kinds(self):
        """Each type and each terms are a row; equal ones are added. A number is as good as its text."""
        spot = "Instance usage (Linux/UNIX, spot, p4d.24xlarge)"
        numbers = component(P4D, "10", "2.5") | {"monthlyQuantity": 10, "monthlyCost": 25.000000001}
        self.write("plan.json", breakdown(project(resource(
            "aws_autoscaling_group.mixed", component(P4D, "100.25", "2"), numbers, component(spot, "50"),
            inside=[resource("aws_launch_template.a", component(P4D, "5", "0")), resource("aws_launch_template.b", component("Instance usage (Linux/UNIX, on-demand, g5.12xlarge)"))]))))
        plan, = self.ask(self.program())["plans"]
        found = {(row["machine"], row["purchase"]): (row["planned"]["hours"], amount(row["planned"]["cost"])) for row in plan["machines"]}
        self.assertEqual(found, {("p4d.24xlarge", "on-demand"): (115.25, Decimal("225.500000001")), ("p4d.24xlarge", "spot"): (50, 50), ("g5.12xlarge", "on-demand"): (730, 730)})
        self.assertEqual(plan["planned"], usd("1005.500000001"))

    def test_a_change(self):
        """Changed, added, removed and kept resources, as `infracost diff` tells them."""
        g5 = "Instance usage (Linux/UNIX, on-demand, g5.12xlarge)"
        self.write("diff.json", breakdown(project(
            resource("aws_instance.more", component(P4D, "1460", "30")), resource("aws_instance.added", component(P4D, "73", "30")),
            resource("aws_instance.type", component(P4D, "10", "30")),
            before=[resource("aws_instance.more", component(P4D, "730", "29")), resource("aws_instance.gone", component(P4D, "365", "30")),
                    resource("aws_instance.type", component(g5, "20", "5")),
                    resource("aws_instance.web", component("Instance usage (Linux/UNIX, on-demand, m5.large)"))])))
        program = self.program()
        plan, = self.ask(program)["plans"]

        def told(use):
            return use and (use["hours"], amount(use["cost"]))
        found = {(row["resource"], row["machine"]): (told(row["planned"]), told(row["before"])) for row in plan["machines"]}
        self.assertEqual(found, {
            ("aws_instance.more", "p4d.24xlarge"): ((1460, 43800), (730, 21170)), ("aws_instance.added", "p4d.24xlarge"): ((73, 2190), None),
            ("aws_instance.gone", "p4d.24xlarge"): (None, (365, 10950)), ("aws_instance.type", "p4d.24xlarge"): ((10, 300), None), ("aws_instance.type", "g5.12xlarge"): (None, (20, 100))})
        self.assertEqual((plan["planned"], plan["before"], plan["without_gpus"]), (usd("46290.000000000"), usd("32220.000000000"), 1))
        text = program.healthy("planned", now=NOW).stdout.decode()
        gone = next(line for line in text.splitlines() if line.startswith("aws_instance.gone"))
        self.assertEqual(gone.split()[-6:], ["removed", "0.00", "10950.00", "-", "0.00", "-"], text)
        self.assertEqual(text.splitlines()[-1].split()[:3], ["total", "46290.00", "32220.00"], text)

    def test_what_was_there_without_machines_is_known(self):
        """The file tells what there was: a bucket, so that the machines cost nothing before."""
        self.write("diff.json", breakdown(project(resource("aws_instance.gpu", component(P4D)), before=[resource("aws_s3_bucket.data", component("Storage", "10"))])))
        plan, = self.ask(self.program())["plans"]
        self.assertEqual((plan["planned"], plan["before"]), (usd("730.000000000"), usd("0.000000000")))

    def test_a_sum_of_which_an_amount_is_unknown(self):
        known, unknown = component(P4D, "10", "30"), component(P4D, None)
        self.write("a.json", breakdown(project(resource("aws_instance.a", known), resource("aws_instance.b", unknown), before=[resource("aws_instance.a", known)])))
        self.write("b.json", breakdown(project(resource("aws_instance.a", known), before=[resource("aws_instance.a", known), resource("aws_instance.b", unknown)])))
        self.write("c.json", breakdown(project(resource("aws_instance.a", known, unknown), before=[resource("aws_instance.a", known)])))
        self.write("d.json", breakdown(project(resource("aws_instance.a", known), resource("aws_sqs_queue.q", component("Requests", None)), before=[resource("aws_instance.a", known)])))
        self.write("e.json", breakdown(project()))
        sums = {plan["file"]: (amount(plan["planned"]), amount(plan["before"])) for plan in self.ask(self.program())["plans"]}
        self.assertEqual(sums, {"a.json": (None, 300), "b.json": (300, None), "c.json": (None, 300), "d.json": (300, 300), "e.json": (0, None)})

    def test_hostile_names(self):
        """They stay text: nothing for a terminal or a spreadsheet to obey, and not without end."""
        gpu = component("NVIDIA Tesla T4 (on-demand)", "1460", "0.35")
        formulas = ["=1+1", "+cmd", "@x", "-2+3"]
        control = "a\u001b[31mred\u0007\n\tb\u202e\u0000c"
        self.write("=x\u001b[2J.json", breakdown(
            project(resource(control, component("Instance usage (Linux/UNIX, on-demand, =1+1)", price="1"), gpu), resource("<b>&amp;\"x\", y</b>", component(P4D)),
                    resource("x" * 3000, component(P4D), gpu), resource("", component(P4D)), *(resource(name, component(P4D)) for name in formulas), name="<script>\u009b" * 500)))
        program = self.program()
        plan, rows = self.rows(program)
        self.assertEqual(len(rows), 8)
        self.assertIn("<b>&amp;\"x\", y</b>", rows)
        self.assertEqual([row["machine"] for name, row in rows.items() if name.startswith("a\ufffd[31mred")], ["=1+1"])
        names = [text for row in plan["machines"] for text in (row["resource"], row["project"])] + [plan["file"]]
        for text in names:
            self.assertLess(len(text.encode()), 300)
            self.assertTrue(text.isprintable() and "\u202e" not in text, ascii(text))
        for form in ((), ("--csv",)):
            said = program.healthy("planned", *form, now=NOW)
            for mark in (b"\x1b", b"\x07", b"\0", "\u202e".encode(), "\u009b".encode(), b"x" * 300):
                self.assertNotIn(mark, said.stdout + said.stderr)
        cells = list(csv.DictReader(io.StringIO(said.stdout.decode(), newline="")))
        self.assertEqual(len(cells), 8)
        for cell in (text for row in cells for text in row.values()):
            self.assertFalse(cell.startswith(("=", "+", "@", "-2")), cell)
        self.assertLessEqual({"'" + name for name in formulas}, {row["resource"] for row in cells})


class BesideBills(PlannedTest):
    RESOURCES = {
        "aws_instance.demand": ("on-demand, p4d.24xlarge", "730"), "aws_instance.third": ("on-demand, p4d.24xlarge", "243.333333333"),
        "aws_instance.spot": ("spot, p4d.24xlarge", "1460"), "aws_instance.reserved": ("reserved, p4d.24xlarge", "0.7"), "aws_instance.unbilled": ("on-demand, g5.12xlarge", "730"),
        "aws_instance.p9": ("on-demand, p9.48xlarge", "0.7"), "aws_instance.quarter": ("on-demand, p9.48xlarge", "0.25"),
        "azurerm_linux_virtual_machine.a": ("pay as you go, standard_NC24ads_a100_v4", "365"), "google_compute_instance.a2": ("on-demand, a2-highgpu-1g", "730")}

    def setUp(self):
        super().setUp()
        self.bill = month_of_bills()

    def plan(self, **more):
        self.write("plan.json", breakdown(project(*(resource(name, component(f"Instance usage ({words})", hours, "3")) for name, (words, hours) in self.RESOURCES.items())), **more))
        return self.program(self.bill)

    def keys(self, row):
        return row["cloud"], row["machine"], row["purchase"] == "spot"

    def test_what_was_paid(self):
        program = self.plan()
        for options, view in (((), "effective"), (("--cost", "effective"), "effective"), (("--cost", "billed"), "billed")):
            with self.subTest(options=options):
                billed = Billed(self.bill, view)
                self.assertEqual(self.ask(program, *options)["billed"], {"from": "2026-11-01T00:00:00Z", "to": "2026-11-16T00:00:00Z"})
                plan, rows = self.rows(program, *options)
                self.assertEqual(set(rows), set(self.RESOURCES))
                for name, row in rows.items():
                    nanos = billed.paid(*self.keys(row))
                    money = lambda count: None if count is None else usd(f"{count // NANO}.{count % NANO:09}")  # noqa: E731
                    self.assertEqual(row["paid_per_hour"], money(nanos), name)
                    self.assertEqual(row["at_paid_price"], money(None if nanos is None else at_price(nanos, self.RESOURCES[name][1])), name)
                self.assertEqual([name for name, row in rows.items() if not row["paid_per_hour"]], ["aws_instance.unbilled", "google_compute_instance.a2"])
                self.assertEqual((amount(plan["planned"]), plan["at_paid_price"]), (sum(amount(row["planned"]["cost"]) for row in rows.values()), None))
        effective, billed = (Billed(self.bill, view).paid("aws", "p4d.24xlarge", False) for view in ("effective", "billed"))
        self.assertNotEqual(effective, billed)

    def test_what_runs(self):
        billed = Billed(self.bill, "effective")
        self.assertEqual({cloud: len(days) for cloud, days in billed.days.items()}, {"aws": 15, "azure": 8})
        _, rows = self.rows(self.plan())
        for name, row in rows.items():
            want = billed.running(*self.keys(row))
            self.assertIs(row["running"] is None, want is None, name)
            self.assertAlmostEqual(row["running"] or 0, want or 0, places=8, msg=name)
        self.assertEqual((rows["aws_instance.unbilled"]["running"], rows["google_compute_instance.a2"]["running"]), (0, None))

    def test_what_runs_is_the_same_in_every_view(self):
        """Machines under a commitment run, wherever their fee is."""
        program = self.plan()
        _, effective = self.rows(program)
        _, billed = self.rows(program, "--cost", "billed")
        self.assertEqual({name: row["running"] for name, row in billed.items()}, {name: row["running"] for name, row in effective.items()})

    def test_list_prices_say_nothing_of_what_was_paid(self):
        plan, rows = self.rows(self.plan(), "--cost", "list")
        self.assertEqual({(row["paid_per_hour"], row["at_paid_price"]) for row in rows.values()}, {(None, None)})
        self.assertIsNone(plan["at_paid_price"])
        self.assertEqual(amount(plan["planned"]), sum(3 * Decimal(hours) for _, hours in self.RESOURCES.values()))

    def test_sums_at_paid_prices(self):
        """Of all machines that are planned; those that are removed do not count, and hours that depend on use make it unknown."""
        one = component(P4D, "10", "30")
        self.write("a.json", breakdown(project(resource("aws_instance.a", one), resource("aws_instance.b", one), before=[resource("aws_instance.c", component(P4D, "900", "30"))])))
        self.write("b.json", breakdown(project(resource("aws_instance.a", one), resource("aws_instance.b", component(P4D, None)))))
        first, second = self.ask(self.program(self.bill))["plans"]
        nanos = Billed(self.bill, "effective").paid("aws", "p4d.24xlarge", False)
        self.assertEqual(amount(first["at_paid_price"]) * NANO, 2 * at_price(nanos, 10))
        self.assertEqual([row["at_paid_price"] is None for row in first["machines"]], [False, False, True])
        self.assertIsNone(second["at_paid_price"])
        self.assertEqual([amount(row["paid_per_hour"]) * NANO for row in second["machines"]], [nanos, nanos])

    def test_currencies(self):
        """Prices are compared in one currency only; what runs is the same in all."""
        for name, code in (("euro", {"currency": "EUR"}), ("franc", {"currency": "CHF"}), ("empty", {"currency": ""}), ("null", {"currency": None})):
            self.write(name + ".json", machines(component(P4D, "7", "30")) | code)
        missing = machines(component(P4D, "7", "30"))
        del missing["currency"]
        self.write("missing.json", missing)
        billed = Billed(self.bill, "effective")
        want = {currency: billed.paid("aws", "p4d.24xlarge", False, currency) for currency in ("USD", "EUR", "CHF")}
        plans = {plan["file"]: plan for plan in self.ask(self.program(self.bill))["plans"]}
        for name, currency in (("euro", "EUR"), ("franc", "CHF"), ("empty", "USD"), ("null", "USD"), ("missing", "USD")):
            plan = plans[name + ".json"]
            row, = plan["machines"]
            self.assertEqual((plan["currency"], plan["planned"]), (currency, {"amount": "210.000000000", "currency": currency}))
            self.assertEqual(amount(row["paid_per_hour"]), want[currency] and Decimal(want[currency]) / NANO, name)
            self.assertEqual(amount(plan["at_paid_price"]), want[currency] and Decimal(at_price(want[currency], 7)) / NANO, name)
            self.assertAlmostEqual(row["running"], billed.running("aws", "p4d.24xlarge", False), places=8)
        self.assertIsNone(want["CHF"])
        self.assertEqual(plans["euro.json"]["machines"][0]["paid_per_hour"]["currency"], "EUR")

    def test_text_and_csv(self):
        program = self.plan()
        plan, rows = self.rows(program)
        told = list(csv.DictReader(io.StringIO(program.healthy("planned", "--csv", now=NOW).stdout.decode(), newline="")))
        self.assertEqual([row["resource"] for row in told], [row["resource"] for row in plan["machines"]])
        for cells in told:
            row = rows[cells["resource"]]
            self.assertEqual((cells["source"], cells["file"], cells["currency"], cells["planned_hours"], cells["before"]),
                             ("plans", "plan.json", "USD", self.RESOURCES[cells["resource"]][1], ""))
            for key in ("project", "cloud", "machine", "gpu", "gpus", "purchase"):
                self.assertEqual(cells[key], "" if row[key] is None else str(row[key]))
            self.assertEqual(cells["planned"], row["planned"]["cost"]["amount"])
            for key in ("paid_per_hour", "at_paid_price"):
                self.assertEqual(cells[key], row[key]["amount"] if row[key] else "")
            self.assertEqual(cells["running"], "" if row["running"] is None else f"{row['running']:.3f}")
        lines = program.healthy("planned", now=NOW).stdout.decode().splitlines()
        self.assertEqual(lines[0], "plans: plan.json, 2026-11-19, in USD a month of 730 hours")
        demand, row = next(line for line in lines if line.startswith("aws_instance.demand")), rows["aws_instance.demand"]
        self.assertEqual(demand.split(), ["aws_instance.demand", "p4d.24xlarge", "8x", "A100", "40GB", "on-demand", "1.0", "2190.00", f"{amount(row['paid_per_hour']):.4f}",
                                          f"{amount(row['at_paid_price']):.2f}", f"{row['running']:.1f}"])
        self.assertEqual([line.split()[-1] for line in lines if line.startswith("google")], ["-"])
        self.assertEqual(lines[-1].split(), ["total", f"{amount(plan['planned']):.2f}", "-"])


class Files(PlannedTest):
    def test_several_sources_and_folders(self):
        """Sources as in the configuration, their files by name; other files and folders below are not read."""
        for name in ("b.json", "a.json", "B.json"):
            self.write(name, machines(component(P4D), name=f"aws_instance.{name[0]}"))
        for name in ("notes.txt", "c.json.bak", ".json"):
            self.write(name, b"not read")
        below = self.plans / "below"
        below.mkdir()
        (below / "d.json").write_text("not read", encoding="utf-8")
        other = pathlib.Path(self.folder, "one plan.txt")
        two = [project(resource("aws_instance.z", component(P4D)), name="second"),
               project(resource("aws_instance.y", component(P4D)), resource("aws_instance.x", component(P4D)), name="first")]
        other.write_text(json.dumps(breakdown(*two)), encoding="utf-8")
        program = self.program(more=f"  - {{ name: another, kind: infracost, path: \"{other}\" }}\n")
        told = self.ask(program)
        self.assertEqual([(plan["source"], plan["file"]) for plan in told["plans"]], [("plans", "B.json"), ("plans", "a.json"), ("plans", "b.json"), ("another", "one plan.txt")])
        self.assertEqual([(row["project"], row["resource"]) for row in told["plans"][3]["machines"]],
                         [("first", "aws_instance.x"), ("first", "aws_instance.y"), ("second", "aws_instance.z")])
        self.assertEqual(told["plans"][3]["planned"], usd("2190.000000000"))
        # A file is read each time.
        self.write("a.json", machines(component(P4D, "1")))
        self.assertEqual(self.ask(program)["plans"][1]["planned"], usd("1.000000000"))

    def test_files_that_are_no_plan(self):
        """The file is named, nothing is told of the others, and nothing changes."""
        good = json.dumps(machines(component(P4D, "10", "30"))).encode()
        self.write("a.json", good)
        program = self.program(month_of_bills())
        before = [program.healthy(*words, "--json", now=NOW).stdout for words in (("ledger", "--from", "2026-11-01", "--to", "2026-12-01"), ("sources", "list"))]

        def changed(**more):
            return machines({**component(P4D, "10", "30"), **more})
        cases = [("empty", b"", "it is not complete JSON"), ("cut off", good[:-1], "it is not complete JSON"), ("more behind it", good + b"{", "it is not complete JSON"),
                 ("Terraform", b"resource \"aws_instance\" \"gpu\" {}", "it is not complete JSON"), ("no UTF-8", good.replace(b"aws_instance.gpu", b"\xff\xfe"), "it is not complete JSON"),
                 ("too deep", b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b', "projects": []}', ""),
                 ("a plan of Terraform", {"format_version": "1.2", "planned_values": {}}, "it has no projects"),
                 ("a list", b"[]", "it has no projects"), ("a number", b"7", "it has no projects"), ("projects as an object", breakdown() | {"projects": {}}, "it has no projects"),
                 ("a long currency", breakdown(currency="EURO"), "\"EURO\" is no currency"), ("a small currency", breakdown(currency="usd"), "\"usd\" is no currency")]
        for member in ("monthlyCost", "monthlyQuantity"):
            for value in ("-0.01", "1,5", "12 USD", "NaN", "inf", "0x10", "", " 1", -5, True, {}, [], "1e30", "9" * 40):
                cases.append((f"{member} {value}", changed(**{member: value}), f"{member} of {P4D} is no amount"))
        cases.append(("what there was", breakdown(project(before=[resource("aws_instance.gpu", {**component(P4D), "monthlyCost": "x"})])), "monthlyCost of"))
        cases.append(("of a part", breakdown(project(resource("a", inside=[resource("b", {**component("NVIDIA Tesla T4"), "monthlyQuantity": "x"})]))), "monthlyQuantity of NVIDIA Tesla T4"))
        for what, plan, words in cases:
            with self.subTest(what):
                path = self.write("z broken.json", plan)
                content = path.read_bytes()
                self.fails(program, "z broken.json", words)
                self.assertEqual(path.read_bytes(), content)
        self.assertEqual([program.healthy(*words, "--json", now=NOW).stdout for words in (("ledger", "--from", "2026-11-01", "--to", "2026-12-01"), ("sources", "list"))], before)
        self.assertEqual(sorted(os.listdir(self.plans)), ["a.json", "z broken.json"])
        program.verify(now=NOW)
        (self.plans / "z broken.json").unlink()
        self.assertEqual(self.ask(program)["plans"][0]["planned"], usd("300.000000000"))

    def test_an_amount_beyond_the_range_names_its_file(self):
        """The amount is a number, but the program can't count so much money."""
        self.write("huge.json", machines({**component(P4D), "monthlyCost": "9999999999.5"}))
        done = self.program().run("planned", now=NOW)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stdout, b"")
        self.assertIn("huge.json", done.text)

    def test_limits(self):
        path = self.write("large.json", breakdown() | {"projects": [{"breakdown": {"resources": [{}] * 100_001}}]})
        program = self.program()
        self.fails(program, "large.json has more than 100,000 resources", code="too-much")
        self.write("large.json", breakdown() | {"projects": [{"breakdown": {"resources": [{}] * 100_000}}]})
        self.assertEqual(self.ask(program)["plans"][0]["machines"], [])
        os.truncate(path, (64 << 20) + 1)
        self.fails(program, "large.json is larger than 64 MiB", code="too-much")
        for number in range(1000):
            (self.plans / f"{number}.json").touch()
        self.fails(program, str(self.plans), "has more than 1,000 files", code="too-much")

    def test_paths_that_can_not_be_read(self):
        missing = os.path.join(self.folder, "missing.json")
        program = self.program(plans=missing)
        self.fails(program, "there is no file or folder at " + missing, code="not-found", status=USAGE)
        self.assertEqual(program.run("sources", "test", "plans", now=NOW).returncode, FAILED)
        program = self.program()
        path = self.plans / "plan.json"
        for make, remove in ((path.mkdir, path.rmdir), (lambda: os.mkfifo(path), path.unlink), (lambda: path.symlink_to(missing), path.unlink)):
            make()
            self.fails(program, f"{path} is not a regular file", code="forbidden")
            remove()
        self.write("plan.json", machines(component(P4D))).chmod(0)
        nobody = ()
        if os.geteuid() == 0:  # root reads every file
            nobody = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs")
            subprocess.run(["chown", "-R", "65534:65534", self.folder], check=True)
        for mode, parts in ((0o755, (path, "can't be read")), (0, (self.plans, ""))):
            self.plans.chmod(mode)
            done = program.run("planned", now=NOW, wrapper=nobody)
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(done.stdout, b"")
            self.assertSentence(done, *map(str, parts), "permissions")
        self.plans.chmod(0o755)

    def test_without_plans(self):
        """No source tells them, none may be read, and a folder without files."""
        program = Program(self.folder, configuration(DEMO))
        self.fails(program, "no source tells plans", "sources add plans --kind infracost --path FILE", code="not-found", status=USAGE, source=None)
        program = self.program()
        self.assertEqual(self.ask(program), {"billed": None, "plans": []})
        self.assertEqual(program.healthy("planned", now=NOW).stdout, b"")
        done = program.run("sources", "test", "plans", "--json", now=NOW)
        self.assertEqual((done.returncode, json.loads(done.stdout)["usable"]), (LOOK, False), done.text)
        self.assertIn(b"not usable: no plan was found", program.run("sources", "test", "plans", now=NOW).stdout)
        self.write("web.json", machines(component("Instance usage (Linux/UNIX, on-demand, m5.large)")))
        self.assertIn("no machines with GPUs in it", program.healthy("planned", now=NOW).stdout.decode())

    def test_other_commands(self):
        """They add, test and list the source; `sync` has nothing to do there."""
        self.write("a.json", machines(component(P4D), component("Instance usage (Linux/UNIX, spot, p4d.24xlarge)")))
        self.write("b.json", machines(component("Instance usage (Linux/UNIX, on-demand, m5.large)")))
        program = Program(self.folder, configuration(DEMO))
        program.healthy("sources", "add", "plans", "--kind", "infracost", "--path", str(self.plans), now=NOW)
        self.assertEqual([plan["file"] for plan in self.ask(program)["plans"]], ["a.json", "b.json"])
        program = self.program()
        told = json.loads(program.healthy("sources", "test", "plans", "--json", now=NOW).stdout)
        self.assertEqual((told["name"], told["product"], told["usable"], [one["level"] for one in told["findings"]]), ("plans", "Infracost", True, ["good"]))
        self.assertEqual(told["findings"][0]["text"], "files with plans: 2; groups of planned machines: 3")
        for options in ((), ("--source", "plans")):
            done = program.healthy("sync", *options, "--json", now=NOW)
            self.assertEqual(json.loads(done.stdout)["sources"], [], done.text)
        source, = json.loads(program.healthy("sources", "list", "--json", now=NOW).stdout)["sources"]
        self.assertEqual([source[key] for key in ("name", "kind", "url", "path", "from", "to", "last_attempt", "error", "rights")],
                         ["plans", "infracost", None, str(self.plans), None, None, None, None, ["read"]])
        self.write("a.json", b"{")
        done = program.run("sources", "test", "plans", "--json", now=NOW)
        self.assertEqual(done.returncode, FAILED, done.text)
        self.assertSentence(done, "a.json can't be read", "infracost breakdown --format json")
        self.assertEqual(program.run("planned", "--cost", "free", now=NOW).returncode, USAGE)
        program.verify(now=NOW)


if __name__ == "__main__":
    unittest.main()
