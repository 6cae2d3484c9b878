// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ingest/batchcheck.h"

#include "app/base/text/text.h"

#include <algorithm>
#include <string_view>

namespace gpuledger::ingest {

using base::Result;
using ports::FactBatch;

namespace {

constexpr std::size_t kMaxNameBytes = 4096;
constexpr base::Seconds kMaxFuture{300};
constexpr std::uint32_t kGone = FactBatch::kNone;

bool soundName(std::string_view name)
{
    return !name.empty() && name.size() <= kMaxNameBytes && base::isUtf8(name);
}

bool soundText(std::string_view text)
{
    return text.size() <= kMaxNameBytes && base::isUtf8(text);
}

class Checker {
public:
    Checker(FactBatch &batch, base::UtcTime now)
        : m_batch(batch)
        , m_latest(now + kMaxFuture)
    {
    }

    Result<void> run()
    {
        const auto aligned = [](base::UtcTime t) { return base::floorTo(t, base::kBucket) == t; };
        if (m_batch.covered.empty() || !aligned(m_batch.covered.start) || !aligned(m_batch.covered.end))
            return base::fail(base::ErrorCode::Parse, "the range of a batch is not made of whole buckets");
        const auto nodes = sift(m_batch.nodes, "node without a usable name",
                                [](const model::Node &n) { return soundName(n.name) && soundText(n.cluster); });
        const auto devices = sift(m_batch.devices, "device without a usable identifier", [](const model::Device &d) {
            return soundName(d.uuid) && soundText(d.cluster) && soundText(d.model);
        });
        const auto subjects = sift(m_batch.subjects, "holder label without a usable name", [](const model::Subject &s) {
            return soundName(s.name) && soundText(s.nameSpace) && soundText(s.uid);
        });
        const auto holders = sift(m_batch.holders, "pod without a usable name", [](const model::Holder &h) {
            return soundName(h.name) && soundText(h.nameSpace) && soundText(h.uid);
        });
        sift(m_batch.waits, "waiting pod without a usable name", [](const model::PastWait &w) {
            return soundName(w.name) && soundText(w.nameSpace) && soundText(w.uid) && soundText(w.cluster)
                && soundName(w.resource) && soundText(w.node);
        });
        std::erase_if(m_batch.waitingKnown,
                      [](const FactBatch::WaitingKnown &known) { return !soundText(known.cluster); });
        GPULEDGER_TRY(
            relink(m_batch.nodeSpans, nodes, [](FactBatch::NodeSpan &s) -> std::uint32_t & { return s.node; }));
        GPULEDGER_TRY(
            relink(m_batch.holderSpans, holders, [](FactBatch::HolderSpan &s) -> std::uint32_t & { return s.holder; }));
        GPULEDGER_TRY(
            relink(m_batch.series, devices, [](FactBatch::Series &s) -> std::uint32_t & { return s.device; }));
        for (FactBatch::Series &series : m_batch.series) {
            GPULEDGER_TRY(follow(series.subject, subjects));
            GPULEDGER_TRY(follow(series.node, nodes));
            GPULEDGER_TRY(checkBuckets(series));
        }
        std::erase_if(m_batch.series, [](const FactBatch::Series &s) { return s.buckets.empty(); });
        return {};
    }

private:
    void reject(std::string_view reason, std::uint64_t count)
    {
        if (count > 0)
            m_batch.rejected.push_back({std::string(reason), count});
    }

    // Removes unsound records; returns where each one went, or kGone.
    template <typename T, typename Sound>
    std::vector<std::uint32_t> sift(std::vector<T> &records, std::string_view reason, Sound &&sound)
    {
        std::vector<std::uint32_t> moved(records.size(), kGone);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < records.size(); ++i) {
            if (!sound(records[i]))
                continue;
            moved[i] = static_cast<std::uint32_t>(kept);
            if (kept != i)
                records[kept] = std::move(records[i]);
            ++kept;
        }
        reject(reason, records.size() - kept);
        records.resize(kept);
        return moved;
    }

    static Result<void> follow(std::uint32_t &reference, const std::vector<std::uint32_t> &moved)
    {
        if (reference == FactBatch::kNone)
            return {};
        if (reference >= moved.size())
            return base::fail(base::ErrorCode::Internal, "a batch refers to a record that is not in it");
        reference = moved[reference];
        return {};
    }

    template <typename T, typename Ref>
    static Result<void> relink(std::vector<T> &records, const std::vector<std::uint32_t> &moved, Ref &&ref)
    {
        for (T &record : records)
            GPULEDGER_TRY(follow(ref(record), moved));
        std::erase_if(records, [&](T &record) { return ref(record) == kGone; });
        return {};
    }

    bool sound(const model::UsageBucket &b) const
    {
        const auto share = [](std::uint16_t v) { return v <= model::kShareScale || v == model::kNoShare; };
        const bool reading = b.observed == 0 || b.activity != model::kNoShare;
        return b.observed <= base::kBucket.count() && share(b.activity) && share(b.smActive) && share(b.tensorActive)
            && reading;
    }

    Result<void> checkBuckets(FactBatch::Series &series)
    {
        if (series.bucketNumbers.size() != series.buckets.size())
            return base::fail(base::ErrorCode::Internal, "a series has more buckets than times");
        const std::int64_t first = base::toUnix(m_batch.covered.start) / base::kBucket.count();
        const std::int64_t end = base::toUnix(m_batch.covered.end) / base::kBucket.count();
        const std::int64_t latest = base::toUnix(m_latest) / base::kBucket.count();
        std::uint64_t outside = 0, unordered = 0, impossible = 0;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < series.buckets.size(); ++i) {
            const std::int64_t number = series.bucketNumbers[i];
            if (number < first || number >= end || number > latest)
                ++outside;
            else if (kept > 0 && number <= series.bucketNumbers[kept - 1])
                ++unordered;
            else if (!sound(series.buckets[i]))
                ++impossible;
            else {
                series.bucketNumbers[kept] = number;
                series.buckets[kept++] = series.buckets[i];
            }
        }
        series.bucketNumbers.resize(kept);
        series.buckets.resize(kept);
        reject("bucket outside of the requested time range", outside);
        reject("bucket out of order or duplicated", unordered);
        reject("bucket with an impossible value", impossible);
        return {};
    }

    FactBatch &m_batch;
    base::UtcTime m_latest;
};

} // namespace

Result<void> rejectUnsound(FactBatch &batch, base::UtcTime now)
{
    return Checker(batch, now).run();
}

} // namespace gpuledger::ingest
