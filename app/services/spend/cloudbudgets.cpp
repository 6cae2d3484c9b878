// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/spend/cloudbudgets.h"

#include "app/base/remedy.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/services/engine/engine.h"
#include "app/services/spend/ledgeranswers.h"
#include "app/store/facts/factreader.h"
#include "app/store/values/billed.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace gpuledger::services {

using base::Day;
using base::Result;
using insight::LedgerDimension;
using model::CloudBudget;

namespace {

// Money of an amount that the cloud may not have given. Fails with Overflow.
Result<std::optional<base::Money>> moneyOf(const std::optional<base::Decimal> &amount, base::Currency currency)
{
    if (!amount)
        return std::optional<base::Money>();
    const auto money = amount->toMoney(currency);
    GPULEDGER_TRY(money);
    return std::optional(*money);
}

// Fails if an amount has no currency or does not fit into Money.
Result<BudgetRow> budgetRow(const std::string &source, CloudBudget budget)
{
    if (budget.currency == base::Currency())
        return base::fail(base::ErrorCode::Parse, "the budget has no currency");
    const auto limit = moneyOf(budget.limit, budget.currency);
    GPULEDGER_TRY(limit);
    const auto spent = moneyOf(budget.spent, budget.currency);
    GPULEDGER_TRY(spent);
    const auto forecast = moneyOf(budget.forecast, budget.currency);
    GPULEDGER_TRY(forecast);
    return BudgetRow{source, std::move(budget), *limit, *spent, *forecast};
}

Result<ports::BudgetList> budgetsOf(Engine &engine, const model::SourceSettings &source, const std::stop_token &stop)
{
    const auto reader = engine.catalog().createBudgets(source, engine.secrets(), engine.clock());
    GPULEDGER_TRY(reader);
    return (*reader)->read(stop);
}

Result<BudgetsAnswer> readAllBudgets(Engine &engine, const std::stop_token &stop)
{
    if (engine.reportMonth()) // its sources are those of another computer
        return base::fail(base::ErrorCode::NotFound, "a report has no budgets of clouds",
                          base::Remedy::UseReportOrigin);
    BudgetsAnswer answer;
    bool isAny = false;
    for (const model::SourceSettings &source : engine.setup().settings.sources) {
        if (!source.mayRead || !engine.kindOf(source).tellsBudgets())
            continue;
        isAny = true;
        auto list = budgetsOf(engine, source, stop);
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "stopped");
        if (!list) {
            answer.unread.push_back({source.name, std::move(list).error().withSource(source.name)});
            continue;
        }
        answer.withoutMoney += list->withoutMoney;
        answer.rejected += list->rejected;
        for (CloudBudget &budget : list->budgets) {
            auto row = budgetRow(source.name, std::move(budget));
            if (row)
                answer.rows.push_back(std::move(*row));
            else
                ++answer.rejected;
        }
    }
    if (!isAny)
        return base::fail(base::ErrorCode::NotFound, "no source tells budgets", base::Remedy::AddCloudBill);
    std::stable_sort(answer.rows.begin(), answer.rows.end(), [](const BudgetRow &a, const BudgetRow &b) {
        return std::tie(a.source, a.budget.cloud, a.budget.account, a.budget.name)
            < std::tie(b.source, b.budget.cloud, b.budget.account, b.budget.name);
    });
    std::stable_sort(answer.unread.begin(), answer.unread.end(),
                     [](const UnreadBudgets &a, const UnreadBudgets &b) { return a.source < b.source; });
    return answer;
}

// Why a budget is not compared, as far as that follows from the budget alone.
BudgetGap gapOf(const CloudBudget &budget, model::CostView view)
{
    return !budget.isWholeBill                                          ? BudgetGap::OnlyPart
        : !budget.first || !budget.last || *budget.last < *budget.first ? BudgetGap::NoPeriod
        : view == model::CostView::List                                 ? BudgetGap::NotPaid
                                                                        : BudgetGap::None;
}

std::vector<BudgetRow *> comparableOf(BudgetsAnswer &answer)
{
    std::vector<BudgetRow *> rows;
    for (BudgetRow &row : answer.rows) {
        if (row.gap == BudgetGap::None)
            rows.push_back(&row);
    }
    return rows;
}

// The first day of a row's period; no bill is older than 1970.
Day beginOf(const BudgetRow &row)
{
    return std::max(*row.budget.first, Day{});
}

// The sources with lines for use of that day. A fee for a month says nothing of its days.
Result<std::set<std::string>> billedSources(store::FactReader &facts, Day day)
{
    std::set<std::string> sources;
    GPULEDGER_TRY(facts.billedOn(day, [&](const store::BilledItem &billed) -> Result<void> {
        if (billed.covers)
            sources.insert(billed.source);
        return {};
    }));
    return sources;
}

// Looks for `billedThrough` of a row, day by day from today back.
struct BudgetSearch {
    BudgetRow *row;
    bool isOver = false;

    // `last`: the last day of the row's bill that is not before `day`; std::nullopt: it has none.
    void see(Day day, bool isBilled, std::optional<Day> last)
    {
        isOver = isOver || day < beginOf(*row);
        if (isOver || day > *row->budget.last || !last)
            return;
        if (!isBilled) // the sum of the others would be too low
            row->billedThrough.reset();
        else if (!row->billedThrough)
            row->billedThrough = std::min(*last, *row->budget.last);
        isOver = !isBilled || day == beginOf(*row);
    }
};

// Sets `billedThrough` of rows whose source bills all days of their period so far: to the last day of the bill, or to
// the end of the period if later days are billed.
Result<void> findLastDays(Engine &engine, const std::vector<BudgetRow *> &rows, const std::stop_token &stop)
{
    const auto facts = engine.cache().facts();
    GPULEDGER_TRY(facts);
    std::vector<BudgetSearch> searches;
    Day first = base::dayOf(engine.clock().now());
    for (BudgetRow *row : rows) {
        searches.push_back({row});
        first = std::min(first, beginOf(*row));
    }
    std::map<std::string, Day> lastDays; // of each bill
    const auto isOpen = [](const BudgetSearch &one) { return !one.isOver; };
    for (Day day = base::dayOf(engine.clock().now());
         day >= first && std::any_of(searches.begin(), searches.end(), isOpen); --day.number) {
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "stopped");
        const auto sources = billedSources(**facts, day);
        GPULEDGER_TRY(sources);
        for (const std::string &source : *sources)
            lastDays.try_emplace(source, day);
        for (BudgetSearch &one : searches) {
            const auto last = lastDays.find(one.row->source);
            one.see(day, sources->contains(one.row->source),
                    last == lastDays.end() ? std::nullopt : std::optional(last->second));
        }
    }
    return {};
}

insight::LedgerQuery billQuery(const base::TimeRange &days, base::Currency currency)
{
    insight::LedgerQuery query;
    query.range = days;
    query.by = {LedgerDimension::Source};
    query.showIn = currency;
    query.include[LedgerDimension::Origin] = {std::string(toString(model::LedgerOrigin::Billed))};
    return query;
}

// Puts what the row's source billed beside the budget. `answer`: by source, in the budget's currency.
Result<void> putBilled(BudgetRow &row, const insight::LedgerAnswer &answer, model::CostView view)
{
    base::Money sum(0, row.budget.currency);
    for (const insight::LedgerRow &billed : answer.rows) {
        if (billed.keys[0] != row.source)
            continue;
        if (billed.currency != row.budget.currency) { // it could not be converted
            row.gap = BudgetGap::NoRate;
            row.billedThrough.reset();
            return {};
        }
        const auto more = sum.plus(view == model::CostView::Billed ? billed.billed : billed.effective);
        GPULEDGER_TRY(more);
        sum = *more;
    }
    row.billed = sum;
    return {};
}

// Budgets for the same days are read in one pass.
Result<void> compareBudgets(Engine &engine, const std::vector<BudgetRow *> &rows, model::CostView view,
                            const std::stop_token &stop)
{
    std::map<std::pair<Day, Day>, std::map<base::Currency, std::vector<BudgetRow *>>> byDays;
    for (BudgetRow *row : rows) {
        if (row->billedThrough)
            byDays[{beginOf(*row), *row->billedThrough}][row->budget.currency].push_back(row);
        else
            row->gap = BudgetGap::NotBilled;
    }
    for (const auto &[days, byCurrency] : byDays) {
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "stopped");
        std::vector<insight::LedgerQuery> queries;
        for (const auto &[currency, some] : byCurrency)
            queries.push_back(billQuery({days.first.start(), days.second.end()}, currency));
        const auto answers = ledgersOf(engine.cache(), engine.setup(), queries);
        GPULEDGER_TRY(answers);
        std::size_t place = 0;
        for (const auto &[currency, some] : byCurrency) {
            for (BudgetRow *row : some)
                GPULEDGER_TRY(putBilled(*row, (*answers)[place], view));
            ++place;
        }
    }
    return {};
}

} // namespace

Result<BudgetsAnswer> cloudBudgets(Engine &engine, model::CostView view, const std::stop_token &stop)
{
    auto read = readAllBudgets(engine, stop);
    GPULEDGER_TRY(read);
    for (BudgetRow &row : read->rows)
        row.gap = gapOf(row.budget, view);
    if (comparableOf(*read).empty())
        return std::move(*read);
    return ofOneState(engine.cache(), [&]() -> Result<BudgetsAnswer> {
        BudgetsAnswer answer = *read;
        const auto rows = comparableOf(answer);
        GPULEDGER_TRY(findLastDays(engine, rows, stop));
        GPULEDGER_TRY(compareBudgets(engine, rows, view, stop));
        return answer;
    });
}

} // namespace gpuledger::services
