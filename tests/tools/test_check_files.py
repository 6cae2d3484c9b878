# SPDX-License-Identifier: GPL-3.0-or-later
import pathlib
import unittest

import check_files
from tree import TreeCase

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
LINE = "// " + check_files.LICENCE + "\n"


class Files(TreeCase):
    def see(self, path, text):
        self.write("app/README.md", "x\n")
        self.write("app/base/README.md", "x\n")
        return self.found(check_files.check, path, text)

    def test_finds_a_missing_licence(self):
        self.assertTrue(self.see("app/base/a.cpp", "int x;\n"))
        self.assertTrue(self.see("dev", "#!/bin/sh\n"))
        self.assertEqual(self.see("app/base/a.cpp", LINE + "int x;\n"), [])

    def test_finds_a_long_file(self):
        for path in ("app/base/a.cpp", "ui/a.h"):
            rest = "//\n" if path.endswith(".cpp") else "#pragma once\n"
            self.assertTrue(self.see(path, LINE + rest * 450))
            self.assertFalse([found for found in self.see(path, LINE + rest * 449) if "lines" in found])
        self.assertTrue(self.see("tests/unit/a.cpp", LINE + "//\n" * 600))
        self.assertFalse([found for found in self.see("tests/unit/a.cpp", LINE + "//\n" * 599) if "lines" in found])

    def test_finds_a_long_folder(self):
        for i in range(check_files.MAX_FOLDER):
            self.write(f"app/base/money/a{i}.cpp", LINE)
        self.write("app/base/b.cpp", LINE)
        self.assertNotIn("app/base/money", [where for where, _, _ in check_files.check(self.root)])
        self.write("app/base/money/b.cpp", LINE)
        self.assertIn("app/base/money", [where for where, _, _ in check_files.check(self.root)])

    def test_finds_a_suite_without_its_namespace(self):
        self.assertTrue(self.see("tests/unit/tst_a.cpp", LINE + "class A;\n"))
        self.assertTrue(self.see("tests/unit/tst_a.cpp", LINE + "namespace tst_b {\n"))
        self.assertEqual([found for found in self.see("tests/unit/tst_a.cpp", LINE + "namespace tst_a {\n") if "suite" in found[2]], [])

    def test_finds_a_missing_guard_and_upper_case(self):
        self.assertTrue(self.see("app/base/a.h", LINE))
        self.assertTrue(self.see("app/base/Money.cpp", LINE))

    def test_finds_missing_and_long_readmes(self):
        self.assertEqual(self.see("app/base/README.md", "x\n" * 40), [])
        self.assertTrue(self.see("app/base/README.md", "x\n" * 41))
        self.write("app/store/a.cpp", LINE)
        self.assertIn("app/store/README.md", [where for where, _, _ in check_files.check(self.root)])
        self.write("app/store/deeper/a.cpp", LINE)
        self.assertNotIn("app/store/deeper/README.md", [where for where, _, _ in check_files.check(self.root)])

    def test_finds_marks_of_a_merge_conflict(self):
        for mark in ("<", "|", ">"):
            self.assertEqual(self.see("app/base/README.md", "x\n" + mark * 7 + " main\n"), ["a mark of a merge conflict"])
        self.assertEqual(self.see("app/base/README.md", "x << 7\n=======\n"), [])

    def test_the_project_is_clean(self):
        self.assertEqual(check_files.check(REPOSITORY), [])


if __name__ == "__main__":
    unittest.main()
