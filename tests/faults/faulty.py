#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""faulty.py [PORT]: an HTTP or HTTPS server on 127.0.0.1 that misbehaves on request. Prints "port N" when it listens.

Plain: the first part of the path names the fault and the rest is free, so http://127.0.0.1:N/gzcut is a base URL for any
client. ?VALUE is the fault's argument. `--list` prints all faults with their arguments.

In front of a real server: --upstream http://127.0.0.1:9090 forwards every request and spoils the chosen ones:
  --fault '/api/v1/query_range@3=reset'     the 3rd request whose path matches (regular expression)
  --fault '/api/v1/query_range@2-4=500'     the 2nd to the 4th        --fault 'query@5+=429'   the 5th and all later ones
  --fault '.*@1=slow?20'                    with the fault's argument
A fault that spoils a body spoils the real one. --always FAULT answers every request with it (e.g. a proxy, or the target of a redirect).

Control: GET /faulty/stats (counts, last requests, credentials seen), POST /faulty/faults with one fault per line (replaces the list and
restarts counting), POST /faulty/reset (resets the counts).
"""
import argparse
import collections
import functools
import gzip
import json
import os
import re
import socket
import ssl
import struct
import sys
import threading
import time
import urllib.error
import urllib.request
import warnings
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MIB = 1 << 20
CREDENTIALS = ("authorization", "proxy-authorization", "x-api-key", "cookie", "x-scope-orgid")
FAULTS = {}


def fault(name):
    """Registers a method of Handler as the fault of that name."""
    def register(function):
        FAULTS[name] = function
        return function
    return register


def series(value, when=1700000000, labels=None):
    return {"metric": {"__name__": "DCGM_FI_DEV_GPU_UTIL", "UUID": "GPU-1", **(labels or {})}, "values": [[when, value]]}


def matrix(*rows, **extra):
    return json.dumps({"status": "success", **extra, "data": {"resultType": "matrix", "result": list(rows)}}).encode()


def prometheus_error(kind, text):
    return json.dumps({"status": "error", "errorType": kind, "error": text}).encode()


@functools.cache
def bomb():
    """About 1 MiB on the wire that decompresses to 1 GiB."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join(packer.compress(bytes(MIB)) for _ in range(1024)) + packer.flush()


GOOD = matrix(series("0.5"))
STATUS = {400: ("bad_data", "invalid parameter"), 422: ("execution", "query processing would load too many samples into memory in query execution"),
          500: ("internal", "an internal error occurred"), 502: ("", ""), 503: ("unavailable", "server is shutting down"),
          504: ("timeout", "query timed out in expression evaluation")}
UNORDERED = {"metric": {"UUID": "GPU-1"}, "values": [[60, "1"], [0, "2"], [60, "3"], [-5, "4"], [9e18, "5"]]}
# Bodies that replace the real one, by name: (body, content type, what it is).
BODIES = {
    "login": (b"<!DOCTYPE html><html><title>Sign in</title><form><input name=user></form></html>", "text/html", "a log-in page with status 200"),
    "mistyped": (None, "text/html", "the right body under a wrong content type"),
    "empty": (b"", "application/json", "status 200 and nothing"),
    "partial": (matrix(warnings=["partial response: store gateway is down"]), "application/json", "a warning that data is missing"),
    "nulldata": (b'{"status":"success","data":null}', "application/json", "success without data"),
    "noresult": (b'{"status":"success","data":{"resultType":"matrix"}}', "application/json", "success without a result"),
    "emptylist": (b'{"status":"success","data":[]}', "application/json", "success with a list of nothing"),
    "types": (b'{"status":"success","data":{"resultType":"matrix","result":[{"metric":null,"values":"x"}]}}', "application/json", "wrong JSON types"),
    "deep": (b"[" * 200000, "application/json", "200,000 brackets"),
    "dupkey": (b'{"status":"success","status":"error","data":{"resultType":"matrix","resultType":"vector","result":[{"metric":{"UUID":"GPU-1",'
               b'"UUID":"GPU-2"},"values":[[1700000000,"0.5"]],"values":[[1700000000,"0.9"]]}]}}', "application/json", "duplicate keys"),
    "utf8": (GOOD.replace(b"GPU-1", b"GPU-\xff\xfe\xc0\xaf"), "application/json", "invalid UTF-8 in a label"),
    "nan": (matrix(series("NaN"), series("+Inf"), series("-Inf"), series("1e999"), series("")), "application/json", "numbers that are none"),
    "dup": (matrix(series("0.5"), series("0.7")), "application/json", "one series twice"),
    "order": (matrix(UNORDERED), "application/json", "samples out of order, negative and far-future times"),
    "html": (matrix(series("1", labels={"team": "<img src='file:canary.png'><b>x"})), "application/json", "a label with HTML"),
    "ansi": (matrix(series("1", labels={"team": "\x1b]0;pwn\x07\x1b[31mred"})), "application/json", "a label with terminal codes"),
    "csv": (matrix(series("1", labels={"team": "=cmd|' /C calc'!A0"})), "application/json", "a label with a spreadsheet formula"),
    "path": (matrix(series("1", labels={"team": "../../outside"})), "application/json", "a label that climbs out of a folder"),
}


class Plan:
    """The faults that wait for their request, and what was seen so far. Shared by all requests; locked."""

    def __init__(self, specs):
        self._lock = threading.Lock()
        self.hits = collections.Counter()
        self.seen = collections.deque(maxlen=200)
        self.credentials = collections.Counter()
        self.injected = []
        self.set(specs)

    def set(self, specs):
        parsed = [self._parse(s) for s in specs if s.strip()]
        with self._lock:
            self._faults = parsed

    @staticmethod
    def _parse(spec):
        match = re.fullmatch(r"(.+)@(\d+)(?:(\+)|-(\d+))?=([\w-]+)(?:\?(.*))?", spec.strip())
        if not match or not find(match[5]):
            raise ValueError(f"cannot read the fault '{spec}': PATH@N=NAME, PATH@N-M=NAME or PATH@N+=NAME")
        first = int(match[2])
        last = float("inf") if match[3] else int(match[4] or first)
        return {"path": re.compile(match[1]), "first": first, "last": last, "name": match[5], "argument": match[6] or "", "count": 0}

    def reset(self):
        with self._lock:
            self.hits.clear()
            self.seen.clear()
            self.credentials.clear()
            self.injected.clear()
            for waiting in self._faults:
                waiting["count"] = 0

    def note(self, command, path, headers):
        """Counts the request; returns the number of requests for this path (without query), including this one."""
        with self._lock:
            key = path.partition("?")[0]
            self.hits[key] += 1
            self.seen.append({"method": command, "path": path, "headers": {k: v for k, v in headers.items()}})
            for name in CREDENTIALS:
                if name in headers:
                    self.credentials[name] += 1
            return self.hits[key]

    def due(self, path):
        """The (name, argument) of the fault for this request, or None."""
        with self._lock:
            answer = None
            for waiting in self._faults:
                if not waiting["path"].search(path):
                    continue
                waiting["count"] += 1
                if answer is None and waiting["first"] <= waiting["count"] <= waiting["last"]:
                    answer = waiting["name"], waiting["argument"]
                    self.injected.append({"path": path, "fault": waiting["name"]})
            return answer

    def stats(self):
        with self._lock:
            return json.dumps({"hits": self.hits, "credentials": self.credentials, "injected": self.injected,
                               "seen": list(self.seen)}).encode()


def find(name):
    return name in FAULTS or name in BODIES or (name.isdigit() and 200 <= int(name) <= 599)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    plan = None
    upstream = None
    always = None

    def log_message(self, *args):
        pass

    def handle_any(self):
        length = int(self.headers.get("Content-Length") or 0)
        self.body = self.rfile.read(length)
        path, _, query = self.path.partition("?")
        if path.startswith("/faulty/"):
            return self.control(path)
        self.count = self.plan.note(self.command, self.path, self.headers)
        if self.always:
            name, _, argument = self.always.partition("?")
            return self.answer(name, argument)
        due = self.plan.due(self.path)
        if due:
            return self.answer(*due)
        if self.upstream:
            return self.send_good()
        name = path.strip("/").split("/")[0]
        return self.answer(name if find(name) else "good", query if path.count("/") == 1 else "")

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_CONNECT = handle_any

    def control(self, path):
        body, code = b"{}", 200
        if path == "/faulty/stats":
            body = self.plan.stats()
        elif path == "/faulty/reset":
            self.plan.reset()
        elif path == "/faulty/faults":
            try:
                self.plan.set(self.body.decode().splitlines())
            except ValueError as error:
                body, code = str(error).encode(), 400
        else:
            code = 404
        self.head(len(body), code, Content_Type="application/json")
        self.wfile.write(body)

    def answer(self, name, argument):
        if name in FAULTS:
            FAULTS[name](self, argument)
        elif name in BODIES:
            body, kind, _ = BODIES[name]
            self.send_body(self.good()[1] if body is None else body, 200, kind)
        else:
            code = int(name)
            self.send_body(prometheus_error(*STATUS[code]) if code in STATUS else b"", code, "application/json")

    # --- pieces -------------------------------------------------------------------------------------------------------
    def head(self, length, code=200, **headers):
        self.send_response(code)
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), value)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def send_body(self, body, code=200, kind="application/json"):
        self.head(len(body), code, Content_Type=kind)
        self.wfile.write(body)

    def cut(self):
        """Ends the connection with a reset, not with an orderly close."""
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def good(self):
        """(status, body, content type) of the undisturbed answer: the upstream's, or the built-in one."""
        if not self.upstream:
            return 200, GOOD, "application/json"
        headers = {k: v for k, v in self.headers.items() if k.lower() not in ("host", "accept-encoding", "connection", "content-length")}
        request = urllib.request.Request(self.upstream + self.path, data=self.body or None, headers=headers, method=self.command)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as reply:
                return reply.status, reply.read(), reply.headers.get("Content-Type", "application/json")
        except urllib.error.HTTPError as error:
            return error.code, error.read(), error.headers.get("Content-Type", "application/json")
        except OSError as error:
            return 502, str(error).encode(), "text/plain"

    def send_good(self):
        code, body, kind = self.good()
        if "gzip" in (self.headers.get("Accept-Encoding") or "") and len(body) > 256:
            body = gzip.compress(body, 1)
            self.head(len(body), code, Content_Type=kind, Content_Encoding="gzip")
            self.wfile.write(body)
        else:
            self.send_body(body, code, kind)

    # --- faults of the connection and the body ------------------------------------------------------------------------
    @fault("good")
    def _good(self, _):
        """the undisturbed answer"""
        self.send_good()

    @fault("hang")
    def _hang(self, seconds):
        """takes the request and never answers (?SECONDS: then closes)"""
        time.sleep(float(seconds or 3600))
        self.close_connection = True

    @fault("slow")
    def _slow(self, rate):
        """one byte a second (?N: N bytes a second)"""
        _, body, kind = self.good()
        self.head(len(body), Content_Type=kind)
        for i in range(len(body)):
            self.wfile.write(body[i:i + 1])
            self.wfile.flush()
            time.sleep(1 / float(rate or 1))

    @fault("late")
    def _late(self, seconds):
        """the good answer after ?SECONDS (2)"""
        time.sleep(float(seconds or 2))
        self.send_good()

    @fault("reset")
    def _reset(self, _):
        """a reset in mid-body"""
        _, body, kind = self.good()
        self.head(len(body), Content_Type=kind)
        self.wfile.write(body[:len(body) // 2])
        self.cut()

    @fault("drop")
    def _drop(self, _):
        """a reset before any answer"""
        self.cut()

    @fault("short")
    def _short(self, _):
        """an orderly close 100 bytes before the announced end"""
        _, body, kind = self.good()
        self.head(len(body) + 100, Content_Type=kind)
        self.wfile.write(body)
        self.close_connection = True

    @fault("halfjson")
    def _halfjson(self, _):
        """half of the JSON with a matching Content-Length"""
        body = self.good()[1]
        self.send_body(body[:len(body) // 2])

    def spoiled(self, keep, **extra):
        """The undisturbed answer with only those series of its result whose index `keep` accepts."""
        code, body, kind = self.good()
        answer = json.loads(body)
        if isinstance(answer.get("data"), dict) and isinstance(answer["data"].get("result"), list):
            answer["data"]["result"] = [one for i, one in enumerate(answer["data"]["result"]) if keep(i)]
        self.send_body(json.dumps({**answer, **extra}).encode(), code, kind)

    @fault("nothing")
    def _nothing(self, _):
        """the right answer without any of its series"""
        self.spoiled(lambda _: False)

    @fault("half")
    def _half(self, _):
        """every second series, without any indication"""
        self.spoiled(lambda i: i % 2 == 0)

    @fault("ispartial")
    def _ispartial(self, _):
        """every second series, with isPartial as in VictoriaMetrics' cluster version"""
        self.spoiled(lambda i: i % 2 == 0, isPartial=True)

    @fault("gzcut")
    def _gzcut(self, _):
        """half of a gzip stream with a matching Content-Length"""
        body = self.good()[1]
        packed = gzip.compress(body * 99 if body == GOOD else body)
        packed = packed[:len(packed) // 2]
        self.head(len(packed), Content_Type="application/json", Content_Encoding="gzip")
        self.wfile.write(packed)

    @fault("gzbomb")
    def _gzbomb(self, _):
        """1 MiB that decompresses to 1 GiB"""
        packed = bomb()
        self.head(len(packed), Content_Type="application/json", Content_Encoding="gzip")
        self.wfile.write(packed)

    @fault("big")
    def _big(self, _):
        """a body of 10 GiB"""
        self.head(10 << 30, Content_Type="application/json")
        for _ in range(10 << 10):
            self.wfile.write(b" " * MIB)

    @fault("endless")
    def _endless(self, _):
        """chunks forever (10 GiB)"""
        self.head(None, Content_Type="application/json", Transfer_Encoding="chunked")
        for _ in range(10 << 10):
            self.wfile.write(b"100000\r\n" + b" " * MIB + b"\r\n")

    @fault("headers")
    def _headers(self, _):
        """5 MB of headers"""
        self.head(2, **{f"X-{i}": "y" * 1000 for i in range(5000)})
        self.wfile.write(b"{}")

    @fault("cards")
    def _cards(self, count):
        """?N series (1,000,000), chunked"""
        def chunk(data):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.head(None, Content_Type="application/json", Transfer_Encoding="chunked")
        chunk(b'{"status":"success","data":{"resultType":"matrix","result":[')
        total = int(count or 1000000)
        for i in range(0, total, 1000):
            rows = ",".join(json.dumps(series("1", labels={"pod": f"p{j}"})) for j in range(i, min(total, i + 1000)))
            chunk((("," if i else "") + rows).encode())
        chunk(b"]}}")
        self.wfile.write(b"0\r\n\r\n")

    # --- faults of status and headers ---------------------------------------------------------------------------------
    @fault("redirect")
    def _redirect(self, target):
        """302 to ?URL (default: the same path at the name localhost, another origin)"""
        self.head(0, 302, Location=target or f"http://localhost:{self.server.server_address[1]}/good")

    @fault("loop")
    def _loop(self, _):
        """302 to itself"""
        self.head(0, 302, Location=self.path)

    @fault("file")
    def _file(self, target):
        """302 to file:"""
        self.head(0, 302, Location=target or "file:///etc/passwd")

    @fault("401")
    def _401(self, _):
        """401, wrong credentials"""
        self.head(0, 401, WWW_Authenticate='Basic realm="metrics"')

    @fault("late401")
    def _late401(self, count):
        """good for the first ?N requests to this path (2), then 401: the token expired in mid-paging"""
        if self.count <= int(count or 2):
            self.send_good()
        else:
            self._401("")

    @fault("407")
    def _407(self, _):
        """407, a proxy that requires a password"""
        self.head(0, 407, Proxy_Authenticate='Basic realm="proxy"')

    @fault("410")
    def _410(self, _):
        """410, the watch expired"""
        self.send_body(b'{"kind":"Status","status":"Failure","message":"too old resource version","reason":"Expired","code":410}', 410)

    @fault("429")
    def _429(self, seconds):
        """429 with Retry-After ?SECONDS (1)"""
        self.head(0, 429, Retry_After=seconds or "1")

    @fault("429bare")
    def _429bare(self, _):
        """429 without Retry-After"""
        self.head(0, 429)

    @fault("storm")
    def _storm(self, _):
        """500, every time"""
        self.send_body(prometheus_error(*STATUS[500]), 500)

    @fault("flaky")
    def _flaky(self, every):
        """503, and good at every ?Nth request (3)"""
        if self.count % int(every or 3) == 0:
            self.send_good()
        else:
            self.send_body(prometheus_error(*STATUS[503]), 503)

    @fault("lost")
    def _lost(self, _):
        """the request is carried out and its answer is lost"""
        self.good()
        self.cut()


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    context = None

    def finish_request(self, request, client_address):
        # The handshake runs in the request's own thread, so that a silent peer blocks no other request.
        if self.context:
            request.settimeout(30)
            request = self.context.wrap_socket(request, server_side=True)
            request.settimeout(None)
        super().finish_request(request, client_address)

    def handle_error(self, request, client_address):
        pass


def tls_context(options):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if options.tls11:
        warnings.simplefilter("ignore", DeprecationWarning)
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version = ssl.TLSVersion.TLSv1_1
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    context.load_cert_chain(options.cert, options.key)
    if options.client_ca:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(options.client_ca)
    return context


def refused():
    """A port without a listener, reserved so that no other process gets it meanwhile."""
    holder = socket.socket()
    holder.bind(("127.0.0.1", 0))
    print("port", holder.getsockname()[1], flush=True)
    threading.Event().wait()


def never_accept():
    """A port with a full backlog: connections are never accepted."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(0)
    port = listener.getsockname()[1]
    waiting = []
    for _ in range(3):
        client = socket.socket()
        client.setblocking(False)
        client.connect_ex(("127.0.0.1", port))
        waiting.append(client)
    time.sleep(0.2)
    print("port", port, flush=True)
    threading.Event().wait()


def list_faults():
    for name, function in FAULTS.items():
        print(f"{name:10} {function.__doc__}")
    for name, (_, _, text) in BODIES.items():
        print(f"{name:10} {text}")
    print("200..599   that status")


def end_with_stdin():
    sys.stdin.buffer.read()
    os._exit(0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("port", nargs="?", type=int, default=0)
    parser.add_argument("--list", action="store_true", help="print the faults and end")
    parser.add_argument("--upstream", help="URL of the real server")
    parser.add_argument("--fault", action="append", default=[], help="PATH@N=NAME[?ARGUMENT]; can be repeated")
    parser.add_argument("--always", help="answer every request with this fault")
    parser.add_argument("--cert", help="certificate (chain) in PEM: serve HTTPS")
    parser.add_argument("--key", help="its private key")
    parser.add_argument("--client-ca", help="ask for a client certificate of this CA")
    parser.add_argument("--tls11", action="store_true", help="speak TLS 1.1 only")
    parser.add_argument("--refused", action="store_true", help="no server: a port that refuses")
    parser.add_argument("--never-accept", action="store_true", help="no server: a port that never accepts")
    parser.add_argument("--with-stdin", action="store_true", help="end when standard input is closed")
    options = parser.parse_args()
    if options.list:
        return list_faults()
    if options.with_stdin:
        threading.Thread(target=end_with_stdin, daemon=True).start()
    if options.refused:
        return refused()
    if options.never_accept:
        return never_accept()
    if options.always and not find(options.always.partition("?")[0]):
        parser.error(f"no fault '{options.always}'; --list prints them")
    Handler.always, Handler.upstream = options.always, options.upstream and options.upstream.rstrip("/")
    try:
        Handler.plan = Plan(options.fault)
    except ValueError as error:
        parser.error(str(error))
    server = Server(("127.0.0.1", options.port), Handler)
    if options.cert:
        Server.context = tls_context(options)
    print("port", server.server_address[1], flush=True)
    server.serve_forever()
    return None


if __name__ == "__main__":
    main()
