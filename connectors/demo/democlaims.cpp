// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/democlaims.h"

#include <utility>

namespace gpuledger::demo {

using base::Day;
using base::Result;
using model::SavingsClaim;

namespace {

// The first day of the month of `day`.
Day monthOf(Day day)
{
    constexpr std::size_t kMonth = 7; // "2026-10"
    const std::string month = base::toRfc3339(day.start()).substr(0, kMonth);
    while (base::toRfc3339(Day{day.number - 1}.start()).starts_with(month))
        --day.number;
    return day;
}

SavingsClaim claimed(const char *tool, const char *what, std::pair<std::string, std::string> scope, Day month,
                     const char *saved)
{
    SavingsClaim claim;
    claim.tool = tool;
    claim.what = what;
    claim.scope = {std::move(scope)};
    claim.last = Day{month.number - 1};
    claim.first = monthOf(claim.last);
    claim.saved = base::Decimal::parse(saved).value_or(base::Decimal());
    claim.currency = base::Currency::usd();
    return claim;
}

} // namespace

DemoClaims::DemoClaims(std::string name, const base::Clock &clock)
    : m_name(std::move(name))
    , m_clock(clock)
{
}

Result<std::vector<SavingsClaim>> DemoClaims::read(std::stop_token /*stop*/)
{
    const Day now = monthOf(base::dayOf(m_clock.now()));
    const Day before = monthOf(Day{now.number - 1});
    return std::vector<SavingsClaim>{
        claimed("Node Trimmer", "Idle nodes removed", {"cluster", "prod-us"}, now, "42000"),
        claimed("Spot Pilot", "Spot instead of on demand", {"team", "speech"}, before, "7400"),
        claimed("Spot Pilot", "Spot instead of on demand", {"team", "speech"}, now, "9800")};
}

Result<ports::ProbeReport> DemoClaims::probe(std::stop_token stop)
{
    const auto claims = read(std::move(stop));
    GPULEDGER_TRY(claims);
    ports::ProbeReport report;
    report.product = "Demo";
    report.usable = true;
    report.findings.push_back({ports::Finding::Level::Good,
                               ports::FindingText::ClaimsFound,
                               {static_cast<std::uint64_t>(claims->size()), std::uint64_t{2}},
                               {},
                               {}});
    return report;
}

} // namespace gpuledger::demo
