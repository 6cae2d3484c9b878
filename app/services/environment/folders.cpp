// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/environment/folders.h"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

namespace gpuledger::services {

namespace {

std::filesystem::path folderOf(const char *variable, const char *belowHome)
{
    const char *value = std::getenv(variable);
    const std::filesystem::path set = value ? value : "";
    return (set.is_absolute() ? set : homeFolder() / belowHome) / "gpuledger";
}

} // namespace

std::filesystem::path homeFolder()
{
    const char *home = std::getenv("HOME");
    if (home && *home == '/')
        return home;
    const passwd *user = getpwuid(getuid());
    return user && user->pw_dir && *user->pw_dir ? user->pw_dir : "/";
}

std::filesystem::path defaultConfigFile()
{
    return folderOf("XDG_CONFIG_HOME", ".config") / "config.yaml";
}

std::filesystem::path defaultDataFolder()
{
    return folderOf("XDG_DATA_HOME", ".local/share");
}

std::filesystem::path demoDataFolder()
{
    return defaultDataFolder() / "demo";
}

std::filesystem::path defaultLogFile()
{
    return stateFolder() / "gpuledger.log";
}

std::filesystem::path agreedCommandsFile()
{
    return stateFolder() / "agreed-commands.json";
}

std::filesystem::path stateFolder()
{
    return folderOf("XDG_STATE_HOME", ".local/state");
}

} // namespace gpuledger::services
