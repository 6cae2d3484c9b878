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
// page; `ask(call)` returns the Result of an answer; `add(body)` takes a page and returns the next token as a Result.
// Fails as both do, with Parse (the pages go in a circle) and TooMuch (more than `most` pages).
template <typename CallFor, typename Ask, typename Add>
base::Result<void> eachPage(std::size_t most, const CallFor &callFor, const Ask &ask, const Add &add)
{
    std::set<std::string> tokens{""};
    for (std::string token;;) {
        const Call call = callFor(token);
        const auto answer = ask(call);
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

// The same with AwsApi::read, as whose `how` it asks.
template <typename CallFor, typename Add>
base::Result<void> eachPage(AwsApi &api, std::size_t most, const CallFor &callFor, const Add &add,
                            const std::stop_token &stop, AwsApi::Try how = AwsApi::Try::Again)
{
    return eachPage(
        most, callFor, [&](const Call &call) { return api.read(call, stop, how); }, add);
}

} // namespace gpuledger::aws
