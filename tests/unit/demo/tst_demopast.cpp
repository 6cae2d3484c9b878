// SPDX-License-Identifier: GPL-3.0-or-later
// The demo company as `gpuledger-cli demo` makes it, with its past: what the pages find in it.
#include "app/insight/idle/idle.h"
#include "app/insight/idle/idlecause.h"
#include "app/insight/proof/figure.h"
#include "app/insight/proof/proof.h"
#include "app/reports/statement/monthstatus.h"
#include "app/reports/statement/statement.h"
#include "app/services/actions/actionservice.h"
#include "app/services/billing/billingservice.h"
#include "app/services/environment/demosettings.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/proof/proofservice.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "app/services/workspace/demopast.h"
#include "app/services/workspace/workspace.h"
#include "app/store/values/integrityproblem.h"
#include "connectors/connectorregistry.h"
#include "tests/support/fakes/nosecrets.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>
#include <set>
#include <sstream>

namespace tst_demopast {

using namespace gpuledger;
using model::ActionKind;
using model::ActionState;

namespace {

const base::FrozenClock kClock(base::parseTime("2026-11-21T12:00:00Z").value());

std::set<std::string> linesOf(const std::string &text)
{
    std::istringstream in(text);
    std::set<std::string> out;
    for (std::string line; std::getline(in, line);)
        out.insert(line);
    return out;
}

} // namespace

class DemoPastTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const std::filesystem::path folder = m_folder.path().toStdString();
        const model::Settings settings = services::demoSettings({{"gpus", "56"}}, folder);
        services::WorkspaceOptions options;
        options.dataFolder = folder;
        services::DemoPast past(settings, options, *m_catalog, m_secrets, kClock);
        const auto stopped = past.stopWorkloads({}, [](const services::SyncProgress &) {});
        QVERIFY2(stopped, stopped ? "" : stopped.error().text.c_str());
        auto opened = services::Workspace::open(settings, options, *m_catalog, m_secrets, kClock);
        QVERIFY(opened);
        m_workspace = std::move(*opened);
        const auto reports = m_workspace->sources().sync(std::nullopt, {}, {});
        QVERIFY(reports);
        for (const services::SyncReport &report : *reports)
            QVERIFY2(!report.error, report.name.c_str());
        const auto closed = past.closeMonths({});
        QVERIFY2(closed, closed ? "" : closed.error().text.c_str());
        // A second start changes nothing.
        const auto before = m_workspace->auditLog().value().size();
        QVERIFY(past.stopWorkloads({}, [](const services::SyncProgress &) {}));
        QVERIFY(past.closeMonths({}));
        QCOMPARE(m_workspace->auditLog().value().size(), before);
    }
    void cleanupTestCase() { m_workspace.reset(); }

    void aChosenNumberOfDaysHasNoPast()
    {
        QVERIFY(services::hasDemoPast({{"gpus", "8"}, {"seed", "3"}}));
        QVERIFY(!services::hasDemoPast({{"days", "21"}}));
        const auto settings = services::demoSettings({{"days", "21"}});
        QVERIFY(!settings.sources.at(1).options.contains("months"));
    }

    void hasAHistoryOfStops()
    {
        const auto log = m_workspace->actions().log().value();
        int stopped = 0, undone = 0, failed = 0;
        for (const model::ActionRecord &one : log) {
            QVERIFY(one.intent.isSimulated && one.intent.at < kClock.now());
            const bool isStop = one.intent.kind == ActionKind::Stop;
            stopped += isStop && one.state == ActionState::Verified;
            undone += isStop && one.state == ActionState::Undone;
            failed += isStop && one.state == ActionState::Failed && !one.result.empty();
        }
        QVERIFY2(stopped >= 2, std::to_string(stopped).c_str());
        QCOMPARE(undone, 1);
        QCOMPARE(failed, 1);
    }

    // What the log says that a stop frees per month is what the facts of its time say.
    void whatTheLogSaysIsProved()
    {
        const auto log = m_workspace->actions().log().value();
        for (const model::ActionRecord &one : log) {
            if (one.intent.kind != ActionKind::Stop)
                continue;
            insight::Figure figure;
            figure.kind = insight::FigureKind::Action;
            figure.measure = "per-month";
            figure.action = one.id;
            const auto proof = m_workspace->proof().explain(figure);
            QVERIFY2(proof, proof ? "" : proof.error().text.c_str());
            QVERIFY2(proof->agrees, std::to_string(one.id).c_str());
        }
    }

    // The facts, and so every figure, know of it.
    void whatWasStoppedHoldsNothingAfterwards()
    {
        const auto log = m_workspace->actions().log().value();
        for (const model::ActionRecord &one : log) {
            if (one.intent.kind != ActionKind::Stop || one.state != ActionState::Verified)
                continue;
            const std::set<std::string> holders = linesOf(one.intent.holders);
            const auto listed = [&](base::UtcTime at) {
                const auto items = m_workspace->fleet().idle(at, {}).value().items;
                return std::count_if(items.begin(), items.end(), [&](const auto &i) { return holders.contains(i.id); });
            };
            QCOMPARE(listed(one.intent.at), static_cast<std::ptrdiff_t>(holders.size()));
            QCOMPARE(listed(one.intent.at + base::Seconds{7200}), std::ptrdiff_t{0});
        }
    }

    void closedTheMonthsOfAYear()
    {
        const auto months = m_workspace->billing().months().value();
        std::vector<reports::MonthState> states;
        for (const reports::MonthStatus &month : months) {
            if (month.isOver)
                states.push_back(month.state);
        }
        QCOMPARE(states.size(), std::size_t{12});
        QCOMPARE(std::count(states.begin(), states.end(), reports::MonthState::Closed), std::ptrdiff_t{11});
        QVERIFY(states.back() == reports::MonthState::Reviewed);
    }

    void everyMonthAddsUpToItsBill()
    {
        const auto months = m_workspace->billing().months().value();
        for (const reports::MonthStatus &month : months) {
            if (!month.isOver)
                continue;
            const auto statement =
                m_workspace->billing().statement(month.month, reports::CostView::Billed, std::string()).value();
            QVERIFY2(statement.hasBill() && statement.reconciles(), insight::toString(month.month).c_str());
        }
    }

    void idleItemsHaveManyCausesAndRecoverabilities()
    {
        const auto items = m_workspace->fleet().idle(kClock.now(), {}).value().items;
        std::set<insight::IdleCause> causes;
        std::set<model::Recovery> recoveries;
        for (const insight::IdleItem &item : items) {
            causes.insert(item.cause);
            recoveries.insert(item.recoverable);
        }
        for (const auto cause : {insight::IdleCause::Unknown, insight::IdleCause::Empty, insight::IdleCause::Loaded,
                                 insight::IdleCause::Oversized})
            QVERIFY2(causes.contains(cause), std::string(insight::toString(cause)).c_str());
        for (const auto recovery : {model::Recovery::Unknown, model::Recovery::Now, model::Recovery::WithMachine,
                                    model::Recovery::AtDate, model::Recovery::Never})
            QVERIFY2(recoveries.contains(recovery), std::string(model::toString(recovery)).c_str());
    }

    // A machine that one workload holds whole, and one whose cost only ends when two are stopped.
    void aStopSavesAtOnce()
    {
        const auto items = m_workspace->fleet().idle(kClock.now(), {}).value().items;
        const auto isListed = [&](const std::string &id) {
            return std::any_of(items.begin(), items.end(), [&](const auto &item) { return item.id == id; });
        };
        std::set<insight::IdleCause> causes;
        int alone = 0, together = 0;
        for (const insight::IdleItem &item : items) {
            if (item.recoverable != model::Recovery::Now)
                continue;
            QVERIFY2(item.avoidablePerMonth && item.avoidablePerMonth->nanos() > 0, item.id.c_str());
            QVERIFY2(std::all_of(item.stopWith.begin(), item.stopWith.end(), isListed), item.id.c_str());
            causes.insert(item.cause);
            ++(item.stopWith.empty() ? alone : together);
        }
        QVERIFY2(alone >= 1, std::to_string(alone).c_str());
        QVERIFY2(together >= 2, std::to_string(together).c_str());
        QVERIFY2(causes.size() >= 2, std::to_string(causes.size()).c_str());
    }

    void knowsWhatIsAvoidable()
    {
        const auto items = m_workspace->fleet().idle(kClock.now(), {}).value().items;
        const insight::IdleSum all = insight::totalsOf(items).all;
        QVERIFY(all.perMonth && all.undecided && all.avoidable && *all.perMonth > 0);
        QVERIFY(*all.avoidable > 0);
        QVERIFY2(*all.undecided * 10 <= *all.perMonth, std::to_string(*all.undecided).c_str());
    }

    void isSound() { QVERIFY(m_workspace->verify().value().empty()); }

private:
    QTemporaryDir m_folder;
    tests::NoSecrets m_secrets;
    const std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<services::Workspace> m_workspace;
};

GPULEDGER_SUITE(DemoPastTest)

} // namespace tst_demopast

#include "tst_demopast.moc"
