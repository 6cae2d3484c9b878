// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/managerlist.h"

#include "connectors/format/json.h"
#include "connectors/format/numbertext.h"

#include <set>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kMostManagerPage = 16u << 20; // bytes
constexpr http::Milliseconds kLongestThrottle{60'000};

tl::unexpected<base::Error> unreadList(const std::string &name, const std::string &why)
{
    return base::fail(ErrorCode::Parse, "Azure's list of " + name + " can't be read: " + why);
}

} // namespace

ManagerList::ManagerList(const model::SourceSettings &settings, const ResourceManager &manager,
                         ports::SecretStore &secrets, Judge judge, const std::shared_ptr<http::HttpClient> &client,
                         const Tuning &tuning)
    : m_address(manager.address)
    , m_api(settings,
            std::make_unique<AzureToken>(settings, manager.login, secrets, client, tuning.pause, tuning.timeouts,
                                         tuning.realClock),
            std::move(judge), client, tuning)
{
}

Result<Json> ManagerList::page(const std::string &url, const std::string &name, const std::stop_token &stop)
{
    http::Request request;
    request.url = url;
    request.headers.emplace_back("Accept", "application/json");
    request.headers.emplace_back("ClientType", "GPULedger"); // a quota of its own
    request.maxBytes = kMostManagerPage;
    const auto response = m_api.ask(request, stop);
    GPULEDGER_TRY(response);
    if (response->status == 204) { // there are none
        Json none;
        none["value"] = Json::array();
        return none;
    }
    auto json = format::parseWithNumbersAsText(response->body);
    if (!json)
        return unreadList(name, json.error().text);
    return json;
}

Result<void> ManagerList::eachPage(const Question &question, const TakePage &take, const std::stop_token &stop)
{
    std::set<std::string> asked;
    std::string url = m_address + question.path;
    while (!url.empty()) {
        if (!asked.insert(url).second)
            return unreadList(question.name, "its pages go in a circle");
        if (asked.size() > kMostPages)
            return base::fail(ErrorCode::TooMuch,
                              "Azure's list of " + question.name + " has more than " + std::to_string(kMostPages)
                                  + " pages");
        const auto one = page(url, question.name, stop);
        GPULEDGER_TRY(one);
        GPULEDGER_TRY(take(*one));
        auto next = nextPage(format::textOf(*one, "nextLink"), m_address);
        if (!next)
            return unreadList(question.name, next.error().text);
        url = std::move(*next);
    }
    return {};
}

Tuning promptTuning(const base::Clock &realClock)
{
    Tuning tuning;
    tuning.realClock = &realClock;
    tuning.throttled.budget = kLongestThrottle;
    return tuning;
}

} // namespace gpuledger::azure
