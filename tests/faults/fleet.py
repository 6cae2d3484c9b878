# SPDX-License-Identifier: GPL-3.0-or-later
"""The built-in demo fleet and its simulated platform, for tests of stops and undos."""
import json
import os
import shutil

from product import CLI, Program

NOW = "2026-10-04T15:00:00Z"
# Idle holders of that fleet at that time.
DEPLOYMENT = "thumbnailer-v1-g6mz8j4f5-dh9v9"
NOTEBOOK = "eval-scratch-0"
POD = "cuda-test"
PROTECTED = "reading-group-0"


class Fleet(Program):
    def __init__(self, folder, like=None):
        super().__init__(folder)
        self.platform = os.path.join(self.data, "simulated-platform.json")
        if like:
            shutil.copytree(like.data, self.data)
        else:
            self.healthy("demo", "--gpus", "64", "--days", "1", "--quiet")

    def command(self, *arguments, now=NOW):
        demo = () if arguments[0] == "demo" else ("--demo",)
        return [CLI, *demo, "--data", self.data, "--now", now, *arguments]

    def run(self, *arguments, now=NOW, **options):
        return super().run(*arguments, now=now, **options)

    def start(self, *arguments, now=NOW):
        return super().start(*arguments, now=now)

    def healthy(self, *arguments, now=NOW, **options):
        return super().healthy(*arguments, now=now, **options)

    def verify(self, now=NOW):
        super().verify(now)

    def json(self, *arguments, status=0, **options):
        done = self.run(*arguments, "--json", **options)
        if done.returncode != status:
            raise AssertionError(f"{arguments}: exit status {done.returncode}, not {status}: {done.text}")
        return json.loads(done.stdout)

    def stop(self, *names, status=0, **options):
        """Types everything that has to be typed."""
        typed = []
        if POD in names:
            for one in json.loads(self.run("act", "plan", *names, "--json").stdout)["actions"]:
                typed += ["--type-name", one["type_name"]] if one["type_name"] else []
        return self.json("act", "stop", *names, "--yes", "--count", str(len(names)), *typed, status=status, **options)

    def log(self):
        """The log, after the outcome of open actions was queried."""
        return self.json("act", "log")["actions"]

    def deeds(self):
        """What really happened at the platform, by uid of the object."""
        if not os.path.exists(self.platform):
            return {}
        with open(self.platform, encoding="utf-8") as file:
            return json.load(file)

    def effects(self):
        """How often a workload was stopped or brought back."""
        return sum(len(d["pauses"]) + sum(1 for p in d["pauses"] if p["until"]) for d in self.deeds().values())
