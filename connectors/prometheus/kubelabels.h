// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time.h"
#include "app/model/fleet.h"
#include "connectors/format/seriesreader.h"

#include <initializer_list>
#include <optional>
#include <span>
#include <string>

// Pieces of kube-state-metrics' records.
namespace gpuledger::prometheus {

// The label_… ones without that beginning.
model::Labels stripped(std::span<const format::Label> labels);
// The value of the first of these that there is, or "".
std::string labelOr(const model::Labels &labels, std::initializer_list<const char *> names);
std::optional<base::UtcTime> timeOf(double seconds);

} // namespace gpuledger::prometheus
