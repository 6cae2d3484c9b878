// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/idle/idle.h"

#include <string>
#include <vector>

namespace gpuledger::cli {

// The ids of the idle, partly idle and unknown workloads that `typed` may mean: the one whose id it is, else all with
// this name, as stored or as shown, with or without the namespace.
std::vector<std::string> idsCalled(const insight::IdleList &list, const std::string &typed);

// The shortest text that `act` takes for a workload of the list and that is not mistaken for another one:
// "research/notebook-7-0", else its id. Costs a pass over the list.
std::string shortIdOf(const insight::IdleList &list, const insight::IdleItem &item);

} // namespace gpuledger::cli
