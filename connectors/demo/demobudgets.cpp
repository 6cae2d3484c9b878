// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/demobudgets.h"

#include "connectors/demo/bills/billmonths.h"
#include "connectors/demo/fleet/demooptions.h"
#include "connectors/format/askedbill.h"

#include <array>
#include <optional>
#include <utility>

namespace gpuledger::demo {

namespace {

using base::Money;
using base::Result;
using model::CloudBudgetPeriod;

constexpr std::int64_t kBudgetMille = 1000;
constexpr std::int64_t kNanosPerCent = Money::kNanosPerUnit / 100;

// A budget of the company, and how it is set up.
struct BudgetPlan {
    std::string_view cloud, name, service; // service empty: all of them
    std::optional<BillingCloud> biller; // std::nullopt: all of them
    CloudBudgetPeriod period;
    std::int64_t limit; // in thousandths of what the period costs at the prices of its first day
    bool tellsSpending;
};
constexpr std::array<BudgetPlan, 4> kBudgetPlans{{
    {"Demo", "All clouds", "", std::nullopt, CloudBudgetPeriod::Month, 1060, true},
    {"AWS", "EC2", "Amazon Elastic Compute Cloud", BillingCloud::Aws, CloudBudgetPeriod::Month, 950, true},
    {"AWS", "Bedrock", "Amazon Bedrock", BillingCloud::Aws, CloudBudgetPeriod::Quarter, 1150, true},
    {"Google Cloud", "ml-serving", "", BillingCloud::Gcp, CloudBudgetPeriod::Year, 1050, false},
}};

// What was spent of a budget on its first days.
struct Spending {
    Money amount;
    std::int64_t days = 0;
};

std::int64_t daysIn(const base::TimeRange &range)
{
    return range.length() / base::kDay;
}

base::TimeRange periodAt(CloudBudgetPeriod period, base::UtcTime now)
{
    const int length = period == CloudBudgetPeriod::Year ? 12 : period == CloudBudgetPeriod::Quarter ? 3 : 1;
    const std::chrono::year_month_day today{std::chrono::floor<std::chrono::days>(now)};
    const auto before = (static_cast<unsigned>(today.month()) - 1) % static_cast<unsigned>(length);
    const auto first = today.year() / today.month() - std::chrono::months(before);
    return {std::chrono::sys_days(first / 1), std::chrono::sys_days((first + std::chrono::months(length)) / 1)};
}

// Adds what a month's bill has for the budget. Fails with Overflow.
Result<Money> plusBilled(Money sum, const BudgetPlan &budget, const FleetPlan &fleet, BillMonth month)
{
    for (const BillingCloud cloud : {BillingCloud::Aws, BillingCloud::Gcp}) {
        if (budget.biller && *budget.biller != cloud)
            continue;
        month.cloud = cloud;
        for (const model::BillLine &line : billLines(fleet, month)) {
            if (!budget.service.empty() && line.product.serviceName != budget.service)
                continue;
            const auto more = sum.plus(line.billed);
            GPULEDGER_TRY(more);
            sum = *more;
        }
    }
    return sum;
}

// By the months that were billed then. std::nullopt: no day of the period was, or the bills begin later than it.
Result<std::optional<Spending>> spendingOf(const BudgetPlan &budget, const base::TimeRange &period,
                                           const FleetPlan &fleet, const std::vector<BillMonth> &months)
{
    std::optional<Spending> spending;
    for (const BillMonth &month : months) {
        if (month.month.start == period.start)
            spending = Spending{Money(0, base::Currency::usd()), 0};
        if (!spending || month.month.start >= period.end)
            continue;
        const auto sum = plusBilled(spending->amount, budget, fleet, month);
        GPULEDGER_TRY(sum);
        spending->amount = *sum;
        spending->days = daysIn({period.start, month.until});
    }
    return spending;
}

// What the days of the period cost if each costs as much as these.
base::Decimal forecastOf(const Spending &spending, const base::TimeRange &period)
{
    const std::int64_t cents = spending.amount.nanos() / kNanosPerCent * daysIn(period) / spending.days;
    return base::Decimal::of(Money(cents * kNanosPerCent, spending.amount.currency()));
}

// Rounded up to two digits, as people set it. std::nullopt: the fleet has no such costs.
Result<std::optional<base::Decimal>> limitOf(const BudgetPlan &budget, const base::TimeRange &period,
                                             const FleetPlan &fleet)
{
    BillMonth firstDay;
    firstDay.month = {period.start, format::nextMonthStart(period.start)};
    firstDay.until = period.start + base::kDay;
    const auto cost = plusBilled(Money(0, base::Currency::usd()), budget, fleet, firstDay);
    GPULEDGER_TRY(cost);
    std::int64_t units = cost->nanos() / kBudgetMille * budget.limit / Money::kNanosPerUnit * daysIn(period);
    if (units <= 0)
        return std::optional<base::Decimal>();
    std::int64_t size = 1;
    while (units / size >= 100)
        size *= 10;
    units = (units + size - 1) / size * size;
    return std::optional(base::Decimal::of(Money(units * Money::kNanosPerUnit, cost->currency())));
}

} // namespace

Result<std::unique_ptr<ports::BudgetSource>> DemoBudgets::create(const model::SourceSettings &settings,
                                                                 const base::Clock &clock)
{
    const auto options = optionsOf(settings);
    GPULEDGER_TRY(options);
    return std::make_unique<DemoBudgets>(settings.name, *options, clock);
}

DemoBudgets::DemoBudgets(std::string name, const Options &options, const base::Clock &clock)
    : m_name(std::move(name))
    , m_options(options)
    , m_clock(clock)
    , m_plan(FleetPlan::make(options))
{
}

Result<ports::BudgetList> DemoBudgets::read(std::stop_token stop)
{
    ports::BudgetList list;
    const auto months = billedMonths(m_options, m_clock.now() - base::kDay);
    for (const BudgetPlan &plan : kBudgetPlans) {
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "stopped");
        const base::TimeRange period = periodAt(plan.period, m_clock.now());
        const auto limit = limitOf(plan, period, m_plan);
        GPULEDGER_TRY(limit);
        if (!*limit)
            continue;
        model::CloudBudget budget;
        budget.cloud = plan.cloud;
        budget.account = plan.biller ? billingAccountOf(*plan.biller) : std::string_view("demo-company");
        budget.name = plan.name;
        if (!plan.service.empty())
            budget.scope = "Service: " + std::string(plan.service);
        budget.isWholeBill = !plan.biller;
        budget.period = plan.period;
        budget.first = base::dayOf(period.start);
        budget.last = base::dayOf(period.end - base::Seconds{1});
        budget.currency = base::Currency::usd();
        budget.limit = *limit;
        const auto spending = plan.tellsSpending ? spendingOf(plan, period, m_plan, months)
                                                 : Result<std::optional<Spending>>(std::nullopt);
        GPULEDGER_TRY(spending);
        if (*spending) {
            budget.spent = base::Decimal::of((*spending)->amount);
            budget.forecast = forecastOf(**spending, period);
        }
        list.budgets.push_back(std::move(budget));
    }
    return list;
}

} // namespace gpuledger::demo
