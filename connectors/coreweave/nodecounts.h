// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "connectors/http/httpclient.h"

#include <compare>
#include <cstdint>
#include <map>
#include <string>

// How many nodes ran: CoreWeave's metric of them, and what its answers become. Plain values and functions.
namespace gpuledger::coreweave {

inline constexpr const char *kNodeMetric = "billing:instance:total";
inline constexpr base::Seconds kStep =
    base::kBucket; // between two points, each of which stands for the time until the next

struct NodeKind {
    std::string cluster, type; // printable

    auto operator<=>(const NodeKind &) const = default;
};

// What was counted in a UTC day.
struct DayCount {
    base::Seconds missing{}; // without a sample of anything
    std::map<NodeKind, std::int64_t> milliseconds; // of nodes

    bool operator==(const DayCount &) const = default;
};

// The questions of GET /api/v1/query_range for a day, and of /api/v1/query for an instant.
http::Parameters dayQuestion(base::Day day);
http::Parameters nowQuestion(base::UtcTime time);

// What an answer says. Fails with Parse (damaged, or a count that is none), Server (also if it may be incomplete, as
// its warnings say) and TooMuch (above 2,000 kinds).
[[nodiscard]] base::Result<DayCount> readDay(std::string body, base::Day day);
// Nodes by type.
[[nodiscard]] base::Result<std::map<std::string, std::int64_t>> readNow(std::string body);

} // namespace gpuledger::coreweave
