#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`alerts test` by mail: to a server of this computer without encryption, and to one with TLS and a login, whose authority is made the one
that the system trusts, in a mount namespace (skipped where there is none). Python's email package reads what came."""
import email
import email.policy
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SUPPORT, FAULTS = (os.path.join(HERE, "..", part) for part in ("support", "faults"))
sys.path[:0] = [FAULTS, SUPPORT]

from product import ProductTest, Program, configuration  # noqa: E402

LOOK = 1
PASSWORD = "c4nary-mail-value-27182818"
AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"
TRUSTING = ["unshare", "-Urm", "sh", "-c", f'mount --bind "$1" {AUTHORITIES} && shift && exec "$@"', "sh"]


def can_trust(path):
    """Whether programs can be run that trust this authority alone."""
    if not shutil.which("unshare") or not os.path.isfile(AUTHORITIES):
        return False
    return subprocess.run([*TRUSTING, path, "true"], capture_output=True, check=False).returncode == 0


class MailTest(ProductTest):
    def setUp(self):
        super().setUp()
        self.certificates = os.path.join(self.folder, "certificates")

    def server(self, *options, certificate=None):
        """Its port. Mails come to a folder of its own."""
        self.mails = tempfile.mkdtemp(dir=self.folder)
        if certificate:
            if not os.path.isdir(self.certificates):
                subprocess.run(["bash", os.path.join(FAULTS, "certs.sh"), self.certificates], check=True, capture_output=True)
            base = os.path.join(self.certificates, certificate)
            options = [*options, "--cert", base + ".pem", "--key", base + ".key"]
        process = subprocess.Popen([sys.executable, os.path.join(SUPPORT, "mailserver.py"), self.mails, *options], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)  # closes its input, which ends it
        return int(process.stdout.readline().split()[1])

    def sent(self, url, more="", wrapper=()):
        program = Program(self.folder, configuration("  - { name: demo, kind: demo, gpus: 8, days: 1 }\n") + "targets: [ { name: t, kind: email,"
                          f" url: \"{url}\", from: gpu@example.org, to: [ann@example.org, bob@example.org]{more} }} ]\n")
        done = program.run("alerts", "test", "t", "--json", wrapper=wrapper, MAIL_PASSWORD=PASSWORD)
        self.assertNotIn(PASSWORD, done.stdout.decode() + done.text)
        return done, json.loads(done.stdout)

    def got(self):
        """(the record of the server, the message) of each mail."""
        numbers = sorted(int(name[:-len(".eml")]) for name in os.listdir(self.mails) if name.endswith(".eml"))
        out = []
        for number in numbers:
            base = os.path.join(self.mails, str(number))
            with open(base + ".json", encoding="utf-8") as record, open(base + ".eml", "rb") as raw:
                out.append((json.load(record), email.message_from_binary_file(raw, policy=email.policy.default)))
        return out

    def checked(self, message):
        self.assertEqual(str(message["From"]), "GPU Ledger <gpu@example.org>")
        self.assertEqual([str(one) for one in message["To"].addresses], ["ann@example.org", "bob@example.org"])
        self.assertIn("test", str(message["Subject"]))
        self.assertTrue(message["Message-ID"])
        self.assertEqual(message["Auto-Submitted"], "auto-generated")
        self.assertEqual(message.get_content_type(), "multipart/alternative")
        plain, html = message.get_body(("plain",)).get_content(), message.get_body(("html",)).get_content()
        for body in (plain, html):
            self.assertIn("This is a test of GPU Ledger", body)
            self.assertIn("gpuledger://overview?span=day", body)
        self.assertIn("<a href=\"gpuledger://", html)
        self.assertEqual([part.defects for part in message.walk() if part.defects], [])

    def test_a_server_of_this_computer(self):
        done, answer = self.sent(f"smtp://127.0.0.1:{self.server()}")
        self.assertEqual((done.returncode, answer["outcome"]), (0, "delivered"), done.text)
        (record, message), = self.got()
        self.assertEqual((record["from"], record["to"], record["tls"], record["login"]),
                         ("gpu@example.org", ["ann@example.org", "bob@example.org"], False, None))
        self.assertLessEqual(record["longest"], 998)
        self.checked(message)

    def test_encrypted_with_a_login(self):
        for scheme, option in (("smtp", "--starttls"), ("smtps", "--smtps")):
            with self.subTest(scheme):
                port = self.server(option, "--login", f"gpu:{PASSWORD}", certificate="good")
                authority = os.path.join(self.certificates, "ca.pem")
                if not can_trust(authority):
                    self.skipTest("no mount namespace can be made here")
                done, answer = self.sent(f"{scheme}://localhost:{port}", ", user: gpu, password: env:MAIL_PASSWORD", [*TRUSTING, authority])
                self.assertEqual((done.returncode, answer["outcome"]), (0, "delivered"), answer)
                (record, message), = self.got()
                self.assertEqual((record["tls"], record["login"]), (True, "gpu"))
                self.checked(message)

    def test_an_authority_of_the_configuration(self):
        port = self.server("--starttls", "--login", f"gpu:{PASSWORD}", certificate="good")
        login = ", user: gpu, password: env:MAIL_PASSWORD"
        for name, is_trusted in (("ca", True), ("otherca", False)):
            with self.subTest(name):
                done, answer = self.sent(f"smtp://localhost:{port}", f"{login}, tls: {{ ca: file:{self.certificates}/{name}.pem }}")
                self.assertEqual((done.returncode, answer["outcome"]), (0, "delivered") if is_trusted else (LOOK, "refused"), answer)
        self.assertEqual(len(self.got()), 1)

    def test_nobody_else_gets_the_password(self):
        """Neither a server whose authority is not trusted, nor one without encryption."""
        login = ("--login", f"gpu:{PASSWORD}")
        for scheme, options, certificate, words in (("smtps", ["--smtps", *login], "good", "certificate"),
                                                    ("smtp", ["--starttls", *login], "good", "certificate"),
                                                    ("smtp", login, None, "STARTTLS")):
            with self.subTest(scheme=scheme, words=words):
                url = f"{scheme}://localhost:{self.server(*options, certificate=certificate)}"
                done, answer = self.sent(url, ", user: gpu, password: env:MAIL_PASSWORD")
                self.assertEqual((done.returncode, answer["outcome"]), (LOOK, "refused"))
                self.assertIn(words, answer["detail"])
                self.assertEqual(self.got(), [])

    def test_a_wrong_password_is_not_shown(self):
        port = self.server("--starttls", "--login", "gpu:another", certificate="good")
        authority = os.path.join(self.certificates, "ca.pem")
        if not can_trust(authority):
            self.skipTest("no mount namespace can be made here")
        done, answer = self.sent(f"smtp://localhost:{port}", ", user: gpu, password: env:MAIL_PASSWORD", [*TRUSTING, authority])
        self.assertEqual((done.returncode, answer["outcome"]), (LOOK, "refused"))
        self.assertIn("535", answer["detail"])  # with the server's words, which repeat the password
        self.assertEqual(self.got(), [])


if __name__ == "__main__":
    unittest.main()
