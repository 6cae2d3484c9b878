// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "connectors/http/httpclient.h"

#include <optional>
#include <string>

namespace gpuledger::gcp {

// The right that the list of machines needs.
inline constexpr char kListRight[] = "compute.instances.list";

// Why an answer of Compute Engine can't be used, with what to do about it; std::nullopt: it can. `api`: the address
// that was asked.
std::optional<base::Error> computeRefusalOf(const http::Response &response, const std::string &api);

} // namespace gpuledger::gcp
