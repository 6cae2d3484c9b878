// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "ui/viewmodels/shell/latestquery.h"

#include <QTest>

#include <atomic>
#include <semaphore>

namespace tst_latestquery {

using namespace gpuledger;
using Numbers = ui::LatestQuery<int>;

namespace {

Numbers::Answer answer(int number)
{
    return std::make_shared<const int>(number);
}

} // namespace

// What the queries of all pages have in common.
class TestLatestQuery : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hiddenPagesAskNothing()
    {
        ui::TaskRunner tasks;
        std::atomic<int> asked = 0;
        int answered = 0;
        Numbers asker(tasks, this, [&] { ++answered; });
        asker.setActive(false);
        asker.ask([&](const std::stop_token &) {
            ++asked;
            return answer(1);
        });
        asker.repeat();
        QVERIFY(!asker.isAsking());
        // Whatever was started before is finished once this is.
        bool through = false;
        tasks.run<int>(
            this, [](const std::stop_token &) { return 0; }, [&](int) { through = true; });
        QTRY_VERIFY(through);
        QCOMPARE(asked.load(), 0);
        asker.setActive(true); // the page is shown: the newest query runs, once
        QTRY_COMPARE(answered, 1);
        QCOMPARE(asked.load(), 1);
        QCOMPARE(*asker.snapshot(), 1);
        asker.setActive(false);
        asker.setActive(true); // there was no new query meanwhile
        QVERIFY(!asker.isAsking());
    }

    void lateAnswersAreDropped()
    {
        ui::TaskRunner tasks;
        std::binary_semaphore mayEnd(0);
        std::atomic<bool> started = false, ended = false, wasStopped = false;
        int answered = 0;
        Numbers asker(tasks, this, [&] { ++answered; });
        asker.ask([&](const std::stop_token &stop) {
            started = true;
            mayEnd.acquire();
            wasStopped = stop.stop_requested();
            ended = true;
            return answer(1);
        });
        QTRY_VERIFY(started); // otherwise it would never run
        asker.ask([](const std::stop_token &) { return answer(2); });
        QTRY_COMPARE(answered, 1);
        QCOMPARE(*asker.snapshot(), 2);
        mayEnd.release();
        QTRY_VERIFY(ended);
        QVERIFY(wasStopped); // so that it can stop early
        bool through = false;
        tasks.run<int>(
            this, [](const std::stop_token &) { return 0; }, [&](int) { through = true; });
        QTRY_VERIFY(through);
        QTest::qWait(20);
        QCOMPARE(answered, 1);
        QCOMPARE(*asker.snapshot(), 2);
    }

    void errorsKeepWhatIsShown()
    {
        ui::TaskRunner tasks;
        int answered = 0;
        Numbers asker(tasks, this, [&] { ++answered; });
        asker.ask([](const std::stop_token &) { return answer(1); });
        QTRY_COMPARE(answered, 1);
        asker.ask([](const std::stop_token &) -> Numbers::Answer {
            return base::fail(base::ErrorCode::Storage, "the disk is gone");
        });
        QTRY_COMPARE(answered, 2);
        QVERIFY(asker.error().has_value());
        QCOMPARE(*asker.snapshot(), 1);
    }
};

GPULEDGER_SUITE(TestLatestQuery)

} // namespace tst_latestquery

#include "tst_latestquery.moc"
