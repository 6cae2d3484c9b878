// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/rulescommand.h"

#include "ui/format/figures.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

namespace {

constexpr std::size_t kShownTeams = 5;

std::string teamsText(const std::vector<std::string> &teams)
{
    std::string text;
    for (std::size_t i = 0; i < teams.size() && i < kShownTeams; ++i)
        text += (i > 0 ? ", " : "") + teams[i];
    return teams.size() > kShownTeams ? text + " and " + std::to_string(teams.size() - kShownTeams) + " more" : text;
}

} // namespace

void RulesCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "rules", "The owner rules", "gpuledger-cli rules test --from -7d");
    m_verb->require_subcommand(1);
    m_test = addVerb(*m_verb, "test", "How much of the held GPU time each owner rule claims, first match first",
                     "gpuledger-cli rules test --from -7d");
}

base::Result<int> RulesCommand::run(Session &session)
{
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto range = session.range((*workspace)->timeZone());
    GPULEDGER_TRY(range);
    const auto caught = (*workspace)->testRules(*range, session.stop());
    GPULEDGER_TRY(caught);
    Output &out = session.out();
    if (out.json()) {
        Json json{{"from", toJson(range->start)}, {"to", toJson(range->end)}, {"rules", Json::array()}};
        for (const auto &rule : caught->rules)
            json["rules"].push_back({{"rule", rule.text},
                                     {"gpu_hours", toJson(std::optional(rule.held.time.hours()))},
                                     {"teams", rule.teams}});
        GPULEDGER_TRY(out.print(json));
        return kDone;
    }
    base::GpuTime all;
    for (const auto &rule : caught->rules)
        all += rule.held.time;
    using Align = ui::TextTable::Align;
    ui::TextTable table(
        {{"rule"}, {out.csv() ? "gpu_hours" : "held h", Align::Right}, {"share", Align::Right}, {"teams"}});
    for (const auto &rule : caught->rules) {
        const base::GpuTime held = rule.held.time;
        const auto share = all.ticks > 0 ? std::optional(held.seconds() / all.seconds()) : std::nullopt;
        table.add({rule.text, out.csv() ? ui::fixed(held.hours(), 9) : ui::hoursText(held),
                   out.csv() ? (share ? ui::fixed(*share, 9) : std::string()) : ui::percentText(share),
                   teamsText(rule.teams)});
    }
    GPULEDGER_TRY(out.print(out.csv() ? table.toCsv() : table.toText(out.bold())));
    return kDone;
}

} // namespace gpuledger::cli
