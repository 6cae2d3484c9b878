// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/fleet/demooptions.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"

namespace gpuledger::demo {

namespace {

using base::ErrorCode;

base::Result<void> readOption(const std::string &name, const std::string &text, std::int64_t low, std::int64_t high,
                              std::int64_t &value)
{
    const auto number = base::parseInt(text);
    if (!number || *number < low || *number > high)
        return base::fail(ErrorCode::InvalidConfig,
                          "demo source: " + name + " can't be \"" + base::printable(text, 32) + '"',
                          "use a whole number from " + std::to_string(low) + " to " + std::to_string(high));
    value = *number;
    return {};
}

base::Result<base::UtcTime> readMidnight(const std::string &name, const std::string &text)
{
    const auto time = base::parseTime(text);
    if (!time || base::floorTo(*time, base::kDay) != *time)
        return base::fail(ErrorCode::InvalidConfig,
                          "demo source: " + name + " can't be \"" + base::printable(text, 32) + '"',
                          "use a day such as 2026-10-17 instead of \"" + base::printable(text, 32) + '"');
    return *time;
}

} // namespace

base::Result<Options> optionsOf(const model::SourceSettings &settings)
{
    Options options;
    std::int64_t seed = 1, gpus = options.gpus, days = options.days, months = options.months, ending = options.ending;
    std::int64_t heldWhole = 0, clouds = 0;
    for (const auto &[name, text] : settings.options) {
        if (name == "seed")
            GPULEDGER_TRY(readOption(name, text, 0, 1'000'000'000'000, seed));
        else if (name == "gpus" || name == "scale")
            GPULEDGER_TRY(readOption(name, text, 1, 20'000, gpus));
        else if (name == "days")
            GPULEDGER_TRY(readOption(name, text, 1, 400, days));
        else if (name == "months")
            GPULEDGER_TRY(readOption(name, text, 0, 36, months));
        else if (name == "ending")
            GPULEDGER_TRY(readOption(name, text, 0, 60, ending));
        else if (name == "held-whole")
            GPULEDGER_TRY(readOption(name, text, 0, 1, heldWhole));
        else if (name == "clouds")
            GPULEDGER_TRY(readOption(name, text, 0, 1, clouds));
        else if (name == "burst-until") {
            const auto until = readMidnight(name, text);
            GPULEDGER_TRY(until);
            options.burstUntil = *until;
        } else
            return base::fail(ErrorCode::InvalidConfig,
                              "demo source: unknown option \"" + base::printable(name, 64) + '"',
                              base::Remedy::UseDemoOptions);
    }
    options.seed = static_cast<std::uint64_t>(seed);
    options.gpus = static_cast<int>(gpus);
    options.days = static_cast<int>(days);
    options.months = static_cast<int>(months);
    options.ending = static_cast<int>(ending);
    options.heldWhole = heldWhole != 0;
    options.clouds = clouds != 0;
    return options;
}

} // namespace gpuledger::demo
