// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/fleet/claimfinder.h"

#include "app/base/money/money.h"

#include <algorithm>

namespace gpuledger::ledger {

using base::TimeRange;

namespace {

// The exporter and the scheduler's records are scraped at different moments: a name seen this close to its record is
// taken for that record.
constexpr base::Seconds kScrapeSkew{600};
// Where the scheduler's records are missing altogether, the name is taken for the nearest record within this distance.
constexpr base::Seconds kRecordReach = base::kDay;

} // namespace

void ClaimFinder::find(const IndexedDevice &device, const Unit &unit, base::SubjectId subjectId, TimeRange range,
                       std::int64_t seconds, Claims &out) const
{
    out.clear();
    const auto at = m_index.subjectById.find(subjectId.value);
    if (at == m_index.subjectById.end()) {
        inferred(device, unit, range, seconds, out);
        return;
    }
    for (const std::size_t h : m_index.subjects[at->second].holders) {
        const std::int64_t overlap = m_index.holders[h].spans.overlap(range).count();
        if (overlap > 0)
            out.emplace_back(Claim{Claim::Kind::Holder, false, h}, overlap);
    }
    if (out.empty()) {
        out.emplace_back(withoutRecord(at->second, range), seconds);
    } else if (out.size() == 1) {
        out.front().second = seconds;
    } else { // recreated under the same name within this bucket
        std::vector<std::int64_t> weights;
        for (const auto &[claim, overlap] : out)
            weights.push_back(overlap);
        const std::vector<std::int64_t> parts = base::allocateInteger(seconds, weights);
        for (std::size_t i = 0; i < parts.size(); ++i)
            out[i].second = parts[i];
    }
}

bool ClaimFinder::schedulerSpeaks(const std::string &cluster, TimeRange range) const
{
    const auto knows = m_index.schedulerKnows.find(cluster);
    return knows != m_index.schedulerKnows.end() && knows->second.touches(range);
}

Claim ClaimFinder::withoutRecord(std::size_t subjectIndex, TimeRange range) const
{
    const IndexedSubject &subject = m_index.subjects[subjectIndex];
    const bool speaks = schedulerSpeaks(subject.facts.cluster, range);
    base::Seconds distance{0};
    const std::size_t nearest = nearestHolder(subject, range, distance);
    if (!subject.holders.empty() && (speaks ? distance <= kScrapeSkew : distance < kRecordReach))
        return {Claim::Kind::Holder, false, nearest};
    if (subject.facts.kind != model::SubjectKind::Pod || (!speaks && !subject.facts.exporterLike))
        return {Claim::Kind::Subject, false, subjectIndex};
    return {}; // a pod that requests no GPU: the exporter's own target
}

std::size_t ClaimFinder::nearestHolder(const IndexedSubject &subject, TimeRange range, base::Seconds &distance) const
{
    std::size_t best = subject.holders.empty() ? 0 : subject.holders.front();
    distance = base::Seconds::max();
    for (const std::size_t h : subject.holders) {
        for (const TimeRange &r : m_index.holders[h].spans.ranges()) {
            const base::Seconds gap = r.end <= range.start ? range.start - r.end
                : r.start >= range.end                     ? r.start - range.end
                                                           : base::Seconds{0};
            if (gap < distance) {
                distance = gap;
                best = h;
            }
        }
    }
    return best;
}

// If there is one device and one pod that requests it, that pod is the holder even without a label. Nothing beyond that
// is inferred.
void ClaimFinder::inferred(const IndexedDevice &device, const Unit &unit, TimeRange range, std::int64_t seconds,
                           Claims &out) const
{
    const int node = m_index.nodeOf(device, range.start);
    std::int64_t left = seconds;
    if (node >= 0 && !device.everLabelled && !unit.holders.empty()) {
        const auto &onNode = m_index.devicesOnNode[static_cast<std::size_t>(node)];
        const auto devices = std::count_if(onNode.begin(), onNode.end(), [&](std::size_t d) {
            return m_index.devices[d].paid.touches(range) && m_index.nodeOf(m_index.devices[d], range.start) == node;
        });
        for (const std::size_t h : unit.holders) {
            const IndexedHolder &holder = m_index.holders[h];
            const std::int64_t overlap = std::min(holder.spans.overlap(range).count(), left);
            if (overlap == 0 || holder.requested < devices)
                continue;
            out.emplace_back(Claim{Claim::Kind::Holder, true, h}, overlap);
            left -= overlap;
        }
    }
    if (left > 0)
        out.emplace_back(Claim{}, left);
}

} // namespace gpuledger::ledger
