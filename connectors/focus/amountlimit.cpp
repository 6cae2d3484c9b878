// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/focus/amountlimit.h"

#include <limits>

namespace gpuledger::focus {

std::optional<Column> AmountLimit::add(const model::BillLine &line)
{
    static constexpr std::array kNames{Column::BilledCost, Column::EffectiveCost, Column::ListCost,
                                       Column::ContractedCost};
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    const std::array<std::optional<base::Money>, kColumns> amounts{line.billed, line.effective, line.list,
                                                                   line.contracted};
    if (!m_last || m_lastCurrency != line.billed.currency()) {
        m_lastCurrency = line.billed.currency();
        m_last = &m_sums[m_lastCurrency];
    }
    Sums after = *m_last;
    for (std::size_t i = 0; i < kColumns; ++i) {
        const std::int64_t nanos = amounts[i] ? amounts[i]->nanos() : 0;
        if (nanos == std::numeric_limits<std::int64_t>::min())
            return kNames[i];
        const std::int64_t size = nanos < 0 ? -nanos : nanos;
        if (size > kMost - after[i])
            return kNames[i];
        after[i] += size;
    }
    *m_last = after;
    return std::nullopt;
}

} // namespace gpuledger::focus
