# SPDX-License-Identifier: GPL-3.0-or-later
"""A report file: opens elsewhere with the same figures, contains its month and nothing else, and is refused if any byte differs from what
was signed."""
import ctypes
import ctypes.util
import glob
import itertools
import json
import os
import random
import signal
import sqlite3
import stat
import struct
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "faults"))
sys.path.insert(0, HERE)

from bills import line, write_bill  # noqa: E402
from product import SEED, Program, ProductTest, configuration, sample  # noqa: E402

MONTH = "2025-03"
NOW = "2025-04-02T06:00:00Z"
DEMO = "  - { name: demo, kind: demo, gpus: 16, days: 4, first_sync: 4d }\n"
CANARY = "CANARY-7f3a"
SETTINGS = """owners: [{ label: team }, { cloud_tag: team }, { namespace: "^ml-(?P<team>[a-z]+)-.*", regex: true }, { node_pool: gpu-research, team: research, from: 2026-01-01 }]
workloads: [{ label: { app: jupyter }, kind: notebook }]
idle: { threshold: 0.07, grace: { notebook: 30m }, protect: [{ namespace: kube-system }] }
prices: { overrides: [{ gpu_model: "NVIDIA H100 80GB HBM3", per_gpu_hour: "2.49", currency: EUR }], exchange_rates: [{ from: EUR, to: USD, rate: "1.08", date: 2025-01-01 }] }
links: { grafana: "https://grafana-CANARY-7f3a.example.org/?n={node}" }
chargeback: { clearing_account: "CANARY-7f3a", default_account: "1" }
budgets: [{ team: vision, period: month, amount: "1000", warn: [0.8] }]
"""
SECRETS = """  - name: other
    kind: prometheus
    url: https://user-CANARY-7f3a.example.org
    auth: { type: bearer, token: env:CANARY_7f3a_TOKEN }
    headers: { X-Scope: CANARY-7f3a }
    tls: { ca: file:/CANARY-7f3a/ca.pem }
"""
RANGE = ("--from", "2025-03-01T00:00:00Z", "--to", "2025-04-01T00:00:00Z")
QUESTIONS = (("summary", "--by", "team", *RANGE), ("summary", "--by", "device", *RANGE), ("ledger", "--by", "team,state,category", *RANGE),
             ("ledger", "--by", "workload", *RANGE), ("ledger", "--by", "team", "--per", "day", *RANGE), ("reconcile", "--month", MONTH),
             ("heatmap", "--by", "workload", "--bins", "day", "--metric", "utilization", *RANGE),
             ("heatmap", "--by", "device", "--bins", "hour-of-day", "--metric", "idle-cost", *RANGE))


def bill(month, **more):
    return line(BillingPeriodStart=f"2025-{month:02d}-01T00:00:00Z", BillingPeriodEnd=f"2025-{month + 1:02d}-01T00:00:00Z",
                ChargePeriodStart=f"2025-{month:02d}-07T00:00:00Z", ChargePeriodEnd=f"2025-{month:02d}-08T00:00:00Z", **more)


def unpack(file):
    """Header and parts of a report, decoded by this test itself."""
    with open(file, "rb") as opened:
        data = opened.read()
    length = struct.unpack_from("<I", data, 12)[0]
    header = json.loads(data[48:48 + length])
    payload = data[48 + length:-64]
    sizes = [header[k] for k in ("settings_bytes", "statement_bytes", "cache_bytes")]
    zstd = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    zstd.ZSTD_decompress.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    out = ctypes.create_string_buffer(sum(sizes) + 1)
    assert zstd.ZSTD_decompress(out, sum(sizes), payload, len(payload)) == sum(sizes)
    parts, at = [], 0
    for size in sizes:
        parts.append(out.raw[at:at + size])
        at += size
    return header, parts


class Report(ProductTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()

    def setUp(self):
        super().setUp()
        self.made = self.program(name="origin")
        self.bills = os.path.join(self.folder, "origin-" + CANARY)
        os.makedirs(self.bills)
        self.sources = (DEMO, f"  - {{ name: bill, kind: focus, path: {self.bills} }}\n")
        self.made.configure(configuration(*self.sources, SECRETS) + SETTINGS)
        write_bill(os.path.join(self.bills, "march.csv"), [
            bill(3, ResourceId="vol-march", ServiceCategory="Storage", BilledCost="1234.567890123", Tags=json.dumps({"team": "vision"})),
            bill(3, ChargeCategory="Credit", BilledCost="-7.25", EffectiveCost="-7.25")])
        write_bill(os.path.join(self.bills, "february.csv"), [
            bill(2, ResourceId="vol-FEBRUARY", ServiceCategory="Storage", BilledCost="77.77", Tags=json.dumps({"team": "vision"})),
            {**bill(2, ResourceId="vol-over-the-end", ServiceCategory="Storage", BilledCost="9", Tags=json.dumps({"team": "vision"})),
             "ChargePeriodStart": "2025-02-27T00:00:00Z", "ChargePeriodEnd": "2025-03-03T00:00:00Z"}])
        write_bill(os.path.join(self.bills, "january.csv"), [bill(1, ResourceId="vol-JANUARY", Tags=json.dumps({"team": "OLDTEAM"}))])
        for source in ("demo", "bill"):
            self.made.healthy("sync", "--source", source, now=NOW)
        self.file = os.path.join(self.folder, "march.gpureport")
        # Elsewhere: another home directory, no configuration, no synced data.
        self.other = Program(os.path.join(self.folder, "elsewhere"))
        os.makedirs(self.other.folder)
        self.temporary = os.path.join(self.folder, "tmp")
        os.makedirs(self.temporary)
        self.other.environment["TMPDIR"] = self.made.environment["TMPDIR"] = self.temporary

    def write(self, month=MONTH, *arguments, now=NOW):
        done = self.made.run("showback", "--month", month, "--format", "gpureport", "--out", self.file, *arguments, now=now)
        self.assertEqual(done.returncode, 0, done.text)
        self.assertEqual(os.listdir(self.temporary), [])
        return done

    def open(self, *arguments, program=None, file=None, **more):
        other = program or self.other
        return subprocess.run([other.command()[0], "--data", other.data, "--report", file or self.file, *arguments], env={**other.environment, **more},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)

    def figures(self, *arguments, status=(0, 1)):
        done = self.open(*arguments)
        self.assertIn(done.returncode, status, done.stderr.decode())
        return done.stdout

    def refused(self, done, *words, status=3):
        text = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, status, text)
        for word in words:
            self.assertIn(word, text)
        for mark in ("Sanitizer", "runtime error", "terminate called"):
            self.assertNotIn(mark, text)
        self.assertEqual(os.listdir(self.temporary), [])

    def documents(self, ask):
        return {(form, view, team): ask("showback", "--format", form, "--cost", view, *team)
                for form, view, team in itertools.product(("csv", "json", "html"), ("billed", "effective"), ((), ("--team", "vision")))}

    def origin(self, *arguments):
        done = self.made.run(*arguments, now=NOW)
        self.assertIn(done.returncode, (0, 1), done.text)
        return done.stdout

    def same_figures(self):
        here = self.documents(lambda verb, *more: self.origin(verb, "--month", MONTH, *more))
        there = self.documents(lambda *more: self.figures(*more))
        self.assertEqual(there, here)
        for question in QUESTIONS:
            with self.subTest(question=question):
                here, there = (json.loads(ask(*question, "--json")) for ask in (self.origin, self.figures))
                for answer in (here, there):
                    answer.pop("data", None)  # a report ends with its month, whatever was fetched since
                self.assertEqual(there, here)
        self.assertEqual(self.figures("verify", status=(0,)), b"all holds\n")
        self.assertEqual(os.listdir(self.temporary), [])

    def test_figures_are_those_of_the_origin(self):
        self.write()
        self.same_figures()
        # Without --month and --from it covers its own month.
        self.assertEqual(self.figures("reconcile", "--json"), self.figures("reconcile", "--month", MONTH, "--json"))
        self.assertEqual(self.figures("summary", "--json"), self.figures("summary", *RANGE, "--json"))
        idle = json.loads(self.figures("idle", "--json"))
        self.assertEqual(idle["at"], "2025-04-01T00:00:00Z")
        self.assertTrue(idle["items"] or idle["unknown"])
        now = {i["id"] for i in json.loads(self.origin("idle", "--at", "2025-04-01T00:00:00Z", "--json"))["items"]}
        self.assertEqual({i["id"] for i in idle["items"]}, now)

    def test_a_closed_month_and_one_that_runs(self):
        self.made.healthy("showback", "--month", MONTH, "--close", "--yes", "--reason", "test", now=NOW)
        self.write()
        self.same_figures()
        statement = json.loads(self.figures("showback", "--json"))
        self.assertEqual(statement["status"]["state"], "closed")
        _, (_, _, cache) = unpack(self.file)
        copy = os.path.join(self.folder, "copy.db")
        with open(copy, "wb") as file:
            file.write(cache)
        with sqlite3.connect(copy) as db:
            self.assertEqual(db.execute("SELECT month, hash FROM month_close").fetchall(), [(MONTH, statement["status"]["hash"])])
            with self.assertRaises(sqlite3.DatabaseError):
                db.execute("DELETE FROM month_close")
        self.write("2025-04")
        self.assertEqual(json.loads(self.figures("showback", "--json"))["month"], "2025-04")
        self.assertFalse(json.loads(self.figures("showback", "--json"))["over"])
        self.assertEqual(self.figures("verify", status=(0,)), b"all holds\n")

    def test_holds_its_month_and_no_secret(self):
        self.made.healthy("showback", "--month", "2025-01", "--close", "--yes", "--reason", "REASON-OF-JANUARY", now=NOW)
        self.write()
        header, (settings, statement, cache) = unpack(self.file)
        self.assertEqual((header["month"], header["made"]), (MONTH, NOW))
        with open(self.file, "rb") as file:
            for data in (settings, statement, cache, file.read()):
                for word in (CANARY, "CANARY_7f3a", "example.org", "JANUARY", "OLDTEAM", "vol-FEBRUARY", self.folder):
                    self.assertNotIn(word.encode(), data)
        self.assertIn(b"vol-march", cache)
        self.assertIn(b"vol-over-the-end", cache)  # part of it belongs to the month
        copy = os.path.join(self.folder, "copy.db")
        with open(copy, "wb") as file:
            file.write(cache)
        db = sqlite3.connect(copy)
        self.addCleanup(db.close)
        first, last = 20148, 20178  # days since 1970
        days = ("SELECT id >> 32 FROM usage_day", "SELECT (id >> 24) & 16777215 FROM rollup", "SELECT day FROM rollup_day", "SELECT day FROM idle_day", "SELECT day FROM gap_day", "SELECT hour / 24 FROM signal_hour",
                "SELECT day FROM ledger_line", "SELECT day FROM bill_day", "SELECT day FROM bill_sum", "SELECT day FROM allocation_day")
        for sql in days:
            found = {r[0] for r in db.execute(sql)}
            self.assertTrue(all(first <= day <= last for day in found), sql)
        self.assertEqual({r[0] for r in db.execute(days[0])}, {20176, 20177, 20178})
        for table in ("audit_entry", "gap_past", "idle_candidate", "month_close", "closed_row", "month_review"):
            self.assertEqual(db.execute(f"SELECT count(*) FROM {table}").fetchone(), (0,), table)
        self.assertEqual(db.execute("SELECT max(hull_end) FROM sync_state").fetchone(), ((last + 1) * 86400,))
        self.assertEqual(db.execute("SELECT last_error FROM sync_state WHERE last_error <> ''").fetchall(), [])
        self.assertEqual({r[0] for r in db.execute("SELECT path FROM bill_file")}, {"march.csv", "february.csv"})
        # No holder is named that existed only more than a day after (or before) the month, and the time of its existence is not revealed.
        near, far = (last + 2) * 86400, "(SELECT subject FROM placement WHERE seen_start > ?)"
        late = {r[0] for r in db.execute(f"SELECT name FROM subject WHERE id IN {far} AND id NOT IN (SELECT subject FROM placement WHERE seen_start < ?)", (near, near))}
        self.assertLessEqual(late, {"(other months)"})
        self.assertEqual(db.execute("SELECT count(*) FROM holder_span WHERE holder NOT IN (SELECT holder FROM holder_span WHERE span_start < ?)", (near,)).fetchone(), (0,))
        origin = sqlite3.connect(f"file:{self.made.cache}?mode=ro", uri=True)
        self.addCleanup(origin.close)
        self.assertGreater(origin.execute("SELECT count(*) FROM placement WHERE seen_start > ?", (near + 3600,)).fetchone()[0], 0)
        self.assertEqual(db.execute("PRAGMA freelist_count").fetchone(), (0,))
        self.assertEqual(json.loads(settings)["sources"], [])
        self.assertNotIn("chargeback", json.loads(settings))

    def test_each_figure_is_proved(self):
        self.write()
        figures = {}

        def collect(node):
            for key, value in node.items() if isinstance(node, dict) else enumerate(node):
                if key == "figures" and isinstance(value, dict):
                    for figure in value.values():
                        figures.setdefault((figure.partition("?")[0], "team=" in figure), figure)  # one of each kind and measure
                elif isinstance(value, (dict, list)):
                    collect(value)

        for question in (("showback", "--cost", "effective"), ("showback", "--cost", "billed"), ("idle",), *QUESTIONS):
            collect(json.loads(self.figures(*question, "--json")))
        self.assertTrue({"showback/team.total", "showback/team.change.hours", "showback/bill", "ledger/total"} <= {kind for kind, _ in figures}, figures)
        for figure in sorted(figures.values()):
            with self.subTest(figure=figure):
                there = json.loads(self.figures("explain", figure, "--json", status=(0,)))
                here = json.loads(self.origin("explain", figure, "--json"))
                self.assertTrue(there["agrees"], there)
                self.assertEqual(there["value"], here["value"])
        before = next(f for (kind, _), f in figures.items() if kind == "showback/team.total").replace(MONTH, "2025-02")
        self.refused(self.open("explain", before), "the report of 2025-03", status=2)

    def test_changes_nothing(self):
        self.write()
        before = self.read(self.file)
        for verb in (("sync",), ("sources", "list"), ("sources", "add", "x", "--url", "http://127.0.0.1:1"), ("rules", "test"), ("demo",),
                     ("report", "info", self.file)):
            self.refused(self.open(*verb), "read-only", status=5)
        for wish in (("--close", "--yes", "--reason", "x"), ("--review",)):
            self.refused(self.open("showback", "--month", MONTH, *wish), "read-only", status=5)
        self.refused(self.open("showback", "--format", "gpureport", "--out", self.file), "read-only", status=5)
        self.refused(self.open("showback", "--month", "2025-02"), "the report of 2025-03", status=2)
        self.refused(self.open("showback", "--demo"), "--report", status=2)
        self.assertEqual(self.read(self.file), before)
        self.assertEqual(json.loads(self.figures("showback", "--months", "--json"))["months"][0]["month"], MONTH)
        self.assertFalse(os.path.exists(self.other.cache))

    def read(self, file):
        with open(file, "rb") as opened:
            return opened.read()

    def test_signers(self):
        told = self.write().text
        key = os.path.join(self.made.data, "report-signing.key")
        self.assertEqual(stat.S_IMODE(os.stat(key).st_mode), 0o600)
        digits = self.read(key).decode().strip()
        self.assertRegex(digits, "^[0-9a-f]{64}$")
        self.assertNotIn(digits.encode(), self.read(self.made.cache))

        def info(program, *more):
            done = program.run("report", "info", self.file, "--json", *more)
            self.assertEqual(done.returncode, 0, done.text)
            return json.loads(done.stdout)

        own = info(self.made)
        self.assertEqual((own["signer"], own["month"], own["state"], own["made"]), ("own", MONTH, "draft", NOW))
        self.assertIn(own["fingerprint"], told)
        self.assertEqual(info(self.other)["signer"], "unknown")
        done = self.open("showback")
        self.assertIn(f"signed by {own['fingerprint']}, an unknown signer", done.stderr.decode())
        self.assertEqual(info(self.other, "--trust")["signer"], "known")
        self.assertEqual(info(self.other)["signer"], "known")
        self.assertNotIn("unknown signer", self.open("showback").stderr.decode())
        self.write("2025-02")
        self.assertEqual(info(self.made)["fingerprint"], own["fingerprint"])  # made once
        os.chmod(key, 0o644)
        done = self.made.run("showback", "--month", MONTH, "--format", "gpureport", "--out", self.file, now=NOW)
        self.assertEqual(done.returncode, 5, done.text)
        self.assertIn("readable only by you", done.text)

    def test_changed_bytes_are_refused(self):
        self.write()
        data = self.read(self.file)
        length = 48 + struct.unpack_from("<I", data, 12)[0]
        changed = os.path.join(self.folder, "changed.gpureport")
        chance = random.Random(SEED)
        places = sorted({*range(0, length, 7), *chance.sample(range(length, len(data)), 12), len(data) - 64, len(data) - 1})
        for at in sample(len(places), 40):
            place = places[at - 1]
            with open(changed, "wb") as file:
                file.write(data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1:])
            self.refused(self.open("showback", file=changed), changed)
        for size in (0, 7, 8, 47, 48, length, length + 1, len(data) // 2, len(data) - 64, len(data) - 1):
            with open(changed, "wb") as file:
                file.write(data[:size])
            self.refused(self.open("showback", file=changed), changed)
        self.refused(self.open("showback", file=os.path.join(self.folder, "missing")), "can't be read", status=2)
        self.refused(self.open("showback", file=self.made.cache), "is not a GPU Ledger report")

    def test_full_disk_leaves_no_half_file(self):
        self.write()
        before = self.read(self.file)
        for part, call in (("march.gpureport", "write"), ("march.gpureport", "sync"), ("gpuledger-report-", "write"), ("report-signing", "write")):
            for number in (1, 2):
                fresh = part == "report-signing"
                if fresh:
                    os.remove(os.path.join(self.made.data, "report-signing.key"))
                done = self.made.faulty(f"{call}:{number}:28:{part}", "showback", "--month", MONTH, "--format", "gpureport", "--out", self.file, now=NOW)
                if done.returncode:
                    self.assertEqual(done.returncode, 3, done.text)
                    self.assertEqual(self.read(self.file), before)
                else:
                    self.assertNotEqual((part, number), ("march.gpureport", 1))
                    before = self.read(self.file)
                self.assertEqual(glob.glob(self.file + ".*"), [])
                self.assertEqual(os.listdir(self.temporary), [])
                if fresh and not os.path.exists(os.path.join(self.made.data, "report-signing.key")):
                    self.write()
                    before = self.read(self.file)

    def test_what_killed_runs_left_is_cleared(self):
        self.write()
        process = subprocess.Popen([self.made.command()[0], "--data", self.other.data, "--report", self.file, "verify"], env=self.other.environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while not os.listdir(self.temporary) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.wait()
        left = os.listdir(self.temporary)
        if left:
            self.assertEqual(stat.S_IMODE(os.stat(os.path.join(self.temporary, left[0])).st_mode), 0o700)
        os.makedirs(os.path.join(self.temporary, "gpuledger-report-AAAAAA", "data"))
        self.figures("showback")
        self.assertEqual(os.listdir(self.temporary), [])

    def test_what_can_not_be_made(self):
        for arguments, status, words in ((("--month", "2024-01"), 2, "nothing is stored"), (("--month", MONTH, "--team", "vision"), 2, "all teams")):
            done = self.made.run("showback", *arguments, "--format", "gpureport", "--out", self.file, now=NOW)
            self.assertEqual(done.returncode, status, done.text)
            self.assertIn(words, done.text)
        done = self.made.run("showback", "--month", MONTH, "--format", "gpureport", now=NOW)
        self.assertEqual(done.returncode, 2, done.text)
        done = self.made.run("showback", "--month", MONTH, "--out", os.path.join(self.folder, "no", "x.gpureport"), now=NOW)
        self.assertEqual(done.returncode, 3, done.text)
        self.assertFalse(os.path.exists(self.file))


if __name__ == "__main__":
    unittest.main()
