// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace gpuledger::base {

// Adds up amounts of one currency in 128 bits, charges and credits apart. While neither sum is beyond the range of
// Money, every sum over any of these amounts fits, in whatever order it is made. Value type.
class WideMoney {
public:
    void add(std::int64_t nanos) { (nanos < 0 ? m_credits : m_charges) += nanos; }
    bool fits() const;
    // Charges less credits, in nano-units; nothing: that doesn't fit.
    std::optional<std::int64_t> total() const;

    struct Excess {
        const char *what = ""; // "charges" or "credits"
        std::string amount; // with nine decimals
    };
    // What is beyond the range; nothing: all of it fits.
    std::optional<Excess> excess() const;
    // The largest amount: "9223372036.854775807". Credits end at the same amount below zero.
    static std::string limitText();

private:
    __extension__ using Wide = __int128;
    static std::string textOf(Wide nanos);

    Wide m_charges = 0, m_credits = 0;
};

} // namespace gpuledger::base
