// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/proof/prooftext.h"

#include "app/base/text/text.h"
#include "app/insight/spend/ledgerquery.h"
#include "ui/format/phrases/figures.h"
#include "ui/format/savings/proofformula.h"

namespace gpuledger::cli {

namespace {

using insight::FigureValue;
using insight::MoneyRow;
using insight::Proof;
using insight::UsageRow;
using Align = ui::TextTable::Align;

Json hours(std::optional<base::GpuTime> time)
{
    return time ? toJson(std::optional(time->hours())) : Json(nullptr);
}

Json proofJson(const FigureValue &value)
{
    return value.money ? cli::toJson(value.money) : value.time ? hours(value.time) : cli::toJson(value.number);
}

std::string unitOf(const FigureValue &value)
{
    return value.money ? std::string(value.money->currency().code()) : value.time ? "GPU-h" : value.unit;
}

// All digits, so that two different values look different.
std::string text(const FigureValue &value)
{
    if (value.money)
        return value.money->toDecimal() + ' ' + std::string(value.money->currency().code());
    if (value.time)
        return ui::fixed(value.time->hours(), 9) + " GPU-h";
    return value.number ? ui::fixed(*value.number, 9) + ' ' + value.unit : "unknown";
}

Json proofJson(const UsageRow &row)
{
    return {{"kind", "usage"},
            {"cluster", textOrNull(row.cluster)},
            {"node", textOrNull(row.node)},
            {"device", row.device},
            {"from", cli::toJson(row.range.start)},
            {"to", cli::toJson(row.range.end)},
            {"state", row.state},
            {"holder", textOrNull(row.holder)},
            {"team", textOrNull(row.team)},
            {"reading", cli::toJson(row.reading)},
            {"gpu_hours", hours(row.time)},
            {"cost", cli::toJson(row.cost)},
            {"per_gpu_hour", cli::toJson(row.rate)},
            {"price_source", textOrNull(row.priceSource)}};
}

Json proofJson(const MoneyRow &row)
{
    return {{"kind", row.origin.empty() ? "savings" : "ledger"}, // a line of the ledger has one
            {"day", insight::dayText(row.day)},
            {"source", textOrNull(row.source)},
            {"place", textOrNull(row.place)},
            {"lines", row.lines > 0 ? Json(row.lines) : Json(nullptr)},
            {"account", textOrNull(row.account)},
            {"service", textOrNull(row.service)},
            {"description", textOrNull(row.description)},
            {"resource", textOrNull(row.resource)},
            {"team", textOrNull(row.team)},
            {"category", row.category},
            {"state", textOrNull(row.state)},
            {"match", textOrNull(row.match)},
            {"origin", textOrNull(row.origin)},
            {"price_source", textOrNull(row.priceSource)},
            {"charge", cli::toJson(row.charge)},
            {"amount", cli::toJson(row.amount)},
            {"gpu_hours", hours(row.time)}};
}

ui::TextTable usageTable(const Proof &proof, const base::TimeZone &zone)
{
    ui::TextTable table({{"device"},
                         {"from"},
                         {"to"},
                         {"state"},
                         {"held by"},
                         {"team"},
                         {"reading", Align::Right},
                         {"GPU h", Align::Right},
                         {"per hour", Align::Right},
                         {"cost", Align::Right}});
    for (const UsageRow &row : proof.usage)
        table.add({row.device, ui::timeText(row.range.start, zone), ui::timeText(row.range.end, zone), row.state,
                   row.holder.empty() ? "-" : row.holder, row.team, row.reading ? ui::fixed(*row.reading, 4) : "-",
                   ui::fixed(row.time.hours(), 3), row.rate ? ui::amountText(row.rate->nanos()) : "-",
                   row.cost ? row.cost->toDecimal() : "-"});
    return table;
}

ui::TextTable moneyTable(const Proof &proof)
{
    ui::TextTable table({{"day"},
                         {"from"},
                         {"what"},
                         {"resource"},
                         {"team"},
                         {"category"},
                         {"state"},
                         {"charged", Align::Right},
                         {"counted here", Align::Right}});
    for (const MoneyRow &row : proof.money) {
        const std::string place = row.place.empty() ? (row.source.empty() ? row.origin : row.source) : row.place;
        const std::string &what = row.description.empty() ? row.service : row.description;
        table.add({insight::dayText(row.day),
                   place + (row.lines > 1 ? " and " + std::to_string(row.lines - 1) + " like it" : ""),
                   what.empty() ? row.priceSource : what, row.resource.empty() ? "-" : row.resource,
                   row.team.empty() ? "-" : row.team, row.category, row.state.empty() ? "-" : row.state,
                   row.charge ? row.charge->toDecimal() : "-",
                   row.amount ? row.amount->toDecimal() : ui::fixed(row.time->hours(), 9) + " h"});
    }
    return table;
}

std::string leftOutText(const Proof &proof)
{
    if (proof.leftOut == 0)
        return {};
    std::string sums;
    if (proof.leftOutTime.ticks != 0)
        sums += ui::fixed(proof.leftOutTime.hours(), 9) + " GPU-h";
    if (proof.leftOutAmount)
        sums += (sums.empty() ? "" : ", ") + text(FigureValue::of(*proof.leftOutAmount));
    return "and " + std::to_string(proof.leftOut) + " smaller rows" + (sums.empty() ? "" : " with " + sums) + '\n';
}

std::string agesText(const Proof &proof, const base::TimeZone &zone)
{
    std::string out;
    for (const insight::ProofAge &age : proof.ages) {
        out += "source:     " + base::printable(age.source, 64) + " (" + base::printable(age.kind, 32) + "), "
            + (age.synced ? "synced " + ui::timeText(*age.synced, zone) : "never synced");
        if (!age.covered.empty())
            out += ", covers " + ui::timeText(age.covered.start, zone) + " to " + ui::timeText(age.covered.end, zone);
        out += '\n';
    }
    return out;
}

// For a closed month: what was stored and by whom, and what the facts say now.
std::string closedText(const Proof &proof, const base::TimeZone &zone)
{
    if (!proof.closed)
        return {};
    const insight::ProofOfClose &closed = *proof.closed;
    std::string out = "closed:     " + insight::toString(closed.month) + " on " + ui::timeText(closed.at, zone)
        + (closed.by.empty() ? "" : " by " + base::printable(closed.by, 64))
        + (closed.reason.empty() ? "" : "; reason: " + base::printable(closed.reason, 256)) + '\n';
    if (!closed.hash.empty())
        out += "record:     SHA-256 " + closed.hash + '\n';
    if (closed.entry > 0)
        out += "audit log:  entry " + std::to_string(closed.entry) + ", SHA-256 " + closed.entryHash
            + (closed.isInLog ? " (names the record)" : " (NAMES ANOTHER RECORD: run gpuledger-cli verify)") + '\n';
    return out + "now:        " + text(closed.now)
        + (closed.now == proof.shown ? " by the facts as they are now, the same\n"
                                     : " by the facts as they are now: what came later is an adjustment\n");
}

Json proofJson(const std::optional<insight::ProofOfClose> &closed)
{
    if (!closed)
        return nullptr;
    return {{"month", insight::toString(closed->month)},
            {"at", cli::toJson(closed->at)},
            {"by", textOrNull(closed->by)},
            {"reason", textOrNull(closed->reason)},
            {"hash", textOrNull(closed->hash)},
            {"audit_entry", closed->entry > 0 ? Json(closed->entry) : Json(nullptr)},
            {"audit_hash", textOrNull(closed->entryHash)},
            {"in_log", closed->isInLog},
            {"now", proofJson(closed->now)}};
}

// Of an action, the log has what was true at the time.
std::string agreementText(const Proof &proof)
{
    return proof.agrees                                    ? " (the same)"
        : proof.figure.kind == insight::FigureKind::Action ? " (not the same: facts, bills, prices or the idle"
                                                             " rule have changed since the decision)"
                                                           : " (NOT THE SAME: run gpuledger-cli verify)";
}

} // namespace

std::string proofText(const Proof &proof, const base::TimeZone &zone, bool bold)
{
    std::string out = insight::toString(proof.figure) + "\n\nvalue:      " + text(proof.shown)
        + "\nrecomputed: " + text(proof.recomputed) + agreementText(proof)
        + "\nformula:    " + ui::formulaOf(proof.figure) + "\nquery:      shown from " + proof.shownFrom
        + "\n            recomputed from " + proof.recomputedFrom + "\npolicy:     " + proof.policy + '\n';
    for (const insight::ProofPrice &price : proof.prices)
        out += "price:      " + text(FigureValue::of(price.perGpuHour)) + " per GPU-hour, "
            + base::printable(price.source, 128) + ", of " + ui::hoursText(price.time) + " GPU-hours\n";
    out += closedText(proof, zone) + agesText(proof, zone) + "made:       " + ui::timeText(proof.made, zone) + " ("
        + zone.name() + ")\n";
    if (!proof.inputs.empty()) {
        ui::TextTable inputs({{"input"}, {"value", Align::Right}, {"recomputed", Align::Right}});
        for (const insight::ProofInput &input : proof.inputs)
            inputs.add({input.name, text(input.shown), text(input.recomputed)});
        out += '\n' + inputs.toText(bold);
    }
    if (!proof.usage.empty())
        out += '\n' + usageTable(proof, zone).toText(bold);
    if (!proof.money.empty())
        out += '\n' + moneyTable(proof).toText(bold);
    return out + leftOutText(proof);
}

std::string proofCsv(const Proof &proof)
{
    return proof.money.empty() ? usageTable(proof, base::TimeZone()).toCsv() : moneyTable(proof).toCsv();
}

Json proofJson(const Proof &proof)
{
    Json json{{"figure", insight::toString(proof.figure)}, {"formula", ui::formulaOf(proof.figure)}};
    json["value"] = proofJson(proof.shown);
    json["recomputed"] = proofJson(proof.recomputed);
    json["unit"] = textOrNull(unitOf(proof.shown.isKnown() ? proof.shown : proof.recomputed));
    json["agrees"] = proof.agrees;
    json["inputs"] = Json::array();
    for (const insight::ProofInput &input : proof.inputs)
        json["inputs"].push_back(
            {{"name", input.name},
             {"value", proofJson(input.shown)},
             {"recomputed", proofJson(input.recomputed)},
             {"unit", textOrNull(unitOf(input.shown.isKnown() ? input.shown : input.recomputed))}});
    json["policy"] = proof.policy;
    json["query"] = {{"shown", proof.shownFrom}, {"recomputed", proof.recomputedFrom}};
    json["prices"] = Json::array();
    for (const insight::ProofPrice &price : proof.prices)
        json["prices"].push_back({{"per_gpu_hour", cli::toJson(std::optional(price.perGpuHour))},
                                  {"source", price.source},
                                  {"gpu_hours", hours(price.time)}});
    json["rows"] = Json::array();
    for (const UsageRow &row : proof.usage)
        json["rows"].push_back(proofJson(row));
    for (const MoneyRow &row : proof.money)
        json["rows"].push_back(proofJson(row));
    json["left_out"] = {
        {"rows", proof.leftOut}, {"gpu_hours", hours(proof.leftOutTime)}, {"amount", cli::toJson(proof.leftOutAmount)}};
    json["sources"] = Json::array();
    for (const insight::ProofAge &age : proof.ages)
        json["sources"].push_back({{"name", age.source},
                                   {"kind", age.kind},
                                   {"synced_at", age.synced ? cli::toJson(*age.synced) : Json(nullptr)},
                                   {"from", age.covered.empty() ? Json(nullptr) : cli::toJson(age.covered.start)},
                                   {"to", age.covered.empty() ? Json(nullptr) : cli::toJson(age.covered.end)}});
    json["closed"] = proofJson(proof.closed);
    json["made"] = cli::toJson(proof.made);
    return json;
}

} // namespace gpuledger::cli
