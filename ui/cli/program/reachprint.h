// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/insight/query/reach.h"
#include "ui/cli/program/output.h"

#include <string>

// Prints how far the data behind an answer reach. Pure; any thread.
namespace gpuledger::cli {

Json toJson(const insight::Reach &reach);
// One line per stale source, and how to fix it; empty if there is none.
std::string staleText(const insight::Reach &reach, const base::TimeZone &zone);
// The same for text output; with a machine-readable format it goes to stderr, because the key "data" contains it too.
[[nodiscard]] std::string staleLines(Output &out, const insight::Reach &reach, const base::TimeZone &zone);

} // namespace gpuledger::cli
