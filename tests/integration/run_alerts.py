#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`alerts` on the demo fleet: what fires is what `heatmap` shows, a replay ends as an evaluation does, and wrong rules are refused."""
import csv
import datetime
import io
import json
import os
import sys
import unittest
from decimal import Decimal

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "faults"))

from product import ProductTest, Program, configuration  # noqa: E402

FLEET = "  - { name: demo, kind: demo, gpus: 8, days: 60, first_sync: 26d }\n"
NOW = "2025-03-26T12:00:00Z"
LOOK, WRONG_USAGE, WRONG_FILE = 1, 2, 3
LOW, HIGH = "0.000001 USD/day", "1000000 USD/day"


def alert(name, metric, per, bound, more="", when=""):
    return f"  - {{ name: {name}, when: {{ metric: {metric}, per: {per}, {bound}{when} }}{more} }}\n"


def quarter(time):
    """The begin of the quarter hour."""
    at = datetime.datetime.fromisoformat(time.replace("Z", "+00:00"))
    return at.replace(minute=at.minute // 15 * 15, second=0)


class AlertsTest(ProductTest):
    def program(self, *alerts, more=""):
        return Program(self.folder, configuration(FLEET) + more + "alerts:\n" + "".join(alerts))

    def synced(self, *alerts, more=""):
        program = self.program(*alerts, more=more)
        program.healthy("sync", now=NOW)
        return program

    def evaluated(self, program, now=NOW):
        done = program.run("alerts", "evaluate", "--json", now=now)
        self.assertIn(done.returncode, (0, LOOK), done.text)
        answer = json.loads(done.stdout)
        self.assertEqual(done.returncode == LOOK, bool(answer["firing"]))
        return answer

    def test_what_fires_is_what_the_summary_says(self):
        program = self.synced(alert("idle", "idle-cost", "team", f"above: {LOW}"), alert("never", "idle-cost", "all", f"above: {HIGH}"),
                              alert("hours", "idle-hours", "all", "above: 0.000001 h/day"))
        answer = self.evaluated(program)
        self.assertEqual(answer["at"], NOW)
        self.assertEqual([rule["name"] for rule in answer["rules"]], ["idle", "never", "hours"])
        self.assertEqual({rule["name"]: rule["state"] for rule in answer["rules"]}["never"], "inactive")
        end = quarter(answer["data"]["to"])
        hour = (end - datetime.timedelta(hours=1)).isoformat(), end.isoformat()
        summary = json.loads(program.healthy("summary", "--by", "team", "--from", hour[0], "--to", hour[1], "--json", now=NOW).stdout)
        idle = {row["key"]: Decimal(row["cost"]["idle"]["amount"]) * 24 for row in summary["rows"] if row["cost"]["idle"]}
        firing = {one["scope"]: one for one in answer["firing"] if one["rule"] == "idle"}
        known = {scope: Decimal(one["value"]["amount"]) for scope, one in firing.items() if one["value"]}
        self.assertTrue(known)
        self.assertEqual(known, {team: idle[team] for team in known})
        others = [team for team, cost in idle.items() if cost > Decimal("0.000001") and team not in known]
        self.assertLessEqual(len(others), answer["rules"][0]["unknown"], others)
        for one in answer["firing"]:
            self.assertRegex(one["key"], "^[0-9a-f]{64}$")
            self.assertLessEqual(one["since"], NOW)
        self.assertEqual(len({one["key"] for one in answer["firing"]}), len(answer["firing"]))

    def test_a_replay_ends_as_the_evaluation_does(self):
        program = self.synced(alert("idle", "idle-cost", "team", f"above: {LOW}", when=", for: 1h"),
                              alert("low", "utilization", "cluster", "below: 99 %"), alert("free", "unallocated", "pool", "above: 0.5 GPU"))
        answer = self.evaluated(program)
        seen = 0
        for name in ("idle", "low", "free"):
            replay = json.loads(program.healthy("alerts", "replay", name, "--json", now=NOW).stdout)
            still = {(one["scope"], one["from"]) for one in replay["fired"] if one["to"] is None}
            self.assertEqual(still, {(one["scope"], one["since"]) for one in answer["firing"] if one["rule"] == name}, name)
            begun = [one for one in replay["fired"] if not one["before"]]
            self.assertLessEqual(replay["unactionable"], len(begun))
            for one in replay["fired"]:
                self.assertGreater(one["to"] or NOW, one["from"])
            self.assertEqual(replay["notices_per_week"] > 0, bool(begun), name)
            seen += len(replay["fired"])
        self.assertGreater(seen, 0)
        text = program.healthy("alerts", "replay", "idle", now=NOW).stdout.decode()
        self.assertIn("a week", text)

    def test_a_replay_has_what_began_before_it(self):
        program = self.synced(alert("idle", "idle-cost", "team", f"above: {LOW}", when=", for: 1h"))
        whole = json.loads(program.healthy("alerts", "replay", "idle", "--json", now=NOW).stdout)["fired"]
        self.assertEqual({one["before"] for one in whole}, {False})
        last = max(whole, key=lambda one: one["from"])
        # The replay begins with the month, so what fires since February is another one.
        fires = [one for one in whole if (one["to"] or NOW) > last["from"] and one["from"] >= "2025-03-02"]
        cut = json.loads(program.healthy("alerts", "replay", "idle", "--from", last["from"], "--json", now=NOW).stdout)
        self.assertEqual([one for one in cut["fired"] if one["from"] >= "2025-03-02"], [{**one, "before": one["from"] < last["from"]} for one in fires])
        self.assertTrue(any(one["before"] for one in cut["fired"]), cut)
        begun = sum(not one["before"] for one in cut["fired"])
        self.assertEqual(cut["notices_per_week"] > 0, begun > 0)

    def test_the_key_stays_while_it_fires(self):
        program = self.synced(alert("low", "attribution-coverage", "all", "below: 1.5"))
        first = self.evaluated(program)["firing"]
        later = self.evaluated(program, now="2025-03-27T12:00:00Z")
        self.assertEqual(len(first), 1)
        self.assertEqual([one["key"] for one in later["firing"]], [first[0]["key"]])
        self.assertIsNone(later["firing"][0]["value"])  # nothing was fetched since: unknown neither fires nor resolves
        self.assertEqual(later["rules"][0]["unknown"], 1)

    def test_the_watch_tells_each_change_once(self):
        program = self.synced(alert("idle", "idle-cost", "team", f"above: {LOW}"))

        def told():
            lines = [json.loads(line) for line in program.healthy("watch", "--once", now=NOW).stdout.decode().splitlines()]
            return [line for line in lines if line["event"] == "alert"]

        first = told()
        firing = {one["key"]: one["scope"] for one in self.evaluated(program)["firing"]}
        self.assertTrue(firing)
        self.assertEqual({line["key"]: line["scope"] for line in first if line["to"] == "firing"}, firing)
        self.assertEqual(told(), [])
        history = json.loads(program.healthy("alerts", "history", "--from", "2024-01-01", "--json", now=NOW).stdout)
        self.assertEqual({one["key"] for one in history["changes"]}, set(firing))
        self.assertEqual(history["messages"], [])  # the rule names no target
        key = sorted(firing)[0]
        program.healthy("alerts", "ack", key, "--note", "on it", now=NOW)
        self.assertNotEqual(program.run("alerts", "ack", "0" * 64, now=NOW).returncode, 0)
        silence = json.loads(program.healthy("alerts", "silence", "--rule", "idle", "--for", "2h", "--json", now=NOW).stdout)
        self.assertEqual(program.run("alerts", "silence", "--rule", "other", "--for", "2h", now=NOW).returncode, WRONG_USAGE)
        history = json.loads(program.healthy("alerts", "history", "--json", now=NOW).stdout)
        self.assertEqual([one["key"] for one in history["acknowledged"]], [key])
        self.assertEqual([one["silence"] for one in history["silences"]], [silence["silence"]])
        program.healthy("alerts", "silence", "--end", str(silence["silence"]), now=NOW)
        self.assertEqual(json.loads(program.healthy("alerts", "history", "--json", now=NOW).stdout)["silences"], [])

    def test_budgets(self):
        program = self.synced(alert("spent", "budget", "team", "above: 50 %"), alert("soon", "forecast", "team", "above: 50 %"))
        row = json.loads(program.healthy("forecast", "--json", now=NOW).stdout)["rows"][0]
        spent = Decimal(row["spent"]["amount"])
        budgets = f"budgets: [ {{ team: {row['key']}, period: month, amount: \"{round(spent * Decimal('1.25'), 2)}\" }} ]\n"
        program.configure(configuration(FLEET) + budgets + "alerts:\n" + alert("spent", "budget", "team", "above: 50 %")
                          + alert("soon", "forecast", "team", "above: 85 %") + alert("more", "budget", "team", "above: 90 %"))
        firing = {one["rule"]: one for one in self.evaluated(program)["firing"]}
        self.assertEqual(set(firing), {"spent", "soon"})
        self.assertAlmostEqual(firing["spent"]["value"], 0.8, 6)

    def test_late_sources_fire_without_any_data(self):
        program = self.synced(alert("late", "source-late", "source", "above: 2 h"))
        self.assertEqual(self.evaluated(program)["firing"], [])
        late = [self.evaluated(program, now=now)["firing"] for now in ("2025-03-26T15:00:00Z", "2025-03-28T03:07:00Z")]
        self.assertEqual([(one["scope"], one["unit"]) for firing in late for one in firing], [("demo", "h")] * 2)
        self.assertEqual(late[0][0]["key"], late[1][0]["key"])
        self.assertAlmostEqual(late[0][0]["value"], 3, delta=0.25)
        program.healthy("sync", now="2025-03-28T03:10:00Z")
        self.assertEqual(self.evaluated(program, now="2025-03-28T03:11:00Z")["firing"], [])
        os.makedirs(os.path.join(self.folder, "never"))
        never = Program(os.path.join(self.folder, "never"), configuration(FLEET) + "alerts:\n" + alert("late", "source-late", "source", "above: 2 h"))
        self.assertEqual([one["scope"] for one in self.evaluated(never)["firing"]], ["demo"])

    def test_anomalies_say_what_moved(self):
        program = self.synced(alert("odd", "anomaly-cost", "team", "above: 0.000001"), alert("slow", "anomaly-utilization", "all", "above: 0.000001"))
        answer = self.evaluated(program)
        odd = [one for one in answer["firing"] if one["rule"] == "odd"]
        self.assertTrue(odd)
        summary = json.loads(program.healthy("summary", "--by", "team", "--from", "2025-03-25", "--to", "2025-03-26", "--json", now=NOW).stdout)
        cost = {row["key"]: Decimal(row["cost"]["total"]["amount"]) for row in summary["rows"] if row["cost"]["total"]}
        for one in odd:
            self.assertGreaterEqual(len(one["drivers"]), 2)
            amount, _, difference = one["drivers"][0].partition(" USD, ")
            self.assertLessEqual(abs(Decimal(amount) - cost[one["scope"]]), Decimal("0.006"))
            difference = Decimal(difference.split()[0])
            parts = [Decimal(part.split()[1]) for part in one["drivers"][1].split(", ")]
            self.assertEqual(len(parts), 4)
            self.assertLessEqual(abs(sum(parts) - difference), Decimal("0.03"), one["drivers"])
        for name in ("odd", "slow"):
            json.loads(program.healthy("alerts", "replay", name, "--json", now=NOW).stdout)

    def test_every_metric_can_be_evaluated(self):
        program = self.synced(alert("queue", "queue-waiting", "cluster", "above: 8 GPU"), alert("bill", "reconciliation", "all", "above: 1 %"),
                              alert("unused", "commitment-unused", "commitment", "above: 200 USD/day"),
                              alert("price", "price-change", "model", "above: 10 %"), alert("spot", "spot-interruptions", "cluster", "above: 3 /day"), alert("ends", "commitment-expiring", "commitment", "below: 30 d"))
        answer = self.evaluated(program)
        self.assertEqual([rule["unit"] for rule in answer["rules"]], ["GPU", "share", "USD/day", "share", "/day", "d"])
        self.assertEqual((answer["rules"][1]["scopes"], answer["rules"][1]["unknown"]), (1, 1))  # there is no bill

    def test_list_and_tables(self):
        program = self.synced(alert("idle", "idle-cost", "team", f"above: {LOW}", more=", severity: critical", when=", for: 2h"))
        rules = json.loads(program.healthy("alerts", "list", "--json", now=NOW).stdout)["rules"]
        self.assertEqual((rules[0]["name"], rules[0]["for_seconds"], rules[0]["severity"], rules[0]["unit"]), ("idle", 7200, "critical", "USD/day"))
        self.assertIn("idle", program.healthy("alerts", "list", now=NOW).stdout.decode())
        done = program.run("alerts", "evaluate", "--csv", now=NOW)
        table = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        self.assertEqual({row["scope"] for row in table}, {one["scope"] for one in self.evaluated(program)["firing"]})
        self.assertIn("firing", program.run("alerts", "evaluate", now=NOW).stdout.decode())

    def test_nothing_fetched_fires_nothing(self):
        program = self.program(alert("low", "utilization", "all", "below: 99 %"), alert("idle", "idle-cost", "all", f"above: {LOW}"))
        self.assertEqual(self.evaluated(program)["firing"], [])
        replay = json.loads(program.healthy("alerts", "replay", "low", "--json", now=NOW).stdout)
        self.assertEqual((replay["fired"], replay["notices_per_week"]), ([], None))

    def test_wrong_rules_and_options(self):
        for wrong in (alert("a", "idle-cost", "team", "above: 5 EUR/day"), alert("a", "idle-cost", "team", "below: 5 USD/day"),
                      alert("a", "idle-costs", "team", "above: 5 USD/day"), alert("a", "budget", "pool", "above: 80 %"), alert("a", "source-late", "team", "above: 2 h"),
                      alert("a", "anomaly-cost", "team", "below: 4"), alert("a", "source-late", "source", "above: 2 USD/day"),
                      alert("a b", "idle-cost", "team", f"above: {LOW}"), alert("a", "idle-cost", "team", f"above: {LOW}", more=", send: [nobody]"),
                      alert("a", "idle-cost", "team", f"above: {LOW}", more=", working_hours: always")):
            done = self.program(wrong).run("alerts", "list", now=NOW)
            self.assertEqual(done.returncode, WRONG_FILE, wrong)
            self.assertIn("alerts[0]", done.text)
        done = self.program(alert("a", "idle-cost", "team", f"above: {LOW}"),
                            more="targets: [ { name: t, kind: slack, url: \"https://hooks.example.org/canary\" } ]\n").run("alerts", "list", now=NOW)
        self.assertEqual(done.returncode, WRONG_FILE)
        self.assertIn("targets[0].url", done.text)
        self.assertNotIn("canary", done.text)
        program = self.program(alert("a", "idle-cost", "team", f"above: {LOW}"))
        self.assertEqual(program.run("alerts", "replay", "b", now=NOW).returncode, WRONG_USAGE)
        self.assertEqual(program.run("alerts", "evaluate", "--team", "x", now=NOW).returncode, WRONG_USAGE)


class DemoMarks(ProductTest):
    """Marks of a rule on the simulated platform of a demo fleet in a configuration file."""

    NOW = datetime.datetime(2026, 10, 4, 15, tzinfo=datetime.timezone.utc)
    QUIET, KEPT = "eval-scratch-0", "thumbnailer-v1-g6mz8j4f5-dh9v9"  # idle then, and can be brought back

    def at(self, minutes):
        return (self.NOW + datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def round(self, program, minutes, event):
        lines = [json.loads(line) for line in program.healthy("watch", "--once", now=self.at(minutes)).stdout.decode().splitlines()]
        self.assertEqual([line for line in lines if line.get("error")], [])
        return {line["holder"]: line for line in lines if line["event"] == event}

    def object_to(self, program, name):
        """The owner of this workload annotates its object on the simulated platform."""
        action, = json.loads(program.healthy("act", "plan", name, "--json", now=self.at(1)).stdout)["actions"]
        file = os.path.join(self.folder, "platform.json")
        with open(file, encoding="utf-8") as known:
            objects = json.load(known)
        notes = objects[action["target"]["uid"]]["annotations"]
        self.assertEqual(notes["gpu-ledger.io/stop-at"], self.at(10))
        notes["gpu-ledger.io/keep-until"] = "2099-12-31"
        with open(file, "w", encoding="utf-8") as changed:
            json.dump(objects, changed)

    def test_one_is_kept_and_one_is_stopped(self):
        fleet = "  - { name: demo, kind: demo, gpus: 64, days: 1, first_sync: 1d, rights: [read, stop], path: platform.json }\n"
        more = "actions: { stop_marked: true, max_team_share: 1, max_per_action: 1000, max_per_hour: 1000 }\n"
        program = Program(self.folder, configuration(fleet) + more + "alerts:\n"
                          + alert("idle", "idle-hours", "all", "above: 0.000001 h/day", more=", mark: { after: 10m }"))
        told = self.round(program, 0, "alert-mark")
        marked = {holder for holder, line in told.items() if line["state"] == "marked"}
        self.assertEqual({line["noted"] for line in told.values() if line["state"] == "marked"}, {True})
        ids = {one["name"]: one["id"] for one in json.loads(program.healthy("idle", "--json", now=self.at(0)).stdout)["items"]}
        self.assertLessEqual({ids[self.QUIET], ids[self.KEPT]}, marked)
        self.object_to(program, self.KEPT)
        self.assertEqual(set(self.round(program, 5, "mark")) & {ids[self.QUIET], ids[self.KEPT]}, set())
        ended = self.round(program, 10, "mark")
        self.assertEqual((ended[ids[self.QUIET]]["state"], ended[ids[self.QUIET]]["reason"]), ("over", "stopped"))
        self.assertEqual((ended[ids[self.KEPT]]["state"], ended[ids[self.KEPT]]["reason"]), ("over", "objected"))
        self.assertIn("gpu-ledger.io/keep-until", ended[ids[self.KEPT]]["detail"])
        log = json.loads(program.healthy("act", "log", "--json", now=self.at(10)).stdout)
        stopped = {holder for action in log["actions"] if action["state"] == "verified" for holder in action["holders"]}
        self.assertIn(ids[self.QUIET], stopped)
        self.assertNotIn(ids[self.KEPT], stopped)
        again = self.round(program, 15, "alert-mark")
        self.assertNotEqual(again.get(ids[self.KEPT], {}).get("state"), "marked")


if __name__ == "__main__":
    unittest.main()
