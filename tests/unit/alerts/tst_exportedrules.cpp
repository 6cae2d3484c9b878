// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of Prometheus: which metrics are exported and how, what is refused and why, and hostile names. Whether
// Prometheus accepts them is tested in tests/integration/run_exportrules.py.
#include "app/alerts/prometheus/promalert.h"
#include "app/alerts/prometheus/promrules.h"
#include "app/alerts/prometheus/promteams.h"
#include "app/alerts/prometheus/promtext.h"
#include "tests/support/suite.h"

#include <QtTest>

namespace tst_exportedrules {

using namespace gpuledger;
using namespace gpuledger::alerts;

namespace {

Rule exportRule(const char *metric, const char *per, const char *bound, const char *hours = "", long length = 0,
                const base::TimeZone &zone = {})
{
    model::AlertRule configured;
    configured.name = metric;
    configured.metric = metric;
    configured.per = per;
    configured.bound = bound;
    configured.workingHours = hours;
    configured.length = base::Seconds{length};
    return ruleOf(configured, base::Currency::usd(), zone).value();
}

RulesToExport questionWith(std::vector<Rule> rules)
{
    RulesToExport out;
    out.rules = std::move(rules);
    out.threshold = 0.05;
    out.source = {"prod", "c1", "", true};
    model::OwnerRule byNamespace;
    byNamespace.kind = model::OwnerRule::Kind::Namespace;
    out.owners = {byNamespace};
    out.testTeam = kTestNamespace;
    out.prices = {{"c1", "H100", 2'490'000'000}};
    out.at = base::parseTime("2026-11-02").value();
    out.file = "prod.rules.yml";
    return out;
}

std::string reasonOf(const Rule &rule, const RulesToExport &question)
{
    RulesToExport one = question;
    one.rules = {rule};
    const ExportedRules answer = exportedRules(one);
    return answer.notExported.empty() ? std::string() : answer.notExported.front().reason;
}

bool has(const std::string &text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class tst_exportedrules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachMetricHasItsExpression()
    {
        const std::string hour = "[59m:5m]) / scalar(count_over_time(vector(1)[59m:5m]))";
        QCOMPARE(prom::alertExpression(exportRule("idle-cost", "team", "200.5 USD/day")),
                 "24 * sum_over_time(gpuledger:team:idle_cost_per_hour" + hour + " > 200.5");
        QCOMPARE(prom::alertExpression(exportRule("idle-hours", "pool", "100 h/day")),
                 "24 * sum_over_time(gpuledger:pool:idle_gpus" + hour + " > 100");
        QCOMPARE(prom::alertExpression(exportRule("unallocated", "all", "8 GPU")),
                 "sum_over_time(gpuledger:all:free_gpus" + hour + " > 8");
        QCOMPARE(prom::alertExpression(exportRule("unallocated", "cluster", "8 USD/day")),
                 "24 * sum_over_time(gpuledger:cluster:free_cost_per_hour" + hour + " > 8");
        QCOMPARE(prom::alertExpression(exportRule("utilization", "team", "30 %")),
                 std::string("sum_over_time(gpuledger:team:busy_gpus[59m:5m]) / "
                             "sum_over_time(gpuledger:team:held_gpus[59m:5m]) < 0.3"));
    }

    void onlyWhatIsNeededIsRecorded()
    {
        const ExportedRules cost = exportedRules(questionWith({exportRule("idle-cost", "team", "200 USD/day")}));
        QCOMPARE(cost.exported, std::vector<std::string>{"idle-cost"});
        QVERIFY(has(cost.rules, "vector(2.49)"));
        QVERIFY(has(cost.rules, "labels: { cluster: \"c1\", gpu_model: \"H100\", currency: \"USD\" }"));
        QVERIFY(has(cost.rules, "gpuledger:holder_team") && !has(cost.rules, "gpuledger:node_pool"));
        const ExportedRules hours =
            exportedRules(questionWith({exportRule("idle-hours", "pool", "9 h/day", "", 7200)}));
        QVERIFY(has(hours.rules, "sum by (cluster, pool) ("));
        QVERIFY(has(hours.rules, "idle-hours of pool {{ $labels.cluster }}/{{ $labels.pool }}: "));
        QVERIFY(has(hours.rules, "gpuledger:node_pool") && !has(hours.rules, "gpuledger:holder_team"));
        QVERIFY(!has(hours.rules, "vector(2.49)"));
        QVERIFY(has(hours.rules, "    for: 7200s\n"));
        QVERIFY(has(hours.tests, "idle-hours fires") && has(hours.tests, "idle-hours is quiet"));
    }

    void whatPrometheusCannotKnowIsRefused()
    {
        const RulesToExport question = questionWith({});
        QVERIFY(has(reasonOf(exportRule("budget", "team", "80 %"), question), "not in Prometheus"));
        QVERIFY(has(reasonOf(exportRule("forecast", "team", "80 %"), question), "not in Prometheus"));
        QVERIFY(has(reasonOf(exportRule("attribution-coverage", "all", "95 %"), question), "not in Prometheus"));
        QVERIFY(has(reasonOf(exportRule("unallocated", "team", "8 GPU"), question), "nobody holds"));
        RulesToExport free = question;
        free.prices.clear();
        QVERIFY(has(reasonOf(exportRule("idle-cost", "all", "8 USD/day"), free), "has a price"));
        QCOMPARE(reasonOf(exportRule("idle-hours", "all", "8 h/day"), free), std::string());
        RulesToExport several = question;
        several.source.isOnly = false;
        QVERIFY(has(reasonOf(exportRule("idle-hours", "all", "8 h/day"), several), "several sources"));
        QVERIFY(has(reasonOf(exportRule("idle-hours", "team", "8 h/day"), several), "several sources"));
        QCOMPARE(reasonOf(exportRule("idle-hours", "pool", "8 h/day"), several), std::string());
    }

    void anOwnerRuleThatIsNoExpressionIsNamed()
    {
        RulesToExport question = questionWith({});
        const Rule team = exportRule("utilization", "team", "30 %");
        model::OwnerRule pool;
        pool.kind = model::OwnerRule::Kind::NodePool;
        pool.pattern = "a100";
        pool.team = "x";
        question.owners.push_back(pool);
        QVERIFY(has(reasonOf(team, question), "\"node_pool a100\""));
        QCOMPARE(reasonOf(exportRule("utilization", "cluster", "30 %"), question), std::string());
        question.owners.pop_back();
        question.owners.front().until = question.at;
        QVERIFY(has(reasonOf(team, question), "limited time"));
        question.owners.front().until.reset();
        QCOMPARE(reasonOf(team, question), std::string());
        model::OwnerRule rest;
        question.owners.push_back(rest); // of kind Default; what follows it never applies
        question.owners.push_back(pool);
        QCOMPARE(reasonOf(team, question), std::string());
    }

    void workingHoursAreThoseOfUtc()
    {
        const RulesToExport question = questionWith({});
        const Rule day = exportRule("utilization", "all", "30 %", "mon 8-18, sun 0-2");
        QCOMPARE(reasonOf(day, question), std::string());
        const std::string expression = prom::alertExpression(day);
        QVERIFY(has(expression, ">= 0 < 2)") && has(expression, ">= 32 < 42)"));
        const auto berlin = base::TimeZone::find("Europe/Berlin");
        QVERIFY(bool(berlin));
        QVERIFY(
            has(reasonOf(exportRule("utilization", "all", "30 %", "mon 8-18", 0, *berlin), question), "Europe/Berlin"));
        QVERIFY(has(reasonOf(exportRule("utilization", "all", "30 %", "mon 8-18", 36000), question), "working hours"));
        const auto night = prom::longestSpan(exportRule("utilization", "all", "30 %", "sun 22-24, mon 0-3"));
        QVERIFY(night && night->begin == 6 * 24 + 22 && night->hours == 5);
        QVERIFY(!prom::longestSpan(exportRule("utilization", "all", "30 %", "mon-sun 0-24")));
    }

    void hostileNamesStayTexts()
    {
        QCOMPARE(prom::inQuotes("a\"b\\c\nd\x01"), std::string("\"a\\\"b\\\\c\\u000ad\\u0001\""));
        QCOMPARE(prom::inQuotes("\xc3\xbc\xe2\x80\xa8\xff"), std::string("\"\xc3\xbc\\u2028?\""));
        QCOMPARE(prom::exactly("a.b(c)"), std::string("a\\.b\\(c\\)"));
        QCOMPARE(prom::literal("$1"), std::string("$$1"));
        RulesToExport question = questionWith({exportRule("idle-hours", "team", "8 h/day")});
        question.source = {"prod\n- alert: x", "c\"}\n", "", true};
        question.owners.front().pattern = "n\"\n  - alert: y";
        question.owners.front().team = "$1{{ x }}\n";
        const ExportedRules answer = exportedRules(question);
        QVERIFY(!has(answer.rules, "\n- alert") && !has(answer.rules, "\n  - alert: x")
                && !has(answer.rules, "\n  - alert: y"));
        QVERIFY(has(answer.rules, "\"$$1{{ x }}\\u000a\""));
        QVERIFY(has(answer.rules, "\"c\\\"}\\u000a\""));
    }

    void nothingToExportIsAnEmptyFile()
    {
        const ExportedRules answer = exportedRules(questionWith({exportRule("budget", "team", "80 %")}));
        QVERIFY(has(answer.rules, "# not exported: budget: ") && has(answer.rules, "\ngroups: []\n"));
        QVERIFY(has(answer.tests, "\ntests: []\n"));
        QVERIFY(answer.exported.empty());
    }
};

GPULEDGER_PLAIN_SUITE(tst_exportedrules)

} // namespace tst_exportedrules

#include "tst_exportedrules.moc"
