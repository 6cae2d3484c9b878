// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/compute/computeapi.h"

#include "app/base/remedy.h"
#include "connectors/format/json.h"
#include "connectors/gcp/billsettings.h"
#include "connectors/gcp/compute/computerefusal.h"
#include "connectors/http/url.h"

#include <set>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;

namespace {

constexpr const char *kComputeApi = "https://compute.googleapis.com";
constexpr std::size_t kMostInstancePages = 1000;
constexpr int kInstancesOfPage = 500; // the most that Google gives

} // namespace

ComputeApi::ComputeApi(const model::SourceSettings &settings, std::string project, std::string api, const char *scope,
                       ports::SecretStore &secrets, std::shared_ptr<http::HttpClient> client,
                       const base::Clock &realClock, const Tuning &tuning)
    : m_project(std::move(project))
    , m_address(api)
    , m_url(api + "/compute/v1/projects/" + m_project)
    , m_api(settings, {"Compute Engine", std::move(api), scope, computeRefusalOf}, secrets, std::move(client),
            realClock, tuning)
{
}

// A zone that is down does not hold up the others; it is told in the answer.
std::string ComputeApi::listUrl(int most, const std::string &pageToken) const
{
    http::Parameters parameters{{"maxResults", std::to_string(most)}, {"returnPartialSuccess", "true"}};
    if (!pageToken.empty())
        parameters.emplace_back("pageToken", pageToken);
    return m_url + "/aggregated/instances?" + http::formEncode(parameters);
}

std::string ComputeApi::urlOf(const std::string &zone, const std::string &name, const std::string &more) const
{
    return m_url + "/zones/" + http::percentEncoded(zone, http::Slashes::Encode) + "/instances/"
        + http::percentEncoded(name, http::Slashes::Encode) + more;
}

Result<void> ComputeApi::eachPage(const Page &take, const std::stop_token &stop)
{
    std::set<std::string> tokens{""};
    for (std::string token;;) {
        const auto page = m_api.ask(listUrl(kInstancesOfPage, token), {}, stop);
        GPULEDGER_TRY(page);
        GPULEDGER_TRY(take(*page));
        token = format::textOf(*page, "nextPageToken");
        if (token.empty())
            return {};
        if (!tokens.insert(token).second)
            return base::fail(ErrorCode::Parse, "the pages of Compute Engine's instances go in a circle",
                              base::Remedy::NextSyncTriesAgain);
        if (tokens.size() > kMostInstancePages)
            return base::fail(ErrorCode::TooMuch,
                              "the project has more than " + std::to_string(kMostInstancePages * kInstancesOfPage)
                                  + " instances");
    }
}

Result<void> ComputeApi::askList(const std::stop_token &stop)
{
    const auto page = m_api.ask(listUrl(1, {}), {}, stop);
    GPULEDGER_TRY(page);
    return {};
}

Result<nlohmann::json> ComputeApi::ask(const std::string &zone, const std::string &name, const std::string &more,
                                       const std::string &body, const std::stop_token &stop)
{
    return m_api.ask(urlOf(zone, name, more), body, stop);
}

Result<http::Response> ComputeApi::change(const std::string &zone, const std::string &name, const std::string &more,
                                          const std::stop_token &stop)
{
    return m_api.change(urlOf(zone, name, more), stop);
}

Result<std::unique_ptr<ComputeApi>> makeComputeApi(const model::SourceSettings &settings, const char *scope,
                                                   ports::SecretStore &secrets, const base::Clock &realClock,
                                                   std::shared_ptr<http::HttpClient> client, const Tuning &tuning)
{
    auto project = projectOf(settings);
    GPULEDGER_TRY(project);
    GPULEDGER_TRY(checkGoogleAccess(settings));
    std::string api = settings.url.empty() ? std::string(kComputeApi) : settings.url;
    GPULEDGER_TRY(http::parseUrl(api));
    while (api.ends_with('/'))
        api.pop_back();
    return std::make_unique<ComputeApi>(settings, std::move(*project), std::move(api), scope, secrets,
                                        std::move(client), realClock, tuning);
}

} // namespace gpuledger::gcp
