// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/bill.h"
#include "connectors/focus/focuscolumns.h"

#include <array>
#include <map>
#include <optional>

namespace gpuledger::focus {

// Keeps the sums of one delivery within the range of base::Money: the absolute amounts that are let in add up to no
// more than the largest amount, so that no sum over any of the lines overflows, in whatever order it is made. One
// thread.
class AmountLimit {
public:
    // Counts the line's amounts in; or returns the column whose amount does not fit any more, and counts nothing.
    std::optional<Column> add(const model::BillLine &line);

private:
    static constexpr std::size_t kColumns = 4; // billed, effective, list, contracted
    using Sums = std::array<std::int64_t, kColumns>; // of absolute amounts, in 1e-9 units
    std::map<base::Currency, Sums> m_sums;
    base::Currency m_lastCurrency; // of the line before: most lines have the same
    Sums *m_last = nullptr;
};

} // namespace gpuledger::focus
