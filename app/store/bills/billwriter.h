// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/costsource.h"
#include "app/store/bills/billtransaction.h"
#include "app/store/facts/names.h"
#include "app/store/sqlite/database.h"
#include "app/store/values/billed.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace gpuledger::store {

// Writes one delivery inside the writer's transaction, and collects the days that it touches. The first batch of a key
// takes away what was there. Memory does not grow with the number of lines. One object a delivery.
class BillWriter {
public:
    BillWriter(Database &database, std::string source);

    [[nodiscard]] base::Result<void> begin(const std::vector<ports::BillFile> &files, base::UtcTime now);
    // Fails with Overflow (sums of a day that do not fit), InvalidArgument or Storage… codes.
    [[nodiscard]] base::Result<void> accept(const ports::BillBatch &batch);
    // Fails with Overflow where a billing period comes to more than Money holds, with all that is stored of it.
    [[nodiscard]] base::Result<void> finish();

    const std::set<base::Day> &touched() const { return m_touched; }
    // Keys that a delivery with other file names had given before, ascending.
    const std::vector<ReplacedBill> &replaced() const { return m_replaced; }
    // Keys of which another source has lines too: they are counted twice. With that source's name.
    const std::vector<std::pair<model::BillKey, std::string>> &twice() const { return m_twice; }

    // Whether files of exactly these bytes were imported as one delivery, whatever the source was called.
    [[nodiscard]] static base::Result<bool> knows(Database &database, const std::vector<std::string> &sha256);
    // The paths that this delivery had; empty where there is none.
    [[nodiscard]] static base::Result<std::vector<std::string>> pathsOf(Database &database,
                                                                        const std::vector<std::string> &sha256);
    // Of the amounts and times of one line, after those before it in its part.
    static std::int64_t chained(std::int64_t before, const model::BillLine &line);

private:
    struct Part {
        std::int64_t id = 0;
        std::int64_t lines = 0, items = 0;
        std::int64_t checksum = 0;
    };
    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    struct DayShare {
        BillAmounts amounts;
        std::int64_t quantity = 0, lines = 0;
        bool quantityKnown = true, covers = false;
    };
    using DayKey = std::tuple<std::int32_t, std::int64_t, bool>; // day, item, whole

    base::Result<Part *> partOf(const model::BillKey &key);
    base::Result<void> removePart(std::int64_t part);
    base::Result<void> noteReplaced(const model::BillKey &key, std::int64_t part, std::int64_t delivery);
    base::Result<BillTotals> totalsOf(std::int64_t part);
    base::Result<void> checkPeriods();
    base::Result<std::vector<std::string>> filesOf(std::int64_t delivery);
    base::Result<void> put(Part &part, const model::BillLine &line);
    base::Result<std::int64_t> itemOf(Part &part, const model::BillLine &line);
    base::Result<void> putItem(std::int64_t id, const model::BillLine &line);
    base::Result<std::optional<std::int64_t>> textId(const std::string &text);
    base::Result<void> addDays(const Part &part, std::int64_t item, const model::BillLine &line);
    base::Result<void> flushDays();
    void makeItemKey(const Part &part, const model::BillLine &line);

    Database &m_db;
    std::string m_source;
    std::int64_t m_sourceId = 0, m_delivery = 0;
    std::vector<std::string> m_paths;
    std::unique_ptr<Names> m_names;
    std::size_t m_textBytes = 0; // that m_names remembers
    std::map<model::BillKey, Part> m_parts;
    std::unordered_map<std::string, std::int64_t, TextHash, std::equal_to<>> m_items;
    std::size_t m_itemBytes = 0;
    std::string m_itemKey;
    std::map<DayKey, DayShare> m_days;
    std::map<std::tuple<std::int64_t, std::int32_t, base::Currency>, BillAmounts> m_sums; // part, day, currency
    std::vector<std::int64_t> m_seconds;
    std::set<base::Day> m_touched;
    std::vector<ReplacedBill> m_replaced;
    std::vector<std::pair<model::BillKey, std::string>> m_twice;
};

} // namespace gpuledger::store
