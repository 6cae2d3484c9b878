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

// What a source told before, and tells no more.
struct Gone {
    std::uint64_t series = 0;
    std::uint64_t devices = 0; // whose series are among them
    base::Seconds time{}; // of those devices, as far as they were observed
    base::TimeRange range; // in which all of it lies

    bool empty() const { return series == 0; }
};
// A clause, in plain words.
std::string textOf(const Gone &gone);
// For people, who may accept it.
base::Error errorOf(const Gone &gone);

// What one source told of its last hours: who spoke in which bucket. A time series database takes no sample back, so
// whoever spoke in a bucket and does not when the same bucket is asked for again is missing in the answer. Series are
// counted, not named: labels and owner rules may change, the number of series that a device has in a bucket does not.
// Value type; one thread at a time.
class Recall {
public:
    static constexpr std::int64_t kBuckets = 64; // 5 h 20 min; longer than any overlap

    // Nothing where the text is not one of toText().
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
        std::int64_t m_buckets = 0; // of devices
        std::int64_t m_first = 0, m_last = -1;
    };
    // Adds what the batch lacks of what was told about its time; false: nothing.
    bool lacks(const ports::FactBatch &batch, Lack &lack) const;
    // Whether a device that spoke in the last hour says nothing in what the batch has after it.
    bool fallsSilent(const ports::FactBatch &batch) const;
    // What the batch says about its time takes the place of what was told before.
    void take(const ports::FactBatch &batch);

private:
    enum class Kind : std::uint8_t { Device, FurtherSeries, Scheduler };
    struct Voice {
        Kind kind = Kind::Scheduler;
        std::uint64_t device = 0; // 0 for what is no device's
        std::uint64_t spoke = 0; // bit i: in bucket m_end - 1 - i
        bool operator==(const Voice &) const = default;
    };
    using Voices = std::map<std::uint64_t, Voice>; // by a hash of who it is

    static Voices voicesOf(const ports::FactBatch &batch, std::int64_t end);
    static void addSeries(const ports::FactBatch &batch, std::int64_t end, Voices &out);
    static void addRecords(const ports::FactBatch &batch, std::int64_t end, Voices &out);
    // Of buckets [first, last), counted as `spoke` is.
    static std::uint64_t maskOf(std::int64_t first, std::int64_t last, std::int64_t end);

    std::int64_t m_end = 0; // bucket number after the newest one with a sample
    Voices m_voices;
};

// The end of the bucket of the newest sample in the batch; the start of its time where there is none.
base::UtcTime newestIn(const ports::FactBatch &batch);

} // namespace gpuledger::ingest
