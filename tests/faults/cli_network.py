# SPDX-License-Identifier: GPL-3.0-or-later
"""A server fails: the sync ends in time with an error message, the other sources are synced, and the data stay."""
import json
import os
import resource
import subprocess
import tempfile
import time
import unittest

import servers
from product import DEMO, HERE, Program, ProductTest, configuration

LIMIT = 60  # seconds that any fault may take
MEMORY = 1 << 20  # KiB, of a process under a sanitizer; the limit on one answer is far below
# Fault for every request from the nth on -> codes that the error may have.
FAULTS = {
    "reset": {"network"}, "drop": {"network"}, "short": {"network"}, "halfjson": {"parse"}, "gzcut": {"parse", "network"},
    "login": {"unauthorized"}, "empty": {"parse"}, "types": {"parse"}, "deep": {"parse"}, "nulldata": {"parse"}, "noresult": {"parse"},
    "401": {"unauthorized"}, "403": {"forbidden"},
    "404": {"server", "not-found", "invalid-config", "unsupported"}, "429?7000": {"rate-limited"}, "storm": {"server"}, "503": {"server"},
    "407": {"server", "unauthorized"}, "endless": {"too-much"}, "big": {"too-much"}, "gzbomb": {"too-much", "parse"}, "headers": {"too-much"},
    "loop": {"server", "invalid-config"}, "file": {"invalid-config"}, "redirect": {"invalid-config"}, "410": {"server", "not-found"},
}
EARLIER = "2025-03-30T14:00:00Z"  # the time of the first sync, while the server has everything
QUICK = "3s"  # a source's timeout; the default would take a minute per fault


@unittest.skipUnless(servers.available(), "prometheus is not installed")
class Network(ProductTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prometheus = cls.enterClassContext(servers.Prometheus())
        cls.faulty = cls.enterClassContext(servers.Faulty("--upstream", cls.prometheus.url))
        with tempfile.TemporaryDirectory(prefix="gpuledgerfault") as folder:
            quiet = Program(folder, configuration(servers.source(cls.prometheus.url), DEMO))
            quiet.healthy("sync", now=servers.NOW)
            cls.expected = quiet.figures(now=servers.NOW)

    def sync(self, program, limit=LIMIT):
        begin = time.monotonic()
        done = program.run("sync", "--json", now=servers.NOW, timeout=limit + 60)
        self.assertLess(time.monotonic() - begin, limit, "the sync took too long")
        return done

    def failed(self, program, codes):
        """The source's error is one of `codes` and is shown, and the demo source was synced nevertheless."""
        done = self.sync(program)
        self.assertEqual(done.returncode, 4, done.text)
        self.assertSentence(done, "prod")
        reports = self.assertReports(done, demo=None)
        self.assertIsNotNone(reports["prod"]["error"], done.text)
        self.assertIn(reports["prod"]["error"]["code"], codes, done.text)
        self.assertTrue(reports["prod"]["error"]["hint"], done.text)
        self.assertGreater(reports["demo"]["accepted"], 0)
        program.verify(now=servers.NOW)
        return done

    def heals(self, program, url=None):
        program.configure(configuration(servers.source(url or self.faulty.url), DEMO))
        self.faulty.faults()
        done = self.sync(program)
        self.assertEqual(done.returncode, 0, done.text)
        program.verify(now=servers.NOW)
        self.assertEqual(program.figures(now=servers.NOW), self.expected, "the figures differ from those of an undisturbed run")

    def meets(self, name, position):
        program = self.program(servers.source(self.faulty.url), DEMO, name=f"at{position}-{name.partition('?')[0]}")
        fault, _, argument = name.partition("?")
        path = ".*" if position == 1 else "query_range"
        self.faulty.faults(f"{path}@{position}+={fault}" + (f"?{argument}" if argument else ""))
        self.failed(program, FAULTS[name])
        self.assertTrue(self.faulty.stats()["injected"], "the fault never happened")
        requests = sum(self.faulty.stats()["hits"].values())
        self.assertLessEqual(requests, 60, "a failing server gets too many requests")
        self.heals(program)

    def test_from_the_first_answer_on(self):
        for name in FAULTS:
            with self.subTest(name):
                self.meets(name, 1)

    def test_in_the_middle_of_the_data(self):
        for name in ("reset", "halfjson", "nulldata", "noresult", "401", "429?7000", "types", "endless"):
            with self.subTest(name):
                self.meets(name, 3)

    def test_one_bad_answer_is_asked_again(self):
        for name in ("reset", "drop", "storm", "429", "halfjson", "empty", "nulldata", "noresult"):
            with self.subTest(name):
                program = self.program(servers.source(self.faulty.url), DEMO, name="once-" + name)
                self.faulty.faults(f"query_range@2={name}")
                done = self.sync(program)
                self.assertTrue(self.faulty.stats()["injected"], "the fault never happened")
                self.assertEqual(done.returncode, 0, done.text)
                self.assertEqual(program.figures(now=servers.NOW), self.expected)

    def test_too_many_samples_is_asked_in_pieces(self):
        program = self.program(servers.source(self.faulty.url), DEMO, name="pieces")
        self.faulty.faults("query_range@1-2=422")
        done = self.sync(program)
        self.assertEqual(done.returncode, 0, done.text)
        self.assertEqual(program.figures(now=servers.NOW), self.expected)
        always = self.program(servers.source(self.faulty.url), DEMO, name="always")
        self.faulty.faults("query_range@1+=422")
        begin = time.monotonic()
        done = always.run("sync", "--json", now=servers.NOW)
        self.assertLess(time.monotonic() - begin, LIMIT)
        self.assertEqual(done.returncode, 4, done.text)
        self.assertReports(done, prod="too-much", demo=None)
        self.heals(always)

    def test_what_is_stored_stays(self):
        program = self.program(servers.source(self.faulty.url), DEMO)
        self.heals(program)
        self.faulty.faults(".*@1+=storm")
        self.assertEqual(self.sync(program).returncode, 4)
        self.assertEqual(program.figures(now=servers.NOW), self.expected)

    def test_refused(self):
        with servers.Faulty("--refused") as nobody:
            program = self.program(servers.source(nobody.url), DEMO)
            self.failed(program, {"network"})
        self.heals(program)

    def test_silence(self):
        """Hang, slow-loris, a stalled body, a late answer: ended in time, reported as a timeout, and healed by the next sync."""
        for name in ("hang", "slow?20", "hang?2"):
            for position in (1, 3):
                with self.subTest(name, position=position):
                    program = self.program(servers.source(self.faulty.url, timeout=QUICK), DEMO, name=f"silent{position}-{name[:4]}{name[-1]}")
                    self.faulty.faults(f"{'.*' if position == 1 else 'query_range'}@{position}+={name}")
                    self.failed(program, {"timeout"})
                    self.assertTrue(self.faulty.stats()["injected"], "the fault never happened")
                    self.heals(program)

    def test_one_silence_is_asked_again(self):
        program = self.program(servers.source(self.faulty.url, timeout=QUICK), DEMO)
        self.faulty.faults("query_range@2=hang")
        done = self.sync(program)
        self.assertTrue(self.faulty.stats()["injected"], "the fault never happened")
        self.assertEqual(done.returncode, 0, done.text)
        self.assertEqual(program.figures(now=servers.NOW), self.expected)

    def test_never_accepts(self):
        with servers.Faulty("--never-accept") as deaf:
            program = self.program(servers.source(deaf.url, timeout=QUICK), DEMO)
            begin = time.monotonic()
            self.failed(program, {"timeout"})
            self.assertGreater(time.monotonic() - begin, 0.9, "it did not wait at all")
        self.heals(program)

    def test_the_usual_timeout_ends_within_a_minute(self):
        """Without `timeout` in the configuration, the default ends the sync within 60 seconds."""
        program = self.program(servers.source(self.faulty.url), DEMO)
        self.faulty.faults(".*@1+=hang")
        self.failed(program, {"timeout"})

    def test_a_partial_response_is_not_taken_for_all(self):
        """A server's warning about missing data is shown, and the missing data never become idle time."""
        program = self.program(servers.source(self.faulty.url), DEMO)
        self.faulty.faults("query_range@1+=partial")
        done = self.sync(program)
        self.assertTrue(self.faulty.stats()["injected"], "the fault never happened")
        self.assertIn("partial response: store gateway is down", done.text + done.stdout.decode())
        done = program.run("idle", "--json", now=servers.NOW)
        idle = json.loads(done.stdout)
        self.assertEqual([i for i in idle["items"] if i["cluster"] == "fixture"], [])
        self.assertEqual((done.returncode, {s["name"]: s["stale"] for s in idle["data"]["sources"]}), (1, {"prod": True, "demo": False}), done.text)
        program.verify(now=servers.NOW)
        self.heals(program)

    def prod(self, done):
        return {r["name"]: r for r in json.loads(done.stdout)["sources"]}["prod"]

    def early(self, name):
        """A program whose first sync was an hour ago, from a server with complete data."""
        program = self.program(servers.source(self.faulty.url), name=name)
        self.faulty.faults()
        program.healthy("sync", now=EARLIER)
        return program

    def later(self, program):
        """The figures after both syncs."""
        self.faulty.faults()
        done = self.sync(program)
        self.assertEqual(done.returncode, 0, done.text)
        program.verify(now=servers.NOW)
        return program.figures(now=servers.NOW)

    def seen_early(self, program):
        return program.healthy("summary", "--by", "team", "--json", "--from", "2025-03-30T12:00:00Z", "--to", EARLIER, now=servers.NOW).stdout

    def test_half_an_answer_is_not_believed(self):
        """Series of the first sync that are missing in the next answer: queried twice and reported, nothing is removed, and the next sync
        heals."""
        expected = self.later(self.early("undisturbed"))
        for name, gone in (("half", True), ("nothing", True), ("ispartial", False)):
            with self.subTest(name):
                program = self.early(name)
                before = self.seen_early(program)
                self.faulty.faults(f"query_range@1+={name}")
                for _ in range(2):  # the second answer lacks the same half
                    done = self.sync(program)
                    self.assertEqual(done.returncode, 1, done.text)
                    told = self.prod(done)
                    self.assertEqual((told["error"], told["partial"], told["gone"] is not None), (None, not gone, gone), told)
                    if gone:
                        self.assertGreater(told["gone"]["series"], 0)
                        self.assertGreater(told["gone"]["devices"], 0)
                        self.assertGreater(told["gone"]["hours"], 0.5)
                        self.assertIn("prod: its answers are missing", done.text)
                        self.assertIn("--accept-gone", done.text)
                    listed = json.loads(program.healthy("sources", "list", "--json", now=servers.NOW).stdout)["sources"][0]
                    self.assertEqual(listed["to"], EARLIER, "half an answer was marked as fetched")
                    self.assertEqual(listed["error"] is not None, gone, listed)
                self.assertEqual(self.seen_early(program), before)
                program.verify(now=servers.NOW)
                self.assertEqual(self.later(program), expected)

    def test_a_server_without_any_metric(self):
        """A wrong path, another tenant, an empty server: nothing counts as gone, and the error says that the server has no metrics."""
        expected = self.later(self.early("undisturbed"))
        program = self.early("nothing there")
        before = self.seen_early(program)
        for fault in ("label/__name__/values@1+=emptylist", ".*@1+=emptylist"):  # only the names, and every answer of such a path
            with self.subTest(fault):
                self.faulty.faults(fault)
                done = self.sync(program)
                self.assertTrue(self.faulty.stats()["injected"], "the fault never happened")
                self.assertEqual(done.returncode, 4, done.text)
                told = self.prod(done)
                self.assertEqual((told["error"]["code"], told["partial"], told["gone"]), ("not-found", False, None), told)
                self.assertSentence(done, "prod: ", "responds, but has no metrics at all from", "the data stored so far is kept", "check the path of url")
                self.assertEqual(self.seen_early(program), before)
                program.verify(now=servers.NOW)
                done = program.run("sources", "test", "prod", now=servers.NOW)
                self.assertEqual((done.returncode, done.stdout), (4, b""), done.text)
                self.assertSentence(done, "prod: ", "responds, but has no metrics at all from", "check the path of url")
                done = program.run("sources", "test", "prod", "--json", now=servers.NOW)
                self.assertEqual(json.loads(done.text.splitlines()[-1])["error"]["code"], "not-found", done.text)
        self.assertEqual(self.later(program), expected)

    def test_one_half_answer_is_asked_again(self):
        expected = self.later(self.early("undisturbed"))
        questions = sum(n for path, n in self.faulty.stats()["hits"].items() if path.endswith("query_range"))
        program = self.early("once")
        self.faulty.faults(f"query_range@1-{questions}=half")  # every query of the first attempt
        done = self.sync(program)
        self.assertTrue(self.faulty.stats()["injected"], "the fault never happened")
        self.assertEqual(done.returncode, 0, done.text)
        self.assertIn("a second query", done.text)
        self.assertEqual(program.figures(now=servers.NOW), expected)

    def test_what_was_deleted_there_can_be_accepted(self):
        program = self.early("deleted")
        self.faulty.faults("query_range@1+=half")
        self.assertEqual(self.sync(program).returncode, 1)
        done = program.run("sync", "--source", "prod", "--accept-gone", "--json", now=servers.NOW)
        self.assertEqual(done.returncode, 0, done.text)
        self.assertTrue(self.prod(done)["gone"]["accepted"])
        self.assertEqual(self.sync(program).returncode, 0)
        program.verify(now=servers.NOW)
        self.assertEqual(program.run("sync", "--accept-gone", now=servers.NOW).returncode, 2, "of one source, by its name")

    def test_strange_bodies_are_never_figures(self):
        """Duplicate keys and invalid UTF-8: refused, or none of it becomes a device or GPU time."""
        for name in ("dupkey", "utf8"):
            with self.subTest(name):
                program = self.program(servers.source(self.faulty.url), DEMO, name=name)
                self.faulty.faults(f"query_range@1+={name}")
                done = self.sync(program)
                self.assertTrue(self.faulty.stats()["injected"], "the fault never happened")
                report = self.assertReports(done, demo=None)["prod"]
                if name == "dupkey":
                    self.assertIsNotNone(report["error"])
                else:
                    self.assertEqual([r["reason"] for r in report["reasons"]], ["a label is not valid UTF-8"])
                self.assertEqual(report["accepted"], 0)
                devices = json.loads(program.healthy("summary", "--by", "device", "--json", now=servers.NOW).stdout)["rows"]
                self.assertNotIn("GPU-2", json.dumps(devices))
                self.assertNotIn("\\ufffd", json.dumps(devices))
                program.verify(now=servers.NOW)
                if name == "dupkey":  # the other answer counts as read, with its rejected part as unobserved
                    self.heals(program)

    def test_name_not_found(self):
        program = self.program(servers.source("http://nothing.invalid:9090"), DEMO)
        self.failed(program, {"network"})
        self.heals(program)

    def test_memory_stays_bounded(self):
        """The child with the highest peak so far has met every body above, or meets the worst one here."""
        program = self.program(servers.source(self.faulty.url), DEMO)
        self.faulty.faults(".*@1+=cards")
        self.assertEqual(self.sync(program).returncode, 4)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, MEMORY)

    def test_redirect_carries_nothing_to_another_origin(self):
        with servers.Faulty() as other:
            for target in (f"http://localhost:{other.port}/good", f"http://127.0.0.1:{other.port}/good"):
                for auth in ("{ type: bearer, token: env:CANARY }", "{ type: basic, user: reader, password: env:CANARY }"):
                    with self.subTest(target=target, auth=auth):
                        program = self.program(servers.source(self.faulty.url, auth), DEMO)
                        program.environment["CANARY"] = "canary-of-the-redirect"
                        self.faulty.faults(f".*@1+=redirect?{target}")
                        self.failed(program, {"invalid-config"})
                        self.assertGreater(self.faulty.stats()["credentials"].get("authorization", 0), 0)
            self.assertEqual(other.stats()["credentials"], {})


@unittest.skipUnless(servers.available(), "prometheus is not installed")
class Tls(ProductTest):
    BAD = {"expired": "expired", "notyet": "not yet valid", "wronghost": "", "selfsigned": "self", "unknownca": "issuer"}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prometheus = cls.enterClassContext(servers.Prometheus())
        cls.certificates = tempfile.mkdtemp(prefix="gpuledgercerts")
        cls.addClassCleanup(subprocess.run, ["rm", "-r", cls.certificates], check=False)
        subprocess.run(["bash", str(HERE / "certs.sh"), cls.certificates], check=True)

    def met(self, program, url, ca="ca"):
        tls = f"{{ ca: file:{self.certificates}/{ca}.pem }}"
        program.configure(configuration(servers.source(url, "{ type: bearer, token: env:CANARY }", tls), DEMO))
        program.environment["CANARY"] = "canary-of-the-certificate"
        return program.run("sync", "--json", now=servers.NOW)

    def test_bad_certificates(self):
        for name, word in self.BAD.items():
            with self.subTest(name), servers.Faulty("--cert", f"{self.certificates}/{name}.pem", "--key", f"{self.certificates}/{name}.key",
                                                    "--upstream", self.prometheus.url) as server:
                program = self.program(name=name)
                done = self.met(program, f"https://localhost:{server.port}")
                self.assertEqual(done.returncode, 4, done.text)
                self.assertReports(done, prod="tls", demo=None)
                self.assertIn(word, done.text)
                self.assertNotIn("canary", done.text)

    def test_right_certificate(self):
        good = ("--cert", f"{self.certificates}/good.pem", "--key", f"{self.certificates}/good.key", "--upstream", self.prometheus.url)
        with servers.Faulty(*good) as server:
            program = self.program()
            done = self.met(program, f"https://localhost:{server.port}")
            self.assertEqual(done.returncode, 0, done.text)
            done = self.met(program, f"https://localhost:{server.port}", "otherca")
            self.assertEqual(done.returncode, 4, done.text)
            self.assertReports(done, prod="tls", demo=None)

    def test_old_protocol(self):
        """TLS 1.1 only, with a valid certificate."""
        with servers.Faulty("--cert", f"{self.certificates}/good.pem", "--key", f"{self.certificates}/good.key", "--tls11",
                            "--upstream", self.prometheus.url) as server:
            done = self.met(self.program(), f"https://localhost:{server.port}")
            self.assertEqual(done.returncode, 4, done.text)
            self.assertReports(done, prod="tls", demo=None)

    def test_client_certificate(self):
        """mTLS: accepted with the client's key; if the key can't be read, the error names its file."""
        with servers.Faulty("--cert", f"{self.certificates}/good.pem", "--key", f"{self.certificates}/good.key", "--client-ca",
                            f"{self.certificates}/ca.pem", "--upstream", self.prometheus.url) as server:
            program = self.program()
            nobody = ()
            if os.geteuid() == 0:  # root reads every file
                nobody = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs")
                subprocess.run(["chmod", "-R", "a+rX", self.folder, self.certificates], check=True)
                subprocess.run(["chown", "-R", "65534:65534", self.folder], check=True)
                subprocess.run(["chmod", "600", f"{self.certificates}/client.key"], check=True)
                subprocess.run(["chown", "65534:65534", f"{self.certificates}/client.key"], check=True)
                subprocess.run(["chmod", "000", f"{self.certificates}/unreadable.key"], check=True)
            for name, status in (("client", 0), ("unreadable", 4)):
                with self.subTest(name):
                    auth = f"{{ type: mtls, certificate: file:{self.certificates}/{name}.pem, key: file:{self.certificates}/{name}.key }}"
                    tls = f"{{ ca: file:{self.certificates}/ca.pem }}"
                    program.configure(configuration(servers.source(f"https://localhost:{server.port}", auth, tls), DEMO))
                    os.chmod(program.config, 0o644)
                    done = program.run("sync", "--json", now=servers.NOW, wrapper=nobody)
                    self.assertEqual(done.returncode, status, done.text)
                    if status:
                        self.assertReports(done, demo=None)
                        self.assertSentence(done, "unreadable.key", "can't be read")

    def test_plain_http_on_the_port(self):
        with servers.Faulty("--upstream", self.prometheus.url) as server:
            done = self.met(self.program(), f"https://localhost:{server.port}")
            self.assertEqual(done.returncode, 4, done.text)
            self.assertReports(done, prod="tls", demo=None)
            self.assertEqual(server.stats()["credentials"], {})

    def test_no_credential_over_plain_http_to_another_host(self):
        program = self.program()
        done = self.met(program, "http://nothing.invalid:9090")
        self.assertEqual(done.returncode, 4, done.text)
        self.assertNotIn("canary", done.text)
        self.assertIn("https", done.text)


if __name__ == "__main__":
    unittest.main(verbosity=2)
