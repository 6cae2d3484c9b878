// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fleets/randomhistory.h"

#include <algorithm>
#include <functional>

namespace gpuledger::tests {

using ports::FactBatch;

namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = Scenario::kDaySeconds;
constexpr std::int64_t kEnd = kHistoryDays * kDay;

// The place of a tenant: a whole device or one of its slices.
struct Place {
    std::uint32_t device = 0, node = 0;
    std::string instance;
    model::SeriesRole role = model::SeriesRole::Slice;
};

class Builder {
public:
    Builder(Random &random, Telling telling)
        : m_random(random)
        , m_tidy(telling == Telling::Tidy)
        , m_wild(telling == Telling::Wild)
    {
    }
    Scenario build()
    {
        for (int n = 0; n < 3; ++n) {
            const auto node = m_fleet.node("n" + std::to_string(n), {}, m_tidy || !oneIn(m_random, 4));
            m_fleet.batch.nodes[node].sharedGpus = !m_tidy && oneIn(m_random, 3);
            m_fleet.batch.nodes[node].instanceType = "p4d.24xlarge";
            if (m_wild && oneIn(m_random, 2))
                interruptRecord(node);
            for (int d = 0; d < 3; ++d)
                addDevice(node, d);
        }
        return std::move(m_fleet);
    }

private:
    void interruptRecord(std::uint32_t node);
    void addDevice(std::uint32_t node, int position);
    void addPlainDevice(std::uint32_t node, int position, const std::string &name);
    void settle(Place place, const std::string &name, std::int64_t begin, std::int64_t end);
    void addPod(const Place &place, const std::string &name, std::int64_t from, std::int64_t to);
    void reports(const Place &place, std::uint32_t subject, std::int64_t from, std::int64_t to);

    Random &m_random;
    bool m_tidy, m_wild;
    Scenario m_fleet{kHistoryDays, "2026-09-02"}; // in a complete past month, which can be closed
    int m_next = 0;
};

void Builder::interruptRecord(std::uint32_t node)
{
    auto &spans = m_fleet.batch.nodeSpans;
    if (spans.empty() || spans.back().node != node)
        return;
    FactBatch::NodeSpan later = spans.back();
    spans.back().range.end = m_fleet.at(pick(m_random, kHour, kEnd / 2));
    later.range.start = spans.back().range.end + base::Seconds{pick(m_random, 600, 40 * kHour)};
    if (!later.range.empty())
        spans.push_back(later);
}

void Builder::addDevice(std::uint32_t node, int position)
{
    const std::string name = "job" + std::to_string(m_next);
    const bool shared = m_fleet.batch.nodes[node].sharedGpus;
    if (shared || !oneIn(m_random, 4))
        return addPlainDevice(node, position, name);
    const auto device = m_fleet.device("GPU-" + std::to_string(m_next++), position);
    const std::int64_t begin = m_wild && oneIn(m_random, 2) ? pick(m_random, 0, kEnd) : 0;
    if (begin > 0) // partitioned later
        settle({device, node, {}, model::SeriesRole::Slice}, name, 0, begin);
    for (const char *instance : {"1", "2"}) {
        m_fleet.slice(device, instance, {3, 7});
        settle({device, node, instance, model::SeriesRole::Slice}, name + '-' + instance, begin, kEnd);
    }
}

void Builder::addPlainDevice(std::uint32_t node, int position, const std::string &name)
{
    const bool shared = m_fleet.batch.nodes[node].sharedGpus;
    const auto role = shared ? model::SeriesRole::CopyPerHolder : model::SeriesRole::Slice;
    const auto device = m_fleet.device("GPU-" + std::to_string(m_next), position);
    const std::int64_t end = m_wild && oneIn(m_random, 3) ? pick(m_random, kHour, kEnd) : kEnd;
    for (int sharer = 0; sharer < (shared ? 2 : 1); ++sharer)
        settle({device, node, {}, role}, name + std::to_string(sharer), 0, end);
    if (end < kEnd && oneIn(m_random, 2)) // replaced by another one
        settle({m_fleet.device("GPU-r" + std::to_string(m_next), position), node, {}, role}, name + "-next",
               end + pick(m_random, 0, 30 * kHour), kEnd);
    if (end < kEnd && node > 0 && oneIn(m_random, 2)) // and the old one moves elsewhere
        settle({device, node - 1, {}, role}, name + "-moved", end + pick(m_random, 0, 30 * kHour), kEnd);
    if (!m_tidy && !shared && oneIn(m_random, 3)) { // one holder, two devices
        const auto last = m_fleet.batch.subjects.empty()
            ? Scenario::kNone
            : static_cast<std::uint32_t>(m_fleet.batch.subjects.size() - 1);
        reports({m_fleet.device("GPU-x" + std::to_string(m_next), position + 4), node, {}, role}, last,
                pick(m_random, 0, kDay), kEnd);
    }
    ++m_next;
}

// Adds one tenant after another.
void Builder::settle(Place place, const std::string &name, std::int64_t begin, std::int64_t end)
{
    for (std::int64_t from = begin + pick(m_random, 0, 20) * kHour; from < end;) {
        const std::int64_t to = oneIn(m_random, 2) ? end : std::min(end, from + pick(m_random, 1, 40 * kHour));
        addPod(place, oneIn(m_random, 3) ? name + "-again" : name + '-' + std::to_string(from), from, to);
        from = to + (oneIn(m_random, 2) ? 0 : pick(m_random, 0, (m_wild ? 30 : 10) * kHour));
    }
}

// A pod with its labels, sometimes started later than first observed, recreated under the same name, or known by labels
// only.
void Builder::addPod(const Place &place, const std::string &name, std::int64_t from, std::int64_t to)
{
    static const char *const kKinds[] = {"notebook", "training", "inference", "development"};
    const std::string uid = "uid-" + name + std::to_string(from);
    const bool unnamed = !m_tidy && place.role == model::SeriesRole::Slice && oneIn(m_random, m_wild ? 4 : 12);
    const auto subject =
        unnamed ? Scenario::kNone : m_fleet.label(name, m_tidy || oneIn(m_random, 2) ? uid : std::string());
    if (m_tidy || !oneIn(m_random, 6)) {
        const auto pod = m_fleet.pod(name, uid, m_fleet.batch.nodes[place.node].name);
        model::Holder &facts = m_fleet.batch.holders[pod];
        facts.labels["workload_kind"] = kKinds[pick(m_random, 0, 4)];
        facts.labels["team"] = oneIn(m_random, 2) ? "vision" : "speech";
        const std::int64_t gap = oneIn(m_random, 4) ? pick(m_random, from, to) : to;
        const std::int64_t resumes = gap + (m_wild ? pick(m_random, 2, 30) : 2) * kHour;
        m_fleet.runs(pod, from, gap);
        if (resumes < to)
            m_fleet.runs(pod, resumes, to);
        if (oneIn(m_random, 4))
            facts.startedAt.reset();
        else if (oneIn(m_random, 4))
            facts.startedAt = m_fleet.at(from + pick(m_random, 0, 6 * kHour));
    }
    reports(place, subject, from, to);
}

// Telemetry of a unit while it is held: mostly quiet, with work, gaps and broken values in between.
void Builder::reports(const Place &place, std::uint32_t subject, std::int64_t from, std::int64_t to)
{
    while (from < to) {
        const bool last = oneIn(m_random, 3);
        const std::int64_t end = last ? to : std::min(to, from + pick(m_random, 300, 30 * kHour));
        const std::int64_t what = last ? pick(m_random, 2, 10) : pick(m_random, 0, 10);
        if (what > 0)
            m_fleet.reports(place.device, subject, place.node, from, end,
                            what == 1      ? -1
                                : what < 4 ? 60
                                           : 1,
                            place.instance, place.role);
        from = end;
    }
}

using Some = std::function<bool(std::size_t)>;

// What a sync of [from, to) returns for the series that `some` selects; the others arrive in a separate batch.
FactBatch cutSome(const Scenario &s, std::int64_t from, std::int64_t to, const Some &some)
{
    FactBatch out = s.batch;
    out.covered = {s.at(from), s.at(to)};
    out.nodeSpans.clear();
    out.holderSpans.clear();
    out.series.clear();
    for (FactBatch::NodeSpan span : s.batch.nodeSpans) {
        span.range = span.range.intersect(out.covered);
        if (!span.range.empty())
            out.nodeSpans.push_back(span);
    }
    for (FactBatch::HolderSpan span : s.batch.holderSpans) {
        span.range = span.range.intersect(out.covered);
        if (!span.range.empty())
            out.holderSpans.push_back(span);
    }
    for (std::size_t i = 0; i < s.batch.series.size(); ++i) {
        const FactBatch::Series &whole = s.batch.series[i];
        FactBatch::Series part{whole.device, whole.subject, whole.node, whole.gpuInstance, whole.role, {}, {}};
        for (std::size_t b = 0; some(i) && b < whole.buckets.size(); ++b) {
            const base::UtcTime at = base::fromUnix(whole.bucketNumbers[b] * base::kBucket.count());
            if (!out.covered.contains(at))
                continue;
            part.bucketNumbers.push_back(whole.bucketNumbers[b]);
            part.buckets.push_back(whole.buckets[b]);
        }
        if (!part.buckets.empty())
            out.series.push_back(std::move(part));
    }
    return out;
}

} // namespace

std::int64_t pick(Random &random, std::int64_t from, std::int64_t to)
{
    return std::uniform_int_distribution<std::int64_t>(from, to - 1)(random);
}

bool oneIn(Random &random, int n)
{
    return pick(random, 0, n) == 0;
}

Scenario randomFleet(Random &random, Telling telling)
{
    return Builder(random, telling).build();
}

FactBatch cutOf(const Scenario &fleet, std::int64_t from, std::int64_t to)
{
    return cutSome(fleet, from, to, [](std::size_t) { return true; });
}

std::vector<Piece> randomPieces(const Scenario &fleet, Random &random, Telling telling)
{
    std::vector<Piece> pieces;
    for (std::int64_t from = 0; from < kEnd;) {
        const std::int64_t to = std::min(kEnd, from + 300 * pick(random, 1, 200));
        const auto part = static_cast<std::size_t>(pick(random, 0, 3));
        const bool late = oneIn(random, 3);
        FactBatch now = cutSome(fleet, from, to, [&](std::size_t i) { return !late || i % 3 != part; });
        if (telling == Telling::Wild && oneIn(random, 3)) { // the scheduler's records from another source, or none
            FactBatch records = now;
            records.series.clear();
            now.holderSpans.clear();
            now.nodeSpans.clear();
            if (!oneIn(random, 3))
                pieces.push_back({"records", std::move(records)});
        }
        pieces.push_back({"prom", std::move(now)});
        if (late)
            pieces.push_back({"prom", cutSome(fleet, from, to, [&](std::size_t i) { return i % 3 == part; })});
        from = to;
    }
    const auto any = [&] {
        return static_cast<std::size_t>(pick(random, 0, static_cast<std::int64_t>(pieces.size())));
    };
    for (int swaps = 0; swaps < 4; ++swaps) {
        const std::size_t one = any(), other = any();
        std::swap(pieces[one], pieces[other]);
    }
    return pieces;
}

} // namespace gpuledger::tests
