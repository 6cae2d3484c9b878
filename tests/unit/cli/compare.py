# SPDX-License-Identifier: GPL-3.0-or-later
"""`compare`: prices of the book, of bills, of SkyPilot catalogues and of own offers; exact figures, order, currencies, refusals, and that it creates no cache."""
import csv
import decimal
import io
import json
import math
import os
import pathlib
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "faults"))

import unittest  # noqa: E402

from product import ProductTest, Program, configuration  # noqa: E402

NOW = "2026-11-26T12:00:00Z"
USAGE = 2
NANO = decimal.Decimal("1e-9")
ITEM = {"provider", "region", "zone", "machine", "gpu", "gpu_model", "gpus", "gpu_memory_mib", "purchase", "per_machine_hour", "per_gpu_hour",
        "per_gib_hour", "per_tflop_hour", "seen", "age_days", "source", "term_months", "payment", "upfront", "interruptions"}
SKYPILOT = "InstanceType,AcceleratorName,AcceleratorCount,GpuInfo,Price,SpotPrice,Region,AvailabilityZone\n"
INFO = "\"{'Gpus': [{'MemoryInfo': {'SizeInMiB': 81920}}]}\""
OWN = "provider,gpu_model,gpus,currency,per_hour,purchase,seen\n"


def amount(money):
    return decimal.Decimal(money["amount"])


def items(told, currency="USD"):
    return next((one["items"] for one in told["currencies"] if one["currency"] == currency), [])


def left_out(told):
    return {one["reason"]: one["count"] for one in told["left_out"]}


class Compare(ProductTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gpuledgercompare")
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        self.program = Program(folder.name)

    def file(self, name, text):
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    def text(self, *options):
        return self.program.healthy("compare", *options, now=NOW).stdout.decode()

    def json(self, *options):
        return json.loads(self.text(*options, "--json"))

    def test_the_price_book_without_anything_else(self):
        told = self.json("--gpu-model", "H100", "--gpus", "8")
        self.assertEqual([one["currency"] for one in told["currencies"]], ["USD"])
        offers = items(told)
        self.assertGreater(len(offers), 4)
        for one in offers:
            self.assertEqual(set(one), ITEM)
            self.assertTrue(one["gpu_model"].startswith("H100"), one)
            self.assertEqual((one["gpus"], one["purchase"]), (8, "on-demand"))
            self.assertGreater(one["age_days"], 0)
            self.assertEqual(amount(one["per_gpu_hour"]), (amount(one["per_machine_hour"]) / 8).quantize(NANO, decimal.ROUND_HALF_UP))
            gib = decimal.Decimal(8 * one["gpu_memory_mib"]) / 1024
            self.assertEqual(amount(one["per_gib_hour"]), (amount(one["per_machine_hour"]) / gib).quantize(NANO, decimal.ROUND_HALF_UP))
            self.assertLess(amount(one["per_tflop_hour"]), amount(one["per_gib_hour"]))
        prices = [amount(one["per_gpu_hour"]) for one in offers]
        self.assertEqual(prices, sorted(prices))
        aws = next(one for one in offers if one["machine"] == "p5.48xlarge")
        self.assertEqual((aws["per_gpu_hour"], aws["seen"], aws["source"]),
                         ({"amount": "6.880000000", "currency": "USD"}, "2026-07-20", "price book"))
        self.assertEqual(told["notes"], ["own bills are not in it: nothing has been fetched yet"])
        self.assertEqual(list(self.home.rglob("ledger.db*")), [])

    def test_catalogues_offers_and_currencies(self):
        self.file("prices/neo/vms.csv", SKYPILOT + f"n8,H100,8,{INFO},16.0,8.0,eu-1,eu-1a\nn8,H100,8,{INFO},16.0,16.0,eu-1,eu-1b\n")
        self.file("prices/other_vms.csv", SKYPILOT + ",V100,8,,19.84,8.7,r,z\n,tpu-v2-8,1,,4.5,,r,z\nx\x1b,H100,8,,-1,,r,z\nbig,H100,8,,1e400,,r,z\n")
        own = self.file("own.csv", OWN + "mine,H100 SXM,8,EUR,12,3-years,2026-11-20\nmine,H100 SXM,8,USD,9.6,spot,\n")
        chosen = ("--gpu-model", "H100", "--gpus", "8", "--prices", str(self.home / "prices"), "--own", own)
        told = self.json(*chosen)
        self.assertEqual([one["currency"] for one in told["currencies"]], ["EUR", "USD"])
        euro, = items(told, "EUR")
        self.assertEqual((euro["purchase"], euro["age_days"], euro["source"]), ("3-years", 6, "own.csv"))
        self.assertEqual(euro["per_gpu_hour"], {"amount": "1.500000000", "currency": "EUR"})
        first, second = items(told)[:2]
        self.assertEqual((first["provider"], first["purchase"], first["zone"], first["seen"]), ("neo", "spot", "eu-1a", None))
        self.assertEqual((first["gpu"], first["gpu_model"], first["per_tflop_hour"]), ("H100", None, None))  # PCIe or SXM
        self.assertEqual(first["per_gib_hour"], {"amount": "0.012500000", "currency": "USD"})
        self.assertEqual((second["provider"], second["per_gpu_hour"]["amount"], second["age_days"]), ("mine", "1.200000000", None))
        self.assertEqual(left_out(told), {"unreadable": 2, "other-accelerator": 1, "without-host": 1, "spot-ceiling": 1})
        self.assertEqual({one["age_days"] for one in items(self.json(*chosen, "--seen", "2026-11-25", "--cloud", "neo"))}, {1})
        text = self.text(*chosen)
        self.assertNotIn("\x1b", text)
        for part in ("in EUR:", "in USD:", "unknown", "left out: 2 rows can't be read", "left out: 1 price is of GPUs without their machine"):
            self.assertIn(part, text)
        self.assertIn(" eu-1a +1 ", text)  # the two zones are one row

    def test_terms_and_payments(self):
        own = self.file("own.csv", "provider,gpu_model,gpus,currency,per_hour,term_months,payment,upfront\n"
                                   "mine,H100 SXM,8,CHF,8,36,partial,210240\nmine,H100 SXM,8,CHF,16,12,,\nmine,H100 SXM,8,CHF,0,12,,\n")
        told = self.json("--cloud", "mine", "--own", own)
        self.assertEqual([(one["purchase"], one["term_months"], one["payment"], one["upfront"] and one["upfront"]["amount"], amount(one["per_machine_hour"]))
                          for one in items(told, "CHF")], [("1-year", 12, None, None, 16), ("3-years", 36, "partial", "210240.000000000", 16)])
        self.assertEqual(left_out(told), {"unreadable": 1})

    def test_interruptions_of_spot_machines(self):
        own = self.file("own.csv", "provider,machine,gpu_model,gpus,region,currency,per_hour,purchase\n"
                                   "aws,p4d.24xlarge,A100 SXM4,8,us-east-1,CHF,1,spot\naws,p4d.24xlarge,A100 SXM4,8,us-east-1,CHF,2,1-year\n"
                                   "aws,p4d.24xlarge,A100 SXM4,8,mars-1,CHF,3,spot\n")
        published, committed, unknown = items(self.json("--own", own), "CHF")
        self.assertEqual((committed["interruptions"], unknown["interruptions"]), (None, None))
        told = published["interruptions"]
        self.assertEqual((set(told), told["band"], told["seen"]), ({"band", "per_hour", "seen", "source"}, "10-15%", "2025-06-28"))
        self.assertAlmostEqual(told["per_hour"], -math.log(1 - 0.125) / 730, 12)
        # Six times 10 hours with capacity and one without: measured here, so the band does not count.
        rows = "".join(f"t,us-east-1a,p4d.24xlarge,A100,8,600,{n * 39600},36000,1\nt,us-east-1a,p4d.24xlarge,A100,8,600,{n * 39600 + 36000},3600,0\n" for n in range(6))
        history = self.file("seen.csv", "trace,zone,instance_type,gpu,gpus,tick_s,start_s,duration_s,available\n" + rows)
        program = Program(self.home, configuration("  - { name: demo, kind: demo, gpus: 8, days: 1 }\n")
                          + f'savings: {{ spot_history: [ {{ path: "{history}", began: 2026-11-20 }} ] }}\n')
        measured = items(json.loads(program.healthy("compare", "--own", own, "--json", now=NOW).stdout), "CHF")[0]["interruptions"]
        self.assertEqual((measured["band"], measured["source"]), (None, "seen.csv"))
        self.assertAlmostEqual(measured["per_hour"], 0.1, 12)

    def test_filters_and_sheets(self):
        own = self.file("own.csv", OWN + "".join(f"mine,L4,1,CHF,{n},{'spot' if n % 2 else 'capacity-block'},\n" for n in range(1, 41)))
        mine = ("--cloud", "mine", "--own", own)
        self.assertEqual(len(items(self.json(*mine), "CHF")), 40)
        self.assertEqual([amount(one["per_gpu_hour"]) for one in items(self.json(*mine, "--max", "3"), "CHF")], [1, 2, 3])
        self.assertEqual({one["purchase"] for one in items(self.json(*mine, "--purchase", "spot"), "CHF")}, {"spot"})
        self.assertEqual(self.json(*mine, "--region", "mars")["currencies"], [])
        self.assertIn("no price matches", self.text(*mine, "--region", "mars"))
        self.assertIn("and 10 more (see them with --max)", self.text(*mine))
        self.assertEqual(self.text(*mine, "--max", "2").count(" capacity-block "), 1)
        sheet = list(csv.DictReader(io.StringIO(self.text(*mine, "--csv"))))
        self.assertEqual((len(sheet), sheet[0]["currency"], sheet[0]["per_gpu_hour"], sheet[0]["seen"]), (40, "CHF", "1.000000000", ""))
        self.assertEqual({one["region"] for one in items(self.json("--region", "us-east-1"))}, {"us-east-1"})

    def test_what_was_paid(self):
        fleet = "  - {{ name: {0}, kind: {1}, gpus: 56, days: 35, first_sync: 35d }}\n"
        program = Program(self.home, configuration(fleet.format("demo", "demo") + fleet.format("bill", "demo-bill")))
        now = "2025-04-07T00:00:00Z"
        program.healthy("sync", "--quiet", now=now, timeout=900)

        def paid(*options):
            told = json.loads(program.healthy("compare", "--json", *options, now=now).stdout)
            return [one for part in told["currencies"] for one in part["items"] if one["source"] == "own bills"], told["notes"]

        effective, _ = paid()
        self.assertTrue(effective)
        for one in effective:
            self.assertTrue("2025-03-10" <= one["seen"] <= "2025-04-07" and one["machine"] and one["gpu_model"], one)
        self.assertTrue(all(one["purchase"] == "on-demand" for one in paid("--cost", "billed")[0]))
        none, notes = paid("--cost", "list")
        self.assertEqual((none, notes), ([], ["own bills are not in it: --cost list asks for list prices"]))
        self.assertEqual(paid("--from", "2024-01-01", "--to", "2024-02-01")[0], [])

    def test_a_folder_named_from_within_it(self):
        self.file("neo/vms.csv", SKYPILOT + f"n8,H100,8,{INFO},16.0,,eu-1,eu-1a\n")
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.home / "neo")
        for name in (".", "./", "vms.csv", "./vms.csv", "../neo/./vms.csv"):
            with self.subTest(name):
                self.assertEqual(len(items(self.json("--cloud", "neo", "--prices", name))), 1)

    def test_what_is_refused(self):
        odd = self.file("odd.csv", SKYPILOT)
        short = self.file("neo_vms.csv", "a,b\n1,2\n")
        offers = self.file("offers.csv", "a\n")
        (self.home / "empty").mkdir()
        for options, part in ((["--gpus", "0"], '--gpus can\'t be "0"'), (["--gpus", "x\x1b"], "--gpus can't be"), (["--max", "-1"], "--max can't be"), (["--gpu-model", "NVIDIA"], '--gpu-model can\'t be "NVIDIA"'),
                              (["--purchase", "free"], "free"), (["--cost", "free"], "--cost"), (["--seen", "soon"], "--seen can't be"),
                              (["--seen", "2030-01-01"], "in the future"), (["--team", "x"], "--team"), (["--prices", odd], "nothing says whose prices"),
                              (["--prices", short], "no column InstanceType"), (["--own", offers], "no column provider"),
                              (["--prices", str(self.home / "none")], "there is no price list"), (["--own", str(self.home)], "there is no price list"),
                              (["--prices", str(self.home / "empty")], "has no file CLOUD/vms.csv")):
            with self.subTest(options):
                done = self.program.run("compare", *options, now=NOW)
                self.assertEqual(done.returncode, USAGE, done.text)
                self.assertEqual(done.stdout, b"")
                self.assertIn(part, done.text)
                self.assertNotIn("\x1b", done.text)


if __name__ == "__main__":
    unittest.main()
