# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes of a real Thanos on free ports of 127.0.0.1. GPULEDGER_THANOS names the program (see tests/README.md)."""
import os
import signal
import subprocess

import promserver

PROGRAM = os.environ.get("GPULEDGER_THANOS", "")


class Peer:
    """One process, whose role `arguments` select; whoever starts it ends it."""

    def __init__(self, log, *arguments):
        self.grpc, self.http = promserver.free_port(), promserver.free_port()
        self.url = f"http://127.0.0.1:{self.http}"
        with open(log, "w", encoding="utf-8") as file:
            self.process = subprocess.Popen([PROGRAM, *arguments, f"--grpc-address=127.0.0.1:{self.grpc}", f"--http-address=127.0.0.1:{self.http}"],
                                            stdin=subprocess.DEVNULL, stdout=file, stderr=file)

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(20)
