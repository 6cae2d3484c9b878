// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/costs/costsettings.h"

#include "app/base/text/text.h"

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::string_view kSubscriptions = "/subscriptions/";

// The scope as a path; empty: it is none.
std::string scopeOf(std::string text)
{
    if (isGuid(text))
        return std::string(kSubscriptions) + text;
    while (text.ends_with('/'))
        text.pop_back();
    const std::string lower = lowerCase(text);
    const bool isKnown = (lower.starts_with(kSubscriptions) && lower.size() > kSubscriptions.size())
        || lower.starts_with("/providers/microsoft.management/managementgroups/")
        || lower.starts_with("/providers/microsoft.billing/billingaccounts/");
    const bool isPath =
        consistsOf(text, "/-_.:()") && text.find("//") == std::string::npos && text.find("..") == std::string::npos;
    return isKnown && isPath ? text : std::string();
}

} // namespace

bool CostSettings::hasResources() const
{
    return lowerCase(scope).starts_with(kSubscriptions);
}

MachineGroups CostSettings::machineGroups() const
{
    return hasResources() ? MachineGroups::Resource : tag.empty() ? MachineGroups::Subscription : MachineGroups::Tag;
}

std::string CostSettings::subscription() const
{
    return subscriptionIn(scope);
}

std::string CostSettings::identity() const
{
    return lowerCase(scope) + ' ' + tag;
}

Result<CostSettings> CostSettings::of(const model::SourceSettings &settings)
{
    CostSettings out;
    out.scope = scopeOf(optionOf(settings, "scope"));
    if (out.scope.empty())
        return wrongSetting(settings,
                            "has a scope that is neither the number of a subscription nor the path of a scope",
                            "set scope of " + settings.name
                                + " to the id of a subscription, or to a path such as "
                                  "/providers/Microsoft.Management/managementGroups/NAME");
    out.tag = optionOf(settings, "tag");
    if (!base::isUtf8(out.tag) || out.tag != base::printable(out.tag))
        return wrongSetting(settings, "has a tag that is not plain text");
    if (const std::string text = optionOf(settings, "refresh"); !text.empty()) {
        const auto refresh = base::parseDuration(text);
        GPULEDGER_TRY(refresh);
        out.refresh = *refresh;
    }
    auto manager = ResourceManager::of(settings);
    GPULEDGER_TRY(manager);
    out.manager = std::move(*manager);
    return out;
}

} // namespace gpuledger::azure
