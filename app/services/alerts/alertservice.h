// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

namespace gpuledger::services {

class Engine;
class FleetService;
struct ForecastAnswer;
struct ForecastQuery;

// Forecasts and budgets. `engine` and `fleet` must outlive it. Every function blocks and must be called from a worker
// thread; any thread.
class AlertService {
public:
    AlertService(Engine &engine, FleetService &fleet)
        : m_engine(engine)
        , m_fleet(fleet)
    {
    }

    // What each scope will have cost at the end of the period, with the budgets of the configuration for these scopes.
    // A filter of another dimension leaves out the budgets, because it shows a part of the scopes. A budget for a scope
    // without any cost is a row, too. Fails with InvalidConfig (a budget), Overflow, Storage… codes.
    [[nodiscard]] base::Result<ForecastAnswer> forecast(const ForecastQuery &query);

private:
    Engine &m_engine;
    FleetService &m_fleet;
};

} // namespace gpuledger::services
