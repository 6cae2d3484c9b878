// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/program/reachprint.h"

#include "app/base/text/text.h"
#include "ui/format/phrases/figures.h"

namespace gpuledger::cli {

namespace {

constexpr std::size_t kLongestName = 64; // bytes

Json timeOrNull(const std::optional<base::UtcTime> &time)
{
    return time ? toJson(*time) : Json(nullptr);
}

Json secondsOrNull(const std::optional<base::UtcTime> &to, base::Seconds age)
{
    return to ? Json(age.count()) : Json(nullptr);
}

std::string lineOf(const insight::SourceReach &source, const insight::Reach &reach, const base::TimeZone &zone)
{
    const std::string of = source.source.empty() ? "" : " of " + base::printable(source.source, kLongestName);
    if (!source.to)
        return "No data" + of + " were fetched yet";
    return "Data" + of + " end at " + ui::timeText(*source.to, zone) + " (" + zone.name() + "), "
        + ui::durationText(source.age) + " before " + (reach.endsNow ? "now" : "the end of what was asked");
}

} // namespace

Json toJson(const insight::Reach &reach)
{
    Json json{{"to", timeOrNull(reach.to)},
              {"age_seconds", secondsOrNull(reach.to, reach.age)},
              {"stale", reach.stale},
              {"sources", Json::array()}};
    for (const insight::SourceReach &one : reach.sources)
        json["sources"].push_back({{"name", textOrNull(one.source)},
                                   {"to", timeOrNull(one.to)},
                                   {"age_seconds", secondsOrNull(one.to, one.age)},
                                   {"stale", one.stale}});
    return json;
}

std::string staleText(const insight::Reach &reach, const base::TimeZone &zone)
{
    if (!reach.stale)
        return {};
    std::string text;
    for (const insight::SourceReach &one : reach.sources) {
        if (one.stale)
            text += lineOf(one, reach, zone) + (one.to ? "; what happened since is not known" : "")
                + ": run gpuledger-cli sync\n";
    }
    return text.empty() ? "No telemetry was fetched yet: run gpuledger-cli sync\n" : text;
}

std::string staleLines(Output &out, const insight::Reach &reach, const base::TimeZone &zone)
{
    const std::string text = staleText(reach, zone);
    if (!out.csv() && !out.json())
        return text;
    if (!text.empty())
        out.notice(text);
    return {};
}

} // namespace gpuledger::cli
