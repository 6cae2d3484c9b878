// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace gpuledger::model {

// What an amount of money stands for: which of a bill's two costs, or the price book alone.
enum class CostView : std::uint8_t {
    Billed, // as on the invoice; of GPU time that no bill contains, unknown
    Effective, // with fees of commitments spread over what they cover; without a bill, the best estimate
    List, // by the price book, whatever was billed
};
std::string_view toString(CostView view); // "billed", "effective", "list"
std::optional<CostView> costViewFromString(std::string_view text);

} // namespace gpuledger::model
