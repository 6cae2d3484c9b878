// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/credentialchain.h"
#include "connectors/http/retrypolicy.h"

#include <memory>
#include <string>

namespace gpuledger::aws {

// The time for which a look at an object counts before it is stopped.
inline constexpr http::Milliseconds kFresh{2'000};

// Keys, tries and pauses around a Wire. Any thread; calls may run at once.
class AwsApi {
public:
    AwsApi(Wire wire, const std::string &profile, ProcessEnvironment surroundings, http::RetryLimits retries,
           std::shared_ptr<http::Pause> pause);
    AwsApi(const AwsApi &) = delete; // the chain holds the wire

    const Wire &wire() const { return m_wire; }
    const std::string &region() const { return m_wire.place().region; }
    base::UtcTime now() const { return m_wire.clock().now(); }
    http::Milliseconds steadyNow() const { return m_pause->steadyNow(); }

    // Sent once, and once more with new keys where the service did not take the old ones (it then did nothing). Any
    // answer is a result. Fails with the errors of CredentialChain::get and HttpClient::submit.
    [[nodiscard]] base::Result<Answer> once(const Call &call, const std::stop_token &stop);
    // The same for what changes nothing: sent again after what may pass. Fails with Cancelled, too.
    [[nodiscard]] base::Result<Answer> ask(const Call &call, const std::stop_token &stop);
    // The same; an error of the service is a failure.
    [[nodiscard]] base::Result<Answer> read(const Call &call, const std::stop_token &stop);

private:
    Wire m_wire;
    CredentialChain m_chain;
    http::RetryLimits m_retries;
    std::shared_ptr<http::Pause> m_pause;
};

// What became of a change that was never sent.
ports::WriteOutcome notSent(const base::Error &error);
ports::WriteOutcome notSent(ports::WriteOutcome::Kind kind, std::string text);

} // namespace gpuledger::aws
