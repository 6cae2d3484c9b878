// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/savings/choicescommand.h"

#include "app/base/text/text.h"
#include "app/services/savings/savingsservice.h"
#include "ui/cli/program/costoption.h"
#include "ui/cli/savings/choicesprint.h"
#include "ui/cli/savings/savingsquestion.h"

#include <CLI/CLI.hpp>

#include <optional>

namespace gpuledger::cli {

using base::Result;
using savings::ChoiceState;

namespace {

constexpr std::size_t kDayLength = 10; // YYYY-MM-DD

Result<std::optional<base::Day>> chosenDayOf(const std::string &text, const char *option)
{
    if (text.empty())
        return std::optional<base::Day>();
    const auto time = base::parseTime(text);
    if (!time || text.size() != kDayLength)
        return base::fail(base::ErrorCode::InvalidArgument,
                          std::string(option) + " can't be \"" + base::printable(text, 64) + '"',
                          "write a day as YYYY-MM-DD");
    return std::optional(base::dayOf(*time));
}

} // namespace

void ChoicesCommand::addTo(CLI::App &parent)
{
    m_savings = parent.get_subcommand("savings");
    CLI::App &savings = *m_savings;
    const auto id = [&](CLI::App *verb) {
        verb->add_option("ID", m_id, "Id of the proposal, as shown by: savings --json")->required();
    };
    m_accept = addVerb(savings, "accept", "Accepts a proposal: somebody does it; what it saves is measured",
                       "gpuledger-cli savings accept right-size:prod/ml/Deployment/chat --owner kim --by 2026-12-15");
    id(m_accept);
    m_accept->add_option("--owner", m_owner, "Who does it")->required();
    m_accept->add_option("--by", m_day, "Until when it is done: YYYY-MM-DD")->required();
    m_dismiss = addVerb(savings, "dismiss", "Dismisses a proposal: it does not count",
                        "gpuledger-cli savings dismiss schedule:prod/ml/Notebook/eva --reason \"is used at night\"");
    id(m_dismiss);
    m_dismiss->add_option("--reason", m_reason, "Why; kept in the audit log")->required();
    m_later = addVerb(savings, "later", "Puts a proposal off: until that day it does not count",
                      "gpuledger-cli savings later schedule:prod/ml/Notebook/eva --until 2026-12-15");
    id(m_later);
    m_later->add_option("--until", m_day, "When it is shown again: YYYY-MM-DD")->required();
    for (CLI::App *verb : {m_accept, m_later})
        verb->add_option("--reason", m_reason, "Why; kept in the audit log");
    for (CLI::App *verb : {m_accept, m_dismiss, m_later}) {
        addCostOption(*verb, m_cost);
        addAssumeOptions(*verb, m_assume);
        addOwnOption(*verb, m_assume);
    }
    m_reopen = addVerb(savings, "reopen", "Takes a choice about a proposal back",
                       "gpuledger-cli savings reopen schedule:prod/ml/Notebook/eva");
    id(m_reopen);
    m_choices = addVerb(savings, "choices", "Lists the newest choice about each proposal",
                        "gpuledger-cli savings choices --json");
    m_realized =
        addVerb(savings, "realized", "What accepted proposals and stops really saved: before and after, with a band",
                "gpuledger-cli savings realized --json");
    addCostOption(*m_realized, m_cost);
}

bool ChoicesCommand::chosen() const
{
    return parsed(m_accept) || parsed(m_dismiss) || parsed(m_later) || parsed(m_reopen) || parsed(m_choices)
        || parsed(m_realized);
}

Result<int> ChoicesCommand::run(Session &session)
{
    if (m_savings->get_option("what")->count() > 0) // words beside the verb and its proposal
        return base::fail(base::ErrorCode::InvalidArgument, "a choice is about one proposal, and a list takes none",
                          "see: gpuledger-cli savings --help");
    if (parsed(m_choices))
        return list(session);
    if (parsed(m_realized))
        return realized(session);
    return choose(session,
                  parsed(m_accept)        ? ChoiceState::Accepted
                      : parsed(m_dismiss) ? ChoiceState::Dismissed
                      : parsed(m_later)   ? ChoiceState::Later
                                          : ChoiceState::Open);
}

Result<int> ChoicesCommand::choose(Session &session, ChoiceState state)
{
    const auto day = chosenDayOf(m_day, state == ChoiceState::Later ? "--until" : "--by");
    GPULEDGER_TRY(day);
    const auto draft = savings::checked({m_id, state, m_owner, *day, m_reason});
    GPULEDGER_TRY(draft);
    const auto workspace = session.workspace(false);
    GPULEDGER_TRY(workspace);
    services::SavingsService &savings = (*workspace)->savings();
    savings::SavingsList list;
    if (state != ChoiceState::Open) {
        const auto query = savingsQuery(session, (*workspace)->timeZone(), m_cost, m_assume);
        GPULEDGER_TRY(query);
        auto found = savings.savings(*query, session.stop());
        GPULEDGER_TRY(found);
        list = std::move(*found);
    }
    const auto choice = savings.choose(*draft, list);
    GPULEDGER_TRY(choice);
    Output &out = session.out();
    GPULEDGER_TRY(out.json()      ? out.print(choiceJson(*choice))
                      : out.csv() ? out.print(choicesCsv({*choice}))
                                  : out.print(choiceLine(*choice) + '\n'));
    return kDone;
}

Result<int> ChoicesCommand::list(Session &session) const
{
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto choices = (*workspace)->savings().choices();
    GPULEDGER_TRY(choices);
    Output &out = session.out();
    if (out.json())
        GPULEDGER_TRY(out.print(
            Json::object(), {"choices", choices->size(), [&](std::size_t i) { return choiceJson((*choices)[i]); }}));
    else
        GPULEDGER_TRY(out.print(out.csv() ? choicesCsv(*choices) : choicesText(*choices, out.bold())));
    return kDone;
}

Result<int> ChoicesCommand::realized(Session &session) const
{
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const model::CostView view = costViewOf(m_cost);
    services::SavingsService &savings = (*workspace)->savings();
    const auto choices = savings.choices();
    GPULEDGER_TRY(choices);
    const auto measured = savings.realized(view, session.stop());
    GPULEDGER_TRY(measured);
    Output &out = session.out();
    GPULEDGER_TRY(out.json()      ? out.print(realizedJson(*measured, *choices, view))
                      : out.csv() ? out.print(realizedCsv(*measured, *choices))
                                  : out.print(realizedText(*measured, *choices, view, out.bold())));
    return kDone;
}

} // namespace gpuledger::cli
