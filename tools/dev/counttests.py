#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""counttests.py FOLDER: adds up the *.xml (ctest --output-junit) and *.json (unittests.py) files in FOLDER.

Counts Qt Test functions, not executables, by reading each "Totals:" line in a test's output. An executable that failed without
a failed function (a crash, a timeout, a sanitizer report at exit) counts as one more failure. Python's unittest ("Ran N tests")
is counted by tests, too; any other program counts as one test. What failed is listed with the first lines of its message, because the
log of a long run is cut. The last line printed is "N passed, N failed, N skipped"; the
exit status is 1 if any test failed or none passed.
"""
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

TOTALS = re.compile(r"^Totals: (\d+) passed, (\d+) failed, (\d+) skipped, (\d+) blacklisted", re.MULTILINE)
UNITTEST = re.compile(r"^Ran (\d+) tests? in [^\n]*\n\s*(?:OK|FAILED)(?: \(([^)\n]*)\))?", re.MULTILINE)
# A failed Qt Test function: its line and those that belong to it ("Actual…", "Loc: […]"), which are indented.
FAIL = re.compile(r"^FAIL!  : [^\n]*(?:\n[ \t]+[^\n]*){0,6}", re.MULTILINE)
# A failed test of unittest: the last line of its traceback.
TRACE = re.compile(r"^(?:FAIL|ERROR): ([^\n]*)\n(?:.*?)\n([A-Za-z_.]*(?:Error|Exception|Disconnected|Expired|Timeout)\b[^\n]*)", re.MULTILINE | re.DOTALL)
# A sanitizer's report.
REPORT = re.compile(r"^(?:==\d+==ERROR: |SUMMARY: |[^\n]*runtime error: )[^\n]*", re.MULTILINE)
LONGEST_LINE = 300
SKIP = re.compile(r"^SKIP\s*:\s*(.*)$", re.MULTILINE)
# Each Qt test reports initTestCase and cleanupTestCase as passed, although they test nothing.
FIXED_SLOTS = 2


def count_case(case):
    """Returns (passed, failed, skipped) of one <testcase>."""
    output = case.findtext("system-out") or ""
    bad = case.get("status") == "fail" or case.find("failure") is not None or case.find("error") is not None
    found = TOTALS.findall(output)
    unittest = UNITTEST.search(output)
    if not found and unittest:
        marks = {k: int(v) for k, v in re.findall(r"([a-z][a-z ]*)=(\d+)", unittest[2] or "")}
        failed = sum(marks.get(k, 0) for k in ("failures", "errors", "unexpected successes"))
        skipped = marks.get("skipped", 0)
        return int(unittest[1]) - failed - skipped, failed or int(bad), skipped
    if not found:
        if bad:
            return 0, 1, 0
        if case.get("status") in ("notrun", "disabled") or case.find("skipped") is not None:
            return (0, 1, 0) if case.get("status") == "notrun" and case.find("skipped") is None else (0, 0, 1)
        return 1, 0, 0
    passed = sum(max(0, int(t[0]) - FIXED_SLOTS) for t in found)
    failed = sum(int(t[1]) for t in found)
    skipped = sum(int(t[2]) + int(t[3]) for t in found)
    if bad and failed == 0:
        failed = 1
    return passed, failed, skipped


def messages(output):
    """What the output of a failed test says of its failures, as indented lines."""
    found = [m[0] for m in FAIL.finditer(output)] + [f"{m[1]}: {m[2]}" for m in TRACE.finditer(output)]
    found += [m[0] for m in REPORT.finditer(output)]
    if not found:  # a crash or a timeout: its last words
        found = output.rstrip().splitlines()[-3:]
    return ["    " + line.strip()[:LONGEST_LINE] for text in found for line in text.splitlines()]


def count_folder(folder):
    total = [0, 0, 0]
    lines = []
    for path in sorted(folder.glob("*.xml")):
        for case in ET.parse(path).getroot().iter("testcase"):
            counts = count_case(case)
            total = [a + b for a, b in zip(total, counts)]
            if counts[1]:
                lines.append(f"failed: {path.stem}: {case.get('name')} ({counts[1]})")
                lines += messages(case.findtext("system-out") or "")
            for reason in sorted(set(SKIP.findall(case.findtext("system-out") or ""))):
                lines.append(f"skipped: {path.stem}: {case.get('name')}: {reason}")
    for path in sorted(folder.glob("*.json")):
        counts = json.loads(path.read_text("utf-8"))
        total = [a + counts[k] for a, k in zip(total, ("passed", "failed", "skipped"))]
    return total, lines


def main(folder):
    (passed, failed, skipped), lines = count_folder(pathlib.Path(folder))
    for line in lines:
        print(line)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
