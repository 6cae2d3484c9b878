// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/spend/claimedsavings.h"

#include "app/base/remedy.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/services/engine/engine.h"
#include "app/services/spend/ledgeranswers.h"
#include "app/store/facts/factreader.h"
#include "app/store/values/billed.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace gpuledger::services {

using base::Day;
using base::Result;
using insight::LedgerDimension;
using model::SavingsClaim;

namespace {

constexpr int kUnsettledDays = 2; // the newest ones of a bill

// The days of each bill, by source.
class BillDays {
public:
    // From `first` to `last`: days with lines for use of that day. A fee for a month says nothing of its days.
    static Result<BillDays> read(Engine &engine, Day first, Day last, const std::stop_token &stop)
    {
        const auto facts = engine.cache().facts();
        GPULEDGER_TRY(facts);
        BillDays out;
        for (Day day = first; day <= last; ++day.number) {
            if (stop.stop_requested())
                return base::fail(base::ErrorCode::Cancelled, "stopped");
            GPULEDGER_TRY((*facts)->billedOn(day, [&](const store::BilledItem &billed) -> Result<void> {
                if (billed.covers)
                    out.m_days[billed.source].insert(day);
                return {};
            }));
        }
        return out;
    }
    // Whether the source has all of these days, and bills of days after them.
    bool hasAll(const std::string &source, const base::TimeRange &days) const
    {
        const auto known = m_days.find(source);
        if (known == m_days.end())
            return false;
        for (Day day = base::dayOf(days.start); day.start() < days.end; ++day.number) {
            if (!known->second.contains(day))
                return false;
        }
        const Day settled{base::dayOf(days.end - base::Seconds{1}).number + kUnsettledDays};
        return *known->second.rbegin() >= settled;
    }

private:
    std::map<std::string, std::set<Day>> m_days;
};

// What the bill has of a scope on some days.
struct ScopeCost {
    ClaimedCost cost;
    std::set<std::string> sources;
    bool isConverted = true;
};

Result<insight::LedgerQuery> queryOf(const SavingsClaim &claim, const base::TimeRange &days, base::Currency currency)
{
    insight::LedgerQuery query;
    query.range = days;
    query.by = {LedgerDimension::Source};
    query.showIn = currency;
    query.include[LedgerDimension::Origin] = {std::string(toString(model::LedgerOrigin::Billed))};
    for (const auto &[name, value] : claim.scope) {
        const auto dimension = insight::ledgerDimensionFromString(name);
        if (!dimension)
            return base::fail(base::ErrorCode::Internal, "the ledger does not tell costs apart by " + name);
        query.include[*dimension].push_back(value);
    }
    return query;
}

Result<ScopeCost> scopeCost(const insight::LedgerAnswer &answer, const insight::LedgerQuery &query,
                            model::CostView view)
{
    const base::Currency currency = *query.showIn;
    ScopeCost out;
    out.cost.days = query.range;
    out.cost.cost = base::Money(0, currency);
    double hours = 0;
    bool hasHours = true;
    for (const insight::LedgerRow &row : answer.rows) {
        if (row.keys[0].empty()) // on no bill
            continue;
        out.sources.insert(row.keys[0]);
        if (row.currency != currency) {
            out.isConverted = false;
            continue;
        }
        const auto sum = out.cost.cost.plus(view == model::CostView::Billed ? row.billed : row.effective);
        GPULEDGER_TRY(sum);
        out.cost.cost = *sum;
        hasHours = hasHours && row.gpuTimeComplete;
        hours += static_cast<double>(row.gpuTime.ticks) / (3600.0 * base::GpuTime::kTicksPerSecond);
    }
    if (hasHours)
        out.cost.gpuHours = hours;
    return out;
}

// What the bills have of many scopes. Those of the same days are read in one pass.
class ScopeCosts {
public:
    // Its cost is at the returned place after read().
    Result<std::size_t> ask(const SavingsClaim &claim, const base::TimeRange &days, base::Currency currency)
    {
        auto query = queryOf(claim, days, currency);
        GPULEDGER_TRY(query);
        m_queries.push_back(std::move(*query));
        return m_queries.size() - 1;
    }

    Result<void> read(Engine &engine, model::CostView view, const std::stop_token &stop)
    {
        m_costs.resize(m_queries.size());
        std::vector<bool> isDone(m_queries.size());
        for (std::size_t first = 0; first < m_queries.size(); ++first) {
            if (isDone[first])
                continue;
            if (stop.stop_requested())
                return base::fail(base::ErrorCode::Cancelled, "stopped");
            std::vector<std::size_t> places;
            std::vector<insight::LedgerQuery> together;
            for (std::size_t i = first; i < m_queries.size(); ++i) {
                if (isDone[i] || !isOnePass(m_queries[first], m_queries[i]))
                    continue;
                isDone[i] = true;
                places.push_back(i);
                together.push_back(m_queries[i]);
            }
            const auto answers = ledgersOf(engine.cache(), engine.setup(), together);
            GPULEDGER_TRY(answers);
            for (std::size_t i = 0; i < places.size(); ++i) {
                auto cost = scopeCost((*answers)[i], together[i], view);
                GPULEDGER_TRY(cost);
                m_costs[places[i]] = std::move(*cost);
            }
        }
        return {};
    }

    const ScopeCost &at(std::size_t place) const { return m_costs[place]; }

private:
    // See ledgersOf().
    static bool isOnePass(const insight::LedgerQuery &a, const insight::LedgerQuery &b)
    {
        return a.range == b.range && insight::detailOf(a) == insight::detailOf(b);
    }

    std::vector<insight::LedgerQuery> m_queries;
    std::vector<ScopeCost> m_costs; // parallel to the queries
};

std::size_t daysIn(const SavingsClaim &claim)
{
    return static_cast<std::size_t>(claim.last.number - claim.first.number) + 1;
}

base::TimeRange daysOf(const SavingsClaim &claim)
{
    return {claim.first.start(), claim.last.end()};
}

base::TimeRange daysBefore(Day begin, const SavingsClaim &claim)
{
    return {Day{begin.number - static_cast<std::int32_t>(daysIn(claim))}.start(), begin.start()};
}

Result<void> compare(ClaimRow &row, const ScopeCost &before, const ScopeCost &since, const BillDays &bills)
{
    std::set<std::string> sources = before.sources;
    sources.insert(since.sources.begin(), since.sources.end());
    const bool hasDays = std::all_of(sources.begin(), sources.end(), [&](const std::string &source) {
        return bills.hasAll(source, before.cost.days) && bills.hasAll(source, since.cost.days);
    });
    row.gap = sources.empty()                       ? ClaimGap::NotBilled
        : !hasDays                                  ? ClaimGap::MissingDays
        : !before.isConverted || !since.isConverted ? ClaimGap::NoRate
                                                    : ClaimGap::None;
    if (row.gap != ClaimGap::None)
        return {};
    const auto fell = before.cost.cost.minus(since.cost.cost);
    GPULEDGER_TRY(fell);
    row.fell = *fell;
    row.before = before.cost;
    row.since = since.cost;
    return {};
}

Result<std::vector<ClaimRow>> readRows(Engine &engine, const std::stop_token &stop)
{
    std::vector<ClaimRow> rows;
    bool isAny = false;
    if (engine.reportMonth()) // its sources are those of another computer
        return base::fail(base::ErrorCode::NotFound, "a report has no claims", base::Remedy::UseReportOrigin);
    for (const model::SourceSettings &source : engine.setup().settings.sources) {
        if (!source.mayRead || !engine.kindOf(source).tellsClaims())
            continue;
        isAny = true;
        const auto reader = engine.catalog().createClaims(source, engine.secrets(), engine.clock());
        GPULEDGER_TRY(reader);
        auto claims = (*reader)->read(stop);
        if (!claims)
            return base::fail(std::move(claims).error().withSource(source.name));
        for (SavingsClaim &claim : *claims) {
            const auto saved = claim.saved.toMoney(claim.currency.value_or(engine.setup().settings.currency));
            GPULEDGER_TRY(saved);
            rows.push_back({source.name, std::move(claim), *saved});
        }
    }
    if (!isAny)
        return base::fail(base::ErrorCode::NotFound, "no source tells claims", base::Remedy::AddClaims);
    return rows;
}

} // namespace

Result<ClaimsAnswer> claimedSavings(Engine &engine, model::CostView view, const std::stop_token &stop)
{
    auto rows = readRows(engine, stop);
    GPULEDGER_TRY(rows);
    ClaimsAnswer answer{std::move(*rows)};
    std::stable_sort(answer.rows.begin(), answer.rows.end(), [](const ClaimRow &a, const ClaimRow &b) {
        return std::tie(a.source, a.claim.tool, a.claim.scope, a.claim.first, a.claim.last, a.claim.what)
            < std::tie(b.source, b.claim.tool, b.claim.scope, b.claim.first, b.claim.last, b.claim.what);
    });
    std::map<std::tuple<std::string, std::string, std::vector<std::pair<std::string, std::string>>>, Day> begins;
    std::optional<std::pair<Day, Day>> all;
    for (const ClaimRow &row : answer.rows) {
        const SavingsClaim &claim = row.claim;
        const Day begin = begins.try_emplace({row.source, claim.tool, claim.scope}, claim.first).first->second;
        const Day earliest = base::dayOf(daysBefore(begin, claim).start);
        all = all ? std::pair(std::min(all->first, earliest), std::max(all->second, claim.last))
                  : std::pair(earliest, claim.last);
    }
    if (view == model::CostView::List) {
        for (ClaimRow &row : answer.rows)
            row.gap = ClaimGap::NotPaid;
        return answer;
    }
    if (!all)
        return answer;
    return ofOneState(engine.cache(), [&]() -> Result<ClaimsAnswer> {
        ClaimsAnswer compared = answer;
        const auto bills = BillDays::read(engine, all->first, Day{all->second.number + kUnsettledDays + 1}, stop);
        GPULEDGER_TRY(bills);
        ScopeCosts costs;
        std::vector<std::pair<std::size_t, std::size_t>> places; // before and since, parallel to the rows
        for (const ClaimRow &row : compared.rows) {
            // The first day of any claim of this tool for this scope.
            const Day begin = begins.at({row.source, row.claim.tool, row.claim.scope});
            const auto before = costs.ask(row.claim, daysBefore(begin, row.claim), row.saved.currency());
            GPULEDGER_TRY(before);
            const auto since = costs.ask(row.claim, daysOf(row.claim), row.saved.currency());
            GPULEDGER_TRY(since);
            places.emplace_back(*before, *since);
        }
        GPULEDGER_TRY(costs.read(engine, view, stop));
        for (std::size_t i = 0; i < compared.rows.size(); ++i)
            GPULEDGER_TRY(compare(compared.rows[i], costs.at(places[i].first), costs.at(places[i].second), *bills));
        return compared;
    });
}

} // namespace gpuledger::services
