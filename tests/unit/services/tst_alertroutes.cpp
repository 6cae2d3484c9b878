// SPDX-License-Identifier: GPL-3.0-or-later
// Notices by routes: what teams hear of their alerts, and of what alert rules have marked to be stopped.
#include "app/actions/run/marks.h"
#include "app/actions/run/rulemarks.h"
#include "app/services/alerts/marks/marktold.h"
#include "app/services/config/config.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/reports/reportsettings.h"
#include "app/store/actions/actionstore.h"
#include "tests/support/suite.h"
#include "tests/unit/services/deskfleet.h"

#include <QTest>

#include <algorithm>
#include <utility>

namespace tst_alertroutes {

using namespace gpuledger;
using namespace gpuledger::tests;
using model::NoticeState;
using Names = std::vector<std::string>;

namespace {

void addTarget(model::Settings &settings, const std::string &name)
{
    settings.targets.push_back(settings.targets.front());
    settings.targets.back().name = name;
}

// The rule tells "chat", and the teams have targets of their own: one by a route, one beside an owner rule.
model::Settings routedSettings()
{
    model::Settings settings = alertSettings();
    addTarget(settings, "vision-chat");
    addTarget(settings, "speech-chat");
    settings.routes = {{"vision", {}, {}, {"vision-chat"}}};
    model::OwnerRule rule;
    rule.kind = model::OwnerRule::Kind::Namespace;
    rule.pattern = "speech";
    rule.team = "speech";
    rule.send = {"speech-chat"};
    settings.owners.push_back(rule);
    settings.actions.stopsMarked = true;
    return settings;
}

// A rule for each pool, which a route tells by the cluster.
model::Settings pooledSettings()
{
    model::Settings settings = routedSettings();
    settings.alerts.front().per = "pool";
    addTarget(settings, "cluster-chat");
    settings.routes.push_back({{}, {}, "prod", {"cluster-chat"}});
    return settings;
}

class RoutedFleet : public DeskFleet {
public:
    explicit RoutedFleet(const model::Settings &settings = routedSettings())
        : DeskFleet({"speech", "vision"})
    {
        use(settings);
    }
    void use(const model::Settings &settings)
    {
        if (!workspace->apply(settings))
            qFatal("the settings are refused");
    }
    // "firing speech", "resolved vision"
    Names heard(const std::string &target)
    {
        Names out;
        for (const model::NoticeGroup &group : targets->receivers[target].sent) {
            for (const model::Notice &notice : group.notices)
                out.push_back(std::string(model::toString(notice.state)) + ' ' + notice.scope);
        }
        return out;
    }
    const model::Notice &last(const std::string &target)
    {
        return targets->receivers[target].sent.back().notices.back();
    }
    insight::IdleItem idleOf(const std::string &team)
    {
        const auto idle = workspace->fleet().idle(clock.now(), {}).value();
        const auto item = std::find_if(idle.items.begin(), idle.items.end(),
                                       [&](const insight::IdleItem &one) { return one.owner == team; });
        if (item == idle.items.end())
            qFatal("the team has nothing idle");
        return *item;
    }
    // As markForRules() does.
    model::Lease mark(const std::string &team)
    {
        model::Lease lease;
        lease.kind = model::Lease::Kind::StopAfter;
        lease.holder = idleOf(team).id;
        lease.at = clock.now();
        lease.until = lease.at + base::Seconds{3 * kHourSeconds};
        lease.actor = std::string(actions::kAlertActor) + "idle";
        lease.reason = "idle-cost above 50 USD/day in " + team;
        return store()->actions().grant(lease).value();
    }
    void end(const model::Lease &lease, actions::MarkEnd how)
    {
        actions::MarkEvent event;
        event.kind = actions::MarkEvent::Kind::Over;
        event.end = how;
        if (!store()->actions().end(lease.id, clock.now(), "watch", actions::dataOf(event)))
            qFatal("the mark can't be ended");
    }
    std::size_t tellMarks()
    {
        const std::size_t queued = desk().tellMarks().value().queued;
        deliver();
        return queued;
    }

private:
    std::unique_ptr<store::LedgerStore> store() const { return store::LedgerStore::open(folder).value(); }
};

} // namespace

class TestAlertRoutes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachTeamHearsOnlyItsOwn()
    {
        RoutedFleet fleet;
        fleet.fire();
        fleet.deliver();
        QCOMPARE(fleet.heard("chat"), (Names{"firing speech", "firing vision"}));
        QCOMPARE(fleet.heard("vision-chat"), (Names{"firing vision"}));
        QCOMPARE(fleet.heard("speech-chat"), (Names{"firing speech"}));
        QVERIFY(fleet.last("vision-chat").summary.find("acknowledged") == std::string::npos);
        fleet.start(); // another run of the program
        fleet.use(routedSettings());
        QCOMPARE(fleet.evaluate().queued, std::size_t{0});
        fleet.at(14);
        fleet.evaluate();
        fleet.deliver();
        QCOMPARE(fleet.heard("vision-chat"), (Names{"firing vision", "resolved vision"}));
        QCOMPARE(fleet.heard("speech-chat"), (Names{"firing speech", "resolved speech"}));
    }

    // It has one cluster, items and costs, as an alert of a team has.
    void aPoolHasWhatItsClusterAndItsNodesHave()
    {
        RoutedFleet fleet(pooledSettings());
        fleet.fire();
        fleet.deliver();
        QCOMPARE(fleet.heard("chat"), (Names{"firing prod/a100"}));
        QCOMPARE(fleet.heard("cluster-chat"), (Names{"firing prod/a100"}));
        QVERIFY(fleet.heard("vision-chat").empty());
        const model::Notice &notice = fleet.last("cluster-chat");
        QCOMPARE(notice.items.size(), std::size_t{2});
        QVERIFY(notice.perMonth && notice.perMonth->nanos() > 0);
        QCOMPARE(notice.costSoFar->nanos(), std::int64_t{2 * 7'200'000'000}); // two GPUs for two hours
        QCOMPARE(notice.command, std::string("gpuledger-cli idle --cluster=prod --node-pool=a100"));
        QVERIFY(notice.link.starts_with("gpuledger://idle?span=day&cluster=prod&node-pool=a100&at.item="));
    }

    void aRouteThatComesOrGoes()
    {
        RoutedFleet fleet;
        fleet.fire();
        fleet.deliver();
        model::Settings settings = routedSettings();
        settings.routes = {{{}, "warning", {}, {"speech-chat"}}}; // instead of that of vision
        fleet.use(settings);
        fleet.evaluate();
        fleet.deliver();
        QCOMPARE(fleet.heard("speech-chat"), (Names{"firing speech", "firing vision"})); // it still fires
        QCOMPARE(fleet.heard("vision-chat"), (Names{"firing vision"}));
        fleet.at(14);
        fleet.evaluate();
        fleet.deliver();
        QCOMPARE(fleet.heard("vision-chat"), (Names{"firing vision", "resolved vision"}));
    }

    void aRoutedTargetIsNotEscalatedTo()
    {
        model::Settings settings = routedSettings();
        settings.alerts.front().escalate = {{base::Seconds{kHourSeconds}, {"vision-chat"}}};
        RoutedFleet fleet(settings);
        fleet.fire();
        fleet.deliver();
        QCOMPARE(fleet.heard("vision-chat"), (Names{"firing vision"}));
        fleet.at(9, 30);
        fleet.evaluate();
        fleet.deliver();
        QCOMPARE(fleet.heard("vision-chat"), (Names{"firing vision", "firing speech"}));
        QVERIFY(fleet.last("vision-chat").summary.find("nobody has acknowledged it for 1h") != std::string::npos);
        QVERIFY(fleet.targets->receivers["vision-chat"].sent.front().notices.front().summary.find("acknowledged")
                == std::string::npos);
    }

    void whatOnlyRoutesTellEscalates()
    {
        model::Settings settings = routedSettings();
        addTarget(settings, "boss");
        settings.alerts.front().send.clear();
        settings.alerts.front().escalate = {{base::Seconds{kHourSeconds}, {"boss"}}};
        RoutedFleet fleet(settings);
        fleet.fire();
        fleet.deliver();
        QCOMPARE(fleet.heard("vision-chat"), (Names{"firing vision"}));
        QVERIFY(fleet.heard("boss").empty());
        fleet.at(9, 30);
        fleet.evaluate();
        fleet.deliver();
        QCOMPARE(fleet.heard("boss"), (Names{"firing speech", "firing vision"}));
        QVERIFY(fleet.last("boss").summary.find("nobody has acknowledged it for 1h") != std::string::npos);
    }

    void anAcknowledgedMarkIsToldToNobody()
    {
        RoutedFleet fleet;
        fleet.fire();
        fleet.deliver();
        const std::string key = services::keyOfMark(fleet.mark("vision"));
        QVERIFY(!fleet.desk().acknowledge({key + '0', "", "", fleet.clock.now()}));
        QCOMPARE(fleet.desk().tellMarks()->queued, std::size_t{1});
        QVERIFY(fleet.desk().acknowledge({key, "", "it may go", fleet.clock.now()}).has_value());
        fleet.deliver();
        QCOMPARE(fleet.heard("vision-chat"), (Names{"firing vision"})); // the message that waited is cancelled
        model::Settings settings = routedSettings();
        addTarget(settings, "late-chat");
        settings.routes.push_back({"vision", "warning", {}, {"late-chat"}});
        fleet.use(settings);
        QCOMPARE(fleet.tellMarks(), std::size_t{0}); // a target that is added later isn't told either
    }

    void theOwnerHearsOfAMark()
    {
        RoutedFleet fleet;
        fleet.fire();
        fleet.deliver();
        QCOMPARE(fleet.tellMarks(), std::size_t{0});
        const model::Lease mark = fleet.mark("vision");
        QCOMPARE(fleet.tellMarks(), std::size_t{1});
        QCOMPARE(fleet.tellMarks(), std::size_t{0}); // once
        fleet.evaluate();
        fleet.deliver();
        QCOMPARE(fleet.heard("chat").size(), std::size_t{2});
        QCOMPARE(fleet.heard("speech-chat").size(), std::size_t{1});
        QCOMPARE(fleet.heard("vision-chat").size(), std::size_t{2});
        const model::Notice notice = fleet.last("vision-chat");
        const insight::IdleItem item = fleet.idleOf("vision");
        QVERIFY(notice.state == NoticeState::Firing);
        QCOMPARE(notice.rule, std::string("marks of idle"));
        QCOMPARE(notice.per, std::string("workload"));
        QCOMPARE(notice.severity, std::string("warning"));
        QVERIFY(notice.scope.ends_with("train-vision"));
        // What, until when, why, and how to object.
        QVERIFY2(notice.summary.find(
                     notice.scope + " of team vision is marked to be stopped at 2025-01-06T11:00:00Z: " + mark.reason)
                     == 0,
                 notice.summary.c_str());
        QVERIFY(notice.consequence.find("2025-01-06T11:00:00Z") != std::string::npos);
        QVERIFY(notice.consequence.find("gpu-ledger.io/keep-until=DATE") != std::string::npos);
        QCOMPARE(notice.command.find("gpuledger-cli act keep "), std::size_t{0});
        QVERIFY2(notice.command.find(item.id) != std::string::npos, notice.command.c_str());
        QVERIFY(notice.command.ends_with(" --until 2025-01-13"));
        QCOMPARE(notice.items.size(), std::size_t{1});
        QCOMPARE(notice.items.front().id, item.id);
        QCOMPARE(notice.perMonth, item.perMonth);
        fleet.end(mark, actions::MarkEnd::Stopped);
        QCOMPARE(fleet.tellMarks(), std::size_t{1});
        QCOMPARE(fleet.tellMarks(), std::size_t{0});
        QVERIFY(fleet.last("vision-chat").state == NoticeState::Resolved);
        QCOMPARE(fleet.last("vision-chat").key, notice.key);
        QCOMPARE(fleet.last("vision-chat").summary, notice.scope + " was stopped, as announced");
    }

    void aMarkThatIsOver_data()
    {
        QTest::addColumn<int>("how");
        QTest::addColumn<QString>("words");
        const auto row = [](actions::MarkEnd how, const char *words) {
            QTest::newRow(std::string(actions::toString(how)).c_str()) << static_cast<int>(how) << words;
        };
        row(actions::MarkEnd::Objected, "is not stopped, because somebody objected");
        row(actions::MarkEnd::Resolved, "is not stopped, because the alert is over");
        row(actions::MarkEnd::StoppedBefore, "was stopped by somebody else before its time");
        row(actions::MarkEnd::GaveUp, "is not stopped, because a check did not pass");
    }
    void aMarkThatIsOver()
    {
        QFETCH(int, how);
        QFETCH(QString, words);
        RoutedFleet fleet;
        fleet.fire();
        const model::Lease mark = fleet.mark("speech");
        fleet.tellMarks();
        fleet.at(9);
        fleet.end(mark, static_cast<actions::MarkEnd>(how));
        fleet.tellMarks();
        const model::Notice over = fleet.last("speech-chat");
        QVERIFY(over.state == NoticeState::Resolved);
        QVERIFY2(over.summary.ends_with(words.toStdString()), over.summary.c_str());
        QCOMPARE(over.endedAt, std::optional(fleet.clock.now()));
    }

    void aProgramThatDiesLosesNoMark()
    {
        RoutedFleet fleet;
        fleet.fire();
        fleet.mark("vision");
        QCOMPARE(fleet.desk().tellMarks()->queued, std::size_t{1});
        fleet.start(); // before anything was sent
        fleet.use(routedSettings());
        QCOMPARE(fleet.desk().tellMarks()->queued, std::size_t{0});
        fleet.deliver();
        QCOMPARE(fleet.heard("vision-chat").size(), std::size_t{2}); // the alert and the mark
    }

    void onlyTeamsHearOfMarks()
    {
        model::Settings settings = routedSettings();
        settings.routes = {{{}, "warning", {}, {"vision-chat"}}};
        RoutedFleet fleet(settings);
        fleet.fire();
        fleet.deliver();
        fleet.mark("vision");
        QCOMPARE(fleet.tellMarks(), std::size_t{0});
        // A team that gets a route later is told what is still marked.
        fleet.use(routedSettings());
        QCOMPARE(fleet.tellMarks(), std::size_t{1});
        QCOMPARE(fleet.last("vision-chat").per, std::string("workload"));
        // Marks are no longer permitted: nothing is stopped.
        settings = routedSettings();
        settings.actions.stopsMarked = false;
        fleet.use(settings);
        QCOMPARE(fleet.tellMarks(), std::size_t{1});
        QVERIFY(fleet.last("vision-chat").state == NoticeState::Resolved);
    }

    void aMarkIsRepeatedUntilItIsOver()
    {
        RoutedFleet fleet;
        fleet.targets->receivers["vision-chat"].traits.repeat = base::Seconds{60};
        fleet.fire();
        const model::Lease mark = fleet.mark("vision");
        fleet.tellMarks();
        const std::size_t sent = fleet.heard("vision-chat").size();
        fleet.at(8, 5);
        fleet.evaluate(); // its rules know nothing of marks
        fleet.deliver();
        QVERIFY(fleet.heard("vision-chat").size() >= sent + 2); // the alert and the mark
        fleet.end(mark, actions::MarkEnd::Objected);
        fleet.tellMarks();
        fleet.at(8, 10);
        fleet.evaluate();
        const std::size_t before = fleet.heard("vision-chat").size();
        fleet.deliver();
        QCOMPARE(fleet.heard("vision-chat").size(), before + 1); // only the alert
    }

    void aReportHasNoTargets()
    {
        const auto text = services::reportSettingsText(routedSettings(), "UTC");
        QVERIFY2(text.has_value(), text ? "" : text.error().text.c_str());
        QVERIFY(text->find("speech-chat") == std::string::npos);
    }
};

GPULEDGER_SUITE(TestAlertRoutes)

} // namespace tst_alertroutes

#include "tst_alertroutes.moc"
