// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/data/fleetcache.h"
#include "app/ledger/commit/ledgerwriter.h"

#include "tests/bench/data/benchfleet.h"
#include "tests/bench/figure.h"

#include <cstdio>
#include <cstdlib>

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

std::string thousands(int number)
{
    const std::string text = std::to_string(number);
    return number < 1000 ? text : std::to_string(number / 1000) + ',' + text.substr(text.size() - 3);
}

} // namespace

base::TimeRange FleetCache::range() const
{
    return {kFirstDay.start(), fleetEnd(days)};
}

base::UtcTime fleetEnd(int days)
{
    return base::Day{kFirstDay.number + days}.start();
}

std::string sizeText(int gpus, int days)
{
    return thousands(gpus) + " GPUs x " + std::to_string(days) + " days";
}

FleetCache makeFleetCache(const fs::path &root, int gpus, int days)
{
    FleetCache cache;
    cache.gpus = gpus;
    cache.days = days;
    cache.folder = root / ("fleet-" + std::to_string(gpus) + "x" + std::to_string(days));
    fs::remove_all(cache.folder);
    fs::create_directories(cache.folder);
    cache.ledger = need(ledger::Ledger::create(model::Settings{}), "ledger");
    cache.store = need(store::LedgerStore::open(cache.folder), "open");
    for (int d = 0; d < days; ++d) {
        const ports::FactBatch batch = fleetDay(gpus, base::Day{kFirstDay.number + d});
        cache.commitCpuMs += cpuMillisecondsOf([&] {
            cache.commitMs += millisecondsOf([&] {
                need(ledger::LedgerWriter(*cache.store, cache.ledger->rollup()).commit("bench", batch), "commit");
            });
        });
    }
    store::SyncState ended;
    ended.source = "bench";
    cache.commitCpuMs += cpuMillisecondsOf(
        [&] { cache.commitMs += millisecondsOf([&] { need(cache.store->saveSyncState(ended), "the sync's end"); }); });
    return cache;
}

} // namespace gpuledger::bench
