// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/idle/waitingprint.h"

#include "app/base/text/text.h"
#include "ui/cli/program/costoption.h"
#include "ui/format/phrases/figures.h"
#include "ui/format/phrases/waitingphrase.h"
#include "ui/format/texttable.h"

#include <algorithm>

namespace gpuledger::cli {

namespace {

using insight::Blocker;
using insight::BlockerSum;
using insight::WaitingItem;
using insight::WaitingList;
using model::WaitingWork;

std::optional<base::Money> moneyOf(const std::optional<std::int64_t> &nanos, base::Currency currency)
{
    return nanos ? std::optional(base::Money(*nanos, currency)) : std::nullopt;
}

Json countOrNull(const std::optional<std::int64_t> &count)
{
    return count ? Json(*count) : Json(nullptr);
}

std::string textOf(const std::optional<std::int64_t> &count)
{
    return count ? std::to_string(*count) : "-";
}

// A platform may report jobs that are newer than the data.
base::Seconds waitedOf(const WaitingItem &item, base::UtcTime at)
{
    return std::max(base::Seconds{0}, base::Seconds{at - *item.work.since});
}

std::optional<double> hoursOf(const WaitingItem &item, base::UtcTime at)
{
    if (!item.work.since)
        return std::nullopt;
    return static_cast<double>(waitedOf(item, at).count()) / 3600;
}

const char *kindOf(const WaitingWork &work)
{
    switch (work.kind) {
    case WaitingWork::Kind::Queue:
        return "queue";
    case WaitingWork::Kind::Workload:
        return "workload";
    case WaitingWork::Kind::Pod:
        break;
    }
    return "pod";
}

const std::string &queueOf(const WaitingWork &work)
{
    return work.queue.empty() ? work.localQueue : work.queue;
}

// For a queue, only the number of workloads is known.
std::optional<std::int64_t> podsOf(const WaitingWork &work)
{
    if (work.kind == WaitingWork::Kind::Queue)
        return std::nullopt;
    std::int64_t pods = work.pods.empty() ? 1 : 0;
    for (const WaitingWork::Pods &group : work.pods)
        pods += group.count;
    return pods;
}

Json uncheckedOf(const WaitingItem &item)
{
    Json out = Json::array();
    const auto add = [&](bool isUnchecked, const char *what) {
        if (isUnchecked)
            out.push_back(what);
    };
    add(item.unchecked.selector, "selector");
    add(item.unchecked.tolerations, "tolerations");
    add(item.unchecked.cpu, "cpu");
    add(item.unchecked.memory, "memory");
    add(item.unchecked.others, "other-gpus");
    return out;
}

Json waitingJson(const WaitingItem &item, base::UtcTime at)
{
    const WaitingWork &work = item.work;
    Json json;
    json["id"] = item.id;
    json["kind"] = kindOf(work);
    json["name"] = work.name;
    json["owner"] = textOrNull(work.team);
    json["cluster"] = work.cluster;
    json["namespace"] = textOrNull(work.nameSpace);
    json["workload"] = work.ownerKind.empty() ? Json(nullptr) : Json(work.ownerKind + '/' + work.ownerName);
    json["queue"] = textOrNull(queueOf(work));
    json["count"] = work.count;
    json["pods"] = countOrNull(podsOf(work));
    json["resource"] = textOrNull(work.resource);
    json["gpus"] = countOrNull(work.gpus);
    json["since"] = work.since ? cli::toJson(*work.since) : Json(nullptr);
    json["waited_hours"] = cli::toJson(hoursOf(item, at));
    json["served"] = item.isServed;
    json["node"] = textOrNull(item.node);
    json["idle"] = Json::array();
    for (const insight::IdlePart &part : item.parts)
        json["idle"].push_back({{"id", textOrNull(part.idle)},
                                {"name", textOrNull(part.name)},
                                {"resource", part.resource},
                                {"gpus", part.units},
                                {"rate_per_hour", cli::toJson(part.perHour)}});
    json["blocker"] = std::string(insight::toString(item.blocker));
    json["obstacles"] = Json::array();
    for (const Blocker obstacle : item.obstacles)
        json["obstacles"].push_back(std::string(insight::toString(obstacle)));
    json["reason"] = ui::reasonOf(item).english();
    json["message"] = textOrNull(work.message);
    json["unchecked"] = uncheckedOf(item);
    json["rate_per_hour"] = cli::toJson(item.perHour);
    json["per_month"] = cli::toJson(item.perMonth);
    json["lost"] = cli::toJson(item.lost);
    return json;
}

// The currency of the items with a price; none if there are none.
base::Currency currencyOf(const WaitingList &list)
{
    for (const WaitingItem &item : list.items) {
        for (const insight::IdlePart &part : item.parts) {
            if (part.perHour)
                return part.perHour->currency();
        }
    }
    return {};
}

// Which source reported what, if there are several.
std::string tellersText(const WaitingList &list)
{
    std::string text;
    int tellers = 0;
    for (const WaitingList::Source &source : list.sources) {
        if (source.clusters.empty())
            continue;
        text += (tellers++ > 0 ? "; " : "reported by ") + base::printable(source.name, 100) + ':';
        for (const std::string &cluster : source.clusters)
            text += ' ' + base::printable(cluster, 100);
    }
    return tellers > 1 ? text + '\n' : std::string();
}

std::string gapsText(const WaitingList &list)
{
    std::string text;
    for (const WaitingList::Source &source : list.sources) {
        const std::string gap = ui::gapOf(source).english();
        text += gap.empty() ? gap : "note: " + base::printable(gap, 600) + '\n';
    }
    return text;
}

std::string itemsText(const WaitingList &list, bool bold)
{
    using Align = ui::TextTable::Align;
    ui::TextTable table({{"waits"},
                         {"owner"},
                         {"where"},
                         {"gpus", Align::Right},
                         {"of"},
                         {"for"},
                         {"blocked by"},
                         {"per month", Align::Right},
                         {"lost so far", Align::Right},
                         {"what would serve it"}});
    for (const WaitingItem &item : list.items) {
        const WaitingWork &work = item.work;
        const std::string times = work.count == 1 ? std::string() : " x " + std::to_string(work.count);
        table.add({ui::workloadOf(work) + times, work.team,
                   work.nameSpace.empty() ? work.cluster : work.cluster + '/' + work.nameSpace, textOf(work.gpus),
                   ui::gpuKindOf(work), work.since ? ui::durationText(waitedOf(item, list.at)) : "-",
                   ui::nameOf(item.blocker).english(), ui::moneyText(item.perMonth), ui::moneyText(item.lost),
                   ui::reasonOf(item).english()});
    }
    return table.toText(bold);
}

std::string sumsText(const WaitingList &list, base::Currency currency, bool bold)
{
    using Align = ui::TextTable::Align;
    ui::TextTable table({{"blocked by"},
                         {"waiting", Align::Right},
                         {"idle gpus", Align::Right},
                         {"per month", Align::Right},
                         {"lost so far", Align::Right},
                         {"without a price", Align::Right}});
    for (std::size_t i = 0; i < insight::kBlockers; ++i) {
        const BlockerSum &sum = list.sums[i];
        if (sum.jobs > 0)
            table.add({ui::nameOf(static_cast<Blocker>(i)).english(), std::to_string(sum.jobs),
                       std::to_string(sum.units), ui::moneyText(moneyOf(sum.perMonth, currency)),
                       ui::moneyText(moneyOf(sum.lost, currency)), std::to_string(sum.unpriced)});
    }
    return table.toText(bold);
}

} // namespace

Json toJson(const WaitingList &list)
{
    const base::Currency currency = currencyOf(list);
    Json json;
    json["at"] = cli::toJson(list.at);
    json["known"] = list.isKnown;
    json["sources"] = Json::array();
    for (const WaitingList::Source &source : list.sources)
        json["sources"].push_back({{"name", source.name},
                                   {"known", source.isKnown},
                                   {"reason", textOrNull(source.reason)},
                                   {"missing", source.missing},
                                   {"clusters", source.clusters}});
    json["waiting"] = list.isKnown ? Json::array() : Json(nullptr);
    json["blockers"] = list.isKnown ? Json::array() : Json(nullptr);
    for (const WaitingItem &item : list.items)
        json["waiting"].push_back(waitingJson(item, list.at));
    for (std::size_t i = 0; i < insight::kBlockers; ++i) {
        const BlockerSum &sum = list.sums[i];
        if (sum.jobs > 0)
            json["blockers"].push_back({{"blocker", std::string(insight::toString(static_cast<Blocker>(i)))},
                                        {"waiting", sum.jobs},
                                        {"wanted_gpus", sum.wanted},
                                        {"idle_gpus", sum.units},
                                        {"per_month", cli::toJson(moneyOf(sum.perMonth, currency))},
                                        {"lost", cli::toJson(moneyOf(sum.lost, currency))},
                                        {"unpriced_gpus", sum.unpriced}});
    }
    json["left_out"] = list.leftOut;
    return json;
}

std::string csvText(const WaitingList &list)
{
    ui::TextTable table({{"id"},
                         {"kind"},
                         {"name"},
                         {"owner"},
                         {"cluster"},
                         {"namespace"},
                         {"queue"},
                         {"count"},
                         {"resource"},
                         {"gpus"},
                         {"since"},
                         {"served"},
                         {"node"},
                         {"idle"},
                         {"blocker"},
                         {"reason"},
                         {"per_month"},
                         {"lost"},
                         {"currency"}});
    const auto money = [](const std::optional<base::Money> &m) { return m ? m->toDecimal() : std::string(); };
    for (const WaitingItem &item : list.items) {
        const WaitingWork &work = item.work;
        table.add({item.id, kindOf(work), work.name, work.team, work.cluster, work.nameSpace, queueOf(work),
                   std::to_string(work.count), work.resource, work.gpus ? std::to_string(*work.gpus) : "",
                   work.since ? base::toRfc3339(*work.since) : "", item.isServed ? "yes" : "no", item.node,
                   ui::serversOf(item), std::string(insight::toString(item.blocker)), ui::reasonOf(item).english(),
                   money(item.perMonth), money(item.lost),
                   item.perMonth ? std::string(item.perMonth->currency().code()) : ""});
    }
    return table.toCsv();
}

std::string peopleText(const WaitingList &list, model::CostView view, const base::TimeZone &zone,
                       base::Currency currency, bool bold)
{
    std::string text =
        "Waiting for GPUs at " + ui::timeText(list.at, zone) + " (" + zone.name() + ')' + viewText(view) + '\n';
    if (!list.isKnown)
        return text + "waiting jobs are not known\n" + gapsText(list);
    if (list.items.empty())
        return text + "no jobs are waiting\n" + tellersText(list) + gapsText(list);
    text += itemsText(list, bold);
    if (list.leftOut > 0)
        text += "and " + std::to_string(list.leftOut) + " more, the youngest, that were not looked at\n";
    return text + "\nWhat blocks them, each idle GPU counted once\n" + sumsText(list, currency, bold)
        + tellersText(list) + gapsText(list);
}

} // namespace gpuledger::cli
