# SPDX-License-Identifier: GPL-3.0-or-later
"""The API v2 of RunPod on a loopback port, computed from charges. There is no public peer of this service: the fake follows its published
specification (version 2.0.0) and refuses every request that the specification does not allow."""
import datetime
import decimal
import json

from keyedserver import DROPPED, KeyedServer  # noqa: F401

KEY = "canary-rpa_KEY"
GPUS = "/v2/catalog/gpus"
TITLES = {401: "Unauthorized", 403: "Forbidden"}
PARTS = {
    "pods": ("podId", ("gpuAmount", "cpuAmount", "diskAmount")),
    "serverless": ("serverlessId", ("gpuAmount", "cpuAmount", "diskAmount", "feeAmount")),
    "network-volumes": ("networkVolumeId", ("standardAmount", "highPerformanceAmount")),
    "clusters": ("clusterId", ("gpuAmount", "diskAmount", "networkingAmount")),
    "endpoints": (None, ()),
}


def charge(family, day, identity="", total=None, **parts):
    """`total` of the record, which its parts may not add up to."""
    parts = {name: decimal.Decimal(amount) for name, amount in parts.items()}
    assert set(parts) <= set(PARTS[family][1])
    total = sum(parts.values(), decimal.Decimal(0)) if total is None else decimal.Decimal(total)
    return {"family": family, "day": datetime.date.fromisoformat(day), "id": identity, "parts": parts, "total": total}


def pod(identity, name, gpu="NVIDIA H100 80GB HBM3", count=1, cloud="SECURE", center="US-KS-2"):
    return {"id": identity, "name": name, "status": "RUNNING", "actions": ["stop", "restart", "terminate"], "gpu": {"id": gpu, "count": count}, "cloud": cloud,
            "dataCenterId": center, "cost": 2.69, "locked": False, "mounts": {}, "runtime": None, "createdAt": "2026-09-01T00:00:00Z", "startedAt": None}


def gpu(identity="NVIDIA H100 80GB HBM3", memory=80, secure="2.69", community="0", **more):
    """A GPU of the catalogue, with its prices as JSON numbers or null; `more` are members in place of these."""
    out = {"id": identity, "name": identity.removeprefix("NVIDIA "), "manufacturer": "Nvidia", "memory": memory, "secure": True, "community": True,
           "maxCount": {"secure": 8, "community": 8}, **more}
    return json.dumps(out)[:-1] + f', "price": {{"secure": {secure}, "community": {community}, "serverless": 4.18}}}}'


def gpus(*all_of):
    return 200, f'{{"gpus": [{", ".join(all_of)}]}}'.encode(), {}


def fault(status, title="", detail="said so", headers=None, errors=None):
    """As RFC 9457 has it."""
    body = {"title": title, "status": status, "detail": detail, **({"errors": errors} if errors else {})}
    return status, json.dumps(body).encode(), {"Content-Type": "application/problem+json", **(headers or {})}


def number(amount):
    """A JSON number; small ones as 1.2E-05."""
    amount = decimal.Decimal(amount)
    return f"{amount:E}" if amount and abs(amount) < decimal.Decimal("0.001") else f"{amount:f}"


class Runpod(KeyedServer):
    def __init__(self, *charges):
        super().__init__(KEY)
        self.charges, self.pods = list(charges), []
        self.prices = {GPUS: gpus(gpu())}
        self.unlisted = {}  # date: what the account's total has and no record
        self.loose = decimal.Decimal(0)  # what the total of all days has and no day

    def refusal(self, status, words):
        return fault(status, TITLES.get(status, words), words)

    def noted(self, path, query):
        return path, query.get("startTime", "")[:7]

    def total(self, begin, end):
        begin, end = datetime.date.fromisoformat(begin), datetime.date.fromisoformat(end)
        days = [one["total"] for one in self.charges if begin <= one["day"] < end] + [more for day, more in self.unlisted.items() if begin <= day < end]
        return sum(days, decimal.Decimal(0))

    def records(self, family, begin, end):
        """Texts of records, their total and, for a path of its own, nothing else."""
        def bounds(day):
            return f'"startTime":"{day}T00:00:00Z","endTime":"{day + datetime.timedelta(1)}T00:00:00Z"'
        inside = [one for one in self.charges if begin <= one["day"] < end]
        if not family:
            days = {}
            for one in inside:
                days[one["day"]] = days.get(one["day"], 0) + one["total"]
            for day, more in self.unlisted.items():
                if begin <= day < end:
                    days[day] = days.get(day, 0) + more
            texts = [f'{{{bounds(day)},"totalAmount":{number(amount)}}}' for day, amount in days.items()]
            return texts, sum(days.values(), decimal.Decimal(0)) + self.loose
        key, names = PARTS[family]
        texts = []
        for one in reversed([one for one in inside if one["family"] == family]):
            parts = "".join(f',"{name}":{number(one["parts"].get(name, 0))}' for name in names)
            identity = f',{json.dumps(key)}:{json.dumps(one["id"])}' if key else ""
            texts.append(f'{{{bounds(one["day"])}{identity},"totalAmount":{number(one["total"])}{parts}}}')
        return texts, sum((one["total"] for one in inside if one["family"] == family), decimal.Decimal(0))

    def answer(self, path, query):
        if path == "/v2/pods":
            return 200, json.dumps({"pods": self.pods}).encode(), {}
        family = path.removeprefix("/v2/billing").removeprefix("/")
        if family and family not in PARTS or not path.startswith("/v2/billing"):
            return fault(404, "Not Found", "resource not found")
        if set(query) != {"startTime", "endTime", "bucketSize"} or query["bucketSize"] != "day":
            return fault(400, "Bad Request", "request could not be processed", errors=["$.bucketSize: day"])
        begin, end = (datetime.datetime.fromisoformat(query[name].replace("Z", "+00:00")) for name in ("startTime", "endTime"))
        texts, total = self.records(family, begin.date(), end.date())
        text = (f'{{"records":[{",".join(texts)}],"metadata":{{"query":{{"startTime":"{query["startTime"]}","endTime":"{query["endTime"]}","bucketSize":"day"}},'
                f'"recordCount":{len(texts)},"totals":{{"totalAmount":{number(total)}}}}}}}')
        return 200, text.encode(), {}
