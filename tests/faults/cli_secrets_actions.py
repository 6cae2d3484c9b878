# SPDX-License-Identifier: GPL-3.0-or-later
"""Where workloads are stopped: a credential of a platform appears only in the requests to it. Plan, stop, undo and log against a Kubernetes
API server, with each kind of login, with answers that repeat the credential, and with a crash; plans against an AWS endpoint whose answers
contain the keys."""
import glob
import http.server
import os
import secrets
import signal
import subprocess
import tempfile
import threading
import time
import unittest

import cli_secrets
import servers
from product import DEFECTS, ProductTest, Program

from kubefleet import MACHINES, Cluster, Pod, machine_series  # noqa: E402

POD, OTHER, MACHINE = "serve-a", "train-a", "i-0123456789abcdef0"
EXEC = "client.authentication.k8s.io/v1"


class LiveProgram(Program):
    """In real time: with a clock other than the computer's, no real platform is written to."""

    def command(self, *arguments, now=None):
        return [part for part in super().command(*arguments, now="") if part not in ("--now", "")]


class CommandLines:
    """The command lines of all processes while this is open."""

    def __init__(self):
        self.seen, self.over = set(), threading.Event()
        self.thread = threading.Thread(target=self.look, daemon=True)

    def look(self):
        while not self.over.wait(0.005):
            for name in glob.glob("/proc/[0-9]*/cmdline"):
                try:
                    with open(name, "rb") as file:
                        self.seen.add(file.read())
                except OSError:
                    pass

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join(10)


class Secrets(ProductTest):
    """Two idle workloads and an idle machine, and a search for the credential in everything that a run leaves behind."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not servers.available():
            raise unittest.SkipTest("prometheus is not installed")
        # Outside the searched folder, because the kubeconfig and the login program contain the credential.
        cls.outside = cls.enterClassContext(tempfile.TemporaryDirectory(prefix="gpuledgerkube"))
        cls.pods = [Pod(POD, ("apps/v1", "Deployment", "serve"), spec={"replicas": 1}),
                    Pod(OTHER, ("batch/v1", "Job", "train"), spec={"suspend": False})]
        cls.cluster = cls.enterClassContext(Cluster(cls.outside, cls.pods, machine_series(MACHINE, "ip-10-0-0-7", [(1, "")])))

    def setUp(self):
        super().setUp()
        self.canary = "CANARY-" + secrets.token_hex(16)

    def outside_file(self, name, text, mode):
        path = os.path.join(self.outside, name)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def home(self, name="home", configuration=None):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder)
        program = LiveProgram(folder, configuration or self.cluster.configuration())
        program.healthy("sync")
        return program

    def leaks(self, folder, *outputs):
        marks = cli_secrets.spellings(self.canary)
        found = [f"output {i}: {text[:2000]!r}" for i, text in enumerate(outputs) if any(m in text for m in marks)]
        for base, _, names in os.walk(folder):
            for name in names:
                with open(os.path.join(base, name), "rb") as file:
                    content = file.read()
                if any(m in content for m in marks):
                    found.append(name)
        return found

    def clean(self, program, done, lines=()):
        for mark in DEFECTS:
            self.assertFalse([d.text for d in done if mark in d.text])
        self.assertGreater(os.path.getsize(program.cache), 0)
        # The log file and the database exist, so the search covered both.
        self.assertTrue(glob.glob(os.path.join(program.folder, "**", "*.log"), recursive=True), "no log file")
        self.assertEqual(self.leaks(program.folder, *(part for d in done for part in (d.stdout, d.stderr)), *lines), [])


class Kubernetes(Secrets):
    def setUp(self):
        super().setUp()
        self.api = self.cluster.api
        self.api.steer("reset")
        self.cluster.put_all()
        self.api.flags(tokens=[self.canary], warning="")
        self.reference = self.outside_file("token", self.canary + "\n", 0o600)
        self.cluster.login("{token: %s}" % self.canary)

    def was_sent(self):
        """The methods of the requests to the API server that carried the credential."""
        sent = [r for r in self.api.requests() if r["auth"] == "Bearer " + self.canary]
        return {r["method"] for r in sent}

    def whole_path(self, program, name=POD):
        with CommandLines() as lines:
            done = [program.run("--verbose", "act", "plan", name), program.run("--verbose", "act", "stop", name, "--yes", "--count", "1", "--reason", "idle"),
                    program.run("act", "log", "--json"), program.run("--verbose", "act", "undo", "1", "--yes"), program.run("act", "log", "--csv"),
                    program.run("act", "log"), program.run("idle", "--csv"), program.run("idle", "--json"), program.run("verify", "--json"),
                    program.run("sources", "list", "--json")]
        return done, lines.seen

    def test_the_search_finds(self):
        with open(os.path.join(self.folder, "planted"), "wb") as file:
            file.write(b"Authorization: Bearer " + self.canary.encode())
        self.assertIn("planted", self.leaks(self.folder))
        with CommandLines() as lines:
            subprocess.run(["sh", "-c", "sleep 0.5; true", self.canary], check=True)
        self.assertTrue(self.leaks(os.path.join(self.folder, "nothing"), *lines.seen))

    def test_each_way_to_log_in(self):
        ways = {"token": "{token: %s}" % self.canary, "token-file": "{tokenFile: %s}" % self.reference}
        for name, user in ways.items():
            with self.subTest(name):
                self.api.steer("reset")
                self.cluster.put_all()
                self.api.flags(tokens=[self.canary])
                self.cluster.login(user)
                program = self.home(name)
                done, lines = self.whole_path(program)
                self.assertEqual([d.returncode for d in done], [0] * len(done), "\n".join(d.text for d in done))
                self.assertEqual(self.was_sent(), {"GET", "POST", "PATCH"})
                self.assertEqual(self.cluster.object("apps", "deployments", "serve")["spec"]["replicas"], 1)
                self.clean(program, done, lines)

    def test_login_program(self):
        """One that a kubeconfig names, after the user agreed to it."""
        plugin = self.outside_file("login", '#!/bin/sh\nread -r token < "%s"\nprintf \'{"apiVersion":"%s","kind":"ExecCredential",'
                                   '"status":{"token":"%%s"}}\' "$token"\n' % (self.reference, EXEC), 0o700)
        self.cluster.login("{exec: {apiVersion: %s, command: %s, interactiveMode: Never}}" % (EXEC, plugin))
        program = self.home()
        refused = program.run("act", "plan", POD)
        self.assertIn("no one agreed to it", refused.stdout.decode() + refused.text)
        self.assertEqual(self.was_sent(), set())
        agreed = program.run("sources", "test", "kube", "--agree-command")
        self.assertIn(plugin, agreed.text)
        done, lines = self.whole_path(program)
        self.assertEqual([d.returncode for d in done], [0] * len(done), "\n".join(d.text for d in done))
        self.assertEqual(self.was_sent(), {"GET", "POST", "PATCH"})
        self.clean(program, [refused, agreed, *done], lines)

    def test_answers_that_repeat_it(self):
        """The API server refuses with a message that contains the credential; the message is shown and stored without it."""
        told = "it was refused for %s today"
        faults = {"401": {"method": "GET", "path": "/pods/", "do": 401, "reason": "Unauthorized"},
                  "403 of a pod": {"method": "GET", "path": "/pods/", "do": 403, "reason": "Forbidden"},
                  "500 of a rehearsal": {"method": "PATCH", "path": "/deployments/", "do": 500},
                  "403 of a rehearsal": {"method": "PATCH", "path": "/deployments/", "do": 403, "reason": "Forbidden"},
                  "409 of a rehearsal": {"method": "PATCH", "path": "/deployments/", "do": 409, "reason": "Conflict"},
                  "422 of a rehearsal": {"method": "PATCH", "path": "/deployments/", "do": 422, "reason": "Invalid"}}
        for number, (name, fault) in enumerate(faults.items()):
            with self.subTest(name):
                self.api.flags(faults=[{**fault, "times": 1000, "message": told % self.canary}])
                program = self.home(f"echo{number}")
                with CommandLines() as lines:
                    done = [program.run("--verbose", "act", "plan", POD), program.run("--verbose", "act", "stop", POD, "--yes", "--count", "1"),
                            program.run("act", "log", "--json"), program.run("verify", "--json")]
                self.assertNotEqual(done[1].returncode, 0)
                self.assertIn(b"it was refused for", done[0].stdout + done[0].stderr, "the server's message is not shown")
                self.clean(program, done, lines.seen)
                self.api.flags(faults=[])

    def test_a_write_that_repeats_it(self):
        """The rehearsal passes; the call itself fails with the credential in its answer, which is written to the audit log."""
        for number, status in enumerate((403, 422, 500)):
            with self.subTest(status):
                self.api.flags(faults=[], warning=f"careful with {self.canary}")
                program = self.home(f"write{number}")
                running = subprocess.Popen(program.command("--verbose", "act", "stop", POD, "--yes", "--count", "1"), env=program.environment,
                                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                self.fail_after_the_rehearsal(status)
                told = running.communicate(timeout=120)
                self.assertNotEqual(running.returncode, 0)
                log = program.run("act", "log", "--json")
                if status != 500:  # after a 500 the outcome is unknown, and the platform is queried instead
                    self.assertIn(b"cannot do it for", log.stdout, "the server's message is not stored")
                shown = program.run("act", "log")
                self.clean(program, [log, shown], told)

    def fail_after_the_rehearsal(self, status):
        fault = {"method": "PATCH", "path": "/deployments/", "do": status, "times": 5, "message": f"cannot do it for {self.canary}"}
        end = time.monotonic() + 120
        while time.monotonic() < end:
            if any(r["method"] == "PATCH" and "dryRun" in r["path"] for r in self.api.requests()):
                return self.api.flags(faults=[fault])
            time.sleep(0.002)
        raise AssertionError("nothing was rehearsed")

    def test_no_image_after_a_crash(self):
        """While a stop waits for pods that do not end, the credential is in its memory."""
        crashes = os.path.join(self.folder, "crashes")
        os.mkdir(crashes)
        program = self.home()
        self.api.flags(keepPods=True)
        program.environment.update(ASAN_OPTIONS="disable_coredump=0:handle_abort=0")
        process = subprocess.Popen(program.command("--verbose", "act", "stop", POD, "--yes", "--count", "1"), env=program.environment, cwd=crashes,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=cli_secrets.Crash.allow_cores)
        end = time.monotonic() + 120
        while self.cluster.object("apps", "deployments", "serve")["spec"]["replicas"] and time.monotonic() < end:
            time.sleep(0.02)
        self.assertEqual(self.was_sent(), {"GET", "POST", "PATCH"})
        with open(f"/proc/{process.pid}/limits", encoding="ascii") as file:
            limit = next(line for line in file if line.startswith("Max core file size"))
        self.assertEqual(limit.split()[4:6], ["0", "0"], limit)
        process.send_signal(signal.SIGABRT)
        out, err = process.communicate(timeout=120)
        self.assertEqual(process.returncode, -signal.SIGABRT)
        self.assertEqual(os.listdir(crashes), [])
        self.assertEqual(self.leaks(self.folder, out, err), [])
        # The next command finds out how the interrupted stop ended, and does not reveal the credential either.
        # Deleted while the server still keeps pods: it may settle at any time, and would delete the pod itself.
        self.api.steer("delete", ["", "pods", "ml", POD])
        self.api.flags(keepPods=False)
        done = program.run("--verbose", "act", "log", "--json")
        self.assertIn(b'"state":"verified"', done.stdout, done.text)
        self.clean(program, [done])


class Telemetry(Secrets):
    def test_answers_that_repeat_it(self):
        """Telemetry is queried for the plan; its error is a reason that is shown and stored."""
        self.cluster.login("{}")
        self.cluster.api.flags(tokens=[], faults=[])
        for number, (status, body) in enumerate(((400, '{"status":"error","errorType":"bad_data","error":"it was refused for %s today"}'),
                                                 (500, '{"status":"error","errorType":"internal","error":"it was refused for %s today"}'))):
            with self.subTest(status), servers.Echo(status, body % self.canary) as echo:
                program = self.home(f"telemetry{number}")
                program.configure(self.cluster.configuration().replace(
                    f'url: "{self.cluster.prometheus}"', f'url: "{echo.url}", auth: {{ type: bearer, token: env:PROM_CANARY }}'))
                program.environment["PROM_CANARY"] = self.canary
                done = [program.run("--verbose", "act", "plan", POD), program.run("act", "plan", POD, "--json"),
                        program.run("--verbose", "act", "stop", POD, "--yes", "--count", "1"), program.run("act", "log", "--json"),
                        program.run("verify", "--json")]
                self.assertGreater(echo.asked, 0)
                self.assertIn(b"it was refused for", done[0].stdout, "the server's message is not shown")
                self.clean(program, done)


class Endpoint:
    """An endpoint of a cloud: records its requests, and answers all of them with one status and one body."""

    def __init__(self, status, body):
        endpoint = self
        endpoint.seen = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_POST(self):
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                endpoint.seen.append(dict(self.headers))
                self.send_response(status)
                self.send_header("Content-Type", "text/xml")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            do_GET = do_POST

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Aws(Secrets):
    """The secret key is never sent; the session token is. Both are searched for."""

    ERROR = "<Response><Errors><Error><Code>%s</Code><Message>it was refused for %s today</Message></Error></Errors></Response>"

    def configuration(self, endpoint):
        kube = next(line for line in self.cluster.configuration().splitlines() if "kind: kubernetes" in line)
        aws = ("  - { name: cloud, kind: aws, cluster: prod, url: \"%s\", rights: [read, stop],"
               " auth: { type: sigv4, profile: %%s, region: us-east-1 } }" % endpoint.url)
        return self.cluster.configuration(MACHINES).replace(kube, aws)

    def test_answers_that_repeat_it(self):
        keys = ("aws_access_key_id = AKIDPLANTED\naws_secret_access_key = %s\naws_session_token = %s\n" % (self.canary, self.canary))
        file = self.outside_file("credentials", "[planted]\n" + keys, 0o600)
        answers = ((403, "UnauthorizedOperation"), (400, "InvalidParameterValue"), (401, "AuthFailure"), (503, "Unavailable"))
        for number, (status, code) in enumerate(answers):
            with self.subTest(status), Endpoint(status, self.ERROR % (code, self.canary)) as endpoint:
                program = self.home(f"aws{number}", self.configuration(endpoint) % "planted")
                program.environment.update(AWS_SHARED_CREDENTIALS_FILE=file, AWS_EC2_METADATA_DISABLED="true")
                with CommandLines() as lines:
                    done = [program.run("--verbose", "act", "plan", MACHINE), program.run("act", "plan", MACHINE, "--json"),
                            program.run("--verbose", "act", "stop", MACHINE, "--yes", "--count", "1"), program.run("act", "log", "--json"),
                            program.run("sources", "list", "--json"), program.run("verify", "--json")]
                self.assertTrue(endpoint.seen)
                self.assertEqual({h.get("X-Amz-Security-Token") or h.get("x-amz-security-token") for h in endpoint.seen}, {self.canary})
                self.assertNotEqual(done[2].returncode, 0)
                if status in (403, 400):
                    self.assertIn(b"it was refused for", done[0].stdout, "the service's message is not shown")
                self.clean(program, done, lines.seen)


if __name__ == "__main__":
    unittest.main(verbosity=2)
