// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store/codecs/gapcodec.h"

#include "app/store/codecs/bytes.h"
#include "app/store/sqlite/checksum.h"

#include <algorithm>

namespace gpuledger::store::gapcodec {

namespace {

constexpr char kGapDayVersion = 1;
// 2: work counts in the class of the age at which it began; 3: classes of a bucket
constexpr char kGapPastVersion = 3, kFirstGapPastVersion = 1;
constexpr std::size_t kGapChecksumSize = 4;
constexpr std::uint64_t kMostKinds = 6, kMostEnds = 4;

void putNumber(std::string &out, std::int64_t v)
{
    putVarint(out, zigzag(v));
}

void putGroup(std::string &out, const GapGroup &group)
{
    putVarint(out, static_cast<std::uint64_t>(group.kind));
    for (const std::string *text : {&group.team, &group.workload}) {
        putVarint(out, text->size());
        out += *text;
    }
}

std::string finished(std::string out, base::Day day)
{
    putU32(out, checksum(out, day.number));
    return out;
}

// The bytes between version and checksum; empty if the blob is damaged.
std::string_view bodyOf(base::Day day, std::string_view blob, char version)
{
    if (blob.size() <= kGapChecksumSize + 1 || blob.front() != version)
        return {};
    const std::size_t size = blob.size() - kGapChecksumSize;
    if (checksum(blob.substr(0, size), day.number) != ByteReader(blob.substr(size)).u32())
        return {};
    return blob.substr(1, size - 1);
}

bool readGroup(ByteReader &in, GapGroup &group)
{
    const std::uint64_t kind = in.varint();
    group.kind = static_cast<model::WorkloadKind>(kind);
    for (std::string *text : {&group.team, &group.workload})
        *text = in.bytes(in.varint());
    return in.ok() && kind < kMostKinds;
}

// An entry takes at least one byte, so that a damaged length cannot cause a huge allocation.
std::size_t lengthOf(ByteReader &in)
{
    const std::uint64_t n = in.varint();
    return n <= in.left() ? static_cast<std::size_t>(n) : 0;
}

bool readRun(ByteReader &in, const GapRun &before, std::size_t groups, GapRun &run)
{
    run.holder = before.holder + unzigzag(in.varint());
    run.subject = before.subject + unzigzag(in.varint());
    const std::uint64_t group = in.varint();
    run.since = static_cast<std::int16_t>(unzigzag(in.varint()));
    run.start = static_cast<std::uint16_t>(in.varint());
    run.length = static_cast<std::uint16_t>(in.varint());
    const std::uint64_t how = in.varint();
    run.group = static_cast<std::uint32_t>(group);
    run.end = static_cast<GapRun::End>(how / 2);
    run.open = how % 2 == 1;
    return in.ok() && group < groups && how / 2 < kMostEnds && run.start + run.length <= base::kBucketsPerDay;
}

void putCount(std::string &out, const GapCount &count)
{
    const auto isUsed = [&](std::size_t i) { return count.exposure[i] || count.work[i] || count.over[i]; };
    std::uint64_t used = 0;
    for (std::size_t i = 0; i < kGapAges.size(); ++i)
        used += isUsed(i) ? 1 : 0;
    putVarint(out, used);
    for (std::size_t i = 0; i < kGapAges.size(); ++i) {
        if (!isUsed(i))
            continue;
        putVarint(out, i);
        for (const std::int64_t v : {count.exposure[i], count.work[i], count.over[i]})
            putNumber(out, v);
    }
}

bool readCount(ByteReader &in, GapCount &count)
{
    for (std::size_t left = lengthOf(in); left > 0; --left) {
        const std::uint64_t i = in.varint();
        if (i >= kGapAges.size())
            return false;
        for (auto *numbers : {&count.exposure, &count.work, &count.over})
            (*numbers)[i] = unzigzag(in.varint());
    }
    return in.ok();
}

} // namespace

std::string encode(base::Day day, const GapDay &gaps)
{
    std::string out{kGapDayVersion};
    putVarint(out, gaps.groups.size());
    for (const GapGroup &group : gaps.groups)
        putGroup(out, group);
    putVarint(out, gaps.runs.size());
    GapRun before;
    for (const GapRun &run : gaps.runs) {
        putNumber(out, run.holder - before.holder);
        putNumber(out, run.subject - before.subject);
        putVarint(out, run.group);
        putNumber(out, run.since);
        putVarint(out, run.start);
        putVarint(out, run.length);
        putVarint(out, static_cast<std::uint64_t>(run.end) * 2 + (run.open ? 1 : 0));
        before = run;
    }
    return finished(std::move(out), day);
}

bool decode(base::Day day, std::string_view blob, GapDay &gaps)
{
    gaps = {};
    const std::string_view body = bodyOf(day, blob, kGapDayVersion);
    ByteReader in(body);
    gaps.groups.resize(lengthOf(in));
    const bool groupsFit =
        std::all_of(gaps.groups.begin(), gaps.groups.end(), [&](GapGroup &group) { return readGroup(in, group); });
    if (!groupsFit)
        return false;
    gaps.runs.resize(lengthOf(in));
    GapRun before;
    for (GapRun &run : gaps.runs) {
        if (!readRun(in, before, gaps.groups.size(), run))
            return false;
        before = run;
    }
    return !body.empty() && in.ok() && in.left() == 0;
}

std::string encode(base::Day day, const GapPast &past)
{
    std::string out{kGapPastVersion};
    putVarint(out, past.groups.size());
    for (const auto &[group, count] : past.groups) {
        putGroup(out, group);
        putCount(out, count);
    }
    return finished(std::move(out), day);
}

bool isOutdatedPast(std::string_view blob)
{
    return !blob.empty() && blob.front() >= kFirstGapPastVersion && blob.front() < kGapPastVersion;
}

bool decode(base::Day day, std::string_view blob, GapPast &past)
{
    past = {};
    const std::string_view body = bodyOf(day, blob, kGapPastVersion);
    ByteReader in(body);
    for (std::size_t left = lengthOf(in); left > 0; --left) {
        GapGroup group;
        GapCount count;
        if (!readGroup(in, group) || !readCount(in, count))
            return false;
        past.groups.emplace_hint(past.groups.end(), std::move(group), count);
    }
    return !body.empty() && in.ok() && in.left() == 0;
}

} // namespace gpuledger::store::gapcodec
