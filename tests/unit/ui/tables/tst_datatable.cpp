// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fleets/tablesample.h"
#include "tests/support/suite.h"
#include "ui/viewmodels/tables/tablemodel.h"
#include "widgets/table/datatable.h"
#include "widgets/table/tablecolumns.h"
#include "widgets/table/tabledelegate.h"
#include "widgets/table/tableheader.h"
#include "widgets/table/tableview.h"
#include "widgets/theme/theme.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QHelpEvent>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPaintEvent>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStyledItemDelegate>
#include <QTest>
#include <QTextDocument>
#include <QToolTip>
#include <QTreeView>

namespace tst_datatable {

using namespace gpuledger;
using namespace gpuledger::tests;
using namespace gpuledger::widgets;

namespace {

constexpr int kMonth = static_cast<int>(SampleColumn::PerMonth);

// A table of the sample rows in a window of its own.
struct Bench {
    explicit Bench(bool grouped = false, const QSize &size = {790, 500})
        : model(sampleColumns())
        , tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest)
        , table(theme, QStringLiteral("Idle workloads"), model)
    {
        model.setGrouped(grouped);
        model.setGroupTitle(QStringLiteral("Owner"));
        model.setSnapshot(sampleTable(idleRows(), true));
        table.resize(size);
        table.show();
        table.activateWindow();
        table.setFocus();
        QCoreApplication::processEvents();
    }
    QPoint placeOf(const QString &id, int column = 0)
    {
        return table.view()->visualRect(model.indexOf(id, column)).center();
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::keyClick(QApplication::focusWidget(), key, modifiers);
    }
    void clickTitle(int column)
    {
        QHeaderView *header = table.view()->header();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          QPoint(header->sectionViewportPosition(column) + header->sectionSize(column) / 2, 15));
    }

    Theme theme;
    ui::TableModel model;
    QAbstractItemModelTester tester;
    DataTable table;
};

// What a widget has painted since.
class Painted : public QObject {
public:
    QRegion region;

protected:
    bool eventFilter(QObject *, QEvent *event) override
    {
        if (event->type() == QEvent::Paint)
            region += static_cast<QPaintEvent *>(event)->region();
        return false;
    }
};

QString firstId(const ui::TableModel &model)
{
    return model.index(0, 0).data(kRowIdRole).toString();
}

} // namespace

class TestDataTable : public QObject {
    Q_OBJECT

    Theme m_theme;

private Q_SLOTS:
    void initTestCase() { m_theme.apply(); }

    void sortsByAClickOnATitle()
    {
        Bench b;
        b.clickTitle(kMonth);
        QCOMPARE(b.model.sortColumn(), kMonth);
        QCOMPARE(b.model.sortOrder(), Qt::DescendingOrder); // a figure: the largest first
        QCOMPARE(firstId(b.model), QStringLiteral("job/tokenizer-bench"));
        b.clickTitle(kMonth);
        QCOMPARE(b.model.sortOrder(), Qt::AscendingOrder);
        b.clickTitle(0);
        QCOMPARE(b.model.sortOrder(), Qt::AscendingOrder);
        QCOMPARE(firstId(b.model), QStringLiteral("deploy/llama-canary"));
    }

    void marksTheColumnThatSorts()
    {
        Bench b;
        const QImage before = b.table.view()->header()->grab().toImage();
        b.model.sort(kMonth, Qt::DescendingOrder);
        const QImage down = b.table.view()->header()->grab().toImage();
        b.model.sort(kMonth, Qt::AscendingOrder);
        const QImage up = b.table.view()->header()->grab().toImage();
        QVERIFY(before != down);
        QVERIFY(down != up);
    }

    void filtersFromTheKeyboard()
    {
        Bench b;
        b.key(Qt::Key_F, Qt::ControlModifier);
        QVERIFY(b.table.isFilterOpen());
        auto *field = qobject_cast<QLineEdit *>(QApplication::focusWidget());
        QVERIFY(field);
        QCOMPARE(field->accessibleName(), QStringLiteral("Filter Idle workloads"));
        QTest::keyClicks(field, QStringLiteral("NOTEbook res"));
        QCOMPARE(b.model.shownRows(), 2);
        b.key(Qt::Key_Down);
        QCOMPARE(QApplication::focusWidget(), b.table.view());
        b.key(Qt::Key_Escape);
        QVERIFY(!b.table.isFilterOpen());
        QCOMPARE(b.model.shownRows(), 8);
        b.key(Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("x"));
        b.key(Qt::Key_Escape);
        QCOMPARE(QApplication::focusWidget(), b.table.view());
        QCOMPARE(b.model.filterText(), QString());
    }

    void saysThatNothingMatches()
    {
        Bench b;
        b.table.openFilter();
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("<b>zebra</b>"));
        QLabel *message = nullptr;
        for (QLabel *label : b.table.findChildren<QLabel *>()) {
            if (label->text() == QStringLiteral("Nothing matches “<b>zebra</b>”"))
                message = label;
        }
        QVERIFY(message && message->isVisible());
        QCOMPARE(message->textFormat(), Qt::PlainText);
        QCOMPARE(b.table.view()->accessibleDescription(), message->text());
        QPushButton *clear = nullptr;
        for (QPushButton *button : b.table.findChildren<QPushButton *>()) {
            if (button->text() == QStringLiteral("Clear filter"))
                clear = button;
        }
        QVERIFY(clear);
        QTest::mouseClick(clear, Qt::LeftButton);
        QVERIFY(!message->isVisible());
        QCOMPARE(b.model.shownRows(), 8);
    }

    void ticksWithSpaceAndMouse()
    {
        Bench b;
        QVERIFY(b.table.setCurrentRow(QStringLiteral("notebook/eval-4")));
        b.key(Qt::Key_Space);
        QCOMPARE(b.model.checkedIds(), QStringList{QStringLiteral("notebook/eval-4")});
        b.key(Qt::Key_Space);
        QCOMPARE(b.model.checkedIds(), QStringList());
        b.key(Qt::Key_Home);
        b.key(Qt::Key_Down, Qt::ShiftModifier);
        b.key(Qt::Key_Down, Qt::ShiftModifier);
        b.key(Qt::Key_Space); // all three selected rows
        QCOMPARE(b.model.checkedIds().size(), 3);
        const QRect cell = b.table.view()->visualRect(b.model.indexOf(QStringLiteral("vm/i-0f2a9c41d77")));
        QTest::mouseClick(b.table.view()->viewport(), Qt::LeftButton, {},
                          TableDelegate::checkRect(cell, Qt::LeftToRight).center());
        QCOMPARE(b.model.checkedIds().size(), 4);
        b.table.setCurrentRow(QStringLiteral("deploy/llama-canary")); // can't be ticked
        b.key(Qt::Key_Space);
        QCOMPARE(b.model.checkedIds().size(), 4);
    }

    void opensARowWithEnterAndDoubleClick()
    {
        Bench b;
        QSignalSpy opened(&b.table, &DataTable::rowActivated);
        b.table.setCurrentRow(QStringLiteral("notebook/eval-4"));
        b.key(Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened.first().first().toString(), QStringLiteral("notebook/eval-4"));
        QTest::mouseDClick(b.table.view()->viewport(), Qt::LeftButton, {},
                           b.placeOf(QStringLiteral("vm/i-0f2a9c41d77"), 2));
        QCOMPARE(opened.size(), 2);
        QCOMPARE(opened.last().first().toString(), QStringLiteral("vm/i-0f2a9c41d77"));
    }

    void copiesTheSelection()
    {
        Bench b;
        b.model.sort(kMonth, Qt::DescendingOrder);
        b.table.setCurrentRow(QStringLiteral("notebook/prompt-lab"));
        QTest::mouseClick(b.table.view()->viewport(), Qt::LeftButton, Qt::ControlModifier,
                          b.placeOf(QStringLiteral("notebook/eval-4"), 1));
        QCOMPARE(b.table.selectedRowIds(),
                 (QStringList{QStringLiteral("notebook/eval-4"), QStringLiteral("notebook/prompt-lab")}));
        b.key(Qt::Key_C, Qt::ControlModifier);
        const QMimeData *mime = QGuiApplication::clipboard()->mimeData();
        const QStringList lines = mime->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 3);
        QCOMPARE(lines.at(1), QStringLiteral("notebook/eval-4\tresearch\t4\t68400\t7242\thigh"));
        QVERIFY(mime->hasHtml());
        QVERIFY(mime->html().contains(QLatin1String("<td>notebook/eval-4")));
    }

    void exportsWhatIsOnScreen()
    {
        Bench b;
        b.model.sort(kMonth, Qt::DescendingOrder);
        b.model.setFilterText(QStringLiteral("notebook"));
        QHeaderView *header = b.table.view()->header();
        header->moveSection(header->visualIndex(kMonth), 1);
        for (const int column : {1, 3, 5})
            static_cast<widgets::TableView *>(b.table.view())->columns().setShown(column, false);
        QCOMPARE(b.table.csv(),
                 QByteArray("Workload,\"Per month, USD\",GPUs\r\nnotebook/ablation-8,14483,8\r\n"
                            "notebook/eval-4,7242,4\r\nnotebook/prompt-lab,1051,2\r\n"));
    }

    void keepsCurrentRowAndSelectionOverNewData()
    {
        Bench b;
        QSignalSpy current(&b.table, &DataTable::currentRowChanged);
        b.table.setCurrentRow(QStringLiteral("notebook/eval-4"));
        QCOMPARE(current.size(), 1);
        std::vector<SampleRow> rows = idleRows();
        std::reverse(rows.begin(), rows.end());
        rows.erase(rows.begin());
        b.model.setSnapshot(sampleTable(rows, true));
        b.model.setGrouped(true);
        b.model.sort(kMonth, Qt::AscendingOrder);
        QCOMPARE(b.table.currentRowId(), QStringLiteral("notebook/eval-4"));
        QCOMPARE(b.table.selectedRowIds(), QStringList{QStringLiteral("notebook/eval-4")});
        b.model.setFilterText(QStringLiteral("vm"));
        QVERIFY(b.table.currentRowId() != QStringLiteral("notebook/eval-4"));
        b.model.setFilterText(QString());
        QCOMPARE(b.table.currentRowId(), QStringLiteral("notebook/eval-4"));
    }

    void theFocusIsSeenOnHeadings()
    {
        Bench b(true);
        QTreeView *view = b.table.view();
        b.table.setAttribute(Qt::WA_KeyboardFocusChange); // as after Tab
        b.table.setCurrentRow(b.model.index(0, 0, b.model.index(0, 0)).data(kRowIdRole).toString());
        QCoreApplication::processEvents();
        const QImage before = view->viewport()->grab().toImage();
        Painted painted;
        view->viewport()->installEventFilter(&painted);
        b.key(Qt::Key_Up);
        QCOMPARE(view->currentIndex().siblingAtColumn(0), b.model.index(0, 0));
        const QRect cell = view->visualRect(b.model.index(0, 0));
        const QRect row(0, cell.top(), view->viewport()->width(), cell.height());
        QTRY_VERIFY(painted.region.intersected(row) == QRegion(row));
        QVERIFY(view->viewport()->grab().toImage().copy(row) != before.copy(row));
    }

    void foldsGroups()
    {
        Bench b(true);
        QTreeView *view = b.table.view();
        const auto heading = [&](int i) { return b.model.index(i, 0); };
        QVERIFY(view->isExpanded(heading(0)));
        QVERIFY(!view->isExpanded(heading(3))); // unknown ones
        view->setCurrentIndex(heading(0));
        b.key(Qt::Key_Left);
        QVERIFY(!view->isExpanded(heading(0)));
        b.key(Qt::Key_Down);
        QCOMPARE(view->currentIndex(), heading(1)); // headings can be reached by keyboard
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(heading(0)).center());
        QVERIFY(view->isExpanded(heading(0)));
        b.table.setCurrentRow(QStringLiteral("notebook/eval-4"));
        b.key(Qt::Key_Left);
        QCOMPARE(view->currentIndex(), heading(0));
        b.key(Qt::Key_Return);
        QVERIFY(!view->isExpanded(heading(0)));
        b.model.setFilterText(QStringLiteral("node/")); // matches in a collapsed group, which is expanded for that
        QVERIFY(view->isExpanded(heading(0)));
        b.model.setFilterText(QString());
        QVERIFY(!view->isExpanded(heading(3)));
        QVERIFY(!view->isExpanded(heading(0)));
        b.key(Qt::Key_Space); // ticks the rows below the heading
        QCOMPARE(b.model.checkedIds().size(), 0); // the filter had hidden the current row
        view->setCurrentIndex(heading(0));
        b.key(Qt::Key_Space);
        QCOMPARE(b.model.checkedIds().size(), 3);
        QCOMPARE(b.table.selectedRowIds(), QStringList());
    }

    void restoresWhatItSaved()
    {
        Bench b(true);
        QSignalSpy changes(&b.table, &DataTable::stateChanged);
        QHeaderView *header = b.table.view()->header();
        header->moveSection(header->visualIndex(kMonth), 1);
        header->resizeSection(2, 133);
        b.model.sort(kMonth, Qt::DescendingOrder);
        b.table.view()->collapse(b.model.index(0, 0));
        QCOMPARE(changes.size(), 4);
        const QJsonObject saved =
            QJsonDocument::fromJson(QJsonDocument(b.table.saveState()).toJson()).object(); // as from a file

        Bench other(true);
        other.table.restoreState(saved);
        QHeaderView *same = other.table.view()->header();
        QCOMPARE(same->visualIndex(kMonth), 1);
        QCOMPARE(same->sectionSize(2), 133);
        QCOMPARE(other.model.sortColumn(), kMonth);
        QVERIFY(!other.table.view()->isExpanded(other.model.index(0, 0)));
        QCOMPARE(other.table.saveState(), saved);
    }

    void survivesADamagedState_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("empty") << QByteArray("{}");
        QTest::newRow("newer") << QByteArray(R"({"version":2,"columns":5})");
        QTest::newRow("kinds") << QByteArray(R"({"version":1,"columns":5,"sort":[],"folded":{}})");
        QTest::newRow("columns") << QByteArray(
            R"({"version":1,"columns":[{"key":"gone"},{"key":"month","width":-3},{"key":"month"},7,{"key":"workload","shown":false},{"key":"owner","width":99999999}],"sort":"gone"})");
    }

    void survivesADamagedState()
    {
        QFETCH(QByteArray, json);
        Bench b;
        b.table.restoreState(QJsonDocument::fromJson(json).object());
        QVERIFY(!b.table.view()->header()->isSectionHidden(0));
        QVERIFY(b.table.view()->header()->sectionSize(1) <= 4000);
        QCOMPARE(b.model.sortColumn(), -1);
        QCOMPARE(b.table.saveState().value(QLatin1String("columns")).toArray().size(), 6);
    }

    void delegatesFollowTheirColumns()
    {
        Bench b;
        auto *delegate = new QStyledItemDelegate(&b.table);
        b.table.setDelegate(b.model.headerData(2, Qt::Horizontal, kColumnKeyRole).toString(), delegate);
        QCOMPARE(b.table.view()->itemDelegateForColumn(2), delegate);
        auto columns = sampleColumns();
        std::swap(columns[1], columns[2]);
        b.model.setColumns(columns);
        QCOMPARE(b.table.view()->itemDelegateForColumn(1), delegate);
        QVERIFY(b.table.view()->itemDelegateForColumn(2) != delegate);
    }

    void choosesColumnsFromTheMenu()
    {
        Bench b;
        QSignalSpy opening(&b.table, &DataTable::menuOpening);
        b.table.setCurrentRow(QStringLiteral("notebook/eval-4"));
        QContextMenuEvent event(QContextMenuEvent::Keyboard, {5, 5}, b.table.mapToGlobal(QPoint(5, 5)));
        QCoreApplication::sendEvent(b.table.view()->viewport(), &event);
        auto *menu = b.table.findChild<QMenu *>(QString(), Qt::FindDirectChildrenOnly);
        QVERIFY(menu);
        QCOMPARE(opening.size(), 1);
        QCOMPARE(opening.first().at(1).toString(), QStringLiteral("notebook/eval-4"));
        QAction *owner = nullptr;
        for (QMenu *sub : menu->findChildren<QMenu *>()) {
            for (QAction *action : sub->actions()) {
                if (sub->title() == QStringLiteral("Columns") && action->text() == QStringLiteral("Owner"))
                    owner = action;
            }
        }
        QVERIFY(owner && owner->isChecked());
        owner->trigger();
        QVERIFY(b.table.view()->header()->isSectionHidden(1));
        menu->close();
    }

    void fitsTheRoomThereIs_data()
    {
        QTest::addColumn<int>("width");
        for (const int width : {640, 790, 1192, 2472})
            QTest::addRow("%d", width) << width;
    }

    void fitsTheRoomThereIs()
    {
        QFETCH(int, width);
        for (const bool grouped : {false, true}) {
            Bench b(grouped, {width, 300});
            QTRY_COMPARE(b.table.view()->horizontalScrollBar()->maximum(), 0);
            QHeaderView *header = b.table.view()->header();
            for (int column = 0; column < header->count(); ++column) {
                const bool figure = b.model.headerData(column, Qt::Horizontal, kFigureRole).toBool();
                auto *titles = static_cast<TableHeader *>(header);
                if (figure)
                    QVERIFY(header->sectionSize(column) >= titles->titleWidth(column)); // no figure is truncated
            }
            QCOMPARE(header->length(), b.table.view()->viewport()->width()); // and no space is left over
        }
    }

    void anOrderWithAMeaningIsNotSorted()
    {
        Bench b;
        b.model.setSortable(false);
        const QString first = firstId(b.model);
        b.clickTitle(kMonth);
        QCOMPARE(b.model.sortColumn(), -1);
        QCOMPARE(firstId(b.model), first);
        QContextMenuEvent event(QContextMenuEvent::Keyboard, {5, 5}, b.table.mapToGlobal(QPoint(5, 5)));
        QCoreApplication::sendEvent(b.table.view()->viewport(), &event);
        for (QMenu *sub : b.table.findChild<QMenu *>(QString(), Qt::FindDirectChildrenOnly)->findChildren<QMenu *>())
            QVERIFY(sub->title() != QStringLiteral("Sort by"));
    }

    void keepsAWidthThatWasDragged()
    {
        Bench b;
        QHeaderView *header = b.table.view()->header();
        header->resizeSection(1, 201);
        b.table.resize(1100, 400);
        QCoreApplication::processEvents();
        QCOMPARE(header->sectionSize(1), 201);
    }

    void showsHostileTextAsOnePlainLine()
    {
        Bench b;
        std::vector<SampleRow> rows = idleRows();
        rows[0].workload = QStringLiteral("<img src=file:x>\n<b>bold</b>") + QString(10 * 1024, QLatin1Char('y'));
        rows[0].owner = QStringLiteral("<u>o</u>");
        b.model.setSnapshot(sampleTable(rows, true));
        b.model.setGrouped(true);
        QCoreApplication::processEvents();
        QCOMPARE(b.table.view()->visualRect(b.model.index(0, 0)).height(), TableDelegate::kRowHeight);
        const QPoint place = b.placeOf(rows[0].id);
        QHelpEvent help(QEvent::ToolTip, place, b.table.view()->viewport()->mapToGlobal(place));
        QCoreApplication::sendEvent(b.table.view()->viewport(), &help);
        QVERIFY(QToolTip::text().contains(QLatin1String("&lt;img")));
        QVERIFY(!QToolTip::text().contains(QLatin1String("<img")));
        QTextDocument shown;
        shown.setHtml(QToolTip::text());
        const QString words = shown.toPlainText().replace(QChar(QChar::Nbsp), QLatin1Char(' '));
        QVERIFY2(words.endsWith(QLatin1String("\nprometheus-prod, 2 min ago")), qPrintable(words));
        for (const QString &line : words.split(QLatin1Char('\n')))
            QVERIFY(line.size() <= 81);
        QToolTip::hideText();
        QVERIFY(!b.table.grab().isNull());
    }

    void tellsAScreenReader()
    {
        Bench b(true);
        QAccessibleInterface *view = QAccessible::queryAccessibleInterface(b.table.view());
        QVERIFY(view);
        QCOMPARE(view->text(QAccessible::Name), QStringLiteral("Idle workloads"));
        QVERIFY(view->tableInterface());
        QStringList names;
        for (int row = 0; row < view->tableInterface()->rowCount(); ++row)
            names << view->tableInterface()->cellAt(row, 0)->text(QAccessible::Name);
        QVERIFY(names.contains(QStringLiteral("research, 3 workloads, 20 GPUs")));
        QVERIFY(names.contains(QStringLiteral("notebook/eval-4")));
        for (QWidget *control : b.table.findChildren<QWidget *>()) {
            if (control->focusPolicy() & Qt::TabFocus && control->isVisible())
                QVERIFY2(!QAccessible::queryAccessibleInterface(control)->text(QAccessible::Name).isEmpty(),
                         control->metaObject()->className());
        }
    }

    void mirrorsItself()
    {
        Bench b(true);
        const QRect left = b.table.view()->visualRect(b.model.indexOf(QStringLiteral("notebook/eval-4")));
        b.table.setLayoutDirection(Qt::RightToLeft);
        QCoreApplication::processEvents();
        const QRect right = b.table.view()->visualRect(b.model.indexOf(QStringLiteral("notebook/eval-4")));
        QVERIFY(right.center().x() > left.center().x());
        QVERIFY(!b.table.grab().isNull());
        b.table.view()->setCurrentIndex(b.model.index(0, 0));
        b.key(Qt::Key_Right); // against the reading direction: collapses
        QVERIFY(!b.table.view()->isExpanded(b.model.index(0, 0)));
    }

    void holdsAHundredThousandRows()
    {
        Bench b;
        b.model.setSnapshot(sampleTable(randomRows(100'000, 9)));
        b.model.sort(kMonth, Qt::DescendingOrder);
        b.table.view()->scrollToBottom();
        QVERIFY(b.table.setCurrentRow(firstId(b.model)));
        b.model.setFilterText(QStringLiteral("vision"));
        QCoreApplication::processEvents();
        QVERIFY(b.model.shownRows() > 1000);
    }
};

GPULEDGER_WINDOW_SUITE(TestDataTable)

} // namespace tst_datatable

#include "tst_datatable.moc"
