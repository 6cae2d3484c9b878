# SPDX-License-Identifier: GPL-3.0-or-later
"""A stop or an undo is killed, loses power or its disk at any point: no intent is lost, no effect is doubled, and the next command finds
out what happened."""
import concurrent.futures
import os
import signal
import subprocess
import tempfile
import time
import unittest

from fleet import NOTEBOOK, Fleet
from product import SEED, ProductTest, sample

FINAL = ("verified", "refused", "failed", "undone")
MIB = 1 << 20


class ActionTest(ProductTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.kept = tempfile.TemporaryDirectory(prefix="gpuledgerfault")
        cls.addClassCleanup(cls.kept.cleanup)
        cls.fleets = {}
        for verb in ("stop", "undo"):
            folder = os.path.join(cls.kept.name, verb)
            os.mkdir(folder)
            cls.fleets[verb] = Fleet(folder)
        cls.fleets["undo"].stop(NOTEBOOK)

    @staticmethod
    def deed(verb):
        return ("act", "stop", NOTEBOOK, "--yes", "--count", "1") if verb == "stop" else ("act", "undo", "1", "--yes")

    @staticmethod
    def settled(fleet):
        """The log once none of its actions is open any more."""
        for _ in range(20):
            log = fleet.log()
            if all(a["state"] in FINAL for a in log):
                return log
            time.sleep(0.5)
        raise AssertionError(f"actions stay open: {[(a['id'], a['state'], a['result']) for a in log]}")

    def is_whole(self, verb, fleet, before):
        """The log agrees with what happened at the platform; then the command works again."""
        log = self.settled(fleet)
        fleet.verify()
        done = fleet.effects() - before
        self.assertIn(done, (0, 1), "an effect was doubled")
        mine = [a for a in log if a["kind"] == verb]
        self.assertLessEqual(len(mine), 1)
        if done:
            self.assertEqual([a["state"] for a in mine], ["verified"], "it was done, but the log does not say so")
            if verb == "undo":
                self.assertEqual(log[0]["state"], "undone")
        else:
            self.assertNotIn("verified", [a["state"] for a in mine], "the log says that it was done")
            again = fleet.run(*self.deed(verb))
            self.assertEqual(again.returncode, 0, again.text)
        self.assertEqual(fleet.effects() - before, 1)
        fleet.verify()
        if verb == "stop":
            number = [a["id"] for a in self.settled(fleet) if a["state"] == "verified"]
            fleet.json("act", "undo", str(number[0]), "--yes")
            self.assertEqual(fleet.effects(), 2)


class Sweep(ActionTest):
    POINTS = 3

    def count(self, verb, call, part):
        with tempfile.TemporaryDirectory(prefix="gpuledgerfault") as folder:
            fleet = Fleet(folder, self.fleets[verb])
            counted = os.path.join(folder, "counted")
            done = fleet.faulty(f"{call}:1000000000:5:{part}", *self.deed(verb), FAULT_COUNT=counted)
            self.assertEqual(done.returncode, 0, done.text)
            with open(counted, encoding="ascii") as file:
                return int(file.read())

    def point(self, verb, call, what, part, number, seed):
        with tempfile.TemporaryDirectory(prefix="gpuledgerfault") as folder:
            fleet = Fleet(folder, self.fleets[verb])
            before = fleet.effects()
            environment = {} if seed is None else {"FAULT_SEED": str(seed)}
            done = fleet.faulty(f"{call}:{number}:{what}:{part}", *self.deed(verb), **environment)
            try:
                if not what.isdigit():
                    self.assertEqual(done.returncode, -signal.SIGKILL, "the fault did not happen")
                elif done.returncode:
                    self.assertTrue(done.text.strip(), "failed without a message")
                self.is_whole(verb, fleet, before)
            except AssertionError as failed:
                return f"{verb}, {call} {what} at {number} of {part}, order {seed}: exit status {done.returncode}: {done.text}{failed}"
            return ""

    def sweep(self, call, what, part="ledger.db", seeds=(None,)):
        points = []
        for verb in ("stop", "undo"):
            count = self.count(verb, call, part)
            self.assertGreater(count, 0, "it never touches that file")
            points += [(verb, call, what, part, n, s) for n in sample(count, self.POINTS) for s in seeds]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            violations = [t for t in pool.map(lambda p: self.point(*p), points) if t]
        print(f"{call} {what} of {part}: {len(points)} points, {len(violations)} violations, seed {SEED}", flush=True)
        self.assertEqual(violations, [], "\n".join(violations[:3]))

    def test_killed_at_a_write(self):
        self.sweep("write", "kill")

    def test_half_a_write(self):
        self.sweep("write", "torn")

    def test_killed_at_a_sync(self):
        self.sweep("sync", "kill")

    def test_power_fails(self):
        self.sweep("any", "power", seeds=(None, 1, 2, 3))

    def test_no_room(self):
        self.sweep("write", "28")

    def test_disk_fails(self):
        self.sweep("sync", "5")

    def test_killed_around_the_effect(self):
        self.sweep("any", "kill", "simulated-platform.json")

    def test_platform_that_can_not_be_written(self):
        self.sweep("write", "28", "simulated-platform.json")


class Room(ActionTest):
    """A real file system without free space."""

    def small(self, size):
        fleet = Fleet(self.folder, self.fleets["stop"])
        aside = fleet.data + ".aside"
        os.rename(fleet.data, aside)
        os.mkdir(fleet.data, 0o700)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "tmpfs", fleet.data], capture_output=True,
                                 text=True, check=False)
        if mounted.returncode:
            self.skipTest("mount is not allowed here: " + mounted.stderr.strip())
        self.addCleanup(subprocess.run, ["umount", "-l", fleet.data], check=False)
        for name in os.listdir(aside):
            subprocess.run(["cp", "-p", os.path.join(aside, name), fleet.data], check=True)
        return fleet

    @staticmethod
    def free(fleet):
        room = os.statvfs(fleet.data)
        return room.f_bavail * room.f_frsize

    def fill(self, fleet, leave=0):
        with open(os.path.join(fleet.data, "others"), "ab", buffering=0) as file:
            while self.free(fleet) > leave:
                try:
                    file.write(bytes(min(MIB, self.free(fleet) - leave)))
                except OSError:
                    return

    @unittest.skipIf(os.geteuid(), "only root can mount")
    def test_nothing_starts_without_room(self):
        fleet = self.small("40m")
        self.fill(fleet, 15 * MIB)
        done = fleet.run(*self.deed("stop"))
        self.assertEqual(done.returncode, 3, done.text)
        for part in ("16 MiB", "nothing was stopped", "ree some space"):
            self.assertIn(part, done.text)
        self.assertEqual((fleet.effects(), fleet.log()), (0, []))
        os.remove(os.path.join(fleet.data, "others"))
        self.is_whole("stop", fleet, 0)

    @unittest.skipIf(os.geteuid(), "only root can mount")
    def test_the_result_finds_room(self):
        fleet = self.small("40m")
        running = fleet.start(*self.deed("stop"))
        told = ""
        while "executed" not in told:  # its pods take two seconds to end
            line = running.stderr.readline()
            self.assertTrue(line, told)
            told += line
        self.fill(fleet)
        self.assertLess(self.free(fleet), 4096)
        out, err = running.communicate(timeout=120)
        self.assertEqual(running.returncode, 0, told + err)
        self.assertIn("verified", out)
        self.assertEqual(fleet.log()[0]["state"], "verified")
        os.remove(os.path.join(fleet.data, "others"))
        fleet.verify()
        self.assertEqual(fleet.effects(), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
