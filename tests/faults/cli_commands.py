# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that prints a credential runs only after the user agreed to exactly that program; a plugin records each run."""
import json
import os
import pty
import secrets
import select
import signal
import subprocess
import time
import unittest

import servers
from cli_secrets import spellings
from product import ProductTest, configuration

PLUGIN = """#!/usr/bin/python3 -IS
import json, os, sys
here = {{}}
for name in os.listdir("/proc/self/fd"):
    try: here[name] = os.readlink("/proc/self/fd/" + name)
    except OSError: pass
record = {{"program": sys.argv[0], "arguments": sys.argv[1:], "environment": dict(os.environ), "descriptors": here, "input": sys.stdin.read(),
          "group": os.getpgrp() == os.getpid(), "folder": os.getcwd()}}
with open({record!r}, "a") as file: file.write(json.dumps(record) + "\\n")
{body}
"""


class Commands(ProductTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = cls.enterClassContext(servers.Faulty())

    def setUp(self):
        super().setUp()
        self.server.faults()
        self.token = "CANARY" + secrets.token_hex(12)
        self.plugin = os.path.join(self.folder, "bin", "plugin")
        self.record = os.path.join(self.folder, "record")
        os.mkdir(os.path.dirname(self.plugin))
        self.write(f"print({self.token!r})")

    def write(self, body, path=None):
        path = path or self.plugin
        with open(path, "w", encoding="utf-8") as file:
            file.write(PLUGIN.format(record=self.record, body=body))
        os.chmod(path, 0o700)

    def runs(self):
        """The runs that the plugin recorded, as dicts; clears the record."""
        try:
            with open(self.record, encoding="utf-8") as file:
                found = [json.loads(line) for line in file]
        except FileNotFoundError:
            return []
        os.unlink(self.record)
        return found

    def home(self, *arguments, program=None):
        words = json.dumps(["command:" + (program or self.plugin), *arguments])
        home = self.program()
        home.configure(configuration(servers.source(self.server.url, f"{{ type: bearer, token: {words} }}")))
        return home

    def sent(self):
        """The Authorization headers that reached the server."""
        return {r["headers"].get("Authorization") for r in self.server.stats()["seen"]} - {None}

    def agreed(self, home):
        done = home.run("sources", "test", "prod", "--agree-command")
        self.assertIn(done.returncode, (0, 1, 4), done.text)
        self.assertEqual(len(self.runs()), 1, "it did not run after consent")
        return done

    def refused(self, home, *parts):
        """Neither a sync nor a test runs the program, and both say how to agree."""
        done = home.run("sync", "--json")
        self.assertEqual(done.returncode, 4, done.text)
        self.assertSentence(done, "gpuledger-cli sources test", *parts)
        tested = home.run("sources", "test", "prod")
        self.assertEqual(tested.returncode, 4, tested.text)
        self.assertSentence(tested, "--agree-command")
        self.assertEqual(self.runs(), [], "it ran without consent")
        self.assertEqual(self.sent(), set())
        return tested

    def changed(self, home):
        self.refused(home, "changed since you agreed")

    def consent_file(self, home):
        return os.path.join(home.environment["XDG_STATE_HOME"], "gpuledger", "agreed-commands.json")

    def test_nobody_agreed(self):
        home = self.home("show", "prom")
        tested = self.refused(home, "no one agreed")
        for part in (self.plugin, '"show"', '"prom"', "HOME", subprocess.check_output(["sha256sum", self.plugin], text=True).split()[0]):
            self.assertIn(part, tested.text)
        self.assertFalse(os.path.exists(self.consent_file(home)))

    def test_agreed_runs_exactly_that(self):
        strange = ["two words", "; touch x", "$(touch x)", "*", "--json", "", "\u202eevil"]
        home = self.home(*strange)
        home.environment.update(PLANTED="canary-of-the-environment", LD_LIBRARY_PATH="/nonexistent", PROM_TOKEN="x")
        done = home.run("sources", "test", "prod", "--agree-command")
        self.assertNotIn("\u202e", done.text)
        run, = self.runs()
        self.assertEqual(run["arguments"], strange)
        self.assertLessEqual(set(run["environment"]), {"DBUS_SESSION_BUS_ADDRESS", "HOME", "LANG", "LOGNAME", "PATH", "USER",
                                                       "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "LC_CTYPE"})
        self.assertIn("HOME", run["environment"])
        self.assertEqual(run["input"], "")
        self.assertTrue(run["group"], "it has a session of its own")
        self.assertEqual(self.sent(), {"Bearer " + self.token})
        self.assertEqual(os.stat(self.consent_file(home)).st_mode & 0o777, 0o600)
        home.run("sync")
        self.assertEqual(len(self.runs()), 1, "consent lasts")

    def test_no_descriptor_is_inherited(self):
        home = self.home()
        self.agreed(home)
        with open(os.path.join(self.folder, "open-file"), "w", encoding="ascii") as file:
            subprocess.run(home.command("sync"), env=home.environment, pass_fds=(file.fileno(),), stdin=subprocess.DEVNULL,
                           capture_output=True, timeout=120, check=False)
        run, = self.runs()
        others = {n: t for n, t in run["descriptors"].items() if int(n) > 2 and not t.startswith("/proc/") and t != self.plugin}
        self.assertEqual(others, {})
        self.assertEqual(run["descriptors"]["0"], "/dev/null")
        self.assertEqual(run["descriptors"]["2"], "/dev/null")

    def test_another_content(self):
        home = self.home()
        self.agreed(home)
        self.server.faults()
        self.write(f"print({self.token!r})  # changed")
        self.changed(home)

    def test_other_arguments(self):
        home = self.home("show", "prom")
        self.agreed(home)
        self.server.faults()
        self.changed(self.home("show", "prom", "--all"))
        self.changed(self.home("show prom"))

    def test_another_path(self):
        self.agreed(self.home())
        self.server.faults()
        other = self.plugin + "2"
        self.write(f"print({self.token!r})", other)
        self.refused(self.home(program=other), "no one agreed")

    def test_a_link_that_leads_elsewhere(self):
        link, other = self.plugin + "-link", self.plugin + "2"
        os.symlink(self.plugin, link)
        home = self.home(program=link)
        self.agreed(home)
        self.server.faults()
        self.write(f"print({self.token!r})  # another", other)
        os.unlink(link)
        os.symlink(other, link)
        self.changed(home)

    def test_other_variables(self):
        home = self.home()
        self.agreed(home)
        self.server.faults()
        with open(self.consent_file(home), encoding="utf-8") as file:
            record = json.load(file)
        record["commands"][0]["environment"].remove("PATH")
        with open(self.consent_file(home), "w", encoding="utf-8") as file:
            json.dump(record, file)
        self.changed(home)

    def test_a_record_that_does_not_count(self):
        home = self.home()
        self.agreed(home)
        self.server.faults()
        record = self.consent_file(home)
        with open(record, "rb") as file:
            good = file.read()
        for bad in (b"", b"{", good[:-9], good.replace(b'"version": 1', b'"version": 2'), b"[]", b"\xff" * 40):
            with self.subTest(bad[:20]):
                with open(record, "wb") as file:
                    file.write(bad)
                self.refused(home, "no one agreed")
        with open(record, "wb") as file:
            file.write(good)
        os.chmod(record, 0o620)
        done = home.run("sync")
        self.assertEqual(done.returncode, 4, done.text)
        self.assertSentence(done, "agreed-commands.json", "can be changed by others")
        self.assertEqual(self.runs(), [])

    def test_programs_that_others_can_change(self):
        home = self.home()
        for mode, folder in ((0o722, 0o755), (0o777, 0o755), (0o755, 0o777)):
            with self.subTest(mode=oct(mode), folder=oct(folder)):
                os.chmod(self.plugin, mode)
                os.chmod(os.path.dirname(self.plugin), folder)
                done = home.run("sources", "test", "prod", "--agree-command")
                self.assertEqual(done.returncode, 4, done.text)
                self.assertSentence(done, "can change" if folder == 0o777 else "changed by others")
        self.assertEqual(self.runs(), [])

    def test_no_such_program(self):
        for program, part in (("/nonexistent/plugin", "no such program"), ("bin/plugin", "relative path"), ("no-such-plugin-anywhere", "on PATH"),
                              (self.folder, "not an executable program")):
            with self.subTest(program):
                done = self.home(program=program).run("sources", "test", "prod", "--agree-command")
                self.assertNotEqual(done.returncode, 0)
                self.assertSentence(done, part)

    def test_found_on_the_path(self):
        home = self.home(program="plugin")
        home.environment["PATH"] = f":bin:{os.path.dirname(self.plugin)}:{home.environment['PATH']}"
        self.agreed(home)
        self.assertEqual(self.sent(), {"Bearer " + self.token})

    def test_what_goes_wrong_is_told_without_the_credential(self):
        for body, part in ((f"print({self.token!r}); sys.stderr.write({self.token!r}); sys.exit(3)", "exit status 3"), ("pass", "printed nothing"),
                           (f"print({self.token!r}, flush=True); os.kill(os.getpid(), 9)", "signal 9"),
                           (f"print({self.token!r} * 60000)", "more than 1024 KiB"), (f"print({self.token!r} + '\\n' + {self.token!r})", "line break")):
            with self.subTest(part):
                self.write(body)
                home = self.home()
                done = home.run("sources", "test", "prod", "--agree-command", "--json")
                self.assertNotEqual(done.returncode, 0)
                self.assertSentence(done, part)
                self.assertEqual(len(self.runs()), 1)
                marks = spellings(self.token)
                for text in (done.stdout, done.stderr):
                    self.assertFalse(any(m in text for m in marks), done.text)
                for base, _, names in os.walk(home.folder):
                    for name in names:
                        with open(os.path.join(base, name), "rb") as file:
                            content = file.read()
                        self.assertFalse(any(m in content for m in marks), name)
                self.assertEqual(self.sent(), set())

    def test_one_that_never_ends(self):
        """The program and its children are killed after 30 s."""
        children = os.path.join(self.folder, "children")
        self.write(f"""import subprocess, time
child = subprocess.Popen(["/bin/sleep", "300"])
with open({children!r}, "w") as file: file.write(f"{{os.getpid()}} {{child.pid}}")
time.sleep(300)""")
        begin = time.monotonic()
        done = self.home().run("sources", "test", "prod", "--agree-command")
        self.assertGreaterEqual(time.monotonic() - begin, 29)
        self.assertEqual(done.returncode, 4, done.text)
        self.assertSentence(done, "within 30 s")
        with open(children, encoding="ascii") as file:
            for pid in file.read().split():
                self.assertFalse(self.alive(pid), f"{pid} still runs")

    @staticmethod
    def alive(pid):
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii") as file:
                return file.read().rsplit(")", 1)[1].split()[0] != "Z"
        except FileNotFoundError:
            return False

    def asked(self, home, answer):
        """Runs `sources test` at a terminal of its own; returns its exit status and what it showed."""
        master, terminal = pty.openpty()
        process = subprocess.Popen(home.command("sources", "test", "prod"), env=home.environment, stdin=terminal,
                                   stdout=subprocess.DEVNULL, stderr=terminal)
        os.close(terminal)
        shown, answered, end = b"", False, time.monotonic() + 120
        while time.monotonic() < end:
            if not select.select([master], [], [], 0.2)[0]:
                if process.poll() is not None:
                    break
                continue
            try:
                shown += os.read(master, 4096)
            except OSError:
                break
            if not answered and b"[y/N]" in shown:
                if answer:
                    os.write(master, answer)
                else:
                    process.send_signal(signal.SIGINT)
                answered = True
        os.close(master)
        self.assertTrue(answered, shown)
        return process.wait(60), shown.decode(errors="replace")

    def test_asked_at_a_terminal(self):
        home = self.home("show", "prom")
        for no in (b"n\n", b"\n", b"yess\n"):
            with self.subTest(no):
                status, shown = self.asked(home, no)
                self.assertEqual(status, 5, shown)
                self.assertIn("did not agree", shown)
                self.assertEqual(self.runs(), [])
        status, shown = self.asked(home, b"")
        self.assertEqual(status, 130, shown)
        self.assertEqual(self.runs(), [])
        status, shown = self.asked(home, b"y\n")
        self.assertIn(status, (0, 1, 4), shown)
        self.assertIn('"show"', shown)
        self.assertEqual(len(self.runs()), 1)
        self.assertEqual(self.sent(), {"Bearer " + self.token})


if __name__ == "__main__":
    unittest.main(verbosity=2)
