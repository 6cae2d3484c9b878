// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/window/testwindow.h"

#include "app/insight/idle/idle.h"
#include "app/services/fleet/fleetservice.h"
#include "app/services/sources/sourceservice.h"
#include "app/store/damage/setaside.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/support/fleets/storefixture.h"
#include "ui/navigation.h"
#include "widgets/state/plaintext.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLayout>
#include <QPixmap>
#include <QSignalSpy>
#include <QTest>

namespace gpuledger::tests {

namespace {

constexpr int kPatience = 120'000; // ms
constexpr int kWorkers = 2; // for a TaskRunner

const char kNow[] = "2026-11-21T12:00:00Z";

model::Settings settingsFor(TestWindow::Fleet fleet, const QString &folder)
{
    model::Settings settings;
    if (fleet == TestWindow::Fleet::NoSource)
        return settings;
    model::SourceSettings source;
    source.name = "demo";
    source.kind = "demo";
    source.options = {{"gpus", "120"}, {"days", "3"}};
    source.firstSync = 3 * base::kDay;
    source.path = folder.toStdString() + "/simulated-platform.json";
    source.mayStop = true;
    settings.sources.push_back(std::move(source));
    model::AlertRule rule;
    rule.name = "teamwatch";
    rule.metric = "idle-cost";
    rule.per = "team";
    rule.bound = "200 USD/day";
    rule.length = base::Seconds{7200};
    settings.alerts.push_back(std::move(rule));
    return settings;
}

std::unique_ptr<services::Workspace> workspaceIn(const QString &folder, TestWindow::Fleet fleet,
                                                 const ports::SourceCatalog &catalog, ports::SecretStore &secrets,
                                                 const base::Clock &clock)
{
    auto workspace = services::Workspace::open(settingsFor(fleet, folder),
                                               {folder.toStdString(), "Europe/Berlin", false}, catalog, secrets, clock);
    if (!workspace)
        qFatal("no workspace: %s", workspace.error().text.c_str());
    return std::move(*workspace);
}

// Damages a cache and lets the program detect it, which sets it aside.
void damage(const QString &cache, TestWindow::Damage how)
{
    constexpr qint64 kPage = 8192;
    QFile file(cache);
    if (!file.open(QIODevice::ReadWrite))
        qFatal("no cache: %s", qPrintable(cache));
    const qint64 middle = file.size() / kPage / 2 * kPage;
    const bool bit = how == TestWindow::Damage::OneBit, page = how == TestWindow::Damage::OnePage;
    const qint64 at = bit || page ? middle : 0;
    file.seek(at);
    QByteArray bytes = file.read(bit ? 1 : page ? kPage : file.size());
    for (char &byte : bytes)
        byte = static_cast<char>(byte ^ (bit ? 1 : 0x5a));
    file.seek(at);
    file.write(bytes);
    file.close();
    if (const auto repaired = store::repairCache(cache.toStdString()); !repaired)
        qFatal("no repair: %s", repaired.error().text.c_str());
}

// Syncing takes longer than copying, so it is done once per process.
const QString &syncedFolder(const ports::SourceCatalog &catalog, ports::SecretStore &secrets, const base::Clock &clock)
{
    static QTemporaryDir folder;
    static const QString path = [&] {
        const auto workspace = workspaceIn(folder.path(), TestWindow::Fleet::Synced, catalog, secrets, clock);
        if (const auto synced = workspace->sources().sync(std::nullopt, {}, {}); !synced)
            qFatal("no sync: %s", synced.error().text.c_str());
        return folder.path();
    }();
    return path;
}

} // namespace

TestWindow::TestWindow(const widgets::Theme &theme, Fleet fleet, Setting setting)
    : m_clock(base::parseTime(kNow).value() + setting.later)
    , m_catalog(connectors::makeSourceCatalog())
    , m_secrets(connectors::makeSecretStore())
{
    if (fleet == Fleet::Synced) {
        const base::FrozenClock then(base::parseTime(kNow).value());
        const QDir synced(syncedFolder(*m_catalog, *m_secrets, then));
        for (const QString &file : synced.entryList(QDir::Files))
            QFile::copy(synced.filePath(file), m_folder.filePath(file));
    }
    if (setting.damage != Damage::None)
        damage(m_folder.filePath(QStringLiteral("ledger.db")), setting.damage);
    m_workspace = workspaceIn(m_folder.path(), fleet, *m_catalog, *m_secrets, m_clock);
    m_tasks = std::make_unique<ui::TaskRunner>();
    m_sync = std::make_unique<ui::SyncController>(m_workspace->config(), m_workspace->sources(), m_workspace->fleet(),
                                                  *m_tasks);
    m_context = std::make_unique<ui::WindowContext>(ui::WindowContext{
        *m_workspace, *m_tasks, *m_sync, theme, m_folder.filePath(QStringLiteral("config.yaml")).toStdString(),
        [](const QStringList &) { return true; }});
}

ui::MainWindow &TestWindow::window()
{
    if (!m_window)
        m_window = std::make_unique<ui::MainWindow>(*m_context, ui::pages());
    return *m_window;
}

TestWindow::~TestWindow()
{
    m_held.release(kWorkers);
    m_window.reset();
    m_sync.reset();
    m_tasks.reset(); // waits for its work
}

void TestWindow::show(const QString &link, QSize size)
{
    m_sync->reloadSources();
    const auto place = ui::Place::fromUrl(QUrl(link));
    if (!place || !window().open(*place))
        qFatal("no place: %s", qPrintable(link));
    m_window->resize(size);
    m_window->show();
    m_window->activateWindow();
    if (!QTest::qWaitForWindowActive(m_window.get()))
        qFatal("the window did not become active");
}

void TestWindow::open(const QString &link, QSize size)
{
    show(link, size);
    waitUntilSettled();
}

void TestWindow::waitUntilSettled()
{
    const bool complete = QTest::qWaitFor([this] { return m_window->currentPage()->complete(); }, kPatience);
    if (!complete)
        qFatal("the page did not load");
    // A new label in a visible layout appears with the next round of events.
    QTest::qWait(50);
}

void TestWindow::refresh()
{
    QSignalSpy told(m_window->currentPage(), &ui::Page::settledChanged);
    Q_EMIT m_sync->dataChanged();
    if (!told.wait(kPatience))
        qFatal("the page did not answer");
    waitUntilSettled();
}

void TestWindow::holdWorkers()
{
    for (int i = 0; i < kWorkers; ++i)
        m_tasks->run<int>(
            m_sync.get(),
            [this](std::stop_token) {
                m_held.acquire();
                return 0;
            },
            [](int) {});
}

void TestWindow::breakCache()
{
    const QDir folder(m_folder.path());
    for (const QString &file : folder.entryList({QStringLiteral("*.db"), QStringLiteral("*.sqlite")}, QDir::Files))
        tests::executeOn(folder.filePath(file).toStdString(), "ALTER TABLE sync_state RENAME TO lost");
}

QString TestWindow::idleDevice()
{
    const auto covered = m_workspace->fleet().coveredRange();
    const auto list = m_workspace->fleet().idle(covered ? covered->end : base::UtcTime{}, {});
    const bool any = list && !list->items.empty() && !list->items.front().devices.empty();
    return any ? QString::fromStdString(list->items.front().devices.front()) : QString();
}

QImage TestWindow::picture()
{
    // The message names a temporary folder, which differs from run to run and would wrap differently.
    for (QLabel *label : m_window->findChildren<QLabel *>()) {
        if (!label->text().contains(m_folder.path()))
            continue;
        label->setText(QStringLiteral("The cache can't be read. To fix it: look at the disk, then try again."));
        // Its height was fixed for the longer text, whose lines depend on the folder's name.
        widgets::fitHeight(*label, label->width());
        // The room of the longer text is given back before the picture is taken.
        for (QWidget *widget = label->parentWidget(); widget; widget = widget->parentWidget()) {
            if (widget->layout())
                widget->layout()->activate();
        }
    }
    QCoreApplication::processEvents();
    return m_window->grab().toImage();
}

} // namespace gpuledger::tests
