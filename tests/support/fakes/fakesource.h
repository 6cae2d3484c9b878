// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ports/sourcecatalog.h"
#include "tests/support/fakes/nosecrets.h"

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gpuledger::tests {

// The facts of the fake source: a node with two devices, one of which is held by a pod of `team` that is active in even
// hours.
struct FakePlan {
    std::string name = "fake";
    std::string team = "vision";
    base::Seconds chunk{6 * 3600};
    base::UtcTime dataStart{}; // nothing is known before this
    std::function<void(ports::FactBatch &)> change; // modifies every batch at the end
    std::function<std::optional<base::Error>(base::UtcTime chunkStart)> failure;
    std::vector<base::TimeRange> *asked = nullptr;
    std::function<base::Result<ports::SeriesAnswer>(const ports::SeriesQuestion &, std::stop_token)> series;
};

// A telemetry source that reports the facts of a FakePlan.
class FakeSource final : public ports::TelemetrySource {
public:
    explicit FakeSource(FakePlan plan)
        : m_plan(std::move(plan))
    {
    }
    const std::string &name() const override { return m_plan.name; }
    base::Result<ports::ProbeReport> probe(std::stop_token) override
    {
        ports::ProbeReport report;
        report.product = "Fake 1.0";
        report.usable = true;
        using ports::FindingRemedy;
        using ports::FindingText;
        const std::string exporter = "fake exporter";
        report.findings.push_back(
            {ports::Finding::Level::Good, FindingText::Devices, {exporter, 2U, 1U}, FindingRemedy::None, {}});
        report.findings.push_back(
            {ports::Finding::Level::Missing, FindingText::NoKube, {}, FindingRemedy::StartKube, {}});
        return report;
    }
    base::Result<void> fetch(base::TimeRange range, ports::FactSink &sink, std::stop_token stop) override
    {
        if (m_plan.asked)
            m_plan.asked->push_back(range);
        for (base::UtcTime t = range.start; t < range.end; t = std::min(t + m_plan.chunk, range.end)) {
            if (stop.stop_requested())
                return base::fail(base::ErrorCode::Cancelled, "cancelled");
            if (m_plan.failure) {
                if (auto error = m_plan.failure(t))
                    return base::fail(std::move(*error));
            }
            ports::FactBatch batch = batchOf({t, std::min(t + m_plan.chunk, range.end)});
            if (m_plan.change)
                m_plan.change(batch);
            const base::UtcTime doneTo = batch.covered.end;
            GPULEDGER_TRY(sink.accept(std::move(batch)));
            sink.progress({range, doneTo, 0, 0});
        }
        return {};
    }
    base::Result<ports::SeriesAnswer> series(const ports::SeriesQuestion &question, std::stop_token stop) override
    {
        return m_plan.series ? m_plan.series(question, std::move(stop)) : TelemetrySource::series(question, stop);
    }

private:
    ports::FactBatch batchOf(base::TimeRange covered) const
    {
        ports::FactBatch batch;
        batch.covered = covered;
        batch.bytes = 1000;
        const base::TimeRange known{std::max(covered.start, m_plan.dataStart), covered.end};
        if (known.empty())
            return batch;
        model::Node node;
        node.cluster = "prod";
        node.name = "node-1";
        node.labels = {{"node_kubernetes_io_instance_type", "p4d.24xlarge"}};
        node.instanceType = "p4d.24xlarge";
        node.cloud = "aws";
        node.region = "us-east-1";
        batch.nodes.push_back(node);
        batch.nodeSpans.push_back({0, known});
        for (int i = 0; i < 2; ++i) {
            model::Device device;
            device.cluster = "prod";
            device.uuid = "GPU-" + std::to_string(i);
            device.model = "NVIDIA A100-SXM4-40GB";
            device.vendor = "nvidia";
            device.index = i;
            batch.devices.push_back(device);
        }
        model::Subject subject;
        subject.cluster = "prod";
        subject.nameSpace = "ml";
        subject.name = "train-0";
        batch.subjects.push_back(subject);
        model::Holder holder;
        holder.cluster = "prod";
        holder.nameSpace = "ml";
        holder.name = "train-0";
        holder.uid = "u-1";
        holder.node = "node-1";
        holder.labels = {{"team", m_plan.team}};
        holder.gpuRequests = {{"nvidia_com_gpu", 1}};
        batch.holders.push_back(holder);
        batch.holderSpans.push_back({0, known});
        for (std::uint32_t i = 0; i < 2; ++i) {
            ports::FactBatch::Series series;
            series.device = i;
            series.node = 0;
            series.subject = i == 0 ? 0 : ports::FactBatch::kNone;
            for (base::UtcTime t = base::ceilTo(known.start, base::kBucket); t < known.end; t += base::kBucket) {
                model::UsageBucket bucket;
                bucket.observed = 300;
                bucket.signal = model::ActivitySignal::GpuUtilization;
                const bool busy = i == 0 && base::toUnix(t) / 3600 % 2 == 0;
                bucket.activity = model::toShare(busy ? 0.5 : 0.0);
                series.bucketNumbers.push_back(base::toUnix(t) / base::kBucket.count());
                series.buckets.push_back(bucket);
            }
            batch.series.push_back(std::move(series));
        }
        return batch;
    }

    FakePlan m_plan;
};

// Tells the same budgets, or fails in the same way, each time.
class FakeBudgets final : public ports::BudgetSource {
public:
    FakeBudgets(std::string name, base::Result<ports::BudgetList> answer)
        : m_name(std::move(name))
        , m_answer(std::move(answer))
    {
    }
    const std::string &name() const override { return m_name; }
    base::Result<ports::BudgetList> read(std::stop_token) override { return m_answer; }

private:
    std::string m_name;
    base::Result<ports::BudgetList> m_answer;
};

// Finds sources by name, whatever their kind.
class FakeCatalog final : public ports::SourceCatalog {
public:
    std::vector<FakePlan> plans;
    bool takesExpressions = false;
    std::map<std::string, base::Result<ports::BudgetList>> budgets; // by source; empty: no source tells any

    ports::SourceKinds kinds() const override
    {
        using ports::Capability;
        if (!budgets.empty())
            return {{"demo", "Fake", {Capability::Telemetry, Capability::Budgets}}};
        return {{"demo", "Fake",
                 takesExpressions ? ports::Capabilities{Capability::Telemetry, Capability::Expressions}
                                  : ports::Capabilities{Capability::Telemetry}}};
    }
    base::Result<std::unique_ptr<ports::TelemetrySource>> create(const model::SourceSettings &settings,
                                                                 const std::vector<model::ExporterMappingText> &,
                                                                 ports::SecretStore &,
                                                                 const base::Clock &) const override
    {
        for (const FakePlan &plan : plans) {
            if (plan.name == settings.name)
                return std::make_unique<FakeSource>(plan);
        }
        return base::fail(base::ErrorCode::Unsupported, "no such fake");
    }
    base::Result<std::unique_ptr<ports::BudgetSource>>
    createBudgets(const model::SourceSettings &settings, ports::SecretStore &, const base::Clock &) const override
    {
        return std::make_unique<FakeBudgets>(settings.name, budgets.at(settings.name));
    }
};

} // namespace gpuledger::tests
