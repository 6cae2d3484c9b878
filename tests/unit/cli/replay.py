# SPDX-License-Identifier: GPL-3.0-or-later
"""What another idle rule would have done: `replay idle` over the demo fleet, compared with `idle --at` and with its own sums."""
import csv
import datetime
import io
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "faults"))

from fleet import Fleet  # noqa: E402
from product import ProductTest  # noqa: E402

USAGE = 2
SUM = {"stops", "false_stops", "resumed", "undecided", "back_gpu_hours", "back_gpu_hours_of_false_stops", "unobserved_gpu_hours",
       "lost_gpu_hours", "unpriced_gpu_hours", "money_back"}
STOP = {"id", "name", "owner", "cluster", "namespace", "workload_type", "at", "until", "resumed", "false_stop", "back_gpu_hours",
        "unobserved_gpu_hours", "lost_gpu_hours", "money_back"}


def time(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


class Replay(ProductTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.first = tempfile.TemporaryDirectory(prefix="gpuledgerreplay")
        cls.addClassCleanup(cls.first.cleanup)
        cls.fleet = Fleet(cls.first.name)

    def replay(self, *options):
        return self.fleet.json("replay", "idle", *options)

    def test_shape_and_sums(self):
        told = self.replay()
        self.assertEqual(set(told), {"from", "to", "threshold", "cost", "resume_within_seconds", "idle_gpu_hours", "total", "rows", "stops",
                                     "stops_left_out", "grace", "figures"})
        self.assertEqual(set(told["total"]), SUM | {"figures"})
        self.assertEqual((told["threshold"], told["resume_within_seconds"], told["stops_left_out"]), (0.05, 3600, 0))
        stops, total = told["stops"], told["total"]
        self.assertGreater(len(stops), 0)
        self.assertEqual(len(stops), total["stops"])
        for row in told["rows"]:
            self.assertEqual(set(row), SUM | {"workload_type", "owner", "figures"})
        for key in SUM - {"money_back"}:
            self.assertAlmostEqual(sum(row[key] for row in told["rows"]), total[key], places=6)
        self.assertAlmostEqual(sum(s["back_gpu_hours"] for s in stops), total["back_gpu_hours"], places=6)
        self.assertLessEqual(total["back_gpu_hours"], told["idle_gpu_hours"])
        for stop in stops:
            self.assertEqual(set(stop), STOP | {"figures"})
            self.assertLessEqual(time(stop["at"]), time(stop["until"]))
            soon = stop["resumed"] is not None and (time(stop["resumed"]) - time(stop["at"])).total_seconds() < 3600
            if stop["false_stop"] is not None:
                self.assertEqual(stop["false_stop"], soon)
        self.assertEqual(sum(s["false_stop"] is True for s in stops), total["false_stops"])
        self.assertEqual(sum(s["false_stop"] is None for s in stops), total["undecided"])

    def test_its_stops_and_sums_are_proved(self):
        """Another rule than the one in use, and a row, a stop and the total of it."""
        for options in ((), ("--threshold", "0.02", "--grace", "notebook=20m", "--resume-within", "3h", "--cost", "list")):
            told = self.replay(*options)
            self.assertTrue(told["rows"] and told["stops"], options)
            stop = max(told["stops"], key=lambda one: one["back_gpu_hours"])
            row = max(told["rows"], key=lambda one: one["stops"])
            for part, names in ((told["total"], SUM), (row, SUM), (stop, ("back_gpu_hours", "lost_gpu_hours", "money_back"))):
                for name in names:
                    figure = part["figures"].get(name)
                    self.assertTrue(figure or part[name] is None, (options, name))
                    if figure:
                        proof = self.fleet.json("explain", figure)
                        self.assertEqual((proof["agrees"], proof["value"], proof["recomputed"]), (True, part[name], part[name]), figure)
        wrong = stop["figures"]["back_gpu_hours"].replace("&id=", "&id=no-")
        self.assertEqual(self.fleet.run("explain", wrong).returncode, USAGE)

    def test_each_stop_is_in_the_idle_list_of_its_time_and_not_before(self):
        """The idle list is computed independently: at one moment, not day by day."""
        stops = self.replay()["stops"]
        for stop in stops[:: max(1, len(stops) // 6)]:
            listed = {item["id"] for item in self.fleet.json("idle", "--at", stop["at"])["items"]}
            self.assertIn(stop["id"], listed)
        before = (time(stops[-1]["at"]) - datetime.timedelta(minutes=5)).strftime("%Y-%m-%dT%H:%M:%SZ")
        listed = {item["id"] for item in self.fleet.json("idle", "--at", before)["items"]}
        first = min(s["at"] for s in stops if s["id"] == stops[-1]["id"])
        if first == stops[-1]["at"]:
            self.assertNotIn(stops[-1]["id"], listed)

    def test_the_list_says_how_likely_each_stays_idle(self):
        items = self.fleet.json("idle")["items"]
        self.assertTrue(items)
        sheet = {r["id"]: r for r in csv.DictReader(io.StringIO(self.fleet.healthy("idle", "--csv").stdout.decode())) if r["state"] == "idle"}
        for item in items:
            stays = item["stays_idle"]
            self.assertEqual(set(stays), {"hour", "day", "from", "gaps"})
            self.assertEqual(item["confidence"], stays["hour"])
            self.assertTrue(0 <= stays["day"] <= stays["hour"] <= 1, stays)
            self.assertEqual(stays["from"] == "default", stays["gaps"] == 0)
            self.assertIn(stays["from"], ("default", "fleet", "kind", "team", "workload"))
            if item["rate_per_hour"] is None:
                self.assertIsNone(item["expected_back"])
                continue
            rate, back, lost = (float(item[key]["amount"]) for key in ("rate_per_hour", "expected_back", "expected_lost"))
            self.assertTrue(0 <= back and 0 <= lost and back + lost <= 24 * rate + 1e-6, item)
            row = sheet[item["id"]]
            self.assertEqual((row["expected_back"], row["expected_lost"]), (item["expected_back"]["amount"], item["expected_lost"]["amount"]))
            self.assertEqual(int(row["stays_idle_gaps"]), stays["gaps"])
        self.assertTrue(any(item["stays_idle"]["gaps"] for item in items))  # the demo has a past

    def test_another_rule(self):
        usual = self.replay()
        patient = self.replay(*(o for kind in ("notebook", "development", "training", "batch", "inference", "unknown")
                                for o in ("--grace", f"{kind}=12h")))
        self.assertLess(patient["total"]["stops"], usual["total"]["stops"])
        self.assertLess(patient["total"]["back_gpu_hours"], usual["total"]["back_gpu_hours"])
        never = self.replay("--threshold", "0")
        self.assertLessEqual(never["total"]["stops"], usual["total"]["stops"])
        strict = self.replay("--resume-within", "6h")["total"]
        self.assertGreaterEqual(strict["false_stops"], usual["total"]["false_stops"])
        self.assertEqual(strict["stops"], usual["total"]["stops"])
        # The query changed nothing.
        self.assertEqual(self.replay(), usual)
        self.fleet.verify()

    def test_the_windows_and_where_they_come_from(self):
        listed, replayed = self.fleet.json("idle"), self.replay()
        self.assertEqual(listed["grace"], replayed["grace"])
        self.assertEqual(set(listed["grace"]), {"notebook", "development", "training", "batch", "inference", "unknown"})
        for kind, window in listed["grace"].items():
            self.assertEqual(set(window), {"seconds", "from", "false_share", "gaps"})
            self.assertIn(window["from"], ("measured", "default", "configured"))
            self.assertEqual(window["from"] == "measured", window["false_share"] is not None, kind)
            if window["from"] == "measured":
                self.assertGreaterEqual(window["gaps"], 100)
                self.assertTrue(window["false_share"] <= 0.05 or window["seconds"] == 86400, window)
            elif window["from"] == "default":
                self.assertLess(window["gaps"], 100)
        # The same cache gives the same list.
        self.assertEqual(self.fleet.json("idle")["grace"], listed["grace"])
        for command in (["idle"], ["replay", "idle"]):
            self.assertIn("idle for at least: ", self.fleet.healthy(*command).stdout.decode().splitlines()[1])
        given = self.replay("--grace", "training=3h")["grace"]["training"]
        self.assertEqual((given["seconds"], given["from"], given["false_share"]), (3 * 3600, "configured", None))

    def test_the_curve_is_what_each_rule_gives(self):
        """One pass over the facts for all rules, against one replay for each."""
        kinds = ("notebook", "development", "training", "batch", "inference", "unknown")
        curve = self.replay("--curve")
        self.assertEqual(set(curve), {"from", "to", "cost", "resume_within_seconds", "points", "this_rule", "better"})
        self.assertEqual([p["grace_seconds"] for p in curve["points"]],
                         [900, 1800, 3600, 7200, 10800, 14400, 21600, 28800, 43200, 57600, 86400])
        keys = ("stops", "false_stops", "back_gpu_hours", "money_back")
        usual = self.replay()["total"]
        # A point has no amount if part of what it brings back has no price.
        money = usual["money_back"] if usual["unpriced_gpu_hours"] == 0 else None
        self.assertEqual([curve["this_rule"][k] for k in keys], [*(usual[k] for k in keys[:3]), money])
        for point in curve["points"][::3]:
            own = self.replay(*(o for kind in kinds for o in ("--grace", f"{kind}={point['grace_seconds']}s")))["total"]
            self.assertEqual([point[k] for k in keys[:2]], [own[k] for k in keys[:2]])
            self.assertAlmostEqual(point["back_gpu_hours"], own["back_gpu_hours"], places=6)
        better = [p for p in curve["points"] if p["false_stops"] < curve["this_rule"]["false_stops"]
                  and p["back_gpu_hours"] > curve["this_rule"]["back_gpu_hours"]]
        self.assertEqual(curve["better"], max(better, key=lambda p: p["back_gpu_hours"]) if better else None)
        text = self.fleet.healthy("replay", "idle", "--curve").stdout.decode()
        self.assertEqual("Another rule, " in text, bool(better))
        sheet = list(csv.DictReader(io.StringIO(self.fleet.healthy("replay", "idle", "--curve", "--csv").stdout.decode())))
        self.assertEqual([int(r["false_stops"]) for r in sheet],
                         [p["false_stops"] for p in [*curve["points"], curve["this_rule"]]])
        self.assertEqual(sheet[-1]["rule"], "this_rule")

    def test_people_and_sheets(self):
        told = self.replay()
        text = self.fleet.healthy("replay", "idle").stdout.decode()
        self.assertIn("GPU-hours would have been recovered", text)
        sheet = list(csv.DictReader(io.StringIO(self.fleet.healthy("replay", "idle", "--csv").stdout.decode())))
        self.assertEqual([(r["id"], r["at"]) for r in sheet], [(s["id"], s["at"]) for s in told["stops"]])
        self.assertAlmostEqual(sum(float(r["back_gpu_hours"]) for r in sheet), told["total"]["back_gpu_hours"], places=6)
        one = self.replay("--team", told["rows"][0]["owner"])
        self.assertEqual({row["owner"] for row in one["rows"]}, {told["rows"][0]["owner"]})

    def test_what_is_no_rule(self):
        for options, said in ((["--threshold", "1.5"], "--threshold"), (["--grace", "notebook"], "--grace"),
                              (["--grace", "robots=1h"], "--grace"), (["--grace", "batch=soon"], "--grace"),
                              (["--resume-within", "0"], "--resume-within"), (["--resume-within", "-1h"], "--resume-within")):
            done = self.fleet.run("replay", "idle", *options)
            self.assertEqual(done.returncode, USAGE, done.text)
            self.assertIn(said, done.text)
            self.assertEqual(done.stdout, b"")


if __name__ == "__main__":
    unittest.main()
