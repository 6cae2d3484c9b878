#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bills as Parquet: each line of the ledger is that of the same rows as CSV, and its sums are those that DuckDB finds in the same file. In the types
that each provider writes, in those of other programs, and in every form that a file can have; as files and as exports of AWS and Azure. Without
pyarrow, or in a build without the module for Parquet, it is skipped (77)."""
import contextlib
import datetime
import decimal
import itertools
import json
import os
import random
import shutil
import sqlite3
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

import parquetbills  # noqa: E402
import run_awsexport as aws  # noqa: E402
import run_azureexport as azure  # noqa: E402
from parquetbills import COLUMNS, UTC, month, pa, table, types  # noqa: E402
from product import CLI, SEED, ProductTest, Program, configuration  # noqa: E402

Decimal = decimal.Decimal
NOW, FAILED, SKIPPED = "2026-11-20T10:00:00Z", 4, 77
AT_ONCE = 6  # sources of one program: it looks for lines that any two of them report
SPAN = ("--from", "2026-09-01", "--to", "2026-12-01")
MODULE = os.path.join(os.path.dirname(CLI), "..", "lib", "gpuledger", "libgpuledger-parquet.so")
# Of bill_item; all later columns are texts by number.
ITEM_TEXTS_AFTER = "contracted_unit_price"


def alike(text):
    """JSON as a value that is the same however it is written, its numbers as texts; other texts as they are."""
    if not text or text[0] not in "[{":
        return text
    try:
        value = json.loads(text, parse_float=str, parse_int=str)
    except ValueError:
        return text
    return json.dumps({key: alike(one) if isinstance(one, str) else one for key, one in value.items()} if isinstance(value, dict) else value, sort_keys=True)


def lines(program, source="bill"):
    """Each stored line of a source, with everything but the number of its row: CSV counts the lines of the text."""
    with contextlib.closing(sqlite3.connect(f"file:{program.cache}?mode=ro", uri=True)) as db:
        texts = dict(db.execute("SELECT id, value FROM text"))
        columns = [column[1] for column in db.execute("PRAGMA table_info(bill_item)")]
        first = columns.index(ITEM_TEXTS_AFTER) + 1
        items = {row[0]: (*row[1:first], *(alike(texts.get(one)) for one in row[first:])) for row in db.execute("SELECT * FROM bill_item")}
        found = db.execute("SELECT l.item, p.account, p.period_start, l.file, l.charge_start, l.charge_end, l.billed, l.effective, l.list, l.contracted, l.pricing_quantity,"
                           " l.consumed_quantity, l.commitment_quantity, l.extra FROM bill_line l JOIN bill_part p ON p.id = l.id >> 32 JOIN source s ON s.id = p.source"
                           " WHERE s.name = ? ORDER BY p.account, p.period_start, l.id", [source])
        return [(*row[1:-1], alike(row[-1]), *items[row[0]]) for row in found]


def total(delivery):
    """The exact sums of a delivery in `sync --json`: what was billed in each currency."""
    return {one["currency"]: Decimal(one["billed"]) for one in delivery["accepted"]["sums"]}


class ParquetTest(ProductTest):
    maxDiff, homes = 4000, itertools.count(1)

    def bills(self, home="home", **contents):
        """A program with a source of that name for each file, whose ending is behind the last "_" of its name."""
        folder = os.path.join(self.folder, home)
        os.makedirs(folder, exist_ok=True)
        sources = []
        for name, content in contents.items():
            path = os.path.join(folder, name.replace("_", "."))
            with open(path, "wb") as file:
                file.write(content)
            os.utime(path, (1, 1))
            sources.append(f"  - {{ name: {name.rpartition('_')[0]}, kind: focus, path: {json.dumps(path)} }}\n")
        return Program(folder, configuration(*sources))

    def sync(self, program, status=0, **options):
        """Its sources by name, and what was told."""
        done = program.run("sync", "--json", now=NOW, timeout=900, **options)
        self.assertEqual(done.returncode, status, done.text[-4000:])
        return {one["name"]: one for one in json.loads(done.stdout)["sources"]}, done.text

    def imported(self, source, rows):
        """The only delivery of a source, which took all rows."""
        self.assertEqual((source["error"], source["accepted"], source["rejected"]), (None, rows, 0), [one.get("rejections") for one in source["deliveries"]])
        delivery, = source["deliveries"]
        return delivery

    def assertSame(self, rows, **files):
        """Each Parquet file has the lines that the same rows have as CSV."""
        names = list(files)
        for first in range(0, len(names), AT_ONCE):
            part = names[first:first + AT_ONCE]
            home = f"home{next(self.homes)}"
            program = self.bills(home, csv_csv=parquetbills.csv(rows), **{f"{name}_parquet": files[name] for name in part})
            sources, _ = self.sync(program)
            wanted, expected = lines(program, "csv"), self.imported(sources["csv"], len(rows))
            self.assertEqual(len(wanted), len(rows))
            for name in part:
                with self.subTest(name):
                    delivery = self.imported(sources[name], len(rows))
                    self.assertEqual({key: delivery[key] for key in ("version", "findings", "accepted")}, {key: expected[key] for key in ("version", "findings", "accepted")})
                    for at, (one, other) in enumerate(itertools.zip_longest(lines(program, name), wanted)):
                        self.assertEqual(one, other, f"line {at}")
            program.verify(now=NOW)
            shutil.rmtree(program.folder)


class Values(ParquetTest):
    def test_each_provider(self):
        """One program each for CSV and Parquet: all that can be asked is the same, and the sums are those of DuckDB."""
        for provider in COLUMNS:
            with self.subTest(provider):
                rows = month(SEED, 2500, provider)
                answers = []
                for form, content in (("csv", parquetbills.csv(rows)), ("parquet", parquetbills.parquet(table(rows, types(provider))))):
                    program = self.bills(f"{provider}-{form}", **{f"bill_{form}": content})
                    sources, _ = self.sync(program)
                    delivery = self.imported(sources["bill"], len(rows))
                    ledger = [program.healthy("ledger", "--by", by, *SPAN, "--cost", cost, "--json", now=NOW).stdout for cost in ("billed", "effective")
                              for by in ("category,currency", "day,account,service,region", "source,origin,match,cloud,instance-type,currency")]
                    answers.append((ledger, program.run("reconcile", "--month", "2026-10", "--json", now=NOW).stdout,
                                    [delivery[key] for key in ("outcome", "version", "accepted", "rejected", "providers", "parts", "findings")], lines(program)))
                    program.verify(now=NOW)
                for one, other in zip(*answers):
                    self.assertEqual(one, other)
                self.assertEqual(len(answers[0][-1]), len(rows))
                self.assertSums(os.path.join(self.folder, f"{provider}-parquet", "bill.parquet"), delivery, json.loads(ledger[0]))

    def assertSums(self, path, delivery, ledger):
        for column, told in (("BilledCost", "billed"), ("EffectiveCost", "effective")):
            found = parquetbills.sums(path, column=column)
            for one in delivery["accepted"]["sums"]:
                self.assertEqual(Decimal(one[told]), sum(exact for (_, currency), (exact, _) in found.items() if currency == one["currency"]))
            kept = {}
            for row in ledger["rows"]:
                category = row["category"].capitalize() if row["category"] in ("tax", "credit") else "others"
                kept[category, row["currency"]] = kept.get((category, row["currency"]), 0) + Decimal(row[told]["amount"])
            wanted = {}
            for (category, currency), (_, rounded) in found.items():
                key = category if category in ("Tax", "Credit") else "others", currency
                wanted[key] = wanted.get(key, 0) + rounded
            self.assertEqual(len(wanted), 6)
            self.assertEqual(kept, wanted)

    def test_each_form_of_a_file(self):
        """Codecs, versions of the format and of pages, dictionaries, row groups."""
        codecs = ["none", *(codec for codec in ("snappy", "gzip", "zstd", "lz4", "brotli") if pa.Codec.is_available(codec))]
        for provider in ("AWS", "Google"):
            rows, files, rng = month(SEED, 120, provider), {}, random.Random(SEED)
            content = table(rows, types(provider))
            forms = list(itertools.product(codecs, ("1.0", "2.6"), ("1.0", "2.0"), (True, False)))
            for at, (codec, version, pages, dictionary) in enumerate(forms if provider == "AWS" else rng.sample(forms, 12)):
                how = {"compression": codec, "version": version, "data_page_version": pages, "use_dictionary": dictionary, "row_group_size": rng.choice((1, 7, 100, 1000)),
                       "data_page_size": rng.choice((64, 1024, 1 << 20)), "write_page_checksum": rng.random() < 0.5, "write_page_index": rng.random() < 0.3,
                       "use_compliant_nested_type": rng.random() < 0.5, "store_schema": rng.random() < 0.5}
                files[f"{codec}{version.replace('.', '-')}-{pages[0]}-{int(dictionary)}-{at}"] = parquetbills.parquet(content, **how)
            self.assertSame(rows, **files)

    def test_the_types_of_other_programs(self):
        rows = month(SEED, 300, "AWS")
        kinds = lambda **other: types("AWS", **other)  # noqa: E731
        shuffled = list(kinds().items())
        random.Random(SEED).shuffle(shuffled)
        whole = [{**row, **{name: value.to_integral_value() for name, value in row.items() if isinstance(value, Decimal)}, "x_Discounts": None} for row in rows]
        later = datetime.timezone(datetime.timedelta(hours=2))
        files = {"shuffled": (dict(shuffled), {}), "stored": (kinds(), {"store_schema": True}), "large": (kinds(texts=pa.large_string()), {"store_schema": True}),
                 "view": (kinds(texts=pa.string_view()), {"store_schema": True}), "text-times": (kinds(times=pa.string()), {}), "text-numbers": (kinds(numbers=pa.string()), {}),
                 "wide": (kinds(numbers=pa.decimal256(60, 20)), {"store_schema": True}), "decimal": (kinds(numbers=pa.decimal128(38, 12)), {}),
                 "narrow": (kinds(numbers=pa.decimal128(18, 10)), {"store_decimal_as_integer": True}),
                 "int96": (kinds(times=pa.timestamp("ns")), {"use_deprecated_int96_timestamps": True}),
                 "int96-utc": (kinds(times=pa.timestamp("us", "UTC")), {"use_deprecated_int96_timestamps": True, "store_schema": True}),
                 "tz": (kinds(times=pa.timestamp("us", "+02:00")), {"store_schema": True}), "city": (kinds(times=pa.timestamp("ms", "Europe/Berlin")), {"store_schema": True}),
                 **{unit: (kinds(times=pa.timestamp(unit)), {"store_schema": True}) for unit in ("s", "ms", "us", "ns")}}
        texts = {name: pa.dictionary(pa.int32(), kind) if kind == pa.string() else kind for name, kind in kinds().items()}
        files["coded"] = (texts, {"store_schema": True})
        made = {name: parquetbills.parquet(table(rows, of), **how) for name, (of, how) in files.items()}
        moved = [{**row, **{name: value.astimezone(later) for name, value in row.items() if isinstance(value, datetime.datetime)}} for row in rows]
        made["moved"] = parquetbills.parquet(table(moved, kinds(times=pa.timestamp("us", "+02:00"))), store_schema=True)
        path = os.path.join(self.folder, "duck.parquet")
        found = table(rows, kinds())
        parquetbills.duckdb.execute("copy (select * from found) to '" + path + "' (format parquet, compression zstd, row_group_size 100)")
        self.assertEqual(found.num_rows, len(rows))
        with open(path, "rb") as file:
            made["duckdb"] = file.read()
        self.assertSame(rows, **made)
        self.assertSame(whole, integers=parquetbills.parquet(table(whole, kinds(numbers=pa.int64()))), doubles=parquetbills.parquet(table(whole, kinds())))

    def test_more_digits_than_a_double_has(self):
        rows = month(SEED, 60, "Microsoft")
        rng = random.Random(SEED)
        for row in rows:
            for name in ("BilledCost", "EffectiveCost", "ListCost", "ContractedUnitPrice"):
                row[name] = Decimal(rng.randrange(-10 ** 24, 10 ** 24)).scaleb(-18)
        self.assertSame(rows, exact=parquetbills.parquet(table(rows, types("Microsoft"))), wide=parquetbills.parquet(table(rows, types("Microsoft", pa.decimal256(76, 18)))))

    def test_a_file_of_no_rows(self):
        content = table(month(SEED, 1, "AWS"), types("AWS")).slice(0, 0)
        program = self.bills(none_parquet=parquetbills.parquet(content), csv_csv=parquetbills.csv(month(SEED, 1, "AWS")).partition(b"\n")[0] + b"\n")
        sources, _ = self.sync(program)
        self.assertEqual([delivery["accepted"] for delivery in sources["none"]["deliveries"]], [delivery["accepted"] for delivery in sources["csv"]["deliveries"]])
        self.imported(sources["none"], 0)
        self.assertEqual(lines(program, "none"), [])

    def test_the_text_of_each_type(self):
        """What is kept of columns that FOCUS doesn't know, each with a value and a null."""
        moment, micro = datetime.datetime(2026, 10, 1, 7, 8, 9, tzinfo=UTC), datetime.timedelta(microseconds=1)
        early = datetime.datetime(1969, 12, 31, 23, 59, 59, 999000)
        digits = "12345678901234567890123456789012345678"
        values = {
            "int8": (pa.int8(), -128, "-128"), "uint8": (pa.uint8(), 255, "255"), "int16": (pa.int16(), -32768, "-32768"), "uint16": (pa.uint16(), 65535, "65535"),
            "int32": (pa.int32(), -(1 << 31), "-2147483648"), "uint32": (pa.uint32(), (1 << 32) - 1, "4294967295"), "int64": (pa.int64(), -(1 << 63), "-9223372036854775808"),
            "uint64": (pa.uint64(), (1 << 64) - 1, "18446744073709551615"), "true": (pa.bool_(), True, "true"), "false": (pa.bool_(), False, "false"),
            "float": (pa.float32(), 0.1, "0.1"), "double": (pa.float64(), 0.1 + 0.2, "0.30000000000000004"), "whole": (pa.float64(), 24.0, "24"), "negative": (pa.float64(), -1.5, "-1.5"),
            "decimal": (pa.decimal128(38, 18), Decimal("-0.000000000000000001"), "-0.000000000000000001"), "digits": (pa.decimal128(38, 0), Decimal(digits), digits),
            "wide": (pa.decimal256(76, 38), Decimal(digits + "." + digits), digits + "." + digits), "zeros": (pa.decimal128(20, 10), Decimal("100.5"), "100.5"),
            "zero": (pa.decimal128(20, 10), Decimal(0), "0"), "small": (pa.decimal32(9, 4), Decimal("-12.25"), "-12.25"), "medium": (pa.decimal64(18, 6), Decimal("7.000001"), "7.000001"),
            "day": (pa.date32(), moment.date(), "2026-10-01"), "early": (pa.timestamp("ms"), early, "1969-12-31T23:59:59.999Z"),
            "leap": (pa.timestamp("us"), datetime.datetime(1900, 2, 28, 12), "1900-02-28T12:00:00Z"), "seconds": (pa.timestamp("s", "UTC"), moment, "2026-10-01T07:08:09Z"),
            "micros": (pa.timestamp("us", "America/New_York"), moment + 15 * micro, "2026-10-01T07:08:09.000015Z"),
            "text": (pa.string(), "a\n\"b\", ö 🚀", "a\n\"b\", ö 🚀"), "null-word": (pa.string(), "NULL", "NULL"), "large": (pa.large_string(), "ö", "ö"),
            "view": (pa.string_view(), "longer than twelve bytes", "longer than twelve bytes"), "bytes": (pa.binary(), b"as text", "as text"),
            "coded": (pa.dictionary(pa.int8(), pa.string()), "ö", "ö"),
        }
        nested = {
            "list": (pa.list_(pa.int64()), [1, -2], ["1", "-2"]), "empty": (pa.list_(pa.string()), [], []), "texts": (pa.list_(pa.string()), ["a", None, "\"ö\""], ["a", None, "\"ö\""]),
            "large-list": (pa.large_list(pa.string()), ["a"], ["a"]), "fixed-list": (pa.list_(pa.string(), 2), ["a", "b"], ["a", "b"]),
            "map": (pa.map_(pa.string(), pa.string()), [("k", "v"), ("ö", None), ("", "\n")], {"k": "v", "ö": None, "": "\n"}), "no-map": (pa.map_(pa.string(), pa.float64()), [], {}),
            "struct": (pa.struct([("a", pa.int32()), ("b", pa.bool_()), ("c", pa.decimal128(38, 9)), ("d", pa.timestamp("ms", "UTC"))]), {"a": 1, "b": True, "c": Decimal("1.5"), "d": moment},
                       {"a": "1", "b": True, "c": "1.5", "d": "2026-10-01T07:08:09Z"}),
            "deep": (pa.list_(pa.struct([("m", pa.map_(pa.string(), pa.list_(pa.string())))])), [{"m": [("k", ["v", "w"])]}, None], [{"m": {"k": ["v", "w"]}}, None]),
        }
        # What no bill has: it may be told in any way or not at all, but it hinders nothing.
        odd = {"time": (pa.time32("s"), datetime.time(7, 8)), "half": (pa.float16(), 1.5), "fixed": (pa.binary(3), b"\1\2\xff"), "broken": (pa.binary(), b"\xff\xfe"), "nothing": (pa.null(), None),
               "length": (pa.duration("s"), datetime.timedelta(hours=1)), "numbers": (pa.map_(pa.int32(), pa.string()), [(1, "a")])}
        rows = month(SEED, 2, "Google")
        for store in (True, False):
            content = table(rows, types("Google"))
            for name, (kind, value, *_) in {**values, **nested, **odd}.items():
                content = content.append_column(f"x_{name}", pa.array([value, None], kind))
            program = self.bills(f"stored{int(store)}", bill_parquet=parquetbills.parquet(content, store_schema=store))
            self.imported(self.sync(program)[0]["bill"], 2)
            program.verify(now=NOW)
            with contextlib.closing(sqlite3.connect(f"file:{program.cache}?mode=ro", uri=True)) as db:
                kept = [{**json.loads(item or "{}"), **json.loads(line or "{}")} for line, item in db.execute(
                    "SELECT l.extra, t.value FROM bill_line l JOIN bill_item i ON i.id = l.item LEFT JOIN text t ON t.id = i.extra ORDER BY l.row")]
            for name, (_, _, text) in values.items():
                with self.subTest(name, store=store):
                    self.assertEqual(kept[0].get(f"x_{name}"), text)
            for name, (_, _, value) in nested.items():
                with self.subTest(name, store=store):
                    self.assertEqual(json.loads(kept[0].get(f"x_{name}", "null"), parse_float=str, parse_int=str), value)
            self.assertEqual([name for name in {**values, **nested} if f"x_{name}" in kept[1]], [])

    def test_values_that_come_back(self):
        """Numbers and times that repeat, with others and nulls in between, in several groups of rows."""
        rng, count = random.Random(SEED), 5000
        moment = datetime.datetime(2026, 10, 1, tzinfo=UTC)

        def whole(bits):
            return rng.randrange(-(1 << bits - 1), 1 << bits - 1)

        def plain(value):
            return f"{value:f}".rstrip("0").rstrip(".")

        made = {
            "int": (pa.int32(), lambda: whole(32), str), "long": (pa.int64(), lambda: whole(64), str), "double": (pa.float64(), lambda: whole(20) / 8, lambda v: repr(v).removesuffix(".0")),
            "float": (pa.float32(), lambda: whole(12) / 8, lambda v: repr(v).removesuffix(".0")), "day": (pa.date32(), lambda: (moment + datetime.timedelta(whole(12))).date(), str),
            "time": (pa.timestamp("us", "UTC"), lambda: moment + datetime.timedelta(seconds=whole(24)), lambda v: v.strftime("%Y-%m-%dT%H:%M:%SZ")),
            "decimal": (pa.decimal128(38, 9), lambda: Decimal(whole(90)).scaleb(-9), plain), "small": (pa.decimal32(9, 2), lambda: Decimal(whole(24)).scaleb(-2), plain),
        }
        content = table(month(SEED, count, "AWS"), types("AWS"))
        columns = {}
        for name, (kind, value, _) in made.items():
            few = [None, *(value() for _ in range(20))]  # more than are remembered at once
            columns[name] = [rng.choice(few[:rng.choice((3, 21))]) for _ in range(count)]
            content = content.append_column(f"x_{name}", pa.array(columns[name], kind))
        program = self.bills(bill_parquet=parquetbills.parquet(content, row_group_size=1500))
        self.imported(self.sync(program)[0]["bill"], count)
        with contextlib.closing(sqlite3.connect(f"file:{program.cache}?mode=ro", uri=True)) as db:
            kept = [{**json.loads(item or "{}"), **json.loads(line or "{}")} for line, item in db.execute(
                "SELECT l.extra, t.value FROM bill_line l JOIN bill_item i ON i.id = l.item LEFT JOIN text t ON t.id = i.extra ORDER BY l.row")]
        for name, (_, _, text) in made.items():
            self.assertEqual([row.get(f"x_{name}") for row in kept], [None if value is None else text(value) for value in columns[name]], name)

    def test_bytes_that_are_no_text(self):
        """They are repaired, also NUL bytes: unlike in CSV, they say nothing about the row."""
        content = table(month(SEED, 3, "AWS"), types("AWS"))
        values = {"nul": (pa.binary(), b"\0\1"), "broken": (pa.binary(), b"\xff\xfe"), "fixed": (pa.binary(2), b"\xff\1"), "list": (pa.list_(pa.binary()), [b"\0\1", b"\xff"])}
        program = self.bills(**{f"{name}_parquet": parquetbills.parquet(content.append_column("x_hash", pa.array([value] * 3, kind))) for name, (kind, value) in values.items()})
        sources, _ = self.sync(program)
        for name, source in sources.items():
            with self.subTest(name):
                self.assertEqual((source["error"], source["accepted"], source["rejected"]), (None, 3, 0))
        program.verify(now=NOW)

    def test_what_has_no_form_of_its_own_is_refused_where_it_is_needed(self):
        """A row is rejected if it lacks what is required, and taken without what is not."""
        content, late = table(month(SEED, 3, "AWS"), types("AWS")), pa.timestamp("us")
        time, infinite, nan = (pa.time32("s"), datetime.time(7, 8)), (pa.float64(), float("-inf")), (pa.float64(), float("nan"))
        values = {"ListCost": (nan, infinite, time), "BilledCost": (nan, infinite, time, (pa.list_(pa.float64()), [1.0]), (pa.bool_(), True), (pa.float64(), -0.0)),
                  "ChargePeriodStart": ((pa.duration("s"), datetime.timedelta(1)), (late, pa.scalar(1 << 62, late)), (pa.int64(), 1)),
                  "ChargeCategory": ((pa.struct([("a", pa.string())]), {"a": "Usage"}), (pa.binary(), b"Usage\xff"))}
        for name, kinds in values.items():
            made = [content.set_column(content.column_names.index(name), name, pa.array([value] * 3, kind)) for kind, value in kinds]
            program = self.bills(name, **{f"file{at}_parquet": parquetbills.parquet(one, store_schema=True) for at, one in enumerate(made)})
            sources, text = self.sync(program)
            for (kind, value), (file, source) in zip(kinds, sources.items()):
                with self.subTest(name, kind=kind, value=value):
                    taken = 3 if name == "ListCost" or value == 0 else 0
                    self.assertEqual((source["error"], source["accepted"], source["rejected"]), (None, taken, 3 - taken), text)
                    self.assertEqual(len(lines(program, file)), taken)
            program.verify(now=NOW)


class AzureExport(azure.Export, ProductTest):
    """No tests; what writes and reads an export."""


class Exports(ParquetTest):
    """The month of an export in Parquet is that of the same rows as CSV."""

    def parts(self, provider):
        rows = month(SEED, 600, provider)
        content = table(rows, types(provider))
        return rows, parquetbills.parquet(content.slice(0, 400), compression="snappy"), parquetbills.parquet(content.slice(400), compression="snappy")

    def assertExport(self, make, write, put):
        """`make` gives a program and how to sync it, `write` writes a month of these files and returns their names, `put` replaces one."""
        ledgers = []
        rows, *parts = self.parts(make.provider)
        for files in (parts, [parquetbills.csv(rows[:400]), parquetbills.csv(rows[400:])]):
            names = write(files)
            program = make(f"home{len(ledgers)}")
            one = self.month(program)
            self.assertEqual((one["error"], one["accepted"], one["rejected"]), (None, len(rows), 0))
            ledgers.append((program.healthy("ledger", "--by", "day,account,category,service,currency", *SPAN, "--json", now=NOW).stdout, lines(program)))
            program.verify(now=NOW)
        self.assertEqual(*(ledger for ledger, _ in ledgers))
        self.assertEqual(*(sorted(map(str, kept)) for _, kept in ledgers))
        # What is cut off is not counted, and what was counted before stays.
        for whole in (parts[1], parquetbills.parquet(table(rows[400:], types(make.provider)), compression="none")):
            names = write(parts)
            put(names[1], whole[:len(whole) * 2 // 3])
            one, text = self.month(program, FAILED, True)
            self.assertEqual(one["error"]["code"], "parse", text)
            self.assertIn("cut off or damaged", text)
            self.assertEqual(program.healthy("ledger", "--by", "day,account,category,service,currency", *SPAN, "--json", now=NOW).stdout, ledgers[0][0])
        program.verify(now=NOW)

    def month(self, program, status=0, told=False):
        done = program.run("sync", "--json", now=NOW)
        self.assertEqual(done.returncode, status, done.text)
        one, = json.loads(done.stdout)["sources"]
        return (one, done.text) if told else one

    def test_aws(self):
        store = aws.FakeStore()
        self.addCleanup(store.close)
        export = aws.ExportTest()
        export.folder, export.put, export.url = self.folder, store.put, f"http://127.0.0.1:{store.server.server_address[1]}"
        make = lambda name: export.source(name=name)  # noqa: E731
        make.provider = "AWS"
        self.assertExport(make, lambda files: export.write("2026-10", *files), store.put)

    def test_a_file_of_aws_that_comes_in_pieces(self):
        rows = month(SEED, 400, "AWS")
        for at, row in enumerate(rows):
            row["ChargeDescription"] = random.Random(at).randbytes(15_000).hex()
        content = parquetbills.parquet(table(rows, types("AWS")), compression="none", use_dictionary=False)
        self.assertGreater(len(content), aws.PIECE)
        store = aws.FakeStore()
        self.addCleanup(store.close)
        export = aws.ExportTest()
        export.folder, export.put, export.url = self.folder, store.put, f"http://127.0.0.1:{store.server.server_address[1]}"
        export.write("2026-10", content)
        program = export.source()
        self.assertEqual(total(self.imported(self.month(program), len(rows))), {currency: sum(row["BilledCost"] for row in rows if row["BillingCurrency"] == currency)
                                                                               for currency in ("USD", "EUR")})
        self.assertGreater(len(store.ranges), 1)

    def test_azure(self):
        store = azure.FakeStore()
        login = azure.FakeLogin(store)
        for server in (store, login):
            self.addCleanup(server.close)
        export = AzureExport()
        export.folder, export.put, export.url, export.login_url = self.folder, store.put, store.url, login.address
        export.auth, export.container, export.environment = "application", "exports", {"AZURE_SECRET": azure.SECRET}
        make = lambda name: export.source(name=name)  # noqa: E731
        make.provider = "Microsoft"
        ages = itertools.count(36_000, -3600)
        self.assertExport(make, lambda files: export.write("2026-10", *files, age=next(ages)), store.put)


if __name__ == "__main__":
    if not parquetbills.with_arrow():
        print("skipped: pyarrow and duckdb are not installed (./dev deps test)")
        sys.exit(SKIPPED)
    if CLI and not os.path.exists(MODULE):
        print("skipped: this build has no module for Parquet")
        sys.exit(SKIPPED)
    unittest.main()
