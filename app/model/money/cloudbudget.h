// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/decimal.h"
#include "app/base/money/money.h"
#include "app/base/time/time.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gpuledger::model {

enum class CloudBudgetPeriod : std::uint8_t { Day, Month, Quarter, Year, Other };

// A budget that somebody set up at a cloud, and what the cloud says of its current period. All texts are printable.
// Plain values.
struct CloudBudget {
    std::string cloud; // as in bills: "AWS", "Microsoft", "Google Cloud"
    std::string account; // whose budget it is: account, subscription or billing account, by its id
    std::string name;
    std::string scope; // what it is limited to, in the cloud's words ("Service: Amazon EC2"); empty: nothing
    // It covers all costs of the source that told it, and counts them as the bill does.
    bool isWholeBill = false;
    CloudBudgetPeriod period = CloudBudgetPeriod::Other;
    std::optional<base::Day> first, last; // of its current period, UTC, both included; std::nullopt: not told
    base::Currency currency;
    std::optional<base::Decimal> limit; // std::nullopt: not told, such as a share of the period before
    std::optional<base::Decimal> spent, forecast; // in the period; std::nullopt: the cloud does not say it

    bool operator==(const CloudBudget &) const = default;
};

} // namespace gpuledger::model
