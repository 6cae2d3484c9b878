# SPDX-License-Identifier: GPL-3.0-or-later
"""A service on a loopback port that answers GET with JSON to those who have its API key; the fakes of bills derive from it. `faults` are given
out one per question, in place of an answer (None: an answer); each is (status, body, headers), and status DROPPED ends the connection in the
middle of an answer."""
import http.server
import threading
import urllib.parse

DROPPED = 0


class KeyedServer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, key):
        super().__init__(("127.0.0.1", 0), Handler)
        self.key, self.faults, self.asked, self.denied = key, [], [], ()  # `denied`: beginnings of paths
        self.faults_at = {}  # path: as `faults`, but for questions of this path alone
        self.on_question = None  # called before each answer
        # path: (status, body, headers). Prices are asked for beside the bill, and their faults are their own.
        self.prices, self.price_faults, self.prices_asked = {}, [], []
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """A client that was killed is no failure."""

    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def close(self):
        self.shutdown()
        self.server_close()

    def refusal(self, status, words):
        """An error of the service."""
        raise NotImplementedError

    def answer(self, path, query):
        """(status, body, headers)"""
        raise NotImplementedError

    def noted(self, path, query):
        """What is appended to `asked`."""
        return path, query


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_POST(self):  # noqa: N802
        self.send(*self.server.refusal(405, "Method Not Allowed"))

    do_PUT = do_DELETE = do_POST  # noqa: N815

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
        if url.path in server.prices:
            return self.price_reply(url.path, query)
        server.asked.append(server.noted(url.path, query))
        if self.headers.get("Authorization") != f"Bearer {server.key}":
            return server.refusal(401, f"not a key: {self.headers.get('Authorization')}")
        if server.on_question:
            server.on_question()
        if server.faults:
            one = server.faults.pop(0)
            if one:
                return one
        if server.faults_at.get(url.path):
            one = server.faults_at[url.path].pop(0)
            if one:
                return one
        if any(url.path.startswith(path) for path in server.denied):
            return server.refusal(403, "access denied")
        return server.answer(url.path, query)

    def price_reply(self, path, query):
        server = self.server
        server.prices_asked.append(path)
        if self.headers.get("Authorization") != f"Bearer {server.key}":
            return server.refusal(401, "not a key")
        if server.price_faults:
            return server.price_faults.pop(0)
        if any(path.startswith(denied) for denied in server.denied):
            return server.refusal(403, "access denied")
        return server.refusal(400, "unknown parameter") if query else server.prices[path]
