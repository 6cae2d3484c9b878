// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/demoplans.h"

#include <cstdint>
#include <optional>

namespace gpuledger::demo {

using base::Result;
using model::PlannedMachine;
using model::PlannedUse;
using model::PurchaseOption;

namespace {

constexpr std::int64_t kMonthHours = 730;
// List prices per hour in 1e-6 USD (resources/prices/instances.csv); spot as a plan guesses it.
constexpr std::int64_t kP5 = 55'040'000, kG5 = 5'672'000, kG5Spot = 2'100'000, kA2 = 3'673'385;

std::optional<PlannedUse> machines(std::int64_t count, std::int64_t microsPerHour)
{
    if (count == 0)
        return std::nullopt;
    constexpr std::int64_t kNanosOfMicro = 1'000;
    const std::int64_t hours = count * kMonthHours;
    return PlannedUse{base::Decimal::parse(std::to_string(hours)).value_or(base::Decimal()),
                      base::Money(hours * microsPerHour * kNanosOfMicro, base::Currency::usd())};
}

PlannedMachine planned(const char *resource, const char *cloud, const char *type, std::int64_t perHour,
                       std::int64_t before, std::int64_t after)
{
    PlannedMachine one;
    one.project = "ml-platform";
    one.resource = resource;
    one.cloud = cloud;
    one.machine = type;
    one.planned = machines(after, perHour);
    one.before = machines(before, perHour);
    return one;
}

} // namespace

DemoPlans::DemoPlans(std::string name, const base::Clock &clock)
    : m_name(std::move(name))
    , m_clock(clock)
{
}

Result<std::vector<model::Plan>> DemoPlans::read(std::stop_token /*stop*/)
{
    model::Plan plan;
    plan.file = "ml-platform.json";
    plan.made = base::floorTo(m_clock.now(), base::kDay) - base::kDay;
    plan.currency = base::Currency::usd();
    plan.tellsBefore = true;
    plan.machines = {planned("aws_eks_node_group.notebooks", "aws", "g5.12xlarge", kG5, 2, 1),
                     planned("aws_eks_node_group.nightly", "aws", "g5.12xlarge", kG5Spot, 0, 3),
                     planned("google_container_node_pool.scoring", "gcp", "a2-highgpu-1g", kA2, 4, 0),
                     planned("module.training.aws_eks_node_group.h100", "aws", "p5.48xlarge", kP5, 1, 2)};
    plan.machines[1].purchase = PurchaseOption::Spot;
    return std::vector<model::Plan>{std::move(plan)};
}

Result<ports::ProbeReport> DemoPlans::probe(std::stop_token stop)
{
    const auto plans = read(std::move(stop));
    GPULEDGER_TRY(plans);
    ports::ProbeReport report;
    report.product = "Demo";
    report.usable = true;
    report.findings.push_back({ports::Finding::Level::Good,
                               ports::FindingText::PlansFound,
                               {std::uint64_t{1}, static_cast<std::uint64_t>(plans->front().machines.size())},
                               {},
                               {}});
    return report;
}

} // namespace gpuledger::demo
