# SPDX-License-Identifier: GPL-3.0-or-later
"""The power fails at any point of a sync, or the sync is killed at any moment: nothing is partial, and the next sync heals."""
import concurrent.futures
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from product import ALL_POINTS, DEMO, SEED, Program, ProductTest, configuration, sample

KILLS = int(os.environ.get("GPULEDGER_FAULTS_KILLS") or (300 if ALL_POINTS else 24))


class Undisturbed(ProductTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with tempfile.TemporaryDirectory(prefix="gpuledgerfault") as folder:
            quiet = Program(folder, configuration(DEMO))
            begin = time.monotonic()
            quiet.healthy("sync")
            cls.seconds = time.monotonic() - begin
            cls.expected = quiet.figures()


class Power(Undisturbed):
    """Unsynced writes are undone, all of them or a random subset; files that can be fetched again may be missing, but never partial."""
    POINTS = 4
    SEEDS = (1, 2, 3)

    def point(self, number, seed):
        with tempfile.TemporaryDirectory(prefix="gpuledgerfault") as folder:
            program = Program(folder, configuration(DEMO))
            environment = {} if seed is None else {"FAULT_SEED": str(seed)}
            done = program.faulty(f"any:{number}:power:ledger.db", "sync", **environment)
            try:
                self.assertEqual(done.returncode, -signal.SIGKILL, "the power did not fail")
                program.verify()
                program.healthy("sync")
                program.verify()
                self.assertEqual(program.figures(), self.expected, "the figures differ from those of an undisturbed run")
            except AssertionError as failed:
                return f"point {number}, order {seed}: {done.text}{failed}"
            return ""

    def test_power_fails(self):
        program = self.program(name="count")
        counted = os.path.join(self.folder, "counted")
        self.assertEqual(program.faulty("any:1000000000:power:ledger.db", "sync", FAULT_COUNT=counted).returncode, 0)
        with open(counted, encoding="ascii") as file:
            count = int(file.read())
        self.assertGreater(count, 10, "a sync that hardly touches its file proves nothing")
        points = sample(count, self.POINTS)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            texts = list(pool.map(lambda p: self.point(*p), [(n, s) for n in points for s in (None, *self.SEEDS)]))
        violations = [t for t in texts if t]
        print(f"power: {len(points)} of {count} points, undone wholly and in {len(self.SEEDS)} random orders, "
              f"{len(violations)} violations, seed {SEED}", flush=True)
        self.assertEqual(violations, [], "\n".join(violations[:5]))


class Kills(Undisturbed):
    """kill -9 at random moments, repeatedly on the same cache until a sync completes; then with a new cache."""

    def rounds(self, folder, kills, seed):
        chance = random.Random(seed)
        killed = finished = 0
        program = Program(folder, configuration(DEMO))
        while killed < kills:
            running = subprocess.Popen(program.command("sync"), env=program.environment, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            try:
                running.wait(chance.uniform(0, 1.1 * self.seconds))
            except subprocess.TimeoutExpired:
                running.kill()
            text = running.communicate()[1].decode(errors="replace")
            if running.returncode == -signal.SIGKILL:
                killed += 1
                program.verify()
                continue
            self.assertEqual(running.returncode, 0, text)
            finished += 1
            program.verify()
            self.assertEqual(program.figures(), self.expected, "the figures differ from those of an undisturbed run")
            shutil.rmtree(program.data)
        program.healthy("sync")
        program.verify()
        self.assertEqual(program.figures(), self.expected, "the figures differ from those of an undisturbed run")
        return finished

    def test_random_kills(self):
        share = (KILLS + 1) // 2
        folders = [os.path.join(self.folder, str(i)) for i in range(2)]
        for folder in folders:
            os.mkdir(folder)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            finished = list(pool.map(lambda i: self.rounds(folders[i], share, SEED + i), range(2)))
        print(f"random kills: {2 * share}, {sum(finished)} syncs got through between them, 0 violations, seed {SEED}", flush=True)


if __name__ == "__main__":
    unittest.main(verbosity=2)
