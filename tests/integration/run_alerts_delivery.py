#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Alerts from a real Prometheus to those who must know: `watch` syncs a GPU that is held and idle, evaluates, and sends to a fake Slack and
PagerDuty, a webhook and a real Alertmanager. It is killed during that, silenced, refused, and run twice at once. Without prometheus and
promtool it is skipped (77). GPULEDGER_SHIM is the library that kills it (tests/faults/shim.c); without it that test is skipped."""
import hashlib
import hmac
import json
import os
import shlex
import shutil
import signal
import sys
import tempfile
import time
import unittest
import urllib.parse
from decimal import Decimal

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

import idlefleet  # noqa: E402
import promserver  # noqa: E402
import payloadmodels  # noqa: E402
from idlefleet import Held, at  # noqa: E402
from product import SHIM, ProductTest, Program, sample  # noqa: E402
from receivers import SECRET, Receiver, alertmanager  # noqa: E402

SKIPPED = 77
LOOK = 1
KILLED = -signal.SIGKILL
PATIENCE = 300  # seconds until something must have happened
LEASE = 0.5  # hours after which another program takes over for sure
FIRES, OVER = 3, 6.75  # hours: when the first alert fires and when it is over; idle for half an hour at 02:30, and again at work from 06:00
HOSTILE = "<b>&amp;\"';`$(id)\n\x07\u202e@channel <!here> <@U123> " + "y" * 60
FLEET = [Held("train-0", "vision", idle=(2, 6)), Held("train-1", "vision"), Held("serve-0", "speech", idle=(10, 14), gone=14)]
BAD = [Held(HOSTILE, HOSTILE, idle=(2, 6)), Held("z" * 10240, "z" * 10240, idle=(2, 6))]
TARGETS = {"hook": "kind: webhook, url: env:HOOK_URL, secret: env:HOOK_SECRET", "slack": "kind: slack, url: env:SLACK_URL"}
MODELLED = {"slack": "slack", "teams": "teams", "pagerduty": "v2/enqueue"}  # kinds that payloadmodels knows, and where they go


def until(found, what):
    """What `found` returns once it is not empty."""
    end = time.monotonic() + PATIENCE
    while True:
        value = found()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError("not in time: " + what)
        time.sleep(0.05)


def texts(value):
    """All texts in a JSON value."""
    if isinstance(value, str):
        yield value
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from texts(one)


class DeliveryTest(ProductTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.servers = []
        cls.home = tempfile.mkdtemp(prefix="gpuledgeralerts")
        cls.addClassCleanup(shutil.rmtree, cls.home, True)
        cls.url = cls.serving("fleet", FLEET, -6, 20)

    @classmethod
    def serving(cls, name, pods, begin, end):
        server = promserver.Server(os.path.join(cls.home, name), "prometheus", iter([idlefleet.samples(pods, begin, end)]), step=idlefleet.STEP)
        cls.addClassCleanup(server.stop)
        return server.start()

    def setUp(self):
        super().setUp()
        self.receiver = Receiver()
        self.addCleanup(self.receiver.close)

    def configuration(self, targets, url=None, per="team", send=None):
        listed = ", ".join(f"{{ name: {name}, {what} }}" for name, what in targets.items())
        return ("version: 1\ncurrency: USD\ntime_zone: UTC\nsources:\n"
                f"  - {{ name: prod, kind: prometheus, url: \"{url or self.url}\", cluster: c1, first_sync: 6h }}\n"
                "prices: { overrides: [ { cluster: c1, usd_per_gpu_hour: \"2.00\" } ] }\n"
                f"targets: [ {listed} ]\nalerts:\n  - {{ name: idle, when: {{ metric: idle-cost, per: {per}, above: 20 USD/day, for: 30m }},"
                f" send: [{', '.join(send or targets)}] }}\n")

    def watching(self, targets=None, **more):
        program = Program(self.folder, self.configuration(TARGETS if targets is None else targets, **more))
        self.answering(program, HOOK_URL="hook", SLACK_URL="slack", TEAMS_URL="teams")
        program.environment.update(HOOK_SECRET=SECRET, PAGER_KEY="c4nary-pager")
        return program

    def answering(self, program, **paths):
        program.environment.update({name: self.receiver.url(path) for name, path in paths.items()})

    def round(self, program, hour, event=None, **more):
        """The lines of a round, all or of one event."""
        lines = [json.loads(line) for line in program.healthy("watch", "--once", now=at(hour), **more).stdout.decode().splitlines()]
        self.assertEqual([line for line in lines if line["event"] == "alerts" or line.get("error")], [])
        return [line for line in lines if event in (None, line["event"])]

    def about_to_fire(self, program):
        """After two rounds: the states are kept, and the next round at FIRES sends."""
        self.round(program, 2)
        self.round(program, 2.75)
        self.assertEqual(self.receiver.got, [])

    def history(self, program, hour):
        return json.loads(program.healthy("alerts", "history", "--json", now=at(hour)).stdout)

    def firing(self, program, hour):
        done = program.run("alerts", "evaluate", "--json", now=at(hour))
        return {one["scope"]: one["key"] for one in json.loads(done.stdout)["firing"]}

    def told(self, state="firing"):
        """(scope, key) of what the webhook was told."""
        return [(one["resource"]["name"], one["dedup_key"]) for one in self.receiver.bodies("hook") if one["state"] == state]

    def modelled(self):
        """Targets that payloadmodels knows, beside those of TARGETS."""
        return {"teams": "kind: teams, url: env:TEAMS_URL", "pager": f"kind: pagerduty, key: env:PAGER_KEY, url: \"{self.receiver.url('')}\""}

    def taken_by_models(self, each):
        """So many messages of each kind came, and what their receivers publish about them has no complaint."""
        sent = {kind: self.receiver.bodies(path) for kind, path in MODELLED.items()}
        self.assertEqual({kind: len(bodies) for kind, bodies in sent.items()}, dict.fromkeys(sent, each))
        found = payloadmodels.complaints(sent)
        if found is None:
            print("skipped: no models of messages (./dev deps test)", file=sys.stderr)
        else:
            self.assertEqual(found, [])

    def titles(self):
        """Of what Slack got."""
        return [message["blocks"][0]["text"]["text"] for message in self.receiver.bodies("slack")]

    def test_everybody_is_told_once_and_told_when_it_is_over(self):
        with alertmanager(self.folder, self.receiver.url("groups")) as server:
            program = self.watching({**TARGETS, **self.modelled(), "am": f"kind: alertmanager, url: \"{server.url}\""})
            rounds = [2 + quarter / 4 for quarter in range(9)]
            came = [(hour, self.round(program, hour), bool(self.titles())) for hour in rounds]
            begun = [hour for hour, lines, _ in came if any(line["event"] == "alert" and line["to"] == "pending" for line in lines)]
            first = next(hour for hour, _, is_told in came if is_told)
            self.assertEqual((begun, first), ([2.5], FIRES))  # held for half an hour: two rounds after it began
            self.told_everywhere(program, server)
            groups = until(lambda: self.receiver.bodies("groups"), "the Alertmanager tells its receiver")
            self.assertEqual((groups[0]["status"], [one["labels"]["scope"] for one in groups[0]["alerts"]]), ("firing", ["vision"]))
            for hour in (4.5, 5.5, 6.5, OVER):
                self.round(program, hour)
            self.assertEqual(self.told("resolved"), self.told())
            self.assertEqual([title.split()[0] for title in self.titles()], ["Firing:", "Resolved:"])
            self.assertEqual([event["event_action"] for event in self.receiver.bodies("v2/enqueue")], ["trigger", "resolve"])
            self.assertEqual(server.alerts(), [])
            self.taken_by_models(2)
            until(lambda: self.receiver.bodies("groups")[-1]["status"] == "resolved", "the Alertmanager says that it is over")

    def told_everywhere(self, program, server):
        key = self.firing(program, 4)["vision"]
        (_, headers, raw), = [one for one in self.receiver.got if one[0] == "/hook"]
        signed = b"v1:" + headers["X-GpuLedger-Timestamp"].encode() + b":" + raw
        self.assertEqual(headers["X-GpuLedger-Signature"], "v1=" + hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest())
        message = json.loads(raw)
        self.assertEqual((message["dedup_key"], message["started_at"], message["value"]), (key, at(FIRES), "48 USD/day"))
        self.assertEqual([(one["name"], one["owner"], one["since"]) for one in message["items"]], [("train-0", "vision", at(2))])
        self.assertGreater(Decimal(message["cost"]["amount"]), 0)
        self.assertLessEqual(Decimal(message["cost"]["amount"]), 2 * (FIRES - 2))  # idle since 02:00, at 2 USD an hour
        row = urllib.parse.quote(message["items"][0]["id"], safe="")
        self.assertEqual(message["links"]["open"], "gpuledger://idle?span=day&team=vision&at.item=" + row)
        event, = self.receiver.bodies("v2/enqueue")
        self.assertEqual((event["event_action"], event["dedup_key"]), ("trigger", key))
        slack, = self.receiver.bodies("slack")
        self.assertEqual([text for text in texts(slack) if key in text], ["GPU Ledger " + key])
        alert, = server.alerts()
        self.assertEqual((alert["labels"]["scope"], alert["annotations"]["link"]), ("vision", message["links"]["open"]))
        name, *command = shlex.split(message["command"])
        self.assertEqual(name, "gpuledger-cli")
        shown = json.loads(program.healthy(*command, "--json", now=at(4)).stdout)
        self.assertEqual([one["id"] for one in shown["items"]], [one["id"] for one in message["items"]])

    def test_it_is_over_when_its_holder_is_gone(self):
        program = self.watching()
        for hour in (9, 10, 11, 11.5):
            self.round(program, hour)
        self.assertEqual([scope for scope, _ in self.told()], ["speech"])
        for hour in (13, 14, 15, 15.5):
            self.round(program, hour)
        self.assertEqual(self.told("resolved"), self.told())
        self.assertEqual([title.split()[0] for title in self.titles()], ["Firing:", "Resolved:"])

    def test_killed_while_the_receiver_does_not_answer(self):
        program = self.watching()
        self.about_to_fire(program)
        self.answering(program, HOOK_URL="silent")
        running = program.start("watch", "--once", now=at(FIRES))
        try:
            asked = until(lambda: self.receiver.bodies("silent"), "the receiver gets the message")[0]
        finally:
            running.kill()
            running.communicate()
        self.assertEqual(running.returncode, KILLED)
        self.assertEqual([one["state"] for one in self.history(program, FIRES)["messages"]], ["waiting"] * 2)
        self.answering(program, HOOK_URL="hook")
        self.round(program, FIRES + LEASE)
        again, = self.receiver.bodies("hook")
        self.assertEqual((again["id"], again["dedup_key"]), (asked["id"], asked["dedup_key"]))
        self.assertEqual(len(self.titles()), 1)
        self.assertEqual({one["state"] for one in self.history(program, FIRES + LEASE)["messages"]}, {"delivered"})
        self.round(program, FIRES + 2 * LEASE)
        self.assertEqual((len(self.told()), len(self.titles())), (1, 1))

    @unittest.skipUnless(SHIM, "GPULEDGER_SHIM is not set")
    def test_killed_at_each_step(self):
        program = self.watching()
        self.about_to_fire(program)
        shutil.copytree(program.data, os.path.join(self.folder, "before"))
        counted = os.path.join(self.folder, "count")
        program.faulty("any:1000000:kill:ledger.db", "watch", "--once", now=at(FIRES), FAULT_COUNT=counted)
        with open(counted, encoding="utf-8") as file:
            count = int(file.read())
        keys = set(self.told())
        self.assertEqual(len(keys), 1)
        killed = twice = 0
        # The last half of the run is the round and the delivery; before it is the sync, which other tests kill.
        for point in sample(count // 2, 12):
            with self.subTest(point=count // 2 + point, of=count):
                self.receiver.got.clear()
                shutil.rmtree(program.data)
                shutil.copytree(os.path.join(self.folder, "before"), program.data)
                done = program.faulty(f"any:{count // 2 + point}:kill:ledger.db", "watch", "--once", now=at(FIRES))
                killed += done.returncode == KILLED
                self.round(program, FIRES + LEASE)
                self.assertEqual(set(self.told()), keys)
                self.assertGreaterEqual(len(self.titles()), 1)
                twice += len(self.told()) > 1 or len(self.titles()) > 1
                self.assertEqual({one["state"] for one in self.history(program, FIRES + LEASE)["messages"]}, {"delivered"})
                program.verify(now=at(FIRES + LEASE))
        self.assertGreater(killed, 3)
        self.assertLess(twice, killed)  # only where it had been sent and not noted

    def test_a_silence_holds_back(self):
        program = self.watching()
        self.about_to_fire(program)
        program.healthy("alerts", "silence", "--rule", "idle", "--scope", "vision", "--for", "1h", now=at(2.75))
        changes = self.round(program, FIRES, "alert")
        self.assertEqual([(one["scope"], one["to"]) for one in changes], [("vision", "firing")])
        self.round(program, 3.5)
        self.assertEqual(self.receiver.got, [])
        self.round(program, 4)
        self.assertEqual((self.told(), len(self.titles())), ([("vision", changes[0]["key"])], 1))

    def test_what_somebody_looks_into_is_told_to_nobody_else(self):
        for is_acknowledged in (True, False):
            with self.subTest(is_acknowledged=is_acknowledged):
                self.receiver.got.clear()
                shutil.rmtree(os.path.join(self.folder, "data"), True)
                program = self.watching(send=["slack"])
                self.about_to_fire(program)
                self.round(program, FIRES)
                self.assertEqual((len(self.titles()), self.told()), (1, []))
                if is_acknowledged:
                    program.healthy("alerts", "ack", self.firing(program, FIRES)["vision"], "--note", "on it", now=at(FIRES))
                program.configure(self.configuration(TARGETS, send=["slack", "hook"]))
                self.round(program, 3.5)
                self.assertEqual((len(self.titles()), len(self.told())), (1, 0 if is_acknowledged else 1))

    def test_a_refused_message_is_dead(self):
        program = self.watching()
        self.answering(program, HOOK_URL="echo")
        self.about_to_fire(program)
        self.round(program, FIRES)
        dead, = [one for one in self.history(program, FIRES)["messages"] if one["target"] == "hook"]
        self.assertEqual((dead["state"], dead["attempts"], dead["scopes"]), ("dead", 1, ["vision"]))
        self.assertIn("unwanted", dead["detail"])
        self.assertNotIn(SECRET, json.dumps(dead))
        self.round(program, 3.5)
        self.assertEqual(len(self.receiver.bodies("echo")), 1)
        self.assertEqual(len(self.titles()), 1)  # nobody else is affected
        table = program.healthy("alerts", "history", now=at(3.5)).stdout.decode()
        self.assertIn("dead", table)
        self.assertNotIn(SECRET, table)

    def test_hostile_names(self):
        url = self.serving("hostile", BAD, 0, 5)
        with alertmanager(self.folder) as server:
            program = self.watching({**TARGETS, **self.modelled(), "am": f"kind: alertmanager, url: \"{server.url}\""}, url=url)
            for hour in (2, 2.75, FIRES):
                self.round(program, hour)
            self.taken_by_models(1)
            message, = self.receiver.bodies("hook")
            self.assertIn("@channel <!here>", message["resource"]["name"])  # JSON carries a name as it is
            slack, = self.receiver.bodies("slack")
            seen = list(texts(slack))
            self.assertTrue(any("&lt;b&gt;" in text for text in seen), seen)
            for text in seen:
                for bad in ("<", ">", "@channel", "\x07", "\u202e"):
                    self.assertNotIn(bad, text)
                self.assertLessEqual(len(text), 3000)
            alert, = server.alerts()
            for text in texts(alert):
                self.assertNotIn("\x07", text)
                self.assertLessEqual(len(text), 3000)
            # The command is safe in a shell, and finds what it is about.
            _, *command = shlex.split(message["command"])
            self.assertEqual(command[0], "idle")
            self.assertEqual(len(command), 2)
            for text in (program.healthy("alerts", "history", now=at(FIRES)).stdout, program.run("alerts", "evaluate", now=at(FIRES)).stdout):
                self.assertNotIn(b"\x07", text)
                self.assertNotIn("\u202e", text.decode())

    def test_two_programs_on_one_data_folder(self):
        program = self.watching()
        self.about_to_fire(program)
        both = [program.start("watch", "--once", now=at(FIRES)) for _ in range(2)]
        lines = []
        for one in both:
            out, err = one.communicate(timeout=PATIENCE)
            self.assertEqual(one.returncode, 0, err)
            lines += [json.loads(line) for line in out.splitlines()]
        self.assertEqual([line["to"] for line in lines if line["event"] == "alert"], ["firing"])
        self.assertEqual((len(self.told()), len(self.titles())), (1, 1))

    def test_one_of_two_evaluates_until_it_ends(self):
        program = self.watching()
        self.about_to_fire(program)
        leader = program.start("watch", now=at(FIRES))
        try:
            until(self.titles, "the leader delivers")
            self.assertEqual(self.round(program, 3 + 1 / 6, "alert"), [])
            # It leads, so a later round of another one sees nothing end, either.
            self.assertEqual((len(self.told()), len(self.titles())), (1, 1))
        finally:
            leader.send_signal(signal.SIGTERM)
            leader.communicate(timeout=PATIENCE)
        self.assertEqual(leader.returncode, 0)
        self.round(program, OVER)  # the lease was given back
        self.assertEqual(self.told("resolved"), self.told())

    def test_a_killed_leader_is_replaced(self):
        program = self.watching()
        self.about_to_fire(program)
        leader = program.start("watch", now=at(FIRES))
        try:
            until(self.titles, "the leader delivers")
        finally:
            leader.kill()
            leader.communicate()
        self.assertEqual(self.round(program, FIRES + 0.1, "alert"), [])  # the lease lasts
        self.round(program, OVER)
        self.assertEqual(self.told("resolved"), self.told())


if __name__ == "__main__":
    if not promserver.available("prometheus"):
        print("prometheus and promtool are not installed")
        sys.exit(SKIPPED)
    unittest.main()
