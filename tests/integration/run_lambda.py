#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the instances of a Lambda account cost, against a fake that follows the published specification: estimates are exactly price x time between
the syncs that saw an instance, by UTC day, and nothing else; what is unknown has no cost and is counted."""
import datetime
import decimal
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

from keyedbill import FAILED, HOSTILE, KeyedBillTest  # noqa: E402
from keyedserver import DROPPED  # noqa: E402
from lambdacloud import ABSENT, KEY, LambdaCloud, fault, instance, page  # noqa: E402

Decimal = decimal.Decimal
FIRST, LAST = "2026-09-01", "2026-12-01"
OWNERS = "owners: [ { cloud_tag: instance_name } ]\n"
BILLED = ("active", "unhealthy")
ENDED = ("terminating", "terminated", "preempted")


def seconds(text):
    return int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())


def nanos(cents, time):
    """Cents an hour for seconds, rounded once, half up."""
    return (2 * cents * 10_000_000 * time + 3600) // 7200


class LambdaTest(KeyedBillTest):
    kind, key = "lambda", KEY

    def setUp(self):
        super().setUp()
        self.server = LambdaCloud()
        self.addCleanup(self.server.close)
        self.seen = []  # (time, what was listed) of each sync

    def look(self, program, now, *listed, status=0):
        """A sync that sees these instances."""
        self.server.instances = list(listed)
        self.seen.append((seconds(now), listed))
        return self.sync(program, now, status)

    def spans(self):
        """id: [(since, until, cents)], computed in another way than the program does: from all that was seen of an instance."""
        out = {}
        for identity in {one["id"] for _, listed in self.seen for one in listed}:
            runs = [[]]
            for time, listed in self.seen:
                for one in listed:
                    if one["id"] != identity:
                        continue
                    if one["status"] in ENDED:
                        runs.append([])
                    elif one["status"] == "active" or (one["status"] in BILLED and runs[-1]):
                        price = one["instance_type"]["price_cents_per_hour"]
                        runs[-1].append((time, None if one.get("is_reserved") else price))
            out[identity] = []
            for run in runs:
                begin = 0
                for at in range(1, len(run)):
                    if run[at][1] != run[begin][1] or at == len(run) - 1:
                        out[identity].append((run[begin][0], run[at][0], run[begin][1]))
                        begin = at
        return out

    def days(self, now):
        """What each day before `now` costs."""
        today, sums = seconds(now[:10] + "T00:00:00Z"), {}
        for spans in self.spans().values():
            for since, until, cents in spans:
                at = since
                while cents is not None and at < min(until, today):
                    end = min((at // 86400 + 1) * 86400, until)
                    day = str(datetime.datetime.fromtimestamp(at, datetime.timezone.utc).date())
                    sums[day,] = sums.get((day,), 0) + nanos(cents, end - since) - nanos(cents, at - since)
                    at = end
        return {day: Decimal(amount).scaleb(-9) for day, amount in sums.items() if amount}

    def assertHoldsTheEstimate(self, program, now):
        self.assertEqual({day: amount for day, amount in self.sums(program, "day", first=FIRST, last=LAST, now=now).items() if amount}, self.days(now))
        billed, effective = self.views(program, FIRST, LAST, now)
        self.assertEqual(billed, effective)
        program.verify(now=now)

    def hours(self, program, now, **more):
        return {row["team"]: row["gpu_hours"] for row in self.rows(program, "team", first=FIRST, last=LAST, now=now, **more)}

    def test_days_add_up_to_the_whole_time_to_the_last_digit(self):
        program = self.bill()
        odd, cheap = instance(1, "odd", cents=2393), instance(2, "cheap", cents=1, gpus=1)
        for now, listed in (("2026-10-29T22:17:43Z", (odd,)), ("2026-10-30T03:00:01Z", (odd, cheap)), ("2026-10-31T00:00:00Z", (odd, cheap)),
                            ("2026-10-31T23:59:59Z", (cheap, odd)), ("2026-11-01T00:00:01Z", (odd,)), ("2026-11-04T07:13:09Z", (odd, cheap)),
                            ("2026-11-05T01:00:00Z", (odd, cheap)), ("2026-11-06T02:00:00Z", ())):
            one, text = self.look(program, now, *listed)
            self.assertIsNone(one["error"], text)
        self.assertHoldsTheEstimate(program, "2026-11-06T02:00:00Z")
        # By hand: from the first to the last sighting, rounded once.
        total = sum(self.sums(program, "day", first=FIRST, last=LAST, now="2026-11-06T02:00:00Z").values())
        whole = sum(nanos(cents, seconds("2026-11-05T01:00:00Z") - seconds(since)) for cents, since in ((2393, "2026-10-29T22:17:43Z"), (1, "2026-10-30T03:00:01Z")))
        self.assertEqual(total, Decimal(whole).scaleb(-9))

    def test_lines_say_what_an_instance_is_and_that_they_are_estimates(self):
        program = self.bill(others=OWNERS)
        listed = (instance(1, "training-7"), instance(2, "own type", kind="gpu_9x_new", gpus=9), instance(3, "nobody knows", kind="gpu_new", gpus=None),
                  instance(4, "no gpu", kind="cpu_4x_general", gpus=0, cents=24, gpu="N/A"), instance(5, ABSENT, region=None, tags=[{"key": "instance_name", "value": "by tag"}, {"key": 7}, None]))
        for now in ("2026-11-17T12:00:00Z", "2026-11-18T12:00:00Z", "2026-11-20T10:00:00Z"):
            self.look(program, now, *listed)
        now = "2026-11-20T10:00:00Z"
        self.assertHoldsTheEstimate(program, now)
        self.assertEqual({service for service, in self.sums(program, "service", now=now)}, {"On-Demand Cloud (estimate)"})
        hours = self.hours(program, now)
        self.assertEqual({team: hours[team] for team in ("training-7", "own type", "nobody knows", "by tag")}, {"training-7": 60 * 8, "own type": 60 * 9, "nobody knows": None, "by tag": 60 * 8})
        categories = {row["team"]: row["category"] for row in self.rows(program, "team,category", now=now)}
        self.assertEqual(categories, {"training-7": "gpu", "own type": "gpu", "nobody knows": "gpu", "by tag": "gpu", "no gpu": "compute"})
        # A name that an instance gets later is that of the month; one that is gone keeps its own.
        renamed = [{**one, "name": "renamed"} for one in listed[:1]]
        self.look(program, "2026-11-21T10:00:00Z", *renamed)
        self.look(program, "2026-11-22T10:00:00Z")
        hours = self.hours(program, "2026-11-22T10:00:00Z")
        self.assertEqual((hours["renamed"], hours["own type"]), (94 * 8, 70 * 9))

    def test_no_month_is_ever_final(self):
        program = self.bill()
        self.look(program, "2026-10-20T00:00:00Z", instance(1))
        one, _ = self.look(program, "2026-10-20T06:00:00Z", instance(1))
        one, text = self.look(program, "2026-10-22T00:00:00Z", instance(1))
        finding, = [finding for delivery in one["deliveries"] for finding in delivery["findings"]]
        self.assertEqual((finding["level"], finding["provider"]), ("missing", "Lambda"))
        self.assertIn("never final", finding["text"])
        self.assertIn("21 days", finding["text"])
        self.assertIn("42 h", finding["text"])  # without a sync
        # The key is refused for two months, and the instance runs on: then it ran all the time.
        for now in ("2026-10-23T00:00:00Z", "2026-11-30T10:00:00Z", "2026-12-20T10:00:00Z"):
            self.server.faults = [fault(403)]
            one, text = self.sync(program, now, FAILED)
            self.assertEqual(one["error"]["code"], "forbidden", text)
            self.assertIn("said so", text)
        self.assertHoldsTheEstimate(program, "2026-12-20T10:00:00Z")
        now = "2026-12-20T16:00:00Z"
        one, _ = self.look(program, now, instance(1))
        self.assertEqual(len([delivery for delivery in one["deliveries"] if delivery["outcome"] == "imported"]), 3)
        self.assertEqual(self.sums(program, "day", first=FIRST, last="2027-01-01", now=now), self.days(now))
        finding = [finding for delivery in one["deliveries"] for finding in delivery["findings"]][-1]
        self.assertIn("1432 h", finding["text"])
        # Until it is due nothing is computed again, and nothing is imported twice.
        one, _ = self.look(program, "2026-12-20T16:30:00Z", instance(1))
        self.assertEqual((one["known_deliveries"], one["accepted"]), (4, 0))

    def test_the_earlier_price_holds_until_the_next_sync(self):
        program = self.bill()
        for now, cents in (("2026-11-17T10:00:00Z", 200), ("2026-11-17T16:00:00Z", 300), ("2026-11-18T02:00:00Z", 300), ("2026-11-18T05:00:00Z", 100), ("2026-11-19T01:00:00Z", 100)):
            self.look(program, now, instance(1, cents=cents))
        self.assertHoldsTheEstimate(program, "2026-11-19T01:00:00Z")
        self.assertEqual(self.sums(program, "day", now="2026-11-19T01:00:00Z"), {("2026-11-17",): Decimal(6 * 2 + 8 * 3), ("2026-11-18",): Decimal(5 * 3 + 19 * 1)})

    def test_only_what_was_seen_running_costs_anything(self):
        program = self.bill(others=OWNERS)
        states = {"boots": "booting booting active active active", "restarted": "active active booting active active", "dies": "active active terminating terminated -",
                  "goes": "active active - - -", "preempted": "active active preempted - -", "hiccup": "active - - active active", "once": "- - active - -",
                  "never well": "booting unhealthy unhealthy unhealthy unhealthy", "ill": "active unhealthy unhealthy unhealthy active", "back": "active active terminated active active"}
        times = ["2026-11-16T00:00:00Z", "2026-11-16T10:00:00Z", "2026-11-16T16:00:00Z", "2026-11-17T00:00:00Z", "2026-11-17T05:00:00Z"]
        for at, now in enumerate(times):
            self.look(program, now, *(instance(number, name, status=line.split()[at]) for number, (name, line) in enumerate(states.items()) if line.split()[at] != "-"))
        now = "2026-11-18T00:00:00Z"
        self.look(program, now)
        self.assertHoldsTheEstimate(program, now)
        hours = {name: time and time / 8 for name, time in self.hours(program, now).items()}
        self.assertEqual({name: time for name, time in hours.items() if time},
                         {"boots": 13, "restarted": 29, "dies": 10, "goes": 10, "preempted": 10, "hiccup": 29, "ill": 29, "back": 10 + 5})

    def test_an_answer_without_instances_is_one_and_a_refused_one_is_none(self):
        program = self.bill()
        self.look(program, "2026-11-16T00:00:00Z", instance(1))
        self.look(program, "2026-11-16T06:00:00Z", instance(1))
        self.look(program, "2026-11-17T00:00:00Z")  # all are gone
        self.server.faults = [fault(500)] * 4
        one, text = self.sync(program, "2026-11-17T06:00:00Z", FAILED)
        self.assertEqual(one["error"]["code"], "server", text)
        self.assertEqual(self.views(program, FIRST, LAST, "2026-11-17T06:00:00Z")[0], Decimal("143.52"))  # 6 hours
        self.assertHoldsTheEstimate(program, "2026-11-17T06:00:00Z")

    def test_what_nobody_knows_the_cost_of_is_counted(self):
        program = self.bill(others=OWNERS)
        odd = [instance(10 + at, f"odd {at}", cents=cents) for at, cents in enumerate((0, -5, 12.5, 10 ** 30, "x", None, True, {}, 1_000_001, "1e3"))]
        listed = [instance(1, "good"), instance(2, "reserved", reserved=True), instance(3, "not reserved", reserved=False), instance(4, "reserved and booting", status="booting", reserved=True), *odd]
        for now in ("2026-11-18T00:00:00Z", "2026-11-19T00:00:00Z", "2026-11-20T00:00:00Z"):
            self.server.instances = listed
            one, text = self.sync(program, now)
        self.assertEqual(one["rejected"], 1 + len(odd))
        self.assertIn("rejected: a value that an amount requires is empty", text)
        look = one["deliveries"][0]
        self.assertEqual((look["rejected"]["sums"][0]["unknown_billed"], look["accepted"]["lines"]), (1 + len(odd), 0))
        reasons = [rejection["reason"] for rejection in look["rejections"]]
        self.assertIn(f"the cost of the reserved instance {2:032x} is empty", reasons)
        self.assertIn(f"price_cents_per_hour of {12:032x} is not an amount: \"12.5\"", reasons)
        self.assertIn(f"price_cents_per_hour of {15:032x} is empty", reasons)
        self.assertEqual(self.sums(program, "team", now=now), {("good",): Decimal("23.92") * 48, ("not reserved",): Decimal("23.92") * 48})
        # From reserved to on demand and back: each time what was known at the beginning.
        for now, reserved in (("2026-11-21T00:00:00Z", False), ("2026-11-22T00:00:00Z", False), ("2026-11-23T00:00:00Z", True), ("2026-11-24T00:00:00Z", True)):
            self.server.instances = [instance(2, "reserved", reserved=reserved)]
            self.sync(program, now)
        self.assertEqual(self.sums(program, "team", now=now)["reserved",], Decimal("23.92") * 48)

    def test_an_earlier_time_changes_nothing(self):
        program = self.bill()
        for now in ("2026-11-18T00:00:00Z", "2026-11-20T00:00:00Z", "2026-11-20T00:00:00Z"):
            self.look(program, now, instance(1))
        before = self.rows(program, "day", now="2026-11-20T00:00:00Z")
        self.assertEqual(len(before), 2)
        self.sync(program, "2026-11-19T23:55:00Z")  # a clock that is being corrected
        one, text = self.sync(program, "2026-11-19T02:00:00Z", FAILED)
        self.assertIn("which is before 2026-11-20T00:00:00Z", text)
        one, text = self.sync(program, "2036-11-19T02:00:00Z", FAILED)
        self.assertEqual(one["error"]["code"], "refused")
        self.assertIn("which is years after 2026-11-20T00:00:00Z", text)
        self.assertEqual(self.rows(program, "day", now="2026-11-20T00:00:00Z"), before)
        self.look(program, "2026-11-21T00:00:00Z", instance(1))
        self.assertHoldsTheEstimate(program, "2026-11-21T00:00:00Z")

    def test_nothing_is_recorded_by_a_clock_that_is_wrong(self):
        program = self.bill()
        self.look(program, "2026-11-18T00:00:00Z", instance(1))
        right = self.server.RequestHandlerClass
        hour = datetime.timedelta(hours=5)
        wrong = (datetime.datetime.now(datetime.timezone.utc) + hour).strftime("%a, %d %b %Y %H:%M:%S GMT")
        self.server.RequestHandlerClass = type("Wrong", (right,), {"date_time_string": lambda self, timestamp=None: wrong})
        self.server.instances = [instance(1)]
        one, text = self.sync(program, "2026-11-19T00:00:00Z", FAILED)
        self.assertEqual(one["error"]["code"], "refused")
        self.assertIn("5 hours behind the server's", text)
        self.server.RequestHandlerClass = right
        self.look(program, "2026-11-20T00:00:00Z", instance(1))
        self.assertHoldsTheEstimate(program, "2026-11-20T00:00:00Z")

    def test_hostile_answers_change_nothing(self):
        program = self.bill()
        self.look(program, "2026-11-17T00:00:00Z", instance(1))
        self.look(program, "2026-11-19T00:00:00Z", instance(1))
        before = self.rows(program, "day", now="2026-11-19T00:00:00Z")
        one = f"{1:032x}"
        bad = [(page(instance(1), instance(1)), f"it lists instance {one} twice"), (page(instance(2), instance(1, id=ABSENT)), "instance number 2 has no id"),
               (page(instance(1, id="")), "instance number 1 has no id"), (page(instance(1, id={})), "has no id"), (page(7), "has no id"),
               (page(instance(1, status="sleeping")), f"instance {one} has the status \"sleeping\", which is unknown"), (page(instance(1, status=ABSENT)), f"instance {one} has no status"),
               (page(instance(1, instance_type=None)), f"instance {one} has no type"), (page(instance(1, kind="")), f"instance {one} has no type"),
               *(((200, body, {}), "can't be read") for body in (b"", b"{}", b"null", b"[]", b"[" * 100000, b'{"data":{}}', b'{"data":[' + b'{"a":' * 70, page(instance(1))[1][:-3]))]
        for answer, words in bad:
            with self.subTest(words):
                self.server.faults = [answer]
                told, text = self.sync(program, "2026-11-20T00:00:00Z", FAILED)
                self.assertEqual(told["error"]["code"], "parse", text)
                self.assertIn(words, text)
                self.assertEqual(self.rows(program, "day", now="2026-11-20T00:00:00Z"), before)
        many = b'{"data":[' + b",".join([b"{}"] * 20001) + b"]}"
        for answer, code in (((200, b'{"data":[]' + b" " * (16 << 20) + b"}", {}), "too-much"), ((200, many, {}), "too-much"), ((200, b"<html>log in</html>", {"Content-Type": "text/html"}), "unauthorized"),
                             ((302, b"", {"Location": "http://127.0.0.1:9/"}), "invalid-config"), (fault(404), "not-found"), (fault(400, "", "no \x1b[31m" + "y" * 5000), "server")):
            self.server.faults = [answer] * 4
            told, text = self.sync(program, "2026-11-20T00:00:00Z", FAILED)
            self.assertEqual(told["error"]["code"], code, text)
            self.assertNotIn("\x1b", text)
            self.assertLess(len(text), 4000)
        self.server.faults = []
        self.look(program, "2026-11-20T01:00:00Z", instance(1))
        self.assertHoldsTheEstimate(program, "2026-11-20T01:00:00Z")

    def test_hostile_texts_are_harmless(self):
        program = self.bill(others=OWNERS)
        long = "\u202e\x1b[31m\x00\n" + "x" * 10240
        tags = [{"key": long + str(at), "value": long} for at in range(200)]
        listed = [instance(1, long, kind="gpu_8x_h100_sxm5" + long, gpu=long, region=long, tags=tags), instance(2, HOSTILE, gpus=-1), instance(3, HOSTILE, gpus=10 ** 30, kind="gpu_x"),
                  instance(4, HOSTILE, gpus="8.5", kind="gpu_x", tags={}), instance(5, id="\x1b[2J" + "z" * 10240), instance(6, reserved=True, id="r\x1b[2J")]
        for now in ("2026-11-17T00:00:00Z", "2026-11-19T00:00:00Z"):
            one, text = self.look(program, now, *listed)
            self.assertIsNone(one["error"], text)
        self.assertNotIn("\x1b", text)
        self.assertHoldsTheEstimate(program, now)
        done = program.healthy("ledger", "--by", "team,service,region", "--from", FIRST, "--to", LAST, now=now)
        self.assertNotIn("\x1b", done.stdout.decode())

    def test_a_wrong_key_is_named_and_no_secret_is_shown_or_kept(self):
        program = self.bill(key="canary-other")
        one, text = self.sync(program, status=FAILED)
        self.assertEqual(one["error"]["code"], "unauthorized", text)
        self.assertIn("Lambda Cloud console", text)
        program = self.bill()
        self.look(program, "2026-11-17T00:00:00Z", instance(1))
        self.look(program, "2026-11-19T00:00:00Z", instance(1))
        for name in os.listdir(program.data):
            with open(os.path.join(program.data, name), "rb") as file:
                self.assertNotIn(b"canary", file.read(), name)
        done = program.run("sources", "test", "bill", now="2026-11-19T00:00:00Z")
        self.assertEqual(done.returncode, 0, done.text)
        self.assertIn("GET /api/v1/instances", done.text + done.stdout.decode())
        self.server.denied = ("/api/v1",)
        done = program.run("sources", "test", "bill", now="2026-11-19T00:00:00Z")
        self.assertIn("may not GET /api/v1/instances", done.text + done.stdout.decode())

    def test_waits_when_it_is_asked_to(self):
        program = self.bill()
        self.look(program, "2026-11-17T00:00:00Z", instance(1))
        for answer in ((429, b"", {"Retry-After": "1"}), fault(502), fault(503, headers={"Retry-After": "1"}), fault(504), (DROPPED, b"{\"da", {})):
            self.server.faults = [answer]
            self.look(program, f"2026-11-19T0{len(self.seen)}:00:00Z", instance(1))
            self.assertEqual(self.server.faults, [])
        self.assertHoldsTheEstimate(program, "2026-11-19T06:00:00Z")

    def test_a_kill_and_two_syncs_at_once_lose_and_double_nothing(self):
        program = self.bill()
        self.look(program, "2026-11-17T00:00:00Z", instance(1))
        self.kill_at(program, 1)
        running = [program.start("sync", now="2026-11-21T00:00:00Z") for _ in range(3)]
        self.assertEqual([process.wait() for process in running], [0, 0, 0], [process.communicate() for process in running])
        self.seen.append((seconds("2026-11-21T00:00:00Z"), (instance(1),)))
        self.assertHoldsTheEstimate(program, "2026-11-21T00:00:00Z")

    def test_the_first_day_of_a_month_and_an_account_without_instances(self):
        program = self.bill(first="1h")
        for now in ("2026-11-01T05:00:00Z", "2026-11-01T10:00:00Z", "2026-11-02T10:00:00Z"):  # no day of the month is over at first
            one, _ = self.look(program, now, instance(1))
            self.assertIsNone(one["error"])
        self.assertHoldsTheEstimate(program, "2026-11-02T10:00:00Z")
        program = self.bill()
        for now in ("2026-11-18T05:00:00Z", "2026-11-20T10:00:00Z"):
            self.server.instances = []
            one, _ = self.sync(program, now)
            self.assertIsNone(one["error"])

    def test_a_thousand_instances(self):
        program = self.bill()
        listed = [instance(number, f"team-{number % 7}", cents=129) for number in range(1000)]
        for now in ("2026-11-17T01:00:00Z", "2026-11-18T12:00:00Z", "2026-11-20T10:00:00Z"):
            one, _ = self.look(program, now, *listed)
        self.assertGreaterEqual(one["accepted"], 3 * 1000)
        self.assertHoldsTheEstimate(program, now)

    def test_nothing_is_stopped(self):
        program = self.bill()
        self.look(program, "2026-11-17T00:00:00Z", instance(1))
        self.assertEqual({path for path, _ in self.server.asked}, {"/api/v1/instances"})
        self.assertEqual(json.loads(program.healthy("sources", "list", "--json", now="2026-11-17T00:00:00Z").stdout)["sources"][0]["kind"], "lambda")


if __name__ == "__main__":
    unittest.main()
