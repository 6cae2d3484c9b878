// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <cstddef>
#include <span>

namespace gpuledger::format {

// What to do about a file that is damaged or cut off.
inline constexpr const char *kFetchAgain = "export or copy the file again";

// A sequence of bytes, read in chunks. One thread.
class ByteSource {
public:
    virtual ~ByteSource() = default;
    // Writes up to `to.size()` bytes and returns how many; 0 is the end. After an error the source must not be used. A
    // retryable error means that the bytes end too early, as in a file that is still being written.
    [[nodiscard]] virtual base::Result<std::size_t> read(std::span<char> to) = 0;
};

} // namespace gpuledger::format
