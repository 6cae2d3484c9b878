// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/commit/verifyledger.h"
#include "app/store/ledgerstore.h"
#include "tests/support/fleets/randomhistory.h"
#include "tests/support/fleets/storefixture.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// A cache with the ledger of a node, and what an allocator says about it.
namespace gpuledger::tests {

using model::AllocatedNode;
using model::AllocationFinding;
using model::AllocationReason;
using model::LedgerOrigin;

inline constexpr std::int64_t kUnit = 1'000'000'000;
inline constexpr std::int64_t kDayTicks = 86400LL * base::GpuTime::kTicksPerSecond;
inline constexpr std::int64_t kPrice = 600 * kUnit; // per day, of the node below
inline constexpr std::int64_t kPriced = 4 * 24 * 3600 * 1'000'000LL; // per day, of its 4 devices by pricedSettings()

// A node with 4 devices: a pod holds two of them all day, the others are free.
inline Scenario oneNode()
{
    Scenario fleet;
    const auto node = fleet.node("n1");
    fleet.batch.nodes[node].cloud = "aws";
    fleet.batch.nodes[node].instanceType = "g5.12xlarge";
    fleet.batch.nodes[node].providerId = "aws:///us-east-1a/i-n1";
    const auto pod = fleet.pod("train", "uid-1", "n1", 2);
    fleet.runs(pod, 0, 86400);
    const auto label = fleet.label("train", "uid-1");
    for (int i = 0; i < 4; ++i) {
        const auto device = fleet.device("GPU-" + std::to_string(i), i);
        fleet.reports(device, i < 2 ? label : Scenario::kNone, node, 0, 86400, i < 2 ? 90 : 0);
    }
    return fleet;
}

inline AllocatedNode told(const std::string &name = "n1")
{
    AllocatedNode node;
    node.cluster = "cluster-one";
    node.name = name;
    node.providerId = "i-" + name;
    node.provider = "AWS";
    node.instanceType = "g5.12xlarge";
    node.seconds = 86400;
    node.gpuMillis = 4000;
    node.gpuSeconds = 4 * 86400;
    node.cpuCost = 100 * kUnit;
    node.ramCost = 20 * kUnit;
    node.gpuCost = 480 * kUnit;
    node.adjustment = 0;
    node.total = kPrice;
    node.pods = {1, 2 * 86400, 240 * kUnit};
    return node;
}

inline model::AllocationDay dayOf(const Scenario &fleet, std::vector<AllocatedNode> nodes,
                                  std::vector<model::AllocatedIdle> idle = {}, const char *currency = "USD")
{
    return {fleet.day(),
            model::AllocationProduct::Kubecost,
            base::Currency::parse(currency).value(),
            true,
            std::move(nodes),
            std::move(idle)};
}

struct Line {
    base::Day day;
    model::LedgerKey key;
    model::LedgerAmounts amounts;
    bool operator==(const Line &) const = default;
};

// A cache with its ledger.
struct Cache {
    explicit Cache(const model::Settings &settings = pricedSettings())
        : ledger(ledger::Ledger::create(settings).value())
        , store(store::LedgerStore::open(dir.path().toStdString()).value())
    {
    }
    ledger::LedgerWriter writer() { return {*store, ledger->rollup()}; }
    void facts(const Scenario &fleet) { must(writer().commit("prod", fleet.batch)); }
    bool put(const model::AllocationDay &day, const std::string &source = "kubecost")
    {
        return writer().putAllocations(source, day, day.day.end() + base::Seconds{3600}, false).value();
    }
    void bill(const Scenario &fleet, std::int64_t nanos)
    {
        model::BillLine line;
        line.billingAccountId = "acc";
        line.billingPeriod = line.chargePeriod = {fleet.day().start(), fleet.day().end()};
        line.billed = line.effective = base::Money(nanos, base::Currency::usd());
        line.product.provider = "AWS";
        line.product.serviceCategory = "Compute";
        line.resource.id = "i-n1";
        line.consumedQuantity = {base::Decimal::parse("24").value(), "Hours"};
        auto transaction = store->beginBills("bill", {{"/b", std::string(64, 'a'), 1}}, base::fromUnix(1)).value();
        must(transaction->accept({line.key("bill"), {line}}));
        QVERIFY(writer().commit(*transaction));
    }
    std::vector<Line> lines() const
    {
        std::vector<Line> all;
        const auto cube = store->cube().value();
        must(cube->ledger({-1'000'000}, {1'000'000},
                          [&](base::Day day, const model::LedgerKey &key, const model::LedgerAmounts &amounts) {
                              all.push_back({day, key, amounts});
                              return base::Result<void>();
                          }));
        std::sort(all.begin(), all.end(),
                  [](const Line &a, const Line &b) { return a.day != b.day ? a.day < b.day : a.key < b.key; });
        return all;
    }
    store::AllocationFindings findings() const
    {
        store::AllocationFindings all;
        must(store->allocationFindings({0}, {1'000'000}, [&](base::Day, const AllocationFinding &one) {
            all.push_back(one);
            return base::Result<void>();
        }));
        return all;
    }
    const AllocationFinding *found(AllocationReason reason)
    {
        kept = findings();
        const auto it = std::find_if(kept.begin(), kept.end(), [&](const auto &one) { return one.reason == reason; });
        return it == kept.end() ? nullptr : &*it;
    }
    model::LedgerAmounts sum(LedgerOrigin origin, const std::string &state = {}) const
    {
        model::LedgerAmounts out;
        for (const Line &line : lines()) {
            if (line.key.origin != origin || (!state.empty() && line.key.state != state))
                continue;
            out.allocated += line.amounts.allocated;
            out.billed += line.amounts.billed;
            out.effective += line.amounts.effective;
            out.priced += line.amounts.priced;
            out.ticks += line.amounts.ticks;
        }
        return out;
    }
    bool isWhole() const
    {
        const auto problems = ledger::verify(*store, ledger->rollup());
        if (!problems || !problems->empty())
            qWarning("%s", problems ? problems->front().what.c_str() : problems.error().text.c_str());
        return problems && problems->empty();
    }
    static void must(const base::Result<void> &done)
    {
        if (!done)
            qFatal("%s", done.error().text.c_str());
    }

    QTemporaryDir dir;
    std::unique_ptr<ledger::Ledger> ledger;
    std::unique_ptr<store::LedgerStore> store;
    store::AllocationFindings kept;
};

// One node, one day of the allocator.
struct OneDay : Cache {
    explicit OneDay(const AllocatedNode &node, std::vector<model::AllocatedIdle> idle = {},
                    const Scenario &fleet = oneNode())
    {
        facts(fleet);
        put(dayOf(fleet, {node}, std::move(idle)));
        if (!isWhole())
            qFatal("the cache is inconsistent");
    }
};

} // namespace gpuledger::tests
