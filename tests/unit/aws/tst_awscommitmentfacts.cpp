// SPDX-License-Identifier: GPL-3.0-or-later
// What Cost Explorer's answers about commitments become.
#include "tests/support/suite.h"
#include "tests/unit/aws/fakecommitments.h"
#include "tests/unit/focus/usagereport.h"

#include <QTest>

namespace tst_awscommitmentfacts {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using Kind = model::CloudCommitmentKind;

class TestAwsCommitmentFacts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsASavingsPlan()
    {
        CommitmentSetup setup;
        const auto one = setup.only(kPlans, plan());
        QVERIFY(one);
        QVERIFY(one->kind == Kind::SavingsPlan && !one->isMachineGpu && !one->count && one->name.empty());
        QCOMPARE(one->cloud + ' ' + one->account, std::string("AWS 222222222222"));
        QCOMPARE(one->terms, std::string("EC2 Instance Savings Plan, 3yr, No Upfront"));
        QCOMPARE(one->machine + ' ' + one->region, std::string("p5 us-east-1"));
        QCOMPARE(amountText(one->perHour) + ' ' + amountText(one->unused), std::string("98.32 17697.6"));
        QVERIFY(one->currency == base::Currency::usd());
        QCOMPARE(timeText(one->start) + ' ' + timeText(one->end),
                 std::string("2025-01-01T00:00:00Z 2027-12-31T23:59:59Z"));
        QVERIFY(isNear(one->utilization, 0.75));
        QCOMPARE(dayText(one->first) + ' ' + dayText(one->last), std::string("2026-10-23 2026-11-21"));
    }

    void readsAReservation()
    {
        CommitmentSetup setup;
        const auto one = setup.only(kReservations, reserved());
        QVERIFY(one);
        QVERIFY(one->kind == Kind::Reservation && one->count == 2 && !one->perHour);
        QCOMPARE(one->cloud + ' ' + one->account, std::string("AWS 111111111111"));
        QCOMPARE(one->terms, std::string("Reserved Instance, Standard, All Upfront, Linux/UNIX"));
        QCOMPARE(one->machine + ' ' + one->region, std::string("p5.48xlarge us-east-1"));
        QCOMPARE(amountText(one->unused), std::string("9999.5"));
        QVERIFY(one->currency == base::Currency::usd());
        QCOMPARE(timeText(one->end), std::string("2027-01-01T00:00:00Z"));
        QVERIFY(isNear(one->utilization, 0.75));
        QCOMPARE(dayText(one->first) + ' ' + dayText(one->last), std::string("2026-10-23 2026-11-21"));
    }

    void readsCoverage()
    {
        CommitmentSetup setup;
        setup.server.has(kPlanCoverage, planShare());
        setup.server.has(kReservationCoverage, reservedShare());
        const auto report = setup.read();
        QVERIFY(report && report->coverage.size() == 2 && report->rejected == 0 && report->withheld.empty());
        const model::CommitmentCoverage &byPlans = report->coverage[0], &byReservations = report->coverage[1];
        QVERIFY(byPlans.by == Kind::SavingsPlan && byReservations.by == Kind::Reservation);
        QCOMPARE(byPlans.machine + ' ' + byReservations.machine, std::string("p5 p5.48xlarge"));
        QVERIFY(isNear(byPlans.covered, 0.617) && isNear(byReservations.covered, 0.5));
        QCOMPARE(amountText(byPlans.onDemand) + ' ' + amountText(byReservations.onDemand), std::string("38.5 70790.4"));
        QVERIFY(byPlans.currency == base::Currency::usd() && byPlans.cloud == "AWS");
        QCOMPARE(dayText(byReservations.first) + ' ' + dayText(byReservations.last),
                 std::string("2026-10-23 2026-11-21"));
    }

    // The bill's ARN, so that both can be put beside each other.
    void idsAreThoseOfTheBill()
    {
        const ReadReports bill(
            {covered("0", "1"),
             typed("DiscountedUsage", "0",
                   {{"reservation_effective_cost", "1"}, {"reservation_reservation_a_r_n", kReservedArn}})});
        std::set<std::string> ofBill;
        for (const model::BillLine &line : bill.lines)
            ofBill.insert(line.commitment.id);
        CommitmentSetup setup;
        setup.server.has(kPlans, plan());
        setup.server.has(kReservations, reserved()); // only with its lease
        const auto report = setup.read();
        QVERIFY(report && report->commitments.size() == 2);
        QCOMPARE((std::set<std::string>{report->commitments[0].id, report->commitments[1].id}), ofBill);
    }

    void knowsReservationsByWhatIsTold_data()
    {
        QTest::addColumn<QString>("attributes");
        QTest::addColumn<QString>("id");
        const auto row = [](const char *name, const char *attributes, const std::string &id) {
            QTest::newRow(name) << QString::fromLatin1(attributes) << QString::fromStdString(id);
        };
        row("its ARN", "'reservationARN':'arn:aws:ec2:us-east-1:1:reserved-instances/x'",
            "arn:aws:ec2:us-east-1:1:reserved-instances/x");
        row("as lease", "'LeaseId':'arn:aws:ec2:us-east-1:1:reserved-instances/y'",
            "arn:aws:ec2:us-east-1:1:reserved-instances/y");
        row("of China", "'Region':'cn-north-1'", "arn:aws-cn:ec2:cn-north-1:111111111111:reserved-instances/two");
        row("no lease", "'LeaseId':null", "359809062");
        row("a place, not a region", "'Region':'US East (N. Virginia)'", "359809062");
        row("no account", "'AccountId':'me'", "359809062");
        row("group only", "'LeaseId':null,'SubscriptionId':null", "359809062");
    }
    void knowsReservationsByWhatIsTold()
    {
        QFETCH(QString, attributes);
        CommitmentSetup setup;
        const auto one = setup.only(kReservations, reserved("'Attributes':{" + attributes.toStdString() + '}'));
        QVERIFY(one);
        QTEST(QString::fromStdString(one->id), "id");
    }

    void acceptsEachSpelling()
    {
        CommitmentSetup setup;
        const auto one =
            setup.only(kReservations,
                       js("{'Value':'1','Attributes':{'accountId':'111111111111','instanceType':'g5.xlarge',"
                          "'NUMBER_OF_INSTANCES':'3','end_date_time':'2027-02-03T04:05:06Z'},'Utilization':{}}"));
        QVERIFY(one && one->count == 3);
        QCOMPARE(one->account + ' ' + one->machine + ' ' + timeText(one->end),
                 std::string("111111111111 g5.xlarge 2027-02-03T04:05:06Z"));
        QVERIFY(!one->utilization && !one->unused && one->currency == base::Currency());
        const auto any = setup.share(kPlanCoverage,
                                     planShare("'Attributes':{'INSTANCE_FAMILY':null,"
                                               "'instanceFamily':'p4d'}"));
        QVERIFY(any && any->machine == "p4d");
    }

    void saysWhatLimitsAPlan()
    {
        CommitmentSetup setup;
        const auto one = setup.only(kPlans,
                                    plan("'Attributes':{'SavingsPlansType':'Compute','InstanceFamily':'Any',"
                                         "'Region':'any','AccountId':null}"));
        QVERIFY(one && one->machine.empty() && one->region.empty());
        QCOMPARE(one->account, std::string("111111111111")); // of the ARN
        QCOMPARE(one->terms, std::string("Compute Savings Plan, 3yr, No Upfront"));
    }

    void leavesOutWhatIsOver()
    {
        CommitmentSetup setup;
        const auto plans = plan("'Attributes':{'EndDateTime':'2026-11-22T10:00:00.000Z'}") + ','
            + plan("'SavingsPlanArn':'b','Attributes':{'EndDateTime':'2026-11-22T10:00:01.000Z'}") + ','
            + plan("'SavingsPlanArn':'c','Attributes':{'EndDateTime':'some day'}");
        setup.server.has(kPlans, plans);
        // It was exchanged long before its term ends.
        setup.server.has(kReservations, reserved("'Attributes':{'CancellationDateTime':'2026-11-02T00:00:00.000Z'}"));
        const auto report = setup.read();
        QVERIFY(report && report->rejected == 0 && report->commitments.size() == 2);
        QCOMPARE(report->commitments[0].id + report->commitments[1].id, std::string("bc"));
        QVERIFY(!report->commitments[1].end);
    }

    void unknownStaysUnknown()
    {
        CommitmentSetup setup;
        for (const char *use : {"'TotalCommitment':'0','UsedCommitment':'0','UtilizationPercentage':'0'",
                                "'UsedCommitment':null,'UtilizationPercentage':'NaN'",
                                "'UsedCommitment':null,'UtilizationPercentage':'-1'",
                                "'UsedCommitment':null,'UtilizationPercentage':'150'", "'UsedCommitment':'90000'"}) {
            const auto one = setup.only(kPlans, plan(std::string("'Utilization':{") + use + '}'));
            QVERIFY2(one && !one->utilization, use);
        }
        const auto rounded =
            setup.only(kPlans, plan("'Utilization':{'UsedCommitment':null,'UtilizationPercentage':'100.00001'}"));
        QVERIFY(rounded && rounded->utilization == 1.0);
        const auto negative = setup.only(kPlans, plan("'Utilization':{'UnusedCommitment':'-1E-10'}"));
        QVERIFY(negative && !negative->unused && negative->perHour);
        const auto bare = setup.only(kPlans, js("{'SavingsPlanArn':'arn:aws:savingsplans::1:savingsplan/x'}"));
        QVERIFY(bare && !bare->utilization && !bare->unused && !bare->perHour && !bare->end);
        QVERIFY(bare->currency == base::Currency() && bare->terms.empty());
        const auto counted = setup.only(kReservations, reserved("'Attributes':{'NumberOfInstances':'-2'}"));
        QVERIFY(!counted || !counted->count);
    }

    void chinaPaysInYuan()
    {
        CommitmentSetup setup;
        setup.settings.auth.region = "cn-north-1";
        const auto one = setup.only(kPlans, plan());
        QVERIFY(one && std::string(one->currency.code()) == "CNY");
        QVERIFY(setup.server.requests.front().url.find("amazonaws.com.cn") != std::string::npos);
    }

    void whatCantBeReadIsCounted_data()
    {
        QTest::addColumn<QString>("operation");
        QTest::addColumn<QString>("entry");
        const auto row = [](const char *name, const char *operation, const std::string &entry) {
            QTest::newRow(name) << QString::fromLatin1(operation) << QString::fromStdString(entry);
        };
        row("no plan", kPlans, "1");
        row("null", kPlans, "null");
        row("list", kPlans, "[]");
        row("no ARN", kPlans, plan("'SavingsPlanArn':null"));
        row("ARN is a list", kPlans, plan("'SavingsPlanArn':[1]"));
        row("no number", kPlans, plan("'Attributes':{'HourlyCommitment':'much'}"));
        row("too much money", kPlans, plan("'Attributes':{'HourlyCommitment':'99999999999999999999'}"));
        row("unused is a list", kPlans, plan("'Utilization':{'UnusedCommitment':[]}"));
        row("no group", kReservations, "{}");
        row("group is a text", kReservations, "\"p5\"");
        row("huge cost", kReservations, reserved("'Utilization':{'RICostForUnusedHours':'1e19'}"));
        row("no family", kPlanCoverage, planShare("'Attributes':null"));
        row("no share", kPlanCoverage, planShare("'Coverage':null"));
        row("more than all", kPlanCoverage,
            planShare("'Coverage':{'CoveragePercentage':'140','SpendCoveredBySavingsPlans':'900'}"));
        row("other days", kPlanCoverage, planShare("'TimePeriod':{'Start':'2025-10-23','End':'2026-11-22'}"));
        row("no day", kPlanCoverage, planShare("'TimePeriod':{'Start':'2026-11-21','End':'2026-11-21'}"));
        row("period is a text", kPlanCoverage, planShare("'TimePeriod':'now'"));
        row("no hours", kReservationCoverage, reservedShare("'Coverage':{'CoverageHours':[]}"));
        row("no cost", kReservationCoverage, reservedShare("'Coverage':{'CoverageCost':{'OnDemandCost':'x'}}"));
    }
    void whatCantBeReadIsCounted()
    {
        QFETCH(QString, operation);
        QFETCH(QString, entry);
        CommitmentSetup setup;
        setup.server.has(operation.toStdString(), entry.toStdString());
        const auto report = setup.read();
        QVERIFY(report && report->commitments.empty() && report->coverage.empty());
        QCOMPARE(report->rejected, std::uint64_t{1});
    }

    void repeatedEntriesAreCounted()
    {
        CommitmentSetup setup;
        QCOMPARE(setup.rejected(kPlans, plan() + ',' + plan()), std::uint64_t{1});
        QCOMPARE(setup.rejected(kReservations, reserved() + ',' + reserved()), std::uint64_t{2}); // with the plans
        setup.server.answers.clear();
        QCOMPARE(setup.rejected(kReservationCoverage, reservedShare() + ',' + reservedShare()), std::uint64_t{1});
    }

    // Functions and containers have no family, and what did not run has no coverage.
    void useWithoutMachinesIsLeftOut()
    {
        CommitmentSetup setup;
        QCOMPARE(setup.rejected(kPlanCoverage, planShare("'Attributes':{'INSTANCE_FAMILY':''}")), std::uint64_t{0});
        QVERIFY(setup.read()->coverage.empty());
        QCOMPARE(setup.rejected(kReservationCoverage, reservedShare("'Attributes':{'instanceType':'NoInstanceType'}")),
                 std::uint64_t{0});
        QVERIFY(setup.read()->coverage.empty());
        QCOMPARE(setup.rejected(kReservationCoverage,
                                reservedShare("'Coverage':{'CoverageHours':{'TotalRunningHours':'0'}}")),
                 std::uint64_t{0});
        QVERIFY(setup.read()->coverage.empty());
    }

    void refusesOtherAnswers_data()
    {
        QTest::addColumn<QString>("operation");
        QTest::addColumn<QString>("text");
        for (const char *operation : {kPlans, kReservations, kPlanCoverage, kReservationCoverage}) {
            const std::string page = commitmentPage(operation, "");
            const std::string token = operation == std::string(kPlans) || operation == std::string(kPlanCoverage)
                ? "NextToken"
                : "NextPageToken";
            int number = 0;
            for (const std::string &text :
                 {std::string(), std::string("<html>"), std::string("[]"), std::string("{}"), std::string("null"),
                  page.substr(0, page.size() - 1), page.substr(0, page.size() - 1) + ",\"" + token + "\":7e999}",
                  page.substr(0, page.size() - 1) + ",\"" + token + "\":{}}", std::string(5000, '[')})
                QTest::addRow("%s %d", operation, number++)
                    << QString::fromLatin1(operation) << QString::fromStdString(text);
        }
    }
    void refusesOtherAnswers()
    {
        QFETCH(QString, operation);
        QFETCH(QString, text);
        CommitmentSetup setup;
        setup.server.answers[operation.toStdString()] = [&](const std::string &) { return answer(text.toStdString()); };
        const auto report = setup.read();
        QVERIFY(!report && report.error().code == ErrorCode::Parse);
        QVERIFY2(report.error().text.find("can't be read") != std::string::npos, report.error().text.c_str());
        QVERIFY(setup.paid >= 1); // it was answered
    }

    void cleansTexts()
    {
        CommitmentSetup setup;
        const auto one = setup.only(kPlans,
                                    plan("'Attributes':{'InstanceFamily':'p5\\u001b[31m\\u202e','AccountId':'"
                                         + std::string(5000, 'x') + "'}"));
        QVERIFY(one && one->machine.find('\x1b') == std::string::npos && one->account.size() < 600);
    }
};

GPULEDGER_SUITE(TestAwsCommitmentFacts)

} // namespace tst_awscommitmentfacts

#include "tst_awscommitmentfacts.moc"
