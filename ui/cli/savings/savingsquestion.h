// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/timezone.h"
#include "app/services/savings/savingsservice.h"
#include "ui/cli/program/command.h"

#include <string>
#include <vector>

namespace gpuledger::cli {

// As typed.
struct AssumeOptions {
    std::string scenario; // empty: none
    std::vector<std::string> values; // "NAME=VALUE"
    std::vector<std::string> own; // files of offers
};
void addAssumeOptions(CLI::App &verb, AssumeOptions &assume);
void addOwnOption(CLI::App &verb, AssumeOptions &assume);

// The values of the scenario, changed by those of --assume, among the defaults of the configuration. Fails with
// InvalidArgument and InvalidConfig, and as scenario() does.
[[nodiscard]] base::Result<savings::Assumptions> assumedIn(Session &session, const AssumeOptions &assume);

// The currency of the configuration; USD without one. Fails as settings() does.
[[nodiscard]] base::Result<base::Currency> currencyIn(const Session &session);

// What --from, --to, --cost, --scenario, --assume and --own ask for, of all kinds, so that a choice is about the
// proposal that the list with the same options shows. Fails as assumedIn() and services::readPriceFiles() do.
[[nodiscard]] base::Result<services::SavingsQuery> savingsQuery(Session &session, const base::TimeZone &zone,
                                                                const std::string &cost, const AssumeOptions &assume);

} // namespace gpuledger::cli
