// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gpuledger::base {

// From now on what is freed goes back to the system soon, instead of waiting in the process for a next time that may
// never come: a dashboard stays open all day, and one large question must not be paid for until evening. Costs some
// page faults where large blocks come and go. Called once by main(), before the first thread.
void returnFreedMemory();
// Returns at once what the small pieces left behind. Takes milliseconds; any thread but the one that paints.
void trimMemory();

} // namespace gpuledger::base
