// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/assumptions/assumedrules.h"
#include "app/savings/schedule/schedule.h"
#include "app/services/savings/savingsengines.h"
#include "app/services/savings/sizedfacts.h"

#include <memory>
#include <utility>

namespace gpuledger::services {

base::Result<SavingsReplay> scheduleReplay(Engine &engine, const SavingsQuestion &question, const std::stop_token &stop)
{
    const auto shared = sizedFacts(engine, question, stop);
    GPULEDGER_TRY(shared);
    const auto kept = (*shared)->schedule();
    return SavingsReplay{
        [kept](const savings::Assumptions &assumed, const std::stop_token &stopped) {
            return savings::replaySchedules(*kept, savings::scheduleRules(assumed), stopped);
        },
        [kept](const std::string &id, const savings::Assumptions &assumed, const std::stop_token &stopped) {
            return savings::scheduleCurve(*kept, id, savings::scheduleRules(assumed), stopped);
        },
        [kept](const std::string &id, const savings::Assumptions &assumed, const std::stop_token &stopped) {
            return savings::scheduleBasis(*kept, id, savings::scheduleRules(assumed), stopped);
        }};
}

} // namespace gpuledger::services
