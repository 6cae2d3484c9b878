// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/fleet/attribution.h"
#include "app/savings/proposals/remark.h"

#include <optional>

// What off-hours can be applied to. Pure; any thread; no errors.
namespace gpuledger::services {

// Why off-hours can be applied to it: "notebook", "development", or, for what is neither training nor batch work,
// "environment staging" or "namespace team-dev" if a word of that name says so. std::nullopt: they can't, or it is no
// pod.
std::optional<savings::Remark> schedulableAs(const model::AttributedHolder &who);

} // namespace gpuledger::services
