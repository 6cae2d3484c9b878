// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/spot/spotoffer.h"

#include <QtGlobal>

#include <algorithm>
#include <cstdint>
#include <functional>

// A past of one workload that could run on spot machines, for the suites of spot proposals.
namespace gpuledger::tests {

using savings::Evidence;
using savings::Proposal;
using savings::Remark;
using savings::RemarkText;
using savings::SpotBasis;
using savings::SpotCandidate;
using savings::SpotInterruptions;
using savings::SpotMarket;
using savings::SpotPast;
using savings::SpotPrice;
using savings::SpotTrace;

inline constexpr std::int64_t kNano = 1'000'000'000;
inline constexpr std::int64_t kHour = 3600;
inline constexpr std::int64_t kHourTicks = base::GpuTime::kTicksPerSecond * kHour;

// 21 days, in which "train" ran twice for a day on a machine of its own: 30 USD an hour on demand, 10 as spot.
inline SpotPast twoRuns()
{
    SpotPast past;
    past.hours = 504;
    past.currency = base::Currency::usd();
    SpotMarket market{"aws", "us-east-1", "p4d.24xlarge", SpotPrice{}, {}};
    market.price->perHour = {base::Rate{10 * kNano, past.currency}};
    market.interruptions.basis = SpotBasis::Published;
    market.interruptions.perHour = 0.01;
    past.markets.push_back(market);
    SpotCandidate one;
    one.id = "spot:prod/ml/Job/train";
    one.target = "ml/Job/train";
    one.nameSpace = "ml";
    one.pod = one.batch = true;
    one.market = 0;
    one.held = base::GpuTime{48 * 8 * kHourTicks};
    one.ownSeconds = 48 * kHour;
    one.cost = one.ownCost = one.ownBase = 48 * 30 * kNano;
    one.lastHour = 500;
    one.runs = {{24 * kHour, 1}, {24 * kHour, 1}};
    past.candidates.push_back(one);
    return past;
}

inline Proposal changed(const std::function<void(SpotPast &)> &change)
{
    SpotPast past = twoRuns();
    change(past);
    const auto list = proposeSpots(past, {});
    if (!list || list->size() != 1)
        qFatal("not one proposal");
    return list->front();
}

inline const Evidence *evidence(const Proposal &proposal, RemarkText label)
{
    const auto at = std::find_if(proposal.evidence.begin(), proposal.evidence.end(),
                                 [&](const Evidence &one) { return one.label.text == label; });
    return at == proposal.evidence.end() ? nullptr : &*at;
}

inline bool risks(const Proposal &proposal, RemarkText text)
{
    return std::any_of(proposal.risks.begin(), proposal.risks.end(),
                       [&](const Remark &one) { return one.text == text; });
}

inline SpotCandidate &only(SpotPast &past)
{
    return past.candidates.front();
}

// Ten pairs of up and down intervals of these hours.
inline SpotTrace madeHistory(std::int64_t up, std::int64_t down)
{
    SpotTrace trace{"t", "a", "p4d.24xlarge", "A100", 8, 60, {}};
    for (std::int64_t at = 0, i = 0; i < 10; ++i, at += (up + down) * kHour) {
        trace.intervals.push_back({at, up * kHour, true});
        trace.intervals.push_back({at + up * kHour, down * kHour, false});
    }
    return trace;
}

inline void useHistory(SpotPast &past, std::int64_t up, std::int64_t down)
{
    SpotInterruptions &known = past.markets.front().interruptions;
    known = {};
    known.basis = SpotBasis::History;
    known.history = {madeHistory(up, down)};
}

} // namespace gpuledger::tests
