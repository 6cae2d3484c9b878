// SPDX-License-Identifier: GPL-3.0-or-later
// The part of FleetService that knows how far the data reach.
#include "app/insight/query/reach.h"
#include "app/services/engine/engine.h"
#include "app/services/fleet/fleetservice.h"
#include "app/store/months/monthstore.h"

#include <algorithm>

namespace gpuledger::services {

using base::Result;

Result<insight::Reach> FleetService::reach(base::TimeRange asked)
{
    const auto states = m_engine.cache().syncStates();
    GPULEDGER_TRY(states);
    const auto fetched = m_engine.cache().months().fetched();
    GPULEDGER_TRY(fetched);
    const auto covered = coveredRange();
    GPULEDGER_TRY(covered);
    base::UtcTime now = m_engine.clock().now();
    if (const auto month = m_engine.reportMonth())
        now = std::min(now, month->range().end);
    insight::Reach out;
    out.endsNow = asked.end >= now;
    out.asked = {asked.start, std::min(asked.end, now)};
    const auto add = [&](insight::SourceReach one, base::Seconds every) {
        if (one.to) {
            one.age = std::max(base::Seconds{0}, base::Seconds{out.asked.end - *one.to});
            out.to = out.to ? std::min(*out.to, *one.to) : *one.to;
        }
        one.stale = !one.to || one.age > insight::staleAfter(every);
        out.stale = out.stale || one.stale;
        out.age = std::max(out.age, one.age);
        out.sources.push_back(std::move(one));
    };
    for (const model::SourceSettings &s : m_engine.setup().settings.sources) {
        if (!s.mayRead || !m_engine.kindOf(s).tellsTelemetry())
            continue;
        insight::SourceReach one;
        one.source = s.name;
        // The demo tells of several clusters under names of its own.
        if (s.clusterLabel.empty() && m_engine.kindOf(s).has(ports::Capability::Expressions))
            one.cluster = s.cluster.empty() ? s.name : s.cluster;
        const auto state = std::find_if(states->begin(), states->end(),
                                        [&](const store::SyncState &known) { return known.source == s.name; });
        if (state != states->end() && !state->covered.empty())
            one.to = state->covered.end;
        for (const store::FetchedRanges &own : *fetched) {
            if (own.source == s.name)
                one.fetched = own.shareOf(out.asked);
        }
        add(std::move(one), s.every);
    }
    // A report has no sources, and data may be older than the configuration.
    if (!out.to && !covered->empty()) {
        out = {out.asked, out.endsNow, {}, {}, {}, false, {}};
        insight::SourceReach all;
        all.to = covered->end;
        all.fetched = store::FetchedRanges{{}, {*covered}}.shareOf(out.asked);
        add(std::move(all), base::kBucket);
    }
    if (!covered->empty())
        out.from = covered->start;
    out.stale = out.stale || !out.to;
    return out;
}

} // namespace gpuledger::services
