// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/sources/sourceservice.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "ui/pages/heatmap/heatmapstrip.h"
#include "ui/viewmodels/heatmap/heatmapmatrix.h"
#include "ui/viewmodels/heatmap/heatmapviewmodel.h"
#include "ui/viewmodels/shell/synccontroller.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUrlQuery>

#include <cmath>

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
        HeatmapViewModel model(*m_workspace, tasks);
        model.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), ui::PageState::FirstRun, kPatience);
    }

    void showsTeamsAfterSyncAndDrillsDown()
    {
        ui::TaskRunner tasks;
        ui::SyncController sync(*m_workspace, tasks);
        HeatmapViewModel model(*m_workspace, tasks);
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
        HeatmapViewModel model(*m_workspace, tasks);
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
                hours += std::get<double>(strip->value(r, 2));
                cost += std::get<double>(strip->value(r, 3));
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
        HeatmapViewModel model(*m_workspace, tasks);
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
        HeatmapViewModel other(*m_workspace, tasks);
        other.restore(model.place());
        QVERIFY(other.dimension() == insight::Dimension::Device);
        QVERIFY(other.bins() == insight::Bins::FiveMinutes);
        QVERIFY(other.path().empty());
        other.setDimension(insight::Dimension::Cluster); // there are no such rows
        QVERIFY(other.dimension() == insight::Dimension::Device);
    }

    void rowsOfALowerLevelAreThoseBehindThePath()
    {
        QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value());
        ui::TaskRunner tasks;
        HeatmapViewModel model(*m_workspace, tasks);
        model.setDimension(insight::Dimension::Node);
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), ui::PageState::Data, kPatience);
        const std::string node = model.snapshot()->heatmap->rows.front().key;
        model.drill(node);
        QVERIFY(model.dimension() == insight::Dimension::Device);
        QCOMPARE(model.path().size(), std::size_t{1});
        QVERIFY(model.path().front().dimension == insight::Dimension::Node);
        HeatmapViewModel other(*m_workspace, tasks);
        other.restore(model.place());
        QVERIFY(other.path() == model.path());
        QVERIFY(other.dimension() == insight::Dimension::Device);
        model.climb(0);
        QVERIFY(model.dimension() == insight::Dimension::Team);
    }

    void dropsLateAnswers()
    {
        QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value());
        ui::TaskRunner tasks;
        HeatmapViewModel model(*m_workspace, tasks);
        model.setMetric(insight::Metric::Power);
        model.setMetric(insight::Metric::Allocation);
        model.setMetric(insight::Metric::IdleCost);
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), ui::PageState::Data, kPatience);
        QVERIFY(model.snapshot()->heatmap->metric == insight::Metric::IdleCost);
        QTest::qWait(50);
        QVERIFY(model.snapshot()->heatmap->metric == insight::Metric::IdleCost);
    }

    void asksNothingWhileHidden()
    {
        ui::TaskRunner tasks;
        HeatmapViewModel model(*m_workspace, tasks);
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
        QCOMPARE(rows->text(0, 2), QStringLiteral("–")); // and its later use is unknown
        QCOMPARE(rows->text(0, 4), QStringLiteral("0 %"));
        QVERIFY(std::holds_alternative<std::monostate>(rows->value(0, 3)));
    }

    void aCellLeadsToItsTimeInGrafana()
    {
        model::Settings settings = smallFleet();
        settings.links.grafana =
            "https://g.example.org/d/x?team={team}&ns={namespace}&w={workload}&from={from}&to={to}";
        QVERIFY(m_workspace->apply(settings).has_value());
        QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value());
        ui::TaskRunner tasks;
        HeatmapViewModel model(*m_workspace, tasks);
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
    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
    base::FrozenClock m_clock{base::fromUnix(1'790'000'100)};
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<services::Workspace> m_workspace;
};

GPULEDGER_SUITE(HeatmapViewModelTest)
#include "tst_heatmapviewmodel.moc"
