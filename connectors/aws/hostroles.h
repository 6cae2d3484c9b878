// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/aws/credentialchain.h"

#include <optional>
#include <stop_token>

// Keys of the role that a container or a machine runs with, asked of the service that tells them there. The order, the
// variables and the answers are those of the AWS tools (shared/contracts/clouds.md, 1.2). Any thread.
namespace gpuledger::aws {

// Nothing: this is no container with a role. Fails with InvalidConfig (an address that keys are not asked of),
// Unauthorized (it tells none) or the errors of HttpClient::submit.
[[nodiscard]] base::Result<std::optional<Credentials>>
containerKeys(const Wire &wire, const ProcessEnvironment &surroundings, const std::stop_token &stop);

// IMDSv2 only. Nothing: nobody answers within a second, it is switched off (AWS_EC2_METADATA_DISABLED), or the machine
// has no role. Fails with Unauthorized (it has a role whose keys can't be had) or Cancelled.
[[nodiscard]] base::Result<std::optional<Credentials>>
machineKeys(const Wire &wire, const ProcessEnvironment &surroundings, const std::stop_token &stop);

} // namespace gpuledger::aws
