// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/savings/scenarioscommand.h"

#include "app/base/text/text.h"
#include "app/services/savings/savingsservice.h"
#include "ui/cli/program/output.h"
#include "ui/cli/savings/assumptionprint.h"
#include "ui/format/texttable.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

using base::Result;
using savings::Scenario;

namespace {

std::string scenarioValues(const Scenario &one)
{
    std::string text;
    const auto add = [&](const std::string &value) { text += (text.empty() ? "" : "; ") + value; };
    for (const auto &[name, value] : one.assumptions.chosen())
        add(name + '=' + value);
    for (const std::string &value : one.unknown)
        add(value + " (can't be used)");
    return text.empty() ? "defaults" : text;
}

ui::TextTable scenarioTable(const std::vector<Scenario> &all)
{
    ui::TextTable table({{"scenario"}, {"assumptions"}});
    for (const Scenario &one : all)
        table.add({one.name, scenarioValues(one)});
    return table;
}

Json scenarioRow(const Scenario &one)
{
    Json json;
    json["name"] = one.name;
    json["assumptions"] = Json::object();
    for (const auto &[name, value] : one.assumptions.chosen())
        json["assumptions"][name] = value;
    json["unknown"] = one.unknown;
    return json;
}

} // namespace

void ScenariosCommand::addTo(CLI::App &parent)
{
    m_savings = parent.get_subcommand("savings");
    m_verb = addVerb(*m_savings, "scenarios", "Lists saved assumptions, saves some under a name, or removes them",
                     "gpuledger-cli savings scenarios --save careful --assume scale-down-delay=3h");
    CLI::Option *const save = m_verb->add_option("--save", m_save, "Saves the assumptions under this name");
    CLI::Option *const remove = m_verb->add_option("--remove", m_remove, "Removes the scenario of this name");
    addAssumeOptions(*m_verb, m_assume);
    save->excludes(remove);
    m_verb->get_option("--assume")->needs(save);
    m_verb->get_option("--scenario")->needs(save);
}

Result<int> ScenariosCommand::run(Session &session)
{
    if (m_savings->get_option("what")->count() > 0) // words beside the verb
        return base::fail(base::ErrorCode::InvalidArgument, "a list of scenarios takes no other words",
                          "see: gpuledger-cli savings scenarios --help");
    const bool saves = m_verb->count("--save") > 0, removes = m_verb->count("--remove") > 0;
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    services::SavingsService &savings = (*workspace)->savings();
    if (saves) {
        const auto assumed = assumedIn(session, m_assume);
        GPULEDGER_TRY(assumed);
        GPULEDGER_TRY(savings.saveScenario(m_save, *assumed));
    }
    if (removes)
        GPULEDGER_TRY(savings.removeScenario(m_remove));
    const auto all = savings.scenarios();
    GPULEDGER_TRY(all);
    Output &out = session.out();
    if (out.json())
        GPULEDGER_TRY(out.print(Json::object(),
                                {"scenarios", all->size(), [&](std::size_t i) { return scenarioRow((*all)[i]); }}));
    else if (out.csv())
        GPULEDGER_TRY(out.print(scenarioTable(*all).toCsv()));
    else
        GPULEDGER_TRY(out.print(all->empty() ? "No scenario is saved.\n" : scenarioTable(*all).toText(out.bold())));
    return kDone;
}

} // namespace gpuledger::cli
