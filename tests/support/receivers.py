# SPDX-License-Identifier: GPL-3.0-or-later
"""Receivers of alerts on loopback: a server for messages over http, and a real Alertmanager."""
import contextlib
import http.server
import json
import os
import shutil
import subprocess
import threading
import time
import unittest
import urllib.request

from promserver import free_port

SECRET = "c4nary-signing-value-31415926"
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Receiver(http.server.ThreadingHTTPServer):
    """Answers by the first part of the path, and keeps what it got, as (path, headers, body)."""
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.got = []
        self.ended = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, path):
        return f"http://127.0.0.1:{self.server_address[1]}/{path}"

    def bodies(self, path):
        """The JSON of what came to this path, in the order in which it came."""
        return [json.loads(body) for at, _, body in list(self.got) if at.strip("/") == path]

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
                                "echo": (400, f"unwanted {self.path} {SECRET}".encode(), {}),
                                "forbidden": (403, json.dumps({"message": f"rejected {self.headers}"}).encode(), {})}.get(kind, (200, b"ok", {}))
        self.send_response(status)
        for name, value in {"Content-Length": str(len(answer)), **more}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


class Alertmanager:
    def __init__(self, url):
        self.url = url

    def alerts(self):
        """Those that fire."""
        with DIRECT.open(self.url + "/api/v2/alerts", timeout=30) as answer:
            return json.load(answer)


@contextlib.contextmanager
def alertmanager(folder, hook=None):
    """`hook`: the address that gets its groups of alerts, at once. ALERTMANAGER in the environment names the program; without one the test is
    skipped."""
    program = shutil.which(os.environ.get("ALERTMANAGER") or "prometheus-alertmanager")
    if not program:
        raise unittest.SkipTest("prometheus-alertmanager is not installed")
    settings = os.path.join(folder, "alertmanager.yml")
    receiver = {"name": "people", **({"webhook_configs": [{"url": hook}]} if hook else {})}
    route = {"receiver": "people", "group_by": ["alertname"], "group_wait": "1s", "group_interval": "1s"}
    with open(settings, "w", encoding="utf-8") as file:
        json.dump({"route": route, "receivers": [receiver]}, file)
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
            yield Alertmanager(url)
        finally:
            process.terminate()
            process.wait()
