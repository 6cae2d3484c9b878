# SPDX-License-Identifier: GPL-3.0-or-later
"""What is decided about proposals, and what accepted ones saved: `savings accept`, `dismiss`, `later`, `reopen`, `choices`, `realized`."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "faults"))

from fleet import Fleet  # noqa: E402
from product import ProductTest, Program  # noqa: E402

END = "2026-11-04T15:00:00Z"
THEN = "2026-10-20T09:00:00Z"  # two whole weeks of data follow
USAGE = 2


class Past(Fleet):
    """40 days of the demo fleet."""

    def __init__(self, folder):
        Program.__init__(self, folder)
        self.healthy("demo", "--gpus", "64", "--days", "40", "--quiet")

    def run(self, *arguments, now=END, timeout=600, **options):
        return super().run(*arguments, now=now, timeout=timeout, **options)

    def healthy(self, *arguments, now=END, **options):
        return super().healthy(*arguments, now=now, **options)


class Choices(ProductTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory(prefix="gpuledgerchoices")
        cls.addClassCleanup(folder.cleanup)
        cls.fleet = Past(folder.name)

    def counted(self):
        return [i for i in self.fleet.json("savings")["items"] if i["excluded_by"] is None]

    def item(self, proposal):
        return next(i for i in self.fleet.json("savings")["items"] if i["id"] == proposal)

    def test_dismiss_put_off_and_reopen(self):
        first = self.counted()[0]
        self.assertIsNone(first["choice"])
        made = self.fleet.json("savings", "dismiss", first["id"], "--reason", "is used at night")
        self.assertEqual((made["proposal"], made["state"], made["reason"]), (first["id"], "dismissed", "is used at night"))
        now = self.item(first["id"])
        self.assertEqual(now["excluded_by"], "dismissed: is used at night")
        self.assertEqual((now["choice"]["state"], now["choice"]["at"]), ("dismissed", made["at"]))
        taken = set(first["resources"])
        for item in self.counted():
            self.assertNotEqual(item["id"], first["id"])
        self.fleet.healthy("savings", "later", first["id"], "--until", "2026-11-06")
        self.assertTrue(self.item(first["id"])["excluded_by"].startswith("put off until "))
        self.assertIsNone(next(i for i in self.fleet.json("savings", now="2026-11-06T00:00:00Z")["items"] if i["id"] == first["id"])["excluded_by"])
        self.fleet.healthy("savings", "reopen", first["id"])
        again = self.item(first["id"])
        self.assertIsNone(again["excluded_by"])
        self.assertIsNone(again["choice"])
        self.assertEqual(set(again["resources"]), taken)
        listed = [c for c in self.fleet.json("savings", "choices")["choices"] if c["proposal"] == first["id"]]
        self.assertEqual([c["state"] for c in listed], ["open"])

    def test_range_and_assumptions_are_those_of_the_list(self):
        options = ("--from", "2026-10-21", "--to", "2026-11-04", "--cost", "list", "--assume", "least-days=14")
        items = [i for i in self.fleet.json("savings", *options)["items"] if i["per_month"]]
        usual = {i["id"]: i["per_month"] for i in self.fleet.json("savings")["items"]}
        item = next(i for i in items if usual.get(i["id"]) != i["per_month"])
        made = self.fleet.json("savings", "later", item["id"], "--until", "2026-12-15", *options)
        self.assertEqual(made["projected"]["p50"], (item["counted"] or item["per_month"])["p50"])
        self.fleet.healthy("savings", "reopen", item["id"])

    def test_accepted_is_measured(self):
        for item in self.counted():  # what others have counts then
            if item["kind"] == "commitments":
                self.fleet.healthy("savings", "dismiss", item["id"], "--reason", "other things first")
                self.addCleanup(self.fleet.healthy, "savings", "reopen", item["id"])
        proposal = next(i for i in self.counted() if i["kind"] != "commitments")
        self.fleet.healthy("savings", "accept", proposal["id"], "--owner", "kim", "--by", "2026-10-20", now=THEN)
        self.assertEqual(self.item(proposal["id"])["choice"]["owner"], "kim")
        self.assertIsNone(self.item(proposal["id"])["excluded_by"])  # it still counts: nobody did it
        told = self.fleet.json("savings", "realized")
        one = next(r for r in told["realized"] if r["proposal"] == proposal["id"])
        # The demo fleet's workload may be too young, or not observed in too many weeks; tst_demosaving has one that is measured.
        self.assertIn(one["state"], ("measured", "no-before", "no-use", "unpriced"))
        if one["state"] != "no-before":
            self.assertEqual((one["before"]["to"], one["after"]["from"]), ("2026-10-20T00:00:00Z", "2026-10-21T00:00:00Z"))
            self.assertEqual(one["after"]["to"], "2026-11-04T00:00:00Z")
        self.assertEqual(one["per_month"] is None, one["state"] != "measured")
        if one["per_month"]:
            low, middle, high = (float(one["per_month"][q]["amount"]) for q in ("p10", "p50", "p90"))
            self.assertTrue(low <= middle <= high)
        self.assertEqual(self.fleet.json("savings", "realized"), told)
        self.assertIn(proposal["id"], self.fleet.healthy("savings", "realized").stdout.decode())

    def test_an_accepted_saving_is_a_decision_of_a_meeting(self):
        item = next(i for i in self.counted() if i["per_month"] and i["choice"] is None)
        self.assertNotIn(item["id"], [s["proposal"] for s in self.fleet.json("showback", "--decisions")["savings"]])
        self.fleet.healthy("savings", "accept", item["id"], "--owner", "kim", "--by", "2026-12-01")
        entries = len(self.fleet.json("showback", "--decisions")["savings"])
        decided = self.fleet.json("showback", "--decisions", "--month", "2026-10")
        self.assertEqual(decided["decisions"], [])
        one = next(s for s in decided["savings"] if s["proposal"] == item["id"])
        self.assertEqual((one["month"], one["owner"], one["due"], one["state"]), ("2026-10", "kim", "2026-12-01", "open"))
        self.assertEqual((one["what"], one["team"]), (item["kind"] + ": " + item["target"], item["owner"]))
        self.assertEqual(one["projected"]["p50"], (item["counted"] or item["per_month"])["p50"])
        before = self.fleet.json("showback", "--decisions", "--month", "2026-09")["savings"]
        self.assertNotIn(item["id"], [s["proposal"] for s in before])
        self.assertIn("saving", self.fleet.healthy("showback", "--decisions").stdout.decode())
        self.fleet.healthy("savings", "reopen", item["id"])
        self.assertEqual(len(self.fleet.json("showback", "--decisions")["savings"]), entries - 1)

    def test_a_statement_has_savings_if_asked(self):
        month = ("showback", "--month", "2026-10")
        plain = self.fleet.healthy(*month, "--json").stdout
        self.assertNotIn("savings", json.loads(plain))
        for one in self.counted():  # what teams have counts then
            if one["kind"] == "commitments":
                self.fleet.healthy("savings", "dismiss", one["id"], "--reason", "other things first")
                self.addCleanup(self.fleet.healthy, "savings", "reopen", one["id"])
        item = next(i for i in self.counted() if i["owner"])
        self.fleet.healthy("savings", "accept", item["id"], "--owner", "kim", "--by", "2026-12-01")
        self.addCleanup(self.fleet.healthy, "savings", "reopen", item["id"])
        listed = self.fleet.json("savings", "--cost", "billed")
        first = self.fleet.healthy(*month, "--with-savings", "--json").stdout
        self.assertEqual(self.fleet.healthy(*month, "--with-savings", "--json").stdout, first)
        whole = json.loads(first)
        told = whole.pop("savings")
        self.assertEqual(whole, json.loads(plain))  # no figure of the statement depends on it
        counted = [i for i in listed["items"] if i["excluded_by"] is None]
        self.assertEqual(sum(f["proposals"] for f in told["found"]), len(counted))
        self.assertEqual([f["per_month"]["p50"] for f in told["found"]], [t["per_month"]["p50"] for t in listed["total"]])
        accepted = [a for a in told["accepted"] if a["target"] == item["target"]]
        self.assertEqual([(a["owner"], a["due"], a["team"]) for a in accepted], [("kim", "2026-12-01", item["owner"])])
        self.assertIsNone(told["proposals"])
        team = self.fleet.json(*month, "--with-savings", "--team", item["owner"])["savings"]
        own = [i["target"] for i in counted if i["owner"] == item["owner"]]
        self.assertEqual([p["target"] for p in team["proposals"]], own[:20])
        self.assertEqual(sum(f["proposals"] for f in team["found"]), len(own))
        self.assertIn(item["target"], [a["target"] for a in team["accepted"]])
        text = self.fleet.healthy(*month, "--with-savings").stdout.decode()
        self.assertIn("accepted: " + item["kind"] + ": " + item["target"], text)
        path = os.path.join(self.folder, "statement.html")
        self.fleet.healthy(*month, "--with-savings", "--out", path)
        with open(path, encoding="utf-8") as page:
            self.assertIn("<h2>Savings</h2>", page.read())
        self.in_workbook_and_pdf(month, item, team)
        refused = self.fleet.run(*month, "--with-savings", "--format", "csv")
        self.assertEqual(refused.returncode, USAGE)
        self.assertIn("no savings in a statement as csv", refused.stderr.decode())

    def in_workbook_and_pdf(self, month, item, team):
        from showback import WINDOW, Workbook
        options = (*month, "--with-savings", "--team", item["owner"], "--out")
        path = os.path.join(self.folder, "statement.xlsx")
        self.fleet.healthy(*options, path)
        cells = {name: value[0] for name, value in Workbook(path).sheets["Savings"].items()}
        row = next(name[1:] for name, value in cells.items() if value == "accepted: " + item["kind"] + ": " + item["target"])
        self.assertEqual((cells["B" + row], cells["C" + row], cells["D" + row]), (item["owner"], "kim", "2026-12-01"))
        accepted = next(a for a in team["accepted"] if a["target"] == item["target"])
        self.assertAlmostEqual(float(cells["G" + row]), float(accepted["per_month"]["p50"]["amount"]), 6)
        if not os.path.exists(WINDOW):
            return
        path = os.path.join(self.folder, "statement.pdf")
        self.fleet.healthy(*options, path)
        text = subprocess.run(["pdftotext", "-layout", path, "-"], check=True, capture_output=True, text=True).stdout
        for words in ("Savings", "kim", "Per month of 730 hours"):
            self.assertIn(words, text)
        self.fleet.healthy(*month, "--team", item["owner"], "--out", path)
        text = subprocess.run(["pdftotext", path, "-"], check=True, capture_output=True, text=True).stdout
        self.assertNotIn("Per month of 730 hours", text)

    def test_the_workbook_has_choices_as_plain_text(self):
        from savings import rows_of
        from showback import Workbook
        hostile = "=HYPERLINK(\"https://example.org\",\"kim\")"
        proposal = self.counted()[0]["id"]
        self.fleet.healthy("savings", "accept", proposal, "--owner", hostile, "--by", "2026-12-01", "--reason", "+1|calc")
        self.addCleanup(self.fleet.healthy, "savings", "reopen", proposal)
        path = os.path.join(self.folder, "choices.xlsx")
        self.fleet.healthy("savings", "--xlsx", path)
        book = Workbook(path)
        self.assertFalse([c for cells in book.sheets.values() for c in cells.values() if c[1] is not None])
        row = next(r for r in rows_of(book.sheets["Proposals"]) if r["Id"] == proposal)
        self.assertEqual((row["Choice"], row["Owner"], row["Why"]), ("accepted", hostile, "+1|calc"))
        self.assertEqual(row["Day"], 46357)  # 2026-12-01
        told = next(r for r in self.fleet.json("savings", "realized")["realized"] if r["proposal"] == proposal)
        real = next(r for r in rows_of(book.sheets["Realized"]) if r["Id"] == proposal)
        self.assertEqual((real["State"], real["Owner"]), (told["state"], hostile))

    def test_what_is_wrong_is_said(self):
        some = self.counted()[0]["id"]
        for arguments, said in (
            (("accept", some, "--owner", "kim"), "--by"),
            (("accept", some, "--owner", "kim", "--by", "tomorrow"), "YYYY-MM-DD"),
            (("accept", some, "--owner", " ", "--by", "2026-12-01"), "person responsible"),
            (("dismiss", some), "--reason"),
            (("later", some, "--until", "2026-11-04"), "after today"),
            (("choices", "capacity"), "takes none"),
        ):
            done = self.fleet.run("savings", *arguments)
            self.assertEqual(done.returncode, USAGE, arguments)
            self.assertIn(said, done.stderr.decode(), arguments)
        unknown = self.fleet.run("savings", "dismiss", "schedule:none", "--reason", "x")
        self.assertNotEqual(unknown.returncode, 0)
        self.assertIn("no proposal", unknown.stderr.decode())


if __name__ == "__main__":
    unittest.main()
