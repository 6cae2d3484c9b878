// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "app/ledger/ledgerpart.h"
#include "app/ledger/pricerules.h"
#include "app/ledger/rulesurvey.h"
#include "app/ledger/splitpolicy.h"
#include "app/model/costterms.h"
#include "app/model/settings.h"
#include "app/store/facts/attributionreader.h"
#include "app/store/facts/factreader.h"
#include "app/store/rollup/rollupbuilder.h"
#include "app/store/values/cube.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace gpuledger::ledger {

// The ledger of GPU time for one configuration: owner rules, workload kinds, prices, states. Immutable after create();
// any thread, but each reader that it hands out belongs to one.
class Ledger {
public:
    // Fails with InvalidConfig (a rule or a price can't be read).
    [[nodiscard]] static base::Result<std::unique_ptr<Ledger>> create(const model::Settings &settings);
    ~Ledger();

    // Stands for all that the figures depend on beside facts: settings, list prices, and how they are worked out.
    std::string fingerprint() const;
    // Used by the store within its transaction; lives as long as the ledger.
    store::RollupBuilder &rollup();
    // `facts` and the ledger must outlive the reader.
    std::unique_ptr<store::AttributionReader> attribution(store::FactReader &facts) const;

    // The lines of the ledger of money of some days with names that are not kept: worked out from facts and bills.
    // Fails with Overflow or Storage… codes.
    [[nodiscard]] base::Result<void> linesInDetail(base::Day first, base::Day last, model::LineDetail detail,
                                                   store::FactReader &facts, const store::LedgerVisitor &visit) const;
    // The lines as they follow from facts and bills now, and each addition to them with what it comes from: a day's
    // additions, then its lines. Fails as the above, or with what a visitor returned.
    [[nodiscard]] base::Result<void> lines(base::Day first, base::Day last, model::LineDetail detail,
                                           store::FactReader &facts, const store::LedgerVisitor &visit,
                                           const LedgerPartVisitor &visitPart) const;
    // How the price of a machine of some type is split; see splitpolicy.h.
    std::optional<SplitWeights> splitOf(model::SplitPolicy policy, std::string_view instanceType) const;
    // By the user's exchange rates, for looking at. Nothing: there is no such rate.
    std::optional<ExchangeRates::Converted> converted(const base::Money &amount, base::Currency to,
                                                      base::UtcTime at) const;

    // On what terms these devices are paid for at an instant; see costterms.h. Fails with Storage… codes.
    [[nodiscard]] base::Result<model::CostTerms>
    costTerms(store::FactReader &facts, const std::vector<model::PlacedDevice> &devices, base::UtcTime at) const;

    // The owner rules in use; never empty.
    const OwnerRules &owners() const;
    // Who held how much, for looking at other owner rules. Fails as RuleSurvey::take() does.
    [[nodiscard]] base::Result<std::shared_ptr<const RuleSurvey>> survey(store::FactReader &facts,
                                                                         base::TimeRange range,
                                                                         std::vector<base::UtcTime> cuts,
                                                                         std::stop_token stop) const;
    // What the bills of a range are about, likewise. Fails as TagSurvey::take() does.
    [[nodiscard]] base::Result<std::shared_ptr<const TagSurvey>>
    surveyBills(store::FactReader &facts, base::TimeRange range, const std::stop_token &stop) const;

private:
    struct Private;
    explicit Ledger(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

} // namespace gpuledger::ledger
