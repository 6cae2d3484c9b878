// SPDX-License-Identifier: GPL-3.0-or-later
// Explaining the figures of every page: with the same key everywhere and from the context menu, and each entry leads to
// a proof that agrees.
#include "tests/support/suite.h"
#include "tests/support/window/testwindow.h"
#include "ui/dialogs/proofdialog.h"
#include "ui/pages/device/devicecharts.h"
#include "ui/pages/documentview.h"
#include "ui/pages/explainmenu.h"
#include "ui/pages/overview/overviewcharts.h"
#include "ui/pages/showback/reconcilecard.h"
#include "widgets/cards/keyfigurecard.h"
#include "widgets/charts/linechart.h"
#include "widgets/heatmap/heatmap.h"
#include "widgets/heatmap/heatmapaccessible.h"
#include "widgets/table/datatable.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

namespace tst_explainmenus {

using namespace gpuledger;
using tests::TestWindow;

namespace {

constexpr int kPatience = 60'000; // ms

QMenu *openMenu()
{
    return qobject_cast<QMenu *>(QApplication::activePopupWidget());
}

ui::ProofDialog *dialogOf(TestWindow &test)
{
    for (auto *dialog : test.window().findChildren<ui::ProofDialog *>()) {
        if (dialog->isVisible())
            return dialog;
    }
    return nullptr;
}

void press(QWidget *widget, Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    QTest::keyClick(widget, key, modifiers);
}

// Requests explanations for the current item of the widget, and picks the entry with this number. Returns the number of
// entries; 0 if there are none.
int askFor(TestWindow &test, QWidget *widget, int entry)
{
    // A dialog was closed before, and without a window manager the window does not become active again.
    widget->window()->activateWindow();
    if (!QTest::qWaitForWindowActive(widget->window()))
        return 0;
    widget->setFocus();
    press(widget, Qt::Key_I, Qt::ControlModifier);
    if (dialogOf(test))
        return 1;
    QMenu *menu = openMenu();
    if (!menu)
        return 0;
    const auto entries = static_cast<int>(menu->actions().size());
    for (int i = 0; i < entry; ++i)
        press(menu, Qt::Key_Down);
    press(menu, Qt::Key_Return);
    return entries;
}

// Empty if there is a proof and it agrees. Closes it.
QString faultOfProof(TestWindow &test)
{
    ui::ProofDialog *dialog = dialogOf(test);
    if (!dialog)
        return QStringLiteral("there is no proof");
    const QString title = dialog->windowTitle();
    if (!QTest::qWaitFor([&] { return dialog->settled(); }, kPatience))
        return title + QStringLiteral(": no answer");
    bool agrees = false;
    for (const QLabel *label : dialog->findChildren<QLabel *>())
        agrees = agrees || label->text().endsWith(QStringLiteral(", the same"));
    press(dialog, Qt::Key_Escape);
    const bool gone = QTest::qWaitFor([&] { return dialogOf(test) == nullptr; }, kPatience);
    return !agrees ? title + QStringLiteral(": another value, or none")
        : !gone    ? title + QStringLiteral(": does not close")
                   : QString();
}

} // namespace

#define PROVE_ALL(test, widget, least)                                                                                 \
    do {                                                                                                               \
        int entries = 1;                                                                                               \
        for (int entry = 0; entry < entries; ++entry) {                                                                \
            entries = askFor(test, widget, entry);                                                                     \
            QVERIFY2(entries >= (least), qPrintable(QString::number(entries)));                                        \
            const QString fault = faultOfProof(test);                                                                  \
            QVERIFY2(fault.isEmpty(), qPrintable(fault));                                                              \
        }                                                                                                              \
    } while (false)

class ExplainMenusTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        m_theme.setMode(widgets::Theme::Mode::Light);
        m_theme.apply();
        widgets::installHeatmapAccessibility();
        m_test = std::make_unique<TestWindow>(m_theme, TestWindow::Fleet::Synced);
    }
    void cleanupTestCase() { m_test.reset(); }

    void barsAndStepsOfTheOverview()
    {
        m_test->open(QStringLiteral("gpuledger://overview"));
        auto *days = page().findChild<ui::OverviewDaysCard *>()->chart();
        days->setCurrentIndex(1);
        PROVE_ALL(*m_test, days, 3);
        // There is no period before these three days, so "what changed" has no steps to explain.
        auto *change = page().findChild<ui::OverviewReasonsCard *>()->chart();
        if (change->itemCount() > 0)
            PROVE_ALL(*m_test, change, 1);
        else
            QCOMPARE(askFor(*m_test, change, 0), 0);
        PROVE_ALL(*m_test, page().findChild<widgets::KeyFigureCard *>(), 5);
    }

    // Each part of "what changed" has its own proof, with bills and at list prices.
    void partsOfWhatChanged_data()
    {
        QTest::addColumn<QString>("money");
        QTest::newRow("bills") << QString();
        QTest::newRow("list") << QStringLiteral("&at.money=list");
    }
    void partsOfWhatChanged()
    {
        QFETCH(QString, money);
        m_test->open(QStringLiteral("gpuledger://overview?span=day") + money);
        auto *change = page().findChild<ui::OverviewReasonsCard *>()->chart();
        QVERIFY2(change->itemCount() >= 6, qPrintable(QString::number(change->itemCount())));
        for (int step = 0; step < change->itemCount(); ++step) {
            change->setCurrentIndex(step);
            PROVE_ALL(*m_test, change, step == 0 || step + 1 == change->itemCount() ? 1 : 2);
        }
    }

    void rowsOfTheTeams()
    {
        m_test->open(QStringLiteral("gpuledger://overview"));
        auto *table = tableNamed(QStringLiteral("Teams"));
        QVERIFY(table->setCurrentRow(table->model().index(0, 0).data(widgets::kRowIdRole).toString()));
        PROVE_ALL(*m_test, table->view(), 5);
    }

    void cellsOfTheHeatmapAndTheStrip()
    {
        m_test->open(QStringLiteral("gpuledger://heatmap"));
        auto *map = heatmap();
        map->setFocus();
        press(map, Qt::Key_Home, Qt::ControlModifier);
        map->setCurrent(map->data().firstRow, map->data().firstColumn);
        PROVE_ALL(*m_test, map, 2);
        auto *strip = tableNamed(QStringLiteral("Holders of the cell"));
        QTRY_VERIFY_WITH_TIMEOUT(strip->model().rowCount() > 0, kPatience);
        QVERIFY(strip->setCurrentRow(strip->model().index(0, 0).data(widgets::kRowIdRole).toString()));
        PROVE_ALL(*m_test, strip->view(), 3);
    }

    void cellsOfFiveMinutesTellTheirValueAlone()
    {
        m_test->open(QStringLiteral("gpuledger://heatmap?at.bins=5-minutes"));
        QCOMPARE(askFor(*m_test, heatmap(), 0), 0);
    }

    void devicesTellTheirStatesAndHolders()
    {
        m_test->open(QStringLiteral("gpuledger://device?at.device=") + m_test->idleDevice());
        for (const auto &name : {QStringLiteral("States"), QStringLiteral("Holders")}) {
            auto *table = tableNamed(name);
            QVERIFY(table->setCurrentRow(table->model().index(0, 0).data(widgets::kRowIdRole).toString()));
            PROVE_ALL(*m_test, table->view(), 3);
        }
    }

    void pointsOfTheLinesOfADevice()
    {
        m_test->open(QStringLiteral("gpuledger://device?at.device=") + m_test->idleDevice());
        auto *charts = page().findChild<ui::DeviceCharts *>();
        QVERIFY(charts);
        const std::array<int, ui::kDeviceLines> least{3, 1, 1}; // activity, memory, power
        for (std::size_t line = 0; line < least.size(); ++line) {
            widgets::LineChart *chart = charts->lines()[line];
            QVERIFY(chart->itemCount() > 2);
            chart->setCurrentIndex(chart->itemCount() / 2);
            PROVE_ALL(*m_test, chart, least[line]);
        }
    }

    // The text cursor moves through the statement; the figure under it is explained.
    void linesOfAStatement()
    {
        m_test->open(QStringLiteral("gpuledger://showback?at.month=2026-11"));
        auto *document = page().findChild<ui::DocumentView *>();
        document->setFocus();
        QVERIFY(!document->currentRow());
        PROVE_ALL(*m_test, document, 2); // of the whole statement
        int walked = 0;
        while (!document->currentRow() && walked++ < 200)
            press(document, Qt::Key_Right, Qt::ControlModifier);
        QVERIFY(document->currentRow());
        QCOMPARE(document->currentRow()->table, ui::SheetRow::Line);
        QCOMPARE(document->currentRow()->row, std::size_t{0});
        PROVE_ALL(*m_test, document, 1);
        const auto isTeam = [&] {
            return document->currentRow() && document->currentRow()->table == ui::SheetRow::Team;
        };
        while (!isTeam() && walked++ < 2000)
            press(document, Qt::Key_Right, Qt::ControlModifier);
        QVERIFY(document->currentRow());
        QCOMPARE(document->currentRow()->table, ui::SheetRow::Team);
        PROVE_ALL(*m_test, document, 3);
        // The list of teams next to it, with the same key.
        auto *table = tableNamed(QStringLiteral("Teams"));
        QVERIFY(table->setCurrentRow(table->model().index(0, 0).data(widgets::kRowIdRole).toString()));
        m_test->waitUntilSettled();
        PROVE_ALL(*m_test, table->view(), 3);
    }

    void theMenuOfAChartExplainsWhatIsPointedAt()
    {
        m_test->open(QStringLiteral("gpuledger://overview"));
        auto *days = page().findChild<ui::OverviewDaysCard *>()->chart();
        const QPoint bar = days->itemRect(2).center().toPoint();
        QContextMenuEvent event(QContextMenuEvent::Mouse, bar, days->mapToGlobal(bar));
        QApplication::sendEvent(days, &event);
        QMenu *menu = openMenu();
        QVERIFY(menu);
        QCOMPARE(days->currentIndex(), 2);
        QCOMPARE(menu->actions().constFirst()->text(), QStringLiteral("Explain"));
        QVERIFY(menu->actions().constFirst()->menu()->actions().size() >= 3);
        menu->close();
    }

    // The only way without a table or document: a button.
    void theReconciliationHasAButton()
    {
        m_test->open(QStringLiteral("gpuledger://showback?at.month=2026-11"));
        auto *button = page().findChild<ui::ReconcileCard *>()->findChild<QToolButton *>();
        QVERIFY(button && button->isVisible() && !button->accessibleName().isEmpty());
        Q_EMIT button->menu()->aboutToShow();
        QVERIFY(!button->menu()->actions().isEmpty());
    }

private:
    QWidget &page() { return *m_test->window().currentPage(); }
    widgets::DataTable *tableNamed(const QString &name)
    {
        for (auto *table : page().findChildren<widgets::DataTable *>()) {
            if (table->name() == name)
                return table;
        }
        return nullptr;
    }
    widgets::Heatmap *heatmap()
    {
        for (auto *map : page().findChildren<widgets::Heatmap *>()) {
            if (map->isVisible())
                return map;
        }
        return nullptr;
    }

    widgets::Theme m_theme;
    std::unique_ptr<TestWindow> m_test;
};

GPULEDGER_WINDOW_SUITE(ExplainMenusTest)

} // namespace tst_explainmenus

#include "tst_explainmenus.moc"
