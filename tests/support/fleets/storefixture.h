// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/factbatch.h"
#include "app/store/ledgerstore.h"

#include <filesystem>
#include <string>

namespace gpuledger::tests {

inline constexpr std::int64_t kFirstBucket = 20400LL * base::kBucketsPerDay; // 2025-11-08T00:00:00Z

base::TimeRange bucketRange(std::int64_t first, std::int64_t end);
model::UsageBucket usageAt(std::int64_t bucket, int device);

// A small fleet's facts for buckets [first, end): 2 nodes, 3 devices (one with a slice), pods that come and go;
// everything derives from the bucket number alone, so any split yields the same facts.
ports::FactBatch fleetBatch(std::int64_t first, std::int64_t end);

// All tables of the cache except meta, with sorted rows and ids replaced by what they stand for: equal texts mean equal
// facts and roll-up.
std::string dumpOf(const std::filesystem::path &file);
// The first column of the first row.
std::string queryText(const std::filesystem::path &file, const std::string &sql);
void executeOn(const std::filesystem::path &file, const std::string &sql);
// Takes back what versions 14 to 17 added; for caches of older versions, which have these objects in another form.
inline constexpr const char *kBackToSchema13 =
    "DROP TABLE alert_ack; DROP TABLE alert_change; DROP TABLE alert_leader; DROP TABLE alert_message;"
    " DROP TABLE alert_silence; DROP TABLE alert_state; DROP TABLE alert_told; DROP TABLE bill_growth;"
    " DROP INDEX price_quote_offer; DROP INDEX price_quote_ended; DROP TABLE day_fact;"
    " DROP VIEW holder_view; ALTER TABLE holder DROP COLUMN end_reason;"
    " CREATE VIEW holder_view AS SELECT 1;";
std::string bytesOf(const std::filesystem::path &file);

} // namespace gpuledger::tests
