// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/prices/gpucatalog.h"
#include "app/savings/rightsize/rightsizefit.h"

namespace gpuledger::services {

// What the catalogue knows of a GPU, as the savings engines take it. Any thread.
savings::RightSizeGpu catalogGpu(const ledger::GpuFacts &facts);

} // namespace gpuledger::services
