#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Virtual machines of Azure, and instances of Azure Machine Learning, from a real Prometheus into the idle list, stopped and started again by the command line, against a fake that keeps every request
(resourcemanager.py). At most one change is sent, never anything but these two, and nothing counts as done before it was read back. Without prometheus it is skipped (77)."""
import collections
import concurrent.futures
import json
import pathlib
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "faults"), str(HERE.parent / "support")]

import kubefleet  # noqa: E402
import learninginstances  # noqa: E402
import promserver  # noqa: E402
import run_keyedstops  # noqa: E402
from azurecosts import APPLICATION, SECRET, SUBSCRIPTION, TENANT, fault  # noqa: E402
from resourcemanager import (ECHO, OTHER, RESET, RIGHTS, TOKEN, StoppableMachines, action_of, arm_id, compute, lock, machine, model_of,  # noqa: E402
                             moments_ago, run, scale_set, workspace)
from run_keyedstops import CANARY, CUT, ELSEWHERE, HTML, LOGIN, PAGE, REFUSED, SKIPPED, LiveProgram  # noqa: E402

COUNT = 18
NAMES, COMPUTERS = (["%s-%02d" % (what, number) for number in range(COUNT)] for what in ("gpu", "host"))
# What telemetry calls others: the group and name of a machine, its name, that of several, and an instance of a uniform scale set.
BY_GROUP, BY_NAME, TWIN, TWIN_AND_GROUP, INSTANCES = "Lab/Grouped", "NAMED", "twin", "other/twin", ("lab/train_0", "train_0", "train000000")
NOTEBOOK, SHORT, NODE = "Lab/Vision/Notebook", "bench", "lab/vision/train/tvm-1"  # computes of Azure Machine Learning
TELEMETRY = None  # the address of a Prometheus that has all of these machines
STOP, START = "deallocate", "start"
RESIZED = {"size": "Standard_NC48ads_A100_v4"}


def setUpModule():
    global TELEMETRY
    begin = int(time.time()) // kubefleet.STEP * kubefleet.STEP - kubefleet.HOURS * 3600
    told = [one for name in (*COMPUTERS, BY_GROUP, BY_NAME, TWIN, TWIN_AND_GROUP, *INSTANCES, NOTEBOOK, SHORT, NODE)
            for one in kubefleet.machine_series(name, name.replace("/", "-"), ((1, ""),), {"CostCenter": "vision"})]
    kept = tempfile.TemporaryDirectory(prefix="gpuledgerazurestops")
    unittest.addModuleCleanup(kept.cleanup)
    server = promserver.Server(kept.name, "prometheus", kubefleet.samples(told, begin), kubefleet.STEP)
    TELEMETRY = server.start()
    unittest.addModuleCleanup(server.stop)


def vm(name, computer="", **more):
    return machine(name, moments_ago(days=2), created=moments_ago(days=3), computer=computer, **more)


def said(status, code, headers=None):
    return fault(status, code, "not now, " + ECHO.decode(), headers)


class AzureStopsTest(run_keyedstops.StopTest):
    fake = StoppableMachines

    def setUp(self):
        super().setUp()
        self.server = self.serve()

    def serve(self):
        """A fake with machines that run; it ends with the test, and gets nothing but deallocations and starts, each without a body."""
        server = self.fake()
        self.addCleanup(server.close)
        self.addCleanup(self.check_requests, server)
        server.machines = [vm(*names) for names in zip(NAMES, COMPUTERS)]
        return server

    def check_requests(self, server):
        for method, path, query, body in server.changes:
            self.assertRegex(f"{method} {path}", f"(?i)^POST /subscriptions/({SUBSCRIPTION}|{OTHER})/resourceGroups/[^/]+"
                                                 f"/providers/Microsoft.Compute/virtualMachines/[^/]+/({STOP}|{START})$")
            self.assertEqual((query, body), ({"api-version": "2024-07-01"}, ""))
        self.assertNotIn("/elsewhere", [path for _, path in server.requests])

    def azure(self, server=None, name="cloud", rights="read, stop", subscription=SUBSCRIPTION, logs_in=False):
        url = (server or self.server).url()
        auth = (f"login: \"{url}\", tenant: {TENANT}, auth: {{ type: basic, user: {APPLICATION}, password: env:AZURE_SECRET }}" if logs_in
                else "auth: { type: bearer, token: env:ARM_TOKEN }")
        return (f"  - {{ name: {name}, kind: azure, cluster: lab, url: \"{url}\", subscription: {subscription}, first_sync: 1d, usage: none, {auth}, rights: [{rights}] }}\n")

    @staticmethod
    def configure(program, *sources, actions="irreversible: typed_name, max_per_hour: 100"):
        program.configure("version: 1\ncurrency: USD\ntime_zone: UTC\nsources:\n"
                          f"  - {{ name: prom, kind: prometheus, url: \"{TELEMETRY}\", cluster: lab, first_sync: {kubefleet.HOURS}h }}\n"
                          + "".join(sources) + kubefleet.MACHINES + f"actions: {{ {actions} }}\n")

    def over(self, *sources, **more):
        """A program with a synced data folder of its own."""
        program = LiveProgram(tempfile.mkdtemp(dir=self.folder))
        self.configure(program, *(sources or (self.azure(),)), **more)
        program.environment.update(ARM_TOKEN=TOKEN, AZURE_SECRET=SECRET)
        program.healthy("sync")
        self.addCleanup(self.check_left_behind, program)
        return program

    def stopped(self, program, at=0, status=0):
        return self.stop(program, COMPUTERS[at], "lab/" + NAMES[at], status)

    @staticmethod
    def posts(server):
        """What was asked to be done, whether it was done or not."""
        return [(path.rsplit("/", 1)[1], path.split("/")[-2].lower()) for _, path, _, _ in server.changes]

    def sent(self, *verbs, at=0):
        return [(verb, NAMES[at]) for verb in verbs]

    def assertSent(self, *expected, server=None):
        self.assertEqual(self.posts(server or self.server), list(expected))

    def power(self, at=0):
        return self.server.machines[at]["power"]

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
        """How many questions of each kind about single machines precede the call that this makes."""
        del self.server.asked[:]
        done = do()
        kinds = [kind for kind, _ in self.server.asked]
        return done, kinds[:kinds.index(verb)]


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class Stops(AzureStopsTest):
    def test_deallocated_and_started_again(self):
        program = self.over()
        item = {one["name"]: one for one in json.loads(program.healthy("idle", "--json").stdout)["items"]}[COMPUTERS[0]]
        self.assertEqual((item["kind"], item["id"], item["gpus"], item["owner"]), ("machine", "lab//" + COMPUTERS[0], 1, "vision"))
        for arguments in (("plan", item["id"]), ("stop", item["id"], "--dry-run")):
            planned, = self.act(program, *arguments)
            self.assertEqual((planned["state"], self.failed_checks(planned)), ("checked", {}))
            self.assertIsNone({one["name"]: one["passed"] for one in planned["checks"]}["dry-run"])
            self.assertEqual((planned["reversible"], planned["type_name"]), (False, "lab/" + NAMES[0]))
            self.assertRegex("\n".join(planned["lost"]), "(?i)disk")
            self.assertRegex("\n".join(planned["lost"]), "(?i)capacity")
            self.assertRegex("\n".join(planned["cautions"]), "(?i)dynamic IP address")
        self.assertSent()
        stopped, before = self.usual(STOP, lambda: self.stopped(program))
        self.assertEqual((stopped["state"], stopped["target"]["source"], stopped["target"]["name"]), ("verified", "cloud", NAMES[0]), stopped)
        self.assertLessEqual({"machines", "locks", "permissions"}, set(before))
        self.assertEqual(before[-2:], ["machine", "view"])  # right before the call
        self.assertSent(*self.sent(STOP))
        self.assertEqual((self.server.executed, self.power()), (self.sent(STOP), "deallocated"))
        row, = self.act(program, "log")
        self.assertEqual([row[key] for key in ("id", "state", "kind", "reason", "holders", "before", "after")],
                         [stopped["id"], "verified", "stop", "nobody uses it", ["lab//" + COMPUTERS[0]], '"running"', '"deallocated"'], row)
        undone, before = self.usual(START, lambda: self.undo(program, stopped))
        self.assertEqual((undone["state"], undone["undoes"]), ("verified", stopped["id"]), undone)
        self.assertIn("permissions", before)
        self.assertEqual(before[-2:], ["machine", "view"])
        self.assertSent(*self.sent(STOP, START))
        self.assertEqual((self.server.executed, self.power()), (self.sent(STOP, START), "running"))
        self.assertEqual(self.states(program), {stopped["id"]: "undone", undone["id"]: "verified"})

    def test_never_without_its_full_name(self):
        """Its temporary disk is lost."""
        program = self.over(actions="max_per_hour: 100")
        self.assertIn("irreversible: typed_name", self.failed_checks(self.stopped(program, status=REFUSED))["allowed"])
        self.configure(program, self.azure())
        for more in ((), ("--type-name", NAMES[0]), ("--type-name", "lab/" + NAMES[1])):
            done = program.run("act", "stop", COMPUTERS[0], "--yes", "--count", "1", *more)
            self.assertEqual(done.returncode, REFUSED, done.text)
            self.assertIn("--type-name lab/" + NAMES[0], done.text)
        self.assertSent()

    def test_stopped_but_not_deallocated(self):
        """It is billed, so it may be deallocated; it did not run before, so it is not started."""
        program = self.over()
        self.server.machines[0].update(run(moments_ago(hours=5), "stopped", created=moments_ago(days=3)))
        stopped = self.stopped(program)
        self.assertEqual((stopped["state"], stopped["before"], self.power()), ("verified", '"stopped"', "deallocated"), stopped)
        refused = self.undo(program, stopped, REFUSED)
        self.assertEqual((refused["state"], self.power()), ("refused", "deallocated"), refused)
        self.assertIn("nothing to set back", refused["result"])
        self.assertSent(*self.sent(STOP))

    def test_several_at_once(self):
        """The first one alone, then five at a time, each once."""
        self.server.takes = 2
        program = self.over()
        chosen = range(8)
        typed = [part for at in chosen for part in ("--type-name", "lab/" + NAMES[at])]
        done = self.act(program, "stop", *(COMPUTERS[at] for at in chosen), "--yes", "--count", str(len(chosen)), *typed)
        self.assertEqual([one["state"] for one in done], ["verified"] * len(chosen))
        self.assertCountEqual(self.posts(self.server), [(STOP, NAMES[at]) for at in chosen])
        self.assertEqual([self.power(at) for at in range(COUNT)], ["deallocated"] * len(chosen) + ["running"] * (COUNT - len(chosen)))

    def test_names(self):
        """A machine is meant by its group and name, its name, or its computer's name; if several are, none is."""
        self.server.machines += [vm("grouped", "web"), vm("Named", "db"), vm(TWIN, "a"), vm(TWIN, "b", group="Other"), vm(COMPUTERS[1], "c", group="Other")]
        self.server.sets = [scale_set("train", run(moments_ago(days=2), created=moments_ago(days=3)), size="Standard_NC24ads_A100_v4")]
        program = self.over()
        names = (BY_GROUP, BY_NAME, TWIN, TWIN_AND_GROUP, COMPUTERS[1], *INSTANCES)
        plans = self.plans(program, *names)
        self.assertEqual({name: plan["type_name"] for name, plan in plans.items() if not self.failed_checks(plan)},
                         {BY_GROUP: "lab/grouped", BY_NAME: "lab/named", TWIN_AND_GROUP: "other/twin"})
        for name in (TWIN, COMPUTERS[1], *INSTANCES):
            self.assertEqual(list(self.failed_checks(plans[name])), ["same-object"])
        self.assertEqual(self.stop(program, "lab//" + BY_NAME, "lab/named")["state"], "verified")
        self.assertEqual(self.stop(program, "lab//" + TWIN_AND_GROUP, "other/twin")["state"], "verified")
        self.assertSent((STOP, "named"), (STOP, "twin"))
        self.assertIn("/resourcegroups/other/", self.server.changes[1][1].lower())

    def test_two_subscriptions(self):
        """The right one, or none: both may know a name, and one that is not told may know it, too."""
        here, there = self.server.machines[0], vm(NAMES[0], COMPUTERS[0], subscription=OTHER)
        self.server.machines += [there, vm(TWIN, "a"), vm(TWIN, "b", group="Other", subscription=OTHER)]
        program = self.over(self.azure(), self.azure(name="second", subscription=OTHER))
        plans = self.plans(program, COMPUTERS[0], TWIN, TWIN_AND_GROUP)
        for name in (COMPUTERS[0], TWIN):
            self.assertEqual(list(self.failed_checks(plans[name])), ["same-object"])
            self.assertIn("cloud, second", json.dumps(plans[name]["checks"]))
        self.assertEqual((self.failed_checks(plans[TWIN_AND_GROUP]), plans[TWIN_AND_GROUP]["target"]["source"]), ({}, "second"))
        self.server.machines.append(vm(TWIN, "c", group="Third", subscription=OTHER))  # a name that one has twice is not the other's alone
        plan = self.plans(program, TWIN)[TWIN]
        self.assertEqual(list(self.failed_checks(plan)), ["same-object"])
        self.assertIn("several machines have the name twin", json.dumps(plan["checks"]))
        self.server.closed = {OTHER}
        self.assertEqual(list(self.failed_checks(self.stopped(program, status=REFUSED))), ["same-object"])
        self.server.closed = set()
        self.server.machines.remove(here)
        stopped = self.stopped(program)
        self.assertEqual((stopped["target"]["source"], self.undo(program, stopped)["state"]), ("second", "verified"))
        self.assertSent(*self.sent(STOP, START))
        self.assertEqual({path.split("/")[2] for _, path, _, _ in self.server.changes}, {OTHER})

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
        killed("stop", COMPUTERS[0], "--count", "1", "--type-name", "lab/" + NAMES[0])
        first, = self.states(program)
        self.assertEqual((self.states(program), self.power()), ({first: "verified"}, "deallocated"))
        killed("undo", str(first))
        self.assertEqual((list(self.states(program).values()), self.power()), (["undone", "verified"], "running"))
        self.server.takes = 3  # it is on its way
        killed("stop", COMPUTERS[1], "--count", "1", "--type-name", "lab/" + NAMES[1])
        last = [self.states(program)[max(self.states(program))] for _ in range(4)]
        self.assertEqual((last[-1], set(last) - {"executed", "verified"}), ("verified", set()), last)
        self.assertSent(*self.sent(STOP, START), *self.sent(STOP, at=1))

    def test_a_token_that_ends_at_the_call(self):
        """Another one, and one more try; nothing else is sent again."""
        program = self.over(self.azure(logs_in=True))

        def end():
            self.server.left, self.server.before_change = 0, None
        for verb in (STOP, START):
            before, self.server.before_change = self.server.logins, end
            done = self.stopped(program) if verb == STOP else self.undo(program, done)
            self.assertEqual(done["state"], "verified", done)
            self.assertGreaterEqual(self.server.logins, before + 2)
        self.assertSent(*self.sent(STOP, STOP, START, START))
        self.assertEqual(self.server.executed, self.sent(STOP, START))
        del self.server.changes[:]
        self.server.change_faults = [(False, said(401, "InvalidAuthenticationToken"))] * 9
        self.assertEqual(self.stopped(program, 1, REFUSED)["state"], "refused")
        self.assertSent(*self.sent(STOP, STOP, at=1))


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class Refusals(AzureStopsTest):
    def test_obstacles(self):
        obstacles = (
            ({"scale_set": "flex"}, "(?i)scale set"), ({"tags": {"aks-managed-poolName": "gpu"}}, "(?i)pool|AKS"), ({"operation": "updating"}, "(?i)updating"),
            ({"operation": "creating"}, "(?i)creating"), ({"operation": "deleting"}, "(?i)deleting"), ({"operation": "migrating", "power": "stopped"}, "(?i)migrating"),
            ({"power": "starting"}, "starting"), ({"power": "stopping"}, "stopping"), ({"power": "deallocating"}, "deallocating"), ({"power": "deallocated"}, "deallocated"),
            ({"power": ""}, "unknown"), ({"power": "dreaming"}, "dreaming"), ({"power": "", "operation": ""}, "unknown"))
        for at, (facts, _) in enumerate(obstacles):
            self.server.machines[at].update(facts)
        failing = self.failing(self.over(), *COMPUTERS[:len(obstacles)])
        for at, (facts, words) in enumerate(obstacles):
            with self.subTest(facts):
                self.assertEqual(list(failing[COMPUTERS[at]]), ["stoppable"])
                self.assertRegex(failing[COMPUTERS[at]]["stoppable"], words)

    def test_tags_that_protect(self):
        for at, value in enumerate(("true", "false", "")):
            self.server.machines[at]["tags"] = {"gpu-ledger.io-protect": value} if value else {}
        self.server.machines[3]["tags"] = {"gpu-ledger.io-keep-until": "2099-01-01"}
        program = self.over()
        failing = self.failing(program, *COMPUTERS[:4])
        self.assertEqual([list(failing[name]) for name in COMPUTERS[:4]], [["not-protected"], [], [], ["not-protected"]])
        self.assertIn("not-protected", self.failed_checks(self.stopped(program, status=REFUSED)))
        # Protected since it was checked.
        self.server.from_now({("machine", 3): lambda: self.server.machines[1].update(tags={"gpu-ledger.io-protect": "true"})})
        self.assertEqual(self.stopped(program, 1, REFUSED)["state"], "refused")
        self.assertGreaterEqual(self.server.seen["machine"], 3)
        self.assertSent()

    def test_locks(self):
        """One that lets nothing be changed protects, at the machine or at what contains it, on whichever page; one against deletion does not."""
        places = [arm_id("Lab", name) for name in NAMES]
        self.server.machines[2] = vm(NAMES[2], COMPUTERS[2], group="Locked")
        self.server.locks = [
            lock(places[0], "ReadOnly", "audit"), lock(places[1], "CanNotDelete"), lock(places[0].rsplit("/providers", 1)[0].replace("/Lab", "/Locked"), "ReadOnly"),
            *(lock(places[3], "CanNotDelete", f"keep-{number}") for number in range(4)), lock(places[3], "ReadOnly", "last")]
        program = self.over()
        plans = self.plans(program, *COMPUTERS[:5])
        failing = {name: self.failed_checks(plan) for name, plan in plans.items()}
        self.assertEqual([name for name in COMPUTERS[:5] if failing[name]], [COMPUTERS[0], COMPUTERS[2], COMPUTERS[3]])
        for name, named in ((COMPUTERS[0], "audit"), (COMPUTERS[2], "keep"), (COMPUTERS[3], "last")):
            self.assertRegex(failing[name]["stoppable"], f"lock.*{named}")
        self.assertEqual(self.stopped(program, 1)["state"], "verified")
        self.server.denied = {RIGHTS["locks"]}
        plan = self.plans(program, COMPUTERS[4])[COMPUTERS[4]]
        self.assertEqual(self.failed_checks(plan), {})
        self.assertRegex("\n".join(plan["cautions"]), "lock")
        self.assertNotRegex("\n".join(plans[COMPUTERS[4]]["cautions"]), "lock")
        self.assertEqual(self.stopped(program, 4)["state"], "verified")
        self.assertSent(*self.sent(STOP, at=1), *self.sent(STOP, at=4))
        # A lock that could not be seen.
        refused = self.stopped(program, 0, REFUSED)
        self.assertEqual((refused["state"], refused["outcome"]["code"]), ("refused", "platform-refused"))
        self.assertIn("ScopeLocked", refused["result"])
        self.assertEqual((self.posts(self.server)[2:], self.server.executed), (self.sent(STOP), [(STOP, NAMES[1]), (STOP, NAMES[4])]))

    def test_permissions(self):
        right = action_of(STOP)
        cases = (
            ([(["*"], [])], True), ([([right], [])], True), ([(["microsoft.compute/VIRTUALMACHINES/*"], [])], True), ([(["*/action"], [])], True),
            ([(["Microsoft.Compute/*/action"], [])], True), ([(["*/read"], []), (["*/read"], []), ([right], [])], True),  # on another page
            ([(["*"], [right.upper()]), ([right], [])], True), ([(["*"], ["Microsoft.Authorization/*/Write", "Microsoft.Compute/virtualMachines/delete"])], True),
            ([], False), ([(["*/read"], [])], False), ([(["Microsoft.Compute/virtualMachines"], [])], False), ([(["MicrosoftxCompute/*"], [])], False),
            ([([action_of(START), action_of("powerOff")], [])], False), ([(["*"], [right.upper()])], False), ([(["*"], ["Microsoft.Compute/*/action"])], False),
            ([([right], ["*"]), (["*/deallocate"], [])], False))
        for at, (entries, _) in enumerate(cases):
            self.server.permissions[NAMES[at]] = [{"actions": actions, "notActions": without} for actions, without in entries]
        program = self.over()
        failing = self.failing(program, *COMPUTERS[:len(cases)])
        for at, (entries, may) in enumerate(cases):
            with self.subTest(entries):
                self.assertEqual(list(failing[COMPUTERS[at]]), [] if may else ["allowed"])
                self.assertIn(right, failing[COMPUTERS[at]].get("allowed", right))
        self.assertIn("allowed", self.failed_checks(self.stopped(program, len(cases) - 1, REFUSED)))
        self.assertSent()
        # The right to start again is missing.
        self.server.permissions[NAMES[0]] = [{"actions": ["*"], "notActions": [action_of(START)]}]
        stopped = self.stopped(program)
        refused = self.undo(program, stopped, REFUSED)
        self.assertEqual((refused["state"], self.states(program)[stopped["id"]]), ("refused", "verified"), refused)
        self.assertIn(action_of(START), refused["result"])
        self.assertSent(*self.sent(STOP))
        self.server.permissions.clear()
        self.assertEqual(self.undo(program, stopped)["state"], "verified")

    def test_rights_of_the_source(self):
        program = self.over(self.azure(rights="read"))
        self.assertIn("the configuration does not allow stopping anything here", program.healthy("sources", "test", "cloud").stdout.decode())
        self.assertTrue({"same-object", "allowed"} & set(self.failed_checks(self.stopped(program, status=REFUSED))))
        self.configure(program, self.azure())
        tested = program.healthy("sources", "test", "cloud").stdout.decode()
        for words in ("may " + RIGHTS["machines"], "permission to stop one is checked when it is selected"):
            self.assertIn(words, tested)
        self.assertSent()
        stopped = self.stopped(program)
        self.configure(program, self.azure(rights="read"))
        self.assertEqual(self.undo(program, stopped, REFUSED)["state"], "refused")
        self.assertSent(*self.sent(STOP))

    def test_changed_between_the_plan_and_the_call(self):
        """At whichever look: another size or state, an operation that began, other tags, another machine of the name."""
        program = self.over()
        _, before = self.usual(STOP, lambda: self.stopped(program, COUNT - 1))
        looks = collections.Counter(before)
        last = looks["machine"]
        self.assertGreaterEqual(min(last, looks["view"]), 3)
        cases = [("machine", look, RESIZED) for look in range(2, last + 1)] + [("view", look, {"power": "stopped"}) for look in range(2, looks["view"] + 1)] + [
            ("machine", look, {"made": "again"}) for look in range(2, last + 1)] + [
            ("machine", last, facts) for facts in ({"operation": "updating"}, {"tags": {"team": "nlp"}}, {"scale_set": "flex"})]
        for kind, look, facts in cases:
            with self.subTest(kind=kind, look=look, facts=facts):
                one = self.server.machines[0] = vm(NAMES[0], COMPUTERS[0])
                self.server.from_now({(kind, look): lambda one=one, facts=facts: one.update(facts)})
                self.assertEqual(self.stopped(program, 0, REFUSED)["state"], "refused")
                self.assertGreaterEqual(self.server.seen[kind], look)
        self.assertSent(*self.sent(STOP, at=COUNT - 1))

    def test_changed_between_the_stop_and_the_undo(self):
        """Started by someone, replaced, or gone: by the time of the undo, or while it runs."""
        program = self.over()
        changes = ({"power": "running"}, {"power": "starting", "operation": "updating"}, {"made": "again"}, {"made": "again", "power": "running"})
        for at, facts in enumerate(changes):
            with self.subTest(facts):
                stopped = self.stopped(program, at)
                self.server.machines[at].update(facts)
                self.assertEqual(self.undo(program, stopped, REFUSED)["state"], "refused")
        for at, facts in enumerate(changes, len(changes)):
            with self.subTest(facts, during=True):
                stopped = self.stopped(program, at)
                self.server.from_now({("machine", 2): lambda at=at, facts=facts: self.server.machines[at].update(facts)})
                self.assertEqual(self.undo(program, stopped, REFUSED)["state"], "refused")
                self.assertGreaterEqual(self.server.seen["machine"], 2)
        at = 2 * len(changes)
        stopped = self.stopped(program, at)
        del self.server.machines[at]
        self.assertEqual(self.undo(program, stopped, REFUSED)["state"], "refused")
        self.assertSent(*((STOP, NAMES[number]) for number in range(at + 1)))

    def test_nothing_else_is_stopped_in_its_place(self):
        """The machine is gone, the answer is of another one, or is none."""
        program = self.over()
        other = 200, json.dumps(model_of(self.server.machines[1])).encode(), {}
        answers = (said(404, "ResourceNotFound"), said(403, "AuthorizationFailed"), (200, LOGIN, HTML), (200, b"{}", {}), (200, b"null", {}))
        for kind, answer in [("machine", other), *((kind, answer) for kind in ("machine", "view") for answer in answers)]:
            with self.subTest(kind, answer=answer[:2]):
                self.server.from_now({(kind, look): lambda answer=answer: answer for look in range(1, 99)})
                typed = [part for at in (0, 1) for part in ("--type-name", "lab/" + NAMES[at])]
                before = len(self.server.changes)
                done = program.run("act", "stop", COMPUTERS[0], "--yes", "--count", "1", *typed, "--json")
                self.assertEqual((done.returncode, self.posts(self.server)[before:]), (REFUSED, []), done.text)


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class Answers(AzureStopsTest):
    def test_slow_and_busy_answers_before_the_call(self):
        """It is sent after an answer that is fresh, and not at all without one."""
        program = self.over()
        _, before = self.usual(STOP, lambda: self.stopped(program, COUNT - 1))
        last = before.count("view")
        slow, busy = (lambda: time.sleep(2.3)), (lambda: said(429, "OperationNotAllowed", {"Retry-After": "1"}))
        for at, (event, looks, state) in enumerate(((slow, (last,), "verified"), (busy, (last,), "verified"), (slow, range(last, 99), "failed"),
                                                    (busy, range(last, 99), "failed"))):
            with self.subTest(at):
                del self.server.changes[:]
                self.server.from_now({("view", look): event for look in looks})
                self.assertEqual(self.stopped(program, at, 0 if state == "verified" else REFUSED)["state"], state)
                self.assertSent(*(self.sent(STOP, at=at) if state == "verified" else ()))
                self.server.from_now({})

    def test_answers_to_the_change(self):
        """Lost, wrong or refused: it is sent once, and what is read back counts."""
        program = self.over()
        self.server.takes = 0
        for at, (does, told, state, code) in enumerate((
                (True, RESET, "verified", ""), (True, said(500, "InternalServerError"), "verified", ""), (True, said(503, "ServerTimeout", {"Retry-After": "1"}), "verified", ""),
                (True, (502, LOGIN, HTML), "verified", ""), (True, PAGE, "verified", ""), (True, (202, b'{"pro', {"Content-Length": "99"}), "verified", ""),
                (False, said(429, "OperationNotAllowed", {"Retry-After": "1"}), "failed", "try-later"), (False, said(409, "ScopeLocked"), "refused", "platform-refused"),
                (False, said(409, "OperationNotAllowed"), "refused", "changed-meanwhile"), (False, said(409, "Conflict"), "refused", "changed-meanwhile"),
                (False, said(409, "AttachDiskWhileBeingDetached"), "refused", "changed-meanwhile"), (False, said(403, "AuthorizationFailed"), "refused", "platform-refused"),
                (False, said(404, "ResourceNotFound"), "refused", "changed-meanwhile"), (False, said(400, "InvalidParameter"), "refused", "platform-refused"))):
            with self.subTest(does=does, told=told):
                del self.server.changes[:]
                self.server.change_faults = [(does, told)]
                stopped = self.stopped(program, at, 0 if state == "verified" else REFUSED)
                self.assertEqual((stopped["state"], self.power(at)), (state, "deallocated" if does else "running"), stopped)
                self.assertSent(*self.sent(STOP, at=at))
                if code:
                    self.assertEqual(stopped["outcome"]["code"], code, stopped)
        # The same for a start.
        first, = (one for one in self.act(program, "log") if one["target"]["name"] == NAMES[0])
        del self.server.changes[:]
        self.server.change_faults = [(False, said(409, "AllocationFailed"))]
        self.assertEqual((self.undo(program, first, REFUSED)["state"], self.power()), ("refused", "deallocated"))
        self.server.change_faults = [(True, RESET)]
        self.assertEqual((self.undo(program, first)["state"], self.power()), ("verified", "running"))
        self.assertSent(*self.sent(START, START))

    def test_a_lost_answer_to_a_change_that_takes_a_while(self):
        program = self.over()
        self.server.takes, self.server.change_faults = 5, [(True, RESET)]
        stopped = self.stopped(program)
        self.assertEqual((stopped["state"], self.power()), ("verified", "deallocated"), stopped)
        self.server.change_faults = [(True, said(500, "InternalServerError"))]
        self.assertEqual((self.undo(program, stopped)["state"], self.power()), ("verified", "running"))
        self.assertSent(*self.sent(STOP, START))

    def test_what_never_comes(self):
        """No capacity for a start, or an answer and nothing done. What is not read back was not done. Some wait for 2.5 minutes, all at once."""
        def no_capacity():
            server = self.serve()
            program = self.over(self.azure(server))
            stopped = self.stopped(program)
            server.start_ends = {"power": "deallocated", "operation": "failed/AllocationFailed"}
            undone = self.undo(program, stopped, REFUSED)
            self.assertEqual((undone["state"], self.states(program)[stopped["id"]], server.machines[0]["power"]), ("failed", "verified", "deallocated"), undone)
            self.assertSent(*self.sent(STOP, START), server=server)

        def claim(told):
            server = self.serve()
            program = self.over(self.azure(server))
            server.change_faults = [(False, told)]
            stopped = self.stopped(program, status=REFUSED)
            self.assertEqual((stopped["state"], server.machines[0]["power"]), ("failed", "running"), (told, stopped))
            self.assertSent(*self.sent(STOP), server=server)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            waits = [pool.submit(no_capacity)] + [pool.submit(claim, told) for told in (
                (202, b"", {"Retry-After": "1"}), (200, b"", {}), PAGE, CUT, RESET, said(500, "InternalServerError"), ELSEWHERE)]
            for one in waits:
                one.result()


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class Instances(AzureStopsTest):
    """Compute instances of Azure Machine Learning."""
    fake = learninginstances.StoppableInstances
    full = NOTEBOOK.lower()

    def setUp(self):
        super().setUp()
        mornings = {"computeStartStop": [{"id": "mornings", "action": "Start", "status": "Enabled", "triggerType": "Cron"}]}
        self.notebook, bench = learninginstances.instance("Notebook", schedules=mornings), learninginstances.instance("Bench")
        train = compute("train", "AmlCompute", ("tvm-1", "idle"), vmSize="STANDARD_NC24ADS_A100_V4")
        self.server.workspaces = [workspace("Vision", self.notebook, bench, train)]

    def check_requests(self, server):
        for method, path, query, body in server.changes:
            self.assertRegex(f"{method} {path}", f"(?i)^POST {learninginstances.PLACE}/(stop|start)$")
            self.assertEqual((query, body), ({"api-version": "2022-10-01"}, ""))

    def test_stopped_and_started_again(self):
        program = self.over()
        plans = self.plans(program, NOTEBOOK, SHORT, NODE)
        for name, full in ((NOTEBOOK, self.full), (SHORT, "lab/vision/bench")):
            self.assertEqual((self.failed_checks(plans[name]), plans[name]["type_name"], plans[name]["reversible"]), ({}, full, False))
        self.assertRegex("\n".join(plans[NOTEBOOK]["cautions"]), "(?s)load balancer.*mornings")
        self.assertNotIn("mornings", json.dumps(plans[SHORT]))
        self.assertEqual(list(self.failed_checks(plans[NODE])), ["same-object"])
        self.assertIn("minimum number of nodes", json.dumps(plans[NODE]["checks"]))
        stopped, before = self.usual(learninginstances.STOP, lambda: self.stop(program, "lab//" + NOTEBOOK, self.full))
        self.assertEqual([stopped["state"], stopped["before"], stopped["after"], self.notebook["power"]], ["verified", '"running"', '"stopped"', "Stopped"], stopped)
        self.assertLessEqual({"workspaces", "locks", "permissions"}, set(before))
        self.assertEqual(before[-1], "compute")  # right before the call
        undone, before = self.usual(learninginstances.START, lambda: self.undo(program, stopped))
        self.assertEqual((undone["state"], undone["undoes"], self.notebook["power"]), ("verified", stopped["id"], "Running"), undone)
        self.assertEqual((before[-1], "permissions" in before), ("compute", True))
        self.assertSent(("stop", "notebook"), ("start", "notebook"))
        self.assertEqual(self.server.executed, [(learninginstances.STOP, "Notebook"), (learninginstances.START, "Notebook")])

    def test_refused(self):
        program = self.over()
        for facts, check, words in (({"power": "JobRunning"}, "stoppable", "a job runs on it"), ({"power": "Stopped"}, "stoppable", "it is stopped"),
                                    ({"tags": {"gpu-ledger.io-protect": "true"}}, "not-protected", "lab/vision/notebook")):
            with self.subTest(facts):
                was = {key: self.notebook[key] for key in facts}
                self.notebook.update(facts)
                self.assertRegex(self.failing(program, NOTEBOOK)[NOTEBOOK][check], words)
                self.notebook.update(was)
        self.server.permissions["Notebook"] = [{"actions": ["*"], "notActions": [learninginstances.right_to("stop")]}]
        self.assertIn(learninginstances.right_to("stop"), self.failing(program, NOTEBOOK)[NOTEBOOK]["allowed"])
        self.server.permissions.clear()
        for changed in ({"power": "JobRunning"}, {"created": moments_ago(hours=1)}):
            with self.subTest(changed):
                was = {key: self.notebook[key] for key in changed}
                self.server.from_now({("compute", 2): lambda changed=changed: self.notebook.update(changed)})
                self.assertEqual(self.stop(program, "lab//" + NOTEBOOK, self.full, REFUSED)["state"], "refused")
                self.assertGreaterEqual(self.server.seen["compute"], 2)
                self.notebook.update(was)
                self.server.from_now({})
        self.assertSent()

    def test_a_lost_answer(self):
        program = self.over()
        self.server.takes, self.server.change_faults = 3, [(True, RESET)]
        stopped = self.stop(program, "lab//" + NOTEBOOK, self.full)
        self.assertEqual((stopped["state"], self.notebook["power"]), ("verified", "Stopped"), stopped)
        self.assertSent(("stop", "notebook"))


if __name__ == "__main__":
    if not promserver.available("prometheus"):
        print("prometheus and promtool are not installed")
        sys.exit(SKIPPED)
    unittest.main()
