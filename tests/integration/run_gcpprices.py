#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prices of machines of Google Cloud, summed up from the SKUs of a fake of the Cloud Billing Catalog, against sums of another program, and what is left out."""
import decimal
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

from cloudcatalog import CloudCatalog, disabled, sku  # noqa: E402
from computeengine import PROJECT, fault  # noqa: E402
from product import Program, ProductTest, configuration  # noqa: E402

Decimal = decimal.Decimal
FIRST, SECOND = "2026-11-19T10:00:00Z", "2026-11-20T10:00:00Z"
FAILED = 4
LISTS = ("on-demand", "spot", "commitments")
RIGHT = "cloudbilling.services.skus.list"


class GcpPrices(ProductTest):
    def setUp(self):
        super().setUp()
        self.server = CloudCatalog()
        self.addCleanup(self.server.close)
        for how, percent in (("on-demand", 100), ("spot", 39), ("1-year", 63), ("3-years", 45)):
            for region, factor in (("us-central1", 100), ("europe-west4", 113), ("asia-northeast1", 131)):
                for name, rate in {"Nvidia L4 GPU": "0.560004", "Nvidia Tesla A100 GPU": "2.933908", "Nvidia Tesla A100 80GB GPU": "3.92808", "Nvidia H100 80GB GPU": "9.796550569",
                                   "Nvidia H100 80GB Mega GPU": "10.344275712", "H200 141GB GPU": "10.6", "A4 Nvidia B200 (1 gpu slice)": "16.11", "G2 core": "0.02498844", "G2 ram": "0.00292747",
                                   "A2 core": "0.031611", "A2 ram": "0.004237", "A3 core": "0.0293227", "A3 ram": "0.0025534", "A3Plus core": "0.03", "A3Plus ram": "0.0027",
                                   "A3Ultra core": "0.034", "A3Ultra ram": "0.003", "disk": "0.08"}.items():
                    exact = Decimal(rate) * percent * factor / 10000
                    self.server.rates[how, name, region] = str(exact.quantize(Decimal("1e-9")))

    def program(self, more=""):
        program = Program(self.folder, configuration(
            f"  - {{ name: cloud, kind: gcp, url: \"{self.server.url()}\", prices_url: \"{self.server.url()}\", project: {PROJECT}, first_sync: 60d, "
            f"auth: {{ type: bearer, token: env:GCP_TOKEN }}{more} }}\n"))
        program.environment.update(GCP_TOKEN="canary-owner")
        return program

    def sync(self, program, now=FIRST, status=0):
        done = program.run("sync", "--json", now=now)
        self.assertIn(done.returncode, (status,) if status is not None else (0, FAILED), done.text)
        self.assertNotIn("canary", done.text + done.stdout.decode())
        return {one["name"]: one for one in json.loads(done.stdout)["sources"]}, done.text

    def told(self, program, now=FIRST):
        """(machine, region, zone, purchase): price of the machine, of the offers with this source as their origin."""
        out = json.loads(program.healthy("compare", "--json", now=now).stdout)
        return {(one["machine"], one["region"], one["zone"] or "", one["purchase"]): Decimal(one["per_machine_hour"]["amount"])
                for part in out["currencies"] for one in part["items"] if one["source"] == "cloud"}

    def assertPrices(self, program, expected, now=FIRST):
        """All that the oracle has are there and equal; of types that it doesn't know only the lists tell."""
        told = self.told(program, now)
        self.assertEqual({key: value for key, value in told.items() if key in expected}, expected)
        known = {key[0] for key in self.server.all_prices()}
        self.assertEqual({key for key in told if key[0] in known} - set(expected), set())

    def test_prices_are_the_sums_of_their_parts(self):
        program = self.program()
        told, text = self.sync(program)
        for name in LISTS:
            report = told[f"source:cloud/{name}"]
            self.assertIsNone(report["error"], text)
            self.assertGreater(report["accepted"], 50)
        expected = self.server.all_prices()
        self.assertEqual(len(expected), 13 * 4 * 3)
        self.assertPrices(program, expected)
        self.assertEqual(len([one for one in self.server.asked_skus if "pageToken" not in one]), 1)  # one reading for all lists
        self.server.rates["spot", "Nvidia L4 GPU", "us-central1"] = "0.3"
        self.sync(program, SECOND)
        changed = self.server.all_prices()
        self.assertNotEqual(changed, expected)
        self.assertPrices(program, changed, SECOND)
        program.verify(now=SECOND)

    def test_a_machine_without_all_parts_has_no_price(self):
        for how, name, region in (("on-demand", "G2 core", "us-central1"), ("spot", "A3 ram", "europe-west4"), ("on-demand", "disk", "asia-northeast1"),
                                  ("1-year", "Nvidia H100 80GB GPU", "us-central1"), ("3-years", "A2 core", "us-central1")):
            del self.server.rates[how, name, region]
        self.server.more = [sku("A2 Instance Ram running in Iowa", "OnDemand", ["us-central1"], "0.5", "GiBy.h"),  # another price of the same
                            sku("Nvidia H100 Mega 80GB GPU running in Tokyo", "OnDemand", ["asia-northeast1"], "3")]
        program = self.program()
        told, text = self.sync(program)
        self.assertIn("can't be read", told["source:cloud/on-demand"]["warnings"][0], text)
        ambiguous = {("a2-highgpu-1g", "us-central1"), ("a2-highgpu-8g", "us-central1"), ("a2-megagpu-16g", "us-central1"), ("a2-ultragpu-1g", "us-central1"),
                     ("a2-ultragpu-8g", "us-central1"), ("a3-megagpu-8g", "asia-northeast1")}
        self.assertPrices(program, {key: value for key, value in self.server.all_prices().items() if key[3] != "on-demand" or key[:2] not in ambiguous})

    def test_a_switched_off_service_is_named_and_leaves_the_machines(self):
        program = self.program()
        self.server.is_disabled = True
        done = program.run("sources", "test", "cloud", now=FIRST)
        text = done.text + done.stdout.decode()
        self.assertIn(f"may not {RIGHT} before the Cloud Billing API is enabled", text)
        self.assertIn("prices (on-demand, spot, commitments) are not compared", text)
        self.assertIn("may compute.instances.list", text)
        told, text = self.sync(program)
        self.assertIsNone(told["cloud"]["error"], text)
        for name in LISTS:
            report = told[f"source:cloud/{name}"]
            self.assertIsNone(report["error"], text)
            self.assertIn("its prices are left out", report["warnings"][0])
            self.assertIn("SERVICE_DISABLED", report["warnings"][0])
        self.server.is_disabled = False
        self.assertIn(f"may {RIGHT}", program.run("sources", "test", "cloud", now=FIRST).stdout.decode())
        self.sync(program, SECOND)
        self.assertPrices(program, self.server.all_prices(), SECOND)

    def test_a_list_that_can_not_be_read_whole_changes_nothing(self):
        program = self.program()
        self.sync(program)
        before = self.told(program)
        good = self.server.sku_answer({})
        self.server.rates["on-demand", "Nvidia L4 GPU", "us-central1"] = "5"
        # In each of the lists, because none of them is read.
        for answers, code in (([(200, good[1][:-9], {})], "parse"), ([(200, b"[]", {})], "parse"), ([(200, b'{"skus": 7}', {})], "parse"),
                              ([good] * 2, "parse"), ([good, fault(404, "notFound")], "not-found"), ([(302, b"", {"Location": "/"})], "invalid-config")):
            self.server.sku_faults = answers * len(LISTS)
            told, text = self.sync(program, SECOND, None)
            self.assertEqual(self.server.sku_faults, [])
            for name in LISTS:
                report = told[f"source:cloud/{name}"]
                self.assertEqual(report["error"]["code"] if report["error"] else "invalid-config", code, text)
            self.assertEqual(self.told(program, SECOND), before)
        self.server.sku_faults = [(200, b"{}", {})]  # a list that has nothing is more likely cut off
        told, text = self.sync(program, SECOND, FAILED)
        self.assertEqual(told["source:cloud/spot"]["error"]["code"], "invalid-argument", text)
        self.server.sku_faults = [fault(429, "rateLimitExceeded", headers={"Retry-After": "1"}), fault(503, "backendError")]
        self.sync(program, SECOND)
        self.assertPrices(program, self.server.all_prices(), SECOND)

    def test_the_settings_say_which(self):
        for more, lists in ((", prices: spot", {"spot"}), (", prices: commitments", {"commitments"}), (", prices: none", set())):
            told, _ = self.sync(self.program(more))
            self.assertEqual({name.split("/")[1] for name in told if "/" in name}, lists)
        program = Program(self.folder, configuration(f"  - {{ name: cloud, kind: gcp, url: \"{self.server.url()}\", project: {PROJECT}, auth: {{ type: bearer, token: env:T }} }}\n"))
        program.environment.update(T="canary-owner")
        self.server.asked_skus.clear()
        self.assertEqual(set(self.sync(program)[0]), {"cloud"})  # an address of its own has no catalogue
        self.assertEqual(self.server.asked_skus, [])
        done = self.program(", prices: cheap").run("sync", now=FIRST)
        self.assertIn("to all, on-demand, spot, commitments or none", done.text)

    def test_the_machine_reads_prices_in_the_same_way(self):
        program = self.program()
        program.configure(configuration(f"  - {{ name: cloud, kind: gcp, url: \"{self.server.url()}\", prices_url: \"{self.server.url()}\", project: {PROJECT} }}\n"))
        program.environment.update(GCE_METADATA_HOST=self.server.url().removeprefix("http://"))
        told, text = self.sync(program)
        self.assertIsNone(told["source:cloud/spot"]["error"], text)
        self.assertPrices(program, self.server.all_prices())


if __name__ == "__main__":
    unittest.main()
