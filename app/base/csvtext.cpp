// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/csvtext.h"

#include "app/base/text.h"

namespace gpuledger::base {

std::string csvCell(std::string_view cell)
{
    static constexpr std::string_view kFormula = "=+-@\t\r";
    std::string text(cell);
    const bool formula =
        !text.empty() && kFormula.find(text.front()) != std::string_view::npos && !parseDouble(text).has_value();
    if (formula && text != "-")
        text.insert(text.begin(), '\'');
    if (text.find_first_of(",\"\r\n'") == std::string::npos)
        return text;
    std::string out = "\"";
    for (const char c : text)
        out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + '"';
}

} // namespace gpuledger::base
