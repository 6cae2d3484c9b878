# SPDX-License-Identifier: GPL-3.0-or-later
"""Lambda's Cloud API on a loopback port: the lists of instances and of types. There is no public peer of this service: the fake follows its published
specification (version 1.8.3), and refuses every request that the specification does not allow."""
import json

from keyedserver import KeyedServer

KEY = "canary-lambda_KEY"
ABSENT = object()
TYPES = "/api/v1/instance-types"


def instance(number, name="training-7", status="active", cents=2392, gpus=8, gpu="H100 (80 GB SXM5)", kind="gpu_8x_h100_sxm5", region="us-east-1", reserved=ABSENT, **more):
    """As the list has it; `number` makes an id. `more` are members in place of these."""
    out = {"id": f"{number:032x}", "name": name, "ip": "198.51.100.2", "private_ip": "10.0.2.100", "status": status, "ssh_key_names": ["laptop"],
           "file_system_names": [], "region": {"name": region, "description": "Virginia, USA"},
           "instance_type": {"name": kind, "description": f"{gpus}x {gpu}", "gpu_description": gpu, "price_cents_per_hour": cents,
                             "specs": {"vcpus": 208, "memory_gib": 1800, "storage_gib": 22528, "gpus": gpus}},
           "hostname": "headnode1", "jupyter_token": "canary-jupyter", "jupyter_url": "https://jupyter.example.org/?token=canary-jupyter", "actions": {}, "tags": []}
    if reserved is not ABSENT:
        out["is_reserved"] = reserved
    return {name: value for name, value in {**out, **more}.items() if value is not ABSENT}


def kind(name="gpu_8x_h100_sxm5", cents=2392, gpus=8, gpu="H100 (80 GB SXM5)", regions=("us-east-1",), **more):
    """A type as the list has it; `more` are members of `instance_type` in place of these."""
    return name, {"instance_type": {"name": name, "description": f"{gpus}x {gpu}", "gpu_description": gpu, "price_cents_per_hour": cents,
                                    "specs": {"vcpus": 208, "memory_gib": 1800, "storage_gib": 22528, "gpus": gpus}, **more},
                  "regions_with_capacity_available": [{"name": region, "description": "Virginia, USA"} for region in regions]}


def kinds(*all_of):
    return 200, json.dumps({"data": dict(all_of)}).encode(), {}


def fault(status, code="global/unknown", message="said so", suggestion="Try again shortly", headers=None):
    return status, json.dumps({"error": {"code": code, "message": message, "suggestion": suggestion}}).encode(), headers or {}


def page(*rows):
    return 200, json.dumps({"data": list(rows)}).encode(), {}


class LambdaCloud(KeyedServer):
    def __init__(self, *instances):
        super().__init__(KEY)
        self.instances = list(instances)
        self.prices = {TYPES: kinds(kind())}

    def refusal(self, status, words):
        return fault(status, {401: "global/invalid-api-key", 403: "global/account-inactive"}.get(status, "global/unknown"), words)

    def answer(self, path, query):
        if path != "/api/v1/instances" or query:
            return fault(404, "global/object-does-not-exist", "no such path")
        return page(*self.instances)
