// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/insight/heatmap/heatmap.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::insight {

// Maps each quarter hour of a range to its bin, in a time zone. Immutable after make(); any thread.
class BinTable {
public:
    // `range` lies on cell boundaries; not for five-minute bins. Fails with InvalidArgument above kMaxBins. Time
    // outside `known` cannot be known: before the first data, and after now.
    [[nodiscard]] static base::Result<BinTable> make(Bins bins, base::TimeRange range, const base::TimeZone &zone,
                                                     std::optional<base::TimeRange> known = {});
    // Only for cells inside the range.
    std::size_t binOf(base::Day day, int cell) const
    {
        return m_bins[static_cast<std::size_t>((day.number - m_firstDay) * base::kCellsPerDay + cell - m_firstCell)];
    }
    // The bin of a time inside the range.
    std::size_t binAt(base::UtcTime t) const { return m_bins[static_cast<std::size_t>((t - m_start) / base::kCell)]; }
    const std::vector<std::string> &labels() const { return m_labels; }
    // Share of a bin's time that is in the range and can be known: less than 1 where either starts or ends within a day
    // or an hour.
    double inRange(std::size_t bin) const;
    // How much of a stretch of time lies in each bin.
    std::vector<base::Seconds> lengths(base::TimeRange within) const;

    static constexpr std::size_t kMaxBins = 20000;

private:
    base::UtcTime m_start{};
    std::map<std::size_t, double> m_cut; // those below 1
    std::int32_t m_firstDay = 0;
    int m_firstCell = 0;
    std::vector<std::uint32_t> m_bins;
    std::vector<std::string> m_labels;
};

// One label per base bucket of the range, which lies on bucket boundaries: "2026-11-01T13:05+01:00".
std::vector<std::string> bucketLabels(base::TimeRange range, const base::TimeZone &zone);

} // namespace gpuledger::insight
