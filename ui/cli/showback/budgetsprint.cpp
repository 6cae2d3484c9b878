// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/showback/budgetsprint.h"

#include "app/reports/documents/documents.h"
#include "ui/cli/program/output.h"
#include "ui/format/phrases/figures.h"
#include "ui/format/texttable.h"

#include <algorithm>
#include <optional>

namespace gpuledger::cli {

std::string budgetsText(const std::vector<reports::StatementBudget> &budgets, bool bold)
{
    using Align = ui::TextTable::Align;
    ui::TextTable table({{"team"},
                         {"budget", Align::Right},
                         {"carried over", Align::Right},
                         {"available", Align::Right},
                         {"spent", Align::Right},
                         {"left", Align::Right},
                         {"share", Align::Right},
                         {"forecast", Align::Right},
                         {"low", Align::Right},
                         {"high", Align::Right},
                         {"currency"}});
    const auto known = [](const std::optional<base::Money> &amount) {
        return amount ? ui::amountText(amount->nanos()) : std::string("-");
    };
    for (const reports::StatementBudget &one : budgets)
        table.add({reports::teamName(one.team), ui::amountText(one.amount.nanos()), known(one.carried),
                   ui::amountText(one.available.nanos()), ui::amountText(one.spent.nanos()),
                   ui::amountText(one.left.nanos()), ui::percentText(one.share), known(one.expected), known(one.low),
                   known(one.high), std::string(one.amount.currency().code())});
    const bool isCarriedUnknown = std::any_of(budgets.begin(), budgets.end(), [](const reports::StatementBudget &one) {
        return one.carriesOver && !one.carried;
    });
    return "\nBudgets of the month; spent: the team's own cost; low to high: 80 %\n" + table.toText(bold)
        + (isCarriedUnknown ? "nothing is known to carry over where the month before is unknown or of another year\n"
                            : "");
}

Json budgetsJson(const std::vector<reports::StatementBudget> &budgets)
{
    Json out = Json::array();
    for (const reports::StatementBudget &one : budgets)
        out.push_back({{"team", one.team},
                       {"amount", cli::toJson(std::optional(one.amount))},
                       {"carry_over", one.carriesOver},
                       {"carried", cli::toJson(one.carried)},
                       {"available", cli::toJson(std::optional(one.available))},
                       {"spent", cli::toJson(std::optional(one.spent))},
                       {"left", cli::toJson(std::optional(one.left))},
                       {"share", cli::toJson(one.share)},
                       {"expected", cli::toJson(one.expected)},
                       {"low", cli::toJson(one.low)},
                       {"high", cli::toJson(one.high)}});
    return out;
}

} // namespace gpuledger::cli
