#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A bill in S3 that Athena groups: the ledger is that of the same files when they are fetched, to the nano-unit. The product's own query runs in DuckDB,
on the rows of the files; only what Trino spells otherwise is changed. Against a fake of Athena (its states and refusals) and against moto (its API and
S3). Without DuckDB only moto and the settings are left."""
import datetime
import decimal
import gzip
import json
import os
import subprocess
import sys
import unittest
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

import athena  # noqa: E402
import parquetbills  # noqa: E402
import run_awsexport as aws  # noqa: E402
import run_cur as cur  # noqa: E402
from parquetbills import pa  # noqa: E402
from product import ProductTest, Program, configuration  # noqa: E402

D = decimal.Decimal
NOW, FAILED, SPAN = cur.NOW, 4, cur.SPAN
HOURS = 24
SUMS = [name for name in cur.NUMBERS if name not in ("line_item_unblended_rate",)]
TEXT = [(name, "string") for name in cur.COLUMNS]
TYPED = [(name, "double" if name in cur.NUMBERS else "timestamp" if name in cur.TIMES else "map<string,string>" if name in cur.MAPS else "string") for name in cur.COLUMNS]
FOCUS = [(name, {"number": "double", "time": "timestamp", "map": "map<string,string>", "numbers": "map<string,double>"}.get(kind, "string"))
         for name, kind in parquetbills.COLUMNS["AWS"]]
BY = ("category,account,service,region,instance-type,day", "team,category", "account,day")


def hourly(rows):
    """The same charges by the hour, as exports have them, with ten digits; fees stay as they are."""
    out = []
    for one in rows:
        kind = one["line_item_line_item_type"]
        if kind in ("Tax", "Refund", "Fee", "RIFee", "FlatRateSubscription"):
            out.append(one)
            continue
        for hour in range(HOURS):
            part = dict(one, line_item_usage_start_date=one["line_item_usage_start_date"] + datetime.timedelta(hours=hour), identity_line_item_id=f"{one['identity_line_item_id']}{hour}")
            part["line_item_usage_end_date"] = part["line_item_usage_start_date"] + datetime.timedelta(hours=1)
            for name in SUMS:
                if part[name]:
                    digits = D("0.000001") if name == "line_item_usage_amount" else D("0.0000000001")
                    each = (part[name] / HOURS).quantize(digits)
                    part[name] = each if hour else part[name] - each * (HOURS - 1)
            out.append(part)
    return out


class Engine:
    """DuckDB with the table that Glue has over the files of an export. `files` maps names of files to their rows."""

    def __init__(self, columns, files, table=None):
        import duckdb
        self.db, self.columns = duckdb.connect(), [name for name, _ in columns]
        self.db.execute("CREATE SCHEMA billing")
        parts = []
        for name, rows in files.items():
            made = table(rows) if table else pa.table({column: pa.array([None if row[column] is None else parquetbills.plain(row[column]) for row in rows], pa.string())
                                                       for column in self.columns})
            period = name.split("BILLING_PERIOD=")[1][:7]
            parts.append(made.append_column("$path", pa.array([name] * len(rows), pa.string())).append_column("billing_period", pa.array([period] * len(rows), pa.string())))
        self.db.register("all_rows", pa.concat_tables(parts))
        self.db.execute("CREATE TABLE billing.company_cur AS SELECT * FROM all_rows")
        self.travelled = 0

    def __call__(self, sql):
        found = self.db.execute(athena.duck(sql))
        columns, rows = [one[0] for one in found.description], found.fetchall()
        self.travelled += len(rows)
        return columns, rows


class AthenaTest(cur.Reports):
    """An export in a fake S3, and a fake Athena over it."""

    def setUp(self):
        super().setUp()
        self.store = aws.FakeStore()
        self.addCleanup(self.store.close)
        self.export = aws.ExportTest()
        self.export.folder, self.export.put, self.export.url = self.folder, self.store.put, f"http://127.0.0.1:{self.store.server.server_address[1]}"
        self.export.sync = self.sync

    def service(self, run, columns=TEXT, **more):
        made = athena.Athena(run, self.store.put, columns, **more)
        self.addCleanup(made.close)
        return made

    def fetched(self, name="fetched"):
        return self.export.source(prefix="exports/focus/company", name=name)

    def asked(self, service, name="asked", more="", table="company_cur"):
        folder = os.path.join(self.folder, name)
        os.makedirs(folder, exist_ok=True)
        program = Program(folder, configuration(
            f"  - {{ name: bill, kind: aws-export, bucket: bills, prefix: exports/focus/company, url: \"{self.export.url}\", auth: {{ type: sigv4, region: us-east-1 }}, "
            f"database: billing, table: {table}, athena_url: \"{service.url}\"{more} }}\n"))
        program.environment.update(AWS_ACCESS_KEY_ID="AKIDEXAMPLE", AWS_SECRET_ACCESS_KEY="canary-secret-key", AWS_EC2_METADATA_DISABLED="true")
        return program

    def assertFails(self, program, code, *words):
        one, text = self.sync(program, FAILED)
        self.assertEqual(one["error"]["code"], code, text)
        for word in words:
            self.assertIn(word, text)
        return one

    def assertSame(self, first, second):
        for by in BY:
            for key in ("billed", "effective"):
                self.assertEqual(self.ledger(first, by, key), self.ledger(second, by, key), (by, key))
        self.assertEqual(self.hours(first), self.hours(second))
        for program in (first, second):
            program.verify(now=NOW)

    def hours(self, program):
        rows = json.loads(program.healthy("ledger", "--by", "account,instance-type,day", *SPAN, "--json", now=NOW).stdout)["rows"]
        return {(one["account"], one["instance_type"], one["day"]): one["gpu_hours"] for one in rows}


@unittest.skipIf(pa is None, "no DuckDB (./dev deps test)")
class Same(AthenaTest):
    """The same month, fetched and asked."""

    def setUp(self):
        super().setUp()
        self.rows = hourly(cur.month())
        half = len(self.rows) // 2
        self.export.put = lambda key, content: self.store.put(key, content, age=7200)  # before those of the tests
        self.files = dict(zip(self.export.write("2026-10", cur.report(self.rows[:half]), cur.report(self.rows[half:])), (self.rows[:half], self.rows[half:])))
        self.export.put = self.store.put
        self.named = {f"s3://bills/{key}": rows for key, rows in self.files.items()}

    def both(self, columns, table=None):
        engine = Engine(columns, self.named, table)
        service = self.service(engine, columns)
        first, second = self.fetched(), self.asked(service)
        self.sync(first)
        one, text = self.sync(second)
        self.assertEqual((one["rejected"], one["scanned_bytes"], one["paid_requests"]), (0, service.scanned, 1), text)
        self.assertEqual(D(one["paid"]["amount"]), D("0.000065"))  # 13 MB
        self.assertSame(first, second)
        self.assertGreater(len(self.rows), 8 * engine.travelled)  # only sums travel, and fees by the hour
        self.assertTrue(any(self.hours(second).values()))
        return first, second, service

    def test_a_table_over_csv(self):
        self.both(TEXT)

    def test_a_table_over_parquet(self):
        self.both(TYPED, cur.typed)

    def test_every_figure_is_explained(self):
        _, program, _ = self.both(TYPED, cur.typed)
        for one in json.loads(program.healthy("ledger", "--by", "category", *SPAN, "--json", now=NOW).stdout)["rows"]:
            for figure in (one["figures"]["billed"], one["figures"]["effective"]):
                program.healthy("explain", figure, "--json", now=NOW)
        self.assertIn("unexplained: 0.00 USD", program.healthy("ledger", "--by", "category", *SPAN, now=NOW).stdout.decode())

    def test_rows_without_an_amount_are_rejected_and_nothing_is_rounded_away(self):
        rows = self.rows[:100]
        for number, one in enumerate(rows):
            one["line_item_unblended_cost"] = D("0.0000000005") if one["line_item_line_item_type"] == "Usage" else D("-0.00000000049")
        rows[7]["line_item_unblended_cost"] = None
        key, = self.export.write("2026-10", cur.report(rows), execution="20261101T000000-a/")
        for name, columns, table in (("text", TEXT, None), ("typed", TYPED, cur.typed)):
            program = self.asked(self.service(Engine(columns, {f"s3://bills/{key}": rows}, table), columns), name)
            self.assertEqual(self.sync(program)[0]["rejected"], 1)
            first = self.fetched("fetched-" + name)
            self.assertEqual(self.sync(first)[0]["rejected"], 1)
            self.assertSame(first, program)

    def test_older_executions_in_the_partition_are_not_counted(self):
        later = hourly(cur.month(rate="700"))
        key, = self.export.write("2026-10", cur.report(later), execution="20261102T000000-b/")
        first, second = self.fetched(), self.asked(self.service(Engine(TEXT, {**self.named, f"s3://bills/{key}": later})))
        self.sync(first)
        self.sync(second)
        self.assertSame(first, second)

    def test_focus(self):
        start = lambda one, hour: one["ChargePeriodStart"].replace(hour=hour)  # noqa: E731
        rows = [dict(one, ChargePeriodStart=start(one, hour), ChargePeriodEnd=start(one, hour) + datetime.timedelta(hours=1)) for one in parquetbills.month(7, 600) for hour in (0, 7, 23)]
        key, = self.export.write("2026-10", gzip.compress(parquetbills.csv(rows)), execution="20261103T000000-c/")
        table = lambda some: parquetbills.table(some, parquetbills.types("AWS", times=pa.timestamp("ms")))  # noqa: E731
        engine = Engine(FOCUS, {f"s3://bills/{key}": rows}, table)
        service = self.service(engine, [(name.lower(), kind) for name, kind in FOCUS])
        first, second = self.fetched(), self.asked(service)
        self.sync(first)
        self.sync(second)
        self.assertEqual(len(rows), 3 * engine.travelled)
        for by in ("currency,category,account,service,region,day", "currency,team"):
            for key in ("billed", "effective"):
                self.assertEqual(self.ledger(first, by, key), self.ledger(second, by, key))
        self.assertEqual(self.hours(first), self.hours(second))


class Huge(bytes):
    """Bytes that a list calls many."""

    def __len__(self):
        return 15_000_000_000


class States(AthenaTest):
    """What Athena may answer. The result of each query is one row."""

    def setUp(self):
        super().setUp()
        self.rows = [one for one in cur.month(days=1) if one["line_item_usage_type"] == "BoxUsage:p4d.24xlarge"][:1]
        self.key, = self.export.write("2026-10", cur.report(self.rows))
        self.cost = self.rows[0]["line_item_unblended_cost"]
        self.athena = self.service(self.answer)

    def answer(self, sql):
        columns = athena.names(sql)
        return columns, [[None if one[name] is None else parquetbills.plain(one[name]) for name in columns] for one in self.rows]

    def once(self, action, reply, after=False):
        """Answers this action once in place of the fake, or after the fake has acted."""
        left = [reply]

        def before(asked, body):
            if asked != action or not left:
                return None
            if after:
                getattr(self.athena, action)(body)
            return left.pop()
        self.athena.before = before
        return left

    def always(self, action, reply):
        self.athena.before = lambda asked, body: reply if asked == action else None

    def test_a_query_waits_and_runs_and_is_not_asked_again(self):
        program = self.asked(self.athena)
        one, text = self.sync(program)
        self.assertEqual((one["accepted"], one["scanned_bytes"], self.total(program)), (1, self.athena.scanned, self.cost), text)
        self.assertEqual((self.athena.count("GetQueryExecution"), self.athena.count("StartQueryExecution")), (3, 1))
        body, = [body for action, body in self.athena.asked if action == "StartQueryExecution"]
        self.assertEqual((body["WorkGroup"], body["QueryExecutionContext"]), ("primary", {"Catalog": "AwsDataCatalog", "Database": "billing"}))
        self.assertIn(f"\"billing_period\" = '2026-10' AND \"$path\" IN ('s3://bills/{self.key}')", body["QueryString"])
        self.assertFalse([path for path, _ in self.store.asked if path.endswith(".csv.gz")])  # no file is fetched
        one, _ = self.sync(program)
        self.assertEqual((one["known_deliveries"], one["scanned_bytes"], self.athena.count("StartQueryExecution")), (1, 0, 1))
        program.verify(now=NOW)

    def test_a_restated_month_is_asked_once_in_refresh(self):
        program = self.asked(self.athena)
        self.sync(program)
        self.rows[0]["line_item_unblended_cost"] = D("5")
        self.export.write("2026-10", cur.report(self.rows + self.rows), execution="20261102T000000-b/")
        one, _ = self.sync(program)
        self.assertEqual((one["known_deliveries"], self.athena.count("StartQueryExecution"), self.total(program)), (1, 1, self.cost))
        other = self.asked(self.athena, more=", workgroup: finops")  # other settings are asked at once
        one, _ = self.sync(other)
        self.assertEqual((self.athena.count("StartQueryExecution"), self.total(other)), (2, 5))
        other.verify(now=NOW)

    def test_a_start_that_is_sent_again_runs_once(self):
        left = self.once("StartQueryExecution", (500, {}), after=True)
        self.sync(self.asked(self.athena))
        self.assertEqual((left, self.athena.count("StartQueryExecution"), len(self.athena.started)), ([], 2, 1))

    def test_an_interrupted_query_is_gone_on_with(self):
        self.always("GetQueryExecution", (500, {}))
        program = self.asked(self.athena)
        self.sync(program, FAILED)
        self.athena.before = lambda action, body: None
        one, text = self.sync(program)
        self.assertEqual((one["accepted"], len(self.athena.started), one["scanned_bytes"]), (1, 1, self.athena.scanned), text)
        self.assertEqual(self.total(program), self.cost)

    def test_a_query_that_athena_has_forgotten_is_asked_again(self):
        self.always("GetQueryExecution", (500, {}))
        program = self.asked(self.athena)
        self.sync(program, FAILED)
        self.athena.before = lambda action, body: None
        self.athena.looks.clear()
        self.sync(program)
        self.assertEqual((self.total(program), len(self.athena.started)), (self.cost, 2))

    def test_failed_queries(self):
        program = self.asked(self.athena)
        self.athena.states = ["RUNNING", "FAILED"]
        for reason, error, code, word in (
                ("HIVE_CURSOR_ERROR: canary is not said", {}, "server", "HIVE_CURSOR_ERROR"), ("Query exhausted resources", {"Retryable": True}, "server", "the next sync tries again"),
                ("Access Denied (Service: Amazon S3; Status Code: 403)", {}, "forbidden", "without s3:GetObject"),
                ("User x is not authorized to perform: glue:GetPartitions on resource y", {}, "forbidden", "without glue:GetPartitions")):
            self.athena.reason, self.athena.error = reason.replace("canary", "nothing"), error
            one = self.assertFails(program, code, word)
            self.assertEqual((one["scanned_bytes"], self.total(program)), (0, 0))
        self.athena.states, started = ["SUCCEEDED"], len(self.athena.started)
        self.sync(program)
        self.assertEqual((self.total(program), len(self.athena.started)), (self.cost, started + 1))

    def test_a_cancelled_query_costs_and_does_not_run_in_each_sync(self):
        program = self.asked(self.athena)
        self.athena.states, self.athena.reason = ["CANCELLED"], "Bytes scanned limit was exceeded"
        one = self.assertFails(program, "too-much", "Bytes scanned limit", "raise most_scanned")
        self.assertEqual(one["scanned_bytes"], self.athena.scanned)
        self.athena.states = ["SUCCEEDED"]
        one = self.assertFails(program, "too-much", "nothing came of the last query for the month 2026-10", "it runs again after refresh")
        self.assertEqual((one["scanned_bytes"], len(self.athena.started)), (0, 1))
        again = self.asked(self.athena, name="again")  # another data folder knows nothing of it
        self.sync(again)
        self.assertEqual(self.total(again), self.cost)

    def test_throttling_and_keys_that_expire_while_it_runs(self):
        for code in ("TooManyRequestsException", "ThrottlingException", "ExpiredTokenException"):
            left = self.once("GetQueryExecution", athena.refusal(code))
            program = self.asked(self.athena, name=code)
            self.sync(program)
            self.assertEqual((self.total(program), left), (self.cost, []), code)

    def test_each_right_that_is_missing_is_named(self):
        for action, word in (("GetTableMetadata", "athena:GetTableMetadata"), ("StartQueryExecution", "athena:StartQueryExecution"), ("GetQueryExecution", "athena:GetQueryExecution")):
            self.always(action, athena.refusal("AccessDeniedException", f"User: arn:aws:iam::1:user/x is not authorized to perform: athena:{action} on resource: y"))
            program = self.asked(self.athena, name=action)
            self.assertFails(program, "forbidden", f"nothing of this bill is shown without {word}")
            test = program.run("sources", "test", "bill", now=NOW)
            self.assertIn(word, test.stdout.decode() + test.text)
            self.assertNotEqual(test.returncode, 0)
        self.always("GetTableMetadata", athena.refusal("MetadataException", "User: x is not authorized to perform: glue:GetTable on resource: y"))
        self.assertFails(self.asked(self.athena, name="glue"), "forbidden", "without glue:GetTable")

    def test_the_connection_test_scans_nothing(self):
        test = self.asked(self.athena).healthy("sources", "test", "bill", now=NOW)
        for word in ("athena:StartQueryExecution", "athena:GetQueryExecution", "athena:GetTableMetadata", "s3:GetObject"):
            self.assertIn(word, test.stdout.decode() + test.text)
        sql, = self.athena.started
        self.assertTrue(sql.startswith("EXPLAIN SELECT"))

    def test_a_month_above_the_limit_does_not_run(self):
        content, etag, stamp = self.store.objects[self.key]
        self.store.objects[self.key] = (Huge(), etag, stamp)
        self.assertFails(self.asked(self.athena, name="low", more=", most_scanned: 14"), "too-much", "would scan 15.0 GB, and most_scanned allows 14.0 GB", "it did not run")
        self.assertEqual(self.athena.started, [])
        self.sync(self.asked(self.athena, name="high"))
        self.assertEqual(len(self.athena.started), 1)
        # Without partitions, the query looks at every month.
        key, = self.export.write("2026-09", cur.report(self.rows))
        self.store.objects[key] = (Huge(), etag, stamp)
        self.athena.table["PartitionKeys"] = []
        self.assertFails(self.asked(self.athena, name="whole"), "too-much", "would scan 30.0 GB")

    def test_a_month_that_the_table_does_not_have(self):
        content, etag, stamp = self.store.objects[self.key]
        self.store.objects[self.key] = (Huge(), etag, stamp)
        kept, self.rows, self.athena.scanned = self.rows, [], 0  # nothing to scan
        program = self.asked(self.athena)
        self.assertFails(program, "not-found", "billing.company_cur has no rows of 2026-10", "MSCK REPAIR TABLE")
        self.rows = kept
        self.sync(program)
        self.assertEqual((self.total(program), len(self.athena.started)), (self.cost, 2))

    def test_hostile_answers(self):
        good = self.athena.answer

        def altered(action, change):
            def before(asked, body):
                if asked != action:
                    return None
                answer = good(asked, body, {}, b"")[1]
                return 200, change(answer) or answer
            return before
        run = lambda **more: altered("GetQueryExecution", lambda answer: answer["QueryExecution"].update(more))  # noqa: E731
        for name, before in (
                ("html", altered("GetQueryExecution", lambda _: b"<html>")), ("list", altered("GetQueryExecution", lambda _: b"[]")), ("state", run(Status={"State": "\x1b[31mDONE"})),
                ("other", run(QueryExecutionId="other")), ("place", run(Status={"State": "SUCCEEDED"}, ResultConfiguration={"OutputLocation": "s3://bills/exports/focus/company/x.csv"})),
                ("host", run(Status={"State": "SUCCEEDED"}, ResultConfiguration={"OutputLocation": "s3://a@evil.example/x.csv"})),
                ("deep", altered("GetQueryExecution", lambda _: b"[" * 5000)), ("id", altered("StartQueryExecution", lambda _: {"QueryExecutionId": "../x"})),
                ("none", altered("StartQueryExecution", lambda _: b"{}")), ("table", altered("GetTableMetadata", lambda _: {"TableMetadata": {"Columns": [7]}})),
                ("columns", altered("GetTableMetadata", lambda _: {"TableMetadata": {"Columns": []}}))):
            self.athena.before = before
            program = self.asked(self.athena, name=name)
            self.assertFails(program, "parse")
            self.assertEqual(self.total(program), 0)
        self.athena.before = lambda action, body: None
        self.athena.run = lambda sql: (["a", "b"], [[1, 2]])
        self.assertFails(self.asked(self.athena, name="result"), "parse", "other columns than were asked for")

    def test_tables_that_are_none(self):
        self.athena.table["TableType"] = "VIRTUAL_VIEW"
        self.assertFails(self.asked(self.athena, name="view"), "unsupported", "is a view")
        self.athena.table["TableType"] = "EXTERNAL_TABLE"
        self.assertFails(self.asked(self.athena, name="gone", table="other"), "not-found", "EntityNotFound")
        self.athena.table["Columns"] = [one for one in self.athena.table["Columns"] if one["Name"] != "line_item_usage_type"]
        self.assertFails(self.asked(self.athena, name="less"), "unsupported", "has no column line_item_usage_type")
        self.athena.table["Columns"] = [{"Name": "a", "Type": "string"}]
        self.assertFails(self.asked(self.athena, name="else"), "unsupported", "mandatory columns are missing")
        self.assertEqual(self.athena.started, [])

    def test_no_place_for_results(self):
        self.athena.output = None
        self.assertFails(self.asked(self.athena), "invalid-config", "No output location", "set output of this source")
        program = self.asked(self.athena, name="set", more=", output: \"s3://bills/athena\"")
        self.sync(program)
        self.assertEqual(self.total(program), self.cost)

    def test_settings(self):
        for more, word in ((", output: \"https://bills/x\"", "output that is not a folder of S3"), (", workgroup: \"a b\"", "workgroup that is not the name of one")):
            program = self.asked(self.athena, name=str(len(more)), more=more)
            done = program.run("sync", "--json", now=NOW)
            self.assertIn(word, done.text + done.stdout.decode())
        done = self.asked(self.athena, name="name", table="\"a;b\"").run("sync", "--json", now=NOW)
        self.assertIn("table that is not the name of one", done.text + done.stdout.decode())


class AgainstMoto(AthenaTest):
    """moto's Athena keeps planted rows in its own S3, and every query succeeds. It knows no tables, which the fake answers for."""

    def setUp(self):
        super().setUp()
        self.moto = subprocess.Popen([sys.executable, aws.AWS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(self.moto.wait)
        self.addCleanup(self.moto.stdout.close)
        self.addCleanup(self.moto.stdin.close)
        first = self.moto.stdout.readline().strip()
        if not first.startswith("port "):
            self.skipTest("moto is not installed (./dev deps test)")
        self.export.url = f"http://127.0.0.1:{first.split()[1]}"
        self.ask(do="bucket", name="bills")
        self.export.put = self.put

    def ask(self, **what):
        self.moto.stdin.write(json.dumps(what) + "\n")
        self.moto.stdin.flush()
        self.assertNotIn("error", json.loads(self.moto.stdout.readline()))

    put = aws.AgainstMoto.put

    def test_planted_rows(self):
        rows = [{**one, "product": None, "resource_tags": None, "cost_category": None} for one in cur.month(days=2)]  # moto does not double the quotes of JSON
        self.export.write("2026-10", cur.report(rows))
        fetched = self.fetched()
        self.sync(fetched)
        service = self.service(None)
        service.forward = self.export.url
        columns = []

        def plant(action, body):
            if action == "StartQueryExecution":
                columns[:] = athena.names(body["QueryString"])
                table = [columns, *([None if one[name] is None else parquetbills.plain(one[name]) for name in columns] for one in rows)]
                planted = {"results": [{"rows": [{"Data": [{} if cell is None else {"VarCharValue": cell} for cell in row]} for row in table], "column_info": []}]}
                urllib.request.urlopen(urllib.request.Request(f"{self.export.url}/moto-api/static/athena/query-results", json.dumps(planted).encode(),
                                                              {"Content-Type": "application/json"})).close()
        service.before = plant
        program = self.asked(service, more=", output: \"s3://bills/athena/\"")
        one, text = self.sync(program)
        self.assertEqual((one["rejected"], one["scanned_bytes"]), (0, 0), text)
        self.assertSame(fetched, program)


if __name__ == "__main__":
    parquetbills.with_arrow()
    unittest.main()
