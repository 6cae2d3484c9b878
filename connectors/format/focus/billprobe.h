// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/clock.h"
#include "app/ports/costsource.h"

#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::focus {

// Reads a delivery without storing anything, and adds what it found to a connection test: version, rows, and whether
// the bill is usable. `shown`: the name of its first file, printable; `names`: see BillImport. Fails with the errors of
// BillImport::run.
[[nodiscard]] base::Result<void> probeBill(ports::ProbeReport &probe, const std::string &shown,
                                           const std::string &source, const ports::BillDelivery &delivery,
                                           const base::Clock &clock, std::stop_token stop,
                                           std::vector<std::string> names = {});

} // namespace gpuledger::focus
