// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/savings/claimsprint.h"

#include "app/insight/spend/ledgerquery.h"
#include "ui/format/phrases/figures.h"
#include "ui/format/texttable.h"

namespace gpuledger::cli {

using insight::dayText;
using services::ClaimedCost;
using services::ClaimGap;
using services::ClaimRow;
using services::ClaimsAnswer;
using ui::TextTable;

namespace {

std::string_view gapName(ClaimGap gap)
{
    switch (gap) {
    case ClaimGap::NotBilled:
        return "not-billed";
    case ClaimGap::MissingDays:
        return "missing-days";
    case ClaimGap::NoRate:
        return "no-exchange-rate";
    case ClaimGap::NotPaid:
        return "list-prices";
    case ClaimGap::None:
        break;
    }
    return {};
}

std::string scopeText(const model::SavingsClaim &claim)
{
    std::string text;
    for (const auto &[name, value] : claim.scope)
        text += (text.empty() ? "" : "; ") + name + '=' + value;
    return text;
}

Json costJson(const std::optional<ClaimedCost> &cost)
{
    if (!cost)
        return nullptr;
    return {{"from", cli::toJson(cost->days.start)},
            {"to", cli::toJson(cost->days.end)},
            {"cost", cli::toJson(std::optional(cost->cost))},
            {"gpu_hours", cli::toJson(cost->gpuHours)}};
}

std::string moneyCell(const std::optional<base::Money> &amount)
{
    return amount ? ui::fixed(amount->toDouble(), 2) : std::string("-");
}

std::string hoursCell(const std::optional<ClaimedCost> &cost, const char *unknown)
{
    return cost && cost->gpuHours ? ui::fixed(*cost->gpuHours, 1) : std::string(unknown);
}

std::optional<base::Money> costOf(const std::optional<ClaimedCost> &cost)
{
    return cost ? std::optional(cost->cost) : std::nullopt;
}

} // namespace

std::string gapText(ClaimGap gap)
{
    switch (gap) {
    case ClaimGap::NotBilled:
        return "no bill has these costs, before the claim or since";
    case ClaimGap::MissingDays:
        return "some of these days are missing from the bill or may still change";
    case ClaimGap::NoRate:
        return "there is no exchange rate for the currency of these costs";
    case ClaimGap::NotPaid:
        return "list prices are not what was paid";
    case ClaimGap::None:
        break;
    }
    return {};
}

Json claimsJson(const ClaimsAnswer &answer)
{
    Json rows = Json::array();
    for (const ClaimRow &row : answer.rows) {
        Json scope = Json::object();
        for (const auto &[name, value] : row.claim.scope) {
            if (!scope.contains(name))
                scope[name] = Json::array();
            scope[name].push_back(value);
        }
        rows.push_back({{"source", row.source},
                        {"tool", textOrNull(row.claim.tool)},
                        {"what", textOrNull(row.claim.what)},
                        {"scope", std::move(scope)},
                        {"from", cli::toJson(row.claim.first.start())},
                        {"to", cli::toJson(row.claim.last.end())},
                        {"claimed", cli::toJson(std::optional(row.saved))},
                        {"before", costJson(row.before)},
                        {"since", costJson(row.since)},
                        {"fell", cli::toJson(row.fell)},
                        {"not_compared", textOrNull(std::string(gapName(row.gap)))}});
    }
    return {{"claims", std::move(rows)}}; // allowed: a key
}

std::string claimsCsv(const ClaimsAnswer &answer)
{
    TextTable table({{"source"},
                     {"tool"},
                     {"what"},
                     {"scope"},
                     {"from"},
                     {"to"},
                     {"currency"},
                     {"claimed"},
                     {"before"},
                     {"since"},
                     {"fell"},
                     {"gpu_hours_before"},
                     {"gpu_hours_since"},
                     {"not_compared"}});
    const auto exact = [](const std::optional<base::Money> &amount) {
        return amount ? amount->toDecimal() : std::string();
    };
    for (const ClaimRow &row : answer.rows)
        table.add({row.source, row.claim.tool, row.claim.what, scopeText(row.claim), dayText(row.claim.first),
                   dayText(row.claim.last), std::string(row.saved.currency().code()), exact(row.saved),
                   exact(costOf(row.before)), exact(costOf(row.since)), exact(row.fell), hoursCell(row.before, ""),
                   hoursCell(row.since, ""), std::string(gapName(row.gap))});
    return table.toCsv();
}

std::string claimsText(const ClaimsAnswer &answer, bool bold)
{
    constexpr auto kRight = TextTable::Align::Right;
    TextTable table({{"tool"},
                     {"what"},
                     {"scope"},
                     {"days"},
                     {"claimed", kRight},
                     {"bill before", kRight},
                     {"bill since", kRight},
                     {"bill fell by", kRight},
                     {"GPU-hours before", kRight},
                     {"GPU-hours since", kRight}});
    for (const ClaimRow &row : answer.rows) {
        const std::string scope = scopeText(row.claim);
        table.add({row.claim.tool.empty() ? row.source : row.claim.tool, row.claim.what.empty() ? "-" : row.claim.what,
                   scope.empty() ? "all costs" : scope, dayText(row.claim.first) + " to " + dayText(row.claim.last),
                   ui::moneyText(row.saved), moneyCell(costOf(row.before)), moneyCell(costOf(row.since)),
                   moneyCell(row.fell), hoursCell(row.before, "-"), hoursCell(row.since, "-")});
    }
    return table.toText(bold);
}

} // namespace gpuledger::cli
