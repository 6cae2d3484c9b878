// SPDX-License-Identifier: GPL-3.0-or-later
// The open window sends what fires after a sync and what waits when it starts, and tries again when the receiver asks
// for it.
#include "app/ports/noticetarget.h"
#include "app/services/alerts/alertdesk.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "tests/support/fakes/nosecrets.h"
#include "tests/support/suite.h"
#include "ui/navigation.h"
#include "ui/viewmodels/alerts/alertwatch.h"
#include "ui/viewmodels/shell/synccontroller.h"
#include "ui/viewmodels/shell/taskrunner.h"
#include "ui/window/alertbadge.h"
#include "ui/window/navigationrail.h"

#include <QAbstractButton>
#include <QMutex>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>

namespace tst_alertwatch {

using namespace gpuledger;
using ports::Delivery;
using ports::DeliveryOutcome;

namespace {

constexpr int kPatience = 60000;

// Refuses the first message for a moment, and takes the others.
struct Receiver {
    QMutex mutex;
    std::vector<model::NoticeGroup> tried;

    std::size_t count()
    {
        const QMutexLocker lock(&mutex);
        return tried.size();
    }
};

class LateTarget final : public ports::NoticeTarget {
public:
    explicit LateTarget(Receiver &receiver)
        : m_receiver(receiver)
    {
    }
    ports::TargetTraits traits() const override { return {true, true, base::Seconds{0}, {}}; }
    Delivery send(const model::NoticeGroup &group, std::stop_token) override
    {
        const QMutexLocker lock(&m_receiver.mutex);
        m_receiver.tried.push_back(group);
        if (m_receiver.tried.size() == 1)
            return {DeliveryOutcome::Retry, base::Seconds{1}, "busy"};
        return {};
    }

private:
    Receiver &m_receiver;
};

class LateTargets final : public ports::NoticeTargets {
public:
    Receiver receiver;
    base::Result<std::unique_ptr<ports::NoticeTarget>> create(const model::AlertTarget &) override
    {
        return std::make_unique<LateTarget>(receiver);
    }
};

model::Settings watchedSettings()
{
    model::Settings settings;
    settings.sources.emplace_back();
    settings.sources.back().name = "dev";
    settings.sources.back().kind = "demo";
    settings.sources.back().options = {{"gpus", "16"}, {"days", "2"}};
    settings.sources.back().firstSync = 2 * base::kDay;
    model::AlertTarget target;
    target.name = "chat";
    target.kind = "slack";
    settings.targets = {target};
    model::AlertRule rule;
    rule.name = "any-idle";
    rule.metric = "idle-cost";
    rule.per = "all";
    rule.bound = "0.01 USD/day";
    rule.send = {"chat"};
    settings.alerts = {rule};
    return settings;
}

} // namespace

class AlertWatchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sendsAfterASyncAndAgainWhenDue()
    {
        QTemporaryDir folder;
        const base::SystemClock clock;
        const auto catalog = connectors::makeSourceCatalog();
        tests::NoSecrets secrets;
        services::WorkspaceOptions where{folder.path().toStdString(), "UTC", false};
        const auto targets = std::make_shared<LateTargets>();
        where.targets = targets;
        const auto workspace = services::Workspace::open(watchedSettings(), where, *catalog, secrets, clock).value();
        ui::TaskRunner tasks;
        ui::SyncController sync(workspace->config(), workspace->sources(), workspace->fleet(), tasks);
        const ui::AlertWatch watch(workspace->config(), workspace->alertDesk(), sync);
        sync.start();
        QTRY_VERIFY_WITH_TIMEOUT(targets->receiver.count() >= 2, kPatience);
        const QMutexLocker lock(&targets->receiver.mutex);
        const auto &tried = targets->receiver.tried;
        QVERIFY(tried[0].notices.front().state == model::NoticeState::Firing);
        QCOMPARE(tried[0].notices.front().rule, std::string("any-idle"));
        QCOMPARE(tried[1].id, tried[0].id);
        QVERIFY(tried[1].notices.front().key == tried[0].notices.front().key);
    }

    // A message that waits since the last run is sent without a sync.
    void sendsWhatWaitsAtTheStart()
    {
        QTemporaryDir folder;
        const base::SystemClock clock;
        const auto catalog = connectors::makeSourceCatalog();
        tests::NoSecrets secrets;
        services::WorkspaceOptions where{folder.path().toStdString(), "UTC", false};
        const auto targets = std::make_shared<LateTargets>();
        where.targets = targets;
        const auto workspace = services::Workspace::open(watchedSettings(), where, *catalog, secrets, clock).value();
        QVERIFY(workspace->sources().sync(std::nullopt, {}, {}).has_value());
        QCOMPARE(workspace->alertDesk().evaluate({})->queued, std::size_t{1});
        ui::TaskRunner tasks;
        ui::SyncController sync(workspace->config(), workspace->sources(), workspace->fleet(), tasks);
        const ui::AlertWatch watch(workspace->config(), workspace->alertDesk(), sync);
        QTRY_VERIFY_WITH_TIMEOUT(targets->receiver.count() >= 1, kPatience);
    }

    void theRailHasTheNumberThatFires()
    {
        QTemporaryDir folder;
        const base::SystemClock clock;
        const auto catalog = connectors::makeSourceCatalog();
        tests::NoSecrets secrets;
        services::WorkspaceOptions where{folder.path().toStdString(), "UTC", false};
        where.targets = std::make_shared<LateTargets>();
        const auto workspace = services::Workspace::open(watchedSettings(), where, *catalog, secrets, clock).value();
        ui::TaskRunner tasks;
        ui::SyncController sync(workspace->config(), workspace->sources(), workspace->fleet(), tasks);
        const widgets::Theme theme;
        const std::unique_ptr<ui::NavigationRail> rail(
            ui::railWithAlerts({*workspace, tasks, sync, theme}, ui::pages()));
        const auto named = [&](const QString &name) {
            const auto buttons = rail->findChildren<QAbstractButton *>();
            return std::any_of(buttons.begin(), buttons.end(),
                               [&](const QAbstractButton *one) { return one->accessibleName() == name; });
        };
        QVERIFY(named(QStringLiteral("Alerts")));
        sync.start();
        QTRY_VERIFY_WITH_TIMEOUT(named(QStringLiteral("Alerts, 1 firing")), kPatience);
    }
};

GPULEDGER_WINDOW_SUITE(AlertWatchTest)

} // namespace tst_alertwatch

#include "tst_alertwatch.moc"
