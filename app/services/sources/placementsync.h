// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/ports/pricesource.h"

#include <map>
#include <stop_token>
#include <string>

namespace gpuledger::model {
struct SourceSettings;
}

namespace gpuledger::services {

class Engine;
struct SyncReport;

// Between two readings of the same source that nobody asked for by its name.
inline constexpr base::Seconds kPlacementPause{20 * 3600};

// Asks a source how likely its cloud grants spot machines for the GPUs that the fleet uses (placementQuestions()) in
// the region of the source, and keeps all answers, if it was not read less than `pause` ago. `machines` are those of
// the catalogue. If the cloud takes no more different questions, the answers until then are kept, and it is not asked
// again for a day. Another failure leaves what is kept and is a warning; that the account may not see ratings, or that
// the cloud has none for some types, is only kept. Blocks, without a lock while the server answers.
void syncPlacement(Engine &engine, const model::SourceSettings &settings, ports::PriceSource &source,
                   const std::map<std::string, ports::KnownMachine> &machines, base::Seconds pause,
                   const std::stop_token &stop, SyncReport &report);

} // namespace gpuledger::services
