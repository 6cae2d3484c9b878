// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/codecs/usagecodec.h"

#include "app/base/remedy.h"
#include "app/store/codecs/bytes.h"
#include "app/store/sqlite/checksum.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace gpuledger::store {

using base::ErrorCode;
using base::fail;
using base::Result;
using model::UsageBucket;
using model::UsageTrack;

namespace {

constexpr char kUsageVersion = 2;
constexpr std::size_t kUsageChecksumSize = 4;
constexpr std::uint64_t kNever = ColumnCodec::kNever;

using Buckets = std::span<UsageBucket>;
using ConstBuckets = std::span<const UsageBucket>;

// One loop per column, with the field's access compiled into it.
struct Column {
    std::uint64_t missing;
    bool followsActivity;
    void (*gather)(ConstBuckets, std::uint32_t *);
    void (*scatter)(Buckets, const std::uint32_t *);
};

template <typename Read, typename Assign>
constexpr Column column(std::uint64_t missing, bool followsActivity, Read, Assign)
{
    return {missing, followsActivity,
            [](ConstBuckets buckets, std::uint32_t *out) {
                for (const UsageBucket &b : buckets)
                    *out++ = Read{}(b);
            },
            [](Buckets buckets, const std::uint32_t *in) {
                for (UsageBucket &b : buckets)
                    Assign{}(b, *in++);
            }};
}

template <typename T> constexpr Column field(std::uint64_t missing, bool followsActivity, T)
{
    return column(
        missing, followsActivity, [](const UsageBucket &b) { return static_cast<std::uint32_t>(T{}(b)); },
        [](UsageBucket &b, std::uint32_t v) {
            auto &target = T{}(b);
            target = static_cast<std::remove_reference_t<decltype(target)>>(v);
        });
}

// Activity comes before the columns that follow it. memoryMax is stored as the distance from the mean (wrapping), which
// is mostly small.
constexpr std::size_t kIndex = 0, kActivity = 3;
const std::array<Column, 9> kUsageColumns{{
    field(
        kNever, false, [](auto &b) -> auto & { return b.index; }),
    field(
        kNever, false, [](auto &b) -> auto & { return b.observed; }),
    field(
        kNever, false, [](auto &b) -> auto & { return b.signal; }),
    field(
        model::kNoShare, false, [](auto &b) -> auto & { return b.activity; }),
    field(
        model::kNoShare, true, [](auto &b) -> auto & { return b.smActive; }),
    field(
        model::kNoShare, true, [](auto &b) -> auto & { return b.tensorActive; }),
    field(
        model::kNoMemory, false, [](auto &b) -> auto & { return b.memoryMeanMib; }),
    column(
        kNever, false, [](const UsageBucket &b) { return b.memoryMaxMib - b.memoryMeanMib; },
        [](UsageBucket &b, std::uint32_t v) { b.memoryMaxMib = b.memoryMeanMib + v; }),
    field(
        model::kNoPower, true, [](auto &b) -> auto & { return b.powerDeciwatt; }),
}};

constexpr std::uint32_t zigzag32(std::uint32_t delta)
{
    return (delta << 1) ^ (0U - (delta >> 31));
}
constexpr std::uint32_t unzigzag32(std::uint32_t v)
{
    return (v >> 1) ^ (0U - (v & 1));
}

// Flags of what is stored of a track besides its subject and its own buckets.
constexpr std::uint64_t kOfInstance = 1, kHasRole = 2, kSameNode = 4, kCopies = 8;

// A value reported for the whole device is repeated by all holders that share it.
UsageCodec::Part longestCopy(const std::vector<UsageTrack> &tracks, std::size_t of)
{
    constexpr std::size_t kLooksBack = 16, kWorthIt = 3;
    const std::vector<UsageBucket> &buckets = tracks[of].buckets;
    UsageCodec::Part best;
    for (std::size_t t = of > kLooksBack ? of - kLooksBack : 0; t < of && !buckets.empty(); ++t) {
        const std::vector<UsageBucket> &other = tracks[t].buckets;
        const auto from = std::lower_bound(other.begin(), other.end(), buckets.front().index,
                                           [](const UsageBucket &b, std::uint16_t index) { return b.index < index; });
        const auto same =
            static_cast<std::size_t>(std::mismatch(from, other.end(), buckets.begin(), buckets.end()).first - from);
        if (same > best.count && same >= kWorthIt)
            best = {t, static_cast<std::size_t>(from - other.begin()), same};
    }
    return best;
}

// Stores indexes as steps beyond the next one, so that a day without gaps is all zeros; a track continues where the one
// before it ended.
void putSteps(std::span<std::uint32_t> indexes)
{
    std::uint32_t expected = 0;
    for (std::uint32_t &index : indexes) {
        const std::uint32_t at = index;
        index = zigzag32(at - expected);
        expected = (at + 1) % base::kBucketsPerDay;
    }
}

bool readSteps(std::span<std::uint32_t> steps)
{
    std::uint32_t expected = 0;
    for (std::uint32_t &step : steps) {
        step = unzigzag32(step) + expected;
        if (step >= base::kBucketsPerDay)
            return false;
        expected = (step + 1) % base::kBucketsPerDay;
    }
    return true;
}

auto damaged(std::int64_t rowId, const std::string &what)
{
    return fail(ErrorCode::StorageCorrupt,
                "usage of device " + std::to_string(UsageCodec::deviceOf(rowId).value) + " on day "
                    + std::to_string(UsageCodec::dayOf(rowId).number) + " is damaged: " + what,
                base::Remedy::ReplaceCache);
}

} // namespace

std::int64_t UsageCodec::rowId(base::Day day, base::DeviceId device)
{
    return std::int64_t{day.number} * (std::int64_t{1} << 32) + device.value;
}

base::Day UsageCodec::dayOf(std::int64_t rowId)
{
    return base::Day{static_cast<std::int32_t>(rowId >> 32)};
}

base::DeviceId UsageCodec::deviceOf(std::int64_t rowId)
{
    return base::DeviceId{rowId & 0xFFFFFFFF};
}

void UsageCodec::putTracks(const std::vector<UsageTrack> &tracks)
{
    m_copies.clear();
    m_counts.clear();
    putVarint(m_blob, tracks.size());
    std::int64_t node = 0;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        const UsageTrack &t = tracks[i];
        const Part copy = m_copies.emplace_back(longestCopy(tracks, i));
        m_counts.push_back(t.buckets.size() - copy.count);
        putVarint(m_blob,
                  (t.gpuInstance.empty() ? 0 : kOfInstance) | (t.role == model::SeriesRole::Slice ? 0 : kHasRole)
                      | (t.node.value == node ? kSameNode : 0) | (copy.count > 0 ? kCopies : 0));
        putVarint(m_blob, static_cast<std::uint64_t>(t.subject.value));
        if (t.node.value != node)
            putVarint(m_blob, static_cast<std::uint64_t>(t.node.value));
        node = t.node.value;
        if (!t.gpuInstance.empty()) {
            putVarint(m_blob, t.gpuInstance.size());
            m_blob += t.gpuInstance;
        }
        if (t.role != model::SeriesRole::Slice)
            putVarint(m_blob, static_cast<std::uint64_t>(t.role));
        for (const std::size_t part : {i - copy.track, copy.offset, copy.count}) {
            if (copy.count > 0)
                putVarint(m_blob, part);
        }
        putVarint(m_blob, m_counts.back());
    }
}

bool UsageCodec::readTracks(ByteReader &in, std::vector<UsageTrack> &tracks)
{
    m_copies.clear();
    m_counts.clear();
    const std::uint64_t count = in.varint();
    if (count > in.left())
        return false;
    tracks.resize(count);
    std::int64_t node = 0;
    for (std::size_t i = 0; i < count; ++i) {
        UsageTrack &t = tracks[i];
        const std::uint64_t told = in.varint();
        t.subject.value = static_cast<std::int64_t>(in.varint());
        t.node.value = node = (told & kSameNode) != 0 ? node : static_cast<std::int64_t>(in.varint());
        if ((told & kOfInstance) != 0)
            t.gpuInstance = std::string(in.bytes(in.varint()));
        if ((told & kHasRole) != 0)
            t.role = static_cast<model::SeriesRole>(in.varint());
        Part copy;
        if ((told & kCopies) != 0) {
            const std::uint64_t back = in.varint();
            copy = {i - back, in.varint(), in.varint()};
            const bool there = back > 0 && back <= i && copy.offset <= tracks[copy.track].buckets.size()
                && copy.count <= tracks[copy.track].buckets.size() - copy.offset;
            if (!there)
                return false;
        }
        const std::uint64_t own = in.varint();
        if (!in.ok() || own > base::kBucketsPerDay || copy.count + own > base::kBucketsPerDay)
            return false;
        t.buckets.resize(copy.count + own);
        m_copies.push_back(copy);
        m_counts.push_back(own);
    }
    return true;
}

std::string_view UsageCodec::encode(std::int64_t rowId, const std::vector<UsageTrack> &tracks)
{
    m_blob.assign(1, kUsageVersion);
    putTracks(tracks);
    m_values.resize(std::accumulate(m_counts.begin(), m_counts.end(), std::size_t{0}));
    for (std::size_t c = 0; c < kUsageColumns.size(); ++c) {
        const Column &column = kUsageColumns[c];
        std::uint32_t *out = m_values.data();
        for (std::size_t t = 0; t < tracks.size(); ++t) {
            column.gather(ConstBuckets(tracks[t].buckets).last(m_counts[t]), out);
            out += m_counts[t];
        }
        if (c == kIndex)
            putSteps(m_values);
        if (c == kActivity)
            m_activity = m_values;
        m_columns.put(m_blob, m_values, shapeOf(column.missing, column.followsActivity));
    }
    putU32(m_blob, checksum(m_blob, rowId));
    return m_blob;
}

ColumnCodec::Shape UsageCodec::shapeOf(std::uint64_t missing, bool followsActivity) const
{
    ColumnCodec::Shape shape{missing, m_counts, {}};
    if (followsActivity)
        shape.guide = m_activity;
    return shape;
}

bool UsageCodec::readColumns(ByteReader &in, std::vector<UsageTrack> &tracks)
{
    m_values.resize(std::accumulate(m_counts.begin(), m_counts.end(), std::size_t{0}));
    for (std::size_t c = 0; c < kUsageColumns.size(); ++c) {
        const Column &column = kUsageColumns[c];
        const auto read = m_columns.read(in, m_values, shapeOf(column.missing, column.followsActivity));
        if (read == ColumnCodec::Read::Damaged)
            return false;
        if (read == ColumnCodec::Read::Nothing)
            std::fill(m_values.begin(), m_values.end(),
                      column.missing == kNever ? 0U : static_cast<std::uint32_t>(column.missing));
        if (c == kIndex && !readSteps(m_values))
            return false;
        if (c == kActivity)
            m_activity = m_values;
        const std::uint32_t *values = m_values.data();
        for (std::size_t t = 0; t < tracks.size(); ++t) {
            column.scatter(Buckets(tracks[t].buckets).last(m_counts[t]), values);
            values += m_counts[t];
        }
    }
    for (std::size_t t = 0; t < tracks.size(); ++t) {
        const std::vector<UsageBucket> &from = tracks[m_copies[t].track].buckets;
        std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(m_copies[t].offset), m_copies[t].count,
                    tracks[t].buckets.begin());
    }
    return in.left() == 0;
}

bool UsageCodec::intact(std::int64_t rowId, std::string_view blob)
{
    if (blob.size() <= 1 + kUsageChecksumSize)
        return false;
    ByteReader tail(blob.substr(blob.size() - kUsageChecksumSize));
    return checksum(blob.substr(0, blob.size() - kUsageChecksumSize), rowId) == tail.u32();
}

Result<std::vector<UsageTrack>> UsageCodec::decode(std::int64_t rowId, std::string_view blob)
{
    if (!intact(rowId, blob))
        return damaged(rowId, "its checksum differs");
    if (blob.front() != kUsageVersion)
        return damaged(rowId, "its version is " + std::to_string(blob.front()));
    ByteReader in(blob.substr(1, blob.size() - 1 - kUsageChecksumSize));
    std::vector<UsageTrack> tracks;
    if (!readTracks(in, tracks))
        return damaged(rowId, "its tracks are not what they say");
    if (!readColumns(in, tracks))
        return damaged(rowId, "a column is cut off");
    return tracks;
}

} // namespace gpuledger::store
