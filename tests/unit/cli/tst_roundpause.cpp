// SPDX-License-Identifier: GPL-3.0-or-later
// The pause between two rounds of `watch`, and the work that is done in it.
#include "tests/support/suite.h"
#include "ui/cli/watch/roundpause.h"

#include <QTest>

#include <condition_variable>
#include <mutex>

namespace tst_roundpause {

using namespace gpuledger;
using std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds kShortPause{50};
constexpr std::chrono::minutes kLongPause{10};

// Work that takes until it is told to end, and for ten minutes otherwise. Returns whether it was told.
bool endlessWork(const std::stop_token &stop)
{
    std::mutex mutex;
    std::condition_variable_any condition;
    std::unique_lock lock(mutex);
    condition.wait_for(lock, stop, kLongPause, [] { return false; });
    return stop.stop_requested();
}

} // namespace

class TestRoundPause : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The next round has notices to send; work goes on in the next pause.
    void workEndsWhenTheNextRoundIsDue()
    {
        bool wasTold = false;
        QVERIFY(cli::pauseWith(steady_clock::now() + kShortPause, {},
                               [&](const std::stop_token &stop) { wasTold = endlessWork(stop); }));
        QVERIFY(wasTold);
    }

    void aPauseLastsUntilItsEnd()
    {
        const auto end = steady_clock::now() + kShortPause;
        bool wasTold = true;
        QVERIFY(cli::pauseWith(end, {}, [&](const std::stop_token &stop) { wasTold = stop.stop_requested(); }));
        QVERIFY(!wasTold);
        QVERIFY(steady_clock::now() >= end);
    }

    void aStopEndsBoth()
    {
        std::stop_source source;
        bool wasTold = false;
        QVERIFY(!cli::pauseWith(steady_clock::now() + kLongPause, source.get_token(), [&](const std::stop_token &stop) {
            source.request_stop();
            wasTold = stop.stop_requested();
        }));
        QVERIFY(wasTold);
    }
};

GPULEDGER_SUITE(TestRoundPause)

} // namespace tst_roundpause

#include "tst_roundpause.moc"
