# SPDX-License-Identifier: GPL-3.0-or-later
"""A sync is killed or its disk fails at any write or sync: nothing is lost, doubled or partial, and the next sync heals."""
import concurrent.futures
import errno
import os
import subprocess
import tempfile
import unittest

from product import DEMO, FIGURES, SEED, Program, ProductTest, configuration, sample


class Sweep(ProductTest):
    POINTS = 7

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with tempfile.TemporaryDirectory(prefix="gpuledgerfault") as folder:
            quiet = Program(folder, configuration(DEMO))
            quiet.healthy("sync")
            cls.expected = quiet.figures()

    def count(self, call):
        """The number of such calls that an undisturbed sync makes on the cache."""
        program = self.program(name="count")
        counted = os.path.join(self.folder, "counted")
        done = program.faulty(f"{call}:1000000000:5:ledger.db", "sync", FAULT_COUNT=counted)
        self.assertEqual(done.returncode, 0, done.text)
        with open(counted, encoding="ascii") as file:
            number = int(file.read())
        self.assertGreater(number, 0, "a sync that never touches its file proves nothing")
        return number

    def point(self, call, what, number):
        """The exit status of the faulty run and the invariant that was violated after it, if any."""
        with tempfile.TemporaryDirectory(prefix="gpuledgerfault") as folder:
            program = Program(folder, configuration(DEMO))
            done = program.faulty(f"{call}:{number}:{what}:ledger.db", "sync")
            try:
                self.told(what, done)
                program.verify()
                program.healthy("sync")
                program.verify()
                self.assertEqual(program.figures(), self.expected, "the figures differ from those of an undisturbed run")
            except AssertionError as failed:
                return done.returncode, f"point {number}, exit status {done.returncode}: {done.text}{failed}"
            return done.returncode, ""

    def told(self, what, done):
        if what in ("kill", "torn"):
            self.assertEqual(done.returncode, -9, "the fault did not happen")
        elif done.returncode:
            self.assertEqual(done.returncode, 3)
            self.assertIn("ledger.db", done.text, "the file is not named")
            self.assertIn("ree some space" if int(what) == errno.ENOSPC else "heck the d", done.text, "no remedy is named")

    def sweep(self, call, what):
        count = self.count(call)
        points = sample(count, self.POINTS)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = list(pool.map(lambda n: self.point(call, what, n), points))
        felt = sum(1 for status, _ in results if status)
        violations = [text for _, text in results if text]
        print(f"{call} {what}: {len(points)} of {count} points, {felt} ended the run, {len(violations)} violations, seed {SEED}", flush=True)
        self.assertGreater(felt, 0, "no fault had an effect")
        self.assertEqual(violations, [], "\n".join(violations[:5]))

    def test_killed_at_a_write(self):
        self.sweep("write", "kill")

    def test_half_a_write(self):
        self.sweep("write", "torn")

    def test_the_first_writes_of_a_new_cache(self):
        """There is no write-ahead log yet: SQLite writes the first page in place, with a journal."""
        for what in ("kill", "torn"):
            for number in range(1, 5):
                with self.subTest(what=what, number=number):
                    self.assertEqual(self.point("write", what, number), (-9, ""))

    def test_killed_at_a_sync(self):
        self.sweep("sync", "kill")

    def test_no_space_at_a_write(self):
        self.sweep("write", str(errno.ENOSPC))

    def test_error_at_a_write(self):
        self.sweep("write", str(errno.EIO))

    def test_error_at_a_sync(self):
        self.sweep("sync", str(errno.EIO))

    def test_error_at_a_read(self):
        self.sweep("read", str(errno.EIO))

    def test_a_failed_read_while_opening_is_not_damage(self):
        """SQLite calls a file malformed whose disk can't be read; the cache must not be set aside for that."""
        for number in range(1, 9):
            for is_new in (True, False):
                with self.subTest(number=number, is_new=is_new), tempfile.TemporaryDirectory(prefix="gpuledgerfault") as folder:
                    program = Program(folder, configuration(DEMO))
                    if not is_new:
                        program.healthy("sync")
                    done = program.faulty(f"read:{number}:{errno.EIO}:ledger.db", "sync")
                    self.told(str(errno.EIO), done)
                    self.assertEqual([name for name in os.listdir(program.data) if "damaged" in name], [])
                    program.verify()

    def test_error_at_a_truncation(self):
        self.sweep("trunc", str(errno.EIO))

    def test_killed_at_a_truncation(self):
        self.sweep("trunc", "kill")

    def test_no_descriptor_left_at_an_open(self):
        """Not with a real limit: UBSan needs a pipe to check types, and reports every type as wrong without one."""
        self.sweep("open", str(errno.EMFILE))


class Surroundings(ProductTest):
    def test_full_output(self):
        program = self.program()
        program.healthy("sync")
        for arguments in (("sync",), ("summary", "--json"), ("idle",), ("verify",), ("--help",)):
            with self.subTest(arguments), open("/dev/full", "wb") as full:
                done = program.run(*arguments, stdout=full)
                self.assertEqual(done.returncode, 3, done.text)
                self.assertSentence(done, "output", "No space left")
        program.verify()

    @unittest.skipIf(os.geteuid(), "only root can give its rights away")
    def test_folder_that_cannot_be_written(self):
        program = self.program()
        program.healthy("sync")
        expected = program.figures()
        before = self.sums(program.data)
        subprocess.run(["chmod", "-R", "a+rX", self.folder], check=True)
        os.chmod(program.data, 0o555)
        nobody = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs")
        home = os.path.join(self.folder, "nobody")
        os.mkdir(home)
        os.chmod(home, 0o777)
        environment = {"HOME": home, "XDG_STATE_HOME": home}
        done = program.run("sync", wrapper=nobody, **environment)
        self.assertEqual(done.returncode, 3, done.text)
        self.assertSentence(done, program.data, "allow reading and writing")
        for figure, answer in zip(FIGURES, expected):
            read = program.run(*figure, "--json", "--quiet", wrapper=nobody, **environment)
            self.assertEqual(read.returncode, 0, read.text)
            self.assertEqual(read.stdout, answer)
        self.assertEqual(self.sums(program.data), before)

    @unittest.skipIf(os.geteuid(), "only root can mount")
    def test_real_full_disk(self):
        program = self.program()
        os.makedirs(program.data)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k,mode=0700", "tmpfs", program.data], capture_output=True,
                                 text=True, check=False)
        if mounted.returncode:
            self.skipTest("mount is not allowed here: " + mounted.stderr.strip())
        self.addCleanup(subprocess.run, ["umount", program.data], check=False)
        done = program.run("sync")
        self.assertEqual(done.returncode, 3, done.text)
        self.assertSentence(done, "ledger.db", "pace")
        subprocess.run(["mount", "-o", "remount,size=64m", program.data], check=True)
        program.verify()
        program.healthy("sync")
        program.verify()
        quiet = self.program(name="quiet")
        quiet.healthy("sync")
        self.assertEqual(program.figures(), quiet.figures())

    @staticmethod
    def sums(folder):
        return subprocess.run(["sh", "-c", 'cd "$1" && sha256sum ledger.db', "sh", folder], capture_output=True, check=True).stdout


if __name__ == "__main__":
    unittest.main(verbosity=2)
