// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/proof/blockedproof.h"

#include "app/base/text/text.h"
#include "app/insight/proof/usagerows.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace gpuledger::insight {

using base::Result;

namespace {

// What the facts say of the devices of some items in the bucket before the instant.
struct BlockedFacts {
    bool isFree = true; // all of their parts are unallocated
    std::int64_t ticks = 0;
    std::optional<std::int64_t> nanosPerHour{0}; // null: a part has no price
    std::size_t waits = 0; // pods that the items name and that the facts have
};

using Items = std::vector<const BlockedItem *>;

FigureValue blockedMoney(std::optional<std::int64_t> nanos, base::Currency currency)
{
    return nanos ? FigureValue::of(base::Money(*nanos, currency)) : FigureValue{};
}

FigureValue countOf(std::size_t pods)
{
    return FigureValue::of(static_cast<double>(pods), "pods");
}

bool isIn(const Items &items, const model::DeviceAttribution &device, std::int16_t slice)
{
    const std::string name = slice < 0
        ? device.device->uuid
        : device.device->uuid + ':' + device.device->slices[static_cast<std::size_t>(slice)].gpuInstance;
    return std::any_of(items.begin(), items.end(), [&](const BlockedItem *item) {
        return item->cluster == device.device->cluster
            && std::find(item->devices.begin(), item->devices.end(), name) != item->devices.end();
    });
}

// The hourly price is rounded once for each part of a device, as in the list.
Result<void> addDevice(BlockedFacts &out, const model::DeviceAttribution &device, const Items &items,
                       base::TimeRange bucket, UsageRows &rows)
{
    std::map<std::int16_t, std::int64_t> ticks;
    for (const model::UsagePart &part : device.parts) {
        if (device.day.start() + part.bucket * base::kBucket != bucket.start || !isIn(items, device, part.slice))
            continue;
        out.isFree = out.isFree && part.state == model::GpuState::Unallocated;
        ticks[part.slice] += part.ticks;
        rows.add(device, part);
    }
    for (const auto &[slice, amount] : ticks) {
        out.ticks += amount;
        if (!device.priced || !out.nanosPerHour) {
            out.nanosPerHour.reset();
            continue;
        }
        const auto hour = device.rate.times(base::GpuTime{amount * (3600 / base::kBucket.count())});
        GPULEDGER_TRY(hour);
        *out.nanosPerHour += hour->nanos();
    }
    return {};
}

std::set<std::tuple<std::string, std::string, std::string, std::string>> podsOf(const std::vector<model::PastWait> &all,
                                                                                base::TimeRange bucket)
{
    std::set<std::tuple<std::string, std::string, std::string, std::string>> pods;
    for (const model::PastWait &wait : all) {
        if (wait.range.start < bucket.end && wait.range.end > bucket.start)
            pods.emplace(wait.cluster, wait.nameSpace, wait.name, wait.uid);
    }
    return pods;
}

std::vector<model::PastWait> waitsOfItems(const Items &items)
{
    std::vector<model::PastWait> all;
    for (const BlockedItem *item : items)
        all.insert(all.end(), item->waits.begin(), item->waits.end());
    return all;
}

Result<BlockedFacts> readFacts(store::AttributionReader &facts, const Items &items, base::TimeRange bucket,
                               UsageRows &rows)
{
    BlockedFacts out;
    const base::Day day = base::dayOf(bucket.start);
    GPULEDGER_TRY(facts.walk(day, day, {}, [&](const model::DeviceAttribution &device) -> Result<void> {
        return addDevice(out, device, items, bucket, rows);
    }));
    const auto past = facts.facts()->pastWaiting(bucket);
    GPULEDGER_TRY(past);
    const auto stored = podsOf(past->waits, bucket);
    for (const auto &pod : podsOf(waitsOfItems(items), bucket))
        out.waits += stored.count(pod);
    return out;
}

tl::unexpected<base::Error> notBlocked(const Figure &figure)
{
    return base::fail(base::ErrorCode::NotFound,
                      "no GPU with the id \"" + base::printable(figure.item, 128) + "\" is blocked at "
                          + base::toRfc3339(figure.at) + ", or it has no figure " + figure.measure,
                      "see what is blocked at that time with: gpuledger-cli idle --at " + base::toRfc3339(figure.at));
}

std::optional<std::int64_t> monthlyNanos(std::optional<std::int64_t> perHour)
{
    std::int64_t month = 0;
    const bool fits = perHour && !__builtin_mul_overflow(*perHour, kIdleHoursPerMonth, &month);
    return fits ? std::optional(month) : std::nullopt;
}

} // namespace

Figure blockedFigure(const BlockedList &list, const BlockedItem *item, std::string_view measure)
{
    return idleFigure(list.at, std::string(kBlockedItem) + (item ? item->id : std::string()), measure);
}

Result<Proof> blockedProof(store::AttributionReader &facts, const Figure &figure, base::Currency currency)
{
    const auto list = blockedAt(facts, figure.at, {}, currency);
    GPULEDGER_TRY(list);
    const std::string id = figure.item.substr(kBlockedItem.size());
    const bool isSum = id.empty(), isRate = figure.measure == "rate-per-hour";
    Items items;
    std::int64_t hour = 0;
    bool isPriced = true;
    double gpus = 0;
    for (const BlockedItem &item : list->items) {
        if (isSum ? !item.perMonth : item.id != id) // the sum is of those with a price
            continue;
        items.push_back(&item);
        gpus += item.gpus;
        isPriced = isPriced && item.ratePerHour && !__builtin_add_overflow(hour, item.ratePerHour->nanos(), &hour);
    }
    if (items.empty() || (isRate ? isSum : figure.measure != "per-month"))
        return notBlocked(figure);
    Proof proof;
    proof.figure = figure;
    proof.shownFrom = proof.recomputedFrom = "waiting_span, waiting_known, usage_day, holder, holder_span, placement,"
                                             " device, node";
    UsageRows rows(store::Measure::ActivityTicks, store::Measure::ActiveTicks, currency);
    const base::TimeRange bucket{list->at - base::kBucket, list->at};
    const auto anew = readFacts(facts, items, bucket, rows);
    GPULEDGER_TRY(anew);
    const std::optional<std::int64_t> shownHour = isPriced ? std::optional(hour) : std::nullopt;
    proof.inputs.push_back(
        {"rate-per-hour", blockedMoney(shownHour, currency), blockedMoney(anew->nanosPerHour, currency)});
    const std::optional<std::int64_t> shownMonth = isSum ? list->sum.perMonth : monthlyNanos(shownHour);
    proof.inputs.push_back(
        {"per-month", blockedMoney(shownMonth, currency), blockedMoney(monthlyNanos(anew->nanosPerHour), currency)});
    proof.inputs.push_back(
        {"pods that waited", countOf(podsOf(waitsOfItems(items), bucket).size()), countOf(anew->waits)});
    proof.shown = proof.inputs[isRate ? 0 : 1].shown;
    proof.recomputed = proof.inputs[isRate ? 0 : 1].recomputed;
    constexpr double kBucketTicks = static_cast<double>(base::GpuTime::wholeDevice(base::kBucket).ticks);
    proof.agrees = anew->isFree && gpus * kBucketTicks > static_cast<double>(anew->ticks) - 0.5
        && gpus * kBucketTicks < static_cast<double>(anew->ticks) + 0.5
        && std::all_of(proof.inputs.begin(), proof.inputs.end(),
                       [](const ProofInput &input) { return input.shown == input.recomputed; });
    rows.moveTo(proof);
    return proof;
}

} // namespace gpuledger::insight
