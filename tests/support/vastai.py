# SPDX-License-Identifier: GPL-3.0-or-later
"""Vast.ai's API on a loopback port, computed from charges by day. There is no public peer of this service: the fake follows its published
specification (GET /api/v0/charges/ and /api/v1/instances/), and refuses every request that the specification does not allow."""
import base64
import datetime
import decimal
import json

from keyedserver import KeyedServer

KEY = "canary-vast_KEY"
DAY = 86400
NOTHING = decimal.Decimal(0)


def epoch(day):
    return int(datetime.datetime.combine(day, datetime.time(), datetime.timezone.utc).timestamp())


def charge(source, day, label=None, endpoint=None, total=None, hours=24, rate=None, **items):
    """What one contract costs on a day. `rate` makes an item of GPUs of it; `total` is what its items may not add up to."""
    items = {name: decimal.Decimal(amount) for name, amount in items.items()}
    if rate is not None:
        items["gpu"] = decimal.Decimal(hours) * decimal.Decimal(rate)
    total = sum(items.values(), NOTHING) if total is None else decimal.Decimal(total)
    return {"source": source, "day": datetime.date.fromisoformat(day), "label": label, "endpoint": endpoint, "items": items, "hours": decimal.Decimal(hours if rate else 0),
            "rate": rate, "total": total}


def instance(number, label, gpu="H100 SXM", count=8, place="Iowa, US"):
    return {"id": number, "label": label, "gpu_name": gpu, "num_gpus": count, "geolocation": place, "machine_id": 1200 + number, "jupyter_token": "canary-jupyter"}


def fault(status, error="", message="said so", headers=None):
    return status, json.dumps({"success": False, "error": error, "msg": message}).encode(), headers or {}


def too_frequent():
    """Plain text, and no header that says how long to wait."""
    return 429, b"API requests too frequent: endpoint threshold=1.0", {"Content-Type": "text/plain"}


def number(amount):
    """A JSON number; small ones as 1.2E-05."""
    return f"{amount:E}" if amount and abs(amount) < decimal.Decimal("0.001") else f"{amount:f}"


class Vastai(KeyedServer):
    def __init__(self, *charges):
        super().__init__(KEY)
        self.charges, self.instances = list(charges), []
        self.digits = 3  # that amounts are rounded to
        self.page = 100
        self.contracts = {}  # source: (first day, last day) that its charges state, whatever was asked
        self.whole = ()  # sources whose charges no question cuts
        self.tokens = None  # in place of the right ones

    def refusal(self, status, words):
        return fault(status, "auth_error", words)

    def noted(self, path, query):
        days = json.loads(query.get("select_filters", "{}")).get("day")
        return path, days and (days["lte"] + 1 - days["gte"]) // DAY, query.get("after_token")

    def rounded(self, amount):
        return amount.quantize(decimal.Decimal(1).scaleb(-self.digits), decimal.ROUND_HALF_UP)

    def rows(self, begin, end):
        """The charges for the days from begin to end, as dicts: one for each contract, in no order that the days have."""
        rows = []
        for source in sorted({one["source"] for one in self.charges}, reverse=True):
            inside = [one for one in self.charges if one["source"] == source and begin <= one["day"] < end]
            if inside and source in self.whole:
                inside = [one for one in self.charges if one["source"] == source]
            if not inside:
                continue
            first, last = self.contracts.get(source) or (min(one["day"] for one in inside), max(one["day"] for one in inside))
            items = {name: sum((one["items"].get(name, NOTHING) for one in inside), NOTHING) for name in sorted({name for one in inside for name in one["items"]})}
            hours = sum((one["hours"] for one in inside), NOTHING)
            rate = next((one["rate"] for one in reversed(inside) if one["rate"]), None)
            rows.append({"source": source, "type": source.rpartition("-")[0], "start": epoch(first), "end": epoch(last), "amount": self.rounded(sum(one["total"] for one in inside)),
                         "label": inside[-1]["label"], "endpoint": inside[-1]["endpoint"],
                         "items": [(name, f"{hours:.3f} hours at ${rate}/hour" if name == "gpu" else name + " used", self.rounded(amount)) for name, amount in items.items()]})
        return rows

    def total(self, begin, end):
        return sum((row["amount"] for row in self.rows(datetime.date.fromisoformat(begin), datetime.date.fromisoformat(end))), NOTHING)

    @staticmethod
    def text(row):
        def one(start, end, kind, source, description, amount, metadata, items):
            return (f'{{"start":{start},"end":{end},"type":{json.dumps(kind)},"source":{json.dumps(source)},"description":{json.dumps(description)},"amount":{number(amount)},'
                    f'"metadata":{json.dumps(metadata)},"items":[{",".join(items)}]}}')
        metadata = {name: value for name, value in (("label", row["label"]), ("endpoint_id", row["endpoint"])) if value is not None}
        items = [one(row["start"], row["end"], name, None, description, amount, {}, []) for name, description, amount in row["items"]]
        return one(row["start"], row["end"], row["type"], row["source"], "Charges", row["amount"], metadata, items)

    def paged(self, name, texts, query, most, counts):
        """The page that the token names, and the token of the next one."""
        limit = int(query.get("limit", most))
        if not 0 < limit <= most:
            return fault(400, "invalid_request", "limit")
        limit, at = min(limit, self.page), 0
        if "after_token" in query and self.tokens is None:
            try:
                at = json.loads(base64.b64decode(query["after_token"], validate=True))["values"]["id"]
            except ValueError:
                return fault(400, "invalid_token", "Invalid pagination token")
        page, token = texts[at:at + limit], None
        if at + limit < len(texts):
            token = base64.b64encode(json.dumps({"values": {"id": at + limit}}).encode()).decode()
        if self.tokens is not None:
            token = next(self.tokens)
        return 200, (f'{{"success":true,"{counts[0]}":{len(page)},"{counts[1]}":{len(texts)},"next_token":{json.dumps(token)},"{name}":[{",".join(page)}]}}').encode(), {}

    def answer(self, path, query):
        filters = json.loads(query.get("select_filters", "{}"))
        if path == "/api/v1/instances/":
            columns = json.loads(query.get("select_cols", '["*"]'))
            if set(query) - {"limit", "after_token", "order_by", "select_cols", "select_filters"} or filters or "*" in columns:
                return fault(400, "invalid_request", "Error in query parameters")
            listed = [json.dumps({name: one.get(name) for name in columns}) for one in sorted(self.instances, key=lambda one: one["id"])]
            return self.paged("instances", listed, query, 25, ("instances_found", "total_instances"))
        if path != "/api/v0/charges/":
            return fault(404, "", "no such path")
        if set(query) - {"limit", "after_token", "format", "latest_first", "select_filters"} or set(filters.get("day", {})) != {"gte", "lte"} or query.get("format") != "table":
            return fault(400, "", "Must provide both 'day' gte and lte filters for instance charges")
        begin, end = (datetime.datetime.fromtimestamp(at, datetime.timezone.utc).date() for at in (filters["day"]["gte"], filters["day"]["lte"] + 1))
        kinds = filters.get("type", {}).get("in")
        texts = [self.text(row) for row in self.rows(begin, end) if not kinds or row["type"] in kinds]
        return self.paged("results", texts, query, 500, ("count", "total"))
