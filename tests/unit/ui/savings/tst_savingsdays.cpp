// SPDX-License-Identifier: GPL-3.0-or-later
// The open window stores what the Savings page needs of new days after each sync.
#include "app/services/savings/savingsservice.h"
#include "app/services/sources/syncreport.h"
#include "app/services/workspace/workspace.h"
#include "app/store/sqlite/database.h"
#include "connectors/connectorregistry.h"
#include "tests/support/fakes/nosecrets.h"
#include "tests/support/suite.h"
#include "ui/viewmodels/savings/savingsdays.h"
#include "ui/viewmodels/shell/synccontroller.h"
#include "ui/viewmodels/shell/taskrunner.h"

#include <QTemporaryDir>
#include <QTest>
#include <QThread>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace tst_savingsdays {

using namespace gpuledger;

namespace {

constexpr int kPatience = 60000;
constexpr int kDemoDays = 3;

model::Settings demoSettings()
{
    model::Settings settings;
    settings.sources.emplace_back();
    settings.sources.back().name = "dev";
    settings.sources.back().kind = "demo";
    settings.sources.back().options = {{"gpus", "16"}, {"days", std::to_string(kDemoDays)}};
    settings.sources.back().firstSync = kDemoDays * base::kDay;
    return settings;
}

// Work that goes on until it is stopped.
struct Endless {
    std::atomic<int> begun{0}, stopped{0};
    std::atomic<bool> isOnGuiThread{false};

    base::Result<void> operator()(const std::stop_token &stop)
    {
        ++begun;
        if (QThread::currentThread() == QCoreApplication::instance()->thread())
            isOnGuiThread = true;
        std::mutex mutex;
        std::condition_variable_any condition;
        std::unique_lock lock(mutex);
        condition.wait(lock, stop, [] { return false; });
        ++stopped;
        return base::fail(base::ErrorCode::Cancelled, "cancelled");
    }
};

} // namespace

class SavingsDaysTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_workspace = services::Workspace::open(demoSettings(), {m_folder->path().toStdString(), "UTC", false},
                                                *m_catalog, m_secrets, m_clock)
                          .value();
        m_tasks = std::make_unique<ui::TaskRunner>();
        m_sync = std::make_unique<ui::SyncController>(m_workspace->config(), m_workspace->sources(),
                                                      m_workspace->fleet(), *m_tasks);
    }

    void cleanup()
    {
        m_sync.reset();
        m_tasks.reset();
        m_workspace.reset();
    }

    void aSyncOfTheWindowStoresItsDays()
    {
        services::SavingsService &service = m_workspace->savings();
        const ui::SavingsDays days(
            m_workspace->config(), [&](const std::stop_token &stop) { return service.keepDays(stop); }, *m_sync);
        m_sync->start();
        QTRY_VERIFY_WITH_TIMEOUT(!m_sync->running() && !days.isStoring(), kPatience);
        const auto stored = storedDays();
        QVERIFY(stored >= kDemoDays - 1); // whole days
        QVERIFY(service.keepDays());
        QCOMPARE(storedDays(), stored);
    }

    void theNextSyncStopsItAndStartsItAgain()
    {
        Endless work;
        const ui::SavingsDays days(m_workspace->config(), std::ref(work), *m_sync);
        for (int i = 1; i <= 2; ++i) {
            m_sync->start();
            QTRY_COMPARE_WITH_TIMEOUT(work.stopped.load(), i - 1, kPatience);
            QTRY_COMPARE_WITH_TIMEOUT(work.begun.load(), i, kPatience);
            QVERIFY(!m_sync->running());
            QVERIFY(days.isStoring());
        }
        QVERIFY(!work.isOnGuiThread);
    }

    void closingTheWindowStopsIt()
    {
        Endless work;
        auto days = std::make_unique<ui::SavingsDays>(m_workspace->config(), std::ref(work), *m_sync);
        m_sync->start();
        QTRY_COMPARE_WITH_TIMEOUT(work.begun.load(), 1, kPatience);
        days.reset();
        QCOMPARE(work.stopped.load(), 1);
    }

private:
    std::int64_t storedDays() const
    {
        const auto file = m_folder->path().toStdString() + "/ledger.db";
        const auto database = store::Database::open(file, store::Database::Mode::Reader).value();
        return database->scalar("SELECT count(*) FROM day_fact").value().value_or(0);
    }

    const base::SystemClock m_clock;
    const std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    tests::NoSecrets m_secrets;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<services::Workspace> m_workspace;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::SyncController> m_sync;
};

GPULEDGER_SUITE(SavingsDaysTest)

} // namespace tst_savingsdays

#include "tst_savingsdays.moc"
