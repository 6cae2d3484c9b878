// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/inventorysource.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>
#include <string_view>

namespace gpuledger::azure {

// The GPUs of a machine size.
struct SizeGpus {
    std::string name; // of the model; empty: it has no GPU
    std::int64_t gpus = 0; // whole ones; 0: a part of one, or not known how many
    bool isKnown = true; // false: it is of a series with GPUs, but nobody told of which
};

// What sizes of machines have, from the program's catalogue and, for sizes that it lacks, from Microsoft.Compute/skus.
class MachineSizes {
public:
    // `known` must outlive it.
    explicit MachineSizes(const std::map<std::string, ports::KnownMachine> &known)
        : m_known(known)
    {
    }
    // Whether the sizes of a location must be asked to know this one.
    bool isMissing(const std::string &size) const;
    // Takes the sizes of a page of skus. The model is a part of a size's name, where it is told at all.
    // Fails with Parse.
    [[nodiscard]] base::Result<void> learn(const nlohmann::json &page);
    SizeGpus of(const std::string &size) const;

private:
    const std::map<std::string, ports::KnownMachine> &m_known;
    std::map<std::string, SizeGpus> m_told; // by size in lower case
};

// True of sizes of the series NC, ND, NG and NV. NP has FPGAs, NM encoders.
bool isGpuSeries(std::string_view size);
// "MI300X" of "Standard_ND96isr_MI300X_v5". A size that names no accelerator is called as itself: "NV12s_v9".
std::string acceleratorIn(std::string_view size);

} // namespace gpuledger::azure
