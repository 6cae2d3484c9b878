# SPDX-License-Identifier: GPL-3.0-or-later
"""Which jobs wait for idle GPUs, from a real server: the output of `idle --waiting`, and its messages about missing metrics."""
import csv
import io
import json
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "faults"), str(HERE.parents[1] / "support")]

import fleets  # noqa: E402
import promserver  # noqa: E402
from product import Program, ProductTest  # noqa: E402

AT = "2025-03-30T14:55:00Z"
SINCE = fleets.BEGIN + 3600  # 13:00
LIST = {"at", "data", "cost", "known", "sources", "waiting", "blockers", "left_out"}
ITEM = {"id", "kind", "name", "owner", "cluster", "namespace", "workload", "queue", "count", "pods", "resource", "gpus", "since", "waited_hours",
        "served", "node", "idle", "blocker", "obstacles", "reason", "message", "unchecked", "rate_per_hour", "per_month", "lost", "figures"}
SUM = {"blocker", "waiting", "wanted_gpus", "idle_gpus", "per_month", "lost", "unpriced_gpus"}


def rooms(cpu=16):
    series = []
    for node in fleets.NODES:
        for resource, value in (("nvidia_com_gpu", 2), ("cpu", cpu), ("memory", 1 << 38)):
            series.append(("kube_node_status_allocatable", {"node": node, "resource": resource}, value))
    return series


def waits(name, gpus, cpu=4, team="vision", node="", tolerates=True):
    """A pod that has no node."""
    who = {"namespace": "ml-" + team, "pod": name, "uid": "uid-" + name}
    series = [("kube_pod_status_phase", {**who, "phase": "Pending"}, 1), ("kube_pod_status_phase", {**who, "phase": "Running"}, 0),
              ("kube_pod_created", who, SINCE), ("kube_pod_labels", {**who, "label_team": team}, 1),
              ("kube_pod_owner", {**who, "owner_kind": "Job", "owner_name": name, "owner_is_controller": "true"}, 1)]
    for resource, value in (("nvidia_com_gpu", gpus), ("cpu", cpu), ("memory", 1 << 30)):
        series.append(("kube_pod_container_resource_requests", {**who, "container": "main", "resource": resource, "node": node}, value))
    if tolerates:
        series.append(("kube_pod_tolerations", {**who, "key": "nvidia.com/gpu", "operator": "Exists"}, 1))
    return series


class Waiting(ProductTest):
    def over(self, series, backend="prometheus"):
        """The program with a server that has these series, synced."""
        folder = tempfile.mkdtemp(dir=self.folder)
        server = promserver.Server(folder, backend, [fleets.text(series)], fleets.STEP)
        url = server.start()
        self.addCleanup(server.stop)
        program = Program(folder, f"version: 1\ntime_zone: UTC\nsources:\n  - {{ name: prod, kind: prometheus, url: \"{url}\", "
                                  f"first_sync: {fleets.HOURS}h }}\nidle: {{ grace: {{ inference: 1h }} }}\n")
        program.healthy("sync", now=fleets.NOW)
        return program

    def figures(self, program, told, idle):
        """The rate of a part that is a whole idle workload is that of the idle list, and is proved."""
        rates = {item["id"]: item for item in idle["items"]}
        found = 0
        for part in (part for item in told["waiting"] for part in item["idle"]):
            same = rates.get(part["id"])
            for name, figure in part["figures"].items():
                self.assertEqual((name, figure, part[name]), ("rate_per_hour", same["figures"][name], same[name]))
                proof = json.loads(program.healthy("explain", figure, "--json", now=fleets.NOW).stdout)
                self.assertEqual((proof["agrees"], proof["value"], proof["recomputed"]), (True, part[name], part[name]))
                found += 1
        notebook = next(part for item in told["waiting"] for part in item["idle"] if part["name"] == "notebook")
        self.assertEqual(found > 0, notebook["rate_per_hour"] is not None)

    def told(self, program, *more):
        return json.loads(program.healthy("idle", "--waiting", "--at", AT, "--json", *more, now=fleets.NOW).stdout)

    def check(self, backend):
        # One GPU of node-b is free, the idle notebook holds the other one; node-a is busy.
        taint = [("kube_node_spec_taint", {"node": "node-b", "key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}, 1)]
        queue = [("kueue_pending_workloads", {"cluster_queue": "batch", "status": "active"}, 4),
                 ("kueue_cluster_queue_nominal_quota", {"cluster_queue": "batch", "flavor": "a", "resource": "nvidia.com/gpu"}, 2),
                 ("kueue_cluster_queue_resource_usage", {"cluster_queue": "batch", "flavor": "a", "resource": "nvidia.com/gpu"}, 2)]
        series = fleets.dcgm() + fleets.kube() + rooms() + taint + queue + waits("pair", 2) + waits("vast", 9, team="speech")
        program = self.over(series, backend)
        told = self.told(program)
        self.assertEqual(set(told), LIST)
        self.assertTrue(told["known"])
        self.assertEqual(told["sources"], [{"name": "prod", "known": True, "reason": None, "missing": ["kube_pod_nodeselectors"],
                                            "clusters": ["prod"]}])
        items = {item["name"]: item for item in told["waiting"]}
        self.assertEqual(set(items), {"pair", "vast", "batch"})
        for item in told["waiting"]:
            self.assertEqual(set(item), ITEM)
        pair = items["pair"]
        self.assertTrue(pair["served"])
        self.assertEqual((pair["node"], pair["owner"], pair["workload"], pair["blocker"]), ("node-b", "vision", "Job/pair", "held-by-idle"))
        self.assertEqual([part["name"] for part in pair["idle"]], [None, "notebook"])
        self.assertEqual(pair["unchecked"], ["selector"])
        self.assertAlmostEqual(pair["waited_hours"], 1 + 55 / 60, 6)
        self.assertIn("stopping notebook on node node-b", pair["reason"])
        self.assertEqual(items["vast"]["blocker"], "no-idle-gpu")
        self.assertEqual((items["batch"]["kind"], items["batch"]["count"], items["batch"]["blocker"]), ("queue", 4, "quota"))
        for total in told["blockers"]:
            self.assertEqual(set(total), SUM)
        self.assertEqual({total["blocker"]: total["waiting"] for total in told["blockers"]}, {"held-by-idle": 1, "quota": 4, "no-idle-gpu": 1})
        # The workloads to be stopped are in the idle list under the same ids.
        idle = json.loads(program.healthy("idle", "--at", AT, "--json", now=fleets.NOW).stdout)
        self.assertIn(pair["idle"][1]["id"], [item["id"] for item in idle["items"]])
        self.figures(program, told, idle)
        return program

    @unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
    def test_prometheus(self):
        program = self.check("prometheus")
        told = self.told(program, "--team", "speech")
        self.assertEqual([item["name"] for item in told["waiting"]], ["vast"])
        rows = list(csv.DictReader(io.StringIO(program.healthy("idle", "--waiting", "--at", AT, "--csv", now=fleets.NOW).stdout.decode())))
        self.assertEqual({row["name"]: row["blocker"] for row in rows}, {"pair": "held-by-idle", "vast": "no-idle-gpu", "batch": "quota"})
        text = program.healthy("idle", "--waiting", "--at", AT, now=fleets.NOW).stdout.decode()
        self.assertIn("stopping notebook on node node-b makes room for it", text)
        self.assertIn("note: prod would report more with kube_pod_nodeselectors", text)

    @unittest.skipUnless(promserver.available("victoriametrics"), "victoriametrics is not installed")
    def test_victoriametrics(self):
        self.check("victoriametrics")

    @unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
    def test_what_blocks(self):
        series = fleets.dcgm() + fleets.kube() + rooms(cpu=8) + waits("hungry", 1, cpu=32)
        (item,) = self.told(self.over(series))["waiting"]
        self.assertEqual((item["served"], item["blocker"], item["obstacles"]), (False, "no-cpu", ["no-cpu"]))
        taint = [("kube_node_spec_taint", {"node": "node-b", "key": "team", "value": "x", "effect": "NoSchedule"}, 1)]
        (item,) = self.told(self.over(fleets.dcgm() + fleets.kube() + rooms() + taint + waits("kept-away", 1)))["waiting"]
        self.assertEqual(item["blocker"], "taint")

    @unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
    def test_nobody_waits(self):
        program = self.over(fleets.dcgm() + fleets.kube() + rooms())
        told = self.told(program)
        self.assertTrue(told["known"])
        self.assertEqual((told["waiting"], told["blockers"]), ([], []))
        self.assertIn("no jobs are waiting\n", program.healthy("idle", "--waiting", "--at", AT, now=fleets.NOW).stdout.decode())

    @unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
    def test_unknown_is_not_none(self):
        program = self.over(fleets.dcgm() + fleets.kube() + waits("pair", 2))  # without the capacity of nodes
        told = self.told(program)
        self.assertFalse(told["known"])
        self.assertEqual((told["waiting"], told["blockers"]), (None, None))
        text = program.healthy("idle", "--waiting", "--at", AT, now=fleets.NOW).stdout.decode()
        self.assertIn("waiting jobs are not known\n", text)
        self.assertIn("prod can't report waiting jobs: it lacks kube_node_status_allocatable", text)


if __name__ == "__main__":
    unittest.main()
