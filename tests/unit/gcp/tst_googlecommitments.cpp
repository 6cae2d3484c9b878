// SPDX-License-Identifier: GPL-3.0-or-later
// Committed use of projects: pages of Compute Engine's list, what a commitment is for, projects that may not be read,
// regions that do not answer, and what the connection test of a bill says.
#include "app/base/remedy.h"
#include "connectors/format/json.h"
#include "connectors/gcp/bigquerysource.h"
#include "connectors/gcp/commitments/googlecommitments.h"
#include "tests/support/suite.h"
#include "tests/unit/gcp/fakecommitments.h"
#include "tests/unit/gcp/fakemonitoring.h"

#include <QTest>

#include <memory>

namespace tst_googlecommitments {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using base::Remedy;
using tst_committeduse::commitment;
using tst_monitoring::fault;
using Json = nlohmann::json;
using Text = ports::FindingText;
using Level = ports::Finding::Level;

namespace {

constexpr const char *kTable = "gcp_billing_export_resource_v1_01AB23_CD45EF_678901";

base::UtcTime at(const std::string &text)
{
    return *base::parseTime(text);
}

std::string timeText(const std::optional<base::UtcTime> &time)
{
    return time ? base::toRfc3339(*time) : "?";
}

Json regionOf(const std::vector<Json> &commitments)
{
    return {{"commitments", commitments}};
}

Json emptyRegion(const char *code = "NO_RESULTS_ON_PAGE")
{
    return {{"warning", {{"code", code}, {"message", "no results"}, {"data", Json::array()}}}};
}

http::Response pageOf(const Json &items, const std::string &next = {}, const Json &unreachables = nullptr)
{
    Json page{{"kind", "compute#commitmentAggregatedList"}, {"items", items}};
    if (!next.empty())
        page["nextPageToken"] = next;
    if (!unreachables.is_null())
        page["unreachables"] = unreachables;
    return answer(page.dump());
}

http::Response pageWith(const std::vector<Json> &commitments, const std::string &next = {})
{
    return pageOf({{"regions/us-central1", regionOf(commitments)}, {"regions/us-east1", emptyRegion()}}, next);
}

struct Commitments {
    using Page = std::function<base::Result<http::Response>(const std::string &project, const std::string &token)>;

    explicit Commitments(const std::string &projects = {})
    {
        settings.name = "bill";
        settings.auth.kind = model::AuthSettings::Kind::Bearer;
        settings.auth.token = {model::SecretRef::Kind::Environment, "S", {}};
        settings.options = {{"project", "lab-billing"}, {"dataset", "billing"}, {"table", kTable}};
        if (!projects.empty())
            settings.options["commitment_projects"] = projects;
        tuning.pause = pause;
    }
    base::Result<http::Response> reply(const http::Request &request)
    {
        if (request.url.find("/bigquery/v2/") != std::string::npos)
            return answer(js("{'totalBytesProcessed':'100'}"));
        if (request.url.find("/v1/billingAccounts/") != std::string::npos)
            return answer("{}");
        asked.push_back(request);
        const QUrl url(QString::fromStdString(request.url).replace(QLatin1Char('+'), QLatin1String("%20")));
        const QUrlQuery query(url);
        const std::string begin = "/compute/v1/projects/", end = "/aggregated/commitments";
        const std::string path = url.path().toStdString();
        if (!path.starts_with(begin) || !path.ends_with(end)
            || query.queryItemValue(QLatin1String("maxResults")) != QLatin1String("500")
            || query.queryItemValue(QLatin1String("returnPartialSuccess")) != QLatin1String("true"))
            return fault(404, "The requested URL was not found on this server.");
        return pages(path.substr(begin.size(), path.size() - begin.size() - end.size()),
                     query.queryItemValue(QLatin1String("pageToken"), QUrl::FullyDecoded).toStdString());
    }
    std::shared_ptr<http::HttpClient> client()
    {
        return std::make_shared<ScriptedClient>([this](const http::Request &request) { return reply(request); });
    }
    gcp::BillSettings bill() const { return gcp::BillSettings::of(settings).value(); }
    base::Result<ports::CommitmentReport> read(std::stop_token stop = {})
    {
        gcp::GoogleCommitments source(settings, bill(), secrets, clock, clock, client(), tuning);
        return source.read(clock.now(), std::move(stop));
    }
    // Of a project with these commitments.
    ports::CommitmentReport readOf(const std::vector<Json> &commitments)
    {
        pages = [=](const std::string &, const std::string &) { return pageWith(commitments); };
        return read().value();
    }
    base::Result<ports::ProbeReport> probe()
    {
        gcp::BigQuerySource source(settings, bill(), secrets, clock, clock, client(), tuning);
        return source.probe({});
    }

    model::SourceSettings settings;
    OneSecret secrets{"canary-token"};
    base::FrozenClock clock{at("2026-11-20T10:00:00Z")};
    std::shared_ptr<SimulatedPause> pause = std::make_shared<SimulatedPause>();
    gcp::Tuning tuning;
    Page pages = [](const std::string &, const std::string &) { return pageWith({}); };
    std::vector<http::Request> asked; // for commitments
};

std::string joined(const std::vector<std::string> &texts)
{
    std::string out;
    for (const std::string &one : texts)
        out += one + '|';
    return out;
}

std::vector<ports::Finding> findingsOf(const ports::ProbeReport &report)
{
    std::vector<ports::Finding> out;
    for (const ports::Finding &one : report.findings) {
        if (one.text == Text::CommitmentsFound || one.text == Text::CommitmentsUnread)
            out.push_back(one);
    }
    return out;
}

std::string reasonsIn(const std::vector<ports::Finding> &findings)
{
    std::string out;
    for (const ports::Finding &one : findings) {
        const bool isCount = std::holds_alternative<std::uint64_t>(one.terms.at(0));
        out += isCount ? std::to_string(std::get<std::uint64_t>(one.terms[0])) : std::get<std::string>(one.terms[0]);
        out += '|';
    }
    return out;
}

} // namespace

class TestGoogleCommitments : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCommitmentIsToldWithItsGpusAndItsEnd()
    {
        Commitments setup;
        const ports::CommitmentReport report = setup.readOf({commitment("7081234567890123456")});
        QCOMPARE(report.commitments.size(), std::size_t{1});
        const model::CloudCommitment &one = report.commitments.front();
        QCOMPARE(one.cloud + '/' + one.account + '/' + one.id + '/' + one.name,
                 std::string("Google Cloud/lab-billing/7081234567890123456/h100-7081234567890123456"));
        QVERIFY(one.kind == model::CloudCommitmentKind::CommittedUse && one.isMachineGpu);
        QCOMPARE(one.terms, std::string("ACCELERATOR_OPTIMIZED_A3, 1 year, renews itself"));
        QCOMPARE(one.machine + ' ' + one.region, std::string("nvidia-h100-80gb us-central1"));
        QVERIFY(one.count == 16);
        QCOMPARE(timeText(one.start) + ' ' + timeText(one.end),
                 std::string("2026-03-01T08:00:00Z 2027-03-01T08:00:00Z"));
        // Google does not tell these.
        QVERIFY(!one.utilization && !one.perHour && !one.unused && !one.first && !one.last);
        QVERIFY(one.currency == base::Currency() && report.coverage.empty());
        QVERIFY(report.rejected == 0 && report.withheld.empty());
        QCOMPARE(setup.asked.size(), std::size_t{1});
        const http::Request &asked = setup.asked.front();
        QVERIFY(asked.url.starts_with("https://compute.googleapis.com/compute/v1/projects/lab-billing/aggregated/"));
        QVERIFY(asked.method == "GET" && asked.credentials && !asked.followsRedirects);
    }

    void noCommitmentsAreNoError()
    {
        Commitments setup;
        for (const char *body : {"{}", "{'items':null}", "{'items':{}}", "{'items':{'regions/r':{}}}",
                                 "{'items':{'regions/r':{'commitments':[]}},'nextPageToken':''}"}) {
            setup.pages = [&](const std::string &, const std::string &) { return answer(js(body)); };
            const auto report = setup.read();
            QVERIFY2(report && *report == ports::CommitmentReport(), body);
        }
    }

    void onlyMachinesThatAreNotOverAreTold()
    {
        Commitments setup;
        const ports::CommitmentReport report = setup.readOf(
            {commitment("1"), commitment("2", "{'status':'NOT_YET_ACTIVE','startTimestamp':'2026-12-01T00:00:00Z'}"),
             commitment("3", "{'status':'EXPIRED'}"), commitment("4", "{'status':'CANCELLED'}"),
             commitment("5", "{'status':'CREATING'}"), commitment("6", "{'status':'CANCELED_EARLY_TERMINATION'}"),
             commitment("7", "{'category':'LICENSE','resources':null,'licenseResource':{'amount':'4'}}"),
             commitment("8", "{'category':null}"), commitment("9", "{'category':'CATEGORY_UNSPECIFIED'}"),
             commitment("10", "{'category':null,'licenseResource':{'amount':'4'}}"),
             commitment("11", "{'category':'ANOTHER'}"),
             commitment("12", "{'endTimestamp':'2026-11-20T10:00:00Z'}"), // now
             commitment("13", "{'endTimestamp':'2026-11-20T10:00:01Z'}"),
             commitment("14", "{'endTimestamp':null,'startTimestamp':null}")});
        std::string ids;
        for (const model::CloudCommitment &one : report.commitments)
            ids += one.id + ' ';
        QCOMPARE(ids, std::string("1 2 8 9 13 14 "));
        QCOMPARE(report.rejected, std::uint64_t{0});
        QCOMPARE(timeText(report.commitments.back().end), std::string("?"));
    }

    void hostileEntriesLoseNothingElse()
    {
        Commitments setup;
        std::vector<Json> entries{nullptr, 7, "x", Json::array(), Json::object(), {{"id", "1"}}};
        for (const char *patch :
             {"{'id':null}", "{'id':''}", "{'id':'a/b'}", "{'id':-1}", "{'id':1.5}", "{'id':'123456789012345678901'}",
              "{'status':7}", "{'status':null}", "{'category':7}", "{'name':7}", "{'region':7}",
              "{'startTimestamp':'soon'}", "{'endTimestamp':'2027-13-01T00:00:00Z'}", "{'endTimestamp':1798761600}",
              "{'endTimestamp':'2026-01-01T00:00:00Z'}"}) // before its start
            entries.push_back(commitment("2", patch));
        entries.push_back(commitment("3"));
        const ports::CommitmentReport report = setup.readOf(entries);
        QCOMPARE(report.rejected, std::uint64_t{entries.size() - 1});
        QCOMPARE(report.commitments.size(), std::size_t{1});
        QCOMPARE(report.commitments[0].id, std::string("3"));
    }

    void hostileAnswersAreSentences()
    {
        Commitments setup;
        for (const char *body : {"[]", "null", "<html>log in</html>", "{'items':{", "{'items':[]}", "{'items':'x'}",
                                 "{'items':{'regions/r':[]}}", "{'items':{'regions/r':null}}",
                                 "{'items':{'regions/r':{'commitments':{}}}}", "{'items':{},'nextPageToken':2}"}) {
            setup.pages = [&](const std::string &, const std::string &) { return answer(js(body)); };
            const auto report = setup.read();
            QVERIFY2(!report && report.error().code == ErrorCode::Parse && !report.error().text.empty(), body);
        }
    }

    void pagesAreReadToTheEnd()
    {
        Commitments setup;
        setup.pages = [](const std::string &, const std::string &token) {
            if (token.empty())
                return pageWith({commitment("1")}, "two & more");
            return token == "two & more" ? pageOf(Json::object(), "3") : pageWith({commitment("2"), commitment("1")});
        };
        const auto report = setup.read();
        QVERIFY(report && report->commitments.size() == 2 && report->rejected == 0); // the first one came twice
        QCOMPARE(report->commitments[1].id, std::string("2"));
        QCOMPARE(setup.asked.size(), std::size_t{3});
    }

    void pagesThatDoNotEnd()
    {
        Commitments setup;
        setup.pages = [](const std::string &, const std::string &) { return pageWith({}, "again"); };
        QVERIFY(setup.read().error().code == ErrorCode::Parse);
        QCOMPARE(setup.asked.size(), std::size_t{2});
        setup.asked.clear();
        setup.pages = [](const std::string &, const std::string &token) {
            return pageWith({}, std::to_string(token.empty() ? 1 : std::stoi(token) + 1));
        };
        QVERIFY(setup.read().error().code == ErrorCode::TooMuch);
        QCOMPARE(setup.asked.size(), gcp::GoogleCommitments::kMostPages);
        Json one = commitment("1");
        one.erase("resources"); // small
        setup.pages = [&](const std::string &, const std::string &token) {
            std::vector<Json> many(5001, one);
            for (std::size_t i = 0; i < many.size(); ++i)
                many[i]["id"] = token + std::to_string(100'000 + i);
            return pageWith(many, token + '1');
        };
        const auto many = setup.read();
        QVERIFY(!many && many.error().code == ErrorCode::TooMuch);
        QVERIFY(many.error().text.find("more than 10000 commitments") != std::string::npos);
    }

    void regionsThatDoNotAnswerAreNamed()
    {
        Commitments setup;
        const auto withheld = [&](const Json &items, const Json &unreachables) {
            setup.pages = [=](const std::string &, const std::string &token) {
                return token.empty() ? pageOf(items, "2", unreachables) : pageWith({commitment("1")});
            };
            const auto report = setup.read();
            return report && report->commitments.size() == 1 ? joined(report->withheld) : std::string("?");
        };
        const std::string kSome = "some regions of the project lab-billing did not answer";
        QCOMPARE(withheld(Json::object(), Json::array()), std::string());
        QCOMPARE(withheld(Json::object(), {"projects/lab-billing/regions/us-east4", "regions/asia-east1"}),
                 kSome + ": asia-east1, us-east4|");
        QCOMPARE(withheld({{"regions/europe-west4", emptyRegion("UNREACHABLE")}}, {"regions/europe-west4"}),
                 kSome + ": europe-west4|");
        QCOMPARE(withheld({{"regions/r", emptyRegion("INTERNAL")}}, nullptr), kSome + ": r|");
        // With a list it is only information.
        Json listed = regionOf({});
        listed["warning"] = {{"code", "DEPRECATED_TYPE_USED"}};
        QCOMPARE(withheld({{"regions/r", listed}}, nullptr), std::string());
        QCOMPARE(withheld(Json::object(), {7, "", "regions/"}), kSome + '|');
        QCOMPARE(withheld(Json::object(), "x"), std::string());
        Json all = Json::array();
        for (int i = 10; i < 23; ++i)
            all.push_back("regions/r" + std::to_string(i));
        QVERIFY(withheld(Json::object(), all).ends_with(", r19 and 3 more|"));
        setup.pages = [&](const std::string &, const std::string &) {
            return answer(js("{'items':{},'warning':{'code':'UNREACHABLE'}}"));
        };
        QCOMPARE(joined(setup.read()->withheld), kSome + '|');
    }

    void eachProjectIsRead()
    {
        Commitments setup(" ml-training,ml-serving ,\tml-training");
        setup.pages = [](const std::string &project, const std::string &) {
            return pageWith({commitment("1"), commitment(project == "ml-serving" ? "2" : "3")});
        };
        const auto report = setup.read();
        QVERIFY(report.has_value());
        std::string told;
        for (const model::CloudCommitment &one : report->commitments)
            told += one.account + '/' + one.id + ' ';
        QCOMPARE(told, std::string("ml-training/1 ml-training/3 ml-serving/1 ml-serving/2 "));
        QCOMPARE(setup.asked.size(), std::size_t{2});
    }

    // What the first pages had of a project that is refused then is not told as all of it.
    void aRefusedProjectDoesNotHoldUpTheOthers()
    {
        Commitments setup("right,off,unpaid,whole,middle,guarded");
        setup.pages = [](const std::string &project, const std::string &token) {
            if (project == "right" || !token.empty())
                return fault(403, "Required 'compute.commitments.list' permission", "IAM_PERMISSION_DENIED");
            if (project == "off")
                return fault(403, "has not been used in project", "SERVICE_DISABLED");
            if (project == "unpaid")
                return fault(403, "requires billing to be enabled", "BILLING_DISABLED");
            if (project == "guarded")
                return fault(403,
                             "Request is prohibited by organization's policy. vpcServiceControlsUniqueIdentifier: x");
            return pageWith({commitment("1")}, project == "middle" ? "2" : "");
        };
        const auto report = setup.read();
        QVERIFY(report && report->commitments.size() == 1 && report->commitments[0].account == "whole");
        QCOMPARE(joined(report->withheld),
                 std::string("commitments of the project right can't be read without the right "
                             "compute.commitments.list|"
                             "commitments of the project off can't be read, because the Compute Engine API is not "
                             "enabled in it|"
                             "commitments of the project unpaid can't be read, because billing is not enabled in it|"
                             "commitments of the project middle can't be read without the right "
                             "compute.commitments.list|"
                             "commitments of the project guarded can't be read, because a perimeter of VPC Service "
                             "Controls protects it|"));
    }

    void allRefusedIsForbidden()
    {
        for (const char *projects : {"", "ml-training,ml-serving"}) {
            Commitments setup(projects);
            for (const char *reason : {"", "IAM_PERMISSION_DENIED", "forbidden", "SERVICE_DISABLED",
                                       "accessNotConfigured", "BILLING_DISABLED", "billingNotEnabled"}) {
                setup.pages = [&](const std::string &, const std::string &) { return fault(403, "no", reason); };
                const auto report = setup.read();
                QVERIFY2(!report && report.error().code == ErrorCode::Forbidden
                             && report.error().hint == base::text(Remedy::AllowGoogleCommitments),
                         reason);
            }
            QVERIFY(setup.pause->waits.empty()); // none of them was tried again
        }
    }

    void otherFailuresFailTheRead()
    {
        Commitments setup("ml-training,ml-serving");
        const auto failed = [&](base::Result<http::Response> response) {
            setup.asked.clear();
            setup.pages = [=](const std::string &project, const std::string &) {
                return project == "ml-training" ? base::Result<http::Response>(pageWith({})) : response;
            };
            return setup.read().error();
        };
        const base::Error narrow = failed(fault(403, "insufficient scopes", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"));
        QVERIFY(narrow.code == ErrorCode::Forbidden && narrow.hint == base::text(Remedy::WidenAccessScopes));
        QVERIFY(failed(fault(401, "who")).code == ErrorCode::Unauthorized);
        const base::Error absent = failed(fault(404, "The resource 'projects/ml-serving' was not found", "notFound"));
        QVERIFY(absent.code == ErrorCode::NotFound && absent.hint.find("commitment_projects") != std::string::npos);
        QVERIFY(absent.text.ends_with(" (project ml-serving)"));
        const base::Error wrong = failed(fault(400, "Invalid value for field 'project'", "invalidQuery"));
        QVERIFY(wrong.hint.empty() && wrong.text.find("Invalid value") != std::string::npos);
        QVERIFY(failed(fault(403, "enough", "quotaExceeded")).code == ErrorCode::TooMuch);
        QVERIFY(setup.pause->waits.empty());
        QVERIFY(failed(fault(429, "slowly")).code == ErrorCode::RateLimited);
        QVERIFY(failed(fault(403, "slowly", "rateLimitExceeded")).code == ErrorCode::RateLimited);
        QVERIFY(failed(fault(503, "sorry")).code == ErrorCode::Server);
        QVERIFY(!setup.pause->waits.empty());
        QVERIFY(failed(base::fail(ErrorCode::Tls, "the certificate has expired")).code == ErrorCode::Tls);
        QVERIFY(failed(fault(500, "canary-token")).text.size() < 600);
    }

    void aStopRequestEndsIt()
    {
        Commitments setup("ml-training,ml-serving");
        std::stop_source source;
        setup.pages = [&](const std::string &, const std::string &) {
            source.request_stop();
            return pageWith({commitment("1")});
        };
        const auto report = setup.read(source.get_token());
        QVERIFY(!report && report.error().code == ErrorCode::Cancelled);
    }

    void theProjectsAreThoseOfTheSetting_data()
    {
        QTest::addColumn<QString>("setting");
        QTest::addColumn<QString>("projects");
        const auto row = [](const std::string &setting, const std::string &projects) {
            QTest::newRow(setting.substr(0, 60).c_str())
                << QString::fromStdString(setting) << QString::fromStdString(projects);
        };
        row("", "lab-billing|");
        row("  ", "lab-billing|");
        row("none", "");
        row(" none ", "");
        row("ml-training", "ml-training|");
        row("ml-training, example.com:ml-serving", "ml-training|example.com:ml-serving|");
        for (const char *bad : {",", "a,", ",a", "a,,b", "a b", "none,ml-training", "../x", "a/b", "a?b", "a#b", "-a",
                                "a;b", "a\nb", "a..b", "projects/a", "a&pageToken=b"})
            row(bad, "wrong");
        std::string fifty, fiftyOne, told;
        for (int i = 0; i < 50; ++i) {
            fifty += (i == 0 ? "p" : ",p") + std::to_string(i);
            told += 'p' + std::to_string(i) + '|';
        }
        row(fifty, told);
        row("p7," + fifty, "p7|" + told.substr(0, told.find("p7|")) + told.substr(told.find("p8|")));
        row(fifty + ",more", "wrong");
    }
    void theProjectsAreThoseOfTheSetting()
    {
        QFETCH(QString, setting);
        QFETCH(QString, projects);
        Commitments setup;
        setup.settings.options["commitment_projects"] = setting.toStdString();
        const auto bill = gcp::BillSettings::of(setup.settings);
        QCOMPARE(bill ? joined(bill->commitmentProjects) : std::string("wrong"), projects.toStdString());
        QVERIFY(bill || (bill.error().code == ErrorCode::InvalidConfig && !bill.error().hint.empty()));
        QVERIFY(!bill || bill->identity() == std::string("lab-billing.billing.") + kTable); // the bill stays the same
    }

    void noneAsksNothing()
    {
        Commitments setup("none");
        const auto report = setup.read();
        QVERIFY(report && *report == ports::CommitmentReport());
        const auto probe = setup.probe();
        QVERIFY(probe && probe->usable && findingsOf(*probe).empty());
        QVERIFY(setup.asked.empty());
    }

    void theAddressIsBesideThatOfBigQuery()
    {
        Commitments setup;
        for (const auto &[url, begin] :
             {std::pair("", "https://compute.googleapis.com/compute/v1/"),
              std::pair("https://bigquery.googleapis.com/", "https://compute.googleapis.com/compute/v1/"),
              std::pair("https://bigquery-lab.p.googleapis.com", "https://compute-lab.p.googleapis.com/compute/v1/"),
              std::pair("https://google.lab.example", "https://google.lab.example/compute/v1/")}) {
            setup.settings.url = url;
            QVERIFY(setup.read().has_value());
            QVERIFY2(setup.asked.back().url.starts_with(begin), setup.asked.back().url.c_str());
        }
    }

    void theTestOfTheBillSaysHowMany()
    {
        Commitments setup("ml-training,off,ml-serving");
        setup.pages = [](const std::string &project, const std::string &) {
            if (project == "off")
                return fault(403, "off", "SERVICE_DISABLED");
            if (project == "ml-serving")
                return pageOf({{"regions/r", regionOf({commitment("2"), Json::object()})}}, {}, {"regions/s"});
            return pageWith({commitment("1")});
        };
        const auto report = setup.probe();
        QVERIFY(report && report->usable);
        const auto findings = findingsOf(*report);
        QCOMPARE(reasonsIn(findings),
                 std::string("2|the Compute Engine API is not enabled in the project off|"
                             "some regions of the project ml-serving did not answer: s|"
                             "entries with another form than expected: 1|"));
        QVERIFY(findings[0].text == Text::CommitmentsFound && findings[0].level == Level::Good);
        for (std::size_t i = 1; i < findings.size(); ++i)
            QVERIFY(findings[i].text == Text::CommitmentsUnread && findings[i].level == Level::Missing);
    }

    void aFailureOfCommitmentsLeavesTheBillUsable()
    {
        Commitments setup;
        const auto why = [&](base::Result<http::Response> answered) {
            setup.pages = [=](const std::string &, const std::string &) { return answered; };
            const auto report = setup.probe();
            return report && report->usable ? reasonsIn(findingsOf(*report)) : std::string("?");
        };
        QCOMPARE(why(fault(403, "no")),
                 std::string("compute.commitments.list of the project lab-billing (Compute Viewer)|"));
        QCOMPARE(why(fault(403, "off", "accessNotConfigured")),
                 std::string("the Compute Engine API is not enabled in the project lab-billing|"));
        QVERIFY(why(fault(403, "narrow", "ACCESS_TOKEN_SCOPE_INSUFFICIENT")).find("narrow") != std::string::npos);
        QVERIFY(why(fault(500, "sorry")).find("sorry") != std::string::npos);
        QCOMPARE(why(base::fail(ErrorCode::Tls, "the certificate has expired")),
                 std::string("the certificate has expired|"));
        setup.pages = [](const std::string &, const std::string &) {
            return base::fail(ErrorCode::Cancelled, "cancelled");
        };
        const auto ended = setup.probe();
        QVERIFY(!ended && ended.error().code == ErrorCode::Cancelled);
    }
};

GPULEDGER_SUITE(TestGoogleCommitments)

} // namespace tst_googlecommitments

#include "tst_googlecommitments.moc"
