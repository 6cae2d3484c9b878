// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/idlereplay.h"

#include "app/insight/idle/idle.h"
#include "app/insight/idle/replayholder.h"
#include "app/insight/query/measuresums.h"
#include "app/model/kindname.h"

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

class ReplayRun {
public:
    ReplayRun(const ReplayQuery &query, base::Currency currency)
        : m_query(query)
        , m_longest(store::longestGrace(query.rule))
    {
        m_out.range = {base::floorTo(query.range.start, base::kBucket), base::floorTo(query.range.end, base::kBucket)};
        if (m_out.range.start < query.range.start)
            m_out.range.start += base::kBucket;
        m_out.threshold = query.rule.threshold;
        m_out.resumeWithin = query.resumeWithin;
        m_out.currency = currency;
    }

    Result<IdleReplay> run(store::AttributionReader &facts, const std::stop_token &stop)
    {
        if (m_out.range.empty())
            return std::move(m_out);
        const Day first = base::dayOf(m_out.range.start - m_longest);
        const Day last = base::dayOf(m_out.range.end - Seconds{1});
        auto labels = LabelLookup::read(facts, m_query.filter, {});
        GPULEDGER_TRY(labels);
        m_labels = &*labels;
        // One day at a time, as for the idle list: inference must not depend on which other days are read.
        for (m_day = first; m_day <= last; ++m_day.number) {
            GPULEDGER_TRY(facts.walk(m_day, m_day, {}, [&](const model::DeviceAttribution &device) -> Result<void> {
                if (stop.stop_requested())
                    return base::fail(base::ErrorCode::Cancelled, "cancelled");
                add(device);
                return {};
            }));
            finishDay();
        }
        --m_day.number;
        for (auto &[key, holder] : m_holders)
            close(holder, true);
        if (!m_fits)
            return base::fail(base::ErrorCode::Overflow, "an amount of the replay is too large");
        sortStops();
        return std::move(m_out);
    }

private:
    using Known = std::pair<std::int32_t, std::int16_t>; // holder and slice of the piece
    struct Piece {
        Known known;
        ReplayHolder::Unit *unit;
        std::uint32_t who;
        bool wanted;
    };

    void add(const model::DeviceAttribution &device)
    {
        m_pieces.clear();
        for (const model::UsagePart &part : device.parts) {
            if (!store::isHeld(part))
                continue;
            const UtcTime end = device.day.start() + (part.bucket + 1) * base::kBucket;
            if (end > m_out.range.end)
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
            b.unpriced = b.unpriced || !part.priced;
            if (piece.wanted && end - base::kBucket >= m_out.range.start)
                m_out.idle += GpuTime{part.ticks};
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
        ReplayHolder::Unit &unit = holder.units[{device.device->id.value, part.slice}];
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
        const Seconds grace = store::graceOf(m_query.rule, who->kind);
        const std::size_t width = bucketsOf(grace);
        const std::int64_t number = m_day.number * std::int64_t{base::kBucketsPerDay} + bucket;
        const double needed = m_query.rule.observed - 1e-9; // as in the idle list
        bool active = false, quiet = width > 0 && bornAt(*who) <= end - grace, wanted = false;
        for (const Cursor &c : m_cursors) {
            const ReplayBucket *b = c.at(bucket);
            if (!b)
                continue;
            ReplayWindow &window = c.unit->window;
            window.note(number, b->time.clockSeconds(b->time.observed, c.unit->fraction), b->active, width);
            active = active || b->active;
            wanted = wanted || b->wanted;
            const auto length = static_cast<double>(grace.count());
            quiet = quiet && window.lastActive() <= number - static_cast<std::int64_t>(width)
                && std::min(window.observed(), length) / length >= needed;
        }
        holder.heldUntil = end;
        if (active && holder.stopped)
            resume(holder, start);
        addUp(holder, bucket);
        if (!holder.stopped && quiet && wanted && who->protection.empty() && end >= m_out.range.start
            && end < m_out.range.end)
            stop(holder, *who, end);
        for (Cursor &c : m_cursors)
            c.next += c.at(bucket) ? 1 : 0;
    }

    static UtcTime bornAt(const model::AttributedHolder &who) { return who.startedAt.value_or(who.seen.start); }

    void addUp(ReplayHolder &holder, std::uint16_t bucket)
    {
        if (!holder.stopped && !holder.broken)
            return;
        for (const Cursor &c : m_cursors) {
            const ReplayBucket *b = c.at(bucket);
            if (!b)
                continue;
            if (holder.broken)
                holder.broken->lost += GpuTime{b->activeTicks};
            if (!holder.stopped)
                continue;
            holder.stopped->back += GpuTime{b->time.idle};
            holder.stopped->unobserved += GpuTime{b->unobservedTicks};
            m_fits = addTo(holder.nanos, b->idleNanos) && m_fits;
            holder.unpriced += b->unpriced ? GpuTime{b->time.idle} : GpuTime{};
        }
    }

    void stop(ReplayHolder &holder, const model::AttributedHolder &who, UtcTime at)
    {
        settle(holder.broken);
        holder.stopped = std::make_unique<ReplayStop>();
        ReplayStop &s = *holder.stopped;
        s.id = idleIdOf(who);
        s.name = model::shownName(who.what, who.name);
        s.owner = who.team;
        s.cluster = who.cluster;
        s.nameSpace = who.nameSpace;
        s.kind = who.kind;
        s.at = at;
        holder.nanos = 0;
        holder.unpriced = {};
    }

    void resume(ReplayHolder &holder, UtcTime at)
    {
        ReplayStop &s = *holder.stopped;
        s.resumed = at;
        s.falseStop = at - s.at < m_query.resumeWithin;
        takeMoney(holder, at);
        if (s.falseStop)
            holder.broken = std::move(holder.stopped);
        else
            settle(holder.stopped);
    }

    // `atEnd`: the range is over; otherwise the holder was not seen for long.
    void close(ReplayHolder &holder, bool atEnd)
    {
        settle(holder.broken);
        if (!holder.stopped)
            return;
        const bool holds = atEnd && holder.heldUntil == m_out.range.end;
        holder.stopped->undecided = holds && m_out.range.end - holder.stopped->at < m_query.resumeWithin;
        takeMoney(holder, holder.heldUntil);
        settle(holder.stopped);
    }

    void takeMoney(ReplayHolder &holder, UtcTime until)
    {
        ReplayStop &s = *holder.stopped;
        s.until = until;
        if (holder.unpriced == GpuTime{})
            s.money = base::Money(holder.nanos, m_out.currency);
        for (ReplaySum *sum : {&m_out.total, &m_out.parts[{s.kind, s.owner}]}) {
            sum->unpriced += holder.unpriced;
            m_fits = addTo(sum->money, holder.nanos) && m_fits;
        }
    }

    // A stop whose outcome is fully known.
    void settle(std::unique_ptr<ReplayStop> &done)
    {
        if (!done)
            return;
        count(m_out.total, *done);
        count(m_out.parts[{done->kind, done->owner}], *done);
        m_out.stops.push_back(std::move(*done));
        done.reset();
        if (m_out.stops.size() >= 2 * kMostReplayStops)
            keepMost();
    }

    void keepMost()
    {
        if (m_out.stops.size() <= kMostReplayStops)
            return;
        std::sort(m_out.stops.begin(), m_out.stops.end(), [](const ReplayStop &a, const ReplayStop &b) {
            return std::tuple(!a.falseStop, a.at, std::string_view(a.id))
                < std::tuple(!b.falseStop, b.at, std::string_view(b.id));
        });
        m_out.leftOut += m_out.stops.size() - kMostReplayStops;
        m_out.stops.resize(kMostReplayStops);
    }

    void sortStops()
    {
        keepMost();
        std::sort(m_out.stops.begin(), m_out.stops.end(), [](const ReplayStop &a, const ReplayStop &b) {
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
    const Seconds m_longest;
    IdleReplay m_out;
    bool m_fits = true;
    const LabelLookup *m_labels = nullptr;
    Day m_day{};
    std::map<IdleHolderKey, ReplayHolder> m_holders;
    std::vector<model::AttributedHolder> m_who; // of the day
    std::vector<Piece> m_pieces; // of the device being read
    std::vector<Cursor> m_cursors; // of the holder being replayed
};

} // namespace

void ReplayWindow::note(std::int64_t bucket, double observed, bool active, std::size_t width)
{
    if (m_ring.size() != width) { // its first bucket, or a rule assigns it another kind from now on
        m_ring.assign(width, 0);
        m_next = bucket;
        m_sum = 0;
    }
    m_lastActive = active ? bucket : m_lastActive;
    if (width == 0)
        return;
    if (bucket - m_next >= static_cast<std::int64_t>(width)) {
        std::fill(m_ring.begin(), m_ring.end(), 0.0);
        m_sum = 0;
        m_next = bucket;
    }
    for (; m_next <= bucket; ++m_next) {
        double &slot = m_ring[static_cast<std::size_t>(m_next) % width];
        m_sum -= slot;
        slot = m_next == bucket ? observed : 0;
        m_sum += slot;
    }
}

Result<IdleReplay> replayIdle(store::AttributionReader &facts, const ReplayQuery &query, base::Currency currency,
                              const std::stop_token &stop)
{
    return ReplayRun(query, currency).run(facts, stop);
}

} // namespace gpuledger::insight
