// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::ledger {

// What is known about one GPU model; absent = unknown, never zero.
struct GpuFacts {
    std::string model; // catalogue name: "A100 40GB", "H100 SXM"
    std::string vendor; // nvidia | amd | intel
    std::int64_t memoryGib = 0;
    std::optional<double> fp16DenseTflops, fp8DenseTflops; // without sparsity
    std::optional<double> memoryBandwidthGbs;
    std::optional<double> powerLimitW, restingW;
    std::optional<int> computeSlices; // MIG compute slices of the whole device: 7, or 4 on an A30
    std::vector<std::string> migProfiles;
    std::string computeCapability; // "8.0" of nvidia, "gfx942" of amd; empty: unknown
    std::optional<double> nvlinkGbs; // GB/s over NVLink, both directions; 0: it has none
    std::vector<std::string> aliases; // names used by exporters
    std::string source;
};

// Finds a GPU model by any name that exporters use for it. Immutable value; any thread.
class GpuCatalog {
public:
    // Reads resources/prices/gpus.csv; compute_capability and nvlink_gbs may be missing. Fails with Parse: a missing
    // column, an invalid number, or a name shared by two models.
    [[nodiscard]] static base::Result<GpuCatalog> load(std::string_view csv);

    // The model for an exporter's name, or null if it is ambiguous ("A100" alone does not identify a model, because its
    // memory size is missing). Valid as long as this object lives and is not assigned to.
    const GpuFacts *find(std::string_view exporterModel) const;
    const std::vector<GpuFacts> &all() const { return m_models; }

    // Normalizes the spelling: letters and digits in lower case, without leading vendor and family words ("NVIDIA",
    // "Tesla", "GeForce", "AMD", "Instinct", "Intel") and without trailing "-SHARED" and "-MIG-1g.5gb".
    static std::string folded(std::string_view exporterModel);

private:
    std::vector<GpuFacts> m_models;
    std::map<std::string, std::size_t, std::less<>> m_byName;
};

} // namespace gpuledger::ledger
