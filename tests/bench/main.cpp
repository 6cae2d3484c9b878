// SPDX-License-Identifier: GPL-3.0-or-later
// gpuledger-bench [--json] [--full] [--only PART]: prints measured figures next to their references; a part is one of
// the names in kParts. Exits with 0 even if a target is missed: the figures are for reading, not for passing.
#include "tests/bench/data/fleetcache.h"
#include "tests/bench/parts/alertsbench.h"
#include "tests/bench/parts/billbench.h"
#include "tests/bench/parts/decodebench.h"
#include "tests/bench/parts/fleetbench.h"
#include "tests/bench/parts/forecastbench.h"
#include "tests/bench/parts/idlebench.h"
#include "tests/bench/parts/savingsbench.h"
#include "tests/bench/parts/showbackbench.h"
#include "tests/bench/parts/spotbench.h"
#include "tests/bench/parts/startbench.h"
#include "tests/bench/parts/storebench.h"
#include "tests/bench/parts/syncbench.h"
#include "tests/bench/process.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

using namespace gpuledger::bench;

struct Options {
    bool json = false, full = false;
    std::string only;
    bool wants(const char *part) const { return only.empty() || only == part; }
    bool wantsOneOf(std::initializer_list<const char *> parts) const
    {
        return std::any_of(parts.begin(), parts.end(), [this](const char *part) { return wants(part); });
    }
};

constexpr std::array kParts{"decode", "sync", "store",  "P3",   "P9",       "showback", "actions",
                            "P10",    "P14",  "rewind", "idle", "spot",     "savings",  "P6",
                            "P7",     "gaps", "tables", "wall", "forecast", "alerts",   "checksums"};

std::string partNames()
{
    std::string names;
    for (const char *part : kParts)
        names += (names.empty() ? "" : "|") + std::string(part);
    return names;
}

bool readOptions(int argc, char **argv, Options &out)
{
    for (int i = 1; i < argc; ++i) {
        const std::string arg = argv[i];
        if (arg == "--json")
            out.json = true;
        else if (arg == "--full")
            out.full = true;
        else if (arg == "--only" && i + 1 < argc)
            out.only = argv[++i];
        else
            return false;
    }
    return out.only.empty() || std::find(kParts.begin(), kParts.end(), out.only) != kParts.end();
}

std::filesystem::path besides(const char *program)
{
    return std::filesystem::path(ownProgram()).parent_path() / program;
}

// Figures of one of our programs that prints JSON.
std::vector<Figure> figuresOf(const char *program, const std::string &part, std::vector<std::string> arguments)
{
    arguments.insert(arguments.begin(), besides(program).string());
    const Finished done = runProgram(arguments);
    if (done.status != 0)
        std::fprintf(stderr, "bench: %s is left out, because %s failed\n", part.c_str(), program);
    return fromJson(done.output);
}

// A part of gpuledger-window-bench, which is built only together with the window.
std::vector<Figure> windowFigures(std::vector<std::string> arguments)
{
    const std::string part = arguments.front();
    return figuresOf("gpuledger-window-bench", part, std::move(arguments));
}

// What users see: each part on a cache as large as its target, with fewer days unless --full is given.
std::vector<Figure> seenFigures(const Options &options, const std::filesystem::path &root)
{
    std::vector<Figure> figures;
    if (!options.wantsOneOf({"P6", "P7", "gaps", "tables", "wall"}))
        return figures;
    if (!std::filesystem::exists(besides("gpuledger-window-bench"))) {
        std::fprintf(stderr, "bench: P5 to P8, P12 and the wall are left out, because this build has no window\n");
        return figures;
    }
    const auto add = [&](std::vector<Figure> more) {
        for (Figure &figure : more)
            figures.push_back(std::move(figure));
    };
    if (options.wants("gaps"))
        add(windowFigures({"gaps"}));
    if (options.wants("tables"))
        add(windowFigures({"tables"}));
    if (options.wantsOneOf({"P6", "wall"})) {
        const FleetCache fleet = makeFleetCache(root, 10000, options.full ? 90 : 7);
        const std::string folder = fleet.folder.string();
        if (options.wants("wall"))
            add(windowFigures({"wall", folder, std::to_string(fleet.gpus), std::to_string(fleet.days)}));
        if (options.wants("P6"))
            add(startFigures(root, fleet.folder, fleet.gpus, fleet.days));
    }
    if (options.wants("P7")) {
        const FleetCache fleet = makeFleetCache(root, 1000, options.full ? 90 : 30);
        add(memoryFigures(root, fleet.folder, fleet.gpus, fleet.days));
    }
    return figures;
}

std::vector<Figure> measure(const Options &options, const std::filesystem::path &root)
{
    std::vector<Figure> figures;
    const auto add = [&](std::vector<Figure> more) {
        for (Figure &figure : more)
            figures.push_back(std::move(figure));
    };
    // Next to the program, because making the server's blocks takes minutes.
    const std::filesystem::path kept = std::filesystem::path(ownProgram()).parent_path().parent_path() / "bench-data";
    if (options.wants("decode"))
        add({decodeFigure()});
    if (options.wants("sync"))
        add(syncFigures(root, kept, options.full));
    if (options.wants("store"))
        add(storeFigures(root, options.full, {}));
    if (options.only == "P3" || options.only == "checksums")
        add(storeFigures(root, options.full, options.only));
    if (options.wants("P9"))
        add(billFigures(root));
    if (options.wants("showback"))
        add(showbackFigures(root));
    if (options.wants("actions")) {
        setenv("GPULEDGER_SOURCE_DIR", GPULEDGER_SOURCE_DIR, 0); // location of the fake cluster
        add(figuresOf("gpuledger-action-bench", "actions", {}));
    }
    for (const char *part : {"P10", "P14", "rewind"}) {
        if (options.wants(part))
            add(fleetFigures(root, options.full, part));
    }
    if (options.wants("idle"))
        add(idleFigures(root));
    if (options.wants("alerts"))
        add(alertsFigures(root));
    if (options.wants("forecast"))
        add(forecastFigures(root));
    if (options.wants("spot"))
        add(spotFigures());
    if (options.wants("savings"))
        add(savingsFigures(root, options.full));
    add(seenFigures(options, root));
    return figures;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc > 2 && std::string(argv[1]) == kSyncChild)
        return syncChild({argv + 2, argv + argc});
    Options options;
    if (!readOptions(argc, argv, options)) {
        std::fprintf(stderr, "usage: gpuledger-bench [--json] [--full] [--only %s]\n", partNames().c_str());
        return 2;
    }
    char pattern[] = "/tmp/gpuledger-bench-XXXXXX";
    if (!mkdtemp(pattern)) {
        std::perror("gpuledger-bench");
        return 1;
    }
    const std::filesystem::path root(pattern);
    const std::vector<Figure> figures = measure(options, root);
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
    std::fputs((options.json ? toJson(figures) + "\n" : toTable(figures)).c_str(), stdout);
    return 0;
}
