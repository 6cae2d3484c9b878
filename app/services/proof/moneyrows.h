// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/proof/proof.h"
#include "app/ledger/days/ledgerpart.h"

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace gpuledger::services {

// Which additions to ledger lines make up a figure, and how much of each. No `amount`: the figure has no such rows.
struct MoneyMeaning {
    std::function<bool(base::Day, const model::LedgerKey &)> isPart;
    std::function<std::int64_t(const model::LedgerKey &, const model::LedgerAmounts &)> amount;
    std::optional<base::Currency> currency; // of the amounts; std::nullopt: they are base::GpuTime
    // For parts of machines: how much of such an amount of a whole line is in the figure; empty: all of it.
    std::function<std::int64_t(const model::LedgerKey &, std::int64_t)> share{};
};

// Collects the source rows of a money figure: the largest in full, the rest as a sum. One object per proof.
class MoneyRows {
public:
    explicit MoneyRows(MoneyMeaning meaning)
        : m_meaning(std::move(meaning))
    {
    }
    // All fail with Overflow.
    [[nodiscard]] base::Result<void> add(const ledger::LedgerPart &part);
    // A line whose additions have all been added. The ledger splits lines as a whole: the largest addition has what is
    // left by rounding.
    [[nodiscard]] base::Result<void> end(const model::LedgerKey &key, const model::LedgerAmounts &amounts);
    [[nodiscard]] base::Result<void> moveTo(insight::Proof &proof);

private:
    struct Row {
        std::int64_t amount = 0;
        insight::MoneyRow row;
    };
    base::Result<void> drop();
    base::Result<void> push(Row row);

    MoneyMeaning m_meaning;
    std::vector<Row> m_rows;
    std::map<model::LedgerKey, std::vector<Row>> m_unsplit; // additions to lines of the day, with their whole amounts
    std::uint64_t m_leftOut = 0;
    std::int64_t m_leftOutSum = 0;
};

} // namespace gpuledger::services
