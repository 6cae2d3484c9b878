// SPDX-License-Identifier: GPL-3.0-or-later
// Whom an alert is told to by its team, severity and cluster, and which messages follow.
#include "app/alerts/outbox/messageplan.h"
#include "app/alerts/outbox/routes.h"
#include "app/alerts/rules/rule.h"
#include "tests/support/suite.h"

#include <QTest>

#include <utility>

namespace tst_routes {

using namespace gpuledger;
using namespace gpuledger::alerts;
using Names = std::vector<std::string>;

namespace {

const base::UtcTime kRouteTime = base::fromUnix(1'800'000'000);

const std::vector<model::AlertRoute> kRoutes{{"vision", {}, {}, {"vision-chat"}},
                                             {"speech", {}, {}, {"speech-chat"}},
                                             {{}, "critical", {}, {"pager", "vision-chat"}},
                                             {{}, {}, "prod", {"prod-chat"}},
                                             {"vision", "info", {}, {"digest"}},
                                             {"vision", {}, "prod", {"both"}}};

Rule ruleOf(RuleScope scope, RuleSeverity severity)
{
    Rule rule;
    rule.name = "idle";
    rule.scope = scope;
    rule.severity = severity;
    return rule;
}

model::OwnerRule ownerOf(const std::string &team, const Names &send)
{
    model::OwnerRule rule;
    rule.kind = model::OwnerRule::Kind::Namespace;
    rule.pattern = "ml-" + team;
    rule.team = team;
    rule.send = send;
    return rule;
}

PlanAlert alertOf(const std::string &team)
{
    return {"key-" + team, "idle", team, kRouteTime - base::Seconds{600}};
}

// Two teams, each with a target of its own.
PlanQuestion twoTeams()
{
    PlanQuestion out;
    out.now = kRouteTime;
    out.firing = {alertOf("speech"), alertOf("vision")};
    out.send["idle"] = {"oncall"};
    for (const char *target : {"oncall", "speech-chat", "vision-chat"})
        out.targets[target] = {};
    out.routed = {{"key-speech", {"speech-chat"}}, {"key-vision", {"oncall", "vision-chat"}}};
    return out;
}

// "oncall: speech vision"
Names wordsOf(const std::vector<PlannedMessage> &messages)
{
    Names out;
    for (const PlannedMessage &message : messages) {
        std::string &line = out.emplace_back(message.target + ':');
        for (const PlanAlert &alert : message.alerts)
            line += ' ' + alert.scope;
    }
    return out;
}

PlanQuestion afterwards(PlanQuestion question)
{
    for (const PlannedMessage &message : planMessages(question)) {
        for (const PlanAlert &alert : message.alerts)
            question.told.push_back({alert, message.target, message.notice, false, question.now});
    }
    return question;
}

} // namespace

class TestRoutes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyConditionMustHold_data()
    {
        QTest::addColumn<QString>("team");
        QTest::addColumn<QString>("cluster");
        QTest::addColumn<QString>("severity");
        QTest::addColumn<QString>("targets");
        const auto row = [](const char *name, const char *team, const char *cluster, const char *severity,
                            const char *targets) { QTest::newRow(name) << team << cluster << severity << targets; };
        row("its team", "vision", "", "warning", "vision-chat ");
        row("another team", "speech", "", "warning", "speech-chat ");
        row("no route", "robotics", "", "warning", "");
        row("nothing known", "", "", "", "");
        row("severity", "", "", "critical", "pager vision-chat ");
        row("two routes, no target twice", "vision", "", "critical", "pager vision-chat ");
        row("team and severity", "vision", "", "info", "digest vision-chat ");
        row("cluster", "", "prod", "warning", "prod-chat ");
        row("another cluster", "", "dev", "warning", "");
        row("team and cluster", "vision", "prod", "warning", "both prod-chat vision-chat ");
        row("a beginning is not the name", "vis", "pro", "crit", "");
    }
    void everyConditionMustHold()
    {
        QFETCH(QString, team);
        QFETCH(QString, cluster);
        QFETCH(QString, severity);
        QFETCH(QString, targets);
        QString got;
        for (const std::string &one :
             routedTargets(kRoutes, {team.toStdString(), cluster.toStdString(), severity.toStdString()}))
            got += QString::fromStdString(one) + QLatin1Char(' ');
        QCOMPARE(got, targets);
        QVERIFY(routedTargets({}, {"vision", "prod", "critical"}).empty());
    }

    void aRouteTellsOnlyRulesThatHaveItsConditions()
    {
        QVERIFY(mayTell(kRoutes[0], "team", "warning"));
        QVERIFY(!mayTell(kRoutes[0], "cluster", "warning") && !mayTell(kRoutes[0], "all", "warning"));
        QVERIFY(mayTell(kRoutes[2], "all", "critical") && mayTell(kRoutes[2], "pool", "critical"));
        QVERIFY(!mayTell(kRoutes[2], "all", "warning"));
        QVERIFY(mayTell(kRoutes[3], "cluster", "info") && mayTell(kRoutes[3], "pool", "info"));
        QVERIFY(!mayTell(kRoutes[3], "team", "info"));
        QVERIFY(mayTell(kRoutes[4], "team", "info") && !mayTell(kRoutes[4], "team", "warning"));
        // No alert has both a team and a cluster.
        QVERIFY(!mayTell(kRoutes[5], "team", "info") && !mayTell(kRoutes[5], "cluster", "info"));
    }

    void anAlertHasWhatItsScopeSays()
    {
        const RouteSubject team = routeSubjectOf(ruleOf(RuleScope::Team, RuleSeverity::Info), "vision");
        QCOMPARE(team.team, std::string("vision"));
        QVERIFY(team.cluster.empty());
        QCOMPARE(team.severity, std::string("info"));
        const RouteSubject cluster = routeSubjectOf(ruleOf(RuleScope::Cluster, RuleSeverity::Critical), "prod");
        QVERIFY(cluster.team.empty());
        QCOMPARE(cluster.cluster, std::string("prod"));
        const RouteSubject pool = routeSubjectOf(ruleOf(RuleScope::Pool, RuleSeverity::Warning), "eu/prod/a100");
        QVERIFY(pool.team.empty());
        QCOMPARE(pool.cluster, std::string("eu/prod"));
        QVERIFY(routeSubjectOf(ruleOf(RuleScope::Pool, RuleSeverity::Warning), "a100").cluster.empty());
        for (const RuleScope scope : {RuleScope::All, RuleScope::Source, RuleScope::Project}) {
            const RouteSubject other = routeSubjectOf(ruleOf(scope, RuleSeverity::Warning), "vision");
            QVERIFY(other.team.empty() && other.cluster.empty());
        }
    }

    void anOwnerRuleIsARouteOfItsTeam()
    {
        model::Settings settings;
        settings.routes = {kRoutes.front()};
        settings.owners = {ownerOf("speech", {"speech-chat"}), ownerOf("robotics", {}), ownerOf("lab", {"lab-chat"})};
        settings.owners[2].from = kRouteTime;
        settings.owners[2].until = kRouteTime + base::Seconds{60};
        const auto routes = routesOf(settings, kRouteTime);
        QCOMPARE(routes.size(), std::size_t{3});
        QCOMPARE(routes[0], kRoutes.front());
        QCOMPARE(routes[1], (model::AlertRoute{"speech", {}, {}, {"speech-chat"}}));
        QCOMPARE(routes[2].team, std::string("lab"));
        // Before and after the time in which the rule applies.
        QCOMPARE(routesOf(settings, kRouteTime - base::Seconds{1}).size(), std::size_t{2});
        QCOMPARE(routesOf(settings, kRouteTime + base::Seconds{60}).size(), std::size_t{2});
    }

    void eachTeamHearsOnlyItsOwn()
    {
        PlanQuestion question = twoTeams();
        QCOMPARE(wordsOf(planMessages(question)),
                 (Names{"oncall: speech vision", "speech-chat: speech", "vision-chat: vision"}));
        question = afterwards(question);
        QVERIFY(planMessages(question).empty()); // nothing twice
        question.firing = {alertOf("vision")};
        QCOMPARE(wordsOf(planMessages(question)), (Names{"oncall: speech", "speech-chat: speech"})); // it is over
    }

    void aRouteThatComesOrGoes()
    {
        PlanQuestion question = twoTeams();
        question.routed.erase("key-speech");
        question = afterwards(question);
        question.routed["key-speech"] = {"speech-chat"};
        QCOMPARE(wordsOf(planMessages(question)), (Names{"speech-chat: speech"})); // it still fires
        question = afterwards(question);
        question.routed.clear();
        QVERIFY(planMessages(question).empty());
        question.firing.clear();
        QCOMPARE(wordsOf(planMessages(question)),
                 (Names{"oncall: speech vision", "speech-chat: speech", "vision-chat: vision"}));
    }

    void whoIsRoutedIsNotEscalatedTo()
    {
        PlanQuestion question = twoTeams();
        question.escalate["idle"] = {{base::Seconds{3600}, {"vision-chat"}}};
        question = afterwards(question);
        question.now += base::Seconds{3600};
        QCOMPARE(wordsOf(planMessages(question)), (Names{"vision-chat: speech"})); // of vision it knows
        QVERIFY(question.isRoutedTo("key-vision", "vision-chat"));
        QVERIFY(!question.isRoutedTo("key-speech", "vision-chat"));
        question.acknowledged.insert("key-speech");
        QVERIFY(planMessages(question).empty());
    }

    void aRuleWithoutTargetsHasItsRoutes()
    {
        PlanQuestion question = twoTeams();
        question.send.clear();
        question.silences.push_back({"", "speech", {kRouteTime, kRouteTime + base::Seconds{60}}});
        QCOMPARE(wordsOf(planMessages(question)), (Names{"oncall: vision", "vision-chat: vision"}));
    }
};

GPULEDGER_SUITE(TestRoutes)

} // namespace tst_routes

#include "tst_routes.moc"
