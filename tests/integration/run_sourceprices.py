#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prices that sources tell: they are stored, compared and remembered like those of price lists, and spoil no bill."""
import decimal
import json
import os
import pathlib
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

import lambdacloud  # noqa: E402
import runpod  # noqa: E402
from product import ProductTest, Program, configuration  # noqa: E402

Decimal = decimal.Decimal
FIRST, LATER, SECOND, THIRD = "2026-11-19T10:00:00Z", "2026-11-19T15:00:00Z", "2026-11-20T10:00:00Z", "2026-11-21T10:00:00Z"
FAILED = 4
LONG = "\u202e\x1b[31m\n" + "x" * 10240


class SourcePricesTest(ProductTest):
    """A program with one source, `cloud`."""
    def program(self, kind, auth, more=""):
        program = Program(self.folder, configuration(f"  - {{ name: cloud, kind: {kind}, url: \"{self.server.url()}\", first_sync: 60d, auth: {auth}{more} }}\n"))
        return program

    def sync(self, program, now, status=0, *source):
        """The reports of the source and of its lists, by name."""
        done = program.run("sync", *source, "--json", now=now)
        self.assertEqual(done.returncode, status, done.text)
        self.assertNotIn("canary", done.text + done.stdout.decode())
        self.assertNotIn("\x1b", done.text + done.stdout.decode())
        return {one["name"]: one for one in json.loads(done.stdout)["sources"]}, done.text

    def told(self, program, now, *options):
        """(machine, region, zone, purchase): (price of the machine, day) of the offers with this source as their origin; the notes."""
        out = json.loads(program.healthy("compare", "--json", *options, now=now).stdout)
        offers = {}
        for part in out["currencies"]:
            for one in part["items"]:
                if one["source"] == "cloud":
                    offers[one["machine"], one["region"], one["zone"], one["purchase"]] = (Decimal(one["per_machine_hour"]["amount"]), one["seen"], one["gpu_model"])
        return offers, [note for note in out["notes"] if "price list" in note]

    def prices(self, program, now, *options):
        """Of each offer of the history of this source: (price, from, to), oldest first."""
        out = json.loads(program.healthy("compare", "--history", "--json", *options, now=now).stdout)
        return {(one["machine"], one["region"], one["zone"]): [(Decimal(price["per_machine_hour"]["amount"]), price["from"], price["to"]) for price in one["prices"]]
                for one in out["offers"] if one["source"] == "cloud"}

    def connection(self, program, now=FIRST):
        done = program.run("sources", "test", "cloud", now=now)
        return done.text + done.stdout.decode()

    def assertNoSecretIsKept(self, program):
        for name in os.listdir(program.data):
            self.assertNotIn(b"canary", pathlib.Path(program.data, name).read_bytes(), name)


class KeyedPrices:
    """What the kinds with one question have in common; `priced` is an answer with one offer at this price."""
    kind = path = key = right = offer = None

    def setUp(self):
        super().setUp()
        self.server = self.cloud()
        self.server.prices[self.path] = self.priced("2.50")
        self.addCleanup(self.server.close)

    def keyed(self):
        program = self.program(self.kind, "{ type: bearer, token: env:BILL_KEY }")
        program.environment.update(BILL_KEY=self.key)
        return program

    def test_prices_are_compared_and_keep_their_history(self):
        program = self.keyed()
        told, _ = self.sync(program, FIRST)
        self.assertEqual((told["source:cloud"]["kind"], told["source:cloud"]["accepted"], told["source:cloud"]["error"]), ("price-list", 1, None))
        self.assertEqual(self.told(program, FIRST), ({self.offer: (Decimal("2.5"), FIRST[:10], "H100 SXM")}, []))
        self.sync(program, LATER)
        self.server.prices[self.path] = self.priced("2.49")
        self.sync(program, SECOND, 0, "--source", "cloud")  # the source alone
        self.assertEqual(self.told(program, SECOND)[0], {self.offer: (Decimal("2.49"), SECOND[:10], "H100 SXM")})
        self.assertEqual(self.prices(program, SECOND), {self.offer[:3]: [(Decimal("2.5"), FIRST, SECOND), (Decimal("2.49"), SECOND, None)]})
        self.assertNoSecretIsKept(program)
        program.verify(now=SECOND)
        # A source that is no longer in the configuration has no prices, and its history stays.
        Program(self.folder, configuration("  - { name: demo, kind: demo, gpus: 8, days: 1, first_sync: 6h }\n"))
        program.healthy("sync", now=THIRD)
        self.assertEqual(self.told(program, THIRD)[0], {})
        self.assertEqual(self.prices(program, THIRD)[self.offer[:3]][-1], (Decimal("2.49"), SECOND, THIRD))

    def test_prices_that_can_not_be_read_leave_the_bill(self):
        program = self.keyed()
        self.sync(program, FIRST)
        for answer, code in (((500, b"", {}), "server"), ((200, b"{", {}), "parse"), ((200, b"{}", {}), "parse"), ((200, b"[" * 100000, {}), "parse"),
                             ((200, self.priced("2.50")[1][:-4], {}), "parse"), ((200, b"<html>log in</html>", {"Content-Type": "text/html"}), "unauthorized")):
            self.server.price_faults = [answer] * 4
            told, text = self.sync(program, SECOND, FAILED)
            self.assertIsNone(told["cloud"]["error"], text)
            self.assertEqual(told["source:cloud"]["error"]["code"], code, text)
            self.server.price_faults = []
            offers, notes = self.told(program, SECOND)
            self.assertEqual(offers, {self.offer: (Decimal("2.5"), FIRST[:10], "H100 SXM")})
            self.assertRegex(notes[0], "source:cloud could not be read on 2026-11-20: .*; its prices of 2026-11-19 are in it")
        told, _ = self.sync(program, SECOND)
        self.assertIsNone(told["source:cloud"]["error"])
        self.assertEqual(self.told(program, SECOND)[1], [])

    def test_a_missing_right_is_named(self):
        program = self.keyed()
        self.server.denied = (self.path,)
        text = self.connection(program)
        self.assertIn(f"may not {self.right}: prices (on-demand) are not compared", text)
        told, text = self.sync(program, FIRST)  # a right that nobody gave is no failure
        self.assertIsNone(told["source:cloud"]["error"])
        self.assertIn("its prices are left out", told["source:cloud"]["warnings"][0])
        self.assertRegex(self.told(program, FIRST)[1][0], "source:cloud could not be read on .*; none of its prices is in it")
        self.server.denied = ()
        self.assertIn(f"may {self.right}", self.connection(program))
        self.sync(program, SECOND)
        self.assertEqual(list(self.told(program, SECOND)[0]), [self.offer])

    def test_waits_when_it_is_asked_to(self):
        program = self.keyed()
        self.server.price_faults = [(429, b"", {"Retry-After": "1"}), (503, b"", {"Retry-After": "1"}), (502, b"", {})]
        self.sync(program, FIRST)
        self.assertEqual((self.server.price_faults, len(self.server.prices_asked)), ([], 4))
        self.assertEqual(list(self.told(program, FIRST)[0]), [self.offer])

    def test_an_answer_without_any_price_ends_nothing(self):
        program = self.keyed()
        self.sync(program, FIRST)
        for answer in self.empty:
            self.server.prices[self.path] = answer
            told, _ = self.sync(program, SECOND, FAILED)
            self.assertIn("has no price of a GPU machine", told["source:cloud"]["error"]["message"])
            self.assertEqual(list(self.told(program, SECOND)[0]), [self.offer])


class LambdaPrices(KeyedPrices, SourcePricesTest):
    kind, key, cloud = "lambda", lambdacloud.KEY, lambdacloud.LambdaCloud
    path, right = lambdacloud.TYPES, "GET /api/v1/instance-types"
    offer = ("gpu_1x_h100_sxm5", "us-east-1", None, "on-demand")
    empty = (lambdacloud.kinds(), lambdacloud.kinds(lambdacloud.kind("cpu_4x_general", gpus=0)))

    @staticmethod
    def priced(price):
        return lambdacloud.kinds(lambdacloud.kind("gpu_1x_h100_sxm5", int(Decimal(price) * 100), 1))

    def test_where_a_type_can_be_had(self):
        program = self.keyed()
        full = lambdacloud.kind("gpu_8x_a100_80gb_sxm4", 1432, 8, "A100 (80 GB SXM4)", regions=())
        self.server.prices[self.path] = lambdacloud.kinds(lambdacloud.kind("gpu_1x_h100_sxm5", 329, 1, regions=("us-west-2", "us-east-1")), full)
        self.sync(program, FIRST)
        offers = self.told(program, FIRST)[0]
        self.assertEqual({key[:2]: price for key, (price, _, _) in offers.items()},
                         {("gpu_1x_h100_sxm5", "us-east-1"): Decimal("3.29"), ("gpu_1x_h100_sxm5", "us-west-2"): Decimal("3.29"), ("gpu_8x_a100_80gb_sxm4", None): Decimal("14.32")})
        self.assertEqual(offers["gpu_8x_a100_80gb_sxm4", None, None, "on-demand"][2], "A100 80GB")

    def test_what_is_no_price_is_left_out_and_counted(self):
        program = self.keyed()
        odd = [lambdacloud.kind(f"gpu_odd_{at}", cents) for at, cents in enumerate((-5, 12.5, 10 ** 30, "x", None, True, {}, 1_000_001))]
        odd += [lambdacloud.kind(f"gpu_gpus_{at}", gpus=gpus) for at, gpus in enumerate((-1, 10 ** 30, "y", None, 1025))]
        odd += [lambdacloud.kind("gpu_text", gpu=LONG), lambdacloud.kind(LONG), lambdacloud.kind("gpu_region", regions=(LONG,)), ("gpu_nothing", None), (LONG[::-1], lambdacloud.kind("x")[1])]
        self.server.prices[self.path] = lambdacloud.kinds(lambdacloud.kind("gpu_1x_h100_sxm5", 250, 1), lambdacloud.kind("gpu_free", 0), lambdacloud.kind("gpu_new", 100, 2, "Quux (7 GB)"), *odd)
        told, text = self.sync(program, FIRST)
        self.assertEqual((told["source:cloud"]["accepted"], told["source:cloud"]["rejected"]), (2, len(odd)), text)
        offers = self.told(program, FIRST)[0]
        self.assertEqual(offers["gpu_new", "us-east-1", None, "on-demand"], (Decimal(1), FIRST[:10], None))

    def test_a_clock_that_is_wrong_records_nothing(self):
        program = self.keyed()
        self.server.price_faults = [(200, self.priced("2.50")[1], {})]
        right = self.server.RequestHandlerClass
        self.server.RequestHandlerClass = type("Wrong", (right,), {"date_time_string": lambda self, timestamp=None: "Fri, 20 Nov 2015 09:00:00 GMT"})
        told, text = self.sync(program, FIRST, FAILED)
        self.assertEqual(told["source:cloud"]["error"]["code"], "refused", text)
        self.assertEqual(self.told(program, FIRST)[0], {})


class RunpodPrices(KeyedPrices, SourcePricesTest):
    kind, key, cloud = "runpod", runpod.KEY, runpod.Runpod
    path, right = runpod.GPUS, "GET /v2/catalog/gpus"
    offer = ("1x NVIDIA H100 80GB HBM3 (secure)", None, None, "on-demand")
    empty = (runpod.gpus(), runpod.gpus(runpod.gpu(secure="null", community="0")))

    @staticmethod
    def priced(price):
        return runpod.gpus(runpod.gpu(secure=price))

    def test_both_clouds_have_a_price_of_their_own(self):
        program = self.keyed()
        self.server.prices[self.path] = runpod.gpus(
            runpod.gpu("NVIDIA GeForce RTX 4090", 24, secure="0.69", community="3.4E-1"), runpod.gpu("NVIDIA L4", 24, secure="0.43", community="null"),
            runpod.gpu("NVIDIA A40", 48, secure="0.4", community="0.2", community_is_off=True).replace('"community": true', '"community": false'),
            runpod.gpu("AMD Unheard Of", 7, secure="0.123456789", community="0.0"))
        told, _ = self.sync(program, FIRST)
        self.assertEqual(told["source:cloud"]["accepted"], 5)
        offers = {key[0]: (price, model) for key, (price, _, model) in self.told(program, FIRST)[0].items()}
        self.assertEqual(offers, {"1x NVIDIA GeForce RTX 4090 (secure)": (Decimal("0.69"), "RTX 4090"), "1x NVIDIA GeForce RTX 4090 (community)": (Decimal("0.34"), "RTX 4090"),
                                  "1x NVIDIA L4 (secure)": (Decimal("0.43"), "L4"), "1x NVIDIA A40 (secure)": (Decimal("0.4"), "A40"), "1x AMD Unheard Of (secure)": (Decimal("0.123456789"), None)})

    def test_what_is_no_price_is_left_out_and_counted(self):
        program = self.keyed()
        odd = [runpod.gpu(f"GPU {at}", secure=price, community="null") for at, price in enumerate(("-1", "1e30", '"NaN"', "true", "{}", "[]", "200000"))]
        odd += [runpod.gpu(LONG), runpod.gpu("", secure="1"), "7", "null"]
        self.server.prices[self.path] = runpod.gpus(runpod.gpu(), runpod.gpu("NVIDIA none", secure="0", community="null"), *odd)
        told, text = self.sync(program, FIRST)
        self.assertEqual((told["source:cloud"]["accepted"], told["source:cloud"]["rejected"]), (1, len(odd)), text)
        self.server.prices[self.path] = runpod.gpus(runpod.gpu(), runpod.gpu())
        told, _ = self.sync(program, SECOND, FAILED)
        self.assertIn("twice", told["source:cloud"]["error"]["message"])


if __name__ == "__main__":
    unittest.main()
