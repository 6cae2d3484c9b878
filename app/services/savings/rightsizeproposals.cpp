// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/assumptions/assumedrules.h"
#include "app/savings/rightsize/rightsize.h"
#include "app/services/savings/savingsengines.h"
#include "app/services/savings/sizedfacts.h"

namespace gpuledger::services {

base::Result<SavingsReplay> rightSizeReplay(Engine &engine, const SavingsQuestion &question,
                                            const std::stop_token &stop)
{
    const auto sized = sizedFacts(engine, question, stop);
    GPULEDGER_TRY(sized);
    const auto kept = (*sized)->past();
    return SavingsReplay{[kept](const savings::Assumptions &assumed, const std::stop_token &stopped) {
                             return savings::proposeRightSizes(*kept, savings::rightSizeRules(assumed), stopped);
                         },
                         [kept](const std::string &id, const savings::Assumptions &assumed, const std::stop_token &) {
                             return savings::rightSizeCurve(*kept, id, savings::rightSizeRules(assumed));
                         },
                         [kept, start = question.range.start](
                             const std::string &id, const savings::Assumptions &assumed, const std::stop_token &) {
                             return savings::rightSizeBasis(*kept, id, start, savings::rightSizeRules(assumed));
                         }};
}

} // namespace gpuledger::services
