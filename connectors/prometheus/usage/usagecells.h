// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/prometheus/usage/cellwriter.h"

#include <cstddef>
#include <vector>

namespace gpuledger::prometheus {

// The cells of a raw series by bucket, of which only those from the first to the last that was written are kept: most
// pods run for a small part of a day. Value type.
class UsageCells {
public:
    // The buckets of [first, end) are kept; an empty series has none.
    std::size_t first() const { return m_first; }
    std::size_t end() const { return m_first + m_cells.size(); }
    // The cell of any bucket; an empty one if it is not kept.
    const UsageCell &at(std::size_t bucket) const;
    // The cell to write. Keeps it and those between it and the others; the reference is valid until the next call.
    UsageCell &keep(std::size_t bucket);
    // Call before the first keep(), for as many buckets in a row.
    void reserve(std::size_t buckets);
    // After the last use: the memory is freed.
    void release();

private:
    std::size_t m_first = 0;
    std::vector<UsageCell> m_cells;
};

} // namespace gpuledger::prometheus
