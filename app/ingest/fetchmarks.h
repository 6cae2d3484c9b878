// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <map>
#include <optional>

namespace gpuledger::ingest {

// How far a sync may mark its range as fetched: without gaps, since the next sync continues from the end of the marks,
// and never beyond the newest sample that really existed, since what comes after it must be fetched again. Value type.
class FetchMarks {
public:
    explicit FetchMarks(base::TimeRange range)
        : m_range(range)
        , m_at(range.start)
        , m_marked(range.start)
    {
    }

    // Adds a piece that was fetched completely, with the end of its newest sample, or its start if it has none. Returns
    // the range to mark now, which may be empty and may extend beyond the piece on both sides.
    base::TimeRange add(base::TimeRange piece, base::UtcTime newest)
    {
        m_pieces[piece.start] = {piece.end, newest > piece.start ? std::optional(newest) : std::nullopt};
        const base::UtcTime from = m_marked;
        for (auto next = m_pieces.find(m_at); next != m_pieces.end(); next = m_pieces.find(m_at)) {
            m_at = next->second.end;
            m_marked = next->second.newest.value_or(m_marked);
        }
        return {from, m_marked};
    }
    // True if the whole range was fetched.
    bool whole() const { return m_at >= m_range.end; }

private:
    struct Piece {
        base::UtcTime end{};
        std::optional<base::UtcTime> newest;
    };
    base::TimeRange m_range;
    base::UtcTime m_at, m_marked;
    std::map<base::UtcTime, Piece> m_pieces; // by start
};

} // namespace gpuledger::ingest
