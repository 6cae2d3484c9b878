// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time.h"
#include "app/model/fleet.h"
#include "connectors/format/seriesreader.h"

#include <optional>
#include <span>

// Pieces of kube-state-metrics' records.
namespace gpuledger::prometheus {

// The label_… ones without that beginning.
model::Labels stripped(std::span<const format::Label> labels);
std::optional<base::UtcTime> timeOf(double seconds);

} // namespace gpuledger::prometheus
