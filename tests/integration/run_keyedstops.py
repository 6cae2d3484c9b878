#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pods of RunPod and instances of Vast.ai from a real Prometheus into the idle list, stopped and started again by the command line, against
fakes that keep every request. At most one change is sent, never anything but a stop or a start, and nothing counts as done before it was read
back. Without prometheus it is skipped (77)."""
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
import promserver  # noqa: E402
import runpod  # noqa: E402
import vastai  # noqa: E402
from keyedmachines import RESET, RunpodMachines, VastaiMachines, instance, pod  # noqa: E402
from product import Program, ProductTest  # noqa: E402

SKIPPED = 77
REFUSED = 5
CANARY = b"canary"  # in all keys, and in the token that Vast.ai tells beside an instance
COUNT = 14  # machines of each account
PODS = ["k7h2m9x4q1w%02d" % number for number in range(COUNT)]
NUMBERS = [str(20011000 + number) for number in range(COUNT)]
BARE, BILLED = "30011000", "instance-30011001"  # other names in telemetry: a bare number, and as in the bill
TELEMETRY = None  # the address of a Prometheus that has all of these machines
LOGIN, HTML = b"<!DOCTYPE html><html><body>Log in</body></html>", {"Content-Type": "text/html"}
PAGE, CUT, ELSEWHERE = (200, LOGIN, HTML), (200, b'{"success": tru', {}), (307, b"", {"Location": "/elsewhere"})


def setUpModule():
    global TELEMETRY
    begin = int(time.time()) // kubefleet.STEP * kubefleet.STEP - kubefleet.HOURS * 3600
    names = [*PODS, *("C." + number for number in NUMBERS), BARE, BILLED]
    told = [one for at, name in enumerate(names) for one in kubefleet.machine_series(name, f"host-{at}", ((1, ""), (2, "")), {"CostCenter": "vision"})]
    kept = tempfile.TemporaryDirectory(prefix="gpuledgerkeyed")
    unittest.addModuleCleanup(kept.cleanup)
    server = promserver.Server(kept.name, "prometheus", kubefleet.samples(told, begin), kubefleet.STEP)
    TELEMETRY = server.start()
    unittest.addModuleCleanup(server.stop)


class LiveProgram(Program):
    """On the real clock: no real platform is written to with another one."""

    def command(self, *arguments, now=None):
        return [part for part in super().command(*arguments, now="") if part not in ("--now", "")]

    def run(self, *arguments, timeout=300, **options):
        done = super().run(*arguments, timeout=timeout, **options)
        if CANARY in done.stdout + done.stderr:
            raise AssertionError(f"{arguments} shows a secret: {done.text}{done.stdout.decode()}")
        return done


class StopTest(ProductTest):
    def account(self, server):
        """A fake that ends with the test, and gets nothing but stops and starts of its own service."""
        self.addCleanup(server.close)
        kind = Pods if isinstance(server, RunpodMachines) else Instances
        self.addCleanup(lambda: self.assertEqual([one for one in server.changes if one not in [
            kind.call(identity, starts) for identity in server.machines for starts in (False, True)]], []))
        return server

    @staticmethod
    def source(name, server, rights="read, stop"):
        kind, key = ("runpod", "POD_KEY") if isinstance(server, RunpodMachines) else ("vastai", "VAST_KEY")
        return (f"  - {{ name: {name}, kind: {kind}, cluster: lab, url: \"{server.url()}\", first_sync: 1d, machines: none, "
                f"auth: {{ type: bearer, token: env:{key} }}, rights: [{rights}] }}\n")

    @staticmethod
    def configure(program, *sources, actions="irreversible: typed_name, max_per_hour: 100"):
        program.configure("version: 1\ncurrency: USD\ntime_zone: UTC\nsources:\n"
                          f"  - {{ name: prom, kind: prometheus, url: \"{TELEMETRY}\", cluster: lab, first_sync: {kubefleet.HOURS}h }}\n"
                          + "".join(sources) + kubefleet.MACHINES + f"actions: {{ {actions} }}\n")

    def over(self, *sources, **more):
        """A program with a synced data folder of its own."""
        program = LiveProgram(tempfile.mkdtemp(dir=self.folder))
        self.configure(program, *sources, **more)
        program.environment.update(POD_KEY=runpod.KEY, VAST_KEY=vastai.KEY)
        program.healthy("sync")
        self.addCleanup(self.check_left_behind, program)
        return program

    def check_left_behind(self, program):
        """The ledger and its journal are whole, and no file has a secret in it."""
        program.verify(now=None)
        for path in pathlib.Path(program.folder).rglob("*"):
            if path.is_file():
                self.assertNotIn(CANARY, path.read_bytes(), path)

    def act(self, program, *arguments, status=0):
        done = program.run("act", *arguments, "--json")
        self.assertEqual(done.returncode, status, done.text + done.stdout.decode())
        return json.loads(done.stdout)["actions"]

    def stop(self, program, name, typed, status=0):
        only, = self.act(program, "stop", name, "--yes", "--count", "1", "--reason", "nobody uses it", "--type-name", typed, status=status)
        return only

    def undo(self, program, stopped, status=0):
        only, = self.act(program, "undo", str(stopped["id"]), "--yes", status=status)
        return only

    def states(self, program):
        """By the number of the action, as the journal has them."""
        return {one["id"]: one["state"] for one in self.act(program, "log")}

    @staticmethod
    def failed_checks(action):
        return {one["name"]: one["detail"] for one in action["checks"] if one["passed"] is False}


class BothServices:
    """The tests that both services pass. Machine number `at` is called `name(at)` in telemetry and `ids[at]` at the service."""

    @classmethod
    def fake(cls):
        return cls.service(*cls.fake_machines().values())

    def setUp(self):
        super().setUp()
        self.server = self.account(self.fake())
        self.mine = self.source("cloud", self.server)

    def stopped(self, program, at=0, status=0):
        return self.stop(program, self.name(at), self.ids[at], status)

    def name(self, at):
        return self.called(self.ids[at])

    def sent(self, *starts, at=0):
        return [self.call(self.ids[at], one) for one in starts]

    def from_now(self, at_look):
        self.server.looks, self.server.at_look = 0, at_look

    def test_stopped_and_started_again(self):
        program = self.over(self.mine)
        item = {one["name"]: one for one in json.loads(program.healthy("idle", "--json").stdout)["items"]}[self.name(0)]
        self.assertEqual((item["kind"], item["id"], item["gpus"], item["owner"]), ("machine", "lab//" + self.name(0), 2, "vision"))
        for arguments in (("plan", item["id"]), ("stop", item["id"], "--dry-run")):
            planned, = self.act(program, *arguments)
            self.assertEqual((planned["state"], self.failed_checks(planned)), ("checked", {}))
            self.assertIsNone({one["name"]: one["passed"] for one in planned["checks"]}["dry-run"])  # neither service has one
            self.assertEqual((planned["reversible"], planned["type_name"]), (self.reversible, None if self.reversible else self.ids[0]), planned)
        self.assertEqual(self.server.changes, [])
        stopped = self.stopped(program)
        self.assertEqual((stopped["state"], stopped["target"]["name"]), ("verified", self.ids[0]), stopped)
        self.assertEqual((self.server.changes, self.runs()), (self.sent(False), False))
        row, = self.act(program, "log")
        self.assertEqual([row[key] for key in ("id", "state", "kind", "reason", "holders")],
                         [stopped["id"], "verified", "stop", "nobody uses it", ["lab//" + self.name(0)]], row)
        self.assertIn("running, 2 x ", row["before"])
        undone = self.undo(program, stopped)
        self.assertEqual((undone["state"], undone["undoes"]), ("verified", stopped["id"]), undone)
        self.assertEqual((self.server.changes, self.runs()), (self.sent(False, True), True))
        self.assertEqual(self.states(program), {stopped["id"]: "undone", undone["id"]: "verified"})

    def test_a_key_that_only_reads(self):
        program = self.over(self.mine)
        self.server.reads_only = True
        tested = program.run("sources", "test", "cloud")
        self.assertEqual((tested.returncode, self.server.changes), (0, []), tested.text)
        self.assertIn("permission to stop one is checked when it is selected", tested.stdout.decode())
        refused = self.stopped(program, status=REFUSED)
        self.assertEqual((refused["state"], self.server.changes), ("refused", self.sent(False)), refused)
        self.assertIn(self.right, refused["result"])
        self.server.reads_only = False
        stopped = self.stopped(program, 1)
        self.server.reads_only = True
        refused = self.undo(program, stopped, REFUSED)
        self.assertEqual((refused["state"], self.server.changes), ("refused", self.sent(False) + self.sent(False, True, at=1)), refused)
        self.assertIn(self.right, refused["result"])
        self.assertEqual(self.states(program)[stopped["id"]], "verified")

    def test_a_source_without_the_right_to_stop(self):
        program = self.over(self.source("cloud", self.server, rights="read"))
        self.assertIn("the configuration does not allow stopping anything here", program.healthy("sources", "test", "cloud").stdout.decode())
        self.assertIn("same-object", self.failed_checks(self.stopped(program, status=REFUSED)))
        self.configure(program, self.mine)
        stopped = self.stopped(program)
        self.configure(program, self.source("cloud", self.server, rights="read"))
        self.assertEqual(self.undo(program, stopped, REFUSED)["state"], "refused")
        self.assertEqual(self.server.changes, self.sent(False))

    def test_changed_between_the_plan_and_the_call(self):
        program = self.over(self.mine)
        for at, look in enumerate((2, 3, 4)):
            with self.subTest(look=look):
                self.from_now({look: lambda at=at: self.server.machines[self.ids[at]].update(self.changed)})
                self.assertEqual(self.stopped(program, at, REFUSED)["state"], "refused")
                self.assertGreaterEqual(self.server.looks, look)
        self.assertEqual(self.server.changes, [])

    def test_slow_and_busy_answers_before_the_call(self):
        """It is sent after an answer that is fresh, and not at all without one."""
        program = self.over(self.mine)
        slow, busy = (lambda: time.sleep(2.3)), (lambda: self.fault(429, {"Retry-After": "1"}))
        for at, (event, looks, state) in enumerate(((slow, (4,), "verified"), (busy, (4,), "verified"), (busy, (1, 2, 4), "verified"),
                                                    (slow, range(4, 99), "failed"), (busy, range(4, 99), "failed"))):
            with self.subTest(at):
                before = len(self.server.changes)
                self.from_now({look: event for look in looks})
                self.assertEqual(self.stopped(program, at, 0 if state == "verified" else REFUSED)["state"], state)
                self.assertEqual(self.server.changes[before:], self.sent(False, at=at) if state == "verified" else [])
                self.from_now({})

    def test_answers_to_the_change(self):
        """Lost, wrong or refused: it is sent once, and what is read back counts."""
        program = self.over(self.mine)
        self.server.takes = 0
        for at, (does, told, state) in enumerate((
                (True, RESET, "verified"), (True, self.fault(500), "verified"), (True, (502, LOGIN, HTML), "verified"), (True, PAGE, "verified"),
                (True, CUT, "verified"), (False, self.fault(429, {"Retry-After": "1"}), "failed"), (False, self.fault(409), "refused"), *self.own_answers)):
            with self.subTest(does=does, told=told):
                before = len(self.server.changes)
                self.server.change_faults = [(does, told)]
                stopped = self.stopped(program, at, 0 if state == "verified" else REFUSED)
                self.assertEqual((stopped["state"], self.runs(at)), (state, not does), stopped)
                self.assertEqual(self.server.changes[before:], self.sent(False, at=at))
        # The same for a start.
        self.server.change_faults = [(True, RESET)]
        first, = (one for one in self.act(program, "log") if one["target"]["name"] == self.ids[0])
        self.assertEqual((self.undo(program, first)["state"], self.runs()), ("verified", True))
        self.assertEqual(self.server.changes[-1:], self.sent(True))

    def test_a_lost_answer_to_a_change_that_takes_a_while(self):
        program = self.over(self.mine)
        self.server.takes, self.server.change_faults = 5, [(True, RESET)]
        stopped = self.stopped(program)
        self.assertEqual((stopped["state"], self.server.changes), ("verified", self.sent(False)), stopped)
        self.server.change_faults = [(True, self.fault(500))]
        self.assertEqual((self.undo(program, stopped)["state"], self.runs(), self.server.changes), ("verified", True, self.sent(False, True)))

    def test_several(self):
        """The others wait for the first one, and nothing is sent for them unless that was stopped."""
        program = self.over(self.mine)
        self.server.change_faults = [(False, RESET)]
        for first, states in ((0, ["failed", "refused", "refused"]), (3, ["verified"] * 3)):
            before, chosen = len(self.server.changes), range(first, first + 3)
            typed = [part for at in chosen for part in ("--type-name", self.ids[at])]
            done = self.act(program, "stop", *map(self.name, chosen), "--yes", "--count", "3", *typed, status=0 if first else REFUSED)
            self.assertEqual([one["state"] for one in done], states)
            self.assertCountEqual(self.server.changes[before:], [self.call(self.ids[at], False) for at in (chosen if first else (0,))])

    def test_killed_after_the_change(self):
        program = self.over(self.mine)
        process = program.start("act", "stop", self.name(0), "--yes", "--count", "1", "--type-name", self.ids[0])
        self.server.takes, self.server.after_change = 0, process.kill
        self.assertNotIn(CANARY.decode(), "".join(process.communicate()))
        self.assertLess(process.returncode, 0)
        self.server.after_change = None
        self.assertEqual(list(self.states(program).values()), ["verified"])
        self.assertEqual((self.server.changes, self.runs()), (self.sent(False), False))

    def test_started_by_someone_else_since(self):
        program = self.over(self.mine)
        stopped = self.stopped(program)
        self.server.machines.update(self.fake_machines())
        self.assertEqual(self.undo(program, stopped, REFUSED)["state"], "refused")
        self.assertEqual(self.server.changes, self.sent(False))

    def test_obstacles(self):
        program = self.over(self.mine)
        for facts, words in self.obstacles:
            with self.subTest(facts):
                machine = self.server.machines[self.ids[0]] = {**self.fake_machines()[self.ids[0]], **facts}
                refused = self.stopped(program, status=REFUSED)
                checks = self.failed_checks(refused)
                self.assertEqual(list(checks), ["stoppable"], refused)
                self.assertIn(words, "".join(checks.values()))
                self.assertEqual(self.server.machines[self.ids[0]], machine)
        self.assertEqual(self.server.changes, [])

    def test_nothing_else_is_stopped_in_its_place(self):
        """The machine is gone, the answer is of another one, or is none."""
        program = self.over(self.mine)
        other = self.fake_machines()[self.ids[1]]
        for answer in (self.fault(404), self.told(self.gone), self.told(other), (200, LOGIN, HTML), (200, b"{}", {}), (200, b"null", {}), self.fault(403)):
            with self.subTest(answer):
                self.from_now({look: lambda answer=answer: answer for look in range(1, 99)})
                self.assertIn("same-object", self.failed_checks(self.stopped(program, status=REFUSED)))
        self.assertEqual(self.server.changes, [])

    def test_two_sources_that_know_the_name(self):
        second = self.account(self.fake())
        program = self.over(self.mine, self.source("second", second))
        refused = self.stopped(program, status=REFUSED)
        self.assertEqual(list(self.failed_checks(refused)), ["same-object"])
        self.assertIn("cloud, second", json.dumps(refused["checks"]))
        second.machines.clear()
        second.at_look = {look: lambda: self.fault(403) for look in range(1, 99)}  # it may know the name, too
        self.assertEqual(list(self.failed_checks(self.stopped(program, status=REFUSED))), ["same-object"])
        second.at_look = {}
        self.assertEqual(self.stopped(program)["state"], "verified")
        self.assertEqual((self.server.changes, second.changes), (self.sent(False), []))


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class Pods(BothServices, StopTest):
    service, ids, reversible, right = RunpodMachines, PODS, False, "write pods"
    changed = {"startedAt": "2026-01-01T00:00:00Z"}  # started again
    own_answers = ()
    told = staticmethod(RunpodMachines.told)
    obstacles = (
        ({"locked": True}, "locked"), ({"locked": None}, "locked"), ({"cluster": {"id": "c1"}}, "member of a cluster"),
        ({"actions": ["restart", "terminate"]}, "does not offer to stop it"), ({"actions": None}, "does not offer to stop it"),
        ({"runtime": None}, "GPUs"), ({"runtime": {"uptime": 1, "gpus": []}}, "GPUs"), ({"gpu": None}, "GPUs"),
        ({"status": "EXITED", "runtime": None}, "it is stopped"), ({"status": "STARTING", "runtime": None}, "STARTING"))
    gone = pod(PODS[0], status="TERMINATED", actions=[])

    @staticmethod
    def fake_machines():
        return {identity: pod(identity) for identity in PODS}

    @staticmethod
    def fault(status, headers=None):
        return runpod.fault(status, "Error", "not now, " + runpod.KEY, headers)

    @staticmethod
    def call(identity, starts):
        return "POST", f"/v2/pods/{identity}/action", {"action": "start" if starts else "stop"}

    @staticmethod
    def called(identity):
        return identity

    def runs(self, at=0):
        return self.server.machines[self.ids[at]]["status"] == "RUNNING"

    def test_never_without_its_full_name(self):
        """Its container disk is lost: by default it is never stopped, and if that is permitted, its name has to be typed."""
        program = self.over(self.mine, actions="max_per_hour: 100")
        self.assertIn("irreversible: typed_name", self.failed_checks(self.stopped(program, status=REFUSED))["allowed"])
        self.configure(program, self.mine)
        for more in ((), ("--type-name", PODS[0][:-1]), ("--type-name", "RunpodPod " + PODS[0])):
            done = program.run("act", "stop", PODS[0], "--yes", "--count", "1", *more)
            self.assertEqual(done.returncode, REFUSED, done.text)
            self.assertIn("--type-name " + PODS[0], done.text)
        self.assertEqual(self.server.changes, [])


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class Instances(BothServices, StopTest):
    service, ids, reversible, right = VastaiMachines, NUMBERS, True, "instance_write"
    changed = {"machine_id": 4}  # on another host
    own_answers = ((False, (200, b'{"success": false, "msg": "no, canary-vast_KEY"}', {}), "refused"),)
    obstacles = (
        ({"actual_status": "frozen"}, "frozen"), ({"actual_status": "exited"}, "exited"), ({"actual_status": "offline"}, "offline"),
        ({"actual_status": None}, "unknown"), ({"intended_status": "stopped"}, "not running"), ({"num_gpus": None}, "GPUs"), ({"gpu_name": None}, "GPUs"),
        ({"actual_status": "exited", "intended_status": "stopped", "cur_state": "stopped"}, "it is stopped"), ({"start_date": None}, "when it was rented"))
    gone = None  # destroyed

    @staticmethod
    def fake_machines():
        return {number: instance(int(number)) for number in NUMBERS}

    @staticmethod
    def fault(status, headers=None):
        return vastai.fault(status, "error", "not now, " + vastai.KEY, headers)

    @staticmethod
    def told(machine):
        return 200, json.dumps({"instances": machine}).encode(), {}

    @staticmethod
    def call(identity, starts):
        return "PUT", f"/api/v0/instances/{identity}/", {"state": "running" if starts else "stopped"}

    @staticmethod
    def called(identity):
        return "C." + identity

    def runs(self, at=0):
        return self.server.machines[self.ids[at]]["actual_status"] == "running"

    def test_a_bare_number_is_no_instance(self):
        """Any machine may be called so."""
        for name in (BARE, BILLED):
            number = name.removeprefix("instance-")
            self.server.machines[number] = instance(int(number))
        program = self.over(self.mine)
        self.assertEqual(list(self.failed_checks(self.stop(program, BARE, BARE, REFUSED))), ["same-object"])
        self.assertEqual(self.server.changes, [])
        self.assertEqual(self.stop(program, BILLED, number)["state"], "verified")
        self.assertEqual(self.server.changes, [self.call(number, False)])

    def test_what_may_not_start_again_needs_its_number(self):
        """Interruptible, its rental over, or not told."""
        program = self.over(self.mine, actions="max_per_hour: 100")
        for facts in ({"is_bid": True}, {"is_bid": None}, {"end_date": time.time() - 9}, {"end_date": None}):
            self.server.machines[NUMBERS[0]] = {**instance(int(NUMBERS[0])), **facts}
            refused = self.stopped(program, status=REFUSED)
            self.assertEqual((list(self.failed_checks(refused)), refused["type_name"]), (["allowed"], NUMBERS[0]), facts)
        self.assertEqual(self.server.changes, [])


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class Together(StopTest):
    def test_both_in_one_cluster(self):
        """Each machine is stopped where it is, and none if the name of one of them is not typed."""
        pods, instances = self.account(Pods.fake()), self.account(Instances.fake())
        program = self.over(self.source("pods", pods), self.source("rented", instances))
        both = ("act", "stop", PODS[0], "C." + NUMBERS[0], "--yes", "--count", "2")
        self.assertEqual((program.run(*both).returncode, pods.changes + instances.changes), (REFUSED, []))
        program.healthy(*both, "--type-name", PODS[0])
        self.assertEqual((pods.changes, instances.changes), ([Pods.call(PODS[0], False)], [Instances.call(NUMBERS[0], False)]))

    def test_what_never_comes(self):
        """Fewer GPUs, or none, are not what was there, and what is not read back was not done, whatever the answer says. Some wait for 2.5 minutes, all at once."""
        def start(fakes, brings):
            account, identity = self.account(fakes.fake()), fakes.ids[0]
            program = self.over(self.source("cloud", account))
            stopped = self.stop(program, fakes.called(identity), identity)
            account.brings = brings
            undone = self.undo(program, stopped, REFUSED)
            self.assertEqual((undone["state"], self.states(program)[stopped["id"]]), ("failed", "verified"), (fakes, brings, undone))
            self.assertEqual(account.changes, [fakes.call(identity, False), fakes.call(identity, True)])

        def claim(fakes, told):
            account, identity = self.account(fakes.fake()), fakes.ids[0]
            program = self.over(self.source("cloud", account))
            account.change_faults = [(False, told)]
            stopped = self.stop(program, fakes.called(identity), identity, REFUSED)
            self.assertEqual((stopped["state"], account.changes), ("failed", [fakes.call(identity, False)]), (fakes, told, stopped))
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            waits = [pool.submit(start, fakes, brings) for fakes in (Pods, Instances) for brings in (0, 1)]
            waits += [pool.submit(claim, fakes, told) for fakes in (Pods, Instances)
                      for told in (RESET, fakes.fault(500), PAGE, CUT, (200, b'{"success":true}', {}), ELSEWHERE)]
            for one in waits:
                one.result()


if __name__ == "__main__":
    if not promserver.available("prometheus"):
        print("prometheus and promtool are not installed")
        sys.exit(SKIPPED)
    unittest.main()
