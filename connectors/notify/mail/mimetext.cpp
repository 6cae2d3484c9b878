// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/notify/mail/mimetext.h"

#include <algorithm>

namespace gpuledger::notify {

namespace {

constexpr std::size_t kPlainHeader = 60; // longer ones are folded
constexpr std::size_t kWordBytes = 39; // 52 base64 digits; with the rest of the word and "Subject: ", 73 characters
constexpr std::size_t kLineLength = 76;
constexpr std::size_t kLongestAddress = 254; // RFC 5321, erratum 1690

bool isGraphic(unsigned char c)
{
    return c > 0x20 && c < 0x7f;
}

std::string mailBase64(std::string_view bytes)
{
    static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto at = [&](std::size_t k) -> unsigned {
            return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U;
        };
        const unsigned bits = at(0) << 16 | at(1) << 8 | at(2);
        out += kDigits[bits >> 18 & 63];
        out += kDigits[bits >> 12 & 63];
        out += i + 1 < bytes.size() ? kDigits[bits >> 6 & 63] : '=';
        out += i + 2 < bytes.size() ? kDigits[bits & 63] : '=';
    }
    return out;
}

// The length of the first part, which ends between two characters.
std::size_t wordLength(std::string_view text)
{
    std::size_t length = std::min(kWordBytes, text.size());
    while (length > 1 && length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80)
        --length;
    return length;
}

} // namespace

std::string mailHeaderText(std::string_view text)
{
    const bool isPlain = text.size() <= kPlainHeader && text.find("=?") == std::string_view::npos
        && std::all_of(text.begin(), text.end(),
                       [](char c) { return c == ' ' || isGraphic(static_cast<unsigned char>(c)); });
    if (isPlain)
        return std::string(text);
    std::string out;
    while (!text.empty()) {
        const std::size_t length = wordLength(text);
        out += (out.empty() ? "=?UTF-8?B?" : "\r\n =?UTF-8?B?") + mailBase64(text.substr(0, length)) + "?=";
        text.remove_prefix(length);
    }
    return out;
}

std::string quotedPrintable(std::string_view text)
{
    static constexpr char kHex[] = "0123456789ABCDEF";
    std::string out;
    std::size_t column = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c == '\n') {
            out += "\r\n";
            column = 0;
            continue;
        }
        const bool isLast = i + 1 == text.size() || text[i + 1] == '\n';
        const bool isPlain = (isGraphic(c) && c != '=') || (c == ' ' && !isLast);
        const std::size_t width = isPlain ? 1 : 3;
        if (column + width > kLineLength - 1) { // room for the sign of a soft break
            out += "=\r\n";
            column = 0;
        }
        if (isPlain)
            out += static_cast<char>(c);
        else
            (out += '=').append({kHex[c >> 4], kHex[c & 15]});
        column += width;
    }
    return out;
}

bool isMailAddress(std::string_view text)
{
    const std::size_t at = text.find('@');
    if (text.size() > kLongestAddress || at == 0 || at == std::string_view::npos || at + 1 == text.size()
        || text.find('@', at + 1) != std::string_view::npos || text.front() == '-')
        return false;
    return std::all_of(text.begin(), text.end(), [](char c) {
        return isGraphic(static_cast<unsigned char>(c))
            && std::string_view("<>()[]\\\",;:").find(c) == std::string_view::npos;
    });
}

std::string mailHtml(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        case '\'':
            out += "&#39;";
            break;
        default:
            out += c;
        }
    }
    return out;
}

} // namespace gpuledger::notify
