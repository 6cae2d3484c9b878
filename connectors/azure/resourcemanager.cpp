// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/resourcemanager.h"

#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/http/url.h"

#include <algorithm>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kShownRefusal = 300; // bytes
constexpr std::string_view kInSubscription = "/subscriptions/";
constexpr std::size_t kMostRefusal = 64u << 10; // bytes of an error that are read

struct Refusal {
    std::string code, message; // printable
};

// {"error":{"code","message"}}; some services leave out the outer object.
Refusal refusalIn(const std::string &body)
{
    if (body.size() > kMostRefusal)
        return {};
    const auto json = format::parseJson(body);
    if (!json || !json->is_object())
        return {};
    const auto inner = json->find("error");
    const auto &object = inner != json->end() && inner->is_object() ? *inner : *json;
    const auto words = [&](const char *key) { // a server may send a credential back
        return base::printableLine(base::log::redacted(format::textOf(object, key)), kShownRefusal);
    };
    return {words("code"), words("message")};
}

} // namespace

Result<ResourceManager> ResourceManager::of(const model::SourceSettings &settings)
{
    ResourceManager out;
    const auto address = originOf(settings.url.empty() ? kClouds.front().resourceManager : settings.url);
    GPULEDGER_TRY(address);
    out.address = *address;
    const auto known = std::find_if(kClouds.begin(), kClouds.end(),
                                    [&](const Cloud &one) { return out.address == one.resourceManager; });
    const Cloud &cloud = known == kClouds.end() ? kClouds.front() : *known; // a private endpoint, too
    auto login = Login::of(settings, cloud, cloud.resourceManager);
    GPULEDGER_TRY(login);
    out.login = std::move(*login);
    return out;
}

std::optional<base::Error> managerErrorOf(const http::Response &response, const std::string &url)
{
    std::optional<base::Error> error = http::statusError(response, url);
    if (!error) {
        if (response.status == 200 || response.status == 204)
            return std::nullopt;
        return base::Error::make(
            ErrorCode::Server, http::shownUrl(url) + " gave no answer (HTTP " + std::to_string(response.status) + ')');
    }
    const Refusal said = refusalIn(response.body);
    for (const std::string &words : {said.code, said.message}) {
        if (!words.empty())
            error->text += ": " + words;
    }
    return error;
}

std::string managerCodeOf(const http::Response &response)
{
    return refusalIn(response.body).code;
}

Result<std::string> nextPage(std::string nextLink, const std::string &address)
{
    if (nextLink.empty())
        return nextLink;
    const auto url = http::parseUrl(nextLink), server = http::parseUrl(address);
    if (!url || !server || !http::sameOrigin(*url, *server))
        return base::fail(ErrorCode::Parse, "its next page is on another server");
    return nextLink;
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

std::string subscriptionIn(std::string_view path)
{
    const std::string lower = lowerCase(std::string(path));
    if (!lower.starts_with(kInSubscription))
        return {};
    const std::string rest = lower.substr(kInSubscription.size());
    return rest.substr(0, rest.find('/'));
}

std::optional<base::UtcTime> instantIn(const nlohmann::json &object, const char *key)
{
    const auto time = base::parseTime(format::textOf(object, key));
    return time && base::toUnix(*time) > 0 ? std::optional(*time) : std::nullopt;
}

} // namespace gpuledger::azure
