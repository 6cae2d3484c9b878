// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/showback/decisionprint.h"

#include "app/reports/documents/documents.h"
#include "app/reports/months/decisions.h"
#include "app/services/billing/acceptedsavings.h"
#include "app/services/billing/billingservice.h"
#include "ui/cli/savings/choicesprint.h"
#include "ui/format/phrases/figures.h"

#include <algorithm>
#include <map>

namespace gpuledger::cli {

using base::Result;
using reports::Decision;
using reports::Outcome;
using reports::Statement;

namespace {

insight::Month after(const insight::Month &month)
{
    return month.number < 12 ? insight::Month{month.year, month.number + 1} : insight::Month{month.year + 1, 1};
}

// The effects of decisions in the following month; each statement is computed once.
class Outcomes {
public:
    explicit Outcomes(services::Workspace &workspace)
        : m_workspace(workspace)
    {
    }

    Result<std::optional<Outcome>> of(const Decision &decision)
    {
        const insight::Month month = after(decision.draft.month);
        const std::pair key{month, decision.draft.view};
        if (!m_statements.contains(key)) {
            auto statement = m_workspace.billing().statement(month, decision.draft.view, {});
            GPULEDGER_TRY(statement);
            m_statements.emplace(key, std::move(*statement));
        }
        const Statement &statement = m_statements.at(key);
        if (!statement.isOver)
            return std::optional<Outcome>();
        for (const reports::CurrencyStatement &currency : statement.currencies) {
            const auto team = std::find_if(currency.teams.begin(), currency.teams.end(),
                                           [&](const auto &one) { return one.team == decision.draft.team; });
            if (team == currency.teams.end())
                continue;
            if (auto outcome = reports::outcomeOf(decision, month, reports::figuresOf(*team)))
                return outcome;
        }
        return std::optional<Outcome>();
    }

private:
    services::Workspace &m_workspace;
    std::map<std::pair<insight::Month, reports::CostView>, Statement> m_statements;
};

Json decisionJson(const Decision &decision, const std::optional<Outcome> &outcome)
{
    const reports::DecisionDraft &draft = decision.draft;
    Json json{{"id", decision.id},
              {"month", insight::toString(draft.month)},
              {"team", textOrNull(draft.team)},
              {"what", draft.what},
              {"owner", draft.owner},
              {"due", insight::dayText(draft.due)},
              {"measure", std::string(reports::toString(draft.measure))},
              {"view", draft.view == reports::CostView::Billed ? "billed" : "effective"},
              {"before", cli::toJson(std::optional(draft.before.of(draft.measure)))},
              {"target", cli::toJson(draft.target)},
              {"state", std::string(reports::toString(decision.state))},
              {"made_at", cli::toJson(decision.at)},
              {"made_by", textOrNull(decision.by)},
              {"settled_at", decision.settledAt ? cli::toJson(*decision.settledAt) : Json(nullptr)},
              {"settled_by", textOrNull(decision.settledBy)},
              {"outcome", nullptr}};
    if (outcome)
        json["outcome"] = {{"month", insight::toString(outcome->month)},
                           {"after", cli::toJson(std::optional(outcome->after.of(draft.measure)))},
                           {"expected", cli::toJson(outcome->expected)},
                           {"brought", cli::toJson(outcome->brought)},
                           {"meets_target", draft.target ? Json(outcome->meetsTarget) : Json(nullptr)}};
    return json;
}

std::string whatOf(const savings::Choice &choice)
{
    return std::string(toString(choice.kind)) + ": " + choice.target;
}

std::string dueOf(const savings::Choice &choice)
{
    return choice.draft.day ? insight::dayText(*choice.draft.day) : std::string();
}

// The keys of a decision that it shares with one, and those of a choice.
Json savingJson(const services::AcceptedSaving &saving)
{
    const savings::Choice &choice = saving.choice;
    const Json chosen = choiceJson(choice);
    return {{"id", choice.id},
            {"month", insight::toString(saving.month)},
            {"team", textOrNull(choice.team)},
            {"what", whatOf(choice)},
            {"proposal", choice.draft.proposal},
            {"owner", choice.draft.owner},
            {"due", textOrNull(dueOf(choice))},
            {"projected", chosen["projected"]},
            {"state", std::string(reports::toString(reports::DecisionState::Open))},
            {"accepted_at", cli::toJson(choice.since)},
            {"accepted_by", textOrNull(choice.by)}};
}

void addSaving(ui::TextTable &table, const services::AcceptedSaving &saving)
{
    const savings::Choice &choice = saving.choice;
    table.add({std::to_string(choice.id), insight::toString(saving.month),
               choice.team.empty() ? "-" : reports::teamName(choice.team), whatOf(choice), choice.draft.owner,
               dueOf(choice), std::string(reports::toString(reports::DecisionState::Open)), "saving", "-", "-", "-",
               choice.projected ? ui::moneyText(choice.projected->p50) : std::string("-")});
}

} // namespace

Result<void> printDecisions(Session &session, const std::optional<insight::Month> &month)
{
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto decisions = (*workspace)->billing().decisions();
    GPULEDGER_TRY(decisions);
    const auto savings = (*workspace)->billing().acceptedSavings();
    GPULEDGER_TRY(savings);
    Outcomes outcomes(**workspace);
    using Align = ui::TextTable::Align;
    ui::TextTable table({{"no."},
                         {"month"},
                         {"team"},
                         {"what"},
                         {"who"},
                         {"due"},
                         {"state"},
                         {"measure"},
                         {"before", Align::Right},
                         {"after", Align::Right},
                         {"brought", Align::Right},
                         {"projected", Align::Right}});
    Json json{{"decisions", Json::array()}, {"savings", Json::array()}};
    for (const Decision &one : *decisions) {
        if (month && one.draft.month != *month)
            continue;
        const auto outcome = outcomes.of(one);
        GPULEDGER_TRY(outcome);
        json["decisions"].push_back(decisionJson(one, *outcome));
        const reports::DecisionDraft &draft = one.draft;
        const auto amount = [](const std::optional<base::Money> &m) {
            return m ? ui::moneyText(*m) : std::string("-");
        };
        table.add({std::to_string(one.id), insight::toString(draft.month), reports::teamName(draft.team), draft.what,
                   draft.owner, insight::dayText(draft.due), std::string(reports::toString(one.state)),
                   std::string(reports::toString(draft.measure)), amount(draft.before.of(draft.measure)),
                   amount(*outcome ? std::optional((*outcome)->after.of(draft.measure)) : std::nullopt),
                   amount(*outcome ? (*outcome)->brought : std::nullopt), "-"});
    }
    for (const services::AcceptedSaving &one : *savings) {
        if (month && one.month != *month)
            continue;
        json["savings"].push_back(savingJson(one));
        addSaving(table, one);
    }
    Output &out = session.out();
    if (out.json())
        return out.print(json);
    if (out.csv())
        return out.print(table.toCsv());
    return out.print(table.empty() ? "nothing was decided yet\n" : table.toText(out.bold()));
}

} // namespace gpuledger::cli
