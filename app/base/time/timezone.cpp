// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/time/timezone.h"

#include "app/base/remedy.h"

#include <QDateTime>
#include <QTimeZone>

#include <algorithm>
#include <vector>

namespace gpuledger::base {

struct TimeZone::Table {
    std::string name = "UTC";
    std::vector<std::int64_t> from{}; // instants at which an offset starts, ascending
    std::vector<std::int32_t> offsets{}; // one more than `from`: the first applies before all of them
};

namespace {

std::int64_t floorDiv(std::int64_t a, std::int64_t b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

} // namespace

TimeZone::TimeZone()
    : m_table([] {
        auto t = std::make_shared<Table>();
        t->offsets = {0};
        return t;
    }())
{
}

Result<TimeZone> TimeZone::find(std::string_view ianaName)
{
    const QByteArray id(ianaName.data(), static_cast<qsizetype>(ianaName.size()));
    const QTimeZone zone(id);
    // QTimeZone takes an empty name for the system's zone.
    if (id.isEmpty() || !zone.isValid())
        return fail(ErrorCode::NotFound, "no time zone \"" + std::string(ianaName.substr(0, 64)) + "\"",
                    Remedy::UseZoneName);
    auto table = std::make_shared<Table>();
    table->name = std::string(ianaName);
    QDateTime begin = QDateTime::fromSecsSinceEpoch(0, Qt::UTC);
    const QDateTime end = QDateTime::fromSecsSinceEpoch(4102444800, Qt::UTC);
    table->offsets.push_back(zone.offsetFromUtc(begin));
    // Each call ends at the end of the zone's table; the next one continues by the zone's rule.
    for (auto list = zone.transitions(begin, end); !list.isEmpty(); list = zone.transitions(begin, end)) {
        for (const QTimeZone::OffsetData &change : list) {
            if (change.offsetFromUtc == table->offsets.back())
                continue;
            table->from.push_back(change.atUtc.toSecsSinceEpoch());
            table->offsets.push_back(change.offsetFromUtc);
        }
        begin = list.last().atUtc.addSecs(1);
    }
    TimeZone result;
    result.m_table = std::move(table);
    return result;
}

TimeZone TimeZone::system()
{
    return find(QTimeZone::systemTimeZoneId().toStdString()).value_or(TimeZone());
}

const std::string &TimeZone::name() const
{
    return m_table->name;
}

Seconds TimeZone::offsetAt(UtcTime t) const
{
    const auto &from = m_table->from;
    const auto it = std::upper_bound(from.begin(), from.end(), toUnix(t));
    return Seconds{m_table->offsets[static_cast<std::size_t>(it - from.begin())]};
}

int TimeZone::hourOfDay(UtcTime t) const
{
    const std::int64_t s = localSeconds(t);
    return static_cast<int>((s - floorDiv(s, 86400) * 86400) / 3600);
}

int TimeZone::hourOfWeek(UtcTime t) const
{
    const std::int64_t day = localDay(t);
    const std::int64_t weekday = ((day + 3) % 7 + 7) % 7; // 1970-01-01 was a Thursday
    return static_cast<int>(weekday * 24 + hourOfDay(t));
}

std::int32_t TimeZone::localDay(UtcTime t) const
{
    return static_cast<std::int32_t>(floorDiv(localSeconds(t), 86400));
}

UtcTime TimeZone::startOfLocalDay(std::int32_t day) const
{
    // The earliest instant whose local day is `day`, found by bisection, since a zone may skip midnight.
    const std::int64_t guess = std::int64_t{day} * 86400;
    std::int64_t lo = guess - 26 * 3600, hi = guess + 26 * 3600;
    while (lo + 1 < hi) {
        const std::int64_t mid = lo + (hi - lo) / 2;
        (localDay(fromUnix(mid)) >= day ? hi : lo) = mid;
    }
    return fromUnix(hi);
}

UtcTime TimeZone::fromLocalSeconds(std::int64_t reading) const
{
    const UtcTime before = fromUnix(reading - offsetAt(fromUnix(reading) - kDay).count());
    const UtcTime after = fromUnix(reading - offsetAt(fromUnix(reading) + kDay).count());
    return localSeconds(before) == reading || localSeconds(after) != reading ? before : after;
}

} // namespace gpuledger::base
