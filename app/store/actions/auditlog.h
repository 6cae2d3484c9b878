// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/clockreading.h"
#include "app/base/time/time.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::store {

class Database;

// Values of AuditEvent::action; the object of these is a month ("2026-10").
inline constexpr char kReviewMonth[] = "review-month"; // details: figures
inline constexpr char kReviewTeam[] = "review-team"; // details: team, figures
inline constexpr char kCloseMonth[] = "close-month"; // details: hash, reason, objections
inline constexpr char kDecide[] = "decide"; // details: see app/reports/months/decisions.cpp
inline constexpr char kSettleDecision[] = "settle-decision"; // details: decision, state
// The object of this one is the id of a proposal.
inline constexpr char kChooseSaving[] = "choose-saving"; // details: see app/services/savings/savingschoices.cpp

// An event that is not in the log yet.
struct AuditEvent {
    base::UtcTime at{};
    std::string actor; // a user of the operating system; empty: unknown
    std::string action; // such as kCloseMonth
    std::string object; // what the action applied to
    std::string details; // a JSON object; never contains a secret
};

// An entry of the log. `hash` is the SHA-256 (hexadecimal) of the netstrings ("LENGTH:BYTES,") of sequence and `at` in
// decimal, actor, action, object, details and previous, followed, if there is a clock reading, by its real and steady
// times in decimal and its boot. `previous` is the hash of the preceding entry, empty for the first.
struct AuditEntry {
    std::int64_t sequence = 0; // 1, 2, …
    AuditEvent event;
    std::string previous, hash;
    // The clocks when the entry was written, regardless of any time set with --now; std::nullopt: written by an earlier
    // version.
    std::optional<base::ClockReading> recorded{};
};
std::string hashOf(const AuditEntry &entry);

// Whether the entry states a time more than a minute away from when it was written.
bool isWrittenApart(const AuditEntry &entry);

// The computer's real-time clock was set back between two consecutive entries. Users and time servers may do that, but
// times on both sides of it can't be compared.
struct ClockSetBack {
    std::int64_t sequence = 0; // of the later entry
    base::Seconds by{}; // a lower bound if the system was restarted in between
};
// For a valid log; ignores differences below a minute.
std::vector<ClockSetBack> clockSetBacks(const std::vector<AuditEntry> &entries);

// The log is append-only. The sequence and hash of its last entry are also stored separately, so that a truncated log
// is detected. Call both functions inside a transaction of the caller, so that no other process can write between the
// reading of the clocks and the entry. They fail with Storage… codes.
[[nodiscard]] base::Result<AuditEntry> appendAudit(Database &database, const AuditEvent &event,
                                                   const base::ClockReading &now = base::readClocks());
[[nodiscard]] base::Result<std::vector<AuditEntry>> readAudit(Database &database);
// Reports what is wrong: entries that were changed, removed, inserted or cut off, and entries that the steady clock
// places before their predecessor.
[[nodiscard]] base::Result<void> checkAudit(Database &database, const std::function<void(std::string)> &tell);

} // namespace gpuledger::store
