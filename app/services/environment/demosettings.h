// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"

#include <filesystem>
#include <map>
#include <string>

namespace gpuledger::services {

// What the user chose about the demo fleet ("gpus", "days", "seed"); what is missing is as the generator has it.
using DemoOptions = std::map<std::string, std::string>;

// The configuration of the built-in demo fleet: one source of kind "demo" and one of its bills, owners
// by the team label or tag, list prices. Its made-up platform keeps what was stopped in the data folder; without one
// nothing can be stopped.
model::Settings demoSettings(const DemoOptions &options = {}, const std::filesystem::path &dataFolder = {});
// Of the fleet that a data folder was filled with, so that everything that opens it later goes on with the same one.
model::Settings keptDemoSettings(const std::filesystem::path &dataFolder);
// Without a choice that of the folder. Two fleets in one cache would be neither: fails with InvalidArgument where
// another one was fetched into the folder.
[[nodiscard]] base::Result<DemoOptions> chooseDemo(const std::filesystem::path &dataFolder, const DemoOptions &options);
// Remembers the choice in the data folder, which is made where it is missing: before the fleet is begun, so that one
// that was cut off is known by it. Fails as base::replaceFile() and as store::createPrivateFolder().
[[nodiscard]] base::Result<void> keepDemoOptions(const std::filesystem::path &dataFolder, const DemoOptions &options);

} // namespace gpuledger::services
