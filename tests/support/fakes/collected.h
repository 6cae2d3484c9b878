// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/savingsinputs/days/daycollector.h"

#include <QtGlobal>

namespace gpuledger::tests {

// Gives one collector all that it needs.
inline void collectAll(services::DayCollector &collector, store::AttributionReader &attribution)
{
    services::DayCollector *const only = &collector;
    if (const auto done = services::collectDays(attribution, {&only, 1}, {}); !done)
        qFatal("%s", done.error().text.c_str());
}

} // namespace gpuledger::tests
