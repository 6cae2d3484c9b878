// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/gputime.h"
#include "app/model/money/costview.h"

#include <string>

namespace CLI {
class App;
}

// --cost: which cost of GPU time a command shows. Pure; any thread.
namespace gpuledger::cli {

// `name` must outlive the parser; the parser refuses every other value. costViewOf() reads it.
void addCostOption(CLI::App &verb, std::string &name);
model::CostView costViewOf(const std::string &name);
std::string viewText(model::CostView view); // to end a heading: ", cost as billed"; empty: effective
// A line about paid time whose cost is unknown in this view; empty if there is none.
std::string unpricedText(base::GpuTime time, model::CostView view);

} // namespace gpuledger::cli
