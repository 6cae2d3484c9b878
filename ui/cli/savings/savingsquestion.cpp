// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/savings/savingsquestion.h"

#include "ui/cli/program/costoption.h"
#include "ui/cli/savings/assumptionprint.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

void addAssumeOption(CLI::App &verb, std::vector<std::string> &assume)
{
    verb.add_option("--assume", assume,
                    "NAME=VALUE: another value of an assumption, such as scale-down-delay=2h; repeatable")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

base::Result<services::SavingsQuery> savingsQuery(const Session &session, const base::TimeZone &zone,
                                                  const std::string &cost, const std::vector<std::string> &assume)
{
    services::SavingsQuery query;
    if (!session.options().from.empty() || !session.options().to.empty()) {
        const auto given = session.range(zone);
        GPULEDGER_TRY(given);
        query.range = *given;
    }
    const auto assumed = assumptionsFrom(assume);
    GPULEDGER_TRY(assumed);
    query.cost = costViewOf(cost);
    query.assumptions = *assumed;
    return query;
}

} // namespace gpuledger::cli
