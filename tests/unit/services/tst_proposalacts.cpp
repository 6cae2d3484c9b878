// SPDX-License-Identifier: GPL-3.0-or-later
// Which idle workloads a stop for a proposal is about: those of the same workload in the same cluster, as they are now.
#include "app/actions/run/undo.h"
#include "app/services/savings/proposalacts.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_proposalacts {

using namespace gpuledger;
using insight::IdleItem;
using savings::Kind;
using savings::Proposal;
using services::ActFacts;
using services::NoAct;
using services::ProposalAct;
using services::ProposalActs;

namespace {

constexpr std::int64_t kNow = 1'790'000'100;

IdleItem pod(const std::string &cluster, const std::string &name, const std::string &workload)
{
    IdleItem item;
    item.cluster = cluster;
    item.nameSpace = "research";
    item.name = name;
    item.workload = workload;
    item.id = cluster + "/research/" + name + "/uid-" + name;
    item.devices = {"GPU-" + cluster + '-' + name};
    return item;
}

Proposal about(Kind kind, const std::string &cluster, const std::string &target)
{
    Proposal one;
    one.kind = kind;
    one.target = target;
    one.id = std::string(savings::toString(kind)) + ':' + cluster + '/' + target;
    return one;
}

ActFacts factsWith(std::vector<IdleItem> items)
{
    ActFacts facts;
    facts.canStop = facts.canMark = true;
    facts.idle.at = base::fromUnix(kNow);
    facts.idle.items = std::move(items);
    return facts;
}

model::ActionRecord stopOf(const std::string &holders, base::Seconds ago)
{
    model::ActionRecord record;
    record.id = 7;
    record.state = model::ActionState::Verified;
    record.changedAt = record.intent.at = base::fromUnix(kNow) - ago;
    record.intent.holders = holders;
    record.intent.target = {"kube", "a", "apps/v1", "StatefulSet", "research", "nb", "uid"};
    return record;
}

QStringList idsOf(const ProposalAct &act)
{
    QStringList ids;
    for (const IdleItem &item : act.items)
        ids.append(QString::fromStdString(item.id));
    return ids;
}

} // namespace

class ProposalActsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsTheWorkloadInItsClusterOnly()
    {
        const ProposalActs acts(factsWith({pod("a", "nb-0", "StatefulSet/nb"), pod("b", "nb-0", "StatefulSet/nb"),
                                           pod("a", "nb2-0", "StatefulSet/nb2")}));
        for (const Kind kind : {Kind::Schedule, Kind::RightSize, Kind::Spot}) {
            const ProposalAct act = acts.of(about(kind, "a", "research/StatefulSet/nb"));
            QCOMPARE(idsOf(act), QStringList{QStringLiteral("a/research/nb-0/uid-nb-0")});
            QVERIFY(act.whyNot == NoAct::None && act.canMark);
        }
        QCOMPARE(idsOf(acts.of(about(Kind::Schedule, "b", "research/StatefulSet/nb"))),
                 QStringList{QStringLiteral("b/research/nb-0/uid-nb-0")});
        QVERIFY(acts.of(about(Kind::Schedule, "a", "other/StatefulSet/nb")).whyNot == NoAct::NotIdle);
    }

    // "a" + "b/x" and "a/b" + "x" have the same id.
    void aSlashInTheNameOfAClusterDoesNotMisleadIt()
    {
        IdleItem item = pod("a/research", "nb-0", "StatefulSet/nb");
        item.nameSpace.clear();
        const ProposalActs acts(factsWith({item}));
        const Proposal one = about(Kind::Schedule, "a", "research/StatefulSet/nb");
        const Proposal other = about(Kind::Schedule, "a/research", "StatefulSet/nb");
        QCOMPARE(one.id, other.id);
        QVERIFY(acts.of(one).items.empty());
        QCOMPARE(acts.of(other).items.size(), std::size_t{1});
    }

    void takesAllPodsOfAWorkloadInTheOrderOfTheList()
    {
        const ProposalActs acts(factsWith({pod("a", "web-z", "Deployment/web"), pod("a", "nb-0", "StatefulSet/nb"),
                                           pod("a", "web-b", "Deployment/web")}));
        QCOMPARE(
            idsOf(acts.of(about(Kind::RightSize, "a", "research/Deployment/web"))),
            (QStringList{QStringLiteral("a/research/web-z/uid-web-z"), QStringLiteral("a/research/web-b/uid-web-b")}));
    }

    void aSpotProposalIsAboutAllJobsOfItsSeries()
    {
        const ProposalActs acts(
            factsWith({pod("a", "train-x7k2p-0", "Job/train-x7k2p"), pod("a", "train-b4c5d-0", "Job/train-b4c5d")}));
        QCOMPARE(acts.of(about(Kind::Spot, "a", "research/Job/train")).items.size(), std::size_t{2});
        // The others are about one job.
        QCOMPARE(idsOf(acts.of(about(Kind::RightSize, "a", "research/Job/train-x7k2p"))),
                 QStringList{QStringLiteral("a/research/train-x7k2p-0/uid-train-x7k2p-0")});
    }

    void barePodsAndOtherHoldersGoByTheirOwnName()
    {
        IdleItem machine = pod("", "i-1", {});
        machine.kind = model::SubjectKind::SlurmJob;
        machine.nameSpace.clear();
        machine.name = "17";
        machine.workload = "SlurmJob/17";
        const ProposalActs acts(factsWith({pod("a", "shell", {}), machine}));
        QCOMPARE(acts.of(about(Kind::Schedule, "a", "research/Pod/shell")).items.size(), std::size_t{1});
        QCOMPARE(acts.of(about(Kind::RightSize, "", "SlurmJob/17")).items.size(), std::size_t{1});
    }

    void aWorkloadThatEndedHasNone()
    {
        const ProposalActs acts(factsWith({}));
        const ProposalAct act = acts.of(about(Kind::Schedule, "a", "research/StatefulSet/nb"));
        QVERIFY(act.items.empty() && act.done.empty() && !act.canMark);
        QVERIFY(act.whyNot == NoAct::NotIdle);
    }

    void capacityIsAboutWhatIsIdleOnItsNodes()
    {
        IdleItem sliced = pod("a", "slice", "StatefulSet/slice");
        sliced.devices = {"GPU-1:3", "GPU-1:4"};
        IdleItem elsewhere = pod("b", "nb-0", "StatefulSet/nb");
        elsewhere.devices = {"GPU-1"}; // of another cluster
        ActFacts facts = factsWith({elsewhere, sliced});
        facts.devices = {{"11", "gpu:a/GPU-1"}, {"12", "gpu:a/GPU-2"}};
        const ProposalActs acts(std::move(facts));
        Proposal pool = about(Kind::Capacity, "a", "pool");
        pool.resources = {"12", "11", "99"};
        QCOMPARE(idsOf(acts.of(pool)), QStringList{QStringLiteral("a/research/slice/uid-slice")});
        pool.resources = {"12"};
        QVERIFY(acts.of(pool).whyNot == NoAct::NotIdle);
    }

    void saysWhyThereIsNone_data()
    {
        QTest::addColumn<int>("change");
        QTest::addColumn<int>("whyNot");
        QTest::newRow("report") << 0 << static_cast<int>(NoAct::Report);
        QTest::newRow("no platform") << 1 << static_cast<int>(NoAct::NoPlatform);
        QTest::newRow("old data") << 2 << static_cast<int>(NoAct::Stale);
        QTest::newRow("protected") << 3 << static_cast<int>(NoAct::Protected);
    }
    void saysWhyThereIsNone()
    {
        QFETCH(int, change);
        QFETCH(int, whyNot);
        ActFacts facts = factsWith({pod("a", "nb-0", "StatefulSet/nb")});
        facts.isReport = change == 0;
        facts.canStop = change != 1;
        facts.idle.reach.stale = change == 2;
        facts.idle.items[0].protection = change == 3 ? "label keep=true" : "";
        const ProposalAct act =
            ProposalActs(std::move(facts)).of(about(Kind::Schedule, "a", "research/StatefulSet/nb"));
        QCOMPARE(static_cast<int>(act.whyNot), whyNot);
        QVERIFY(act.items.empty() && !act.canMark);
    }

    void commitmentsAndSlicesAreAboutNoWorkload()
    {
        const ProposalActs acts(factsWith({pod("a", "nb-0", "StatefulSet/nb")}));
        QVERIFY(acts.of(about(Kind::Commitments, "a", "research/StatefulSet/nb")).whyNot == NoAct::NoWorkload);
        Proposal slices = about(Kind::RightSize, "a", "A100 in a (MIG)");
        slices.id = "right-size:slices:a/A100";
        QVERIFY(acts.of(slices).whyNot == NoAct::NoWorkload);
    }

    void aScheduleIsMarkedForTheStartOfItsOffHours_data()
    {
        QTest::addColumn<QString>("policy");
        QTest::addColumn<QString>("hours");
        QTest::addColumn<QString>("now");
        QTest::addColumn<int>("minutes"); // -1: none
        const QString nights = QStringLiteral("nights"), own = QStringLiteral("own hours");
        // Berlin is two hours ahead in September and one in November.
        QTest::newRow("in the evening") << nights << QString() << QStringLiteral("2026-09-21T15:10:00Z") << 170;
        QTest::newRow("notice too short") << nights << QString() << QStringLiteral("2026-09-21T17:51:00Z") << 69;
        QTest::newRow("just enough notice") << nights << QString() << QStringLiteral("2026-09-21T17:50:00Z") << 10;
        QTest::newRow("in winter") << nights << QString() << QStringLiteral("2026-11-23T15:00:00Z") << 240;
        QTest::newRow("next Saturday") << own << QStringLiteral("sat") << QStringLiteral("2026-11-22T23:00:00Z")
                                       << 5 * 24 * 60;
        QTest::newRow("no hour") << own << QStringLiteral("none") << QStringLiteral("2026-11-22T23:00:00Z") << -1;
    }
    void aScheduleIsMarkedForTheStartOfItsOffHours()
    {
        QFETCH(QString, policy);
        QFETCH(QString, hours);
        QFETCH(QString, now);
        QFETCH(int, minutes);
        Proposal one = about(Kind::Schedule, "a", "research/StatefulSet/nb");
        one.assumptions = {
            {"policy", policy.toStdString()}, {"off-hours", hours.toStdString()}, {"time-zone", "Europe/Berlin"}};
        const base::UtcTime at = base::parseTime(now.toStdString()).value();
        const auto after = services::untilOffHours(one, at);
        QCOMPARE(after ? static_cast<int>(after->count() / 60) : -1, minutes);
        one.kind = Kind::Spot;
        QVERIFY(!services::untilOffHours(one, at));
        ActFacts facts = factsWith({pod("a", "nb-0", "StatefulSet/nb")});
        facts.now = at;
        one.kind = Kind::Schedule;
        QVERIFY(ProposalActs(facts).of(one).markAfter == after);
        facts.canMark = false;
        QVERIFY(!ProposalActs(facts).of(one).markAfter);
    }

    void whatWasStoppedIsNotOfferedAgain()
    {
        ActFacts facts = factsWith({pod("a", "nb-0", "StatefulSet/nb")});
        facts.stops = {stopOf("a/research/nb-0/uid-nb-0\n", base::Seconds{60})};
        const ProposalAct act = ProposalActs(facts).of(about(Kind::Schedule, "a", "research/StatefulSet/nb"));
        QVERIFY(act.items.empty() && act.whyNot == NoAct::Stopped);
        QCOMPARE(act.done.size(), std::size_t{1});
        QCOMPARE(act.done[0].id, std::int64_t{7});
        // What is still listed long after the stop runs again.
        facts.stops = {stopOf("a/research/nb-0/uid-nb-0", model::kUntilStopIsSeen + base::Seconds{1})};
        const ProposalAct later = ProposalActs(facts).of(about(Kind::Schedule, "a", "research/StatefulSet/nb"));
        QCOMPARE(later.items.size(), std::size_t{1});
        QVERIFY(later.done.empty()); // nothing is left to be undone
        facts.idle.items[0].protection = "label keep=true";
        const ProposalAct kept = ProposalActs(facts).of(about(Kind::Schedule, "a", "research/StatefulSet/nb"));
        QVERIFY(kept.whyNot == NoAct::Protected && kept.done.empty());
        facts.idle.items.clear(); // what is not listed may still be stopped
        QCOMPARE(ProposalActs(facts).of(about(Kind::Schedule, "a", "research/StatefulSet/nb")).done.size(),
                 std::size_t{1});
    }

    void aLaterStopOfTheSameObjectTakesThePlace()
    {
        const model::ActionRecord first = stopOf("a/research/nb-0/uid-nb-0", base::Seconds{600});
        model::ActionRecord later = stopOf("a/research/nb-0/uid-nb-0", base::Seconds{60});
        later.id = 9;
        later.state = model::ActionState::Undone; // the first one is not in effect again
        QVERIFY(actions::stoppedAgain(first, {first, later}) == later.id);
        QVERIFY(!actions::stoppedAgain(later, {first, later}));
        later.state = model::ActionState::Refused;
        QVERIFY(!actions::stoppedAgain(first, {first, later}));
        later.state = model::ActionState::Verified;
        later.intent.target.uid = "another";
        QVERIFY(!actions::stoppedAgain(first, {first, later}));
    }

    void aStopBelongsToTheWorkloadOfItsHolders()
    {
        ActFacts facts = factsWith({});
        facts.stops = {stopOf("a/research/other-0/uid", base::Seconds{60})};
        facts.holders = {{"a/research/other-0/uid", {"a", "research/Notebook/other"}}};
        const ProposalActs known(facts);
        QCOMPARE(known.of(about(Kind::Schedule, "a", "research/Notebook/other")).done.size(), std::size_t{1});
        QVERIFY(known.of(about(Kind::Schedule, "a", "research/StatefulSet/nb")).done.empty());
        QVERIFY(known.of(about(Kind::Schedule, "b", "research/Notebook/other")).done.empty());
        facts.holders.clear(); // then the stopped object names it
        const ProposalActs unknown(facts);
        QCOMPARE(unknown.of(about(Kind::Schedule, "a", "research/StatefulSet/nb")).done.size(), std::size_t{1});
    }
};

GPULEDGER_SUITE(ProposalActsTest)

} // namespace tst_proposalacts

#include "tst_proposalacts.moc"
