// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::aws {

inline constexpr std::string_view kUnreadableEndpoint = "endpoint that can't be read";

// A variant of an endpoint that has machines of its own.
struct EndpointVariant {
    std::string name, type;
    std::int64_t instances = 0; // that it has now
};

struct EndpointVariants {
    std::vector<EndpointVariant> variants;
    std::vector<std::string_view> leftOut; // why, once for each
    std::optional<base::UtcTime> since{}; // they can't be older; empty: not told
};

// The variants of DescribeEndpoint, with their types from DescribeEndpointConfig, shadow variants included: they cost
// as much. Serverless ones have no machines.
EndpointVariants variantsIn(const nlohmann::json &endpoint, const nlohmann::json &config);

} // namespace gpuledger::aws
