// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"
#include "app/ports/secretstore.h"
#include "connectors/http/httpclient.h"

#include <memory>

namespace gpuledger::auth {

// Reads the credentials that the settings refer to, at the time of the call. Supports basic, bearer and mTLS. Any
// thread.
// Fails with the errors of SecretStore::read, InvalidConfig (a part is missing or contains line breaks) or Unsupported
// (SigV4). The values are masked in the log from then on.
[[nodiscard]] base::Result<std::shared_ptr<const http::Credentials>> resolve(const model::AuthSettings &settings,
                                                                             ports::SecretStore &secrets);

} // namespace gpuledger::auth
