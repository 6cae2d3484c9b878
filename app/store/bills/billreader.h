// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/sqlite/database.h"
#include "app/store/values/billed.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gpuledger::store {

// Reads bills on a connection that is in a transaction. One thread.
class BillReader {
public:
    explicit BillReader(Database &database)
        : m_db(database)
    {
    }
    // Ascending by item, items with a day of their own first.
    [[nodiscard]] base::Result<void> onDay(base::Day day, const BilledVisitor &visit);
    // The same, recomputed by splitting each line, with the lines' places. Best called for consecutive days: reads
    // every line that touches a few of them at once.
    [[nodiscard]] base::Result<void> onDayAnew(base::Day day, const BilledVisitor &visit);
    // Days that have any line, ascending.
    [[nodiscard]] base::Result<std::vector<base::Day>> days();
    // The totals that were summed by day while the bills were written: fast.
    [[nodiscard]] base::Result<BillTotals> kept(base::Day first, base::Day last);
    // The same, recomputed by splitting each line: reads every line that touches these days.
    using DayTotals = std::map<base::Day, BillTotals>;
    [[nodiscard]] base::Result<DayTotals> recomputed(base::Day first, base::Day last);
    // For lines on these days; ascending by currency and provider.
    [[nodiscard]] base::Result<std::vector<EffectiveZero>> effectiveZero(base::Day first, base::Day last);
    // Checks the lines of each part against the checksum written with them; calls `damaged` for each mismatch.
    [[nodiscard]] base::Result<void> checkParts(const std::function<void(const std::string &)> &damaged);

private:
    struct LineShare { // the share of one day in the lines of one item
        std::int64_t billed = 0, effective = 0, quantity = 0;
        bool quantityKnown = true, covers = false;
        std::uint64_t lines = 0;
        std::int64_t file = 0, row = 0; // of the first
    };
    using ShareKey = std::tuple<base::Day, bool, std::int64_t>; // day, whole, item
    base::Result<void> readShares(base::Day first, base::Day last);
    base::Result<void> addLine(const Statement &line);
    base::Result<std::string> placeOf(std::int64_t item, const LineShare &share);
    base::Result<const model::BillLine *> itemOf(std::int64_t id);
    base::Result<const std::string *> textOf(std::optional<std::int64_t> id);

    Database &m_db;
    struct Item {
        model::BillLine line;
        std::string source;
    };
    std::unordered_map<std::int64_t, Item> m_items;
    std::unordered_map<std::int64_t, std::string> m_texts;
    std::map<ShareKey, LineShare> m_shares; // of days m_sharesFirst..m_sharesLast
    base::Day m_sharesFirst{1}, m_sharesLast{0};
    std::map<std::pair<std::int64_t, std::int64_t>, std::string> m_paths; // by part and file
    std::vector<std::int64_t> m_seconds;
};

} // namespace gpuledger::store
