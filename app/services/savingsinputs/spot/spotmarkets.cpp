// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/prices/pricerules.h"
#include "app/ledger/rates/expectedrates.h"
#include "app/services/savingsinputs/cataloggpu.h"
#include "app/services/savingsinputs/spot/spotfacts.h"
#include "app/services/savingsinputs/spot/spotprices.h"
#include "app/services/savingsinputs/spot/spotratings.h"

#include <algorithm>
#include <utility>

namespace gpuledger::services {

using base::Result;
using savings::SpotMarket;

namespace {

constexpr base::Seconds kVanishedBefore{3600}; // the end of its cluster's data
constexpr base::Seconds kRanUntil{900}; // before the node's end
constexpr base::Seconds kSameMachine{120}; // a node that is back sooner was not replaced
constexpr base::Seconds kEndedWithIt{60}; // work that completed longer before its node's end was not interrupted

using NodeName = std::pair<std::string, std::string>; // cluster and name

struct WorkEnd {
    base::UtcTime at;
    std::optional<base::UtcTime> completed;
    bool isInterruption = false; // by its reason; an interrupted pod may state a time of completion, too
    bool isNear(base::UtcTime nodeEnd) const { return at >= nodeEnd - kRanUntil && at <= nodeEnd + kRanUntil; }
    bool isCutBy(base::UtcTime nodeEnd) const
    {
        return isNear(nodeEnd) && (isInterruption || !(completed && *completed < nodeEnd - kEndedWithIt));
    }
};

// When something last ran on each of the nodes.
Result<std::map<NodeName, std::vector<WorkEnd>>> endsOnNodes(store::FactReader &facts, base::TimeRange range,
                                                             const std::set<NodeName> &nodes)
{
    std::map<NodeName, std::vector<WorkEnd>> out;
    if (nodes.empty())
        return out;
    struct There {
        std::vector<WorkEnd> *ends;
        std::optional<base::UtcTime> completed;
        bool isInterrupted; // at its last end
        base::UtcTime last;
    };
    std::map<base::HolderId, There> holderOf;
    GPULEDGER_TRY(facts.eachHolder(range, [&](const model::Holder &holder) -> Result<void> {
        const NodeName name(holder.cluster, holder.node);
        if (nodes.contains(name))
            holderOf.emplace(holder.id,
                             There{&out[name], holder.completedAt,
                                   holder.endReason && model::isInterruption(*holder.endReason), holder.seen.end});
        return {};
    }));
    const auto spans = facts.holderSpans(range);
    GPULEDGER_TRY(spans);
    for (const store::HolderSpan &span : *spans) {
        const auto holder = holderOf.find(span.holder);
        if (holder == holderOf.end())
            continue;
        const There &there = holder->second;
        there.ends->push_back({span.range.end, there.completed, there.isInterrupted && span.range.end >= there.last});
    }
    return out;
}

// Times in which nodes were seen, in the range.
using SeenTimes = std::vector<base::TimeRange>;

// Merges what overlaps and what only a short gap divides.
void mergeSeen(SeenTimes &times)
{
    std::sort(times.begin(), times.end(), [](base::TimeRange a, base::TimeRange b) { return a.start < b.start; });
    SeenTimes merged;
    for (const base::TimeRange &one : times) {
        if (!merged.empty() && one.start - merged.back().end < kSameMachine)
            merged.back().end = std::max(merged.back().end, one.end);
        else
            merged.push_back(one);
    }
    times = std::move(merged);
}

// The nodes of one cluster.
class SeenCluster {
public:
    explicit SeenCluster(SeenTimes all)
        : m_all(std::move(all))
    {
        std::sort(m_all.begin(), m_all.end(), [](base::TimeRange a, base::TimeRange b) { return a.start < b.start; });
        for (const base::TimeRange &one : m_all)
            m_lastEnd.push_back(m_lastEnd.empty() ? one.end : std::max(m_lastEnd.back(), one.end));
    }
    base::UtcTime newest() const { return m_lastEnd.back(); }
    // Whether another node was seen in the gap, for long enough that it is no gap of the telemetry.
    bool wentOn(base::TimeRange gap) const
    {
        const base::Seconds least = std::min(gap.length(), kRanUntil);
        const auto next = std::upper_bound(m_all.begin(), m_all.end(), gap.end - least,
                                           [](base::UtcTime at, base::TimeRange one) { return at < one.start; });
        return next != m_all.begin()
            && m_lastEnd[static_cast<std::size_t>(next - m_all.begin()) - 1] >= gap.start + least;
    }

private:
    SeenTimes m_all; // ascending by start
    std::vector<base::UtcTime> m_lastEnd; // of these and all before
};

// When a node was taken away with work on it: between its times, and after the last one. Ascending.
std::vector<base::UtcTime> vanishedTimes(const SeenTimes &times, const SeenCluster &cluster,
                                         const std::vector<WorkEnd> &work)
{
    std::vector<base::UtcTime> out;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const base::UtcTime end = times[i].end;
        const bool isGone =
            i + 1 < times.size() ? cluster.wentOn({end, times[i + 1].start}) : end < cluster.newest() - kVanishedBefore;
        const bool isCut =
            isGone && std::any_of(work.begin(), work.end(), [end](const WorkEnd &one) { return one.isCutBy(end); });
        if (isCut)
            out.push_back(end);
    }
    return out;
}

// Whether the pod ended with its node that vanished, or was still listed after it: until the node was back.
bool endedWith(base::UtcTime nodeEnd, const WorkEnd &one, const SeenTimes &times)
{
    const bool isBack = std::any_of(times.begin(), times.end(), [&](const base::TimeRange &time) {
        return time.start >= nodeEnd && time.start < one.at;
    });
    return one.isNear(nodeEnd) || (one.at > nodeEnd && !isBack);
}

// How often pods of a node were interrupted while it stayed: those that end with it are one interruption with it, and
// those that end together are one. What ends with the data goes on as far as is known.
int interruptedTimes(base::TimeRange known, const SeenTimes &times, const std::vector<base::UtcTime> &vanished,
                     const std::vector<WorkEnd> &work)
{
    std::vector<base::UtcTime> ends;
    for (const WorkEnd &one : work) {
        const bool isWithNode = std::any_of(vanished.begin(), vanished.end(),
                                            [&](base::UtcTime nodeEnd) { return endedWith(nodeEnd, one, times); });
        if (one.isInterruption && !isWithNode && one.at > known.start && one.at < known.end - kSameMachine)
            ends.push_back(one.at);
    }
    std::sort(ends.begin(), ends.end());
    int out = 0;
    std::optional<base::UtcTime> counted;
    for (const base::UtcTime end : ends) {
        if (counted && end <= *counted + kRanUntil)
            continue;
        counted = end;
        ++out;
    }
    return out;
}

void setInterruptions(SpotMarket &market, const SeenSpot *seen, const savings::PublishedSpot *published,
                      const SpotSources &sources)
{
    savings::SpotInterruptions &out = market.interruptions;
    auto history = sources.histories ? historyOf(*sources.histories, market.region, market.machine, sources.at)
                                     : std::optional<savings::SpotInterruptions>();
    if (const auto rate = seen ? seen->perHour() : std::nullopt) {
        out.basis = savings::SpotBasis::Telemetry;
        out.perHour = *rate;
        out.events = seen->times();
        out.podEvents = seen->podsEnded;
        out.seen = base::dayOf(sources.at - base::Seconds{1});
    } else if (history) {
        out = std::move(*history);
    } else if (published) {
        out.basis = savings::SpotBasis::Published;
        out.perHour = savings::hourlySpotRate(published->monthlyShare);
        out.band = published->band;
        out.source = published->source;
        out.seen = published->asOf;
    }
}

const savings::PublishedSpot *publishedOf(const SpotKey &key, const SpotSources &sources)
{
    const auto at =
        std::find_if(sources.published.begin(), sources.published.end(), [&](const savings::PublishedSpot &one) {
            return SpotKey(one.cloud, one.region, one.machine) == key;
        });
    return at == sources.published.end() ? nullptr : &*at;
}

// Without a price, which is not compared. std::nullopt: the catalogues do not know it.
std::optional<savings::RightSizeOffer> knownMachine(const std::string &machine, const SpotSources &sources)
{
    const ledger::PriceBook::Machine *const listed = sources.list.machine(machine);
    const ledger::GpuFacts *const gpu = listed && listed->wholeGpus ? sources.gpus->find(listed->gpuModel) : nullptr;
    if (!gpu)
        return std::nullopt;
    savings::RightSizeOffer out;
    out.instanceType = listed->instanceType;
    out.gpu = catalogGpu(*gpu);
    out.gpus = static_cast<int>(listed->devices);
    out.vcpus = listed->shape.vcpus;
    out.memory = listed->shape.memory;
    return out;
}

Result<void> addOthers(SpotMarket &market, const SpotSources &sources)
{
    market.others.clear();
    if (!sources.histories || !sources.gpus || market.interruptions.basis != savings::SpotBasis::History)
        return {};
    const auto present = knownMachine(market.machine, sources);
    if (!present)
        return {};
    for (const std::string &type : othersWithHistory(*sources.histories, market.region, market.machine)) {
        const auto machine = knownMachine(type, sources);
        auto history = historyOf(*sources.histories, market.region, type, sources.at);
        if (!machine || !history || !savings::replacesMachine(*machine, *present))
            continue;
        SpotMarket other{market.cloud, market.region, machine->instanceType, std::nullopt, std::move(*history)};
        const SpotKey key = keyOfMarket(other.cloud, other.region, other.machine);
        GPULEDGER_TRY(setSpotPrice(other, key, publishedOf(key, sources), sources));
        if (!other.price)
            continue;
        for (savings::SpotTrace &trace : other.interruptions.history)
            trace.instanceType = other.machine;
        market.others.push_back({other.machine, std::move(*other.price), std::move(other.interruptions.history)});
    }
    return {};
}

} // namespace

std::optional<double> SeenSpot::perHour() const
{
    if (times() < kFewestInterruptions || present.count() <= 0)
        return std::nullopt;
    return 3600.0 * times() / static_cast<double>(present.count());
}

Result<std::map<SpotKey, SeenSpot>> spotSeen(store::FactReader &facts, base::TimeRange range,
                                             const std::set<base::NodeId> &billed)
{
    const auto nodes = facts.nodes();
    GPULEDGER_TRY(nodes);
    const auto spans = facts.nodeSpans(range);
    GPULEDGER_TRY(spans);
    const auto isSpot = [&](const model::Node &node) { return ledger::isSpotNode(node) || billed.contains(node.id); };
    std::set<NodeName> spotNodes;
    for (const model::Node &node : *nodes) {
        if (isSpot(node))
            spotNodes.emplace(node.cluster, node.name);
    }
    const auto ends = endsOnNodes(facts, range, spotNodes);
    GPULEDGER_TRY(ends);
    std::map<base::NodeId, SeenTimes> seenOf;
    for (const store::NodeSpan &span : *spans) {
        if (const base::TimeRange inside = span.range.intersect(range); !inside.empty())
            seenOf[span.node].push_back(inside);
    }
    std::map<std::string, SeenTimes> byCluster;
    for (const model::Node &node : *nodes) {
        const auto seen = seenOf.find(node.id);
        if (seen == seenOf.end())
            continue;
        mergeSeen(seen->second);
        SeenTimes &all = byCluster[node.cluster];
        all.insert(all.end(), seen->second.begin(), seen->second.end());
    }
    std::map<std::string, SeenCluster> clusters;
    for (auto &[name, all] : byCluster)
        clusters.emplace(name, std::move(all));
    std::map<SpotKey, SeenSpot> out;
    for (const model::Node &node : *nodes) {
        const auto seen = seenOf.find(node.id);
        if (seen == seenOf.end() || !isSpot(node))
            continue;
        SeenSpot &one = out[keyOfMarket(node.cloud, node.region, node.instanceType)];
        for (const base::TimeRange &time : seen->second)
            one.present += time.length();
        const auto ran = ends->find({node.cluster, node.name});
        if (ran == ends->end())
            continue;
        const SeenCluster &cluster = clusters.at(node.cluster);
        const std::vector<base::UtcTime> vanished = vanishedTimes(seen->second, cluster, ran->second);
        one.vanished += static_cast<int>(vanished.size());
        one.podsEnded += interruptedTimes({range.start, cluster.newest()}, seen->second, vanished, ran->second);
    }
    return out;
}

Result<void> setSpotMarkets(savings::SpotPast &past, const SpotSources &sources)
{
    for (SpotMarket &market : past.markets) {
        const SpotKey key = keyOfMarket(market.cloud, market.region, market.machine);
        const savings::PublishedSpot *const known = publishedOf(key, sources);
        const auto seen = sources.seen.find(key);
        setInterruptions(market, seen == sources.seen.end() ? nullptr : &seen->second, known, sources);
        GPULEDGER_TRY(setSpotPrice(market, key, known, sources));
        GPULEDGER_TRY(addOthers(market, sources));
        market.placement = sources.ratings ? ratingOf(*sources.ratings, market, sources.at) : std::nullopt;
    }
    return {};
}

} // namespace gpuledger::services
