// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/servedrequests.h"

#include <algorithm>

namespace gpuledger::insight {

using base::Result;
using base::Seconds;
using base::UtcTime;
using model::HourSignal;
using model::SignalHour;

namespace {

constexpr std::int64_t kSecondsOfHour = kRequestHour.count();

std::int64_t hourAt(UtcTime at)
{
    return base::toUnix(base::floorTo(at, kRequestHour)) / kSecondsOfHour;
}

UtcTime beginOfHour(const SignalHour &hour)
{
    return base::fromUnix(hour.hour * kSecondsOfHour);
}

UtcTime endOfHour(const SignalHour &hour)
{
    return beginOfHour(hour) + Seconds{hour.seconds};
}

} // namespace

Result<ServedRequests> ServedRequests::create(store::FactReader *facts)
{
    ServedRequests out;
    if (!facts)
        return out;
    const auto any = facts->hasSignals();
    GPULEDGER_TRY(any);
    if (!*any)
        return out;
    const auto subjects = facts->subjects();
    GPULEDGER_TRY(subjects);
    for (const model::Subject &subject : *subjects)
        out.m_subjects[{subject.cluster, subject.nameSpace, subject.name}].emplace_back(subject.uid, subject.id.value);
    out.m_facts = facts;
    return out;
}

// The exporter names a holder that a scheduler recorded, too; one of them may not know the uid.
std::set<std::int64_t> ServedRequests::subjectsOf(const model::AttributedHolder &who) const
{
    if (who.subject.value != 0)
        return {who.subject.value};
    std::set<std::int64_t> out;
    const auto named = m_subjects.find({who.cluster, who.nameSpace, who.name});
    if (named == m_subjects.end())
        return out;
    for (const auto &[uid, id] : named->second) {
        if (uid.empty() || who.uid.empty() || uid == who.uid)
            out.insert(id);
    }
    return out;
}

// From the given hour to the end of the day of `at`, so that the other instants of that day need no further reading.
Result<const ServedRequests::Hours *> ServedRequests::hoursOf(std::int64_t subject, std::int64_t first, UtcTime at)
{
    const base::Day day = base::dayOf(at - Seconds{1});
    if (m_day != day)
        m_hours.clear();
    m_day = day;
    Hours &hours = m_hours[subject];
    if (hours.first <= first && hours.last >= first)
        return &hours;
    hours.first = first;
    hours.last = hourAt(day.end() - Seconds{1});
    auto read = m_facts->signalHours(HourSignal::Requests, subject, hours.first, hours.last);
    GPULEDGER_TRY(read);
    hours.all = std::move(*read);
    return &hours;
}

// Requests of an hour that began before the window may have been served before it.
Result<std::optional<double>> ServedRequests::of(std::int64_t subject, UtcTime at)
{
    const UtcTime from = at - kRequestWindow;
    const std::int64_t first = hourAt(from), last = hourAt(at - Seconds{1});
    const auto hours = hoursOf(subject, first, at);
    GPULEDGER_TRY(hours);
    double served = 0;
    std::int64_t known = 0;
    bool isQuiet = true;
    for (const SignalHour &hour : (*hours)->all) {
        if (hour.hour < first || hour.hour > last)
            continue;
        ++known;
        isQuiet =
            isQuiet && hour.value == 0 && endOfHour(hour) >= std::min(at, beginOfHour(hour) + Seconds{kSecondsOfHour});
        if (beginOfHour(hour) >= from && endOfHour(hour) <= at)
            served += static_cast<double>(hour.value);
    }
    return served > 0 || (isQuiet && known == last - first + 1) ? std::optional(served) : std::nullopt;
}

Result<std::optional<double>> ServedRequests::before(const model::AttributedHolder &who, UtcTime at)
{
    std::optional<double> out;
    if (!m_facts)
        return out;
    for (const std::int64_t subject : subjectsOf(who)) {
        const auto served = of(subject, at);
        GPULEDGER_TRY(served);
        if (*served)
            out = out.value_or(0) + **served;
    }
    return out;
}

Result<bool> ServedRequests::inHour(const model::AttributedHolder &who, UtcTime at)
{
    if (!m_facts)
        return false;
    const std::int64_t asked = hourAt(at - Seconds{1});
    for (const std::int64_t subject : subjectsOf(who)) {
        const auto hours = hoursOf(subject, hourAt(at - kRequestWindow), at);
        GPULEDGER_TRY(hours);
        const auto &all = (*hours)->all;
        if (std::any_of(all.begin(), all.end(),
                        [&](const SignalHour &hour) { return hour.hour == asked && hour.value > 0; }))
            return true;
    }
    return false;
}

bool ServedBy::lately()
{
    if (m_who.kind != model::WorkloadKind::Inference)
        return false;
    if (!m_lately) {
        const auto served = m_requests.before(m_who, m_at);
        if (!served)
            m_read = tl::unexpected(served.error());
        m_lately = served && served->value_or(0) > 0;
    }
    return *m_lately;
}

bool ServedBy::thisHour()
{
    if (m_who.kind != model::WorkloadKind::Inference)
        return false;
    if (!m_thisHour) {
        const auto served = m_requests.inHour(m_who, m_at);
        if (!served)
            m_read = tl::unexpected(served.error());
        m_thisHour = served && *served;
    }
    return *m_thisHour;
}

} // namespace gpuledger::insight
