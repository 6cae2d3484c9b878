# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenCost and Kubecost through the command line: added, tested, synced, in the ledger, reconciled, with as few requests as possible."""
import calendar
import decimal
import json
import os
import sqlite3
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "faults"), os.path.join(HERE, "..", "..", "support")]

from opencostserver import Server, allocation, asset  # noqa: E402
from product import ProductTest, configuration  # noqa: E402
from servers import Faulty  # noqa: E402

Decimal = decimal.Decimal
DEMO = "  - { name: demo, kind: demo, gpus: 16, days: 2, first_sync: 2d }\n"
DAYS = ("2025-03-28", "2025-03-29", "2025-03-30")  # the clock is at midnight after the last


def second(day):
    return calendar.timegm(time.strptime(day, "%Y-%m-%d"))


def amount(money):
    return Decimal(money["amount"])


class OpenCost(ProductTest):
    def server(self, *arguments, **options):
        server = Server(*arguments, **options)
        url = server.start()
        self.addCleanup(server.stop)
        return server, url

    def over(self, url, *sources, more=""):
        return self.program(*sources, f"  - {{ name: oc, kind: opencost, url: \"{url}\", first_sync: 3d{more} }}\n")

    def ask(self, program, *arguments, status=0):
        done = program.run(*arguments, "--json")
        self.assertEqual(done.returncode, status, done.text)
        return json.loads(done.stdout)

    def ledger(self, program, by):
        return self.ask(program, "ledger", "--by", by, "--from", "2025-03-01", "--to", "2025-04-01")

    def unbilled(self, program):
        """A machine with GPUs without a bill: name, cluster, provider id and GPUs."""
        program.healthy("sync", "--source", "demo")
        with sqlite3.connect(f"file:{program.cache}?mode=ro", uri=True) as db:
            return db.execute("SELECT n.name, c.name, n.provider_id, count(DISTINCT d.device) FROM node n JOIN cluster c ON c.id = n.cluster"
                              " JOIN device_node d ON d.node = n.id WHERE n.cloud = '' AND n.provider_id = '' GROUP BY n.id"
                              " ORDER BY n.name").fetchall()

    def test_added_and_tested(self):
        server, url = self.server("kubecost", "/cost", token="t0ken")
        server.days[second(DAYS[2])] = ({"a": asset("n1", 700.5, 600.25)}, {"p": allocation("n1", 24, 75.5)})
        program = self.program("  - { name: x, kind: demo }\n")
        program.configure("version: 1\n")
        program.environment["OC_TOKEN"] = "t0ken"
        program.healthy("sources", "add", "oc", "--kind", "opencost", "--url", url, "--token", "env:OC_TOKEN", "--set", "currency=EUR")
        found = self.ask(program, "sources", "test", "oc")
        self.assertEqual((found["product"], found["usable"]), ("Kubecost", True))
        texts = " ".join(f["text"] for f in found["findings"])
        self.assertIn("Kubecost prices 1 node, 1 of them with GPUs", texts)
        self.assertIn("Kubecost has no GPU metrics", texts)
        self.assertIn("read as EUR", texts)
        people = program.run("sources", "test", "oc").stdout.decode()
        self.assertIn("usable\n", people)
        server.days.clear()
        done = program.run("sources", "test", "oc")
        self.assertEqual(done.returncode, 1)
        self.assertIn("not usable: no machine with GPUs was found", done.stdout.decode())
        program.environment["OC_TOKEN"] = "other"
        done = program.run("sources", "test", "oc")
        self.assertEqual(done.returncode, 4)
        self.assertIn("check auth of this source", done.text)
        self.assertNotIn("other", done.text)
        done = program.run("sources", "add", "bad", "--kind", "opencost", "--url", url, "--set", "currency=euro")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("three capital letters", done.text)

    def test_token_in_a_header_of_its_own(self):
        server, url = self.server("kubecost", token="t0ken", header="X-API-KEY")
        server.days[second(DAYS[2])] = ({"a": asset("n1", 700.5, 600.25)}, {})
        program = self.program("  - { name: x, kind: demo }\n")
        program.configure("version: 1\n")
        program.environment["OC_TOKEN"] = "t0ken"
        program.healthy("sources", "add", "oc", "--kind", "opencost", "--url", url, "--token", "env:OC_TOKEN", "--token-header", "X-API-KEY")
        self.assertTrue(self.ask(program, "sources", "test", "oc")["usable"])
        program.environment["OC_TOKEN"] = "0ther"
        done = program.run("sources", "test", "oc")
        self.assertEqual(done.returncode, 4)
        self.assertNotIn("0ther", done.text)
        done = program.run("sources", "add", "bad", "--kind", "opencost", "--url", url, "--token", "env:OC_TOKEN", "--token-header", "X:Y")
        self.assertIn("is not a header name", done.text)

    def test_in_the_ledger(self):
        server, url = self.server()
        program = self.over(url, DEMO)
        nodes = self.unbilled(program)
        self.assertTrue(nodes, "the demo fleet has no such machine")
        name, cluster, _, gpus = nodes[0]
        before = self.ledger(program, "cluster,origin")
        for day in DAYS[1:]:
            server.days[second(day)] = ({"a": asset(name, 1000.00001, 900.5, cluster, gpus=gpus)},
                                        {"p": allocation(name, 0, 0, cluster), "__idle__": allocation(name, 0, 5.5, cluster)})
        done = program.healthy("sync", "--source", "oc")
        self.assertIn("it has no GPU metrics", done.text)
        self.assertIn("differs from OpenCost by ", done.text)
        self.assertIn(", because ", done.text)
        program.verify()
        rows = {r["origin"]: r for r in self.ledger(program, "origin")["rows"]}
        allocated = sum(amount(r["allocated"]) for r in self.ledger(program, "origin")["rows"] if r["allocated"])
        self.assertEqual(allocated, Decimal("2000.00002"))
        self.assertEqual(amount(rows["allocated"]["billed"]), 0)
        answer = self.ledger(program, "team,state,origin")
        self.assertEqual(sum(amount(r["allocated"]) for r in answer["rows"] if r["allocated"]), Decimal("2000.00002"))
        self.assertEqual([m["amount"] for m in answer["allocated"]], ["2000.000020000"])
        hours = lambda a: round(sum(r["gpu_hours"] or 0 for r in a["rows"]), 6)  # noqa: E731
        self.assertGreaterEqual(hours(answer), hours(before))
        people = program.healthy("ledger", "--by", "origin", "--from", "2025-03-01", "--to", "2025-04-01").stdout.decode()
        self.assertIn("not on any bill, by OpenCost or Kubecost", people)
        month = json.loads(program.run("reconcile", "--month", "2025-03", "--json").stdout)
        kinds = {line["kind"]: line for line in month["lines"] if line["detail"] == "oc"}
        self.assertEqual(kinds["allocated"]["allocated"]["amount"], "2000.000020000")
        reasons = {a["reason"]: a for a in month["allocators"]}
        self.assertIn("idle-without-hours", reasons)
        self.assertEqual(reasons["idle-without-hours"]["days"], 2)
        self.assertEqual(reasons["idle-without-hours"]["theirs"]["amount"], "11.000000000")
        for one in reasons.values():
            if one["difference"]:
                self.assertEqual(amount(one["difference"]), amount(one["ours"]) - amount(one["theirs"]))
        text = program.run("reconcile", "--month", "2025-03").stdout.decode()
        self.assertIn("oc, cluster " + cluster + ": differs from OpenCost by ", text)
        statement = json.loads(program.healthy("showback", "--month", "2025-03", "--format", "json", "--json").stdout)
        self.assertIn("USD", json.dumps(statement))
        # Telemetry is synced again while the source is gone: its data stay.
        program.configure(configuration(DEMO))
        program.healthy("sync")
        self.assertEqual(sum(amount(r["allocated"]) for r in self.ledger(program, "origin")["rows"] if r["allocated"]),
                         Decimal("2000.00002"))
        program.verify()

    def test_asked_for_as_little_as_needed(self):
        server, url = self.server()
        program = self.over(url)
        for day in DAYS:
            server.days[second(day)] = ({"a": asset("n1", 10.0, 9.0)}, {})
        report = self.ask(program, "sync")["sources"][0]
        self.assertEqual([d["day"] for d in report["days"]], list(reversed(DAYS)))
        self.assertEqual([d["final"] for d in report["days"]], [False, False, True])
        self.assertEqual((report["accepted"], report["rejected"], report["gaps"], report["error"]), (3, 0, 0, None))
        self.assertLessEqual(server.most_at_once, 2)
        self.assertEqual(len(server.asked), 6)
        server.asked.clear()
        server.days[second(DAYS[2])] = ({"a": asset("n1", 12.5, 9.0)}, {})
        report = self.ask(program, "sync")["sources"][0]
        self.assertEqual([(d["day"], d["changed"]) for d in report["days"]], [(DAYS[2], True), (DAYS[1], False)])
        self.assertEqual(amount(self.ledger(program, "day")["allocated"][0]), Decimal("32.5"))
        # A server that lost its data is not a reason to lose ours.
        server.days.clear()
        report = self.ask(program, "sync", status=1)["sources"][0]
        self.assertEqual([d["kept"] for d in report["days"]], [True, True])
        self.assertEqual(amount(self.ledger(program, "day")["allocated"][0]), Decimal("32.5"))
        program.verify()

    def test_a_day_that_shrinks_is_kept_until_somebody_decides(self):
        server, url = self.server()
        program = self.over(url)
        pods = {"p": allocation("n1", 24, 9.0)}
        for day in DAYS:
            server.days[second(day)] = ({"a": asset("n1", 10.0, 9.0), "b": asset("n2", 20.0, 18.0)}, pods)
        program.healthy("sync")
        held = lambda: json.loads(program.run("reconcile", "--month", "2025-03", "--json").stdout)["held"]  # noqa: E731
        self.assertEqual(held(), [])
        half = {"a": asset("n1", 5.0, 4.5, minutes=720), "b": asset("n2", 10.0, 9.0, minutes=720)}
        lost = {"no assets": {}, "all are rejected": {"a": asset("", 10.0, 9.0)}, "one node": {"a": asset("n1", 10.0, 9.0)},
                "no GPUs": {"a": asset("n1", 10.0, 9.0, gpus=0), "b": asset("n2", 20.0, 18.0)},
                "other prices": {"a": asset("n1", 1.0, 0.9), "b": asset("n2", 2.0, 1.8)}, "half a day": half}
        for what, assets in lost.items():
            with self.subTest(what):
                server.days[second(DAYS[2])] = (assets, pods)
                source = self.ask(program, "sync", status=1)["sources"][0]
                day = source["days"][0]
                self.assertEqual((day["day"], day["kept"], day["final"]), (DAYS[2], True, False))
                self.assertEqual(amount(day["less"]["cost_before"]), 30)
                self.assertEqual(amount(self.ledger(program, "day")["allocated"][0]), 90)
                self.assertEqual([(one["source"], one["day"]) for one in held()], [("oc", DAYS[2])])
                self.assertEqual(source["held"], held())
                self.assertEqual(held()[0]["now"]["cost"], day["less"]["cost_now"])
        usd = lambda text: {"amount": text + ".000000000", "currency": "USD"}  # noqa: E731
        whole = {"nodes": 2, "node_hours": 48.0, "gpu_hours": 384.0, "cost": usd("30")}
        less = {"nodes": 2, "node_hours": 24.0, "gpu_hours": 192.0, "cost": usd("15")}
        wanted = [{"source": "oc", "day": DAYS[2], "before": whole, "now": less}]
        self.assertEqual(held(), wanted)
        self.assertEqual(self.ask(program, "sources", "list")["sources"][0]["held"], wanted)
        self.assertRegex(program.run("sources", "list").stdout.decode(), r"(?m)^oc .* held$")
        self.assertEqual(json.loads(program.run("sources", "test", "oc", "--json").stdout)["held"], wanted)
        line = json.loads(program.run("watch", "--once").stdout.splitlines()[0])
        self.assertEqual((line["whole"], line["held"]), (False, wanted))
        done = program.run("sync")
        self.assertEqual(done.returncode, 1, done.text)
        self.assertIn(f"oc: {DAYS[2]}: the server has less data for this day than before: 2 of 2 priced nodes, 24.0 h of 48.0 h, 192.0 h of 384.0 h"
                      " of GPUs, 15.00 USD of 30.00 USD; what it said before stays", done.text)
        self.assertEqual(done.text.count("sync --source oc --accept-gone"), 1)
        self.assertRegex(done.stdout.decode(), r"(?m)^oc .* held$")
        # A day that is no longer queried at each sync is still reported.
        later, again = (json.loads(program.run("sync", "--json", now=f"2025-04-09T12:0{minute}:00Z").stdout)["sources"][0] for minute in (0, 1))
        self.assertIn(DAYS[2], [one["day"] for one in later["days"]])
        self.assertNotIn(DAYS[2], [one["day"] for one in again["days"]])
        self.assertEqual((later["held"], again["held"]), (wanted, wanted))
        self.assertEqual(program.run("sync", now="2025-04-09T12:02:00Z").returncode, 1)
        self.assertIn(DAYS[2] + ": the server has less data for this day than before", program.run("reconcile", "--month", "2025-03").stdout.decode())
        found = json.loads(program.run("sources", "test", "oc", "--json").stdout)
        self.assertIn("it now has less data for 1 day than before; the earlier data was kept", [f["text"] for f in found["findings"]])
        # An answer without a price never erases anything, even if accepted.
        server.days[second(DAYS[2])] = ({}, pods)
        done = program.run("sync", "--source", "oc", "--accept-gone")
        self.assertEqual(done.returncode, 1, done.text)  # a decision can't change that
        self.assertIn("names no machine that can be read", done.text)
        self.assertEqual(held()[0]["now"]["nodes"], 0)
        self.assertEqual(amount(self.ledger(program, "day")["allocated"][0]), 90)
        server.days[second(DAYS[2])] = (half, pods)
        day = self.ask(program, "sync", "--source", "oc", "--accept-gone")["sources"][0]["days"][0]
        self.assertEqual((day["kept"], day["changed"]), (False, True))
        program.healthy("sync")
        self.assertEqual(self.ask(program, "sources", "list")["sources"][0]["held"], [])
        self.assertEqual(amount(self.ledger(program, "day")["allocated"][0]), 75)
        self.assertEqual(held(), [])
        self.assertEqual(program.run("sync", "--accept-gone").returncode, 2)  # the source is not specified
        program.verify()

    def test_a_failure_keeps_what_is_there(self):
        server, url = self.server()
        program = self.over(url)
        server.days[second(DAYS[2])] = ({"a": asset("n1", 10.0, 9.0)}, {})
        program.healthy("sync")
        for broken, words in (((500, '{"code":500,"message":"query timed out"}'), "query timed out"),
                              ((200, '{"code":200,"data":{"a":{"type":"Node"'), "truncated"),
                              ((400, "Invalid thing\n{\"code\":400}", "text/plain"), "Invalid thing"),
                              ((200, "<html>login</html>", "text/html"), "web page")):
            for path in ("/assets", "/allocation"):
                server.broken = {path: broken}
                if broken[0] == 500:
                    server.broken = {path: (501, broken[1])}  # not worth a retry
                done = program.run("sync")
                self.assertEqual(done.returncode, 4, done.text)
                self.assertIn(words, done.text)
                self.assertEqual(amount(self.ledger(program, "day")["allocated"][0]), 10)
        server.broken = {}
        program.healthy("sync")
        program.verify()

    def test_names_are_data(self):
        server, url = self.server()
        program = self.over(url)
        name = "=cmd|'\x00\u202e\x1b]52;c;eA==\x07<img src=file:///x>../../"
        server.days[second(DAYS[2])] = ({name: asset(name, 10.0, 9.0, "\x1b[31mred"), "b": asset("x" * 5000, 1.0, 1.0), "c": None}, {})
        done = program.healthy("sync")
        self.assertIn("1 records were rejected", done.text)
        for output in (done.text, done.stdout.decode(), program.run("reconcile", "--month", "2025-03").stdout.decode(),
                       program.run("ledger", "--by", "cluster", "--from", DAYS[0], "--to", "2025-04-01").stdout.decode()):
            self.assertNotIn("\x1b", output)
            self.assertNotIn("\u202e", output)
        program.verify()


class Faults(ProductTest):
    """A server fails: the sync ends in time with an error message, nothing partial is stored, and the next one heals."""
    LIMIT = 60  # seconds that any fault may take
    CODES = {
        "reset": {"network"}, "drop": {"network"}, "short": {"network"}, "halfjson": {"parse"}, "gzcut": {"parse", "network"},
        "login": {"unauthorized"}, "empty": {"parse"}, "types": {"parse"}, "deep": {"parse"}, "401": {"unauthorized"}, "403": {"forbidden"},
        "404": {"not-found"}, "429?7000": {"rate-limited"}, "storm": {"server"}, "503": {"server"}, "407": {"unauthorized"},
        "endless": {"too-much"}, "big": {"too-much"}, "gzbomb": {"too-much", "parse"}, "headers": {"too-much"}, "loop": {"server", "invalid-config"},
        "file": {"invalid-config"}, "redirect": {"invalid-config"}, "hang": {"timeout"},
    }

    def test_each(self):
        server = Server()
        url = server.start()
        self.addCleanup(server.stop)
        server.days[second(DAYS[2])] = ({"a": asset("n1", 10.0, 9.0)}, {})
        faulty = self.enterContext(Faulty("--upstream", url))
        for name, codes in self.CODES.items():
            for path in (".*", "/allocation"):
                fault, _, argument = name.partition("?")
                with self.subTest(name, path=path):
                    # Much is read before the limit is exceeded, which takes a while on a busy machine.
                    patience = "30s" if name in ("gzbomb", "big", "endless") else "3s"
                    program = self.program(f"  - {{ name: oc, kind: opencost, url: \"{faulty.url}\", first_sync: 3d, timeout: {patience} }}\n",
                                           name=f"{fault}{len(path)}")
                    faulty.faults(f"{path}@1+={fault}" + (f"?{argument}" if argument else ""))
                    begin = time.monotonic()
                    done = program.run("sync", "--json", timeout=self.LIMIT + 60)
                    self.assertLess(time.monotonic() - begin, self.LIMIT, "the sync took too long")
                    self.assertEqual(done.returncode, 4, done.text)
                    error = self.assertReports(done)["oc"]["error"]
                    self.assertIn(error["code"], codes, done.text)
                    self.assertTrue(error["hint"], done.text)
                    self.assertLessEqual(sum(faulty.stats()["hits"].values()), 60, "a failing server gets too many requests")
                    faulty.faults()
                    program.healthy("sync")
                    told = json.loads(program.healthy("ledger", "--by", "day", "--from", DAYS[0], "--to", "2025-04-01", "--json").stdout)
                    self.assertEqual([amount(row["allocated"]) for row in told["rows"]], [10])
                    program.verify()


class Killed(ProductTest):
    """The sync is killed or its disk is full at any write: each day is complete, or as it was."""

    def test_at_a_write(self):
        server = Server()
        url = server.start()
        self.addCleanup(server.stop)
        for what in ("kill", "28"):
            program = self.program(f"  - {{ name: oc, kind: opencost, url: \"{url}\", first_sync: 3d }}\n", name="killed" + what)
            for day in DAYS:
                server.days[second(day)] = ({f"n{i}": asset(f"n{i}", 1.0, 0.9) for i in range(300)}, {})
            felt = 0
            for number in (1, 2, 3, 5, 8, 13, 21, 34):
                done = program.faulty(f"write:{number}:{what}:ledger.db", "sync")
                felt += done.returncode != 0
                program.verify()
                told = json.loads(program.healthy("ledger", "--by", "day", "--from", DAYS[0], "--to", "2025-04-01", "--json").stdout)
                for row in told["rows"]:
                    self.assertEqual(amount(row["allocated"]), 300)
            self.assertGreater(felt, 0, "no fault had an effect")
            program.healthy("sync")
            program.verify()
            told = json.loads(program.healthy("ledger", "--by", "day", "--from", DAYS[0], "--to", "2025-04-01", "--json").stdout)
            self.assertEqual([amount(row["allocated"]) for row in told["rows"]], [300, 300, 300])


if __name__ == "__main__":
    unittest.main()
