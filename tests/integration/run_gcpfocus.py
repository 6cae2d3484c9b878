#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The bill from Google Cloud's FOCUS export to BigQuery. DuckDB runs the query: the ledger has the totals of the invoices to the nano-unit,
whether or not BilledCost has the credits in it, and the same lines as the detailed export gives. Without DuckDB and sqlglot it is skipped (77)."""
import decimal
import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support"), HERE]
OWN = os.path.join(HERE, "..", "..", "build", "python-test", "bin", "python")

try:
    import duckdb  # noqa: F401
    import sqlglot  # noqa: F401
except ImportError:
    if not os.path.exists(OWN) or os.path.realpath(sys.prefix) == os.path.realpath(os.path.dirname(os.path.dirname(OWN))):
        print("skipped: duckdb and sqlglot are not installed (./dev deps test)")
        sys.exit(77)
    os.execv(OWN, [OWN, *sys.argv])

from billingexport import DETAILED, FOCUS, usage  # noqa: E402
from run_gcpbilling import FAILED, SUSTAINED, ExportTest  # noqa: E402


def costs(billed, contracted, effective):
    return {name: decimal.Decimal(value) for name, value in (("BilledCost", billed), ("ContractedCost", contracted), ("EffectiveCost", effective))}


class FocusExportTest(ExportTest):
    def test_the_ledger_has_the_totals_in_either_form(self):
        for number, (is_net, begin) in enumerate(((True, "07:00:00+00:00"), (False, "00:00:00+00:00"))):
            self.server.costs_are_net, self.server.month_begins = is_net, begin
            program = self.bill(table=FOCUS, data=f"data-{number}")
            one, text = self.sync(program)
            self.assertIsNone(one["error"], text)
            self.assertHoldsTheBill(program)

    def test_it_gives_what_the_detailed_export_gives(self):
        found = []
        for table in (DETAILED, FOCUS):
            program = self.bill(table=table, data=table)
            self.sync(program)
            found.append({by: self.sums(program, by) for by in ("category", "service", "account", "region", "day", "match", "origin")})
        self.assertEqual(*found)

    def test_a_credit_that_is_too_small_to_tell_stays_in_the_cost(self):
        self.server.rows += [usage("2026-10-20T05:00:00", 1.5, "Small", credits=[(SUSTAINED, "Tiny", -0.0000004)])]
        program = self.bill(table=FOCUS)
        self.sync(program)
        self.assertHoldsTheBill(program)

    def test_costs_whose_credits_are_not_clear_are_refused(self):
        known = list(self.server.rows)
        unlike = costs(10, 10, 8)  # clear by itself, and unlike all others
        for number, odd in enumerate((costs(9, 10, 8), costs(10, 10, 10), unlike)):
            row = usage("2026-10-20T05:00:00", 10.0, "Odd", credits=[(SUSTAINED, "Discount", -2.0)])
            self.server.rows = [*known, {**row, "focus": odd}]
            program = self.bill(table=FOCUS, data=f"data-{number}")
            one, text = self.sync(program, status=FAILED)
            self.assertIn("does not show whether its costs of the month 202610 have credits in them", json.dumps(one) + text)


if __name__ == "__main__":
    unittest.main()
