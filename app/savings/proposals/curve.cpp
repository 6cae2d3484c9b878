// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/proposals/curve.h"

namespace gpuledger::savings {

const char *toString(CurveUnit unit)
{
    switch (unit) {
    case CurveUnit::Machines:
        return "machines";
    case CurveUnit::Nodes:
        return "nodes";
    case CurveUnit::Gpus:
        return "gpus";
    case CurveUnit::Share:
        return "share";
    case CurveUnit::Amount:
        return "amount";
    case CurveUnit::Duration:
        return "seconds";
    case CurveUnit::Gibibytes:
        return "gib";
    case CurveUnit::Time:
        return "unix_seconds";
    case CurveUnit::WeekHour:
        return "hour_of_week";
    }
    return "";
}

} // namespace gpuledger::savings
