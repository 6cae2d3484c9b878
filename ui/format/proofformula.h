// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/insight/proof/figure.h"

#include <string>

namespace gpuledger::ui {

// How a figure is worked out, in the symbols that the inputs of its proof have, and which definition says so. English;
// pure; any thread.
std::string formulaOf(const insight::Figure &figure);

} // namespace gpuledger::ui
