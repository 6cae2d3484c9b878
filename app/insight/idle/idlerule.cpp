// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/insight/idle/idlerule.h"

#include "app/insight/idle/gapcurves.h"

namespace gpuledger::insight {

base::Result<IdleRule> idleRuleAt(store::AttributionReader &facts, base::UtcTime at,
                                  const model::IdleSettings &configured)
{
    auto past = gapPastAt(facts, at);
    GPULEDGER_TRY(past);
    IdleRule rule;
    rule.grace = store::chooseGrace(configured, *past);
    rule.settings = store::withGrace(configured, rule.grace);
    rule.past = std::move(*past);
    return rule;
}

} // namespace gpuledger::insight
