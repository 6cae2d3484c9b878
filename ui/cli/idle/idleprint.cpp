// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/idle/idleprint.h"

#include "ui/cli/idle/idlename.h"
#include "ui/format/phrases/figures.h"
#include "ui/format/texttable.h"

#include <sstream>
#include <utility>

namespace gpuledger::cli {

using insight::IdleItem;
using insight::IdleSum;
using insight::IdleTotals;

namespace {

constexpr const char *kStopped = "stopped";

std::optional<base::Money> amountIn(const std::optional<std::int64_t> &nanos, base::Currency currency)
{
    return nanos ? std::optional(base::Money(*nanos, currency)) : std::nullopt;
}

// Those that cost money, and those that were stopped.
std::pair<IdleTotals, IdleSum> sumsOf(const insight::IdleList &list, const IdleStates &states)
{
    std::vector<IdleItem> left, stopped;
    for (const IdleItem &item : list.items) {
        const auto state = states.find(item.id);
        (state != states.end() && state->second == kStopped ? stopped : left).push_back(item);
    }
    return {insight::totalsOf(left), insight::totalsOf(stopped).all};
}

// Null if one of them is.
std::optional<std::int64_t> plus(std::optional<std::int64_t> a, std::optional<std::int64_t> b)
{
    std::int64_t sum = 0;
    return a && b && !__builtin_add_overflow(*a, *b, &sum) ? std::optional(sum) : std::nullopt;
}

IdleSum plus(const IdleSum &a, const IdleSum &b)
{
    IdleSum sum;
    sum.items = a.items + b.items;
    sum.unpriced = a.unpriced + b.unpriced;
    sum.gpus = a.gpus + b.gpus;
    sum.perMonth = plus(a.perMonth, b.perMonth);
    sum.avoidable = plus(a.avoidable, b.avoidable);
    sum.sunk = plus(a.sunk, b.sunk);
    sum.undecided = plus(a.undecided, b.undecided);
    return sum;
}

std::string countText(std::size_t count, const char *one, const char *many)
{
    return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

std::string sentencesOf(const IdleSum &sum, base::Currency currency)
{
    const auto money = [&](const std::optional<std::int64_t> &nanos) {
        return ui::moneyText(amountIn(nanos, currency));
    };
    std::string text = std::to_string(sum.items) + " with " + ui::fixed(sum.gpus, 1) + " GPUs cost "
        + money(sum.perMonth) + " a month if left idle\n";
    text += money(sum.avoidable) + " of it ends when they are stopped, " + money(sum.sunk)
        + " is sunk (committed, owned, or on a machine that others use)";
    if (sum.undecided != std::int64_t{0})
        text += ", of " + money(sum.undecided) + " it is not known";
    if (sum.unpriced > 0)
        text += "; " + std::to_string(sum.unpriced) + " without a price";
    return text + '\n';
}

void addRow(ui::TextTable &table, const std::string &name, const IdleSum &sum, base::Currency currency)
{
    const auto money = [&](const std::optional<std::int64_t> &nanos) {
        return ui::moneyText(amountIn(nanos, currency));
    };
    table.add({name, std::to_string(sum.items), ui::fixed(sum.gpus, 2), money(sum.perMonth), money(sum.avoidable),
               money(sum.sunk), money(sum.undecided)});
}

// "3 of 8"
std::string idleShareText(double part, double whole)
{
    const auto count = [](double gpus) { return ui::fixed(gpus, gpus == static_cast<int>(gpus) ? 0 : 2); };
    return count(part) + " of " + count(whole);
}

} // namespace

IdleStates idleStatesOf(const insight::IdleList &list, base::UtcTime at, const std::vector<model::ActionRecord> &log,
                        const std::vector<model::Lease> &leases)
{
    using S = model::ActionState;
    IdleStates states;
    for (const model::ActionRecord &record : log) {
        if (record.intent.kind != model::ActionKind::Stop || record.intent.at > at)
            continue;
        const bool isStopped = record.state == S::Verified;
        const bool isInEffect = record.state != S::Refused && record.state != S::Failed && record.state != S::Undone
            && (!isStopped || list.at <= record.changedAt + model::kUntilStopIsSeen);
        std::istringstream ids(record.intent.holders);
        for (std::string id; std::getline(ids, id);) {
            if (isInEffect)
                states[id] = isStopped ? kStopped : "stopping";
            else
                states.erase(id);
        }
    }
    for (const model::Lease &lease : leases) {
        if (lease.kind == model::Lease::Kind::StopAfter && lease.until)
            states.try_emplace(lease.holder, "marked");
    }
    return states;
}

Json sumJson(const IdleSum &sum, base::Currency currency)
{
    Json json;
    json["items"] = sum.items;
    json["unpriced"] = sum.unpriced;
    json["gpus"] = nineDecimals(sum.gpus);
    json["per_month"] = toJson(amountIn(sum.perMonth, currency));
    json["avoidable_per_month"] = toJson(amountIn(sum.avoidable, currency));
    json["sunk_per_month"] = toJson(amountIn(sum.sunk, currency));
    json["undecided_per_month"] = toJson(amountIn(sum.undecided, currency));
    return json;
}

void addSums(Json &json, const insight::IdleList &list, const IdleStates &states, base::Currency currency,
             const IdleSum &blocked)
{
    const auto [totals, stopped] = sumsOf(list, states);
    json["totals"] = sumJson(totals.all, currency);
    json["by_cause"] = Json::array();
    for (std::size_t i = 0; i < insight::kIdleCauses; ++i) {
        Json row = sumJson(totals.byCause[i], currency);
        row["cause"] = textOrNull(std::string(insight::toString(static_cast<insight::IdleCause>(i))));
        json["by_cause"].push_back(std::move(row));
    }
    json["stopped"] = sumJson(stopped, currency);
    json["with_blocked"] = sumJson(plus(totals.all, blocked), currency);
}

std::string sumsText(const insight::IdleList &list, const IdleStates &states, base::Currency currency, bool bold)
{
    if (list.items.empty())
        return {};
    using Align = ui::TextTable::Align;
    const auto [totals, stopped] = sumsOf(list, states);
    std::string text = sentencesOf(totals.all, currency);
    if (stopped.items > 0)
        text += "Not in these sums: " + countText(stopped.items, "workload", "workloads") + " with "
            + ui::fixed(stopped.gpus, 1) + " GPUs that "
            + (stopped.items == 1 ? "was stopped already\n" : "were stopped already\n");
    ui::TextTable table({{"cause"},
                         {"workloads", Align::Right},
                         {"gpus", Align::Right},
                         {"per month", Align::Right},
                         {"avoidable", Align::Right},
                         {"sunk", Align::Right},
                         {"not known", Align::Right}});
    for (std::size_t i = 0; i < insight::kIdleCauses; ++i) {
        const std::string name(insight::toString(static_cast<insight::IdleCause>(i)));
        if (totals.byCause[i].items > 0)
            addRow(table, name.empty() ? "not known" : name, totals.byCause[i], currency);
    }
    addRow(table, "all", totals.all, currency);
    return text + '\n' + table.toText(bold);
}

std::string partlyReason(const IdleItem &item)
{
    return "works on its other GPUs; " + idleShareText(item.gpus, item.heldGpus) + " are idle";
}

Json partlyJson(const insight::IdleList &list)
{
    Json all = Json::array();
    for (const IdleItem &item : list.partly) {
        Json json;
        json["id"] = item.id;
        json["kind"] = model::toString(item.kind);
        json["name"] = item.name;
        json["owner"] = item.owner;
        json["cluster"] = item.cluster;
        json["namespace"] = textOrNull(item.nameSpace);
        json["node"] = textOrNull(item.node);
        json["workload"] = textOrNull(item.workload);
        json["workload_type"] = std::string(model::toString(item.workloadKind));
        json["gpu_model"] = item.gpuModel;
        json["devices"] = item.devices;
        json["gpus"] = nineDecimals(item.gpus);
        json["held_devices"] = item.heldDevices;
        json["held_gpus"] = nineDecimals(item.heldGpus);
        json["since"] = toJson(item.since);
        json["since_is_lower_bound"] = item.sinceIsLowerBound;
        json["idle_hours"] = toJson(std::optional(item.idleHours));
        json["rate_per_hour"] = toJson(item.ratePerHour);
        json["wasted"] = toJson(item.wasted);
        json["per_month"] = toJson(item.perMonth);
        json["observed"] = toJson(std::optional(item.observed));
        json["reason"] = partlyReason(item);
        all.push_back(std::move(json));
    }
    return all;
}

std::string partlyText(const insight::IdleList &list, const base::TimeZone &zone, base::Currency currency, bool bold)
{
    if (list.partly.empty())
        return {};
    using Align = ui::TextTable::Align;
    ui::TextTable table({{"id"},
                         {"owner"},
                         {"type"},
                         {"gpu"},
                         {"idle gpus", Align::Right},
                         {"idle since"},
                         {"wasted", Align::Right},
                         {"per month", Align::Right}});
    for (const IdleItem &item : list.partly)
        table.add({shortIdOf(list, item), item.owner, std::string(model::toString(item.workloadKind)), item.gpuModel,
                   idleShareText(item.gpus, item.heldGpus),
                   ui::timeText(item.since, zone) + " (" + ui::durationText(list.at - item.since) + ')',
                   ui::moneyText(item.wasted), ui::moneyText(item.perMonth)});
    const IdleSum sum = insight::totalsOf(list.partly).all;
    return "\nPartly idle (right-size candidates): they work on their other GPUs, so they can't be stopped\n"
        + table.toText(bold) + ui::fixed(sum.gpus, 1) + " idle GPUs cost "
        + ui::moneyText(amountIn(sum.perMonth, currency)) + " a month; they are not in the sums above"
        + (sum.unpriced > 0 ? "; " + std::to_string(sum.unpriced) + " without a price" : "") + '\n';
}

} // namespace gpuledger::cli
