// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/prometheus/promrecords.h"

// A file for `promtool test rules`. Pure.
namespace gpuledger::alerts::prom {

// From samples of three GPUs (busy, idle, free) to what is recorded of each scope; and for each rule a value at which
// it fires and one at which it doesn't. `rules`: those that were exported.
std::string testsYaml(const RulesToExport &question, const std::vector<Rule> &rules,
                      const std::set<ScopeAmount> &amounts);

} // namespace gpuledger::alerts::prom
