// SPDX-License-Identifier: GPL-3.0-or-later
// Which messages follow from what fires, when they are tried again, and how they are stored.
#include "app/alerts/outbox/messageplan.h"
#include "app/alerts/outbox/noticetext.h"
#include "app/alerts/outbox/retries.h"
#include "tests/support/suite.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>

namespace tst_outbox {

using namespace gpuledger;
using namespace gpuledger::alerts;
using model::NoticeState;

namespace {

const base::UtcTime kPlanTime = base::fromUnix(1'800'000'000);

PlanAlert alertOf(const std::string &scope, const std::string &rule = "idle")
{
    return {rule + '/' + scope, rule, scope, kPlanTime - base::Seconds{600}};
}

PlanQuestion questionOf(const std::vector<std::string> &scopes)
{
    PlanQuestion out;
    out.now = kPlanTime;
    for (const std::string &scope : scopes)
        out.firing.push_back(alertOf(scope));
    out.send["idle"] = {"chat"};
    out.targets["chat"] = {};
    return out;
}

// The question after its messages are stored.
PlanQuestion toldAll(PlanQuestion question)
{
    for (const PlannedMessage &message : planMessages(question)) {
        for (const PlanAlert &alert : message.alerts)
            question.told.push_back({alert, message.target, message.notice, false, question.now});
    }
    return question;
}

model::NoticeGroup fullGroup()
{
    model::Notice notice;
    notice.state = NoticeState::Resolved;
    notice.key = "k";
    notice.rule = "idle";
    notice.metric = "idle-cost";
    notice.per = "team";
    notice.scope = "a \"team\"\n";
    notice.severity = "warning";
    notice.startedAt = kPlanTime;
    notice.endedAt = kPlanTime + base::Seconds{5};
    notice.value = "1 USD/day";
    notice.threshold = "2 USD/day";
    notice.summary = "s";
    notice.costSoFar = base::Money(123, base::Currency::usd());
    notice.link = "gpuledger://idle";
    notice.command = "gpuledger-cli idle";
    notice.consequence = "c";
    notice.items = {{"id", "n", "o", 0.1, kPlanTime, base::Money(-7, base::Currency::usd())},
                    {"id2", "", "", 2, {}, {}}};
    notice.moreItems = 3;
    return {"m", {notice, model::Notice{}}, kPlanTime};
}

} // namespace

class TestOutbox : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void alertsOfARuleAreOneMessage()
    {
        PlanQuestion question = questionOf({"b", "a"});
        question.firing.push_back(alertOf("c", "other"));
        question.send["other"] = {"chat", "chat"};
        const auto planned = planMessages(question);
        QCOMPARE(planned.size(), std::size_t{2});
        QCOMPARE(planned[0].rule, std::string("idle"));
        QCOMPARE(planned[0].alerts, (std::vector<PlanAlert>{alertOf("a"), alertOf("b")}));
        QCOMPARE(planned[1].alerts.size(), std::size_t{1});
        question.targets["chat"].groups = false;
        QCOMPARE(planMessages(question).size(), std::size_t{3});
    }

    void nothingIsToldTwice()
    {
        PlanQuestion question = toldAll(questionOf({"a", "b"}));
        QVERIFY(planMessages(question).empty());
        question.firing.push_back(alertOf("c"));
        const auto more = planMessages(question);
        QCOMPARE(more.size(), std::size_t{1});
        QCOMPARE(more[0].alerts, (std::vector<PlanAlert>{alertOf("c")}));
        // Another target of the rule hears of what fires already.
        question.send["idle"].push_back("pager");
        question.targets["pager"] = {};
        QCOMPARE(planMessages(question).size(), std::size_t{2});
    }

    void theEndIsToldToWhoeverHeardOfTheBegin()
    {
        PlanQuestion question = toldAll(questionOf({"a"}));
        question.firing.clear();
        question.send.clear(); // the rule is gone
        const auto over = planMessages(question);
        QCOMPARE(over.size(), std::size_t{1});
        QVERIFY(over[0].notice == NoticeState::Resolved);
        QVERIFY(planMessages(toldAll(question)).empty());
        question.targets["chat"].resolves = false;
        QVERIFY(planMessages(question).empty());
        question.targets["chat"].resolves = true;
        question.told.front().isLost = true;
        QVERIFY(planMessages(question).empty());
        question.told.front().isLost = false;
        question.targets.clear();
        QVERIFY(planMessages(question).empty());
    }

    void aSilenceHoldsBackUntilItEnds()
    {
        PlanQuestion question = questionOf({"a", "b"});
        question.silences.push_back({"idle", "a", {kPlanTime, kPlanTime + base::Seconds{60}}});
        QCOMPARE(planMessages(question).front().alerts, (std::vector<PlanAlert>{alertOf("b")}));
        question = toldAll(question);
        question.now += base::Seconds{60};
        QCOMPARE(planMessages(question).front().alerts, (std::vector<PlanAlert>{alertOf("a")}));
        // Over while it is silenced: whoever believes that it fires hears of it later.
        question = toldAll(question);
        question.firing.clear();
        question.silences = {{"", "", {kPlanTime, kPlanTime + base::Seconds{90}}}};
        QVERIFY(planMessages(question).empty());
        question.now += base::Seconds{60};
        QCOMPARE(planMessages(question).front().alerts.size(), std::size_t{2});
        // One that fired and ended within a silence is never told.
        PlanQuestion quiet = questionOf({});
        QVERIFY(planMessages(quiet).empty());
        QVERIFY(!silences({"x", "", {kPlanTime, kPlanTime + base::Seconds{1}}}, "idle", "a", kPlanTime));
    }

    void acknowledgedAlertsAreToldToNobodyElse()
    {
        PlanQuestion question = questionOf({"a"});
        question.acknowledged.insert(alertOf("a").key);
        QVERIFY(planMessages(question).empty());
        question = toldAll(questionOf({"a"}));
        question.acknowledged.insert(alertOf("a").key);
        question.firing.clear();
        QCOMPARE(planMessages(question).size(), std::size_t{1}); // its end is
    }

    void whatNobodyAcknowledgesIsEscalated()
    {
        PlanQuestion question = questionOf({"a", "b"});
        question.escalate["idle"] = {{base::Seconds{7200}, {"boss"}}, {base::Seconds{10800}, {"chief"}}};
        question.targets["boss"] = {};
        question.targets["chief"] = {};
        question = toldAll(question); // its time begins now, however long ago it fired
        question.now += base::Seconds{7199};
        QVERIFY(planMessages(question).empty());
        question.now += base::Seconds{1};
        question.acknowledged.insert(alertOf("b").key);
        const auto steps = planMessages(question);
        QCOMPARE(steps.size(), std::size_t{1});
        QCOMPARE(steps[0].target, std::string("boss"));
        QCOMPARE(steps[0].alerts, (std::vector<PlanAlert>{alertOf("a")}));
        question = toldAll(question);
        QVERIFY(planMessages(question).empty()); // once
        question.now += base::Seconds{3600};
        QCOMPARE(planMessages(question).front().target, std::string("chief"));
        question = toldAll(question);
        question.firing.clear();
        std::vector<std::string> over;
        for (const PlannedMessage &one : planMessages(question))
            over.push_back(one.target + std::to_string(one.alerts.size()));
        QCOMPARE(over, (std::vector<std::string>{"boss1", "chat2", "chief1"})); // all that were told
    }

    void anEscalationWaitsForWhatIsKnown()
    {
        PlanQuestion question = questionOf({"a"});
        question.escalate["idle"] = {{base::Seconds{7200}, {"boss"}}};
        question.targets["boss"] = {};
        PlanQuestion late = toldAll(question);
        late.now += base::Seconds{86400};
        late.unsure.insert(alertOf("a").key);
        QVERIFY(planMessages(late).empty());
        late.unsure.clear();
        late.silences.push_back({"idle", "", {late.now, late.now + base::Seconds{1}}});
        QVERIFY(planMessages(late).empty());
        late.silences.clear();
        QCOMPARE(planMessages(late).size(), std::size_t{1});
        late.escalate.clear();
        QVERIFY(planMessages(late).empty());
        // Told by a clock that was a year ahead: the time counts from when it fired.
        PlanQuestion ahead = toldAll(question);
        ahead.told.front().at += base::Seconds{365 * 86400};
        QVERIFY(planMessages(ahead).empty());
        ahead.now += base::Seconds{7200 - 600};
        QCOMPARE(planMessages(ahead).size(), std::size_t{1});
        // Told just before the clock was set back a little, of what fired long ago.
        PlanQuestion back = toldAll(question);
        back.now += base::Seconds{86400};
        back.told.front().at = back.now + base::Seconds{2};
        QVERIFY(planMessages(back).empty());
        // Nobody was told yet, because of a silence: nobody is escalated to.
        PlanQuestion quiet = question;
        quiet.now += base::Seconds{86400};
        QCOMPARE(planMessages(quiet).size(), std::size_t{1});
        QCOMPARE(planMessages(quiet).front().target, std::string("chat"));
    }

    void aStormIsCut()
    {
        std::vector<std::string> scopes;
        for (int i = 0; i < 10'000; ++i)
            scopes.push_back("team-" + std::to_string(i));
        PlanQuestion question = questionOf(scopes);
        question.send["idle"] = {"chat", "pager", "manager"};
        question.targets["pager"].groups = false;
        question.targets["manager"].repeats = true;
        QElapsedTimer timer;
        timer.start();
        const auto planned = planMessages(question);
        QVERIFY2(timer.elapsed() < 5000, qPrintable(QString::number(timer.elapsed())));
        const auto countOf = [&](const std::string &target) {
            return std::count_if(planned.begin(), planned.end(), [&](const auto &one) { return one.target == target; });
        };
        QCOMPARE(countOf("chat"), 1);
        QCOMPARE(planned.front().alerts.size(), std::size_t{10'000});
        QCOMPARE(planned.front().listed(), kMostListed);
        QCOMPARE(countOf("pager"), static_cast<std::ptrdiff_t>(kMostEach));
        QCOMPARE(countOf("manager"), static_cast<std::ptrdiff_t>(kMostEach));
        for (const PlannedMessage &one : planned)
            QVERIFY(one.target != "manager" || one.alerts.size() <= kMostListed);
        // Nobody is forgotten: the rest follows.
        question.firing.resize(1'000);
        std::size_t rounds = 0;
        for (; !planMessages(question).empty(); ++rounds)
            question = toldAll(std::move(question));
        QCOMPARE(rounds, std::size_t{1'000} / kMostEach);
        QCOMPARE(question.told.size(), std::size_t{3'000});
    }

    void retriesBackOff()
    {
        base::Seconds before{0};
        for (int attempts = 1; attempts < 40; ++attempts) {
            const base::Seconds most =
                std::min(kLongestBackOff, kFirstBackOff * (std::int64_t{1} << std::min(attempts - 1, 20)));
            for (std::int64_t id = 1; id < 200; ++id) {
                const base::Seconds pause = backOff(attempts, id);
                QVERIFY(pause <= most && pause * 5 >= most * 4);
                QCOMPARE(pause, backOff(attempts, id));
            }
            QVERIFY(most >= before);
            before = most;
        }
        QVERIFY(backOff(8, 1) != backOff(8, 2));
        QCOMPARE(nextAttempt(kPlanTime, 1, 1, base::Seconds{77}), kPlanTime + base::Seconds{77});
        QCOMPARE(nextAttempt(kPlanTime, 1, 1, base::Seconds{-5}), kPlanTime + base::Seconds{1});
        QVERIFY(!isGivenUp(kPlanTime, kPlanTime + kTriedFor - base::Seconds{1}));
        QVERIFY(isGivenUp(kPlanTime, kPlanTime + kTriedFor));
    }

    void aClockThatWasAheadDelaysNothingForLong()
    {
        QVERIFY(isDue(kPlanTime, kPlanTime));
        QVERIFY(!isDue(kPlanTime + base::Seconds{1}, kPlanTime));
        QVERIFY(!isDue(kPlanTime + kTriedFor, kPlanTime));
        QVERIFY(isDue(kPlanTime + 400 * base::kDay, kPlanTime));
        QVERIFY(!isGivenUp(kPlanTime + 400 * base::kDay, kPlanTime));
    }

    void aStoredMessageIsTheSame()
    {
        model::NoticeGroup group = fullGroup();
        group.unlisted = 3;
        const auto read = noticeGroupOf(textOf(group));
        QVERIFY(read.has_value());
        QVERIFY(*read == group);
        for (const char *text : {"", "{}", "[]", "{\"id\":1}", "null"})
            QVERIFY2(!noticeGroupOf(text).has_value(), text);
        const std::string text = textOf(group);
        for (std::size_t i = 0; i < text.size(); ++i)
            QVERIFY(!noticeGroupOf(text.substr(0, i)).has_value());
        QCOMPARE(without(group, {"k"}).notices.size(), std::size_t{1});
        model::NoticeGroup broken = group;
        broken.notices.front().scope = "\xff";
        QVERIFY(noticeGroupOf(textOf(broken)).has_value());
    }
};

GPULEDGER_SUITE(TestOutbox)

} // namespace tst_outbox

#include "tst_outbox.moc"
