// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/decimal.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace gpuledger::azure {

// An amount of money in an answer. One that is there and can't be read makes what it belongs to unreadable. Value type.
struct ReadAmount {
    bool isReadable = true;
    std::optional<base::Decimal> amount; // std::nullopt: not there

    // The member of an answer in which every number is a text (format::parseWithNumbersAsText). What is more than Money
    // holds is not an amount that anybody means.
    static ReadAmount in(const nlohmann::json &object, const char *key, base::Currency currency);
};

} // namespace gpuledger::azure
