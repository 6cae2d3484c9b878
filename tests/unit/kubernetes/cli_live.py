# SPDX-License-Identifier: GPL-3.0-or-later
"""A workload is never stopped if any of its newest samples shows it as active: the command line with a real Prometheus that scrapes, or that
has samples at chosen seconds, and an API server. Next to each active workload, an idle one is stopped.

GPULEDGER_LIVE_ALL=1 covers every time, level, device, scrape interval and place in a bucket (about eleven minutes); otherwise some of them.
GPULEDGER_APISERVER names a kube-apiserver (1: the one in build/apiserver); otherwise a fake one is used."""
import collections
import datetime
import json
import os
import pathlib
import pty
import select
import subprocess
import sys
import tempfile
import threading
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "faults"), str(HERE.parents[1] / "support")]

import livefleet  # noqa: E402
import promserver  # noqa: E402
import thanos  # noqa: E402
from livefleet import Pod  # noqa: E402
from product import Program, ProductTest, edited  # noqa: E402

REFUSED = 5
EVERY = os.environ.get("GPULEDGER_LIVE_ALL") == "1"
SCRAPE = 2  # seconds
BEFORE = (5, 15, 60, 240)  # seconds before the click
LEVELS = {6: 0.06, 100: 1.0}
KINDS = {"one": {}, "eight": {"gpus": 8}, "mig": {"mig": True}}
INTERVALS = (5, 15, 30, 60)
PLACES = {"begin": (0, 30), "middle": (135, 165), "end": (270, 299)}  # of a bucket of five minutes
APART = 40 if EVERY else 10  # seconds between two clicks
SET_UP = 100 if EVERY else 20  # seconds until the first click


class LiveProgram(Program):
    def command(self, *arguments, now=None):
        return [part for part in super().command(*arguments, now="") if part not in ("--now", "")]


def until(condition, seconds=60):
    limit = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > limit:
            raise AssertionError("timed out")
        time.sleep(0.1)


class LiveTest(ProductTest):
    pods = ()
    kind, backend = livefleet.Telemetry, "prometheus"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not promserver.available(cls.backend):
            raise unittest.SkipTest(cls.backend + " is not installed")

    @classmethod
    def serve(cls, pods, **telemetry):
        cls.pods = {pod.name: pod for pod in pods}
        cls.kube = cls.enterClassContext(livefleet.Kube())
        for pod in pods:
            cls.kube.add(pod)
        cls.telemetry = cls.enterClassContext(cls.kind(pods, backend=cls.backend, **telemetry))
        cls.program = LiveProgram(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="gpuledgerlive")), (
            'version: 1\ncurrency: USD\ntime_zone: UTC\nsources:\n'
            f'  - {{ name: prom, kind: prometheus, url: "{cls.telemetry.url}", cluster: prod, first_sync: 44m }}\n'
            f'  - {{ name: kube, kind: kubernetes, cluster: prod, kubeconfig: "{cls.kube.kubeconfig}", rights: [read, stop] }}\n'
            'owners:\n  - { label: team }\n  - { default: unowned }\n'
            'actions: { max_team_share: 1, max_per_action: 1000, max_per_hour: 1000, stop_marked: true }\n'
            'idle:\n  grace: { notebook: 30m, development: 30m, training: 30m, batch: 30m, inference: 30m, unknown: 30m }\n'))
        cls.program.healthy("sync")

    def act(self, *arguments):
        """Its exit status, and its actions by the name of the Deployment."""
        done = self.program.run("act", *arguments, "--json")
        self.assertIn(done.returncode, (0, REFUSED), f"{arguments}: {done.text}")
        return done.returncode, self.actions(done)

    def actions(self, done):
        self.assertTrue(done.stdout, done.text)
        return {self.name(one): one for one in json.loads(done.stdout)["actions"]}

    @staticmethod
    def name(action):
        """The name of the Deployment; for one that is not in the idle list, only the typed name is known."""
        return action["target"]["name"] if action["target"] else (action["holders"][0].split("/") + 2 * [""])[2] or action["holders"][0]

    def reason(self, action):
        """The name and reason of the single failed check; for a refusal at the last moment, what was recorded."""
        bad = [check for check in action["checks"] if check["passed"] is False]
        return (bad[0]["name"], bad[0]["reason"]) if bad else action.get("result") or action["state"]

    def works(self, *names, level=1.0):
        """Active from now on, and a scrape has recorded it."""
        for name in names:
            self.pods[name].level = lambda second: level
        until(lambda: all(self.telemetry.newest(self.pods[name])[1] >= level - 0.001 for name in names))


class Scraped(LiveTest):
    """With a server that scrapes an exporter every two seconds."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        names = ("rests", "gone", "asked", "calm", "first", "second", "third", "brief", "marked", "due", "spare", "other")
        cls.serve([Pod(name, interval=SCRAPE) for name in names]
                  + [Pod("young", gpus=8, interval=SCRAPE), Pod("slice", mig=True, interval=SCRAPE)], scrapes=SCRAPE)

    def refused(self, name, action, *reasons):
        self.assertEqual(action["state"], "refused", action)
        self.assertIn(self.reason(action), [("still-idle", reason) for reason in reasons], action)
        self.assertEqual(self.kube.replicas(name), 1)

    def test_1_what_rests_is_stopped(self):
        status, told = self.act("stop", "rests", "--yes")
        self.assertEqual((status, told["rests"]["state"]), (0, "verified"), told)
        self.assertEqual(self.kube.replicas("rests"), 0)

    def test_2_what_one_scrape_saw_at_work(self):
        for name in ("young", "slice"):
            _, told = self.act("plan", name)
            self.assertEqual(told[name]["state"], "checked", told)
        self.works("young", "slice", level=0.06)
        status, told = self.act("stop", "young", "slice", "--yes")
        self.assertEqual(status, REFUSED)
        for name in ("young", "slice"):
            self.refused(name, told[name], "active")

    def test_3_an_exporter_that_is_gone(self):
        def planned():
            return self.act("plan", "gone")[1]["gone"]
        self.assertEqual(planned()["state"], "checked")
        self.telemetry.exporter.is_gone = True
        self.addCleanup(setattr, self.telemetry.exporter, "is_gone", False)
        at = time.time()
        until(lambda: time.time() > at + 3 * SCRAPE + 1 and self.telemetry.ask('up{job="dcgm"}')[0][1] == 0)
        status, told = self.act("stop", "gone", "--yes")
        self.assertEqual(status, REFUSED)
        self.refused("gone", told["gone"], "stale")
        self.telemetry.exporter.is_gone = False
        until(lambda: self.telemetry.ask('up{job="dcgm"}')[0][1] == 1 and self.telemetry.newest(self.pods["gone"])[0])
        self.assertEqual(planned()["state"], "checked")

    def confirmed(self, name, meanwhile):
        """Confirms at a terminal; `meanwhile` happens between the plan and the answer."""
        master, slave = pty.openpty()
        running = subprocess.Popen(self.program.command("act", "stop", name), env=self.program.environment, stdin=slave, stderr=slave,
                                   stdout=subprocess.PIPE)
        os.close(slave)
        text = b""

        def more():
            nonlocal text
            if not select.select([master], [], [], 60)[0]:
                return False
            try:
                part = os.read(master, 4096)
            except OSError:
                part = b""
            text += part
            return bool(part)
        while b"[y/N]" not in text and more():
            pass
        self.assertIn(b"[y/N]", text)
        meanwhile()
        os.write(master, b"y\n")
        while more():
            pass
        running.communicate(timeout=120)
        os.close(master)
        return running.returncode, text.decode(errors="replace")

    def test_4_work_that_begins_before_the_answer(self):
        status, text = self.confirmed("asked", lambda: self.works("asked"))
        self.assertEqual((status, self.kube.replicas("asked")), (REFUSED, 1), text)
        (action,) = [one for one in self.logged() if one["target"]["name"] == "asked"]
        self.assertEqual(action["state"], "refused")
        self.assertIn("still-idle: active", action["result"])
        status, text = self.confirmed("calm", lambda: None)
        self.assertEqual((status, self.kube.replicas("calm")), (0, 0), text)

    def logged(self):
        return json.loads(self.program.healthy("act", "log", "--json").stdout)["actions"]

    def test_5_the_second_and_the_third(self):
        self.kube.set_delay(8)
        self.addCleanup(self.kube.set_delay, 0.2)
        three = {"first", "second", "third"}

        def work():
            until(lambda: self.kube.stopped() & three, 90)
            self.works(*three - self.kube.stopped())
        thread = threading.Thread(target=work)
        thread.start()
        _, told = self.act("stop", *three, "--yes", "--count", "3")
        thread.join()
        states = collections.Counter(one["state"] for one in told.values())
        self.assertEqual(states, {"verified": 1, "refused": 2}, told)
        self.assertEqual(len(self.kube.stopped() & three), 1)
        for name, one in told.items():
            if one["state"] == "refused":
                self.assertIn("still-idle: active", one["result"])
                self.assertEqual(self.kube.replicas(name), 1)

    def test_6_work_that_was_over_again(self):
        """It began and ended after the last whole bucket, where the idle list ends."""
        until(lambda: 1 < time.time() % 300 < 270)
        pod = self.pods["brief"]
        self.works("brief")
        pod.level = lambda second: 0.0
        until(lambda: self.telemetry.newest(pod)[1] == 0)
        at = time.time()
        until(lambda: self.telemetry.newest(pod)[0] > at + 2 * SCRAPE)
        status, told = self.act("stop", "brief", "--yes")
        self.assertEqual(status, REFUSED)
        self.refused("brief", told["brief"], "active")

    def test_7_a_mark(self):
        """Its notice of ten minutes is shortened in the file; nothing else records that a watch ran."""
        done = self.program.run("act", "mark", "marked", "due", "--after", "10m", "--json")
        self.assertEqual(done.returncode, 0, done.text)
        now = int(time.time())
        with edited(self.program.cache) as cache:
            changed = cache.execute("UPDATE lease SET until = ? WHERE kind = 'stop-after'", (now - 1,)).rowcount
        self.assertEqual(changed, 2)
        shown = datetime.datetime.fromtimestamp(now - 30, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        (pathlib.Path(self.program.data) / "marks.watched").write_text(shown + "\n", "utf-8")
        self.works("marked")
        lines = [json.loads(line) for line in self.program.healthy("watch", "--once").stdout.decode().splitlines()]
        ends = {line["holder"].split("/")[2]: line for line in lines if line["event"] == "mark"}
        self.assertEqual({name: line["state"] for name, line in ends.items()}, {"marked": "over", "due": "over"}, lines)
        self.assertEqual((self.kube.replicas("marked"), self.kube.replicas("due")), (1, 0), lines)


class ScrapedByVictoriaMetrics(Scraped):
    backend = "victoriametrics"


@unittest.skipUnless(thanos.PROGRAM, "GPULEDGER_THANOS names no Thanos")
class ScrapedBehindThanos(Scraped):
    """With two Prometheus servers that have half of the pods each."""
    kind = livefleet.ThanosTelemetry

    def test_8_a_store_that_is_lost(self):
        """Refused from the first moment until the querier has forgotten the store; after that no answer includes these devices."""
        names = list(self.pods)
        lost = next(name for name in names if names.index(name) % 2 == 1 and self.kube.replicas(name) == 1 and not self.pods[name].level(0))
        self.assertEqual(self.act("plan", lost)[1][lost]["state"], "checked")
        self.telemetry.lose(1)
        begun = time.monotonic()
        while time.monotonic() < begun + 25:  # it forgets after 12 s, and checks every 5 s
            status, told = self.act("stop", lost, "--yes")
            self.assertEqual((status, told[lost]["state"], self.kube.replicas(lost)), (REFUSED, "refused", 1), told)
        self.assertEqual(self.telemetry.parts(), 1, "the querier returns half of the data")


class Case:
    def __init__(self, before, place, level, kind, interval):
        self.before, self.place, self.level, self.kind, self.interval = before, place, level, kind, interval
        self.name = f"b{before}-{place or 'any'}-{level}-{kind}-{interval}s"


def schedule(groups, first):
    """{group: (second of the click, second when the work begins)}; groups are (before, place)."""
    free, out = {}, {}
    for before, place in groups:
        low, high = PLACES[place] if place else (0, 299)
        free[before, place] = [(begin + before, begin) for begin in range(first - 300, first + 900)
                               if low <= begin % 300 <= high and begin + before >= first]
    while free:
        click, group = min((next(c for c, _ in times if all(abs(c - used) >= APART for used, _ in out.values())), group)
                           for group, times in free.items())
        out[group] = (click, click - group[0])
        del free[group]
    return out


class Clicked(LiveTest):
    """Samples at chosen seconds: the work begins, a sample at that very second shows it, and some time later the user clicks."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if EVERY:
            groups = [(before, place) for before in BEFORE for place in PLACES]
            cases = [Case(*group, *one) for group in groups for one in ((l, k, i) for l in LEVELS for k in KINDS for i in INTERVALS)]
        else:
            groups = [(before, None) for before in (5, 60)]
            cases = [Case(*group, *one) for group in groups for one in ((6, "eight", 5), (100, "mig", 60), (6, "one", 30), (100, "one", 15))]
        cls.begun = int(time.time())
        cls.clicks = schedule(groups, cls.begun + SET_UP)
        last = max(click for click, _ in cls.clicks.values())
        pods, cls.batches = [], {}
        for number, group in enumerate(sorted(cls.clicks, key=lambda one: cls.clicks[one])):
            _, begin = cls.clicks[group]
            mine = [one for one in cases if (one.before, one.place) == group]
            for one in mine:
                pods.append(Pod(one.name, interval=one.interval, phase=begin, job=f"dcgm-{one.interval}", **KINDS[one.kind],
                                level=lambda second, begin=begin, share=LEVELS[one.level]: share if second >= begin else 0.0))
            often = INTERVALS[number % 4]
            rests = [Pod(f"rests-{number}-{kind}", interval=often, phase=begin, job=f"dcgm-{often}", level=lambda second: 0.04, **KINDS[kind])
                     for kind in (KINDS if EVERY else ("one",))]  # below the threshold of 5 %
            pods += rests
            cls.batches[group] = (mine, [pod.name for pod in rests])
        cls.serve(pods, ahead=last - cls.begun + 180)

    def refusals(self, names):
        """Why each of these was refused, with a single click on all of them."""
        told = {}
        while names:
            done = self.program.run("act", "stop", *names, "--yes", "--count", str(len(names)), "--json")
            if done.returncode in (0, REFUSED):
                told.update({name: self.reason(one) for name, one in self.actions(done).items() if one["state"] == "refused"})
                break
            # All of them worked for so long that a whole bucket shows it: none is in the list any more.
            self.assertEqual(done.returncode, 2, done.text)
            self.assertIn("not in the idle list", done.text)
            listed = {one["name"] for one in json.loads(self.program.run("idle", "--json").stdout)["items"]}
            told.update({name: "not in the idle list" for name in names if name not in listed})
            self.assertTrue(told)
            names = [name for name in names if name in listed]
        return told

    def test_nothing_that_works_is_stopped(self):
        counts, late, stopped, kept = collections.Counter(), [], set(), {}
        for group, (cases, rests) in self.batches.items():
            click = self.clicks[group][0]
            while time.time() < click:
                time.sleep(max(0.01, min(1, click - time.time())))
            late.append(time.time() - click)
            names = [one.name for one in cases]
            told = self.refusals(names)
            for name in names:
                counts[told.get(name, "not refused")] += 1
            stopped |= self.kube.stopped() & set(names)
            self.assertEqual(set(told), set(names), told)
            rested = self.act("stop", *rests, "--yes", "--count", str(len(rests)))[1]
            kept.update({name: self.reason(one) for name, one in rested.items() if one["state"] != "verified"})
            kept.update({name: "still there" for name in set(rests) - self.kube.stopped() - set(kept)})
            if EVERY:
                print(f"{group}: {late[-1]:.1f} s late; {dict(counts)}; {len(stopped)} stopped; idle but not stopped: {kept}", flush=True)
        print(f"{sum(counts.values())} cases, {len(stopped)} stopped; {dict(counts)}; {sum(len(r) for _, r in self.batches.values())} "
              f"idle ones were; clicks late by at most {max(late):.1f} s", flush=True)
        self.assertEqual((stopped, kept), (set(), {}))


if __name__ == "__main__":
    unittest.main(verbosity=2)
