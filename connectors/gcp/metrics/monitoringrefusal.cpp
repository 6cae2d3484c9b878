// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/metrics/monitoringrefusal.h"

#include "app/base/remedy.h"
#include "connectors/gcp/refusal.h"

namespace gpuledger::gcp {

using base::ErrorCode;

namespace {

bool says(const base::Error &error, const char *words)
{
    return error.text.find(words) != std::string::npos;
}

} // namespace

// What BigQuery's hints say does not apply here.
std::optional<base::Error> monitoringRefusalOf(const http::Response &response, const std::string &api)
{
    auto error = refusalOf(response, api);
    if (!error || error->retryable)
        return error;
    if (response.status == 403 && error->hint == base::text(base::Remedy::WidenAccessScopes)) {
        error->code = ErrorCode::Forbidden; // those that machines have by default may write here, but not read
    } else if (response.status == 403) {
        error->code = ErrorCode::Forbidden;
        const bool isOff = says(*error, "SERVICE_DISABLED") || says(*error, "accessNotConfigured");
        error->hint = std::string(isOff ? "enable the Cloud Monitoring API in the project, and give" : "give")
            + " the account " + kUsageRight + " (the role Monitoring Viewer)";
    } else if (response.status == 404 && !says(*error, "Cannot find metric")) {
        error->code = ErrorCode::Forbidden; // an address of its own that has Compute Engine only
        error->hint = std::string("check the id of the project and the address, or set usage of this source to none");
    } else {
        error->hint.clear();
    }
    return error;
}

} // namespace gpuledger::gcp
