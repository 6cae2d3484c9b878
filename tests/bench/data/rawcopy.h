// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

namespace gpuledger::bench {

// All rows of a cache, in memory, to be written again by SQLite alone: what storing the same rows costs at least. One
// thread.
class RawCopy {
public:
    // Reads the cache in that file, which nothing else writes. Ends the program with a message if it cannot be read.
    explicit RawCopy(const std::filesystem::path &cache);
    ~RawCopy();
    RawCopy(const RawCopy &) = delete;
    RawCopy &operator=(const RawCopy &) = delete;

    std::int64_t rows() const;
    // The time of inserting all rows into a new file with the same tables, indexes, page size, checksums and settings,
    // in `transactions` equal parts of each table, the oldest rows first, and of emptying the log. Excludes creating
    // the tables. Ends the program with a message on failure.
    double writeMs(const std::filesystem::path &file, int transactions) const;

private:
    struct Table;
    struct Rows;
    std::unique_ptr<Rows> m_rows;
};

} // namespace gpuledger::bench
