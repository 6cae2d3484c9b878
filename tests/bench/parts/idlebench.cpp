// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/parts/idlebench.h"

#include "app/services/environment/demosettings.h"
#include "app/store/ledgerstore.h"
#include "tests/bench/process.h"
#include "tests/support/calibration/gapcalibration.h"
#include "tests/support/fleets/tracefleet.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace gpuledger::bench {

namespace fs = std::filesystem;

namespace {

using Bins = std::vector<tests::GapTrial::Bin>;

void printBins(const std::string &title, const Bins &bins, bool areTenths)
{
    std::fprintf(stderr,
                 "%s\n  said             mean said   came true   difference      rows   gaps   workloads   count as"
                 "   95 %% of sampling\n",
                 title.c_str());
    for (const tests::GapTrial::Bin &bin : bins) {
        const auto [low, high] = bin.wilson();
        std::fprintf(stderr,
                     "  %5.1f-%5.1f %%   %7.1f %%   %7.1f %%   %+10.1f   %7d   %4zu   %9zu   %8.0f   %5.1f-%.1f%s\n",
                     areTenths ? 10.0 * bin.tenth : 100 * bin.least,
                     areTenths ? 10.0 * (bin.tenth + bin.tenths) : 100 * bin.most, 100 * bin.meanSaid(),
                     100 * bin.share(), 100 * bin.error(), bin.rows, bin.rowsOfGap.size(), bin.workloads.size(),
                     bin.effectiveRows(), 100 * low, 100 * high,
                     bin.isWithinGoal() ? ""
                         : bin.isOff()  ? "   OFF"
                                        : "   more than 5 points, as sampling allows");
    }
    const tests::GapTrial::Verdict verdict = tests::GapTrial::verdict(bins);
    std::fprintf(stderr,
                 "  %d of %zu bins within 5 points, %d off; true chances would have all bins within 5 points in %.0f %%"
                 " of such samples\n",
                 verdict.withinGoal, verdict.bins, verdict.off, 100 * verdict.perfectPasses);
}

std::string textOf(const tests::GapTrial::Verdict &verdict)
{
    return std::to_string(verdict.withinGoal) + " of " + std::to_string(verdict.bins) + " are within 5 points, "
        + std::to_string(verdict.off) + " are off by more than sampling explains; true chances pass in "
        + std::to_string(std::lround(100 * verdict.perfectPasses)) + " % of such samples";
}

void addTrial(std::vector<Figure> &figures, const std::string &fleet, const std::string &horizon,
              const tests::GapTrial &trial)
{
    if (trial.rows == 0)
        return;
    const std::string name = "stays idle for the next " + horizon + ", " + fleet;
    const Bins equal = trial.equalBins();
    printBins(name + ": by tenths, mean error " + std::to_string(100 * trial.meanError()) + " points", trial.judged(),
              true);
    printBins(name + ": ten bins of equally many gaps", equal, false);
    const std::string rows = std::to_string(trial.rows) + " rows of the second half, the first is the past";
    figures.push_back({name + ": Brier score", trial.brier(), "", "always saying the share of the second half",
                       trial.constantBrier(), 1.0, rows});
    figures.push_back({name + ": largest error of a bin", 100 * trial.verdict().worst, "points", "5 points", 5, 1.0,
                       "of the bins with at least " + std::to_string(tests::GapTrial::kLeastGaps) + " gaps "
                           + textOf(trial.verdict()) + "; of ten bins of equally many gaps "
                           + textOf(tests::GapTrial::verdict(equal)) + "; " + trial.text()});
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
