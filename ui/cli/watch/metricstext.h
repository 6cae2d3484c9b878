// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuledger::cli {

enum class MetricKind { Gauge, Counter, Summary };
using MetricLabels = std::vector<std::pair<std::string_view, std::string>>; // names are ours, values may be anything

// Metrics in the text format of Prometheus, version 0.0.4. One thread; no errors.
class MetricsText {
public:
    // The samples that follow are of this metric. Names and help are constants of the program.
    void family(std::string_view name, MetricKind kind, std::string_view help);
    // `suffix`: of a summary, "_sum" or "_count".
    void sample(const MetricLabels &labels, double value, std::string_view suffix = {});
    const std::string &text() const { return m_text; }

private:
    std::string m_text;
    std::string m_name;
};

// For a label: backslash, quote and line break are escaped, and what is not UTF-8 is replaced.
std::string escapedLabel(std::string_view value);

} // namespace gpuledger::cli
