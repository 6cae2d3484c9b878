// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/bytesource.h"

#include <cstdint>
#include <memory>

namespace gpuledger::format {

// Against bombs: memory stays flat whatever comes out, so the limit is about time and disk.
struct DecompressLimits {
    std::uint64_t ratio = 500; // bytes out for each byte in; bills come to 10 to 100, deflate itself to 1,032
    std::uint64_t freeBytes = 64u << 20; // the ratio counts above this many bytes out
};

// The bytes as they are, or decompressed when they begin like gzip (also of several members) or Zstandard (several
// frames). Reads the first bytes. Later reads fail with Parse (damaged; retryable when it ends before its end) or
// TooMuch (ratio above the limit, or a window above 128 MiB).
[[nodiscard]] base::Result<std::unique_ptr<ByteSource>> decompressed(std::unique_ptr<ByteSource> raw,
                                                                     DecompressLimits limits = {});

} // namespace gpuledger::format
