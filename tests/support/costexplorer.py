# SPDX-License-Identifier: GPL-3.0-or-later
"""A Cost Explorer on a loopback port that computes its answers from charges: filters, groups, pages, estimates. It refuses every request that
the service would refuse, and counts those that AWS charges for. `faults` are given out one per request, in place of an answer. It has AWS Budgets,
too, which is free: `budgets` is the list as that service writes it; None: the right is missing. `commitments` has by operation the list of its
answer, in pages of `page_groups`; an operation without a list has no data, and one with None may not be asked."""
import datetime
import decimal
import http.server
import json
import re
import threading

EC2 = "Amazon Elastic Compute Cloud - Compute"
SAGEMAKER = "Amazon SageMaker"
DROPPED = 0  # a status: the connection ends without an answer
COMMITMENTS = {  # operation: the key of its list, that of its token, and what it may be grouped by
    "GetSavingsPlansUtilizationDetails": ("SavingsPlansUtilizationDetails", "NextToken", None),
    "GetSavingsPlansCoverage": ("SavingsPlansCoverages", "NextToken", "INSTANCE_FAMILY"),
    "GetReservationUtilization": ("UtilizationsByTime", "NextPageToken", "SUBSCRIPTION_ID"),
    "GetReservationCoverage": ("CoveragesByTime", "NextPageToken", "INSTANCE_TYPE"),
}
METRICS = ("UnblendedCost", "AmortizedCost", "NetUnblendedCost", "NetAmortizedCost", "UsageQuantity", "BlendedCost", "NormalizedUsageAmount")
DIMENSIONS = {"LINKED_ACCOUNT": "account", "SERVICE": "service", "USAGE_TYPE": "usage_type", "RECORD_TYPE": "record"}
CALLER = ("<GetCallerIdentityResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><GetCallerIdentityResult><Arn>arn:aws:iam::{0}:user/x</Arn>"
          "<UserId>X</UserId><Account>{0}</Account></GetCallerIdentityResult></GetCallerIdentityResponse>")


def charge(day, billed, effective=None, account="111111111111", service=EC2, usage_type="BoxUsage:p4d.24xlarge", record="Usage", hours=None,
           tags=None, net=None):
    billed = decimal.Decimal(billed)
    effective = billed if effective is None else decimal.Decimal(effective)
    net = billed if net is None else decimal.Decimal(net)
    return {"day": datetime.date.fromisoformat(day), "account": account, "service": service, "usage_type": usage_type, "record": record,
            "tags": tags or {}, "UnblendedCost": billed, "AmortizedCost": effective, "NetUnblendedCost": net, "NetAmortizedCost": net,
            "UsageQuantity": decimal.Decimal(hours or 0), "unit": "Hrs" if hours else "N/A"}


class Refused(Exception):
    """The service's code and text for a request that breaks its contract."""


def fault(status, code, message="said so", headers=None):
    body = json.dumps({"__type": f"com.amazonaws.ce#{code}", "Message": message}).encode() if code else b""
    return status, body, headers or {}


def holds(expression, one):
    if not isinstance(expression, dict) or len(expression) != 1:
        raise Refused("ValidationException", "an expression has exactly one root")
    (kind, inside), = expression.items()
    if kind in ("And", "Or"):
        if len(inside) < 2:
            raise Refused("ValidationException", f"{kind} has fewer than 2 members")
        parts = [holds(part, one) for part in inside]
        return all(parts) if kind == "And" else any(parts)
    if kind == "Not":
        return not holds(inside, one)
    if kind != "Dimensions" or inside["Key"] not in DIMENSIONS or not inside["Values"]:
        raise Refused("ValidationException", "unknown dimension")
    return one[DIMENSIONS[inside["Key"]]] in inside["Values"]


class CostExplorer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, *charges):
        super().__init__(("127.0.0.1", 0), Handler)
        self.charges, self.faults, self.asked, self.paid, self.tokens = list(charges), [], [], 0, []
        self.account, self.names, self.page_groups, self.hidden = "999999999999", {}, 1000, {}
        self.final_until = datetime.date(1970, 1, 1)  # days before it are final
        self.budgets, self.commitments = [], {}
        self.organization, self.listed = None, 0  # names by number; None: the account may not list them
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """A client that was killed is no failure."""

    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def close(self):
        self.shutdown()
        self.server_close()

    def total(self, begin, end, metric="UnblendedCost"):
        begin, end = datetime.date.fromisoformat(begin), datetime.date.fromisoformat(end)
        return sum((one[metric] for one in self.charges if begin <= one["day"] < end), decimal.Decimal(0))

    def answer(self, body):
        begin, end = (datetime.date.fromisoformat(body["TimePeriod"][key]) for key in ("Start", "End"))
        groups, metrics = body.get("GroupBy", []), body["Metrics"]
        if begin >= end or body["Granularity"] != "DAILY" or len(groups) > 2 or not set(metrics) <= set(METRICS):
            raise Refused("ValidationException", "the request is not allowed")
        rows = []
        for number in range((end - begin).days):
            day = begin + datetime.timedelta(number)
            found = {}
            for one in self.charges:
                if one["day"] == day and ("Filter" not in body or holds(body["Filter"], one)):
                    found.setdefault(tuple(self.key(group, one) for group in groups), []).append(one)
            if groups:
                rows.append((day, None))  # a day without charges is in the answer, too
            else:
                found = {(): found.get((), [])}
            for key in sorted(found):
                rows.append((day, (key, {name: self.amount(found[key], name) for name in metrics})))
        return self.page(body, rows, bool(groups))

    def key(self, group, one):
        if group["Type"] == "TAG":
            return f"{group['Key']}${one['tags'].get(group['Key'], '')}"
        return one[DIMENSIONS[group["Key"]]]

    @staticmethod
    def amount(charges, name):
        units = {one["unit"] for one in charges} if name == "UsageQuantity" else {"USD"}
        total = sum((one[name] for one in charges), decimal.Decimal(0))
        return {"Amount": f"{total:.10f}", "Unit": units.pop() if len(units) == 1 else "N/A"}

    def page(self, body, rows, is_grouped):
        """So many groups to a page, which may end within a day; a token is good for the same request only."""
        same = {key: value for key, value in body.items() if key != "NextPageToken"}
        first = 0
        if "NextPageToken" in body:
            known = {token: (at, request) for token, at, request in self.tokens}
            if body["NextPageToken"] not in known or known[body["NextPageToken"]][1] != same:
                raise Refused("InvalidNextTokenException", "the token is not valid")
            first = known[body["NextPageToken"]][0]
        some = rows[first:first + self.page_groups]
        results = []
        for day, one in some:
            if not results or results[-1]["TimePeriod"]["Start"] != str(day):
                results.append({"TimePeriod": {"Start": str(day), "End": str(day + datetime.timedelta(1))}, "Total": {}, "Groups": [],
                                "Estimated": day >= self.final_until})
            if one and is_grouped:
                results[-1]["Groups"].append({"Keys": list(one[0]), "Metrics": one[1]})
            elif one:
                results[-1]["Total"] = one[1]
        out = {"ResultsByTime": results, "GroupDefinitions": body.get("GroupBy", []),
               "DimensionValueAttributes": [{"Value": k, "Attributes": {"description": v}} for k, v in self.names.items()]}
        if first + self.page_groups < len(rows):
            token = f"page-{len(self.tokens)}"
            self.tokens.append((token, first + self.page_groups, same))
            out["NextPageToken"] = token
        return out


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_POST(self):  # noqa: N802
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        with self.server.lock:
            status, body, headers = self.reply(text)
        if status == DROPPED:
            self.close_connection = True
            return
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.close_connection = "Content-Length" in headers
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass

    def reply(self, text):
        server = self.server
        signed = re.search(r"Credential=[^/]+/\d{8}/us-east-1/(ce|sts|budgets|organizations)/aws4_request", self.headers.get("Authorization", ""))
        if not signed or not self.headers.get("X-Amz-Date"):
            return fault(400, "MissingAuthenticationToken")
        if signed.group(1) == "sts":
            server.asked.append("GetCallerIdentity")
            return 200, CALLER.format(server.account).encode(), {"Content-Type": "text/xml"}
        if signed.group(1) == "budgets":
            return self.budgets(json.loads(text))
        if signed.group(1) == "organizations":
            return self.organization(json.loads(text))
        operation = self.headers.get("X-Amz-Target", "").removeprefix("AWSInsightsIndexService.")
        body = json.loads(text)
        if operation in COMMITMENTS:
            return self.about_commitments(operation, body)
        if operation != "GetCostAndUsage":
            return fault(400, "UnknownOperationException")
        server.asked.append(body)
        if server.faults:
            one = server.faults.pop(0)
            if one:
                return one
        try:
            answer = server.answer(body)
        except Refused as refused:
            return fault(400, *refused.args)
        server.paid += 1
        return 200, json.dumps(answer).encode(), {"Content-Type": "application/x-amz-json-1.1"}

    def about_commitments(self, operation, body):
        server, (entries, token, group) = self.server, COMMITMENTS[operation]
        server.asked.append({"operation": operation, **body})
        if body.get("GroupBy") != ([{"Type": "DIMENSION", "Key": group}] if group else None) or "Granularity" in body:
            return fault(400, "ValidationException", "the groups are not allowed")
        known = server.commitments.get(operation, [])
        if known is None:
            return fault(400, "AccessDeniedException", f"User: arn:aws:iam::{server.account}:user/x is not authorized to perform: ce:{operation}")
        if not known:
            return fault(400, "DataUnavailableException", "")
        server.paid += 1
        first = int(body.get(token, "0"))
        end = first + server.page_groups
        out = {entries: known[first:end]}
        if end < len(known):
            out[token] = str(end)
        return 200, json.dumps(out).encode(), {"Content-Type": "application/x-amz-json-1.1"}

    def organization(self, body):
        """AWS Organizations: at most 20 accounts a page; an empty page may come before the last one."""
        server = self.server
        if self.headers.get("X-Amz-Target") != "AWSOrganizationsV20161128.ListAccounts" or not 1 <= body.get("MaxResults", 20) <= 20:
            return fault(400, "InvalidInputException")
        server.listed += 1
        if server.organization is None:
            return fault(400, "AccessDeniedException", "You don't have permissions to access this resource.")
        if isinstance(server.organization, tuple):  # as fault() returns it
            return server.organization
        some = [{"Id": number, "Name": name, "State": "ACTIVE"} for number, name in server.organization.items()]
        first = int(body.get("NextToken", "-1"))
        out = {"Accounts": some[first:first + 20] if first >= 0 else []}
        if max(first, 0) + (20 if first >= 0 else 0) < len(some):
            out["NextToken"] = str(first + 20 if first >= 0 else 0)
        return 200, json.dumps(out).encode(), {"Content-Type": "application/x-amz-json-1.1"}

    def budgets(self, body):
        server = self.server
        if self.headers.get("X-Amz-Target") != "AWSBudgetServiceGateway.DescribeBudgets":
            return fault(400, "UnknownOperationException")
        if not re.fullmatch(r"\d{12}", body.get("AccountId", "")) or not 1 <= body.get("MaxResults", 100) <= 1000:
            return fault(400, "InvalidParameterException")
        if server.budgets is None or body["AccountId"] != server.account:
            return fault(400, "AccessDeniedException", f"User: arn:aws:iam::{server.account}:user/x is not authorized to perform: budgets:ViewBudget")
        first = int(body.get("NextToken", "0"))
        end = first + body.get("MaxResults", 100)
        out = {"Budgets": server.budgets[first:end]}
        if end < len(server.budgets):
            out["NextToken"] = str(end)
        return 200, json.dumps(out).encode(), {"Content-Type": "application/x-amz-json-1.1"}
