// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/clockreading.h"
#include "app/base/result.h"
#include "app/base/time.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::store {

class Database;

// What is written into the log, and what of: a month ("2026-10").
inline constexpr char kReviewMonth[] = "review-month"; // details: figures
inline constexpr char kReviewTeam[] = "review-team"; // of a month; details: team, figures
inline constexpr char kCloseMonth[] = "close-month"; // details: hash, reason, objections
inline constexpr char kDecide[] = "decide"; // details: see app/reports/decisions.cpp
inline constexpr char kSettleDecision[] = "settle-decision"; // details: decision, state

// What somebody did, before it has its place in the log.
struct AuditEvent {
    base::UtcTime at{};
    std::string actor; // a user of the operating system; empty: unknown
    std::string action; // such as kCloseMonth
    std::string object; // what it was done to
    std::string details; // a JSON object; no secret
};

// An entry of the log. `hash` is the SHA-256 (hexadecimal) of the netstrings ("LENGTH:BYTES,") of sequence and at in
// decimal, actor, action, object, details and previous, and where there is a reading, of its real and steady time in
// decimal and its boot; `previous` is the hash of the entry before, empty for the first.
struct AuditEntry {
    std::int64_t sequence = 0; // 1, 2, …
    AuditEvent event;
    std::string previous, hash;
    // When it was written, whatever time the command was told to take for now; nothing: by an earlier version.
    std::optional<base::ClockReading> recorded{};
};
std::string hashOf(const AuditEntry &entry);

// Whether it was written at another time than it says, by more than a minute.
bool isWrittenApart(const AuditEntry &entry);

// The real clock of the computer was set back between an entry and the one before it: people and time servers may do
// so, and times of the log can't be compared across it.
struct ClockSetBack {
    std::int64_t sequence = 0; // of the later entry
    base::Seconds by{}; // at least, where the system was started in between
};
// Of a log that holds; less than a minute is not told.
std::vector<ClockSetBack> clockSetBacks(const std::vector<AuditEntry> &entries);

// The log is only ever added to; the last entry's sequence and hash are kept apart, so that a cut tail is found.
// Both inside a transaction of the owner's: there no other process is between the reading of the clocks and the entry.
// Fail with Storage… codes.
[[nodiscard]] base::Result<AuditEntry> appendAudit(Database &database, const AuditEvent &event,
                                                   const base::ClockReading &now = base::readClocks());
[[nodiscard]] base::Result<std::vector<AuditEntry>> readAudit(Database &database);
// Tells what does not hold: entries that were changed, left out, put in or cut off, and such that were written before
// the entry before them by a clock that nobody sets.
[[nodiscard]] base::Result<void> checkAudit(Database &database, const std::function<void(std::string)> &tell);

} // namespace gpuledger::store
