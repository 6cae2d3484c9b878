# SPDX-License-Identifier: GPL-3.0-or-later
"""Every id in every JSON answer: `explain` accepts it, shows the same value, and recomputes it from the facts."""
import collections
import concurrent.futures
import decimal
import json
import os
import random
import re
import sqlite3
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "faults"), HERE]

from bills import line, write_bill  # noqa: E402
from product import ProductTest, configuration, edited  # noqa: E402

Decimal = decimal.Decimal
FLEET = "  - { name: demo, kind: demo, gpus: 8, days: 2, first_sync: 2d }\n"
DAYS = ("--from", "2025-03-29", "--to", "2025-03-31")
MONTH = ("--month", "2025-03")
ANSWERS = (
    ("summary", "--by", "team", *DAYS),
    ("summary", "--by", "workload", "--environment", "prod", *DAYS),
    ("summary", "--by", "node", "--node-pool", "train-a100", *DAYS),
    ("summary", "--by", "gpu-model", "--from", "2025-03-29T07:10:00Z", "--to", "2025-03-30T18:05:00Z"),
    ("heatmap", "--by", "team", "--bins", "hour-of-day", "--metric", "utilization", *DAYS),
    ("heatmap", "--by", "device", "--bins", "day", "--metric", "idle-cost", "--tz", "Asia/Kathmandu", *DAYS),
    ("heatmap", "--by", "team", "--bins", "day", "--metric", "cost", *DAYS),
    ("idle",),
    ("idle", "--waiting"),
    ("replay", "idle", *DAYS),
    ("replay", "idle", "--team", "research", *DAYS),
    ("ledger", "--by", "team,state,category", "--from", "2025-03-01", "--to", "2025-04-01"),
    ("ledger", "--by", "workload,origin", "--cost", "effective", "--per", "day", *DAYS),
    ("ledger", "--by", "team,part,category", "--split", "aws", "--from", "2025-03-01", "--to", "2025-04-01"),
    ("ledger", "--by", "part,origin", "--split", "fixed", "--cost", "effective", *DAYS),
    ("reconcile", *MONTH),
    ("showback", *MONTH),
    ("showback", "--cost", "effective", *MONTH),
    ("showback", "--lens", *MONTH),
    ("showback", "--lens", "--cost", "effective", *MONTH),
)
MOST = 12  # ids tested per answer, spread randomly; GPULEDGER_EXPLAIN_ALL=1: all of them


def figures(value, path=()):
    """(path, id, displayed value) of each id below; the value is found by the name of the id in the object that contains it."""
    if isinstance(value, list):
        for i, one in enumerate(value):
            yield from figures(one, (*path, i))
    elif isinstance(value, dict):
        for name, figure in value.get("figures", {}).items():
            shown = value
            for part in name.split("."):
                shown = shown[part]
            yield (*path, name), figure, shown
        for key, one in value.items():
            if key != "figures":
                yield from figures(one, (*path, key))


def total(rows, key):
    return sum((Decimal(r[key]["amount"]) for r in rows if r[key]), Decimal(0))


class Explain(ProductTest):
    def ask(self, program, *arguments, status=0):
        done = program.run(*arguments, "--json")
        self.assertIn(done.returncode, (status, 1) if arguments[0] in ("reconcile", "showback") else (status,), done.text)
        return json.loads(done.stdout)

    def fleet(self):
        """Two days of telemetry, and a bill with machines that were and were not observed, with other services, and in two currencies."""
        program = self.program(FLEET)
        program.healthy("sync")
        with sqlite3.connect(f"file:{program.cache}?mode=ro", uri=True) as db:
            node = db.execute("SELECT provider_id FROM node WHERE cloud = 'aws' ORDER BY name").fetchone()[0].rsplit("/", 1)[1]
        folder = os.path.join(program.folder, "bills")
        os.mkdir(folder)
        machine = f"arn:aws:ec2:us-east-1:1:instance/{node}"
        hours = {"ConsumedQuantity": "24", "ConsumedUnit": "Hours"}
        month = {"ChargePeriodStart": "2025-03-01T00:00:00Z", "ChargePeriodEnd": "2025-04-01T00:00:00Z"}
        write_bill(os.path.join(folder, "a.csv"), [
            line(ResourceId=machine, BilledCost="100.000000001", EffectiveCost="70", SubAccountId="prod", **hours),
            line(ResourceId=machine, BilledCost="33.3", ChargePeriodStart="2025-03-30T00:00:00Z", ChargePeriodEnd="2025-03-31T00:00:00Z",
                 SubAccountId="prod", **hours),
            line(ResourceId=machine, BilledCost="3", ConsumedQuantity="90", ConsumedUnit="GB"),
            line(ResourceId="vol-1", ServiceCategory="Storage", ServiceName="EBS", BilledCost="5", Tags='{"CostCenter": "a&b=c?"}'),
            line(ChargeCategory="Tax", BilledCost="2.000000007", EffectiveCost="2", **month),
            line(ChargeCategory="Credit", BilledCost="-1.5", EffectiveCost="-1.5", BillingCurrency="EUR", **month),
            line(BilledCost="9", ChargePeriodStart="1890-01-01T00:00:00Z", ChargePeriodEnd="2190-01-01T00:00:00Z"),
            line(ResourceId="i-unseen", SkuPriceDetails='{"InstanceType": "p4d.24xlarge"}', ConsumedQuantity="2", ConsumedUnit="Hours",
                 BilledCost="60", Tags='{"CostCenter": "speech"}')])
        program.configure(configuration(FLEET, f"  - {{ name: bill, kind: focus, path: {folder} }}\n")
                          + "owners: [{ label: team }, { cloud_tag: cost-center }]\n")
        program.healthy("sync")
        return program

    def check(self, program, path, figure, shown):
        proof = self.ask(program, "explain", figure)
        where = f"{figure} at {path}"
        self.assertEqual(proof["figure"], figure)
        self.assertTrue(proof["agrees"], where)
        self.assertEqual(proof["value"], shown, where)
        self.assertEqual(proof["recomputed"], shown, where)
        self.assertTrue(proof["formula"] and proof["query"]["shown"] and proof["query"]["recomputed"], where)
        split = re.search("[?&]split=([a-z-]+)", figure)
        self.assertEqual(proof["policy"], split[1] if split else "gpu-first")
        self.assertEqual([s["name"] for s in proof["sources"]], ["demo", "bill"])
        self.assertTrue(all(s["synced_at"] for s in proof["sources"]), where)
        if figure.startswith(("ledger/cost", "showback/line.cost", "showback/team.cost")):
            left = proof["left_out"]["amount"]
            self.assertEqual(total(proof["rows"], "amount") + Decimal(left["amount"] if left else 0), Decimal(shown["amount"]), where)
            for row in proof["rows"]:
                self.assertRegex(row["place"], r"/bills/a\.csv:[2-9]$", row)
                self.assertTrue(row["charge"] and row["lines"] >= 1, row)
        if figure.startswith("ledger/priced"):
            self.assertTrue(all(r["price_source"] and r["resource"] for r in proof["rows"]), where)
        if figure.startswith("summary/cost.idle") and shown:
            self.assertTrue(all(r["state"] == "idle" and (not r["cost"] or r["price_source"]) for r in proof["rows"]), where)

    def test_every_id_of_every_answer(self):
        program = self.fleet()
        chance = random.Random(20261101)
        wanted, kinds = [], collections.Counter()
        for answer in ANSWERS:
            found = list(figures(self.ask(program, *answer)))
            self.assertTrue(found or "--waiting" in answer, answer)  # what waits there may need only a part of a workload
            kinds.update(f.split("?")[0] for _, f, _ in found)
            few = found if os.environ.get("GPULEDGER_EXPLAIN_ALL") else chance.sample(found, min(MOST, len(found)))
            wanted += few
        for kind in ("summary", "heatmap", "idle", "ledger", "showback", "reconcile"):
            self.assertTrue(any(k.startswith(kind) for k in kinds), kinds)
        self.assertTrue({"ledger/cost", "ledger/unexplained", "ledger/price-book", "showback/line.cost", "reconcile/line.price-book"} <= set(kinds), kinds)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for done in [pool.submit(self.check, program, *one) for one in wanted]:
                done.result()
        print(f"{len(wanted)} of {sum(kinds.values())} ids of {len(kinds)} kinds explained", flush=True)

    def test_text_and_table(self):
        program = self.fleet()
        summary = self.ask(program, "summary", "--by", "team", *DAYS)
        figure = summary["rows"][0]["figures"]["gpu_hours.idle"]
        text = program.healthy("explain", figure).stdout.decode()
        for part in (figure, "value: ", "recomputed: ", "(the same)", "formula: ", "policy:     gpu-first", "per GPU-hour", "synced 2025-03-31"):
            self.assertIn(part, text)
        table = program.healthy("explain", figure, "--csv").stdout.decode().splitlines()
        self.assertTrue(table[0].startswith("device,from,to,state,"))
        self.assertGreater(len(table), 1)
        self.assertIn("summary/gpu-hours.idle", program.healthy("explain", "--help").stdout.decode())

    def test_refused(self):
        program = self.fleet()
        for figure, part in (("nonsense", "invalid figure reference"), ("summary/cost.idle?from=2025-03-29&to=2025-03-30&x=1", 'unknown key "x"'),
                             ("idle/wasted?at=2025-03-30&id=nobody", "is idle at 2025-03-30")):
            done = program.run("explain", figure, "--json")
            self.assertEqual((done.returncode, done.stdout), (2, b""), done.text)
            self.assertSentence(done, part)
            self.assertIn(json.loads(done.text.splitlines()[-1])["error"]["code"], ("invalid-argument", "not-found"))

    def test_tampered(self):
        program = self.fleet()
        ledger = self.ask(program, "ledger", "--by", "team", "--from", "2025-03-01", "--to", "2025-04-01")
        row = next(r for r in ledger["rows"] if Decimal(r["cost"]["amount"]))
        with edited(program.cache) as db:
            db.execute("UPDATE ledger_line SET billed = billed + 5 WHERE billed <> 0")
        proof = self.ask(program, "explain", row["figures"]["cost"], status=1)
        self.assertFalse(proof["agrees"])
        self.assertEqual(proof["recomputed"], row["cost"])
        self.assertGreater(Decimal(proof["value"]["amount"]), Decimal(row["cost"]["amount"]))
        text = program.run("explain", row["figures"]["cost"])
        self.assertEqual(text.returncode, 1)
        self.assertIn("NOT THE SAME", text.stdout.decode())

    def test_closed_months_are_proved_by_what_was_kept(self):
        program = self.fleet()
        later = "2025-04-02T00:00:00Z"
        program.run("showback", *MONTH, "--close", "--yes", "--reason", "a test", "--json", now=later)
        closed = json.loads(program.run("showback", *MONTH, "--json", now=later).stdout)
        self.assertEqual(closed["status"]["state"], "closed")
        found = list(figures(closed))
        self.assertTrue(found)
        for path, figure, shown in random.Random(1).sample(found, min(MOST, len(found))):
            proof = json.loads(program.run("explain", figure, "--json", now=later).stdout)
            self.assertTrue(proof["agrees"], figure)
            self.assertEqual((proof["value"], proof["recomputed"]), (shown, shown), f"{figure} at {path}")
            kept = proof["closed"]
            self.assertEqual((kept["month"], kept["reason"], kept["hash"], kept["in_log"]),
                             ("2025-03", "a test", closed["status"]["hash"], True))
            self.assertEqual(kept["now"], shown, figure)
        text = program.healthy("explain", "showback/cost?month=2025-03&view=billed&in=USD", now=later).stdout.decode()
        for part in ("closed:     2025-03 on 2025-04-02", "reason: a test", "record:     SHA-256 " + closed["status"]["hash"],
                     "audit log:  entry 1", "(names the record)", "by the facts as they are now, the same"):
            self.assertIn(part, text)

    def test_conversions_have_no_ids(self):
        program = self.fleet()
        converted = self.ask(program, "ledger", "--by", "team", "--currency", "EUR", "--from", "2025-03-01", "--to", "2025-04-01")
        self.assertFalse(list(figures(converted)))


if __name__ == "__main__":
    unittest.main()
