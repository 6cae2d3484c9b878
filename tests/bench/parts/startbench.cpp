// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/parts/startbench.h"

#include "tests/bench/data/fleetcache.h"
#include "tests/bench/process.h"
#include "tests/bench/screen.h"

#include <cstdio>
#include <cstdlib>

namespace gpuledger::bench {

namespace fs = std::filesystem;

namespace {

constexpr const char *kHeaptrack = "heaptrack_gui";

fs::path besides(const char *program)
{
    return fs::path(ownProgram()).parent_path() / program;
}

struct Starts {
    std::vector<double> first, last, resident;
    void add(const Screen::Start &start)
    {
        if (start.firstMs <= 0)
            return;
        first.push_back(start.firstMs);
        last.push_back(start.lastMs);
        resident.push_back(start.residentMb);
    }
};

bool ready(const Screen &screen, const char *what)
{
    if (!screen.isRunning())
        std::fprintf(stderr, "bench: %s is left out, because Xvfb is missing or does not start\n", what);
    return screen.isRunning();
}

} // namespace

std::vector<Figure> startFigures(const fs::path &root, const fs::path &folder, int gpus, int days)
{
    const Screen screen(root / "screen");
    if (!ready(screen, "P6"))
        return {};
    constexpr int kRuns = 9;
    Starts ours, minimal, heaptrack;
    const bool hasHeaptrack = installed(kHeaptrack);
    const std::string now = base::toRfc3339(fleetEnd(days));
    for (int run = 0; run <= kRuns; ++run) {
        // Each program has a home directory of its own, so that it does not find what another one left. The first round
        // warms the disk cache.
        const fs::path home = root / ("home-" + std::to_string(run));
        const auto ourStart =
            screen.start({besides("gpuledger").string(), "--data", folder.string(), "--now", now}, home / "a");
        const auto chartStart = screen.start({besides("gpuledger-chart-window").string()}, home / "b");
        const auto other = hasHeaptrack ? screen.start({kHeaptrack}, home / "c") : Screen::Start{};
        if (run == 0)
            continue;
        ours.add(ourStart);
        minimal.add(chartStart);
        heaptrack.add(other);
    }
    const std::string size = sizeText(gpus, days);
    const std::string how = "medians of " + std::to_string(kRuns) + " starts on one X server, by turns";
    std::vector<Figure> figures{{"P6 first paint, " + size, median(ours.first), "ms", "a minimal Qt Charts window",
                                 median(minimal.first), 2.0, how},
                                {"P6 first page with its figures, " + size, median(ours.last), "ms",
                                 "a minimal Qt Charts window", median(minimal.last), 2.0,
                                 "until nothing changes any more; " + how}};
    if (hasHeaptrack)
        figures.push_back(
            {"P6 first paint, " + size, median(ours.first), "ms", "heaptrack_gui", median(heaptrack.first), 0.5, how});
    else
        std::fprintf(stderr, "bench: P6 beside heaptrack_gui is left out, because it is not installed\n");
    return figures;
}

std::vector<Figure> memoryFigures(const fs::path &root, const fs::path &folder, int gpus, int days)
{
    const Finished window = runProgram({besides("gpuledger-window-bench").string(), "memory", folder.string(),
                                        std::to_string(gpus), std::to_string(days)});
    if (window.status != 0) {
        std::fprintf(stderr, "bench: P7 is left out, because gpuledger-window-bench failed\n");
        return {};
    }
    Starts heaptrack;
    if (installed(kHeaptrack)) {
        const Screen screen(root / "screen");
        if (ready(screen, "P7's reference")) {
            for (int run = 0; run < 3; ++run)
                heaptrack.add(screen.start({kHeaptrack}, root / ("heaptrack-" + std::to_string(run))));
        }
    }
    return {{"P7 resident memory, every page opened, " + sizeText(gpus, days),
             std::strtod(window.output.c_str(), nullptr), "MB",
             heaptrack.resident.empty() ? "heaptrack_gui, which is not installed" : "heaptrack_gui after its start",
             median(heaptrack.resident), 2.0, "without a screen"}};
}

} // namespace gpuledger::bench
