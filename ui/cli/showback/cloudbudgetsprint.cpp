// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/showback/cloudbudgetsprint.h"

#include "app/insight/spend/ledgerquery.h"
#include "ui/format/phrases/figures.h"
#include "ui/format/texttable.h"

namespace gpuledger::cli {

using insight::dayText;
using services::BudgetGap;
using services::BudgetRow;
using services::BudgetsAnswer;
using ui::TextTable;

namespace {

std::string_view budgetGapName(BudgetGap gap)
{
    switch (gap) {
    case BudgetGap::OnlyPart:
        return "only-part";
    case BudgetGap::NoPeriod:
        return "no-period";
    case BudgetGap::NotBilled:
        return "not-billed";
    case BudgetGap::NoRate:
        return "no-exchange-rate";
    case BudgetGap::NotPaid:
        return "list-prices";
    case BudgetGap::None:
        break;
    }
    return {};
}

std::string_view periodName(model::CloudBudgetPeriod period)
{
    switch (period) {
    case model::CloudBudgetPeriod::Day:
        return "day";
    case model::CloudBudgetPeriod::Month:
        return "month";
    case model::CloudBudgetPeriod::Quarter:
        return "quarter";
    case model::CloudBudgetPeriod::Year:
        return "year";
    case model::CloudBudgetPeriod::Other:
        break;
    }
    return "other";
}

std::string dayCell(const std::optional<base::Day> &day, const char *unknown)
{
    return day ? dayText(*day) : std::string(unknown);
}

std::string periodCell(const model::CloudBudget &budget)
{
    if (!budget.first && !budget.last)
        return "-";
    return dayCell(budget.first, "?") + " to " + dayCell(budget.last, "?");
}

std::string budgetAmount(const std::optional<base::Money> &amount)
{
    return amount ? ui::amountText(amount->nanos()) : std::string("-");
}

std::string textCell(const std::string &text)
{
    return text.empty() ? "-" : text;
}

Json budgetJson(const BudgetRow &row)
{
    const model::CloudBudget &budget = row.budget;
    return {{"source", row.source},
            {"cloud", textOrNull(budget.cloud)},
            {"account", textOrNull(budget.account)},
            {"name", textOrNull(budget.name)},
            {"scope", textOrNull(budget.scope)},
            {"period", std::string(periodName(budget.period))},
            {"from", budget.first ? cli::toJson(budget.first->start()) : Json(nullptr)},
            {"to", budget.last ? cli::toJson(budget.last->end()) : Json(nullptr)},
            {"limit", cli::toJson(row.limit)},
            {"spent", cli::toJson(row.spent)},
            {"forecast", cli::toJson(row.forecast)},
            {"billed", cli::toJson(row.billed)},
            {"billed_through", textOrNull(dayCell(row.billedThrough, ""))},
            {"not_compared", textOrNull(std::string(budgetGapName(row.gap)))}};
}

} // namespace

std::string budgetGapText(BudgetGap gap)
{
    switch (gap) {
    case BudgetGap::OnlyPart:
        return "only for a part of the source's bill, or counted in another way";
    case BudgetGap::NoPeriod:
        return "the cloud does not say for which days";
    case BudgetGap::NotBilled:
        return "the bill lacks days of the period";
    case BudgetGap::NoRate:
        return "there is no exchange rate for the currency of the bill";
    case BudgetGap::NotPaid:
        return "list prices are not what was paid";
    case BudgetGap::None:
        break;
    }
    return {};
}

Json cloudBudgetsJson(const BudgetsAnswer &answer)
{
    Json rows = Json::array(), unread = Json::array();
    for (const BudgetRow &row : answer.rows)
        rows.push_back(budgetJson(row));
    for (const services::UnreadBudgets &one : answer.unread)
        unread.push_back({{"source", one.source}, {"error", cli::toJson(one.error)}});
    return {{"budgets", std::move(rows)},
            {"unread", std::move(unread)},
            {"left_out", {{"without_money", answer.withoutMoney}, {"rejected", answer.rejected}}}};
}

std::string cloudBudgetsCsv(const BudgetsAnswer &answer)
{
    TextTable table({{"source"},
                     {"cloud"},
                     {"account"},
                     {"name"},
                     {"scope"},
                     {"period"},
                     {"from"},
                     {"to"},
                     {"currency"},
                     {"limit"},
                     {"spent"},
                     {"forecast"},
                     {"billed"},
                     {"billed_through"},
                     {"not_compared"}});
    const auto exact = [](const std::optional<base::Money> &amount) {
        return amount ? amount->toDecimal() : std::string();
    };
    for (const BudgetRow &row : answer.rows) {
        const model::CloudBudget &budget = row.budget;
        table.add({row.source, budget.cloud, budget.account, budget.name, budget.scope,
                   std::string(periodName(budget.period)), dayCell(budget.first, ""), dayCell(budget.last, ""),
                   std::string(budget.currency.code()), exact(row.limit), exact(row.spent), exact(row.forecast),
                   exact(row.billed), dayCell(row.billedThrough, ""), std::string(budgetGapName(row.gap))});
    }
    return table.toCsv();
}

std::string cloudBudgetsText(const BudgetsAnswer &answer, bool bold)
{
    constexpr auto kRight = TextTable::Align::Right;
    TextTable table({{"budget"},
                     {"limited to"},
                     {"account"},
                     {"period"},
                     {"limit", kRight},
                     {"spent (cloud)", kRight},
                     {"forecast (cloud)", kRight},
                     {"bill so far", kRight},
                     {"bill through"},
                     {"currency"}});
    for (const BudgetRow &row : answer.rows) {
        const model::CloudBudget &budget = row.budget;
        const std::string account =
            budget.cloud + (budget.cloud.empty() || budget.account.empty() ? "" : " ") + budget.account;
        table.add({textCell(budget.name), textCell(budget.scope), textCell(account), periodCell(budget),
                   budgetAmount(row.limit), budgetAmount(row.spent), budgetAmount(row.forecast),
                   budgetAmount(row.billed), dayCell(row.billedThrough, "-"), std::string(budget.currency.code())});
    }
    return table.toText(bold);
}

} // namespace gpuledger::cli
