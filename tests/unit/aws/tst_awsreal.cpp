// SPDX-License-Identifier: GPL-3.0-or-later
// Over real sockets, against moto; boto3 observes the machines independently.
#include "connectors/aws/accounts/accountnames.h"
#include "connectors/aws/budgets/awsbudgets.h"
#include "connectors/connectorregistry.h"
#include "connectors/http/curlhttpclient.h"
#include "tests/support/suite.h"
#include "tests/unit/aws/fakeaws.h"
#include "tests/unit/aws/motoserver.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTest>

namespace tst_awsreal {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using Kind = ports::WriteOutcome::Kind;

class TestAwsReal : public QObject {
    Q_OBJECT

private:
    MotoServer m_moto;
    AwsSetup m_setup;
    std::unique_ptr<aws::AwsTarget> m_target;

    // What boto3 reports.
    QJsonObject boto(const QJsonObject &question) { return m_moto.ask(question); }
    QJsonObject boto(const char *what, const QString &id)
    {
        return boto({{QStringLiteral("do"), QLatin1String(what)}, {QStringLiteral("id"), id}});
    }
    QJsonObject notebook(const char *what, const char *name)
    {
        return boto({{QStringLiteral("do"), QLatin1String(what)}, {QStringLiteral("name"), QLatin1String(name)}});
    }
    QString stateOf(const QString &id) { return boto("describe", id)[QStringLiteral("state")].toString(); }
    QJsonObject tagsOf(const QString &id) { return boto("describe", id)[QStringLiteral("tags")].toObject(); }
    QJsonObject newMachine() { return boto({{QStringLiteral("do"), QStringLiteral("run")}}); }
    static model::HolderKey holder(const QString &id)
    {
        model::HolderKey key;
        key.name = "box";
        key.kind = model::SubjectKind::Machine;
        key.instanceId = id.toStdString();
        return key;
    }

private Q_SLOTS:
    void initTestCase()
    {
        GPULEDGER_START_MOTO(m_moto);
        m_setup.settings.url = m_moto.url();
        aws::Tuning tuning;
        tuning.surroundings = {[this](const std::string &name) { return m_setup.environment[name]; }, m_setup.home};
        m_target = std::make_unique<aws::AwsTarget>(m_setup.settings, m_setup.clock,
                                                    std::make_shared<http::CurlHttpClient>(), tuning);
    }
    void stopsAndStartsAMachine()
    {
        const QString id = newMachine()[QStringLiteral("id")].toString();
        QCOMPARE(stateOf(id), QStringLiteral("running"));
        const auto found = m_target->find(holder(id), {});
        QVERIFY2(found, found ? "" : found.error().text.c_str());
        QVERIFY(!found->obstacle && found->labels.at("team") == "vision");
        QVERIFY(std::find(found->losses.begin(), found->losses.end(), model::Loss::LocalDisk) != found->losses.end());
        QVERIFY(!found->isReversible); // its local disks are erased
        const QString whole = boto({{QStringLiteral("do"), QStringLiteral("run")},
                                    {QStringLiteral("type"), QStringLiteral("g5g.16xlarge")}})[QStringLiteral("id")]
                                  .toString();
        const auto other = m_target->find(holder(whole), {});
        QVERIFY2(other && other->isReversible, other ? "one way" : other.error().text.c_str());
        QVERIFY(m_target->permission(*found, false, {})->isAllowed);
        const auto rehearsed = m_target->rehearse(*found, AwsSetup::mark(), {});
        QVERIFY(rehearsed && rehearsed->kind == ports::Rehearsal::Kind::Accepted);
        QCOMPARE(stateOf(id), QStringLiteral("running"));
        QVERIFY(tagsOf(id).size() == 1); // a rehearsal leaves no traces
        const auto stopped = m_target->stop(*found, AwsSetup::mark(), {});
        QVERIFY2(stopped.kind == Kind::Done && stopped.warnings.empty(), stopped.text.c_str());
        QCOMPARE(stateOf(id), QStringLiteral("stopped"));
        QCOMPARE(tagsOf(id)[QStringLiteral("gpu-ledger.io/stopped-by")].toString(), QStringLiteral("ada@example.org"));
        const auto after = m_target->read(found->ref, {});
        QVERIFY(after && after->isStopped && after->mark && after->mark->key == "key-1");
        QVERIFY(m_target->permission(*after, true, {})->isAllowed);
        const auto undone = m_target->undo(*after, AwsSetup::mark(), "", {});
        QVERIFY2(undone.kind == Kind::Done && undone.warnings.empty(), undone.text.c_str());
        QCOMPARE(stateOf(id), QStringLiteral("running"));
        QCOMPARE(tagsOf(id).size(), 1);
    }

    void findsByThePrivateName()
    {
        const QJsonObject made = newMachine();
        model::HolderKey key;
        key.node = made[QStringLiteral("node")].toString().toStdString();
        const auto found = m_target->find(key, {});
        QVERIFY2(found, found ? "" : found.error().text.c_str());
        QCOMPARE(found->ref.name, made[QStringLiteral("id")].toString().toStdString());
    }

    void stopsNothingThatBotoChanged_data()
    {
        QTest::addColumn<QByteArray>("change");
        for (const char *change : {"tag", "stop", "terminate"})
            QTest::newRow(change) << QByteArray(change);
    }
    void stopsNothingThatBotoChanged()
    {
        QFETCH(QByteArray, change);
        const QString id = newMachine()[QStringLiteral("id")].toString();
        const auto found = m_target->find(holder(id), {});
        QVERIFY(found);
        QJsonObject question{{QStringLiteral("do"), QString::fromLatin1(change)}, {QStringLiteral("id"), id}};
        if (change == "tag") {
            question[QStringLiteral("key")] = QStringLiteral("team");
            question[QStringLiteral("value")] = QStringLiteral("speech");
        }
        QVERIFY(!boto(question).contains(QStringLiteral("error")));
        const auto outcome = m_target->stop(*found, AwsSetup::mark(), {});
        QVERIFY2(outcome.kind == (change == "terminate" ? Kind::Gone : Kind::Changed), outcome.text.c_str());
        QVERIFY(!tagsOf(id).contains(QStringLiteral("gpu-ledger.io/stopped-by")));
        if (change == "tag")
            QCOMPARE(stateOf(id), QStringLiteral("running"));
    }

    void leavesAProtectedMachineAlone()
    {
        const QString id = newMachine()[QStringLiteral("id")].toString();
        QVERIFY(!boto("protect", id).contains(QStringLiteral("error")));
        const auto found = m_target->find(holder(id), {});
        QVERIFY(found && found->obstacle && found->obstacle->kind == model::Obstacle::Kind::StopProtection);
        QVERIFY(m_target->stop(*found, AwsSetup::mark(), {}).kind == Kind::Refused);
        QCOMPARE(stateOf(id), QStringLiteral("running"));
    }

    void tellsThatThereIsNoSuchMachine()
    {
        QVERIFY(m_target->find(holder(QStringLiteral("i-0123456789abcdef0")), {}).error().code == ErrorCode::NotFound);
    }

    void stopsAndStartsANotebook()
    {
        model::HolderKey key;
        key.instanceId = notebook("notebook", "MyBook")[QStringLiteral("arn")].toString().toStdString();
        const auto found = m_target->find(key, {});
        QVERIFY2(found, found ? "" : found.error().text.c_str());
        model::StopMark mark = AwsSetup::mark();
        mark.oldValue = found->value;
        const auto stopped = m_target->stop(*found, mark, {});
        QVERIFY2(stopped.kind == Kind::Done, stopped.text.c_str());
        QVERIFY2(stopped.warnings.empty(), stopped.warnings.empty() ? "" : stopped.warnings[0].c_str());
        QCOMPARE(notebook("notebook_state", "MyBook")[QStringLiteral("state")].toString(), QStringLiteral("Stopped"));
        const auto after = m_target->read(found->ref, {});
        QVERIFY(after && after->isStopped && after->mark && after->mark->key == "key-1");
        const auto undone = m_target->undo(*after, mark, "", {});
        QVERIFY2(undone.kind == Kind::Done && undone.warnings.empty(), undone.text.c_str());
        const QJsonObject state = notebook("notebook_state", "MyBook");
        QCOMPARE(state[QStringLiteral("state")].toString(), QStringLiteral("InService"));
        QVERIFY(state[QStringLiteral("tags")].toObject().isEmpty());
    }

    void stopsNoNotebookOfTheSameName()
    {
        model::HolderKey key;
        key.instanceId = notebook("notebook", "Twin")[QStringLiteral("arn")].toString().toStdString();
        const auto found = m_target->find(key, {});
        QVERIFY(found);
        QVERIFY(!notebook("notebook_replace", "Twin").contains(QStringLiteral("error")));
        const auto outcome = m_target->stop(*found, AwsSetup::mark(), {});
        QVERIFY2(outcome.kind == Kind::Changed, outcome.text.c_str());
        QCOMPARE(notebook("notebook_state", "Twin")[QStringLiteral("state")].toString(), QStringLiteral("InService"));
        QVERIFY(m_target->read(found->ref, {}).error().code == ErrorCode::NotFound);
    }

    void tellsThatItAnswers()
    {
        const auto report = m_target->probe({});
        QVERIFY2(report, report ? "" : report.error().text.c_str());
        QVERIFY(report->usable && report->product.starts_with("AWS "));
    }

    void readsBudgets()
    {
        const auto make = [&](const char *text) {
            QJsonObject question = QJsonDocument::fromJson(QByteArray::fromStdString(js(text))).object();
            question[QStringLiteral("do")] = QStringLiteral("budget");
            return !boto(question).contains(QStringLiteral("error"));
        };
        QVERIFY(make("{'BudgetName':'all','BudgetType':'COST','TimeUnit':'QUARTERLY','BudgetLimit':{'Amount':'1234.5',"
                     "'Unit':'USD'},'TimePeriod':{'Start':1477958400,'End':3706473600}}"));
        QVERIFY(
            make("{'BudgetName':'part','BudgetType':'COST','TimeUnit':'MONTHLY','PlannedBudgetLimits':{'1793491200':"
                 "{'Amount':'7','Unit':'USD'}},'CostFilters':{'Service':['Amazon SageMaker']}}"));
        QVERIFY(make("{'BudgetName':'hours','BudgetType':'USAGE','TimeUnit':'DAILY','BudgetLimit':{'Amount':'9',"
                     "'Unit':'Hrs'}}"));
        aws::Tuning tuning;
        tuning.surroundings = {[this](const std::string &name) { return m_setup.environment[name]; }, m_setup.home};
        aws::AwsBudgets source(m_setup.settings, {}, m_setup.clock, m_setup.clock,
                               std::make_shared<http::CurlHttpClient>(), tuning);
        const auto list = source.read({});
        QVERIFY2(list, list ? "" : list.error().text.c_str());
        QVERIFY(list->budgets.size() == 2 && list->withoutMoney == 1 && list->rejected == 0);
        const model::CloudBudget &all = list->budgets[0], &part = list->budgets[1];
        QCOMPARE(all.account + ' ' + all.name + ' ' + all.limit->toText(), std::string("123456789012 all 1234.5"));
        QVERIFY(all.isWholeBill && all.period == model::CloudBudgetPeriod::Quarter && all.spent && all.spent->isZero());
        QVERIFY(all.first == base::dayOf(*base::parseTime("2026-10-01")));
        QVERIFY(all.last == base::dayOf(*base::parseTime("2026-12-31")));
        QVERIFY(!part.isWholeBill && part.limit->toText() == "7");
        QCOMPARE(part.scope, std::string("Service: Amazon SageMaker"));
    }

    void readsTheNamesOfAnOrganization()
    {
        aws::Tuning tuning;
        tuning.surroundings = {[this](const std::string &name) { return m_setup.environment[name]; }, m_setup.home};
        aws::AwsApi api(aws::Wire(std::make_shared<http::CurlHttpClient>(), m_setup.clock,
                                  aws::billingPlaceOf(m_setup.settings, tuning)),
                        {}, tuning.surroundings, tuning.retries, tuning.pause);
        const auto none = aws::readAccountNames(api, {});
        QVERIFY2(none, none ? "" : none.error().text.c_str());
        QVERIFY(none->names.empty()); // without an organization, moto has an empty list where AWS has an error
        QStringList names;
        for (int i = 0; i < 45; ++i) // three pages
            names.append(QStringLiteral("team %1").arg(i));
        const QJsonObject made = boto({{QStringLiteral("do"), QStringLiteral("organization")},
                                       {QStringLiteral("names"), QJsonArray::fromStringList(names)}});
        QVERIFY2(!made.contains(QStringLiteral("error")), qPrintable(made[QStringLiteral("error")].toString()));
        const auto all = aws::readAccountNames(api, {});
        QVERIFY2(all, all ? "" : all.error().text.c_str());
        QVERIFY(all->mayAsk);
        QCOMPARE(all->names.size(), std::size_t(names.size() + 1)); // and the management account
        const QJsonObject numbers = made[QStringLiteral("numbers")].toObject();
        for (const QString &name : names)
            QCOMPARE(all->names.at(numbers[name].toString().toStdString()), name.toStdString());
    }

    // As created from the configuration; keys come from the environment of this process.
    void isInTheCatalogue()
    {
        qputenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE");
        qputenv("AWS_SECRET_ACCESS_KEY", "canary-secret-key");
        const auto catalog = connectors::makeSourceCatalog();
        const auto kinds = catalog->kinds();
        const auto kind = std::find_if(kinds.begin(), kinds.end(), [](const auto &one) { return one.kind == "aws"; });
        QVERIFY(kind != kinds.end() && kind->isPlatform());
        OneSecret secrets;
        const auto made = catalog->createTarget(m_setup.settings, secrets, m_setup.clock);
        QVERIFY2(made, made ? "" : made.error().text.c_str());
        const QString id = newMachine()[QStringLiteral("id")].toString();
        const auto found = (*made)->find(holder(id), {});
        QVERIFY2(found, found ? "" : found.error().text.c_str());
        QCOMPARE((*made)->source(), std::string("aws-prod"));
        QVERIFY(!(*made)->isSimulated());
    }
};

GPULEDGER_SUITE(TestAwsReal)

} // namespace tst_awsreal

#include "tst_awsreal.moc"
