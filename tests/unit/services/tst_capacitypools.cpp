// SPDX-License-Identifier: GPL-3.0-or-later
// Pools of nodes hour by hour, for random fleets: time and money add up to the summary of the same range, and what is
// held agrees with the attributed parts.
#include "app/insight/overview/summary.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/savings/usualassumptions.h"
#include "app/services/savingsinputs/capacitypools.h"
#include "tests/support/fakes/collected.h"
#include "tests/support/fleets/randomcompany.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace tst_capacitypools {

using namespace gpuledger;
using namespace gpuledger::tests;

namespace {

constexpr base::Seconds kHour{3600};

base::TimeRange wholeHours(base::TimeRange range)
{
    return {base::ceilTo(range.start, kHour), base::floorTo(range.end, kHour)};
}

std::vector<savings::CapacityPool> poolsOf(Company &company, store::LedgerStore &store, base::TimeRange range)
{
    const auto facts = store.facts().value();
    const auto attribution = company.ledger->attribution(*facts);
    const auto collector = services::capacityCollector(range);
    collectAll(*collector, *attribution);
    return collector->take(*company.ledger, *facts).value();
}

// Most devices of each machine (by its name, or a lone device's) that anybody held at once, by hour.
std::map<std::pair<std::string, std::int64_t>, int> heldOf(Company &company, store::LedgerStore &store,
                                                           base::TimeRange range)
{
    std::map<std::pair<std::string, std::int64_t>, std::set<std::int64_t>> byBucket;
    const auto facts = store.facts().value();
    const auto attribution = company.ledger->attribution(*facts);
    const base::Day last = base::dayOf(range.end - base::Seconds{1});
    for (base::Day day = base::dayOf(range.start); day <= last; ++day.number) {
        const auto read =
            attribution->walk(day, day, {}, [&](const model::DeviceAttribution &device) -> base::Result<void> {
                const std::string name = device.node ? device.node->name : device.device->uuid;
                for (const model::UsagePart &part : device.parts) {
                    const base::UtcTime at = day.start() + part.bucket * base::kBucket;
                    if (range.contains(at) && part.holder != model::kNobody && part.ticks > 0)
                        byBucket[{name, (at - range.start) / base::kBucket}].insert(device.device->id.value);
                }
                return {};
            });
        if (!read)
            qFatal("no parts");
    }
    std::map<std::pair<std::string, std::int64_t>, int> out;
    for (const auto &[at, devices] : byBucket) {
        int &most = out[{at.first, at.second / (kHour / base::kBucket)}];
        most = std::max(most, static_cast<int>(devices.size()));
    }
    return out;
}

} // namespace

class TestCapacityPools : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void addUpToTheSummary()
    {
        std::int64_t unallocated = 0;
        for (std::uint64_t seed = 1; seed <= 9; ++seed) {
            Company company(seed, static_cast<Telling>(seed % 3));
            const auto store = store::LedgerStore::open(company.folder).value();
            const base::TimeRange range = wholeHours(company.range());
            if (range.empty())
                continue;
            insight::Query query;
            query.range = range;
            const auto summary = company.workspace->fleet().summary(query, insight::Dimension::Cluster).value();
            std::int64_t ticks = 0, nanos = 0;
            for (const savings::CapacityPool &pool : poolsOf(company, *store, range)) {
                ticks += pool.unallocated.ticks;
                for (const savings::CapacityNode &node : pool.nodes) {
                    for (const savings::CapacityHour hour : node.hours)
                        nanos += hour.nanos;
                }
            }
            QCOMPARE(ticks, summary.total.time.unallocated.ticks);
            QCOMPARE(nanos, summary.total.cost.total());
            unallocated += ticks;
        }
        QVERIFY(unallocated > 0);
    }

    void holdWhatTheAttributedPartsSay()
    {
        std::size_t compared = 0;
        for (std::uint64_t seed = 11; seed <= 16; ++seed) {
            Company company(seed, static_cast<Telling>(seed % 3));
            const auto store = store::LedgerStore::open(company.folder).value();
            const base::TimeRange range = wholeHours({company.fleet.at(0), company.fleet.at(2 * 86400)});
            const auto held = heldOf(company, *store, range);
            for (const savings::CapacityPool &pool : poolsOf(company, *store, range)) {
                for (std::size_t h = 0; h < pool.hours; ++h) {
                    std::int64_t known = 0;
                    for (const savings::CapacityNode &node : pool.nodes) {
                        const auto at = held.find({node.name, static_cast<std::int64_t>(h)});
                        QCOMPARE(int{node.hours[h].allocated}, at == held.end() ? 0 : at->second);
                        QVERIFY(node.hours[h].allocated <= pool.gpus);
                        known += node.hours[h].known ? node.hours[h].allocated : 0;
                        compared += node.hours[h].allocated > 0 ? 1 : 0;
                    }
                    // Shares split what is held, and lose none of it.
                    std::int64_t shared = 0;
                    for (const savings::ShareCount &share : pool.shares[h].bySize())
                        shared += std::int64_t{share.gpus} * share.count;
                    QCOMPARE(shared, known);
                }
            }
        }
        QVERIFY(compared > 100);
    }

    // Known hours with few GPUs held, and no other; its shares are what is held, and its work is in the pool.
    void namesWhatHoldsFewGpus()
    {
        std::size_t small = 0, named = 0, missed = 0;
        for (std::uint64_t seed = 21; seed <= 24; ++seed) {
            Company company(seed, static_cast<Telling>(seed % 3));
            const auto store = store::LedgerStore::open(company.folder).value();
            const base::TimeRange range = wholeHours({company.fleet.at(0), company.fleet.at(3 * 86400)});
            for (const savings::CapacityPool &pool : poolsOf(company, *store, range)) {
                std::set<std::string> names;
                for (const savings::CapacityWork &work : pool.work)
                    QVERIFY(!work.name.empty() && names.insert(work.name).second);
                for (const savings::CapacityNode &node : pool.nodes) {
                    std::map<std::size_t, const savings::SmallHold *> byHour;
                    for (const savings::SmallHold &hold : node.small) {
                        QVERIFY(!hold.work.empty() && hold.work.back() < pool.work.size());
                        for (std::size_t hour = hold.first; hour < hold.first + hold.count; ++hour)
                            QVERIFY(byHour.emplace(hour, &hold).second);
                    }
                    for (std::size_t h = 0; h < pool.hours; ++h) {
                        const savings::CapacityHour hour = node.hours[h];
                        const auto at = byHour.find(h);
                        const bool isSmall = hour.known && savings::isSmallHold(hour.allocated, pool.gpus);
                        missed += isSmall && at == byHour.end() ? 1 : 0; // before all GPUs of the node were seen
                        if (at == byHour.end())
                            continue;
                        QVERIFY(isSmall);
                        const auto &shares = at->second->shares;
                        QCOMPARE(std::accumulate(shares.begin(), shares.end(), 0), int{hour.allocated});
                        ++small;
                    }
                }
                named += pool.work.size();
            }
        }
        QVERIFY(small > 0 && named > 0 && 20 * missed < small);
    }

    void anEntryOfTheConfigurationHoldsForItsPool()
    {
        model::SavingsSettings settings;
        settings.pools = {{"gpu", "prod", {{"minimum-nodes", "3"}}},
                          {"gpu", "", {{"scale-down-delay", "5h"}, {"start-up", "1h"}}}};
        QCOMPARE(services::poolAssumptions(settings, "prod", "gpu"), &settings.pools[0]);
        QCOMPARE(services::poolAssumptions(settings, "test", "gpu"), &settings.pools[1]);
        QVERIFY(!services::poolAssumptions(settings, "prod", "cpu"));
        std::swap(settings.pools[0], settings.pools[1]); // the order says nothing
        QCOMPARE(services::poolAssumptions(settings, "prod", "gpu"), &settings.pools[1]);

        savings::Assumptions assumed;
        QVERIFY(assumed.setUsual("minimum-nodes", "1"));
        savings::CapacityPolicy policy = services::poolPolicy(assumed, nullptr);
        QVERIFY(policy.minimum == 1 && !policy.ownMinimum);
        policy = services::poolPolicy(assumed, &settings.pools[1]);
        QVERIFY(policy.minimum == 3 && policy.ownMinimum && policy.delayHours == 1 && !policy.ownDelay);
        policy = services::poolPolicy(assumed, &settings.pools[0]);
        QVERIFY(policy.minimum == 1 && policy.delayHours == 5 && policy.ownDelay && policy.ownStartUp);
        QCOMPARE(policy.startUp, base::Seconds{3600});
        QVERIFY(assumed.set("minimum-nodes", "2")); // an assumption of a question goes before all pools
        policy = services::poolPolicy(assumed, &settings.pools[1]);
        QVERIFY(policy.minimum == 2 && !policy.ownMinimum);
    }

    void stopsWhenAsked()
    {
        Company company(1, Telling::Tidy);
        const auto store = store::LedgerStore::open(company.folder).value();
        const auto facts = store->facts().value();
        const auto attribution = company.ledger->attribution(*facts);
        std::stop_source stop;
        stop.request_stop();
        const auto collector = services::capacityCollector({company.fleet.at(0), company.fleet.at(86400)});
        services::DayCollector *const only = collector.get();
        const auto pools = services::collectDays(*attribution, {&only, 1}, stop.get_token());
        QVERIFY(!pools);
        QVERIFY(pools.error().code == base::ErrorCode::Cancelled);
        QVERIFY(poolsOf(company, *store, {company.fleet.at(0), company.fleet.at(60)}).empty());
    }
};

GPULEDGER_SUITE(TestCapacityPools)

} // namespace tst_capacitypools

#include "tst_capacitypools.moc"
