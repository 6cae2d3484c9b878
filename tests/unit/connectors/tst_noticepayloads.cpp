// SPDX-License-Identifier: GPL-3.0-or-later
// What each kind of target sends, field by field, and that hostile texts stay text and within the limits.
#include "connectors/notify/noticetext.h"
#include "tests/support/suite.h"
#include "tests/unit/connectors/noticesamples.h"

#include <QMessageAuthenticationCode>
#include <QTest>

#include <algorithm>

namespace tst_noticepayloads {

using namespace gpuledger;
using namespace gpuledger::tests;
using model::NoticeState;
using nlohmann::json;

namespace {

std::string headerOf(const http::Request &request, std::string_view name)
{
    for (const auto &[key, value] : request.headers)
        if (key == name)
            return value;
    return {};
}

const json &blockOf(const json &message, std::string_view type)
{
    static const json kNone;
    for (const json &block : message.at("blocks"))
        if (block.at("type") == type)
            return block;
    return kNone;
}

// Every text in it.
void collectTexts(const json &value, std::vector<std::string> &texts)
{
    if (value.is_string())
        texts.push_back(value.get<std::string>());
    for (const json &one : value.is_structured() ? value : json::array())
        collectTexts(one, texts);
}

// Whether a card shows the text, as the whole of one of its runs.
bool hasRun(const json &card, const std::string &text)
{
    std::vector<std::string> texts;
    collectTexts(card.at("body"), texts);
    return std::find(texts.begin(), texts.end(), text) != texts.end();
}

std::vector<model::Notice> manyNotices(int count)
{
    std::vector<model::Notice> all;
    for (int i = 0; i < count; ++i)
        all.push_back(sampleNotice("team-" + std::to_string(i)));
    return all;
}

} // namespace

class TestNoticePayloads : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void slack()
    {
        const auto bodies = bodiesFor("slack", groupOf({sampleNotice()}));
        QCOMPARE(bodies.size(), std::size_t{1});
        const json &body = bodies[0];
        QCOMPARE(body.at("text").get<std::string>(),
                 std::string("Firing: idle-cost (team research): Idle GPUs of research cost 312.40 USD/day."));
        const json &header = blockOf(body, "header").at("text");
        QVERIFY(header.at("type") == "plain_text" && header.at("text") == "Firing: idle-cost (team research)");
        const json &facts = body.at("blocks").at(2).at("fields");
        QVERIFY(facts.size() == 7);
        QVERIFY(facts.at(0).at("text") == "*Team*\nresearch");
        QVERIFY(facts.at(1).at("text") == "*Since*\n2026-09-21T11:26:40Z");
        QVERIFY(facts.at(5).at("text") == "*Cost so far*\n36.12 USD");
        QVERIFY(facts.at(6).at("text") == "*Per month if left*\n9500.13 USD");
        QVERIFY(body.at("blocks").at(3).at("text").at("text")
                == "\xE2\x80\xA2 trainer-0, ann, 8 GPUs, since 2026-09-21T08:40:00Z, 4000.00 USD a month");
        QVERIFY(blockOf(body, "actions").is_null()); // no button opens gpuledger://
        QVERIFY(body.at("blocks").at(4).at("text").at("text")
                == "Open: `gpuledger://idle?team=research`\nCommand: `gpuledger-cli idle --team research`");
        const std::string context = blockOf(body, "context").at("elements").at(0).at("text");
        QVERIFY(context.find(sampleNotice().key) != std::string::npos);
        model::Notice web = sampleNotice();
        web.link = "https://gpu.example.org/idle";
        const json withButton = bodiesFor("slack", groupOf({web})).at(0);
        QVERIFY(blockOf(withButton, "actions").at("elements").at(0).at("url") == web.link);
    }

    void slackKeepsItsLimits()
    {
        for (const auto &group : {groupOf({hostileNotice()}), groupOf(std::vector(60, hostileNotice()))}) {
            const json body = bodiesFor("slack", group).at(0);
            QVERIFY(body.at("blocks").size() <= 50);
            std::vector<std::string> texts;
            collectTexts(body, texts);
            for (const std::string &text : texts) {
                QVERIFY(text.size() <= 3000);
                QVERIFY(text.find("<!") == std::string::npos && text.find('<') == std::string::npos);
                QVERIFY(text.find("@channel") == std::string::npos && text.find("@Here") == std::string::npos);
                QVERIFY(text.find_first_of("\r\x1b\x7f") == std::string::npos);
            }
            QVERIFY(blockOf(body, "header").at("text").at("text").get<std::string>().size() <= 150);
            for (const json &block : body.at("blocks"))
                if (block.contains("fields")) {
                    QVERIFY(block.at("fields").size() <= 10);
                    for (const json &one : block.at("fields"))
                        QVERIFY(one.at("text").get<std::string>().size() <= 2000 && one.at("verbatim") == true);
                }
        }
    }

    void teams()
    {
        const json body = bodiesFor("teams", groupOf({sampleNotice()})).at(0);
        QVERIFY(body.at("type") == "message");
        const json &attachment = body.at("attachments").at(0);
        QVERIFY(attachment.at("contentType") == "application/vnd.microsoft.card.adaptive");
        QVERIFY(attachment.at("contentUrl").is_null());
        const json &card = attachment.at("content");
        QVERIFY(card.at("type") == "AdaptiveCard" && card.at("version") == "1.4");
        QVERIFY(card.at("msteams").at("width") == "Full");
        QVERIFY(hasRun(card, "Firing: idle-cost (team research)") && hasRun(card, "36.12 USD"));
        QVERIFY(hasRun(card, "gpuledger-cli idle --team research"));
        QVERIFY(!card.contains("actions"));
        for (const json &block : card.at("body")) // Markdown and mentions are text in these
            QVERIFY(block.at("type") == "RichTextBlock");
        for (const auto &group : {groupOf({hostileNotice()}), groupOf(std::vector(60, hostileNotice()))})
            QVERIFY(sentTo(noticeTarget("teams"), group).at(0).body.size() <= 21'000);
    }

    void pagerduty()
    {
        const auto requests = sentTo(noticeTarget("pagerduty"), groupOf({sampleNotice()}));
        QCOMPARE(requests.size(), std::size_t{1});
        QCOMPARE(requests[0].url, std::string("https://events.pagerduty.com/v2/enqueue"));
        const json event = json::parse(requests[0].body);
        QVERIFY(event.at("routing_key") == kNoticeSecret && event.at("event_action") == "trigger");
        QVERIFY(event.at("dedup_key") == sampleNotice().key);
        const json &payload = event.at("payload");
        QVERIFY(payload.at("severity") == "critical" && payload.at("timestamp") == "2026-09-21T11:26:40Z");
        QVERIFY(payload.at("component") == "research" && payload.at("group") == "team");
        QVERIFY(payload.at("class") == "idle-cost" && payload.at("source") == "GPU Ledger");
        QVERIFY(payload.at("custom_details").at("Per month if left") == "9500.13 USD");
        const json over = bodiesFor("pagerduty", groupOf({sampleNotice()}, NoticeState::Resolved)).at(0);
        QVERIFY(over.at("event_action") == "resolve" && over.at("dedup_key") == event.at("dedup_key"));
        QVERIFY(over.size() == 3);
        for (const json &one : bodiesFor("pagerduty", groupOf({hostileNotice(), hostileNotice()}))) {
            QVERIFY(one.at("payload").at("summary").get<std::string>().size() <= 1024);
            QVERIFY(one.dump().size() <= 512'000 && !one.contains("links"));
        }
    }

    void opsgenie()
    {
        const auto requests = sentTo(noticeTarget("opsgenie"), groupOf({sampleNotice()}));
        QCOMPARE(requests.size(), std::size_t{1});
        QCOMPARE(requests[0].url, std::string("https://api.opsgenie.com/v2/alerts"));
        QVERIFY(requests[0].credentials && requests[0].credentials->bearerHeader == "Authorization");
        QVERIFY(requests[0].credentials->bearer.reveal() == std::string("GenieKey ") + kNoticeSecret);
        const json alert = json::parse(requests[0].body);
        QVERIFY(alert.at("alias") == sampleNotice().key && alert.at("priority") == "P1");
        QVERIFY(alert.at("message") == "Firing: idle-cost (team research)" && alert.at("entity") == "research");
        const auto over = sentTo(noticeTarget("opsgenie"), groupOf({sampleNotice()}, NoticeState::Resolved));
        QCOMPARE(over.at(0).url,
                 "https://api.opsgenie.com/v2/alerts/" + sampleNotice().key + "/close?identifierType=alias");
        const json hostile = bodiesFor("opsgenie", groupOf({hostileNotice()})).at(0);
        QVERIFY(hostile.at("message").get<std::string>().size() <= 130);
        QVERIFY(hostile.at("description").get<std::string>().size() <= 15'000);
        for (const json &tag : hostile.at("tags"))
            QVERIFY(tag.get<std::string>().size() <= 50);
        model::AlertTarget european = noticeTarget("opsgenie");
        european.url = "https://api.eu.opsgenie.com/";
        QVERIFY(sentTo(european, groupOf({sampleNotice()})).at(0).url == "https://api.eu.opsgenie.com/v2/alerts");
    }

    void webhook()
    {
        model::AlertTarget target = noticeTarget("webhook");
        target.signing = referenceTo("key");
        const auto requests = sentTo(target, groupOf({sampleNotice()}));
        QCOMPARE(requests.size(), std::size_t{1});
        QCOMPARE(headerOf(requests[0], "X-GpuLedger-Id"), std::string("6e2f"));
        QCOMPARE(headerOf(requests[0], "X-GpuLedger-Timestamp"), std::string("1790000000"));
        const QByteArray signedText = QByteArray("v1:1790000000:") + QByteArray::fromStdString(requests[0].body);
        const QByteArray digest =
            QMessageAuthenticationCode::hash(signedText, kNoticeSecret, QCryptographicHash::Sha256).toHex();
        QCOMPARE(headerOf(requests[0], "X-GpuLedger-Signature"), "v1=" + digest.toStdString());
        const json body = json::parse(requests[0].body);
        QVERIFY(body.at("version") == "1" && body.at("id") == "6e2f" && body.at("state") == "firing");
        QVERIFY(body.at("dedup_key") == sampleNotice().key && body.at("severity") == "critical");
        QVERIFY(body.at("rule") == json({{"id", "idle-cost"}, {"name", "idle-cost"}}));
        QVERIFY(body.at("started_at") == "2026-09-21T11:26:40Z" && body.at("ended_at").is_null());
        QVERIFY(body.at("cost") == json({{"amount", "36.120000000"}, {"currency", "USD"}, {"per", "total"}}));
        const json &resource = body.at("resource");
        QVERIFY(resource.at("kind") == "team" && resource.at("name") == "research"
                && resource.at("owner") == "research");
        QVERIFY(body.at("links").at("open") == "gpuledger://idle?team=research");
        QVERIFY(body.at("items").at(0).at("id") == "c/ns/pod" && body.at("items").at(0).at("gpus") == 8.0);
        QVERIFY(headerOf(sentTo(noticeTarget("webhook"), groupOf({sampleNotice()})).at(0), "X-GpuLedger-Signature")
                    .empty());
        QVERIFY(!bodiesFor("webhook", groupOf({hostileNotice()})).at(0).is_discarded());
    }

    void whileASecretChangesBothSign()
    {
        model::AlertTarget target = noticeTarget("webhook");
        target.signing = referenceTo("new-signing-value");
        target.previousSigning = referenceTo("key");
        const auto request = sentTo(target, groupOf({sampleNotice()})).at(0);
        const QByteArray signedText = QByteArray("v1:1790000000:") + QByteArray::fromStdString(request.body);
        std::string wanted;
        for (const char *key : {"new-signing-value", kNoticeSecret}) {
            const QByteArray digest =
                QMessageAuthenticationCode::hash(signedText, key, QCryptographicHash::Sha256).toHex();
            wanted += (wanted.empty() ? "v1=" : ",v1=") + digest.toStdString();
        }
        QCOMPARE(headerOf(request, "X-GpuLedger-Signature"), wanted);
    }

    void whatHappensUnlessSomebodyObjects()
    {
        model::Notice notice = sampleNotice();
        notice.consequence = "What passes every check is marked, and stopped 24h later.";
        for (const std::string kind : {"slack", "teams", "pagerduty", "opsgenie", "webhook", "alertmanager"}) {
            for (const auto &group : {groupOf({notice}), groupOf({notice, notice})}) {
                const std::string sent = bodiesFor(kind, group).at(0).dump();
                QVERIFY2(sent.find(notice.consequence) != std::string::npos, kind.c_str());
            }
        }
        QVERIFY(bodiesFor("webhook", groupOf({sampleNotice()})).at(0).at("consequence").is_null());
        QVERIFY(blockOf(bodiesFor("slack", groupOf({notice})).at(0), "section").is_object());
        QCOMPARE(notify::noticeText(groupOf({notice})).facts.size(), std::size_t{8});
    }

    void eachOfSeveralAlertsHasItsOwnWay()
    {
        auto notices = manyNotices(12);
        for (model::Notice &one : notices) {
            one.link = "gpuledger://idle?team=" + one.scope;
            one.command = "gpuledger-cli idle --team=" + one.scope;
        }
        notices[1].link = "https://gpu.example.org/" + std::string(600, 'x'); // a part of it would lead elsewhere
        notices[2].link = "https://gpu.example.org/idle?team=team-2";
        const json slack = bodiesFor("slack", groupOf(notices)).at(0);
        const auto item = [&](std::size_t i) { return slack.at("blocks").at(2 + 1 + i); }; // after title, line, facts
        const std::string first = item(0).at("text").at("text");
        QVERIFY2(first.ends_with("\nOpen: `gpuledger://idle?team=team-0`\nCommand: `gpuledger-cli idle --team=team-0`"),
                 first.c_str());
        const std::string second = item(1).at("text").at("text");
        QVERIFY(second.find("Open:") == std::string::npos && second.ends_with("`gpuledger-cli idle --team=team-1`"));
        QVERIFY(item(2).at("accessory").at("url") == "https://gpu.example.org/idle?team=team-2");
        QVERIFY(!item(0).contains("accessory"));
        QVERIFY(item(10).at("text").at("text") == "and 2 more\nCommand: `gpuledger-cli alerts evaluate`");
        const json teams = bodiesFor("teams", groupOf(notices)).at(0).at("attachments").at(0).at("content");
        for (int i = 0; i < 10; ++i)
            QVERIFY(hasRun(teams, "gpuledger-cli idle --team=team-" + std::to_string(i)));
        QVERIFY(!hasRun(teams, "gpuledger-cli idle --team=team-10") && hasRun(teams, "gpuledger-cli alerts evaluate"));
        QVERIFY(!teams.contains("actions"));
    }

    void unknownAmountsAreNotZero()
    {
        model::Notice notice = sampleNotice();
        notice.costSoFar = notice.perMonth = std::nullopt;
        notice.value.clear();
        const json body = bodiesFor("webhook", groupOf({notice})).at(0);
        QVERIFY(body.at("cost").is_null() && body.at("cost_per_month").is_null() && body.at("value").is_null());
        const auto facts = notify::noticeText(groupOf({notice, sampleNotice("b")})).facts;
        for (const notify::NoticeFact &fact : facts)
            QVERIFY(fact.name != "Cost so far");
        const auto ofOne = notify::noticeText(groupOf({notice})).facts;
        QVERIFY(std::any_of(ofOne.begin(), ofOne.end(),
                            [](const auto &fact) { return fact.name == "Value" && fact.value == "unknown"; }));
    }

    void alertmanager()
    {
        const auto requests = sentTo(noticeTarget("alertmanager"), groupOf({sampleNotice(), sampleNotice("b")}));
        QCOMPARE(requests.size(), std::size_t{1});
        QCOMPARE(requests[0].url, std::string("http://127.0.0.1:9093/am/api/v2/alerts"));
        const json alerts = json::parse(requests[0].body);
        QVERIFY(alerts.is_array() && alerts.size() == 2);
        const json &alert = alerts.at(0);
        QVERIFY(alert.at("labels")
                == json({{"alertname", "idle-cost"},
                         {"severity", "critical"},
                         {"rule", "idle-cost"},
                         {"scope", "research"},
                         {"per", "team"}}));
        QVERIFY(alert.at("annotations").at("cost") == "36.12 USD");
        QVERIFY(alert.at("annotations").at("link") == "gpuledger://idle?team=research");
        QVERIFY(alert.at("startsAt") == "2026-09-21T11:26:40Z");
        QVERIFY(alert.at("endsAt") == base::toRfc3339(kNoticeClock.now() + base::Seconds{240}));
        const json over = bodiesFor("alertmanager", groupOf({sampleNotice()}, NoticeState::Resolved)).at(0).at(0);
        QVERIFY(over.at("labels") == alert.at("labels") && over.at("endsAt") == "2026-09-21T12:50:00Z");
        const json none = bodiesFor("alertmanager", groupOf({sampleNotice("")})).at(0).at(0);
        QVERIFY(!none.at("labels").contains("scope"));
    }

    void alertmanagerKeepsHostileScopesApart()
    {
        const json alerts =
            bodiesFor("alertmanager", groupOf({sampleNotice(kHostile + "1"), sampleNotice(kHostile + "2")})).at(0);
        QVERIFY(alerts.at(0).at("labels") != alerts.at(1).at("labels"));
        for (const json &alert : alerts)
            QVERIFY(alert.at("labels").at("scope").get<std::string>().size() < 200);
        QCOMPARE(bodiesFor("alertmanager", groupOf(manyNotices(1201))).size(), std::size_t{3});
    }

    void testMessagesEndByThemselves()
    {
        const model::NoticeGroup group = groupOf({sampleNotice()}, NoticeState::Test);
        const auto events = bodiesFor("pagerduty", group);
        QCOMPARE(events.size(), std::size_t{2});
        QVERIFY(events[0].at("event_action") == "trigger" && events[1].at("event_action") == "resolve");
        QVERIFY(events[0].at("dedup_key") == "test-6e2f" && events[1].at("dedup_key") == "test-6e2f");
        QVERIFY(events[0].at("payload").at("severity") == "info");
        const auto pages = sentTo(noticeTarget("opsgenie"), group);
        QCOMPARE(pages.size(), std::size_t{2});
        QVERIFY(pages[1].url.ends_with("/test-6e2f/close?identifierType=alias"));
        const json alert = bodiesFor("alertmanager", group).at(0).at(0);
        QVERIFY(alert.at("labels").at("test") == "true");
        QVERIFY(alert.at("endsAt") == base::toRfc3339(kNoticeClock.now() + base::Seconds{60}));
        QVERIFY(bodiesFor("webhook", group).at(0).at("state") == "test");
        QVERIFY(blockOf(bodiesFor("slack", group).at(0), "header").at("text").at("text")
                == "Test: idle-cost (team research)");
        model::Notice empty;
        for (const char *kind : {"slack", "teams", "pagerduty", "opsgenie", "webhook", "alertmanager"})
            QVERIFY(!bodiesFor(kind, groupOf({empty}, NoticeState::Test)).empty());
    }

    void whatIsNotListedIsCounted()
    {
        model::NoticeGroup group = groupOf(manyNotices(50));
        group.unlisted = 70;
        const auto text = notify::noticeText(group);
        QCOMPARE(text.title, std::string("Firing: idle-cost (120 teams)"));
        QCOMPARE(text.moreItems, std::size_t{110});
        for (const auto &fact : text.facts) // a part is not the sum
            QVERIFY(fact.name != "Cost so far" && fact.name != "Per month if left");
    }

    void marksSayWhatBecomesOfEach()
    {
        std::vector<model::Notice> marks = manyNotices(2);
        for (model::Notice &notice : marks) {
            notice.per = "workload";
            notice.rule = "marks of idle";
            notice.metric = "idle-cost";
            notice.value.clear();
            notice.threshold.clear();
            notice.summary = notice.scope + " was stopped, as announced";
            notice.items = {{"c/ml/" + notice.scope, notice.scope, "vision", 1, {}, {}}};
        }
        const auto over = notify::noticeText(groupOf(marks, NoticeState::Resolved));
        QCOMPARE(over.title, std::string("Resolved: marks of idle (2 workloads)"));
        QCOMPARE(over.line, std::string("2 workloads: no longer marked to be stopped."));
        QCOMPARE(over.items[1], std::string("team-1 was stopped, as announced"));
        QCOMPARE(notify::noticeText(groupOf(marks)).line, std::string("2 workloads: marked to be stopped."));
        const json body = bodiesFor("webhook", groupOf({marks[0]})).at(0);
        QVERIFY(body.at("resource").at("kind") == "workload" && body.at("resource").at("owner") == "vision");
        for (const auto &fact : notify::noticeText(groupOf({marks[0]})).facts)
            QVERIFY(fact.name != "Value" && fact.name != "Threshold");
    }

    void manyScopesAreOneMessage()
    {
        const auto text = notify::noticeText(groupOf(manyNotices(40)));
        QCOMPARE(text.title, std::string("Firing: idle-cost (40 teams)"));
        QCOMPARE(text.items.size(), notify::kShownItems);
        QCOMPARE(text.moreItems, std::size_t{30});
        QVERIFY(text.items[0].starts_with("team-0, 312.40 USD/day, since "));
        const auto sum = std::find_if(text.facts.begin(), text.facts.end(),
                                      [](const auto &fact) { return fact.name == "Cost so far"; });
        QVERIFY(sum != text.facts.end() && sum->value == "1444.80 USD");
        QCOMPARE(bodiesFor("slack", groupOf(manyNotices(40))).size(), std::size_t{1});
        QCOMPARE(bodiesFor("webhook", groupOf(manyNotices(40))).size(), std::size_t{40});
    }
};

GPULEDGER_PLAIN_SUITE(TestNoticePayloads)

} // namespace tst_noticepayloads

#include "tst_noticepayloads.moc"
