// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/commitments/googlecommitments.h"

#include "app/base/remedy.h"
#include "connectors/gcp/commitments/committedusepage.h"
#include "connectors/gcp/compute/computeapi.h"
#include "connectors/gcp/refusal.h"
#include "connectors/http/url.h"

#include <nlohmann/json.hpp>

#include <array>
#include <set>
#include <string_view>
#include <utility>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Remedy;
using base::Result;

namespace {

constexpr const char *kCommitmentsRight = "compute.commitments.list";
constexpr int kCommitmentsOfPage = 500; // the most that Google gives

// Reasons of Google that are no missing right, and words that follow what they are about.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kOtherRefusals{
    {{"SERVICE_DISABLED", "the Compute Engine API is not enabled in "},
     {"accessNotConfigured", "the Compute Engine API is not enabled in "},
     {"BILLING_DISABLED", "billing is not enabled in "},
     {"billingNotEnabled", "billing is not enabled in "},
     {"vpcServiceControls", "a perimeter of VPC Service Controls protects "}}};

// Empty: it is a missing right.
std::string_view otherRefusal(const base::Error &error)
{
    for (const auto &[reason, words] : kOtherRefusals) {
        if (error.text.find(reason) != std::string::npos)
            return words;
    }
    return {};
}

// What BigQuery's hints say does not apply here.
std::optional<base::Error> commitmentsRefusalOf(const http::Response &response, const std::string &api)
{
    auto error = refusalOf(response, api);
    if (!error || error->retryable)
        return error;
    const bool isNarrow = error->hint == base::text(Remedy::WidenAccessScopes);
    if (response.status == 403 && error->code != ErrorCode::TooMuch) {
        error->code = ErrorCode::Forbidden;
        if (!isNarrow)
            error->hint = base::text(Remedy::AllowGoogleCommitments);
    } else if (response.status == 404) {
        error->code = ErrorCode::NotFound;
        error->hint = std::string("check the ids of the projects in commitment_projects, and url if it is set");
    } else if (response.status != 401 && response.status < 500) {
        error->hint.clear();
    }
    return error;
}

// Of one project. A token with too narrow a scope is refused for all of them.
bool isProjectRefused(const base::Error &error)
{
    return error.code == ErrorCode::Forbidden && error.hint == base::text(Remedy::AllowGoogleCommitments);
}

std::string withheldWords(const std::string &project, const base::Error &error)
{
    const std::string_view off = otherRefusal(error);
    return "commitments of the project " + project + " can't be read"
        + (off.empty() ? std::string(" without the right ") + kCommitmentsRight
                       : ", because " + std::string(off) + "it");
}

ports::Finding commitmentsUnread(const std::string &why)
{
    return {ports::Finding::Level::Missing, ports::FindingText::CommitmentsUnread, {why}, {}, {}};
}

} // namespace

GoogleCommitments::GoogleCommitments(const model::SourceSettings &settings, const BillSettings &bill,
                                     ports::SecretStore &secrets, const base::Clock &clock,
                                     const base::Clock &realClock, std::shared_ptr<http::HttpClient> client,
                                     const Tuning &tuning)
    : m_name(settings.name)
    , m_address(bill.computeApi)
    , m_projects(bill.commitmentProjects)
    , m_clock(clock)
    , m_api(settings, {"Compute Engine", m_address, kReadScope, commitmentsRefusalOf}, secrets, std::move(client),
            realClock, tuning)
{
}

// A region that is down does not hold up the others; it is told in the answer.
std::string GoogleCommitments::pageUrl(const std::string &project, const std::string &token) const
{
    http::Parameters parameters{{"maxResults", std::to_string(kCommitmentsOfPage)}, {"returnPartialSuccess", "true"}};
    if (!token.empty())
        parameters.emplace_back("pageToken", token);
    return m_address + "/compute/v1/projects/" + project + "/aggregated/commitments?" + http::formEncode(parameters);
}

Result<void> GoogleCommitments::readProject(const std::string &project, CommittedUsePages &pages,
                                            const std::stop_token &stop)
{
    std::set<std::string> tokens{""};
    for (std::string token;;) {
        const auto page = m_api.ask(pageUrl(project, token), {}, stop);
        GPULEDGER_TRY(page);
        auto next = pages.add(*page);
        GPULEDGER_TRY(next);
        token = std::move(*next);
        if (token.empty())
            return {};
        if (!tokens.insert(token).second)
            return base::fail(ErrorCode::Parse, "the pages of Compute Engine's commitments go in a circle",
                              Remedy::NextSyncTriesAgain);
        if (tokens.size() > kMostPages)
            return base::fail(ErrorCode::TooMuch,
                              "the project " + project + " has more than " + std::to_string(kMostPages)
                                  + " pages of commitments");
    }
}

Result<GoogleCommitments::Answer> GoogleCommitments::ask(base::UtcTime now, const std::stop_token &stop)
{
    Answer answer;
    for (const std::string &project : m_projects) {
        CommittedUsePages pages(project, now);
        const auto done = readProject(project, pages, stop);
        if (done) {
            std::move(pages).finish(answer.report);
            continue;
        }
        base::Error error = done.error();
        if (m_projects.size() > 1)
            error.text += " (project " + project + ')';
        if (!isProjectRefused(error))
            return base::fail(std::move(error));
        answer.refused.push_back({project, std::move(error)});
    }
    return answer;
}

Result<ports::CommitmentReport> GoogleCommitments::read(base::UtcTime now, std::stop_token stop)
{
    auto answer = ask(now, stop);
    GPULEDGER_TRY(answer);
    if (!m_projects.empty() && answer->refused.size() == m_projects.size())
        return base::fail(answer->refused.front().error);
    for (const Refused &one : answer->refused)
        answer->report.withheld.push_back(withheldWords(one.project, one.error));
    return std::move(answer->report);
}

Result<std::vector<ports::Finding>> GoogleCommitments::probe(std::stop_token stop)
{
    if (m_projects.empty())
        return std::vector<ports::Finding>();
    const auto answer = ask(m_clock.now(), stop);
    if (!answer && answer.error().code == ErrorCode::Cancelled)
        return base::fail(answer.error());
    if (!answer)
        return std::vector{commitmentsUnread(answer.error().text)};
    const ports::CommitmentReport &report = answer->report;
    std::vector<ports::Finding> out;
    if (answer->refused.size() < m_projects.size())
        out.push_back({ports::Finding::Level::Good,
                       ports::FindingText::CommitmentsFound,
                       {static_cast<std::uint64_t>(report.commitments.size())},
                       {},
                       {}});
    for (const auto &[project, error] : answer->refused) {
        const std::string_view off = otherRefusal(error);
        out.push_back(commitmentsUnread(off.empty() ? std::string(kCommitmentsRight) + " of the project " + project
                                                + " (Compute Viewer)"
                                                    : std::string(off) + "the project " + project));
    }
    for (const std::string &one : report.withheld)
        out.push_back(commitmentsUnread(one));
    if (report.rejected > 0)
        out.push_back(commitmentsUnread("entries with another form than expected: " + std::to_string(report.rejected)));
    return out;
}

Result<std::unique_ptr<ports::CommitmentSource>>
makeGoogleCommitments(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
                      const base::Clock &realClock, std::shared_ptr<http::HttpClient> client)
{
    const auto bill = BillSettings::of(settings);
    GPULEDGER_TRY(bill);
    return std::make_unique<GoogleCommitments>(settings, *bill, secrets, clock, realClock, std::move(client));
}

} // namespace gpuledger::gcp
