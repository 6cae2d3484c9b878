// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/prometheus/query/promql.h"

#include <array>
#include <charconv>

namespace gpuledger::prometheus::promql {

std::string quoted(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string anyOf(std::span<const std::string> texts)
{
    std::string expression;
    for (const std::string &text : texts) {
        if (!expression.empty())
            expression += '|';
        for (const char c : text) {
            if (std::string_view(R"(\.+*?()|[]{}^$)").find(c) != std::string_view::npos)
                expression += '\\';
            expression += c;
        }
    }
    return promql::quoted(expression);
}

std::string overTime(std::string_view function, std::string_view metric, std::string_view matchers,
                     base::Seconds window)
{
    std::string out(function);
    out += '(';
    out += metric;
    if (!matchers.empty()) {
        out += '{';
        out += matchers;
        out += '}';
    }
    return out + '[' + number(window.count()) + "s] offset 1ms)";
}

std::string number(std::int64_t value)
{
    return std::to_string(value);
}

std::string decimal(double value)
{
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

} // namespace gpuledger::prometheus::promql
