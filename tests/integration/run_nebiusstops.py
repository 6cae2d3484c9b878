#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Instances of Nebius from a real Prometheus into the idle list, stopped and started again by the command line, against a real gRPC server that keeps every call
(nebiuscloud.py). At most one change is sent, never anything but these two, and nothing counts as done before it was read back. Without prometheus or grpcio it is
skipped (77)."""
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
sys.path[:0] = [str(HERE.parent / "faults"), str(HERE.parent / "support"), str(HERE)]

from nebiuscloud import (CHANGES, CODE, GET, IDEMPOTENCY, LIST, PROJECT, START, STOP, TOKEN, Fault, Lost, NebiusCloud, instance, operation,  # noqa: E402
                         platform, told_state)
import kubefleet  # noqa: E402
import promserver  # noqa: E402
import run_keyedstops  # noqa: E402
from run_keyedstops import REFUSED, SKIPPED, LiveProgram  # noqa: E402

COUNT = 16
NAMES = ["computeinstance-e00a%02d" % number for number in range(COUNT)]
# What telemetry calls others: by name, by host name, by host name and domain, by a name that two have, by none.
BY_NAME, BY_HOST, BY_DOMAIN, TWIN, NOBODY = "Train-Box", "db", "web.lab.example", "twin", "nobody"
OTHERS = (BY_NAME, BY_HOST, BY_DOMAIN, TWIN, NOBODY)
TELEMETRY = None  # the address of a Prometheus that has all of these machines
TYPE = ("gpu-h100-sxm", "1gpu-16vcpu-200gb")
LOCAL_DISKS = {"local_disks": {"passthrough_group": {"requested": True}}}


def setUpModule():
    global TELEMETRY
    begin = int(time.time()) // kubefleet.STEP * kubefleet.STEP - kubefleet.HOURS * 3600
    told = [one for name in (*NAMES, *OTHERS) for one in kubefleet.machine_series(name, "host-" + name, ((1, ""),), {"CostCenter": "vision"})]
    kept = tempfile.TemporaryDirectory(prefix="gpuledgernebiusstops")
    unittest.addModuleCleanup(kept.cleanup)
    server = promserver.Server(kept.name, "prometheus", kubefleet.samples(told, begin), kubefleet.STEP)
    TELEMETRY = server.start()
    unittest.addModuleCleanup(server.stop)


def vm(identity, **more):
    return instance(identity, *TYPE, **more)


class NebiusStopsTest(run_keyedstops.StopTest):
    def setUp(self):
        super().setUp()
        self.server = self.serve()

    def serve(self):
        """A fake with machines that run; it ends with the test, and gets nothing but stops and starts, each under a number of its own."""
        server = NebiusCloud()
        self.addCleanup(server.close)
        self.addCleanup(self.check_changes, server)
        server.page, server.instances = 10, [vm(name) for name in NAMES]
        server.platforms, server.prices = [platform(TYPE[0], (TYPE[1], 1), preemptible=False)], {(*TYPE, False): "3.85"}
        return server

    def check_changes(self, server):
        for change in server.changes:
            self.assertIn(change.method, CHANGES)
            self.assertRegex(change.key, f"^{IDEMPOTENCY.pattern}$")
        numbers = [change.key for change in server.changes if change.is_in]
        self.assertEqual(len(numbers), len(set(numbers)))

    def forget(self):
        """The changes so far, after a check."""
        self.check_changes(self.server)
        del self.server.changes[:]

    def nebius(self, server=None, rights="read, stop", logs_in=False):
        token = "env:NEBIUS_TOKEN"
        if logs_in:
            path = os.path.join(self.folder, "credentials.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.server.credentials())
            os.chmod(path, 0o600)
            token = f"\"file:{path}\""
        return (f"  - {{ name: cloud, kind: nebius, cluster: lab, url: \"{(server or self.server).url()}\", project: {PROJECT}, first_sync: 1d, "
                f"auth: {{ type: bearer, token: {token} }}, rights: [{rights}] }}\n")

    @staticmethod
    def configure(program, *sources, actions="max_per_hour: 100"):
        program.configure("version: 1\ncurrency: USD\ntime_zone: UTC\nsources:\n"
                          f"  - {{ name: prom, kind: prometheus, url: \"{TELEMETRY}\", cluster: lab, first_sync: {kubefleet.HOURS}h }}\n"
                          + "".join(sources) + kubefleet.MACHINES + f"actions: {{ {actions} }}\n")

    def over(self, *sources, **more):
        """A program with a synced data folder of its own."""
        program = LiveProgram(tempfile.mkdtemp(dir=self.folder))
        self.configure(program, *(sources or (self.nebius(),)), **more)
        program.environment.update(NEBIUS_TOKEN=TOKEN)
        program.healthy("sync")
        self.addCleanup(self.check_left_behind, program)
        return program

    def stopped(self, program, at=0, status=0, name="", typed=""):
        """A machine loses nothing that lasts, so its name is not typed."""
        only, = self.act(program, "stop", "lab//" + (name or NAMES[at]), "--yes", "--count", "1", "--reason", "nobody uses it",
                         *(("--type-name", typed) if typed else ()), status=status)
        return only

    def assertSent(self, *expected, server=None):
        """What was asked to be done, whether it was done or not."""
        self.assertEqual([(change.method, change.id) for change in (server or self.server).changes], list(expected))

    @staticmethod
    def sent(*methods, at=0):
        return [(method, NAMES[at]) for method in methods]

    def state(self, at=0):
        return told_state(self.server.instances[at])

    def plans(self, program, *names):
        """The plans for machines by what telemetry calls them; nothing is sent for them."""
        before = len(self.server.changes)
        done = program.run("act", "plan", *("lab//" + name for name in names), "--json")
        self.assertIn(done.returncode, (0, REFUSED), done.text)
        self.assertEqual(len(self.server.changes), before)
        return {one["holders"][0].removeprefix("lab//"): one for one in json.loads(done.stdout)["actions"]}


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class Stops(NebiusStopsTest):
    def test_stopped_and_started_again(self):
        program = self.over()
        for arguments in (("plan", "lab//" + NAMES[0]), ("stop", "lab//" + NAMES[0], "--dry-run")):
            planned, = self.act(program, *arguments)
            self.assertEqual((planned["state"], self.failed_checks(planned)), ("checked", {}))
            self.assertIsNone({one["name"]: one["passed"] for one in planned["checks"]}["dry-run"])
            self.assertEqual((planned["reversible"], planned["type_name"]), (True, None))
            self.assertRegex("\n".join(planned["lost"]), "(?i)capacity")
        self.assertSent()
        del self.server.asked[:]
        stopped = self.stopped(program)
        self.assertEqual((stopped["state"], *(stopped["target"][key] for key in ("source", "kind", "name", "uid"))),
                         ("verified", "cloud", "Instance", NAMES[0], NAMES[0]), stopped)
        asked = [method for method, _ in self.server.asked]
        self.assertEqual(asked[asked.index(STOP) - 1], GET)  # right before the call
        self.assertIn(GET, asked[asked.index(STOP) + 1:])
        self.assertSent(*self.sent(STOP))
        self.assertEqual((self.server.executed, self.state()), (self.sent(STOP), "STOPPED"))
        row, = self.act(program, "log")
        self.assertEqual([row[key] for key in ("id", "state", "kind", "field", "reason", "holders", "before", "after")],
                         [stopped["id"], "verified", "stop", "state", "nobody uses it", ["lab//" + NAMES[0]], '"running"', '"stopped"'], row)
        undone = self.undo(program, stopped)
        self.assertEqual((undone["state"], undone["undoes"]), ("verified", stopped["id"]), undone)
        self.assertSent(*self.sent(STOP, START))
        self.assertEqual((self.server.executed, self.state()), (self.sent(STOP, START), "RUNNING"))
        self.assertEqual(self.states(program), {stopped["id"]: "undone", undone["id"]: "verified"})

    def test_several_at_once(self):
        """The first one alone, then five at a time, each once."""
        self.server.takes = 2
        program = self.over()
        chosen = range(8)
        done = self.act(program, "stop", *("lab//" + NAMES[at] for at in chosen), "--yes", "--count", str(len(chosen)))
        self.assertEqual([one["state"] for one in done], ["verified"] * len(chosen))
        self.assertCountEqual([(change.method, change.id) for change in self.server.changes], [(STOP, NAMES[at]) for at in chosen])
        self.assertEqual([self.state(at) for at in range(COUNT)], ["STOPPED"] * len(chosen) + ["RUNNING"] * (COUNT - len(chosen)))

    def test_a_local_disk_is_lost(self):
        """Then it is stopped only if that is permitted and its id is typed."""
        for at in (0, 1):
            self.server.instances[at] = vm(NAMES[at], spec=LOCAL_DISKS)
        program = self.over()
        self.assertIn("irreversible: typed_name", self.failed_checks(self.stopped(program, status=REFUSED, typed=NAMES[0]))["allowed"])
        self.configure(program, self.nebius(), actions="irreversible: typed_name, max_per_hour: 100")
        planned = self.plans(program, NAMES[0], NAMES[2])
        self.assertEqual([(planned[name]["reversible"], planned[name]["type_name"]) for name in (NAMES[0], NAMES[2])], [(False, NAMES[0]), (True, None)])
        self.assertRegex("\n".join(planned[NAMES[0]]["lost"]), "(?i)disk")
        self.assertSent()
        self.assertEqual((self.stopped(program, typed=NAMES[0])["state"], self.state()), ("verified", "STOPPED"))

    def test_names(self):
        """A machine is meant by its id, its name, or its host name with or without a domain; if several are, none is."""
        ids = {BY_NAME: "computeinstance-e00n", BY_HOST: "computeinstance-e00h", BY_DOMAIN: "computeinstance-e00w"}
        self.server.instances += [vm(ids[BY_NAME], name="train-box"), vm(ids[BY_HOST], spec={"hostname": "db"}), vm(ids[BY_DOMAIN], spec={"hostname": "web"}),
                                  vm("computeinstance-e00t", name=TWIN), vm("computeinstance-e00u", spec={"hostname": TWIN})]
        program = self.over()
        plans = self.plans(program, *OTHERS, NAMES[0])
        self.assertEqual({name: plan["target"]["name"] for name, plan in plans.items() if not self.failed_checks(plan)}, {**ids, NAMES[0]: NAMES[0]})
        self.assertIn("several machines have the name twin", json.dumps(plans[TWIN]["checks"]))
        self.assertEqual({one["name"]: one["reason"] for one in plans[NOBODY]["checks"]}, {"same-object": "gone"})
        self.assertEqual(self.stopped(program, name=BY_NAME)["state"], "verified")
        self.assertSent((STOP, ids[BY_NAME]))

    def test_a_token_that_ends_at_the_call(self):
        """Another one, and one more try under the same number; nothing else is sent again."""
        program = self.over(self.nebius(logs_in=True))

        def end():
            self.server.tokens.clear()
            self.server.before_change = None
        done = None
        for method in (STOP, START):
            self.server.before_change = end
            done = self.stopped(program) if method == STOP else self.undo(program, done)
            self.assertEqual(done["state"], "verified", done)
        self.assertSent(*self.sent(STOP, STOP, START, START))
        self.assertEqual(self.server.executed, self.sent(STOP, START))
        numbers = [change.key for change in self.server.changes]
        self.assertEqual((numbers[0::2], len(set(numbers))), (numbers[1::2], 2))


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class Refusals(NebiusStopsTest):
    def test_obstacles(self):
        cases = (({"labels": {"mk8s-cluster-id": "x"}}, "(?i)cluster"), ({"labels": {"mk8s-node-group-id": "x"}}, "(?i)cluster"),
                 ({"status": {"reconciling": True}}, "operation"), *(({"state": state}, state.lower()) for state in (
                     "CREATING", "UPDATING", "STARTING", "STOPPING", "STOPPED", "DELETING", "ERROR")), ({"state": "UNSPECIFIED"}, "unknown"))
        for at, (facts, _) in enumerate(cases):
            self.server.instances[at] = vm(NAMES[at], **facts)
        plans = self.plans(self.over(), *NAMES[:len(cases)])
        for at, (facts, words) in enumerate(cases):
            with self.subTest(facts):
                failing = self.failed_checks(plans[NAMES[at]])
                self.assertEqual(list(failing), ["stoppable"])
                self.assertRegex(failing["stoppable"], words)

    def test_cautions(self):
        """What may not come back, or stays paid for, may still be stopped."""
        spot, reserved, grouped = "(?i)preemptible", "(?i)reservation.*paid", "(?i)GPU cluster computegpucluster-e00g"
        cases = (({"spec": {"preemptible": {"on_preemption": 1}}}, {spot}), ({"status": {"reservation_id": "capacityblockgroup-e00r"}}, {reserved}),
                 ({"spec": {"gpu_cluster": {"id": "computegpucluster-e00g"}}}, {grouped}), ({}, set()))
        for at, (facts, _) in enumerate(cases):
            self.server.instances[at] = vm(NAMES[at], **facts)
        plans = self.plans(self.over(), *NAMES[:len(cases)])
        for at, (facts, words) in enumerate(cases):
            with self.subTest(facts):
                plan = plans[NAMES[at]]
                self.assertEqual((plan["state"], self.failed_checks(plan)), ("checked", {}))
                self.assertEqual({one for one in (spot, reserved, grouped) if re.search(one, "\n".join(plan["cautions"]))}, words)

    def test_labels_that_protect(self):
        cases = (({"gpu-ledger_protect": "true"}, True), ({"gpu-ledger.io/protect": ""}, True), ({"gpu-ledger_protect": "false"}, False), ({"protect": "true"}, False),
                 ({"gpu-ledger_keep-until": "2099-01-01"}, True))
        for at, (labels, _) in enumerate(cases):
            self.server.instances[at] = vm(NAMES[at], labels=labels)
        program = self.over()
        plans = self.plans(program, *NAMES[:len(cases)])
        for at, (labels, is_protected) in enumerate(cases):
            with self.subTest(labels):
                self.assertEqual(list(self.failed_checks(plans[NAMES[at]])), ["not-protected"] if is_protected else [])
        self.assertIn("not-protected", self.failed_checks(self.stopped(program, status=REFUSED)))
        self.assertSent()

    def test_rights_of_the_source(self):
        program = self.over(self.nebius(rights="read"))
        self.assertIn("the configuration does not allow stopping anything here", program.healthy("sources", "test", "cloud").stdout.decode())
        self.assertTrue({"same-object", "allowed"} & set(self.failed_checks(self.stopped(program, status=REFUSED))))
        self.assertSent()
        self.configure(program, self.nebius())
        self.server.closed = {STOP}  # which shows when it is asked for
        refused = self.stopped(program, status=REFUSED)
        self.assertEqual((refused["state"], refused["outcome"]["code"], self.state()), ("refused", "platform-refused", "RUNNING"), refused)
        self.assertIn("PERMISSION_DENIED", json.dumps(refused))
        self.assertSent(*self.sent(STOP))

    def test_changed_between_the_plan_and_the_call(self):
        program = self.over()

        def become(at, **facts):
            self.server.instances[at] = vm(NAMES[at], **facts)
        cases = ({"labels": {"team": "nlp"}}, {"state": "STOPPING"}, {"labels": {"mk8s-cluster-id": "x"}}, {"status": {"reservation_id": "r"}})
        for at, facts in enumerate(cases):
            with self.subTest(facts):
                self.server.from_now({(GET, 2): lambda at=at, facts=facts: become(at, **facts)})
                self.assertEqual(self.stopped(program, at, REFUSED)["state"], "refused")
                self.assertGreaterEqual(self.server.seen[GET], 2)
        self.server.from_now({})
        self.assertSent()

    def test_changed_between_the_stop_and_the_undo(self):
        program = self.over()
        stopped = self.stopped(program)
        self.server.instances[0].status.state = 4  # started by someone
        self.assertEqual(self.undo(program, stopped, REFUSED)["state"], "refused")
        stopped = self.stopped(program, 1)
        del self.server.instances[1]
        self.assertEqual(self.undo(program, stopped, REFUSED)["state"], "refused")
        self.assertSent(*self.sent(STOP), *self.sent(STOP, at=1))

    def test_nothing_else_is_stopped_in_its_place(self):
        program = self.over()
        one, another = self.server.instances[:2]
        for method, answer in ((GET, another), (GET, b""), (GET, b"\xff"), (GET, Fault(CODE.PERMISSION_DENIED)), (GET, Fault(CODE.NOT_FOUND)), (LIST, b"\xff"),
                               (GET, instance(NAMES[0], project="project-e00other"))):
            with self.subTest(method, answer=answer):
                self.server.faults[method] = [(False, answer)] * 99
                self.assertEqual(list(self.failed_checks(self.stopped(program, status=REFUSED))), ["same-object"])
                self.server.faults.clear()
        self.assertEqual(told_state(one), "RUNNING")
        self.assertSent()


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class Answers(NebiusStopsTest):
    def test_answers_to_the_change(self):
        """Lost, wrong or refused: it is sent once, and what is read back counts."""
        program = self.over()
        self.server.takes = 0
        words = "not now, " + TOKEN
        for at, (does, told, state, code) in enumerate((
                (True, Lost(), "verified", ""), (True, Fault(CODE.UNAVAILABLE, words), "verified", ""), (True, Fault(CODE.INTERNAL, words, late=True), "verified", ""),
                (True, b"", "verified", ""), (True, b"\xff", "verified", ""),
                (False, Fault(CODE.RESOURCE_EXHAUSTED, words), "failed", "try-later"), (False, Fault(CODE.FAILED_PRECONDITION, words), "refused", "changed-meanwhile"),
                (False, Fault(CODE.ABORTED, words), "refused", "changed-meanwhile"), (False, Fault(CODE.NOT_FOUND, words), "refused", "changed-meanwhile"),
                (False, Fault(CODE.PERMISSION_DENIED, words), "refused", "platform-refused"), (False, Fault(CODE.INVALID_ARGUMENT, words), "refused", "platform-refused"),
                (False, operation(NAMES[11], status={"code": 8, "message": words}), "refused", "platform-refused"))):
            with self.subTest(does=does, told=told):
                self.forget()
                self.server.faults[STOP] = [(does, told)]
                stopped = self.stopped(program, at, 0 if state == "verified" else REFUSED)
                self.assertEqual((stopped["state"], self.state(at)), (state, "STOPPED" if does else "RUNNING"), stopped)
                self.assertSent(*self.sent(STOP, at=at))
                if code:
                    self.assertEqual(stopped["outcome"]["code"], code, stopped)

    def test_what_never_comes(self):
        """No capacity for a start, or an answer and nothing done. What is not read back was not done. Some wait for 2.5 minutes, all at once."""
        def no_capacity():
            server = self.serve()
            program = self.over(self.nebius(server))
            stopped = self.stopped(program)
            server.start_ends, server.takes = "STOPPED", 2
            undone = self.undo(program, stopped, REFUSED)
            self.assertEqual((undone["state"], told_state(server.instances[0])), ("failed", "STOPPED"), undone)
            self.assertSent(*self.sent(STOP, START), server=server)

        def claim(told):
            server = self.serve()
            program = self.over(self.nebius(server))
            server.faults[STOP] = [(False, told)]
            stopped = self.stopped(program, status=REFUSED)
            self.assertEqual((stopped["state"], told_state(server.instances[0])), ("failed", "RUNNING"), (told, stopped))
            self.assertSent(*self.sent(STOP), server=server)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for one in [pool.submit(no_capacity), *(pool.submit(claim, told) for told in (operation(NAMES[0]), b"", Lost()))]:
                one.result()


if __name__ == "__main__":
    if not promserver.available("prometheus"):
        print("prometheus and promtool are not installed")
        sys.exit(SKIPPED)
    unittest.main()
