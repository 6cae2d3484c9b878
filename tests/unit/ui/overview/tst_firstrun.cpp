// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/fleet/fleetservice.h"
#include "tests/support/suite.h"
#include "tests/support/window/testwindow.h"
#include "ui/dialogs/timerangedialog.h"
#include "ui/viewmodels/shell/askablerange.h"
#include "ui/window/topbar/timechoice.h"
#include "widgets/state/statepanel.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include <atomic>

namespace tst_firstrun {

using namespace gpuledger;
using tests::TestWindow;
using widgets::StatePanel;

namespace {

constexpr int kPatience = 120000;

bool says(const QWidget &page, const QString &text)
{
    for (const QLabel *label : page.findChildren<QLabel *>()) {
        if (label->isVisible() && label->text() == text)
            return true;
    }
    return false;
}

} // namespace

// The window before and after its first sync.
class FirstRunTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        m_theme.apply();
        m_test = std::make_unique<TestWindow>(m_theme, TestWindow::Fleet::NotSynced);
    }
    void cleanupTestCase() { m_test.reset(); }

    // From its start until the data are there, the page never says that nothing has been synced.
    void theFirstSyncIsShownInThePage()
    {
        const QString nothing = QStringLiteral("Nothing has been synced yet");
        m_test->show(QStringLiteral("gpuledger://overview"));
        QWidget &page = *m_test->window().currentPage();
        auto *panel = page.findChild<StatePanel *>();
        QTRY_COMPARE_WITH_TIMEOUT(panel->state(), StatePanel::State::FirstRun, kPatience);
        QVERIFY(says(page, nothing));
        auto *bar = panel->findChild<QProgressBar *>();
        QVERIFY(!bar->isVisible());

        bool wasSaid = false;
        int reached = 0;
        QTimer look;
        connect(&look, &QTimer::timeout, this, [&] {
            wasSaid = wasSaid || says(page, nothing);
            reached = std::max(reached, bar->isVisible() ? bar->value() : 0);
        });
        m_test->syncs().start();
        QVERIFY(m_test->syncs().running());
        QVERIFY(bar->isVisible());
        QVERIFY(!says(page, nothing));
        look.start(1);
        QTRY_VERIFY_WITH_TIMEOUT(panel->isContentShown(), kPatience);
        QVERIFY(!wasSaid);
        QVERIFY2(reached > 0, "the bar never moved");
        QTRY_VERIFY_WITH_TIMEOUT(!m_test->syncs().running(), kPatience);
    }

    void whatSurroundsASyncRunsOnce()
    {
        std::atomic<int> before{0}, after{0};
        ui::SyncController &syncs = m_test->syncs();
        syncs.surround([&](const auto &, const auto &) { ++before; },
                       [&](const auto &, const auto &) { after += 10 * before; });
        syncs.startOne("demo"); // not of all sources
        QTRY_VERIFY_WITH_TIMEOUT(!syncs.running(), kPatience);
        QCOMPARE(before.load(), 0);
        for (int i = 0; i < 2; ++i) {
            syncs.start();
            QTRY_VERIFY_WITH_TIMEOUT(!syncs.running(), kPatience);
            QCOMPARE(before.load(), 1);
            QCOMPARE(after.load(), 10);
        }
    }

    void theCustomRangeStartsWithTheShownOne_data()
    {
        QTest::addColumn<QString>("link");
        QTest::newRow("day") << QStringLiteral("gpuledger://overview?span=day");
        QTest::newRow("all") << QStringLiteral("gpuledger://overview?span=all");
        QTest::newRow("custom") << QStringLiteral(
            "gpuledger://overview?span=custom&from=2026-11-20T00:00:00Z&to=2026-11-20T06:00:00Z");
    }
    void theCustomRangeStartsWithTheShownOne()
    {
        QFETCH(QString, link);
        const auto place = ui::Place::fromUrl(QUrl(link));
        QVERIFY(place);
        m_test->open(link);
        auto *button = m_test->window().findChild<ui::TimeChoiceButton *>();
        button->askForRange();
        const auto dialog = [&] { return m_test->window().findChild<ui::TimeRangeDialog *>(); };
        QTRY_VERIFY_WITH_TIMEOUT(dialog(), kPatience);
        const base::TimeRange covered = m_test->workspace().fleet().coveredRange().value();
        const base::TimeRange wanted = place->scope.time.span == ui::Span::Custom
            ? place->scope.time.custom
            : place->scope.time.resolve(ui::askableRange(m_test->workspace().config(), covered),
                                        m_test->workspace().timeZone());
        const base::TimeRange got = dialog()->range();
        const base::Seconds minute{60}; // the fields have no seconds
        QVERIFY(got.start <= wanted.start && wanted.start - got.start < minute);
        QVERIFY(got.end <= wanted.end && wanted.end - got.end < minute);
        delete dialog();
    }

private:
    widgets::Theme m_theme;
    std::unique_ptr<TestWindow> m_test;
};

GPULEDGER_WINDOW_SUITE(FirstRunTest)

} // namespace tst_firstrun

#include "tst_firstrun.moc"
