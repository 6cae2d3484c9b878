// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/codecs/cubecodec.h"

#include "app/store/codecs/bytes.h"
#include "app/store/sqlite/checksum.h"

#include <algorithm>

namespace gpuledger::store::cubecodec {

namespace {

constexpr char kCubeVersion = 1;
constexpr std::size_t kCubeChecksumSize = 4;

} // namespace

std::int64_t rowId(Measure measure, base::Day day, base::GroupId group)
{
    return (static_cast<std::int64_t>(measure) << 48) | (std::int64_t{day.number} << 24) | group.value;
}

Measure measureOf(std::int64_t rowId)
{
    return static_cast<Measure>(rowId >> 48);
}

base::Day dayOf(std::int64_t rowId)
{
    return base::Day{static_cast<std::int32_t>((rowId >> 24) & kMaxDay)};
}

base::GroupId groupOf(std::int64_t rowId)
{
    return base::GroupId{rowId & kMaxGroup};
}

bool isZero(const CellRow &cells)
{
    return std::all_of(cells.begin(), cells.end(), [](std::int64_t v) { return v == 0; });
}

void encode(std::int64_t rowId, const CellRow &cells, std::string &out)
{
    out.assign(1, kCubeVersion);
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < cells.size();) {
        // Unsigned, so that the difference between the two ends of the range wraps instead of overflowing.
        const std::uint64_t delta = static_cast<std::uint64_t>(cells[i]) - before;
        putVarint(out, zigzag(static_cast<std::int64_t>(delta)));
        before = static_cast<std::uint64_t>(cells[i]);
        ++i;
        if (delta != 0)
            continue;
        const std::size_t first = i;
        while (i < cells.size() && static_cast<std::uint64_t>(cells[i]) == before)
            ++i;
        putVarint(out, i - first);
    }
    putU32(out, checksum(out, rowId));
}

bool decode(std::int64_t rowId, std::string_view blob, CellRow &cells)
{
    if (blob.size() <= 1 + kCubeChecksumSize || blob.front() != kCubeVersion)
        return false;
    const std::size_t body = blob.size() - kCubeChecksumSize;
    ByteReader tail(blob.substr(body));
    if (checksum(blob.substr(0, body), rowId) != tail.u32())
        return false;
    ByteReader in(blob.substr(1, body - 1));
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < cells.size();) {
        const std::int64_t delta = unzigzag(in.varint());
        value += static_cast<std::uint64_t>(delta);
        cells[i++] = static_cast<std::int64_t>(value);
        if (delta != 0)
            continue;
        const std::uint64_t more = in.varint();
        if (more > cells.size() - i)
            return false;
        std::fill_n(cells.begin() + static_cast<std::ptrdiff_t>(i), more, static_cast<std::int64_t>(value));
        i += more;
    }
    return in.ok() && in.left() == 0;
}

} // namespace gpuledger::store::cubecodec
