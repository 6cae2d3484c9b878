# SPDX-License-Identifier: GPL-3.0-or-later
"""Compute Engine's list of instances (compute/v1 instances.aggregatedList), on a loopback port. There is no public peer: the fake follows the contract.
Pages are cut within zones, the second one has no instance but a token, empty zones carry a warning, and zones that are down are in `unreachables`. It refuses requests
that the service would refuse. `faults` are given out one per request, in place of an answer. Cloud Monitoring, at the same address, has no time series. StoppableInstances
also tells about single instances and what may be done with them (instances.get, instances.testIamPermissions), stops and starts them, and has Google's token service for
service accounts."""
import base64
import collections
import datetime
import http.server
import json
import re
import socket
import struct
import subprocess
import threading
import types
import urllib.parse
import uuid
import zlib

TOKEN, PROJECT = "ya29.canary-token", "ml-training"
TIME_SERIES = f"/v3/projects/{PROJECT}/timeSeries"
NO_SERIES = 200, b'{"timeSeries": []}', {}
PROJECTS = "https://www.googleapis.com/compute/v1/projects/"


def instance(name, started, status="RUNNING", kind="a3-highgpu-8g", zone="us-central1-a", gpus=(), labels=None, project=PROJECT, **more):
    """An instance; `gpus` are pairs of an accelerator type and a number."""
    place = f"{PROJECTS}{project}/zones/{zone}"
    return {"kind": "compute#instance", "id": str(6 * 10**18 + zlib.crc32(f"{place}/{name}".encode())), "name": name, "zone": place, "status": status,
            "machineType": f"{place}/machineTypes/{kind}", "creationTimestamp": "2026-11-01T00:00:00.000-07:00", "lastStartTimestamp": started,
            "guestAccelerators": [{"acceleratorType": f"{place}/acceleratorTypes/{kind}", "acceleratorCount": count} for kind, count in gpus],
            "labels": {"team": "vision"} if labels is None else labels, **more}


def fault(status, reason="", message="said so", headers=None):
    return status, json.dumps({"error": {"code": status, "message": message, "errors": [{"reason": reason, "domain": "global"}]}}).encode(), headers or {}


class ComputeEngine(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.instances, self.down, self.faults, self.asked = [], [], [], []
        self.page, self.is_endless = 2, False
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """A client that was killed is no failure."""

    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def close(self):
        self.shutdown()
        self.server_close()

    def listed(self, asked, project=PROJECT):
        if not 1 <= int(asked.get("maxResults", 500)) <= 500:
            return fault(400, "invalidParameter")
        if self.down and asked.get("returnPartialSuccess") != "true":
            return fault(503, "backendError")
        token = asked.get("pageToken", "")
        if self.is_endless:
            return self.answer([], str(int(token or 0) % 3 + 1))
        first = int(token.strip("e") or 0)
        if first == self.page and not token.endswith("e"):
            return self.answer([], token + "e")  # an empty page with a token
        rows = [one for one in self.instances if f"/projects/{project}/" in one["zone"]]
        return self.answer(rows[first:first + self.page], str(first + self.page) if first + self.page < len(rows) else "")

    def answer(self, some, token):
        zones = {"zones/europe-west4-c": {"warning": {"code": "NO_RESULTS_ON_PAGE"}}}
        for one in some:
            zones.setdefault("zones/" + one["zone"].rsplit("/", 1)[1], {"instances": []})["instances"].append(one)
        out = {"kind": "compute#instanceAggregatedList", "items": zones, "unreachables": self.down}
        if token:
            out["nextPageToken"] = token
        return 200, json.dumps(out).encode(), {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):  # noqa: N802
        parts = urllib.parse.urlsplit(self.path)
        asked = dict(urllib.parse.parse_qsl(parts.query))
        if parts.path != TIME_SERIES:
            self.server.asked.append(asked)
        if self.headers.get("Authorization") != "Bearer " + TOKEN:
            status, body, headers = fault(401, "authError")
        elif parts.path == TIME_SERIES:
            status, body, headers = NO_SERIES
        elif parts.path != f"/compute/v1/projects/{PROJECT}/aggregated/instances":
            status, body, headers = fault(404, "notFound")
        elif self.server.faults:
            status, body, headers = self.server.faults.pop(0)
        else:
            status, body, headers = self.server.listed(asked)
        self.send(status, body, headers)

    def send(self, status, body, headers):
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass


OTHER = "ml-serving"  # another project
ECHO = b"THE-TOKEN-THAT-WAS-SENT"
RESET = None  # in place of an answer to a change: the connection is reset
ROBOT, SCOPES = "ledger@ml-training.iam.gserviceaccount.com", "https://www.googleapis.com/auth/"
LIST = re.compile("/compute/v1/projects/([a-z0-9-]+)/aggregated/instances")
WORKBENCH = re.compile("/v2/projects/([a-z0-9-]+)/locations/-/instances")  # of the Notebooks API, which is not there
INSTANCE = re.compile("/compute/v1/projects/([a-z0-9-]+)/zones/([a-z0-9-]+)/instances/([a-z0-9-]+)(?:/([A-Za-z]+))?")
REQUEST_ID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
# The states on the way, and the last one.
VERBS = {"stop": (("PENDING_STOP", "STOPPING"), "TERMINATED"), "start": (("PROVISIONING", "STAGING"), "RUNNING")}
ALL_RIGHTS = ("compute.instances.stop", "compute.instances.start")


def moment(**ago):
    return (datetime.datetime.now(datetime.timezone(-datetime.timedelta(hours=8))) - datetime.timedelta(**ago)).isoformat(timespec="milliseconds")


def told_of(one):
    """As the service tells an instance: with a fingerprint of its labels."""
    return {"labelFingerprint": base64.b64encode(b"%08x" % zlib.crc32(json.dumps(one["labels"], sort_keys=True).encode())).decode(), **one}


def has_local_disk(one):
    return any(disk["type"] == "SCRATCH" for disk in one.get("disks", ()))


def operation(verb, one, **more):
    told = {"kind": "compute#operation", "name": f"operation-{uuid.uuid4()}", "operationType": verb, "targetId": one["id"], "zone": one["zone"], "status": "RUNNING",
            "user": ROBOT, "progress": 0, **more}
    return 200, json.dumps(told).encode(), {}


def failed_operation(verb, one, code, message):
    return operation(verb, one, status="DONE", progress=100, error={"errors": [{"code": code, "message": message}]}, httpErrorStatusCode=503,
                     httpErrorMessage="SERVICE UNAVAILABLE")


def not_found(path):
    return fault(404, "notFound", f"The resource '{path.removeprefix('/compute/v1/')}' was not found")


def forbidden(right, path):
    return fault(403, "forbidden", f"Required '{right}' permission for '{path.removeprefix('/compute/v1/')}'")


class StoppableInstances(ComputeEngine):
    """Instances of several projects. Its token service gives out tokens; TOKEN is valid until they end. Changes that the service would refuse are refused."""

    def __init__(self):
        super().__init__()
        self.RequestHandlerClass = StopHandler
        self.lock = threading.Lock()
        self.requests, self.questions = [], []  # (method, path) of all; what was asked: "list", "machine", "permissions", or done: "stop", "start"
        # All that doesn't only read: method, path, query, body, whether it was the first one of its connection, and the status of its answer. (verb, name) of what was done.
        self.changes, self.executed = [], []
        self.tokens, self.logins = {TOKEN: SCOPES + "cloud-platform"}, []  # {token: its scope}; the scopes that tokens were asked for
        self.permissions, self.tested = {}, []  # {name: what may be done with it}; without: all. Lists of rights that were asked about
        self.closed = set()  # projects whose lists are refused
        self.seen, self.events = collections.Counter(), {}  # questions of a kind; {(kind, number): called before it, and may return an answer}
        # In place of what follows a change, one each: (whether it is done, the answer, or that of the service if it is True).
        self.change_faults = []
        self.before_change, self.after_change = None, None  # called when a change arrives, and before its answer
        self.takes, self.start_ends = 1, "RUNNING"  # states told until a change is over; what a start leads to
        self.pending, self.operations = {}, {}  # {zone URL and name: the states to come}; {request id: the answer}

    def from_now(self, events):
        self.seen.clear()
        self.events = events

    def robot_key(self):
        """The key file of a service account."""
        made = subprocess.run(["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"], check=True, capture_output=True, text=True)
        return json.dumps({"type": "service_account", "project_id": PROJECT, "private_key_id": "k1", "private_key": made.stdout, "client_email": ROBOT,
                           "token_uri": self.url() + "/token"})

    def login(self, form):
        """Signatures are checked by billingexport."""
        part = form.get("assertion", "..").split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) or b"{}")
        if (form.get("grant_type"), claims.get("iss"), claims.get("aud")) != ("urn:ietf:params:oauth:grant-type:jwt-bearer", ROBOT, self.url() + "/token"):
            return 400, json.dumps({"error": "invalid_grant", "error_description": "Invalid JWT Signature."}).encode(), {}
        self.logins.append(claims["scope"])
        token = f"canary-token-{len(self.logins)}"
        self.tokens[token] = claims["scope"]
        return 200, json.dumps({"access_token": token, "expires_in": 3599, "token_type": "Bearer"}).encode(), {}

    def scope_of(self, headers):
        """Of the token that was sent; None: it does not let in."""
        return self.tokens.get(headers.get("Authorization", "").removeprefix("Bearer "))

    def reply(self, handler, body):
        url = urllib.parse.urlsplit(handler.path)
        asked = dict(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
        self.requests.append((handler.command, url.path))
        if (handler.command, url.path) == ("POST", "/token"):
            return self.login(dict(urllib.parse.parse_qsl(body)))
        listed, found = LIST.fullmatch(url.path), INSTANCE.fullmatch(url.path)
        kind = "list" if listed and handler.command == "GET" else None
        if found:
            kind = {("GET", None): "machine", ("POST", "testIamPermissions"): "permissions"}.get((handler.command, found[4]))
        if not kind and handler.command != "GET":
            return self.answer_to_change(handler, url.path, asked, body)
        if not self.scope_of(handler.headers):
            return fault(401, "authError", "Request had invalid authentication credentials.")
        if not kind:
            return fault(404, "notFound")
        self.questions.append(kind)
        self.seen[kind] += 1
        instead = self.events.get((kind, self.seen[kind]), lambda: None)()
        if isinstance(instead, tuple):
            return instead
        if listed:
            if listed[1] in self.closed:
                return forbidden("compute.instances.list", f"projects/{listed[1]}")
            return self.faults.pop(0) if self.faults else self.listed(asked, listed[1])
        one = self.instance_at(found)
        if not one:
            return not_found(url.path)
        return self.told(one) if kind == "machine" else self.tests(one, handler.headers, body)

    def answer(self, some, token):
        return super().answer([told_of(one) for one in some], token)

    def instance_at(self, found):
        place = f"{PROJECTS}{found[1]}/zones/{found[2]}"
        return next((one for one in self.instances if (one["zone"], one["name"]) == (place, found[3])), None)

    def told(self, one):
        told = 200, json.dumps(told_of(one)).encode(), {}
        self.go_on(one)
        return told

    def tests(self, one, headers, body):
        wanted = json.loads(body)["permissions"]
        if headers.get_content_type() != "application/json" or not all(right.startswith("compute.instances.") for right in wanted):
            return fault(400, "invalid")
        self.tested.append(wanted)
        held = [right for right in wanted if right in self.permissions.get(one["name"], ALL_RIGHTS)]
        return 200, json.dumps({"permissions": held} if held else {}).encode(), {}

    def go_on(self, one):
        to_come = self.pending.get((one["zone"], one["name"]))
        if to_come:
            one.update(to_come.pop(0))
        if to_come == []:
            del self.pending[(one["zone"], one["name"])]

    def answer_to_change(self, handler, path, asked, body):
        change = types.SimpleNamespace(method=handler.command, path=path, query=asked, body=body, is_first=handler.number == 1, status=None)
        self.changes.append(change)
        if self.before_change:
            self.before_change()
        scope = self.scope_of(handler.headers)
        if not scope:
            answer = fault(401, "authError", "Request had invalid authentication credentials.")
        elif handler.headers.get("Content-Length") is None:
            answer = 411, b"A length is required.", {"Content-Type": "text/html"}
        else:
            does, told = self.change_faults.pop(0) if self.change_faults else (True, True)
            done = self.change(change, scope) if does else None
            if self.after_change:
                self.after_change()
            answer = done if told is True else told
        change.status = answer[0] if answer is not RESET else None
        return answer

    def change(self, change, scope):
        found = INSTANCE.fullmatch(change.path)
        verb = found[4] if found else None
        if change.method != "POST" or verb not in VERBS:
            return fault(404, "notFound")
        self.questions.append(verb)
        one, query, place = self.instance_at(found), change.query, change.path.rsplit("/", 1)[0]
        if scope not in (SCOPES + "compute", SCOPES + "cloud-platform"):
            return fault(403, "insufficientPermissions", "Request had insufficient authentication scopes.")
        if change.body or set(query) - ({"requestId", "discardLocalSsd"} if verb == "stop" else {"requestId"}):
            return fault(400, "invalid", "Unknown name: cannot find field.")
        if not REQUEST_ID.fullmatch(query.get("requestId", "")):
            return fault(400, "invalid", "Invalid value for field 'requestId'.")
        if query["requestId"] in self.operations:
            return self.operations[query["requestId"]]
        if not one:
            return not_found(place)
        right = "compute.instances." + verb
        if right not in self.permissions.get(one["name"], ALL_RIGHTS):
            return forbidden(right, place)
        if verb == "stop" and has_local_disk(one) and query.get("discardLocalSsd") != "true":
            return fault(400, "invalid", "VM has a Local SSD attached but an undefined value for `discard-local-ssd`.")
        before, after = ("RUNNING", "TERMINATED") if verb == "stop" else ("TERMINATED", "RUNNING")
        if one["status"] not in (before, after) or (one["zone"], one["name"]) in self.pending:
            return fault(400, "resourceNotReady", f"The resource '{place.removeprefix('/compute/v1/')}' is not ready")
        self.executed.append((verb, one["name"]))
        if one["status"] == before:
            self.begin(verb, one)
        answer = self.operations[query["requestId"]] = operation(verb, one)
        return answer

    def begin(self, verb, one):
        way, last = VERBS[verb]
        last = self.start_ends if verb == "start" else last
        ends = {"status": last, **({"lastStartTimestamp": moment()} if last == "RUNNING" else {"lastStopTimestamp": moment()})}
        states = [{"status": way[at * len(way) // self.takes]} for at in range(self.takes)] + [ends]
        self.pending[(one["zone"], one["name"])] = states
        self.go_on(one)


class StopHandler(Handler):
    number = 0  # of the request on its connection

    def send(self, status, body, headers):
        """Where an answer has ECHO, it repeats the token, as a careless service would."""
        self.close_connection = self.close_connection or "Content-Length" in headers
        super().send(status, body.replace(ECHO, self.headers.get("Authorization", "").removeprefix("Bearer ").encode()), headers)

    def do_GET(self):  # noqa: N802
        self.number += 1
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        with self.server.lock:
            answer = self.server.reply(self, body)
        if answer is not RESET:
            self.send(*answer)
            return
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.rfile.close()
        self.connection.close()

    do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_GET  # noqa: N815
