// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/auth/requestsigner.h"
#include "connectors/aws/credentialchain.h"

#include <functional>
#include <memory>

namespace gpuledger::aws {

// Signers for requests of other connectors, with the keys that CredentialChain finds. One per scope, so that temporary
// keys are asked for once. `client` is called when the first signer of a scope is made; `realClock` must outlive the
// result and its signers. Any thread.
auth::SignerSource signers(std::function<std::shared_ptr<http::HttpClient>()> client, const base::Clock &realClock,
                           ProcessEnvironment surroundings = ProcessEnvironment::ofProcess());

} // namespace gpuledger::aws
