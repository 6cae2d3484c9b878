// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/heatmap/heatmapbins.h"

#include "app/base/remedy.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace gpuledger::insight {

namespace {

std::string twoDigits(int v)
{
    char buf[8];
    std::snprintf(buf, sizeof buf, "%02d", v);
    return buf;
}

std::string dayLabel(std::int32_t localDay)
{
    return base::toRfc3339(base::fromUnix(std::int64_t{localDay} * 86400)).substr(0, 10);
}

std::string offsetLabel(base::Seconds offset)
{
    const std::int64_t m = std::abs(offset.count()) / 60;
    return (offset.count() < 0 ? "-" : "+") + twoDigits(static_cast<int>(m / 60)) + ':'
        + twoDigits(static_cast<int>(m % 60));
}

std::vector<std::string> fixedLabels(Bins bins)
{
    static constexpr std::array<std::string_view, 7> kDays{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
    std::vector<std::string> labels;
    for (int i = 0; i < (bins == Bins::HourOfWeek ? 168 : 24); ++i)
        labels.push_back(bins == Bins::HourOfWeek
                             ? std::string(kDays[static_cast<std::size_t>(i / 24)]) + ' ' + twoDigits(i % 24)
                             : twoDigits(i));
    return labels;
}

// The local day or hour that contains a time; a repeated hour occurs twice.
base::TimeRange binAround(Bins bins, base::UtcTime t, const base::TimeZone &zone)
{
    if (bins == Bins::Day) {
        const std::int32_t day = zone.localDay(t);
        return {zone.startOfLocalDay(day), zone.startOfLocalDay(day + 1)};
    }
    constexpr std::int64_t kHour = 3600;
    const base::UtcTime start = t - base::Seconds{((zone.localSeconds(t) % kHour) + kHour) % kHour};
    return {start, start + base::Seconds{kHour}};
}

double shareIn(base::TimeRange range, base::TimeRange bin)
{
    return static_cast<double>(bin.intersect(range).length().count()) / static_cast<double>(bin.length().count());
}

} // namespace

std::vector<std::string> bucketLabels(base::TimeRange range, const base::TimeZone &zone)
{
    constexpr std::int64_t kDaySeconds = 86400;
    std::vector<std::string> labels;
    for (base::UtcTime t = range.start; t < range.end; t += base::kBucket) {
        const std::int64_t inDay = ((zone.localSeconds(t) % kDaySeconds) + kDaySeconds) % kDaySeconds;
        labels.push_back(dayLabel(zone.localDay(t)) + 'T' + twoDigits(static_cast<int>(inDay / 3600)) + ':'
                         + twoDigits(static_cast<int>(inDay / 60 % 60)) + offsetLabel(zone.offsetAt(t)));
    }
    return labels;
}

base::Result<BinTable> BinTable::make(Bins bins, base::TimeRange range, const base::TimeZone &zone,
                                      std::optional<base::TimeRange> known)
{
    BinTable table;
    table.m_start = range.start;
    const base::Day first = base::dayOf(range.start);
    table.m_firstDay = first.number;
    table.m_firstCell = static_cast<int>((range.start - first.start()) / base::kCell);
    const bool fixed = bins == Bins::HourOfWeek || bins == Bins::HourOfDay;
    if (fixed)
        table.m_labels = fixedLabels(bins);
    // Exactly, so that AddressSanitizer sees a cell outside of the range.
    table.m_bins.reserve(static_cast<std::size_t>(range.length() / base::kCell));
    std::pair<std::int64_t, std::int64_t> last{0, -1}; // (local hour or day, offset) of the newest bin
    for (base::UtcTime t = range.start; t < range.end; t += base::kCell) {
        if (fixed) {
            table.m_bins.push_back(
                static_cast<std::uint32_t>(bins == Bins::HourOfWeek ? zone.hourOfWeek(t) : zone.hourOfDay(t)));
            continue;
        }
        const std::int32_t day = zone.localDay(t);
        const base::Seconds offset = zone.offsetAt(t);
        // A repeated hour has a different offset and so its own bin; a day keeps one bin.
        const std::pair<std::int64_t, std::int64_t> bin = bins == Bins::Day
            ? std::pair<std::int64_t, std::int64_t>(day, 0)
            : std::pair<std::int64_t, std::int64_t>(std::int64_t{day} * 24 + zone.hourOfDay(t), offset.count());
        if (table.m_labels.empty() || bin != last) {
            last = bin;
            std::string label = dayLabel(day);
            if (bins == Bins::Hour)
                label += 'T' + twoDigits(zone.hourOfDay(t)) + ":00" + offsetLabel(offset);
            table.m_labels.push_back(std::move(label));
            if (table.m_labels.size() > kMaxBins)
                return base::fail(base::ErrorCode::InvalidArgument, "the range has more than 20,000 bins",
                                  base::Remedy::ChooseCoarserBins);
        }
        table.m_bins.push_back(static_cast<std::uint32_t>(table.m_labels.size() - 1));
    }
    const base::TimeRange data = known ? range.intersect(*known) : range;
    for (const base::UtcTime t : {range.start, data.start, data.end - base::Seconds{1}, range.end - base::Seconds{1}}) {
        if (!fixed && range.contains(t))
            table.m_cut[table.binAt(t)] = shareIn(data, binAround(bins, t, zone));
    }
    return table;
}

double BinTable::inRange(std::size_t bin) const
{
    const auto cut = m_cut.find(bin);
    return cut == m_cut.end() ? 1 : cut->second;
}

std::vector<base::Seconds> BinTable::lengths(base::TimeRange within) const
{
    std::vector<base::Seconds> out(m_labels.size(), base::Seconds{0});
    base::UtcTime t = m_start;
    for (const std::uint32_t bin : m_bins) {
        const base::TimeRange part = base::TimeRange{t, t + base::kCell}.intersect(within);
        if (!part.empty())
            out[bin] += part.length();
        t += base::kCell;
    }
    return out;
}

} // namespace gpuledger::insight
