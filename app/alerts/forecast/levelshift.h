// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/alerts/forecast/weeklymodel.h"

namespace gpuledger::alerts {

// The first day after the last shift of the level of a series, such as a contract that began or a cluster that moved
// to another team; 0: there is none. The days before it say nothing about the level of those to come.
//
// A shift is a step between two known days of more than 4 robust deviations of the steps of the past (1.4826 x their
// median), where the levels before and after differ by as much and by 3 %, and all days of the week before (from the
// shift before it on) are nearer to the one level, and all of the week after to the other. At least three days are
// known on each side. Levels: medians, of values divided by the factor of their weekday. `past`: without one-offs;
// `factors`: by index of the day % 7.
std::size_t lastShift(std::span<const double> past, const std::array<double, kWeek> &factors);

} // namespace gpuledger::alerts
