// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <cstddef>
#include <span>

namespace gpuledger::format {

// Bytes in their order, pulled piece by piece. One thread.
class ByteSource {
public:
    virtual ~ByteSource() = default;
    // Writes up to `to.size()` bytes and says how many; 0 is the end. After an error the source is used no more. An
    // error that is retryable means: the bytes end too early, as those of a file that is still being written do.
    [[nodiscard]] virtual base::Result<std::size_t> read(std::span<char> to) = 0;
};

} // namespace gpuledger::format
