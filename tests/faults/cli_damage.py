# SPDX-License-Identifier: GPL-3.0-or-later
"""A cache with damage or foreign content, and a clock or a zone that changes between two syncs."""
import contextlib
import glob
import hashlib
import json
import os
import random
import sqlite3
import unittest

from product import DEMO, FIGURES, SEED, ProductTest, edited, reseal, sample


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Files(ProductTest):
    def prepared(self, *sources):
        program = self.program(*sources)
        program.healthy("sync")
        return program, program.figures()

    def replace(self, program, content):
        for suffix in ("-wal", "-shm"):
            if os.path.exists(program.cache + suffix):
                os.unlink(program.cache + suffix)
        with open(program.cache, "wb") as file:
            file.write(content)

    def healed(self, program, expected, kept):
        """The damaged bytes are kept next to a cache that the next sync fills; each answer mentions them until the loss is confirmed."""
        if kept is not None:
            self.spoken_of(program)
        program.verify()
        program.healthy("sync")
        program.verify()
        self.assertEqual(program.figures(), expected)
        if kept is not None:
            aside = [p for p in glob.glob(program.cache + "*") if digest(p) == kept]
            self.assertTrue(aside, "the damaged file is gone")

    def spoken_of(self, program):
        month = ("--month", "2025-02")
        for verb in (*FIGURES, ("act", "log"), ("ledger", "--by", "team"), ("reconcile", *month), ("showback", *month), ("showback", "--months"),
                     ("showback", "--lens", *month), ("showback", "--decisions"), ("replay", "idle"), ("savings",), ("compare",), ("rules", "test"), ("sources", "list"),
                     ("watch", "--once")):
            done = program.run("--quiet", "--json", *verb)
            self.assertIn("is kept as ledger.db.damaged-", done.text, verb)
            self.assertTrue(done.stdout or done.returncode > 1, (verb, done.text))  # an empty cache has no month to report
            for line in done.stdout.splitlines() if verb[0] == "watch" or not done.stdout else [done.stdout]:
                answer = json.loads(line)
                self.assertEqual(len(answer["damage"]), 1, verb)
                self.assertIn(answer["damage"][0]["file"], os.listdir(program.data))
        done = program.run("verify")
        self.assertEqual(done.returncode, 1, done.text)
        self.assertIn("ledger.db.damaged-", done.stdout.decode())
        for name in os.listdir(program.data):
            self.assertEqual(os.stat(os.path.join(program.data, name)).st_mode & 0o777, 0o600, name)
        done = program.run("verify", "--confirm-loss")
        self.assertEqual((done.returncode, done.stdout), (0, b"all holds\n"), done.text)
        done = program.run("--json", "summary")
        self.assertNotIn("damaged-", done.text)
        self.assertNotIn("damage", json.loads(done.stdout))
        log = json.loads(program.healthy("showback", "--history", "--json").stdout)["entries"]
        self.assertEqual(log[-1]["action"], "confirm-damage")

    def test_a_closed_month_does_not_vanish(self):
        """One flipped byte in the schema, without which no table can be read: nothing is lost, and the damage is reported."""
        program, expected = self.prepared(DEMO, "  - { name: bill, kind: demo-bill, gpus: 8, days: 60 }\n")
        done = program.run("showback", "--month", "2025-02", "--close", "--yes", "--reason", "for a test")
        self.assertEqual(done.returncode, 0, done.text)
        with open(program.cache, "rb") as file:
            whole = file.read()
        self.replace(program, whole[:1200] + bytes([whole[1200] ^ 0x20]) + whole[1201:])
        kept = digest(program.cache)
        done = program.run("showback", "--months", "--json")
        self.assertIn("The damage was repaired", done.text)
        self.assertIn("2025-02", done.stdout.decode())
        self.assertEqual(program.run("verify").returncode, 1)
        self.spoken_of(program)
        self.assertEqual(program.figures(), expected)
        self.assertTrue([p for p in glob.glob(program.cache + "*") if digest(p) == kept], "the damaged file is gone")
        # This page of facts is damaged beyond repair; the closed month is still there.
        with open(program.cache, "rb") as file:
            whole = file.read()
        with contextlib.closing(sqlite3.connect(f"file:{program.cache}?mode=ro", uri=True)) as cache:
            page, = cache.execute("SELECT max(pageno) FROM dbstat WHERE name = 'usage_day' AND pagetype = 'leaf'").fetchone()
        end = page * 8192 - 8
        self.replace(program, whole[:end - 2000] + bytes(b ^ 0x55 for b in whole[end - 2000:end]) + whole[end:])
        self.assertEqual(program.run("verify").returncode, 1)
        done = program.run("verify", "--repair")
        self.assertEqual(done.returncode, 1, done.text)
        self.assertIn("2025-02", done.stdout.decode())
        program.healthy("verify", "--confirm-loss")

    def test_sql_by_hand_is_found(self):
        """Changes that no total reveals, and a missing view, trigger or index."""
        program, _ = self.prepared()
        with open(program.cache, "rb") as file:
            whole = file.read()
        for change in ("UPDATE placement SET seen_end = seen_end + 300", "UPDATE sync_range SET range_end = range_end - 300",
                       "UPDATE holder SET owner_name = 'x'", "DROP VIEW holder_view", "DROP TRIGGER audit_entry_stays"):
            for sealed in (False, True):
                if sealed and change.startswith("UPDATE"):
                    continue
                with self.subTest(change, sealed=sealed):
                    with contextlib.closing(sqlite3.connect(program.cache)) as cache, cache:
                        cache.execute(change)
                    if sealed:
                        reseal(program.cache)
                    self.assertNotEqual(program.run("verify", "--quiet").returncode, 0)
                    for name in os.listdir(program.data):
                        if name.startswith("ledger.db"):
                            os.unlink(os.path.join(program.data, name))
                    self.replace(program, whole)
        program.verify()

    def test_a_stored_day_of_savings_that_is_wrong(self):
        """It is only a copy: `verify` finds it, and with `--repair` it is gone without a loss."""
        program, _ = self.prepared("  - { name: demo, kind: demo, gpus: 8, days: 5, first_sync: 5d }\n")
        answer = program.healthy("savings", "--json").stdout
        program.verify()
        with edited(program.cache) as cache:
            days = [day for day, in cache.execute("SELECT day FROM day_fact ORDER BY day")]
            self.assertGreater(len(days), 1)
            cache.execute("UPDATE day_fact SET data = (SELECT data FROM day_fact WHERE day = ?) WHERE day = ?", (days[1], days[0]))
        for options in ((), ("--deep",)):
            done = program.run("verify", "--json", *options)
            self.assertEqual(done.returncode, 1, done.text)
            self.assertEqual([problem["where"] for problem in json.loads(done.stdout)["problems"]], ["day_fact"])
        done = program.run("verify", "--repair", "--json")
        self.assertEqual(done.returncode, 0, done.text)
        self.assertEqual(len(json.loads(done.stdout)["remarks"]), 1)
        with contextlib.closing(sqlite3.connect(f"file:{program.cache}?mode=ro", uri=True)) as cache:
            self.assertEqual([day for day, in cache.execute("SELECT day FROM day_fact ORDER BY day")], days[1:])
        program.verify()
        self.assertEqual(program.healthy("savings", "--json").stdout, answer)

    def test_a_flipped_bit_is_never_an_answer(self):
        """Each command answers as before or fails, and `verify` finds the damage; many more flips in one process: tst_damage."""
        program, _ = self.prepared(DEMO, "  - { name: bill, kind: demo-bill, gpus: 8, days: 60 }\n")
        self.settle(program)
        verbs = (*FIGURES, ("ledger", "--by", "team,category", "--from", "2025-03-01"), ("showback", "--month", "2025-03"), ("act", "log"))

        def told():
            """The answer of each command, without its report of damage; None if it fails."""
            answers = []
            for verb in verbs:
                done = program.run(*verb, "--json", "--quiet")
                self.assertIn(done.returncode, (0, 1, 3), done.text)
                answer = json.loads(done.stdout) if done.returncode != 3 else None
                answers.append({key: value for key, value in answer.items() if key != "damage"} if answer else None)
            return answers
        expected = told()
        self.assertNotIn(None, expected)
        with open(program.cache, "rb") as file:
            whole = file.read()
        with contextlib.closing(sqlite3.connect(f"file:{program.cache}?mode=ro", uri=True)) as cache:
            pages = sorted({page for page, in cache.execute("SELECT pageno FROM dbstat")})  # in a free page, nothing is damaged
        chance, failed = random.Random(SEED), 0
        for page in (pages[n - 1] for n in sample(len(pages), 10)):
            at, bit = (page - 1) * 8192 + chance.randrange(8192), 1 << chance.randrange(8)
            with self.subTest(page=page, at=at, bit=bit):
                self.replace(program, whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1:])
                for verb, answer, before in zip(verbs, told(), expected, strict=True):
                    self.assertIn(answer, (before, None), verb)
                    failed += answer is None
                self.assertNotEqual(program.run("verify", "--quiet").returncode, 0)
            for name in os.listdir(program.data):
                if name.startswith("ledger.db"):
                    os.unlink(os.path.join(program.data, name))
        self.assertGreater(failed, 0, "no answer read any of these pages")
        self.replace(program, whole)
        self.assertEqual(told(), expected)

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
        """Everything in one file, as after a clean exit."""
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
        """The gap after a long sleep is filled; no hour counts twice."""
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
