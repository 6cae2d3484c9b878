// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/exports/manifest.h"

#include "app/base/text/text.h"
#include "connectors/azure/azurelogin.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <chrono>

namespace gpuledger::azure {

using base::ErrorCode;
using base::Result;
using format::ExportManifest;
using format::ManifestPlace;

namespace {

constexpr std::string_view kManifestName = "/manifest.json";
constexpr std::size_t kShownBlob = 200, kShownType = 50;

tl::unexpected<base::Error> wrongManifest(const std::string &what)
{
    return base::fail(ErrorCode::Parse, "the manifest of the export " + what);
}

// "20261001-20261031" → "2026-10"; empty: these are not the days of one whole month.
std::string periodOf(std::string_view days)
{
    constexpr std::size_t kDay = 8, kLength = 2 * kDay + 1, kMonthEnd = 6, kYearEnd = 4;
    if (days.size() != kLength || days[kDay] != '-')
        return {};
    const std::string_view first = days.substr(0, kDay), last = days.substr(kDay + 1);
    for (const std::string_view day : {first, last}) {
        if (day.find_first_not_of("0123456789") != std::string_view::npos)
            return {};
    }
    const std::string period =
        std::string(first.substr(0, kYearEnd)) + '-' + std::string(first.substr(kYearEnd, kMonthEnd - kYearEnd));
    if (!format::isPeriod(period) || first.substr(0, kMonthEnd) != last.substr(0, kMonthEnd)
        || first.substr(kMonthEnd) != "01")
        return {};
    using namespace std::chrono;
    const auto number = [](std::string_view text) { return static_cast<int>(base::parseInt(text).value_or(0)); };
    const year_month_day_last end = year(number(first.substr(0, kYearEnd)))
        / month(static_cast<unsigned>(number(period.substr(kYearEnd + 1)))) / std::chrono::last;
    return static_cast<unsigned>(number(last.substr(kMonthEnd))) == static_cast<unsigned>(end.day()) ? period
                                                                                                     : std::string();
}

// A path divided at the folder of a month, the last one if there are several.
struct DividedPath {
    std::string_view before; // without the slash at its end
    std::string_view rest; // from the folder of the month on
    std::string period;
};

std::optional<DividedPath> divided(std::string_view path)
{
    for (std::size_t end = path.rfind('/'); end != std::string_view::npos && end > 0;) {
        const std::size_t slash = path.rfind('/', end - 1);
        const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
        if (std::string period = periodOf(path.substr(begin, end - begin)); !period.empty())
            return DividedPath{path.substr(0, begin == 0 ? 0 : begin - 1), path.substr(begin), std::move(period)};
        end = slash;
    }
    return std::nullopt;
}

// The key, in this container, of a blob that a manifest names.
Result<std::string> keyOf(const std::string &named, const ManifestPlace &place)
{
    const auto path = divided(named);
    if (!path || path->period != place.period)
        return wrongManifest("names a file outside the export: " + base::printable(named, kShownBlob));
    if (named.ends_with('/') || format::hasDotSegment(named))
        return wrongManifest("names a file that can't be one: " + base::printable(named, kShownBlob));
    return (place.root.empty() ? std::string() : place.root + '/') + std::string(path->rest);
}

} // namespace

std::optional<ManifestPlace> manifestPlaceOf(std::string_view key)
{
    if (!lowerCase(std::string(key)).ends_with(kManifestName) || format::hasDotSegment(key))
        return std::nullopt;
    auto path = divided(key);
    if (!path)
        return std::nullopt;
    return ManifestPlace{std::string(path->before), std::move(path->period)};
}

Result<ExportManifest> exportManifestOf(std::string_view body, const ManifestPlace &place)
{
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (body.starts_with(kByteOrderMark))
        body.remove_prefix(kByteOrderMark.size());
    const auto parsed = format::parseJson(body);
    if (!parsed || !parsed->is_object())
        return wrongManifest("is not JSON");
    const auto blobs = parsed->find("blobs");
    if (blobs == parsed->end() || !blobs->is_array() || blobs->empty())
        return wrongManifest("names no files");
    if (blobs->size() > format::kMostExportFiles)
        return base::fail(ErrorCode::TooMuch, "the manifest of the export names more than 10,000 files");
    ExportManifest out;
    if (const auto config = parsed->find("exportConfig"); config != parsed->end() && config->is_object()) {
        const std::string type = format::textOf(*config, "type");
        if (!type.empty() && lowerCase(type) != "focuscost")
            out.otherTable = "an export of the type " + base::printableLine(type, kShownType);
    }
    for (const nlohmann::json &blob : *blobs) {
        auto key = keyOf(blob.is_object() ? format::textOf(blob, "blobName") : std::string(), place);
        GPULEDGER_TRY(key);
        out.keys.push_back(std::move(*key));
    }
    std::sort(out.keys.begin(), out.keys.end());
    out.keys.erase(std::unique(out.keys.begin(), out.keys.end()), out.keys.end());
    return out;
}

} // namespace gpuledger::azure
