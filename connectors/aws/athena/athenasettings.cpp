// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/athena/athenasettings.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/aws/exports/bucket.h"
#include "connectors/format/exports/exportlayout.h"
#include "connectors/http/url.h"

#include <string_view>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::uint64_t kBytesPerGb = 1'000'000'000;
constexpr std::size_t kLongestTable = 255, kLongestWorkgroup = 128, kLongestOutput = 1024;
constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

tl::unexpected<base::Error> wrongAthena(const model::SourceSettings &settings, const std::string &what)
{
    return base::fail(base::Error::make(ErrorCode::InvalidConfig, "source \"" + settings.name + "\" " + what,
                                        base::Remedy::CheckAthenaTable)
                          .withSource(settings.name));
}

bool isAthenaName(std::string_view text, std::size_t longest, bool mayHaveDots)
{
    for (const char c : text) {
        if (kLetters.find(c) == std::string_view::npos && !(mayHaveDots && c == '.'))
            return false;
    }
    return !text.empty() && text.size() <= longest;
}

bool isOutput(const std::string &text)
{
    const auto place = storePlaceOf(text);
    return place && text.size() <= kLongestOutput && text == base::printable(text)
        && place->key.find("//") == std::string::npos && !format::hasDotSegment(place->key);
}

} // namespace

std::optional<StorePlace> storePlaceOf(const std::string &address)
{
    constexpr std::string_view kScheme = "s3://";
    if (!address.starts_with(kScheme))
        return std::nullopt;
    const std::size_t slash = address.find('/', kScheme.size());
    StorePlace out;
    out.bucket = address.substr(kScheme.size(), slash == std::string::npos ? slash : slash - kScheme.size());
    out.key = slash == std::string::npos ? std::string() : address.substr(slash + 1);
    return isBucketName(out.bucket) ? std::optional(std::move(out)) : std::nullopt;
}

std::string AthenaSettings::identity() const
{
    return "athena 1 " + database + '.' + table + ' ' + workgroup + ' ' + output;
}

Result<std::optional<AthenaSettings>> AthenaSettings::of(const model::SourceSettings &settings)
{
    const auto option = [&](const char *key) {
        const auto at = settings.options.find(key);
        return at == settings.options.end() ? std::string() : at->second;
    };
    AthenaSettings out;
    out.database = option("database");
    out.table = option("table");
    if (out.database.empty() && out.table.empty()) {
        for (const char *more : {"workgroup", "output", "athena_url", "most_scanned", "refresh"}) {
            if (!option(more).empty())
                return wrongAthena(settings,
                                   "has " + std::string(more) + ", which is for Athena, but no database and table");
        }
        return std::optional<AthenaSettings>();
    }
    if (!isAthenaName(out.database, kLongestTable, false))
        return wrongAthena(settings, "has a database that is not the name of one");
    if (!isAthenaName(out.table, kLongestTable, false))
        return wrongAthena(settings, "has a table that is not the name of one");
    if (!option("workgroup").empty())
        out.workgroup = option("workgroup");
    if (!isAthenaName(out.workgroup, kLongestWorkgroup, true))
        return wrongAthena(settings, "has a workgroup that is not the name of one");
    out.output = option("output");
    if (!out.output.empty() && !isOutput(out.output))
        return wrongAthena(settings, "has an output that is not a folder of S3, such as s3://company-athena/results/");
    if (!out.output.empty() && !out.output.ends_with('/'))
        out.output += '/';
    out.url = option("athena_url");
    if (!out.url.empty())
        GPULEDGER_TRY(http::parseUrl(out.url));
    if (const std::string text = option("refresh"); !text.empty()) {
        const auto refresh = base::parseDuration(text);
        if (!refresh)
            return wrongAthena(settings, "has a refresh that is no duration, such as 12h");
        out.refresh = *refresh;
    }
    if (const std::string text = option("most_scanned"); !text.empty()) {
        const auto most = base::parseInt(text);
        if (!most || *most <= 0 || *most > 1'000'000)
            return wrongAthena(settings, "has a limit that is no whole number of GB");
        out.mostScanned = static_cast<std::uint64_t>(*most) * kBytesPerGb;
    }
    return std::optional(std::move(out));
}

} // namespace gpuledger::aws
