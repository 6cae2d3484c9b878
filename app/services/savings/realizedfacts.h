// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/savings/proposals/choice.h"
#include "app/savings/realized/realized.h"
#include "app/store/facts/attributionreader.h"

#include <stop_token>
#include <vector>

namespace gpuledger::services {

// The past of each accepted choice, and of each stop in the form of one, in their order, for
// savings::measureRealized(). Costs must be in `currency`; `known` is the range of the data.
//
// Target of capacity, commitments and slices: all devices of the pools (cluster, node group, machine type, GPU model)
// that the proposal's devices were in before the choice. A pool, because machines that come back have new ids.
// Target of the other kinds: what nobody or this workload held on the proposal's devices, and what the workload held on
// any other device, so that a move is followed; what others do with a device that it gave up is theirs.
// Target of a stop: all of the devices that its workload held on that day or the day before, whoever holds them, and
// what the workload held on any other device. So a machine that stays is no saving, even if others use it.
// The workload of a spot proposal is all jobs of its series (spotSeries()).
// Control: observed, priced time of devices of the same GPU models that no accepted proposal names and that are in no
// target pool, without what such a workload held. If it never has paid time: of all GPU models. Its prices are by pool
// and what the labels of its nodes say of the purchase (spot, on demand).
//
// Devices are known by deviceResource(); a bare number, an id that another device may have by now, names none.
// Several proposals about the same target are measured each on its own and both find the same change: these have one
// `group`, the id of a choice. Targets overlap if they share a device or a workload, or if one is a pool and the other
// had devices in it.
// Blocking; one pass over the days of the windows. Fails with Cancelled, Overflow and Storage… codes.
[[nodiscard]] base::Result<std::vector<savings::RealizedPast>>
realizedPasts(store::AttributionReader &attribution, const std::vector<savings::Choice> &accepted,
              base::TimeRange known, base::Currency currency, const std::stop_token &stop);

} // namespace gpuledger::services
