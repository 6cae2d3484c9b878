// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/idle.h"

#include "app/insight/idle/idlecandidates.h"
#include "app/insight/idle/idlemachine.h"
#include "app/model/fleet/kindname.h"
#include "app/store/idle/gapdaycollector.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>

namespace gpuledger::insight {

using base::Result;
using base::Seconds;
using store::graceOf;
using store::IdleCandidate;
using store::IdleUnit;

namespace {

std::string idOf(const model::AttributedHolder &who)
{
    return who.cluster + '/' + who.nameSpace + '/' + who.name + (who.uid.empty() ? "" : '/' + who.uid);
}

std::string unitName(const IdleUnit &unit)
{
    return unit.gpuInstance.empty() ? unit.uuid : unit.uuid + ':' + unit.gpuInstance;
}

// The evidence for and against idle.
std::vector<IdleSignal> signalsOf(const IdleCandidate &c, const model::IdleSettings &settings, base::UtcTime at,
                                  Seconds grace)
{
    std::vector<IdleSignal> signals;
    double activity = 0, power = 0, resting = 0;
    std::int64_t memory = 0;
    bool written = false, shared = false, hasPower = false, hasMemory = false;
    for (const IdleUnit &u : c.units) {
        activity = std::max(activity, u.peakActivity);
        hasPower = hasPower || u.powerW >= 0;
        power += std::max(u.powerW, 0.0);
        resting += u.restingW;
        hasMemory = hasMemory || u.memoryMib >= 0;
        memory += std::max<std::int64_t>(u.memoryMib, 0);
        written = written || u.memoryChanged;
        shared = shared || u.sharedEqually;
    }
    using Kind = IdleSignal::Kind;
    signals.push_back({true, Kind::Activity, activity, settings.threshold, grace});
    if (hasMemory) {
        constexpr double kMibPerGib = 1024;
        signals.push_back({!written, written ? Kind::MemoryChanged : Kind::MemoryUnchanged,
                           static_cast<double>(memory) / kMibPerGib, 0, grace});
    }
    if (hasPower && resting > 0) {
        const bool above = power > resting * 1.5;
        signals.push_back({!above, Kind::Power, power, resting, grace});
    }
    if (c.who.startedAt && at - *c.who.startedAt < 2 * grace)
        signals.push_back({false, Kind::Young, 0, 0, at - *c.who.startedAt});
    if (shared)
        signals.push_back({false, Kind::Shared, 0, 0, grace});
    if (c.who.inferred)
        signals.push_back({false, Kind::Inferred, 0, 0, grace});
    return signals;
}

struct Judgement {
    bool active = false, unknown = false;
    double observed = 1; // minimum over its devices
};

double observedShare(const IdleUnit &u)
{
    return u.windowSeconds > 0 ? u.observedSeconds / u.windowSeconds : 0;
}

bool isSeen(double share, const model::IdleSettings &settings)
{
    return share >= settings.observed - 1e-9;
}

Judgement judge(const IdleCandidate &c, const model::IdleSettings &settings)
{
    Judgement j;
    for (const IdleUnit &u : c.units) {
        j.observed = std::min(j.observed, observedShare(u));
        j.active = j.active || u.activeInWindow;
    }
    j.unknown = !j.active && !isSeen(j.observed, settings);
    return j;
}

// The units that did not work and were observed enough to say so.
IdleCandidate idlePart(const IdleCandidate &c, const model::IdleSettings &settings)
{
    IdleCandidate part{c.who, c.since, {}};
    std::copy_if(c.units.begin(), c.units.end(), std::back_inserter(part.units),
                 [&](const IdleUnit &u) { return !u.activeInWindow && isSeen(observedShare(u), settings); });
    return part;
}

// What may be stopped to empty a machine: what the list without a filter has, unless it is protected.
Result<IdleNames> stoppableNames(const std::vector<IdleCandidate> &candidates, const model::IdleSettings &settings,
                                 SignalReader &signals)
{
    IdleNames names;
    for (const IdleCandidate &c : candidates) {
        const Judgement j = judge(c, settings);
        if (j.active || j.unknown || !c.who.protection.empty())
            continue;
        if (c.who.kind == model::WorkloadKind::Inference) {
            const auto input = signals.of(c);
            GPULEDGER_TRY(input);
            if (input->showsService(c.who.kind))
                continue;
        }
        names.emplace(store::idleKeyOf(c.who), idOf(c.who));
    }
    return names;
}

// What both kinds of items say of the workload.
template <typename Item> void putName(Item &item, const IdleCandidate &c)
{
    item.id = idOf(c.who);
    item.kind = c.who.what;
    item.name = c.who.name;
    item.owner = c.who.team;
    item.cluster = c.who.cluster;
    item.nameSpace = c.who.nameSpace;
    item.node = c.who.node;
}

UnknownItem unknownItem(const IdleCandidate &c, const Judgement &j, const model::IdleSettings &settings, Seconds grace)
{
    UnknownItem item;
    putName(item, c);
    for (const IdleUnit &u : c.units)
        item.devices.push_back(unitName(u));
    item.observed = j.observed;
    item.needed = settings.observed;
    item.grace = grace;
    return item;
}

void addMoney(IdleItem &item, const IdleCandidate &c, base::Currency currency)
{
    std::int64_t rate = 0, wasted = 0;
    bool isWhole = true; // each idle hour has a price: in billed cost, earlier days may be on no bill so far
    for (const IdleUnit &u : c.units) {
        const auto part = hourlyNanos(u);
        if (!part)
            return;
        rate += *part;
        wasted += u.wastedNanos;
        isWhole = isWhole && !u.unpricedSince;
    }
    item.ratePerHour = base::Money(rate, currency);
    if (isWhole)
        item.wasted = base::Money(wasted, currency);
    std::int64_t month = 0;
    if (!__builtin_mul_overflow(rate, kIdleHoursPerMonth, &month))
        item.perMonth = base::Money(month, currency);
}

void addChance(IdleItem &item, const IdleCandidate &c, const GapCurves &curves, base::UtcTime at)
{
    item.chance = curves.chance(item.workloadKind, item.owner, store::gapWorkload(c.who), at - item.since);
    if (!item.ratePerHour)
        return;
    const auto cost = [&](double hours) -> std::optional<base::Money> {
        const double nanos = static_cast<double>(item.ratePerHour->nanos()) * hours;
        constexpr double kMost = 9e18;
        return std::abs(nanos) < kMost ? std::optional(base::Money(std::llround(nanos), item.ratePerHour->currency()))
                                       : std::nullopt;
    };
    item.expectedBack = cost(item.chance.idleHours);
    item.expectedLost = cost(item.chance.workHours);
}

// Of the node on which it is now; it may have been on others in the window.
std::string poolNow(const IdleUnit &unit)
{
    for (const store::IdlePlace &place : unit.places) {
        if (place.node == unit.node)
            return place.group.nodePool;
    }
    return {};
}

IdleItem idleItem(const IdleCandidate &c, const Judgement &j, const model::IdleSettings &settings, base::UtcTime at,
                  Seconds grace, base::Currency currency)
{
    IdleItem item;
    putName(item, c);
    if (item.node.empty() && !c.units.empty())
        item.node = c.units.front().node;
    if (!c.who.ownerName.empty())
        item.workload = c.who.ownerKind + '/' + c.who.ownerName;
    else if (item.kind != model::SubjectKind::Pod)
        item.workload = model::shownName(item.kind, item.name);
    item.workloadKind = c.who.kind;
    item.gpuModel = c.units.front().gpuModel;
    item.nodePool = poolNow(c.units.front());
    item.since = c.since;
    for (const IdleUnit &u : c.units) {
        item.devices.push_back(unitName(u));
        item.gpus += u.fraction;
        item.idleHours = std::max(item.idleHours, u.idleSeconds / 3600);
        item.sinceIsLowerBound = item.sinceIsLowerBound || u.unobservedSince;
        item.signal = u.signal;
    }
    addMoney(item, c, currency);
    item.heldDevices = item.devices.size();
    item.heldGpus = item.gpus;
    item.observed = j.observed;
    item.signals = signalsOf(c, settings, at, grace);
    item.protection = c.who.protection;
    return item;
}

void addPartly(std::vector<IdleItem> &partly, const IdleCandidate &c, const model::IdleSettings &settings,
               base::UtcTime at, base::Currency currency)
{
    const IdleCandidate part = idlePart(c, settings);
    if (part.units.empty())
        return;
    IdleItem &item = partly.emplace_back(
        idleItem(part, judge(part, settings), settings, at, graceOf(settings, c.who.kind), currency));
    item.heldDevices = c.units.size();
    item.heldGpus = 0;
    for (const IdleUnit &u : c.units)
        item.heldGpus += u.fraction;
}

void sortByCost(std::vector<IdleItem> &items)
{
    std::sort(items.begin(), items.end(), [](const IdleItem &a, const IdleItem &b) {
        const auto rank = [](const IdleItem &i) {
            return std::tuple(i.perMonth ? -i.perMonth->nanos() : 0, -i.gpus, std::string_view(i.id));
        };
        return rank(a) < rank(b);
    });
}

// Facts that are read once for the whole list.
struct Surroundings {
    std::map<base::DeviceId, std::int64_t> memoryMib;
    model::CostTerms terms;
};

Result<Surroundings> surroundingsOf(const std::vector<IdleCandidate> &candidates, store::AttributionReader &facts,
                                    base::UtcTime at, const TermsOf &terms)
{
    Surroundings out;
    std::vector<model::PlacedDevice> held;
    bool sizesMatter = false;
    for (const IdleCandidate &c : candidates) {
        sizesMatter = sizesMatter || dependsOnSize(c);
        for (const IdleUnit &u : c.units)
            held.push_back({u.device, c.who.cluster, u.node});
    }
    if (sizesMatter && facts.facts()) {
        const auto devices = facts.facts()->devices();
        GPULEDGER_TRY(devices);
        for (const model::Device &device : *devices)
            out.memoryMib[device.id] = device.memoryMib;
    }
    if (terms && !held.empty()) {
        auto told = terms(held, at);
        GPULEDGER_TRY(told);
        out.terms = std::move(*told);
    }
    return out;
}

} // namespace

Result<IdleList> idleAt(store::AttributionReader &facts, base::UtcTime at, const Filter &filter,
                        const model::IdleSettings &configured, base::Currency currency, const TermsOf &terms)
{
    IdleList out;
    out.at = base::floorTo(at, base::kBucket);
    auto rule = idleRuleAt(facts, out.at, configured);
    GPULEDGER_TRY(rule);
    const model::IdleSettings &settings = rule->settings;
    const GapCurves curves(rule->past);
    out.threshold = settings.threshold;
    out.grace = rule->grace;
    auto candidates = findIdleCandidates(facts, out.at, {}, settings);
    GPULEDGER_TRY(candidates);
    auto signals = SignalReader::create(facts, out.at);
    GPULEDGER_TRY(signals);
    const auto stoppable = stoppableNames(*candidates, settings, *signals); // whatever the filter
    GPULEDGER_TRY(stoppable);
    GPULEDGER_TRY(keepMatching(*candidates, facts, filter));
    const auto around = surroundingsOf(*candidates, facts, out.at, terms);
    GPULEDGER_TRY(around);
    std::vector<const IdleCandidate *> listed; // of the items
    for (const IdleCandidate &c : *candidates) {
        const Seconds grace = graceOf(settings, c.who.kind);
        const Judgement j = judge(c, settings);
        if (j.active) {
            addPartly(out.partly, c, settings, out.at, currency);
            continue;
        }
        const auto input = signals->of(c);
        GPULEDGER_TRY(input);
        if (input->showsService(c.who.kind))
            continue;
        if (j.unknown) {
            out.unknown.push_back(unknownItem(c, j, settings, grace));
            continue;
        }
        listed.push_back(&c);
        out.items.push_back(idleItem(c, j, settings, out.at, grace, currency));
        addSignals(out.items.back().signals, *input, grace);
        out.items.back().cause = causeOf(c, around->memoryMib, *input);
        addTerms(out.items.back(), c, around->terms);
        addChance(out.items.back(), c, curves, out.at);
    }
    GPULEDGER_TRY(limitToMachines(out.items, {listed, *stoppable, around->terms, out.at}, facts));
    sortByCost(out.items);
    sortByCost(out.partly);
    std::sort(out.unknown.begin(), out.unknown.end(),
              [](const UnknownItem &a, const UnknownItem &b) { return a.id < b.id; });
    return out;
}

std::string idleIdOf(const model::AttributedHolder &who)
{
    return idOf(who);
}

} // namespace gpuledger::insight
