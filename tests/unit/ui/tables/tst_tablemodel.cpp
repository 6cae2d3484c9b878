// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/fleets/tablesample.h"
#include "tests/support/suite.h"
#include "ui/viewmodels/tables/tablemodel.h"

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

namespace tst_tablemodel {

using namespace gpuledger;
using namespace gpuledger::tests;
using ui::TableModel;
using widgets::kExportValueRole;
using widgets::kGroupDetailRole;
using widgets::kGroupRole;
using widgets::kRawValueRole;
using widgets::kRowIdRole;

namespace {

constexpr int kWorkload = static_cast<int>(SampleColumn::Workload);
constexpr int kMonth = static_cast<int>(SampleColumn::PerMonth);

// The visible rows, one per line: headings by their text, rows by id.
QStringList lines(const TableModel &model)
{
    QStringList out;
    for (int i = 0; i < model.rowCount(); ++i) {
        const QModelIndex top = model.index(i, 0);
        if (!top.data(kGroupRole).toBool()) {
            out << top.data(kRowIdRole).toString();
            continue;
        }
        out << QStringLiteral("[%1: %2, %3]")
                   .arg(top.data().toString(), top.data(kGroupDetailRole).toString(),
                        top.siblingAtColumn(kMonth).data().toString());
        for (int j = 0; j < model.rowCount(top); ++j)
            out << model.index(j, 0, top).data(kRowIdRole).toString();
    }
    return out;
}

struct Spies {
    explicit Spies(TableModel &model)
        : resets(&model, &TableModel::modelReset)
        , layouts(&model, &TableModel::layoutChanged)
        , data(&model, &TableModel::dataChanged)
        , checks(&model, &TableModel::checkedChanged)
    {
    }
    QString counts() const
    {
        return QStringLiteral("reset %1 layout %2 data %3 checked %4")
            .arg(resets.size())
            .arg(layouts.size())
            .arg(data.size())
            .arg(checks.size());
    }
    QSignalSpy resets, layouts, data, checks;
};

} // namespace

class TestTableModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void groupsLikeTheIdlePage()
    {
        TableModel model(sampleColumns());
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setGrouped(true);
        model.setSnapshot(sampleTable(idleRows(), true));
        model.sort(kMonth, Qt::DescendingOrder);
        QCOMPARE(
            lines(model),
            (QStringList{QStringLiteral("[research: 3 workloads, 20 GPUs, 36,208]"),
                         QStringLiteral("job/tokenizer-bench"), QStringLiteral("notebook/ablation-8"),
                         QStringLiteral("notebook/eval-4"), QStringLiteral("[unowned: 2 workloads, 12 GPUs, 17,564]"),
                         QStringLiteral("pod/default/cuda-test-3f9"), QStringLiteral("vm/i-0f2a9c41d77"),
                         QStringLiteral("[llm-platform: 2 workloads, 6 GPUs, 12,702]"),
                         QStringLiteral("deploy/llama-canary"), QStringLiteral("notebook/prompt-lab"),
                         QStringLiteral("[Unknown: 1 workloads, 9 GPUs, 0]"), QStringLiteral("node/gpu-09")}));
        model.sort(kMonth, Qt::AscendingOrder);
        QVERIFY(lines(model).first().startsWith(QStringLiteral("[llm-platform")));
        QVERIFY(lines(model).at(9 + 1).startsWith(QStringLiteral("[Unknown"))); // last, in any sort order
        model.setFilterText(QStringLiteral("notebook"));
        QCOMPARE(lines(model),
                 (QStringList{QStringLiteral("[llm-platform: 1 workloads, 2 GPUs, 1,051]"),
                              QStringLiteral("notebook/prompt-lab"),
                              QStringLiteral("[research: 2 workloads, 12 GPUs, 21,725]"),
                              QStringLiteral("notebook/eval-4"), QStringLiteral("notebook/ablation-8")}));
        model.setGrouped(false);
        QCOMPARE(lines(model),
                 (QStringList{QStringLiteral("notebook/prompt-lab"), QStringLiteral("notebook/eval-4"),
                              QStringLiteral("notebook/ablation-8")}));
        QCOMPARE(model.shownRows(), 3);
        QCOMPARE(model.totalRows(), 8);
    }

    void showsRowsWithoutAGroupBelowOther()
    {
        class Half : public SampleTable {
        public:
            using SampleTable::SampleTable;
            int groupOf(int row) const override { return row % 2 ? -1 : SampleTable::groupOf(row); }
        };
        TableModel model(sampleColumns());
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setGrouped(true);
        model.setSnapshot(std::make_shared<Half>(idleRows(), true));
        model.sort(kMonth, Qt::AscendingOrder);
        QCOMPARE(model.index(model.rowCount() - 1, 0).data().toString(), QStringLiteral("Other"));
        QCOMPARE(model.rowCount(model.index(model.rowCount() - 1, 0)), 4);
        QCOMPARE(model.shownRows(), 8);
    }

    void tellsNewFiguresOfTheSameRowsWithoutMovingAnything()
    {
        TableModel model(sampleColumns());
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSnapshot(sampleTable(idleRows()));
        std::vector<SampleRow> rows = idleRows();
        rows[0].perMonth = 99;
        Spies spies(model);
        model.setSnapshot(sampleTable(rows));
        QCOMPARE(spies.counts(), QStringLiteral("reset 0 layout 0 data 1 checked 0"));
        QCOMPARE(model.index(0, kMonth).data().toString(), QStringLiteral("99"));
        model.setSnapshot(model.snapshot());
        QCOMPARE(spies.counts(), QStringLiteral("reset 0 layout 0 data 1 checked 0"));
    }

    void keepsIndexesWithTheirRowsOverNewData()
    {
        TableModel model(sampleColumns());
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSnapshot(sampleTable(idleRows()));
        const QPersistentModelIndex kept = model.indexOf(QStringLiteral("notebook/eval-4"), kMonth);
        const QPersistentModelIndex gone = model.indexOf(QStringLiteral("vm/i-0f2a9c41d77"));
        std::vector<SampleRow> rows = idleRows();
        std::erase_if(rows, [](const SampleRow &row) { return row.id.startsWith(QStringLiteral("vm/")); });
        std::reverse(rows.begin(), rows.end());
        Spies spies(model);
        model.setSnapshot(sampleTable(rows));
        QCOMPARE(spies.counts(), QStringLiteral("reset 0 layout 1 data 1 checked 0"));
        QCOMPARE(kept.data(kRowIdRole).toString(), QStringLiteral("notebook/eval-4"));
        QCOMPARE(kept.column(), kMonth);
        QVERIFY(!gone.isValid());
    }

    void signalsOnceForEachSortAndFilter()
    {
        TableModel model(sampleColumns());
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSnapshot(sampleTable(idleRows()));
        Spies spies(model);
        model.sort(kMonth, Qt::DescendingOrder);
        QCOMPARE(spies.counts(), QStringLiteral("reset 0 layout 1 data 0 checked 0"));
        model.sort(kMonth, Qt::DescendingOrder);
        QCOMPARE(spies.counts(), QStringLiteral("reset 0 layout 1 data 0 checked 0"));
        model.setFilterText(QStringLiteral("notebook"));
        model.setFilterText(QStringLiteral("noteboo")); // finds the same
        QCOMPARE(spies.counts(), QStringLiteral("reset 0 layout 2 data 0 checked 0"));
        model.setColumns(sampleColumns());
        QCOMPARE(spies.counts(), QStringLiteral("reset 0 layout 2 data 0 checked 0"));
        std::vector<ui::TableColumn> fewer = sampleColumns();
        fewer.pop_back();
        model.setColumns(fewer);
        QCOMPARE(spies.counts(), QStringLiteral("reset 1 layout 2 data 0 checked 0"));
        QCOMPARE(model.sortColumn(), kMonth);
    }

    void keepsTicksWithTheirRows()
    {
        TableModel model(sampleColumns());
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setSnapshot(sampleTable(idleRows()));
        Spies spies(model);
        QVERIFY(model.setData(model.indexOf(QStringLiteral("notebook/eval-4")), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(spies.counts(), QStringLiteral("reset 0 layout 0 data 1 checked 1"));
        const QModelIndex unsure = model.indexOf(QStringLiteral("deploy/llama-canary"));
        QVERIFY(!model.setData(unsure, Qt::Checked, Qt::CheckStateRole));
        QVERIFY(!(unsure.flags() & Qt::ItemIsUserCheckable));
        QVERIFY(!unsure.data(Qt::CheckStateRole).isValid());
        model.setChecked(
            {QStringLiteral("vm/i-0f2a9c41d77"), QStringLiteral("deploy/llama-canary"), QStringLiteral("nothing")},
            true);
        QCOMPARE(model.checkedIds(),
                 (QStringList{QStringLiteral("notebook/eval-4"), QStringLiteral("vm/i-0f2a9c41d77")}));
        QCOMPARE(spies.checks.size(), 2);
        model.setFilterText(QStringLiteral("research")); // hides one of them
        model.sort(kMonth, Qt::DescendingOrder);
        QCOMPARE(model.checkedIds().size(), 2);
        std::vector<SampleRow> rows = idleRows();
        std::erase_if(rows, [](const SampleRow &row) { return row.id.startsWith(QStringLiteral("vm/")); });
        model.setSnapshot(sampleTable(rows));
        QCOMPARE(model.checkedIds(), QStringList{QStringLiteral("notebook/eval-4")});
        QCOMPARE(spies.checks.size(), 3);
        rows[1].isCheckable = false;
        model.setSnapshot(sampleTable(rows));
        QCOMPARE(model.checkedIds(), QStringList());
        QCOMPARE(spies.checks.size(), 4);
        model.clearChecked();
        QCOMPARE(spies.checks.size(), 4);
    }

    void answersEveryRole()
    {
        TableModel model(sampleColumns());
        model.setSnapshot(sampleTable(idleRows()));
        const QModelIndex month = model.index(0, kMonth);
        QCOMPARE(month.data().toString(), QStringLiteral("14,483"));
        QCOMPARE(month.data(kRawValueRole).toDouble(), 14483.0);
        QCOMPARE(month.data(Qt::ToolTipRole).toString(), QStringLiteral("Price list, 1 h ago"));
        QCOMPARE(month.data(Qt::AccessibleTextRole).toString(), QStringLiteral("14,483"));
        QVERIFY(month.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
        QCOMPARE(model.index(0, 5).data(kExportValueRole).toString(), QStringLiteral("high"));
        QCOMPARE(model.index(0, 5).data(kRawValueRole).toLongLong(), 2);
        QCOMPARE(model.index(0, 3).data(kExportValueRole).toDouble(), 52 * 3600.0);
        QVERIFY(!model.index(7, kMonth).data(kRawValueRole).isValid());
        QVERIFY(!model.index(7, kMonth).data(kExportValueRole).isValid());
        QCOMPARE(model.headerData(3, Qt::Horizontal, widgets::kExportTitleRole).toString(),
                 QStringLiteral("Idle for, s"));
        QVERIFY(!model.data(QModelIndex(), Qt::DisplayRole).isValid());
        QVERIFY(!model.headerData(99, Qt::Horizontal).isValid());
        model.setSnapshot(nullptr);
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.checkedIds(), QStringList());
    }

    // Any mixture of commands: no row is lost, no row gets another id, ticks are those that were set.
    void holdsUnderRandomCommands()
    {
        for (quint32 seed = 1; seed <= 6; ++seed) {
            QRandomGenerator random(seed);
            TableModel model(sampleColumns());
            QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
            std::vector<SampleRow> rows = randomRows(60, seed);
            model.setSnapshot(sampleTable(rows, true));
            QSet<QString> ticked;
            std::vector<std::pair<QPersistentModelIndex, QString>> kept;
            for (int step = 0; step < 40; ++step) {
                const int row = random.bounded(static_cast<int>(rows.size()));
                const QString id = rows[static_cast<std::size_t>(row)].id;
                switch (random.bounded(6)) {
                case 0:
                    model.sort(random.bounded(7) - 1, random.bounded(2) ? Qt::AscendingOrder : Qt::DescendingOrder);
                    break;
                case 1:
                    model.setFilterText(random.bounded(2) ? QString() : QStringLiteral("vision"));
                    break;
                case 2:
                    model.setGrouped(random.bounded(2));
                    break;
                case 3:
                    if (rows[static_cast<std::size_t>(row)].isCheckable)
                        ticked.insert(id);
                    model.setChecked({id}, true);
                    break;
                case 4:
                    if (const QModelIndex shown = model.indexOf(id, 2); shown.isValid())
                        kept.emplace_back(shown, id);
                    break;
                case 5:
                    std::rotate(rows.begin(), rows.begin() + 1, rows.end());
                    if (rows.size() > 20) {
                        ticked.remove(rows.back().id);
                        rows.pop_back();
                    }
                    model.setSnapshot(sampleTable(rows, true));
                    break;
                }
                for (const auto &[index, was] : kept)
                    QVERIFY(!index.isValid() || index.data(kRowIdRole).toString() == was);
                const QStringList now = model.checkedIds();
                QCOMPARE(QSet<QString>(now.begin(), now.end()), ticked);
                const QStringList shown = lines(model).filter(QStringLiteral("id-"));
                QCOMPARE(shown.size(), model.shownRows());
                QCOMPARE(QSet<QString>(shown.begin(), shown.end()).size(), shown.size());
                if (model.filterText().isEmpty())
                    QCOMPARE(model.shownRows(), static_cast<int>(rows.size()));
            }
        }
    }
};

GPULEDGER_SUITE(TestTableModel)

} // namespace tst_tablemodel

#include "tst_tablemodel.moc"
