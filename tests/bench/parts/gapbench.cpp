// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/parts/gapbench.h"

#include "app/services/environment/demosettings.h"
#include "app/services/sources/sourceservice.h"
#include "ui/navigation.h"
#include "widgets/heatmap/heatmap.h"

#include <QMouseEvent>
#include <QScrollBar>
#include <QTimer>
#include <QWheelEvent>

#include <algorithm>
#include <atomic>
#include <cstdio>

namespace gpuledger::bench {

namespace {

constexpr int kGpus = 1000, kDaysBefore = 7, kDaysDuring = 10;

// Advanced between two syncs, so that the second one has days to fetch.
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

// Acts like a person: hovers over the cells line by line and turns the wheel, with an event every 8 ms as a mouse sends
// them.
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

Figure figureOf(const std::string &name, const GapMeter &meter, double reference, const std::string &note)
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

// A window on a fleet that grows while it is shown.
class GapBench {
public:
    GapBench(MeasuredApplication &app, const std::filesystem::path &folder)
        : m_app(app)
        , m_bench(settings(), folder, m_clock)
    {
        if (!m_bench.workspace().sources().sync(std::nullopt, {}, {}))
            giveUp("the demo fleet can't be filled");
    }

    std::vector<Figure> run()
    {
        const std::string size = std::to_string(kGpus) + " GPUs";
        m_bench.open(QStringLiteral("gpuledger://heatmap"));
        m_bench.window().currentPage()->refresh();
        m_bench.heatmap();
        m_bench.waitUntilSettled();
        whileSyncing();
        take("P8 event loop during a sync of " + std::to_string(kDaysDuring) + " days, " + size, 50, {});
        changePages();
        take("P8 changing pages, " + size, 50, {});
        // More rows than fit into the window.
        m_bench.open(QStringLiteral("gpuledger://heatmap?span=all&at.rows=device"));
        widgets::Heatmap &heatmap = m_bench.heatmap();
        spinUntil([&] { return heatmap.data().rows.size() > 100; }, "the heat map has no devices");
        const std::string rows = std::to_string(heatmap.data().rows.size()) + " rows, ";
        int moves = 0;
        {
            const Hand hand(heatmap);
            begin();
            spinUntil([&] { return hand.events() >= 600; }, "the mouse did not move");
            moves = hand.events();
        }
        take("P8 scrolling and hover, " + size, 16, rows + std::to_string(moves) + " moves of the mouse");
        {
            const Hand hand(heatmap);
            whileSyncing();
            moves = hand.events();
        }
        take("P8 scrolling and hover during a sync, " + size, 16, rows + std::to_string(moves) + " moves of the mouse");
        return std::move(m_figures);
    }

private:
    static model::Settings settings()
    {
        model::Settings settings = services::demoSettings();
        settings.sources.front().options = {{"gpus", std::to_string(kGpus)},
                                            {"days", std::to_string(kDaysBefore + 3 * kDaysDuring)}};
        settings.sources.front().firstSync = kDaysBefore * base::kDay;
        return settings;
    }

    void begin()
    {
        m_meter.begin();
        m_app.begin();
    }

    void take(const std::string &name, double reference, const std::string &note)
    {
        m_figures.push_back(figureOf(name, m_meter, reference, note + (note.empty() ? "" : "; ") + m_app.slowest()));
    }

    void whileSyncing()
    {
        m_clock.step(kDaysDuring * base::kDay);
        begin();
        m_bench.sync().start();
        spinUntil([&] { return !m_bench.sync().running() && m_bench.window().currentPage()->settled(); },
                  "the sync did not end");
    }

    // Visits each page once to create it, then twice to measure.
    void changePages()
    {
        for (int round = 0; round < 3; ++round) {
            if (round == 1)
                begin();
            for (const ui::PageEntry &page : ui::pages()) {
                m_bench.window().showPage(page.id);
                m_bench.waitUntilSettled();
            }
        }
    }

    MeasuredApplication &m_app;
    SteppingClock m_clock{base::fromUnix(1'767'225'600)}; // 2026-01-01
    BenchWindow m_bench;
    GapMeter m_meter;
    std::vector<Figure> m_figures;
};

} // namespace

std::vector<Figure> gapFigures(MeasuredApplication &app, const std::filesystem::path &folder)
{
    return GapBench(app, folder).run();
}

} // namespace gpuledger::bench
