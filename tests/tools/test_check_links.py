# SPDX-License-Identifier: GPL-3.0-or-later
import pathlib
import unittest

import check_links
from tree import TreeCase

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


class Links(TreeCase):
    def see(self, path, text):
        self.write("docs/stopping.md", "# Stopping\n\n## What can't be *brought* back, `watch`\n\n```sh\n# No heading\n```\n")
        self.write("docs/picture.png", "")
        self.write("app/README.md", "# app\n")
        return self.found(check_links.check, path, text)

    def test_finds_a_missing_file(self):
        self.assertTrue(self.see("README.md", "See [it](docs/stoping.md).\n"))
        self.assertTrue(self.see("docs/pages/idle.md", "See [it](stopping.md).\n"))
        self.assertTrue(self.see("README.md", "See [it](../elsewhere.md).\n"))
        self.assertEqual(self.see("README.md", "See [it](docs/stopping.md) and [that](app).\n"), [])
        self.assertEqual(self.see("docs/pages/idle.md", "See [it](../stopping.md).\n"), [])

    def test_finds_a_missing_heading(self):
        self.assertTrue(self.see("README.md", "[it](docs/stopping.md#what-cant-be-brought)\n"))
        self.assertTrue(self.see("README.md", "[it](docs/stopping.md#no-heading)\n"))
        self.assertTrue(self.see("README.md", "# Here\n\n[it](#there)\n"))
        self.assertEqual(self.see("README.md", "[it](docs/stopping.md#what-cant-be-brought-back-watch)\n"), [])
        self.assertEqual(self.see("README.md", "# Here and now\n\n[`it`](#here-and-now)\n"), [])

    def test_looks_at_pictures_and_passes_code_over(self):
        self.assertTrue(self.see("README.md", "![it](docs/none.png)\n"))
        self.assertEqual(self.see("README.md", "![it](docs/picture.png)\n\n`[a](b.md)`\n\n```\n[a](b.md)\n```\n"), [])

    def test_chapters_stay_in_the_handbook(self):
        self.assertTrue(self.see("docs/a.md", "[it](../app/README.md)\n"))
        self.assertTrue(self.see("docs/a.md", "![it](picture.png)\n"))
        self.assertTrue(self.see("docs/a.md", "[it](http://example.org/)\n"))
        self.assertEqual(self.see("docs/a.md", "[it](https://example.org/a#b)\n"), [])
        self.assertEqual(self.see("README.md", "[it](http://example.org/)\n"), [])

    def test_the_project_is_clean(self):
        self.assertEqual(check_links.check(REPOSITORY), [])


if __name__ == "__main__":
    unittest.main()
