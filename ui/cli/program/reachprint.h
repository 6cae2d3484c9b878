// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/timezone.h"
#include "app/insight/query/reach.h"
#include "ui/cli/program/output.h"

#include <string>

// How far the data reach that an answer is made from, on the command line. Pure; any thread.
namespace gpuledger::cli {

Json toJson(const insight::Reach &reach);
// One line a stale source, and what to do; empty where none is.
std::string staleText(const insight::Reach &reach, const base::TimeZone &zone);
// The same for people; for a program on stderr, because its key "data" says it too.
[[nodiscard]] std::string staleLines(Output &out, const insight::Reach &reach, const base::TimeZone &zone);

} // namespace gpuledger::cli
