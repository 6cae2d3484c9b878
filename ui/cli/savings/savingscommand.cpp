// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/savings/savingscommand.h"

#include "app/base/text.h"
#include "app/services/savings/savingsservice.h"
#include "ui/cli/program/costoption.h"
#include "ui/cli/savings/choicesprint.h"
#include "ui/cli/savings/savingsprint.h"

#include <CLI/CLI.hpp>

#include <utility>

namespace gpuledger::cli {

using base::Result;
using savings::Proposal;
using savings::SavingsList;

namespace {

constexpr std::size_t kNamedIds = 5; // in an error

// Whole devices end, whoever used them: a part of the fleet has no savings of its own.
Result<void> refuseFilters(const GlobalOptions &options)
{
    const std::pair<const char *, const std::vector<std::string> *> filters[]{
        {"--team", &options.teams},
        {"--cluster", &options.clusters},
        {"--cloud", &options.clouds},
        {"--gpu-model", &options.gpuModels},
        {"--environment", &options.environments},
        {"--workload-type", &options.workloadTypes}};
    for (const auto &[name, values] : filters) {
        if (!values->empty())
            return base::fail(base::ErrorCode::InvalidArgument,
                              std::string("savings are those of the whole fleet and can't go with ") + name,
                              "omit it; each item of --json has its owner and its target");
    }
    return {};
}

// By its id, or by a target that only one proposal has.
Result<const Proposal *> proposalNamed(const SavingsList &list, const std::string &name)
{
    std::vector<const Proposal *> found;
    for (const Proposal &one : list.items) {
        if (one.id == name)
            return &one;
        if (one.target == name)
            found.push_back(&one);
    }
    if (found.size() == 1)
        return found.front();
    const std::string quoted = '"' + base::printable(name, 64) + '"';
    if (found.empty())
        return base::fail(base::ErrorCode::NotFound, "there is no kind of savings and no proposal " + quoted,
                          "kinds are " + joinedNames(savingsKindNames())
                              + "; see the ids with: gpuledger-cli savings --json");
    std::string ids;
    for (std::size_t i = 0; i < found.size() && i < kNamedIds; ++i)
        ids += (ids.empty() ? "" : ", ") + base::printable(found[i]->id, 200);
    return base::fail(base::ErrorCode::InvalidArgument, "several proposals have the target " + quoted,
                      "use one of their ids: " + ids + (found.size() > kNamedIds ? ", …" : ""));
}

} // namespace

void SavingsCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "savings", "What could be saved per month, with assumptions, evidence and risks",
                     "gpuledger-cli savings schedule --from -28d --json");
    m_verb->add_option("what", m_what,
                       "Only this kind: " + joinedNames(savingsKindNames())
                           + "; or the id or the target of one proposal, which is then shown whole");
    addCostOption(*m_verb, m_cost);
    m_verb->add_flag("--all", m_all, "Every proposal, also those that a short list leaves out");
}

bool SavingsCommand::chosen() const
{
    return parsed(m_verb) && m_verb->get_subcommands().empty();
}

Result<int> SavingsCommand::run(Session &session)
{
    const GlobalOptions &options = session.options();
    GPULEDGER_TRY(refuseFilters(options));
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    std::optional<base::TimeRange> range;
    if (!options.from.empty() || !options.to.empty()) {
        const auto given = session.range((*workspace)->timeZone());
        GPULEDGER_TRY(given);
        range = *given;
    }
    const auto kind = savings::kindFrom(m_what);
    const auto list = (*workspace)->savings().savings(kind, range, costViewOf(m_cost), session.stop());
    GPULEDGER_TRY(list);
    GPULEDGER_TRY(m_what.empty() || kind ? printList(session, *list) : printOne(session, *list));
    return kDone;
}

Result<void> SavingsCommand::printList(Session &session, const SavingsList &list) const
{
    Output &out = session.out();
    const model::CostView view = costViewOf(m_cost);
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    if (out.json()) {
        const auto choices = (*workspace)->savings().choices();
        GPULEDGER_TRY(choices);
        const ChoiceIndex index(*choices);
        return out.print(savingsHead(list, view), {"items", list.items.size(), [&](std::size_t i) {
                                                       Json item = proposalJson(list.items[i]);
                                                       item["choice"] = index.of(list.items[i].id);
                                                       return item;
                                                   }});
    }
    if (out.csv())
        return out.print(savingsCsv(list.items));
    return out.print(savingsText(list, view, (*workspace)->timeZone(), m_all, out.bold()));
}

Result<void> SavingsCommand::printOne(Session &session, const SavingsList &list) const
{
    const auto one = proposalNamed(list, m_what);
    GPULEDGER_TRY(one);
    Output &out = session.out();
    if (out.json()) {
        Json json = savingsHead({list.range, {}, {}}, costViewOf(m_cost));
        json.erase("total");
        json["item"] = proposalJson(**one);
        const auto workspace = session.workspace();
        GPULEDGER_TRY(workspace);
        const auto choices = (*workspace)->savings().choices();
        GPULEDGER_TRY(choices);
        json["item"]["choice"] = ChoiceIndex(*choices).of((*one)->id);
        return out.print(json);
    }
    return out.print(out.csv() ? savingsCsv({**one}) : proposalText(**one));
}

} // namespace gpuledger::cli
