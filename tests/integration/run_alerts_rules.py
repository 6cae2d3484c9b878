#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Escalation, known events, ends of commitments, and the lists of alerts as a file, through the command line and `watch`."""
import csv
import json
import os
import stat
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

from product import ProductTest, Program, configuration  # noqa: E402
from receivers import Receiver  # noqa: E402

FLEET = "  - { name: demo, kind: demo, gpus: 8, days: 60, first_sync: 26d }\n"
DAY, NOW = "2025-03-26T", "2025-03-26T12:00:00Z"
LOOK, WRONG_USAGE, WRONG_FILE = 1, 2, 3
ALWAYS = "  - { name: low, when: { metric: attribution-coverage, per: all, below: 1.5 }, send: [hook], escalate: { after: 2h, send: [boss] } }\n"
ODD = "  - { name: odd, when: { metric: anomaly-cost, per: team, above: 0.000001 } }\n"
COSTLY = "  - { name: costly, when: { metric: idle-cost, per: team, above: 0.000001 USD/day }, severity: info }\n"
BILL = ("BilledCost", "EffectiveCost", "BillingAccountId", "BillingCurrency", "BillingPeriodStart", "BillingPeriodEnd", "ChargePeriodStart",
        "ChargePeriodEnd", "ChargeCategory", "ChargeClass", "ChargeDescription", "ChargeFrequency", "ProviderName", "ServiceCategory",
        "ServiceName", "SubAccountId", "RegionId", "ResourceId", "ConsumedQuantity", "ConsumedUnit", "ListCost", "Tags", "CommitmentDiscountId",
        "CommitmentDiscountCategory", "CommitmentDiscountStatus")


def content(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class RulesTest(ProductTest):
    def program(self, more, name="p", source=""):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder, exist_ok=True)
        return Program(folder, configuration(FLEET, source) + more)

    def answer(self, program, *arguments, now=NOW, status=0):
        done = program.run("alerts", *arguments, "--json", now=now)
        self.assertEqual(done.returncode, status, done.text)
        return json.loads(done.stdout)

    def escalating(self, name):
        server = Receiver()
        self.addCleanup(server.close)
        targets = "".join(f"  - {{ name: {one}, kind: webhook, url: \"{server.url(one)}\" }}\n" for one in ("hook", "boss"))
        return server, self.program("targets:\n" + targets + "alerts:\n" + ALWAYS, name)

    def test_what_nobody_acknowledges_is_escalated_once(self):
        server, program = self.escalating("loud")
        for at in ("12:00", "13:00", "13:59"):
            program.healthy("watch", "--once", now=f"{DAY}{at}:00Z")
            self.assertEqual((len(server.bodies("hook")), server.bodies("boss")), (1, []), at)
        for at in ("14:01", "15:00", "17:00"):  # each a new run of the program
            program.healthy("watch", "--once", now=f"{DAY}{at}:00Z")
            self.assertEqual((len(server.bodies("hook")), len(server.bodies("boss"))), (1, 1), at)
        first, second = server.bodies("hook")[0], server.bodies("boss")[0]
        self.assertEqual(first["dedup_key"], second["dedup_key"])
        self.assertNotIn("acknowledged", first["summary"])
        self.assertIn("nobody has acknowledged it for 2h", second["summary"])
        # Its rule goes: both hear that it is over.
        program.configure(configuration(FLEET) + content(program.config).split(FLEET)[1].split("alerts:")[0])
        program.healthy("watch", "--once", now=f"{DAY}17:30:00Z")
        self.assertEqual([body["state"] for path in ("hook", "boss") for body in server.bodies(path)], ["firing", "resolved"] * 2)

    def test_an_acknowledged_alert_is_not_escalated(self):
        server, program = self.escalating("calm")
        program.healthy("watch", "--once", now=NOW)
        program.healthy("alerts", "ack", server.bodies("hook")[0]["dedup_key"], "--note", "on it", now=NOW)
        program.healthy("watch", "--once", now=f"{DAY}15:00:00Z")
        self.assertEqual(server.bodies("boss"), [])
        rule = self.answer(program, "list")["rules"][0]
        self.assertEqual((rule["send"], rule["escalate"]), (["hook"], [{"after_seconds": 7200, "send": ["boss"]}]))
        self.assertIn("hook, boss after", program.healthy("alerts", "list", now=NOW).stdout.decode())

    def test_each_team_hears_only_its_own(self):
        server = Receiver()
        self.addCleanup(server.close)
        program = self.program("alerts:\n" + COSTLY, "routed")
        program.healthy("sync", now=NOW)
        first, second = sorted(one["scope"] for one in self.answer(program, "evaluate", status=LOOK)["firing"] if one["scope"])[:2]
        targets = "".join(f"  - {{ name: {one}, kind: webhook, url: \"{server.url(one)}\" }}\n" for one in ("first", "second", "loud"))
        sources, routes = configuration(FLEET), f"routes:\n  - {{ team: \"{first}\", send: [first] }}\n"
        owners = f"owners:\n  - {{ label: team }}\n  - {{ namespace: nowhere, team: \"{second}\", send: [second] }}\n"
        loud = "  - { severity: critical, send: [loud] }\n"
        program.configure(sources + owners + "targets:\n" + targets + routes + loud + "alerts:\n" + COSTLY)
        program.healthy("watch", "--once", now=NOW)
        heard = {path: [(body["state"], body["resource"]["name"]) for body in server.bodies(path)] for path in ("first", "second", "loud")}
        self.assertEqual(heard, {"first": [("firing", first)], "second": [("firing", second)], "loud": []})
        listed = self.answer(program, "list")["routes"]
        self.assertEqual(listed, [{"team": first, "severity": None, "cluster": None, "send": ["first"]},
                                  {"team": None, "severity": "critical", "cluster": None, "send": ["loud"]},
                                  {"team": second, "severity": None, "cluster": None, "send": ["second"]}])
        # More serious now, without the route of the first team: it is told when its alert is over, and not again.
        program.configure(sources + owners + "targets:\n" + targets + "routes:\n" + loud + "alerts:\n" + COSTLY.replace("severity: info", "severity: critical"))
        program.healthy("watch", "--once", now=f"{DAY}12:30:00Z")
        all_firing = {one["scope"] for one in self.answer(program, "evaluate", now=f"{DAY}12:30:00Z", status=LOOK)["firing"]}
        self.assertEqual({body["resource"]["name"] for body in server.bodies("loud")}, all_firing)
        self.assertLess({first, second}, all_firing)
        program.configure(sources + owners + "targets:\n" + targets)
        program.healthy("watch", "--once", now=f"{DAY}13:00:00Z")
        for path, team in (("first", first), ("second", second)):
            self.assertEqual([(body["state"], body["resource"]["name"]) for body in server.bodies(path)], [("firing", team), ("resolved", team)])

    def test_events_are_no_anomalies(self):
        program = self.program("alerts:\n" + ODD)
        program.healthy("sync", now=NOW)
        answer = self.answer(program, "evaluate", status=LOOK)
        fired = {one["scope"] for one in answer["firing"]}
        self.assertEqual(answer["rules"][0]["events"], [])
        text = program.run("alerts", "evaluate", now=NOW).stdout.decode()
        self.assertNotIn(" score", text)
        event = "events: [ { name: GPU week, from: 2025-03-25, to: 2025-03-25%s } ]\n"
        program.configure(configuration(FLEET) + "alerts:\n" + ODD + event % "")
        answer = self.answer(program, "evaluate")
        self.assertEqual(answer["firing"], [])
        (within,) = answer["rules"][0]["events"]
        self.assertEqual(within["name"], "GPU week")
        self.assertLessEqual(fired, set(within["scopes"]))
        self.assertIn("within the event GPU week", program.healthy("alerts", "evaluate", now=NOW).stdout.decode())
        replay = self.answer(program, "replay", "odd")
        self.assertEqual(replay["events"], ["GPU week"])
        self.assertNotIn("2025-03-26T00:00:00Z", [one["from"] for one in replay["fired"]])
        team = sorted(fired)[0]
        program.configure(configuration(FLEET) + "alerts:\n" + ODD + event % f", teams: [\"{team}\"]")
        answer = self.answer(program, "evaluate", status=LOOK if len(fired) > 1 else 0)
        self.assertEqual({one["scope"] for one in answer["firing"]}, fired - {team})
        self.assertEqual(answer["rules"][0]["events"], [{"name": "GPU week", "scopes": [team]}])

    def test_budgets_of_models_and_labels(self):
        rules = "".join(f"  - {{ name: {per}, when: {{ metric: budget, per: {per}, above: 0.0001 % }} }}\n" for per in ("team", "model", "label"))
        program = self.program("alerts:\n" + rules)
        program.healthy("sync", now=NOW)
        keys = {}
        for by in ("gpu-model", "label:team"):
            rows = json.loads(program.healthy("forecast", "--by", by, "--json", now=NOW).stdout)["rows"]
            keys[by] = next(row["key"] for row in rows if row["key"] and row["spent"] and float(row["spent"]["amount"]) > 1)
        budgets = (f"budgets:\n  - {{ model: \"{keys['gpu-model']}\", period: month, amount: \"100\" }}\n"
                   f"  - {{ label: {{ team: \"{keys['label:team']}\" }}, period: month, amount: \"100\" }}\n")
        program.configure(configuration(FLEET) + budgets + "alerts:\n" + rules)
        firing = self.answer(program, "evaluate", status=LOOK)["firing"]
        self.assertEqual([(one["rule"], one["scope"]) for one in firing], [("model", keys["gpu-model"]), ("label", "team=" + keys["label:team"])])

    def bill(self, rows):
        folder = os.path.join(self.folder, "bills")
        os.makedirs(folder)
        path = os.path.join(folder, "bill.csv")
        with open(path, "w", encoding="utf-8", newline="") as file:
            out = csv.DictWriter(file, BILL, lineterminator="\n")
            out.writeheader()
            for row in rows:
                out.writerow({**dict.fromkeys(BILL, ""), "BilledCost": "10", "EffectiveCost": "10", "BillingAccountId": "acc",
                              "BillingCurrency": "USD", "BillingPeriodStart": "2025-03-01T00:00:00Z", "BillingPeriodEnd": "2025-04-01T00:00:00Z",
                              "ChargePeriodStart": "2025-03-20T00:00:00Z", "ChargePeriodEnd": "2025-03-21T00:00:00Z", "ChargeCategory": "Usage",
                              "ProviderName": "AWS", "ServiceCategory": "Compute", "ServiceName": "Amazon Elastic Compute Cloud", **row})
        os.utime(path, (1, 1))  # no longer being written
        return f"  - {{ name: bill, kind: focus, path: {folder} }}\n"

    def test_commitments_that_end_soon(self):
        fee = {"ChargeCategory": "Purchase", "ChargeFrequency": "One-Time", "EffectiveCost": "0", "CommitmentDiscountCategory": "Usage"}
        source = self.bill([{**fee, "CommitmentDiscountId": "soon", "ChargePeriodEnd": "2025-04-11T00:00:00Z"},
                            {**fee, "CommitmentDiscountId": "late", "ChargePeriodEnd": "2026-03-20T00:00:00Z"},
                            {"CommitmentDiscountId": "unknown", "CommitmentDiscountCategory": "Spend", "CommitmentDiscountStatus": "Used"}])
        rule = "  - { name: ends, when: { metric: commitment-expiring, per: commitment, below: 30 d } }\n"
        program = self.program("alerts:\n" + rule, source=source)
        program.healthy("sync", now=NOW)
        answer = self.answer(program, "evaluate", status=LOOK)
        (firing,) = answer["firing"]
        self.assertEqual((firing["scope"], firing["value"], firing["unit"]), ("soon", 16.0, "d"))  # at the end of 25 March
        self.assertEqual((answer["rules"][0]["scopes"], answer["rules"][0]["unknown"]), (3, 1))
        self.assertEqual(self.answer(program, "evaluate", now="2025-04-12T12:00:00Z")["firing"], [])  # it is over

    def test_lists_go_out_and_come_back(self):
        lists = ("targets: [ { name: hook, kind: slack, url: env:SLACK_URL }, { name: boss, kind: desktop } ]\n"
                 "routes: [ { severity: critical, send: [boss] } ]\nalerts:\n  # the costly one\n"
                 + ALWAYS + ODD + "budgets: [ { team: vision, period: month, amount: \"90000\" } ]\n"
                 "events: [ { name: GPU week, from: 2025-03-25, to: 2025-03-25 } ]\n")
        full, bare = self.program(lists, "full"), self.program("# the end\n", "bare")
        out = os.path.join(self.folder, "alerts.yaml")
        full.healthy("alerts", "export", "--out", out, now=NOW)
        self.assertEqual(stat.S_IMODE(os.stat(out).st_mode), 0o600)
        exported = content(out)
        self.assertEqual(full.healthy("alerts", "export", now=NOW).stdout.decode(), exported)
        self.assertIn("env:SLACK_URL", exported)
        before = content(bare.config)
        trial = self.answer(bare, "import", out, "--dry-run")
        self.assertEqual((trial["written"], len(trial["changes"])), (False, 7))
        self.assertEqual(content(bare.config), before)
        done = self.answer(bare, "import", out)
        self.assertEqual((done["written"], done["changes"]), (True, trial["changes"]))
        self.assertTrue(content(bare.config).startswith(before))
        self.assertEqual(bare.healthy("alerts", "export", now=NOW).stdout.decode(), exported)
        self.assertEqual(self.answer(bare, "list"), self.answer(full, "list"))
        again = self.answer(full, "import", out, "--replace")
        self.assertEqual((again["written"], again["unchanged"]), (False, 7))
        with open(out, "w", encoding="utf-8") as file:
            file.write("alerts:\n" + ODD)
        self.assertIn("removed: alerts low", full.healthy("alerts", "import", out, "--replace", now=NOW).stdout.decode())
        self.assertEqual([rule["name"] for rule in self.answer(full, "list")["rules"]], ["odd"])
        self.assertIn("# the costly one", content(full.config))

    def test_a_wrong_file_is_refused_by_line(self):
        program = self.program("alerts:\n" + ODD)
        path = os.path.join(self.folder, "wrong.yaml")
        before = content(program.config)
        for text, place in (("alerts:\n" + ODD.replace("anomaly-cost", "anomaly"), "wrong.yaml:2:"), ("sources: []\n", "wrong.yaml:1:"),
                            ("alerts:\n" + ALWAYS, "wrong.yaml:2:"), ("alerts: [\n", "wrong.yaml:")):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            for more in ((), ("--dry-run",)):
                done = program.run("alerts", "import", path, *more, now=NOW)
                self.assertEqual(done.returncode, WRONG_FILE, text)
                self.assertIn(place, done.text)
        self.assertNotEqual(program.run("alerts", "import", os.path.join(self.folder, "none.yaml"), now=NOW).returncode, 0)
        self.assertEqual(program.run("--demo", "alerts", "export", now=NOW).returncode, WRONG_USAGE)
        self.assertEqual(content(program.config), before)


if __name__ == "__main__":
    unittest.main()
