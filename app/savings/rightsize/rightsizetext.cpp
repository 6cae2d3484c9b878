// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/rightsize/rightsizetext.h"

#include "app/base/text/text.h"

#include <utility>
#include <vector>

namespace gpuledger::savings {

using base::GpuTime;

namespace {

RemarkTerm memoryTerm(std::int64_t mib)
{
    return gibibytesTerm(static_cast<double>(mib) / 1024);
}

std::string offerText(const RightSizeOffer &offer)
{
    return offer.instanceType + " (" + std::to_string(offer.gpus) + " x " + offer.gpu.model + ")";
}

void addEvidence(Proposal &p, RemarkText label, RemarkTerm value)
{
    p.evidence.push_back({{label, {}}, std::move(value)});
}

RemarkTerm hostTerm(const RightSizeOffer &offer)
{
    return remarkTerm({RemarkText::HostShape,
                       {countTerm(offer.vcpus / 1000), gibibytesTerm(static_cast<double>(offer.memory) / 1000)}});
}

RemarkTerm machineTerm(const RightSizeFound &found)
{
    const RightSizeWorkload &one = *found.work;
    if (found.gpu)
        return textTerm((one.machine.empty() ? std::string() : one.machine + ", ") + std::to_string(one.machineGpus)
                        + " x " + found.gpu->model);
    if (one.machine.empty())
        return remarkTerm({RemarkText::GpusOfUnknownModel, {countTerm(one.machineGpus)}});
    return remarkTerm({RemarkText::MachineOfUnknownModel, {textTerm(one.machine), countTerm(one.machineGpus)}});
}

void addNeed(const RightSizeFound &found, Proposal &p)
{
    const RightSizeWorkload &one = *found.work;
    if (found.gpu && !one.loads.empty()) {
        addEvidence(p, RemarkText::MemoryInUse, memoryTerm(found.need.p99Memory));
        addEvidence(p, RemarkText::MemoryNeeded, memoryTerm(found.need.memory));
        addEvidence(p, RemarkText::MemoryOfCard, memoryTerm(found.gpu->memoryMib));
        addEvidence(p, RemarkText::ActivityInUse, shareTerm(found.need.p95Activity / 100.0));
    }
    if (one.coarse.ticks > 0)
        addEvidence(p, RemarkText::GpuHoursCoarse, hoursTerm(one.coarse));
    if (found.slice)
        addEvidence(
            p, RemarkText::SliceThatHolds,
            remarkTerm({RemarkText::SliceOfCard, {textTerm(found.slice->profile), textTerm(found.gpu->model)}}));
}

void addOffer(const RightSizeFound &found, Proposal &p)
{
    const RightSizeOffer &offer = *found.offer;
    addEvidence(p, RemarkText::ProposedMachine, textTerm(offerText(offer)));
    addEvidence(p, RemarkText::PricePerHour, rateTerm(offer.perHour));
    addEvidence(p, RemarkText::SourceOfPrice, priceSourceTerm(offer.source));
    if (offer.vcpus > 0)
        addEvidence(p, RemarkText::HostOfMachine, hostTerm(offer));
    addEvidence(p, RemarkText::GpuHoursTooSmall, hoursTerm(GpuTime{found.tooSmall}));
    addEvidence(p, RemarkText::PartOfTimeInUse, upperShare(GpuTime{found.tooSmall}, GpuTime{found.used}));
}

void addRisks(const RightSizePast &past, const RightSizeFound &found, Proposal &p)
{
    const RightSizeWorkload &one = *found.work;
    const auto add = [&p](RemarkText text, std::vector<RemarkTerm> terms = {}) {
        p.risks.push_back({text, std::move(terms)});
    };
    if (found.tooSmall > 0)
        add(RemarkText::TooSmallAtRisk, {upperShare(GpuTime{found.tooSmall}, GpuTime{found.used})});
    if (one.memoryUnknown.ticks + one.unobserved.ticks > 0)
        add(RemarkText::UseUnknownAtRisk, {upperShare(one.memoryUnknown + one.unobserved, one.held)});
    if (past.hours < 3 * 168)
        add(RemarkText::FewWeeks);
    if (found.offer->gpu.model != found.gpu->model) {
        if (one.coarse.ticks > 0)
            add(RemarkText::UtilizationIsCoarse);
        add(one.inference ? RemarkText::RequestsSlower : RemarkText::WorkSlower);
        add(RemarkText::BuiltForOther);
        if (hasSlowDoubles(found.offer->gpu, *found.gpu))
            add(RemarkText::DoublesSlower);
    }
    if (found.offer->region != PriceRegion::Own)
        add(found.offer->region == PriceRegion::Other ? RemarkText::PriceOfOtherRegion
                                                      : RemarkText::PriceOfUnknownRegion);
    add(RemarkText::HostUseUnknown);
    if (one.shared.ticks > 0)
        add(RemarkText::OthersInPart);
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

RemarkTerm upperShare(GpuTime part, GpuTime whole)
{
    if (whole.ticks <= 0)
        return shareTerm(0);
    __extension__ using Wide = __int128;
    const auto thousandths = static_cast<std::int64_t>((Wide{part.ticks} * 1000 + whole.ticks - 1) / whole.ticks);
    return shareTerm(static_cast<double>(thousandths) / 1000);
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
    addEvidence(p, RemarkText::HoursReplayed, countTerm(past.hours));
    addEvidence(p, RemarkText::GpuHoursHeld, hoursTerm(one.held));
    addEvidence(p, RemarkText::MachineNow, machineTerm(found));
    addEvidence(p, RemarkText::GpusInUse,
                remarkTerm({RemarkText::OfHeldOnMachine, {countTerm(one.usedGpus), countTerm(one.heldGpus)}}));
    addNeed(found, p);
    if (found.offer) {
        addOffer(found, p);
        addRisks(past, found, p);
        p.how = rightSizeHow(found);
    }
    for (const auto &[label, time] :
         {std::pair(RemarkText::GpuHoursUnobserved, one.unobserved),
          std::pair(RemarkText::GpuHoursMemoryUnknown, one.memoryUnknown),
          std::pair(RemarkText::GpuHoursUnpriced, one.unpriced), std::pair(RemarkText::GpuHoursSunk, one.sunk),
          std::pair(RemarkText::GpuHoursShared, one.shared),
          std::pair(RemarkText::GpuHoursOfUnknownTerms, one.unknown)}) {
        if (time.ticks > 0)
            addEvidence(p, label, hoursTerm(time));
    }
    return p;
}

} // namespace gpuledger::savings
