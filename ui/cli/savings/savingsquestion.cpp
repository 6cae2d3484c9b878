// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/savings/savingsquestion.h"

#include "app/base/text/text.h"
#include "app/services/prices/paidprices.h"
#include "app/services/prices/pricefiles.h"
#include "app/services/savings/savingsservice.h"
#include "app/services/savings/usualassumptions.h"
#include "ui/cli/program/costoption.h"
#include "ui/cli/savings/assumptionprint.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <system_error>

namespace gpuledger::cli {

namespace {

// The defaults of the configuration; the program's if there is none.
base::Result<savings::Assumptions> usualIn(Session &session)
{
    const GlobalOptions &options = session.options();
    if (!options.report.empty()) {
        const auto workspace = session.workspace();
        GPULEDGER_TRY(workspace);
        return (*workspace)->savings().usual();
    }
    std::error_code error;
    if (!options.demo && !std::filesystem::exists(session.configFile(), error))
        return savings::Assumptions();
    const auto settings = session.settings();
    GPULEDGER_TRY(settings);
    return services::usualAssumptions(settings->savings);
}

} // namespace

void addAssumeOptions(CLI::App &verb, AssumeOptions &assume)
{
    verb.add_option("--scenario", assume.scenario, "Assumptions saved under this name; --assume changes some of them");
    verb.add_option("--assume", assume.values,
                    "NAME=VALUE: another value of an assumption, such as scale-down-delay=2h; repeatable")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void addOwnOption(CLI::App &verb, AssumeOptions &assume)
{
    verb.add_option("--own", assume.own, "Also commitments of this CSV file of offers that you have")
        ->expected(1)
        ->take_all();
}

base::Result<savings::Assumptions> assumedIn(Session &session, const AssumeOptions &assume)
{
    if (assume.scenario.empty()) {
        const auto usual = usualIn(session);
        GPULEDGER_TRY(usual);
        return assumptionsFrom(assume.values, *usual);
    }
    const auto workspace = session.workspace();
    GPULEDGER_TRY(workspace);
    const auto scenario = (*workspace)->savings().scenario(assume.scenario);
    GPULEDGER_TRY(scenario);
    if (!scenario->unknown.empty())
        return base::fail(base::ErrorCode::InvalidArgument,
                          "the scenario \"" + base::printable(assume.scenario, 64)
                              + "\" has a value that this version can't use: "
                              + base::printable(scenario->unknown.front(), 100),
                          "save \"" + base::printable(assume.scenario, 64) + "\" again");
    return assumptionsFrom(assume.values, scenario->assumptions);
}

base::Result<services::SavingsQuery> savingsQuery(Session &session, const base::TimeZone &zone, const std::string &cost,
                                                  const AssumeOptions &assume)
{
    services::SavingsQuery query;
    if (!session.options().from.empty() || !session.options().to.empty()) {
        const auto given = session.range(zone);
        GPULEDGER_TRY(given);
        query.range = *given;
    }
    const auto assumed = assumedIn(session, assume);
    GPULEDGER_TRY(assumed);
    query.cost = costViewOf(cost);
    query.assumptions = *assumed;
    if (assume.own.empty())
        return query;
    const auto lists = services::priceLists();
    GPULEDGER_TRY(lists);
    auto own = services::readPriceFiles({{}, assume.own, std::nullopt}, *lists);
    GPULEDGER_TRY(own);
    query.own = std::make_shared<const savings::QuoteList>(std::move(*own));
    return query;
}

base::Result<base::Currency> currencyIn(const Session &session)
{
    const GlobalOptions &options = session.options();
    std::error_code error;
    const bool isNone =
        !options.demo && options.report.empty() && !std::filesystem::exists(session.configFile(), error);
    const auto settings = session.settings();
    if (!settings && isNone)
        return base::Currency::usd();
    GPULEDGER_TRY(settings);
    return settings->currency;
}

} // namespace gpuledger::cli
