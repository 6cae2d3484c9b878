# SPDX-License-Identifier: GPL-3.0-or-later
"""G4, G6, G7: a cache that is not ours to read, and a clock or a zone that changes between two syncs."""
import glob
import hashlib
import os
import sqlite3
import unittest

from product import NOW, ProductTest


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Files(ProductTest):
    def prepared(self):
        program = self.program()
        program.healthy("sync")
        return program, program.figures()

    def replace(self, program, content):
        for suffix in ("-wal", "-shm"):
            if os.path.exists(program.cache + suffix):
                os.unlink(program.cache + suffix)
        with open(program.cache, "wb") as file:
            file.write(content)

    def healed(self, program, expected, kept):
        """The strange bytes are still there, beside a cache that the next sync fills."""
        program.verify()
        program.healthy("sync")
        program.verify()
        self.assertEqual(program.figures(), expected)
        if kept is not None:
            aside = [p for p in glob.glob(program.cache + "*") if digest(p) == kept]
            self.assertTrue(aside, "the damaged file is gone")

    def test_garbage(self):
        for name, content in (("noise", os.urandom(20000)), ("text", b"not a database\n" * 99), ("short", b"SQLite format 3\0")):
            with self.subTest(name):
                program, expected = self.prepared()
                self.replace(program, content)
                kept = digest(program.cache)
                done = program.run("summary")
                self.assertIn("damaged", done.text)
                self.healed(program, expected, kept)

    def test_empty_file(self):
        program, expected = self.prepared()
        self.replace(program, b"")
        self.healed(program, expected, None)

    def test_half_a_file(self):
        program, expected = self.prepared()
        self.settle(program)
        with open(program.cache, "rb") as file:
            content = file.read()
        self.replace(program, content[:len(content) // 2])
        kept = digest(program.cache)
        self.assertIn("damaged", program.run("summary").text)
        self.healed(program, expected, kept)

    def test_another_programs_database(self):
        program, _ = self.prepared()
        self.replace(program, b"")
        with sqlite3.connect(program.cache) as other:
            other.execute("PRAGMA application_id = 42")
            other.execute("CREATE TABLE precious (x)")
        other.close()
        self.untouched(program, "belongs to another program")

    def test_newer_schema(self):
        program, _ = self.prepared()
        self.settle(program)
        with sqlite3.connect(program.cache) as cache:
            cache.execute("PRAGMA user_version = 9999")
        cache.close()
        self.settle(program)
        self.untouched(program, "newer")

    def test_folder_in_its_place(self):
        program, _ = self.prepared()
        self.replace(program, b"")
        os.unlink(program.cache)
        os.mkdir(program.cache)
        done = program.run("sync")
        self.assertEqual(done.returncode, 3, done.text)
        self.assertSentence(done, "ledger.db")

    @staticmethod
    def settle(program):
        """Everything in one file, as after a clean end."""
        cache = sqlite3.connect(program.cache)
        cache.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cache.execute("PRAGMA journal_mode=DELETE")
        cache.close()

    def untouched(self, program, why):
        before = digest(program.cache)
        for verb in ("sync", "summary", "idle", "verify"):
            with self.subTest(verb):
                done = program.run(verb)
                self.assertEqual(done.returncode, 3, done.text)
                self.assertSentence(done, "ledger.db", why)
                self.assertEqual(digest(program.cache), before)

    def test_clean_end_leaves_one_file(self):
        program, _ = self.prepared()
        self.assertEqual([f for f in sorted(os.listdir(program.data)) if not f.endswith(".lock")], ["ledger.db"])
        self.assertNotIn("did not end cleanly", program.healthy("summary").text)


class Time(ProductTest):
    def test_clock_goes_back(self):
        for name, earlier in (("two hours", "2025-03-30T22:00:00Z"), ("400 days", "2024-02-25T00:00:00Z")):
            with self.subTest(name):
                program = self.program(name=name.replace(" ", ""))
                program.healthy("sync")
                expected = program.figures()
                program.healthy("sync", now=earlier)
                program.verify(now=earlier)
                self.assertEqual(program.figures(), expected, "a sync in the past changed what was known")
                program.healthy("sync")
                program.verify()
                self.assertEqual(program.figures(), expected)

    def test_clock_goes_forward(self):
        """A hole after a long sleep is filled; no hour counts twice."""
        program = self.program()
        program.healthy("sync", now="2025-03-30T16:00:00Z")
        program.healthy("sync", now="2025-03-30T18:00:00Z")
        program.healthy("sync")
        program.verify()
        quiet = self.program("  - { name: demo, kind: demo, gpus: 8, days: 1, first_sync: 14h }\n", name="quiet")
        quiet.healthy("sync")
        self.assertEqual(program.figures(), quiet.figures())

    def test_zone_changes_between_syncs(self):
        plain = self.program(name="plain")
        plain.healthy("sync")
        moved = self.program(name="moved")
        for zone in ("Pacific/Kiritimati", "America/St_Johns", "Europe/Berlin"):
            moved.healthy("sync", TZ=zone)
            moved.healthy("--tz", zone, "summary")
            moved.verify()
        self.assertEqual(moved.figures(), plain.figures())

    def test_syncs_around_the_change_of_clocks(self):
        """Europe/Berlin skips an hour on 2025-03-30 and repeats one on 2025-10-26."""
        for day in ("2025-03-30", "2025-10-26"):
            with self.subTest(day):
                pieces = self.program(name="pieces" + day)
                for hour in ("T00:30:00Z", "T01:05:00Z", "T02:10:00Z"):
                    pieces.healthy("--tz", "Europe/Berlin", "sync", now=day + hour, TZ="Europe/Berlin")
                pieces.verify(now=day + "T02:10:00Z")
                whole = self.program("  - { name: demo, kind: demo, gpus: 8, days: 1, first_sync: 460m }\n", name="whole" + day)
                whole.healthy("sync", now=day + "T02:10:00Z")
                self.assertEqual(pieces.figures(now=day + "T02:10:00Z"), whole.figures(now=day + "T02:10:00Z"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
