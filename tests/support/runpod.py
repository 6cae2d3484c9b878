# SPDX-License-Identifier: GPL-3.0-or-later
"""The API v2 of RunPod on a loopback port, computed from charges. There is no public peer of this service: the fake follows its published
specification (version 2.0.0) and refuses every request that the specification does not allow. `faults` are given out one per question, in place
of an answer; each is (status, body, headers), and status DROPPED ends the connection in the middle of an answer."""
import datetime
import decimal
import http.server
import json
import threading
import urllib.parse

KEY = "canary-rpa_KEY"
DROPPED = 0
PARTS = {
    "pods": ("podId", ("gpuAmount", "cpuAmount", "diskAmount")),
    "serverless": ("serverlessId", ("gpuAmount", "cpuAmount", "diskAmount", "feeAmount")),
    "network-volumes": ("networkVolumeId", ("standardAmount", "highPerformanceAmount")),
    "clusters": ("clusterId", ("gpuAmount", "diskAmount", "networkingAmount")),
    "endpoints": (None, ()),
}


def charge(family, day, identity="", total=None, **parts):
    """`total` of the record, which its parts may not add up to."""
    parts = {name: decimal.Decimal(amount) for name, amount in parts.items()}
    assert set(parts) <= set(PARTS[family][1])
    total = sum(parts.values(), decimal.Decimal(0)) if total is None else decimal.Decimal(total)
    return {"family": family, "day": datetime.date.fromisoformat(day), "id": identity, "parts": parts, "total": total}


def pod(identity, name, gpu="NVIDIA H100 80GB HBM3", count=1, cloud="SECURE", center="US-KS-2"):
    return {"id": identity, "name": name, "status": "RUNNING", "actions": ["stop", "restart", "terminate"], "gpu": {"id": gpu, "count": count}, "cloud": cloud,
            "dataCenterId": center, "cost": 2.69, "locked": False, "mounts": {}, "runtime": None, "createdAt": "2026-09-01T00:00:00Z", "startedAt": None}


def fault(status, title="", detail="said so", headers=None, errors=None):
    """As RFC 9457 has it."""
    body = {"title": title, "status": status, "detail": detail, **({"errors": errors} if errors else {})}
    return status, json.dumps(body).encode(), {"Content-Type": "application/problem+json", **(headers or {})}


def number(amount):
    """A JSON number; small ones as 1.2E-05."""
    amount = decimal.Decimal(amount)
    return f"{amount:E}" if amount and abs(amount) < decimal.Decimal("0.001") else f"{amount:f}"


class Runpod(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, *charges):
        super().__init__(("127.0.0.1", 0), Handler)
        self.charges, self.pods, self.faults, self.asked, self.denied, self.key = list(charges), [], [], [], (), KEY
        self.unlisted = {}  # date: what the account's total has and no record
        self.on_question = None  # called before each answer
        self.loose = decimal.Decimal(0)  # what the total of all days has and no day
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """A client that was killed is no failure."""

    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def close(self):
        self.shutdown()
        self.server_close()

    def total(self, begin, end):
        begin, end = datetime.date.fromisoformat(begin), datetime.date.fromisoformat(end)
        days = [one["total"] for one in self.charges if begin <= one["day"] < end] + [more for day, more in self.unlisted.items() if begin <= day < end]
        return sum(days, decimal.Decimal(0))

    def records(self, family, begin, end):
        """Texts of records, their total and, for a path of its own, nothing else."""
        def bounds(day):
            return f'"startTime":"{day}T00:00:00Z","endTime":"{day + datetime.timedelta(1)}T00:00:00Z"'
        inside = [one for one in self.charges if begin <= one["day"] < end]
        if not family:
            days = {}
            for one in inside:
                days[one["day"]] = days.get(one["day"], 0) + one["total"]
            for day, more in self.unlisted.items():
                if begin <= day < end:
                    days[day] = days.get(day, 0) + more
            texts = [f'{{{bounds(day)},"totalAmount":{number(amount)}}}' for day, amount in days.items()]
            return texts, sum(days.values(), decimal.Decimal(0)) + self.loose
        key, names = PARTS[family]
        texts = []
        for one in reversed([one for one in inside if one["family"] == family]):
            parts = "".join(f',"{name}":{number(one["parts"].get(name, 0))}' for name in names)
            identity = f',{json.dumps(key)}:{json.dumps(one["id"])}' if key else ""
            texts.append(f'{{{bounds(one["day"])}{identity},"totalAmount":{number(one["total"])}{parts}}}')
        return texts, sum((one["total"] for one in inside if one["family"] == family), decimal.Decimal(0))

    def answer(self, path, query):
        if path == "/v2/pods":
            return 200, json.dumps({"pods": self.pods}).encode(), {}
        family = path.removeprefix("/v2/billing").removeprefix("/")
        if family and family not in PARTS or not path.startswith("/v2/billing"):
            return fault(404, "Not Found", "resource not found")
        if set(query) != {"startTime", "endTime", "bucketSize"} or query["bucketSize"] != "day":
            return fault(400, "Bad Request", "request could not be processed", errors=["$.bucketSize: day"])
        begin, end = (datetime.datetime.fromisoformat(query[name].replace("Z", "+00:00")) for name in ("startTime", "endTime"))
        texts, total = self.records(family, begin.date(), end.date())
        text = (f'{{"records":[{",".join(texts)}],"metadata":{{"query":{{"startTime":"{query["startTime"]}","endTime":"{query["endTime"]}","bucketSize":"day"}},'
                f'"recordCount":{len(texts)},"totals":{{"totalAmount":{number(total)}}}}}}}')
        return 200, text.encode(), {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_POST(self):  # noqa: N802
        self.send(*fault(405, "Method Not Allowed"))

    do_DELETE = do_POST  # noqa: N815

    def do_GET(self):  # noqa: N802
        with self.server.lock:
            status, body, headers = self.reply()
        self.send(status, body, headers)

    def send(self, status, body, headers):
        self.send_response(status or 200)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body) + (status == DROPPED)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.close_connection = status == DROPPED
        try:
            self.wfile.write(body)
        except OSError:
            pass

    def reply(self):
        server, url = self.server, urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        server.asked.append((url.path, query.get("startTime", "")[:7]))
        if self.headers.get("Authorization") != f"Bearer {server.key}":
            return fault(401, "Unauthorized", f"not a key: {self.headers.get('Authorization')}")
        if server.on_question:
            server.on_question()
        if server.faults:
            one = server.faults.pop(0)
            if one:
                return one
        if any(url.path.startswith(path) for path in server.denied):
            return fault(403, "Forbidden", "access denied")
        return server.answer(url.path, query)
