// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/savings/savingsprint.h"

#include "app/base/text/text.h"
#include "ui/cli/program/costoption.h"
#include "ui/cli/program/output.h"
#include "ui/format/phrases/figures.h"
#include "ui/format/savings/savingsphrase.h"
#include "ui/format/texttable.h"

#include <algorithm>

namespace gpuledger::cli {

using savings::MoneyBand;
using savings::Proposal;
using savings::SavingsList;
using savings::SavingsSum;
using ui::TextTable;

namespace {

constexpr std::size_t kShownItems = 30; // in a short list
constexpr std::size_t kShownExcluded = 10;
constexpr std::size_t kLongestText = 4000; // bytes of a line

Json amountsJson(const MoneyBand &band)
{
    return {{"p10", cli::toJson(std::optional(band.p10))},
            {"p50", cli::toJson(std::optional(band.p50))},
            {"p90", cli::toJson(std::optional(band.p90))}};
}

// "9.00 to 14.00"; empty without a spread.
std::string spreadText(const MoneyBand &band)
{
    if (band.p10 == band.p90)
        return {};
    return ui::amountText(band.p10.nanos()) + " to " + ui::amountText(band.p90.nanos());
}

std::string middleText(const Proposal &proposal)
{
    return proposal.perMonth ? ui::moneyText(proposal.perMonth->p50) : ui::moneyText(std::nullopt);
}

std::string decimalOf(const std::optional<base::Money> &amount)
{
    return amount ? amount->toDecimal() : std::string();
}

std::string shown(const std::string &text)
{
    return base::printable(text, kLongestText);
}

std::string joinedBy(const char *between, const std::vector<std::string> &parts)
{
    std::string all;
    for (const std::string &part : parts)
        all += (all.empty() ? "" : between) + part;
    return all;
}

std::vector<std::string> assumptionLines(const Proposal &proposal)
{
    std::vector<std::string> lines;
    for (const savings::Assumption &one : proposal.assumptions)
        lines.push_back(one.name + ": " + one.value);
    return lines;
}

std::vector<std::string> evidenceLines(const Proposal &proposal)
{
    std::vector<std::string> lines;
    for (const auto &[label, value] : proposal.evidence)
        lines.push_back(ui::textOf(label).english() + ": " + ui::valueOf(value).english());
    return lines;
}

std::vector<std::string> riskLines(const Proposal &proposal)
{
    std::vector<std::string> lines;
    for (const savings::Remark &risk : proposal.risks)
        lines.push_back(ui::textOf(risk).english());
    return lines;
}

std::string exclusionText(const Proposal &proposal)
{
    return proposal.excludedBy ? ui::textOf(*proposal.excludedBy).english() : std::string();
}

std::vector<std::string> linesOf(const std::string &text)
{
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

std::string sectionText(const char *title, const std::vector<std::string> &lines)
{
    if (lines.empty())
        return {};
    std::string text = std::string(title) + ":\n";
    for (const std::string &line : lines)
        text += "  " + shown(line) + '\n';
    return text;
}

std::string moreText(std::size_t left)
{
    return left > 0 ? "and " + std::to_string(left) + " more (see them with --all)\n" : std::string();
}

std::string sumsText(const SavingsList &list, bool bold)
{
    TextTable table({{"per month"},
                     {"p10", TextTable::Align::Right},
                     {"p50", TextTable::Align::Right},
                     {"p90", TextTable::Align::Right},
                     {"currency"}});
    const auto add = [&](std::string_view name, const MoneyBand &band, const std::string &currency) {
        table.add({std::string(name), ui::amountText(band.p10.nanos()), ui::amountText(band.p50.nanos()),
                   ui::amountText(band.p90.nanos()), currency});
    };
    for (const SavingsSum &sum : list.sums) {
        for (const auto &[kind, band] : sum.byKind)
            add(toString(kind), band, sum.currency);
        add("total", sum.perMonth, sum.currency);
    }
    return table.empty() ? std::string() : '\n' + table.toText(bold);
}

std::string countedText(const SavingsList &list, std::size_t counted, bool all, bool bold)
{
    if (counted == 0)
        return "no proposal counts\n";
    const bool hasLess = std::any_of(list.items.begin(), list.items.begin() + static_cast<std::ptrdiff_t>(counted),
                                     [](const Proposal &one) { return one.counted.has_value(); });
    std::vector<TextTable::Column> columns{{"target"},
                                           {"owner"},
                                           {"kind"},
                                           {"per month", TextTable::Align::Right},
                                           {"p10 to p90", TextTable::Align::Right},
                                           {"note"}};
    if (hasLess)
        columns.insert(columns.end() - 1, {"in the sum", TextTable::Align::Right});
    TextTable table(columns);
    const std::size_t rows = all ? counted : std::min(counted, kShownItems);
    for (std::size_t i = 0; i < rows; ++i) {
        const Proposal &one = list.items[i];
        std::vector<std::string> row{ui::targetText(one),
                                     one.owner,
                                     std::string(toString(one.kind)),
                                     middleText(one),
                                     spreadText(*one.perMonth),
                                     one.risks.empty() ? std::string() : ui::textOf(one.risks.front()).english()};
        if (hasLess)
            row.insert(row.end() - 1, ui::moneyText(savings::countsWith(one)->p50));
        table.add(row);
    }
    return table.toText(bold) + moreText(counted - rows);
}

std::string excludedText(const SavingsList &list, std::size_t counted, bool all, bool bold)
{
    const std::size_t count = list.items.size() - counted;
    if (count == 0)
        return {};
    TextTable table({{"not counted"}, {"owner"}, {"kind"}, {"per month", TextTable::Align::Right}, {"why"}});
    const std::size_t rows = all ? count : std::min(count, kShownExcluded);
    for (std::size_t i = counted; i < counted + rows; ++i) {
        const Proposal &one = list.items[i];
        table.add(
            {ui::targetText(one), one.owner, std::string(toString(one.kind)), middleText(one), exclusionText(one)});
    }
    return '\n' + table.toText(bold) + moreText(count - rows);
}

std::string warningsText(const SavingsList &list)
{
    std::string text;
    for (const savings::Remark &one : list.warnings)
        text += "\nwarning: " + shown(ui::textOf(one).english()) + '\n';
    return text;
}

} // namespace

Json sumsJson(const SavingsList &list)
{
    Json sums = Json::array();
    for (const SavingsSum &sum : list.sums) {
        Json byKind = Json::object();
        for (const auto &[kind, band] : sum.byKind)
            byKind[std::string(toString(kind))] = amountsJson(band);
        sums.push_back(
            {{"currency", sum.currency}, {"per_month", amountsJson(sum.perMonth)}, {"by_kind", std::move(byKind)}});
    }
    return sums;
}

Json savingsHead(const SavingsList &list, model::CostView view)
{
    Json json;
    json["range"] = {{"from", cli::toJson(list.range.start)}, {"to", cli::toJson(list.range.end)}};
    json["cost"] = std::string(model::toString(view));
    json["total"] = sumsJson(list);
    json["warnings"] = Json::array();
    for (const savings::Remark &one : list.warnings)
        json["warnings"].push_back(ui::textOf(one).english());
    return json;
}

Json proposalJson(const Proposal &proposal)
{
    Json json;
    json["id"] = proposal.id;
    json["kind"] = std::string(toString(proposal.kind));
    json["target"] = proposal.target;
    json["owner"] = textOrNull(proposal.owner);
    json["currency"] = textOrNull(proposal.currency);
    json["per_month"] = proposal.perMonth ? amountsJson(*proposal.perMonth) : Json(nullptr);
    const auto counted = savings::countsWith(proposal);
    json["counted"] = counted ? amountsJson(*counted) : Json(nullptr);
    json["avoidable"] = cli::toJson(proposal.avoidable);
    json["assumptions"] = Json::object();
    for (const savings::Assumption &one : proposal.assumptions)
        json["assumptions"][one.name] = one.value;
    json["evidence"] = Json::object();
    for (const auto &[label, value] : proposal.evidence)
        json["evidence"][ui::textOf(label).english()] = ui::valueOf(value).english();
    json["risks"] = riskLines(proposal);
    json["how"] = textOrNull(proposal.how);
    json["resources"] = proposal.resources;
    json["excluded_by"] = textOrNull(exclusionText(proposal));
    return json;
}

std::string savingsCsv(const std::vector<Proposal> &items)
{
    TextTable table({{"id"},
                     {"kind"},
                     {"target"},
                     {"owner"},
                     {"per_month_p10"},
                     {"per_month_p50"},
                     {"per_month_p90"},
                     {"avoidable"},
                     {"currency"},
                     {"assumptions"},
                     {"evidence"},
                     {"risks"},
                     {"how"},
                     {"excluded_by"},
                     {"counted_p10"},
                     {"counted_p50"},
                     {"counted_p90"}});
    for (const Proposal &one : items) {
        const auto part = [](const std::optional<MoneyBand> &band, base::Money MoneyBand::*quantile) {
            return band ? ((*band).*quantile).toDecimal() : std::string();
        };
        const auto counted = savings::countsWith(one);
        table.add({one.id, std::string(toString(one.kind)), one.target, one.owner, part(one.perMonth, &MoneyBand::p10),
                   part(one.perMonth, &MoneyBand::p50), part(one.perMonth, &MoneyBand::p90), decimalOf(one.avoidable),
                   one.currency, joinedBy("; ", assumptionLines(one)), joinedBy("; ", evidenceLines(one)),
                   joinedBy("; ", riskLines(one)), one.how, exclusionText(one), part(counted, &MoneyBand::p10),
                   part(counted, &MoneyBand::p50), part(counted, &MoneyBand::p90)});
    }
    return table.toCsv();
}

std::string savingsText(const SavingsList &list, model::CostView view, const base::TimeZone &zone, bool all, bool bold)
{
    const auto counted = static_cast<std::size_t>(
        std::count_if(list.items.begin(), list.items.end(), [](const Proposal &one) { return !one.excludedBy; }));
    return "What could have been saved from " + ui::timeText(list.range.start, zone) + " to "
        + ui::timeText(list.range.end, zone) + " (" + zone.name() + ')' + viewText(view) + '\n'
        + countedText(list, counted, all, bold) + sumsText(list, bold) + excludedText(list, counted, all, bold)
        + warningsText(list);
}

std::string proposalText(const Proposal &proposal)
{
    std::string text = shown(ui::targetText(proposal)) + '\n';
    const auto add = [&](const char *name, const std::string &value) {
        if (!value.empty())
            text += std::string(name) + ": " + shown(value) + '\n';
    };
    add("id", proposal.id);
    add("kind", std::string(toString(proposal.kind)));
    add("owner", proposal.owner);
    const std::string spread = proposal.perMonth ? spreadText(*proposal.perMonth) : std::string();
    add("saves per month", middleText(proposal) + (spread.empty() ? "" : " (" + spread + ')'));
    if (const auto counted = savings::countsWith(proposal); counted && proposal.counted)
        add("in the sum per month", ui::moneyText(counted->p50) + " (what other proposals leave)");
    add("avoidable per month", ui::moneyText(proposal.avoidable));
    add("not counted", exclusionText(proposal));
    return text + sectionText("assumptions", assumptionLines(proposal))
        + sectionText("evidence", evidenceLines(proposal)) + sectionText("risks", riskLines(proposal))
        + sectionText("how", linesOf(proposal.how));
}

} // namespace gpuledger::cli
