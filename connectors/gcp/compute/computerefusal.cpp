// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/compute/computerefusal.h"

#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/gcp/refusal.h"

namespace gpuledger::gcp {

std::optional<base::Error> computeRefusalOf(const http::Response &response, const std::string &api)
{
    auto error = refusalOf(response, api);
    if (!error)
        return std::nullopt;
    // What BigQuery's hints say does not apply here.
    if (error->code == base::ErrorCode::Forbidden)
        error->hint = std::string("enable the Compute Engine API in the project, and give the account ") + kListRight;
    else if (error->code == base::ErrorCode::NotFound)
        error->hint = std::string("check the id of the project");
    return error;
}

} // namespace gpuledger::gcp
