#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bills as Parquet that are cut off, damaged, encrypted, hostile or large, and a program that has no module for them: no crash, no hang, and no
other total than the file's without a word. GPULEDGER_FAULTS_SEED repeats a run. Without pyarrow, or in a build without the module, it is skipped
(77)."""
import decimal
import gzip
import json
import os
import random
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "faults"), os.path.join(HERE, "..", "support")]

import hostileparquet  # noqa: E402
import parquetbills  # noqa: E402
from parquetbills import TIME, month, pa, table, types  # noqa: E402
from product import ALL_POINTS, CLI, SEED, Program, configuration  # noqa: E402
from run_parquet import AT_ONCE, FAILED, MODULE, NOW, SKIPPED, SPAN, ParquetTest, lines, total  # noqa: E402

Decimal = decimal.Decimal
# The memory of a program, told behind everything else that it says.
MEASURED = ("import resource, subprocess, sys; status = subprocess.call(sys.argv[1:]); "
            "sys.stderr.write(f'\\npeak {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}'); sys.exit(status)")
LARGE_ROWS, SOME_ROWS, MOST_MEGABYTES = 2_000_000, 100_000, 200
REQUIRED = ("BilledCost", "BillingAccountId", "BillingCurrency", "BillingPeriodEnd", "BillingPeriodStart", "ChargeCategory", "ChargePeriodEnd", "ChargePeriodStart", "EffectiveCost",
            "ProviderName", "ServiceName")


def sanitized():
    with open(CLI, "rb") as file:
        return b"__asan_init" in file.read()


class FaultTest(ParquetTest):
    def outcome(self, program, **options):
        """Of one source: its report, what was told, and the peak of the memory in MB."""
        done = program.run("sync", "--json", now=NOW, timeout=300, wrapper=(sys.executable, "-c", MEASURED), **options)
        self.assertIn(done.returncode, (0, 1, FAILED), done.text)
        text, _, peak = done.text.rpartition("\npeak ")
        source, = json.loads(done.stdout)["sources"]
        return source, text, int(peak) / 1024

    def billed(self, source):
        """What was taken of the bill, or None if the user was told that something is wrong with it."""
        self.assertEqual(len(source["deliveries"]), 1, source)
        delivery = source["deliveries"][0]
        return total(delivery) if delivery["outcome"] == "imported" and not source["error"] and not source["rejected"] else None


class CutOff(FaultTest):
    def test_it_waits_as_a_packed_text_does(self):
        rows = month(SEED, 150, "AWS")
        whole, rng = parquetbills.parquet(table(rows, types("AWS")), row_group_size=40), random.Random(SEED)
        places = sorted({8, 11, 12, len(whole) - 1, len(whole) - 4, len(whole) - 8, *(rng.randrange(4, len(whole)) for _ in range(20))})
        packed = gzip.compress(parquetbills.csv(rows))
        wanted, = self.sync(self.bills("packed", bill_csv_gz=packed[:len(packed) * 2 // 3]))[0].values()
        for first in range(0, len(places), AT_ONCE):
            part = places[first:first + AT_ONCE]
            program = self.bills(f"home{first}", **{f"at{place}_parquet": whole[:place] for place in part})
            sources, text = self.sync(program)
            for name, source in sources.items():
                with self.subTest(name):
                    told = lambda one: [(delivery["outcome"], delivery["accepted"]) for delivery in one["deliveries"]]  # noqa: E731
                    self.assertEqual((source["error"], source["accepted"], told(source)), (None, 0, told(wanted)))
                    self.assertIn("cut off", source["deliveries"][0]["unfinished"])
                    self.assertIn(f"{name}: {name}.parquet: left alone until it is whole", text)
            self.assertRegex(program.run("sync", now=NOW).stdout.decode(), f"(?m)^at{part[0]} .* waiting$")
            # The rest comes.
            for place in part:
                path = os.path.join(program.folder, f"at{place}.parquet")
                with open(path, "wb") as file:
                    file.write(whole)
                os.utime(path, (2, 2))
            sources, _ = self.sync(program)
            for source in sources.values():
                self.assertEqual(source["error"], None)
            program.verify(now=NOW)
            self.assertEqual(sum(len(lines(program, f"at{place}")) for place in part), len(rows))  # the others are copies


class Damaged(FaultTest):
    """Changed bytes, in files whose pages have checksums: without them, no program could tell that a value is another one."""

    def test_bytes_that_were_changed(self):
        rng, kinds = random.Random(SEED), {}
        for provider in ("AWS", "Google"):
            rows = month(SEED, 100, provider)
            good = parquetbills.csv(rows)
            sources, _ = self.sync(self.bills(f"good{provider}", good_csv=good))
            kinds[provider] = rows, total(sources["good"]["deliveries"][0])
        count, told = 500 if ALL_POINTS else 50, {}
        for at in range(count):
            provider = rng.choice(("AWS", "Google"))
            rows, truth = kinds[provider]
            content = bytearray(parquetbills.parquet(table(rows, types(provider)), write_page_checksum=True, compression=rng.choice(("none", "snappy", "gzip", "zstd")),
                                                     use_dictionary=rng.random() < 0.5, row_group_size=rng.choice((30, 1000)), data_page_version=rng.choice(("1.0", "2.0"))))
            footer = int.from_bytes(content[-8:-4], "little") + 8
            for _ in range(rng.choice((1, 1, 5, 30))):
                # One time in three in what describes the file.
                place = rng.randrange(4, len(content)) if rng.random() < 0.67 else rng.randrange(len(content) - footer, len(content))
                content[place] = rng.randrange(256)
            program = self.bills(f"home{at}", bill_parquet=bytes(content))
            try:
                source, text, peak = self.outcome(program)
                self.assertIn(self.billed(source), (None, truth), text)
                self.assertLess(peak, 2048)
                error = source["error"]["code"] if source["error"] else source["deliveries"][0]["outcome"]
                self.assertIn(error, ("parse", "unsupported", "too-much", "imported", "unfinished", "overflow"), text)
                told[error] = told.get(error, 0) + 1
                program.verify(now=NOW)
            except BaseException:
                kept = os.path.join(os.environ.get("GPULEDGER_KEEP", self.folder), f"damaged-{SEED}-{at}.parquet")
                with open(kept, "wb") as file:
                    file.write(content)
                print(f"{provider}, file {at}: {kept}", flush=True)
                raise
        print(f"{count} damaged files: {told}", flush=True)
        self.assertGreater(told.get("parse", 0), count // 2)  # not all of them because the module can't be loaded

    def test_without_checksums_nothing_crashes(self):
        rng, rows = random.Random(SEED), month(SEED, 60, "Google")
        for first in range(0, 24, AT_ONCE):
            contents = {}
            for at in range(AT_ONCE):
                content = bytearray(parquetbills.parquet(table(rows, types("Google")), compression="none", data_page_version=rng.choice(("1.0", "2.0"))))
                for _ in range(rng.choice((1, 3, 200))):
                    content[rng.randrange(4, len(content) - 4)] = rng.randrange(256)
                contents[f"bill{at}_parquet"] = bytes(content)
            program = self.bills(f"home{first}", **contents)
            done = program.run("sync", "--json", now=NOW, timeout=300)
            self.assertIn(done.returncode, (0, 1, 3, FAILED), done.text)
            program.verify(now=NOW)

    def test_a_damaged_page_in_the_middle_is_named(self):
        content = bytearray(parquetbills.parquet(table(month(SEED, 300, "AWS"), types("AWS")), compression="gzip", row_group_size=50))
        found = parquetbills.pq.ParquetFile(pa.BufferReader(bytes(content))).metadata.row_group(3).column(0)
        begin = found.dictionary_page_offset or found.data_page_offset
        content[begin + 40:begin + found.total_compressed_size - 8] = bytes(found.total_compressed_size - 48)
        source, text, _ = self.outcome(self.bills(bill_parquet=bytes(content)))
        self.assertEqual(source["error"]["code"], "parse", text)
        self.assertIn("bill.parquet", source["error"]["source"] or text)
        self.assertIn("damaged", text)


class Hostile(FaultTest):
    """Files that say what is not so, and such as nobody has."""

    def assertFails(self, content, *codes, most=None, home="home", words=()):
        source, text, peak = self.outcome(self.bills(home, bill_parquet=content))
        self.assertIn(source["error"]["code"] if source["error"] else None, codes, text)
        for word in words:
            self.assertIn(word, text)
        self.assertEqual(source["accepted"], 0)
        if most:
            self.assertLess(peak, most, text)

    def test_what_a_file_says_of_itself(self):
        rows = month(SEED, 20, "AWS")
        columns = {name: [parquetbills.plain(row[name]) for row in rows] for name in REQUIRED}
        source, text, base = self.outcome(self.bills("true", bill_parquet=hostileparquet.file(columns)))
        self.assertEqual(self.billed(source), {currency: sum(row["BilledCost"] for row in rows if row["BillingCurrency"] == currency) for currency in
                                               {row["BillingCurrency"] for row in rows}}, text)
        truth, slack = self.billed(source), 200 if sanitized() else 100
        packed = hostileparquet.file(columns, codec="gzip")
        self.assertEqual(self.billed(self.outcome(self.bills("packed", bill_parquet=packed))[0]), truth)
        large, larger = (1 << 31) - 1, 1 << 60
        lies = {
            "page-unpacked": {"codec": "gzip", "unpacked": large}, "page-unpacked-some": {"codec": "gzip", "unpacked": 900 << 20}, "page-unpacked-negative": {"codec": "gzip", "unpacked": -1},
            "page-packed": {"packed": large}, "page-packed-some": {"packed": 900 << 20}, "page-packed-negative": {"packed": -5}, "page-both": {"packed": large, "unpacked": large}, "page-values": {"values": large},
            "page-values-negative": {"values": -1}, "chunk-values": {"chunk_values": larger}, "chunk-values-negative": {"chunk_values": -1}, "all-values": {"values": large, "chunk_values": larger},
            "rows": {"rows": larger}, "rows-negative": {"rows": -1}, "rows-few": {"rows": 7}, "groups": {"groups": 1 << 40}, "chunks": {"columns_said": 1 << 30}, "no-chunks": {"columns_said": 3},
            "chunk-size": {"chunk_size": larger}, "chunk-size-negative": {"chunk_size": -1}, "offset": {"offset": larger}, "offset-negative": {"offset": -1}, "offset-zero": {"offset": 0},
            "footer": {"footer_size": (1 << 32) - 1}, "footer-none": {"footer_size": 0}, "footer-short": {"footer_size": 20}, "children": {"children": large}, "children-none": {"children": 0},
            "text-length": {"body": b"\xff\xff\xff\x7f" + b"1" * 100}, "text-negative": {"body": b"\xff\xff\xff\xff" + b"1" * 100}, "bomb": {"codec": "gzip", "body": bytes(300 << 20)},
        }
        for name, how in lies.items():
            with self.subTest(name):
                begin = time.monotonic()
                source, text, peak = self.outcome(self.bills(name, bill_parquet=hostileparquet.file(columns, **how)))
                self.assertIn(self.billed(source), (None, truth), text)
                self.assertIn(source["error"]["code"] if source["error"] else None, (None, "parse", "unsupported", "too-much"), text)
                # Arrow fills what it has got for a page before it misses the rest; the module's limit of 1 GiB holds.
                self.assertLess(peak - base, 700 if name in ("bomb", "page-packed-some") else slack, text)
                self.assertLess(time.monotonic() - begin, 60)

    def test_encrypted(self):
        import pyarrow.parquet.encryption as crypto  # not in every build of pyarrow

        class Keys(crypto.KmsClient):
            def wrap_key(self, key, _):
                return key.hex()

            def unwrap_key(self, key, _):
                return bytes.fromhex(key)

        content = table(month(SEED, 20, "AWS"), types("AWS"))
        factory = crypto.CryptoFactory(lambda _: Keys())
        for at, plain in enumerate((False, True)):
            config = crypto.EncryptionConfiguration(footer_key="footer", column_keys={"money": ["BilledCost"]}, plaintext_footer=plain)
            sealed = factory.file_encryption_properties(crypto.KmsConnectionConfig(), config)
            with self.subTest(plain=plain):
                self.assertFails(parquetbills.parquet(content, encryption_properties=sealed), "unsupported", home=f"home{at}", words=("encrypted",))

    def test_the_name_says_nothing(self):
        rows = month(SEED, 50, "AWS")
        text = parquetbills.csv(rows)
        packed = lambda size: parquetbills.parquet(table(rows, types("AWS")), row_group_size=size)  # noqa: E731
        program = self.bills(a_csv=packed(50), b_parquet=text, c_csv_gz=packed(20), d_parquet=gzip.compress(text), e_CSV=text + b"\n")
        sources, _ = self.sync(program)
        totals = [total(self.imported(source, len(rows))) for source in sources.values()]
        self.assertEqual(totals, totals[:1] * 5)
        # In a folder, the endings decide which files are bills.
        folder = os.path.join(self.folder, "folder")
        os.makedirs(os.path.join(folder, "2026"))
        for name, account in (("a.parquet", "a"), ("2026/b.PARQUET", "b"), ("c.parquet.tmp", "c"), ("d.txt", "d"), ("e.csv", "e")):
            path = os.path.join(folder, name)
            with open(path, "wb") as file:
                file.write(parquetbills.parquet(table([{**row, "BillingAccountId": account} for row in rows], types("AWS"))))
            os.utime(path, (1, 1))
        program = Program(folder, configuration(f"  - {{ name: bill, kind: focus, path: {folder} }}\n"))
        source, _, _ = self.outcome(program)
        self.assertEqual((source["accepted"], len(source["deliveries"])), (3 * len(rows), 3))

    def test_columns(self):
        rows = month(SEED, 20, "AWS")
        content = table(rows, types("AWS"))
        for name in ("BilledCost", "ChargePeriodStart", "ServiceName"):
            with self.subTest(missing=name):
                self.assertFails(parquetbills.parquet(content.drop_columns([name])), "unsupported", home="without" + name, words=("mandatory columns are missing", name))
        twice = content.append_column("BilledCost", content.column("BilledCost"))
        text = parquetbills.csv(rows).split(b"\n")
        wanted, _, _ = self.outcome(self.bills("csvtwice", bill_csv=b"\n".join([text[0] + b",BilledCost", *(line + b",1" for line in text[1:-1]), b""])))
        self.assertFails(parquetbills.parquet(twice), wanted["error"]["code"], home="twice", words=("BilledCost",))
        extra = pa.array(["x"] * len(rows))
        many = pa.table([*content.columns, *[extra] * 5000], names=[*content.column_names, *(f"x_{at}" for at in range(5000))])
        self.assertFails(parquetbills.parquet(many), "too-much", home="many", words=("too many columns",))
        some = pa.table([*content.columns, *[extra] * 3000], names=[*content.column_names, *(f"x_{at}" for at in range(3000))])
        self.imported(self.outcome(self.bills("some", bill_parquet=parquetbills.parquet(some)))[0], len(rows))
        same = content.append_column("x_a", extra).append_column("x_a", extra).append_column("", extra).append_column("x\nb, \"ö\"", extra)
        self.imported(self.outcome(self.bills("same", bill_parquet=parquetbills.parquet(same)))[0], len(rows))

    def test_values_that_nobody_has(self):
        """As with CSV, a row is rejected that is too long; its money is told."""
        rows = month(SEED, 30, "AWS")
        rows[7] = {**rows[7], "ChargeDescription": "ö" * (5 << 20)}
        rows[9] = {**rows[9], "ResourceName": "x" * (3 << 20)}
        program = self.bills(a_csv=parquetbills.csv(rows), b_parquet=parquetbills.parquet(table(rows, types("AWS"))))
        sources, _ = self.sync(program)
        for source in sources.values():
            self.assertEqual((source["error"], source["accepted"], source["rejected"]), (None, len(rows) - 1, 1))
        self.assertEqual(*(total(source["deliveries"][0]) for source in sources.values()))
        self.assertEqual(lines(program, "a"), lines(program, "b"))

    def test_what_is_nested_deeply(self):
        rows = month(SEED, 10, "AWS")
        content, truth = table(rows, types("AWS")), None
        for depth in (2, 20, 50, 300):
            kind, value = pa.string(), "x"
            for at in range(depth):
                kind, value = (pa.list_(kind), [value]) if at % 2 else (pa.struct([("a", kind)]), {"a": value})
            with self.subTest(depth=depth):
                source, text, _ = self.outcome(self.bills(f"home{depth}", bill_parquet=parquetbills.parquet(content.append_column("x_deep", pa.array([value] * 10, kind)))))
                if source["error"]:
                    self.assertGreater(depth, 20)
                    self.assertIn(source["error"]["code"], ("unsupported", "too-much", "parse"), text)
                else:
                    truth = truth or self.billed(source)
                    self.assertIsNotNone(truth)
                    self.assertEqual(self.billed(source), truth)

    def test_times_beyond_the_calendar(self):
        rows = month(SEED, 4, "AWS")
        content = table(rows, types("AWS"))
        for at, value in enumerate((-(1 << 63), (1 << 63) - 1, -62167219200001, 253402300800000)):
            with self.subTest(value=value):
                wrong = pa.array([value] * 4, pa.int64()).cast(pa.timestamp("ms"))
                place = content.column_names.index("ChargePeriodStart")
                source, text, _ = self.outcome(self.bills(f"home{at}", bill_parquet=parquetbills.parquet(content.set_column(place, "ChargePeriodStart", wrong))))
                self.assertEqual((source["accepted"], source["rejected"]), (0, 4), text)


class Memory(FaultTest):
    def test_it_stays_flat(self):
        """Files of 100,000 and 2,000,000 rows; with sanitizers, which are slow and take memory of their own, of 10,000 and 100,000."""
        slow = sanitized()
        counts = (SOME_ROWS // 10, LARGE_ROWS // 20) if slow else (SOME_ROWS, LARGE_ROWS)
        import pyarrow.compute as compute
        part = table(month(SEED, 5000, "AWS"), types("AWS"))
        peaks = []
        for count in counts:
            path = os.path.join(self.folder, f"{count}.parquet")
            content = pa.concat_tables([part] * (count // part.num_rows))
            for name in ("BilledCost", "EffectiveCost", "ListCost", "ConsumedQuantity", "ResourceId", "ChargeDescription", "x_Operation", "InvoiceId"):  # no two rows alike
                content = content.set_column(content.column_names.index(name), name, compute.random(count).cast(part.schema.field(name).type))
            parquetbills.pq.write_table(content, path, store_schema=False)  # all of it in two groups of rows
            del content
            os.utime(path, (1, 1))
            program = Program(self.folder, configuration(f"  - {{ name: bill, kind: focus, path: {path} }}\n"), data=f"data{count}")
            begin = time.monotonic()
            # Reads all of the bill and keeps nothing of it.
            done = program.healthy("sources", "test", "bill", now=NOW, timeout=3000, wrapper=(sys.executable, "-c", MEASURED), ASAN_OPTIONS="detect_leaks=0:quarantine_size_mb=8")
            seconds = time.monotonic() - begin
            self.assertIn(f"{count} rows, all of them readable", done.stdout.decode() + done.text)
            peaks.append(int(done.text.rpartition("peak ")[2]) / 1024)
            print(f"{count} rows, {os.path.getsize(path) / 1e6:.1f} MB: {seconds:.1f} s, peak {peaks[-1]:.0f} MB" + (" with sanitizers" if slow else ""), flush=True)
        self.assertLess(peaks[1] - peaks[0], 40)
        if not slow:
            self.assertLess(peaks[1], MOST_MEGABYTES)


class WithoutTheModule(FaultTest):
    def test_the_file_is_named_and_what_to_do(self):
        rows = month(SEED, 20, "AWS")
        packed, text = parquetbills.parquet(table(rows, types("AWS"))), parquetbills.csv(rows)
        program = self.bills(a_parquet=packed, b_csv=text)
        missing = {"GPULEDGER_PARQUET_MODULE": os.path.join(self.folder, "none.so")}
        sources, told = self.sync(program, FAILED, **missing)
        self.assertEqual(sources["a"]["error"]["code"], "unsupported")
        for words in ("a.parquet", "Parquet", "this build", "CSV"):
            self.assertIn(words, told)
        self.imported(sources["b"], len(rows))
        test = program.run("sources", "test", "a", now=NOW, **missing)
        self.assertNotEqual(test.returncode, 0)
        self.assertIn("this build", test.text + test.stdout.decode())
        # What is no module is not one.
        for content in (b"", b"no library", b"\x7fELF" + bytes(100)):
            with open(missing["GPULEDGER_PARQUET_MODULE"], "wb") as file:
                file.write(content)
            sources, told = self.sync(program, FAILED, **missing)
            self.assertEqual(sources["a"]["error"]["code"], "unsupported")
            self.assertIn("Parquet", told)
        sources, _ = self.sync(program)
        self.imported(sources["a"], len(rows))
        program.verify(now=NOW)


if __name__ == "__main__":
    if not parquetbills.with_arrow():
        print("skipped: pyarrow and duckdb are not installed (./dev deps test)")
        sys.exit(SKIPPED)
    if CLI and not os.path.exists(MODULE):
        print("skipped: this build has no module for Parquet")
        sys.exit(SKIPPED)
    unittest.main()
