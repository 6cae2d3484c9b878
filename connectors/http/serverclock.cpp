// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/http/serverclock.h"

#include <curl/curl.h>

#include <algorithm>
#include <cstdint>
#include <ctime>

namespace gpuledger::http {

namespace {

std::string lengthOf(base::Seconds difference)
{
    constexpr std::int64_t kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour, kFirst = 2; // "2 hours" and more
    const auto rounded = [&](std::int64_t unit) { return std::to_string((difference.count() + unit / 2) / unit); };
    if (difference.count() < kFirst * kHour)
        return rounded(kMinute) + " minutes";
    return difference.count() < kFirst * kDay ? rounded(kHour) + " hours" : rounded(kDay) + " days";
}

} // namespace

std::optional<base::UtcTime> timeOf(const std::string &text)
{
    const time_t time = curl_getdate(text.c_str(), nullptr);
    return time < 0 ? std::nullopt : std::optional(base::fromUnix(time));
}

std::string clockRemark(const Parameters &headers, base::UtcTime now)
{
    const auto date =
        std::find_if(headers.begin(), headers.end(), [](const auto &header) { return header.first == "date"; });
    if (date == headers.end())
        return {};
    const auto server = timeOf(date->second);
    if (!server)
        return {};
    const base::UtcTime theirs = *server;
    const base::Seconds difference = theirs > now ? theirs - now : now - theirs;
    if (difference < kClockDifference)
        return {};
    return "; this computer's clock is " + lengthOf(difference) + (theirs > now ? " behind" : " ahead of")
        + " the server's";
}

} // namespace gpuledger::http
