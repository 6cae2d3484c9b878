// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/insight/proof/proof.h"
#include "ui/cli/program/output.h"

#include <string>

namespace gpuledger::cli {

// A proof as text and as JSON. Pure; any thread.
std::string proofText(const insight::Proof &proof, const base::TimeZone &zone, bool bold);
Json proofJson(const insight::Proof &proof);
std::string proofCsv(const insight::Proof &proof); // its source rows

} // namespace gpuledger::cli
