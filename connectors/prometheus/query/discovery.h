// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/prometheus/query/queryrunner.h"

#include <set>
#include <string>

namespace gpuledger::prometheus {

// The product behind an address, from its build information.
struct ServerInfo {
    Product product = Product::Unknown;
    std::string title; // "Prometheus 2.42.0"
};

// Queries the build information. A server without it is reported as Product::Unknown. Fails if the server cannot be
// reached or refuses the credential.
[[nodiscard]] base::Result<ServerInfo> askServer(Connection &connection, std::stop_token stop);
// Metric names in the range. Fails as fetchBody, or with Parse.
[[nodiscard]] base::Result<std::set<std::string>> askNames(Connection &connection, base::TimeRange range,
                                                           std::stop_token stop);
// As askNames(), but fails with NotFound if there are no names: a wrong path, another tenant or a server that scrapes
// nothing answers like this, and taking it at face value would mean that everything was deleted.
[[nodiscard]] base::Result<std::set<std::string>> askSomeNames(Connection &connection, base::TimeRange range,
                                                               std::stop_token stop);

// Adds a warning to the connection for each store that a Thanos has lost: a few seconds later it answers without that
// store's data, with status 200, no warning and partial_response=false. Fails as fetchBody.
[[nodiscard]] base::Result<void> askStores(Connection &connection, std::stop_token stop);

} // namespace gpuledger::prometheus
