// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/idle/idlereplay.h"
#include "app/insight/idle/idlerule.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gpuledger::insight {

// What an idle rule brings and breaks.
struct RulePoint {
    base::Seconds grace{}; // of all kinds of workloads; of the rule in use: 0 if they differ
    double stops = 0, falseStops = 0; // whole numbers if they were replayed
    double hoursBack = 0; // GPU-hours if they were replayed, else hours of workloads, however many GPUs these had
    std::optional<base::Money> money; // null: not known, or part of it has no price
    double falseShare() const { return stops > 0 ? falseStops / stops : 0; }
};

// Rules with one grace window for all kinds, from short to long, against the rule in use: what each would have brought
// back, and how many of its stops would have been false. Plain values.
struct RuleCurve {
    enum class From {
        Gaps, // estimated from the stored sums of idle gaps
        Replay, // each rule replayed over the facts
    };
    From from = From::Gaps;
    base::Seconds resumeWithin{};
    base::TimeRange range; // that was replayed; empty for gaps, which are those of the 28 days before
    base::Currency currency = base::Currency::usd();
    std::vector<RulePoint> points; // ascending by grace, one for each length of store::kGraceGrid
    RulePoint inUse;
};

// From the past that the rule comes with, at once: counts of gaps by class of age, in each of which gaps end evenly.
// No points without a past.
RuleCurve ruleCurve(const IdleRule &rule, base::Seconds resumeWithin);

// The rules of the curve, and last the rule in use, for replayIdleRules(); and the curve from their replays.
std::vector<model::IdleSettings> curveRules(const model::IdleSettings &inUse);
RuleCurve ruleCurve(const model::IdleSettings &inUse, const std::vector<IdleReplay> &replays);

// The point that brings most back of those that bring more than the rule in use with fewer false stops; null: none, or
// the curve is only estimated.
const RulePoint *betterPoint(const RuleCurve &curve);

} // namespace gpuledger::insight
