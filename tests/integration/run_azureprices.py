#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Azure's retail prices as a source reads them: which regions and rows, to the last digit, held against a computation of its own; faults; and that the public service is sent
no credential. The fakes follow the contract (resourcemanager.py, azureprices.py)."""
import datetime
import decimal
import fractions
import json
import os
import pathlib
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

import azureprices  # noqa: E402
from azurecosts import APPLICATION, SECRET, SUBSCRIPTION, TENANT  # noqa: E402
from azureprices import H100, T4, Raw, plan, price, reservation  # noqa: E402
from product import Program, ProductTest, configuration  # noqa: E402
from resourcemanager import RIGHTS, TOKEN, ResourceManager, machine, run, scale_set  # noqa: E402

FIRST, SECOND, THIRD = "2026-11-19T10:00:00Z", "2026-11-20T10:00:00Z", "2026-11-21T10:00:00Z"
TEN = "2026-11-19T09:00:00"
FAILED = 4
A100 = "Standard_NC24ads_A100_v4"
TERMS = {"1 Year": ("1-year", 8760), "3 Years": ("3-years", 26280)}


def rounded(amount):
    """To 1e-9, half away from zero."""
    whole = amount * 10 ** 9
    return decimal.Decimal((2 * whole.numerator + whole.denominator) // (2 * whole.denominator)).scaleb(-9)


def amount_of(row):
    return fractions.Fraction(row["retailPrice"])


def way_of(row):
    if row["type"] == "Reservation":
        return ("reserved", TERMS[row["reservationTerm"]][0])
    return "spot" if row["meterName"].endswith(" Spot") else "on-demand"


def expected(rows, now):
    """{(type, region, purchase, source): price}, computed apart: all rows must be comparable, one for each."""
    whole, out = {(row["armSkuName"], row["armRegionName"], way_of(row)): row for row in rows}, {}
    for (size, region, way), row in whole.items():
        assert datetime.datetime.fromisoformat(row["effectiveStartDate"].replace("Z", "+00:00")) <= datetime.datetime.fromisoformat(now.replace("Z", "+00:00"))
        if isinstance(way, tuple):
            out[size, region, way[1], "cloud, reservation"] = rounded(fractions.Fraction(rounded(amount_of(row))) / TERMS[row["reservationTerm"]][1])
            continue
        out[size, region, way, "cloud"] = rounded(amount_of(row))
        for one in row.get("savingsPlan", []):
            out[size, region, TERMS[one["term"]][0], "cloud, savings plan"] = rounded(amount_of(one))
    return out


class AzurePricesTest(ProductTest):
    """A program with one source, `cloud`, that reads prices. The service for them was sent no credential, whatever happens."""

    def setUp(self):
        super().setUp()
        self.server, self.prices = ResourceManager(), azureprices.RetailPrices()
        self.addCleanup(self.server.close)
        self.addCleanup(self.prices.close)
        self.server.machines = [machine("a", TEN, H100), machine("plain", TEN, "Standard_D4s_v5", location="northeurope")]
        self.prices.rows = [price("98.32")]

    def tearDown(self):
        self.assertEqual(self.prices.betrayed, [])
        super().tearDown()

    def program(self, more="", auth="auth: { type: bearer, token: env:ARM_TOKEN }", prices=None):
        where = f', prices_url: "{self.prices.url()}"' if prices is None else prices
        program = Program(self.folder, configuration(f"  - {{ name: cloud, kind: azure, url: \"{self.server.url()}\", subscription: {SUBSCRIPTION}, first_sync: 60d, "
                                                     f"headers: {{ X-Canary: canary-header }}, {auth}{where}{more} }}\n"))
        program.environment.update(ARM_TOKEN=TOKEN, AZURE_SECRET=SECRET)
        return program

    def sync(self, program, now=FIRST, status=0):
        """The report of the list; None: there is none."""
        done = program.run("sync", "--source", "cloud", "--json", now=now)
        self.assertEqual(done.returncode, status, done.text)
        self.assertNotIn("canary", done.text + done.stdout.decode())
        program.verify(now=now)
        return {one["name"]: one for one in json.loads(done.stdout)["sources"]}.get("source:cloud"), done.text

    def told(self, program, now=FIRST):
        """As expected()."""
        out = json.loads(program.healthy("compare", "--cloud", "azure", "--json", now=now).stdout)
        return {(one["machine"], one["region"], one["purchase"], one["source"]): decimal.Decimal(one["per_machine_hour"]["amount"])
                for part in out["currencies"] for one in part["items"] if one["source"].startswith("cloud")}

    def connection(self, program):
        done = program.run("sources", "test", "cloud", now=FIRST)
        self.assertNotIn("canary", done.text + done.stdout.decode())
        return done.text + done.stdout.decode()


class Prices(AzurePricesTest):
    def test_all_ways_to_pay_to_the_last_digit(self):
        self.server.machines.append(machine("off", TEN, A100, location="WestEurope", power="deallocated"))
        self.server.sets = [scale_set("train", run(TEN), size=T4, location="usgovvirginia")]
        self.prices.rows = [
            price("98.32", savingsPlan=[plan("7.15E1", 1), plan("54.1000000004", 3)]), price("39.3280000005", spot=True), reservation("551880", 1), reservation("1e6", 3),
            price("0.526", T4, "usgovvirginia"), price("5.26E-2", T4, "usgovvirginia", spot=True), reservation("1234.5678901234567", 1, size=T4, region="usgovvirginia"),
            price("3.6730000000000004", A100, "westeurope", savingsPlan=[plan("2.571", 1)])]
        others = [
            price("190", meter="w", productName="Virtual Machines NDsr H100 v5 Series Windows"), price("1", meter="l", meterName="ND96isr H100 v5 Low Priority"),
            price("2", meter="d", type="DevTestConsumption"), price("3", meter="h", productName="NDsr H100 v5 Dedicated Host"), price("4", meter="c", productName="NDsr Cloud Services"),
            price("5", meter="f", effectiveStartDate="2026-12-01T00:00:00Z"), price("6", meter="e", effectiveEndDate="2026-11-01T00:00:00Z"),
            price("7", meter="t", tierMinimumUnits=Raw("100.0")), price("8", meter="o", isPrimaryMeterRegion=False), reservation("9", 5, meter="5"),
            price("97", meter=self.prices.rows[0]["meterId"], effectiveStartDate="2023-01-01T00:00:00Z"), price("10", "Standard_NP10s"), price("11", "Standard_NC99_v9"),
            price("12", region="northeurope"), price("13", meter="s", serviceName="Cloud Services")]
        rows = self.prices.rows
        self.prices.rows = [row for pair in zip(rows, others) for row in pair] + others[len(rows):]
        program = self.program()
        told, text = self.sync(program)
        self.assertEqual((told["error"], told["rejected"], told["warnings"]), (None, 0, []), text)
        wanted = expected(rows, FIRST)
        self.assertEqual(self.told(program), wanted)
        self.assertEqual((told["accepted"], len(wanted)), (11, 11))
        self.assertEqual({region for region, _ in self.prices.asked}, {"eastus", "westeurope", "usgovvirginia"})
        for name in os.listdir(program.data):
            self.assertNotIn(b"canary", pathlib.Path(program.data, name).read_bytes(), name)

    def test_an_application_sends_its_token_to_the_manager_alone(self):
        program = self.program(auth=f"login: \"{self.server.url()}\", tenant: {TENANT}, auth: {{ type: basic, user: {APPLICATION}, password: env:AZURE_SECRET }}")
        told, text = self.sync(program)
        self.assertEqual((told["accepted"], told["error"]), (1, None), text)
        self.assertGreater(self.server.logins, 0)

    def test_named_regions_need_no_login(self):
        program = self.program(", machines: none, regions: \"eastus, WestEurope\"")
        self.prices.rows.append(price("99", region="westeurope"))
        told, text = self.sync(program)
        self.assertEqual((told["accepted"], self.server.requests), (2, []), text)
        self.assertIn(f"may GET {self.prices.url()}{azureprices.PATH}", self.connection(program))

    def test_prices_keep_their_history(self):
        program = self.program()
        self.sync(program)
        self.prices.rows = [price("97.5")]
        self.sync(program, SECOND)
        out = json.loads(program.healthy("compare", "--history", "--cloud", "azure", "--json", now=SECOND).stdout)
        offer, = (one for one in out["offers"] if one["source"] == "cloud")
        self.assertEqual([(decimal.Decimal(one["per_machine_hour"]["amount"]), one["from"], one["to"]) for one in offer["prices"]],
                         [(decimal.Decimal("98.32"), FIRST, SECOND), (decimal.Decimal("97.5"), SECOND, None)])

    def test_what_is_doubtful_has_no_price(self):
        self.prices.rows += [
            price("12", T4), price("13", T4, meter="second"), price("3.673", A100), price("3.673", A100, meter="same"),
            price("-1", "Standard_NC8as_T4_v3"), price("1e30", "Standard_NC16as_T4_v3"), price('"NaN"', "Standard_NC64as_T4_v3"), price("1", "Standard_NC6s_v3", currencyCode="EUR"),
            price("1", "Standard_NC12s_v3", unitOfMeasure="100 Hours"), price("0", "Standard_NC24s_v3"), price("1", "Standard_ND40rs_v2", effectiveStartDate="soon")]
        program = self.program()
        told, text = self.sync(program)
        self.assertEqual((told["accepted"], told["rejected"]), (2, 7), text)
        self.assertEqual(self.told(program), {(H100, "eastus", "on-demand", "cloud"): decimal.Decimal("98.32"), (A100, "eastus", "on-demand", "cloud"): decimal.Decimal("3.673")})

    def test_a_spot_price_that_is_the_price_on_demand_is_a_ceiling(self):
        self.prices.rows.append(price("98.320", spot=True))
        program = self.program()
        self.sync(program)
        self.assertEqual(list(self.told(program)), [(H100, "eastus", "on-demand", "cloud")])


class Settings(AzurePricesTest):
    def test_a_subscription_without_gpus_says_so(self):
        self.server.machines.pop(0)
        program = self.program()
        told, text = self.sync(program)
        self.assertIsNone(told["error"], text)
        self.assertIn("has no machine with GPUs", told["warnings"][0])
        self.assertIn("prices can't be read: ", self.connection(program))
        self.assertEqual(self.prices.asked, [])

    def test_an_address_of_its_own_and_none_ask_for_no_prices(self):
        for more in ("", f', prices_url: "{self.prices.url()}", prices: none'):
            with self.subTest(more):
                program = self.program(prices=more)
                told, text = self.sync(program)
                self.assertIsNone(told, text)
                self.assertNotIn("rices", self.connection(program))
        self.assertEqual(self.prices.asked, [])

    def test_wrong_settings_are_named(self):
        for more, word in ((", prices: spot", "no prices named"), (", regions: \"east us/\"", "no region named"), (", prices_url: elsewhere", "elsewhere")):
            with self.subTest(more):
                done = self.program(more, prices="").run("sync", now=FIRST)
                self.assertIn(word, done.text + done.stdout.decode())
                self.assertNotEqual(done.returncode, 0)
        self.assertEqual(self.prices.asked, [])


class Faults(AzurePricesTest):
    def setUp(self):
        super().setUp()
        self.prices.rows += [price("0.526", T4), price("3.673", A100)]  # two pages, and an empty one
        self.cloud = self.program()
        told, text = self.sync(self.cloud)
        self.assertEqual(told["accepted"], 3, text)

    def assertKept(self):
        self.assertEqual(len(self.told(self.cloud, SECOND)), 3)

    def fails(self, answer, *codes):
        with self.subTest(status=answer[0], body=answer[1][:60]):
            self.prices.faults = [answer] * 20
            told, text = self.sync(self.cloud, SECOND, FAILED)
            self.assertIn(told["error"]["code"], codes, text)
            self.prices.faults = []
            self.assertKept()

    def test_answers_that_are_none(self):
        page = self.prices.page(self.prices.rows, {}, 0)[1]
        for body in (b"{", b"[]", b"null", b"{}", b'{"Items": {}}', b"[" * 100000, page[:-9]):
            self.fails((200, body, {}), "parse", "overflow")
        self.fails((200, page, {"Content-Length": str(len(page) + 100)}), "network", "parse")
        self.fails((500, b"", {}), "server")
        self.fails((0, b"", {}), "network")
        self.fails((400, b"", {}), "server")

    def test_a_redirect_is_not_followed(self):
        other = azureprices.RetailPrices()
        self.addCleanup(other.close)
        self.prices.faults = [(302, b"", {"Location": other.url() + azureprices.PATH})] * 20
        told, text = self.sync(self.cloud, SECOND)
        self.assertIn("redirects elsewhere", told["warnings"][0], text)
        self.assertKept()
        self.assertEqual((other.asked, other.betrayed), ([], []))

    def test_a_page_fails_all(self):
        self.prices.faults = [None, *[(500, b"", {})] * 20]
        told, text = self.sync(self.cloud, SECOND, FAILED)
        self.assertEqual(told["error"]["code"], "server", text)
        self.assertKept()

    def test_pages_that_lead_elsewhere_or_in_a_circle(self):
        other = azureprices.RetailPrices()
        self.addCleanup(other.close)
        host = other.url().removeprefix("http://")
        own = self.prices.asked[:]
        for link in (other.url() + azureprices.PATH, f"{self.prices.url()}@{host}/", f"//{host}/", "ftp://x", "x"):
            with self.subTest(link):
                self.prices.link = link
                told, text = self.sync(self.cloud, SECOND, FAILED)
                self.assertEqual(told["error"]["code"], "parse", text)
                self.assertKept()
        self.assertEqual((other.asked, other.betrayed), ([], []))
        self.assertEqual(len(self.prices.asked), len(own) + 5)  # the first page each time
        self.prices.link, self.prices.is_endless = None, True
        told, text = self.sync(self.cloud, SECOND, FAILED)
        self.assertIn("circle", told["error"]["message"], text)
        self.assertKept()

    def test_waits_when_it_is_asked_to(self):
        self.prices.asked.clear()
        self.prices.faults = [(429, b"", {"Retry-After": "1"}), (502, b"", {})]
        begin = datetime.datetime.now()
        self.sync(self.cloud, SECOND)
        self.assertGreater((datetime.datetime.now() - begin).total_seconds(), 1)
        self.assertEqual((self.prices.faults, len(self.prices.asked)), ([], 5))

    def test_a_missing_right_is_named(self):
        for kind in ("machines", "sets"):
            with self.subTest(kind):
                self.server.denied = {RIGHTS[kind]}
                told, text = self.sync(self.cloud, SECOND)
                self.assertIsNone(told["error"], text)
                self.assertIn(RIGHTS[kind], told["warnings"][0])
                self.assertIn(f"may not {RIGHTS[kind]}: prices (", self.connection(self.cloud))
                self.assertKept()
        self.server.denied = set()
        self.assertIsNone(self.sync(self.cloud, THIRD)[0]["error"])

    def test_a_clock_that_is_wrong_records_nothing(self):
        right = self.prices.RequestHandlerClass
        self.prices.RequestHandlerClass = type("Wrong", (right,), {"date_time_string": lambda self, timestamp=None: "Fri, 20 Nov 2015 09:00:00 GMT"})
        self.prices.rows = [price("1")]
        told, text = self.sync(self.cloud, SECOND, FAILED)
        self.assertEqual(told["error"]["code"], "refused", text)
        self.assertKept()


if __name__ == "__main__":
    unittest.main(verbosity=2)
