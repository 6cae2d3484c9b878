# SPDX-License-Identifier: GPL-3.0-or-later
"""What `idle --at` says of blocked GPUs at many moments of the demo's past, against the stored waits, `summary` and `heatmap`, and proved by `explain`."""
import contextlib
import csv
import datetime
import io
import json
import os
import sqlite3
import sys
import unittest
from decimal import Decimal

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "faults"))

from product import ProductTest  # noqa: E402

FLEET = "  - { name: demo, kind: demo, gpus: 64, days: 6, first_sync: 6d }\n"
BUCKET, QUARTER = 300, 900
ROUNDED = Decimal("0.000001")
MONEY = ("per_month", "avoidable_per_month", "sunk_per_month", "undecided_per_month")
WHOLE = ("nvidia_com_gpu", "amd_com_gpu")


def rfc(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def amount(row, key):
    return Decimal(row[key]["amount"])


class Blocked(ProductTest):
    def synced(self):
        program = self.program(FLEET)
        program.healthy("sync")
        with contextlib.closing(sqlite3.connect(f"file:{program.cache}?mode=ro", uri=True)) as db:
            self.waits = db.execute("SELECT c.name, n.name, s.name, t.value, w.gpus, w.span_start, w.span_end FROM waiting_span w"
                                    " JOIN subject s ON s.id = w.subject JOIN namespace n ON n.id = s.namespace JOIN cluster c ON c.id = n.cluster"
                                    " JOIN text t ON t.id = w.resource").fetchall()
            self.known = db.execute("SELECT c.name, span_start, span_end FROM waiting_known k JOIN cluster c ON c.id = k.cluster").fetchall()
            self.clusters = {row[0] for row in db.execute("SELECT DISTINCT c.name FROM device d JOIN cluster c ON c.id = d.cluster")}
        return program

    def check(self, answer, at):
        """The answer about one moment; returns its items."""
        blocked = answer["blocked"]
        known = {cluster for cluster, start, end in self.known if start <= at - BUCKET and end >= at} & self.clusters
        self.assertEqual(set(blocked["known_clusters"]), known)
        self.assertEqual(set(blocked["unknown_clusters"]), self.clusters - known)
        waited = {(c, n, name, resource, gpus) for c, n, name, resource, gpus, start, end in self.waits if start < at and end > at - BUCKET}
        held = {device for rows in ("items", "partly", "unknown") for row in answer[rows] for device in row["devices"]}
        seen = set()
        for item in blocked["items"]:
            self.assertIn(item["cluster"], known)
            self.assertIn(item["reason"], ("scattered", "mig-leftovers"))
            self.assertTrue(item["waits"])
            for wait in item["waits"]:
                self.assertIn((item["cluster"], wait["namespace"], wait["name"], wait["resource"], wait["gpus"]), waited)
                if item["reason"] == "scattered" and wait["resource"] in WHOLE:
                    self.assertGreater(wait["gpus"], len(item["devices"]), item)  # else they could have been given to it
            devices = {(item["cluster"], item["node"], device) for device in item["devices"]}
            self.assertFalse(devices & seen, "a GPU counts once")
            seen |= devices
            self.assertFalse(set(item["devices"]) & held, "what is held is not free")
            if item["per_month"]:
                self.assertEqual(amount(item, "per_month"), 730 * amount(item, "rate_per_hour"))
        totals = blocked["totals"]
        self.assertEqual(totals["items"], len(blocked["items"]))
        self.assertEqual(amount(totals, "per_month"), sum(amount(i, "per_month") for i in blocked["items"] if i["per_month"]))
        for key in MONEY:
            self.assertEqual(amount(answer["with_blocked"], key), amount(answer["totals"], key) + amount(totals, key))
            self.assertEqual(amount(answer["totals"], key), sum(amount(cause, key) for cause in answer["by_cause"]))
        return blocked["items"]

    def prove(self, program, row, key):
        proof = json.loads(program.healthy("explain", row["figures"][key], "--json").stdout)
        self.assertTrue(proof["agrees"], proof)
        self.assertEqual((proof["value"], proof["recomputed"]), (row[key], row[key]))
        self.assertTrue(proof["rows"])
        self.assertEqual({one["state"] for one in proof["rows"]}, {"unallocated"})

    def agree(self, program, answer, at):
        """The sheet has the same; what is blocked, or may be, is unallocated in `summary` and the heat map of that time."""
        blocked = answer["blocked"]
        sheet = csv.DictReader(io.StringIO(program.healthy("idle", "--at", rfc(at), "--csv").stdout.decode(), newline=""))
        rows = [row for row in sheet if row["state"] == "blocked"]
        self.assertEqual([(row["id"], row["cause"], row["cluster"], row["node"], row["owner"], row["gpu_model"]) for row in rows],
                         [(item["id"], "blocked", item["cluster"], item["node"], item["owner"], item["gpu_model"]) for item in blocked["items"]])
        for row, item in zip(rows, blocked["items"]):
            self.assertAlmostEqual(float(row["gpus"]), item["gpus"], places=6)
            self.assertIn(item["waits"][0]["name"], row["reason"])
            for key in ("rate_per_hour", "per_month"):
                self.assertEqual(Decimal(row[key]) if row[key] else None, amount(item, key) if item[key] else None)
        start = (at - BUCKET) // QUARTER * QUARTER
        asked = ("--by", "node", "--from", rfc(start), "--to", rfc(start + QUARTER))
        summary = json.loads(program.healthy("summary", *asked, "--json").stdout)
        heatmap = json.loads(program.healthy("heatmap", *asked, "--bins", "hour", "--metric", "allocation", "--json").stdout)
        cells = {row["key"]: row["cells"][0] for row in heatmap["rows"]}
        nodes = {row["key"]: row for row in summary["rows"]}
        for node in {item["node"] for item in blocked["items"]}:
            items = [item for item in blocked["items"] if item["node"] == node]
            hours, part = nodes[node]["gpu_hours"], BUCKET / 3600 * sum(item["gpus"] for item in items)
            self.assertLessEqual(part, hours["unallocated"] + 1e-6)
            self.assertAlmostEqual(cells[node]["held_hours"], hours["held"], places=6)
            self.assertAlmostEqual(cells[node]["value"], hours["held"] / hours["paid"], places=6)
            self.assertLessEqual(cells[node]["held_hours"] + part, hours["paid"] + 1e-6)
            rates = [amount(item, "rate_per_hour") for item in items if item["rate_per_hour"]]
            if len(rates) == len(items):
                self.assertLessEqual(sum(rates) * BUCKET / 3600, Decimal(nodes[node]["cost"]["unallocated"]["amount"]) + ROUNDED)
        most = blocked["totals"]["gpus"] + blocked["undecided_gpus"] + blocked["unexplained_gpus"]
        self.assertLessEqual(most * BUCKET / 3600, summary["total"]["gpu_hours"]["unallocated"] + 1e-6)

    def test_past_moments(self):
        program = self.synced()
        first, last = min(start for _, start, _ in self.known), max(end for _, _, end in self.known)
        found, proved, unexplained = 0, 0, 0
        for at in range((first + 86400) // BUCKET * BUCKET, last // BUCKET * BUCKET, 5 * 3600):
            answer = json.loads(program.healthy("idle", "--at", rfc(at), "--json").stdout)
            items = self.check(answer, at)
            found += len(items)
            unexplained += answer["blocked"]["unexplained_gpus"] > 0
            if items and proved < 3:
                proved += 1
                self.agree(program, answer, at)
                self.prove(program, answer["blocked"]["totals"], "per_month")
                self.prove(program, items[0], "per_month")
                self.prove(program, items[-1], "rate_per_hour")
                text = program.healthy("idle", "--at", rfc(at)).stdout.decode()
                self.assertIn("could not be given to the pods that waited", text)
                self.assertIn(items[0]["waits"][0]["name"], text)
        print(f"{found} blocked items, {unexplained} moments with free GPUs that may be blocked", flush=True)
        self.assertGreater(found, 0)
        self.assertEqual(proved, 3)

    def test_before_anything_was_recorded(self):
        program = self.synced()
        first = min(start for _, start, _ in self.known)
        answer = json.loads(program.healthy("idle", "--at", rfc(first), "--json").stdout)
        self.assertEqual((answer["blocked"]["items"], answer["blocked"]["known_clusters"]), ([], []))
        self.assertEqual(set(answer["blocked"]["unknown_clusters"]), self.clusters)


if __name__ == "__main__":
    unittest.main()
