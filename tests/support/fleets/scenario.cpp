// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fleets/scenario.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace gpuledger::tests {

using ports::FactBatch;

namespace {

const std::string kCluster = "prod";

[[noreturn]] void giveUp(const base::Error &error)
{
    std::fprintf(stderr, "%s\n", error.text.c_str());
    std::abort();
}

template <typename T> std::uint32_t append(std::vector<T> &list, T value)
{
    list.push_back(std::move(value));
    return static_cast<std::uint32_t>(list.size() - 1);
}

} // namespace

Scenario::Scenario(int days, std::string_view start)
    : m_start(base::parseTime(start).value())
{
    batch.covered = {m_start, m_start + days * base::kDay};
}

std::uint32_t Scenario::node(const std::string &name, const model::Labels &labels, bool recorded)
{
    model::Node n;
    n.cluster = kCluster;
    n.name = name;
    n.labels = labels;
    const std::uint32_t index = append(batch.nodes, std::move(n));
    if (recorded)
        batch.nodeSpans.push_back({index, batch.covered});
    return index;
}

std::uint32_t Scenario::device(const std::string &uuid, int index)
{
    model::Device d;
    d.cluster = kCluster;
    d.uuid = uuid;
    d.model = "NVIDIA A100-SXM4-40GB";
    d.vendor = "nvidia";
    d.index = index;
    d.memoryMib = 40960;
    return append(batch.devices, std::move(d));
}

std::uint32_t Scenario::slice(std::uint32_t deviceIndex, const std::string &instance, model::Fraction fraction)
{
    return append(batch.devices[deviceIndex].slices, model::MigSlice{instance, "profile", fraction});
}

std::uint32_t Scenario::label(const std::string &name, const std::string &uid, bool exporterLike)
{
    model::Subject s;
    s.cluster = kCluster;
    s.nameSpace = "ml";
    s.name = name;
    s.uid = uid;
    s.exporterLike = exporterLike;
    return append(batch.subjects, std::move(s));
}

std::uint32_t Scenario::pod(const std::string &name, const std::string &uid, const std::string &nodeName,
                            std::int64_t requested, const std::string &resource)
{
    model::Holder h;
    h.cluster = kCluster;
    h.nameSpace = "ml";
    h.name = name;
    h.uid = uid;
    h.node = nodeName;
    h.gpuRequests[resource] = requested;
    return append(batch.holders, std::move(h));
}

void Scenario::runs(std::uint32_t holder, std::int64_t from, std::int64_t to)
{
    batch.holderSpans.push_back({holder, {at(from), at(to)}});
    auto &startedAt = batch.holders[holder].startedAt;
    startedAt = std::min(startedAt.value_or(at(from)), at(from));
}

void Scenario::reports(std::uint32_t device, std::uint32_t subject, std::uint32_t node, std::int64_t from,
                       std::int64_t to, double percent, const std::string &instance, model::SeriesRole role)
{
    const auto same = [&](const FactBatch::Series &s) {
        return s.device == device && s.subject == subject && s.node == node && s.gpuInstance == instance
            && s.role == role;
    };
    auto series = std::find_if(batch.series.rbegin(), batch.series.rend(), same); // mostly the last one
    if (series == batch.series.rend()) {
        batch.series.push_back({device, subject, node, instance, role, {}, {}});
        series = batch.series.rbegin();
    }
    const std::int64_t length = base::kBucket.count();
    const std::int64_t origin = base::toUnix(m_start) / length;
    for (std::int64_t b = from / length; b * length < to; ++b) {
        const std::int64_t seconds = std::min(to, (b + 1) * length) - std::max(from, b * length);
        if (series->bucketNumbers.empty() || series->bucketNumbers.back() != origin + b) {
            series->bucketNumbers.push_back(origin + b);
            series->buckets.emplace_back();
        }
        model::UsageBucket &bucket = series->buckets.back();
        if (percent < 0)
            continue;
        const double before = bucket.observed > 0 ? model::shareToDouble(bucket.activity) * bucket.observed : 0;
        bucket.observed = static_cast<std::uint16_t>(bucket.observed + seconds);
        bucket.activity =
            model::toShare((before + percent / 100 * static_cast<double>(seconds)) / bucket.observed + 1e-9);
        bucket.signal = model::ActivitySignal::GpuUtilization;
    }
}

std::vector<PartRow> attributed(const Scenario &scenario, const model::Settings &settings, int first, int last)
{
    const auto ledger = ledger::Ledger::create(settings);
    if (!ledger)
        giveUp(ledger.error());
    MemoryFacts facts;
    facts.add(scenario.batch);
    std::vector<PartRow> rows;
    const auto reader = (*ledger)->attribution(facts);
    const auto walked = reader->walk(
        scenario.day(first), scenario.day(last), {}, [&](const model::DeviceAttribution &d) -> base::Result<void> {
            for (const model::UsagePart &part : d.parts) {
                PartRow row;
                row.bucket = std::int64_t{d.day.number - scenario.day().number} * base::kBucketsPerDay + part.bucket;
                row.device = d.device->uuid;
                row.node = d.node ? d.node->name : std::string();
                row.team = d.nodeOwner;
                row.part = part;
                if (part.holder != model::kNobody) {
                    const auto &who = (*d.holders)[static_cast<std::size_t>(part.holder)];
                    row.holder = who.name;
                    row.uid = who.uid;
                    row.team = who.team;
                    row.inferred = who.inferred;
                }
                rows.push_back(std::move(row));
            }
            return {};
        });
    if (!walked)
        giveUp(walked.error());
    return rows;
}

double secondsOf(const std::vector<PartRow> &rows, const std::string &holder, std::optional<model::GpuState> state)
{
    std::int64_t ticks = 0;
    for (const PartRow &row : rows) {
        if (row.holder == holder && (!state || row.part.state == *state))
            ticks += row.part.ticks;
    }
    return static_cast<double>(ticks) / base::GpuTime::kTicksPerSecond;
}

model::Settings pricedSettings()
{
    model::Settings settings;
    model::PriceOverride price;
    price.cluster = kCluster;
    price.perGpuHour = "3.6";
    settings.prices.overrides.push_back(price);
    return settings;
}

} // namespace gpuledger::tests
