// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/commitments/benefitfacts.h"

#include "app/base/text/text.h"
#include "connectors/azure/azurelogin.h"
#include "connectors/azure/resourcemanager.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace gpuledger::azure {

using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestTermWord = 60; // bytes
constexpr std::array<std::int32_t, 3> kMeanDays{30, 7, 1};

struct TermWord {
    std::string_view told, words; // `told` in lower case
};
constexpr std::array<TermWord, 10> kTermWords{{{"p1y", "1 year"},
                                               {"p3y", "3 years"},
                                               {"p5y", "5 years"},
                                               {"p1m", "monthly"}, // the billing plan of a savings plan
                                               {"monthly", "monthly"},
                                               {"upfront", "upfront"},
                                               {"shared", "shared"},
                                               {"single", "single subscription"},
                                               {"resourcegroup", "single resource group"},
                                               {"managementgroup", "management group"}}};

// Of provisioningState, displayProvisioningState and extendedStatusInfo.statusCode, in lower case.
constexpr std::array<std::string_view, 10> kOverStates{"cancelled",     "canceled", "expired",       "failed",
                                                       "billingfailed", "split",    "purchaseerror", "merged",
                                                       "swapped",       "exchanged"};

std::string termWord(const std::string &told)
{
    const std::string lower = lowerCase(told);
    const auto known =
        std::find_if(kTermWords.begin(), kTermWords.end(), [&](const TermWord &one) { return one.told == lower; });
    return known == kTermWords.end() ? base::printableLine(told, kLongestTermWord) : std::string(known->words);
}

bool isOverState(const Json &object, const char *key)
{
    const std::string state = lowerCase(format::textOf(object, key));
    return std::find(kOverStates.begin(), kOverStates.end(), state) != kOverStates.end();
}

// Another one stands in its place.
bool isReplaced(const Json &properties)
{
    return !format::memberOf(format::memberOf(properties, "splitProperties"), "splitDestinations").empty()
        || !format::textOf(format::memberOf(properties, "mergeProperties"), "mergeDestination").empty()
        || !format::textOf(format::memberOf(properties, "swapProperties"), "swapDestination").empty();
}

// {"grain":30.0,"grainUnit":"days","value":78.12,"valueUnit":"percentage"}: the share, if it is that of so many days.
std::optional<double> meanOver(const Json &aggregate, std::int32_t days)
{
    const auto grain = base::parseDouble(format::textOf(aggregate, "grain"));
    const auto percent = base::parseDouble(format::textOf(aggregate, "value"));
    if (!grain || *grain != days || lowerCase(format::textOf(aggregate, "grainUnit")) != "days" || !percent
        || lowerCase(format::textOf(aggregate, "valueUnit")) != "percentage" || !(*percent >= 0 && *percent <= 100))
        return std::nullopt;
    return *percent / 100;
}

} // namespace

BenefitUse BenefitUse::of(const Json &properties, base::Day today)
{
    const Json &means = format::memberOf(format::memberOf(properties, "utilization"), "aggregates");
    if (!means.is_array())
        return {};
    for (const std::int32_t days : kMeanDays) {
        for (const Json &one : means) {
            if (const auto share = meanOver(one, days))
                return {share, base::Day{today.number - days}, base::Day{today.number - 1}};
        }
    }
    return {};
}

std::string benefitTerms(const Json &properties)
{
    const char *scope = format::textOf(properties, "userFriendlyAppliedScopeType").empty()
        ? "appliedScopeType"
        : "userFriendlyAppliedScopeType";
    std::string out;
    for (const char *key : {"term", "billingPlan", scope}) {
        const std::string words = termWord(format::textOf(properties, key));
        if (!words.empty())
            out += (out.empty() ? "" : ", ") + words;
    }
    return out;
}

std::optional<base::UtcTime> benefitEnd(const Json &properties)
{
    if (const auto time = instantIn(properties, "expiryDateTime"))
        return time;
    const auto date = instantIn(properties, "expiryDate");
    return date ? std::optional(base::dayOf(*date).end() - base::Seconds{1}) : std::nullopt;
}

bool isBenefitOver(const Json &properties, base::UtcTime now)
{
    const auto end = benefitEnd(properties);
    return (end && *end <= now) || isReplaced(properties) || isOverState(properties, "provisioningState")
        || isOverState(properties, "displayProvisioningState")
        || isOverState(format::memberOf(properties, "extendedStatusInfo"), "statusCode");
}

} // namespace gpuledger::azure
