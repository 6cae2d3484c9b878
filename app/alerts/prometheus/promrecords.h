// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/prometheus/promrules.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

// The recording rules: from samples to the GPUs and their cost of each scope, as means of five minutes. Pure.
namespace gpuledger::alerts::prom {

// What is recorded of each scope.
enum class Amount { Held, Busy, Idle, Free, IdleCost, FreeCost };
using ScopeAmount = std::pair<RuleScope, Amount>;

struct Record {
    std::string name, expression;
    std::vector<std::pair<std::string, std::string>> labels;
};

std::string recordName(const ScopeAmount &what); // "gpuledger:team:idle_gpus"
std::vector<std::string> scopeLabels(RuleScope scope); // "team"; "cluster" and "pool"; none of `all`
// What a rule needs; empty if none of them gives its metric.
std::vector<ScopeAmount> amountsOf(const Rule &rule);
bool isCost(Amount amount);

// In the order in which they must be evaluated.
std::vector<Record> recordsFor(const RulesToExport &question, const std::set<ScopeAmount> &amounts);

// An expression whose series have the label `cluster`, as the engine names it.
std::string withCluster(const std::string &expression, const ScrapedSource &source);
// The label `holder_namespace` of a series that may have been renamed by the scrape.
std::string withNamespace(const std::string &expression);

} // namespace gpuledger::alerts::prom
