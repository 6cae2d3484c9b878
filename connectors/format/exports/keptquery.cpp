// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/exports/keptquery.h"

#include "app/base/text/text.h"

#include <sstream>

namespace gpuledger::format {

namespace {

constexpr const char *kQueryMark = "query1";

} // namespace

bool KeptQuery::isFresh(const std::string &now, base::UtcTime at, base::Seconds refresh) const
{
    return settings == now && asked != base::UtcTime{} && at < asked + refresh && asked <= at + refresh;
}

std::string KeptQuery::toText() const
{
    return std::string(kQueryMark) + ' ' + identity + ' ' + settings + ' ' + sha256 + ' '
        + std::to_string(base::toUnix(asked));
}

std::optional<KeptQuery> KeptQuery::fromText(const std::string &text)
{
    std::istringstream words(text);
    std::string mark, asked;
    KeptQuery out;
    words >> mark >> out.identity >> out.settings >> out.sha256 >> asked;
    const auto seconds = base::parseInt(asked);
    if (mark != kQueryMark || !seconds)
        return std::nullopt;
    out.asked = base::fromUnix(*seconds);
    return out;
}

} // namespace gpuledger::format
