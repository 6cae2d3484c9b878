// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/calibration/spotcalibration.h"

#include "app/savings/spot/capacity/spotmodel.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace gpuledger::tests {

using namespace savings;
namespace fs = std::filesystem;

namespace {

double nearestRank(std::vector<double> values, double share)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
    return values[rank > 0 ? rank - 1 : 0];
}

// What really happened from this second on.
SpotOutcome truthOf(const SpotTrace &trace, SpotWork work, std::int64_t start)
{
    const SpotTrace rest = since(trace, start);
    work.horizon = trace.end() - trace.begin() + 1;
    std::size_t i = 0;
    return runOnSpot(work, SpotPolicy::Wait, [&] {
        return i < rest.intervals.size() ? SpotState{rest.intervals[i].length, rest.intervals[i++].available}
                                         : SpotState{};
    });
}

// An unknown p90 is above every value.
void judge(SpotCoverage &coverage, std::optional<double> low, std::optional<double> high, double truth)
{
    const double top = high.value_or(1e12);
    coverage.inside += low && *low <= truth && truth <= top ? 1 : 0;
    coverage.widths.push_back(top - low.value_or(0));
    coverage.truths.push_back(truth);
}

std::optional<double> amountOf(const std::optional<base::Money> &money)
{
    return money ? std::optional(money->toDouble()) : std::nullopt;
}

} // namespace

fs::path spotIntervalsFile()
{
    const char *shared = std::getenv("GPULEDGER_SHARED");
    const char *source = std::getenv("GPULEDGER_SOURCE_DIR");
    const fs::path root = shared ? fs::path(shared) : fs::path(source ? source : ".") / ".." / "shared";
    return root / "data" / "spot" / "intervals.csv";
}

std::vector<SpotTrace> realSpotTraces()
{
    std::ifstream in(spotIntervalsFile(), std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    return readSpotIntervals(text).value_or(std::vector<SpotTrace>());
}

double SpotCoverage::medianWidth() const
{
    return nearestRank(widths, 0.5);
}

double SpotCoverage::spread() const
{
    return nearestRank(truths, 0.9) - nearestRank(truths, 0.1);
}

void SpotTrial::add(const SpotTrial &other)
{
    replays += other.replays;
    unfinished += other.unfinished;
    for (auto [to, from] : {std::pair(&cost, &other.cost), std::pair(&hours, &other.hours)}) {
        to->inside += from->inside;
        to->widths.insert(to->widths.end(), from->widths.begin(), from->widths.end());
        to->truths.insert(to->truths.end(), from->truths.begin(), from->truths.end());
    }
}

std::string SpotTrial::text() const
{
    char line[256];
    std::snprintf(line, sizeof line,
                  "%-24s %4d replays, %4d unfinished; within p10-p90: cost %5.1f %%, time %5.1f %%; median width %7.2f "
                  "USD of %7.2f, %6.1f h of %6.1f",
                  name.c_str(), replays, unfinished, 100 * costShare(), 100 * hoursShare(), cost.medianWidth(),
                  cost.spread(), hours.medianWidth(), hours.spread());
    return line;
}

SpotWork usualSpotWork(double hours)
{
    SpotWork work;
    work.work = std::llround(hours * 3600);
    work.checkpointEvery = 1800;
    work.checkpointCost = 60;
    work.restart = 300;
    work.onDemand = base::Rate{3'060'000'000, base::Currency::usd()};
    work.spot = base::Rate{920'000'000, base::Currency::usd()};
    return work;
}

SpotTrial calibrateSpot(const SpotTrace &trace, const SpotWork &work, SpotKnown known, int starts, int paths)
{
    SpotTrial trial;
    trial.name = trace.zone + ' ' + trace.instanceType;
    const std::int64_t half = trace.begin() + (trace.end() - trace.begin()) / 2;
    for (int i = 0; i < starts; ++i) {
        const std::int64_t start = half + (trace.end() - half) * i / starts;
        const SpotOutcome truth = truthOf(trace, work, start);
        if (!truth.finished) {
            ++trial.unfinished;
            continue;
        }
        SpotQuestion question;
        question.work = work;
        question.paths = paths;
        question.seed = static_cast<std::uint64_t>(i);
        question.history = {known == SpotKnown::FirstHalf ? before(trace, half) : trace};
        question.start = std::max(start, half + 1);
        const auto estimate = estimateSpot(question);
        if (!estimate)
            continue;
        ++trial.replays;
        const SpotBands &bands = estimate->waiting;
        judge(trial.cost, amountOf(bands.cost[0]), amountOf(bands.cost[2]), truth.cost(work)->toDouble());
        judge(trial.hours, bands.hours[0], bands.hours[2], static_cast<double>(truth.end) / 3600);
    }
    return trial;
}

} // namespace gpuledger::tests
