// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/showback/ledgercommand.h"

#include "app/base/text/text.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/spend/spendservice.h"
#include "ui/cli/program/reachprint.h"
#include "ui/cli/proof/figureids.h"
#include "ui/format/phrases/figures.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace gpuledger::cli {

namespace {

using base::ErrorCode;
using base::Result;
using insight::LedgerAnswer;
using insight::LedgerDimension;
using insight::LedgerRow;

std::vector<std::string> ledgerDimensionNames()
{
    std::vector<std::string> names;
    for (const LedgerDimension dimension : insight::ledgerDimensions())
        names.emplace_back(insight::toString(dimension));
    return names;
}

Result<std::vector<LedgerDimension>> dimensionsOf(const std::string &list)
{
    std::vector<LedgerDimension> by;
    std::size_t from = 0;
    while (from <= list.size()) {
        const std::size_t to = std::min(list.find(',', from), list.size());
        const std::string name = list.substr(from, to - from);
        const auto dimension = insight::ledgerDimensionFromString(name);
        if (!dimension)
            return base::fail(ErrorCode::InvalidArgument, "--by can't be \"" + base::printable(name, 64) + '"',
                              "it is a list of " + joinedNames(ledgerDimensionNames()));
        if (std::find(by.begin(), by.end(), *dimension) == by.end())
            by.push_back(*dimension);
        from = to + 1;
    }
    return by;
}

// JSON keys have underscores.
std::string jsonKey(LedgerDimension dimension)
{
    std::string key(insight::toString(dimension));
    std::replace(key.begin(), key.end(), '-', '_');
    return key;
}

const base::Money &costOf(const LedgerRow &row, bool effective)
{
    return effective ? row.effective : row.billed;
}

Json hoursOrNull(const LedgerRow &row)
{
    return row.hasGpuTime ? toJson(std::optional(row.gpuTime.hours())) : Json(nullptr);
}

Json ledgerJson(const LedgerRow &row, const insight::LedgerQuery &query, bool effective)
{
    Json json;
    for (std::size_t i = 0; i < query.by.size(); ++i)
        json[jsonKey(query.by[i])] = textOrNull(row.keys[i]);
    json["gpu_hours"] = hoursOrNull(row);
    json["gpu_hours_complete"] = row.gpuTimeComplete;
    json["cost"] = cli::toJson(std::optional(costOf(row, effective)));
    json["billed"] = cli::toJson(std::optional(row.billed));
    json["effective"] = cli::toJson(std::optional(row.effective));
    json["allocated"] = cli::toJson(row.allocated);
    json["priced"] = row.priced.isZero() ? Json(nullptr) : cli::toJson(std::optional(row.priced));
    json["price_book"] = cli::toJson(row.replaced);
    json["unpriced_gpu_hours"] = cli::toJson(std::optional(row.unpriced.hours()));
    return json;
}

// A figure if there is a single currency; otherwise null, because currencies are never added: see "currencies".
template <typename Get> Json single(const LedgerAnswer &answer, base::Currency report, Get get)
{
    if (answer.totals.empty())
        return cli::toJson(std::optional(base::Money(0, report)));
    return answer.totals.size() == 1 ? cli::toJson(std::optional(get(answer.totals.front()))) : Json(nullptr);
}

// Why there is no single bill; empty if there is.
std::string mixedText(const LedgerAnswer &answer)
{
    if (answer.totals.size() < 2)
        return {};
    std::string codes;
    for (const insight::LedgerTotal &total : answer.totals)
        codes += (codes.empty() ? "" : ", ") + std::string(total.currency.code());
    return "costs are in several currencies (" + codes
        + "), which are never added up: bill and unexplained are given for each";
}

Json ledgerJson(const LedgerAnswer &answer, const insight::LedgerQuery &query, bool effective, base::Currency report)
{
    using Total = insight::LedgerTotal;
    const auto bill = [&](const Total &t) { return effective ? t.billEffective : t.billBilled; };
    const auto ledger = [&](const Total &t) { return effective ? t.effective : t.billed; };
    const auto unexplained = [&](const Total &t) { return effective ? t.unexplainedEffective : t.unexplainedBilled; };
    Json json;
    json["from"] = cli::toJson(answer.range.start);
    json["to"] = cli::toJson(answer.range.end);
    json["cost"] = effective ? "effective" : "billed";
    json["split"] = std::string(model::toString(query.split.value_or(model::SplitPolicy::GpuFirst)));
    json["rows"] = Json::array();
    for (const LedgerRow &row : answer.rows)
        json["rows"].push_back(ledgerJson(row, query, effective));
    json["bill"] = single(answer, report, bill);
    json["unexplained"] = single(answer, report, unexplained);
    json["priced"] = cli::toJson(std::optional(answer.priced));
    json["allocated"] = Json::array();
    for (const base::Money &amount : answer.allocated)
        json["allocated"].push_back(cli::toJson(std::optional(amount)));
    json["currencies"] = Json::array();
    for (const Total &total : answer.totals)
        json["currencies"].push_back({{"currency", std::string(total.currency.code())},
                                      {"bill", cli::toJson(std::optional(bill(total)))},
                                      {"ledger", cli::toJson(std::optional(ledger(total)))},
                                      {"unexplained", cli::toJson(std::optional(unexplained(total)))}});
    json["filtered"] = answer.filtered;
    json["note"] = textOrNull(mixedText(answer));
    json["conversions"] = answer.conversions;
    json["unconverted"] = Json::array();
    for (const base::Currency currency : answer.unconverted)
        json["unconverted"].push_back(std::string(currency.code()));
    return json;
}

std::string csvText(const LedgerAnswer &answer, const insight::LedgerQuery &query)
{
    std::vector<ui::TextTable::Column> columns;
    for (const LedgerDimension dimension : query.by)
        columns.push_back({jsonKey(dimension)});
    for (const char *name :
         {"gpu_hours", "billed", "effective", "currency", "priced", "price_book", "price_book_currency", "allocated"})
        columns.push_back({name});
    ui::TextTable table(columns);
    for (const LedgerRow &row : answer.rows) {
        std::vector<std::string> cells = row.keys;
        cells.push_back(row.hasGpuTime ? ui::fixed(row.gpuTime.hours(), 9) : "");
        cells.push_back(row.billed.toDecimal());
        cells.push_back(row.effective.toDecimal());
        cells.emplace_back(row.currency.code());
        cells.push_back(row.priced.toDecimal());
        cells.push_back(row.replaced ? row.replaced->toDecimal() : "");
        cells.emplace_back(answer.priced.currency().code());
        cells.push_back(row.allocated ? row.allocated->toDecimal() : "");
        table.add(cells);
    }
    return table.toCsv();
}

std::string totalsText(const LedgerAnswer &answer, bool effective)
{
    std::string text;
    for (const insight::LedgerTotal &total : answer.totals) {
        const base::Money &bill = effective ? total.billEffective : total.billBilled;
        const base::Money &unexplained = effective ? total.unexplainedEffective : total.unexplainedBilled;
        text += "bill: " + ui::moneyText(bill) + "; unexplained: " + ui::moneyText(unexplained) + '\n';
    }
    if (answer.totals.empty())
        text += "bill: none for these days\n";
    for (const base::Money &amount : answer.allocated)
        text += "not on any bill, by OpenCost or Kubecost: " + ui::moneyText(amount) + '\n';
    if (!answer.priced.isZero())
        text += "not on any bill, estimated: " + ui::moneyText(answer.priced) + '\n';
    for (const std::string &note : answer.conversions)
        text += "converted for reading: " + base::printable(note, 100) + '\n';
    for (const base::Currency currency : answer.unconverted)
        text += "no exchange rate for " + std::string(currency.code()) + ": its rows are as billed\n";
    return text;
}

std::string peopleText(const LedgerAnswer &answer, const insight::LedgerQuery &query, bool effective, bool bold)
{
    using Align = ui::TextTable::Align;
    std::vector<ui::TextTable::Column> columns;
    for (const LedgerDimension dimension : query.by)
        columns.push_back({std::string(insight::toString(dimension))});
    columns.push_back({"GPU h", Align::Right});
    columns.push_back({effective ? "effective" : "billed", Align::Right});
    columns.push_back({"currency"});
    if (!answer.allocated.empty())
        columns.push_back({"allocated", Align::Right});
    columns.push_back({"price book", Align::Right});
    ui::TextTable table(columns);
    for (const LedgerRow &row : answer.rows) {
        std::vector<std::string> cells;
        for (const std::string &key : row.keys)
            cells.push_back(key.empty() ? "-" : key);
        cells.push_back(row.hasGpuTime ? (row.gpuTimeComplete ? "" : ">= ") + ui::hoursText(row.gpuTime) : "-");
        cells.push_back(ui::amountText(costOf(row, effective).nanos()));
        cells.emplace_back(row.currency.code());
        if (!answer.allocated.empty())
            cells.push_back(row.allocated ? ui::amountText(row.allocated->nanos()) : "-");
        cells.push_back(!row.priced.isZero() ? ui::amountText(row.priced.nanos())
                            : row.replaced   ? ui::amountText(row.replaced->nanos())
                                             : "-");
        table.add(cells);
    }
    return "Ledger of " + insight::dayText(base::dayOf(answer.range.start)) + " to "
        + insight::dayText(base::dayOf(answer.range.end - base::Seconds{1})) + " (UTC days)\n" + table.toText(bold)
        + totalsText(answer, effective);
}

} // namespace

void LedgerCommand::addTo(CLI::App &parent)
{
    m_verb = addVerb(parent, "ledger", "The cost ledger by team, state, category, …; the rows add up to the bill",
                     "gpuledger-cli ledger --by team,state --from 2026-10-01 --to 2026-11-01 --json");
    m_verb->add_option("--by", m_by, "One row for each combination: " + joinedNames(ledgerDimensionNames()));
    m_verb->add_option("--per", m_per, "day or month: one row for each of these as well")
        ->check(CLI::IsMember({"day", "month"}));
    m_verb
        ->add_option("--cost", m_cost,
                     "billed: as on the invoice; effective: commitments spread over the usage they cover")
        ->check(CLI::IsMember({"billed", "effective"}));
    m_verb
        ->add_option("--split", m_split,
                     "Splits GPU machines by this policy; --by part then separates GPU, CPU and memory")
        ->check(CLI::IsMember({"gpu-first", "aws", "opencost", "fixed"})); // allowed: policies
    m_verb->add_option("--currency", m_currency,
                       "Show amounts in this currency, using the exchange rates of the configuration");
}

Result<insight::LedgerQuery> LedgerCommand::query(Session &session) const
{
    insight::LedgerQuery query;
    auto by = dimensionsOf(m_by);
    GPULEDGER_TRY(by);
    query.by = std::move(*by);
    if (!m_per.empty())
        query.by.insert(query.by.begin(), m_per == "day" ? LedgerDimension::Day : LedgerDimension::Month);
    // A date is a UTC day here, as in bills.
    const auto utc = base::TimeZone::find("UTC");
    GPULEDGER_TRY(utc);
    const auto range = session.range(*utc);
    GPULEDGER_TRY(range);
    query.range = *range;
    const GlobalOptions &options = session.options();
    if (!options.nodePools.empty())
        return base::fail(ErrorCode::InvalidArgument, "the ledger knows no node pools, so --node-pool can't filter it",
                          "gpuledger-cli summary --by node-pool has their GPU time and cost");
    const auto filter = [&](LedgerDimension dimension, const std::vector<std::string> &values) {
        if (!values.empty())
            query.include[dimension] = values;
    };
    filter(LedgerDimension::Team, options.teams);
    filter(LedgerDimension::Cluster, options.clusters);
    filter(LedgerDimension::Cloud, options.clouds);
    filter(LedgerDimension::GpuModel, options.gpuModels);
    filter(LedgerDimension::WorkloadKind, options.workloadTypes);
    filter(LedgerDimension::Environment, options.environments);
    query.split = model::splitPolicyFromString(m_split);
    const bool byPart = std::find(query.by.begin(), query.by.end(), LedgerDimension::Part) != query.by.end();
    if (byPart && !query.split)
        return base::fail(ErrorCode::InvalidArgument, "--by part needs a policy that says what the parts are",
                          "add --split gpu-first, aws, opencost or fixed");
    if (!m_currency.empty()) {
        const auto currency = base::Currency::parse(m_currency);
        if (!currency)
            return base::fail(ErrorCode::InvalidArgument,
                              "--currency can't be \"" + base::printable(m_currency, 64) + '"',
                              "it is three capital letters, such as EUR");
        query.showIn = *currency;
    }
    return query;
}

Result<int> LedgerCommand::run(Session &session)
{
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto wanted = query(session);
    GPULEDGER_TRY(wanted);
    const auto answer = (*workspace)->spend().ledger(*wanted);
    GPULEDGER_TRY(answer);
    const bool effective = m_cost == "effective";
    const auto reach = (*workspace)->fleet().reach(answer->range);
    GPULEDGER_TRY(reach);
    Output &out = session.out();
    const std::string stale = staleLines(out, *reach, (*workspace)->timeZone());
    if (answer->rows.empty())
        out.note(answer->filtered ? "nothing that was stored for these days matches the filters"
                                  : "nothing was stored for these days; fetch it with: gpuledger-cli sync");
    if (const std::string mixed = mixedText(*answer); !mixed.empty())
        out.note("note: " + mixed);
    if (out.json()) {
        Json json = ledgerJson(*answer, *wanted, effective, (*workspace)->settings().currency);
        json["data"] = cli::toJson(*reach);
        addFigures(json, *answer, *wanted, effective);
        GPULEDGER_TRY(out.print(json));
    } else {
        GPULEDGER_TRY(out.print(out.csv() ? csvText(*answer, *wanted)
                                          : peopleText(*answer, *wanted, effective, out.bold()) + stale));
    }
    return kDone;
}

} // namespace gpuledger::cli
