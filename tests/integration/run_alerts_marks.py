#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What an alert marks to be stopped, and how owners object at the object: `watch` with a real Prometheus, a webhook, a Slack and a Kubernetes
API server, in real time, because no real platform is written to at another one. Of four idle Deployments, three owners object there, each in
their own way; only the fourth is stopped. Once with the fake API server, and once with a kube-apiserver where there is one (GPULEDGER_APISERVER,
or build/apiserver). Without prometheus and promtool it is skipped (77)."""
import json
import os
import re
import sys
import tempfile
import time
import unittest
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

import livefleet  # noqa: E402
import promserver  # noqa: E402
import realkube  # noqa: E402
from livefleet import Pod  # noqa: E402
from product import Program, ProductTest, edited  # noqa: E402
from receivers import SECRET, Receiver  # noqa: E402

SKIPPED = 77
PAST, AHEAD = 3 * 3600, 1800  # seconds of data before and after the start
KEEP, STOP_AT, REASON = (f"gpu-ledger.io/{name}" for name in ("keep-until", "stop-at", "stop-reason"))
LATER = "2099-12-31T00:00:00Z"
# How the owner objects, as a change of the annotations, and what the program says then.
OBJECTIONS = {"kept": {KEEP: LATER}, "removed": {STOP_AT: None}, "moved": {STOP_AT: LATER}}
QUIET = "quiet"  # nobody objects
PERMITTED = "actions: { stop_marked: true, max_team_share: 1 }\n"


class LiveProgram(Program):
    """With the clock of the computer."""

    def command(self, *arguments, now=None):
        return [part for part in super().command(*arguments, now="") if part not in ("--now", "")]


class Owner:
    """Reads and changes the annotations of a Deployment, as kubectl does."""

    def __init__(self, kube):
        self.url = f"https://127.0.0.1:{kube.port}" if kube.is_real else kube.fake.url
        handlers = [urllib.request.HTTPSHandler(context=kube.context)] if kube.is_real else []
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), *handlers)

    def annotations(self, name, change=None):
        body = None if change is None else json.dumps({"metadata": {"annotations": change}}).encode()
        request = urllib.request.Request(self.url + livefleet.PATHS["Deployment"] + "/" + name, data=body, method="PATCH" if body else "GET",
                                         headers={"Authorization": "Bearer admin-canary", "Content-Type": "application/merge-patch+json"})
        with self.opener.open(request, timeout=30) as answer:
            return json.load(answer)["metadata"].get("annotations") or {}


class MarksTest(ProductTest):
    apiserver = ""  # as GPULEDGER_APISERVER

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        before = os.environ.get("GPULEDGER_APISERVER")
        os.environ["GPULEDGER_APISERVER"] = cls.apiserver
        cls.addClassCleanup(cls.restore, before)
        livefleet.PAST, past = PAST, livefleet.PAST
        cls.addClassCleanup(setattr, livefleet, "PAST", past)

    @staticmethod
    def restore(before):
        if before is None:
            del os.environ["GPULEDGER_APISERVER"]
        else:
            os.environ["GPULEDGER_APISERVER"] = before

    def serve(self, names, actions=PERMITTED):
        self.receiver = Receiver()
        self.addCleanup(self.receiver.close)
        self.kube = livefleet.Kube()
        self.kube.__enter__()
        self.addCleanup(self.kube.__exit__)
        pods = [Pod(name, interval=30) for name in names]
        for pod in pods:
            self.kube.add(pod)
        telemetry = livefleet.Telemetry(pods, ahead=AHEAD)
        telemetry.__enter__()
        self.addCleanup(telemetry.__exit__)
        self.owner = Owner(self.kube)
        folder = tempfile.mkdtemp(dir=self.folder)
        self.program = LiveProgram(folder, (
            "version: 1\ncurrency: USD\ntime_zone: UTC\nsources:\n"
            f"  - {{ name: prom, kind: prometheus, url: \"{telemetry.url}\", cluster: prod, first_sync: 3h }}\n"
            f"  - {{ name: kube, kind: kubernetes, cluster: prod, kubeconfig: \"{self.kube.kubeconfig}\", rights: [read, stop] }}\n"
            "owners:\n  - { label: team }\n  - { default: unowned }\n"
            "prices: { overrides: [ { cluster: prod, usd_per_gpu_hour: \"2.00\" } ] }\n"
            "idle:\n  grace: { notebook: 30m, development: 30m, training: 30m, batch: 30m, inference: 30m, unknown: 30m }\n" + actions +
            "targets: [ { name: hook, kind: webhook, url: env:HOOK_URL, secret: env:HOOK_SECRET }, { name: slack, kind: slack, url: env:SLACK_URL }, "
            "{ name: owners, kind: webhook, url: env:OWNERS_URL }, { name: others, kind: webhook, url: env:OTHERS_URL } ]\n"
            "routes: [ { team: vision, send: [owners] }, { team: speech, send: [others] } ]\n"
            "alerts: [ { name: idle, when: { metric: idle-cost, per: team, above: 20 USD/day }, send: [hook, slack], mark: { after: 10m } } ]\n"))
        self.program.environment.update(HOOK_URL=self.receiver.url("hook"), SLACK_URL=self.receiver.url("slack"), HOOK_SECRET=SECRET,
                                        OWNERS_URL=self.receiver.url("owners"), OTHERS_URL=self.receiver.url("others"))

    def round(self, *events):
        lines = [json.loads(line) for line in self.program.healthy("watch", "--once").stdout.decode().splitlines()]
        self.assertEqual([line for line in lines if line.get("error")], [])
        return [line for line in lines if line["event"] in events]

    @staticmethod
    def by_name(lines):
        """One line for each Deployment: a holder is cluster/namespace/pod/uid."""
        out = {line["holder"].split("/")[2]: line for line in lines}
        assert len(out) == len(lines), lines
        return out

    def marked(self, *names):
        """The first round: the alert fires, is told, and marks; the marks by name."""
        marks = self.by_name(self.round("alert-mark"))
        self.assertEqual({name: (mark["state"], mark["rule"], mark["noted"]) for name, mark in marks.items()},
                         {name: ("marked", "idle", True) for name in names})
        for name, mark in marks.items():
            told = self.owner.annotations(name)
            self.assertEqual(told[STOP_AT], mark["until"])
            self.assertTrue(told[REASON].startswith("alert idle: idle-cost above 20 USD/day in vision since "), told)
        return marks

    def told_owners(self, state):
        """What the owners were told of marks, once each; by the name of the Deployment, which begins that of its pod."""
        told = [body for body in self.receiver.bodies("owners") if body["resource"]["kind"] == "workload" and body["state"] == state]
        out = {next(name for name in (QUIET, *OBJECTIONS) if f"/{name}" in body["resource"]["name"]): body for body in told}
        self.assertEqual(len(out), len(told), told)
        return out

    def let_time_pass(self, count):
        """The notice of ten minutes is over: shortened in the file."""
        with edited(self.program.cache) as cache:
            changed = cache.execute("UPDATE lease SET until = ? WHERE kind = 'stop-after'", (int(time.time()) - 1,)).rowcount
        self.assertEqual(changed, count)

    def endings(self):
        """How each mark ended, as the history of the months has it."""
        entries = json.loads(self.program.healthy("showback", "--history", "--json").stdout)["entries"]
        marks = [entry["details"]["mark"] for entry in entries if isinstance(entry["details"], dict) and "mark" in entry["details"]]
        return [mark["end"] for mark in marks if "end" in mark]  # not a notice that a slow first round gave anew

    def test_an_owners_objection_keeps_it_alive(self):
        self.serve([QUIET, *OBJECTIONS])
        marks = self.marked(QUIET, *OBJECTIONS)
        notice, = self.receiver.bodies("hook")
        self.assertEqual((notice["state"], notice["resource"]["name"]), ("firing", "vision"))
        self.assertIn(KEEP, notice["consequence"])  # how to object
        self.assertEqual(len(self.receiver.bodies("slack")), 1)
        begun = self.told_owners("firing")
        for name, mark in marks.items():
            told = begun.pop(name)
            self.assertEqual((told["rule"]["name"], told["resource"]["owner"]), ("marks of idle", "vision"))
            stop = re.fullmatch(r".* is marked to be stopped at (\S+): idle-cost above 20 USD/day in vision since .*", told["summary"]).group(1)
            self.assertGreaterEqual(stop, mark["until"])  # later where a slow first round gave the notice anew
            self.assertIn(KEEP, told["consequence"])
            self.assertTrue(told["command"].startswith("gpuledger-cli act keep "), told["command"])
            self.assertIn(mark["holder"], told["command"])
        self.assertEqual(begun, {})
        self.assertEqual(self.kube.stopped(), set())  # nothing at once
        for name, change in OBJECTIONS.items():
            self.owner.annotations(name, change)
        self.let_time_pass(1 + len(OBJECTIONS))
        ends = self.by_name(self.round("mark"))
        self.assertEqual({name: (end["state"], end["reason"]) for name, end in ends.items()},
                         {QUIET: ("over", "stopped"), **{name: ("over", "objected") for name in OBJECTIONS}})
        self.assertEqual(self.kube.stopped(), {QUIET})
        for name, part in {"kept": f"{KEEP}: {LATER}", "removed": f"{STOP_AT}: removed", "moved": f"{STOP_AT}: {LATER}"}.items():
            self.assertIn(part, ends[name]["detail"])
        over = {name: told["summary"] for name, told in self.told_owners("resolved").items()}
        self.assertEqual(set(over), {QUIET, *OBJECTIONS})
        for name, summary in over.items():
            self.assertTrue(summary.endswith("was stopped, as announced" if name == QUIET else "is not stopped, because somebody objected"), summary)
        self.assertEqual(sorted(self.endings()), ["objected"] * len(OBJECTIONS) + ["stopped"])
        action, = json.loads(self.program.healthy("act", "log", "--json").stdout)["actions"]
        self.assertEqual((action["state"], action["actor"], action["target"]["name"]), ("verified", "watch for alert idle", QUIET))
        self.assertTrue(action["reason"].startswith("idle-cost above 20 USD/day in vision since "), action["reason"])
        # The objections hold: nothing is marked again, and nothing is announced any more.
        again = self.round("alert-mark", "mark")
        self.assertEqual([line for line in again if line["event"] == "mark" or line["state"] != "left-out"], [])
        self.assertEqual(self.owner.annotations("kept"), {KEEP: LATER})
        for name in ("removed", "moved"):
            self.assertEqual(set(self.owner.annotations(name)) & {STOP_AT, REASON}, set())
        self.assertEqual(self.kube.stopped(), {QUIET})
        self.assertEqual(len(self.receiver.bodies("slack")), 1)  # told once
        self.told_owners("firing")
        self.assertEqual(self.receiver.bodies("others"), [])

    def test_not_permitted(self):
        self.serve([QUIET], actions="")
        self.assertEqual(self.round("alert-mark", "mark"), [])
        notice, = self.receiver.bodies("hook")
        self.assertIsNone(notice["consequence"])
        self.assertEqual(self.owner.annotations(QUIET), {})
        self.assertEqual(self.kube.stopped(), set())


class RealMarks(MarksTest):
    apiserver = "1"

    @classmethod
    def setUpClass(cls):
        cls.apiserver = os.environ.get("GPULEDGER_APISERVER") or "1"
        server = realkube.server()
        if isinstance(server, str):
            raise unittest.SkipTest(server)
        super().setUpClass()


if __name__ == "__main__":
    if not promserver.available("prometheus"):
        print("prometheus and promtool are not installed")
        sys.exit(SKIPPED)
    unittest.main()
