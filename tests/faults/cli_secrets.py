# SPDX-License-Identifier: GPL-3.0-or-later
"""A credential appears only in the request to its server, and no other host is contacted."""
import base64
import json
import os
import re
import resource
import secrets
import shutil
import signal
import subprocess
import time
import unittest
import urllib.parse

import servers
from product import DEMO, ProductTest, configuration


def spellings(secret, user="reader"):
    """What a search would look for; the inner part of each base64 phase, because the rest depends on its neighbours."""
    raw = secret.encode()
    found = {raw, raw[::-1], raw.hex().encode(), raw.hex().upper().encode(), urllib.parse.quote(secret, safe="").encode(),
             "".join(f"%{b:02x}" for b in raw).encode(), "".join(f"%{b:02X}" for b in raw).encode(), secret.encode("utf-16-le")}
    found.add(base64.b64encode(f"{user}:{secret}".encode()))
    for phase in range(3):
        text = base64.b64encode(b"x" * phase + raw)
        inner = text[4 if phase else 0:-4]
        found |= {inner, inner.replace(b"+", b"-").replace(b"/", b"_")}
    return {f for f in found if len(f) >= 16}


class Canary(ProductTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not servers.available():
            raise unittest.SkipTest("prometheus is not installed")
        cls.prometheus = cls.enterClassContext(servers.Prometheus())
        cls.faulty = cls.enterClassContext(servers.Faulty("--upstream", cls.prometheus.url))

    def setUp(self):
        super().setUp()
        # Characters with a meaning in percent-encoding, YAML and shells, and enough randomness to exclude accidental matches.
        self.canary = "CANARY+/%" + secrets.token_hex(12) + "=:&"
        self.reference = os.path.join(self.folder, "reference")
        with open(self.reference, "w", encoding="ascii") as file:
            file.write(self.canary + "\n")
        os.chmod(self.reference, 0o600)

    def ways(self):
        """Each way to refer to a credential, without and with its value in the environment."""
        environment = {"PROM_CANARY": self.canary}
        yield "bearer-env", "{ type: bearer, token: env:PROM_CANARY }", environment
        yield "bearer-file", f"{{ type: bearer, token: file:{self.reference} }}", {}
        yield "basic-env", "{ type: basic, user: reader, password: env:PROM_CANARY }", environment
        yield "basic-file", f"{{ type: basic, user: reader, password: file:{self.reference} }}", {}

    def leaks(self, folder, *outputs):
        """The places where the canary appears in an output or in any file below the folder."""
        marks = spellings(self.canary)
        found = [f"output {i}" for i, text in enumerate(outputs) if any(m in text for m in marks)]
        for base, _, names in os.walk(folder):
            for name in names:
                with open(os.path.join(base, name), "rb") as file:
                    content = file.read()
                if any(m in content for m in marks):
                    found.append(name)
        return found

    def clean(self, program, *done):
        self.assertTrue(os.path.getsize(program.cache) > 0)
        self.assertEqual(self.leaks(program.folder, *(part for d in done for part in (d.stdout, d.stderr))), [])

    def test_the_search_finds(self):
        with open(os.path.join(self.folder, "planted"), "wb") as file:
            file.write(b"Authorization: Basic " + base64.b64encode(f"reader:{self.canary}".encode()))
        self.assertIn("planted", self.leaks(self.folder))
        self.assertIn("reference", self.leaks(self.folder))

    def test_never_outside_the_request(self):
        for name, auth, environment in self.ways():
            for fault in ("good", "401", "403", "500", "reset", "login", "types", "redirect?http://localhost:9/", "halfjson"):
                with self.subTest(way=name, fault=fault):
                    program = self.program(servers.source(self.faulty.url, auth), name=f"{name}-{fault[:5]}")
                    program.environment.update(environment)
                    self.faulty.faults(f".*@1+={fault}")
                    done = [program.run(*a, now=servers.NOW) for a in (("--verbose", "sync"), ("sources", "test", "prod"))]
                    if fault == "good":
                        self.assertEqual(done[0].returncode, 0, done[0].text)
                    self.assertGreater(self.faulty.stats()["credentials"].get("authorization", 0), 0, "the credential was never sent")
                    done += [program.run("sync", "--json", now=servers.NOW), program.run("sources", "list", "--json", now=servers.NOW)]
                    self.clean(program, *done)

    def test_a_server_that_repeats_it(self):
        """An answer may contain the credential: in its error text, its warning, or the page of an error status."""
        for status, body in ((400, '{"status":"error","errorType":"bad_data","error":"token %s is not known"}'),
                             (500, '{"status":"error","errorType":"internal","error":"cannot serve %s"}'), (403, "<html>%s</html>"),
                             (200, '{"status":"success","warnings":["%s"],"data":{"resultType":"matrix","result":[]}}')):
            with self.subTest(status), servers.Echo(status, body % self.canary) as echo:
                program = self.program(servers.source(echo.url, "{ type: bearer, token: env:PROM_CANARY }"), name=f"echo{status}")
                program.environment["PROM_CANARY"] = self.canary
                done = [program.run("--verbose", "sync", now=servers.NOW), program.run("sync", "--json", now=servers.NOW)]
                self.assertGreater(echo.asked, 0)
                self.clean(program, *done)

    def test_a_server_that_spells_it_in_its_own_way(self):
        """Upper case, hexadecimal, base64 at each offset, escapes: one per answer, and each is searched for everywhere."""
        raw = self.canary.encode()
        hexadecimal = raw.hex()
        spelled = {"upper": self.canary.upper(), "lower": self.canary.lower(), "backwards": self.canary[::-1], "hex": hexadecimal,
                   "hex upper": hexadecimal.upper(), "hex colons": raw.hex(":"), "percent": urllib.parse.quote(self.canary, safe=""),
                   "percent all": "".join(f"%{b:02x}" for b in raw), "html": "".join(f"&#x{b:x};" for b in raw),
                   "unicode": "".join(f"\\u{b:04x}" for b in raw)}
        for phase in range(3):
            text = base64.b64encode(b"x" * phase + raw).decode()
            spelled[f"base64 {phase}"] = text
            spelled[f"base64url {phase}"] = text.replace("+", "-").replace("/", "_")
        everywhere = {form.encode() for form in spelled.values()} | spellings(self.canary)
        body = json.dumps({"status": "error", "errorType": "bad_data", "error": "no such token: %s!"})
        program = self.program(name="spelled")
        program.healthy("sync")
        program.environment["PROM_CANARY"] = self.canary
        for name, form in spelled.items():
            with self.subTest(name), servers.Echo(400, body % form) as echo:
                program.configure(configuration(servers.source(echo.url, "{ type: bearer, token: env:PROM_CANARY }"), DEMO))
                done = [program.run("--verbose", "sync", "--json", now=servers.NOW), program.run("sources", "list", "--json", now=servers.NOW)]
                self.assertGreater(echo.asked, 0)
                self.clean(program, *done)
                for part in (done[0].stdout, done[0].stderr, done[1].stdout):
                    self.assertEqual([f for f in everywhere if f in part], [])
                self.assertIn(b"***", done[0].stderr)

    def test_wrong_configurations(self):
        program = self.program()
        program.healthy("sync")
        program.environment["PROM_CANARY"] = self.canary
        os.chmod(self.reference, 0o644)
        for name, auth in (("rights", f"{{ type: bearer, token: file:{self.reference} }}"), ("unknown key", "{ type: bearer, tokn: env:PROM_CANARY }"),
                           ("missing", "{ type: bearer, token: env:NOT_SET_ANYWHERE }"), ("both", "{ type: basic, password: env:PROM_CANARY }")):
            with self.subTest(name):
                program.configure(configuration(servers.source(self.faulty.url, auth), DEMO))
                done = [program.run(*a, now=servers.NOW) for a in (("--verbose", "sync"), ("sync", "--json"))]
                self.assertNotEqual(done[0].returncode, 0, done[0].text)
                self.clean(program, *done)

    def test_written_into_the_configuration(self):
        """A literal token is refused, and the error message does not repeat it."""
        program = self.program()
        program.healthy("sync")
        program.configure(configuration(servers.source(self.faulty.url, f"{{ type: bearer, token: '{self.canary}' }}")))
        done = program.run("--verbose", "sync", now=servers.NOW)
        self.assertEqual(done.returncode, 3, done.text)
        os.unlink(program.config)
        self.clean(program, done)


class Crash(ProductTest):
    """A process that crashes with a credential in its memory leaves no core dump."""

    def setUp(self):
        super().setUp()
        self.canary = "CANARY" + secrets.token_hex(12)
        self.crashes = os.path.join(self.folder, "crashes")
        os.mkdir(self.crashes)

    def found(self):
        marks = spellings(self.canary)
        found = []
        for base, _, names in os.walk(self.folder):
            for name in names:
                with open(os.path.join(base, name), "rb") as file:
                    content = file.read()
                if any(m in content for m in marks):
                    found.append(name)
        return found

    @staticmethod
    def allow_cores():
        most = resource.getrlimit(resource.RLIMIT_CORE)[1]
        resource.setrlimit(resource.RLIMIT_CORE, (most, most))

    def crash(self, process):
        process.send_signal(signal.SIGABRT)
        process.communicate(timeout=120)
        self.assertEqual(process.returncode, -signal.SIGABRT)

    def test_no_image_after_a_crash(self):
        with servers.Faulty("--always", "hang") as silent:
            program = self.program(servers.source(silent.url, "{ type: bearer, token: env:PROM_CANARY }"))
            program.environment.update(PROM_CANARY=self.canary, ASAN_OPTIONS="disable_coredump=0:handle_abort=0")
            process = subprocess.Popen(program.command("sync"), env=program.environment, cwd=self.crashes, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=self.allow_cores)
            end = time.monotonic() + 120
            while not silent.stats()["credentials"] and time.monotonic() < end:
                time.sleep(0.05)
            self.assertTrue(silent.stats()["credentials"], "the credential was never sent")
            with open(f"/proc/{process.pid}/limits", encoding="ascii") as file:
                limit = next(line for line in file if line.startswith("Max core file size"))
            self.assertEqual(limit.split()[4:6], ["0", "0"], limit)
            self.crash(process)
        self.assertEqual(self.found(), [])
        self.assertEqual(os.listdir(self.crashes), [])

    def test_the_process_is_not_dumpable(self):
        """If core dumps are piped to a collector, the limit does not apply; the flag shows in the owner of files in /proc."""
        if os.geteuid():
            self.skipTest("needs root, to run as another user")
        with servers.Faulty("--always", "hang") as silent:
            program = self.program(servers.source(silent.url))
            subprocess.run(["chown", "-R", "65534:65534", self.folder], check=True)
            nobody = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs")
            process = subprocess.Popen([*nobody, *program.command("sync")], env={**program.environment, "ASAN_OPTIONS": "detect_leaks=0"},
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                end = time.monotonic() + 120
                while not silent.stats()["hits"] and time.monotonic() < end:
                    time.sleep(0.05)
                # The kernel assigns the files of a process that is not dumpable to root.
                self.assertEqual(os.stat(f"/proc/{process.pid}/environ").st_uid, 0)
                self.assertEqual(os.stat(f"/proc/{process.pid}").st_uid, 65534)
            finally:
                process.kill()
                process.wait(60)

    def test_the_search_finds_a_core(self):
        """The same crash of a program that does not protect itself."""
        process = subprocess.Popen(["sleep", "300"], env={**os.environ, "PROM_CANARY": self.canary}, cwd=self.crashes,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=self.allow_cores)
        time.sleep(0.2)
        self.crash(process)
        if not os.listdir(self.crashes):
            self.skipTest("this system writes no core files into the working folder")
        self.assertTrue(self.found())


class Reach(ProductTest):
    def test_only_the_configured_server(self):
        if not servers.available():
            self.skipTest("prometheus is not installed")
        if not shutil.which("strace") or subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, check=False).returncode:
            self.skipTest("strace is not allowed here")
        trace = os.path.join(self.folder, "connects")
        with servers.Prometheus() as prometheus:
            program = self.program(servers.source(prometheus.url), DEMO)
            # The leak checker needs ptrace, which strace occupies.
            done = program.run("sync", now=servers.NOW, wrapper=("strace", "-f", "-qq", "-e", "trace=connect,sendto", "-o", trace),
                               ASAN_OPTIONS="detect_leaks=0")
            self.assertEqual(done.returncode, 0, done.text)
        with open(trace, encoding="utf-8", errors="replace") as file:
            lines = [line for line in file if "sa_family=AF_INET" in line]
        self.assertTrue(lines, "no connection was recorded")
        port = prometheus.url.rsplit(":", 1)[1]
        for line in lines:
            self.assertRegex(line, r'htons\(%s\).*inet_addr\("127\.0\.0\.1"\)' % re.escape(port))

    def test_a_machine_without_a_network(self):
        namespace = ("unshare", "-n", "--", "sh", "-c", 'ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null; exec "$@"', "sh")
        if subprocess.run([*namespace, "true"], capture_output=True, check=False).returncode:
            self.skipTest("network namespaces are not allowed here")
        program = self.program()
        program.healthy("sync", wrapper=namespace)
        program.healthy("verify", wrapper=namespace)
        expected = program.figures()
        quiet = self.program(name="quiet")
        quiet.healthy("sync")
        self.assertEqual(expected, quiet.figures())


if __name__ == "__main__":
    unittest.main(verbosity=2)
