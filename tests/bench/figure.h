// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace gpuledger::bench {

// A measured performance target, next to its reference from the same run.
struct Figure {
    std::string name; // "P5 heatmap, 10,000 GPUs x 90 days"
    double value = 0;
    std::string unit; // "ms", "bytes", "MB", "x"
    std::string reference; // what the reference is
    double referenceValue = 0;
    double goal = 0; // highest allowed ratio of value to reference
    std::string note; // what else a reader has to know
    double ratio() const { return referenceValue > 0 ? value / referenceValue : 0; }
    bool holds() const { return referenceValue > 0 && ratio() <= goal; }
};

double millisecondsOf(const std::function<void()> &work);
// CPU time of the whole process, all threads.
double cpuMillisecondsOf(const std::function<void()> &work);
// Median wall time of `runs` runs after an uncounted one.
double medianMilliseconds(int runs, const std::function<void()> &work);
double median(std::vector<double> values);
// Resident memory in MB: now, and the maximum since resetPeak().
double residentMb();
double peakResidentMb();
void resetPeak();

// Figures from toJson(); empty if the text is anything else.
std::vector<Figure> fromJson(const std::string &text);
std::string toJson(const std::vector<Figure> &figures);
std::string toTable(const std::vector<Figure> &figures);

} // namespace gpuledger::bench
