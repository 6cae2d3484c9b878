// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/credentialchain.h"

#include <optional>
#include <stop_token>

// Keys of the role that a container or a machine runs with, requested from the local service that provides them. The
// order, the variables and the answers are those of the AWS tools. Any thread.
namespace gpuledger::aws {

// std::nullopt if this is not a container with a role. Fails with InvalidConfig (an address that must not be asked for
// keys), Unauthorized (no keys provided) or the errors of HttpClient::submit.
[[nodiscard]] base::Result<std::optional<Credentials>>
containerKeys(const Wire &wire, const ProcessEnvironment &surroundings, const std::stop_token &stop);

// IMDSv2 only. std::nullopt if there is no answer within a second, the service is disabled (AWS_EC2_METADATA_DISABLED),
// or the machine has no role. Fails with Unauthorized (it has a role, but its keys are not available) or Cancelled.
[[nodiscard]] base::Result<std::optional<Credentials>>
machineKeys(const Wire &wire, const ProcessEnvironment &surroundings, const std::stop_token &stop);

} // namespace gpuledger::aws
