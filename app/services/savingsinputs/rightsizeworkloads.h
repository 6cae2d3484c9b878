// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/ids.h"
#include "app/model/fleet/attribution.h"
#include "app/savings/rightsize/rightsize.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

// The workloads of a past while it is read day by day; internal to rightsizefacts. One thread; no errors.
namespace gpuledger::services {

struct SizedMachine;

// If only recent ones are wanted, memory grows with the workloads of the last week, and by 24 bytes for each earlier
// one whose series goes on.
class SizedWorkloads {
public:
    static constexpr std::int32_t kLeftOut = -1;

    // From now on only these are kept in full; must be told before the first day. `target` held something in the last
    // week.
    void keepOnly() { m_onlyRecent = true; }
    void addRecent(const model::AttributedHolder &who);

    // Its index, which is valid until the end of the day; kLeftOut: nothing of it is kept, so it has no at(). Days are
    // read in order, so that what changes (team, kind) is the newest in the end.
    std::int32_t indexOf(const model::AttributedHolder &who);
    // What changes, again, for an index that is not negative.
    void describe(std::int32_t index, const model::AttributedHolder &who);
    savings::RightSizeWorkload &at(std::int32_t index) { return m_all[static_cast<std::size_t>(index)]->out; }
    void place(std::int32_t index, const SizedMachine &machine, std::int32_t gpu);
    // An hour in which it was alone on a machine. False on overflow.
    [[nodiscard]] bool addHour(std::int32_t index, std::int32_t hour, std::int64_t seconds, const SizedMachine &machine,
                               std::int64_t cost, std::int64_t base);

    void endDay();
    // At the end: everything, or, if only recent ones are wanted, what a list can show and what counts for slices.
    // False on overflow.
    [[nodiscard]] bool take(savings::RightSizePast &past);

private:
    // Series, GPU, market, machine, several models, several markets.
    using Place = std::tuple<std::int32_t, std::int32_t, std::int32_t, std::string, bool, bool>;
    struct Entry {
        savings::RightSizeWorkload out;
        std::vector<base::DeviceId> devices; // ascending
        std::int32_t series = -1; // which goes on in the last week; -1: none
        bool placed = false, recent = true;
    };
    struct Series {
        std::int32_t first = -1, last = -1; // by index
    };
    struct Earlier { // a workload that is part of a sum
        std::uint64_t name = 0;
        std::int32_t index = 0, sum = 0;
        bool operator<(const Earlier &other) const { return name < other.name; }
    };

    using Index = std::unordered_multimap<std::uint64_t, std::int32_t>; // by savings::rightSizeName()

    Index::iterator findIn(std::uint64_t hash, const std::string &cluster, const std::string &target);
    std::int32_t indexOfSeries(const std::string &target, const model::AttributedHolder &who) const;
    std::int32_t add(std::uint64_t hash, std::int32_t series, const std::string &cluster, std::string target);
    void endEntry(std::int32_t index, std::vector<std::int32_t> &open);
    void addToSum(Entry &from, std::int32_t index);
    void dropUnlisted(savings::RightSizePast &past);
    static void finish(Entry &from, std::vector<savings::RightSizeWorkload> &to);

    bool m_onlyRecent = false, m_fits = true;
    std::unordered_set<std::uint64_t> m_recent; // savings::rightSizeName() of workloads
    std::unordered_map<std::uint64_t, std::int32_t> m_seriesOf; // of these; by savings::rightSizeName() of the series
    std::vector<Series> m_series;
    std::vector<std::unique_ptr<Entry>> m_all; // null: part of a sum
    Index m_index; // into m_all, which has the names
    std::vector<std::int32_t> m_open; // not recent, and in m_all
    std::vector<std::unique_ptr<Entry>> m_sums;
    std::map<Place, std::int32_t> m_sumOf;
    std::vector<Earlier> m_earlier; // ascending
};

} // namespace gpuledger::services
