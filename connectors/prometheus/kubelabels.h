// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time.h"
#include "app/model/fleet.h"
#include "connectors/format/seriesreader.h"

#include <initializer_list>
#include <optional>
#include <span>
#include <string>

// Helpers for reading kube-state-metrics records.
namespace gpuledger::prometheus {

// The labels that start with label_, without that prefix.
model::Labels stripped(std::span<const format::Label> labels);
// The value of the first of these labels that is present, or "".
std::string labelOr(const model::Labels &labels, std::initializer_list<const char *> names);
std::optional<base::UtcTime> timeOf(double seconds);

} // namespace gpuledger::prometheus
