// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gpuledger::base {

// Makes freed memory return to the system soon instead of staying in the process for reuse that may never come: a
// dashboard stays open all day, and one large query must not occupy memory until evening; a sync on a server must not
// hold the memory of several answers when it reads one. Costs some page faults when
// large blocks are allocated and freed repeatedly. Called once by main(), before the first thread.
void returnFreedMemory();
// Returns free memory left by small allocations to the system at once. Takes milliseconds; any thread but the GUI
// thread.
void trimMemory();

} // namespace gpuledger::base
