// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/insight/queue/blocked.h"
#include "ui/cli/program/output.h"

#include <string>

// `idle`: the GPUs that nothing held and that could not be given to the pods that waited. Pure; any thread.
namespace gpuledger::cli {

// With the ids of its figures if `isProvable`.
Json blockedJson(const insight::BlockedList &list, base::Currency currency, bool isProvable);
// Empty: nothing is blocked, and nothing more is to be said.
std::string blockedText(const insight::BlockedList &list, const base::TimeZone &zone, base::Currency currency,
                        bool bold);
// "ml/train-0 (4 x nvidia_com_gpu, from 2026-11-01 08:00 to 2026-11-01 13:00) and 2 more pods"
std::string waitsText(const insight::BlockedItem &item, const base::TimeZone &zone);
// "too few free on the node: ml/train-0 and 2 more pods waited"
std::string blockedReason(const insight::BlockedItem &item);

} // namespace gpuledger::cli
