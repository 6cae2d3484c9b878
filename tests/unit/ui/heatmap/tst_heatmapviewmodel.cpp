// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/sources/sourceservice.h"
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "ui/pages/heatmap/heatmapstrip.h"
#include "ui/viewmodels/heatmap/heatmapmatrix.h"
#include "ui/viewmodels/heatmap/heatmaprange.h"
#include "ui/viewmodels/heatmap/heatmapviewmodel.h"
#include "ui/viewmodels/shell/synccontroller.h"
#include "widgets/delegates/roles.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUrlQuery>

#include <cmath>

namespace tst_heatmapviewmodel {

using namespace gpuledger;
using ui::HeatmapViewModel;

namespace {

constexpr int kPatience = 60000;

model::Settings smallFleet()
{
    model::Settings settings;
    model::SourceSettings source;
    source.name = "demo";
    source.kind = "demo";
    source.options = {{"gpus", "56"}, {"days", "3"}};
    source.firstSync = 3 * base::kDay;
    settings.sources.push_back(std::move(source));
    return settings;
}

} // namespace

// The page's state without a window, over the real engine and the demo source.
class HeatmapViewModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        auto workspace = services::Workspace::open(smallFleet(), {m_folder->path().toStdString(), "UTC", false},
                                                   *m_catalog, *m_secrets, m_clock);
        QVERIFY(workspace.has_value());
        m_workspace = std::move(*workspace);
    }

    void saysFirstRunBeforeAnySync()
    {
        ui::TaskRunner tasks;
        HeatmapViewModel model(m_workspace->config(), m_workspace->fleet(), tasks);
        model.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), ui::PageState::FirstRun, kPatience);
    }

    void showsTeamsAfterSyncAndDrillsDown()
    {
        ui::TaskRunner tasks;
        ui::SyncController sync(m_workspace->config(), m_workspace->sources(), m_workspace->fleet(), tasks);
        HeatmapViewModel model(m_workspace->config(), m_workspace->fleet(), tasks);
        QSignalSpy data(&sync, &ui::SyncController::dataChanged);
        sync.start();
        QVERIFY(sync.running());
        QTRY_VERIFY_WITH_TIMEOUT(!sync.running() && !data.isEmpty(), kPatience);
        QCOMPARE(sync.lastReports().size(), std::size_t{1});
        QVERIFY(!sync.lastReports().front().error);
        model.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), ui::PageState::Data, kPatience);
        const auto teams = model.snapshot();
        QVERIFY(teams->heatmap->rows.size() > 2);
        QCOMPARE(teams->heatmap->bins.size(), std::size_t{168});

        QSignalSpy changed(&model, &HeatmapViewModel::changed);
        const auto held = std::find_if(teams->heatmap->rows.begin(), teams->heatmap->rows.end(),
                                       [](const auto &r) { return r.overall.heldHours > 0; });
        QVERIFY(held != teams->heatmap->rows.end());
        model.drill(held->key);
        QVERIFY(model.dimension() == insight::Dimension::Workload);
        QTRY_VERIFY_WITH_TIMEOUT(model.snapshot() != teams, kPatience);
        double sum = 0;
        for (const auto &row : model.snapshot()->heatmap->rows)
            sum += row.overall.heldHours;
        QVERIFY2(std::abs(sum - held->overall.heldHours) < 1e-6, "the workloads of a team do not add up to the team");
        model.climb(0);
        QTRY_VERIFY_WITH_TIMEOUT(
            model.path().empty() && model.snapshot()->heatmap->rows.size() == teams->heatmap->rows.size(), kPatience);
    }

    void explainsWhatStandsBehindARow()
    {
        QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value());
        ui::TaskRunner tasks;
        HeatmapViewModel model(m_workspace->config(), m_workspace->fleet(), tasks);
        model.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), ui::PageState::Data, kPatience);
        QVERIFY(!model.detail());
        const auto &rows = model.snapshot()->heatmap->rows;
        const auto held = std::find_if(rows.begin(), rows.end(), [](const auto &r) { return r.overall.heldHours > 0; });
        QVERIFY(held != rows.end());
        model.explain(rows.back().key);
        model.explain(held->key); // the newest query wins
        QTRY_VERIFY_WITH_TIMEOUT(model.detail(), kPatience);
        QCOMPARE(model.detail()->key, held->key);
        QVERIFY(model.detail()->by == insight::Dimension::Workload);
        // For every cell, the rows of the strip add up to its held time and its cost.
        const std::size_t columns = model.snapshot()->heatmap->bins.size();
        for (std::size_t c = 0; c < columns; ++c) {
            const auto strip = ui::heatmapStripRows(model.detail(), c);
            double hours = 0, cost = 0;
            for (int r = 0; r < strip->rowCount(); ++r) {
                hours += std::get<double>(strip->value(r, 4));
                cost += std::get<double>(strip->value(r, 5));
            }
            QVERIFY(std::abs(hours - held->cells[c].heldHours) < 1e-6);
            QVERIFY(std::abs(cost - static_cast<double>(held->cells[c].idleCostNanos) / 1e9) < 1e-6);
        }
        model.drill(held->key, model.detail()->heatmap.rows.front().key);
        QVERIFY(model.dimension() == insight::Dimension::Node);
    }

    // The wall: rows of any lower level at once, at five minutes.
    void showsAllDevicesAtFiveMinutes()
    {
        QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value());
        ui::TaskRunner tasks;
        HeatmapViewModel model(m_workspace->config(), m_workspace->fleet(), tasks);
        QSignalSpy choice(&model, &HeatmapViewModel::choiceChanged);
        model.setDimension(insight::Dimension::Device);
        model.setBins(insight::Bins::FiveMinutes);
        QCOMPARE(choice.size(), 2);
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), ui::PageState::Data, kPatience);
        const auto wall = model.snapshot();
        QCOMPARE(wall->heatmap->rows.size(), std::size_t{56});
        QVERIFY(wall->heatmap->bins.size() > 2 * base::kBucketsPerDay);
        QCOMPARE(wall->matrix.rowCount(), 56);
        QVERIFY(wall->matrix.levels && wall->matrix.packed);
        QVERIFY(!model.canDrill() && !model.hasDetail());
        // A link leads back to it.
        HeatmapViewModel other(m_workspace->config(), m_workspace->fleet(), tasks);
        other.restore(model.place());
        QVERIFY(other.dimension() == insight::Dimension::Device);
        QVERIFY(other.bins() == insight::Bins::FiveMinutes);
        QVERIFY(other.path().empty());
        other.setDimension(insight::Dimension::Region); // there are no such rows
        QVERIFY(other.dimension() == insight::Dimension::Device);
    }

    void rowsOfALowerLevelAreThoseBehindThePath()
    {
        QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value());
        ui::TaskRunner tasks;
        HeatmapViewModel model(m_workspace->config(), m_workspace->fleet(), tasks);
        model.setDimension(insight::Dimension::Node);
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), ui::PageState::Data, kPatience);
        const std::string node = model.snapshot()->heatmap->rows.front().key;
        model.drill(node);
        QVERIFY(model.dimension() == insight::Dimension::Device);
        QCOMPARE(model.path().size(), std::size_t{1});
        QVERIFY(model.path().front().dimension == insight::Dimension::Node);
        HeatmapViewModel other(m_workspace->config(), m_workspace->fleet(), tasks);
        other.restore(model.place());
        QVERIFY(other.path() == model.path());
        QVERIFY(other.dimension() == insight::Dimension::Device);
        model.climb(0);
        QVERIFY(model.dimension() == insight::Dimension::Team);
    }

    void beginsWithWhatIsWasted()
    {
        ui::TaskRunner tasks;
        HeatmapViewModel model(m_workspace->config(), m_workspace->fleet(), tasks);
        QVERIFY(model.metric() == insight::Metric::IdleCost);
        model.setMetric(insight::Metric::Cost);
        model.restore({}); // a link without a metric
        QVERIFY(model.metric() == insight::Metric::IdleCost);
    }

    // Allocation and compute are views of shares; money has neither.
    void moneyHasNoViews()
    {
        ui::TaskRunner tasks;
        HeatmapViewModel model(m_workspace->config(), m_workspace->fleet(), tasks);
        QVERIFY(!model.hasViews());
        model.setView(HeatmapViewModel::View::Both);
        QVERIFY(model.view() == HeatmapViewModel::View::Compute);
        model.setMetric(insight::Metric::Utilization);
        model.setView(HeatmapViewModel::View::Both);
        QVERIFY(model.hasViews() && model.view() == HeatmapViewModel::View::Both);
        QVERIFY(model.dimension() == insight::Dimension::GpuModel); // a team's GPUs are allocated by definition
        HeatmapViewModel other(m_workspace->config(), m_workspace->fleet(), tasks);
        other.restore(model.place());
        QVERIFY(other.view() == HeatmapViewModel::View::Both && other.dimension() == insight::Dimension::GpuModel);
        model.setMetric(insight::Metric::Cost);
        QVERIFY(model.view() == HeatmapViewModel::View::Compute);
        QUrlQuery link;
        link.addQueryItem(QStringLiteral("metric"), QStringLiteral("cost"));
        link.addQueryItem(QStringLiteral("view"), QStringLiteral("both"));
        other.restore(link);
        QVERIFY(other.view() == HeatmapViewModel::View::Compute);
    }

    void aDrillDownStartsWithAnyDimension_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("clusters") << int(insight::Dimension::Cluster);
        QTest::newRow("models") << int(insight::Dimension::GpuModel);
        QTest::newRow("types") << int(insight::Dimension::WorkloadKind);
    }
    void aDrillDownStartsWithAnyDimension()
    {
        QFETCH(int, kind);
        const insight::Dimension root = static_cast<insight::Dimension::Kind>(kind);
        QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value());
        ui::TaskRunner tasks;
        HeatmapViewModel model(m_workspace->config(), m_workspace->fleet(), tasks);
        model.setDimension(root);
        QVERIFY(model.dimension() == root && model.root() == root);
        HeatmapViewModel other(m_workspace->config(), m_workspace->fleet(), tasks);
        other.restore(model.place());
        QVERIFY(other.dimension() == root);
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), ui::PageState::Data, kPatience);
        const auto top = model.snapshot();
        const auto held = std::find_if(top->heatmap->rows.begin(), top->heatmap->rows.end(),
                                       [](const auto &r) { return r.overall.heldHours > 0; });
        QVERIFY(held != top->heatmap->rows.end());
        const insight::HeatmapRow row = *held;
        model.drill(row.key);
        QVERIFY(model.dimension() == insight::Dimension::Workload);
        QVERIFY(model.dimensions()
                == (std::vector<insight::Dimension>{insight::Dimension::Workload, insight::Dimension::Node,
                                                    insight::Dimension::Device}));
        QTRY_VERIFY_WITH_TIMEOUT(model.snapshot() != top && !model.isAsking(), kPatience);
        double hours = 0;
        for (const auto &one : model.snapshot()->heatmap->rows)
            hours += one.overall.heldHours;
        QVERIFY(std::abs(hours - row.overall.heldHours) < 1e-6);
        other.restore(model.place());
        QVERIFY(other.path() == model.path() && other.dimension() == insight::Dimension::Workload);
        QVERIFY(model.scopeOf("ml/Job/a").filter.include
                == (std::map<insight::Dimension, std::vector<std::string>>{
                    {root, {row.key}}, {insight::Dimension::Workload, {"ml/Job/a"}}}));
        model.climb(0);
        QVERIFY(model.dimension() == root);
    }

    void dropsLateAnswers()
    {
        QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value());
        ui::TaskRunner tasks;
        HeatmapViewModel model(m_workspace->config(), m_workspace->fleet(), tasks);
        model.setMetric(insight::Metric::Power);
        model.setMetric(insight::Metric::Allocation);
        model.setMetric(insight::Metric::Cost);
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), ui::PageState::Data, kPatience);
        QVERIFY(model.snapshot()->heatmap->metric == insight::Metric::Cost);
        QTest::qWait(50);
        QVERIFY(model.snapshot()->heatmap->metric == insight::Metric::Cost);
    }

    void asksNothingWhileHidden()
    {
        ui::TaskRunner tasks;
        HeatmapViewModel model(m_workspace->config(), m_workspace->fleet(), tasks);
        model.setActive(false);
        model.refresh();
        QSignalSpy changed(&model, &HeatmapViewModel::changed);
        QTest::qWait(50);
        QCOMPARE(changed.size(), 0);
        QVERIFY(model.state() == ui::PageState::Loading);
        model.setActive(true);
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), ui::PageState::FirstRun, kPatience);
    }

    void tellsMissingFromZero()
    {
        auto heatmap = std::make_shared<insight::Heatmap>();
        heatmap->unit = "share";
        heatmap->binning = insight::Bins::HourOfDay;
        heatmap->bins = {"00", "01", "02"};
        heatmap->columns.resize(3);
        const insight::HeatmapCell zero{0.0, 1, 1.0, 0, 1, 0, 1.0}, missing{std::nullopt, 1, 0.0, 0, 1, 0, 0.0},
            free{std::nullopt, 0, 1.0, 0, 1, 0, 1.0};
        heatmap->rows.push_back({"<b>team</b>", {zero, missing, free}, {0.0, 2, 0.7, 0, 3, 0, 0.7}});
        heatmap->rows.push_back({"shared", {{}, {}, {}}, {std::nullopt, 0, 1.0, 0, 3, 0, 1.0}});
        const widgets::HeatmapData data = ui::heatmapMatrix(heatmap, insight::Dimension::Team);
        QCOMPARE(data.rowCount(), 1); // unowned time has no utilization
        QCOMPARE(data.rows[0].label, QStringLiteral("<b>team</b>"));
        QCOMPARE(data.value(0, 0), 0.0);
        QVERIFY(std::isnan(data.value(0, 1)));
        QVERIFY(data.isMissing(0, 1) && !data.isBlank(0, 1)); // paid for, but unobserved
        QVERIFY(data.isBlank(0, 2) && !data.isMissing(0, 2));
        QCOMPARE(data.details(0, 1).front().value, QStringLiteral("not observed"));
        QCOMPARE(data.details(0, 2).front().value, QStringLiteral("nothing held"));
        QVERIFY(data.details(5, 0).empty());
    }

    // An hour of the week that occurred more often is not for that reason more expensive.
    void costOfAnHourIsAMean()
    {
        auto heatmap = hoursOf(insight::Metric::IdleCost);
        heatmap->lengths = {base::Seconds{7200}, base::Seconds{3600}, base::Seconds{0}};
        heatmap->rows.push_back(costs("research", {10, 6, std::nullopt}));
        const widgets::HeatmapData data = ui::heatmapMatrix(heatmap, insight::Dimension::Team);
        QCOMPARE(data.value(0, 0), 5.0);
        QCOMPARE(data.value(0, 1), 6.0);
        QVERIFY(std::isnan(data.value(0, 2)));
        QCOMPARE(data.rows[0].meanText, QStringLiteral("16.0")); // the sum stays one
        QVERIFY2(data.legendText.contains(QStringLiteral("USD per hour, effective rates")),
                 qPrintable(data.legendText));
        QVERIFY2(data.valueText(5).endsWith(QStringLiteral(" per hour")), qPrintable(data.valueText(5)));
        const auto lines = data.details(0, 0);
        QCOMPARE(lines[0].label, QStringLiteral("Idle cost, mean per hour"));
        QCOMPARE(lines[0].value, QStringLiteral("5.00 USD"));
        QCOMPARE(lines[1].label, QStringLiteral("Sum of 2 h"));
        QCOMPARE(lines[1].value, QStringLiteral("10.00 USD"));
        heatmap->binning = insight::Bins::Day;
        heatmap->bins = {"2026-11-01", "2026-11-02", "2026-11-03"};
        const widgets::HeatmapData days = ui::heatmapMatrix(heatmap, insight::Dimension::Team);
        QCOMPARE(days.value(0, 0), 10.0);
        QVERIFY(!days.legendText.contains(QStringLiteral("per hour")));
        QCOMPARE(days.details(0, 0)[0].label, QStringLiteral("Idle cost"));
        QCOMPARE(days.groups.front().shortLabel, QStringLiteral("26 Oct"));
    }

    // It costs more than anything that is idle, but is nobody's idle cost: its own amount, and not its range.
    void unallocatedTimeShowsItsOwnCost()
    {
        auto heatmap = hoursOf(insight::Metric::IdleCost);
        heatmap->rows.push_back(costs("research", {10, 6, 2}));
        insight::HeatmapRow free = costs("shared", {0, 0, 0});
        for (insight::HeatmapCell *cell : {&free.cells[0], &free.cells[1], &free.cells[2], &free.overall}) {
            cell->heldHours = 0;
            cell->unallocatedCostNanos = 100'000'000'000;
        }
        free.overall.unallocatedCostNanos = 300'000'000'000;
        heatmap->rows.push_back(free);
        const widgets::HeatmapData data = ui::heatmapMatrix(heatmap, insight::Dimension::Team);
        QCOMPARE(data.rows[0].label, QStringLiteral("Unallocated"));
        QCOMPARE(data.rows[0].key, QStringLiteral("shared"));
        QCOMPARE(data.rows[0].meanText, QStringLiteral("300"));
        QCOMPARE(data.value(0, 1), 100.0);
        QCOMPARE(data.details(0, 1)[0].label, QStringLiteral("Cost of unallocated time"));
        QVERIFY(std::isnan(data.rows[0].side)); // the sum of the row says it
        QCOMPARE(data.firstRow, 1); // nobody has to answer for the first
        QCOMPARE(data.maximum, 10.0);
        QVERIFY(data.hasHigher);
        QVERIFY(data.scale == widgets::HeatScale::Cost);
        // Beside other metrics, it is the grey bar.
        heatmap->metric = insight::Metric::Coverage;
        heatmap->unit = "share";
        const widgets::HeatmapData other = ui::heatmapMatrix(heatmap, insight::Dimension::Team);
        QCOMPARE(other.rows[0].side, 300.0);
        QVERIFY(other.rows[0].sideColor == widgets::Color::Unallocated);
        QVERIFY(other.rows[1].sideColor == widgets::Color::Idle);
        QVERIFY(!other.scale);
        // A node that held nothing is an ordinary row.
        QCOMPARE(ui::heatmapMatrix(heatmap, insight::Dimension::Node).rows[0].key, QStringLiteral("research"));
    }

    void colorsCoverTheRangeOfTheData_data()
    {
        QTest::addColumn<QList<double>>("values");
        QTest::addColumn<bool>("share");
        QTest::addColumn<double>("minimum");
        QTest::addColumn<double>("maximum");
        QTest::addColumn<bool>("lower");
        QTest::addColumn<bool>("higher");
        QList<double> outliers(98, 50);
        outliers << 0.4 << 61.2;
        for (int i = 0; i < 98; ++i)
            outliers << 60;
        outliers << 99 << 98;
        QList<double> spike(97, 20);
        spike << 346 << 346 << 346 << 5000;
        QTest::newRow("nothing") << QList<double>() << true << 0.0 << 100.0 << false << false;
        QTest::newRow("no money") << QList<double>{0, 0} << false << 0.0 << 1.0 << false << false;
        QTest::newRow("all the same") << QList<double>{100, 100} << true << 0.0 << 100.0 << false << false;
        QTest::newRow("shares") << QList<double>{31.5, 70.2} << true << 31.0 << 71.0 << false << false;
        QTest::newRow("outliers") << outliers << true << 50.0 << 60.0 << true << true;
        QTest::newRow("money") << QList<double>{0, 12, 346} << false << 0.0 << 350.0 << false << false;
        QTest::newRow("spike") << spike << false << 0.0 << 350.0 << false << true;
        QTest::newRow("far from zero") << QList<double>{911, 945} << false << 910.0 << 950.0 << false << false;
        QTest::newRow("cents") << QList<double>{0.01, 0.123} << false << 0.0 << 0.13 << false << false;
    }
    void colorsCoverTheRangeOfTheData()
    {
        QFETCH(QList<double>, values);
        QFETCH(bool, share);
        const std::vector<double> all(values.begin(), values.end());
        const ui::HeatmapRange range = share ? ui::fittedShares(all) : ui::fittedAmounts(all);
        QTEST(range.minimum, "minimum");
        QTEST(range.maximum, "maximum");
        QTEST(range.hasLower, "lower");
        QTEST(range.hasHigher, "higher");
    }

    void percentagesCanHaveTheWholeRange()
    {
        auto heatmap = hoursOf(insight::Metric::Utilization);
        heatmap->unit = "share";
        heatmap->rows.push_back(costs("vision", {0.4, 0.5, 0.6}));
        const auto fitted = ui::heatmapMatrix(heatmap, insight::Dimension::Team);
        QCOMPARE(fitted.minimum, 40.0);
        QCOMPARE(fitted.maximum, 60.0);
        QVERIFY(fitted.legendText.contains(QStringLiteral("range of the data")));
        const auto full = ui::heatmapMatrix(heatmap, insight::Dimension::Team, ui::ShareRange::Full);
        QCOMPARE(full.minimum, 0.0);
        QCOMPARE(full.maximum, 100.0);
        QVERIFY(!full.legendText.contains(QStringLiteral("range")));
        ui::TaskRunner tasks;
        HeatmapViewModel model(m_workspace->config(), m_workspace->fleet(), tasks),
            other(m_workspace->config(), m_workspace->fleet(), tasks);
        model.setRange(ui::ShareRange::Full);
        other.restore(model.place());
        QVERIFY(other.range() == ui::ShareRange::Full);
    }

    void theStripSaysKindAndDevicesOfAHolder()
    {
        auto detail = std::make_shared<ui::HeatmapDetail>();
        detail->by = insight::Dimension::Workload;
        detail->heatmap = *hoursOf(insight::Metric::Utilization);
        detail->heatmap.unit = "share";
        detail->heatmap.lengths.assign(3, base::Seconds{7200});
        for (const char *key : {"ml/Notebook/jlee", "Pod/lone", ""})
            detail->heatmap.rows.push_back(costs(key, {0.5, 0.25, std::nullopt}));
        detail->heatmap.rows[0].cells[0].heldHours = 16;
        const auto rows = ui::heatmapStripRows(detail, 0);
        QCOMPARE(rows->rowCount(), 3);
        QCOMPARE(rows->text(0, 0), QStringLiteral("ml/jlee"));
        QCOMPARE(rows->text(0, 1), QStringLiteral("Notebook"));
        QCOMPARE(rows->text(0, 2), QStringLiteral("8.0"));
        QCOMPARE(rows->text(1, 0), QStringLiteral("lone"));
        QCOMPARE(rows->text(1, 1), QStringLiteral("Pod"));
        QCOMPARE(rows->text(2, 0), QStringLiteral("(unallocated)"));
        QCOMPARE(rows->text(2, 1), QStringLiteral("–"));
        const auto line = rows->extra(0, 7, widgets::kSparklineRole).value<QList<double>>();
        QCOMPARE(line.size(), 3);
        QVERIFY(line[0] == 0.5 && line[1] == 0.25 && std::isnan(line[2]));
        detail->by = insight::Dimension::Node;
        QCOMPARE(ui::heatmapStripRows(detail, 0)->text(0, 0), QStringLiteral("ml/Notebook/jlee"));
    }

    // In the card of the cell and in the rows below the matrix.
    void saysWhatIsKnownOnlyInPart()
    {
        auto heatmap = std::make_shared<insight::Heatmap>();
        heatmap->unit = "share";
        heatmap->binning = insight::Bins::HourOfDay;
        heatmap->bins = {"00", "01", "02"};
        heatmap->columns.resize(3);
        const insight::HeatmapCell whole{0.5, 2, 1.0, 0, 2, 0, 1.0}, part{0.5, 2, 0.4, 0, 2, 3, 0.375},
            none{std::nullopt, 0, 0.0, 0, 0, 5, 0.0};
        heatmap->rows.push_back({"vision", {whole, part, none}, {0.5, 4, 0.4, 0, 4, 8, 0.3}});
        const widgets::HeatmapData data = ui::heatmapMatrix(heatmap, insight::Dimension::Team);
        QVERIFY(!data.isPart(0, 0) && data.isPart(0, 1) && !data.isPart(0, 2));
        QCOMPARE(data.knownPercent(0, 1), 37); // rounded down
        QVERIFY(data.isMissing(0, 2) && !data.isBlank(0, 2)); // not "nothing held"
        QVERIFY(data.levels->hasParts() && !data.partText.isEmpty());
        const auto says = [&](int column) {
            QStringList lines;
            for (const auto &line : data.details(0, column))
                lines << line.label + QLatin1Char('=') + line.value;
            return lines.join(QLatin1Char('|'));
        };
        QVERIFY2(!says(0).contains(QStringLiteral("part")) && !says(0).contains(QStringLiteral("fetched")),
                 qPrintable(says(0)));
        QVERIFY2(says(1).contains(QStringLiteral("Observed in part=37.5 % of this time")), qPrintable(says(1)));
        QVERIFY2(says(1).contains(QStringLiteral("Not fetched yet=3.0 GPU-h")), qPrintable(says(1)));
        QVERIFY2(says(2).contains(QStringLiteral("Not fetched yet=5.0 GPU-h")), qPrintable(says(2)));
        auto detail = std::make_shared<ui::HeatmapDetail>();
        detail->heatmap = *heatmap;
        const auto rows = ui::heatmapStripRows(detail, 2);
        QCOMPARE(rows->rowCount(), 1); // it existed at the end of the data
        QCOMPARE(rows->text(0, 4), QStringLiteral("–")); // and its later use is unknown
        QCOMPARE(rows->text(0, 6), QStringLiteral("0 %"));
        QVERIFY(std::holds_alternative<std::monostate>(rows->value(0, 5)));
    }

    void aCellLeadsToItsTimeInGrafana()
    {
        model::Settings settings = smallFleet();
        settings.links.grafana =
            "https://g.example.org/d/x?team={team}&ns={namespace}&w={workload}&from={from}&to={to}";
        QVERIFY(m_workspace->apply(settings).has_value());
        QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value());
        ui::TaskRunner tasks;
        HeatmapViewModel model(m_workspace->config(), m_workspace->fleet(), tasks);
        QVERIFY(!model.grafanaLink("vision", 0)); // nothing is shown yet
        model.setBins(insight::Bins::Day);
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), ui::PageState::Data, kPatience);
        const auto value = [&](const std::string &key, std::size_t column, const char *name) {
            const auto link = model.grafanaLink(key, column);
            return link ? QUrlQuery(*link).queryItemValue(QLatin1String(name), QUrl::FullyDecoded) : QString();
        };
        const auto millis = [](base::UtcTime t) { return QString::number(base::toUnix(t) * 1000); };
        const auto first = model.snapshot();
        const insight::Heatmap &map = *first->heatmap;
        const auto day = base::parseTime(map.bins.at(1)).value();
        QCOMPARE(value("a b&c", 1, "team"), QStringLiteral("a b&c"));
        QCOMPARE(value("x", 1, "from"), millis(day));
        QCOMPARE(value("x", 1, "to"), millis(day + base::kDay));
        QCOMPARE(value("x", map.bins.size() - 1, "to"), millis(map.range.end)); // the last day is not complete
        model.setBins(insight::Bins::HourOfWeek); // not a single stretch of time
        QTRY_COMPARE_WITH_TIMEOUT(model.snapshot()->heatmap->bins.size(), std::size_t{168}, kPatience);
        QCOMPARE(value("x", 5, "from"), millis(map.range.start));
        const std::string team = model.snapshot()->heatmap->rows.front().key;
        model.drill(team);
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), ui::PageState::Data, kPatience);
        QCOMPARE(value("ml/Job/train", 0, "team").toStdString(), team);
        QCOMPARE(value("ml/Job/train", 0, "ns"), QStringLiteral("ml"));
        QCOMPARE(value("ml/Job/train", 0, "w"), QStringLiteral("train"));
        QCOMPARE(value("Pod/lone", 0, "ns"), QString());
        settings.links.grafana.clear();
        QVERIFY(m_workspace->apply(settings).has_value());
        QVERIFY(!model.grafanaLink("x", 0));
    }

private:
    // Three hours of the day.
    static std::shared_ptr<insight::Heatmap> hoursOf(insight::Metric metric)
    {
        auto heatmap = std::make_shared<insight::Heatmap>();
        heatmap->metric = metric;
        heatmap->unit = "USD";
        heatmap->currency = base::Currency::usd();
        heatmap->binning = insight::Bins::HourOfDay;
        heatmap->bins = {"00", "01", "02"};
        heatmap->columns.resize(3);
        return heatmap;
    }
    // A row with these values, which are also its idle cost.
    static insight::HeatmapRow costs(const char *key, const std::vector<std::optional<double>> &values)
    {
        insight::HeatmapRow row{key, {}, {0.0, 0, 1.0, 0, 0, 0, 1.0}};
        for (const auto value : values) {
            const auto nanos = static_cast<std::int64_t>(value.value_or(0) * 1e9);
            row.cells.push_back({value, 1, 1.0, nanos, 1, 0, 1.0});
            row.overall.value = *row.overall.value + value.value_or(0);
            row.overall.heldHours += 1;
            row.overall.paidHours += 1;
            row.overall.idleCostNanos += nanos;
        }
        return row;
    }

    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
    base::FrozenClock m_clock{base::fromUnix(1'790'000'100)};
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<services::Workspace> m_workspace;
};

GPULEDGER_SUITE(HeatmapViewModelTest)

} // namespace tst_heatmapviewmodel

#include "tst_heatmapviewmodel.moc"
