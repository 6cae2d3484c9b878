# SPDX-License-Identifier: GPL-3.0-or-later
"""Which jobs wait for idle GPUs, from a cluster's API server and a real Prometheus at once: `idle --waiting` lists each job once, names its
source, and says what neither of them may read. In real time, because an API server only knows the present."""
import json
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "faults"), str(HERE.parents[1] / "support")]

import kubefleet  # noqa: E402
import promserver  # noqa: E402
from product import Program, ProductTest  # noqa: E402

NODE, APPS, KUEUE = "gpu-node-0", "apps/v1", "kueue.x-k8s.io/v1beta1"
SERIES = kubefleet.series


class LiveProgram(Program):
    def command(self, *arguments, now=None):
        return [part for part in super().command(*arguments, now="") if part not in ("--now", "")]


def metrics(pods):
    """What kube-state-metrics and Kueue report in addition to the holders: a job that the API has too, one that it does not have, and a
    queue."""
    yield from SERIES(pods)
    scrape = {"job": "kube-state-metrics", "instance": "10.0.0.9:8080"}
    for resource, value in (("nvidia_com_gpu", 8), ("cpu", 64), ("memory", 1 << 38)):
        yield "kube_node_status_allocatable", {**scrape, "node": NODE, "resource": resource}, value
    for name in ("both", "of-metrics"):
        who = {**scrape, "namespace": "ml", "pod": name, "uid": "uid-" + name}
        yield "kube_pod_status_phase", {**who, "phase": "Pending"}, 1
        yield "kube_pod_created", who, 1_790_000_000
        yield "kube_pod_container_resource_requests", {**who, "container": "main", "resource": "nvidia_com_gpu", "node": ""}, 7
    yield "kueue_pending_workloads", {"cluster_queue": "research", "status": "active"}, 2


def wants(gpus, cpu="4"):
    return {"containers": [{"name": "main", "image": "registry.example.org/train:1",
                            "resources": {"requests": {"nvidia.com/gpu": str(gpus), "cpu": cpu, "memory": "8Gi"}}}]}


def waiting(name, gpus, **more):
    return {"apiVersion": "v1", "kind": "Pod", "spec": {**wants(gpus), **more}, "status": {"phase": "Pending"},
            "metadata": {"name": name, "namespace": "ml", "uid": "uid-" + name, "labels": {"team": "vision"}}}


def workload(name, count, gpus, message):
    return {"apiVersion": KUEUE, "kind": "Workload", "metadata": {"name": name, "namespace": "ml", "uid": "uid-" + name},
            "spec": {"queueName": "team-a", "podSets": [{"name": "main", "count": count, "template": {"spec": wants(gpus)}}]},
            "status": {"conditions": [{"type": "QuotaReserved", "status": "False", "reason": "Pending", "message": message}]}}


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class WaitingApi(ProductTest):
    def setUp(self):
        super().setUp()
        kubefleet.series = metrics
        self.addCleanup(setattr, kubefleet, "series", SERIES)
        outside = self.enterContext(tempfile.TemporaryDirectory(prefix="gpuledgerkube"))
        pods = [kubefleet.Pod("serve-a", (APPS, "Deployment", "serve"), spec={"replicas": 1}), kubefleet.Pod("works-a", busy=90)]
        self.cluster = self.enterContext(kubefleet.Cluster(outside, pods))
        self.api = self.cluster.api
        self.api.steer("put", {"apiVersion": "v1", "kind": "Node", "metadata": {"name": NODE}, "spec": {},
                               "status": {"allocatable": {"nvidia.com/gpu": "8", "cpu": "64", "memory": "256Gi"}}})
        for thing in (waiting("both", 7), workload("gang", 2, 4, "insufficient unused quota for nvidia.com/gpu in flavor a, 4 more needed"),
                      {"apiVersion": KUEUE, "kind": "LocalQueue", "metadata": {"name": "team-a", "namespace": "ml"},
                       "spec": {"clusterQueue": "research"}}):
            self.api.steer("put", thing)
        self.program = LiveProgram(self.folder, self.cluster.configuration())
        self.program.healthy("sync")
        self.api.requests()

    def told(self, *more):
        return json.loads(self.program.healthy("idle", "--waiting", "--json", *more).stdout)

    def test_each_job_once(self):
        told = self.told()
        self.assertTrue(told["known"])
        self.assertEqual({one["name"]: (one["known"], one["clusters"]) for one in told["sources"]},
                         {"prom": (True, []), "kube": (True, ["prod"])})
        items = {item["name"]: item for item in told["waiting"]}
        self.assertEqual(sorted(item["name"] for item in told["waiting"]), ["both", "gang"])
        both, gang = items["both"], items["gang"]
        self.assertEqual((both["kind"], both["owner"], both["gpus"], both["pods"]), ("pod", "vision", 7, 1))
        self.assertTrue(both["served"])
        self.assertEqual((both["node"], [part["name"] for part in both["idle"] if part["id"]]), (NODE, ["serve-a"]))
        self.assertEqual(both["unchecked"], [])
        self.assertEqual((gang["kind"], gang["queue"], gang["gpus"], gang["pods"], gang["blocker"]), ("workload", "research", 8, 2, "quota"))
        self.assertIn("insufficient unused quota", gang["message"])
        self.assertIn("queue research has no quota left", gang["reason"])
        self.assertEqual({one["method"] for one in self.api.requests()}, {"GET"})
        text = self.program.healthy("idle", "--waiting").stdout.decode()
        self.assertIn("stopping serve-a on node gpu-node-0 makes room for it", text)
        self.assertIn("Workload/gang", text)
        # The workloads to be stopped are in the idle list under the same ids.
        idle = json.loads(self.program.healthy("idle", "--json").stdout)
        self.assertIn(next(part["id"] for part in both["idle"] if part["id"]), [item["id"] for item in idle["items"]])

    def test_missing_rights(self):
        self.api.flags(denied=["list pods", "list workloads.kueue.x-k8s.io"])
        told = self.told()
        (kube,) = [one for one in told["sources"] if one["name"] == "kube"]
        self.assertEqual((kube["known"], kube["missing"]), (False, ["list pods", "list workloads.kueue.x-k8s.io"]))
        self.assertEqual(sorted(item["name"] for item in told["waiting"]), ["both", "of-metrics", "research"])
        text = self.program.healthy("idle", "--waiting").stdout.decode()
        self.assertIn("kube can't report waiting jobs: it lacks list pods, list workloads.kueue.x-k8s.io", text)

    def test_the_past_is_told_by_metrics(self):
        told = self.told("--at", "-1h")
        (kube,) = [one for one in told["sources"] if one["name"] == "kube"]
        self.assertEqual((kube["known"], kube["reason"]), (False, "only the current time is supported"))
        self.assertEqual(sorted(item["name"] for item in told["waiting"]), ["both", "of-metrics", "research"])
        self.assertEqual(self.api.requests(), [])

    def test_without_metrics_of_what_waits(self):
        kubefleet.series = SERIES
        with tempfile.TemporaryDirectory(prefix="gpuledgerkube") as outside:
            with kubefleet.Cluster(outside, [kubefleet.Pod("serve-a", (APPS, "Deployment", "serve"), spec={"replicas": 1})]) as cluster:
                cluster.api.steer("put", {"apiVersion": "v1", "kind": "Node", "metadata": {"name": NODE}, "spec": {},
                                          "status": {"allocatable": {"nvidia.com/gpu": "1", "cpu": "64", "memory": "256Gi"}}})
                cluster.api.steer("put", waiting("one", 1))
                folder = tempfile.mkdtemp(dir=self.folder)
                program = LiveProgram(folder, cluster.configuration())
                program.healthy("sync")
                told = json.loads(program.healthy("idle", "--waiting", "--json").stdout)
        self.assertTrue(told["known"])
        self.assertEqual([(item["name"], item["blocker"]) for item in told["waiting"]], [("one", "held-by-idle")])
        (prom,) = [one for one in told["sources"] if one["name"] == "prom"]
        self.assertFalse(prom["known"])


if __name__ == "__main__":
    unittest.main()
