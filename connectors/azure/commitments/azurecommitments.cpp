// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/commitments/azurecommitments.h"

#include "app/base/remedy.h"
#include "connectors/azure/commitments/commitmentpages.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;

namespace {

struct BenefitList {
    model::CloudCommitmentKind kind;
    const char *name, *path;
    const char *role; // without which it is not told
};
constexpr std::array<BenefitList, 2> kBenefitLists{
    {{model::CloudCommitmentKind::Reservation, "reservations",
      "/providers/Microsoft.Capacity/reservations?api-version=2022-11-01", "Reservations Reader"},
     {model::CloudCommitmentKind::SavingsPlan, "savings plans",
      "/providers/Microsoft.BillingBenefits/savingsPlans?api-version=2022-11-01", "Savings plan Reader"}}};
constexpr const char *kBothRoles = "the roles Reservations Reader and Savings plan Reader";

// Why Azure told nothing, in its own words, too; std::nullopt: it did. Whatever the status is, an answer that names a
// missing right is a refusal, unless the credential was refused.
std::optional<base::Error> benefitRefusal(const http::Response &response, const std::string &address)
{
    const bool isRefused =
        response.status == 403 || (response.status != 401 && managerCodeOf(response) == "AuthorizationFailed");
    std::optional<base::Error> error = managerErrorOf(response, address);
    if (!isRefused)
        return error;
    if (!error)
        error = base::Error::make(ErrorCode::Forbidden, address + " denied access: AuthorizationFailed");
    error->code = ErrorCode::Forbidden;
    error->retryable = false;
    error->hint = base::text(base::Remedy::AllowAzureCommitments);
    return error;
}

// Of a list; a login that is denied has another remedy.
bool isBenefitDenied(const base::Error &error)
{
    return error.code == ErrorCode::Forbidden && error.hint == base::text(base::Remedy::AllowAzureCommitments);
}

std::string withheldWords(const BenefitList &list)
{
    return std::string(list.name) + " can't be read without the role " + list.role;
}

} // namespace

AzureCommitments::AzureCommitments(const model::SourceSettings &settings, const ResourceManager &manager,
                                   ports::SecretStore &secrets, const base::Clock &clock,
                                   const std::shared_ptr<http::HttpClient> &client, const Tuning &tuning)
    : m_name(settings.name)
    , m_clock(clock)
    , m_list(
          settings, manager, secrets,
          [where = manager.address](const http::Response &response) { return benefitRefusal(response, where); }, client,
          tuning)
{
}

Result<ports::CommitmentReport> AzureCommitments::read(base::UtcTime now, std::stop_token stop)
{
    CommitmentPages pages(now);
    for (const BenefitList &list : kBenefitLists) {
        const auto all = m_list.eachPage(
            {list.path, list.name}, [&](const nlohmann::json &page) { return pages.add(list.kind, page); }, stop);
        if (all)
            continue;
        base::Error error = all.error();
        if (!isBenefitDenied(error))
            return base::fail(std::move(error));
        pages.report.withheld.push_back(withheldWords(list));
        if (pages.report.withheld.size() == kBenefitLists.size()) {
            error.text += std::string("; this needs ") + kBothRoles;
            return base::fail(std::move(error));
        }
    }
    return std::move(pages.report);
}

Result<std::vector<ports::Finding>> AzureCommitments::probe(std::stop_token stop)
{
    using Level = ports::Finding::Level;
    using ports::FindingText;
    const auto report = read(m_clock.now(), std::move(stop));
    const auto unread = [](std::string why) {
        return ports::Finding{Level::Missing, FindingText::CommitmentsUnread, {std::move(why)}, {}, {}};
    };
    if (!report) {
        if (report.error().code == ErrorCode::Cancelled)
            return base::fail(report.error());
        return std::vector{
            unread(isBenefitDenied(report.error()) ? std::string("they need ") + kBothRoles : report.error().text)};
    }
    std::vector<ports::Finding> findings{
        {Level::Good, FindingText::CommitmentsFound, {static_cast<std::uint64_t>(report->commitments.size())}, {}, {}}};
    for (const BenefitList &list : kBenefitLists) {
        if (std::count(report->withheld.begin(), report->withheld.end(), withheldWords(list)) != 0)
            findings.push_back(unread(std::string(list.name) + " need the role " + list.role));
    }
    return findings;
}

Result<std::unique_ptr<ports::CommitmentSource>>
makeAzureCommitmentSource(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
                          const base::Clock &realClock, std::shared_ptr<http::HttpClient> client)
{
    const auto manager = ResourceManager::of(settings);
    GPULEDGER_TRY(manager);
    return std::make_unique<AzureCommitments>(settings, *manager, secrets, clock, client, promptTuning(realClock));
}

} // namespace gpuledger::azure
