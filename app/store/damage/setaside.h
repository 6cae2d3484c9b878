// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Damaged caches that were set aside. Each lies beside the cache as NAME.damaged-TIME with a record of what it held
// (the same with .json, 0600). It is spoken of until somebody confirms it, also where the record was never written.
// Any thread.
namespace gpuledger::store {

// What can't be fetched again, as far as it could still be read.
struct HeldRecords {
    std::vector<std::string> closedMonths;
    std::int64_t reviews = 0, auditEntries = 0, actions = 0, leases = 0;
    bool complete = true; // every table could be read
    bool empty() const;
    bool operator==(const HeldRecords &) const = default;
};

struct SetAside {
    enum class Outcome {
        Lost, // nothing of it could be taken over
        Carried, // what can't be fetched again was taken over, each of it checked
        Corrected, // the damage was so small that all of it could be put right
    };
    std::string name; // of the file, in the folder of the cache
    std::string why; // in plain words; empty: unknown
    Outcome outcome = Outcome::Lost;
    std::optional<HeldRecords> held; // nothing: it could not be read, or nobody got to it
    bool operator==(const SetAside &) const = default;
};

inline constexpr char kConfirmDamage[] = "confirm-damage"; // in the audit log; details: outcome, held

// Looks at every page; sets the cache aside where one is damaged, and goes on with what of it can be put right or taken
// over. Nobody else may have it open. Fails with StorageBusy and other Storage… codes.
[[nodiscard]] base::Result<void> repairCache(const std::filesystem::path &cache);

// What nobody has confirmed yet, oldest first.
std::vector<SetAside> unconfirmedDamage(const std::filesystem::path &cache);
// What the record, and the entry of the log, say of it: a JSON object.
std::string detailsOf(const SetAside &damage);
// Both write the record anew and sync it. Fail with StorageFull or StorageReadOnly.
[[nodiscard]] base::Result<void> recordDamage(const std::filesystem::path &cache, const SetAside &damage);
[[nodiscard]] base::Result<void> confirmDamage(const std::filesystem::path &cache, const SetAside &damage);

} // namespace gpuledger::store
