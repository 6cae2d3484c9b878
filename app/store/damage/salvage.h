// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/damage/setaside.h"
#include "app/store/sqlite/database.h"

#include <filesystem>
#include <optional>

namespace gpuledger::store {

// Recovers from a damaged cache the data that cannot be fetched again. Works on a copy beside it, which is removed with
// this object; the damaged file stays unchanged. One thread.
class Salvage {
public:
    explicit Salvage(const std::filesystem::path &damaged);
    ~Salvage();
    Salvage(const Salvage &) = delete;
    Salvage &operator=(const Salvage &) = delete;

    // Corrects single flipped bits and bytes. True: the copy is now intact, and fully checked.
    bool correct();
    // After correct(): moves the intact copy to the cache's path. Fails with Storage… codes.
    [[nodiscard]] base::Result<void> moveTo(const std::filesystem::path &cache);
    // Copies signed-off months, the audit log, actions and leases into a new cache, in one transaction. False, with
    // nothing copied: not all of it is readable, or it is inconsistent. Then, apart from them, the price lists with
    // their history, and the alerts with their notices, each if all of it is readable. Fails with Storage… codes of the
    // new cache.
    [[nodiscard]] base::Result<bool> carryInto(Database &cache);
    // std::nullopt: it cannot be read.
    std::optional<HeldRecords> held();

private:
    bool copy(const std::filesystem::path &damaged);
    void correctPages();
    void sealSchema();
    bool isWhole();
    void removeCopy();

    std::filesystem::path m_copy; // empty: there is no copy
};

} // namespace gpuledger::store
