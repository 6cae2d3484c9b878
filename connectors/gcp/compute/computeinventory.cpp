// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/compute/computeinventory.h"

#include "app/base/remedy.h"
#include "connectors/format/json.h"
#include "connectors/gcp/billsettings.h"
#include "connectors/gcp/compute/computerefusal.h"
#include "connectors/gcp/compute/instancepage.h"
#include "connectors/http/url.h"

#include <set>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;

namespace {

constexpr const char *kComputeApi = "https://compute.googleapis.com";
constexpr const char *kComputeScope = "https://www.googleapis.com/auth/compute.readonly";
constexpr std::size_t kMostInstancePages = 1000;
constexpr int kInstancesOfPage = 500; // the most that Google gives

} // namespace

ComputeInventory::ComputeInventory(const model::SourceSettings &settings, std::string project, std::string api,
                                   ports::SecretStore &secrets, std::shared_ptr<http::HttpClient> client,
                                   const base::Clock &realClock, const Tuning &tuning)
    : m_name(settings.name)
    , m_project(std::move(project))
    , m_url(api + "/compute/v1/projects/" + m_project + "/aggregated/instances")
    , m_api(settings, {"Compute Engine", std::move(api), kComputeScope, computeRefusalOf}, secrets, std::move(client),
            realClock, tuning)
{
}

// A zone that is down does not hold up the others; it is told in the answer.
std::string ComputeInventory::urlOf(int most, const std::string &pageToken) const
{
    http::Parameters parameters{{"maxResults", std::to_string(most)}, {"returnPartialSuccess", "true"}};
    if (!pageToken.empty())
        parameters.emplace_back("pageToken", pageToken);
    return m_url + '?' + http::formEncode(parameters);
}

Result<ports::Inventory> ComputeInventory::read(const std::map<std::string, ports::KnownMachine> &known,
                                                std::stop_token stop)
{
    ports::Inventory inventory;
    std::set<std::string> tokens{""};
    for (std::string token;;) {
        const auto page = m_api.ask(urlOf(kInstancesOfPage, token), {}, stop);
        GPULEDGER_TRY(page);
        GPULEDGER_TRY(addInstances(*page, m_project, known, inventory));
        token = format::textOf(*page, "nextPageToken");
        if (token.empty())
            return inventory;
        if (!tokens.insert(token).second)
            return base::fail(ErrorCode::Parse, "the pages of Compute Engine's instances go in a circle",
                              base::Remedy::NextSyncTriesAgain);
        if (tokens.size() > kMostInstancePages)
            return base::fail(ErrorCode::TooMuch,
                              "the project has more than " + std::to_string(kMostInstancePages * kInstancesOfPage)
                                  + " instances");
    }
}

Result<std::vector<ports::Finding>> ComputeInventory::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    const auto page = m_api.ask(urlOf(1, {}), {}, stop);
    if (page)
        return std::vector<ports::Finding>{{Level::Good, ports::FindingText::RightGiven, {kListRight}, {}, {}}};
    if (page.error().code != ErrorCode::Forbidden)
        return base::fail(page.error());
    return std::vector<ports::Finding>{{Level::Missing, ports::FindingText::MachinesWithheld, {kListRight}, {}, {}}};
}

Result<std::unique_ptr<ports::InventorySource>> makeComputeInventory(const model::SourceSettings &settings,
                                                                     ports::SecretStore &secrets,
                                                                     const base::Clock &realClock,
                                                                     std::shared_ptr<http::HttpClient> client)
{
    GPULEDGER_TRY(ports::wantsMachines(settings));
    auto project = projectOf(settings);
    GPULEDGER_TRY(project);
    GPULEDGER_TRY(checkGoogleAccess(settings));
    std::string api = settings.url.empty() ? std::string(kComputeApi) : settings.url;
    GPULEDGER_TRY(http::parseUrl(api));
    while (api.ends_with('/'))
        api.pop_back();
    return std::make_unique<ComputeInventory>(settings, std::move(*project), std::move(api), secrets, std::move(client),
                                              realClock);
}

} // namespace gpuledger::gcp
