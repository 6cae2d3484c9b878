// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/assumptions/assumedrules.h"
#include "app/savings/capacity/capacitycurve.h"
#include "app/savings/capacity/capacityoffer.h"
#include "app/services/engine/engine.h"
#include "app/services/savings/savingsengines.h"
#include "app/services/savings/sizedfacts.h"

#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuledger::services {

using base::Result;

namespace {

using CapacityPools = std::vector<savings::CapacityPool>;

Result<std::vector<savings::Proposal>> capacityOffers(const CapacityPools &pools, base::Currency currency,
                                                      const savings::Assumptions &assumed, const std::stop_token &stop)
{
    const savings::CapacityPolicy policy = savings::capacityPolicy(assumed);
    std::vector<savings::Proposal> out;
    for (const savings::CapacityPool &pool : pools) {
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "cancelled");
        auto offers = savings::offerCapacity(pool, policy, currency);
        GPULEDGER_TRY(offers);
        out.insert(out.end(), std::make_move_iterator(offers->begin()), std::make_move_iterator(offers->end()));
    }
    return out;
}

// By the ids that offerCapacity() gives.
Result<std::optional<savings::ProposalCurve>> capacityCurveOf(const CapacityPools &pools, const std::string &id,
                                                              const savings::Assumptions &assumed, base::UtcTime start)
{
    for (const savings::CapacityPool &pool : pools) {
        for (const bool packed : {false, true}) {
            if (savings::capacityId(pool, packed) == id)
                return savings::capacityCurve(pool, savings::capacityPolicy(assumed), packed, start);
        }
    }
    return std::optional<savings::ProposalCurve>();
}

Result<std::optional<savings::ProposalBasis>> capacityBasisOf(const CapacityPools &pools, const std::string &id,
                                                              const savings::Assumptions &assumed,
                                                              base::Currency currency, base::UtcTime start)
{
    for (const savings::CapacityPool &pool : pools) {
        for (const bool packed : {false, true}) {
            if (savings::capacityId(pool, packed) != id)
                continue;
            auto basis = savings::capacityBasis(pool, savings::capacityPolicy(assumed), currency, packed, start);
            GPULEDGER_TRY(basis);
            return std::optional(std::move(*basis));
        }
    }
    return std::optional<savings::ProposalBasis>();
}

} // namespace

Result<SavingsReplay> capacityReplay(Engine &engine, const SavingsQuestion &question, const std::stop_token &stop)
{
    const auto shared = sizedFacts(engine, question, stop);
    GPULEDGER_TRY(shared);
    const auto pools = (*shared)->pools();
    return SavingsReplay{[pools, currency = engine.setup().settings.currency](const savings::Assumptions &assumed,
                                                                              const std::stop_token &stopped) {
                             return capacityOffers(*pools, currency, assumed, stopped);
                         },
                         [pools, start = question.range.start](
                             const std::string &id, const savings::Assumptions &assumed, const std::stop_token &) {
                             return capacityCurveOf(*pools, id, assumed, start);
                         },
                         [pools, currency = engine.setup().settings.currency, start = question.range.start](
                             const std::string &id, const savings::Assumptions &assumed, const std::stop_token &) {
                             return capacityBasisOf(*pools, id, assumed, currency, start);
                         }};
}

} // namespace gpuledger::services
