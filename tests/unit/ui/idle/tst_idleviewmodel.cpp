// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/heatmap/heatmap.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "ui/viewmodels/idle/idleviewmodel.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_idleviewmodel {

using namespace gpuledger;
using ui::IdleColumn;
using ui::IdleGrouping;
using ui::IdleViewModel;
using ui::PageState;

namespace {

constexpr int kPatience = 60000;

model::Settings smallFleet()
{
    model::Settings settings;
    model::SourceSettings source;
    source.name = "demo";
    source.kind = "demo";
    source.options = {{"gpus", "120"}, {"days", "3"}};
    source.firstSync = 3 * base::kDay;
    settings.sources.push_back(std::move(source));
    return settings;
}

int col(IdleColumn column)
{
    return static_cast<int>(column);
}

} // namespace

// The page's state without a window, over the real engine and the demo source.
class IdleViewModelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_workspace = open(m_folder);
        QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value());
    }

    void saysFirstRunBeforeAnySync()
    {
        QTemporaryDir folder;
        const auto workspace = open(folder);
        ui::TaskRunner tasks;
        IdleViewModel model(workspace->config(), workspace->fleet(), workspace->actions(), tasks);
        model.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), PageState::FirstRun, kPatience);
        QVERIFY(model.currentId().isEmpty());
    }

    void theFirstRowIsCurrentWithItsEvidence()
    {
        ui::TaskRunner tasks;
        IdleViewModel model(m_workspace->config(), m_workspace->fleet(), m_workspace->actions(), tasks);
        const QAbstractItemModelTester tester(&model.table(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        load(model);
        const auto &items = model.snapshot()->list.items;
        QVERIFY(items.size() > 2);
        const QModelIndex first = model.table().index(0, 0, model.table().index(0, 0)); // below the first heading
        QCOMPARE(model.currentId(), model.table().snapshot()->id(model.table().sourceRow(first)));
        QVERIFY(model.currentIdle() && !model.currentUnknown());
        QTRY_VERIFY_WITH_TIMEOUT(model.evidence(), kPatience);
        QCOMPARE(model.evidence()->devices, static_cast<int>(model.currentIdle()->devices.size()));
        QVERIFY(!model.evidence()->range.empty());
        QVERIFY(model.evidence()->activity.size() <= insight::kMostEvidenceSteps);
        for (const auto &value : model.evidence()->activity)
            QVERIFY(!value || (*value >= 0 && *value <= 1));
        // Sorted by the cost per month, groups by their sum.
        QCOMPARE(model.table().sortColumn(), col(IdleColumn::PerMonth));
        double before = 1e18;
        for (int g = 0; g < model.table().rowCount(); ++g) {
            const QVariant sum = model.table().index(g, col(IdleColumn::PerMonth)).data(widgets::kRawValueRole);
            if (sum.isValid()) {
                QVERIFY(sum.toDouble() <= before);
                before = sum.toDouble();
            }
        }
    }

    void showsTheEvidenceOfTheNewestRowOnly()
    {
        ui::TaskRunner tasks;
        IdleViewModel model(m_workspace->config(), m_workspace->fleet(), m_workspace->actions(), tasks);
        load(model);
        const auto &items = model.snapshot()->list.items;
        QSignalSpy changed(&model, &IdleViewModel::currentChanged);
        for (const auto &i : items)
            model.setCurrent(QString::fromStdString(i.id)); // each query overtakes the previous one
        const QString last = model.currentId();
        QCOMPARE(last.toStdString(), items.back().id);
        QVERIFY(!model.evidence()); // another row's evidence is not shown as this one's
        QTRY_VERIFY_WITH_TIMEOUT(model.evidence(), kPatience);
        QCOMPARE(model.evidence()->devices, static_cast<int>(items.back().devices.size()));
        const auto answers = changed.size();
        QTest::qWait(100);
        QCOMPARE(changed.size(), answers); // late answers are dropped
        model.setCurrent(QStringLiteral("nobody"));
        model.setCurrent(QString());
        QCOMPARE(model.currentId(), last);
    }

    void keepsTheChosenRowOverNewData()
    {
        ui::TaskRunner tasks;
        IdleViewModel model(m_workspace->config(), m_workspace->fleet(), m_workspace->actions(), tasks);
        load(model);
        const QString chosen = QString::fromStdString(model.snapshot()->list.items.back().id);
        model.setCurrent(chosen);
        const auto before = model.snapshot();
        model.refresh();
        QTRY_VERIFY_WITH_TIMEOUT(model.snapshot() != before, kPatience);
        QCOMPARE(model.currentId(), chosen);
        const QUrlQuery place = model.place();
        IdleViewModel other(m_workspace->config(), m_workspace->fleet(), m_workspace->actions(), tasks);
        other.restore(place);
        load(other);
        QCOMPARE(other.currentId(), chosen);
        other.setCurrent(QString::fromStdString(other.snapshot()->list.items.front().id));
        other.restore(place); // restored again, e.g. with another filter
        QVERIFY(other.currentId() != chosen);
    }

    void addsUpWhatIsTicked()
    {
        ui::TaskRunner tasks;
        IdleViewModel model(m_workspace->config(), m_workspace->fleet(), m_workspace->actions(), tasks);
        load(model);
        const auto &items = model.snapshot()->list.items;
        double gpus = 0, month = 0, avoidable = 0;
        for (const auto &i : items) {
            gpus += i.gpus;
            month += i.perMonth ? i.perMonth->toDouble() : 0;
            avoidable += i.avoidablePerMonth ? i.avoidablePerMonth->toDouble() : 0;
        }
        QCOMPARE(model.totals().workloads, static_cast<int>(items.size()));
        QCOMPARE(model.totals().gpus, gpus);
        const ui::IdleSaving saving = model.totals().saving;
        QCOMPARE(saving.avoidable, avoidable);
        QCOMPARE(saving.avoidable + saving.sunk + saving.undecided, month);
        QCOMPARE(model.checkedTotals().workloads, 0);
        QSignalSpy totals(&model, &IdleViewModel::totalsChanged);
        model.table().setChecked({QString::fromStdString(items[1].id), QStringLiteral("nobody")}, true);
        QCOMPARE(totals.size(), 1);
        QCOMPARE(model.checkedTotals().workloads, 1);
        QCOMPARE(model.checkedTotals().gpus, items[1].gpus);
        model.setGrouping(IdleGrouping::Flat);
        QCOMPARE(model.checkedTotals().workloads, 1); // ticks are kept
    }

    void theEvidenceFollowsOneTick()
    {
        ui::TaskRunner tasks;
        IdleViewModel model(m_workspace->config(), m_workspace->fleet(), m_workspace->actions(), tasks);
        load(model);
        const auto &items = model.snapshot()->list.items;
        QStringList others;
        for (const auto &i : items) {
            if (QString::fromStdString(i.id) != model.currentId())
                others << QString::fromStdString(i.id);
        }
        QVERIFY(others.size() > 2);
        model.table().setChecked({others[0]}, true);
        QCOMPARE(model.currentId(), others[0]);
        model.table().setChecked({others[0]}, false); // nothing to look at
        QCOMPARE(model.currentId(), others[0]);
        model.table().setChecked({others[1], others[2]}, true); // as by the tick of a heading
        QCOMPARE(model.currentId(), others[0]);
    }

    void groupsAreRememberedInThePlace()
    {
        ui::TaskRunner tasks;
        IdleViewModel model(m_workspace->config(), m_workspace->fleet(), m_workspace->actions(), tasks);
        const QAbstractItemModelTester tester(&model.table(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        load(model);
        const int owners = model.table().rowCount();
        QVERIFY(owners > 1);
        QSignalSpy grouping(&model, &IdleViewModel::groupingChanged);
        model.setGrouping(IdleGrouping::Flat);
        model.setGrouping(IdleGrouping::Flat);
        QCOMPARE(grouping.size(), 1);
        const bool someUnknown = !model.snapshot()->list.unknown.empty();
        const bool someBlocked = !model.snapshot()->blocked.items.empty();
        QCOMPARE(model.table().rowCount(), 1 + (someUnknown ? 1 : 0) + (someBlocked ? 1 : 0));
        const QUrlQuery place = model.place();
        model.restore(QUrlQuery());
        QCOMPARE(model.table().rowCount(), owners);
        model.restore(place);
        QVERIFY(model.grouping() == IdleGrouping::Flat);
    }

    void narrowsOtherPagesToTheWorkload()
    {
        ui::TaskRunner tasks;
        IdleViewModel model(m_workspace->config(), m_workspace->fleet(), m_workspace->actions(), tasks);
        load(model);
        const auto scope = model.scopeOfCurrent();
        QVERIFY(scope.has_value());
        insight::HeatmapQuery query;
        query.query.range = model.snapshot()->covered;
        query.query.filter = scope->filter;
        query.zone = m_workspace->timeZone();
        query.by = insight::Dimension::Workload;
        const auto heatmap = m_workspace->fleet().heatmap(query);
        QVERIFY(heatmap.has_value());
        QCOMPARE(heatmap->rows.size(), std::size_t{1}); // the same spelling as there
    }

    void asksNothingWhileHidden()
    {
        ui::TaskRunner tasks;
        IdleViewModel model(m_workspace->config(), m_workspace->fleet(), m_workspace->actions(), tasks);
        QSignalSpy changed(&model, &IdleViewModel::changed);
        model.setActive(false);
        model.refresh();
        QTest::qWait(50);
        QCOMPARE(changed.size(), 0);
        QVERIFY(!model.isAsking());
        model.setActive(true);
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), PageState::Data, kPatience);
    }

    void aFilterThatLeavesNothingIsEmpty()
    {
        ui::TaskRunner tasks;
        IdleViewModel model(m_workspace->config(), m_workspace->fleet(), m_workspace->actions(), tasks);
        ui::Scope scope;
        scope.filter.include[insight::Dimension::Team] = {"nobody's team"};
        model.setScope(scope);
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), PageState::Empty, kPatience);
        model.showUnknown(); // there are none
        QCOMPARE(model.state(), PageState::Empty);
    }

private:
    std::unique_ptr<services::Workspace> open(const QTemporaryDir &folder)
    {
        return std::move(services::Workspace::open(smallFleet(), {folder.path().toStdString(), "UTC", false},
                                                   *m_catalog, *m_secrets, m_clock)
                             .value());
    }
    static void load(IdleViewModel &model)
    {
        model.refresh();
        QTRY_COMPARE_WITH_TIMEOUT(model.state(), PageState::Data, kPatience);
    }

    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
    base::FrozenClock m_clock{base::fromUnix(1'790'000'100)};
    QTemporaryDir m_folder;
    std::unique_ptr<services::Workspace> m_workspace;
};

GPULEDGER_SUITE(IdleViewModelTest)

} // namespace tst_idleviewmodel

#include "tst_idleviewmodel.moc"
