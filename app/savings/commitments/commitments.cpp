// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/commitments/commitments.h"

#include "app/savings/commitments/commitmentcurve.h"
#include "app/savings/commitments/commitmentlevel.h"
#include "app/savings/commitments/commitmenttext.h"
#include "app/savings/proposals/seededrandom.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

namespace gpuledger::savings {

using base::ErrorCode;
using base::GpuTime;
using base::Money;
using base::Result;

namespace {

constexpr std::size_t kCommitmentWeek = 7 * 24;
constexpr std::size_t kLeastCommitmentWeeks = 2;
constexpr std::size_t kCommitmentSpreadWeeks = 3;
constexpr std::size_t kMostCommitmentHours = 50'000;
constexpr std::array<double, 3> kCommitmentBand{0.1, 0.5, 0.9};

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
            GPULEDGER_TRY(project());
        return std::move(m_out);
    }

private:
    struct Choice {
        const CommitmentOffer *offer = nullptr;
        CommitmentRates rates;
        GpuTime level;
        CostTicks gain = 0;
    };

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
        m_out.risks.insert(m_out.risks.end(), m_demand.risks.begin(), m_demand.risks.end());
        addEvidence(RemarkText::MachineHoursOnDemand, hoursTerm(m_needed));
        if (const auto before = commitmentCoverage(m_demand.covered, m_demand.covered + m_needed))
            addEvidence(RemarkText::CoverageNow, shareTerm(*before));
        if (m_demand.unusedPerMonth.nanos() > 0)
            m_out.risks.push_back({RemarkText::UnusedCommitments, {amountTerm(m_demand.unusedPerMonth)}});
    }

    // The offer that saves most; of equals, the first.
    Result<void> chooseOffer()
    {
        const CommitmentOffer *cheapest = nullptr;
        bool otherCurrency = false;
        for (const CommitmentOffer &offer : m_demand.offers) {
            const std::int64_t rate = offer.perMachineHour.nanosPerHour();
            if (rate <= 0)
                continue;
            if (offer.perMachineHour.currency() != m_demand.onDemand.currency()) {
                otherCurrency = true;
                continue;
            }
            if (rate > kMostRate)
                return demandTooLarge(m_demand);
            if (!cheapest || rate < cheapest->perMachineHour.nanosPerHour())
                cheapest = &offer;
            Choice choice{&offer, {m_demand.onDemand.nanosPerHour(), rate}, {}, 0};
            choice.level = cheapestLevel(m_known, choice.rates, offer.whole);
            choice.gain = commitmentGain(m_known, choice.level, choice.rates);
            addOffer(choice);
            if (choice.level.ticks > 0 && (!m_best || choice.gain > m_best->gain))
                m_best = choice;
        }
        if (!m_best)
            refuse(cheapest, otherCurrency);
        return {};
    }

    void addOffer(const Choice &choice)
    {
        const auto saved = monthOf(choice.gain);
        Remark price{saved ? RemarkText::OfferSaves : RemarkText::OfferLevel,
                     {rateTerm(choice.offer->perMachineHour), commitmentLevel(choice.level)}};
        if (saved)
            price.terms.push_back(amountTerm(*saved));
        const auto &source = choice.offer->source;
        m_out.evidence.push_back(
            {{RemarkText::OfferNumber, {countTerm(++m_offers), commitmentTerms(*choice.offer)}},
             withSource(std::move(price), source ? std::optional(remarkTerm(*source)) : std::nullopt)});
    }

    void refuse(const CommitmentOffer *cheapest, bool otherCurrency)
    {
        if (!cheapest && !otherCurrency && m_demand.whyNoOffers) {
            m_out.excludedBy = m_demand.whyNoOffers;
            return;
        }
        if (!cheapest) {
            m_out.excludedBy = Remark{otherCurrency ? RemarkText::OtherCurrency : RemarkText::NoCommittedPrice, {}};
            return;
        }
        const Money none(0, m_demand.onDemand.currency());
        m_out.perMonth = MoneyBand{none, none, none};
        const bool isCheaper = cheapest->perMachineHour.nanosPerHour() < m_demand.onDemand.nanosPerHour();
        m_out.excludedBy = Remark{isCheaper ? RemarkText::DemandTooUneven : RemarkText::NotCheaperThanOnDemand, {}};
    }

    // Whole weeks, counted from the end; what is left over at the start is in the level, but in no week.
    struct Week {
        CostTicks gain = 0;
        std::size_t hours = 0;
    };
    std::vector<Week> weeks() const
    {
        std::vector<Week> all;
        for (std::size_t end = m_demand.hours.size(); end >= kCommitmentWeek; end -= kCommitmentWeek) {
            std::vector<GpuTime> known;
            for (std::size_t i = end - kCommitmentWeek; i < end; ++i) {
                if (m_demand.hours[i])
                    known.push_back(*m_demand.hours[i]);
            }
            if (!known.empty())
                all.push_back({commitmentGain(known, m_best->level, m_best->rates), known.size()});
        }
        return all;
    }

    // The mean of all hours.
    Result<MoneyBand> flatBand() const
    {
        const auto month = monthOf(m_best->gain);
        if (!month)
            return demandTooLarge(m_demand);
        const Money mean(std::min(month->nanos(), m_out.avoidable->nanos()), m_demand.onDemand.currency());
        return MoneyBand{mean, mean, mean};
    }

    // Nearest rank. Never above what is paid.
    Result<MoneyBand> band(const std::vector<Week> &all) const
    {
        if (all.size() < kCommitmentSpreadWeeks)
            return flatBand();
        std::vector<std::int64_t> months;
        for (int draw = 0; draw < kCommitmentDraws; ++draw) {
            SeededRandom random(m_seed, static_cast<std::uint64_t>(draw));
            Week sum;
            for (std::size_t i = 0; i < all.size(); ++i) {
                const auto drawn = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(all.size())));
                sum.gain += all[drawn].gain;
                sum.hours += all[drawn].hours;
            }
            const auto month = commitmentPerMonth(sum.gain, sum.hours, m_demand.onDemand.currency());
            if (!month)
                return demandTooLarge(m_demand);
            months.push_back(std::min(month->nanos(), m_out.avoidable->nanos()));
        }
        std::sort(months.begin(), months.end());
        const auto at = [&](double share) {
            const auto rank = static_cast<std::size_t>(share * kCommitmentDraws + 0.5);
            return Money(months[rank - 1], m_demand.onDemand.currency());
        };
        return MoneyBand{at(kCommitmentBand[0]), at(kCommitmentBand[1]), at(kCommitmentBand[2])};
    }

    Result<void> project()
    {
        const std::vector<Week> all = weeks();
        if (all.size() < kLeastCommitmentWeeks) {
            m_out.excludedBy = Remark{RemarkText::TooFewWeeks, {}};
            return {};
        }
        auto saved = band(all);
        GPULEDGER_TRY(saved);
        m_out.perMonth = *saved;
        const bool hasSpread = all.size() >= kCommitmentSpreadWeeks;
        if (hasSpread) {
            m_out.assumptions.push_back({"resampled-weeks", std::to_string(all.size())});
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
        if (saved->p50.nanos() <= 0)
            m_out.excludedBy = Remark{hasSpread ? RemarkText::HalfTheWeeksSaveNothing : RemarkText::SavedNothing, {}};
        return {};
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
    std::optional<Choice> m_best;
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
