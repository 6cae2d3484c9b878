// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/parts/storebench.h"
#include "app/ledger/commit/ledgerwriter.h"

#include "app/ledger/ledger.h"
#include "app/store/ledgerstore.h"
#include "app/store/sqlite/pagevfs.h"
#include "tests/bench/data/benchfleet.h"
#include "tests/bench/data/rawcopy.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace gpuledger::bench {

namespace fs = std::filesystem;

namespace {

constexpr base::Day kFirstDay{20000};

template <typename T> T need(base::Result<T> result, const char *what)
{
    if (!result) {
        std::fprintf(stderr, "bench: %s: %s\n", what, result.error().text.c_str());
        std::exit(1);
    }
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

// A cache with `gpus` GPUs and `days` days, with its ledger.
struct Cache {
    fs::path folder;
    std::unique_ptr<ledger::Ledger> ledger;
    std::unique_ptr<store::LedgerStore> store;
    double commitMs = 0, commitCpuMs = 0;
    int gpus = 0, days = 0;
};

class NoRollup final : public ledger::RollupBuilder {
public:
    base::Result<void> rebuild(std::span<const base::Day>, store::FactReader &, store::CubeWriter &) override
    {
        return {};
    }
    std::string fingerprint() const override { return "none"; }
};

enum class With { Ledger, FactsOnly };

Cache fill(const fs::path &root, int gpus, int days, With with = With::Ledger)
{
    Cache c;
    NoRollup none;
    c.gpus = gpus;
    c.days = days;
    c.folder = root / (std::to_string(gpus) + "x" + std::to_string(days));
    fs::remove_all(c.folder);
    fs::create_directories(c.folder);
    model::Settings settings;
    c.ledger = need(ledger::Ledger::create(settings), "ledger");
    c.store = need(store::LedgerStore::open(c.folder), "open");
    ledger::RollupBuilder &rollup = with == With::Ledger ? c.ledger->rollup() : none;
    for (int d = 0; d < days; ++d) {
        const ports::FactBatch batch = fleetDay(gpus, base::Day{kFirstDay.number + d});
        c.commitCpuMs += cpuMillisecondsOf([&] {
            c.commitMs +=
                millisecondsOf([&] { need(ledger::LedgerWriter(*c.store, rollup).commit("bench", batch), "commit"); });
        });
    }
    store::SyncState ended;
    ended.source = "bench";
    c.commitCpuMs += cpuMillisecondsOf(
        [&] { c.commitMs += millisecondsOf([&] { need(c.store->saveSyncState(ended), "the sync's end"); }); });
    return c;
}

enum class Pages { Plain, Summed }; // without and with checksums

// SQLite writing blobs of the same size, one per device and day, one transaction per day, into pages of the cache's
// size, and emptying the log.
double writeBlobsMs(const fs::path &root, int gpus, int days, std::int64_t bytesPerBlob, Pages pages)
{
    const std::string file = (root / "reference.db").string();
    for (const char *suffix : {"", "-wal", "-shm"})
        fs::remove(file + suffix);
    sqlite3 *db = nullptr;
    const char *vfs = pages == Pages::Summed ? store::pageVfs() : nullptr;
    sqlite3_open_v2(file.c_str(), &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, vfs);
    sqlite3_exec(db, "pragma page_size=8192", nullptr, nullptr, nullptr);
    int reserved = pages == Pages::Summed ? store::kPageSumBytes : 0; // after the page size, which would reset it
    sqlite3_file_control(db, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
    sqlite3_exec(db,
                 "pragma journal_mode=wal; pragma synchronous=normal; create table t(k integer primary key, b blob)",
                 nullptr, nullptr, nullptr);
    if (pages == Pages::Summed && !store::hasChecksums(db)) {
        std::fprintf(stderr, "bench: the pages have no checksums\n");
        std::exit(1);
    }
    std::string blob(static_cast<std::size_t>(bytesPerBlob), 'x');
    for (std::size_t i = 0; i < blob.size(); ++i)
        blob[i] = static_cast<char>(i * 131);
    sqlite3_stmt *insert = nullptr;
    sqlite3_prepare_v2(db, "insert into t values(?,?)", -1, &insert, nullptr);
    double ms = 0;
    for (int d = 0; d < days; ++d) {
        ms += millisecondsOf([&] {
            sqlite3_exec(db, "begin immediate", nullptr, nullptr, nullptr);
            for (int g = 0; g < gpus; ++g) {
                sqlite3_bind_int64(insert, 1, std::int64_t{d} << 32 | g);
                sqlite3_bind_blob(insert, 2, blob.data(), static_cast<int>(blob.size()), SQLITE_STATIC);
                sqlite3_step(insert);
                sqlite3_reset(insert);
            }
            sqlite3_exec(db, "commit", nullptr, nullptr, nullptr);
        });
    }
    sqlite3_finalize(insert);
    ms += millisecondsOf([&] { sqlite3_exec(db, "pragma wal_checkpoint(truncate)", nullptr, nullptr, nullptr); });
    sqlite3_close(db);
    return ms;
}

// The time of a scan that reads each page of the last write, from the system's page cache.
double scanMs(const fs::path &root, Pages pages)
{
    sqlite3 *db = nullptr;
    const char *vfs = pages == Pages::Summed ? store::pageVfs() : nullptr;
    sqlite3_open_v2((root / "reference.db").c_str(), &db, SQLITE_OPEN_READONLY, vfs);
    const double ms = millisecondsOf([&] {
        if (sqlite3_exec(db, "select sum(length(b)), max(substr(b, -1)) from t", nullptr, nullptr, nullptr)) {
            std::fprintf(stderr, "bench: %s\n", sqlite3_errmsg(db));
            std::exit(1);
        }
    });
    sqlite3_close(db);
    return ms;
}

std::int64_t bytesOnDisk(const fs::path &folder)
{
    std::int64_t sum = 0;
    for (const auto &entry : fs::directory_iterator(folder)) {
        if (entry.is_regular_file())
            sum += static_cast<std::int64_t>(entry.file_size());
    }
    return sum;
}

std::string cpuText(double ms)
{
    return std::to_string(std::llround(ms)) + " ms";
}

// Writing the same rows by SQLite alone; the times of one run.
void writeAgain(const fs::path &root, const Cache &cache, std::vector<double> &ms, std::vector<double> &cpuMs)
{
    const RawCopy copy(cache.folder / "ledger.db");
    cpuMs.push_back(cpuMillisecondsOf([&] { ms.push_back(copy.writeMs(root / "reference.db", cache.days)); }));
}

// P3 and its two parts, each next to the raw write of what it stored; medians of runs that alternate, so that a noisy
// machine affects all of them equally.
void storeWeek(const fs::path &root, std::vector<Figure> &figures)
{
    constexpr int kRuns = 5;
    std::vector<double> whole, facts, wholeRaw, factsRaw, wholeCpu, factsCpu, wholeRawCpu, factsRawCpu;
    for (int run = 0; run < kRuns; ++run) {
        Cache plain = fill(root, 1000, 7, With::FactsOnly);
        facts.push_back(plain.commitMs);
        factsCpu.push_back(plain.commitCpuMs);
        plain.store.reset(); // the copy reads the file alone
        writeAgain(root, plain, factsRaw, factsRawCpu);
        Cache week = fill(root, 1000, 7);
        whole.push_back(week.commitMs);
        wholeCpu.push_back(week.commitCpuMs);
        week.store.reset();
        writeAgain(root, week, wholeRaw, wholeRawCpu);
    }
    const std::string reference = "SQLite alone writing the same rows, a transaction a day";
    const double rawLedger = std::max(0.0, median(wholeRaw) - median(factsRaw));
    figures.push_back({"P3 store 1,000 GPUs x 7 days", median(whole), "ms", reference, median(wholeRaw), 1.5,
                       "facts, attribution, pricing and roll-up; CPU time " + cpuText(median(wholeCpu))
                           + ", of the reference " + cpuText(median(wholeRawCpu))});
    figures.push_back(
        {"P3, of it the facts alone", median(facts), "ms", reference, median(factsRaw), 1.5,
         "no ledger; CPU time " + cpuText(median(factsCpu)) + ", of the reference " + cpuText(median(factsRawCpu))});
    figures.push_back({"P3, of it the ledger", median(whole) - median(facts), "ms", reference, rawLedger, 1.5,
                       "attribution, pricing and roll-up: the difference of the two; CPU time "
                           + cpuText(median(wholeCpu) - median(factsCpu))});
}

// What page checksums cost SQLite when it writes and when it reads; medians of runs that alternate.
void checksums(const fs::path &root, std::vector<Figure> &figures)
{
    constexpr int kRuns = 7, kDays = 30, kGpus = 1000, kBytes = 4000; // per blob: half a page
    std::vector<double> written[2], read[2];
    for (int run = 0; run < kRuns; ++run) {
        for (const Pages pages : {Pages::Plain, Pages::Summed}) {
            const auto which = static_cast<std::size_t>(pages);
            written[which].push_back(writeBlobsMs(root, kGpus, kDays, kBytes, pages));
            read[which].push_back(scanMs(root, pages));
        }
    }
    figures.push_back({"P3 checksums, writing 120 MB", median(written[1]), "ms", "SQLite without them",
                       median(written[0]), 1.15, "30 transactions and what empties the log"});
    figures.push_back({"P3 checksums, reading 120 MB", median(read[1]), "ms", "SQLite without them", median(read[0]),
                       1.5, "from the memory of the system, each page once"});
}

} // namespace

std::vector<Figure> storeFigures(const fs::path &root, bool full, const std::string &only)
{
    std::vector<Figure> figures;
    if (only.empty() || only == "P3")
        storeWeek(root, figures);
    if (only.empty() || only == "P3" || only == "checksums")
        checksums(root, figures);
    if (!only.empty() && only != "P11")
        return figures;
    const int gpus = full ? 10000 : 2000, days = full ? 90 : 30;
    const Cache big = fill(root, gpus, days);
    figures.push_back(
        {"P11 disk per device-day", static_cast<double>(bytesOnDisk(big.folder)) / (static_cast<double>(gpus) * days),
         "bytes", "412 bytes", 412, 1.2, "facts, roll-up, holders, indexes and -wal together, at the end of a sync"});
    return figures;
}

} // namespace gpuledger::bench
