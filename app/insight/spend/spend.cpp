// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/spend/spend.h"

#include "app/base/money/widemoney.h"
#include "app/store/values/billed.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gpuledger::insight {

using base::Money;
using base::Result;
using model::LedgerCategory;
using model::LedgerOrigin;

namespace {

enum Key { OfDay, State, Category, Service, GpuModel, Origin, Team };

SpendPart partOf(const LedgerRow &row)
{
    static constexpr std::array<std::string_view, SpendOther> kStates{"active", "idle", "unallocated", "unobserved"};
    if (row.keys[Category] != model::toString(LedgerCategory::Gpu))
        return SpendOther;
    const auto it = std::find(kStates.begin(), kStates.end(), row.keys[State]);
    return static_cast<SpendPart>(it - kStates.begin());
}

std::int64_t perHour(std::int64_t nanos, base::GpuTime time)
{
    __extension__ using WideRate = __int128;
    constexpr std::int64_t kTicksAnHour = base::GpuTime::kTicksPerSecond * 3600;
    return static_cast<std::int64_t>(WideRate{nanos} * kTicksAnHour / time.ticks);
}

class SpendSums {
public:
    SpendSums(base::Currency report, const LedgerAnswer &answer, base::UtcTime now)
        : m_report(report)
    {
        m_out.currency = report;
        m_out.billed = m_out.estimated = Money(0, report);
        for (base::Day day = base::dayOf(answer.range.start); day.start() < answer.range.end; ++day.number) {
            m_places[dayText(day)] = m_out.days.size();
            m_out.days.push_back({day, {}, day.end() + Spend::kFinalAfter <= now});
        }
    }

    Result<void> add(const LedgerRow &row)
    {
        if (row.currency != m_report) {
            m_out.hasOthers = m_out.hasOthers || !row.billed.isZero() || !row.effective.isZero();
            return {};
        }
        const bool billed = row.keys[Origin] == model::toString(LedgerOrigin::Billed);
        const Money amount = billed ? row.effective : row.allocated.value_or(row.priced);
        Money &total = billed ? m_out.billed : m_out.estimated;
        const auto sum = total.plus(amount);
        GPULEDGER_TRY(sum);
        total = *sum;
        Money &team = m_out.teams.try_emplace(row.keys[Team], Money(0, m_report)).first->second;
        const auto ofTeam = team.plus(amount);
        GPULEDGER_TRY(ofTeam);
        team = *ofTeam;
        GPULEDGER_TRY(addGroup(row, amount, billed));
        const SpendPart part = partOf(row);
        if (const auto it = m_places.find(row.keys[OfDay]); it != m_places.end())
            GPULEDGER_TRY(store::addAmount(m_out.days[it->second].parts[part], amount.nanos()));
        if (part == SpendOther && !amount.isZero())
            return store::addAmount(m_hidden[{row.keys[Category], row.keys[Service]}], amount.nanos());
        return billed ? addPrice(row) : Result<void>();
    }

    Result<Spend> take()
    {
        GPULEDGER_TRY(m_out.billed.plus(m_out.estimated)); // so that total() cannot overflow
        base::WideMoney all; // nor can a sum over groups
        for (const auto &[model, group] : m_out.groups)
            all.add(group.cost);
        all.add(m_out.other);
        if (!all.fits())
            return base::fail(base::ErrorCode::Overflow,
                              "a total is too large: it exceeds " + base::WideMoney::limitText()
                                  + " units of its currency");
        for (const auto &[key, nanos] : m_hidden) {
            if (nanos != 0)
                m_out.hidden.push_back({key.first, key.second, Money(nanos, m_report)});
        }
        std::stable_sort(m_out.hidden.begin(), m_out.hidden.end(),
                         [](const HiddenCost &a, const HiddenCost &b) { return a.amount.nanos() > b.amount.nanos(); });
        for (const auto &[model, price] : m_prices)
            putPrice(model, price);
        std::stable_sort(m_out.prices.begin(), m_out.prices.end(),
                         [](const UnitPrice &a, const UnitPrice &b) { return a.time.ticks > b.time.ticks; });
        return std::move(m_out);
    }

private:
    struct Price {
        base::GpuTime time;
        std::int64_t billed = 0, listed = 0;
    };

    Result<void> addGroup(const LedgerRow &row, const Money &amount, bool billed)
    {
        if (row.keys[Category] != model::toString(LedgerCategory::Gpu) || !row.hasGpuTime || !row.gpuTimeComplete)
            return store::addAmount(m_out.other, amount.nanos());
        Spend::Group &group = m_out.groups[row.keys[GpuModel]];
        const base::GpuTime time = billed || row.allocated ? row.gpuTime : row.gpuTime - row.unpriced;
        group.ticks += time.ticks;
        group.active += row.keys[State] == "active" ? time.ticks : 0;
        return store::addAmount(group.cost, amount.nanos());
    }

    // Only time that both the bill and the price book cover.
    Result<void> addPrice(const LedgerRow &row)
    {
        if (row.keys[GpuModel].empty() || !row.hasGpuTime || !row.gpuTimeComplete || !row.replaced
            || row.replaced->currency() != m_report || row.unpriced.ticks != 0)
            return {};
        Price &price = m_prices[row.keys[GpuModel]];
        price.time += row.gpuTime;
        GPULEDGER_TRY(store::addAmount(price.billed, row.effective.nanos()));
        return store::addAmount(price.listed, row.replaced->nanos());
    }

    void putPrice(const std::string &model, const Price &price)
    {
        if (price.time.ticks <= 0 || price.listed <= 0)
            return;
        const double difference = static_cast<double>(price.billed) / static_cast<double>(price.listed) - 1;
        m_out.prices.push_back({model, price.time, Money(perHour(price.billed, price.time), m_report),
                                Money(perHour(price.listed, price.time), m_report), difference,
                                difference > Spend::kFarOff || difference < -Spend::kFarOff});
    }

    base::Currency m_report;
    Spend m_out;
    std::map<std::string, std::size_t, std::less<>> m_places; // of days
    std::map<std::pair<std::string, std::string>, std::int64_t> m_hidden;
    std::map<std::string, Price> m_prices;
};

} // namespace

std::vector<LedgerDimension> spendDimensions()
{
    return {LedgerDimension::Day,      LedgerDimension::State,  LedgerDimension::Category, LedgerDimension::Service,
            LedgerDimension::GpuModel, LedgerDimension::Origin, LedgerDimension::Team};
}

base::TimeRange nearestDays(base::TimeRange range)
{
    const auto nearest = [](base::UtcTime t) { return base::floorTo(t + base::kDay / 2, base::kDay); };
    const base::TimeRange days{nearest(range.start), nearest(range.end)};
    const base::Day one = base::dayOf(range.start);
    return days.empty() ? base::TimeRange{one.start(), one.end()} : days;
}

Result<SpendChange> changeOf(const Spend &before, const Spend &after)
{
    const auto other = Money(after.other, after.currency).minus(Money(before.other, before.currency));
    GPULEDGER_TRY(other);
    GPULEDGER_TRY(after.total().minus(before.total()));
    const auto ofGroups = [](const Spend &spend) {
        std::int64_t sum = 0; // checked by take()
        for (const auto &[model, group] : spend.groups)
            sum += group.cost;
        return Money(sum, spend.currency);
    };
    GPULEDGER_TRY(ofGroups(after).minus(ofGroups(before)));
    std::map<std::string, CostGroup> groups;
    for (const auto &[model, group] : before.groups) {
        CostGroup &to = groups[model];
        to.hoursBefore = group.ticks;
        to.activeBefore = group.active;
        to.costBefore = group.cost;
    }
    for (const auto &[model, group] : after.groups) {
        CostGroup &to = groups[model];
        to.hoursAfter = group.ticks;
        to.activeAfter = group.active;
        to.costAfter = group.cost;
    }
    std::vector<CostGroup> list;
    for (const auto &[model, group] : groups)
        list.push_back(group);
    return SpendChange{explainChange(list), other->nanos()};
}

Result<Spend> spendOf(const LedgerAnswer &answer, base::Currency report, base::UtcTime now)
{
    SpendSums sums(report, answer, now);
    for (const LedgerRow &row : answer.rows)
        GPULEDGER_TRY(sums.add(row));
    return sums.take();
}

} // namespace gpuledger::insight
