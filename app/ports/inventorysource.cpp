// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ports/inventorysource.h"

#include "app/base/text/text.h"
#include "app/ports/sourcekind.h"
#include "app/ports/usagesource.h"

#include <algorithm>
#include <array>

namespace gpuledger::ports {

namespace {

// Of a setting that is `all` or `none`.
base::Result<bool> isAll(const model::SourceSettings &settings, std::string_view key, bool fallback)
{
    const auto word = settings.options.find(std::string(key));
    if (word == settings.options.end())
        return fallback;
    if (word->second == kAllMachines)
        return true;
    if (word->second == kNoMachines)
        return false;
    return base::fail(base::Error::make(base::ErrorCode::InvalidConfig,
                                        "source \"" + settings.name + "\" has no " + std::string(key) + " named \""
                                            + base::printable(word->second, 40) + '"',
                                        "set " + std::string(key) + " of " + settings.name + " to all or none")
                          .withSource(settings.name));
}

// What one service of a cloud can fail with while the others answer.
bool isOfOneService(base::ErrorCode code)
{
    using base::ErrorCode;
    constexpr std::array kCodes{ErrorCode::Parse,   ErrorCode::NotFound, ErrorCode::RateLimited,
                                ErrorCode::Timeout, ErrorCode::Network,  ErrorCode::Tls,
                                ErrorCode::Server,  ErrorCode::TooMuch,  ErrorCode::Unsupported};
    return std::find(kCodes.begin(), kCodes.end(), code) != kCodes.end();
}

} // namespace

void Inventory::leaveOut(std::string_view reason)
{
    const auto known = std::find_if(leftOut.begin(), leftOut.end(),
                                    [&](const FactBatch::Rejected &one) { return one.reason == reason; });
    if (known == leftOut.end())
        leftOut.push_back({std::string(reason), 1});
    else
        ++known->count;
}

bool Inventory::noteFailure(const std::string &remark, const base::Error &why)
{
    if (!isOfOneService(why.code))
        return false;
    warnings.push_back(remark + ": " + why.text);
    isPartial = true;
    return true;
}

base::Result<bool> wantsMachines(const model::SourceSettings &settings)
{
    return isAll(settings, kMachinesKey, true);
}

base::Result<bool> wantsUsage(const model::SourceSettings &settings, bool fallback)
{
    return isAll(settings, kUsageKey, fallback);
}

} // namespace gpuledger::ports
