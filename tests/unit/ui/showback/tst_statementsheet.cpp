// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of a statement: the months that its chart draws, and its remarks about unknown ones.
#include "app/reports/months/monthrecord.h"
#include "tests/support/suite.h"
#include "ui/viewmodels/showback/meeting.h"
#include "ui/viewmodels/showback/statementsheet.h"

#include <QLocale>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tst_statementsheet {

using namespace gpuledger;
using base::Currency;
using base::Money;
using insight::Month;
using ui::StatementSheet;

namespace {

constexpr Month kMonth{2026, 3};
const Currency kUsd = Currency::usd();

insight::LedgerRow charge(const std::string &team, const std::string &category, double units)
{
    insight::LedgerRow row;
    row.keys = {team, category, "", "billed", ""};
    row.currency = kUsd;
    row.billed = row.effective = Money(std::llround(units * Money::kNanosPerUnit), kUsd);
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
    record.after.rows = {charge("vision", "storage", 30)};
    record.before.rows = {charge("vision", "storage", 20)};
    const reports::MonthFigures january{{{kUsd, "vision", "storage", ""}, {Money::kNanosPerUnit, 0, 0}}};
    record.past = reports::PastMonths{{{{2026, 1}, january}}, {}};
    return record;
}

ui::ShowbackSnapshot snapshotOf(const reports::MonthRecord &record)
{
    auto detail = reports::makeDetail(record, {}, reports::CostView::Billed).value();
    ui::ShowbackSnapshot snapshot;
    snapshot.month = record.month;
    snapshot.statement = std::move(detail.statement);
    snapshot.history = std::move(detail.history);
    snapshot.commonest = std::move(detail.commonest);
    return snapshot;
}

StatementSheet sheetOf(const reports::MonthRecord &record, const std::optional<std::string> &team,
                       const std::vector<insight::UnknownGpuType> &types = {}, bool closed = false)
{
    ui::ShowbackSnapshot snapshot = snapshotOf(record);
    snapshot.reconciliation.unknownTypes = types;
    if (closed)
        snapshot.statement.status.state = reports::MonthState::Closed;
    return ui::statementSheet(snapshot, team);
}

services::AcceptedSaving saving(std::int64_t id, const std::string &team, const Month &month)
{
    services::AcceptedSaving out;
    out.month = month;
    out.choice.id = id;
    out.choice.kind = savings::Kind::Schedule;
    out.choice.target = "research/notebook-7";
    out.choice.team = team;
    out.choice.currency = "USD";
    const auto dollars = [](std::int64_t units) { return Money(units * Money::kNanosPerUnit, kUsd); };
    out.choice.projected = savings::MoneyBand{dollars(80), dollars(100), dollars(130)};
    out.choice.draft.owner = "kim";
    out.choice.draft.day = base::dayOf(kMonth.range().start);
    return out;
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

    // Only what is worth a look has a colour, and only GPU time has a square: the chart draws the rest as one.
    void coloursWhatIsWorthALook()
    {
        using Tone = StatementSheet::Tone;
        reports::MonthRecord record = march();
        record.before.rows = {charge("vision", "storage", 100), charge("vision", "tax", 10),
                              charge("vision", "network", 100), charge("vision", "ai", 100)};
        record.after.rows = {charge("vision", "storage", 104), charge("vision", "tax", 30),
                             charge("vision", "network", 120), charge("vision", "ai", 80)};
        const auto section = sheetOf(record, "vision").sections.front();
        const auto toneOf = [&](const std::string &category) {
            const auto it = std::find_if(section.lines.begin(), section.lines.end(),
                                         [&](const auto &line) { return line.category == category; });
            return it == section.lines.end() ? std::optional<Tone>() : it->tone;
        };
        QCOMPARE(toneOf("storage"), std::optional(Tone::Plain)); // 4 %
        QCOMPARE(toneOf("tax"), std::optional(Tone::Plain)); // it follows the others
        QCOMPARE(toneOf("network"), std::optional(Tone::Dearer));
        QCOMPARE(toneOf("ai"), std::optional(Tone::Cheaper));
        for (const auto &line : section.lines)
            QVERIFY(line.swatch == StatementSheet::Swatch::None);
        QCOMPARE(section.whyTitle, QStringLiteral("Change against February"));
        // Only the parts that are not zero.
        QCOMPARE(section.why.size(), std::size_t{1});
        QCOMPARE(section.why.front().first, QStringLiteral("Other"));
        QCOMPARE(section.why.front().second, QStringLiteral("+24.00"));
    }

    // Every team is on the first slide; the rest of very many is one bar with their sum, without cents.
    void theMeetingShowsAllTeams()
    {
        reports::MonthRecord record = march();
        record.before.rows.clear();
        record.after.rows.clear();
        for (int i = 0; i < 30; ++i)
            record.after.rows.push_back(charge("team-" + std::to_string(i), "storage", 1000.25 - 10 * i));
        const auto slides = ui::meetingSlides(snapshotOf(record));
        const auto &bars = slides.front().teams;
        QCOMPARE(bars.size(), ui::MeetingSlide::kMostTeams);
        QCOMPARE(bars.front().amount, QStringLiteral("1000"));
        QVERIFY2(bars.back().name.startsWith(QLatin1String("7 more")), qPrintable(bars.back().name));
        QCOMPARE(bars.back().amount, QStringLiteral("5182")); // 7 teams, 770.25 down to 710.25
        record.after.rows.resize(9);
        QCOMPARE(ui::meetingSlides(snapshotOf(record)).front().teams.size(), std::size_t{9});
    }

    // No range without its reason.
    void theMeetingSaysWhyATotalIsUncertain()
    {
        reports::MonthRecord record = march();
        record.after.rows = {charge("vision", "storage", 1000.25), charge("", "storage", 500)};
        for (const auto &slide : ui::meetingSlides(snapshotOf(record))) {
            const QString range = slide.figures.front().range;
            if (!slide.team)
                QVERIFY2(range.isEmpty(), qPrintable(range));
            else if (slide.team->empty())
                QCOMPARE(range, QStringLiteral("Without an owner: parts of it may belong to teams."));
            else
                QCOMPARE(range,
                         QStringLiteral("Between 1000 and 1500: some cost has no owner and may be this team's."));
        }
    }

    // A meeting opens with what was accepted until it was held: for all teams, and for the team whose money it is.
    void theMeetingOpensWithAcceptedSavings()
    {
        reports::MonthRecord record = march();
        record.after.rows.push_back(charge("speech", "storage", 10));
        ui::ShowbackSnapshot snapshot = snapshotOf(record);
        snapshot.savings = {saving(7, "vision", {2026, 2}), saving(8, "", kMonth), saving(9, "vision", {2026, 4})};
        snapshot.savings[1].choice.projected.reset();
        snapshot.savings[1].choice.draft.day = base::dayOf(record.made + 30 * base::kDay);
        const auto slides = ui::meetingSlides(snapshot);
        QCOMPARE(slides.size(), std::size_t{3});
        for (const auto &slide : slides) {
            QStringList said;
            for (const auto &one : slide.before) {
                QVERIFY(one.isSaving && one.isOpen);
                said << QString::number(one.id) + QLatin1Char(' ') + one.what + QLatin1String(" | ") + one.result;
            }
            const QString ofTeam =
                QStringLiteral("Schedule: research/notebook-7 | Accepted saving, open: 100 USD a month "
                               "projected; what it really saved is on the Savings page");
            if (!slide.team)
                QCOMPARE(
                    said,
                    (QStringList{QStringLiteral("8 Schedule: research/notebook-7 | Accepted saving, open: its amount "
                                                "is unknown"),
                                 QStringLiteral("7 vision: ") + ofTeam}));
            else
                QCOMPARE(said, *slide.team == "vision" ? QStringList{QStringLiteral("7 ") + ofTeam} : QStringList());
            if (slide.team == std::optional<std::string>("vision"))
                QVERIFY2(slide.before.front().who.startsWith(QLatin1String("kim, by ")),
                         qPrintable(slide.before.front().who));
        }
        // In a currency without slides it is on those of the first one.
        snapshot.savings = {saving(7, "vision", {2026, 2})};
        snapshot.savings[0].choice.currency = "EUR";
        QCOMPARE(ui::meetingSlides(snapshot).front().before.size(), std::size_t{1});
    }

    // In the currency of the budget; a slide says how it will end.
    void budgetsAreBesideTheLines()
    {
        ui::ShowbackSnapshot snapshot = snapshotOf(march());
        const auto dollars = [](std::int64_t units) { return Money(units * Money::kNanosPerUnit, kUsd); };
        reports::StatementBudget budget;
        budget.team = "vision";
        budget.amount = dollars(100);
        budget.carried = dollars(-20);
        budget.available = dollars(80);
        budget.spent = dollars(30);
        budget.left = dollars(50);
        budget.share = 0.375;
        reports::StatementBudget other = budget;
        other.team = "speech";
        other.carried.reset();
        snapshot.statement.budgets = {budget, other};
        const auto rows = [&](const std::optional<std::string> &team) {
            return ui::statementSheet(snapshot, team).sections.front().budgets;
        };
        QCOMPARE(rows({}).size(), std::size_t{2});
        QCOMPARE(rows("vision").size(), std::size_t{1});
        const auto isOver = rows("vision").front();
        QCOMPARE(isOver.name, QStringLiteral("vision, \u221220.00 carried over"));
        QCOMPARE(isOver.available + isOver.spent + isOver.left, QStringLiteral("80.0030.0050.00"));
        QVERIFY(isOver.forecast.isEmpty() && isOver.low.isEmpty() && isOver.high.isEmpty());
        QVERIFY(isOver.forecastTone == StatementSheet::Tone::Plain);
        snapshot.statement.isOver = false;
        snapshot.statement.budgets.front().expected = dollars(90);
        snapshot.statement.budgets.front().low = dollars(85);
        snapshot.statement.budgets.front().high = dollars(95);
        const auto now = rows("vision").front();
        QCOMPARE(now.low + now.forecast + now.high, QStringLiteral("85.0090.0095.00"));
        QVERIFY(now.forecastTone == StatementSheet::Tone::Dearer);
        QVERIFY(now.leftTone == StatementSheet::Tone::Plain);
        const auto slides = ui::meetingSlides(snapshot);
        QCOMPARE(slides.front().figures.size() + 1, slides.back().figures.size());
        const auto &figure = slides.back().figures.back();
        QCOMPARE(figure.value, QStringLiteral("50"));
        QVERIFY2(figure.range.contains(QLatin1String("90")) && figure.range.contains(QLatin1String("85")),
                 qPrintable(figure.range));
        snapshot.statement.budgets.front().amount = Money(1, base::Currency::parse("EUR").value());
        QVERIFY(rows("vision").empty());
    }

    // A sheet has the savings of exactly the team, or of all teams, that it shows.
    void theSheetHasTheSavingsOfWhatItShows()
    {
        ui::ShowbackSnapshot snapshot = snapshotOf(march());
        QVERIFY(ui::statementSheet(snapshot, "vision").savingsNote.isEmpty());
        const auto dollars = [](std::int64_t units) { return Money(units * Money::kNanosPerUnit, kUsd); };
        reports::StatementSavings savings;
        savings.asOf = march().made;
        savings.team = "vision";
        savings.rows.resize(2);
        savings.rows[0].count = 2;
        savings.rows[0].currency = "USD";
        savings.rows[0].perMonth = reports::StatementSaving::Band{dollars(80), dollars(100), dollars(130)};
        savings.rows[1].part = reports::StatementSaving::Part::Accepted;
        savings.rows[1].kind = "schedule";
        savings.rows[1].target = "research/notebook-7";
        savings.rows[1].owner = "kim";
        snapshot.statement.savings = savings;
        const StatementSheet sheet = ui::statementSheet(snapshot, "vision");
        QCOMPARE(sheet.savings.size(), std::size_t{2});
        QCOMPARE(sheet.savings[0].low + QLatin1Char(' ') + sheet.savings[0].middle + QLatin1Char(' ')
                     + sheet.savings[0].high,
                 QStringLiteral("80.00 100.00 130.00"));
        QCOMPARE(sheet.savings[1].name, QStringLiteral("Accepted: Schedule: research/notebook-7"));
        QCOMPARE(sheet.savings[1].who, QStringLiteral("kim"));
        QVERIFY(sheet.savings[1].middle.isEmpty()); // unknown, not zero
        QVERIFY(!sheet.savingsNote.isEmpty());
        for (const auto &other : {std::optional<std::string>("speech"), std::optional<std::string>()}) {
            const StatementSheet none = ui::statementSheet(snapshot, other);
            QVERIFY(none.savings.empty() && none.savingsNote.isEmpty());
        }
    }

    void initTestCase() { QLocale::setDefault(QLocale::c()); }
};

GPULEDGER_WINDOW_SUITE(TestStatementSheet)

} // namespace tst_statementsheet

#include "tst_statementsheet.moc"
