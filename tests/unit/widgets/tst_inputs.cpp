// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "widgets/inputs/choicebutton.h"
#include "widgets/inputs/inputrow.h"
#include "widgets/inputs/segmentedswitch.h"
#include "widgets/inputs/weekgrid.h"

#include <QAccessible>
#include <QAction>
#include <QMenu>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

namespace tst_inputs {

using namespace gpuledger::widgets;

class TestInputs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void choiceShowsAndSaysWhatIsChosen()
    {
        ChoiceButton button(QStringLiteral("Metric"));
        button.setChoices(metrics());
        QCOMPARE(button.currentKey(), QStringLiteral("utilization"));
        QCOMPARE(button.text(), QStringLiteral("Utilization"));
        QAccessibleInterface *access = QAccessible::queryAccessibleInterface(&button);
        QVERIFY(access);
        QCOMPARE(access->text(QAccessible::Name), QStringLiteral("Metric: Utilization"));
        QCOMPARE(access->role(), QAccessible::ButtonMenu);
    }

    void choiceIsMadeInTheMenu()
    {
        ChoiceButton button(QStringLiteral("Metric"));
        button.setChoices(metrics());
        QSignalSpy chosen(&button, &ChoiceButton::chosen);
        button.menu()->actions().at(2)->trigger();
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.at(0).at(0).toString(), QStringLiteral("memory"));
        QCOMPARE(button.currentKey(), QStringLiteral("memory"));
        QVERIFY(button.menu()->actions().at(2)->isChecked());
        QVERIFY(!button.menu()->actions().at(0)->isChecked());
    }

    void choiceIsMadeByKeyboard()
    {
        ChoiceButton button(QStringLiteral("Metric"));
        button.setChoices(metrics());
        button.show();
        QSignalSpy chosen(&button, &ChoiceButton::chosen);
        QTest::keyClick(&button, Qt::Key_Down);
        QCOMPARE(button.currentKey(), QStringLiteral("power"));
        QTest::keyClick(&button, Qt::Key_Down);
        QTest::keyClick(&button, Qt::Key_Down);
        QCOMPARE(button.currentKey(), QStringLiteral("memory"));
        QTest::keyClick(&button, Qt::Key_Up);
        QCOMPARE(chosen.count(), 3);
        // An open menu blocks the key's handler until it closes.
        QMenu *menu = button.menu();
        QSignalSpy opened(menu, &QMenu::aboutToShow);
        connect(menu, &QMenu::aboutToShow, menu, [menu] { QTimer::singleShot(0, menu, &QMenu::close); });
        QTest::keyClick(&button, Qt::Key_Space);
        QTRY_COMPARE(opened.count(), 1);
    }

    void choiceKeepsItsKeyOverNewChoices()
    {
        ChoiceButton button(QStringLiteral("Metric"));
        button.setChoices(metrics());
        button.setCurrentKey(QStringLiteral("power"));
        QSignalSpy chosen(&button, &ChoiceButton::chosen);
        button.setChoices(metrics());
        QCOMPARE(button.currentKey(), QStringLiteral("power"));
        button.setChoices({{QStringLiteral("cost"), QStringLiteral("Cost")}});
        QCOMPARE(button.currentKey(), QStringLiteral("cost"));
        QCOMPARE(button.menu()->actions().size(), 1);
        button.setCurrentKey(QStringLiteral("no such key"));
        QCOMPARE(button.currentKey(), QStringLiteral("cost"));
        button.setChoices({});
        QVERIFY(button.currentKey().isEmpty());
        QTest::keyClick(&button, Qt::Key_Down);
        QCOMPARE(chosen.count(), 0);
    }

    void choiceDoesNotGrowWithItsText()
    {
        ChoiceButton button(QStringLiteral("Metric"));
        button.setChoices(metrics());
        const QSize before = button.sizeHint();
        button.setCurrentKey(QStringLiteral("power"));
        QCOMPARE(button.sizeHint(), before);
        QVERIFY(before.width() > button.fontMetrics().horizontalAdvance(QStringLiteral("Memory & <b>cache</b>")));
    }

    void switchMovesByArrowKeys()
    {
        Theme theme;
        SegmentedSwitch parts(theme, QStringLiteral("Layer"), layers());
        parts.show();
        parts.activateWindow();
        QSignalSpy chosen(&parts, &SegmentedSwitch::chosen);
        QCOMPARE(parts.currentKey(), QStringLiteral("allocation"));
        auto *first = parts.findChild<Segment *>();
        first->setFocus();
        QTRY_VERIFY(first->hasFocus());
        QTest::keyClick(first, Qt::Key_Right);
        QCOMPARE(parts.currentKey(), QStringLiteral("compute"));
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.at(0).at(0).toString(), QStringLiteral("compute"));
    }

    void switchIsSetByClickAndCode()
    {
        Theme theme;
        SegmentedSwitch parts(theme, QStringLiteral("Layer"), layers());
        parts.show();
        QSignalSpy chosen(&parts, &SegmentedSwitch::chosen);
        const QList<Segment *> segments = parts.findChildren<Segment *>();
        QTest::mouseClick(segments.at(2), Qt::LeftButton);
        QCOMPARE(parts.currentKey(), QStringLiteral("both"));
        parts.setCurrentKey(QStringLiteral("compute"));
        parts.setCurrentKey(QStringLiteral("compute"));
        parts.setCurrentKey(QStringLiteral("no such key"));
        QCOMPARE(parts.currentKey(), QStringLiteral("compute"));
        QCOMPARE(chosen.count(), 2);
    }

    void switchIsAGroupOfNamedRadioButtons()
    {
        Theme theme;
        SegmentedSwitch parts(theme, QStringLiteral("Layer"), layers());
        QCOMPARE(QAccessible::queryAccessibleInterface(&parts)->text(QAccessible::Name), QStringLiteral("Layer"));
        const QList<Segment *> segments = parts.findChildren<Segment *>();
        QCOMPARE(segments.size(), 3);
        QAccessibleInterface *access = QAccessible::queryAccessibleInterface(segments.at(1));
        QCOMPARE(access->role(), QAccessible::RadioButton);
        QCOMPARE(access->text(QAccessible::Name), QStringLiteral("Compute"));
        QVERIFY(!access->state().checked);
        QVERIFY(QAccessible::queryAccessibleInterface(segments.at(0))->state().checked);
    }

    void aSegmentCanSayMoreLater()
    {
        Theme theme;
        SegmentedSwitch parts(theme, QStringLiteral("Layer"), layers());
        const int before = parts.findChildren<Segment *>().at(1)->sizeHint().width();
        parts.setChoiceText(QStringLiteral("compute"), QStringLiteral("Compute & more 41k"));
        parts.setChoiceText(QStringLiteral("no such key"), QStringLiteral("nothing"));
        const Segment *segment = parts.findChildren<Segment *>().at(1);
        QCOMPARE(segment->accessibleName(), QStringLiteral("Compute & more 41k"));
        QVERIFY(segment->sizeHint().width() > before);
        QCOMPARE(parts.findChildren<Segment *>().at(0)->accessibleName(), QStringLiteral("Allocation"));
    }

    void aRowBreaksWhereThereIsNoRoom()
    {
        Theme theme;
        auto *first = new SegmentedSwitch(theme, QStringLiteral("Layers"), layers());
        auto *second = new ChoiceButton(QStringLiteral("Metric"));
        second->setChoices(metrics());
        InputRow row(theme, first, second);
        row.show();
        const int both = first->sizeHint().width() + second->sizeHint().width();
        QVERIFY(row.minimumSizeHint().width() < both);
        row.resize(2 * both, row.height());
        QTRY_VERIFY(second->x() >= first->width() && second->y() < first->height());
        const int oneLine = row.sizeHint().height();
        row.resize(both - 1, row.height());
        QTRY_VERIFY(row.sizeHint().height() > oneLine);
        QCOMPARE(first->x(), 0);
        row.resize(both - 1, row.sizeHint().height());
        QTRY_VERIFY(second->y() >= first->height());
        second->hide(); // one of them needs one line
        QTRY_COMPARE(row.sizeHint().height(), first->sizeHint().height());
        second->show();
        QTRY_VERIFY(row.sizeHint().height() > oneLine);
    }

    void aWeekIsPaintedByKeyboard()
    {
        Theme theme;
        WeekGrid grid(theme, QStringLiteral("Off-hours"), QStringLiteral("off"), QStringLiteral("on"));
        QSignalSpy painted(&grid, &WeekGrid::painted);
        QTest::keyClick(&grid, Qt::Key_Left); // there is nothing before Monday, midnight
        QTest::keyClick(&grid, Qt::Key_Up);
        QCOMPARE(grid.currentHour(), 0);
        QTest::keyClick(&grid, Qt::Key_Down);
        QTest::keyClick(&grid, Qt::Key_Right);
        QTest::keyClick(&grid, Qt::Key_Space);
        QCOMPARE(painted.size(), 1);
        QVERIFY(grid.hours()[25] && grid.hours().count() == 1);
        QCOMPARE(QAccessible::queryAccessibleInterface(&grid)->text(QAccessible::Name), QStringLiteral("Off-hours"));
        QCOMPARE(QAccessible::queryAccessibleInterface(&grid)->text(QAccessible::Description), grid.hourText(25));
        QVERIFY(grid.hourText(25).contains(QStringLiteral("01:00"))
                && grid.hourText(25).endsWith(QStringLiteral("off")));
        QTest::keyClick(&grid, Qt::Key_Space);
        QVERIFY(grid.hours().none());
        QTest::keyClick(&grid, Qt::Key_End);
        QTest::keyClick(&grid, Qt::Key_Right);
        QCOMPARE(grid.currentHour(), 47);
        QTest::keyClick(&grid, Qt::Key_Return); // the whole day
        QCOMPARE(grid.hours().count(), std::size_t{24});
        QVERIFY(grid.hours()[24] && grid.hours()[47]);
    }

    void aWeekIsPaintedByMouse()
    {
        Theme theme;
        WeekGrid grid(theme, QStringLiteral("Off-hours"), QStringLiteral("off"), QStringLiteral("on"));
        grid.resize(grid.sizeHint());
        QSignalSpy painted(&grid, &WeekGrid::painted);
        const auto at = [&](int hour) { return grid.cellRect(hour).center(); };
        QTest::mousePress(&grid, Qt::LeftButton, {}, at(30));
        QTest::mouseMove(&grid, at(31));
        QMouseEvent move(QEvent::MouseMove, at(31), grid.mapToGlobal(at(31)), Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(&grid, &move);
        QTest::mouseRelease(&grid, Qt::LeftButton, {}, at(31));
        QCOMPARE(painted.size(), 1);
        QVERIFY(grid.hours()[30] && grid.hours()[31] && grid.hours().count() == 2);
        QTest::mouseClick(&grid, Qt::LeftButton, {}, QPoint(1, 1)); // the heads are no hours
        QCOMPARE(painted.size(), 1);
    }

private:
    static std::vector<ChoiceButton::Choice> metrics()
    {
        return {{QStringLiteral("utilization"), QStringLiteral("Utilization")},
                {QStringLiteral("power"), QStringLiteral("Power")},
                {QStringLiteral("memory"), QStringLiteral("Memory & <b>cache</b>")}};
    }

    static std::vector<SegmentedSwitch::Choice> layers()
    {
        return {{QStringLiteral("allocation"), QStringLiteral("Allocation")},
                {QStringLiteral("compute"), QStringLiteral("Compute")},
                {QStringLiteral("both"), QStringLiteral("Both")}};
    }
};

GPULEDGER_WINDOW_SUITE(TestInputs)

} // namespace tst_inputs

#include "tst_inputs.moc"
