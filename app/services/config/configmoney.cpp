// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/config/confignode.h"

#include <tuple>
#include <utility>

namespace gpuledger::services {

namespace {

model::ExchangeRate readExchangeRate(const ConfigValue &value)
{
    model::ExchangeRate rate;
    ConfigMap map(value, "{ from: EUR, to: USD, rate: \"1.08\", date: 2026-11-01 }");
    if (!map.valid())
        return rate;
    if (const auto from = map.require("from", "from: EUR"))
        rate.from = from->currency().value_or(base::Currency());
    if (const auto to = map.require("to", "to: USD"))
        rate.to = to->currency().value_or(base::Currency());
    if (const auto number = map.require("rate", "rate: \"1.08\"")) {
        rate.rate = number->decimal("\"1.08\"").value_or("");
        const auto amount = base::Money::parse(rate.rate, base::Currency::usd());
        if (amount && amount->isZero())
            number->problem("must be greater than 0");
    }
    if (const auto date = map.require("date", "date: 2026-11-01"))
        rate.date = date->time().value_or(base::UtcTime{});
    map.finish();
    return rate;
}

model::PriceOverride readOverride(const ConfigValue &value)
{
    model::PriceOverride price;
    ConfigMap map(value, "{ gpu_model: \"NVIDIA H100 80GB HBM3\", usd_per_gpu_hour: \"2.49\" }");
    if (!map.valid())
        return price;
    const auto take = [&](std::string_view key, std::string_view example, std::string &into) {
        if (const auto found = map.take(key))
            into = found->text(example).value_or("");
    };
    take("gpu_model", "\"NVIDIA H100 80GB HBM3\"", price.gpuModel);
    take("cluster", "prod", price.cluster);
    take("instance_type", "p4d.24xlarge", price.instanceType);
    take("region", "us-east-1", price.region);
    if (const auto label = map.take("node_label"))
        price.nodeLabels = label->labels("{ pool: a100 }").value_or(model::Labels{});
    if (const auto code = map.take("currency"))
        price.currency = code->currency().value_or(price.currency);
    int prices = 0;
    for (const auto &[key, into] :
         {std::pair{"usd_per_gpu_hour", &price.perGpuHour}, std::pair{"usd_per_hour", &price.perHour},
          std::pair{"per_gpu_hour", &price.perGpuHour}, std::pair{"per_hour", &price.perHour}}) {
        if (const auto found = map.take(key)) {
            *into = found->decimal("\"2.49\"").value_or("");
            ++prices;
        }
    }
    if (map.has("currency") && (map.has("usd_per_gpu_hour") || map.has("usd_per_hour")))
        value.problem("has a currency and a price in USD; with currency, use per_gpu_hour or per_hour");
    if (prices != 1)
        value.problem("must have one price: usd_per_gpu_hour (for one GPU) or usd_per_hour (for the whole instance)");
    if (!map.has("gpu_model") && !map.has("cluster") && !map.has("instance_type") && !map.has("region")
        && !map.has("node_label"))
        value.problem("must say what the price applies to: gpu_model, instance_type, region, cluster or node_label");
    map.finish();
    return price;
}

model::OwnedMachine readOwned(const ConfigValue &value)
{
    model::OwnedMachine machine;
    ConfigMap map(value, "{ node_label: { pool: onprem }, price: \"15000\", years: 4 }");
    if (!map.valid())
        return machine;
    if (const auto label = map.require("node_label", "node_label: { pool: onprem }"))
        machine.nodeLabels = label->labels("{ pool: onprem }").value_or(model::Labels{});
    if (const auto price = map.require("price", "price: \"15000\""))
        machine.price = price->decimal("\"15000\"").value_or("");
    const auto take = [&](std::string_view key, std::string_view example, std::string &into) {
        if (const auto found = map.take(key))
            into = found->decimal(example).value_or("");
    };
    take("residual", "\"3000\"", machine.residual);
    take("power_w", "400", machine.powerW);
    take("pue", "\"1.4\"", machine.pue);
    take("usd_per_kwh", "\"0.12\"", machine.usdPerKwh);
    take("operation_per_year", "\"900\"", machine.operationPerYear);
    if (const auto years = map.take("years"))
        machine.years = years->integer(1, 20).value_or(machine.years);
    map.finish();
    return machine;
}

// The one key that says what the budget is for.
void readBudgetScope(ConfigMap &map, model::Budget &budget)
{
    int scopes = 0;
    for (const auto &[key, by, example] :
         {std::tuple{"team", "team", "vision"}, std::tuple{"cluster", "cluster", "prod"},
          std::tuple{"model", "gpu-model", "\"NVIDIA H100 80GB HBM3\""},
          std::tuple{"project", "project", "ml-platform"}}) {
        if (const auto found = map.take(key)) {
            budget.by = by;
            budget.key = found->text(example).value_or("");
            ++scopes;
        }
    }
    for (const auto &[key, by] : {std::pair{"label", "label:"}, std::pair{"namespace_label", "namespace-label:"},
                                  std::pair{"node_label", "node-label:"}}) {
        const auto found = map.take(key);
        if (!found)
            continue;
        ++scopes;
        const auto labels = found->labels("{ cost-center: \"42\" }");
        if (labels && labels->size() != 1)
            found->problem("must have exactly one label, such as { cost-center: \"42\" }");
        else if (labels) {
            budget.by = by + labels->begin()->first;
            budget.key = labels->begin()->second;
        }
    }
    if (scopes != 1)
        map.value().problem("must say what it is for, with one of team, cluster, model, project, label, "
                            "namespace_label and node_label");
}

void readWarn(const ConfigValue &value, model::Budget &budget)
{
    for (const ConfigValue &one : value.list("[0.8, 1.0]")) {
        const double share = one.number(0, 100).value_or(1);
        if (share <= 0)
            one.problem("must be greater than 0; 0.8 warns at 80 % of the amount");
        budget.warn.push_back(share);
    }
}

} // namespace

void readPrices(const ConfigValue &value, model::PriceSettings &prices)
{
    ConfigMap map(value, "{ overrides: [ … ] }");
    if (!map.valid())
        return;
    if (const auto rates = map.take("exchange_rates")) {
        for (const ConfigValue &one : rates->list("[ { from: EUR, to: USD, rate: \"1.08\", date: 2026-11-01 } ]"))
            prices.exchangeRates.push_back(readExchangeRate(one));
    }
    if (const auto overrides = map.take("overrides")) {
        for (const ConfigValue &one : overrides->list("[ { gpu_model: NAME, usd_per_gpu_hour: \"2.49\" } ]"))
            prices.overrides.push_back(readOverride(one));
    }
    if (const auto owned = map.take("owned")) {
        for (const ConfigValue &one : owned->list("[ { node_label: { pool: onprem }, price: \"15000\" } ]"))
            prices.owned.push_back(readOwned(one));
    }
    readPriceLists(map, prices);
    map.finish();
}

void readSharedCosts(const ConfigValue &value, model::Settings &settings)
{
    static const std::vector<std::string> kWays{"holder", "proportional", "gpu_hours", "even", "own_line"};
    ConfigMap map(value, "{ idle: holder, shared: proportional }");
    if (!map.valid())
        return;
    if (const auto idle = map.take("idle"))
        settings.idleSharing = idle->choice(kWays).value_or(settings.idleSharing);
    if (const auto shared = map.take("shared")) {
        if (!shared->node.IsMap()) {
            settings.sharedCosts = shared->choice(kWays).value_or(settings.sharedCosts);
        } else {
            ConfigMap fixed(*shared, "{ fixed: { vision: 2, speech: 1 } }");
            if (const auto weights = fixed.require("fixed", "fixed: { vision: 2, speech: 1 }")) {
                settings.sharedCosts = "fixed";
                for (const auto &[team, text] : weights->labels("{ vision: 2, speech: 1 }").value_or(model::Labels{})) {
                    const ConfigValue weight{weights->node[team], weights->key + '.' + team, value.reading};
                    settings.sharedWeights[team] = weight.number(0, 1e9).value_or(0);
                }
            }
            fixed.finish();
        }
    }
    map.finish();
}

model::Budget readBudget(const ConfigValue &value)
{
    model::Budget budget;
    ConfigMap map(value, "{ team: vision, period: month, amount: \"120000\" }");
    if (!map.valid())
        return budget;
    readBudgetScope(map, budget);
    if (const auto period = map.require("period", "period: month"))
        budget.period = period->choice({"month", "quarter", "year"}).value_or("");
    if (const auto amount = map.require("amount", "amount: \"120000\"")) {
        budget.amount = amount->decimal("\"120000\"").value_or("");
        const auto money = base::Money::parse(budget.amount, base::Currency::usd());
        if (!budget.amount.empty() && !money)
            amount->problem("is too large for an amount");
        else if (money && money->isZero())
            amount->problem("must be greater than 0");
    }
    if (const auto warn = map.take("warn"))
        readWarn(*warn, budget);
    if (const auto forecast = map.take("forecast"))
        budget.forecast = forecast->boolean().value_or(false);
    if (const auto carry = map.take("carry_over"))
        budget.carryOver = carry->boolean().value_or(false);
    map.finish();
    return budget;
}

void readActions(const ConfigValue &value, model::ActionLimits &actions)
{
    ConfigMap map(value, "{ max_per_action: 10 }");
    if (!map.valid())
        return;
    if (const auto n = map.take("max_per_action"))
        actions.maxPerAction = n->integer(1, 1000).value_or(actions.maxPerAction);
    if (const auto share = map.take("max_team_share"))
        actions.maxTeamShare = share->number(0, 1).value_or(actions.maxTeamShare);
    if (const auto n = map.take("max_per_hour"))
        actions.maxPerHour = n->integer(1, 10'000).value_or(actions.maxPerHour);
    if (const auto wait = map.take("cooldown"))
        actions.cooldown = wait->duration().value_or(actions.cooldown);
    if (const auto oneWay = map.take("irreversible"))
        actions.permitsIrreversible = oneWay->choice({"never", "typed_name"}) == "typed_name";
    if (const auto marked = map.take("stop_marked"))
        actions.stopsMarked = marked->boolean().value_or(false);
    map.finish();
}

} // namespace gpuledger::services
