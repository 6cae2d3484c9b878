// SPDX-License-Identifier: GPL-3.0-or-later
// The view of the Idle page with waiting jobs, over the real engine and the demo fleet; a test may replace the waiting
// jobs.
#include "app/ports/waitingsource.h"
#include "app/services/sources/sourceservice.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "ui/pages/idle/idleevidencepanel.h"
#include "ui/pages/idle/idlepage.h"
#include "ui/pages/idle/idlewaiting.h"
#include "ui/pages/idle/waitingpanel.h"
#include "widgets/inputs/segmentedswitch.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

#include <algorithm>
#include <atomic>
#include <functional>

namespace tst_idlewaiting {

using namespace gpuledger;
using ui::IdlePage;
using widgets::DataTable;
using widgets::StatePanel;

namespace {

constexpr int kPatience = 60000;

using Answer = std::function<base::Result<model::WaitingFacts>(base::Result<model::WaitingFacts>)>;

// The demo source, with replaceable waiting jobs.
class Changed final : public ports::TelemetrySource, public ports::WaitingSource {
public:
    Changed(std::unique_ptr<ports::TelemetrySource> real, const Answer &change, std::atomic<int> &asked)
        : m_real(std::move(real))
        , m_change(change)
        , m_asked(asked)
    {
    }
    const std::string &name() const override { return m_real->name(); }
    base::Result<ports::ProbeReport> probe(std::stop_token stop) override { return m_real->probe(std::move(stop)); }
    base::Result<void> fetch(base::TimeRange range, ports::FactSink &sink, std::stop_token stop) override
    {
        return m_real->fetch(range, sink, std::move(stop));
    }
    ports::WaitingSource *waiting() override { return this; }
    base::Result<model::WaitingFacts> waitingAt(base::UtcTime at, std::stop_token stop) override
    {
        ++m_asked;
        auto facts = m_real->waiting()->waitingAt(at, std::move(stop));
        return m_change ? m_change(std::move(facts)) : facts;
    }

private:
    std::unique_ptr<ports::TelemetrySource> m_real;
    const Answer &m_change;
    std::atomic<int> &m_asked;
};

class Catalog final : public ports::SourceCatalog {
public:
    ports::SourceKinds kinds() const override { return m_real->kinds(); }
    base::Result<std::unique_ptr<ports::TelemetrySource>>
    create(const model::SourceSettings &settings, const std::vector<model::ExporterMappingText> &exporters,
           ports::SecretStore &secrets, const base::Clock &clock) const override
    {
        auto made = m_real->create(settings, exporters, secrets, clock);
        GPULEDGER_TRY(made);
        return std::make_unique<Changed>(std::move(*made), change, asked);
    }
    Answer change;
    mutable std::atomic<int> asked{0};

private:
    std::unique_ptr<ports::SourceCatalog> m_real = connectors::makeSourceCatalog();
};

model::Settings smallFleet()
{
    model::Settings settings;
    model::SourceSettings source;
    source.name = "demo";
    source.kind = "demo";
    source.options = {{"gpus", "120"}, {"days", "3"}};
    source.firstSync = 3 * base::kDay;
    settings.sources.push_back(std::move(source));
    return settings;
}

} // namespace

class IdleWaitingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_catalog = std::make_unique<Catalog>();
        m_folder = std::make_unique<QTemporaryDir>();
        m_workspace = std::move(services::Workspace::open(smallFleet(), {m_folder->path().toStdString(), "UTC", false},
                                                          *m_catalog, *m_secrets, m_clock)
                                    .value());
        QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value());
        m_tasks = std::make_unique<ui::TaskRunner>();
        m_sync = std::make_unique<ui::SyncController>(m_workspace->config(), m_workspace->sources(),
                                                      m_workspace->fleet(), *m_tasks);
        m_navigator = std::make_unique<ui::Navigator>(ui::Place{QStringLiteral("idle"), {}, {}});
    }

    void cleanup()
    {
        m_page.reset();
        m_navigator.reset();
        m_sync.reset();
        m_tasks.reset();
        m_workspace.reset();
    }

    void asksOnlyWhoeverLooks()
    {
        open(false);
        QCOMPARE(m_catalog->asked.load(), 0);
        m_page->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
        QCOMPARE(m_catalog->asked.load(), 0);
        choose(QStringLiteral("waiting"));
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
        QCOMPARE(m_catalog->asked.load(), 1);
        choose(QStringLiteral("idle"));
        m_page->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
        QCOMPARE(m_catalog->asked.load(), 1);
    }

    void showsWhoWaitsAndWhatBlocksThem()
    {
        open(true);
        QVERIFY(table()->model().totalRows() > 5);
        const QString csv = QString::fromUtf8(table()->csv());
        QVERIFY(csv.contains(QStringLiteral("ClusterQueue/vision-batch")));
        QVERIFY(shows(QStringLiteral("waiting for GPUs")));
        QVERIFY(shows(QStringLiteral("would serve"))); // the summary
        QVERIFY(!table()->currentRowId().isEmpty());
        QVERIFY(shows(QStringLiteral("makes room for it"))); // the oldest of the first group
    }

    void ticksWhatWouldServe()
    {
        open(true);
        QPushButton *tick = button(QStringLiteral("Select blockers"));
        QVERIFY(tick && tick->isEnabled());
        tick->click();
        QVERIFY(!waiting()->isVisible());
        QVERIFY(!table()->isVisible());
        QPushButton *stop = button(QStringLiteral("&Stop"));
        QVERIFY(stop && stop->isEnabled());
        QVERIFY(shows(QStringLiteral("selected")));
        // Another selection: everything that would serve any job.
        choose(QStringLiteral("waiting"));
        button(QStringLiteral("Select for"))->click();
        QVERIFY(shows(QStringLiteral("selected")));
    }

    // The panel beside the list is about the selected job, and leads to what holds its GPUs.
    void thePanelFollowsTheJob()
    {
        open(true);
        auto *panel = m_page->findChild<ui::WaitingPanel *>();
        QVERIFY(panel && panel->isVisible());
        QVERIFY(!m_page->findChild<ui::IdleEvidencePanel *>()->isVisible());
        QVERIFY(shows(QStringLiteral("What would serve it")));
        QVERIFY(table()->setCurrentRow(QStringLiteral("prod-us//vision-batch/")));
        QTRY_VERIFY(shows(QStringLiteral("What keeps it waiting")));
        QVERIFY(!shows(QStringLiteral("What would serve it")));
        QVERIFY(!button(QStringLiteral("Show what holds its GPUs"))->isVisible()); // nothing would serve it
        table()->view()->setCurrentIndex({});
        QVERIFY(table()->setCurrentRow(firstServed()));
        QPushButton *show = button(QStringLiteral("Show what holds its GPUs"));
        QTRY_VERIFY(show->isVisible());
        show->click();
        QVERIFY(!panel->isVisible() && m_page->findChild<ui::IdleEvidencePanel *>()->isVisible());
    }

    // A switch that moves when pressed is pressed twice.
    void theSwitchStaysWhereItWas()
    {
        open(false);
        widgets::SegmentedSwitch *view = nullptr;
        for (auto *one : m_page->findChildren<widgets::SegmentedSwitch *>())
            view = one->currentKey() == QLatin1String("idle") ? one : view;
        QVERIFY(view);
        const QPoint before = view->mapTo(m_page.get(), QPoint());
        choose(QStringLiteral("waiting"));
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
        QCOMPARE(view->mapTo(m_page.get(), QPoint()), before);
    }

    // Workloads of other teams may be what would serve it.
    void saysWhatTheFilterHides()
    {
        open(true);
        QStringList notices;
        connect(m_page.get(), &ui::Page::noticeWanted, this,
                [&](const ui::PageNotice &notice) { notices.append(notice.text); });
        button(QStringLiteral("Select for"))->click();
        QVERIFY(notices.isEmpty());
        ui::Scope scope;
        scope.filter.include[insight::Dimension::GpuModel] = {"none"};
        m_page->setScope(scope);
        choose(QStringLiteral("waiting"));
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled() && button(QStringLiteral("Select for"))->isEnabled(), kPatience);
        button(QStringLiteral("Select for"))->click();
        QCOMPARE(notices.size(), 1);
        QVERIFY(notices.front().contains(QStringLiteral("not in this list")));
    }

    void whatNothingServesTicksNothing()
    {
        open(true);
        const auto &model = table()->model();
        QVERIFY(table()->setCurrentRow(QStringLiteral("prod-us//vision-batch/")));
        QVERIFY(model.totalRows() > 0);
        QVERIFY(!button(QStringLiteral("Select blockers"))->isEnabled());
        QVERIFY(shows(QStringLiteral("Queue vision-batch has no quota left")));
    }

    void isAPlaceToComeBackTo()
    {
        open(true);
        const QUrlQuery place = m_page->place();
        QCOMPARE(place.queryItemValue(QStringLiteral("view")), QStringLiteral("waiting"));
        choose(QStringLiteral("idle"));
        QVERIFY(!m_page->place().hasQueryItem(QStringLiteral("view")));
        m_page->restore(place);
        QVERIFY(waiting()->isVisible());
        m_page->restore({});
        QVERIFY(!waiting()->isVisible());
    }

    void nobodyWaits()
    {
        m_catalog->change = [](base::Result<model::WaitingFacts> facts) {
            facts->works.clear();
            return facts;
        };
        open(true);
        QCOMPARE(panel()->state(), StatePanel::State::Empty);
        QVERIFY(shows(QStringLiteral("No jobs are waiting for GPUs")));
        QVERIFY(!shows(QStringLiteral("Waiting jobs are not known")));
    }

    void unknownIsNotNobody()
    {
        m_catalog->change = [](base::Result<model::WaitingFacts>) {
            model::WaitingFacts facts;
            facts.missing = {"kube_pod_status_phase", "<b>x</b>"};
            return base::Result<model::WaitingFacts>(facts);
        };
        open(true);
        QCOMPARE(panel()->state(), StatePanel::State::Empty);
        QVERIFY(shows(QStringLiteral("Waiting jobs are not known")));
        QVERIFY(shows(QStringLiteral("it lacks kube_pod_status_phase, <b>x</b>")));
        QVERIFY(!shows(QStringLiteral("No jobs are waiting")));
    }

    void aSourceThatFails()
    {
        m_catalog->change = [](base::Result<model::WaitingFacts>) -> base::Result<model::WaitingFacts> {
            return base::fail(base::ErrorCode::Network, "nobody is at home");
        };
        open(true);
        QVERIFY(shows(QStringLiteral("Waiting jobs are not known")));
        QVERIFY(shows(QStringLiteral("nobody is at home")));
        m_catalog->change = {};
        button(QStringLiteral("Check again"))->click();
        QTRY_COMPARE_WITH_TIMEOUT(panel()->state(), StatePanel::State::Data, kPatience);
    }

    void hostileNamesArePlainText()
    {
        m_catalog->change = [](base::Result<model::WaitingFacts> facts) {
            facts->works.resize(1);
            facts->works.front().ownerName = "<b>bold</b>%1%2";
            return facts;
        };
        open(true);
        QVERIFY(QString::fromUtf8(table()->csv()).contains(QStringLiteral("<b>bold</b>%1%2")));
        for (const auto *label : m_page->findChildren<QLabel *>())
            QVERIFY(label->textFormat() == Qt::PlainText || label->text().isEmpty());
    }

    // Jobs may be waiting even if nothing is idle.
    void isReachedFromAnEmptyList()
    {
        open(false);
        ui::Scope scope;
        scope.filter.include[insight::Dimension::NodeLabel] = {"x"};
        scope.filter.include[insight::Dimension::GpuModel] = {"none"};
        m_page->setScope(scope);
        auto *outer = m_page->findChild<StatePanel *>();
        QTRY_COMPARE_WITH_TIMEOUT(outer->state(), StatePanel::State::Empty, kPatience);
        QPushButton *other = button(QStringLiteral("Jobs waiting for GPUs"));
        QVERIFY(other && other->isVisible());
        other->click();
        QTRY_VERIFY_WITH_TIMEOUT(table()->isVisible() && table()->model().totalRows() > 5, kPatience);
    }

    void everyControlHasAName()
    {
        open(true);
        int controls = 0;
        for (const QWidget *widget : waiting()->findChildren<QWidget *>()) {
            if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus) || widget->focusProxy())
                continue;
            const auto *push = qobject_cast<const QAbstractButton *>(widget);
            ++controls;
            QVERIFY2(!widget->accessibleName().isEmpty() || (push && !push->text().isEmpty()),
                     widget->metaObject()->className());
        }
        QVERIFY(controls >= 3);
    }

    // Tab moves from the switch above the table to the buttons, in reading order.
    void tabOrder()
    {
        open(true);
        button(QStringLiteral("Export"))->setFocus();
        QWidget *const first = button(QStringLiteral("Select for"));
        QTest::keyClick(m_page->window(), Qt::Key_Tab);
        QVERIFY(m_page->window()->focusWidget() == first || !first->isEnabled());
        QTest::keyClick(m_page->window(), Qt::Key_Tab);
        QCOMPARE(m_page->window()->focusWidget(), button(QStringLiteral("Select blockers")));
    }

private:
    void open(bool waits)
    {
        m_page = std::make_unique<IdlePage>(ui::PageContext{{*m_workspace, *m_tasks, *m_sync, m_theme}, *m_navigator});
        m_page->resize(1200, 700);
        m_page->show();
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
        if (!waits)
            return;
        choose(QStringLiteral("waiting"));
        QTRY_VERIFY_WITH_TIMEOUT(m_page->settled(), kPatience);
    }
    void choose(const QString &key)
    {
        for (auto *one : m_page->findChildren<widgets::SegmentedSwitch *>())
            one->setCurrentKey(key); // the other switch does not have this key
    }
    ui::IdleWaiting *waiting() const { return m_page->findChild<ui::IdleWaiting *>(); }
    DataTable *table() const { return waiting()->table(); }
    StatePanel *panel() const { return waiting()->findChild<StatePanel *>(); }
    // The first row that has a workload to be stopped.
    QString firstServed() const
    {
        const auto &model = dynamic_cast<const ui::TableModel &>(table()->model());
        for (int row = 0; row < model.totalRows(); ++row) {
            const auto cell = model.snapshot()->value(row, static_cast<int>(ui::WaitingColumn::Servers));
            if (const auto *servers = std::get_if<QString>(&cell); servers && !servers->isEmpty())
                return model.snapshot()->id(row);
        }
        return {};
    }
    // The visible one if possible.
    QPushButton *button(const QString &text) const
    {
        QPushButton *found = nullptr;
        for (auto *one : m_page->findChildren<QPushButton *>()) {
            if (QString(one->text()).remove(QLatin1Char('&')).startsWith(QString(text).remove(QLatin1Char('&')))
                && (!found || one->isVisible()))
                found = one;
        }
        return found;
    }
    bool shows(const QString &text) const
    {
        const auto labels = m_page->findChildren<QLabel *>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel *label) { return label->isVisible() && label->text().contains(text); });
    }

    std::unique_ptr<Catalog> m_catalog;
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
    base::FrozenClock m_clock{base::fromUnix(1'790'000'100)};
    widgets::Theme m_theme;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<services::Workspace> m_workspace;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::SyncController> m_sync;
    std::unique_ptr<ui::Navigator> m_navigator;
    std::unique_ptr<IdlePage> m_page;
};

GPULEDGER_WINDOW_SUITE(IdleWaitingTest)

} // namespace tst_idlewaiting

#include "tst_idlewaiting.moc"
