// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/auth/keyedapi.h"

#include <optional>
#include <string>

// Lambda's Cloud API, version 1. Plain functions.
namespace gpuledger::lambda {

inline constexpr const char *kInstancesPath = "/api/v1/instances";

// The address is the one before "/api/v1". Fails as auth::KeyedSettings::of().
[[nodiscard]] base::Result<auth::KeyedSettings> settingsOf(const model::SourceSettings &settings);

// The list of instances has no pages, so its size has a limit.
auth::KeyedTuning standardTuning();

// Why an answer can't be used; std::nullopt: it can. Words of the server are printable, short and without the key.
std::optional<base::Error> refusalOf(const http::Response &response, const std::string &url);

// Why an answer's moment can't be told: this computer's clock and the Date of the answer differ by minutes.
// std::nullopt: they don't, or it has none. `now` is the real time.
std::optional<base::Error> wrongClock(const http::Parameters &answerDate, base::UtcTime now);

} // namespace gpuledger::lambda
