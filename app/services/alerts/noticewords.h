// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/rules/rule.h"

#include <optional>
#include <string>

// The words of a notice. English. Pure; any thread; no errors.
namespace gpuledger::services {

// "312.40 USD/day", "100 h/day", "81.5 %", "8 GPU"; empty for std::nullopt.
std::string alertValueText(const alerts::Rule &rule, std::optional<std::int64_t> nanos, base::Currency currency);
// "Idle cost of team vision is 312.40 USD/day, above 200 USD/day"; with isOver, "…, was above 200 USD/day".
std::string alertSummary(const alerts::Rule &rule, const std::string &scope, std::optional<std::int64_t> nanos,
                         base::Currency currency, bool isOver);
// "gpuledger://idle?span=day&team=vision": the form of ui/viewmodels/shell/scope.h. Filtered by the scope, unless that
// is everything or a budget.
std::string alertLink(const alerts::Rule &rule, const std::string &scope);
// The link to a page, with this item of its list selected.
std::string alertItemLink(const std::string &link, const std::string &item);
// "3d 4h", "2h 20m", "35m": the two largest units, rounded down; "0m" for less than a minute.
std::string spanText(base::Seconds span);
// What a rule with `mark` does to idle workloads, and how to object.
std::string alertConsequence(base::Seconds markAfter);
// Of a workload that a rule has marked: when it is stopped, and how to object.
std::string markConsequence(base::UtcTime until);
// "gpuledger://idle?span=day&team=vision&at.item=…"; without the team if it is empty.
std::string markLink(const std::string &team, const std::string &item);
// "gpuledger-cli act keep c1/ml/train --until 2026-12-01", quoted for a shell.
std::string keepCommand(const std::string &item, const std::string &date);
// "gpuledger-cli idle --team vision", quoted for a shell.
std::string alertCommand(const alerts::Rule &rule, const std::string &scope);

} // namespace gpuledger::services
