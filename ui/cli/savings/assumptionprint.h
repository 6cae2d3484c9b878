// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/savings/assumptions/assumptions.h"
#include "ui/cli/program/jsonrows.h"

#include <optional>
#include <string>
#include <vector>

// What a user may assume, for `savings`. Pure; any thread.
namespace gpuledger::cli {

// `before` with what --assume says: each "NAME=VALUE"; of one name, the last counts. Fails with InvalidArgument.
[[nodiscard]] base::Result<savings::Assumptions> assumptionsFrom(const std::vector<std::string> &given,
                                                                 const savings::Assumptions &before = {});

// Those of one kind, or all: name, kind, value, default, limits and help. With them what the configuration says of
// kinds of work alone, which has no default for all.
std::vector<savings::AssumptionSpec> assumptionsOf(std::optional<savings::Kind> kind,
                                                   const savings::Assumptions &assumed);
Json assumptionJson(const savings::AssumptionSpec &spec, const savings::Assumptions &assumed);
std::string assumptionsText(const std::vector<savings::AssumptionSpec> &specs, const savings::Assumptions &assumed,
                            bool bold);
std::string assumptionsCsv(const std::vector<savings::AssumptionSpec> &specs, const savings::Assumptions &assumed);

// Only what differs from the defaults.
Json changedJson(const savings::Assumptions &assumed);
std::string changedText(const savings::Assumptions &assumed); // a line; empty: nothing differs

} // namespace gpuledger::cli
