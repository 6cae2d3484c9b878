// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/livesamples.h"

#include <algorithm>

namespace gpuledger::services {

using actions::Liveness;
using base::Result;
using ports::FactBatch;

namespace {

class MemorySink final : public ports::FactSink {
public:
    Result<void> accept(FactBatch batch) override
    {
        m_batches.push_back(std::move(batch));
        return {};
    }
    void progress(const ports::FetchProgress &) override { }
    std::vector<FactBatch> take() { return std::move(m_batches); }

private:
    std::vector<FactBatch> m_batches;
};

struct Seen {
    bool active = false, observed = false;
};

bool isOf(const FactBatch &batch, const FactBatch::Series &series, const insight::IdleItem &item)
{
    if (series.subject == FactBatch::kNone)
        return false;
    const model::Subject &subject = batch.subjects[series.subject];
    return subject.kind == item.kind && subject.name == item.name && subject.nameSpace == item.nameSpace;
}

void look(const FactBatch &batch, const insight::IdleItem &item, const std::string &device, double threshold,
          Seen &seen, base::UtcTime &newest)
{
    for (const FactBatch::Series &series : batch.series) {
        const std::string &uuid = batch.devices[series.device].uuid;
        const std::string name = series.gpuInstance.empty() ? uuid : uuid + ':' + series.gpuInstance;
        // What somebody else does on a shared device is not this holder's activity.
        const bool ofOther = series.subject != FactBatch::kNone && !isOf(batch, series, item);
        if (name != device || ofOther)
            continue;
        for (std::size_t i = 0; i < series.buckets.size(); ++i) {
            const model::UsageBucket &bucket = series.buckets[i];
            if (bucket.observed == 0 || bucket.activity == model::kNoShare)
                continue;
            seen.observed = true;
            seen.active = seen.active || model::shareToDouble(bucket.activity) >= threshold;
            const base::UtcTime start = base::fromUnix(series.bucketNumbers[i] * base::kBucket.count());
            newest = std::max(newest, start + base::Seconds{bucket.observed});
        }
    }
}

// Whatever else is held or done on the machine would end with it.
bool isElsewhereBusy(const insight::IdleItem &item, const FactBatch &batch, double threshold)
{
    const auto isBusy = [&](const FactBatch::Series &series) {
        if (series.node == FactBatch::kNone || batch.nodes[series.node].name != item.node
            || batch.nodes[series.node].cluster != item.cluster)
            return false;
        if (series.subject != FactBatch::kNone && !isOf(batch, series, item))
            return true;
        return std::any_of(series.buckets.begin(), series.buckets.end(), [&](const model::UsageBucket &bucket) {
            return bucket.observed > 0 && bucket.activity != model::kNoShare
                && model::shareToDouble(bucket.activity) >= threshold;
        });
    };
    return std::any_of(batch.series.begin(), batch.series.end(), isBusy);
}

} // namespace

Liveness::Kind livenessOf(const insight::IdleItem &item, const std::vector<FactBatch> &batches, double threshold,
                          base::UtcTime &newest)
{
    const bool isMachine = item.kind == model::SubjectKind::Machine;
    bool all = !item.devices.empty() && !(isMachine && item.node.empty());
    for (const FactBatch &batch : batches) {
        if (isMachine && isElsewhereBusy(item, batch, threshold))
            return Liveness::Kind::Active;
    }
    for (const std::string &device : item.devices) {
        Seen seen;
        for (const FactBatch &batch : batches)
            look(batch, item, device, threshold, seen, newest);
        if (seen.active)
            return Liveness::Kind::Active;
        all = all && seen.observed;
    }
    return all ? Liveness::Kind::Quiet : Liveness::Kind::Unseen;
}

Result<std::shared_ptr<const std::vector<FactBatch>>> LiveSamples::newest(const std::string &name, const Make &make,
                                                                          base::UtcTime now, std::stop_token stop)
{
    std::shared_ptr<Answer> answer;
    {
        const std::lock_guard lock(m_mutex);
        std::shared_ptr<Answer> &kept = m_answers[name];
        if (!kept)
            kept = std::make_shared<Answer>();
        answer = kept;
    }
    const std::lock_guard lock(answer->asking);
    const auto steady = std::chrono::steady_clock::now();
    if (answer->batches && steady - answer->at <= kNow)
        return answer->batches;
    const auto source = make();
    GPULEDGER_TRY(source);
    MemorySink sink;
    const base::UtcTime bucket = base::floorTo(now, base::kBucket);
    GPULEDGER_TRY((*source)->fetch({bucket - kBack, bucket + base::kBucket}, sink, std::move(stop)));
    answer->batches = std::make_shared<const std::vector<FactBatch>>(sink.take());
    answer->at = steady; // when it was asked, not when it was answered
    return answer->batches;
}

} // namespace gpuledger::services
