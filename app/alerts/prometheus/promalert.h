// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/prometheus/promrules.h"

#include <optional>
#include <string>

// One rule as an alerting rule. Pure.
namespace gpuledger::alerts::prom {

// Why the rule cannot be exported, as a clause; empty: it can.
std::string whyNot(const Rule &rule, const RulesToExport &question);

// All of these: of a rule that can be exported.
std::string alertExpression(const Rule &rule);
std::string alertYaml(const Rule &rule, base::Currency currency);
// The annotation `summary` as Prometheus will write it, for a value and a scope that it is told about.
std::string summaryText(const Rule &rule, base::Currency currency, const std::string &scope, double value);
std::string linkText();
std::string commandText();

double boundOf(const Rule &rule); // in its unit
// Monday 00:00 is 0: the longest time in which a rule works without a break. Of a rule that always works: std::nullopt.
struct WorkingSpan {
    int begin = 0, hours = 0; // hours of the week
};
std::optional<WorkingSpan> longestSpan(const Rule &rule);

} // namespace gpuledger::alerts::prom
