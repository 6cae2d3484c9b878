// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "connectors/http/httpclient.h"

#include <optional>
#include <string>

namespace gpuledger::gcp {

// The right that the readings of machines need.
inline constexpr char kUsageRight[] = "monitoring.timeSeries.list";

// Why an answer of Cloud Monitoring can't be used, with what to do about it; std::nullopt: it can. NotFound: nothing
// ever reported the metric. Forbidden: a right, an access scope, the service or its address is missing, which does not
// hold up the list of machines. `api`: the address that was asked.
std::optional<base::Error> monitoringRefusalOf(const http::Response &response, const std::string &api);

} // namespace gpuledger::gcp
