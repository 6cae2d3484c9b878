// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/prices/listedprices.h"
#include "ui/cli/program/session.h"

// The price lists of the configuration for commands that compare prices. Fails with Storage… codes and InvalidConfig.
namespace gpuledger::cli {

// True if there is a configuration and a cache to read from. No cache is created.
bool hasCache(const Session &session);
// What a sync stored of them, and a sentence in `notes` for each that could not be read, or was not so far.
[[nodiscard]] base::Result<savings::QuoteList> listedQuotes(Session &session, std::vector<std::string> &notes);
std::string unreadText(const services::UnreadList &list);

} // namespace gpuledger::cli
