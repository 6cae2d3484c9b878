// SPDX-License-Identifier: GPL-3.0-or-later
// The decoding part of ColumnCodec.
#include "app/store/codecs/columncodec.h"
#include "app/store/codecs/columnslope.h"

#include <algorithm>
#include <cstdlib>

namespace gpuledger::store {

bool ColumnCodec::readPresence(ByteReader &in, std::size_t count)
{
    const std::uint64_t runs = in.varint();
    if (runs > count + 1)
        return false;
    m_runLengths.resize(runs);
    if (!NumberList::read(in, m_runLengths))
        return false;
    m_isPresent.assign(count, 1);
    std::size_t at = 0;
    bool present = true;
    for (const std::uint32_t length : m_runLengths) {
        if (length > count - at)
            return false;
        std::fill_n(m_isPresent.begin() + static_cast<std::ptrdiff_t>(at), length, present ? 1 : 0);
        at += length;
        present = !present;
    }
    std::fill(m_isPresent.begin() + static_cast<std::ptrdiff_t>(at), m_isPresent.end(), present ? 1 : 0);
    return true;
}

ColumnCodec::Read ColumnCodec::read(ByteReader &in, std::span<std::uint32_t> values, const Shape &shape)
{
    const std::string_view head = in.bytes(1);
    if (head.empty())
        return Read::Damaged;
    const auto form = static_cast<ColumnForm>(static_cast<unsigned char>(head.front()) >> 1);
    if (form == ColumnForm::Nothing)
        return Read::Nothing;
    if ((static_cast<unsigned char>(head.front()) & 1) == 0)
        return readPresent(in, form, values, shape) ? Read::Values : Read::Damaged;
    if (shape.missing == kNever || !readPresence(in, values.size()))
        return Read::Damaged;
    m_present.resize(static_cast<std::size_t>(std::count(m_isPresent.begin(), m_isPresent.end(), 1)));
    if (!readPresent(in, form, m_present, presentPart(shape)))
        return Read::Damaged;
    auto next = m_present.begin();
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = m_isPresent[i] ? *next++ : static_cast<std::uint32_t>(shape.missing);
    return Read::Values;
}

bool ColumnCodec::readPresent(ByteReader &in, ColumnForm form, std::span<std::uint32_t> values, const Shape &shape)
{
    switch (form) {
    case ColumnForm::Nothing:
        return false;
    case ColumnForm::Constant:
        std::fill(values.begin(), values.end(), static_cast<std::uint32_t>(in.varint()));
        return in.ok();
    case ColumnForm::Runs:
        return readRuns(in, values);
    case ColumnForm::Each:
        return NumberList::read(in, values);
    case ColumnForm::Steps:
        return readSteps(in, values);
    case ColumnForm::Following:
        return readFollowing(in, values, shape);
    }
    return false;
}

bool ColumnCodec::readRuns(ByteReader &in, std::span<std::uint32_t> values)
{
    const std::uint64_t runs = in.varint();
    if (runs == 0 || runs > values.size())
        return false;
    m_runLengths.resize(runs - 1);
    m_runValues.resize(runs);
    if (!NumberList::read(in, m_runLengths) || !NumberList::read(in, m_runValues))
        return false;
    std::size_t at = 0;
    for (std::size_t run = 0; run + 1 < runs; ++run) {
        if (m_runLengths[run] >= values.size() - at)
            return false;
        const std::size_t end = at + m_runLengths[run] + 1;
        std::fill(values.begin() + static_cast<std::ptrdiff_t>(at), values.begin() + static_cast<std::ptrdiff_t>(end),
                  m_runValues[run]);
        at = end;
    }
    std::fill(values.begin() + static_cast<std::ptrdiff_t>(at), values.end(), m_runValues.back());
    return true;
}

bool ColumnCodec::readSteps(ByteReader &in, std::span<std::uint32_t> values)
{
    if (values.empty())
        return false;
    auto value = static_cast<std::uint32_t>(in.varint());
    const auto divisor = static_cast<std::int64_t>(static_cast<std::uint32_t>(in.varint()));
    values.front() = value;
    if (!NumberList::read(in, values.subspan(1)))
        return false;
    for (std::uint32_t &v : values.subspan(1))
        v = value += static_cast<std::uint32_t>(unzigzag(v) * divisor);
    return true;
}

bool ColumnCodec::readFollowing(ByteReader &in, std::span<std::uint32_t> values, const Shape &shape)
{
    const std::int64_t slope = unzigzag(in.varint());
    m_bases.resize(shape.tracks.size());
    if (std::abs(slope) > static_cast<std::int64_t>(columns::kSteepest) || shape.guide.size() != values.size()
        || !NumberList::read(in, m_bases) || !NumberList::read(in, values))
        return false;
    std::size_t at = 0;
    for (std::size_t track = 0; track < shape.tracks.size(); ++track) {
        const std::int64_t base = unzigzag(m_bases[track]);
        for (const std::size_t end = at + shape.tracks[track]; at < end; ++at)
            values[at] = static_cast<std::uint32_t>(values[at] + base + columns::along(slope, shape.guide[at]));
    }
    return true;
}

} // namespace gpuledger::store
