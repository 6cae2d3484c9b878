// SPDX-License-Identifier: GPL-3.0-or-later
// What a statement's page and its PDF show in addition: twelve months and the price of the most common GPU, from
// nothing but the month's record.
#include "app/reports/months/monthrecord.h"
#include "app/reports/months/statementdetail.h"
#include "tests/support/suite.h"

#include <QTest>

namespace tst_statementdetail {

using namespace gpuledger;
using base::Currency;
using base::GpuTime;
using base::Money;
using insight::LedgerAnswer;
using insight::LedgerRow;
using insight::Month;
using reports::CostView;
using reports::History;
using reports::MonthRecord;

namespace {

constexpr Month kMonth{2026, 3};
const Currency kUsd = Currency::usd(), kEur = Currency::parse("EUR").value();

LedgerRow row(std::string team, std::string state, std::string origin, std::string model, std::int64_t hours)
{
    LedgerRow out;
    out.keys = {std::move(team), "gpu", std::move(state), std::move(origin), std::move(model)};
    out.currency = kUsd;
    out.billed = out.effective = out.priced = Money(0, kUsd);
    out.gpuTime = {hours * 3600 * GpuTime::kTicksPerSecond};
    out.hasGpuTime = hours != 0;
    return out;
}

LedgerRow billed(std::string team, std::string model, std::int64_t hours, std::int64_t nanos, std::int64_t effective)
{
    LedgerRow out = row(std::move(team), "active", "billed", std::move(model), hours);
    out.billed = Money(nanos, kUsd);
    out.effective = Money(effective, kUsd);
    return out;
}

LedgerRow priced(std::string team, std::string model, std::int64_t hours, std::int64_t nanos)
{
    LedgerRow out = row(std::move(team), "idle", "priced", std::move(model), hours);
    out.priced = Money(nanos, kUsd);
    return out;
}

MonthRecord march()
{
    MonthRecord record;
    record.month = kMonth;
    record.made = kMonth.range().end + base::kDay;
    record.report = kUsd;
    record.covered = {Month{2026, 1}.range().start, record.made};
    record.after.rows = {billed("a", "H100", 2, 6, 8), priced("b", "H100", 2, 4), billed("a", "A100", 3, 9, 9)};
    record.before.rows = {billed("a", "H100", 1, 5, 7), priced("a", "H100", 1, 2)};
    record.past = reports::PastMonths{{{{2025, 4}, {{{kUsd, "a", "gpu", "active"}, {10, 20, 3}}}},
                                       {{2026, 1}, {{{kEur, "b", "tax", ""}, {-4, -4, 0}}}}},
                                      {{{2025, 4}, {{{kUsd, "", "gpu", "active"}, {100, 200, 30}}}}}};
    return record;
}

std::int64_t sum(const History::Lines *lines)
{
    std::int64_t all = 0;
    for (const auto &[line, amount] : lines ? *lines : History::Lines())
        all += amount.nanos();
    return all;
}

std::optional<reports::ModelRate> rate(const std::vector<LedgerRow> &rows, CostView view = CostView::Billed)
{
    LedgerAnswer answer;
    answer.rows = rows;
    return reports::commonestModel(answer, kUsd, view).value();
}

} // namespace

class TestStatementDetail : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thePastIsTheTenMonthsBeforeTheMonthBefore()
    {
        const auto past = History::past(kMonth);
        QCOMPARE(past.size(), std::size_t{History::kMonths - 2});
        QVERIFY((past.front() == Month{2025, 4}));
        QVERIFY((past.back() == Month{2026, 1}));
    }

    void historyIsWhatTheRecordSays()
    {
        const MonthRecord record = march();
        const auto billedOne = reports::makeDetail(record, {}, CostView::Billed).value().history;
        const auto effective = reports::makeDetail(record, {}, CostView::Effective).value().history;
        QVERIFY(billedOne.isWhole());
        QCOMPARE(billedOne.months().size(), std::size_t{History::kMonths});
        QVERIFY((billedOne.months().front() == Month{2025, 4}) && billedOne.months().back() == kMonth);
        QCOMPARE(sum(billedOne.findAll(kUsd, {2025, 4})), 143); // bills and estimates
        QCOMPARE(sum(effective.findAll(kUsd, {2025, 4})), 253);
        QCOMPARE(sum(billedOne.find(kUsd, "a", {2025, 4})), 13);
        QVERIFY(!billedOne.find(kUsd, "", {2025, 4})); // the rest does not belong to a team
        QCOMPARE(sum(billedOne.find(kEur, "b", {2026, 1})), -4);
        QVERIFY(!billedOne.find(kUsd, "b", {2026, 1}) && !billedOne.findAll(kUsd, {2025, 12}));
        QCOMPARE(sum(billedOne.find(kUsd, "a", {2026, 2})), 7);
        QCOMPARE(sum(effective.find(kUsd, "a", {2026, 2})), 9);
        QCOMPARE(sum(billedOne.find(kUsd, "a", kMonth)), 15);
        QCOMPARE(sum(billedOne.find(kUsd, "b", kMonth)), 4);
        QCOMPARE(sum(effective.findAll(kUsd, kMonth)), 21);
    }

    // A team that no longer exists in the month is counted with the rest, and in no team's bars.
    void onlyTeamsOfTheMonthAreNamed()
    {
        const MonthRecord record = march();
        const auto statement = reports::makeStatement(record, {}, CostView::Billed, {}).value();
        const reports::MonthFigures figures{{{kUsd, "a", "gpu", "idle"}, {1, 2, 3}},
                                            {{kUsd, "gone", "gpu", "idle"}, {10, 20, 30}},
                                            {{kUsd, "gone too", "gpu", "idle"}, {100, 200, 300}},
                                            {{kEur, "gone", "tax", ""}, {7, 7, 7}}};
        const auto past = reports::pastFor(statement, {{{2025, 12}, figures}}).value();
        const reports::PastMonths expected{
            {{{2025, 12}, {{{kUsd, "a", "gpu", "idle"}, {1, 2, 3}}}}},
            {{{2025, 12}, {{{kUsd, "", "gpu", "idle"}, {110, 220, 330}}, {{kEur, "", "tax", ""}, {7, 7, 7}}}}}};
        QVERIFY(past == expected);
        const reports::MonthFigures most{{{kUsd, "x", "gpu", ""}, {INT64_MAX, 0, 0}},
                                         {{kUsd, "y", "gpu", ""}, {1, 0, 0}}};
        QVERIFY(reports::pastFor(statement, {{{2025, 12}, most}}).error().code == base::ErrorCode::Overflow);
    }

    void whatWasNotKeptIsNotKnown()
    {
        MonthRecord record = march();
        record.past.reset();
        const auto history = reports::makeDetail(record, {}, CostView::Billed).value().history;
        QVERIFY(!history.isWhole());
        QCOMPARE(history.months().size(), std::size_t{History::kMonths});
        QVERIFY(!history.findAll(kUsd, {2025, 4}) && history.findAll(kUsd, {2026, 2}));
    }

    void theCommonestModelIsThatOfMostHours()
    {
        const auto best = rate(march().after.rows);
        QVERIFY(best && best->model == "H100");
        QCOMPARE(best->hours, 4.0);
        QCOMPARE(best->perHour.nanos(), (6 + 4) / 4);
        QVERIFY(best->perHour.currency() == kUsd);
        QCOMPARE(rate(march().after.rows, CostView::Effective)->perHour.nanos(), (8 + 4) / 4);
        const auto detail = reports::makeDetail(march(), {}, CostView::Billed).value();
        QVERIFY(detail.commonest && detail.commonest->model == "H100");
    }

    void aRateThatIsNotKnownIsNone()
    {
        QVERIFY(!rate({}));
        auto rows = std::vector{billed("a", "H100", 9, 90, 90), billed("b", "A100", 1, 2, 2)};
        rows[0].gpuTimeComplete = false; // at least nine hours
        QCOMPARE(rate(rows)->model, std::string("A100"));
        rows = {billed("a", "H100", 9, 90, 90), billed("b", "", 20, 2, 2)};
        QCOMPARE(rate(rows)->model, std::string("H100"));
        rows = {billed("a", "H100", 9, -90, -90)}; // credits only
        QVERIFY(!rate(rows));
        rows = {priced("a", "H100", 9, 90)};
        rows[0].unpriced = rows[0].gpuTime; // none of its hours has a price
        QVERIFY(!rate(rows));
        rows = {billed("a", "H100", 9, 90, 90)};
        rows[0].currency = kEur; // not the currency of the prices
        rows[0].billed = Money(90, kEur);
        QVERIFY(!rate(rows));
        rows = {billed("a", "H100", 9, 90, 90)};
        rows[0].keys[1] = "storage";
        QVERIFY(!rate(rows));
        rows = {row("a", "active", "allocated", "H100", 2)};
        rows[0].allocated = Money(8, kUsd);
        QCOMPARE(rate(rows)->perHour.nanos(), 4);
    }

    void sumsThatDoNotFitFail()
    {
        MonthRecord record = march();
        record.past->ofTeams.begin()->second.begin()->second = {INT64_MAX, 0, 1};
        QVERIFY(reports::makeDetail(record, {}, CostView::Billed).error().code == base::ErrorCode::Overflow);
        LedgerAnswer answer;
        answer.rows = {billed("a", "H100", 1, INT64_MAX, 1), billed("b", "H100", 1, 1, 1)};
        QVERIFY(reports::commonestModel(answer, kUsd, CostView::Billed).error().code == base::ErrorCode::Overflow);
    }
};

GPULEDGER_SUITE(TestStatementDetail)

} // namespace tst_statementdetail

#include "tst_statementdetail.moc"
