// SPDX-License-Identifier: GPL-3.0-or-later
// The queue of the demo fleet: a function of time, with an example of everything.
#include "app/insight/queue/waiting.h"
#include "connectors/demo/demosource.h"
#include "tests/support/suite.h"

#include <QTest>

#include <map>
#include <set>
#include <vector>

namespace tst_demoqueue {

using namespace gpuledger;
using insight::Blocker;

namespace {

model::WaitingFacts queueAt(base::UtcTime at, base::UtcTime now, const demo::Options &options = {})
{
    const base::FrozenClock clock(now);
    demo::DemoSource source("demo", options, clock);
    return source.waitingAt(at, {}).value();
}

class Batches final : public ports::FactSink {
public:
    base::Result<void> accept(ports::FactBatch batch) override
    {
        batches.push_back(std::move(batch));
        return {};
    }
    void progress(const ports::FetchProgress &) override { }
    std::vector<ports::FactBatch> batches;
};

const base::UtcTime kAt = base::fromUnix(1'790'000'100);

} // namespace

class DemoQueueTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isAFunctionOfTheInstant()
    {
        const auto now = queueAt(kAt, kAt), later = queueAt(kAt, kAt + 5 * base::kDay);
        QVERIFY(now.isKnown);
        QCOMPARE(now.works.size(), later.works.size());
        for (std::size_t i = 0; i < now.works.size(); ++i) {
            QCOMPARE(now.works[i].uid, later.works[i].uid);
            QVERIFY(now.works[i].since == later.works[i].since);
        }
        QCOMPARE(now.holders.size(), later.holders.size());
        demo::Options other;
        other.seed = 2;
        QVERIFY(queueAt(kAt, kAt, other).works.front().uid != now.works.front().uid);
    }

    void nobodyWaitsSinceTheFuture()
    {
        for (int day = 0; day < 30; ++day) {
            const base::UtcTime at = kAt + day * base::kDay;
            for (const auto &work : queueAt(at, at).works)
                QVERIFY(!work.since || *work.since <= at);
        }
    }

    void noNodeGivesMoreThanItHas()
    {
        demo::Options large;
        large.gpus = 1000;
        for (const demo::Options &options : {demo::Options{}, large}) {
            const auto facts = queueAt(kAt, kAt, options);
            QVERIFY(facts.holders.size() > 50);
            for (const auto &room : facts.nodes) {
                for (const auto &[resource, used] : room.gpusUsed) {
                    QVERIFY2(room.gpus.contains(resource), resource.c_str());
                    QVERIFY(used <= room.gpus.at(resource));
                }
                QVERIFY(*room.cpuMilliUsed <= *room.cpuMilli);
                QVERIFY(*room.memoryBytesUsed <= *room.memoryBytes);
            }
        }
    }

    // What a sync records and what the live queue shows are the same jobs.
    void thePastHasTheJobsThatWaited()
    {
        const base::FrozenClock clock(kAt);
        demo::DemoSource source("demo", {}, clock);
        Batches sink;
        const base::UtcTime end = base::floorTo(kAt, base::kBucket), start = end - 10 * base::kDay;
        QVERIFY(source.fetch({start, end}, sink, {}).has_value());
        std::map<std::string, base::Seconds> known;
        for (const auto &batch : sink.batches) {
            for (const auto &[cluster, range] : batch.waitingKnown)
                known[cluster] += range.length();
        }
        for (const base::UtcTime at : {start, end - 3 * base::kDay, end - base::kBucket}) {
            std::set<std::string> live, past;
            for (const auto &work : queueAt(at, kAt).works) {
                if (work.kind == model::WaitingWork::Kind::Pod)
                    live.insert(work.cluster + '/' + work.uid + '/' + std::to_string(*work.gpus));
            }
            for (const auto &batch : sink.batches) {
                for (const auto &wait : batch.waits) {
                    QVERIFY(known.at(wait.cluster) == end - start);
                    if (wait.range.contains(at))
                        past.insert(wait.cluster + '/' + wait.uid + '/' + std::to_string(wait.gpus));
                }
            }
            QCOMPARE(past.size(), std::size_t{9});
            QVERIFY(past == live);
        }
    }

    void showsWhatCanBlock()
    {
        const auto facts = queueAt(kAt, kAt);
        insight::IdleList idle;
        idle.at = kAt;
        const auto list = insight::matchWaiting(facts, idle, {}, base::Currency::usd());
        std::set<Blocker> seen;
        for (const auto &item : list.items)
            seen.insert(item.blocker);
        for (const Blocker blocker : {Blocker::Quota, Blocker::Taint, Blocker::NoCpu, Blocker::NoMemory,
                                      Blocker::MigLeftovers, Blocker::Flavour, Blocker::Scattered})
            QVERIFY2(seen.contains(blocker), std::string(insight::toString(blocker)).c_str());
    }
};

GPULEDGER_PLAIN_SUITE(DemoQueueTest)

} // namespace tst_demoqueue

#include "tst_demoqueue.moc"
