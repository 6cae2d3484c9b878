// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/parts/spotbench.h"

#include "tests/support/calibration/spotcalibration.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace gpuledger::bench {

namespace {

constexpr int kStarts = 200, kTrialPaths = 500;
constexpr double kWanted = 0.8, kMostOff = 0.1; // 70 to 90 %

tests::SpotTrial tried(const std::vector<savings::SpotTrace> &traces, double hours, tests::SpotKnown known,
                       const std::string &name)
{
    tests::SpotTrial all;
    all.name = name;
    std::fprintf(stderr, "spot, %s\n", name.c_str());
    for (const savings::SpotTrace &trace : traces) {
        const auto trial = tests::calibrateSpot(trace, tests::usualSpotWork(hours), known, kStarts, kTrialPaths);
        std::fprintf(stderr, "  %s\n", trial.text().c_str());
        all.add(trial);
    }
    std::fprintf(stderr, "  %s\n", all.text().c_str());
    return all;
}

void addCoverage(std::vector<Figure> &figures, const std::string &what, double share,
                 const tests::SpotCoverage &coverage, const std::string &unit, const std::string &note)
{
    figures.push_back({"spot, " + what + ": distance from 80 %", 100 * std::abs(share - kWanted), "points",
                       "10 points: 70 to 90 % within p10-p90", 100 * kMostOff, 1.0,
                       std::to_string(100 * share) + " % within; " + note});
    figures.push_back({"spot, " + what + ": median width", coverage.medianWidth(), unit,
                       "p10-p90 of all true values, without knowing the machine", coverage.spread(), 1.0, note});
}

void addTrial(std::vector<Figure> &figures, const tests::SpotTrial &trial)
{
    const std::string note = std::to_string(trial.replays) + " replays, " + std::to_string(trial.unfinished)
        + " did not end before the trace";
    addCoverage(figures, trial.name + ", cost", trial.costShare(), trial.cost, "USD", note);
    addCoverage(figures, trial.name + ", time", trial.hoursShare(), trial.hours, "h", note);
}

} // namespace

std::vector<Figure> spotFigures()
{
    setenv("GPULEDGER_SOURCE_DIR", GPULEDGER_SOURCE_DIR, 0); // beside it lie the intervals
    const auto traces = tests::realSpotTraces();
    std::vector<Figure> figures;
    if (traces.empty()) {
        std::fprintf(stderr, "bench: spot is left out: there is no %s\n", tests::spotIntervalsFile().c_str());
        return figures;
    }
    for (const double hours : {8.0, 24.0}) {
        const std::string name = std::to_string(static_cast<int>(hours)) + " h of work";
        addTrial(figures, tried(traces, hours, tests::SpotKnown::UntilStart, name));
        addTrial(figures, tried(traces, hours, tests::SpotKnown::FirstHalf, name + ", first half alone"));
    }
    savings::SpotQuestion question;
    question.work = tests::usualSpotWork(24);
    question.history = {traces.front()};
    const double ms = medianMilliseconds(5, [&] { (void)savings::estimateSpot(question); });
    figures.push_back({"spot, an estimate of 10,000 paths, one core", ms, "ms", "100 ms", 100, 1.0,
                       std::to_string(static_cast<long>(savings::kSpotPaths / ms * 1000)) + " paths a second"});
    const double two = medianMilliseconds(5, [&] {
        const std::jthread other([&] { (void)savings::estimateSpot(question); });
        (void)savings::estimateSpot(question);
    });
    figures.push_back(
        {"spot, two estimates of 10,000 paths at the same time", two, "ms", "one alone", ms, 1.5,
         std::to_string(static_cast<long>(2 * savings::kSpotPaths / two * 1000)) + " paths a second on two cores"});
    return figures;
}

} // namespace gpuledger::bench
