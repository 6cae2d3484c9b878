// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/commitments/coveragepage.h"

namespace gpuledger::aws {

using base::Result;
using Json = nlohmann::json;
using model::CommitmentCoverage;

namespace {

constexpr const char *kCloudOfCoverage = "AWS"; // as in the bill of aws-costs

// The figures of a group, by either kind of commitment.
struct CoverageFigures {
    CommitmentNumber covered, all, percentage, onDemand;
};

CoverageFigures figuresByPlans(const Json &group)
{
    const Json &coverage = format::memberOf(group, "Coverage");
    return {CommitmentNumber::of(coverage, "SpendCoveredBySavingsPlans"), CommitmentNumber::of(coverage, "TotalCost"),
            CommitmentNumber::of(coverage, "CoveragePercentage"), CommitmentNumber::of(coverage, "OnDemandCost")};
}

CoverageFigures figuresByReservations(const Json &group)
{
    const Json &coverage = format::memberOf(group, "Coverage");
    const Json &hours = format::memberOf(coverage, "CoverageHours");
    return {CommitmentNumber::of(hours, "ReservedHours"), CommitmentNumber::of(hours, "TotalRunningHours"),
            CommitmentNumber::of(hours, "CoverageHoursPercentage"),
            CommitmentNumber::of(format::memberOf(coverage, "CoverageCost"), "OnDemandCost")};
}

void addCoverage(const Json &group, const char *machineKey, model::CloudCommitmentKind by, CoverageFigures figures,
                 const std::optional<CommitmentDays> &days, const AskedCommitments &asked, CommitmentPart &out)
{
    const CommitmentAttributes attributes(format::memberOf(group, "Attributes"));
    const bool isOfMachines = !attributes.text(machineKey).empty();
    const bool isUse = !figures.all.value || !figures.all.value->isZero();
    if (attributes.has(machineKey) && (!isOfMachines || !isUse))
        return;
    // AWS's own percentage comes first: its totals are rounded.
    auto covered = commitmentShare({}, {}, figures.percentage);
    if (!covered)
        covered = commitmentShare(figures.covered, figures.all, {});
    const auto onDemand = CommitmentNumber::amountOf(figures.onDemand, asked.currency);
    if (!isOfMachines || !covered || !onDemand.isReadable || !days
        || !out.seen.insert(attributes.text(machineKey)).second) {
        ++out.rejected;
        return;
    }
    CommitmentCoverage row;
    row.cloud = kCloudOfCoverage;
    row.by = by;
    row.machine = attributes.text(machineKey);
    row.covered = *covered;
    row.onDemand = onDemand.value;
    if (row.onDemand)
        row.currency = asked.currency;
    row.first = days->first;
    row.last = days->last;
    out.coverage.push_back(std::move(row));
}

} // namespace

Result<std::string> addPlanCoveragePage(const std::string &body, const AskedCommitments &asked, CommitmentPart &out)
{
    auto page = commitmentPageOf(body, "SavingsPlansCoverages", "NextToken");
    GPULEDGER_TRY(page);
    for (const Json &group : page->entries)
        addCoverage(group, "instancefamily", model::CloudCommitmentKind::SavingsPlan, figuresByPlans(group),
                    commitmentDaysOf(format::memberOf(group, "TimePeriod"), asked), asked, out);
    return std::move(page->next);
}

Result<std::string> addReservationCoveragePage(const std::string &body, const AskedCommitments &asked,
                                               CommitmentPart &out)
{
    auto page = commitmentPageOf(body, "CoveragesByTime", "NextPageToken");
    GPULEDGER_TRY(page);
    for (const Json &period : page->entries) {
        const auto days = commitmentDaysOf(format::memberOf(period, "TimePeriod"), asked);
        const Json &groups = format::memberOf(period, "Groups"); // absent where there are none
        if (!period.is_object() || (!groups.is_null() && !groups.is_array())) {
            ++out.rejected;
            continue;
        }
        for (const Json &group : groups)
            addCoverage(group, "instancetype", model::CloudCommitmentKind::Reservation, figuresByReservations(group),
                        days, asked, out);
    }
    return std::move(page->next);
}

} // namespace gpuledger::aws
