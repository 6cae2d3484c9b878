# SPDX-License-Identifier: GPL-3.0-or-later
"""Clocks that are wrong for one sync, and a Thanos that loses a store, with the command line and real servers.

GPULEDGER_THANOS names the program of Thanos (see tests/README.md); without it that part is skipped.
"""
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "faults"), str(HERE.parents[1] / "support")]

import fleets  # noqa: E402
import promserver  # noqa: E402
import servers  # noqa: E402
import thanos  # noqa: E402
from product import Program, ProductTest, edited  # noqa: E402


def at(hour, minute=0, days=0):
    """A time of the fleet's day."""
    moment = datetime.datetime(2025, 3, 30, hour, minute) + datetime.timedelta(days=days)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def until(series, hour):
    """The series that a server has at that hour, without later samples."""
    samples = (hour - 12) * 60

    def cut(value):
        return lambda i: (value(i) if callable(value) else value) if i < samples else None
    return [(metric, labels, cut(value)) for metric, labels, value in series]


class OverServers(ProductTest):
    def serve(self, series, backend="prometheus"):
        server = promserver.Server(tempfile.mkdtemp(dir=self.folder), backend, [fleets.text(series)], fleets.STEP)
        url = server.start()
        self.addCleanup(server.stop)
        return url

    def over(self, program, url):
        program.configure(f"version: 1\ntime_zone: UTC\nsources:\n  - {{ name: prod, kind: prometheus, url: \"{url}\", cluster: fixture, "
                          "first_sync: 10d }\n")
        return program

    def undisturbed(self, url):
        program = self.over(Program(tempfile.mkdtemp(dir=self.folder)), url)
        program.healthy("sync", now=at(15))
        return program.figures(now=at(15))

    def sources(self, program, now):
        return json.loads(program.healthy("sources", "list", "--json", now=now).stdout)["sources"][0]


class Answers(OverServers):
    def clocks(self, backend):
        """A clock that is ahead once, by hours and by days: later data are fetched nevertheless."""
        fleet = fleets.dcgm() + fleets.kube()
        now, later = self.serve(until(fleet, 13), backend), self.serve(fleet, backend)
        expected = self.undisturbed(later)
        for wrong in (at(14), at(18), at(13, days=5)):
            with self.subTest(wrong):
                program = self.over(Program(tempfile.mkdtemp(dir=self.folder)), now)
                program.healthy("sync", now=wrong)
                self.assertEqual(self.sources(program, wrong)["to"], at(13), "the future was marked as fetched")
                self.over(program, later)
                program.healthy("sync", now=at(15))
                program.verify(now=at(15))
                self.assertEqual(program.figures(now=at(15)), expected)
                done = program.run("sync", "--json", now=at(15, days=-3))
                self.assertEqual(done.returncode, 0, done.text)
                self.assertIn("the clock says 2025-03-27T15:00:00Z", done.text)
                self.assertEqual(program.figures(now=at(15)), expected)

    @unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
    def test_clock_with_prometheus(self):
        self.clocks("prometheus")

    @unittest.skipUnless(promserver.available("victoriametrics"), "victoria-metrics is not installed")
    def test_clock_with_victoriametrics(self):
        self.clocks("victoriametrics")

    @unittest.skipUnless(promserver.available("prometheus"), "prometheus is not installed")
    def test_marks_of_earlier_versions_are_mended(self):
        fleet = fleets.dcgm() + fleets.kube()
        url = self.serve(fleet)
        expected = self.undisturbed(url)
        program = self.over(Program(tempfile.mkdtemp(dir=self.folder)), self.serve(until(fleet, 13)))
        program.healthy("sync", now=at(13))
        with edited(program.cache) as cache:
            cache.execute("UPDATE sync_range SET range_end = range_end + 7 * 86400")
            cache.execute("UPDATE sync_state SET hull_end = hull_end + 7 * 86400")
        self.over(program, url)
        program.healthy("sync", now=at(15))
        program.verify(now=at(15))
        self.assertEqual(program.figures(now=at(15)), expected)
        self.assertEqual(self.sources(program, at(15))["to"], at(15))

    @unittest.skipUnless(promserver.available("victoriametrics"), "victoria-metrics is not installed")
    def test_victoriametrics_is_asked_to_deny_partial_responses(self):
        with servers.Faulty("--upstream", self.serve(fleets.dcgm() + fleets.kube(), "victoriametrics")) as proxy:
            program = self.over(Program(tempfile.mkdtemp(dir=self.folder)), proxy.url)
            program.healthy("sync", now=at(15))
            names = [request["path"] for request in proxy.stats()["seen"] if "/label/" in request["path"]]
            self.assertTrue(names)
            for path in names:
                self.assertIn("deny_partial_response=1", path)


@unittest.skipUnless(thanos.PROGRAM and promserver.available("prometheus"), "GPULEDGER_THANOS names no program")
class Thanos(OverServers):
    """Two stores with one node each behind one querier, and one of the stores fails."""

    def store(self, name, series):
        bucket = os.path.join(self.folder, name)
        blocks = os.path.join(bucket, "tsdb")
        os.makedirs(blocks)
        promserver.make_blocks([fleets.text(series)], blocks)
        objects = os.path.join(bucket, "bucket.yml")
        with open(objects, "w", encoding="utf-8") as file:
            file.write(f"type: FILESYSTEM\nconfig: {{ directory: {bucket}/objects }}\n")
        subprocess.run([thanos.PROGRAM, "tools", "bucket", "upload-blocks", f"--path={blocks}", f"--objstore.config-file={objects}",
                        f'--label=part="{name}"'], check=True, capture_output=True)
        return self.start_store(name)

    def start_store(self, name):
        bucket = os.path.join(self.folder, name)
        peer = thanos.Peer(os.path.join(bucket, "log"), "store", f"--data-dir={bucket}/cache", f"--objstore.config-file={bucket}/bucket.yml")
        self.addCleanup(peer.end)
        return peer

    def querier(self, *stores, extra=()):
        peer = thanos.Peer(os.path.join(self.folder, "query.log"), "query", *extra, *[f"--endpoint=127.0.0.1:{store.grpc}" for store in stores])
        self.addCleanup(peer.end)
        self.wait_for(peer, len(stores))
        return peer

    def stores(self, peer):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(f"{peer.url}/api/v1/stores", timeout=5) as reply:
                return json.loads(reply.read())["data"].get("store", [])
        except OSError:
            return []

    def answering(self, peer, query):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            question = f"{peer.url}/api/v1/query?time={fleets.BEGIN + 3600}&query={query}&partial_response=false"
            with opener.open(question, timeout=5) as reply:
                return len(json.loads(reply.read())["data"]["result"])
        except OSError:
            return -1

    def wait_for(self, peer, devices_of):
        limit = time.monotonic() + 60
        while time.monotonic() < limit:
            if self.answering(peer, "DCGM_FI_DEV_GPU_UTIL") == 2 * devices_of:
                return
            time.sleep(0.2)
        self.fail(f"Thanos does not show {devices_of} stores: {self.stores(peer)}")

    def test_a_store_that_is_lost(self):
        """At first the querier refuses; then it answers with half of the data, with status 200 and no warning, and lists the lost store;
        then it no longer lists it."""
        fleet = fleets.dcgm() + fleets.kube()
        halves = [[row for row in fleet if ("node-b" in json.dumps(row[1]) or "notebook" in json.dumps(row[1])) == half] for half in (False, True)]
        first, second = self.store("first", halves[0]), self.store("second", halves[1])
        # Checks them every 5 s.
        lists, forgets = self.querier(first, second), self.querier(first, second, extra=("--store.unhealthy-timeout=12s",))
        expected = self.undisturbed(lists.url)
        programs = {peer: self.over(Program(tempfile.mkdtemp(dir=self.folder)), peer.url) for peer in (lists, forgets)}
        for program in programs.values():
            program.healthy("sync", now=at(14))
        seen = ("summary", "--by", "team", "--json", "--from", at(12), "--to", at(14))
        before = programs[lists].healthy(*seen, now=at(15)).stdout
        second.end()
        self.wait_for(lists, 1)
        self.wait_for(forgets, 1)
        limit = time.monotonic() + 60
        while (len(self.stores(lists)), len(self.stores(forgets))) != (2, 1):
            self.assertLess(time.monotonic(), limit, (self.stores(lists), self.stores(forgets)))
            time.sleep(0.2)
        for peer, program in programs.items():
            done = program.run("sync", "--json", now=at(15))
            self.assertEqual(done.returncode, 1, done.text)
            told = json.loads(done.stdout)["sources"][0]
            self.assertEqual(told["partial"], peer is lists, told)
            if peer is forgets:
                self.assertEqual(told["gone"]["devices"], 2, told)
            self.assertEqual(program.healthy(*seen, now=at(15)).stdout, before)
            self.assertEqual(self.sources(program, at(15))["to"], at(14))
            program.verify(now=at(15))
        whole = self.querier(first, self.start_store("second"))
        for program in programs.values():
            self.over(program, whole.url)
            program.healthy("sync", now=at(15))
            self.assertEqual(program.figures(now=at(15)), expected)


if __name__ == "__main__":
    unittest.main()
