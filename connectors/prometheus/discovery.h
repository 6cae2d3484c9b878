// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/prometheus/queryrunner.h"

#include <set>
#include <string>

namespace gpuledger::prometheus {

struct ServerInfo {
    Product product = Product::Unknown;
    std::string title; // "Prometheus 2.42.0"
};

// Asks for the build information. A server without it is of Product::Unknown. Fails when it can't be reached or
// refuses the credential.
[[nodiscard]] base::Result<ServerInfo> askServer(Connection &connection, std::stop_token stop);
// Metric names of the range. Fails as fetchBody, or with Parse.
[[nodiscard]] base::Result<std::set<std::string>> askNames(Connection &connection, base::TimeRange range,
                                                           std::stop_token stop);
// The same, and fails with NotFound where there is none: a wrong path, another tenant or a server that scrapes nothing
// answers so, and whoever believed it would take all there was for deleted.
[[nodiscard]] base::Result<std::set<std::string>> askSomeNames(Connection &connection, base::TimeRange range,
                                                               std::stop_token stop);

// Adds a warning to the connection for each store that a Thanos has lost: some seconds later it answers without what
// that one has, with status 200, no warning, and partial_response=false. Fails as fetchBody.
[[nodiscard]] base::Result<void> askStores(Connection &connection, std::stop_token stop);

} // namespace gpuledger::prometheus
