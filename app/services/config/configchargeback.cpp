// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/money/ledgerline.h"
#include "app/services/config/confignode.h"

namespace gpuledger::services {

namespace {

constexpr std::string_view kAccounts = "{ vision: { account: \"6200\", cost_center: CC-17 } }";
constexpr std::string_view kAccount = "{ account: \"6200\", cost_center: CC-17 }";

std::string textOf(ConfigMap &map, std::string_view key, std::string_view example)
{
    const auto found = map.take(key);
    return found ? found->text(example).value_or("") : std::string();
}

model::ChargebackAccount readAccount(const ConfigValue &value)
{
    model::ChargebackAccount account;
    if (value.node.IsScalar()) {
        account.account = value.text(kAccount).value_or("");
        return account;
    }
    ConfigMap map(value, kAccount);
    if (!map.valid())
        return account;
    account.account = textOf(map, "account", "\"6200\"");
    account.costCenter = textOf(map, "cost_center", "CC-17");
    if (!map.has("account") && !map.has("cost_center"))
        value.problem("must have an account, a cost_center or both");
    map.finish();
    return account;
}

// The keys are team names, so any key is allowed.
void readAccounts(const ConfigValue &value, std::map<std::string, model::ChargebackAccount> &accounts)
{
    const ConfigMap map(value, kAccounts);
    if (!map.valid())
        return;
    for (const auto &entry : value.node) {
        if (!entry.first.IsScalar())
            continue;
        const std::string &team = entry.first.Scalar();
        accounts[team] = readAccount({entry.second, value.key + '.' + team, value.reading});
    }
}

void readCategories(const ConfigValue &value, std::map<std::string, std::string> &accounts)
{
    ConfigMap map(value, "{ storage: \"6210\" }");
    if (!map.valid())
        return;
    for (int i = 0; i <= static_cast<int>(model::LedgerCategory::Unexplained); ++i) {
        const std::string category(model::toString(static_cast<model::LedgerCategory>(i)));
        if (const std::string account = textOf(map, category, "\"6210\""); !account.empty())
            accounts[category] = account;
    }
    map.finish();
}

} // namespace

void readChargeback(const ConfigValue &value, model::ChargebackSettings &chargeback)
{
    ConfigMap map(value, "{ clearing_account: \"1590\", accounts: { vision: { account: \"6200\" } } }");
    if (!map.valid())
        return;
    if (const auto clearing = map.require("clearing_account", "clearing_account: \"1590\""))
        chargeback.clearingAccount = clearing->text("\"1590\"").value_or("");
    chargeback.defaultAccount = textOf(map, "default_account", "\"6999\"");
    if (const auto accounts = map.take("accounts"))
        readAccounts(*accounts, chargeback.accounts);
    if (const auto categories = map.take("by_category"))
        readCategories(*categories, chargeback.byCategory);
    if (const auto estimate = map.take("include_estimate"))
        chargeback.includeEstimate = estimate->boolean().value_or(false);
    map.finish();
}

} // namespace gpuledger::services
