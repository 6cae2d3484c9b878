// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/showback/splitlensprint.h"

#include "app/reports/documents/documents.h"
#include "app/reports/statement/splitlens.h"
#include "app/services/spend/spendservice.h"
#include "ui/cli/proof/figureids.h"
#include "ui/format/phrases/figures.h"

namespace gpuledger::cli {

using base::Money;
using base::Result;
using reports::BySplitPolicy;
using reports::CurrencyLens;
using reports::kSplitPolicies;

namespace {

Json lensJson(const BySplitPolicy &amounts)
{
    Json json;
    for (std::size_t i = 0; i < kSplitPolicies.size(); ++i)
        json[std::string(model::toString(kSplitPolicies[i]))] = cli::toJson(std::optional(amounts[i]));
    return json;
}

Json differences(const reports::LensTeam &team)
{
    Json json;
    for (std::size_t i = 1; i < kSplitPolicies.size(); ++i)
        json[std::string(model::toString(kSplitPolicies[i]))] = cli::toJson(std::optional(team.difference(i)));
    return json;
}

Json lensJson(const reports::SplitLens &lens)
{
    Json json{{"month", insight::toString(lens.month)},
              {"view", lens.view == reports::CostView::Billed ? "billed" : "effective"},
              {"currencies", Json::array()}};
    for (const CurrencyLens &currency : lens.currencies) {
        Json one{{"currency", std::string(currency.currency.code())},
                 {"total", cli::toJson(std::optional(currency.total))},
                 {"teams", Json::array()}};
        for (const reports::LensTeam &team : currency.teams)
            one["teams"].push_back({{"team", textOrNull(team.team)},
                                    {"cost", lensJson(team.cost)},
                                    {"difference", differences(team)},
                                    {"unsplit", lensJson(team.unsplit)}});
        one["cpu"] = lensJson(currency.cpu);
        one["memory"] = lensJson(currency.memory);
        one["unsplit"] = lensJson(currency.unsplit);
        json["currencies"].push_back(std::move(one));
    }
    return json;
}

ui::TextTable tableOf(const reports::SplitLens &lens)
{
    std::vector<ui::TextTable::Column> columns{{"team"}, {"currency"}};
    for (const auto policy : kSplitPolicies)
        columns.push_back({std::string(model::toString(policy)), ui::TextTable::Align::Right});
    ui::TextTable table(columns);
    for (const CurrencyLens &currency : lens.currencies) {
        const auto add = [&](const std::string &name, const BySplitPolicy &amounts) {
            std::vector<std::string> cells{name, std::string(currency.currency.code())};
            for (const Money &amount : amounts)
                cells.push_back(ui::amountText(amount.nanos()));
            table.add(cells);
        };
        for (const reports::LensTeam &team : currency.teams)
            add(reports::teamName(team.team), team.cost);
        add("(CPU)", currency.cpu);
        add("(memory)", currency.memory);
        BySplitPolicy total;
        total.fill(currency.total);
        add("(all)", total);
    }
    return table;
}

} // namespace

Result<void> printSplitLens(Session &session, const insight::Month &month, reports::CostView view)
{
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto lens = (*workspace)->spend().splitLens(month, view);
    GPULEDGER_TRY(lens);
    Output &out = session.out();
    if (out.json()) {
        Json json = lensJson(*lens);
        addFigures(json, *lens);
        return out.print(json);
    }
    const ui::TextTable table = tableOf(*lens);
    if (out.csv())
        return out.print(table.toCsv());
    std::string text =
        "Machines with GPUs in " + insight::toString(month) + " (" + reports::viewName(view) + "), by split policy\n";
    text += table.empty() ? "none has a cost\n" : table.toText(out.bold());
    for (const CurrencyLens &currency : lens->currencies) {
        for (std::size_t i = 0; i < kSplitPolicies.size(); ++i) {
            if (!currency.unsplit[i].isZero())
                text += "not split under " + std::string(model::toString(kSplitPolicies[i])) + ", in the teams' costs: "
                    + ui::moneyText(currency.unsplit[i]) + " of machines whose vCPUs or memory are not known\n";
        }
    }
    return out.print(text);
}

} // namespace gpuledger::cli
