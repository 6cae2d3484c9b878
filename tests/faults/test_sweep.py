# SPDX-License-Identifier: GPL-3.0-or-later
"""sweep.py and shim.so with a small SQLite program: a correct one survives every point, incorrect ones are detected."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent

TOY = '''
import sqlite3, sys
folder, mode = sys.argv[1:3]
try:
    db = sqlite3.connect(folder + "/ledger.db", isolation_level=None)
    db.execute("pragma journal_mode=wal")
    db.execute("pragma synchronous=" + ("normal" if mode == "unsynced" else "full"))
    db.execute("create table if not exists fact(batch integer, n integer, primary key(batch, n))")
    for batch in range(3):
        if mode != "torn": db.execute("begin immediate")
        for n in range(5): db.execute("insert or replace into fact values(?, ?)", (batch, n))
        if mode != "torn": db.execute("commit")
        print("ack", batch, flush=True)
except sqlite3.Error as error:
    sys.exit("the ledger could not be written: " + str(error))
'''
CHECK = '''
import os, sqlite3, sys
folder = sys.argv[1]
rows = {}
if os.path.exists(folder + "/ledger.db"):
    db = sqlite3.connect(folder + "/ledger.db")
    try: rows = dict(db.execute("select batch, count(*) from fact group by batch"))
    except sqlite3.OperationalError: pass
acks = {int(line.split()[1]) for line in open(folder + "/acks")}
half = [b for b, n in rows.items() if n != 5]
lost = [b for b in acks if b not in rows]
if half or lost: sys.exit(f"half {half} lost {lost}")
'''


class Sweep(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="sweeptest")
        cls.toy = os.path.join(cls.folder.name, "toy.py")
        cls.check = os.path.join(cls.folder.name, "check.py")
        pathlib.Path(cls.toy).write_text(TOY, "utf-8")
        pathlib.Path(cls.check).write_text(CHECK, "utf-8")
        cls.shim = os.environ.get("GPULEDGER_SHIM")
        if not cls.shim:
            cls.shim = os.path.join(cls.folder.name, "shim.so")
            subprocess.run(["cc", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", str(HERE / "shim.c"), "-o", cls.shim, "-ldl"],
                           check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def sweep(self, mode, *options):
        done = subprocess.run([sys.executable, str(HERE / "sweep.py"), "--shim", self.shim, *options,
                               "--check", f"{sys.executable} {self.check} {{dir}}",
                               "--", sys.executable, self.toy, "{dir}", mode],
                              capture_output=True, text=True, timeout=150, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_right_program_survives(self):
        for call, what in [("write", "kill"), ("write", "torn"), ("any", "power"), ("write", "28"), ("sync", "5"), ("unlink", "kill")]:
            stride = "1" if call in ("sync", "unlink") else "3"
            status, text = self.sweep("right", "--call", call, "--what", what, "--stride", stride)
            self.assertEqual(status, 0, text)
            self.assertRegex(text, r"[1-9]\d* points, 0 violations")

    def test_half_a_batch_is_caught(self):
        status, text = self.sweep("torn", "--what", "kill", "--stride", "5")
        self.assertEqual(status, 1, text)
        self.assertIn("half [", text)

    def test_lost_acknowledgement_is_caught(self):
        status, text = self.sweep("unsynced", "--call", "any", "--what", "power", "--stride", "2")
        self.assertEqual(status, 1, text)
        self.assertIn("lost [", text)

    def test_a_sweep_that_never_triggers_fails(self):
        status, text = self.sweep("right", "--part", "no-such-file")
        self.assertEqual(status, 1, text)
        self.assertIn("0 points", text)


if __name__ == "__main__":
    unittest.main()
