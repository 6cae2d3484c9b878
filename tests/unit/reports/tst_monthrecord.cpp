// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/documents/documents.h"
#include "app/reports/files/reportmonth.h"
#include "app/reports/months/monthrecord.h"
#include "app/reports/months/statementdetail.h"
#include "tests/support/suite.h"

#include <QTest>

#include <limits>

namespace tst_monthrecord {

using namespace gpuledger;
using base::Currency;
using base::ErrorCode;
using base::Money;
using insight::LedgerRow;
using reports::ClosedMonth;
using reports::CostView;
using reports::MonthAdjustment;
using reports::MonthFigures;
using reports::ObjectionKind;

namespace {

constexpr insight::Month kMonth{2026, 9};
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
const Currency kUsd = Currency::usd();
const std::string kHostile = "a\"],[\n\x01\\ é \xF0\x9F\x92\xB8 =cmd";

base::UtcTime at(const char *text)
{
    return base::parseTime(text).value();
}

LedgerRow row(std::vector<std::string> keys, std::int64_t billed, std::int64_t effective, std::int64_t ticks)
{
    LedgerRow out;
    out.keys = std::move(keys);
    out.currency = kUsd;
    out.billed = Money(billed, kUsd);
    out.effective = Money(effective, kUsd);
    out.priced = Money(0, kUsd);
    out.gpuTime = {ticks};
    out.hasGpuTime = ticks != 0;
    return out;
}

ClosedMonth september()
{
    ClosedMonth month;
    month.record.month = kMonth;
    month.record.made = at("2026-10-04T09:00:00Z");
    month.record.report = kUsd;
    month.record.covered = {at("2026-08-01T00:00:00Z"), at("2026-10-04T00:00:00Z")};
    month.record.after.rows = {row({kHostile, "gpu", "active", "billed", "H100"}, 5'000'000'001, -7, 9'072'000),
                               row({"", "tax", "", "billed", ""}, -1, 0, 0)};
    insight::LedgerTotal total;
    total.currency = kUsd;
    total.billBilled = total.billed = Money(5'000'000'000, kUsd);
    total.billEffective = total.effective = Money(-7, kUsd);
    total.unexplainedBilled = total.unexplainedEffective = Money(0, kUsd);
    month.record.after.totals = {total};
    month.record.before.rows = {row({kHostile, "gpu", "active", "billed", "H100"}, 1, 1, 9'072'000)};
    reports::RestatedMonth restated;
    restated.now.rows = {row({kHostile, "gpu", "active", "billed", "H100"}, 3, 4, 9'072'000)};
    restated.byOldRules = insight::LedgerAnswer();
    restated.byOldRules->rows = {row({kHostile, "gpu", "active", "billed", "H100"}, 5, 6, 9'072'000),
                                 row({"gone", "gpu", "idle", "priced", "H100"}, 0, 0, 2520)};
    month.record.restated = std::move(restated);
    month.record.reportBefore = Currency::parse("EUR").value();
    month.record.restated->byOldRules->rows.back().priced = Money(7, *month.record.reportBefore);
    // Eleven workloads, ten of which are shown in each view: the most expensive in one view is the cheapest in the
    // other.
    for (std::int64_t i = 1; i <= 11; ++i)
        month.record.workloads.rows.push_back(
            row({kHostile, "ml", "job-" + std::to_string(i), "active"}, i, 12 - i, 2520));
    for (std::int64_t i = 12; i <= 30; ++i)
        month.record.workloads.rows.push_back(row({kHostile, "ml", "small-" + std::to_string(i), "idle"}, 0, 0, 2520));
    month.record.possible = insight::LedgerAnswer();
    month.record.possible->rows = {row({kHostile, "gpu", "idle", "billed"}, 6, 7, 0),
                                   row({kHostile, "refund", "", "billed"}, -2, -1, 0)};
    month.record.doubts = insight::LedgerAnswer();
    month.record.doubts->rows = {row({kHostile, "gpu", "active", "billed", "H100", "east", "equal", ""}, 3, 4, 2520)};
    month.record.past = reports::PastMonths{
        {{{2025, 12}, {{{kUsd, kHostile, "gpu", "idle"}, {kMost, -kMost, 1}}}},
         {{2026, 7},
          {{{kUsd, "", "tax", ""}, {-1, 0, 0}}, {{*month.record.reportBefore, "gone", "gpu", "active"}, {0, 0, 8}}}}},
        {{{2026, 7}, {{{kUsd, "", "tax", ""}, {5, 6, 7}}}}}};
    month.record.adjustments = {{{2026, 8}, at("2026-09-03T00:00:00Z"), {kUsd, "late", "storage", ""}, {3, -4, 5}}};
    month.by = "alex";
    month.reason = kHostile;
    month.review = reports::MonthStatus::Review{at("2026-10-03T00:00:00Z"), "kim"};
    month.objections = {{.kind = ObjectionKind::NoBill}};
    month.rules = reports::KeptRules{"0123abcd", "owners:\n  - " + kHostile};
    return month;
}

reports::ClosedTexts texts(const ClosedMonth &month)
{
    return reports::encode(month,
                           [](const reports::LineVisitor &visit) -> base::Result<void> {
                               model::LedgerKey key;
                               key.currency = kUsd;
                               key.team = kHostile;
                               GPULEDGER_TRY(visit(base::dayOf(at("2026-09-01")), key, {1, 2, 3, 0, 5, 6}));
                               return visit(base::dayOf(at("2026-09-02")), key, {1, 2, 3, 1, 5, 6});
                           })
        .value();
}

std::string documents(const ClosedMonth &month)
{
    std::string all;
    for (const CostView view : {CostView::Billed, CostView::Effective}) {
        const auto statement = reports::makeStatement(month.record, reports::statusOf(month, "ab12"), view, {}).value();
        all += reports::toCsv(statement) + reports::toHtml(statement) + reports::toXlsx(statement).value();
    }
    return all;
}

reports::CloseCheck check(const insight::Reconciliation &reconciliation)
{
    return {kMonth, at("2026-10-01T00:00:00Z"), at("2026-10-01T00:00:00Z"), true, reconciliation, {}, {}};
}

} // namespace

class TestMonthRecord : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsKeptMakesTheSameDocuments()
    {
        const ClosedMonth month = september();
        const auto kept = texts(month);
        for (const std::string &text : kept.rows)
            QVERIFY(text.find('\n') == std::string::npos && text.front() == '[');
        QCOMPARE(kept.rows.size(), kept.figureCount + 3); // a key with two lines
        const std::vector<std::string> figures(kept.rows.begin(),
                                               kept.rows.begin() + static_cast<std::ptrdiff_t>(kept.figureCount));
        QCOMPARE(reports::figureCountOf(figures.front()).value(), kept.figureCount);
        const auto read = reports::decode(figures);
        QVERIFY2(read.has_value(), read ? "" : read.error().text.c_str());
        QVERIFY(documents(*read) == documents(month));
        QVERIFY(read->record.past == month.record.past);
        QCOMPARE(reports::figuresHash(read->record), reports::figuresHash(month.record));
        QCOMPARE(read->reason, kHostile);
        QCOMPARE(read->review->by, std::string("kim"));
        QCOMPARE(read->record.workloads.rows.size(), std::size_t{11}); // those that are shown in either view
        QVERIFY(read->rules && read->rules->id == "0123abcd" && read->rules->text == month.rules->text);
        QVERIFY(read->record.reportBefore == month.record.reportBefore);
        QVERIFY(documents(month).find("late data") != std::string::npos);
        const auto statement = reports::makeStatement(read->record, {}, CostView::Effective, {}).value();
        QVERIFY(statement.knowsDoubts && statement.knowsNeighbours);
        for (const reports::TeamStatement &team : statement.currencies.front().teams) {
            QCOMPARE(team.sharedEqually.nanos(), team.team == kHostile ? 4 : 0);
            QCOMPARE(team.unowned.more.nanos(), team.team == kHostile ? 7 : 0);
            QCOMPARE(team.unowned.less.nanos(), team.team == kHostile ? -1 : 0);
            QCOMPARE(team.unownedIdle.more.nanos(), team.team == kHostile ? 7 : 0);
        }
        const auto status = reports::statusOfHeader(figures.front(), "ab12");
        QVERIFY(status && status->month == kMonth && status->by == "alex" && status->at == month.record.made);
    }

    void whatDoesNotFitIsRefused()
    {
        const auto kept = texts(september());
        const std::vector<std::string> whole(kept.rows.begin(),
                                             kept.rows.begin() + static_cast<std::ptrdiff_t>(kept.figureCount));
        const auto refused = [&](std::size_t place, const std::string &text) {
            auto rows = whole;
            rows[place] = text;
            const auto read = reports::decode(rows);
            return !read && read.error().code == ErrorCode::StorageCorrupt;
        };
        for (const char *text :
             {"", "[]", "{}", "[1]", R"(["sum"])", R"(["bill","USD",1,2,3,4,5])", R"(["who","x"])",
              R"(["bill","USD",1,2,3,4,5,9223372036854775808])", R"(["bill","USD",1,2,3,4,5,0.5])",
              R"(["bill","dollars",1,2,3,4,5,6])",
              R"(["adjustment","2026","2026-09-03T00:00:00Z","USD","t","gpu","",1,2,3])",
              R"(["past","2026-07","USD","","tax","",-1,0,0])", // a duplicate
              R"(["past","2026","USD","a","tax","",1,2,3])", R"(["past","2026-07","USD","a","tax","",1,2])",
              R"(["past","2026-07","dollars","a","tax","",1,2,3])"})
            QVERIFY2(refused(1, text), text);
        // A report is signed by its author, who may have written anything into it.
        const auto headerWith = [&](const std::string &member) {
            std::string header = whole[0];
            return header.insert(header.size() - 2, ',' + member); // the last of two members with the same name wins
        };
        for (const char *member : {R"("fetched_in_part":1)", R"("doubts":"yes")", R"("doubts":1)", R"("possible":1)",
                                   R"("past":1)", R"("past":false)", R"("knows_before":"no")",
                                   R"("sharing":{"idle":"even","shared":"fixed","weights":{"a":1e300}})",
                                   R"("sharing":{"idle":"even","shared":"fixed","weights":{"a":-1}})"})
            QVERIFY2(refused(0, headerWith(member)), member);
        QVERIFY(!reports::decode({}));
        QVERIFY(!reports::decode({whole.begin(), whole.end() - 1}));
        auto rows = whole;
        rows[0].replace(rows[0].find("\"form\":5"), 8, "\"form\":6");
        QVERIFY(reports::decode(rows).error().code == ErrorCode::StorageNewer);
        QVERIFY(!reports::statusOfHeader("", "ab12"));
    }

    void whatAnOlderVersionKeptIsRead()
    {
        ClosedMonth month = september();
        month.record.restated.reset();
        month.record.reportBefore.reset();
        month.record.doubts.reset();
        month.record.possible.reset();
        month.record.past.reset();
        month.rules.reset();
        auto rows = texts(month).rows;
        rows.resize(rows.size() - 3);
        rows[0].replace(rows[0].find("\"form\":5"), 8, "\"form\":1");
        const auto read = reports::decode(rows);
        QVERIFY2(read.has_value(), read ? "" : read.error().text.c_str());
        QVERIFY(!read->rules && !read->record.restated && !read->record.knowsBefore);
        const auto statement =
            reports::makeStatement(read->record, reports::statusOf(*read, "ab12"), CostView::Billed, {}).value();
        const auto &change = statement.currencies.front().teams.front().change;
        QVERIFY(change && change->state == reports::StatementChange::Before::Unknown);
        QVERIFY(!change->policy && !change->late);
        QVERIFY(documents(*read) == documents(month));
        // A report stores it in the current form, without additional knowledge.
        const auto handedOn =
            reports::keptMonthOf(reports::toText({read->record, reports::statusOf(*read, "ab12")}).value());
        QVERIFY2(handedOn.has_value(), handedOn ? "" : handedOn.error().text.c_str());
        QVERIFY(!handedOn->record.knowsBefore && !handedOn->record.past && !handedOn->record.doubts);
    }

    // Stored only for a month that was fetched in part; the texts of every other month are as before.
    void whetherAllWasFetchedIsKept()
    {
        ClosedMonth month = september();
        const auto figures = [&month] {
            const auto kept = texts(month);
            return std::vector<std::string>(kept.rows.begin(),
                                            kept.rows.begin() + static_cast<std::ptrdiff_t>(kept.figureCount));
        };
        const auto whole = figures();
        QVERIFY(whole[0].find("fetched_in_part") == std::string::npos);
        month.record.fetchedInPart = true;
        const auto rows = figures();
        QVERIFY(reports::decode(rows).value().record.fetchedInPart);
        QVERIFY(!reports::decode(whole).value().record.fetchedInPart);
        QVERIFY(std::equal(whole.begin() + 1, whole.end(), rows.begin() + 1, rows.end()));
    }

    // Form 2 had no doubts: they are unknown, not empty.
    void whatWasKeptWithoutDoubtsIsRead()
    {
        ClosedMonth month = september();
        month.record.doubts.reset();
        month.record.possible.reset();
        month.record.past.reset();
        auto rows = texts(month).rows;
        rows.resize(rows.size() - 3);
        rows[0].replace(rows[0].find("\"form\":5"), 8, "\"form\":2");
        const auto read = reports::decode(rows);
        QVERIFY2(read.has_value(), read ? "" : read.error().text.c_str());
        QVERIFY(!read->record.doubts && read->rules && read->record.restated);
        const auto statement = reports::makeStatement(read->record, {}, CostView::Billed, {}).value();
        QVERIFY(!statement.knowsDoubts);
        QVERIFY(statement.currencies.front().teams.front().sharedEqually.isZero());
    }

    // Form 3 had nothing about earlier months than the previous one: they are unknown, and therefore not drawn.
    void whatWasKeptWithoutThePastIsRead()
    {
        ClosedMonth month = september();
        month.record.past.reset();
        month.record.possible.reset();
        auto rows = texts(month).rows;
        rows.resize(rows.size() - 3);
        rows[0].replace(rows[0].find("\"form\":5"), 8, "\"form\":3");
        const auto read = reports::decode(rows);
        QVERIFY2(read.has_value(), read ? "" : read.error().text.c_str());
        QVERIFY(!read->record.past && read->record.doubts && !read->record.possible && read->record.knowsBefore);
        const auto detail =
            reports::makeDetail(read->record, reports::statusOf(*read, "ab12"), CostView::Billed).value();
        QVERIFY(!detail.history.isWhole());
        for (const insight::Month &one : detail.history.months())
            QCOMPARE(detail.history.findAll(kUsd, one) != nullptr, one == kMonth || one == reports::before(kMonth));
        rows.back() = R"(["past","2026-07","USD","a","tax","",1,2,3])"; // instead of the rules
        QVERIFY(!reports::decode(rows)); // the header does not mention it
    }

    void everyFigureIsInTheHash()
    {
        const std::string before = reports::figuresHash(september().record);
        ClosedMonth other = september();
        other.record.after.rows[1].effective = Money(1, kUsd);
        QVERIFY(reports::figuresHash(other.record) != before);
        other = september();
        other.record.adjustments.clear();
        QVERIFY(reports::figuresHash(other.record) != before);
        other = september();
        other.record.after.totals[0].unexplainedBilled = Money(1, kUsd);
        QVERIFY(reports::figuresHash(other.record) != before);
        other = september();
        other.record.made += base::kDay; // not a figure
        QCOMPARE(reports::figuresHash(other.record), before);
    }

    void adjustmentsAreWhatWasNotToldYet()
    {
        const reports::AdjustmentKey a{kUsd, "a", "gpu", "idle"}, b{kUsd, "b", "tax", ""};
        const MonthFigures closed{{a, {10, 9, 0}}, {b, {1, 1, 1}}}, now{{a, {14, 9, 2}}};
        const auto first = reports::adjustmentsOf(kMonth, at("2026-10-04"), closed, now, {}).value();
        QCOMPARE(first.size(), std::size_t{2});
        QVERIFY(first[0].key == a && (first[0].amounts == reports::AdjustmentAmounts{4, 0, 2}));
        QVERIFY(first[1].key == b && (first[1].amounts == reports::AdjustmentAmounts{-1, -1, -1}));
        QVERIFY(reports::adjustmentsOf(kMonth, at("2026-10-04"), closed, now, first)->empty());
        const MonthFigures least{{a, {-kMost, 0, 0}}}, most{{a, {kMost, 0, 0}}};
        QVERIFY(reports::adjustmentsOf(kMonth, at("2026-10-04"), least, most, {}).error().code == ErrorCode::Overflow);
        QCOMPARE(reports::referenceOf(kMonth, at("2026-10-04T09:00:00Z")), std::string("2026-09, closed 2026-10-04"));
    }

    void objections()
    {
        insight::Reconciliation reconciliation;
        const auto kinds = [&](const reports::CloseCheck &one) {
            std::vector<ObjectionKind> out;
            for (const auto &objection : reports::objectionsTo(one))
                out.push_back(objection.kind);
            return out;
        };
        using Kinds = std::vector<ObjectionKind>;
        QVERIFY(kinds(check(reconciliation)) == Kinds{ObjectionKind::NoBill});
        insight::ReconcileTotal total;
        total.currency = kUsd;
        reconciliation.totals = {total};
        QVERIFY(kinds(check(reconciliation)).empty());
        auto one = check(reconciliation);
        one.now -= base::Seconds{1};
        QVERIFY(kinds(one) == Kinds{ObjectionKind::Running});
        one.real = one.now; // both clocks agree: one reason is enough
        QVERIFY(kinds(one) == Kinds{ObjectionKind::Running});
        auto ahead = check(reconciliation);
        ahead.now += 400 * base::kDay; // --now
        QVERIFY(kinds(ahead).empty());
        ahead.real -= base::Seconds{1};
        QVERIFY(kinds(ahead) == Kinds{ObjectionKind::Ahead});
        QVERIFY(!reports::objectionsTo(ahead).front().yieldsToReason());
        one.hasFigures = false;
        QVERIFY((kinds(one) == Kinds{ObjectionKind::Running, ObjectionKind::Nothing}));
        reconciliation.totals[0].differenceEffective = reconciliation.totals[0].unexplainedBilled = Money(1, kUsd);
        reconciliation.totals[0].unexplainedEffective = Money(1, kUsd);
        QVERIFY((kinds(check(reconciliation)) == Kinds{ObjectionKind::Difference, ObjectionKind::Unexplained}));
    }

    void accountsThatAreCountedTwice()
    {
        insight::Reconciliation reconciliation;
        reconciliation.totals.emplace_back();
        auto one = check(reconciliation);
        one.countedTwice = {"lab", "shop"};
        const auto found = reports::objectionsTo(one);
        QCOMPARE(found.size(), std::size_t{1});
        QVERIFY(found[0].kind == ObjectionKind::CountedTwice && found[0].yieldsToReason());
        QCOMPARE(found[0].account, std::string("lab"));
        QCOMPARE(found[0].count, std::uint64_t{2});
    }

    void partsThatWereNotFetched()
    {
        insight::Reconciliation reconciliation;
        reconciliation.totals.emplace_back();
        auto one = check(reconciliation);
        const base::TimeRange month = kMonth.range();
        one.fetched = {{"whole", {{month.start - base::kDay, month.end + base::kDay}}},
                       {"never", {}},
                       {"holes", {{month.start, month.start + base::kDay}, {month.end - base::kDay, month.end}}},
                       {"ends", {{month.start + base::kDay, month.end - base::kDay}}},
                       {"other month", {{month.end, month.end + base::kDay}}}};
        const auto found = reports::objectionsTo(one);
        QCOMPARE(found.size(), std::size_t{4});
        QVERIFY(found[0].source == "never" && found[0].range == month && found[0].count == 1);
        QVERIFY(found[1].source == "holes" && found[1].range.start == month.start + base::kDay && found[1].count == 1);
        QVERIFY(found[2].source == "ends" && found[2].range.end == month.start + base::kDay && found[2].count == 2);
        QVERIFY(found[3].source == "other month" && found[3].range == month);
    }
};

GPULEDGER_SUITE(TestMonthRecord)

} // namespace tst_monthrecord

#include "tst_monthrecord.moc"
