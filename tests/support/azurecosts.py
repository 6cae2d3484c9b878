# SPDX-License-Identifier: GPL-3.0-or-later
"""Cost Management and the login service of Azure on a loopback port, computed from charges. There is no public peer of this service: the fake
follows the contract of its specification (2023-11-01; LISTS: Microsoft.Consumption, Microsoft.Capacity and Microsoft.BillingBenefits) and refuses every
request that the service would refuse. `faults` are given out one per question, in place of an answer, and `list_faults` to each question about a list."""
import datetime
import decimal
import http.server
import json
import threading
import urllib.parse

SUBSCRIPTION = "11111111-2222-3333-4444-555555555555"
SCOPE = f"/subscriptions/{SUBSCRIPTION}"
TENANT, APPLICATION, SECRET = "contoso.example", "app-1", "canary+secret/=&value"
DROPPED = 0  # a status: the connection ends without an answer
LISTS = {f"{SCOPE}/providers/Microsoft.Consumption/budgets": ("budgets", "2021-10-01"),
         "/providers/Microsoft.Capacity/reservations": ("reservations", "2022-11-01"),
         "/providers/Microsoft.BillingBenefits/savingsPlans": ("plans", "2022-11-01")}  # path: the attribute that has its entries, api-version
DIMENSIONS = {"ResourceId": "resource", "ServiceName": "service", "ChargeType": "charge", "Meter": "meter", "SubscriptionId": "subscription"}


def charge(day, billed, effective=None, service="Virtual Machines", meter="NC24ads A100 v4", resource="gpu-1", kind="Usage", currency="USD", tags=None):
    billed = decimal.Decimal(billed)
    path = f"{SCOPE}/resourceGroups/Lab/providers/Microsoft.Compute/virtualMachines/{resource}" if resource else ""
    return {"day": datetime.date.fromisoformat(day), "ActualCost": billed, "AmortizedCost": billed if effective is None else decimal.Decimal(effective),
            "service": service, "meter": meter, "resource": path, "charge": kind, "currency": currency, "tags": tags or {}, "subscription": SUBSCRIPTION}


def budget(name, amount, spent, grain="Monthly", category="Cost", currency="USD", scope=SCOPE, begin="2026-01-01", end="2030-12-31", forecast=None, limited_to=None):
    """As the service writes it: a new budget has no currentSpend, and only those with an alert for it have a forecast. Amounts are texts of numbers."""
    properties = {"timePeriod": {"startDate": f"{begin}T00:00:00Z", "endDate": f"{end}T00:00:00Z"}, "timeGrain": grain, "category": category,
                  "amount": decimal.Decimal(amount), "notifications": {}}
    for key, value in (("currentSpend", spent), ("forecastSpend", forecast)):
        if value is not None:
            properties[key] = {"amount": decimal.Decimal(value), "unit": currency}
    if limited_to:
        properties["filter"] = limited_to
    return {"id": f"{scope}/providers/Microsoft.Consumption/budgets/{name}", "name": name, "type": "Microsoft.Consumption/budgets",
            "eTag": "\"1d34d016a593709\"", "properties": properties}


def used(percent):
    """The mean of 30 days."""
    return {"trend": "UP", "aggregates": [{"grain": decimal.Decimal("30.0"), "grainUnit": "days", "value": decimal.Decimal(percent), "valueUnit": "percentage"}]}


def reservation(number, sku="Standard_ND96isr_H100_v5", kind="VirtualMachines", state="Succeeded", quantity=1, end="2028-07-21", percent="80.5"):
    """As the service writes it."""
    return {"id": f"/providers/microsoft.capacity/reservationOrders/R-0/reservations/{number}", "name": f"R-0/{number}", "location": "westus",
            "type": "Microsoft.Capacity/reservationOrders/reservations", "sku": {"name": sku},
            "properties": {"reservedResourceType": kind, "displayName": f"reservation {number}", "provisioningState": state, "displayProvisioningState": state,
                           "quantity": quantity, "term": "P3Y", "billingPlan": "Monthly", "appliedScopeType": "Shared", "userFriendlyAppliedScopeType": "Shared",
                           "purchaseDateTime": "2025-07-21T22:46:32.7632798Z", "effectiveDateTime": "2025-07-21T22:46:32.7632798Z", "skuDescription": None,
                           "expiryDate": end, "expiryDateTime": f"{end}T22:46:32.7632798Z", "utilization": used(percent)}}


def savings_plan(number, amount="12.5", currency="USD", state="Succeeded", end="2028-10-19", percent="78.12"):
    """As the service writes it. The amount is the text of a number."""
    return {"id": f"/providers/Microsoft.BillingBenefits/savingsPlanOrders/P-0/savingsPlans/{number}", "name": f"P-0/{number}",
            "type": "Microsoft.BillingBenefits/savingsPlanOrders/savingsPlans", "sku": {"name": "Compute_Savings_Plan"},
            "properties": {"displayName": f"plan {number}", "provisioningState": state, "displayProvisioningState": state, "billingScopeId": SCOPE, "term": "P3Y",
                           "commitment": {"grain": "Hourly", "currencyCode": currency, "amount": decimal.Decimal(amount)}, "appliedScopeType": "Single",
                           "effectiveDateTime": "2025-10-19T18:05:37.1034288Z", "expiryDateTime": f"{end}T18:05:36.5252231Z", "utilization": used(percent)}}


def written(value):
    """JSON in which a Decimal is a number, to its last digit."""
    if isinstance(value, decimal.Decimal):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{written(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    return json.dumps(value)


class Refused(Exception):
    """The service's code and text for a request that breaks its contract."""


def fault(status, code="", message="said so", headers=None):
    return status, json.dumps({"error": {"code": code, "message": message}}).encode() if code else b"", headers or {}


def holds(expression, one):
    (kind, inside), = expression.items()
    if kind in ("and", "or"):
        if len(inside) < 2:
            raise Refused("BadRequest", f"{kind} needs two members")
        parts = [holds(part, one) for part in inside]
        return all(parts) if kind == "and" else any(parts)
    if kind != "dimensions" or inside["operator"] != "In" or not inside["values"]:
        raise Refused("BadRequest", "unknown filter")
    return one[DIMENSIONS[inside["name"]]] in inside["values"]


def number(amount, exponent):
    """Twelve decimals, or as the service writes small numbers: 1.2E-05."""
    return f"{amount:.6E}" if exponent and abs(amount) < 1 and decimal.Decimal(f"{amount:.6E}") == amount else f"{amount:.12f}"


class AzureCosts(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, *charges):
        super().__init__(("127.0.0.1", 0), Handler)
        self.charges, self.faults, self.asked, self.pages, self.logins = list(charges), [], [], 0, 0
        self.page_rows, self.token_lasts, self.hidden = 5000, 10**9, ()
        self.tokens = {}  # each that was given: how many questions it may still ask
        self.valid, self.left = None, 0  # the last of them, for servers that take no other
        self.login_fault, self.last_day_only, self.links = None, False, {}
        self.budgets, self.reservations, self.plans = [], [], []
        self.list_faults, self.list_page = {}, 2
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """A client that was killed is no failure."""

    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def close(self):
        self.shutdown()
        self.server_close()

    def total(self, begin, end, view="ActualCost", currency="USD"):
        begin, end = datetime.date.fromisoformat(begin), datetime.date.fromisoformat(end)
        return sum((one[view] for one in self.charges if begin <= one["day"] < end and one["currency"] == currency), decimal.Decimal(0))

    def login(self, form):
        self.logins += 1
        if self.login_fault:
            return self.login_fault
        want = {"grant_type": "client_credentials", "client_id": APPLICATION, "client_secret": SECRET, "scope": "https://management.azure.com/.default"}
        if form != want:
            return 401, json.dumps({"error": "invalid_client", "error_description": "AADSTS7000215: Invalid client secret provided.\r\nTrace ID: 1",
                                    "error_codes": [7000215]}).encode(), {}
        self.valid, self.left = f"canary-token-{self.logins}", self.token_lasts
        self.tokens[f"Bearer {self.valid}"] = self.token_lasts
        return 200, json.dumps({"token_type": "Bearer", "expires_in": 3599, "access_token": self.valid}).encode(), {}

    def rows(self, body):
        data, period = body["dataset"], body["timePeriod"]
        begin, end = (datetime.date.fromisoformat(period[key][:10]) for key in ("from", "to"))
        groups = data.get("grouping", [])
        if body["timeframe"] != "Custom" or data["granularity"] != "Daily" or len(groups) > 2 or (end - begin).days > 30 or begin > end:
            raise Refused("BadRequest", "the request is not allowed")
        if body["type"] not in ("ActualCost", "AmortizedCost") or data["aggregation"] != {"totalCost": {"name": "Cost", "function": "Sum"}}:
            raise Refused("BadRequest", "the aggregation is not allowed")
        found = {}
        for place, one in enumerate(self.charges):
            if not begin <= one["day"] <= end or ("filter" in data and not holds(data["filter"], one)):
                continue
            if groups and (one["service"] in self.hidden or (self.last_day_only and (end - begin).days > 7 and one["day"] != end)):
                continue
            keys = []
            for group in groups:
                if group["type"] == "TagKey":
                    keys += [group["name"], one["tags"].get(group["name"], "")]
                else:
                    keys.append(one[DIMENSIONS[group["name"]]])
                    if group["name"] == "ResourceId" and place % 2:  # ids change their case
                        keys[-1] = keys[-1].upper()
            key = (one["day"], one["currency"], *keys)
            found[key] = found.get(key, decimal.Decimal(0)) + one[body["type"]]
        names = []
        for group in groups:
            names += ["TagKey", "TagValue"] if group["type"] == "TagKey" else [group["name"]]
        # The columns move: here the currency is first.
        columns = [("Currency", "String"), *((name, "String") for name in names), ("Cost", "Number"), ("UsageDate", "Number")]
        out = []
        for at, (key, amount) in enumerate(sorted(found.items())):
            cells = [json.dumps(key[1]), *(json.dumps(text) for text in key[2:]), number(amount, at % 2 == 0), key[0].strftime("%Y%m%d")]
            out.append("[" + ",".join(cells) + "]")
        return columns, out

    def answer(self, body, link):
        same = json.dumps(body, sort_keys=True)
        first = 0
        if link:
            if link not in self.links or self.links[link][1] != same:
                raise Refused("BadRequest", "a page is asked with another body")
            first = self.links[link][0]
        columns, rows = self.rows(body)
        if not rows:
            return 204, b"", {}
        # The second page is empty, and there are more.
        is_gap = first == self.page_rows and not link.endswith("-gap") if link else False
        some = [] if is_gap else rows[first:first + self.page_rows]
        following, next_link = first if is_gap else first + self.page_rows, None
        if following < len(rows):
            token = f"page{len(self.links)}" + ("-gap" if is_gap else "")
            self.links[token] = (following, same)
            next_link = f"{self.url()}{SCOPE}/providers/Microsoft.CostManagement/query?api-version=2023-11-01&$skiptoken={token}"
        head = json.dumps([{"name": name, "type": kind} for name, kind in columns])
        text = f'{{"id":"x","name":"x","type":"Microsoft.CostManagement/query","properties":{{"nextLink":{json.dumps(next_link)},"columns":{head},"rows":[{",".join(some)}]}}}}'
        return 200, text.encode(), {"x-ms-ratelimit-microsoft.costmanagement-qpu-remaining": "3"}


    def listed(self, path, first):
        name, version = LISTS[path]
        if name in self.list_faults:
            return self.list_faults[name]
        entries, after = getattr(self, name), first + self.list_page
        out = {"value": entries[first:after]}
        if after < len(entries):
            out["nextLink"] = f"{self.url()}{path}?api-version={version}&$skiptoken={after}"
        return 200, written(out).encode(), {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):  # noqa: N802
        with self.server.lock:
            status, body, headers = self.looked_up()
        self.send(status, body, headers)

    def do_POST(self):  # noqa: N802
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        with self.server.lock:
            status, body, headers = self.reply(text)
        self.send(status, body, headers)

    def send(self, status, body, headers):
        if status == DROPPED:
            self.close_connection = True
            return
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.close_connection = "Content-Length" in headers
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass

    def looked_up(self):
        """The lists; nothing else is asked by GET."""
        server, url = self.server, urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if url.path not in LISTS or query.get("api-version") != LISTS[url.path][1]:
            return fault(404, "ResourceNotFound")
        if self.headers.get("Authorization") not in server.tokens:
            return fault(401, "ExpiredAuthenticationToken", "The access token has expired.")
        return server.listed(url.path, int(query.get("$skiptoken", "0")))

    def reply(self, text):
        server, url = self.server, urllib.parse.urlsplit(self.path)
        if url.path == f"/{TENANT}/oauth2/v2.0/token":
            return server.login(dict(urllib.parse.parse_qsl(text)))
        query = dict(urllib.parse.parse_qsl(url.query))
        if url.path != f"{SCOPE}/providers/Microsoft.CostManagement/query" or query.get("api-version") != "2023-11-01":
            return fault(404, "ResourceNotFound")
        token = self.headers.get("Authorization")
        if server.tokens.get(token, 0) <= 0:
            return fault(401, "ExpiredAuthenticationToken", "The access token has expired.")
        server.tokens[token] -= 1
        body = json.loads(text)
        server.asked.append(body)
        if server.faults:
            one = server.faults.pop(0)
            if one:
                return one
        server.pages += 1
        try:
            return server.answer(body, query.get("$skiptoken", ""))
        except Refused as refused:
            return fault(400, *refused.args)
