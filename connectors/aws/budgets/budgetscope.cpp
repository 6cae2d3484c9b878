// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/budgets/budgetscope.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <array>
#include <vector>

namespace gpuledger::aws {

using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestFilterValue = 200; // bytes of a key or a value
constexpr std::size_t kLongestBudgetScope = 500; // bytes of all words
constexpr const char *kUnreadBudgetFilter = "a filter that can't be read";
constexpr std::string_view kPrimaryView = "primary"; // the bill of the account, with those of its members

// What a budget leaves out if the member of CostTypes is false; absent members are true.
struct LeftOutCosts {
    const char *member;
    const char *words;
};
constexpr std::array<LeftOutCosts, 9> kLeftOutCosts{{{"IncludeTax", "taxes"},
                                                     {"IncludeSubscription", "subscriptions"},
                                                     {"IncludeRefund", "refunds"},
                                                     {"IncludeCredit", "credits"},
                                                     {"IncludeUpfront", "upfront fees"},
                                                     {"IncludeRecurring", "recurring fees"},
                                                     {"IncludeOtherSubscription", "other subscriptions"},
                                                     {"IncludeSupport", "support"},
                                                     {"IncludeDiscount", "discounts"}}};

// Absent members of these are false.
constexpr std::array<LeftOutCosts, 2> kOtherCosts{
    {{"UseBlended", "blended costs"}, {"UseAmortized", "amortized costs"}}};

// The words of a metric; an empty one is as the bill counts.
constexpr std::array<LeftOutCosts, 5> kCostMetricWords{{{"UnblendedCost", ""},
                                                        {"NetUnblendedCost", ""},
                                                        {"BlendedCost", "blended costs"},
                                                        {"AmortizedCost", "amortized costs"},
                                                        {"NetAmortizedCost", "amortized net costs"}}};
constexpr std::array<std::string_view, 3> kQuantityMetrics{"UsageQuantity", "NormalizedUsageAmount", "Hours"};

std::string budgetWords(const std::vector<std::string> &parts, const char *between)
{
    std::string out;
    for (const std::string &part : parts)
        out += (out.empty() ? "" : between) + part;
    return out;
}

std::string shownValue(const std::string &text)
{
    return base::printableLine(text, kLongestFilterValue);
}

// "Service: Amazon EC2, Amazon SageMaker"
std::string valuesWords(const std::string &key, const Json &values)
{
    if (!values.is_array() || values.empty() || shownValue(key).empty())
        return kUnreadBudgetFilter;
    std::vector<std::string> texts;
    for (const Json &one : values) {
        if (!one.is_string())
            return kUnreadBudgetFilter;
        texts.push_back(shownValue(one.get_ref<const std::string &>()));
    }
    return shownValue(key) + ": " + budgetWords(texts, ", ");
}

// {"Key":"SERVICE","Values":["Amazon EC2"],"MatchOptions":["EQUALS"]}; of a tag or a cost category, `kind` is its kind.
std::string matchWords(const char *kind, const Json &match)
{
    const std::string key = format::textOf(match, "Key");
    if (key.empty())
        return kUnreadBudgetFilter;
    std::string how;
    const Json &options = format::memberOf(match, "MatchOptions");
    for (const Json &one : options.is_array() ? options : Json::array()) {
        const std::string option = one.is_string() ? one.get<std::string>() : std::string();
        if (isBudgetWord(option, "ABSENT"))
            return kind + shownValue(key) + ": absent";
        if (!isBudgetWord(option, "EQUALS") && !isBudgetWord(option, "CASE_SENSITIVE"))
            how += ' ' + shownValue(option);
    }
    return kind + valuesWords(key + how, format::memberOf(match, "Values"));
}

std::string filterWords(const Json &expression);

std::string allFilterWords(const Json &members, const char *between)
{
    if (!members.is_array() || members.empty())
        return kUnreadBudgetFilter;
    std::vector<std::string> parts;
    for (const Json &one : members)
        parts.push_back(filterWords(one));
    return budgetWords(parts, between);
}

// At most as deep as format::kMaxJsonDepth.
std::string filterWords(const Json &expression)
{
    if (!expression.is_object() || expression.empty())
        return kUnreadBudgetFilter;
    std::vector<std::string> parts;
    for (const auto &[key, member] : expression.items()) {
        if (member.is_null())
            continue;
        if (key == "Dimensions")
            parts.push_back(matchWords("", member));
        else if (key == "Tags")
            parts.push_back(matchWords("tag ", member));
        else if (key == "CostCategories")
            parts.push_back(matchWords("cost category ", member));
        else if (key == "And")
            parts.push_back(allFilterWords(member, "; "));
        else if (key == "Or")
            parts.push_back('(' + allFilterWords(member, " or ") + ')');
        else if (key == "Not")
            parts.push_back("not (" + filterWords(member) + ')');
        else
            parts.emplace_back(kUnreadBudgetFilter);
    }
    return budgetWords(parts, "; ");
}

// Nothing, {}, or nothing but members that are not set.
bool isUnset(const Json &object)
{
    return object.is_null() || (object.is_object() && std::all_of(object.begin(), object.end(), [](const Json &member) {
                                    return member.is_null();
                                }));
}

// {"Service":["Amazon EC2"],"LinkedAccount":["123456789012"]}
void addFilters(const Json &budget, std::vector<std::string> &words)
{
    const Json &filters = format::memberOf(budget, "CostFilters");
    const Json &expression = format::memberOf(budget, "FilterExpression");
    if (isUnset(filters)) {
        if (!isUnset(expression))
            words.push_back(filterWords(expression));
        return;
    }
    if (!filters.is_object()) {
        words.emplace_back(kUnreadBudgetFilter);
        return;
    }
    for (const auto &[key, values] : filters.items()) {
        if (!values.is_null())
            words.push_back(valuesWords(key, values));
    }
}

void addView(const Json &budget, std::vector<std::string> &words)
{
    const Json &view = format::memberOf(budget, "BillingViewArn");
    if (view.is_null())
        return;
    const std::string arn = format::textOf(budget, "BillingViewArn");
    const std::string name = arn.substr(arn.rfind('/') + 1); // all of it without a slash
    if (arn.empty())
        words.emplace_back(kUnreadBudgetFilter);
    else if (name != kPrimaryView)
        words.push_back("billing view: " + shownValue(name));
}

void addCostTypes(const Json &budget, std::vector<std::string> &words)
{
    const Json &types = format::memberOf(budget, "CostTypes");
    if (types.is_null())
        return;
    bool isReadable = types.is_object();
    const auto flag = [&](const char *member, bool absent) {
        const Json &value = format::memberOf(types, member);
        isReadable = isReadable && (value.is_null() || value.is_boolean());
        return value.is_boolean() ? value.get<bool>() : absent;
    };
    std::vector<std::string> without;
    for (const LeftOutCosts &one : kLeftOutCosts) {
        if (!flag(one.member, true))
            without.emplace_back(one.words);
    }
    if (!without.empty())
        words.push_back("without " + budgetWords(without, ", "));
    for (const LeftOutCosts &one : kOtherCosts) {
        if (flag(one.member, false))
            words.emplace_back(one.words);
    }
    if (!isReadable)
        words.emplace_back("types of costs that can't be read");
}

// Returns whether it counts money.
bool addMetrics(const Json &budget, std::vector<std::string> &words)
{
    const Json &metrics = format::memberOf(budget, "Metrics");
    bool isMoney = true;
    if (metrics.is_null())
        return isMoney;
    if (!metrics.is_array()) {
        words.emplace_back("a metric that can't be read");
        return isMoney;
    }
    for (const Json &one : metrics) {
        const std::string name = one.is_string() ? one.get<std::string>() : std::string();
        const auto isName = [&](std::string_view word) { return isBudgetWord(name, word); };
        const auto known = std::find_if(kCostMetricWords.begin(), kCostMetricWords.end(),
                                        [&](const LeftOutCosts &metric) { return isName(metric.member); });
        if (std::any_of(kQuantityMetrics.begin(), kQuantityMetrics.end(), isName))
            isMoney = false;
        else if (known == kCostMetricWords.end())
            words.push_back(name.empty() ? "a metric that can't be read" : "metric " + shownValue(name));
        else if (known->words[0] != '\0')
            words.emplace_back(known->words);
    }
    return isMoney;
}

} // namespace

bool isBudgetWord(std::string_view text, std::string_view word)
{
    const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };
    return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                      [&](char a, char b) { return upper(a) == upper(b); });
}

BudgetScope BudgetScope::of(const Json &budget)
{
    BudgetScope out;
    std::vector<std::string> words;
    addFilters(budget, words);
    addView(budget, words);
    addCostTypes(budget, words);
    out.isMoney = addMetrics(budget, words);
    out.words = base::printableLine(budgetWords(words, "; "), kLongestBudgetScope);
    return out;
}

} // namespace gpuledger::aws
