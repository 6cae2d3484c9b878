// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of a statement: the months that its chart draws, and its remarks about unknown ones.
#include "app/reports/monthrecord.h"
#include "tests/support/suite.h"
#include "ui/viewmodels/showback/statementsheet.h"

#include <QLocale>
#include <QTest>

#include <algorithm>
#include <vector>

using namespace gpuledger;
using base::Currency;
using base::Money;
using insight::Month;
using ui::StatementSheet;

namespace {

constexpr Month kMonth{2026, 3};
const Currency kUsd = Currency::usd();

insight::LedgerRow storage(std::int64_t units)
{
    insight::LedgerRow row;
    row.keys = {"vision", "storage", "", "billed", ""};
    row.currency = kUsd;
    row.billed = row.effective = Money(units * Money::kNanosPerUnit, kUsd);
    row.priced = Money(0, kUsd);
    return row;
}

reports::MonthRecord march()
{
    reports::MonthRecord record;
    record.month = kMonth;
    record.made = kMonth.range().end + base::kDay;
    record.report = kUsd;
    record.covered = {Month{2026, 1}.range().start, record.made};
    record.after.rows = {storage(30)};
    record.before.rows = {storage(20)};
    const reports::MonthFigures january{{{kUsd, "vision", "storage", ""}, {Money::kNanosPerUnit, 0, 0}}};
    record.past = reports::PastMonths{{{{2026, 1}, january}}, {}};
    return record;
}

StatementSheet sheetOf(const reports::MonthRecord &record, const std::optional<std::string> &team,
                       const std::vector<insight::UnknownGpuType> &types = {}, bool closed = false)
{
    auto detail = reports::makeDetail(record, {}, reports::CostView::Billed).value();
    ui::ShowbackSnapshot snapshot;
    snapshot.month = record.month;
    snapshot.statement = std::move(detail.statement);
    snapshot.history = std::move(detail.history);
    snapshot.commonest = std::move(detail.commonest);
    snapshot.reconciliation.unknownTypes = types;
    if (closed)
        snapshot.statement.status.state = reports::MonthState::Closed;
    return ui::statementSheet(snapshot, team);
}

bool says(const StatementSheet::Section &section, const QString &words)
{
    return std::any_of(section.notes.begin(), section.notes.end(),
                       [&](const QString &note) { return note.contains(words); });
}

} // namespace

class TestStatementSheet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theChartIsOfWhatWasKept()
    {
        const QString words = QStringLiteral("before February 2026");
        using Team = std::optional<std::string>;
        for (const Team &team : {Team(), Team("vision")}) {
            reports::MonthRecord record = march();
            const auto whole = sheetOf(record, team).sections.front();
            QCOMPARE(whole.months.size(), std::size_t{12});
            QVERIFY(whole.months[9].isKnown && whole.months[9].values[4] == 1);
            QVERIFY(whole.months[10].values[4] == 20 && whole.months[11].values[4] == 30);
            QVERIFY(!says(whole, words));
            record.past.reset();
            const auto cut = sheetOf(record, team).sections.front();
            QCOMPARE(cut.months.size(), std::size_t{12});
            QVERIFY(!cut.months[9].isKnown);
            QVERIFY(cut.months[10].isKnown && cut.months[11].isKnown);
            QVERIFY(says(cut, words));
        }
    }

    // The lines of the previous month are those that the month was compared with.
    void theMonthBeforeIsWhatWasKept()
    {
        const auto section = sheetOf(march(), "vision").sections.front();
        QVERIFY(section.hasBefore);
        QCOMPARE(section.lines.front().before, QStringLiteral("20.00"));
        QCOMPARE(section.lines.front().change, QStringLiteral("+10.00"));
        QCOMPARE(section.lines.back().before, QStringLiteral("20.00"));
    }

    // With their money, where the whole bill is shown; never in a closed month, which is what was kept.
    void typesThatThePriceListLacksAreNamed()
    {
        const auto usd = [](std::int64_t units) { return Money(units * Money::kNanosPerUnit, kUsd); };
        std::vector<insight::UnknownGpuType> types{{"aws", "p9.48xlarge", usd(40), usd(30)},
                                                   {"azure", "", usd(7), usd(7)}};
        const QString words = QStringLiteral("p9.48xlarge (40.00 USD); azure (7.00 USD)");
        QVERIFY(says(sheetOf(march(), {}, types).sections.front(), words));
        QVERIFY(!says(sheetOf(march(), "vision", types).sections.front(), words));
        QVERIFY(!says(sheetOf(march(), {}, types, true).sections.front(), words));
        for (auto &type : types)
            type.billed = Money(1, base::Currency::parse("EUR").value());
        QVERIFY(!says(sheetOf(march(), {}, types).sections.front(), QStringLiteral("the price list lacks")));
    }

    void initTestCase() { QLocale::setDefault(QLocale::c()); }
};

GPULEDGER_WINDOW_SUITE(TestStatementSheet)
#include "tst_statementsheet.moc"
