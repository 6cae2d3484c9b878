// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>

struct sqlite3;

// SQLite does not detect a flipped bit in a value. So each page of the cache ends with a checksum of its content and
// page number, written below SQLite, whatever table, index or schema text the page belongs to, and verified whenever
// SQLite reads the page: a damaged page is an error (SQLITE_IOERR_DATA) and never an answer. Files created before there
// were checksums are read without them until migrate() rewrites them. The log has SQLite's own checksums; its pages get
// theirs when they are checkpointed into the file. Any thread.
namespace gpuledger::store {

inline constexpr int kPageSumBytes = 8; // at the end of each page, as byte 20 of the file header specifies

// The VFS name registered with SQLite; registers it on the first call.
const char *pageVfs();

// True if a file header (100 bytes) says that its pages have checksums.
bool saysChecksums(const unsigned char *header);

// Checksum of the page without its last eight bytes. Never 0, so that a page of zeros is not taken for an intact one.
std::uint64_t pageSum(std::string_view bytes, std::uint64_t number);
// True if `page` ends with the checksum of what precedes it.
bool pageHolds(std::string_view page, std::uint64_t number);

// True if the pages of this connection's file have checksums. Reads through its own handle: opening and closing another
// one would release SQLite's locks.
bool hasChecksums(sqlite3 *handle);
// The last page that this connection found damaged since the previous call.
std::optional<std::int64_t> damagedPage(sqlite3 *handle);

// All damaged pages of this connection's file, whatever they belong to; reads the whole file. std::nullopt: it can't be
// read.
std::optional<std::set<std::int64_t>> damagedPages(sqlite3 *handle);
// From now on these pages read as zeros while they are damaged, so that VACUUM can overwrite them. Nothing may belong
// to them. Null: none any more; the set must live until then.
void overlookDamage(sqlite3 *handle, const std::set<std::int64_t> *unused);

} // namespace gpuledger::store
