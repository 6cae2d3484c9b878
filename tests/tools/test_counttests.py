# SPDX-License-Identifier: GPL-3.0-or-later
"""The summary line of ./dev test counts correctly."""
import contextlib
import importlib.util
import io
import pathlib
import unittest

from tree import TreeCase

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tools" / "dev" / "counttests.py"
_spec = importlib.util.spec_from_file_location("counttests", SCRIPT)
counttests = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(counttests)


def junit(*cases):
    return "<testsuite>" + "".join(cases) + "</testsuite>"


def case(name, status, output):
    failure = '<failure message=""/>' if status == "fail" else ""
    return f'<testcase name="{name}" status="{status}">{failure}<system-out>{output}</system-out></testcase>'


class Counts(TreeCase):
    def count(self, *cases, tools=None):
        self.write("r/a.xml", junit(*cases))
        if tools:
            self.write("r/tools.json", tools)
        return counttests.count_folder(self.root / "r")

    def test_counts_functions_without_the_fixed_two(self):
        total, _ = self.count(case("a", "run", "Totals: 7 passed, 0 failed, 0 skipped, 0 blacklisted, 3ms\n"))
        self.assertEqual(total, [5, 0, 0])

    def test_adds_several_totals_and_the_tools(self):
        text = "Totals: 3 passed, 0 failed, 1 skipped, 0 blacklisted, 3ms\n" * 2
        total, _ = self.count(case("a", "run", text), tools='{"passed": 4, "failed": 1, "skipped": 2}')
        self.assertEqual(total, [6, 1, 4])

    def test_names_what_was_skipped_and_why(self):
        total, lines = self.count(case("a", "run", "SKIP   : T::x() skipped: no trace\nTotals: 2 passed, 0 failed, 1 skipped, 0 blacklisted, 1ms\n"))
        self.assertEqual(total, [0, 0, 1])
        self.assertIn("no trace", " ".join(lines))

    def test_says_what_failed(self):
        qt = ("PASS   : T::a()\nFAIL!  : T::b(row) Compared values are not the same\n   Actual   (x): 1\n   Expected (y): 2\n   Loc: [t.cpp(7)]\n"
              "PASS   : T::c()\nTotals: 4 passed, 1 failed, 0 skipped, 0 blacklisted, 3ms\n")
        _, lines = self.count(case("a", "fail", qt))
        self.assertEqual(lines, ["failed: a: a (1)", "    FAIL!  : T::b(row) Compared values are not the same", "    Actual   (x): 1", "    Expected (y): 2",
                                 "    Loc: [t.cpp(7)]"])
        python = ("ERROR: test_x (__main__.K)\nIt does.\n----\nTraceback (most recent call last):\n  File \"a.py\", line 2, in f\n    g()\n"
                  "http.client.RemoteDisconnected: Remote end closed\n\n----\nRan 8 tests in 95.1s\n\nFAILED (errors=1)\n")
        _, lines = self.count(case("a", "fail", python))
        self.assertEqual(lines, ["failed: a: a (1)", "    test_x (__main__.K): http.client.RemoteDisconnected: Remote end closed"])
        _, lines = self.count(case("a", "fail", "one\ntwo\nthree\nSegmentation fault\n"))
        self.assertEqual(lines, ["failed: a: a (1)", "    two", "    three", "    Segmentation fault"])

    def test_crash_time_out_and_report_at_exit_count_as_failed(self):
        self.assertEqual(self.count(case("a", "fail", "Segmentation fault"))[0], [0, 1, 0])
        self.assertEqual(self.count(case("a", "fail", "Totals: 5 passed, 0 failed, 0 skipped, 0 blacklisted, 1ms\nERROR: LeakSanitizer"))[0], [3, 1, 0])
        self.assertEqual(self.count(case("a", "notrun", ""))[0], [0, 1, 0])

    def test_plain_programs_count_as_one(self):
        self.assertEqual(self.count(case("a", "run", "fine"))[0], [1, 0, 0])

    def test_counts_unittest_by_tests(self):
        self.assertEqual(self.count(case("a", "run", "....\nRan 22 tests in 26.0s\n\nOK (skipped=2)\n"))[0], [20, 0, 2])
        self.assertEqual(self.count(case("a", "fail", "Ran 5 tests in 1s\n\nFAILED (failures=1, errors=1)\n"))[0], [3, 2, 0])
        self.assertEqual(self.count(case("a", "fail", "Ran 5 tests in 1s\n\nOK\nkilled"))[0], [5, 1, 0])

    def test_nothing_run_is_a_failure(self):
        self.write("r/a.xml", junit())
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.assertEqual(counttests.main(str(self.root / "r")), 1)
        self.assertEqual(printed.getvalue().splitlines()[-1], "0 passed, 0 failed, 0 skipped")


if __name__ == "__main__":
    unittest.main()
