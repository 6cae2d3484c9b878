# SPDX-License-Identifier: GPL-3.0-or-later
"""Random months of FOCUS bills, as CSV and as Parquet with the types that each provider writes. pyarrow and DuckDB come from PyPI
(./dev deps test installs them into build/python-test).

A row maps the name of each column to None, a text, a Decimal, a time in UTC, a dict (tags) or a list of dicts (labels and credits of Google).
"""
import datetime
import decimal
import io
import json
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
OWN = os.path.join(HERE, "..", "..", "build", "python-test", "bin", "python")
TRIED = "GPULEDGER_ARROW_TRIED"

try:
    import duckdb
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError:
    pa = None

Decimal = decimal.Decimal
UTC = datetime.timezone.utc
SPECIAL = ("plain", "a, b", 'said "so"', '"', "two\nlines", "two\r\nlines", "Größe – Übung", "🚀 to the 🌙", "NULL", "null", " padded ", "a\ttab", "semi;colon", "'quoted'",
           "", "back\\slash", "עברית", "-", "0", "true", "e\u0301")
MACHINES = {"AWS": ("p4d.24xlarge", "p5.48xlarge", "g5.xlarge", "m5.large"), "Microsoft": ("Standard_ND96isr_H100_v5", "Standard_NC24ads_A100_v4", "Standard_D4s_v5"),
            "Google": ("a3-highgpu-8g", "a2-highgpu-1g", "n2-standard-8")}
SERVICES = {"AWS": ("Amazon Elastic Compute Cloud", "Amazon SageMaker", "Amazon Simple Storage Service"), "Microsoft": ("Virtual Machines", "Azure Machine Learning", "Storage Accounts"),
            "Google": ("Compute Engine", "Vertex AI", "Cloud Storage")}
REGIONS = ("us-east-1", "eu-central-1", "ap-south-1")
TEXT, NUMBER, TIME = "text", "number", "time"
# The columns of each export and what they hold: TEXT, NUMBER, TIME, or else a name that `FORMS` knows.
COMMON = [(name, NUMBER if "Cost" in name or "Quantity" in name or "UnitPrice" in name else TIME if "Period" in name else TEXT) for name in (
    "BilledCost BillingAccountId BillingAccountName BillingCurrency BillingPeriodEnd BillingPeriodStart ChargeCategory ChargeClass ChargeDescription ChargePeriodEnd "
    "ChargePeriodStart ConsumedQuantity ConsumedUnit ContractedCost ContractedUnitPrice EffectiveCost InvoiceIssuerName ListCost ListUnitPrice PricingCategory "
    "PricingQuantity PricingUnit ProviderName PublisherName RegionId RegionName ResourceId ResourceName ServiceName SkuId SkuPriceId SubAccountId SubAccountName").split()]
MORE = [(name, NUMBER if "Quantity" in name else TEXT) for name in (
    "AvailabilityZone ChargeFrequency CommitmentDiscountCategory CommitmentDiscountId CommitmentDiscountName CommitmentDiscountQuantity CommitmentDiscountStatus "
    "CommitmentDiscountType CommitmentDiscountUnit ResourceType ServiceCategory").split()]
COLUMNS = {
    "AWS": [*COMMON, *MORE, ("Tags", "map"), ("SkuPriceDetails", "map"), ("SkuMeter", TEXT), ("InvoiceId", TEXT), ("BillingAccountType", TEXT), ("x_CostCategories", "map"),
            ("x_Discounts", "numbers"), ("x_Operation", TEXT), ("x_ServiceCode", TEXT), ("x_UsageType", TEXT)],
    "Microsoft": [*COMMON, *MORE, ("Tags", "json"), ("BillingAccountType", TEXT), ("x_SkuDetails", "json"), ("x_SkuMeterName", TEXT), ("x_BilledCostInUsd", NUMBER),
                  ("x_BillingExchangeRateDate", TIME), ("x_SkuIsCreditEligible", "truth")],
    "Google": [*COMMON, ("x_Labels", "pairs"), ("x_ProjectLabels", "pairs"), ("x_SystemLabels", "pairs"), ("x_Credits", "credits"), ("x_Project", "project"), ("x_CostType", TEXT),
               ("x_ExportTime", TIME), ("x_CurrencyConversionRate", NUMBER)],
}
DIGITS = {"AWS": 10, "Microsoft": 15, "Google": 9}  # behind the point, at most


def with_arrow():
    """Goes on under a Python that has pyarrow and DuckDB. False if there is none."""
    if pa is None and TRIED not in os.environ and os.path.exists(OWN):
        os.environ[TRIED] = "1"
        sys.stdout.flush()
        os.execv(OWN, [OWN, *sys.argv])
    return pa is not None


def number(rng, digits):
    """No more than 15 significant digits, so that a double has the same shortest text."""
    if rng.random() < 0.1:
        return Decimal(0)
    scale = rng.randrange(digits + 1)
    value = Decimal(rng.randrange(1, 10 ** rng.randrange(1, 13))).scaleb(-scale)
    return value % 5000 or Decimal(1)


def month(seed, count, provider="AWS", first=datetime.datetime(2026, 10, 1, tzinfo=UTC)):
    rng, digits = random.Random(f"{provider} {seed}"), DIGITS[provider]
    end = (first + datetime.timedelta(days=32)).replace(day=1)
    accounts = [(f"1234567890{at:02}", f"Payer {at}, \"Größe\"", currency) for at, currency in enumerate(("USD", "USD", "EUR"))]
    text = lambda share=0.5: None if rng.random() < share else rng.choice(SPECIAL)  # noqa: E731
    tags = lambda share=0.3: None if rng.random() < share else {  # noqa: E731
        key: rng.choice(SPECIAL) for key in rng.sample(("team", "env", "user:owner", "größe", "a.b/c", "🚀", "cost center"), rng.randrange(5))}
    pairs = lambda: None if rng.random() < 0.3 else [{"Key": key, "Value": value} for key, value in (tags(0) or {}).items()]  # noqa: E731
    rows = []
    for at in range(count):
        account, name, currency = rng.choice(accounts)
        category = rng.choices(("Usage", "Tax", "Credit", "Purchase", "Adjustment"), (88, 4, 4, 3, 1))[0]
        machine, sign = rng.choice(MACHINES[provider]), -1 if category == "Credit" else 1
        start = first + datetime.timedelta(hours=rng.randrange(24 * (end - first).days - 24))
        cost = sign * number(rng, digits)
        isMachine = category == "Usage" and rng.random() < 0.6
        rows.append({
            "BilledCost": cost, "EffectiveCost": Decimal(0) if category == "Purchase" else cost if rng.random() < 0.7 else sign * number(rng, digits),
            "ListCost": sign * number(rng, digits), "ContractedCost": rng.choice((cost, number(rng, digits))), "BillingAccountId": account, "BillingAccountName": name,
            "BillingAccountType": "Account", "BillingCurrency": currency, "BillingPeriodStart": first, "BillingPeriodEnd": end, "ChargePeriodStart": start,
            "ChargePeriodEnd": start + datetime.timedelta(hours=rng.choice((1, 24))), "ChargeCategory": category, "ChargeClass": "Correction" if rng.random() < 0.02 else None,
            "ChargeDescription": rng.choice((machine, f"${cost} per Hour, {machine}", *SPECIAL)), "ChargeFrequency": "Usage-Based" if category == "Usage" else "One-Time",
            "ConsumedQuantity": number(rng, 6) if isMachine else None, "ConsumedUnit": "Hours" if isMachine else None, "InvoiceIssuerName": f"{provider} Inc.", "InvoiceId": text(0.9),
            "ListUnitPrice": number(rng, digits) if isMachine else None, "ContractedUnitPrice": number(rng, digits) if isMachine else None, "PricingQuantity": number(rng, 6) if isMachine else None,
            "PricingUnit": "Hours" if isMachine else None, "PricingCategory": rng.choice(("Standard", "Dynamic", "Committed")) if category == "Usage" else None,
            "ProviderName": provider, "PublisherName": rng.choice((provider, "Marketplace, Ltd.")), "RegionId": rng.choice(REGIONS) if isMachine else None, "RegionName": text(0.7),
            "AvailabilityZone": None, "ResourceId": f"i-{rng.randrange(200):017x}" if isMachine else text(), "ResourceName": text(), "ResourceType": "Instance" if isMachine else None,
            "ServiceCategory": "Compute" if isMachine else "Storage", "ServiceName": rng.choice(SERVICES[provider]), "SkuId": f"SKU{rng.randrange(9)}", "SkuPriceId": text(0.9),
            "SkuMeter": f"BoxUsage:{machine}" if isMachine else None, "SkuPriceDetails": {"InstanceType": machine, "GpuCount": "8", "x_note": rng.choice(SPECIAL)} if isMachine else None,
            "SubAccountId": f"{rng.randrange(5):012}", "SubAccountName": text(), "CommitmentDiscountId": "arn:sp/1" if category == "Purchase" else None,
            "CommitmentDiscountCategory": "Spend" if category == "Purchase" else None, "CommitmentDiscountName": None, "CommitmentDiscountQuantity": None,
            "CommitmentDiscountStatus": None, "CommitmentDiscountType": "Savings Plan" if category == "Purchase" else None, "CommitmentDiscountUnit": None,
            "Tags": tags(), "x_CostCategories": tags(), "x_Discounts": rng.choice((None, {}, {"EDP": Decimal("-0.5"), "größe": Decimal("12.25")})), "x_Operation": text(),
            "x_ServiceCode": "AmazonEC2", "x_UsageType": f"BoxUsage:{machine}" if isMachine else None, "x_SkuDetails": {"ServiceType": machine, "VCPUs": "96"} if isMachine else None,
            "x_SkuMeterName": machine, "x_BilledCostInUsd": rng.choice((None, Decimal("12.5"), Decimal("-0.25"), Decimal(3))), "x_BillingExchangeRateDate": rng.choice((None, first)),
            "x_SkuIsCreditEligible": rng.choice((None, True, False)), "x_Labels": pairs(), "x_ProjectLabels": pairs(), "x_SystemLabels": pairs(),
            "x_Credits": rng.choice((None, [], [{"Name": "Free, \"tier\"", "Amount": Decimal("-0.125"), "FullName": None, "Id": "ö", "Type": "PROMOTION"}])),
            "x_Project": {"Id": "lab-1", "Number": "123", "Name": rng.choice(SPECIAL)}, "x_CostType": "regular", "x_ExportTime": end + datetime.timedelta(microseconds=rng.choice((0, 1500, 250000))),
            "x_CurrencyConversionRate": Decimal("1.5"),
        })
    return [{column: row[column] for column, _ in COLUMNS[provider]} for row in rows]


def plain(value):
    """The text of a value, as CSV has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Decimal):
        return format(value.normalize(), "f") if value else "0"
    if isinstance(value, datetime.datetime):
        value = value.astimezone(UTC)
        return value.strftime("%Y-%m-%dT%H:%M:%S") + (f".{value.microsecond:06}" if value.microsecond else "") + "Z"
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False, default=plain)
    return value


def csv(rows):
    """As bytes. Texts are in quotes, so that "NULL" is one."""
    quoted = lambda text: '"' + text.replace('"', '""') + '"'  # noqa: E731
    out = io.StringIO(newline="")
    out.write(",".join(rows[0]) + "\n")
    for row in rows:
        out.write(",".join("" if value is None else quoted(plain(value)) if isinstance(value, (str, dict, list)) else plain(value) for value in row.values()) + "\n")
    return out.getvalue().encode()


def types(provider, numbers=None, times=None, texts=None):
    """The Arrow type of each column: what the provider writes, unless others are given."""
    numbers = numbers or {"AWS": pa.float64(), "Microsoft": pa.decimal128(38, 18), "Google": pa.decimal128(38, 9)}[provider]
    times = times or (pa.timestamp("ms", "UTC") if provider == "AWS" else pa.timestamp("us", "UTC"))
    texts = texts or pa.string()
    members = lambda *names: pa.struct([(name, numbers if name == "Amount" else texts) for name in names])  # noqa: E731
    forms = {TEXT: texts, "json": texts, NUMBER: numbers, TIME: times, "truth": pa.bool_(), "map": pa.map_(pa.string(), texts), "numbers": pa.map_(pa.string(), numbers),
             "pairs": pa.list_(members("Key", "Value")), "credits": pa.list_(members("Name", "Amount", "FullName", "Id", "Type")), "project": members("Id", "Number", "Name")}
    return {name: forms[form] for name, form in COLUMNS[provider]}


def cell(value, kind):
    """What pyarrow makes that type of."""
    if value is None:
        return None
    if pa.types.is_map(kind):
        return [(key, cell(one, kind.item_type)) for key, one in value.items()]
    if pa.types.is_list(kind):
        return [cell(one, kind.value_type) for one in value]
    if pa.types.is_struct(kind):
        return {field.name: cell(value[field.name], field.type) for field in kind}
    if pa.types.is_floating(kind):
        return float(value)
    if pa.types.is_timestamp(kind) and kind.tz is None:
        return value.replace(tzinfo=None)
    return plain(value) if not isinstance(value, bool) and kind in (pa.string(), pa.large_string(), pa.string_view()) else value


def table(rows, kinds):
    """The columns are those of `kinds`, in its order."""
    def array(name, kind):
        of = kind.value_type if pa.types.is_dictionary(kind) else kind
        made = pa.array([cell(row[name], of) for row in rows], of)
        return made.dictionary_encode() if of is not kind else made
    return pa.table([array(name, kind) for name, kind in kinds.items()], names=list(kinds))


def parquet(content, **options):
    """As bytes. By default as programs other than Arrow write it: without a description of Arrow's types."""
    out = io.BytesIO()
    pq.write_table(content, out, **{"store_schema": False, **options})
    return out.getvalue()


def sums(path, by="ChargeCategory", column="BilledCost"):
    """What DuckDB adds up in a Parquet file: for each value of `by` and each currency, exactly and with each line rounded to 1e-9."""
    exact = f"cast(cast({column} as varchar) as decimal(38, 18))"
    found = duckdb.execute(f"select {by}, BillingCurrency, sum({exact}), sum(cast(round({exact}, 9) as decimal(38, 9))) from read_parquet(?) group by all", [path]).fetchall()
    return {(key, currency): (full, rounded) for key, currency, full, rounded in found}
