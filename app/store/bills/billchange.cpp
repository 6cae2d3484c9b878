// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/bills/billchange.h"

#include "app/store/bills/billcolumns.h"

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace gpuledger::store {

using base::Day;
using base::Result;

namespace {

// Takes values one after the other; the finalizer of SplitMix64 (Steele, Lea and Flood, 2014) after each of them.
class Digest {
public:
    void add(std::uint64_t value)
    {
        m_value = (m_value ^ value) + 0x9E3779B97F4A7C15ULL;
        m_value = (m_value ^ (m_value >> 30)) * 0xBF58476D1CE4E5B9ULL;
        m_value = (m_value ^ (m_value >> 27)) * 0x94D049BB133111EBULL;
        m_value ^= m_value >> 31;
    }
    void add(const Statement &row, int column)
    {
        const bool isInteger = row.isInteger(column);
        add(isInteger ? 1 : 2);
        add(isInteger ? static_cast<std::uint64_t>(row.integer(column))
                      : std::hash<std::string_view>{}(row.text(column)));
    }
    std::uint64_t value() const { return m_value; }

private:
    std::uint64_t m_value = 0;
};

// By the items' numbers within the part.
Result<std::vector<std::uint64_t>> itemDigests(Database &database, std::int64_t first, std::int64_t last)
{
    std::vector<std::uint64_t> digests;
    Statement items = database.statement("SELECT * FROM bill_item WHERE id BETWEEN ?1 AND ?2 ORDER BY id");
    GPULEDGER_TRY(items.bind(1, first).bind(2, last).each([&] {
        Digest digest;
        for (int column = 1; column < items.columns(); ++column)
            digest.add(items, column);
        digests.resize(static_cast<std::size_t>(items.integer(0) - first) + 1);
        digests.back() = digest.value();
    }));
    return digests;
}

} // namespace

Result<std::set<Day>> daysOf(Database &database, std::int64_t part)
{
    std::set<Day> days;
    Statement s = database.statement("SELECT DISTINCT day FROM bill_sum WHERE part = ?1");
    GPULEDGER_TRY(s.bind(1, part).each([&] { days.insert({static_cast<std::int32_t>(s.integer(0))}); }));
    return days;
}

Result<DayDigests> digestsOf(Database &database, std::int64_t part)
{
    const std::int64_t first = part << kBillNumberBits, last = first | 0xFFFFFFFFLL;
    const auto items = itemDigests(database, first, last);
    GPULEDGER_TRY(items);
    const auto days = daysOf(database, part);
    GPULEDGER_TRY(days);
    DayDigests digests;
    Statement shares = database.statement("SELECT item, whole, billed, effective, quantity, covers, lines FROM bill_day"
                                          " WHERE day = ?1 AND item BETWEEN ?2 AND ?3");
    for (const Day day : *days) {
        std::uint64_t &sum = digests[day];
        GPULEDGER_TRY(shares.bind(1, std::int64_t{day.number}).bind(2, first).bind(3, last).each([&] {
            Digest share;
            const auto number = static_cast<std::size_t>(shares.integer(0) - first);
            share.add(number < items->size() ? (*items)[number] : 0);
            for (int column = 1; column < shares.columns(); ++column)
                share.add(shares, column);
            sum += share.value();
        }));
    }
    return digests;
}

std::set<Day> changedDays(const DayDigests &before, const DayDigests &now)
{
    std::set<Day> changed;
    for (const auto &[day, digest] : before) {
        const auto same = now.find(day);
        if (same == now.end() || same->second != digest)
            changed.insert(day);
    }
    for (const auto &[day, digest] : now) {
        if (!before.contains(day))
            changed.insert(day);
    }
    return changed;
}

} // namespace gpuledger::store
