# SPDX-License-Identifier: GPL-3.0-or-later
"""Several processes sync one cache at the same time: none fails because it is busy, none counts anything twice, and one may be killed."""
import random
import signal
import time
import unittest

from product import SEED, ProductTest

PROCESSES = 4


class Shared(ProductTest):
    def setUp(self):
        super().setUp()
        quiet = self.program(name="quiet")
        quiet.healthy("sync")
        self.expected = quiet.figures()

    def finish(self, process):
        output, text = process.communicate(timeout=180)
        return process.returncode, output, text

    def check(self, program):
        program.verify()
        self.assertEqual(program.figures(), self.expected, "the figures differ from those of a single process")

    def assertFine(self, status, text):
        self.assertEqual(status, 0, text)
        for word in ("busy", "locked", "damaged"):
            self.assertNotIn(word, text)

    def test_four_at_once(self):
        for first in ("an empty cache", "a filled one"):
            with self.subTest(first):
                program = self.program(name="shared")
                running = [program.start("sync") for _ in range(PROCESSES)]
                for process in running:
                    status, _, text = self.finish(process)
                    self.assertFine(status, text)
                self.check(program)

    def test_one_of_four_is_killed(self):
        chance = random.Random(SEED)
        for attempt in range(4):
            delay = chance.uniform(0.05, 1.5)
            with self.subTest(attempt=attempt, delay=delay, seed=SEED):
                program = self.program(name=f"killed{attempt}")
                running = [program.start("sync") for _ in range(PROCESSES)]
                time.sleep(delay)
                running[0].send_signal(signal.SIGKILL)
                self.finish(running[0])
                for process in running[1:]:
                    status, _, text = self.finish(process)
                    self.assertFine(status, text)
                self.check(program)

    def test_readers_beside_a_sync(self):
        """A reader sees a complete state: before the sync or after it."""
        program = self.program(name="read")
        program.healthy("sync", now="2025-03-30T20:00:00Z")
        running = program.start("sync")
        seen = 0
        while running.poll() is None or seen == 0:
            program.verify()
            done = program.healthy("summary", "--json")
            self.assertFine(done.returncode, done.text)
            seen += 1
        status, _, text = self.finish(running)
        self.assertFine(status, text)
        program.verify()


if __name__ == "__main__":
    unittest.main(verbosity=2)
