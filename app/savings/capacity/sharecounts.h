// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

// Shares of GPUs by their size. Pure; any thread may read.
namespace gpuledger::savings {

struct ShareCount {
    std::uint16_t gpus = 0; // of each of these shares
    std::uint32_t count = 0;
    bool operator==(const ShareCount &) const = default;
};

// A pool has thousands of shares each hour, of a few sizes: their counts take a few bytes.
class ShareCounts {
public:
    void add(std::uint16_t gpus)
    {
        const auto at = std::lower_bound(m_sizes.begin(), m_sizes.end(), gpus,
                                         [](const ShareCount &one, std::uint16_t size) { return one.gpus < size; });
        if (at != m_sizes.end() && at->gpus == gpus)
            ++at->count;
        else
            m_sizes.insert(at, {gpus, 1});
    }
    const std::vector<ShareCount> &bySize() const { return m_sizes; } // ascending; each size once

private:
    std::vector<ShareCount> m_sizes;
};

} // namespace gpuledger::savings
