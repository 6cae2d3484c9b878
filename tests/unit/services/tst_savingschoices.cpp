// SPDX-License-Identifier: GPL-3.0-or-later
// What people decide about proposals: kept in the audit log, replaced by what they decide later, never changed.
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/ledger.h"
#include "app/reports/months/decisions.h"
#include "app/services/billing/acceptedsavings.h"
#include "app/services/billing/billingservice.h"
#include "app/services/savings/savingschoices.h"
#include "app/services/savings/savingsservice.h"
#include "app/services/workspace/workspace.h"
#include "app/store/values/integrityproblem.h"
#include "tests/support/fakes/fakesource.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace tst_savingschoices {

using namespace gpuledger;
using namespace gpuledger::tests;
using base::ErrorCode;
using savings::Choice;
using savings::ChoiceDraft;
using savings::ChoiceState;
using savings::Proposal;
using savings::SavingsList;

namespace {

constexpr const char *kOdd = "schedule:a b/\"ml\"\\\n/Ünotebook\xff;{}";

base::Money dollars(std::int64_t units)
{
    return {units * base::Money::kNanosPerUnit, base::Currency::usd()};
}

base::Day dayNamed(const char *text)
{
    return base::dayOf(base::parseTime(text).value());
}

Proposal proposalNamed(const std::string &id, savings::Kind kind = savings::Kind::Schedule)
{
    Proposal one;
    one.id = id;
    one.kind = kind;
    one.target = "research/Notebook/seven";
    one.owner = "vision";
    one.currency = "USD";
    one.perMonth = savings::MoneyBand{dollars(80), dollars(100), dollars(130)};
    one.resources = {"3", "17"};
    return one;
}

SavingsList listed()
{
    SavingsList list;
    list.items = {proposalNamed("schedule:one"), proposalNamed(kOdd),
                  proposalNamed("capacity:two", savings::Kind::Capacity)};
    return list;
}

ChoiceDraft accepted(const std::string &id = "schedule:one")
{
    return {id, ChoiceState::Accepted, "kim", dayNamed("2026-12-01"), {}};
}

ChoiceDraft dismissed(const std::string &id = "schedule:one")
{
    return {id, ChoiceState::Dismissed, {}, std::nullopt, "is used at night"};
}

ChoiceDraft later(const char *day)
{
    return {"schedule:one", ChoiceState::Later, {}, dayNamed(day), {}};
}

ChoiceDraft reopened(const std::string &id = "schedule:one")
{
    return {id, ChoiceState::Open, {}, std::nullopt, {}};
}

struct Desk {
    QTemporaryDir dir;
    gpuledger::tests::FakeCatalog catalog;
    mutable gpuledger::tests::NoSecrets secrets;
    base::FrozenClock clock{base::parseTime("2026-11-02T10:00:00Z").value()};
    std::unique_ptr<services::Workspace> open(const std::string &who, const std::string &zone = "UTC") const
    {
        return services::Workspace::open(model::Settings(), {dir.path().toStdString(), zone, false, who}, catalog,
                                         secrets, clock)
            .value();
    }
};

QByteArray saidOf(const base::Result<Choice> &answer)
{
    return answer ? QByteArray("recorded") : QByteArray(answer.error().text.c_str());
}

} // namespace

class TestSavingsChoices : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void staysAsItWasMade()
    {
        const Desk desk;
        ChoiceDraft draft = accepted(kOdd);
        draft.owner = " kim\n\x1b[31m ";
        draft.reason = "two\nlines \xff";
        const auto made = desk.open("alex")->savings().choose(draft, listed());
        QVERIFY2(made, saidOf(made));
        const auto workspace = desk.open("sam");
        const auto all = workspace->savings().choices().value();
        QCOMPARE(all.size(), std::size_t(1));
        const Choice &kept = all.front();
        QCOMPARE(kept.id, made->id);
        QCOMPARE(kept.draft.proposal, std::string(kOdd));
        QVERIFY(kept.draft.state == ChoiceState::Accepted && kept.draft.day == draft.day);
        QVERIFY(kept.draft.owner.starts_with("kim"));
        QVERIFY(kept.draft.owner.find('\x1b') == std::string::npos);
        QVERIFY(kept.draft.reason.starts_with("two lines"));
        QCOMPARE(kept.draft.reason, made->draft.reason);
        QCOMPARE(kept.by, std::string("alex"));
        QVERIFY(kept.at == desk.clock.now());
        QCOMPARE(kept.target, std::string("research/Notebook/seven"));
        QCOMPARE(kept.team, std::string("vision"));
        QVERIFY(kept.kind == savings::Kind::Schedule);
        QVERIFY((kept.resources == std::vector<std::string>{"3", "17"}));
        QVERIFY(kept.projected && kept.projected->p10 == dollars(80) && kept.projected->p50 == dollars(100)
                && kept.projected->p90 == dollars(130));
        QVERIFY(workspace->verify().value().empty());
    }

    void aLaterChoiceReplacesAnEarlierOne()
    {
        const Desk desk;
        const auto workspace = desk.open("alex");
        services::SavingsService &savings = workspace->savings();
        QVERIFY(savings.choose(accepted(), listed()));
        QVERIFY(savings.choose(accepted("capacity:two"), listed()));
        QVERIFY(savings.choose(dismissed(), listed()));
        auto all = savings.choices().value();
        QCOMPARE(all.size(), std::size_t(2));
        QCOMPARE(all[0].draft.proposal, std::string("capacity:two"));
        QVERIFY(all[1].draft.state == ChoiceState::Dismissed);
        QVERIFY(all[1].draft.owner.empty() && !all[1].draft.day);
        QCOMPARE(workspace->billing().auditLog()->size(), std::size_t(3)); // nothing was removed
        QVERIFY(savings.choose(reopened(), SavingsList())); // also of a proposal that is not there any more
        all = savings.choices().value();
        QVERIFY(all[1].draft.state == ChoiceState::Open);
        QCOMPARE(all[1].target, std::string("research/Notebook/seven"));
        const auto again = savings.choose(reopened(), listed());
        QVERIFY(!again && again.error().code == ErrorCode::NotFound);
    }

    void saysWhatIsWrong_data()
    {
        QTest::addColumn<int>("what");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("no owner") << 0 << QByteArray("needs a person responsible");
        QTest::newRow("no day") << 1 << QByteArray("needs a day until when");
        QTest::newRow("no reason") << 2 << QByteArray("needs a reason");
        QTest::newRow("long reason") << 3 << QByteArray("longer than 300 bytes");
        QTest::newRow("put off until today") << 4 << QByteArray("a day after today");
        QTest::newRow("put off without a day") << 5 << QByteArray("needs a day on which");
        QTest::newRow("unknown") << 6 << QByteArray("there is no proposal");
        QTest::newRow("nothing to take back") << 7 << QByteArray("no choice about");
        QTest::newRow("no proposal") << 8 << QByteArray("needs a proposal");
    }

    void saysWhatIsWrong()
    {
        QFETCH(int, what);
        QFETCH(QByteArray, said);
        ChoiceDraft drafts[]{accepted(),          accepted(), dismissed(), dismissed(), later("2026-11-02"),
                             later("2026-11-05"), accepted(), reopened(),  accepted()};
        drafts[0].owner = " \n";
        drafts[1].day.reset();
        drafts[2].reason = "\t";
        drafts[3].reason = std::string(301, 'x');
        drafts[5].day.reset();
        drafts[6].proposal = "schedule:three";
        drafts[8].proposal.clear();
        const Desk desk;
        const auto workspace = desk.open("alex");
        const auto answer = workspace->savings().choose(drafts[what], listed());
        QVERIFY2(saidOf(answer).contains(said), saidOf(answer));
        QVERIFY(answer.error().code == (what == 6 || what == 7 ? ErrorCode::NotFound : ErrorCode::InvalidArgument));
        QVERIFY(workspace->savings().choices()->empty());
    }

    void whatWasDismissedOrPutOffDoesNotCount()
    {
        const auto choiceOf = [](const ChoiceDraft &draft) {
            Choice one;
            one.draft = draft;
            return one;
        };
        const auto excluded = [&](const ChoiceDraft &draft, const char *now) {
            std::vector<Proposal> proposals = listed().items;
            services::excludeChosen(proposals, {choiceOf(draft)}, dayNamed(now));
            return proposals;
        };
        const auto all = excluded(dismissed(), "2026-11-02T10:00:00Z");
        QVERIFY(all[0].excludedBy && all[0].excludedBy->text == savings::RemarkText::Dismissed);
        QCOMPARE(all[0].excludedBy->terms.at(0).text, std::string("is used at night"));
        QVERIFY(!all[1].excludedBy && !all[2].excludedBy);
        const auto off = excluded(later("2026-11-05"), "2026-11-04T23:59:59Z");
        QVERIFY(off[0].excludedBy && off[0].excludedBy->text == savings::RemarkText::PutOff);
        QVERIFY(!excluded(later("2026-11-05"), "2026-11-05T00:00:00Z")[0].excludedBy);
        QVERIFY(!excluded(accepted(), "2026-11-02T10:00:00Z")[0].excludedBy);
        QVERIFY(!excluded(reopened(), "2026-11-02T10:00:00Z")[0].excludedBy);
    }

    // "Today" is the day in the configured time zone: there, it is already the third of November.
    void aReminderIsDueInTheZone()
    {
        const Desk desk;
        const auto workspace = desk.open("alex", "Pacific/Kiritimati");
        const auto refused = workspace->savings().choose(later("2026-11-03"), listed());
        QVERIFY2(saidOf(refused).contains("a day after today"), saidOf(refused));
        QVERIFY(refused.error().hint.find("2026-11-03 (Pacific/Kiritimati)") != std::string::npos);
        QVERIFY(workspace->savings().choose(later("2026-11-04"), listed()));
    }

    void entriesThatAreNoChoicesAreSkipped()
    {
        const Proposal one = proposalNamed("schedule:one");
        store::AuditEntry good{1, services::choiceEvent(accepted(), one, {}, "alex"), {}, {}, {}};
        store::AuditEntry other = good, damaged = good, stateless = good;
        other.sequence = 2;
        other.event.action = store::kDecide;
        damaged.sequence = 3;
        damaged.event.details = "{\"state\":";
        stateless.sequence = 4;
        stateless.event.details = R"({"state":"sold","kind":"schedule"})";
        const auto all = services::choicesOf({good, other, damaged, stateless});
        QCOMPARE(all.size(), std::size_t(1));
        QCOMPARE(all.front().id, std::int64_t{1});
    }

    // Meetings open with what is accepted, as long as it is; nothing more is written for that.
    void whatIsAcceptedIsADecisionOfAMeeting()
    {
        const Desk desk;
        const auto workspace = desk.open("alex");
        services::SavingsService &savings = workspace->savings();
        QVERIFY(savings.choose(accepted(), listed()));
        QVERIFY(savings.choose(dismissed(kOdd), listed()));
        QVERIFY(savings.choose(accepted("capacity:two"), listed()));
        const auto open = workspace->billing().acceptedSavings().value();
        QCOMPARE(open.size(), std::size_t(2));
        QCOMPARE(open[0].choice.draft.proposal, std::string("schedule:one"));
        QCOMPARE(open[1].choice.draft.proposal, std::string("capacity:two"));
        QCOMPARE(open[0].choice.draft.owner, std::string("kim"));
        QVERIFY(open[0].choice.draft.day == dayNamed("2026-12-01"));
        QVERIFY(open[0].choice.projected && open[0].choice.projected->p50 == dollars(100));
        QVERIFY((open[0].month == insight::Month{2026, 10})); // accepted on the second of November
        QVERIFY(workspace->billing().decisions()->empty());
        QCOMPARE(workspace->billing().auditLog()->size(), std::size_t(3));
        QVERIFY(savings.choose(reopened(), listed()));
        const auto left = workspace->billing().acceptedSavings().value();
        QCOMPARE(left.size(), std::size_t(1));
        QCOMPARE(left[0].choice.draft.proposal, std::string("capacity:two"));
    }

    void theMonthOfItsMeetingIsTheLastOneThatWasOver_data()
    {
        QTest::addColumn<QByteArray>("at");
        QTest::addColumn<QByteArray>("zone");
        QTest::addColumn<QByteArray>("month");
        QTest::newRow("first instant") << QByteArray("2026-11-01T00:00:00Z") << QByteArray("UTC")
                                       << QByteArray("2026-10");
        QTest::newRow("last instant") << QByteArray("2026-10-31T23:59:59Z") << QByteArray("UTC")
                                      << QByteArray("2026-09");
        QTest::newRow("zone") << QByteArray("2026-10-31T23:59:59Z") << QByteArray("Pacific/Kiritimati")
                              << QByteArray("2026-10");
        QTest::newRow("January") << QByteArray("2027-01-10T00:00:00Z") << QByteArray("UTC") << QByteArray("2026-12");
    }

    void theMonthOfItsMeetingIsTheLastOneThatWasOver()
    {
        QFETCH(QByteArray, at);
        QFETCH(QByteArray, zone);
        QFETCH(QByteArray, month);
        const base::UtcTime first = base::parseTime(at.constData()).value();
        const Proposal one = proposalNamed("schedule:one");
        // Accepting it again later does not move it.
        const std::vector<store::AuditEntry> log{
            {1, services::choiceEvent(accepted(), one, first, "alex"), {}, {}, {}},
            {2, services::choiceEvent(accepted(), one, first + 90 * base::kDay, "sam"), {}, {}, {}}};
        const auto open = services::acceptedSavingsOf(log, base::TimeZone::find(zone.constData()).value());
        QCOMPARE(open.size(), std::size_t(1));
        QCOMPARE(open[0].choice.id, std::int64_t{2});
        QCOMPARE(insight::toString(open[0].month), month.toStdString());
    }

    // What is measured stays what it was: only owner, day and reason are those of the newest.
    void acceptedAgainIsMeasuredFromTheFirstTime()
    {
        Desk desk;
        const auto workspace = desk.open("alex");
        services::SavingsService &savings = workspace->savings();
        QVERIFY(savings.choose(accepted(), listed()));
        const base::UtcTime first = desk.clock.now();
        desk.clock = base::FrozenClock(first + 10 * base::kDay);
        SavingsList changed = listed();
        changed.items[0].resources = {"99"};
        changed.items[0].perMonth = savings::MoneyBand{dollars(1), dollars(2), dollars(3)};
        ChoiceDraft again = accepted();
        again.owner = "sam";
        again.day = dayNamed("2026-12-20");
        const Choice made = savings.choose(again, changed).value();
        for (const Choice &one : {made, savings.choices().value().front()}) {
            QVERIFY(one.since == first && one.at == desk.clock.now() && one.id == made.id);
            QVERIFY((one.resources == std::vector<std::string>{"3", "17"}));
            QVERIFY(one.projected && one.projected->p50 == dollars(100));
            QVERIFY(one.draft.owner == "sam" && one.draft.day == again.day);
        }
        QVERIFY(savings.choose(dismissed(), changed)); // this ends the chain
        QVERIFY(savings.choose(again, changed));
        const Choice fresh = savings.choices().value().front();
        QVERIFY(fresh.since == desk.clock.now() && fresh.projected->p50 == dollars(2));
        QVERIFY((fresh.resources == std::vector<std::string>{"99"}));
    }

    // Ids of a cache that is fetched again may be of other devices.
    void devicesAreKeptByName()
    {
        Desk desk;
        Scenario scenario;
        scenario.batch.covered.end = scenario.at(Scenario::kDaySeconds);
        const auto node = scenario.node("node-a");
        scenario.reports(scenario.device("GPU-a"), Scenario::kNone, node, 0, Scenario::kDaySeconds, 0);
        const auto workspace = desk.open("alex");
        const auto store = store::LedgerStore::open(desk.dir.path().toStdString()).value();
        const auto ledger = ledger::Ledger::create(model::Settings()).value();
        QVERIFY(ledger::LedgerWriter(*store, ledger->rollup()).commit("telemetry", scenario.batch));
        const auto facts = store->facts().value();
        const model::Device device = facts->devices().value().front();
        SavingsList list = listed();
        list.items[0].resources = {std::to_string(device.id.value), "bill:aws/1/eu/p4d", "999"};
        const Choice made = workspace->savings().choose(accepted(), list).value();
        QCOMPARE(made.resources.front(), "gpu:" + device.cluster + "/GPU-a");
        QCOMPARE(made.resources.front(), services::deviceResource(device));
        QCOMPARE(made.resources[1], std::string("bill:aws/1/eu/p4d"));
        QVERIFY(workspace->savings().choices().value().front().resources == made.resources);
    }

    void withoutAPriceNothingIsProjected()
    {
        Proposal one = proposalNamed("schedule:one");
        one.perMonth.reset();
        one.currency.clear();
        const store::AuditEntry entry{1, services::choiceEvent(dismissed(), one, {}, "alex"), {}, {}, {}};
        const auto all = services::choicesOf({entry});
        QCOMPARE(all.size(), std::size_t(1));
        QVERIFY(!all.front().projected);
    }
};

GPULEDGER_SUITE(TestSavingsChoices)

} // namespace tst_savingschoices

#include "tst_savingschoices.moc"
