// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/prices/gpucatalog.h"
#include "app/model/money/pricequote.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

// What the names of GPUs in price lists mean. Pure; any thread. The catalogue is resources/prices/gpus.csv, which names
// the source of each fact.
namespace gpuledger::savings {

// A GPU as a price list names it.
struct GpuNaming {
    std::string name; // "H100", "A100-80GB", "RTXPRO6000"
    std::string machine; // instance type; "sxm", "pcie" or "nvl" in it tells the variant
    std::optional<std::int64_t> memoryMib; // of one GPU
};

using model::GpuIdentity;
GpuIdentity identify(const ledger::GpuCatalog &catalog, const GpuNaming &naming);

// GPU models by provider and instance type, both in lower case: what a name leaves open, an instance type may settle.
using KnownMachines = std::map<std::pair<std::string, std::string>, std::string>;

// True if `name` is the model `wanted` or a variant of it: "H100" has the variants "H100 SXM" and "H100-80G-PCIe", but
// "RTX 4070" does not have "RTX 4070 Ti". Variants are compared in any order. An empty `wanted` has every name; one of
// vendors and families alone ("NVIDIA") has none.
bool isVariantOf(std::string_view name, std::string_view wanted);

// Accelerators that are not GPUs: TPUs, Inferentia, Trainium, FPGAs.
bool isOtherAccelerator(std::string_view name);

std::string loweredName(std::string_view text); // ASCII letters only

} // namespace gpuledger::savings
