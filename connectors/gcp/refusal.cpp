// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/refusal.h"

#include "app/base/remedy.h"
#include "app/base/text/log.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Remedy;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kShownReason = 64, kShownMessage = 300; // bytes
constexpr std::size_t kMostRefusalBody = 64u << 10; // bytes of an error that are read

struct Reason {
    std::string_view name;
    ErrorCode code;
    Remedy remedy;
    bool isRetryable = false;
};
// cloud.google.com/bigquery/docs/error-messages. The status alone does not tell them apart: BigQuery throttles with
// 403, too.
constexpr std::array<Reason, 16> kReasons{{
    {"ACCESS_TOKEN_SCOPE_INSUFFICIENT", ErrorCode::Unauthorized, Remedy::WidenAccessScopes}, // not a missing right
    {"accessDenied", ErrorCode::Forbidden, Remedy::AllowBigQuery},
    {"accessNotConfigured", ErrorCode::Forbidden, Remedy::EnableBigQuery},
    {"SERVICE_DISABLED", ErrorCode::Forbidden, Remedy::EnableBigQuery},
    {"billingNotEnabled", ErrorCode::Forbidden, Remedy::EnableBigQuery},
    {"notFound", ErrorCode::NotFound, Remedy::CheckBigQueryTable},
    {"invalidQuery", ErrorCode::Unsupported, Remedy::ChooseBillingExport},
    {"bytesBilledLimitExceeded", ErrorCode::TooMuch, Remedy::RaiseMostScanned},
    {"quotaExceeded", ErrorCode::TooMuch, Remedy::WaitForBigQueryQuota},
    {"responseTooLarge", ErrorCode::TooMuch, Remedy::UseStandardExport},
    {"resourcesExceeded", ErrorCode::TooMuch, Remedy::UseStandardExport},
    {"rateLimitExceeded", ErrorCode::RateLimited, Remedy::WaitForServer, true},
    {"userRateLimitExceeded", ErrorCode::RateLimited, Remedy::WaitForServer, true},
    {"jobRateLimitExceeded", ErrorCode::RateLimited, Remedy::WaitForServer, true},
    {"backendError", ErrorCode::Server, Remedy::NextSyncTriesAgain, true},
    {"jobBackendError", ErrorCode::Server, Remedy::NextSyncTriesAgain, true},
}};

const Reason *reasonIn(std::string_view name)
{
    const auto at = std::find_if(kReasons.begin(), kReasons.end(), [&](const Reason &one) { return one.name == name; });
    return at == kReasons.end() ? nullptr : &*at;
}

// {"error":{"code","message","status","errors":[{"reason"}],"details":[{"reason"}]}}
struct Said {
    const Reason *reason = nullptr;
    std::string name, message; // printable
};

Said saidIn(const std::string &body)
{
    Said said;
    if (body.size() > kMostRefusalBody)
        return said;
    const auto json = format::parseJson(body);
    if (!json)
        return said;
    const Json &error = format::memberOf(*json, "error");
    // A server may send a credential back.
    said.message = base::printableLine(base::log::redacted(format::textOf(error, "message")), kShownMessage);
    for (const char *list : {"details", "errors"}) {
        const Json &all = format::memberOf(error, list);
        for (std::size_t i = 0; all.is_array() && i < all.size() && !said.reason; ++i) {
            const std::string name = format::textOf(all[i], "reason");
            said.reason = reasonIn(name);
            if (said.name.empty() || said.reason)
                said.name = base::printable(name, kShownReason);
        }
    }
    return said;
}

} // namespace

std::optional<base::Error> refusalOf(const http::Response &response, const std::string &api)
{
    std::optional<base::Error> error = http::statusError(response, api);
    if (!error) {
        if (response.status == 200)
            return std::nullopt;
        return base::Error::make(
            ErrorCode::Server, http::shownUrl(api) + " gave no answer (HTTP " + std::to_string(response.status) + ')');
    }
    const Said said = saidIn(response.body);
    for (const std::string &words : {said.name, said.message}) {
        if (!words.empty())
            error->text += ": " + words;
    }
    if (said.reason) {
        error->code = said.reason->code;
        error->retryable = said.reason->isRetryable;
        error->hint = base::text(said.reason->remedy);
    } else if (response.status == 403) {
        error->hint = base::text(Remedy::AllowBigQuery);
    } else if (response.status == 404) {
        error->hint = base::text(Remedy::CheckBigQueryTable);
    }
    return error;
}

} // namespace gpuledger::gcp
