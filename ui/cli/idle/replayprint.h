// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/timezone.h"
#include "app/insight/idle/rewind.h"
#include "ui/cli/program/output.h"

#include <string>

// What a replayed rule would have done, as `replay` prints it.
namespace gpuledger::cli {

Json rewindJson(const insight::Rewind &rewind);
std::string rewindCsv(const insight::Rewind &rewind); // one row a stop
std::string rewindText(const insight::Rewind &rewind, const base::TimeZone &zone, bool bold);

} // namespace gpuledger::cli
