// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/savingsinputs/days/daycollector.h"

#include <functional>
#include <utility>

namespace gpuledger::services {

// Tells what held something in a range of whole UTC hours, each holder any number of times; internal to rightsizefacts
// and schedulefacts. What the function refers to must outlive it.
class RecentHolders final : public DayCollector {
public:
    using Note = std::function<void(const model::AttributedHolder &)>;
    // `onlyPaid`: in time that was paid.
    RecentHolders(base::TimeRange range, bool onlyPaid, Note note)
        : m_range(range)
        , m_onlyPaid(onlyPaid)
        , m_note(std::move(note))
    {
    }

    base::TimeRange range() const override { return m_range; }

    base::Result<void> add(const model::DeviceAttribution &device) override;
    bool takesHours(base::Day) const override { return true; }
    base::Result<void> addHours(const HourPiece &piece) override;
    void endDay(base::Day) override { }

private:
    const base::TimeRange m_range;
    const bool m_onlyPaid;
    const Note m_note;
};

} // namespace gpuledger::services
