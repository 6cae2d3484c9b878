// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/time/timezone.h"
#include "app/insight/idle/rulecurve.h"

#include <QCoreApplication>
#include <QString>

#include <memory>
#include <stop_token>

namespace gpuledger::services {
class FleetService;
}

namespace gpuledger::ui {

// The replayed curve of idle rules for the dialog of the rule, and what was asked. Immutable.
struct IdleRuleCurve {
    base::Seconds span{}, resumeWithin{};
    insight::RuleCurve curve;
};

// Replays every rule of the curve over the last `span` of the data, in one pass. Blocking; call from a worker thread.
// Fails as FleetService::replayIdle() does.
[[nodiscard]] base::Result<std::shared_ptr<const IdleRuleCurve>>
askIdleRuleCurve(services::FleetService &fleet, const model::IdleSettings &inUse, base::Seconds span,
                 base::Seconds resumeWithin, const std::stop_token &stop);

// The sentences about the curve and about where a grace window comes from. GUI thread.
class IdleRuleCurveText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::IdleRuleCurveText)
public:
    static QString point(const insight::RulePoint &point); // "6 h"; "rule in use" if its kinds differ
    // What the curve was made from.
    static QString basis(const insight::RuleCurve &curve, const base::TimeZone &zone);
    // "Another rule, 6 h, would have brought back more hours with fewer false stops."; empty: there is none.
    static QString better(const insight::RuleCurve &curve);
    // "6 h, measured: 3 % of stops would have been false", "1 h, default: too little past", "2 h, configured"
    static QString grace(const store::GraceChoice &choice);
    static QString graces(const store::GraceChoices &choices); // one line per kind
};

} // namespace gpuledger::ui
