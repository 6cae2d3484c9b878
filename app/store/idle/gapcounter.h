// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/store/values/gapkept.h"

#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace gpuledger::store {

// One run of a gap, as ages in buckets since the gap began.
struct GapPiece {
    const GapGroup &group;
    std::pair<std::int64_t, std::int64_t> who; // holder and subject
    std::int64_t since = 0, from = 0, to = 0; // since: number of the gap's first bucket since 1970
    GapRun::End end = GapRun::End::DayEnd;
};

// Joins the days' runs: a gap that continues from the day before keeps its age. A gap of which it is not known when it
// began, on the first day or after an unstored one, is left out. A gap that is not continued on the next day ends
// unknown at midnight. One thread.
class GapJoiner {
public:
    // Days ascending, each once.
    void add(base::Day day, const GapDay &runs, const std::function<void(const GapPiece &)> &visit);

private:
    using Who = std::pair<std::int64_t, std::int64_t>;
    std::map<Who, std::optional<std::int64_t>> m_open; // first bucket; std::nullopt: not known
    std::optional<base::Day> m_last;
};

// Counts the gaps of consecutive days.
class GapCounter {
public:
    void add(base::Day day, const GapDay &runs);
    GapPast take();

private:
    struct Piece {
        std::int32_t from, to;
        GapRun::End end;
    };
    GapJoiner m_joiner;
    std::map<GapGroup, std::vector<Piece>> m_pieces;
};

} // namespace gpuledger::store
