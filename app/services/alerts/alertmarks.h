// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/run/rulemarks.h"

#include <vector>

namespace gpuledger::model {
struct Settings;
}

namespace gpuledger::services {

struct FiringAlert;

// The rules of the configuration that mark idle workloads (`mark`), with the scopes in which they fire; those that do
// not fire are among them. Pure; any thread; no
// errors.
std::vector<actions::MarkingRule> markingRulesOf(const std::vector<FiringAlert> &firing,
                                                 const model::Settings &settings);

} // namespace gpuledger::services
