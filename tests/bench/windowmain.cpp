// SPDX-License-Identifier: GPL-3.0-or-later
// gpuledger-window-bench PART [FOLDER GPUS DAYS]: the figures that need a window, offscreen; JSON on stdout.
// gpuledger-bench runs it, if it was built, on the caches that it made. Parts: gaps (P8), tables (P12), wall (P5 and
// the wall; needs a cache), memory (prints MB; needs a cache).
#include "app/base/memory.h"
#include "tests/bench/parts/gapbench.h"
#include "tests/bench/parts/tablebench.h"
#include "tests/bench/parts/wallbench.h"

#include <QTemporaryDir>

#include <cstdio>
#include <string>

int main(int argc, char **argv)
{
    using namespace gpuledger;
    base::returnFreedMemory(); // as the window does
    const std::string part = argc > 1 ? argv[1] : "";
    const bool needsCache = part == "wall" || part == "memory";
    if (argc != (needsCache ? 5 : 2)) {
        std::fprintf(stderr, "usage: gpuledger-window-bench gaps | tables | (wall | memory) FOLDER GPUS DAYS\n");
        return 2;
    }
    const std::string folder = needsCache ? argv[2] : "";
    const int gpus = needsCache ? std::atoi(argv[3]) : 0, days = needsCache ? std::atoi(argv[4]) : 0;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QTemporaryDir home;
    for (const char *name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"})
        qputenv(name, home.path().toUtf8()); // the user's own settings are not touched
    bench::MeasuredApplication app(argc, argv);
    if (part == "memory") {
        bench::printMemory(folder, days);
        return 0;
    }
    const std::vector<bench::Figure> figures = part == "wall" ? bench::wallFigures(folder, gpus, days)
        : part == "tables"                                    ? bench::tableFigures()
                                                              : bench::gapFigures(app, home.path().toStdString());
    std::printf("%s\n", bench::toJson(figures).c_str());
    return 0;
}
