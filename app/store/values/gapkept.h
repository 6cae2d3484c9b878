// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/fleet/fleet.h"

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

// What is stored of idle gaps, from which the idle list says how likely a workload stays idle: for each day the runs of
// buckets in which holders did no work, and for the days before the end of the fetched data what these add up to. A gap
// begins with the first bucket without activity after an active one (or with the holder) and ends with the next
// activity or with the holder. Plain values.
namespace gpuledger::store {

// The holders that are counted together; as in a past, an empty workload stands for all of the team and kind.
struct GapGroup {
    model::WorkloadKind kind = model::WorkloadKind::Unknown;
    std::string team;
    std::string workload; // as gapWorkload() names it
    auto operator<=>(const GapGroup &) const = default;
};

// Part of a gap within one UTC day in which the holder was observed. A gap has several if part of it was not observed.
struct GapRun {
    enum class End : std::uint8_t {
        Work, // the next bucket is active
        Over, // the holder held nothing for the rest of the day
        Unseen, // what it did next was not observed
        DayEnd, // it goes on at the end of the day
    };
    std::int64_t holder = 0, subject = 0; // as in IdleHolderKey
    std::uint32_t group = 0; // index into GapDay::groups
    std::int16_t since = -1; // bucket at which the gap began; -1: before this day, or with it
    // Buckets. The length may be 0 if the gap is open, and is 0 (at 0, until work) if the day begins with work: that
    // ends a gap of the day before, if there was one.
    std::uint16_t start = 0, length = 0;
    End end = End::DayEnd;
    bool open = false; // the holder did no work until the end of the day, as far as it was observed
    bool operator==(const GapRun &) const = default;
};

// One day's runs of all gaps of at least kLeastGap buckets, and of those that touch or could touch the start or end of
// the day.
struct GapDay {
    std::vector<GapGroup> groups; // ascending
    std::vector<GapRun> runs; // ascending by (holder, subject, start)
    bool operator==(const GapDay &) const = default;
};
inline constexpr std::uint16_t kLeastGap = 3;

// The lower bounds of the classes of age, in buckets: an age belongs to the last class whose bound is not above it. Up
// to three hours each bucket is a class, because many idle times last a round time: in a wider class that begins with
// one, a gap that has just outlasted it would be expected to end at it.
inline constexpr std::array<std::int32_t, 54> kGapAges{
    3,  4,  5,   6,   7,   8,   9,   10,  11,  12,  13,  14,  15,   16,   17,   18,   19,   20,
    21, 22, 23,  24,  25,  26,  27,  28,  29,  30,  31,  32,  33,   34,   35,   36,   48,   60,
    72, 96, 120, 144, 192, 240, 288, 384, 480, 576, 720, 864, 1152, 1440, 2016, 2880, 4032, 8064};
// The lower bounds of blocks of classes, within which a team differs from its kind by one factor; above the last one
// each class is a block.
inline constexpr std::array<std::int32_t, 12> kGapBlocks{3, 4, 6, 8, 10, 12, 15, 18, 21, 24, 30, 36};

// What the gaps of a group went through, by class of age.
struct GapCount {
    std::array<std::int64_t, kGapAges.size()> exposure{}; // whole buckets that gaps spent in the class
    // How many ended in it, by activity and with the holder. Activity counts at the age of the bucket in which it
    // began, so a gap of exactly an hour ends after its first hour, not within it.
    std::array<std::int64_t, kGapAges.size()> work{}, over{};
    // Gaps whose end is known.
    std::int64_t ended() const;
    // The time in which gaps could end in class `i`, in buckets. Work begins somewhere in its bucket, on average after
    // half of it: without that half, work that begins at once would have ended gaps that spent no time (the actuarial
    // estimate of life tables).
    double atRisk(std::size_t i) const { return static_cast<double>(exposure[i]) + static_cast<double>(work[i]) / 2; }
    GapCount &operator+=(const GapCount &other);
    GapCount &operator-=(const GapCount &other); // which must be part of it
    // Observed without activity from age `from` to age `to`, both in buckets since the start of the gap.
    void add(std::int64_t from, std::int64_t to, GapRun::End end);
    bool operator==(const GapCount &) const = default;
};

// The counts of the kGapDays days before a day.
struct GapPast {
    // Each team and kind, and of its workloads those of which at least kLeastOwnGaps gaps ended (they are in both).
    std::map<GapGroup, GapCount> groups;
    bool operator==(const GapPast &) const = default;
};
inline constexpr int kGapDays = 28;
inline constexpr int kLeastOwnGaps = 3;

} // namespace gpuledger::store
