// SPDX-License-Identifier: GPL-3.0-or-later
// What the demo company saved: a pool of machines that it gave back after it accepted the proposal about them.
#include "app/insight/proof/figure.h"
#include "app/insight/proof/proof.h"
#include "app/savings/realized/realized.h"
#include "app/services/billing/billingservice.h"
#include "app/services/environment/demosettings.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/proof/proofservice.h"
#include "app/services/savings/savingsservice.h"
#include "app/services/sources/sourceservice.h"
#include "app/services/sources/syncreport.h"
#include "app/services/workspace/demopast.h"
#include "app/services/workspace/workspace.h"
#include "app/store/values/integrityproblem.h"
#include "connectors/connectorregistry.h"
#include "tests/support/fakes/nosecrets.h"
#include "tests/support/suite.h"
#include "ui/format/savings/savingsfigures.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tst_demosaving {

using namespace gpuledger;

namespace {

const base::FrozenClock kClock(base::parseTime("2026-11-21T12:00:00Z").value());
const base::UtcTime kGivenBack = base::parseTime("2026-10-17").value(); // 35 days before

} // namespace

class DemoSavingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const std::filesystem::path folder = m_folder.path().toStdString();
        const services::DemoOptions options = services::begunAt(kClock.now(), {{"gpus", "200"}}, folder);
        const model::Settings settings = services::demoSettings(options, folder);
        services::WorkspaceOptions where;
        where.dataFolder = folder;
        services::DemoPast past(settings, where, *m_catalog, m_secrets, kClock);
        const auto done = past.stopWorkloads({}, [](const services::SyncProgress &) {});
        QVERIFY2(done, done ? "" : done.error().text.c_str());
        auto opened = services::Workspace::open(settings, where, *m_catalog, m_secrets, kClock);
        QVERIFY(opened);
        m_workspace = std::move(*opened);
        const auto reports = m_workspace->sources().sync(std::nullopt, {}, {});
        QVERIFY(reports);
        for (const services::SyncReport &report : *reports)
            QVERIFY2(!report.error, report.error ? report.error->text.c_str() : "");
        QVERIFY(past.closeMonths({}));
    }
    void cleanupTestCase() { m_workspace.reset(); }

    void acceptedOneProposal()
    {
        const auto choices = m_workspace->savings().choices().value();
        QCOMPARE(choices.size(), std::size_t{1});
        const savings::Choice &choice = choices.front();
        QVERIFY(choice.draft.state == savings::ChoiceState::Accepted);
        QCOMPARE(choice.draft.owner, std::string("gpu-platform"));
        QVERIFY(!choice.draft.reason.empty());
        QVERIFY(choice.at == kGivenBack && choice.draft.day == base::dayOf(kGivenBack));
        QVERIFY2(choice.draft.proposal.starts_with("capacity:inference/batch-burst/"), choice.draft.proposal.c_str());
        QVERIFY(choice.projected && choice.projected->p50.nanos() > 0);
    }

    // Two machines were billed by the day at 29.387080 USD an hour each.
    void savedWhatTheMachinesCost()
    {
        auto measured = m_workspace->savings().realized(model::CostView::Effective).value();
        std::erase_if(measured, [](const savings::Realized &one) { return one.stop.has_value(); });
        QCOMPARE(measured.size(), std::size_t{1});
        const savings::Realized &one = measured.front();
        QVERIFY(one.state == savings::RealizedState::Measured);
        QVERIFY(one.before.end == kGivenBack && one.before.length() == 28 * base::kDay);
        QVERIFY(one.after.start == kGivenBack + base::kDay && one.after.length() == 28 * base::kDay);
        constexpr std::int64_t kTruth = std::int64_t{2} * 730 * 29'387'080'000;
        const std::string band =
            one.perMonth->p10.toDecimal() + ' ' + one.perMonth->p50.toDecimal() + ' ' + one.perMonth->p90.toDecimal();
        // The control group changes a little as well, which a band of four equal weeks can't show: half a percent.
        QVERIFY2(one.perMonth->p10.nanos() <= kTruth && kTruth - kTruth / 200 <= one.perMonth->p90.nanos(),
                 band.c_str());
        QVERIFY2(std::abs(one.perMonth->p50.nanos() - kTruth) * 20 < kTruth, band.c_str());
        QVERIFY(one.error && *one.error > -0.5 && *one.error < 1);
    }

    // Each figure of it, and of its sum, is the same when it is explained.
    void whatItSavedIsExplained()
    {
        const auto measured = m_workspace->savings().realized(model::CostView::Effective).value();
        std::vector<std::pair<insight::Figure, base::Money>> shown;
        const auto add = [&](const savings::MoneyBand &band, const auto &figureOf) {
            shown.emplace_back(figureOf("p10"), band.p10);
            shown.emplace_back(figureOf("p50"), band.p50);
            shown.emplace_back(figureOf("p90"), band.p90);
        };
        for (const savings::Realized &one : measured) {
            if (one.perMonth)
                add(*one.perMonth, [&](const char *quantile) {
                    return ui::realizedFigure(one, model::CostView::Effective, quantile).value();
                });
        }
        const auto choices = m_workspace->savings().choices().value();
        const auto sums = savings::realizedSum(choices, measured);
        QCOMPARE(sums.size(), std::size_t{1});
        add(sums.front().perMonth, [&](const char *quantile) {
            return ui::realizedSumFigure(sums.front(), measured, model::CostView::Effective, quantile);
        });
        for (const auto &[figure, amount] : shown) {
            const std::string id = toString(figure);
            const auto again = insight::figureFromString(id);
            QVERIFY2(again && *again == figure, id.c_str());
            const auto proof = m_workspace->proof().explain(*again);
            QVERIFY2(proof, (id + (proof ? "" : ": " + proof.error().text)).c_str());
            QVERIFY2(proof->agrees && proof->shown == insight::FigureValue::of(amount), id.c_str());
            QVERIFY2(!proof->money.empty() && !proof->inputs.empty(), id.c_str());
        }
        insight::Figure other = shown.front().first;
        other.range.end += base::kDay;
        const auto none = m_workspace->proof().explain(other);
        QVERIFY(!none && none.error().code == base::ErrorCode::NotFound);
    }

    // The day is kept from the first start on, and only by folders that are filled from then on.
    void theDayIsStored()
    {
        QTemporaryDir fresh;
        const std::filesystem::path folder = fresh.path().toStdString() + "/demo";
        const services::DemoOptions begun{{"begun", "2026-11-21"}};
        QVERIFY(services::beginDemo(kClock.now(), folder));
        QVERIFY(services::keptDemoOptions(folder) == begun);
        QVERIFY(services::beginDemo(kClock.now() + 9 * base::kDay, folder));
        QVERIFY(services::chooseDemo(folder, {}).value() == begun);
        for (const model::SourceSettings &source : services::keptDemoSettings(folder).sources) {
            if (source.kind == "demo-plans" || source.kind == "demo-claims")
                continue; // it has no past
            QCOMPARE(source.options.at("burst-until"), std::string("2026-10-17"));
            QVERIFY(!source.options.contains("begun"));
        }
        // Nothing was fetched into it yet: another fleet may begin there, on another day.
        const services::DemoOptions small{{"gpus", "64"}}, days{{"days", "21"}};
        QVERIFY(services::chooseDemo(folder, small).value() == small);
        QCOMPARE(services::begunAt(kClock.now() + base::kDay, small, folder).at("begun"), std::string("2026-11-22"));
        QVERIFY(services::begunAt(kClock.now(), days, folder) == days); // without a past

        const std::filesystem::path filled = m_folder.path().toStdString();
        QVERIFY(services::begunAt(kClock.now(), small, filled) == small);
        QVERIFY(services::keepDemoOptions(filled, begun));
        QVERIFY(services::chooseDemo(filled, {}).value() == begun);
        QVERIFY(!services::chooseDemo(filled, small));
        auto same = small;
        same["begun"] = "2026-11-21";
        QVERIFY(services::keepDemoOptions(filled, same));
        QVERIFY(services::chooseDemo(filled, small).value() == same);
        for (const model::SourceSettings &source : services::demoSettings(small).sources)
            QVERIFY(!source.options.contains("burst-until"));
    }

    // The proposal is no longer in the list, because the pool is gone.
    void nothingIsLeftToGiveBack()
    {
        const auto list = m_workspace->savings().savings({}).value();
        QVERIFY(std::none_of(list.items.begin(), list.items.end(), [](const savings::Proposal &one) {
            return one.id.find("batch-burst") != std::string::npos;
        }));
    }

    void isSound() { QVERIFY(m_workspace->verify().value().empty()); }

private:
    QTemporaryDir m_folder;
    tests::NoSecrets m_secrets;
    const std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<services::Workspace> m_workspace;
};

GPULEDGER_SUITE(DemoSavingTest)

} // namespace tst_demosaving

#include "tst_demosaving.moc"
