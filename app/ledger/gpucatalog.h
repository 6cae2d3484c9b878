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

// What is known of one GPU model; absent = not known, never zero.
struct GpuFacts {
    std::string model; // catalogue name: "A100 40GB", "H100 SXM"
    std::string vendor; // nvidia | amd | intel
    std::int64_t memoryGib = 0;
    std::optional<double> fp16DenseTflops, fp8DenseTflops; // without sparsity
    std::optional<double> memoryBandwidthGbs;
    std::optional<double> powerLimitW, restingW;
    std::optional<int> computeSlices; // MIG compute slices of the whole device: 7, or 4 on an A30
    std::vector<std::string> migProfiles;
    std::vector<std::string> aliases; // names that exporters use
    std::string source;
};

// The GPU models by every name that exporters give them. Immutable value; any thread.
class GpuCatalog {
public:
    // Reads resources/prices/gpus.csv. Fails with Parse: a missing column, a bad number, or two models with one name.
    [[nodiscard]] static base::Result<GpuCatalog> load(std::string_view csv);

    // The model behind an exporter's name, or null when it is not certain which one is meant ("A100" alone is no
    // model: its memory is not told). Valid as long as this object lives and is not assigned to.
    const GpuFacts *find(std::string_view exporterModel) const;
    const std::vector<GpuFacts> &all() const { return m_models; }

    // One spelling for all: letters and digits in lower case, without vendor and family words in front ("NVIDIA",
    // "Tesla", "GeForce", "AMD", "Instinct", "Intel") and without "-SHARED" and "-MIG-1g.5gb" behind.
    static std::string folded(std::string_view exporterModel);

private:
    std::vector<GpuFacts> m_models;
    std::map<std::string, std::size_t, std::less<>> m_byName;
};

} // namespace gpuledger::ledger
