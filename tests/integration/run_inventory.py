#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Machines that a cloud lists: without telemetry they are unknown, never idle, and cost what they cost; with telemetry or on a bill they are one device."""
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "unit", "cli")]

import bills  # noqa: E402
import promserver  # noqa: E402
from awsprices import ec2_fault  # noqa: E402
from ec2machines import Ec2Machines, machine  # noqa: E402
from product import Program, ProductTest, configuration  # noqa: E402

NOW, LATER = "2026-11-20T12:00:00Z", "2026-11-20T13:00:00Z"
FAILED = 4
HOSTILE = "\u202e\x1b]0;x\x07" + "x" * 5000


class InventoryTest(ProductTest):
    """A program with one source, `cloud`, that has prices of its own for each machine: 8 USD an hour, and 1 for each GPU."""
    def setUp(self):
        super().setUp()
        self.server = Ec2Machines()
        self.addCleanup(self.server.close)

    def program(self, url=None, more="", sources="", rest=""):
        program = Program(self.folder, configuration(
            f"  - {{ name: cloud, kind: aws, url: \"{url or self.server.url()}\", first_sync: 60d, auth: {{ type: sigv4, region: us-east-1 }}, prices: none{more} }}\n"
            + sources) + "prices:\n  overrides:\n    - { instance_type: p5.48xlarge, per_gpu_hour: 1 }\n" + rest)
        program.environment.update(AWS_ACCESS_KEY_ID="AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY="canary-secret-key", AWS_EC2_METADATA_DISABLED="true")
        return program

    def sync(self, program, now=NOW, status=0):
        done = program.run("sync", "--json", now=now)
        self.assertEqual(done.returncode, status, done.text)
        self.assertNotIn("canary", done.text + done.stdout.decode())
        return next(one for one in json.loads(done.stdout)["sources"] if one["name"] == "cloud"), done.text

    def hours(self, program, now=NOW, since="2026-11-20T00:00:00Z"):
        """{team: (paid GPU hours, unobserved GPU hours, cost)}"""
        out = json.loads(program.healthy("summary", "--by", "team", "--from", since, "--to", now, "--json", now=now).stdout)
        return {row["key"]: (row["gpu_hours"]["paid"], row["gpu_hours"]["unobserved"], row["cost"]["total"] and row["cost"]["total"]["amount"]) for row in out["rows"]}

    def unknown(self, program, now=NOW):
        out = json.loads(program.healthy("idle", "--json", now=now).stdout)
        self.assertEqual(out["items"], [])
        return [(one["name"], one["owner"], one["observed"]) for one in out["unknown"]]


class ListedMachines(InventoryTest):
    def test_a_machine_without_telemetry_is_unknown_and_costs(self):
        one = machine(1, "2026-11-20T02:00:00.000Z")
        self.server.machines = [one, machine(2, "2026-11-20T02:00:00Z", kind="m5.large"), machine(3, "2026-11-20T02:00:00Z", kind="g6f.large")]
        program = self.program()
        told, text = self.sync(program)
        self.assertEqual((told["kind"], told["accepted"], told["rejected"], told["error"]), ("aws", 1, 1, None), text)
        self.assertEqual(told["machines"], {"running": 1, "gpus": 8, "without_telemetry": 1})
        self.assertEqual(told["reasons"], [{"reason": "machine with a part of a GPU", "count": 1}])
        self.assertEqual((told["from"], told["to"]), ("2026-11-20T02:00:00Z", NOW))
        self.assertEqual(self.hours(program), {"vision": (80, 80, "80.000000000")})
        self.assertEqual(self.unknown(program), [(one["id"], "vision", 0)])
        self.assertIn("1 of 1 machines with GPUs have no telemetry", program.run("sync", now=NOW).text)
        program.verify(now=NOW)
        for name in os.listdir(program.data):
            self.assertNotIn(b"canary", pathlib.Path(program.data, name).read_bytes(), name)

    def test_a_refresh_goes_on_and_a_stop_ends(self):
        self.server.machines = [machine(1, "2026-11-20T02:00:00Z")]
        program = self.program()
        self.sync(program)
        self.sync(program)
        self.sync(program, LATER)
        self.assertEqual(self.hours(program, LATER), {"vision": (88, 88, "88.000000000")})
        self.server.machines[0].update(state="stopped", reason="User initiated (2026-11-20 13:30:00 GMT)")
        told, _ = self.sync(program, "2026-11-20T15:00:00Z")
        self.assertEqual(told["machines"], {"running": 0, "gpus": 0, "without_telemetry": 0})
        self.assertEqual(self.hours(program, "2026-11-20T15:00:00Z"), {"vision": (92, 92, "92.000000000")})
        program.verify(now=LATER)

    def test_states_and_reasons(self):
        at = "2026-11-20T10:00:00Z"
        self.server.machines = [machine(1, at, "pending"), machine(2, at, "stopping"), machine(3, at, "stopped"), machine(4, at, "dreaming"),
                                machine(5, at, "terminated", reason="Server.SpotInstanceTermination: reclaimed (2026-11-20 11:00:00 GMT)"),
                                machine(6, at, "stopped", reason="User initiated (yesterday GMT)"), machine(7, at, "stopped", reason="User initiated (2026-11-20 09:00:00 GMT)")]
        program = self.program()
        told, _ = self.sync(program)
        self.assertEqual((told["accepted"], told["reasons"]), (1, [{"reason": "machine in an unknown state", "count": 1}]))
        self.assertEqual(self.hours(program), {"vision": (8, 8, "8.000000000")})

    def test_types_that_the_catalogue_lacks_are_asked_for_once(self):
        self.server.machines = [machine(n, "2026-11-20T11:00:00Z", kind="p9.new") for n in range(5)] + [machine(9, "2026-11-20T11:00:00Z", kind="zz.gone")]
        program = self.program()
        told, _ = self.sync(program)
        self.assertEqual(told["machines"], {"running": 5, "gpus": 20, "without_telemetry": 5})
        self.assertEqual((self.server.count("DescribeInstances"), self.server.count("DescribeInstanceTypes")), (4, 2))
        self.assertEqual(self.hours(program), {"vision": (20, 20, None)})  # no price is known: unknown, not 0

    def test_members_of_a_cluster_belong_to_nobody(self):
        self.server.machines = [machine(1, "2026-11-20T11:00:00Z", tags={"kubernetes.io/cluster/prod": "owned", "team": "vision"})]
        program = self.program()
        self.sync(program)
        self.assertEqual(self.hours(program), {"shared": (8, 8, "8.000000000")})
        self.assertEqual(self.unknown(program), [])

    def test_can_be_switched_off(self):
        program = self.program(more=", machines: none")
        done = program.run("sync", "--source", "cloud", "--json", now=NOW)
        self.assertEqual((done.returncode, json.loads(done.stdout)["sources"], self.server.asked), (0, [], []), done.text)

    def test_a_wrong_word_is_named(self):
        done = self.program(more=", machines: some").run("sync", now=NOW)
        self.assertIn("has no machines named \"some\"", done.text)

    def test_a_missing_right_is_named(self):
        self.server.machines = [machine(1, "2026-11-20T02:00:00Z")]
        program = self.program()
        self.sync(program)
        self.server.denied = {"DescribeInstances"}
        told, text = self.sync(program, LATER)
        self.assertIn("its machines are left out", told["warnings"][0], text)
        self.assertEqual(self.hours(program, LATER), {"vision": (80, 80, "80.000000000")})
        self.server.denied = {"DescribeInstanceTypes"}
        text = program.run("sources", "test", "cloud", now=NOW)
        self.assertIn("may not ec2:DescribeInstanceTypes: machines without telemetry are not seen", text.text + text.stdout.decode())

    def test_failures_keep_what_is_stored(self):
        self.server.machines = [machine(n, "2026-11-20T02:00:00Z") for n in range(5)]
        program = self.program()
        self.sync(program)
        good = self.server.instances({"MaxResults": "500"})[1]
        for answer, code in (((500, b"", {}), "server"), ((200, b"<a", {}), "parse"), ((200, good[:-30], {}), "parse"), ((200, b"<a/>" * 3, {}), "parse"),
                             ((200, good.replace(b"<ownerId>123456789012</ownerId>", b""), {}), "parse")):
            self.server.faults = {"DescribeInstances": [answer] * 6}
            told, text = self.sync(program, LATER, FAILED)
            self.assertEqual(told["error"]["code"], code, text)
            self.assertEqual(self.hours(program, LATER), {"vision": (400, 400, "400.000000000")})
        self.server.faults = {"DescribeInstances": [(503, b"", {"Retry-After": "1"}), ec2_fault(400, "RequestLimitExceeded")]}
        told, text = self.sync(program, LATER)
        self.assertEqual(told["machines"]["running"], 5, text)
        self.server.is_endless = True
        told, text = self.sync(program, LATER, FAILED)
        self.assertEqual(told["error"]["code"], "parse", text)
        program.verify(now=LATER)

    def test_hostile_text_is_text(self):
        self.server.machines = [machine(1, "2026-11-20T11:00:00Z", tags={"team": "<&\">", "x" * 500: "y" * 5000, "gpuledger_host_name": "other"})]
        program = self.program()
        self.sync(program)
        self.assertEqual(self.hours(program), {"<&\">": (8, 8, "8.000000000")})
        program.verify(now=NOW)


def series(machine_id, begin, hours, provider):
    """Readings and node records of one machine with 8 GPUs, as OpenMetrics."""
    lines = ["# TYPE DCGM_FI_DEV_GPU_UTIL gauge"]
    stamps = range(begin, begin + hours * 3600, 60)
    for gpu in range(8):
        labels = f'UUID="GPU-{gpu}",gpu="{gpu}",modelName="NVIDIA H100 80GB HBM3",Hostname="node-1"'
        lines += [f"DCGM_FI_DEV_GPU_UTIL{{{labels}}} 0 {at}" for at in stamps]
    lines.append("# TYPE kube_node_info gauge")
    lines += [f'kube_node_info{{node="node-1",provider_id="{provider}/{machine_id}"}} 1 {at}' for at in stamps]
    return "\n".join(lines) + "\n# EOF\n"


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class WithTelemetry(InventoryTest):
    def test_one_device_whoever_tells_it(self):
        one = machine(1, "2026-11-20T02:00:00Z")
        self.server.machines = [one]
        begin = int(datetime.datetime(2026, 11, 20, 8, tzinfo=datetime.timezone.utc).timestamp())
        folder = self.enterContext(tempfile.TemporaryDirectory(prefix="gpuledgerinventory"))
        prometheus = self.enterContext(promserver.Server(folder, "prometheus", [series(one["id"], begin, 4, "aws:///us-east-1a")], 60))
        program = self.program(sources=f"  - {{ name: prom, kind: prometheus, url: \"{prometheus}\", first_sync: 12h }}\n")
        told, text = self.sync(program)
        out = json.loads(program.healthy("summary", "--from", "2026-11-20T00:00:00Z", "--to", NOW, "--json", now=NOW).stdout)["total"]
        self.assertEqual(out["gpu_hours"]["paid"], 80, text)  # 10 h x 8 GPUs, of which the exporter saw 4 h
        self.assertAlmostEqual(out["gpu_hours"]["unobserved"], 48, delta=1)
        told, _ = self.sync(program)
        self.assertEqual(told["machines"], {"running": 1, "gpus": 8, "without_telemetry": 0})
        program.verify(now=NOW)


class WithBill(InventoryTest):
    def test_a_bill_gives_its_price_and_adds_up(self):
        one = machine(1, "2026-11-18T12:00:00Z")
        self.server.machines = [one]
        folder = pathlib.Path(self.folder, "bills")
        folder.mkdir()
        day = {"BillingPeriodStart": "2026-11-01T00:00:00Z", "BillingPeriodEnd": "2026-12-01T00:00:00Z", "ChargePeriodStart": "2026-11-19T00:00:00Z",
               "ChargePeriodEnd": "2026-11-20T00:00:00Z", "RegionId": "us-east-1"}
        details = json.dumps({"InstanceType": "p5.48xlarge", "GpuCount": 8})
        bills.write_bill(folder / "november.csv", [
            bills.line(ResourceId=one["id"], BilledCost="100.000000001", EffectiveCost="100.000000001", ConsumedQuantity="24", ConsumedUnit="Hours", SkuPriceDetails=details, **day),
            bills.line(ServiceCategory="Storage", ServiceName="Amazon Simple Storage Service", BilledCost="7", EffectiveCost="7", **day)])
        program = self.program(sources=f"  - {{ name: bill, kind: focus, path: {folder} }}\n")
        for _ in range(2):  # whichever of the two comes first
            self.sync(program)
            out = self.hours(program, "2026-11-20T00:00:00Z", "2026-11-19T00:00:00Z")
            self.assertEqual(out, {"vision": (192, 192, "100.000000000")})  # at the rate of an hour
            ledger = json.loads(program.healthy("ledger", "--by", "team,state", "--from", "2026-11-19", "--to", "2026-11-20", "--json", now=NOW).stdout)
            rows = {(row["team"], row["state"]): row["cost"]["amount"] for row in ledger["rows"]}
            self.assertEqual(rows[("vision", "unobserved")], "100.000000001", rows)
            self.assertEqual([(total["bill"]["amount"], total["ledger"]["amount"]) for total in ledger["currencies"]], [("107.000000001", "107.000000001")])
        program.verify(now=NOW)


    def test_a_spot_machine_costs_what_spot_machines_cost(self):
        """Until a bill names it: bills of the same type and purchase say what it costs."""
        billed, spot, on_demand = machine(1, "2026-11-10T00:00:00Z", lifecycle="spot"), machine(2, "2026-11-20T10:00:00Z", tags={"team": "spot"}, lifecycle="spot"), machine(
            3, "2026-11-20T10:00:00Z", tags={"team": "demand"})
        self.server.machines = [billed, spot, on_demand]
        folder = pathlib.Path(self.folder, "bills")
        folder.mkdir()
        details = json.dumps({"InstanceType": "p5.48xlarge", "GpuCount": 8})
        bills.write_bill(folder / "november.csv", [
            bills.line(BillingPeriodStart="2026-11-01T00:00:00Z", BillingPeriodEnd="2026-12-01T00:00:00Z", ChargePeriodStart=f"2026-11-{day:02}T00:00:00Z",
                       ChargePeriodEnd=f"2026-11-{day + 1:02}T00:00:00Z", RegionId="us-east-1", ResourceId=billed["id"], BilledCost="240", EffectiveCost="240", ConsumedQuantity="24",
                       ConsumedUnit="Hours", SkuPriceDetails=details, PricingCategory="Dynamic") for day in range(11, 19)])
        program = self.program(sources=f"  - {{ name: bill, kind: focus, path: {folder} }}\n")
        self.sync(program)
        out = self.hours(program)
        self.assertEqual(out["spot"], (16, 16, "20.000000000"))  # 2 hours at 10 USD
        self.assertEqual(out["demand"][:2], (16, 16))
        self.assertNotEqual(out["demand"][2], out["spot"][2])
        program.verify(now=NOW)


class WithMoto(InventoryTest):
    def test_moto_lists_what_boto3_started(self):
        moto = subprocess.Popen([sys.executable, os.path.join(HERE, "..", "support", "awsserver.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(moto.stdout.close)
        self.addCleanup(moto.wait, 20)
        self.addCleanup(moto.stdin.close)
        first = moto.stdout.readline().split()
        if first[:1] != ["port"]:
            self.skipTest("skipped: no moto")
        made = []
        for kind in ("p4d.24xlarge", "m5.large", "g4dn.xlarge"):
            moto.stdin.write(json.dumps({"do": "run", "type": kind}) + "\n")
            moto.stdin.flush()
            made.append(json.loads(moto.stdout.readline())["id"])
        program = self.program("http://127.0.0.1:" + first[1])
        later = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=2)).strftime("%Y-%m-%dT%H:%M:%SZ")
        told, text = self.sync(program, later)
        self.assertEqual(told["machines"], {"running": 2, "gpus": 9, "without_telemetry": 2}, text)
        self.assertEqual(sorted(name for name, _, _ in self.unknown(program, later)), sorted([made[0], made[2]]))


if __name__ == "__main__":
    unittest.main()
