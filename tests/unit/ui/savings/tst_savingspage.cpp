// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/schedule/offhours.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "tests/unit/ui/savings/savingssample.h"
#include "ui/dialogs/savings/choicedialog.h"
#include "ui/pages/savings/assumptionpopup.h"
#include "ui/pages/savings/comparepanel.h"
#include "ui/pages/savings/savingsassumptions.h"
#include "ui/pages/savings/savingsbuttons.h"
#include "ui/pages/savings/savingschoices.h"
#include "ui/pages/savings/savingspage.h"
#include "ui/pages/savings/savingssummary.h"
#include "widgets/charts/bandchart.h"
#include "widgets/inputs/segmentedswitch.h"
#include "widgets/inputs/weekgrid.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTextDocumentFragment>
#include <QTimer>
#include <QTreeView>

namespace tst_savingspage {

using namespace gpuledger;
using tests::SampleAnswers;
using ui::SavingsPage;
using widgets::DataTable;
using widgets::StatePanel;

namespace {

constexpr int kPatience = 60000;

} // namespace

// The page in a window, over proposals made by hand.
class SavingsPageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedKingdom)); }

    void init()
    {
        m_answers = std::make_shared<SampleAnswers>();
        m_workspace = std::move(services::Workspace::open({}, {m_folder.path().toStdString(), "UTC", false}, *m_catalog,
                                                          *m_secrets, m_clock)
                                    .value());
        m_tasks = std::make_unique<ui::TaskRunner>();
        m_sync = std::make_unique<ui::SyncController>(m_workspace->config(), m_workspace->sources(),
                                                      m_workspace->fleet(), *m_tasks);
        m_navigator = std::make_unique<ui::Navigator>(ui::Place{QStringLiteral("savings"), {}, {}});
    }

    void cleanup()
    {
        m_page.reset();
        m_navigator.reset();
        m_sync.reset();
        m_tasks.reset();
        m_workspace.reset();
    }

    void isAcceptedByKeyboardAlone()
    {
        open();
        auto *table = m_page->findChild<DataTable *>();
        m_page->mainControl()->setFocus(Qt::TabFocusReason);
        QVERIFY(qobject_cast<QTreeView *>(QApplication::focusWidget()));
        QVERIFY(table->setCurrentRow(QStringLiteral("capacity:pool-a")));
        key(Qt::Key_Down);
        QCOMPARE(table->currentRowId(), QStringLiteral("schedule:notebook-7"));
        key(Qt::Key_Return); // to the buttons of the proposal
        auto *accept = qobject_cast<QPushButton *>(QApplication::focusWidget());
        QVERIFY(accept);
        QCOMPARE(accept->text(), QStringLiteral("&Accept…"));
        key(Qt::Key_Space);
        ui::ChoiceDialog *dialog = m_page->choices()->dialog();
        QVERIFY(dialog && QTest::qWaitForWindowActive(dialog));
        QTRY_VERIFY_WITH_TIMEOUT(qobject_cast<QLineEdit *>(QApplication::focusWidget()), kPatience);
        auto *owner = qobject_cast<QLineEdit *>(QApplication::focusWidget());
        key(Qt::Key_Return); // nothing is entered: nothing is confirmed
        QVERIFY(dialog->isVisible());
        QTest::keyClicks(owner, QStringLiteral(" ada "));
        key(Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!m_page->choices()->dialog(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
        QCOMPARE(m_answers->drafts.size(), std::size_t{1});
        QCOMPARE(m_answers->drafts[0].proposal, std::string("schedule:notebook-7"));
        QVERIFY(m_answers->drafts[0].state == savings::ChoiceState::Accepted);
        QCOMPARE(m_answers->drafts[0].owner, std::string("ada"));
        QVERIFY(m_answers->drafts[0].day.has_value());
        QCOMPARE(table->currentRowId(), QStringLiteral("schedule:notebook-7")); // the choice stays selected
        QVERIFY(buttonWith(QStringLiteral("Take &back")));
        QVERIFY(!buttonWith(QStringLiteral("&Accept…")));
    }

    void aRefusedChoiceStaysInItsDialog()
    {
        open();
        m_answers->refusal = base::Error::make(base::ErrorCode::InvalidArgument, "the log says no");
        m_page->choices()->choose(QStringLiteral("capacity:pool-a"), savings::ChoiceState::Dismissed);
        ui::ChoiceDialog *dialog = m_page->choices()->dialog();
        QVERIFY(dialog && QTest::qWaitForWindowActive(dialog));
        QVERIFY(hasLabel(*dialog, QStringLiteral("Capacity: pool-a")));
        auto *reason = dialog->findChild<QLineEdit *>();
        QTRY_VERIFY_WITH_TIMEOUT(reason->hasFocus(), kPatience);
        QTest::keyClicks(reason, QStringLiteral("needed"));
        key(Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled() && !reason->isReadOnly(), kPatience);
        QVERIFY(dialog->isVisible());
        const auto labels = dialog->findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.begin(), labels.end(),
                            [](const QLabel *label) { return label->text().contains(QStringLiteral("log says no")); }));
        {
            const std::lock_guard lock(m_answers->mutex);
            m_answers->refusal.reset();
        }
        key(Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!m_page->choices()->dialog(), kPatience);
        QCOMPARE(m_answers->drafts.size(), std::size_t{2});
        QCOMPARE(m_answers->drafts[1].reason, std::string("needed"));
    }

    void saysTheSumAndWhatWasRealized()
    {
        open();
        const auto *summary = m_page->findChild<ui::SavingsSummary *>();
        QVERIFY(hasLabel(*summary, QStringLiteral("1,300 USD")));
        QVERIFY(hasLabel(*summary, QStringLiteral("between 650 USD and 2,600 USD if all rise and fall together")));
        QVERIFY(hasLabel(*summary, QStringLiteral("left out as overlapping: 200 USD")));
        QTRY_COMPARE_WITH_TIMEOUT(summary->doneLabel()->text(), QStringLiteral("Nothing accepted yet"), kPatience);
        const auto *tabSwitch = m_page->findChild<widgets::SegmentedSwitch *>();
        const QList<widgets::Segment *> tabs = tabSwitch->findChildren<widgets::Segment *>();
        QCOMPARE(tabs.size(), 7);
        QCOMPARE(tabs[0]->accessibleName(), QStringLiteral("All 1.3k"));
        QCOMPARE(tabs[1]->accessibleName(), QStringLiteral("Capacity 1.0k"));
        QCOMPARE(tabs[3]->accessibleName(), QStringLiteral("Right-size"));
    }

    void aProposalHasItsChart()
    {
        m_answers->curves["capacity:pool-a"] = tests::sampleCurve();
        savings::ProposalCurve spot; // one of each other form
        spot.shape = savings::ProposalCurve::Shape::Intervals;
        spot.title = {savings::RemarkText::CurveOfCheckpoints, {}};
        spot.xAxis = {{savings::RemarkText::CurveCheckpointEvery, {}}, savings::CurveUnit::Duration, {}, true};
        spot.yAxis = {{savings::RemarkText::CurveShareOfOnDemand, {}}, savings::CurveUnit::Share, {}};
        spot.x = {60, 1320, 14400};
        spot.lines = {{{savings::RemarkText::CurveSpotCost, {}}, {0.8, 0.41, 0.5}}};
        spot.p10 = {0.7, 0.4, 0.4};
        spot.p90 = {0.9, 0.5, 0.7};
        spot.marks = {{{savings::RemarkText::CurveBestInterval, {savings::durationTerm(base::Seconds{1320})}}, 1320}};
        spot.reference = savings::CurveReference{{savings::RemarkText::CurveOnDemand, {}}, 1};
        m_answers->curves["schedule:notebook-7"] = spot;
        open();
        auto *chart = m_page->findChild<widgets::BandChart *>();
        QVERIFY(chart);
        QTRY_VERIFY_WITH_TIMEOUT(chart->isVisible(), kPatience);
        QCOMPARE(chart->data().title, QStringLiteral("Nodes that were present and nodes that sufficed"));
        QVERIFY(chart->accessibleName().startsWith(QStringLiteral("pool-a: ")));
        QVERIFY(chart->itemText(1).endsWith(QStringLiteral("Present 4, Sufficed 1")));
        auto *table = m_page->findChild<DataTable *>();
        const int height = chart->parentWidget()->height();
        QVERIFY(table->setCurrentRow(QStringLiteral("schedule:notebook-7")));
        QVERIFY(chart->parentWidget()->isVisible()); // its place is kept while it is computed
        QTRY_COMPARE_WITH_TIMEOUT(chart->itemCount(), 3, kPatience);
        QCOMPARE(chart->parentWidget()->height(), height);
        QCOMPARE(chart->itemName(1), QStringLiteral("22 min"));
        QVERIFY(chart->itemText(1).contains(QStringLiteral("41.0 %")));
        QCOMPARE(chart->data().marks.front().text, QStringLiteral("best: every 22 min"));
        QCOMPARE(chart->data().reference, 100.0);
        {
            const std::lock_guard lock(m_answers->mutex);
            m_answers->curves.clear();
        }
        QVERIFY(table->setCurrentRow(QStringLiteral("capacity:pool-a"))); // has none any more
        QTRY_VERIFY_WITH_TIMEOUT(!chart->parentWidget()->isVisible(), kPatience);
    }

    void anAssumptionIsEditedInPlace()
    {
        open();
        m_page->findChild<widgets::SegmentedSwitch *>()->setCurrentKey(QStringLiteral("capacity"));
        auto *row = m_page->findChild<ui::SavingsAssumptions *>();
        QVERIFY(!row->buttons().empty());
        QVERIFY(row->buttons().front()->text().startsWith(QStringLiteral("Scale-down delay: ")));
        QVERIFY(!row->resetButton()->isVisible());
        row->buttons().front()->click();
        QVERIFY(row->popup());
        auto *field = row->popup()->findChild<QSpinBox *>();
        QVERIFY(field);
        const std::size_t before = m_answers->asked.size();
        QSignalSpy places(m_page.get(), &ui::Page::placeChanged);
        field->setValue(field->value() + 1);
        field->setValue(field->value() + 1);
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
        QCOMPARE(m_answers->asked.size(), before + 1); // what it passed through is not asked
        QCOMPARE(places.size(), 0);
        QCOMPARE(m_answers->asked.back().assumptions.number("scale-down-delay"), std::int64_t{3 * 3600});
        QVERIFY(row->resetButton()->isVisible());
        row->popup()->close();
        QCOMPARE(places.size(), 1); // one step of the history
        row->resetButton()->click();
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
        QVERIFY(m_answers->asked.back().assumptions.isUsual());
        QVERIFY(!row->resetButton()->isVisible());
    }

    void anAssumptionSaysWhatItIsAndTakesWhatItNeeds()
    {
        open();
        m_page->findChild<widgets::SegmentedSwitch *>()->setCurrentKey(QStringLiteral("spot"));
        auto *row = m_page->findChild<ui::SavingsAssumptions *>();
        QPushButton *cost = nullptr;
        for (QPushButton *button : row->buttons())
            cost = button->text().startsWith(QStringLiteral("Checkpoint takes")) ? button : cost;
        QVERIFY(cost);
        const QString tip = QTextDocumentFragment::fromHtml(cost->toolTip()).toPlainText().replace(QChar::Nbsp, u' ');
        QVERIFY2(tip.contains(QStringLiteral("writing a checkpoint")), qPrintable(tip));
        cost->click();
        QVERIFY(hasLabel(*row->popup(), QStringLiteral("Time that writing a checkpoint takes.")));
        row->popup()->findChild<QSpinBox *>()->setValue(40); // seconds
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
        QCOMPARE(m_answers->asked.back().assumptions.number("checkpoint-cost"), std::int64_t{40});
    }

    // What has no value for all is told where it matters.
    void whatTheConfigurationSaysOfWorkIsTold()
    {
        using model::WorkloadKind;
        savings::Assumptions now;
        const auto told = [&](const char *name) {
            return ui::AssumptionPopup::limits(*savings::assumptionSpec(name), now).replace(QChar::Nbsp, u' ');
        };
        const QString before = told("restart") + told("spot-deadline-slack");
        QVERIFY2(!before.contains(QStringLiteral("configuration")), qPrintable(before));
        QVERIFY(now.setUsualOf(WorkloadKind::Inference, "interruptible", "no"));
        QVERIFY(now.setUsualOf(WorkloadKind::Batch, "interruptible", "yes"));
        QVERIFY(now.setUsualOf(WorkloadKind::Training, "deadline", "36h"));
        QVERIFY(told("restart").contains(
            QStringLiteral("The configuration says that inference work must not be interrupted.")));
        QVERIFY(told("restart").contains(QStringLiteral("The configuration says that batch work may be interrupted.")));
        const QString slack = told("spot-deadline-slack");
        QVERIFY2(slack.contains(
                     QStringLiteral("The configuration says that training work must end within 36 h of its start.")),
                 qPrintable(slack));
        QVERIFY(!told("checkpoint-cost").contains(QStringLiteral("configuration")));
    }

    void offHoursArePainted()
    {
        open();
        m_page->findChild<widgets::SegmentedSwitch *>()->setCurrentKey(QStringLiteral("schedule"));
        auto *row = m_page->findChild<ui::SavingsAssumptions *>();
        QPushButton *week = nullptr;
        for (QPushButton *button : row->buttons())
            week = button->text().startsWith(QStringLiteral("Off-hours")) ? button : week;
        QVERIFY(week);
        week->click();
        auto *grid = row->popup()->findChild<widgets::WeekGrid *>();
        QVERIFY(grid);
        QVERIFY(grid->hours().none());
        QTest::keyClick(grid, Qt::Key_Return); // all of Monday
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
        const auto off = savings::offHoursFrom(m_answers->asked.back().assumptions.text("off-hours"));
        QVERIFY(off.has_value());
        QCOMPARE(off->count(), std::size_t{24});
        QVERIFY(off->test(0) && off->test(23));
        QCOMPARE(week->text(), QStringLiteral("Off-hours: Mon"));
    }

    void copiesATicket()
    {
        open();
        QSignalSpy notices(m_page.get(), &ui::Page::noticeWanted);
        QAction *entry = entryOf(QStringLiteral("ticket"));
        QVERIFY(entry && entry->isVisible());
        entry->trigger();
        QVERIFY(QApplication::clipboard()->text().startsWith(QStringLiteral("# Capacity: pool-a\n")));
        QCOMPARE(notices.size(), 1);
        buttonWith(QStringLiteral("Copy how"))->click();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("kubectl scale --replicas=0 deploy/pool-a"));
    }

    void theMenuBesideTheButtonsIsReachedByKeyboard()
    {
        open();
        QPushButton *more = buttonWith(QStringLiteral("&More"));
        QVERIFY(more && more->menu());
        QCOMPARE(more->accessibleName(), QStringLiteral("More actions for the proposal"));
        QCOMPARE(more->y(), buttonWith(QStringLiteral("&Accept…"))->y()); // one row
        bool hasOpened = false;
        connect(more->menu(), &QMenu::aboutToShow, this, [&] {
            hasOpened = true;
            QTimer::singleShot(0, more->menu(), &QMenu::close); // it blocks until it is closed
        });
        more->setFocus(Qt::TabFocusReason);
        key(Qt::Key_Space);
        QTRY_VERIFY_WITH_TIMEOUT(hasOpened && !more->menu()->isVisible(), kPatience);
        m_page->mainControl()->setFocus(Qt::TabFocusReason);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_D, Qt::AltModifier); // without the menu
        const ui::ChoiceDialog *dialog = m_page->choices()->dialog();
        QVERIFY(dialog);
        QCOMPARE(dialog->windowTitle().section(QLatin1Char(':'), 0, 0), QStringLiteral("Dismiss"));
    }

    void theWorkbookIsThatOfTheTab()
    {
        open();
        m_page->findChild<widgets::SegmentedSwitch *>()->setCurrentKey(QStringLiteral("schedule"));
        QMenu menu;
        m_page->choices()->addActions(menu, QString()); // no row is needed
        QCOMPARE(menu.actions().size(), 1);
        QCOMPARE(menu.actions().front()->text(), QStringLiteral("Export as workbook…"));
        menu.actions().front()->trigger();
        auto *dialog = m_page->findChild<QFileDialog *>();
        QVERIFY(dialog);
        QVERIFY(dialog->selectedFiles().value(0).endsWith(QStringLiteral("savings-2026-09-21.xlsx")));
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("out.xlsx"));
        Q_EMIT dialog->fileSelected(file);
        dialog->reject();
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), kPatience);
        const QByteArray texts = textsOf(file);
        QVERIFY(texts.contains("notebook-7") && texts.contains("off-hours"));
        QVERIFY(!texts.contains("pool-a") && !texts.contains("checkpoint-every"));
    }

    void saysThatNothingWasFound()
    {
        m_answers->list.items.clear();
        m_answers->list.sums.clear();
        show();
        QTRY_COMPARE_WITH_TIMEOUT(panel()->state(), StatePanel::State::Empty, kPatience);
        QVERIFY(hasLabel(*panel(), QStringLiteral("Nothing to save was found")));
        // What was asked can still be changed.
        QVERIFY(hasLabel(*m_page->findChild<ui::SavingsSummary *>(), QStringLiteral("0 a month: nothing counts")));
        QVERIFY(m_page->findChild<widgets::SegmentedSwitch *>()->isVisible());
        m_page->findChild<widgets::SegmentedSwitch *>()->setCurrentKey(QStringLiteral("spot"));
        QVERIFY(m_page->findChild<ui::SavingsAssumptions *>()->isVisible());
    }

    void anErrorLeavesTheQuestionAndNamesWhatIsShown()
    {
        open();
        m_page->findChild<widgets::SegmentedSwitch *>()->setCurrentKey(QStringLiteral("capacity"));
        {
            const std::lock_guard lock(m_answers->mutex);
            m_answers->error = base::Error::make(base::ErrorCode::StorageFull, "no disk");
        }
        auto *row = m_page->findChild<ui::SavingsAssumptions *>();
        row->buttons().front()->click();
        row->popup()->findChild<QSpinBox *>()->setValue(5);
        QTRY_COMPARE_WITH_TIMEOUT(panel()->state(), StatePanel::State::Error, kPatience);
        row->popup()->close();
        QVERIFY(row->resetButton()->isVisible());
        const auto labels = panel()->findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel *label) {
            return label->isVisible() && label->text().contains(QStringLiteral(", with Scale-down delay: 1 h"));
        }));
    }

    void anEmptyTabSaysSo()
    {
        open();
        m_page->findChild<widgets::SegmentedSwitch *>()->setCurrentKey(QStringLiteral("commitments"));
        QCOMPARE(panel()->state(), StatePanel::State::Empty);
        QVERIFY(hasLabel(*panel(), QStringLiteral("No proposal here")));
        m_page->findChild<widgets::SegmentedSwitch *>()->setCurrentKey(QStringLiteral("all"));
        QCOMPARE(panel()->state(), StatePanel::State::Data);
    }

    void comparesPricesInATabOfItsOwn()
    {
        open();
        QSignalSpy places(m_page.get(), &ui::Page::placeChanged);
        auto *tabs = m_page->findChild<widgets::SegmentedSwitch *>();
        auto *offers = m_page->findChild<ui::ComparePanel *>();
        QVERIFY(!offers->isVisible());
        m_page->setActive(true);
        tabs->setCurrentKey(QStringLiteral("compare"));
        QVERIFY(offers->isVisible());
        QVERIFY(!m_page->settled()); // the prices are being read
        QCOMPARE(places.size(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
        QVERIFY(offers->table()->model().shownRows() > 0);
        const QUrlQuery place = m_page->place();
        QCOMPARE(place.queryItemValue(QStringLiteral("tab")), QStringLiteral("compare"));
        tabs->setCurrentKey(QStringLiteral("spot"));
        QVERIFY(!offers->isVisible());
        QVERIFY(m_page->place().queryItemValue(QStringLiteral("tab")).isEmpty());
        m_page->restore(place);
        QVERIFY(offers->isVisible());
        QCOMPARE(tabs->currentKey(), QStringLiteral("compare"));
    }

    void aReportOffersNoChoice()
    {
        m_answers->isReadOnly = true;
        open();
        for (const QString &text : {QStringLiteral("&Accept…"), QStringLiteral("Take &back")})
            QVERIFY2(!buttonWith(text), qPrintable(text));
        for (const QString &name : {QStringLiteral("dismiss"), QStringLiteral("later"), QStringLiteral("mark")})
            QVERIFY2(entryOf(name) && !entryOf(name)->isVisible(), qPrintable(name));
        QVERIFY(buttonWith(QStringLiteral("&More")));
        QVERIFY(entryOf(QStringLiteral("ticket"))->isVisible());
    }

    void everyControlHasAName()
    {
        open();
        m_page->findChild<widgets::SegmentedSwitch *>()->setCurrentKey(QStringLiteral("capacity"));
        int controls = 0;
        for (const QWidget *widget : m_page->findChildren<QWidget *>()) {
            if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus) || widget->focusProxy())
                continue;
            const auto *button = qobject_cast<const QAbstractButton *>(widget);
            ++controls;
            QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
                     widget->metaObject()->className());
        }
        QVERIFY(controls >= 10);
    }

private:
    void show()
    {
        const ui::PageContext context{{*m_workspace, *m_tasks, *m_sync, m_theme}, *m_navigator};
        m_page = std::make_unique<SavingsPage>(context, tests::sampleDesk(m_answers));
        m_page->resize(1200, 800);
        m_page->show();
        m_page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
    }
    void open()
    {
        show();
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
        QCOMPARE(panel()->state(), StatePanel::State::Data);
    }
    StatePanel *panel() const { return m_page->findChild<StatePanel *>(); }
    static void key(Qt::Key key) { QTest::keyClick(QApplication::focusWidget(), key); }
    QPushButton *buttonWith(const QString &text) const
    {
        for (QPushButton *button : m_page->findChildren<QPushButton *>()) {
            if (button->text() == text && button->isVisible())
                return button;
        }
        return nullptr;
    }
    QAction *entryOf(const QString &name) const
    {
        return m_page->findChild<ui::SavingsButtons *>()->findChild<QAction *>(name);
    }
    static QByteArray textsOf(const QString &workbook)
    {
        QProcess reader;
        reader.start(
            QStringLiteral("/usr/bin/python3"),
            {QStringLiteral("-c"),
             QStringLiteral("import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read('xl/sharedStrings.xml'))"),
             workbook});
        return reader.waitForFinished(kPatience) ? reader.readAllStandardOutput() : QByteArray();
    }
    static bool hasLabel(const QWidget &widget, const QString &text)
    {
        const auto labels = widget.findChildren<QLabel *>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel *label) { return label->isVisible() && label->text() == text; });
    }

    std::shared_ptr<SampleAnswers> m_answers;
    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
    base::FrozenClock m_clock{base::fromUnix(tests::kSampleNow)};
    QTemporaryDir m_folder;
    widgets::Theme m_theme;
    std::unique_ptr<services::Workspace> m_workspace;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::SyncController> m_sync;
    std::unique_ptr<ui::Navigator> m_navigator;
    std::unique_ptr<SavingsPage> m_page;
};

GPULEDGER_WINDOW_SUITE(SavingsPageTest)

} // namespace tst_savingspage

#include "tst_savingspage.moc"
