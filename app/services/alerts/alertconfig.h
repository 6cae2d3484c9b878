// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/settings.h"

#include <optional>
#include <string>

namespace gpuledger::alerts {
struct Rule;
}

// What the configuration says of an alert rule besides the rule itself. Pure; any thread.
namespace gpuledger::services {

// How long after the mark what is idle is stopped. Only where marks are permitted.
std::optional<base::Seconds> markAfterOf(const model::Settings &settings, const std::string &rule);

// True if the target is one of an escalation and not of the rule: unless a route names it, it hears of an alert of
// the rule when nobody reacts, and not at once.
bool isToldLater(const model::Settings &settings, const std::string &rule, const std::string &target);

// A hash of what the rule watches. Two rules of one definition go on with the same states. Who is told, and how serious
// it is, is not part of it.
std::string definitionOf(const alerts::Rule &rule, const model::Settings &settings);

} // namespace gpuledger::services
