// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/budgets/googlebudgets.h"

#include "app/base/remedy.h"
#include "connectors/gcp/budgets/budgetpage.h"
#include "connectors/gcp/refusal.h"
#include "connectors/http/url.h"

#include <nlohmann/json.hpp>

#include <set>
#include <utility>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Remedy;
using base::Result;

namespace {

// The API accepts no narrower scope.
constexpr const char *kBudgetsScope = "https://www.googleapis.com/auth/cloud-billing";
constexpr const char *kBudgetsRight = "billing.budgets.list (Billing Account Viewer)";
constexpr int kBudgetsOfPage = 100; // the most that Google gives

bool isApiOff(const base::Error &error)
{
    return error.text.find("SERVICE_DISABLED") != std::string::npos
        || error.text.find("accessNotConfigured") != std::string::npos;
}

// What BigQuery's hints say does not apply here.
std::optional<base::Error> budgetsRefusalOf(const http::Response &response, const std::string &api)
{
    auto error = refusalOf(response, api);
    if (!error || error->retryable)
        return error;
    const bool isNarrow = error->hint == base::text(Remedy::WidenAccessScopes);
    if (response.status == 403 && error->code != ErrorCode::TooMuch) {
        error->code = ErrorCode::Forbidden;
        if (!isNarrow)
            error->hint = base::text(Remedy::AllowGoogleBudgets);
    } else if (response.status == 404) {
        error->code = ErrorCode::NotFound;
        error->hint = std::string("check the id of the billing account, and url if it is set");
    } else if (response.status != 401 && response.status < 500) {
        error->hint.clear();
    }
    return error;
}

// Why they can't be read, in words that follow a colon.
std::string reasonOf(const base::Error &error)
{
    if (error.code != ErrorCode::Forbidden || error.hint == base::text(Remedy::WidenAccessScopes))
        return error.text;
    return isApiOff(error) ? "the Cloud Billing Budget API is not enabled in the project" : kBudgetsRight;
}

} // namespace

GoogleBudgets::GoogleBudgets(const model::SourceSettings &settings, const BillSettings &bill,
                             ports::SecretStore &secrets, const base::Clock &clock, const base::Clock &realClock,
                             std::shared_ptr<http::HttpClient> client, const Tuning &tuning)
    : m_name(settings.name)
    , m_account(bill.budgetAccount)
    , m_address(bill.budgetsApi)
    , m_clock(clock)
    , m_api(settings, {"Cloud Billing", m_address, kBudgetsScope, budgetsRefusalOf}, secrets, std::move(client),
            realClock, tuning)
{
}

std::string GoogleBudgets::pageUrl(const std::string &token) const
{
    http::Parameters parameters{{"pageSize", std::to_string(kBudgetsOfPage)}};
    if (!token.empty())
        parameters.emplace_back("pageToken", token);
    return m_address + "/v1/billingAccounts/" + m_account + "/budgets?" + http::formEncode(parameters);
}

Result<ports::BudgetList> GoogleBudgets::read(std::stop_token stop)
{
    if (m_account.empty())
        return base::fail(ErrorCode::InvalidConfig,
                          "the name of the table has no billing account, and billing_account is not set",
                          "set billing_account of " + m_name + " to its id, as gcloud billing accounts list shows it");
    BudgetPages pages(m_account, base::dayOf(m_clock.now()));
    std::set<std::string> tokens{""};
    for (std::string token;;) {
        const auto page = m_api.ask(pageUrl(token), {}, stop);
        GPULEDGER_TRY(page);
        auto next = pages.add(*page);
        GPULEDGER_TRY(next);
        token = std::move(*next);
        if (token.empty())
            return pages.finished();
        if (!tokens.insert(token).second)
            return base::fail(ErrorCode::Parse, "the pages of Cloud Billing's budgets go in a circle");
        if (tokens.size() > kMostPages)
            return base::fail(ErrorCode::TooMuch,
                              "the billing account has more than " + std::to_string(kMostPages) + " pages of budgets");
    }
}

Result<std::vector<ports::Finding>> GoogleBudgets::probe(const std::stop_token &stop)
{
    using Level = ports::Finding::Level;
    const auto unread = [](const std::string &why) {
        return ports::Finding{Level::Missing, ports::FindingText::BudgetsUnread, {why}, {}, {}};
    };
    const auto list = read(stop);
    if (!list && list.error().code == ErrorCode::Cancelled)
        return base::fail(list.error());
    if (!list)
        return std::vector{unread(reasonOf(list.error()))};
    std::vector<ports::Finding> out{ports::Finding{
        Level::Good, ports::FindingText::BudgetsFound, {static_cast<std::uint64_t>(list->budgets.size())}, {}, {}}};
    if (list->rejected > 0)
        out.push_back(unread("entries with another form than expected: " + std::to_string(list->rejected)));
    return out;
}

Result<std::unique_ptr<ports::BudgetSource>> makeGoogleBudgets(const model::SourceSettings &settings,
                                                               ports::SecretStore &secrets, const base::Clock &clock,
                                                               const base::Clock &realClock,
                                                               std::shared_ptr<http::HttpClient> client)
{
    const auto bill = BillSettings::of(settings);
    GPULEDGER_TRY(bill);
    return std::make_unique<GoogleBudgets>(settings, *bill, secrets, clock, realClock, std::move(client));
}

} // namespace gpuledger::gcp
