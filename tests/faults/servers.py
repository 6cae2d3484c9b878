# SPDX-License-Identifier: GPL-3.0-or-later
"""A small real Prometheus with faulty.py in front of it, for tests of the command line."""
import functools
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import urllib.request

from product import HERE

import promserver  # noqa: E402  (on the path since product.py)

BEGIN = 1743336000  # 2025-03-30T12:00:00Z
HOURS = 3
NOW = "2025-03-30T15:00:00Z"
STEP = 60
# Held and free, busy and idle, with a gap: no figure is trivial.
GPUS = {"GPU-11111111-aaaa-bbbb-cccc-000000000001": ("node-1", "0", "vision", "train-7", 90.0),
        "GPU-11111111-aaaa-bbbb-cccc-000000000002": ("node-1", "1", "speech", "notebook-0", 0.0),
        "GPU-11111111-aaaa-bbbb-cccc-000000000003": ("node-2", "0", "", "", 0.0)}


def samples():
    """OpenMetrics of a dcgm-exporter with its pod labels."""
    metrics = {"DCGM_FI_DEV_GPU_UTIL": lambda busy, i: busy - i % 7 if busy else 0, "DCGM_FI_DEV_FB_USED": lambda busy, i: 4000 + busy * 10,
               "DCGM_FI_DEV_POWER_USAGE": lambda busy, i: 70 + busy * 3}
    lines = []
    for metric, value in metrics.items():
        lines.append(f"# TYPE {metric} gauge")
        for uuid, (node, index, namespace, pod, busy) in GPUS.items():
            labels = (f'UUID="{uuid}",gpu="{index}",device="nvidia{index}",modelName="NVIDIA A100-SXM4-80GB",Hostname="{node}",'
                      f'instance="{node}:9400",job="dcgm"')
            if pod:
                labels += f',namespace="{namespace}",pod="{pod}",container="main"'
            for i in range(HOURS * 3600 // STEP):
                if 60 <= i < 75 and index == "1":
                    continue
                lines.append(f"{metric}{{{labels}}} {value(busy, i)} {BEGIN + i * STEP}")
    yield "\n".join(lines) + "\n# EOF\n"


class Prometheus:
    """The real server, once per test process."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="gpuledgerprom")
        self.server = promserver.Server(self.folder.name, "prometheus", samples(), STEP)
        self.url = self.server.start()
        return self

    def __exit__(self, *_):
        self.server.stop()
        self.folder.cleanup()


class Faulty:
    """faulty.py as a context manager, which ends it."""

    def __init__(self, *arguments):
        self.arguments = [a for a in arguments if a]

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, os.path.join(str(HERE), "faulty.py"), "--with-stdin", *self.arguments],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().split()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(20)

    def _ask(self, path, data=None):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(urllib.request.Request(self.url + path, data=data), timeout=20) as reply:
            return reply.read()

    def faults(self, *lines):
        self._ask("/faulty/reset", b"")
        self._ask("/faulty/faults", "\n".join(lines).encode())

    def stats(self):
        return json.loads(self._ask("/faulty/stats"))


class Echo:
    """A server that answers every request with one status and one body."""

    def __init__(self, status, body):
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                server.asked += 1
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                self.send_response(status)
                self.send_header("Content-Type", "application/json" if body.startswith("{") else "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            do_POST = do_GET

        self.asked = 0
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def source(url, auth="", tls="", name="prod", timeout=""):
    text = f"  - name: {name}\n    kind: prometheus\n    url: {url}\n    cluster: fixture\n    first_sync: {HOURS}h\n"
    for key, value in (("auth", auth), ("tls", tls), ("timeout", timeout)):
        text += f"    {key}: {value}\n" if value else ""
    return text


@functools.lru_cache(maxsize=1)
def available():
    return promserver.available("prometheus")
