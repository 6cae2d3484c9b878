// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/actions/livesamples.h"

#include <algorithm>
#include <array>

namespace gpuledger::services {

using actions::Liveness;
using base::Result;
using ports::ActivityAnswer;
using ports::ActivityReading;
using ports::RequestReading;
using ports::SampleTime;

namespace {

constexpr auto kSignals = static_cast<std::size_t>(model::ActivitySignal::DutyCycle) + 1;

base::UtcTime seconds(SampleTime time)
{
    return std::chrono::floor<base::Seconds>(time);
}

// Ignores which holder the labels name, because the work on a shared device may be this holder's. A whole device is
// active if one of its slices is, but a slice is not active because its neighbours are.
bool isOf(const ActivityReading &reading, const std::string &device)
{
    if (device == reading.uuid)
        return true;
    const std::size_t length = reading.uuid.size();
    return !reading.gpuInstance.empty() && device.size() == length + 1 + reading.gpuInstance.size()
        && device.starts_with(reading.uuid) && device[length] == ':' && device.ends_with(reading.gpuInstance);
}

std::optional<ActivityReading::Sample> activeIn(const ActivityReading &reading, double threshold)
{
    std::optional<ActivityReading::Sample> found;
    for (const auto &sample : {reading.newest, reading.most}) {
        if (sample && sample->share >= threshold && (!found || sample->at > found->at))
            found = sample;
    }
    return found;
}

// Anything else that is held or running on the machine would end with it.
std::optional<ActivityReading::Sample> elsewhereBusy(const insight::IdleItem &item, const ActivityReading &reading,
                                                     double threshold)
{
    const auto isHere = std::find(reading.nodes.begin(), reading.nodes.end(), item.node) != reading.nodes.end();
    if (!isHere || reading.cluster != item.cluster)
        return std::nullopt;
    const bool isOthers =
        std::any_of(reading.holders.begin(), reading.holders.end(), [&](const ActivityReading::Holder &holder) {
            return holder.kind != item.kind || holder.name != item.name || holder.nameSpace != item.nameSpace;
        });
    return isOthers && reading.newest ? reading.newest : activeIn(reading, threshold);
}

Liveness::Seen active(const ActivityReading::Sample &sample)
{
    return {Liveness::Kind::Active, seconds(sample.at), sample.share};
}

// std::nullopt if no answer shows it active.
std::optional<Liveness::Seen> activeOf(const insight::IdleItem &item, const LiveAnswers &answers, double threshold)
{
    const bool isMachine = item.kind == model::SubjectKind::Machine;
    for (const ActivityAnswer *answer : answers) {
        for (const ActivityReading &reading : answer->readings) {
            if (isMachine) {
                if (const auto busy = elsewhereBusy(item, reading, threshold))
                    return active(*busy);
            }
            const bool isIts = std::any_of(item.devices.begin(), item.devices.end(),
                                           [&](const std::string &device) { return isOf(reading, device); });
            if (const auto sample = isIts ? activeIn(reading, threshold) : std::nullopt)
                return active(*sample);
        }
    }
    return std::nullopt;
}

// The newest samples of one device in one answer, by signal.
class Newest {
public:
    void see(const ActivityReading &reading)
    {
        m_isKnown = true;
        // DCGM does not support this signal on slices: it is absent or 0 by design, whatever they do.
        if (reading.signal == model::ActivitySignal::GpuUtilization && !reading.gpuInstance.empty())
            return;
        Signal &signal = m_signals.at(static_cast<std::size_t>(reading.signal));
        signal.isThere = true;
        if (reading.newest && reading.newest->at > signal.at) {
            signal.at = reading.newest->at;
            signal.interval = reading.interval;
        }
    }
    bool isKnown() const { return m_isKnown; }
    bool isFresh(SampleTime now) const
    {
        const auto isStale = [&](const Signal &signal) {
            return signal.isThere && !ports::isFresh(signal.at, signal.interval, now);
        };
        return at() && std::none_of(m_signals.begin(), m_signals.end(), isStale);
    }
    // The time of the signal with the oldest sample.
    std::optional<SampleTime> at() const
    {
        std::optional<SampleTime> oldest;
        for (const Signal &signal : m_signals) {
            if (signal.isThere && signal.at != SampleTime{})
                oldest = std::min(oldest.value_or(signal.at), signal.at);
        }
        return oldest;
    }

private:
    struct Signal {
        bool isThere = false;
        SampleTime at{};
        std::chrono::milliseconds interval{};
    };
    bool m_isKnown = false;
    std::array<Signal, kSignals> m_signals;
};

// Every answer that knows the device must have current samples of it.
Liveness::Seen deviceSeen(const std::string &device, const LiveAnswers &answers, base::UtcTime &newest)
{
    Liveness::Seen seen{Liveness::Kind::Unseen, {}, {}};
    bool isStale = false;
    for (const ActivityAnswer *answer : answers) {
        Newest samples;
        for (const ActivityReading &reading : answer->readings) {
            if (!isOf(reading, device))
                continue;
            samples.see(reading);
            if (reading.newest)
                newest = std::max(newest, seconds(reading.newest->at));
        }
        if (!samples.isKnown())
            continue;
        if (const auto at = samples.at())
            seen.at = seen.at == base::UtcTime{} ? seconds(*at) : std::min(seen.at, seconds(*at));
        if (samples.isFresh(answer->now))
            seen.kind = Liveness::Kind::Quiet;
        else
            isStale = true;
    }
    if (isStale)
        seen.kind = Liveness::Kind::Unseen;
    return seen;
}

// A counter that is not scraped any more hides requests.
std::optional<Liveness::Seen> requestsOf(const insight::IdleItem &item, const LiveAnswers &answers)
{
    if (item.kind != model::SubjectKind::Pod)
        return std::nullopt;
    std::optional<Liveness::Seen> found;
    for (const ActivityAnswer *answer : answers) {
        SampleTime newest{};
        bool isCounted = false, isFresh = false;
        for (const RequestReading &reading : answer->requests) {
            if (reading.pod != item.name || reading.nameSpace != item.nameSpace)
                continue;
            if (reading.served)
                return Liveness::Seen{Liveness::Kind::Active, seconds(*reading.served), {}};
            isCounted = true;
            newest = std::max(newest, reading.newest);
            isFresh = isFresh || ports::isFresh(reading.newest, reading.interval, answer->now);
        }
        if (isCounted && !isFresh)
            found = Liveness::Seen{Liveness::Kind::Unseen, seconds(newest), {}};
    }
    return found;
}

} // namespace

Liveness::Seen livenessOf(const insight::IdleItem &item, const LiveAnswers &answers, double threshold,
                          base::UtcTime &newest)
{
    if (const auto seen = activeOf(item, answers, threshold))
        return *seen;
    const auto requests = requestsOf(item, answers);
    if (requests && requests->kind == Liveness::Kind::Active)
        return *requests;
    Liveness::Seen all{Liveness::Kind::Quiet, {}, {}};
    for (const std::string &device : item.devices) {
        const Liveness::Seen seen = deviceSeen(device, answers, newest);
        if (all.at == base::UtcTime{} || seen.at < all.at)
            all.at = seen.at;
        if (seen.kind != Liveness::Kind::Quiet)
            return seen;
    }
    if (requests)
        return *requests;
    const bool isMachine = item.kind == model::SubjectKind::Machine;
    if (item.devices.empty() || (isMachine && item.node.empty()))
        all.kind = Liveness::Kind::Unseen;
    return all;
}

Result<std::shared_ptr<const LiveSamples::Answer>> LiveSamples::newest(const std::string &name, const Make &make,
                                                                       const ports::ActivityQuestion &question,
                                                                       Steady notBefore, std::stop_token stop)
{
    const Steady called = std::chrono::steady_clock::now();
    std::shared_ptr<Kept> kept;
    {
        const std::lock_guard lock(m_mutex);
        std::shared_ptr<Kept> &known = m_kept[name];
        if (!known)
            known = std::make_shared<Kept>();
        kept = known;
    }
    const std::lock_guard lock(kept->asking);
    const Steady asking = std::chrono::steady_clock::now();
    if (const auto &answer = kept->answer) {
        // An answer requested while this call waited is as fresh as its own would be.
        const bool isYoung = asking - answer->askedAt <= kNow || answer->askedAt >= called;
        if (isYoung && answer->askedAt >= notBefore && answer->since <= question.since)
            return answer;
    }
    kept->answer.reset();
    const auto source = make();
    GPULEDGER_TRY(source);
    auto activity = (*source)->newestActivity(question, std::move(stop));
    GPULEDGER_TRY(activity);
    kept->answer = std::make_shared<const Answer>(Answer{asking, question.since, std::move(*activity)});
    return kept->answer;
}

} // namespace gpuledger::services
