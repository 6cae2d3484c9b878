// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/connectorregistry.h"
#include "tests/support/suite.h"
#include "tests/unit/services/deskfleet.h"
#include "tests/unit/ui/alerts/alertsample.h"
#include "tests/unit/ui/alerts/loopmeter.h"
#include "ui/pages/alerts/alertspage.h"

#include <QTest>

namespace tst_alertstorm {

using namespace gpuledger;
using model::NoticeState;

namespace {

constexpr int kPatience = 120'000; // ms
constexpr double kLongestTurn = 5000; // ms; ten times what was seen
constexpr int kStormTeams = 10'000;

std::vector<std::string> stormTeams()
{
    std::vector<std::string> out;
    for (int i = 0; i < kStormTeams; ++i)
        out.push_back(tests::stormTeam(i));
    return out;
}

// The window goes on meanwhile.
bool isShownInTime(const ui::AlertsPage &page)
{
    const tests::LoopMeter meter;
    const bool shown = QTest::qWaitFor([&] { return page.complete(); }, kPatience);
    qInfo("the longest turn of the window took %.0f ms", meter.longestMs());
    return shown && meter.longestMs() < kLongestTurn;
}

} // namespace

class AlertStormTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // From the telemetry of 10,000 teams to one message when they all fire, one when all is over, and the page.
    void tenThousandTeamsAreOneMessage()
    {
        tests::DeskFleet fleet(stormTeams());
        const services::AlertRound round = fleet.fire();
        QCOMPARE(round.firing.size(), std::size_t{kStormTeams});
        QCOMPARE(round.queued, std::size_t{1});
        QCOMPARE(fleet.deliver(), std::size_t{1});
        QCOMPARE(fleet.evaluate().queued, std::size_t{0});
        QCOMPARE(fleet.chat().sent.size(), std::size_t{1});
        const model::NoticeGroup &told = fleet.chat().sent.front();
        QCOMPARE(told.notices.size() + told.unlisted, std::size_t{kStormTeams});
        QVERIFY(told.notices.size() < 100 && told.notices.front().state == NoticeState::Firing);

        ui::TaskRunner tasks;
        services::Workspace &workspace = *fleet.workspace;
        ui::SyncController sync(workspace.config(), workspace.sources(), workspace.fleet(), tasks);
        ui::Navigator navigator(ui::Place{QStringLiteral("alerts"), {}, {}});
        const widgets::Theme theme;
        const ui::PageContext context{{workspace, tasks, sync, theme, {}}, navigator};
        ui::AlertsPage page(context);
        page.resize(1280, 800);
        page.show();
        QVERIFY(isShownInTime(page));
        QCOMPARE(page.model().firing().totalRows(), kStormTeams);
        QCOMPARE(page.model().messages().totalRows(), 1);
        QCOMPARE(page.model().snapshot()->history.outbox.front().unlisted, told.unlisted);

        fleet.at(14);
        QCOMPARE(fleet.evaluate().queued, std::size_t{1});
        QCOMPARE(fleet.deliver(), std::size_t{1});
        QVERIFY(fleet.chat().sent.back().notices.front().state == NoticeState::Resolved);
        page.refresh();
        QVERIFY(isShownInTime(page));
        QCOMPARE(page.model().firing().totalRows(), 0);
    }
};

GPULEDGER_WINDOW_SUITE(AlertStormTest)

} // namespace tst_alertstorm

#include "tst_alertstorm.moc"
