// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/damage/setaside.h"
#include "app/store/sqlite/database.h"

#include <filesystem>
#include <optional>

namespace gpuledger::store {

// Gets out of a damaged cache what can't be fetched again. Works on a copy beside it, which goes with this object; the
// damaged file stays as it is. One thread.
class Salvage {
public:
    explicit Salvage(const std::filesystem::path &damaged);
    ~Salvage();
    Salvage(const Salvage &) = delete;
    Salvage &operator=(const Salvage &) = delete;

    // Corrects single flipped bits and bytes. True: the copy is now whole, checked all through.
    bool correct();
    // After correct(): puts the whole copy where the cache was. Fails with Storage… codes.
    [[nodiscard]] base::Result<void> moveTo(const std::filesystem::path &cache);
    // Copies signed-off months, the audit log, actions and leases into a new cache, in one transaction. False, and
    // nothing was copied: not all of it can be read, or it does not agree with itself. Fails with Storage… codes of
    // the new cache.
    [[nodiscard]] base::Result<bool> carryInto(Database &cache);
    // Nothing: it can't be read.
    std::optional<HeldRecords> held();

private:
    bool copy(const std::filesystem::path &damaged);
    void correctPages();
    void sealSchema();
    bool isWhole();
    void removeCopy();

    std::filesystem::path m_copy; // empty: there is none
};

} // namespace gpuledger::store
