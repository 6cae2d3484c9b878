# SPDX-License-Identifier: GPL-3.0-or-later
"""A scratch source tree for the tests of the checks."""
import pathlib
import tempfile
import unittest


class TreeCase(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory(prefix="gpuledger-tree")
        self.addCleanup(self._folder.cleanup)
        self.root = pathlib.Path(self._folder.name)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def found(self, check, path, text):
        """Plants one file in an otherwise empty tree and returns the messages about it."""
        self.write(path, text)
        try:
            return [sentence for where, _, sentence in check(self.root) if where == path]
        finally:
            (self.root / path).unlink()
