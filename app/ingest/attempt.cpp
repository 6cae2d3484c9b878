// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ingest/attempt.h"

#include "app/base/text/log.h"

#include <algorithm>

namespace gpuledger::ingest {

std::optional<base::Error> recorded(store::LedgerStore &cache, const std::string &source, const Attempt &attempt)
{
    store::SyncState state;
    if (const auto states = cache.syncStates()) {
        const auto known = std::find_if(states->begin(), states->end(),
                                        [&](const store::SyncState &one) { return one.source == source; });
        state = known == states->end() ? state : *known;
    }
    state.source = source;
    state.lastAttempt = attempt.now;
    state.accepted = attempt.accepted;
    state.rejected = attempt.rejected;
    state.gaps = attempt.gaps;
    state.bytes = attempt.bytes;
    state.lastError = attempt.error ? base::log::redacted(attempt.error->text) : std::string();
    state.lastErrorCode = attempt.error ? std::string(base::toString(attempt.error->code)) : std::string();
    if (!attempt.error)
        state.lastSuccess = attempt.now;
    const auto saved = cache.saveSyncState(state);
    return attempt.error || saved ? attempt.error : std::optional(saved.error());
}

} // namespace gpuledger::ingest
