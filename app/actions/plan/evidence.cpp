// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/actions/plan/evidence.h"

#include "app/actions/plan/checkjson.h"

namespace gpuledger::actions {

using Json = nlohmann::ordered_json;

namespace {

Json money(const std::optional<base::Money> &amount)
{
    if (!amount)
        return nullptr;
    return {{"amount", amount->toDecimal()}, {"currency", amount->currency().code()}};
}

Json figures(const insight::IdleItem &item)
{
    Json json{{"id", item.id}, {"owner", item.owner}, {"gpu_model", item.gpuModel}, {"gpus", item.gpus}};
    json["since"] = base::toRfc3339(item.since);
    json["idle_hours"] = item.idleHours;
    json["observed"] = item.observed;
    json["confidence"] = item.chance.hour; // chance that it does no work in the next hour, and in the next day
    json["stays_idle_day"] = item.chance.day;
    json["stays_idle_gaps"] = item.chance.gaps;
    json["expected_back"] = money(item.expectedBack);
    json["expected_lost"] = money(item.expectedLost);
    json["wasted"] = money(item.wasted);
    json["per_month"] = money(item.perMonth);
    return json;
}

std::string textAt(const Json &object, const char *key)
{
    const bool has = object.is_object() && object.contains(key) && object[key].is_string();
    return has ? object[key].get<std::string>() : std::string();
}

std::optional<base::Money> moneyAt(const Json &object, const char *key)
{
    if (!object.contains(key))
        return std::nullopt;
    const auto currency = base::Currency::parse(textAt(object[key], "currency"));
    if (!currency)
        return std::nullopt;
    const auto amount = base::Money::parse(textAt(object[key], "amount"), *currency);
    return amount ? std::optional(*amount) : std::nullopt;
}

} // namespace

std::string evidenceOf(const PlannedStop &stop)
{
    Json checks = Json::array();
    for (const Check &check : stop.checks)
        checks.push_back(jsonOf(check));
    Json items = Json::array();
    for (const insight::IdleItem &item : stop.items)
        items.push_back(figures(item));
    Json losses = Json::array();
    for (const model::Loss loss : stop.target.losses)
        losses.push_back(toString(loss));
    return written({{"checked_at", base::toRfc3339(stop.checkedAt)},
                    {"listed_at", base::toRfc3339(stop.listedAt)},
                    {"checks", std::move(checks)},
                    {"items", std::move(items)},
                    {"losses", std::move(losses)},
                    {"reversible", stop.target.isReversible},
                    {"managers", stop.target.managers},
                    {"despite", stop.despite}});
}

std::vector<Check> checksIn(const std::string &evidence)
{
    std::vector<Check> checks;
    const Json json = Json::parse(evidence, nullptr, false);
    if (!json.is_object() || !json.contains("checks") || !json["checks"].is_array())
        return checks;
    for (const Json &one : json["checks"]) {
        if (auto check = checkFrom(one))
            checks.push_back(std::move(*check));
    }
    return checks;
}

std::optional<ListedItems> itemsIn(const std::string &evidence)
{
    const Json json = Json::parse(evidence, nullptr, false);
    const auto at = base::parseTime(textAt(json, "listed_at"));
    if (!at || !json.contains("items") || !json["items"].is_array())
        return std::nullopt;
    ListedItems out;
    out.listedAt = *at;
    for (const Json &one : json["items"]) {
        out.items.push_back({textAt(one, "id"), one.is_object() ? moneyAt(one, "per_month") : std::nullopt});
        if (out.items.back().id.empty())
            return std::nullopt;
    }
    return out.items.empty() ? std::nullopt : std::optional(std::move(out));
}

} // namespace gpuledger::actions
