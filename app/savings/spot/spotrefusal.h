// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/spot/spotoffertext.h"

#include <optional>

// Why a workload that could run on spot machines is not offered; internal to app/savings. Pure; any thread.
namespace gpuledger::savings {

// Sets `longest`, and the closed forms for it (daly.h) at the rate of its market.
void addSpotClosedForms(SpotFound &found);

// After addSpotClosedForms(): what needs no replay, and must not have one, because it would go through too many states.
std::optional<Remark> spotHopeless(const SpotFound &found, const SpotRules &rules);

// After the replay: it never ends, has no capacity, or ends too late in more than a tenth of its machine time.
std::optional<Remark> spotRefusal(const SpotFound &found);

} // namespace gpuledger::savings
