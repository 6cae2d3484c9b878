// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/shell/askablerange.h"

#include "app/base/time/time.h"
#include "app/services/engine/configservice.h"

#include <algorithm>

namespace gpuledger::ui {

base::TimeRange askableRange(const services::ConfigService &config, base::TimeRange covered)
{
    if (covered.empty())
        return covered;
    base::UtcTime end = config.clock().now();
    if (const auto month = config.reportMonth())
        end = std::min(end, month->range().end);
    return {covered.start, end};
}

} // namespace gpuledger::ui
