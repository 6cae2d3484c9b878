// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/savings/savingscommand.h"

#include "app/base/files/filereplace.h"
#include "app/base/text/text.h"
#include "app/services/savings/proposalacts.h"
#include "app/services/savings/savingsservice.h"
#include "ui/cli/program/costoption.h"
#include "ui/cli/savings/actsprint.h"
#include "ui/cli/savings/assumptionprint.h"
#include "ui/cli/savings/choicesprint.h"
#include "ui/cli/savings/curveprint.h"
#include "ui/cli/savings/savingsids.h"
#include "ui/cli/savings/savingsprint.h"
#include "ui/cli/savings/savingsquestion.h"
#include "ui/format/savings/savingsworkbook.h"

#include <CLI/CLI.hpp>

#include <string_view>
#include <utility>

namespace gpuledger::cli {

using base::Result;
using savings::Proposal;
using savings::SavingsList;

namespace {

constexpr std::size_t kNamedIds = 5; // in an error
constexpr std::string_view kCompare = "compare"; // looks like a kind, but is a command

// Whole devices end, whoever used them: a part of the fleet has no savings of its own.
Result<void> refuseFilters(const GlobalOptions &options)
{
    const std::pair<const char *, const std::vector<std::string> *> filters[]{
        {"--team", &options.teams},
        {"--cluster", &options.clusters},
        {"--cloud", &options.clouds},
        {"--gpu-model", &options.gpuModels},
        {"--environment", &options.environments},
        {"--workload-type", &options.workloadTypes},
        {"--node-pool", &options.nodePools}};
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
    if (found.empty() && name == kCompare)
        return base::fail(base::ErrorCode::InvalidArgument, "compare is a command of its own: gpuledger-cli compare",
                          "kinds of savings are " + joinedNames(savingsKindNames()));
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

Result<services::ProposalActs> actsNow(services::Workspace &workspace)
{
    auto facts = workspace.savings().actFacts(workspace.actions());
    GPULEDGER_TRY(facts);
    return services::ProposalActs(std::move(*facts));
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
    addAssumeOptions(*m_verb, m_assume);
    addOwnOption(*m_verb, m_assume);
    auto *assumptions =
        m_verb->add_flag("--assumptions", m_assumptions, "Instead: what can be assumed, with defaults and limits");
    m_verb
        ->add_option("--xlsx", m_workbook,
                     "Write proposals, assumptions and what accepted ones saved to this workbook instead, replacing it")
        ->excludes(assumptions);
}

bool SavingsCommand::chosen() const
{
    return parsed(m_verb) && m_verb->get_subcommands().empty();
}

Result<int> SavingsCommand::run(Session &session)
{
    const GlobalOptions &options = session.options();
    if (!m_workbook.empty() && (options.json || options.csv))
        return base::fail(base::ErrorCode::InvalidArgument, "--xlsx writes a file and prints no list",
                          std::string("omit ") + (options.json ? "--json" : "--csv"));
    const auto assumed = assumedIn(session, m_assume);
    GPULEDGER_TRY(assumed);
    if (m_assumptions) {
        GPULEDGER_TRY(printAssumptions(session, *assumed));
        return kDone;
    }
    GPULEDGER_TRY(refuseFilters(options));
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    auto query = savingsQuery(session, (*workspace)->timeZone(), m_cost, m_assume);
    GPULEDGER_TRY(query);
    query->kind = savings::kindFrom(m_what);
    const auto list = (*workspace)->savings().savings(*query, session.stop());
    GPULEDGER_TRY(list);
    if (!m_workbook.empty()) {
        GPULEDGER_TRY(writeWorkbook(session, *list, *query));
        return kDone;
    }
    GPULEDGER_TRY(m_what.empty() || query->kind ? printList(session, *list, *query) : printOne(session, *list, *query));
    return kDone;
}

Result<void> SavingsCommand::printList(Session &session, const SavingsList &list,
                                       const services::SavingsQuery &query) const
{
    Output &out = session.out();
    const model::CostView view = costViewOf(m_cost);
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    if (out.json()) {
        const auto choices = (*workspace)->savings().choices();
        GPULEDGER_TRY(choices);
        const ChoiceIndex index(*choices);
        const auto acts = actsNow(**workspace);
        GPULEDGER_TRY(acts);
        Json head = savingsHead(list, view);
        addSumFigures(head, list, query);
        head["assumptions"] = changedJson(query.assumptions);
        return out.print(head, {"items", list.items.size(), [&](std::size_t i) {
                                    Json item = proposalJson(list.items[i]);
                                    addProposalFigures(item, list, list.items[i], query);
                                    item["choice"] = index.of(list.items[i].id);
                                    item["act"] = actJson(acts->of(list.items[i]));
                                    return item;
                                }});
    }
    if (out.csv())
        return out.print(savingsCsv(list.items));
    return out.print(changedText(query.assumptions)
                     + savingsText(list, view, (*workspace)->timeZone(), m_all, out.bold()));
}

Result<void> SavingsCommand::printOne(Session &session, const SavingsList &list,
                                      const services::SavingsQuery &query) const
{
    const auto one = proposalNamed(list, m_what);
    GPULEDGER_TRY(one);
    Output &out = session.out();
    if (out.csv())
        return out.print(savingsCsv({**one}));
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto acts = actsNow(**workspace);
    GPULEDGER_TRY(acts);
    const services::ProposalAct act = acts->of(**one);
    if (out.json()) {
        Json json = savingsHead({list.range, {}, {}, list.warnings}, costViewOf(m_cost));
        json.erase("total");
        json["assumptions"] = changedJson(query.assumptions);
        json["item"] = proposalJson(**one);
        addProposalFigures(json["item"], list, **one, query);
        const auto choices = (*workspace)->savings().choices();
        GPULEDGER_TRY(choices);
        json["item"]["choice"] = ChoiceIndex(*choices).of((*one)->id);
        json["item"]["act"] = actJson(act);
        services::SavingsQuery asked = query;
        asked.kind = (*one)->kind;
        const auto curve = (*workspace)->savings().curve(asked, (*one)->id, session.stop());
        GPULEDGER_TRY(curve);
        json["item"]["curve"] = curveJson(*curve);
        return out.print(json);
    }
    return out.print(proposalText(**one) + actText(act, (*workspace)->timeZone()));
}

Result<void> SavingsCommand::writeWorkbook(Session &session, SavingsList list,
                                           const services::SavingsQuery &query) const
{
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    ui::SavingsBook book;
    book.kind = query.kind;
    if (!m_what.empty() && !query.kind) {
        const auto one = proposalNamed(list, m_what);
        GPULEDGER_TRY(one);
        book.kind = (*one)->kind;
        list.items = {Proposal(**one)};
    }
    auto choices = (*workspace)->savings().choices();
    GPULEDGER_TRY(choices);
    auto realized = (*workspace)->savings().realized(query.cost, session.stop());
    GPULEDGER_TRY(realized);
    book.list = std::move(list);
    book.cost = query.cost;
    book.assumptions = query.assumptions;
    book.choices = *choices;
    book.realizedOf = std::move(*choices);
    book.realized = std::move(*realized);
    book.zone = (*workspace)->timeZone();
    book.today = base::Day{book.zone.localDay((*workspace)->clock().now())};
    const auto bytes = ui::savingsXlsx(book);
    GPULEDGER_TRY(bytes);
    return base::replaceFile(m_workbook, *bytes);
}

Result<void> SavingsCommand::printAssumptions(Session &session, const savings::Assumptions &assumed) const
{
    const auto kind = savings::kindFrom(m_what);
    if (!m_what.empty() && !kind)
        return base::fail(base::ErrorCode::InvalidArgument, "--assumptions goes with a kind of savings, or alone",
                          "kinds are " + joinedNames(savingsKindNames()));
    Output &out = session.out();
    const std::vector<savings::AssumptionSpec> specs = assumptionsOf(kind, assumed);
    if (out.json())
        return out.print(Json::object(), {"assumptions", specs.size(), [&](std::size_t i) {
                                              return assumptionJson(specs[i], assumed);
                                          }});
    return out.print(out.csv() ? assumptionsCsv(specs, assumed) : assumptionsText(specs, assumed, out.bold()));
}

} // namespace gpuledger::cli
