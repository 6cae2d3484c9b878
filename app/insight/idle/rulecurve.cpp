// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/rulecurve.h"

#include "app/base/time/time.h"

#include <algorithm>
#include <set>

namespace gpuledger::insight {

using base::Seconds;
using store::GapCount;
using store::kGapAges;
using store::kGraceGrid;

namespace {

double bucketCount(Seconds length)
{
    return static_cast<double>(length.count()) / static_cast<double>(base::kBucket.count());
}

// The part of class `i` that lies between two ages, 0..1. The last class counts as being as long as it is old.
double partOfClass(std::size_t i, double from, double to)
{
    const double begin = kGapAges[i], end = i + 1 < kGapAges.size() ? kGapAges[i + 1] : 2 * begin;
    return std::max(0.0, std::min(to, end) - std::max(from, begin)) / (end - begin);
}

void addGaps(RulePoint &point, const GapCount &count, Seconds grace, Seconds resumeWithin)
{
    const double from = bucketCount(grace), soon = from + bucketCount(resumeWithin);
    constexpr double kHoursPerBucket = static_cast<double>(base::kBucket.count()) / 3600;
    for (std::size_t i = 0; i < kGapAges.size(); ++i) {
        const double after = partOfClass(i, from, 2.0 * kGapAges.back());
        point.stops += after * static_cast<double>(count.work[i] + count.over[i]);
        point.hoursBack += after * static_cast<double>(count.exposure[i]) * kHoursPerBucket;
        point.falseStops += partOfClass(i, from, soon) * static_cast<double>(count.work[i]);
    }
}

// 0 if the kinds differ.
Seconds commonGrace(const model::IdleSettings &rule)
{
    std::set<Seconds> lengths;
    for (const auto &[kind, length] : rule.grace)
        lengths.insert(length);
    return lengths.size() == 1 ? *lengths.begin() : Seconds{0};
}

RulePoint pointOf(Seconds grace, const IdleReplay &replay)
{
    RulePoint point;
    point.grace = grace;
    point.stops = static_cast<double>(replay.total.stops);
    point.falseStops = static_cast<double>(replay.total.falseStops);
    point.hoursBack = replay.total.back.hours();
    if (replay.total.unpriced == base::GpuTime{})
        point.money = base::Money(replay.total.money, replay.currency);
    return point;
}

} // namespace

RuleCurve ruleCurve(const IdleRule &rule, Seconds resumeWithin)
{
    RuleCurve curve;
    curve.resumeWithin = resumeWithin;
    std::map<model::WorkloadKind, GapCount> kinds;
    for (const auto &[group, count] : rule.past.groups) {
        if (group.workload.empty())
            kinds[group.kind] += count;
    }
    const bool hasPast =
        std::any_of(kinds.begin(), kinds.end(), [](const auto &kind) { return kind.second.ended() > 0; });
    if (!hasPast)
        return curve;
    for (const std::int32_t buckets : kGraceGrid) {
        RulePoint &point = curve.points.emplace_back();
        point.grace = buckets * base::kBucket;
        for (const auto &[kind, count] : kinds)
            addGaps(point, count, point.grace, resumeWithin);
    }
    curve.inUse.grace = commonGrace(rule.settings);
    for (const auto &[kind, count] : kinds)
        addGaps(curve.inUse, count, store::graceOf(rule.settings, kind), resumeWithin);
    return curve;
}

std::vector<model::IdleSettings> curveRules(const model::IdleSettings &inUse)
{
    std::vector<model::IdleSettings> rules;
    for (const std::int32_t buckets : kGraceGrid) {
        model::IdleSettings &rule = rules.emplace_back(inUse);
        rule.graceMeasured.clear();
        for (auto &[kind, length] : rule.grace)
            length = buckets * base::kBucket;
    }
    rules.push_back(inUse);
    return rules;
}

RuleCurve ruleCurve(const model::IdleSettings &inUse, const std::vector<IdleReplay> &replays)
{
    RuleCurve curve;
    curve.from = RuleCurve::From::Replay;
    if (replays.size() != kGraceGrid.size() + 1)
        return curve;
    curve.resumeWithin = replays.back().resumeWithin;
    curve.range = replays.back().range;
    curve.currency = replays.back().currency;
    for (std::size_t i = 0; i < kGraceGrid.size(); ++i)
        curve.points.push_back(pointOf(kGraceGrid[i] * base::kBucket, replays[i]));
    curve.inUse = pointOf(commonGrace(inUse), replays.back());
    return curve;
}

const RulePoint *betterPoint(const RuleCurve &curve)
{
    const RulePoint *best = nullptr;
    for (const RulePoint &point : curve.points) {
        const bool isBetter = curve.from == RuleCurve::From::Replay && point.hoursBack > curve.inUse.hoursBack
            && point.falseStops < curve.inUse.falseStops;
        if (isBetter && (!best || point.hoursBack > best->hoursBack))
            best = &point;
    }
    return best;
}

} // namespace gpuledger::insight
