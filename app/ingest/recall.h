// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/error.h"
#include "app/ports/factbatch.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace gpuledger::ingest {

// What a source reported before and no longer reports.
struct Gone {
    std::uint64_t series = 0;
    std::uint64_t devices = 0; // number of devices that these series belong to
    base::Seconds time{}; // of those devices, as far as observed
    base::TimeRange range; // covers all of it

    bool empty() const { return series == 0; }
};
// A clause, human-readable.
std::string textOf(const Gone &gone);
// For the user, who may accept it.
base::Error errorOf(const Gone &gone);

// Remembers what one source reported for its last hours: which series reported in which bucket. A time series database
// takes no sample back, so a series that reported in a bucket, but does not when the same bucket is fetched again, is
// missing from the answer. Series are counted, not named: labels and owner rules may change, but the number of series
// that a device has in a bucket does not. Value type; one thread at a time.
class Recall {
public:
    static constexpr std::int64_t kBuckets = 64; // 5 h 20 min; longer than any overlap

    // An empty Recall if the text is not a result of toText().
    static Recall fromText(std::string_view text);
    std::string toText() const;
    bool operator==(const Recall &) const = default;

    // Collects over the batches of one range.
    class Lack {
    public:
        Gone gone() const;

    private:
        friend class Recall;
        std::set<std::uint64_t> m_series, m_devices;
        std::int64_t m_buckets = 0; // summed over devices
        std::int64_t m_first = 0, m_last = -1;
    };
    // Adds what the batch lacks compared with what was reported before for its time; false: nothing is missing.
    bool lacks(const ports::FactBatch &batch, Lack &lack) const;
    // True if a device that reported in the last hour reports nothing in the part of the batch after that.
    bool fallsSilent(const ports::FactBatch &batch) const;
    // Replaces what was reported before for the batch's time with what the batch reports.
    void take(const ports::FactBatch &batch);

private:
    enum class Kind : std::uint8_t { Device, FurtherSeries, Scheduler };
    struct Voice {
        Kind kind = Kind::Scheduler;
        std::uint64_t device = 0; // 0 for what belongs to no device
        std::uint64_t spoke = 0; // bit i: it reported in bucket m_end - 1 - i
        bool operator==(const Voice &) const = default;
    };
    using Voices = std::map<std::uint64_t, Voice>; // by a hash of the reporter's identity

    static Voices voicesOf(const ports::FactBatch &batch, std::int64_t end);
    static void addSeries(const ports::FactBatch &batch, std::int64_t end, Voices &out);
    static void addRecords(const ports::FactBatch &batch, std::int64_t end, Voices &out);
    // Mask of buckets [first, last), with the bits of `spoke`.
    static std::uint64_t maskOf(std::int64_t first, std::int64_t last, std::int64_t end);

    std::int64_t m_end = 0; // bucket number after the newest one with a sample
    Voices m_voices;
};

// The end of the bucket of the newest sample in the batch; the start of the batch's time if there is none.
base::UtcTime newestIn(const ports::FactBatch &batch);

} // namespace gpuledger::ingest
