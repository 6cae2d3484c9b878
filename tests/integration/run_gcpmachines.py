#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Machines of Google Cloud from its list to the figures: runs, GPUs that are built in or attached, clusters, faults."""
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

from computeengine import PROJECT, TOKEN, ComputeEngine, fault, instance  # noqa: E402
from product import Program, ProductTest, configuration  # noqa: E402

NOW, LATER = "2026-11-20T12:00:00Z", "2026-11-20T13:00:00Z"
FAILED = 4
NOT_MEASURED = ", usage: none"  # so that the list goes on to this moment


class ComputeMachines(ProductTest):
    def setUp(self):
        super().setUp()
        self.server = ComputeEngine()
        self.addCleanup(self.server.close)

    def program(self, more=""):
        program = Program(self.folder, configuration(
            f"  - {{ name: cloud, kind: gcp, url: \"{self.server.url()}\", project: {PROJECT}, first_sync: 60d, auth: {{ type: bearer, token: env:GCP_TOKEN }}{more} }}\n")
            + "prices:\n  overrides:\n    - { cluster: cloud, per_gpu_hour: 1 }\n")
        program.environment.update(GCP_TOKEN=TOKEN)
        return program

    def sync(self, program, now=NOW, status=0):
        done = program.run("sync", "--json", now=now)
        self.assertEqual(done.returncode, status, done.text)
        self.assertNotIn("canary", done.text + done.stdout.decode())
        return next(one for one in json.loads(done.stdout)["sources"] if one["name"] == "cloud"), done.text

    def hours(self, program, by="team", now=NOW):
        out = json.loads(program.healthy("summary", "--by", by, "--from", "2026-11-20T00:00:00Z", "--to", now, "--json", now=now).stdout)
        return {row["key"]: (row["gpu_hours"]["paid"], row["gpu_hours"]["unobserved"], row["cost"]["total"]["amount"]) for row in out["rows"]}

    def test_machines_are_unknown_and_cost(self):
        self.server.instances = [
            instance("big", "2026-11-20T03:00:00.000-07:00"),  # 10:00 UTC
            instance("t4", "2026-11-20T11:00:00Z", kind="n1-standard-8", zone="us-east1-c", gpus=[("nvidia-tesla-t4-vws", 2)], labels={"team": "nlp"}),
            instance("plain", "2026-11-20T11:00:00Z", kind="e2-standard-8"),
            instance("tpu", "2026-11-20T11:00:00Z", kind="ct5lp-hightpu-4t", gpus=[("ct5lp", 4)]),
            instance("member", "2026-11-20T11:00:00Z", kind="g2-standard-4", labels={"goog-gke-node": "", "team": "vision"})]
        program = self.program(NOT_MEASURED)
        told, text = self.sync(program)
        self.assertEqual((told["accepted"], told["rejected"], told["machines"]), (3, 0, {"running": 3, "gpus": 11, "without_telemetry": 3}), text)
        self.assertEqual(self.hours(program), {"vision": (16, 16, "16.000000000"), "nlp": (2, 2, "2.000000000"), "shared": (1, 1, "1.000000000")})
        self.assertEqual(set(self.hours(program, "gpu-model")), {"H100 SXM", "T4", "L4"})
        out = json.loads(program.healthy("idle", "--json", now=NOW).stdout)
        self.assertEqual((out["items"], sorted(one["name"] for one in out["unknown"])), ([], ["us-central1-a/big", "us-east1-c/t4"]))
        program.verify(now=NOW)

    def test_stops_and_suspensions_end_a_run(self):
        at = "2026-11-20T10:00:00Z"
        self.server.instances = [
            instance("a", at, "TERMINATED", lastStopTimestamp="2026-11-20T11:00:00Z"), instance("b", at, "SUSPENDED", lastSuspendedTimestamp="2026-11-20T10:30:00Z"),
            instance("c", at, "TERMINATED", lastStopTimestamp="2026-11-19T11:00:00Z"), instance("d", at, "STAGING"), instance("e", at, "STOPPING")]
        program = self.program()
        told, _ = self.sync(program)
        self.assertEqual(told["machines"], {"running": 0, "gpus": 0, "without_telemetry": 0})
        self.assertEqual(self.hours(program), {"vision": (12, 12, "12.000000000")})

    def test_a_zone_that_is_down_holds_up_nobody(self):
        self.server.instances, self.server.down = [instance("a", "2026-11-20T11:00:00Z")], [f"projects/{PROJECT}/zones/us-west1-b"]
        told, text = self.sync(self.program())
        self.assertEqual((told["accepted"], told["reasons"]), (1, [{"reason": "zone that did not answer", "count": 1}]), text)

    def test_a_missing_right_is_named(self):
        program = self.program()
        self.server.faults = [fault(403, "forbidden", "Required 'compute.instances.list' permission")] * 2
        done = program.run("sources", "test", "cloud", now=NOW)
        self.assertIn("may not compute.instances.list: machines without telemetry are not seen", done.text + done.stdout.decode())
        self.assertIn("not usable: nothing can be stopped with these rights", done.stdout.decode())
        self.server.faults = [fault(403, "forbidden")]
        told, text = self.sync(program)
        self.assertIn("its machines are left out", told["warnings"][0], text)
        done = program.run("sources", "test", "cloud", now=NOW)
        self.assertIn("may compute.instances.list", done.stdout.decode())

    def test_failures_keep_what_is_stored(self):
        self.server.instances = [instance(f"m{n}", "2026-11-20T11:00:00Z") for n in range(5)]
        program = self.program(NOT_MEASURED)
        self.sync(program)
        self.assertEqual([one.get("pageToken") for one in self.server.asked], [None, "2", "2e", "4"])
        good = self.server.listed({})[1]
        for answer, code in (((200, good[:-9], {}), "parse"), ((200, b"[]", {}), "parse"), ((200, b'{"items": []}', {}), "parse"),
                             ((200, good.replace(b'"name": "m1", ', b""), {}), "parse"), (fault(404, "notFound"), "not-found")):
            self.server.faults = [answer]
            told, text = self.sync(program, LATER, FAILED)
            self.assertEqual(told["error"]["code"], code, text)
            self.assertEqual(self.hours(program, now=LATER), {"vision": (40, 40, "40.000000000")})
        self.server.faults = [fault(403, "rateLimitExceeded", headers={"Retry-After": "1"}), fault(503, "backendError")]
        told, text = self.sync(program, LATER)
        self.assertEqual(told["machines"]["running"], 5, text)
        self.server.is_endless = True
        self.assertEqual(self.sync(program, LATER, FAILED)[0]["error"]["code"], "parse")
        program.verify(now=LATER)


if __name__ == "__main__":
    unittest.main()
