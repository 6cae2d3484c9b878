# SPDX-License-Identifier: GPL-3.0-or-later
"""Stopping and bringing back at the command line, on the demo fleet: what is shown, what is refused, what changes."""
import csv
import datetime
import fcntl
import io
import json
import os
import pty
import subprocess
import sys
import tempfile
import unittest
from decimal import Decimal

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "faults"))

from fleet import DEPLOYMENT, NOTEBOOK, NOW, POD, PROTECTED, Fleet  # noqa: E402
from product import ProductTest, Program, configuration  # noqa: E402

CHECKS = ["same-object", "still-idle", "same-owner", "not-protected", "stoppable", "allowed", "dry-run", "no-writes", "clock"]
PLANNED = {"id", "target", "state", "checks", "undo", "holders", "owner", "gpus", "per_month", "verb", "effect", "lost", "cautions",
           "simulated", "reversible", "type_name", "managers", "despite"}
LOGGED = {"id", "target", "state", "checks", "undo", "kind", "undoes", "result", "outcome", "receipt", "field", "before", "after", "owner", "gpus",
          "per_month", "actor", "reason", "confirmed_at", "changed_at", "simulated", "holders"}
TARGET = {"source", "cluster", "api_version", "kind", "namespace", "name", "uid"}
REFUSED, USAGE = 5, 2


class ActTest(ProductTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.first = tempfile.TemporaryDirectory(prefix="gpuledgeract")
        cls.addClassCleanup(cls.first.cleanup)
        cls.untouched = Fleet(cls.first.name)

    def fleet(self, name="fleet"):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder)
        return Fleet(folder, self.untouched)

    def idle(self, fleet):
        return {item["name"] for item in fleet.json("idle")["items"]}

    def manage(self, fleet, name, manager):
        """Puts another controller in charge of it."""
        (planned,) = fleet.json("act", "plan", name)["actions"]
        deeds = {planned["target"]["uid"]: {"version": 1, "changed_at": 0, "value": "", "pauses": [], "managed_by": manager}}
        with open(fleet.platform, "w", encoding="utf-8") as file:
            json.dump(deeds, file)

    def nothing_happened(self, fleet):
        self.assertEqual(fleet.deeds(), {})
        self.assertEqual(fleet.log(), [])


class Live(ActTest):
    def test_how_objects_stand_now(self):
        fleet = self.fleet()
        (stopped,) = fleet.stop(DEPLOYMENT)["actions"]
        self.assertNotIn("objects", fleet.json("act", "log"))
        (one,) = fleet.json("act", "log", "--live")["objects"]
        self.assertEqual(set(one), {"target", "state", "field", "value", "actor", "reason", "stopped_at", "action", "error"})
        self.assertEqual((one["state"], one["value"], one["action"], one["error"]), ("stopped", "0", stopped["id"], None))
        self.assertEqual((one["target"], one["actor"]), (stopped["target"], stopped["actor"]))
        # Another desk: another log, the same platform.
        with open(fleet.platform, encoding="utf-8") as file:
            deeds = json.load(file)
        deeds[stopped["target"]["uid"]]["stopped"].update(action="theirs", by="kim", reason="was mine")
        with open(fleet.platform, "w", encoding="utf-8") as file:
            json.dump(deeds, file)
        (one,) = fleet.json("act", "log", "--live")["objects"]
        self.assertEqual((one["state"], one["actor"], one["reason"], one["action"]), ("stopped", "kim", "was mine", None))
        self.assertIn("stopped by kim, not from here", fleet.healthy("act", "log", "--live").stdout.decode())


class Plan(ActTest):
    def test_shape(self):
        fleet = self.fleet()
        plan = fleet.json("act", "plan", DEPLOYMENT)
        self.assertEqual(set(plan), {"actions", "plan", "at", "needs_count"})
        (one,) = plan["actions"]
        self.assertEqual(set(one), PLANNED)
        self.assertEqual(set(one["target"]), TARGET)
        self.assertEqual([c["name"] for c in one["checks"]], CHECKS)
        for check in one["checks"]:
            self.assertEqual(set(check), {"name", "passed", "detail", "reason"})
            self.assertTrue(check["detail"])
        self.assertEqual((one["id"], one["state"], one["verb"], one["simulated"]), (None, "checked", "scale-to-zero", True))
        self.assertEqual(len(plan["plan"]), 64)
        self.nothing_happened(fleet)

    def test_the_money_is_that_of_the_idle_list(self):
        fleet = self.fleet()
        items = {item["id"]: item for item in fleet.json("idle")["items"]}
        for name in (DEPLOYMENT, NOTEBOOK, POD):
            (one,) = fleet.json("act", "plan", name)["actions"]
            self.assertTrue(one["holders"])
            parts = [items[holder] for holder in one["holders"]]
            self.assertEqual(Decimal(one["per_month"]["amount"]), sum(Decimal(item["per_month"]["amount"]) for item in parts))
            for item in parts:
                self.assertEqual(Decimal(item["per_month"]["amount"]), 730 * Decimal(item["rate_per_hour"]["amount"]))

    def test_one_that_is_refused(self):
        fleet = self.fleet()
        plan = fleet.json("act", "plan", DEPLOYMENT, PROTECTED, status=REFUSED)
        self.assertEqual([a["state"] for a in plan["actions"]], ["checked", "refused"])
        failed = [c["name"] for c in plan["actions"][1]["checks"] if c["passed"] is False]
        self.assertEqual(failed, ["not-protected"])
        self.assertEqual(plan["actions"][1]["checks"][5]["passed"], None, "the platform is queried about a refused workload")

    def test_two_pods_of_one_object_are_one(self):
        fleet = self.fleet()
        plan = fleet.json("act", "plan", DEPLOYMENT, DEPLOYMENT)
        self.assertEqual(len(plan["actions"]), 1)

    def test_names(self):
        fleet = self.fleet()
        ident = next(i["id"] for i in fleet.json("idle")["items"] if i["name"] == NOTEBOOK)
        for name in (ident, NOTEBOOK, "ml-research/" + NOTEBOOK):
            self.assertEqual(fleet.json("act", "plan", name)["actions"][0]["holders"], [ident])
        for name in ("nothing", "*", "", "ml-research/*", ident[:-1]):
            done = fleet.run("act", "plan", name)
            self.assertEqual(done.returncode, USAGE, done.text)
        self.assertEqual(fleet.run("act", "plan").returncode, USAGE)
        done = fleet.run("act", "plan", "nothing", "nobody")
        self.assertEqual(done.returncode, USAGE, done.text)

    def test_a_name_that_is_not_in_the_list(self):
        """It is refused by name, and the others are checked."""
        fleet = self.fleet()
        for unknown in ("nothing", "ml-research/nothing", "demo/ml-research/nothing/1"):
            for names in ((NOTEBOOK, unknown), (unknown, NOTEBOOK)):
                plan = fleet.json("act", "plan", *names, status=REFUSED)
                states = dict(zip(names, [a["state"] for a in plan["actions"]], strict=True))
                self.assertEqual(states, {NOTEBOOK: "checked", unknown: "refused"})
                (one,) = [a for a in plan["actions"] if a["state"] == "refused"]
                self.assertEqual((set(one), one["target"], one["holders"]), (PLANNED, None, [unknown]))
                (check,) = one["checks"]
                self.assertEqual((check["name"], check["passed"], check["reason"]), ("still-idle", False, "not-in-list"))
                self.assertIn(f"{unknown} is not in the idle list", check["detail"])
        done = fleet.run("act", "plan", NOTEBOOK, "nothing", "nobody")
        self.assertEqual(done.returncode, REFUSED, done.text)
        shown, refused = done.stdout.decode().split("Refused")
        self.assertIn("eval-scratch", shown)
        for name in ("nothing", "nobody"):
            self.assertIn(f"{name} is not in the idle list", refused)
        # A name that would be shown differently from how it was typed, or that is ambiguous, is refused before any query.
        for wrong in ("", "no\x1bthing", "x" * 201):
            done = fleet.run("act", "plan", NOTEBOOK, wrong)
            self.assertEqual(done.returncode, USAGE, done.text)
        self.nothing_happened(fleet)


class Stop(ActTest):
    def test_stop_and_undo(self):
        fleet = self.fleet()
        stopped = fleet.stop(NOTEBOOK)["actions"]
        self.assertEqual(len(stopped), 1)
        self.assertEqual(set(stopped[0]), LOGGED)
        self.assertEqual((stopped[0]["id"], stopped[0]["state"], stopped[0]["kind"]), (1, "verified", "stop"))
        self.assertEqual(stopped[0]["undo"], "act undo 1")
        self.assertEqual([c["name"] for c in stopped[0]["checks"]], CHECKS)
        self.assertEqual(fleet.effects(), 1)
        (deed,) = fleet.deeds().values()
        self.assertEqual(deed["stopped"]["old_value"], stopped[0]["before"])
        undone = fleet.json("act", "undo", "1", "--yes", "--reason", "needed again")["actions"]
        self.assertEqual((undone[0]["kind"], undone[0]["undoes"], undone[0]["state"]), ("undo", 1, "verified"))
        self.assertEqual((undone[0]["after"], undone[0]["reason"]), (stopped[0]["before"], "needed again"))
        (deed,) = fleet.deeds().values()
        self.assertEqual(deed["value"], stopped[0]["before"])
        self.assertNotIn("stopped", deed)
        log = fleet.log()
        self.assertEqual([(a["id"], a["state"], a["undo"]) for a in log], [(1, "undone", None), (2, "verified", None)])
        self.assertEqual((list(log[0]["figures"]), log[1]["figures"]), (["per_month"], {}))  # an undo frees nothing
        proof = fleet.json("explain", log[0]["figures"]["per_month"])
        self.assertEqual((proof["agrees"], proof["value"], proof["recomputed"]), (True, log[0]["per_month"], log[0]["per_month"]))
        self.assertEqual(proof["value"], stopped[0]["per_month"])
        (item,) = log[0]["items"]
        self.assertEqual((item["id"], item["per_month"], log[1]["items"]), (log[0]["holders"][0], log[0]["per_month"], []))
        proof = fleet.json("explain", item["figures"]["per_month"])
        self.assertEqual((proof["agrees"], proof["value"]), (True, item["per_month"]))
        for wrong in ("action/per-month?number=99", "action/per-month?number=2", log[0]["figures"]["per_month"] + "&id=nobody"):
            self.assertEqual(fleet.run("explain", wrong).returncode, USAGE, wrong)
        again = fleet.run("act", "undo", "1", "--yes")
        self.assertEqual(again.returncode, REFUSED, again.text)
        self.assertEqual(fleet.effects(), 2)
        fleet.verify()

    def test_the_list_says_what_was_stopped(self):
        fleet = self.fleet()
        before = fleet.json("idle")
        money = ("per_month", "avoidable_per_month", "sunk_per_month", "undecided_per_month")
        for answer in (before, None):
            if not answer:
                fleet.stop(NOTEBOOK)
                answer = fleet.json("idle")
            items = [i for i in answer["items"] if i["name"] != NOTEBOOK or answer is before]
            self.assertEqual(answer["totals"]["items"], len(items))
            self.assertEqual(answer["stopped"]["items"], len(answer["items"]) - len(items))
            for key in ("items", "unpriced"):
                self.assertEqual(sum(c[key] for c in answer["by_cause"]), answer["totals"][key])
            for key in money:
                parts = [Decimal(c[key]["amount"]) for c in answer["by_cause"]]
                self.assertEqual(sum(parts), Decimal(answer["totals"][key]["amount"]), key)
            for key in ("per_month", "avoidable_per_month", "sunk_per_month"):
                self.assertEqual(sum(Decimal(i[key]["amount"]) for i in items if i[key]), Decimal(answer["totals"][key]["amount"]), key)
            total = answer["totals"]
            self.assertEqual(Decimal(total["per_month"]["amount"]), sum(Decimal(total[key]["amount"]) for key in money[1:]))
        text = fleet.healthy("idle").stdout.decode()
        (row,) = [line for line in text.splitlines() if NOTEBOOK in line]
        self.assertTrue(row.startswith("ml-research/" + NOTEBOOK), row)
        self.assertTrue(row.rstrip().endswith("stopped"), row)
        self.assertIn("1 workload with", text)
        ids = [line.split()[0] for line in text.splitlines()[3:3 + len(before["items"])]]
        for name, item in zip(ids, before["items"], strict=True):
            if "/" in name:
                self.assertTrue(item["id"] == name or item["id"].split("/", 1)[1].startswith(name), (name, item["id"]))
        fleet.json("act", "undo", "1", "--yes")
        self.assertEqual(fleet.json("idle")["stopped"]["items"], 0)

    def test_several(self):
        fleet = self.fleet()
        stopped = fleet.stop(NOTEBOOK, DEPLOYMENT, POD)["actions"]
        self.assertEqual([a["state"] for a in stopped], ["verified"] * 3)
        self.assertEqual(fleet.effects(), 3)
        undone = fleet.json("act", "undo", "1", "2", "3", "--yes")["actions"]
        self.assertEqual([a["state"] for a in undone], ["verified"] * 3)
        self.assertEqual(fleet.effects(), 6)
        fleet.verify()

    def test_what_is_refused_stays_and_the_others_go(self):
        fleet = self.fleet()
        done = fleet.run("act", "stop", NOTEBOOK, PROTECTED, "--yes", "--count", "1", "--json")
        self.assertEqual(done.returncode, REFUSED)
        self.assertIn(PROTECTED, done.text)
        stopped, refused = json.loads(done.stdout)["actions"]
        self.assertEqual((stopped["state"], refused["state"]), ("verified", "refused"))
        self.assertEqual((set(stopped), set(refused)), (LOGGED, LOGGED))
        self.assertEqual((refused["id"], refused["undo"], refused["confirmed_at"], refused["actor"]), (None, None, None, None))
        self.assertTrue(refused["target"]["name"].startswith("reading-group"), refused["target"])
        self.assertIn("protected", refused["result"])
        self.assertEqual((stopped["result"], stopped["outcome"]), (None, None))
        self.assertEqual(refused["outcome"], {"code": "said", "text": refused["result"]})
        self.assertEqual([c["name"] for c in refused["checks"] if c["passed"] is False], ["not-protected"])
        self.assertEqual(fleet.effects(), 1)
        self.assertEqual([a["state"] for a in fleet.log()], ["verified"])

    def test_a_name_that_is_not_in_the_list(self):
        """The workload with the right name is stopped; the other one is reported, and nothing is stopped in its place."""
        fleet = self.fleet()
        stopped, refused = fleet.json("act", "stop", NOTEBOOK, "nothing", "--yes", "--count", "1", status=REFUSED)["actions"]
        self.assertEqual((stopped["state"], refused["state"]), ("verified", "refused"))
        self.assertEqual((refused["target"], refused["holders"]), (None, ["nothing"]))
        self.assertIn("nothing is not in the idle list", refused["result"])
        self.assertEqual((fleet.effects(), len(fleet.log())), (1, 1))
        done = fleet.run("act", "stop", DEPLOYMENT, "nothing", "--yes", "--count", "1")
        self.assertEqual(done.returncode, REFUSED, done.text)
        self.assertIn("nothing is not in the idle list", done.text)
        self.assertRegex(done.stdout.decode(), r"nothing +refused")
        rows = csv.DictReader(io.StringIO(fleet.run("act", "stop", POD, "nothing", "--csv", "--yes", "--count", "1", "--type-name",
                                                    fleet.json("act", "plan", POD)["actions"][0]["type_name"]).stdout.decode()))
        self.assertEqual([(row["action"] != "", row["state"]) for row in rows], [(True, "verified"), (False, "refused")])

    def test_nothing_stoppable(self):
        fleet = self.fleet()
        plan = fleet.json("act", "stop", PROTECTED, "--yes", status=REFUSED)
        self.assertEqual(plan["actions"][0]["state"], "refused")
        self.nothing_happened(fleet)

    def test_dry_run_changes_nothing(self):
        fleet = self.fleet()
        plan = fleet.json("act", "stop", NOTEBOOK, DEPLOYMENT, "--dry-run", "--yes")
        self.assertEqual([a["state"] for a in plan["actions"]], ["checked", "checked"])
        self.nothing_happened(fleet)
        self.assertFalse(os.path.exists(os.path.join(fleet.data, "results.reserve")))

    def test_what_cant_be_brought_back_needs_its_name(self):
        fleet = self.fleet()
        (planned,) = fleet.json("act", "plan", POD)["actions"]
        name = planned["type_name"]
        self.assertEqual((planned["reversible"], name), (False, planned["target"]["namespace"] + "/" + POD))
        self.assertIn(name, fleet.healthy("act", "plan", POD).stdout.decode())
        for more in ((), ("--type-name", POD), ("--type-name", name + "x"), ("--type-name", name.upper()),
                     ("--type-name", "*"), ("--despite", name)):
            done = fleet.run("act", "stop", POD, "--yes", "--count", "1", *more)
            self.assertEqual(done.returncode, REFUSED, f"{more}: {done.text}")
            self.assertIn("--type-name " + name, done.text)
        done = fleet.run("act", "stop", POD, NOTEBOOK, "--yes", "--count", "2")  # nothing of the batch is stopped
        self.assertEqual(done.returncode, REFUSED, done.text)
        self.nothing_happened(fleet)
        (stopped,) = fleet.json("act", "stop", POD, "--yes", "--count", "1", "--type-name", name)["actions"]
        self.assertEqual(stopped["state"], "verified")

    def test_what_another_controller_manages(self):
        fleet = self.fleet()
        self.manage(fleet, DEPLOYMENT, "hpa:scaler")
        (planned,) = fleet.json("act", "plan", DEPLOYMENT, status=REFUSED)["actions"]
        self.assertEqual((planned["managers"], planned["despite"]), (["hpa:scaler"], []))
        (check,) = [c for c in planned["checks"] if c["passed"] is False]
        self.assertEqual((check["name"], check["reason"]), ("stoppable", "managed"))
        for more in ((), ("--despite", "hpa"), ("--despite", "scaler"), ("--despite", "hpa:scalers"), ("--type-name", "hpa:scaler")):
            done = fleet.run("act", "stop", DEPLOYMENT, "--yes", "--count", "1", *more)
            self.assertEqual(done.returncode, REFUSED, f"{more}: {done.text}")
            self.assertIn("hpa:scaler", done.stdout.decode())
        self.assertEqual(fleet.json("act", "mark", DEPLOYMENT, "--after", "24h", status=REFUSED)["marks"], [])
        self.assertEqual((fleet.effects(), fleet.log()), (0, []))
        (planned,) = fleet.json("act", "plan", DEPLOYMENT, "--despite", "hpa:scaler")["actions"]
        self.assertEqual((planned["state"], planned["despite"]), ("checked", ["hpa:scaler"]))
        (stopped,) = fleet.json("act", "stop", DEPLOYMENT, "--yes", "--count", "1", "--despite", "hpa:scaler")["actions"]
        self.assertEqual((stopped["state"], fleet.effects()), ("verified", 1))

    def test_stopped_twice(self):
        fleet = self.fleet()
        fleet.stop(NOTEBOOK)
        done = fleet.run("act", "stop", NOTEBOOK, "--yes", "--count", "1")
        self.assertIn(done.returncode, (REFUSED, USAGE), done.text)
        self.assertRegex(done.stdout.decode(), r"Notebook \S+ .*it is already stopped \(by [^)]+\)")
        self.assertEqual(fleet.effects(), 1)

    def test_undo_of_what_somebody_started(self):
        fleet = self.fleet()
        fleet.stop(DEPLOYMENT)
        deeds = fleet.deeds()
        (deed,) = deeds.values()
        deed["pauses"][-1]["until"] = NOW
        deed["value"] = "7"
        deed["version"] += 1
        del deed["stopped"]
        with open(fleet.platform, "w", encoding="utf-8") as file:
            json.dump(deeds, file)
        undone = fleet.json("act", "undo", "1", "--yes", status=REFUSED)["actions"]
        self.assertEqual(undone[0]["state"], "refused")
        outcome = undone[0]["outcome"]
        self.assertEqual((outcome["code"], outcome["value"], outcome["before"]), ("changed-since", "7", undone[0]["after"]))
        self.assertEqual(undone[0]["result"],
                         f"{outcome['field']} is now 7; it was {outcome['before']} before the stop and nothing was changed")
        entry = fleet.json("showback", "--history")["entries"][-1]
        self.assertEqual((entry["action"], entry["details"]["outcome"], entry["details"]["result"]),
                         ("action-refused", outcome, undone[0]["result"]))
        self.assertEqual(fleet.deeds(), deeds)

    def test_no_source_that_stops(self):
        program = Program(self.folder, configuration("  - { name: demo, kind: demo, gpus: 64, days: 1, first_sync: 1d }\n"))
        program.healthy("sync")
        name = json.loads(program.healthy("idle", "--json").stdout)["items"][0]["id"]
        done = program.run("act", "stop", name, "--yes", "--count", "1")
        self.assertEqual(done.returncode, REFUSED, done.text)
        self.assertEqual(json.loads(program.healthy("act", "log", "--json").stdout)["actions"], [])


class Asking(ActTest):
    def answer(self, fleet, word, *arguments, asked=b"[y/N]"):
        master, slave = pty.openpty()
        running = subprocess.Popen(fleet.command("act", *arguments), env=fleet.environment, stdin=slave, stderr=slave, stdout=subprocess.PIPE)
        os.close(slave)
        text = b""
        while asked not in text:
            text += os.read(master, 4096)
        os.write(master, word + b"\n")
        # Later output goes to the terminal, too: it must not fill up.
        try:
            while os.read(master, 4096):
                pass
        except OSError:
            pass
        running.communicate(timeout=120)
        os.close(master)
        return running.returncode, text.decode()

    def test_without_a_terminal(self):
        fleet = self.fleet()
        done = fleet.run("act", "stop", NOTEBOOK, "--count", "1")
        self.assertEqual(done.returncode, REFUSED)
        self.assertIn("it was not confirmed", done.text)
        self.nothing_happened(fleet)
        fleet.stop(NOTEBOOK)
        done = fleet.run("act", "undo", "1")
        self.assertEqual(done.returncode, REFUSED)
        self.assertIn("it was not confirmed", done.text)
        self.assertEqual(fleet.effects(), 1)

    def test_on_a_terminal(self):
        fleet = self.fleet()
        for word in (b"n", b"", b"yess", b"1"):
            status, text = self.answer(fleet, word, "stop", NOTEBOOK, "--count", "1")
            self.assertEqual(status, REFUSED, word)
            self.assertIn("eval-scratch", text)
            self.assertIn("Simulated platform", text)
        self.nothing_happened(fleet)
        status, _ = self.answer(fleet, b"y", "stop", NOTEBOOK, "--count", "1")
        self.assertEqual((status, fleet.effects()), (0, 1))
        status, _ = self.answer(fleet, b"n", "undo", "1")
        self.assertEqual((status, fleet.effects()), (REFUSED, 1))
        status, _ = self.answer(fleet, b"y", "undo", "1")
        self.assertEqual((status, fleet.effects()), (0, 2))


    def test_a_name_on_a_terminal(self):
        fleet = self.fleet()
        name = fleet.json("act", "plan", POD)["actions"][0]["type_name"].encode()
        for word in (b"y", b"", POD.encode(), name + b" ", b"1"):
            status, _ = self.answer(fleet, word, "stop", POD, "--yes", "--count", "1", asked=b"Type its full name")
            self.assertEqual(status, REFUSED, word)
        self.nothing_happened(fleet)
        status, text = self.answer(fleet, name, "stop", POD, "--yes", "--count", "1", asked=b"Type its full name")
        self.assertEqual((status, fleet.effects()), (0, 1))
        self.assertIn(name.decode(), text)


class Two(ActTest):
    def test_two_processes(self):
        for turn in range(3):
            fleet = self.fleet(f"turn{turn}")
            both = [fleet.start("act", "stop", NOTEBOOK, "--yes", "--count", "1", "--json") for _ in range(2)]
            results = [(p.communicate(timeout=120), p.returncode) for p in both]
            self.assertEqual(sorted(status == 0 for _, status in results), [False, True], results)
            self.assertEqual(fleet.effects(), 1)
            self.assertEqual([a["state"] for a in fleet.log() if a["state"] != "refused"], ["verified"])
            fleet.verify()

    def test_while_somebody_else_stops(self):
        fleet = self.fleet()
        with open(os.path.join(fleet.data, "actions.lock"), "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            done = fleet.run("act", "stop", NOTEBOOK, "--yes", "--count", "1")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("another window or command", done.text)
            self.nothing_happened(fleet)  # and reading still works
        fleet.stop(NOTEBOOK)


class Wishes(ActTest):
    def test_keep_and_release(self):
        for kind, until in (("keep-until", ("--until", "2026-10-05")), ("protect", ())):
            fleet = self.fleet(kind)
            lease = fleet.json("act", "keep", NOTEBOOK, "--as", kind, *until, "--reason", "a demo on Monday")
            self.assertEqual(set(lease), {"id", "kind", "holder", "until", "actor", "reason", "at"})
            self.assertEqual((lease["kind"], lease["reason"]), (kind, "a demo on Monday"))
            self.assertEqual(fleet.json("act", "log")["leases"], [lease])
            plan = fleet.json("act", "plan", NOTEBOOK, status=REFUSED)
            self.assertEqual([c["reason"] for c in plan["actions"][0]["checks"] if c["passed"] is False], ["lease"])
            fleet.json("act", "stop", NOTEBOOK, "--yes", "--count", "1", status=REFUSED)
            self.assertEqual(fleet.json("act", "release", str(lease["id"])), {"released": lease["id"]})
            self.assertEqual(fleet.json("act", "log")["leases"], [])
            self.assertNotEqual(fleet.run("act", "release", str(lease["id"])).returncode, 0)
            fleet.stop(NOTEBOOK)
            fleet.verify()

    def test_wrong_wishes(self):
        fleet = self.fleet()
        for arguments in ((NOTEBOOK,), (NOTEBOOK, "--until", "2020-01-01"), (NOTEBOOK, "--until", NOW), (NOTEBOOK, "--until", "soon"),
                          (NOTEBOOK, "--as", "stop-after", "--until", "2026-10-05"), ("nothing", "--as", "protect"),
                          (NOTEBOOK, DEPLOYMENT, "--as", "protect")):
            done = fleet.run("act", "keep", *arguments)
            self.assertEqual(done.returncode, USAGE, f"{arguments}: {done.text}")
        self.assertEqual(fleet.json("act", "log")["leases"], [])


class MarkFleet(Fleet):
    def watch(self, minutes):
        """One round, so many minutes after NOW; returns its events about marks and actions."""
        lines = self.healthy("watch", "--once", now=at(minutes)).stdout.decode().splitlines()
        return [line for line in map(json.loads, lines) if line["event"] != "sync"]


def at(minutes):
    return (datetime.datetime.fromisoformat(NOW[:-1]) + datetime.timedelta(minutes=minutes)).isoformat() + "Z"


class Marks(ActTest):
    def marked(self, name="fleet"):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder)
        return MarkFleet(folder, self.untouched)

    def test_stopped_when_nobody_objects(self):
        fleet = self.marked()
        self.assertEqual(fleet.watch(-5), [])
        done = fleet.json("act", "mark", NOTEBOOK, "--after", "20m", "--reason", "unused")
        (mark,), (notice,) = done["marks"], done["notices"]
        self.assertEqual((mark["kind"], mark["until"], mark["reason"]), ("stop-after", at(20), "unused"))
        self.assertEqual(notice["leases"], [mark["id"]])
        for part in (NOTEBOOK.rsplit("-", 1)[0], "2026-10-04 15:20 UTC", "gpu-ledger.io/protect", "unused", f"mark {mark['id']}"):
            self.assertIn(part, notice["text"])
        item = next(i for i in fleet.json("idle")["items"] if i["name"] == NOTEBOOK)
        self.assertEqual({k: item["action"][k] for k in ("id", "state", "lease", "until")},
                         {"id": None, "state": "marked", "lease": mark["id"], "until": at(20)})
        for verb in (("idle",), ("act", "log")):
            self.assertIn("2026-10-04 15:20", fleet.healthy(*verb).stdout.decode())
        for minutes in (5, 15):
            self.assertEqual(fleet.watch(minutes), [])
        self.nothing_happened(fleet)
        lines = fleet.watch(20)
        self.assertEqual([(line["state"], line["reason"], line["action"]) for line in lines if line["event"] == "mark"], [("over", "stopped", 1)])
        self.assertEqual(fleet.effects(), 1)
        (action,) = fleet.json("act", "log", now=at(20))["actions"]
        self.assertEqual((action["state"], action["reason"], action["actor"]), ("verified", "unused", "watch for " + mark["actor"]))
        self.assertEqual(fleet.watch(25), [])
        undone = fleet.json("act", "undo", "1", "--yes", now=at(26))["actions"]
        self.assertEqual(undone[0]["state"], "verified")
        self.assertEqual(fleet.watch(30), [])
        self.assertEqual(fleet.effects(), 2)
        fleet.verify(now=at(31))

    def test_objections(self):
        for name, object_ in (("release", None), ("keep", ("--until", "2026-10-06")), ("protect", ("--as", "protect"))):
            fleet = self.marked(name=name)
            (mark,) = fleet.json("act", "mark", NOTEBOOK, "--after", "20m")["marks"]
            fleet.watch(0)
            if object_:
                fleet.json("act", "keep", NOTEBOOK, *object_)
            else:
                fleet.json("act", "release", str(mark["id"]))
            self.assertNotIn("stop-after", [lease["kind"] for lease in fleet.json("act", "log")["leases"]])
            for minutes in (10, 20, 30):
                self.assertEqual(fleet.watch(minutes), [])
            self.nothing_happened(fleet)
            fleet.verify(now=at(30))

    def test_another_controller_ends_a_mark(self):
        fleet = self.marked()
        fleet.watch(0)
        fleet.json("act", "mark", NOTEBOOK, "--after", "20m")
        self.manage(fleet, NOTEBOOK, "argo-cd:web")
        for minutes in (5, 15):
            fleet.watch(minutes)
        (line,) = fleet.watch(20)
        self.assertEqual((line["event"], line["state"], line["reason"]), ("mark", "over", "refused"))
        self.assertIn("argo-cd:web", line["detail"])
        details = fleet.json("showback", "--history", now=at(20))["entries"][-1]["details"]
        self.assertEqual((details["mark"]["end"], details["mark"]["check"]["why"]), ("refused", "managed"))
        self.assertEqual(details["reason"], "the mark is over (refused): refused by the last check (stoppable: managed): "
                                            "argo-cd:web; nothing was done")
        self.assertEqual((fleet.effects(), fleet.json("act", "log", now=at(20))["actions"]), (0, []))

    def test_fresh_notice_after_a_gap(self):
        fleet = self.marked()
        fleet.watch(0)
        fleet.json("act", "mark", NOTEBOOK, "--after", "20m")
        (line,) = fleet.watch(25)
        self.assertEqual((line["event"], line["state"], line["reason"], line["until"]), ("mark", "postponed", "unwatched", at(35)))
        self.nothing_happened(fleet)
        self.assertEqual(fleet.watch(34), [])
        self.assertEqual(fleet.watch(36)[-1]["reason"], "stopped")
        self.assertEqual(fleet.effects(), 1)

    def test_off_unless_the_configuration_says_so(self):
        program = Program(self.folder, configuration("  - { name: demo, kind: demo, gpus: 64, days: 1, first_sync: 1d }\n"))
        program.healthy("sync")
        name = json.loads(program.healthy("idle", "--json").stdout)["items"][0]["id"]
        done = program.run("act", "mark", name, "--after", "24h")
        self.assertEqual(done.returncode, REFUSED, done.text)
        self.assertIn("stop_marked: true", done.text)
        program.healthy("watch", "--once")
        self.assertFalse(os.path.exists(os.path.join(program.data, "marks.watched")))

    def test_wrong_marks(self):
        fleet = self.marked()
        for after in ("9m", "31d", "0s", "soon", "-1h"):
            done = fleet.run("act", "mark", NOTEBOOK, "--after", after)
            self.assertEqual(done.returncode, USAGE, f"{after}: {done.text}")
        self.assertEqual(fleet.run("act", "mark", NOTEBOOK).returncode, USAGE)
        self.assertEqual(fleet.run("act", "mark", "nothing", "--after", "24h").returncode, USAGE)
        done = fleet.run("act", "mark", POD, "--after", "24h")  # it can't be brought back
        self.assertEqual(done.returncode, REFUSED, done.text)
        refused = fleet.json("act", "mark", PROTECTED, "--after", "24h", status=REFUSED)
        self.assertEqual((refused["marks"], refused["actions"][0]["state"]), ([], "refused"))
        self.assertEqual(fleet.json("act", "log")["leases"], [])
        partly = fleet.json("act", "mark", NOTEBOOK, "nothing", "--after", "24h", status=REFUSED)
        self.assertEqual(([a["state"] for a in partly["actions"]], len(partly["marks"])), (["checked", "refused"], 1))
        fleet.json("act", "release", str(partly["marks"][0]["id"]))
        self.assertEqual(fleet.json("act", "log")["leases"], [])
        self.nothing_happened(fleet)

    def test_two_watches(self):
        fleet = self.marked()
        fleet.watch(0)
        fleet.json("act", "mark", NOTEBOOK, "--after", "10m")
        both = [fleet.start("watch", "--once", now=at(10)) for _ in range(2)]
        outputs = [p.communicate(timeout=120) for p in both]
        self.assertEqual([p.returncode for p in both], [0, 0], outputs)
        fleet.watch(11)
        self.assertEqual(fleet.effects(), 1)
        self.assertEqual([a["state"] for a in fleet.json("act", "log", now=at(11))["actions"]], ["verified"])


class Log(ActTest):
    def test_foreign_text(self):
        fleet = self.fleet()
        hostile = "=cmd|' /C calc'!A0 \x1b[31m\x1b]0;pwn\x07 <b>é\u202e"
        fleet.json("act", "stop", NOTEBOOK, "--yes", "--count", "1", "--reason", hostile)
        self.assertEqual(fleet.log()[0]["reason"], hostile)
        shown = fleet.healthy("act", "log").stdout.decode() + fleet.run("act", "undo", "1", "--yes").text
        self.assertNotIn("\x1b", shown)
        self.assertNotIn("\u202e", shown)
        row = next(csv.DictReader(io.StringIO(fleet.healthy("act", "log", "--csv").stdout.decode())))
        self.assertFalse(row["reason"].startswith("="))
        self.assertEqual(row["state"], "undone")

    def test_bytes_that_are_no_text(self):
        fleet = self.fleet()
        command = [os.fsencode(a) for a in fleet.command("act", "stop", NOTEBOOK, "--yes", "--count", "1", "--json", "--reason")]
        done = subprocess.run([*command, b"x\xff\xfe"], env=fleet.environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        if done.returncode == 0:
            json.loads(done.stdout)
            fleet.log()
        else:
            self.assertEqual(fleet.deeds(), {})
        fleet.verify()

    def test_long_reason(self):
        fleet = self.fleet()
        done = fleet.run("act", "stop", NOTEBOOK, "--yes", "--count", "1", "--reason", "x" * 2001)
        self.assertEqual(done.returncode, USAGE, done.text)
        self.nothing_happened(fleet)

    def test_wrong_numbers(self):
        fleet = self.fleet()
        for number in ("1", "0", "-1", "x", "9223372036854775807", "99999999999999999999"):
            done = fleet.run("act", "undo", number, "--yes")
            self.assertEqual(done.returncode, USAGE, f"{number}: {done.text}")
            done = fleet.run("act", "release", number)
            self.assertEqual(done.returncode, USAGE, f"{number}: {done.text}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
