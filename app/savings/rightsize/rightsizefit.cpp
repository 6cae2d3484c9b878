// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/rightsize/rightsizefit.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>

namespace gpuledger::savings {

namespace {

__extension__ using RightSizeWide = __int128;

// The smallest value at or below which `percent` of the time lies.
template <typename Value> std::int64_t loadQuantile(const RightSizeLoads &loads, int percent, const Value &valueOf)
{
    std::map<std::int64_t, RightSizeWide> byValue;
    RightSizeWide all = 0;
    for (const auto &[load, ticks] : loads) {
        byValue[valueOf(load)] += ticks;
        all += ticks;
    }
    RightSizeWide below = 0;
    for (const auto &[value, ticks] : byValue) {
        below += ticks;
        if (below * 100 >= all * percent)
            return value;
    }
    return 0;
}

// Compute capabilities are no ladder: features of data-centre GPUs (TMA multicast, large shared memory, tensor memory)
// are missing in workstation GPUs of a later number (CUDA C++ Programming Guide, Compute Capabilities).
bool hasCapability(int has, int needed)
{
    const int major = has / 10, neededMajor = needed / 10;
    if (major == 12 && (neededMajor == 9 || neededMajor == 10))
        return false;
    return has >= needed;
}

// "8.9" -> 89.
std::optional<int> capabilityOf(const std::string &text)
{
    const auto dot = text.find('.');
    int major = 0, minor = 0;
    if (dot == std::string::npos || std::from_chars(text.data(), text.data() + dot, major).ptr != text.data() + dot
        || std::from_chars(text.data() + dot + 1, text.data() + text.size(), minor).ptr != text.data() + text.size())
        return std::nullopt;
    return major * 10 + minor;
}

// Of the catalogue's models, those with an Arm host on board or sold with one alone (AWS g5g has T4G).
constexpr std::array<std::string_view, 4> kArmModels{"GH200", "GB200", "GB300", "T4G"};

bool isAtLeast(const std::optional<double> &has, const std::optional<double> &needed)
{
    return has && needed && *has >= *needed;
}

bool isSameGpu(const RightSizeGpu &a, const RightSizeGpu &b)
{
    return a.model == b.model;
}

// "2g.20gb" of a card; null for profiles with media engines, which are no larger.
std::optional<MigPart> partOf(const RightSizeGpu &card, const std::string &profile)
{
    int compute = 0, gigabytes = 0;
    const char *const end = profile.data() + profile.size();
    const auto first = std::from_chars(profile.data(), end, compute);
    if (first.ec != std::errc() || end - first.ptr < 3 || first.ptr[0] != 'g' || first.ptr[1] != '.')
        return std::nullopt;
    const auto second = std::from_chars(first.ptr + 2, end, gigabytes);
    if (second.ec != std::errc() || std::string(second.ptr, end) != "gb" || !card.slices || card.memoryMib <= 0)
        return std::nullopt;
    const int memorySlices = *card.slices == 7 ? 8 : *card.slices;
    const double share = static_cast<double>(gigabytes) * 1024 / static_cast<double>(card.memoryMib);
    return MigPart{profile, compute, std::max(1, static_cast<int>(std::lround(share * memorySlices)))};
}

int memorySlicesOf(const RightSizeGpu &card)
{
    const int compute = card.slices.value_or(0);
    return compute == 7 ? 8 : compute;
}

} // namespace

const char *toString(WorkTier tier)
{
    return tier == WorkTier::Development ? "development" : tier == WorkTier::Batch ? "batch" : "production";
}

int mostTooSmallPermille(WorkTier tier)
{
    return tier == WorkTier::Production ? 10 : 50;
}

RightSizeLoads::RightSizeLoads(std::initializer_list<Entry> entries)
{
    for (const auto &[load, ticks] : entries)
        (*this)[load] += ticks;
}

std::int64_t &RightSizeLoads::operator[](const RightSizeLoad &load)
{
    constexpr std::size_t kFirst = 4;
    const auto at = std::lower_bound(m_entries.begin(), m_entries.end(), load,
                                     [](const Entry &one, const RightSizeLoad &other) { return one.first < other; });
    if (at != m_entries.end() && at->first == load)
        return at->second;
    const auto before = at - m_entries.begin();
    if (m_entries.size() == m_entries.capacity()) // by a quarter, because most of these vectors end with the range
        m_entries.reserve(m_entries.size() + std::max(kFirst, m_entries.size() / 4));
    return m_entries.emplace(m_entries.begin() + before, load, 0)->second;
}

RightSizePeak rightSizePeak(const RightSizeLoads &loads)
{
    return {loadQuantile(loads, 99, [](const RightSizeLoad &load) { return load.memory * kRightSizeMemoryUnit; }),
            static_cast<int>(loadQuantile(loads, 95, [](const RightSizeLoad &load) { return load.activity; }))};
}

RightSizeNeed rightSizeNeed(const RightSizeLoads &loads, const RightSizeGpu &present, bool inference, bool linked,
                            RightSizeHeadroom headroom)
{
    return rightSizeNeed(rightSizePeak(loads), present, inference, linked, headroom);
}

RightSizeNeed rightSizeNeed(const RightSizePeak &peak, const RightSizeGpu &present, bool inference, bool linked,
                            RightSizeHeadroom headroom)
{
    RightSizeNeed need;
    need.p99Memory = peak.p99Memory;
    need.p95Activity = peak.p95Activity;
    need.memory = (need.p99Memory * (100 + headroom.memory) + 99) / 100;
    need.activityHeadroom = headroom.activity;
    const double share = need.p95Activity * ((100 + headroom.activity) / 100.0) / 100;
    if (present.fp16Tflops)
        need.tflops = *present.fp16Tflops * share;
    if (inference && present.bandwidthGbs)
        need.bandwidth = *present.bandwidthGbs * share;
    need.inference = inference;
    need.linked = linked;
    return need;
}

bool isArm(const std::string &model)
{
    return std::any_of(kArmModels.begin(), kArmModels.end(), [&](std::string_view arm) {
        return model.starts_with(arm) && (model.size() == arm.size() || model[arm.size()] == ' ');
    });
}

bool hasSlowDoubles(const RightSizeGpu &gpu, const RightSizeGpu &present)
{
    const auto has = capabilityOf(gpu.capability), needed = capabilityOf(present.capability);
    if (gpu.vendor != "nvidia" || present.vendor != "nvidia" || !has || !needed)
        return false;
    return (*needed == 80 || *needed == 90) && (*has == 86 || *has == 89 || *has / 10 == 12);
}

bool replacesMachine(const RightSizeOffer &machine, const RightSizeOffer &present)
{
    if (machine.gpus < present.gpus || machine.vcpus < present.vcpus || machine.memory < present.memory
        || isArm(machine.gpu.model) != isArm(present.gpu.model))
        return false;
    if (isSameGpu(machine.gpu, present.gpu))
        return true;
    return hasFeatures(machine.gpu, present.gpu, present.gpus > 1) && !hasSlowDoubles(machine.gpu, present.gpu)
        && machine.gpu.memoryMib >= present.gpu.memoryMib && isAtLeast(machine.gpu.fp16Tflops, present.gpu.fp16Tflops)
        && (!present.gpu.fp8Tflops || isAtLeast(machine.gpu.fp8Tflops, present.gpu.fp8Tflops))
        && isAtLeast(machine.gpu.bandwidthGbs, present.gpu.bandwidthGbs);
}

std::int64_t usableMib(const RightSizeGpu &gpu)
{
    return gpu.memoryMib * kUsableMemoryPercent / 100;
}

bool hasFeatures(const RightSizeGpu &gpu, const RightSizeGpu &present, bool linked)
{
    if (isSameGpu(gpu, present))
        return true;
    if (gpu.vendor != present.vendor || gpu.capability.empty() || present.capability.empty())
        return false;
    if (gpu.vendor == "nvidia") {
        const auto has = capabilityOf(gpu.capability), needed = capabilityOf(present.capability);
        if (!has || !needed || !hasCapability(*has, *needed))
            return false;
    } else if (gpu.capability != present.capability) {
        return false;
    }
    if (present.fp8Tflops && !gpu.fp8Tflops)
        return false;
    return !linked || isAtLeast(gpu.nvlinkGbs, present.nvlinkGbs);
}

bool holdsNeed(const RightSizeGpu &gpu, const RightSizeGpu &present, const RightSizeNeed &need)
{
    if (isSameGpu(gpu, present))
        return true;
    return hasFeatures(gpu, present, need.linked) && usableMib(gpu) >= need.memory
        && isAtLeast(gpu.fp16Tflops, need.tflops) && (!need.inference || isAtLeast(gpu.bandwidthGbs, need.bandwidth));
}

std::int64_t tooSmallTicks(const RightSizeGpu &gpu, const RightSizeGpu &present, const RightSizeLoads &loads,
                           bool inference)
{
    if (isSameGpu(gpu, present))
        return 0;
    const auto isShort = [](const std::optional<double> &has, const std::optional<double> &whole, int percent) {
        return !has || !whole || *has * 100 < *whole * percent;
    };
    std::int64_t sum = 0;
    for (const auto &[load, ticks] : loads) {
        if (load.memory * kRightSizeMemoryUnit > usableMib(gpu)
            || isShort(gpu.fp16Tflops, present.fp16Tflops, load.activity)
            || (inference && isShort(gpu.bandwidthGbs, present.bandwidthGbs, load.activity)))
            sum += ticks;
    }
    return sum;
}

const RightSizeOffer *cheapestFit(std::span<const RightSizeOffer> offers, const RightSizeGpu &present, int presentGpus,
                                  int used, const RightSizeNeed &need, const RightSizeLoads &loads, int mostTooSmall)
{
    RightSizeWide all = 0;
    for (const auto &[load, ticks] : loads)
        all += ticks;
    const RightSizeOffer *best = nullptr;
    for (const RightSizeOffer &offer : offers) {
        const bool isSmaller = !isSameGpu(offer.gpu, present) || offer.gpus < presentGpus;
        if (!isSmaller || isArm(offer.gpu.model) != isArm(present.model) || offer.gpus < used
            || !holdsNeed(offer.gpu, present, need))
            continue;
        const RightSizeWide small = tooSmallTicks(offer.gpu, present, loads, need.inference);
        if (small * 1000 > all * mostTooSmall)
            continue;
        const auto rank = [](const RightSizeOffer &one) { return std::pair(one.perHour.nanosPerHour(), one.gpus); };
        if (!best || rank(offer) < rank(*best))
            best = &offer;
    }
    return best;
}

std::optional<MigPart> smallestSlice(const RightSizeGpu &present, const RightSizeNeed &need)
{
    std::optional<MigPart> best;
    const int needed = need.p95Activity * (100 + need.activityHeadroom); // in 1/10000 of the card
    for (const std::string &profile : present.profiles) {
        const auto part = partOf(present, profile);
        if (!part || part->compute >= *present.slices)
            continue;
        const bool holdsMemory = present.memoryMib * part->memory >= need.memory * memorySlicesOf(present);
        const bool holdsWork = part->compute * 10'000 >= needed * *present.slices;
        const bool holdsReads = !need.inference || part->memory * 10'000 >= needed * memorySlicesOf(present);
        if (holdsMemory && holdsWork && holdsReads
            && (!best || std::pair(part->compute, part->memory) < std::pair(best->compute, best->memory)))
            best = part;
    }
    return best;
}

std::vector<std::string> packedSlices(const RightSizeGpu &card, std::vector<MigPart> slices)
{
    std::stable_sort(slices.begin(), slices.end(), [](const MigPart &a, const MigPart &b) {
        return std::tuple(b.memory, b.compute, a.profile) < std::tuple(a.memory, a.compute, b.profile);
    });
    struct Room {
        int compute, memory;
    };
    std::vector<Room> rooms;
    std::vector<std::string> layouts;
    std::size_t at = 0;
    const MigPart *before = nullptr;
    for (const MigPart &slice : slices) {
        // What had no room for a slice has none for the next one of the same size.
        if (!before || before->compute != slice.compute || before->memory != slice.memory)
            at = 0;
        before = &slice;
        while (at < rooms.size() && (rooms[at].compute < slice.compute || rooms[at].memory < slice.memory))
            ++at;
        if (at == rooms.size()) {
            rooms.push_back({card.slices.value_or(0), memorySlicesOf(card)});
            layouts.emplace_back();
        }
        rooms[at].compute -= slice.compute;
        rooms[at].memory -= slice.memory;
        layouts[at] += (layouts[at].empty() ? "" : ", ") + slice.profile;
    }
    return layouts;
}

} // namespace gpuledger::savings
