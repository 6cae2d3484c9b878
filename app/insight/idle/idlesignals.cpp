// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/idlesignals.h"

#include "app/insight/idle/idle.h"

#include <algorithm>

namespace gpuledger::insight {

using base::Result;
using base::Seconds;
using base::UtcTime;
using model::HourSignal;
using model::SignalHour;

namespace {

constexpr std::int64_t kHourSeconds = 3600;
constexpr std::int64_t kLeastKnownSeconds = 900; // a shorter time shows nothing

UtcTime hourStart(const SignalHour &hour)
{
    return base::fromUnix(hour.hour * kHourSeconds);
}

UtcTime hourEnd(const SignalHour &hour)
{
    return hourStart(hour) + Seconds{hour.seconds};
}

std::int64_t hourNumber(UtcTime time)
{
    return base::toUnix(base::floorTo(time, Seconds{kHourSeconds})) / kHourSeconds;
}

bool reaches(const std::optional<double> &value, double limit)
{
    return value && *value >= limit;
}

bool saysWaiting(IdleSignal::Kind kind)
{
    using Kind = IdleSignal::Kind;
    return kind == Kind::StorageWait || kind == Kind::IoWait || kind == Kind::HostCpu || kind == Kind::PcieTraffic
        || kind == Kind::MemoryCopies;
}

} // namespace

bool InputSignals::showsWaiting() const
{
    if (requests && *requests == 0)
        return false;
    return reaches(storageWait, kMuchStorageWait) || reaches(ioWait, kMuchIoWait) || reaches(hostCpu, kBusyHost)
        || reaches(pcieBytes, kBusyBytes) || reaches(copies, kBusyCopies);
}

bool InputSignals::showsService(model::WorkloadKind kind) const
{
    return kind == model::WorkloadKind::Inference && requests && *requests > 0;
}

void addSignals(std::vector<IdleSignal> &signals, const InputSignals &input, Seconds grace)
{
    using Kind = IdleSignal::Kind;
    const auto add = [&](Kind kind, const std::optional<double> &value, double limit) {
        if (value)
            signals.push_back({*value < limit, kind, *value, limit, grace});
    };
    add(Kind::StorageWait, input.storageWait, kMuchStorageWait);
    add(Kind::IoWait, input.ioWait, kMuchIoWait);
    add(Kind::HostCpu, input.hostCpu, kBusyHost);
    add(Kind::PcieTraffic, input.pcieBytes, kBusyBytes);
    add(Kind::MemoryCopies, input.copies, kBusyCopies);
    add(Kind::NvlinkTraffic, input.nvlinkBytes, kBusyBytes);
    if (input.requests)
        signals.push_back({*input.requests == 0, *input.requests == 0 ? Kind::NoRequests : Kind::RequestsServed,
                           *input.requests, 0, kRequestWindow});
}

const IdleSignal *waitingSignal(const std::vector<IdleSignal> &signals)
{
    const auto found = std::find_if(signals.begin(), signals.end(),
                                    [](const IdleSignal &s) { return !s.speaksForIdle && saysWaiting(s.kind); });
    return found == signals.end() ? nullptr : &*found;
}

Result<SignalReader> SignalReader::create(store::AttributionReader &facts, UtcTime at)
{
    SignalReader reader(at);
    store::FactReader *known = facts.facts();
    if (!known)
        return reader;
    const auto any = known->hasSignals();
    GPULEDGER_TRY(any);
    if (!*any)
        return reader;
    reader.m_facts = known;
    const auto nodes = known->nodesWithoutLabels();
    GPULEDGER_TRY(nodes);
    for (const model::Node &node : *nodes)
        reader.m_nodes[{node.cluster, node.name}] = node.id.value;
    auto requests = ServedRequests::create(known);
    GPULEDGER_TRY(requests);
    reader.m_requests = std::move(*requests);
    return reader;
}

// Only hours that lie within [since, at] count: part of another would be of another time.
Result<std::optional<double>> SignalReader::mean(HourSignal signal, std::int64_t of, UtcTime since)
{
    const auto hours = m_facts->signalHours(signal, of, hourNumber(since), hourNumber(m_at));
    GPULEDGER_TRY(hours);
    double sum = 0;
    std::int64_t seconds = 0;
    for (const SignalHour &hour : *hours) {
        if (hourStart(hour) < since || hourEnd(hour) > m_at)
            continue;
        sum += static_cast<double>(hour.value) * hour.seconds;
        seconds += hour.seconds;
    }
    if (seconds < kLeastKnownSeconds)
        return std::nullopt;
    const double scale = model::isShare(signal) ? static_cast<double>(model::kSignalShareScale) : 1;
    return sum / static_cast<double>(seconds) / scale;
}

Result<std::optional<double>> SignalReader::most(HourSignal signal, const std::set<std::int64_t> &of, UtcTime since)
{
    std::optional<double> highest;
    for (const std::int64_t one : of) {
        const auto value = mean(signal, one, since);
        GPULEDGER_TRY(value);
        if (!*value)
            return std::nullopt;
        highest = std::max(highest.value_or(**value), **value);
    }
    return highest;
}

// Empty if one of its hosts is not known or has another holder.
Result<std::set<std::int64_t>> SignalReader::ownHosts(const store::IdleCandidate &candidate)
{
    std::set<std::int64_t> hosts;
    const std::set<std::int64_t> own = m_requests.subjectsOf(candidate.who);
    for (const store::IdleUnit &unit : candidate.units) {
        const auto node = m_nodes.find({candidate.who.cluster, unit.node});
        if (own.empty() || node == m_nodes.end())
            return std::set<std::int64_t>{};
        hosts.insert(node->second);
    }
    if (!m_holdersOn) {
        const auto placements = m_facts->placements({m_at - base::kDay, m_at});
        GPULEDGER_TRY(placements);
        m_holdersOn.emplace();
        for (const store::Placement &placement : *placements) {
            if (placement.subject.value != 0)
                (*m_holdersOn)[placement.node.value].insert(placement.subject.value);
        }
    }
    for (const std::int64_t host : hosts) {
        const std::set<std::int64_t> &there = (*m_holdersOn)[host];
        if (there.empty() || !std::includes(own.begin(), own.end(), there.begin(), there.end()))
            return std::set<std::int64_t>{};
    }
    return hosts;
}

Result<InputSignals> SignalReader::of(const store::IdleCandidate &candidate)
{
    InputSignals out;
    if (!m_facts || candidate.units.empty())
        return out;
    const UtcTime since = std::max(candidate.since, m_at - base::kDay);
    std::set<std::int64_t> devices;
    bool slices = false;
    for (const store::IdleUnit &unit : candidate.units) {
        devices.insert(unit.device.value);
        slices = slices || !unit.gpuInstance.empty() || unit.fraction < 1 - 1e-9;
    }
    const auto hosts = ownHosts(candidate);
    GPULEDGER_TRY(hosts);
    struct Wanted {
        HourSignal signal;
        const std::set<std::int64_t> &of;
        std::optional<double> &to;
    };
    static const std::set<std::int64_t> kNothing; // others have parts of the device: whose traffic it was is not told
    const auto &own = slices ? kNothing : devices;
    for (const Wanted &wanted :
         {Wanted{HourSignal::PcieBytes, own, out.pcieBytes}, Wanted{HourSignal::NvlinkBytes, own, out.nvlinkBytes},
          Wanted{HourSignal::MemoryCopies, own, out.copies}, Wanted{HourSignal::HostCpu, *hosts, out.hostCpu},
          Wanted{HourSignal::HostIoWait, *hosts, out.ioWait},
          Wanted{HourSignal::StorageWait, *hosts, out.storageWait}}) {
        const auto value = most(wanted.signal, wanted.of, since);
        GPULEDGER_TRY(value);
        wanted.to = *value;
    }
    const auto served = m_requests.before(candidate.who, m_at);
    GPULEDGER_TRY(served);
    out.requests = *served;
    return out;
}

} // namespace gpuledger::insight
