// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/text/redactor.h"
#include "connectors/http/httpclient.h"

#include <string>
#include <string_view>

// What a receiver says about a message that it did not take. Pure; any thread; no errors.
namespace gpuledger::notify {

// The reason in an answer: JSON ("message", "error", "errors", or a text), or plain text; empty for a web page.
// Untrusted.
std::string answerWords(const http::Response &response);
// One short printable line without the secrets.
std::string shownWords(std::string_view words, const base::Redactor &secrets);
// Adds an address that is itself a credential, and those of its parts that may be one.
void addAddress(base::Redactor &secrets, std::string_view address);

} // namespace gpuledger::notify
