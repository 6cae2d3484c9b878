// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/alerts/alerttables.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Cells of the tables of the Alerts page. Pure.
namespace gpuledger::ui::alertcells {

AlertCell timeCell(base::UtcTime at, const base::TimeZone &zone);
AlertCell countCell(std::size_t count);
// `nanos` in the unit of the rule.
AlertCell valueCell(std::optional<std::int64_t> nanos, const alerts::Rule &rule, base::Currency currency);
AlertCell stateCell(alerts::AlertState state);
QString scopesText(const std::vector<std::string> &scopes);
// What a text is sorted and exported as: not set for a dash.
TableValue textValue(const QString &text);

} // namespace gpuledger::ui::alertcells
