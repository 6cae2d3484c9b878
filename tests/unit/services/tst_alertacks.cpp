// SPDX-License-Identifier: GPL-3.0-or-later
// Acknowledgements against messages that wait, the words of escalations, and rules that can't be evaluated.
#include "app/store/alerts/alertstore.h"
#include "tests/support/suite.h"
#include "tests/unit/services/deskfleet.h"

#include <QTest>

#include <algorithm>

namespace tst_alertacks {

using namespace gpuledger;
using namespace gpuledger::tests;
using model::NoticeState;
using ports::Delivery;
using ports::DeliveryOutcome;
using services::OutboxState;

namespace {

// The rule tells chat at once, and boss after two hours.
model::Settings escalatingSettings()
{
    model::Settings settings = alertSettings();
    settings.alerts.front().escalate = {{base::Seconds{2 * kHourSeconds}, {"boss"}}};
    model::AlertTarget boss = settings.targets.front();
    boss.name = "boss";
    settings.targets.push_back(boss);
    return settings;
}

// At 400 million dollars an hour, a cost per day does not fit into an amount of money.
model::Settings overflowingSettings()
{
    model::Settings settings = alertSettings();
    for (auto &price : settings.prices.overrides)
        price.perGpuHour = "400000000";
    return settings;
}

Delivery busy(const model::NoticeGroup &)
{
    return {DeliveryOutcome::Retry, base::Seconds{60}, "busy"};
}

std::vector<services::OutboxEntry> entriesOf(DeskFleet &fleet, const std::string &target)
{
    std::vector<services::OutboxEntry> out;
    for (const services::OutboxEntry &entry : fleet.history().outbox) {
        if (entry.target == target)
            out.push_back(entry);
    }
    return out;
}

// It fired at 08:00, chat was told, and the message to boss waits since 10:01. Returns the key.
std::string escalate(DeskFleet &fleet)
{
    if (!fleet.workspace->apply(escalatingSettings()))
        qFatal("the settings are refused");
    const std::string key = fleet.fire().firing.front().key;
    fleet.deliver();
    fleet.at(10, 1);
    if (fleet.evaluate().queued != 1)
        qFatal("nothing is escalated");
    return key;
}

} // namespace

class TestAlertAcks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEscalationIsNotSentAfterAnAcknowledgement()
    {
        DeskFleet fleet;
        const std::string key = escalate(fleet);
        QVERIFY(fleet.desk().acknowledge({key, "", "on it", fleet.clock.now()}).has_value());
        const auto entries = entriesOf(fleet, "boss");
        QVERIFY(entries.size() == 1 && entries.front().state == OutboxState::Cancelled);
        QCOMPARE(entries.front().detail, std::string("acknowledged before it was delivered, by alex"));
        QCOMPARE(entries.front().scopes, std::vector<std::string>{"vision"});
        QVERIFY(!fleet.desk().nextDue()->has_value());
        QVERIFY(fleet.desk().undelivered()->empty());
        QCOMPARE(fleet.deliver(), std::size_t{0});
        fleet.at(14); // nobody there heard that it fired
        fleet.evaluate();
        fleet.deliver();
        QVERIFY(fleet.targets->receivers["boss"].sent.empty());
        QVERIFY(fleet.chat().sent.back().notices.front().state == NoticeState::Resolved);
    }

    // It may have arrived although there was no answer, so its end is told.
    void anEscalationThatWasTriedIsNotSentAgain()
    {
        DeskFleet fleet;
        const std::string key = escalate(fleet);
        Receiver &boss = fleet.targets->receivers["boss"];
        boss.answer = busy;
        fleet.deliver();
        QCOMPARE(boss.sent.size(), std::size_t{1});
        QVERIFY(fleet.desk().acknowledge({key, "", "", fleet.clock.now()}).has_value());
        boss.answer = [](const auto &) { return Delivery{}; };
        fleet.at(11);
        QCOMPARE(fleet.deliver(), std::size_t{0});
        fleet.at(14);
        fleet.evaluate();
        fleet.deliver();
        QCOMPARE(boss.sent.size(), std::size_t{2});
        QVERIFY(boss.sent.back().notices.front().state == NoticeState::Resolved);
    }

    // Another program noted it, or this one died before it could cancel the message.
    void anAcknowledgementIsSeenBeforeTheDelivery()
    {
        DeskFleet fleet;
        const std::string key = escalate(fleet);
        {
            const auto store = store::LedgerStore::open(fleet.folder).value();
            QVERIFY(store->alerts().acknowledge({key, "kim", "", fleet.clock.now()}).has_value());
        }
        QCOMPARE(fleet.deliver(), std::size_t{0});
        QVERIFY(fleet.targets->receivers["boss"].sent.empty());
        QVERIFY(entriesOf(fleet, "boss").front().state == OutboxState::Cancelled);
    }

    void theOthersOfAMessageAreStillTold()
    {
        DeskFleet fleet({"speech", "vision"});
        const auto fired = fleet.fire();
        QCOMPARE(fired.queued, std::size_t{1});
        QCOMPARE(fired.firing.size(), std::size_t{2});
        const auto vision = std::find_if(fired.firing.begin(), fired.firing.end(),
                                         [](const auto &one) { return one.scope == "vision"; });
        QVERIFY(fleet.desk().acknowledge({vision->key, "", "", fleet.clock.now()}).has_value());
        QCOMPARE(fleet.deliver(), std::size_t{1});
        QCOMPARE(fleet.chat().sent.back().notices.size(), std::size_t{1});
        QCOMPARE(fleet.chat().sent.back().notices.front().scope, std::string("speech"));
        QCOMPARE(entriesOf(fleet, "chat").size(), std::size_t{2});
        QCOMPARE(fleet.evaluate().queued, std::size_t{0});
    }

    void anEscalationSaysHowLongNobodyHasReacted()
    {
        DeskFleet fleet;
        QVERIFY(fleet.workspace->apply(escalatingSettings()).has_value());
        fleet.fire();
        fleet.deliver();
        QVERIFY(fleet.chat().sent.front().notices.front().summary.find("acknowledged") == std::string::npos);
        fleet.at(11, 35); // nothing ran meanwhile
        fleet.evaluate();
        fleet.deliver();
        const std::string said = fleet.targets->receivers["boss"].sent.front().notices.front().summary;
        QVERIFY2(said.ends_with("; nobody has acknowledged it for 3h 35m"), said.c_str());
    }

    // The alert began before the first message was made.
    void anEscalationCountsFromADiscardedMessage()
    {
        DeskFleet fleet;
        QVERIFY(fleet.workspace->apply(escalatingSettings()).has_value());
        const auto fired = fleet.fire();
        QVERIFY(fired.firing.front().since < fleet.clock.now());
        QVERIFY(fleet.desk().discard(fleet.history().outbox.front().id).has_value());
        QCOMPARE(entriesOf(fleet, "chat").front().detail, std::string("discarded"));
        fleet.at(9, 55);
        QCOMPARE(fleet.evaluate().queued, std::size_t{0});
        fleet.at(10, 5);
        QCOMPARE(fleet.evaluate().queued, std::size_t{1});
        fleet.deliver();
        const std::string said = fleet.targets->receivers["boss"].sent.front().notices.front().summary;
        QVERIFY2(said.ends_with("; nobody has acknowledged it for 2h 5m"), said.c_str());
    }

    void aRoundSaysWhatItCouldNotEvaluate()
    {
        DeskFleet fleet;
        fleet.fire();
        QVERIFY(fleet.workspace->apply(overflowingSettings()).has_value());
        fleet.at(8, 20);
        const auto failed = fleet.evaluate();
        QCOMPARE(failed.problems.size(), std::size_t{1});
        QCOMPARE(failed.unevaluated, std::set<std::string>{"idle"});
        QCOMPARE(failed.firing.size(), std::size_t{1});
        const auto other = fleet.open(); // what was evaluated at 08:00 is too old for it
        QCOMPARE(other->alertDesk().evaluate({})->unevaluated, std::set<std::string>{"idle"});
        QVERIFY(fleet.workspace->apply(alertSettings()).has_value());
        QVERIFY(fleet.evaluate().unevaluated.empty());
        const auto follows = other->alertDesk().evaluate({}).value();
        QVERIFY(!follows.isLeader && follows.unevaluated.empty());
        QVERIFY(follows.firing.size() == 1 && follows.firing.front().isKnown);
    }

    void aRoundSaysOfWhatTheValueIsUnknown()
    {
        DeskFleet fleet;
        QVERIFY(fleet.fire().firing.front().isKnown);
        model::Settings unseen = alertSettings();
        unseen.idle.observed = 2; // more than there can be
        QVERIFY(fleet.workspace->apply(unseen).has_value());
        fleet.at(9);
        const auto round = fleet.evaluate();
        QVERIFY(round.unevaluated.empty());
        QVERIFY(round.firing.size() == 1 && !round.firing.front().isKnown);
        const auto other = fleet.open();
        QVERIFY(!other->alertDesk().evaluate({})->firing.front().isKnown);
    }
};

GPULEDGER_SUITE(TestAlertAcks)

} // namespace tst_alertacks

#include "tst_alertacks.moc"
