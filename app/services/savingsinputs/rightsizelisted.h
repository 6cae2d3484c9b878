// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/gputime.h"
#include "app/savings/rightsize/rightsize.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

// Which workloads of a past a list of savings can show; internal to rightsizeworkloads. One thread; no errors.
namespace gpuledger::services {

// What never had a machine of its own is excluded under all assumptions, by right-size and, where that is true of its
// whole series, by spot; and only the costliest of what is excluded are listed. In a fleet of large machines the others
// are nearly all.
class ListedWorkloads {
public:
    // Of a past of so many hours, with so many series.
    ListedWorkloads(std::int32_t hours, std::size_t series)
        : m_hours(hours)
        , m_series(series)
    {
    }
    // Every workload, and every sum of earlier ones. They must stay where they are until the last answer. `series`
    // negative: the workload is listed.
    void add(const savings::RightSizeWorkload &one, std::int32_t series);
    void choose(); // after the last
    bool has(const savings::RightSizeWorkload &one, std::int32_t series) const;

private:
    struct Series {
        const savings::RightSizeWorkload *first = nullptr; // has the name
        base::GpuTime held;
        std::int64_t cost = 0, ownSeconds = 0;
        std::int32_t lastHour = -1;
        bool isListed = true;
    };
    bool isRecent(std::int32_t lastHour) const;
    std::string nameOf(std::int32_t series) const;

    const std::int32_t m_hours;
    std::vector<Series> m_series;
    std::vector<const savings::RightSizeWorkload *> m_shared; // without a machine of their own; then the listed ones
};

} // namespace gpuledger::services
