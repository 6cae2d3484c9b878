#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""`alerts test` sends to targets over http: a webhook whose signature is computed again here, one that redirects, is busy, never answers or
sends the secret back, one with a login, Slack's, an Alertmanager that wants AWS signatures, computed again here too, and a real Alertmanager.
ALERTMANAGER in the environment names its program; without one that test is skipped.
"""
import base64
import datetime
import hashlib
import hmac
import json
import os
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

from product import ProductTest, Program, configuration  # noqa: E402
from receivers import SECRET, Receiver, alertmanager  # noqa: E402

TOKEN = "c4naryAddressToken27182818"


def aws_signature(secret, path, headers, body):
    """The signature that AWS would compute for a POST without a query (docs.aws.amazon.com, "Create a signed AWS API request"), from the date
    and the names of the signed headers that the request itself gives."""
    headers = {name.lower(): " ".join(value.split()) for name, value in headers.items()}
    credential, names = (headers["authorization"].split(key + "=")[1].split(",")[0] for key in ("Credential", "SignedHeaders"))
    scope = credential.split("/")[1:]
    canonical = "\n".join(["POST", path, "", *(f"{name}:{headers[name]}" for name in names.split(";")), "", names,
                           hashlib.sha256(body).hexdigest()])
    text = "\n".join(["AWS4-HMAC-SHA256", headers["x-amz-date"], "/".join(scope), hashlib.sha256(canonical.encode()).hexdigest()])
    key = b"AWS4" + secret.encode()
    for part in [*scope, text]:
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key.hex()


class NotifyTest(ProductTest):
    def setUp(self):
        super().setUp()
        self.server = Receiver()
        self.addCleanup(self.server.close)

    def sent(self, target, **environment):
        """The end of `alerts test` for a target."""
        program = Program(self.folder, configuration("  - { name: demo, kind: demo, gpus: 8, days: 1 }\n") + f"targets: [ {target} ]\n")
        done = program.run("alerts", "test", "t", **environment)
        for canary in (SECRET, TOKEN):
            self.assertNotIn(canary, done.stdout.decode() + done.text)
        return done

    def hook(self, path, **environment):
        return self.sent("{ name: t, kind: webhook, url: env:HOOK_URL, secret: env:HOOK_SECRET }",
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

    def test_two_signatures_while_the_secret_changes(self):
        old = "c4nary-previous-value"
        done = self.sent("{ name: t, kind: webhook, url: env:HOOK_URL, secret: env:HOOK_SECRET, previous_secret: env:HOOK_OLD }",
                         HOOK_URL=self.server.url("hook"), HOOK_SECRET=SECRET, HOOK_OLD=old)
        self.assertEqual(done.returncode, 0, done.text)
        (_, headers, body), = self.server.got
        signed = b"v1:" + headers["X-GpuLedger-Timestamp"].encode() + b":" + body
        self.assertEqual(headers["X-GpuLedger-Signature"],
                         ",".join("v1=" + hmac.new(key.encode(), signed, hashlib.sha256).hexdigest() for key in (SECRET, old)))

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

    def test_a_webhook_with_a_login(self):
        for auth, header, value in (("type: basic, user: ledger, password: env:LOGIN", "Authorization",
                                     "Basic " + base64.b64encode(f"ledger:{TOKEN}".encode()).decode()),
                                    ("type: bearer, token: env:LOGIN", "Authorization", "Bearer " + TOKEN),
                                    ("type: bearer, token: env:LOGIN, header: X-API-KEY", "X-API-KEY", TOKEN)):
            self.server.got.clear()
            done = self.sent(f"{{ name: t, kind: webhook, url: \"{self.server.url('hook')}\", auth: {{ {auth} }} }}", LOGIN=TOKEN)
            self.assertEqual(done.returncode, 0, done.text)
            (_, headers, _), = self.server.got
            self.assertEqual(headers[header], value)
        done = self.sent(f"{{ name: t, kind: webhook, url: \"{self.server.url('forbidden')}\", auth: {{ {auth} }} }}", LOGIN=TOKEN)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("rejected", done.stdout.decode() + done.text)

    def amazon(self, path, profile="", **environment):
        auth = f"type: sigv4, region: eu-central-1{profile}"
        return self.sent(f"{{ name: t, kind: alertmanager, url: \"{self.server.url(path)}\", auth: {{ {auth} }} }}", **environment)

    def test_an_alertmanager_that_wants_aws_signatures(self):
        keys = {"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_SESSION_TOKEN": TOKEN}
        done = self.amazon("workspaces/ws-1/alertmanager/", **keys)
        self.assertEqual(done.returncode, 0, done.text)
        (path, headers, body), = self.server.got
        self.assertEqual(path, "/workspaces/ws-1/alertmanager/api/v2/alerts")
        self.assertEqual(headers["X-Amz-Security-Token"], TOKEN)
        day = headers["X-Amz-Date"][:8]
        stamp = datetime.datetime.strptime(headers["X-Amz-Date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.timezone.utc)
        self.assertLess(abs(time.time() - stamp.timestamp()), 300)  # the real time, not that of --now
        self.assertEqual(headers["Authorization"], f"AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/{day}/eu-central-1/aps/aws4_request, "
                         "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token, "
                         f"Signature={aws_signature(SECRET, path, headers, body)}")
        self.assertEqual(json.loads(body)[0]["labels"]["test"], "true")

    def test_what_rejects_a_signature(self):
        keys = {"AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_SESSION_TOKEN": TOKEN}
        done = self.amazon("forbidden", **keys)  # and sends the token back
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("rejected", done.stdout.decode() + done.text)
        self.assertNotIn("AKIDEXAMPLE", done.stdout.decode() + done.text)
        self.assertEqual(len(self.server.got), 1)  # there are no other keys

    def test_the_keys_of_a_profile(self):
        file = os.path.join(self.folder, "credentials")
        with open(os.open(file, os.O_CREAT | os.O_WRONLY, 0o600), "w", encoding="utf-8") as out:
            out.write(f"[alerts]\naws_access_key_id = AKIDALERTS\naws_secret_access_key = {SECRET}\n")
        done = self.amazon("am", ", profile: alerts", AWS_SHARED_CREDENTIALS_FILE=file)
        self.assertEqual(done.returncode, 0, done.text)
        (path, headers, body), = self.server.got
        self.assertIn("Credential=AKIDALERTS/", headers["Authorization"])
        self.assertTrue(headers["Authorization"].endswith("Signature=" + aws_signature(SECRET, path, headers, body)))
        done = self.amazon("am", ", profile: nobody", AWS_SHARED_CREDENTIALS_FILE=file)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("can't be signed: there is no AWS profile", done.stdout.decode() + done.text)
        self.assertEqual(len(self.server.got), 1)

    def test_slack(self):
        done = self.sent("{ name: t, kind: slack, url: env:SLACK_URL }", SLACK_URL=self.server.url("slack/" + TOKEN))
        self.assertEqual(done.returncode, 0, done.text)
        message = json.loads(self.server.got[0][2])
        self.assertTrue(message["text"].startswith("Test: "))
        self.assertEqual(message["blocks"][0]["type"], "header")

    def test_pagerduty_opens_and_closes(self):
        done = self.sent(f"{{ name: t, kind: pagerduty, key: env:PAGER_KEY, url: \"{self.server.url('')}\" }}", PAGER_KEY=TOKEN)
        self.assertEqual(done.returncode, 0, done.text)
        events = [json.loads(body) for path, _, body in self.server.got if path == "/v2/enqueue"]
        self.assertEqual([event["event_action"] for event in events], ["trigger", "resolve"])
        self.assertEqual(len({event["dedup_key"] for event in events}), 1)
        self.assertEqual({event["routing_key"] for event in events}, {TOKEN})

    def test_alertmanager(self):
        with alertmanager(self.folder) as server:
            done = self.sent(f"{{ name: t, kind: alertmanager, url: \"{server.url}/\" }}")
            self.assertEqual(done.returncode, 0, done.text)
            alert, = server.alerts()
            self.assertEqual(alert["labels"]["test"], "true")
            self.assertTrue(alert["labels"]["alertname"])
            self.assertLessEqual(set(alert["labels"]), {"alertname", "severity", "rule", "scope", "per", "test"})
            ends = datetime.datetime.fromisoformat(alert["endsAt"].replace("Z", "+00:00").split(".")[0].split("+")[0] + "+00:00")
            self.assertLess(ends.timestamp() - time.time(), 61)
            while server.alerts():  # it ends by itself; the time limit is that of the suite
                self.assertLess(time.time(), ends.timestamp() + 600)
                time.sleep(1)


if __name__ == "__main__":
    unittest.main()
