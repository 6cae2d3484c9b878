// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/timezone.h"
#include "app/insight/idle/rewind.h"
#include "ui/cli/program/output.h"

#include <string>

// Prints what a replayed rule would have done, for `replay`.
namespace gpuledger::cli {

Json rewindJson(const insight::Rewind &rewind);
std::string rewindCsv(const insight::Rewind &rewind); // one row per stop
std::string rewindText(const insight::Rewind &rewind, const base::TimeZone &zone, bool bold);

} // namespace gpuledger::cli
