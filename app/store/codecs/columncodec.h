// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/codecs/numberlist.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gpuledger::store {

enum class ColumnForm : std::uint8_t { Nothing = 0, Constant, Runs, Each, Steps, Following };

// Encodes one column of a day of usage, over the buckets of all its tracks:
//   form << 1 | whether some are missing (1 byte) | where they are missing, as run lengths | the other values
// Forms: all missing (or 0, if nothing can be missing), one value, runs of equal values, one value each, the step from
// each to the next, and, if it follows another column, the distance from base[track] + slope x guide. The shortest is
// used. Holds scratch memory; use one object per thread.
class ColumnCodec {
public:
    static constexpr std::uint64_t kNever = std::uint64_t{1} << 32; // no value means "missing"

    struct Shape {
        std::uint64_t missing = kNever; // the value that stands for "missing"
        std::span<const std::size_t> tracks; // number of buckets of each track
        std::span<const std::uint32_t> guide; // the column that it may follow; empty: none
    };
    void put(std::string &out, std::span<const std::uint32_t> values, const Shape &shape);
    enum class Read { Damaged, Nothing, Values }; // Nothing: all are missing or 0, and `values` was left untouched
    Read read(ByteReader &in, std::span<std::uint32_t> values, const Shape &shape);

private:
    struct Steps { // stored in m_steps
        std::uint32_t divisor = 1;
        NumberList::Plan plan;
    };
    struct Slope { // distances are stored in m_distances, bases in m_bases
        std::int64_t slope = 0;
        NumberList::Plan plan;
        double bits = 0;
    };
    void putPresence(std::span<const std::uint32_t> values, std::uint32_t missing);
    bool readPresence(ByteReader &in, std::size_t count);
    Shape presentPart(const Shape &shape);
    void putPresent(std::string &out, std::span<const std::uint32_t> values, const Shape &shape);
    bool readPresent(ByteReader &in, ColumnForm form, std::span<std::uint32_t> values, const Shape &shape);
    std::size_t splitIntoRuns(std::span<const std::uint32_t> values);
    Steps stepThrough(std::span<const std::uint32_t> values);
    std::optional<Slope> follow(std::span<const std::uint32_t> values, const Shape &shape);
    bool readRuns(ByteReader &in, std::span<std::uint32_t> values);
    bool readSteps(ByteReader &in, std::span<std::uint32_t> values);
    bool readFollowing(ByteReader &in, std::span<std::uint32_t> values, const Shape &shape);

    NumberList m_list;
    std::vector<std::uint32_t> m_present, m_presentGuide, m_runValues, m_runLengths, m_steps, m_distances, m_bases;
    std::vector<std::size_t> m_presentTracks;
    std::vector<char> m_isPresent;
    std::string m_gaps;
};

} // namespace gpuledger::store
