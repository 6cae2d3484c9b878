// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/settings.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gpuledger::aws {

// The settings of an `aws-export` that is asked from Athena. The names are checked. Value type.
struct AthenaSettings {
    std::string database, table; // in the Glue data catalogue of the account
    std::string workgroup = "primary";
    std::string output; // "s3://bucket/prefix/", for results; empty: that of the workgroup
    std::string url; // address of Athena; empty: its public endpoint of the region
    std::uint64_t mostScanned = 20'000'000'000; // bytes of the query for one month
    base::Seconds refresh{86400}; // a month whose files changed is asked again at most this often

    // Results that were asked with other settings do not belong together.
    std::string identity() const;

    // std::nullopt: the files are fetched. Fails with InvalidConfig.
    [[nodiscard]] static base::Result<std::optional<AthenaSettings>> of(const model::SourceSettings &settings);
};

// "s3://bucket/key" as its bucket and key. std::nullopt: it is none.
struct StorePlace {
    std::string bucket, key;
};
std::optional<StorePlace> storePlaceOf(const std::string &address);

} // namespace gpuledger::aws
