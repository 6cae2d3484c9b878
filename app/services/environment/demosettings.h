// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/settings.h"

#include <filesystem>
#include <map>
#include <string>

namespace gpuledger::services {

// The user's choices for the demo fleet ("gpus", "days", "seed"); missing ones use the generator's defaults. "begun", a
// day, is set by begunAt().
using DemoOptions = std::map<std::string, std::string>;

// True if the company has more than the facts of its fleet: twelve months of bills, closed months and past stops. A
// fleet of a chosen number of days has nothing from before them.
bool hasDemoPast(const DemoOptions &options);

// The configuration of the built-in demo fleet: one source of kind "demo" and one for its bills, owners by the team
// label or tag, list prices, and what the company's own machines cost. Its simulated platform stores what was stopped
// in the data folder; without a data folder nothing can be stopped.
model::Settings demoSettings(const DemoOptions &options = {}, const std::filesystem::path &dataFolder = {});
// For the fleet that a data folder was filled with, so that everything that opens it later continues with the same
// fleet.
DemoOptions keptDemoOptions(const std::filesystem::path &dataFolder); // none if no choice was stored
model::Settings keptDemoSettings(const std::filesystem::path &dataFolder);
// The choices with the day on which the fleet is filled, from which its past is counted, unless the folder contains a
// fleet already or the company has no past.
DemoOptions begunAt(base::UtcTime now, DemoOptions options, const std::filesystem::path &dataFolder);
// What a window does before it fills a folder: if no choice is stored and no fleet was fetched into it, stores the day.
// Fails like keepDemoOptions().
[[nodiscard]] base::Result<void> beginDemo(base::UtcTime now, const std::filesystem::path &dataFolder);
// If no choice is given, that of the folder. Two fleets cannot share one cache: fails with InvalidArgument if another
// one was fetched into the folder.
[[nodiscard]] base::Result<DemoOptions> chooseDemo(const std::filesystem::path &dataFolder, const DemoOptions &options);
// Stores the choice in the data folder, which is created if missing, before the fleet is generated, so that an
// interrupted one is recognised by it. Fails like base::replaceFile() and store::createPrivateFolder().
[[nodiscard]] base::Result<void> keepDemoOptions(const std::filesystem::path &dataFolder, const DemoOptions &options);

} // namespace gpuledger::services
