// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/prices/crossoverprint.h"

#include "ui/format/phrases/figures.h"
#include "ui/format/texttable.h"

#include <array>

namespace gpuledger::cli {

using savings::BreakEven;
using savings::Crossover;
using savings::kWholeUse;
using ui::TextTable;

namespace {

// A comparison of two of the three: owning ("own"), a way of renting, "api".
struct CrossoverRow {
    std::string option, other, source;
    std::optional<base::Money> otherPerGpuHour;
    std::optional<BreakEven> breakEven; // absent: unknown
    std::optional<int> afterMonth;
    std::optional<double> tokensPerDay;
};

std::optional<double> tokensOf(const CrossoverAnswer &answer, const std::optional<BreakEven> &breakEven)
{
    if (!breakEven || breakEven->kind != BreakEven::Kind::Above)
        return std::nullopt;
    return savings::tokensPerDay(*answer.question.api.milliTokensPerSecond, *breakEven->use);
}

std::vector<CrossoverRow> crossoverRows(const CrossoverAnswer &answer)
{
    std::vector<CrossoverRow> rows;
    const Crossover &result = answer.result;
    for (const Crossover::Rented &one : result.rents)
        rows.push_back({"own", std::string(toString(one.offer.purchase)), one.offer.source, one.offer.perGpuHour,
                        one.own, one.ownCheaperAfter, std::nullopt});
    if (!answer.isApiAsked)
        return rows;
    rows.push_back(
        {"own", "api", {}, result.apiPerGpuHour, result.ownApi, std::nullopt, tokensOf(answer, result.ownApi)});
    for (const Crossover::Rented &one : result.rents)
        rows.push_back({std::string(toString(one.offer.purchase)), "api", one.offer.source, result.apiPerGpuHour,
                        one.api, std::nullopt, tokensOf(answer, one.api)});
    return rows;
}

std::string kindText(const std::optional<BreakEven> &breakEven)
{
    if (!breakEven)
        return "unknown";
    switch (breakEven->kind) {
    case BreakEven::Kind::Above:
        return "above";
    case BreakEven::Kind::Below:
        return "below";
    case BreakEven::Kind::Always:
        return "always";
    case BreakEven::Kind::Never:
        break;
    }
    return "never";
}

std::optional<double> useOf(const std::optional<BreakEven> &breakEven)
{
    return breakEven ? breakEven->use : std::nullopt;
}

// "above 62.1 %", "never (121.4 %)"
std::string breakEvenText(const std::optional<BreakEven> &breakEven)
{
    const auto use = useOf(breakEven);
    if (!use)
        return kindText(breakEven);
    const std::string share = ui::percentText(use);
    return breakEven->kind == BreakEven::Kind::Never ? "never (" + share + ')' : kindText(breakEven) + ' ' + share;
}

// What is missing, with the option that gives it.
std::vector<std::string> missingOwnOptions(const CrossoverAnswer &answer)
{
    static constexpr std::array kOptions{"--buy", "--residual", "--years",   "--power", "--power-rest",
                                         "--pue", "--kwh",      "--hosting", "--staff"};
    std::vector<std::string> options;
    for (const savings::OwnInput input : missingOf(answer.question.own))
        options.emplace_back(kOptions.at(static_cast<std::size_t>(input)));
    return options;
}

std::vector<std::string> missingApiOptions(const CrossoverAnswer &answer)
{
    std::vector<std::string> options;
    for (const savings::ApiInput input : missingOf(answer.question.api))
        options.push_back("--" + std::string(keyOf(input)));
    return options;
}

std::string joinedOptions(const std::vector<std::string> &options)
{
    std::string text;
    for (const std::string &option : options)
        text += (text.empty() ? "" : ", ") + option;
    return text;
}

Json breakEvenJson(const CrossoverRow &row)
{
    Json json;
    json["option"] = row.option;
    json["against"] = row.other;
    json["source"] = textOrNull(row.source);
    json["against_per_gpu_hour"] = cli::toJson(row.otherPerGpuHour);
    json["cheaper"] = row.breakEven ? Json(kindText(row.breakEven)) : Json(nullptr);
    json["utilization"] = cli::toJson(useOf(row.breakEven));
    json["cheaper_after_month"] = row.afterMonth ? Json(*row.afterMonth) : Json(nullptr);
    json["tokens_per_day"] = cli::toJson(row.tokensPerDay);
    return json;
}

Json ownJson(const CrossoverAnswer &answer)
{
    Json json;
    json["source"] = textOrNull(answer.ownSource);
    json["missing"] = missingOwnOptions(answer);
    json["interest_counted"] = answer.question.own.microInterest.has_value();
    const auto &month = answer.result.month;
    if (month)
        json["per_month"] = {{"depreciation", cli::toJson(std::optional(month->depreciation))},
                             {"interest", cli::toJson(std::optional(month->interest))},
                             {"hosting", cli::toJson(std::optional(month->hosting))},
                             {"staff", cli::toJson(std::optional(month->staff))},
                             {"energy_at_rest", cli::toJson(std::optional(month->energyAtRest))},
                             {"energy_at_load", cli::toJson(std::optional(month->energyAtLoad))}};
    else
        json["per_month"] = nullptr;
    const auto &cost = answer.result.cost;
    json["per_month_at_rest"] = cli::toJson(cost ? std::optional(cost->atRest) : std::nullopt);
    json["per_month_at_load"] = cli::toJson(cost ? std::optional(cost->atLoad) : std::nullopt);
    json["per_used_gpu_hour"] = cli::toJson(answer.result.perUsedHour);
    return json;
}

std::string ownText(const CrossoverAnswer &answer)
{
    if (!answer.result.cost)
        return answer.isOwnAsked ? "own: unknown, missing are " + joinedOptions(missingOwnOptions(answer)) + '\n'
                                 : "own: not asked (--owned or --buy and what belongs to it)\n";
    const savings::MonthCost &cost = *answer.result.cost;
    const std::string use = ui::percentText(static_cast<double>(answer.question.microUse) / kWholeUse);
    const std::string hour =
        answer.result.perUsedHour ? ui::fixed(answer.result.perUsedHour->toDouble(), 4) : std::string("-");
    return "own (" + answer.ownSource + "): " + ui::moneyText(cost.atRest) + " a month without use, "
        + ui::moneyText(cost.atLoad) + " at full use; " + hour + ' ' + std::string(answer.currency.code())
        + " per used GPU-hour at " + use + (answer.question.own.microInterest ? "" : "; interest is not counted")
        + '\n';
}

} // namespace

Json crossoverJson(const CrossoverAnswer &answer)
{
    Json json;
    json["currency"] = std::string(answer.currency.code());
    json["gpu_model"] = textOrNull(answer.gpuModel);
    json["utilization"] = static_cast<double>(answer.question.microUse) / kWholeUse;
    json["own"] = ownJson(answer);
    json["api"] = {{"missing", answer.isApiAsked ? missingApiOptions(answer) : std::vector<std::string>()},
                   {"per_gpu_hour", cli::toJson(answer.result.apiPerGpuHour)}};
    json["items"] = Json::array();
    for (const CrossoverRow &row : crossoverRows(answer))
        json["items"].push_back(breakEvenJson(row));
    json["notes"] = answer.notes;
    return json;
}

std::string crossoverCsv(const CrossoverAnswer &answer)
{
    TextTable table({{"option"},
                     {"against"},
                     {"currency"},
                     {"against_per_gpu_hour"},
                     {"cheaper"},
                     {"utilization"},
                     {"cheaper_after_month"},
                     {"tokens_per_day"},
                     {"source"}});
    for (const CrossoverRow &row : crossoverRows(answer)) {
        const auto use = useOf(row.breakEven);
        table.add({row.option, row.other, std::string(answer.currency.code()),
                   row.otherPerGpuHour ? row.otherPerGpuHour->toDecimal() : "",
                   row.breakEven ? kindText(row.breakEven) : "", use ? ui::fixed(*use, 6) : "",
                   row.afterMonth ? std::to_string(*row.afterMonth) : "",
                   row.tokensPerDay ? ui::fixed(*row.tokensPerDay, 0) : "", row.source});
    }
    return table.toCsv();
}

std::string crossoverText(const CrossoverAnswer &answer, bool bold)
{
    using Align = TextTable::Align;
    std::string text = ownText(answer);
    const auto missing = missingApiOptions(answer);
    if (answer.isApiAsked && !missing.empty())
        text += "api: unknown, missing are " + joinedOptions(missing) + '\n';
    TextTable table({{"option"},
                     {"against"},
                     {std::string(answer.currency.code()) + " per GPU-hour", Align::Right},
                     {"cheaper at utilization"},
                     {"after month", Align::Right},
                     {"tokens a day", Align::Right},
                     {"source"}});
    for (const CrossoverRow &row : crossoverRows(answer))
        table.add({row.option, row.other, row.otherPerGpuHour ? ui::fixed(row.otherPerGpuHour->toDouble(), 4) : "-",
                   breakEvenText(row.breakEven), row.afterMonth ? std::to_string(*row.afterMonth) : "-",
                   row.tokensPerDay ? ui::fixed(*row.tokensPerDay, 0) : "-", row.source.empty() ? "-" : row.source});
    text += table.empty() ? "rent: not asked (--gpu-model, --on-demand, --committed or --spot)\n" : table.toText(bold);
    for (const std::string &note : answer.notes)
        text += note + '\n';
    return text;
}

} // namespace gpuledger::cli
