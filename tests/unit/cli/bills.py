# SPDX-License-Identifier: GPL-3.0-or-later
"""Bills through the command line: sums to the last digit, the sums of the ledger, machines matched, restated, killed, reconciled."""
import contextlib
import csv
import decimal
import json
import os
import sqlite3
import sys
import threading
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "faults"))

from product import ProductTest, configuration, edited  # noqa: E402

Decimal = decimal.Decimal
DEMO = "  - { name: demo, kind: demo, gpus: 16, days: 2, first_sync: 2d }\n"
SHARED = os.environ.get("GPULEDGER_SHARED") or os.path.join(HERE, "..", "..", "..", "..", "shared")
SAMPLE = os.path.join(SHARED, "data", "focus", "focus_1.0_sample_part_a.csv")
COLUMNS = ("BilledCost", "EffectiveCost", "BillingAccountId", "BillingCurrency", "BillingPeriodStart", "BillingPeriodEnd",
           "ChargePeriodStart", "ChargePeriodEnd", "ChargeCategory", "ChargeClass", "ChargeDescription", "ProviderName", "ServiceCategory",
           "ServiceName", "SubAccountId", "RegionId", "ResourceId", "SkuPriceDetails", "ConsumedQuantity", "ConsumedUnit", "ListCost", "Tags")


def line(**values):
    row = dict.fromkeys(COLUMNS, "")
    row.update(BilledCost="1", EffectiveCost="1", BillingAccountId="acc", BillingCurrency="USD", BillingPeriodStart="2025-03-01T00:00:00Z",
               BillingPeriodEnd="2025-04-01T00:00:00Z", ChargePeriodStart="2025-03-29T00:00:00Z", ChargePeriodEnd="2025-03-30T00:00:00Z",
               ChargeCategory="Usage", ProviderName="AWS", ServiceCategory="Compute", ServiceName="Amazon Elastic Compute Cloud")
    return {**row, **values}


def write_bill(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        columns = dict.fromkeys((*COLUMNS, *(key for row in rows for key in row)))  # with those that only these rows have
        out = csv.DictWriter(file, list(columns), restval="", lineterminator="\n")
        out.writeheader()
        out.writerows(rows)
    os.utime(path, (1, 1))  # no longer being written


def amount(money):
    return Decimal(money["amount"])


class Bills(ProductTest):
    def bills(self, *sources, name="p"):
        """A program with a folder of bills."""
        program = self.program(name=name)
        folder = os.path.join(self.folder, name + "-bills")
        os.makedirs(folder, exist_ok=True)
        program.configure(configuration(*sources, f"  - {{ name: bill, kind: focus, path: {folder} }}\n"))
        return program, folder

    def ask(self, program, *arguments, status=0):
        done = program.run(*arguments, "--json")
        self.assertEqual(done.returncode, status, done.text)
        return json.loads(done.stdout)

    def ledger(self, program, by, first="2025-03-01", last="2025-04-01", *more):
        return self.ask(program, "ledger", "--by", by, "--from", first, "--to", last, *more)

    def rows(self, program, by, *more):
        """The billed amount for each combination of keys."""
        keys = [k.replace("-", "_") for k in by.split(",")]
        return {tuple(row[k] for k in keys): amount(row["billed"]) for row in self.ledger(program, by, *more)["rows"]}

    def law(self, program):
        self.assertEqual(program.verify(), None)
        for cost in ("billed", "effective"):
            answer = self.ledger(program, "state,category,team", "2024-01-01", "2026-01-01", "--cost", cost)
            for total in answer["currencies"]:
                rows = sum(amount(r["cost"]) for r in answer["rows"] if r["cost"]["currency"] == total["currency"])
                self.assertEqual(rows, amount(total["bill"]))
                self.assertEqual(amount(total["ledger"]), amount(total["bill"]))

    def nodes(self, program):
        with sqlite3.connect(f"file:{program.cache}?mode=ro", uri=True) as db:
            return db.execute("SELECT name, provider_id, instance_type, region FROM node WHERE cloud = 'aws' ORDER BY name").fetchall()

    def test_real_bills_come_to_the_sums_of_their_readme(self):
        if not os.path.exists(SAMPLE):
            self.skipTest("skipped: no trace")
        program = self.program()
        program.configure(configuration(f"  - {{ name: bill, kind: focus, path: {SAMPLE} }}\n"))
        source = self.ask(program, "sync")["sources"][0]
        self.assertEqual((source["accepted"], source["rejected"], source["error"]), (716, 0, None))
        told = {p["provider"]: p["accepted"]["sums"][0] for p in source["deliveries"][0]["providers"]}
        for provider, rows, billed, effective in (("AWS", 658, "11.48853997180", "9"), ("Microsoft", 51, "1.97651418586", "1.97651418586"),
                                                  ("Oracle", 7, "0.53707392473", "0")):
            self.assertEqual(told[provider]["lines"], rows)
            self.assertEqual((Decimal(told[provider]["billed"]), Decimal(told[provider]["effective"])), (Decimal(billed), Decimal(effective)))
        with open(SAMPLE, encoding="utf-8", newline="") as file:
            kept = sum(Decimal(r["BilledCost"]).quantize(Decimal("1e-9"), decimal.ROUND_HALF_UP) for r in csv.DictReader(file))
        answer = self.ledger(program, "state", "2024-01-01", "2025-01-01")
        self.assertEqual(amount(answer["bill"]), kept)
        self.assertEqual(sum(amount(r["cost"]) for r in answer["rows"]), kept)
        found = self.ask(program, "reconcile", "--month", "2024-09")
        self.assertEqual((amount(found["difference"]), amount(found["bill"]), found["holds"]), (0, kept, True))
        self.assertTrue([x for x in found["lines"] if x["kind"] == "effective-zero" and x["detail"] == "Oracle"])
        types = {r["instance_type"]: r for r in self.ledger(program, "instance-type", "2024-01-01", "2025-01-01")["rows"]}
        self.assertEqual((amount(types["g3.4xlarge"]["billed"]), round(types["g3.4xlarge"]["gpu_hours"], 6)), (Decimal("1.922800380"), 1.686667))
        self.law(program)
        self.statements_are_the_ledger(program, "2024-09", "2024-10-01")
        again = self.ask(program, "sync")["sources"][0]
        self.assertEqual((again["accepted"], again["known_deliveries"], again["error"]), (0, 1, None))

    def statements_are_the_ledger(self, program, month, end):
        """In both views, by team and category, to the nano-unit; telemetry saw nothing, so that no other page has money."""
        for view in ("billed", "effective"):
            (currency,) = self.ask(program, "showback", "--month", month, "--cost", view)["currencies"]
            told = {}
            for team in currency["teams"]:
                for one in team["lines"]:
                    key = (team["team"], one["category"])
                    told[key] = told.get(key, 0) + amount(one["cost"])
            rows = self.ask(program, "ledger", "--by", "team,category", "--cost", view, "--from", f"{month}-01", "--to", end)["rows"]
            self.assertEqual(told, {(row["team"], row["category"]): amount(row[view]) for row in rows})
            self.assertGreater(len(told), 3)
        self.assertFalse(self.ask(program, "summary", "--by", "team", "--from", f"{month}-01", "--to", end)["rows"])

    def test_machines_are_found_by_their_ids(self):
        program, folder = self.bills(DEMO)
        program.healthy("sync", "--source", "demo")
        before = self.ledger(program, "origin")
        self.assertEqual([r["origin"] for r in before["rows"]], ["priced"])
        self.assertEqual(amount(before["bill"]), 0)
        node = self.nodes(program)[0]
        instance = node[1].rsplit("/", 1)[1]
        gpu = line(ResourceId=f"arn:aws:ec2:us-east-1:1:instance/{instance}", BilledCost="100.000000001", EffectiveCost="70", ConsumedQuantity="24",
                   ConsumedUnit="Hours", SubAccountId="prod")
        write_bill(os.path.join(folder, "a.csv"), [
            gpu, line(ResourceId=f"arn:aws:ec2:us-east-1:1:instance/{instance}", BilledCost="3", ConsumedQuantity="90", ConsumedUnit="GB"),
            line(ResourceId="vol-1", ServiceCategory="Storage", ServiceName="EBS", BilledCost="5", Tags='{"CostCenter": "vision"}'),
            line(ChargeCategory="Tax", BilledCost="2", EffectiveCost="2", ChargePeriodStart="2025-03-01T00:00:00Z", ChargePeriodEnd="2025-04-01T00:00:00Z"),
            line(ResourceId="i-unseen", SkuPriceDetails='{"InstanceType": "p4d.24xlarge"}', ConsumedQuantity="2", ConsumedUnit="Hours",
                 BilledCost="60", Tags='{"CostCenter": "speech"}'),
            line(ResourceId="i-newer", SkuPriceDetails='{"InstanceType": "p9x.48xlarge"}', ConsumedQuantity="2", ConsumedUnit="Hours", BilledCost="40")])
        program.configure(configuration(DEMO, f"  - {{ name: bill, kind: focus, path: {folder} }}\n") + "owners: [{ label: team }, { cloud_tag: cost-center }]\n")
        program.healthy("sync", "--source", "bill")
        self.law(program)
        rows = self.rows(program, "category,match")
        self.assertEqual(rows[("gpu", "instance-id")], Decimal("100.000000001"))
        self.assertEqual((rows[("gpu", "none")], rows[("network", "none")], rows[("storage", "none")], rows[("tax", "none")]), (100, 3, 5, 2))
        self.assertEqual(rows[("not-billed", "none")], 0)
        answer = self.ledger(program, "category,match,origin,state,team", "2025-03-29", "2025-03-30")
        unseen = [r for r in answer["rows"] if (r["match"], r["category"], r["origin"]) == ("none", "gpu", "billed")]
        self.assertEqual(sorted((r["state"], r["team"], r["gpu_hours"]) for r in unseen if r["gpu_hours"]), [("unobserved", "speech", 16.0)])
        self.assertEqual(sum(amount(r["billed"]) for r in unseen), 100)
        matched = [r for r in answer["rows"] if r["match"] == "instance-id"]
        self.assertEqual(sum(amount(r["effective"]) for r in matched), 70)
        self.assertGreater(len({r["team"] for r in matched}), 0)
        self.assertTrue(all(r["price_book"] for r in matched))
        self.assertEqual(self.rows(program, "category,team")[("storage", "vision")], 5)
        found = self.ask(program, "reconcile", "--month", "2025-03")
        kinds = {x["kind"] for x in found["lines"]}
        self.assertTrue({"matched", "unobserved", "unknown-type", "not-billed", "adjustment", "priced", "not-gpu"} <= kinds, kinds)
        unknown = [x for x in found["lines"] if x["kind"] == "unknown-type"]
        self.assertEqual([(x["detail"], amount(x["billed"]), x["gpu_hours"]) for x in unknown], [("aws", 40, None)])
        self.assertEqual([(x["cloud"], x["type"], amount(x["billed"])) for x in found["unknown_types"]], [("aws", "p9x.48xlarge", 40)])
        self.assertIn("  p9x.48xlarge (aws): billed 40.00 USD", program.run("reconcile", "--month", "2025-03").stdout.decode())
        workloads = self.ledger(program, "workload,match", "2025-03-29", "2025-03-30")
        self.assertEqual(sum(amount(r["cost"]) for r in workloads["rows"]), amount(workloads["bill"]))

    def test_machines_without_ids_are_found_by_type(self):
        program, folder = self.bills(DEMO)
        program.healthy("sync", "--source", "demo")
        typed = {}
        for name, _, kind, region in self.nodes(program):
            typed.setdefault((kind, region), []).append(name)
        (kind, region), names = next(iter(sorted(typed.items())))
        hours = 24 * len(names)
        write_bill(os.path.join(folder, "a.csv"), [line(SkuPriceDetails=json.dumps({"InstanceType": kind}), RegionId=region, BilledCost="90",
                                                        EffectiveCost="90", ConsumedQuantity=str(hours * 3), ConsumedUnit="Hours")])
        program.healthy("sync", "--source", "bill")
        self.law(program)
        rows = self.rows(program, "match", "2025-03-29", "2025-03-30")
        self.assertEqual(rows[("attributes",)] + rows[("none",)], 90)
        self.assertAlmostEqual(float(rows[("attributes",)]), 30, delta=2)

    def test_a_restated_bill_replaces(self):
        program, folder = self.bills()
        write_bill(os.path.join(folder, "march.csv"), [line(BilledCost="10"), line(BilledCost="1", BillingAccountId="other")])
        program.healthy("sync")
        self.assertEqual(amount(self.ledger(program, "team")["bill"]), 11)
        write_bill(os.path.join(folder, "march.csv"), [line(BilledCost="12")])
        program.healthy("sync")
        self.assertEqual(amount(self.ledger(program, "team")["bill"]), 13)
        self.law(program)
        write_bill(os.path.join(folder, "march-other-name.csv"), [line(BilledCost="40")])
        source = self.ask(program, "sync")["sources"][0]
        self.assertIn("march-other-name.csv replaced what march.csv said", source["deliveries"][0]["warnings"][0])
        self.assertEqual(amount(self.ledger(program, "team")["bill"]), 41)
        self.law(program)

    def test_order_and_repetition_change_nothing(self):
        months = {"1": "2025-01", "2": "2025-02", "3": "2025-03"}
        answers = []
        for number, order in enumerate(("123", "321", "213")):
            program, folder = self.bills(DEMO, name=f"order{number}")
            first = order[0]
            for name in order:
                month = months[name]
                end = f"2025-{int(name) + 1:02d}"
                write_bill(os.path.join(folder, name + ".csv"),
                           [line(BilledCost=f"{name}.333333333", BillingPeriodStart=month + "-01T00:00:00Z", BillingPeriodEnd=end + "-01T00:00:00Z",
                                 ChargePeriodStart=month + "-05T00:00:00Z", ChargePeriodEnd=month + f"-{day:02d}T01:00:00Z") for day in (5, 6, 7, 28)])
                program.healthy("sync", *(() if name == first else ("--source", "bill")))
            program.healthy("sync", "--source", "bill")
            self.law(program)
            answers.append(self.ledger(program, "day,team,category,account,state", "2025-01-01", "2025-04-01")["rows"])
        self.assertEqual(answers[0], answers[1])
        self.assertEqual(answers[0], answers[2])

    def test_what_has_no_day_is_unexplained(self):
        program, folder = self.bills()
        write_bill(os.path.join(folder, "a.csv"), [
            line(BilledCost="7", ChargePeriodStart="1000-01-01T00:00:00Z", ChargePeriodEnd="9000-01-01T00:00:00Z"),
            line(BilledCost="0.000000001", ChargePeriodStart="2025-03-01T00:00:00Z", ChargePeriodEnd="2025-04-01T00:00:00Z"),
            line(BilledCost="5", BillingCurrency="EUR", EffectiveCost="-5")])
        program.healthy("sync")
        self.law(program)
        answer = self.ledger(program, "category")
        self.assertIsNone(answer["bill"])
        self.assertEqual({c["currency"]: amount(c["bill"]) for c in answer["currencies"]}, {"USD": Decimal("7.000000001"), "EUR": 5})
        self.assertEqual({c["currency"]: amount(c["unexplained"]) for c in answer["currencies"]}, {"USD": 7, "EUR": 0})
        self.assertIsNone(answer["unexplained"])
        mixed = "costs are in several currencies (EUR, USD), which are never added up"
        self.assertIn(mixed, answer["note"])
        self.assertIn(mixed, program.run("ledger", "--by", "team", "--from", "2025-03-01", "--to", "2025-04-01").text)
        found = self.ask(program, "reconcile", "--month", "2025-03", status=1)
        self.assertFalse(found["holds"])

    def test_other_rules_and_rates_apply_to_what_is_there(self):
        program, folder = self.bills()
        write_bill(os.path.join(folder, "a.csv"), [line(BilledCost="10", SubAccountId="s1"), line(BilledCost="20", BillingCurrency="EUR")])
        program.healthy("sync")
        self.assertEqual(self.rows(program, "team,currency"), {("unowned", "USD"): 10, ("unowned", "EUR"): 20})
        program.configure(configuration(f"  - {{ name: bill, kind: focus, path: {folder} }}\n") + "owners: [{ account: s1, team: platform }]\n"
                          "prices: { exchange_rates: [{ from: EUR, to: USD, rate: \"1.5\", date: 2025-01-01 }] }\n")
        self.assertEqual(self.rows(program, "team,currency"), {("platform", "USD"): 10, ("unowned", "EUR"): 20})
        shown = self.ledger(program, "category", "2025-03-01", "2025-04-01", "--currency", "USD")
        self.assertEqual([amount(r["cost"]) for r in shown["rows"]], [40])
        self.assertEqual(shown["conversions"], ["1 EUR = 1.5 USD of 2025-01-01"])
        self.assertEqual({c["currency"]: amount(c["bill"]) for c in shown["currencies"]}, {"USD": 10, "EUR": 20})
        shown = self.ledger(program, "category", "2025-03-01", "2025-04-01", "--currency", "GBP")
        self.assertEqual((len(shown["rows"]), shown["unconverted"]), (2, ["EUR", "USD"]))
        self.law(program)

    def test_a_source_of_bills_is_added(self):
        program, folder = self.bills()
        write_bill(os.path.join(folder, "a.csv"), [line()])
        program.configure("version: 1\n")
        program.healthy("sources", "add", "cloud", "--kind", "focus", "--path", folder)
        program.healthy("sync")
        listed = self.ask(program, "sources", "list")["sources"][0]
        self.assertEqual((listed["kind"], listed["path"], listed["error"]), ("focus", folder, None))
        self.assertIsNotNone(listed["last_success"])
        tested = program.run("sources", "test", "cloud").stdout.decode()
        self.assertIn("1 file with billing data", tested)
        os.remove(os.path.join(folder, "a.csv"))
        self.assertEqual(program.run("sources", "test", "cloud").returncode, 1)
        program.configure(configuration(f"  - {{ name: cloud, kind: focus, path: {folder}/gone }}\n"))
        done = program.run("sync")
        self.assertEqual(done.returncode, 4, done.text)
        self.assertIn("check the path", done.text)

    def test_refused_rows_are_named(self):
        program, folder = self.bills()
        write_bill(os.path.join(folder, "a.csv"), [line(), line(BilledCost="many"), line(BilledCost="2")])
        done = program.run("sync", "--verbose")
        self.assertEqual(done.returncode, 0, done.text)
        self.assertIn('a.csv: line 3: BilledCost is not an amount: "many"', done.text)
        tested = self.ask(program, "sources", "test", "bill")
        self.assertTrue(tested["usable"])
        self.assertIn("a.csv: 3 rows, of which 1 can't be read", [f["text"] for f in tested["findings"]])
        self.assertEqual(amount(self.ledger(program, "team")["bill"]), 3)

    def test_a_file_written_just_now_is_read(self):
        """Two looks a second apart see the same file: it is no longer being written."""
        program, folder = self.bills()
        path = os.path.join(folder, "new.csv")
        write_bill(path, [line()])
        os.utime(path)
        source = self.ask(program, "sync")["sources"][0]
        self.assertEqual((source["accepted"], source["waiting"]), (1, []))
        ahead = os.path.join(folder, "ahead.csv")
        write_bill(ahead, [line(BillingAccountId="other")])
        with open(ahead, "rb+") as file:
            file.truncate(os.path.getsize(ahead) - 1)  # a last line without an end, with a timestamp in the future
        os.utime(ahead, (4e9, 4e9))
        source = self.ask(program, "sync")["sources"][0]
        self.assertEqual((source["accepted"], source["waiting"]), (1, []))

    def test_a_file_that_is_being_written_is_waited_for_and_named(self):
        program, folder = self.bills()
        path = os.path.join(folder, "new.csv")
        write_bill(path, [line()])
        ended = threading.Event()

        def write():
            while not ended.wait(0.02):
                with open(path, "a", encoding="utf-8", newline="") as file:
                    csv.DictWriter(file, COLUMNS, lineterminator="\n").writerow(line())

        writer = threading.Thread(target=write)
        writer.start()
        try:
            source = self.ask(program, "sync")["sources"][0]
            text = program.healthy("sync")
        finally:
            ended.set()
            writer.join()
        self.assertEqual((source["accepted"], source["deliveries"]), (0, []))
        self.assertEqual([one["file"] for one in source["waiting"]], [path])
        self.assertRegex(source["waiting"][0]["until"], r"^20\d\d-.*Z$")
        self.assertRegex(text.text, r"new\.csv: not read yet, .* waiting until 20\d\d-")
        self.assertRegex(text.stdout.decode(), r"(?m)^bill .* waiting$")
        source = self.ask(program, "sync")["sources"][0]
        with open(path, encoding="utf-8") as file:
            self.assertEqual((source["accepted"], source["waiting"]), (len(file.readlines()) - 1, []))

    def test_a_copy_is_named(self):
        program, folder = self.bills()
        first, copy = os.path.join(folder, "a.csv"), os.path.join(folder, "b.csv")
        write_bill(first, [line()])
        self.ask(program, "sync")
        write_bill(copy, [line()])
        source = self.ask(program, "sync")["sources"][0]
        self.assertEqual([(one["outcome"], one["copy_of"]) for one in source["deliveries"]], [("duplicate", [first])])
        self.assertIn("b.csv: a copy of a.csv, which was read before", program.healthy("sync").text)
        os.remove(first)  # now it was only moved
        self.assertEqual(self.ask(program, "sync")["sources"][0]["deliveries"], [])
        self.law(program)

    def test_an_amount_beyond_the_range_of_money_is_refused_by_itself(self):
        program, folder = self.bills()
        beyond = "9223372036.854775808"
        for column in ("BilledCost", "EffectiveCost"):
            write_bill(os.path.join(folder, f"{column}.csv"),
                       [line(BillingAccountId=column), line(BillingAccountId=column, **{column: beyond}),
                        line(BillingAccountId=column, **{column: "-" + beyond}), line(BillingAccountId=column)])
        source = self.ask(program, "sync")["sources"][0]
        self.assertEqual((source["accepted"], source["rejected"], source["error"]), (4, 4, None))
        self.assertEqual([sorted(one["reason"] for one in d["rejections"]) for d in source["deliveries"]],
                         [[f'{column} is too large: "{sign}{beyond}"' for sign in ("-", "")] for column in ("BilledCost", "EffectiveCost")])
        self.law(program)

    def test_a_bill_whose_sum_is_beyond_the_range_of_money_is_refused_whole(self):
        """No single line is out of range: rejecting one row would silently import a bill that is wrong by billions."""
        half = "5000000000.000000001"
        for column, sign, what in (("BilledCost", "", "charges"), ("EffectiveCost", "-", "credits")):
            program, folder = self.bills(name=column)
            for number, rows in enumerate(([line(BillingAccountId="a")], [line(**{column: sign + half, "ListCost": half})] * 2 + [line()] * 500,
                                           [line(BillingAccountId="c")])):
                write_bill(os.path.join(folder, f"{number}.csv"), rows)
            done = program.run("sync", "--json")
            self.assertEqual(done.returncode, 4, done.text)
            source = json.loads(done.stdout)["sources"][0]
            self.assertEqual((source["accepted"], source["rejected"]), (2, 0))
            failed = [d for d in source["deliveries"] if d["outcome"] == "failed"]
            self.assertEqual(len(failed), 1)
            # 500 lines of 1 are charges too.
            total = f"{sign}10000000000.000000002" if sign else "10000000500.000000002"
            self.assertEqual(failed[0]["error"]["code"], "overflow")
            self.assertEqual(failed[0]["error"]["source"], os.path.join(folder, "1.csv"))
            self.assertEqual(failed[0]["error"]["message"], f"its {what} add up to {total} USD in {column}, and a bill can't exceed"
                                                            " 9223372036.854775807 USD; none of it was imported")
            self.assertIn("1.csv: A figure is too large", done.text)
            with sqlite3.connect(f"file:{program.cache}?mode=ro", uri=True) as db:
                self.assertEqual(db.execute("SELECT count(*) FROM bill_line").fetchone()[0], 2)
                self.assertEqual(db.execute("SELECT count(*) FROM bill_file WHERE path LIKE '%1.csv'").fetchone()[0], 0)
            self.assertEqual(amount(self.ledger(program, "team")["bill"]), 2)
            self.law(program)
            tested = program.run("sources", "test", "bill")
            self.assertEqual(tested.returncode, 0, tested.text)  # it reads the newest file
            # Corrected, it is imported.
            write_bill(os.path.join(folder, "1.csv"), [line(BillingAccountId="b")])
            program.healthy("sync")
            self.assertEqual(amount(self.ledger(program, "team")["bill"]), 3)

    def test_a_quantity_beyond_the_range_is_unknown(self):
        """8 TB written in bytes, twice: the quantity is unknown, but the cost is known."""
        program, folder = self.bills()
        write_bill(os.path.join(folder, "a.csv"), [line(ConsumedQuantity="8000000000000", ConsumedUnit="Bytes")] * 2)
        self.assertEqual(self.ask(program, "sync")["sources"][0]["accepted"], 2)
        with sqlite3.connect(f"file:{program.cache}?mode=ro", uri=True) as db:
            self.assertEqual(db.execute("SELECT quantity, billed FROM bill_day").fetchall(), [(None, 2 * 10**9)])
        self.law(program)

    def test_the_largest_bill_fits(self):
        """Charges and credits are each within the range; their order doesn't matter."""
        program, folder = self.bills()
        largest = "9223372036.854775807"
        write_bill(os.path.join(folder, "a.csv"), [line(BilledCost=cost, EffectiveCost=cost, ListCost=largest) for cost in
                                                   ("4611686018.427387903", "-" + largest, "4611686018.427387904")])
        source = self.ask(program, "sync")["sources"][0]
        self.assertEqual((source["accepted"], source["rejected"], source["error"]), (3, 0, None))
        self.assertEqual(amount(self.ledger(program, "team")["bill"]), 0)
        self.law(program)

    def test_a_period_that_grows_beyond_the_range_of_money_refuses_the_file(self):
        """Each file is within the range, but all of them together are not."""
        program, folder = self.bills()
        other = os.path.join(self.folder, "others")
        os.makedirs(other)
        program.configure(configuration(f"  - {{ name: bill, kind: focus, path: {folder} }}\n", f"  - {{ name: more, kind: focus, path: {other} }}\n"))
        part = "4000000000.000000001"
        for name in "ab":
            write_bill(os.path.join(folder, name + ".csv"), [line(BillingAccountId=name, BilledCost=part)])
        program.healthy("sync")
        write_bill(os.path.join(folder, "c.csv"), [line(BillingAccountId="c", BilledCost=part, ChargePeriodStart="2025-03-02T00:00:00Z",
                                                        ChargePeriodEnd="2025-03-03T00:00:00Z")])
        write_bill(os.path.join(other, "d.csv"), [line(BillingAccountId="d", BilledCost="1")])
        self.ask(program, "sync", "--source", "more")
        for _ in range(2):  # it is not accepted the second time either
            done = program.run("sync", "--json")
            self.assertEqual(done.returncode, 4, done.text)
            bill, more = json.loads(done.stdout)["sources"]
            self.assertEqual(bill["error"]["source"], os.path.join(folder, "c.csv"))
            self.assertEqual(bill["error"]["message"], "with it, the charges of all bills for the billing period of 2025-03-01 add up to"
                             " 12000000001.000000003 USD in BilledCost, and a period can't exceed 9223372036.854775807 USD; none of it"
                             " was imported")
            self.assertIsNone(more["error"])
            self.assertEqual(amount(self.ledger(program, "team")["bill"]), Decimal("8000000001.000000002"))
        self.law(program)
        self.assertTrue(self.ask(program, "reconcile", "--month", "2025-03")["holds"])
        # Another month has a range of its own; a query about both is refused, and never answered wrongly.
        write_bill(os.path.join(folder, "c.csv"), [line(BillingAccountId="c", BilledCost=part, BillingPeriodStart="2025-02-01T00:00:00Z",
                                                        BillingPeriodEnd="2025-03-01T00:00:00Z", ChargePeriodStart="2025-02-02T00:00:00Z",
                                                        ChargePeriodEnd="2025-02-03T00:00:00Z")])
        program.healthy("sync")
        self.assertEqual(amount(self.ledger(program, "team", "2025-02-01", "2025-03-01")["bill"]), Decimal(part))
        done = program.run("ledger", "--from", "2025-02-01", "--to", "2025-04-01", "--json")
        self.assertEqual((done.returncode, done.stdout), (3, b""), done.text)
        self.assertIn("a total is too large", done.text)
        self.assertEqual(program.verify(), None)

    def test_a_file_that_replaces_another_is_said(self):
        """Daily files of one billing period: only the last one counts, although the others are still there."""
        program, folder = self.bills()
        first, second = (os.path.join(folder, day) for day in ("2025-03-29", "2025-03-30"))
        for path in (first, second):
            os.makedirs(path)
        a, b = os.path.join(first, "bill.csv"), os.path.join(second, "bill.csv")
        write_bill(a, [line(BilledCost="10", EffectiveCost="7"), line(BilledCost="20.5"), line(BilledCost="3", BillingCurrency="EUR")])
        self.assertEqual(self.ask(program, "sync")["sources"][0]["deliveries"][0]["replaced"], [])
        write_bill(b, [line(BilledCost="4", ChargePeriodStart="2025-03-30T00:00:00Z", ChargePeriodEnd="2025-03-31T00:00:00Z")])
        os.utime(b, (2, 2))
        delivery = self.ask(program, "sync")["sources"][0]["deliveries"][0]
        money = lambda text, currency: {"amount": text, "currency": currency}  # noqa: E731
        self.assertEqual(delivery["replaced"], [{
            "account": "acc", "period_start": "2025-03-01", "files": [a], "by": [b], "still_there": [a], "rows": 3,
            "amounts": [{"billed": money("3.000000000", "EUR"), "effective": money("1.000000000", "EUR")},
                        {"billed": money("30.500000000", "USD"), "effective": money("8.000000000", "USD")}]}])
        said = delivery["warnings"][0]
        self.assertIn(f"account acc, billing period of 2025-03-01: {b} replaced what {a} said (3 rows, 3.00 EUR billed, 30.50 USD billed), and"
                      f" {a} is still there", said)
        # The first of the two, changed: now it replaces the other one, in the text as well.
        write_bill(a, [line(BilledCost="11")])
        os.utime(a, (3, 3))
        text = program.healthy("sync").text
        self.assertIn(f"{a} replaced what {b} said (1 row, 4.00 USD billed), and {b} is still there", text)
        # Restating the same file is not a finding; a file that replaced a deleted one is reported.
        write_bill(a, [line(BilledCost="12")])
        os.utime(a, (4, 4))
        self.assertEqual(self.ask(program, "sync")["sources"][0]["deliveries"][0]["replaced"], [])
        os.remove(a)
        write_bill(b, [line(BilledCost="13")])
        os.utime(b, (5, 5))
        delivery = self.ask(program, "sync")["sources"][0]["deliveries"][0]
        self.assertEqual((delivery["replaced"][0]["still_there"], delivery["replaced"][0]["rows"]), ([], 1))
        self.assertTrue(delivery["warnings"][0].endswith(a + " is no longer there"), delivery["warnings"])
        self.law(program)

    def test_more_parts_of_one_export_replace_nothing_else(self):
        program, folder = self.bills()
        for number in range(2):
            write_bill(os.path.join(folder, f"part_{number}.csv"), [line(BilledCost="5")])
        program.healthy("sync")
        write_bill(os.path.join(folder, "part_2.csv"), [line(BilledCost="6")])
        delivery = self.ask(program, "sync")["sources"][0]["deliveries"][0]
        self.assertEqual((delivery["warnings"], delivery["replaced"]), ([], []))
        self.assertEqual(amount(self.ledger(program, "team")["bill"]), 16)

    def test_what_two_sources_report_is_told_as_long_as_it_is_so(self):
        program, folder = self.bills()
        other = os.path.join(self.folder, "other-bills")
        os.makedirs(other)
        both = (f"  - {{ name: bill, kind: focus, path: {folder} }}\n", f"  - {{ name: other, kind: focus, path: {other} }}\n")
        day = {"ChargePeriodStart": "2025-03-30T00:00:00Z", "ChargePeriodEnd": "2025-03-31T00:00:00Z"}
        write_bill(os.path.join(folder, "a.csv"), [line(BilledCost="3", SubAccountId="x"), line(BilledCost="5", SubAccountId="x", **day),
                                                   line(BilledCost="7", SubAccountId="y")])
        # One account of the same bill on another day, one that only this bill has, and one under the name of another payer.
        write_bill(os.path.join(other, "b.csv"), [line(BilledCost="11", SubAccountId="z"), line(BilledCost="13", SubAccountId="y", **day),
                                                  line(BilledCost="4", SubAccountId="x", BillingAccountId="payer")])
        program.configure(configuration(both[0]))
        program.healthy("sync")
        self.assertEqual(self.ask(program, "sources", "list")["counted_twice"], [])
        program.configure(configuration(*both))
        for _ in range(2):  # whether or not the sync reads anything new
            program.healthy("sync")
            found = self.ask(program, "sources", "list")["counted_twice"]
            self.assertEqual([(x["month"], x["account"], x["days"]) for x in found], [("2025-03", "x", 1)])
            self.assertEqual([(x["source"], amount(x["billed"])) for x in found[0]["sources"]], [("bill", 3), ("other", 4)])
            self.assertEqual(self.ask(program, "reconcile", "--month", "2025-03")["counted_twice"], found)
            self.assertEqual(self.ask(program, "reconcile", "--month", "2025-04")["counted_twice"], [])
            told = "account x is counted twice in 2025-03, on 1 day: billed 3.00 USD by bill and 4.00 USD by other"
            self.assertIn(told, program.run("reconcile", "--month", "2025-03").stdout.decode())
            self.assertIn(told, program.run("sources", "list").stderr.decode())
        closing = ("showback", "--month", "2025-03", "--close", "--yes", "--quiet")
        self.assertIn("several sources report the cost of account x, so it is counted more than once", program.run(*closing).stderr.decode())
        # What is stored stays counted when its source is no longer configured.
        program.configure(configuration(both[1]))
        self.assertEqual(self.ask(program, "sources", "list")["counted_twice"], found)
        program.configure(configuration(*both))
        write_bill(os.path.join(other, "b.csv"), [line(BilledCost="9", SubAccountId="w", BillingAccountId="payer")])
        program.healthy("sync")
        self.assertEqual(self.ask(program, "sources", "list")["counted_twice"], [])

    def test_groups_of_one_subscription_are_not_counted_twice(self):
        program, folder = self.bills()
        other = os.path.join(self.folder, "other-bills")
        os.makedirs(other)
        program.configure(configuration(f"  - {{ name: bill, kind: focus, path: {folder} }}\n", f"  - {{ name: other, kind: focus, path: {other} }}\n"))
        sub = "/subscriptions/1"
        group = {name: line(SubAccountId=sub, BillingAccountId=f"{sub}/resourcegroups/{name}", ProviderName="Microsoft") for name in "ab"}
        write_bill(os.path.join(folder, "a.csv"), [group["a"]])
        write_bill(os.path.join(other, "b.csv"), [group["b"]])
        program.healthy("sync")
        self.assertEqual(self.ask(program, "sources", "list")["counted_twice"], [])
        write_bill(os.path.join(other, "c.csv"), [line(SubAccountId=sub, BillingAccountId="payer", ProviderName="Microsoft")])
        program.healthy("sync")
        found = self.ask(program, "sources", "list")["counted_twice"]
        self.assertEqual([(x["account"], [s["source"] for s in x["sources"]]) for x in found], [(sub, ["bill", "other"])])

    def test_a_damaged_amount_is_found(self):
        program, folder = self.bills()
        write_bill(os.path.join(folder, "a.csv"), [line(BilledCost="10"), line(BilledCost="20")])
        program.healthy("sync")
        for table, column in (("bill_line", "billed"), ("bill_sum", "effective"), ("bill_day", "billed"), ("ledger_line", "billed")):
            with edited(program.cache) as db:
                db.execute(f"UPDATE {table} SET {column} = {column} + 1")
            self.assertEqual(program.run("verify").returncode, 1, table)
            with edited(program.cache) as db:
                db.execute(f"UPDATE {table} SET {column} = {column} - 1")
        program.verify()

    def test_a_damaged_value_is_found(self):
        """Values of any meaning, including those that no total depends on."""
        program, folder = self.bills()
        write_bill(os.path.join(folder, "a.csv"), [line(BilledCost="10", ListCost="12", ConsumedQuantity="3", ConsumedUnit="h")])
        program.healthy("sync")
        with open(program.cache, "rb") as file:
            whole = file.read()
        for change in ("bill_line SET list = list + 1", "bill_day SET quantity = quantity + 1", "bill_item SET category = category + 1"):
            with self.subTest(change):
                with contextlib.closing(sqlite3.connect(program.cache)) as db, db:
                    self.assertGreater(db.execute(f"UPDATE {change}").rowcount, 0)
                done = program.run("verify")
                self.assertEqual(done.returncode, 1, done.text)
                self.assertIn("checksum", done.stdout.decode())
                with open(program.cache, "wb") as file:
                    file.write(whole)
        program.verify()


class Killed(ProductTest):
    """The import is killed or its disk is full at any write: the whole bill is there, or what was there before."""
    POINTS = 8

    def test_at_a_write(self):
        for what in ("kill", "28"):
            folder = os.path.join(self.folder, "bills-" + what)
            os.makedirs(folder)
            program = self.program(name="killed" + what)
            program.configure(configuration(f"  - {{ name: bill, kind: focus, path: {folder} }}\n"))
            rows = [line(BilledCost="1", ResourceId=f"r-{i}", Tags=json.dumps({"n": str(i)})) for i in range(4000)]
            write_bill(os.path.join(folder, "a.csv"), rows[:500])
            program.healthy("sync")
            write_bill(os.path.join(folder, "a.csv"), rows)
            felt = 0
            for number in (1, 2, 3, 5, 8, 13, 40, 120):
                done = program.faulty(f"write:{number}:{what}:ledger.db", "sync")
                felt += done.returncode != 0
                program.verify()
                bill = json.loads(program.healthy("ledger", "--from", "2025-03-01", "--to", "2025-04-01", "--json").stdout)["bill"]
                self.assertIn(amount(bill), (500, 4000))
            self.assertGreater(felt, 0, "no fault had an effect")
            program.healthy("sync")
            program.verify()
            bill = json.loads(program.healthy("ledger", "--from", "2025-03-01", "--to", "2025-04-01", "--json").stdout)["bill"]
            self.assertEqual(amount(bill), 4000)


if __name__ == "__main__":
    unittest.main()
