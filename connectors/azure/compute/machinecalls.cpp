// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/compute/machinecalls.h"

#include "connectors/auth/changes.h"
#include "connectors/format/json.h"
#include "connectors/http/url.h"

namespace gpuledger::azure {

using base::Result;
using Json = nlohmann::json;
using ports::WriteOutcome;
using Ended = WriteOutcome::Kind;

namespace {

constexpr const char *kLocksUrl = "/providers/Microsoft.Authorization/locks?api-version=2016-09-01";
constexpr const char *kPermissionsUrl = "/providers/Microsoft.Authorization/permissions?api-version=2022-04-01";

// A lock is a refusal; else something else is being done to it.
Ended endedBy(const http::Response &response, const std::string &words)
{
    const bool isLocked = response.status == 409 && words.find("ScopeLocked") != std::string::npos;
    return isLocked ? Ended::Refused : auth::endedBy(response.status);
}

} // namespace

std::string urlOfId(const ComputeApi &api, const std::string &id)
{
    return api.address() + http::percentEncoded(id, http::Slashes::Keep);
}

tl::unexpected<base::Error> anotherMachine()
{
    return base::fail(base::ErrorCode::Parse,
                      "the Resource Manager described another machine than the one that was asked");
}

Locks locksOf(ComputeApi &api, const std::string &id, const std::stop_token &stop)
{
    std::vector<std::string> all;
    const auto read = api.eachPage(
        {urlOfId(api, id) + kLocksUrl, "Microsoft.Authorization/locks/read"},
        [&](const Json &page) -> Result<void> {
            const auto some = readOnlyLocksIn(page);
            GPULEDGER_TRY(some);
            all.insert(all.end(), some->begin(), some->end());
            return {};
        },
        stop);
    return read ? Locks(std::move(all)) : std::nullopt;
}

Result<ports::Permission> permissionOn(ComputeApi &api, const std::string &id, const model::TargetRef &machine,
                                       const std::string &right, const std::stop_token &stop)
{
    ports::Permission out;
    GPULEDGER_TRY(api.eachPage(
        {urlOfId(api, id) + kPermissionsUrl, "Microsoft.Authorization/permissions/read"},
        [&](const Json &page) -> Result<void> {
            out.isAllowed = out.isAllowed || allows(page, right);
            return {};
        },
        stop));
    if (!out.isAllowed)
        out.missing = right + " on " + model::fullNameOf(machine);
    return out;
}

WriteOutcome sendChange(ComputeApi &api, const std::string &url, const std::stop_token &stop)
{
    const auto response = api.change(url, stop);
    if (!response)
        return auth::unanswered(response.error());
    WriteOutcome out;
    out.retryAfter = response->retryAfter;
    if (response->status == 200 || response->status == 202 || response->status == 204) {
        out.kind = Ended::Done;
        return out;
    }
    const auto error = managerErrorOf(*response, api.address());
    out.text = error ? error->text : "Azure gave no answer";
    out.kind = endedBy(*response, out.text);
    return out;
}

} // namespace gpuledger::azure
