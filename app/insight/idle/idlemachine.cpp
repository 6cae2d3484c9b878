// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/idlemachine.h"

#include <algorithm>
#include <set>
#include <utility>

namespace gpuledger::insight {

using base::DeviceId;
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

// Who holds what of some machines at an instant.
class MachineUse {
public:
    explicit MachineUse(base::UtcTime at)
        : m_at(at)
        , m_day(base::dayOf(at - base::Seconds{1}))
        , m_bucket((at - m_day.start()) / base::kBucket - 1)
    {
    }

    void add(DeviceId device, Machine machine)
    {
        m_wanted.insert(machine);
        m_machines.insert_or_assign(device, std::move(machine));
    }
    bool isEmpty() const { return m_machines.empty(); }

    Result<void> read(store::AttributionReader &facts)
    {
        if (facts.facts())
            GPULEDGER_TRY(addDevices(*facts.facts()));
        const auto kept = facts.kept();
        GPULEDGER_TRY(kept);
        if (*kept) {
            const auto day = (*kept)->day(m_day);
            GPULEDGER_TRY(day);
            if (takeDay(*day))
                return {};
        }
        std::vector<DeviceId> devices;
        for (const auto &[device, machine] : m_machines)
            devices.push_back(device);
        return facts.walk(m_day, m_day, devices, [this](const model::DeviceAttribution &device) -> Result<void> {
            for (const model::UsagePart &part : device.parts) {
                if (part.bucket == m_bucket && part.holder != model::kNobody)
                    note(device.device->id, store::idleKeyOf((*device.holders)[static_cast<std::size_t>(part.holder)]));
            }
            return {};
        });
    }

    const std::set<IdleHolderKey> &on(const Machine &machine) { return m_onMachine[machine]; }
    const std::set<IdleHolderKey> &on(DeviceId device) { return m_onDevice[device]; }

private:
    // The other devices of the same machines.
    Result<void> addDevices(store::FactReader &facts)
    {
        const auto nodes = facts.nodes();
        GPULEDGER_TRY(nodes);
        std::map<base::NodeId, Machine> wanted;
        for (const model::Node &node : *nodes) {
            if (Machine machine(node.cluster, node.name); m_wanted.contains(machine))
                wanted.emplace(node.id, std::move(machine));
        }
        if (wanted.empty())
            return {};
        const auto placements = facts.placements({m_at - base::kDay, m_at}); // also those that stopped reporting
        GPULEDGER_TRY(placements);
        for (const store::Placement &one : *placements) {
            if (const auto machine = wanted.find(one.node); machine != wanted.end())
                m_machines.try_emplace(one.device, machine->second);
        }
        return {};
    }

    // False if the stored day goes on after the instant: it tells only the last time at which something was held.
    bool takeDay(const store::IdleDay &day)
    {
        if (day.empty() || std::any_of(day.begin(), day.end(), [&](const auto &u) { return u.lastPart > m_bucket; }))
            return false;
        for (const store::IdleUnitDay &unit : day) {
            if (unit.lastPart == m_bucket)
                note(DeviceId{unit.unit.device}, unit.who);
        }
        return true;
    }

    void note(DeviceId device, const IdleHolderKey &who)
    {
        const auto machine = m_machines.find(device);
        if (machine == m_machines.end())
            return;
        m_onMachine[machine->second].insert(who);
        m_onDevice[device].insert(who);
    }

    const base::UtcTime m_at;
    const base::Day m_day; // of the last bucket before the instant
    const std::int64_t m_bucket;
    std::set<Machine> m_wanted;
    std::map<DeviceId, Machine> m_machines;
    std::map<Machine, std::set<IdleHolderKey>> m_onMachine;
    std::map<DeviceId, std::set<IdleHolderKey>> m_onDevice;
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
