// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/proof/figure.h"

#include <string>

namespace gpuledger::ui {

// How a figure is computed, written with the symbols of its proof's inputs, and the definition that it follows.
// English; pure; any thread.
std::string formulaOf(const insight::Figure &figure);

} // namespace gpuledger::ui
