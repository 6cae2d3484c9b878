# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of bills that are asked for with one API key, against a fake: the program with such a source, and what its ledger has."""
import decimal
import json

from product import ProductTest, Program, configuration

NOW, LATER, NEXT_DAY = "2026-11-20T10:00:00Z", "2026-11-20T15:00:00Z", "2026-11-21T11:00:00Z"
MONTHS = (("2026-09-01", "2026-10-01"), ("2026-10-01", "2026-11-01"), ("2026-11-01", "2026-12-01"))
FAILED = 4
HOSTILE = "'; DROP TABLE x; --\u202egpj.\x1b[31m<b>&amp;\n" + "x" * 3000


class KeyedBillTest(ProductTest):
    kind = key = None  # of the source, and what its server takes
    machines = ", machines: none"  # a setting of the source: nothing is asked for beside the bill

    def bill(self, more="", first="60d", key=None, others=""):
        program = Program(self.folder, configuration(
            f"  - {{ name: bill, kind: {self.kind}, url: \"{self.server.url()}\", first_sync: {first}, auth: {{ type: bearer, token: env:BILL_KEY }}"
            f"{self.machines}{more} }}\n") + others)
        program.environment.update(BILL_KEY=key or self.key)
        return program

    def sync(self, program, now=NOW, status=0):
        done = program.run("sync", "--json", now=now)
        self.assertEqual(done.returncode, status, done.text)
        self.assertNotIn("canary", done.text + done.stdout.decode())
        one, = [source for source in json.loads(done.stdout)["sources"] if source["kind"] != "price-list"]
        return one, done.text

    def rows(self, program, by, first="2026-09-01", last="2026-12-01", now=NOW):
        return json.loads(program.healthy("ledger", "--by", by, "--from", first, "--to", last, "--json", now=now).stdout)["rows"]

    def sums(self, program, by, **more):
        keys = [key.replace("-", "_") for key in by.split(",")]
        return {tuple(row[key] for key in keys): decimal.Decimal(row["billed"]["amount"]) for row in self.rows(program, by, **more)}

    def kill_at(self, program, *questions):
        """Syncs that are killed at one of their questions each; the store stays sound."""
        for last in questions:
            with self.subTest(last):
                self.server.asked.clear()
                process = program.start("sync", now=NOW)
                self.server.on_question = lambda last=last, process=process: process.kill() if len(self.server.asked) >= last else None
                process.communicate()
                self.server.on_question = None
                self.assertLess(process.returncode, 0)
                program.verify(now=NOW)

    def views(self, program, first, last, now=NOW):
        """The sum of each view of the days."""
        rows = self.rows(program, "category", first, last, now=now)
        return [sum((decimal.Decimal(row[view]["amount"]) for row in rows), decimal.Decimal(0)) for view in ("billed", "effective")]
