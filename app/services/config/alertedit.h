// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/settings.h"
#include "app/ports/sourcekind.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Changes the alert rules and the fiscal year of the configuration file and keeps everything else in it byte for byte.
// Pure; any thread.
namespace gpuledger::services {

// `from` is a position in the existing list; an unchanged rule keeps its text.
struct AlertsChange {
    struct Rule {
        std::optional<std::size_t> from;
        model::AlertRule rule;
    };
    std::vector<model::AlertRule> before; // the rules when the change was made
    std::vector<Rule> after;
};
// `text` with other alert rules. Fails with InvalidConfig (the text is invalid or would become so), StorageBusy (the
// rules differ from `before` by now) or Unsupported (the list is written in a way that can't be changed alone).
[[nodiscard]] base::Result<std::string> withAlerts(std::string_view text, const AlertsChange &change,
                                                   const std::filesystem::path &file, const ports::SourceKinds &kinds);

// `text` with another month, 1 to 12, in which the year of budgets begins. `before`: the month when the change was
// made. Fails like withAlerts().
[[nodiscard]] base::Result<std::string> withFiscalYear(std::string_view text, int before, int after,
                                                       const std::filesystem::path &file,
                                                       const ports::SourceKinds &kinds);

// All fields are equal.
bool sameAlert(const model::AlertRule &a, const model::AlertRule &b);

} // namespace gpuledger::services
