// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/capacity/capacitycurve.h"
#include "app/savings/capacity/capacityoffer.h"
#include "app/services/engine/engine.h"
#include "app/services/savings/savingsengines.h"
#include "app/services/savings/sizedfacts.h"
#include "app/services/savings/usualassumptions.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuledger::services {

using base::Result;

namespace {

// The pools, and what is configured for some of them.
struct CapacityPast {
    std::shared_ptr<const std::vector<savings::CapacityPool>> pools;
    model::SavingsSettings settings;

    savings::CapacityPolicy policy(const savings::CapacityPool &pool, const savings::Assumptions &assumed) const
    {
        return poolPolicy(assumed, poolAssumptions(settings, pool.cluster, pool.group));
    }
};

Result<std::vector<savings::Proposal>> capacityOffers(const CapacityPast &past, base::Currency currency,
                                                      const savings::Assumptions &assumed, const std::stop_token &stop)
{
    std::vector<savings::Proposal> out;
    for (const savings::CapacityPool &pool : *past.pools) {
        if (stop.stop_requested())
            return base::fail(base::ErrorCode::Cancelled, "cancelled");
        auto offers = savings::offerCapacity(pool, past.policy(pool, assumed), currency);
        GPULEDGER_TRY(offers);
        out.insert(out.end(), std::make_move_iterator(offers->begin()), std::make_move_iterator(offers->end()));
    }
    return out;
}

// The entries of the configuration that no pool has.
std::vector<savings::Remark> unusedPoolEntries(const CapacityPast &past)
{
    std::vector<savings::Remark> out;
    for (const model::PoolAssumptions &entry : past.settings.pools) {
        const bool isUsed = std::any_of(past.pools->begin(), past.pools->end(), [&](const savings::CapacityPool &pool) {
            return poolAssumptions(past.settings, pool.cluster, pool.group) == &entry;
        });
        if (!isUsed)
            out.push_back({savings::RemarkText::NoSuchPool,
                           {savings::textTerm(entry.cluster.empty() ? entry.name : entry.cluster + '/' + entry.name)}});
    }
    return out;
}

// By the ids that offerCapacity() gives.
Result<std::optional<savings::ProposalCurve>> capacityCurveOf(const CapacityPast &past, const std::string &id,
                                                              const savings::Assumptions &assumed, base::UtcTime start)
{
    for (const savings::CapacityPool &pool : *past.pools) {
        for (const bool packed : {false, true}) {
            if (savings::capacityId(pool, packed) == id)
                return savings::capacityCurve(pool, past.policy(pool, assumed), packed, start);
        }
    }
    return std::optional<savings::ProposalCurve>();
}

Result<std::optional<savings::ProposalBasis>> capacityBasisOf(const CapacityPast &past, const std::string &id,
                                                              const savings::Assumptions &assumed,
                                                              base::Currency currency, base::UtcTime start)
{
    for (const savings::CapacityPool &pool : *past.pools) {
        for (const bool packed : {false, true}) {
            if (savings::capacityId(pool, packed) != id)
                continue;
            auto basis = savings::capacityBasis(pool, past.policy(pool, assumed), currency, packed, start);
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
    const model::Settings &settings = engine.setup().settings;
    const auto past = std::make_shared<const CapacityPast>(CapacityPast{(*shared)->pools(), settings.savings});
    SavingsReplay replay{
        [past, currency = settings.currency](const savings::Assumptions &assumed, const std::stop_token &stopped) {
            return capacityOffers(*past, currency, assumed, stopped);
        },
        [past, start = question.range.start](const std::string &id, const savings::Assumptions &assumed,
                                             const std::stop_token &) {
            return capacityCurveOf(*past, id, assumed, start);
        },
        [past, currency = settings.currency, start = question.range.start](
            const std::string &id, const savings::Assumptions &assumed, const std::stop_token &) {
            return capacityBasisOf(*past, id, assumed, currency, start);
        }};
    replay.warnings = unusedPoolEntries(*past);
    return replay;
}

} // namespace gpuledger::services
