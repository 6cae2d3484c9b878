// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/notify/httptarget.h"

#include <nlohmann/json_fwd.hpp>

// One protocol for each kind of target that is sent to over http (design: contracts/clouds.md, 7).
namespace gpuledger::notify {

// Incoming webhook with blocks. The address is the secret. Limits: header 150, text 3000, field 2000, button 75
// characters, 10 fields.
std::unique_ptr<HttpProtocol> slackProtocol();
// Workflow with an adaptive card 1.4 of at most 28 KB. The address is the secret.
std::unique_ptr<HttpProtocol> teamsProtocol();
// Events API v2. Limits: summary 1024 characters, event 512,000 bytes.
std::unique_ptr<HttpProtocol> pagerdutyProtocol(base::Secret routingKey);
// Alert API v2; the key is sent as a credential. Limits: message 130, description 15,000 characters.
std::unique_ptr<HttpProtocol> opsgenieProtocol();
// Our own format, version 1, signed with HMAC-SHA256 unless `signing` is empty, and with `previous` as well unless it
// is empty.
std::unique_ptr<HttpProtocol> webhookProtocol(base::Secret signing, base::Secret previous = {});
// Alertmanager API v2. An alert that fires ends by itself after four times the interval at which it is repeated.
std::unique_ptr<HttpProtocol> alertmanagerProtocol();

// JSON in UTF-8, whatever bytes the texts have.
std::string jsonText(const nlohmann::json &value);
// {"amount":"12.340000000","currency":"USD"}
nlohmann::json moneyJson(const base::Money &amount);

} // namespace gpuledger::notify
