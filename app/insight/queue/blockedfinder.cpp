// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/queue/blockedfinder.h"

#include <algorithm>
#include <tuple>

namespace gpuledger::insight {

using base::Result;
using model::PastWait;

namespace {

constexpr std::int64_t kBucketTicks = base::GpuTime::wholeDevice(base::kBucket).ticks;
constexpr std::int64_t kWholeBucketsPerHour = 3600 / base::kBucket.count();

// Free ticks by slice (-1: the whole device, or what the slices leave of it).
std::optional<std::map<std::int16_t, std::int64_t>> freeTicks(const model::DeviceAttribution &device,
                                                              std::uint16_t bucket)
{
    std::map<std::int16_t, std::int64_t> free;
    std::set<std::int16_t> held;
    std::int64_t all = 0;
    for (const model::UsagePart &part : device.parts) {
        if (part.bucket != bucket)
            continue;
        all += part.ticks;
        if (part.state == model::GpuState::Unallocated)
            free[part.slice] += part.ticks;
        else
            held.insert(part.slice);
    }
    std::erase_if(free, [&](const auto &one) { return held.contains(one.first); });
    return all == kBucketTicks ? std::optional(std::move(free)) : std::nullopt;
}

auto nameOf(const PastWait &wait)
{
    return std::tie(wait.nameSpace, wait.name, wait.uid);
}

} // namespace

double FreeUnit::gpus() const
{
    return static_cast<double>(ticks) / static_cast<double>(kBucketTicks);
}

std::vector<PastWait> oncePerPod(const std::vector<PastWait> &waits)
{
    std::vector<PastWait> out = waits;
    // A source that knows the node says more.
    std::sort(out.begin(), out.end(), [](const PastWait &a, const PastWait &b) {
        return nameOf(a) != nameOf(b) ? nameOf(a) < nameOf(b) : !a.node.empty() && b.node.empty();
    });
    out.erase(std::unique(out.begin(), out.end(),
                          [](const PastWait &a, const PastWait &b) { return nameOf(a) == nameOf(b); }),
              out.end());
    std::stable_sort(out.begin(), out.end(),
                     [](const PastWait &a, const PastWait &b) { return a.range.start < b.range.start; });
    return out;
}

Result<void> BlockedFinder::add(const model::DeviceAttribution &device, base::TimeRange bucket, bool isChosen)
{
    const auto number = static_cast<std::uint16_t>((bucket.start - device.day.start()) / base::kBucket);
    const auto &slices = device.device->slices;
    std::set<std::int16_t> seen;
    for (const model::UsagePart &part : device.parts) {
        if (part.bucket == number)
            seen.insert(part.slice);
    }
    if (!device.node || seen.empty())
        return {};
    Gpu &gpu = m_gpus.emplace_back();
    gpu.node = device.node->name;
    gpu.vendor = device.device->vendor;
    gpu.gpuModel = device.gpuModel;
    gpu.memoryMib = device.device->memoryMib;
    gpu.isCut = !slices.empty();
    for (const std::int16_t slice : seen) {
        if (slice >= 0)
            gpu.profiles.insert(resourceProfile(slices[static_cast<std::size_t>(slice)].profile));
    }
    const auto free = freeTicks(device, number);
    const bool isToldWhole = !gpu.isCut || !gpu.profiles.empty(); // else it isn't told whether it was cut then
    if (!free || !isToldWhole || device.node->sharedGpus)
        return {};
    for (const auto &[slice, ticks] : *free) {
        FreeUnit unit{gpu.node, device.nodeOwner, gpu.vendor, gpu.gpuModel, device.device->uuid,
                      {},       !gpu.isCut,       ticks,      std::nullopt, isChosen};
        if (slice >= 0) {
            const model::MigSlice &of = slices[static_cast<std::size_t>(slice)];
            unit.name += ':' + of.gpuInstance;
            unit.profile = resourceProfile(of.profile);
        }
        if (device.priced) {
            const auto hour = device.rate.times(base::GpuTime{ticks * kWholeBucketsPerHour});
            GPULEDGER_TRY(hour);
            unit.nanosPerHour = hour->nanos();
        }
        if (unit.isWhole || slice >= 0)
            ++m_free[{unit.node, unit.gpuModel, unit.profile}];
        m_units.push_back(std::move(unit));
    }
    return {};
}

// Another profile is possible on a device that is cut and has the memory.
bool BlockedFinder::mayHave(const Gpu &gpu, const WaitedResource &resource, bool isExact) const
{
    if (gpu.vendor != resource.vendor)
        return false;
    if (resource.profile.empty())
        return !gpu.isCut;
    if (isExact)
        return gpu.profiles.contains(resource.profile);
    constexpr std::int64_t kBytesPerGb = 1'000'000'000, kBytesPerMib = 1 << 20;
    const std::int64_t memory = profileGigabytes(resource.profile);
    return gpu.isCut && memory > 0 && memory < 10'000
        && (gpu.memoryMib == 0 || memory * kBytesPerGb / kBytesPerMib <= gpu.memoryMib);
}

std::optional<std::string> BlockedFinder::modelOf(const PastWait &wait, const WaitedResource &resource) const
{
    std::set<std::string> placed, exact, possible;
    bool isVendorKnown = true;
    for (const Gpu &gpu : m_gpus) {
        isVendorKnown = isVendorKnown && !gpu.vendor.empty();
        if (!wait.node.empty() && gpu.node == wait.node && gpu.vendor == resource.vendor)
            placed.insert(gpu.gpuModel);
        if (mayHave(gpu, resource, true))
            exact.insert(gpu.gpuModel);
        if (mayHave(gpu, resource, false))
            possible.insert(gpu.gpuModel);
    }
    const std::set<std::string> &models = !placed.empty() ? placed : !exact.empty() ? exact : possible;
    if (models.size() != 1 || models.begin()->empty() || (placed.empty() && !isVendorKnown))
        return std::nullopt;
    return *models.begin();
}

// Than every node of the cluster; a profile that no device has says nothing about numbers.
bool BlockedFinder::isTooLarge(const Asked &asked) const
{
    std::map<std::string, std::int64_t> onNode;
    for (const Gpu &gpu : m_gpus) {
        if (gpu.vendor != asked.resource.vendor || (asked.gpuModel && *asked.gpuModel != gpu.gpuModel))
            continue;
        onNode[gpu.node] += !asked.resource.profile.empty()
            ? static_cast<std::int64_t>(gpu.profiles.count(asked.resource.profile))
            : gpu.isCut ? 0
                        : 1;
    }
    std::int64_t most = 0;
    for (const auto &[node, count] : onNode)
        most = std::max(most, count);
    return most > 0 && asked.gpus > most;
}

void BlockedFinder::ask(const std::vector<PastWait> &waits)
{
    m_asked.clear();
    m_served.clear();
    std::map<std::tuple<std::string, std::int64_t, std::string>, std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < waits.size(); ++i)
        alike[{waits[i].resource, waits[i].gpus, waits[i].node}].push_back(i);
    for (auto &[key, pods] : alike) {
        const PastWait &wait = waits[pods.front()];
        const auto resource = waitedResource(wait.resource);
        if (!resource || wait.gpus <= 0)
            continue;
        Asked asked{*resource, wait.gpus, modelOf(wait, *resource), std::move(pods)};
        if (!isTooLarge(asked))
            (isServed(asked) ? m_served : m_asked).push_back(std::move(asked));
    }
}

// Nobody knows why it waited.
bool BlockedFinder::isServed(const Asked &asked) const
{
    return asked.gpuModel && std::any_of(m_units.begin(), m_units.end(), [&](const FreeUnit &unit) {
               return fitOf(unit, asked) == Fit::Served;
           });
}

BlockedFinder::Fit BlockedFinder::fitOf(const FreeUnit &unit, const Asked &asked) const
{
    if (unit.vendor != asked.resource.vendor || (asked.gpuModel && *asked.gpuModel != unit.gpuModel))
        return Fit::No;
    const std::string &profile = asked.resource.profile;
    if (unit.isWhole && !profile.empty())
        return Fit::No; // it could be cut
    if (unit.isWhole != profile.empty() || unit.profile != profile)
        return Fit::OtherSlice;
    const auto free = m_free.find({unit.node, unit.gpuModel, profile});
    return free != m_free.end() && free->second >= asked.gpus ? Fit::Served : Fit::TooFew;
}

UnitVerdict BlockedFinder::judge(const FreeUnit &unit) const
{
    UnitVerdict out;
    bool mayServe = false, mayBeBlocked = false; // by pods whose model is unknown
    for (const Asked &asked : m_asked) {
        const Fit fit = fitOf(unit, asked);
        if (fit == Fit::No)
            continue;
        if (!asked.gpuModel) {
            (fit == Fit::Served ? mayServe : mayBeBlocked) = true;
            continue;
        }
        const Blocker why = fit == Fit::TooFew ? Blocker::Scattered : Blocker::MigLeftovers;
        out.blocker = std::min(out.blocker.value_or(why), why);
        out.waits.insert(out.waits.end(), asked.waits.begin(), asked.waits.end());
    }
    std::sort(out.waits.begin(), out.waits.end());
    out.isUndecided = out.blocker ? mayServe : mayBeBlocked && !mayServe;
    if (out.isUndecided) {
        out.blocker.reset();
        out.waits.clear();
    }
    mayServe = mayServe || std::any_of(m_served.begin(), m_served.end(), [&](const Asked &asked) {
                   return fitOf(unit, asked) == Fit::Served;
               });
    out.isUnexplained = mayServe && !out.blocker && !out.isUndecided;
    return out;
}

} // namespace gpuledger::insight
