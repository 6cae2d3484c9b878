// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ledger/commit/ledgerwriter.h"
#include "app/ports/noticetarget.h"
#include "app/services/alerts/alertdesk.h"
#include "app/services/workspace/workspace.h"
#include "app/store/ledgerstore.h"
#include "tests/support/fakes/fakeenvironment.h"
#include "tests/support/fakes/fakesource.h"
#include "tests/support/fleets/scenario.h"

#include <QTemporaryDir>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// A small fleet with an alert rule, and receivers that answer as a test wants.
namespace gpuledger::tests {

inline constexpr char kFirstDay[] = "2025-01-06";
inline constexpr std::int64_t kHourSeconds = 3600;
inline constexpr std::int64_t kIdleFrom = 6 * kHourSeconds, kIdleTo = 12 * kHourSeconds;
inline constexpr std::size_t kGpusOfNode = 8;
inline constexpr char kPoolOfNodes[] = "a100";

// What a receiver sees, and how it answers.
struct Receiver {
    std::vector<model::NoticeGroup> sent;
    std::function<ports::Delivery(const model::NoticeGroup &)> answer = [](const auto &) { return ports::Delivery{}; };
    ports::TargetTraits traits{true, true, base::Seconds{0}, {}};
    std::optional<base::Error> broken;
};

class FakeTarget final : public ports::NoticeTarget {
public:
    explicit FakeTarget(Receiver &receiver)
        : m_receiver(receiver)
    {
    }
    ports::TargetTraits traits() const override { return m_receiver.traits; }
    ports::Delivery send(const model::NoticeGroup &group, std::stop_token) override
    {
        m_receiver.sent.push_back(group);
        return m_receiver.answer(group);
    }

private:
    Receiver &m_receiver;
};

class FakeTargets final : public ports::NoticeTargets {
public:
    std::map<std::string, Receiver> receivers;

    base::Result<std::unique_ptr<ports::NoticeTarget>> create(const model::AlertTarget &target) override
    {
        Receiver &receiver = receivers[target.name];
        if (receiver.broken)
            return base::fail(*receiver.broken);
        return std::make_unique<FakeTarget>(receiver);
    }
};

inline model::Settings alertSettings(const std::string &bound = "50 USD/day")
{
    model::Settings settings = pricedSettings();
    settings.owners = {{model::OwnerRule::Kind::Label, model::OwnerRule::Match::Exact, "team", {}, {}, {}, {}}};
    model::AlertRule rule;
    rule.name = "idle";
    rule.metric = "idle-cost";
    rule.per = "team";
    rule.bound = bound;
    rule.send = {"chat"};
    settings.alerts = {rule};
    model::AlertTarget target;
    target.name = "chat";
    target.kind = "slack";
    settings.targets = {target};
    return settings;
}

// A GPU of each team that is idle from 06:00 to 12:00, at 86.40 USD a day.
class DeskFleet {
public:
    explicit DeskFleet(const std::vector<std::string> &teams = {"vision"})
        : folder(dir.path().toStdString())
    {
        start();
        const auto store = store::LedgerStore::open(folder).value();
        const auto ledger = ledger::Ledger::create(alertSettings()).value();
        Scenario day(1, kFirstDay);
        std::uint32_t node = Scenario::kNone;
        for (std::size_t i = 0; i < teams.size(); ++i) {
            const std::string &team = teams[i];
            const std::string machine = "node-" + std::to_string(i / kGpusOfNode);
            if (i % kGpusOfNode == 0)
                node = day.node(machine, {{"pool", kPoolOfNodes}});
            const auto device = day.device("GPU-" + team);
            const auto label = day.label("train-" + team);
            const auto pod = day.pod("train-" + team, "uid-" + team, machine);
            day.batch.holders[pod].labels = {{"team", team}};
            day.runs(pod, 0, Scenario::kDaySeconds);
            day.reports(device, label, node, 0, kIdleFrom, 100);
            day.reports(device, label, node, kIdleFrom, kIdleTo, 0);
            day.reports(device, label, node, kIdleTo, Scenario::kDaySeconds, 100);
        }
        if (!ledger::LedgerWriter(*store, ledger->rollup()).commit("telemetry", day.batch))
            qFatal("telemetry is refused");
    }
    // Another run of the program on the same data.
    void start()
    {
        workspace.reset();
        workspace = open();
    }
    std::unique_ptr<services::Workspace> open()
    {
        services::WorkspaceOptions options{folder, "UTC", false, "alex"};
        options.targets = targets;
        return services::Workspace::open(alertSettings(), options, catalog, secrets, clock).value();
    }
    void at(int hour, int minute = 0)
    {
        clock.time = base::parseTime(kFirstDay).value() + base::Seconds{hour * kHourSeconds + minute * 60};
    }
    services::AlertDesk &desk() { return workspace->alertDesk(); }
    services::AlertRound evaluate() { return desk().evaluate({}).value(); }
    std::size_t deliver() { return desk().deliver({}).value().size(); }
    Receiver &chat() { return targets->receivers["chat"]; }
    services::AlertHistory history()
    {
        return desk().history({base::fromUnix(0), base::fromUnix(4'000'000'000)}).value();
    }
    // A first round before anything fires, and one while it does.
    services::AlertRound fire()
    {
        at(5);
        evaluate();
        at(8);
        return evaluate();
    }

    QTemporaryDir dir;
    std::string folder;
    SteppedClock clock;
    FakeCatalog catalog;
    NoSecrets secrets;
    std::shared_ptr<FakeTargets> targets = std::make_shared<FakeTargets>();
    std::unique_ptr<services::Workspace> workspace;
};

} // namespace gpuledger::tests
