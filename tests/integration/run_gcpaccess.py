#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Who reads Google Cloud: the service account of the machine, an identity pool with the token of a file or an address, and a service account on their behalf."""
import datetime
import glob
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

from computeengine import PROJECT, TIME_SERIES, fault, instance  # noqa: E402
from googleaccess import BIGQUERY, CI_SECRET, CLOUD, COMPUTE, GOOGLE, IMPERSONATE, METADATA, MONITORING, GoogleAccess, oauth_fault  # noqa: E402
from product import Program, ProductTest, configuration  # noqa: E402

NOW = "2026-11-20T12:00:00Z"
FAILED = 4
CLOSED = "http://127.0.0.1:9"
BEARER = ", auth: { type: bearer, token: env:GOOGLE_CREDENTIAL }"


class GoogleTokens(ProductTest):
    def setUp(self):
        super().setUp()
        self.server = GoogleAccess()
        self.addCleanup(self.server.close)
        self.server.instances = [instance(f"m{n}", "2026-11-20T11:00:00Z") for n in range(5)]
        self.subject = os.path.join(self.folder, "subject-token")

    def program(self, credential=None, usage="none"):
        """Without a credential: the machine's service account."""
        program = Program(self.folder, configuration(
            f"  - {{ name: cloud, kind: gcp, url: \"{self.server.url()}\", project: {PROJECT}, first_sync: 60d, usage: {usage}{BEARER if credential else ''} }}\n"))
        program.environment.update(GOOGLE_CREDENTIAL=credential or "", GCE_METADATA_HOST=self.server.url().removeprefix("http://"), http_proxy=CLOSED, HTTP_PROXY=CLOSED)
        return program

    def put(self, text, path=None):
        with open(path or self.subject, "w", encoding="utf-8") as file:
            file.write(text)

    def from_file(self, text="canary-subject-1\n", **more):
        self.put(text)
        return self.server.credentials(**{"credential_source": {"file": self.subject}, **more})

    def as_robot(self, **more):
        return self.from_file(service_account_impersonation_url=self.server.url() + IMPERSONATE, **more)

    def run_sync(self, program, status=0):
        done = program.run("sync", "--json", now=NOW)
        said = done.text + done.stdout.decode()
        self.assertIn(done.returncode, (status,) if status is not None else (0, FAILED), said)
        self.keeps_secrets(said)
        return json.loads(done.stdout)["sources"][0], said

    def keeps_secrets(self, said):
        self.assertNotIn("canary", said)
        for path in glob.glob(os.path.join(self.folder, "**"), recursive=True):
            if os.path.isfile(path) and path != self.subject:
                with open(path, "rb") as file:
                    self.assertNotIn(b"canary", file.read(), path)

    def reads(self, program, whose):
        told, said = self.run_sync(program)
        self.assertEqual(told["machines"]["running"], 5, said)
        self.assertEqual({one for _, one in self.server.api}, {whose})

    def fails(self, program, code, *parts):
        """What a sync says, and a test of the source, which says what to do as well. Neither asks for a machine."""
        told, said = self.run_sync(program, None)
        self.assertTrue(told["error"] or told["warnings"], said)
        again = program.run("sources", "test", told["name"], "--json", now=NOW)
        said = again.text + again.stdout.decode()
        self.keeps_secrets(said)
        self.assertEqual(json.loads(next(line for line in said.splitlines() if line.startswith("{")))["error"]["code"], code, said)
        for part in parts:
            self.assertIn(part, said)

    def test_the_machine_reads_as_its_service_account(self):
        program = self.program()
        self.reads(program, "machine")
        self.assertEqual([kind for kind, _ in self.server.calls], ["machine"])  # one token for all pages
        done = program.run("sources", "test", "cloud", now=NOW)
        self.assertIn("may compute.instances.list", done.stdout.decode() + done.text)

    def test_a_token_that_ends_while_pages_are_read_is_renewed(self):
        self.server.most_uses = 2
        self.reads(self.program(), "machine")
        self.assertGreater(len(self.server.calls), 1)

    def test_what_is_no_metadata_server_is_not_believed(self):
        good = json.dumps({"access_token": "canary-of-another", "expires_in": 3599, "token_type": "Bearer"}).encode()
        elsewhere = GoogleAccess()
        self.addCleanup(elsewhere.close)
        program = self.program()
        for answer, code, words in (
                ((200, good, {}), "not-found", "is not Google's metadata server"), ((404, b"", GOOGLE), "not-found", "this machine has no service account"),
                ((302, b"", {**GOOGLE, "Location": elsewhere.url() + METADATA}), "invalid-config", "redirects elsewhere"),
                ((200, b"canary", GOOGLE), "parse", "sent no token"), ((200, good[:-20], GOOGLE), "parse", "sent no token"),
                ((200, b'{"access_token": "canary\\u0000x"}', GOOGLE), "parse", "sent no token")):
            self.server.instead["machine"] = [answer] * 2
            self.fails(program, code, words)
        self.assertEqual((elsewhere.calls, self.server.api), ([], []))
        program.environment["GCE_METADATA_HOST"] = "metadata.example:80"
        self.fails(program, "invalid-config", "which is not the metadata server of this machine", "unset GCE_METADATA_HOST")
        program.environment["GCE_METADATA_HOST"] = CLOSED.removeprefix("http://")
        self.fails(program, "not-found", "this machine has no service account of Google Cloud", "attach a service account")

    def test_a_pool_lets_in_the_token_of_a_file(self):
        program = self.program(self.from_file())
        self.reads(program, "pool")
        self.assertEqual(self.server.tokens["canary-token-1-of-pool"], ("pool", COMPUTE))
        self.server.subjects = {"canary-subject-2"}  # the first one has ended
        self.fails(program, "unauthorized", "invalid_grant: The subject token *** has expired.", "check audience and subject_token_type")
        self.put(json.dumps({"id": "canary-subject-2"}))
        program.environment["GOOGLE_CREDENTIAL"] = self.server.credentials(
            credential_source={"file": self.subject, "format": {"type": "json", "subject_token_field_name": "id"}})
        self.reads(program, "pool")

    def test_a_pool_lets_in_the_token_of_an_address(self):
        source = {"url": self.server.url() + "/subject?audience=x", "headers": {"Authorization": CI_SECRET}, "format": {"type": "json", "subject_token_field_name": "value"}}
        program = self.program(self.server.credentials(credential_source=source))
        self.reads(program, "pool")
        self.assertEqual([kind for kind, _ in self.server.calls], ["subject", "exchange"])
        for answer, code in (((200, b"canary", {}), "unauthorized"), ((200, b"x" * 70000, {}), "too-much"), ((302, b"", {"Location": "/subject"}), "invalid-config"),
                             ((403, b"canary", {}), "unauthorized")):
            self.server.instead["subject"] = [answer] * 2
            self.fails(program, code)

    def test_a_subject_token_that_is_none_is_named(self):
        program = self.program(self.from_file())
        os.unlink(self.subject)
        self.fails(program, "not-found", "does not exist", "check credential_source")
        for text, code, words in (("", "unauthorized", "has no token"), (" \n", "unauthorized", "has no token"), ("x" * 70000, "too-much", "larger than 64 KiB")):
            self.put(text)
            self.fails(program, code, words)
        program.environment["GOOGLE_CREDENTIAL"] = self.from_file(
            "canary", credential_source={"file": self.subject, "format": {"type": "json", "subject_token_field_name": "id"}})
        self.fails(program, "unauthorized", "is no JSON object")
        for source in ({"executable": {"command": "/bin/true"}}, {"environment_id": "aws1", "url": self.server.url()}):
            program.environment["GOOGLE_CREDENTIAL"] = self.server.credentials(credential_source=source)
            self.fails(program, "unsupported", "which can't be used here", "gcloud iam workload-identity-pools create-cred-config")
        self.assertEqual(self.server.calls, [])

    def test_a_service_account_is_impersonated(self):
        self.reads(self.program(self.as_robot()), "robot")
        self.assertEqual([self.server.tokens[one] for one in sorted(self.server.tokens)], [("pool", CLOUD), ("robot", COMPUTE)])

    def test_monitoring_has_a_token_of_its_own(self):
        self.reads(self.program(self.as_robot(), "all"), "robot")
        self.assertEqual({scope for whose, scope in self.server.tokens.values() if whose == "robot"}, {COMPUTE, MONITORING})
        self.assertIn((TIME_SERIES, "robot"), self.server.api)

    def test_a_refused_impersonation_is_named(self):
        program = self.program(self.as_robot())
        self.server.instead["impersonation"] = [fault(403, "IAM_PERMISSION_DENIED", "Permission 'iam.serviceAccounts.getAccessToken' denied")] * 2
        self.fails(program, "unauthorized", "getAccessToken' denied", "Workload Identity User")
        for end in ("soon", "", 1732100400, None):
            self.server.instead["impersonation"] = [(200, json.dumps({"accessToken": "canary-robot", "expireTime": end}).encode(), {})] * 2
            self.fails(program, "parse", "sent no token whose end can be read")
        self.server.instead["impersonation"] = [(503, b"", {}), (429, b"", {"Retry-After": "1"})]
        self.reads(program, "robot")

    def test_a_wrong_clock_is_named(self):
        self.server.off = datetime.timedelta(hours=2)
        self.reads(self.program(self.as_robot()), "robot")  # what ends is told by the server's clock
        self.server.instead["exchange"] = [oauth_fault(401, "invalid_grant", "said so")] * 2
        self.fails(self.program(self.as_robot()), "unauthorized", "this computer's clock is 2 hours behind the server's", "correct this computer's clock")

    def test_nothing_is_sent_elsewhere(self):
        other = GoogleAccess()
        self.addCleanup(other.close)
        program = self.program("x")
        for file in (self.from_file(token_url=other.url() + "/v1/token"), self.from_file(token_url="https://sts.googleapis.com.example/v1/token"),
                     self.from_file(service_account_impersonation_url=other.url() + IMPERSONATE)):
            program.environment["GOOGLE_CREDENTIAL"] = file
            self.fails(program, "invalid-config", "which is not Google")
        program.environment["GOOGLE_CREDENTIAL"] = self.server.credentials(credential_source={"url": "http://ci.example/token"})
        self.fails(program, "invalid-config", "without encryption")
        self.server.instead["exchange"] = [(307, b"", {"Location": other.url() + "/v1/token"})] * 2
        program.environment["GOOGLE_CREDENTIAL"] = self.from_file()
        self.fails(program, "invalid-config", "redirects elsewhere")
        self.assertEqual((other.calls, other.api), ([], []))

    def test_the_bill_is_read_in_the_same_way(self):
        program = self.program()
        for credential, whose in ((None, "machine"), (self.from_file(), "pool"), (self.as_robot(), "robot")):
            self.server.api = []
            program.configure(configuration(f"  - {{ name: bill, kind: gcp-billing, url: \"{self.server.url()}\", project: lab, dataset: d, table: t, commitment_projects: none{BEARER if credential else ''} }}\n"))
            program.environment["GOOGLE_CREDENTIAL"] = credential or ""
            self.fails(program, "not-found", "check project, dataset and table")  # there is no BigQuery here
            self.assertEqual(set(self.server.api), {("/bigquery/v2/projects/lab/queries", whose)})
        self.assertEqual({scope for whose, scope in self.server.tokens.values() if whose == "robot"}, {BIGQUERY})


if __name__ == "__main__":
    unittest.main()
