// SPDX-License-Identifier: GPL-3.0-or-later
// The requests of inference servers in a replay of the idle rule: they resume what it stopped.
#include "app/insight/idle/idlereplay.h"
#include "app/insight/idle/servedrequests.h"
#include "tests/support/fleets/randomhistory.h"
#include "tests/support/suite.h"

#include <QTest>

#include <map>

namespace tst_replayrequests {

using namespace gpuledger;
using insight::ReplayStop;
using insight::ServedBy;
using model::HourSignal;
using model::WorkloadKind;
using tests::MemoryFacts;
using tests::Scenario;

namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 86400;
using Requests = std::map<std::size_t, std::int64_t>; // by hour

class CountedSignals final : public MemoryFacts {
public:
    base::Result<std::vector<model::SignalHour>> signalHours(HourSignal signal, std::int64_t of, std::int64_t first,
                                                             std::int64_t last) override
    {
        ++reads;
        return MemoryFacts::signalHours(signal, of, first, last);
    }
    int reads = 0;
};

// A server on one GPU that is nearly idle for two days and serves the given requests.
struct Server : Scenario {
    explicit Server(const Requests &requests = {}, const char *kind = "inference");
    // Under a grace window of one hour, over both days.
    std::vector<ReplayStop> stops() const
    {
        insight::ReplayQuery query;
        query.range = batch.covered;
        for (auto &[kind, length] : query.rule.grace)
            length = base::Seconds{kHour};
        const auto ledger = ledger::Ledger::create(tests::pricedSettings()).value();
        MemoryFacts facts;
        facts.add(batch);
        const auto reader = ledger->attribution(facts);
        return insight::replayIdle(*reader, query, base::Currency::usd()).value().stops;
    }
};

// Outside of its class, where moc takes the name of the member for a section.
Server::Server(const Requests &requests, const char *kind)
    : Scenario(2)
{
    const auto machine = node("n1"), gpu = device("GPU-1"), subject = label("llm", "uid");
    const auto holder = pod("llm", "uid", "n1");
    batch.holders[holder].labels["workload_kind"] = kind;
    runs(holder, 0, 2 * kDay);
    reports(gpu, subject, machine, 0, 2 * kDay, 1);
    for (std::size_t hour = 0; hour < 48; ++hour) {
        const auto served = requests.find(hour);
        batch.signals.push_back({HourSignal::Requests,
                                 subject,
                                 {base::toUnix(at(static_cast<std::int64_t>(hour) * kHour)) / kHour, 3600,
                                  served == requests.end() ? 0 : served->second}});
    }
}

} // namespace

class TestReplayRequests : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void laterRequestsResumeIt();
    void thoseOfTheHourOfTheStopMakeItFalse();
    void itIsNotStoppedAgainInThatHour();
    void onlyServersAreAsked();
    void aServerIsLookedUpOnce();
};

void TestReplayRequests::laterRequestsResumeIt()
{
    const Server none;
    QCOMPARE(none.stops().size(), std::size_t{1});
    QCOMPARE(none.stops()[0].at, none.at(kHour));
    QVERIFY(!none.stops()[0].resumed);

    const Server server(Requests{{2, 1}}); // from 2:00 to 3:00
    const std::vector<ReplayStop> stops = server.stops();
    QCOMPARE(stops.size(), std::size_t{2});
    QCOMPARE(stops[0].at, server.at(kHour));
    QVERIFY(stops[0].resumed == server.at(2 * kHour) && !stops[0].falseStop); // an hour later is not within an hour
    QCOMPARE(stops[0].until, server.at(2 * kHour));
    QCOMPARE(stops[0].back.hours(), 1.0);
    QCOMPARE(stops[0].lost.ticks, std::int64_t{0}); // its GPU did nothing for them
    QCOMPARE(stops[1].at, server.at(kDay + 2 * kHour + 300)); // a day after that hour
    QVERIFY(!stops[1].resumed);
}

void TestReplayRequests::thoseOfTheHourOfTheStopMakeItFalse()
{
    const Server server(Requests{{0, 1}, {24, 1}}); // stopped at 0:05 of the next day, which begins with requests
    const std::vector<ReplayStop> stops = server.stops();
    QCOMPARE(stops.size(), std::size_t{1});
    QCOMPARE(stops[0].at, server.at(kDay + 300));
    QVERIFY(stops[0].falseStop && stops[0].resumed == stops[0].at);
    QCOMPARE(stops[0].back.ticks, std::int64_t{0});
}

void TestReplayRequests::itIsNotStoppedAgainInThatHour()
{
    const Server server(Requests{{1, 5}});
    const std::vector<ReplayStop> stops = server.stops();
    QCOMPARE(stops.size(), std::size_t{2});
    QVERIFY(stops[0].at == server.at(kHour) && stops[0].falseStop);
    QCOMPARE(stops[1].at, server.at(kDay + kHour + 300));
}

void TestReplayRequests::onlyServersAreAsked()
{
    const Server job(Requests{{2, 1}, {30, 1}}, "training");
    const std::vector<ReplayStop> stops = job.stops();
    QCOMPARE(stops.size(), std::size_t{1});
    QVERIFY(!stops[0].resumed);
}

// However many rules ask for the same instant, and whichever days are asked for in between.
void TestReplayRequests::aServerIsLookedUpOnce()
{
    const Server server(Requests{{2, 1}});
    CountedSignals facts;
    facts.add(server.batch);
    auto requests = insight::ServedRequests::create(&facts).value();
    model::AttributedHolder who;
    who.kind = WorkloadKind::Inference;
    who.subject = facts.subjects().value().at(0).id;
    ServedBy early(requests, who, server.at(4 * kHour)), late(requests, who, server.at(kDay + 12 * kHour));
    for (int rule = 0; rule < 12; ++rule) {
        QVERIFY(early.lately() && !late.lately());
        QVERIFY(!early.thisHour() && !late.thisHour());
        QVERIFY(early.read() && late.read());
    }
    QVERIFY(facts.reads >= 2);
    QVERIFY2(facts.reads <= 4, qPrintable(QString::number(facts.reads)));
    ServedBy then(requests, who, server.at(3 * kHour)); // the end of the hour is part of it
    QVERIFY(then.thisHour());
    who.kind = WorkloadKind::Training;
    ServedBy job(requests, who, server.at(3 * kHour));
    const int before = facts.reads;
    QVERIFY(!job.lately() && !job.thisHour());
    QCOMPARE(facts.reads, before);
}

GPULEDGER_SUITE(TestReplayRequests)

} // namespace tst_replayrequests

#include "tst_replayrequests.moc"
