// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/figure.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>

namespace gpuledger::bench {

double millisecondsOf(const std::function<void()> &work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

double cpuMillisecondsOf(const std::function<void()> &work)
{
    const auto now = [] {
        timespec t{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
    };
    const double begin = now();
    work();
    return now() - begin;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n == 0 ? 0 : n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

double medianMilliseconds(int runs, const std::function<void()> &work)
{
    work();
    std::vector<double> times;
    for (int i = 0; i < runs; ++i)
        times.push_back(millisecondsOf(work));
    return median(times);
}

namespace {

double statusMb(const char *key)
{
    std::ifstream in("/proc/self/status");
    std::string line;
    while (std::getline(in, line)) {
        if (line.rfind(key, 0) == 0)
            return std::strtod(line.c_str() + std::string(key).size() + 1, nullptr) / 1024;
    }
    return 0;
}

} // namespace

double residentMb()
{
    return statusMb("VmRSS");
}

double peakResidentMb()
{
    return statusMb("VmHWM");
}

void resetPeak()
{
    std::ofstream("/proc/self/clear_refs") << "5";
}

std::vector<Figure> fromJson(const std::string &text)
{
    std::vector<Figure> out;
    const auto list = nlohmann::json::parse(text, nullptr, false);
    if (!list.is_array())
        return out;
    for (const auto &f : list)
        out.push_back({f.value("name", ""), f.value("value", 0.0), f.value("unit", ""), f.value("reference", ""),
                       f.value("reference_value", 0.0), f.value("goal", 0.0), f.value("note", "")});
    return out;
}

std::string toJson(const std::vector<Figure> &figures)
{
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    for (const Figure &f : figures) {
        out.push_back({{"name", f.name},
                       {"value", f.value},
                       {"unit", f.unit},
                       {"reference", f.reference},
                       {"reference_value", f.referenceValue},
                       {"ratio", f.ratio()},
                       {"goal", f.goal},
                       {"holds", f.holds()},
                       {"note", f.note}});
    }
    return out.dump(2);
}

std::string toTable(const std::vector<Figure> &figures)
{
    std::string out;
    char line[512];
    for (const Figure &f : figures) {
        std::snprintf(line, sizeof line, "%-58s %12.2f %-6s  ref %12.2f  ratio %6.2f  goal %5.2f  %s\n", f.name.c_str(),
                      f.value, f.unit.c_str(), f.referenceValue, f.ratio(), f.goal, f.holds() ? "holds" : "MISSED");
        out += line;
        std::snprintf(line, sizeof line, "    reference: %s%s%s\n", f.reference.c_str(), f.note.empty() ? "" : "; ",
                      f.note.c_str());
        out += line;
    }
    return out;
}

} // namespace gpuledger::bench
