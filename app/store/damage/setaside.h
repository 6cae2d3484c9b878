// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Damaged caches that were set aside. Each lies beside the cache as NAME.damaged-TIME with a record of what it held
// (the same name with .json, 0600). It is reported until the user confirms it, even if the record was never written.
// Any thread.
namespace gpuledger::store {

// The data that cannot be fetched again, as far as they were still readable.
struct HeldRecords {
    std::vector<std::string> closedMonths;
    std::int64_t reviews = 0, auditEntries = 0, actions = 0, leases = 0;
    bool complete = true; // every table could be read
    bool empty() const;
    bool operator==(const HeldRecords &) const = default;
};

// A damaged cache that was set aside, and what was recovered from it.
struct SetAside {
    enum class Outcome {
        Lost, // nothing of it could be recovered
        Carried, // what cannot be fetched again was recovered and checked
        Corrected, // the damage was so small that all of it was corrected
    };
    std::string name; // of the file, in the folder of the cache
    std::string why; // human-readable; empty: unknown
    Outcome outcome = Outcome::Lost;
    std::optional<HeldRecords> held; // std::nullopt: it could not be read, or was not reached
    bool operator==(const SetAside &) const = default;
};

inline constexpr char kConfirmDamage[] = "confirm-damage"; // in the audit log; details: outcome, held

// Checks every page; if one is damaged, sets the cache aside and continues with what can be corrected or recovered. No
// one else may have the cache open. Fails with StorageBusy and other Storage… codes.
[[nodiscard]] base::Result<void> repairCache(const std::filesystem::path &cache);

// Damage that has not been confirmed yet, oldest first.
std::vector<SetAside> unconfirmedDamage(const std::filesystem::path &cache);
// The details for the record and the log entry: a JSON object.
std::string detailsOf(const SetAside &damage);
// Both rewrite the record and sync it. Fail with StorageFull or StorageReadOnly.
[[nodiscard]] base::Result<void> recordDamage(const std::filesystem::path &cache, const SetAside &damage);
[[nodiscard]] base::Result<void> confirmDamage(const std::filesystem::path &cache, const SetAside &damage);

} // namespace gpuledger::store
