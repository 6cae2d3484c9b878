// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "tests/support/window/testwindow.h"
#include "ui/dialogs/timerangedialog.h"
#include "ui/window/commandpalette.h"
#include "widgets/charts/chart.h"
#include "widgets/heatmap/heatmap.h"
#include "widgets/heatmap/heatmapaccessible.h"
#include "widgets/inputs/choicebutton.h"
#include "widgets/inputs/picklist.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDateTimeEdit>
#include <QHeaderView>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTabBar>
#include <QTest>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <set>

namespace tst_taborder {

using namespace gpuledger;
using tests::TestWindow;

namespace {

constexpr int kMostControls = 400; // with more Tabs the walk counts as endless
constexpr int kMostParts = 12; // of a date and time

QString said(const QWidget *widget)
{
    QAccessibleInterface *one = QAccessible::queryAccessibleInterface(const_cast<QWidget *>(widget));
    const QString name = one ? one->text(QAccessible::Name) : QString();
    return QStringLiteral("%1 \"%2\"").arg(QString::fromLatin1(widget->metaObject()->className()), name);
}

// Every widget that Tab can reach, in any order.
std::set<QWidget *> reachable(QWidget &root)
{
    std::set<QWidget *> all;
    for (QWidget *widget : root.findChildren<QWidget *>()) {
        const bool takes = (widget->focusPolicy() & Qt::TabFocus) && !widget->focusProxy();
        if (takes && widget->isVisible() && widget->isEnabled() && widget->window() == root.window())
            all.insert(widget);
    }
    return all;
}

// The role that a screen reader must report for a control; std::nullopt for a class that should not take the focus.
std::optional<QAccessible::Role> roleFor(const QWidget *widget)
{
    if (const auto *button = qobject_cast<const QPushButton *>(widget); button && button->menu())
        return QAccessible::ButtonMenu;
    if (const auto *button = qobject_cast<const QToolButton *>(widget); button && button->menu())
        return QAccessible::ButtonMenu;
    if (const auto *button = qobject_cast<const QAbstractButton *>(widget)) {
        if (!button->isCheckable())
            return QAccessible::Button;
        return button->autoExclusive() ? QAccessible::RadioButton : QAccessible::CheckBox;
    }
    if (qobject_cast<const QTextBrowser *>(widget))
        return QAccessible::StaticText;
    if (qobject_cast<const QLineEdit *>(widget) || qobject_cast<const QPlainTextEdit *>(widget))
        return QAccessible::EditableText;
    if (qobject_cast<const QAbstractSpinBox *>(widget))
        return QAccessible::SpinBox;
    if (qobject_cast<const QComboBox *>(widget))
        return QAccessible::ComboBox;
    if (qobject_cast<const QTabBar *>(widget))
        return QAccessible::PageTabList;
    if (qobject_cast<const QTreeView *>(widget))
        return QAccessible::Tree;
    if (qobject_cast<const QListView *>(widget))
        return QAccessible::List;
    if (qobject_cast<const QScrollArea *>(widget)) // the arrows scroll it
        return QAccessible::Client;
    if (qobject_cast<const widgets::Heatmap *>(widget))
        return QAccessible::Table;
    if (qobject_cast<const widgets::Chart *>(widget))
        return QAccessible::Chart;
    return std::nullopt;
}

// Empty if the control's accessible information is right.
QString faultOf(QWidget *widget)
{
    QAccessibleInterface *one = QAccessible::queryAccessibleInterface(widget);
    if (!one)
        return said(widget) + QStringLiteral(" has no accessible interface");
    if (one->text(QAccessible::Name).trimmed().isEmpty())
        return said(widget) + QStringLiteral(" has no name");
    const auto role = roleFor(widget);
    if (!role)
        return said(widget) + QStringLiteral(" takes the focus but is not a known control");
    if (one->role() != *role)
        return said(widget) + QStringLiteral(" has the role %1").arg(one->role());
    return {};
}

// Reading order: never back to the left within a line, and up only into a column further right.
bool comesAfter(const QRect &next, const QRect &before)
{
    const bool sameLine = next.top() <= before.center().y() && next.bottom() >= before.center().y();
    if (sameLine)
        return next.left() >= before.left();
    return next.top() > before.top() || next.left() >= before.right();
}

class Walk {
public:
    // Presses the key until the focus returns to where it started.
    Walk(QWidget &root, Qt::Key key, QWidget *from)
        : m_root(root)
    {
        from->setFocus(Qt::OtherFocusReason);
        for (int i = 0; i < kMostControls; ++i) {
            QWidget *now = root.window()->focusWidget();
            if (!now || (i > 0 && now == from)) {
                m_closed = now == from;
                return;
            }
            // The parts of a date follow one another.
            if (qobject_cast<QAbstractSpinBox *>(now)) {
                for (int part = 0; part < kMostParts && root.window()->focusWidget() == now; ++part)
                    press(now, key);
                steps.append(now);
                if (root.window()->focusWidget() != now)
                    continue;
            }
            if (!steps.isEmpty() && steps.last() == now) {
                problem = said(now) + QStringLiteral(" keeps the focus");
                return;
            }
            steps.append(now);
            press(now, key);
        }
    }

    // The visited controls, for the message of a failure.
    QString trace() const
    {
        QStringList all;
        for (const QWidget *step : steps)
            all << said(step);
        return all.join(QStringLiteral(" > "));
    }

    // Empty if every control is visited once, in reading order within each part of the window.
    QString fault(const QList<QWidget *> &parts) const
    {
        if (!problem.isEmpty() || !m_closed)
            return problem.isEmpty() ? QStringLiteral("the walk did not end") : problem;
        const auto wanted = reachable(m_root);
        std::set<QWidget *> seen(steps.begin(), steps.end());
        for (QWidget *widget : wanted) {
            if (!seen.count(widget))
                return said(widget) + QStringLiteral(" is skipped: ") + trace();
        }
        if (seen.size() != static_cast<std::size_t>(steps.size()))
            return QStringLiteral("a control has two turns");
        const auto partOf = [&](QWidget *widget) {
            for (qsizetype i = 0; i < parts.size(); ++i) {
                if (parts[i]->isAncestorOf(widget))
                    return i;
            }
            return parts.size();
        };
        for (qsizetype i = 1; i < steps.size(); ++i) {
            const qsizetype part = partOf(steps[i]), before = partOf(steps[i - 1]);
            const auto place = [&](QWidget *w) { return placeOf(w); };
            const bool right = part == before ? comesAfter(place(steps[i]), place(steps[i - 1])) : part > before;
            if (!right)
                return said(steps[i]) + QStringLiteral(" comes after ") + said(steps[i - 1]);
        }
        return {};
    }

    QList<QWidget *> steps;
    QString problem;

private:
    static void press(QWidget *widget, Qt::Key key)
    {
        QTest::keyClick(widget, key, key == Qt::Key_Backtab ? Qt::ShiftModifier : Qt::NoModifier);
    }

    // Its position if nothing were scrolled.
    QRect placeOf(QWidget *widget) const
    {
        QPoint at = widget->mapTo(&m_root, QPoint());
        for (QWidget *above = widget->parentWidget(); above; above = above->parentWidget()) {
            if (const auto *area = qobject_cast<QScrollArea *>(above))
                at += QPoint(area->horizontalScrollBar()->value(), area->verticalScrollBar()->value());
        }
        return {at, widget->size()};
    }

    QWidget &m_root;
    bool m_closed = false;
};

QWidget *firstOf(QWidget &root)
{
    for (QWidget *widget = root.nextInFocusChain(); widget != &root; widget = widget->nextInFocusChain()) {
        if (reachable(root).count(widget))
            return widget;
    }
    return nullptr;
}

// Checks forwards, backwards, names and roles.
QString faultOfAll(QWidget &root, const QList<QWidget *> &parts = {})
{
    QWidget *first = firstOf(root);
    if (!first)
        return QStringLiteral("nothing takes the focus");
    const Walk there(root, Qt::Key_Tab, first);
    if (const QString fault = there.fault(parts); !fault.isEmpty())
        return fault;
    const Walk back(root, Qt::Key_Backtab, first);
    QList<QWidget *> reversed = there.steps.mid(1);
    std::reverse(reversed.begin(), reversed.end());
    reversed.prepend(first);
    if (back.steps != reversed)
        return QStringLiteral("Shift+Tab goes another way: %1; Tab: %2").arg(back.trace(), there.trace());
    for (QWidget *widget : there.steps) {
        if (const QString fault = faultOf(widget); !fault.isEmpty())
            return fault;
    }
    return {};
}

QList<QWidget *> partsOf(ui::MainWindow &window)
{
    QList<QWidget *> parts;
    for (const char *name : {"NavigationRail", "TopBar"}) {
        for (QWidget *widget : window.findChildren<QWidget *>()) {
            if (QByteArray(widget->metaObject()->className()).endsWith(name))
                parts.append(widget);
        }
    }
    parts.append(window.findChild<QStackedWidget *>());
    return parts;
}

// Empty if every entry has a text and is a menu item for a screen reader.
QString faultOfMenu(QMenu &menu)
{
    QAccessibleInterface *all = QAccessible::queryAccessibleInterface(&menu);
    if (!all || (all->role() != QAccessible::PopupMenu && all->role() != QAccessible::MenuBar))
        return QStringLiteral("no menu to a screen reader");
    int entries = 0;
    const auto actions = menu.actions();
    for (int i = 0; i < actions.size(); ++i) {
        if (actions[i]->isSeparator())
            continue;
        QAccessibleInterface *one = all->child(i);
        if (!one || one->text(QAccessible::Name).trimmed().isEmpty())
            return QStringLiteral("entry %1 has no name").arg(i);
        if (one->role() != QAccessible::MenuItem)
            return QStringLiteral("entry %1 has the role %2").arg(i).arg(one->role());
        ++entries;
        if (actions[i]->menu()) {
            if (const QString fault = faultOfMenu(*actions[i]->menu()); !fault.isEmpty())
                return fault;
        }
    }
    return entries > 0 ? QString() : QStringLiteral("the menu is empty");
}

QMenu *shownMenu(QWidget &root)
{
    for (QMenu *menu : root.findChildren<QMenu *>()) {
        if (menu->isVisible())
            return menu;
    }
    return qobject_cast<QMenu *>(QApplication::activePopupWidget());
}

// Opens the part of a source's dialog with the rarely needed settings.
void showAdvanced(const QDialog &dialog)
{
    for (QPushButton *one : dialog.findChildren<QPushButton *>()) {
        if (one->isVisible() && one->text() == QLatin1String("Show advanced settings")) {
            one->click();
            return;
        }
    }
    QFAIL("the dialog has no advanced part");
}

} // namespace

// Everything can be reached, read and left by keyboard: pages in their states, dialogs, menus, palette.
class TabOrderTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        m_theme.setMode(widgets::Theme::Mode::Light);
        m_theme.apply();
        widgets::installHeatmapAccessibility();
    }

    void everyPageIsWalkedByTab_data()
    {
        QTest::addColumn<QString>("link");
        QTest::addColumn<bool>("synced");
        QTest::addColumn<bool>("broken");
        for (const char *page :
             {"overview", "heatmap", "idle", "savings", "showback", "alerts", "activity", "sources"}) {
            const QString link = QStringLiteral("gpuledger://") + QLatin1String(page);
            QTest::addRow("%s", page) << link << true << false;
            QTest::addRow("%s, first run", page) << link << false << false;
            QTest::addRow("%s, filtered", page)
                << link + QStringLiteral("?cluster=prod-us&not.region=") << true << false;
            QTest::addRow("%s, nothing left", page) << link + QStringLiteral("?cluster=nowhere") << true << false;
            QTest::addRow("%s, failed", page) << link << true << true;
        }
        QTest::newRow("heatmap, two above each other")
            << QStringLiteral("gpuledger://heatmap?at.metric=utilization&at.view=both") << true << false;
        QTest::newRow("alerts, delivery") << QStringLiteral("gpuledger://alerts?at.tab=delivery") << true << false;
        QTest::newRow("savings, spot") << QStringLiteral("gpuledger://savings?at.kind=spot") << true << false;
        QTest::newRow("savings, compare") << QStringLiteral("gpuledger://savings?at.tab=compare") << true << false;
        QTest::newRow("idle, who waits") << QStringLiteral("gpuledger://idle?at.view=waiting") << true << false;
        QTest::newRow("heatmap, inside") << QStringLiteral("gpuledger://heatmap?at.team=research") << true << false;
    }

    void everyPageIsWalkedByTab()
    {
        QFETCH(QString, link);
        QFETCH(bool, synced);
        QFETCH(bool, broken);
        TestWindow test(m_theme, synced ? TestWindow::Fleet::Synced : TestWindow::Fleet::NoSource);
        test.open(link);
        if (broken) {
            test.breakCache();
            test.refresh();
        }
        const QString fault = faultOfAll(test.window(), partsOf(test.window()));
        QVERIFY2(fault.isEmpty(), qPrintable(fault));
    }

    void theFocusBeginsWhereTheWorkIs_data()
    {
        QTest::addColumn<QString>("page");
        QTest::addColumn<bool>("synced");
        QTest::addColumn<QString>("name");
        QTest::newRow("overview") << QStringLiteral("overview") << true << QStringLiteral("Teams");
        QTest::newRow("heatmap") << QStringLiteral("heatmap") << true << QStringLiteral("Idle cost heat map");
        QTest::newRow("idle") << QStringLiteral("idle") << true << QStringLiteral("Idle workloads");
        QTest::newRow("savings") << QStringLiteral("savings") << true << QStringLiteral("Proposals");
        QTest::newRow("showback") << QStringLiteral("showback") << true << QStringLiteral("All teams");
        QTest::newRow("alerts") << QStringLiteral("alerts") << true << QStringLiteral("Rules");
        QTest::newRow("first run") << QStringLiteral("overview") << false << QStringLiteral("Connect a Prometheus…");
    }

    void theFocusBeginsWhereTheWorkIs()
    {
        QFETCH(QString, page);
        QFETCH(bool, synced);
        QFETCH(QString, name);
        TestWindow test(m_theme, synced ? TestWindow::Fleet::Synced : TestWindow::Fleet::NoSource);
        test.open(QStringLiteral("gpuledger://") + page);
        const QWidget *focus = QApplication::focusWidget();
        QVERIFY(focus);
        QVERIFY2(said(focus).contains(name), qPrintable(said(focus)));
    }

    void aPageThatLoadsTakesNoFocusAway()
    {
        TestWindow test(m_theme, TestWindow::Fleet::Synced);
        test.show(QStringLiteral("gpuledger://idle"));
        test.window().openPalette();
        const QWidget *field = test.window().findChild<ui::CommandPalette *>()->list()->field();
        QCOMPARE(QApplication::focusWidget(), field);
        test.waitUntilSettled();
        QCOMPARE(QApplication::focusWidget(), field);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(said(QApplication::focusWidget()).contains(QStringLiteral("Idle workloads")));
    }

    void theRailIsWalkedByArrowsAndKeepsTheFocus()
    {
        TestWindow test(m_theme, TestWindow::Fleet::Synced);
        test.open(QStringLiteral("gpuledger://overview"));
        QWidget *rail = partsOf(test.window()).first();
        rail->findChild<QRadioButton *>()->setFocus(Qt::TabFocusReason);
        for (const char *page : {"Heat map", "Idle", "Savings", "Showback", "Alerts", "Activity", "Sources"}) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
            test.waitUntilSettled();
            QVERIFY(rail->isAncestorOf(QApplication::focusWidget()));
            QVERIFY(said(QApplication::focusWidget()).contains(QLatin1String(page)));
            QCOMPARE(test.window().currentPage()->accessibleName(), QString::fromLatin1(page));
        }
    }

    void dialogsAreWalkedByTab_data()
    {
        QTest::addColumn<QString>("link");
        QTest::addColumn<QString>("button");
        QTest::newRow("source") << QStringLiteral("gpuledger://sources") << QStringLiteral("Add source…");
        QTest::newRow("source, advanced") << QStringLiteral("gpuledger://sources") << QStringLiteral("Add source…");
        QTest::newRow("source, changed") << QStringLiteral("gpuledger://sources") << QStringLiteral("Edit demo");
        QTest::newRow("stop") << QStringLiteral("gpuledger://idle") << QStringLiteral("&Stop this one…");
        QTest::newRow("export") << QStringLiteral("gpuledger://idle") << QStringLiteral("Export…");
    }

    void dialogsAreWalkedByTab()
    {
        QFETCH(QString, link);
        QFETCH(QString, button);
        TestWindow test(m_theme, TestWindow::Fleet::Synced);
        test.open(link);
        QPushButton *opener = nullptr;
        for (QPushButton *one : test.window().findChildren<QPushButton *>()) {
            if (one->isVisible() && (one->text() == button || one->accessibleName() == button))
                opener = one;
        }
        if (!opener)
            QSKIP("not offered here");
        opener->setFocus();
        opener->click();
        auto *dialog = test.window().findChild<QDialog *>();
        QVERIFY(dialog && dialog->isVisible());
        QVERIFY(QTest::qWaitForWindowActive(dialog));
        if (QLatin1String(QTest::currentDataTag()) == QLatin1String("source, advanced"))
            showAdvanced(*dialog);
        const QString fault = button == QLatin1String("Export…") ? QString() /* Qt's own */ : faultOfAll(*dialog);
        QVERIFY2(fault.isEmpty(), qPrintable(fault));
        QVERIFY(!dialog->windowTitle().isEmpty());
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(!test.window().findChild<QDialog *>() || !dialog->isVisible());
        QVERIFY(QTest::qWaitForWindowActive(&test.window()));
        QCOMPARE(QApplication::focusWidget(), opener);
    }

    void rangesAreAskedForByKeyboard()
    {
        TestWindow test(m_theme, TestWindow::Fleet::Synced);
        test.open(QStringLiteral("gpuledger://overview"));
        auto *dialog =
            new ui::TimeRangeDialog(m_theme, test.workspace().timeZone(),
                                    {base::fromUnix(1'790'000'000), base::fromUnix(1'790'100'000)}, &test.window());
        dialog->open();
        QVERIFY(QTest::qWaitForWindowActive(dialog));
        const auto controls = reachable(*dialog); // each part of a date is a stop of its own
        QVERIFY(controls.size() >= 4);
        for (QWidget *widget : controls) {
            const QString fault = faultOf(widget);
            QVERIFY2(fault.isEmpty(), qPrintable(fault));
        }
        dialog->activateWindow();
        QTRY_VERIFY(dialog->isAncestorOf(QApplication::focusWidget()));
        std::set<QWidget *> visited;
        for (int i = 0; i < static_cast<int>(controls.size()) * kMostParts; ++i) {
            visited.insert(QApplication::focusWidget());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        for (QWidget *widget : controls)
            QVERIFY2(visited.count(widget), qPrintable(said(widget)));
        delete dialog;
    }

    void messagesAreReadAndLeft()
    {
        TestWindow test(m_theme, TestWindow::Fleet::NoSource);
        test.open(QStringLiteral("gpuledger://overview"));
        auto *box =
            widgets::plainMessageBox(QMessageBox::Warning, QStringLiteral("The list was not saved"), // allowed: factory
                                     QStringLiteral("The disk is full."), {}, &test.window());
        box->open();
        QVERIFY(QTest::qWaitForWindowActive(box));
        const QString fault = faultOfAll(*box);
        QVERIFY2(fault.isEmpty(), qPrintable(fault));
        delete box;
    }

    void menusSayTheirEntries()
    {
        TestWindow test(m_theme, TestWindow::Fleet::Synced);
        int menus = 0;
        for (const char *page : {"overview", "heatmap", "idle"}) {
            test.show(QStringLiteral("gpuledger://") + QLatin1String(page));
            test.waitUntilSettled();
            for (auto *button : test.window().findChildren<widgets::ChoiceButton *>()) {
                if (!button->isVisible())
                    continue;
                QVERIFY2(faultOfMenu(*button->menu()).isEmpty(), qPrintable(said(button)));
                ++menus;
            }
            for (QWidget *widget : reachable(test.window())) {
                auto *tree = qobject_cast<QTreeView *>(widget);
                if (!tree && !qobject_cast<widgets::Chart *>(widget))
                    continue;
                widget->setFocus();
                QWidget *asked = tree ? tree->viewport() : widget;
                QContextMenuEvent event(QContextMenuEvent::Keyboard, asked->rect().center(),
                                        asked->mapToGlobal(asked->rect().center()));
                QApplication::sendEvent(asked, &event);
                QMenu *menu = shownMenu(test.window());
                QVERIFY2(menu, qPrintable(said(widget)));
                const QString fault = faultOfMenu(*menu);
                QVERIFY2(fault.isEmpty(), qPrintable(said(widget) + QStringLiteral(": ") + fault));
                ++menus;
                menu->close();
                QTRY_VERIFY(!shownMenu(test.window()));
            }
        }
        QVERIFY(menus >= 10);
    }

    void thePaletteHasNamesAndLetsGo()
    {
        TestWindow test(m_theme, TestWindow::Fleet::Synced);
        test.open(QStringLiteral("gpuledger://overview"));
        const QWidget *before = QApplication::focusWidget();
        test.window().openPalette();
        auto *palette = test.window().findChild<ui::CommandPalette *>();
        for (QWidget *widget : reachable(*palette)) {
            const QString fault = faultOf(widget);
            QVERIFY2(fault.isEmpty(), qPrintable(fault));
        }
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QCOMPARE(QApplication::focusWidget(), before);
    }

    // Proves that the checks above can fail.
    void aControlWithoutANameIsFound()
    {
        QWidget root;
        QPushButton button(&root);
        QVERIFY(faultOf(&button).contains(QStringLiteral("no name")));
        button.setAccessibleName(QStringLiteral("Copy"));
        QVERIFY(faultOf(&button).isEmpty());
        QWidget bare(&root);
        bare.setAccessibleName(QStringLiteral("bare"));
        QVERIFY(faultOf(&bare).contains(QStringLiteral("not a known control")));
    }

    void aWrongOrderIsFound()
    {
        QWidget root;
        root.resize(300, 100);
        QPushButton second(QStringLiteral("second"), &root), first(QStringLiteral("first"), &root);
        first.setGeometry(10, 10, 80, 28);
        second.setGeometry(100, 10, 80, 28);
        root.show();
        QVERIFY(QTest::qWaitForWindowActive(&root));
        QVERIFY(faultOfAll(root).contains(QStringLiteral("comes after")));
        second.move(10, 10);
        first.move(100, 10);
        QCOMPARE(faultOfAll(root), QString());
    }

private:
    widgets::Theme m_theme;
};

GPULEDGER_WINDOW_SUITE(TabOrderTest)

} // namespace tst_taborder

#include "tst_taborder.moc"
