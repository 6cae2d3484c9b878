// SPDX-License-Identifier: GPL-3.0-or-later
// What EC2 is asked about spot placement scores, and what its answers become.
#include "connectors/aws/prices/awsprices.h"
#include "connectors/aws/prices/placementscores.h"
#include "tests/support/suite.h"
#include "tests/unit/aws/fakeaws.h"

#include <QTest>

#include <deque>

namespace tst_placementscores {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using ports::FindingText;

namespace {

const model::PlacementQuestion kQuestion{{"g5.12xlarge", "g5.24xlarge", "g5.48xlarge"}, 4};
constexpr const char *kScores = "GetSpotPlacementScores", *kRight = "ec2:GetSpotPlacementScores";

std::string item(const std::string &zone, const std::string &score, const std::string &region = "us-east-1")
{
    return "<item><region>" + region + "</region><availabilityZoneId>" + zone + "</availabilityZoneId><score>" + score
        + "</score></item>";
}

std::string scorePage(const std::string &items, const std::string &token = "")
{
    return "<GetSpotPlacementScoresResponse><spotPlacementScoreSet>" + items + "</spotPlacementScoreSet><nextToken>"
        + token + "</nextToken></GetSpotPlacementScoresResponse>";
}

std::map<std::string, int> zonesIn(const std::string &items)
{
    aws::PlacementScores scores("us-east-1");
    return scores.add(scorePage(items)) ? scores.zones() : std::map<std::string, int>{{"unread", 0}};
}

aws::Answer refusal(const std::string &code, const std::string &text = "said so")
{
    aws::Answer answer;
    answer.status = 400;
    answer.errorCode = code;
    answer.errorText = text;
    return answer;
}

// A source whose questions about scores are answered in turn; everything else is answered with an empty list.
struct ScoreSetup : AwsSetup {
    explicit ScoreSetup(std::deque<http::Response> inTurn = {})
        : replies(std::move(inTurn))
    {
        server.before = [this](const std::string &action) -> FakeAws::Reply {
            if (action != kScores)
                return answer("<DescribeSpotPriceHistoryResponse><spotPriceHistorySet/>"
                              "</DescribeSpotPriceHistoryResponse>");
            if (replies.empty())
                return base::fail(ErrorCode::Internal, "one question too many");
            http::Response next = replies.front();
            replies.pop_front();
            return next;
        };
    }
    aws::AwsPrices source(std::vector<std::string> lists = {"spot"})
    {
        aws::Tuning tuning;
        tuning.pause = pause;
        tuning.surroundings = {[this](const std::string &name) { return environment[name]; }, home};
        return aws::AwsPrices(settings, std::move(lists), clock, server.client(), tuning);
    }
    base::Result<model::PlacementRating> placement(const std::stop_token &stop = {})
    {
        return source().placement(kQuestion, clock.now(), stop);
    }
    ErrorCode failure()
    {
        const auto told = placement();
        text = told ? "it did not fail" : told.error().text;
        return told ? ErrorCode::Internal : told.error().code;
    }
    // What a connection test says of the right: "given", "missing", or nothing.
    std::string rightFound()
    {
        const auto found = source().probe({});
        if (!found)
            return found.error().text;
        std::string said;
        for (const ports::Finding &one : *found) {
            if (std::get<std::string>(one.terms.at(0)) == kRight)
                said += one.text == FindingText::RightGiven ? "given" : "missing";
        }
        return said;
    }

    std::deque<http::Response> replies;
    std::string text; // of the last failure
};

} // namespace

class TestPlacementScores : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void asksInTheServicesWords()
    {
        const aws::Call call = aws::placementCall(kQuestion, "us-east-1", "");
        const std::map<std::string, std::string> wanted{{"Action", kScores},
                                                        {"Version", "2016-11-15"},
                                                        {"InstanceType.1", "g5.12xlarge"},
                                                        {"InstanceType.2", "g5.24xlarge"},
                                                        {"InstanceType.3", "g5.48xlarge"},
                                                        {"TargetCapacity", "4"},
                                                        {"TargetCapacityUnitType", "units"},
                                                        {"SingleAvailabilityZone", "true"},
                                                        {"RegionName.1", "us-east-1"},
                                                        {"MaxResults", "1000"}};
        QVERIFY2(formIn(call.body) == wanted, call.body.c_str());
        QCOMPARE(call.action, std::string(kRight));
        QCOMPARE(formIn(aws::placementCall(kQuestion, "us-east-1", "a b&c").body)["NextToken"], std::string("a b&c"));
        auto right = formIn(aws::placementRightCall(kQuestion, "eu-west-1").body);
        QCOMPARE(right["DryRun"], std::string("true"));
        QCOMPARE(right["RegionName.1"], std::string("eu-west-1"));
    }

    void readsTheScoreOfEachZone()
    {
        QVERIFY((zonesIn(item("use1-az1", "9") + item("use1-az4", "3"))
                 == std::map<std::string, int>{{"use1-az1", 9}, {"use1-az4", 3}}));
        QVERIFY(zonesIn("").empty());
        QVERIFY((zonesIn(item("use1-az1", "1") + item("use1-az2", "10"))
                 == std::map<std::string, int>{{"use1-az1", 1}, {"use1-az2", 10}}));
    }

    void ofTwoScoresTheLowerCounts()
    {
        const std::map<std::string, int> low{{"use1-az1", 2}};
        QVERIFY(zonesIn(item("use1-az1", "9") + item("use1-az1", "2")) == low);
        QVERIFY(zonesIn(item("use1-az1", "2") + item("use1-az1", "9")) == low);
        aws::PlacementScores scores("us-east-1");
        QCOMPARE(scores.add(scorePage(item("use1-az1", "5"), "more")).value(), std::string("more"));
        QCOMPARE(scores.add(scorePage(item("use1-az1", "2"))).value(), std::string());
        QVERIFY(scores.zones() == low);
    }

    void leavesOutWhatIsNoScore()
    {
        for (const char *score : {"", "0", "11", "-1", "5.0", "+5", "NaN", "1e1", "99999999999999999999", "high"})
            QVERIFY2(zonesIn(item("use1-az1", score)).empty(), score);
        for (const std::string &zone : {std::string(), std::string(10240, 'x'), std::string("a&#x202e;b"),
                                        std::string("a&#10;b"), std::string("<b>use1-az1</b>")})
            QVERIFY2(zonesIn(item(zone, "5")).empty(), zone.substr(0, 40).c_str());
        QVERIFY(zonesIn(item("euw1-az1", "5", "eu-west-1") + item("use1-az1", "5", "")).empty());
        QVERIFY(zonesIn("<item/><item>7</item>").empty());
    }

    void refusesWhatIsNoAnswer()
    {
        aws::PlacementScores scores("us-east-1");
        for (const char *odd :
             {"", "<a/>", "<a>", "{}", "<GetSpotPlacementScoresResponse/>",
              "<GetSpotPlacementScoresResponse><spotPlacementScoreSet><item>",
              "<!DOCTYPE a><GetSpotPlacementScoresResponse><spotPlacementScoreSet/></GetSpotPlacementScoresResponse>"})
            QVERIFY2(scores.add(odd).error().code == ErrorCode::Parse, odd);
        std::string many;
        for (int i = 0; i < 2000; ++i)
            many += item("z" + std::to_string(i), "5");
        QVERIFY(scores.add(scorePage(many)).error().code == ErrorCode::Parse);
    }

    void findsTheTypesThatARefusalNames()
    {
        const auto named = [](const std::string &text, const std::string &code = "InvalidParameterValue") {
            return aws::typesRefused(refusal(code, text), kQuestion);
        };
        const std::vector<std::string> two{"g5.12xlarge", "g5.48xlarge"};
        QVERIFY(named("Not valid: [g5.48xlarge, g5.12xlarge].") == two);
        QVERIFY(named("g5.12xlarge and 'g5.48xlarge'.") == two);
        QVERIFY(named("Not valid: [g5.48xlarge]", "InvalidInstanceType") == std::vector<std::string>{"g5.48xlarge"});
        for (const char *text : {"", "...", "g5.4", "g5.48xlarge2", "xg5.48xlarge", "[p5.48xlarge]", "capacity 4"})
            QVERIFY2(named(text).empty(), text);
        QVERIFY(named("g5.48xlarge", "InternalError").empty());
    }

    void saysWhyThereAreNoScores()
    {
        const auto error = [](const std::string &code, const std::string &text) {
            return aws::placementError(refusal(code, text), {{"a.1", "b.1", "c.1", "d.1", "e.1"}, 1}, "eu-west-1");
        };
        const auto limit = error("MaxConfigLimitExceeded", "said so");
        QVERIFY(limit.code == ErrorCode::TooMuch && !limit.retryable);
        QCOMPARE(limit.text, std::string("AWS takes no more different questions about spot placement today"));
        for (const char *code : {"InvalidAction", "UnsupportedOperation"})
            QCOMPARE(error(code, "").text, std::string("EC2 has no placement scores in eu-west-1"));
        QCOMPARE(error("InvalidParameterValue", "[c.1]").text, std::string("EC2 does not have c.1 in eu-west-1"));
        const auto many = error("InvalidParameterValue", "[e.1, d.1, c.1, b.1, a.1]");
        QVERIFY(many.code == ErrorCode::Unsupported);
        QCOMPARE(many.text, std::string("EC2 does not have a.1, b.1, c.1 and 2 others in eu-west-1"));
        const auto other = error("InvalidParameterValue", "capacity");
        QVERIFY(other.code == ErrorCode::Server);
        QCOMPARE(other.text, std::string(kRight) + " failed: InvalidParameterValue: capacity");
    }

    void ratesTheZonesOfAllPages()
    {
        ScoreSetup setup({answer(scorePage("", "1")), answer(scorePage(item("use1-az1", "9"), "2")),
                          answer(scorePage(item("use1-az2", "3")))});
        const auto told = setup.placement();
        QVERIFY(told.has_value());
        const model::PlacementRating wanted{
            "aws", "us-east-1", kQuestion, {{"use1-az1", 9}, {"use1-az2", 3}}, setup.clock.now()};
        QVERIFY(*told == wanted);
        QCOMPARE(setup.server.count(kScores), 3);
        QVERIFY(!setup.server.forms[0].contains("NextToken"));
        QCOMPARE(setup.server.forms[2]["NextToken"], std::string("2"));
        QCOMPARE(setup.server.requests[0].url, std::string("https://ec2.us-east-1.amazonaws.com/"));
    }

    void halfARatingIsNone()
    {
        const http::Response first = answer(scorePage(item("use1-az1", "9"), "1"));
        ScoreSetup cut({first, answer("<GetSpotPlacementScoresResponse>")});
        QVERIFY(cut.failure() == ErrorCode::Parse);
        ScoreSetup circle({first, answer(scorePage("", "2")), first});
        QVERIFY(circle.failure() == ErrorCode::Parse);
        QVERIFY(circle.text.find("go in a circle") != std::string::npos);
        ScoreSetup endless;
        for (int i = 0; i < 100; ++i)
            endless.replies.push_back(answer(scorePage("", std::to_string(i + 1))));
        QVERIFY(endless.failure() == ErrorCode::TooMuch);
        QVERIFY2(endless.server.count(kScores) <= 21, endless.text.c_str());
    }

    void asksOnceMoreWithoutUnknownTypes()
    {
        const http::Response refused = ec2Error("InvalidParameterValue", 400, "Not valid here: [g5.24xlarge].");
        ScoreSetup setup({refused, answer(scorePage(item("use1-az1", "9")))});
        const auto told = setup.placement();
        QVERIFY(told.has_value());
        QVERIFY((told->asked == model::PlacementQuestion{{"g5.12xlarge", "g5.48xlarge"}, 4}));
        QCOMPARE(setup.server.forms[1]["InstanceType.2"], std::string("g5.48xlarge"));
        QVERIFY(!setup.server.forms[1].contains("InstanceType.3"));

        ScoreSetup twice({refused, ec2Error("InvalidParameterValue", 400, "[g5.12xlarge]")});
        QVERIFY(twice.failure() == ErrorCode::Unsupported);
        QCOMPARE(twice.text, std::string("EC2 does not have g5.12xlarge in us-east-1"));
        ScoreSetup all({ec2Error("InvalidParameterValue", 400, "[g5.12xlarge, g5.24xlarge, g5.48xlarge]")});
        QVERIFY(all.failure() == ErrorCode::Unsupported);
        QCOMPARE(all.server.count(kScores), 1);
    }

    void tellsRefusalsApart()
    {
        ScoreSetup denied({ec2Error("UnauthorizedOperation", 403)});
        QVERIFY(denied.failure() == ErrorCode::Forbidden);
        QVERIFY(denied.text.starts_with(std::string(kRight) + " is not allowed"));
        ScoreSetup limit({ec2Error("MaxConfigLimitExceeded", 400)});
        QVERIFY(limit.failure() == ErrorCode::TooMuch);
        QCOMPARE(limit.server.count(kScores), 1);
        ScoreSetup lacking({ec2Error("InvalidAction", 400)});
        QVERIFY(lacking.failure() == ErrorCode::Unsupported);
        ScoreSetup busy({ec2Error("RequestLimitExceeded", 503), answer(scorePage(item("use1-az1", "9")))});
        QVERIFY(busy.placement().has_value());
        QCOMPARE(busy.pause->waits.size(), std::size_t{1});
    }

    void stopsWhenItIsAskedTo()
    {
        std::stop_source stop;
        stop.request_stop();
        ScoreSetup setup({answer(scorePage(""))});
        const auto told = setup.placement(stop.get_token());
        QVERIFY(!told && told.error().code == ErrorCode::Cancelled);
        QCOMPARE(setup.server.count(kScores), 0);
    }

    void withoutSpotPricesThereAreNoRatings()
    {
        ScoreSetup setup;
        QVERIFY(setup.source().ratesPlacement());
        QVERIFY(setup.source({"on-demand", "spot"}).ratesPlacement());
        auto other = setup.source({"on-demand"});
        QVERIFY(!other.ratesPlacement() && !setup.source({}).ratesPlacement());
        QVERIFY(other.placement(kQuestion, setup.clock.now(), {}).error().code == ErrorCode::Unsupported);
        QCOMPARE(setup.server.count(kScores), 0);
    }

    void aConnectionTestAsksWithADryRun()
    {
        const auto found = [](const http::Response &reply) {
            ScoreSetup setup({reply});
            std::string said = setup.rightFound();
            return setup.server.forms.back()["DryRun"] == "true" ? said : "no dry run";
        };
        QCOMPARE(found(ec2Error("DryRunOperation", 412)), std::string("given"));
        QCOMPARE(found(ec2Error("UnauthorizedOperation", 403)), std::string("missing"));
        for (const char *code : {"InvalidAction", "InvalidParameterValue", "MaxConfigLimitExceeded"})
            QCOMPARE(found(ec2Error(code, 400)), std::string());
        ScoreSetup down;
        for (int i = 0; i < 4; ++i)
            down.replies.push_back(ec2Error("InternalError", 500));
        QCOMPARE(down.rightFound(), std::string(kRight) + " failed: InternalError: said so");
    }
};

GPULEDGER_SUITE(TestPlacementScores)

} // namespace tst_placementscores

#include "tst_placementscores.moc"
