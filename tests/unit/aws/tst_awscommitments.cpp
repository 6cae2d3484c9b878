// SPDX-License-Identifier: GPL-3.0-or-later
// What Cost Explorer is asked about commitments, and what is paid for. What its answers become: tst_awscommitmentfacts.
#include "app/base/remedy.h"
#include "connectors/connectorregistry.h"
#include "tests/support/suite.h"
#include "tests/unit/aws/fakebudgets.h"
#include "tests/unit/aws/fakecommitments.h"

#include <QTest>

namespace tst_awscommitments {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using Json = nlohmann::json;

class TestAwsCommitments : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void asksInTheServicesWords()
    {
        CommitmentSetup setup;
        QVERIFY(setup.read());
        QCOMPARE(setup.server.asked,
                 (std::vector<std::string>{kPlans, kReservations, kPlanCoverage, kReservationCoverage}));
        const std::string period = "'TimePeriod':{'Start':'2026-10-23','End':'2026-11-22'}";
        const auto grouped = [&](const char *key) {
            return period + ",'GroupBy':[{'Type':'DIMENSION','Key':'" + key + "'}]";
        };
        const std::vector<std::string> wanted{period + ",'MaxResults':100", grouped("SUBSCRIPTION_ID"),
                                              grouped("INSTANCE_FAMILY") + ",'MaxResults':100",
                                              grouped("INSTANCE_TYPE") + ",'Metrics':['Hour','Cost']"};
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const http::Request &request = setup.server.requests.at(i);
            QVERIFY2(Json::parse(request.body) == Json::parse(js('{' + wanted[i] + '}')), request.body.c_str());
            QCOMPARE(request.method + ' ' + request.url, std::string("POST https://ce.us-east-1.amazonaws.com/"));
            QCOMPARE(request.contentType, std::string("application/x-amz-json-1.1"));
        }
    }

    void readsAllPages()
    {
        CommitmentSetup setup;
        setup.server.answers[kPlans] = [](const std::string &token) {
            return answer(token.empty()      ? commitmentPage(kPlans, plan(), "2")
                              : token == "2" ? commitmentPage(kPlans, "", "3") // an empty one may come between them
                                             : commitmentPage(kPlans, plan("'SavingsPlanArn':'b'") + ',' + plan()));
        };
        setup.server.answers[kReservations] = [](const std::string &token) {
            return answer(commitmentPage(kReservations, reserved(token.empty() ? "" : "'Attributes':{'LeaseId':'b'}"),
                                         token.empty() ? "2" : ""));
        };
        const auto report = setup.read();
        QVERIFY(report && report->commitments.size() == 4);
        QCOMPARE(report->rejected, std::uint64_t{1}); // the plan that two pages have
        QCOMPARE(setup.paid, std::uint64_t{7});
        QCOMPARE(setup.server.asked.size(), std::size_t{7});
        QVERIFY(Json::parse(setup.server.requests[1].body)["NextToken"] == "2");
        QVERIFY(Json::parse(setup.server.requests[4].body)["NextPageToken"] == "2");
    }

    void stopsAtEndlessPages()
    {
        CommitmentSetup setup;
        setup.server.answers[kPlans] = [](const std::string &) { return answer(commitmentPage(kPlans, "", "again")); };
        const auto circle = setup.read();
        QVERIFY(!circle && circle.error().code == ErrorCode::Parse);
        QCOMPARE(setup.paid, std::uint64_t{2});
        int page = 0;
        setup.server.answers[kPlans] = [&](const std::string &) {
            return answer(commitmentPage(kPlans, "", std::to_string(++page)));
        };
        setup.settings.options["requests"] = "10000";
        const auto endless = setup.read();
        QVERIFY(!endless && endless.error().code == ErrorCode::TooMuch);
        QCOMPARE(setup.paid, std::uint64_t{500});
    }

    void paysForNoMoreThanItMay()
    {
        CommitmentSetup setup;
        int page = 0;
        setup.server.answers[kPlanCoverage] = [&](const std::string &) {
            return answer(commitmentPage(kPlanCoverage, "", std::to_string(++page)));
        };
        setup.settings.options["requests"] = "6";
        const auto report = setup.read();
        QVERIFY(!report && report.error().code == ErrorCode::TooMuch);
        QCOMPARE(report.error().hint, std::string(base::text(base::Remedy::RaiseCostRequests)));
        QCOMPARE(setup.paid, std::uint64_t{6});
        QCOMPARE(setup.server.asked.size(), std::size_t{6});
    }

    // A token is of no use after the bill was restated: the question starts once more.
    void startsOnceMoreAfterARestatement()
    {
        CommitmentSetup setup;
        int tries = 0;
        setup.server.answers[kPlans] = [&](const std::string &token) {
            tries += token.empty();
            if (token.empty())
                return answer(commitmentPage(kPlans, plan(), "2"));
            return tries == 1 ? commitmentError("RequestChangedException")
                              : answer(commitmentPage(kPlans, plan("'SavingsPlanArn':'b'")));
        };
        const auto report = setup.read();
        QVERIFY(report && report->commitments.size() == 2 && report->rejected == 0);
        QCOMPARE(setup.paid, std::uint64_t{6});
        setup.server.answers[kPlans] = [](const std::string &token) {
            return token.empty() ? answer(commitmentPage(kPlans, plan(), "2"))
                                 : commitmentError("InvalidNextTokenException");
        };
        QVERIFY(!setup.read());
        QCOMPARE(setup.paid, std::uint64_t{2});
    }

    void goesOnWithoutARight()
    {
        for (const auto &[right, subject] :
             std::map<std::string, std::string>{{kPlans, "the Savings Plans"},
                                                {kReservations, "the reservations"},
                                                {kPlanCoverage, "the coverage by Savings Plans"},
                                                {kReservationCoverage, "the coverage by reservations"}}) {
            CommitmentSetup setup;
            setup.server.has(kPlans, plan());
            setup.server.has(kReservations, reserved());
            setup.server.has(kPlanCoverage, planShare());
            setup.server.has(kReservationCoverage, reservedShare());
            setup.server.denied = {right};
            const auto report = setup.read();
            QVERIFY2(report, right.c_str());
            QCOMPARE(report->commitments.size() + report->coverage.size(), std::size_t{3});
            QCOMPARE(report->withheld,
                     (std::vector<std::string>{subject + " can't be read without the right ce:" + right}));
            QCOMPARE(setup.paid, std::uint64_t{3});
        }
    }

    void failsWithoutAllRights()
    {
        CommitmentSetup setup;
        setup.server.denied = {kPlans, kReservations, kPlanCoverage, kReservationCoverage};
        const auto report = setup.read();
        QVERIFY(!report && report.error().code == ErrorCode::Forbidden);
        QCOMPARE(report.error().hint, std::string(base::text(base::Remedy::AllowAwsCommitments)));
        QCOMPARE(setup.paid, std::uint64_t{0});
        QCOMPARE(setup.server.asked.size(), std::size_t{4});
    }

    // An account that never bought any has none; which is told with an error, and free.
    void noDataMeansNone()
    {
        CommitmentSetup setup;
        for (const char *operation : {kPlans, kReservations, kPlanCoverage})
            setup.server.fails(operation, "DataUnavailableException");
        const auto report = setup.read();
        QVERIFY(report && *report == ports::CommitmentReport());
        QCOMPARE(setup.paid, std::uint64_t{1});
        // In the middle of an answer it does not.
        setup.server.answers[kPlans] = [](const std::string &token) {
            return token.empty() ? answer(commitmentPage(kPlans, plan(), "2"))
                                 : commitmentError("DataUnavailableException");
        };
        QVERIFY(!setup.read());
    }

    void saysWhatTheServiceSays_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("status");
        QTest::addColumn<int>("want");
        QTest::addColumn<int>("tries");
        const auto row = [](const char *code, int status, ErrorCode want, int tries) {
            QTest::newRow(code) << QString::fromLatin1(code) << status << static_cast<int>(want) << tries;
        };
        row("ExpiredTokenException", 400, ErrorCode::Unauthorized, 2);
        row("LimitExceededException", 400, ErrorCode::RateLimited, 4);
        row("InternalFailure", 500, ErrorCode::Server, 4);
        row("ValidationException", 400, ErrorCode::Server, 1);
    }
    void saysWhatTheServiceSays()
    {
        QFETCH(QString, code);
        QFETCH(int, status);
        CommitmentSetup setup;
        setup.server.fails(kReservations, code.toStdString(), status);
        const auto report = setup.read();
        QVERIFY(!report);
        QTEST(static_cast<int>(report.error().code), "want");
        QVERIFY2(report.error().text.find("ce:GetReservationUtilization") != std::string::npos,
                 report.error().text.c_str());
        QVERIFY(report.error().text.find("canary") == std::string::npos);
        QTEST(static_cast<int>(setup.server.asked.size()) - 1, "tries");
        QCOMPARE(setup.paid, std::uint64_t{1}); // the plans before it
    }

    void countsWhatMayHaveBeenCharged()
    {
        CommitmentSetup setup;
        int number = 0;
        setup.server.answers[kPlans] = [&](const std::string &) -> base::Result<http::Response> {
            if (++number <= 2) { // whether an answer that came too late is charged is unknown: it is counted
                base::Error error = base::Error::make(number == 1 ? ErrorCode::Timeout : ErrorCode::Network, "none");
                error.retryable = true;
                return base::fail(std::move(error));
            }
            return number == 3 ? commitmentError("LimitExceededException") : answer(commitmentPage(kPlans, plan()));
        };
        auto source = setup.source();
        QVERIFY(source->paid() && source->paid()->requests == 0);
        const auto report = source->read(setup.clock.now(), {});
        QVERIFY(report && report->commitments.size() == 1);
        QCOMPARE(source->paid()->requests, std::uint64_t{5});
        QVERIFY(source->paid()->amount == base::Money(50'000'000, base::Currency::usd()));
        QCOMPARE(setup.pause->waits.size(), std::size_t{3});
    }

    void aStopEndsIt()
    {
        CommitmentSetup setup;
        std::stop_source stop;
        setup.server.answers[kPlans] = [&](const std::string &) {
            stop.request_stop();
            return answer(commitmentPage(kPlans, plan()));
        };
        const auto report = setup.read(stop.get_token());
        QVERIFY(!report && report.error().code == ErrorCode::Cancelled);
        QCOMPARE(setup.server.asked.size(), std::size_t{1});
        QVERIFY(!setup.source()->probe(stop.get_token()));
    }

    void noneAsksNothing()
    {
        CommitmentSetup setup;
        setup.settings.options["commitments"] = "none";
        const auto report = setup.read();
        QVERIFY(report && *report == ports::CommitmentReport());
        QVERIFY(setup.server.asked.empty() && setup.paid == 0);
    }

    void aTestAsksNothing()
    {
        CommitmentSetup setup;
        const auto findings = setup.source()->probe({});
        QVERIFY(findings && findings->empty() && setup.server.asked.empty());
    }

    void isReadAsOftenAsTheBill()
    {
        CommitmentSetup setup;
        QVERIFY(setup.source()->refresh() == base::Seconds{86400} && setup.source()->name() == "bill");
        setup.settings.options["refresh"] = "12h";
        QVERIFY(setup.source()->refresh() == base::Seconds{43200});
    }

    // The estimate of a connection test has the requests for commitments, too.
    void aTestOfTheSourceSaysWhatTheyCost()
    {
        CommitmentSetup setup;
        FakeBudgets costs;
        const auto paid = [&]() -> std::vector<std::string> {
            aws::CostExplorerSource source(setup.settings, *aws::CostOptions::of(setup.settings), setup.clock,
                                           setup.clock, costs.client(), setup.tuning());
            const auto report = source.probe({});
            std::vector<std::string> out;
            for (const ports::Finding &one : report ? report->findings : std::vector<ports::Finding>()) {
                for (const ports::FindingTerm &term : one.terms) {
                    if (one.text == ports::FindingText::PaidRequests)
                        out.push_back(std::get<std::string>(term));
                }
            }
            return out;
        };
        setup.settings.firstSync = base::kDay; // one month
        QCOMPARE(paid(), (std::vector<std::string>{"USD 0.01", "USD 0.09", "USD 0.09", "USD 2.70"}));
        setup.settings.options["commitments"] = "none";
        QCOMPARE(paid(), (std::vector<std::string>{"USD 0.01", "USD 0.05", "USD 0.05", "USD 1.50"}));
        QVERIFY(setup.server.asked.empty());
    }

    void isInTheCatalogue()
    {
        const auto catalog = connectors::makeSourceCatalog();
        OneSecret secrets;
        CommitmentSetup setup;
        for (const char *word : {"", "all", "none"}) {
            setup.settings.options = {{"commitments", word}};
            const auto made = catalog->createCommitments(setup.settings, secrets, setup.clock);
            QVERIFY2(made && (*made)->name() == "bill", made ? word : made.error().text.c_str());
        }
        for (const char *word : {"some", "All", "no"}) {
            setup.settings.options = {{"commitments", word}};
            const auto wrong = catalog->createCommitments(setup.settings, secrets, setup.clock);
            QVERIFY2(!wrong && wrong.error().code == ErrorCode::InvalidConfig, word);
        }
        setup.settings.options.clear();
        setup.settings.auth.region.clear();
        QVERIFY(!catalog->createCommitments(setup.settings, secrets, setup.clock));
    }
};

GPULEDGER_SUITE(TestAwsCommitments)

} // namespace tst_awscommitments

#include "tst_awscommitments.moc"
