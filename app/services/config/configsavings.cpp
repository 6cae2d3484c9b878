// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/confignode.h"

namespace gpuledger::services {

namespace {

model::SpotHistoryFile readSpotHistory(const ConfigValue &value)
{
    model::SpotHistoryFile file;
    ConfigMap map(value, "{ path: interruptions.csv, began: 2026-10-01 }");
    if (!map.valid())
        return file;
    if (const auto path = map.require("path", "path: interruptions.csv"))
        file.path = path->path().value_or("");
    if (const auto began = map.require("began", "began: 2026-10-01"))
        file.began = began->time().value_or(base::UtcTime{});
    map.finish();
    return file;
}

} // namespace

void readSavings(const ConfigValue &value, model::SavingsSettings &savings)
{
    ConfigMap map(value, "{ spot_history: [ … ] }");
    if (!map.valid())
        return;
    if (const auto files = map.take("spot_history")) {
        for (const ConfigValue &one : files->list("[ { path: interruptions.csv, began: 2026-10-01 } ]"))
            savings.spotHistory.push_back(readSpotHistory(one));
    }
    map.finish();
}

} // namespace gpuledger::services
