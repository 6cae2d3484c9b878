// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/run/rulemarks.h"

#include <vector>

namespace gpuledger::model {
struct Settings;
}

namespace gpuledger::services {

struct AlertEvaluation;

// The rules of the configuration that mark idle workloads (`mark`).
bool hasMarkingRules(const model::Settings &settings);
// These rules, with the scopes in which they fire. Pure; any thread; no errors.
std::vector<actions::MarkingRule> markingRulesOf(const AlertEvaluation &evaluation, const model::Settings &settings);

} // namespace gpuledger::services
