// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/allocations/allocatedamount.h"

#include <algorithm>

namespace gpuledger::ledger {

__extension__ using Wide = __int128;

std::int64_t magnitude(std::int64_t value)
{
    return value < 0 ? -(value + 1) : value; // the lowest value has no positive counterpart
}

bool differs(std::int64_t a, std::int64_t b, std::int64_t tolerance)
{
    const Wide difference = static_cast<Wide>(a) - b;
    const std::int64_t larger = std::max(magnitude(a), magnitude(b));
    return (difference < 0 ? -difference : difference) * tolerance > larger;
}

Amount scaledBy(const Amount &amount, const Amount &part, const Amount &whole)
{
    if (!amount || !part || !whole || *whole == 0)
        return std::nullopt;
    const Wide scaled = static_cast<Wide>(*amount) * *part / *whole;
    constexpr Wide kFits = std::int64_t{1} << 62;
    return scaled > -kFits && scaled < kFits ? Amount(static_cast<std::int64_t>(scaled)) : std::nullopt;
}

void addTo(Amount &sum, const Amount &part)
{
    if (!sum || !part || __builtin_add_overflow(*sum, *part, &*sum))
        sum.reset();
}

const std::string &nameOf(const NodeDay &node)
{
    static const std::string kNone;
    return node.node ? node.node->name : kNone;
}

} // namespace gpuledger::ledger
