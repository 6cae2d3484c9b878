#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prices that sources tell: they are stored, compared and remembered like those of price lists, and spoil no bill."""
import decimal
import json
import os
import pathlib
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

import lambdacloud  # noqa: E402
import runpod  # noqa: E402
from awsprices import AwsPrices, ec2_fault, json_fault, product  # noqa: E402
from product import ProductTest, Program, configuration  # noqa: E402

Decimal = decimal.Decimal
FIRST, LATER, SECOND, THIRD = "2026-11-19T10:00:00Z", "2026-11-19T15:00:00Z", "2026-11-20T10:00:00Z", "2026-11-21T10:00:00Z"
FAILED = 4
LONG = "\u202e\x1b[31m\n" + "x" * 10240


class SourcePricesTest(ProductTest):
    """A program with one source, `cloud`."""
    def program(self, kind, auth, more=""):
        program = Program(self.folder, configuration(f"  - {{ name: cloud, kind: {kind}, url: \"{self.server.url()}\", first_sync: 60d, auth: {auth}{more} }}\n"))
        program.environment.update(AWS_ACCESS_KEY_ID="AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY="canary-secret-key", AWS_EC2_METADATA_DISABLED="true")
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
                             ((200, self.priced("2.50")[1][:-4], {}), "parse")):
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

    def test_a_page_that_asks_to_log_in_is_no_failure(self):
        program = self.keyed()
        self.server.price_faults = [(200, b"<html>log in</html>", {"Content-Type": "text/html"})] * 4
        told, text = self.sync(program, FIRST)
        self.assertIn("its prices are left out", told["source:cloud"]["warnings"][0], text)

    def test_are_asked_for_once_an_hour(self):
        program = self.keyed()
        asked = []
        for now, arguments in ((FIRST, ()), (FIRST[:14] + "59:00Z", ()), (FIRST[:14] + "59:00Z", ("--source", "cloud")), (LATER, ())):
            self.sync(program, now, 0, *arguments)
            asked.append(len(self.server.prices_asked))
        self.assertEqual(asked, [1, 1, 2, 3])

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


class AwsPricesTest(SourcePricesTest):
    SPOT = {("p5.48xlarge", "use1-az1"): [("2026-10-01T00:00:00.000Z", "20.5"), ("2026-11-18T08:00:00.000Z", "21.123456"), ("2026-11-19T09:00:00.000Z", "22")],
            ("p5.48xlarge", "use1-az2"): [("2026-05-01T00:00:00.000Z", "19")], ("m5.large", "use1-az1"): [("2026-11-01T00:00:00.000Z", "0.04")]}

    def setUp(self):
        super().setUp()
        self.server = AwsPrices()
        self.addCleanup(self.server.close)
        self.server.spot = {key: list(steps) for key, steps in self.SPOT.items()}

    def aws(self, prices="all", region="us-east-1"):
        return self.program("aws", f"{{ type: sigv4, region: {region} }}", (f", prices: {prices}" if prices else "") + ", machines: none")

    def test_spot_prices_are_a_step_function(self):
        program = self.aws("spot")
        told, _ = self.sync(program, FIRST)
        self.assertEqual(told["source:cloud/spot"]["accepted"], 2)
        self.assertEqual(self.server.count("GetProducts"), 0)
        first = ("p5.48xlarge", "us-east-1", "use1-az1")
        self.assertEqual(self.told(program, FIRST)[0], {(*first, "spot"): (Decimal(22), FIRST[:10], "H100 SXM"), ("p5.48xlarge", "us-east-1", "use1-az2", "spot"): (Decimal(19), FIRST[:10], "H100 SXM")})
        before = [(Decimal("20.5"), "2026-10-01T00:00:00Z", "2026-11-18T08:00:00Z"), (Decimal("21.123456"), "2026-11-18T08:00:00Z", "2026-11-19T09:00:00Z")]
        self.assertEqual(self.prices(program, FIRST)[first], [*before, (Decimal(22), "2026-11-19T09:00:00Z", None)])
        # What changed between two syncs is known at the hour; the same answer again changes nothing.
        self.server.spot[first[0], first[2]] += [("2026-11-19T12:00:00.000Z", "23"), ("2026-11-19T20:00:00.000Z", "22"), ("2026-11-20T01:00:00.000Z", "21")]
        for now in (SECOND, SECOND, THIRD):
            self.sync(program, now)
        self.assertEqual(self.prices(program, THIRD)[first], [
            *before, (Decimal(22), "2026-11-19T09:00:00Z", "2026-11-19T12:00:00Z"), (Decimal(23), "2026-11-19T12:00:00Z", "2026-11-19T20:00:00Z"),
            (Decimal(22), "2026-11-19T20:00:00Z", "2026-11-20T01:00:00Z"), (Decimal(21), "2026-11-20T01:00:00Z", None)])
        starts = [form["StartTime"] for action, form in self.server.asked if action == "DescribeSpotPriceHistory"]
        self.assertEqual(sorted(set(starts)), ["2026-08-21T10:00:00Z", FIRST, SECOND])
        # A zone that AWS no longer lists ends with the sync that lacks it.
        del self.server.spot[first[0], "use1-az2"]
        self.sync(program, "2026-11-22T10:00:00Z")
        self.assertEqual(self.prices(program, "2026-11-22T10:00:00Z")["p5.48xlarge", "us-east-1", "use1-az2"][-1][2], "2026-11-22T10:00:00Z")
        program.verify(now="2026-11-22T10:00:00Z")

    def test_on_demand_is_the_one_price_of_linux(self):
        self.server.products = [product(), product(price="99", operatingSystem="Windows"), product("g6.xlarge", "0.8048000000"), product("g6.2xlarge", "0.0000000000"),
                                product("g5.xlarge", "1.006"), product("g5.xlarge", "2.012"), product("m5.large", "0.096"), product("p4d.24xlarge", "21", "eu-west-1")]
        program = self.aws("on-demand")
        told, text = self.sync(program, FIRST)
        self.assertEqual((told["source:cloud/on-demand"]["accepted"], told["source:cloud/on-demand"]["rejected"]), (2, 1), text)
        offers = self.told(program, FIRST)[0]
        self.assertEqual(offers, {("p5.48xlarge", "us-east-1", None, "on-demand"): (Decimal("55.04"), FIRST[:10], "H100 SXM"), ("g6.xlarge", "us-east-1", None, "on-demand"): (Decimal("0.8048"), FIRST[:10], "L4")})
        self.assertEqual(self.server.count("DescribeSpotPriceHistory"), 0)
        self.server.products[0] = product(price="50.00")
        self.sync(program, SECOND)
        self.assertEqual(self.prices(program, SECOND)["p5.48xlarge", "us-east-1", None], [(Decimal("55.04"), FIRST, SECOND), (Decimal(50), SECOND, None)])

    def test_a_missing_right_is_named_and_the_rest_works(self):
        program = self.aws()
        for now, action, right, list_name in ((FIRST, "DescribeSpotPriceHistory", "ec2:DescribeSpotPriceHistory", "spot"), (SECOND, "GetProducts", "pricing:GetProducts", "on-demand")):
            self.server.denied = {action}
            text = self.connection(program)
            self.assertIn(f"may not {right}: prices ({list_name}) are not compared", text)
            told, _ = self.sync(program, now)
            denied, = [one for name, one in told.items() if one["warnings"]]
            self.assertEqual(denied["name"], f"source:cloud/{list_name}")
            self.assertIsNone(denied["error"])
            self.assertIn(right, denied["warnings"][0])
        self.server.denied = set()
        self.assertIn("may pricing:GetProducts", self.connection(program))
        self.assertEqual({key[3] for key in self.told(program, SECOND)[0]}, {"spot", "on-demand"})

    def test_the_right_to_placement_scores_is_tested_without_a_question(self):
        right = "ec2:GetSpotPlacementScores"
        self.server.most_questions = 0
        self.assertIn(f"may {right}", self.connection(self.aws("spot")))
        self.assertEqual([form["DryRun"] for action, form in self.server.asked if action == "GetSpotPlacementScores"], ["true"])
        self.server.denied = {"GetSpotPlacementScores"}
        text = self.connection(self.aws())
        self.assertIn(f"may not {right}: prices (placement scores) are not compared", text)
        self.assertIn("may ec2:DescribeSpotPriceHistory", text)
        # Where EC2 says that it lacks the call, nothing is said of the right; where no spot prices are read, nothing is asked.
        self.server.denied, self.server.faults = set(), {"GetSpotPlacementScores": [ec2_fault(400, "InvalidAction")]}
        text = self.connection(self.aws("spot"))
        self.assertNotIn(right, text)
        self.assertIn("may ec2:DescribeSpotPriceHistory", text)
        before = self.server.count("GetSpotPlacementScores")
        self.assertNotIn(right, self.connection(self.aws("on-demand")))
        self.assertEqual(self.server.count("GetSpotPlacementScores"), before)

    def test_without_credentials_nothing_fails(self):
        program = self.aws()
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            del program.environment[name]
        told, text = self.sync(program, FIRST)
        self.assertEqual({name: one["error"] for name, one in told.items()}, {"source:cloud/spot": None, "source:cloud/on-demand": None}, text)
        self.assertTrue(all("its prices are left out" in one["warnings"][0] for one in told.values()), text)
        self.assertEqual(self.server.asked, [])

    def test_half_a_list_is_none(self):
        program = self.aws()
        self.sync(program, FIRST)
        before = self.told(program, FIRST)[0]
        self.server.spot["p5.48xlarge", "use1-az1"].append(("2026-11-20T01:00:00.000Z", "1"))
        self.server.products = [product(price="1")]
        page = self.server.spot_page([("p5.48xlarge", "use1-az1", "2026-11-20T01:00:00.000Z", "1")], "1")
        for bad in ([page, *[ec2_fault(500, "InternalError")] * 4], [page, (200, b"<a>", {})], [(200, b"<a/>", {})]):
            self.server.faults = {"DescribeSpotPriceHistory": bad, "GetProducts": [(200, b'{"PriceList":["{"]}', {})]}
            told, text = self.sync(program, SECOND, FAILED)
            self.assertTrue(told["source:cloud/spot"]["error"] and told["source:cloud/on-demand"]["error"], text)
            self.assertEqual(self.told(program, SECOND)[0], before)
        self.server.faults = {}
        self.server.is_endless = True
        told, text = self.sync(program, SECOND, FAILED)
        self.assertIn("go in a circle", text)
        self.assertIsNone(told["source:cloud/on-demand"]["error"])

    def test_waits_when_it_is_asked_to(self):
        program = self.aws()
        self.server.faults = {"DescribeSpotPriceHistory": [ec2_fault(503, "RequestLimitExceeded", headers={"Retry-After": "1"})], "GetProducts": [json_fault(400, "ThrottlingException")]}
        told, _ = self.sync(program, FIRST)
        self.assertEqual([one["error"] for one in told.values()], [None, None])
        self.assertEqual(self.server.faults, {"DescribeSpotPriceHistory": [], "GetProducts": []})

    def test_hostile_rows_are_left_out_and_counted(self):
        program = self.aws("spot")
        zones = {"NaN": "use1-az3", "-1": "use1-az4", "0": "use1-az5", "1e12": "use1-az6", "": "use1-az7"}
        self.server.spot |= {("p5.48xlarge", zone): [("2026-11-01T00:00:00.000Z", "20"), ("2026-11-18T00:00:00.000Z", price)] for price, zone in zones.items()}
        self.server.spot["p5.48xlarge", "x" * 300] = [("2026-11-18T00:00:00.000Z", "20")]
        told, text = self.sync(program, FIRST)
        self.assertEqual((told["source:cloud/spot"]["accepted"], told["source:cloud/spot"]["rejected"]), (2, len(zones) + 1), text)

    def test_which_prices_are_read(self):
        cases = (("none", set()), ("spot", {"spot"}), ("on-demand", {"on-demand"}), ("all", {"spot", "on-demand"}), ("", {"spot"}))  # an address of its own is that of EC2
        for hour, (word, lists) in enumerate(cases):
            told, _ = self.sync(self.aws(word), f"2026-11-19T{10 + 2 * hour}:00:00Z")
            self.assertEqual({name.split("/")[1] for name in told}, lists, word)
        done = self.aws("cheap").run("sources", "test", "cloud", now=FIRST)
        self.assertIn("has no prices named", done.text + done.stdout.decode())
        self.assertEqual(set(self.sync(self.aws("all", "us-gov-west-1"), SECOND)[0]), {"source:cloud/spot"})  # no price list there

    def test_moto(self):
        script = os.path.join(HERE, "..", "support", "awsserver.py")
        moto = subprocess.Popen([sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(moto.wait, 20)
        self.addCleanup(moto.stdout.close)
        self.addCleanup(moto.stdin.close)
        first = moto.stdout.readline().split()
        if first[:1] != ["port"]:
            self.skipTest("skipped: no moto")
        self.server.url = lambda: "http://127.0.0.1:" + first[1]
        program = self.aws("spot")
        told, text = self.sync(program, FIRST)
        self.assertGreater(told["source:cloud/spot"]["accepted"], 50, text)
        self.assertEqual({price for price, _, _ in self.told(program, FIRST)[0].values()}, {Decimal("0.00001")})


if __name__ == "__main__":
    unittest.main()
