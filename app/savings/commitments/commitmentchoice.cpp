// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/commitments/commitmentchoice.h"

#include "app/savings/commitments/commitmenttext.h"
#include "app/savings/proposals/seededrandom.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

namespace gpuledger::savings {

using base::GpuTime;
using base::Money;
using base::Result;

namespace {

constexpr std::size_t kRatedWeek = 7 * 24;
constexpr std::size_t kRatedSpreadWeeks = 3;
constexpr std::array<double, 3> kRatedBand{0.1, 0.5, 0.9};

class OfferRating {
public:
    OfferRating(const CommitmentDemand &demand, std::uint64_t seed)
        : m_demand(demand)
        , m_seed(seed)
    {
        for (const auto &hour : demand.hours) {
            if (hour)
                m_known.push_back(*hour);
        }
        // Whole weeks, counted from the end; what is left over at the start is in the level, but in no week.
        for (std::size_t end = demand.hours.size(); end >= kRatedWeek; end -= kRatedWeek) {
            std::vector<GpuTime> known;
            for (std::size_t i = end - kRatedWeek; i < end; ++i) {
                if (demand.hours[i])
                    known.push_back(*demand.hours[i]);
            }
            if (!known.empty())
                m_weeks.push_back(std::move(known));
        }
    }

    Result<RatedOffers> take()
    {
        RatedOffers out;
        out.weeks = m_weeks.size();
        for (const CommitmentOffer &offer : m_demand.offers) {
            const std::int64_t rate = offer.perMachineHour.nanosPerHour();
            if (rate <= 0)
                continue;
            if (offer.perMachineHour.currency() != m_demand.onDemand.currency()) {
                out.otherCurrency.push_back(&offer);
                continue;
            }
            if (rate > kMostRate)
                return ratingTooLarge();
            auto one = rated(offer);
            GPULEDGER_TRY(one);
            const auto orderOf = [](const RatedOffer &of) { return std::tuple(of.perMonth.p50.nanos(), of.gain); };
            if (one->level.ticks > 0 && (!out.best || orderOf(out.all[*out.best]) < orderOf(*one)))
                out.best = out.all.size();
            out.all.push_back(*one);
        }
        return out;
    }

private:
    tl::unexpected<base::Error> ratingTooLarge() const
    {
        return base::fail(base::ErrorCode::Overflow,
                          "the demand or the price of " + commitmentTarget(m_demand) + " is too large");
    }

    Result<RatedOffer> rated(const CommitmentOffer &offer)
    {
        RatedOffer one{&offer, {m_demand.onDemand.nanosPerHour(), offer.perMachineHour.nanosPerHour()}, {}, 0, {}};
        const Money none(0, m_demand.onDemand.currency());
        one.perMonth = {none, none, none};
        one.level = cheapestLevel(m_known, one.rates, offer.whole);
        if (one.level.ticks == 0)
            return one;
        one.gain = commitmentGain(m_known, one.level, one.rates);
        const auto paid = commitmentPerMonth(static_cast<CostTicks>(one.rates.onDemand) * neededTicks(), m_known.size(),
                                             m_demand.onDemand.currency());
        if (!paid)
            return ratingTooLarge();
        const auto band = bandOf(one, *paid);
        GPULEDGER_TRY(band);
        one.perMonth = *band;
        return one;
    }

    std::int64_t neededTicks() const { return std::accumulate(m_known.begin(), m_known.end(), GpuTime{}).ticks; }

    // The mean of all hours, or the nearest rank among resampled weeks.
    Result<MoneyBand> bandOf(const RatedOffer &one, const Money &paid)
    {
        const base::Currency currency = paid.currency();
        if (m_weeks.size() < kRatedSpreadWeeks) {
            const auto month = commitmentPerMonth(one.gain, m_known.size(), currency);
            if (!month)
                return ratingTooLarge();
            const Money mean(std::min(month->nanos(), paid.nanos()), currency);
            return MoneyBand{mean, mean, mean};
        }
        std::vector<CostTicks> gains;
        for (const std::vector<GpuTime> &week : m_weeks)
            gains.push_back(commitmentGain(week, one.level, one.rates));
        const std::vector<std::size_t> &drawn = drawnWeeks();
        std::vector<std::int64_t> months;
        for (std::size_t at = 0; at < drawn.size();) {
            CostTicks gain = 0;
            std::size_t hours = 0;
            for (std::size_t i = 0; i < m_weeks.size(); ++i, ++at) {
                gain += gains[drawn[at]];
                hours += m_weeks[drawn[at]].size();
            }
            const auto month = commitmentPerMonth(gain, hours, currency);
            if (!month)
                return ratingTooLarge();
            months.push_back(std::min(month->nanos(), paid.nanos()));
        }
        std::sort(months.begin(), months.end());
        const auto rankOf = [&](double share) {
            const auto rank = static_cast<std::size_t>(share * kCommitmentDraws + 0.5);
            return Money(months[rank - 1], currency);
        };
        return MoneyBand{rankOf(kRatedBand[0]), rankOf(kRatedBand[1]), rankOf(kRatedBand[2])};
    }

    // The same weeks for all offers: kCommitmentDraws times as many as there are.
    const std::vector<std::size_t> &drawnWeeks()
    {
        for (int draw = 0; m_drawn.size() < kCommitmentDraws * m_weeks.size(); ++draw) {
            SeededRandom random(m_seed, static_cast<std::uint64_t>(draw));
            for (std::size_t i = 0; i < m_weeks.size(); ++i)
                m_drawn.push_back(static_cast<std::size_t>(random.below(static_cast<std::int64_t>(m_weeks.size()))));
        }
        return m_drawn;
    }

    const CommitmentDemand &m_demand;
    const std::uint64_t m_seed;
    std::vector<GpuTime> m_known;
    std::vector<std::vector<GpuTime>> m_weeks; // known hours
    std::vector<std::size_t> m_drawn; // empty: not needed so far
};

} // namespace

const RatedOffer *RatedOffers::shown() const
{
    if (best)
        return &all[*best];
    const auto cheapest = std::min_element(all.begin(), all.end(), [](const RatedOffer &a, const RatedOffer &b) {
        return a.rates.committed < b.rates.committed;
    });
    return cheapest == all.end() ? nullptr : &*cheapest;
}

Result<RatedOffers> rateOffers(const CommitmentDemand &demand, std::uint64_t seed)
{
    return OfferRating(demand, seed).take();
}

} // namespace gpuledger::savings
