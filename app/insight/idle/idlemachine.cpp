// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/idlemachine.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

namespace gpuledger::insight {

using base::DeviceId;
using base::NodeId;
using base::Result;
using model::Recovery;
using store::IdleCandidate;
using store::IdleHolderKey;
using store::IdleUnit;

namespace {

using Machine = std::pair<std::string, std::string>; // cluster and node; or empty and a device's id

Machine machineOf(const IdleCandidate &c, const IdleUnit &unit)
{
    return unit.node.empty() ? Machine({}, std::to_string(unit.device.value)) : Machine(c.who.cluster, unit.node);
}

bool endsNow(const model::CostTerms &terms, const IdleUnit &unit)
{
    const auto told = terms.find(unit.device);
    return told != terms.end() && told->second == Recovery::Now;
}

// A workload that only some labels name has several keys.
bool isSame(const IdleHolderKey &a, const IdleHolderKey &b)
{
    return a == b || (a.holder != 0 && a.holder == b.holder);
}

using Holders = std::set<IdleHolderKey>;

// Whether the stored day of a unit shows that its device reported on that day.
bool hasReported(const store::IdleUnitDay &unit)
{
    const auto isIdle = [](const std::optional<store::IdleTail> &tail) { return tail && tail->idleSeconds > 0; };
    return unit.lastActive >= 0 || isIdle(unit.tail) || isIdle(unit.whole);
}

// Who holds what of some machines at an instant.
class MachineUse {
public:
    explicit MachineUse(base::UtcTime at)
        : m_at(at)
        , m_day(base::dayOf(at - base::Seconds{1}))
        , m_bucket((at - m_day.start()) / base::kBucket - 1)
    {
    }

    void add(DeviceId device, const Machine &machine)
    {
        const auto number = m_numbers.try_emplace(machine, m_numbers.size()).first->second;
        m_onMachine.resize(m_numbers.size());
        m_places.insert_or_assign(device, Place{number, true});
    }
    bool isEmpty() const { return m_places.empty(); }

    Result<void> read(store::AttributionReader &facts)
    {
        const auto kept = facts.kept();
        GPULEDGER_TRY(kept);
        if (*kept) {
            const auto day = (*kept)->day(m_day);
            GPULEDGER_TRY(day);
            if (tellsInstant(*day))
                return takeDay(*day, facts.facts());
        }
        return walk(facts);
    }

    const Holders &on(const Machine &machine) const { return m_onMachine[m_numbers.at(machine)]; }
    const Holders &on(DeviceId device) { return m_onDevice[device]; }

private:
    using NodeNumbers = std::unordered_map<NodeId, std::size_t>;
    struct Place {
        std::size_t machine = 0; // its number
        bool isAsked = false; // not only a neighbour
    };

    base::TimeRange lately() const { return {m_at - base::kDay, m_at}; } // includes what stopped reporting

    Result<NodeNumbers> askedNodes(store::FactReader &facts) const
    {
        const auto nodes = facts.nodesWithoutLabels();
        GPULEDGER_TRY(nodes);
        NodeNumbers out;
        for (const model::Node &node : *nodes) {
            if (const auto machine = m_numbers.find({node.cluster, node.name}); machine != m_numbers.end())
                out.emplace(node.id, machine->second);
        }
        return out;
    }

    void placeOn(const NodeNumbers &nodes, DeviceId device, NodeId node)
    {
        if (const auto machine = nodes.find(node); machine != nodes.end())
            m_places.try_emplace(device, Place{machine->second, false});
    }

    // False if the stored day goes on after the instant: it tells only the last time at which something was held.
    bool tellsInstant(const store::IdleDay &day) const
    {
        return !day.empty()
            && std::none_of(day.begin(), day.end(), [&](const auto &unit) { return unit.lastPart > m_bucket; });
    }

    Result<void> takeDay(const store::IdleDay &day, store::FactReader *facts)
    {
        if (facts)
            GPULEDGER_TRY(addHeld(day, *facts));
        for (const store::IdleUnitDay &unit : day) {
            if (unit.lastPart == m_bucket)
                note(DeviceId{unit.unit.device}, unit.who);
        }
        return {};
    }

    // Adds the other devices of the same machines that are held at the instant, as addAll() does. Placements are read
    // for few: a device that was always on one node is there if it reported on the day.
    Result<void> addHeld(const store::IdleDay &day, store::FactReader &facts)
    {
        const auto nodes = askedNodes(facts);
        GPULEDGER_TRY(nodes);
        if (nodes->empty())
            return {};
        const auto pairs = facts.deviceNodes();
        GPULEDGER_TRY(pairs);
        std::unordered_map<DeviceId, NodeId> only; // -1: was on several
        only.reserve(pairs->size());
        for (const store::DeviceNode &pair : *pairs) {
            if (const auto [known, isFirst] = only.emplace(pair.device, pair.node); !isFirst)
                known->second = kSeveral;
        }
        std::vector<DeviceId> unclear;
        for (const store::IdleUnitDay &unit : day) {
            const DeviceId device{unit.unit.device};
            const auto node = unit.lastPart == m_bucket ? only.find(device) : only.end();
            if (node == only.end() || m_places.contains(device))
                continue;
            if (node->second == kSeveral || (nodes->contains(node->second) && !hasReported(unit)))
                unclear.push_back(device);
            else
                placeOn(*nodes, device, node->second);
        }
        return facts.eachPlacementOf(unclear, lately(), [&](const store::Placement &one) -> Result<void> {
            placeOn(*nodes, one.device, one.node);
            return {};
        });
    }

    // Adds all other devices of the same machines.
    Result<void> addAll(store::FactReader &facts)
    {
        const auto nodes = askedNodes(facts);
        GPULEDGER_TRY(nodes);
        if (nodes->empty())
            return {};
        return facts.eachPlacement(lately(), [&](const store::Placement &one) -> Result<void> {
            placeOn(*nodes, one.device, one.node);
            return {};
        });
    }

    Result<void> walk(store::AttributionReader &facts)
    {
        if (facts.facts())
            GPULEDGER_TRY(addAll(*facts.facts()));
        std::vector<DeviceId> devices;
        for (const auto &[device, where] : m_places)
            devices.push_back(device);
        std::sort(devices.begin(), devices.end());
        return facts.walk(m_day, m_day, devices, [this](const model::DeviceAttribution &device) -> Result<void> {
            for (const model::UsagePart &part : device.parts) {
                if (part.bucket == m_bucket && part.holder != model::kNobody)
                    note(device.device->id, store::idleKeyOf((*device.holders)[static_cast<std::size_t>(part.holder)]));
            }
            return {};
        });
    }

    void note(DeviceId device, const IdleHolderKey &who)
    {
        const auto known = m_places.find(device);
        if (known == m_places.end())
            return;
        m_onMachine[known->second.machine].insert(who);
        if (known->second.isAsked)
            m_onDevice[device].insert(who);
    }

    static constexpr NodeId kSeveral{-1};

    const base::UtcTime m_at;
    const base::Day m_day; // of the last bucket before the instant
    const std::int64_t m_bucket;
    std::map<Machine, std::size_t> m_numbers; // of the machines that were asked for
    std::unordered_map<DeviceId, Place> m_places;
    std::vector<Holders> m_onMachine; // by its number
    std::unordered_map<DeviceId, Holders> m_onDevice;
};

class Limiter {
public:
    Limiter(const MachineQuery &query, MachineUse &use)
        : m_query(query)
        , m_use(use)
    {
        for (const auto &[key, name] : query.stoppable) {
            if (key.holder != 0)
                m_byHolder.try_emplace(key.holder, &name);
        }
    }

    void apply(IdleItem &item, const IdleCandidate &c)
    {
        model::CostTerms terms;
        std::set<std::string> with;
        for (const IdleUnit &unit : c.units) {
            if (const auto told = m_query.terms.find(unit.device); told != m_query.terms.end())
                terms.insert(*told);
            if (!endsNow(m_query.terms, unit))
                continue;
            const Others others = among(m_use.on(machineOf(c, unit)), c.who);
            if (!others.stay) {
                with.insert(others.stoppable.begin(), others.stoppable.end());
                continue;
            }
            terms[unit.device] = Recovery::WithMachine;
            item.sharesGpu = item.sharesGpu || among(m_use.on(unit.device), c.who).stay;
        }
        item.stopWith.assign(with.begin(), with.end());
        addTerms(item, c, terms);
    }

private:
    struct Others {
        bool stay = false; // at least one of them can't be stopped
        std::set<std::string> stoppable;
    };
    Others among(const std::set<IdleHolderKey> &holders, const model::AttributedHolder &self) const
    {
        Others out;
        for (const IdleHolderKey &one : holders) {
            if (isSame(one, store::idleKeyOf(self)))
                continue;
            if (const std::string *idle = stoppableName(one))
                out.stoppable.insert(*idle);
            else
                out.stay = true;
        }
        return out;
    }

    const std::string *stoppableName(const IdleHolderKey &who) const
    {
        if (const auto whole = m_query.stoppable.find(who); whole != m_query.stoppable.end())
            return &whole->second;
        const auto holder = who.holder != 0 ? m_byHolder.find(who.holder) : m_byHolder.end();
        return holder != m_byHolder.end() ? holder->second : nullptr;
    }

    const MachineQuery &m_query;
    MachineUse &m_use;
    std::map<std::int64_t, const std::string *> m_byHolder; // of what can be stopped
};

} // namespace

Result<void> limitToMachines(std::vector<IdleItem> &items, const MachineQuery &query, store::AttributionReader &facts)
{
    MachineUse use(query.at);
    for (const IdleCandidate *c : query.candidates) {
        for (const IdleUnit &unit : c->units) {
            if (endsNow(query.terms, unit))
                use.add(unit.device, machineOf(*c, unit));
        }
    }
    if (use.isEmpty())
        return {};
    GPULEDGER_TRY(use.read(facts));
    Limiter limiter(query, use);
    for (std::size_t i = 0; i < items.size(); ++i)
        limiter.apply(items[i], *query.candidates[i]);
    return {};
}

} // namespace gpuledger::insight
