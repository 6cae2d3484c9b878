// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"

#include <optional>
#include <string>
#include <vector>

namespace gpuledger::alerts {
struct Rule;
} // namespace gpuledger::alerts
namespace gpuledger::model {
struct AlertRule;
}

namespace gpuledger::services {

class Engine;
class FleetService;
struct AlertEvaluation;
struct AlertReplay;
struct ForecastAnswer;
struct ForecastQuery;
struct SourceRules;

// Forecasts, budgets and alert rules. `engine` and `fleet` must outlive it. Every function blocks and must be called
// from a worker thread; any thread.
class AlertService {
public:
    AlertService(Engine &engine, FleetService &fleet)
        : m_engine(engine)
        , m_fleet(fleet)
    {
    }

    // What each scope will have cost at the end of the period, with the budgets of the configuration for these scopes.
    // A filter of another dimension leaves out the budgets, because it shows a part of the scopes. A budget for a scope
    // without any cost is a row, too. Fails with InvalidConfig (a budget), InvalidArgument (by project: a filter, or
    // costs by the price book), Overflow, Storage… codes.
    [[nodiscard]] base::Result<ForecastAnswer> forecast(const ForecastQuery &query);

    // The alert rules of the configuration. Fails with InvalidArgument.
    [[nodiscard]] base::Result<std::vector<alerts::Rule>> rules() const;
    // Which of them fire now. Nothing is kept: states follow from the facts since the begin of the month 90 days ago.
    // Facts that change later (late data, an idle time that is known only at its end) change them, too. Fails with
    // Overflow, InvalidArgument, Storage… codes.
    [[nodiscard]] base::Result<AlertEvaluation> evaluate();
    // When a rule would have fired in a range. Also fails with NotFound.
    [[nodiscard]] base::Result<AlertReplay> replay(const std::string &name, base::TimeRange range);
    // A bound for a new rule of this metric and scope, from the last 28 days (alerts::suggestedBound). Fails
    // with Overflow, Storage… codes, and InvalidArgument: the rule can't be read.
    [[nodiscard]] base::Result<std::optional<std::string>> suggestedBound(const model::AlertRule &rule);
    // The rules in the language of Prometheus, for each source that is one. Also fails with NotFound: none is.
    [[nodiscard]] base::Result<std::vector<SourceRules>> exportedRules();
    // The same for a rule that is not in the configuration. Fails with InvalidArgument: it can't be read.
    [[nodiscard]] base::Result<AlertReplay> replay(const model::AlertRule &rule, base::TimeRange range);

private:
    base::Result<AlertReplay> replayOf(const alerts::Rule &rule, base::TimeRange range);

    Engine &m_engine;
    FleetService &m_fleet;
};

} // namespace gpuledger::services
