// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/savings/prices/pricequote.h"

#include <optional>
#include <string>
#include <string_view>

// Reads price catalogues in SkyPilot's form (skypilot-org/skypilot-catalog, catalogs/v8/CLOUD/vms.csv). Pure; any
// thread.
namespace gpuledger::savings {

struct SkypilotFile {
    std::string provider; // the file does not name it
    std::string name; // becomes the source of its quotes
    std::optional<base::Day> seen; // the file has no date; empty: unknown
};

// On-demand and spot prices in USD of whole machines with GPUs. Columns are found by name: InstanceType,
// AcceleratorName, AcceleratorCount, Price and Region must be there; SpotPrice, AvailabilityZone and GpuInfo may be.
// `known` settles which variant of a GPU an instance type has. Fails with Parse: no header, or a column is missing.
[[nodiscard]] base::Result<QuoteList> readSkypilotPrices(std::string_view csv, const SkypilotFile &file,
                                                         const ledger::GpuCatalog &catalog, const KnownMachines &known);

// The provider of a catalogue by its path: CLOUD/vms.csv, or CLOUD_vms….csv; empty: neither.
std::string skypilotProvider(std::string_view path);

// Memory of one GPU in MiB by the text of GpuInfo, which every cloud writes in another way. SizeInMiB below 1024 is
// taken for GiB, as RunPod has it. TotalGpuMemoryInMiB is not used: Lambda has that of one GPU there.
std::optional<std::int64_t> memoryInGpuInfo(std::string_view gpuInfo);

} // namespace gpuledger::savings
