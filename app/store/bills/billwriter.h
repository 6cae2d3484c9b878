// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/costsource.h"
#include "app/store/bills/billchange.h"
#include "app/store/names/names.h"
#include "app/store/sqlite/database.h"
#include "app/store/values/billed.h"
#include "app/store/values/billfindings.h"

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

// Writes one delivery inside the writer's transaction, and collects the days that it touches. The first batch for a key
// removes what was stored for it. Memory does not grow with the number of lines. One object per delivery.
class BillWriter {
public:
    BillWriter(Database &database, std::string source);

    [[nodiscard]] base::Result<void> begin(const std::vector<ports::BillFile> &files, base::UtcTime now);
    // Fails with Overflow (a day's sums do not fit), InvalidArgument or Storage… codes.
    [[nodiscard]] base::Result<void> accept(const ports::BillBatch &batch);
    // Fails with Overflow if a billing period, including everything stored for it, exceeds what Money can hold.
    [[nodiscard]] base::Result<void> finish();

    // After finish(): the days of which the stored bills say something else than before.
    const std::set<base::Day> &touched() const { return m_touched; }
    // Keys that an earlier delivery with other file names had already supplied, ascending.
    const std::vector<ReplacedBill> &replaced() const { return m_replaced; }
    // Keys for which another source has lines too, so that they are counted twice; with that source's name.
    const std::vector<std::pair<model::BillKey, std::string>> &twice() const { return m_twice; }

    // True if files of exactly these bytes were imported as one delivery, under any source name.
    [[nodiscard]] static base::Result<bool> knows(Database &database, const std::vector<std::string> &sha256);
    // The paths of this delivery; empty if there is none.
    [[nodiscard]] static base::Result<std::vector<std::string>> pathsOf(Database &database,
                                                                        const std::vector<std::string> &sha256);
    // Chained checksum of a line's amounts and times, continuing that of the lines before it in its part.
    static std::int64_t chained(std::int64_t before, const model::BillLine &line);

private:
    struct Part {
        std::int64_t id = 0;
        std::int64_t lines = 0, items = 0;
        std::int64_t checksum = 0;
        DayDigests before; // of the part that it replaces
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
    base::Result<void> findTouched();
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
    std::size_t m_textBytes = 0; // bytes held by m_names
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
