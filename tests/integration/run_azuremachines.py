#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Machines of Azure from its lists to the figures: virtual machines and scale sets, states that cost and those that don't, sizes, logins, faults. The fake follows the
service's contract (resourcemanager.py)."""
import datetime
import json
import os
import pathlib
import sys
import tempfile
import unittest
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "unit", "cli")]

import bills  # noqa: E402
import promserver  # noqa: E402
from azurecosts import APPLICATION, DROPPED, SECRET, SUBSCRIPTION, TENANT, fault  # noqa: E402
from product import Program, ProductTest, configuration  # noqa: E402
from resourcemanager import COMPUTE, LOGIN, RIGHTS, TOKEN, ResourceManager, arm_id, compute, event, gauge, machine, run, scale_set, workspace  # noqa: E402
from run_inventory import series  # noqa: E402

NOW, LATER = "2026-11-20T12:00:00Z", "2026-11-20T13:00:00Z"
TEN, ELEVEN = "2026-11-20T10:00:00", "2026-11-20T11:00:00"  # begins of runs
FAILED, PARTIAL = 4, 1  # exit statuses of sync
OF_CLUSTER = "prices:\n  overrides:\n    - { cluster: cloud, per_gpu_hour: 1 }\n"
AKS = {"aks-managed-poolName": "gpu", "team": "vision"}


class AzureMachinesTest(ProductTest):
    """A program with one source, `cloud`. What is stored is verified after each sync; at the end, nothing was ever sent to a server but questions."""

    def setUp(self):
        super().setUp()
        self.servers = []
        self.server = self.serve()

    def serve(self):
        server = ResourceManager()
        self.servers.append(server)
        self.addCleanup(server.close)
        return server

    def tearDown(self):
        for server in self.servers:
            self.assertEqual([one for one in server.requests if one[0] != "GET" and one != ("POST", LOGIN) and not one[1].endswith("/listNodes")], [])
        super().tearDown()

    def program(self, auth="auth: { type: bearer, token: env:ARM_TOKEN }", more="", sources="", rest=OF_CLUSTER, usage="none"):
        """Without usage, so that the list goes on to this moment."""
        program = Program(self.folder, configuration(
            f"  - {{ name: cloud, kind: azure, url: \"{self.server.url()}\", subscription: {SUBSCRIPTION}, first_sync: 60d, usage: {usage}, {auth}{more} }}\n" + sources) + rest)
        program.environment.update(ARM_TOKEN=TOKEN, AZURE_SECRET=SECRET)
        return program

    def application(self):
        """A program that logs in as an application."""
        return self.program(f"login: \"{self.server.url()}\", tenant: {TENANT}, auth: {{ type: basic, user: {APPLICATION}, password: env:AZURE_SECRET }}")

    def sync(self, program, now=NOW, status=0):
        done = program.run("sync", "--json", now=now)
        self.assertEqual(done.returncode, status, done.text)
        self.assertNotIn("canary", done.text + done.stdout.decode())
        program.verify(now=now)
        return next(one for one in json.loads(done.stdout)["sources"] if one["name"] == "cloud"), done.text

    def hours(self, program, by="team", now=NOW, since="2026-11-20T00:00:00Z"):
        """{key: (paid GPU hours, unobserved GPU hours, cost)}"""
        out = json.loads(program.healthy("summary", "--by", by, "--from", since, "--to", now, "--json", now=now).stdout)
        return {row["key"]: (row["gpu_hours"]["paid"], row["gpu_hours"]["unobserved"], row["cost"]["total"] and row["cost"]["total"]["amount"]) for row in out["rows"]}

    def reasons(self, told):
        return {one["reason"]: one["count"] for one in told["reasons"]}


class ListedMachines(AzureMachinesTest):
    def test_machines_are_unknown_and_cost(self):
        self.server.machines = [
            machine("gpu-1", TEN), machine("T4box", ELEVEN, "Standard_NC64as_T4_v3", tags={"team": "nlp"}, priority="Spot"),
            machine("plain", ELEVEN, "Standard_D4s_v5", tags={}), machine("flex_1a2b3c4d", ELEVEN, "Standard_NC48ads_A100_v4", scale_set="flex")]
        self.server.sets = [
            scale_set("train", run(ELEVEN), run(ELEVEN), run(ELEVEN), tags={"team": "nlp"}),
            scale_set("flex", run(ELEVEN), size="Standard_NC48ads_A100_v4", mode="Flexible"),
            scale_set("aks-gpu-vmss", run(ELEVEN), size="Standard_NC4as_T4_v3", group="MC_lab_aks_eastus", tags=AKS), scale_set("web", run(ELEVEN), size="Standard_D4s_v5")]
        program = self.program()
        told, text = self.sync(program)
        self.assertEqual((told["kind"], told["accepted"], told["rejected"], told["error"], told["warnings"]), ("azure", 7, 0, None, []), text)
        self.assertEqual(told["machines"], {"running": 7, "gpus": 32, "without_telemetry": 7})
        self.assertEqual((told["from"], told["to"]), ("2026-11-20T10:00:00Z", NOW))
        self.assertEqual(self.hours(program), {"vision": (4, 4, "4.000000000"), "nlp": (28, 28, "28.000000000"), "shared": (1, 1, "1.000000000")})
        self.assertEqual(self.hours(program, "gpu-model"), {"A100 80GB": (4, 4, "4.000000000"), "T4": (5, 5, "5.000000000"), "H100 SXM": (24, 24, "24.000000000")})
        self.assertEqual(self.hours(program, "region"), {"eastus": (33, 33, "33.000000000")})
        owned = {"lab/gpu-1": 1, "lab/t4box": 4, "lab/flex_1a2b3c4d": 2, "lab/train_0": 8, "lab/train_1": 8, "lab/train_2": 8}
        names = [f"{name}/{number}" for name, gpus in {**owned, "mc_lab_aks_eastus/aks-gpu-vmss_0": 1}.items() for number in range(gpus)]
        self.assertEqual(sorted(self.hours(program, "device")), sorted(names))
        out = json.loads(program.healthy("idle", "--json", now=NOW).stdout)
        self.assertEqual((out["items"], sorted(one["name"] for one in out["unknown"])), ([], sorted(owned)))
        self.assertEqual([self.server.count(kind) for kind in ("machines", "status", "sets", "skus")], [3, 3, 3, 0])  # pages
        asked = {path.lower() for _, path in self.server.requests if "/resourcegroups/" in path.lower()}
        self.assertNotIn(self.server.sets[1]["id"].lower() + "/virtualmachines", asked)  # a flexible set
        self.assertIn(self.server.sets[2]["id"].lower() + "/virtualmachines", asked)

    def test_a_price_of_the_book_counts_since_the_last_operation(self):
        self.server.machines = [
            machine("changed", "2026-11-20T02:00:00"), machine("new", TEN, created=ELEVEN, tags={"team": "nlp"}),
            machine("odd", "2026-11-20T10:11:12", tags={"team": "odd"})]
        program = self.program(rest="")
        self.sync(program)
        for now, more in ((NOW, 0), (LATER, 1)):
            if more:
                self.sync(program, now)
            for team, hours in (("vision", 10), ("nlp", 1), ("odd", 6528 / 3600)):
                paid, unobserved, cost = self.hours(program, now=now)[team]
                self.assertAlmostEqual(paid, hours + more, 6)
                self.assertAlmostEqual(unobserved, hours + more, 6)
                self.assertAlmostEqual(float(cost), 3.673 * (hours + more), 6)

    def test_a_refresh_goes_on_and_a_deallocation_ends(self):
        self.server.machines = [machine("starts", TEN, power="starting"), machine("stops", TEN, power="stopping")]
        self.server.sets = [scale_set("train", run(TEN), run(TEN), tags={"team": "nlp"})]
        program = self.program()
        self.sync(program)
        self.sync(program)
        self.assertEqual(self.hours(program), {"vision": (4, 4, "4.000000000"), "nlp": (32, 32, "32.000000000")})
        self.server.machines[1].update(power="deallocated", since="2026-11-20T12:30:00")
        self.server.sets[0]["instances"][1].update(power="deallocating")
        told, text = self.sync(program, LATER)
        self.assertEqual((told["machines"], told["rejected"]), ({"running": 2, "gpus": 9, "without_telemetry": 2}, 0), text)
        self.assertEqual(self.hours(program, now=LATER), {"vision": (5, 5, "5.000000000"), "nlp": (40, 40, "40.000000000")})

    def test_states(self):
        self.server.machines = [
            machine("a", TEN), machine("b", TEN, power="stopped"), machine("c", TEN, power="stopped"), machine("d", TEN, power="deallocated"),
            machine("e", TEN, power="deallocating"), machine("f", TEN, operation="updating"), machine("g", TEN, operation="creating", power=""),
            machine("h", TEN, operation="", power=""), machine("i", TEN, power=""), machine("j", TEN, operation="failed/InternalExecutionError"),
            machine("k", TEN, "Standard_NV6ads_A10_v5"), machine("l", TEN, "Standard_D4s_v5", operation="updating"),
            machine("m", TEN, "Standard_D4s_v5", operation="", power="")]
        self.server.sets = [scale_set("train", run(TEN, "stopped"), run(TEN, "deallocated"), run(TEN, operation="updating"), size="Standard_NC24ads_A100_v4",
                                      tags={"team": "vision"})]
        program = self.program()
        told, text = self.sync(program)
        self.assertEqual(told["machines"], {"running": 5, "gpus": 5, "without_telemetry": 5}, text)
        self.assertEqual(self.reasons(told), {"machine in an unknown state": 5, "machine with a part of a GPU": 1})
        self.assertEqual((told["accepted"], told["rejected"]), (5, 6))
        self.assertRegex("\n".join([text, *told["warnings"]]), r"\b3\b.*stopped but not deallocated|stopped but not deallocated.*\b3\b")
        self.assertEqual(self.hours(program), {"vision": (10, 10, "10.000000000")})
        self.assertEqual(set(self.hours(program, "node")), {"lab/a", "lab/b", "lab/c", "lab/j", "lab/train_0"})
        # None of them is stopped any more.
        for one in (*self.server.machines, *self.server.sets[0]["instances"]):
            one.update(power="running", operation="succeeded")
        told, text = self.sync(program)
        self.assertNotIn("not deallocated", "\n".join([text, *told["warnings"]]))

    def test_sizes_that_the_catalogue_lacks_are_asked_for(self):
        known = [machine("known", TEN, "standard_nc24ads_a100_v4", tags={"team": "nlp"}), machine("plain", TEN, "Standard_D4s_v5")]
        unknown = [machine("new-1", ELEVEN, "Standard_NC99_RTXPRO9_v9"), machine("new-2", ELEVEN, "Standard_NC99_RTXPRO9_v9"), machine("gone", TEN, "Standard_NV12_v9"),
                   machine("fpga", TEN, "Standard_NP10s")]
        self.server.machines = known
        program = self.program()
        self.sync(program)
        self.assertEqual(self.server.count("skus"), 0)
        self.server.machines = known + unknown
        self.server.sets = [scale_set("train", run(ELEVEN), size="Standard_NC99_RTXPRO9_v9", tags={"team": "vision"})]
        told, text = self.sync(program)
        self.assertEqual(told["machines"], {"running": 4, "gpus": 7, "without_telemetry": 4}, text)
        self.assertEqual((self.reasons(told), told["rejected"]), ({"machine of an unknown size": 1}, 1))
        self.assertEqual(self.hours(program), {"vision": (6, 6, "6.000000000"), "nlp": (2, 2, "2.000000000")})
        asked = [query for kind, query in self.server.asked if kind == "skus"]
        self.assertEqual({query["$filter"] for query in asked}, {"location eq 'eastus'"})
        pages = [query.get("$skiptoken") for query in asked]
        self.assertEqual((len(pages), len(set(pages))), (3, 3))  # each of them once

    def test_can_be_switched_off(self):
        done = self.program(more=", machines: none").run("sync", "--source", "cloud", "--json", now=NOW)
        self.assertEqual((done.returncode, json.loads(done.stdout)["sources"], self.server.requests), (0, [], []), done.text)

    def test_needs_the_id_of_a_subscription(self):
        for given in ("", "subscription: pay-as-you-go, "):
            program = self.program()
            text = pathlib.Path(program.config).read_text(encoding="utf-8")
            program.configure(text.replace(f"subscription: {SUBSCRIPTION}, ", given))
            done = program.run("sync", now=NOW)
            self.assertIn("subscription", done.text + done.stdout.decode())
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(self.server.requests, [])


class Runs(AzureMachinesTest):
    """When machines were started, by the activity log. All of them ended their last operation at ELEVEN, unless a test says otherwise."""
    START, STOP, WRITE = (f"virtualMachines/{name}" for name in ("start/action", "deallocate/action", "write"))
    DAYS = "2026-11-18T00:00:00Z"

    def since(self, program, now=NOW):
        """{node: hours paid since DAYS}; what is paid, is one GPU of one machine."""
        return {name: round(paid, 4) for name, (paid, _, _) in self.hours(program, "node", now, self.DAYS).items()}

    def at(self, time, day=20):
        return f"2026-11-{day:02}T{time}:00"

    def test_a_run_begins_with_the_first_start_after_the_last_stop(self):
        names = ("started", "twice", "created", "old", "silent", "late", "odd", "failed", "spot", "again", "extended")
        old = {"created": "2026-01-01T00:00:00"}
        made = {name: machine(name, ELEVEN, priority="Spot" if name == "spot" else "Regular", **old) for name in names}
        made["created"].update(created=self.at("05:58"))
        made["again"].update(created=self.at("07:00"))
        made["late"].update(since=self.at("11:50"))
        self.server.machines = list(made.values())
        last = [event(one, "virtualMachines/extensions/write" if name == "extended" else "virtualMachines/restart/action", self.at("11:01"))
                for name, one in made.items() if name not in ("silent", "late")]
        self.server.activity = last + [
            event(made["started"], self.STOP, self.at("20:00", 18)), event(made["started"], self.START, self.at("08:00"), "Started"), event(made["started"], self.START, self.at("08:02")),
            event(made["twice"], self.START, self.at("06:00")), event(made["twice"]["id"].upper(), self.START, self.at("09:00")),
            event(made["created"], self.WRITE, self.at("06:00")), event(made["created"], self.WRITE, self.at("09:00")), event(made["created"], "virtualMachines/powerOff/action", self.at("10:00")),
            event(made["silent"], self.START, self.at("08:00")), event(made["late"], self.START, self.at("08:00")),
            event(made["odd"], self.START, self.at("06:00")), event(made["odd"], self.STOP, self.at("09:00")),  # and yet it runs
            event(made["failed"], self.START, self.at("06:00")), event(made["failed"], self.START, self.at("09:00"), "Failed"),
            event(made["spot"], self.START, self.at("06:00")), event(made["again"], self.START, self.at("06:00"), "Succeeded"),  # another machine of this name
            event(made["extended"]["id"] + "/extensions/x", "virtualMachines/extensions/write", self.at("10:59")), event(made["extended"], self.START, self.at("06:00")),
            event(made["old"], self.WRITE, self.at("09:00")), event(made["old"], self.START, self.at("09:30"), provider="Microsoft.Other")]
        program = self.program()
        told, text = self.sync(program)
        self.assertEqual((told["error"], told["warnings"], told["rejected"]), (None, [], 0), text)
        self.assertEqual(self.since(program), {
            "lab/started": round(4 - 2 / 60, 4), "lab/twice": 6, "lab/created": 6, "lab/old": 60, "lab/silent": 1, "lab/late": round(1 / 6, 4), "lab/odd": 1, "lab/failed": 6,
            "lab/spot": 1, "lab/again": 5, "lab/extended": 6})
        self.assertEqual([query["$select"] for kind, query in self.server.asked if kind == "activity"][:1], ["eventTimestamp,operationName,resourceId,status"])
        self.sync(program)  # the same again
        self.assertEqual(self.since(program)["lab/twice"], 6)

    def test_members_of_sets_count_from_a_start_of_their_own(self):
        flexible = [machine(name, ELEVEN, scale_set="flex", created="2026-11-10T00:00:00") for name in ("flex_1", "flex_2")]
        self.server.machines = flexible
        self.server.sets = [scale_set("flex", size="Standard_NC24ads_A100_v4", mode="Flexible"),
                            scale_set("train", *[run(ELEVEN, created="2026-11-19T00:00:00") for _ in range(3)], size="Standard_NC24ads_A100_v4", tags={"team": "vision"})]
        sets = {one["name"]: one["id"] for one in self.server.sets}
        ids = [one["id"] for one in flexible] + [f"{sets['train']}/virtualMachines/{number}" for number in range(3)]
        self.server.activity = [event(one, "virtualMachines/restart/action", self.at("11:00")) for one in ids] + [
            event(ids[1], self.START, self.at("06:00")), event(ids[3], "virtualMachineScaleSets/virtualMachines/start/action", self.at("06:00")),
            event(ids[4], "virtualMachineScaleSets/virtualMachines/start/action", self.at("09:00")),
            event(sets["train"], "virtualMachineScaleSets/deallocate/action", self.at("08:00")), event(sets["train"], "virtualMachineScaleSets/write", self.at("10:00"))]
        program = self.program()
        told, text = self.sync(program)
        self.assertEqual((told["machines"]["running"], told["warnings"]), (5, []), text)
        self.assertEqual(self.since(program), {"lab/flex_1": 1, "lab/flex_2": 6, "lab/train_0": 1, "lab/train_1": 1, "lab/train_2": 3})

    def test_a_run_that_ended_is_there(self):
        made = {name: machine(name, self.at("10:02"), power="deallocated", priority="Spot" if name == "spot" else "Regular", created="2026-01-01T00:00:00") for name in ("off", "nightly", "spot", "part", "unseen")}
        made["part"].update(size="Standard_NV6ads_A10_v5")
        made["young"] = machine("young", self.at("10:02"), power="deallocated", created=self.at("04:00"))
        self.server.machines = list(made.values())
        for one in made.values():
            self.server.activity += [event(one, self.STOP, self.at("10:00"), "Started"), event(one, self.STOP, self.at("10:03"))]
        self.server.activity += [event(made[name], self.START, self.at("06:00")) for name in ("off", "nightly", "spot", "part")]
        self.server.activity += [event(made["nightly"], self.STOP, self.at("08:00")), event(made["nightly"], self.STOP, self.at("03:00"))]  # it is off already at ten
        program = self.program()
        told, text = self.sync(program)
        self.assertEqual((told["machines"]["running"], told["accepted"], told["rejected"], told["warnings"]), (0, 3, 0, []), text)
        self.assertEqual(self.since(program), {"lab/off": 4, "lab/nightly": 2, "lab/young": 6})
        self.assertEqual(self.since(program, LATER), self.since(program))

    def test_without_the_log_machines_count_from_the_last_operation(self):
        self.server.machines = [machine("a", ELEVEN, created="2026-01-01T00:00:00")]
        self.server.activity = [event(self.server.machines[0], self.START, self.at("06:00")), event(self.server.machines[0], "virtualMachines/restart/action", self.at("11:00"))]
        page = self.server.page("/x", {}, [{"resourceId": self.server.machines[0]["id"]}])[1]
        program = self.program()
        self.server.denied = {RIGHTS["activity"]}
        told, text = self.sync(program)
        self.assertEqual((told["error"], told["warnings"], told["machines"]["running"]), (None, [], 1), text)
        done = program.run("sources", "test", "cloud", now=NOW)
        self.assertIn("machines count only from the last operation on each, because the activity log can't be read: it needs the right " + RIGHTS["activity"],
                      done.text + done.stdout.decode())
        self.assertEqual(self.since(program), {"lab/a": 1})
        self.server.denied = set()
        elsewhere = json.dumps({"value": [], "nextLink": self.serve().url() + "/x"}).encode()
        for answer in ((500, b"", {}), (DROPPED, b"", {}), (200, b"{}", {}), (200, b"[" * 100000, {}), (200, page[:-9], {}), (200, elsewhere, {}), fault(404, "NotFound"), fault(400, "BadRequest")):
            self.server.faults = {"activity": [answer] * 20}
            told, text = self.sync(program)
            self.assertEqual((told["error"], told["machines"]["running"]), (None, 1), text)
            self.assertIn("machines count from the last operation on each, because the activity log can't be read", told["warnings"][0])
            self.assertEqual(self.since(program), {"lab/a": 1})
        self.server.faults = {"activity": [(200, page, {})]}  # an event that can't be read
        self.assertEqual(self.sync(program)[0]["warnings"], [])
        self.assertEqual(self.since(program), {"lab/a": 1})
        self.server.faults = {"activity": [fault(429, "TooMany", "wait", {"Retry-After": "1"})]}
        self.assertEqual(self.sync(program)[0]["warnings"], [])
        self.assertEqual(self.since(program), {"lab/a": 6})
        self.assertEqual(self.servers[-1].requests, [])

    def test_a_log_without_end_is_given_up(self):
        self.server.machines = [machine("a", ELEVEN)]
        place = f"{self.server.url()}/subscriptions/{SUBSCRIPTION}/providers/Microsoft.Insights/eventtypes/management/values?"
        same = {"api-version": "2015-04-01", "$filter": "eventTimestamp ge '2026-11-01T00:00:00Z' and eventTimestamp le '2026-11-20T12:00:00Z' and resourceProvider eq 'Microsoft.Compute'"}
        links = [place + urllib.parse.urlencode({**same, "$skiptoken": number}) for number in range(200)]
        self.server.faults = {"activity": [(200, json.dumps({"value": [], "nextLink": link}).encode(), {}) for link in links]}
        told, text = self.sync(self.program())
        self.assertIn("more than 100 pages", told["warnings"][0], text)
        self.assertEqual(told["machines"]["running"], 1)

    def test_no_machine_asks_for_no_log(self):
        self.server.machines = [machine("plain", ELEVEN, "Standard_D4s_v5"), machine("spot", ELEVEN, priority="Spot")]
        self.sync(self.program())
        self.assertEqual(self.server.count("activity"), 0)


class MachineLearning(AzureMachinesTest):
    def setUp(self):
        super().setUp()
        started = {"operationName": "Start", "operationStatus": "Succeeded", "operationTime": TEN + "Z", "operationTrigger": "User"}
        size = "STANDARD_NC24ADS_A100_V4"
        self.server.workspaces = [
            workspace("Vision", compute("notebook", "ComputeInstance", vmSize=size, state="Running", lastOperation=started),
                      compute("off", "ComputeInstance", vmSize=size, state="Stopped", lastOperation=started), compute("aks", "Kubernetes"),
                      compute("train", "AmlCompute", *((f"tvm-{number}", "preempted" if number == 2 else "running") for number in range(4)),
                              vmSize="STANDARD_ND96ISR_H100_V5", vmPriority="Dedicated"),
                      compute("idle", "AmlCompute", vmSize=size, vmPriority="Dedicated")),
            workspace("empty", group="other")]
        self.nodes = f"{self.server.workspaces[0]['id']}/computes/train/listNodes"

    def test_instances_and_nodes_cost(self):
        program = self.program()
        told, text = self.sync(program)
        self.assertEqual((told["error"], told["warnings"], told["rejected"]), (None, [], 0), text)
        told, text = self.sync(program, LATER)
        self.assertEqual((told["warnings"], told["machines"]), ([], {"running": 4, "gpus": 25, "without_telemetry": 4}), text)
        paid, unobserved, cost = self.hours(program, now=LATER)["vision"]
        since_seen = 3 * 8 * 65 / 60  # the first sync has five minutes of the nodes that it saw
        self.assertAlmostEqual(paid, 3 + since_seen, 6)
        self.assertAlmostEqual(unobserved, 3 + since_seen, 6)
        self.assertAlmostEqual(float(cost), 3 + since_seen, 6)
        self.assertEqual(set(self.hours(program, "node", now=LATER)), {"lab/vision/notebook"} | {f"lab/vision/train/tvm-{number}" for number in (0, 1, 3)})
        self.assertEqual([method for method, path in self.server.requests if path == self.nodes], ["POST", "GET", "GET"] * 2)  # pages

    def test_a_missing_right_leaves_out_a_part(self):
        self.server.page_rows = 9  # the test looks at a page of computes
        self.server.denied = {RIGHTS["nodes"]}
        program = self.program()
        told, text = self.sync(program)
        self.assertEqual((told["error"], told["machines"]), (None, {"running": 1, "gpus": 1, "without_telemetry": 1}), text)
        self.assertIn(RIGHTS["nodes"], told["warnings"][0])
        self.assertEqual(self.reasons(told), {"cluster of Machine Learning whose nodes may not be listed": 1})
        done = program.run("sources", "test", "cloud", now=NOW)
        said = done.text + done.stdout.decode()
        for kind in ("workspaces", "computes", "nodes"):
            self.assertIn(("may not " if kind == "nodes" else "may ") + RIGHTS[kind], said)

    def states(self, program, now=NOW):
        """{node: hours active, idle and unobserved}"""
        out = json.loads(program.healthy("summary", "--by", "node", "--from", "2026-11-20T00:00:00Z", "--to", now, "--json", now=now).stdout)
        return {row["key"]: tuple(round(row["gpu_hours"][state], 4) for state in ("active", "idle", "unobserved")) for row in out["rows"]}

    def test_gpu_use_reaches_the_figures(self):
        self.server.machines = [machine("plain-vm", TEN)]
        self.server.workspaces[0]["gauges"] = [
            gauge("notebook", "vm-1", "0", TEN, ELEVEN, 60), gauge("NOTEBOOK", "VM-1", "0", ELEVEN, "2026-11-20T11:30:00", 0),
            *(gauge("train", "tvm-0", str(place), "2026-11-20T11:50:00", "2026-11-20T13:00:00", 90, 70000) for place in range(8)),
            gauge("train", "tvm-gone", "0", TEN, "2026-11-20T13:00:00", 5), gauge("train", "tvm-1", "8", TEN, "2026-11-20T13:00:00", 5)]
        program = self.program(usage="all")
        told, text = self.sync(program)
        self.assertEqual((told["error"], told["warnings"], told["reasons"]), (None, [], []), text)
        self.assertEqual(told["to"], "2026-11-20T11:55:00Z")  # later minutes may still be on their way
        notebook = (1, 0.5, round(25 / 60, 4))
        self.assertEqual(self.states(program), {"lab/vision/notebook": notebook, "lab/plain-vm": (0, 0, round(115 / 60, 4))})  # the nodes are new
        asked = [(query["metricnames"], query["interval"]) for kind, query in self.server.asked if kind == "metrics"]
        self.assertEqual(asked, [("GpuUtilizationPercentage", "PT1M"), ("GpuMemoryUtilizationMegabytes", "PT5M")])  # of one workspace and day
        for _ in range(2):
            told, text = self.sync(program, LATER)
            self.assertEqual((told["error"], told["warnings"], self.reasons(told)), (None, [], {"series of a GPU that its machine does not have": 2}), text)
            self.assertEqual(self.states(program, LATER), {
                "lab/vision/notebook": (1, 0.5, round(85 / 60, 4)), "lab/plain-vm": (0, 0, round(175 / 60, 4)),
                "lab/vision/train/tvm-0": (8, 0, 0), "lab/vision/train/tvm-1": (0, 0, 8), "lab/vision/train/tvm-3": (0, 0, 8)})
        rows = json.loads(program.healthy("heatmap", "--by", "node", "--bins", "hour", "--metric", "utilization", "--from", "2026-11-20T10:00:00Z", "--to", "2026-11-20T11:00:00Z",
                                          "--json", now=NOW).stdout)["rows"]
        self.assertAlmostEqual({row["key"]: row["cells"][0]["value"] for row in rows}["lab/vision/notebook"], 0.6, 4)

    def test_gpu_use_that_may_not_be_read_is_named(self):
        self.server.denied = {RIGHTS["metrics"]}
        program = self.program(usage="all")
        told, text = self.sync(program)
        self.assertEqual((told["error"], told["machines"]["running"], len(told["warnings"])), (None, 4, 1), text)
        self.assertIn("what its machines do is not known", told["warnings"][0])
        self.assertIn(RIGHTS["metrics"], told["warnings"][0])
        done = program.run("sources", "test", "cloud", now=NOW)
        self.assertIn(f"may not {RIGHTS['metrics']}: what machines without telemetry do stays unknown", done.text + done.stdout.decode())

    def test_virtual_machines_have_no_gpu_metrics(self):
        self.server.machines, self.server.workspaces = [machine("a", TEN)], None
        told, text = self.sync(self.program(usage="all"))
        self.assertEqual((told["error"], told["warnings"], told["machines"]["running"]), (None, [], 1), text)
        self.assertEqual(self.server.count("metrics"), 0)

    def test_a_failure_leaves_out_its_machines_and_ends_none(self):
        self.server.machines = [machine("plain", ELEVEN)]
        program = self.program()
        self.sync(program)
        self.server.faults = {"nodes": [fault(500, "InternalServerError")] * 20}
        told, text = self.sync(program, LATER, PARTIAL)
        self.assertEqual((told["error"], told["partial"], told["machines"]["running"]), (None, True, 2), text)
        self.assertIn("the machines of Azure Machine Learning are left out: ", told["warnings"][0])
        self.server.faults = {}
        last = "2026-11-20T14:00:00Z"
        told, text = self.sync(program, last)
        self.assertEqual((told["partial"], told["warnings"], told["machines"]["running"]), (False, [], 5), text)
        self.assertAlmostEqual(self.hours(program, now=last)["vision"][0], 3 + 4 + 3 * 8 * 125 / 60, 6)


class Logins(AzureMachinesTest):
    def setUp(self):
        super().setUp()
        self.server.machines = [machine(f"m{number}", ELEVEN) for number in range(9)]
        self.server.sets = [scale_set("train", *[run(ELEVEN)] * 5, size="Standard_NC24ads_A100_v4", tags={"team": "vision"})]

    def test_an_application_logs_in_once(self):
        program = self.application()
        told, text = self.sync(program)
        self.assertEqual((told["machines"], self.server.logins), ({"running": 14, "gpus": 14, "without_telemetry": 14}, 1), text)
        for name in os.listdir(program.data):
            self.assertNotIn(b"canary", pathlib.Path(program.data, name).read_bytes(), name)

    def test_a_token_that_ends_between_pages_is_renewed(self):
        for lasts in (3, 8):  # within the machines, and within their states
            self.server.token_lasts, self.server.logins = lasts, 0
            told, text = self.sync(self.application())
            self.assertEqual(told["machines"], {"running": 14, "gpus": 14, "without_telemetry": 14}, text)
            self.assertGreater(self.server.logins, 1)

    def test_a_refused_login_stores_nothing_and_says_why(self):
        self.server.login_fault = (401, json.dumps({"error": "invalid_client", "error_description": "AADSTS7000222: no\r\nTrace ID: 1",
                                                    "error_codes": [7000222]}).encode(), {})
        program = self.application()
        told, text = self.sync(program)
        self.assertIn("its machines are left out", told["warnings"][0], text)
        self.assertIn("the secret has expired", text)
        self.assertEqual((self.hours(program), self.server.asked), ({}, []))

    def test_a_token_that_is_refused_stores_nothing(self):
        program = self.program()
        program.environment.update(ARM_TOKEN="canary-old-token")
        told, text = self.sync(program)
        self.assertIn("its machines are left out", told["warnings"][0], text)
        self.assertEqual((self.hours(program), self.server.asked), ({}, []))


class Faults(AzureMachinesTest):
    """Three machines and an instance are stored at first; then there is one more."""

    def setUp(self):
        super().setUp()
        self.server.machines = [machine(f"m{number}", ELEVEN) for number in range(2)] + [machine("new", ELEVEN, "Standard_NC99_RTXPRO9_v9")]
        self.server.sets = [scale_set("train", run(ELEVEN), size="Standard_NC24ads_A100_v4", tags={"team": "vision"})]
        self.cloud = self.program()
        self.sync(self.cloud)
        self.server.machines.append(machine("more", ELEVEN))

    def assertKept(self):
        self.assertEqual(self.hours(self.cloud, now=LATER), {"vision": (5, 5, "5.000000000")})

    def assertAllThere(self):
        told, text = self.sync(self.cloud, LATER)
        self.assertEqual((told["error"], told["warnings"], told["machines"]), (None, [], {"running": 5, "gpus": 6, "without_telemetry": 5}), text)
        self.assertEqual(self.hours(self.cloud, now=LATER), {"vision": (12, 12, "12.000000000")})

    def fails(self, kind, answer, *codes):
        with self.subTest(kind, status=answer[0], body=answer[1][:60]):
            self.server.faults = {kind: [answer] * 20}
            told, text = self.sync(self.cloud, LATER, FAILED)
            self.assertIn(told["error"]["code"], codes, text)
            self.assertKept()
        self.server.faults = {}

    def test_a_wait_is_respected(self):
        self.server.faults = {kind: [fault(429, "OperationNotAllowed", "Too many requests", {"Retry-After": "1"})] for kind in ("machines", "instances")}
        self.server.faults["status"] = [None, fault(503)]
        begin = datetime.datetime.now()
        self.assertAllThere()
        self.assertGreater((datetime.datetime.now() - begin).total_seconds(), 2)
        self.assertFalse(any(self.server.faults.values()))

    def test_a_server_that_fails_for_ever(self):
        for kind in ("machines", "instances"):
            self.fails(kind, fault(500, "InternalServerError"), "server")
        self.fails("sets", (DROPPED, b"", {}), "network")
        self.assertAllThere()

    def test_a_first_sync_that_fails_stores_nothing(self):
        program = Program(os.path.join(self.folder, "first"))
        os.mkdir(program.folder)
        program.configure(pathlib.Path(self.cloud.config).read_text(encoding="utf-8"))
        program.environment.update(ARM_TOKEN=TOKEN)
        self.server.faults = {"instances": [(200, b"[]", {})]}
        self.sync(program, NOW, FAILED)
        self.assertEqual(self.hours(program), {})

    def test_pages_that_are_broken(self):
        good = self.server.first_page("machines")
        self.fails("machines", (200, good, {"Content-Length": str(len(good) + 100)}), "network", "parse")
        for kind in ("machines", "status", "sets", "instances", "skus"):
            self.fails(kind, (200, good[:-9], {}), "parse")
        for body in (b"[]", b"null", b'{"value": {}}', b'{"value": [1]}', good.replace(b'"id": ', b'"di": '), b"<html>log in</html>", b"[" * 100000):
            self.fails("machines", (200, body, {}), "parse", "overflow")
        self.fails("machines", fault(404, "SubscriptionNotFound"), "not-found")
        for kind in ("machines", "status", "sets", "instances", "skus"):
            self.fails(kind, (200, b"{}", {}), "parse")
        self.assertAllThere()

    def test_pages_that_go_in_a_circle(self):
        self.server.is_endless = True
        told, text = self.sync(self.cloud, LATER, FAILED)
        self.assertEqual(told["error"]["code"], "parse", text)
        self.assertKept()
        self.server.is_endless = False
        own = f"{self.server.url()}{COMPUTE}/virtualMachines?api-version=2024-07-01"
        self.fails("machines", (200, json.dumps({"value": [], "nextLink": own}).encode(), {}), "parse")  # the page itself
        self.assertAllThere()

    def test_a_page_elsewhere_is_not_asked_for(self):
        other = self.serve()
        other.machines = self.server.machines
        path, host = f"{COMPUTE}/virtualMachines?api-version=2024-07-01&$skiptoken=x", other.url().removeprefix("http://")
        links = [other.url() + path, f"{self.server.url()}@{host}{path}", f"//{host}{path}"]
        for kind in ("machines", "status", "sets", "instances", "skus"):
            for link in links[:1] if kind != "machines" else links:
                self.fails(kind, (200, json.dumps({"value": [], "nextLink": link}).encode(), {}), "parse")
        self.server.faults = {"machines": [fault(302, headers={"Location": links[0]})] * 20}
        self.cloud.run("sync", now=LATER)
        self.assertKept()
        self.assertEqual(other.requests, [])

    def test_a_missing_right_is_named(self):
        for kind in ("machines", "sets", "instances", "skus"):
            with self.subTest(kind):
                self.server.denied = {RIGHTS[kind]}
                told, text = self.sync(self.cloud, LATER)
                self.assertIn("its machines are left out", told["warnings"][0], text)
                self.assertIn(RIGHTS[kind], told["warnings"][0])
                self.assertKept()
        self.server.denied = set()
        self.assertAllThere()

    def test_a_connection_test_names_each_right(self):
        for denied in ("", "machines", "sets", "skus"):
            with self.subTest(denied):
                self.server.denied = {RIGHTS[denied]} if denied else set()
                done = self.cloud.run("sources", "test", "cloud", now=NOW)
                said = done.text + done.stdout.decode()
                for kind in ("machines", "sets", "skus"):
                    self.assertIn(("may not " if kind == denied else "may ") + RIGHTS[kind], said)
                self.assertNotIn("canary", said)
                if not denied:
                    self.assertEqual(done.returncode, 0, said)


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class WithTelemetry(AzureMachinesTest):
    def test_one_device_whoever_tells_it(self):
        """The node's provider id has the group in lower case, the list has it in upper case; each scale set has an instance 0."""
        since, group = "2026-11-20T02:00:00", "MC_prod_aks_eastus"
        self.server.sets = [scale_set("aks-gpu-vmss", run(since), group=group, tags=AKS), scale_set("aks-new-vmss", run(since), group=group, tags=AKS)]
        begin = int(datetime.datetime(2026, 11, 20, 8, tzinfo=datetime.timezone.utc).timestamp())
        provider = "azure://" + arm_id(group.lower(), "aks-gpu-vmss", "virtualMachineScaleSets") + "/virtualMachines"
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="gpuledgerazure"))
        prometheus = self.enterContext(promserver.Server(folder, "prometheus", [series("0", begin, 4, provider)], 60))
        program = self.program(sources=f"  - {{ name: prom, kind: prometheus, url: \"{prometheus}\", first_sync: 12h }}\n")
        _, text = self.sync(program)
        out = json.loads(program.healthy("summary", "--from", "2026-11-20T00:00:00Z", "--to", NOW, "--json", now=NOW).stdout)["total"]
        self.assertEqual(out["gpu_hours"]["paid"], 160, text)  # 10 h x 8 GPUs of two machines; the exporter saw 4 h of one
        self.assertAlmostEqual(out["gpu_hours"]["unobserved"], 128, delta=1)
        told, _ = self.sync(program)
        self.assertEqual(told["machines"], {"running": 2, "gpus": 16, "without_telemetry": 1})


class WithBill(AzureMachinesTest):
    def test_a_bill_gives_its_price_and_adds_up(self):
        size = "Standard_ND96isr_H100_v5"
        self.server.machines = [machine("Gpu-9", "2026-11-18T12:00:00", size, created="2026-11-18T12:00:00")]
        folder = pathlib.Path(self.folder, "bills")
        folder.mkdir()
        day = {"BillingPeriodStart": "2026-11-01T00:00:00Z", "BillingPeriodEnd": "2026-12-01T00:00:00Z", "ChargePeriodStart": "2026-11-19T00:00:00Z",
               "ChargePeriodEnd": "2026-11-20T00:00:00Z", "RegionId": "eastus", "ProviderName": "Microsoft", "SubAccountId": f"/subscriptions/{SUBSCRIPTION}"}
        bills.write_bill(folder / "november.csv", [
            bills.line(ResourceId=self.server.machines[0]["id"].lower(), ServiceName="Virtual Machines", BilledCost="100.000000001", EffectiveCost="100.000000001",
                       ConsumedQuantity="24", ConsumedUnit="Hours", SkuPriceDetails=json.dumps({"InstanceType": size, "GpuCount": 8}), **day),
            bills.line(ServiceCategory="Storage", ServiceName="Storage Accounts", BilledCost="7", EffectiveCost="7", **day)])
        program = self.program(sources=f"  - {{ name: bill, kind: focus, path: {folder} }}\n", rest=OF_CLUSTER.replace("cluster: cloud", "instance_type: " + size))
        for _ in range(2):  # whichever of the two comes first
            self.sync(program)
            out = self.hours(program, now="2026-11-20T00:00:00Z", since="2026-11-19T00:00:00Z")
            self.assertEqual(out, {"vision": (192, 192, "100.000000000")})  # at the rate of an hour
            ledger = json.loads(program.healthy("ledger", "--by", "team,state,match", "--from", "2026-11-19", "--to", "2026-11-20", "--json", now=NOW).stdout)
            rows = {(row["team"], row["state"], row["match"]): row["cost"]["amount"] for row in ledger["rows"]}
            self.assertEqual(rows[("vision", "unobserved", "resource-id")], "100.000000001", rows)
            self.assertEqual([(total["bill"]["amount"], total["ledger"]["amount"]) for total in ledger["currencies"]], [("107.000000001", "107.000000001")])


if __name__ == "__main__":
    unittest.main()
