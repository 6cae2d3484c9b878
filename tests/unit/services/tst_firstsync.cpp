// SPDX-License-Identifier: GPL-3.0-or-later
// On the first sync, the bills are stored before any telemetry, unless they take too long.
#include "app/insight/spend/reconcile.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncorder.h"
#include "app/services/sources/syncreport.h"
#include "app/services/spend/spendservice.h"
#include "app/services/workspace/workspace.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <thread>

namespace tst_firstsync {

using namespace gpuledger;
using services::BillsFirst;
using services::Workspace;

namespace {

// Telemetry of two days, and bills of the month. The telemetry comes first in the configuration.
model::Settings twoSources()
{
    model::Settings settings;
    settings.timeZone = "UTC";
    for (const char *kind : {"demo", "demo-bill"}) {
        model::SourceSettings source;
        source.name = source.kind = kind;
        source.firstSync = 2 * base::kDay;
        source.options = {{"gpus", "8"}, {"days", "40"}};
        settings.sources.push_back(std::move(source));
    }
    return settings;
}

} // namespace

class FirstSyncTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void telemetryWaitsForEachBill()
    {
        BillsFirst order(2);
        std::atomic<int> done{0};
        int doneAtTheEnd = 0;
        std::jthread telemetry([&](const std::stop_token &stop) {
            order.wait(stop);
            doneAtTheEnd = done;
        });
        for (int bill = 0; bill < 2; ++bill) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            ++done;
            order.oneIsDone();
        }
        telemetry.join();
        QCOMPARE(doneAtTheEnd, 2);
    }

    void nothingWaitsWithoutBills()
    {
        const auto begin = std::chrono::steady_clock::now();
        BillsFirst(0).wait({});
        QVERIFY(std::chrono::steady_clock::now() - begin < BillsFirst::kLongestWait);
    }

    void aStopEndsTheWait()
    {
        BillsFirst order(1);
        const auto begin = std::chrono::steady_clock::now();
        std::jthread telemetry([&](const std::stop_token &stop) { order.wait(stop); });
        telemetry.request_stop();
        telemetry.join();
        QVERIFY(std::chrono::steady_clock::now() - begin < BillsFirst::kLongestWait);
    }

    void billsAreStoredBeforeTelemetry()
    {
        const QTemporaryDir folder;
        const auto catalog = connectors::makeSourceCatalog();
        const auto secrets = connectors::makeSecretStore(nullptr);
        const base::FrozenClock clock(base::parseTime("2026-10-31T00:00:00Z").value());
        const auto workspace =
            Workspace::open(twoSources(), {folder.path().toStdString(), {}, false}, *catalog, *secrets, clock).value();
        std::atomic<int> told{0};
        std::atomic<bool> before{true};
        const auto reports = workspace->sources().sync({}, {}, [&](const services::SyncProgress &progress) {
            if (progress.source != "demo")
                return;
            ++told;
            const auto answer = workspace->spend().reconcile({2026, 10});
            before = before && answer && !answer->totals.empty();
        });
        QVERIFY(reports);
        for (const services::SyncReport &report : *reports)
            QVERIFY2(!report.error, report.name.c_str());
        QVERIFY(told > 0);
        QVERIFY(before);
    }
};

GPULEDGER_SUITE(FirstSyncTest)

} // namespace tst_firstsync

#include "tst_firstsync.moc"
