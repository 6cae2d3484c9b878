# SPDX-License-Identifier: GPL-3.0-or-later
"""What EC2 and the price list service of AWS tell about prices, on a loopback port; for what moto lacks: it has one spot price of 2006 for
everything, and no price list. Follows the contract of both (botocore's models): spot prices are a step function of each zone, newest first, with the last
change before StartTime; the first page is empty and has a token; a product is JSON in a text; placement scores are refused as a whole if a type is
not known, and above a number of different questions. It refuses requests that the services would refuse.
`faults` are given out one per action, in place of an answer. Signatures are not checked: tst_sigv4 does that."""
import datetime
import http.server
import json
import threading
import urllib.parse
import xml.sax.saxutils

LINUX = "Linux/UNIX"
WANTED = {"operatingSystem": "Linux", "tenancy": "Shared", "preInstalledSw": "NA", "capacitystatus": "Used", "marketoption": "OnDemand",
          "licenseModel": "No License required"}
RIGHTS = {"DescribeSpotPriceHistory": "ec2:DescribeSpotPriceHistory", "GetProducts": "pricing:GetProducts", "GetSpotPlacementScores": "ec2:GetSpotPlacementScores"}


def ec2_fault(status, code, message="said so", headers=None):
    body = f"<Response><Errors><Error><Code>{code}</Code><Message>{message}</Message></Error></Errors><RequestID>req-1</RequestID></Response>"
    return status, body.encode(), {"Content-Type": "text/xml", **(headers or {})}


def json_fault(status, code, message="said so", headers=None):
    return status, json.dumps({"__type": f"com.amazonaws.pricing#{code}", "Message": message}).encode(), headers or {}


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def product(kind="p5.48xlarge", price="55.0400000000", region="us-east-1", currency="USD", unit="Hrs", **attributes):
    """A product as AWS writes it."""
    rate = {"unit": unit, "endRange": "Inf", "description": "per On Demand Linux Instance Hour", "appliesTo": [], "rateCode": "A.B.C", "beginRange": "0",
            "pricePerUnit": {currency: price}}
    return {"product": {"productFamily": "Compute Instance", "sku": "A", "attributes": {"instanceType": kind, "regionCode": region, **WANTED, **attributes}},
            "serviceCode": "AmazonEC2", "version": "20261101000000", "publicationDate": "2026-11-01T00:00:00Z",
            "terms": {"OnDemand": {"A.B": {"priceDimensions": {"A.B.C": rate}, "sku": "A", "effectiveDate": "2026-11-01T00:00:00Z", "offerTermCode": "B", "termAttributes": {}}}}}


class AwsPrices(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.spot = {}  # (type, zone id): [(time, price)]
        self.products = [product()]
        self.scores = {}  # zone id: placement score; a zone of another region as (region, zone id)
        self.unknown_types, self.most_questions, self.questions = set(), 50, set()
        self.denied, self.asked = set(), []  # actions; (action, form or body)
        self.faults = {}  # action: [answers]
        self.page, self.is_endless = 2, False
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """A client that was killed is no failure."""

    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def close(self):
        self.shutdown()
        self.server_close()

    def count(self, action):
        return len([one for one, _ in self.asked if one == action])

    def spot_history(self, form):
        wanted = {value for name, value in form.items() if name.startswith("Filter.1.Value.")}
        systems = {value for name, value in form.items() if name.startswith("ProductDescription.")}
        if form.get("Version") != "2016-11-15" or form["Filter.1.Name"] != "instance-type" or not 0 < len(wanted) <= 200 or int(form["MaxResults"]) > 1000:
            return ec2_fault(400, "InvalidParameterValue")
        start, rows = moment(form["StartTime"]), []
        for (kind, zone), steps in self.spot.items():
            if kind in wanted and LINUX in systems:
                before = [step for step in steps if moment(step[0]) <= start][-1:]
                rows += [(kind, zone, *step) for step in before + [step for step in steps if moment(step[0]) > start]]
        rows.sort(key=lambda row: row[2], reverse=True)
        token = form.get("NextToken", "")
        if self.is_endless:
            return self.spot_page([], str(int(token or 0) % 3 + 1))
        if not token and rows:
            return self.spot_page([], "0")  # an empty page with a token
        first = int(token or 0)
        return self.spot_page(rows[first:first + self.page], str(first + self.page) if first + self.page < len(rows) else "")

    @staticmethod
    def spot_page(rows, token):
        items = "".join(f"<item><instanceType>{kind}</instanceType><productDescription>{LINUX}</productDescription><spotPrice>{price}</spotPrice>"
                        f"<timestamp>{time}</timestamp><availabilityZone>us-east-1{zone[-1]}</availabilityZone>"
                        f"<availabilityZoneId>{xml.sax.saxutils.escape(zone)}</availabilityZoneId></item>" for kind, zone, time, price in rows)
        body = (f'<?xml version="1.0"?><DescribeSpotPriceHistoryResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15"><requestId>req-1</requestId>'
                f"<spotPriceHistorySet>{items}</spotPriceHistorySet><nextToken>{token}</nextToken></DescribeSpotPriceHistoryResponse>")
        return 200, body.encode(), {"Content-Type": "text/xml"}

    def placement(self, form):
        types = [form[f"InstanceType.{at}"] for at in range(1, 1 + len([name for name in form if name.startswith("InstanceType.")]))]
        region, count, most = form["RegionName.1"], int(form["TargetCapacity"]), int(form.get("MaxResults", 10))
        if (form.get("Version") != "2016-11-15" or not 0 < len(types) <= 1000 or not 1 <= count <= 2000000000 or not 10 <= most <= 1000
                or form["TargetCapacityUnitType"] != "units" or form["SingleAvailabilityZone"] != "true"):
            return ec2_fault(400, "InvalidParameterValue")
        if form.get("DryRun") == "true":
            return ec2_fault(412, "DryRunOperation", "it was a dry run")
        unknown = [one for one in types if one in self.unknown_types]
        if unknown:
            return ec2_fault(400, "InvalidParameterValue", f"Some instance types are not valid here: [{', '.join(unknown)}].")
        question = (region, count, *sorted(types))
        if question not in self.questions and len(self.questions) >= self.most_questions:
            return ec2_fault(400, "MaxConfigLimitExceeded", "Too many configurations within 24 hours.")
        self.questions.add(question)
        rows = [(*zone, score) if isinstance(zone, tuple) else (region, zone, score) for zone, score in self.scores.items()]
        token = form.get("NextToken", "")
        if self.is_endless:
            return self.score_page([], str(int(token or 0) % 3 + 1))
        if not token and rows:
            return self.score_page([], "0")  # an empty page with a token
        first = int(token or 0)
        return self.score_page(rows[first:first + self.page], str(first + self.page) if first + self.page < len(rows) else "")

    @staticmethod
    def score_page(rows, token):
        items = "".join(f"<item><region>{region}</region><availabilityZoneId>{xml.sax.saxutils.escape(zone)}</availabilityZoneId><score>{score}</score></item>"
                        for region, zone, score in rows)
        body = (f'<?xml version="1.0"?><GetSpotPlacementScoresResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15"><requestId>req-1</requestId>'
                f"<spotPlacementScoreSet>{items}</spotPlacementScoreSet><nextToken>{token}</nextToken></GetSpotPlacementScoresResponse>")
        return 200, body.encode(), {"Content-Type": "text/xml"}

    def price_list(self, body):
        filters = {one["Field"]: one["Value"] for one in body["Filters"] if one["Type"] == "TERM_MATCH"}
        if body["ServiceCode"] != "AmazonEC2" or body["MaxResults"] > 100 or not WANTED.items() <= filters.items():
            return json_fault(400, "InvalidParameterException")
        found = [one for one in self.products if all(one["product"]["attributes"].get(key) == value for key, value in filters.items())]
        first = int(body.get("NextToken", -1))
        out = {"FormatVersion": "aws_v1", "PriceList": []}
        if found and first < 0:
            out["NextToken"] = "0"  # an empty page with a token
        else:
            out["PriceList"] = [json.dumps(one) for one in found[max(first, 0):max(first, 0) + 1]]
            if max(first, 0) + 1 < len(found):
                out["NextToken"] = str(max(first, 0) + 1)
        return 200, json.dumps(out).encode(), {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_POST(self):  # noqa: N802
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        status, body, headers = self.reply(text)
        self.send_response(status)
        for name, value in {"Content-Type": "application/x-amz-json-1.1", "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass

    def reply(self, text):
        server, target = self.server, self.headers.get("X-Amz-Target", "")
        asked = json.loads(text) if target else dict(urllib.parse.parse_qsl(text, keep_blank_values=True))
        action = target.removeprefix("AWSPriceListService.") if target else asked["Action"]
        fault = json_fault if target else ec2_fault
        server.asked.append((action, asked))
        if "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/" not in self.headers.get("Authorization", ""):
            return fault(403, "MissingAuthenticationToken")
        if target and "/pricing/aws4_request" not in self.headers["Authorization"]:
            return fault(403, "SignatureDoesNotMatch")
        if server.faults.get(action):
            return server.faults[action].pop(0)
        if action in server.denied:
            code = "AccessDeniedException" if target else "UnauthorizedOperation"
            return fault(400 if target else 403, code, f"User: x is not authorized to perform: {RIGHTS[action]}")
        if action == "DescribeSpotPriceHistory":
            return server.spot_history(asked)
        if action == "GetSpotPlacementScores":
            return server.placement(asked)
        if action == "GetProducts":
            return server.price_list(asked)
        if action == "DescribeInstances":
            return ec2_fault(400, "InvalidInstanceID.NotFound")
        return fault(400, "InvalidAction")
