// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/text/redactor.h"

#include <algorithm>
#include <optional>

namespace gpuledger::base {

namespace {

constexpr std::size_t kShortestBackwards = 8; // a short word may be another word when read backwards
constexpr std::size_t kShortestCut = 8; // shortest part of a secret at the end of the text that is redacted
constexpr std::size_t kLongestEscape = 11; // of a single character
constexpr std::string_view kEllipsis = "\xE2\x80\xA6", kUnreadable = "\xEF\xBF\xBD";
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

// Decodes the byte written as `n` hexadecimal digits at `at`, to lower case.
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

// Skips the zero bytes of UTF-16, even if they were made printable.
std::size_t pastZeros(std::string_view text, std::size_t at)
{
    for (;;) {
        if (at < text.size() && text[at] == '\0')
            ++at;
        else if (text.substr(std::min(at, text.size())).starts_with(kUnreadable))
            at += kUnreadable.size();
        else
            return at;
    }
}

// True if the text ends within the escape of a character.
bool endsInside(std::string_view text, std::size_t at)
{
    const std::size_t end = std::min(text.find(kEllipsis, at), text.size());
    return at < end && end - at <= kLongestEscape && std::string_view("%\\&").find(text[at]) != kNone;
}

char namedInHtml(std::string_view name)
{
    return name == "amp" ? '&' : name == "lt" ? '<' : name == "gt" ? '>' : name == "quot" ? '"' : '\'';
}

// The end of an HTML entity that represents that character.
std::size_t inHtml(std::string_view text, std::size_t at, char wanted)
{
    const std::size_t end = text.substr(0, at + kLongestEscape + 1).find(';', at);
    if (end == kNone)
        return kNone;
    const std::string name = lowered(text.substr(at + 1, end - at - 1));
    if (!name.starts_with('#')) {
        const bool known = name == "amp" || name == "lt" || name == "gt" || name == "quot" || name == "apos";
        return known && namedInHtml(name) == wanted ? end + 1 : kNone;
    }
    const bool isHex = name.starts_with("#x");
    int number = 0;
    for (const char c : name.substr(isHex ? 2 : 1)) {
        if (digitOf(c) < 0 || number > 255)
            return kNone;
        number = number * (isHex ? 16 : 10) + digitOf(c);
    }
    return number < 256 && lower(static_cast<char>(number)) == wanted ? end + 1 : kNone;
}

// Adds the ends of all escapes of the character at `at`, other than the character itself.
void addEscaped(std::string_view text, std::size_t at, char wanted, std::vector<std::size_t> &ends)
{
    const auto add = [&](std::size_t from, std::size_t digits) {
        if (hexByte(text, from, digits) == wanted)
            ends.push_back(from + digits);
    };
    if (text[at] == '%') { // encoded once, or several times
        add(++at, 2);
        for (; text.substr(at).starts_with("25"); at += 2)
            add(at + 2, 2);
    } else if (text[at] == '\\') {
        while (at < text.size() && text[at] == '\\')
            ++at;
        const char kind = at < text.size() ? lower(text[at]) : '\0';
        if (kind == 'u')
            add(at + 1, 4);
        if (kind == 'x')
            add(at + 1, 2);
        if (kind == wanted && at < text.size())
            ends.push_back(at + 1);
    } else if (text[at] == '&') {
        if (const std::size_t end = inHtml(text, at, wanted); end != kNone)
            ends.push_back(end);
    }
}

bool mayBegin(char c, char wanted)
{
    return lower(c) == wanted || c == '%' || c == '\\' || c == '&' || (c == '+' && wanted == ' ');
}

// The end of a spelling of the value that starts at `at`: each character plain or escaped in some way.
std::size_t spelled(std::string_view text, std::size_t at, std::string_view value)
{
    if (value.empty() || !mayBegin(text[at], value.front()))
        return kNone;
    std::vector<std::size_t> places{at}, next; // a backslash may be literal, or start an escape
    std::size_t cut = kNone;
    for (std::size_t i = 0; i < value.size(); ++i) {
        next.clear();
        for (std::size_t place : places) {
            if (i > 0)
                place = pastZeros(text, place);
            const bool isLong = i >= kShortestCut;
            if (isLong && isCutOff(text, place))
                return place;
            if (isLong && endsInside(text, place))
                cut = std::min(text.find(kEllipsis, place), text.size());
            if (place >= text.size())
                continue;
            if (lower(text[place]) == value[i] || (text[place] == '+' && value[i] == ' '))
                next.push_back(place + 1);
            addEscaped(text, place, value[i], next);
        }
        if (next.empty())
            return cut;
        std::sort(next.begin(), next.end());
        next.erase(std::unique(next.begin(), next.end()), next.end());
        places.swap(next);
    }
    return places.back();
}

// The end of its bytes as hexadecimal digits, with or without separators.
std::size_t inHex(std::string_view text, std::size_t at, std::string_view value)
{
    for (std::size_t i = 0; i < value.size(); ++i) {
        while (i > 0 && at < text.size() && std::string_view(":- ,").find(text[at]) != kNone)
            ++at;
        for (const std::string_view prefix : {"0x", "0X", "\\x"})
            at += text.substr(at).starts_with(prefix) ? prefix.size() : 0;
        const bool isHalf = at < text.size() && digitOf(text[at]) >= 0 && isCutOff(text, at + 1);
        if (i >= kShortestCut && (isHalf || isCutOff(text, at)))
            return isHalf ? at + 1 : at;
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

// The end of that piece of base64, including the character that holds its last bits.
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

// The base64 characters that depend on the value alone, given the number of preceding bytes modulo 3.
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
    // Two secrets may differ in letter case only; then their base64 differs.
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
        if (takesBefore && !out.empty() && isBase64(out.back())) // contains its first bits
            out.pop_back();
        out += "***";
        at = end;
    }
    return out;
}

} // namespace gpuledger::base
