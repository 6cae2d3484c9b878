#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tidy.py CLANG-TIDY BUILD SECONDS JOBS FILE...: runs clang-tidy on those files that the build compiles, within a time limit.

Prints one line per finding. The exit status is 1 if a finding is an error (as set in .clang-tidy). Files that were not reached
in time are listed on stderr, which is not a failure.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import time

FINDING = re.compile(r"^(?P<file>[^:\n]+):(?P<line>\d+):\d+: (?P<kind>warning|error): (?P<text>.*)$")


def check(command, build, path, deadline):
    """Returns (path, findings), or (path, None) if there was no time left."""
    left = deadline - time.monotonic()
    if left <= 1:
        return path, None
    try:
        done = subprocess.run([command, "-p", build, "--quiet", "--extra-arg=-Wno-unknown-warning-option", path],
                              capture_output=True, text=True, timeout=left, check=False)
    except subprocess.TimeoutExpired:
        return path, None
    findings = [m.groupdict() for m in map(FINDING.match, done.stdout.splitlines()) if m]
    return path, findings


def main(command, build, seconds, jobs, files):
    root = os.getcwd()
    compiled = {os.path.relpath(e["file"], root)
                for e in json.loads(pathlib.Path(build, "compile_commands.json").read_text("utf-8"))}
    wanted = [f for f in files if f in compiled]
    deadline = time.monotonic() + float(seconds)
    lines, late, errors = set(), [], 0
    with concurrent.futures.ThreadPoolExecutor(int(jobs)) as pool:
        for path, findings in pool.map(lambda f: check(command, build, f, deadline), wanted):
            if findings is None:
                late.append(path)
                continue
            for f in findings:
                name = os.path.relpath(f["file"], root)
                if not name.startswith(("..", "build")):
                    lines.add((name, int(f["line"]), f"{f['kind']}: {f['text']}"))
    for name, line, text in sorted(lines):
        print(f"{name}:{line}: {text}")
        errors += text.startswith("error")
    if late:
        print(f"clang-tidy: no time left for {', '.join(late)}", file=sys.stderr)
    print(f"clang-tidy: {len(wanted) - len(late)} files, {errors} errors, {len(lines) - errors} remarks", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:5], sys.argv[5:]))
