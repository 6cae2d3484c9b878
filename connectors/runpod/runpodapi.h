// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/auth/keyedapi.h"

#include <optional>
#include <string>

// RunPod's API v2. Plain functions.
namespace gpuledger::runpod {

// The address is the one before "/v2". Fails as auth::KeyedSettings::of().
[[nodiscard]] base::Result<auth::KeyedSettings> settingsOf(const model::SourceSettings &settings);

// Why an answer can't be used; std::nullopt: it can. Words of the server are printable, short and
// without the key.
std::optional<base::Error> refusalOf(const http::Response &response, const std::string &url);

} // namespace gpuledger::runpod
