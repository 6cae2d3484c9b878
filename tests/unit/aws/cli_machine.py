# SPDX-License-Identifier: GPL-3.0-or-later
"""Cloud machines that hold their GPUs themselves: from a real Prometheus into the idle list, stopped and brought back at moto, which boto3
observes as an independent client. Other work on a machine, or a group that owns it, keeps it running."""
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "faults"), str(HERE.parents[1] / "support"), str(HERE.parents[1] / "unit" / "cli")]

import bills  # noqa: E402
import kubefleet  # noqa: E402
import promserver  # noqa: E402
from product import Program, ProductTest  # noqa: E402

REFUSED = 5
AWS = str(HERE.parents[1] / "support" / "awsserver.py")


class LiveProgram(Program):
    def command(self, *arguments, now=None):
        return [part for part in super().command(*arguments, now="") if part not in ("--now", "")]


class Moto:
    def __init__(self, case):
        self.process = subprocess.Popen([sys.executable, AWS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        case.addCleanup(self.close)
        first = self.process.stdout.readline().split()
        if first[:1] != ["port"]:
            case.skipTest("skipped: no moto")
        self.url = "http://127.0.0.1:" + first[1]

    def close(self):
        self.process.stdin.close()
        self.process.wait(20)
        self.process.stdout.close()

    def ask(self, what, **more):
        self.process.stdin.write(json.dumps({"do": what, **more}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise AssertionError(answer["error"])
        return answer


class Box:
    """A machine: its name in telemetry, its name in the cloud, and for each device its activity and the Slurm job that holds it."""

    def __init__(self, moto, *devices, by_name=False, region="us-east-1", type="g5g.16xlarge", **tags):
        """The default type has no local disks."""
        made = moto.ask("run", region=region, type=type, tags={"CostCenter": "vision", **tags})
        self.id, self.node, self.devices, self.region = made["id"], made["node"], devices, region
        self.called = self.node if by_name else self.id

    def series(self):
        return kubefleet.machine_series(self.called, self.node, self.devices, {"CostCenter": "vision"})


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class Machines(ProductTest):
    def setUp(self):
        super().setUp()
        self.moto = Moto(self)

    def region(self, name, region):
        """A source in the configuration."""
        return (f"  - {{ name: {name}, kind: aws, cluster: vms, url: \"{self.moto.url}\", auth: {{ type: sigv4, region: {region} }}, "
                "rights: [read, stop] }\n")

    def over(self, *boxes, mapping=kubefleet.MACHINES, sources=""):
        begin = int(time.time()) // kubefleet.STEP * kubefleet.STEP - kubefleet.HOURS * 3600
        kept = self.enterContext(tempfile.TemporaryDirectory(prefix="gpuledgeraws"))
        told = [one for box in boxes for one in box.series()]
        prometheus = self.enterContext(promserver.Server(kept, "prometheus", kubefleet.samples(told, begin), kubefleet.STEP))
        program = LiveProgram(self.folder, (
            "version: 1\ncurrency: USD\ntime_zone: UTC\nsources:\n"
            f"  - {{ name: prom, kind: prometheus, url: \"{prometheus}\", cluster: vms, first_sync: {kubefleet.HOURS}h }}\n"
            + self.region("cloud", "us-east-1") + sources + mapping))
        program.environment.update(AWS_ACCESS_KEY_ID="AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY="canary-secret-key", AWS_EC2_METADATA_DISABLED="true")
        program.healthy("sync")
        return program

    def idle(self, program):
        return {item["name"]: item for item in json.loads(program.healthy("idle", "--json").stdout)["items"]}

    def act(self, program, *arguments, status=0):
        done = program.run("act", *arguments, "--json")
        self.assertEqual(done.returncode, status, done.text + done.stdout.decode())
        return json.loads(done.stdout)["actions"]

    def check_round_trip(self, box, **more):
        program = self.over(box, **more)
        item = self.idle(program)[box.called]
        self.assertEqual((item["kind"], item["id"], item["gpus"]), ("machine", "vms//" + box.called, 2))
        self.assertEqual(item["owner"], "vision")  # from a tag that the scrape added to its series
        # Its name is an instance id, so it is known to be on AWS: its cost ends with a stop, and all of it is avoidable.
        by_id = box.called == box.id
        self.assertEqual((item["recoverable"], item["avoidable_per_month"] is not None), ("now", True) if by_id else (None, False), item)
        planned, = self.act(program, "plan", item["id"])
        checks = {check["name"]: check["passed"] for check in planned["checks"]}
        self.assertTrue(checks["dry-run"], planned)
        self.assertFalse([name for name, passed in checks.items() if passed is False], planned)
        stopped, = self.act(program, "stop", item["id"], "--yes", "--count", "1", "--reason", "nobody uses it")
        self.assertEqual(stopped["state"], "verified", stopped)
        seen = self.moto.ask("describe", region=box.region, id=box.id)
        self.assertEqual(seen["state"], "stopped")
        self.assertEqual(seen["tags"]["gpu-ledger.io/stop-reason"], "nobody uses it")
        undone = self.act(program, "undo", str(stopped["id"]), "--yes")
        self.assertIn("verified", [one["state"] for one in undone], undone)
        seen = self.moto.ask("describe", region=box.region, id=box.id)
        self.assertEqual((seen["state"], seen["tags"]), ("running", {"CostCenter": "vision"}))
        program.verify(now=None)

    def test_stopped_and_brought_back(self):
        self.check_round_trip(Box(self.moto, (1, ""), (2, "")))

    def test_called_by_its_private_name(self):
        self.check_round_trip(Box(self.moto, (1, ""), (2, ""), by_name=True))

    def test_in_one_of_several_regions(self):
        others = self.region("europe", "eu-central-1") + self.region("west", "us-west-2")
        self.check_round_trip(Box(self.moto, (1, ""), (2, ""), region="eu-central-1"), sources=others)

    def refused(self, program, box, check):
        item = self.idle(program)[box.called]
        planned, = self.act(program, "stop", item["id"], "--yes", "--count", "1", "--reason", "x", status=REFUSED)
        failed = [one["name"] for one in planned["checks"] if one["passed"] is False]
        self.assertEqual(failed, [check], planned)
        self.assertEqual(self.moto.ask("describe", region=box.region, id=box.id)["state"], "running")
        return planned

    def test_a_job_on_the_same_machine_keeps_it(self):
        box = Box(self.moto, (1, ""), (90, "4711"))
        self.refused(self.over(box), box, "still-idle")

    def test_an_idle_job_is_never_a_reason_to_stop_its_machine(self):
        box = Box(self.moto, (1, "4711"))
        program = self.over(box)
        item = self.idle(program)["4711"]
        self.assertEqual(item["kind"], "slurm_job")
        self.act(program, "stop", item["id"], "--yes", "--count", "1", "--reason", "x", status=REFUSED)
        self.assertEqual(self.moto.ask("describe", region=box.region, id=box.id)["state"], "running")

    def test_a_machine_of_a_group_belongs_to_it(self):
        box = Box(self.moto, (1, ""), **{"karpenter.sh/nodepool": "gpu"})
        planned = self.refused(self.over(box), box, "stoppable")
        self.assertIn("Karpenter node pool gpu", json.dumps(planned["checks"]))

    def test_a_protected_machine_is_kept(self):
        box = Box(self.moto, (1, ""), **{"gpu-ledger.io/protect": "true"})
        planned = self.refused(self.over(box), box, "not-protected")
        self.assertIn({"reason": "tag", "detail": "protected by a tag of Instance " + box.id},
                      [{key: one[key] for key in ("reason", "detail")} for one in planned["checks"]])

    def test_what_its_own_disks_hold_is_gone_for_good(self):
        """Off by default; if permitted, its full name has to be typed."""
        box = Box(self.moto, (1, ""), (2, ""), type="p4d.24xlarge")
        program = self.over(box)
        planned = self.refused(program, box, "allowed")
        self.assertEqual((planned["reversible"], planned["type_name"]), (False, box.id))
        self.assertIn("irreversible: typed_name", json.dumps(planned["checks"]))
        with open(program.config, "a", encoding="utf-8") as file:
            file.write("actions: { irreversible: typed_name, stop_marked: true }\n")
        stop = ("stop", box.called, "--yes", "--count", "1", "--reason", "x")
        for more in ((), ("--type-name", box.id[:-1]), ("--type-name", "Instance " + box.id)):
            done = program.run("act", *stop, *more)
            self.assertEqual(done.returncode, REFUSED, done.text)
            self.assertIn("--type-name " + box.id, done.text)
        done = program.run("act", "mark", box.called, "--after", "24h")
        self.assertEqual(done.returncode, REFUSED, done.text)
        self.assertEqual(self.moto.ask("describe", region=box.region, id=box.id)["state"], "running")
        stopped, = self.act(program, *stop, "--type-name", box.id)
        self.assertEqual(stopped["state"], "verified", stopped)
        self.assertEqual(self.moto.ask("describe", region=box.region, id=box.id)["state"], "stopped")

    def test_its_line_in_the_bill_is_its_teams(self):
        """An idle machine whose bill names it but not its team: both have the same owner, and no hour counts in addition to the bill."""
        box = Box(self.moto, (1, ""), (2, ""))
        folder = pathlib.Path(self.folder, "bills")
        folder.mkdir()
        today = datetime.datetime.now(datetime.timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
        days = [today - datetime.timedelta(days=1), today]  # three hours may extend past midnight
        lines = []
        for day in days:
            until, month = day + datetime.timedelta(days=1), day.replace(day=1)
            lines.append(bills.line(
                BilledCost="48", EffectiveCost="48", ResourceId=box.id, RegionId="us-east-1", ConsumedQuantity="24", ConsumedUnit="Hours",
                ChargePeriodStart=day.strftime("%FT%TZ"), ChargePeriodEnd=until.strftime("%FT%TZ"),
                BillingPeriodStart=month.strftime("%FT%TZ"),
                BillingPeriodEnd=(month + datetime.timedelta(days=32)).replace(day=1).strftime("%FT%TZ")))
        bills.write_bill(str(folder / "bill.csv"), lines)  # one delivery: a second one of the same billing period would replace it
        program = self.over(box, sources="  - { name: bill, kind: focus, path: %s }\n" % folder)
        seen = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=kubefleet.HOURS)
        first = max(days[0], seen.replace(hour=0, minute=0, second=0, microsecond=0))
        answer = json.loads(program.healthy("ledger", "--by", "team,match", "--from", first.strftime("%F"),
                                            "--to", (today + datetime.timedelta(days=1)).strftime("%F"), "--json").stdout)
        rows = {(row["team"], row["match"]): float(row["billed"]["amount"]) for row in answer["rows"]}
        self.assertGreater(rows[("vision", "resource-id")], 0, answer)
        self.assertLessEqual(set(rows), {("vision", "resource-id"), ("vision", "none")}, answer)  # the rest is of hours that nobody saw
        self.assertEqual(sum(rows.values()), 48. * (1 + (first < today)), answer)

    def test_unasked_no_machine_is_a_holder(self):
        box = Box(self.moto, (1, ""))
        self.assertEqual(self.idle(self.over(box, mapping="")), {})


class MeasuredByItsCloud(ProductTest):
    """Machines that no telemetry sees: CloudWatch alone says what they do."""
    HOURS, AHEAD = 3, 600  # seconds that samples go on, so that they stay new while a test runs

    def setUp(self):
        super().setUp()
        self.moto = Moto(self)
        self.program = LiveProgram(self.folder, (
            "version: 1\ncurrency: USD\ntime_zone: UTC\nsources:\n"
            f"  - {{ name: cloud, kind: aws, url: \"{self.moto.url}\", cluster: lab, auth: {{ type: sigv4, region: us-east-1 }}, usage: all, "
            "prices: none, rights: [read, stop] }\n"))
        self.program.environment.update(AWS_ACCESS_KEY_ID="AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY="canary-secret-key", AWS_EC2_METADATA_DISABLED="true")

    def machine(self, *percent, end=None, **more):
        """`percent` of each GPU, every minute until `end`."""
        made = self.moto.ask("run", type="g5g.16xlarge", tags={"CostCenter": "vision"}, hours=self.HOURS + 1, **more)["id"]
        begin = int(time.time()) // 60 * 60 - self.HOURS * 3600
        count = ((end or int(time.time()) + self.AHEAD) - begin) // 60
        for index, value in enumerate(percent):
            self.moto.ask("measure", metric="nvidia_smi_utilization_gpu", start=begin, step=60, values=[value] * count,
                          dimensions=[["InstanceId", made], ["index", str(index)], ["name", "NVIDIA T4G"]])
        return made

    def idle(self):
        return json.loads(self.program.healthy("idle", "--json").stdout)

    def test_an_idle_machine_is_stopped_and_brought_back(self):
        quiet, busy, silent = self.machine(0, 0), self.machine(0, 97), self.machine()
        told, = json.loads(self.program.healthy("sync", "--json").stdout)["sources"]
        self.assertEqual(told["machines"], {"running": 3, "gpus": 6, "without_telemetry": 1}, told)
        # Pages of the list of metrics, and four GPUs with five metrics each, of two days if there is midnight between them.
        self.assertGreaterEqual(told["paid_requests"], 2)
        metrics = round(float(told["paid"]["amount"]) / 0.00001)
        self.assertIn(metrics - told["paid_requests"], (20 - 1, 40 - 2))
        listed = self.idle()
        self.assertEqual([item["name"] for item in listed["items"]], [quiet])
        self.assertEqual([item["name"] for item in listed["unknown"]], [silent])
        item, = listed["items"]
        self.assertEqual((item["kind"], item["owner"], item["gpus"]), ("machine", "vision", 2), item)
        self.assertEqual(item["observed"], 1, item)  # the list of machines goes no further than what was measured of them
        done = self.program.run("act", "stop", item["id"], "--yes", "--count", "1", "--reason", "nobody uses it", "--json")
        stopped, = json.loads(done.stdout)["actions"]
        self.assertEqual((done.returncode, stopped["state"]), (0, "verified"), done.text + done.stdout.decode())
        self.assertEqual(self.moto.ask("describe", id=quiet)["state"], "stopped")
        self.assertEqual(self.moto.ask("describe", id=busy)["state"], "running")
        undone = self.program.run("act", "undo", str(stopped["id"]), "--yes", "--json")
        self.assertEqual(undone.returncode, 0, undone.text)
        self.assertEqual(self.moto.ask("describe", id=quiet)["state"], "running")
        paid, = [one["paid"] for one in json.loads(self.program.healthy("sources", "list", "--json").stdout)["sources"]]
        self.assertGreaterEqual(paid["requests"], told["paid_requests"])
        self.program.verify(now=None)

    def test_work_that_began_after_the_sync_keeps_it(self):
        quiet = self.machine(0, 0)
        self.assertRegex(self.program.run("sync").text, r"cloud: \d+ paid requests, 0\.000\d\d USD")
        item, = self.idle()["items"]
        now = int(time.time()) // 60 * 60
        self.moto.ask("measure", metric="nvidia_smi_utilization_gpu", start=now - 60, step=60, values=[90, 90],
                      dimensions=[["InstanceId", quiet], ["index", "1"], ["name", "NVIDIA T4G"]])
        self.assertEqual(self.refused(item), ["still-idle"])

    def test_samples_that_are_too_old_keep_it(self):
        self.machine(0, 0, end=int(time.time()) - 420)
        self.program.healthy("sync")
        item, = self.idle()["items"]
        self.assertEqual(self.refused(item), ["still-idle"])

    def refused(self, item):
        done = self.program.run("act", "stop", item["id"], "--yes", "--count", "1", "--reason", "x", "--json")
        self.assertEqual(done.returncode, REFUSED, done.text + done.stdout.decode())
        planned, = json.loads(done.stdout)["actions"]
        self.assertEqual(self.moto.ask("describe", id=item["name"])["state"], "running")
        return [one["name"] for one in planned["checks"] if one["passed"] is False]


if __name__ == "__main__":
    unittest.main()
