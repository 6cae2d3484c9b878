// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/model/money/costview.h"
#include "app/model/settings.h"
#include "app/savings/assumptions/assumptions.h"
#include "app/savings/prices/pricequote.h"
#include "app/savings/proposals/basis.h"
#include "app/savings/proposals/curve.h"
#include "app/savings/proposals/proposal.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace gpuledger::services {

class Engine;
class SizedFacts;

// What every engine is asked. `range` lies within the fetched data and has whole hours.
struct SavingsQuestion {
    base::TimeRange range;
    model::CostView cost = model::CostView::Effective;
    // Where engines of the same question find what another one has read (sizedfacts.h); null: nothing is shared.
    std::shared_ptr<const SizedFacts> *sized = nullptr;
    std::shared_ptr<const savings::QuoteList> own = nullptr; // the user's offers, of commitments; null: none
    bool onlyFacts = false; // stored days are neither read nor written: a proof must not rely on them
};

// The facts of one kind in memory, and its pure engine. Reads nothing; immutable, so any number of threads may call it.
// All functions fail with Cancelled and Overflow.
struct SavingsReplay {
    // Under these assumptions, the excluded ones included.
    std::function<base::Result<std::vector<savings::Proposal>>(const savings::Assumptions &, const std::stop_token &)>
        proposals;
    // Of the proposal with this id; std::nullopt: it has none, or is of another kind.
    std::function<base::Result<std::optional<savings::ProposalCurve>>(const std::string &, const savings::Assumptions &,
                                                                      const std::stop_token &)>
        curve;
    // What the figures of the proposal with this id were computed from; std::nullopt: there is nothing, or it is of
    // another kind.
    std::function<base::Result<std::optional<savings::ProposalBasis>>(const std::string &, const savings::Assumptions &,
                                                                      const std::stop_token &)>
        basis = {};
    // The proposals for the demand that remains without this machine time. Null: another kind than commitments.
    std::function<base::Result<std::vector<savings::Proposal>>(std::span<const savings::FreedTime *const>,
                                                               const savings::Assumptions &)>
        remaining = {};
    std::vector<savings::Remark> warnings = {}; // what could not be used
};

// One function for each savings::Kind that gathers the facts of a range for a replay. Blocking; any thread. They fail
// with Cancelled, Overflow and Storage… codes.
base::Result<SavingsReplay> capacityReplay(Engine &engine, const SavingsQuestion &question,
                                           const std::stop_token &stop);
base::Result<SavingsReplay> scheduleReplay(Engine &engine, const SavingsQuestion &question,
                                           const std::stop_token &stop);
base::Result<SavingsReplay> rightSizeReplay(Engine &engine, const SavingsQuestion &question,
                                            const std::stop_token &stop);
base::Result<SavingsReplay> spotReplay(Engine &engine, const SavingsQuestion &question, const std::stop_token &stop);
base::Result<SavingsReplay> commitmentReplay(Engine &engine, const SavingsQuestion &question,
                                             const std::stop_token &stop);

// The names of the sources in use that tell prices, which are among the facts of spot machines.
std::vector<std::string> sourcesWithPrices(const Engine &engine, const model::Settings &settings);

} // namespace gpuledger::services
