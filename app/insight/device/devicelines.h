// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/device/devicedetails.h"

namespace gpuledger::insight {

// The lines of a device over a range of whole buckets, from what was reported about it, whoever held it. Blocking; call
// from a worker thread. Fails with Storage… codes.
[[nodiscard]] base::Result<DeviceLines> deviceLines(store::FactReader &facts, const model::Device &device,
                                                    base::TimeRange range, int points);

} // namespace gpuledger::insight
