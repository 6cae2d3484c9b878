# SPDX-License-Identifier: GPL-3.0-or-later
"""The statement of a month as documents: all of them agree, a second program reads them, and foreign text stays data."""
import csv
import decimal
import hashlib
import html.parser
import io
import json
import os
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree as xml
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "faults"))
sys.path.insert(0, HERE)

from bills import DEMO, amount, line, write_bill  # noqa: E402
from product import ProductTest, configuration  # noqa: E402

Decimal = decimal.Decimal
CENT = Decimal("0.01")
WINDOW = os.path.join(os.path.dirname(os.environ["GPULEDGER_CLI"]), "gpuledger")  # draws the pages of a PDF
SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
HOSTILE = '=cmd|"/c calc"!A1<img src=x onerror=alert(1)>'


class Workbook:
    """Values and formulas of a workbook, read with nothing but Python."""

    def __init__(self, path):
        with zipfile.ZipFile(path) as book:
            strings = xml.fromstring(book.read("xl/sharedStrings.xml"))
            self.strings = ["".join(t.text or "" for t in s.iter(SHEET + "t")) for s in strings]
            names = [s.get("name") for s in xml.fromstring(book.read("xl/workbook.xml")).iter(SHEET + "sheet")]
            self.sheets = {n: self.cells(book.read(f"xl/worksheets/sheet{i + 1}.xml")) for i, n in enumerate(names)}
            self.parts = book.namelist()

    def cells(self, data):
        out = {}
        for cell in xml.fromstring(data).iter(SHEET + "c"):
            value, formula = cell.find(SHEET + "v"), cell.find(SHEET + "f")
            if value is None:
                continue
            text = self.strings[int(value.text)] if cell.get("t") == "s" else Decimal(value.text)
            out[cell.get("r")] = (text, None if formula is None else formula.text)
        return out

    @staticmethod
    def column(cells, letter, first, last):
        return sum(cells[f"{letter}{r}"][0] for r in range(first, last + 1) if f"{letter}{r}" in cells)


class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.rows, self.text = set(), [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs
        if tag == "tr":
            self.rows.append([])

    def handle_data(self, data):
        self.text.append(data)
        if self.rows and data.strip():
            self.rows[-1].append(data.strip())


class Showback(ProductTest):
    def setUp(self):
        super().setUp()
        self.made = self.program(name="p")
        folder = os.path.join(self.folder, "bills")
        os.makedirs(folder)
        self.made.configure(configuration(DEMO, f"  - {{ name: bill, kind: focus, path: {folder} }}\n") + "owners: [{ label: team }, { cloud_tag: team }]\n")
        write_bill(os.path.join(folder, "a.csv"), [
            line(ResourceId="vol-1", ServiceCategory="Storage", BilledCost="5.004999999", Tags=json.dumps({"team": HOSTILE})),
            line(ResourceId="vol-2", ServiceCategory="Storage", BilledCost="1234.5", Tags=json.dumps({"team": "vision"})),
            line(ChargeCategory="Credit", BilledCost="-7.25", EffectiveCost="-7.25"),
            line(ChargeCategory="Usage", BillingCurrency="EUR", BilledCost="3", Tags=json.dumps({"team": "vision"}))])
        self.made.healthy("sync")

    def ask(self, *arguments):
        done = self.made.run("showback", "--month", "2025-03", *arguments)
        self.assertIn(done.returncode, (0, 1), done.text)
        return done

    def statement(self, *arguments):
        return json.loads(self.ask("--json", *arguments).stdout)

    def usd(self, statement):
        return next(c for c in statement["currencies"] if c["currency"] == "USD")

    def test_lines_add_up_to_teams_and_teams_to_the_bill(self):
        statement = self.statement()
        self.assertTrue(statement["reconciles"])
        self.assertEqual([c["currency"] for c in statement["currencies"]], ["EUR", "USD"])
        for currency in statement["currencies"]:
            self.assertEqual(amount(currency["difference"]), 0)
            for team in currency["teams"]:
                for part in ("cost", "estimated"):
                    self.assertEqual(sum(amount(x[part]) for x in team["lines"]), amount(team[part]))
                self.assertEqual(amount(team["total"]), amount(team["cost"]) + amount(team["estimated"]))
                held = sum(amount(x["cost"]) + amount(x["estimated"]) for x in team["lines"] if x["category"] == "gpu")
                self.assertLessEqual(sum(amount(w["cost"]) for w in team["workloads"]), held)
            self.assertEqual(sum(amount(t["cost"]) for t in currency["teams"]), amount(currency["bill"]))
        self.assertEqual(amount(self.usd(statement)["bill"]), Decimal("1232.254999999"))
        self.assertGreater(amount(self.usd(statement)["estimated"]), 0)  # the demo fleet, without a bill
        self.assertIsNone(next(t for t in self.usd(statement)["teams"] if t["team"] == HOSTILE)["gpu_hours"])

    def added(self, rows):
        """Adds up the cells of a column as a reader would, and compares the result with each sum in it."""
        shown, sums = Decimal(0), {}
        for name, cell in rows:
            value = Decimal(cell.replace(",", "").replace("\N{MINUS SIGN}", "-"))
            if name in ("All teams", "Bill"):
                sums[name] = value
                self.assertEqual(value, shown, name)
            else:
                shown += value
        return sums

    def test_the_column_of_teams_leads_to_the_bill(self):
        usd = self.usd(self.statement())
        self.assertGreater(amount(usd["estimated"]), 1)
        for team in ((), ("--team", "vision")):
            tables = re.split(r"^team .*$", self.ask(*team).stdout.decode(), flags=re.MULTILINE)[1:3]
            rows = [re.match(r"(\S+(?: \S+)*)\s{2,}(-?[\d.]+)", one) for one in tables[1].splitlines()]
            sums = self.added([(row[1], row[2]) for row in rows if row][:[row[1] for row in rows if row].index("Bill") + 1])
            self.assertEqual(sums, {"All teams": (amount(usd["cost"]) + amount(usd["estimated"])).quantize(CENT, decimal.ROUND_HALF_UP),
                                    "Bill": Decimal("1232.25")})
            path = os.path.join(self.folder, "bill.html")
            self.ask("--out", path, *team)
            page = Reader()
            with open(path, encoding="utf-8") as file:
                page.feed(file.read().split("All teams, USD")[1].split("</table>")[0])
            self.assertEqual(self.added([row[:2] for row in page.rows if row[0] != "Team"]), sums)

    def test_every_format_leads_from_the_teams_to_the_bill(self):
        """For programs: the listed teams and the steps next to them add up to the bill, to the last decimal."""
        for view in ("billed", "effective"):
            for team in ((), ("--team", "vision")):
                statement = self.statement("--cost", view, *team)
                reasons = {step["reason"] for c in statement["currencies"] for step in c["steps_to_bill"] or ()}
                self.assertEqual(reasons, {"estimated", "other-teams"} if team else {"estimated"})
                for currency in statement["currencies"]:
                    shown = sum(amount(one["total"]) for one in currency["teams"])
                    self.assertEqual(shown + sum(amount(step["amount"]) for step in currency["steps_to_bill"]), amount(currency["bill"]))
                    for step in currency["steps_to_bill"]:
                        if step["reason"] == "estimated":
                            self.assertEqual(step["less"], currency["estimated"])
                            self.assertEqual(step["figures"]["less"], currency["figures"]["estimated"])
                path = os.path.join(self.folder, "steps.xlsx")
                self.ask("--out", path, "--cost", view, *team)
                cells = Workbook(path).sheets["All teams USD"]
                rows = {cells[f"A{r}"][0]: r for r in range(5, 60) if f"A{r}" in cells}
                led = (cells[f"E{rows['All teams']}"][0] - cells[f"D{rows['Not billed (estimated)']}"][0]
                       - cells[f"C{rows['Difference to bill']}"][0])
                self.assertAlmostEqual(led, cells[f"C{rows['Bill']}"][0], delta=Decimal("1e-6"))
                self.assertAlmostEqual(led, amount(self.usd(statement)["bill"]), delta=Decimal("1e-6"))

    def test_without_a_bill_there_are_no_steps(self):
        alone = self.program(name="alone")
        alone.healthy("sync")
        for currency in json.loads(alone.run("showback", "--month", "2025-03", "--json").stdout)["currencies"]:
            self.assertIsNone(currency["bill"])
            self.assertIsNone(currency["steps_to_bill"])

    def test_csv_says_the_same_and_holds_no_formula(self):
        statement = self.statement()
        rows = list(csv.DictReader(io.StringIO(self.ask("--csv").stdout.decode())))
        for currency in statement["currencies"]:
            for part in ("cost", "estimated"):
                self.assertEqual(sum(Decimal(r[part]) for r in rows if r["currency"] == currency["currency"]), amount(currency[part]))
        self.assertIn("'" + HOSTILE, {r["team"] for r in rows})
        for row in rows:
            self.assertFalse([v for v in row.values() if v[:1] in "=+@" and v], row)

    def test_workbook_is_read_by_another_program_with_equal_sums(self):
        statement = self.statement()
        path = os.path.join(self.folder, "out.xlsx")
        self.ask("--out", path)
        book = Workbook(path)
        self.assertEqual(len({n.lower() for n in book.sheets}), sum(1 + len(c["teams"]) for c in statement["currencies"]))
        self.assertFalse([p for p in book.parts if "vba" in p.lower() or "external" in p.lower()])
        formulas = 0
        for name, cells in book.sheets.items():
            self.assertLessEqual(len(name), 31)
            for place, (value, formula) in cells.items():
                if formula is None:
                    continue
                formulas += 1
                span = re.fullmatch(r"SUM\(([A-Z])(\d+):\1(\d+)\)", formula)
                expected = (book.column(cells, span[1], int(span[2]), int(span[3])) if span
                            else sum(cells[p][0] for p in formula.split("+") if p in cells))
                self.assertAlmostEqual(value, expected, delta=Decimal("1e-6"), msg=f"{name} {place} {formula}")
        self.assertGreater(formulas, 10)
        cells = book.sheets["All teams USD"]
        totals = next(r for r in range(5, 60) if cells.get(f"A{r}", ("",))[0] == "All teams")
        self.assertAlmostEqual(cells[f"C{totals}"][0], amount(self.usd(statement)["bill"]), delta=Decimal("1e-6"))
        self.assertAlmostEqual(cells[f"D{totals}"][0], amount(self.usd(statement)["estimated"]), delta=Decimal("1e-6"))
        self.assertIn((HOSTILE, None), cells.values())  # a text

    def test_page_fetches_nothing_and_says_the_same(self):
        statement = self.statement()
        path = os.path.join(self.folder, "out.html")
        self.ask("--out", path)
        with open(path, encoding="utf-8") as file:
            page = Reader()
            page.feed(file.read())
        self.assertFalse(page.tags & {"script", "img", "link", "iframe", "object", "a", "form"})
        self.assertFalse([a for a, v in page.attributes if a in ("src", "href", "srcset") or a.startswith("on")])
        self.assertIn(HOSTILE, page.text)
        for team in self.usd(statement)["teams"]:
            total = amount(team["total"]).quantize(CENT, decimal.ROUND_HALF_UP)
            shown = {r[1] for r in page.rows if len(r) == 6 and r[0] == (team["team"] or "(no team)")}
            self.assertIn(f"{total:,}".replace("-", "\N{MINUS SIGN}"), shown)  # the same team may have other currencies too
        self.assertIn("Sum", {r[0] for r in page.rows if r})

    @unittest.skipUnless(os.path.exists(WINDOW), "built without the window")
    def test_pdf_is_read_by_another_program_and_stays_the_same(self):
        file = os.path.join(self.folder, "all.pdf")
        self.ask("--out", file)
        with open(file, "rb") as made:
            first = made.read()
        text = subprocess.run(["pdftotext", "-layout", file, "-"], check=True, capture_output=True, text=True).stdout
        for words in ("GPU cost statement: all teams", "GPU cost statement: vision", "1,239.50", "-7.25", "1 \N{EN DASH} 31 March 2025 (UTC days)", "Page 1 of", "billed cost"):
            self.assertIn(words, text)
        self.assertTrue(first.startswith(b"%PDF"))
        one = os.path.join(self.folder, "one.pdf")
        self.ask("--team", "vision", "--cost", "effective", "--format", "pdf", "--out", one)
        text = subprocess.run(["pdftotext", one, "-"], check=True, capture_output=True, text=True).stdout
        self.assertIn("effective cost", text)
        self.assertNotIn("statement: all teams", text)
        done = self.made.run("showback", "--month", "2025-03", "--out", os.path.join(self.folder, "no", "x.pdf"))
        self.assertEqual(done.returncode, 3, done.text)
        self.assertIn("can't be written", done.text)

    def test_each_format_has_the_same_bytes_in_every_process(self):
        """A dozen processes, because a difference occurs by chance: with two possible orders of fonts, all twelve would agree in 1 of 2,048
        runs."""
        formats = ["csv", "html", "xlsx", "json", *(["pdf"] if os.path.exists(WINDOW) else [])]
        for form in formats:
            hashes = set()
            for i in range(12 if form == "pdf" else 4):
                path = os.path.join(self.folder, f"{i}.{form}")
                self.ask("--format", form, "--out", path)
                with open(path, "rb") as made:
                    hashes.add(hashlib.sha256(made.read()).hexdigest())
            self.assertEqual(len(hashes), 1, form)

    def test_one_team_and_what_is_refused(self):
        one = self.statement("--team", "vision")
        self.assertEqual({t["team"] for c in one["currencies"] for t in c["teams"]}, {"vision"})
        self.assertEqual(amount(self.usd(one)["bill"]), Decimal("1232.254999999"))
        for arguments, status, words in ((("--team", "nobody"), 2, "no team"), (("--cluster", "x"), 2, "one team"),
                                         (("--month", "March"), 2, "--month"), (("--format", "xlsx"), 2, "--out"),
                                         (("--out", os.path.join(self.folder, "x.doc")), 2, "--format")):
            month = () if "--month" in arguments else ("--month", "2025-03")
            done = self.made.run("showback", *month, *arguments)
            self.assertEqual(done.returncode, status, done.text)
            self.assertIn(words, done.text)
        done = self.made.run("showback", "--month", "2025-03", "--out", os.path.join(self.folder, "no", "x.csv"))
        self.assertEqual(done.returncode, 3, done.text)


if __name__ == "__main__":
    unittest.main()
