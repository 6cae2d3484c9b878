// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gpuledger::base {

// Keeps this process from leaving a memory image when it crashes, because credentials pass through its memory: no core
// file, no copy for a crash collector, and no other process of the same user can attach to it. Owned by main(), which
// creates it first. Main thread.
class NoCoreDumps {
public:
    NoCoreDumps();
    ~NoCoreDumps();
    NoCoreDumps(const NoCoreDumps &) = delete;
    NoCoreDumps &operator=(const NoCoreDumps &) = delete;

private:
    bool m_dumpable = true; // the state before this object
};

} // namespace gpuledger::base
