// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gapcalibration.h"

#include "app/insight/idle/gapcurves.h"
#include "app/ledger/commit/rollupbuilder.h"
#include "app/store/idle/gapcounter.h"
#include "app/store/values/idlekept.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <tuple>

namespace gpuledger::tests {

using base::Day;
using base::Result;
using store::GapRun;

namespace {

class GapDayCatcher final : public store::CubeWriter {
public:
    Result<void> replaceDay(Day, const std::map<store::GroupKey, store::GroupDay> &) override { return {}; }
    Result<void> replaceGapDay(Day day, const store::GapDay &gaps) override
    {
        days.emplace_back(day, gaps);
        return {};
    }
    GapDays days;
};

struct WholeGap {
    store::GapGroup group;
    std::int64_t length = 0; // buckets
    GapRun::End end = GapRun::End::DayEnd;
};

// By holder and first bucket.
using WholeGaps = std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, WholeGap>;

WholeGaps wholeGaps(const GapDays &days)
{
    WholeGaps gaps;
    store::GapJoiner joiner;
    for (const auto &[day, runs] : days)
        joiner.add(day, runs, [&](const store::GapPiece &piece) {
            WholeGap &gap = gaps[{piece.who.first, piece.who.second, piece.since}];
            gap = {piece.group, piece.to, piece.end};
        });
    return gaps;
}

struct Asking {
    const insight::GapCurves &curves;
    std::int64_t middle, end; // buckets since 1970
};

void ask(const Asking &asking, std::int64_t since, const WholeGap &gap, std::int64_t age, int horizon, GapTrial &trial)
{
    const std::int64_t at = since + age;
    if (at < asking.middle || at + horizon > asking.end)
        return;
    const bool isKnown = gap.end == GapRun::End::Work || gap.end == GapRun::End::Over;
    const bool reaches = gap.length >= age + horizon;
    if (!isKnown && !reaches)
        return;
    const bool stays = reaches || gap.end == GapRun::End::Over;
    const insight::IdleChance chance =
        asking.curves.chance(gap.group.kind, gap.group.team, gap.group.workload, age * base::kBucket);
    const double said = horizon == base::kBucketsPerDay ? chance.day : chance.hour;
    GapTrial::Bin &bin = trial.bins[static_cast<std::size_t>(std::clamp(static_cast<int>(said * 10), 0, 9))];
    ++bin.rows;
    bin.said += said;
    ++trial.rows;
    trial.squares += (said - (stays ? 1 : 0)) * (said - (stays ? 1 : 0));
    bin.stayed += stays ? 1 : 0;
    trial.stayed += stays ? 1 : 0;
}

} // namespace

Result<GapDays> gapDaysOf(ledger::Ledger &ledger, store::FactReader &facts)
{
    const auto covered = facts.coveredRange();
    GPULEDGER_TRY(covered);
    std::vector<Day> days;
    for (Day day = base::dayOf(covered->start); day.start() < covered->end; ++day.number)
        days.push_back(day);
    GapDayCatcher catcher;
    GPULEDGER_TRY(ledger.rollup().rebuild(days, facts, catcher));
    return std::move(catcher.days);
}

double GapTrial::constantBrier() const
{
    const double share = rows ? static_cast<double>(stayed) / rows : 0;
    return share * (1 - share);
}

double GapTrial::worst(int leastRows) const
{
    double worst = 0;
    for (const Bin &bin : bins)
        worst = bin.rows >= leastRows ? std::max(worst, std::abs(bin.error())) : worst;
    return worst;
}

std::string GapTrial::text() const
{
    std::string out;
    for (std::size_t i = 0; i < bins.size(); ++i) {
        if (bins[i].rows == 0)
            continue;
        char line[96];
        std::snprintf(line, sizeof line, "%s0.%zu: said %.3f, was %.3f of %d", out.empty() ? "" : "; ", i,
                      bins[i].meanSaid(), bins[i].share(), bins[i].rows);
        out += line;
    }
    return out;
}

GapCalibration calibrate(const GapDays &days, const model::IdleSettings &settings)
{
    GapCalibration out;
    if (days.empty())
        return out;
    store::GapCounter counter;
    const std::size_t half = days.size() / 2;
    for (std::size_t i = 0; i < half; ++i)
        counter.add(days[i].first, days[i].second);
    const insight::GapCurves curves(counter.take());
    const auto bucketOf = [](Day day) { return day.number * std::int64_t{base::kBucketsPerDay}; };
    const Asking asking{curves, bucketOf(days[half].first), bucketOf({days.back().first.number + 1})};
    for (const auto &[key, gap] : wholeGaps(days)) {
        const std::int64_t grace = std::max<std::int64_t>(
            store::kLeastGap, store::graceOf(settings, gap.group.kind).count() / base::kBucket.count());
        for (std::int64_t age = grace; age < gap.length; age *= 2) {
            ask(asking, std::get<2>(key), gap, age, base::kBucketsPerDay / 24, out.hour);
            ask(asking, std::get<2>(key), gap, age, base::kBucketsPerDay, out.day);
        }
    }
    return out;
}

} // namespace gpuledger::tests
