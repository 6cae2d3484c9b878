#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Price lists of the configuration: files and addresses are synced, their prices have a history, and a list that fails spoils nothing."""
import decimal
import http.server
import json
import os
import pathlib
import sys
import tempfile
import threading
import unittest
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "faults"))

from product import DEMO, ProductTest, Program, configuration  # noqa: E402

HEADER = "InstanceType,AcceleratorName,AcceleratorCount,GpuInfo,Price,SpotPrice,Region,AvailabilityZone\n"
OWN = "provider,gpu_model,gpus,currency,per_hour\n"
FIRST, SECOND, THIRD, FOURTH = (f"2025-03-{day}T00:00:00Z" for day in (26, 27, 28, 29))
LARGEST = 64 << 20
WRONG = 4  # exit status of `sync` with a source that failed


def catalogue(price, *more):
    return HEADER + f"n8,H100,8,,{price},,eu-1,eu-1a\n" + "".join(more)


class Lists(http.server.ThreadingHTTPServer):
    """Serves `text` at every path, with `status` and `tag`; notes what was asked."""
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.text, self.status, self.tag, self.asked = catalogue("16.0"), 200, None, []
        self.gate, self.is_held, self.holds = threading.Event(), threading.Event(), 0  # so many of the next answers wait for the gate
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, path="neo/vms.csv"):
        return f"http://127.0.0.1:{self.server_port}/{path}"


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def do_GET(self):  # noqa: N802
        known = self.headers.get("If-None-Match")
        self.server.asked.append((self.path, known, self.headers.get("Authorization")))
        text = self.server.text
        is_known = self.server.tag is not None and known == self.server.tag
        body = b"" if is_known else text.encode()
        if self.server.holds > 0:
            self.server.holds -= 1
            self.server.is_held.set()
            self.server.gate.wait(600)
        self.send_response(304 if is_known else self.server.status)
        if self.server.tag:
            self.send_header("ETag", self.server.tag)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass  # the client has enough


class Retail(http.server.ThreadingHTTPServer):
    """Azure's retail prices of one machine type, with four P40, of which the price book has no price."""
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), RetailHandler)
        self.asked, self.status, self.price = [], 200, 98.32
        threading.Thread(target=self.serve_forever, daemon=True).start()


class RetailHandler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass

    def do_GET(self):  # noqa: N802
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        page = asked.get("$skip", "0")
        region = asked["$filter"].split("armRegionName eq '")[1].split("'")[0]
        self.server.asked.append({"region": region, "page": page, "currency": asked["currencyCode"]})
        usual = {"currencyCode": "USD", "tierMinimumUnits": 0.0, "armRegionName": region, "effectiveStartDate": "2024-11-01T00:00:00Z",
                 "productName": "Virtual Machines NDS Series", "unitOfMeasure": "1 Hour", "type": "Consumption", "isPrimaryMeterRegion": True,
                 "armSkuName": "Standard_ND24s", "meterName": "ND24s", "skuName": "ND24s"}
        if page == "0":
            items = [usual | {"retailPrice": self.server.price, "savingsPlan": [{"retailPrice": 54.1, "unitPrice": 54.1, "term": "3 Years"}]},
                     usual | {"retailPrice": 120.5, "productName": "Virtual Machines NDS Series Windows"}]
            link = f"http://127.0.0.1:{self.server.server_port}/api/retail/prices?" + urllib.parse.urlencode(asked | {"$skip": "1"})
        else:
            items = [usual | {"retailPrice": 39.328, "meterName": "ND24s Spot"},
                     usual | {"retailPrice": 63 * 8760, "type": "Reservation", "reservationTerm": "1 Year"}]
            link = None
        body = json.dumps({"BillingCurrency": "USD", "Items": items, "NextPageLink": link, "Count": len(items)}).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class PriceLists(ProductTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="gpuledgerprices")
        self.addCleanup(folder.cleanup)
        self.home = pathlib.Path(folder.name)
        self.server = Lists()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.addCleanup(self.server.gate.set)

    def program(self, prices):
        program = Program(self.home, configuration(DEMO) + f"prices: {prices}\n")
        return program

    def sync(self, program, now, status=0):
        done = program.run("sync", "--json", now=now)
        self.assertEqual(done.returncode, status, done.text)
        return {one["name"]: one for one in json.loads(done.stdout)["sources"] if one["kind"] == "price-list"}, done.text

    def compare(self, program, now, *options):
        return json.loads(program.healthy("compare", "--cloud", "neo", "--json", *options, now=now).stdout)

    def history(self, program, now, *options):
        """Per machine-hour, from, to of every price of the only offer of neo."""
        offer, = self.compare(program, now, "--history", *options)["offers"]
        return [(decimal.Decimal(one["per_machine_hour"]["amount"]), one["from"], one["to"]) for one in offer["prices"]]

    def current(self, program, now):
        told = self.compare(program, now)
        return [decimal.Decimal(one["per_machine_hour"]["amount"]) for part in told["currencies"] for one in part["items"]], told["notes"]

    def test_an_address_that_changes(self):
        url = self.server.url()
        program = self.program(f"{{ lists: [ {{ url: \"{url}\" }} ] }}")
        told, _ = self.sync(program, FIRST)
        self.assertEqual((told[url]["accepted"], told[url]["error"]), (1, None))
        self.sync(program, SECOND)
        self.assertEqual(self.history(program, SECOND), [(16, FIRST, None)])
        self.server.text = catalogue("18.5")
        self.sync(program, THIRD)
        want = [(16, FIRST, THIRD), (decimal.Decimal("18.5"), THIRD, None)]
        self.assertEqual(self.history(program, THIRD, "--gpu-model", "H100", "--gpus", "8"), want)
        self.assertEqual(self.compare(program, THIRD, "--history", "--gpu-model", "L4")["offers"], [])
        prices, notes = self.current(program, THIRD)
        self.assertEqual((prices, [note for note in notes if "price list" in note]), ([decimal.Decimal("18.5")], []))
        item, = self.compare(program, FOURTH)["currencies"][0]["items"]
        self.assertEqual((item["seen"], item["age_days"], item["source"], item["provider"]), ("2025-03-28", 1, url, "neo"))
        text = program.healthy("compare", "--history", "--cloud", "neo", now=THIRD).stdout.decode()
        self.assertIn("18.5000", text)
        self.assertEqual(program.healthy("compare", "--history", "--csv", "--cloud", "neo", now=THIRD).stdout.decode().count("\n"), 3)
        self.assertEqual({login for _, _, login in self.server.asked}, {None})
        program.verify(now=THIRD)

    def test_what_fails_keeps_the_prices(self):
        url = self.server.url()
        own = self.home / "own.csv"
        own.write_text(OWN + "mine,H100,8,EUR,12\n")
        program = self.program(f"{{ lists: [ {{ url: \"{url}\" }} ], own: [ {{ file: {own} }} ] }}")
        self.sync(program, FIRST)
        good = self.server.text
        for status, text, code, part in ((500, good, "server", "HTTP 500"), (200, "<html>not here</html>", "invalid-argument", "is not a list of SkyPilot prices"),
                                         (200, HEADER, "invalid-argument", "has no price of a GPU machine"),
                                         (200, good + "x" * (LARGEST + (1 << 20)), "too-much", "64 MiB"), (404, good, "not-found", "HTTP 404")):
            with self.subTest(part):
                self.server.status, self.server.text = status, text
                own.write_text(OWN + f"mine,H100,8,EUR,{13 + len(self.server.asked)}\n")
                told, said = self.sync(program, SECOND, WRONG)
                self.assertEqual(told[url]["error"]["code"], code, said)
                self.assertIn(part, said)
                self.assertIsNone(told[str(own)]["error"])
                prices, notes = self.current(program, THIRD)
                self.assertEqual(prices, [16])
                note, = (note for note in notes if "price list" in note)
                self.assertIn(url, note)
                self.assertIn("could not be read on 2025-03-27", note)
                self.assertIn("its prices of 2025-03-26 are in it", note)
                mine, = json.loads(program.healthy("compare", "--cloud", "mine", "--json", now=THIRD).stdout)["currencies"]
                self.assertEqual(decimal.Decimal(mine["items"][0]["per_machine_hour"]["amount"]), 12 + len(self.server.asked))
        self.server.status, self.server.text = 200, good
        self.sync(program, FOURTH)
        self.assertEqual(self.history(program, FOURTH), [(16, FIRST, None)])
        self.assertEqual([note for note in self.current(program, FOURTH)[1] if "price list" in note], [])

    def test_an_unchanged_list_is_not_sent_again(self):
        self.server.tag = '"a"'
        program = self.program(f"{{ lists: [ {{ url: \"{self.server.url('list.csv')}\", cloud: Neo }} ] }}")
        self.sync(program, FIRST)
        self.sync(program, SECOND)
        self.assertEqual([known for _, known, _ in self.server.asked], [None, '"a"'])
        offer, = self.compare(program, SECOND, "--history")["offers"]
        self.assertEqual([(one["from"], one["last_seen"], one["to"]) for one in offer["prices"]], [(FIRST, SECOND, None)])
        item, = self.compare(program, FOURTH)["currencies"][0]["items"]
        self.assertEqual((item["seen"], item["age_days"]), ("2025-03-27", 2))  # since it was confirmed
        # Other settings: what is stored was read with others.
        program = self.program(f"{{ lists: [ {{ url: \"{self.server.url('list.csv')}\", cloud: neo, seen: 2025-03-01 }} ] }}")
        self.sync(program, THIRD)
        self.assertEqual(self.server.asked[-1][1], None)
        item, = self.compare(program, THIRD)["currencies"][0]["items"]
        self.assertEqual((item["seen"], item["age_days"]), ("2025-03-01", 27))

    def test_a_program_that_runs_on_asks_once_an_hour(self):
        program = self.program(f"{{ lists: [ {{ url: \"{self.server.url()}\" }} ] }}")
        for verb, now, asked in ((("sync",), "2025-03-26T00:00:00Z", 1), (("watch", "--once"), "2025-03-26T00:59:59Z", 1), (("sync",), "2025-03-26T00:59:59Z", 2),
                                 (("watch", "--once"), "2025-03-26T02:00:00Z", 3), (("watch", "--once"), "2025-03-25T00:00:00Z", 4)):
            program.healthy(*verb, now=now)
            self.assertEqual(len(self.server.asked), asked, (verb, now))

    def test_azures_retail_prices(self):
        """A fake of the public API: two pages for each region, the second by the link of the first. It follows the documented form."""
        retail = Retail()
        self.addCleanup(retail.server_close)
        self.addCleanup(retail.shutdown)
        url = f"http://127.0.0.1:{retail.server_port}/api/retail/prices"
        program = self.program(f"{{ lists: [ {{ url: \"{url}\", format: azure-retail, regions: [ eastus, westeurope ] }} ] }}")
        told, said = self.sync(program, FIRST)
        self.assertEqual((told[url]["error"], told[url]["accepted"], told[url]["rejected"]), (None, 8, 0), said)
        self.assertEqual([(one["region"], one["page"], one["currency"]) for one in retail.asked],
                         [("eastus", "0", "'USD'"), ("eastus", "1", "'USD'"), ("westeurope", "0", "'USD'"), ("westeurope", "1", "'USD'")])
        told = json.loads(program.healthy("compare", "--cloud", "azure", "--gpu-model", "P40", "--gpus", "4", "--region", "eastus", "--json", now=SECOND).stdout)
        found = {(one["purchase"], one["source"]): decimal.Decimal(one["per_machine_hour"]["amount"]) for one in told["currencies"][0]["items"]
                 if one["source"].startswith(url)}
        self.assertEqual(found, {("on-demand", url): decimal.Decimal("98.32"), ("spot", url): decimal.Decimal("39.328"),
                                 ("1-year", url + ", reservation"): 63, ("3-years", url + ", savings plan"): decimal.Decimal("54.1")})
        retail.status = 400
        told, said = self.sync(program, SECOND, WRONG)
        self.assertIn("HTTP 400", said)
        retail.status, retail.price = 200, 90
        self.sync(program, THIRD)
        offers = json.loads(program.healthy("compare", "--history", "--cloud", "azure", "--region", "eastus", "--purchase", "on-demand", "--json", now=THIRD).stdout)["offers"]
        history = [[decimal.Decimal(one["per_machine_hour"]["amount"]) for one in offer["prices"]] for offer in offers]
        self.assertEqual(history, [[decimal.Decimal("98.32"), 90]])

    def test_files_and_what_vanishes(self):
        lists = self.home / "lists"
        (lists / "neo").mkdir(parents=True)
        file = lists / "neo" / "vms.csv"
        file.write_text(catalogue("16.0", "n1,L4,1,,0.5,,eu-1,eu-1a\n"))
        program = self.program(f"{{ lists: [ {{ file: {lists} }} ] }}")
        note, = (note for note in self.current_after_nothing(program) if "price list" in note)
        self.assertIn("has not been read yet", note)
        self.sync(program, FIRST)
        file.write_text(catalogue("16.0"))
        self.sync(program, SECOND)
        file.write_text(catalogue("16.0", "n1,L4,1,,0.5,,eu-1,eu-1a\n"))
        self.sync(program, THIRD)
        self.assertEqual(self.history(program, THIRD, "--gpu-model", "L4"),
                         [(decimal.Decimal("0.5"), FIRST, SECOND), (decimal.Decimal("0.5"), THIRD, None)])
        self.assertEqual(self.history(program, THIRD, "--gpu-model", "H100"), [(16, FIRST, None)])
        file.unlink()
        told, said = self.sync(program, THIRD, WRONG)
        self.assertEqual(told[str(lists)]["error"]["code"], "not-found", said)
        self.assertEqual(sorted(self.current(program, THIRD)[0]), [decimal.Decimal("0.5"), 16])
        program = self.program("{ }")
        self.assertEqual(self.current(program, FOURTH)[0], [])  # no longer configured
        self.assertEqual(self.sync(program, FOURTH)[0], {})
        self.assertEqual(self.history(program, FOURTH, "--gpu-model", "H100"), [(16, FIRST, FOURTH)])

    def test_terms_stay_apart(self):
        own = self.home / "own.csv"
        own.write_text("provider,gpu_model,gpus,currency,per_hour,purchase,term_months,payment,upfront\n"
                       "neo,H100,8,USD,10,commitment,12,none,0\nneo,H100,8,USD,10,commitment,24,none,0\nneo,H100,8,USD,9,commitment,24,partial,17520\n")
        program = self.program(f"{{ own: [ {{ file: {own} }} ] }}")
        self.sync(program, FIRST)
        want = [(12, "none"), (24, "none"), (24, "partial")]
        items = [one for part in self.compare(program, FIRST)["currencies"] for one in part["items"]]
        self.assertEqual(sorted((one["term_months"], one["payment"]) for one in items), want)
        offers = self.compare(program, FIRST, "--history")["offers"]
        self.assertEqual(sorted((one["term_months"], one["payment"]) for one in offers), want)
        partial, = (one for one in offers if one["payment"] == "partial")
        self.assertEqual(decimal.Decimal(partial["prices"][0]["upfront"]["amount"]), 17520)
        self.assertEqual(decimal.Decimal(partial["prices"][0]["per_machine_hour"]["amount"]), 10)  # 9 + 17520 / 24 months of 730 hours

    def test_a_list_that_comes_back_was_not_read(self):
        url = self.server.url()
        settings = f"{{ lists: [ {{ url: \"{url}\" }} ] }}"
        program = self.program(settings)
        notes = json.loads(program.healthy("compare", "--cloud", "neo", "--json", now=FIRST).stdout)["notes"]
        self.assertEqual(len([note for note in notes if url in note and "has not been read yet" in note]), 1)  # without a cache
        self.sync(program, FIRST)
        self.sync(self.program("{ }"), SECOND)
        program = self.program(settings)
        note, = (note for note in self.current(program, THIRD)[1] if "price list" in note)
        self.assertIn("has not been read yet", note)
        self.server.status = 500
        self.sync(program, THIRD, WRONG)
        note, = (note for note in self.current(program, THIRD)[1] if "price list" in note)
        self.assertIn("none of its prices is in it", note)
        self.server.status = 200
        self.sync(program, FOURTH)
        self.assertEqual(self.history(program, FOURTH), [(16, FIRST, SECOND), (16, FOURTH, None)])

    def test_the_crossover_uses_them(self):
        url = self.server.url()
        self.server.text = catalogue("0.8")  # less than any price of the price book
        program = self.program(f"{{ lists: [ {{ url: \"{url}\" }} ] }}")
        self.sync(program, FIRST)
        told = json.loads(program.healthy("compare", "crossover", "--gpu-model", "H100", "--buy", "25000", "--json", now=FIRST).stdout)
        rent, = (one for one in told["items"] if one["against"] == "on-demand")
        self.assertIn(url, rent["source"])
        self.assertEqual(decimal.Decimal(rent["against_per_gpu_hour"]["amount"]), decimal.Decimal("0.1"))

    def current_after_nothing(self, program):
        """The notes of `compare` once the cache exists, but no list was read."""
        program.healthy("sync", "--source", "demo", now=FIRST)
        return self.current(program, FIRST)[1]

    def test_two_syncs_at_once(self):
        self.server.text = catalogue("16.0", *(f"n{number},H100,8,,{number + 1}.0,,eu-1,eu-1a\n" for number in range(100, 2100)))
        program = self.program(f"{{ lists: [ {{ url: \"{self.server.url()}\" }} ] }}")
        runs = [program.start("sync", "--quiet", now=FIRST) for _ in range(2)]
        for run in runs:
            _, said = run.communicate(timeout=600)
            self.assertEqual(run.returncode, 0, said)
        offers = self.compare(program, FIRST, "--history")["offers"]
        self.assertEqual((len(offers), {len(one["prices"]) for one in offers}), (2001, {1}))

    def test_a_slow_server_holds_up_no_other_sync(self):
        program = self.program(f"{{ lists: [ {{ url: \"{self.server.url()}\" }} ] }}")
        self.server.holds = 1
        slow = program.start("sync", "--quiet", now=FIRST)
        self.assertTrue(self.server.is_held.wait(600))
        self.server.text = catalogue("18.5")
        self.sync(program, SECOND)
        self.assertIsNone(slow.poll())  # it still waits for its answer
        self.server.gate.set()
        _, said = slow.communicate(timeout=600)
        self.assertEqual(slow.returncode, 0, said)
        self.assertEqual(self.history(program, SECOND), [(decimal.Decimal("18.5"), SECOND, None)])  # what was read later stays
        program.verify(now=SECOND)

    def test_a_clock_that_was_ahead(self):
        ahead = "2099-01-01T00:00:00Z"
        url = self.server.url()
        program = self.program(f"{{ lists: [ {{ url: \"{url}\" }} ] }}")
        self.sync(program, FIRST)
        self.server.text = catalogue("18.5")
        self.sync(program, ahead, 4)  # the demo refuses such a clock
        item, = self.compare(program, SECOND)["currencies"][0]["items"]
        self.assertEqual((item["seen"], item["age_days"]), (None, None))  # not the newest of all
        note, = (note for note in self.current(program, SECOND)[1] if "price list" in note)
        self.assertIn("has a time in the future (2099-01-01)", note)
        self.server.text = catalogue("20.0")
        told, _ = self.sync(program, THIRD)
        warning, = told[url]["warnings"]
        self.assertIn("lay in the future", warning)
        self.assertEqual(self.history(program, THIRD), [(16, FIRST, THIRD), (decimal.Decimal("18.5"), THIRD, THIRD), (20, THIRD, None)])
        self.assertEqual([note for note in self.current(program, THIRD)[1] if "price list" in note], [])
        told, _ = self.sync(program, FOURTH)
        self.assertEqual(told[url]["warnings"], [])
        item, = self.compare(program, FOURTH)["currencies"][0]["items"]
        self.assertEqual((item["seen"], item["age_days"]), ("2025-03-29", 0))

    def test_a_clock_that_is_behind(self):
        program = self.program(f"{{ lists: [ {{ url: \"{self.server.url()}\" }} ] }}")
        months = [f"2025-0{month}-01T00:00:00Z" for month in range(3, 7)]
        for price, now in enumerate(months, 16):
            self.server.text = catalogue(price)
            self.sync(program, now)
        want = [(16 + number, now, months[number + 1] if number < 3 else None) for number, now in enumerate(months)]
        self.assertEqual(self.history(program, months[-1]), want)
        self.sync(program, "2025-03-15T00:00:00Z")
        self.assertEqual(self.history(program, months[-1]), want)

    def test_a_range_of_days(self):
        program = self.program(f"{{ lists: [ {{ url: \"{self.server.url()}\" }} ] }}")
        self.sync(program, FIRST)
        self.server.text = catalogue("18.5")
        self.sync(program, THIRD)
        told = json.loads(program.healthy("--from", FIRST, "--to", SECOND, "compare", "--history", "--cloud", "neo", "--json", now=FOURTH).stdout)
        self.assertEqual([decimal.Decimal(one["per_machine_hour"]["amount"]) for one in told["offers"][0]["prices"]], [16])

    def test_options_that_belong_to_no_history(self):
        program = self.program("{ }")
        for options in (("--prices", "x"), ("--own", "x"), ("--move", "5TB"), ("--egress", "1")):
            self.assertNotEqual(program.run("compare", "--history", *options, now=FIRST).returncode, 0, options)


class SpotPrices(ProductTest):
    """What `savings spot` counts a spot machine-hour with: the demo has machines of p4d.24xlarge, and no bill of a spot machine of that type."""
    NOW = "2026-11-0%dT10:00:00Z"
    MARKET = "p4d.24xlarge in us-east-1"
    ROW = "p4d.24xlarge,A100,8,,,%s,us-east-1,us-east-1%s\n"

    def of_market(self, program, now):
        """The evidence of each proposal for the market."""
        items = json.loads(program.healthy("savings", "spot", "--json", now=now).stdout)["items"]
        return [item["evidence"] for item in items if item["evidence"].get("machine") == self.MARKET]

    def price(self, program, now):
        """Mean, lowest and highest price, source and day, which are those of all of them."""
        labels = [f"price of a spot machine-hour ({which})" for which in ("mean", "lowest", "highest")] + ["source of the spot price", "date of the spot price"]
        told = {tuple(evidence.get(label) for label in labels) for evidence in self.of_market(program, now)}
        self.assertEqual(len(told), 1, told)
        return told.pop()

    def test_are_those_of_lists(self):
        folder = pathlib.Path(self.folder)
        prices = folder / "aws" / "vms.csv"
        prices.parent.mkdir()
        prices.write_text(HEADER + self.ROW % ("10", "a") + self.ROW % ("13", "b") + "p4d.24xlarge,A100,8,,,1.5,us-west-2,us-west-2a\n")
        demo = "  - { name: demo, kind: demo, gpus: 8, days: 30 }\n"
        program = Program(folder, configuration(demo))
        program.healthy("sync", now=self.NOW % 1)
        self.assertIn("published discount", self.price(program, self.NOW % 1)[3])
        program.configure(configuration(demo) + f"prices: {{ lists: [ {{ file: {prices} }} ] }}\n")
        program.healthy("sync", now=self.NOW % 1)
        source = "spot prices of vms.csv (mean of 30 days over zones)"
        self.assertEqual(self.price(program, self.NOW % 1), ("11.5000 USD", "10.0000 USD", "13.0000 USD", source, "2026-11-01"))
        # Zone a has 10 for four days and 16 for four, zone b 13.30 for one day and 13 for seven.
        prices.write_text(HEADER + self.ROW % ("16", "a") + self.ROW % ("13", "b"))
        program.healthy("sync", now=self.NOW % 5)
        prices.write_text(HEADER + self.ROW % ("16", "a") + self.ROW % ("13.3", "b"))
        program.healthy("sync", now=self.NOW % 8)
        program.healthy("sync", now=self.NOW % 9)
        self.assertEqual(self.price(program, self.NOW % 9)[:3], ("13.0188 USD", "10.0000 USD", "16.0000 USD"))
        self.assertEqual(self.price(program, self.NOW % 9)[3:], (source, "2026-11-09"))
        # A list that is gone from the configuration does not count, whether or not a sync has seen that.
        program.configure(configuration(demo))
        self.assertIn("published discount", self.price(program, self.NOW % 9)[3])
        program.verify(now=self.NOW % 9)


if __name__ == "__main__":
    unittest.main()
