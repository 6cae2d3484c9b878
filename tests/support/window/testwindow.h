// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "ui/window/mainwindow.h"

#include <QImage>
#include <QSemaphore>
#include <QTemporaryDir>

#include <memory>

namespace gpuledger::tests {

// The window with the real engine, as built by the program, at a frozen time and with a demo fleet of 120 GPUs over
// three days. Owned by its test; GUI thread. The theme must be applied and must outlive it.
class TestWindow {
public:
    enum class Fleet {
        NoSource, // the program's first start
        NotSynced,
        Synced
    };
    enum class Damage {
        None,
        OneBit, // which is repaired
        OnePage, // whose irreplaceable data are recovered
        Unreadable // and is lost
    };
    struct Setting {
        base::Seconds later{0}; // after the sync
        Damage damage = Damage::None; // of the cache, which the program has set aside
    };
    TestWindow(const widgets::Theme &theme, Fleet fleet, Setting setting);
    TestWindow(const widgets::Theme &theme, Fleet fleet)
        : TestWindow(theme, fleet, Setting())
    {
    }
    ~TestWindow();
    TestWindow(const TestWindow &) = delete;

    ui::MainWindow &window(); // created on first use, because it starts queries at once
    services::Workspace &workspace() { return *m_workspace; }
    ui::SyncController &syncs() { return *m_sync; }
    const ui::WindowContext &context() const { return *m_context; }

    // Opens a gpuledger:// link, shows the window and waits until the page has its data.
    void open(const QString &link, QSize size = {1280, 800});
    // The same without waiting.
    void show(const QString &link, QSize size = {1280, 800});
    void waitUntilSettled();
    // Refreshes the pages and waits.
    void refresh();
    // Gives the engine no threads until the fixture is destroyed: queries stay pending.
    void holdWorkers();
    // Makes every query of the cache fail from now on.
    void breakCache();
    QImage picture();
    // UUID of one of the devices of the most expensive idle workload; empty without a synced fleet.
    QString idleDevice();

private:
    base::FrozenClock m_clock;
    QTemporaryDir m_folder;
    std::unique_ptr<ports::SourceCatalog> m_catalog;
    std::unique_ptr<ports::SecretStore> m_secrets;
    std::unique_ptr<services::Workspace> m_workspace;
    QSemaphore m_held;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::SyncController> m_sync;
    std::unique_ptr<ui::WindowContext> m_context;
    std::unique_ptr<ui::MainWindow> m_window;
};

} // namespace gpuledger::tests
