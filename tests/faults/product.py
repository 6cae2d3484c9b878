# SPDX-License-Identifier: GPL-3.0-or-later
"""gpuledger-cli for the fault tests: a home directory of its own, a frozen clock, the demo fleet or a server as its source.

GPULEDGER_CLI names the program, GPULEDGER_SHIM the library that makes file operations fail. GPULEDGER_FAULTS_ALL=1 visits every point
instead of a sample; GPULEDGER_FAULTS_SEED repeats a sample (its seed is printed).
"""
import contextlib
import ctypes
import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]

import sweep  # noqa: E402

CLI = os.environ.get("GPULEDGER_CLI", "")
SHIM = os.environ.get("GPULEDGER_SHIM", "")
ALL_POINTS = os.environ.get("GPULEDGER_FAULTS_ALL") == "1"
SEED = int(os.environ.get("GPULEDGER_FAULTS_SEED") or random.SystemRandom().randrange(1 << 30))
NOW = "2025-03-31T00:00:00Z"
DEMO = "  - { name: demo, kind: demo, gpus: 8, days: 1, first_sync: 6h }\n"
FIGURES = (("summary", "--by", "team"), ("heatmap", "--by", "team", "--bins", "hour-of-day", "--metric", "utilization"), ("idle",))
# The output of a sanitizer is never a message for the user.
DEFECTS = ("AddressSanitizer", "LeakSanitizer", "runtime error:", "terminate called", "Segmentation fault")


def sanitizer(options):
    """The value of ASAN_OPTIONS: what the caller of the tests set, then these options."""
    return ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), options)))


def configuration(*sources):
    return "version: 1\ncurrency: USD\ntime_zone: UTC\nsources:\n" + "".join(sources)


def sample(count, most):
    """All points of a run, or about `most` of them, evenly spaced from a random start; always with the first and the last."""
    points = range(1, count + 1)
    if ALL_POINTS or count <= most:
        return list(points)
    step = count / most
    begin = random.Random(SEED).random() * step
    return sorted({1, count, *(min(count, 1 + int(begin + i * step)) for i in range(most))})


def reseal(cache):
    """Updates the checksum at the end of each page (app/store/sqlite/pagevfs.h)."""
    checksum = ctypes.CDLL("libxxhash.so.0").XXH3_64bits_withSeed
    checksum.argtypes, checksum.restype = (ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64), ctypes.c_uint64
    with open(cache, "r+b") as file:
        content = file.read()
        size = int.from_bytes(content[16:18], "big")
        for number in range(len(content) // size):
            end = (number + 1) * size - 8
            file.seek(end)
            file.write((checksum(content[number * size:end], size - 8, number + 1) or 1).to_bytes(8, sys.byteorder))


@contextlib.contextmanager
def edited(cache):
    """The cache for manual SQL, with valid page checksums afterwards, so that only the content is wrong."""
    with contextlib.closing(sqlite3.connect(cache)) as db:
        with db:
            yield db
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    reseal(cache)


class Program:
    """One configuration, one data folder."""

    def __init__(self, folder, config=None, data="data"):
        self.folder = str(folder)
        self.data = os.path.join(self.folder, data)
        self.config = os.path.join(self.folder, "config.yaml")
        self.cache = os.path.join(self.data, "ledger.db")
        self.environment = {k: v for k, v in os.environ.items() if k.lower() not in ("http_proxy", "https_proxy", "all_proxy")}
        # Looking for leaks takes two fifths of the time of a start; cli_examples, which runs every command, and the unit tests look for them.
        self.environment.update(HOME=self.folder, LC_ALL="C.UTF-8", TZ="UTC", UBSAN_OPTIONS="print_stacktrace=1",
                                ASAN_OPTIONS=sanitizer("detect_leaks=0"))
        for name in ("CONFIG", "DATA", "CACHE", "STATE"):
            self.environment[f"XDG_{name}_HOME"] = os.path.join(self.folder, name.lower())
        if config is not None:
            self.configure(config)

    def configure(self, text):
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.config, 0o600)

    def command(self, *arguments, now=NOW):
        return [CLI, "--config", self.config, "--data", self.data, "--now", now, *arguments]

    def run(self, *arguments, now=NOW, wrapper=(), timeout=120, stdout=subprocess.PIPE, **environment):
        done = subprocess.run([*wrapper, *self.command(*arguments, now=now)], env={**self.environment, **environment},
                              stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, timeout=timeout, check=False)
        done.text = done.stderr.decode(errors="replace")
        for mark in DEFECTS:
            if mark in done.text:
                raise AssertionError(f"{arguments}: {done.text[:4000]}")
        return done

    def start(self, *arguments, now=NOW):
        return subprocess.Popen(self.command(*arguments, now=now), env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def healthy(self, *arguments, **options):
        done = self.run(*arguments, **options)
        if done.returncode:
            raise AssertionError(f"{arguments}: exit status {done.returncode}: {done.text}")
        return done

    def faulty(self, fault, *arguments, **environment):
        return self.run(*arguments, FAULT=fault, LD_PRELOAD=sweep.sanitizer_first(CLI, SHIM), **environment)

    def figures(self, now=NOW):
        return [self.healthy(*figure, "--json", "--quiet", now=now).stdout for figure in FIGURES]

    def verify(self, now=NOW):
        done = self.run("verify", now=now)
        if done.returncode:
            raise AssertionError(f"verify: exit status {done.returncode}: {done.stdout.decode()} {done.text}")


class ProductTest(unittest.TestCase):
    """A temporary folder for each test."""

    @classmethod
    def setUpClass(cls):
        if not CLI:
            raise unittest.SkipTest("GPULEDGER_CLI is not set")
        print(f"seed {SEED}" + (", every point" if ALL_POINTS else ", a sample of the points"), flush=True)

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="gpuledgerfault")
        os.chmod(self.folder, 0o755)  # another user must reach the files in it
        self.addCleanup(shutil.rmtree, self.folder, True)

    def program(self, *sources, name="home"):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder, exist_ok=True)
        return Program(folder, configuration(*(sources or (DEMO,))))

    def assertSentence(self, done, *parts):
        """The failure is reported with these parts: what is wrong, and what to do."""
        self.assertIn("gpuledger-cli: ", done.text)
        for part in parts:
            self.assertIn(part, done.text)

    def assertReports(self, done, **codes):
        """The code of each source's error in `sync --json`; None for a source that was synced."""
        reports = {r["name"]: r for r in json.loads(done.stdout)["sources"]}
        for name, code in codes.items():
            error = reports[name]["error"]
            self.assertEqual(error["code"] if error else None, code, done.text)
        return reports
