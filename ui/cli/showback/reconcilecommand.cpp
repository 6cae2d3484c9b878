// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/showback/reconcilecommand.h"

#include "app/base/text/text.h"
#include "app/services/spend/spendservice.h"
#include "ui/cli/proof/figureids.h"
#include "ui/cli/sources/allocationprint.h"
#include "ui/cli/sources/twiceprint.h"
#include "ui/format/phrases/figures.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

namespace {

using base::Result;
using insight::ReconcileLine;
using insight::ReconcileTotal;
using insight::Reconciliation;

Json moneyJson(const base::Money &amount)
{
    return toJson(std::optional(amount));
}

Json reconcileJson(const ReconcileLine &line)
{
    Json json{{"kind", std::string(insight::toString(line.kind))}, {"detail", textOrNull(line.detail)}};
    json["billed"] = cli::toJson(line.billed);
    json["effective"] = cli::toJson(line.effective);
    json["price_book"] = cli::toJson(line.priced);
    json["allocated"] = cli::toJson(line.allocated);
    json["gpu_hours"] = line.gpuTime ? cli::toJson(std::optional(line.gpuTime->hours())) : Json(nullptr);
    json["lines"] = line.lines > 0 ? Json(line.lines) : Json(nullptr);
    return json;
}

Json reconcileJson(const ReconcileTotal &total)
{
    Json json{{"currency", std::string(total.currency.code())}};
    json["bill"] = moneyJson(total.billBilled);
    json["ledger"] = moneyJson(total.ledgerBilled);
    json["difference"] = moneyJson(total.differenceBilled);
    json["unexplained"] = moneyJson(total.unexplainedBilled);
    json["effective"] = {{"bill", moneyJson(total.billEffective)},
                         {"ledger", moneyJson(total.ledgerEffective)},
                         {"difference", moneyJson(total.differenceEffective)},
                         {"unexplained", moneyJson(total.unexplainedEffective)}};
    return json;
}

Json reconcileJson(const Reconciliation &answer, base::Currency report)
{
    // A figure if there is a single currency; otherwise null, because currencies are never added: see "currencies".
    const auto single = [&](auto get) {
        if (answer.totals.empty())
            return moneyJson(base::Money(0, report));
        return answer.totals.size() == 1 ? moneyJson(get(answer.totals.front())) : Json(nullptr);
    };
    Json json{{"month", insight::toString(answer.month)}};
    json["bill"] = single([](const ReconcileTotal &t) { return t.billBilled; });
    json["ledger"] = single([](const ReconcileTotal &t) { return t.ledgerBilled; });
    json["difference"] = single([](const ReconcileTotal &t) { return t.differenceBilled; });
    json["unexplained"] = single([](const ReconcileTotal &t) { return t.unexplainedBilled; });
    json["holds"] = answer.holds();
    json["currencies"] = Json::array();
    json["lines"] = Json::array();
    for (const ReconcileTotal &total : answer.totals) {
        json["currencies"].push_back(reconcileJson(total));
        for (const ReconcileLine &line : total.lines)
            json["lines"].push_back(reconcileJson(line));
    }
    for (const ReconcileLine &line : answer.telemetry)
        json["lines"].push_back(reconcileJson(line));
    json["allocators"] = Json::array();
    for (const insight::AllocationDifference &one : answer.allocators)
        json["allocators"].push_back(cli::toJson(one));
    json["held"] = cli::toJson(answer.held);
    json["unknown_types"] = Json::array();
    for (const insight::UnknownGpuType &one : answer.unknownTypes)
        json["unknown_types"].push_back({{"cloud", textOrNull(one.cloud)},
                                         {"type", textOrNull(one.type)},
                                         {"billed", moneyJson(one.billed)},
                                         {"effective", moneyJson(one.effective)}});
    return json;
}

std::string what(const ReconcileLine &line)
{
    const std::string detail = line.detail.empty() ? "" : " (" + line.detail + ")";
    switch (line.kind) {
    case insight::ReconcileKind::Matched:
        return "GPU machines that telemetry saw, found by " + line.detail;
    case insight::ReconcileKind::Unobserved:
        return "GPU machines that telemetry never saw" + detail;
    case insight::ReconcileKind::UnknownType:
        return "GPU machines of a type that the price list lacks" + detail;
    case insight::ReconcileKind::NotBilled:
        return "GPU time that the bill does not have" + detail;
    case insight::ReconcileKind::Adjustment:
        return "billed less what the price book says of the same time";
    case insight::ReconcileKind::Priced:
        return "GPU time that no bill covers, estimated" + detail;
    case insight::ReconcileKind::Allocated:
        return "GPU time that no bill covers, by " + line.detail;
    case insight::ReconcileKind::AllocatedAdjustment:
        return line.detail + " less what the price book says of the same time";
    case insight::ReconcileKind::EffectiveZero:
        return "billed with effective cost 0: the bill's figures were kept" + detail;
    case insight::ReconcileKind::NotGpu:
        return "other costs: " + line.detail;
    case insight::ReconcileKind::Unexplained:
        return "unexplained";
    }
    return {};
}

void addTo(ui::TextTable &table, const std::vector<ReconcileLine> &lines)
{
    for (const ReconcileLine &line : lines)
        table.add({what(line), line.billed ? ui::amountText(line.billed->nanos()) : "-",
                   line.effective ? ui::amountText(line.effective->nanos()) : "-",
                   line.allocated ? ui::moneyText(*line.allocated) : "-",
                   line.priced ? ui::moneyText(*line.priced) : "-", line.gpuTime ? ui::hoursText(*line.gpuTime) : "-"});
}

std::string peopleText(const Reconciliation &answer, const std::vector<insight::CountedTwice> &twice, bool bold)
{
    using Align = ui::TextTable::Align;
    const std::vector<ui::TextTable::Column> columns{{"line"},
                                                     {"billed", Align::Right},
                                                     {"effective", Align::Right},
                                                     {"allocated", Align::Right},
                                                     {"price book", Align::Right},
                                                     {"GPU h", Align::Right}};
    std::string text = "Reconciliation of " + insight::toString(answer.month) + " (UTC days)\n";
    for (const ReconcileTotal &total : answer.totals) {
        ui::TextTable table(columns);
        addTo(table, total.lines);
        text += "\n" + std::string(total.currency.code()) + ": bill " + total.billBilled.toDecimal() + ", ledger "
            + total.ledgerBilled.toDecimal() + ", difference " + total.differenceBilled.toDecimal()
            + "; effective: bill " + total.billEffective.toDecimal() + ", difference "
            + total.differenceEffective.toDecimal() + "\n" + table.toText(bold);
    }
    if (answer.totals.empty())
        text += "no bill has lines in this month\n";
    if (!answer.telemetry.empty()) {
        ui::TextTable table(columns);
        addTo(table, answer.telemetry);
        text += "\nIn no sum:\n" + table.toText(bold);
    }
    if (!answer.unknownTypes.empty())
        text += "\nGPU machines of these types are on the bill, but not in the price list:\n";
    for (const insight::UnknownGpuType &one : answer.unknownTypes)
        text += "  " + (one.type.empty() ? "a type that the bill does not name" : base::printable(one.type, 100))
            + (one.cloud.empty() ? "" : " (" + base::printable(one.cloud, 64) + ')') + ": billed "
            + ui::moneyText(one.billed) + ", effective " + ui::moneyText(one.effective) + '\n';
    if (!answer.allocators.empty() || !answer.held.empty() || !twice.empty())
        text += "\n";
    for (const std::string &one : twiceTexts(twice))
        text += one + "\n";
    for (const std::string &held : heldTexts(answer))
        text += held + "\n";
    for (const insight::AllocationDifference &one : answer.allocators)
        text += differenceText(one) + "\n";
    return text;
}

std::string csvText(const Reconciliation &answer)
{
    ui::TextTable table(
        {{"currency"}, {"kind"}, {"detail"}, {"billed"}, {"effective"}, {"price_book"}, {"gpu_hours"}, {"allocated"}});
    const auto money = [](const std::optional<base::Money> &amount) {
        return amount ? amount->toDecimal() : std::string();
    };
    const auto add = [&](const std::string &currency, const ReconcileLine &line) {
        table.add({currency, std::string(insight::toString(line.kind)), line.detail, money(line.billed),
                   money(line.effective), money(line.priced),
                   line.gpuTime ? ui::fixed(line.gpuTime->hours(), 9) : std::string(), money(line.allocated)});
    };
    for (const ReconcileTotal &total : answer.totals) {
        const std::string code(total.currency.code());
        table.add({code, "bill", "", total.billBilled.toDecimal(), total.billEffective.toDecimal(), "", "", ""});
        table.add({code, "ledger", "", total.ledgerBilled.toDecimal(), total.ledgerEffective.toDecimal(), "", "", ""});
        table.add({code, "difference", "", total.differenceBilled.toDecimal(), total.differenceEffective.toDecimal(),
                   "", "", ""});
        for (const ReconcileLine &line : total.lines)
            add(code, line);
    }
    for (const ReconcileLine &line : answer.telemetry)
        add({}, line);
    return table.toCsv();
}

} // namespace

void ReconcileCommand::addTo(CLI::App &parent)
{
    m_verb =
        addVerb(parent, "reconcile",
                "Reconciles a month's bill with the ledger; exit status 1 if they differ or something is unexplained",
                "gpuledger-cli reconcile --month 2026-10 --json");
    m_verb->add_option("--month", m_month, "YYYY-MM, in UTC days (default: last month)");
}

Result<int> ReconcileCommand::run(Session &session)
{
    const auto month = session.month(m_month);
    GPULEDGER_TRY(month);
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto answer = (*workspace)->spend().reconcile(*month);
    GPULEDGER_TRY(answer);
    const auto twice = (*workspace)->spend().countedTwice(*month);
    GPULEDGER_TRY(twice);
    Output &out = session.out();
    if (out.json()) {
        const base::Currency report = (*workspace)->settings().currency;
        Json json = reconcileJson(*answer, report);
        json["counted_twice"] = cli::toJson(*twice);
        addFigures(json, *answer, report);
        GPULEDGER_TRY(out.print(json));
    } else {
        GPULEDGER_TRY(out.print(out.csv() ? csvText(*answer) : peopleText(*answer, *twice, out.bold())));
    }
    return answer->holds() ? kDone : kLook;
}

} // namespace gpuledger::cli
