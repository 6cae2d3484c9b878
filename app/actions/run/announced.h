// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/action.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::actions {

// An object that may have a note about a planned stop (ports::ActionTarget::announce).
struct Announced {
    model::TargetRef target;
    std::vector<std::string> holders; // marked with it
    std::optional<base::UtcTime> until; // as noted there; std::nullopt: the call has not been confirmed

    bool operator==(const Announced &) const = default;
};

// Which objects have such notes, so that they are removed once nothing is planned any more. Kept in a file of the data
// folder, which is written before the call: after a crash it names too many objects, never too few. Empty if the file
// is missing or can't be read. Any process; a writer must hold the ActionLock.
std::vector<Announced> announcedIn(const std::filesystem::path &dataFolder);
// Fails with StorageFull or StorageReadOnly.
[[nodiscard]] base::Result<void> setAnnounced(const std::filesystem::path &dataFolder,
                                              const std::vector<Announced> &all);

} // namespace gpuledger::actions
