// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/model/fleet/usage.h"
#include "app/store/codecs/columncodec.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::store {

// Encodes one device and day as a blob:
//   version (1 byte) | tracks | columns | checksum over everything before it and the row's id (4 bytes)
// A track: flags, subject, then, depending on the flags, node, MIG instance, role and the part of an earlier track that
// it starts with (a whole device's values, which all holders that share it repeat), and the number of its own buckets
// that follow. A column holds one field of those buckets of all tracks (app/store/codecs/columncodec.h); power and the
// profiling counters follow activity. Holds scratch memory; use one object per thread.
class UsageCodec {
public:
    // A range of an earlier track.
    struct Part {
        std::size_t track = 0, offset = 0, count = 0;
    };

    // The row's id: days in order, devices within a day.
    static std::int64_t rowId(base::Day day, base::DeviceId device);
    static base::Day dayOf(std::int64_t rowId);
    static base::DeviceId deviceOf(std::int64_t rowId);

    // Valid until the next call.
    std::string_view encode(std::int64_t rowId, const std::vector<model::UsageTrack> &tracks);
    // Fails with StorageCorrupt (checksum, version, or a malformed payload).
    [[nodiscard]] base::Result<std::vector<model::UsageTrack>> decode(std::int64_t rowId, std::string_view blob);
    // Checks only the checksum.
    static bool intact(std::int64_t rowId, std::string_view blob);

private:
    void putTracks(const std::vector<model::UsageTrack> &tracks);
    bool readTracks(ByteReader &in, std::vector<model::UsageTrack> &tracks);
    bool readColumns(ByteReader &in, std::vector<model::UsageTrack> &tracks);
    ColumnCodec::Shape shapeOf(std::uint64_t missing, bool followsActivity) const;

    ColumnCodec m_columns;
    std::string m_blob;
    std::vector<Part> m_copies; // parallel to the tracks
    std::vector<std::size_t> m_counts; // number of their own buckets
    std::vector<std::uint32_t> m_values, m_activity;
};

} // namespace gpuledger::store
