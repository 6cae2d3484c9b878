// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::model {
struct SourceSettings;
}

namespace gpuledger::store {
struct SyncState;
}

namespace gpuledger::services {

class Engine;
struct MachineCount;
struct Setup;
struct SourceStatus;
struct SyncReport;

// True if the source lists machines, and its settings don't switch that off.
bool listsMachines(const Engine &engine, const model::SourceSettings &source);
// Reads the machines of such sources at the same time, and stores them together: of each source, all or none. That its
// account may not see them is a warning, no failure. Blocks. One report for each, in their order.
std::vector<SyncReport> syncMachines(Engine &engine, const Setup &setup,
                                     const std::vector<const model::SourceSettings *> &sources,
                                     const std::stop_token &stop);

// The failure of the last list of a source that tells bills, too, where the bill has none. That the account may not see
// machines is none.
void addListFailure(const std::vector<store::SyncState> &states, SourceStatus &status);

// What the last list of the source had; std::nullopt: there was none. Fails with Storage… codes.
base::Result<std::optional<MachineCount>> listedMachines(Engine &engine, const std::string &source);

} // namespace gpuledger::services
