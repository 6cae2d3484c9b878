// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/run/lastround.h"

#include "app/base/files/filereplace.h"

#include <array>
#include <fstream>

namespace gpuledger::actions {

namespace {

std::filesystem::path fileIn(const std::filesystem::path &dataFolder)
{
    return dataFolder / "marks.watched";
}

} // namespace

std::optional<base::UtcTime> lastRound(const std::filesystem::path &dataFolder)
{
    std::ifstream file(fileIn(dataFolder));
    std::array<char, 32> text{};
    file.getline(text.data(), text.size());
    const auto at = base::parseTime(text.data());
    return file && at ? std::optional(*at) : std::nullopt;
}

base::Result<void> setLastRound(const std::filesystem::path &dataFolder, base::UtcTime at)
{
    return base::replaceFile(fileIn(dataFolder), base::toRfc3339(at) + '\n');
}

} // namespace gpuledger::actions
