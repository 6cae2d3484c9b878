// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/insight/idle/rulecurve.h"
#include "app/store/idle/gracechoice.h"
#include "ui/cli/program/output.h"

#include <string>

// Prints the grace windows of a rule with where they come from, and the curve of rules for `replay idle --curve`.
namespace gpuledger::cli {

// "training 6 h, measured: 3.1 % of stops would have been false; notebook 1 h, default: too little past"
std::string graceText(const store::GraceChoices &grace);
Json graceJson(const store::GraceChoices &grace);

Json curveJson(const insight::RuleCurve &curve, model::CostView view);
std::string curveCsv(const insight::RuleCurve &curve); // one row per rule, the one in use last
std::string curveText(const insight::RuleCurve &curve, model::CostView view, const base::TimeZone &zone, bool bold);

} // namespace gpuledger::cli
