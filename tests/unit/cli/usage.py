# SPDX-License-Identifier: GPL-3.0-or-later
"""What neither program understands is named, with the documented exit status; the window's program says it before it opens anything."""
import os
import subprocess
import tempfile
import unittest

CLI = os.environ["GPULEDGER_CLI"]
WINDOW = os.environ.get("GPULEDGER_WINDOW", "")  # empty if it was not built


class Usage(unittest.TestCase):
    def refused(self, *command):
        with tempfile.TemporaryDirectory() as home:
            environment = {**os.environ, "HOME": home, "XDG_RUNTIME_DIR": home, "QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8"}
            done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        return done.stderr

    def test_a_command_and_an_option(self):
        self.assertIn('there is no command "fly"', self.refused(CLI, "fly"))
        self.assertIn('there is no option "--bogus"', self.refused(CLI, "--bogus"))
        self.assertIn("no command was given", self.refused(CLI))

    @unittest.skipUnless(WINDOW, "the window was not built")
    def test_the_window(self):
        self.assertIn("bogus", self.refused(WINDOW, "--bogus"))
        self.assertIn('--theme can\'t be "purple"; it is light, dark or system', self.refused(WINDOW, "--theme", "purple", "--list-pages"))


if __name__ == "__main__":
    unittest.main()
