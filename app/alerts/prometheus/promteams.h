// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/prometheus/promrules.h"

#include <string>
#include <vector>

// The owner rules as an expression. Pure.
namespace gpuledger::alerts::prom {

// Why the team of a pod cannot be written as an expression; empty: it can. Rules on tags and accounts concern bills
// alone.
std::string teamProblem(const std::vector<model::OwnerRule> &rules);
// One series for each pod that holds a GPU, with the labels cluster, holder_namespace, holder_pod and team.
std::string teamExpression(const RulesToExport &question);

} // namespace gpuledger::alerts::prom
