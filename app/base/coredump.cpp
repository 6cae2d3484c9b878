// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/coredump.h"

#include <sys/prctl.h>
#include <sys/resource.h>

namespace gpuledger::base {

NoCoreDumps::NoCoreDumps()
    : m_dumpable(prctl(PR_GET_DUMPABLE) == 1)
{
    const rlimit none{0, 0}; // inherited by child processes
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_DUMPABLE, 0); // the limit alone does not apply to a collector that the kernel pipes to
}

NoCoreDumps::~NoCoreDumps()
{
    // A leak checker attaches to the process when it exits, when no credential is left.
    if (m_dumpable)
        prctl(PR_SET_DUMPABLE, 1);
}

} // namespace gpuledger::base
