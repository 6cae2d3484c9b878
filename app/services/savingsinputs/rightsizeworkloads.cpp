// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/rightsizeworkloads.h"

#include "app/insight/query/measuresums.h"
#include "app/services/savingsinputs/rightsizelisted.h"
#include "app/services/savingsinputs/rightsizemachine.h"
#include "app/services/savingsinputs/schedule/schedulefacts.h"
#include "app/services/savingsinputs/spot/spotfacts.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace gpuledger::services {

using model::WorkloadKind;
using savings::RightSizeWorkload;

namespace {

bool addWorkloadNanos(std::int64_t &sum, std::int64_t amount)
{
    return !__builtin_add_overflow(sum, amount, &sum);
}

void addDevices(std::vector<base::DeviceId> &to, const std::vector<base::DeviceId> &more)
{
    for (const base::DeviceId device : more) {
        const auto at = std::lower_bound(to.begin(), to.end(), device);
        if (at == to.end() || *at != device)
            to.insert(at, device);
    }
}

std::string workloadTarget(const model::AttributedHolder &who)
{
    return insight::workloadName(who.nameSpace, who.ownerKind, who.ownerName, who.name, who.what);
}

savings::WorkTier tierOf(const model::AttributedHolder &who)
{
    if (who.kind == WorkloadKind::Training || who.kind == WorkloadKind::Batch)
        return savings::WorkTier::Batch;
    return schedulableAs(who) ? savings::WorkTier::Development : savings::WorkTier::Production;
}

// Grows by a quarter, because most of these vectors end with the range.
savings::RightSizeHour &workloadHour(std::vector<savings::RightSizeHour> &hours, std::int32_t hour)
{
    constexpr std::size_t kFirstHours = 24;
    auto at = std::lower_bound(hours.begin(), hours.end(), hour,
                               [](const savings::RightSizeHour &one, std::int32_t h) { return one.hour < h; });
    if (at != hours.end() && at->hour == hour)
        return *at;
    const auto before = at - hours.begin();
    if (hours.size() == hours.capacity())
        hours.reserve(hours.size() + std::max(kFirstHours, hours.size() / 4));
    at = hours.insert(hours.begin() + before, savings::RightSizeHour{});
    at->hour = hour;
    return *at;
}

} // namespace

void SizedWorkloads::addRecent(const model::AttributedHolder &who)
{
    const std::string target = workloadTarget(who);
    if (!m_recent.insert(savings::rightSizeName(who.cluster, target)).second)
        return;
    const std::string_view series = seriesTarget(target, who.ownerKind, who.ownerName);
    const auto [at, isNew] =
        m_seriesOf.try_emplace(savings::rightSizeName(who.cluster, series), static_cast<std::int32_t>(m_series.size()));
    if (isNew)
        m_series.emplace_back();
}

// Most workloads of a long past are left out: what decides that comes first.
std::int32_t SizedWorkloads::indexOf(const model::AttributedHolder &who)
{
    std::string target = workloadTarget(who);
    const std::uint64_t hash = savings::rightSizeName(who.cluster, target);
    const std::int32_t series = indexOfSeries(target, who);
    if (m_onlyRecent && series < 0 && !m_recent.contains(hash))
        return kLeftOut;
    const auto found = findIn(hash, who.cluster, target);
    const std::int32_t index =
        found != m_index.end() ? found->second : add(hash, series, who.cluster, std::move(target));
    describe(index, who);
    return index;
}

void SizedWorkloads::describe(std::int32_t index, const model::AttributedHolder &who)
{
    RightSizeWorkload &one = at(index);
    one.owner = who.team;
    one.nameSpace = who.nameSpace;
    one.controllerKind = who.ownerKind;
    one.controllerName = who.ownerName;
    one.pod = who.what == model::SubjectKind::Pod;
    one.tier = tierOf(who);
    one.training = who.kind == WorkloadKind::Training;
    one.inference = who.kind == WorkloadKind::Inference || who.kind == WorkloadKind::Unknown;
}

SizedWorkloads::Index::iterator SizedWorkloads::findIn(std::uint64_t hash, const std::string &cluster,
                                                       const std::string &target)
{
    const auto [first, end] = m_index.equal_range(hash);
    const auto found = std::find_if(first, end, [&](const auto &one) {
        const RightSizeWorkload &out = m_all[static_cast<std::size_t>(one.second)]->out;
        return out.target == target && out.cluster == cluster;
    });
    return found == end ? m_index.end() : found;
}

std::int32_t SizedWorkloads::indexOfSeries(const std::string &target, const model::AttributedHolder &who) const
{
    if (m_seriesOf.empty())
        return -1;
    const auto series =
        m_seriesOf.find(savings::rightSizeName(who.cluster, seriesTarget(target, who.ownerKind, who.ownerName)));
    return series == m_seriesOf.end() ? -1 : series->second;
}

std::int32_t SizedWorkloads::add(std::uint64_t hash, std::int32_t series, const std::string &cluster,
                                 std::string target)
{
    auto entry = std::make_unique<Entry>();
    auto index = static_cast<std::int32_t>(m_all.size());
    entry->out.target = std::move(target);
    entry->out.cluster = cluster;
    entry->recent = !m_onlyRecent || m_recent.contains(hash);
    entry->series = series;
    if (m_onlyRecent) {
        // One that comes back has its place among the others, and what was known of its machines.
        const auto known = std::lower_bound(m_earlier.begin(), m_earlier.end(), Earlier{hash, 0, 0});
        if (known != m_earlier.end() && known->name == hash) {
            const RightSizeWorkload &sum = m_sums[static_cast<std::size_t>(known->sum)]->out;
            index = known->index;
            entry->placed = true;
            entry->out.gpu = sum.gpu;
            entry->out.market = sum.market;
            entry->out.machine = sum.machine;
            entry->out.severalModels = sum.severalModels;
            entry->out.severalMarkets = sum.severalMarkets;
        } else if (entry->series >= 0) {
            Series &one = m_series[static_cast<std::size_t>(entry->series)];
            one.first = one.first < 0 ? index : one.first;
            one.last = index;
        }
        if (!entry->recent)
            m_open.push_back(index);
    }
    if (static_cast<std::size_t>(index) == m_all.size())
        m_all.push_back(std::move(entry));
    else
        m_all[static_cast<std::size_t>(index)] = std::move(entry);
    m_index.emplace(hash, index);
    return index;
}

void SizedWorkloads::place(std::int32_t index, const SizedMachine &machine, std::int32_t gpu)
{
    Entry &entry = *m_all[static_cast<std::size_t>(index)];
    RightSizeWorkload &one = entry.out;
    if (!std::exchange(entry.placed, true)) {
        one.gpu = gpu;
        one.market = machine.market;
        one.machine = machine.type;
        return;
    }
    one.severalModels = one.severalModels || one.gpu != gpu;
    one.severalMarkets = one.severalMarkets || one.market != machine.market;
    if (one.machine != machine.type)
        one.machine.clear();
}

bool SizedWorkloads::addHour(std::int32_t index, std::int32_t hour, std::int64_t seconds, const SizedMachine &machine,
                             std::int64_t cost, std::int64_t base)
{
    Entry &entry = *m_all[static_cast<std::size_t>(index)];
    addDevices(entry.devices, machine.devices);
    bool fits = true;
    if (!machine.spot) {
        entry.out.ownSeconds += seconds;
        fits = addWorkloadNanos(entry.out.ownCost, cost) && addWorkloadNanos(entry.out.ownBase, base);
    }
    if (!entry.recent)
        return fits;
    savings::RightSizeHour &out = workloadHour(entry.out.hours, hour);
    const std::int64_t sum = out.machineSeconds + seconds;
    fits = sum <= std::numeric_limits<std::int32_t>::max() && fits;
    out.machineSeconds = static_cast<std::int32_t>(sum);
    return addWorkloadNanos(out.cost, cost) && addWorkloadNanos(out.base, base) && fits;
}

void SizedWorkloads::endDay()
{
    std::vector<std::int32_t> open;
    const std::size_t known = m_earlier.size();
    std::vector<Earlier> before = std::move(m_earlier);
    m_earlier.clear();
    for (const std::int32_t index : m_open)
        endEntry(index, open);
    m_open = std::move(open);
    // One that came back is among them already, with the sum that fits what is known now.
    std::sort(m_earlier.begin(), m_earlier.end());
    std::vector<Earlier> all;
    all.reserve(known + m_earlier.size());
    std::set_union(m_earlier.begin(), m_earlier.end(), before.begin(), before.end(), std::back_inserter(all));
    m_earlier = std::move(all);
}

void SizedWorkloads::endEntry(std::int32_t index, std::vector<std::int32_t> &open)
{
    Entry &entry = *m_all[static_cast<std::size_t>(index)];
    const auto place = findIn(savings::rightSizeName(entry.out.cluster, entry.out.target), entry.out.cluster,
                              entry.out.target); // what becomes a sum loses its name
    const Series &series = m_series[static_cast<std::size_t>(entry.series)];
    entry.out.loads.clear();
    if (index == series.first || index == series.last) {
        open.push_back(index);
        return;
    }
    addToSum(entry, index);
    m_index.erase(place);
    m_all[static_cast<std::size_t>(index)].reset();
}

void SizedWorkloads::addToSum(Entry &from, std::int32_t index)
{
    const RightSizeWorkload &one = from.out;
    const auto [at, isNew] =
        m_sumOf.try_emplace(Place(from.series, one.gpu, one.market, one.machine, one.severalModels, one.severalMarkets),
                            static_cast<std::int32_t>(m_sums.size()));
    m_earlier.push_back({savings::rightSizeName(one.cluster, one.target), index, at->second});
    if (isNew) {
        m_sums.push_back(std::make_unique<Entry>(std::move(from)));
        m_sums.back()->out.owner.clear();
        return;
    }
    Entry &to = *m_sums[static_cast<std::size_t>(at->second)];
    to.out.firstHour = std::min(to.out.firstHour, one.firstHour);
    to.out.lastHour = std::max(to.out.lastHour, one.lastHour);
    for (const auto member : {&RightSizeWorkload::held, &RightSizeWorkload::sunk, &RightSizeWorkload::shared,
                              &RightSizeWorkload::unknown, &RightSizeWorkload::unpriced, &RightSizeWorkload::spot})
        to.out.*member += one.*member;
    to.out.ownSeconds += one.ownSeconds;
    for (const auto member : {&RightSizeWorkload::cost, &RightSizeWorkload::ownCost, &RightSizeWorkload::ownBase})
        m_fits = addWorkloadNanos(to.out.*member, one.*member) && m_fits;
    addDevices(to.devices, from.devices);
}

// Before anything is moved, so that the past never has what it has no use for.
void SizedWorkloads::dropUnlisted(savings::RightSizePast &past)
{
    ListedWorkloads listed(past.hours, m_series.size());
    for (const auto *all : {&m_all, &m_sums}) {
        for (const auto &entry : *all) {
            if (entry)
                listed.add(entry->out, entry->series);
        }
    }
    listed.choose();
    for (auto &entry : m_all) {
        if (!entry || listed.has(entry->out, entry->series))
            continue;
        if (const auto work = savings::sliceWorkOf(past, entry->out))
            past.sliceWork[{entry->out.cluster, entry->out.gpu}].push_back(*work);
        entry.reset();
    }
    std::erase_if(m_sums, [&](const auto &entry) { return !listed.has(entry->out, entry->series); });
}

bool SizedWorkloads::take(savings::RightSizePast &past)
{
    m_index.clear();
    if (m_onlyRecent)
        dropUnlisted(past);
    past.workloads.reserve(past.workloads.size() + m_all.size()
                           - static_cast<std::size_t>(std::count(m_all.begin(), m_all.end(), nullptr)));
    for (auto &entry : m_all) {
        if (entry) {
            entry->out.id = "right-size:" + entry->out.cluster + "/" + entry->out.target;
            finish(*entry, past.workloads);
        }
        entry.reset();
    }
    for (auto &entry : m_sums)
        finish(*entry, past.earlier);
    past.earlierNames.reserve(m_earlier.size());
    for (const Earlier &one : m_earlier)
        past.earlierNames.push_back(one.name);
    return m_fits;
}

void SizedWorkloads::finish(Entry &from, std::vector<RightSizeWorkload> &to)
{
    from.out.resources.reserve(from.devices.size());
    for (const base::DeviceId device : from.devices)
        from.out.resources.push_back(std::to_string(device.value));
    to.push_back(std::move(from.out));
}

} // namespace gpuledger::services
