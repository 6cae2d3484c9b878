// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/insight/idle/idlereplay.h"
#include "app/store/idle/gracechoice.h"
#include "ui/cli/program/output.h"

#include <string>

// Prints what a replayed rule would have done, for `replay`; `grace`: its grace windows.
namespace gpuledger::cli {

Json rewindJson(const insight::IdleReplay &rewind, model::CostView view, const store::GraceChoices &grace);
std::string rewindCsv(const insight::IdleReplay &rewind); // one row per stop
std::string rewindText(const insight::IdleReplay &rewind, model::CostView view, const store::GraceChoices &grace,
                       const base::TimeZone &zone, bool bold);

} // namespace gpuledger::cli
