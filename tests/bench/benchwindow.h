// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/workspace/workspace.h"
#include "tests/bench/figure.h"
#include "tests/bench/gapmeter.h"
#include "ui/window/mainwindow.h"

#include <QApplication>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace gpuledger::widgets {
class Heatmap;
}

namespace gpuledger::bench {

[[noreturn]] void giveUp(const char *what);
// Runs the event loop until the condition holds; gives up after ten minutes.
void spinUntil(const std::function<bool()> &done, const char *what);
// CPU time of the calling thread.
double threadCpuMs();

// Records the event that took the most processor time of the GUI thread.
class MeasuredApplication final : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject *receiver, QEvent *event) override;
    void begin() { m_slowestMs = 0; }
    std::string slowest() const;

private:
    int m_depth = 0;
    double m_begin = 0, m_slowestMs = 0;
    std::string m_slowest;
};

// The real window over a cache, 1280 x 800, offscreen.
class BenchWindow {
public:
    BenchWindow(model::Settings settings, const std::filesystem::path &folder, const base::Clock &clock);
    ~BenchWindow();

    services::Workspace &workspace() { return *m_workspace; }
    ui::SyncController &sync() { return *m_sync; }
    ui::MainWindow &window() { return *m_window; }
    // Opens a link ("gpuledger://heatmap?at.rows=device") and waits for its data.
    void open(const QString &link);
    void waitUntilSettled();
    // The visible matrix, once it has rows.
    widgets::Heatmap &heatmap();

private:
    std::unique_ptr<ports::SourceCatalog> m_catalog;
    std::unique_ptr<ports::SecretStore> m_secrets;
    std::unique_ptr<services::Workspace> m_workspace;
    widgets::Theme m_theme;
    std::unique_ptr<ui::TaskRunner> m_tasks;
    std::unique_ptr<ui::SyncController> m_sync;
    std::unique_ptr<ui::MainWindow> m_window;
};

} // namespace gpuledger::bench
