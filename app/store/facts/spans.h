// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"

#include <algorithm>
#include <vector>

// Sets of instants as ascending, disjoint ranges that do not touch, so that equal sets have equal forms.
namespace gpuledger::store {

using Spans = std::vector<base::TimeRange>;

inline Spans coalesced(Spans spans)
{
    std::erase_if(spans, [](const base::TimeRange &r) { return r.empty(); });
    std::sort(spans.begin(), spans.end(), [](const base::TimeRange &a, const base::TimeRange &b) {
        return a.start != b.start ? a.start < b.start : a.end < b.end;
    });
    Spans out;
    for (const base::TimeRange &r : spans) {
        if (!out.empty() && r.start <= out.back().end)
            out.back().end = std::max(out.back().end, r.end);
        else
            out.push_back(r);
    }
    return out;
}

// Coalesced, with gaps of at most `gap` filled.
inline Spans bridged(Spans spans, base::Seconds gap)
{
    for (base::TimeRange &r : spans)
        r.end += gap;
    spans = coalesced(std::move(spans));
    for (base::TimeRange &r : spans)
        r.end -= gap;
    return spans;
}

// The part of `spans` that is not in `hole`.
inline Spans without(const Spans &spans, const base::TimeRange &hole)
{
    if (hole.empty())
        return spans;
    Spans out;
    for (const base::TimeRange &r : spans) {
        const base::TimeRange before{r.start, std::min(r.end, hole.start)}, after{std::max(r.start, hole.end), r.end};
        if (!before.empty())
            out.push_back(before);
        if (!after.empty())
            out.push_back(after);
    }
    return out;
}

// Instants that are in exactly one of two coalesced sets.
inline Spans difference(const Spans &a, const Spans &b)
{
    Spans onlyA = a, onlyB = b;
    for (const base::TimeRange &r : b)
        onlyA = without(onlyA, r);
    for (const base::TimeRange &r : a)
        onlyB = without(onlyB, r);
    onlyA.insert(onlyA.end(), onlyB.begin(), onlyB.end());
    return coalesced(std::move(onlyA));
}

// True if a holder's records overlap the times at which its name was seen on a unit, within one bucket; then it was on
// that unit.
inline bool meet(const Spans &records, const Spans &seen)
{
    return std::any_of(records.begin(), records.end(), [&](const base::TimeRange &r) {
        return std::any_of(seen.begin(), seen.end(), [&](const base::TimeRange &s) {
            return r.start < s.end + base::kBucket && s.start - base::kBucket < r.end;
        });
    });
}

inline base::TimeRange hullOf(const base::TimeRange &a, const base::TimeRange &b)
{
    if (a.empty())
        return b;
    return b.empty() ? a : base::TimeRange{std::min(a.start, b.start), std::max(a.end, b.end)};
}

} // namespace gpuledger::store
