// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/alerts/alertconfig.h"

#include <algorithm>

namespace gpuledger::services {

std::optional<base::Seconds> markAfterOf(const model::Settings &settings, const std::string &rule)
{
    const auto configured = std::find_if(settings.alerts.begin(), settings.alerts.end(),
                                         [&](const model::AlertRule &one) { return one.name == rule; });
    const bool marks = settings.actions.stopsMarked && configured != settings.alerts.end();
    return marks ? configured->markAfter : std::nullopt;
}

std::optional<base::Seconds> escalatedAfter(const model::Settings &settings, const std::string &rule,
                                            const std::string &target)
{
    for (const model::AlertRule &configured : settings.alerts) {
        for (const model::Escalation &step : configured.escalate) {
            if (configured.name == rule && std::find(step.send.begin(), step.send.end(), target) != step.send.end())
                return step.after;
        }
    }
    return std::nullopt;
}

} // namespace gpuledger::services
