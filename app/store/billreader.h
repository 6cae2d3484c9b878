// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/billed.h"
#include "app/store/database.h"

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>

namespace gpuledger::store {

// Reads bills on a connection that is in a transaction. One thread.
class BillReader {
public:
    explicit BillReader(Database &database)
        : m_db(database)
    {
    }
    // Ascending by item, those with a day of their own first.
    [[nodiscard]] base::Result<void> onDay(base::Day day, const BilledVisitor &visit);
    // Days that any line lies on, ascending.
    [[nodiscard]] base::Result<std::vector<base::Day>> days();
    // What was added up while the bills were written, by day: quick.
    [[nodiscard]] base::Result<BillTotals> kept(base::Day first, base::Day last);
    // The same from the lines themselves, each split anew: reads every line that touches these days.
    using DayTotals = std::map<base::Day, BillTotals>;
    [[nodiscard]] base::Result<DayTotals> recomputed(base::Day first, base::Day last);
    // Of lines that lie on these days; ascending by currency and provider.
    [[nodiscard]] base::Result<std::vector<EffectiveZero>> effectiveZero(base::Day first, base::Day last);
    // Lines of each part against the checksum that was written with them; calls `damaged` for each that differs.
    [[nodiscard]] base::Result<void> checkParts(const std::function<void(const std::string &)> &damaged);

private:
    base::Result<const model::BillLine *> itemOf(std::int64_t id);
    base::Result<const std::string *> textOf(std::optional<std::int64_t> id);

    Database &m_db;
    struct Item {
        model::BillLine line;
        std::string source;
    };
    std::unordered_map<std::int64_t, Item> m_items;
    std::unordered_map<std::int64_t, std::string> m_texts;
};

} // namespace gpuledger::store
