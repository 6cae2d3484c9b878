// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fleets/tablesample.h"
#include "tests/support/suite.h"
#include "ui/viewmodels/tables/tablemodel.h"
#include "widgets/table/datatable.h"
#include "widgets/table/tabledelegate.h"
#include "widgets/table/tablefooter.h"
#include "widgets/theme/theme.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QTest>
#include <QTreeView>

namespace tst_tableroom {

using namespace gpuledger;
using namespace gpuledger::tests;
using namespace gpuledger::widgets;

namespace {

constexpr int kMonth = static_cast<int>(SampleColumn::PerMonth);
constexpr int kNotes = static_cast<int>(SampleColumn::Confidence);

// A table of the sample rows in a window of its own.
struct Sample {
    explicit Sample(const QSize &size)
        : model(sampleColumns())
        , table(theme, QStringLiteral("Idle workloads"), model)
    {
        model.setSnapshot(sampleTable(idleRows(), true));
        table.resize(size);
        table.show();
        QCoreApplication::processEvents();
    }
    // The columns that are not visible.
    QList<int> hidden() const
    {
        QList<int> all;
        for (int column = 0; column < table.view()->header()->count(); ++column) {
            if (table.view()->header()->isSectionHidden(column))
                all << column;
        }
        return all;
    }
    void resize(int width, int height)
    {
        table.resize(width, height);
        QCoreApplication::processEvents();
    }
    void shrinkUntilHidden(qsizetype count)
    {
        for (int width = table.width(); width > 250 && hidden().size() < count; width -= 10)
            resize(width, 400);
    }
    QAction *actionFor(const QString &column)
    {
        QContextMenuEvent event(QContextMenuEvent::Keyboard, {5, 5}, table.mapToGlobal(QPoint(5, 5)));
        QCoreApplication::sendEvent(table.view()->viewport(), &event);
        for (QMenu *sub : table.findChild<QMenu *>(QString(), Qt::FindDirectChildrenOnly)->findChildren<QMenu *>()) {
            for (QAction *action : sub->actions()) {
                if (sub->title() == QStringLiteral("Columns") && action->text() == column)
                    return action;
            }
        }
        return nullptr;
    }

    Theme theme;
    ui::TableModel model;
    DataTable table;
};

// The last column has a text only in the rows of one owner.
class WithNotes : public SampleTable {
public:
    explicit WithNotes(QString owner)
        : SampleTable(idleRows(), true)
        , m_owner(std::move(owner))
    {
    }
    QString text(int row, int column) const override
    {
        if (column != kNotes)
            return SampleTable::text(row, column);
        return rows()[static_cast<std::size_t>(row)].owner == m_owner ? QStringLiteral("protected") : QString();
    }

private:
    QString m_owner;
};

class WithTotal : public SampleTable {
public:
    using SampleTable::SampleTable;
    bool hasTotal() const override { return true; }
    QString totalText(int column) const override
    {
        return column == 0 ? QStringLiteral("Total") : column == kMonth ? QStringLiteral("12,345") : QString();
    }
};

} // namespace

// What a table shows in the room there is, and the total below its rows.
class TestTableRoom : public QObject {
    Q_OBJECT

    Theme m_theme;

private Q_SLOTS:
    void initTestCase() { m_theme.apply(); }

    // Without room for all columns, the least important one is left out, whole, until there is room again.
    void leavesOutTheLeastImportantColumn()
    {
        Sample s({1100, 400});
        auto columns = sampleColumns();
        columns[2].priority = 2;
        columns[5].priority = 1;
        s.model.setColumns(columns);
        QCoreApplication::processEvents();
        const QJsonObject before = s.table.saveState();
        QVERIFY(s.hidden().isEmpty());
        s.shrinkUntilHidden(1);
        QCOMPARE(s.hidden(), QList<int>{5});
        s.shrinkUntilHidden(2);
        QCOMPARE(s.hidden(), (QList<int>{2, 5}));
        s.shrinkUntilHidden(3);
        QCOMPARE(s.hidden(), (QList<int>{2, 5})); // the others always stay
        QVERIFY(s.table.csv().contains("Confidence")); // a file has all chosen columns, however wide the window is
        QCOMPARE(s.table.saveState(), before); // nor is it the user's choice
        QAction *confidence = s.actionFor(QStringLiteral("Confidence"));
        QVERIFY(confidence && !confidence->isChecked());
        confidence->trigger(); // the user wants it, so it stays
        QCOMPARE(s.hidden(), QList<int>{2});
        const QJsonObject chosen = s.table.saveState();
        s.resize(1100, 400);
        QVERIFY(s.hidden().isEmpty());
        Sample again({300, 400});
        again.model.setColumns(columns);
        again.table.restoreState(chosen);
        QCoreApplication::processEvents();
        QCOMPARE(again.hidden(), QList<int>{2});
    }

    // A column that may be left out has no room while nothing visible is in it, and the names get it.
    void givesAnEmptyColumnNoRoom()
    {
        Sample s({790, 400});
        auto columns = sampleColumns();
        columns[kNotes].hasNoRoomIfEmpty = true;
        columns[0].stretch = 3;
        s.model.setColumns(columns);
        s.model.setGrouped(true);
        const auto show = [&](const QString &owner) {
            s.model.setSnapshot(std::make_shared<WithNotes>(owner));
            QCoreApplication::processEvents();
        };
        const QString shown = idleRows().front().owner, folded = QStringLiteral("Unknown");
        show(shown);
        const QJsonObject before = s.table.saveState();
        const QHeaderView *header = s.table.view()->header();
        QVERIFY(s.hidden().isEmpty());
        const int width = header->sectionSize(0);
        show({});
        QCOMPARE(s.hidden(), QList<int>{kNotes});
        QVERIFY2(header->sectionSize(0) > width, qPrintable(QString::number(header->sectionSize(0))));
        QVERIFY(s.table.csv().contains("Confidence")); // a file has it
        QCOMPARE(s.table.saveState(), before); // nor is it the user's choice
        show(folded); // what is in a folded group is not visible
        QCOMPARE(s.hidden(), QList<int>{kNotes});
        const QModelIndex heading = s.model.index(s.model.rowCount() - 1, 0);
        QCOMPARE(heading.data().toString(), folded);
        s.table.view()->expand(heading);
        QCoreApplication::processEvents();
        QVERIFY(s.hidden().isEmpty());
        s.table.view()->collapse(heading);
        QCoreApplication::processEvents();
        QCOMPARE(s.hidden(), QList<int>{kNotes});
        s.model.setGrouped(false); // no group is folded
        QCoreApplication::processEvents();
        QVERIFY(s.hidden().isEmpty());
        show(shown);
        QVERIFY(s.hidden().isEmpty());
        s.model.setFilterText(QStringLiteral("llama")); // a filter doesn't move columns
        show(shown);
        QVERIFY(s.hidden().isEmpty());
        s.model.setFilterText({});
        show({});
        s.actionFor(QStringLiteral("Confidence"))->trigger(); // the user wants it, so it stays
        QVERIFY(s.hidden().isEmpty());
        show({});
        QVERIFY(s.hidden().isEmpty());
    }

    void textIsNotPulledApart()
    {
        Sample s({2472, 400});
        auto columns = sampleColumns();
        columns[0].stretch = 3;
        columns[5].width = 100;
        columns[5].stretch = 1; // as a trend has
        s.model.setColumns(columns);
        QCoreApplication::processEvents();
        const QHeaderView *header = s.table.view()->header();
        QCOMPARE(header->length(), s.table.view()->viewport()->width());
        QVERIFY2(header->sectionSize(0) < 520, qPrintable(QString::number(header->sectionSize(0))));
        QVERIFY(header->sectionSize(5) > 1000);
    }

    void showsWholeRowsOnly()
    {
        Sample s({790, 300});
        s.table.showWholeRows();
        for (const int height : {200, 211, 222, 233}) {
            s.resize(790, height);
            QCOMPARE(s.table.view()->viewport()->height() % TableDelegate::kRowHeight, 0);
        }
        s.resize(790, 900); // all rows fit
        QCOMPARE(s.table.view()->verticalScrollBar()->maximum(), 0);
        QCOMPARE(s.table.view()->height(), 900);
    }

    // The total stays below the rows in every order, and is read aloud.
    void showsTheTotalBelowTheRows()
    {
        Sample s({790, 400});
        auto *footer = s.table.findChild<TableFooter *>();
        QVERIFY(footer && !footer->isVisible());
        const int height = s.table.heightFor(3);
        s.model.setSnapshot(std::make_shared<WithTotal>(idleRows(), true));
        QCoreApplication::processEvents();
        QVERIFY(footer->isVisible());
        QCOMPARE(s.table.heightFor(3), height + footer->height());
        QCOMPARE(footer->accessibleName(), QStringLiteral("Total. Per month, USD: 12,345"));
        const QTreeView *view = s.table.view();
        QCOMPARE(footer->mapTo(&s.table, QPoint()).y(), view->mapTo(&s.table, QPoint()).y() + view->height());
        const QImage image = footer->grab().toImage().convertToFormat(QImage::Format_RGB32);
        const auto ink = [&](int column) {
            int count = 0;
            const int from = view->header()->sectionViewportPosition(column);
            for (int x = from; x < from + view->header()->sectionSize(column); ++x) {
                for (int y = 3; y < image.height() - 3; ++y)
                    count += image.pixelColor(x, y) == s.theme.color(Color::Text);
            }
            return count;
        };
        QVERIFY(ink(0) > 0 && ink(kMonth) > 0);
        QCOMPARE(ink(1), 0);
        s.model.sort(kMonth, Qt::DescendingOrder);
        QVERIFY(footer->isVisible());
        QCOMPARE(s.model.rowCount(), static_cast<int>(idleRows().size()));
        QVERIFY(!s.table.csv().contains("Total"));
        s.model.setFilterText(QStringLiteral("llama"));
        QVERIFY(!footer->isVisible()); // it would not be that of the rows
        s.table.closeFilter();
        QVERIFY(footer->isVisible());
    }
};

GPULEDGER_WINDOW_SUITE(TestTableRoom)

} // namespace tst_tableroom

#include "tst_tableroom.moc"
