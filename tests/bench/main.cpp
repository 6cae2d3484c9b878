// SPDX-License-Identifier: GPL-3.0-or-later
// gpuledger-bench [--json] [--full] [--only decode|sync|store|P3|window]: prints measured goals beside their
// references. Exit 0 also where a goal is missed: the figures are for reading, not for passing.
#include "tests/bench/decodebench.h"
#include "tests/bench/process.h"
#include "tests/bench/storebench.h"
#include "tests/bench/syncbench.h"

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
};

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
    return out.only.empty() || out.only == "decode" || out.only == "sync" || out.only == "store" || out.only == "P3"
        || out.only == "window";
}

// P8 is measured by a program of its own, which is built where there is a window.
std::vector<Figure> windowFigures()
{
    const std::filesystem::path program = std::filesystem::path(ownProgram()).parent_path() / "gpuledger-window-bench";
    if (!std::filesystem::exists(program)) {
        std::fprintf(stderr, "bench: P8 is left out, because this build has no window\n");
        return {};
    }
    const Finished window = runProgram({program.string()});
    if (window.status != 0)
        std::fprintf(stderr, "bench: P8 is left out, because gpuledger-window-bench failed\n");
    return fromJson(window.output);
}

std::vector<Figure> measure(const Options &options, const std::filesystem::path &root)
{
    std::vector<Figure> figures;
    const auto add = [&](std::vector<Figure> more) {
        for (Figure &figure : more)
            figures.push_back(std::move(figure));
    };
    // Beside the program, because making the server's blocks takes minutes.
    const std::filesystem::path kept = std::filesystem::path(ownProgram()).parent_path().parent_path() / "bench-data";
    if (options.wants("decode"))
        add({decodeFigure()});
    if (options.wants("sync"))
        add(syncFigures(root, kept, options.full));
    if (options.wants("store"))
        add(storeFigures(root, options.full, {}));
    if (options.only == "P3")
        add(storeFigures(root, options.full, options.only));
    if (options.wants("window"))
        add(windowFigures());
    return figures;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc > 2 && std::string(argv[1]) == kSyncChild)
        return syncChild({argv + 2, argv + argc});
    Options options;
    if (!readOptions(argc, argv, options)) {
        std::fprintf(stderr, "usage: gpuledger-bench [--json] [--full] [--only decode|sync|store|P3|window]\n");
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
