// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/auth/keyedapi.h"

#include <functional>
#include <optional>
#include <string>

// Vast.ai's API. Plain functions.
namespace gpuledger::vastai {

// The address is the one before "/api". Fails as auth::KeyedSettings::of().
[[nodiscard]] base::Result<auth::KeyedSettings> settingsOf(const model::SourceSettings &settings);

// Vast.ai wants a second between questions for the same, and does not say how long to wait.
auth::KeyedTuning standardTuning();

// Why an answer can't be used; std::nullopt: it can. Words of the server are printable, short and
// without the key.
std::optional<base::Error> refusalOf(const http::Response &response, const std::string &url);

inline constexpr std::size_t kMostPages = 2'000; // of one question

// Reads a page and returns the token of the next one; empty: it was the last.
using PageReader = std::function<base::Result<std::string>(const std::string &body)>;
// Asks for all pages. Fails with the errors of auth::KeyedApi::get() and of `read`, and with TooMuch above kMostPages
// or if a token comes again.
[[nodiscard]] base::Result<void> getPages(auth::KeyedApi &api, const std::string &path,
                                          const http::Parameters &parameters, const std::stop_token &stop,
                                          const PageReader &read);

} // namespace gpuledger::vastai
