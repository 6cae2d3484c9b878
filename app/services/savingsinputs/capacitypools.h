// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/ledger/ledger.h"
#include "app/savings/capacity/capacity.h"
#include "app/services/savingsinputs/days/daycollector.h"
#include "app/store/facts/factreader.h"

#include <memory>
#include <vector>

namespace gpuledger::services {

// Every paid device of a range, as pools of nodes, ascending by id; a device without a node is a node of its own. The
// range is cut to whole UTC hours. The unallocated time of the pools adds up to that of insight::summarize() for the
// same range. An hour of a node counts as known if at least 90 % of it is observed or held, as in the idle list. What
// holds at most a quarter of a node is named, as of the time of the hour in which most of the node was held. Terms are
// those of the node's last day in the range.
class CapacityCollector : public DayCollector {
public:
    // Once, after the last day. Fails with Overflow and Storage… codes.
    [[nodiscard]] virtual base::Result<std::vector<savings::CapacityPool>> take(const ledger::Ledger &ledger,
                                                                                store::FactReader &facts) = 0;
};

std::unique_ptr<CapacityCollector> capacityCollector(base::TimeRange range);

} // namespace gpuledger::services
