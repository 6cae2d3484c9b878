// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/prices/machineparts.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace gpuledger::gcp {

using model::PurchaseOption;

namespace {

constexpr std::int64_t kMicroOfMilli = 1000;

struct GpuFamily {
    std::string_view types; // how the names of its machine types begin
    std::string_view host; // in the names of its processors and its memory; empty: the price of a GPU has all in it
    std::array<std::string_view, 3> gpus; // names of the SKU of one GPU
    std::int64_t diskGib = 0; // local SSD for each GPU that each machine has
};
// SKU names: cloud.google.com/skus, dstackai/gpuhunt (providers/gcp.py), CloudPilot-AI (gcp SKU tables). Disks:
// cloud.google.com/compute/docs/disks/local-ssd. A3 Mega is called Plus in names of host parts.
constexpr std::array<GpuFamily, 8> kGpuFamilies{
    {{"a2-highgpu-", "A2", {"Nvidia Tesla A100 GPU"}},
     {"a2-megagpu-", "A2", {"Nvidia Tesla A100 GPU"}},
     {"a2-ultragpu-", "A2", {"Nvidia Tesla A100 80GB GPU"}, 375},
     {"a3-highgpu-", "A3", {"Nvidia H100 80GB GPU"}, 750},
     {"a3-megagpu-",
      "A3Plus",
      {"Nvidia H100 80GB Mega GPU", "Nvidia H100 Mega 80GB GPU", "Nvidia H100 80GB Plus GPU"},
      750},
     {"a3-ultragpu-", "A3Ultra", {"H200 141GB GPU", "Nvidia H200 141GB GPU"}, 1500},
     {"a4-highgpu-", "", {"A4 Nvidia B200 (1 gpu slice)"}},
     {"g2-standard-", "G2", {"Nvidia L4 GPU"}}}};

MachinePart gpuPart(const GpuFamily &family, std::int64_t microGpus)
{
    MachinePart part;
    for (const std::string_view name : family.gpus) {
        if (!name.empty())
            part.names.emplace_back(name);
    }
    part.milli = microGpus / kMicroOfMilli;
    return part;
}

} // namespace

bool MachinePart::takes(SkuUnit unit) const
{
    if (isDisk)
        return unit == SkuUnit::GibHour || unit == SkuUnit::GibMonth;
    return unit == (isMemory ? SkuUnit::GibHour : SkuUnit::Hour);
}

std::vector<MachinePart> partsOf(const std::string &type, const ports::KnownMachine &machine, PurchaseOption purchase)
{
    const auto family = std::find_if(kGpuFamilies.begin(), kGpuFamilies.end(),
                                     [&](const GpuFamily &one) { return type.starts_with(one.types); });
    if (family == kGpuFamilies.end() || machine.microGpus <= 0)
        return {};
    std::vector<MachinePart> parts{gpuPart(*family, machine.microGpus)};
    if (family->host.empty())
        return parts;
    if (machine.milliVcpus <= 0 || machine.milliGib <= 0)
        return {};
    const bool isCommitment = purchase == PurchaseOption::OneYear || purchase == PurchaseOption::ThreeYears;
    const std::string host(family->host), instance = host + (isCommitment ? " " : " Instance ");
    parts.push_back({{instance + (isCommitment ? "Cpu" : "Core")}, machine.milliVcpus});
    parts.push_back({{instance + "Ram"}, machine.milliGib, true});
    if (family->diskGib > 0)
        parts.push_back({{instance + "Local SSD", isCommitment ? "Local SSD" : "SSD backed Local Storage"},
                         family->diskGib * machine.microGpus / kMicroOfMilli,
                         false,
                         true,
                         MachinePart::Choice::FirstFound});
    return parts;
}

} // namespace gpuledger::gcp
