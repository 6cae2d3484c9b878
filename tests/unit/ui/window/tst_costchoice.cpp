// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/overview/summary.h"
#include "app/reports/documents/documents.h"
#include "app/services/billing/billingservice.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/sources/sourceservice.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "tests/unit/ui/showback/showbackbench.h"
#include "ui/navigation.h"
#include "ui/pages/documentview.h"
#include "ui/pages/page.h"
#include "ui/viewmodels/heatmap/heatmapviewmodel.h"
#include "ui/viewmodels/overview/overviewviewmodel.h"
#include "ui/window/bars/noticebar.h"
#include "ui/window/mainwindow.h"
#include "ui/window/topbar/costchoice.h"

#include <QTemporaryDir>
#include <QTest>

namespace tst_costchoice {

using namespace gpuledger;
using model::CostView;
using tests::billedFleet;
using tests::total;

namespace {

constexpr int kPatience = 120000;
constexpr insight::Month kSeptember{2026, 9};

} // namespace

// The one choice of cost in the top bar, over the real engine with the demo fleet and its bills.
class CostChoiceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        m_theme.setMode(widgets::Theme::Mode::Light);
        m_theme.apply();
        m_workspace = std::move(services::Workspace::open(billedFleet(), {m_folder.path().toStdString(), "UTC", false},
                                                          *m_catalog, *m_secrets, m_clock)
                                    .value());
        m_tasks = std::make_unique<ui::TaskRunner>();
        m_sync = std::make_unique<ui::SyncController>(m_workspace->config(), m_workspace->sources(),
                                                      m_workspace->fleet(), *m_tasks);
        const auto reports = m_workspace->sources().sync(std::nullopt, {}, {}).value();
        for (const auto &report : reports)
            QVERIFY(!report.error);
        m_window =
            std::make_unique<ui::MainWindow>(ui::WindowContext{*m_workspace, *m_tasks, *m_sync, m_theme}, ui::pages());
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    void cleanupTestCase()
    {
        m_window.reset();
        m_sync.reset();
        m_tasks.reset();
        m_workspace.reset();
    }

    void isOfferedWhereThereIsACost_data()
    {
        QTest::addColumn<QString>("page");
        QTest::addColumn<bool>("offered");
        for (const char *page : {"overview", "heatmap", "idle", "savings", "showback", "device"})
            QTest::newRow(page) << QString::fromLatin1(page) << true;
        for (const char *page : {"activity", "sources"})
            QTest::newRow(page) << QString::fromLatin1(page) << false;
    }
    void isOfferedWhereThereIsACost()
    {
        QFETCH(QString, page);
        QFETCH(bool, offered);
        open({page, {}, {}});
        QCOMPARE(choice()->isVisible(), offered);
        QVERIFY(choice()->accessibleName().startsWith(QStringLiteral("Cost")));
    }

    void statementsFollowIt()
    {
        ui::Page *page =
            open({QStringLiteral("showback"), {}, QUrlQuery(QStringLiteral("month=2026-09&team=research"))});
        const auto isOf = [&](CostView view) {
            const auto statement = m_workspace->billing().statement(kSeptember, view, "research").value();
            const QString text = page->findChild<ui::DocumentView *>()->toPlainText();
            return page->settled() && text.contains(QString::fromStdString(reports::viewName(view)))
                && text.contains(total(statement.currencies.front().teams.front().total()));
        };
        QVERIFY(isOf(CostView::Effective));
        choice()->setCurrentKey(QStringLiteral("billed"));
        QTRY_VERIFY_WITH_TIMEOUT(isOf(CostView::Billed), kPatience);
        QVERIFY(m_window->saveState().place.contains(QStringLiteral("cost=billed")));
        QVERIFY(notices().contains(QStringLiteral("on no bill yet")));
        choice()->setCurrentKey(QStringLiteral("list")); // a statement has none, and the window says so
        QTRY_VERIFY_WITH_TIMEOUT(isOf(CostView::Effective), kPatience);
        QVERIFY(notices().contains(QStringLiteral("have no list prices")));
        choice()->setCurrentKey(QStringLiteral("effective"));
        QVERIFY(!notices().contains(QStringLiteral("list prices")));
        QVERIFY(!m_window->saveState().place.contains(QStringLiteral("cost=")));
    }

    void aLinkChoosesIt()
    {
        open(*ui::Place::fromUrl(QUrl(QStringLiteral("gpuledger://heatmap?span=week&cost=list"))));
        QCOMPARE(choice()->currentKey(), QStringLiteral("list"));
        open(*ui::Place::fromUrl(QUrl(QStringLiteral("gpuledger://heatmap?span=week"))));
        QCOMPARE(choice()->currentKey(), QStringLiteral("effective"));
    }

    void pagesShowWhatTheCommandLineSays_data()
    {
        QTest::addColumn<int>("view");
        for (const CostView view : {CostView::Effective, CostView::Billed, CostView::List})
            QTest::newRow(std::string(model::toString(view)).c_str()) << static_cast<int>(view);
    }
    void pagesShowWhatTheCommandLineSays()
    {
        QFETCH(int, view);
        ui::Scope scope;
        scope.time.span = ui::Span::LastMonth;
        scope.cost = static_cast<CostView>(view);
        ui::OverviewViewModel overview(
            m_workspace->config(), m_workspace->fleet(), m_workspace->spend(),
            ui::savingsDesk(m_workspace->config(), m_workspace->fleet(), m_workspace->savings()), *m_tasks);
        overview.setScope(scope);
        QTRY_VERIFY_WITH_TIMEOUT(overview.state() == ui::PageState::Data, kPatience);
        const insight::Overview &shown = overview.snapshot()->overview;
        const auto summary =
            m_workspace->fleet().summary({shown.range, {}, scope.cost}, insight::Dimension::Team).value();
        QVERIFY(summary.total.cost.total() > 0);
        QCOMPARE(shown.total.cost.total(), summary.total.cost.total());
        QCOMPARE(overview.snapshot()->spend != nullptr, scope.cost == CostView::Effective);
        ui::HeatmapViewModel heatmap(m_workspace->config(), m_workspace->fleet(), *m_tasks);
        heatmap.setScope(scope);
        heatmap.setMetric(insight::Metric::Cost);
        QTRY_VERIFY_WITH_TIMEOUT(heatmap.state() == ui::PageState::Data && !heatmap.isAsking(), kPatience);
        const QString legend = heatmap.snapshot()->matrix.legendText;
        static const char *const kNames[] = {"as billed", "effective rates", "list prices"}; // by CostView
        QVERIFY2(legend.contains(QLatin1String(kNames[view])), qPrintable(legend));
    }

private:
    ui::Page *open(const ui::Place &place)
    {
        m_window->open(place);
        ui::Page *page = m_window->currentPage();
        [[maybe_unused]] const bool settled = QTest::qWaitFor([page] { return page->settled(); }, kPatience);
        return page;
    }
    ui::CostChoiceButton *choice() { return m_window->findChild<ui::CostChoiceButton *>(); }
    QString notices() const { return m_window->notices().texts().join(QLatin1Char('\n')); }

    QTemporaryDir m_folder;
    base::FrozenClock m_clock{base::parseTime("2026-11-06T12:00:00Z").value()};
    widgets::Theme m_theme;
    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
    std::unique_ptr<services::Workspace> m_workspace;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::SyncController> m_sync;
    std::unique_ptr<ui::MainWindow> m_window;
};

GPULEDGER_WINDOW_SUITE(CostChoiceTest)

} // namespace tst_costchoice

#include "tst_costchoice.moc"
