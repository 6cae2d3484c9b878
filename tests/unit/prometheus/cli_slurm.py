# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs of Slurm named by dcgm-exporter (hpc_job), from a real Prometheus to their names at the command line."""
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

REFUSED, USAGE = 5, 2
# The job of each holder of a device in the fleet.
JOBS = {"train-0": "4711", "train-1": "4712", "notebook": "4713", "": ""}
IDLE, BUSY = "4713", "4711"
SHOWN = f"SlurmJob/{IDLE}"
DAY = ("--from", "2025-03-30", "--to", "2025-03-31")


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class Slurm(ProductTest):
    def synced(self):
        series = fleets.dcgm(pods=False, extra=lambda pod: {"hpc_job": JOBS[pod]})
        url = self.enterContext(promserver.Server(tempfile.mkdtemp(dir=self.folder), "prometheus", [fleets.text(series)], fleets.STEP))
        program = Program(self.folder)
        program.configure(f"version: 1\ntime_zone: UTC\nsources:\n  - {{ name: prod, kind: prometheus, url: \"{url}\", cluster: lab, first_sync: 4h }}\n")
        program.healthy("sync", now=fleets.NOW)
        return program

    def told(self, program, *arguments, status=0):
        """As text and as JSON; it is never called a pod."""
        texts = []
        for form in ((), ("--json",)):
            done = program.run(*arguments, *form, now=fleets.NOW)
            self.assertEqual(done.returncode, status, done.text)
            texts.append(done.stdout.decode())
            self.assertNotRegex(texts[-1] + done.text, "(?i)pod[/ ]")
        return texts[0], json.loads(texts[1])

    def test_what_they_are_called(self):
        program = self.synced()
        text, idle = self.told(program, "idle")
        self.assertRegex(text, rf"(?m)^{SHOWN} +unowned +lab +training ")
        (item,) = idle["items"]
        self.assertEqual((item["id"], item["kind"], item["name"], item["workload"], item["namespace"], item["node"], item["workload_type"]),
                         (f"lab//{IDLE}", "slurm_job", IDLE, SHOWN, None, "node-b", "training"))
        (row,) = csv.DictReader(io.StringIO(program.healthy("idle", "--csv", now=fleets.NOW).stdout.decode()))
        self.assertEqual((row["name"], row["kind"], row["workload"]), (IDLE, "slurm_job", SHOWN))
        self.assertEqual(idle["unknown"], [])
        text, summary = self.told(program, "summary", "--by", "workload")
        names = {f"SlurmJob/{job}" for job in JOBS.values() if job}
        self.assertEqual({row["key"] for row in summary["rows"]} & names, names)
        for name in names:
            self.assertIn(name, text)
        _, heatmap = self.told(program, "heatmap", "--by", "workload", "--bins", "hour-of-day")
        self.assertEqual({row["key"] for row in heatmap["rows"]} & names, names)

    def test_one_name_in_every_answer(self):
        """In answers about cost as in those about usage: the ledger, statements in each format, the proof of a figure, a rule applied to
        the past."""
        program = self.synced()
        names = {f"SlurmJob/{job}" for job in JOBS.values() if job}
        text, ledger = self.told(program, "ledger", "--by", "workload", *DAY)
        self.assertEqual({row["workload"] for row in ledger["rows"]}, names | {None})
        for name in names:
            self.assertRegex(text, rf"(?m)^{name} ")
        row = next(row for row in ledger["rows"] if row["workload"] == SHOWN)
        self.assertIn("workload=SlurmJob/4713", row["figures"]["gpu_hours"])
        _, proof = self.told(program, "explain", row["figures"]["gpu_hours"])
        self.assertTrue(proof["agrees"], proof)
        self.assertEqual((proof["value"], proof["recomputed"]), (row["gpu_hours"], row["gpu_hours"]))
        month = ("showback", "--month", "2025-03")
        statement = json.loads(program.run(*month, "--json", now=fleets.NOW).stdout)
        (currency,) = statement["currencies"]
        self.assertEqual({one["workload"] for team in currency["teams"] for one in team["workloads"]}, names)
        page = program.run(*month, "--format", "html", now=fleets.NOW).stdout.decode()
        for name in names:
            self.assertIn(f"<td>{name}</td>", page)
        ledger = csv.DictReader(io.StringIO(program.healthy("ledger", "--by", "workload", "--csv", *DAY, now=fleets.NOW).stdout.decode()))
        self.assertEqual({row["workload"] for row in ledger}, names | {""})
        _, replay = self.told(program, "replay", "idle", "--from", "2025-03-30T12:00:00Z", "--to", fleets.NOW)
        self.assertEqual({stop["name"] for stop in replay["stops"]}, {SHOWN})

    def test_what_a_plan_says(self):
        """Jobs of Slurm can't be stopped yet: each is refused by its name, however it is specified."""
        program = self.synced()
        for name in (IDLE, SHOWN, f"lab//{IDLE}"):
            text, plan = self.told(program, "act", "plan", name, status=REFUSED)
            self.assertRegex(text, rf"(?m)^{SHOWN} +unowned +no source reaches cluster lab to stop anything there$")
            (one,) = plan["actions"]
            self.assertEqual((one["state"], one["holders"], one["target"]), ("refused", [f"lab//{IDLE}"], None))
            self.assertEqual([check["reason"] for check in one["checks"]], ["no-platform"])
        text, plan = self.told(program, "act", "plan", IDLE, BUSY, status=REFUSED)
        self.assertIn(f"{BUSY} is not in the idle list", text)
        self.assertEqual([one["checks"][0]["reason"] for one in plan["actions"]], ["no-platform", "not-in-list"])
        self.assertEqual(program.run("act", "plan", BUSY, now=fleets.NOW).returncode, USAGE)


if __name__ == "__main__":
    unittest.main(verbosity=2)
