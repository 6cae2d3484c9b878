// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/costsettings.h"

#include "app/base/text/text.h"
#include "connectors/http/url.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::string_view kSubscriptions = "/subscriptions/";

struct Cloud {
    const char *resourceManager, *login;
};
constexpr std::array<Cloud, 3> kClouds{{{"https://management.azure.com", "https://login.microsoftonline.com"},
                                        {"https://management.usgovcloudapi.net", "https://login.microsoftonline.us"},
                                        {"https://management.chinacloudapi.cn", "https://login.chinacloudapi.cn"}}};
constexpr const char *kMachineLogin = "http://169.254.169.254"; // the metadata service of the machine

tl::unexpected<base::Error> wrongSetting(const model::SourceSettings &settings, const std::string &what,
                                         base::Hint hint = {})
{
    return base::fail(
        base::Error::make(ErrorCode::InvalidConfig, "source \"" + settings.name + "\" " + what, std::move(hint))
            .withSource(settings.name));
}

bool consistsOf(std::string_view text, std::string_view others)
{
    return std::all_of(text.begin(), text.end(), [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || others.find(c) != std::string_view::npos;
    });
}

bool isGuid(std::string_view text)
{
    constexpr std::string_view kForm = "00000000-0000-0000-0000-000000000000";
    if (text.size() != kForm.size())
        return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isHex = std::string_view("0123456789abcdefABCDEF").find(text[i]) != std::string_view::npos;
        if (kForm[i] == '-' ? text[i] != '-' : !isHex)
            return false;
    }
    return true;
}

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

std::string lowerCase(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
    return text;
}

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
    if (!hasResources())
        return {};
    const std::string rest = lowerCase(scope).substr(kSubscriptions.size());
    return rest.substr(0, rest.find('/'));
}

std::string CostSettings::identity() const
{
    return lowerCase(scope) + ' ' + tag;
}

Result<CostSettings> CostSettings::of(const model::SourceSettings &settings)
{
    using Kind = model::AuthSettings::Kind;
    const auto option = [&](const char *key) {
        const auto at = settings.options.find(key);
        return at == settings.options.end() ? std::string() : at->second;
    };
    CostSettings out;
    out.scope = scopeOf(option("scope"));
    if (out.scope.empty())
        return wrongSetting(settings,
                            "has a scope that is neither the number of a subscription nor the path of a scope",
                            "set scope of " + settings.name
                                + " to the id of a subscription, or to a path such as "
                                  "/providers/Microsoft.Management/managementGroups/NAME");
    out.tag = option("tag");
    if (!base::isUtf8(out.tag) || out.tag != base::printable(out.tag))
        return wrongSetting(settings, "has a tag that is not plain text");
    if (const std::string text = option("refresh"); !text.empty()) {
        const auto refresh = base::parseDuration(text);
        GPULEDGER_TRY(refresh);
        out.refresh = *refresh;
    }
    const auto addressOf = [&](const std::string &text) -> Result<std::string> {
        const auto url = http::parseUrl(text);
        GPULEDGER_TRY(url);
        std::string origin = url->origin();
        for (const auto &[scheme, port] : {std::pair("https://", ":443"), std::pair("http://", ":80")}) {
            if (origin.starts_with(scheme) && origin.ends_with(port))
                origin.resize(origin.size() - std::string_view(port).size());
        }
        return origin;
    };
    const auto manager = addressOf(settings.url.empty() ? kClouds.front().resourceManager : settings.url);
    GPULEDGER_TRY(manager);
    out.resourceManager = *manager;
    Cloud cloud = kClouds.front(); // a private endpoint, too
    for (const Cloud &one : kClouds) {
        if (*addressOf(one.resourceManager) == out.resourceManager)
            cloud = one;
    }
    out.audience = cloud.resourceManager;
    const bool isMachine = settings.auth.kind == Kind::None;
    const std::string login = option("login");
    const auto from = addressOf(!login.empty() ? login : isMachine ? kMachineLogin : cloud.login);
    GPULEDGER_TRY(from);
    out.login = *from;
    if (settings.auth.kind == Kind::Basic) {
        const auto url = http::parseUrl(out.login);
        if (url->scheme != "https" && !url->loopback())
            return wrongSetting(settings, "would send a secret unencrypted",
                                "set login of " + settings.name + " to an https address");
        out.tenant = option("tenant");
        if (out.tenant.empty() || !consistsOf(out.tenant, "-."))
            return wrongSetting(settings, "has no tenant, which the client credential belongs to",
                                "set tenant of " + settings.name + " to the id of the directory in Microsoft Entra");
    } else if (!isMachine && settings.auth.kind != Kind::Bearer) {
        return wrongSetting(
            settings, "has a form of access that Azure does not know",
            "set auth of " + settings.name
                + " to basic (id and secret of an application), bearer (a token) or none (a managed identity)");
    }
    return out;
}

} // namespace gpuledger::azure
