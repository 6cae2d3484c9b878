#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""realkube.py: kube-apiserver and etcd on free loopback ports, without controllers and kubelets, in a folder of their own.

Prints one line: "no ..." with what is missing, or a JSON object {"port", "folder", "etcd", "seconds"}. The folder has ca.pem, client.pem
and client.key (of the user "client") and otherca.pem; "admin", "actor" and "viewer" have tokens with these names followed by "-canary".
Ends when its input is closed. GPULEDGER_APISERVER is the path of a kube-apiserver; otherwise the one in build/apiserver is used
(tests/apiserver/README.md).
"""
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILT = ROOT / "build" / "apiserver" / "kube-apiserver"
WAIT = 180  # seconds until it must be ready
TOKENS = 'admin-canary,admin,admin-uid,"system:masters"\nactor-canary,actor,actor-uid\nviewer-canary,viewer,viewer-uid\n'


def server():
    """The program to start; a text that begins with "no" if something is missing."""
    named = os.environ.get("GPULEDGER_APISERVER", "")
    path = BUILT if named in ("", "1") else pathlib.Path(named)
    if not path.is_file():
        return "no kube-apiserver (GPULEDGER_APISERVER=1 ./dev deps test builds it)" if path == BUILT else f"no {path}"
    if not shutil.which("etcd"):
        return "no etcd (Debian: etcd-server)"
    return path


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Servers:
    def __init__(self, program, folder):
        self.folder, self.running = folder, []
        client, peer, self.port = free_ports(3)
        self.etcd = f"http://127.0.0.1:{client}"
        peers = f"http://127.0.0.1:{peer}"
        self.start("etcd", ["etcd", "--data-dir", folder / "etcd", "--listen-client-urls", self.etcd, "--advertise-client-urls", self.etcd,
                            "--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers, "--initial-cluster", "default=" + peers])
        self.start("apiserver", [program, "--etcd-servers=" + self.etcd, "--etcd-compaction-interval=0", "--watch-cache-sizes=configmaps#0", "--bind-address=127.0.0.1",
                                 f"--secure-port={self.port}", "--advertise-address=192.0.2.1", "--endpoint-reconciler-type=none",
                                 "--tls-cert-file=good.pem", "--tls-private-key-file=good.key", "--client-ca-file=ca.pem",
                                 "--token-auth-file=tokens.csv", "--authorization-mode=RBAC", "--disable-admission-plugins=ServiceAccount",
                                 "--service-account-issuer=https://kubernetes.invalid", "--service-account-key-file=sa.pub",
                                 "--service-account-signing-key-file=sa.key", "--service-cluster-ip-range=10.96.0.0/24"])

    def start(self, name, command):
        log = open(self.folder / (name + ".log"), "wb")
        self.running.append(subprocess.Popen([str(part) for part in command], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log))

    def is_ready(self):
        context = ssl.create_default_context(cafile=self.folder / "ca.pem")
        connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=5, context=context)
        try:
            connection.request("GET", "/readyz", headers={"Authorization": "Bearer admin-canary"})
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def wait(self):
        until = time.monotonic() + WAIT
        while time.monotonic() < until and all(one.poll() is None for one in self.running):
            if self.is_ready():
                return True
            time.sleep(0.2)
        for log in self.folder.glob("*.log"):
            sys.stderr.write(f"--- {log.name}\n" + log.read_text("utf-8", "replace")[-3000:])
        return False

    def stop(self):
        for one in reversed(self.running):
            one.terminate()
            try:
                one.wait(3)
            except subprocess.TimeoutExpired:
                one.kill()
                one.wait()


def prepare(folder):
    quiet = {"check": True, "cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(["/bin/bash", ROOT / "tests" / "faults" / "certs.sh", folder], **quiet)
    subprocess.run(["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "sa.key"], **quiet)
    subprocess.run(["openssl", "ec", "-in", "sa.key", "-pubout", "-out", "sa.pub"], **quiet)
    (folder / "tokens.csv").write_text(TOKENS, "utf-8")


def started(program, folder):
    """Servers that are ready; None if they don't become ready. If one finds its port taken, other ports are chosen."""
    for attempt in range(3):
        place = folder / str(attempt)
        place.mkdir()
        prepare(place)
        servers, is_ready = Servers(program, place), False
        try:
            is_ready = servers.wait()
            if is_ready:
                return servers
            if all(one.poll() is None for one in servers.running):
                return None  # too slow
        finally:
            if not is_ready:
                servers.stop()
    return None


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    program = server()
    if isinstance(program, str):
        print(program, flush=True)
        return 0
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="realkube-") as name:
        servers = started(program, pathlib.Path(name))
        if not servers:
            return 1
        try:
            print(json.dumps({"port": servers.port, "folder": str(servers.folder), "etcd": servers.etcd,
                              "seconds": round(time.monotonic() - began, 1)}), flush=True)
            sys.stdin.read()
        finally:
            servers.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
