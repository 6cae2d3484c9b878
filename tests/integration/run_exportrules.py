#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`alerts export-rules` against a real Prometheus and promtool: the exported rules are accepted and pass the tests that come with them; and
over a week of samples they fire when `alerts replay` says so. The recording rules are evaluated into the past by promtool, as the server
would have done; the alerts by query_range. Without the programs it is skipped (77)."""
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

import promserver  # noqa: E402
from product import ProductTest, Program  # noqa: E402

SKIPPED = 77
WRONG_USAGE, WRONG_FILE = 2, 3
DAYS, STEP, QUARTER = 7, 60, 900
END = int(datetime.datetime(2025, 3, 29, tzinfo=datetime.timezone.utc).timestamp())
BEGIN = END - DAYS * 86400
NOW = "2025-03-29T00:00:00Z"
MODEL = "NVIDIA H100 80GB HBM3"


def configured(url, *alerts, more="", zone="UTC"):
    return (f"version: 1\ncurrency: USD\ntime_zone: {zone}\nsources:\n"
            f"  - {{ name: prod, kind: prometheus, url: \"{url}\", cluster: c1, first_sync: {DAYS}d }}\n"
            "prices: { overrides: [ { cluster: c1, usd_per_gpu_hour: \"2.00\" } ] }\n" + more + "alerts:\n" + "".join(alerts))


def alert(name, metric, per, bound, when="", more=""):
    return f"  - {{ name: {name}, when: {{ metric: {metric}, per: {per}, {bound}{when} }}{more} }}\n"


# Each bound is far from what the metric is at a full quarter of an hour before or after a change, even if that is seen 5 minutes later.
WEEK = (alert("idle-cost", "idle-cost", "team", "above: 90 USD/day", ", for: 1h", ", severity: critical"),
        alert("idle-hours", "idle-hours", "pool", "above: 45 h/day"),
        alert("low", "utilization", "team", "below: 25 %", ", for: 30m"),
        alert("unused", "allocation-without-use", "team", "above: 47 %"),
        alert("free", "unallocated", "all", "above: 1.25 GPU"),
        alert("free-cost", "unallocated", "cluster", "above: 60 USD/day"))
# Of other scopes, with hysteresis and working hours.
MORE = (alert("hours", "idle-hours", "all", "above: 40 h/day", "", ", hysteresis: 0.2"),
        alert("cluster-low", "utilization", "cluster", "below: 1.5"),
        alert("pool.low", "utilization", "pool", "below: 30 %", ", for: 45m", ", working_hours: \"mon-fri 8-18, sun 22-24\""),
        alert("pool-free", "unallocated", "pool", "above: 2 GPU"))
REFUSED = (alert("spent", "budget", "team", "above: 80 %"), alert("soon", "forecast", "cluster", "above: 100 %"),
           alert("owned", "attribution-coverage", "all", "below: 95 %"), alert("team-free", "unallocated", "team", "above: 8 GPU"))


def activity(gpu, hour):
    """The holder (namespace, pod) or None, and the activity in percent."""
    if gpu < 4:
        return ("vision", f"train-{gpu}"), 0 if gpu < 3 and 2 <= hour < 9 else 90
    if gpu < 6:
        return ("speech", f"serve-{gpu}"), 10 if 12 <= hour < 20 else 50
    return (None, 0) if 1 <= hour < 11 else (("audio", f"fit-{gpu}"), 80)


def series(name, labels):
    return name + "{" + ",".join(f'{key}="{value}"' for key, value in labels.items()) + "}"


def samples(day):
    """The OpenMetrics text of a day."""
    times = range(BEGIN + day * 86400, BEGIN + (day + 1) * 86400, STEP)
    lines = ["# TYPE DCGM_FI_DEV_GPU_UTIL gauge"]
    for gpu in range(8):
        node = f"n{gpu // 4 + 1}"
        device = {"UUID": f"GPU-{gpu:08d}", "gpu": gpu % 4, "Hostname": node, "modelName": MODEL, "instance": node + ":9400", "job": "dcgm"}
        for time in times:
            holder, percent = activity(gpu, time // 3600 % 24)
            labels = {**device, "exported_namespace": holder[0], "exported_pod": holder[1]} if holder else device
            lines.append(f"{series('DCGM_FI_DEV_GPU_UTIL', labels)} {percent} {time}")
    for name, more in (("kube_node_info", {}), ("kube_node_labels", None)):
        lines.append(f"# TYPE {name} gauge")
        for node, pool in (("n1", "train"), ("n2", "serve")):
            labels = {"node": node, "job": "ksm", **({"label_nodepool": pool} if more is None else more)}
            lines += [f"{series(name, labels)} 1 {time}" for time in times]
    return "\n".join(lines) + "\n# EOF\n"


def parsed(text):
    """(kind, name, expression, for in seconds, the whole entry) of each rule of a file of ours."""
    out = []
    for entry in re.split(r"^(?=  - (?:record|alert): )", text, flags=re.M)[1:]:
        kind, name = re.match(r'  - (record|alert): "?([^"\n]+)"?\n', entry).groups()
        expression = re.search(r"    expr: \|-\n((?:      .*\n)+)", entry).group(1)
        lasts = re.search(r"^    for: (\d+)s$", entry, flags=re.M)
        out.append((kind, name, expression, int(lasts.group(1)) if lasts else 0, re.sub(r"^  #.*\n", "", entry, flags=re.M)))
    return out


def in_stages(records):
    """Groups of recording rules, each of which uses those of earlier groups alone."""
    names = {name for _, name, *_ in records}
    level = {}
    for _, name, expression, *_ in records:
        used = (set(re.findall(r"gpuledger:[a-z0-9_:]+", expression)) & names) - {name}
        level[name] = 1 + max((level[one] for one in used), default=0)
    return [[one for one in records if level[one[1]] == stage] for stage in range(1, max(level.values()) + 1)]


def promtool(*arguments, folder=None):
    return subprocess.run([promserver.binary("PROMTOOL"), *arguments], cwd=folder, capture_output=True, text=True, timeout=600, check=False)


class ExportTest(ProductTest):
    def exported(self, config):
        """The answer, the text of the rules and the folder."""
        program = Program(self.folder, config)
        folder = os.path.join(self.folder, "rules")
        answer = json.loads(program.healthy("alerts", "export-rules", "--out", folder, "--json", now=NOW).stdout)
        with open(os.path.join(folder, "prod.rules.yml"), encoding="utf-8") as file:
            return answer, file.read(), folder

    def checked(self, folder, *names):
        done = promtool("check", "rules", *names, folder=folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        tests = [name.replace(".rules.yml", ".rules_test.yml") for name in names]
        done = promtool("test", "rules", *tests, folder=folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def backfilled(self, server, records, folder):
        """Evaluates the recording rules over the week, as a server that had them would have done."""
        # Every 5 minutes instead of every minute, which shifts values by as much. When in them follows from the path, so that all stages must
        # have the same one.
        path = os.path.join(folder, "stage.yml")
        for stage in in_stages(records):
            with open(path, "w", encoding="utf-8") as file:
                file.write("groups:\n- name: gpuledger\n  interval: 5m\n  rules:\n" + "".join(entry for *_, entry in stage))
            done = promtool("tsdb", "create-blocks-from", "rules", f"--start={BEGIN}", f"--end={END}", f"--url={server.url}",
                            f"--output-dir={server.data}", path)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            server.stop()
            server.start()

    def intervals(self, server, expression, lasts, per):
        """(scope, from, to) of each time that an alert fires."""
        labels = {"all": [], "pool": ["cluster", "pool"]}.get(per, [per])
        query = urllib.parse.urlencode({"query": expression, "start": BEGIN, "end": END, "step": QUARTER})
        with promserver.NO_PROXY.open(f"{server.url}/api/v1/query_range?{query}", timeout=120) as answer:
            result = json.load(answer)["data"]["result"]
        out = []
        for one in result:
            scope = "/".join(one["metric"].get(label, "") for label in labels) or "all"
            times = [int(time) for time, _ in one["values"]]
            begin = 0
            for i, time in enumerate(times):
                if i + 1 == len(times) or times[i + 1] - time > QUARTER:
                    fires = times[begin] + lasts
                    if fires <= time:
                        out.append((scope, fires, time + QUARTER))
                    begin = i + 1
        return sorted(out)

    def test_over_a_week_they_fire_as_the_engine_does(self):
        chunks = (samples(day) for day in range(DAYS))
        server = promserver.Server(os.path.join(self.folder, "server"), "prometheus", chunks, step=STEP, lookback=300)
        with server:
            program = Program(self.folder, configured(server.url, *WEEK))
            program.healthy("sync", now=NOW, timeout=600)
            answer, text, folder = self.exported(configured(server.url, *WEEK))
            self.assertEqual(answer["not_exported"], [])
            self.assertEqual(answer["exported"], ["idle-cost", "idle-hours", "low", "unused", "free", "free-cost"])
            self.checked(folder, "prod.rules.yml")
            rules = parsed(text)
            self.backfilled(server, [one for one in rules if one[0] == "record"], folder)
            for kind, name, expression, lasts, entry in rules:
                if kind == "record":
                    continue
                replay = json.loads(program.healthy("alerts", "replay", name, "--from", "2025-03-22", "--json", now=NOW).stdout)
                engine = sorted((one["scope"], seconds(one["from"]), seconds(one["to"]) if one["to"] else END) for one in replay["fired"] if not one["before"])
                ours = self.intervals(server, expression, lasts, re.search(r"per: (\w+)", entry).group(1))
                self.assertGreaterEqual(len(engine), DAYS - 1, name)
                self.assertEqual([one[0] for one in ours], [one[0] for one in engine], (name, ours, engine))
                for (_, begin, end), (scope, began, ended) in zip(ours, engine):
                    self.assertLessEqual(abs(begin - began), QUARTER, (name, scope, ours, engine))
                    self.assertLessEqual(abs(end - ended), QUARTER, (name, scope, ours, engine))

    def test_what_prometheus_cannot_know_is_named(self):
        server = promserver.Server(os.path.join(self.folder, "server"), "prometheus", iter([samples(DAYS - 1)]), step=STEP)
        with server:
            config = configured(server.url, *WEEK, *MORE, *REFUSED)
            Program(self.folder, config).healthy("sync", now=NOW, timeout=600)
            answer, text, folder = self.exported(config)
            self.assertEqual([one["rule"] for one in answer["not_exported"]], ["spent", "soon", "owned", "team-free"])
            for one in answer["not_exported"]:
                self.assertIn(f"# not exported: {one['rule']}: {one['reason']}\n", text)
            self.assertEqual(len(answer["exported"]), len(WEEK) + len(MORE))
            self.assertEqual([os.path.basename(one) for one in answer["files"]], ["prod.rules.yml", "prod.rules_test.yml"])
            self.checked(folder, "prod.rules.yml")
            shown = Program(self.folder, config).healthy("alerts", "export-rules", now=NOW).stdout.decode()
            self.assertEqual(shown, text)
            # A changed rule fails its test: the tests say something.
            shutil.copytree(folder, os.path.join(self.folder, "changed"))
            with open(os.path.join(self.folder, "changed", "prod.rules.yml"), "w", encoding="utf-8") as file:
                file.write(text.replace("> 1.25", "> 12.5"))
            done = promtool("test", "rules", "prod.rules_test.yml", folder=os.path.join(self.folder, "changed"))
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)

    def test_owners_and_zones(self):
        """Nothing needs to be fetched, but for costs."""
        owners = ("owners:\n  - { label: team }\n  - { namespace_label: cost-center }\n  - { namespace: \"a$b\\\"c\", team: 'x$1 {{ \"y\" }}' }\n"
                  "  - { namespace: '^(?P<team>[a-z]+)-.*$', regex: true }\n  - { namespace: ml-, prefix: true, team: \"\\u00fcber\" }\n"
                  "  - { default: true, team: rest }\n")
        quiet = alert("low", "utilization", "team", "below: 25 %", "", ", working_hours: mon-fri 8-18")
        url = "http://127.0.0.1:9"
        answer, _, folder = self.exported(configured(url, quiet, alert("cost", "idle-cost", "all", "above: 5 USD/day"), more=owners))
        self.assertEqual(answer["exported"], ["low"])
        self.assertEqual([one["rule"] for one in answer["not_exported"]], ["cost"])  # nothing has a price yet
        self.checked(folder, "prod.rules.yml")
        answer, *_ = self.exported(configured(url, quiet, zone="Europe/Berlin"))
        self.assertIn("Europe/Berlin", answer["not_exported"][0]["reason"])
        answer, *_ = self.exported(configured(url, quiet, more="owners: [ { node_pool: a, team: b }, { namespace: c } ]\n"))
        self.assertIn("node_pool a", answer["not_exported"][0]["reason"])

    def test_each_source_has_files_of_its_own(self):
        other = "  - { name: x.y, kind: prometheus, url: \"http://127.0.0.1:9\" }\n"
        config = configured("http://127.0.0.1:9", alert("a", "utilization", "team", "below: 25 %"), alert("b", "utilization", "cluster", "below: 25 %"))
        config = config.replace("prices:", other + "prices:")
        answer, _, folder = self.exported(config)
        self.assertEqual(sorted(os.listdir(folder)), ["prod.rules.yml", "prod.rules_test.yml", "x_y.rules.yml", "x_y.rules_test.yml"])
        self.assertEqual((answer["exported"], [one["rule"] for one in answer["not_exported"]]), (["b"], ["a"]))
        self.checked(folder, "prod.rules.yml", "x_y.rules.yml")
        self.assertEqual(Program(self.folder, config).run("alerts", "export-rules", now=NOW).returncode, WRONG_USAGE)

    def test_without_a_prometheus_there_is_nothing_to_export(self):
        config = "version: 1\nsources:\n  - { name: demo, kind: demo, gpus: 8, days: 1 }\nalerts:\n" + WEEK[3]
        self.assertNotEqual(Program(self.folder, config).run("alerts", "export-rules", now=NOW).returncode, 0)


def seconds(time):
    return int(datetime.datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp())


if __name__ == "__main__":
    if not promserver.available("prometheus"):
        print("prometheus and promtool are not installed")
        sys.exit(SKIPPED)
    unittest.main()
