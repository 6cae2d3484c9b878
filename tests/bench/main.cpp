// SPDX-License-Identifier: GPL-3.0-or-later
// gpuledger-bench [--json] [--full] [--only NAME]: prints measured goals beside their references. Exit 0 also where a
// goal is missed: the figures are for reading, not for passing.
#include "tests/bench/decodebench.h"
#include "tests/bench/storebench.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

int main(int argc, char **argv)
{
    using namespace gpuledger::bench;
    bool json = false, full = false;
    for (int i = 1; i < argc; ++i) {
        const std::string arg = argv[i];
        if (arg == "--json")
            json = true;
        else if (arg == "--full")
            full = true;
        else {
            std::fprintf(stderr, "usage: gpuledger-bench [--json] [--full]\n");
            return 2;
        }
    }
    char pattern[] = "/tmp/gpuledger-bench-XXXXXX";
    if (!mkdtemp(pattern)) {
        std::perror("gpuledger-bench");
        return 1;
    }
    const std::filesystem::path root(pattern);
    std::vector<Figure> figures{decodeFigure()};
    for (Figure &figure : storeFigures(root, full))
        figures.push_back(std::move(figure));
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
    std::fputs((json ? toJson(figures) + "\n" : toTable(figures)).c_str(), stdout);
    return 0;
}
