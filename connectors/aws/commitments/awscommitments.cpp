// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/commitments/awscommitments.h"

#include "app/base/remedy.h"
#include "connectors/aws/commitments/coveragepage.h"
#include "connectors/aws/commitments/planpage.h"
#include "connectors/aws/commitments/reservationpage.h"

#include <iterator>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;

namespace {

constexpr int kCommitmentDays = 30;
constexpr int kMostCommitmentPages = CostExplorer::kMostPages; // of one question
constexpr std::size_t kMostCommitments = 100'000; // entries of one question

// Cost Explorer names no currency with commitments. AWS bills in yuan in its China regions, and else in dollars.
base::Currency currencyAt(const std::string &region)
{
    const auto yuan = base::Currency::parse("CNY");
    return yuan && partitionOf(region) == "aws-cn" ? *yuan : base::Currency::usd();
}

Result<std::string> addCommitmentPage(CommitmentQuestion question, const std::string &body,
                                      const AskedCommitments &asked, CommitmentPart &out)
{
    switch (question) {
    case CommitmentQuestion::Plans:
        return addPlanPage(body, asked, out);
    case CommitmentQuestion::Reservations:
        return addReservationPage(body, asked, out);
    case CommitmentQuestion::PlanCoverage:
        return addPlanCoveragePage(body, asked, out);
    case CommitmentQuestion::ReservationCoverage:
        break;
    }
    return addReservationCoveragePage(body, asked, out);
}

// `isStale`: the question has to start once more.
Result<CommitmentPart> askCommitmentsOnce(CommitmentQuestion question, const AskedCommitments &asked,
                                          PaidRequests &requests, const std::stop_token &stop, bool &isStale)
{
    CommitmentPart part;
    std::set<std::string> tokens;
    std::string token;
    for (int pages = 0; pages < kMostCommitmentPages; ++pages) {
        const Call call = commitmentCall(question, asked.days, token);
        const auto answer = requests.ask(call, stop);
        GPULEDGER_TRY(answer);
        // An account that never had such a commitment has no such data.
        if (token.empty() && answer->errorCode == "DataUnavailableException")
            return part;
        isStale = !token.empty() && isTokenStale(*answer);
        if (answer->isError())
            return base::fail(errorOf(*answer, call.action));
        auto next = addCommitmentPage(question, answer->body, asked, part);
        GPULEDGER_TRY(next);
        if (part.commitments.size() + part.coverage.size() + part.rejected > kMostCommitments)
            return base::fail(ErrorCode::TooMuch, "one answer of Cost Explorer has more than 100,000 commitments");
        if (next->empty())
            return part;
        if (!tokens.insert(*next).second)
            return base::fail(ErrorCode::Parse, "the pages of " + call.action + " go in a circle");
        token = std::move(*next);
    }
    return base::fail(ErrorCode::TooMuch, "one answer of Cost Explorer has more than 500 pages");
}

Result<CommitmentPart> askCommitments(CommitmentQuestion question, const AskedCommitments &asked,
                                      PaidRequests &requests, const std::stop_token &stop)
{
    bool isStale = false;
    auto part = askCommitmentsOnce(question, asked, requests, stop, isStale);
    if (!part && isStale)
        part = askCommitmentsOnce(question, asked, requests, stop, isStale);
    return part;
}

void takePart(CommitmentPart &&part, ports::CommitmentReport &report)
{
    std::move(part.commitments.begin(), part.commitments.end(), std::back_inserter(report.commitments));
    std::move(part.coverage.begin(), part.coverage.end(), std::back_inserter(report.coverage));
    report.rejected += part.rejected;
}

} // namespace

AwsCommitments::AwsCommitments(const model::SourceSettings &settings, CostOptions options, const base::Clock &realClock,
                               std::shared_ptr<http::HttpClient> client, Tuning tuning)
    : m_name(settings.name)
    , m_options(std::move(options))
    , m_currency(currencyAt(settings.auth.region))
    , m_api(Wire(std::move(client), realClock, billingPlaceOf(settings, tuning)), settings.auth.profile,
            std::move(tuning.surroundings), tuning.retries, tuning.pause)
{
}

Result<ports::CommitmentReport> AwsCommitments::read(base::UtcTime now, std::stop_token stop)
{
    ports::CommitmentReport report;
    if (!m_options.readsCommitments)
        return report;
    const base::UtcTime today = base::floorTo(now, base::kDay);
    const AskedCommitments asked{{today - kCommitmentDays * base::kDay, today}, now, m_currency};
    PaidRequests requests(m_api, m_options.mostRequests, [this]() -> Result<void> {
        ++m_requests;
        return {};
    });
    for (const CommitmentQuestion question : kCommitmentQuestions) {
        auto part = askCommitments(question, asked, requests, stop);
        if (!part && part.error().code == ErrorCode::Forbidden) {
            report.withheld.push_back(withheldWithout(question));
            if (report.withheld.size() < kCommitmentQuestions.size())
                continue;
            part.error().hint = base::text(base::Remedy::AllowAwsCommitments);
        }
        GPULEDGER_TRY(part);
        takePart(std::move(*part), report);
    }
    return report;
}

Result<std::vector<ports::Finding>> AwsCommitments::probe(std::stop_token stop)
{
    if (stop.stop_requested())
        return base::fail(ErrorCode::Cancelled, "stopped");
    return std::vector<ports::Finding>();
}

Result<std::unique_ptr<ports::CommitmentSource>> makeAwsCommitments(const model::SourceSettings &settings,
                                                                    const base::Clock &realClock,
                                                                    std::shared_ptr<http::HttpClient> client)
{
    GPULEDGER_TRY(checkAwsSettings(settings));
    auto options = CostOptions::of(settings);
    GPULEDGER_TRY(options);
    return std::make_unique<AwsCommitments>(settings, std::move(*options), realClock, std::move(client));
}

} // namespace gpuledger::aws
