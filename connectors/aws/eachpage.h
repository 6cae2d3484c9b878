// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/awsapi.h"

#include <cstddef>
#include <set>
#include <stop_token>
#include <string>
#include <utility>

namespace gpuledger::aws {

// Asks for each page of a list until there is none. `callFor(token)` makes the call, with an empty token for the first
// page; `add(body)` takes a page and returns the next token as a Result. `how` is that of AwsApi::read. Fails as both
// and AwsApi::read do, with Parse (the pages go in a circle) and TooMuch (more than `most` pages).
template <typename CallFor, typename Add>
base::Result<void> eachPage(AwsApi &api, std::size_t most, const CallFor &callFor, const Add &add,
                            const std::stop_token &stop, AwsApi::Try how = AwsApi::Try::Again)
{
    std::set<std::string> tokens{""};
    for (std::string token;;) {
        const Call call = callFor(token);
        const auto answer = api.read(call, stop, how);
        GPULEDGER_TRY(answer);
        auto next = add(answer->body);
        GPULEDGER_TRY(next);
        if (next->empty())
            return {};
        if (!tokens.insert(*next).second)
            return base::fail(base::ErrorCode::Parse, "the pages of " + call.action + " go in a circle");
        if (tokens.size() > most)
            return base::fail(base::ErrorCode::TooMuch,
                              call.action + " has more than " + std::to_string(most) + " pages");
        token = std::move(*next);
    }
}

} // namespace gpuledger::aws
