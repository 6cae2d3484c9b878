// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/settings.h"

#include <optional>
#include <string>

// What the configuration says of an alert rule besides the rule itself. Pure; any thread.
namespace gpuledger::services {

// How long after the mark what is idle is stopped. Only where marks are permitted.
std::optional<base::Seconds> markAfterOf(const model::Settings &settings, const std::string &rule);

// How long an alert of the rule fires before this target hears of it; std::nullopt: it is told at once.
std::optional<base::Seconds> escalatedAfter(const model::Settings &settings, const std::string &rule,
                                            const std::string &target);

} // namespace gpuledger::services
