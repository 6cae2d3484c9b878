// SPDX-License-Identifier: GPL-3.0-or-later
// A cache of its own for tests of what a cloud tells of machines, alone and beside telemetry of the same machines.
#pragma once

#include "app/ingest/inventorysync.h"
#include "app/ledger/commit/verifyledger.h"
#include "app/ledger/fleet/fleetindex.h"
#include "app/ledger/ledger.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace machinebench {

using namespace gpuledger;
using base::Seconds;
using ports::ListedMachine;

inline const base::UtcTime kNoon = *base::parseTime("2026-07-10T12:00:00Z");
inline constexpr Seconds kHour{3600};
inline constexpr Seconds kBack = 90 * base::kDay;

inline ListedMachine machineOf(const std::string &id, base::UtcTime since, std::int64_t gpus = 2)
{
    ListedMachine machine;
    machine.id = id;
    machine.hostName = "ip-" + id.substr(2) + ".internal";
    machine.providerId = "aws:///eu-central-1a/" + id;
    machine.type = "p5.48xlarge";
    machine.region = "eu-central-1";
    machine.zone = "eu-central-1a";
    machine.tags = {{"team", "vision"}, {"Cost Center", "7"}};
    machine.gpuName = "H100 SXM";
    machine.gpus = gpus;
    machine.since = since;
    return machine;
}

class FakeInventory final : public ports::InventorySource {
public:
    base::Result<ports::Inventory> answer;

    explicit FakeInventory(std::string name = "cloud")
        : m_name(std::move(name))
    {
    }
    const std::string &name() const override { return m_name; }
    std::string cloud() const override { return "aws"; }
    base::Result<ports::Inventory> read(const std::map<std::string, ports::KnownMachine> &, std::stop_token) override
    {
        return answer;
    }
    base::Result<std::vector<ports::Finding>> probe(std::stop_token) override { return std::vector<ports::Finding>(); }

private:
    std::string m_name;
};

// A cache of its own.
struct Bench {
    QTemporaryDir folder;
    std::unique_ptr<ledger::Ledger> ledger;
    std::unique_ptr<store::LedgerStore> cache;

    Bench()
    {
        ledger = std::move(*ledger::Ledger::create(model::Settings{}));
        cache = std::move(*store::LedgerStore::open(folder.path().toStdString()));
    }
    ingest::InventoryOutcome sync(base::UtcTime now, std::vector<ListedMachine> machines,
                                  const std::string &name = "cloud")
    {
        FakeInventory source(name);
        source.answer = ports::Inventory{std::move(machines), {}};
        return run(source, now);
    }
    ingest::InventoryOutcome run(FakeInventory &source, base::UtcTime now)
    {
        ledger::LedgerWriter writer(*cache, ledger->rollup());
        return ingest::storeInventories({read(source, now)}, writer).front();
    }
    ingest::ReadInventory read(FakeInventory &source, base::UtcTime now)
    {
        return ingest::readInventory(source, source.name(), *cache, {}, {now, now, kBack}, {});
    }
    void commit(const ports::FactBatch &batch)
    {
        ledger::LedgerWriter writer(*cache, ledger->rollup());
        const auto done = writer.commit("prod", batch);
        QVERIFY2(done, done ? "" : done.error().text.c_str());
    }
    // GPU hours by "holder/state" of the last 60 days. What is stored must equal them.
    std::map<std::string, double> hours()
    {
        std::map<std::string, double> out;
        auto facts = std::move(*cache->facts());
        const auto reader = ledger->attribution(*facts);
        const auto walked = reader->walk(base::dayOf(kNoon - 60 * base::kDay), base::dayOf(kNoon + base::kDay), {},
                                         [&](const model::DeviceAttribution &d) -> base::Result<void> {
                                             for (const model::UsagePart &part : d.parts)
                                                 out[keyOf(d, part)] += static_cast<double>(part.ticks)
                                                     / base::GpuTime::kTicksPerSecond / 3600;
                                             return {};
                                         });
        const auto problems = ledger::verify(*cache, ledger->rollup());
        if (!walked || !problems || !problems->empty())
            out["the cache is wrong"] = 1;
        for (auto &[key, value] : out)
            value = std::round(value * 1000) / 1000;
        return out;
    }
    std::set<std::string> unseen(base::UtcTime at, const std::string &source = "cloud")
    {
        auto facts = std::move(*cache->facts());
        const base::TimeRange range{at - base::kBucket, at};
        return ledger::FleetIndex::load(*facts, range)->unseenMachines(source, range);
    }

private:
    static std::string keyOf(const model::DeviceAttribution &d, const model::UsagePart &part)
    {
        std::string key = part.holder == model::kNobody ? d.nodeOwner + ":-"
                                                        : (*d.holders)[static_cast<std::size_t>(part.holder)].team + ':'
                + (*d.holders)[static_cast<std::size_t>(part.holder)].name;
        return key + '@' + (d.node ? d.node->name : "?") + '/' + std::string(toString(part.state));
    }
};

// A cluster's records of a node in [from, to), and readings of its GPUs.
inline ports::FactBatch telemetryOf(const std::string &node, const std::string &providerId, base::UtcTime from,
                                    base::UtcTime to, int gpus, const std::string &heldBy = {})
{
    ports::FactBatch batch;
    batch.covered = {from, to};
    model::Node &record = batch.nodes.emplace_back();
    record.cluster = "prod";
    record.name = node;
    record.providerId = providerId;
    record.gpuCapacity = gpus;
    batch.nodeSpans.push_back({0, batch.covered});
    if (!heldBy.empty()) {
        model::Subject &holder = batch.subjects.emplace_back();
        holder.cluster = "prod";
        holder.kind = model::SubjectKind::Machine;
        holder.name = heldBy;
    }
    for (int i = 0; i < gpus; ++i) {
        model::Device &device = batch.devices.emplace_back();
        device.cluster = "prod";
        device.uuid = "GPU-" + node + std::to_string(i);
        device.model = "NVIDIA H100 80GB HBM3";
        device.index = i;
        ports::FactBatch::Series &series = batch.series.emplace_back();
        series.device = static_cast<std::uint32_t>(i);
        series.node = 0;
        series.subject = heldBy.empty() ? ports::FactBatch::kNone : 0;
        for (base::UtcTime t = from; t < to; t += base::kBucket) {
            series.bucketNumbers.push_back(base::toUnix(t) / base::kBucket.count());
            model::UsageBucket &bucket = series.buckets.emplace_back();
            bucket.observed = 300;
            bucket.activity = model::toShare(0.5);
            bucket.signal = model::ActivitySignal::GpuUtilization;
        }
    }
    return batch;
}

using Hours = std::map<std::string, double>;

} // namespace machinebench
