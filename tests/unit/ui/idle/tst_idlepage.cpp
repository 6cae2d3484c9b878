// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/actions/actionservice.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/sources/sourceservice.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/suite.h"
#include "tests/support/window/testwindow.h"
#include "ui/navigation.h"
#include "ui/pages/idle/idlepage.h"
#include "ui/window/bars/stalebar.h"
#include "ui/window/mainwindow.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>
#include <QWindow>

#include <algorithm>

namespace tst_idlepage {

using namespace gpuledger;
using ui::IdlePage;
using widgets::DataTable;
using widgets::StatePanel;

namespace {

constexpr int kPatience = 60000;

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

// The page in a window, over the real engine and the demo source.
class IdlePageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        open(m_clock);
    }

    void cleanup()
    {
        m_navigator.reset();
        m_sync.reset();
        m_tasks.reset();
        m_workspace.reset();
    }

    void offersASyncAtFirst()
    {
        IdlePage page(context());
        page.show();
        auto *panel = page.findChild<StatePanel *>();
        QTRY_COMPARE_WITH_TIMEOUT(panel->state(), StatePanel::State::FirstRun, kPatience);
        QVERIFY(!panel->isContentShown());
    }

    void isHiddenWithoutAsking()
    {
        sync();
        IdlePage page(context());
        QTest::qWait(50);
        QCOMPARE(page.findChild<StatePanel *>()->state(), StatePanel::State::Loading);
        QVERIFY(!page.settled());
        page.show();
        QTRY_VERIFY_WITH_TIMEOUT(page.settled(), kPatience);
        QCOMPARE(page.findChild<StatePanel *>()->state(), StatePanel::State::Data);
    }

    // The time at which old data end makes the heading long; what it sums up stays a line of text, not a column.
    void keepsItsHeadingLow()
    {
        tests::TestWindow fleet(m_theme, tests::TestWindow::Fleet::Synced, {base::Seconds{14 * 3600}});
        for (const int width : {1024, 1280}) {
            fleet.open(QStringLiteral("gpuledger://idle"), {width, 800});
            const auto labels = fleet.window().currentPage()->findChildren<QLabel *>();
            const auto title = std::find_if(labels.begin(), labels.end(), [](const QLabel *label) {
                return label->isVisible() && label->text().contains(QLatin1String(" idle workload"));
            });
            QVERIFY(title != labels.end());
            const auto below = (*title)->parentWidget()->findChildren<QLabel *>(Qt::FindDirectChildrenOnly);
            QCOMPARE(below.size(), 2);
            for (const QLabel *label : below) {
                QVERIFY(!label->text().isEmpty());
                QVERIFY2(
                    label->height() <= 3 * label->fontMetrics().lineSpacing(),
                    qPrintable(
                        QStringLiteral("%1: %2 pixels high at %3").arg(label->text()).arg(label->height()).arg(width)));
            }
        }
    }

    void showsWhoseTheWorstIsAtOnce()
    {
        sync();
        ui::MainWindow window({*m_workspace, *m_tasks, *m_sync, m_theme}, ui::pages());
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        int number = 0;
        const auto pages = ui::pages();
        while (pages[static_cast<std::size_t>(number)].id != QLatin1String("idle"))
            ++number;
        QTest::keyClick(window.windowHandle(), static_cast<Qt::Key>(Qt::Key_1 + number),
                        Qt::ControlModifier); // the only keystroke
        QTRY_VERIFY_WITH_TIMEOUT(qobject_cast<IdlePage *>(window.currentPage()), 5000);
        auto *page = qobject_cast<IdlePage *>(window.currentPage());
        QVERIFY(page);
        QTRY_VERIFY_WITH_TIMEOUT(page->settled(), kPatience);
        const auto items = m_workspace->fleet().idle(m_clock.now(), {}).value().items;
        const QString first = page->findChild<DataTable *>()->currentRowId();
        const auto found = std::find_if(items.begin(), items.end(),
                                        [&](const insight::IdleItem &item) { return item.id == first.toStdString(); });
        QVERIFY(found != items.end());
        const insight::IdleItem worst = *found; // the dearest of the team that is listed first
        for (const insight::IdleItem &item : items)
            QVERIFY(item.owner != worst.owner || !item.perMonth
                    || item.perMonth->toDouble() <= worst.perMonth->toDouble());
        const auto shows = [&](const QString &text) {
            const auto labels = page->findChildren<QLabel *>();
            return std::any_of(labels.begin(), labels.end(),
                               [&](const QLabel *label) { return label->isVisible() && label->text() == text; });
        };
        // A new label in a visible layout appears with the next round of events.
        QTRY_VERIFY_WITH_TIMEOUT(shows(QStringLiteral("For stopping")), kPatience);
        QVERIFY(shows(QStringLiteral("Owner ") + QString::fromStdString(worst.owner)));
        QVERIFY(qobject_cast<QTreeView *>(QApplication::focusWidget())); // arrows work at once
        const QString before = page->findChild<DataTable *>()->currentRowId();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
        QVERIFY(page->findChild<DataTable *>()->currentRowId() != before);
    }

    void saysThatNothingIsIdle()
    {
        sync();
        IdlePage page(context());
        ui::Scope scope;
        scope.filter.include[insight::Dimension::Team] = {"<b>nobody</b>"};
        page.setScope(scope);
        page.show();
        auto *panel = page.findChild<StatePanel *>();
        QTRY_COMPARE_WITH_TIMEOUT(panel->state(), StatePanel::State::Empty, kPatience);
        QVERIFY(page.settled());
    }

    void stopsNothingFromOldData_data()
    {
        QTest::addColumn<int>("minutes"); // after the sync
        QTest::addColumn<bool>("isStale");
        QTest::newRow("as it was synced") << 0 << false;
        QTest::newRow("before the next round") << 5 << false;
        QTest::newRow("rounds were missed") << 20 << true;
        QTest::newRow("four days later") << 4 * 24 * 60 << true;
    }

    void stopsNothingFromOldData()
    {
        QFETCH(int, minutes);
        QFETCH(bool, isStale);
        sync();
        const base::FrozenClock later(m_clock.now() + std::chrono::minutes(minutes));
        open(later);
        {
            IdlePage page(context());
            page.show();
            QTRY_VERIFY_WITH_TIMEOUT(page.settled(), kPatience);
            QPushButton *stop = nullptr;
            for (auto *button : page.findChildren<QPushButton *>())
                stop = button->text().contains(QStringLiteral("Stop this one")) ? button : stop;
            QVERIFY(stop);
            QCOMPARE(stop->isEnabled(), !isStale);
            QCOMPARE(!stop->toolTip().isEmpty(), isStale); // its lines are wrapped to fit
            QCOMPARE(stop->accessibleDescription().contains(QStringLiteral("sync first")), isStale);
            ui::StaleBar bar(m_theme, m_workspace->config(), *m_sync);
            m_sync->reloadSources();
            QTRY_VERIFY_WITH_TIMEOUT(!m_sync->sources().empty(), kPatience);
            QCOMPARE(bar.text().contains(QStringLiteral("nothing can be stopped from it")), isStale);
            QCOMPARE(!bar.isHidden(), isStale);
        }
        open(m_clock); // the later one is dropped
    }

    void saysThatNothingIsKnownOfNow()
    {
        sync();
        const base::FrozenClock later(m_clock.now() + 4 * base::kDay);
        open(later);
        {
            IdlePage page(context());
            ui::Scope scope;
            scope.filter.include[insight::Dimension::Team] = {"nobody"};
            page.setScope(scope);
            page.show();
            auto *panel = page.findChild<StatePanel *>();
            QTRY_COMPARE_WITH_TIMEOUT(panel->state(), StatePanel::State::Empty, kPatience);
            const auto labels = panel->findChildren<QLabel *>();
            const auto says = [&](const QString &text) {
                return std::any_of(labels.begin(), labels.end(),
                                   [&](const QLabel *label) { return label->text().contains(text); });
            };
            QVERIFY(says(QStringLiteral("What is idle now is not known")));
            QVERIFY(!says(QStringLiteral("Nothing is idle")));
        }
        open(m_clock);
    }

    void copiesWhatIsTicked()
    {
        sync();
        IdlePage page(context());
        page.show();
        QTRY_VERIFY_WITH_TIMEOUT(page.settled(), kPatience);
        auto *table = page.findChild<DataTable *>();
        QPushButton *copy = nullptr, *clear = nullptr;
        for (auto *button : page.findChildren<QPushButton *>()) {
            copy = button->text().startsWith(QStringLiteral("Copy")) ? button : copy;
            clear = button->text() == QStringLiteral("Clear") ? button : clear;
        }
        QVERIFY(copy && clear && !clear->isVisible());
        copy->click();
        const auto lines = [] { return QGuiApplication::clipboard()->text().trimmed().count(QLatin1Char('\n')); };
        QVERIFY(lines() > 1); // the header and all rows
        table->model().setChecked({table->currentRowId()}, true);
        QVERIFY(clear->isVisible());
        copy->click();
        QCOMPARE(lines(), 1);
        clear->click();
        QVERIFY(!clear->isVisible());
    }

    void snoozesAndTellsTheOwnerFromThePanel()
    {
        sync();
        IdlePage page(context());
        QStringList notices;
        connect(&page, &ui::Page::noticeWanted, this, [&](const ui::PageNotice &one) { notices << one.text; });
        page.show();
        QTRY_VERIFY_WITH_TIMEOUT(page.settled(), kPatience);
        const auto items = m_workspace->fleet().idle(m_clock.now(), {}).value().items;
        const auto found = std::find_if(items.begin(), items.end(), [](const insight::IdleItem &item) {
            return item.protection.empty() && item.kind == model::SubjectKind::Pod;
        });
        QVERIFY(found != items.end());
        const QString id = QString::fromStdString(found->id);
        QVERIFY(page.findChild<DataTable *>()->setCurrentRow(id));
        const auto press = [&](const QString &text) {
            QPushButton *button = nullptr;
            const auto isThere = [&] { return (button = buttonIn(page, text)) != nullptr; };
            if (QTest::qWaitFor(isThere, kPatience))
                button->click();
            return button != nullptr;
        };
        QVERIFY(press(QStringLiteral("Tell owner")));
        QVERIFY(notices.size() == 1 && notices.front().contains(QString::fromStdString(found->owner)));
        const QString message = QGuiApplication::clipboard()->text();
        QVERIFY2(message.contains(QString::fromStdString(found->name)), qPrintable(message));
        QVERIFY2(message.contains(QLatin1String("gpu-ledger.io/protect")), qPrintable(message));
        const auto kinds = [&] {
            std::vector<model::Lease::Kind> all;
            const auto leases = m_workspace->actions().leases().value();
            for (const model::Lease &lease : leases)
                all.push_back(lease.kind);
            return all;
        };
        using Kinds = std::vector<model::Lease::Kind>;
        QVERIFY(press(QStringLiteral("Snooze…")));
        QVERIFY(buttonIn(page, QStringLiteral("Leave it alone")));
        buttonIn(page, QStringLiteral("Leave it alone"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(kinds() == Kinds{model::Lease::Kind::Snooze}, kPatience);
        QVERIFY(press(QStringLiteral("End snooze"))); // the panel still shows it
        QTRY_VERIFY_WITH_TIMEOUT(kinds().empty(), kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(buttonIn(page, QStringLiteral("Snooze…")), kPatience);
        QVERIFY(press(QStringLiteral("Protect…")));
        QTRY_VERIFY(buttonIn(page, QStringLiteral("Leave it alone")));
        buttonIn(page, QStringLiteral("Leave it alone"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(kinds() == Kinds{model::Lease::Kind::Protect}, kPatience);
        QTRY_VERIFY_WITH_TIMEOUT(buttonIn(page, QStringLiteral("Unprotect")), kPatience);
    }

    void opensTheHeatMapOfTheWorkload()
    {
        sync();
        IdlePage page(context());
        page.show();
        QTRY_VERIFY_WITH_TIMEOUT(page.settled(), kPatience);
        for (auto *button : page.findChildren<QPushButton *>()) {
            if (button->text() == QStringLiteral("Show in heat map"))
                button->click();
        }
        QCOMPARE(m_navigator->current().page, QStringLiteral("heatmap"));
        QCOMPARE(m_navigator->scope().filter.include.count(insight::Dimension::Workload), std::size_t{1});
    }

    void everyControlHasAName()
    {
        sync();
        IdlePage page(context());
        page.show();
        QTRY_VERIFY_WITH_TIMEOUT(page.settled(), kPatience);
        int controls = 0;
        for (const QWidget *widget : page.findChildren<QWidget *>()) {
            if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus) || widget->focusProxy())
                continue;
            const auto *button = qobject_cast<const QAbstractButton *>(widget);
            ++controls;
            QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
                     widget->metaObject()->className());
        }
        QVERIFY(controls >= 4);
    }

private:
    static QPushButton *buttonIn(const QWidget &widget, const QString &text)
    {
        for (QPushButton *button : widget.findChildren<QPushButton *>()) {
            if (button->text() == text && button->isVisible())
                return button;
        }
        return nullptr;
    }
    ui::PageContext context() { return {{*m_workspace, *m_tasks, *m_sync, m_theme}, *m_navigator}; }
    // The same data at another time.
    void open(const base::Clock &clock)
    {
        cleanup();
        m_workspace = std::move(services::Workspace::open(smallFleet(), {m_folder->path().toStdString(), "UTC", false},
                                                          *m_catalog, *m_secrets, clock)
                                    .value());
        m_tasks = std::make_unique<ui::TaskRunner>();
        m_sync = std::make_unique<ui::SyncController>(m_workspace->config(), m_workspace->sources(),
                                                      m_workspace->fleet(), *m_tasks);
        m_navigator = std::make_unique<ui::Navigator>(ui::Place{QStringLiteral("idle"), {}, {}});
    }
    void sync() { QVERIFY(m_workspace->sources().sync(std::nullopt, {}, {}).has_value()); }

    std::unique_ptr<ports::SourceCatalog> m_catalog = connectors::makeSourceCatalog();
    std::unique_ptr<ports::SecretStore> m_secrets = connectors::makeSecretStore();
    base::FrozenClock m_clock{base::fromUnix(1'790'000'100)};
    widgets::Theme m_theme;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<services::Workspace> m_workspace;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::SyncController> m_sync;
    std::unique_ptr<ui::Navigator> m_navigator;
};

GPULEDGER_WINDOW_SUITE(IdlePageTest)

} // namespace tst_idlepage

#include "tst_idlepage.moc"
