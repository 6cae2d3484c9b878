// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/inventorysource.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

// What instances consist of, by platform and preset. No calls; values.
namespace gpuledger::nebius {

namespace wire {
class Platform;
} // namespace wire

// As price lists name a type: "gpu-h100-sxm_8gpu-128vcpu-1600gb".
std::string typeOf(const std::string &platform, const std::string &preset);
// The model of a platform, as the catalogue names it: "H100 SXM" of "gpu-h100-sxm". One that is not known keeps its
// name without the prefix. Empty: a platform without GPUs.
std::string gpuOf(std::string_view platform);

// The GPUs of a type.
struct TypeGpus {
    std::string name; // of the model; empty: it has no GPU
    std::int64_t count = 0; // whole ones; 0: a part of one, or not known how many
    bool isKnown = true; // false: nobody told of which it has how many
};

// What types have, from the program's catalogue and, for types that it lacks, from the platforms of the project.
class InstanceTypes {
public:
    // `known` must outlive it.
    explicit InstanceTypes(const std::map<std::string, ports::KnownMachine> &known)
        : m_known(known)
    {
    }
    // Whether the platforms must be asked to know this one.
    bool isMissing(const std::string &platform, const std::string &preset) const;
    void learn(const wire::Platform &platform);
    TypeGpus of(const std::string &platform, const std::string &preset) const;

private:
    const std::map<std::string, ports::KnownMachine> &m_known;
    std::map<std::string, TypeGpus> m_told; // by type
};

} // namespace gpuledger::nebius
