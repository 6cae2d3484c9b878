// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/commitments/commitmentquestions.h"

#include "connectors/aws/costs/costquestions.h"

#include <nlohmann/json.hpp>

namespace gpuledger::aws {

namespace {

constexpr int kRowsOfPage = 100; // of answers about Savings Plans, which have 20 unless asked for more

struct CommitmentAction {
    const char *name;
    const char *subject; // of a sentence
    const char *tokenKey;
    const char *group; // null: none
    bool hasLongPages; // MaxResults is documented with its range
};

CommitmentAction actionOf(CommitmentQuestion question)
{
    switch (question) {
    case CommitmentQuestion::Plans:
        return {"GetSavingsPlansUtilizationDetails", "the Savings Plans", "NextToken", nullptr, true};
    case CommitmentQuestion::PlanCoverage:
        return {"GetSavingsPlansCoverage", "the coverage by Savings Plans", "NextToken", "INSTANCE_FAMILY", true};
    case CommitmentQuestion::Reservations:
        return {"GetReservationUtilization", "the reservations", "NextPageToken", "SUBSCRIPTION_ID", false};
    case CommitmentQuestion::ReservationCoverage:
        break;
    }
    return {"GetReservationCoverage", "the coverage by reservations", "NextPageToken", "INSTANCE_TYPE", false};
}

} // namespace

std::string withheldWithout(CommitmentQuestion question)
{
    const CommitmentAction action = actionOf(question);
    return std::string(action.subject) + " can't be read without the right ce:" + action.name;
}

Call commitmentCall(CommitmentQuestion question, const base::TimeRange &days, const std::string &token)
{
    const CommitmentAction action = actionOf(question);
    nlohmann::json body{{"TimePeriod", {{"Start", dateText(days.start)}, {"End", dateText(days.end)}}}};
    if (action.group)
        body["GroupBy"] = nlohmann::json::array({{{"Type", "DIMENSION"}, {"Key", action.group}}});
    if (action.hasLongPages)
        body["MaxResults"] = kRowsOfPage;
    if (question == CommitmentQuestion::ReservationCoverage)
        body["Metrics"] = {"Hour", "Cost"};
    if (!token.empty())
        body[action.tokenKey] = token;
    return costExplorerCall(action.name, body.dump());
}

} // namespace gpuledger::aws
