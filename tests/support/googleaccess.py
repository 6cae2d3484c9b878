# SPDX-License-Identifier: GPL-3.0-or-later
"""What gives out tokens for Google's services: the metadata server of a machine, the Security Token Service with an identity pool, and the IAM Service Account
Credentials API, beside Compute Engine's list of instances, on one loopback port. There is no public peer: the fake follows AIP-4110, 4115, 4117, RFC 8693 and the
contract. It refuses requests that the services would refuse. `instead` has answers in place of those of a service, one per request. All secrets contain "canary"."""
import datetime
import email.utils
import json
import re
import urllib.parse

from computeengine import NO_SERIES, PROJECT, TIME_SERIES, ComputeEngine, Handler, fault

AUDIENCE = "//iam.googleapis.com/projects/4711/locations/global/workloadIdentityPools/lab/providers/ci"
CLOUD, COMPUTE, BIGQUERY, MONITORING = (f"https://www.googleapis.com/auth/{name}" for name in ("cloud-platform", "compute.readonly", "bigquery", "monitoring.read"))
METADATA = "/computeMetadata/v1/instance/service-accounts/default/token"
ROBOT = "ledger@ml-training.iam.gserviceaccount.com"
IMPERSONATE = f"/v1/projects/-/serviceAccounts/{ROBOT}:generateAccessToken"
CI_SECRET = "bearer canary-secret-of-the-ci"
GOOGLE = {"Metadata-Flavor": "Google"}
FORM = {"grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "audience": AUDIENCE,
        "requested_token_type": "urn:ietf:params:oauth:token-type:access_token", "subject_token_type": "urn:ietf:params:oauth:token-type:jwt"}


def oauth_fault(status, error, description):
    return status, json.dumps({"error": error, "error_description": description}).encode(), {}


class GoogleAccess(ComputeEngine):
    def __init__(self):
        super().__init__()
        self.RequestHandlerClass = AccessHandler
        self.subjects = {"canary-subject-1"}  # tokens of the other provider that the pool lets in
        self.tokens = {}  # {token: (whose it is, its scope)} that let in
        self.instead = {"machine": [], "exchange": [], "impersonation": [], "subject": []}
        self.calls = []  # (what was asked for, its form or JSON)
        self.api = []  # (path, whose token) of the questions to services
        self.off = datetime.timedelta()  # of its clock
        self.most_uses = None  # a token lets in so many times
        self.uses = {}

    def credentials(self, url=None, **more):
        """A credential file of the pool; `more` in place of its members, None: without."""
        file = {"type": "external_account", "audience": AUDIENCE, "subject_token_type": FORM["subject_token_type"], "token_url": (url or self.url()) + "/v1/token"}
        return json.dumps({name: value for name, value in {**file, **more}.items() if value is not None})

    def give(self, whose, scope):
        token = f"canary-token-{len(self.tokens) + 1}-of-{whose}"
        self.tokens[token] = (whose, scope)
        return token

    def reply(self, handler, body):
        url = urllib.parse.urlsplit(handler.path)
        kind = {METADATA: "machine", "/v1/token": "exchange", IMPERSONATE: "impersonation", "/subject": "subject"}.get(url.path)
        if kind is None:
            return self.service(handler, url)
        self.calls.append((kind, body))
        if self.instead[kind]:
            return self.instead[kind].pop(0)
        return getattr(self, kind)(handler, body)

    def machine(self, handler, _):
        if handler.command != "GET" or handler.headers.get("Metadata-Flavor") != "Google" or "X-Forwarded-For" in handler.headers:
            return 403, b"Missing Metadata-Flavor:Google header.", {}
        if "Authorization" in handler.headers:
            return 400, b"unexpected", GOOGLE
        return 200, json.dumps({"access_token": self.give("machine", CLOUD), "expires_in": 3599, "token_type": "Bearer"}).encode(), GOOGLE

    def subject(self, handler, _):
        if handler.command != "GET" or handler.headers.get("Authorization") != CI_SECRET:
            return 401, b"canary-answer", {}
        return 200, json.dumps({"value": sorted(self.subjects)[0], "count": 1}).encode(), {}

    def exchange(self, handler, body):
        form = dict(urllib.parse.parse_qsl(body, strict_parsing=True))
        if handler.command != "POST" or handler.headers.get_content_type() != "application/x-www-form-urlencoded" or "Authorization" in handler.headers:
            return oauth_fault(400, "invalid_request", "unexpected request")
        if {name: form.get(name) for name in FORM} != FORM or set(form) - set(FORM) != {"scope", "subject_token"}:
            return oauth_fault(400, "invalid_request", "Invalid value for a parameter.")
        if form["subject_token"] not in self.subjects:
            return oauth_fault(400, "invalid_grant", f"The subject token {form['subject_token']} has expired.")
        return 200, json.dumps({"access_token": self.give("pool", form["scope"]), "issued_token_type": FORM["requested_token_type"], "token_type": "Bearer",
                                "expires_in": 3600}).encode(), {}

    def impersonation(self, handler, body):
        whose, scope = self.tokens.get(handler.headers.get("Authorization", "").removeprefix("Bearer "), (None, None))
        if whose != "pool":
            return fault(401, "authError")
        if scope != CLOUD or handler.headers.get_content_type() != "application/json":
            return fault(403, "ACCESS_TOKEN_SCOPE_INSUFFICIENT", "Request had insufficient authentication scopes.")
        asked = json.loads(body)
        lifetime = re.fullmatch("([0-9]+)s", asked.get("lifetime", ""))
        if handler.command != "POST" or set(asked) != {"scope", "lifetime"} or not lifetime or int(lifetime[1]) > 3600 or not asked["scope"]:
            return fault(400, "INVALID_ARGUMENT")
        return 200, json.dumps({"accessToken": self.give("robot", " ".join(asked["scope"])), "expireTime": self.moment(int(lifetime[1]))}).encode(), {}

    def moment(self, seconds):
        return (datetime.datetime.now(datetime.timezone.utc) + self.off + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def service(self, handler, url):
        token = handler.headers.get("Authorization", "").removeprefix("Bearer ")
        whose, scope = self.tokens.get(token, (None, None))
        self.api.append((url.path, whose))
        self.uses[token] = self.uses.get(token, 0) + 1
        if not whose or (self.most_uses and self.uses[token] > self.most_uses):
            return fault(401, "authError", "Request had invalid authentication credentials.")
        if url.path == TIME_SERIES:
            return NO_SERIES if scope in (CLOUD, MONITORING) else fault(403, "ACCESS_TOKEN_SCOPE_INSUFFICIENT", "Request had insufficient authentication scopes.")
        asked = dict(urllib.parse.parse_qsl(url.query))
        self.asked.append(asked)
        if url.path != f"/compute/v1/projects/{PROJECT}/aggregated/instances":
            return fault(404, "notFound")
        return self.faults.pop(0) if self.faults else self.listed(asked)


class AccessHandler(Handler):
    def date_time_string(self, timestamp=None):
        return email.utils.format_datetime(datetime.datetime.now(datetime.timezone.utc) + self.server.off, usegmt=True)

    def do_GET(self):  # noqa: N802
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        self.send(*self.server.reply(self, body))

    do_POST = do_GET  # noqa: N815
