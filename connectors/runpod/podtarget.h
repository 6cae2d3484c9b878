// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/auth/keyedtarget.h"

#include <memory>
#include <string>

// Pods that are stopped and started again. Plain functions; any thread.
namespace gpuledger::runpod {

// The pod in an answer to GET /v2/pods/{id}. Fails with Parse, and with NotFound if it was terminated.
[[nodiscard]] base::Result<auth::KeyedMachine> podIn(const std::string &body, const std::string &id, base::UtcTime now);

// Of static storage. Sends GET, and POST /v2/pods/{id}/action with "stop" or "start"; never "terminate".
const auth::KeyedService &podService();

// For the catalogue. `clock` is the real time. Fails with InvalidConfig (no key, a wrong url or option).
[[nodiscard]] base::Result<std::unique_ptr<ports::ActionTarget>>
makeRunpodTarget(const model::SourceSettings &settings, ports::SecretStore &secrets, const base::Clock &clock,
                 std::shared_ptr<http::HttpClient> client);

} // namespace gpuledger::runpod
