# SPDX-License-Identifier: GPL-3.0-or-later
"""BigQuery with a billing export, and Google's token service, on a loopback port. There is no public peer that has billing exports: the fake
follows the contract of jobs.query and getQueryResults (bigquery/v2) and of the token service (RFC 7523, RFC 6749), and refuses every request that
they would refuse. It has rows as the export has them and groups them itself; the query is not run but checked for what it must have, except that of
the FOCUS export, which DuckDB runs (focusquery). `faults` are given out one per request to BigQuery, in place of an answer."""
import base64
import datetime
import decimal
import http.server
import json
import os
import re
import subprocess
import tempfile
import threading
import time
import urllib.parse

PROJECT, DATASET, ACCOUNT = "lab-billing", "billing", "01AB23-CD45EF-678901"
DETAILED, STANDARD = "gcp_billing_export_resource_v1_01AB23_CD45EF_678901", "gcp_billing_export_v1_01AB23_CD45EF_678901"
FOCUS = "gcp_billing_export_focus_01AB23_CD45EF_678901"
ROBOT, CLIENT, CLIENT_SECRET, REFRESH = "ledger@lab-billing.iam.gserviceaccount.com", "client-1", "canary+secret/=&value", "canary-refresh"
DROPPED, CUT = 0, -1  # statuses: the connection ends without an answer, or in the middle of one
GROUPS = ("day", "project_id", "project_name", "service", "sku_id", "sku", "region", "zone", "resource", "resource_name", "machine", "unused_reservation",
          "cost_type", "labels", "tags", "project_labels", "unit", "currency", "credit_form", "credit", "credit_name")
NANO = decimal.Decimal("1e-9")


def usage(start, cost, sku, month=None, service="Compute Engine", unit="hour", quantity=24.0, name=None, project="ml-serving", zone="us-central1-a",
          labels=None, machine=None, credits=(), cost_type="regular", currency="USD", reserved=False, project_labels=None):
    """A row of the detailed export, as BigQuery has it: costs are floating-point numbers."""
    system = {"compute.googleapis.com/machine_spec": machine, "compute.googleapis.com/is_unused_reservation": "true" if reserved else None}
    return {"start": datetime.datetime.fromisoformat(start), "month": month or start[:4] + start[5:7], "cost": float(cost), "sku": sku, "service": service,
            "unit": unit, "quantity": quantity, "name": name, "project": project, "zone": zone, "labels": labels or {}, "system": system,
            "credits": [(kind, full_name, float(amount)) for kind, full_name, amount in credits], "cost_type": cost_type, "currency": currency,
            "project_labels": project_labels or {}}


def fault(status, reason="", message="said so", headers=None):
    return status, json.dumps({"error": {"code": status, "message": message, "errors": [{"reason": reason, "domain": "global"}]}}).encode(), headers or {}


def numeric(number):
    """CAST(FLOAT64 AS NUMERIC): rounded half away from zero to 1e-9."""
    return decimal.Decimal(number).quantize(NANO, decimal.ROUND_HALF_UP)


def texts(pairs):
    return json.dumps([{"key": key, "value": pairs[key]} for key in sorted(pairs)], separators=(",", ":"), ensure_ascii=False)


class Refused(Exception):
    """The reason and text for a request that breaks the contract."""


class BillingExport(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, *rows):
        super().__init__(("127.0.0.1", 0), Handler)
        self.rows, self.faults, self.token_faults, self.queries, self.dry_runs, self.logins, self.fetched = list(rows), [], [], [], 0, 0, 0
        self.page_rows, self.token_lasts, self.left, self.valid, self.polls = 5000, 10**9, 0, None, 0
        self.bytes, self.cached, self.missing_rights, self.jobs, self.lock = 2 * 10**9, False, (), {}, threading.Lock()
        self.ran = []  # months that were charged for
        self.costs_are_net, self.month_begins = True, "07:00:00+00:00"  # of the FOCUS export: whether BilledCost has the credits in it; midnight in Los Angeles
        self.budgets = [{"name": f"billingAccounts/{ACCOUNT}/budgets/1", "displayName": "All", "amount": {"specifiedAmount": {"currencyCode": "USD", "units": "5000"}}}]
        self.commitments = [{"id": "7081234567890123456", "name": "h100", "status": "ACTIVE", "category": "MACHINE", "plan": "TWELVE_MONTH", "type": "ACCELERATOR_OPTIMIZED_A3",
                             "region": "regions/us-central1", "startTimestamp": "2026-03-01T00:00:00.000-08:00", "endTimestamp": "2027-03-01T00:00:00.000-08:00",
                             "resources": [{"type": "ACCELERATOR", "amount": "16", "acceleratorType": "nvidia-h100-80gb"}]}]
        self.folder = tempfile.mkdtemp(prefix="gpuledger-keys")
        self.private = os.path.join(self.folder, "private.pem")
        subprocess.run(["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", self.private], check=True, capture_output=True)
        subprocess.run(["openssl", "pkey", "-in", self.private, "-pubout", "-out", self.private + ".pub"], check=True, capture_output=True)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """A client that was killed is no failure."""

    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def close(self):
        self.shutdown()
        self.server_close()
        for name in os.listdir(self.folder):
            os.remove(os.path.join(self.folder, name))
        os.rmdir(self.folder)

    def robot_key(self, **other):
        with open(self.private, encoding="utf-8") as file:
            pem = file.read()
        return json.dumps({"type": "service_account", "project_id": PROJECT, "private_key_id": "k1", "private_key": pem, "client_email": ROBOT,
                           "token_uri": self.url() + "/token", **other})

    def user_key(self, **other):
        return json.dumps({"type": "authorized_user", "client_id": CLIENT, "client_secret": CLIENT_SECRET, "refresh_token": REFRESH,
                           "quota_project_id": "lab-tools", "token_uri": self.url() + "/token", **other})

    def total(self, month, currency="USD"):
        """What the invoice of a month adds up to: costs and credits, each row rounded as Google does."""
        rows = [row for row in self.rows if row["month"] == month and row["currency"] == currency]
        return sum((numeric(row["cost"]) + sum(numeric(amount) for _, _, amount in row["credits"]) for row in rows), decimal.Decimal(0))

    # The token service.

    def login(self, form):
        self.logins += 1
        if self.token_faults:
            return self.token_faults.pop(0)
        if form.get("grant_type") == "refresh_token":
            is_right = (form["client_id"], form["client_secret"], form["refresh_token"]) == (CLIENT, CLIENT_SECRET, REFRESH)
        else:
            is_right = form.get("grant_type") == "urn:ietf:params:oauth:grant-type:jwt-bearer" and self.is_signed(form["assertion"])
        if not is_right:
            return 400, json.dumps({"error": "invalid_grant", "error_description": "Invalid JWT Signature."}).encode(), {}
        self.valid, self.left = f"canary-token-{self.logins}", self.token_lasts
        return 200, json.dumps({"access_token": self.valid, "expires_in": 3599, "token_type": "Bearer"}).encode(), {}

    def is_signed(self, assertion):
        head, claims, signature = assertion.split(".")
        plain = [json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))) for part in (head, claims)]
        now = time.time()
        if plain[0] != {"alg": "RS256", "typ": "JWT", "kid": "k1"} or plain[1]["iss"] != ROBOT or plain[1]["aud"] != self.url() + "/token":
            return False
        if not now - 600 < plain[1]["iat"] < now + 600 or plain[1]["exp"] - plain[1]["iat"] > 3600 or not re.search("bigquery|cloud-billing|compute.readonly", plain[1]["scope"]):
            return False
        path = os.path.join(self.folder, "signature")
        with open(path, "wb") as file:
            file.write(base64.urlsafe_b64decode(signature + "=" * (-len(signature) % 4)))
        done = subprocess.run(["openssl", "dgst", "-sha256", "-verify", self.private + ".pub", "-signature", path], input=f"{head}.{claims}".encode(),
                              capture_output=True, check=False)
        return done.returncode == 0

    # BigQuery.

    def query(self, body):
        sql = body["query"]
        if body.get("useLegacySql") is not False or body.get("parameterMode") != "NAMED":
            raise Refused("invalidQuery", "the query is not in standard SQL")
        table = re.search(r"FROM `([^`]+)`\s+WHERE (.*)", sql)
        if not table or table[1] not in [f"{PROJECT}.{DATASET}.{name}" for name in (DETAILED, STANDARD, FOCUS)]:
            raise Refused("notFound", "Not found: Table")
        if STANDARD in table[1] and "resource." in sql:
            raise Refused("invalidQuery", "Unrecognized name: resource")
        is_focus = FOCUS in table[1]
        if not is_focus and table[2].strip() != "_PARTITIONTIME >= @from AND _PARTITIONTIME < @until AND invoice.month = @month":
            raise Refused("invalidQuery", "the query scans everything")
        # Costs are cast row by row, and never multiplied by their credits.
        for part in () if is_focus else ("CAST(cost AS NUMERIC)", "CAST(c.amount AS NUMERIC)", "FROM UNNEST(credits) AS c)", "UNNEST(line.entries) AS entry", "SUM(entry.amount)"):
            if part not in sql:
                raise Refused("invalidQuery", f"without {part}")
        given = {one["name"]: (one["parameterType"]["type"], one["parameterValue"]["value"]) for one in body["queryParameters"]}
        if {name: kind for name, (kind, _) in given.items()} != {"month": "STRING", "from": "TIMESTAMP", "until": "TIMESTAMP"}:
            raise Refused("invalidQuery", "a parameter is missing")
        month = given["month"][1]
        begin, end = (datetime.datetime.fromisoformat(given[name][1]) for name in ("from", "until"))
        if not (begin.strftime("%Y%m") < month < end.strftime("%Y%m")) or (end - begin).days > 100:
            raise Refused("invalidQuery", "the partitions are not those of the month")
        if body.get("dryRun"):
            self.dry_runs += 1
            return {"kind": "bigquery#queryResponse", "jobComplete": True, "jobReference": {"projectId": PROJECT}, "totalBytesProcessed": str(self.bytes)}
        if int(body["maximumBytesBilled"]) < self.bytes:
            raise Refused("bytesBilledLimitExceeded", "Query exceeded limit for bytes billed")
        known = next((job for job in self.jobs.values() if job["id"] == body["requestId"]), None)
        if known is None:
            rows = self.focus(sql, begin, end, month) if is_focus else self.grouped(month, STANDARD in table[1])
            known = {"id": body["requestId"], "rows": rows, "polls": self.polls, "name": f"job_{len(self.jobs)}"}
            self.jobs[known["name"]] = known
            self.queries.append(body)
            if not self.cached:
                self.ran.append(month)
        return self.results(known, "")

    def grouped(self, month, is_standard):
        found = {}
        for row in self.rows:
            if row["month"] != month:
                continue
            base = {"day": row["start"].strftime("%Y-%m-%d"), "project_id": row["project"], "project_name": row["project"] and row["project"].title(),
                    "service": row["service"], "sku_id": row["sku"] and f"{abs(hash(row['sku'])) % 10**8:08X}", "sku": row["sku"],
                    "region": row["zone"] and row["zone"][:-2], "zone": row["zone"], "cost_type": row["cost_type"], "unit": row["unit"], "currency": row["currency"],
                    "machine": row["system"]["compute.googleapis.com/machine_spec"], "unused_reservation": row["system"]["compute.googleapis.com/is_unused_reservation"],
                    "labels": texts(row["labels"]), "tags": "[]", "project_labels": texts(row["project_labels"]), "resource": None, "resource_name": None, "credit_form": ""}
            if row["name"] and not is_standard:
                base.update(resource=f"//compute.googleapis.com/projects/4711/zones/{row['zone']}/instances/{len(row['name'])}99", resource_name=row["name"])
            for kind, name, amount, quantity in [("", "", row["cost"], row["quantity"])] + [(*credit, None) for credit in row["credits"]]:
                key = tuple({**base, "credit": kind, "credit_name": name}[group] for group in GROUPS)
                sums = found.setdefault(key, [decimal.Decimal(0), None])
                sums[0] += numeric(amount)
                if quantity is not None:
                    sums[1] = (sums[1] or decimal.Decimal(0)) + numeric(quantity)
        # Rows come in no order.
        rows = sorted(((*key, f"{amount:f}", None if quantity is None else f"{quantity:f}") for key, (amount, quantity) in found.items() if amount),
                      key=lambda row: hash((row, len(self.jobs))))
        return [{"f": [{"v": cell} for cell in row]} for row in rows]

    def focus(self, sql, begin, end, month):
        """The rows of the detailed export as the FOCUS export has them."""
        import focusquery  # from PyPI: most users of this fake do without it

        def keyed(pairs):
            return [{"Key": key, "Value": value} for key, value in pairs.items() if value is not None]
        rows = []
        for row in self.rows:
            cost, credits = numeric(row["cost"]), [(kind, name, numeric(amount)) for kind, name, amount in row["credits"]]
            net = cost + sum(amount for _, _, amount in credits)
            start = row["start"].replace(tzinfo=datetime.timezone.utc)
            instance = f"//compute.googleapis.com/projects/4711/zones/{row['zone']}/instances/{len(row['name'])}99" if row["name"] else None
            exported = max(start, datetime.datetime(int(row["month"][:4]), int(row["month"][4:]), 1, tzinfo=datetime.timezone.utc))  # a correction is new
            rows.append({"_PARTITIONTIME": exported, "ChargePeriodStart": start, "BillingPeriodStart": f"{row['month'][:4]}-{row['month'][4:]}-01T{self.month_begins}",
                         "SubAccountId": row["project"], "SubAccountName": row["project"] and row["project"].title(), "ServiceName": row["service"],
                         "SkuId": row["sku"] and f"{abs(hash(row['sku'])) % 10**8:08X}", "ChargeDescription": row["sku"],
                         "RegionId": row["zone"] and row["zone"][:-2], "AvailabilityZone": row["zone"], "ResourceId": instance, "ResourceName": row["name"],
                         "PricingUnit": row["unit"], "PricingQuantity": numeric(row["quantity"]), "BillingCurrency": row["currency"],
                         "BilledCost": net if self.costs_are_net else cost, "ContractedCost": cost, "EffectiveCost": net, "x_CostType": row["cost_type"],
                         "x_SystemLabels": keyed(row["system"]), "x_Labels": keyed(row["labels"]), "x_ProjectLabels": keyed(row["project_labels"]), "x_Tags": [],
                         "x_Credits": [{"Name": name, "Amount": amount, "FullName": name, "Id": "", "Type": kind} for kind, name, amount in credits],
                         **row.get("focus", {})})
        found = focusquery.answer(sql, FOCUS, rows, {"from": begin, "until": end, "month": month})
        return [{"f": [{"v": cell} for cell in row]} for row in found]

    def results(self, job, token):
        reply = {"kind": "bigquery#queryResponse", "jobReference": {"projectId": PROJECT, "jobId": job["name"], "location": "EU"}, "jobComplete": True}
        if job["polls"] > 0:
            job["polls"] -= 1
            return {**reply, "jobComplete": False}
        # The page after the first is empty, and there are more.
        first, gap = (int(token.split("-")[1]), token.endswith("-gap")) if token else (0, False)
        some = [] if gap else job["rows"][first:first + self.page_rows]
        following = first + len(some)
        if following < len(job["rows"]):
            reply["pageToken"] = f"page-{following}" + ("-gap" if first == 0 and not gap else "")
        self.fetched += len(some)
        reply.update(schema={"fields": [{"name": name, "type": "STRING", "mode": "NULLABLE"} for name in (*GROUPS, "amount", "quantity")]},
                     totalRows=str(len(job["rows"])), totalBytesProcessed="0" if self.cached else str(self.bytes), cacheHit=self.cached)
        if some:
            reply["rows"] = some
        return reply


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):  # noqa: N802
        self.respond("")

    def do_POST(self):  # noqa: N802
        self.respond(self.rfile.read(int(self.headers["Content-Length"])).decode())

    def respond(self, text):
        with self.server.lock:
            status, body, headers = self.reply(text)
        if status in (DROPPED, CUT):
            if status == CUT:
                self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"jobComplete\": tr")
            self.close_connection = True
            return
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass

    def reply(self, text):
        server, url = self.server, urllib.parse.urlsplit(self.path)
        if url.path == "/token" and self.command == "POST":
            return server.login(dict(urllib.parse.parse_qsl(text)))
        if self.headers.get("Authorization") != f"Bearer {server.valid}" or server.left <= 0:
            return fault(401, "authError", "Request had invalid authentication credentials.")
        server.left -= 1
        if server.faults:
            one = server.faults.pop(0)
            if one:
                return one
        for right, said in (("bigquery.jobs.create", f"Access Denied: Project {PROJECT}: User does not have bigquery.jobs.create permission"),
                            ("bigquery.tables.getData", "Access Denied: Table: User does not have permission to query table")):
            if right in server.missing_rights:
                return fault(403, "accessDenied", said)
        queries = f"/bigquery/v2/projects/{PROJECT}/queries"
        if url.path == f"/v1/billingAccounts/{ACCOUNT}/budgets" and self.command == "GET":
            if "billing.budgets.list" in server.missing_rights:
                return fault(403, "forbidden", "The caller does not have permission")
            return 200, json.dumps({"budgets": server.budgets}).encode(), {}
        if url.path == f"/compute/v1/projects/{PROJECT}/aggregated/commitments" and self.command == "GET":
            if "compute.commitments.list" in server.missing_rights:
                return fault(403, "forbidden", "Required 'compute.commitments.list' permission")
            return 200, json.dumps({"items": {"regions/us-central1": {"commitments": server.commitments}, "regions/us-east1": {
                "warning": {"code": "NO_RESULTS_ON_PAGE"}}}}).encode(), {}
        try:
            if url.path == queries and self.command == "POST":
                return 200, json.dumps(server.query(json.loads(text))).encode(), {}
            asked = dict(urllib.parse.parse_qsl(url.query))
            job = server.jobs.get(url.path.removeprefix(queries + "/"))
            if self.command != "GET" or not job or asked.get("location") != "EU":
                raise Refused("notFound", "Not found: Job")
            return 200, json.dumps(server.results(job, asked.get("pageToken", ""))).encode(), {}
        except Refused as refused:
            return fault(404 if refused.args[0] == "notFound" else 400, *refused.args)
