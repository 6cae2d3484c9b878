# SPDX-License-Identifier: GPL-3.0-or-later
"""Blob storage, and the services that give its tokens, on loopback ports, in the form that Azure documents for version 2021-12-02; what Azurite
has of it was compared with Azurite. The fake refuses every request that the service would refuse."""
import base64
import collections
import email.utils
import hashlib
import http.server
import itertools
import json
import re
import threading
import time
import urllib.parse
from xml.sax.saxutils import escape

from azurecosts import APPLICATION, DROPPED, SECRET, TENANT

ACCOUNT, VERSION, BOM = "companybills", "2021-12-02", b"\xef\xbb\xbf"
Asked = collections.namedtuple("Asked", "method path query headers target")


class Loopback(http.server.ThreadingHTTPServer):
    """Keeps what it was asked. `answer(asked, body)` gives (status, body, headers)."""
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked, self.skew = [], 0  # seconds that its clock is ahead
        self.address = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def answer(self, asked, body):
        return 200, b"", {}

    def close(self):
        self.shutdown()
        self.server_close()

    def handle_error(self, request, client_address):
        """A client that was killed is no failure."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path, _, query = self.path.partition("?")
        asked = Asked(self.command, urllib.parse.unquote(path), dict(urllib.parse.parse_qsl(query, keep_blank_values=True)), self.headers, self.path)
        self.server.asked.append(asked)
        status, body, headers = self.server.answer(asked, self.rfile.read(int(self.headers["Content-Length"] or 0)).decode())
        if status == DROPPED:
            self.close_connection = True
            return
        length = headers.get("Content-Length", str(len(body)))
        self.send_response(status)
        for name, value in {**headers, "Content-Length": length}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = int(length) != len(body)

    do_POST = do_GET

    def date_time_string(self, timestamp=None):
        return super().date_time_string((timestamp or time.time()) + self.server.skew)

    def log_message(self, *_):
        pass


def refusal(status, code, message="said so", **headers):
    body = f"<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>{code}</Code><Message>{escape(message)}\nRequestId:1\nTime:2026-11-20T10:00:00.0000000Z</Message></Error>"
    return status, BOM + body.encode(), {"x-ms-error-code": code, "x-ms-request-id": "1", "Content-Type": "application/xml", **headers}


class FakeStore(Loopback):
    """A storage account with one container: lists have a BOM, ETags without quotes and opaque markers, and `page` blobs at a time, with `gap` after an
    empty page. `before(asked)` may answer in its place."""

    def __init__(self, container="exports"):
        super().__init__()
        self.url, self.base = f"{self.address}/{ACCOUNT}", f"/{ACCOUNT}/{container}"
        self.blobs, self.ranges, self.unchecked, self.page, self.numbers = {}, [], [], 5000, itertools.count(1)
        self.tokens, self.signature, self.quote, self.with_folders, self.gap = set(), None, "", False, False
        self.before = lambda asked: None

    def put(self, name, content, age=3600):
        self.blobs[name] = (content, f"0x8DE{next(self.numbers):012X}", email.utils.formatdate(time.time() - age, usegmt=True))

    def answer(self, asked, body):
        return self.before(asked) or self.refuse(asked) or (self.list(asked.query) if asked.path == self.base else self.get(asked))

    def refuse(self, asked):
        """What a credential lacks; None if it suffices."""
        scheme, _, token = (asked.headers["Authorization"] or "").partition(" ")
        if scheme and "sig" in asked.query:
            return refusal(403, "AuthenticationFailed", "Two credentials.")
        if "sig" in asked.query:
            return None if asked.query["sig"] == self.signature else refusal(403, "AuthenticationFailed", "Signature did not match.")
        if not scheme:
            return refusal(401, "NoAuthenticationInformation", **{"WWW-Authenticate": "Bearer resource_id=https://storage.azure.com"})
        if asked.headers["x-ms-version"] != VERSION:
            return refusal(403, "AuthenticationFailed", "Authentication scheme Bearer is not supported in this version.")
        if scheme != "Bearer" or token not in self.tokens:
            return refusal(401, "InvalidAuthenticationInfo", "The token is expired.", **{"WWW-Authenticate": "Bearer resource_id=https://storage.azure.com"})
        return None

    def list(self, query):
        if (query.get("restype"), query.get("comp")) != ("container", "list"):
            return refusal(400, "InvalidQueryParameterValue")
        found = re.fullmatch(r"2!\d+!\+{4}([\w+/=]*)", query.get("marker", ""))  # the characters "+" show whether it was encoded
        if query.get("marker") and not found:
            return refusal(400, "InvalidQueryParameterValue")
        begin = base64.b64decode(found[1]).decode() if found else ""
        blobs = dict(self.blobs)
        if self.with_folders:  # as accounts with a hierarchical namespace list them
            blobs.update({name[:at.start()]: (b"", "0x8DE0", one[2]) for name, one in self.blobs.items() for at in re.finditer("/", name)})
        names = sorted(name for name in blobs if name.startswith(query.get("prefix", "")) and name > begin)
        most = 0 if self.gap and not found else min(self.page, int(query.get("maxresults", 5000)))
        parts = []
        for name in names[:most]:
            content, etag, stamp = blobs[name]
            parts.append(f"<Blob><Name>{escape(name)}</Name><Properties><Creation-Time>{stamp}</Creation-Time><Last-Modified>{stamp}</Last-Modified>"
                         f"<Etag>{self.quote}{etag}{self.quote}</Etag>{'' if name in self.blobs else '<ResourceType>directory</ResourceType>'}"
                         f"<Content-Length>{len(content)}</Content-Length><Content-Type>application/octet-stream</Content-Type><Content-Encoding /><Content-Language />"
                         f"<Content-CRC64 /><Content-MD5>{md5(content)}</Content-MD5><Cache-Control /><Content-Disposition /><BlobType>BlockBlob</BlobType>"
                         "<AccessTier>Hot</AccessTier><AccessTierInferred>true</AccessTierInferred><LeaseStatus>unlocked</LeaseStatus><LeaseState>available</LeaseState>"
                         "<ServerEncrypted>true</ServerEncrypted></Properties><OrMetadata /></Blob>")
        text = base64.b64encode(names[most - 1].encode() if most else b"").decode() if len(names) > most else None
        end = "<NextMarker />" if text is None else f"<NextMarker>2!{len(text) + 4}!++++{text}</NextMarker>"
        return 200, BOM + (f"<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults ServiceEndpoint=\"{self.address}/\" ContainerName=\"exports\">"
                           f"<Prefix>{escape(query.get('prefix', ''))}</Prefix><MaxResults>{most}</MaxResults><Blobs>{''.join(parts)}</Blobs>{end}"
                           "</EnumerationResults>").encode(), {"Content-Type": "application/xml", "x-ms-request-id": "1", "x-ms-version": VERSION}

    def get(self, asked):
        if not asked.path.startswith(self.base + "/"):
            return refusal(404, "ContainerNotFound")
        name, condition = asked.path.removeprefix(self.base + "/"), asked.headers["If-Match"]
        if name not in self.blobs:
            return refusal(404, "BlobNotFound")
        content, etag, stamp = self.blobs[name]
        if condition is None and not name.endswith("/manifest.json"):
            self.unchecked.append(name)
        if condition not in (None, f"\"{etag}\""):
            return refusal(412, "ConditionNotMet")
        headers = {"Content-Type": "application/octet-stream", "ETag": f"\"{etag}\"", "Last-Modified": stamp, "Accept-Ranges": "bytes", "x-ms-blob-type": "BlockBlob",
                   "x-ms-request-id": "1", "x-ms-version": VERSION}
        part = re.fullmatch(r"bytes=(\d+)-(\d+)", asked.headers["x-ms-range"] or asked.headers["Range"] or "")
        if not part:
            return 200, content, {**headers, "Content-MD5": md5(content)}
        first, last = map(int, part.groups())
        if first >= len(content):
            return refusal(416, "InvalidRange", **{"Content-Range": f"bytes */{len(content)}"})
        if not name.endswith("/manifest.json"):
            self.ranges.append((first, last))
        return 206, content[first:last + 1], {**headers, "Content-Range": f"bytes {first}-{min(last, len(content) - 1)}/{len(content)}"}


def md5(content):
    return base64.b64encode(hashlib.md5(content, usedforsecurity=False).digest()).decode()


class FakeLogin(Loopback):
    """The login service, and the identity service of a machine. A token that it gives ends the one before."""

    def __init__(self, store):
        super().__init__()
        self.store = store

    def answer(self, asked, body):
        if (asked.method, asked.path) == ("POST", f"/{TENANT}/oauth2/v2.0/token"):
            if dict(urllib.parse.parse_qsl(body)) != {"grant_type": "client_credentials", "client_id": APPLICATION, "client_secret": SECRET,
                                                      "scope": "https://storage.azure.com/.default"}:
                return 401, json.dumps({"error": "invalid_client", "error_description": "AADSTS7000215: Invalid client secret provided.\r\nTrace ID: 1",
                                        "error_codes": [7000215]}).encode(), {}
            more = {"expires_in": 3599, "ext_expires_in": 3599}
        elif (asked.method, asked.path) == ("GET", "/metadata/identity/oauth2/token"):
            if asked.headers["Metadata"] != "true" or asked.query.get("resource") != "https://storage.azure.com/" or "api-version" not in asked.query:
                return 400, b'{"error":"invalid_request","error_description":"Required metadata header not specified"}', {}
            more = {"expires_in": "86399", "expires_on": "4070908800", "resource": asked.query["resource"]}
        else:
            return 404, b"", {}
        token = f"canary-token-{len(self.asked)}"
        self.store.tokens = {token}
        return 200, json.dumps({"token_type": "Bearer", "access_token": token, **more}).encode(), {"Content-Type": "application/json"}
