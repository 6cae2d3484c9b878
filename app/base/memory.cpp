// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/memory.h"

// A sanitizer has an allocator of its own. Then glibc's is used for the first time here, by several threads at once,
// and its initialization is no match for that.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define GPULEDGER_HAS_GLIBC_MALLOC
#include <malloc.h>
#endif

namespace gpuledger::base {

void returnFreedMemory()
{
#ifdef GPULEDGER_HAS_GLIBC_MALLOC
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
#ifdef GPULEDGER_HAS_GLIBC_MALLOC
    malloc_trim(0);
#endif
}

} // namespace gpuledger::base
