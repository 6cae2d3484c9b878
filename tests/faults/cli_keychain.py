# SPDX-License-Identifier: GPL-3.0-or-later
"""A real keychain on a private bus: stored credentials are used; without a keychain, nothing falls back to a file."""
import os
import secrets
import shutil
import subprocess
import tempfile
import time
import unittest

import servers
from product import ProductTest, configuration

NEEDED = ("dbus-daemon", "dbus-send", "gnome-keyring-daemon", "secret-tool")


class Keychain(ProductTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        missing = [n for n in NEEDED if not shutil.which(n)]
        if missing:
            raise unittest.SkipTest("not installed: " + ", ".join(missing) + "; ./dev deps test installs it")
        cls.server = cls.enterClassContext(servers.Faulty())

    def setUp(self):
        super().setUp()
        self.server.faults()
        self.secret = "CANARY" + secrets.token_hex(12)
        self.home = self.program()
        self.home.configure(configuration(servers.source(self.server.url, "{ type: bearer, token: keychain:prom-prod }")))
        # A short path, because the daemon's socket is in it.
        runtime = tempfile.mkdtemp(prefix="gk")
        self.addCleanup(shutil.rmtree, runtime, True)
        self.home.environment["XDG_RUNTIME_DIR"] = runtime
        for name in ("DATA", "CONFIG", "CACHE"):
            os.makedirs(self.home.environment[f"XDG_{name}_HOME"])
        self.home.environment.pop("DBUS_SESSION_BUS_ADDRESS", None)
        self.home.environment.pop("DISPLAY", None)

    def sent(self):
        return {r["headers"].get("Authorization") for r in self.server.stats()["seen"]} - {None}

    def session(self):
        """A bus of our own; every program of this test uses only this one."""
        bus = self.start("dbus-daemon", "--session", "--nofork", "--print-address")
        self.home.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()

    def keyring(self):
        daemon = self.start("gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets")
        daemon.stdin.write(b"a pass phrase")
        daemon.stdin.close()
        ask = ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.NameHasOwner",
               "string:org.freedesktop.secrets"]
        for _ in range(600):
            if "boolean true" in subprocess.run(ask, env=self.home.environment, capture_output=True, text=True, timeout=60, check=False).stdout:
                return daemon
            time.sleep(0.1)
        self.fail("the keychain did not start")

    def start(self, *command):
        process = subprocess.Popen(command, env=self.home.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        process.kill()
        process.wait(60)
        process.stdin.close()
        process.stdout.close()

    def store(self, name):
        """As the documentation describes it."""
        done = subprocess.run(["secret-tool", "store", "--label=GPU Ledger", "service", "gpuledger", "name", name], env=self.home.environment,
                              input=self.secret.encode(), capture_output=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_was_stored_is_used(self):
        self.session()
        self.keyring()
        self.store("prom-prod")
        done = self.home.run("sources", "test", "prod")
        self.assertIn(done.returncode, (0, 1, 4), done.text)
        self.assertEqual(self.sent(), {"Bearer " + self.secret})
        self.assertNotIn(self.secret, done.text + done.stdout.decode())

    def test_another_name(self):
        self.session()
        self.keyring()
        self.store("prom-test")
        done = self.home.run("sources", "test", "prod")
        self.assertNotEqual(done.returncode, 0, done.text)
        self.assertSentence(done, 'no entry "prom-prod"', "secret-tool store")
        self.assertEqual(self.sent(), set())

    def test_the_keychain_went_away(self):
        """The bus may start another keychain, which is locked; no one can unlock it."""
        self.session()
        daemon = self.keyring()
        self.store("prom-prod")
        daemon.kill()
        daemon.wait(60)
        done = self.home.run("sources", "test", "prod")
        self.assertNotEqual(done.returncode, 0, done.text)
        self.assertSentence(done, "keychain")
        self.assertEqual(self.sent(), set())

    def test_no_bus_at_all(self):
        done = self.home.run("sources", "test", "prod")
        self.assertNotEqual(done.returncode, 0, done.text)
        self.assertSentence(done, "no keychain is available")
        self.assertEqual(self.sent(), set())


if __name__ == "__main__":
    unittest.main(verbosity=2)
