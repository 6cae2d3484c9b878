// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "connectors/http/httpclient.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gpuledger::prometheus {

enum class Product { Prometheus, Thanos, Mimir, VictoriaMetrics, Unknown };

// How to query one server. Value type; one thread at a time.
struct Endpoint {
    std::string base; // as the user typed it, without a trailing slash
    http::Parameters headers;
    std::string caFile;
    std::shared_ptr<const http::Credentials> credentials;
    http::Timeouts timeouts;
    Product product = Product::Unknown;
    std::string maxSourceResolution; // Thanos: for the time in which raw blocks are gone
    bool post = true;
    bool everyReplica = false; // raw samples of all replicas of an HA pair, without deduplication (Thanos)
    bool userAsks = false; // the expression is the user's own, so the user has to fix what the server rejects
};

// One call of the HTTP API, with the path below /api/v1/.
struct ApiCall {
    std::string path;
    http::Parameters parameters;
    bool form = true; // may be sent as POST
};

inline constexpr char kRangePath[] = "query_range"; // the path of rangeQuery()
ApiCall rangeQuery(std::string query, base::UtcTime first, base::UtcTime last, base::Seconds step);
// An instant query evaluated at `time`; with `justBefore`, one millisecond earlier, for raw range selectors that must
// not include a sample at `time`.
ApiCall instantQuery(std::string query, base::UtcTime time, bool justBefore = false);

http::Request makeRequest(const Endpoint &endpoint, const ApiCall &call);

// Why an answer cannot be used; std::nullopt if it is worth parsing. Reads an error envelope if there is one; a web
// page with status 200 is a login page. Codes: as http::statusError, and TooMuch or Timeout for queries that should be
// made smaller.
std::optional<base::Error> refusal(const Endpoint &endpoint, const http::Response &response);
// True if a smaller query may succeed.
bool wantsSmaller(const base::Error &error);

} // namespace gpuledger::prometheus
