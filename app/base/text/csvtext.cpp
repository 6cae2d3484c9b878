// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/text/csvtext.h"

#include "app/base/text/text.h"

namespace gpuledger::base {

namespace {

// A terminal would obey them; line breaks and tabs stay.
std::string withoutControls(std::string_view text)
{
    static constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
        if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F) {
            out += kReplacement;
        } else if (c == 0xC2 && next >= 0x80 && next < 0xA0) { // U+0080 to U+009F in UTF-8
            out += kReplacement;
            ++i;
        } else {
            out += text[i];
        }
    }
    return out;
}

} // namespace

std::string csvCell(std::string_view cell)
{
    static constexpr std::string_view kFormula = "=+-@\t\r";
    std::string text = withoutControls(cell);
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
