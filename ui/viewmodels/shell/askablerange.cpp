// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/shell/askablerange.h"

#include "app/base/time.h"

#include <algorithm>

namespace gpuledger::ui {

base::TimeRange askableRange(const services::Workspace &workspace, base::TimeRange covered)
{
    if (covered.empty())
        return covered;
    base::UtcTime end = workspace.clock().now();
    if (const auto month = workspace.reportMonth())
        end = std::min(end, month->range().end);
    return {covered.start, end};
}

} // namespace gpuledger::ui
