// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/commitments/commitmentchoice.h"
#include "app/savings/commitments/commitmentcurve.h"
#include "app/savings/commitments/commitments.h"

#include <algorithm>
#include <utility>

namespace gpuledger::savings {

using base::GpuTime;
using base::Result;

namespace {

constexpr std::size_t kBasisSpreadWeeks = 3;

// Amounts by hour that add up to the whole amount, rounded down.
class WholeNanos {
public:
    std::int64_t next(CostTicks amount)
    {
        m_sum += amount;
        CostTicks whole = m_sum / kTicksPerMachineHour;
        whole -= m_sum % kTicksPerMachineHour < 0 ? 1 : 0;
        return static_cast<std::int64_t>(whole - std::exchange(m_given, whole));
    }

private:
    CostTicks m_sum = 0, m_given = 0;
};

// Whole weeks from the end of which an hour is known, as the engine resamples them; with few there is no spread.
base::Result<void> addKnownWeeks(ProposalBasis &out, const HourlyDemand &demand, const std::vector<std::int64_t> &saved)
{
    constexpr std::size_t kWeek = 168;
    for (std::size_t end = demand.size(); end >= kWeek; end -= kWeek) {
        std::int64_t sum = 0;
        bool known = false;
        for (std::size_t i = end - kWeek; i < end; ++i) {
            known = known || demand[i].has_value();
            if (__builtin_add_overflow(sum, saved[i], &sum))
                return base::fail(base::ErrorCode::Overflow, "an amount of a proposal is too large");
        }
        if (known)
            out.weeks.push_back(sum);
    }
    if (out.weeks.size() < kBasisSpreadWeeks)
        out.weeks.clear();
    return {};
}

} // namespace

Result<std::optional<ProposalBasis>> commitmentBasis(const CommitmentInput &input, const std::string &id)
{
    const auto past = std::find_if(input.demand.begin(), input.demand.end(),
                                   [&](const CommitmentDemand &one) { return commitmentId(one) == id; });
    if (past == input.demand.end())
        return std::optional<ProposalBasis>();
    const CommitmentDemand demand = expectedDemand(*past, input.demandPercent);
    if (!checkCommitmentDemand(demand))
        return std::optional<ProposalBasis>();
    std::vector<GpuTime> known;
    for (const auto &hour : demand.hours) {
        if (hour)
            known.push_back(*hour);
    }
    if (demand.onDemand.nanosPerHour() <= 0)
        return std::optional<ProposalBasis>();
    const auto rated = rateOffers(demand, input.seed);
    const RatedOffer *const offer = rated ? rated->shown() : nullptr; // fails only if it is too large
    if (!offer)
        return std::optional<ProposalBasis>();
    BasisHours hours(demand.hours.size());
    WholeNanos paid, saved, spend;
    for (std::size_t i = 0; i < demand.hours.size(); ++i) {
        if (!demand.hours[i])
            continue;
        const GpuTime covered = std::min(*demand.hours[i], offer->level);
        const CostTicks cost = CostTicks{offer->rates.onDemand} * covered.ticks;
        hours.paid[i] = paid.next(cost);
        hours.saved[i] = saved.next(cost - CostTicks{offer->rates.committed} * offer->level.ticks);
        hours.spend[i] = spend.next(CostTicks{offer->rates.onDemand} * demand.hours[i]->ticks);
        hours.time[i] = covered;
    }
    ProposalBasis out;
    out.currency = demand.onDemand.currency();
    out.hours = static_cast<std::int64_t>(known.size());
    const auto unitsOf = [](std::int64_t nanos) {
        return static_cast<double>(nanos) / static_cast<double>(base::Money::kNanosPerUnit);
    };
    out.inputs = {
        {"level", static_cast<double>(offer->level.ticks) / static_cast<double>(kTicksPerMachineHour), "machines"},
        {"on-demand price", unitsOf(offer->rates.onDemand), "per h"},
        {"committed price", unitsOf(offer->rates.committed), "per h"}};
    GPULEDGER_TRY(addDays(out, input.from, hours, "covered", demand.instanceType));
    GPULEDGER_TRY(addKnownWeeks(out, demand.hours, hours.saved));
    return std::optional(std::move(out));
}

} // namespace gpuledger::savings
