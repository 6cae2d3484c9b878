// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/actions/queueservice.h"

#include "app/insight/queue/waitingjoin.h"
#include "app/ledger/rules/ownerrules.h"
#include "app/ports/waitingsource.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>
#include <set>

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;
using insight::WaitingList;
using model::WaitingFacts;
using model::WaitingWork;
using ports::Capability;

namespace {

// The data end shortly before now. What is idle at their end is matched with what waits now, but only within this
// limit.
constexpr base::Seconds kMostBehind{3600};

const std::string &valueOf(const insight::WaitingItem &item, const insight::Dimension &dimension)
{
    return dimension.kind == insight::Dimension::Team ? item.work.team : item.work.cluster;
}

bool isChosen(const insight::WaitingItem &item, const insight::Filter &filter)
{
    const auto told = [](const insight::Dimension &dimension) {
        return dimension.kind == insight::Dimension::Team || dimension.kind == insight::Dimension::Cluster;
    };
    for (const auto *part : {&filter.include, &filter.exclude}) {
        for (const auto &entry : *part) {
            if (told(entry.first) && !filter.matches(entry.first, valueOf(item, entry.first)))
                return false;
        }
    }
    return true;
}

__extension__ using Exact = __int128;

// Rounded half away from zero; std::nullopt: unknown, because nothing was paid for or a part of it has no price.
std::optional<std::int64_t> nanosPerGpuHour(const insight::SummaryRow &row)
{
    constexpr Exact kHour = base::GpuTime::kTicksPerSecond * 3600;
    const Exact ticks = row.time.paid().ticks;
    if (ticks <= 0 || row.cost.unpriced.ticks != 0)
        return std::nullopt;
    const Exact twice = 2 * Exact{row.cost.total()} * kHour;
    const Exact nanos = (twice + (twice < 0 ? -ticks : ticks)) / (2 * ticks);
    if (nanos < std::numeric_limits<std::int64_t>::min() || nanos > std::numeric_limits<std::int64_t>::max())
        return std::nullopt;
    return static_cast<std::int64_t>(nanos);
}

} // namespace

QueueService::QueueService(FleetQuestions &fleet, const ports::SourceCatalog &catalog, ports::SecretStore &secrets)
    : m_fleet(fleet)
    , m_catalog(catalog)
    , m_secrets(secrets)
{
}

Result<WaitingFacts> QueueService::askOne(const model::SourceSettings &source, bool isPresent, Moment moment,
                                          const std::stop_token &stop)
{
    if (isPresent) {
        const auto made = m_catalog.createWaiting(source, m_secrets);
        GPULEDGER_TRY(made);
        return (*made)->waitingAt(moment.asked - moment.data <= kMostBehind ? moment.asked : moment.data, stop);
    }
    const auto made = m_catalog.create(source, m_fleet.settings().exporters, m_secrets, m_fleet.clock());
    GPULEDGER_TRY(made);
    ports::WaitingSource *const waiting = (*made)->waiting();
    if (!waiting)
        return base::fail(ErrorCode::Unsupported, "this source kind does not provide waiting workloads");
    return waiting->waitingAt(moment.data, stop);
}

Result<WaitingFacts> QueueService::ask(WaitingList &list, Moment moment, const std::stop_token &stop)
{
    std::vector<WaitingFacts> all;
    const ports::SourceKinds kinds = m_catalog.kinds();
    for (const model::SourceSettings &source : m_fleet.settings().sources) {
        const ports::SourceKind *const kind = ports::findKind(kinds, source.kind);
        if (!kind || !source.mayRead || !kind->can.hasAny({Capability::Telemetry, Capability::Waiting}))
            continue;
        WaitingList::Source told;
        told.name = source.name;
        auto facts = askOne(source, kind->has(Capability::Waiting), moment, stop);
        if (facts) {
            told.isKnown = facts->isKnown;
            told.missing = facts->missing;
        } else {
            told.reason = facts.error().text;
        }
        all.push_back(facts ? std::move(*facts) : WaitingFacts{});
        list.sources.push_back(std::move(told));
        if (stop.stop_requested())
            return base::fail(ErrorCode::Cancelled, "cancelled");
    }
    insight::JoinedWaiting whole = insight::joined(std::move(all));
    for (std::size_t i = 0; i < list.sources.size(); ++i)
        list.sources[i].clusters.assign(whole.clusters[i].begin(), whole.clusters[i].end());
    return std::move(whole.facts);
}

Result<void> QueueService::addTeams(WaitingFacts &facts, base::UtcTime at)
{
    const auto rules = ledger::OwnerRules::create(m_fleet.ownerRules());
    GPULEDGER_TRY(rules);
    for (WaitingWork &work : facts.works) {
        if (work.kind == WaitingWork::Kind::Queue)
            continue; // it may contain jobs of several teams
        model::Holder holder;
        holder.cluster = work.cluster;
        holder.nameSpace = work.nameSpace;
        holder.name = work.name;
        holder.uid = work.uid;
        holder.labels = work.labels;
        holder.namespaceLabels = work.namespaceLabels;
        holder.ownerKind = work.ownerKind;
        holder.ownerName = work.ownerName;
        work.team = rules->ownerOf(holder, nullptr, at).team;
    }
    return {};
}

// From the cost of each node in the ledger in the hour before.
Result<insight::NodeRates> QueueService::ratesOf(const WaitingFacts &facts, base::UtcTime at, model::CostView cost)
{
    insight::NodeRates rates;
    std::set<std::string> clusters;
    for (const WaitingWork &work : facts.works)
        clusters.insert(work.cluster);
    const base::UtcTime end = base::floorTo(at, base::kCell);
    for (const std::string &cluster : clusters) {
        insight::Query query{{end - std::chrono::hours(1), end}, {}, cost};
        query.filter.include[insight::Dimension::Cluster] = {cluster};
        const auto summary = m_fleet.summary(query, insight::Dimension::Node);
        GPULEDGER_TRY(summary);
        for (const insight::SummaryRow &row : summary->rows) {
            const auto nanos = nanosPerGpuHour(row);
            if (nanos)
                rates.emplace(std::pair(cluster, row.key), base::Money(*nanos, summary->currency));
        }
    }
    return rates;
}

Result<WaitingList> QueueService::waitingAt(base::UtcTime at, const insight::Filter &filter,
                                            const std::stop_token &stop, model::CostView cost)
{
    if (m_fleet.isReport())
        return base::fail(ErrorCode::Unsupported, "a report does not contain what waited for GPUs");
    const auto idle = m_fleet.idle(at, {}, cost);
    GPULEDGER_TRY(idle);
    WaitingList asked;
    auto facts = ask(asked, {std::min(at, m_fleet.clock().now()), idle->at}, stop);
    GPULEDGER_TRY(facts);
    GPULEDGER_TRY(addTeams(*facts, idle->at));
    insight::NodeRates rates;
    if (!facts->works.empty()) {
        auto found = ratesOf(*facts, idle->at, cost);
        GPULEDGER_TRY(found);
        rates = std::move(*found);
    }
    WaitingList list = insight::matchWaiting(*facts, *idle, rates, m_fleet.settings().currency);
    list.sources = std::move(asked.sources);
    insight::keep(list, [&](const insight::WaitingItem &item) { return isChosen(item, filter); });
    return list;
}

} // namespace gpuledger::services
