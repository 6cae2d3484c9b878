// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/insight/queue/waiting.h"
#include "app/model/money/costview.h"
#include "ui/cli/program/output.h"

#include <string>

// `idle --waiting`: which jobs are waiting for idle GPUs. Pure; any thread.
namespace gpuledger::cli {

Json toJson(const insight::WaitingList &list);
std::string csvText(const insight::WaitingList &list);
std::string peopleText(const insight::WaitingList &list, model::CostView view, const base::TimeZone &zone,
                       base::Currency currency, bool bold);

} // namespace gpuledger::cli
