// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/usage.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace gpuledger::store {

// The blob of one device and day:
//   version (1 byte) | payload packed by zstd, level 1 | checksum over all before it and the row's id (4 bytes)
// The payload is columnar over all tracks together. A column: kind, greatest common divisor, first value, then the
// deltas (zig-zag) or, where shorter, the distances from the smallest value, as byte planes; a missing value is 0 and a
// value v is v/gcd + 1. Holds scratch memory and zstd's contexts; one object a thread.
class UsageCodec {
public:
    UsageCodec();
    ~UsageCodec();
    UsageCodec(const UsageCodec &) = delete;
    UsageCodec &operator=(const UsageCodec &) = delete;

    // The row's id: days in order, devices within a day.
    static std::int64_t rowId(base::Day day, base::DeviceId device);
    static base::Day dayOf(std::int64_t rowId);
    static base::DeviceId deviceOf(std::int64_t rowId);

    // Valid until the next call. Fails with Internal when zstd runs out of memory.
    [[nodiscard]] base::Result<std::string_view> encode(std::int64_t rowId,
                                                        const std::vector<model::UsageTrack> &tracks);
    // Fails with StorageCorrupt (checksum, version, or a payload that is not what it says).
    [[nodiscard]] base::Result<std::vector<model::UsageTrack>> decode(std::int64_t rowId, std::string_view blob);
    // The checksum alone.
    static bool intact(std::int64_t rowId, std::string_view blob);

private:
    void putColumn(const std::vector<std::uint32_t> &values, std::uint64_t missing);
    void putHeader(bool fromMinimum, int planes, std::uint32_t divisor, std::uint32_t base);

    struct Free {
        void operator()(ZSTD_CCtx_s *context) const;
        void operator()(ZSTD_DCtx_s *context) const;
    };
    std::unique_ptr<ZSTD_CCtx_s, Free> m_compress;
    std::unique_ptr<ZSTD_DCtx_s, Free> m_expand;
    std::string m_payload, m_blob;
    std::vector<std::uint32_t> m_values, m_coded, m_deltas;
};

} // namespace gpuledger::store
