// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/azurelogin.h"

#include "connectors/http/url.h"

#include <algorithm>
#include <utility>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;

namespace {

constexpr const char *kMachineLogin = "http://169.254.169.254"; // the metadata service of the machine

} // namespace

std::string optionOf(const model::SourceSettings &settings, const char *key)
{
    const auto at = settings.options.find(key);
    return at == settings.options.end() ? std::string() : at->second;
}

Result<std::string> originOf(const std::string &text)
{
    const auto url = http::parseUrl(text);
    GPULEDGER_TRY(url);
    std::string origin = url->origin();
    for (const auto &[scheme, port] : {std::pair("https://", ":443"), std::pair("http://", ":80")}) {
        if (origin.starts_with(scheme) && origin.ends_with(port))
            origin.resize(origin.size() - std::string_view(port).size());
    }
    return origin;
}

bool consistsOf(std::string_view text, std::string_view others)
{
    return std::all_of(text.begin(), text.end(), [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
            || others.find(c) != std::string_view::npos;
    });
}

std::string lowerCase(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
    return text;
}

tl::unexpected<base::Error> wrongSetting(const model::SourceSettings &settings, const std::string &what,
                                         base::Hint hint)
{
    return base::fail(
        base::Error::make(ErrorCode::InvalidConfig, "source \"" + settings.name + "\" " + what, std::move(hint))
            .withSource(settings.name));
}

Result<Login> Login::of(const model::SourceSettings &settings, const Cloud &cloud, std::string audience)
{
    using Kind = model::AuthSettings::Kind;
    Login out;
    out.audience = std::move(audience);
    const bool isMachine = settings.auth.kind == Kind::None;
    const std::string login = optionOf(settings, "login");
    const auto from = originOf(!login.empty() ? login : isMachine ? kMachineLogin : cloud.login);
    GPULEDGER_TRY(from);
    out.address = *from;
    if (settings.auth.kind == Kind::Basic) {
        const auto url = http::parseUrl(out.address);
        if (url->scheme != "https" && !url->loopback())
            return wrongSetting(settings, "would send a secret unencrypted",
                                "set login of " + settings.name + " to an https address");
        out.tenant = optionOf(settings, "tenant");
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
