// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/idlebench.h"

#include "app/services/environment/demosettings.h"
#include "app/store/ledgerstore.h"
#include "tests/bench/process.h"
#include "tests/support/gapcalibration.h"
#include "tests/support/tracefleet.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace gpuledger::bench {

namespace fs = std::filesystem;

namespace {

constexpr int kLeastRows = 50; // of a bin that is judged: chance alone moves a smaller one by more than 5 points

void printTable(const std::string &name, const tests::GapTrial &trial)
{
    std::fprintf(stderr, "%s\n  said        mean said   came true   rows\n", name.c_str());
    for (std::size_t i = 0; i < trial.bins.size(); ++i) {
        const tests::GapTrial::Bin &bin = trial.bins[i];
        if (bin.rows > 0)
            std::fprintf(stderr, "  %3zu-%3zu %%   %7.1f %%   %7.1f %%   %d\n", 10 * i, 10 * (i + 1),
                         100 * bin.meanSaid(), 100 * bin.share(), bin.rows);
    }
}

void addTrial(std::vector<Figure> &figures, const std::string &fleet, const std::string &horizon,
              const tests::GapTrial &trial)
{
    if (trial.rows == 0)
        return;
    const std::string name = "stays idle for the next " + horizon + ", " + fleet;
    printTable(name, trial);
    const std::string rows = std::to_string(trial.rows) + " rows of the second half, the first is the past";
    figures.push_back({name + ": Brier score", trial.brier(), "", "always saying the share of the second half",
                       trial.constantBrier(), 1.0, rows});
    figures.push_back({name + ": largest error of a bin", 100 * trial.worst(kLeastRows), "points", "5 points", 5, 1.0,
                       "bins with at least " + std::to_string(kLeastRows) + " rows; " + trial.text()});
}

void addFleet(std::vector<Figure> &figures, const std::string &name, store::FactReader &facts,
              const model::Settings &settings)
{
    const auto ledger = ledger::Ledger::create(settings);
    if (!ledger) {
        std::fprintf(stderr, "bench: %s: %s\n", name.c_str(), ledger.error().text.c_str());
        return;
    }
    const auto days = tests::gapDaysOf(**ledger, facts);
    if (!days) {
        std::fprintf(stderr, "bench: %s: %s\n", name.c_str(), days.error().text.c_str());
        return;
    }
    const tests::GapCalibration told = tests::calibrate(*days, settings.idle);
    addTrial(figures, name, "hour", told.hour);
    addTrial(figures, name, "day", told.day);
}

void addDemo(std::vector<Figure> &figures, const fs::path &root)
{
    const fs::path home = root / "demo-home";
    fs::create_directories(home);
    const Finished done =
        runProgram({"env", "HOME=" + home.string(), "XDG_DATA_HOME=" + home.string(),
                    "XDG_CONFIG_HOME=" + home.string(), "XDG_CACHE_HOME=" + home.string(),
                    (fs::path(ownProgram()).parent_path() / "gpuledger-cli").string(), "demo", "--quiet"});
    fs::path cache;
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(home)) {
        if (entry.path().filename() == "ledger.db")
            cache = entry.path().parent_path();
    }
    if (done.status != 0 || cache.empty()) {
        std::fprintf(stderr, "bench: the idle list of the demo is left out, because gpuledger-cli demo failed\n");
        return;
    }
    const auto store = store::LedgerStore::open(cache);
    if (!store) {
        std::fprintf(stderr, "bench: demo: %s\n", store.error().text.c_str());
        return;
    }
    const auto facts = (*store)->facts();
    if (!facts) {
        std::fprintf(stderr, "bench: demo: %s\n", facts.error().text.c_str());
        return;
    }
    addFleet(figures, "demo company", **facts, services::keptDemoSettings(cache));
}

void addTrace(std::vector<Figure> &figures, const fs::path &root)
{
    const fs::path trace = tests::traceFolder(), file = root / "trace.txt";
    if (!fs::exists(trace)) {
        std::fprintf(stderr, "bench: the idle list of the trace is left out: there is no %s\n", trace.c_str());
        return;
    }
    const Finished done = runProgram({"python3", (tests::sourceFolder() / "tests/support/replay_oracle.py").string(),
                                      trace.string(), "--facts", file.string()});
    const auto range = nlohmann::json::parse(done.output, nullptr, false);
    if (done.status != 0 || !range.is_object()) {
        std::fprintf(stderr, "bench: the idle list of the trace is left out, because it can't be read\n");
        return;
    }
    tests::MemoryFacts facts;
    facts.add(
        tests::TraceFleet(file, range["begin"].get<std::int64_t>(), range["end"].get<std::int64_t>()).fleet().batch);
    addFleet(figures, "development trace", facts, tests::pricedSettings());
}

} // namespace

std::vector<Figure> idleFigures(const fs::path &root)
{
    setenv("GPULEDGER_SOURCE_DIR", GPULEDGER_SOURCE_DIR, 0); // location of the trace's reader
    std::vector<Figure> figures;
    addDemo(figures, root);
    addTrace(figures, root);
    return figures;
}

} // namespace gpuledger::bench
