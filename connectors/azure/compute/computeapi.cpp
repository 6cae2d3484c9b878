// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/compute/computeapi.h"

#include "app/base/remedy.h"
#include "connectors/format/json.h"

#include <set>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kMostListPage = 64u << 20; // bytes

} // namespace

ComputeApi::ComputeApi(const model::SourceSettings &settings, const std::string &subscription,
                       const ResourceManager &manager, ports::SecretStore &secrets,
                       std::shared_ptr<http::HttpClient> client, const Tuning &tuning)
    : m_address(manager.address)
    , m_subscription("/subscriptions/" + subscription)
    , m_api(
          settings,
          std::make_unique<AzureToken>(settings, manager.login, secrets, client, tuning.pause, tuning.timeouts,
                                       tuning.realClock),
          [where = manager.address](const http::Response &response) { return managerErrorOf(response, where); }, client,
          tuning)
{
}

std::string ComputeApi::urlOf(const std::string &list, const std::string &version) const
{
    return m_address + m_subscription + "/providers/Microsoft.Compute/" + list + version;
}

Result<Json> ComputeApi::ask(const ComputeQuestion &question, const std::stop_token &stop)
{
    http::Request request;
    request.url = question.url;
    if (question.isAction)
        request.method = "POST";
    request.headers.emplace_back("Accept", "application/json");
    request.maxBytes = kMostListPage;
    const auto response = m_api.ask(request, stop);
    if (response) {
        m_bytes += response->wireBytes;
        return format::parseJson(response->body);
    }
    base::Error error = response.error();
    if (error.code == ErrorCode::Forbidden) {
        error.text += std::string("; this needs the right ") + question.right;
        error.hint = std::string("assign the role Reader on ") + m_subscription + " to the account of this source";
    } else if (error.code == ErrorCode::NotFound) {
        error.hint = std::string("check subscription of this source: ") + m_subscription;
    }
    return base::fail(std::move(error));
}

Result<void> ComputeApi::eachPage(const ComputeQuestion &list, const Page &take, const std::stop_token &stop)
{
    std::set<std::string> asked;
    for (std::string url = list.url; !url.empty();) {
        if (!asked.insert(url).second)
            return base::fail(ErrorCode::Parse, "the pages of the Resource Manager's list go in a circle",
                              base::Remedy::NextSyncTriesAgain);
        if (asked.size() > list.mostPages)
            return base::fail(ErrorCode::TooMuch,
                              "one list of the Resource Manager has more than " + std::to_string(list.mostPages)
                                  + " pages");
        const bool isFirst = asked.size() == 1;
        const auto page = ask({url, list.right, list.mostPages, list.isAction && isFirst}, stop);
        GPULEDGER_TRY(page);
        GPULEDGER_TRY(take(*page));
        auto next = nextPage(format::textOf(*page, "nextLink"), m_address);
        if (!next)
            return base::fail(ErrorCode::Parse, "the Resource Manager's list can't be read: " + next.error().text);
        url = std::move(*next);
    }
    return {};
}

Result<http::Response> ComputeApi::change(const std::string &url, const std::stop_token &stop)
{
    http::Request request;
    request.method = "POST";
    request.url = url;
    request.once = true;
    request.headers.emplace_back("Accept", "application/json");
    request.maxBytes = 1u << 20;
    return m_api.send(std::move(request), stop);
}

Result<std::unique_ptr<ComputeApi>> makeComputeApi(const model::SourceSettings &settings, ports::SecretStore &secrets,
                                                   std::shared_ptr<http::HttpClient> client, const Tuning &tuning)
{
    const std::string subscription = optionOf(settings, "subscription");
    if (!isGuid(subscription))
        return wrongSetting(settings, "has no subscription, or one that is not the id of a subscription",
                            "set subscription of " + settings.name + " to its id, as az account show prints it");
    const auto manager = ResourceManager::of(settings);
    GPULEDGER_TRY(manager);
    return std::make_unique<ComputeApi>(settings, subscription, *manager, secrets, std::move(client), tuning);
}

} // namespace gpuledger::azure
