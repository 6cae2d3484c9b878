// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/memory.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace gpuledger::base {

void returnFreedMemory()
{
#ifdef __GLIBC__
    // Without these, glibc raises both thresholds to the largest block ever freed, up to 32 and 64 MiB.
    constexpr int kLargeBlock = 256 * 1024; // bytes
    constexpr int kArenas = 2; // each keeps its own free memory
    mallopt(M_MMAP_THRESHOLD, kLargeBlock);
    mallopt(M_TRIM_THRESHOLD, kLargeBlock);
    mallopt(M_ARENA_MAX, kArenas);
#endif
}

void trimMemory()
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

} // namespace gpuledger::base
