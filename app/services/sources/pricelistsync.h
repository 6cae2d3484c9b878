// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::services {

class Engine;
struct SyncReport;

// Reads every price list of the configuration and those of its sources, or those of the named source alone, and stores
// what they offer, each completely or not at all; one that fails keeps what is stored and does not hold up the others.
// That a source's account has no right to see its prices is a warning, no failure. Two processes may do this at once:
// no lock is held while a server answers, and a reading is stored only if the other has not read the list since it
// began. One report for each list, whose range is empty. Blocks. Offers of lists that are no longer in the
// configuration end, unless one source is named. A list behind an address or of a source that was read less than
// `pause` ago is not asked again, and has no report. Sources that rate the chance of getting spot machines
// are asked for that too (syncPlacement()), after the lists; a report of it only says what went wrong.
std::vector<SyncReport> syncPriceLists(Engine &engine, const std::optional<std::string> &source, base::Seconds pause,
                                       const std::stop_token &stop);

} // namespace gpuledger::services
