// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/overview/suggestprint.h"

#include "app/base/text/text.h"
#include "ui/cli/program/output.h"
#include "ui/cli/program/reachprint.h"
#include "ui/format/texttable.h"

#include <algorithm>
#include <utility>

namespace gpuledger::cli {

namespace {

using services::ForecastAnswer;
using services::ScopeForecast;

// A quoted scalar; JSON strings are YAML as well.
std::string yamlText(const std::string &text)
{
    return Json(text).dump(kOneLine, ' ', false, Json::error_handler_t::replace);
}

// Without the zeros at the end of the decimals.
std::string shortDecimal(const base::Money &amount)
{
    std::string text = amount.toDecimal();
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text;
}

std::string namesOf(const std::vector<alerts::Period> &periods)
{
    std::string text;
    for (const alerts::Period &period : periods)
        text += (text.empty() ? "" : ", ") + period.name();
    return text;
}

bool isSuggested(const ScopeForecast &row)
{
    return row.usual && !row.key.empty();
}

std::string budgetLine(const ScopeForecast &row, const std::string &scope, const std::string &label,
                       alerts::PeriodKind kind)
{
    constexpr std::size_t kLongestName = 512;
    const std::string shown = base::printableLine(row.key, kLongestName);
    if (shown != row.key)
        return "  # left out, because of its name: " + shown + '\n';
    const std::string value =
        label.empty() ? yamlText(row.key) : "{ " + yamlText(label) + ": " + yamlText(row.key) + " }";
    return "  - { " + scope + ": " + value + ", period: " + std::string(alerts::toString(kind)) + ", amount: \""
        + shortDecimal(row.usual->amount) + "\" } # from " + namesOf(row.usual->from) + '\n';
}

} // namespace

std::optional<std::string> budgetScope(const std::string &by)
{
    const std::string kind = by.substr(0, by.find(':'));
    constexpr std::pair<std::string_view, std::string_view> kScopes[] = {{"team", "team"},
                                                                         {"cluster", "cluster"},
                                                                         {"gpu-model", "model"},
                                                                         {"project", "project"},
                                                                         {"label", "label"},
                                                                         {"namespace-label", "namespace_label"},
                                                                         {"node-label", "node_label"}};
    for (const auto &[dimension, scope] : kScopes) {
        if (dimension == kind)
            return std::string(scope);
    }
    return std::nullopt;
}

std::string suggestedYaml(const ForecastAnswer &answer, const std::string &by)
{
    const std::string scope = budgetScope(by).value_or("");
    const std::size_t colon = by.find(':');
    const std::string label = colon == std::string::npos ? "" : by.substr(colon + 1);
    std::string lines;
    for (const ScopeForecast &row : answer.rows) {
        if (isSuggested(row))
            lines += budgetLine(row, scope, label, answer.period.kind);
    }
    const std::string kind(alerts::toString(answer.period.kind));
    if (lines.empty())
        return "# no suggestion: it needs two whole " + kind
            + "s of the last three without an unknown day\nbudgets: []\n";
    return "# median of the last three whole " + kind + "s + their spread, rounded up to two digits, in "
        + std::string(answer.currency.code()) + "\nbudgets:\n" + lines;
}

Json suggestedJson(const ForecastAnswer &answer, const std::string &by)
{
    Json budgets = Json::array();
    for (const ScopeForecast &row : answer.rows) {
        if (!isSuggested(row))
            continue;
        Json from = Json::array();
        for (const alerts::Period &period : row.usual->from)
            from.push_back(period.name());
        budgets.push_back(
            {{"key", row.key}, {"amount", cli::toJson(std::optional(row.usual->amount))}, {"from", std::move(from)}});
    }
    return {{"by", by},
            {"period", std::string(alerts::toString(answer.period.kind))},
            {"budgets", std::move(budgets)},
            {"data", cli::toJson(answer.reach)}};
}

std::string suggestedCsv(const ForecastAnswer &answer, const std::string &by)
{
    ui::TextTable table({{by}, {"period"}, {"amount"}, {"currency"}, {"from"}});
    for (const ScopeForecast &row : answer.rows) {
        if (isSuggested(row))
            table.add({row.key, std::string(alerts::toString(answer.period.kind)), row.usual->amount.toDecimal(),
                       std::string(answer.currency.code()), namesOf(row.usual->from)});
    }
    return table.toCsv();
}

} // namespace gpuledger::cli
