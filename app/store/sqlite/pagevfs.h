// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

struct sqlite3;

// SQLite does not notice a flipped bit in a value. So each page of the cache ends with a checksum of it and its number,
// which is written below SQLite, whatever table, index or text of the schema the page is of, and compared whenever
// SQLite reads the page: a damaged one is an error (SQLITE_IOERR_DATA) and never an answer. Files that were made before
// there were checksums are read as they are until migrate() writes them anew. The log has SQLite's own checksums; its
// pages get theirs on their way into the file. Any thread.
namespace gpuledger::store {

inline constexpr int kPageSumBytes = 8; // at the end of each page, as the byte 20 of the file's header says

// The name under which SQLite knows it; registers it the first time.
const char *pageVfs();

// Whether the header of a file says that its pages have checksums; it is 100 bytes long.
bool saysChecksums(const unsigned char *header);

// Of the page without its last eight bytes. Never 0, so that a page of zeros is not taken for a whole one.
std::uint64_t pageSum(std::string_view bytes, std::uint64_t number);
// Whether the whole page `page` ends with the sum of what is before.
bool pageHolds(std::string_view page, std::uint64_t number);

// Whether the pages of the file of this connection have checksums. Reads through its own handle: to open and close
// another one would take SQLite's locks away.
bool hasChecksums(sqlite3 *handle);
// The last page that this connection found damaged since somebody asked.
std::optional<std::int64_t> damagedPage(sqlite3 *handle);

} // namespace gpuledger::store
