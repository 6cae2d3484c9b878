// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/parts/syncbench.h"

#include "tests/bench/data/promfleet.h"
#include "tests/bench/process.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>

namespace gpuledger::bench {

namespace fs = std::filesystem;

namespace {

struct Sync {
    double ms = 0, cpuMs = 0, idleMb = 0, peakMb = 0;
    std::int64_t bytes = 0, buckets = 0;
};

// A sync into an empty cache, in a process of its own.
std::optional<Sync> syncOnce(const PromFleetServer &server, const fs::path &folder, const fs::path &record = {})
{
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    fs::create_directories(folder, ignored);
    std::vector<std::string> arguments{ownProgram(),
                                       kSyncChild,
                                       server.url(),
                                       folder.string(),
                                       std::to_string(base::toUnix(server.range().start)),
                                       std::to_string(base::toUnix(server.range().end))};
    if (!record.empty())
        arguments.push_back(record.string());
    const Finished child = runProgram(arguments);
    const auto answer = nlohmann::json::parse(child.output, nullptr, false);
    fs::remove_all(folder, ignored);
    if (child.status != 0 || !answer.is_object())
        return std::nullopt;
    return Sync{answer.value("ms", 0.0),      answer.value("cpu_ms", 0.0), answer.value("idle_mb", 0.0),
                answer.value("peak_mb", 0.0), answer.value("bytes", 0LL),  answer.value("buckets", 0LL)};
}

struct Replay {
    double ms = 0;
    std::int64_t bytes = 0;
};

// curl sending the same queries with the same concurrency, with or without compression as in the sync.
std::optional<Replay> replay(const fs::path &record)
{
    Replay out;
    Finished curl;
    out.ms = millisecondsOf([&] {
        curl = runProgram({"curl", "--no-progress-meter", "--parallel", "--parallel-immediate", "--parallel-max", "4",
                           "--config", record.string()});
    });
    if (curl.status != 0)
        return std::nullopt;
    std::istringstream sizes(curl.output);
    for (std::int64_t size = 0; sizes >> size;)
        out.bytes += size;
    return out;
}

std::string megabytes(double mb)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.0f MB", mb);
    return text;
}

struct Measured {
    std::vector<double> sync, cpu, curl, over;
    double idleMb = 0;
    std::int64_t bytes = 0, curlBytes = 0, buckets = 0;
};

std::optional<Measured> measure(const PromFleetServer &server, const fs::path &root, int runs)
{
    const fs::path record = root / "questions", folder = root / "sync";
    // Warms the server, and records the requests for curl.
    if (!syncOnce(server, folder, record) || !replay(record))
        return std::nullopt;
    Measured m;
    for (int run = 0; run < runs; ++run) {
        const auto sync = syncOnce(server, folder);
        const auto curl = replay(record);
        if (!sync || !curl)
            return std::nullopt;
        m.sync.push_back(sync->ms);
        m.cpu.push_back(sync->cpuMs);
        m.curl.push_back(curl->ms);
        m.over.push_back(sync->peakMb - sync->idleMb);
        m.idleMb = sync->idleMb;
        m.bytes = sync->bytes;
        m.curlBytes = curl->bytes;
        m.buckets = sync->buckets;
    }
    return m;
}

std::string sizeOf(const PromFleet &fleet)
{
    return std::to_string(fleet.gpus) + " GPUs x " + std::to_string(fleet.days) + " days";
}

Figure timeFigure(const PromFleet &fleet, const Measured &m)
{
    char note[256];
    std::snprintf(note, sizeof note,
                  "medians of %zu, a server that is warm; %lld MB in answers, %lld buckets; the sync's own CPU %.0f ms",
                  m.sync.size(), static_cast<long long>(m.bytes / 1'000'000), static_cast<long long>(m.buckets),
                  median(m.cpu));
    Figure f{"P1 sync " + sizeOf(fleet),
             median(m.sync),
             "ms",
             "curl fetching the same answers, 4 at a time, not compressed",
             median(m.curl),
             1.3,
             note};
    if (std::abs(m.bytes - m.curlBytes) > m.bytes / 100)
        f.note = "WRONG: curl got " + std::to_string(m.curlBytes) + " bytes, the sync " + std::to_string(m.bytes);
    return f;
}

Figure memoryFigure(const PromFleet &fleet, const Measured &m)
{
    return {"P4 memory of a sync, " + sizeOf(fleet),
            *std::max_element(m.over.begin(), m.over.end()),
            "MB",
            "64 MB",
            64,
            1.0,
            "highest RSS over the " + megabytes(m.idleMb) + " before it; highest of " + std::to_string(m.over.size())
                + " syncs; scraped every " + std::to_string(fleet.interval) + " s"};
}

} // namespace

std::vector<Figure> syncFigures(const fs::path &root, const fs::path &kept, bool full)
{
    for (const char *program : {"prometheus", "promtool", "curl", "python3"}) {
        if (!installed(program)) {
            std::fprintf(stderr, "bench: P1 and P4 are left out, because %s is not installed\n", program);
            return {};
        }
    }
    const auto failed = [] {
        std::fprintf(stderr, "bench: P1 and P4 are left out, because a sync or a replay failed\n");
        return std::vector<Figure>{};
    };
    std::vector<Figure> figures;
    // The long sync only has to show that memory does not grow, which a fifth of the samples shows as well.
    const PromFleet fleet{1000, full ? 7 : 2, 60}, longer{1000, full ? 28 : 7, 300};
    std::optional<Measured> usual;
    {
        const PromFleetServer server(kept, fleet);
        usual = server.url().empty() ? std::nullopt : measure(server, root, 5);
        if (!usual)
            return failed();
    }
    figures.push_back(timeFigure(fleet, *usual));
    figures.push_back(memoryFigure(fleet, *usual));
    {
        const PromFleetServer server(kept, longer);
        const auto more = server.url().empty() ? std::nullopt : measure(server, root, 2);
        if (!more)
            return failed();
        figures.push_back(memoryFigure(longer, *more));
        figures.push_back(
            {"P4 memory of a sync, " + std::to_string(longer.days) + " days over " + std::to_string(fleet.days),
             median(more->over), "MB", "the shorter one", median(usual->over), 1.1, "flat; medians"});
    }
    {
        const PromFleet small{fleet.gpus / 10, fleet.days, fleet.interval};
        const PromFleetServer server(kept, small);
        const auto little = server.url().empty() ? std::nullopt : measure(server, root, 3);
        if (!little)
            return failed();
        figures.push_back({"P14 sync, 100 to 1,000 GPUs, own CPU time", median(usual->cpu) / median(little->cpu), "x",
                           "linear", 10, 1.1, "100 GPUs took " + std::to_string(median(little->cpu)) + " ms"});
    }
    return figures;
}

} // namespace gpuledger::bench
