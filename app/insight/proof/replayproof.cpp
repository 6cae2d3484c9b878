// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/proof/replayproof.h"

#include "app/base/text/text.h"
#include "app/insight/proof/usagerows.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace gpuledger::insight {

using base::Day;
using base::GpuTime;
using base::Result;
using base::UtcTime;
using model::GpuState;
using model::UsagePart;

namespace {

constexpr char kCounted[] = "stops"; // unit

bool isOfStop(const Figure &figure)
{
    return std::string_view(figure.measure).starts_with(kStopMeasure);
}

// A stop, and what the facts say happened before and after it.
struct Recount {
    const ReplayStop *stop = nullptr;
    UtcTime lostUntil{}; // its next stop, or the end of the range
    bool counts = false; // towards the figure
    bool isOver = false; // the holder was not seen for too long
    Day lastSeen{};
    std::map<store::IdleUnitKey, UtcTime> lastActive; // end of a bucket, at most `at`
    std::set<store::IdleUnitKey> heldAt; // in the bucket that ends at the stop
    std::optional<UtcTime> resumed;
    UtcTime heldUntil{}; // up to `until`
    GpuTime back, unobserved, lost, unpriced;
    std::int64_t nanos = 0;
};

// Sums of stops: the replay's, or those recounted.
ReplaySum &operator+=(ReplaySum &sum, const ReplaySum &other)
{
    sum.stops += other.stops;
    sum.falseStops += other.falseStops;
    sum.resumed += other.resumed;
    sum.undecided += other.undecided;
    sum.back += other.back;
    sum.unobserved += other.unobserved;
    sum.lost += other.lost;
    sum.falseBack += other.falseBack;
    sum.unpriced += other.unpriced;
    sum.money += other.money;
    return sum;
}

class Recounting {
public:
    Recounting(const Figure &figure, const ReplayQuery &query, const IdleReplay &replay)
        : m_figure(figure)
        , m_query(query)
        , m_range(replay.range)
        , m_rows(store::Measure::ActivityTicks, store::Measure::ActiveTicks, replay.currency)
    {
        for (const ReplayStop &stop : replay.stops) { // ascending by time
            std::vector<Recount> &all = m_stops[stop.key];
            if (!all.empty())
                all.back().lostUntil = stop.at;
            Recount &one = all.emplace_back();
            one.stop = &stop;
            one.lostUntil = m_range.end;
            one.lastSeen = base::dayOf(stop.at - base::Seconds{1});
            one.counts = isOfStop(figure) ? stop.id == figure.item && stop.at == figure.at
                                          : !figure.row || *figure.row == ReplayedRow(stop.kind, stop.owner);
        }
    }

    Result<void> read(store::AttributionReader &facts, const std::stop_token &stop)
    {
        if (m_range.empty())
            return {};
        const Day first = base::dayOf(m_range.start - longest());
        const Day last = base::dayOf(m_range.end - base::Seconds{1});
        for (Day day = first; day <= last; ++day.number) { // one at a time, as the replay reads them
            GPULEDGER_TRY(facts.walk(day, day, {}, [&](const model::DeviceAttribution &device) -> Result<void> {
                if (stop.stop_requested())
                    return base::fail(base::ErrorCode::Cancelled, "cancelled");
                for (const UsagePart &part : device.parts) {
                    if (part.holder != model::kNobody)
                        add(device, part);
                }
                return {};
            }));
        }
        return m_fits ? Result<void>()
                      : Result<void>(base::fail(base::ErrorCode::Overflow, "an amount of the replay is too large"));
    }

    ReplaySum sum() const
    {
        ReplaySum all;
        for (const auto &[key, stops] : m_stops) {
            for (const Recount &one : stops) {
                if (one.counts)
                    all += sumOf(one);
            }
        }
        return all;
    }
    std::size_t found() const
    {
        std::size_t n = 0;
        for (const auto &[key, stops] : m_stops)
            n += static_cast<std::size_t>(
                std::count_if(stops.begin(), stops.end(), [](const Recount &one) { return one.counts; }));
        return n;
    }
    UsageRows &rows() { return m_rows; }

private:
    base::Seconds longest() const { return store::longestGrace(m_query.rule); }

    void add(const model::DeviceAttribution &device, const UsagePart &part)
    {
        const auto it = m_stops.find(store::idleKeyOf((*device.holders)[static_cast<std::size_t>(part.holder)]));
        const UtcTime start = device.day.start() + part.bucket * base::kBucket, end = start + base::kBucket;
        if (it == m_stops.end() || end > m_range.end)
            return;
        const store::IdleUnitKey unit{device.device->id.value, part.slice};
        for (Recount &one : it->second) {
            if (!one.counts)
                continue;
            if (end <= one.stop->at)
                addBefore(one, unit, part, end);
            else
                addAfter(one, device, part, {start, end});
        }
    }

    static void addBefore(Recount &one, const store::IdleUnitKey &unit, const UsagePart &part, UtcTime end)
    {
        if (part.state == GpuState::Active)
            one.lastActive[unit] = std::max(one.lastActive[unit], end);
        if (end == one.stop->at)
            one.heldAt.insert(unit);
    }

    void addAfter(Recount &one, const model::DeviceAttribution &device, const UsagePart &part, base::TimeRange bucket)
    {
        const base::Seconds keep = std::max(longest(), m_query.resumeWithin) + base::kDay;
        one.isOver = one.isOver || Day{device.day.number - 1}.start() - one.lastSeen.start() > keep;
        one.lastSeen = device.day;
        if (one.isOver)
            return;
        if (part.state == GpuState::Active && (!one.resumed || bucket.start < *one.resumed)
            && bucket.start <= one.stop->until)
            one.resumed = bucket.start;
        if (bucket.end <= one.stop->until)
            addBack(one, device, part, bucket.end);
        else if (one.stop->falseStop && part.state == GpuState::Active && bucket.end <= one.lostUntil) {
            one.lost += GpuTime{part.ticks};
            if (m_figure.measure.find("lost") != std::string::npos)
                m_rows.add(device, part);
        }
    }

    void addBack(Recount &one, const model::DeviceAttribution &device, const UsagePart &part, UtcTime end)
    {
        one.heldUntil = std::max(one.heldUntil, end);
        const bool isIdle = part.state == GpuState::Idle, isUnseen = part.state == GpuState::UnobservedHeld;
        if (isIdle) {
            one.back += GpuTime{part.ticks};
            one.unpriced += part.priced ? GpuTime{} : GpuTime{part.ticks};
            m_fits = !__builtin_add_overflow(one.nanos, part.costNanos, &one.nanos) && m_fits;
        }
        one.unobserved += isUnseen ? GpuTime{part.ticks} : GpuTime{};
        const bool isAbout = m_figure.measure.find("unobserved") != std::string::npos ? isUnseen
            : m_figure.measure.find("lost") != std::string::npos                      ? false
            : m_figure.measure.find("of-false-stops") != std::string::npos            ? isIdle && one.stop->falseStop
            : m_figure.measure.find("unpriced") != std::string::npos                  ? isIdle && !part.priced
                                                                                      : isIdle;
        if (isAbout)
            m_rows.add(device, part);
    }

    // It was idle on everything that it held, for its whole grace window.
    bool wasQuiet(const Recount &one) const
    {
        const base::Seconds grace = store::graceOf(m_query.rule, one.stop->kind);
        return !one.heldAt.empty()
            && std::all_of(one.heldAt.begin(), one.heldAt.end(), [&](const store::IdleUnitKey &unit) {
                   const auto it = one.lastActive.find(unit);
                   return it == one.lastActive.end()
                       || it->second <= base::floorTo(one.stop->at - grace, base::kBucket);
               });
    }

    ReplaySum sumOf(const Recount &one) const
    {
        ReplaySum sum;
        if (!wasQuiet(one))
            return sum;
        const bool isFalse = one.resumed && *one.resumed - one.stop->at < m_query.resumeWithin;
        sum.stops = 1;
        sum.falseStops = isFalse ? 1 : 0;
        sum.resumed = one.resumed ? 1 : 0;
        sum.undecided = !one.resumed && std::max(one.heldUntil, one.stop->at) == m_range.end
                && m_range.end - one.stop->at < m_query.resumeWithin
            ? 1
            : 0;
        sum.back = one.back;
        sum.unobserved = one.unobserved;
        sum.lost = one.lost;
        sum.falseBack = isFalse ? one.back : GpuTime{};
        sum.unpriced = one.unpriced;
        sum.money = one.nanos;
        return sum;
    }

    const Figure &m_figure;
    const ReplayQuery &m_query;
    base::TimeRange m_range;
    std::map<store::IdleHolderKey, std::vector<Recount>> m_stops;
    UsageRows m_rows;
    bool m_fits = true;
};

FigureValue valueOfSum(const Figure &figure, const ReplaySum &sum, base::Currency currency)
{
    const std::string_view all = figure.measure;
    const std::string_view measure = isOfStop(figure) ? all.substr(kStopMeasure.size()) : all;
    const auto count = [](std::int64_t n) { return FigureValue::of(static_cast<double>(n), kCounted); };
    if (measure == "money-back") {
        const bool isUnknown =
            isOfStop(figure) ? sum.unpriced != GpuTime{} : sum.back.ticks > 0 && sum.unpriced == sum.back;
        return isUnknown ? FigureValue{} : FigureValue::of(base::Money(sum.money, currency));
    }
    return measure == "stops"                        ? count(sum.stops)
        : measure == "false-stops"                   ? count(sum.falseStops)
        : measure == "resumed"                       ? count(sum.resumed)
        : measure == "undecided"                     ? count(sum.undecided)
        : measure == "back-gpu-hours"                ? FigureValue::of(sum.back)
        : measure == "back-gpu-hours-of-false-stops" ? FigureValue::of(sum.falseBack)
        : measure == "unobserved-gpu-hours"          ? FigureValue::of(sum.unobserved)
        : measure == "lost-gpu-hours"                ? FigureValue::of(sum.lost)
                                                     : FigureValue::of(sum.unpriced);
}

FigureValue valueOfStop(const Figure &figure, const ReplayStop &stop)
{
    const std::string_view measure = std::string_view(figure.measure).substr(kStopMeasure.size());
    if (measure == "money-back")
        return stop.money ? FigureValue::of(*stop.money) : FigureValue{};
    return FigureValue::of(measure == "back-gpu-hours"       ? stop.back
                               : measure == "lost-gpu-hours" ? stop.lost
                                                             : stop.unobserved);
}

// std::nullopt: the replay has no such row or stop.
std::optional<FigureValue> shownIn(const IdleReplay &replay, const Figure &figure)
{
    if (isOfStop(figure)) {
        const auto it = std::find_if(replay.stops.begin(), replay.stops.end(), [&](const ReplayStop &stop) {
            return stop.id == figure.item && stop.at == figure.at;
        });
        return it == replay.stops.end() ? std::nullopt : std::optional(valueOfStop(figure, *it));
    }
    if (!figure.row)
        return valueOfSum(figure, replay.total, replay.currency);
    const auto it = replay.parts.find(*figure.row);
    return it == replay.parts.end() ? std::nullopt : std::optional(valueOfSum(figure, it->second, replay.currency));
}

} // namespace

Result<Proof> replayProof(store::AttributionReader &facts, const Figure &figure, const ReplayQuery &query,
                          base::Currency currency, const std::stop_token &stop)
{
    const auto replay = replayIdle(facts, query, currency, stop);
    GPULEDGER_TRY(replay);
    const auto shown = shownIn(*replay, figure);
    if (!shown || replay->leftOut > 0)
        return base::fail(base::ErrorCode::NotFound,
                          !shown ? "the replay has no such row or stop" : "the replay has more stops than it lists",
                          "see what it has with: gpuledger-cli replay idle --from " + base::toRfc3339(query.range.start)
                              + " --to " + base::toRfc3339(query.range.end) + " --json");
    Recounting anew(figure, query, *replay);
    GPULEDGER_TRY(anew.read(facts, stop));
    Proof proof;
    proof.figure = figure;
    proof.shownFrom = "the replay of the rule over usage_day, holder, holder_span, placement, device, node";
    proof.recomputedFrom = "usage_day, holder, holder_span, placement, device, node, for each stop on its own";
    proof.shown = *shown;
    const ReplaySum sum = anew.sum();
    proof.recomputed = valueOfSum(figure, sum, currency);
    const auto told = static_cast<double>(anew.found());
    proof.inputs.push_back(
        {"stops", FigureValue::of(told, kCounted), FigureValue::of(static_cast<double>(sum.stops), kCounted)});
    const auto share = FigureValue::of(query.rule.threshold, "share");
    proof.inputs.push_back({"idle threshold", share, share});
    proof.agrees = proof.shown == proof.recomputed && proof.inputs.front().shown == proof.inputs.front().recomputed;
    anew.rows().moveTo(proof);
    return proof;
}

} // namespace gpuledger::insight
