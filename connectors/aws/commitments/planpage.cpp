// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/commitments/planpage.h"

#include "app/base/text/text.h"

namespace gpuledger::aws {

using base::Result;
using Json = nlohmann::json;
using model::CloudCommitment;

namespace {

constexpr const char *kCloudOfPlans = "AWS"; // as in the bill of aws-costs
constexpr std::size_t kLongestPlanArn = 512; // bytes

// "Compute" is sold as a Compute Savings Plan.
std::string planTypeOf(std::string type)
{
    if (type.empty() || type.find("Savings Plan") != std::string::npos)
        return type;
    return (type == "EC2Instance" ? "EC2 Instance" : type) + " Savings Plan";
}

// "arn:aws:savingsplans::123456789012:savingsplan/…": the part before the last colon.
std::string accountOfArn(const std::string &arn)
{
    const std::size_t end = arn.rfind(':');
    if (end == std::string::npos || end == 0)
        return {};
    const std::size_t begin = arn.rfind(':', end - 1);
    return begin == std::string::npos ? std::string() : arn.substr(begin + 1, end - begin - 1);
}

std::string accountOfPlan(const CommitmentAttributes &attributes, const std::string &arn)
{
    for (const char *key : {"accountid", "linkedaccountid"}) {
        if (std::string account = attributes.text(key); !account.empty())
            return account;
    }
    return accountOfArn(arn);
}

// std::nullopt: it can't be read.
std::optional<CloudCommitment> planOf(const Json &entry, const AskedCommitments &asked)
{
    const CommitmentAttributes attributes(format::memberOf(entry, "Attributes"));
    const Json &use = format::memberOf(entry, "Utilization");
    const auto perHour =
        CommitmentNumber::amountOf(CommitmentNumber::of(attributes.text("hourlycommitment")), asked.currency);
    const auto unused = CommitmentNumber::amountOf(CommitmentNumber::of(use, "UnusedCommitment"), asked.currency);
    CloudCommitment plan;
    plan.cloud = kCloudOfPlans;
    plan.kind = model::CloudCommitmentKind::SavingsPlan;
    plan.id = base::printableLine(format::textOf(entry, "SavingsPlanArn"), kLongestPlanArn);
    if (plan.id.empty())
        plan.id = attributes.text(attributes.has("savingsplanarn") ? "savingsplanarn" : "savingsplansarn");
    if (plan.id.empty() || !perHour.isReadable || !unused.isReadable)
        return std::nullopt;
    plan.account = accountOfPlan(attributes, plan.id);
    plan.terms = joinedTerms({planTypeOf(attributes.text("savingsplanstype")), attributes.text("purchaseterm"),
                              attributes.text("paymentoption")});
    plan.machine = attributes.text("instancefamily");
    plan.region = attributes.text("region");
    plan.perHour = perHour.value;
    plan.unused = unused.value;
    if (plan.perHour || plan.unused)
        plan.currency = asked.currency;
    plan.start = attributes.time("startdatetime");
    plan.end = attributes.time("enddatetime");
    plan.utilization =
        commitmentShare(CommitmentNumber::of(use, "UsedCommitment"), CommitmentNumber::of(use, "TotalCommitment"),
                        CommitmentNumber::of(use, "UtilizationPercentage"));
    return plan;
}

} // namespace

Result<std::string> addPlanPage(const std::string &body, const AskedCommitments &asked, CommitmentPart &out)
{
    auto page = commitmentPageOf(body, "SavingsPlansUtilizationDetails", "NextToken");
    GPULEDGER_TRY(page);
    const auto days = commitmentDaysOf(format::memberOf(page->root, "TimePeriod"), asked);
    for (const Json &entry : page->entries)
        out.add(planOf(entry, asked), days, asked);
    return std::move(page->next);
}

} // namespace gpuledger::aws
