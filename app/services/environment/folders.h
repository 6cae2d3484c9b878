// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

// Where the program stores its files, following the XDG base directory specification. An environment variable that is
// not an absolute path is ignored, as the specification requires. Any thread that does not race with setenv.
namespace gpuledger::services {

std::filesystem::path defaultConfigFile(); // $XDG_CONFIG_HOME/gpuledger/config.yaml
std::filesystem::path defaultDataFolder(); // $XDG_DATA_HOME/gpuledger
std::filesystem::path defaultLogFile(); // $XDG_STATE_HOME/gpuledger/gpuledger.log
// The demo fleet's cache, apart from the user's own.
std::filesystem::path demoDataFolder(); // $XDG_DATA_HOME/gpuledger/demo
// The programs that the user has allowed to run for a credential. Not in the data folder, because that may be given to
// others.
std::filesystem::path agreedCommandsFile(); // $XDG_STATE_HOME/gpuledger/agreed-commands.json
std::filesystem::path stateFolder(); // $XDG_STATE_HOME/gpuledger
std::filesystem::path homeFolder();

} // namespace gpuledger::services
