// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/ledger/commit/rollupbuilder.h"
#include "app/ledger/days/ledgerpart.h"
#include "app/ledger/prices/pricerules.h"
#include "app/ledger/prices/splitpolicy.h"
#include "app/ledger/survey/rulesurvey.h"
#include "app/model/money/costterms.h"
#include "app/model/money/costview.h"
#include "app/model/settings.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/facts/factreader.h"
#include "app/store/values/cube.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace gpuledger::ledger {

// The ledger of GPU time for one configuration: owner rules, workload kinds, prices, states. Immutable after create();
// any thread, but each reader that it returns belongs to a single thread.
class Ledger {
public:
    // Fails with InvalidConfig (invalid rule or price).
    [[nodiscard]] static base::Result<std::unique_ptr<Ledger>> create(const model::Settings &settings);
    ~Ledger();

    // Identifies everything besides facts that the figures depend on: settings, list prices, and the version of the
    // computation.
    std::string fingerprint() const;
    // Derives the roll-up for LedgerWriter and verify(); lives as long as the ledger.
    RollupBuilder &rollup();
    // `facts` and the ledger must outlive the reader.
    std::unique_ptr<store::AttributionReader> attribution(store::FactReader &facts,
                                                          model::CostView view = model::CostView::Effective) const;

    // The cost-ledger lines of some days, with names that are not stored: computed from facts and bills. Fails with
    // Overflow or Storage… codes.
    [[nodiscard]] base::Result<void> linesInDetail(base::Day first, base::Day last, model::LineDetail detail,
                                                   store::FactReader &facts, const store::LedgerVisitor &visit) const;
    // The lines as they follow from the current facts and bills, and each addition to them with its origin: the
    // additions of a day first, then its lines. Fails like linesInDetail(), or with the error that a visitor returned.
    [[nodiscard]] base::Result<void> lines(base::Day first, base::Day last, model::LineDetail detail,
                                           store::FactReader &facts, const store::LedgerVisitor &visit,
                                           const LedgerPartVisitor &visitPart) const;
    // How the price of a machine of this type is split; see splitpolicy.h.
    std::optional<SplitWeights> splitOf(model::SplitPolicy policy, std::string_view instanceType) const;
    // Converts by the user's exchange rates, for display. std::nullopt if there is no such rate.
    std::optional<ExchangeRates::Converted> converted(const base::Money &amount, base::Currency to,
                                                      base::UtcTime at) const;

    // The terms on which these devices are paid for at an instant; see costterms.h. Fails with Storage… codes.
    [[nodiscard]] base::Result<model::CostTerms>
    costTerms(store::FactReader &facts, const std::vector<model::PlacedDevice> &devices, base::UtcTime at) const;

    // The owner rules in use; never empty.
    const OwnerRules &owners() const;
    // Who held how much, for previewing other owner rules. Fails like RuleSurvey::take().
    [[nodiscard]] base::Result<std::shared_ptr<const RuleSurvey>> survey(store::FactReader &facts,
                                                                         base::TimeRange range,
                                                                         std::vector<base::UtcTime> cuts,
                                                                         std::stop_token stop) const;
    // What the bills of a range are about, for the same purpose. Fails like TagSurvey::take().
    [[nodiscard]] base::Result<std::shared_ptr<const TagSurvey>>
    surveyBills(store::FactReader &facts, base::TimeRange range, const std::stop_token &stop) const;

private:
    struct Private;
    explicit Ledger(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

} // namespace gpuledger::ledger
