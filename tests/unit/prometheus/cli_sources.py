# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Prometheus as users run it, with the command line: the findings of `sources test`, and the resulting figures."""
import json
import pathlib
import re
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "faults"), str(HERE.parents[1] / "support")]

import fleets  # noqa: E402
import promserver  # noqa: E402
from product import Program, ProductTest  # noqa: E402

UTIL = "DCGM_FI_DEV_GPU_UTIL"
# team -> (held hours, utilization) according to fleets.py; None: no holder.
TEAMS = {"vision": (6, 0.70), "speech": (3, 0.02), None: (3, None)}
SPACES = {"ml-vision": (6, 0.70), "ml-speech": (3, 0.02), None: (3, None)}


class Narrow(promserver.Server):
    """Accepts so few samples per query that three hours are too much; every query is logged."""

    def _command(self, port):
        command = ["--query.max-samples=100" if part.startswith("--query.max-samples") else part for part in super()._command(port)]
        with open(pathlib.Path(self.folder, "prometheus.yml"), "w", encoding="utf-8") as file:
            file.write(f"global:\n  query_log_file: {self.folder}/queries.log\n")
        return command


@unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
class Sources(ProductTest):
    def over(self, series, exporters="", server=promserver.Server):
        """The program with a server that has these series."""
        folder = tempfile.mkdtemp(dir=self.folder)
        server = server(folder, "prometheus", [fleets.text(series)], fleets.STEP)
        url = server.start()
        self.addCleanup(server.stop)
        return Program(folder, f"version: 1\ntime_zone: UTC\nsources:\n  - {{ name: prod, kind: prometheus, url: \"{url}\", "
                               f"first_sync: {fleets.HOURS}h }}\n{exporters}")

    def found(self, program, usable=True):
        """The findings of `sources test`, as (level, text, remedy)."""
        done = program.run("sources", "test", "prod", "--json", now=fleets.NOW)
        report = json.loads(done.stdout)
        report = report.get("sources", [report])[0] if isinstance(report, dict) else report[0]
        self.assertEqual(report["usable"], usable, report)
        for finding in report["findings"]:
            if finding["level"] != "good":
                self.assertTrue(finding["remedy"], finding)
            self.assertNotIn("  ", finding["text"])
        return [(f["level"], f["text"], f["remedy"] or "") for f in report["findings"]]

    def assertFound(self, findings, level, text, remedy=""):
        self.assertTrue([f for f in findings if f[0] == level and text in f[1] and remedy in f[2]], (level, text, remedy, findings))

    def assertNotFound(self, findings, pattern):
        self.assertFalse([f for f in findings if re.search(pattern, " ".join(f))], (pattern, findings))

    def figures(self, program):
        """Held hours and utilization by team, free hours under None, after a sync."""
        done = program.healthy("sync", "--json", now=fleets.NOW)
        self.warnings = json.loads(done.stdout)["sources"][0]["warnings"]
        rows = json.loads(program.healthy("summary", "--by", "team", "--json", "--from", "2025-03-30T12:00:00Z", "--to", fleets.NOW,
                                          now=fleets.NOW).stdout)["rows"]
        out, free = {}, 0
        for row in rows:
            hours = row["gpu_hours"]
            free += hours["unallocated"]
            self.assertAlmostEqual(hours["unobserved"], 0, 3)
            if hours["active"] + hours["idle"] > 0:
                out[row["key"]] = (round(hours["active"] + hours["idle"], 3), round(row["utilization"], 3))
            self.priced = row["cost"]["total"]
        if free:
            out[None] = (round(free, 3), None)
        program.verify(now=fleets.NOW)
        return out

    def test_exporter_alone(self):
        program = self.over(fleets.dcgm())
        findings = self.found(program)
        self.assertFound(findings, "good", "NVIDIA dcgm-exporter: 4 devices on 2 nodes")
        self.assertFound(findings, "missing", "no kube-state-metrics", "start kube-state-metrics")
        self.assertFound(findings, "missing", "activity is measured as GPU utilization", "DCGM_FI_PROF_SM_ACTIVE")
        self.assertEqual(self.figures(program), SPACES)

    def test_exporter_and_state_metrics(self):
        program = self.over(fleets.dcgm() + fleets.kube())
        findings = self.found(program)
        self.assertFound(findings, "good", "label team is on 3 of 3 GPU pods")
        self.assertFound(findings, "good", "holders are read from the exporter's own labels")
        self.assertNotFound(findings, "kube_node_labels|kube_pod_status_phase|no kube-state")
        self.assertEqual(self.figures(program), TEAMS)
        self.assertEqual(self.warnings, [])

    def test_no_gpu_metrics(self):
        program = self.over([("up", {"job": "node", "instance": "a:9100"}, 1)])
        findings = self.found(program, usable=False)
        self.assertFound(findings, "problem", "no metrics of a known GPU exporter", "start dcgm-exporter")
        done = program.run("sync", now=fleets.NOW)
        self.assertEqual(done.returncode, 4)
        self.assertSentence(done, "no metrics of a known GPU exporter", "start dcgm-exporter")

    def test_an_empty_server(self):
        for backend in ("prometheus", "victoriametrics"):
            if not promserver.available(backend):
                continue
            with self.subTest(backend):
                program = self.over([], server=lambda folder, *_: promserver.Server(folder, backend))  # noqa: B023
                for arguments in (("sources", "test", "prod"), ("sync",)):
                    done = program.run(*arguments, now=fleets.NOW)
                    self.assertEqual(done.returncode, 4, done.text)
                    self.assertSentence(done, "prod: ", "responds, but has no metrics at all", "the tenant set in headers")

    def test_labels_renamed_as_old_releases_had_them(self):
        names = {"UUID": "gpu_uuid", "modelName": "model_name", "Hostname": "hostname", "pod": "pod_name", "namespace": "pod_namespace",
                 "container": "container_name"}
        program = self.over(fleets.dcgm(rename=names) + fleets.kube())
        self.assertFound(self.found(program), "good", "4 devices on 2 nodes")
        self.assertEqual(self.figures(program), TEAMS)

    def test_labels_renamed_by_the_operator(self):
        series = fleets.dcgm(rename={"UUID": "device_id", "pod": "k8s_pod", "namespace": "k8s_space"}) + fleets.kube()
        program = self.over(series)
        findings = self.found(program, usable=False)
        self.assertFound(findings, "problem", "label UUID, gpu_uuid, uuid is missing; the labels are", "labels.uuid")
        self.assertFound(findings, "problem", "device_id")
        program.run("sync", "--json", now=fleets.NOW)
        done = program.run("sync", now=fleets.NOW)
        self.assertIn("no label that identifies a device", done.stdout.decode() + done.text)
        named = self.over(series, "exporters:\n  - { name: dcgm, labels: { uuid: [device_id] } }\n")
        findings = self.found(named)
        self.assertFound(findings, "missing", "no series names its holder in a known label, but these labels exist: k8s_pod", "labels.pod")
        mended = self.over(series, "exporters:\n  - { name: dcgm, labels: { uuid: [device_id], pod: [k8s_pod], namespace: [k8s_space] } }\n")
        self.assertFound(self.found(mended), "good", "4 devices on 2 nodes")
        self.assertEqual(self.figures(mended), TEAMS)

    def test_label_collisions(self):
        for name, series in {"target wins": fleets.dcgm("false") + fleets.kube(), "both collide": fleets.dcgm("false") + fleets.kube(honor=False),
                             "exporter wins": fleets.dcgm("true") + fleets.kube(), "state metrics collide": fleets.dcgm() + fleets.kube(honor=False)}.items():
            with self.subTest(name):
                program = self.over(series)
                findings = self.found(program)
                if "target" in name or "both" in name:
                    self.assertFound(findings, "good", "honor_labels false")
                self.assertEqual(self.figures(program), TEAMS)
        for honor in ("false", "true"):  # without any information about the exporter's own pod
            with self.subTest(f"alone {honor}"):
                self.assertEqual(self.figures(self.over(fleets.dcgm(honor))), SPACES)

    def test_nothing_but_requests_in_state_metrics(self):
        program = self.over(fleets.dcgm() + fleets.kube(team_label="", node_labels=False, phases=False))
        findings = self.found(program)
        self.assertFound(findings, "missing", "no label of the GPU pods could be a team", "--metric-labels-allowlist=pods=[team]")
        self.assertFound(findings, "missing", "prices depend on the GPU model alone", "nodes=[*]")
        self.assertFound(findings, "missing", "kube_pod_status_phase is missing")
        self.assertEqual(self.figures(program), SPACES)
        self.assertGreater(float(self.priced["amount"]), 0)

    def test_network_devices_count_as_no_gpus(self):
        program = self.over(fleets.dcgm() + fleets.kube(instance_type="own.2gpu"),
                            "prices: { overrides: [ { instance_type: own.2gpu, usd_per_hour: \"8\" } ] }\n")
        self.figures(program)
        rows = json.loads(program.healthy("summary", "--by", "team", "--json", "--from", "2025-03-30T12:00:00Z", "--to", fleets.NOW,
                                          now=fleets.NOW).stdout)["rows"]
        self.assertEqual({row["key"]: float(row["cost"]["total"]["amount"]) for row in rows if row["key"] == "speech"}, {"speech": 12.0})

    def test_other_names_of_a_team(self):
        for label in ("owner", "cost_center"):
            with self.subTest(label):
                program = self.over(fleets.dcgm() + fleets.kube(team_label=f"label_{label}"))
                self.assertFound(self.found(program), "good", f"label {label} is on 3 of 3 GPU pods")
                self.assertEqual(self.figures(program), TEAMS)

    def test_units_that_contradict_the_name(self):
        program = self.over(fleets.dcgm(factor=0.01) + fleets.kube())
        self.assertFound(self.found(program), "problem", f"{UTIL} is a percentage by its name, but never exceeds 0.8", "factor 1")
        self.figures(program)
        self.assertTrue([w for w in self.warnings if "is a percentage by its name" in w], self.warnings)
        mended = self.over(fleets.dcgm(factor=0.01) + fleets.kube(),
                           f"exporters:\n  - {{ name: dcgm, metrics: [ {{ name: {UTIL}, quantity: gpu_utilization, factor: 1 }} ] }}\n")
        self.assertNotFound(self.found(mended), "a percentage by its name")
        self.assertEqual(self.figures(mended), TEAMS)

        program = self.over(fleets.dcgm(metric="DCGM_FI_DEV_GPU_UTIL_RATIO") + fleets.kube())
        self.assertFound(self.found(program), "good", "is read as a percentage there")
        self.assertEqual(self.figures(program), TEAMS)
        program = self.over(fleets.dcgm(metric="DCGM_FI_DEV_GPU_UTIL_RATIO", factor=0.01) + fleets.kube())
        self.assertNotFound(self.found(program), "a percentage there")
        self.assertEqual(self.figures(program), TEAMS)

        program = self.over(fleets.dcgm(metric="DCGM_FI_PROF_SM_ACTIVE") + fleets.kube())
        self.assertFound(self.found(program), "problem", "should lie between 0 and 1, but goes up to 80", "factor 0.01")

    def test_a_fleet_at_rest_is_no_ratio(self):
        # The same device at 0 and 1 percent only: whole numbers, so there is no suspicion.
        series = [(m, labels, (lambda i: i % 2) if m == UTIL else value) for m, labels, value in fleets.dcgm()]
        self.assertNotFound(self.found(self.over(series + fleets.kube())), "a percentage by its name")

    def test_amd(self):
        for prefix, partitions in (("amd_", 1), ("", 4)):
            with self.subTest(prefix):
                program = self.over(fleets.amd(prefix, partitions) + fleets.kube("amd_com_gpu"))
                findings = self.found(program)
                self.assertFound(findings, "good", "AMD device-metrics-exporter: 4 devices on 2 nodes")
                self.assertNotFound(findings, "MIG")
                self.assertEqual(self.figures(program), TEAMS)

    def test_nvidia_gpu_exporter(self):
        for percent in (False, True):
            with self.subTest(percent):
                program = self.over(fleets.smi(percent))
                findings = self.found(program)
                self.assertFound(findings, "good", "nvidia_gpu_exporter: 4 devices on 2 nodes")
                self.assertFound(findings, "missing", "does not report which pod holds a device", "start kube-state-metrics")
                self.assertEqual(self.figures(program), {None: (12, None)})
                cells = json.loads(program.healthy("heatmap", "--by", "device", "--bins", "day", "--metric", "utilization", "--json",
                                                   "--from", "2025-03-30T12:00:00Z", "--to", fleets.NOW, now=fleets.NOW).stdout)
                self.assertEqual(len(cells["rows"]), 4)

    def test_requests_of_init_containers(self):
        program = self.over(fleets.dcgm() + fleets.kube(requests="kube_pod_init_container_resource_requests"))
        self.assertFound(self.found(program), "good", "label team is on 3 of 3 GPU pods")
        self.assertEqual(self.figures(program), TEAMS)

    def test_devices_held_by_claims(self):
        for honor in ("", "false"):
            with self.subTest(honor):
                claims = fleets.dcgm(honor, extra=lambda pod: {"dra_claim_name": f"claim-{pod}"} if pod else {})
                self.assertEqual(self.figures(self.over(claims + fleets.kube(requests=None))), TEAMS)

    def test_a_server_that_loads_few_samples(self):
        program = self.over(fleets.dcgm(), server=Narrow)
        self.assertEqual(self.figures(program), SPACES)
        with open(pathlib.Path(program.folder, "queries.log"), encoding="utf-8") as log:
            spans = [q["params"] for q in map(json.loads, log) if UTIL in q["params"]["query"] and q["params"]["step"]]
        lengths = {(p["start"], p["end"]) for p in spans}
        self.assertGreater(len(lengths), 2, "the server refused no query")

    def test_an_exporter_of_ones_own(self):
        series = [({"DCGM_FI_DEV_GPU_UTIL": "acme_busy", "DCGM_FI_DEV_FB_USED": "acme_memory"}.get(m, "acme_rest"),
                   {{"UUID": "serial", "Hostname": "host", "modelName": "product"}.get(k, k): v for k, v in labels.items()},
                   value * 1048576 if "FB" in m else value) for m, labels, value in fleets.dcgm()]
        self.found(self.over(series + fleets.kube()), usable=False)
        program = self.over(series + fleets.kube(), """exporters:
  - name: acme
    title: Acme telemetry
    labels: { uuid: [serial], node: [host], model: [product], index: [gpu] }
    metrics:
      - { name: acme_busy, quantity: gpu_utilization, factor: 0.01 }
      - { name: acme_memory, quantity: memory_used, divisor: 1048576 }
""")
        self.assertFound(self.found(program), "good", "Acme telemetry: 4 devices on 2 nodes")
        self.assertEqual(self.figures(program), TEAMS)
        wrong = self.over(series, "exporters:\n  - { name: acme, labels: { uuid: [serial] }, metrics: [ { name: acme_busy, quantity: speed } ] }\n")
        done = wrong.run("sync", now=fleets.NOW)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn('exporter mapping "acme": acme_busy has the unknown quantity "speed"', done.text)

    def answer(self, program, *arguments, now, status=0):
        done = program.run(*arguments, "--json", now=now)
        self.assertEqual(done.returncode, status, done.text)
        return json.loads(done.stdout), done.text

    def test_stale_data_are_never_called_whole(self):
        program = self.over(fleets.dcgm() + fleets.kube())
        self.figures(program)
        later, since = "2025-04-03T15:00:00Z", ["--from", "2025-03-30T12:00:00Z"]
        fresh, _ = self.answer(program, "idle", now=fleets.NOW)
        self.assertEqual((fresh["data"]["to"], fresh["data"]["age_seconds"], fresh["data"]["stale"]), (fleets.NOW, 0, False))
        old, said = self.answer(program, "idle", now=later, status=1)
        self.assertEqual(old["at"], fleets.NOW)
        self.assertEqual((old["data"]["to"], old["data"]["age_seconds"], old["data"]["stale"]), (fleets.NOW, 4 * 86400, True))
        self.assertEqual(old["data"]["sources"], [{"name": "prod", "to": fleets.NOW, "age_seconds": 4 * 86400, "stale": True}])
        self.assertIn("Data of prod end at 2025-03-30 15:00 (UTC), 4 d before now", said)
        unknown = program.run("idle", "--team", "nobody", now=later)
        self.assertEqual((unknown.returncode, unknown.stdout), (2, b""), unknown.text)
        self.assertIn('--team "nobody" has no GPU time in what was fetched', unknown.text)
        for arguments in (("idle",), ("idle", "--csv")):
            done = program.run(*arguments, now=later)
            self.assertEqual(done.returncode, 1, done.text)
            self.assertIn("4 d before now; what happened since is not known: run gpuledger-cli sync", done.text)
            self.assertNotIn("nothing is idle", done.stdout.decode())
        self.assertEqual(program.run("idle", "--at", "2025-03-30T14:00:00Z", now=later).returncode, 0)  # in that range everything is there

        for way, hours in (("summary", 3), ("summary", 93)):  # the range ends with the data, or is three times as long
            end = fleets.NOW if hours == 3 else later
            answer, _ = self.answer(program, way, *since, "--to", end, now=later)
            total = answer["total"]
            self.assertEqual(answer["data"]["stale"], hours > 3)
            self.assertEqual(total["gpu_hours"]["paid"], 12)  # nothing is made up
            self.assertEqual(total["gpu_hours"]["not_synced"], 0 if hours == 3 else 4 * 96)
            self.assertAlmostEqual(total["coverage"], 1 if hours == 3 else 12 / (12 + 4 * 96), 6)
            self.assertEqual("coverage" in total["figures"], hours == 3)
            for other in (("--by", "node"), ("--by", "device"), ("--cost", "list"), ("--by", "node", "--cost", "list")):
                same, _ = self.answer(program, way, *other, *since, "--to", end, now=later)
                self.assertEqual(same["total"]["gpu_hours"], total["gpu_hours"], other)  # whatever the rows and the money are
        behind, _ = self.answer(program, "summary", "--from", "2025-04-01T00:00:00Z", "--to", later, now=later)
        self.assertEqual((behind["total"]["gpu_hours"]["paid"], behind["total"]["coverage"]), (0, 0))
        self.assertIn("4 d before now", program.healthy("summary", *since, now=later).stdout.decode())
        self.assertIn("GPU-hours more are to be expected", program.healthy("summary", *since, now=later).stdout.decode())
        for arguments in (("heatmap", *since), ("ledger", *since)):
            answer, said = self.answer(program, *arguments, now=later)
            self.assertTrue(answer["data"]["stale"], arguments)
            self.assertIn("4 d before now", said)
            self.assertIn("4 d before now", program.healthy(*arguments, now=later).stdout.decode())
        self.assertIn("4 d before now", program.run("showback", "--month", "2025-04", now=later).text)

        # The server continues without data: a plan queries it, and shows its present answer.
        done = program.run("act", "plan", "prod/ml-vision/train-0/uid-train-0", now=later)
        self.assertEqual(done.returncode, 5, done.text)

    def test_stale_while_the_source_is_down(self):
        program = self.over(fleets.dcgm() + fleets.kube())
        self.figures(program)
        with open(program.config, encoding="utf-8") as file:
            reached = file.read()
        program.configure(reached.replace("http://127.0.0.1:", "http://127.0.0.1:1/").replace("first_sync", "timeout: 3s, first_sync"))
        done = program.run("act", "plan", "prod/ml-vision/train-0/uid-train-0", now="2025-03-30T15:40:00Z")
        self.assertEqual(done.returncode, 5, done.text)
        self.assertIn("is not in the idle list, and its data end before now", done.text)

    def test_never_synced(self):
        program = self.over(fleets.dcgm())
        done = program.run("idle", now=fleets.NOW)
        self.assertEqual(done.returncode, 1, done.text)
        self.assertIn("No data of prod were fetched yet", done.text)
        self.assertNotIn("nothing is idle", done.stdout.decode())

    def test_the_exporter_under_another_name(self):
        """A DaemonSet with an inconspicuous name, with honor_labels: its pod is on every GPU without a holder."""
        for name, series in {"alone": [], "beside state metrics that know no pods": [s for s in fleets.kube() if s[0] != "kube_pod_info"]}.items():
            for held in (True, False):
                with self.subTest(name, held=held):
                    watch = {"namespace": "watch", "container": "metrics"}
                    rows = []
                    for metric, labels, value in fleets.dcgm("true"):
                        own = {**watch, "pod": f"gpu-watch-{labels['Hostname'][-1]}x2"}
                        is_free = labels["pod"] == fleets.EXPORTER["pod"] or not held
                        rows.append((metric, {**labels, **own} if is_free else labels, 0 if is_free and "UTIL" in metric else value))
                    for number, node in enumerate(fleets.NODES, 1):
                        rows.append(("up", {"job": "dcgm-exporter", "instance": f"10.0.0.{number}:9400", **watch,
                                            "pod": f"gpu-watch-{node[-1]}x2"}, 1))
                    program = self.over(rows + series)
                    program.healthy("sync", now=fleets.NOW)
                    idle, _ = self.answer(program, "idle", now=fleets.NOW)
                    names = [item["name"] for item in idle["items"] + idle["unknown"]]
                    self.assertFalse([one for one in names if "watch" in one], names)
                    summary, _ = self.answer(program, "summary", "--by", "workload", "--from", "2025-03-30T12:00:00Z", now=fleets.NOW)
                    holders = [row["key"] for row in summary["rows"] if row["gpu_hours"]["active"] + row["gpu_hours"]["idle"] > 0]
                    self.assertFalse([one for one in holders if "watch" in one], holders)
                    self.assertEqual(any("notebook" in one for one in holders), held, holders)


if __name__ == "__main__":
    unittest.main()
