// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/run/rulemarks.h"

#include <vector>

namespace gpuledger::model {
struct Settings;
}

namespace gpuledger::services {

struct AlertRound;

// The rules of the configuration that mark idle workloads (`mark`), with the scopes in which they fire after `round`;
// those that do not fire are among them. A round that failed evaluated none of them. Pure; any thread; no errors.
std::vector<actions::MarkingRule> markingRulesOf(const base::Result<AlertRound> &round,
                                                 const model::Settings &settings);

} // namespace gpuledger::services
