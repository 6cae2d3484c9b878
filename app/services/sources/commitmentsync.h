// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>

namespace gpuledger::model {
struct SourceSettings;
}

namespace gpuledger::services {

class Engine;
struct SyncReport;

// Reads what the cloud of a source says of commitments, if the last answer is no longer good, and keeps it. A reading
// that fails leaves what is kept, and makes the sync partial, with a warning; that the account may not see commitments
// is only kept. What was paid is added to the report and to what is remembered of the source. Blocks; the caller
// holds the source's lock.
void syncCommitments(Engine &engine, const model::SourceSettings &source, const std::stop_token &stop,
                     SyncReport &report);

} // namespace gpuledger::services
