#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""mailserver.py FOLDER: a mail server (SMTP) on loopback that writes each message to FOLDER/N.eml, and what the email package of Python
reads in it to FOLDER/N.json.

Prints its port and ends when its input is closed. Recipients: `later@` is put off once, `never@` is refused. Senders: `busy@` is put off,
`full@` is refused after the message, `mute@` gets no answer to QUIT. A wrong password is repeated in the answer.
"""
import argparse
import base64
import email
import email.policy
import json
import os
import re
import socketserver
import ssl
import sys
import threading
import time

LOCK = threading.Lock()


class Session(socketserver.StreamRequestHandler):
    timeout = 60

    def handle(self):
        self.options = self.server.options
        self.tls, self.login, self.put_off = False, None, self.server.put_off
        if self.options.smtps:
            self.encrypt()
        if self.options.hang:
            self.rfile.readline()
            return
        self.sender, self.recipients = None, []
        self.say("220 mail.example.org ready")
        while line := self.rfile.readline():
            verb, _, rest = line.decode("latin-1").strip().partition(" ")
            answer = getattr(self, "on_" + verb.lower(), None)
            if answer is None:
                self.say("502 5.5.2 unknown command")
            elif answer(rest) is False:
                return

    def say(self, *lines):
        self.wfile.write(b"".join(f"{line}\r\n".encode() for line in lines))

    def encrypt(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.options.cert, self.options.key)
        self.connection = context.wrap_socket(self.connection, server_side=True)
        self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)
        self.tls = True

    def on_ehlo(self, _):
        more = ["STARTTLS"] if self.options.starttls and not self.tls else []
        more += ["AUTH PLAIN LOGIN"] if self.options.login else []
        lines = ["mail.example.org", "8BITMIME", "SIZE 1000000", *more]
        self.say(*[f"250{'-' if i + 1 < len(lines) else ' '}{line}" for i, line in enumerate(lines)])

    def on_starttls(self, _):
        self.say("220 go ahead")
        self.encrypt()

    def on_auth(self, rest):
        method, _, first = rest.partition(" ")
        if method.upper() != "PLAIN":
            return self.say("504 5.5.4 not offered")
        if not first:
            self.say("334 ")
            first = self.rfile.readline().decode().strip()
        _, user, password = base64.b64decode(first).decode().split("\0")
        if f"{user}:{password}" != self.options.login:
            return self.say(f"535 5.7.8 {user} with {password} ({first}) is wrong")
        self.login = user
        return self.say("235 2.7.0 welcome")

    def on_mail(self, rest):
        self.sender = re.match(r"FROM:<([^>]*)>", rest, re.I)[1]
        if self.options.login and not self.login:
            return self.say("530 5.7.0 authentication required")
        return self.say("451 4.3.2 try again" if self.sender.startswith("busy@") else "250 2.1.0 ok")

    def on_rcpt(self, rest):
        address = re.match(r"TO:<([^>]*)>", rest, re.I)[1]
        if address.startswith("never@"):
            return self.say("550 5.1.1 no such user")
        if address.startswith("later@") and address not in self.put_off:
            self.put_off.add(address)
            return self.say("451 4.7.1 greylisted")
        self.recipients.append(address)
        return self.say("250 2.1.5 ok")

    def on_data(self, _):
        if not self.recipients:
            return self.say("503 5.5.1 no recipients")
        self.say("354 go on")
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line[1:] if line.startswith(b".") else line)
        if self.sender.startswith("full@"):
            return self.say("552 5.2.2 mailbox full")
        self.keep(b"".join(lines))
        return self.say("250 2.0.0 queued")

    def on_quit(self, _):
        if self.sender and self.sender.startswith("mute@"):
            time.sleep(30)
            return False
        self.say("221 bye")
        return False

    def keep(self, raw):
        read = email.message_from_bytes(raw, policy=email.policy.default)
        parts = {part.get_content_type(): part.get_content() for part in read.walk() if not part.is_multipart()}
        record = {"from": self.sender, "to": self.recipients, "tls": self.tls, "login": self.login,
                  "headers": [[name, str(value)] for name, value in read.items()], "subject": str(read["Subject"]),
                  "date": read["Date"].datetime.isoformat(), "type": read.get_content_type(),
                  "text": parts.get("text/plain"), "html": parts.get("text/html"),
                  "encodings": sorted({str(part["Content-Transfer-Encoding"]) for part in read.walk() if not part.is_multipart()}),
                  "defects": [str(defect) for part in read.walk() for defect in part.defects],
                  "longest": max(len(line) for line in raw.split(b"\r\n")), "bare": len(re.findall(rb"(?<!\r)\n|\r(?!\n)", raw))}
        with LOCK:
            self.server.count += 1
            base = os.path.join(self.options.folder, str(self.server.count))
            with open(base + ".eml", "wb") as file:
                file.write(raw)
            with open(base + ".json", "w", encoding="utf-8") as file:
                json.dump(record, file)


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    count = 0

    def handle_error(self, request, client_address):
        """A client that ends early is not worth a trace."""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--cert")
    parser.add_argument("--key")
    parser.add_argument("--login", help="USER:PASSWORD")
    for flag in ("--starttls", "--smtps", "--hang"):
        parser.add_argument(flag, action="store_true")
    server = Server(("127.0.0.1", 0), Session)
    server.options, server.put_off = parser.parse_args(), set()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print("port", server.server_address[1], flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
