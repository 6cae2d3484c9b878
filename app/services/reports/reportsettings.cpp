// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/reports/reportsettings.h"

#include "app/model/settingsequal.h"
#include "app/services/config/config.h"
#include "app/services/config/configedit.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace gpuledger::services {

namespace {

using Json = nlohmann::ordered_json;
using model::OwnerRule;

std::string code(base::Currency currency)
{
    return std::string(currency.code());
}

std::string duration(base::Seconds length)
{
    return std::to_string(length.count()) + 's';
}

Json jsonOf(const model::Labels &labels)
{
    Json json = Json::object();
    for (const auto &[name, value] : labels)
        json[name] = value;
    return json;
}

void putText(Json &json, const char *key, const std::string &text)
{
    if (!text.empty())
        json[key] = text;
}

void putWhere(Json &json, const model::Labels &labels, const std::string &nameSpace)
{
    if (!labels.empty())
        json["label"] = jsonOf(labels);
    putText(json, "namespace", nameSpace);
}

const char *kindOf(const OwnerRule &rule)
{
    switch (rule.kind) {
    case OwnerRule::Kind::Label:
        return "label";
    case OwnerRule::Kind::NamespaceLabel:
        return "namespace_label";
    case OwnerRule::Kind::Namespace:
        return "namespace";
    case OwnerRule::Kind::NodePool:
        return "node_pool";
    case OwnerRule::Kind::CloudTag:
        return "cloud_tag";
    case OwnerRule::Kind::Account:
        return "account";
    case OwnerRule::Kind::Default:
        return "default";
    }
    return "default";
}

Json jsonOf(const OwnerRule &rule)
{
    const bool isDefault = rule.kind == OwnerRule::Kind::Default;
    Json json;
    if (isDefault)
        json[kindOf(rule)] = rule.team;
    else if (rule.key.empty())
        json[kindOf(rule)] = rule.pattern;
    else
        json[kindOf(rule)] = rule.pattern.empty() ? Json(rule.key) : Json{{rule.key, rule.pattern}};
    if (rule.match != OwnerRule::Match::Exact)
        json[rule.match == OwnerRule::Match::Regex ? "regex" : "prefix"] = true;
    if (!isDefault)
        putText(json, "team", rule.team);
    if (rule.from)
        json["from"] = base::toRfc3339(*rule.from);
    if (rule.until)
        json["until"] = base::toRfc3339(*rule.until);
    return json;
}

Json jsonOf(const model::IdleSettings &idle)
{
    Json json{{"threshold", idle.threshold}, {"observed", idle.observed}, {"grace", Json::object()}};
    for (const auto &[kind, length] : idle.grace) {
        if (!idle.graceMeasured.contains(kind))
            json["grace"][std::string(model::toString(kind))] = duration(length);
    }
    json["protect"] = Json::array();
    for (const model::ProtectRule &rule : idle.protect) {
        Json one = Json::object();
        putWhere(one, rule.labels, rule.nameSpace);
        json["protect"].push_back(std::move(one));
    }
    return json;
}

Json jsonOf(const model::PriceOverride &price)
{
    Json json{{"currency", code(price.currency)}};
    putText(json, "gpu_model", price.gpuModel);
    putText(json, "cluster", price.cluster);
    putText(json, "instance_type", price.instanceType);
    putText(json, "region", price.region);
    if (!price.nodeLabels.empty())
        json["node_label"] = jsonOf(price.nodeLabels);
    putText(json, "per_gpu_hour", price.perGpuHour);
    putText(json, "per_hour", price.perHour);
    return json;
}

Json jsonOf(const model::OwnedMachine &machine)
{
    Json json{{"node_label", jsonOf(machine.nodeLabels)}, {"price", machine.price}, {"years", machine.years}};
    putText(json, "residual", machine.residual);
    putText(json, "power_w", machine.powerW);
    putText(json, "pue", machine.pue);
    putText(json, "usd_per_kwh", machine.usdPerKwh);
    putText(json, "operation_per_year", machine.operationPerYear);
    return json;
}

Json jsonOf(const model::PriceSettings &prices)
{
    Json json{{"exchange_rates", Json::array()}, {"overrides", Json::array()}, {"owned", Json::array()}};
    for (const model::ExchangeRate &rate : prices.exchangeRates)
        json["exchange_rates"].push_back({{"from", code(rate.from)},
                                          {"to", code(rate.to)},
                                          {"rate", rate.rate},
                                          {"date", base::toRfc3339(rate.date)}});
    for (const model::PriceOverride &price : prices.overrides)
        json["overrides"].push_back(jsonOf(price));
    for (const model::OwnedMachine &machine : prices.owned)
        json["owned"].push_back(jsonOf(machine));
    return json;
}

// Without spot histories, which are files elsewhere.
Json jsonOf(const model::SavingsSettings &savings)
{
    constexpr std::size_t kDate = 10; // "2026-12-25"
    Json json = Json::object();
    for (const model::TeamCalendar &team : savings.teams) {
        Json one{{"team", team.team}, {"holidays", Json::array()}};
        putText(one, "time_zone", team.timeZone);
        for (const std::int32_t day : team.holidays)
            one["holidays"].push_back(base::toRfc3339(base::Day{day}.start()).substr(0, kDate));
        json["teams"].push_back(std::move(one));
    }
    for (const model::PoolAssumptions &pool : savings.pools) {
        Json one{{"name", pool.name}};
        putText(one, "cluster", pool.cluster);
        if (const auto nodes = pool.values.find("minimum-nodes"); nodes != pool.values.end())
            one["min_nodes"] = nodes->second;
        if (const auto delay = pool.values.find("scale-down-delay"); delay != pool.values.end())
            one["scale_down_after"] = delay->second;
        if (const auto start = pool.values.find("start-up"); start != pool.values.end())
            one["startup"] = start->second;
        json["pools"].push_back(std::move(one));
    }
    for (const auto &[name, value] : savings.assumptions) {
        const std::size_t dot = name.find('.');
        if (dot == std::string::npos)
            json["assumptions"][name] = value;
        else
            json["assumptions"][name.substr(0, dot)][name.substr(dot + 1)] = value;
    }
    return json;
}

Json sharedCosts(const model::Settings &settings)
{
    Json json{{"idle", settings.idleSharing}, {"shared", settings.sharedCosts}};
    if (settings.sharedCosts == "fixed") {
        Json weights = Json::object();
        for (const auto &[team, weight] : settings.sharedWeights)
            weights[team] = weight;
        json["shared"] = Json{{"fixed", std::move(weights)}};
    }
    return json;
}

Json jsonOf(const model::Budget &budget)
{
    Json json{{"period", budget.period}, {"amount", budget.amount}};
    const std::size_t colon = budget.by.find(':');
    std::string scope = budget.by == "gpu-model" ? "model" : budget.by.substr(0, colon);
    std::replace(scope.begin(), scope.end(), '-', '_');
    if (colon == std::string::npos)
        json[scope] = budget.key;
    else
        json[scope] = Json{{budget.by.substr(colon + 1), budget.key}};
    if (!budget.warn.empty())
        json["warn"] = budget.warn;
    json["forecast"] = budget.forecast;
    if (budget.carryOver)
        json["carry_over"] = true;
    return json;
}

} // namespace

base::Result<std::string> reportSettingsText(const model::Settings &settings, const std::string &zone)
{
    Json json{{"version", 1}, {"currency", code(settings.currency)}, {"time_zone", zone}, {"sources", Json::array()}};
    json["owners"] = Json::array();
    for (const OwnerRule &rule : settings.owners)
        json["owners"].push_back(jsonOf(writable(rule)));
    json["workloads"] = Json::array();
    for (const model::WorkloadRule &rule : settings.workloads) {
        Json one = Json::object();
        putWhere(one, rule.labels, rule.nameSpace);
        one["kind"] = std::string(model::toString(rule.kind));
        json["workloads"].push_back(std::move(one));
    }
    if (!settings.environmentLabel.empty())
        json["environments"] = Json{{"label", settings.environmentLabel}};
    json["idle"] = jsonOf(settings.idle);
    json["prices"] = jsonOf(settings.prices);
    json["shared_costs"] = sharedCosts(settings);
    json["budgets"] = Json::array();
    for (const model::Budget &budget : settings.budgets)
        json["budgets"].push_back(jsonOf(budget));
    if (settings.fiscalYearStarts != 1)
        json["fiscal_year_starts"] = settings.fiscalYearStarts;
    if (Json savings = jsonOf(settings.savings); !savings.empty())
        json["savings"] = std::move(savings);
    std::string text = json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
    const ParsedConfig read = parseConfig(text, "/", {});
    std::vector<OwnerRule> owners;
    for (const OwnerRule &rule : settings.owners) {
        owners.push_back(writable(rule));
        owners.back().send.clear(); // a report has no targets
    }
    if (!read.problems.empty() || read.settings.owners != owners)
        return base::fail(
            base::ErrorCode::Internal,
            "the settings of the report could not be written"
                + (read.problems.empty() ? std::string() : ": " + describe(read.problems.front(), "settings")));
    return text;
}

} // namespace gpuledger::services
