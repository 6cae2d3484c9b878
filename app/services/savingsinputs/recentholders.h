// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/savingsinputs/days/daycollector.h"
#include "app/services/savingsinputs/rightsizeworkloads.h"

namespace gpuledger::services {

// Notes what held something in a range of whole UTC hours; internal to rightsizefacts. `workloads` must outlive it.
class RecentHolders final : public DayCollector {
public:
    RecentHolders(base::TimeRange range, SizedWorkloads &workloads)
        : m_range(range)
        , m_workloads(workloads)
    {
    }

    base::TimeRange range() const override { return m_range; }

    base::Result<void> add(const model::DeviceAttribution &device) override;
    bool takesHours(base::Day) const override { return true; }
    base::Result<void> addHours(const HourPiece &piece) override;
    void endDay(base::Day) override { }

private:
    const base::TimeRange m_range;
    SizedWorkloads &m_workloads;
};

} // namespace gpuledger::services
