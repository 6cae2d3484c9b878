# SPDX-License-Identifier: GPL-3.0-or-later
"""Compute Engine's list of instances (compute/v1 instances.aggregatedList), on a loopback port. There is no public peer: the fake follows the contract.
Pages are cut within zones, the second one has no instance but a token, empty zones carry a warning, and zones that are down are in `unreachables`. It refuses requests
that the service would refuse. `faults` are given out one per request, in place of an answer."""
import http.server
import json
import threading
import urllib.parse

TOKEN, PROJECT = "ya29.canary-token", "ml-training"
BASE = "https://www.googleapis.com/compute/v1/projects/" + PROJECT


def instance(name, started, status="RUNNING", kind="a3-highgpu-8g", zone="us-central1-a", gpus=(), labels=None, **more):
    """An instance; `gpus` are pairs of an accelerator type and a number."""
    return {"kind": "compute#instance", "id": "6123456789012345678", "name": name, "zone": f"{BASE}/zones/{zone}", "status": status,
            "machineType": f"{BASE}/zones/{zone}/machineTypes/{kind}", "creationTimestamp": "2026-11-01T00:00:00.000-07:00", "lastStartTimestamp": started,
            "guestAccelerators": [{"acceleratorType": f"{BASE}/zones/{zone}/acceleratorTypes/{kind}", "acceleratorCount": count} for kind, count in gpus],
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

    def listed(self, asked):
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
        some = self.instances[first:first + self.page]
        return self.answer(some, str(first + self.page) if first + self.page < len(self.instances) else "")

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
        self.server.asked.append(asked)
        if self.headers.get("Authorization") != "Bearer " + TOKEN:
            status, body, headers = fault(401, "authError")
        elif parts.path != f"/compute/v1/projects/{PROJECT}/aggregated/instances":
            status, body, headers = fault(404, "notFound")
        elif self.server.faults:
            status, body, headers = self.server.faults.pop(0)
        else:
            status, body, headers = self.server.listed(asked)
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass
