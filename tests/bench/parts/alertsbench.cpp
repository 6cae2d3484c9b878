// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/parts/alertsbench.h"

#include "app/base/time/clock.h"
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/ledger.h"
#include "app/model/settings.h"
#include "app/services/alerts/alertanswer.h"
#include "app/services/alerts/alertservice.h"
#include "app/services/workspace/workspace.h"
#include "app/store/ledgerstore.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/bench/data/benchfleet.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

namespace gpuledger::bench {

namespace fs = std::filesystem;

namespace {

constexpr base::Day kFirstAlertDay{20000};
constexpr int kAlertGpus = 400, kAlertTeams = 100, kAlertDays = 345; // 90 days, the month before, what a forecast sees
constexpr std::size_t kAlertPools = 5;
constexpr base::Seconds kReplayed = 90 * base::kDay;
constexpr double kMostReplayMs = 300;

template <typename T> T replayable(base::Result<T> result, const char *what)
{
    if (!result) {
        std::fprintf(stderr, "bench: %s: %s\n", what, result.error().text.c_str());
        std::exit(1);
    }
    if constexpr (!std::is_void_v<T>)
        return std::move(*result);
}

std::string alertTeam(int number)
{
    return "team-" + std::to_string(number);
}

// "job-17-3" is of GPU 17. All jobs of a GPU are of one team.
int gpuOfJob(const std::string &name)
{
    int gpu = 0;
    for (std::size_t i = name.find('-') + 1; i < name.size() && name[i] != '-'; ++i)
        gpu = 10 * gpu + (name[i] - '0');
    return gpu;
}

void fillAlertStore(const fs::path &folder)
{
    const auto ledger = replayable(ledger::Ledger::create(model::Settings{}), "ledger");
    const auto store = replayable(store::LedgerStore::open(folder), "open");
    for (int d = 0; d < kAlertDays; ++d) {
        ports::FactBatch batch = fleetDay(kAlertGpus, base::Day{kFirstAlertDay.number + d});
        for (model::Holder &holder : batch.holders)
            holder.labels["team"] = alertTeam(gpuOfJob(holder.name) % kAlertTeams);
        for (std::size_t i = 0; i < batch.nodes.size(); ++i) // so that each team is in several
            batch.nodes[i].labels["node_pool"] = "pool-" + std::to_string(i % kAlertPools);
        replayable(ledger::LedgerWriter(*store, ledger->rollup()).commit("bench", batch), "commit");
    }
    store::SyncState ended;
    ended.source = "bench";
    replayable(store->saveSyncState(ended), "the sync's end");
}

model::Settings alertBenchSettings()
{
    model::Settings settings;
    for (int i = 0; i < kAlertTeams; ++i) {
        model::Budget budget;
        budget.by = "team";
        budget.key = alertTeam(i);
        budget.period = "month";
        budget.amount = "5000";
        settings.budgets.push_back(budget);
    }
    return settings;
}

model::AlertRule benchRule(const char *metric, const char *bound, const char *per = "team")
{
    model::AlertRule rule;
    rule.name = metric;
    rule.metric = metric;
    rule.per = per;
    rule.bound = bound;
    return rule;
}

} // namespace

std::vector<Figure> alertsFigures(const fs::path &root)
{
    const fs::path folder = root / "alerts";
    fs::create_directories(folder);
    fillAlertStore(folder);
    const base::UtcTime end = base::Day{kFirstAlertDay.number + kAlertDays}.start();
    const base::FrozenClock clock(end);
    const auto catalog = connectors::makeSourceCatalog();
    const auto secrets = connectors::makeSecretStore();
    const auto workspace = replayable(
        services::Workspace::open(alertBenchSettings(), {folder, "UTC", false}, *catalog, *secrets, clock), "open");
    std::vector<Figure> figures;
    const auto add = [&](const std::string &what, const model::AlertRule &rule) {
        std::size_t notices = 0;
        const double ms = medianMilliseconds(3, [&] {
            notices = replayable(workspace->alerts().replay(rule, {end - kReplayed, end}), "replay").notices;
        });
        figures.push_back({"Replay of " + what + ", 100 teams x 90 days", ms, "ms", "300 ms", kMostReplayMs, 1.0,
                           std::to_string(notices) + " notices"});
    };
    for (const auto &[metric, bound] :
         {std::pair("idle-cost", "20 USD/day"), std::pair("utilization", "30 %"), std::pair("budget", "80 %"),
          std::pair("forecast", "100 %"), std::pair("anomaly-cost", "4"), std::pair("anomaly-utilization", "4")})
        add(metric, benchRule(metric, bound));
    add("idle-cost per pool", benchRule("idle-cost", "20 USD/day", "pool"));
    return figures;
}

} // namespace gpuledger::bench
