#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances of Compute Engine from a real Prometheus into the idle list, stopped and started again by the command line, against a fake that keeps every request
(computeengine.py). At most one change is sent, never anything but these two, and nothing counts as done before it was read back. Without prometheus it is skipped (77)."""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "faults"), str(HERE.parent / "support")]

import kubefleet  # noqa: E402
import promserver  # noqa: E402
import run_keyedstops  # noqa: E402
from computeengine import (ECHO, INSTANCE, LIST, OTHER, PROJECT, REQUEST_ID, RESET, SCOPES, TOKEN, WORKBENCH, StoppableInstances, failed_operation, fault,  # noqa: E402
                           instance, moment, operation, told_of)
from run_keyedstops import CANARY, CUT, ELSEWHERE, HTML, LOGIN, PAGE, REFUSED, SKIPPED, LiveProgram  # noqa: E402

COUNT = 18
NAMES = ["gpu-%02d" % number for number in range(COUNT)]
HERE_ZONE, FAR_ZONE = "us-central1-a", "us-east1-c"
# What telemetry calls others: by zone and name, by name, by host name, by its first label, by a name that several have.
BY_ZONE, BY_NAME, BY_HOST, BY_LABEL, TWIN, TWIN_AND_ZONE, NOBODY = "US-Central1-A/Zoned", "NAMED", "Db.lab.example", "web", "twin", FAR_ZONE + "/twin", "nobody"
OTHERS = (BY_ZONE, BY_NAME, BY_HOST, BY_LABEL, TWIN, TWIN_AND_ZONE, NOBODY)
TELEMETRY = None  # the address of a Prometheus that has all of these machines
STOP, START = "stop", "start"
MAY_STOP, MAY_START = "compute.instances.stop", "compute.instances.start"
AGAIN = {"id": "6999999999999999999"}  # another instance of the name
GROUP = {"metadata": {"kind": "compute#metadata", "fingerprint": "x=", "items": [
    {"key": "enable-oslogin", "value": "TRUE"}, {"key": "created-by", "value": "projects/123/zones/us-central1-a/instanceGroupManagers/train"}]}}
LOCAL_DISK = {"disks": [{"type": "PERSISTENT", "boot": True, "diskSizeGb": "100"}, {"type": "SCRATCH", "interface": "NVME", "diskSizeGb": "375"}]}


def setUpModule():
    global TELEMETRY
    begin = int(time.time()) // kubefleet.STEP * kubefleet.STEP - kubefleet.HOURS * 3600
    told = [one for name in (*NAMES, *OTHERS) for one in kubefleet.machine_series(name, name.replace("/", "-"), ((1, ""),), {"CostCenter": "vision"})]
    kept = tempfile.TemporaryDirectory(prefix="gpuledgergcpstops")
    unittest.addModuleCleanup(kept.cleanup)
    server = promserver.Server(kept.name, "prometheus", kubefleet.samples(told, begin), kubefleet.STEP)
    TELEMETRY = server.start()
    unittest.addModuleCleanup(server.stop)


def vm(name, zone=HERE_ZONE, **more):
    return instance(name, moment(days=2), kind="a2-highgpu-1g", zone=zone,
                    **{"disks": LOCAL_DISK["disks"][:1], "scheduling": {"provisioningModel": "STANDARD", "preemptible": False}, **more})


def full(at):
    return f"{HERE_ZONE}/{NAMES[at]}"


def said(status, reason, headers=None):
    return fault(status, reason, "not now, " + ECHO.decode(), headers)


class ComputeStopsTest(run_keyedstops.StopTest):
    def setUp(self):
        super().setUp()
        self.server = self.serve()

    def serve(self):
        """A fake with machines that run; it ends with the test, and gets nothing but stops and starts, each without a body."""
        server = StoppableInstances()
        self.addCleanup(server.close)
        self.addCleanup(self.check_requests, server)
        server.page, server.instances = 10, [vm(name) for name in NAMES]
        return server

    def check_requests(self, server):
        """A change is sent on a connection of its own, under a number of its own."""
        for change in server.changes:
            self.assertRegex(f"{change.method} {change.path}", f"^POST /compute/v1/projects/({PROJECT}|{OTHER})/zones/[^/]+/instances/[^/]+/({STOP}|{START})$")
            self.assertLessEqual(set(change.query), {"requestId", "discardLocalSsd"})
            self.assertRegex(change.query["requestId"], f"^{REQUEST_ID.pattern}$")
            self.assertEqual((change.body, change.is_first), ("", True))
        numbers = [change.query["requestId"] for change in server.changes if change.status != 401]
        self.assertEqual(len(numbers), len(set(numbers)))
        for method, path in server.requests:
            found = INSTANCE.fullmatch(path)
            self.assertTrue((method == "GET" and (LIST.fullmatch(path) or WORKBENCH.fullmatch(path) or (found and not found[4]))) or (method, path) == ("POST", "/token")
                            or (method == "POST" and found and found[4] in ("testIamPermissions", STOP, START)), (method, path))
        self.assertLessEqual({right for wanted in server.tested for right in wanted}, {MAY_STOP, MAY_START})

    def forget(self):
        """The changes so far, after a check."""
        self.check_requests(self.server)
        del self.server.changes[:]

    def gcp(self, server=None, name="cloud", rights="read, stop", project=PROJECT, logs_in=False):
        token = "env:GCP_TOKEN"
        if logs_in:
            path = os.path.join(self.folder, "key.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.server.robot_key())
            os.chmod(path, 0o600)
            token = f"\"file:{path}\""
        return (f"  - {{ name: {name}, kind: gcp, cluster: lab, url: \"{(server or self.server).url()}\", project: {project}, first_sync: 1d, usage: none, "
                f"auth: {{ type: bearer, token: {token} }}, rights: [{rights}] }}\n")

    @staticmethod
    def configure(program, *sources, actions="max_per_hour: 100"):
        program.configure("version: 1\ncurrency: USD\ntime_zone: UTC\nsources:\n"
                          f"  - {{ name: prom, kind: prometheus, url: \"{TELEMETRY}\", cluster: lab, first_sync: {kubefleet.HOURS}h }}\n"
                          + "".join(sources) + kubefleet.MACHINES + f"actions: {{ {actions} }}\n")

    def over(self, *sources, **more):
        """A program with a synced data folder of its own."""
        program = LiveProgram(tempfile.mkdtemp(dir=self.folder))
        self.configure(program, *(sources or (self.gcp(),)), **more)
        program.environment.update(GCP_TOKEN=TOKEN)
        program.healthy("sync")
        self.addCleanup(self.check_left_behind, program)
        return program

    def stopped(self, program, at=0, status=0, name="", typed=""):
        """A machine loses nothing that lasts, so its name is not typed."""
        only, = self.act(program, "stop", "lab//" + (name or NAMES[at]), "--yes", "--count", "1", "--reason", "nobody uses it",
                         *(("--type-name", typed) if typed else ()), status=status)
        return only

    @staticmethod
    def posts(server):
        """What was asked to be done, whether it was done or not."""
        return [(change.path.rsplit("/", 1)[1], change.path.split("/")[-2]) for change in server.changes]

    @staticmethod
    def sent(*verbs, at=0):
        return [(verb, NAMES[at]) for verb in verbs]

    def assertSent(self, *expected, server=None):
        self.assertEqual(self.posts(server or self.server), list(expected))

    def status(self, at=0):
        return self.server.instances[at]["status"]

    def plans(self, program, *names):
        """The plans for machines by what telemetry calls them; nothing is sent for them."""
        before = len(self.server.changes)
        done = program.run("act", "plan", *("lab//" + name for name in names), "--json")
        self.assertIn(done.returncode, (0, REFUSED), done.text)
        self.assertEqual(len(self.server.changes), before)
        return {one["holders"][0].removeprefix("lab//"): one for one in json.loads(done.stdout)["actions"]}

    def failing(self, program, *names):
        """{what telemetry calls it: {check that fails: why}}"""
        return {name: self.failed_checks(plan) for name, plan in self.plans(program, *names).items()}

    def usual(self, verb, do):
        """The kinds of the questions that precede the call that this makes."""
        del self.server.questions[:]
        done = do()
        return done, self.server.questions[:self.server.questions.index(verb)]


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class Stops(ComputeStopsTest):
    def test_stopped_and_started_again(self):
        program = self.over()
        item = {one["name"]: one for one in json.loads(program.healthy("idle", "--json").stdout)["items"]}[NAMES[0]]
        self.assertEqual((item["kind"], item["id"], item["gpus"], item["owner"]), ("machine", "lab//" + NAMES[0], 1, "vision"))
        for arguments in (("plan", item["id"]), ("stop", item["id"], "--dry-run")):
            planned, = self.act(program, *arguments)
            self.assertEqual((planned["state"], self.failed_checks(planned)), ("checked", {}))
            self.assertIsNone({one["name"]: one["passed"] for one in planned["checks"]}["dry-run"])
            self.assertEqual((planned["reversible"], planned["type_name"]), (True, None))
            self.assertNotRegex("\n".join(planned["lost"]), "(?i)disk")
            self.assertRegex("\n".join(planned["lost"]), "(?i)capacity")
            self.assertRegex("\n".join(planned["cautions"]), "(?i)address")
        self.assertSent()
        stopped, before = self.usual(STOP, lambda: self.stopped(program))
        self.assertEqual((stopped["state"], *(stopped["target"][key] for key in ("source", "kind", "namespace", "name", "uid"))),
                         ("verified", "cloud", "ComputeInstance", HERE_ZONE, NAMES[0], self.server.instances[0]["id"]), stopped)
        self.assertLessEqual({"list", "machine", "permissions"}, set(before))
        self.assertEqual(before[-1], "machine")  # right before the call
        self.assertSent(*self.sent(STOP))
        self.assertNotIn("discardLocalSsd", self.server.changes[0].query)
        self.assertEqual((self.server.executed, self.status()), (self.sent(STOP), "TERMINATED"))
        row, = self.act(program, "log")
        self.assertEqual([row[key] for key in ("id", "state", "kind", "field", "reason", "holders", "before", "after")],
                         [stopped["id"], "verified", "stop", "state", "nobody uses it", ["lab//" + NAMES[0]], '"running"', '"terminated"'], row)
        undone, before = self.usual(START, lambda: self.undo(program, stopped))
        self.assertEqual((undone["state"], undone["undoes"]), ("verified", stopped["id"]), undone)
        self.assertIn("permissions", before)
        self.assertEqual(before[-1], "machine")
        self.assertSent(*self.sent(STOP, START))
        self.assertEqual((self.server.executed, self.status()), (self.sent(STOP, START), "RUNNING"))
        self.assertEqual(self.states(program), {stopped["id"]: "undone", undone["id"]: "verified"})

    def test_a_local_disk_is_lost(self):
        """Then it is stopped only if that is permitted and its full name is typed."""
        for at in (0, 1):
            self.server.instances[at].update(LOCAL_DISK)
        program = self.over()
        self.assertIn("irreversible: typed_name", self.failed_checks(self.stopped(program, status=REFUSED, typed=full(0)))["allowed"])
        self.configure(program, self.gcp(), actions="irreversible: typed_name, max_per_hour: 100")
        planned = self.plans(program, NAMES[0], NAMES[2])
        self.assertEqual([(planned[name]["reversible"], planned[name]["type_name"]) for name in (NAMES[0], NAMES[2])], [(False, full(0)), (True, None)])
        self.assertRegex("\n".join(planned[NAMES[0]]["lost"]), "(?i)disk")
        for more in ((), ("--type-name", NAMES[0]), ("--type-name", full(1))):
            done = program.run("act", "stop", "lab//" + NAMES[0], "--yes", "--count", "1", *more)
            self.assertEqual(done.returncode, REFUSED, done.text)
            self.assertIn("--type-name " + full(0), done.text)
        self.assertSent()
        stopped = self.stopped(program, typed=full(0))
        self.assertEqual((stopped["state"], self.server.changes[0].query.get("discardLocalSsd"), self.status()), ("verified", "true", "TERMINATED"), stopped)
        self.assertEqual((self.undo(program, stopped)["state"], self.status()), ("verified", "RUNNING"))
        self.assertNotIn("discardLocalSsd", self.server.changes[1].query)
        self.assertSent(*self.sent(STOP, START))

    def test_several_at_once(self):
        """The first one alone, then five at a time, each once."""
        self.server.takes = 2
        program = self.over()
        chosen = range(8)
        done = self.act(program, "stop", *("lab//" + NAMES[at] for at in chosen), "--yes", "--count", str(len(chosen)))
        self.assertEqual([one["state"] for one in done], ["verified"] * len(chosen))
        self.assertCountEqual(self.posts(self.server), [(STOP, NAMES[at]) for at in chosen])
        self.assertEqual([self.status(at) for at in range(COUNT)], ["TERMINATED"] * len(chosen) + ["RUNNING"] * (COUNT - len(chosen)))

    def test_names(self):
        """A machine is meant by its zone and name, its name, or its host name with or without its domain; if several are, none is."""
        self.server.instances += [vm("zoned"), vm("zoned", FAR_ZONE), vm("named"), vm("d-1", hostname="db.lab.example"), vm("w-1", hostname="WEB.lab.example"),
                                  vm(TWIN), vm(TWIN, FAR_ZONE), vm("x-1", FAR_ZONE, hostname=NAMES[1] + ".lab.example")]
        program = self.over()
        plans = self.plans(program, *OTHERS, *NAMES[:2])
        self.assertEqual({name: "/".join(plan["target"][key] for key in ("namespace", "name")) for name, plan in plans.items() if not self.failed_checks(plan)},
                         {BY_ZONE: HERE_ZONE + "/zoned", BY_NAME: HERE_ZONE + "/named", BY_HOST: HERE_ZONE + "/d-1", BY_LABEL: HERE_ZONE + "/w-1",
                          TWIN_AND_ZONE: FAR_ZONE + "/twin", NAMES[0]: full(0)})
        for name in (TWIN, NAMES[1]):
            self.assertEqual(list(self.failed_checks(plans[name])), ["same-object"])
            self.assertIn("several machines have the name " + name, json.dumps(plans[name]["checks"]))
        self.assertEqual({one["name"]: one["reason"] for one in plans[NOBODY]["checks"]}, {"same-object": "gone"})
        self.assertEqual(self.stopped(program, name=BY_NAME)["state"], "verified")
        self.assertEqual(self.stopped(program, name=TWIN_AND_ZONE)["state"], "verified")
        self.assertSent((STOP, "named"), (STOP, "twin"))
        self.assertIn(f"/zones/{FAR_ZONE}/", self.server.changes[1].path)

    def test_a_zone_that_is_down(self):
        """It may have another machine of the name."""
        program = self.over()
        self.server.down = [f"projects/{PROJECT}/zones/us-west1-b"]
        failing = self.failing(program, NAMES[0], NOBODY)
        for name in (NAMES[0], NOBODY):
            self.assertEqual(list(failing[name]), ["same-object"])
            self.assertIn("not all zones answered", failing[name]["same-object"])
        self.assertEqual(self.stopped(program, status=REFUSED)["state"], "refused")
        self.assertSent()
        self.server.down = []
        stopped = self.stopped(program)
        self.server.down = [f"projects/{PROJECT}/zones/us-west1-b"]  # an undo looks for nothing
        self.assertEqual((stopped["state"], self.undo(program, stopped)["state"]), ("verified", "verified"))
        self.assertSent(*self.sent(STOP, START))

    def test_two_projects(self):
        """The right one, or none: both may know a name, and one that is not told may know it, too."""
        here, there = self.server.instances[0], vm(NAMES[0], project=OTHER)
        self.server.instances += [there, vm(TWIN), vm(TWIN, FAR_ZONE, project=OTHER)]
        program = self.over(self.gcp(), self.gcp(name="second", project=OTHER))
        plans = self.plans(program, NAMES[0], TWIN, TWIN_AND_ZONE)
        for name in (NAMES[0], TWIN):
            self.assertEqual(list(self.failed_checks(plans[name])), ["same-object"])
            self.assertIn("cloud, second", json.dumps(plans[name]["checks"]))
        self.assertEqual((self.failed_checks(plans[TWIN_AND_ZONE]), plans[TWIN_AND_ZONE]["target"]["source"]), ({}, "second"))
        self.server.instances.append(vm(TWIN, "europe-west4-a", project=OTHER))  # a name that one has twice is not the other's alone
        plan = self.plans(program, TWIN)[TWIN]
        self.assertEqual(list(self.failed_checks(plan)), ["same-object"])
        self.assertIn("several machines have the name twin", json.dumps(plan["checks"]))
        self.server.closed = {OTHER}
        self.assertEqual(list(self.failed_checks(self.stopped(program, status=REFUSED))), ["same-object"])
        self.server.closed = set()
        self.server.instances.remove(here)
        stopped = self.stopped(program)
        self.assertEqual((stopped["target"]["source"], self.undo(program, stopped)["state"]), ("second", "verified"))
        self.assertSent(*self.sent(STOP, START))
        self.assertEqual({change.path.split("/")[4] for change in self.server.changes}, {OTHER})

    def test_killed_after_the_change(self):
        """The next start finds out what became of it."""
        program = self.over()

        def killed(*arguments):
            process = program.start("act", *arguments, "--yes")
            self.server.after_change = process.kill
            self.assertNotIn(CANARY.decode(), "".join(process.communicate()))
            self.assertLess(process.returncode, 0)
            self.server.after_change = None
        self.server.takes = 0
        killed("stop", "lab//" + NAMES[0], "--count", "1")
        first, = self.states(program)
        self.assertEqual((self.states(program), self.status()), ({first: "verified"}, "TERMINATED"))
        killed("undo", str(first))
        self.assertEqual((list(self.states(program).values()), self.status()), (["undone", "verified"], "RUNNING"))
        self.server.takes = 3  # it is on its way
        killed("stop", "lab//" + NAMES[1], "--count", "1")
        last = [self.states(program)[max(self.states(program))] for _ in range(4)]
        self.assertEqual((last[-1], set(last) - {"executed", "verified"}), ("verified", set()), last)
        self.assertSent(*self.sent(STOP, START), *self.sent(STOP, at=1))

    def test_a_token_that_ends_at_the_call(self):
        """Another one, and one more try under the same number; nothing else is sent again. Only what changes something asks for more than to read."""
        program = self.over(self.gcp(logs_in=True))
        self.assertEqual(set(self.server.logins), {SCOPES + "compute.readonly"})

        def end():
            self.server.tokens.clear()
            self.server.before_change = None
        done = None
        for verb in (STOP, START):
            before, self.server.before_change = len(self.server.logins), end
            done = self.stopped(program) if verb == STOP else self.undo(program, done)
            self.assertEqual(done["state"], "verified", done)
            self.assertGreaterEqual(self.server.logins[before:].count(SCOPES + "compute"), 2)
        self.assertSent(*self.sent(STOP, STOP, START, START))
        self.assertEqual(self.server.executed, self.sent(STOP, START))
        numbers = [change.query["requestId"] for change in self.server.changes]
        self.assertEqual((numbers[0::2], len(set(numbers))), (numbers[1::2], 2))
        self.forget()
        self.server.change_faults = [(False, said(401, "authError"))] * 9
        self.assertEqual(self.stopped(program, 1, REFUSED)["state"], "refused")
        self.assertSent(*self.sent(STOP, STOP, at=1))


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class Refusals(ComputeStopsTest):
    def test_obstacles(self):
        obstacles = (
            (GROUP, "(?i)group.*train"), *(({"labels": {label: "x"}}, "(?i)cluster") for label in (
                "goog-gke-node", "goog-k8s-cluster-name", "goog-dataproc-cluster-name", "slurm_cluster_name")),
            *(({"status": status}, status.lower()) for status in ("PROVISIONING", "STAGING", "PENDING_STOP", "STOPPING", "TERMINATED", "SUSPENDING", "SUSPENDED",
                                                                 "REPAIRING", "DEPROVISIONING", "DREAMING")))
        for at, (facts, _) in enumerate(obstacles):
            self.server.instances[at].update(facts)
        failing = self.failing(self.over(), *NAMES[:len(obstacles)])
        for at, (facts, words) in enumerate(obstacles):
            with self.subTest(facts):
                self.assertEqual(list(failing[NAMES[at]]), ["stoppable"])
                self.assertRegex(failing[NAMES[at]]["stoppable"], words)
        self.assertSent()

    def test_cautions(self):
        """What may end by itself, or not start again, may still be stopped."""
        limit = {"maxRunDuration": {"seconds": "86400"}, "instanceTerminationAction": "DELETE"}
        spot, limited = "(?i)spot", "(?i)limited time"
        cases = (({"provisioningModel": "SPOT", "preemptible": True, "instanceTerminationAction": "DELETE"}, {spot}), ({"preemptible": True}, {spot}),
                 ({"provisioningModel": "FLEX_START", **limit}, {limited}), ({"provisioningModel": "RESERVATION_BOUND", **limit}, {limited}),
                 ({"provisioningModel": "STANDARD"}, set()), ({}, set()))
        for at, (scheduling, _) in enumerate(cases):
            self.server.instances[at]["scheduling"] = scheduling
        program = self.over()
        plans = self.plans(program, *NAMES[:len(cases)])
        for at, (scheduling, words) in enumerate(cases):
            with self.subTest(scheduling):
                plan = plans[NAMES[at]]
                self.assertEqual((plan["state"], self.failed_checks(plan)), ("checked", {}))
                self.assertEqual({one for one in (spot, limited) if re.search(one, "\n".join(plan["cautions"]))}, words)
        self.assertEqual(self.stopped(program)["state"], "verified")
        self.assertSent(*self.sent(STOP))

    def test_labels_that_protect(self):
        cases = (({"gpu-ledger_protect": "true"}, True), ({"gpu-ledger_protect": ""}, True), ({"gpu-ledger_protect": "false"}, False), ({}, False),
                 ({"protect": "true"}, False), ({"gpu-ledger_keep-until": "2099-01-01"}, True))
        for at, (labels, _) in enumerate(cases):
            self.server.instances[at]["labels"] = labels
        program = self.over()
        failing = self.failing(program, *NAMES[:len(cases)])
        for at, (labels, is_protected) in enumerate(cases):
            with self.subTest(labels):
                self.assertEqual(list(failing[NAMES[at]]), ["not-protected"] if is_protected else [])
        self.assertIn("not-protected", self.failed_checks(self.stopped(program, status=REFUSED)))
        # Protected since it was checked.
        self.server.from_now({("machine", 3): lambda: self.server.instances[2].update(labels={"gpu-ledger_protect": "true"})})
        self.assertEqual(self.stopped(program, 2, REFUSED)["state"], "refused")
        self.assertGreaterEqual(self.server.seen["machine"], 3)
        self.assertSent()

    def test_permissions(self):
        cases = (((MAY_STOP, MAY_START), True), ((MAY_STOP,), True), ((MAY_START,), False), ((), False))
        for at, (held, _) in enumerate(cases):
            self.server.permissions[NAMES[at]] = held
        program = self.over()
        failing = self.failing(program, *NAMES[:len(cases)])
        for at, (held, may) in enumerate(cases):
            with self.subTest(held):
                self.assertEqual(list(failing[NAMES[at]]), [] if may else ["allowed"])
                self.assertIn(f"{MAY_STOP} on {full(at)}", failing[NAMES[at]].get("allowed", f"{MAY_STOP} on {full(at)}"))
        self.assertIn("allowed", self.failed_checks(self.stopped(program, 3, REFUSED)))
        self.assertSent()
        # The right to start again is missing.
        stopped = self.stopped(program, 1)
        refused = self.undo(program, stopped, REFUSED)
        self.assertEqual((refused["state"], self.states(program)[stopped["id"]]), ("refused", "verified"), refused)
        self.assertIn(MAY_START, refused["result"])
        self.assertSent(*self.sent(STOP, at=1))
        self.server.permissions.clear()
        self.assertEqual(self.undo(program, stopped)["state"], "verified")
        self.assertLessEqual({tuple(wanted) for wanted in self.server.tested}, {(MAY_STOP,), (MAY_START,)})

    def test_rights_of_the_source(self):
        program = self.over(self.gcp(rights="read"))
        self.assertIn("the configuration does not allow stopping anything here", program.healthy("sources", "test", "cloud").stdout.decode())
        self.assertTrue({"same-object", "allowed"} & set(self.failed_checks(self.stopped(program, status=REFUSED))))
        self.configure(program, self.gcp())
        tested = program.healthy("sources", "test", "cloud").stdout.decode()
        for words in ("may compute.instances.list", "permission to stop one is checked when it is selected"):
            self.assertIn(words, tested)
        self.server.closed = {PROJECT}
        done = program.run("sources", "test", "cloud")
        self.assertNotEqual(done.returncode, 0)
        for words in ("may not compute.instances.list", "not usable"):
            self.assertIn(words, done.stdout.decode())
        self.assertEqual(list(self.failed_checks(self.stopped(program, status=REFUSED))), ["same-object"])
        self.server.closed = set()
        self.assertSent()
        stopped = self.stopped(program)
        self.configure(program, self.gcp(rights="read"))
        self.assertEqual(self.undo(program, stopped, REFUSED)["state"], "refused")
        self.assertSent(*self.sent(STOP))

    def test_changed_between_the_plan_and_the_call(self):
        """At whichever look: another size or state, other labels, started again, taken into a group, another machine of the name."""
        program = self.over()
        _, before = self.usual(STOP, lambda: self.stopped(program, COUNT - 1))
        last = collections.Counter(before)["machine"]
        self.assertGreaterEqual(last, 3)
        resized = {"machineType": self.server.instances[0]["machineType"].replace("1g", "2g")}
        cases = [(look, facts) for facts in (resized, {"status": "STOPPING"}, AGAIN) for look in range(2, last + 1)] + [
            (last, facts) for facts in ({"labels": {"team": "nlp"}}, {"labelFingerprint": "other="}, {"lastStartTimestamp": moment(minutes=1)}, GROUP)]
        for look, facts in cases:
            with self.subTest(look=look, facts=facts):
                one = self.server.instances[0] = vm(NAMES[0])
                self.server.from_now({("machine", look): lambda one=one, facts=facts: one.update(facts)})
                self.assertEqual(self.stopped(program, status=REFUSED)["state"], "refused")
                self.assertGreaterEqual(self.server.seen["machine"], look)
        self.assertSent(*self.sent(STOP, at=COUNT - 1))

    def test_changed_between_the_stop_and_the_undo(self):
        """Started by someone, replaced, or gone: by the time of the undo, or while it runs."""
        program = self.over()
        changes = ({"status": "RUNNING"}, {"status": "STAGING"}, AGAIN, {**AGAIN, "status": "RUNNING"})
        for at, facts in enumerate(changes):
            with self.subTest(facts):
                stopped = self.stopped(program, at)
                self.server.instances[at].update(facts)
                self.assertEqual(self.undo(program, stopped, REFUSED)["state"], "refused")
        for at, facts in enumerate(changes, len(changes)):
            with self.subTest(facts, during=True):
                stopped = self.stopped(program, at)
                self.server.from_now({("machine", 2): lambda at=at, facts=facts: self.server.instances[at].update(facts)})
                self.assertEqual(self.undo(program, stopped, REFUSED)["state"], "refused")
                self.assertGreaterEqual(self.server.seen["machine"], 2)
                self.server.from_now({})
        at = 2 * len(changes)
        stopped = self.stopped(program, at)
        del self.server.instances[at]
        self.assertEqual(self.undo(program, stopped, REFUSED)["state"], "refused")
        self.assertSent(*((STOP, NAMES[number]) for number in range(at + 1)))

    def test_nothing_else_is_stopped_in_its_place(self):
        """The machine is gone, the answer is of another one, or is none."""
        program = self.over()

        def told(one, **more):
            return 200, json.dumps({**told_of(one), **more}).encode(), {}
        one, another = self.server.instances[:2]
        far = vm(NAMES[0], FAR_ZONE)
        none = ((200, LOGIN, HTML), (200, b"{}", {}), (200, b"null", {}), CUT, said(403, "forbidden"), said(404, "notFound"))
        cases = [("machine", answer) for answer in (*none, told(another), told(far), told(one, id=""), told(one, status=""))] + [
            ("list", answer) for answer in (*none, (200, b'{"items": []}', {}), (200, b'{"items": {"zones/us-central1-a": {}}}', {}))] + [
            ("permissions", answer) for answer in (*none, (200, b'{"permissions": "compute.instances.stop"}', {}), (200, b'{"permissions": ["compute.instances.*"]}', {}))]
        for kind, answer in cases:
            with self.subTest(kind, answer=answer[:2]):
                self.server.from_now({(kind, look): lambda answer=answer: answer for look in range(1, 99)})
                refused = self.stopped(program, status=REFUSED)
                self.assertEqual(list(self.failed_checks(refused)), ["allowed" if kind == "permissions" else "same-object"], refused)
                self.assertGreater(self.server.seen[kind], 0)
        self.server.from_now({})
        self.assertSent()


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class Answers(ComputeStopsTest):
    def test_slow_and_busy_answers_before_the_call(self):
        """It is sent after an answer that is fresh, and not at all without one."""
        program = self.over()
        _, before = self.usual(STOP, lambda: self.stopped(program, COUNT - 1))
        last = before.count("machine")
        slow, busy = (lambda: time.sleep(2.3)), (lambda: said(429, "rateLimitExceeded", {"Retry-After": "1"}))
        limited = (lambda: said(403, "rateLimitExceeded", {"Retry-After": "1"}))
        for at, (event, looks, state) in enumerate(((slow, (last,), "verified"), (busy, (last,), "verified"), (limited, (last,), "verified"),
                                                    (slow, range(last, 99), "failed"), (busy, range(last, 99), "failed"))):
            with self.subTest(at):
                self.forget()
                self.server.from_now({("machine", look): event for look in looks})
                self.assertEqual(self.stopped(program, at, 0 if state == "verified" else REFUSED)["state"], state)
                self.assertSent(*(self.sent(STOP, at=at) if state == "verified" else ()))
                self.server.from_now({})

    def test_answers_to_the_change(self):
        """Lost, wrong or refused: it is sent once, and what is read back counts."""
        program = self.over()
        self.server.takes = 0
        failed = failed_operation(STOP, self.server.instances[0], "RESOURCE_OPERATION_RATE_EXCEEDED", "not now, " + ECHO.decode())
        for at, (does, told, state, code) in enumerate((
                (True, RESET, "verified", ""), (True, said(500, "internalError"), "verified", ""), (True, said(503, "backendError", {"Retry-After": "1"}), "verified", ""),
                (True, (502, LOGIN, HTML), "verified", ""), (True, PAGE, "verified", ""), (True, (200, b'{"na', {"Content-Length": "99"}), "verified", ""),
                (True, (200, b"{}", {}), "verified", ""),
                (False, said(429, "rateLimitExceeded", {"Retry-After": "1"}), "failed", "try-later"), (False, said(409, "resourceInUse"), "refused", "changed-meanwhile"),
                (False, said(412, "conditionNotMet"), "refused", "changed-meanwhile"), (False, said(404, "notFound"), "refused", "changed-meanwhile"),
                (False, said(403, "forbidden"), "refused", "platform-refused"), (False, said(400, "resourceNotReady"), "refused", "platform-refused"),
                (False, failed, "refused", "platform-refused"))):
            with self.subTest(does=does, told=told):
                self.forget()
                self.server.change_faults = [(does, told)]
                stopped = self.stopped(program, at, 0 if state == "verified" else REFUSED)
                self.assertEqual((stopped["state"], self.status(at)), (state, "TERMINATED" if does else "RUNNING"), stopped)
                self.assertSent(*self.sent(STOP, at=at))
                if code:
                    self.assertEqual(stopped["outcome"]["code"], code, stopped)
        # The same for a start.
        first, = (one for one in self.act(program, "log") if one["target"]["name"] == NAMES[0])
        self.forget()
        self.server.change_faults = [(False, failed_operation(START, self.server.instances[0], "ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS", "The zone has no capacity."))]
        refused = self.undo(program, first, REFUSED)
        self.assertEqual((refused["state"], self.status()), ("refused", "TERMINATED"))
        self.assertIn("ZONE_RESOURCE_POOL_EXHAUSTED", refused["result"])
        self.server.change_faults = [(True, RESET)]
        self.assertEqual((self.undo(program, first)["state"], self.status()), ("verified", "RUNNING"))
        self.assertSent(*self.sent(START, START))

    def test_a_lost_answer_to_a_change_that_takes_a_while(self):
        program = self.over()
        self.server.takes, self.server.change_faults = 5, [(True, RESET)]
        stopped = self.stopped(program)
        self.assertEqual((stopped["state"], self.status()), ("verified", "TERMINATED"), stopped)
        self.server.change_faults = [(True, said(500, "internalError"))]
        self.assertEqual((self.undo(program, stopped)["state"], self.status()), ("verified", "RUNNING"))
        self.assertSent(*self.sent(STOP, START))

    def test_what_never_comes(self):
        """No capacity for a start, or an answer and nothing done. What is not read back was not done. Some wait for 2.5 minutes, all at once."""
        def no_capacity():
            server = self.serve()
            program = self.over(self.gcp(server))
            stopped = self.stopped(program)
            server.start_ends, server.takes = "TERMINATED", 2
            undone = self.undo(program, stopped, REFUSED)
            self.assertEqual((undone["state"], self.states(program)[stopped["id"]], server.instances[0]["status"]), ("failed", "verified", "TERMINATED"), undone)
            self.assertSent(*self.sent(STOP, START), server=server)

        def claim(told):
            server = self.serve()
            program = self.over(self.gcp(server))
            server.change_faults = [(False, told)]
            stopped = self.stopped(program, status=REFUSED)
            self.assertEqual((stopped["state"], server.instances[0]["status"]), ("failed", "RUNNING"), (told, stopped))
            self.assertSent(*self.sent(STOP), server=server)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            waits = [pool.submit(no_capacity)] + [pool.submit(claim, told) for told in (
                operation(STOP, self.server.instances[0]), (200, b"{}", {}), PAGE, CUT, RESET, said(500, "internalError"), ELSEWHERE)]
            for one in waits:
                one.result()


if __name__ == "__main__":
    if not promserver.available("prometheus"):
        print("prometheus and promtool are not installed")
        sys.exit(SKIPPED)
    unittest.main()
