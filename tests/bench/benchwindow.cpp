// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/benchwindow.h"

#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "ui/navigation.h"
#include "widgets/heatmap/heatmap.h"

#include <QElapsedTimer>
#include <QEvent>
#include <QMetaObject>
#include <QUrl>

#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace gpuledger::bench {

namespace {

constexpr int kPatienceMs = 600'000;
constexpr QSize kWindow{1280, 800};

} // namespace

void giveUp(const char *what)
{
    std::fprintf(stderr, "window-bench: %s\n", what);
    std::exit(1);
}

void spinUntil(const std::function<bool()> &done, const char *what)
{
    QElapsedTimer time;
    time.start();
    while (!done()) {
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 20);
        if (time.elapsed() > kPatienceMs)
            giveUp(what);
    }
}

double threadCpuMs()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

bool MeasuredApplication::notify(QObject *receiver, QEvent *event)
{
    if (m_depth++ == 0)
        m_begin = threadCpuMs();
    const int type = event->type();
    const char *const name = receiver->metaObject()->className(); // the object may be gone afterwards
    const bool taken = QApplication::notify(receiver, event);
    if (--m_depth == 0) {
        const double ms = threadCpuMs() - m_begin;
        if (ms > m_slowestMs) {
            m_slowestMs = ms;
            m_slowest = std::string(name) + " event " + std::to_string(type);
        }
    }
    return taken;
}

std::string MeasuredApplication::slowest() const
{
    char ms[32];
    std::snprintf(ms, sizeof ms, "%.1f", m_slowestMs);
    return "slowest single event " + std::string(ms) + " ms of CPU (" + m_slowest + ')';
}

BenchWindow::BenchWindow(model::Settings settings, const std::filesystem::path &folder, const base::Clock &clock)
    : m_catalog(connectors::makeSourceCatalog())
    , m_secrets(connectors::makeSecretStore())
{
    auto workspace =
        services::Workspace::open(std::move(settings), {folder, "UTC", false}, *m_catalog, *m_secrets, clock);
    if (!workspace)
        giveUp(workspace.error().text.c_str());
    m_workspace = std::move(*workspace);
    m_theme.apply();
    m_tasks = std::make_unique<ui::TaskRunner>();
    m_sync = std::make_unique<ui::SyncController>(m_workspace->config(), m_workspace->sources(), m_workspace->fleet(),
                                                  *m_tasks);
    m_window =
        std::make_unique<ui::MainWindow>(ui::WindowContext{*m_workspace, *m_tasks, *m_sync, m_theme}, ui::pages());
    m_window->resize(kWindow);
    m_window->show();
    m_sync->reloadSources();
}

BenchWindow::~BenchWindow() = default;

void BenchWindow::open(const QString &link)
{
    const auto place = ui::Place::fromUrl(QUrl::fromEncoded(link.toUtf8(), QUrl::StrictMode));
    if (!place || !m_window->open(*place))
        giveUp("a link can't be opened");
    waitUntilSettled();
}

void BenchWindow::waitUntilSettled()
{
    QCoreApplication::processEvents();
    spinUntil([this] { return m_window->currentPage()->settled(); }, "the page did not settle");
}

widgets::Heatmap &BenchWindow::heatmap()
{
    widgets::Heatmap *shown = nullptr;
    const QList<widgets::Heatmap *> all = m_window->currentPage()->findChildren<widgets::Heatmap *>();
    spinUntil(
        [&] {
            for (widgets::Heatmap *heatmap : all) {
                if (heatmap->isVisible() && !heatmap->data().rows.empty())
                    shown = heatmap;
            }
            return shown != nullptr;
        },
        "the heat map stayed empty");
    return *shown;
}

} // namespace gpuledger::bench
