// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "ui/format/savings/savingsworkbook.h"

#include <QTest>

#include <algorithm>

namespace tst_savingsworkbook {

using namespace gpuledger;
using reports::WorkbookCell;
using reports::WorkbookSheet;
using savings::Kind;
using savings::Proposal;

namespace {

constexpr base::Day kToday{20'700};

base::Money dollarsOf(std::int64_t units)
{
    return {units * base::Money::kNanosPerUnit, base::Currency::usd()};
}

Proposal poolOf(const std::string &target, std::int64_t perMonth)
{
    Proposal one;
    one.kind = Kind::Capacity;
    one.id = "capacity:" + target;
    one.target = target;
    one.owner = "vision";
    one.currency = "USD";
    one.perMonth = savings::MoneyBand{dollarsOf(perMonth - 1), dollarsOf(perMonth), dollarsOf(perMonth + 1)};
    one.avoidable = dollarsOf(2 * perMonth);
    one.risks = {{savings::RemarkText::NoController, {}}, {savings::RemarkText::MemoryLost, {}}};
    one.assumptions = {{"scale-down-delay", "1h"}};
    return one;
}

savings::Choice choiceAbout(std::int64_t id, const Proposal &one, savings::ChoiceState state, base::Day day)
{
    savings::Choice choice;
    choice.id = id;
    choice.draft = {one.id, state, state == savings::ChoiceState::Accepted ? "kim" : "", day, ""};
    choice.kind = one.kind;
    choice.target = one.target;
    choice.team = one.owner;
    choice.projected = one.perMonth;
    return choice;
}

ui::SavingsBook plainBook()
{
    ui::SavingsBook book;
    Proposal unknown = poolOf("unknown", 10);
    unknown.perMonth.reset();
    unknown.avoidable.reset();
    unknown.excludedBy = savings::Remark{savings::RemarkText::TooYoung, {}};
    book.list = savings::withoutDoubleCounting({base::fromUnix(0), base::fromUnix(28 * 86400)},
                                               {poolOf("a", 100), poolOf("b", 50), unknown});
    book.choices = {choiceAbout(4, poolOf("a", 90), savings::ChoiceState::Accepted, base::Day{20'720}),
                    choiceAbout(5, poolOf("b", 50), savings::ChoiceState::Later, base::Day{20'690})};
    book.realizedOf = book.choices;
    book.zone = base::TimeZone::find("UTC").value();
    book.today = kToday;
    return book;
}

const WorkbookCell *cellAt(const WorkbookSheet &sheet, std::size_t row, std::string_view title)
{
    const auto column = std::find_if(sheet.columns.begin(), sheet.columns.end(),
                                     [&](const reports::WorkbookColumn &one) { return one.title == title; });
    const auto at = static_cast<std::size_t>(column - sheet.columns.begin());
    return row < sheet.rows.size() && at < sheet.rows[row].size() ? &sheet.rows[row][at] : nullptr;
}

template <typename T> bool hasCell(const WorkbookSheet &sheet, std::size_t row, std::string_view title, const T &value)
{
    const WorkbookCell *cell = cellAt(sheet, row, title);
    return cell && *cell == WorkbookCell(value);
}

bool hasText(const WorkbookSheet &sheet, std::size_t row, std::string_view title, const char *text)
{
    return hasCell(sheet, row, title, std::string(text));
}

bool isBlankCell(const WorkbookSheet &sheet, std::size_t row, std::string_view title)
{
    return hasCell(sheet, row, title, std::monostate());
}

} // namespace

class TestSavingsWorkbook : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void proposalsHaveTheirFiguresAndChoices()
    {
        const auto sheets = ui::savingsSheets(plainBook());
        QCOMPARE(sheets.size(), std::size_t{3});
        const WorkbookSheet &sheet = sheets[0];
        QCOMPARE(sheet.name, std::string("Proposals"));
        QVERIFY(sheet.notes[0].find("1970-01-01 00:00 to 1970-01-29 00:00 (UTC)") != std::string::npos);
        QCOMPARE(sheet.rows.size(), std::size_t{3});
        for (const auto &row : sheet.rows)
            QCOMPARE(row.size(), sheet.columns.size());
        QVERIFY(hasText(sheet, 0, "What", "a") && hasText(sheet, 0, "Kind", "capacity"));
        QVERIFY(hasText(sheet, 0, "Team", "vision") && hasText(sheet, 0, "Counted", "yes"));
        QVERIFY(hasCell(sheet, 0, "p10", dollarsOf(99)) && hasCell(sheet, 0, "p50", dollarsOf(100)));
        QVERIFY(hasCell(sheet, 0, "p90", dollarsOf(101)) && hasCell(sheet, 0, "Avoidable", dollarsOf(200)));
        QVERIFY(hasText(sheet, 0, "Risks",
                        "no controller starts the pod again; what it keeps in memory is lost at each stop"));
        QVERIFY(hasText(sheet, 0, "Choice", "accepted") && hasText(sheet, 0, "Owner", "kim"));
        QVERIFY(hasCell(sheet, 0, "Day", base::Day{20'720}));
    }

    void aReminderThatIsDueIsNoChoice()
    {
        ui::SavingsBook book = plainBook();
        QVERIFY(hasText(ui::savingsSheets(book)[0], 1, "Choice", ""));
        book.today = base::Day{20'680};
        QVERIFY(hasText(ui::savingsSheets(book)[0], 1, "Choice", "later"));
    }

    void theUnknownStaysEmptyAndSaysWhy()
    {
        const WorkbookSheet sheet = ui::savingsSheets(plainBook())[0];
        QVERIFY(hasText(sheet, 2, "What", "unknown") && hasText(sheet, 2, "Counted", "no"));
        for (const char *title : {"p10", "p50", "p90", "Avoidable", "Day"})
            QVERIFY2(isBlankCell(sheet, 2, title), title);
        QVERIFY(!hasText(sheet, 2, "Reason", ""));
    }

    void assumptionsAreThoseOfTheKindWithWhatWasChanged()
    {
        ui::SavingsBook book = plainBook();
        QCOMPARE(ui::savingsSheets(book)[1].rows.size(), savings::assumptionSpecs().size());
        book.kind = Kind::Capacity;
        QVERIFY(book.assumptions.set("scale-down-delay", "3h").has_value());
        const WorkbookSheet sheet = ui::savingsSheets(book)[1];
        bool isFound = false;
        for (std::size_t row = 0; row < sheet.rows.size(); ++row) {
            QVERIFY(hasText(sheet, row, "Kind", "capacity"));
            const bool isIt = hasText(sheet, row, "Assumption", "scale-down-delay");
            isFound = isFound || isIt;
            QVERIFY(hasText(sheet, row, "Changed", isIt ? "yes" : "no"));
            if (isIt)
                QVERIFY(hasText(sheet, row, "Value", "3h"));
        }
        QVERIFY(isFound);
    }

    void whatWasRealizedIsNotConfusedWithNothing()
    {
        ui::SavingsBook book = plainBook();
        const WorkbookSheet unknown = ui::savingsSheets(book)[2];
        QVERIFY(unknown.rows.empty());
        QCOMPARE(unknown.notes.back(), std::string("This was not measured when the file was made."));
        book.realized.emplace();
        QCOMPARE(ui::savingsSheets(book)[2].notes.back(),
                 std::string("No proposal has been accepted and nothing has been stopped yet."));
        savings::Realized early, measured;
        early.choice = 5;
        measured.choice = 4;
        measured.group = 7;
        measured.state = savings::RealizedState::Measured;
        measured.before = {base::fromUnix(0), base::fromUnix(14 * 86400)};
        measured.after = {base::fromUnix(21 * 86400), base::fromUnix(28 * 86400)};
        measured.perMonth = savings::MoneyBand{dollarsOf(-5), dollarsOf(60), dollarsOf(70)};
        measured.error = -0.25;
        book.realized = {early, measured};
        const WorkbookSheet sheet = ui::savingsSheets(book)[2];
        QCOMPARE(sheet.rows.size(), std::size_t{2});
        for (const auto &row : sheet.rows)
            QCOMPARE(row.size(), sheet.columns.size());
        QVERIFY(hasText(sheet, 0, "State", "too-early") && isBlankCell(sheet, 0, "p50"));
        QVERIFY(isBlankCell(sheet, 0, "Before: from") && isBlankCell(sheet, 0, "Error (%)"));
        QVERIFY(hasText(sheet, 1, "What", "a") && hasCell(sheet, 1, "Projected", dollarsOf(90)));
        QVERIFY(hasCell(sheet, 1, "p10", dollarsOf(-5)) && hasCell(sheet, 1, "p50", dollarsOf(60)));
        QVERIFY(hasCell(sheet, 1, "Error (%)", -25.0) && hasText(sheet, 1, "Group", "7"));
        QVERIFY(hasCell(sheet, 1, "Before: to", base::Day{13}) && hasCell(sheet, 1, "After: from", base::Day{21}));
        QVERIFY(hasText(sheet, 1, "Owner", "kim"));
    }

    void aBookOfNothingIsStillABook()
    {
        ui::SavingsBook book = plainBook();
        book.list.items.clear();
        book.choices.clear();
        const auto bytes = ui::savingsXlsx(book);
        QVERIFY(bytes.has_value() && bytes->starts_with("PK"));
    }
};

GPULEDGER_SUITE(TestSavingsWorkbook)

} // namespace tst_savingsworkbook

#include "tst_savingsworkbook.moc"
