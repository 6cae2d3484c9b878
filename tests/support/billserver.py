#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""billserver.py KIND [denied]: the fake of a bill's service (costexplorer, azurecosts, bigquery, runpod, vastai, lambda) as a process of its own, for tests that are no Python.
Prints its port, and ends when its input ends. `denied`: every question is refused. BigQuery accepts the token "canary-token"."""
import sys

import azurecosts
import billingexport
import costexplorer
import lambdacloud
import runpod
import vastai

DENIED = {"costexplorer": costexplorer.fault(400, "AccessDeniedException"), "azurecosts": azurecosts.fault(403, "AuthorizationFailed"),
          "bigquery": billingexport.fault(403, "accessDenied"), "runpod": runpod.fault(403, "Forbidden"), "vastai": vastai.fault(403, "auth_error"),
          "lambda": lambdacloud.fault(403, "global/account-inactive")}


def bigquery():
    server = billingexport.BillingExport(billingexport.usage("2026-11-18T05:00:00", 44.07, "Nvidia Tesla A100 GPU running in Iowa", name="gpu-1"))
    server.valid, server.left = "canary-token", server.token_lasts
    return server


def main():
    kind = sys.argv[1]
    server = {"costexplorer": costexplorer.CostExplorer, "azurecosts": azurecosts.AzureCosts, "bigquery": bigquery, "runpod": runpod.Runpod,
              "vastai": vastai.Vastai, "lambda": lambdacloud.LambdaCloud}[kind]()
    if "denied" in sys.argv[2:]:
        server.faults = [DENIED[kind]] * 1000
        server.budgets = None
    print(f"port {server.server_address[1]}", flush=True)
    sys.stdin.read()
    if kind == "bigquery":
        server.close()


if __name__ == "__main__":
    main()
