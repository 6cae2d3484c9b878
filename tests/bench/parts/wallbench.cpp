// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/parts/wallbench.h"

#include "app/services/fleet/fleetservice.h"
#include "tests/bench/data/fleetcache.h"
#include "ui/navigation.h"
#include "ui/viewmodels/heatmap/heatmapmatrix.h"
#include "widgets/heatmap/heatmap.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QScrollBar>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace gpuledger::bench {

namespace {

constexpr qint64 kQuiet = 9000; // ms; pending queries of pages that were left are finished by then

std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

// Frames of one kind: the time each took, events and painting together.
class Frames {
public:
    template <typename Change> void add(widgets::Heatmap &heatmap, const Change &change)
    {
        const double cpu = threadCpuMs();
        QElapsedTimer wall;
        wall.start();
        change();
        heatmap.viewport()->repaint();
        m_wall.push_back(static_cast<double>(wall.nsecsElapsed()) / 1e6);
        m_cpu.push_back(threadCpuMs() - cpu);
    }
    Figure figure(const std::string &name) const
    {
        return {name,
                percentile(m_cpu, 0.95),
                "ms",
                "a frame at 60 a second",
                16,
                1.0,
                "p95 of " + std::to_string(m_cpu.size()) + " frames, CPU time of the GUI thread; median "
                    + number(median(m_cpu)) + ", longest " + number(percentile(m_cpu, 1)) + "; wall p95 "
                    + number(percentile(m_wall, 0.95))};
    }

private:
    static double percentile(std::vector<double> values, double share)
    {
        std::sort(values.begin(), values.end());
        return values.empty() ? 0 : values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
    }
    std::vector<double> m_wall, m_cpu;
};

// Back and forth over the whole map, in both directions at once.
void pan(widgets::Heatmap &heatmap, Frames &frames)
{
    constexpr int kFrames = 150;
    QScrollBar *const across = heatmap.horizontalScrollBar();
    QScrollBar *const down = heatmap.verticalScrollBar();
    for (int i = 0; i < kFrames; ++i) {
        const double swing = (1 - std::cos(i * 2 * M_PI / kFrames)) / 2;
        frames.add(heatmap, [&] {
            across->setValue(static_cast<int>(swing * across->maximum()));
            down->setValue(static_cast<int>(swing * down->maximum()));
        });
    }
}

std::vector<Figure> wall(BenchWindow &bench, int gpus, int days)
{
    QElapsedTimer time;
    time.start();
    const double cpu = cpuMillisecondsOf(
        [&] { bench.open(QStringLiteral("gpuledger://heatmap?span=week&at.rows=device&at.bins=5-minutes")); });
    widgets::Heatmap &heatmap = bench.heatmap();
    spinUntil([&] { return heatmap.data().packed != nullptr; }, "the wall did not appear");
    const std::string shape = std::to_string(heatmap.data().rowCount()) + " rows x "
        + std::to_string(heatmap.data().columnCount()) + " columns";
    const double seconds = static_cast<double>(time.elapsed()) / 1e3;
    Frames readable, fitting, between, zooming;
    heatmap.setZoom(1);
    pan(heatmap, readable);
    heatmap.zoomToFit();
    pan(heatmap, fitting); // everything fits: every frame is the whole wall
    heatmap.setZoom(std::sqrt(heatmap.zoom()));
    pan(heatmap, between);
    heatmap.zoomToFit();
    const double fit = heatmap.zoom();
    constexpr int kFrames = 150;
    for (int i = 0; i < kFrames; ++i) {
        const double swing = (1 - std::cos(i * 2 * M_PI / kFrames)) / 2;
        zooming.add(heatmap, [&] { heatmap.setZoom(fit * std::pow(1.5 / fit, swing)); });
    }
    heatmap.setZoom(1);
    const std::string fleet = sizeText(gpus, days) + ", " + shape;
    return {readable.figure("Wall, panning at readable size, " + fleet + " (read in " + number(seconds) + " s, CPU "
                            + number(cpu / 1e3) + " s)"),
            between.figure("Wall, panning half way out, " + fleet), fitting.figure("Wall, all of it, " + fleet),
            zooming.figure("Wall, zooming from all of it to cells, " + fleet)};
}

// The page's own query for each filter, its texts, and its image.
Figure heatmapToPixels(BenchWindow &bench, int gpus, int days)
{
    bench.open(QStringLiteral("gpuledger://heatmap?span=all"));
    widgets::Heatmap &heatmap = bench.heatmap();
    const auto zone = base::TimeZone::find("Asia/Kathmandu");
    const auto covered = bench.workspace().fleet().coveredRange();
    if (!zone || !covered)
        giveUp("there is no data");
    const std::array<insight::Filter, 4> filters{
        {{},
         {{{insight::Dimension::Team, {"vision"}}}, {}},
         {{{insight::Dimension::Cluster, {"edge"}}}, {}},
         {{{insight::Dimension::WorkloadKind, {"notebook"}}, {insight::Dimension::Environment, {"dev"}}}, {}}}};
    double slowest = 0, slowestCpu = 0;
    for (const insight::Filter &filter : filters) {
        insight::HeatmapQuery query;
        query.query = {*covered, filter};
        query.zone = *zone;
        const auto run = [&] {
            auto answer = bench.workspace().fleet().heatmap(query);
            if (!answer)
                giveUp("the heat map has no answer");
            heatmap.setData(ui::heatmapMatrix(std::make_shared<const insight::Heatmap>(std::move(*answer)), query.by));
            heatmap.viewport()->repaint();
        };
        run();
        std::vector<double> wall, cpu;
        for (int i = 0; i < 7; ++i)
            cpu.push_back(cpuMillisecondsOf([&] { wall.push_back(millisecondsOf(run)); }));
        slowest = std::max(slowest, median(wall));
        slowestCpu = std::max(slowestCpu, median(cpu));
    }
    return {"P5 heatmap, query to pixels, " + sizeText(gpus, days) + ", slowest of four filters",
            slowest,
            "ms",
            "50 ms",
            50,
            1.0,
            "hour of week in a zone at +5:45, by team; CPU time " + number(slowestCpu) + " ms"};
}

} // namespace

std::vector<Figure> wallFigures(const std::filesystem::path &folder, int gpus, int days)
{
    const base::FrozenClock clock{fleetEnd(days)};
    BenchWindow bench(model::Settings{}, folder, clock);
    std::vector<Figure> figures{heatmapToPixels(bench, gpus, days)};
    for (Figure &figure : wall(bench, gpus, days))
        figures.push_back(std::move(figure));
    return figures;
}

void printMemory(const std::filesystem::path &folder, int days)
{
    const base::FrozenClock clock{fleetEnd(days)};
    BenchWindow bench(model::Settings{}, folder, clock);
    for (const ui::PageEntry &page : ui::pages())
        bench.open(QStringLiteral("gpuledger://%1?span=all").arg(page.id));
    bench.window().showPage(ui::pages().front().id);
    bench.waitUntilSettled();
    QElapsedTimer quiet; // like a window that is left alone
    quiet.start();
    while (quiet.elapsed() < kQuiet)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 100);
    std::printf("%.3f\n", residentMb());
}

} // namespace gpuledger::bench
