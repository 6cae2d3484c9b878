# SPDX-License-Identifier: GPL-3.0-or-later
"""A fake of Athena that follows the contract of its API, for what moto does not do: queries that wait, run, fail and are cancelled, and refusals. It has
no engine of its own: `run(sql)` returns the columns and rows of a query, and `put(key, bytes)` keeps its result where the S3 of the test has it.

DuckDB is such an engine: `duck()` spells the few things that Trino calls otherwise.
"""
import http.server
import json
import re
import threading
import urllib.request
import uuid


def duck(sql):
    """Trino's SQL as DuckDB spells it. Trino makes decimals of the shortest text of a double and of texts, rounded half away from zero; DuckDB counts in
    doubles, unless it is given the text."""
    rounded = lambda text, digits: f"CAST(round({text} AS DECIMAL(38, 18)), {digits}) AS DECIMAL(38, {digits}))"  # noqa: E731
    sql = re.sub(r'json_format\(CAST\(("\w+") AS JSON\)\)', r"CAST(to_json(\1) AS VARCHAR)", sql)
    sql = re.sub(r'element_at\(("\w+"), (\'\w+\')\)', r"\1[\2]", sql)
    sql = re.sub(r"TRY_CAST\((NULLIF\(\"\w+\", ''\)) AS DECIMAL\(38,(\d+)\)\)", lambda one: rounded(f"TRY_CAST({one[1]}", one[2]), sql)
    return re.sub(r'(?<!TRY_)CAST\(("\w+") AS DECIMAL\(38,(\d+)\)\)', lambda one: rounded(f"CAST(CAST({one[1]} AS VARCHAR)", one[2]), sql)


def result(columns, rows):
    """A result as Athena writes it: every value in quotes, nothing where there is none."""
    quoted = lambda value: "" if value is None else '"' + str(value).replace('"', '""') + '"'  # noqa: E731
    return "".join(",".join(map(quoted, row)) + "\n" for row in (columns, *rows)).encode()


def names(sql):
    """The columns of a query of the product, in their order."""
    return [one.split('"')[-2] for one in sql.removeprefix("EXPLAIN ").removeprefix("SELECT ").partition("\nFROM")[0].split(", ")]


def refusal(code, message="said so", status=400):
    return status, {"__type": code, "message": message}


class Athena:
    def __init__(self, run, put, columns, partitions=("billing_period",), output="s3://bills/athena/"):
        self.run, self.put, self.output = run, put, output
        self.table = {"Name": "company_cur", "TableType": "EXTERNAL_TABLE", "Columns": [{"Name": name, "Type": kind} for name, kind in columns],
                      "PartitionKeys": [{"Name": name, "Type": "string"} for name in partitions]}
        self.asked, self.started, self.stopped, self.tokens = [], [], [], {}
        self.states = ["QUEUED", "RUNNING", "SUCCEEDED"]  # of each query, one for each look
        self.looks, self.scanned, self.reason, self.error = {}, 12_345_678, None, None
        self.before = lambda action, body: None  # may answer in its place
        self.forward = None  # the address of a moto, which then answers all but the table
        athena = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                content = self.rfile.read(int(self.headers["Content-Length"]))
                action, body = self.headers["X-Amz-Target"].partition(".")[2], json.loads(content)
                athena.asked.append((action, body))
                status, answer = athena.before(action, body) or athena.answer(action, body, self.headers, content)
                answer = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def count(self, action):
        return sum(one == action for one, _ in self.asked)

    def answer(self, action, body, headers, content):
        if action == "GetTableMetadata":
            if (body["DatabaseName"], body["TableName"]) != ("billing", "company_cur"):
                return refusal("MetadataException", "EntityNotFoundException: no such table")
            return 200, {"TableMetadata": self.table}
        if self.forward:
            passed = {name: headers[name] for name in ("X-Amz-Target", "X-Amz-Date", "Authorization", "Content-Type")}
            with urllib.request.urlopen(urllib.request.Request(self.forward, content, passed)) as reply:
                return reply.status, reply.read()
        return getattr(self, action)(body)

    def StartQueryExecution(self, body):
        token = body["ClientRequestToken"]
        if not 32 <= len(token) <= 128:
            return refusal("InvalidRequestException", "the token is too short or too long")
        if "OutputLocation" not in body.get("ResultConfiguration", {}) and not self.output:
            return refusal("InvalidRequestException", "No output location provided. An output location is required")
        if token not in self.tokens:
            self.tokens[token] = str(uuid.uuid4())
            self.started.append(body["QueryString"])
            self.looks[self.tokens[token]] = [body["QueryString"], 0, body.get("ResultConfiguration", {}).get("OutputLocation", self.output)]
        return 200, {"QueryExecutionId": self.tokens[token]}

    def GetQueryExecution(self, body):
        if body["QueryExecutionId"] not in self.looks:
            return refusal("InvalidRequestException", f"QueryExecution {body['QueryExecutionId']} was not found")
        sql, looks, output = look = self.looks[body["QueryExecutionId"]]
        state = "CANCELLED" if body["QueryExecutionId"] in self.stopped else self.states[min(looks, len(self.states) - 1)]
        look[1] += 1
        ending = ".txt" if sql.startswith("EXPLAIN") else ".csv"
        place = output + body["QueryExecutionId"] + ending
        if state == "SUCCEEDED" and looks < len(self.states):
            content = b"the plan" if ending == ".txt" else result(*self.run(sql))
            self.put(place.split("/", 3)[3], content)
        status = {"State": state, "SubmissionDateTime": 1.0}
        if state in ("FAILED", "CANCELLED"):
            status.update(StateChangeReason=self.reason or "", AthenaError=self.error or {})
        return 200, {"QueryExecution": {"QueryExecutionId": body["QueryExecutionId"], "Query": sql, "Status": status, "ResultConfiguration": {"OutputLocation": place},
                                        "Statistics": {"DataScannedInBytes": 0 if ending == ".txt" else self.scanned if state in ("SUCCEEDED", "CANCELLED") else 7}}}

    def StopQueryExecution(self, body):
        self.stopped.append(body["QueryExecutionId"])
        return 200, {}
