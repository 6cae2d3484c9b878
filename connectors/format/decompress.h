// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/bytesource.h"

#include <cstdint>
#include <memory>

namespace gpuledger::format {

// Protection against decompression bombs: memory use is constant whatever the output size, so the limit is about time
// and disk space.
struct DecompressLimits {
    std::uint64_t ratio = 500; // output bytes per input byte; bills reach 10 to 100, deflate itself up to 1,032
    std::uint64_t freeBytes = 64u << 20; // the ratio applies above this many output bytes
};

// Returns the bytes as they are, or decompressed if they start like gzip (also with several members) or Zstandard
// (several frames). Reads the first bytes. Later reads fail with Parse (damaged; retryable if the data is truncated) or
// TooMuch (ratio above the limit, or a window above 128 MiB).
[[nodiscard]] base::Result<std::unique_ptr<ByteSource>> decompressed(std::unique_ptr<ByteSource> raw,
                                                                     DecompressLimits limits = {});

} // namespace gpuledger::format
