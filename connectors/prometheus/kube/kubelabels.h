// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/time.h"
#include "app/model/fleet/fleet.h"
#include "connectors/format/seriesreader.h"

#include <initializer_list>
#include <optional>
#include <span>
#include <string>

// Helpers for reading kube-state-metrics records.
namespace gpuledger::prometheus {

// The labels that start with label_, without that prefix.
model::Labels stripped(std::span<const format::Label> labels);
// Annotations of ours ("annotation_gpu_ledger_io_deadline"), under the name that a label of the same name has
// ("gpu_ledger_io_deadline"). Others are no facts.
model::Labels ownAnnotations(std::span<const format::Label> labels);
// The value of the first of these labels that is present, or "".
std::string labelOr(const model::Labels &labels, std::initializer_list<const char *> names);
std::optional<base::UtcTime> timeOf(double seconds);

} // namespace gpuledger::prometheus
