// SPDX-License-Identifier: GPL-3.0-or-later
// Which actions of the log are measured as realized stops, and in which form.
#include "app/services/savings/realizedstops.h"
#include "tests/support/suite.h"

#include <QtTest>

namespace tst_realizedstops {

using namespace gpuledger;
using model::ActionKind;
using model::ActionRecord;
using model::ActionState;
using savings::Choice;

namespace {

const base::UtcTime kStopped = base::parseTime("2026-10-20T09:00:00Z").value();

ActionRecord stopNumber(std::int64_t id, ActionState state = ActionState::Verified)
{
    ActionRecord one;
    one.id = id;
    one.state = state;
    one.changedAt = kStopped + base::Seconds{60};
    one.intent.at = kStopped;
    one.intent.actor = "kim";
    one.intent.owner = "vision";
    one.intent.perMonth = base::Money(base::Money::kNanosPerUnit, base::Currency::usd());
    one.intent.target.cluster = "prod";
    one.intent.target.nameSpace = "ml";
    one.intent.target.kind = "StatefulSet";
    one.intent.target.name = "seven";
    return one;
}

ActionRecord undoOf(std::int64_t stop, std::int64_t id, ActionState state, base::Seconds after)
{
    ActionRecord one = stopNumber(id, state);
    one.intent.kind = ActionKind::Undo;
    one.intent.undoes = stop;
    one.intent.at = kStopped + after;
    return one;
}

Choice accepted(const std::string &proposal, savings::Kind kind, base::UtcTime since, const char *day)
{
    Choice one;
    one.id = 5;
    one.kind = kind;
    one.at = one.since = since;
    one.draft.proposal = proposal;
    one.draft.day = base::dayOf(base::parseTime(day).value());
    return one;
}

} // namespace

class TestRealizedStops : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyWhatWasDoneAndHadACost()
    {
        std::vector<ActionRecord> log{stopNumber(1), stopNumber(2, ActionState::Failed),
                                      stopNumber(3, ActionState::Unknown), stopNumber(4), stopNumber(5)};
        log[3].intent.perMonth.reset();
        log[4].intent.perMonth = base::Money(0, base::Currency::usd());
        const auto stops = services::stopsAsChoices(log, {}, {});
        QCOMPARE(stops.size(), std::size_t(1));
        const Choice &one = stops.front();
        QCOMPARE(one.id, std::int64_t(-1));
        QVERIFY(one.kind == savings::Kind::Schedule && one.since == kStopped && !one.projected);
        QCOMPARE(one.draft.proposal, std::string("schedule:prod/ml/StatefulSet/seven"));
        QCOMPARE(one.target, std::string("ml/StatefulSet/seven"));
        QCOMPARE(one.team, std::string("vision"));
        QCOMPARE(one.by, std::string("kim"));
        QVERIFY(one.stop && one.stop->action == 1 && !one.stop->undone);
    }

    // What held the GPUs has another name than the object that was stopped.
    void theWorkloadIsThatOfItsHolders()
    {
        ActionRecord record = stopNumber(1);
        record.intent.holders = "gone\nprod/ml/eva-0/uid\n";
        const auto stops = services::stopsAsChoices({record}, {{"prod/ml/eva-0/uid", {"prod", "ml/Notebook/eva"}}}, {});
        QCOMPARE(stops.front().draft.proposal, std::string("schedule:prod/ml/Notebook/eva"));
    }

    // By the undo that worked, not by one that failed before it.
    void anUndoneStopEnds()
    {
        const auto stops = services::stopsAsChoices({stopNumber(1, ActionState::Undone),
                                                     undoOf(1, 2, ActionState::Failed, base::Seconds{3600}),
                                                     undoOf(1, 3, ActionState::Verified, 9 * base::kDay)},
                                                    {}, {});
        QCOMPARE(stops.size(), std::size_t(1));
        QVERIFY(stops.front().stop->undone == kStopped + 9 * base::kDay);
    }

    void whatWasDoneThroughAProposalIsMeasuredAsThat_data()
    {
        QTest::addColumn<QString>("proposal");
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("since"); // days after the stop
        QTest::addColumn<QString>("until");
        QTest::addColumn<bool>("own");
        const int schedule = static_cast<int>(savings::Kind::Schedule),
                  size = static_cast<int>(savings::Kind::RightSize);
        const QString same = QStringLiteral("schedule:prod/ml/StatefulSet/seven");
        QTest::newRow("until later") << same << schedule << -3 << QStringLiteral("2026-11-01") << false;
        QTest::newRow("on that day") << same << schedule << 0 << QStringLiteral("2026-10-20") << false;
        QTest::newRow("other kind") << QStringLiteral("right-size:prod/ml/StatefulSet/seven") << size << -3
                                    << QStringLiteral("2026-11-01") << false;
        QTest::newRow("accepted afterwards") << same << schedule << 5 << QStringLiteral("2026-11-01") << true;
        QTest::newRow("done long before") << same << schedule << -60 << QStringLiteral("2026-09-01") << true;
        QTest::newRow("other workload") << QStringLiteral("schedule:prod/ml/StatefulSet/seven2") << schedule << -3
                                        << QStringLiteral("2026-11-01") << true;
        QTest::newRow("slices of that name") << QStringLiteral("right-size:slices:prod/ml/StatefulSet/seven") << size
                                             << -3 << QStringLiteral("2026-11-01") << true;
    }
    void whatWasDoneThroughAProposalIsMeasuredAsThat()
    {
        QFETCH(QString, proposal);
        QFETCH(int, kind);
        QFETCH(int, since);
        QFETCH(QString, until);
        QFETCH(bool, own);
        const Choice choice = accepted(proposal.toStdString(), static_cast<savings::Kind>(kind),
                                       kStopped + since * base::kDay, until.toLatin1().constData());
        QCOMPARE(services::stopsAsChoices({stopNumber(1)}, {}, {choice}).size(), std::size_t(own ? 1 : 0));
    }
};

GPULEDGER_PLAIN_SUITE(TestRealizedStops)

} // namespace tst_realizedstops

#include "tst_realizedstops.moc"
