// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/commitments/commitmentcurve.h"

#include "app/savings/commitments/commitmentchoice.h"
#include "app/savings/commitments/commitmenttext.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace gpuledger::savings {

using base::GpuTime;
using base::Result;

namespace {

// From zero to the largest hour, the best one among them.
std::vector<GpuTime> curveLevels(const std::vector<GpuTime> &known, const RatedOffer &offer)
{
    constexpr std::int64_t kSteps = kCommitmentCurveLevels - 2;
    const GpuTime most = std::max(*std::max_element(known.begin(), known.end()), offer.level);
    const std::int64_t unit = offer.offer->whole ? kTicksPerMachineHour : 1;
    const std::int64_t units = (most.ticks + unit - 1) / unit;
    const std::int64_t steps = std::min(units, kSteps);
    std::vector<GpuTime> levels{offer.level};
    for (std::int64_t i = 0; i <= steps && steps > 0; ++i)
        levels.push_back({units * i / steps * unit});
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    return levels;
}

std::optional<ProposalCurve> curveOfDemand(const CommitmentDemand &demand, const CommitmentInput &input)
{
    std::vector<GpuTime> known;
    for (const auto &hour : demand.hours) {
        if (hour)
            known.push_back(*hour);
    }
    const base::Currency currency = demand.onDemand.currency();
    if (demand.onDemand.nanosPerHour() <= 0 || currency == base::Currency() || known.empty()
        || known.size() < static_cast<std::size_t>(input.leastDays) * 24)
        return std::nullopt;
    const auto rated = rateOffers(demand, input.seed);
    const RatedOffer *const offer = rated ? rated->shown() : nullptr; // fails only if it is too large
    if (!offer)
        return std::nullopt;
    const GpuTime needed = std::accumulate(known.begin(), known.end(), GpuTime{});
    const CostTicks onDemand = static_cast<CostTicks>(offer->rates.onDemand) * needed.ticks;
    ProposalCurve out;
    out.shape = ProposalCurve::Shape::Levels;
    out.title = {RemarkText::CurveOfCommitment, {}};
    out.xAxis = {{RemarkText::CurveCommitted, {}}, CurveUnit::Machines, {}};
    out.yAxis = {{RemarkText::CurveCostPerMonth, {}}, CurveUnit::Amount, std::string(currency.code())};
    out.lines.push_back({out.yAxis.name, {}});
    const auto machinesOf = [](GpuTime level) {
        return static_cast<double>(level.ticks) / static_cast<double>(kTicksPerMachineHour);
    };
    for (const GpuTime level : curveLevels(known, *offer)) {
        const auto cost =
            commitmentPerMonth(onDemand - commitmentGain(known, level, offer->rates), known.size(), currency);
        if (!cost)
            return std::nullopt;
        out.x.push_back(machinesOf(level));
        out.lines.front().y.push_back(cost->toDouble());
    }
    if (offer->level.ticks > 0)
        out.marks.push_back(
            {{RemarkText::CurveCheapestLevel, {commitmentLevel(offer->level)}}, machinesOf(offer->level)});
    const auto now = commitmentPerMonth(onDemand, known.size(), currency);
    if (!now)
        return std::nullopt;
    out.reference = CurveReference{{RemarkText::CurveAllOnDemand, {}}, now->toDouble()};
    return out;
}

} // namespace

Result<std::optional<ProposalCurve>> commitmentCurve(const CommitmentInput &input, const std::string &id)
{
    const auto found = std::find_if(input.demand.begin(), input.demand.end(),
                                    [&](const CommitmentDemand &one) { return commitmentId(one) == id; });
    if (found == input.demand.end())
        return std::optional<ProposalCurve>();
    const CommitmentDemand demand = expectedDemand(*found, input.demandPercent);
    if (const auto fits = checkCommitmentDemand(demand); !fits) {
        if (fits.error().code == base::ErrorCode::Overflow)
            return std::optional<ProposalCurve>();
        return base::fail(fits.error());
    }
    return curveOfDemand(demand, input);
}

} // namespace gpuledger::savings
