// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/proof/figure.h"

#include <string>

namespace gpuledger::ui {

// formulaOf() for figures of savings. Empty: the figure is of no known kind of proposal. Pure; any thread.
std::string savingsFormula(const insight::Figure &figure);

} // namespace gpuledger::ui
