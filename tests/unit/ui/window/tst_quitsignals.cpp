// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "ui/window/platform/quitsignals.h"

#include <QSignalSpy>
#include <QTest>

#include <csignal>

namespace tst_quitsignals {

using gpuledger::ui::QuitSignals;

namespace {

constexpr int kPatience = 20'000; // ms

bool hasDefaultAction(int signal)
{
    struct sigaction action { };
    return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_DFL;
}

} // namespace

class QuitSignalsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() // tests that run in the background or under nohup inherit ignored signals
    {
        for (const int one : {SIGTERM, SIGINT, SIGHUP})
            std::signal(one, SIG_DFL);
    }

    void asksOnce_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("TERM") << SIGTERM;
        QTest::newRow("INT") << SIGINT;
        QTest::newRow("HUP") << SIGHUP;
    }

    void asksOnce()
    {
        QFETCH(int, signal);
        QuitSignals quit;
        QSignalSpy asked(&quit, &QuitSignals::asked);
        QVERIFY(!hasDefaultAction(signal));
        QCOMPARE(std::raise(signal), 0); // would end this process without the handler
        QCOMPARE(asked.count(), 0); // nothing runs inside the handler
        QTRY_COMPARE_WITH_TIMEOUT(asked.count(), 1, kPatience);
        for (const int one : {SIGTERM, SIGINT, SIGHUP})
            QVERIFY(hasDefaultAction(one)); // a second one ends the program
    }

    // As nohup does: the window outlives its terminal.
    void leavesWhatIsIgnored()
    {
        std::signal(SIGHUP, SIG_IGN);
        {
            QuitSignals quit;
            QSignalSpy asked(&quit, &QuitSignals::asked);
            QCOMPARE(std::raise(SIGHUP), 0);
            QCOMPARE(std::raise(SIGTERM), 0);
            QTRY_COMPARE_WITH_TIMEOUT(asked.count(), 1, kPatience);
            struct sigaction action { };
            QVERIFY(sigaction(SIGHUP, nullptr, &action) == 0 && action.sa_handler == SIG_IGN);
            QVERIFY(hasDefaultAction(SIGTERM));
        }
        std::signal(SIGHUP, SIG_DFL);
    }

    void leavesTheDefaultActions()
    {
        {
            const QuitSignals quit;
            QVERIFY(!hasDefaultAction(SIGTERM));
        }
        QVERIFY(hasDefaultAction(SIGTERM));
    }
};

GPULEDGER_SUITE(QuitSignalsTest)

} // namespace tst_quitsignals

#include "tst_quitsignals.moc"
