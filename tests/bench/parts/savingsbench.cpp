// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/parts/savingsbench.h"

#include "app/base/memory.h"
#include "app/base/time/clock.h"
#include "app/services/savings/savingsservice.h"
#include "app/services/workspace/workspace.h"
#include "app/store/sqlite/database.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/bench/data/fleetcache.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <memory>
#include <string>
#include <utility>

namespace gpuledger::bench {

namespace fs = std::filesystem;

namespace {

constexpr double kMostMilliseconds = 10'000, kMostMb = 256, kMostAgain = 100;
constexpr int kQuestions = 100;

template <typename T> T answered(base::Result<T> result, const char *what)
{
    if (!result) {
        std::fprintf(stderr, "bench: %s: %s\n", what, result.error().text.c_str());
        std::exit(1);
    }
    return std::move(*result);
}

// The program on a cache; everything that it refers to lives as long.
struct Opened {
    Opened(const fs::path &folder, base::UtcTime now)
        : clock(now)
        , catalog(connectors::makeSourceCatalog())
        , secrets(connectors::makeSecretStore())
        , workspace(answered(services::Workspace::open({}, {folder, "UTC", false}, *catalog, *secrets, clock), "open"))
    {
    }
    savings::SavingsList ask(const services::SavingsQuery &query)
    {
        return answered(workspace->savings().savings(query), "savings");
    }

    base::FrozenClock clock;
    std::unique_ptr<ports::SourceCatalog> catalog;
    std::unique_ptr<ports::SecretStore> secrets;
    std::unique_ptr<services::Workspace> workspace;
};

void addAsked(std::vector<Figure> &figures, const FleetCache &fleet, const std::string &name,
              const std::string &more = {})
{
    Opened opened(fleet.folder, fleet.range().end);
    services::SavingsQuery query;
    query.range = fleet.range();
    malloc_trim(0);
    resetPeak();
    const double before = residentMb();
    std::size_t items = 0;
    const double ms = millisecondsOf([&] { items = opened.ask(query).items.size(); });
    const double mb = peakResidentMb() - before;
    const std::string note = std::to_string(items) + " proposals" + more;
    figures.push_back({name, ms, "ms", "10 s, the target of 90 days", kMostMilliseconds, 1.0, note});
    figures.push_back({name + ": memory while they are read", mb, "MB", "256 MB, the target of 90 days", kMostMb, 1.0,
                       "resident at most, above that of the program at rest"});
}

// The first question walks all days and stores them; the same question of another program reads them.
void addFirst(std::vector<Figure> &figures, const fs::path &root, int gpus, int days)
{
    const FleetCache fleet = makeFleetCache(root, gpus, days);
    const std::string name = "Savings, all kinds, " + sizeText(gpus, days);
    addAsked(figures, fleet, name + ", walked days");
    const auto database =
        answered(store::Database::open(fleet.folder / "ledger.db", store::Database::Mode::Reader), "open");
    const auto bytes = answered(database->scalar("SELECT sum(length(data)) FROM day_fact"), "stored days");
    addAsked(figures, fleet, name + ", stored days",
             "; " + std::to_string(bytes.value_or(0) / (std::int64_t{gpus} * days)) + " bytes stored per device-day");
}

// Another value at each question, for each kind in turn.
services::SavingsQuery changed(const base::TimeRange &range, int question)
{
    struct Change {
        const char *name;
        int first;
        const char *unit;
    };
    constexpr std::array<Change, 6> kChanged{{{"minimum-nodes", 1, ""},
                                              {"most-real-work", 6, ""},
                                              {"memory-headroom", 25, ""},
                                              {"demand-change", 5, ""},
                                              {"headroom-quantile", 60, ""},
                                              {"checkpoint-every", 31, "m"}}};
    const auto &[name, first, unit] = kChanged[static_cast<std::size_t>(question) % kChanged.size()];
    services::SavingsQuery query;
    query.range = range;
    const auto set =
        query.assumptions.set(name, std::to_string(first + question / static_cast<int>(kChanged.size())) + unit);
    if (!set)
        std::fprintf(stderr, "bench: %s\n", set.error().text.c_str());
    return query;
}

void addAgain(std::vector<Figure> &figures, const fs::path &root, int gpus, int days)
{
    const FleetCache fleet = makeFleetCache(root, gpus, days);
    Opened opened(fleet.folder, fleet.range().end);
    services::SavingsQuery query;
    query.range = fleet.range();
    const double first = millisecondsOf([&] { opened.ask(query); });
    std::vector<double> times;
    for (int i = 0; i < kQuestions; ++i)
        times.push_back(millisecondsOf([&] { opened.ask(changed(*query.range, i)); }));
    std::sort(times.begin(), times.end());
    figures.push_back({"Savings, an assumption changed, p95, " + sizeText(gpus, days), times[times.size() * 95 / 100],
                       "ms", "100 ms", kMostAgain, 1.0,
                       std::to_string(kQuestions) + " changes; the first question took "
                           + std::to_string(static_cast<long>(first)) + " ms"});
}

} // namespace

std::vector<Figure> savingsFigures(const fs::path &root, bool full)
{
    base::returnFreedMemory(); // as the programs do
    constexpr int kMany = 10'000, kSome = 1'000, kMonth = 30, kLong = 90, kShort = 14;
    std::vector<Figure> figures;
    addFirst(figures, root, kMany, full ? kLong : kShort);
    addAgain(figures, root, kSome, kMonth);
    return figures;
}

} // namespace gpuledger::bench
