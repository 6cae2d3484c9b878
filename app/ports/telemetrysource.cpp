// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ports/telemetrysource.h"

#include "app/base/remedy.h"

namespace gpuledger::ports {

// NOLINTNEXTLINE(performance-unnecessary-value-param): implementations keep it
base::Result<SeriesAnswer> TelemetrySource::series(const SeriesQuestion &, std::stop_token)
{
    return base::fail(base::ErrorCode::Unsupported, "this source does not evaluate expressions",
                      base::Remedy::UseDevicePrometheus);
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): implementations keep it
base::Result<ActivityAnswer> TelemetrySource::newestActivity(const ActivityQuestion &, std::stop_token)
{
    return base::fail(base::ErrorCode::Unsupported, "this source does not provide current samples");
}

} // namespace gpuledger::ports
