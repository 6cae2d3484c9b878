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

// One column of a day of usage, over the buckets of all its tracks together:
//   form << 1 | whether some are missing (1 byte) | where they are missing, as the lengths of runs | the others
// Forms: all missing (or 0, where nothing can be missing), one value, runs of equal values, a value each, the step
// from each to the next, and, for what follows another column, the distance from base[track] + slope x guide. The
// shortest is taken. Holds scratch memory; one object a thread.
class ColumnCodec {
public:
    static constexpr std::uint64_t kNever = std::uint64_t{1} << 32; // in which nothing is missing

    struct Shape {
        std::uint64_t missing = kNever; // the value that stands for "missing"
        std::span<const std::size_t> tracks; // buckets of each track
        std::span<const std::uint32_t> guide; // what the column may follow; empty: nothing
    };
    void put(std::string &out, std::span<const std::uint32_t> values, const Shape &shape);
    enum class Read { Damaged, Nothing, Values }; // Nothing: all are missing or 0, and `values` was left alone
    Read read(ByteReader &in, std::span<std::uint32_t> values, const Shape &shape);

private:
    struct Steps { // in m_steps
        std::uint32_t divisor = 1;
        NumberList::Plan plan;
    };
    struct Slope { // distances in m_distances, bases in m_bases
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
