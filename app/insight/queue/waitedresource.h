// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpuledger::insight {

// What a resource as kube-state-metrics writes it asks for. Pure.
struct WaitedResource {
    std::string vendor; // nvidia | amd
    std::string profile; // of a MIG slice, as resource names have it: 1g_10gb; empty: a whole GPU
};

// "nvidia_com_gpu", "amd_com_gpu", "nvidia_com_mig_1g_10gb"; std::nullopt: a share of a GPU, or not known.
std::optional<WaitedResource> waitedResource(std::string_view resource);
// "1g.10gb+me" as a part of a resource's name: 1g_10gb_me.
std::string resourceProfile(std::string profile);
// The memory that a profile names: 10 GB of 1g_10gb; 0: not known.
std::int64_t profileGigabytes(std::string_view profile);

} // namespace gpuledger::insight
