// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/auth/keyedtarget.h"

#include <memory>
#include <string>

// Instances that are stopped and started again. Plain functions; any thread.
namespace gpuledger::vastai {

// The instance in an answer to GET /api/v0/instances/{id}/. Fails with Parse, and with NotFound if it was destroyed.
[[nodiscard]] base::Result<auth::KeyedMachine> instanceIn(const std::string &body, const std::string &id,
                                                          base::UtcTime now);

// Of static storage. Sends GET, and PUT with the state "stopped" or "running"; never DELETE.
const auth::KeyedService &instanceService();

// For the catalogue. `clock` is the real time. Fails with InvalidConfig (no key, a wrong url or option).
[[nodiscard]] base::Result<std::unique_ptr<ports::ActionTarget>>
makeVastaiTarget(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
                 std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::vastai
