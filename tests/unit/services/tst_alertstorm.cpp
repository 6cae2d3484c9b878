// SPDX-License-Identifier: GPL-3.0-or-later
// A storm: the idle GPUs of 10,000 teams make as many alerts at once.
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ports/noticetarget.h"
#include "app/services/alerts/alertdesk.h"
#include "app/services/workspace/workspace.h"
#include "app/store/ledgerstore.h"
#include "tests/support/fakes/fakeenvironment.h"
#include "tests/support/fakes/fakesource.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>
#include <set>

namespace tst_alertstorm {

using namespace gpuledger;
using namespace gpuledger::tests;
using model::NoticeState;
using services::OutboxEntry;

namespace {

constexpr char kFirstDay[] = "2025-01-06";
constexpr std::size_t kTeams = 10'000;
constexpr std::int64_t kHourSeconds = 3600;
constexpr std::int64_t kIdleFrom = 6 * kHourSeconds, kIdleTo = 9 * kHourSeconds, kEnd = 12 * kHourSeconds;

// Takes every message: "chat" several alerts in one, "pager" each alone.
class StormTargets final : public ports::NoticeTargets {
public:
    std::map<std::string, std::vector<model::NoticeGroup>> sent; // by target

    base::Result<std::unique_ptr<ports::NoticeTarget>> create(const model::AlertTarget &target) override
    {
        return std::make_unique<Target>(target.name == "chat", sent[target.name]);
    }

private:
    class Target final : public ports::NoticeTarget {
    public:
        Target(bool groups, std::vector<model::NoticeGroup> &sent)
            : m_groups(groups)
            , m_sent(sent)
        {
        }
        ports::TargetTraits traits() const override { return {true, m_groups, base::Seconds{0}, {}}; }
        ports::Delivery send(const model::NoticeGroup &group, std::stop_token) override
        {
            m_sent.push_back(group);
            return {};
        }

    private:
        const bool m_groups;
        std::vector<model::NoticeGroup> &m_sent;
    };
};

model::Settings stormSettings()
{
    model::Settings settings = pricedSettings();
    settings.owners = {{model::OwnerRule::Kind::Label, model::OwnerRule::Match::Exact, "team", {}, {}, {}, {}}};
    model::AlertRule rule;
    rule.name = "idle";
    rule.metric = "idle-cost";
    rule.per = "team";
    rule.bound = "50 USD/day";
    rule.send = {"chat", "pager"};
    settings.alerts = {rule};
    for (const char *name : {"chat", "pager"}) {
        model::AlertTarget target;
        target.name = name;
        target.kind = "webhook";
        settings.targets.push_back(target);
    }
    return settings;
}

} // namespace

class TestAlertStorm : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_dir;
    SteppedClock m_clock;
    FakeCatalog m_catalog;
    NoSecrets m_secrets;
    std::shared_ptr<StormTargets> m_targets = std::make_shared<StormTargets>();
    std::unique_ptr<services::Workspace> m_workspace;

    // Another run of the program on the same data.
    void start()
    {
        m_workspace.reset();
        services::WorkspaceOptions options{m_dir.path().toStdString(), "UTC", false, "alex"};
        options.targets = m_targets;
        m_workspace = services::Workspace::open(stormSettings(), options, m_catalog, m_secrets, m_clock).value();
    }
    services::AlertRound evaluateAt(int hour, int minute = 0)
    {
        m_clock.time = base::parseTime(kFirstDay).value() + base::Seconds{hour * kHourSeconds + minute * 60};
        return m_workspace->alertDesk().evaluate({}).value();
    }
    std::size_t deliver() { return m_workspace->alertDesk().deliver({}).value().size(); }

private Q_SLOTS:
    void initTestCase()
    {
        start();
        const auto store = store::LedgerStore::open(m_dir.path().toStdString()).value();
        const auto ledger = ledger::Ledger::create(stormSettings()).value();
        Scenario day(1, kFirstDay);
        const auto node = day.node("node");
        for (std::size_t i = 0; i < kTeams; ++i) {
            const std::string number = std::to_string(i);
            const auto device = day.device("GPU-" + number, static_cast<int>(i));
            const auto label = day.label("train-" + number);
            const auto pod = day.pod("train-" + number, "uid-" + number, "node");
            day.batch.holders[pod].labels = {{"team", "team-" + number}};
            day.runs(pod, 0, kEnd);
            day.reports(device, label, node, 0, kIdleFrom, 100);
            day.reports(device, label, node, kIdleFrom, kIdleTo, 0);
            day.reports(device, label, node, kIdleTo, kEnd, 100);
        }
        QVERIFY(ledger::LedgerWriter(*store, ledger->rollup()).commit("telemetry", day.batch));
    }

    void itIsAFewMessagesAndNobodyIsForgotten()
    {
        QVERIFY(evaluateAt(5).firing.empty());
        const services::AlertRound round = evaluateAt(8);
        QCOMPARE(round.firing.size(), kTeams);
        QCOMPARE(round.changes.size(), kTeams);
        QCOMPARE(round.queued, std::size_t{1 + 100});
        QCOMPARE(deliver(), std::size_t{1 + 100});
        auto &chat = m_targets->sent["chat"], &pager = m_targets->sent["pager"];
        QCOMPARE(chat.size(), std::size_t{1});
        QCOMPARE(chat.front().notices.size(), std::size_t{50});
        QCOMPARE(chat.front().unlisted, kTeams - 50);
        QVERIFY(chat.front().notices.front().costSoFar && !chat.front().notices.front().items.empty());
        QCOMPARE(pager.size(), std::size_t{100});

        // The rest follows, after a crash too, and nobody is told twice.
        start();
        QCOMPARE(evaluateAt(8, 5).queued, std::size_t{100});
        QCOMPARE(deliver(), std::size_t{100});
        QCOMPARE(chat.size(), std::size_t{1});
        std::set<std::string> told;
        for (const model::NoticeGroup &group : pager)
            told.insert(group.notices.at(0).key);
        QCOMPARE(told.size(), std::size_t{200});

        const base::UtcTime now = m_clock.time;
        const services::AlertHistory history = m_workspace->alertDesk().history({now - base::kDay, now}).value();
        QCOMPARE(history.changes.size(), kTeams);
        const auto ofChat = std::find_if(history.outbox.begin(), history.outbox.end(),
                                         [](const OutboxEntry &one) { return one.target == "chat"; });
        QVERIFY(ofChat != history.outbox.end());
        QCOMPARE(ofChat->scopes.size(), std::size_t{50});
        QCOMPARE(ofChat->unlisted, kTeams - 50);
    }

    void itsEndIsAsQuiet()
    {
        auto &chat = m_targets->sent["chat"], &pager = m_targets->sent["pager"];
        const services::AlertRound over = evaluateAt(11);
        QVERIFY(over.firing.empty());
        QCOMPARE(over.queued, std::size_t{1 + 100}); // those who were told that it fires
        deliver();
        QCOMPARE(chat.size(), std::size_t{2});
        QVERIFY(chat.back().notices.front().state == NoticeState::Resolved);
        QCOMPARE(chat.back().unlisted, kTeams - 50);
        QCOMPARE(evaluateAt(11, 5).queued, std::size_t{100});
        deliver();
        QCOMPARE(pager.size(), std::size_t{400});
        QCOMPARE(evaluateAt(11, 10).queued, std::size_t{0});
    }
};

GPULEDGER_SUITE(TestAlertStorm)

} // namespace tst_alertstorm

#include "tst_alertstorm.moc"
