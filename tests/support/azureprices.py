# SPDX-License-Identifier: GPL-3.0-or-later
"""The service for Azure's retail prices (api-version 2023-01-01-preview) on a loopback port. There is no public peer that a test may ask: the fake follows the contract and
refuses requests that the service would refuse, among them names in another case. It is public: whoever sends it a credential or a header that a caller of a public service
has no reason to send is noted in `betrayed`. The second page of a region is empty and leads to another one. `faults` are given out one per question, in place of an answer."""
import http.server
import json
import re
import threading
import urllib.parse

PATH = "/api/retail/prices"
USUAL_HEADERS = {"host", "accept", "accept-encoding", "user-agent", "connection"}
FILTER = re.compile(r"serviceName eq 'Virtual Machines' and armRegionName eq '([a-z0-9]+)' and contains\(armSkuName,'(Standard_N)'\)")
H100, T4 = "Standard_ND96isr_H100_v5", "Standard_NC4as_T4_v3"


class Raw(str):
    """The text of a JSON value, for numbers that a float would change."""


def price(amount, size=H100, region="eastus", meter="", spot=False, **other):
    """A row as the service writes it. `amount` is the text of a JSON number."""
    name = size.removeprefix("Standard_").replace("_", " ") + (" Spot" if spot else "")
    row = {"currencyCode": "USD", "tierMinimumUnits": Raw("0.0"), "retailPrice": Raw(amount), "unitPrice": Raw(amount), "armRegionName": region, "location": "US East",
           "effectiveStartDate": "2024-11-01T00:00:00Z", "meterId": meter or f"{name} {region}", "meterName": name, "productId": "DZH318Z0BQ4L", "skuId": "DZH318Z0BQ4L/00M6",
           "productName": "Virtual Machines NDsr H100 v5 Series", "skuName": name, "serviceName": "Virtual Machines", "serviceId": "DZH313Z7MMC8",
           "serviceFamily": "Compute", "unitOfMeasure": "1 Hour", "type": "Consumption", "isPrimaryMeterRegion": True, "armSkuName": size}
    return {**row, **other}


def reservation(amount, years, **other):
    term = "1 Year" if years == 1 else f"{years} Years"
    return price(amount, **{"type": "Reservation", "reservationTerm": term, "meter": f"reserved {other.get('size', H100)} {other.get('region', 'eastus')}", **other})


def plan(amount, years):
    return {"unitPrice": Raw(amount), "retailPrice": Raw(amount), "term": "1 Year" if years == 1 else f"{years} Years"}


def written(value):
    """JSON in which a Raw is as it is."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{written(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(written(one) for one in value) + "]"
    return json.dumps(value)


class RetailPrices(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.rows, self.asked, self.betrayed, self.faults = [], [], [], []  # `asked`: (region, first row)
        self.page_rows, self.is_endless, self.link = 2, False, None  # `link`: in place of that to the second page
        self.lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        """A client that was killed is no failure."""

    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def close(self):
        self.shutdown()
        self.server_close()

    def answer(self, path, query):
        if path != PATH or query.get("api-version") != "2023-01-01-preview" or query.get("currencyCode") != "'USD'":
            return 400, b'{"Error":{"Code":"BadRequest"}}', {}
        found = FILTER.fullmatch(query.get("$filter", ""))
        if not found:
            return 400, b'{"Error":{"Code":"BadRequest","Message":"Invalid OData parameters supplied"}}', {}
        region, first = found[1], int(query.get("$skip", "0"))
        self.asked.append((region, first))
        one = self.faults.pop(0) if self.faults else None
        if one:
            return one
        rows = [row for row in self.rows if row["serviceName"] == "Virtual Machines" and row["armRegionName"] == region and found[2] in row["armSkuName"]]
        if self.is_endless:
            return self.page([], query, first % 3 + 1)
        # Rows before the gap, the gap, rows after it: the gap takes a place of its own in $skip.
        some = [] if first == self.page_rows else rows[first:first + self.page_rows] if first < self.page_rows else rows[first - 1:first - 1 + self.page_rows]
        following = self.page_rows if first < self.page_rows else first + 1 if first == self.page_rows else first + self.page_rows
        return self.page(some, query, following if len(rows) > following - (following > self.page_rows) else 0)

    def page(self, some, query, following):
        link = f"{self.url()}{PATH}?{urllib.parse.urlencode({**query, '$skip': following})}" if following else None
        if following and self.link:
            link = self.link
        body = written({"BillingCurrency": "USD", "CustomerEntityId": "Default", "CustomerEntityType": "Retail", "Items": some, "NextPageLink": link, "Count": Raw(str(len(some)))})
        return 200, body.encode(), {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):  # noqa: N802
        server, url = self.server, urllib.parse.urlsplit(self.path)
        with server.lock:
            unusual = [name for name in self.headers if name.lower() not in USUAL_HEADERS]
            if unusual or "canary" in self.path + str(self.headers):
                server.betrayed.append((self.path, unusual))
            status, body, headers = server.answer(url.path, dict(urllib.parse.parse_qsl(url.query)))
        if status == 0:  # the connection ends without an answer
            self.close_connection = True
            return
        self.send_response(status)
        for name, value in {"Content-Type": "application/json; charset=utf-8", "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.close_connection = "Content-Length" in headers
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass

    def do_POST(self):  # noqa: N802
        self.server.betrayed.append((self.path, ["POST"]))
        self.close_connection = True

    do_PUT = do_DELETE = do_PATCH = do_HEAD = do_POST
