// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <stop_token>
#include <vector>

namespace gpuledger::services {

class Engine;
struct SyncReport;

// Reads every price list of the configuration and stores what it offers, each completely or not at all; one that fails
// keeps what is stored and does not hold up the others. Two processes may do this at once: no lock is held while a
// server answers, and a reading is stored only if the other has not read the list since it began. One report for each
// list, whose range is empty. Blocks. Offers of lists that are no longer in the configuration end. A list behind an
// address that was read less than `pause` ago is not asked again, and has no report.
std::vector<SyncReport> syncPriceLists(Engine &engine, base::Seconds pause, const std::stop_token &stop);

} // namespace gpuledger::services
