// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/bills/billedhours.h"

#include "app/base/text/text.h"
#include "app/base/time/gputime.h"

#include <algorithm>

namespace gpuledger::ledger {

namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kTicksOfDay = 86400 * base::GpuTime::kTicksPerSecond;
constexpr std::int64_t kRoundedHours = 50; // differences up to 1/50 are ignored
constexpr std::int64_t kMostTicksOfMachine = kTicksOfDay + kTicksOfDay / kRoundedHours;
constexpr std::int64_t kMostGpus = 16; // of one machine, where only its GPU-hours are known
constexpr Wide kLargest = Wide{1} << 50; // a sum of thousands of lines still fits
constexpr std::int64_t kMostSum = std::int64_t{1} << 60;

std::string meterOf(const store::BilledItem &billed)
{
    const model::BillLine &line = *billed.line;
    std::string meter;
    for (const std::string *part : {&billed.source, &line.product.publisher, &line.product.serviceName,
                                    &line.product.skuId, &line.product.skuMeter})
        meter += *part + '\n';
    if (line.product.skuId.empty() && line.product.skuMeter.empty())
        meter += line.description + '\n' + line.resource.type;
    return meter;
}

// Google Cloud bills processors, memory and GPUs apart, in hours of each.
bool isGoogle(const BillItem &item)
{
    return item.cloud == "gcp"; // allowed: a cloud
}

bool namesGpus(const store::BilledItem &billed, const BillItem &item)
{
    const model::BillLine &line = *billed.line;
    return isGoogle(item) ? lowerCase(line.product.skuMeter).find(" gpu") != std::string::npos
            || lowerCase(line.description).find(" gpu") != std::string::npos
                          : item.isGpuMachine();
}

// Of a machine; 0: unknown. Where the SKU and its type disagree, the smaller number is safe.
std::int64_t gpusOf(const BillItem &item)
{
    const std::int64_t listed = item.machine && item.machine->wholeGpus ? item.machine->devices : 0;
    return item.gpus > 0 && listed > 0 ? std::min(item.gpus, listed) : std::max(item.gpus, listed);
}

// Whether the time of a line that names neither a type nor GPUs is that of machines. Only the larger clouds certainly
// count machines.
bool countsMachines(const BillItem &item)
{
    return item.machine || item.cloud == "aws" || item.cloud == "azure"; // allowed: clouds
}

void addCapped(std::int64_t &sum, std::int64_t ticks)
{
    sum = std::clamp(sum + ticks, -kMostSum, kMostSum);
}

} // namespace

BilledHours::BilledHours(const std::vector<NodeDay> &nodes)
    : m_nodes(nodes)
{
    for (const NodeDay &node : nodes) {
        for (const auto &[device, ticks] : node.devices) {
            std::int64_t &sum = m_devices[device];
            sum = std::min(sum + ticks, kTicksOfDay);
        }
    }
}

// A correction replaces hours that a refund took back. One that comes alone may be of the price, so it adds none.
std::optional<BilledHours::Time> BilledHours::Meter::net() const
{
    const auto of = [](std::int64_t all, std::int64_t back, std::int64_t again) {
        return all - back + std::min(back, again);
    };
    const Time time{of(regular.machine, refunded.machine, corrected.machine),
                    of(regular.gpus, refunded.gpus, corrected.gpus)};
    return isDoubtful || time.machine < 0 || time.gpus < 0 ? std::nullopt : std::optional(time);
}

// The distinct positions of the devices in each of the nodes; 0: unknown, or not the same number in all. A device that
// replaces another one takes its position.
std::int64_t BilledHours::positionsOf(const std::vector<std::size_t> &nodes) const
{
    std::int64_t count = 0;
    for (const std::size_t node : nodes) {
        const NodeDay &day = m_nodes[node];
        const bool isKnown = day.devices.size() == 1 || !day.positions.contains(-1);
        const std::int64_t here = isKnown ? std::ssize(day.positions) : 0;
        if (here == 0 || (count > 0 && here != count))
            return 0;
        count = here;
    }
    return count;
}

std::optional<BilledHours::Time> BilledHours::timeOf(const store::BilledItem &billed, const BillItem &item,
                                                     const std::vector<std::size_t> &nodes) const
{
    if (!billed.quantity || *billed.quantity == 0 || item.secondsPerUnit == 0)
        return std::nullopt;
    const Wide time =
        static_cast<Wide>(*billed.quantity) * item.secondsPerUnit * base::GpuTime::kTicksPerSecond / 1'000'000;
    if (time >= kLargest || time <= -kLargest)
        return std::nullopt;
    const bool isOfGpus = isGoogle(item) || (item.gpus == 1 && !item.machine);
    if (isGoogle(item) && !namesGpus(billed, item))
        return std::nullopt;
    const std::int64_t positions = positionsOf(nodes);
    if (!isOfGpus && gpusOf(item) == 0 && !countsMachines(item) && positions != 1)
        return std::nullopt;
    const std::int64_t gpus = isOfGpus ? 1 : gpusOf(item) > 0 ? gpusOf(item) : positions;
    const Wide ofGpus = time * gpus; // both factors are below 2^63
    if (gpus == 0 || ofGpus >= kLargest || ofGpus <= -kLargest)
        return std::nullopt;
    // Of GPUs alone, the machine's time is at least that of all the GPUs that one can have.
    const std::int64_t most = item.machine && gpusOf(item) > 0 ? gpusOf(item) : kMostGpus;
    const Wide ofMachine = isOfGpus ? time / most : time;
    return Time{static_cast<std::int64_t>(ofMachine), static_cast<std::int64_t>(ofGpus)};
}

void BilledHours::add(const store::BilledItem &billed, const BillItem &item, const BillMatch::Found &found,
                      bool isRefund)
{
    const auto [set, isNew] = m_sets.try_emplace(Key(found.isGroup, found.nodes));
    if (isNew) {
        for (const std::size_t node : found.nodes)
            ++m_count[node];
    }
    Meter &meter = set->second.meters[meterOf(billed)];
    meter.source = billed.source;
    if (item.machine)
        meter.type = std::max(meter.type, item.machine->instanceType); // in whatever order lines come
    meter.namesGpus = meter.namesGpus || namesGpus(billed, item);
    const auto time = timeOf(billed, item, found.nodes);
    if (!time) {
        meter.isDoubtful = meter.isDoubtful || isRefund;
        return;
    }
    const bool takesBack = isRefund || time->gpus < 0;
    const bool isCorrection = billed.line->chargeClass == model::ChargeClass::Correction;
    Time &sum = takesBack ? meter.refunded : isCorrection ? meter.corrected : meter.regular;
    addCapped(sum.machine, std::abs(time->machine));
    addCapped(sum.gpus, std::abs(time->gpus));
}

// False if its time is none or not certain.
bool BilledHours::take(Paid &paid, const Meters::value_type &meter)
{
    const auto time = meter.second.net();
    if (!time || time->gpus == 0)
        return false;
    paid.meters.insert(meter.first);
    addCapped(paid.time.machine, time->machine);
    addCapped(paid.time.gpus, time->gpus);
    addCapped(paid.charged, meter.second.regular.gpus + meter.second.corrected.gpus);
    return true;
}

// By the meters of one source that name GPU machines or GPUs.
std::optional<BilledHours::Paid> BilledHours::paidTo(const Meters &meters, const std::string &source, bool isGroup)
{
    std::map<std::string, Paid> longest; // by type
    for (const auto &meter : meters) {
        Paid one;
        if (meter.second.source != source || !meter.second.namesGpus || !take(one, meter))
            continue;
        if (!isGroup && one.time.machine > kMostTicksOfMachine)
            continue;
        Paid &best = longest[meter.second.type];
        if (one.time.gpus > best.time.gpus)
            best = std::move(one);
    }
    std::optional<Paid> sum, best;
    int types = 0;
    for (const auto &[type, paid] : longest) {
        if (!best || paid.time.gpus > best->time.gpus)
            best = paid;
        if (type.empty())
            continue;
        ++types;
        sum = sum.value_or(Paid());
        sum->meters.insert(paid.meters.begin(), paid.meters.end());
        addCapped(sum->time.machine, paid.time.machine);
        addCapped(sum->time.gpus, paid.time.gpus);
        addCapped(sum->charged, paid.charged);
    }
    if (types < 2 || isGroup)
        return best;
    return sum->time.machine > kMostTicksOfMachine ? std::nullopt : sum;
}

// Some of them may count processors.
std::optional<BilledHours::Paid> BilledHours::shortestOf(const Meters &meters)
{
    std::optional<Paid> best;
    for (const auto &meter : meters) {
        Paid one;
        if (take(one, meter) && one.time.machine <= kMostTicksOfMachine && (!best || one.time.gpus < best->time.gpus))
            best = std::move(one);
    }
    return best;
}

std::optional<BilledHours::Paid> BilledHours::paidOf(const Meters &meters, bool isGroup)
{
    std::set<std::string> sources;
    for (const auto &[name, meter] : meters) {
        if (!meter.net())
            return std::nullopt;
        if (meter.namesGpus)
            sources.insert(meter.source);
    }
    if (sources.empty())
        return isGroup ? std::nullopt : shortestOf(meters);
    std::optional<Paid> best;
    for (const std::string &source : sources) {
        auto paid = paidTo(meters, source, isGroup);
        if (paid && (!best || paid->time.gpus > best->time.gpus))
            best = std::move(paid);
    }
    return best;
}

std::int64_t BilledHours::seenOf(const std::vector<std::size_t> &nodes) const
{
    std::set<std::int64_t> devices;
    for (const std::size_t node : nodes) {
        for (const auto &[device, ticks] : m_nodes[node].devices)
            devices.insert(device);
    }
    std::int64_t sum = 0;
    for (const std::int64_t device : devices)
        sum += m_devices.at(device);
    return sum;
}

std::optional<BilledHours::Split> BilledHours::decide(const Key &key, Set &set) const
{
    const bool isAlone =
        std::all_of(key.second.begin(), key.second.end(), [&](std::size_t node) { return m_count.at(node) == 1; });
    auto paid = isAlone ? paidOf(set.meters, key.first) : std::nullopt; // else also billed as part of a group
    if (!paid)
        return std::nullopt;
    set.paid = std::move(*paid);
    const std::int64_t seen = seenOf(key.second), time = set.paid.time.gpus;
    return seen > 0 && time > seen + seen / kRoundedHours ? std::optional(Split{seen, time - seen}) : std::nullopt;
}

std::optional<BilledHours::Split> BilledHours::splitOf(const BillMatch::Found &found)
{
    const auto it = m_sets.find(Key(found.isGroup, found.nodes));
    if (it == m_sets.end())
        return std::nullopt;
    Set &set = it->second;
    if (!set.isDecided)
        set.split = decide(it->first, set);
    set.isDecided = true;
    return set.split;
}

std::int64_t BilledHours::restOf(const store::BilledItem &billed, const BillItem &item, const BillMatch::Found &found)
{
    const auto split = splitOf(found);
    const auto time = timeOf(billed, item, found.nodes);
    if (!split || !time || time->gpus <= 0)
        return 0;
    const Paid &paid = m_sets.at(Key(found.isGroup, found.nodes)).paid;
    if (!paid.meters.contains(meterOf(billed)))
        return 0;
    return static_cast<std::int64_t>(static_cast<Wide>(time->gpus) * split->rest / paid.charged);
}

} // namespace gpuledger::ledger
