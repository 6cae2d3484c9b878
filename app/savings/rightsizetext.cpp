// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/rightsizetext.h"

#include "app/base/text.h"

#include <string_view>

namespace gpuledger::savings {

using base::GpuTime;

namespace {

// Of units, with one decimal, rounded half up: "12.5".
std::string tenthsText(std::int64_t tenths)
{
    return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10);
}

std::string gpuHoursText(GpuTime time)
{
    constexpr std::int64_t kTicksPerTenth = GpuTime::kTicksPerSecond * 360;
    return tenthsText((time.ticks + kTicksPerTenth / 2) / kTicksPerTenth);
}

std::string gibText(std::int64_t mib)
{
    return tenthsText((mib * 10 + 512) / 1024) + " GiB";
}

std::string offerText(const RightSizeOffer &offer)
{
    return offer.instanceType + " (" + std::to_string(offer.gpus) + " x " + offer.gpu.model + ")";
}

std::string hostText(const RightSizeOffer &offer)
{
    return std::to_string(offer.vcpus / 1000) + " vCPUs, " + std::to_string(offer.memory / 1000) + " GiB";
}

void addNeed(const RightSizeFound &found, Proposal &p)
{
    const RightSizeWorkload &one = *found.work;
    if (found.gpu && !one.loads.empty()) {
        p.evidence.emplace_back("memory in use (p99)", gibText(found.need.p99Memory));
        p.evidence.emplace_back("memory needed", gibText(found.need.memory));
        p.evidence.emplace_back("memory of the card", gibText(found.gpu->memoryMib));
        p.evidence.emplace_back("activity (p95)", std::to_string(found.need.p95Activity) + "%");
    }
    if (one.coarse.ticks > 0)
        p.evidence.emplace_back("GPU-hours with utilization alone", gpuHoursText(one.coarse));
    if (found.slice)
        p.evidence.emplace_back("MIG slice that holds it", found.slice->profile + " of a " + found.gpu->model);
}

void addOffer(const RightSizeFound &found, Proposal &p)
{
    const RightSizeOffer &offer = *found.offer;
    p.evidence.emplace_back("proposed machine", offerText(offer));
    p.evidence.emplace_back("its price per hour", offer.perHour.perHour().toDecimal() + " " + p.currency);
    p.evidence.emplace_back("source of its price", offer.source);
    if (offer.vcpus > 0)
        p.evidence.emplace_back("its host", hostText(offer));
    p.evidence.emplace_back("GPU-hours in which it would have been too small", gpuHoursText(GpuTime{found.tooSmall}));
    p.evidence.emplace_back("part of the time in use", percentText(GpuTime{found.tooSmall}, GpuTime{found.used}));
}

// The price book says so behind the source of a price (app/ledger/pricebook.h).
void addRegionRisk(const RightSizeOffer &offer, Proposal &p)
{
    if (offer.source.find("(the node is in ") != std::string::npos)
        p.risks.emplace_back("its price is that of another region, and it may not be offered in this one");
    else if (offer.source.find("(the node's region is unknown)") != std::string::npos)
        p.risks.emplace_back("the region of its machines is unknown, so its price may be that of another one");
}

void addRisks(const RightSizePast &past, const RightSizeFound &found, Proposal &p)
{
    const RightSizeWorkload &one = *found.work;
    if (found.tooSmall > 0)
        p.risks.push_back("it would have been too small in " + percentText(GpuTime{found.tooSmall}, GpuTime{found.used})
                          + " of the time in use");
    if (one.memoryUnknown.ticks + one.unobserved.ticks > 0)
        p.risks.push_back("memory or activity is unknown in "
                          + percentText(one.memoryUnknown + one.unobserved, one.held) + " of its time");
    if (past.hours < 3 * 168)
        p.risks.emplace_back("the past has fewer than three whole weeks, so the three estimates are equal");
    if (found.offer->gpu.model != found.gpu->model) {
        if (one.coarse.ticks > 0)
            p.risks.emplace_back("utilization says how long something ran, not how much of the GPU it used");
        p.risks.emplace_back(one.inference ? "each request may take longer on a slower card"
                                           : "work may take longer on a slower card");
        p.risks.emplace_back("programs built for one GPU generation must be built for the other");
        if (hasSlowDoubles(found.offer->gpu, *found.gpu))
            p.risks.emplace_back("double precision (FP64) is far slower on it");
    }
    addRegionRisk(*found.offer, p);
    p.risks.emplace_back("the CPUs and memory that it needs on the host are not reported");
    if (one.shared.ticks > 0)
        p.risks.emplace_back("others used its machines in part of the past; these hours count as no saving");
}

// Names are labels of telemetry: a line break in one must not become a line of a manifest.
std::string nameText(const std::string &name)
{
    return base::printableLine(name, 200);
}

// For Kubernetes what to change in the pod's template, else the request in words.
std::string rightSizeHow(const RightSizeFound &found)
{
    const RightSizeWorkload &one = *found.work;
    const RightSizeOffer &offer = *found.offer;
    const std::string gpus = std::to_string(std::max(1, one.podGpus));
    if (!one.pod)
        return "Run " + nameText(one.target) + " on " + offerText(offer) + ", with " + gpus
            + (one.podGpus > 1 ? " GPUs" : " GPU");
    const std::string what = one.controllerName.empty() ? one.target : one.controllerKind + "/" + one.controllerName;
    std::string text = "# In the pod template of " + nameText(what) + ", namespace " + nameText(one.nameSpace)
        + ":\nspec:\n  nodeSelector:\n    node.kubernetes.io/instance-type: " + nameText(offer.instanceType) + "\n";
    if (offer.gpu.vendor == "nvidia")
        text +=
            "  containers:\n    - name: CONTAINER  # the one that uses the GPUs\n      resources:\n        limits:\n"
            "          nvidia.com/gpu: "
            + gpus + "\n";
    return text;
}

} // namespace

std::string percentText(GpuTime part, GpuTime whole)
{
    if (whole.ticks <= 0)
        return "0.0%";
    __extension__ using Wide = __int128;
    return tenthsText(static_cast<std::int64_t>((Wide{part.ticks} * 1000 + whole.ticks - 1) / whole.ticks)) + "%";
}

Proposal rightSizeProposal(const RightSizePast &past, const RightSizeRules &rules, const RightSizeFound &found)
{
    const RightSizeWorkload &one = *found.work;
    Proposal p;
    p.id = one.id;
    p.kind = Kind::RightSize;
    p.target = one.target;
    p.owner = one.owner;
    p.currency = std::string(past.currency.code());
    p.excludedBy = found.excludedBy;
    p.resources = one.resources;
    p.assumptions = {{"tier", toString(one.tier)},
                     {"memory-headroom", std::to_string(rules.headroom.memory) + "%"},
                     {"activity-headroom", std::to_string(rules.headroom.activity) + "%"},
                     {"most-memory", std::to_string(rules.mostMemoryPercent) + "%"},
                     {one.tier == WorkTier::Production ? "most-too-small-production" : "most-too-small-other",
                      std::to_string(rules.mostTooSmall(one.tier) / 10) + "%"},
                     {"features", "all of its GPU model"},
                     {"usable-memory", "0." + std::to_string(kUsableMemoryPercent)},
                     {"hours-per-month", std::to_string(kHoursPerMonth)}};
    const std::string model = found.gpu ? found.gpu->model : std::string("unknown GPU model");
    p.evidence = {
        {"hours replayed", std::to_string(past.hours)},
        {"GPU-hours held", gpuHoursText(one.held)},
        {"machine",
         (one.machine.empty() ? std::string() : one.machine + ", ") + std::to_string(one.machineGpus) + " x " + model},
        {"most GPUs in use at the same time",
         std::to_string(one.usedGpus) + " of " + std::to_string(one.heldGpus) + " held on a machine"}};
    addNeed(found, p);
    if (found.offer) {
        addOffer(found, p);
        addRisks(past, found, p);
        p.how = rightSizeHow(found);
    }
    const auto add = [&](const char *label, GpuTime time) {
        if (time.ticks > 0)
            p.evidence.emplace_back(label, gpuHoursText(time));
    };
    add("GPU-hours that were not observed", one.unobserved);
    add("GPU-hours of unknown memory use", one.memoryUnknown);
    add("GPU-hours without a price", one.unpriced);
    add("GPU-hours committed or on own machines", one.sunk);
    add("GPU-hours on machines that others used", one.shared);
    add("GPU-hours on machines of unknown terms", one.unknown);
    return p;
}

} // namespace gpuledger::savings
