// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/democommitments.h"

#include "connectors/demo/bills/billmonths.h"
#include "connectors/demo/fleet/demooptions.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <utility>

namespace gpuledger::demo {

namespace {

using base::Money;
using base::Result;
using model::CloudCommitmentKind;

constexpr base::Seconds kToldDays = 30 * base::kDay;
constexpr std::int64_t kHoursOfFee = 24;
constexpr std::string_view kPlanTerms = ", 1yr, No Upfront";

// What the bills have of a commitment.
struct CommitmentUse {
    model::BillLine line; // one of it
    Money used, unused, fee; // amortized; of the last day
};

// What the bills have of the machines of a type in a region, without spot machines.
struct MachineUse {
    Money covered, onDemand; // at list prices
    Money cost; // of those on demand
    std::optional<model::BillLine> line; // one that is covered
};

struct BilledUse {
    base::TimeRange days;
    std::map<std::string, CommitmentUse> commitments; // by id
    std::map<std::pair<std::string, std::string>, MachineUse> machines; // by type and region
};

Result<void> increase(Money &sum, const Money &more)
{
    const auto total = sum.plus(more);
    GPULEDGER_TRY(total);
    sum = *total;
    return {};
}

// Rounded down. std::nullopt: there is nothing.
std::optional<double> shareOf(const Money &part, const Money &rest)
{
    __extension__ using Wide = __int128;
    constexpr int kTenths = 1000; // of a percent
    const Wide whole = static_cast<Wide>(part.nanos()) + rest.nanos();
    if (whole <= 0)
        return std::nullopt;
    return static_cast<double>(static_cast<int>(part.nanos() * Wide{kTenths} / whole)) / kTenths;
}

Result<void> addCommitmentLine(BilledUse &all, const model::BillLine &line)
{
    CommitmentUse &one = all.commitments[line.commitment.id];
    one.line = line;
    if (line.category == model::ChargeCategory::Purchase)
        return line.chargePeriod.end == all.days.end ? increase(one.fee, line.billed) : Result<void>();
    return increase(line.commitment.status == model::UseStatus::Unused ? one.unused : one.used, line.effective);
}

Result<void> addMachineLine(BilledUse &all, const std::string &type, const model::BillLine &line)
{
    MachineUse &one = all.machines[{type, line.resource.regionId}];
    const Money list = line.list.value_or(Money());
    if (line.pricing == model::PricingCategory::Committed) {
        one.line = line;
        return increase(one.covered, list);
    }
    if (line.pricing != model::PricingCategory::Standard)
        return {};
    GPULEDGER_TRY(increase(one.onDemand, list));
    return increase(one.cost, line.billed);
}

Result<void> addBilledLine(BilledUse &all, const model::BillLine &line)
{
    if (line.chargePeriod.start < all.days.start || line.chargePeriod.end > all.days.end)
        return {};
    if (!line.commitment.id.empty())
        GPULEDGER_TRY(addCommitmentLine(all, line));
    const auto type = line.product.skuDetails.find("InstanceType");
    return type == line.product.skuDetails.end() ? Result<void>() : addMachineLine(all, type->second, line);
}

// Of one cloud. Fails with Cancelled and Overflow.
Result<BilledUse> billedUseOf(const FleetPlan &fleet, const std::vector<BillMonth> &months, BillingCloud cloud,
                              const std::stop_token &stop)
{
    BilledUse all;
    const base::UtcTime end = months.back().until;
    all.days = {std::max(end - kToldDays, months.front().month.start), end};
    for (BillMonth month : months) {
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "stopped");
        if (month.until <= all.days.start)
            continue;
        month.cloud = cloud;
        for (const model::BillLine &line : billLines(fleet, month))
            GPULEDGER_TRY(addBilledLine(all, line));
    }
    return all;
}

// The first instant of a month that is `count` months later, or earlier if that is negative.
base::UtcTime monthAfter(base::UtcTime month, int count)
{
    const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(month)};
    return std::chrono::sys_days((day.year() / day.month() + std::chrono::months(count)) / 1);
}

// The term that contains `now`; its last second is the end, as AWS tells it.
std::pair<base::UtcTime, base::UtcTime> termAt(base::UtcTime now, const BillMonth &firstBilled)
{
    base::UtcTime start = monthAfter(firstBilled.month.start, firstBilled.monthsBefore - kCommitmentBegan);
    while (monthAfter(start, kCommitmentMonths) <= now)
        start = monthAfter(start, kCommitmentMonths);
    return {start, monthAfter(start, kCommitmentMonths) - base::Seconds{1}};
}

CloudCommitmentKind kindOf(const model::BillCommitment &commitment)
{
    return commitment.category == model::CommitmentCategory::Spend ? CloudCommitmentKind::SavingsPlan
                                                                   : CloudCommitmentKind::Reservation;
}

model::CloudCommitment toldOf(const CommitmentUse &use, const base::TimeRange &days)
{
    model::CloudCommitment one;
    one.cloud = use.line.product.provider;
    one.account = use.line.billingAccountId;
    one.id = use.line.commitment.id;
    one.name = use.line.commitment.name;
    one.kind = kindOf(use.line.commitment);
    one.terms = use.line.commitment.type + std::string(kPlanTerms);
    one.currency = use.line.billed.currency();
    one.perHour = base::Decimal::of(Money(use.fee.nanos() / kHoursOfFee, one.currency));
    one.utilization = shareOf(use.used, use.unused);
    one.first = base::dayOf(days.start);
    one.last = base::dayOf(days.end - base::Seconds{1});
    one.unused = base::Decimal::of(use.unused);
    return one;
}

// Of the machines that a commitment is used for.
void addCoverage(const BilledUse &all, ports::CommitmentReport &report)
{
    for (const auto &[place, use] : all.machines) {
        const auto covered = shareOf(use.covered, use.onDemand);
        if (!use.line || !covered)
            continue;
        model::CommitmentCoverage one;
        one.cloud = use.line->product.provider;
        one.account = use.line->billingAccountId;
        one.by = kindOf(use.line->commitment);
        one.machine = place.first;
        one.region = place.second;
        one.covered = *covered;
        one.currency = use.line->billed.currency();
        one.onDemand = base::Decimal::of(use.cost);
        one.first = base::dayOf(all.days.start);
        one.last = base::dayOf(all.days.end - base::Seconds{1});
        report.coverage.push_back(std::move(one));
    }
}

} // namespace

Result<std::unique_ptr<ports::CommitmentSource>> DemoCommitments::create(const model::SourceSettings &settings,
                                                                         const base::Clock &clock)
{
    const auto options = optionsOf(settings);
    GPULEDGER_TRY(options);
    return std::make_unique<DemoCommitments>(settings.name, *options, clock);
}

DemoCommitments::DemoCommitments(std::string name, const Options &options, const base::Clock &clock)
    : m_name(std::move(name))
    , m_options(options)
    , m_clock(clock)
    , m_plan(FleetPlan::make(options))
{
}

Result<ports::CommitmentReport> DemoCommitments::read(base::UtcTime now, std::stop_token stop)
{
    ports::CommitmentReport report;
    const auto months = billedMonths(m_options, now);
    if (months.empty())
        return report;
    const auto [start, end] = termAt(now, months.front());
    for (const BillingCloud cloud : {BillingCloud::Aws, BillingCloud::Gcp}) {
        const auto use = billedUseOf(m_plan, months, cloud, stop);
        GPULEDGER_TRY(use);
        for (const auto &[id, one] : use->commitments) {
            report.commitments.push_back(toldOf(one, use->days));
            report.commitments.back().start = start;
            report.commitments.back().end = end;
        }
        addCoverage(*use, report);
    }
    return report;
}

Result<std::vector<ports::Finding>> DemoCommitments::probe(std::stop_token stop)
{
    const auto report = read(m_clock.now(), std::move(stop));
    GPULEDGER_TRY(report);
    return std::vector<ports::Finding>{{ports::Finding::Level::Good,
                                        ports::FindingText::CommitmentsFound,
                                        {static_cast<std::uint64_t>(report->commitments.size())},
                                        ports::FindingRemedy::None,
                                        {}}};
}

} // namespace gpuledger::demo
