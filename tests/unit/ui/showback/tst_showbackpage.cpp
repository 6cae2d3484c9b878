// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/billing/billingservice.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/spend/spendservice.h"
#include "app/store/values/integrityproblem.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "tests/unit/ui/showback/showbackbench.h"
#include "ui/dialogs/showback/closemonthdialog.h"
#include "ui/dialogs/showback/decisiondialog.h"
#include "ui/dialogs/showback/meetingbars.h"
#include "ui/dialogs/showback/meetingslideview.h"
#include "ui/dialogs/showback/presentation.h"
#include "ui/dialogs/showback/sharingdialog.h"
#include "ui/dialogs/showback/splitlensdialog.h"
#include "ui/export/statementexport.h"
#include "ui/export/statementprint.h"
#include "ui/format/local/localtext.h"
#include "ui/navigation.h"
#include "ui/pages/documentview.h"
#include "ui/pages/showback/showbackpage.h"
#include "ui/viewmodels/showback/statementtext.h"
#include "ui/window/mainwindow.h"
#include "widgets/inputs/choicebutton.h"
#include "widgets/inputs/segmentedswitch.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <algorithm>
#include <set>

namespace tst_showbackpage {
using namespace gpuledger;
using insight::Month;
using reports::CostView;
using tests::billedFleet;
using tests::button;
using tests::decide;
using tests::keepPicture;
using tests::labels;
using tests::run;
using tests::sumOf;
using tests::total;
using tests::write;
using ui::ShowbackPage;
using ui::StatementSheet;
using widgets::StatePanel;

namespace {

constexpr int kPatience = 120000;
constexpr Month kOctober{2026, 10}, kSeptember{2026, 9};

} // namespace

// The page in a window, and its documents, over the real engine with the demo fleet and its bills.
class ShowbackPageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        m_theme.setMode(widgets::Theme::Mode::Light);
        m_theme.apply();
        m_workspace = std::move(services::Workspace::open(billedFleet(), {m_folder.path().toStdString(), "UTC", false},
                                                          *m_catalog, *m_secrets, m_clock)
                                    .value());
        m_tasks = std::make_unique<ui::TaskRunner>();
        m_sync = std::make_unique<ui::SyncController>(m_workspace->config(), m_workspace->sources(),
                                                      m_workspace->fleet(), *m_tasks);
        const auto reports = m_workspace->sources().sync(std::nullopt, {}, {}).value();
        for (const auto &report : reports)
            QVERIFY(!report.error);
        m_window =
            std::make_unique<ui::MainWindow>(ui::WindowContext{*m_workspace, *m_tasks, *m_sync, m_theme}, ui::pages());
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void cleanupTestCase()
    {
        m_window.reset();
        m_sync.reset();
        m_tasks.reset();
        m_workspace.reset();
    }

    void beginsWithTheLastWholeMonthOfAllTeams()
    {
        ShowbackPage &page = open({});
        QCOMPARE(page.findChild<StatePanel *>()->state(), StatePanel::State::Data);
        QCOMPARE(page.findChild<widgets::ChoiceButton *>()->currentKey(), QStringLiteral("2026-10"));
        const QString text = page.findChild<ui::DocumentView *>()->toPlainText();
        QVERIFY2(text.contains(QStringLiteral("all teams")), qPrintable(text));
        const auto statement = m_workspace->billing().statement(kOctober, CostView::Effective, {}).value();
        QVERIFY(text.contains(total(statement.currencies.front().total())));
        for (const auto &team : statement.currencies.front().teams)
            QVERIFY(text.contains(ui::LocalText::teamName(team.team)));
        QVERIFY(statement.hasBill() && statement.reconciles());
        QVERIFY(labels(page).contains(QStringLiteral("Reconciled with the bill")));
    }

    void keyboardGoesThroughTheTeamsAndBack()
    {
        ShowbackPage &page = open({});
        auto *table = page.findChild<widgets::DataTable *>();
        auto *document = page.findChild<ui::DocumentView *>();
        table->view()->setFocus();
        QTest::keyClick(table->view(), Qt::Key_Home);
        QTRY_VERIFY(!page.place().queryItemValue(QStringLiteral("team")).isEmpty());
        QTRY_VERIFY(!document->toPlainText().startsWith(QStringLiteral("GPU cost statement: all teams")));
        const QString first = document->toPlainText();
        QVERIFY2(!first.contains(QStringLiteral("statement: all teams")), qPrintable(first));
        QTest::keyClick(table->view(), Qt::Key_Down);
        QTRY_VERIFY(document->toPlainText() != first);
        QVERIFY(page.goBack());
        QVERIFY(document->toPlainText().contains(QStringLiteral("all teams")));
        QVERIFY(!page.goBack());
    }

    void aLinkLeadsToATeamOfAMonth()
    {
        ShowbackPage &page = open(QStringLiteral("month=2026-09&team=research"), model::CostView::Billed);
        const auto statement = m_workspace->billing().statement(kSeptember, CostView::Billed, "research").value();
        const QString text = page.findChild<ui::DocumentView *>()->toPlainText();
        QVERIFY(text.contains(QStringLiteral("research")));
        QVERIFY(text.contains(QStringLiteral("billed cost")));
        QVERIFY(text.contains(total(statement.currencies.front().teams.front().total())));
        QCOMPARE(page.place().toString(), QStringLiteral("month=2026-09&team=research"));
    }

    void saysThatAMonthHasNothing()
    {
        ShowbackPage &page = open(QStringLiteral("month=2019-01"));
        QCOMPARE(page.findChild<StatePanel *>()->state(), StatePanel::State::Empty);
    }

    // Each team's lines of both months add up to its totals, so that the columns of a statement add up.
    void linesOfBothMonthsAddUp()
    {
        for (const CostView view : {CostView::Billed, CostView::Effective}) {
            const auto statement = m_workspace->billing().statement(kOctober, view, {}).value();
            const auto history = m_workspace->billing().statementDetail(kOctober, view).value().history;
            QCOMPARE(history.months().size(), std::size_t{reports::History::kMonths});
            QVERIFY(history.months().back() == kOctober);
            for (const auto &currency : statement.currencies) {
                const auto all = reports::allTeams(currency);
                QCOMPARE(sumOf(history.findAll(currency.currency, kOctober)), all.total().nanos());
                QVERIFY(all.change);
                const auto &c = *all.change;
                QCOMPARE(c.before.nanos() + c.price.nanos() + c.hours.nanos() + c.mix.nanos() + c.efficiency.nanos()
                             + c.other.nanos() + c.restated.nanos(),
                         all.total().nanos());
                for (const auto &team : currency.teams) {
                    QCOMPARE(sumOf(history.find(currency.currency, team.team, kOctober)), team.total().nanos());
                    QCOMPARE(sumOf(history.find(currency.currency, team.team, kSeptember)),
                             team.change->before.nanos());
                }
            }
        }
    }

    void paperIsReadBySomebodyElse_data()
    {
        QTest::addColumn<int>("format");
        QTest::addColumn<QByteArray>("size");
        QTest::newRow("A4") << static_cast<int>(ui::StatementFormat::PdfA4) << QByteArray("595");
        QTest::newRow("Letter") << static_cast<int>(ui::StatementFormat::PdfLetter) << QByteArray("612");
    }

    void paperIsReadBySomebodyElse()
    {
        QFETCH(int, format);
        QFETCH(QByteArray, size);
        const auto what = ui::StatementExport::What{snapshot(), std::nullopt};
        const QByteArray pdf = bytes(what, static_cast<ui::StatementFormat>(format));
        if (static_cast<ui::StatementFormat>(format) == ui::StatementFormat::PdfA4)
            QCOMPARE(bytes(what, static_cast<ui::StatementFormat>(format)), pdf); // it does not depend on the time
        const QString file = m_folder.filePath(QStringLiteral("all.pdf"));
        write(file, pdf);
        // For visual inspection.
        if (const QString pictures = qEnvironmentVariable("GPULEDGER_PICTURES"); !pictures.isEmpty())
            write(pictures + QLatin1Char('/') + QString::fromLatin1(QTest::currentDataTag()) + QStringLiteral(".pdf"),
                  pdf);
        const QString text =
            QString::fromUtf8(run(QStringLiteral("pdftotext"), {QStringLiteral("-layout"), file, QStringLiteral("-")}));
        const auto &currency = what.snapshot->statement.currencies.front();
        QVERIFY2(text.contains(total(currency.total())), qPrintable(text));
        for (const auto &team : currency.teams) {
            QVERIFY(text.contains(QStringLiteral("GPU cost statement: ") + ui::LocalText::teamName(team.team)));
            QVERIFY(text.contains(total(team.total())));
        }
        // Every character can be extracted, also those that a font draws in a different shape next to figures.
        QVERIFY(text.contains(QStringLiteral("-2,500.00")));
        QVERIFY(!text.contains(QChar(0x2212)));
        const auto onScreen = ui::statementDocument(ui::statementSheet(*what.snapshot, std::nullopt),
                                                    ui::DocumentLook::onScreen(m_theme));
        QVERIFY(onScreen->toPlainText().contains(QStringLiteral("−2,500.00")));
        QVERIFY(text.contains(QStringLiteral("1 – 31 October 2026 (UTC days)")));
        const QByteArray facts = run(QStringLiteral("pdfinfo"), {file});
        const QRegularExpressionMatch pages =
            QRegularExpression(QStringLiteral("Pages:\\s+(\\d+)")).match(QString::fromUtf8(facts));
        QVERIFY(pages.captured(1).toInt() > static_cast<int>(currency.teams.size()));
        QVERIFY(text.contains(QStringLiteral("Page 1 of ") + pages.captured(1)));
        QVERIFY2(facts.contains(QByteArray("Page size:       ").append(size)), facts.constData());
        // Shapes and letters, no images.
        QCOMPARE(run(QStringLiteral("pdfimages"), {QStringLiteral("-list"), file}).split('\n').size(), 3);
        QVERIFY(!run(QStringLiteral("pdffonts"), {file}).contains("Type 3"));
    }

    void everyFormatOfOneTeamNamesNoOther()
    {
        const auto all = snapshot();
        const auto &teams = all->statement.currencies.front().teams;
        const ui::StatementExport::What what{all, std::string("research")};
        for (const auto format : {ui::StatementFormat::Csv, ui::StatementFormat::Html}) {
            const QByteArray text = bytes(what, format);
            QVERIFY(text.contains("research"));
            for (const auto &team : teams) {
                if (team.team != "research" && team.team != "shared")
                    QVERIFY2(!text.contains(QByteArray::fromStdString(team.team)), team.team.c_str());
            }
        }
        QVERIFY(bytes(what, ui::StatementFormat::Workbook).startsWith("PK"));
        QCOMPARE(ui::StatementExport::fileName({all, std::string("../../etc/passwd")}, ui::StatementFormat::PdfA4),
                 QStringLiteral("statement-2026-10-etc-passwd.pdf"));
    }

    void aTeamNameIsTextOnPaper()
    {
        StatementSheet sheet = ui::statementSheet(*snapshot(), std::nullopt);
        sheet.title = QStringLiteral("<b>bold</b> <img src='http://127.0.0.1/x'>\u202Egnp");
        sheet.sections.front().workloads = {{QStringLiteral("<script>alert(1)</script>/\u0007name"),
                                             QStringLiteral("1"),
                                             QStringLiteral("2"),
                                             {},
                                             {},
                                             {}}};
        const auto document = ui::statementDocument(sheet, ui::DocumentLook::onScreen(m_theme));
        const QString text = document->toPlainText();
        QVERIFY(text.contains(QStringLiteral("<b>bold</b> <img")));
        QVERIFY(text.contains(QStringLiteral("<script>alert(1)</script>")));
        QVERIFY(!text.contains(QChar(0x202E)) && !text.contains(QChar(7)));
    }

    void stopsWhenAsked()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto done =
            ui::statementPdf({ui::statementSheet(*snapshot(), std::nullopt)},
                             ui::DocumentLook::onPaper(ui::kPdfDotsPerInch), QPageSize::A4, stop.get_token());
        QVERIFY(!done);
        QVERIFY(done.error().code == base::ErrorCode::Cancelled);
    }

    // Every policy distributes the same amount, and the dialog shows the engine's figures.
    void splitLensSharesOutTheSameMoney()
    {
        const auto lens = m_workspace->spend().splitLens(kOctober, CostView::Effective).value();
        QCOMPARE(lens.currencies.size(), std::size_t{1});
        const reports::CurrencyLens &usd = lens.currencies.front();
        for (std::size_t policy = 0; policy < reports::kSplitPolicies.size(); ++policy) {
            std::int64_t sum = usd.cpu[policy].nanos() + usd.memory[policy].nanos();
            for (const reports::LensTeam &team : usd.teams)
                sum += team.cost[policy].nanos();
            QCOMPARE(sum, usd.total.nanos());
        }
        // gpu-first equals the GPU time of the statements.
        const auto statement = m_workspace->billing().statement(kOctober, CostView::Effective, {}).value();
        for (const reports::LensTeam &team : usd.teams) {
            std::int64_t told = 0;
            for (const auto &one : statement.currencies.front().teams) {
                for (const auto &line : one.lines)
                    told += one.team == team.team && line.category == "gpu" ? line.cost.nanos() + line.estimated.nanos()
                                                                            : 0;
            }
            QCOMPARE(team.cost[0].nanos(), told);
        }
        ShowbackPage &page = open({});
        button(page, QStringLiteral("What if"))->menu()->actions().at(0)->trigger();
        auto *dialog = page.findChild<ui::SplitLensDialog *>();
        QVERIFY(dialog);
        QTRY_VERIFY_WITH_TIMEOUT(dialog->settled(), kPatience);
        auto *table = dialog->findChild<widgets::DataTable *>();
        const QAbstractItemModel &rows = *table->view()->model();
        const int last = rows.rowCount() - 1;
        QCOMPARE(static_cast<std::size_t>(rows.rowCount()), usd.teams.size() + 3);
        QCOMPARE(rows.index(0, 2).data().toString(), total(usd.teams.front().cost[1]));
        for (int column = 1; column <= 4; ++column)
            QCOMPARE(rows.index(last, column).data().toString(), total(usd.total));
        keepPicture(*dialog, "lens");
        dialog->findChild<widgets::SegmentedSwitch *>()->setCurrentKey(QStringLiteral("differences"));
        QCOMPARE(rows.index(last, 2).data().toString(), QStringLiteral("0.00"));
        QVERIFY(rows.index(0, 2).data().toString().startsWith(QChar(0x2212)));
        keepPicture(*dialog, "lens-differences");
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(!page.findChild<ui::SplitLensDialog *>());
    }

    // A meeting by keyboard alone: a decision in September, and its outcome in October.
    void meeting()
    {
        ui::Presentation *first = present(QStringLiteral("month=2026-09"));
        QCOMPARE(first->currentSlide(), 0);
        const auto teams = static_cast<int>(m_workspace->billing()
                                                .statement(kSeptember, CostView::Effective, {})
                                                .value()
                                                .currencies.front()
                                                .teams.size());
        QCOMPARE(first->slideCount(), 1 + teams);
        // Estimates are in the teams' bars but in no bill: the slide shows the amount.
        const base::Money estimated =
            m_workspace->billing().statement(kSeptember, CostView::Effective, {}).value().currencies.front().estimated;
        QVERIFY(!estimated.isZero());
        QVERIFY(labels(*first).contains(QStringLiteral("not billed (estimated): ") + ui::distantAmount(estimated)));
        // A card that has nothing to show isn't there, and every team has its bar.
        const auto *bars = first->findChild<ui::MeetingBars *>();
        QVERIFY(bars);
        QCOMPARE(bars->accessibleDescription().split(QStringLiteral("; ")).size(), teams);
        QVERIFY(!labels(*first).contains(QStringLiteral("Results of earlier decisions")));
        QVERIFY(!labels(*first).contains(QStringLiteral("Decisions of this meeting")));
        QTest::keyClick(first, Qt::Key_End);
        QCOMPARE(first->currentSlide(), teams);
        QTest::keyClick(first, Qt::Key_Right);
        QCOMPARE(first->currentSlide(), teams);
        QTest::keyClick(first, Qt::Key_Home);
        QTest::keyClick(first, Qt::Key_D); // decisions are made for a single team only
        QVERIFY(!first->findChild<ui::DecisionDialog *>());
        QTest::keyClick(first, Qt::Key_Right);
        decide(*first, QStringLiteral("Stop notebooks at night"), QStringLiteral("1"));
        QTRY_VERIFY_WITH_TIMEOUT(labels(*first).contains(QStringLiteral("Stop notebooks at night")), kPatience);
        keepPicture(*first, "slide-decided");
        QTest::keyClick(first, Qt::Key_Escape);
        const auto kept = m_workspace->billing().decisions().value();
        QCOMPARE(kept.size(), std::size_t{1});
        QVERIFY(kept.front().draft.month == kSeptember);
        QCOMPARE(kept.front().draft.target->toDecimal(), std::string("1.000000000"));

        ui::Presentation *next =
            present(QStringLiteral("month=2026-10&team=") + QString::fromStdString(kept.front().draft.team));
        QVERIFY(next->currentSlide() > 0); // starts with the selected team
        const QString told = labels(*next).join(QLatin1Char('\n'));
        QVERIFY2(told.contains(QStringLiteral("at this month's amount of work")), qPrintable(told));
        QVERIFY(told.contains(QStringLiteral("target 1.00 missed")));
        for (const auto mode : {widgets::Theme::Mode::Light, widgets::Theme::Mode::Dark}) {
            m_theme.setMode(mode);
            const QByteArray name = mode == widgets::Theme::Mode::Light ? "light" : "dark";
            for (const QSize size : {QSize(1280, 760), QSize(1280, 800), QSize(2560, 1440)}) {
                if (size.width() > 1280 && !qEnvironmentVariableIsSet("GPULEDGER_PICTURES"))
                    continue; // the largest takes most of the time
                next->resize(size);
                QTest::qWait(300); // it is laid out after resizing has stopped
                QTest::keyClick(next, Qt::Key_Home);
                keepPicture(*next, "slide-all-" + name + '-' + QByteArray::number(size.width()));
                QTest::keyClick(next, Qt::Key_Right);
                keepPicture(*next, "slide-team-" + name + '-' + QByteArray::number(size.width()));
            }
        }
        m_theme.setMode(widgets::Theme::Mode::Light);
        button(*next, QStringLiteral("Done"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(
            m_workspace->billing().decisions().value().front().state == reports::DecisionState::Done, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(!button(*next, QStringLiteral("Done")), kPatience);
        QTest::keyClick(next, Qt::Key_Escape);
        QVERIFY(m_workspace->verify().value().empty());
    }

    // Nothing is cut in the smallest window: neither the state of a team nor a column of the statement.
    void fitsTheSmallestWindow()
    {
        const QSize before = m_window->size();
        m_window->resize(1024, 640);
        m_window->show();
        ShowbackPage &page = open(QStringLiteral("month=2026-10"));
        QTreeView *teams = page.findChild<widgets::DataTable *>()->view();
        const int status = teams->model()->columnCount() - 1;
        QTRY_COMPARE(teams->horizontalScrollBar()->maximum(), 0);
        QVERIFY(teams->columnWidth(status) >= teams->sizeHintForIndex(teams->model()->index(0, status)).width());
        const auto *document = page.findChild<ui::DocumentView *>();
        QVERIFY2(document->document()->size().width() <= document->viewport()->width(),
                 qPrintable(QString::number(document->document()->size().width())));
        keepPicture(*m_window, "showback-1024");
        m_window->resize(before);
    }

    // A team's statement is reviewed separately; the list of teams shows that.
    void yReviewsATeam()
    {
        ShowbackPage &page = open(QStringLiteral("month=2026-09&team=research"));
        QSignalSpy notices(&page, &ui::Page::noticeWanted);
        const auto standings = [&] {
            const QAbstractItemModel *teams = page.findChild<widgets::DataTable *>()->view()->model();
            QSet<QString> reviewed;
            for (int row = 0; row < teams->rowCount(); ++row) {
                if (teams->index(row, teams->columnCount() - 1).data().toString() == QLatin1String("Reviewed"))
                    reviewed.insert(teams->index(row, 0).data().toString());
            }
            return reviewed;
        };
        QPushButton *review = button(page, QStringLiteral("Mark reviewed"));
        QVERIFY(review->isVisible() && standings().isEmpty());
        QSet<QString> atOnce; // what the list shows when the bar says it
        QString said;
        const QObject watch; // ends with this test
        connect(&page, &ui::Page::noticeWanted, &watch, [&](const ui::PageNotice &notice) {
            atOnce = standings();
            said = notice.text;
        });
        review->click();
        QVERIFY(!review->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(page.settled() && !review->isVisible(), kPatience);
        QCOMPARE(standings(), QSet<QString>{QStringLiteral("research")});
        QCOMPARE(atOnce, standings());
        QCOMPARE(said, QStringLiteral("The statement of research for September 2026 is marked as reviewed"));
        QVERIFY(documentText(page).contains(QStringLiteral("Reviewed on")));
        QCOMPARE(notices.size(), 1);
        ShowbackPage &all = open(QStringLiteral("month=2026-09"));
        QVERIFY(button(all, QStringLiteral("Mark reviewed"))->isVisible());
        QVERIFY(documentText(all).contains(QStringLiteral("Draft, as of")));
    }

    // Runs last: September is closed for good.
    void zClosesAMonth()
    {
        ShowbackPage &page = open(QStringLiteral("month=2026-09"));
        QSignalSpy notices(&page, &ui::Page::noticeWanted);
        QPushButton *review = button(page, QStringLiteral("Mark reviewed"));
        QPushButton *close = button(page, QStringLiteral("Close month…"));
        QVERIFY(review->isVisible() && close->isVisible());
        review->click();
        QTRY_VERIFY_WITH_TIMEOUT(page.settled() && !review->isVisible(), kPatience);
        QVERIFY(documentText(page).contains(QStringLiteral("Reviewed on")));
        close->click();
        auto *dialog = page.findChild<ui::CloseMonthDialog *>();
        QVERIFY(dialog);
        QPushButton *confirm = button(*dialog, QStringLiteral("Close September 2026"));
        QVERIFY(!confirm->isDefault());
        const auto status = m_workspace->billing().monthStatus(kSeptember).value();
        QCOMPARE(confirm->isEnabled(), status.objections.empty());
        dialog->findChild<QPlainTextEdit *>()->setPlainText(QStringLiteral("checked with finance"));
        QVERIFY(confirm->isEnabled());
        confirm->click();
        QTRY_VERIFY_WITH_TIMEOUT(page.settled() && !close->isVisible(), kPatience);
        QVERIFY(documentText(page).contains(QStringLiteral("Closed on")));
        QCOMPARE(notices.size(), 2);
        const auto closed = m_workspace->billing().monthStatus(kSeptember).value();
        QVERIFY(closed.state == reports::MonthState::Closed);
        QCOMPARE(closed.reason, std::string("checked with finance"));
        QVERIFY(m_workspace->verify().value().empty());
    }

    void aRunningMonthIsNotOfferedToBeClosed()
    {
        ShowbackPage &page = open(QStringLiteral("month=2026-11"));
        QVERIFY(!button(page, QStringLiteral("Close month…"))->isVisible());
        QVERIFY(documentText(page).contains(QStringLiteral("the month isn't over yet")));
    }

    // The rules are previewed first, and written to the configuration when they are applied; the statement follows.
    void zzSharesOutWhatIsShared()
    {
        ShowbackPage &page = open(QStringLiteral("month=2026-10"));
        button(page, QStringLiteral("What if"))->menu()->actions().at(1)->trigger();
        auto *shown = page.findChild<ui::SharingDialog *>();
        QVERIFY(shown);
        QVERIFY(!button(*shown, QStringLiteral("Apply rules"))->isVisible()); // there is no file
        QTest::keyClick(shown, Qt::Key_Escape);
        const QString file = m_folder.filePath(QStringLiteral("config.yaml"));
        write(file, "version: 1\nsources: []\nowners:\n  - { label: team } # mine\n");
        auto *dialog = new ui::SharingDialog({m_theme, m_workspace->config(), m_workspace->sources(),
                                              m_workspace->billing(), *m_tasks, *m_sync, file.toStdString()},
                                             kOctober, CostView::Effective, &page);
        dialog->open();
        auto *table = dialog->findChild<widgets::DataTable *>();
        QTRY_VERIFY_WITH_TIMEOUT(dialog->settled() && table->view()->model()->rowCount() > 0, kPatience);
        const QAbstractItemModel &rows = *table->view()->model();
        const auto movedOf = [&](const QString &team) {
            for (int row = 0; row < rows.rowCount(); ++row) {
                if (rows.index(row, 0).data() == team)
                    return rows.index(row, 2).data().toString();
            }
            return QString();
        };
        QCOMPARE(movedOf(QStringLiteral("Unallocated")), QStringLiteral("0.00"));
        QPushButton *apply = button(*dialog, QStringLiteral("Apply rules"));
        QVERIFY(!apply->isEnabled());
        dialog->findChildren<QComboBox *>().front()->setCurrentIndex(3); // in equal parts
        QTRY_VERIFY_WITH_TIMEOUT(dialog->settled() && movedOf(QStringLiteral("Unallocated")).startsWith(QChar(0x2212)),
                                 kPatience);
        QVERIFY(m_workspace->billing().statement(kOctober, CostView::Effective, {})->currencies.front().sharing
                == std::nullopt);
        keepPicture(*dialog, "sharing");
        QVERIFY(apply->isEnabled() && !apply->isDefault());
        QSignalSpy applied(dialog, &ui::SharingDialog::applied);
        apply->click();
        QTRY_COMPARE_WITH_TIMEOUT(applied.size(), 1, kPatience);
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QByteArray text = written.readAll();
        QVERIFY2(text.contains("shared: even") && text.contains("# mine"), text.constData());
        const auto statement = m_workspace->billing().statement(kOctober, CostView::Effective, {}).value();
        const auto &currency = statement.currencies.front();
        QVERIFY(currency.sharing);
        std::int64_t charged = 0;
        for (const auto &team : currency.teams)
            charged += team.charged().nanos();
        QCOMPARE(charged, currency.total().nanos());
        QVERIFY(currency.cost == currency.bill); // the lines still add up to the bill
        // September was closed before, and stays as it was.
        QVERIFY(!m_workspace->billing().statement(kSeptember, CostView::Effective, {})->currencies.front().sharing);
        page.refresh();
        QTRY_VERIFY_WITH_TIMEOUT(documentText(page).contains(QStringLiteral("Who pays for shared and idle cost")),
                                 kPatience);
        QVERIFY(m_workspace->verify().value().empty());
    }

private:
    ui::Presentation *present(const QString &inner)
    {
        ShowbackPage &page = open(inner);
        button(page, QStringLiteral("Present"))->click();
        ui::Presentation *all = nullptr;
        for (auto *one : page.findChildren<ui::Presentation *>()) // a closed one may still exist
            all = one->isVisible() ? one : all;
        Q_ASSERT(all);
        return all;
    }

    static QString documentText(const ShowbackPage &page)
    {
        return page.findChild<ui::DocumentView *>()->toPlainText();
    }

    ShowbackPage &open(const QString &inner, model::CostView cost = model::CostView::Effective)
    {
        ui::Place place{QStringLiteral("showback"), {}, QUrlQuery(inner)};
        place.scope.cost = cost;
        m_window->open(place);
        auto *page = qobject_cast<ShowbackPage *>(m_window->currentPage());
        const bool settled = QTest::qWaitFor([page] { return page->settled(); }, kPatience);
        Q_ASSERT(settled);
        Q_UNUSED(settled);
        return *page;
    }

    std::shared_ptr<const ui::ShowbackSnapshot> snapshot()
    {
        if (!m_snapshot) {
            ui::ShowbackViewModel model(m_workspace->config(), m_workspace->spend(), m_workspace->billing(), *m_tasks);
            model.refresh();
            [[maybe_unused]] const bool there =
                QTest::qWaitFor([&] { return model.state() == ui::PageState::Data; }, kPatience);
            m_snapshot = model.snapshot();
        }
        return m_snapshot;
    }

    QByteArray bytes(const ui::StatementExport::What &what, ui::StatementFormat format)
    {
        const auto statement =
            what.team ? reports::ofTeam(what.snapshot->statement, *what.team) : what.snapshot->statement;
        return ui::StatementExport::bytesOf(statement, ui::StatementExport::sheetsOf(what),
                                            ui::DocumentLook::onPaper(ui::kPdfDotsPerInch), format, {})
            .value();
    }

    QTemporaryDir m_folder;
    base::FrozenClock m_clock{base::parseTime("2026-11-06T12:00:00Z").value()};
    widgets::Theme m_theme;
    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
    std::unique_ptr<services::Workspace> m_workspace;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::SyncController> m_sync;
    std::unique_ptr<ui::MainWindow> m_window;
    std::shared_ptr<const ui::ShowbackSnapshot> m_snapshot;
};

GPULEDGER_WINDOW_SUITE(ShowbackPageTest)
} // namespace tst_showbackpage
#include "tst_showbackpage.moc"
