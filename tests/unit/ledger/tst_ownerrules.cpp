// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/rules/ownerrules.h"
#include "app/ledger/rules/workloadrules.h"
#include "app/model/money/mangledlabel.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_ownerrules {

using namespace gpuledger;
using ledger::OwnerRules;
using ledger::WorkloadRules;
using model::OwnerRule;
using model::WorkloadKind;

namespace {

const base::UtcTime kAt = base::parseTime("2026-11-01").value();

OwnerRule rule(OwnerRule::Kind kind, std::string key = {}, std::string pattern = {}, std::string team = {},
               OwnerRule::Match match = OwnerRule::Match::Exact)
{
    return {kind, match, std::move(key), std::move(pattern), std::move(team), {}, {}};
}

std::string ownerOf(std::vector<OwnerRule> rules, const model::Holder &holder, const model::Node *node = nullptr,
                    base::UtcTime at = kAt)
{
    return OwnerRules::create(std::move(rules)).value().ownerOf(holder, node, at).team;
}

model::Holder holder(std::string nameSpace, model::Labels labels = {}, model::Labels namespaceLabels = {})
{
    model::Holder h;
    h.nameSpace = std::move(nameSpace);
    h.labels = std::move(labels);
    h.namespaceLabels = std::move(namespaceLabels);
    return h;
}

using Kind = OwnerRule::Kind;
using Match = OwnerRule::Match;

} // namespace

class TestOwnerRules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void manglesLabelKeys_data();
    void manglesLabelKeys();
    void defaultsGoFromLabelToNamespace();
    void firstMatchWins();
    void exactPrefixAndExpression();
    void emptyValueDoesNotMatch();
    void badExpressionIsRefused();
    void validityIsHalfOpen();
    void nodePools();
    void defaultRuleCatchesTheRest();
    void kindsOfWorkload_data();
    void kindsOfWorkload();
    void machinesHaveTags();
    void usersWorkloadRulesComeFirst();
    void environmentAndProtection();
};

void TestOwnerRules::manglesLabelKeys_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("mangled");
    QTest::newRow("plain") << "team"
                           << "team";
    QTest::newRow("dashes") << "cost-center"
                            << "cost_center";
    QTest::newRow("prefix") << "app.kubernetes.io/part-of"
                            << "app_kubernetes_io_part_of";
    QTest::newRow("camel case") << "costCenter"
                                << "cost_center";
    QTest::newRow("upper case") << "TEAM"
                                << "team";
    QTest::newRow("digit before capital") << "v2Team"
                                          << "v2_team";
    QTest::newRow("empty") << ""
                           << "";
}

void TestOwnerRules::manglesLabelKeys()
{
    QFETCH(QString, key);
    QFETCH(QString, mangled);
    QCOMPARE(QString::fromStdString(model::mangledLabel(key.toStdString())), mangled);
}

void TestOwnerRules::defaultsGoFromLabelToNamespace()
{
    QCOMPARE(ownerOf({}, holder("ns", {{"team", "a"}, {"owner", "b"}}, {{"team", "c"}})), std::string("a"));
    QCOMPARE(ownerOf({}, holder("ns", {{"cost_center", "7"}}, {{"team", "c"}})), std::string("7"));
    QCOMPARE(ownerOf({}, holder("ns", {}, {{"owner", "c"}})), std::string("c"));
    QCOMPARE(ownerOf({}, holder("ns")), std::string("ns"));
    QCOMPARE(ownerOf({}, holder("")), std::string("unowned"));
}

void TestOwnerRules::firstMatchWins()
{
    const std::vector<OwnerRule> rules{rule(Kind::Namespace, {}, "ml-", "early", Match::Prefix),
                                       rule(Kind::Label, "team"), rule(Kind::Namespace)};
    QCOMPARE(ownerOf(rules, holder("ml-x", {{"team", "a"}})), std::string("early"));
    QCOMPARE(ownerOf(rules, holder("x", {{"team", "a"}})), std::string("a"));
    const auto made = OwnerRules::create(rules).value();
    QCOMPARE(made.ownerOf(holder("x"), nullptr, kAt).rule, 2);
    QCOMPARE(made.ownerOf(holder(""), nullptr, kAt).rule, -1);
}

void TestOwnerRules::exactPrefixAndExpression()
{
    const model::Holder h = holder("team-vision-prod", {{"app_kubernetes_io_part_of", "x"}});
    QCOMPARE(ownerOf({rule(Kind::Label, "app.kubernetes.io/part-of")}, h), std::string("x"));
    QCOMPARE(ownerOf({rule(Kind::Namespace, {}, "team-vision", "t")}, h), std::string("unowned"));
    QCOMPARE(ownerOf({rule(Kind::Namespace, {}, "team-vision", "t", Match::Prefix)}, h), std::string("t"));
    QCOMPARE(ownerOf({rule(Kind::Namespace, {}, "^team-(?P<team>[a-z]+)-", {}, Match::Regex)}, h),
             std::string("vision"));
    QCOMPARE(ownerOf({rule(Kind::Namespace, {}, "^team-(?P<team>[a-z]+)-", "fixed", Match::Regex)}, h),
             std::string("fixed"));
    QCOMPARE(ownerOf({rule(Kind::Namespace, {}, "vision", {}, Match::Regex)}, h), std::string("team-vision-prod"));
    QCOMPARE(ownerOf({rule(Kind::Namespace, {}, "^(?P<team>z*)", {}, Match::Regex), rule(Kind::Namespace)}, h),
             std::string("team-vision-prod")); // an empty group does not name a team
    // An expression that takes a backtracking engine forever.
    const std::string evil(5000, 'a');
    QCOMPARE(ownerOf({rule(Kind::Namespace, {}, "^(a+)+$", "t", Match::Regex)}, holder(evil + "!")),
             std::string("unowned"));
}

void TestOwnerRules::machinesHaveTags()
{
    const std::vector<OwnerRule> rules{rule(Kind::CloudTag, "CostCenter"), rule(Kind::Label, "team")};
    model::Holder h = holder("", {{"cost_center", "42"}, {"team", "vision"}});
    QCOMPARE(ownerOf(rules, h), std::string("vision"));
    h.kind = model::SubjectKind::Machine;
    QCOMPARE(ownerOf(rules, h), std::string("42"));
    h.labels.erase("cost_center");
    QCOMPARE(ownerOf(rules, h), std::string("vision"));
}

void TestOwnerRules::emptyValueDoesNotMatch()
{
    QCOMPARE(ownerOf({rule(Kind::Label, "team"), rule(Kind::Namespace)}, holder("ns", {{"team", ""}})),
             std::string("ns"));
    QCOMPARE(ownerOf({rule(Kind::Label, "team", ".*", "t", Match::Regex)}, holder("ns")), std::string("unowned"));
}

void TestOwnerRules::badExpressionIsRefused()
{
    for (const char *bad : {"(", "(?P<team>", "a{2000}", "(?=x)", "\\1"}) {
        const auto made = OwnerRules::create({rule(Kind::Namespace, {}, bad, {}, Match::Regex)});
        QVERIFY2(!made, bad);
        QVERIFY(made.error().code == base::ErrorCode::InvalidConfig);
    }
}

void TestOwnerRules::validityIsHalfOpen()
{
    OwnerRule first = rule(Kind::Namespace, {}, {}, "old"), second = rule(Kind::Namespace, {}, {}, "new");
    first.until = kAt;
    second.from = kAt;
    QCOMPARE(ownerOf({first, second}, holder("ns"), nullptr, kAt - base::Seconds{1}), std::string("old"));
    QCOMPARE(ownerOf({first, second}, holder("ns"), nullptr, kAt), std::string("new"));
    const auto made = OwnerRules::create({first, second}).value();
    QCOMPARE(made.boundaries().size(), std::size_t{1});
}

void TestOwnerRules::nodePools()
{
    model::Node node;
    node.labels = {{"eks_amazonaws_com_nodegroup", "a100"}};
    const auto rules =
        OwnerRules::create({rule(Kind::Label, "team"), rule(Kind::NodePool, {}, "a1", "t", Match::Prefix)});
    QCOMPARE(rules->ownerOfNode(&node, kAt).team, std::string("t"));
    QCOMPARE(rules->ownerOf(holder("ns"), &node, kAt).team, std::string("t"));
    QCOMPARE(rules->ownerOf(holder("ns"), nullptr, kAt).team, std::string("unowned"));
    QCOMPARE(rules->ownerOfNode(nullptr, kAt).team, std::string("shared"));
    node.labels = {{"pool", "cpu"}};
    QCOMPARE(rules->ownerOfNode(&node, kAt).team, std::string("shared"));
}

void TestOwnerRules::defaultRuleCatchesTheRest()
{
    QCOMPARE(ownerOf({rule(Kind::Label, "team"), rule(Kind::Default, {}, {}, "platform")}, holder("ns")),
             std::string("platform"));
    QCOMPARE(ownerOf({rule(Kind::Default)}, holder("ns")), std::string("unowned"));
}

void TestOwnerRules::kindsOfWorkload_data()
{
    QTest::addColumn<QString>("label");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("controller");
    QTest::addColumn<QString>("kind");
    QTest::newRow("said outright") << "workload_type"
                                   << "batch"
                                   << "Deployment"
                                   << "batch";
    QTest::newRow("said wrongly") << "workload_type"
                                  << "nonsense"
                                  << "Deployment"
                                  << "inference";
    QTest::newRow("Kubeflow notebook") << "notebook_name"
                                       << "x"
                                       << "StatefulSet"
                                       << "notebook";
    QTest::newRow("KServe") << "serving_kserve_io_inferenceservice"
                            << "x"
                            << "ReplicaSet"
                            << "inference";
    QTest::newRow("job") << "x"
                         << "y"
                         << "Job"
                         << "training";
    QTest::newRow("cron job") << "x"
                              << "y"
                              << "CronJob"
                              << "batch";
    QTest::newRow("stateful set") << "x"
                                  << "y"
                                  << "StatefulSet"
                                  << "development";
    QTest::newRow("bare pod") << "x"
                              << "y"
                              << ""
                              << "unknown";
}

void TestOwnerRules::kindsOfWorkload()
{
    QFETCH(QString, label);
    QFETCH(QString, value);
    QFETCH(QString, controller);
    QFETCH(QString, kind);
    model::Holder h = holder("ns", {{label.toStdString(), value.toStdString()}});
    h.ownerKind = controller.toStdString();
    QCOMPARE(QString::fromUtf8(model::toString(WorkloadRules({}).kindOf(h)).data()), kind);
}

void TestOwnerRules::usersWorkloadRulesComeFirst()
{
    model::Settings settings;
    settings.workloads.push_back({{{"app.kubernetes.io/name", "lab"}}, "ml", WorkloadKind::Notebook});
    const WorkloadRules rules(settings);
    model::Holder h = holder("ml", {{"app_kubernetes_io_name", "lab"}, {"workload_type", "batch"}});
    QVERIFY(rules.kindOf(h) == WorkloadKind::Notebook);
    h.nameSpace = "other";
    QVERIFY(rules.kindOf(h) == WorkloadKind::Batch);
    model::Holder job;
    job.kind = model::SubjectKind::SlurmJob;
    QVERIFY(rules.kindOf(job) == WorkloadKind::Training);
}

void TestOwnerRules::environmentAndProtection()
{
    const WorkloadRules rules({});
    QCOMPARE(rules.environmentOf(holder("ns", {{"env", "prod"}}, {{"env", "test"}})), std::string("prod"));
    QCOMPARE(rules.environmentOf(holder("ns", {}, {{"environment", "test"}})), std::string("test"));
    QVERIFY(rules.protectionOf(holder("ns")).empty());
    QVERIFY(!rules.protectionOf(holder("kube-system")).empty());
    QVERIFY(!rules.protectionOf(holder("ns", {{"gpuledger_io_protect", "true"}})).empty());
    QVERIFY(rules.protectionOf(holder("ns", {{"gpuledger_io_protect", "false"}})).empty());
    model::Settings settings;
    settings.idle.protect.push_back({{{"tier", "gold"}}, "ns"}); // both have to match
    const WorkloadRules both(settings);
    QVERIFY(both.protectionOf(holder("ns")).empty());
    QVERIFY(both.protectionOf(holder("other", {{"tier", "gold"}})).empty());
    QVERIFY(!both.protectionOf(holder("ns", {{"tier", "gold"}})).empty());
}

GPULEDGER_PLAIN_SUITE(TestOwnerRules)

} // namespace tst_ownerrules

#include "tst_ownerrules.moc"
