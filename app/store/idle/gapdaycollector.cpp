// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/idle/gapdaycollector.h"

#include "app/model/fleet/kindname.h"
#include "app/store/idle/idletail.h"

#include <algorithm>
#include <span>

namespace gpuledger::store {

using model::GpuState;
using model::UsagePart;

namespace {

enum GapBit : std::uint8_t { kSeenIdle = 1, kNotSeen = 2, kWorked = 4 };
enum class Doing { Nothing, Idle, Unseen, Work };

Doing doingIn(std::uint8_t bits)
{
    if (bits & kWorked)
        return Doing::Work;
    if (bits & kNotSeen)
        return Doing::Unseen;
    return bits & kSeenIdle ? Doing::Idle : Doing::Nothing;
}

// A missed sample is not a gap in what was observed: unseen is what covers more than a quarter of its unit's bucket.
bool isLong(const model::DeviceAttribution &device, const UsagePart &part)
{
    const auto whole = static_cast<double>(base::GpuTime::wholeDevice(base::kBucket).ticks);
    return 4 * static_cast<double>(part.ticks) > whole * fractionOf(*device.device, part.slice);
}

// Splits one holder's day into the runs of its gaps.
class GapSplit {
public:
    GapSplit(std::span<const std::uint8_t> buckets, const GapRun &model, std::vector<GapRun> &out)
        : m_buckets(buckets)
        , m_model(model)
        , m_out(out)
    {
    }

    void split()
    {
        int at = 0, last = static_cast<int>(m_buckets.size()) - 1;
        while (last >= 0 && doing(last) == Doing::Nothing)
            --last;
        while (at <= last && doing(at) == Doing::Nothing)
            ++at;
        if (last >= 0 && doing(0) == Doing::Work) // it may end a gap of the day before
            m_out.push_back(run(0, 0, 0, GapRun::End::Work));
        while (at <= last) {
            if (doing(at) == Doing::Work) {
                ++at;
                continue;
            }
            int end = at;
            while (end <= last && doing(end) != Doing::Work)
                ++end;
            gap(at, end, end <= last ? GapRun::End::Work : isDayEnd(end) ? GapRun::End::DayEnd : GapRun::End::Over);
            at = end;
        }
    }

private:
    Doing doing(int bucket) const { return doingIn(m_buckets[static_cast<std::size_t>(bucket)]); }
    bool isDayEnd(int end) const { return end == static_cast<int>(m_buckets.size()); }

    // A gap over the buckets [first, end); in a bucket in which it held nothing, what it did is not known.
    void gap(int first, int end, GapRun::End how)
    {
        std::vector<GapRun> runs;
        int quiet = 0;
        for (int at = first; at < end;) {
            if (doing(at) != Doing::Idle) {
                ++at;
                continue;
            }
            int stop = at;
            while (stop < end && doing(stop) == Doing::Idle)
                ++stop;
            runs.push_back(run(first, at, stop - at, stop == end ? how : GapRun::End::Unseen));
            quiet += stop - at;
            at = stop;
        }
        const bool open = how == GapRun::End::DayEnd;
        if (open && (runs.empty() || runs.back().end != how)) // its tail was not observed
            runs.push_back(run(first, end, 0, GapRun::End::Unseen));
        if (quiet < kLeastGap && first > 0 && !open)
            return;
        if (open)
            runs.back().open = true;
        m_out.insert(m_out.end(), runs.begin(), runs.end());
    }

    GapRun run(int since, int start, int length, GapRun::End end) const
    {
        GapRun out = m_model;
        out.since = static_cast<std::int16_t>(since > 0 ? since : -1);
        out.start = static_cast<std::uint16_t>(start);
        out.length = static_cast<std::uint16_t>(length);
        out.end = end;
        return out;
    }

    std::span<const std::uint8_t> m_buckets;
    const GapRun m_model;
    std::vector<GapRun> &m_out;
};

} // namespace

std::string gapWorkload(const model::AttributedHolder &who)
{
    std::string text = who.cluster + '/' + who.nameSpace + '/';
    if (who.ownerName.empty())
        return text.append(model::kindName(who.what)).append("/").append(who.name);
    return text.append(who.ownerKind).append("/").append(who.ownerName);
}

GapDayCollector::HolderDay &GapDayCollector::holderOf(const model::DeviceAttribution &device, std::int32_t holder)
{
    for (const auto &[known, day] : m_known) {
        if (known == holder)
            return *day;
    }
    const model::AttributedHolder &who = (*device.holders)[static_cast<std::size_t>(holder)];
    const auto [it, isNew] = m_holders.try_emplace(idleKeyOf(who));
    GapGroup group{who.kind, who.team, gapWorkload(who)};
    // If a rule assigns it to another team during the day, the order of the devices must not matter.
    if (isNew || it->second.group < group)
        it->second.group = std::move(group);
    m_known.emplace_back(holder, &it->second);
    return it->second;
}

void GapDayCollector::add(const model::DeviceAttribution &device)
{
    m_known.clear();
    for (const UsagePart &part : device.parts) {
        if (!isHeld(part) || device.day.start() + (part.bucket + 1) * base::kBucket > m_end)
            continue;
        std::uint8_t &bits = holderOf(device, part.holder).buckets[part.bucket];
        if (part.state == GpuState::Active)
            bits |= kWorked;
        else if (part.state == GpuState::Idle)
            bits |= kSeenIdle;
        else if (part.state == GpuState::UnobservedHeld)
            bits |= isLong(device, part) ? kNotSeen : kSeenIdle;
    }
}

GapDay GapDayCollector::take() const
{
    GapDay day;
    std::map<GapGroup, std::uint32_t> known;
    std::vector<const GapGroup *> groups; // of the runs, one each
    for (const auto &[who, holder] : m_holders) {
        GapRun model;
        model.holder = who.holder;
        model.subject = who.subject;
        const std::size_t before = day.runs.size();
        GapSplit(holder.buckets, model, day.runs).split();
        if (day.runs.size() > before)
            known.try_emplace(holder.group);
        groups.resize(day.runs.size(), &holder.group);
    }
    for (auto &[group, index] : known) {
        index = static_cast<std::uint32_t>(day.groups.size());
        day.groups.push_back(group);
    }
    for (std::size_t i = 0; i < day.runs.size(); ++i)
        day.runs[i].group = known.at(*groups[i]);
    return day;
}

} // namespace gpuledger::store
