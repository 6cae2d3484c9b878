// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/settings.h"

namespace gpuledger::services {

// The configuration of the built-in demo fleet: one source of kind "demo", owners by the team label, list prices.
model::Settings demoSettings();

} // namespace gpuledger::services
