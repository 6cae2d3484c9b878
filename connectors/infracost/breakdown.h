// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/money/plan.h"

#include <string>
#include <string_view>

namespace gpuledger::infracost {

// The machines in the output of `infracost breakdown --format json` or `infracost diff --format json`, before and after
// the change; `file` is its name. Components that are no machines, such as disks, are left out. Fails with Parse (it is
// no such output, or an amount can't be read) and TooMuch (above 100,000 resources).
[[nodiscard]] base::Result<model::Plan> readBreakdown(std::string_view json, const std::string &file);

} // namespace gpuledger::infracost
