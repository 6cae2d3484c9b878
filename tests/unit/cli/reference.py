# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/commands.md equals the program's help, and every command has an example."""
import os
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/dev"))
import clireference  # noqa: E402

CLI = os.environ["GPULEDGER_CLI"]


class Reference(unittest.TestCase):
    def test_the_page_is_what_the_help_says(self):
        self.assertEqual((ROOT / "docs/commands.md").read_text("utf-8"), clireference.reference(CLI), "run ./dev reference")

    def test_every_command_has_an_example(self):
        for words, text in clireference.commands(CLI):
            self.assertTrue(clireference.examples(text), words)


if __name__ == "__main__":
    unittest.main()
