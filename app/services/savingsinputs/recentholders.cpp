// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/recentholders.h"

#include "app/store/idle/idletail.h"

#include <utility>

namespace gpuledger::services {

using base::Result;

namespace {

constexpr base::Seconds kRecentHour{3600};

} // namespace

Result<void> RecentHolders::add(const model::DeviceAttribution &device)
{
    std::int32_t before = model::kNobody;
    for (const model::UsagePart &part : device.parts) {
        const bool isIn = m_range.contains(device.day.start() + part.bucket * base::kBucket);
        const bool counts = part.ticks != 0 || !m_onlyPaid;
        if (isIn && counts && store::isHeld(part) && std::exchange(before, part.holder) != part.holder)
            m_note((*device.holders)[static_cast<std::size_t>(part.holder)]);
    }
    return {};
}

Result<void> RecentHolders::addHours(const HourPiece &piece)
{
    std::int64_t before = -1;
    for (const HourSpan &span : piece.spans) {
        const base::UtcTime from = piece.day.start() + span.first * kRecentHour;
        if (m_range.intersect({from, from + span.count * kRecentHour}).empty())
            continue;
        for (const HourHold &held : piece.holdsOf(span)) {
            const bool counts = held.ticks != 0 || !m_onlyPaid;
            if (counts && std::exchange(before, held.holder) != held.holder)
                m_note(piece.holderAt(held.holder));
        }
    }
    return {};
}

} // namespace gpuledger::services
