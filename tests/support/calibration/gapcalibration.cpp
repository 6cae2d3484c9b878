// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/calibration/gapcalibration.h"

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

constexpr std::int64_t kAskEvery = 7; // buckets

struct Asking {
    const insight::GapCurves &curves;
    std::int64_t middle, end; // buckets since 1970
};

void ask(const Asking &asking, std::int64_t since, const WholeGap &gap, std::size_t number, std::int64_t age,
         int horizon, GapTrial &trial)
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
    trial.add(horizon == base::kBucketsPerDay ? chance.day : chance.hour, stays, number,
              gap.group.team + '/' + gap.group.workload);
}

// Of a binomial distribution, the chance of a share within `within` of its mean.
double shareWithin(int n, double p, double within)
{
    double sum = 0, chance = std::pow(1 - p, n); // of no success, then of one more each
    for (int k = 0; k <= n; ++k) {
        if (std::abs(static_cast<double>(k) / n - p) <= within + 1e-12)
            sum += chance;
        chance *= static_cast<double>(n - k) / (k + 1) * p / (1 - p);
    }
    return sum;
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

double GapTrial::Bin::effectiveRows() const
{
    double sum = 0;
    for (const auto &[gap, n] : rowsOfGap)
        sum += static_cast<double>(n) * n;
    return sum > 0 ? static_cast<double>(rows) * rows / sum : 0;
}

std::pair<double, double> GapTrial::Bin::wilson() const
{
    constexpr double z = 1.959964;
    const double n = effectiveRows(), p = share();
    if (n <= 0)
        return {0, 1};
    const double middle = p + z * z / (2 * n), half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    return {(middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)};
}

bool GapTrial::Bin::isWithinGoal() const
{
    return std::abs(error()) <= kGoal;
}

bool GapTrial::Bin::isOff() const
{
    const auto [low, high] = wilson();
    return !isWithinGoal() && (meanSaid() < low || meanSaid() > high);
}

double GapTrial::Bin::perfectWithinGoal() const
{
    constexpr int kMostRows = 1000; // with more, the chance is near 1, and 0.5^n is no number any more
    const double p = std::min(meanSaid(), 1 - meanSaid());
    const int n = static_cast<int>(std::lround(effectiveRows()));
    return n < 1 || n > kMostRows || p <= 0 ? 1 : shareWithin(n, p, kGoal);
}

GapTrial::Bin &GapTrial::Bin::operator+=(const Bin &next)
{
    tenths = next.tenth + next.tenths - tenth;
    rows += next.rows;
    stayed += next.stayed;
    said += next.said;
    least = std::min(least, next.least);
    most = std::max(most, next.most);
    for (const auto &[gap, n] : next.rowsOfGap)
        rowsOfGap[gap] += n;
    workloads.insert(next.workloads.begin(), next.workloads.end());
    return *this;
}

void GapTrial::add(double chance, bool stays, std::size_t gap, const std::string &workload)
{
    const auto tenth = static_cast<std::size_t>(std::clamp(static_cast<int>(chance * 10), 0, 9));
    bins[tenth].tenth = static_cast<int>(tenth);
    for (Bin *bin : {&bins[tenth], &byChance[chance]}) {
        ++bin->rows;
        ++bin->rowsOfGap[gap];
        bin->workloads.insert(workload);
        bin->said += chance;
        bin->least = std::min(bin->least, chance);
        bin->most = std::max(bin->most, chance);
        bin->stayed += stays ? 1 : 0;
    }
    ++rows;
    stayed += stays ? 1 : 0;
    squares += (chance - (stays ? 1 : 0)) * (chance - (stays ? 1 : 0));
}

std::vector<GapTrial::Bin> GapTrial::judged() const
{
    std::vector<Bin> out;
    bool isOpen = false; // the last one has too few gaps yet
    for (const Bin &bin : bins) {
        if (bin.rows == 0)
            continue;
        if (isOpen)
            out.back() += bin;
        else
            out.push_back(bin);
        isOpen = out.back().rowsOfGap.size() < kLeastGaps;
    }
    if (isOpen && out.size() > 1) {
        const Bin last = out.back();
        out.pop_back();
        out.back() += last;
    }
    return out;
}

std::vector<GapTrial::Bin> GapTrial::equalBins() const
{
    std::map<std::size_t, int> rowsOf;
    for (const auto &[chance, bin] : byChance)
        for (const auto &[gap, n] : bin.rowsOfGap)
            rowsOf[gap] += n;
    const double each = static_cast<double>(rowsOf.size()) / kBins;
    std::vector<Bin> out;
    double gaps = 0, end = 0; // of the last bin
    for (const auto &[chance, bin] : byChance) {
        if (gaps + 1e-6 >= end) {
            out.push_back(bin);
            end = each * (std::floor((gaps + 1e-6) / each) + 1);
        } else {
            out.back() += bin;
        }
        for (const auto &[gap, n] : bin.rowsOfGap)
            gaps += static_cast<double>(n) / rowsOf[gap];
    }
    return out;
}

GapTrial::Verdict GapTrial::verdict(const std::vector<Bin> &bins)
{
    Verdict out;
    out.bins = bins.size();
    for (const Bin &bin : bins) {
        out.withinGoal += bin.isWithinGoal() ? 1 : 0;
        out.off += bin.isOff() ? 1 : 0;
        out.worst = std::max(out.worst, std::abs(bin.error()));
        out.perfectPasses *= bin.perfectWithinGoal();
    }
    return out;
}

double GapTrial::meanError() const
{
    double sum = 0;
    for (const Bin &bin : bins)
        sum += std::abs(bin.error()) * bin.rows;
    return rows ? sum / rows : 0;
}

std::string GapTrial::text() const
{
    std::string out;
    for (const Bin &bin : judged()) {
        char line[128];
        std::snprintf(line, sizeof line, "%s0.%d: said %.3f, was %.3f of %d (as %.0f)", out.empty() ? "" : "; ",
                      bin.tenth, bin.meanSaid(), bin.share(), bin.rows, bin.effectiveRows());
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
    std::size_t number = 0;
    for (const auto &[key, gap] : wholeGaps(days)) {
        const std::int64_t since = std::get<2>(key),
                           grace = std::max<std::int64_t>(store::kLeastGap,
                                                          store::graceOf(settings, gap.group.kind).count()
                                                              / base::kBucket.count());
        const std::int64_t last = gap.end == GapRun::End::Work ? gap.length : gap.length - 1;
        ++number;
        for (std::int64_t age = grace + (kAskEvery - (since + grace) % kAskEvery) % kAskEvery; age <= last;
             age += kAskEvery) {
            ask(asking, since, gap, number, age, base::kBucketsPerDay / 24, out.hour);
            ask(asking, since, gap, number, age, base::kBucketsPerDay, out.day);
        }
    }
    return out;
}

} // namespace gpuledger::tests
