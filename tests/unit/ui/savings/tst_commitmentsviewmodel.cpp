// SPDX-License-Identifier: GPL-3.0-or-later
// The note below the table of commitments, and the panel around both. The table itself: tst_commitmentstable.
#include "tests/support/suite.h"
#include "ui/pages/savings/comparedpanel.h"
#include "ui/viewmodels/savings/compare/commitmentsviewmodel.h"
#include "widgets/table/datatable.h"

#include <QDateTime>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QTest>
#include <QTreeView>

#include <algorithm>
#include <limits>
#include <utility>

namespace tst_commitmentsviewmodel {

using namespace gpuledger;
using model::CloudCommitmentKind;
using services::CommitmentReading;
using services::CommitmentRow;
using services::CommitmentsAnswer;
using services::CoverageRow;
using ui::CommitmentsColumn;
using ui::CommitmentsTable;
using ui::CommitmentsViewModel;

namespace {

base::UtcTime at(const char *time)
{
    return base::parseTime(time).value();
}

QString shown(const char *time, const base::TimeZone &zone = {})
{
    return QLocale().toString(QDateTime::fromSecsSinceEpoch(zone.localSeconds(at(time)), Qt::UTC),
                              QLocale::ShortFormat);
}

CoverageRow coverage(CloudCommitmentKind by, const char *machine, const char *region, double covered,
                     const char *onDemand)
{
    CoverageRow row;
    row.source = "aws-costs";
    row.coverage = {"AWS", "123456789012", by, machine, region, covered, {}, {}, {}, {}};
    row.coverage.first = base::dayOf(at("2026-11-01T00:00:00Z"));
    row.coverage.last = base::dayOf(at("2026-11-30T00:00:00Z"));
    if (onDemand)
        row.onDemand = base::Money::parse(onDemand, base::Currency::usd()).value();
    return row;
}

CommitmentReading reading(const char *source, const char *readAt)
{
    CommitmentReading one;
    one.source = source;
    if (readAt)
        one.readAt = at(readAt);
    return one;
}

CommitmentReading failed(const char *source, const char *readAt, const char *failedAt)
{
    CommitmentReading one = reading(source, readAt);
    one.failedAt = at(failedAt);
    one.failure = "the right ce:GetSavingsPlansUtilization is missing";
    return one;
}

QStringList linesOf(const CommitmentsAnswer &answer, const base::TimeZone &zone = {})
{
    return CommitmentsViewModel::notesOf(answer, zone).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

// Commitments with long ARNs, texts and amounts, and a long note.
CommitmentsAnswer longAnswer()
{
    CommitmentsAnswer answer;
    answer.now = at("2026-11-21T12:00:00Z");
    for (int i = 0; i < 4; ++i) {
        CommitmentRow &row = answer.rows.emplace_back();
        row.source = "aws-costs";
        row.commitment.cloud = "AWS";
        row.commitment.account = "123456789012";
        row.commitment.id =
            "arn:aws:savingsplans::123456789012:savingsplan/5f0c2b1e-77aa-4c1d-9e0f-00112233445" + std::to_string(i);
        row.commitment.kind = CloudCommitmentKind::SavingsPlan;
        row.commitment.terms = "EC2 Instance Savings Plan, 3yr, Partial Upfront, without a return";
        row.commitment.machine = "u7inh-32tb.480xlarge-and-more";
        row.commitment.count = 16;
        row.commitment.region = "ap-southeast-3";
        row.commitment.end = at("2026-12-31T00:00:00Z");
        row.commitment.utilization = 1;
        row.billed = 0.9987;
        row.perHour = base::Money::parse("12345.6789", base::Currency::usd()).value();
        row.unused = base::Money::parse("1234567.89", base::Currency::usd()).value();
        row.commitment.first = base::dayOf(at("2026-10-22T00:00:00Z"));
        row.commitment.last = base::dayOf(at("2026-11-20T00:00:00Z"));
    }
    for (const char *machine : {"p5", "p4d", "g5", "g6e", "p5en", "u7inh"})
        answer.coverage.push_back(
            coverage(CloudCommitmentKind::SavingsPlan, machine, "ap-southeast-3", 0.5, "1234567.89"));
    answer.readings = {failed("aws-costs", "2026-11-20T06:00:00Z", "2026-11-21T06:00:00Z")};
    answer.readings[0].withheld = {
        "the utilization of reservations can't be read without ce:GetReservationUtilization"};
    answer.withoutGpus = 12;
    return answer;
}

// Shows an answer without a service behind it.
class FixedCommitments : public ui::ComparedViewModel {
public:
    explicit FixedCommitments(CommitmentsAnswer answer)
        : ComparedViewModel(CommitmentsTable::columns(), QStringLiteral("Cloud and source"), nullptr)
        , m_answer(std::make_shared<const CommitmentsAnswer>(std::move(answer)))
    {
    }
    const std::optional<base::Error> &error() const override { return m_error; }
    bool isAsking() const override { return false; }
    QString noteText() const override { return CommitmentsViewModel::notesOf(*m_answer, {}); }
    QString emptyTitle() const override { return m_emptyTitle; }
    QString emptyText() const override { return m_emptyTitle.isEmpty() ? QString() : QStringLiteral("why"); }
    void refresh() override
    {
        const auto rows = std::make_shared<const CommitmentsTable>(m_answer, base::TimeZone());
        table().setColumns(CommitmentsTable::columns(rows->currency()));
        show(rows);
    }
    void setActive(bool /*active*/) override { }
    void setEmptyTitle(const QString &title) { m_emptyTitle = title; }

private:
    std::shared_ptr<const CommitmentsAnswer> m_answer;
    std::optional<base::Error> m_error;
    QString m_emptyTitle;
};

bool hasLabel(const QWidget &panel, const QString &text)
{
    const auto labels = panel.findChildren<QLabel *>();
    return std::any_of(labels.begin(), labels.end(),
                       [&](const QLabel *label) { return label->isVisible() && label->text() == text; });
}

} // namespace

class CommitmentsViewModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        m_theme.apply();
    }

    void saysNothingOfNothing()
    {
        QVERIFY(CommitmentsViewModel::notesOf({}, {}).isEmpty());
        QVERIFY(!CommitmentsViewModel::isUnread({}));
    }

    void saysWhatIsCovered()
    {
        CommitmentsAnswer answer;
        answer.coverage = {coverage(CloudCommitmentKind::SavingsPlan, "p5", "us-east-1", 0.624, nullptr),
                           coverage(CloudCommitmentKind::Reservation, "p4d.24xlarge", "", 1, "0"),
                           coverage(CloudCommitmentKind::CommittedUse, "a3", "us-central1", 0, "1234.4")};
        const QStringList lines = linesOf(answer);
        QCOMPARE(lines.size(), 1);
        // The largest cost first, an unknown one last.
        QCOMPARE(
            lines.front(),
            QStringLiteral("In the days 11/1/26 – 11/30/26: Committed use covers 0.0 % of a3 in us-central1; the "
                           "rest cost $1,234. Reservations cover 100.0 % of p4d.24xlarge; the rest cost $0. Savings "
                           "Plans cover 62.4 % of p5 in us-east-1."));
        answer.coverage[0].coverage.last = answer.coverage[0].coverage.first;
        const QString differing = linesOf(answer).front();
        QVERIFY(differing.startsWith(QStringLiteral(
            "Committed use covers 0.0 % of a3 in us-central1 (11/1/26 – 11/30/26); the rest cost $1,234. ")));
        QVERIFY(differing.endsWith(QStringLiteral("Savings Plans cover 62.4 % of p5 in us-east-1 (11/1/26).")));
    }

    void namesTheAccountOnlyIfThereAreSeveral()
    {
        CommitmentsAnswer answer;
        answer.coverage = {coverage(CloudCommitmentKind::SavingsPlan, "p5", "us-east-1", 0.5, "2"),
                           coverage(CloudCommitmentKind::SavingsPlan, "p5", "us-east-1", 0.5, "1")};
        QVERIFY(!linesOf(answer).front().contains(QStringLiteral("account")));
        answer.coverage[1].coverage.account = "210987654321";
        QVERIFY(linesOf(answer).front().contains(QStringLiteral("p5 in us-east-1 of account 210987654321;")));
        QVERIFY(linesOf(answer).front().contains(QStringLiteral("p5 in us-east-1 of account 123456789012;")));
    }

    void coverageLeavesRoomForTheTable()
    {
        CommitmentsAnswer answer;
        for (int i = 0; i < 8; ++i)
            answer.coverage.push_back(coverage(CloudCommitmentKind::SavingsPlan, ("p" + std::to_string(i)).c_str(), "",
                                               0.5, std::to_string(i).c_str()));
        const QString line = linesOf(answer).front();
        QCOMPARE(line.count(QStringLiteral("Savings Plans cover")), 5);
        QVERIFY(line.indexOf(QStringLiteral("of p7;")) < line.indexOf(QStringLiteral("of p3;")));
        QVERIFY(!line.contains(QStringLiteral("of p2;")));
        QVERIFY(line.endsWith(QStringLiteral("And 3 more figure(s) of coverage.")));
    }

    void currenciesAreNotMixed()
    {
        CommitmentsAnswer answer;
        answer.coverage = {coverage(CloudCommitmentKind::SavingsPlan, "p5", "", 0.5, "900"),
                           coverage(CloudCommitmentKind::SavingsPlan, "p4d", "", 0.5, nullptr)};
        answer.coverage[1].onDemand = base::Money::parse("1", base::Currency::parse("EUR").value()).value();
        const QString line = linesOf(answer).front();
        QVERIFY(line.indexOf(QStringLiteral("p4d")) < line.indexOf(QStringLiteral("p5")));
        QVERIFY(line.contains(QStringLiteral("EUR")) && line.contains(QStringLiteral("$900")));
    }

    void saysWhenEachSourceWasRead()
    {
        const auto zone = base::TimeZone::find("Europe/Berlin");
        QVERIFY(zone.has_value());
        const char *const read = "2026-11-21T06:00:00Z", *const tried = "2026-11-21T10:30:00Z";
        CommitmentsAnswer answer;
        answer.readings = {reading("aws-costs", read), reading("azure", nullptr), failed("gcp", read, tried),
                           failed("new", nullptr, tried)};
        const QStringList lines = linesOf(answer, *zone);
        QCOMPARE(lines.size(), 1);
        const QString why = QStringLiteral("the right ce:GetSavingsPlansUtilization is missing.");
        QCOMPARE(
            lines.front(),
            QStringLiteral("gcp was read on %1; the last try, on %2, failed: %3 ")
                    .arg(shown(read, *zone), shown(tried, *zone), why)
                + QStringLiteral("new was not read yet; the last try, on %1, failed: %2 ").arg(shown(tried, *zone), why)
                + QStringLiteral("aws-costs was read on %1. azure was not read yet.").arg(shown(read, *zone)));
        QVERIFY(shown(read, *zone) != shown(read));
        QVERIFY(!CommitmentsViewModel::isUnread(answer));
    }

    void manySourcesLeaveRoomForTheTable()
    {
        CommitmentsAnswer answer;
        for (const char *source : {"s1", "s2", "s3", "s4", "s5", "s6"})
            answer.readings.push_back(reading(source, "2026-11-21T06:00:00Z"));
        const QString line = linesOf(answer).front();
        QVERIFY(line.contains(QStringLiteral("s4 was read")) && !line.contains(QStringLiteral("s5 ")));
        QVERIFY(line.endsWith(QStringLiteral("Commitments are read from 2 more source(s).")));
        answer.readings.back() = failed("s6", nullptr, "2026-11-21T06:00:00Z"); // is never among the others
        QVERIFY(linesOf(answer).front().startsWith(QStringLiteral("s6 was not read yet; the last try, on ")));
    }

    void saysWhatWasWithheldAndLeftOut()
    {
        CommitmentsAnswer answer;
        answer.readings = {reading("aws-costs", "2026-11-21T06:00:00Z")};
        answer.readings[0].withheld = {"the right ce:GetReservationUtilization is missing", "b", "c", "d", "e", "f"};
        answer.withoutGpus = 12;
        answer.rejected = 1;
        const QStringList lines = linesOf(answer);
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[1],
                 QStringLiteral("aws-costs: the right ce:GetReservationUtilization is missing. aws-costs: b. "
                                "aws-costs: c. aws-costs: d. And 2 more thing(s) can't be read. Left out: 12 "
                                "row(s) for machines without GPUs. Left out: 1 row(s) that can't be read."));
    }

    void noLineOfASourceBreaksTheNote()
    {
        CommitmentsAnswer answer;
        answer.readings = {reading("aws-costs", "2026-11-21T06:00:00Z")};
        answer.readings[0].withheld = {std::string(5000, 'x'), "a\nb\x1b[31m %1 %2"};
        answer.rejected = std::numeric_limits<std::uint64_t>::max();
        const QString note = CommitmentsViewModel::notesOf(answer, {});
        QCOMPARE(note.count(QLatin1Char('\n')), 1);
        QVERIFY(note.size() < 700);
        QVERIFY(!note.contains(QChar(0x1b)) && note.contains(QStringLiteral("%1 %2")));
    }

    void nothingReadIsNotNothingThere()
    {
        CommitmentsAnswer answer;
        answer.readings = {reading("aws-costs", nullptr), failed("b", nullptr, "2026-11-21T06:00:00Z")};
        QVERIFY(CommitmentsViewModel::isUnread(answer));
        answer.readings[0].readAt = at("2026-11-21T06:00:00Z");
        QVERIFY(!CommitmentsViewModel::isUnread(answer));
    }

    void thePanelSaysWhatEmptyMeans()
    {
        CommitmentsAnswer answer;
        answer.readings = {reading("aws-costs", "2026-11-21T06:00:00Z")};
        FixedCommitments model(answer);
        ui::ComparedPanel panel(m_theme, model,
                                {QStringLiteral("Commitments"), QStringLiteral("failed"), QStringLiteral("none"),
                                 QStringLiteral("really none")});
        panel.show();
        model.refresh();
        QVERIFY(model.state() == ui::PageState::Empty);
        QTRY_VERIFY(hasLabel(panel, QStringLiteral("none")) && hasLabel(panel, QStringLiteral("really none")));
        QVERIFY(hasLabel(panel, model.noteText())); // when it was read
        model.setEmptyTitle(QStringLiteral("not read yet"));
        model.refresh();
        QTRY_VERIFY(hasLabel(panel, QStringLiteral("not read yet")) && hasLabel(panel, QStringLiteral("why")));
    }

    void figuresStayInViewInANarrowWindow_data()
    {
        QTest::addColumn<int>("width");
        QTest::newRow("of 1024 pixels") << 820;
        QTest::newRow("of 1280 pixels") << 1076;
    }

    void figuresStayInViewInANarrowWindow()
    {
        QFETCH(int, width);
        FixedCommitments model(longAnswer());
        ui::ComparedPanel panel(m_theme, model, {QStringLiteral("Commitments"), QString(), QString(), QString()});
        panel.resize(width, 400);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        model.refresh();
        const QTreeView &view = *panel.table()->view();
        const QHeaderView &header = *view.header();
        const auto isInView = [&](CommitmentsColumn column) {
            const int section = static_cast<int>(column);
            return !header.isSectionHidden(section)
                && header.sectionViewportPosition(section) + header.sectionSize(section) <= view.viewport()->width();
        };
        const auto isWhole = [&](CommitmentsColumn column) {
            const int section = static_cast<int>(column);
            return header.sectionSize(section)
                >= static_cast<const QAbstractItemView &>(view).sizeHintForColumn(section);
        };
        const auto number = [](CommitmentsColumn column) { return QByteArray::number(static_cast<int>(column)); };
        for (const CommitmentsColumn column :
             {CommitmentsColumn::Ends, CommitmentsColumn::Used, CommitmentsColumn::Billed, CommitmentsColumn::Unused})
            QTRY_VERIFY2(isInView(column) && isWhole(column), number(column));
        for (const CommitmentsColumn column : {CommitmentsColumn::Name, CommitmentsColumn::Machine})
            QTRY_VERIFY2(isInView(column), number(column));
        if (const QString folder = qEnvironmentVariable("GPULEDGER_PICTURES"); !folder.isEmpty())
            QVERIFY(panel.grab().save(QStringLiteral("%1/commitments-%2.png").arg(folder).arg(width)));
    }

private:
    widgets::Theme m_theme;
};

GPULEDGER_WINDOW_SUITE(CommitmentsViewModelTest)

} // namespace tst_commitmentsviewmodel

#include "tst_commitmentsviewmodel.moc"
