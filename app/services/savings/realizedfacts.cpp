// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savings/realizedfacts.h"

#include "app/insight/query/measuresums.h"
#include "app/ledger/rules/ownerrules.h"
#include "app/services/savings/realizedparts.h"
#include "app/services/savings/savingschoices.h"
#include "app/services/savingsinputs/spot/spotfacts.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;
using model::GpuState;
using savings::Choice;
using savings::RealizedDay;
using savings::RealizedPast;

namespace {

constexpr std::int64_t kUnseenTenth = 10; // at most 1/10 of a target's time may be held and unobserved

struct RealizedSums {
    std::int64_t nanos = 0, paid = 0, active = 0, unseen = 0, runs = 0; // ticks, except nanos
    bool priced = true;
};
using RealizedSeries = std::vector<RealizedSums>; // by day

Result<void> addSums(RealizedSums &to, const RealizedSums &from)
{
    if (__builtin_add_overflow(to.nanos, from.nanos, &to.nanos))
        return base::fail(ErrorCode::Overflow, "the cost of a day is too large");
    to.paid += from.paid;
    to.active += from.active;
    to.unseen += from.unseen;
    to.runs += from.runs;
    to.priced = to.priced && from.priced;
    return {};
}

RealizedSums sumsOf(const model::UsagePart &part)
{
    return {part.priced ? part.costNanos : 0,
            part.ticks,
            part.state == GpuState::Active ? part.ticks : 0,
            part.state == GpuState::UnobservedHeld ? part.ticks : 0,
            0,
            part.priced || part.ticks == 0};
}

class RealizedReader {
public:
    RealizedReader(const std::vector<Choice> &accepted, base::TimeRange known)
        : m_accepted(accepted)
        , m_first(base::dayOf(base::ceilTo(known.start, base::kDay)))
        , m_days(static_cast<std::size_t>(
              std::max(0, base::dayOf(base::floorTo(known.end, base::kDay)).number - m_first.number)))
        , m_total(m_days)
        , m_needed(m_days, 0)
        , m_about(accepted.size())
        , m_groups(accepted.size())
    {
        for (std::size_t i = 0; i < accepted.size(); ++i)
            index(i);
    }

    Result<std::vector<RealizedPast>> read(store::AttributionReader &attribution, base::Currency currency,
                                           const std::stop_token &stop)
    {
        GPULEDGER_TRY(findDevicesOfStops(attribution, stop));
        for (std::size_t day = 0; day < m_days; ++day) {
            if (!m_needed[day])
                continue;
            const base::Day at{m_first.number + static_cast<std::int32_t>(day)};
            GPULEDGER_TRY(attribution.walk(at, at, {}, [&](const model::DeviceAttribution &device) -> Result<void> {
                if (stop.stop_requested())
                    return base::fail(ErrorCode::Cancelled, "cancelled");
                return add(device, day);
            }));
            m_runs.take([&](const RealizedRuns::Place &place, std::int64_t ticks) {
                (place.isPool ? m_pools[place.index].all : m_about[place.index].own)[day].runs += ticks;
            });
        }
        return take(currency);
    }

private:
    using PoolName = std::array<std::string, 4>; // cluster, group, machine type, GPU model

    struct Pool {
        std::string cluster, gpuModel;
        RealizedSeries all, control;
        bool isTarget = false;
    };
    struct Prices { // of the control time of a pool, by purchase
        std::size_t pool;
        std::vector<savings::RealizedPriceDay> days;
    };
    struct About { // a choice
        bool isWorkload = false;
        RealizedSeries own; // isWorkload only
        std::set<std::size_t> pools; // of its devices before the choice
    };
    using Indexes = std::vector<std::size_t>; // of choices

    void index(std::size_t i)
    {
        const Choice &choice = m_accepted[i];
        const std::string workload = realizedWorkloadOf(choice);
        m_about[i].isWorkload = !workload.empty();
        if (!workload.empty()) {
            m_about[i].own.resize(m_days);
            (choice.kind == savings::Kind::Spot ? m_bySeries : m_byWorkload)[workload].push_back(i);
        }
        m_needsPoolRuns = m_needsPoolRuns || (workload.empty() && choice.kind == savings::Kind::RightSize);
        for (const std::string &resource : choice.resources)
            m_byDevice[resource].push_back(i);
        const std::int64_t begun = realizedBegun(choice).number - m_first.number,
                           done = realizedDone(choice).number - m_first.number;
        mark(begun - 7 * std::int64_t{savings::kRealizedMostBefore}, begun);
        mark(done + 1, done + 1 + 7 * std::int64_t{savings::kRealizedMostAfter});
    }

    // The devices that a stopped workload held on the day of its stop and the day before.
    Result<void> findDevicesOfStops(store::AttributionReader &attribution, const std::stop_token &stop)
    {
        std::map<std::int32_t, Indexes> byDay;
        for (std::size_t i = 0; i < m_accepted.size(); ++i) {
            if (!m_accepted[i].stop)
                continue;
            const std::int32_t done = realizedBegun(m_accepted[i]).number;
            byDay[done - 1].push_back(i);
            byDay[done].push_back(i);
        }
        for (const auto &[number, stops] : byDay) {
            const base::Day at{number};
            GPULEDGER_TRY(attribution.walk(at, at, {}, [&](const model::DeviceAttribution &device) -> Result<void> {
                if (stop.stop_requested())
                    return base::fail(ErrorCode::Cancelled, "cancelled");
                m_holders.clear();
                for (const model::UsagePart &part : device.parts) {
                    if (part.holder == model::kNobody || part.ticks == 0)
                        continue;
                    for (const std::size_t i : choicesOfHolder(device, part.holder)) {
                        if (std::find(stops.begin(), stops.end(), i) == stops.end())
                            continue;
                        Indexes &named = m_byDevice[deviceResource(*device.device)];
                        if (std::find(named.begin(), named.end(), i) == named.end())
                            named.push_back(i);
                    }
                }
                return {};
            }));
        }
        return {};
    }

    void mark(std::int64_t from, std::int64_t to)
    {
        for (std::int64_t day = std::max<std::int64_t>(from, 0); day < std::min(to, static_cast<std::int64_t>(m_days));
             ++day)
            m_needed[static_cast<std::size_t>(day)] = 1;
    }

    Result<void> add(const model::DeviceAttribution &device, std::size_t day)
    {
        const std::size_t pool = poolOf(device);
        const Indexes &owners = choicesOfDevice(*device.device);
        for (const std::size_t i : owners) {
            if (m_first.number + static_cast<std::int32_t>(day) < realizedBegun(m_accepted[i]).number)
                m_about[i].pools.insert(pool);
        }
        m_holders.clear();
        RealizedSums all, control;
        for (const model::UsagePart &part : device.parts) {
            const RealizedSums sums = sumsOf(part);
            GPULEDGER_TRY(addSums(all, sums));
            const Indexes &working = part.holder == model::kNobody ? m_none : choicesOfHolder(device, part.holder);
            if (part.state == GpuState::Active && part.holder != model::kNobody)
                noteRun(device, part, working, pool);
            const bool isSeen = part.state != GpuState::UnobservedHeld && part.state != GpuState::UnobservedFree;
            if (owners.empty() && working.empty() && isSeen && part.priced)
                GPULEDGER_TRY(addSums(control, sums));
            GPULEDGER_TRY(addToWorkloads(owners, working, part, sums, day));
        }
        if (all.paid > 0)
            m_clusters.note(device.device->cluster, day);
        GPULEDGER_TRY(addPrice(device, pool, control, day));
        GPULEDGER_TRY(addSums(m_pools[pool].all[day], all));
        return addSums(m_pools[pool].control[day], control);
    }

    const Indexes &choicesOfDevice(const model::Device &device)
    {
        const auto [at, isNew] = m_ownersOf.try_emplace(device.id.value, &m_none);
        if (isNew) {
            if (const auto named = m_byDevice.find(deviceResource(device)); named != m_byDevice.end()) {
                at->second = &named->second;
                m_groups.join(named->second);
            }
        }
        return *at->second;
    }

    Result<void> addPrice(const model::DeviceAttribution &device, std::size_t pool, const RealizedSums &control,
                          std::size_t day)
    {
        if (control.paid == 0)
            return {};
        const auto [at, isNew] = m_priceNames.try_emplace(
            {pool, device.node ? realizedPurchaseOf(*device.node) : std::string()}, m_prices.size());
        if (isNew)
            m_prices.push_back({pool, std::vector<savings::RealizedPriceDay>(m_days)});
        savings::RealizedPriceDay &to = m_prices[at->second].days[day];
        if (__builtin_add_overflow(to.nanos, control.nanos, &to.nanos))
            return base::fail(ErrorCode::Overflow, "the cost of a day is too large");
        to.paid += control.paid;
        return {};
    }

    void noteRun(const model::DeviceAttribution &device, const model::UsagePart &part, const Indexes &working,
                 std::size_t pool)
    {
        const std::int64_t holder = keyOf((*device.holders)[static_cast<std::size_t>(part.holder)]);
        for (const std::size_t i : working)
            m_runs.note(device.device->id, {false, i}, holder, part.ticks);
        if (m_needsPoolRuns)
            m_runs.note(device.device->id, {true, pool}, holder, part.ticks);
    }

    Result<void> addToWorkloads(const Indexes &owners, const Indexes &working, const model::UsagePart &part,
                                const RealizedSums &sums, std::size_t day)
    {
        for (const std::size_t i : owners) {
            if (m_about[i].isWorkload && (part.holder == model::kNobody || m_accepted[i].stop))
                GPULEDGER_TRY(addSums(m_about[i].own[day], sums));
        }
        for (const std::size_t i : working) {
            const bool isAdded = m_accepted[i].stop && std::find(owners.begin(), owners.end(), i) != owners.end();
            if (!isAdded)
                GPULEDGER_TRY(addSums(m_about[i].own[day], sums));
        }
        return {};
    }

    // Remembered for the holders of one device.
    const Indexes &choicesOfHolder(const model::DeviceAttribution &device, std::int32_t holder)
    {
        for (const auto &[known, choices] : m_holders) {
            if (known == holder)
                return *choices;
        }
        const model::AttributedHolder &who = (*device.holders)[static_cast<std::size_t>(holder)];
        const auto [at, isNew] = m_choicesOf.try_emplace(keyOf(who));
        if (isNew) {
            at->second = named(m_byWorkload, who, who.ownerName);
            const Indexes series = named(m_bySeries, who, spotSeries(who.ownerKind, who.ownerName));
            at->second.insert(at->second.end(), series.begin(), series.end());
            m_groups.join(at->second);
        }
        m_holders.emplace_back(holder, &at->second);
        return at->second;
    }

    static std::int64_t keyOf(const model::AttributedHolder &who)
    {
        return who.holder ? 2 * who.holder.value : 2 * who.subject.value + 1;
    }

    Indexes named(const std::map<std::string, Indexes> &choices, const model::AttributedHolder &who,
                  const std::string &ownerName) const
    {
        if (choices.empty())
            return {};
        const auto found = choices.find(
            who.cluster + '/' + insight::workloadName(who.nameSpace, who.ownerKind, ownerName, who.name, who.what));
        return found == choices.end() ? m_none : found->second;
    }

    std::size_t poolOf(const model::DeviceAttribution &device)
    {
        PoolName name{device.device->cluster, {}, {}, device.gpuModel};
        if (device.node) {
            name[2] = device.node->instanceType;
            if (const auto groups = ledger::nodePools(*device.node); !groups.empty())
                name[1] = groups.front();
        }
        const auto [at, isNew] = m_poolNames.try_emplace(std::move(name), m_pools.size());
        if (isNew)
            m_pools.push_back(
                {device.device->cluster, device.gpuModel, RealizedSeries(m_days), RealizedSeries(m_days), false});
        return at->second;
    }

    Result<std::vector<RealizedPast>> take(base::Currency currency)
    {
        for (const About &about : m_about) {
            for (const std::size_t pool : about.pools)
                m_pools[pool].isTarget = m_pools[pool].isTarget || !about.isWorkload;
        }
        joinPools();
        for (const Pool &pool : m_pools) {
            if (pool.isTarget)
                continue;
            RealizedSeries &same = m_byModel.try_emplace(pool.gpuModel, m_days).first->second;
            GPULEDGER_TRY(addSeries(same, pool.control));
            GPULEDGER_TRY(addSeries(m_total, pool.control));
        }
        std::vector<RealizedPast> out;
        for (std::size_t i = 0; i < m_accepted.size(); ++i) {
            auto past = pastOf(i, currency);
            GPULEDGER_TRY(past);
            out.push_back(std::move(*past));
        }
        return out;
    }

    // Whoever has devices in a pool that is a target.
    void joinPools()
    {
        std::vector<Indexes> inPool(m_pools.size());
        for (std::size_t i = 0; i < m_about.size(); ++i) {
            for (const std::size_t pool : m_about[i].pools) {
                if (m_pools[pool].isTarget)
                    inPool[pool].push_back(i);
            }
        }
        for (const Indexes &choices : inPool)
            m_groups.join(choices);
    }

    static Result<void> addSeries(RealizedSeries &to, const RealizedSeries &from)
    {
        for (std::size_t day = 0; day < to.size(); ++day)
            GPULEDGER_TRY(addSums(to[day], from[day]));
        return {};
    }

    Result<RealizedPast> pastOf(std::size_t i, base::Currency currency) const
    {
        const Choice &choice = m_accepted[i];
        RealizedSeries target = m_about[i].own, control(m_days);
        target.resize(m_days);
        std::set<std::string> models, clusters;
        for (const std::size_t pool : m_about[i].pools) {
            models.insert(m_pools[pool].gpuModel);
            clusters.insert(m_pools[pool].cluster);
            if (!m_about[i].isWorkload)
                GPULEDGER_TRY(addSeries(target, m_pools[pool].all));
        }
        for (const std::string &name : models) {
            if (const auto same = m_byModel.find(name); same != m_byModel.end())
                GPULEDGER_TRY(addSeries(control, same->second));
        }
        const bool isAny =
            std::all_of(control.begin(), control.end(), [](const RealizedSums &day) { return day.paid == 0; });
        if (isAny)
            control = m_total;
        RealizedPast past;
        past.kind = choice.kind;
        past.currency = currency;
        past.first = m_first;
        past.target = daysOf(target, true);
        m_clusters.hide(past.target, clusters, realizedDone(choice).number + 1 - m_first.number);
        past.control = daysOf(control, false);
        for (const Prices &prices : m_prices) {
            const Pool &pool = m_pools[prices.pool];
            if (!pool.isTarget && (isAny || models.contains(pool.gpuModel)))
                past.prices.push_back(prices.days);
        }
        past.begun = realizedBegun(choice);
        past.done = realizedDone(choice);
        past.projected = choice.projected;
        past.group = m_accepted[m_groups.of(i)].id;
        past.isStop = choice.stop.has_value();
        if (choice.stop) {
            past.pool = paidInPools(m_about[i].pools);
            if (choice.stop->undone)
                past.ended = base::dayOf(*choice.stop->undone);
        }
        return past;
    }

    std::vector<std::int64_t> paidInPools(const std::set<std::size_t> &pools) const
    {
        std::vector<std::int64_t> paid(m_days);
        for (const std::size_t pool : pools) {
            for (std::size_t day = 0; day < m_days; ++day)
                paid[day] += m_pools[pool].all[day].paid;
        }
        return paid;
    }

    static std::vector<RealizedDay> daysOf(const RealizedSeries &series, bool isTarget)
    {
        std::vector<RealizedDay> days;
        days.reserve(series.size());
        for (const RealizedSums &day : series)
            days.push_back({day.nanos, day.paid, day.active, day.runs, day.priced,
                            !isTarget || day.unseen * kUnseenTenth <= day.paid});
        return days;
    }

    const std::vector<Choice> &m_accepted;
    const base::Day m_first;
    const std::size_t m_days;
    const Indexes m_none;
    RealizedSeries m_total; // control of all GPU models
    std::vector<char> m_needed; // by day: some choice compares it
    std::vector<About> m_about; // parallel to the choices
    RealizedGroups m_groups;
    std::map<std::string, Indexes> m_byDevice; // by deviceResource()
    std::map<std::string, Indexes> m_byWorkload, m_bySeries; // cluster/workload; series: of spot choices
    std::unordered_map<std::int64_t, const Indexes *> m_ownersOf; // by device
    bool m_needsPoolRuns = false;
    RealizedRuns m_runs;
    RealizedClusters m_clusters;
    std::map<std::pair<std::size_t, std::string>, std::size_t> m_priceNames; // pool and purchase
    std::vector<Prices> m_prices;
    std::map<PoolName, std::size_t> m_poolNames;
    std::vector<Pool> m_pools;
    std::map<std::string, RealizedSeries> m_byModel; // control
    std::unordered_map<std::int64_t, Indexes> m_choicesOf; // by holder; its values stay where they are
    std::vector<std::pair<std::int32_t, const Indexes *>> m_holders; // of the current device
};

} // namespace

Result<std::vector<RealizedPast>> realizedPasts(store::AttributionReader &attribution,
                                                const std::vector<Choice> &accepted, base::TimeRange known,
                                                base::Currency currency, const std::stop_token &stop)
{
    return RealizedReader(accepted, known).read(attribution, currency, stop);
}

} // namespace gpuledger::services
