// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/clock.h"
#include "ui/window/mainwindow.h"

#include <QImage>
#include <QSemaphore>
#include <QTemporaryDir>

#include <memory>

namespace gpuledger::tests {

// The window over the real engine, as the program builds it, at a frozen time and with a demo fleet of 120 GPUs and
// three days. Owned by its test; GUI thread. The theme must be applied and outlive it.
class TestWindow {
public:
    enum class Fleet {
        NoSource, // the program's first start
        NotSynced,
        Synced
    };
    enum class Damage {
        None,
        OneBit, // which is put right
        OnePage, // of which what can't be fetched again is taken over
        Unreadable // and is lost
    };
    struct Setting {
        base::Seconds later{0}; // than the sync
        Damage damage = Damage::None; // of the cache, which the program set aside before
    };
    TestWindow(const widgets::Theme &theme, Fleet fleet, Setting setting);
    TestWindow(const widgets::Theme &theme, Fleet fleet)
        : TestWindow(theme, fleet, Setting())
    {
    }
    ~TestWindow();
    TestWindow(const TestWindow &) = delete;

    ui::MainWindow &window(); // made when it is first asked for: it asks the engine at once
    services::Workspace &workspace() { return *m_workspace; }
    ui::SyncController &syncs() { return *m_sync; }
    const ui::WindowContext &context() const { return *m_context; }

    // Opens a gpuledger:// link, shows the window and waits until the page has what it asked for.
    void open(const QString &link, QSize size = {1280, 800});
    // The same without waiting.
    void show(const QString &link, QSize size = {1280, 800});
    void waitUntilSettled();
    // Asks the pages again and waits.
    void refresh();
    // The engine gets no thread until the fixture goes: what is asked stays on its way.
    void holdWorkers();
    // From now on the cache answers no question.
    void breakCache();
    QImage picture();
    // UUID of one of the devices of what idles and costs most; empty without a synced fleet.
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
