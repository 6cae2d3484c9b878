#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""sweep.py [OPTIONS] -- PROGRAM ARGS: runs PROGRAM with one failing file operation, at call 1, 2, 3 ... until none triggers.

"{dir}" in any command is a temporary folder for that point alone. At each point:
  1. --prepare, if given, fills the folder (no fault)
  2. PROGRAM runs with the fault; its lines "ack ID" are kept in {dir}/acks
  3. --check must exit with 0: the invariants hold and every acknowledged ID is on disk
  4. PROGRAM runs again without a fault and must exit with 0; --check again
  5. --figures, if given, must print the same bytes as after an undisturbed run
A program that fails (exit status above 0) without a message on stderr is a violation too.

Example: sweep.py --shim shim.so --part ledger.db --call write --what kill --check 'gpuledger-cli verify --data {dir}' \\
             -- gpuledger-cli sync --config prod.yaml --data {dir}
"""
import argparse
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile

BATCH = 8


def sanitizer_first(program, shim):
    """The value of LD_PRELOAD: gcc's ASan runtime has to come before any other library."""
    linked = subprocess.run(["ldd", shutil.which(program) or program], capture_output=True, text=True, check=False).stdout
    names = [line.split("=>")[1].split()[0] for line in linked.splitlines() if "libasan" in line and "=>" in line]
    return " ".join([*names, os.path.abspath(shim)])


class Sweep:
    def __init__(self, options):
        self.options = options
        self.preload = sanitizer_first(options.program[0], options.shim)
        self.expected = self.undisturbed() if options.figures else None

    def run(self, command, folder, **environment):
        arguments = command if isinstance(command, list) else command.split()
        return subprocess.run([a.replace("{dir}", folder) for a in arguments], env={**os.environ, **environment},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=self.options.timeout, check=False)

    def prepare(self, folder):
        if self.options.prepare:
            done = self.run(self.options.prepare, folder)
            if done.returncode:
                sys.exit(f"sweep: --prepare failed: {done.stderr.strip()[:300]}")

    def undisturbed(self):
        with tempfile.TemporaryDirectory(prefix="sweep") as folder:
            self.prepare(folder)
            done = self.run(self.options.program, folder)
            if done.returncode:
                sys.exit(f"sweep: the program fails without a fault: {done.stderr.strip()[:300]}")
            return self.run(self.options.figures, folder).stdout

    def point(self, number):
        """Returns (number, exit status of the faulty run, violation or "")."""
        with tempfile.TemporaryDirectory(prefix="sweep") as folder:
            self.prepare(folder)
            fault = f"{self.options.call}:{number}:{self.options.what}:{self.options.part}"
            try:
                faulty = self.run(self.options.program, folder, FAULT=fault, LD_PRELOAD=self.preload)
            except subprocess.TimeoutExpired:
                return number, 1, "the faulty run did not end"
            return number, faulty.returncode, self.violation(folder, faulty)

    def violation(self, folder, faulty):
        self.keep_acks(folder, faulty.stdout)
        if faulty.returncode > 0 and not faulty.stderr.strip():
            return f"exit status {faulty.returncode} without a word"
        checked = self.run(self.options.check, folder)
        if checked.returncode:
            return f"after the fault: {(checked.stdout + checked.stderr).strip()[:300]}"
        healthy = self.run(self.options.program, folder)
        if healthy.returncode:
            return f"the healthy run ends with {healthy.returncode}: {healthy.stderr.strip()[:300]}"
        self.keep_acks(folder, healthy.stdout)
        checked = self.run(self.options.check, folder)
        if checked.returncode:
            return f"after the healthy run: {(checked.stdout + checked.stderr).strip()[:300]}"
        if self.expected is not None and self.run(self.options.figures, folder).stdout != self.expected:
            return "the figures differ from those of an undisturbed run"
        return ""

    @staticmethod
    def keep_acks(folder, output):
        with open(os.path.join(folder, "acks"), "a", encoding="utf-8") as acks:
            acks.writelines(line + "\n" for line in output.splitlines() if line.startswith("ack "))

    def sweep(self):
        violations, points, number = [], 0, 1
        step = self.options.stride
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            while number <= self.options.limit:
                batch = list(pool.map(self.point, range(number, number + BATCH * step, step)))
                number += BATCH * step
                points += sum(1 for p in batch if p[1] != 0)
                violations += [p for p in batch if p[2]]
                if all(p[1] == 0 for p in batch):
                    break
        return points, violations


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shim", required=True, help="shim.so")
    parser.add_argument("--call", default="write", choices=["open", "write", "sync", "read", "trunc", "unlink", "any"])
    parser.add_argument("--what", default="kill", help="kill, torn, power or an errno number")
    parser.add_argument("--part", default="ledger.db", help="part of the path of the affected files")
    parser.add_argument("--prepare", help="command that fills {dir}")
    parser.add_argument("--check", required=True, help="command that checks the invariants")
    parser.add_argument("--figures", help="command whose output must not depend on the fault")
    parser.add_argument("--stride", type=int, default=1, help="only every Nth point")
    parser.add_argument("--limit", type=int, default=20000, help="no point beyond this one")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    points, violations = Sweep(options).sweep()
    for number, status, text in violations[:5]:
        print(f"  point {number}, exit status {status}: {text}")
    print(f"{options.call} {options.what}: {points} points, {len(violations)} violations")
    # A sweep without a single fault proves nothing.
    return 1 if violations or points == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
