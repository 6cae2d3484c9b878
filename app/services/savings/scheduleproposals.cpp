// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/assumptions/assumedrules.h"
#include "app/savings/schedule/schedule.h"
#include "app/services/engine/engine.h"
#include "app/services/savings/savingsengines.h"
#include "app/services/savingsinputs/schedulefacts.h"

#include <memory>
#include <utility>

namespace gpuledger::services {

base::Result<SavingsReplay> scheduleReplay(Engine &engine, const SavingsQuestion &question, const std::stop_token &stop)
{
    const Setup &setup = engine.setup();
    auto view = viewOf(engine.cache(), *setup.ledger, question.cost);
    GPULEDGER_TRY(view);
    const ScheduleQuestion asked{savings::scheduleRange(question.range, setup.zone), setup.zone,
                                 setup.settings.currency};
    auto past = schedulePast(
        *view->attribution, asked,
        [&](const std::vector<model::PlacedDevice> &devices, base::UtcTime at) {
            return setup.ledger->costTerms(*view->facts, devices, at);
        },
        stop);
    GPULEDGER_TRY(past);
    const auto kept = std::make_shared<const savings::SchedulePast>(std::move(*past));
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
