#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""unittests.py FOLDER RESULT.json: runs every test_*.py below FOLDER and writes {"passed", "failed", "skipped"}."""
import json
import pathlib
import sys
import unittest


def main(folder, result_file):
    suite = unittest.defaultTestLoader.discover(folder, pattern="test_*.py", top_level_dir=folder)
    result = unittest.TextTestRunner(verbosity=1, stream=sys.stdout).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    skipped = len(result.skipped)
    counts = {"passed": max(0, result.testsRun - failed - skipped), "failed": failed, "skipped": skipped}
    pathlib.Path(result_file).write_text(json.dumps(counts), "utf-8")
    if result.testsRun == 0:
        print(f"no test found in {folder}")
    return 0 if failed == 0 and result.testsRun > 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
