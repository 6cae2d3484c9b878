// SPDX-License-Identifier: GPL-3.0-or-later
// What AWS Organizations is asked, and what its answers and failures mean. Against moto: tst_awsreal; in a bill:
// tst_awscosts.
#include "connectors/aws/accounts/keptaccounts.h"
#include "tests/support/fakes/memorybillsink.h"
#include "tests/support/suite.h"
#include "tests/unit/aws/fakeaws.h"

#include <QTest>

#include <functional>

namespace tst_accountnames {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using base::Result;

namespace {

http::Response organizationsError(const std::string &code, int status = 400)
{
    return answer("{\"__type\":\"com.amazonaws.organizations#" + code + "\",\"Message\":\"said so\"}", status);
}

std::string accounts(const std::string &list, const std::string &next = {})
{
    return js("{'Accounts':[" + list + ']' + (next.empty() ? "" : ",'NextToken':'" + next + "'") + '}');
}

std::string account(const std::string &number, const std::string &name)
{
    return "{'Id':'" + number + "','Name':'" + name + "','State':'ACTIVE'}";
}

struct Organization {
    Organization() { settings.auth.region = "eu-central-1"; }
    std::unique_ptr<aws::AwsApi> api()
    {
        aws::Tuning tuning;
        tuning.pause = pause;
        tuning.surroundings = {[this](const std::string &name) { return environment[name]; }, "/nonexistent"};
        auto client = std::make_shared<ScriptedClient>([this](const http::Request &request) {
            asked.push_back(request);
            return page(nlohmann::json::parse(request.body).value("NextToken", ""));
        });
        return std::make_unique<aws::AwsApi>(aws::Wire(std::move(client), clock, aws::billingPlaceOf(settings, tuning)),
                                             std::string(), tuning.surroundings, tuning.retries, tuning.pause);
    }
    Result<aws::OrganizationNames> read(const std::stop_token &stop = {})
    {
        return aws::readAccountNames(*api(), stop);
    }
    // So many seconds after the clock, with names that are asked for once a day.
    Result<aws::AccountNames> known(std::int64_t later, const std::stop_token &stop = {})
    {
        return aws::knownAccountNames(*api(), sink, clock.now() + base::Seconds{later}, base::kDay, stop);
    }

    std::function<Result<http::Response>(const std::string &token)> page;
    std::vector<http::Request> asked;
    model::SourceSettings settings;
    std::map<std::string, std::string> environment{{"AWS_ACCESS_KEY_ID", "AKIDEXAMPLE"},
                                                   {"AWS_SECRET_ACCESS_KEY", "canary-secret-key"}};
    base::FrozenClock clock{*base::parseTime("2026-12-01T10:00:00Z")};
    std::shared_ptr<SimulatedPause> pause = std::make_shared<SimulatedPause>();
    MemoryBillSink sink;
};

std::string headerNamed(const http::Request &request, const std::string &name)
{
    for (const auto &[key, value] : request.headers) {
        if (key == name)
            return value;
    }
    return {};
}

} // namespace

class TestAccountNames : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // An empty page with a token is not the last one; the last name of a number counts.
    void readsAllPages()
    {
        Organization one;
        one.page = [](const std::string &token) -> Result<http::Response> {
            if (token.empty())
                return answer(accounts(account("111111111111", "research"), "two"));
            if (token == "two")
                return answer(accounts("", "three"));
            return answer(accounts(account("222222222222", "edge") + ',' + account("111111111111", "lab")));
        };
        const auto names = one.read();
        QVERIFY2(names, names ? "" : names.error().text.c_str());
        QVERIFY(names->mayAsk);
        QVERIFY(names->names == (aws::AccountNames{{"111111111111", "lab"}, {"222222222222", "edge"}}));
        QCOMPARE(one.asked.size(), std::size_t{3});
        QCOMPARE(one.asked[0].url, std::string("https://organizations.us-east-1.amazonaws.com/"));
        QCOMPARE(headerNamed(one.asked[0], "X-Amz-Target"), std::string("AWSOrganizationsV20161128.ListAccounts"));
        QVERIFY(headerNamed(one.asked[0], "Authorization").find("/us-east-1/organizations/aws4_request")
                != std::string::npos);
        QCOMPARE(one.asked[0].body, std::string("{\"MaxResults\":20}"));
    }

    void mayNotBeAsked_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("status");
        QTest::newRow("no right") << QStringLiteral("AccessDeniedException") << 400;
        QTest::newRow("no organization") << QStringLiteral("AWSOrganizationsNotInUseException") << 400;
        QTest::newRow("denied by a proxy") << QString() << 403;
    }
    void mayNotBeAsked()
    {
        QFETCH(QString, code);
        QFETCH(int, status);
        Organization one;
        one.page = [&](const std::string &token) -> Result<http::Response> {
            if (token.empty())
                return answer(accounts(account("111111111111", "research"), "two"));
            return organizationsError(code.toStdString(), status);
        };
        const auto names = one.read();
        QVERIFY2(names, names ? "" : names.error().text.c_str());
        QVERIFY(!names->mayAsk && names->names.empty());
        QCOMPARE(one.asked.size(), std::size_t{2});
    }

    void asksAgainWhenThrottled()
    {
        Organization one;
        one.page = [&](const std::string &) -> Result<http::Response> {
            return one.asked.size() < 3 ? organizationsError("TooManyRequestsException")
                                        : answer(accounts(account("111111111111", "research")));
        };
        const auto names = one.read();
        QVERIFY2(names, names ? "" : names.error().text.c_str());
        QCOMPARE(names->names.size(), std::size_t{1});
        QCOMPARE(one.asked.size(), std::size_t{3});
    }

    void leavesOutWhatHasNoName()
    {
        Organization one;
        one.page = [](const std::string &) -> Result<http::Response> {
            return answer(
                accounts("null,7,[],{'Id':5,'Name':'x'},{'Id':'333333333333'},{'Id':'333333333333','Name':''},"
                         "{'Name':'y'},{'Id':'333333333333','Name':' '},{'Id':'12','Name':'short'},"
                         "{'Id':'3333333333333','Name':'long'},{'Id':'33333333333x','Name':'letters'},"
                         + account("111111111111", "a\\u001b[31mb")));
        };
        const auto names = one.read();
        QVERIFY2(names, names ? "" : names.error().text.c_str());
        QCOMPARE(names->names.size(), std::size_t{1});
        QVERIFY(names->names.at("111111111111").find('\x1b') == std::string::npos);
    }

    void failures_data()
    {
        QTest::addColumn<QByteArray>("body");
        for (const char *body :
             {"", "[]", "{}", "{\"Accounts\":7}", "{\"Accounts\":[{\"Id\":\"1\"", "<html>", "{\"Accounts\":null}",
              "{\"Accounts\":[],\"NextToken\":7}", "{\"Accounts\":[],\"NextToken\":[\"two\"]}"})
            QTest::newRow(body) << QByteArray(body);
    }
    void failures()
    {
        QFETCH(QByteArray, body);
        Organization one;
        one.page = [&](const std::string &) -> Result<http::Response> { return answer(body.toStdString()); };
        const auto names = one.read();
        QVERIFY(!names && names.error().code == ErrorCode::Parse);
    }

    void pagesInACircle()
    {
        Organization one;
        one.page = [](const std::string &) -> Result<http::Response> { return answer(accounts("", "again")); };
        const auto names = one.read();
        QVERIFY(!names && names.error().code == ErrorCode::Parse);
        QCOMPARE(one.asked.size(), std::size_t{2});
    }

    void endlessPages()
    {
        Organization one;
        one.page = [&](const std::string &) -> Result<http::Response> {
            return answer(accounts("", std::to_string(one.asked.size())));
        };
        const auto names = one.read();
        QVERIFY(!names && names.error().code == ErrorCode::TooMuch);
        QCOMPARE(one.asked.size(), std::size_t{1000});
    }

    void tooManyAccounts()
    {
        Organization one;
        one.page = [&](const std::string &) -> Result<http::Response> {
            std::string list = "0";
            for (int i = 0; i < 1000; ++i)
                list += ',' + account(std::to_string(100'000'000'000 + one.asked.size() * 1000 + i), "x");
            return answer(accounts(list, std::to_string(one.asked.size())));
        };
        const auto names = one.read();
        QVERIFY(!names && names.error().code == ErrorCode::TooMuch);
        QCOMPARE(one.asked.size(), std::size_t{101});
    }

    // A list of many pages, each of which takes long, keeps nobody from the bill.
    void endsAfterAMinute()
    {
        Organization one;
        one.page = [&](const std::string &) -> Result<http::Response> {
            one.pause->pass(http::Milliseconds{10'000});
            return answer(accounts("", std::to_string(one.asked.size())));
        };
        const auto names = one.read();
        QVERIFY(!names && names.error().code == ErrorCode::Timeout);
        QCOMPARE(one.asked.size(), std::size_t{7});
    }

    void aConnectionTestAsksOnce()
    {
        Organization one;
        one.page = [](const std::string &) -> Result<http::Response> { return answer(accounts("", "two")); };
        const auto given = aws::mayReadAccountNames(*one.api(), {});
        QVERIFY(given && *given && one.asked.size() == 1);
        for (const char *code : {"AccessDeniedException", "AWSOrganizationsNotInUseException",
                                 "TooManyRequestsException", "ServiceException"}) {
            one.asked.clear();
            one.page = [&](const std::string &) -> Result<http::Response> { return organizationsError(code); };
            const auto silent = aws::mayReadAccountNames(*one.api(), {});
            QVERIFY2(silent && !*silent && one.asked.size() == 1, code);
        }
        QVERIFY(one.pause->waits.empty());
    }

    void keepsTheLastAnswer()
    {
        const aws::AccountNames names{{"111111111111", "research"}};
        Organization one;
        one.page = [](const std::string &) -> Result<http::Response> {
            return answer(accounts(account("111111111111", "research")));
        };
        QVERIFY(one.known(0) == names && one.known(86'399) == names);
        QCOMPARE(one.asked.size(), std::size_t{1});
        // Half a list is no list.
        one.page = [](const std::string &token) -> Result<http::Response> {
            if (token.empty())
                return answer(accounts(account("222222222222", "half"), "two"));
            return organizationsError("InvalidInputException");
        };
        QVERIFY(one.known(86'400) == names);
        QCOMPARE(one.asked.size(), std::size_t{3});
        QVERIFY(one.known(86'401) == names); // nobody waits again so soon
        QCOMPARE(one.asked.size(), std::size_t{3});
        one.page = [](const std::string &) { return organizationsError("AccessDeniedException"); };
        QVERIFY(one.known(2 * 86'400) == aws::AccountNames());
        // A clock that was far ahead does not end the questions.
        QVERIFY(one.known(1000 * 86'400) == aws::AccountNames() && one.known(3 * 86'400) == aws::AccountNames());
        QCOMPARE(one.asked.size(), std::size_t{6});
    }

    void whatIsNotKeptIsAskedFor()
    {
        Organization one;
        one.page = [](const std::string &) -> Result<http::Response> { return answer(accounts("")); };
        for (const char *kept : {"x", "[]", "7", "{}", "{'asked':'now','names':[]}", "{'asked':1,'names':7}",
                                 "{'names':{'111111111111':7}}", "{'asked':1764583200"}) {
            QVERIFY(one.known(0));
            for (auto &[key, text] : one.sink.memory)
                text = js(kept);
            one.asked.clear();
            QVERIFY2(one.known(0) == aws::AccountNames() && one.asked.size() == 1, kept);
        }
        one.sink.memory.clear();
        one.sink.forgets = true;
        const auto names = one.known(0);
        QVERIFY(!names && names.error().code == ErrorCode::StorageFull);
    }

    void aStopEndsIt()
    {
        std::stop_source stop;
        Organization one;
        one.page = [&](const std::string &) -> Result<http::Response> {
            stop.request_stop();
            return base::fail(ErrorCode::Cancelled, "cancelled");
        };
        const auto names = one.read(stop.get_token());
        QVERIFY(!names && names.error().code == ErrorCode::Cancelled);
        const auto known = one.known(0, stop.get_token());
        QVERIFY(!known && known.error().code == ErrorCode::Cancelled && one.sink.memory["account names"].empty());
        const auto asked = aws::mayReadAccountNames(*one.api(), stop.get_token());
        QVERIFY(!asked && asked.error().code == ErrorCode::Cancelled);
    }
};

GPULEDGER_SUITE(TestAccountNames)

} // namespace tst_accountnames

#include "tst_accountnames.moc"
