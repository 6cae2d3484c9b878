// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/usagecodec.h"

#include "app/store/bytes.h"
#include "app/store/checksum.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace gpuledger::store {

using base::ErrorCode;
using base::fail;
using base::Result;
using model::UsageBucket;
using model::UsageTrack;

namespace {

constexpr char kVersion = 1;
constexpr int kLevel = 1;
constexpr std::size_t kChecksumSize = 4;
constexpr std::size_t kMaxPayload = std::size_t{64} << 20; // a device has at most a few hundred tracks a day
constexpr std::uint64_t kNever = std::uint64_t{1} << 32; // columns in which nothing is missing

// How a column's planes are coded.
constexpr std::uint64_t kDeltas = 0, kFromMinimum = 1;

// One loop a column, with the field's access compiled into it.
struct Column {
    std::uint64_t missing;
    void (*gather)(const std::vector<UsageBucket> &, std::uint32_t *);
    void (*scatter)(std::vector<UsageBucket> &, const std::uint32_t *);
};

template <typename Read, typename Assign> constexpr Column column(std::uint64_t missing, Read, Assign)
{
    return {missing,
            [](const std::vector<UsageBucket> &buckets, std::uint32_t *out) {
                for (const UsageBucket &b : buckets)
                    *out++ = Read{}(b);
            },
            [](std::vector<UsageBucket> &buckets, const std::uint32_t *in) {
                for (UsageBucket &b : buckets)
                    Assign{}(b, *in++);
            }};
}

template <typename T> constexpr Column field(std::uint64_t missing, T)
{
    return column(
        missing, [](const UsageBucket &b) { return static_cast<std::uint32_t>(T{}(b)); },
        [](UsageBucket &b, std::uint32_t v) {
            auto &target = T{}(b);
            target = static_cast<std::remove_reference_t<decltype(target)>>(v);
        });
}

// memoryMax is kept as the distance from the mean (wrapping), which is mostly small.
const std::array<Column, 9> kColumns{{
    field(
        kNever, [](auto &b) -> auto & { return b.index; }),
    field(
        kNever, [](auto &b) -> auto & { return b.observed; }),
    field(
        kNever, [](auto &b) -> auto & { return b.signal; }),
    field(
        model::kNoShare, [](auto &b) -> auto & { return b.activity; }),
    field(
        model::kNoShare, [](auto &b) -> auto & { return b.smActive; }),
    field(
        model::kNoShare, [](auto &b) -> auto & { return b.tensorActive; }),
    field(
        model::kNoMemory, [](auto &b) -> auto & { return b.memoryMeanMib; }),
    column(
        kNever, [](const UsageBucket &b) { return b.memoryMaxMib - b.memoryMeanMib; },
        [](UsageBucket &b, std::uint32_t v) { b.memoryMaxMib = b.memoryMeanMib + v; }),
    field(
        model::kNoPower, [](auto &b) -> auto & { return b.powerDeciwatt; }),
}};

constexpr std::uint32_t zigzag32(std::uint32_t delta)
{
    return (delta << 1) ^ (0U - (delta >> 31));
}
constexpr std::uint32_t unzigzag32(std::uint32_t v)
{
    return (v >> 1) ^ (0U - (v & 1));
}

int bytesFor(std::uint32_t bits)
{
    return (std::bit_width(bits) + 7) / 8;
}

std::uint32_t commonDivisor(const std::vector<std::uint32_t> &values, std::uint64_t missing)
{
    std::uint32_t divisor = 0, before = 0;
    for (const std::uint32_t v : values) {
        if (v == before || v == missing)
            continue;
        before = v;
        if (divisor == 0 || v % divisor != 0)
            divisor = std::gcd(divisor, v);
        if (divisor == 1)
            break;
    }
    return std::max(divisor, 1U);
}

void putPlanes(std::string &out, const std::vector<std::uint32_t> &values, int planes)
{
    for (int plane = 0; plane < planes; ++plane) {
        const std::size_t at = out.size();
        out.resize(at + values.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            out[at + i] = static_cast<char>(values[i] >> (8 * plane));
    }
}

bool readColumn(ByteReader &in, std::size_t count, std::uint64_t missing, std::vector<std::uint32_t> &values)
{
    values.assign(count, 0);
    const auto coding = in.varint();
    const auto planes = in.varint();
    const auto divisor = static_cast<std::uint32_t>(in.varint());
    auto base = static_cast<std::uint32_t>(in.varint());
    if (coding > kFromMinimum || planes > 4)
        return false;
    for (std::uint64_t plane = 0; plane < planes; ++plane) {
        const std::string_view bytes = in.bytes(count);
        if (bytes.size() != count)
            return false;
        for (std::size_t i = 0; i < count; ++i)
            values[i] |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * plane);
    }
    const bool mayMiss = missing != kNever;
    for (std::uint32_t &v : values) {
        if (coding == kDeltas)
            v = base += unzigzag32(v);
        else
            v += base;
        if (mayMiss)
            v = v == 0 ? static_cast<std::uint32_t>(missing) : (v - 1) * divisor;
        else
            v *= divisor;
    }
    return in.ok();
}

auto damaged(std::int64_t rowId, const std::string &what)
{
    return fail(ErrorCode::StorageCorrupt,
                "usage of device " + std::to_string(UsageCodec::deviceOf(rowId).value) + " on day "
                    + std::to_string(UsageCodec::dayOf(rowId).number) + " is damaged: " + what,
                "Move the cache file away and sync again; what the sources still have comes back.");
}

} // namespace

void UsageCodec::Free::operator()(ZSTD_CCtx_s *context) const
{
    ZSTD_freeCCtx(context);
}

void UsageCodec::Free::operator()(ZSTD_DCtx_s *context) const
{
    ZSTD_freeDCtx(context);
}

UsageCodec::UsageCodec() = default;
UsageCodec::~UsageCodec() = default;

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

void UsageCodec::putHeader(bool fromMinimum, int planes, std::uint32_t divisor, std::uint32_t base)
{
    putVarint(m_payload, fromMinimum ? kFromMinimum : kDeltas);
    putVarint(m_payload, static_cast<std::uint64_t>(planes));
    putVarint(m_payload, divisor);
    putVarint(m_payload, base);
}

void UsageCodec::putColumn(const std::vector<std::uint32_t> &values, std::uint64_t missing)
{
    const std::uint32_t shift = missing == kNever ? 0 : 1; // 0 is what is missing, where something can be
    const std::uint32_t first = values.empty() ? 0 : values.front();
    if (std::all_of(values.begin(), values.end(), [first](std::uint32_t v) { return v == first; }))
        return putHeader(false, 0, 1, first == missing ? 0 : first + shift);
    const std::uint32_t divisor = commonDivisor(values, missing);
    const std::size_t n = values.size();
    m_coded.resize(n);
    m_deltas.resize(n);
    for (std::size_t i = 0; i < n; ++i)
        m_coded[i] = values[i] == missing ? 0 : (divisor == 1 ? values[i] : values[i] / divisor) + shift;
    const std::uint32_t lowest = *std::min_element(m_coded.begin(), m_coded.end());
    const std::uint32_t base = m_coded.front();
    std::uint32_t before = base, allDeltas = 0, allPlain = 0;
    int deltaBits = 0, plainBits = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t delta = zigzag32(m_coded[i] - before), plain = m_coded[i] - lowest;
        before = m_coded[i];
        m_deltas[i] = delta;
        m_coded[i] = plain;
        allDeltas |= delta;
        allPlain |= plain;
        deltaBits += std::bit_width(delta);
        plainBits += std::bit_width(plain);
    }
    const bool fromMinimum = plainBits < deltaBits;
    const int planes = bytesFor(fromMinimum ? allPlain : allDeltas);
    putHeader(fromMinimum, planes, divisor, fromMinimum ? lowest : base);
    putPlanes(m_payload, fromMinimum ? m_coded : m_deltas, planes);
}

Result<std::string_view> UsageCodec::encode(std::int64_t rowId, const std::vector<UsageTrack> &tracks)
{
    m_payload.clear();
    putVarint(m_payload, tracks.size());
    std::size_t total = 0;
    for (const UsageTrack &t : tracks) {
        putVarint(m_payload, t.gpuInstance.size());
        m_payload += t.gpuInstance;
        putVarint(m_payload, static_cast<std::uint64_t>(t.subject.value));
        putVarint(m_payload, static_cast<std::uint64_t>(t.node.value));
        putVarint(m_payload, static_cast<std::uint64_t>(t.role));
        putVarint(m_payload, t.buckets.size());
        total += t.buckets.size();
    }
    m_values.resize(total);
    for (const Column &column : kColumns) {
        std::size_t at = 0;
        for (const UsageTrack &t : tracks) {
            column.gather(t.buckets, m_values.data() + at);
            at += t.buckets.size();
        }
        putColumn(m_values, column.missing);
    }
    if (!m_compress)
        m_compress.reset(ZSTD_createCCtx());
    const std::size_t bound = ZSTD_compressBound(m_payload.size());
    m_blob.resize(1 + bound);
    m_blob[0] = kVersion;
    const std::size_t packed = m_compress
        ? ZSTD_compressCCtx(m_compress.get(), m_blob.data() + 1, bound, m_payload.data(), m_payload.size(), kLevel)
        : static_cast<std::size_t>(-1);
    if (!m_compress || ZSTD_isError(packed))
        return fail(ErrorCode::Internal, "zstd could not pack a day of usage");
    m_blob.resize(1 + packed);
    putU32(m_blob, checksum(m_blob, rowId));
    return std::string_view(m_blob);
}

bool UsageCodec::intact(std::int64_t rowId, std::string_view blob)
{
    if (blob.size() <= 1 + kChecksumSize)
        return false;
    ByteReader tail(blob.substr(blob.size() - kChecksumSize));
    return checksum(blob.substr(0, blob.size() - kChecksumSize), rowId) == tail.u32();
}

Result<std::vector<UsageTrack>> UsageCodec::decode(std::int64_t rowId, std::string_view blob)
{
    if (!intact(rowId, blob))
        return damaged(rowId, "its checksum differs");
    if (blob.front() != kVersion)
        return damaged(rowId, "its version is " + std::to_string(blob.front()));
    const std::string_view packed = blob.substr(1, blob.size() - 1 - kChecksumSize);
    const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
    if (size > kMaxPayload) // includes "unknown" and "error"
        return damaged(rowId, "its size is not credible");
    m_payload.resize(size);
    if (!m_expand)
        m_expand.reset(ZSTD_createDCtx());
    if (!m_expand || ZSTD_decompressDCtx(m_expand.get(), m_payload.data(), size, packed.data(), packed.size()) != size)
        return damaged(rowId, "it does not unpack");
    ByteReader in(m_payload);
    std::vector<UsageTrack> tracks;
    std::size_t total = 0;
    for (std::uint64_t left = in.varint(); left > 0 && in.ok(); --left) {
        UsageTrack &t = tracks.emplace_back();
        t.gpuInstance = std::string(in.bytes(in.varint()));
        t.subject.value = static_cast<std::int64_t>(in.varint());
        t.node.value = static_cast<std::int64_t>(in.varint());
        t.role = static_cast<model::SeriesRole>(in.varint());
        const std::uint64_t count = in.varint();
        if (count > base::kBucketsPerDay)
            return damaged(rowId, "a track has too many buckets");
        t.buckets.resize(count);
        total += count;
    }
    for (const Column &column : kColumns) {
        if (!in.ok() || !readColumn(in, total, column.missing, m_values))
            return damaged(rowId, "a column is cut off");
        std::size_t at = 0;
        for (UsageTrack &t : tracks) {
            column.scatter(t.buckets, m_values.data() + at);
            at += t.buckets.size();
        }
    }
    if (in.left() != 0)
        return damaged(rowId, "there are bytes left over");
    return tracks;
}

} // namespace gpuledger::store
