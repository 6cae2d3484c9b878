// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/idle/gapcounter.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gpuledger::store {

using base::Day;

namespace {

// The class of the bucket that begins at this age; the age is at least the first bound.
std::size_t gapClassOf(std::int64_t age)
{
    return static_cast<std::size_t>(std::upper_bound(kGapAges.begin(), kGapAges.end(), age) - kGapAges.begin()) - 1;
}

} // namespace

std::int64_t GapCount::ended() const
{
    return std::accumulate(work.begin(), work.end(), std::accumulate(over.begin(), over.end(), std::int64_t{0}));
}

GapCount &GapCount::operator+=(const GapCount &other)
{
    for (std::size_t i = 0; i < kGapAges.size(); ++i) {
        exposure[i] += other.exposure[i];
        work[i] += other.work[i];
        over[i] += other.over[i];
    }
    return *this;
}

GapCount &GapCount::operator-=(const GapCount &other)
{
    for (std::size_t i = 0; i < kGapAges.size(); ++i) {
        exposure[i] -= other.exposure[i];
        work[i] -= other.work[i];
        over[i] -= other.over[i];
    }
    return *this;
}

void GapCount::add(std::int64_t from, std::int64_t to, GapRun::End end)
{
    for (std::size_t i = 0; i < kGapAges.size() && kGapAges[i] < to; ++i) {
        const std::int64_t next = i + 1 < kGapAges.size() ? kGapAges[i + 1] : std::numeric_limits<std::int64_t>::max();
        exposure[i] += std::max<std::int64_t>(0, std::min(to, next) - std::max<std::int64_t>(from, kGapAges[i]));
    }
    // The bucket in which it works is still to come at age `to`; a holder that is over was idle in its last one.
    const std::int64_t at = end == GapRun::End::Work ? to : to - 1;
    if (at < kGapAges.front()) // too short to be counted
        return;
    work[gapClassOf(at)] += end == GapRun::End::Work ? 1 : 0;
    over[gapClassOf(at)] += end == GapRun::End::Over ? 1 : 0;
}

void GapJoiner::add(Day day, const GapDay &runs, const std::function<void(const GapPiece &)> &visit)
{
    const std::int64_t first = day.number * std::int64_t{base::kBucketsPerDay};
    const bool follows = m_last && m_last->number + 1 == day.number;
    std::map<Who, std::optional<std::int64_t>> open;
    for (const GapRun &run : runs.runs) {
        const Who who{run.holder, run.subject};
        std::optional<std::int64_t> since;
        if (run.since >= 0) {
            since = first + run.since;
        } else if (follows) {
            // Not open the day before: it worked until midnight, or held nothing.
            const auto before = m_open.find(who);
            since = before == m_open.end() ? first : before->second;
        }
        if (run.open)
            open[who] = since;
        const bool endsBefore = run.length == 0 && run.end == GapRun::End::Work; // with the day before
        if (endsBefore && !(follows && m_open.contains(who)))
            continue; // there was no gap
        if (since && (run.length > 0 || endsBefore))
            visit({runs.groups[run.group], who, *since, first + run.start - *since,
                   first + run.start + run.length - *since, run.end});
    }
    m_open = std::move(open);
    m_last = day;
}

void GapCounter::add(Day day, const GapDay &runs)
{
    m_joiner.add(day, runs, [this](const GapPiece &piece) {
        m_pieces[piece.group].push_back(
            {static_cast<std::int32_t>(piece.from), static_cast<std::int32_t>(piece.to), piece.end});
    });
}

GapPast GapCounter::take()
{
    GapPast past;
    for (const auto &[group, pieces] : m_pieces) {
        GapCount count;
        for (const Piece &piece : pieces)
            count.add(piece.from, piece.to, piece.end);
        past.groups[{group.kind, group.team, {}}] += count;
        if (count.ended() >= kLeastOwnGaps)
            past.groups[group] += count;
    }
    m_pieces.clear();
    return past;
}

} // namespace gpuledger::store
