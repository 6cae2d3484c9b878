#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""runfuzz.py [--seconds N] --bin FOLDER --work FOLDER NAME: runs the target fuzz_NAME for some time, starting from the seeds of seeds.py.

Inputs that reach new code are kept in WORK/corpus/NAME, where the next run starts; an input that breaks the parser is kept in WORK/found
and printed, so that it becomes a test. Without --seconds, GPULEDGER_FUZZ_SECONDS applies, and without that, 10.
"""
import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import seeds

LIMITS = ["-rss_limit_mb=1024", "-max_len=65536", "-timeout=30", "-print_final_stats=1", "-verbosity=1", "-len_control=50", "-reload=0"]


def prepare(work, name):
    """Writes the seeds and the dictionary; returns the arguments that name them."""
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


# Seconds that a target may take after its time to finish one input (-timeout) and to report what it found.
PATIENCE = 180
FINDINGS = [r"^BROKEN: .*", r"^  what\(\):.*", r"^.*runtime error: .*", r"^.*ERROR: (?:Address|Leak)Sanitizer: .*", r"^.*ERROR: libFuzzer: .*", r"^terminate called .*"]


def run(command, seconds):
    """Returns the exit status and the output; a program that does not end is killed together with its leak checker."""
    with subprocess.Popen(command, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True) as process:
        try:
            printed = process.communicate(timeout=seconds + PATIENCE)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            printed = process.communicate()[0] + f"BROKEN: it did not end {PATIENCE} s behind its time\n".encode()
        except BaseException:  # this script is being ended
            os.killpg(process.pid, signal.SIGKILL)
            raise
        return process.returncode, printed.decode(errors="replace")


def sentence(output):
    """The finding of a failed target, in one line."""
    for pattern in FINDINGS:
        if found := re.search(pattern, output, re.MULTILINE):
            return found[0].strip()
    return "it ended without a word"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--seconds", type=int, default=int(os.environ.get("GPULEDGER_FUZZ_SECONDS") or 10))
    parser.add_argument("name", choices=sorted(seeds.SEEDS))
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    program = args.bin / f"fuzz_{args.name}"
    begin = time.monotonic()
    status, output = run([str(program), f"-max_total_time={args.seconds}", *LIMITS, *prepare(args.work, args.name)], args.seconds)
    runs = re.search(r"^stat::number_of_executed_units: +(\d+)", output, re.MULTILINE)
    memory = re.search(r"^stat::peak_rss_mb: +(\d+)", output, re.MULTILINE)
    seconds = f"{time.monotonic() - begin:.0f} s"
    if status != 0 or not runs:
        kept = re.search(r"Test unit written to (\S+)", output)
        print(output[-20000:])
        print(f"fuzz_{args.name}: FAILED with exit status {status} after {seconds}: {sentence(output)}")
        print(f"fuzz_{args.name}: again with: {program} {kept[1]}" if kept else f"fuzz_{args.name}: no input was kept")
        return 1
    print(f"fuzz_{args.name}: {runs[1]} runs in {seconds}, {memory[1] if memory else '?'} MB at most, 0 crashes, 0 hangs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
