// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/billing/acceptedsavings.h"

#include "app/reports/statement/statement.h"
#include "app/services/savings/savingschoices.h"

#include <chrono>
#include <utility>

namespace gpuledger::services {

namespace {

insight::Month lastMonthOver(base::UtcTime at, const base::TimeZone &zone)
{
    const std::chrono::year_month_day today{std::chrono::sys_days(std::chrono::days(zone.localDay(at)))};
    return reports::before({static_cast<int>(today.year()), static_cast<unsigned>(today.month())});
}

} // namespace

std::vector<AcceptedSaving> acceptedSavingsOf(const std::vector<store::AuditEntry> &log, const base::TimeZone &zone)
{
    std::vector<savings::Choice> choices = choicesOf(log);
    std::vector<AcceptedSaving> out;
    for (savings::Choice &choice : choices) {
        if (choice.draft.state != savings::ChoiceState::Accepted)
            continue;
        const insight::Month month = lastMonthOver(choice.since, zone);
        out.push_back({std::move(choice), month});
    }
    return out;
}

} // namespace gpuledger::services
