# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a query of BigQuery on rows of Google's FOCUS export, in DuckDB: sqlglot, which knows both, translates it. What differs is said where it
is. The columns are those of the contract (clouds.md, 3.3); there is no public peer that has the export itself."""
import duckdb
import sqlglot

KEYED = 'STRUCT("Key" VARCHAR, "Value" VARCHAR)[]'
MONEY = "DECIMAL(38, 9)"  # NUMERIC
COLUMNS = {
    "_PARTITIONTIME": "TIMESTAMPTZ", "ChargePeriodStart": "TIMESTAMPTZ", "BillingPeriodStart": "TIMESTAMPTZ", "SubAccountId": "VARCHAR",
    "SubAccountName": "VARCHAR", "ServiceName": "VARCHAR", "SkuId": "VARCHAR", "ChargeDescription": "VARCHAR", "RegionId": "VARCHAR",
    "AvailabilityZone": "VARCHAR", "ResourceId": "VARCHAR", "ResourceName": "VARCHAR", "PricingUnit": "VARCHAR", "PricingQuantity": MONEY,
    "BillingCurrency": "VARCHAR", "BilledCost": MONEY, "ContractedCost": MONEY, "EffectiveCost": MONEY, "x_CostType": "VARCHAR",
    "x_SystemLabels": KEYED, "x_Labels": KEYED, "x_ProjectLabels": KEYED,
    "x_Tags": 'STRUCT("Key" VARCHAR, "Value" VARCHAR, x_Inherited BOOLEAN, x_Namespace VARCHAR)[]',
    "x_Credits": f'STRUCT("Name" VARCHAR, Amount {MONEY}, FullName VARCHAR, Id VARCHAR, "Type" VARCHAR)[]',
}


def translated(sql, table):
    """A NUMERIC has nine digits after the point, and the table has no project and dataset."""
    tree = sqlglot.parse_one(sql, read="bigquery")
    for one in tree.find_all(sqlglot.exp.Table):
        if one.name == table:
            one.replace(sqlglot.exp.to_table("export"))
    return tree.sql(dialect="duckdb").replace("AS DECIMAL)", f"AS {MONEY})")


def answer(sql, table, rows, parameters):
    """Tuples of texts in the order of the columns, in no order of rows."""
    base = duckdb.connect()
    base.execute("SET TimeZone = 'UTC'")
    base.execute("CREATE TABLE export (" + ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items()) + ")")
    base.executemany(f"INSERT INTO export VALUES ({', '.join('?' * len(COLUMNS))})", [[row.get(name) for name in COLUMNS] for row in rows])
    found = base.execute(translated(sql, table), parameters).fetchall()
    return [tuple(None if cell is None else f"{cell:f}" if not isinstance(cell, str) else cell for cell in row) for row in found]
