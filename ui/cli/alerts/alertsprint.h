// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/model/settings.h"
#include "app/services/alerts/alertanswer.h"
#include "ui/cli/program/output.h"

#include <string>
#include <vector>

// The answers of `alerts`. Pure; any thread.
namespace gpuledger::cli {

// The rules are those of the settings; routes go with them.
using AlertRoutes = std::vector<model::AlertRoute>;
Json rulesJson(const std::vector<alerts::Rule> &rules, const AlertRoutes &routes, const model::Settings &settings);
std::string rulesCsv(const std::vector<alerts::Rule> &rules, base::Currency currency);
std::string rulesText(const std::vector<alerts::Rule> &rules, const AlertRoutes &routes,
                      const model::Settings &settings, bool bold);

Json evaluationJson(const services::AlertEvaluation &answer);
std::string evaluationCsv(const services::AlertEvaluation &answer); // one line for each scope that fires
std::string evaluationText(const services::AlertEvaluation &answer, const base::TimeZone &zone, bool bold);

Json alertReplayJson(const services::AlertReplay &answer);
std::string alertReplayCsv(const services::AlertReplay &answer);
std::string alertReplayText(const services::AlertReplay &answer, const base::TimeZone &zone, bool bold);

} // namespace gpuledger::cli
