// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/time/timezone.h"
#include "app/insight/overview/summary.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "ui/viewmodels/shell/dimensionvalues.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>

namespace tst_dimensionvalues {

using namespace gpuledger;
using insight::Dimension;
using ui::DimensionValues;

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

// The possible values of filters, over the real engine and the demo source, compared with the answers of the summary.
class DimensionValuesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        auto workspace = services::Workspace::open(smallFleet(), {m_folder.path().toStdString(), "UTC", false},
                                                   *m_catalog, *m_secrets, m_clock);
        QVERIFY(workspace.has_value());
        m_workspace = std::move(*workspace);
        QVERIFY(m_workspace->fleet().values(Dimension::Team)->empty()); // before any sync
        QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value());
    }

    void rollUpDimensionsTellTheirShareOfPaidTime()
    {
        const auto range = m_workspace->fleet().coveredRange().value();
        for (int d = 0; d <= static_cast<int>(Dimension::NodePool); ++d) {
            const Dimension dimension = static_cast<Dimension::Kind>(d);
            const auto values = m_workspace->fleet().values(dimension).value();
            const auto summary = m_workspace->fleet().summary({range, {}}, dimension).value();
            QCOMPARE(values.size(), summary.rows.size());
            double before = 1, sum = 0;
            for (const auto &value : values) {
                const auto row = std::find_if(summary.rows.begin(), summary.rows.end(),
                                              [&](const auto &r) { return r.key == value.value; });
                QVERIFY(row != summary.rows.end());
                const double share =
                    static_cast<double>(row->time.paid().ticks) / static_cast<double>(summary.total.time.paid().ticks);
                QVERIFY(std::abs(*value.share - share) < 1e-9);
                QVERIFY(*value.share <= before);
                before = *value.share;
                sum += share;
            }
            QVERIFY(std::abs(sum - 1) < 1e-9);
        }
    }

    void factDimensionsNameEverythingThatFiltersMayFind()
    {
        const auto range = m_workspace->fleet().coveredRange().value();
        for (const Dimension dimension : {Dimension::Workload, Dimension::Node, Dimension::Device}) {
            const auto values = m_workspace->fleet().values(dimension).value();
            QVERIFY(std::is_sorted(values.begin(), values.end(),
                                   [](const auto &a, const auto &b) { return a.value < b.value; }));
            const auto summary = m_workspace->fleet().summary({range, {}}, dimension).value();
            QVERIFY(!summary.rows.empty());
            for (const auto &row : summary.rows) {
                QVERIFY2(std::any_of(values.begin(), values.end(),
                                     [&](const auto &v) { return v.value == row.key && !v.share; }),
                         row.key.c_str());
            }
        }
    }

    void asksOnceUntilTheDataChange()
    {
        ui::TaskRunner tasks;
        DimensionValues values(m_workspace->fleet(), tasks);
        QSignalSpy changed(&values, &DimensionValues::changed);
        QVERIFY(!values.values(Dimension::Cluster));
        values.want(Dimension::Cluster);
        values.want(Dimension::Cluster);
        QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, kPatience);
        const auto first = values.values(Dimension::Cluster);
        QVERIFY(first && !first->empty());
        values.want(Dimension::Cluster);
        values.forget();
        QCOMPARE(values.values(Dimension::Cluster), first); // kept until there are newer ones
        values.want(Dimension::Cluster);
        QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 2, kPatience);
        QVERIFY(values.values(Dimension::Cluster) != first);
    }

    void dropsLateAnswers()
    {
        ui::TaskRunner tasks;
        DimensionValues values(m_workspace->fleet(), tasks);
        QSignalSpy changed(&values, &DimensionValues::changed);
        for (int i = 0; i < 20; ++i) {
            values.want(Dimension::Team);
            values.forget();
        }
        values.want(Dimension::Team);
        QTRY_COMPARE_WITH_TIMEOUT(changed.size(), 1, kPatience);
        QTest::qWait(50);
        QCOMPARE(changed.size(), 1);
    }

    void wallClockReadingsAreFoundAgain()
    {
        const auto berlin = base::TimeZone::find("Europe/Berlin").value();
        for (std::int64_t t = 1774080000; t < 1774080000 + 250LL * 86400; t += 13 * 60) {
            const auto at = base::fromUnix(t);
            const auto back = berlin.fromLocalSeconds(berlin.localSeconds(at));
            QVERIFY(back == at || back == at - base::Seconds{3600}); // of a repeated hour, the first one
        }
        // 02:30 on 29 March 2026 does not exist.
        const auto gap = base::parseTime("2026-03-29T02:30:00Z").value();
        QVERIFY(berlin.fromLocalSeconds(base::toUnix(gap)) == base::parseTime("2026-03-29T01:30:00Z").value());
        QVERIFY(berlin.fromLocalSeconds(base::toUnix(base::parseTime("2026-10-25T02:30:00Z").value()))
                == base::parseTime("2026-10-25T00:30:00Z").value());
    }

private:
    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore(nullptr);
    base::FrozenClock m_clock{base::parseTime("2026-11-21T12:00:00Z").value()};
    QTemporaryDir m_folder;
    std::unique_ptr<services::Workspace> m_workspace;
};

GPULEDGER_SUITE(DimensionValuesTest)

} // namespace tst_dimensionvalues

#include "tst_dimensionvalues.moc"
