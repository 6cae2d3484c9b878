// SPDX-License-Identifier: GPL-3.0-or-later
// gpuledger-window-bench: P8, in the real window on the demo fleet without a screen, and P12. Prints figures as JSON;
// gpuledger-bench runs it where it was built.
#include "app/services/demosettings.h"
#include "connectors/connectorregistry.h"
#include "connectors/secrets/secretstore.h"
#include "tests/bench/figure.h"
#include "tests/bench/gapmeter.h"
#include "tests/bench/tablebench.h"
#include "ui/navigation.h"
#include "ui/window/mainwindow.h"
#include "widgets/heatmap/heatmap.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QWheelEvent>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>

namespace {

using namespace gpuledger;
using bench::Figure;
using bench::GapMeter;

constexpr int kGpus = 1000, kDaysBefore = 7, kDaysDuring = 10;
constexpr int kPatienceMs = 600'000;

// Moved on between two syncs, so that the second one has days to fetch.
class SteppingClock final : public base::Clock {
public:
    explicit SteppingClock(base::UtcTime t)
        : m_now(base::toUnix(t))
    {
    }
    base::UtcTime now() const override { return base::fromUnix(m_now); }
    void step(base::Seconds by) { m_now += by.count(); }

private:
    std::atomic<std::int64_t> m_now;
};

[[noreturn]] void giveUp(const char *what)
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

// What a person does: hovers over the cells in lines and turns the wheel, an event every 8 ms as a mouse sends them.
class Hand : public QObject {
public:
    explicit Hand(widgets::Heatmap &heatmap)
        : m_heatmap(heatmap)
    {
        m_timer.setInterval(8);
        connect(&m_timer, &QTimer::timeout, this, [this] { move(); });
        m_timer.start();
    }
    int events() const { return m_events; }

private:
    void move()
    {
        QWidget *const viewport = m_heatmap.viewport();
        ++m_events;
        const QPointF at(40 + m_events * 7 % std::max(1, viewport->width() - 80),
                         20 + m_events * 3 % std::max(1, viewport->height() - 40));
        const QPointF global = viewport->mapToGlobal(at);
        if (m_events % 4 == 0) {
            if (m_heatmap.verticalScrollBar()->value() == m_heatmap.verticalScrollBar()->maximum())
                m_down = false;
            if (m_heatmap.verticalScrollBar()->value() == 0)
                m_down = true;
            QWheelEvent wheel(at, global, {}, {0, m_down ? -60 : 60}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                              false);
            QCoreApplication::sendEvent(viewport, &wheel);
        } else {
            QMouseEvent hover(QEvent::MouseMove, at, global, Qt::NoButton, Qt::NoButton, Qt::NoModifier);
            QCoreApplication::sendEvent(viewport, &hover);
        }
    }

    widgets::Heatmap &m_heatmap;
    QTimer m_timer;
    int m_events = 0;
    bool m_down = true;
};

// Remembers the event that took the most processor time of the GUI thread.
class MeasuredApplication final : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject *receiver, QEvent *event) override
    {
        if (m_depth++ == 0)
            m_begin = cpuMs();
        const int type = event->type();
        const char *const name = receiver->metaObject()->className(); // the object may be gone afterwards
        const bool taken = QApplication::notify(receiver, event);
        if (--m_depth == 0) {
            const double ms = cpuMs() - m_begin;
            if (ms > m_slowestMs) {
                m_slowestMs = ms;
                m_slowest = std::string(name) + " event " + std::to_string(type);
            }
        }
        return taken;
    }
    void begin() { m_slowestMs = 0; }
    std::string slowest() const
    {
        char ms[32];
        std::snprintf(ms, sizeof ms, "%.1f", m_slowestMs);
        return "slowest single event " + std::string(ms) + " ms of CPU (" + m_slowest + ')';
    }

private:
    static double cpuMs()
    {
        timespec t{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
    }
    int m_depth = 0;
    double m_begin = 0, m_slowestMs = 0;
    std::string m_slowest;
};

Figure figureOf(const std::string &name, const GapMeter &meter, double reference, std::string note)
{
    const GapMeter::Gap gap = meter.longest(), ours = meter.longestOfOurs();
    char text[256];
    std::snprintf(text, sizeof text,
                  "without waiting for a processor, which other programs and threads had; with it %.1f ms, of which "
                  "%.1f ms waiting; %zu ticks of 1 ms, 99.9 %% within %.1f ms",
                  gap.ms, gap.waitedMs, meter.ticks(), meter.percentile(0.999));
    return {name, ours.ms - ours.waitedMs, "ms", std::to_string(static_cast<int>(reference)) + " ms", reference,
            1.0,  text + ("; " + note)};
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QTemporaryDir home;
    for (const char *name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"})
        qputenv(name, home.path().toUtf8()); // the user's own settings are left alone
    MeasuredApplication app(argc, argv);
    model::Settings settings = services::demoSettings();
    settings.sources.front().options = {{"gpus", std::to_string(kGpus)},
                                        {"days", std::to_string(kDaysBefore + 3 * kDaysDuring)}};
    settings.sources.front().firstSync = kDaysBefore * base::kDay;
    SteppingClock clock(base::fromUnix(1'767'225'600)); // 2026-01-01
    const auto catalog = connectors::makeSourceCatalog();
    const auto secrets = connectors::makeSecretStore();
    auto workspace =
        services::Workspace::open(settings, {home.path().toStdString(), "UTC", false}, *catalog, *secrets, clock);
    if (!workspace || !(*workspace)->sync(std::nullopt, {}, {}))
        giveUp("the demo fleet can't be filled");

    widgets::Theme theme;
    theme.apply();
    ui::TaskRunner tasks;
    ui::SyncController sync(**workspace, tasks);
    ui::MainWindow window({**workspace, tasks, sync, theme}, ui::pages());
    window.resize(1280, 800);
    window.showPage(QStringLiteral("heatmap"));
    window.show();
    sync.reloadSources();
    ui::Page *const page = window.currentPage();
    page->refresh();
    const QList<widgets::Heatmap *> all = page->findChildren<widgets::Heatmap *>();
    widgets::Heatmap *shown = nullptr;
    const auto visible = [&] {
        for (widgets::Heatmap *heatmap : all) {
            if (heatmap->isVisible() && !heatmap->data().rows.empty())
                shown = heatmap;
        }
        return shown && page->settled();
    };
    spinUntil(visible, "the heat map shows nothing");

    const std::string size = std::to_string(kGpus) + " GPUs";
    std::vector<Figure> figures;
    GapMeter meter;
    const auto whileSyncing = [&] {
        clock.step(kDaysDuring * base::kDay);
        meter.begin();
        app.begin();
        sync.start();
        spinUntil([&] { return !sync.running() && page->settled(); }, "the sync does not end");
    };
    whileSyncing();
    figures.push_back(figureOf("P8 event loop during a sync of " + std::to_string(kDaysDuring) + " days, " + size,
                               meter, 50, app.slowest()));

    // A row has its workloads behind it: more rows than fit.
    shown->setCurrent(0, 0);
    QKeyEvent enter(QEvent::KeyPress, Qt::Key_Return, Qt::NoModifier);
    QCoreApplication::sendEvent(shown, &enter);
    const auto before = shown->data().rows.size();
    spinUntil([&] { return page->settled() && shown->data().rows.size() != before; }, "the row does not open");
    {
        const Hand hand(*shown);
        whileSyncing();
        figures.push_back(figureOf("P8 scrolling and hover during a sync, " + size, meter, 16,
                                   std::to_string(shown->data().rows.size()) + " rows, " + std::to_string(hand.events())
                                       + " moves of the mouse; " + app.slowest()));
    }
    for (Figure &figure : bench::tableFigures())
        figures.push_back(std::move(figure));
    std::printf("%s\n", bench::toJson(figures).c_str());
    return 0;
}
