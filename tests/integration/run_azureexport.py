#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A FOCUS export in Azure Blob storage: the ledger has the same total as the same files read by `focus`, and each month is counted once. Against
Azurite, and against a fake in the documented form of the service, which also refuses, throttles, cuts off and changes its mind."""
import base64
import calendar
import csv
import decimal
import email.utils
import gzip
import hashlib
import hmac
import http.client
import io
import itertools
import json
import os
import pathlib
import re
import secrets
import shutil
import subprocess
import sys
import time
import unittest
import urllib.parse
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

from azureblobs import ACCOUNT, BOM, VERSION, FakeLogin, FakeStore, Loopback, refusal  # noqa: E402
from azurecosts import APPLICATION, DROPPED, SECRET, TENANT  # noqa: E402
from product import ProductTest, Program, configuration  # noqa: E402

PEER = os.path.join(HERE, "..", "..", "build", "node-test")
AZURITE = os.path.join(PEER, "node_modules", "azurite", "dist", "src", "blob", "main.js")
NOW, FAILED = "2026-11-20T10:00:00Z", 4
PIECE, LARGE_ROWS = 8 << 20, 14_000
ROLE, ROOT, RUN = "Storage Blob Data Reader", "focus/company", "202611010400/7c5e1b0a-0001/"
SIGNATURE = "canary/signature+="
SAS = urllib.parse.urlencode({"sv": VERSION, "sr": "c", "sp": "rl", "se": "2099-01-01T00:00:00Z", "sig": SIGNATURE})
AUTH = {"application": f"{{ type: basic, user: {APPLICATION}, password: env:AZURE_SECRET }}", "sas": "{ type: basic, user: sas, password: env:SAS }",
        "token": "{ type: bearer, token: env:AZURE_TOKEN }", "identity": None}
BILLING, SUBSCRIPTION = "/providers/Microsoft.Billing/billingAccounts/1234567", "/subscriptions/11111111-2222-3333-4444-555555555555"
COLUMNS = ("BilledCost,EffectiveCost,ListCost,ContractedCost,BillingAccountId,BillingAccountName,BillingAccountType,BillingCurrency,BillingPeriodStart,"
           "BillingPeriodEnd,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,ChargeClass,ProviderName,PublisherName,InvoiceIssuerName,ServiceCategory,"
           "ServiceName,SubAccountId,ResourceId,Tags,PricingQuantity,PricingUnit,x_SkuMeterName,ChargeDescription").split(",")


def bill(month, costs, packed=True):
    """The bytes of one file of that month ("2026-10"), with times as dataset 1.0 has them, without seconds."""
    year, number = map(int, month.split("-"))
    end = f"{year + number // 12}-{number % 12 + 1:02}"
    text = io.StringIO(newline="")
    out = csv.DictWriter(text, COLUMNS, lineterminator="\r\n")
    out.writeheader()
    for at, cost in enumerate(costs):
        out.writerow({**dict.fromkeys(COLUMNS, ""), "BilledCost": cost, "EffectiveCost": cost, "ListCost": cost, "ContractedCost": cost, "BillingAccountId": BILLING,
                      "BillingAccountType": "Billing Profile", "BillingCurrency": "USD", "BillingPeriodStart": f"{month}-01T00:00Z", "BillingPeriodEnd": f"{end}-01T00:00Z",
                      "ChargePeriodStart": f"{month}-{at % 15 + 1:02}T00:00Z", "ChargePeriodEnd": f"{month}-{at % 15 + 2:02}T00:00Z", "ChargeCategory": "Usage",
                      "ProviderName": "Microsoft", "PublisherName": "Microsoft", "InvoiceIssuerName": "Microsoft", "ServiceCategory": "Compute",
                      "ServiceName": "Virtual Machines", "SubAccountId": SUBSCRIPTION, "Tags": "{}", "PricingQuantity": "1", "PricingUnit": "1 Hour", "x_SkuMeterName": "ND96isr H100 v5",
                      "ResourceId": f"{SUBSCRIPTION}/resourcegroups/lab/providers/microsoft.compute/virtualmachines/gpu-{at}", "ChargeDescription": "ND96isr H100 v5"})
    content = BOM + text.getvalue().encode()
    return gzip.compress(content) if packed else content


def large(month, cost):
    """A file of more than two pieces, which grows by being packed."""
    rows = bill(month, [cost] * LARGE_ROWS, packed=False).replace(b"H100 v5\r\n", b"H100 v5" + b" of a machine" * 60 + b"\r\n")
    return gzip.compress(rows, 0)


def total(program):
    answer = json.loads(program.healthy("ledger", "--by", "account", "--from", "2026-09-01", "--to", "2026-12-01", "--json", now=NOW).stdout)
    return sum(decimal.Decimal(row["billed"]["amount"]) for row in answer["rows"])


def period(month):
    year, number = map(int, month.split("-"))
    return f"{year}{number:02}01-{year}{number:02}{calendar.monthrange(year, number)[1]}"


def ask(url, method="GET", body=None, headers=None):
    where = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(where.netloc, timeout=60)
    try:
        connection.request(method, where.path + (f"?{where.query}" if where.query else ""), body, {"x-ms-version": VERSION, **(headers or {})})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


class Export:
    """An export and a program that reads it. `put(name, bytes)`, `url`, `container`, `auth` and `environment` come from each class."""
    login_url = "http://127.0.0.1:9"

    def write(self, month, *files, run=RUN, root=ROOT, **how):
        """One run of the export: its files, then the manifest that names them."""
        folder, endings = f"{root}/{period(month)}/{run}", {b"PA": "snappy.parquet", b"\x1f\x8b": "csv.gz"}
        blobs = {f"{folder}part_{at}_0001.{endings.get(content[:2], 'csv')}": content for at, content in enumerate(files)}
        for name, content in blobs.items():
            self.put(name, content, **how)
        self.manifest(month, {name: len(content) for name, content in blobs.items()}, run, root, **how)
        return list(blobs)

    def manifest(self, month, sizes, run=RUN, root=ROOT, kind="FocusCost", **how):
        top, _, export = root.rpartition("/")
        first, last = (f"{day[:4]}-{day[4:6]}-{day[6:]}T00:00:00" for day in period(month).split("-"))
        content = {"manifestVersion": "2024-04-01", "byteCount": sum(sizes.values()), "blobCount": len(sizes), "dataRowCount": 1,
                   "exportConfig": {"exportName": export, "resourceId": f"{BILLING}/providers/Microsoft.CostManagement/exports/{export}", "dataVersion": "1.0",
                                    "apiVersion": "2023-07-01-preview", "type": kind, "timeFrame": "MonthToDate", "granularity": "Daily"},
                   "deliveryConfig": {"partitionData": True, "dataOverwriteBehavior": "CreateNewReport", "fileFormat": "Csv", "compressionMode": "gzip",
                                      "containerUri": f"{SUBSCRIPTION}/resourceGroups/lab/providers/Microsoft.Storage/storageAccounts/{ACCOUNT}", "rootFolderPath": top},
                   "runInfo": {"executionType": "Scheduled", "submittedTime": f"{last[:8]}20T04:00:00Z", "runId": run.rstrip("/").rpartition("/")[2],
                               "startDate": first, "endDate": last},
                   "blobs": [{"blobName": name, "byteCount": size, "dataRowCount": 1} for name, size in sizes.items()]}
        self.put(f"{root}/{period(month)}/{run}manifest.json", json.dumps(content).encode(), **how)

    def source(self, prefix="focus", auth=None, name="home", more="", **environment):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder, exist_ok=True)
        optional = (f", prefix: {json.dumps(prefix)}" if prefix else "") + (f", auth: {AUTH[auth or self.auth]}" if AUTH[auth or self.auth] else "")
        program = Program(folder, configuration(
            f"  - {{ name: bill, kind: azure-export, account: {ACCOUNT}, container: {self.container}, url: \"{self.url}\", login: \"{self.login_url}\", "
            f"tenant: {TENANT}{optional} }}\n" + more))
        program.environment.update(self.environment, **environment)
        return program

    def assertKept(self, program, *texts):
        """No credential was told or written down."""
        signatures = [value.rpartition("sig=")[2] for value in self.environment.values()]
        files = (path.read_bytes() for path in pathlib.Path(program.folder).rglob("*") if path.is_file())
        for content in itertools.chain(texts, files):
            for secret in ("canary", *signatures, *map(urllib.parse.unquote, signatures)):
                self.assertNotIn(secret.encode(), content)
        for text in texts:
            self.assertNotIn(b"sig=", text)

    def sync(self, program, status=0, *options):
        done = program.run("sync", "--json", *options, now=NOW)
        self.assertEqual(done.returncode, status, done.text + done.stdout.decode())
        self.assertKept(program, done.stderr, done.stdout)
        one, = json.loads(done.stdout)["sources"]
        return one, done.text

    def assertFails(self, program, code, *words):
        one, text = self.sync(program, FAILED)
        self.assertEqual(one["error"]["code"], code, text)
        for word in words:
            self.assertIn(word, text)


class Cases(Export):
    """What holds against both servers."""

    def test_the_ledger_is_that_of_the_same_files(self):
        files = {"2026-10": (bill("2026-10", ["10.25", "-0.0000001"]), bill("2026-10", ["3.125"] * 20)), "2026-11": (bill("2026-11", ["7"], packed=False),)}
        folder = os.path.join(self.folder, "bills")
        for month, parts in files.items():
            os.makedirs(os.path.join(folder, month))
            for name, part in zip(self.write(month, *parts), parts):
                path = os.path.join(folder, month, os.path.basename(name))
                with open(path, "wb") as file:
                    file.write(part)
                os.utime(path, (1, 1))
        self.put(f"{ROOT}/{period('2026-10')}/{RUN}part_9_0001.csv.gz", bill("2026-10", ["5000"]))  # no manifest names it
        self.write("2026-10", bill("2026-10", ["900"]), root="focus-old/company")  # another folder
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
        self.assertKept(program, test.stdout, test.stderr)

    def test_a_restated_month_replaces_and_an_older_run_is_not_counted(self):
        program = self.source()
        self.write("2026-10", bill("2026-10", ["100"]), run="202611010400/f/")
        self.sync(program)
        self.assertEqual(total(program), 100)
        self.write("2026-10", bill("2026-10", ["60"]), bill("2026-10", ["50"]), run="202611020400/a/")
        one, _ = self.sync(program)
        self.assertEqual((one["accepted"], total(program)), (2, 110))
        program.verify(now=NOW)

    def test_large_files_come_in_pieces(self):
        self.write("2026-10", large("2026-10", "1"), large("2026-10", "0.5"))
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
        for words in (BILLING.lower(), "2026-10", "is also in source " + ("copy" if source == "bill" else "bill"), "counted twice"):
            self.assertIn(words, warning)
        self.assertIn(f"{source}: {warning}", done.text)

    def test_names_that_need_encoding(self):
        root = "a b+c=d~é&%41/company"
        self.write("2026-10", bill("2026-10", ["4"]), root=root)
        for at, prefix in enumerate((None, root.split("/")[0], root + "/")):
            program = self.source(prefix, name=f"home{at}")
            self.sync(program)
            self.assertEqual(total(program), 4)


class AgainstAzurite(Cases, ProductTest):
    """Azurite on a free port, in memory, written to with its shared key and read through a shared access signature."""
    auth, numbers = "sas", itertools.count(1)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not os.path.isfile(os.path.join(PEER, "installed")) or not shutil.which("node"):
            raise unittest.SkipTest("azurite is not installed (./dev deps test)")
        cls.key = secrets.token_bytes(64)
        environment = {**os.environ, "AZURITE_ACCOUNTS": f"{ACCOUNT}:{base64.b64encode(cls.key).decode()}"}
        cls.server = subprocess.Popen(["node", AZURITE, "--blobHost", "127.0.0.1", "--blobPort", "0", "--inMemoryPersistence", "--silent", "--disableTelemetry"],
                                      env=environment, cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        cls.addClassCleanup(cls.server.stdout.close)
        cls.addClassCleanup(cls.server.wait)
        cls.addClassCleanup(cls.server.terminate)
        lines = []
        for line in cls.server.stdout:
            lines.append(line)
            if found := re.search(r"listens on (http://127\.0\.0\.1:\d+)", line):
                cls.url = f"{found[1]}/{ACCOUNT}"
                return
        raise AssertionError("".join(lines))

    def setUp(self):
        super().setUp()
        self.container = f"exports{next(self.numbers)}"
        self.environment = {"SAS": self.signature()}
        self.own("PUT", "", {"restype": "container"})

    def sign(self, *lines):
        return base64.b64encode(hmac.new(self.key, "\n".join(lines).encode(), hashlib.sha256).digest()).decode()

    def own(self, method, path, query, body=b"", **more):
        """A request with the shared key."""
        path = f"/{ACCOUNT}/{self.container}" + urllib.parse.quote(path)
        headers = {"x-ms-date": email.utils.formatdate(usegmt=True), "x-ms-version": VERSION, **{name.replace("_", "-"): value for name, value in more.items()}}
        named = (f"{name}:{headers[name]}" for name in sorted(headers))
        text = self.sign(method, "", "", str(len(body) or ""), *[""] * 8, *named, f"/{ACCOUNT}{path}", *(f"{name}:{query[name]}" for name in sorted(query)))
        url = self.url.removesuffix(f"/{ACCOUNT}") + path + ("?" + urllib.parse.urlencode(query) if query else "")
        status, _, answer = ask(url, method, body, {**headers, "Authorization": f"SharedKey {ACCOUNT}:{text}"})
        self.assertEqual(status, 201, answer)

    def put(self, name, content):
        self.own("PUT", "/" + name, {}, content, x_ms_blob_type="BlockBlob")

    def signature(self, rights="rl", end="2099-01-01T00:00:00Z", container=None):
        """A service SAS for the container."""
        signed = self.sign(rights, "", end, f"/blob/{ACCOUNT}/{container or self.container}", "", "", "", VERSION, "c", *[""] * 7)
        return urllib.parse.urlencode({"sv": VERSION, "sr": "c", "sp": rights, "se": end, "sig": signed})

    def test_a_signature_that_does_not_suffice(self):
        self.write("2026-10", bill("2026-10", ["1"]))
        good = self.signature()
        for at, (sas, code) in enumerate(((self.signature("r"), "forbidden"), (self.signature("l"), "forbidden"), (self.signature(end="2020-01-01T00:00:00Z"), None),
                                          (good.replace("sig=", "sig=AAAA"), None), (self.signature(container="exports"), None))):
            self.environment = {"SAS": sas}
            one, text = self.sync(self.source(name=f"home{at}"), FAILED)
            # Azurite says AuthorizationFailure where the service says AuthenticationFailed.
            self.assertIn(one["error"]["code"], (code,) if code else ("forbidden", "unauthorized"), text)
            self.assertIn("shared access signature" if code else "AuthorizationFailure", text)
        self.container = "nothing"
        self.environment = {"SAS": self.signature()}
        self.assertFails(self.source(name="nothing"), "not-found", "nothing")

    def test_the_fake_has_its_form(self):
        store = FakeStore(self.container)
        self.addCleanup(store.close)
        sas = self.signature()
        store.signature = dict(urllib.parse.parse_qsl(sas))["sig"]
        names = ["focus/a.csv", "focus/b c+é&%41.csv", "focus/c.csv.gz", "other/d"]
        for name in names:
            self.put(name, name.encode() * 9)
            store.put(name, name.encode() * 9)

        def both(path, query="", signed=sas, **headers):
            headers = {name.replace("_", "-"): value for name, value in headers.items()}
            return [ask(f"{url}/{path}?{'&'.join(filter(None, (query, signed)))}", headers=headers) for url in (self.url, store.url)]

        def root(answer):
            return xml.etree.ElementTree.fromstring(answer[2].removeprefix(BOM))

        def alike(answers):
            real, fake = answers
            self.assertEqual((real[0], real[1]["x-ms-error-code"]), (fake[0], fake[1]["x-ms-error-code"]), answers)
            for name in ("ETag", "Last-Modified", "Content-Range", "Content-MD5", "Accept-Ranges", "x-ms-blob-type", "Content-Type", "x-ms-request-id", "x-ms-version", "Date"):
                if real[0] < 400 or name not in ("x-ms-version", "Last-Modified"):
                    self.assertEqual(name in real[1], name in fake[1], (name, real[1].items(), fake[1].items()))
            self.assertEqual(real[1]["Content-Range"], fake[1]["Content-Range"])
            return real[0]

        listing, etags = "restype=container&comp=list&prefix=focus%2F", {}
        pages = both(self.container, listing + "&maxresults=2")
        for url, first in zip((self.url, store.url), pages):
            marker = root(first).findtext("NextMarker")
            second = root(ask(f"{url}/{self.container}?{listing}&maxresults=2&marker={urllib.parse.quote(marker, safe='')}&{sas}"))
            self.assertEqual([one.text for page in (root(first), second) for one in page.iter("Name")], names[:3])
            self.assertEqual(second.findtext("NextMarker"), "")
            etags[url] = [one.text for page in (root(first), second) for one in page.iter("Etag")]
        alike(pages)
        real, fake = map(root, pages)
        self.assertLessEqual({one.tag for one in real.iter()} - {"AccessTierChangeTime", "Marker"}, {one.tag for one in fake.iter()})
        for tag in ("Content-Length", "Content-MD5", "BlobType"):
            self.assertEqual([one.text for one in real.iter(tag)], [one.text for one in fake.iter(tag)])
        for one in (*real.iter("Last-Modified"), *fake.iter("Last-Modified")):
            self.assertRegex(one.text, r"^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$")
        for at, name in enumerate(names[:3]):
            path = f"{self.container}/{urllib.parse.quote(name)}"
            for url, answer in zip((self.url, store.url), both(path)):
                self.assertEqual((answer[0], answer[1]["ETag"], answer[2]), (200, f"\"{etags[url][at]}\"", name.encode() * 9))
            alike(both(path))
        path = f"{self.container}/{names[0]}"
        for url in (self.url, store.url):
            status, headers, body = ask(f"{url}/{path}?{sas}", headers={"x-ms-range": "bytes=2-5", "If-Match": f"\"{etags[url][0]}\""})
            self.assertEqual((status, headers["Content-Range"], body), (206, "bytes 2-5/99", b"cus/"))
        for status, answers in ((206, both(path, x_ms_range="bytes=2-5")), (206, both(path, Range="bytes=90-500")), (416, both(path, Range="bytes=900-901")),
                                (412, both(path, If_Match='"0x1"')), (404, both(f"{self.container}/focus/no.csv"))):
            self.assertEqual(alike(answers), status)
        wrong = sas.partition("&sig=")[0] + "&sig=" + "A" * 43 + "%3D"  # a part of the true one may end within an escape
        for answers in (both(path, signed=wrong), both(self.container, listing, wrong)):
            self.assertEqual([one[0] for one in answers], [403, 403])
            self.assertEqual([root(one).tag for one in answers], ["Error", "Error"])


class AgainstFake(Cases, ProductTest):
    auth, container = "application", "exports"
    environment = {"AZURE_SECRET": SECRET}

    def setUp(self):
        super().setUp()
        self.store = FakeStore()
        self.login, self.elsewhere = FakeLogin(self.store), Loopback()
        for server in (self.store, self.login, self.elsewhere):
            self.addCleanup(server.close)
        self.url, self.put, self.login_url = self.store.url, self.store.put, self.login.address

    def tearDown(self):
        self.assertEqual(self.elsewhere.asked, [])
        self.assertEqual(self.store.unchecked, [])

    def assertTests(self, program, usable, *words):
        done = program.run("sources", "test", "bill", now=NOW)
        self.assertEqual(done.returncode == 0, usable, done.stdout.decode() + done.text)
        for word in words:
            self.assertIn(word, done.stdout.decode() + done.text)
        self.assertKept(program, done.stdout, done.stderr)

    def test_pages_and_a_token_that_expires_between_them(self):
        self.store.page, self.store.with_folders, self.store.gap = 2, True, True
        for month in ("2026-09", "2026-10", "2026-11"):
            self.write(month, bill(month, ["1"]), bill(month, ["2"]))
        expired = [None]
        self.store.before = lambda asked: self.store.tokens.clear() if "marker" in asked.query and expired and not expired.clear() else None
        program = self.source()
        self.sync(program)
        self.assertEqual((total(program), expired, len(self.login.asked)), (9, [], 2))

    def test_an_unchanged_month_is_not_fetched_again(self):
        name, = self.write("2026-10", bill("2026-10", ["1"]))
        program = self.source()
        self.sync(program)
        before = len(self.store.asked)
        one, _ = self.sync(program)
        self.assertEqual((one["accepted"], one["known_deliveries"]), (0, 1))
        self.assertNotIn(f"{self.store.base}/{name}", [asked.path for asked in self.store.asked[before:]])

    def test_the_newest_manifest_decides_whatever_its_name(self):
        self.write("2026-10", bill("2026-10", ["100"]), run="202611020400/b/", age=7200)
        self.write("2026-10", bill("2026-10", ["50"]), run="202611010400/a/", age=3600)
        self.write("2026-11", bill("2026-11", ["7"]), run="")
        self.put(f"{ROOT}/20261101-20261107/manifest.json", b"{}")  # no whole month
        self.store.quote = "\""  # as some other servers list ETags
        program = self.source()
        self.sync(program)
        self.assertEqual(total(program), 57)

    def test_a_missing_role_is_named(self):
        self.write("2026-10", bill("2026-10", ["1"]))
        program = self.source()
        self.assertTests(program, True, ROLE)
        self.write("2026-11", bill("2026-11", []))  # on the first day of a month
        self.assertTests(program, True, ROLE)
        for is_list in (True, False):
            self.store.before = lambda asked: refusal(403, "AuthorizationPermissionMismatch") if (asked.path == self.store.base) == is_list else None
            self.assertFails(program, "forbidden", ROLE, "nothing of this bill is shown")
            self.assertTests(program, False, ROLE)

    def test_a_wrong_clock_and_no_container(self):
        self.write("2026-10", bill("2026-10", ["1"]))
        program = self.source()
        self.store.before = lambda asked: refusal(404, "ContainerNotFound")
        self.assertFails(program, "not-found", "exports")
        self.store.before = lambda asked: refusal(403, "AuthenticationFailed")
        for skew, words in ((610, "this computer's clock is 10 minutes behind the server's"), (-610, "this computer's clock is 10 minutes ahead of the server's"),
                            (3 * 86400, "3 days behind")):
            self.store.skew = skew
            self.assertFails(program, "unauthorized", "AuthenticationFailed", words)
        self.store.skew = 0
        self.assertNotIn("clock", self.sync(program, FAILED)[1])
        self.store.skew = 610
        self.store.before = lambda asked: refusal(403, "AuthorizationPermissionMismatch")
        self.assertNotIn("clock", self.sync(program, FAILED)[1])

    def test_what_is_cut_off_changed_or_missing_is_not_counted(self):
        name, = self.write("2026-10", bill("2026-10", ["1"]))
        program = self.source()
        self.sync(program)
        whole = bill("2026-10", ["2"] * 500)
        self.put(name, whole[:-20])
        self.assertFails(program, "parse", "cut off or damaged")
        self.assertEqual(total(program), 1)
        self.put(name, whole)
        self.store.before = lambda asked: refusal(412, "ConditionNotMet") if asked.path.endswith(".gz") else None
        self.assertFails(program, "server", "was replaced or deleted while it was read")
        half = (200, whole[:100], {"Content-Length": str(len(whole))})
        cut = [half, half]  # the third try gets all of it
        self.store.before = lambda asked: cut.pop() if asked.path.endswith(".gz") and cut else None
        self.sync(program)
        self.assertEqual((total(program), cut), (1000, []))
        del self.store.blobs[name]
        self.assertFails(program, "not-found", name, "is missing")
        self.assertEqual(total(program), 1000)
        program.verify(now=NOW)

    def test_a_file_that_changes_between_two_pieces_is_not_counted(self):
        name, = self.write("2026-10", large("2026-10", "1"))
        program, size, pieces = self.source(), len(self.store.blobs[f"{ROOT}/{period('2026-10')}/{RUN}part_0_0001.csv.gz"][0]), []

        def second(asked):
            if asked.path.endswith(".gz"):
                pieces.append(asked)
                if len(pieces) == 2:
                    self.put(name, large("2026-10", "2"))

        self.store.before = second
        self.assertFails(program, "server", "was replaced or deleted while it was read")
        self.assertEqual((total(program), self.store.ranges), (0, [(0, PIECE - 1)]))
        self.sync(program)
        self.assertEqual((total(program), self.store.ranges[1:]), (2 * LARGE_ROWS, [(0, PIECE - 1), (PIECE, 2 * PIECE - 1), (2 * PIECE, size - 1)]))
        program.verify(now=NOW)

    def test_a_month_that_is_being_written_waits(self):
        self.write("2026-10", bill("2026-10", ["1"]))
        name, = self.write("2026-11", bill("2026-11", ["5"]))
        self.put(name, bill("2026-11", ["6"]), age=5)  # its manifest is older
        program = self.source()
        self.sync(program)
        self.assertEqual(total(program), 1)
        self.put(name, bill("2026-11", ["6"]), age=2000)
        self.sync(program)
        self.assertEqual(total(program), 7)

    def test_what_is_no_focus_export_says_what_to_choose(self):
        program, folder = self.source(), f"{ROOT}/{period('2026-10')}/{RUN}"
        self.assertFails(program, "not-found", "no export of Azure Cost Management below", "focus")
        self.manifest("2026-10", {f"{folder}part_0_0001.snappy.parquet": 9})
        program.environment["GPULEDGER_PARQUET_MODULE"] = os.path.join(self.folder, "none")
        self.assertFails(program, "unsupported", "part_0_0001.snappy.parquet is Parquet", "this build")
        for kind in ("ActualCost", "AmortizedCost", "Usage", "PriceSheet"):
            self.manifest("2026-10", {f"{folder}part_0_0001.csv": 9}, kind=kind)
            self.assertFails(program, "unsupported", kind)
        self.put(f"{folder}manifest.json", b"{\"blobs\":[")
        self.assertFails(program, "parse", "manifest.json")
        self.manifest("2026-10", {}, root="focus/second")
        self.assertFails(program, "invalid-config", "2 exports below", ROOT, "focus/second")
        self.assertFails(self.source("focus/second", name="second"), "parse", "names no files")

    def test_a_signature_is_sent_with_each_request_and_never_told(self):
        self.write("2026-10", bill("2026-10", ["1"]))
        self.store.signature, self.environment = SIGNATURE, {}
        for at, mark in enumerate(("", "?")):
            program = self.source(auth="sas", name=f"home{at}", SAS=mark + SAS)
            self.sync(program, 0, "--verbose")
            self.assertTests(program, True, "read and list")
            self.assertEqual(total(program), 1)
        for asked in self.store.asked:
            self.assertEqual({**dict(urllib.parse.parse_qsl(SAS)), **asked.query}, asked.query)
            self.assertEqual((asked.headers["Authorization"], asked.headers["x-ms-version"]), (None, VERSION))
        for answer in (lambda asked: refusal(403, "AuthenticationFailed", asked.target), lambda asked: (500, asked.target.encode(), {}), lambda asked: (DROPPED, b"", {}),
                       lambda asked: (302, b"", {"Location": self.elsewhere.address + asked.target}), lambda asked: (200, asked.target.encode(), {"Content-Length": "999"})):
            for suffix in ("exports", ".gz"):
                self.put(f"{ROOT}/{period('2026-10')}/{RUN}part_0_0001.csv.gz", bill("2026-10", ["1"]))
                self.store.before = lambda asked: answer(asked) if asked.path.endswith(suffix) else None
                with self.subTest(answer=answer(self.store.asked[0])[:2], suffix=suffix):
                    self.sync(program, FAILED, "--verbose")
                    if suffix == "exports":
                        self.assertTests(program, False)
        self.store.before, self.store.signature = lambda asked: None, "another"
        self.assertFails(program, "unauthorized", "AuthenticationFailed")
        self.assertEqual(self.login.asked, [])

    def test_each_credential(self):
        self.write("2026-10", bill("2026-10", ["1"]))
        for auth, logins in (("application", 1), ("identity", 1), ("token", 0)):
            with self.subTest(auth):
                self.store.tokens, self.login.asked, self.store.asked = {"canary-own-token"}, [], []
                program = self.source(auth=auth, name=auth, AZURE_TOKEN="canary-own-token")
                self.sync(program, 0, "--verbose")
                self.assertEqual((total(program), len(self.login.asked)), (1, logins))
                for asked in self.store.asked:
                    self.assertEqual((asked.method, asked.headers["Authorization"].split()[0], asked.headers["x-ms-version"]), ("GET", "Bearer", VERSION))
        self.store.tokens = set()
        self.assertFails(program, "unauthorized", "InvalidAuthenticationInfo")
        program = self.source()
        self.store.before, self.login.asked = lambda asked: refusal(401, "InvalidAuthenticationInfo"), []
        self.assertFails(program, "unauthorized", "InvalidAuthenticationInfo")
        self.assertEqual(len(self.login.asked), 2)
        self.environment = {"AZURE_SECRET": "canary-other"}
        self.assertFails(self.source(name="other"), "unauthorized", "store the secret's value")

    def test_a_redirect_is_not_followed(self):
        self.write("2026-10", bill("2026-10", ["1"]))
        program = self.source()
        for status in (301, 302, 307, 308):
            for suffix in ("exports", ".gz"):
                self.store.before = lambda asked: (status, b"", {"Location": self.elsewhere.address + asked.target}) if asked.path.endswith(suffix) else None
                self.assertFails(program, "invalid-config")
        self.store.before = lambda asked: None
        self.manifest("2026-10", {f"{self.elsewhere.address}/part_0_0001.csv": 9})
        self.assertTrue(self.sync(program, FAILED)[0]["error"])

    def test_a_wait_that_is_asked_for_is_kept(self):
        self.write("2026-10", bill("2026-10", ["1"]))
        waits = {"exports": refusal(503, "ServerBusy", **{"Retry-After": "1"}), ".gz": refusal(429, "TooManyRequests", **{"Retry-After": "2"})}
        self.store.before = lambda asked: next((waits.pop(suffix) for suffix in list(waits) if asked.path.endswith(suffix)), None)
        program, begin = self.source(), time.monotonic()
        self.sync(program)
        self.assertGreater(time.monotonic() - begin, 3)
        self.assertEqual((total(program), waits), (1, {}))

    def test_a_hostile_list_changes_nothing(self):
        self.write("2026-10", bill("2026-10", ["1"]))
        program = self.source()
        self.sync(program)
        good = self.store.list({"restype": "container", "comp": "list"})[1]
        laughs = "".join(f"<!ENTITY l{at + 1} \"{f'&l{at};' * 10}\">" for at in range(9))
        bomb = f"<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY l0 \"ha\">{laughs}]><EnumerationResults><Blobs><Blob><Name>&l9;</Name></Blob></Blobs></EnumerationResults>"
        for body in (b"", b"<html>log in</html>", good[:-40], bomb.encode(), good.replace(b"<NextMarker />", b"<NextMarker>2!4!Zm9j</NextMarker>"),
                     re.sub(rb"<Content-Length>\d+", b"<Content-Length>-1", good), b"<a>" * 100000):
            with self.subTest(body[:99]):
                self.store.before = lambda asked: (200, body, {}) if asked.path == self.store.base else None
                self.assertTrue(self.sync(program, FAILED)[0]["error"])
                self.assertEqual(total(program), 1)


if __name__ == "__main__":
    unittest.main()
