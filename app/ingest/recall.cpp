// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ingest/recall.h"

#include "app/base/remedy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>
#include <tuple>

namespace gpuledger::ingest {

namespace {

using ports::FactBatch;

constexpr std::string_view kVersion = "GLR1";
constexpr int kMostSeries = 15; // per slice and bucket; further ones are not counted
// A bucket at the edge of a scrape may differ.
constexpr int kToleratedOfDevices = 1;
// Times of pods and nodes are bridged over gaps of up to an hour, and the bridges end elsewhere if the chunks do.
constexpr int kToleratedOfRecords = 12;
constexpr int kHour = 12; // buckets

// FNV-1a; a part ends with a byte that occurs in no text.
std::uint64_t hashOf(std::initializer_list<std::string_view> parts)
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    const auto add = [&hash](unsigned char byte) {
        hash ^= byte;
        hash *= 0x100000001b3u;
    };
    for (const std::string_view part : parts) {
        for (const char c : part)
            add(static_cast<unsigned char>(c));
        add(0xFF);
    }
    return hash;
}

void put(std::string &out, std::uint64_t value)
{
    for (int shift = 0; shift < 64; shift += 8)
        out.push_back(static_cast<char>(value >> shift & 0xFF));
}

std::uint64_t take(std::string_view &in)
{
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i)
        value |= std::uint64_t{static_cast<unsigned char>(in[static_cast<std::size_t>(i)])} << (8 * i);
    in.remove_prefix(8);
    return value;
}

std::int64_t bucketOf(base::UtcTime time)
{
    return base::toUnix(base::floorTo(time, base::kBucket)) / base::kBucket.count();
}

base::UtcTime startOf(std::int64_t bucket)
{
    return base::fromUnix(bucket * base::kBucket.count());
}

} // namespace

Recall Recall::fromText(std::string_view text)
{
    constexpr std::size_t kRow = 25;
    Recall out;
    if (!text.starts_with(kVersion) || text.size() < kVersion.size() + 8
        || (text.size() - kVersion.size() - 8) % kRow != 0)
        return out;
    text.remove_prefix(kVersion.size());
    out.m_end = static_cast<std::int64_t>(ingest::take(text));
    while (!text.empty()) {
        const auto kind = std::min(static_cast<unsigned char>(text[0]), static_cast<unsigned char>(Kind::Scheduler));
        text.remove_prefix(1);
        const std::uint64_t key = ingest::take(text);
        const std::uint64_t device = ingest::take(text);
        out.m_voices[key] = {static_cast<Kind>(kind), device, ingest::take(text)};
    }
    return out;
}

std::string Recall::toText() const
{
    std::string out(kVersion);
    put(out, static_cast<std::uint64_t>(m_end));
    for (const auto &[key, voice] : m_voices) {
        out.push_back(static_cast<char>(voice.kind));
        put(out, key);
        put(out, voice.device);
        put(out, voice.spoke);
    }
    return out;
}

std::uint64_t Recall::maskOf(std::int64_t first, std::int64_t last, std::int64_t end)
{
    const auto below = [](std::int64_t bits) {
        return bits <= 0 ? std::uint64_t{0} : bits >= kBuckets ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    };
    return below(end - first) & ~below(end - last);
}

void Recall::addSeries(const FactBatch &batch, std::int64_t end, Voices &out)
{
    using Slice = std::pair<std::uint32_t, std::string_view>; // device and MIG instance
    std::map<Slice, std::array<std::uint8_t, kBuckets>> counts;
    for (const FactBatch::Series &series : batch.series) {
        auto &count = counts[{series.device, series.gpuInstance}];
        for (std::size_t i = 0; i < series.buckets.size(); ++i) {
            const std::int64_t back = end - 1 - series.bucketNumbers[i];
            if (back >= 0 && back < kBuckets && series.buckets[i].observed > 0)
                ++count[static_cast<std::size_t>(back)];
        }
    }
    for (const auto &[slice, count] : counts) {
        const model::Device &device = batch.devices[slice.first];
        const std::uint64_t id = hashOf({"device", device.cluster, device.uuid});
        for (int n = 0; n < kMostSeries; ++n) {
            Voice voice{n == 0 ? Kind::Device : Kind::FurtherSeries, id, 0};
            for (std::size_t back = 0; back < count.size(); ++back)
                voice.spoke |= std::uint64_t{count[back] > n} << back;
            if (voice.spoke == 0)
                break;
            out[hashOf({"series", device.cluster, device.uuid, slice.second, std::to_string(n)})] = voice;
        }
    }
}

void Recall::addRecords(const FactBatch &batch, std::int64_t end, Voices &out)
{
    const auto add = [&](std::initializer_list<std::string_view> name, const base::TimeRange &span) {
        const std::int64_t first = bucketOf(base::ceilTo(span.start, base::kBucket));
        const std::uint64_t mask = maskOf(first, std::max(first, bucketOf(span.end)), end);
        if (mask != 0)
            out[hashOf(name)].spoke |= mask;
    };
    for (const FactBatch::NodeSpan &span : batch.nodeSpans) {
        const model::Node &node = batch.nodes[span.node];
        add({"node", node.cluster, node.name}, span.range);
        if (!node.labels.empty())
            add({"node labels", node.cluster, node.name}, span.range);
    }
    for (const FactBatch::HolderSpan &span : batch.holderSpans) {
        const model::Holder &pod = batch.holders[span.holder];
        add({"pod", pod.cluster, pod.nameSpace, pod.name, pod.uid}, span.range);
        if (!pod.labels.empty())
            add({"pod labels", pod.cluster, pod.nameSpace, pod.name, pod.uid}, span.range);
    }
}

Recall::Voices Recall::voicesOf(const FactBatch &batch, std::int64_t end)
{
    Voices out;
    addSeries(batch, end, out);
    addRecords(batch, end, out);
    return out;
}

bool Recall::lacks(const FactBatch &batch, Lack &lack) const
{
    const base::UtcTime first = std::max(batch.covered.start, base::ceilTo(batch.keptFrom, base::kBucket));
    const std::uint64_t asked = maskOf(bucketOf(first), bucketOf(batch.covered.end), m_end);
    if (first >= batch.covered.end || asked == 0 || m_voices.empty())
        return false;
    const Voices said = voicesOf(batch, m_end);
    bool any = false;
    for (const auto &[key, voice] : m_voices) {
        const auto now = said.find(key);
        const std::uint64_t missing = voice.spoke & asked & ~(now == said.end() ? 0 : now->second.spoke);
        const bool ofDevice = voice.kind != Kind::Scheduler;
        const int tolerated = std::min(ofDevice ? kToleratedOfDevices : kToleratedOfRecords, std::popcount(asked) - 1);
        if (std::popcount(missing) <= tolerated)
            continue;
        any = true;
        lack.m_series.insert(key);
        if (ofDevice)
            lack.m_devices.insert(voice.device);
        if (voice.kind == Kind::Device)
            lack.m_buckets += std::popcount(missing);
        const std::int64_t from = m_end - std::bit_width(missing);
        lack.m_first = lack.m_last < 0 ? from : std::min(lack.m_first, from);
        lack.m_last = std::max(lack.m_last, m_end - std::countr_zero(missing));
    }
    return any;
}

Gone Recall::Lack::gone() const
{
    Gone out;
    out.series = m_series.size();
    out.devices = m_devices.size();
    out.time = m_buckets * base::kBucket;
    if (!out.empty())
        out.range = {startOf(m_first), startOf(m_last)};
    return out;
}

bool Recall::fallsSilent(const FactBatch &batch) const
{
    std::map<std::uint64_t, std::int64_t> newest; // newest bucket of each device
    for (const FactBatch::Series &series : batch.series) {
        if (series.bucketNumbers.empty())
            continue;
        const model::Device &device = batch.devices[series.device];
        auto &last = newest[hashOf({"device", device.cluster, device.uuid})];
        last = std::max(last, series.bucketNumbers.back());
    }
    std::map<std::uint64_t, std::int64_t> spoke;
    for (const auto &[key, voice] : m_voices) {
        if (voice.kind == Kind::Device) {
            auto &last = spoke[voice.device];
            last = std::max(last, m_end - 1 - std::countr_zero(voice.spoke));
        }
    }
    const std::int64_t first = bucketOf(batch.covered.start), end = bucketOf(batch.covered.end);
    return std::any_of(spoke.begin(), spoke.end(), [&](const auto &device) {
        const std::int64_t next = device.second + 1;
        const bool lately = m_end - next < kHour;
        const auto now = newest.find(device.first);
        return lately && first <= next && end - next > kToleratedOfDevices
            && (now == newest.end() || now->second < next);
    });
}

void Recall::take(const FactBatch &batch)
{
    const std::int64_t newest = bucketOf(newestIn(batch));
    const std::int64_t later = std::max<std::int64_t>(0, newest - m_end);
    m_end += later;
    const std::uint64_t asked = maskOf(bucketOf(batch.covered.start), bucketOf(batch.covered.end), m_end);
    for (auto it = m_voices.begin(); it != m_voices.end();) {
        std::uint64_t &spoke = it->second.spoke;
        spoke = later >= kBuckets ? 0 : (spoke << later) & ~asked;
        it = spoke == 0 ? m_voices.erase(it) : std::next(it);
    }
    for (const auto &[key, voice] : voicesOf(batch, m_end)) {
        const auto [known, isNew] = m_voices.emplace(key, voice);
        if (!isNew)
            known->second.spoke |= voice.spoke;
    }
}

std::string textOf(const Gone &gone)
{
    std::string hours = std::to_string((gone.time.count() + 180) / 360); // tenths
    if (hours.size() < 2)
        hours.insert(0, 1, '0');
    hours.insert(hours.size() - 1, 1, '.');
    return "its answers are missing " + std::to_string(gone.series) + " series that were there before, on "
        + std::to_string(gone.devices) + " devices with " + hours + " h between " + base::toRfc3339(gone.range.start)
        + " and " + base::toRfc3339(gone.range.end);
}

base::Error errorOf(const Gone &gone)
{
    return base::Error::make(base::ErrorCode::Server, textOf(gone), base::Remedy::CheckServerOrAcceptGone);
}

base::UtcTime newestIn(const FactBatch &batch)
{
    base::UtcTime newest = batch.covered.start;
    for (const FactBatch::Series &series : batch.series) {
        if (!series.bucketNumbers.empty())
            newest = std::max(newest, startOf(series.bucketNumbers.back() + 1));
    }
    for (const FactBatch::NodeSpan &span : batch.nodeSpans)
        newest = std::max(newest, span.range.end);
    for (const FactBatch::HolderSpan &span : batch.holderSpans)
        newest = std::max(newest, span.range.end);
    return std::min(base::ceilTo(newest, base::kBucket), batch.covered.end);
}

} // namespace gpuledger::ingest
