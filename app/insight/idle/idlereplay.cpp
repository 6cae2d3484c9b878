// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/idlereplay.h"

#include "app/insight/idle/idle.h"
#include "app/insight/idle/replayholder.h"
#include "app/insight/idle/servedrequests.h"
#include "app/insight/query/measuresums.h"
#include "app/model/fleet/kindname.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace gpuledger::insight {

using base::Day;
using base::GpuTime;
using base::Result;
using base::Seconds;
using base::UtcTime;
using model::GpuState;
using store::IdleHolderKey;
using store::IdleUnitKey;

namespace {

std::size_t bucketsOf(Seconds grace)
{
    const auto width = (grace.count() + base::kBucket.count() - 1) / base::kBucket.count();
    return width > 0 ? static_cast<std::size_t>(width) : 0;
}

bool addTo(std::int64_t &sum, std::int64_t amount)
{
    return !__builtin_add_overflow(sum, amount, &sum);
}

void count(ReplaySum &sum, const ReplayStop &stop)
{
    ++sum.stops;
    sum.falseStops += stop.falseStop ? 1 : 0;
    sum.resumed += stop.resumed ? 1 : 0;
    sum.undecided += stop.undecided ? 1 : 0;
    sum.back += stop.back;
    sum.unobserved += stop.unobserved;
    sum.lost += stop.lost;
    sum.falseBack += stop.falseStop ? stop.back : GpuTime{};
}

// One of the rules that are replayed.
struct Lane {
    const model::IdleSettings &rule;
    bool keepsStops;
    IdleReplay out;
};

class ReplayRun {
public:
    ReplayRun(const ReplayQuery &query, const std::vector<model::IdleSettings> &rules, base::Currency currency,
              bool keepsStops)
        : m_query(query)
        , m_range{base::floorTo(query.range.start, base::kBucket), base::floorTo(query.range.end, base::kBucket)}
    {
        if (m_range.start < query.range.start)
            m_range.start += base::kBucket;
        for (const model::IdleSettings &rule : rules) {
            m_longest = std::max(m_longest, store::longestGrace(rule));
            IdleReplay &out = m_lanes.emplace_back(Lane{rule, keepsStops, {}}).out;
            out.range = m_range;
            out.threshold = rule.threshold;
            out.resumeWithin = query.resumeWithin;
            out.currency = currency;
        }
    }

    Result<std::vector<IdleReplay>> run(store::AttributionReader &facts, const std::stop_token &stop)
    {
        if (m_range.empty() || m_lanes.empty())
            return results();
        const Day first = base::dayOf(m_range.start - m_longest);
        const Day last = base::dayOf(m_range.end - Seconds{1});
        auto labels = LabelLookup::read(facts, m_query.filter, {});
        GPULEDGER_TRY(labels);
        m_labels = &*labels;
        auto requests = ServedRequests::create(facts.facts());
        GPULEDGER_TRY(requests);
        m_requests = std::move(*requests);
        // One day at a time, as for the idle list: inference must not depend on which other days are read.
        for (m_day = first; m_day <= last; ++m_day.number) {
            GPULEDGER_TRY(facts.walk(m_day, m_day, {}, [&](const model::DeviceAttribution &device) -> Result<void> {
                if (stop.stop_requested())
                    return base::fail(base::ErrorCode::Cancelled, "cancelled");
                add(device);
                return {};
            }));
            finishDay();
            GPULEDGER_TRY(m_read);
        }
        --m_day.number;
        for (auto &[key, holder] : m_holders)
            close(holder, true);
        if (!m_fits)
            return base::fail(base::ErrorCode::Overflow, "an amount of the replay is too large");
        for (Lane &lane : m_lanes)
            sortStops(lane.out);
        return results();
    }

private:
    using Known = std::pair<std::int32_t, std::int16_t>; // holder and slice of the piece
    struct Piece {
        Known known;
        ReplayHolder::Unit *unit;
        std::uint32_t who;
        bool wanted;
    };

    std::vector<IdleReplay> results()
    {
        std::vector<IdleReplay> all;
        for (Lane &lane : m_lanes) {
            lane.out.idle = m_idle;
            all.push_back(std::move(lane.out));
        }
        return all;
    }

    void add(const model::DeviceAttribution &device)
    {
        m_pieces.clear();
        for (const model::UsagePart &part : device.parts) {
            if (!store::isHeld(part))
                continue;
            const UtcTime end = device.day.start() + (part.bucket + 1) * base::kBucket;
            if (end > m_range.end)
                continue;
            const Piece &piece = pieceOf(device, part);
            auto &day = piece.unit->day;
            if (day.empty() || day.back().bucket != part.bucket) {
                day.emplace_back().bucket = part.bucket;
                day.back().who = piece.who;
            }
            ReplayBucket &b = day.back();
            b.wanted = b.wanted || piece.wanted;
            b.time.add(part.state, part.shared, part.ticks);
            b.active = b.active || part.state == GpuState::Active;
            b.activeTicks += part.state == GpuState::Active ? part.ticks : 0;
            b.unobservedTicks += part.state == GpuState::UnobservedHeld ? part.ticks : 0;
            if (part.state != GpuState::Idle)
                continue;
            m_fits = addTo(b.idleNanos, part.costNanos) && m_fits;
            b.unpricedTicks += part.priced ? 0 : part.ticks;
            if (piece.wanted && end - base::kBucket >= m_range.start)
                m_idle += GpuTime{part.ticks};
        }
    }

    const Piece &pieceOf(const model::DeviceAttribution &device, const model::UsagePart &part)
    {
        const Known known{part.holder, part.slice};
        for (const Piece &piece : m_pieces) {
            if (piece.known == known)
                return piece;
        }
        const model::AttributedHolder &who = (*device.holders)[static_cast<std::size_t>(part.holder)];
        ReplayHolder &holder = m_holders[store::idleKeyOf(who)];
        holder.lastSeen = m_day;
        holder.fates.resize(m_lanes.size());
        ReplayHolder::Unit &unit = holder.units[{device.device->id.value, part.slice}];
        unit.windows.resize(m_lanes.size());
        unit.fraction = store::fractionOf(*device.device, part.slice);
        m_who.push_back(who);
        m_pieces.push_back({known, &unit, static_cast<std::uint32_t>(m_who.size() - 1),
                            matches(m_query.filter, device, part.holder, *m_labels)});
        return m_pieces.back();
    }

    // Replays the day's buckets of every holder in order, then discards what is no longer needed.
    void finishDay()
    {
        const Seconds keep = std::max(m_longest, m_query.resumeWithin) + base::kDay;
        for (auto it = m_holders.begin(); it != m_holders.end();) {
            ReplayHolder &holder = it->second;
            if (holder.lastSeen == m_day)
                replayDay(holder);
            else if (m_day.start() - holder.lastSeen.start() > keep) {
                close(holder, false);
                it = m_holders.erase(it);
                continue;
            }
            ++it;
        }
        m_who.clear();
    }

    void replayDay(ReplayHolder &holder)
    {
        m_cursors.clear();
        for (auto &[key, unit] : holder.units) {
            if (!unit.day.empty())
                m_cursors.push_back({&unit, 0});
        }
        for (;;) {
            int bucket = std::numeric_limits<int>::max();
            for (const Cursor &c : m_cursors) {
                if (c.next < c.unit->day.size())
                    bucket = std::min(bucket, static_cast<int>(c.unit->day[c.next].bucket));
            }
            if (bucket == std::numeric_limits<int>::max())
                break;
            step(holder, static_cast<std::uint16_t>(bucket));
        }
        for (const Cursor &c : m_cursors)
            c.unit->day.clear();
    }

    // One bucket of a holder that holds something in it.
    void step(ReplayHolder &holder, std::uint16_t bucket)
    {
        const UtcTime start = m_day.start() + bucket * base::kBucket, end = start + base::kBucket;
        const model::AttributedHolder *who = nullptr;
        for (const Cursor &c : m_cursors) {
            if (const ReplayBucket *b = c.at(bucket))
                who = &m_who[b->who];
        }
        bool active = false, wanted = false;
        for (const Cursor &c : m_cursors) {
            const ReplayBucket *b = c.at(bucket);
            active = active || (b && b->active);
            wanted = wanted || (b && b->wanted);
        }
        holder.heldUntil = end;
        const bool mayStop = wanted && who->protection.empty() && end >= m_range.start && end < m_range.end;
        ServedBy served(m_requests, *who, end);
        for (std::size_t i = 0; i < m_lanes.size(); ++i) {
            const bool quiet = isQuiet(i, *who, bucket);
            ReplayFate &fate = holder.fates[i];
            if (fate.stopped && (active || served.thisHour())) {
                resume(m_lanes[i], fate, start);
                fate.servesUntil = active ? UtcTime{} : base::floorTo(start, kRequestHour) + kRequestHour;
            }
            addUp(fate, bucket);
            if (!fate.stopped && quiet && mayStop && end >= fate.servesUntil && !served.lately())
                stopNow(m_lanes[i], fate, *who, end);
        }
        if (!served.read())
            m_read = served.read();
        for (Cursor &c : m_cursors)
            c.next += c.at(bucket) ? 1 : 0;
    }

    // Notes the bucket in the windows of this rule; whether no device of the holder worked in the grace window that
    // ends with the bucket.
    bool isQuiet(std::size_t lane, const model::AttributedHolder &who, std::uint16_t bucket)
    {
        const model::IdleSettings &rule = m_lanes[lane].rule;
        const Seconds grace = store::graceOf(rule, who.kind);
        const std::size_t width = bucketsOf(grace);
        const UtcTime end = m_day.start() + (bucket + 1) * base::kBucket;
        const std::int64_t number = m_day.number * std::int64_t{base::kBucketsPerDay} + bucket;
        const double needed = rule.observed - 1e-9; // as in the idle list
        const auto length = static_cast<double>(grace.count());
        bool quiet = width > 0 && bornAt(who) <= end - grace;
        for (const Cursor &c : m_cursors) {
            const ReplayBucket *b = c.at(bucket);
            if (!b)
                continue;
            ReplayWindow &window = c.unit->windows[lane];
            window.note(number, b->time.clockSeconds(b->time.observed, c.unit->fraction), b->active, width);
            quiet = quiet && window.lastActive() <= number - static_cast<std::int64_t>(width)
                && std::min(window.observed(), length) / length >= needed;
        }
        return quiet;
    }

    static UtcTime bornAt(const model::AttributedHolder &who) { return who.startedAt.value_or(who.seen.start); }

    void addUp(ReplayFate &fate, std::uint16_t bucket)
    {
        if (!fate.stopped && !fate.broken)
            return;
        for (const Cursor &c : m_cursors) {
            const ReplayBucket *b = c.at(bucket);
            if (!b)
                continue;
            if (fate.broken)
                fate.broken->lost += GpuTime{b->activeTicks};
            if (!fate.stopped)
                continue;
            fate.stopped->back += GpuTime{b->time.idle};
            fate.stopped->unobserved += GpuTime{b->unobservedTicks};
            m_fits = addTo(fate.nanos, b->idleNanos) && m_fits;
            fate.unpriced += GpuTime{b->unpricedTicks};
        }
    }

    void stopNow(Lane &lane, ReplayFate &fate, const model::AttributedHolder &who, UtcTime at)
    {
        settle(lane, fate.broken);
        fate.stopped = std::make_unique<ReplayStop>();
        ReplayStop &s = *fate.stopped;
        if (lane.keepsStops) {
            s.key = store::idleKeyOf(who);
            s.id = idleIdOf(who);
            s.name = model::shownName(who.what, who.name);
            s.cluster = who.cluster;
            s.nameSpace = who.nameSpace;
        }
        s.owner = who.team;
        s.kind = who.kind;
        s.at = at;
        fate.nanos = 0;
        fate.unpriced = {};
    }

    void resume(Lane &lane, ReplayFate &fate, UtcTime at)
    {
        ReplayStop &s = *fate.stopped;
        s.resumed = at;
        s.falseStop = at - s.at < m_query.resumeWithin;
        takeMoney(lane, fate, at);
        if (s.falseStop)
            fate.broken = std::move(fate.stopped);
        else
            settle(lane, fate.stopped);
    }

    // `atEnd`: the range is over; otherwise the holder was not seen for long.
    void close(ReplayHolder &holder, bool atEnd)
    {
        for (std::size_t i = 0; i < holder.fates.size(); ++i) {
            Lane &lane = m_lanes[i];
            ReplayFate &fate = holder.fates[i];
            settle(lane, fate.broken);
            if (!fate.stopped)
                continue;
            const bool holds = atEnd && holder.heldUntil == m_range.end;
            fate.stopped->undecided = holds && m_range.end - fate.stopped->at < m_query.resumeWithin;
            takeMoney(lane, fate, holder.heldUntil);
            settle(lane, fate.stopped);
        }
    }

    void takeMoney(Lane &lane, ReplayFate &fate, UtcTime until)
    {
        ReplayStop &s = *fate.stopped;
        s.until = until;
        if (fate.unpriced == GpuTime{})
            s.money = base::Money(fate.nanos, lane.out.currency);
        for (ReplaySum *sum : {&lane.out.total, &lane.out.parts[{s.kind, s.owner}]}) {
            sum->unpriced += fate.unpriced;
            m_fits = addTo(sum->money, fate.nanos) && m_fits;
        }
    }

    // A stop whose outcome is fully known.
    static void settle(Lane &lane, std::unique_ptr<ReplayStop> &done)
    {
        if (!done)
            return;
        IdleReplay &out = lane.out;
        count(out.total, *done);
        count(out.parts[{done->kind, done->owner}], *done);
        if (lane.keepsStops)
            out.stops.push_back(std::move(*done));
        done.reset();
        if (out.stops.size() >= 2 * kMostReplayStops)
            keepMost(out);
    }

    static void keepMost(IdleReplay &out)
    {
        if (out.stops.size() <= kMostReplayStops)
            return;
        std::sort(out.stops.begin(), out.stops.end(), [](const ReplayStop &a, const ReplayStop &b) {
            return std::tuple(!a.falseStop, a.at, std::string_view(a.id))
                < std::tuple(!b.falseStop, b.at, std::string_view(b.id));
        });
        out.leftOut += out.stops.size() - kMostReplayStops;
        out.stops.resize(kMostReplayStops);
    }

    static void sortStops(IdleReplay &out)
    {
        keepMost(out);
        std::sort(out.stops.begin(), out.stops.end(), [](const ReplayStop &a, const ReplayStop &b) {
            return std::tuple(a.at, std::string_view(a.id)) < std::tuple(b.at, std::string_view(b.id));
        });
    }

    struct Cursor {
        ReplayHolder::Unit *unit;
        std::size_t next;
        const ReplayBucket *at(std::uint16_t bucket) const
        {
            return next < unit->day.size() && unit->day[next].bucket == bucket ? &unit->day[next] : nullptr;
        }
    };

    const ReplayQuery &m_query;
    base::TimeRange m_range; // whole buckets
    Seconds m_longest{0};
    std::vector<Lane> m_lanes;
    GpuTime m_idle;
    bool m_fits = true;
    ServedRequests m_requests;
    Result<void> m_read; // of m_requests: the last failure
    const LabelLookup *m_labels = nullptr;
    Day m_day{};
    std::map<IdleHolderKey, ReplayHolder> m_holders;
    std::vector<model::AttributedHolder> m_who; // of the day
    std::vector<Piece> m_pieces; // of the device being read
    std::vector<Cursor> m_cursors; // of the holder being replayed
};

} // namespace

Result<IdleReplay> replayIdle(store::AttributionReader &facts, const ReplayQuery &query, base::Currency currency,
                              const std::stop_token &stop)
{
    const std::vector rules{query.rule};
    auto all = ReplayRun(query, rules, currency, true).run(facts, stop);
    GPULEDGER_TRY(all);
    return std::move(all->front());
}

Result<std::vector<IdleReplay>> replayIdleRules(store::AttributionReader &facts, const ReplayQuery &query,
                                                const std::vector<model::IdleSettings> &rules, base::Currency currency,
                                                const std::stop_token &stop)
{
    return ReplayRun(query, rules, currency, false).run(facts, stop);
}

} // namespace gpuledger::insight
