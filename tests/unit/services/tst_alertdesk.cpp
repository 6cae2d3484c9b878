// SPDX-License-Identifier: GPL-3.0-or-later
// Rounds of alert rules and the delivery of notices, with programs that die, receivers that fail, and silences.
#include "app/services/alerts/noticewords.h"
#include "app/store/alerts/alertstore.h"
#include "tests/support/suite.h"
#include "tests/unit/services/deskfleet.h"

#include <QTest>

#include <algorithm>

namespace tst_alertdesk {

using namespace gpuledger;
using namespace gpuledger::tests;
using alerts::AlertState;
using model::NoticeState;
using ports::Delivery;
using ports::DeliveryOutcome;
using services::OutboxState;

namespace {

std::vector<AlertState> statesOf(const services::AlertRound &round)
{
    std::vector<AlertState> out;
    for (const services::AlertChange &change : round.changes)
        out.push_back(change.to);
    return out;
}

} // namespace

class TestAlertDesk : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anAlertIsToldOnceAndItsEndOnce()
    {
        DeskFleet fleet;
        fleet.at(5);
        QVERIFY(fleet.evaluate().changes.empty());
        fleet.at(8);
        const auto fired = fleet.evaluate();
        QVERIFY(!statesOf(fired).empty() && statesOf(fired).back() == AlertState::Firing);
        QCOMPARE(fired.queued, std::size_t{1});
        QVERIFY(fleet.evaluate().changes.empty());
        QCOMPARE(fleet.deliver(), std::size_t{1});
        QCOMPARE(fleet.deliver(), std::size_t{0});
        QCOMPARE(fleet.chat().sent.size(), std::size_t{1});
        const model::Notice notice = fleet.chat().sent.front().notices.front();
        QVERIFY(notice.state == NoticeState::Firing);
        QCOMPARE(notice.scope, std::string("vision"));
        QCOMPARE(notice.value, std::string("86.40 USD/day"));
        QCOMPARE(notice.threshold, std::string("50 USD/day"));
        QCOMPARE(notice.items.size(), std::size_t{1});
        QCOMPARE(notice.link,
                 services::alertItemLink("gpuledger://idle?span=day&team=vision", notice.items.front().id));
        QCOMPARE(notice.command, std::string("gpuledger-cli idle --team=vision"));
        QCOMPARE(notice.key, fired.changes.back().key);
        QVERIFY(notice.costSoFar && notice.costSoFar->nanos() == 7'200'000'000); // two hours
        fleet.at(14);
        fleet.evaluate();
        QCOMPARE(fleet.deliver(), std::size_t{1});
        const model::Notice over = fleet.chat().sent.back().notices.front();
        QVERIFY(over.state == NoticeState::Resolved);
        QCOMPARE(over.link, std::string("gpuledger://idle?span=day&team=vision"));
        QCOMPARE(over.key, notice.key);
        QVERIFY(over.endedAt && *over.endedAt > notice.startedAt);
        QVERIFY(over.costSoFar && over.costSoFar->nanos() == 21'600'000'000); // six hours
        QCOMPARE(fleet.evaluate().queued, std::size_t{0});
    }

    void theFirstRoundTellsOnlyWhatFiresNow()
    {
        DeskFleet past;
        past.at(20);
        QVERIFY(past.evaluate().changes.empty());
        QCOMPARE(past.deliver(), std::size_t{0});
        DeskFleet now;
        now.at(8);
        const auto round = now.evaluate();
        QCOMPARE(statesOf(round), std::vector<AlertState>{AlertState::Firing});
        QCOMPARE(now.deliver(), std::size_t{1});
    }

    void aProgramThatDiesLosesNothing()
    {
        DeskFleet fleet;
        const auto fired = fleet.fire();
        fleet.start(); // before anything was sent
        QCOMPARE(fleet.deliver(), std::size_t{1});
        fleet.at(14);
        fleet.evaluate();
        // It dies after the message was claimed, perhaps after it was sent.
        {
            const auto store = store::LedgerStore::open(fleet.folder).value();
            const auto pending = store->alerts().pending().value();
            QCOMPARE(pending.size(), std::size_t{1});
            QVERIFY(*store->alerts().claim(pending.front(), fleet.clock.now()));
        }
        fleet.start();
        QCOMPARE(fleet.evaluate().queued, std::size_t{0});
        QCOMPARE(fleet.deliver(), std::size_t{0}); // it may be still sending
        fleet.at(14, 3);
        QCOMPARE(fleet.deliver(), std::size_t{1});
        QCOMPARE(fleet.chat().sent.back().notices.front().key, fired.changes.back().key);
        QCOMPARE(fleet.history().outbox.front().attempts, 2);
        QVERIFY(!fleet.desk().nextDue()->has_value());
    }

    void oneOfTwoProgramsEvaluates()
    {
        DeskFleet fleet;
        fleet.fire();
        const auto other = fleet.open();
        const auto round = other->alertDesk().evaluate({}).value();
        QVERIFY(!round.isLeader);
        QVERIFY(round.changes.empty());
        QCOMPARE(other->alertDesk().deliver({})->size(), std::size_t{1}); // what is queued, anyone sends
        QCOMPARE(fleet.deliver(), std::size_t{0});
        fleet.at(8, 16);
        QVERIFY(other->alertDesk().evaluate({})->isLeader);
        QVERIFY(!fleet.evaluate().isLeader);
    }

    void whatFailsIsTriedAgain()
    {
        DeskFleet fleet;
        fleet.fire();
        fleet.chat().answer = [](const auto &) { return Delivery{DeliveryOutcome::Retry, base::Seconds{600}, "busy"}; };
        const auto tried = fleet.desk().deliver({}).value();
        QCOMPARE(tried.size(), std::size_t{1});
        QVERIFY(tried.front().state == OutboxState::Waiting);
        QCOMPARE(tried.front().detail, std::string("busy"));
        QCOMPARE(*fleet.desk().nextDue(), std::optional(fleet.clock.now() + base::Seconds{600}));
        QCOMPARE(fleet.deliver(), std::size_t{0});
        fleet.at(8, 10);
        fleet.chat().answer = [](const auto &) { return Delivery{DeliveryOutcome::Refused, {}, "no such channel"}; };
        QVERIFY(fleet.desk().deliver({})->front().state == OutboxState::Dead);
        QCOMPARE(fleet.chat().sent.front(), fleet.chat().sent.back()); // the same message
        QVERIFY(!fleet.desk().nextDue()->has_value());
        QVERIFY(!fleet.desk().retry(999).has_value());
        QVERIFY(fleet.desk().retry(fleet.history().outbox.front().id).has_value());
        fleet.chat().answer = [](const auto &) { return Delivery{}; };
        QVERIFY(fleet.desk().deliver({})->front().state == OutboxState::Delivered);
    }

    void aTargetThatCannotBeMade()
    {
        DeskFleet fleet;
        fleet.chat().broken = base::Error::make(base::ErrorCode::Unsupported, "only in the window");
        fleet.fire();
        QCOMPARE(fleet.deliver(), std::size_t{0});
        QVERIFY(!fleet.desk().nextDue()->has_value()); // nothing that this program could do
        fleet.chat().broken = base::Error::make(base::ErrorCode::InvalidConfig, "no secret");
        const auto tried = fleet.desk().deliver({}).value();
        QCOMPARE(tried.size(), std::size_t{1});
        QCOMPARE(tried.front().detail, std::string("no secret"));
        QVERIFY(!fleet.evaluate().problems.empty());
        fleet.at(8, 30);
        fleet.chat().broken.reset();
        QCOMPARE(fleet.deliver(), std::size_t{1});
    }

    void aMessageIsGivenUpAfterADay()
    {
        DeskFleet fleet;
        fleet.fire();
        fleet.chat().answer = [](const auto &) { return Delivery{DeliveryOutcome::Retry, {}, "down"}; };
        fleet.deliver();
        fleet.at(8 + 25);
        QCOMPARE(fleet.desk().undelivered()->front().waiting, std::int64_t{1});
        QVERIFY(fleet.desk().deliver({})->front().state == OutboxState::Dead);
        QCOMPARE(fleet.desk().undelivered()->front().dead, std::int64_t{1});
    }

    void silencesAndAcknowledgements()
    {
        DeskFleet fleet;
        fleet.at(5);
        fleet.evaluate();
        services::Silence silence;
        silence.rule = "idle";
        silence.from = fleet.clock.now();
        silence.until = silence.from + base::Seconds{4 * kHourSeconds};
        QCOMPARE(fleet.desk().silence(silence)->by, std::string("alex"));
        silence.rule = "nothing";
        QVERIFY(!fleet.desk().silence(silence).has_value());
        fleet.at(8);
        const auto fired = fleet.evaluate();
        QCOMPARE(fired.queued, std::size_t{0});
        const std::string key = fired.changes.back().key;
        QVERIFY(!fleet.desk().acknowledge({"k", "", "", fleet.clock.now()}).has_value());
        fleet.at(10);
        QCOMPARE(fleet.evaluate().queued, std::size_t{1});
        QVERIFY(fleet.desk().acknowledge({key, "", "on it", fleet.clock.now()}).has_value());
        QCOMPARE(fleet.history().acknowledged.size(), std::size_t{1});
        fleet.at(14);
        fleet.evaluate();
        QVERIFY(fleet.history().acknowledged.empty());
    }

    void aChangedRuleBeginsAnew()
    {
        DeskFleet fleet;
        fleet.fire();
        fleet.deliver();
        QVERIFY(fleet.workspace->apply(alertSettings("1000 USD/day")).has_value());
        const auto changed = fleet.evaluate();
        QCOMPARE(statesOf(changed), std::vector<AlertState>{AlertState::Resolved});
        fleet.deliver();
        QVERIFY(fleet.chat().sent.back().notices.front().state == NoticeState::Resolved);
        QVERIFY(fleet.workspace->apply(alertSettings()).has_value());
        QCOMPARE(statesOf(fleet.evaluate()), std::vector<AlertState>{AlertState::Firing});
        model::Settings none = alertSettings();
        none.alerts.clear();
        QVERIFY(fleet.workspace->apply(none).has_value());
        QCOMPARE(statesOf(fleet.evaluate()), std::vector<AlertState>{AlertState::Resolved});
        QVERIFY(fleet.evaluate().changes.empty());
    }

    void someTargetsAreToldAgainAndAgain()
    {
        DeskFleet fleet;
        fleet.chat().traits.repeat = base::Seconds{300};
        fleet.fire();
        QCOMPARE(fleet.deliver(), std::size_t{1});
        QCOMPARE(fleet.deliver(), std::size_t{0});
        fleet.at(8, 5);
        QCOMPARE(fleet.deliver(), std::size_t{1});
        QCOMPARE(fleet.chat().sent.front(), fleet.chat().sent.back());
        fleet.at(14);
        fleet.evaluate();
        QCOMPARE(fleet.deliver(), std::size_t{1});
        QVERIFY(fleet.chat().sent.back().notices.front().state == NoticeState::Resolved);
        fleet.at(15);
        QCOMPARE(fleet.deliver(), std::size_t{0});
    }

    void theHistoryUntilNowHasThisSecond()
    {
        DeskFleet fleet;
        fleet.fire();
        const base::TimeRange untilNow{base::fromUnix(0), fleet.clock.time};
        fleet.chat().answer = [](const auto &) { return Delivery{DeliveryOutcome::Refused, {}, "unwanted"}; };
        QCOMPARE(fleet.deliver(), std::size_t{1});
        QCOMPARE(fleet.desk().history(untilNow)->outbox.size(), std::size_t{1});
        fleet.at(9);
        QCOMPARE(fleet.desk().history({base::fromUnix(0), untilNow.end})->outbox.size(), std::size_t{0});
    }

    void whatIsSilencedIsNotRepeated()
    {
        DeskFleet fleet;
        fleet.chat().traits.repeat = base::Seconds{60};
        fleet.fire();
        QCOMPARE(fleet.deliver(), std::size_t{1});
        services::Silence silence;
        silence.scope = "vision";
        silence.from = fleet.clock.now();
        silence.until = silence.from + base::Seconds{600};
        QVERIFY(fleet.desk().silence(silence).has_value());
        for (int minute = 1; minute < 10; ++minute) {
            fleet.at(8, minute);
            QCOMPARE(fleet.deliver(), std::size_t{0});
        }
        QCOMPARE(fleet.chat().sent.size(), std::size_t{1});
        fleet.at(8, 11);
        QCOMPARE(fleet.deliver(), std::size_t{1}); // it still fires
        QCOMPARE(fleet.chat().sent.front(), fleet.chat().sent.back());
    }

    void aRoundSaysWhatFires()
    {
        DeskFleet fleet;
        const auto leads = fleet.fire();
        QCOMPARE(leads.firing.size(), std::size_t{1});
        QCOMPARE(leads.firing.front().scope, std::string("vision"));
        QCOMPARE(leads.firing.front().key, leads.changes.back().key);
        const auto other = fleet.open();
        const auto follows = other->alertDesk().evaluate({}).value();
        QVERIFY(!follows.isLeader);
        QCOMPARE(follows.firing.size(), std::size_t{1});
        QCOMPARE(follows.firing.front().key, leads.firing.front().key);
    }

    void aRepetitionThatFailsIsDueSoon()
    {
        DeskFleet fleet;
        fleet.chat().traits.repeat = base::Seconds{60};
        fleet.fire();
        for (int minute = 0; minute < 12; ++minute) {
            fleet.at(8, minute);
            QCOMPARE(fleet.deliver(), std::size_t{1});
        }
        for (const auto outcome : {DeliveryOutcome::Retry, DeliveryOutcome::Refused}) {
            fleet.clock.time += base::Seconds{60};
            fleet.chat().answer = [outcome](const auto &) { return Delivery{outcome, {}, "restarting"}; };
            QVERIFY(fleet.desk().deliver({})->front().state == OutboxState::Delivered);
            const auto due = fleet.desk().nextDue().value();
            QVERIFY(due && *due <= fleet.clock.now() + base::Seconds{30});
        }
    }

    void whatIsOverIsNotRepeated()
    {
        DeskFleet fleet;
        fleet.chat().traits.repeat = base::Seconds{60};
        fleet.chat().answer = [](const auto &) { return Delivery{DeliveryOutcome::Retry, {}, "down"}; };
        fleet.fire();
        fleet.deliver();
        fleet.at(14);
        fleet.evaluate();
        fleet.chat().answer = [](const auto &) { return Delivery{}; };
        fleet.deliver();
        fleet.at(14, 1);
        fleet.deliver();
        QVERIFY(fleet.chat().sent.back().notices.front().state == NoticeState::Resolved);
        const std::size_t sent = fleet.chat().sent.size();
        fleet.at(14, 5);
        QCOMPARE(fleet.deliver(), std::size_t{0});
        QCOMPARE(fleet.chat().sent.size(), sent);
        QVERIFY(!fleet.desk().nextDue()->has_value());
    }

    void aTargetRestsAfterAFailure()
    {
        DeskFleet fleet;
        model::Settings two = alertSettings();
        two.alerts.push_back(two.alerts.front());
        two.alerts.back().name = "again";
        QVERIFY(fleet.workspace->apply(two).has_value());
        fleet.chat().answer = [](const auto &) { return Delivery{DeliveryOutcome::Retry, base::Seconds{300}, "busy"}; };
        QCOMPARE(fleet.fire().queued, std::size_t{2});
        QCOMPARE(fleet.deliver(), std::size_t{1});
        QCOMPARE(fleet.deliver(), std::size_t{0});
        QCOMPARE(*fleet.desk().nextDue(), std::optional(fleet.clock.now() + base::Seconds{300}));
        fleet.at(8, 5);
        fleet.chat().answer = [](const auto &) { return Delivery{}; };
        QCOMPARE(fleet.deliver(), std::size_t{2});
    }

    void aProgramWithAnotherConfigurationDropsNothing()
    {
        DeskFleet fleet;
        fleet.fire();
        model::Settings older = alertSettings();
        older.alerts.front().send.clear();
        older.targets.clear();
        QVERIFY(fleet.workspace->apply(older).has_value());
        QCOMPARE(fleet.deliver(), std::size_t{0});
        QVERIFY(!fleet.desk().nextDue()->has_value());
        QVERIFY(fleet.workspace->apply(alertSettings()).has_value());
        QCOMPARE(fleet.deliver(), std::size_t{1});
        QCOMPARE(fleet.chat().sent.size(), std::size_t{1});
    }

    void aRuleThatIsChangedBackIsToldAgain()
    {
        DeskFleet fleet;
        fleet.fire();
        fleet.deliver();
        const std::string before = fleet.chat().sent.back().notices.front().key;
        QVERIFY(fleet.workspace->apply(alertSettings("1000 USD/day")).has_value());
        fleet.evaluate();
        fleet.deliver();
        QVERIFY(fleet.workspace->apply(alertSettings()).has_value());
        QCOMPARE(fleet.evaluate().queued, std::size_t{1});
        fleet.deliver();
        const model::Notice again = fleet.chat().sent.back().notices.front();
        QVERIFY(again.state == NoticeState::Firing);
        QVERIFY(again.key != before);
        QCOMPARE(fleet.evaluate().queued, std::size_t{0});
    }

    void aClockThatWasAhead()
    {
        DeskFleet fleet;
        fleet.at(5);
        fleet.evaluate();
        fleet.clock.time += base::Seconds{365 * 24 * kHourSeconds};
        fleet.evaluate();
        fleet.at(6);
        fleet.evaluate();
        fleet.at(9);
        const auto states = statesOf(fleet.evaluate());
        QVERIFY(!states.empty() && states.back() == AlertState::Firing);
    }

    void theEndIsThatOfTheAlert()
    {
        DeskFleet fleet;
        fleet.fire();
        fleet.deliver();
        fleet.at(20); // nothing ran meanwhile
        fleet.evaluate();
        fleet.deliver();
        const model::Notice over = fleet.chat().sent.back().notices.front();
        QVERIFY(over.state == NoticeState::Resolved);
        QVERIFY(over.endedAt && *over.endedAt < fleet.clock.now() - base::Seconds{5 * kHourSeconds});
    }

    void aTestMessage()
    {
        DeskFleet fleet;
        QVERIFY(fleet.desk().test("chat", {})->outcome == DeliveryOutcome::Delivered);
        QVERIFY(fleet.chat().sent.front().notices.front().state == NoticeState::Test);
        QVERIFY(fleet.desk().test("nobody", {}).error().code == base::ErrorCode::NotFound);
        QVERIFY(fleet.history().outbox.empty());
    }

    void words()
    {
        alerts::Rule rule = alerts::ruleOf(alertSettings().alerts.front(), base::Currency::usd(), {}).value();
        const auto usd = [&](std::int64_t nanos) {
            return services::alertValueText(rule, nanos, base::Currency::usd());
        };
        QCOMPARE(usd(200'000'000'000), std::string("200 USD/day"));
        QCOMPARE(usd(312'404'999'999), std::string("312.40 USD/day"));
        QCOMPARE(usd(995'000'000), std::string("1 USD/day"));
        QCOMPARE(usd(1'000), std::string("0.000001 USD/day"));
        QCOMPARE(usd(0), std::string("0 USD/day"));
        QCOMPARE(services::alertCommand(rule, "it's; rm"), std::string("gpuledger-cli idle --team='it'\\''s; rm'"));
        QCOMPARE(services::alertLink(rule, "a&b=ä"), std::string("gpuledger://idle?span=day&team=a%26b%3D%C3%A4"));
        QCOMPARE(services::alertItemLink("gpuledger://idle?span=day", "c1/ml/a&b"),
                 std::string("gpuledger://idle?span=day&at.item=c1%2Fml%2Fa%26b"));
        rule.bound.unit = alerts::RuleUnit::Share;
        QCOMPARE(usd(815'400'000), std::string("81.5 %"));
        QCOMPARE(usd(1'000'000'000), std::string("100 %"));
        rule.bound.unit = alerts::RuleUnit::Score;
        QCOMPARE(usd(5'250'000'000), std::string("5.25"));
        rule.metric = alerts::RuleMetric::Budget;
        rule.scope = alerts::RuleScope::Cluster;
        QCOMPARE(services::alertCommand(rule, "c1"), std::string("gpuledger-cli forecast --by cluster"));
        rule.metric = alerts::RuleMetric::IdleHours;
        rule.scope = alerts::RuleScope::Pool;
        QCOMPARE(services::alertCommand(rule, "c 1/a100"),
                 std::string("gpuledger-cli idle --cluster='c 1' --node-pool=a100"));
        QCOMPARE(services::alertLink(rule, "c1/a100"),
                 std::string("gpuledger://idle?span=day&cluster=c1&node-pool=a100"));
        const auto words = [&](const std::string &scope) {
            const std::string text = services::alertSummary(rule, scope, 0, base::Currency::usd(), false);
            return text.substr(0, text.find(" is "));
        };
        QCOMPARE(words("c1/a100"), std::string("Idle GPU time of pool c1/a100"));
        QCOMPARE(words("c1/"), std::string("Idle GPU time of c1 without a pool"));
        const std::string consequence = services::alertConsequence(base::Seconds{86400});
        QVERIFY(consequence.find("stopped 24h later") != std::string::npos
                || consequence.find("stopped 1d later") != std::string::npos);
        QVERIFY(consequence.find("gpu-ledger.io/keep-until=DATE") != std::string::npos);
    }

    void everyMetricHasWords()
    {
        for (const std::string &name : alerts::ruleMetricNames()) {
            const auto metric = alerts::ruleMetricFromString(name).value();
            model::AlertRule wanted;
            wanted.name = "r";
            wanted.metric = name;
            wanted.per = alerts::scopesOf(metric).front();
            wanted.bound = std::string(alerts::boundExample(metric));
            const alerts::Rule rule = alerts::ruleOf(wanted, base::Currency::usd(), {}).value();
            const std::string text = services::alertSummary(rule, "x", rule.bound.nanos, base::Currency::usd(), false);
            QVERIFY2(!text.starts_with("The value"), text.c_str());
            if (metric == alerts::RuleMetric::Reconciliation)
                QCOMPARE(text, std::string("Unexplained share of the bill is 1 %, above 1 %"));
            if (metric == alerts::RuleMetric::SourceLate)
                QCOMPARE(text, std::string("Age of the last sync of source x is 2 h, above 2 h"));
        }
    }
};

GPULEDGER_SUITE(TestAlertDesk)

} // namespace tst_alertdesk

#include "tst_alertdesk.moc"
