// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/commitments/commitments.h"

#include "app/savings/commitments/commitmentchoice.h"
#include "app/savings/commitments/commitmentcurve.h"
#include "app/savings/commitments/commitmentlevel.h"
#include "app/savings/commitments/commitmenttext.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace gpuledger::savings {

using base::ErrorCode;
using base::GpuTime;
using base::Money;
using base::Result;

namespace {

constexpr std::size_t kLeastCommitmentWeeks = 2;
constexpr std::size_t kCommitmentSpreadWeeks = 3;
constexpr std::size_t kMostCommitmentHours = 50'000;

tl::unexpected<base::Error> demandTooLarge(const CommitmentDemand &demand)
{
    return base::fail(ErrorCode::Overflow, "the demand or the price of " + commitmentTarget(demand) + " is too large");
}

} // namespace

Result<void> checkCommitmentDemand(const CommitmentDemand &demand)
{
    for (const auto &hour : demand.hours) {
        if (hour && hour->ticks < 0)
            return base::fail(ErrorCode::InvalidArgument,
                              "the demand for " + commitmentTarget(demand) + " is negative");
        if (hour && hour->ticks > kMostMachineHours * kTicksPerMachineHour)
            return demandTooLarge(demand);
    }
    const bool fits = demand.hours.size() <= kMostCommitmentHours && demand.covered.ticks >= 0
        && demand.covered.ticks
            <= kMostMachineHours * kTicksPerMachineHour * static_cast<std::int64_t>(kMostCommitmentHours);
    if (!fits || demand.onDemand.nanosPerHour() > kMostRate)
        return demandTooLarge(demand);
    return {};
}

std::string commitmentId(const CommitmentDemand &demand)
{
    return "commitments:" + demand.cloud + '/' + demand.account + '/' + demand.region + '/' + demand.instanceType + '/'
        + std::string(demand.onDemand.currency().code());
}

// An amount that does not fit stays too large for checkCommitmentDemand().
CommitmentDemand expectedDemand(CommitmentDemand demand, int percent)
{
    constexpr CostTicks kLargest = std::numeric_limits<std::int64_t>::max();
    for (auto &hour : demand.hours) {
        if (hour && hour->ticks > 0)
            hour->ticks = static_cast<std::int64_t>(std::min(CostTicks{hour->ticks} * percent / 100, kLargest));
    }
    return demand;
}

namespace {

// What a proposal says of a demand before anything is computed.
Proposal commitmentProposal(const CommitmentDemand &demand)
{
    Proposal out;
    out.kind = Kind::Commitments;
    out.id = commitmentId(demand);
    out.target = commitmentTarget(demand);
    out.currency = std::string(demand.onDemand.currency().code());
    out.assumptions = demand.assumptions;
    out.resources = demand.resources;
    return out;
}

// One demand, and what would be bought for it.
class DemandCase {
public:
    DemandCase(const CommitmentDemand &demand, const CommitmentInput &input)
        : m_demand(demand)
        , m_demandPercent(input.demandPercent)
        , m_leastDays(input.leastDays)
        , m_seed(input.seed)
    {
        for (const auto &hour : demand.hours) {
            if (hour)
                m_known.push_back(*hour);
        }
        m_needed = std::accumulate(m_known.begin(), m_known.end(), GpuTime{});
    }

    Result<Proposal> take()
    {
        start();
        if (m_demand.onDemand.nanosPerHour() <= 0 || m_demand.onDemand.currency() == base::Currency()) {
            m_out.excludedBy = Remark{RemarkText::NoOnDemandPrice, {}};
            return std::move(m_out);
        }
        m_out.avoidable = monthOf(static_cast<CostTicks>(m_demand.onDemand.nanosPerHour()) * m_needed.ticks);
        if (!m_known.empty() && !m_out.avoidable)
            return demandTooLarge(m_demand);
        addEvidence(RemarkText::OnDemandPrice,
                    withSource({RemarkText::PerMachineHour, {rateTerm(m_demand.onDemand)}}, m_demand.onDemandSource));
        if (m_out.avoidable)
            addEvidence(RemarkText::OnDemandPerMonth, amountTerm(*m_out.avoidable));
        if (m_known.size() < static_cast<std::size_t>(m_leastDays) * 24) {
            m_out.excludedBy =
                Remark{RemarkText::DemandTooShort,
                       {countTerm(static_cast<std::int64_t>(m_known.size() / 24)), countTerm(m_leastDays)}};
            return std::move(m_out);
        }
        GPULEDGER_TRY(chooseOffer());
        if (m_best)
            project();
        return std::move(m_out);
    }

private:
    std::optional<Money> monthOf(CostTicks total) const
    {
        return commitmentPerMonth(total, m_known.size(), m_demand.onDemand.currency());
    }
    static RemarkTerm withSource(Remark remark, const std::optional<RemarkTerm> &source)
    {
        return source ? remarkTerm({RemarkText::WithSource, {remarkTerm(std::move(remark)), *source}})
                      : remarkTerm(std::move(remark));
    }
    void addEvidence(RemarkText label, RemarkTerm value) { m_out.evidence.push_back({{label, {}}, std::move(value)}); }

    void start()
    {
        m_out = commitmentProposal(m_demand);
        m_out.assumptions.push_back({"demand-change", std::to_string(m_demandPercent - 100) + "%"});
        m_out.assumptions.push_back({"least-days", std::to_string(m_leastDays)});
        m_out.risks.push_back({RemarkText::StopIdleFirst, {}});
        for (const Remark &risk : m_demand.risks)
            m_out.risks.push_back(risk);
        addEvidence(RemarkText::MachineHoursOnDemand, hoursTerm(m_needed));
        if (const auto before = commitmentCoverage(m_demand.covered, m_demand.covered + m_needed))
            addEvidence(RemarkText::CoverageNow, shareTerm(*before));
        if (m_demand.unusedPerMonth.nanos() > 0)
            m_out.risks.push_back({RemarkText::UnusedCommitments, {amountTerm(m_demand.unusedPerMonth)}});
    }

    Result<void> chooseOffer()
    {
        auto rated = rateOffers(m_demand, m_seed);
        GPULEDGER_TRY(rated);
        m_rated = std::move(*rated);
        if (m_rated.best)
            m_best = &m_rated.all[*m_rated.best];
        listOffers();
        if (!m_best)
            refuse(m_rated.shown());
        return {};
    }

    // The best one, then the others by falling p50.
    void listOffers()
    {
        std::vector<const RatedOffer *> others;
        for (const RatedOffer &one : m_rated.all)
            others.push_back(&one);
        std::stable_sort(others.begin(), others.end(), [&](const RatedOffer *a, const RatedOffer *b) {
            return std::tuple(a != m_best, b->perMonth.p50.nanos()) < std::tuple(b != m_best, a->perMonth.p50.nanos());
        });
        for (const RatedOffer *one : others)
            addOffer(
                *one->offer,
                {RemarkText::OfferSaves,
                 {rateTerm(one->offer->perMachineHour), commitmentLevel(one->level), amountTerm(one->perMonth.p50)}});
        for (const CommitmentOffer *other : m_rated.otherCurrency)
            addOffer(*other, {RemarkText::OfferOtherCurrency, {rateTerm(other->perMachineHour)}});
    }

    // Beside the best one, the others are alternatives.
    void addOffer(const CommitmentOffer &offer, Remark price)
    {
        const bool isFirst = !m_best || m_offers == 0;
        const int number = m_best ? std::max(m_offers, 1) : m_offers + 1;
        ++m_offers;
        m_out.evidence.push_back(
            {{isFirst ? RemarkText::OfferNumber : RemarkText::OfferAlternative,
              {countTerm(number), commitmentTerms(offer)}},
             withSource(std::move(price), offer.source ? std::optional(remarkTerm(*offer.source)) : std::nullopt)});
    }

    void refuse(const RatedOffer *cheapest)
    {
        const bool otherCurrency = !m_rated.otherCurrency.empty();
        if (!cheapest && !otherCurrency && m_demand.whyNoOffers) {
            m_out.excludedBy = m_demand.whyNoOffers;
            return;
        }
        if (!cheapest) {
            m_out.excludedBy = Remark{otherCurrency ? RemarkText::OtherCurrency : RemarkText::NoCommittedPrice, {}};
            return;
        }
        m_out.perMonth = cheapest->perMonth; // nothing
        const bool isCheaper = cheapest->rates.committed < cheapest->rates.onDemand;
        m_out.excludedBy = Remark{isCheaper ? RemarkText::DemandTooUneven : RemarkText::NotCheaperThanOnDemand, {}};
    }

    void project()
    {
        if (m_rated.weeks < kLeastCommitmentWeeks) {
            m_out.excludedBy = Remark{RemarkText::TooFewWeeks, {}};
            return;
        }
        m_out.perMonth = m_best->perMonth;
        const bool hasSpread = m_rated.weeks >= kCommitmentSpreadWeeks;
        if (hasSpread) {
            m_out.assumptions.push_back({"resampled-weeks", std::to_string(m_rated.weeks)});
            m_out.assumptions.push_back({"seed", std::to_string(m_seed)});
        } else {
            m_out.risks.push_back({RemarkText::FewWeeks, {}});
        }
        addAfter();
        addBreakEven();
        const Money perHour(static_cast<std::int64_t>(static_cast<CostTicks>(m_best->rates.committed)
                                                      * m_best->level.ticks / kTicksPerMachineHour),
                            m_demand.onDemand.currency());
        m_out.how = commitmentPurchase(m_demand, *m_best->offer, m_best->level, perHour);
        if (m_out.perMonth->p50.nanos() <= 0)
            m_out.excludedBy = Remark{hasSpread ? RemarkText::HalfTheWeeksSaveNothing : RemarkText::SavedNothing, {}};
    }

    // Coverage, utilization and effective savings rate with the commitment, and the last also without it.
    void addAfter()
    {
        GpuTime used;
        for (const GpuTime hour : m_known)
            used += std::min(hour, m_best->level);
        const GpuTime bought{m_best->level.ticks * static_cast<std::int64_t>(m_known.size())};
        const GpuTime all = m_demand.covered + m_needed;
        addEvidence(RemarkText::LevelInMachines, commitmentLevel(m_best->level));
        if (const auto after = commitmentCoverage(m_demand.covered + used, all))
            addEvidence(RemarkText::CoverageThen, shareTerm(*after));
        if (const auto share = commitmentUtilization(used, bought))
            addEvidence(RemarkText::UtilizationOfNew, shareTerm(*share));
        const auto equivalent = m_demand.onDemand.times(all);
        const auto demanded = m_demand.onDemand.times(m_needed);
        const auto rest = m_demand.onDemand.times(m_needed - used);
        const auto fee = m_best->offer->perMachineHour.times(bought);
        if (!equivalent || !demanded || !rest || !fee || m_demand.coveredCost.nanos() < 0)
            return;
        const auto before = demanded->plus(m_demand.coveredCost);
        const auto bare = rest->plus(*fee);
        if (!before || !bare)
            return;
        const auto after = bare->plus(m_demand.coveredCost);
        if (!after)
            return;
        if (const auto rate = effectiveSavingsRate(*before, *equivalent))
            addEvidence(RemarkText::SavingsRateNow, shareTerm(*rate));
        if (const auto rate = effectiveSavingsRate(*after, *equivalent))
            addEvidence(RemarkText::SavingsRateThen, shareTerm(*rate));
    }

    void addBreakEven()
    {
        const auto loss = tolerableLoss(m_known, m_best->level, m_best->rates);
        const auto term = leastTermShare(m_known, m_best->level, m_best->rates);
        if (!loss || !term)
            return;
        addEvidence(RemarkText::BreakEvenLoss, shareTerm(*loss));
        addEvidence(RemarkText::BreakEvenTerm, shareTerm(*term));
        m_out.risks.push_back({RemarkText::CostsMoreIf, {shareTerm(*loss), shareTerm(*term)}});
    }

    const CommitmentDemand &m_demand;
    const int m_demandPercent;
    const std::int64_t m_leastDays;
    const std::uint64_t m_seed;
    std::vector<GpuTime> m_known;
    GpuTime m_needed;
    RatedOffers m_rated;
    const RatedOffer *m_best = nullptr; // of these; null: none saves anything
    int m_offers = 0; // in the evidence, where each label is unique
    Proposal m_out;
};

Result<Proposal> demandProposal(const CommitmentDemand &past, const CommitmentInput &input)
{
    const CommitmentDemand demand = expectedDemand(past, input.demandPercent);
    GPULEDGER_TRY(checkCommitmentDemand(demand));
    return DemandCase(demand, input).take();
}

std::optional<double> commitmentRatio(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? std::optional(static_cast<double>(part) / static_cast<double>(whole)) : std::nullopt;
}

} // namespace

std::optional<double> commitmentCoverage(GpuTime used, GpuTime needed)
{
    return commitmentRatio(used.ticks, needed.ticks);
}

std::optional<double> commitmentUtilization(GpuTime used, GpuTime bought)
{
    return commitmentRatio(used.ticks, bought.ticks);
}

std::optional<double> effectiveSavingsRate(const Money &paid, const Money &onDemandEquivalent)
{
    if (paid.currency() != onDemandEquivalent.currency())
        return std::nullopt;
    const auto share = commitmentRatio(paid.nanos(), onDemandEquivalent.nanos());
    return share ? std::optional(1 - *share) : std::nullopt;
}

Result<std::vector<Proposal>> proposeCommitments(const CommitmentInput &input)
{
    std::vector<Proposal> all;
    for (const CommitmentDemand &demand : input.demand) {
        auto one = demandProposal(demand, input);
        if (!one && one.error().code == ErrorCode::Overflow) {
            one = commitmentProposal(demand);
            one->excludedBy = Remark{RemarkText::TooLargeToCompute, {}};
        }
        GPULEDGER_TRY(one);
        all.push_back(std::move(*one));
    }
    for (const ExistingCommitment &existing : input.existing) {
        auto one = existingProposal(existing, input.until);
        GPULEDGER_TRY(one);
        all.push_back(std::move(*one));
    }
    return all;
}

} // namespace gpuledger::savings
