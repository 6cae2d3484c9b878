#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""billserver.py KIND [denied]: the fake of a bill's service (costexplorer, azurecosts) as a process of its own, for tests that are no Python.
Prints its port, and ends when its input ends. `denied`: every question is refused."""
import sys

import azurecosts
import costexplorer

DENIED = {"costexplorer": costexplorer.fault(400, "AccessDeniedException"), "azurecosts": azurecosts.fault(403, "AuthorizationFailed")}


def main():
    kind = sys.argv[1]
    server = azurecosts.AzureCosts() if kind == "azurecosts" else costexplorer.CostExplorer()
    if "denied" in sys.argv[2:]:
        server.faults = [DENIED[kind]] * 1000
    print(f"port {server.server_address[1]}", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
