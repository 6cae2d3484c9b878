#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Machines and prices of Nebius from a real gRPC server to the figures: states, sizes, pages, logins, faults, TLS. Without grpcio it is skipped (77)."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support"), HERE]

from nebiuscloud import (CODE, ESTIMATE, EXCHANGE, LIST, PLATFORMS, PROJECT, PROJECTS, REGION, TOKEN, Fault, Lost, NebiusCloud, instance, made, platform,  # noqa: E402
                         priced)
from product import Program, ProductTest, configuration  # noqa: E402

FIRST, NOW, LATER = "2026-11-20T10:00:00Z", "2026-11-20T12:00:00Z", "2026-11-20T13:00:00Z"
FAILED = 4
H100, B300 = ("gpu-h100-sxm", "8gpu-128vcpu-1600gb"), ("gpu-b300-sxm", "1gpu-24vcpu-346gb")
PLATFORM_LIST = [platform("gpu-h100-sxm", ("1gpu-16vcpu-200gb", 1), (H100[1], 8)), platform("cpu-d3", ("4vcpu-16gb", 0), preemptible=False),
                 platform("gpu-l40s-a", ("1gpu-8vcpu-32gb", 1), preemptible=False), platform("gpu-x900", ("2gpu-1vcpu-1gb", 2))]


def vm(number, **more):
    return instance(f"computeinstance-e00a{number:02}", **more)


class NebiusTest(ProductTest):
    def setUp(self):
        super().setUp()
        self.server = self.serve()

    def serve(self, certificate=None):
        server = NebiusCloud(certificate)
        self.addCleanup(server.close)
        server.platforms = PLATFORM_LIST
        server.prices = {(*H100, False): "30.8000000000", (*H100, True): "17.2", ("gpu-l40s-a", "1gpu-8vcpu-32gb", False): "1.5484"}
        return server

    def program(self, more="", url=None, token="env:NEBIUS_TOKEN"):
        program = Program(self.folder, configuration(
            f"  - {{ name: cloud, kind: nebius, url: \"{url or self.server.url()}\", project: {PROJECT}, first_sync: 60d, "
            f"auth: {{ type: bearer, token: \"{token}\" }}{more} }}\n"))
        program.environment.update(NEBIUS_TOKEN=TOKEN)
        self.addCleanup(self.check_left_behind, program)
        return program

    def check_left_behind(self, program):
        """No file that was written has a secret in it."""
        for path in pathlib.Path(program.data).rglob("*"):
            if path.is_file():
                self.assertNotIn(b"canary", path.read_bytes(), path)
                self.assertNotIn(b"PRIVATE KEY", path.read_bytes(), path)

    def sync(self, program, now=NOW, status=0, *arguments):
        """The report of the source; all of them; the text."""
        done = program.run("sync", "--json", *arguments, now=now)
        self.assertEqual(done.returncode, status, done.text + done.stdout.decode())
        self.assertNotIn("canary", done.text + done.stdout.decode())
        reports = {one["name"]: one for one in json.loads(done.stdout)["sources"]}
        return reports.get("cloud"), reports, done.text

    def told_by_test(self, program):
        done = program.run("sources", "test", "cloud", now=NOW)
        self.assertNotIn("canary", done.text + done.stdout.decode())
        return done.text + done.stdout.decode()

    def hours(self, program, by="team", now=NOW):
        out = json.loads(program.healthy("summary", "--by", by, "--from", "2026-11-20T00:00:00Z", "--to", now, "--json", now=now).stdout)
        return {row["key"]: (row["gpu_hours"]["paid"], row["gpu_hours"]["unobserved"], row["cost"]["total"] and float(row["cost"]["total"]["amount"]))
                for row in out["rows"]}

    def assertHours(self, got, want):
        """Each with five minutes before the first look."""
        self.assertEqual(sorted(got), sorted(want))
        for key, (hours, cost) in want.items():
            self.assertAlmostEqual(got[key][0], hours, 5, key)
            self.assertAlmostEqual(got[key][1], hours, 5, key)
            if cost is not None:
                self.assertAlmostEqual(got[key][2], cost, 4, key)

    def key_file(self, **more):
        path = os.path.join(self.folder, "credentials.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.server.credentials(**more))
        os.chmod(path, 0o600)
        return "file:" + path


class Machines(NebiusTest):
    def test_machines_are_unknown_and_cost_what_the_calculator_says(self):
        self.server.instances = [
            vm(1), vm(2, labels={"team": "nlp"}, spec={"preemptible": {"on_preemption": 1}}), vm(3, platform="cpu-d3", preset="4vcpu-16gb"),
            vm(4, platform="gpu-x900", preset="2gpu-1vcpu-1gb", labels={"team": "x"}), vm(5, labels={"mk8s-cluster-id": "mk8scluster-e00c", "team": "vision"}),
            vm(6, project="project-e00other")]
        program = self.program()
        self.sync(program, FIRST)
        told, _, text = self.sync(program)
        self.assertEqual((told["accepted"], told["rejected"], told["machines"]), (4, 0, {"running": 4, "gpus": 26, "without_telemetry": 4}), text)
        hours = 2 + 5 / 60
        self.assertHours(self.hours(program), {"vision": (8 * hours, 30.8 * hours), "nlp": (8 * hours, 17.2 * hours), "x": (2 * hours, None),
                                               "shared": (8 * hours, 30.8 * hours)})
        self.assertEqual(set(self.hours(program, "gpu-model")), {"H100 SXM", "x900"})
        out = json.loads(program.healthy("idle", "--json", now=NOW).stdout)
        self.assertEqual((out["items"], sorted(one["name"] for one in out["unknown"])), ([], [f"computeinstance-e00a{n:02}" for n in (1, 2, 4)]))
        program.verify(now=NOW)

    def test_only_what_is_on_is_listed(self):
        states = ("RUNNING", "STOPPING", "UPDATING", "CREATING", "STARTING", "STOPPED", "DELETING", "ERROR", "UNSPECIFIED")
        self.server.instances = [vm(n, state=state) for n, state in enumerate(states)] + [vm(20, state="UPDATING", spec={"stopped": True}),
                                                                                         vm(21, platform="gpu-unheard", preset="1gpu")]
        told, _, text = self.sync(self.program())
        self.assertEqual(told["machines"]["running"], 3, text)
        self.assertEqual({one["reason"]: one["count"] for one in told["reasons"]}, {"machine in an unknown state": 2, "machine of an unknown size": 1})

    def test_pages_are_turned_to_the_end(self):
        self.server.instances = [vm(n) for n in range(5)]
        told, _, text = self.sync(self.program())
        self.assertEqual(told["machines"]["running"], 5, text)
        self.assertEqual([message.page_token for method, message in self.server.asked if method == LIST], ["", "2", "2e", "4"])
        self.assertEqual({message.parent_id for method, message in self.server.asked if method == LIST}, {PROJECT})
        self.assertEqual([message.page_token for method, message in self.server.asked if method == PLATFORMS], ["", "2", "2e"])  # for the prices alone

    def test_only_prices_are_asked_for_without_machines(self):
        self.server.instances = [vm(1)]
        self.sync(self.program(", machines: none"))
        self.assertNotIn(LIST, [method for method, _ in self.server.asked])

    def test_a_missing_right_is_named(self):
        self.server.instances = [vm(1), vm(2, platform=B300[0], preset="1gpu-of-another-size")]
        program = self.program()
        self.server.closed = {LIST}
        text = self.told_by_test(program)
        self.assertIn("may not InstanceService.List: machines without telemetry are not seen", text)
        self.assertIn("not usable: nothing can be stopped with these rights", text)
        told, _, text = self.sync(program)
        self.assertIn("its machines are left out", told["warnings"][0], text)
        self.server.closed = {PLATFORMS}
        text = self.told_by_test(program)
        self.assertIn("may InstanceService.List", text)
        self.assertIn("may not PlatformService.List", text)
        self.assertIn("its machines are left out", self.sync(program)[0]["warnings"][0])
        self.server.closed = {PROJECTS, ESTIMATE}  # nobody knows the region and the prices then
        told, _, text = self.sync(program)
        self.assertEqual((told["error"], told["machines"]["running"]), (None, 1), text)
        self.assertIn("may not CalculatorService.EstimateBatch: prices (on-demand, spot) are not compared", self.told_by_test(program))

    def test_failures_keep_what_is_stored(self):
        self.server.instances = [vm(n) for n in range(3)]
        program = self.program()
        self.sync(program, FIRST)
        self.sync(program)
        before = self.hours(program)
        good = made("ListInstancesResponse", items=self.server.instances[:1]).SerializeToString()
        for answer, code in ((b"\xff\xff\xff", "parse"), (good[:-3], "parse"), (made("ListInstancesResponse", items=[{}]), "parse"), (Fault(CODE.NOT_FOUND), "not-found"),
                             (Fault(CODE.INVALID_ARGUMENT), "server"), (Fault(CODE.UNIMPLEMENTED, late=True), "unsupported")):
            with self.subTest(code=code, answer=answer):
                self.server.instead(LIST, answer)
                told, _, text = self.sync(program, LATER, FAILED)
                self.assertEqual(told["error"]["code"], code, text)
                self.assertHours(self.hours(program), {key: (paid, cost) for key, (paid, _, cost) in before.items()})
        self.server.instead(LIST, Fault(CODE.RESOURCE_EXHAUSTED), Fault(CODE.UNAVAILABLE, late=True), Lost())
        told, _, text = self.sync(program, LATER)
        self.assertEqual((told["error"], told["machines"]["running"]), (None, 3), text)
        self.server.is_endless = True
        self.assertEqual(self.sync(program, LATER, FAILED)[0]["error"]["code"], "parse")
        self.server.is_endless = False
        self.server.close()
        program.verify(now=LATER)

    def test_hostile_texts_are_harmless(self):
        long = "\u202e\x1b[31m\n" + "x" * 10240
        self.server.instances = [vm(1, name=long, labels={"team": long, long: "x", "": ""}, spec={"hostname": long}), vm(2, preset=long)]
        self.server.region = long
        program = self.program()
        done = program.run("sync", "--json", now=NOW)
        self.assertNotIn(b"\x1b", done.stdout + done.stderr)
        self.assertEqual(next(one for one in json.loads(done.stdout)["sources"] if one["name"] == "cloud")["machines"]["running"], 1, done.text)
        self.server.instead(LIST, Fault(CODE.INVALID_ARGUMENT, f"{long} {TOKEN}"))
        done = program.run("sync", "--json", now=LATER)
        self.assertNotIn(b"\x1b", done.stdout + done.stderr)
        self.assertNotIn(b"canary", done.stdout + done.stderr)
        program.verify(now=LATER)


class Logins(NebiusTest):
    def test_an_account_is_let_in_by_its_key(self):
        self.server.instances = [vm(n) for n in range(5)]
        program = self.program(token=self.key_file())
        told, _, text = self.sync(program)
        self.assertEqual(told["machines"]["running"], 5, text)
        self.assertGreaterEqual(len(self.server.logins), 1)
        self.assertLessEqual(len(self.server.logins), 3)  # one for each port of the source
        exchanges = [metadata for (method, _), metadata in zip(self.server.asked, self.server.metadata) if method == EXCHANGE]
        self.assertEqual([one for one in exchanges if "authorization" in one], [])

    def test_a_token_that_ends_in_the_middle_of_the_pages(self):
        self.server.instances = [vm(n) for n in range(5)]
        program = self.program(token=self.key_file())
        self.server.from_now({(LIST, 2): self.server.tokens.clear})
        self.server.faults[LIST] = [(True, None), (False, Fault(CODE.UNAUTHENTICATED))]
        told, _, text = self.sync(program)
        self.assertEqual(told["machines"]["running"], 5, text)
        self.assertEqual([message.page_token for method, message in self.server.asked if method == LIST], ["", "2", "2", "2e", "4"])
        self.assertGreaterEqual(len(self.server.logins), 2)

    def test_what_lets_nobody_in_is_explained(self):
        self.server.instances = [vm(1)]
        program = self.program()
        program.environment.update(NEBIUS_TOKEN="ne1canary-of-yesterday")
        told, reports, text = self.sync(program)  # no failure: nobody is let in
        self.assertEqual((told["error"], reports["source:cloud"]["error"], told.get("machines")), (None, None, None), text)
        self.assertRegex(told["warnings"][0], "its machines are left out: .*rejected the credential .UNAUTHENTICATED.")
        self.assertIn("authorized key", self.told_by_test(program))
        old = self.key_file()
        self.server.credentials()  # the account has another key now
        told, _, text = self.sync(self.program(token=old))
        self.assertRegex(told["warnings"][0], "its machines are left out: .*JWT is not valid")
        self.assertEqual(self.server.logins, [])
        for more, words in (({"alg": "ES256"}, "ES256"), ({"private-key": "-----BEGIN"}, "private key"), ({"sub": "someone"}, "names no service account")):
            with self.subTest(words):
                self.assertIn(words, self.told_by_test(self.program(token=self.key_file(**more))))
        self.server.faults[EXCHANGE] = [(False, Fault(CODE.UNAVAILABLE))]
        self.assertIsNone(self.sync(self.program(token=self.key_file()))[0]["error"])

    def test_only_a_server_that_is_trusted_is_asked(self):
        certificates = os.path.join(self.folder, "certificates")
        subprocess.run(["bash", os.path.join(HERE, "..", "faults", "certs.sh"), certificates], check=True, capture_output=True)
        self.server = self.serve([os.path.join(certificates, "good." + end) for end in ("key", "pem")])
        self.server.instances = [vm(n) for n in range(5)]
        url = self.server.url("https", "localhost")
        told, _, text = self.sync(self.program(f", tls: {{ ca: \"file:{certificates}/ca.pem\" }}", url))
        self.assertEqual(told["machines"]["running"], 5, text)
        asked = len(self.server.asked)
        for more in ("", f", tls: {{ ca: \"file:{certificates}/otherca.pem\" }}"):
            told, _, text = self.sync(self.program(more, url), LATER, FAILED)
            self.assertEqual(told["error"]["code"], "tls", text)
        self.assertEqual(len(self.server.asked), asked)


class Prices(NebiusTest):
    def offers(self, program, now=NOW):
        out = json.loads(program.healthy("compare", "--json", now=now).stdout)
        return {(one["machine"], one["region"], one["purchase"]): (float(one["per_machine_hour"]["amount"]), one["gpu_model"])
                for part in out["currencies"] for one in part["items"] if one["source"] == "cloud"}

    def test_prices_are_compared(self):
        program = self.program()
        _, reports, text = self.sync(program)
        # One preset of H100 and the unknown platform have no price, on demand and preemptible.
        self.assertEqual((reports["source:cloud"]["error"], reports["source:cloud"]["accepted"]), (None, 3), text)
        self.assertEqual(self.offers(program), {
            ("gpu-h100-sxm_8gpu-128vcpu-1600gb", REGION, "on-demand"): (30.8, "H100 SXM"), ("gpu-h100-sxm_8gpu-128vcpu-1600gb", REGION, "spot"): (17.2, "H100 SXM"),
            ("gpu-l40s-a_1gpu-8vcpu-32gb", REGION, "on-demand"): (1.5484, "L40S")})

    def test_prices_that_can_not_be_read(self):
        program = self.program()
        self.server.closed = {ESTIMATE}
        _, reports, text = self.sync(program)
        self.assertIn("its prices are left out", reports["source:cloud"]["warnings"][0], text)
        self.server.closed = set()
        for answer, code in ((priced("30.8", currency="ils"), "unsupported"), (priced("30.8", "day"), "unsupported"), (priced("30,8"), "parse"), (b"\xff", "parse")):
            self.server.instead(ESTIMATE, answer)
            _, reports, text = self.sync(program, NOW, FAILED, "--source", "cloud")
            self.assertEqual((reports["cloud"]["error"], reports["source:cloud"]["error"]["code"]), (None, code), text)
        _, reports, _ = self.sync(program, NOW, 0, "--source", "cloud")
        self.assertEqual(reports["source:cloud"]["accepted"], 3)


if __name__ == "__main__":
    unittest.main()
