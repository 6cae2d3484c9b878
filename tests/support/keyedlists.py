# SPDX-License-Identifier: GPL-3.0-or-later
"""Accounts of RunPod, Vast.ai and Lambda whose machines are listed, for tests that all of them pass, and what the time and the money of these machines are
by what the fakes told at each sync: nothing here comes from the program."""
import datetime
import decimal
import json

import lambdacloud
import runpod
import vastai
from keyedbill import HOSTILE

Decimal = decimal.Decimal
BUCKET, QUARTER, DAY = 300, 900, 86400  # lists tell times of whole buckets, and a summary has whole quarters of an hour


def seconds(text):
    return int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())


def days(first, last):
    """(begin, end) of each of these days."""
    one = datetime.date.fromisoformat(first)
    while str(one) <= last:
        yield str(one), str(one + datetime.timedelta(1))
        one += datetime.timedelta(1)


def length(spans, first, last):
    """Seconds between these two that at least one of the spans has."""
    total, until = 0, first
    for begin, end in sorted(spans):
        begin, end = max(begin, until), min(end, last)
        if end > begin:
            total, until = total + end - begin, end
    return total


def readings(begin, hours, *machines):
    """Two GPUs of each (host, name that the exporter gives the machine or ""), which were never busy, as OpenMetrics."""
    lines = ["# TYPE DCGM_FI_DEV_GPU_UTIL gauge"]
    for host, machine in machines:
        for gpu in range(2):
            named = f',machine_id="{machine}"' if machine else ""
            labels = f'UUID="GPU-{host}-{gpu}",gpu="{gpu}",modelName="NVIDIA H100 80GB HBM3",Hostname="{host}"{named}'
            lines += [f"DCGM_FI_DEV_GPU_UTIL{{{labels}}} 0 {at}" for at in range(begin, begin + hours * 3600, 60)]
    return "\n".join(lines) + "\n# EOF\n"


class Account:
    """What a service has in its own way. A test has `server`, a `fake`, and `seen`: (time, machines that were listed) of each sync that read a list.

    `machine(number, gpus, price, **more)` is one that is rented, at this price an hour; `more` are members in place of these. `others()` are not rented.
    `facts(machine)`: (node, GPUs, price, when it started or None); None: it is not rented. `page(*machines)` and `fault(status)` are answers."""
    kind = key = fake = None
    path = right = None  # of the list
    questions = None  # of the bill of three months without charges
    is_estimate = False  # whether the bill is made of the list

    def spans(self):
        """{node: ([(begin, end)], GPUs, price of an hour)}: a begin that nobody told is a bucket before the first of the lists that have it without a gap."""
        out, before, begins = {}, 0, {}
        for now, listed in self.seen:
            assert now % QUARTER == 0
            facts = [one for one in map(self.facts, listed) if one]
            goes_on = begins if now - before <= DAY else {}
            begins = {node: since or goes_on.get(node, now - BUCKET) for node, _, _, since in facts}
            before = now
            for node, gpus, price, _ in facts:
                out[node] = [*out.get(node, ([],))[0], (begins[node], now)], gpus, price
        return out

    def expected(self, first, last):
        """{node: (GPU hours, cost)} between these times, at the prices of the list."""
        out = {node: (length(spans, seconds(first), seconds(last)), gpus, price) for node, (spans, gpus, price) in self.spans().items()}
        return {node: (time * gpus / 3600, float(price * time / 3600)) for node, (time, gpus, price) in out.items() if time}

    def put(self, *machines):
        """The server lists them from now on."""
        self.server.instances = list(machines)

    def names(self, *machines):
        return sorted(self.facts(one)[0] for one in machines)


class OfRunpod(Account):
    kind, key, fake = "runpod", runpod.KEY, runpod.Runpod
    path, right, bill_path, charges_path = "/v2/pods", "GET /v2/pods", "/v2/billing", "/v2/billing/pods"
    questions = 3 * 7

    @staticmethod
    def fault(status, headers=None):
        return runpod.fault(status, "Error", "said so", headers)

    @staticmethod
    def page(*pods):
        return 200, json.dumps({"pods": pods}).encode(), {}

    @staticmethod
    def machine(number, gpus, price, **more):
        return {**runpod.pod(f"k7h2m9x4q1w{number:02}", "training", count=gpus), "cost": float(price), **more}

    @staticmethod
    def facts(one):
        gpu, runtime = one["gpu"] or {"count": 0}, one["runtime"] or {}
        seen = runtime.get("gpus")
        gpus = gpu["count"] if seen is None else min(gpu["count"], len(seen))
        if one["status"] != "RUNNING" or one.get("cluster") or gpus < 1:
            return None
        return one["id"], gpus, Decimal(str(one["cost"])), one["startedAt"] and seconds(one["startedAt"])

    @staticmethod
    def provider_id(one):
        return "runpod://" + one["id"]

    def put(self, *machines):
        self.server.pods = list(machines)

    def others(self):
        states = ("EXITED", "TERMINATED", "PROVISIONING", "STARTING", "ERROR")
        return [*(self.machine(10 + at, 2, "0", status=status) for at, status in enumerate(states)),
                self.machine(20, 8, "20", cluster={"id": "c1"}), self.machine(21, 0, "0.2"), self.machine(22, 1, "0.2", gpu=None)]

    def hostile(self, number):
        return {**runpod.pod(f"hostile{number}", HOSTILE, HOSTILE, 2, HOSTILE, HOSTILE), "cost": 3}

    def billed(self, first, last):
        """Machine 1, a pod that nobody lists, and another service; all of their sums are exact."""
        pod = self.machine(1, 2, "1")["id"]
        return [one for day, _ in days(first, last) for one in (
            runpod.charge("pods", day, pod, gpuAmount="48"), runpod.charge("pods", day, "gone", gpuAmount="7.01", diskAmount="0.5"),
            runpod.charge("network-volumes", day, "vol", standardAmount="0.7"))]

    expected_rate = None  # of the days before: the bill has no hours

    @staticmethod
    def cost_by_bill(_):
        """Of a day of machine 1: its cost is that of the time that is known."""
        return 48


class OfVastai(Account):
    kind, key, fake = "vastai", vastai.KEY, vastai.Vastai
    path, right, bill_path, charges_path = "/api/v1/instances/", "GET /api/v1/instances", "/api/v0/charges/", "/api/v0/charges/"
    questions = 3 * 2

    @staticmethod
    def fault(status, headers=None):
        return vastai.fault(status, "error", "said so", headers)

    @staticmethod
    def page(*some):
        told = {"success": True, "instances_found": len(some), "total_instances": len(some), "next_token": None, "instances": some}
        return 200, json.dumps(told).encode(), {}

    @staticmethod
    def machine(number, gpus, price, **more):
        runs = {"actual_status": "running", "cur_state": "running", "intended_status": "running", "is_bid": False, "start_date": 1790000000.5}
        size = {"gpu_ram": 81559, "dph_base": float(price), "dph_total": float(price) + 0.21}
        return {**vastai.instance(20011000 + number, "training", count=gpus), **runs, **size, **more}

    @staticmethod
    def facts(one):
        if one["intended_status"] != "running" or one["actual_status"] not in ("running", "exited", "frozen") or one["num_gpus"] < 1:
            return None
        price = one["dph_total"] if one["dph_base"] is None else one["dph_base"]
        return f"instance-{one['id']}", one["num_gpus"], Decimal(str(price)), None

    @staticmethod
    def provider_id(one):
        return f"vastai://instance-{one['id']}"

    def others(self):
        states = [("running", None), ("running", "loading"), ("running", "created"), ("running", "offline"), ("running", "unknown"),
                  ("stopped", "running"), ("stopped", "exited"), ("frozen", "frozen"), (None, "running")]
        return [self.machine(100 + at, 8, "20", intended_status=wanted, actual_status=status) for at, (wanted, status) in enumerate(states)]

    def hostile(self, number):
        return self.machine(50 + number, 2, "3", label=HOSTILE, gpu_name=HOSTILE, geolocation=HOSTILE)

    def billed(self, first, last):
        """As for RunPod, 2 USD an hour for machine 1."""
        return [one for day, _ in days(first, last) for one in (
            vastai.charge("instance-20011001", day, rate="2"), vastai.charge("instance-7", day, rate="0.4", disk="0.5"),
            vastai.charge("volume-9", day, disk="0.7"))]

    expected_rate = 1  # of a GPU hour of machine 1, by the days before

    @staticmethod
    def cost_by_bill(hours):
        """Of a day of machine 1: the bill has more hours than are known."""
        return hours


class OfLambda(Account):
    kind, key, fake = "lambda", lambdacloud.KEY, lambdacloud.LambdaCloud
    path, right = "/api/v1/instances", "GET /api/v1/instances"
    questions, is_estimate = 1, True

    @staticmethod
    def fault(status, headers=None):
        return lambdacloud.fault(status, headers=headers)

    @staticmethod
    def page(*some):
        return lambdacloud.page(*some)

    @staticmethod
    def machine(number, gpus, price, **more):
        more = {"hostname": f"host-{number}", **more}
        return lambdacloud.instance(number, cents=int(Decimal(price) * 100), gpus=gpus, kind=f"gpu_{gpus}x_h100_sxm5", **more)

    @staticmethod
    def facts(one):
        kind = one["instance_type"]
        if one["status"] not in ("active", "unhealthy") or kind["specs"]["gpus"] < 1:
            return None
        return one["id"], kind["specs"]["gpus"], Decimal(kind["price_cents_per_hour"]) / 100, None

    @staticmethod
    def provider_id(one):
        return f"lambda://{one['region']['name']}/{one['id']}"

    def others(self):
        states = ("booting", "terminating", "terminated", "preempted")
        return [*(self.machine(10 + at, 8, "20", status=status) for at, status in enumerate(states)), self.machine(20, 0, "0.24")]

    def hostile(self, number):
        more = {"hostname": HOSTILE, "tags": [{"key": HOSTILE, "value": HOSTILE}]}
        return lambdacloud.instance(number, HOSTILE, gpus=2, cents=300, gpu=HOSTILE, kind="gpu_2x" + HOSTILE, region=HOSTILE, **more)
