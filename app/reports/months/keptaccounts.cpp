// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/months/keptaccounts.h"

#include <nlohmann/json.hpp>

namespace gpuledger::reports {

namespace {

using Json = nlohmann::ordered_json;

constexpr char kClearing[] = "clearing_account", kDefault[] = "default_account", kAccounts[] = "accounts",
               kAccount[] = "account", kCostCenter[] = "cost_center", kByCategory[] = "by_category",
               kEstimate[] = "include_estimate";

// std::nullopt: missing, or not a string.
std::optional<std::string> textAt(const Json &json, const char *key)
{
    const auto it = json.is_object() ? json.find(key) : json.end();
    return it != json.end() && it->is_string() ? std::optional(it->get<std::string>()) : std::nullopt;
}

bool takeAccounts(const Json &from, std::map<std::string, model::ChargebackAccount> &to)
{
    for (const auto &[team, json] : from.items()) {
        const auto account = textAt(json, kAccount), costCenter = textAt(json, kCostCenter);
        if (!account || !costCenter)
            return false;
        to[team] = {*account, *costCenter};
    }
    return from.is_object();
}

bool takeCategories(const Json &from, std::map<std::string, std::string> &to)
{
    for (const auto &[category, json] : from.items()) {
        if (!json.is_string())
            return false;
        to[category] = json.get<std::string>();
    }
    return from.is_object();
}

} // namespace

std::string textOf(const model::ChargebackSettings &accounts)
{
    Json json{{kClearing, accounts.clearingAccount}, {kDefault, accounts.defaultAccount}};
    json[kAccounts] = Json::object();
    for (const auto &[team, one] : accounts.accounts)
        json[kAccounts][team] = {{kAccount, one.account}, {kCostCenter, one.costCenter}};
    json[kByCategory] = Json::object();
    for (const auto &[category, account] : accounts.byCategory)
        json[kByCategory][category] = account;
    json[kEstimate] = accounts.includeEstimate;
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<model::ChargebackSettings> accountsOf(std::string_view text)
{
    const Json json = Json::parse(text, nullptr, false);
    const auto clearing = textAt(json, kClearing), fallback = textAt(json, kDefault);
    if (!clearing || !fallback)
        return std::nullopt;
    const auto accounts = json.find(kAccounts), categories = json.find(kByCategory), estimate = json.find(kEstimate);
    model::ChargebackSettings out{*clearing, *fallback, {}, {}, false};
    const bool fits = accounts != json.end() && takeAccounts(*accounts, out.accounts) && categories != json.end()
        && takeCategories(*categories, out.byCategory) && estimate != json.end() && estimate->is_boolean();
    if (!fits)
        return std::nullopt;
    out.includeEstimate = estimate->get<bool>();
    return out;
}

} // namespace gpuledger::reports
