// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/actions/marks.h"

namespace gpuledger::actions {

struct MarkRound {
    std::optional<base::UtcTime> before; // when a round was done the last time; nothing: not known
};

// One round of the watch over all marks: ends those that somebody objected to or that work again, gives a fresh notice
// to those that fell due while nobody watched or the clock jumped, and stops what is due by the same plan, checks,
// limits and runner as a person's stop. What is over the limits of one confirmation is not stopped at all. Every mark
// that was acted on is over; one that can't be judged just now waits, for at most kTriedFor. Whoever calls holds the
// ActionLock. Does nothing where the configuration does not say actions.stop_marked. Blocking; a worker thread. Fails
// with Cancelled, Storage… codes, or where telemetry can't be asked at all; then nothing more was begun, and the marks
// stay.
[[nodiscard]] base::Result<void> runMarks(const MarkRound &round, ActionContext &engine, std::stop_token stop,
                                          const MarkProgress &tell, const RunProgress &progress = {});

} // namespace gpuledger::actions
