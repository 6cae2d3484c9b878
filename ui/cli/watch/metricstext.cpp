// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/watch/metricstext.h"

#include "app/base/text/text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace gpuledger::cli {

namespace {

std::string metricValue(double value)
{
    if (std::isnan(value))
        return "NaN";
    if (std::isinf(value))
        return value > 0 ? "+Inf" : "-Inf";
    constexpr double kLongest = 9007199254740992; // 2^53: whole numbers up to it are exact
    std::array<char, 32> digits{};
    const bool isWhole = std::abs(value) < kLongest && std::trunc(value) == value;
    const auto end = isWhole
        ? std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<std::int64_t>(value))
        : std::to_chars(digits.data(), digits.data() + digits.size(), value);
    return {digits.data(), end.ptr};
}

std::string_view kindWord(MetricKind kind)
{
    switch (kind) {
    case MetricKind::Counter:
        return "counter";
    case MetricKind::Summary:
        return "summary";
    case MetricKind::Gauge:
        break;
    }
    return "gauge";
}

} // namespace

std::string escapedLabel(std::string_view value)
{
    std::string out;
    for (const char c : base::isUtf8(value) ? std::string(value) : base::printable(value)) {
        if (c == '\\')
            out += "\\\\";
        else if (c == '"')
            out += "\\\"";
        else if (c == '\n')
            out += "\\n";
        else
            out += c;
    }
    return out;
}

void MetricsText::family(std::string_view name, MetricKind kind, std::string_view help)
{
    m_name = name;
    m_text.append("# HELP ").append(name).append(" ").append(help).append("\n");
    m_text.append("# TYPE ").append(name).append(" ").append(kindWord(kind)).append("\n");
}

void MetricsText::sample(const MetricLabels &labels, double value, std::string_view suffix)
{
    m_text.append(m_name).append(suffix);
    std::string_view separator = "{";
    for (const auto &[name, text] : labels) {
        m_text.append(separator).append(name).append("=\"").append(escapedLabel(text)).append("\"");
        separator = ",";
    }
    m_text.append(labels.empty() ? " " : "} ").append(metricValue(value)).append("\n");
}

} // namespace gpuledger::cli
