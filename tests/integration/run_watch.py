#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`watch` as a service: its own metrics, read by a real Prometheus, checked by promtool and asked for by hostile clients; and receivers that
never answer, which must not hold up its syncs. Without prometheus and promtool the tests that need them are skipped."""
import json
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

import promserver  # noqa: E402
from product import NOW, ProductTest, Program  # noqa: E402
from receivers import DIRECT, SECRET, Receiver  # noqa: E402

PATIENCE = 300  # seconds until something must have happened
SYNCED = '  - { name: demo, kind: demo, gpus: 8, days: 1, first_sync: 6h, every: 30s }\n'
HOSTILE = 20  # clients that say nothing; the server has room for fewer


def configuration(targets):
    listed = ", ".join(f"{{ name: {name}, kind: webhook, url: env:HOOK_URL, secret: env:HOOK_SECRET }}" for name in targets)
    return ("version: 1\ncurrency: USD\ntime_zone: UTC\nsources:\n" + SYNCED + f"targets: [ {listed} ]\nalerts:\n"
            f"  - {{ name: idle, when: {{ metric: idle-cost, per: all, above: 0.01 USD/day }}, send: [{', '.join(targets)}], severity: critical }}\n"
            "  - { name: never, when: { metric: idle-cost, per: all, above: 1000000 USD/day } }\n")


class Scraper(promserver.Server):
    """A Prometheus that scrapes one port."""

    def __init__(self, folder, port):
        super().__init__(folder, lookback=60)
        self.scraped = port

    def _command(self, port):
        command = super()._command(port)
        with open(os.path.join(self.folder, "prometheus.yml"), "w", encoding="utf-8") as file:
            json.dump({"global": {"scrape_interval": "1s"},
                       "scrape_configs": [{"job_name": "watch", "static_configs": [{"targets": [f"127.0.0.1:{self.scraped}"]}]}]}, file)
        return command

    def values(self, query):
        with DIRECT.open(f"{self.url}/api/v1/query?" + urllib.parse.urlencode({"query": query}), timeout=30) as answer:
            return {tuple(sorted((k, v) for k, v in one["metric"].items() if k not in ("__name__", "instance", "job"))): float(one["value"][1])
                    for one in json.load(answer)["data"]["result"]}


class Running:
    """A watch, and its lines as they come."""

    def __init__(self, program, *options):
        self.process = program.start("watch", *options, now=NOW)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)

    def next(self, event, seen=None):
        """The next line of this event; what came before it is added to `seen`."""
        while True:
            line = self.lines.get(timeout=PATIENCE)
            if line is None:
                raise AssertionError("watch ended: " + self.process.stderr.read())
            if line["event"] == event:
                return line
            if seen is not None:
                seen.append(line)

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()
        self.process.stderr.close()
        return self.process.returncode


class WatchTest(ProductTest):
    def setUp(self):
        super().setUp()
        self.receiver = Receiver()
        self.addCleanup(self.receiver.close)

    def program(self, path, targets=("hook",)):
        program = Program(self.folder, configuration(targets))
        program.environment.update(HOOK_URL=self.receiver.url(path), HOOK_SECRET=SECRET)
        return program

    def watching(self, program, *options):
        running = Running(program, *options)
        self.addCleanup(lambda: running.process.poll() is None and running.end())
        return running

    def serving(self):
        running = self.watching(self.program("hook"), "--metrics", "0")
        told = running.next("metrics")
        self.assertEqual(told["address"], "127.0.0.1")
        return running, told["port"]

    def scraped(self, port):
        with DIRECT.open(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
            self.assertEqual(answer.headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
            return answer.read().decode()

    def asked(self, port, request, close=False):
        """The whole answer to raw bytes."""
        answer = b""
        with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
            try:
                client.sendall(request)
                if close:
                    client.shutdown(socket.SHUT_WR)
                while more := client.recv(65536):
                    answer += more
            except (ConnectionResetError, BrokenPipeError):
                pass
            return answer

    def until(self, found, what):
        end = time.monotonic() + PATIENCE
        while not (value := found()):
            if time.monotonic() > end:
                raise AssertionError("not in time: " + what)
            time.sleep(0.2)
        return value

    @unittest.skipUnless(promserver.available("prometheus"), "prometheus and promtool are not installed")
    def test_a_prometheus_reads_its_metrics(self):
        running, port = self.serving()
        running.next("delivery")
        server = Scraper(os.path.join(self.folder, "server"), port)
        server.start()
        self.addCleanup(server.stop)
        self.until(lambda: server.values("up") == {(): 1.0}, "it is scraped")
        self.until(lambda: server.values("gpuledger_alert_messages_sent_total") == {(("target", "hook"),): 1.0}, "the message is counted")
        self.assertEqual(server.values("gpuledger_alerts_firing"),
                         {(("rule", "idle"), ("severity", "critical")): 1.0, (("rule", "never"), ("severity", "warning")): 0.0})
        self.assertEqual(server.values("gpuledger_alerts_leader"), {(): 1.0})
        demo = (("kind", "demo"), ("source", "demo"))
        self.until(lambda: server.values("gpuledger_syncs_total").get((("kind", "demo"), ("result", "ok"), ("source", "demo")), 0) >= 2, "a second sync")
        self.assertEqual(server.values("gpuledger_source_last_success_timestamp_seconds"), {demo: 1743379200.0})
        self.assertGreater(server.values("gpuledger_sync_duration_seconds_sum")[demo], 0)
        self.assertGreater(server.values("process_resident_memory_bytes")[()], 1e6)
        text = self.scraped(port)
        checked = subprocess.run([promserver.binary("PROMTOOL"), "check", "metrics"], input=text, capture_output=True, text=True, check=False)
        self.assertEqual((checked.returncode, checked.stdout + checked.stderr), (0, ""))
        for secret in (SECRET, self.receiver.url("hook"), self.folder):
            self.assertNotIn(secret, text)
        self.assertEqual(running.end(), 0)

    def test_hostile_clients(self):
        running, port = self.serving()
        get = f"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
        silent = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(HOSTILE)]
        try:
            silent[-1].sendall(get[:10])
            self.assertIn("gpuledger_build_info", self.scraped(port))
        finally:
            for one in silent:
                one.close()
        self.assertEqual(self.asked(port, get * 5).count(b"HTTP/1.1 200 OK"), 1)
        self.assertEqual(self.asked(port, get, close=True).count(b"HTTP/1.1 200 OK"), 1)
        for request, status in ((get.replace(b"GET", b"POST") + b"x" * 20000, b"405"), (get.replace(b"/metrics", b"/../etc/passwd"), b"404"),
                                (get.replace(b"127.0.0.1", b"evil.example"), b"421"), (b"\x16\x03\x01\x00\xff\r\n\r\n", b"400"),
                                (b"GET /metrics HTTP/1.1\r\nX: " + b"y" * 9000, b"431")):
            self.assertEqual(self.asked(port, request).split(b" ")[1:2], [status], request[:60])
        self.assertIn(self.asked(port, b"GET /" + b"y" * 1_000_000)[:12], (b"", b"HTTP/1.1 431"))
        begin = time.monotonic()
        self.assertEqual(self.asked(port, get[:-4]), b"")  # it is sent away
        self.assertLess(time.monotonic() - begin, 55)
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", port), timeout=60)
        self.assertIn("gpuledger_build_info", self.scraped(port))
        running.next("sync")
        self.assertEqual(running.end(), 0)

    def test_a_port_in_use(self):
        _, port = self.serving()
        done = self.program("hook").run("watch", "--metrics", str(port), now=NOW)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(str(port), done.text)

    def test_receivers_that_never_answer(self):
        targets = ("one", "two", "three")
        running = self.watching(self.program("silent", targets))
        running.next("sync")
        seen = []
        running.next("sync", seen)
        # Each is waited for for 20 seconds, one after another; the next sync is due after 30.
        self.assertLess(sum(line["event"] == "delivery" for line in seen), len(targets))
        running.next("delivery")
        self.assertEqual(running.end(), 0)


if __name__ == "__main__":
    unittest.main()
