// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/budgets/azurebudgets.h"

#include "app/base/remedy.h"
#include "connectors/azure/budgets/budgetpage.h"
#include "connectors/format/json.h"
#include "connectors/format/numbertext.h"

#include <set>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kMostBudgetPage = 16u << 20; // bytes
constexpr http::Milliseconds kLongestThrottle{60'000};

// Why Azure gave no budgets, in its own words, too; std::nullopt: it did.
std::optional<base::Error> budgetRefusal(const http::Response &response, const std::string &address,
                                         const std::string &scope)
{
    std::optional<base::Error> error = managerErrorOf(response, address);
    if (!error)
        return std::nullopt;
    if (response.status == 403) {
        error->text += std::string("; this needs the right ") + kBudgetsRight;
        error->hint = base::text(base::Remedy::AllowAzureBudgets);
    } else if (response.status == 400 || response.status == 404) {
        error->text += "; Azure may keep no budgets at the scope " + scope;
        error->hint = std::string("check scope of this source: ") + scope;
    }
    return error;
}

} // namespace

AzureBudgets::AzureBudgets(const model::SourceSettings &settings, std::string scope, const ResourceManager &manager,
                           ports::SecretStore &secrets, const base::Clock &clock,
                           std::shared_ptr<http::HttpClient> client, const Tuning &tuning)
    : m_name(settings.name)
    , m_scope(std::move(scope))
    , m_address(manager.address)
    , m_clock(clock)
    , m_api(
          settings,
          std::make_unique<AzureToken>(settings, manager.login, secrets, client, tuning.pause, tuning.timeouts,
                                       tuning.realClock),
          [where = m_address, what = m_scope](const http::Response &response) {
              return budgetRefusal(response, where, what);
          },
          client, tuning)
{
}

Result<Json> AzureBudgets::page(const std::string &url, const std::stop_token &stop)
{
    http::Request request;
    request.url = url;
    request.headers.emplace_back("Accept", "application/json");
    request.headers.emplace_back("ClientType", "GPULedger"); // a quota of its own
    request.maxBytes = kMostBudgetPage;
    const auto response = m_api.ask(request, stop);
    GPULEDGER_TRY(response);
    if (response->status == 204) { // there are none
        Json none;
        none["value"] = Json::array();
        return none;
    }
    auto json = format::parseWithNumbersAsText(response->body);
    if (!json)
        return base::fail(ErrorCode::Parse, "Azure's list of budgets can't be read: " + json.error().text);
    return json;
}

Result<ports::BudgetList> AzureBudgets::read(std::stop_token stop)
{
    ports::BudgetList out;
    const base::Day today = base::dayOf(m_clock.now());
    std::set<std::string> asked;
    std::string url = m_address + m_scope + "/providers/Microsoft.Consumption/budgets?api-version=2021-10-01";
    while (!url.empty()) {
        if (!asked.insert(url).second)
            return base::fail(ErrorCode::Parse, "Azure's list of budgets can't be read: its pages go in a circle");
        if (asked.size() > kMostPages)
            return base::fail(ErrorCode::TooMuch,
                              "Azure's list of budgets has more than " + std::to_string(kMostPages) + " pages");
        const auto one = page(url, stop);
        GPULEDGER_TRY(one);
        GPULEDGER_TRY(addBudgets(*one, m_scope, today, out));
        auto next = nextPage(format::textOf(*one, "nextLink"), m_address);
        if (!next)
            return base::fail(ErrorCode::Parse, "Azure's list of budgets can't be read: " + next.error().text);
        url = std::move(*next);
    }
    return out;
}

Result<ports::Finding> AzureBudgets::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    const auto list = read(std::move(stop));
    if (list)
        return ports::Finding{
            Level::Good, ports::FindingText::BudgetsFound, {static_cast<std::uint64_t>(list->budgets.size())}, {}, {}};
    if (list.error().code == ErrorCode::Cancelled)
        return base::fail(list.error());
    const std::string why = list.error().code == ErrorCode::Forbidden
        ? std::string("it needs the right ") + kBudgetsRight
        : list.error().text;
    return ports::Finding{Level::Missing, ports::FindingText::BudgetsUnread, {why}, {}, {}};
}

Tuning budgetTuning(const base::Clock &realClock)
{
    Tuning tuning;
    tuning.realClock = &realClock;
    tuning.throttled.budget = kLongestThrottle;
    return tuning;
}

} // namespace gpuledger::azure
