// SPDX-License-Identifier: GPL-3.0-or-later
// Which rules mark idle workloads, and where they fire.
#include "app/model/settings.h"
#include "app/services/alerts/alertdesk.h"
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
    static void fires(std::vector<services::FiringAlert> &firing, const char *rule, const char *scope)
    {
        firing.push_back({rule, scope, "key", base::fromUnix(1'800'000'000)});
    }

    static services::AlertRound roundOf(const std::vector<services::FiringAlert> &firing)
    {
        services::AlertRound round;
        round.firing = firing;
        return round;
    }

private Q_SLOTS:
    void onlyRulesThatMark()
    {
        model::Settings settings;
        settings.alerts = {configured("tells", "team", std::nullopt)};
        settings.alerts.push_back(configured("marks", "team", base::Seconds{86400}));
        settings.alerts.push_back(configured("quiet", "cluster", base::Seconds{3600}));
        settings.alerts.push_back(configured("all", "all", base::Seconds{3600}));
        std::vector<services::FiringAlert> firing;
        fires(firing, "tells", "vision");
        fires(firing, "marks", "speech");
        fires(firing, "marks", "vision");
        fires(firing, "all", "all");
        const auto rules = markingRulesOf(roundOf(firing), settings);
        QCOMPARE(rules.size(), std::size_t{3});
        QCOMPARE(rules[0].name, std::string("marks"));
        QVERIFY(rules[0].scope == actions::MarkScope::Team && rules[0].after == base::Seconds{86400});
        QCOMPARE(rules[0].firing.size(), std::size_t{2});
        QCOMPARE(rules[0].firing.at("vision"),
                 std::string("idle-cost above 200 USD/day in vision since 2027-01-15T08:00:00Z"));
        QVERIFY(rules[1].scope == actions::MarkScope::Cluster && rules[1].firing.empty()); // its marks are released
        QVERIFY(rules[2].scope == actions::MarkScope::All && rules[2].firing.contains("all"));
    }

    void whatIsNotKnownNow()
    {
        model::Settings settings;
        settings.alerts = {configured("marks", "team", base::Seconds{86400}),
                           configured("other", "team", base::Seconds{86400})};
        std::vector<services::FiringAlert> firing;
        fires(firing, "marks", "speech");
        fires(firing, "marks", "vision");
        firing.back().isKnown = false;
        services::AlertRound round = roundOf(firing);
        auto rules = markingRulesOf(round, settings);
        QVERIFY(rules[0].isEvaluated && rules[1].isEvaluated);
        QCOMPARE(rules[0].unknown, std::set<std::string>{"vision"});
        QCOMPARE(rules[0].firing.size(), std::size_t{2});
        round.unevaluated = {"other"};
        rules = markingRulesOf(round, settings);
        QVERIFY(rules[0].isEvaluated && !rules[1].isEvaluated);
        rules = markingRulesOf(base::fail(base::ErrorCode::StorageFull, "the disk is full"), settings);
        QCOMPARE(rules.size(), std::size_t{2});
        QVERIFY(!rules[0].isEvaluated && !rules[1].isEvaluated && rules[0].firing.empty());
    }

    void ofAPool()
    {
        model::Settings settings;
        settings.alerts = {configured("pools", "pool", base::Seconds{3600})};
        std::vector<services::FiringAlert> firing;
        fires(firing, "pools", "prod/a100");
        const auto rules = markingRulesOf(roundOf(firing), settings);
        QCOMPARE(rules.size(), std::size_t{1});
        QVERIFY(rules[0].scope == actions::MarkScope::Pool && rules[0].firing.contains("prod/a100"));
    }
};

GPULEDGER_SUITE(TestAlertMarks)

} // namespace tst_alertmarks

#include "tst_alertmarks.moc"
