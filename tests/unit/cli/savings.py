# SPDX-License-Identifier: GPL-3.0-or-later
"""What could be saved: `savings` over a demo fleet of 40 days. Sums and exclusions are computed again from the items."""
import csv
import datetime
import decimal
import io
import json
import os
import random
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "faults"))

from fleet import Fleet  # noqa: E402
from product import CLI, ProductTest, Program, configuration  # noqa: E402

NOW = "2026-11-04T15:00:00Z"
USAGE = 2
KINDS = ["capacity", "schedule", "right-size", "spot", "commitments"]
QUANTILES = ("p10", "p50", "p90")
ITEM = {"id", "kind", "target", "owner", "currency", "per_month", "avoidable", "assumptions", "evidence", "risks", "how", "resources", "excluded_by", "choice", "counted", "figures", "act"}
LOST = "counted already in "
LEFT = "proposals that count before it leave too little of its demand, such as "


def time(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def amount(money):
    return decimal.Decimal(money["amount"])


def band(amounts):
    return tuple(amount(amounts[q]) for q in QUANTILES)


def cents(value):
    return str(value.quantize(decimal.Decimal("0.01"), decimal.ROUND_HALF_UP))


def counted_again(items):
    """Id -> id of the better proposal that has one of its resources, or None if it counts: use that ends first, then spot. Without commitments."""
    candidates = [i for i in items if i["kind"] != "commitments" and i["per_month"] and (i["excluded_by"] is None or i["excluded_by"].startswith(LOST))]
    taken, outcome = {}, {}
    for item in sorted(candidates, key=lambda i: (i["kind"] == "spot", -amount(i["per_month"]["p50"]), KINDS.index(i["kind"]), i["id"])):
        rivals = [taken[item["currency"], r] for r in item["resources"] if (item["currency"], r) in taken]
        outcome[item["id"]] = rivals[0] if rivals else None
        if not rivals:
            taken.update({(item["currency"], r): item["id"] for r in item["resources"]})
    return outcome


def rows_of(cells):
    """The rows of a sheet below its titles, each with the values that it has by the title of their column."""
    placed = {}
    for place, (value, _) in cells.items():
        column = place.rstrip("0123456789")
        placed.setdefault(int(place[len(column):]), {})[column] = value
    titles = min(r for r, row in placed.items() if len(row) > 1)
    return [{placed[titles][c]: v for c, v in row.items()} for r, row in sorted(placed.items()) if r > titles]


class Past(Fleet):
    """40 days of the demo fleet, asked at their end."""

    def __init__(self, folder):
        Program.__init__(self, folder)  # without the single day of Fleet
        self.healthy("demo", "--gpus", "64", "--days", "40", "--quiet")

    def run(self, *arguments, now=NOW, timeout=600, **options):
        return super().run(*arguments, now=now, timeout=timeout, **options)

    def healthy(self, *arguments, now=NOW, **options):
        return super().healthy(*arguments, now=now, **options)


class Savings(ProductTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = tempfile.TemporaryDirectory(prefix="gpuledgersavings")
        cls.addClassCleanup(folder.cleanup)
        cls.fleet = Past(folder.name)
        cls.bytes = cls.fleet.healthy("savings", "--json").stdout
        cls.whole = json.loads(cls.bytes)

    @classmethod
    def ask(cls, *options):
        return cls.fleet.json("savings", *options)

    def text(self, *options):
        return self.fleet.healthy("savings", *options).stdout.decode()

    def check_sums(self, told):
        sums = {}
        for item in told["items"]:
            if item["excluded_by"] is None:
                sums.setdefault(item["currency"], {}).setdefault(item["kind"], []).append(band(item["counted"]))
        self.assertEqual([s["currency"] for s in told["total"]], sorted(sums))
        for one in told["total"]:
            own = sums[one["currency"]]
            self.assertEqual(list(one["by_kind"]), [k for k in KINDS if k in own])
            for kind, bands in own.items():
                self.assertEqual(band(one["by_kind"][kind]), tuple(map(sum, zip(*bands))))
            self.assertEqual(band(one["per_month"]), tuple(map(sum, zip(*(b for bands in own.values() for b in bands)))))

    def test_shape(self):
        self.assertEqual(set(self.whole), {"range", "cost", "total", "warnings", "assumptions", "items"})
        self.assertEqual(self.whole["assumptions"], {})
        self.assertEqual((self.whole["cost"], set(self.whole["range"])), ("effective", {"from", "to"}))
        start, end = (time(self.whole["range"][key]) for key in ("from", "to"))
        self.assertEqual(end - start, datetime.timedelta(days=28))
        self.assertTrue(time(NOW) - datetime.timedelta(hours=2) < end <= time(NOW), end)
        self.assertEqual((end.minute, end.second), (0, 0))
        ids = [item["id"] for item in self.whole["items"]]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertTrue(any(item["excluded_by"] is None for item in self.whole["items"]))
        for item in self.whole["items"]:
            self.assertEqual(set(item), ITEM)
            self.assertTrue(item["id"].startswith(item["kind"] + ":"), item["id"])
            self.assertTrue(item["target"])
            self.assertTrue(all(isinstance(v, str) for v in (*item["assumptions"].values(), *item["evidence"].values(), *item["risks"])))
            if item["excluded_by"] is None:
                self.assertTrue(item["evidence"] and item["resources"] and item["currency"], item["id"])
            if item["per_month"] is None:
                self.assertTrue(item["excluded_by"], item["id"])
            self.assertEqual(item["counted"] is None, item["excluded_by"] is not None, item["id"])
            if item["counted"]:
                self.assertTrue(all(a <= b for a, b in zip(band(item["counted"]), band(item["per_month"]))), item["id"])

    def test_random_figures_are_proved(self):
        found = [(f"{i['id']} {name}", figure, i["per_month"][name.split(".")[1]] if "." in name else i["avoidable"])
                 for i in self.whole["items"] for name, figure in i["figures"].items()]
        self.assertTrue(all(set(i["figures"]) >= {"per_month." + q for q in QUANTILES} for i in self.whole["items"] if i["per_month"]))
        chance = random.Random(20261126)
        wanted = [chance.choice([f for f in found if f[0].startswith(kind + ":")]) for kind in KINDS
                  if any(f[0].startswith(kind + ":") for f in found)]
        self.assertGreater(len(wanted), 2)
        for where, figure, shown in wanted:
            proof = self.fleet.json("explain", figure)
            self.assertEqual((proof["figure"], proof["value"], proof["recomputed"], proof["agrees"]), (figure, shown, shown, True), where)
            self.assertTrue(proof["formula"] and proof["rows"], where)
            rows = sum((amount(r["amount"]) for r in proof["rows"]), decimal.Decimal(0))
            rows += amount(proof["left_out"]["amount"]) if proof["left_out"]["amount"] else 0
            inputs = {i["name"]: i["value"] for i in proof["inputs"]}
            self.assertEqual(rows, amount(inputs["spent in the past" if where.endswith("avoidable") else "saved in the past"]), where)

    def test_sums_are_proved(self):
        for told in self.whole["total"]:
            for name, shown in (("per_month.p50", told["per_month"]["p50"]),
                                (f"by_kind.{list(told['by_kind'])[0]}.p10", next(iter(told["by_kind"].values()))["p10"])):
                proof = self.fleet.json("explain", told["figures"][name])
                self.assertEqual((proof["value"], proof["recomputed"], proof["agrees"]), (shown, shown, True), name)
                self.assertEqual(sum(amount(r["amount"]) for r in proof["rows"]), amount(shown), name)
                counted = {i["id"] for i in self.whole["items"] if not i["excluded_by"] and i["currency"] == told["currency"]}
                self.assertLessEqual({r["resource"] for r in proof["rows"]}, counted, name)

    def test_each_kind_is_answered(self):
        """With a proposal, or with the reason why there is none."""
        self.assertEqual({item["kind"] for item in self.whole["items"]}, set(KINDS))

    def test_nothing_counts_twice(self):
        outcome = counted_again(self.whole["items"])
        taken = {(i["currency"], r) for i in self.whole["items"] if outcome.get(i["id"], "") is None for r in i["resources"]}
        for item in self.whole["items"]:
            if item["kind"] == "commitments" and (item["excluded_by"] is None or item["excluded_by"].startswith((LOST, LEFT))):
                overlaps = any((item["currency"], r) in taken for r in item["resources"])
                self.assertEqual(item["excluded_by"] is None and item["counted"] == item["per_month"], not overlaps, item["id"])
                continue
            if item["id"] not in outcome:
                self.assertTrue(item["excluded_by"] and not item["excluded_by"].startswith(LOST))
                continue
            rival = outcome[item["id"]]
            self.assertEqual(item["excluded_by"], rival and LOST + rival)
        self.check_sums(self.whole)

    def test_order(self):
        def key(item):
            return (item["excluded_by"] is not None, item["per_month"] is None, -amount(item["per_month"]["p50"]) if item["per_month"] else 0, item["id"])
        self.assertEqual([i["id"] for i in self.whole["items"]], [i["id"] for i in sorted(self.whole["items"], key=key)])

    def test_never_more_than_ends(self):
        for item in self.whole["items"]:
            if item["per_month"]:
                low, middle, high = band(item["per_month"])
                self.assertTrue(low <= middle <= high, item)
                if item["avoidable"]:
                    self.assertLessEqual(high, amount(item["avoidable"]), item["id"])
        for one in self.whole["total"]:
            own = [i for i in self.whole["items"] if i["excluded_by"] is None and i["currency"] == one["currency"]]
            if all(i["avoidable"] for i in own):
                self.assertLessEqual(band(one["per_month"])[2], sum(amount(i["avoidable"]) for i in own))

    def test_a_kind_is_a_part_of_the_whole(self):
        for kind in KINDS:
            told = self.ask(kind)
            self.assertEqual(told["items"], [i for i in self.whole["items"] if i["kind"] == kind])
            self.assertEqual(told["range"], self.whole["range"])
            self.check_sums(told)

    def test_the_same_twice(self):
        self.assertEqual(self.fleet.healthy("savings", "--json").stdout, self.bytes)
        self.fleet.verify(NOW)

    def test_the_sheet_has_the_same(self):
        sheet = list(csv.DictReader(io.StringIO(self.fleet.healthy("savings", "--csv").stdout.decode())))
        self.assertEqual([r["id"] for r in sheet], [i["id"] for i in self.whole["items"]])
        for row, item in zip(sheet, self.whole["items"]):
            amounts = item["per_month"] or {}
            self.assertEqual([row["per_month_" + q] for q in QUANTILES], [amounts[q]["amount"] if amounts else "" for q in QUANTILES])
            counts = item["counted"] or {}
            self.assertEqual([row["counted_" + q] for q in QUANTILES], [counts[q]["amount"] if counts else "" for q in QUANTILES])
            self.assertEqual(row["avoidable"], item["avoidable"]["amount"] if item["avoidable"] else "")
            self.assertEqual([row[k] for k in ("kind", "target", "owner", "currency", "excluded_by")],
                             [item[k] or "" for k in ("kind", "target", "owner", "currency", "excluded_by")])

    def test_the_workbook_has_the_same(self):
        from showback import Workbook
        path = os.path.join(self.folder, "savings.xlsx")
        done = self.fleet.healthy("savings", "--xlsx", path, "--assume", "scale-down-delay=3h")
        self.assertEqual(done.stdout, b"")
        told = self.ask("--assume", "scale-down-delay=3h")
        book = Workbook(path)
        self.assertEqual(list(book.sheets), ["Proposals", "Assumptions", "Realized"])
        self.assertFalse([c for cells in book.sheets.values() for c in cells.values() if c[1] is not None])  # no formula
        rows = rows_of(book.sheets["Proposals"])
        self.assertEqual([r["Id"] for r in rows], [i["id"] for i in told["items"]])
        for row, item in zip(rows, told["items"]):
            amounts = item["per_month"]
            for quantile in QUANTILES:
                if amounts:
                    self.assertAlmostEqual(row[quantile], amount(amounts[quantile]), delta=decimal.Decimal("1e-6"))
                else:
                    self.assertNotIn(quantile, row)
                if item["counted"]:
                    self.assertAlmostEqual(row["Counted " + quantile], amount(item["counted"][quantile]), delta=decimal.Decimal("1e-6"))
                else:
                    self.assertNotIn("Counted " + quantile, row)
            packed = " (packed)" if item["kind"] == "capacity" and item["id"].endswith("/packed") else ""
            self.assertEqual((row["Kind"], row["What"], row.get("Team")), (item["kind"], item["target"] + packed, item["owner"]))
            self.assertEqual((row["Counted"], row.get("Reason")), ("no" if item["excluded_by"] else "yes", item["excluded_by"]))
            self.assertEqual(row.get("Risks", ""), "; ".join(item["risks"]))
        assumed = {r["Assumption"]: r for r in rows_of(book.sheets["Assumptions"])}
        self.assertEqual((assumed["scale-down-delay"]["Value"], assumed["scale-down-delay"]["Changed"]), ("3h", "yes"))
        self.assertEqual([n for n, r in assumed.items() if r["Changed"] == "yes"], ["scale-down-delay"])
        kind = os.path.join(self.folder, "kind.xlsx")
        self.fleet.healthy("savings", "schedule", "--xlsx", kind)
        self.assertEqual({r["Kind"] for name in ("Proposals", "Assumptions") for r in rows_of(Workbook(kind).sheets[name])}, {"schedule"})
        one = os.path.join(self.folder, "one.xlsx")
        self.fleet.healthy("savings", told["items"][0]["id"], "--xlsx", one)
        self.assertEqual([r["Id"] for r in rows_of(Workbook(one).sheets["Proposals"])], [told["items"][0]["id"]])

    def test_the_same_workbook_twice(self):
        made = []
        for name in ("first.xlsx", "second.xlsx"):
            path = os.path.join(self.folder, name)
            self.fleet.healthy("savings", "--xlsx", path)
            with open(path, "rb") as file:
                made.append(file.read())
        self.assertEqual(*made)

    def test_where_a_workbook_can_not_go(self):
        path = os.path.join(self.folder, "no.xlsx")
        for options, status, said in ((["--json"], USAGE, "omit --json"), (["--csv"], USAGE, "omit --csv"), (["--assumptions"], USAGE, "--assumptions")):
            done = self.fleet.run("savings", "--xlsx", path, *options)
            self.assertEqual(done.returncode, status, done.text)
            self.assertIn(said, done.text)
            self.assertFalse(os.path.exists(path))
        done = self.fleet.run("savings", "--xlsx", os.path.join(self.folder, "missing", "no.xlsx"))
        self.assertEqual(done.returncode, 3, done.text)

    def test_people_read_the_same(self):
        text = self.text("--all")
        self.assertIn("What could have been saved from ", text.splitlines()[0])
        for one in self.whole["total"]:
            (line,) = [l for l in text.splitlines() if l.startswith("total ") and l.endswith(one["currency"])]
            self.assertEqual(line.split()[1:4], [cents(value) for value in band(one["per_month"])])
        for item in self.whole["items"]:
            self.assertIn(item["target"], text)
        self.assertNotIn(" more (see them with --all)", text)
        excluded = [i for i in self.whole["items"] if i["excluded_by"]]
        self.assertEqual(f"and {len(excluded) - 10} more (see them with --all)" in self.text(), len(excluded) > 10)

    def test_one_proposal_whole(self):
        item = self.whole["items"][0]
        told = self.ask(item["id"])
        self.assertEqual(set(told), {"range", "cost", "assumptions", "item", "warnings"})
        told["item"].pop("curve")
        self.assertEqual((told["range"], told["item"]), (self.whole["range"], item))
        text = self.text(item["id"])
        for part in (f"id: {item['id']}", *(f"  {k}: {v}" for k, v in (*item["assumptions"].items(), *item["evidence"].items())),
                     *(f"  {risk}" for risk in item["risks"]), *(f"  {line}" for line in (item["how"] or "").splitlines())):
            self.assertIn(part, text)
        sheet = list(csv.DictReader(io.StringIO(self.text(item["id"], "--csv"))))
        self.assertEqual([r["id"] for r in sheet], [item["id"]])
        for item in self.whole["items"]:
            if sum(i["target"] == item["target"] for i in self.whole["items"]) == 1:
                told = self.ask(item["target"])["item"]
                told.pop("curve")
                self.assertEqual(told, item)
                break

    def test_curves(self):
        """What a figure depends on, with the figures that the proposal has."""
        item = self.ask(next(i["id"] for i in self.whole["items"] if i["kind"] == "capacity"))["item"]
        curve = item["curve"]
        self.assertEqual((curve["x_unit"], curve["y_unit"], curve["lines"]), ("unix_seconds", "nodes", ["present", "sufficed"]))
        self.assertEqual({b["x"] - a["x"] for a, b in zip(curve["points"], curve["points"][1:])}, {86400})  # 28 days
        off = 24 * sum(present - sufficed for present, sufficed in (point["y"] for point in curve["points"]))
        self.assertAlmostEqual(off, int(item["evidence"]["node-hours off"].replace(",", "")))
        self.assertGreater(max(point["y"][0] for point in curve["points"]), 0)
        schedule = next(i for i in self.whole["items"] if i["kind"] == "schedule")
        week = self.ask(schedule["id"], "--assume", "off-hours=sat, sun")["item"]["curve"]
        self.assertEqual([point["x"] for point in week["points"] if point["shaded"]], list(range(120, 168)))
        self.assertTrue(all(0 <= point["y"][1] <= point["y"][0] for point in week["points"]))
        size = next(i for i in self.whole["items"] if i["kind"] == "right-size" and (i["excluded_by"] or "").startswith("others use its machines"))
        shares = [point["y"][0] for point in self.ask(size["id"])["item"]["curve"]["points"]]
        self.assertEqual(shares, sorted(shares))
        self.assertAlmostEqual(shares[-1], 1)
        commitment = next(i for i in self.whole["items"] if i["kind"] == "commitments" and i["excluded_by"] is None)
        curve = self.ask(commitment["id"])["item"]["curve"]
        least = min(curve["points"], key=lambda point: point["y"][0])
        self.assertEqual([mark["x"] for mark in curve["marks"]], [least["x"]])
        self.assertLess(least["y"][0], curve["reference"]["y"])
        owned = next(i for i in self.whole["items"] if i["id"].startswith("commitments:existing/"))
        self.assertIsNone(self.ask(owned["id"])["item"]["curve"])

    def test_views_of_cost(self):
        for view in ("billed", "list"):
            told = self.ask("--cost", view)
            self.assertEqual(told["cost"], view)
            self.check_sums(told)

    def test_a_range_is_cut_to_the_data(self):
        told = self.ask("--from", "2000-01-01")["range"]
        self.assertTrue(datetime.timedelta(days=39) <= time(told["to"]) - time(told["from"]) <= datetime.timedelta(days=41), told)
        told = self.ask("--from", "2026-10-20T00:10:00Z", "--to", "2026-10-27T00:50:00Z")["range"]
        self.assertEqual(told, {"from": "2026-10-20T01:00:00Z", "to": "2026-10-27T00:00:00Z"})

    def test_assumptions_are_listed(self):
        told = self.ask("--assumptions", "--assume", "start-up=1h30m")["assumptions"]
        self.assertEqual(len({one["name"] for one in told}), len(told))
        values = {one["name"]: (one["value"], one["default"], one["least"], one["most"]) for one in told}
        self.assertEqual(values["start-up"], ("90m", "10m", "0s", "1d"))
        self.assertEqual(values["off-hours"], ("best", "best", None, None))
        text = self.text("--assumptions")
        for one in told:
            self.assertIn(one["name"], text)
            self.assertIn(one["help"], text)
        only = self.ask("schedule", "--assumptions")["assumptions"]
        self.assertEqual({one["kind"] for one in only}, {"schedule"})
        self.assertTrue(0 < len(only) < len(told))

    def test_another_assumption_changes_its_kind_alone(self):
        given = ("--assume", "off-hours=SAT,sun", "--assume", "schedule-scale-down-delay=40m")
        changed = self.ask(*given)
        self.assertEqual(changed["assumptions"], {"off-hours": "sat, sun", "schedule-scale-down-delay": "40m"})
        before, after = ({i["id"]: (i["per_month"], i["assumptions"]) for i in answer["items"] if i["kind"] == "schedule"}
                         for answer in (self.whole, changed))
        self.assertEqual(set(before), set(after))
        self.assertTrue(before)
        for _, assumed in after.values():
            self.assertEqual((assumed["off-hours"], assumed["schedule-scale-down-delay"]), ("sat, sun", "2400s"))
        self.assertNotEqual(before, after)
        others = [[(i["id"], i["per_month"], i["assumptions"]) for i in sorted(answer["items"], key=lambda i: i["id"])
                   if i["kind"] != "schedule"] for answer in (self.whole, changed)]
        self.assertEqual(*others)
        self.assertEqual(self.ask("--assume", "start-up=600s"), self.whole)
        self.assertIn("Assumed: off-hours sat, sun", self.text(*given))

    def test_scenarios(self):
        done = self.fleet.run("savings", "scenarios", "--save", "week ends", "--assume", "off-hours=SAT,sun", "--json")
        self.assertEqual(done.returncode, 0, done.text)
        saved = [{"name": "week ends", "assumptions": {"off-hours": "sat, sun"}, "unknown": []}]
        self.assertEqual(json.loads(done.stdout)["scenarios"], saved)
        self.assertEqual(self.ask("--scenario", "week ends"), self.ask("--assume", "off-hours=sat, sun"))
        both = self.ask("--scenario", "week ends", "--assume", "start-up=1h")["assumptions"]
        self.assertEqual(both, {"off-hours": "sat, sun", "start-up": "1h"})
        self.assertIn("off-hours=sat, sun", self.text("scenarios"))
        for options in (["--scenario", "week"], ["scenarios", "--save", ""], ["scenarios", "--remove", "week"],
                        ["scenarios", "--assume", "start-up=1h"], ["scenarios", "--save", "a", "--remove", "b"]):
            done = self.fleet.run("savings", *options)
            self.assertNotEqual(done.returncode, 0, options)
            self.assertEqual(done.stdout, b"", options)
        self.assertEqual(self.ask("scenarios")["scenarios"], saved)
        self.fleet.healthy("savings", "scenarios", "--remove", "week ends")
        self.assertEqual(self.ask("scenarios")["scenarios"], [])

    def test_own_offers(self):
        target = "commitments:gcp/01AB23-CD45EF-678901/us-central1/g2-standard-48/USD"
        before = next(i for i in self.whole["items"] if i["id"] == target)
        self.assertTrue(before["excluded_by"].startswith("no committed price"), before)
        folder = tempfile.TemporaryDirectory(prefix="gpuledgerown")
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "mine.csv")
        with open(path, "w", encoding="utf-8") as out:
            out.write("provider,machine,gpu_model,gpus,currency,per_hour,term_months,payment,upfront,seen\n"
                      "gcp,g2-standard-48,L4,4,USD,0,36,all,262.80,2026-10-01\n"
                      "gcp,g2-standard-48,L4,4,USD,0.02,12,none,,\n"
                      "gcp,g2-standard-48,L4,4,EUR,0.01,12,none,,\n"
                      "gcp,g2-standard-48,L4,4,USD,-1,12,none,,\n"
                      "gcp,a3-nothing,L4,4,USD,1,12,none,,\n"
                      "gcp,g2-standard-48,L4,4,USD,1,,,,\n")
        told = self.ask("--own", path)
        self.check_sums(told)
        item = next(i for i in told["items"] if i["id"] == target)
        self.assertGreater(amount(item["per_month"]["p50"]), 0)
        labels = [label for label in item["evidence"] if label.startswith(("offer", "alternative"))]
        self.assertEqual(labels, ["offer 1: commitment, all upfront: 262.80 USD per machine, term in months: 36",
                                  "alternative 1: commitment, no upfront, term in months: 12",
                                  "alternative 2: commitment, no upfront, term in months: 12"])
        self.assertIn("(own offer from mine.csv, dated 2026-10-01)", item["evidence"][labels[0]])
        self.assertIn("(own offer from mine.csv, date unknown)", item["evidence"][labels[1]])
        self.assertIn("0.0100 EUR", item["evidence"][labels[2]])
        self.assertEqual(told["warnings"], ["unreadable rows of own offers, not used: 1",
                                            "own offers that are not commitments, not used: 1",
                                            "own commitment offers for machines that did not run on demand, not used: 1"])
        # An id of a figure names no file, so that nothing that depends on one has an id.
        self.assertEqual((item["figures"], [one["figures"] for one in told["total"]]), ({}, [{}] * len(told["total"])))
        self.assertTrue(any(i["figures"] for i in told["items"] if i["kind"] == "capacity"))
        self.assertEqual(self.ask("commitments", "--own", path)["warnings"], told["warnings"])
        self.assertEqual(self.ask("capacity", "--own", path)["warnings"], [])
        self.assertIn("unreadable rows of own offers", self.text("commitments", "--own", path))
        self.assertEqual(self.fleet.healthy("savings", "--json").stdout, self.bytes)
        done = self.fleet.run("savings", "--own", path + ".no")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("there is no price list", done.text)

    def test_what_can_not_be_assumed(self):
        for given, said in (("nothing=1", "scale-down-delay"), ("start-up=2d", "0s to 1d"), ("start-up=", "start-up"),
                            ("off-hours=mon 25-7", "mon 25-7"), ("start-up", "NAME=VALUE")):
            done = self.fleet.run("savings", "--assume", given)
            self.assertEqual((done.returncode, done.stdout), (USAGE, b""), done.text)
            self.assertIn(said, done.text)
        done = self.fleet.run("savings", "nothing", "--assumptions")
        self.assertEqual((done.returncode, done.stdout), (USAGE, b""), done.text)

    def test_what_is_no_question(self):
        for options, said in ((["--from", "2026-11-02", "--to", "2026-11-01"], "--from is not before --to"),
                              (["--from", "2020-01-01", "--to", "2020-02-01"], "no whole hour with data"),
                              (["--from", "2026-11-01T00:10:00Z", "--to", "2026-11-01T00:50:00Z"], "no whole hour with data"),
                              (["--from", "2030-01-01"], "in the future"), (["--from", "soon"], '"soon"'), (["--cost", "free"], "--cost"),
                              (["spots"], '"spots"'), (["compare"], "compare is a command of its own: gpuledger-cli compare"),
                              (["schedule:\x1b[31m"], "schedule:"), (["--team", "research"], "--team")):
            done = self.fleet.run("savings", *options)
            self.assertEqual(done.returncode, USAGE, done.text)
            self.assertIn(said, done.text)
            self.assertNotIn("\x1b", done.text)
            self.assertEqual(done.stdout, b"")

    def test_without_data(self):
        program = Program(self.folder, configuration("  - { name: demo, kind: demo, gpus: 8, days: 1 }\n"))
        done = program.run("savings", now=NOW)
        self.assertEqual((done.returncode, done.stdout), (USAGE, b""), done.text)
        self.assertIn("no usage was fetched", done.text)

    def test_a_report_answers_for_its_month(self):
        file = os.path.join(self.folder, "october.gpureport")
        self.fleet.healthy("showback", "--month", "2026-10", "--format", "gpureport", "--out", file)
        reader = Program(self.folder)
        reader.command = lambda *arguments, now: [CLI, "--data", reader.data, "--report", file, *arguments]
        told = Fleet.json(reader, "savings", timeout=600)
        self.assertEqual(told["range"], {"from": "2026-10-04T00:00:00Z", "to": "2026-11-01T00:00:00Z"})
        self.check_sums(told)


if __name__ == "__main__":
    unittest.main()
