// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"

#include <filesystem>
#include <map>
#include <string>

namespace gpuledger::services {

// The user's choices for the demo fleet ("gpus", "days", "seed"); missing ones use the generator's defaults.
using DemoOptions = std::map<std::string, std::string>;

// The configuration of the built-in demo fleet: one source of kind "demo" and one for its bills, owners by the team
// label or tag, list prices. Its simulated platform stores what was stopped in the data folder; without a data folder
// nothing can be stopped.
model::Settings demoSettings(const DemoOptions &options = {}, const std::filesystem::path &dataFolder = {});
// For the fleet that a data folder was filled with, so that everything that opens it later continues with the same
// fleet.
model::Settings keptDemoSettings(const std::filesystem::path &dataFolder);
// If no choice is given, that of the folder. Two fleets cannot share one cache: fails with InvalidArgument if another
// one was fetched into the folder.
[[nodiscard]] base::Result<DemoOptions> chooseDemo(const std::filesystem::path &dataFolder, const DemoOptions &options);
// Stores the choice in the data folder, which is created if missing, before the fleet is generated, so that an
// interrupted one is recognised by it. Fails like base::replaceFile() and store::createPrivateFolder().
[[nodiscard]] base::Result<void> keepDemoOptions(const std::filesystem::path &dataFolder, const DemoOptions &options);

} // namespace gpuledger::services
