// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/azure/costs/costsettings.h"

#include <string>

namespace gpuledger::azure {

// One question to Cost Management, which may take several pages.
struct CostQuestion {
    enum class Groups { None, Services, Machines, Tags };
    bool isEffective = false; // AmortizedCost in place of ActualCost
    Groups groups = Groups::None; // Tags: the usage of machines by resource and tag
    base::TimeRange days; // whole UTC days, 31 at most: Azure cuts longer ranges off without a word

    static constexpr int kMostDays = 31;
};

// The names of the two groups in the answer's columns; empty: none.
struct GroupNames {
    std::string first, second;
};
GroupNames groupNamesOf(const CostQuestion &question, const CostSettings &settings);

// "2026-11-01".
std::string dateText(base::UtcTime day);

// The address that takes the questions of a scope.
std::string questionUrl(const CostSettings &settings);
// The body; every page is asked with the same one.
std::string questionBody(const CostQuestion &question, const CostSettings &settings);

} // namespace gpuledger::azure
