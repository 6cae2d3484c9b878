#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""h2server.py [CERT KEY]: a minimal HTTP/2 server on 127.0.0.1 for tests of a client. Prints "port N"; ends when its input is closed.

Every stream is answered after a moment with JSON that names the connection, the stream, and the number of streams that were open at once on
the connection. Request headers are not decoded. A client that does not offer h2 is rejected. Without a certificate it speaks HTTP/2 on plain
TCP, and ends each answer with trailers.
"""
import json
import socket
import ssl
import struct
import sys
import threading
import time

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, SETTINGS, PING, GOAWAY, CONTINUATION = 0, 1, 4, 6, 7, 9
END_STREAM, ACK, END_HEADERS = 1, 1, 4
DELAY = 0.3


def frame(kind, flags, stream, body=b""):
    return struct.pack(">I", len(body))[1:] + struct.pack(">BBI", kind, flags, stream) + body


def literal(name, value):
    """A field of HPACK that is not indexed."""
    return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value


def exactly(peer, count):
    data = b""
    while len(data) < count:
        piece = peer.recv(count - len(data))
        if not piece:
            raise EOFError
        data += piece
    return data


class Connection:
    def __init__(self, peer, number, trails=False):
        self.peer, self.number, self.trails = peer, number, trails
        self.lock, self.open, self.most = threading.Lock(), set(), 0

    def send(self, *frames):
        with self.lock:
            self.peer.sendall(b"".join(frames))

    def answer(self, stream):
        time.sleep(DELAY)
        body = json.dumps({"connection": self.number, "stream": stream, "most": self.most}).encode()
        kind = b"application/json"
        fields = b"\x88" + b"\x0f\x10" + bytes([len(kind)]) + kind  # :status 200, content-type
        self.open.discard(stream)
        frames = [frame(HEADERS, END_HEADERS, stream, fields), frame(DATA, 0 if self.trails else END_STREAM, stream, body)]
        if self.trails:
            trailers = literal(b"grpc-status", b"5") + literal(b"grpc-message", b"not%20here") + literal(b"other", b"x")
            frames.append(frame(HEADERS, END_HEADERS | END_STREAM, stream, trailers))
        try:
            self.send(*frames)
        except OSError:
            pass

    def serve(self):
        if exactly(self.peer, len(PREFACE)) != PREFACE:
            return
        self.send(frame(SETTINGS, 0, 0))
        while True:
            head = exactly(self.peer, 9)
            length, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
            stream = int.from_bytes(head[5:], "big") & 0x7fffffff
            body = exactly(self.peer, length)
            if kind == SETTINGS and not flags & ACK:
                self.send(frame(SETTINGS, ACK, 0))
            elif kind == PING and not flags & ACK:
                self.send(frame(PING, ACK, 0, body))
            elif kind == GOAWAY:
                return
            if kind == HEADERS:
                self.open.add(stream)
                self.most = max(self.most, len(self.open))
            if kind in (HEADERS, DATA) and flags & END_STREAM:
                threading.Thread(target=self.answer, args=(stream,), daemon=True).start()


def accept(server, context):
    number = 0
    while True:
        raw, _ = server.accept()
        number += 1
        threading.Thread(target=run, args=(raw, context, number), daemon=True).start()


def run(raw, context, number):
    try:
        if not context:
            with raw:
                Connection(raw, number, trails=True).serve()
            return
        with context.wrap_socket(raw, server_side=True) as peer:
            if peer.selected_alpn_protocol() == "h2":
                Connection(peer, number).serve()
    except (OSError, EOFError):
        pass


def main():
    context = None
    if len(sys.argv) > 1:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
        context.set_alpn_protocols(["h2"])
    server = socket.create_server(("127.0.0.1", 0), backlog=64)
    print("port", server.getsockname()[1], flush=True)
    threading.Thread(target=accept, args=(server, context), daemon=True).start()
    sys.stdin.read()


if __name__ == "__main__":
    main()
