// SPDX-License-Identifier: GPL-3.0-or-later
// Which rules mark idle workloads, and where they fire.
#include "app/services/alerts/alertanswer.h"
#include "app/services/alerts/alertmarks.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_alertmarks {

using namespace gpuledger;
using services::markingRulesOf;

class TestAlertMarks : public QObject {
    Q_OBJECT

private:
    static model::AlertRule configured(const char *name, const char *per, std::optional<base::Seconds> after)
    {
        model::AlertRule rule;
        rule.name = name;
        rule.metric = "idle-cost";
        rule.per = per;
        rule.bound = "200 USD/day";
        rule.markAfter = after;
        return rule;
    }
    static services::RuleResult result(const char *name, alerts::RuleScope scope, std::vector<std::string> firing)
    {
        services::RuleResult out;
        out.rule.name = name;
        out.rule.scope = scope;
        for (const std::string &one : firing)
            out.firing.push_back({one, base::fromUnix(1'800'000'000), std::nullopt, 0, "key", {}});
        return out;
    }

private Q_SLOTS:
    void onlyRulesThatMark()
    {
        model::Settings settings;
        QVERIFY(!services::hasMarkingRules(settings));
        settings.alerts = {configured("tells", "team", std::nullopt)};
        QVERIFY(!services::hasMarkingRules(settings));
        settings.alerts.push_back(configured("marks", "team", base::Seconds{86400}));
        settings.alerts.push_back(configured("quiet", "cluster", base::Seconds{3600}));
        settings.alerts.push_back(configured("all", "all", base::Seconds{3600}));
        QVERIFY(services::hasMarkingRules(settings));
        services::AlertEvaluation evaluation;
        evaluation.rules = {result("tells", alerts::RuleScope::Team, {"vision"}),
                            result("marks", alerts::RuleScope::Team, {"speech", "vision"}),
                            result("quiet", alerts::RuleScope::Cluster, {}),
                            result("all", alerts::RuleScope::All, {"all"})};
        const auto rules = markingRulesOf(evaluation, settings);
        QCOMPARE(rules.size(), std::size_t{3});
        QCOMPARE(rules[0].name, std::string("marks"));
        QVERIFY(rules[0].scope == actions::MarkScope::Team && rules[0].after == base::Seconds{86400});
        QCOMPARE(rules[0].firing.size(), std::size_t{2});
        QCOMPARE(rules[0].firing.at("vision"),
                 std::string("idle-cost above 200 USD/day in vision since 2027-01-15T08:00:00Z"));
        QVERIFY(rules[1].scope == actions::MarkScope::Cluster && rules[1].firing.empty()); // its marks are released
        QVERIFY(rules[2].scope == actions::MarkScope::All && rules[2].firing.contains("all"));
    }

    // A pool's members are not known from the idle list, so nothing is marked rather than everything.
    void neverForPools()
    {
        model::Settings settings;
        settings.alerts = {configured("pools", "pool", base::Seconds{3600})};
        services::AlertEvaluation evaluation;
        evaluation.rules = {result("pools", alerts::RuleScope::Pool, {"a"})};
        QVERIFY(markingRulesOf(evaluation, settings).empty());
    }
};

GPULEDGER_SUITE(TestAlertMarks)

} // namespace tst_alertmarks

#include "tst_alertmarks.moc"
