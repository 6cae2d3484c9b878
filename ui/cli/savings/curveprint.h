// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/proposals/curve.h"
#include "ui/cli/program/jsonrows.h"

#include <optional>

// What a proposal's figure depends on, for `savings ID --json`. Pure; any thread.
namespace gpuledger::cli {

// Null without a curve.
Json curveJson(const std::optional<savings::ProposalCurve> &curve);

} // namespace gpuledger::cli
