// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace gpuledger::base {

// Sums amounts of one currency in 128 bits, charges and credits separately. As long as neither sum exceeds the range of
// Money, every sum over any of these amounts fits, in any order. Value type.
class WideMoney {
public:
    void add(std::int64_t nanos) { (nanos < 0 ? m_credits : m_charges) += nanos; }
    bool fits() const;
    // Charges minus credits, in nano-units; std::nullopt if that does not fit.
    std::optional<std::int64_t> total() const;

    struct Excess {
        const char *what = ""; // "charges" or "credits"
        std::string amount; // with nine decimals
    };
    // What exceeds the range; std::nullopt if everything fits.
    std::optional<Excess> excess() const;
    // The largest amount: "9223372036.854775807". Credits are limited to the same magnitude.
    static std::string limitText();

private:
    __extension__ using Wide = __int128;
    static std::string textOf(Wide nanos);

    Wide m_charges = 0, m_credits = 0;
};

} // namespace gpuledger::base
