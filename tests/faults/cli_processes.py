# SPDX-License-Identifier: GPL-3.0-or-later
"""Concurrent processes with every command that writes; clocks that are far off; configurations that are not files; a killed demo."""
import datetime
import hashlib
import json
import os
import signal
import sqlite3
import time
import unittest

import servers
from product import DEMO, NOW, SHIM, Program, ProductTest, configuration, edited, sample

BILLS = "  - { name: bill, kind: demo-bill, gpus: 8, days: 60 }\n"
SAME_BILLS = BILLS.replace("name: bill", "name: other")
FEBRUARY = "2025-02"


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


class Processes(ProductTest):
    def together(self, program, *commands, now=NOW):
        """Runs the commands concurrently; returns their results in the order of the commands."""
        running = [program.start(*command, now=now) for command in commands]
        done = []
        for process in running:
            output, text = process.communicate(timeout=180)
            for word in ("UNIQUE", "constraint", "locked", "check the disk", "Sanitizer"):
                self.assertNotIn(word, text)
            done.append((process.returncode, output, text))
        return done

    def log(self, program):
        return json.loads(program.healthy("showback", "--history", "--json").stdout)["entries"]

    def test_a_new_bill_for_four(self):
        """Each process finds a new bill; one imports it, and the others notice that."""
        for name, sources, parts in (("one", (BILLS,), 1), ("two", (BILLS, SAME_BILLS), 1)):
            with self.subTest(name):
                quiet = self.program(*sources, name=f"quiet-{name}")
                quiet.healthy("sync")
                expected = quiet.healthy("ledger", "--by", "team", "--from", "2025-01-01", "--json", "--quiet").stdout
                program = self.program(*sources, name=name)
                for status, _, text in self.together(program, *[("sync",)] * 4):
                    self.assertEqual(status, 0, text)
                program.verify()
                self.assertEqual(program.healthy("ledger", "--by", "team", "--from", "2025-01-01", "--json", "--quiet").stdout, expected)
                with sqlite3.connect(program.cache) as cache:
                    twice = cache.execute("SELECT count(*) FROM bill_delivery GROUP BY hashes HAVING count(*) > 1").fetchall()
                self.assertEqual(twice, [])

    def test_the_lock_goes_with_its_process(self):
        program = self.program(BILLS)
        first = program.start("sync")
        first.send_signal(signal.SIGKILL)
        first.communicate(timeout=60)
        program.healthy("sync")
        program.verify()

    def test_one_month_is_closed_once(self):
        program = self.program(BILLS)
        program.healthy("sync")
        close = ("showback", "--month", FEBRUARY, "--close", "--yes", "--reason", "four at once")
        done = self.together(program, close, close, close, ("showback", "--month", FEBRUARY, "--review"))
        self.assertEqual(sorted(status for status, _, _ in done[:3]), [0, 5, 5], [text for _, _, text in done])
        self.assertIn(done[3][0], (0, 1, 5), done[3][2])
        self.assertEqual(sum(entry["action"] == "close-month" for entry in self.log(program)), 1)
        program.verify()

    def test_four_reviews_are_four_entries(self):
        program = self.program(BILLS)
        program.healthy("sync")
        for status, _, text in self.together(program, *[("showback", "--month", FEBRUARY, "--review")] * 4):
            self.assertIn(status, (0, 1), text)
        entries = self.log(program)
        self.assertEqual([entry["sequence"] for entry in entries], [1, 2, 3, 4])
        steady = [entry["steady_ns"] for entry in entries]
        self.assertEqual(steady, sorted(steady))
        program.verify()

    def test_sources_that_four_add_are_all_there(self):
        program = self.program()
        names = [f"added-{i}" for i in range(4)]
        for status, _, text in self.together(program, *[("sources", "add", name, "--kind", "demo", "--set", "gpus=8") for name in names]):
            self.assertEqual(status, 0, text)
        listed = json.loads(program.healthy("sources", "list", "--json").stdout)["sources"]
        self.assertEqual(sorted(source["name"] for source in listed), sorted(["demo", *names]))

    def test_demo_reports_and_questions_beside_a_sync(self):
        program = self.program(BILLS)
        program.healthy("sync")
        report = os.path.join(program.folder, "february.gpureport")
        write = ("showback", "--month", FEBRUARY, "--format", "gpureport", "--out", report)
        for status, _, text in self.together(program, write, write, ("sync",), ("verify",), ("rules", "test"), ("explain", "no-such-figure")):
            self.assertIn(status, (0, 2), text)
        program.healthy("report", "info", report)
        demo = Program(os.path.join(self.folder, "fleet"), data="demo")
        os.makedirs(demo.folder, exist_ok=True)
        for status, _, text in self.together(demo, *[("demo", "--days", "2", "--gpus", "8", "--quiet")] * 3):
            self.assertEqual(status, 0, text)
        self.assertEqual(demo.run("--demo", "verify").returncode, 0)


class Clocks(ProductTest):
    def test_eighty_years_are_not_fetched(self):
        program = self.program()
        program.healthy("sync")
        expected = program.figures()
        done = program.run("sync", "--json", now="2106-02-08T00:00:00Z", timeout=60)
        self.assertEqual(done.returncode, 4, done.text)
        self.assertReports(done, demo="refused")
        self.assertSentence(done, "2106-02-0", "years", "--now")
        self.assertEqual(program.figures(), expected)
        program.healthy("sync", now="2025-03-31T01:00:00Z")
        program.verify(now="2025-03-31T01:00:00Z")

    def test_an_interrupt_ends_a_sync(self):
        """Also of a sync that waits for another sync of its source."""
        with servers.Faulty("--always", "hang") as silent:
            program = self.program(servers.source(silent.url))
            for end in (signal.SIGTERM, signal.SIGINT):
                with self.subTest(end):
                    running = program.start("sync")
                    self.until(lambda process=running: self.holder(program) == process.pid)
                    waiting = program.start("--verbose", "sync")
                    line = next((line for line in waiting.stderr if "waiting for" in line), "")
                    # With the process id if the system reveals the file system of the lock.
                    self.assertRegex(line, f"waiting for (process {running.pid}|another window or command)")
                    begin = time.monotonic()
                    for process in (waiting, running):
                        process.send_signal(end)
                        process.communicate(timeout=60)
                        self.assertEqual(process.returncode, 130)
                    self.assertLess(time.monotonic() - begin, 20)  # 1 s each on an otherwise idle machine
            program.verify()

    def test_what_nohup_ignores_stays_ignored(self):
        with servers.Faulty("--always", "hang") as silent:
            program = self.program(servers.source(silent.url))
            before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # a child inherits that
            try:
                running = program.start("sync")
            finally:
                signal.signal(signal.SIGHUP, before)
            self.until(lambda: self.holder(program) == running.pid)
            # A thread that starts another one blocks every signal for that moment (pthread_create of glibc).
            self.until(lambda: self.hangup(running.pid) == (1, 0))
            running.send_signal(signal.SIGTERM)
            running.communicate(timeout=60)
            self.assertEqual(running.returncode, 130)

    def until(self, holds):
        end = time.monotonic() + 60
        while not holds() and time.monotonic() < end:
            time.sleep(0.02)
        self.assertTrue(holds())

    @staticmethod
    def hangup(pid):
        """Whether the process ignores HUP, and whether its first thread blocks it now."""
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            masks = dict(line.split(":", 1) for line in file if line.startswith("Sig"))
        return int(masks["SigIgn"], 16) & 1, int(masks["SigBlk"], 16) & 1  # bit 0 is HUP

    @staticmethod
    def holder(program):
        """The process that holds the lock of a source."""
        names = [name for name in (os.listdir(program.data) if os.path.isdir(program.data) else []) if name.startswith("sync-")]
        inodes = {str(os.stat(os.path.join(program.data, name)).st_ino) for name in names}
        with open("/proc/locks", encoding="ascii") as file:
            fields = [line.split() for line in file if " FLOCK " in line and "->" not in line]
        return next((int(field[4]) for field in fields if field[5].rsplit(":", 1)[1] in inodes), None)

    def test_a_month_that_is_not_over_stays_open(self):
        """By the clock of this computer the month is not over, whatever --now says."""
        future = datetime.datetime.now(datetime.timezone.utc).year + 3
        now = f"{future}-03-31T00:00:00Z"
        program = self.program(BILLS)
        program.healthy("sync", now=now)
        for wish in (("--close", "--yes", "--reason", "ahead"), ("--review",)):
            done = program.run("showback", "--month", f"{future}-02", *wish, now=now)
            self.assertEqual(done.returncode, 5, done.text)
            self.assertSentence(done, "the month is not over by this computer's clock")
        self.assertEqual(json.loads(program.healthy("showback", "--history", "--json", now=now).stdout)["entries"], [])

    def test_entries_say_when_they_were_written(self):
        program = self.program(BILLS)
        program.healthy("sync")
        begin = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        program.run("showback", "--month", FEBRUARY, "--review")
        program.run("showback", "--month", FEBRUARY, "--close", "--yes", "--reason", "for a test")
        first, last = json.loads(program.healthy("showback", "--history", "--json").stdout)["entries"]
        for entry in (first, last):
            self.assertEqual(moment(entry["at"]), moment(NOW))
            self.assertGreaterEqual(moment(entry["recorded_at"]), begin)
        self.assertEqual(first["boot"], last["boot"])
        self.assertLess(first["steady_ns"], last["steady_ns"])
        self.assertIn(last["recorded_at"], program.healthy("showback", "--history").stdout.decode())
        program.verify()
        for column, value in (("recorded_at", 1), ("steady", 1), ("boot", "'x'"), ("recorded_at", "NULL")):
            with self.subTest(column=column, value=value):
                with edited(program.cache) as cache:
                    kept = cache.execute(f"SELECT {column} FROM audit_entry WHERE sequence = 2").fetchone()
                    trigger = cache.execute("SELECT sql FROM sqlite_master WHERE name = 'audit_entry_stays'").fetchone()[0]
                    cache.execute("DROP TRIGGER audit_entry_stays")
                    cache.execute(f"UPDATE audit_entry SET {column} = {value} WHERE sequence = 2")
                done = program.run("verify", "--json")
                self.assertEqual(done.returncode, 1, done.text)
                self.assertIn("entry 2", done.stdout.decode())
                with edited(program.cache) as cache:
                    cache.execute(f"UPDATE audit_entry SET {column} = ? WHERE sequence = 2", kept)
                    cache.execute(trigger)
        program.verify()


    def test_a_clock_that_was_set_back(self):
        """The program does not know by whom; it may be legitimate, and it is reported."""
        program = self.program(BILLS)
        program.healthy("sync")
        for _ in range(2):
            program.run("showback", "--month", FEBRUARY, "--review")
        self.assertEqual(self.remarks(program), [])
        for boot, seconds, said in (("", -7200, "2 h"), ("", -61, "1 min"), ("", -30, None), ("", 86400, None),
                                    ("another", -7200, "2 h"), ("another", 60, None)):
            with self.subTest(boot=boot, seconds=seconds):
                self.rewrite_last(program.cache, boot, seconds)
                remarks = self.remarks(program)
                self.assertEqual(len(remarks), 1 if said else 0, remarks)
                if said:
                    self.assertIn(f"set back by {said} before entry 2", remarks[0])

    def remarks(self, program):
        done = program.healthy("verify")
        told = json.loads(program.healthy("verify", "--json").stdout)
        self.assertTrue(told["holds"])
        self.assertEqual([line for line in done.text.splitlines() if line.startswith("remark: ")], ["remark: " + text for text in told["remarks"]])
        return told["remarks"]

    @staticmethod
    def rewrite_last(cache, boot, seconds):
        """Rewrites entry 2 as if the clock had been changed by so much right after entry 1, with a valid chain."""
        def netstring(value):
            content = str(value).encode()
            return b"%d:%s," % (len(content), content)

        with edited(cache) as db:
            trigger = db.execute("SELECT sql FROM sqlite_master WHERE name = 'audit_entry_stays'").fetchone()[0]
            first, steady, same = db.execute("SELECT recorded_at, steady, boot FROM audit_entry WHERE sequence = 1").fetchone()
            db.execute("DROP TRIGGER audit_entry_stays")
            recorded = (first + seconds, steady + 1, boot or same)
            entry = db.execute("SELECT sequence, at, actor, action, object, details, previous FROM audit_entry WHERE sequence = 2").fetchone()
            digest = hashlib.sha256(b"".join(map(netstring, (*entry, *recorded)))).hexdigest()
            db.execute("UPDATE audit_entry SET recorded_at = ?, steady = ?, boot = ?, hash = ? WHERE sequence = 2", (*recorded, digest))
            db.execute("UPDATE meta SET value = ? WHERE key = 'audit_head'", (f"2 {digest}",))
            db.execute(trigger)


class Configurations(ProductTest):
    def refused(self, program, *parts, status=3):
        done = program.run("sources", "list", timeout=60)
        self.assertEqual(done.returncode, status, done.text)
        self.assertSentence(done, *parts)

    def test_a_pipe_or_a_device(self):
        program = self.program()
        os.unlink(program.config)
        os.mkfifo(program.config)
        self.refused(program, "is a pipe or a device")
        done = program.run("sources", "add", "more", "--kind", "demo", timeout=60)
        self.assertEqual(done.returncode, 3, done.text)
        program.config = "/dev/zero"
        self.refused(program, "is a pipe or a device")
        program.config = program.folder
        self.refused(program, "is a folder")

    def test_a_second_document(self):
        program = self.program()
        text = configuration(DEMO)
        program.configure(text + "---\nversion: 1\nsources: []\n")
        self.refused(program, f"config.yaml:{text.count(chr(10)) + 2}:1", "a second YAML document")
        program.configure("---\n" + text + "...\n")
        program.healthy("sources", "list")

    def test_negative_counts(self):
        program = self.program("  - { name: demo, kind: demo, gpus: -1, days: -2, seed: -3 }\n")
        self.refused(program, "config.yaml:5:", "sources[0].gpus: must be a whole number from 1", "sources[0].days", "sources[0].seed")
        program = self.program(name="options")
        program.healthy("sync")
        for command in (("act", "undo", "-1"), ("act", "undo", "0", "--yes"), ("act", "release", "-1"), ("act", "stop", "x", "--count", "-1"),
                        ("demo", "--gpus", "-1"), ("demo", "--days", "-1")):
            with self.subTest(command):
                done = program.run(*command)
                self.assertEqual(done.returncode, 2, done.text)
                self.assertSentence(done, "not in range")

    def test_a_path_that_is_not_there(self):
        program = self.program(f"  - {{ name: bills, kind: focus, path: {os.path.join(self.folder, 'nowhere')} }}\n")
        for command, status in ((("sources", "test", "bills"), 4), (("sync",), 4), (("sources", "test", "nobody"), 2)):
            done = program.run(*command)
            self.assertEqual(done.returncode, status, done.text)


class KilledDemo(ProductTest):
    """Killed at any write: the same command resumes, and arrives at the same figures."""
    FILL = ("demo", "--days", "1", "--gpus", "8", "--quiet")
    MADE, WRITES = 60, 450  # writes until the cache exists, and in total

    def fleet(self, name):
        program = Program(os.path.join(self.folder, name), data="demo")
        os.makedirs(program.folder, exist_ok=True)
        return program

    def figures(self, program):
        return program.healthy("--demo", "summary", "--by", "device", "--json", "--quiet").stdout

    def test_killed_or_out_of_space(self):
        if not SHIM:
            self.skipTest("no shim")
        whole = self.fleet("whole")
        whole.healthy(*self.FILL)
        expected = self.figures(whole)
        for what, most in (("kill", 4), ("28", 3)):
            for point in (*sample(self.MADE, most), *(self.MADE + later for later in sample(self.WRITES - self.MADE, most))):
                with self.subTest(what=what, point=point):
                    program = self.fleet(f"{what}-{point}")
                    program.faulty(f"write:{point}:{what}:/demo/", *self.FILL)
                    program.healthy(*self.FILL)
                    self.assertEqual(self.figures(program), expected)
                    self.assertEqual(program.run("--demo", "verify").returncode, 0)

    def test_killed_and_begun_as_another(self):
        """The other fleet if nothing was fetched yet, otherwise a refusal that says how to continue: never a mix of the two."""
        if not SHIM:
            self.skipTest("no shim")
        other = (*self.FILL, "--seed", "7")
        expected = {}
        for name, command in (("first", self.FILL), ("other", other)):
            program = self.fleet(name)
            program.healthy(*command)
            expected[command] = self.figures(program)
        self.assertNotEqual(*expected.values())
        for point in (*sample(self.MADE, 3), *(self.MADE + later for later in sample(self.WRITES - self.MADE, 2))):
            with self.subTest(point=point):
                program = self.fleet(f"kill-{point}")
                program.faulty(f"write:{point}:kill:/demo/", *self.FILL)
                done = program.run(*other)
                held = other if done.returncode == 0 else self.FILL
                if done.returncode:
                    self.assertEqual(done.returncode, 2, done.text)
                    self.assertSentence(done, "another demo fleet", "omit the options")
                program.healthy("demo", "--quiet")
                self.assertEqual(self.figures(program), expected[held])

    def test_an_empty_cache_is_no_other_fleet(self):
        """Left by a command that ended before it recorded its options."""
        program = self.fleet("empty")
        program.configure(configuration(DEMO))
        program.healthy("sources", "list")  # creates a cache and fetches nothing
        program.healthy(*self.FILL)
        done = program.run("demo", "--days", "2", "--gpus", "8")
        self.assertEqual(done.returncode, 2, done.text)
        self.assertSentence(done, "another demo fleet")


if __name__ == "__main__":
    unittest.main(verbosity=2)
