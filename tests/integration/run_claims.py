#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`claims`: savings that other tools claim beside what the bills had before and since, held against sums over the rows of the bills that use nothing of the product."""
import csv
import datetime
import decimal
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, *part) for part in (("..", "faults"), ("..", "support"), ("..", "unit", "cli"))]

import bills  # noqa: E402
import opencostserver  # noqa: E402
from claims_oracle import LAST, MISSING, NOT_BILLED, ONE_DAY, Claim, Oracle, changed, days, money, months_of_bills, on, usage, write_claims  # noqa: E402
from product import Program, ProductTest, configuration  # noqa: E402

Decimal = decimal.Decimal
NOW, TODAY = "2026-11-20T12:00:00Z", datetime.date(2026, 11, 20)
LOOK, USAGE, INVALID, FAILED, REFUSED = 1, 2, 3, 4, 5
OWNERS = "owners: [{ cloud_tag: team }]\n"
NO_RATE, LIST = "no-exchange-rate", "list-prices"
CONNECT = pathlib.Path(HERE, "..", "..", "docs", "connect.md")


class ClaimsTest(ProductTest):
    maxDiff = None

    def setUp(self):
        super().setUp()
        self.path = pathlib.Path(self.folder, "claims.csv")

    def program(self, more=OWNERS, path="", options="", sources="", **rows):
        """With bills, one for each list of rows: they are synced."""
        text = f"  - {{ name: claims, kind: claims, path: \"{path or self.path}\"{options} }}\n" + sources
        for name, some in rows.items():
            folder = pathlib.Path(self.folder, "bill-" + name)
            folder.mkdir()
            months = {}
            for row in some:
                months.setdefault(row["BillingPeriodStart"], []).append(row)
            for month, lines in months.items():
                bills.write_bill(folder / f"{month[:7]}.csv", lines)
            text += f"  - {{ name: {name}, kind: focus, path: {folder} }}\n"
        program = Program(self.folder, configuration(text) + more)
        if rows or sources:
            program.healthy("sync", now=NOW)
        return program

    def ask(self, program, *options, now=NOW):
        return json.loads(program.healthy("claims", "--json", *options, now=now).stdout)["claims"]

    def assertAnswer(self, program, wanted, *options):
        """The same rows in the same order, with the same keys; hours are not exact."""
        found = self.ask(program, *options)
        for row in (*found, *wanted):
            for part in (row["before"], row["since"]):
                if part and part["gpu_hours"] is not None:
                    part["gpu_hours"] = round(part["gpu_hours"], 6)
        for number, (one, other) in enumerate(zip(found, wanted)):
            self.assertEqual(one, other, number)
        self.assertEqual(len(found), len(wanted))
        return found

    def gaps(self, program, *options):
        """{what: why it is not compared}"""
        rows = self.ask(program, *options)
        for row in rows:
            self.assertEqual({row[key] is None for key in ("before", "since", "fell")}, {row["not_compared"] is not None}, row)
        return {row["what"]: row["not_compared"] for row in rows}

    def fails(self, program, *parts, code="parse", status=FAILED, source="claims"):
        """Nothing is told but what is wrong, for people and for programs."""
        done = program.run("claims", "--json", now=NOW)
        self.assertEqual((done.returncode, done.stdout), (status, b""), done.text)
        error = json.loads(done.text[done.text.index("\n{"):])["error"]
        self.assertEqual((error["code"], error["source"]), (code, source), done.text)
        for part in parts:
            self.assertIn(part, f"{error['message']} {error['hint']}")
        self.assertSentence(done, *parts)
        return error


class BesideBills(ClaimsTest):
    SCOPES = ("", "team=vision", "team=vision; team=speech", "team=unowned", "account=train", "account=azure;account=files", "account=train; team=speech",
              "category=gpu", "category=storage; category=tax; category=credit", "cloud=azure", "cloud=aws; team=vision; team=speech; category=gpu", "region=eu-west-1",
              "service=Virtual Machines", "source=bill", "gpu-model=A100 40GB; gpu-model=A10G")

    def test_each_scope(self):
        """In both views, to the last digit."""
        rows = months_of_bills()
        claims = [Claim((2026, 10), scope=scope, what="October") for scope in self.SCOPES] + [Claim(on(11, 9), on(11, 16), scope=scope, tool="Pilot") for scope in self.SCOPES]
        write_claims(self.path, *claims)
        program, oracle = self.program(bill=rows), Oracle(bill=rows)
        for view, options in (("effective", ()), ("effective", ("--cost", "effective")), ("billed", ("--cost", "billed"))):
            with self.subTest(options):
                found = self.assertAnswer(program, oracle.answer(claims, view), *options)
                self.assertEqual({row["not_compared"] for row in found}, {None})
                self.assertTrue(all(Decimal(row[key]["cost"]["amount"]) for row in found for key in ("before", "since")))
        self.assertNotEqual(*(oracle.answer(claims, view) for view in ("effective", "billed")))

    def test_every_scope_of_the_handbook(self):
        """Costs can be told apart by each of these words, and none of them is passed over."""
        section = CONNECT.read_text(encoding="utf-8").split("\n## Claimed savings\n")[1].split("\n## ")[0]
        row = next(line for line in section.splitlines() if line.startswith("| `scope` |"))
        names = re.findall(r"`([a-z-]+)`", row.split("|")[2])
        self.assertGreater(len(names), 10)
        rows = months_of_bills()
        write_claims(self.path, *(Claim((2026, 10), scope=f"{name}=nobody has this", what=name) for name in names))
        program = self.program(bill=rows)
        self.assertEqual(self.gaps(program), dict.fromkeys(names, NOT_BILLED))
        for name in names:
            with self.subTest(name):
                self.assertEqual(program.run("ledger", "--by", name, "--from", "2026-10-01", "--to", "2026-11-01", now=NOW).returncode, 0)

    def test_days_and_months(self):
        """Both ends are included, whichever way they are written."""
        rows = months_of_bills()
        claims = [Claim(on(10, 5)), Claim(on(10, 5), on(10, 6)), Claim((2026, 10)), Claim(on(10, 17), (2026, 10)), Claim((2026, 10), on(11, 2)), Claim((2026, 10), (2026, 10))]
        for number, claim in enumerate(claims):
            claim.tool = claim.cells["tool"] = f"{number}"
        leap = Claim((2024, 2), tool="leap")
        write_claims(self.path, *claims, leap)
        found = self.assertAnswer(self.program(bill=rows), Oracle(bill=rows).answer([*claims, leap]))
        self.assertEqual([(row["from"][:10], row["to"][:10]) for row in found[-2:]], [("2026-10-01", "2026-11-01"), ("2024-02-01", "2024-03-01")])
        self.assertEqual([claim.length for claim in claims], [1, 2, 31, 15, 33, 31])

    def test_later_claims_are_compared_with_the_time_before_the_first(self):
        """Of the same source, tool and scope, whatever the order; each with as many days as it has."""
        rows = months_of_bills()
        claims = [Claim(on(11, 1), on(11, 16), scope="team=speech;account=train", what="a"), Claim((2026, 10), scope="account=train ; team = speech", what="b"),
                  Claim(on(10, 20), on(10, 24), scope="account=train", what="c"), Claim(on(11, 5), scope="account=train;team=speech", tool="Pilot", what="d"),
                  Claim(on(11, 3), on(11, 8), scope="account=train", what="e"), Claim(on(10, 20), on(10, 22), scope="account=train", what="f")]
        other = [Claim(on(11, 7), on(11, 9), scope="account=train", what="g")]
        write_claims(self.path, *claims)
        second = pathlib.Path(self.folder, "other.csv")
        write_claims(second, *other)
        program = self.program(sources=f"  - {{ name: another, kind: claims, path: {second} }}\n", bill=rows)
        oracle = Oracle(bill=rows)
        found = self.assertAnswer(program, oracle.answer(other, source="another") + oracle.answer(claims))
        self.assertEqual([(row["what"], row["before"]["from"][5:10]) for row in found],
                         [("g", "11-04"), ("d", "11-04"), ("f", "10-17"), ("c", "10-15"), ("e", "10-14"), ("b", "08-31"), ("a", "09-15")])

    def test_amounts_to_the_last_digit(self):
        """A bill that rose, claims of nothing and less, and the smallest difference."""
        rows = [usage(day, "a", "1.000000001" if day < on(11, 10) else "1.000000002") for day in days(on(11, 1), LAST)]
        rows += [usage(day, "b", "900000.000000007" if day < on(11, 10) else "-900000.000000004") for day in days(on(11, 1), LAST)]
        claims = [Claim(on(11, 10), scope="account=a", saved="0.000000001"), Claim(on(11, 10), on(11, 11), scope="account=a", saved="-12.5"),
                  Claim(on(11, 10), scope="account=b", saved="123456789.123456789"), Claim(on(11, 11), saved="0", tool="")]
        write_claims(self.path, *claims)
        found = self.assertAnswer(self.program(bill=rows), Oracle(bill=rows).answer(claims))
        self.assertEqual([row["fell"]["amount"] for row in found], ["0.000000000", "-0.000000001", "-0.000000002", "1800000.000000011"])
        self.assertEqual([row["claimed"]["amount"] for row in found], ["0.000000000", "0.000000001", "-12.500000000", "123456789.123456789"])

    def test_gpu_hours(self):
        """Of machines with GPUs in the price book, without telemetry; unknown as soon as those of one machine are."""
        rows = []
        for day in days(on(10, 1), LAST):
            rows += [usage(day, "known", "100", machine="p4d.24xlarge", hours="1.5" if day < on(11, 3) else "0.125"), usage(day, "none", "5", machine="m5.large"),
                     usage(day, "new", "9", machine="p9.48xlarge"), usage(day, "silent", "9", machine="g5.12xlarge", hours="" if day == on(11, 4) else "2")]
        write_claims(self.path, *(Claim(on(11, 3), on(11, 4), scope=scope, what=scope) for scope in ("account=known", "account=none", "account=new", "account=silent", "")))
        hours = {row["what"]: (row["before"]["gpu_hours"], row["since"]["gpu_hours"]) for row in self.ask(self.program(bill=rows))}
        self.assertEqual(hours, {"account=known": (24, 2), "account=none": (0, 0), "account=new": (None, None), "account=silent": (16, None), None: (None, None)})

    def test_costs_that_no_bill_has(self):
        """No bill at all, none with such a scope, and none at that time."""
        rows = months_of_bills()
        claims = [Claim((2026, 10), scope=scope, what=scope) for scope in ("team=nobody", "team=Vision", "team=vision; account=web", "source=claims")]
        claims += [changed(tool=month, what=month, **{"from": month}) for month in ("0001-01", "1969-12", "2025-10", "2027-05", "9999-12")]
        write_claims(self.path, *claims)
        program = self.program(bill=months_of_bills())
        self.assertEqual(self.gaps(program), {claim.cells["what"]: NOT_BILLED for claim in claims})

    def test_missing_days(self):
        """A day that the bill lacks altogether; a day without such costs is a day on which they were nothing."""
        rows = [row for row in months_of_bills() if Oracle.day(row) not in (on(10, 12), on(11, 6)) and (row["BillingAccountId"] != "files" or Oracle.day(row) != on(10, 25))]
        spans = {"since": (on(11, 6), on(11, 7)), "before": (on(10, 13), on(10, 13)), "after it": (on(11, 8), on(11, 8)), "no such costs": (on(10, 26), on(10, 28)),
                 "none on its day": (on(10, 25), on(10, 25)), "settled": (on(11, 15), LAST - 2 * ONE_DAY), "unsettled": (on(11, 15), LAST - ONE_DAY), "newest": (LAST, LAST),
                 "today": (on(11, 15), TODAY), "to come": (on(11, 19), on(11, 30)), "first": (on(8, 4), on(8, 6)), "too early": (on(8, 4), on(8, 7))}
        claims = [Claim(*span, scope="account=files", tool=what, what=what) for what, span in spans.items()]
        write_claims(self.path, *claims)
        program, oracle = self.program(bill=rows), Oracle(bill=rows)
        found = self.assertAnswer(program, oracle.answer(claims))
        self.assertEqual({row["what"] for row in found if not row["not_compared"]}, {"after it", "no such costs", "none on its day", "settled", "first"})
        self.assertEqual({row["not_compared"] for row in found}, {None, MISSING})
        self.assertEqual(next(row["since"]["cost"] for row in found if row["what"] == "none on its day"), money(0))

    def test_bills_of_several_sources(self):
        """Only a source that has such costs can lack their days."""
        ended = [usage(day, "shared" if day.day % 2 else "ended", day.day, "3.000000001") for day in days(on(10, 1), on(11, 10))]
        runs = [usage(day, "runs" if day.day % 3 else "shared", day.day * 2, "5.5", "p4d.24xlarge") for day in days(on(10, 10), LAST)]
        claims = [Claim(*span, scope=scope, tool=tool) for tool, span in (("a", (on(11, 1), on(11, 8))), ("b", (on(11, 9), on(11, 12))), ("c", (on(10, 13), on(10, 17))))
                  for scope in ("account=runs", "account=ended", "account=shared", "source=runs; account=shared", "source=ended", "")]
        write_claims(self.path, *claims)
        found = self.assertAnswer(self.program(runs=runs, ended=ended), Oracle(ended=ended, runs=runs).answer(claims))
        self.assertEqual([row["tool"] for row in found if row["not_compared"]], ["b"] * 4 + ["c"] * 4)

    def test_a_charge_for_a_whole_month_settles_no_day(self):
        """A fee that is spread over days to come says nothing of the other costs of these days."""
        fee = {**usage(on(11, 1), "fee", "300"), "ChargePeriodEnd": "2026-12-01T00:00:00Z", "ServiceName": "Support", "ServiceCategory": "Other"}
        write_claims(self.path, Claim(on(11, 9), on(11, 12), what="settled"), Claim(on(11, 16), on(11, 19), tool="Pilot", what="not yet billed"),
                     Claim(on(11, 16), on(11, 19), scope="account=a", what="likewise"))
        program = self.program(bill=[fee] + [usage(day, "a", "20") for day in days(on(11, 1), LAST)])
        row = next(row for row in self.ask(program) if row["what"] == "settled")
        self.assertEqual((row["since"]["cost"], row["fell"]), (money(4 * 30), money(0)))
        self.assertEqual(self.gaps(program), {"settled": None, "not yet billed": MISSING, "likewise": MISSING})

    def test_currencies(self):
        """By the rates of the configuration; without one, nothing is compared."""
        rows = []
        for day in days(on(10, 1), LAST):
            rows += [usage(day, "dollar", f"{day.day * 4}.000008", "3"), usage(day, "euro", f"{day.day * 2}.5", f"{day.day}.000004", BillingCurrency="EUR"),
                     usage(day, "yen", "500", BillingCurrency="JPY")]
        claims = [Claim(on(11, 9), on(11, 15), scope=scope, currency=currency, saved="7.000000001") for currency in ("USD", "EUR")
                  for scope in ("account=dollar", "account=euro", "account=dollar; account=euro")]
        without = [Claim(on(11, 9), on(11, 15), scope=scope, currency=currency, what=f"{currency} {scope or 'all'}", tool="none")
                   for currency, scope in (("USD", "account=yen"), ("JPY", "account=yen"), ("JPY", "account=dollar"), ("USD", ""), ("CHF", "account=euro"))]
        for claim in claims:
            claim.tool = claim.cells["tool"] = claim.currency
        write_claims(self.path, *claims, *without)
        rates = "prices: { exchange_rates: [{ from: EUR, to: USD, rate: \"1.25\", date: 2026-09-01 }] }\n"
        program, oracle = self.program(OWNERS + rates, bill=rows), Oracle({"EUR": Decimal("1.25")}, bill=rows)
        for view in ("effective", "billed"):
            found = self.ask(program, "--cost", view)
            wanted = oracle.answer(claims, view)
            self.assertEqual([row for row in found if row["tool"] != "none"], wanted)
            self.assertNotIn(None, [row["fell"] for row in wanted])
        self.assertEqual({row["what"]: row["not_compared"] for row in found if row["tool"] == "none"},
                         {claim.what: None if claim.what == "JPY account=yen" else NO_RATE for claim in without})

    def test_claims_without_a_currency_are_in_that_of_reports(self):
        rows = [usage(day, "euro", f"{day.day}.5", BillingCurrency="EUR") for day in days(on(10, 1), LAST)]
        claim = Claim(on(11, 9), on(11, 15), currency="EUR")
        claim.cells["currency"] = ""
        write_claims(self.path, claim)
        program = self.program(bill=rows)
        row, = self.ask(program)
        self.assertEqual((row["claimed"], row["not_compared"]), (money(100), NO_RATE))
        with open(program.config, encoding="utf-8") as file:
            text = file.read()
        program.configure(text.replace("currency: USD", "currency: EUR"))
        self.assertAnswer(program, Oracle({"EUR": Decimal(1)}, bill=rows).answer([claim]))

    def test_list_prices_are_not_compared(self):
        rows = months_of_bills()
        claims = [Claim((2026, 10)), Claim((2026, 10), scope="team=nobody"), Claim(on(11, 18))]
        write_claims(self.path, *claims)
        program = self.program(bill=rows)
        found = self.ask(program, "--cost", "list")
        self.assertEqual([(row["claimed"], row["fell"], row["before"], row["since"], row["not_compared"]) for row in found], [(money(100), None, None, None, LIST)] * 3)
        self.assertEqual(program.run("claims", "--cost", "free", now=NOW).returncode, USAGE)

    def test_costs_that_are_on_no_bill_never_count(self):
        """Those of telemetry at list prices and those that OpenCost reports, with and without a bill of something else."""
        server = opencostserver.Server()
        url = server.start()
        self.addCleanup(server.stop)
        for day in days(on(11, 1), TODAY - ONE_DAY):
            begin = int(datetime.datetime(day.year, day.month, day.day, tzinfo=datetime.timezone.utc).timestamp())
            server.days[begin] = ({"n": opencostserver.asset("n", 700.5, 600.25)}, {"p": opencostserver.allocation("n", 24, 75.5)})
        unbilled = f"  - {{ name: demo, kind: demo, gpus: 8, days: 14, first_sync: 14d }}\n  - {{ name: oc, kind: opencost, url: \"{url}\", first_sync: 14d }}\n"
        claims = [Claim(on(11, 13), on(11, 16), scope=scope, what=scope or "all") for scope in ("", "category=gpu", "category=not-billed", "source=oc", "source=bill", "account=files")]
        write_claims(self.path, *claims)
        program = self.program(sources=unbilled)
        told = json.loads(program.healthy("ledger", "--by", "origin", "--from", "2026-11-13", "--to", "2026-11-17", "--json", now=NOW).stdout)
        self.assertEqual({row["origin"] for row in told["rows"]}, {"priced", "allocated"})
        with self.subTest("without a bill"):
            self.assertEqual(self.gaps(program), dict.fromkeys((claim.what for claim in claims), NOT_BILLED))
        # Of another provider: OpenCost's machine stays on no bill.
        rows = [usage(day, "files", day.day, ProviderName="Microsoft") for day in days(on(11, 1), LAST)]
        folder = pathlib.Path(self.folder, "bill")
        folder.mkdir()
        bills.write_bill(folder / "november.csv", rows)
        with open(program.config, encoding="utf-8") as file:
            text = file.read()
        program.configure(text.replace("sources:\n", f"sources:\n  - {{ name: bill, kind: focus, path: {folder} }}\n"))
        program.healthy("sync", "--source", "bill", now=NOW)
        with self.subTest("with a bill"):
            self.assertAnswer(program, Oracle(bill=rows).answer(claims))

    def test_text_and_csv(self):
        rows = months_of_bills()
        claims = [Claim((2026, 10), scope="team=speech", what="Spot, \"cheap\"", saved="1234.5"), Claim((2026, 10), what="All", tool="Pilot", saved="-7.125"),
                  Claim(on(11, 9), on(11, 17), tool="", scope="account=files; team=vision"), Claim((2026, 10), scope="team=nobody", tool="Pilot"),
                  Claim(on(10, 1), scope="team=nobody", tool="Trimmer")]
        write_claims(self.path, *claims)
        program, oracle = self.program(bill=rows), Oracle(bill=rows).answer(claims)
        told = list(csv.DictReader(io.StringIO(program.healthy("claims", "--csv", now=NOW).stdout.decode(), newline="")))
        self.assertEqual(len(told), len(oracle))
        for cells, row in zip(told, oracle):
            wanted = {key: row[key] or "" for key in ("source", "tool", "what", "not_compared")} | {"claimed": row["claimed"]["amount"], "currency": "USD"}
            wanted |= {"from": row["from"][:10], "to": str(datetime.date.fromisoformat(row["to"][:10]) - ONE_DAY), "fell": row["fell"]["amount"] if row["fell"] else ""}
            wanted["scope"] = "; ".join(f"{name}={value}" for name, values in row["scope"].items() for value in values)
            for key in ("before", "since"):
                wanted |= {key: row[key]["cost"]["amount"] if row[key] else "", "gpu_hours_" + key: f"{row[key]['gpu_hours']:.1f}" if row[key] else ""}
            self.assertEqual(cells, wanted)
        done = program.healthy("claims", now=NOW)
        head, *lines = done.stdout.decode().splitlines()
        for title in ("tool", "what", "scope", "claimed", "bill before", "bill since", "bill fell by", "GPU-hours before", "GPU-hours since"):
            self.assertIn(title, head)
        first = next(row for row in oracle if row["what"] == "Spot, \"cheap\"")
        line, = (line for line in lines if "cheap" in line)
        figures = [f"{Decimal(cost['amount']):.2f}" for cost in (first["before"]["cost"], first["since"]["cost"], first["fell"])]
        self.assertEqual(line.split()[-5:], figures + [f"{first[key]['gpu_hours']:.1f}" for key in ("before", "since")])
        self.assertIn("1234.50 USD", line)
        self.assertTrue(lines[0].startswith("claims "), lines)  # the source, for a tool without a name
        self.assertEqual(lines[0].split()[-5:], ["-"] * 5)
        self.assertIn("1 claim is not compared: some of these days are missing from the bill or may still change", done.text)
        self.assertIn("2 claims are not compared: no bill has these costs, before the claim or since", done.text)
        self.assertNotIn("exchange", done.text)
        self.assertIn("5 claims are not compared: list prices are not what was paid", program.healthy("claims", "--cost", "list", now=NOW).text)


class Files(ClaimsTest):
    def table(self, text):
        self.path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def test_a_folder_is_read_whenever_it_is_asked(self):
        """Its *.csv alone; nothing of them is stored, and they stay as they are."""
        folder = pathlib.Path(self.folder, "savings")
        (folder / "below").mkdir(parents=True)
        for number, name in enumerate(("b.csv", "a.csv", "A.csv")):
            write_claims(folder / name, Claim(on(10, 3 - number), what=name, scope="team=CANARY"))
        for name in ("notes.txt", "c.csv.bak", "csv", "below/d.csv"):
            (folder / name).write_text("not read", encoding="utf-8")
        program = self.program(path=folder, bill=months_of_bills())
        before = {path: path.read_bytes() for path in (*folder.rglob("*"), pathlib.Path(program.config)) if path.is_file()}
        self.assertEqual([row["what"] for row in self.ask(program)], ["A.csv", "a.csv", "b.csv"])
        self.assertEqual({path: path.read_bytes() for path in before}, before)
        write_claims(folder / "a.csv", Claim(on(10, 2), what="edited", saved="3"), Claim(on(10, 2), what="added"))
        (folder / "b.csv").unlink()
        self.assertEqual([(row["what"], row["claimed"]) for row in self.ask(program)], [("added", money(100)), ("edited", money(3)), ("A.csv", money(100))])
        self.assertEqual(json.loads(program.healthy("sync", "--source", "claims", "--json", now=NOW).stdout)["sources"], [])
        self.assertEqual([row["what"] for row in self.ask(program)], ["added", "edited", "A.csv"])
        program.verify(now=NOW)
        for path in pathlib.Path(program.data).rglob("*"):
            self.assertNotIn(b"CANARY", path.read_bytes() if path.is_file() else b"", path)

    def test_columns_that_are_called_otherwise(self):
        """In any order, with others between them; blanks around names and cells do not count."""
        self.table("\ufeffNotes, Net savings ,Month,saved,Cluster filter,tool\r\nx,\" 12.5 \",2026-10,99,cluster = prod ;team=a,\r\n\r\n,-1,2026-10-05\r\n")
        program = self.program(options=", format: \"saved=Net savings, from = Month,scope=Cluster filter\"")
        self.assertEqual([(row["claimed"], row["from"][:10], row["to"][:10], row["scope"], row["tool"]) for row in self.ask(program)],
                         [(money(-1), "2026-10-05", "2026-10-06", {}, None), (money(Decimal("12.5")), "2026-10-01", "2026-11-01", {"cluster": ["prod"], "team": ["a"]}, None)])
        for text, part in (("Month,saved\n2026-10,1\n", "there is no column Cluster filter"), ("Month,Net savings,from,Month\n2026-10,1,,\n", "the column Month is there twice")):
            self.table(text)
            self.fails(program, "claims.csv", "line 1", part)

    def test_a_column_that_the_format_names_must_be_there(self):
        """Without its scope a claim would be about all costs."""
        self.table("from,saved,Cluster\n2026-10,1,prod\n")
        program = self.program(options=", format: \"scope=Cluster filter\"", bill=months_of_bills())
        self.fails(program, "claims.csv", "line 1", "Cluster filter")

    def test_formats_that_are_wrong(self):
        """Told when a source is added and when it is asked, with a correct one."""
        write_claims(self.path, Claim((2026, 10)))
        remedy = "saved=Net savings, from=Month"
        for words in ("saved", "saved=", "=Net savings", "amount=Net savings", "Saved=Net savings", "saved=Net savings, from", "\u001b[31m=x"):
            with self.subTest(words):
                program = self.program(options=f", format: {json.dumps(words)}")
                self.fails(program, remedy, code="invalid-config", status=INVALID)
                with open(program.config, "rb") as file:
                    text = file.read()
                done = program.run("sources", "add", "more", "--kind", "claims", "--path", str(self.path), "--set", "format=" + words, now=NOW)
                self.assertNotEqual(done.returncode, 0)
                self.assertSentence(done, remedy)
                self.assertNotIn("\u001b", done.text)
                with open(program.config, "rb") as file:
                    self.assertEqual(file.read(), text)

    def test_rows_that_can_not_be_read(self):
        """The file and the line are named, and nothing is told of the others."""
        folder = pathlib.Path(self.folder, "savings")
        folder.mkdir()
        self.path = folder / "z broken.csv"
        write_claims(folder / "a.csv", Claim((2026, 10)))
        program = self.program(path=folder)
        wrong = [("saved", cell) for cell in ("", "x", "1,234.56", "$5", "12 USD", "NaN", "inf", "1e30", "9" * 40, "0x10", "--1", "1.2.3", "1 2")]
        wrong += [("from", cell) for cell in ("", "2026", "2026-13", "2026-00", "2026-10-00", "2026-02-30", "2026-10-5", "05/10/2026", "20261005", "2026-10-05T00:00:00Z", "October", "-026-10")]
        wrong += [("to", cell) for cell in ("x", "2026-13", "2026-11-31")] + [("currency", cell) for cell in ("usd", "EURO", "$", "U")]
        wrong += [("scope", cell) for cell in ("prod", "cluster", "cluster=", "=prod", "clusters=prod", "Cluster=prod", "day=2026-10-01", "cluster=prod; team", "cluster=prod, team=a;b")]
        for column, cell in wrong:
            with self.subTest(column=column, cell=cell):
                write_claims(self.path, Claim((2026, 10), what="two\nlines"), changed(**{column: cell}), Claim((2026, 10)))
                self.fails(program, "z broken.csv", "line 4", cell.split("=")[0])
        for first, last in (("2026-10", "2026-09"), ("2026-10-05", "2026-10-04"), ("2026-10-05", "2026-09"), ("2025-01-01", "2026-01-02"), ("2024-01", "2025-01"), ("0001-01", "9999-12")):
            with self.subTest(first, to=last):
                write_claims(self.path, changed(**{"from": first, "to": last}))
                self.fails(program, "z broken.csv", "line 2", "more than a year" if first[:4] < last[:4] else "it ends before it begins")
        write_claims(self.path, Claim((2024, 1), (2024, 12)), Claim((2025, 3), (2026, 2)))
        self.assertEqual(len(self.ask(program)), 3)

    def test_files_that_are_no_table_of_claims(self):
        row = "2026-10,1"
        program = self.program()
        for what, text, parts in (("no from", f"month,saved\n{row}\n", ("line 1", "there is no column from")), ("no saved", f"from,Saved\n{row}\n", ("line 1", "there is no column saved")),
                                  ("twice", f"from,saved,to,saved\n{row}\n", ("line 1", "the column saved is there twice")), ("empty", "", ("is empty",)), ("an empty line", "\n", ("is empty",)),
                                  ("an open quote", f"from,saved\n{row}\n2026-10,\"5\n{row}\n", ("line 3",)), ("another separator", "from;saved\n2026-10;1\n", ("line 1",)),
                                  ("binary", b"PK\x03\x04" + bytes(range(256)) * 9, ()), ("JSON", '{"from": "2026-10", "saved": 1}', ())):
            with self.subTest(what):
                self.table(text)
                self.fails(program, "claims.csv", *parts)
        self.table(f"from,saved\n{row}\n".encode("utf-16"))
        self.fails(program, "claims.csv", "UTF-16", code="unsupported", status=INVALID)

    def test_limits(self):
        claims = [Claim(on(10, 1 + number % 28), what=str(number)) for number in range(1001)]
        write_claims(self.path, *claims)
        program = self.program()
        done = program.run("claims", now=NOW)
        self.assertEqual((done.returncode, done.stdout), (FAILED, b""))
        self.assertSentence(done, "claims.csv", "more than 1,000 rows")
        write_claims(self.path, *claims[1:])
        self.assertEqual(len(self.ask(program)), 1000)
        os.truncate(self.path, (64 << 20) + 1)
        done = program.run("claims", now=NOW)
        self.assertEqual((done.returncode, done.stdout), (FAILED, b""))
        self.assertSentence(done, "claims.csv", "larger than 64 MiB")

    def test_paths_that_can_not_be_read(self):
        missing = os.path.join(self.folder, "missing.csv")
        program = self.program(path=missing)
        self.fails(program, "there is no file or folder at " + missing, code="not-found", status=USAGE)
        self.assertEqual(program.run("sources", "test", "claims", now=NOW).returncode, FAILED)
        folder = pathlib.Path(self.folder, "savings")
        folder.mkdir()
        program, path = self.program(path=folder), folder / "a.csv"
        for make, remove in ((path.mkdir, path.rmdir), (lambda: os.mkfifo(path), path.unlink), (lambda: path.symlink_to(missing), path.unlink)):
            make()
            self.fails(program, f"{path} is not a regular file", code="forbidden")
            remove()
        write_claims(path, Claim((2026, 10)))
        path.chmod(0)
        nobody = ()
        if os.geteuid() == 0:  # root reads every file
            nobody = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs")
            subprocess.run(["chown", "-R", "65534:65534", self.folder], check=True)
        done = program.run("claims", now=NOW, wrapper=nobody)
        self.assertEqual((done.returncode, done.stdout), (FAILED, b""))
        self.assertSentence(done, str(path), "can't be read", "permissions")

    def test_without_claims(self):
        """No source tells them, the folder has none, or the table has no rows."""
        folder = pathlib.Path(self.folder, "savings")
        folder.mkdir()
        program = self.program(path=folder)
        for _ in range(2):
            done = program.healthy("claims", now=NOW)
            self.assertIn("no claim was found", done.text)
            self.assertEqual((self.ask(program), len(program.healthy("claims", "--csv", now=NOW).stdout.splitlines())), ([], 1))
            self.assertEqual(self.ask(program, "--cost", "list"), [])
            done = program.run("sources", "test", "claims", "--json", now=NOW)
            self.assertEqual((done.returncode, json.loads(done.stdout)["usable"]), (LOOK, False), done.text)
            self.assertIn(b"not usable: no claim was found", program.run("sources", "test", "claims", now=NOW).stdout)
            write_claims(folder / "header.csv")
        program.configure(configuration("  - { name: demo, kind: demo, gpus: 8 }\n"))
        self.fails(program, "no source tells claims", "sources add claims --kind claims --path FILE", code="not-found", status=USAGE, source=None)

    def test_hostile_texts(self):
        """They stay text: nothing for a terminal or a spreadsheet to obey, and not without end."""
        strange = "a\u001b[31mred\u0007\u001b]0;title\u0007\n\tb\u202e\u009b\u200bc"
        formulas = ["=cmd()", "+cmd", "@x", "-2+3"]
        claims = [Claim((2026, 10), tool=text, what=text, scope="team=" + text.replace(";", "")) for text in (strange, "x" * 3000, "<b>&amp;\"x\", y</b>", *formulas)]
        folder = pathlib.Path(self.folder, "savings")
        folder.mkdir()
        path = folder / "=x\u001b[2J\u202e.csv"
        write_claims(path, *claims)
        program = self.program(path=folder)
        rows = self.ask(program)
        self.assertEqual(len(rows), len(claims))
        for row in rows:
            for text in (row["tool"], row["what"], *row["scope"]["team"]):
                self.assertLess(len(text.encode()), 300)
                self.assertTrue(text.isprintable() and "\u202e" not in text, ascii(text))
        self.assertIn("<b>&amp;\"x\", y</b>", [row["what"] for row in rows])
        marks = [text.encode() for text in ("\u001b", "\u0007", "\u202e", "\u009b", "\u200b", "\0", "x" * 300)]
        for form in ((), ("--csv",)):
            said = program.healthy("claims", *form, now=NOW)
            for mark in marks:
                self.assertNotIn(mark, said.stdout + said.stderr)
        cells = list(csv.DictReader(io.StringIO(said.stdout.decode(), newline="")))
        self.assertFalse([cell for row in cells for cell in row.values() if cell.startswith(("=", "+", "@", "-2"))])
        self.assertLessEqual({"'" + text for text in formulas}, {row["what"] for row in cells})
        for column in ("saved", "from", "to", "currency", "scope"):
            for text in (strange, "x" * 3000, "cluster=a;" + strange):
                write_claims(path, changed(**{column: text}))
                done = program.run("claims", now=NOW)
                self.assertEqual((done.returncode, done.stdout), (FAILED, b""), done.text)
                self.assertSentence(done, "line 2")
                for mark in marks:
                    self.assertNotIn(mark, done.stderr, column)

    def test_other_commands(self):
        """They add, test and list the source; `sync` has nothing to do there."""
        rows = months_of_bills()
        write_claims(self.path, Claim((2026, 10)), Claim((2026, 9)), Claim((2026, 10), tool="Pilot"))
        program = self.program(bill=rows)
        told = json.loads(program.healthy("sources", "test", "claims", "--json", now=NOW).stdout)
        self.assertEqual((told["name"], told["usable"], [(one["level"], one["text"]) for one in told["findings"]]), ("claims", True, [("good", "claimed savings: 3; tools: 2")]))
        self.assertEqual([one["name"] for one in json.loads(program.healthy("sync", "--json", now=NOW).stdout)["sources"]], ["bill"])
        source = next(one for one in json.loads(program.healthy("sources", "list", "--json", now=NOW).stdout)["sources"] if one["name"] == "claims")
        self.assertEqual([source[key] for key in ("kind", "url", "path", "from", "to", "last_attempt", "error", "rights")],
                         ["claims", None, str(self.path), None, None, None, None, ["read"]])
        report = os.path.join(self.folder, "october.gpureport")
        program.healthy("showback", "--month", "2026-10", "--format", "gpureport", "--out", report, now=NOW)
        done = subprocess.run([program.command()[0], "--data", program.data, "--report", report, "claims"], env=program.environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (REFUSED, b""), done.stderr)
        self.assertIn(b"does not go with --report", done.stderr)
        self.path.write_text("from,saved\nx,1\n", encoding="utf-8")
        done = program.run("sources", "test", "claims", now=NOW)
        self.assertEqual(done.returncode, FAILED, done.text)
        self.assertSentence(done, "claims.csv", "line 2")
        write_claims(self.path, Claim((2026, 10), what="added"))
        program.configure(configuration("  - { name: demo, kind: demo, gpus: 8 }\n"))
        program.healthy("sources", "add", "mine", "--kind", "claims", "--path", str(self.path), now=NOW)
        self.assertEqual([(row["source"], row["what"]) for row in self.ask(program)], [("mine", "added")])

    def test_claims_of_the_demo(self):
        """Three, of the last two whole months."""
        program = Program(self.folder, configuration("  - { name: demo-claims, kind: demo-claims }\n"))
        rows = self.ask(program)
        self.assertEqual([(row["source"], row["tool"] is None, row["not_compared"]) for row in rows], [("demo-claims", False, NOT_BILLED)] * 3)
        self.assertEqual({(row["from"][:10], row["to"][:10]) for row in rows}, {("2026-10-01", "2026-11-01"), ("2026-09-01", "2026-10-01")})
        self.assertEqual([row["claimed"]["currency"] for row in rows], ["USD"] * 3)


if __name__ == "__main__":
    unittest.main()
