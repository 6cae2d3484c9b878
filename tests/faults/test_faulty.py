# SPDX-License-Identifier: GPL-3.0-or-later
"""The fault tools work as promised; a test with a fault that never happens would prove nothing."""
import gzip
import http.client
import json
import os
import pathlib
import socket
import ssl
import subprocess
import sys
import tempfile
import unittest
import zlib

HERE = pathlib.Path(__file__).resolve().parent


class Faulty:
    """faulty.py as a context manager, which ends it."""

    def __init__(self, *arguments):
        self.arguments = arguments

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, str(HERE / "faulty.py"), "--with-stdin", *self.arguments],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().split()[1])
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(10)

    def ask(self, path, method="GET", body=None, context=None, host="127.0.0.1", timeout=5, **headers):
        if context:
            connection = http.client.HTTPSConnection(host, self.port, timeout=timeout, context=context)
        else:
            connection = http.client.HTTPConnection(host, self.port, timeout=timeout)
        try:
            connection.request(method, path, body=body, headers=headers)
            reply = connection.getresponse()
            return reply.status, reply.read(), reply.headers
        finally:
            connection.close()


class Plain(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Faulty().__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()

    def test_each_status_has_its_headers(self):
        for name, status, header in [("401", 401, "WWW-Authenticate"), ("403", 403, None), ("404", 404, None), ("407", 407, "Proxy-Authenticate"),
                                     ("410", 410, None), ("422", 422, None), ("429", 429, "Retry-After"), ("storm", 500, None),
                                     ("redirect", 302, "Location"), ("loop", 302, "Location"), ("file", 302, "Location")]:
            code, _, headers = self.server.ask(f"/{name}/api/v1/query")
            self.assertEqual(code, status, name)
            if header:
                self.assertIsNotNone(headers[header], name)
        self.assertIsNone(self.server.ask("/429bare/x")[2]["Retry-After"])
        self.assertTrue(self.server.ask("/file/x")[2]["Location"].startswith("file:"))
        self.assertIn("localhost", self.server.ask("/redirect/x")[2]["Location"])
        self.assertIn(b"too many samples", self.server.ask("/422/x")[1])

    def test_bodies_are_cut(self):
        for name in ("reset", "short"):
            with self.assertRaises((ConnectionError, http.client.IncompleteRead), msg=name):
                self.server.ask(f"/{name}/x")
        _, packed, _ = self.server.ask("/gzcut/x")
        with self.assertRaises(EOFError):
            gzip.decompress(packed)
        with self.assertRaises(ValueError):
            json.loads(self.server.ask("/halfjson/x")[1])

    def test_bodies_are_wrong(self):
        status, body, headers = self.server.ask("/login/x")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/html"))
        self.assertIn(b"<html>", body)
        self.assertEqual(self.server.ask("/empty/x")[1], b"")
        self.assertIn("warnings", json.loads(self.server.ask("/partial/x")[1]))
        self.assertEqual(self.server.ask("/dupkey/x")[1].count(b'"values"'), 2)
        with self.assertRaises(UnicodeDecodeError):
            self.server.ask("/utf8/x")[1].decode()
        with self.assertRaises(RecursionError):
            json.loads(self.server.ask("/deep/x")[1])
        self.assertIsNone(json.loads(self.server.ask("/types/x")[1])["data"]["result"][0]["metric"])

    def test_hangs_and_drips(self):
        for name in ("hang", "slow"):
            with self.assertRaises((TimeoutError, socket.timeout), msg=name):
                self.server.ask(f"/{name}/x", timeout=0.5)

    def test_sends_too_much(self):
        for name in ("big", "endless"):
            connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=5)
            connection.request("GET", f"/{name}/x")
            self.assertEqual(len(connection.getresponse().read(32 << 20)), 32 << 20, name)
            connection.close()
        unpacked, packer = 0, zlib.decompressobj(31)
        unpacked += len(packer.decompress(self.server.ask("/gzbomb/x", timeout=60)[1], 64 << 20))
        self.assertEqual(unpacked, 64 << 20)
        with self.assertRaises(http.client.HTTPException):
            self.server.ask("/headers/x")

    def test_token_ends_in_mid_paging(self):
        self.assertEqual([self.server.ask("/late401/x")[0] for _ in range(4)], [200, 200, 401, 401])

    def test_counts_what_it_saw(self):
        self.server.ask("/good/counted", Authorization="Bearer x")
        stats = json.loads(self.server.ask("/faulty/stats")[1])
        self.assertEqual(stats["hits"]["/good/counted"], 1)
        self.assertGreaterEqual(stats["credentials"]["authorization"], 1)


class Connections(unittest.TestCase):
    def test_refuses(self):
        with Faulty("--refused") as server, self.assertRaises(ConnectionRefusedError):
            server.ask("/")

    def test_never_accepts(self):
        with Faulty("--never-accept") as server, self.assertRaises((TimeoutError, socket.timeout)):
            server.ask("/", timeout=1)


class InFront(unittest.TestCase):
    def test_spoils_the_chosen_request_only(self):
        with Faulty() as real, Faulty("--upstream", f"http://127.0.0.1:{real.port}", "--fault", "query_range@2=500",
                                      "--fault", "labels@1-2=login") as front:
            self.assertEqual([front.ask("/good/query_range?a=1")[0] for _ in range(3)], [200, 500, 200])
            self.assertEqual([b"<html>" in front.ask("/good/labels")[1] for _ in range(3)], [True, True, False])
            injected = json.loads(front.ask("/faulty/stats")[1])["injected"]
            self.assertEqual([i["fault"] for i in injected], ["500", "login", "login"])

    def test_spoils_the_real_body(self):
        with Faulty() as real, Faulty("--upstream", f"http://127.0.0.1:{real.port}", "--fault", "x@1=halfjson") as front:
            whole = real.ask("/good/x")[1]
            self.assertEqual(front.ask("/good/x")[1], whole[:len(whole) // 2])
            self.assertEqual(front.ask("/good/x")[1], whole)

    def test_takes_new_faults_while_it_runs(self):
        with Faulty("--always", "good") as server:
            self.assertEqual(server.ask("/faulty/faults", "POST", b"nonsense")[0], 400)
        with Faulty() as real, Faulty("--upstream", f"http://127.0.0.1:{real.port}") as front:
            self.assertEqual(front.ask("/good/x")[0], 200)
            self.assertEqual(front.ask("/faulty/faults", "POST", b"x@1+=503\n")[0], 200)
            self.assertEqual([front.ask("/good/x")[0] for _ in range(2)], [503, 503])
            front.ask("/faulty/faults", "POST", b"")
            self.assertEqual(front.ask("/good/x")[0], 200)

    def test_refuses_a_fault_it_does_not_know(self):
        done = subprocess.run([sys.executable, str(HERE / "faulty.py"), "--fault", "x@1=nosuch"], capture_output=True, text=True,
                              timeout=10, check=False)
        self.assertNotEqual(done.returncode, 0)


class Tls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="certs")
        subprocess.run([str(HERE / "certs.sh"), cls.folder.name], check=True, timeout=60)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def served(self, name, *more):
        return Faulty("--cert", self.path(name + ".pem"), "--key", self.path(name + ".key"), *more)

    def client(self):
        return ssl.create_default_context(cafile=self.path("ca.pem"))

    def test_good_one_is_accepted(self):
        with self.served("good") as server:
            self.assertEqual(server.ask("/good", context=self.client(), host="localhost")[0], 200)

    def test_bad_ones_are_refused_for_their_own_reason(self):
        for name, reason in [("expired", "expired"), ("notyet", "not yet valid"), ("wronghost", "Hostname mismatch"),
                             ("selfsigned", "self-signed"), ("unknownca", "unable to get local issuer")]:
            with self.served(name) as server, self.assertRaises(ssl.SSLCertVerificationError) as caught:
                server.ask("/good", context=self.client(), host="localhost")
            self.assertIn(reason.lower(), str(caught.exception).lower())

    def test_old_protocol_is_refused(self):
        with self.served("good", "--tls11") as server, self.assertRaises((ssl.SSLError, ConnectionError)):
            server.ask("/good", context=self.client(), host="localhost")

    def test_plain_http_on_the_port_is_refused(self):
        with Faulty() as server, self.assertRaises(ssl.SSLError):
            server.ask("/good", context=self.client(), host="localhost")

    def test_client_certificate_is_asked_for(self):
        with self.served("good", "--client-ca", self.path("ca.pem")) as server:
            context = self.client()
            with self.assertRaises((ssl.SSLError, ConnectionError, http.client.RemoteDisconnected)):
                server.ask("/good", context=context, host="localhost")
            context.load_cert_chain(self.path("client.pem"), self.path("client.key"))
            self.assertEqual(server.ask("/good", context=context, host="localhost")[0], 200)


if __name__ == "__main__":
    unittest.main()
