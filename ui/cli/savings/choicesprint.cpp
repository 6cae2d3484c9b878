// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/savings/choicesprint.h"

#include "app/base/text/text.h"
#include "app/insight/spend/ledgerquery.h"
#include "app/savings/realized/realized.h"
#include "ui/cli/program/costoption.h"
#include "ui/cli/program/output.h"
#include "ui/cli/savings/savingsids.h"
#include "ui/format/phrases/figures.h"
#include "ui/format/texttable.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace gpuledger::cli {

using savings::Choice;
using savings::ChoiceState;
using savings::Realized;
using ui::TextTable;

namespace {

Json bandOrNull(const std::optional<savings::MoneyBand> &band)
{
    if (!band)
        return nullptr;
    return {{"p10", cli::toJson(std::optional(band->p10))},
            {"p50", cli::toJson(std::optional(band->p50))},
            {"p90", cli::toJson(std::optional(band->p90))}};
}

std::string chosenDay(const Choice &choice)
{
    return choice.draft.day ? insight::dayText(*choice.draft.day) : std::string();
}

std::string middleOf(const std::optional<savings::MoneyBand> &band)
{
    return band ? ui::moneyText(band->p50) : ui::moneyText(std::nullopt);
}

Json weeksJson(const base::TimeRange &range)
{
    if (range.empty())
        return nullptr;
    return {{"from", cli::toJson(range.start)}, {"to", cli::toJson(range.end)}};
}

// "2026-10-01 to 2026-10-28", the last day included.
std::string weeksText(const base::TimeRange &range)
{
    if (range.empty())
        return "-";
    return insight::dayText(base::dayOf(range.start)) + " to "
        + insight::dayText(base::dayOf(range.end - base::Seconds{1}));
}

const Choice *choiceWith(const std::vector<Choice> &choices, std::int64_t id)
{
    const auto it = std::lower_bound(choices.begin(), choices.end(), id,
                                     [](const Choice &one, std::int64_t wanted) { return one.id < wanted; });
    return it != choices.end() && it->id == id ? &*it : nullptr;
}

std::vector<Choice> acceptedIn(const std::vector<Choice> &choices)
{
    std::vector<Choice> out;
    std::copy_if(choices.begin(), choices.end(), std::back_inserter(out),
                 [](const Choice &one) { return one.draft.state == ChoiceState::Accepted; });
    return out;
}

// What a line of realized savings is about; null: nothing is known of it.
const Choice *subjectOf(const Realized &one, const std::vector<Choice> &choices)
{
    return one.stop ? &*one.stop : choiceWith(choices, one.choice);
}

Json stopJson(const Realized &one)
{
    if (!one.stop || !one.stop->stop)
        return nullptr;
    return {{"action", one.stop->stop->action},
            {"at", cli::toJson(one.stop->at)},
            {"by", textOrNull(one.stop->by)},
            {"undone", one.stop->stop->undone ? cli::toJson(*one.stop->stop->undone) : Json(nullptr)}};
}

// "ml/Notebook/eva, stopped 2026-10-20 by kim, action 3"
std::string subjectText(const Realized &one, const Choice *choice)
{
    if (!choice || !choice->stop)
        return choice ? choice->draft.proposal : std::string();
    std::string text = choice->target + ", stopped " + insight::dayText(base::dayOf(choice->at));
    if (!choice->by.empty())
        text += " by " + choice->by;
    text += ", action " + std::to_string(choice->stop->action);
    if (choice->stop->undone)
        text += ", undone " + insight::dayText(base::dayOf(*choice->stop->undone));
    return text;
}

std::string realizedSpread(const Realized &one)
{
    if (!one.perMonth)
        return {};
    return ui::amountText(one.perMonth->p10.nanos()) + " to " + ui::amountText(one.perMonth->p90.nanos());
}

std::string decimalOrNone(const std::optional<savings::MoneyBand> &band, base::Money savings::MoneyBand::*quantile)
{
    return band ? ((*band).*quantile).toDecimal() : std::string();
}

} // namespace

Json choiceJson(const Choice &choice)
{
    Json json;
    json["id"] = choice.id;
    json["proposal"] = choice.draft.proposal;
    json["kind"] = std::string(toString(choice.kind));
    json["target"] = choice.target;
    json["team"] = textOrNull(choice.team);
    json["state"] = std::string(toString(choice.draft.state));
    json["owner"] = textOrNull(choice.draft.owner);
    json["day"] = textOrNull(chosenDay(choice));
    json["reason"] = textOrNull(choice.draft.reason);
    json["by"] = textOrNull(choice.by);
    json["at"] = cli::toJson(choice.at);
    json["projected"] = bandOrNull(choice.projected);
    return json;
}

std::string choiceLine(const Choice &choice)
{
    std::string text = base::printable(choice.draft.proposal, 400) + ": " + std::string(toString(choice.draft.state));
    if (!choice.draft.owner.empty())
        text += ", " + choice.draft.owner;
    if (choice.draft.day)
        text += ", until " + chosenDay(choice);
    if (!choice.draft.reason.empty())
        text += ", " + choice.draft.reason;
    return text;
}

std::string choicesText(const std::vector<Choice> &choices, bool bold)
{
    TextTable table({{"proposal"},
                     {"state"},
                     {"owner"},
                     {"day"},
                     {"projected per month", TextTable::Align::Right},
                     {"reason"},
                     {"by"},
                     {"at"}});
    for (const Choice &one : choices)
        table.add({one.draft.proposal, std::string(toString(one.draft.state)), one.draft.owner, chosenDay(one),
                   middleOf(one.projected), one.draft.reason, one.by, base::toRfc3339(one.at)});
    return table.empty() ? "nothing has been decided yet\n" : table.toText(bold);
}

std::string choicesCsv(const std::vector<Choice> &choices)
{
    TextTable table({{"id"},
                     {"proposal"},
                     {"kind"},
                     {"target"},
                     {"team"},
                     {"state"},
                     {"owner"},
                     {"day"},
                     {"reason"},
                     {"by"},
                     {"at"},
                     {"projected_p50"},
                     {"currency"}});
    for (const Choice &one : choices)
        table.add({std::to_string(one.id), one.draft.proposal, std::string(toString(one.kind)), one.target, one.team,
                   std::string(toString(one.draft.state)), one.draft.owner, chosenDay(one), one.draft.reason, one.by,
                   base::toRfc3339(one.at), decimalOrNone(one.projected, &savings::MoneyBand::p50), one.currency});
    return table.toCsv();
}

Json realizedJson(const std::vector<Realized> &realized, const std::vector<Choice> &choices, model::CostView view)
{
    Json json;
    json["cost"] = std::string(model::toString(view));
    json["realized"] = Json::array();
    for (const Realized &one : realized) {
        const Choice *choice = subjectOf(one, choices);
        Json line;
        line["id"] = one.stop ? Json(nullptr) : Json(one.choice);
        line["proposal"] = choice && !one.stop ? Json(choice->draft.proposal) : Json(nullptr);
        line["stop"] = stopJson(one);
        line["target"] = choice ? textOrNull(choice->target) : Json(nullptr);
        line["team"] = choice ? textOrNull(choice->team) : Json(nullptr);
        line["owner"] = choice ? textOrNull(choice->draft.owner) : Json(nullptr);
        line["state"] = std::string(toString(one.state));
        line["projected"] = choice ? bandOrNull(choice->projected) : Json(nullptr);
        line["per_month"] = bandOrNull(one.perMonth);
        line["error_percent"] = one.error ? cli::toJson(std::optional(*one.error * 100)) : Json(nullptr);
        line["before"] = weeksJson(one.before);
        line["after"] = weeksJson(one.after);
        addRealizedFigures(line, one, view);
        json["realized"].push_back(std::move(line));
    }
    json["total"] = Json::array();
    for (const savings::RealizedTotal &sum : savings::realizedSum(acceptedIn(choices), realized)) {
        Json line;
        line["currency"] = std::string(sum.perMonth.p50.currency().code());
        line["per_month"] = bandOrNull(sum.perMonth);
        line["projected"] = cli::toJson(sum.projected);
        line["proposals"] = sum.counted - sum.stops;
        line["stops"] = sum.stops;
        line["overlapping"] = sum.overlapping;
        addRealizedSumFigures(line, sum, realized, view);
        json["total"].push_back(std::move(line));
    }
    return json;
}

std::string realizedText(const std::vector<Realized> &realized, const std::vector<Choice> &choices,
                         model::CostView view, bool bold)
{
    TextTable table({{"proposal or stop"},
                     {"state"},
                     {"projected per month", TextTable::Align::Right},
                     {"realized", TextTable::Align::Right},
                     {"p10 to p90", TextTable::Align::Right},
                     {"error", TextTable::Align::Right},
                     {"before"},
                     {"after"}});
    for (const Realized &one : realized) {
        const Choice *choice = subjectOf(one, choices);
        table.add({subjectText(one, choice), std::string(toString(one.state)),
                   choice ? middleOf(choice->projected) : std::string(), middleOf(one.perMonth), realizedSpread(one),
                   ui::percentText(one.error), weeksText(one.before), weeksText(one.after)});
    }
    return table.empty()
        ? "no proposal has been accepted and nothing has been stopped yet\n"
        : "What accepted proposals and stops really saved per month" + viewText(view) + '\n' + table.toText(bold);
}

std::string realizedCsv(const std::vector<Realized> &realized, const std::vector<Choice> &choices)
{
    TextTable table({{"id"},
                     {"proposal"},
                     {"state"},
                     {"projected_p50"},
                     {"realized_p10"},
                     {"realized_p50"},
                     {"realized_p90"},
                     {"currency"},
                     {"before"},
                     {"after"}});
    for (const Realized &one : realized) {
        const Choice *choice = subjectOf(one, choices);
        const auto part = [&](base::Money savings::MoneyBand::*quantile) {
            return decimalOrNone(one.perMonth, quantile);
        };
        table.add({one.stop ? std::string() : std::to_string(one.choice), subjectText(one, choice),
                   std::string(toString(one.state)),
                   choice ? decimalOrNone(choice->projected, &savings::MoneyBand::p50) : std::string(),
                   part(&savings::MoneyBand::p10), part(&savings::MoneyBand::p50), part(&savings::MoneyBand::p90),
                   one.perMonth ? std::string(one.perMonth->p50.currency().code()) : std::string(),
                   weeksText(one.before), weeksText(one.after)});
    }
    return table.toCsv();
}

ChoiceIndex::ChoiceIndex(const std::vector<Choice> &choices)
{
    for (const Choice &one : choices) {
        if (one.draft.state != ChoiceState::Open)
            m_byProposal.emplace(one.draft.proposal, &one);
    }
}

Json ChoiceIndex::of(const std::string &proposal) const
{
    const auto found = m_byProposal.find(proposal);
    if (found == m_byProposal.end())
        return nullptr;
    const Json whole = choiceJson(*found->second);
    Json json;
    for (const char *key : {"state", "owner", "day", "reason", "by", "at"})
        json[key] = whole[key];
    return json;
}

} // namespace gpuledger::cli
