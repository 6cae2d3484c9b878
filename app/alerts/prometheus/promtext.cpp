// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/alerts/prometheus/promtext.h"

#include "app/base/money/money.h"
#include "app/base/text/text.h"

#include <array>
#include <cstdio>
#include <utility>

namespace gpuledger::alerts::prom {

namespace {

constexpr std::size_t kMostCommented = 200;
constexpr unsigned char kFirstPrintable = 0x20, kDelete = 0x7f, kFirstLead = 0xc0;
constexpr char32_t kLastControl = 0x9f; // of C1
constexpr char32_t kReplacement = 0xfffd; // Prometheus refuses it, even with an escape

// The character at `at` of valid UTF-8, and its length.
std::pair<char32_t, std::size_t> characterAt(std::string_view text, std::size_t at)
{
    const auto lead = static_cast<unsigned char>(text[at]);
    if (lead < kFirstLead)
        return {lead, 1};
    const std::size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    char32_t out = lead & (0xff >> (length + 1));
    for (std::size_t i = 1; i < length; ++i)
        out = (out << 6) | (static_cast<unsigned char>(text[at + i]) & 0x3f);
    return {out, length};
}

// Control characters, and those that YAML or an editor takes for a line break or that change the direction of text.
bool isHidden(char32_t c)
{
    return c < kFirstPrintable || (c >= kDelete && c <= kLastControl) || (c >= 0x200b && c <= 0x200f)
        || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff || c == 0xfffe || c == 0xffff;
}

} // namespace

std::string inQuotes(std::string_view text)
{
    const std::string valid = base::repairedUtf8(text);
    std::string out = "\"";
    for (std::size_t at = 0; at < valid.size();) {
        const auto [c, length] = characterAt(valid, at);
        if (c == U'"' || c == U'\\') {
            out += '\\';
            out += static_cast<char>(c);
        } else if (c == kReplacement) {
            out += '?';
        } else if (isHidden(c)) {
            std::array<char, 16> code{};
            std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(c));
            out += code.data();
        } else {
            out.append(valid, at, length);
        }
        at += length;
    }
    return out + '"';
}

std::string exactly(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (std::string_view(R"(\.+*?()|[]{}^$)").find(c) != std::string_view::npos)
            out += '\\';
        out += c;
    }
    return out;
}

std::string literal(std::string_view text)
{
    std::string out;
    for (const char c : text)
        out += c == '$' ? "$$" : std::string(1, c);
    return out;
}

std::string commented(std::string_view text)
{
    return base::printableLine(text, kMostCommented);
}

std::string labelReplace(const std::string &expression, std::string_view to, std::string_view replacement,
                         std::string_view from, std::string_view regex)
{
    return "label_replace(" + expression + ", " + inQuotes(to) + ", " + inQuotes(replacement) + ", " + inQuotes(from)
        + ", " + inQuotes(regex) + ')';
}

std::string copied(const std::string &expression, std::string_view to, std::string_view from)
{
    return labelReplace(expression, to, "$1", from, "(.+)");
}

std::string joined(const std::vector<std::string> &parts, std::string_view operation)
{
    std::string out;
    for (const std::string &part : parts) {
        if (!out.empty())
            out.append("\n").append(operation).append(" ");
        out += part;
    }
    return out;
}

std::string decimal(std::int64_t nanos)
{
    std::string out = base::Money(nanos, base::Currency::usd()).toDecimal();
    if (out.find('.') != std::string::npos) {
        out.erase(out.find_last_not_of('0') + 1);
        if (out.back() == '.')
            out.pop_back();
    }
    return out;
}

std::string indented(const std::string &text, int blanks)
{
    const std::string space(static_cast<std::size_t>(blanks), ' ');
    std::string out = space;
    for (const char c : text) {
        out += c;
        if (c == '\n')
            out += space;
    }
    return out;
}

} // namespace gpuledger::alerts::prom
