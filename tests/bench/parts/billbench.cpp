// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/parts/billbench.h"

#include "app/base/memory.h"
#include "app/ingest/billsync.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/ledger/ledger.h"
#include "app/store/ledgerstore.h"
#include "connectors/focus/focussource.h"
#include "connectors/format/csvreader.h"
#include "connectors/format/focus/billfilebytes.h"
#include "connectors/format/parquet/parquetreader.h"
#include "tests/bench/data/benchbill.h"
#include "tests/bench/process.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace gpuledger::bench {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kHours = 744;
[[noreturn]] void give(const char *what, const std::string &why)
{
    std::fprintf(stderr, "bench: %s: %s\n", what, why.c_str());
    std::exit(1);
}

class CountingSink final : public ports::BillSink {
public:
    std::uint64_t lines = 0;
    base::Result<bool> knows(const std::vector<std::string> &) override { return false; }
    base::Result<void> begin(const std::vector<ports::BillFile> &) override { return {}; }
    base::Result<void> accept(ports::BillBatch batch) override
    {
        lines += batch.lines.size();
        return {};
    }
    base::Result<void> commit(const ports::ImportReport &) override { return {}; }
    void discard() override { }
    void progress(const ports::BillProgress &) override { }
};

double readMs(const fs::path &file)
{
    const base::SystemClock clock;
    CountingSink sink;
    const double ms = cpuMillisecondsOf([&] {
        focus::FocusSource source("bench", file, clock);
        const auto done = source.import({{file}}, sink, {});
        if (!done)
            give("reading a bill", done.error().text);
    });
    return ms;
}

struct Imported {
    double ms = 0, peakMb = 0, mb = 0;
};

std::unique_ptr<ledger::Ledger> makeLedger()
{
    model::Settings settings;
    model::OwnerRule byTag;
    byTag.kind = model::OwnerRule::Kind::CloudTag;
    byTag.key = "team";
    settings.owners.push_back(byTag);
    auto ledger = ledger::Ledger::create(settings);
    if (!ledger)
        give("ledger", ledger.error().text);
    return std::move(*ledger);
}

Imported import(const fs::path &file, store::LedgerStore &store, ledger::Ledger &ledger)
{
    const base::SystemClock clock;
    Imported result;
    base::trimMemory();
    resetPeak();
    const double before = residentMb();
    result.ms = cpuMillisecondsOf([&] {
        focus::FocusSource source("bench", file, clock);
        ledger::LedgerWriter writer(store, ledger.rollup());
        ingest::BillQueue queue(writer, 1, 1);
        const auto done = ingest::syncBills(source, queue, clock, {}, {});
        if (done.error)
            give("importing a bill", done.error->text);
    });
    result.peakMb = peakResidentMb() - before;
    return result;
}

Imported importAnew(const fs::path &root, const fs::path &file)
{
    const fs::path folder = root / "bill-cache";
    fs::remove_all(folder);
    fs::create_directories(folder);
    const auto ledger = makeLedger();
    auto store = store::LedgerStore::open(folder);
    if (!store)
        give("open", store.error().text);
    Imported result = import(file, **store, *ledger);
    result.mb = static_cast<double>(fs::file_size(folder / "ledger.db")) / 1e6;
    return result;
}

struct Reference {
    double ms = 0;
    std::string text;
};

// With pyarrow and DuckDB, which ./dev installs beside the builds; without them the system's.
std::string python()
{
    const fs::path ours = fs::path(ownProgram()).parent_path() / "../../python-test/bin/python";
    return fs::exists(ours) ? ours.string() : "python3";
}

Reference referenceFor(const fs::path &file)
{
    static constexpr const char *kScript =
        "import sys,time,duckdb\n"
        "c=duckdb.connect();c.execute('SET threads=1');c.execute('SET enable_progress_bar=false')\n"
        "t=time.process_time()\n"
        "c.execute(\"create table t as select * from read_csv(?)\",[sys.argv[1]]).fetchall()\n"
        "n=c.execute('select count(*) from t').fetchone()[0]\n"
        "print((time.process_time()-t)*1000 if n>900000 else 0)\n";
    const Finished duck = runProgram({python(), "-c", kScript, file.string()});
    if (duck.status == 0)
        return {std::atof(duck.output.c_str()),
                "DuckDB read_csv into a table, one thread, the same file; CPU time of both"};
    Reference reference{
        0, "stand-in for DuckDB, which Python lacks: our CSV reader alone, the same file; CPU time of both"};
    reference.ms = cpuMillisecondsOf([&] {
        auto bytes = focus::BillFileBytes::open(file, focus::BillFileBytes::Hash::CheckSum);
        if (!bytes)
            give("opening a bill", bytes.error().text);
        format::CsvReader csv(**bytes);
        format::TextRow row;
        while (csv.next(row).value_or(false)) { }
    });
    return reference;
}

// The same bill with the types that a cloud writes. False without pyarrow.
bool writeParquet(const fs::path &csv, const fs::path &parquet)
{
    static constexpr const char *kScript = "import sys,pyarrow.csv as c,pyarrow.parquet as p\n"
                                           "o=c.ConvertOptions(strings_can_be_null=True)\n"
                                           "p.write_table(c.read_csv(sys.argv[1],convert_options=o),sys.argv[2])\n";
    return runProgram({python(), "-c", kScript, csv.string(), parquet.string()}).status == 0;
}

// CPU time of DuckDB in milliseconds; 0 without it.
double duckParquetMs(const fs::path &file)
{
    static constexpr const char *kScript =
        "import sys,time,duckdb\n"
        "c=duckdb.connect();c.execute('SET threads=1');c.execute('SET enable_progress_bar=false')\n"
        "t=time.process_time()\n"
        "c.execute(\"create table t as select * from read_parquet(?)\",[sys.argv[1]]).fetchall()\n"
        "print((time.process_time()-t)*1000)\n";
    return std::atof(runProgram({python(), "-c", kScript, file.string()}).output.c_str());
}

std::vector<Figure> parquetFigures(const fs::path &root, const fs::path &csv)
{
    const fs::path file = root / "whole.parquet";
    if (!format::parquetAvailable() || !writeParquet(csv, file)) {
        std::fputs("bench: Parquet is left out: ./dev deps test installs pyarrow, which it is read with\n", stderr);
        return {};
    }
    constexpr int kRuns = 3;
    std::vector<double> references, readings, imports;
    Imported all;
    for (int run = 0; run < kRuns; ++run) {
        references.push_back(duckParquetMs(file));
        readings.push_back(readMs(file));
        all = importAnew(root, file);
        imports.push_back(all.ms);
    }
    static constexpr const char *kReference =
        "DuckDB read_parquet into a table, one thread, the same file; CPU time of both";
    const std::string mb =
        std::to_string(std::llround(static_cast<double>(fs::file_size(file)) / 1e6)) + " MB of Parquet";
    fs::remove(file);
    return {{"P9 read 1,000,680 lines of FOCUS in Parquet", median(readings), "ms", kReference, median(references), 3.0,
             mb},
            {"P9 import them, with the ledger", median(imports), "ms", kReference, median(references), 3.0, mb},
            {"P9 memory of it", all.peakMb, "MB", "128 MB", 128, 1.0, "peak RSS over idle, with Arrow's libraries"}};
}

std::vector<Figure> importFigures(const fs::path &root)
{
    const base::UtcTime month = base::parseTime("2025-03-01").value(), end = base::parseTime("2025-04-01").value();
    const fs::path small = root / "quarter.csv", whole = root / "whole.csv";
    writeBill(small, {month, end, 1345, kHours / 4, 4 * 3600}); // the same days and resources, fewer lines
    writeBill(whole, {month, end, 1345, kHours});
    // Medians of runs that alternate, so that a noisy machine affects all of them equally.
    constexpr int kRuns = 3;
    Reference reference;
    std::vector<double> references, readings, imports;
    const Imported few = importAnew(root, small);
    Imported all;
    for (int run = 0; run < kRuns; ++run) {
        reference = referenceFor(whole);
        references.push_back(reference.ms);
        readings.push_back(readMs(whole));
        all = importAnew(root, whole);
        imports.push_back(all.ms);
    }
    reference.ms = median(references);
    const double reading = median(readings);
    all.ms = median(imports);
    const std::string mb = std::to_string(std::llround(static_cast<double>(fs::file_size(whole)) / 1e6)) + " MB of CSV";
    const std::vector<Figure> parquet = parquetFigures(root, whole);
    fs::remove(small);
    fs::remove(whole);
    std::vector<Figure> out{
        {"P9 read 1,000,680 lines of FOCUS", reading, "ms", reference.text, reference.ms, 1.0, mb},
        {"P9 import them, with the ledger", all.ms, "ms", reference.text, reference.ms, 3.0,
         "lines, days and ledger in one transaction; cache of " + std::to_string(std::llround(all.mb)) + " MB"},
        {"P9 memory of it", all.peakMb, "MB", "64 MB", 64, 1.0,
         "peak RSS over idle; of 250,170 lines " + std::to_string(std::llround(few.peakMb))
             + " MB: SQLite's cache of pages fills up"}};
    out.insert(out.end(), parquet.begin(), parquet.end());
    return out;
}

Figure yearFigure(const fs::path &root)
{
    const fs::path folder = root / "year", file = root / "month.csv";
    fs::create_directories(folder);
    const auto ledger = makeLedger();
    auto store = store::LedgerStore::open(folder);
    if (!store)
        give("open", store.error().text);
    for (int month = 1; month <= 12; ++month) {
        const auto at = [](int m) {
            const std::chrono::year_month start = std::chrono::year(2024) / 1 + std::chrono::months(m - 1);
            return base::UtcTime(std::chrono::sys_days(start / 1));
        };
        writeBill(file, {at(month), at(month + 1), 1600, (at(month + 1) - at(month)) / base::kDay, 86400});
        import(file, **store, *ledger);
    }
    insight::LedgerQuery query;
    query.range = {base::parseTime("2024-01-01").value(), base::parseTime("2025-01-01").value()};
    query.by = {insight::LedgerDimension::Month, insight::LedgerDimension::Team, insight::LedgerDimension::Category};
    std::uint64_t lines = 0;
    const double ms = medianMilliseconds(5, [&] {
        lines = 0;
        insight::LedgerSums sums(query, base::Currency::usd(), {});
        const auto cube = (*store)->cube();
        const auto done =
            (*cube)->ledger(sums.first(), sums.last(), [&](base::Day day, const auto &key, const auto &amounts) {
                ++lines;
                return sums.add(day, key, amounts);
            });
        if (!done || !sums.take())
            give("ledger", "the question failed");
    });
    return {"Ledger by month, team and category, 12 months", ms, "ms", "1 s", 1000, 1.0,
            std::to_string(lines) + " lines of the ledger"};
}

} // namespace

std::vector<Figure> billFigures(const fs::path &root)
{
    std::vector<Figure> figures = importFigures(root);
    figures.push_back(yearFigure(root));
    return figures;
}

} // namespace gpuledger::bench
