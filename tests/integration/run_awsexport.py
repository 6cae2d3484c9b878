#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A FOCUS export in S3: the ledger has the same total as the same files read by `focus`, and each month is counted once. Against moto, and,
for what moto does not do, against a fake that refuses, cuts off and changes its mind."""
import csv
import datetime
import decimal
import gzip
import http.server
import io
import json
import os
import re
import subprocess
import sys
import threading
import time
import unittest
import urllib.parse
from xml.sax.saxutils import escape

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

from product import ProductTest, Program, configuration  # noqa: E402

AWS = os.path.join(HERE, "..", "support", "awsserver.py")
NOW, FAILED = "2026-11-20T10:00:00Z", 4
PIECE, LARGE_ROWS = 8 << 20, 14_000
COLUMNS = ("BilledCost,EffectiveCost,ListCost,ContractedCost,BillingAccountId,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,"
           "ChargeCategory,ProviderName,PublisherName,InvoiceIssuerName,ServiceCategory,ServiceName,ResourceId,Tags,x_UsageType,ChargeDescription").split(",")
ROOT = "exports/focus/company"


def bill(month, costs, packed=True):
    """The bytes of one file of that month ("2026-10")."""
    year, number = map(int, month.split("-"))
    end = f"{year + number // 12}-{number % 12 + 1:02}"
    text = io.StringIO(newline="")
    out = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    out.writeheader()
    for at, cost in enumerate(costs):
        out.writerow({**dict.fromkeys(COLUMNS, ""), "BilledCost": cost, "EffectiveCost": cost, "ListCost": cost, "ContractedCost": cost, "BillingAccountId": "123456789012",
                      "BillingCurrency": "USD", "BillingPeriodStart": f"{month}-01T00:00:00Z", "BillingPeriodEnd": f"{end}-01T00:00:00Z",
                      "ChargePeriodStart": f"{month}-{at % 15 + 1:02}T00:00:00Z", "ChargePeriodEnd": f"{month}-{at % 15 + 2:02}T00:00:00Z", "ChargeCategory": "Usage",
                      "ProviderName": "AWS", "PublisherName": "AWS", "InvoiceIssuerName": "AWS", "ServiceCategory": "Compute",
                      "ServiceName": "Amazon Elastic Compute Cloud", "ResourceId": f"i-{at:017x}", "Tags": "{}", "x_UsageType": "BoxUsage:p4d.24xlarge",
                      "ChargeDescription": "p4d.24xlarge"})
    return gzip.compress(text.getvalue().encode()) if packed else text.getvalue().encode()


def large(month, cost):
    """A file of more than two pieces, which grows by being packed."""
    rows = bill(month, [cost] * LARGE_ROWS, packed=False).replace(b"p4d.24xlarge\n", b"p4d.24xlarge" + b" of a machine" * 80 + b"\n")
    return gzip.compress(rows, 0)


def total(program, now=NOW):
    answer = json.loads(program.healthy("ledger", "--by", "account", "--from", "2026-09-01", "--to", "2026-12-01", "--json", now=now).stdout)
    return sum(decimal.Decimal(row["billed"]["amount"]) for row in answer["rows"])


class ExportTest(ProductTest):
    """`put(key, bytes)` and `url` come from the server of each class."""

    def write(self, month, *files, execution="", name="company"):
        """One execution of the export: its files, then the manifest that names them."""
        folder = f"BILLING_PERIOD={month}/{execution}"
        endings = {b"PAR1": "snappy.parquet", b"\x1f\x8b\x08\x00": "csv.gz"}
        keys = [f"{ROOT}/data/{folder}{name}-{number:05}.{endings.get(content[:4], 'csv')}" for number, content in enumerate(files, 1)]
        for key, content in zip(keys, files):
            self.put(key, content)
        self.manifest(month, [f"s3://bills/{key}" for key in keys], execution)
        return keys

    def manifest(self, month, names, execution="", columns=COLUMNS):
        content = json.dumps({"columns": [{"name": one, "type": "string"} for one in columns], "dataFiles": names}).encode()
        self.put(f"{ROOT}/metadata/BILLING_PERIOD={month}/{execution}company-Manifest.json", content)

    def source(self, prefix="exports/focus", region="us-east-1", name="home", more=""):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder, exist_ok=True)
        program = Program(folder, configuration(
            f"  - {{ name: bill, kind: aws-export, bucket: bills, prefix: {prefix}, url: \"{self.url}\", auth: {{ type: sigv4, region: {region} }} }}\n" + more))
        program.environment.update(AWS_ACCESS_KEY_ID="AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY="canary-secret-key", AWS_EC2_METADATA_DISABLED="true")
        return program

    def sync(self, program, status=0):
        done = program.run("sync", "--json", now=NOW)
        self.assertEqual(done.returncode, status, done.text + done.stdout.decode())
        self.assertNotIn("canary", done.text + done.stdout.decode())
        one, = json.loads(done.stdout)["sources"]
        return one, done.text

    def assertFails(self, program, code, *words):
        one, text = self.sync(program, FAILED)
        self.assertEqual(one["error"]["code"], code, text)
        for word in words:
            self.assertIn(word, text)


class AgainstMoto(ExportTest):
    def setUp(self):
        super().setUp()
        self.server = subprocess.Popen([sys.executable, AWS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.stdout.close)
        self.addCleanup(self.server.stdin.close)
        first = self.server.stdout.readline().strip()
        if not first.startswith("port "):
            self.skipTest("moto is not installed (./dev deps test)")
        self.url = f"http://127.0.0.1:{first.split()[1]}"
        self.ask(do="bucket", name="bills")

    def ask(self, **what):
        self.server.stdin.write(json.dumps(what) + "\n")
        self.server.stdin.flush()
        answer = json.loads(self.server.stdout.readline())
        self.assertNotIn("error", answer)

    def put(self, key, content):
        path = os.path.join(self.folder, "object")
        with open(path, "wb") as file:
            file.write(content)
        self.ask(do="put", bucket="bills", key=key, path=path)

    def test_the_ledger_is_that_of_the_same_files(self):
        files = {"2026-10": (bill("2026-10", ["10.25", "-0.0000001"]), bill("2026-10", ["3.125"] * 20)), "2026-11": (bill("2026-11", ["7"]),)}
        folder = os.path.join(self.folder, "bills")
        for month, parts in files.items():
            self.write(month, *parts)
            os.makedirs(os.path.join(folder, month))
            for number, part in enumerate(parts):
                path = os.path.join(folder, month, f"company-{number + 1:05}.csv.gz")
                with open(path, "wb") as file:
                    file.write(part)
                os.utime(path, (1, 1))
        self.put("exports/focus/company/data/BILLING_PERIOD=2026-10/company-00009.csv.gz", bill("2026-10", ["5000"]))  # no manifest names it
        program = self.source()
        one, _ = self.sync(program)
        self.assertEqual(one["accepted"], 23)
        other = Program(self.folder, configuration(f"  - {{ name: bill, kind: focus, path: {folder} }}\n"), data="other")
        other.healthy("sync", now=NOW)
        self.assertEqual(total(program), total(other))
        self.assertEqual(total(program), decimal.Decimal("79.7499999"))
        program.verify(now=NOW)
        one, _ = self.sync(program)
        self.assertEqual((one["accepted"], one["known_deliveries"]), (0, 2))
        test = program.healthy("sources", "test", "bill", now=NOW)
        self.assertIn("s3:GetObject", test.stdout.decode() + test.text)

    def test_a_restated_month_replaces_and_an_older_execution_is_not_counted(self):
        program = self.source()
        self.write("2026-10", bill("2026-10", ["100"]), execution="20261101T000000-a/")
        self.sync(program)
        self.assertEqual(total(program), 100)
        self.write("2026-10", bill("2026-10", ["60", "50"]), execution="20261102T000000-b/")
        one, _ = self.sync(program)
        self.assertEqual((one["accepted"], total(program)), (2, 110))
        program.verify(now=NOW)

    def test_large_files_come_in_pieces(self):
        parts = [large("2026-10", "1"), large("2026-10", "0.5")]
        self.write("2026-10", *parts)
        program = self.source()
        one, _ = self.sync(program)
        self.assertEqual((one["accepted"], total(program)), (2 * LARGE_ROWS, decimal.Decimal("1.5") * LARGE_ROWS))
        program.verify(now=NOW)

    def test_the_same_month_from_another_source_is_counted_once_or_warned_of(self):
        content = bill("2026-10", ["10.25"])
        self.write("2026-10", content)
        warnings = []
        for name, copy in (("same.csv.gz", content), ("other.csv", bill("2026-10", ["10.25"], packed=False))):
            folder = os.path.join(self.folder, "copies-" + name)
            os.makedirs(folder)
            with open(os.path.join(folder, name), "wb") as file:
                file.write(copy)
            os.utime(os.path.join(folder, name), (1, 1))
            program = self.source(name="home-" + name, more=f"  - {{ name: copy, kind: focus, path: {folder} }}\n")
            done = program.healthy("sync", "--json", now=NOW)
            for source in json.loads(done.stdout)["sources"]:
                warnings += [(name, source["name"], warning) for one in source["deliveries"] for warning in one["warnings"]]
            if not warnings:
                self.assertEqual(total(program), decimal.Decimal("10.25"))
        (name, source, warning), = warnings
        self.assertEqual(name, "other.csv")
        for words in ("123456789012", "2026-10", "is also in source " + ("copy" if source == "bill" else "bill"), "counted twice"):
            self.assertIn(words, warning)
        self.assertIn(f"{source}: {warning}", done.text)

    def test_names_that_need_encoding(self):
        program = self.source("\"exports/focus\"")
        self.write("2026-10", bill("2026-10", ["4"]), name="a b+c=d~é")
        self.sync(program)
        self.assertEqual(total(program), 4)


class FakeStore:
    """An S3 that lists `page` keys at a time. `before(path, query)` may answer in its place with (status, body, headers)."""

    def __init__(self):
        self.objects, self.asked, self.ranges, self.page = {}, [], [], 1000
        self.skew = 0  # seconds that its clock is ahead
        self.before = lambda path, query: None
        store = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                path, _, query = self.path.partition("?")
                path, query = urllib.parse.unquote(path), dict(urllib.parse.parse_qsl(query))
                store.asked.append((path, query))
                status, body, headers = store.before(path, query) or store.answer(path, query, self.headers)
                length = headers.pop("Content-Length", str(len(body)))
                self.send_response(status)
                for name, value in {**headers, "Content-Length": length}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)
                self.close_connection = int(length) != len(body)

            def date_time_string(self, timestamp=None):
                return super().date_time_string((timestamp or time.time()) + store.skew)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def put(self, key, content, age=3600):
        stamp = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=age)
        self.objects[key] = (content, f"\"{abs(hash(content)):x}\"", stamp.strftime("%Y-%m-%dT%H:%M:%S.000Z"))

    def answer(self, path, query, headers):
        if path == "/bills/":
            keys = sorted(key for key in self.objects if key.startswith(query["prefix"]) and key > query.get("continuation-token", ""))
            page, more = keys[:self.page], len(keys) > self.page
            parts = [f"<Contents><Key>{escape(urllib.parse.quote(key))}</Key><LastModified>{self.objects[key][2]}</LastModified><ETag>{escape(self.objects[key][1])}</ETag>"
                     f"<Size>{len(self.objects[key][0])}</Size></Contents>" for key in page]
            token = f"<NextContinuationToken>{escape(page[-1])}</NextContinuationToken>" if more else ""
            return 200, (f"<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>{str(more).lower()}</IsTruncated>{token}{''.join(parts)}"
                         "</ListBucketResult>").encode(), {}
        found = self.objects.get(path.removeprefix("/bills/"))
        if not found:
            return refusal(404, "NoSuchKey")
        if headers["If-Match"] != found[1]:
            return refusal(412, "PreconditionFailed")
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", headers["Range"] or "")
        if asked:
            first, last = map(int, asked.groups())
            self.ranges.append((first, last))
            return 206, found[0][first:last + 1], {}
        return 200, found[0], {"Content-Encoding": "gzip"} if found[0][:2] == b"\x1f\x8b" else {}


def refusal(status, code, more="", **headers):
    return status, f"<Error><Code>{code}</Code><Message>said so</Message>{more}<RequestId>1</RequestId></Error>".encode(), headers


class AgainstFaults(ExportTest):
    def setUp(self):
        super().setUp()
        self.store = FakeStore()
        self.addCleanup(self.store.close)
        self.url, self.put = f"http://127.0.0.1:{self.store.server.server_address[1]}", self.store.put

    def test_pages_and_keys_that_expire_between_them(self):
        self.store.page = 2
        for month in ("2026-09", "2026-10", "2026-11"):
            self.write(month, bill(month, ["1"]), bill(month, ["2"]))
        expired = [refusal(400, "ExpiredToken")]
        self.store.before = lambda path, query: expired.pop() if "continuation-token" in query and expired else None
        program = self.source()
        self.sync(program)
        self.assertEqual((total(program), expired), (9, []))

    def test_an_unchanged_month_is_not_fetched_again(self):
        keys = self.write("2026-10", bill("2026-10", ["1"]))
        program = self.source()
        self.sync(program)
        before = len(self.store.asked)
        one, _ = self.sync(program)
        self.assertEqual((one["accepted"], one["known_deliveries"]), (0, 1))
        self.assertNotIn(f"/bills/{keys[0]}", [path for path, _ in self.store.asked[before:]])

    def test_missing_permissions_are_named(self):
        self.write("2026-10", bill("2026-10", ["1"]))
        program = self.source()
        for right, isList in (("s3:ListBucket", True), ("s3:GetObject", False)):
            self.store.before = lambda path, query: refusal(403, "AccessDenied") if (path == "/bills/") == isList else None
            self.assertFails(program, "forbidden", right, "nothing of this bill is shown")
            test = program.run("sources", "test", "bill", now=NOW)
            self.assertIn(f"may not {right}", test.stdout.decode() + test.text)

    def test_a_wrong_region_a_wrong_clock_and_no_bucket(self):
        self.write("2026-10", bill("2026-10", ["1"]))
        program = self.source()
        for answer, code, words in ((refusal(301, "PermanentRedirect", **{"x-amz-bucket-region": "eu-central-1"}), "invalid-config", "in the region eu-central-1"),
                                    (refusal(400, "AuthorizationHeaderMalformed", "<Region>eu-west-2</Region>"), "invalid-config", "in the region eu-west-2"),
                                    (refusal(404, "NoSuchBucket"), "not-found", "NoSuchBucket")):
            self.store.before = lambda path, query, answer=answer: (*answer[:2], dict(answer[2]))
            self.assertFails(program, code, words)
        for skew, words in ((610, "this computer's clock is 10 minutes behind the server's"), (-610, "this computer's clock is 10 minutes ahead of the server's"),
                            (3 * 86400, "3 days behind"), (0, "correct this computer's clock")):
            self.store.skew = skew
            self.store.before = lambda path, query: refusal(403, "RequestTimeTooSkewed")
            self.assertFails(program, "unauthorized", "RequestTimeTooSkewed", words)
        self.store.skew = 610
        self.store.before = lambda path, query: refusal(403, "AccessDenied")
        self.assertNotIn("clock", self.sync(program, FAILED)[1])

    def test_what_is_cut_off_changed_or_missing_is_not_counted(self):
        key, = self.write("2026-10", bill("2026-10", ["1"]))
        program = self.source()
        self.sync(program)
        whole = bill("2026-10", ["2"] * 500)
        self.put(key, whole[:-20])
        self.assertFails(program, "parse", "cut off or damaged")
        self.assertEqual(total(program), 1)
        self.put(key, whole)
        self.store.before = lambda path, query: refusal(412, "PreconditionFailed") if path.endswith(".gz") else None
        self.assertFails(program, "server", "was replaced or deleted while it was read")
        half = (200, whole[:100], {"Content-Length": str(len(whole))})
        cut = [half, half]  # the third try gets all of it
        self.store.before = lambda path, query: (*half[:2], dict(half[2])) if path.endswith(".gz") and cut and cut.pop() else None
        self.sync(program)
        self.assertEqual((total(program), cut), (1000, []))
        del self.store.objects[key]
        self.assertFails(program, "not-found", key, "is missing")
        self.assertEqual(total(program), 1000)
        program.verify(now=NOW)

    def test_a_file_that_changes_between_two_pieces_is_not_counted(self):
        key, = self.write("2026-10", large("2026-10", "1"))
        program, size = self.source(), len(self.store.objects[f"{ROOT}/data/BILLING_PERIOD=2026-10/company-00001.csv.gz"][0])
        pieces = []

        def second(path, _):
            if path.endswith(".gz"):
                pieces.append(path)
                if len(pieces) == 2:
                    self.put(key, large("2026-10", "2"))

        self.store.before = second
        self.assertFails(program, "server", "was replaced or deleted while it was read")
        self.assertEqual((total(program), self.store.ranges), (0, [(0, PIECE - 1)]))
        self.sync(program)
        self.assertEqual((total(program), self.store.ranges[1:]),
                         (2 * LARGE_ROWS, [(0, PIECE - 1), (PIECE, 2 * PIECE - 1), (2 * PIECE, size - 1)]))
        program.verify(now=NOW)

    def test_a_month_that_is_being_written_waits(self):
        self.write("2026-10", bill("2026-10", ["1"]))
        key, = self.write("2026-11", bill("2026-11", ["5"]))
        self.put(key, bill("2026-11", ["6"]), age=5)  # its manifest is older
        program = self.source()
        self.sync(program)
        self.assertEqual(total(program), 1)
        self.put(key, bill("2026-11", ["6"]), age=2000)
        self.sync(program)
        self.assertEqual(total(program), 7)

    def test_what_is_no_focus_export_says_what_to_choose(self):
        program = self.source()
        self.assertFails(program, "not-found", "no export of AWS Data Exports below s3://bills/exports/focus/")
        self.manifest("2026-10", [f"s3://bills/{ROOT}/data/BILLING_PERIOD=2026-10/company-00001.snappy.parquet"])
        program.environment["GPULEDGER_PARQUET_MODULE"] = os.path.join(self.folder, "none")
        self.assertFails(program, "unsupported", "company-00001.snappy.parquet is Parquet", "this build", "text/csv")
        self.write("2026-10", gzip.compress(b"line_item_line_item_type,line_item_unblended_cost\nUsage,1\n"))
        self.assertFails(program, "unsupported", "has no column line_item_currency_code", "add to the SELECT of the export's query")
        self.put("exports/focus/second/metadata/BILLING_PERIOD=2026-10/second-Manifest.json", b"{}")
        self.assertFails(program, "invalid-config", "2 exports below", "exports/focus/second")
        one = self.source("exports/focus/second", name="second")
        self.assertFails(one, "parse", "names no files")


if __name__ == "__main__":
    unittest.main()
