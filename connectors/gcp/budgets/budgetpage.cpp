// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/budgets/budgetpage.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/gcp/budgets/budgetscope.h"

#include <string_view>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestBudgetName = 200; // bytes; Google takes 60 characters
constexpr std::int64_t kBudgetNanos = 1'000'000'000; // of a unit
constexpr int kBudgetNanoDigits = 9;

// A whole number of 64 bits, which Google writes as a text; absent: 0.
std::optional<std::int64_t> wholeOf(const Json &value)
{
    if (value.is_null())
        return 0;
    if (value.is_string())
        return base::parseInt(value.get_ref<const std::string &>());
    return value.is_number_integer() && !(value.is_number_unsigned() && value > INT64_MAX)
        ? std::optional(value.get<std::int64_t>())
        : std::nullopt;
}

// {"units":"1000","nanos":500000000}. A limit below zero is none.
std::optional<base::Decimal> limitOf(const Json &money)
{
    const auto units = wholeOf(format::memberOf(money, "units")), nanos = wholeOf(format::memberOf(money, "nanos"));
    if (!units || !nanos || *units < 0 || *nanos < 0 || *nanos >= kBudgetNanos)
        return std::nullopt;
    const std::string digits = std::to_string(*nanos);
    const auto amount = base::Decimal::parse(std::to_string(*units) + '.'
                                             + std::string(kBudgetNanoDigits - digits.size(), '0') + digits);
    return amount ? std::optional(*amount) : std::nullopt;
}

// The limit and its currency; false: they can't be read. No limit: it is what was spent in the period before.
bool setBudgetAmount(const Json &amount, model::CloudBudget &out)
{
    const Json &specified = format::memberOf(amount, "specifiedAmount");
    if (specified.is_null())
        return format::memberOf(amount, "lastPeriodAmount").is_object();
    const Json &currency = format::memberOf(specified, "currencyCode");
    if (!specified.is_object() || (!currency.is_null() && !currency.is_string()))
        return false;
    if (const std::string code = format::textOf(specified, "currencyCode"); !code.empty()) {
        const auto parsed = base::Currency::parse(code);
        if (!parsed)
            return false;
        out.currency = *parsed;
    }
    out.limit = limitOf(specified);
    return out.limit.has_value();
}

// That of the budgets, if those that name one name the same.
base::Currency commonCurrency(const std::vector<model::CloudBudget> &budgets)
{
    base::Currency common;
    for (const model::CloudBudget &one : budgets) {
        if (one.currency == base::Currency() || one.currency == common)
            continue;
        if (common != base::Currency())
            return {};
        common = one.currency;
    }
    return common;
}

} // namespace

std::optional<model::CloudBudget> BudgetPages::budgetOf(const Json &json) const
{
    const std::string name = format::textOf(json, "name");
    model::CloudBudget out;
    out.cloud = "Google Cloud";
    out.account = m_account;
    out.name = base::printableLine(format::textOf(json, "displayName"), kLongestBudgetName);
    if (out.name.empty())
        out.name = base::printableLine(name.substr(name.rfind('/') + 1), kLongestBudgetName);
    const auto scope = budgetScopeOf(format::memberOf(json, "budgetFilter"), m_today);
    if (out.name.empty() || !scope || !setBudgetAmount(format::memberOf(json, "amount"), out))
        return std::nullopt;
    out.scope = scope->words;
    out.isWholeBill = scope->words.empty();
    out.period = scope->period;
    out.first = scope->first;
    out.last = scope->last;
    return out;
}

Result<std::string> BudgetPages::add(const Json &page)
{
    const Json &budgets = format::memberOf(page, "budgets"), &next = format::memberOf(page, "nextPageToken");
    if (!budgets.is_null() && !budgets.is_array())
        return base::fail(ErrorCode::Parse, "the answer of Cloud Billing has no list of budgets");
    if (!next.is_null() && !next.is_string())
        return base::fail(ErrorCode::Parse, "a page of Cloud Billing's budgets has a next one that can't be asked for");
    for (std::size_t i = 0; i < budgets.size(); ++i) {
        const std::string name = format::textOf(budgets[i], "name");
        if (!name.empty() && !m_names.insert(name).second)
            continue;
        if (auto budget = budgetOf(budgets[i]))
            m_budgets.push_back(std::move(*budget));
        else
            ++m_rejected;
    }
    return format::textOf(page, "nextPageToken");
}

ports::BudgetList BudgetPages::finished() const
{
    ports::BudgetList out;
    out.rejected = m_rejected;
    const base::Currency common = commonCurrency(m_budgets);
    for (model::CloudBudget one : m_budgets) {
        if (one.currency == base::Currency())
            one.currency = common;
        if (one.limit && one.currency == base::Currency())
            ++out.rejected;
        else
            out.budgets.push_back(std::move(one));
    }
    return out;
}

} // namespace gpuledger::gcp
