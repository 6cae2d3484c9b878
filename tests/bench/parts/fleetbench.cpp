// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/parts/fleetbench.h"

#include "app/insight/idle/idle.h"
#include "app/insight/idle/idlereplay.h"
#include "app/insight/overview/overview.h"
#include "tests/bench/data/fleetcache.h"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace gpuledger::bench {

namespace fs = std::filesystem;

namespace {

template <typename T> void check(const base::Result<T> &result, const char *what)
{
    if (result)
        return;
    std::fprintf(stderr, "bench: %s: %s\n", what, result.error().text.c_str());
    std::exit(1);
}

// Median wall and CPU time of a query; each run opens the cache's readers again, as the program does.
struct Times {
    double wall = 0, cpu = 0;
};

template <typename Work> Times timesOf(int runs, const Work &work)
{
    work();
    std::vector<double> wall, cpu;
    for (int i = 0; i < runs; ++i)
        cpu.push_back(cpuMillisecondsOf([&] { wall.push_back(millisecondsOf(work)); }));
    return {median(wall), median(cpu)};
}

Times idleTimes(FleetCache &cache)
{
    const model::Settings settings;
    return timesOf(25, [&] {
        const auto facts = cache.store->facts();
        check(facts, "facts");
        const auto attribution = cache.ledger->attribution(**facts);
        check(insight::idleAt(*attribution, cache.range().end, {}, settings.idle, base::Currency::usd()), "idle");
    });
}

// The first page: this period and the previous one, by team.
Times overviewTimes(FleetCache &cache)
{
    insight::OverviewQuery query;
    const base::UtcTime middle = cache.range().start + (cache.range().end - cache.range().start) / 2;
    query.query.range = {middle, cache.range().end};
    query.previous = {cache.range().start, middle};
    return timesOf(7, [&] {
        const auto cube = cache.store->cube();
        check(cube, "cube");
        const auto facts = cache.store->facts();
        check(facts, "facts");
        const auto attribution = cache.ledger->attribution(**facts);
        check(insight::overview(**cube, *attribution, query, base::Currency::usd()), "overview");
    });
}

std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.1f", value);
    return text;
}

// Ten times the GPUs may take ten times as long: the ratio compares the cost per GPU.
std::vector<Figure> growth(const fs::path &root)
{
    constexpr std::array<int, 3> kGpus{100, 1000, 10000};
    constexpr int kDays = 2;
    std::array<std::array<double, 3>, 3> cpu{}; // query, size
    for (std::size_t i = 0; i < kGpus.size(); ++i) {
        FleetCache cache;
        std::vector<double> stored; // small fleets take so little time that a single run is not significant
        for (int run = 0; run < (kGpus[i] < 10000 ? 5 : 1); ++run) {
            cache = {};
            cache = makeFleetCache(root, kGpus[i], kDays);
            stored.push_back(cache.commitCpuMs);
        }
        cpu[0][i] = median(stored);
        cpu[1][i] = idleTimes(cache).cpu;
        cpu[2][i] = overviewTimes(cache).cpu;
        cache.store.reset();
        fs::remove_all(cache.folder);
    }
    constexpr std::array<const char *, 3> kNames{"sync (storing, attribution, pricing)", "idle list", "overview"};
    std::vector<Figure> figures;
    for (std::size_t q = 0; q < kNames.size(); ++q) {
        for (std::size_t i = 1; i < kGpus.size(); ++i) {
            figures.push_back({std::string("P14 ") + kNames[q] + ", " + std::to_string(kGpus[i - 1]) + " to "
                                   + std::to_string(kGpus[i]) + " GPUs",
                               cpu[q][i] / cpu[q][i - 1], "x", "linear: as many times the GPUs",
                               static_cast<double>(kGpus[i]) / kGpus[i - 1], 1.1,
                               "CPU time, " + std::to_string(kDays) + " days; " + number(cpu[q][i - 1]) + " ms, then "
                                   + number(cpu[q][i]) + " ms"});
        }
    }
    return figures;
}

// The default idle rule over all the data of a fleet.
Figure rewindFigure(const fs::path &root, bool full)
{
    constexpr double kGoalMs = 5000; // a few seconds
    FleetCache cache = makeFleetCache(root, 1000, full ? 90 : 30);
    insight::ReplayQuery query;
    query.range = cache.range();
    std::string note;
    resetPeak();
    const double before = residentMb();
    const double wall = medianMilliseconds(full ? 1 : 3, [&] {
        const auto facts = cache.store->facts();
        check(facts, "facts");
        const auto attribution = cache.ledger->attribution(**facts);
        const auto told = insight::replayIdle(*attribution, query, base::Currency::usd());
        check(told, "rewind");
        const insight::ReplaySum &sum = told->total;
        note = std::to_string(sum.stops) + " stops give " + number(sum.back.hours()) + " of "
            + number(told->idle.hours()) + " idle GPU-hours back, "
            + number(base::Money(sum.money, base::Currency::usd()).toDouble()) + " USD; "
            + std::to_string(sum.falseStops) + " false stops with " + number(sum.lost.hours()) + " GPU-hours of work";
    });
    note += "; memory grew by " + number(peakResidentMb() - before) + " MB";
    const std::string size = sizeText(cache.gpus, cache.days);
    cache.store.reset();
    fs::remove_all(cache.folder);
    return {"rewind of the idle rule, " + size, wall, "ms", "5 s", kGoalMs, 1.0, note};
}

} // namespace

std::vector<Figure> fleetFigures(const fs::path &root, bool full, const std::string &only)
{
    std::vector<Figure> figures;
    if (only.empty() || only == "P10") {
        const int gpus = 10000, days = full ? 90 : 3;
        FleetCache cache = makeFleetCache(root, gpus, days);
        const Times times = idleTimes(cache);
        figures.push_back({"P10 idle list, " + sizeText(gpus, days), times.wall, "ms", "20 ms", 20, 1.0,
                           "candidates are kept when facts are stored; CPU time " + number(times.cpu) + " ms"});
        cache.store.reset();
        fs::remove_all(cache.folder);
    }
    if (only.empty() || only == "rewind")
        figures.push_back(rewindFigure(root, full));
    if (only.empty() || only == "P14") {
        for (Figure &figure : growth(root))
            figures.push_back(std::move(figure));
    }
    return figures;
}

} // namespace gpuledger::bench
