// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/format/phrases/figures.h"

namespace gpuledger::ui {

// A measured chance is never shown as certain: above this, the window and the terminal say "> 99 %".
inline constexpr double kMostChanceSaid = 0.99;

// As terminal text: 0.873 -> "87.3 %", 1 -> "> 99 %".
inline std::string chanceText(double chance)
{
    return chance > kMostChanceSaid ? "> " + fixed(kMostChanceSaid * 100, 0) + " %" : percentText(chance);
}

} // namespace gpuledger::ui
