// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/phrases/figures.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>

namespace gpuledger::ui {

std::string fixed(double value, int decimals)
{
    if (!std::isfinite(value))
        return "-";
    std::array<char, 400> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals).ptr;
    std::string out(text.data(), end);
    // Never show a negative zero.
    return out.find_first_not_of("-0.") == std::string::npos && out.front() == '-' ? out.substr(1) : out;
}

std::string hoursText(base::GpuTime time)
{
    return fixed(time.hours(), 1);
}

std::string percentText(std::optional<double> share)
{
    return share ? fixed(*share * 100, 1) + " %" : "-";
}

std::string amountText(std::int64_t nanos)
{
    constexpr std::int64_t kNanosPerCent = base::Money::kNanosPerUnit / 100;
    std::int64_t cents = nanos / kNanosPerCent;
    const std::int64_t rest = nanos % kNanosPerCent;
    if (rest >= kNanosPerCent / 2)
        ++cents;
    else if (rest <= -kNanosPerCent / 2)
        --cents;
    const std::int64_t whole = std::abs(cents);
    const std::string part = std::to_string(whole % 100);
    return (cents < 0 ? "-" : "") + std::to_string(whole / 100) + (part.size() < 2 ? ".0" : ".") + part;
}

std::string moneyText(std::optional<base::Money> amount)
{
    return amount ? amountText(amount->nanos()) + ' ' + std::string(amount->currency().code()) : "-";
}

std::string durationText(base::Seconds duration)
{
    const std::int64_t s = duration.count();
    const auto two = [](std::int64_t a, const char *unitA, std::int64_t b, const char *unitB) {
        return std::to_string(a) + unitA + (b > 0 ? ' ' + std::to_string(b) + unitB : std::string());
    };
    if (s < 0)
        return "-" + durationText(-duration);
    if (s < 60)
        return std::to_string(s) + " s";
    if (s < 3600)
        return std::to_string(s / 60) + " min";
    if (s < 86400)
        return two(s / 3600, " h", s % 3600 / 60, " min");
    return two(s / 86400, " d", s % 86400 / 3600, " h");
}

std::string bytesText(std::uint64_t bytes)
{
    if (bytes < 1000)
        return std::to_string(bytes) + " B";
    static constexpr std::array<const char *, 4> kUnits{" kB", " MB", " GB", " TB"};
    double value = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    for (; value >= 999.95 && unit + 1 < kUnits.size(); ++unit)
        value /= 1000;
    return fixed(value, 1) + kUnits[unit];
}

std::string timeText(base::UtcTime t, const base::TimeZone &zone)
{
    // Formatting the zone's local seconds as UTC yields the local wall-clock time.
    const std::string text = base::toRfc3339(base::fromUnix(zone.localSeconds(t)));
    const std::size_t at = text.find('T');
    return text.substr(0, at) + ' ' + text.substr(at + 1, 5);
}

} // namespace gpuledger::ui
