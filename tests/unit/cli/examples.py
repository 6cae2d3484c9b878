# SPDX-License-Identifier: GPL-3.0-or-later
"""Every example of every --help runs, on a demo fleet of 36 days; names that belong to a company are replaced by those of the fleet."""
import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "tools/dev"), str(ROOT / "tests/faults")]
import clireference  # noqa: E402
from fleet import Fleet  # noqa: E402
from product import CLI, DEFECTS, sanitizer  # noqa: E402

NOW = "2026-11-04T15:00:00Z"
WORKLOAD = "research/notebook-7-0"
# Commands that read the configuration: their source `prod` is a small demo fleet.
CONFIGURED = ("alerts", "sync", "sources", "rules", "watch")
# What this machine does not have, and what would take minutes.
REPLACED = {"https://prometheus.example.org": "http://127.0.0.1:1", "keychain:prom-prod": "env:PROM_TOKEN",
            "gpuledger-cli watch": "gpuledger-cli watch --once",
            "alerts test oncall": "alerts test --help", "alerts ack KEY": "alerts ack --help",
            "alerts export-rules --out rules": "alerts export-rules --help",  # needs a source that is a Prometheus
            "gpuledger-cli demo": "gpuledger-cli demo --gpus 8 --days 2"}
CONFIGURATION = "version: 1\ncurrency: USD\ntime_zone: UTC\nsources:\n  - { name: prod, kind: demo, gpus: 8, days: 8, first_sync: 8d }\n" \
    "alerts:\n  - { name: idle-cost, when: { metric: idle-cost, per: team, above: 1000000 USD/day, for: 2h } }\n"
# The program that the examples call: it has this clock, and the demo fleet where the command needs no configuration.
WRAPPER = """#!/bin/sh
for word; do
    case $word in
        {configured}) exec {cli} --config {folder}/config.yaml --data {folder}/prod --now {now} "$@" ;;
        demo|--demo|completion|--report) exec {cli} --data {folder}/fresh --now {now} "$@" ;;
        -*) ;;
        *) exec {cli} --demo --data {folder}/data --now {now} "$@" ;;
    esac
done
"""


def examples():
    return [(words, line) for words, text in clireference.commands(CLI) for line in clireference.examples(text)]


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="gpuledgerexample")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.fleet = Fleet.__new__(Fleet)
        super(Fleet, cls.fleet).__init__(str(cls.folder), CONFIGURATION)
        cls.fleet.healthy("demo", "--gpus", "24", "--days", "36", "--quiet", now=NOW)
        wrapper = cls.folder / "bin/gpuledger-cli"
        wrapper.parent.mkdir()
        wrapper.write_text(WRAPPER.format(configured="|".join(CONFIGURED), cli=CLI, folder=cls.folder, now=NOW), "utf-8")
        wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
        (cls.folder / ".local/share/bash-completion/completions").mkdir(parents=True)
        cls.fleet.environment.update(PATH=f"{wrapper.parent}:{os.environ['PATH']}", PROM_TOKEN="secret", ASAN_OPTIONS=sanitizer("detect_leaks=1"))

    def call(self, line):
        done = subprocess.run(["sh", "-c", line], cwd=self.folder, env=self.fleet.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=300, check=False)
        for mark in DEFECTS:
            self.assertNotIn(mark, done.stderr)
        self.assertEqual(done.returncode, 0, f"{line}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return done.stdout

    def stoppable(self):
        """An idle workload that may be stopped now."""
        for item in json.loads(self.call("gpuledger-cli idle --json"))["items"]:
            plan = self.fleet.run("act", "plan", item["id"], "--json", now=NOW)
            parsed = json.loads(plan.stdout)
            (planned,) = parsed["actions"]
            if planned["state"] == "checked" and not planned["type_name"] and not parsed["needs_count"]:
                return item["id"]
        self.fail("nothing can be stopped")

    def ready(self, line):
        """The example with names of the fleet, after what it needs was done."""
        for name, here in REPLACED.items():
            line = line.replace(name, here)
        if WORKLOAD in line:
            line = line.replace(WORKLOAD, f"'{self.stoppable()}'")
        if "act undo" in line:
            stopped = json.loads(self.call("gpuledger-cli act log --json"))["actions"]
            line = line.replace(" 12", f" {stopped[0]['id']}")
        for proposal in ("right-size:prod/ml/Deployment/chat", "schedule:prod/ml/Notebook/eva"):
            if proposal in line:
                listed = json.loads(self.call("gpuledger-cli savings --json"))["items"]
                line = line.replace(proposal, "'" + listed[-1]["id"] + "'")
        if "act release" in line:
            idle = json.loads(self.call("gpuledger-cli idle --json"))["items"][0]["id"]
            kept = json.loads(self.call(f"gpuledger-cli act keep '{idle}' --as protect --reason test --json"))
            line = line.replace(" 3", f" {kept['id']}")
        if ("act stop" in line or "act undo" in line) and "--yes" not in line:
            line += " --yes"  # there is no terminal to answer on
        if "sources add prod" in line:
            line = line.replace("add prod", "add other")  # `prod` is there
        if "--config ./config.yaml" in line:
            line = line.replace("./config.yaml", "./sample.yaml")
        if "october.gpureport" in line and not (self.folder / "october.gpureport").exists():
            self.call("gpuledger-cli showback --month 2026-10 --format gpureport --out october.gpureport")
        return line

    def test_every_example_runs(self):
        seen = examples()
        self.assertGreater(len(seen), 30)
        for words, line in seen:
            with self.subTest(" ".join(words) + ": " + line):
                self.call(self.ready(line))

    def test_the_demo_has_a_folder_of_its_own(self):
        home = self.folder / "home"
        home.mkdir()
        environment = {**self.fleet.environment, "HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "XDG_CONFIG_HOME": str(home)}

        def run(*words):
            done = subprocess.run([CLI, "--now", NOW, *words], env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
                                  check=False)
            self.assertEqual(done.returncode, 0, done.stderr[-2000:])
            return done.stdout
        run("demo", "--gpus", "8", "--days", "2", "--quiet")
        summary = json.loads(run("--demo", "summary", "--by", "cluster", "--json"))
        self.assertTrue(summary["rows"])
        self.assertEqual([path.name for path in (home / "data/gpuledger").iterdir()], ["demo"])


if __name__ == "__main__":
    unittest.main()
