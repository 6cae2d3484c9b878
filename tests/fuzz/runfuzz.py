#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""runfuzz.py [--seconds N] --bin FOLDER --work FOLDER NAME: runs the target fuzz_NAME for a time, from the seeds of seeds.py.

What it finds to be of interest stays in WORK/corpus/NAME and is where the next run begins; an input that breaks the parser stays in
WORK/found and is printed, so that it becomes a test. The seconds are those of the option, else of GPULEDGER_FUZZ_SECONDS, else 60.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import seeds

LIMITS = ["-rss_limit_mb=1024", "-max_len=65536", "-timeout=60", "-print_final_stats=1", "-verbosity=1", "-len_control=50", "-reload=0"]


def prepare(work, name):
    """Writes the seeds and the dictionary; gives the arguments that name them."""
    corpus, first, words = work / "corpus" / name, work / "seeds" / name, work / "words" / name
    shutil.rmtree(first, ignore_errors=True)
    for folder in (corpus, first, work / "found", words.parent):
        folder.mkdir(parents=True, exist_ok=True)
    for i, seed in enumerate(seeds.SEEDS[name]):
        (first / f"{i:02}").write_bytes(seed)
    words.write_text(seeds.dictionary(seeds.WORDS[name]), "ascii")
    return [f"-dict={words}", f"-artifact_prefix={work / 'found' / name}-", str(corpus), str(first)]


def environment():
    env = dict(os.environ, UBSAN_OPTIONS="print_stacktrace=1", ASAN_OPTIONS="quarantine_size_mb=16:detect_leaks=1", HOME="/nonexistent", TZ="UTC", LC_ALL="C.UTF-8")
    env.pop("KUBECONFIG", None)
    symbolizer = shutil.which("llvm-symbolizer-14") or shutil.which("llvm-symbolizer")
    if symbolizer:
        env["ASAN_SYMBOLIZER_PATH"] = symbolizer
    return env


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=int, default=int(os.environ.get("GPULEDGER_FUZZ_SECONDS") or 60))
    parser.add_argument("name", choices=sorted(seeds.SEEDS))
    args = parser.parse_args()
    command = [str(args.bin / f"fuzz_{args.name}"), f"-max_total_time={args.seconds}", *LIMITS, *prepare(args.work, args.name)]
    begin = time.monotonic()
    done = subprocess.run(command, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    output = done.stdout.decode(errors="replace")
    runs = re.search(r"^stat::number_of_executed_units: +(\d+)", output, re.MULTILINE)
    memory = re.search(r"^stat::peak_rss_mb: +(\d+)", output, re.MULTILINE)
    if done.returncode != 0 or not runs:
        print(output[-20000:])
        print(f"fuzz_{args.name}: FAILED with exit status {done.returncode} after {time.monotonic() - begin:.0f} s; the input is in {args.work / 'found'}")
        return 1
    print(f"fuzz_{args.name}: {runs[1]} runs in {time.monotonic() - begin:.0f} s, {memory[1] if memory else '?'} MB at most, 0 crashes, 0 hangs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
