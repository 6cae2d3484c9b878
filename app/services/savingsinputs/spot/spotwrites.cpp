// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/spot/spotwrites.h"

#include <algorithm>

namespace gpuledger::services {

using base::Result;

namespace {

constexpr std::int64_t kSecondsOfHour = 3600;

// The hours of one pod, ascending.
void addWrites(const std::vector<model::SignalHour> &hours, savings::SpotWrites &out)
{
    std::int64_t without = 0, last = 0;
    for (const model::SignalHour &hour : hours) {
        without = hour.value > 0 ? 0 : (hour.hour == last + 1 ? without : 0) + hour.seconds;
        last = hour.hour;
        out.bursts += hour.value;
        out.seconds += hour.seconds;
        out.longestWithout = std::max(out.longestWithout, without);
    }
}

} // namespace

Result<SpotWriteCounter> SpotWriteCounter::create(store::FactReader &facts)
{
    const auto any = facts.hasSignals();
    GPULEDGER_TRY(any);
    SpotWriteCounter out;
    out.m_facts = &facts;
    out.m_isRecorded = *any;
    return out;
}

void SpotWriteCounter::want(const model::Holder &holder, std::size_t candidate)
{
    if (m_isRecorded && holder.kind == model::SubjectKind::Pod)
        m_wanted[{holder.cluster, holder.nameSpace, holder.name}].push_back({holder.uid, candidate});
}

Result<void> SpotWriteCounter::addTo(std::vector<savings::SpotCandidate> &candidates, base::TimeRange range,
                                     const std::stop_token &stop) const
{
    if (m_wanted.empty())
        return {};
    const std::int64_t first = base::toUnix(range.start) / kSecondsOfHour;
    const std::int64_t last = (base::toUnix(range.end) - 1) / kSecondsOfHour;
    return m_facts->eachSubject([&](const model::Subject &subject) -> Result<void> {
        const auto named = m_wanted.find({subject.cluster, subject.nameSpace, subject.name});
        if (named == m_wanted.end())
            return {};
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "cancelled");
        // The exporter names a pod that the scheduler recorded, too; one of them may not know the uid.
        const auto same = std::find_if(named->second.begin(), named->second.end(), [&](const Wanted &one) {
            return one.uid.empty() || subject.uid.empty() || one.uid == subject.uid;
        });
        if (same == named->second.end())
            return {};
        const auto hours = m_facts->signalHours(model::HourSignal::WriteBursts, subject.id.value, first, last);
        GPULEDGER_TRY(hours);
        addWrites(*hours, candidates[same->candidate].writes);
        return {};
    });
}

} // namespace gpuledger::services
