// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gpuledger::base {

// As long as it lives, this process leaves no memory image when it crashes: credentials pass through its memory.
// Neither a core file, nor a copy for a crash collector, nor can another process of the same user attach to it. Owned
// by main(), which makes it first. Main thread.
class NoCoreDumps {
public:
    NoCoreDumps();
    ~NoCoreDumps();
    NoCoreDumps(const NoCoreDumps &) = delete;
    NoCoreDumps &operator=(const NoCoreDumps &) = delete;

private:
    bool m_dumpable = true; // before us
};

} // namespace gpuledger::base
