// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/redactor.h"

#include <algorithm>
#include <optional>

namespace gpuledger::base {

namespace {

constexpr std::size_t kShortestBackwards = 8; // a short word may be another one when it is read backwards
constexpr std::size_t kShortestCut = 8; // of a secret that the end of the text cuts off
constexpr std::string_view kEllipsis = "\xE2\x80\xA6", kReplacement = "\xEF\xBF\xBD";
constexpr std::size_t kNone = std::string_view::npos;

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lowered(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), lower);
    return out;
}

int digitOf(char c)
{
    c = lower(c);
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// The byte of `n` hexadecimal digits at `at`, in lower case.
std::optional<char> hexByte(std::string_view text, std::size_t at, std::size_t n)
{
    int value = 0;
    for (std::size_t i = at; i < at + n; ++i) {
        const int digit = i < text.size() ? digitOf(text[i]) : -1;
        if (digit < 0)
            return std::nullopt;
        value = value * 16 + digit;
    }
    return value < 256 ? std::optional(lower(static_cast<char>(value))) : std::nullopt;
}

bool isCutOff(std::string_view text, std::size_t at)
{
    return at >= text.size() || text.substr(at).starts_with(kEllipsis);
}

// Past the zero bytes of UTF-16, also where they were made printable.
std::size_t pastZeros(std::string_view text, std::size_t at)
{
    for (;;) {
        if (at < text.size() && text[at] == '\0')
            ++at;
        else if (text.substr(std::min(at, text.size())).starts_with(kReplacement))
            at += kReplacement.size();
        else
            return at;
    }
}

// The end of what stands for that character at `at`.
std::size_t escaped(std::string_view text, std::size_t at, char wanted)
{
    const auto is = [&](std::size_t from, std::size_t digits) {
        return hexByte(text, from, digits) == wanted ? from + digits : kNone;
    };
    if (text[at] == '%') { // encoded once, or several times
        ++at;
        while (text.substr(at).starts_with("25") && hexByte(text, at + 2, 2) && wanted != '%')
            at += 2;
        return is(at, 2);
    }
    if (text[at] == '\\') {
        while (at < text.size() && text[at] == '\\')
            ++at;
        if (at < text.size() && lower(text[at]) == 'u')
            return is(at + 1, 4);
        if (at < text.size() && lower(text[at]) == 'x')
            return is(at + 1, 2);
        return at < text.size() && lower(text[at]) == wanted ? at + 1 : kNone;
    }
    if (text[at] == '&') {
        const std::size_t end = text.substr(0, at + 12).find(';', at);
        if (end == kNone)
            return kNone;
        const std::string name = lowered(text.substr(at + 1, end - at - 1));
        int number = name.starts_with('#') ? 0 : -1;
        const bool isHex = name.starts_with("#x");
        for (const char c : name.substr(std::min(name.size(), std::size_t{isHex ? 2u : 1u}))) {
            if (number >= 0)
                number = digitOf(c) < 0 || number > 255 ? -1 : number * (isHex ? 16 : 10) + digitOf(c);
        }
        const char meant = number >= 0 && number < 256 ? lower(static_cast<char>(number))
            : name == "amp"                            ? '&'
            : name == "lt"                             ? '<'
            : name == "gt"                             ? '>'
            : name == "quot"                           ? '"'
            : name == "apos"                           ? '\''
                                                       : '\0';
        return meant == wanted ? end + 1 : kNone;
    }
    return kNone;
}

// The end of a spelling of the value that begins at `at`: each character plain or escaped in some way.
std::size_t spelled(std::string_view text, std::size_t at, std::string_view value)
{
    const auto mayBegin = [&](char c) {
        return lower(c) == value.front() || c == '%' || c == '\\' || c == '&' || (c == '+' && value.front() == ' ');
    };
    if (value.empty() || !mayBegin(text[at]))
        return kNone;
    std::vector<std::size_t> ends{at}, next; // a backslash may stand for itself, or before what it escapes
    for (std::size_t i = 0; i < value.size(); ++i) {
        next.clear();
        for (std::size_t place : ends) {
            if (i > 0)
                place = pastZeros(text, place);
            if (isCutOff(text, place)) {
                if (i >= kShortestCut)
                    return place;
                continue;
            }
            if (lower(text[place]) == value[i] || (text[place] == '+' && value[i] == ' '))
                next.push_back(place + 1);
            if (const std::size_t end = escaped(text, place, value[i]); end != kNone)
                next.push_back(end);
        }
        std::sort(next.begin(), next.end());
        next.erase(std::unique(next.begin(), next.end()), next.end());
        if (next.empty())
            return kNone;
        ends.swap(next);
    }
    return ends.back();
}

// The end of its bytes as hexadecimal digits, with or without something between them.
std::size_t inHex(std::string_view text, std::size_t at, std::string_view value)
{
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (i > 0) {
            const std::size_t before = at;
            while (at < text.size() && (text[at] == ':' || text[at] == '-' || text[at] == ' ' || text[at] == ','))
                ++at;
            for (const std::string_view prefix : {"0x", "0X", "\\x"})
                at += text.substr(at).starts_with(prefix) ? prefix.size() : 0;
            if (isCutOff(text, at) && i >= kShortestCut)
                return before;
        }
        if (hexByte(text, at, 2) != value[i])
            return kNone;
        at += 2;
    }
    return at;
}

bool isBase64(char c)
{
    return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') || c == '+' || c == '/' || c == '-'
        || c == '_';
}

// The end of that piece of base64, with the character that holds its last bits too.
std::size_t inBase64(std::string_view text, std::size_t at, std::string_view piece)
{
    for (std::size_t i = 0; i < piece.size(); ++i) {
        while (i > 0 && at < text.size() && (text[at] == '\n' || text[at] == '\r'))
            ++at;
        if (i > kShortestCut && isCutOff(text, at))
            return at;
        const char c = at >= text.size() ? '\0' : text[at] == '-' ? '+' : text[at] == '_' ? '/' : lower(text[at]);
        if (c != piece[i])
            return kNone;
        ++at;
    }
    if (at < text.size() && isBase64(text[at]))
        ++at;
    while (at < text.size() && text[at] == '=')
        ++at;
    return at;
}

// The characters of base64 that follow from the value alone, where `before` bytes modulo 3 stand before it.
std::string insideBase64(std::string_view value, std::size_t before)
{
    static constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t first = (8 * before + 5) / 6, end = 8 * (before + value.size()) / 6;
    std::string out;
    for (std::size_t i = first; i < end; ++i) {
        unsigned bits = 0;
        for (std::size_t bit = 6 * i; bit < 6 * i + 6; ++bit) {
            const auto byte = static_cast<unsigned char>(value[bit / 8 - before]);
            bits = bits << 1 | (byte >> (7 - bit % 8) & 1u);
        }
        out += lower(kAlphabet[bits]);
    }
    return out;
}

} // namespace

void Redactor::add(std::string_view secret)
{
    if (secret.size() < kShortest)
        return;
    Known known{lowered(secret), {}, {insideBase64(secret, 0), insideBase64(secret, 1), insideBase64(secret, 2)}};
    // Letter case is all that two secrets may differ in; then their base64 differs.
    const auto isSame = [&](const Known &one) { return one.value == known.value && one.base64[0] == known.base64[0]; };
    if (std::any_of(m_known.begin(), m_known.end(), isSame))
        return;
    if (secret.size() >= kShortestBackwards)
        known.backwards.assign(known.value.rbegin(), known.value.rend());
    m_known.push_back(std::move(known));
}

std::string Redactor::redacted(std::string_view text) const
{
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = kNone;
        bool takesBefore = false;
        const auto see = [&](std::size_t found, bool before = false) {
            if (found == kNone || (end != kNone && found <= end))
                return;
            end = found;
            takesBefore = before;
        };
        for (const Known &known : m_known) {
            see(spelled(text, at, known.value));
            see(spelled(text, at, known.backwards));
            see(inHex(text, at, known.value));
            for (std::size_t phase = 0; phase < 3; ++phase)
                see(inBase64(text, at, known.base64[phase]), phase > 0);
        }
        if (end == kNone) {
            out += text[at++];
            continue;
        }
        if (takesBefore && !out.empty() && isBase64(out.back())) // its first bits
            out.pop_back();
        out += "***";
        at = end;
    }
    return out;
}

} // namespace gpuledger::base
