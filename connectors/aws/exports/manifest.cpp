// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/exports/manifest.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"

#include <algorithm>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using format::ExportManifest;
using format::ManifestPlace;

namespace {

constexpr std::string_view kPeriodMark = "billing_period=";
constexpr std::string_view kDataMark = "/data/billing_period=";

std::string smallLetters(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return out;
}

tl::unexpected<base::Error> wrongManifest(const std::string &what)
{
    return base::fail(ErrorCode::Parse, "the manifest of the export " + what);
}

// The key in this bucket of a file that a manifest names.
Result<std::string> keyOf(std::string named, const ManifestPlace &place)
{
    if (named.starts_with("s3://"))
        named = named.substr(std::min(named.size(), named.find('/', 5) + 1));
    const std::size_t data = smallLetters('/' + named).rfind(kDataMark);
    if (data != std::string::npos)
        named = place.root.empty() ? named.substr(data) : place.root + ('/' + named).substr(data);
    else if (!place.root.empty() && !named.starts_with(place.root + '/'))
        return wrongManifest("names a file outside the export: " + base::printable(named, 200));
    if (named.empty() || named.ends_with('/') || format::hasDotSegment(named))
        return wrongManifest("names a file that can't be one: " + base::printable(named, 200));
    return named;
}

std::string nameIn(const nlohmann::json &file)
{
    if (file.is_string())
        return file.get<std::string>();
    for (const char *key : {"key", "path", "s3Path", "location"}) {
        if (file.is_object() && !format::textOf(file, key).empty())
            return format::textOf(file, key);
    }
    return {};
}

} // namespace

std::optional<ManifestPlace> manifestPlaceOf(std::string_view key)
{
    const std::string lower = smallLetters(key);
    if (!lower.ends_with("-manifest.json") || format::hasDotSegment(key))
        return std::nullopt;
    const std::string mark = "/metadata/" + std::string(kPeriodMark);
    const std::size_t at = ('/' + lower).rfind(mark); // the slash before it, counted from one further left
    if (at == std::string::npos)
        return std::nullopt;
    const std::size_t period = at + mark.size() - 1;
    const std::size_t end = lower.find('/', period);
    if (end == std::string::npos || !format::isPeriod(key.substr(period, end - period)))
        return std::nullopt;
    return ManifestPlace{std::string(key.substr(0, at == 0 ? 0 : at - 1)),
                         std::string(key.substr(period, end - period))};
}

Result<ExportManifest> exportManifestOf(std::string_view body, const ManifestPlace &place)
{
    const auto parsed = format::parseJson(body);
    if (!parsed || !parsed->is_object())
        return wrongManifest("is not JSON");
    const auto files = parsed->find("dataFiles");
    if (files == parsed->end() || !files->is_array() || files->empty())
        return wrongManifest("names no files");
    if (files->size() > format::kMostExportFiles)
        return base::fail(ErrorCode::TooMuch, "the manifest of the export names more than 10,000 files");
    ExportManifest out;
    for (const nlohmann::json &file : *files) {
        auto key = keyOf(nameIn(file), place);
        GPULEDGER_TRY(key);
        out.keys.push_back(std::move(*key));
    }
    std::sort(out.keys.begin(), out.keys.end());
    out.keys.erase(std::unique(out.keys.begin(), out.keys.end()), out.keys.end());
    return out;
}

} // namespace gpuledger::aws
