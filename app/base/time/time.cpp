// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/base/time/time.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"

#include <cstdio>

namespace gpuledger::base {

namespace {

constexpr std::int64_t kLongestDuration = 1'000'000'000'000'000; // seconds; leaves headroom for sums

// Reads exactly `n` digits at `pos` and moves past them; -1 if there are fewer.
int digits(std::string_view text, std::size_t &pos, std::size_t n)
{
    if (text.size() < pos + n)
        return -1;
    int v = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const char c = text[pos + i];
        if (c < '0' || c > '9')
            return -1;
        v = v * 10 + (c - '0');
    }
    pos += n;
    return v;
}

bool literal(std::string_view text, std::size_t &pos, char a, char b = 0)
{
    if (pos < text.size() && (text[pos] == a || (b && text[pos] == b))) {
        ++pos;
        return true;
    }
    return false;
}

Error badTime(std::string_view text)
{
    return Error::make(ErrorCode::Parse, "not a time: \"" + std::string(text.substr(0, 64)) + "\"", Remedy::WriteTime);
}

// The zone after the seconds: Z or +hh:mm.
bool zoneOffset(std::string_view text, std::size_t &pos, Seconds &offset)
{
    if (literal(text, pos, 'Z', 'z'))
        return true;
    const bool plus = pos < text.size() && text[pos] == '+';
    if (!plus && !(pos < text.size() && text[pos] == '-'))
        return false;
    ++pos;
    const int h = digits(text, pos, 2);
    literal(text, pos, ':');
    const int m = digits(text, pos, 2);
    if (h < 0 || h > 23 || m < 0 || m > 59)
        return false;
    offset = Seconds{(h * 60 + m) * 60 * (plus ? 1 : -1)};
    return true;
}

} // namespace

Result<UtcTime> parseTime(std::string_view text)
{
    std::size_t pos = 0;
    const int y = digits(text, pos, 4);
    const bool dash1 = literal(text, pos, '-');
    const int mo = digits(text, pos, 2);
    const bool dash2 = literal(text, pos, '-');
    const int d = digits(text, pos, 2);
    using namespace std::chrono;
    if (y < 0 || !dash1 || mo < 0 || !dash2 || d < 0)
        return fail(badTime(text));
    const year_month_day date{year{y}, month{static_cast<unsigned>(mo)}, day{static_cast<unsigned>(d)}};
    if (!date.ok())
        return fail(badTime(text));
    UtcTime t = sys_days{date};
    if (pos == text.size())
        return t;
    const bool sep = literal(text, pos, 'T', 't') || literal(text, pos, ' ');
    const int h = digits(text, pos, 2);
    const bool c1 = literal(text, pos, ':');
    const int mi = digits(text, pos, 2);
    int s = 0;
    bool ok = sep && h >= 0 && h < 24 && c1 && mi >= 0 && mi < 60;
    if (ok && literal(text, pos, ':')) {
        s = digits(text, pos, 2);
        ok = s >= 0 && s <= 60;
        if (ok && literal(text, pos, '.')) {
            const std::size_t before = pos;
            while (pos < text.size() && text[pos] >= '0' && text[pos] <= '9')
                ++pos;
            ok = pos > before;
        }
    }
    Seconds offset{0};
    if (!ok || !zoneOffset(text, pos, offset) || pos != text.size())
        return fail(badTime(text));
    t += hours{h} + minutes{mi} + Seconds{s} - offset;
    // An offset can lead outside four-digit years: such a time could not be written and read back.
    if (t < sys_days{year{0} / 1 / 1} || t >= sys_days{year{10'000} / 1 / 1})
        return fail(badTime(text));
    return t;
}

std::string toRfc3339(UtcTime t)
{
    using namespace std::chrono;
    const sys_days days = floor<std::chrono::days>(t);
    const year_month_day date{days};
    const std::int64_t s = (t - days).count();
    char buf[48];
    std::snprintf(buf, sizeof buf, "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), static_cast<int>(s / 3600),
                  static_cast<int>(s / 60 % 60), static_cast<int>(s % 60));
    return buf;
}

Result<Seconds> parseDuration(std::string_view text)
{
    const auto bad = [&] {
        return fail(ErrorCode::Parse, "not a duration: \"" + std::string(text.substr(0, 64)) + "\"",
                    Remedy::WriteDuration);
    };
    if (text == "0")
        return Seconds{0};
    std::int64_t total = 0;
    std::size_t pos = 0;
    if (text.empty())
        return bad();
    while (pos < text.size()) {
        const std::size_t begin = pos;
        while (pos < text.size() && text[pos] >= '0' && text[pos] <= '9')
            ++pos;
        const auto n = parseInt(text.substr(begin, pos - begin));
        if (!n || pos == text.size() || *n > 1'000'000'000)
            return bad();
        std::int64_t unit = 0;
        switch (text[pos++]) {
        case 's':
            unit = 1;
            break;
        case 'm':
            unit = 60;
            break;
        case 'h':
            unit = 3600;
            break;
        case 'd':
            unit = 86400;
            break;
        case 'w':
            unit = 7 * 86400;
            break;
        default:
            return bad();
        }
        total += *n * unit;
        if (total > kLongestDuration)
            return bad();
    }
    return Seconds{total};
}

} // namespace gpuledger::base
