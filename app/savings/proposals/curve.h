// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/proposals/remark.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What a proposal's figure depends on, as lines to draw. Values; any thread. The engines compute them with their own
// functions from the same past and assumptions as the proposal.
namespace gpuledger::savings {

enum class CurveUnit : std::uint8_t {
    Machines,
    Nodes,
    Gpus,
    Share, // 0..1, or above
    Amount, // units of CurveAxis::currency, rounded for drawing; the exact amounts are those of the proposal
    Duration, // seconds
    Gibibytes,
    Time, // seconds since 1970
    WeekHour, // 0..167, local; 0 = Monday 00:00-01:00
};
const char *toString(CurveUnit unit); // "machines", as the command line writes it; of an amount its currency counts

struct CurveAxis {
    Remark name;
    CurveUnit unit = CurveUnit::Share;
    std::string currency; // of CurveUnit::Amount
    bool logarithmic = false; // then all values are above zero
};

struct CurveLine {
    Remark name;
    std::vector<double> y; // one for each x
};

struct CurveMark { // a place on the x axis
    Remark name;
    double x = 0;
};

struct CurveReference { // a value on the y axis
    Remark name;
    double y = 0;
};

struct ProposalCurve {
    enum class Shape : std::uint8_t { Levels, Intervals, Hours, Memory, Week };
    Shape shape = Shape::Levels;
    Remark title;
    CurveAxis xAxis, yAxis;
    std::vector<double> x; // ascending
    std::vector<CurveLine> lines; // at least one
    std::vector<double> p10, p90; // around the first line, which then is the p50; empty: no spread
    std::vector<CurveMark> marks;
    std::optional<CurveReference> reference;
    std::vector<bool> shaded; // by point: whether it is one of `shadedName`; empty: none
    Remark shadedName;
};

} // namespace gpuledger::savings
