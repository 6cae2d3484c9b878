// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/savings/savingsworkbook.h"

#include "ui/format/phrases/figures.h"
#include "ui/format/savings/savingsphrase.h"

#include <algorithm>

namespace gpuledger::ui {

using reports::WorkbookCell;
using reports::WorkbookSheet;
using savings::Choice;
using savings::Proposal;
using savings::Realized;

namespace {

constexpr double kNarrow = 10, kMoneyWidth = 18, kNameWidth = 34, kTextWidth = 60; // letters

// clang-format off
const char *const kSavedText = "What could have been saved from "; // no-tr: English
const char *const kNotCountedText = "Add up only the columns Counted p10, p50 and p90: p10, p50 and p90 are what a proposal saves by itself. Currencies are never added up."; // no-tr: English
const char *const kCountedP10 = "Counted p10"; // no-tr: English
const char *const kCountedP50 = "Counted p50"; // no-tr: English
const char *const kCountedP90 = "Counted p90"; // no-tr: English
const char *const kAssumedText = "What no source reports, as it is written after --assume. Percentages are whole numbers."; // no-tr: English
const char *const kRealizedText = "What accepted proposals and stops really saved per month, measured before and after, "; // no-tr: English
const char *const kNotMeasuredText = "This was not measured when the file was made."; // no-tr: English
const char *const kNoneAcceptedText = "No proposal has been accepted and nothing has been stopped yet."; // no-tr: English
const char *const kGroupText = "Rows with the same group may have found the same money: only the largest counts."; // no-tr: English
// clang-format on

using Row = std::vector<WorkbookCell>;

WorkbookCell amountCell(const std::optional<base::Money> &amount)
{
    return amount ? WorkbookCell(*amount) : WorkbookCell();
}

void addBand(Row &row, const std::optional<savings::MoneyBand> &band)
{
    for (const auto quantile : {&savings::MoneyBand::p10, &savings::MoneyBand::p50, &savings::MoneyBand::p90})
        row.push_back(band ? WorkbookCell((*band).*quantile) : WorkbookCell());
}

std::string inOneCell(const std::vector<std::string> &parts)
{
    std::string all;
    for (const std::string &part : parts)
        all += (all.empty() ? "" : "; ") + part;
    return all;
}

const char *costName(model::CostView view)
{
    switch (view) {
    case model::CostView::Billed:
        return "cost as billed";
    case model::CostView::List:
        return "cost by list prices";
    case model::CostView::Effective:
        break;
    }
    return "effective cost";
}

WorkbookCell weekCell(const base::TimeRange &range, bool isEnd)
{
    if (range.empty())
        return {};
    return base::dayOf(isEnd ? range.end - base::Seconds{1} : range.start);
}

const Choice *inForce(const SavingsBook &book, const std::string &proposal)
{
    for (const Choice &one : book.choices) {
        if (one.draft.proposal == proposal)
            return savings::isInForce(one.draft, book.today) ? &one : nullptr;
    }
    return nullptr;
}

Row proposalRow(const Proposal &one, const Choice *choice)
{
    std::vector<std::string> evidence, risks, assumed;
    for (const auto &[label, value] : one.evidence)
        evidence.push_back(textOf(label).english() + ": " + valueOf(value).english());
    for (const savings::Remark &risk : one.risks)
        risks.push_back(textOf(risk).english());
    for (const savings::Assumption &assumption : one.assumptions)
        assumed.push_back(assumption.name + ": " + assumption.value);
    Row row{std::string(toString(one.kind)), targetText(one), one.owner};
    addBand(row, one.perMonth);
    addBand(row, savings::countsWith(one));
    row.insert(row.end(),
               {amountCell(one.avoidable), one.currency, std::string(one.excludedBy ? "no" : "yes"),
                one.excludedBy ? textOf(*one.excludedBy).english() : std::string(), inOneCell(risks),
                inOneCell(evidence), inOneCell(assumed), one.how,
                choice ? std::string(toString(choice->draft.state)) : std::string(),
                choice ? choice->draft.owner : std::string(),
                choice && choice->draft.day ? WorkbookCell(*choice->draft.day) : WorkbookCell(),
                choice ? choice->draft.reason : std::string(), one.id});
    return row;
}

WorkbookSheet proposalSheet(const SavingsBook &book)
{
    WorkbookSheet sheet;
    sheet.name = sheet.title = "Proposals";
    sheet.notes = {std::string(kSavedText) + timeText(book.list.range.start, book.zone) + " to "
                       + timeText(book.list.range.end, book.zone) + " (" + book.zone.name() + "), per month of "
                       + std::to_string(savings::kHoursPerMonth) + " hours, " + costName(book.cost),
                   kNotCountedText};
    sheet.columns = {{"Kind", kMoneyWidth},
                     {"What", kNameWidth},
                     {"Team"},
                     {"p10", kMoneyWidth},
                     {"p50", kMoneyWidth},
                     {"p90", kMoneyWidth},
                     {kCountedP10, kMoneyWidth},
                     {kCountedP50, kMoneyWidth},
                     {kCountedP90, kMoneyWidth},
                     {"Avoidable", kMoneyWidth},
                     {"Currency", kNarrow},
                     {"Counted", kNarrow},
                     {"Reason", kTextWidth},
                     {"Risks", kTextWidth},
                     {"Evidence", kTextWidth},
                     {"Assumed", kTextWidth},
                     {"How", kTextWidth, true},
                     {"Choice"},
                     {"Owner"},
                     {"Day"},
                     {"Why", kNameWidth},
                     {"Id", kNameWidth}};
    for (const Proposal &one : book.list.items)
        sheet.rows.push_back(proposalRow(one, inForce(book, one.id)));
    return sheet;
}

// Its defaults for kinds of work.
void addByWork(const SavingsBook &book, const savings::AssumptionSpec &spec, WorkbookSheet &sheet)
{
    const std::string unit = spec.type == savings::AssumptionType::Percent ? "%" : "";
    const bool isChanged = book.assumptions.changed().contains(spec.name);
    for (const auto &[work, usual] : book.assumptions.usualByWork(spec.name))
        sheet.rows.push_back({std::string(spec.name), std::string(toString(spec.kind)),
                              book.assumptions.textOf(work, spec.name) + unit, usual + unit,
                              std::string("configuration"), std::string(isChanged ? "yes" : "no"),
                              savings::helpOfWork(spec, work)});
}

WorkbookSheet assumptionSheet(const SavingsBook &book)
{
    WorkbookSheet sheet;
    sheet.name = sheet.title = "Assumptions";
    sheet.notes = {kAssumedText};
    sheet.columns = {{"Assumption", kNameWidth}, {"Kind"}, {"Value"}, {"Default"}, {"Origin"}, {"Changed", kNarrow},
                     {"Help", kTextWidth}};
    for (const savings::AssumptionSpec &spec : savings::assumptionSpecs()) {
        if (book.kind && spec.kind != *book.kind)
            continue;
        const std::string unit = spec.type == savings::AssumptionType::Percent ? "%" : "";
        const bool isChanged = book.assumptions.changed().contains(spec.name);
        sheet.rows.push_back({std::string(spec.name), std::string(toString(spec.kind)),
                              book.assumptions.text(spec.name) + unit, book.assumptions.usual(spec.name) + unit,
                              std::string(book.assumptions.isConfigured(spec.name) ? "configuration" : "program"),
                              std::string(isChanged ? "yes" : "no"), std::string(spec.help)});
        addByWork(book, spec, sheet);
    }
    for (const savings::AssumptionSpec &spec : savings::workDefaultSpecs()) {
        if (!book.kind || spec.kind == *book.kind)
            addByWork(book, spec, sheet);
    }
    return sheet;
}

Row realizedRow(const Realized &one, const Choice *choice)
{
    Row row{choice ? std::string(toString(choice->kind)) : std::string(), choice ? choice->target : std::string(),
            choice ? choice->team : std::string(), std::string(toString(one.state)),
            choice && choice->projected ? WorkbookCell(choice->projected->p50) : WorkbookCell()};
    addBand(row, one.perMonth);
    row.insert(row.end(),
               {one.error ? WorkbookCell(*one.error * 100) : WorkbookCell(), weekCell(one.before, false),
                weekCell(one.before, true), weekCell(one.after, false), weekCell(one.after, true),
                one.group != 0 ? std::to_string(one.group) : std::string(),
                choice ? choice->draft.owner : std::string(),
                choice && choice->draft.day ? WorkbookCell(*choice->draft.day) : WorkbookCell(),
                choice ? choice->draft.proposal : std::string()});
    return row;
}

WorkbookSheet realizedSheet(const SavingsBook &book)
{
    WorkbookSheet sheet;
    sheet.name = sheet.title = "Realized";
    sheet.notes = {std::string(kRealizedText) + costName(book.cost)};
    if (!book.realized)
        sheet.notes.push_back(kNotMeasuredText);
    else if (book.realized->empty())
        sheet.notes.push_back(kNoneAcceptedText);
    else
        sheet.notes.push_back(kGroupText);
    sheet.columns = {{"Kind", kMoneyWidth},
                     {"What", kNameWidth},
                     {"Team"},
                     {"State"},
                     {"Projected", kMoneyWidth},
                     {"p10", kMoneyWidth},
                     {"p50", kMoneyWidth},
                     {"p90", kMoneyWidth},
                     {"Error (%)"},
                     {"Before: from"},
                     {"Before: to"},
                     {"After: from"},
                     {"After: to"},
                     {"Group", kNarrow},
                     {"Owner"},
                     {"Day"},
                     {"Id", kNameWidth}};
    if (!book.realized)
        return sheet;
    for (const Realized &one : *book.realized) {
        const auto found = std::find_if(book.realizedOf.begin(), book.realizedOf.end(),
                                        [&](const Choice &choice) { return choice.id == one.choice; });
        sheet.rows.push_back(realizedRow(one,
                                         found == book.realizedOf.end() && !one.stop ? nullptr
                                             : one.stop                              ? &*one.stop
                                                                                     : &*found));
    }
    return sheet;
}

} // namespace

std::vector<WorkbookSheet> savingsSheets(const SavingsBook &book)
{
    return {proposalSheet(book), assumptionSheet(book), realizedSheet(book)};
}

base::Result<std::string> savingsXlsx(const SavingsBook &book)
{
    return reports::toXlsx(savingsSheets(book), book.list.range.end);
}

} // namespace gpuledger::ui
