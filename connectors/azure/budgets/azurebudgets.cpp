// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/budgets/azurebudgets.h"

#include "app/base/remedy.h"
#include "connectors/azure/budgets/budgetpage.h"

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;

namespace {

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
                           const std::shared_ptr<http::HttpClient> &client, const Tuning &tuning)
    : m_name(settings.name)
    , m_scope(std::move(scope))
    , m_clock(clock)
    , m_list(
          settings, manager, secrets,
          [where = manager.address, what = m_scope](const http::Response &response) {
              return budgetRefusal(response, where, what);
          },
          client, tuning)
{
}

Result<ports::BudgetList> AzureBudgets::read(std::stop_token stop)
{
    ports::BudgetList out;
    const base::Day today = base::dayOf(m_clock.now());
    GPULEDGER_TRY(m_list.eachPage(
        {m_scope + "/providers/Microsoft.Consumption/budgets?api-version=2021-10-01", "budgets"},
        [&](const nlohmann::json &page) { return addBudgets(page, m_scope, today, out); }, stop));
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

} // namespace gpuledger::azure
