// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/alerts/forecastanswer.h"
#include "ui/cli/program/jsonrows.h"

#include <optional>
#include <string>

// Budgets that `forecast --suggest` prints. Pure; any thread.
namespace gpuledger::cli {

// The key of a budget of the configuration for rows by "team", "gpu-model", "label:app", "project" …; std::nullopt:
// there are no such budgets.
std::optional<std::string> budgetScope(const std::string &by);

// As the configuration has budgets, to be pasted. Rows without a name are left out, because no budget can name them; so
// are names with characters that a terminal should not show, with a comment.
std::string suggestedYaml(const services::ForecastAnswer &answer, const std::string &by);
Json suggestedJson(const services::ForecastAnswer &answer, const std::string &by);
std::string suggestedCsv(const services::ForecastAnswer &answer, const std::string &by);

} // namespace gpuledger::cli
