// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "tests/unit/widgets/heatmapsample.h"
#include "widgets/heatmap/heatmap.h"
#include "widgets/heatmap/heatmapaccessible.h"

#include <QAccessible>
#include <QTest>

namespace tst_heatmapaccessible {

using namespace gpuledger::widgets;
using gpuledger::tests::matrix;

namespace {

struct Seen {
    QAccessible::Event type;
    int child;
};
QList<Seen> g_seen; // the handler that Qt takes has no context

void record(QAccessibleEvent *event)
{
    if (event->type() == QAccessible::Focus || event->type() == QAccessible::TableModelChanged)
        g_seen.append({event->type(), event->child()});
}

} // namespace

class TestHeatmapAccessible : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        installHeatmapAccessibility();
        installHeatmapAccessibility();
    }

    void init()
    {
        m_theme = std::make_unique<Theme>();
        m_map = std::make_unique<Heatmap>(*m_theme);
        m_map->resize(1000, 400);
        m_map->setData(matrix(3, 24));
        m_map->show();
        m_map->activateWindow();
        QTRY_VERIFY(m_map->hasFocus());
        m_interface = QAccessible::queryAccessibleInterface(m_map.get());
        QVERIFY(m_interface);
    }

    void cleanup()
    {
        m_map.reset();
        m_theme.reset();
    }

    void isANamedTable()
    {
        QCOMPARE(m_interface->role(), QAccessible::Table);
        QCOMPARE(m_interface->text(QAccessible::Name), QStringLiteral("Utilization by team"));
        QVERIFY(table());
        QCOMPARE(table()->rowCount(), 3);
        QCOMPARE(table()->columnCount(), 24);
        QCOMPARE(m_interface->childCount(), 72);
        QCOMPARE(table()->rowDescription(0), QStringLiteral("research; mean 0 %; idle cost, USD 0k"));
        QCOMPARE(table()->columnDescription(10), QStringLiteral("Sat 10:00"));
    }

    void cellsHaveNames()
    {
        QAccessibleInterface *cell = table()->cellAt(0, 10);
        QVERIFY(cell);
        QCOMPARE(cell->role(), QAccessible::Cell);
        QCOMPARE(cell->text(QAccessible::Name), QStringLiteral("research, Sat 10:00: 10.0 %"));
        QCOMPARE(table()->cellAt(1, 3)->text(QAccessible::Name), QStringLiteral("speech, Sat 03:00: not observed"));
        QCOMPARE(table()->cellAt(1, 4)->text(QAccessible::Name), QStringLiteral("speech, Sat 04:00: 0.0 %"));
        QCOMPARE(table()->cellAt(3, 0), nullptr);
        QCOMPARE(table()->cellAt(0, -1), nullptr);
    }

    void childrenAndCellsAreTheSame()
    {
        QAccessibleInterface *cell = table()->cellAt(2, 5);
        QCOMPARE(m_interface->child(2 * 24 + 5), cell);
        QCOMPARE(m_interface->indexOfChild(cell), 2 * 24 + 5);
        QCOMPARE(cell->parent(), m_interface);
        const QPoint middle = cell->rect().center();
        QCOMPARE(m_interface->childAt(middle.x(), middle.y()), cell);
    }

    void focusFollowsTheKeyboard()
    {
        g_seen.clear();
        const auto before = QAccessible::installUpdateHandler(record);
        QTest::keyClick(m_map.get(), Qt::Key_Down);
        QTest::keyClick(m_map.get(), Qt::Key_Right);
        QAccessible::installUpdateHandler(before);
        // Qt sends events only if a screen reader may listen, which is not the case offscreen; the window tests cover
        // them.
        if (QAccessible::isActive()) {
            QCOMPARE(g_seen.size(), 2);
            QCOMPARE(g_seen[0].child, 24);
            QCOMPARE(g_seen[1].child, 25);
        }
        QCOMPARE(m_interface->focusChild(), table()->cellAt(1, 1));
        QVERIFY(table()->cellAt(1, 1)->state().focused);
        QVERIFY(!table()->cellAt(0, 0)->state().focused);
        QCOMPARE(table()->selectedCells(), QList<QAccessibleInterface *>{table()->cellAt(1, 1)});
    }

    void newDataDropTheOldCells()
    {
        const QAccessible::Id id = QAccessible::uniqueId(table()->cellAt(2, 23));
        QVERIFY(QAccessible::accessibleInterface(id));
        m_map->setData(matrix(2, 5));
        QAccessibleTableModelChangeEvent reset(m_map.get(), QAccessibleTableModelChangeEvent::ModelReset);
        if (!QAccessible::isActive())
            table()->modelChange(&reset); // as Qt does if a screen reader may listen
        QCOMPARE(QAccessible::accessibleInterface(id), nullptr);
        QCOMPARE(table()->rowCount(), 2);
        QCOMPARE(table()->cellAt(2, 0), nullptr);
        QCOMPARE(table()->cellAt(1, 1)->text(QAccessible::Name), QStringLiteral("speech, Sat 01:00: 11.0 %"));
    }

private:
    QAccessibleTableInterface *table() const { return m_interface->tableInterface(); }

    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<Heatmap> m_map;
    QAccessibleInterface *m_interface = nullptr;
};

GPULEDGER_WINDOW_SUITE(TestHeatmapAccessible)

} // namespace tst_heatmapaccessible

#include "tst_heatmapaccessible.moc"
