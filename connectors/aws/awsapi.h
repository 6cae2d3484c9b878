// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/credentialchain.h"
#include "connectors/http/retrypolicy.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace gpuledger::aws {

// How long a check of an object remains valid before it must be repeated to stop the object.
inline constexpr http::Milliseconds kFresh{2'000};

// Adds keys, retries and pauses to a Wire. Any thread; calls may run concurrently.
class AwsApi {
public:
    AwsApi(Wire wire, const std::string &profile, ProcessEnvironment surroundings, http::RetryLimits retries,
           std::shared_ptr<http::Pause> pause);
    AwsApi(const AwsApi &) = delete; // the chain refers to the wire

    const Wire &wire() const { return m_wire; }
    const std::string &region() const { return m_wire.place().region; }
    base::UtcTime now() const { return m_wire.clock().now(); }
    http::Milliseconds steadyNow() const { return m_pause->steadyNow(); }

    // Sends the call once, and once more with new keys if the service rejected the old ones (in which case it did
    // nothing). Any answer is a result. Fails with the errors of CredentialChain::get and HttpClient::submit.
    [[nodiscard]] base::Result<Answer> once(const Call &call, const std::stop_token &stop);
    // As once(), for calls that change nothing: transient failures are retried. Also fails with Cancelled. `each` sees
    // every try, for calls that cost money.
    using TryFn = std::function<void(const base::Result<Answer> &)>;
    [[nodiscard]] base::Result<Answer> ask(const Call &call, const std::stop_token &stop, const TryFn &each = {});
    // As ask() or, for Try::Once, as once(); but an error of the service is a failure.
    enum class Try { Once, Again };
    [[nodiscard]] base::Result<Answer> read(const Call &call, const std::stop_token &stop, Try how = Try::Again);

private:
    Wire m_wire;
    CredentialChain m_chain;
    http::RetryLimits m_retries;
    std::shared_ptr<http::Pause> m_pause;
};

// The number of the account that the credentials belong to. Free, and allowed to all. Fails with the errors of
// AwsApi::read, or Parse.
[[nodiscard]] base::Result<std::string> callerAccount(AwsApi &api, const std::stop_token &stop);

// The outcome of a change that was never sent.
ports::WriteOutcome notSent(const base::Error &error);
ports::WriteOutcome notSent(ports::WriteOutcome::Kind kind, std::string text);
// The outcome of a change that was not answered with success; std::nullopt if it was. `where`: the changed object.
std::optional<ports::WriteOutcome> failureOf(const base::Result<Answer> &answer, const Call &call,
                                             const std::string &where);

} // namespace gpuledger::aws
