#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`alerts test` sends to targets over http: a webhook whose signature is computed again here, one that redirects, is busy, never answers or
sends the secret back, Slack's, and a real Alertmanager. ALERTMANAGER in the environment names its program; without one that test is skipped.
"""
import contextlib
import datetime
import hashlib
import hmac
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
import time
import unittest
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

from product import ProductTest, Program, configuration  # noqa: E402
from promserver import free_port  # noqa: E402

SECRET = "c4nary-signing-value-31415926"
TOKEN = "c4naryAddressToken27182818"
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Receiver(http.server.ThreadingHTTPServer):
    """Answers by the first part of the path, and keeps what it got."""
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.got = []
        self.ended = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, path):
        return f"http://127.0.0.1:{self.server_address[1]}/{path}"

    def close(self):
        self.ended.set()
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.got.append((self.path, dict(self.headers), body))
        kind = self.path.strip("/").split("/")[0]
        if kind == "silent":
            self.server.ended.wait()
            return
        status, answer, more = {"redirect": (302, b"", {"Location": "/other"}), "busy": (429, b"slow down", {"Retry-After": "30"}),
                                "echo": (400, f"unwanted {self.path} {SECRET}".encode(), {})}.get(kind, (200, b"ok", {}))
        self.send_response(status)
        for name, value in {"Content-Length": str(len(answer)), **more}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def alertmanager(folder):
    program = shutil.which(os.environ.get("ALERTMANAGER") or "prometheus-alertmanager")
    if not program:
        raise unittest.SkipTest("prometheus-alertmanager is not installed")
    settings = os.path.join(folder, "alertmanager.yml")
    with open(settings, "w", encoding="utf-8") as file:
        file.write("route: { receiver: nobody }\nreceivers: [ { name: nobody } ]\n")
    url = f"http://127.0.0.1:{free_port()}"
    with open(os.path.join(folder, "alertmanager.log"), "wb") as log, subprocess.Popen(
            [program, f"--config.file={settings}", f"--storage.path={folder}/alertmanager", "--cluster.listen-address=",
             f"--web.listen-address={url[len('http://'):]}"], stdout=log, stderr=log) as process:
        try:
            while True:
                try:
                    DIRECT.open(url + "/-/ready", timeout=5).close()
                    break
                except OSError:
                    if process.poll() is not None:
                        raise AssertionError("the Alertmanager ended") from None
                    time.sleep(0.1)
            yield url
        finally:
            process.terminate()
            process.wait()


class NotifyTest(ProductTest):
    def setUp(self):
        super().setUp()
        self.server = Receiver()
        self.addCleanup(self.server.close)

    def tested(self, target, **environment):
        """The end of `alerts test` for a target."""
        program = Program(self.folder, configuration("  - { name: demo, kind: demo, gpus: 8, days: 1 }\n") + f"targets: [ {target} ]\n")
        done = program.run("alerts", "test", "t", **environment)
        for canary in (SECRET, TOKEN):
            self.assertNotIn(canary, done.stdout.decode() + done.text)
        return done

    def hook(self, path, **environment):
        return self.tested("{ name: t, kind: webhook, url: env:HOOK_URL, secret: env:HOOK_SECRET }",
                                 HOOK_URL=self.server.url(path), HOOK_SECRET=SECRET, **environment)

    def test_the_signature_is_that_of_the_bytes_sent(self):
        done = self.hook("hook/" + TOKEN)
        self.assertEqual(done.returncode, 0, done.text)
        (path, headers, body), = self.server.got
        self.assertEqual(path, "/hook/" + TOKEN)
        stamp = headers["X-GpuLedger-Timestamp"]
        self.assertLess(abs(time.time() - int(stamp)), 300)  # the real time, not that of --now
        want = hmac.new(SECRET.encode(), b"v1:" + stamp.encode() + b":" + body, hashlib.sha256).hexdigest()
        self.assertEqual(headers["X-GpuLedger-Signature"], "v1=" + want)
        message = json.loads(body)
        self.assertEqual((message["version"], message["state"], message["id"]), ("1", "test", headers["X-GpuLedger-Id"]))

    def test_a_redirect_is_not_followed(self):
        done = self.hook("redirect/" + TOKEN)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("does not follow redirects", done.stdout.decode() + done.text)
        self.assertEqual([path for path, _, _ in self.server.got], ["/redirect/" + TOKEN])

    def test_what_sends_the_secret_back(self):
        done = self.hook("echo/" + TOKEN)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("unwanted", done.stdout.decode() + done.text)

    def test_what_is_busy_or_never_answers(self):
        done = self.hook("busy/" + TOKEN)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("slow down", done.stdout.decode() + done.text)
        begun = time.monotonic()
        done = self.hook("silent/" + TOKEN)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("did not answer in time", done.stdout.decode() + done.text)
        self.assertGreater(time.monotonic() - begun, 15)

    def test_slack(self):
        done = self.tested("{ name: t, kind: slack, url: env:SLACK_URL }", SLACK_URL=self.server.url("slack/" + TOKEN))
        self.assertEqual(done.returncode, 0, done.text)
        message = json.loads(self.server.got[0][2])
        self.assertTrue(message["text"].startswith("Test: "))
        self.assertEqual(message["blocks"][0]["type"], "header")

    def test_pagerduty_opens_and_closes(self):
        done = self.tested(f"{{ name: t, kind: pagerduty, key: env:PAGER_KEY, url: \"{self.server.url('')}\" }}", PAGER_KEY=TOKEN)
        self.assertEqual(done.returncode, 0, done.text)
        events = [json.loads(body) for path, _, body in self.server.got if path == "/v2/enqueue"]
        self.assertEqual([event["event_action"] for event in events], ["trigger", "resolve"])
        self.assertEqual(len({event["dedup_key"] for event in events}), 1)
        self.assertEqual({event["routing_key"] for event in events}, {TOKEN})

    def test_alertmanager(self):
        with alertmanager(self.folder) as url:
            def alerts():
                with DIRECT.open(url + "/api/v2/alerts", timeout=30) as answer:
                    return json.load(answer)
            done = self.tested(f"{{ name: t, kind: alertmanager, url: \"{url}/\" }}")
            self.assertEqual(done.returncode, 0, done.text)
            alert, = alerts()
            self.assertEqual(alert["labels"]["test"], "true")
            self.assertTrue(alert["labels"]["alertname"])
            self.assertLessEqual(set(alert["labels"]), {"alertname", "severity", "rule", "scope", "per", "test"})
            ends = datetime.datetime.fromisoformat(alert["endsAt"].replace("Z", "+00:00").split(".")[0].split("+")[0] + "+00:00")
            self.assertLess(ends.timestamp() - time.time(), 61)
            while alerts():  # it ends by itself; the time limit is that of the suite
                self.assertLess(time.time(), ends.timestamp() + 600)
                time.sleep(1)


if __name__ == "__main__":
    unittest.main()
