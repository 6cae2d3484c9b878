# SPDX-License-Identifier: GPL-3.0-or-later
"""What is stopped only if the user names it: workloads that Argo CD, Flux, an HPA or KEDA manages, and a bare pod. Over an API server and a
real Prometheus, in real time: refused with --yes, with every wrong name, and by a mark; stopped with the right one."""
import json
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "faults"), str(HERE.parents[1] / "support")]

import kubefleet  # noqa: E402
import promserver  # noqa: E402
from kubefleet import Pod  # noqa: E402
from product import Program, ProductTest  # noqa: E402

REFUSED = 5
APPS, ONE = "apps/v1", {"replicas": 1}
PROTECT = {"gpu-ledger.io/protect": "true"}
# Each pod, and the name of the controller that manages its Deployment.
MANAGED = {"argo-a": "argo-cd:web", "flux-a": "flux:apps", "hpa-a": "hpa:scaler", "keda-a": "keda:elastic"}


class LiveProgram(Program):
    def command(self, *arguments, now=None):
        return [part for part in super().command(*arguments, now="") if part not in ("--now", "")]


def scaled(version, kind, name, of):
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": "ml"},
            "spec": {"minReplicas": 1, "maxReplicas": 4, "scaleTargetRef": {"apiVersion": APPS, "kind": "Deployment", "name": of}}}


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class Guards(ProductTest):
    def setUp(self):
        super().setUp()
        outside = self.enterContext(tempfile.TemporaryDirectory(prefix="gpuledgerkube"))
        pods = [Pod("argo-a", (APPS, "Deployment", "argo"), spec=ONE, annotations={"argocd.argoproj.io/tracking-id": "web:apps/Deployment:ml/argo"}),
                Pod("flux-a", (APPS, "Deployment", "flux"), spec=ONE, labels={"kustomize.toolkit.fluxcd.io/name": "apps"}),
                Pod("hpa-a", (APPS, "Deployment", "hpa"), spec=ONE), Pod("keda-a", (APPS, "Deployment", "keda"), spec=ONE),
                Pod("kept-a", (APPS, "Deployment", "kept"), spec=ONE, annotations=PROTECT), Pod("bare")]
        self.cluster = self.enterContext(kubefleet.Cluster(outside, pods))
        self.cluster.api.steer("put", scaled("autoscaling/v2", "HorizontalPodAutoscaler", "scaler", "hpa"))
        self.cluster.api.steer("put", scaled("keda.sh/v1alpha1", "ScaledObject", "elastic", "keda"))
        self.program = LiveProgram(self.folder, self.cluster.configuration())
        self.program.healthy("sync")
        self.cluster.api.requests()

    def permit(self, actions):
        self.program.configure(self.cluster.configuration("actions: { max_team_share: 1, %s }\n" % actions))

    def writes(self):
        """Every request to the API server except reads, dry runs and access reviews."""
        return [(r["method"], r["path"]) for r in self.cluster.api.requests()
                if r["method"] != "GET" and "dryRun=All" not in r["path"] and "selfsubjectaccessreviews" not in r["path"]
                and "dryRun" not in r["body"]]

    def act(self, *arguments, status=0):
        done = self.program.run("act", *arguments, "--json")
        self.assertEqual(done.returncode, status, f"{arguments}: {done.text}{done.stdout.decode()}")
        return json.loads(done.stdout)["actions"] if done.stdout else done.text

    def failed(self, planned):
        (check,) = [one for one in planned["checks"] if one["passed"] is False]
        return check

    def replicas(self, name):
        return self.cluster.object("apps", "deployments", name)["spec"]["replicas"]

    def test_what_others_manage_must_be_named(self):
        self.permit("stop_marked: true")
        for pod, manager in MANAGED.items():
            (planned,) = self.act("plan", pod, status=REFUSED)
            self.assertEqual(planned["managers"], [manager])
            check = self.failed(planned)
            self.assertEqual((check["name"], check["reason"]), ("stoppable", "managed"), check)
            self.assertIn(manager, check["detail"])
            kind, name = manager.split(":")
            for wrong in ((), ("--despite", kind), ("--despite", name), ("--despite", manager + "2"), ("--despite", "argo-cd:other"),
                          ("--type-name", manager)):
                self.act("stop", pod, "--yes", "--count", "1", *wrong, status=REFUSED)
            done = self.program.run("act", "mark", pod, "--after", "24h", "--json")
            self.assertEqual((done.returncode, json.loads(done.stdout)["marks"]), (REFUSED, []), done.text)
        self.assertEqual(self.writes(), [])
        names = [part for manager in MANAGED.values() for part in ("--despite", manager)]
        stopped = self.act("stop", *MANAGED, "--yes", "--count", "4", *names)
        self.assertEqual([one["state"] for one in stopped], ["verified"] * 4, stopped)
        self.assertEqual([self.replicas(name) for name in ("argo", "flux", "hpa")], [0, 0, 0])
        scaler = self.cluster.object("keda.sh", "scaledobjects", "elastic")
        self.assertEqual(scaler["metadata"]["annotations"]["autoscaling.keda.sh/paused-replicas"], "0")

    def test_a_bare_pod_needs_permission_and_its_name(self):
        name = ("--type-name", "ml/bare")
        for permits in (None, "irreversible: never"):
            if permits:
                self.permit(permits)
            (planned,) = self.act("stop", "bare", "--yes", "--count", "1", *name, status=REFUSED)
            self.assertEqual(self.failed(planned)["reason"], "irreversible")
            self.assertIn("irreversible: typed_name", self.failed(planned)["detail"])
        self.permit("irreversible: typed_name, stop_marked: true")
        for wrong in ((), ("--type-name", "bare"), ("--type-name", "ml/bar"), ("--type-name", "Pod ml/bare"), ("--despite", "ml/bare")):
            done = self.program.run("act", "stop", "bare", "--yes", "--count", "1", *wrong)
            self.assertEqual(done.returncode, REFUSED, done.text)
            self.assertIn("--type-name ml/bare", done.text)
        self.assertEqual(self.program.run("act", "mark", "bare", "--after", "24h").returncode, REFUSED)
        self.assertEqual(self.writes(), [])
        self.assertTrue(self.cluster.object("", "pods", "bare"))
        (stopped,) = self.act("stop", "bare", "--yes", "--count", "1", *name)
        self.assertEqual(stopped["state"], "verified")
        self.assertFalse(self.cluster.object("", "pods", "bare"))

    def test_an_annotation_is_called_one(self):
        (planned,) = self.act("plan", "kept-a", status=REFUSED)
        check = self.failed(planned)
        self.assertEqual((check["reason"], check["detail"]), ("annotation", "protected by an annotation of Deployment ml/kept"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
