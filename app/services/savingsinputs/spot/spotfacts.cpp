// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/spot/spotfacts.h"

#include "app/insight/query/measuresums.h"
#include "app/ledger/prices/pricerules.h"
#include "app/services/savingsinputs/spot/spotlabels.h"
#include "app/services/savingsinputs/spot/spotwrites.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuledger::services {

using base::Result;
using savings::RightSizeWorkload;
using savings::SpotCandidate;

namespace {

// Letters and digits of names that Kubernetes generates (k8s.io/apimachinery, pkg/util/rand), and how many it takes.
constexpr std::string_view kGeneratedLetters = "bcdfghjklmnpqrstvwxz2456789";
constexpr std::size_t kGeneratedLength = 5;

constexpr std::int32_t kListedSpotHours = 168; // the last week, as proposeSpots() lists it

constexpr base::Seconds kLongestUnseen{std::int64_t{366} * 86400}; // a start earlier than that is not believed

bool runsOnce(std::string_view controllerKind)
{
    return (controllerKind.ends_with("Job") && controllerKind != "CronJob") || controllerKind == "Workflow";
}

// Pods of one controller work together, except those of a CronJob, each of which is a run.
std::string runOf(const model::Holder &holder)
{
    const bool together = !holder.ownerName.empty() && holder.ownerKind != "CronJob";
    return holder.ownerKind + '/' + (together ? holder.ownerName : holder.name);
}

struct SpotSpan {
    base::TimeRange range;
    std::string node;
    bool completed = false; // of its pod, by then
    bool isCut = false; // it was there when the data begin, and nothing says since when
};

// Runs of a workload whose length is not known.
struct OpenRuns {
    std::vector<savings::SpotPastRun> runs; // as long as they were seen
    int unfinished = 0, begunEarlier = 0; // how many of them go on, and how many others began before the data
};

model::WorkloadKind workOf(const RightSizeWorkload &from)
{
    using model::WorkloadKind;
    if (from.tier == savings::WorkTier::Batch)
        return from.training ? WorkloadKind::Training : WorkloadKind::Batch;
    return from.inference ? WorkloadKind::Inference : WorkloadKind::Development;
}

bool addSpotNanos(std::int64_t &sum, std::int64_t amount)
{
    return !__builtin_add_overflow(sum, amount, &sum);
}

class SpotCollector {
public:
    SpotCollector(const savings::RightSizePast &sized, base::TimeRange range)
        : m_sized(sized)
        , m_range(range)
    {
        m_past.hours = sized.hours;
        m_past.currency = sized.currency;
        m_past.start = range.start;
    }

    Result<savings::SpotPast> take(store::FactReader &facts, const std::stop_token &stop)
    {
        m_past.candidates.reserve(m_sized.workloads.size());
        for (const RightSizeWorkload &one : m_sized.workloads)
            add(one);
        for (const RightSizeWorkload &one : m_sized.earlier)
            addEarlier(one);
        leaveOutUnlisted();
        GPULEDGER_TRY(readRuns(facts, stop));
        for (SpotCandidate &one : m_past.candidates) {
            std::sort(one.resources.begin(), one.resources.end());
            one.resources.erase(std::unique(one.resources.begin(), one.resources.end()), one.resources.end());
            one.ownHours = addedUp(std::move(one.ownHours));
        }
        return std::move(m_past);
    }

private:
    using Name = std::pair<std::string, std::string>; // cluster and workload

    void add(const RightSizeWorkload &from)
    {
        const std::string target(seriesTarget(from.target, from.controllerKind, from.controllerName));
        const auto [at, isNew] = m_series.try_emplace(Name(from.cluster, target), m_past.candidates.size());
        if (isNew)
            m_past.candidates.emplace_back();
        m_workloads[Name(from.cluster, from.target)] = at->second;
        SpotCandidate &one = m_past.candidates[at->second];
        const std::int32_t market = marketOf(from);
        if (isNew) {
            one.id = "spot:" + from.cluster + '/' + target;
            one.target = target;
            one.nameSpace = from.nameSpace;
            one.pod = from.pod;
            one.batch = from.tier == savings::WorkTier::Batch;
            one.inference = from.inference;
            one.work = workOf(from);
            one.market = market;
            one.firstHour = from.firstHour;
        }
        one.owner = from.owner;
        addTime(from, market, one);
    }

    // What never had a machine of its own on demand is excluded under all assumptions, so only the costliest of these
    // are ever listed. In a fleet of large machines they are nearly all.
    void leaveOutUnlisted()
    {
        std::vector<SpotCandidate> &all = m_past.candidates;
        std::vector<std::size_t> shared;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].ownSeconds <= 0 && !all[i].tooLarge && all[i].held.ticks > 0
                && all[i].lastHour >= m_past.hours - kListedSpotHours)
                shared.push_back(i);
        }
        const std::size_t listed = savings::SpotRules().mostExcluded;
        if (shared.size() <= listed)
            return;
        std::sort(shared.begin(), shared.end(), [&](std::size_t a, std::size_t b) {
            return std::pair(all[b].cost, std::string_view(all[a].id))
                < std::pair(all[a].cost, std::string_view(all[b].id));
        });
        std::vector<std::optional<std::size_t>> places(all.size(), std::size_t{0}); // among those that stay
        for (std::size_t i = listed; i < shared.size(); ++i)
            places[shared[i]].reset();
        std::vector<SpotCandidate> kept;
        kept.reserve(all.size() - (shared.size() - listed));
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (!places[i])
                continue;
            places[i] = kept.size();
            kept.push_back(std::move(all[i]));
        }
        all = std::move(kept);
        for (auto *index : {&m_series, &m_workloads}) {
            std::erase_if(*index, [&](const auto &one) { return !places[one.second]; });
            for (auto &[name, candidate] : *index)
                candidate = *places[candidate];
        }
    }

    // Of workloads whose series is known.
    void addEarlier(const RightSizeWorkload &from)
    {
        const auto at =
            m_series.find(Name(from.cluster, seriesTarget(from.target, from.controllerKind, from.controllerName)));
        if (at != m_series.end())
            addTime(from, marketOf(from), m_past.candidates[at->second]);
    }

    void addTime(const RightSizeWorkload &from, std::int32_t market, SpotCandidate &one)
    {
        one.severalMarkets = one.severalMarkets || from.severalMarkets || from.severalModels || one.market != market;
        one.firstHour = std::min(one.firstHour, from.firstHour);
        one.lastHour = std::max(one.lastHour, from.lastHour);
        one.held += from.held;
        one.sunk += from.sunk;
        one.shared += from.shared;
        one.unknown += from.unknown;
        one.unpriced += from.unpriced;
        one.spot += from.spot;
        const bool fits = addSpotNanos(one.cost, from.cost) && addSpotNanos(one.ownCost, from.ownCost)
            && addSpotNanos(one.ownBase, from.ownBase);
        one.ownSeconds += from.ownSeconds;
        one.tooLarge = one.tooLarge || !fits;
        one.resources.insert(one.resources.end(), from.resources.begin(), from.resources.end());
        for (const savings::RightSizeHour &h : from.hours)
            one.ownHours.emplace_back(h.hour, h.machineSeconds);
    }

    // One value for each hour.
    static std::vector<std::pair<std::int32_t, std::int32_t>>
    addedUp(std::vector<std::pair<std::int32_t, std::int32_t>> all)
    {
        std::sort(all.begin(), all.end());
        std::vector<std::pair<std::int32_t, std::int32_t>> out;
        for (const auto &[hour, seconds] : all) {
            if (out.empty() || out.back().first != hour)
                out.emplace_back(hour, 0);
            out.back().second += seconds;
        }
        return out;
    }

    std::int32_t marketOf(const RightSizeWorkload &from)
    {
        if (from.market < 0 || from.machine.empty())
            return -1;
        const savings::RightSizePlace &place = m_sized.places[static_cast<std::size_t>(from.market)];
        const auto [at, isNew] = m_markets.try_emplace(
            SpotKey(place.cloud, ledger::lowerCase(place.region), ledger::lowerCase(from.machine)),
            static_cast<std::int32_t>(m_past.markets.size()));
        if (isNew)
            m_past.markets.push_back({place.cloud, place.region, from.machine, std::nullopt, {}});
        return at->second;
    }

    Result<void> readRuns(store::FactReader &facts, const std::stop_token &stop)
    {
        const auto covered = facts.coveredRange();
        GPULEDGER_TRY(covered);
        auto writes = SpotWriteCounter::create(facts);
        GPULEDGER_TRY(writes);
        m_known = {covered->start, std::min(m_range.end, covered->end)};
        std::map<std::pair<std::size_t, std::string>, std::vector<SpotSpan>> runs;
        const auto isWanted = [&](const model::Holder &holder) -> Result<bool> {
            if (stop.stop_requested())
                return base::fail(base::ErrorCode::Cancelled, "cancelled");
            return candidateOf(holder).has_value();
        };
        // Ascending by id, so that the newest labels are the last.
        const auto read = [&](const model::Holder &holder, std::span<const base::TimeRange> spans) -> Result<void> {
            const auto candidate = candidateOf(holder);
            if (!candidate)
                return {};
            readSpotLabels(holder.labels, m_past.candidates[*candidate]);
            if (m_past.candidates[*candidate].batch)
                writes->want(holder, *candidate);
            std::vector<SpotSpan> &of = runs[{*candidate, runOf(holder)}];
            for (const base::TimeRange &span : spans)
                of.push_back({span, holder.node, holder.completedAt.has_value()});
            if (!spans.empty())
                setBegin(of[of.size() - spans.size()], holder.startedAt);
            return {};
        };
        GPULEDGER_TRY(facts.eachWanted(m_range, isWanted, read));
        for (auto &[key, all] : runs) {
            if (stop.stop_requested())
                return base::fail(base::ErrorCode::Cancelled, "cancelled");
            addRuns(all, m_past.candidates[key.first], m_open[key.first]);
        }
        for (const auto &[candidate, some] : m_open)
            addOpen(some, m_past.candidates[candidate]);
        return writes->addTo(m_past.candidates, m_range, stop);
    }

    std::optional<std::size_t> candidateOf(const model::Holder &holder) const
    {
        const std::string target =
            insight::workloadName(holder.nameSpace, holder.ownerKind, holder.ownerName, holder.name, holder.kind);
        const auto found = m_workloads.find(Name(holder.cluster, target));
        if (found != m_workloads.end())
            return found->second;
        if (m_sized.earlierNames.empty())
            return std::nullopt;
        if (!std::binary_search(m_sized.earlierNames.begin(), m_sized.earlierNames.end(),
                                savings::rightSizeName(holder.cluster, target)))
            return std::nullopt;
        const auto series =
            m_series.find(Name(holder.cluster, seriesTarget(target, holder.ownerKind, holder.ownerName)));
        return series == m_series.end() ? std::nullopt : std::optional(series->second);
    }

    // A holder's first span begins when its scheduler says that it started, if that was long before its first sample.
    void setBegin(SpotSpan &first, const std::optional<base::UtcTime> &startedAt) const
    {
        const base::UtcTime seen = first.range.start;
        const bool isKnown = startedAt && *startedAt > seen - kLongestUnseen;
        first.isCut = !isKnown && seen <= m_known.start + kSpotRunGap;
        if (isKnown && *startedAt < seen - kSpotRunGap)
            first.range.start = *startedAt;
    }

    // How long they take in the end isn't known: at least as long as they were seen, and as the longest that was seen
    // whole.
    static void addOpen(const OpenRuns &some, SpotCandidate &one)
    {
        one.unfinished = some.unfinished;
        one.begunEarlier = some.begunEarlier;
        std::int64_t longest = 0;
        for (const savings::SpotPastRun &run : one.runs)
            longest = std::max(longest, run.seconds);
        for (const savings::SpotPastRun &run : some.runs) {
            if (longest > 0)
                one.runs.push_back({std::max(run.seconds, longest), run.machines, run.start});
        }
    }

    bool goesOn(const SpotSpan &span) const { return !span.completed && span.range.end > m_known.end - kSpotRunGap; }

    void addRuns(std::vector<SpotSpan> &spans, SpotCandidate &one, OpenRuns &open) const
    {
        std::sort(spans.begin(), spans.end(), [](const SpotSpan &a, const SpotSpan &b) {
            return std::tuple(a.range.start, a.range.end, std::string_view(a.node))
                < std::tuple(b.range.start, b.range.end, std::string_view(b.node));
        });
        for (std::size_t first = 0; first < spans.size();) {
            base::UtcTime end = spans[first].range.end;
            std::size_t next = first + 1;
            int restarts = 0;
            for (; next < spans.size() && spans[next].range.start - end <= kSpotRunGap; ++next) {
                restarts += spans[next].range.start >= end ? 1 : 0;
                end = std::max(end, spans[next].range.end);
            }
            const base::TimeRange run{spans[first].range.start, end};
            if (!run.intersect(m_range).empty()) {
                const bool isOn = std::any_of(spans.begin() + static_cast<std::ptrdiff_t>(first),
                                              spans.begin() + static_cast<std::ptrdiff_t>(next),
                                              [this](const SpotSpan &span) { return goesOn(span); });
                const bool isCut = spans[first].isCut;
                open.unfinished += isOn ? 1 : 0;
                open.begunEarlier += isCut && !isOn ? 1 : 0;
                (isOn || isCut ? open.runs : one.runs)
                    .push_back({run.length().count(), machinesOf(spans, first, next), run.start});
                one.restarts += restarts;
            }
            first = next;
        }
    }

    // Most nodes at the same time, of spans that ascend by start: some span begins when they are reached.
    static int machinesOf(const std::vector<SpotSpan> &spans, std::size_t first, std::size_t end)
    {
        std::size_t most = 1;
        std::map<std::string_view, int> nodes; // with spans that haven't ended
        std::multimap<base::UtcTime, std::string_view> ends; // of these spans
        for (std::size_t i = first; i < end; ++i) {
            ++nodes[spans[i].node];
            ends.emplace(spans[i].range.end, spans[i].node);
            for (; !ends.empty() && ends.begin()->first <= spans[i].range.start; ends.erase(ends.begin())) {
                if (const auto node = nodes.find(ends.begin()->second); --node->second == 0)
                    nodes.erase(node);
            }
            most = std::max(most, nodes.size());
        }
        return static_cast<int>(most);
    }

    const savings::RightSizePast &m_sized;
    const base::TimeRange m_range;
    savings::SpotPast m_past;
    std::map<Name, std::size_t> m_series, m_workloads; // to the candidates
    std::map<SpotKey, std::int32_t> m_markets;
    base::TimeRange m_known; // what is known of runs
    std::map<std::size_t, OpenRuns> m_open; // by candidate
};

std::string_view seriesIn(std::string_view controllerKind, std::string_view name)
{
    const std::size_t dash = name.rfind('-');
    const bool generated = runsOnce(controllerKind) && dash != std::string_view::npos && dash > 0
        && name.size() - dash - 1 == kGeneratedLength
        && name.find_first_not_of(kGeneratedLetters, dash + 1) == std::string_view::npos;
    return generated ? name.substr(0, dash) : name;
}

} // namespace

std::string spotSeries(std::string_view controllerKind, std::string_view name)
{
    return std::string(seriesIn(controllerKind, name));
}

std::string_view seriesTarget(std::string_view target, std::string_view controllerKind, std::string_view controllerName)
{
    if (target.ends_with(controllerName))
        target.remove_suffix(controllerName.size() - seriesIn(controllerKind, controllerName).size());
    return target;
}

Result<savings::SpotPast> spotPast(const savings::RightSizePast &sized, store::FactReader &facts, base::TimeRange range,
                                   const std::stop_token &stop)
{
    return SpotCollector(sized, range).take(facts, stop);
}

} // namespace gpuledger::services
