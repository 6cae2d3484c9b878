// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/commitmentsource.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <set>
#include <string>

namespace gpuledger::azure {

// What the pages of Azure's lists of reservations (Microsoft.Capacity) and savings plans (Microsoft.BillingBenefits)
// say, both of api-version 2022-11-01; every number in them is a text (format::parseWithNumbersAsText). One thread.
class CommitmentPages {
public:
    static constexpr std::size_t kMostEntries = 10'000; // of both lists

    // `now` tells which ones are over; its day is not among those of a utilization.
    explicit CommitmentPages(base::UtcTime now)
        : m_now(now)
    {
    }
    // Adds what a page has of machines, and is not over. What was added before is left out, and what can't be read is
    // counted. Fails with Parse (not such a list) or TooMuch.
    [[nodiscard]] base::Result<void> add(model::CloudCommitmentKind kind, const nlohmann::json &page);

    ports::CommitmentReport report; // so far

private:
    void addOne(model::CloudCommitmentKind kind, const nlohmann::json &one);

    base::UtcTime m_now;
    std::size_t m_entries = 0;
    std::set<std::string> m_ids;
};

} // namespace gpuledger::azure
