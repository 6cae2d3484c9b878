// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/sources/rulescommand.h"

#include "app/base/text/text.h"
#include "app/ledger/survey/rulesurvey.h"
#include "app/services/fleet/fleetservice.h"
#include "ui/format/phrases/figures.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

namespace {

constexpr std::size_t kShownTeams = 5;
constexpr std::size_t kLongestKey = 128; // bytes

std::optional<double> shareOf(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? std::optional(static_cast<double>(part) / static_cast<double>(whole)) : std::nullopt;
}

std::string teamsText(const std::vector<std::string> &teams)
{
    std::string text;
    for (std::size_t i = 0; i < teams.size() && i < kShownTeams; ++i)
        text += (i > 0 ? ", " : "") + teams[i];
    return teams.size() > kShownTeams ? text + " and " + std::to_string(teams.size() - kShownTeams) + " more" : text;
}

// Suggested rules, written as in the configuration: label rules by the unowned time of workloads at the price book's
// prices, tag rules by the unowned cost of bill lines.
Json suggestions(const ledger::RulePreview &preview)
{
    Json out = Json::array();
    for (const auto &label : preview.labels) {
        const bool ofWorkload = label.kind == model::OwnerRule::Kind::Label;
        out.push_back({{"rule", {{ofWorkload ? "label" : "namespace_label", label.key}}},
                       {"unowned_cost", toJson(std::optional(base::Money(label.unowned.nanos, preview.currency)))},
                       {"share", toJson(shareOf(label.unowned.nanos, preview.unowned.nanos))},
                       {"of", "workloads"},
                       {"values", label.values}});
    }
    if (!preview.bills)
        return out;
    for (const auto &tag : preview.bills->tags) {
        out.push_back({{"rule", {{"cloud_tag", tag.key}}},
                       {"unowned_cost", toJson(std::optional(tag.unowned))},
                       {"share", toJson(shareOf(tag.unowned.nanos(), preview.bills->unowned.nanos()))},
                       {"of", "bills"},
                       {"values", tag.values}});
    }
    return out;
}

// The suggestions that would assign unowned cost.
std::string suggestionText(const ledger::RulePreview &preview)
{
    std::string text;
    const auto add = [&](const std::string &rule, std::int64_t part, std::int64_t whole, const char *what) {
        const auto share = shareOf(part, whole);
        if (share && part > 0)
            text += "{ " + rule + " } covers " + ui::percentText(share) + " of the unowned cost of " + what + '\n';
    };
    for (const auto &label : preview.labels) {
        const bool ofWorkload = label.kind == model::OwnerRule::Kind::Label;
        add((ofWorkload ? "label: " : "namespace_label: ") + base::printable(label.key, kLongestKey),
            label.unowned.nanos, preview.unowned.nanos, "workloads");
    }
    if (preview.bills) {
        for (const auto &tag : preview.bills->tags)
            add("cloud_tag: " + base::printable(tag.key, kLongestKey), tag.unowned.nanos(),
                preview.bills->unowned.nanos(), "bills");
    }
    return text;
}

// Effective cost of the bills whose owner the rule decides; std::nullopt: there are no bills.
std::optional<base::Money> billCost(const ledger::RulePreview &preview, std::size_t rule)
{
    return preview.bills ? std::optional(preview.bills->rules[rule]) : std::nullopt;
}

Json rulesJson(const ledger::RulePreview &preview)
{
    Json out = Json::array();
    for (std::size_t i = 0; i < preview.rules.size(); ++i)
        out.push_back({{"rule", preview.rules[i].text},
                       {"gpu_hours", toJson(std::optional(preview.rules[i].held.time.hours()))},
                       {"bill_cost", toJson(billCost(preview, i))},
                       {"teams", preview.rules[i].teams}});
    return out;
}

ui::TextTable rulesTable(const ledger::RulePreview &preview, bool csv)
{
    using Align = ui::TextTable::Align;
    base::GpuTime all;
    for (const auto &rule : preview.rules)
        all += rule.held.time;
    std::vector<ui::TextTable::Column> columns{
        {"rule"}, {csv ? "gpu_hours" : "held h", Align::Right}, {"share", Align::Right}, {"teams"}};
    if (csv || preview.bills)
        columns.push_back({csv ? "bill_cost" : "bills " + std::string(preview.currency.code()), Align::Right});
    if (csv)
        columns.push_back({"currency"});
    ui::TextTable table(columns);
    for (std::size_t i = 0; i < preview.rules.size(); ++i) {
        const auto &rule = preview.rules[i];
        const base::GpuTime held = rule.held.time;
        const auto share = all.ticks > 0 ? std::optional(held.seconds() / all.seconds()) : std::nullopt;
        const auto bills = billCost(preview, i);
        std::vector<std::string> row{rule.text, csv ? ui::fixed(held.hours(), 9) : ui::hoursText(held),
                                     csv ? (share ? ui::fixed(*share, 9) : std::string()) : ui::percentText(share),
                                     teamsText(rule.teams)};
        if (csv || bills)
            row.push_back(!bills ? std::string() : csv ? bills->toDecimal() : ui::amountText(bills->nanos()));
        if (csv)
            row.emplace_back(bills ? std::string(preview.currency.code()) : std::string());
        table.add(row);
    }
    return table;
}

} // namespace

void RulesCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "rules", "The owner rules", "gpuledger-cli rules test --from -7d");
    m_verb->require_subcommand(1);
    m_test = addVerb(*m_verb, "test",
                     "How much of the allocated GPU time and of the bills each owner rule claims; the first match wins",
                     "gpuledger-cli rules test --from -7d");
}

base::Result<int> RulesCommand::run(Session &session)
{
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto range = session.range((*workspace)->timeZone());
    GPULEDGER_TRY(range);
    const auto caught = (*workspace)->fleet().testRules(*range, session.stop());
    GPULEDGER_TRY(caught);
    Output &out = session.out();
    if (out.json()) {
        Json json{{"from", toJson(range->start)}, {"to", toJson(range->end)}, {"rules", rulesJson(*caught)}};
        json["suggestions"] = suggestions(*caught);
        GPULEDGER_TRY(out.print(json));
        return kDone;
    }
    const ui::TextTable table = rulesTable(*caught, out.csv());
    GPULEDGER_TRY(out.print(out.csv() ? table.toCsv() : table.toText(out.bold()) + suggestionText(*caught)));
    return kDone;
}

} // namespace gpuledger::cli
