// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/idle/blockedprint.h"

#include "app/insight/proof/blockedproof.h"
#include "ui/cli/idle/idleprint.h"
#include "ui/cli/program/command.h"
#include "ui/format/phrases/figures.h"
#include "ui/format/texttable.h"

#include <algorithm>

namespace gpuledger::cli {

using insight::BlockedItem;
using insight::BlockedList;

namespace {

Json waitsJson(const BlockedItem &item)
{
    Json all = Json::array();
    for (const model::PastWait &wait : item.waits)
        all.push_back({{"namespace", textOrNull(wait.nameSpace)},
                       {"name", wait.name},
                       {"resource", wait.resource},
                       {"gpus", wait.gpus},
                       {"from", toJson(wait.range.start)},
                       {"to", toJson(wait.range.end)}});
    return all;
}

Json blockedFigures(const BlockedList &list, const BlockedItem *item)
{
    Json ids = Json::object();
    if (item && item->ratePerHour)
        ids["rate_per_hour"] = toString(insight::blockedFigure(list, item, "rate-per-hour"));
    if (item ? item->perMonth.has_value() : list.sum.items > list.sum.unpriced) // the sum is of those with a price
        ids["per_month"] = toString(insight::blockedFigure(list, item, "per-month"));
    return ids;
}

std::string reasonText(insight::Blocker blocker)
{
    return blocker == insight::Blocker::Scattered ? "too few free on the node" : "slices of another size";
}

std::string podName(const model::PastWait &wait)
{
    return wait.nameSpace.empty() ? wait.name : wait.nameSpace + '/' + wait.name;
}

// Besides the first one.
std::string morePods(const BlockedItem &item)
{
    const std::size_t more = item.waits.size() - 1;
    return more == 0 ? "" : more == 1 ? " and 1 more pod" : " and " + std::to_string(more) + " more pods";
}

} // namespace

std::string waitsText(const BlockedItem &item, const base::TimeZone &zone)
{
    if (item.waits.empty())
        return {};
    const model::PastWait &first = item.waits.front();
    return podName(first) + " (" + std::to_string(first.gpus) + " x " + first.resource + ", from "
        + ui::timeText(first.range.start, zone) + " to " + ui::timeText(first.range.end, zone) + ')' + morePods(item);
}

std::string blockedReason(const BlockedItem &item)
{
    const std::string reason = reasonText(item.blocker);
    return item.waits.empty() ? reason : reason + ": " + podName(item.waits.front()) + morePods(item) + " waited";
}

Json blockedJson(const BlockedList &list, base::Currency currency, bool isProvable)
{
    Json json;
    json["known_clusters"] = list.known;
    json["unknown_clusters"] = list.unknown;
    json["undecided_gpus"] = nineDecimals(list.undecidedGpus);
    json["unexplained_gpus"] = nineDecimals(list.unexplainedGpus);
    json["items"] = Json::array();
    for (const BlockedItem &item : list.items) {
        Json one;
        one["id"] = item.id;
        one["reason"] = std::string(insight::toString(item.blocker));
        one["owner"] = item.owner;
        one["cluster"] = item.cluster;
        one["node"] = item.node;
        one["gpu_model"] = item.gpuModel;
        one["devices"] = item.devices;
        one["gpus"] = nineDecimals(item.gpus);
        one["rate_per_hour"] = toJson(item.ratePerHour);
        one["per_month"] = toJson(item.perMonth);
        one["waits"] = waitsJson(item);
        if (isProvable)
            one["figures"] = blockedFigures(list, &item);
        json["items"].push_back(std::move(one));
    }
    json["totals"] = sumJson(list.sum, currency);
    if (isProvable)
        json["totals"]["figures"] = blockedFigures(list, nullptr);
    return json;
}

std::string blockedText(const BlockedList &list, const base::TimeZone &zone, base::Currency currency, bool bold)
{
    using Align = ui::TextTable::Align;
    std::string text;
    if (!list.items.empty()) {
        ui::TextTable table({{"node"},
                             {"owner"},
                             {"gpu"},
                             {"free gpus", Align::Right},
                             {"why"},
                             {"who waited"},
                             {"per month", Align::Right}});
        for (const BlockedItem &item : list.items)
            table.add({item.cluster + '/' + item.node, item.owner, item.gpuModel,
                       ui::fixed(item.gpus, item.gpus == static_cast<int>(item.gpus) ? 0 : 2), reasonText(item.blocker),
                       waitsText(item, zone), ui::moneyText(item.perMonth)});
        text = "\nBlocked: free, and could not be given to the pods that waited\n" + table.toText(bold)
            + ui::fixed(list.sum.gpus, 1) + " free GPUs cost "
            + ui::moneyText(list.sum.perMonth ? std::optional(base::Money(*list.sum.perMonth, currency)) : std::nullopt)
            + " a month; no workload holds them, so they are not in the sums above"
            + (list.sum.unpriced > 0 ? "; " + std::to_string(list.sum.unpriced) + " without a price" : "") + '\n';
    }
    if (list.undecidedGpus > 0)
        text += ui::fixed(list.undecidedGpus, 1)
            + " more free GPUs may be blocked: which model the pods that waited "
              "asked for is not known\n";
    if (list.unexplainedGpus > 0)
        text += ui::fixed(list.unexplainedGpus, 1)
            + " more free GPUs may be blocked: there were enough on their node for pods that waited, and what CPU, "
              "memory, taints and quota were like is not recorded\n";
    if (!list.unknown.empty() && !list.known.empty())
        text += "What waited in " + joinedNames(list.unknown)
            + " was not recorded, so what was blocked there is not "
              "known\n";
    return text;
}

} // namespace gpuledger::cli
